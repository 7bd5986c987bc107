#!/bin/sh
# Help, versions, and what is said about words that mean nothing.
# shellcheck disable=SC2016 # backquotes are part of what is said
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

run 2
has out.txt 'Usage: limber COMMAND'
run 0 --help
has out.txt 'info' 'convert' 'render' 'models' 'help' 'Exit codes'
# Every format that is read.
has out.txt '.fig' '.urdf' '.xacro' '.xml' '.mjcf' '.bvh' '.glb' '.gltf' '.vrm' '.vrma' '.json' '.scefo' 'chain:N'
checked=$((checked + 1))
! grep -qE '.{96}' out.txt || wrong "the overview has long lines" out.txt
cp out.txt overview.txt
run 0 help
checked=$((checked + 1))
cmp -s out.txt overview.txt || wrong "help and --help differ"
run 0 -h
run 0 --version
checked=$((checked + 1))
grep -qE '^limber [0-9]+\.[0-9]+\.[0-9]+$' out.txt || wrong "--version says something else" out.txt
for command in info convert render reach studio models help; do
    run 0 help "$command"
    cp out.txt help.txt
    has out.txt "Usage: limber $command"
    checked=$((checked + 1))
    ! grep -qE '.{91}' out.txt || wrong "the help of $command has long lines"
    run 0 "$command" --help
    checked=$((checked + 1))
    cmp -s out.txt help.txt || wrong "$command --help and help $command differ"
done

run 2 inof
has err.txt 'there is no command `inof`; did you mean `info`?'
is_empty out.txt
run 2 xyzzy
has err.txt '`limber help` lists them'
run 2 help rendr
has err.txt 'did you mean `render`?'
run 2 --vers
has err.txt 'did you mean `--version`?'
run 2 --zzzzzz info
run 2 info --jsno human
has err.txt 'did you mean `--json`?'
run 2 info human --qqqqqqqq
has err.txt 'see `limber info --help`'
run 2 info human -q
run 2 info human --json=yes
has err.txt 'takes no value'
run 2 info human --stature
has err.txt 'needs a value'
run 2 info
has err.txt 'needs FILE'
run 2 info a b
has err.txt '`b` is one word too many'
run 1 info -- --json
has err.txt 'limber: --json: '

# Escape sequences in names do not reach a terminal.
run 1 info "$(printf 'a\033[31mb')"
lacks err.txt "$(printf '\033')"

run 0 models
has out.txt 'human ' 'panda '
run 0 models --folder
checked=$((checked + 1))
[ -f "$(cat out.txt)/human.fig" ] || wrong "models --folder names another folder" out.txt
finish
