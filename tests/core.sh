# shellcheck shell=sh
# For tests that compile the core anew, by other compilers or options. Sourced, not run.

# compile_core FOLDER COMPILER OPTIONS...: the core's objects, in FOLDER; from the tree CORE_SOURCE, unless it is this one. A
# folder's files are compiled as one, which takes half of the time, since headers are read once.
compile_core() (
    tree=${CORE_SOURCE:-$LIMBER_SOURCE_DIR}
    rm -rf "$1"
    mkdir -p "$1"
    cd "$1"
    shift
    for folder in $(cd "$tree/src" && find math figure closed reach problem solve motion -type d | sort); do
        together=
        for path in "$tree/src/$folder"/*.c; do
            [ -f "$path" ] || continue
            if grep -q 'LBM_WIDTH\|LBM_TARGET' "$path"; then # vectors of its own width: math/simd.h is another for it
                compile_files "$folder" "${path##*/}" "$@" || exit 1
            else
                together="$together ${path##*/}"
            fi
        done
        [ -z "$together" ] || compile_files "$folder" "${together# }" "$@" || exit 1
    done
)

# compile_files FOLDER FILES COMPILER OPTIONS...: as one where that compiles. Where not, as two files may have a static name in
# common, each half by itself, and so on to single files, whose errors count.
compile_files() (
    folder=$1
    files=$2
    shift 2
    unit=$(echo "$folder" | tr / -)-${files%% *}
    for file in $files; do
        echo "#include \"$tree/src/$folder/$file\""
    done >"$unit"
    if "$@" "-I$tree/include" "-I$tree/src" -Wfatal-errors -c "$unit" -o "${unit%.c}.o" >"$unit.log" 2>&1; then
        exit 0
    fi
    case $files in
    *' '*) ;;
    *)
        cat "$unit.log"
        exit 1
        ;;
    esac
    half=$(($(echo "$files" | wc -w) / 2))
    compile_files "$folder" "$(echo "$files" | cut -d ' ' -f "-$half")" "$@" &&
        compile_files "$folder" "$(echo "$files" | cut -d ' ' -f "$((half + 1))-")" "$@"
)
