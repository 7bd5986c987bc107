# Completion of limber for fish: installed as share/fish/vendor_completions.d/limber.fish.
function __limber_models
    limber models 2>/dev/null | string replace -r '^(\S+)\s+(.*)' '$1\t$2'
end
function __limber_uses
    __fish_seen_subcommand_from $argv
end

complete -c limber -n __fish_use_subcommand -f -a info -d 'what a figure is made of'
complete -c limber -n __fish_use_subcommand -f -a convert -d 'write a figure in another format'
complete -c limber -n __fish_use_subcommand -f -a render -d 'draw a figure as PNG, SVG or PDF'
complete -c limber -n __fish_use_subcommand -f -a models -d 'list the figures that come with Limber'
complete -c limber -n __fish_use_subcommand -f -a help -d 'explain Limber, or one command'
complete -c limber -n __fish_use_subcommand -f -l version -d 'the version'
complete -c limber -f -s h -l help -d 'help'

complete -c limber -n '__limber_uses info convert render' -a '(__limber_models)'
complete -c limber -n '__limber_uses info' -s j -l json -d 'for programs'
complete -c limber -n '__limber_uses info' -s v -l variables -d 'list the variables too'
complete -c limber -n '__limber_uses info convert render' -x -s s -l stature -d 'scale to this stature'
complete -c limber -n '__limber_uses info render' -x -s f -l format -a 'fig urdf mjcf bvh' -d 'read as'

complete -c limber -n '__limber_uses convert' -x -s f -l from -a 'fig urdf mjcf bvh' -d 'read as'
complete -c limber -n '__limber_uses convert' -x -s t -l to -a 'fig urdf bvh' -d 'write as'
complete -c limber -n '__limber_uses convert' -x -s u -l unit -d 'length unit of BVH'

complete -c limber -n '__limber_uses render' -r -s o -l output -d 'the picture'
complete -c limber -n '__limber_uses render' -x -l size -d 'pixels, as in 800x600'
complete -c limber -n '__limber_uses render' -x -l views -a 'three-quarter front side top back' -d 'one to four views'
complete -c limber -n '__limber_uses render' -x -s c -l camera -d 'azimuth and elevation'
complete -c limber -n '__limber_uses render' -x -s z -l zoom -d 'enlarge'
complete -c limber -n '__limber_uses render' -l ortho -d 'without perspective'
complete -c limber -n '__limber_uses render' -x -s p -l pose -d 'variables that differ from rest'
complete -c limber -n '__limber_uses render' -s l -l labels -d 'names of joints'
complete -c limber -n '__limber_uses render' -l sites -d 'sites'
complete -c limber -n '__limber_uses render' -l limits -d 'what the joints may do'
complete -c limber -n '__limber_uses render' -l com -d 'the centre of mass'
complete -c limber -n '__limber_uses render' -l scale -d 'a scale bar'
complete -c limber -n '__limber_uses render' -l no-shapes -d 'sticks instead of shapes'
complete -c limber -n '__limber_uses render' -l no-joints -d 'no dots at the joints'
complete -c limber -n '__limber_uses render' -l no-ground -d 'no ground, grid and shadow'
complete -c limber -n '__limber_uses render' -l dark -d 'a dark background'
complete -c limber -n '__limber_uses render' -x -s t -l title -d 'a heading'
complete -c limber -n '__limber_uses render' -x -l picture -a 'png svg pdf' -d 'write as'

complete -c limber -n '__limber_uses models' -l folder -d 'print their folder'
complete -c limber -n '__limber_uses help' -f -a 'info convert render models help'
