// What the parts of the view know of each other.

type Painter = import('../view/painter.js').Painter;
type Labels = import('../view/labels.js').Labels;
type Picker = import('../view/pick.js').Picker;
type Circle = ReturnType<typeof import('../document/limb.js').circleOf>;
type Limb = import('../document/limb.js').Limb;

/** The view, where it is known that it shows a scene. */
type ShownView = View & {scene: Scene; frame: PoseFrame};

/** A colour: [r, g, b, a], 0 to 1. */
type Rgba = number[];
type ColorName = import('../view/theme.js').ColorName;
type Theme = Record<ColorName, Rgba> & {isDark: boolean};

/** A place on the screen, in pixels. */
interface Spot {
    x: number;
    y: number;
}
/** From the world to the screen; null behind the camera. */
type Project = (point: Vec) => Spot | null;
/** A place of the page, as events have it. */
interface ClientPlace {
    clientX: number;
    clientY: number;
}

/** Where the camera is: view/camera.js. */
interface CameraState {
    target: Vec;
    distance: number;
    azimuth: number;
    elevation: number;
}
/** Unit vectors of the screen in the world. */
interface ScreenAxes {
    right: Vec;
    up: Vec;
    back: Vec;
}

/** What those who draw marks work with. */
interface Drawing {
    painter: Painter;
    labels: Labels;
    theme: Theme;
    scene: Scene;
    frame: PoseFrame;
    size: number;
    level: number;
    selection: Selected | null;
    settings: Settings;
    hoverGoal: string | null;
    picker: Picker;
    eye: Vec;
    axes: ScreenAxes;
    /** Metres of a pixel at a place. */
    pixel: (point: Vec) => number;
}

/** rank: smaller goes first where two would lie over each other. */
interface LabelLook {
    color?: Rgba;
    strong?: boolean;
    rank?: number;
    dx?: number;
    dy?: number;
}
type Label = LabelLook & {point: Vec; text: string; rank: number; dx: number; dy: number};

interface Ball {
    center: Vec;
    radius: number;
}
/** A ball in the frame of a segment (counted over all figures): what throws shadows. */
interface SegmentBall extends Ball {
    segment: number;
    figure: number;
}

/** A shape in the frame of its segment. */
interface PlacedShape {
    kind: string;
    frame: Matrix;
    size: Vec;
}
/** A shape that can be picked; index: its segment, counted over all figures. */
interface PickPart {
    figure: number;
    segment: number;
    index: number;
    kind: string;
    size: Vec;
    inverse: number[];
    center: Vec;
    reach: number;
}
/** What a ray meets, and how far along. */
interface Hit {
    figure: number;
    segment: number;
    point: Vec;
    t: number;
}

/** How figures are drawn: hidden ones not at all; bones: sticks instead of shapes; fineness: 1 and more. */
interface FigureLook {
    whole: number;
    fineness: number;
    tints: Rgba[];
    hidden: Set<number>;
    bones: boolean;
}
interface Stick {
    base: Vec;
    tip: Vec;
    length: number;
    radius: number;
}

/** A ghost as the view shows it; rank: of those that coincide the highest is seen. */
interface ShownGhost {
    matrices: Float64Array;
    alpha?: number;
    before?: boolean;
    color?: ColorName;
    tint?: Rgba;
    rank?: number;
}

/** A part that is held, by a point in its segment's frame. */
interface HeldPart {
    figure: number;
    segment: number;
    local: Vec;
}
/** A part with the place in the world where it is held. */
interface PlacedPart {
    figure: number;
    segment: number;
    point: Vec;
    local?: Vec;
}
/** A part that was picked at a place. */
type PickedPart = PlacedPart & HeldPart;

/** A goal that can be taken hold of; frames are in the world. */
interface GoalHandle {
    constraint: SceneConstraint;
    place: Vec;
    frame: number[];
    carrier: Matrix;
}
type GoalState = 'disabled' | 'idle' | 'met' | 'unmet';

