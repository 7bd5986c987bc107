// What the parts of the Engine know of each other.

type Limber = Awaited<ReturnType<typeof import('limber').load>>;
type World = import('../engine/world.js').World;
type Session = import('../engine/session.js').Session;
type Task = import('../engine/slices.js').Task;
type LimberFigure = import('limber').Figure;
type LimberProblem = import('limber').Problem;
type LimberKinematics = import('limber').Kinematics;
type LimberClip = import('limber').Clip;
type LimberScript = import('limber').Script;
type LimberWarning = import('limber').LimberError;
type LimberOptions = import('limber/solver.js').SolveOptions;
type SolveResult = import('limber/solver.js').Result;
type DragState = import('limber/drag.js').DragState;
type Show = import('../engine/performance.js').Tracks | import('../engine/performance.js').ClipShow
    | import('../engine/performance.js').ScriptShow;

type Pull = import('../engine/pull.js').Pull;
type Opening = import('../engine/opening.js').Opening;
type FileTable = import('../engine/files.js').FileTable;

/** The world of a document; those of a script's stages have none. */
type DocWorld = World & {doc: Doc; file: import('limber').ProblemFile};

/** A problem file as it was read: any, as it may be spelled in many ways. */
type RawDoc = Record<string, any>;

/** What a World is made of. */
interface WorldParts {
    doc?: Doc | null;
    file?: import('limber').ProblemFile | null;
    problem: LimberProblem;
    start: Numbers;
    names: string[];
    options?: LimberOptions;
    motion?: import('limber').Motion | null;
}

/** Where in the document a constraint comes from. */
interface Source {
    name: string | undefined;
    from: From;
    index: number;
}

/** A constraint as Problem.constraints() gives it: nothing is left out. */
type WholeConstraint = Required<Omit<import('limber/problem.js').AddedConstraint, 'goal'>> & {goal: WholeGoal};
type LimberGoal = import('limber/problem.js').Goal;
interface WholeGoal extends Required<Omit<LimberGoal, 'carrierSegment' | 'faces'>> {
    carrierSegment: number;
    faces?: number[][];
}

/** A site, or (site -1) the own frame of a segment. */
interface Place {
    figure: number;
    segment: number;
    site: number;
}

/** What frameOf() reads of a solve's result; an evaluation is one, too. */
type Found = Omit<SolveResult, 'outcome' | 'measures'> & {outcome: string};

/** What a frame has beside what comes of its pose; goals: where some are elsewhere than the scene has them, by id. */
interface FrameMore extends Partial<Omit<PoseFrame, 'goals'>> {
    goals?: Map<number, SceneGoal> | null;
}

/** A dof of a joint, or a parameter of a group. */
type DofRef = import('limber/figure.js').DofRef;

/** What moves a segment: chainOf() in engine/body.js. */
interface Link {
    name: string;
    kind: 'joint' | 'group' | 'root';
    variables: number[];
}

/** What is pulled: engine/pull.js. Without ids a part, else the goal of these constraints. */
interface PullSubject {
    name: string;
    ids: number[];
    figure: number;
    segment: number;
    point: Vec;
    isChained?: boolean;
    move: (frame: Frame) => void;
    goals?: (frame: Frame) => Map<number, SceneGoal>;
}

/** How far what is pulled is from its target. */
interface Miss {
    distance: number;
    angle: number;
}

/** What becomes of a foot that was pulled and is let go. */
interface Landing {
    figure: number;
    foot: string;
    isUp: boolean;
}

/** What plays, at a time; stage: of a script's. */
interface Shot {
    world: World;
    pose: Float64Array;
    result: SolveResult | null;
    goals: PlayedGoal[];
    stage?: number;
}

/** The clip of a motion file: engine/stage.js. */
interface ClipSource {
    figure: LimberFigure;
    clip: LimberClip;
    name: string;
    animations: string[];
    free: () => void;
}

/** How far something long has come. */
interface Progress {
    done: number;
    count: number;
    fraction: number;
}
type OnProgress = (progress: Progress) => void;

interface Opened {
    doc: Doc;
    scene: Scene;
    frame: PoseFrame;
    warnings?: Warning[];
}

/** What came of a drag. */
interface Released {
    start: Record<string, number>;
    doc: Doc;
    frame: PoseFrame;
}

/** What a comparison can run. */
interface Method {
    label: string;
    method: NonNullable<LimberOptions['method']>;
    jacobian?: LimberOptions['jacobian'];
}

/** What is heard of an iteration of one of its runs. */
interface RunProgress {
    index: number;
    label: string;
    iteration: number;
    value: number;
    evaluations: number;
    time_us: number;
}

/** One method's run of a comparison: what has been heard of it so far, and, once it is over, what came of it. */
interface Run {
    label: string;
    method?: string;
    jacobian?: string;
    values: number[];
    evaluationsAt: number[];
    timesAt: number[];
    outcome?: string;
    value?: number;
    valueBefore?: number;
    pose?: Float64Array;
    iterations?: number;
    evaluations?: number;
    time_us?: number;
    explanation?: string;
    error?: string;
}

/** What a reach is asked for: a point of a segment; chain: how many links may move; pins: what is pinned stays. */
interface ReachWanted {
    figure?: number;
    segment: number;
    point: Vec;
    chain?: number;
    pins?: boolean;
    seed?: number;
}

/** A part, by a segment's number or name, a site's name, or as an effector. */
interface PartWanted {
    segment?: number | string;
    site?: string;
    effector?: DocEffector;
}

/** A grid around what may be within reach: engine/envelope.js. */
interface Grid {
    step: number;
    size: number[];
    low: Vec;
    strides: number[];
}

/** What is written, and what plays in it. */
interface ExportStage {
    limber: Limber;
    world: DocWorld;
    show: Show | null;
}
type Warn = (warning: {message: string; file?: string; line?: number}) => void;

/** What closed forms are asked for. */
interface ClosedWanted {
    figure: number;
    effector: SceneEffector;
    chainStart?: number;
    isPosition: boolean;
    goal: Frame;
}

/** All that closed forms find for a goal. */
interface Solved {
    count: number;
    allCount: number;
    explanation: string;
    kind: string;
    figure: number;
    variables: number[];
    list: {pose: Float64Array; matrices: Float64Array; isSingular: boolean}[];
}

/** What the Engine answers, by its methods: engine/engine.js has the contract. */
interface EngineAnswers {
    open: Opened;
    set: {scene: Scene; frame: PoseFrame};
    pose: PoseFrame;
    solve: PoseFrame;
    dragBegin: PoseFrame;
    dragMove: PoseFrame;
    dragEnd: Released;
    goalMove: PoseFrame;
    goalEnd: Released;
    moveGoals: {doc: Doc; scene: Scene; frame: PoseFrame};
    swivel: PoseFrame & {swivel: {angle: number; isThere: boolean; turned: number; name: string}};
    play: PoseFrame;
    bake: {times: Float64Array; poses: Float64Array; frameTime: number};
    retarget: Opened;
    compare: {runs: Run[]};
    reach: Omit<ReachCloud, 'figure' | 'site'>;
    solutions: Solved;
    mirror: {values: Float64Array};
    support: {sites: string[]};
    manner: {doc: Doc};
    chain: {chain: string[]};
    reroot: Opened;
    export: {name: string; bytes: Uint8Array; warnings: Warning[]};
    cancel: {};
}

type EngineMethod = keyof EngineAnswers;

/** any: each method has arguments and progress of its own. */
type EngineContract = {[K in EngineMethod]: (wanted: any, onProgress?: any) => Promise<EngineAnswers[K]>};
