# Completion of limber for bash: installed as share/bash-completion/completions/limber, or sourced from ~/.bashrc.
_limber() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local figures='fig|urdf|xacro|mjcf|xml|bvh'
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'info convert render models help --help --version' -- "$word")
        return
    fi
    case $before in
    --format | --from | -f)
        mapfile -t COMPREPLY < <(compgen -W 'fig urdf mjcf bvh' -- "$word")
        return ;;
    --to)
        mapfile -t COMPREPLY < <(compgen -W 'fig urdf bvh' -- "$word")
        return ;;
    --picture)
        mapfile -t COMPREPLY < <(compgen -W 'png svg pdf' -- "$word")
        return ;;
    --views)
        mapfile -t COMPREPLY < <(compgen -W 'three-quarter front side top back front,side front,side,top' -- "$word")
        return ;;
    --output | -o)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.@(png|svg|pdf)' -- "$word"; compgen -d -- "$word")
        return ;;
    --stature | -s | --unit | -u | --size | --camera | -c | --zoom | -z | --pose | -p | --title)
        return ;;
    -t)
        [ "$command" != convert ] || mapfile -t COMPREPLY < <(compgen -W 'fig urdf bvh' -- "$word")
        return ;;
    esac
    local options=
    case $command in
    info) options='--json --variables --stature --format --help' ;;
    convert) options='--from --to --stature --unit --help' ;;
    render)
        options='--output --size --views --camera --zoom --ortho --pose --stature --labels --sites --limits --com
            --scale --no-shapes --no-joints --no-ground --dark --title --format --picture --help' ;;
    models) options='--folder --help' ;;
    help) options='info convert render models help --help' ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *)
        if [ "$command" = help ]; then
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        elif [ "$command" != models ]; then
            shopt -q extglob || shopt -s extglob
            mapfile -t COMPREPLY < <(compgen -f -X "!*.@($figures)" -- "$word"; compgen -d -- "$word"
                [ "$COMP_CWORD" -ne 2 ] || compgen -W "$(limber models 2>/dev/null | cut -d ' ' -f 1)" -- "$word")
        fi ;;
    esac
}
complete -o filenames -F _limber limber