/** What the gizmo is at: a constraint, a part, or many constraints. */
interface GizmoTarget {
    frame: number[];
    constraint?: SceneConstraint;
    part?: HeldPart;
    many?: SceneConstraint[];
}
/** A line of the gizmo, by which a handle is taken. */
interface Stroke {
    name: string;
    points: Vec[];
}
/** Where a handle goes as the pointer does: its new frame. */
type Follow = (ray: Ray) => number[];

/** Goals on their way: one that is held, or many by their ids. */
type GoalPreview = {constraint: SceneConstraint; goal: SceneGoal; goals?: undefined} | {goals: Map<number, SceneGoal>};

/** A hold that the pointer moves; only some have a chain, a frame or a place. */
type PointerHold = import('../view/holds.js').Hold & {
    move: (ray: Ray, event: PointerEvent) => unknown;
    changeChain?: () => unknown;
    at?: () => Vec;
    frame?: number[];
    turn?: boolean;
};

/** What a press has begun. */
interface PressMode {
    kind: 'pan' | 'orbit' | 'part' | 'goal' | 'gizmo';
    start: Spot;
    last: Spot;
    button: number;
    hasMoved: boolean;
    hasBegun?: boolean;
    isDone?: boolean;
    hold?: PointerHold | null;
    part?: PickedPart;
    constraint?: SceneConstraint;
    choice?: number;
}
/** What the place of a press says of it. */
type PressKind = Pick<PressMode, 'kind' | 'hold' | 'part' | 'constraint' | 'choice'>;

/** The middle of two fingers, and how far they are apart. */
interface Pinch extends Spot {
    spread: number;
}
/** Two fingers: nothing is held. */
interface PinchMode extends Pinch, Partial<Record<'hold' | 'part' | 'constraint' | 'choice' | 'hasMoved', undefined>> {
    kind: 'pinch';
    isDone?: boolean;
}
type PointerMode = PressMode | PinchMode;

/** The limb of the picked part, and the circle that its hinge can go round. */
interface Swivel {
    part: HeldPart;
    limb: Limb;
    circle: Circle;
}

/** What limits allow of a degree of freedom, and where it is. */
interface DofRange {
    value: number;
    lower: number;
    upper: number;
    isAngle: boolean;
    name: string;
}

/** The way of points through a motion. */
interface ShownTrails {
    trails: {name: string; points: (Vec | null)[]}[];
    times: number[];
}

/** A uniform of a shader. */
interface Uniform<T> {
    value: T;
}

/** What a figure looks like by its file: a character's skin, a robot's meshes. */
interface FigureSkin {
    group: import('three').Group;
    hasMesh: boolean;
    hasPosed: boolean;
    missing?: {uri: string; reason: string}[];
    update: (matrices: Float64Array) => void;
    balls: () => Ball[];
    pick: (from: Vec, direction: Vec) => Omit<Hit, 'figure'> | null;
    dispose: () => void;
}

/** An element of a robot's file; read: what an <include> led to. */
type XmlElement = import('limber/xml.js').XmlElement & {read?: XmlElement | null};
/** Attributes of an MJCF element, through its classes. */
type MjcfValues = Record<string, string | undefined>;

/** What an element of a robot's file shows: a mesh file by its uri, or a geometry. */
interface RobotPart {
    segment: string;
    matrix: import('three').Matrix4;
    color: import('three').Color | null;
    geometry?: import('three').BufferGeometry;
    uri?: string;
    scale?: number[];
    before?: import('three').Matrix4;
    isOverPainted?: boolean;
    isBackstage?: boolean;
}
/** What a mesh file holds of one colour. */
interface MeshPart {
    geometry: import('three').BufferGeometry;
    color: import('three').Color | null;
    triangles: number;
}

/** What of a glTF file's JSON the view reads. */
interface GltfJson {
    nodes?: GltfNode[];
    extensions?: {VRM?: {humanoid?: {humanBones?: unknown}}};
}
interface GltfNode {
    name?: string;
    children?: number[];
    matrix?: number[];
    translation?: Vec;
    rotation?: Quat;
    scale?: Vec;
}
