#!/bin/sh
# Every option of every command is in the manual page and in each completion, and those name no option that is gone.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

man="$LIMBER_SOURCE_DIR/man/limber.1"
completions="$LIMBER_SOURCE_DIR/completions"
: >all.txt
for command in $("$LIMBER" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    "$LIMBER" "$command" --help | sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\2/p' >options.txt
    [ -s options.txt ] || wrong "no option found in limber $command --help"
    cat options.txt >>all.txt
    # The command's own part of each file.
    sed -n "/^\.Ss $command\$/,/^\.S[sh] /p" "$man" >man.txt
    sed -n "/^    $command) options=\|^    $command)\$/,/;;/p" "$completions/limber.bash" >bash.txt
    sed -n "/^    $command)\$/,/;;/p" "$completions/_limber" >zsh.txt
    grep "[' ]${command}[' ]\|uses [a-z ]*${command}" "$completions/limber.fish" >fish.txt || true
    has "$man" ".Ss $command"
    has "$completions/limber.bash" "$command"
    has "$completions/limber.fish" "-a $command "
    has "$completions/_limber" "'$command:"
    while read -r option; do
        [ "$option" != help ] || continue # the same everywhere
        has man.txt "\\-$option"
        has bash.txt "--$option"
        has zsh.txt "--$option"
        checked=$((checked + 1))
        grep -qE -e "-l $option( |\$)" fish.txt || wrong "completions/limber.fish lacks $command --$option"
    done <options.txt
done
printf 'help\nversion\n' >>all.txt

# The other way round.
for named in $(grep -ohE -e '--[a-z]+(-[a-z]+)*' "$completions/limber.bash" "$completions/_limber" | sed 's/^--//' | sort -u) \
    $(sed -n 's/.* -l \([a-z-]*\).*/\1/p' "$completions/limber.fish") \
    $(grep -oE '\\-[a-z]+(-[a-z]+)*' "$man" | sed 's/^\\-//' | sort -u); do
    checked=$((checked + 1))
    grep -qx "$named" all.txt || wrong "--$named is in the manual page or a completion, but there is no such option"
done

# Both pages are well-formed, where something can tell.
if command -v mandoc >/dev/null; then
    checked=$((checked + 1))
    mandoc -Tlint "$man" >lint.txt 2>&1 || wrong "mandoc complains about the manual page" lint.txt
fi
for pair in "bash limber.bash" "zsh _limber" "fish limber.fish"; do
    shell=${pair% *}
    if command -v "$shell" >/dev/null; then
        checked=$((checked + 1))
        "$shell" -n "$completions/${pair#* }" || wrong "$shell does not understand completions/${pair#* }"
    fi
done
finish
