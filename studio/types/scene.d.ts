// What the Engine made of a document, as engine/engine.js has the contract: the scene, and frames of it.

interface Scene {
    title: string;
    variableCount: number;
    figures: SceneFigure[];
    constraints: SceneConstraint[];
    motion: SceneMotion | null;
}

interface SceneFigure {
    name: string;
    file: string;
    format: string;
    mass: number;
    stature: number;
    eyes: string[];
    root: {segment: number; site: number; isFree: boolean};
    body: {feet: string[]; isPosed: boolean} | null;
    segments: SceneSegment[];
    shapes: SceneShape[];
    sites: SceneSite[];
    joints: SceneJoint[];
    groups: SceneGroup[];
    variables: SceneVariable[];
    firstVariable: number;
    firstSegment: number;
    firstDof: number;
}

interface SceneSegment {
    name: string;
    parent: number;
    joint: number;
    mass: number;
    com: Vec;
}

interface SceneShape extends Frame {
    segment: number;
    kind: string;
    size: Vec;
    color: number;
}

interface SceneSite extends Frame {
    name: string;
    segment: number;
}

interface SceneElement {
    kind: string;
    axis: Vec;
}

interface SceneJoint {
    name: string;
    segmentA: number;
    segmentB: number;
    siteA: number;
    siteB: number;
    type: SceneElement[];
    isFrozen: boolean;
    swing: number[][];
    dofs: SceneDof[];
}

interface SceneDof {
    name: string;
    variable: number;
    driven: boolean;
    isAngle: boolean;
    axis: Vec;
    element: string;
    part: number;
    lower: number;
    upper: number;
    rest: number;
}

interface SceneParameter {
    name: string;
    variable: number;
    isAngle: boolean;
    lower: number;
    upper: number;
    rest: number;
}

interface SceneGroup {
    name: string;
    parameters: SceneParameter[];
    joints: string[];
}

interface SceneVariable {
    name: string;
    index: number;
    joint: string | null;
    group: string | null;
    isRoot: boolean;
    dof: number;
    isAngle: boolean;
    lower: number;
    upper: number;
    rest: number;
    rigidity: number;
}

interface SceneEffector {
    kind: 'frame' | 'com';
    segment: number;
    point: Vec;
    x: Vec;
    y: Vec;
}

interface SceneGoal {
    kind: string;
    outside: boolean;
    point: Vec;
    x: Vec;
    y: Vec;
    normal: Vec;
    rotation: Quat;
    size: Vec;
    degreesX: number;
    degreesY: number;
    faces: number[][];
    carrier: {figure: number; segment: number} | null;
}

/** Which of the document's lists a constraint comes from. */
type From = 'constraints' | 'keep' | 'balance' | 'avoid';

interface SceneConstraint {
    id: number;
    name: string;
    from: From;
    index: number;
    figure: number;
    segment: number;
    effector: SceneEffector;
    goal: SceneGoal;
    weight: number;
    priority: number;
    anyOf: number;
    chainStart: number;
    tolerance: Vec;
    toleranceAngle: number;
    disabled: boolean;
    radius: number;
    halfLength: number;
    isDragged?: boolean;
}

interface SceneMotion {
    kind: 'tracks' | 'script' | 'clip';
    name: string;
    figure?: number;
    end: number;
    frameTime: number;
    frameCount: number;
    lowest?: number; // of clips: how high the lowest segment is for most of the time
    tracks: Track[];
    carry?: DocMotion['carry'];
    lanes: {name: string; keys: number[]; from: number; to: number}[];
    contacts: {name: string; from: number; to: number}[];
    animations: string[];
}

/** The figures in one pose, and what came of it. */
interface PoseFrame {
    pose: Float64Array;
    matrices: Float64Array;
    dofs: Float64Array;
    com: (Vec | null)[];
    constraints: Reached[];
    limits: {name: string; upper: boolean; value: number; multiplier: number; variable: number}[];
    reasons: Reason[];
    freedom: Freedom | null;
    outcome: string;
    explanation: string;
    value: number;
    iterations: number;
    evaluations: number;
    time_us: number;
    settled?: boolean;
    drag: Dragged | null;
    stance: string;
    body: (BodyState | null)[] | null;
    trace?: {before: number; values: number[]; evaluationsAt: number[]; timesAt: number[]};
    time?: number;
    goals?: PlayedGoal[];
    scene?: Scene;
}

/** How far a constraint is from being met. */
interface Reached {
    id: number;
    name: string;
    index: number;
    met: boolean;
    counted: boolean;
    distance: number;
    angle: number;
    value: number;
    at: Vec;
    target: Vec | null;
}

interface Reason {
    kind: string;
    variable: number;
    figure: number;
    row: number;
    isUpper: boolean;
    constraint: number;
    give: number;
    gain: number;
    gainRad: number;
    share: number;
    reached: boolean;
    name: string | null;
}

interface Freedom {
    determinacy: string;
    variables: number;
    freedoms: number;
    equations: number;
    rank: number;
    redundancy: number;
}

interface Dragged {
    at: Vec;
    target: Vec;
    distance: number;
    angle: number;
    name: string;
}

interface BodyState {
    contacts: {name: string; kind: string; limb: number; stands: boolean; point: Vec; share: number | null}[];
    efforts: {name: string; share: number; segment: number}[];
    steps: {foot: string; distance: number}[];
    com: Vec;
    margin: number;
    overlap: number;
}

/** What tracks drive of a constraint at a time. */
interface PlayedGoal {
    name: string;
    position?: Vec;
    rotation?: Quat;
    weight?: number;
    enabled?: boolean;
}
