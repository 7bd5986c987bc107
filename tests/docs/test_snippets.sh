#!/bin/sh
# Every snippet in README.md, docs/ and the site's first page that can be run is run, in a scratch folder that has the models:
#   ```sh   blocks that begin with `limber`, `./dev limber` or `cat >`: every command must succeed
#   ```c    blocks with `int main`: must compile without a warning, link and return 0
#           blocks of docs/goals.md without it: statements that add constraints to `problem`, which must then be solved
#   ```fig  blocks that begin with `figure` and leave nothing out (no `...`): must be read
# Other blocks are left alone.
set -eu
work="$LIMBER_SCRATCH/work"
rm -rf "$work"
mkdir -p "$work/bin" "$work/blocks"
cd "$work"
for folder in models problems examples; do
    [ ! -d "$LIMBER_SOURCE_DIR/$folder" ] || cp -R "$LIMBER_SOURCE_DIR/$folder" .
done
# The program, which draws films and the gallery small: a hundred pictures are as good a test of a command that asks for them
# as a hundred large ones. Problems of the gallery are solved and not drawn.
cat >bin/limber <<TEXT
#!/bin/sh
case "\$1 \$*" in
*gallery-*" --size"*) set -- "\$@" --size 160x120 ;;
"solve "*" --png gallery-"*)
    kept=\$((\$# - 2)) # all but --png and its file, which come last
    while [ \$kept -gt 0 ]; do
        set -- "\$@" "\$1"
        shift
        kept=\$((kept - 1))
    done
    shift 2
    ;;
*" --size"*) ;;
"render "*gallery-*) set -- "\$@" --size 160x120 ;;
"play "*.png*) set -- "\$@" --size 160x120 ;;
esac
exec "$LIMBER" "\$@"
TEXT
chmod +x bin/limber
# ./dev, as far as the snippets need it: the program is built already.
cat >dev <<'TEXT'
#!/bin/sh
[ "$1" = limber ] || { echo "snippets may only use ./dev limber" >&2; exit 1; }
shift
exec limber "$@"
TEXT
chmod +x dev
PATH="$work/bin:$PATH"
export PATH

# Each fenced block into a file of its own, named by document, line and language.
for document in "$LIMBER_SOURCE_DIR"/README.md "$LIMBER_SOURCE_DIR"/docs/*.md "$LIMBER_SOURCE_DIR"/docs/site/index.md; do
    [ -f "$document" ] || continue
    awk -v name="$(basename "$document" .md)" '
        !inside && /^ *```[a-z]+/ { sub(/^ *```/, ""); file = "blocks/" name "-" NR "." $1; inside = 1; next }
        !inside && /^ *```/ { file = ""; inside = 1; next }
        inside && /^ *```/ { inside = 0; if (file) close(file); next }
        inside && file { print > file }' "$document"
done

ran=0
code=0
# try FILE COMMAND...: counts it, and shows the snippet where it fails.
try() {
    block=$1
    shift
    ran=$((ran + 1))
    if "$@" >output.txt 2>&1 </dev/null; then
        echo "ok $(basename "$block")"
    else
        code=1
        echo "FAILED $(basename "$block") (document, line and language):"
        cat "$block" output.txt
    fi
}

# shellcheck disable=SC2317 # called by try
compile_and_run() {
    libs=$(pkg-config --libs expat cairo jansson)
    # shellcheck disable=SC2086 # a list of words
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I "$LIMBER_SOURCE_DIR/include" -o snippet "$1" \
        "$LIMBER_BUILD_DIR/liblimber_io.a" "$LIMBER_BUILD_DIR/liblimber.a" $libs -lm -pthread && ./snippet
}

# A fragment of docs/goals.md stands in a program with a standing person, a problem and a constraint to fill in.
# shellcheck disable=SC2317 # called by try
complete_and_run() {
    {
        cat <<'TEXT'
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    static double pose[512];
    lb_figure *figure;
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    if (lb_figure_load("models/human.fig", NULL, &figure, NULL)) return 1;
    lb_problem *problem = lb_problem_create(figure, NULL);
    if (!problem) return 1;
    for (int i = 0; i < 6; i++) lb_problem_set_active(problem, i, 0);
    lb_figure_rest_pose(figure, pose);
    lb_constraint_defaults(&c);
TEXT
        cat "$1"
        cat <<'TEXT'
    if (lb_problem_error(problem)->status || !lb_problem_constraint_count(problem)) {
        printf("refused, or nothing added: %s\n", lb_problem_error(problem)->message);
        return 1;
    }
    for (int i = 0; i < lb_problem_figure_count(problem); i++)
        lb_figure_rest_pose(lb_problem_figure(problem, i), pose + lb_problem_first_variable(problem, i));
    lb_status status = lb_solve(problem, NULL, pose, &result);
    printf("%s: %s\n", lb_outcome_name(result.outcome), result.explanation);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    return status || result.outcome != LB_OUTCOME_SOLVED;
}
TEXT
    } >fragment.c
    compile_and_run fragment.c
}

for block in blocks/*.sh; do
    [ -f "$block" ] || continue
    case $(head -n 1 "$block") in
    "limber "* | "./dev limber "* | "cat >"*) try "$block" sh -eu "$block" ;;
    esac
done
for block in blocks/*.c; do
    [ -f "$block" ] || continue
    if grep -q 'int main' "$block"; then
        try "$block" compile_and_run "$block"
    else
        case $block in
        blocks/goals-*) try "$block" complete_and_run "$block" ;;
        esac
    fi
done
for block in blocks/*.fig; do
    [ -f "$block" ] || continue
    case $(grep -v '^ *\(#.*\|//.*\)*$' "$block" | head -n 1) in
    figure*) grep -qF '...' "$block" || try "$block" limber info "$block" ;;
    esac
done

echo "$ran snippets run"
if [ "$ran" = 0 ]; then
    echo "there was nothing to run: README.md and docs/ hold no snippet that could go stale"
    exit 1
fi
exit $code
