#!/bin/sh
# No code of ours reads English: what a sentence says, its parts say as data (limber/say.h). Sentences are shown, cut where a part
# begins, and joined; they are not searched.
set -eu

asked='strstr|strncmp|strcmp|strcasecmp|strchr|strrchr|sscanf|regexec|\.exec\(|\.test\(|\.match\(|\.matchAll\(|\.search\(|\.split\(|\.replace\(|\.replaceAll\(|\.includes\(|\.startsWith\(|\.endsWith\(|\.indexOf\(|\.startswith\(|\.endswith\(|\.find\(|\bre\.[a-z]+\(| in [a-z_.]*explanation'
said='[Ee]xplanation|[Ss]entence\(|\.stance|\bstance\b'

# parsing FILES: lines that search a sentence, as file:line: text.
parsing() {
    xargs grep -nE "$said" /dev/null | grep -E "$asked" | grep -vE '^[^:]*:[0-9]+: *(//|\*|#|"""|--)' || true
}

# The gate itself must be able to say no.
trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
cat > "$trial/bad.c" <<'END'
    if (strstr(result->explanation, "no solution")) {
END
cat > "$trial/bad.js" <<'END'
    const told = /^Not reached: (.*)/.exec(explanation);
    return found.explanation.replace(/^[^:]*: /, '');
    if (bodySentence(text).includes('steps')) return;
END
cat > "$trial/bad.py" <<'END'
    if "beyond" in sol.explanation:
    words = re.search("step", sol.explanation)
END
cat > "$trial/good.js" <<'END'
    const told = found.explanation.slice(said[1].begin);
    result.explanation = told;
END
found=$(ls "$trial"/bad.* | parsing | wc -l)
[ "$found" = 6 ] || { echo "the gate finds $found of 6 samples"; exit 1; }
[ -z "$(echo "$trial/good.js" | parsing)" ] || { echo "the gate refuses what is right"; exit 1; }

cd "$LIMBER_SOURCE_DIR"
wrong=$(find src python/limber python/src web studio -name node_modules -prune -o \
    \( -name '*.c' -o -name '*.h' -o -name '*.js' -o -name '*.mjs' -o -name '*.py' \) -print | parsing)
[ -z "$wrong" ] || { echo "$wrong"; echo "sentences are for people: read said[] (limber/say.h) instead"; exit 1; }
echo "no sentence is searched"
