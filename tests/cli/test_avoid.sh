#!/bin/sh
# Keeping apart what has no shapes is no success: naming packages reads a robot's meshes, segments without a shape are named, and a
# figure without any is refused.
set -eu
# shellcheck source=tests/cli/cli.sh
. "$LIMBER_SOURCE_DIR/tests/cli/cli.sh"

# A tetrahedron with corners at the origin and at so much along each axis, as ASCII STL.
tetrahedron() {
    awk -v x="$1" -v y="$2" -v z="$3" 'function v(a, b, c) { print "vertex", a, b, c }
        function f() { print "facet normal 0 0 0\nouter loop" } function e() { print "endloop\nendfacet" }
        BEGIN { print "solid t"
            f(); v(0,0,0); v(0,y,0); v(x,0,0); e(); f(); v(0,0,0); v(x,0,0); v(0,0,z); e()
            f(); v(0,0,0); v(0,0,z); v(0,y,0); e(); f(); v(x,0,0); v(0,y,0); v(0,0,z); e()
            print "endsolid t" }'
}
mkdir -p ws/parts/meshes
tetrahedron 0.2 0.2 0.2 >ws/parts/meshes/block.stl
tetrahedron 0.02 0.02 0.3 >ws/parts/meshes/bar.stl
# robot FILE: a block, and two bars that fold down onto it; a tool that is a frame alone.
robot() {
    link() { printf '<link name="%s"><collision><geometry><mesh filename="package://parts/meshes/%s.stl"/></geometry></collision></link>\n' "$1" "$2"; }
    joint() { printf '<joint name="j%s" type="revolute"><parent link="%s"/><child link="%s"/><origin xyz="%s"/><axis xyz="0 1 0"/><limit lower="-3.1" upper="3.1" velocity="1" effort="1"/></joint>\n' "$1" "$2" "$3" "$4"; }
    {
        echo '<robot name="folder">'
        link block block
        link upper bar
        link lower bar
        echo '<link name="tool"/>'
        joint 1 block upper '0 0.03 0.4'
        joint 2 upper lower '0 0 0.3'
        echo '<joint name="j3" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0 0 0.3"/></joint>'
        echo '</robot>'
    } >"$1"
}
robot robot.urdf
into='tool at 0.05,0.03,0.05' # inside the block

# Without the meshes there is nothing to keep apart, and that is said.
run 1 solve robot.urdf -g "$into" --avoid self
has err.txt 'no segment of the figures has a solid shape' 'packages'
run 1 path robot.urdf --effector tool --line start 0.1,0,0.5 --avoid self
has err.txt 'no segment of the figures has a solid shape'
# With them the block is in the way, and the frame without a shape is named.
run 4 solve robot.urdf -g "$into" --avoid self --packages ws --restarts 5
has out.txt 'in the way' 'block'
has err.txt '1 of 4 segments of folder have no solid shape' ': tool'
lacks err.txt 'upper'
run 0 solve robot.urdf -g "$into" --packages ws # what is not asked for is not looked at
# One that was not found is named twice: that it is left out, and that nothing is kept clear of its link.
rm ws/parts/meshes/block.stl
run 0 solve robot.urdf -g "$into" --avoid self --packages ws --restarts 5
has err.txt 'mesh is left out' '2 of 4 segments of folder have no solid shape' ': block, tool'
# So it is for a problem file.
run 0 solve robot.urdf -g "$into" --avoid self --packages ws --restarts 5 --save problem.json
run 0 solve problem.json --packages ws --restarts 5
has err.txt ': block, tool'
run 1 solve problem.json
has err.txt 'no segment of the figures has a solid shape'
finish
