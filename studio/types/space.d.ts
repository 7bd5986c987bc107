// Words of space, for the whole of studio/: see math/vector.js.

/** Numbers to be read, of whatever list. */
type Numbers = ArrayLike<number>;
/** [x, y, z] */
type Vec = number[];
/** A rotation: the quaternion [x, y, z, w]. */
type Quat = number[];
/** A frame's matrix: twelve numbers, 3 x 4, row by row. */
type Matrix = ArrayLike<number>;
/** A position and a rotation. */
interface Frame {
    position: Vec;
    rotation: Quat;
}
/** A half-line in the view. */
interface Ray {
    from: Vec;
    direction: Vec;
}
