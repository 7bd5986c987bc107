# Completion of limber for bash: installed as share/bash-completion/completions/limber, or sourced from ~/.bashrc.
_limber() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local figures='fig|urdf|xacro|mjcf|xml|bvh|glb|gltf|vrm'
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'info solve batch render play retarget learn convert compare path reach studio models help --help --version' -- "$word")
        return
    fi
    case $before in
    --format | --from | -f)
        mapfile -t COMPREPLY < <(compgen -W 'fig urdf mjcf bvh gltf' -- "$word")
        return ;;
    --to)
        mapfile -t COMPREPLY < <(compgen -W 'fig urdf bvh gltf' -- "$word")
        return ;;
    --picture)
        mapfile -t COMPREPLY < <(compgen -W 'png svg pdf' -- "$word")
        return ;;
    --views)
        mapfile -t COMPREPLY < <(compgen -W 'three-quarter front side top back front,side front,side,top' -- "$word")
        return ;;
    --method | -m)
        mapfile -t COMPREPLY < <(compgen -W 'lm bfgs ccd jacobian fabrik closed hierarchy' -- "$word")
        return ;;
    --bfgs-update)
        mapfile -t COMPREPLY < <(compgen -W 'switch bfgs dfp' -- "$word")
        return ;;
    --ccd)
        mapfile -t COMPREPLY < <(compgen -W 'dof axis' -- "$word")
        return ;;
    --save | --trace | --habit)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return ;;
    --goal | --goals | -g | --keep | -k | --start | --rigidity | --active | --inactive | --posture | --stay | --wish-level | --load | --surface | --obstacle | --swivel | --support | --floor | --preferred | --restarts | -r | --seed | \
        --iterations | -i | --deadline | -d | --answers | -n | --apart | --threads)
        return ;;
    --table)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.csv' -- "$word"; compgen -d -- "$word")
        return ;;
    --share | --chunk | --ignore)
        return ;;
    --batch | -b)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.csv' -- "$word"; compgen -d -- "$word")
        return ;;
    --folder)
        [ "$command" != studio ] || mapfile -t COMPREPLY < <(compgen -d -- "$word")
        return ;;
    --port)
        return ;;
    --output | -o)
        if [ "$command" = studio ]; then
            return # -o: open
        fi
        if [ "$command" = compare ]; then
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
        elif [ "$command" = batch ]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(csv|h5|hdf5)' -- "$word"; compgen -d -- "$word")
            return
        elif [ "$command" = solve ]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(json|csv)' -- "$word"; compgen -d -- "$word")
            return
        fi
        mapfile -t COMPREPLY < <(compgen -f -X '!*.@(png|svg|pdf)' -- "$word"; compgen -d -- "$word")
        return ;;
    --png)
        mapfile -t COMPREPLY < <(compgen -f -X '!*.@(png|svg|pdf)' -- "$word"; compgen -d -- "$word")
        return ;;
    --foot)
        mapfile -t COMPREPLY < <(compgen -W 'left=auto left=planted left=step left=lifted right=auto right=planted right=step right=lifted' -- "$word")
        return ;;
    --body)
        mapfile -t COMPREPLY < <(compgen -W 'posture= comfort= effort= hang= head= look= feet= habit= balance=off above_floor=off apart=off eyes=off' -- "$word")
        return ;;
    -c)
        [ "$command" = solve ] || return
        ;;
    --stature | -s | --unit | -u | --size | --camera | --zoom | -z | --pose | -p | --animation | --title)
        return ;;
    -t)
        [ "$command" != convert ] || mapfile -t COMPREPLY < <(compgen -W 'fig urdf bvh gltf' -- "$word")
        return ;;
    esac
    local options=
    case $command in
    info) options='--json --variables --sites --pose --stature --root --packages --stand --base --unit --limits --anatomical --format --help' ;;
    solve)
        figures='json|fig|urdf|xacro|mjcf|xml|bvh|glb|gltf|vrm'
        options='--goal --keep --start --rigidity --active --inactive --posture --stay --middle --manipulability --wish-level
            --plain --limits --unit --load --foot --surface --obstacle --swivel --support --body --floor --habit --stature --root --packages --stand --base --avoid --srdf --method --bfgs-update
            --ccd --preferred --restarts --seed
            --iterations --deadline --answers --apart --batch --threads --compare --why --all --output --json --csv --save --png --trace --quiet --force --help' ;;
    batch)
        figures='json|fig|urdf|xacro|mjcf|xml|bvh|glb|gltf|vrm'
        options='--table --output --resume --force --threads --share --chunk --ignore --goal --keep --start --rigidity
            --active --inactive --posture --stay --plain --foot --stature --method --restarts --seed --iterations
            --quiet --help' ;;
    compare) options='--output --goals --help' ;;
    path)
        options='--line --points --effector --start --from-start --speed --turn-speed --share --period --corner --ways --avoid --srdf --plain --packages --output
            --fps --size --camera --zoom --dark --root --format --json --force --help' ;;
    convert) options='--from --to --stature --root --packages --stand --base --unit --up --pose --animation --anatomical --force --help' ;;
    render)
        options='--output --size --views --camera --zoom --ortho --pose --stature --root --packages --stand --base --unit --anatomical --labels --sites --limits
            --com --scale --no-shapes --no-joints --no-ground --dark --title --format --at --picture --force --help' ;;
    play)
        options='--output --fps --from --until --to --figure --size --camera --zoom --dark --unit --up --animation --format --allow-short --quiet --force --help' ;;
    retarget)
        options='--to --output --fps --from --until --rate --map --save-map --no-feet --no-apart --packages --smooth --no-smooth --limits --anatomical --unit --up --animation
            --format --size --camera --zoom --dark --quiet --force --help' ;;
    learn)
        figures='bvh|glb|gltf|csv'
        options='--output --figure --unit --starts --source --credit --quiet --force --help' ;;
    reach)
        figures='fig|urdf|xacro|mjcf|xml|bvh|glb|gltf|vrm|h5'
        options='--site --box --sphere --points --spacing --orientations --axis --with --gap --starts --seed
            --tolerance --no-proof --pose-out --effort --start --seat --load --foot --surface --obstacle --swivel
            --support --body --floor --avoid --srdf --habit --stature --threads --resume --force --output --at --csv --frames
            --headings --height --count --quiet --help' ;;
    studio)
        figures='json|scefo|fig|urdf|xacro|mjcf|xml|bvh|glb|gltf|vrm'
        options='--port --open --packages --idle --folder --quiet --help' ;;
    models) options='--folder --help' ;;
    help) options='info solve batch render play retarget learn convert compare path reach studio models help --help' ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *)
        if [ "$command" = help ]; then
            mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        elif [ "$command" != models ] && [ "$command" != compare ]; then
            shopt -q extglob || shopt -s extglob
            mapfile -t COMPREPLY < <(compgen -f -X "!*.@($figures)" -- "$word"; compgen -d -- "$word"
                [ "$COMP_CWORD" -ne 2 ] || compgen -W "$(limber models 2>/dev/null | cut -d ' ' -f 1)" -- "$word")
        fi ;;
    esac
}
complete -o filenames -F _limber limber
