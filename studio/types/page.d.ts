// What the parts of the page know of each other.

type Store = import('../store/store.js').Store;
type Client = import('../store/client.js').Client;
type View = import('../view/view.js').View;
type Timeline = import('../timeline/timeline.js').Timeline;

/** A file that was opened. */
interface OpenFile {
    name: string;
    bytes: Uint8Array;
    xml?: unknown; // the tree by readXml() of the package
    isMesh?: boolean; // to be looked at only
}

/** What is chosen: a part of a figure, or a constraint. */
interface Selected {
    kind: 'segment' | 'site' | 'joint' | 'constraint';
    figure: number;
    name: string;
}

/** A part of a figure, and where it was picked. */
interface Part {
    figure: number;
    segment: number;
    point?: Vec;
    local?: Vec;
}

/** What the pointer picked last; figure null: a point of the ground. */
interface Picked {
    figure: number | null;
    segment?: string;
    point: Vec | null;
    local?: Vec;
}

interface Settings {
    theme: 'system' | 'light' | 'dark';
    begin: 'scene' | 'human';
    tool: string;
    chain: number;
    tab: string;
    sideOpen: boolean;
    drawerOpen: boolean;
    timelineOpen: boolean;
    slideThenSolve: boolean;
    show: Record<string, boolean>; // change() takes some of them
}

interface Message {
    id: number;
    kind: 'error' | 'warning' | 'info';
    text: string;
    file: string | null;
    line: number;
    list: Warning[] | null;
    action: {text: string; run: () => unknown} | null;
}

interface Warning {
    message: string;
    file: string;
    line: number;
}

/** What is under way. */
interface Running {
    label: string;
    progress: number | null;
    cancel: (() => void) | null;
}

/** What the goals panel lists: document/entries.js. */
interface Entry {
    from: From;
    index: number;
    key: string;
    value: any; // a DocConstraint, DocKeep, DocBalance or DocAvoid, as `from` says, or a bare name in keep
    name: string;
    title?: string;
    constraints: SceneConstraint[];
}

/** Where a part may be taken hold of: what a menu offers. */
interface PartChoice extends Part {
    name: string;
    site?: SceneSite | null;
}

type Home = import('../store/home.js').PageHome | import('../store/home.js').ElementHome;

/** A step of the history. */
interface Step {
    label: string;
    doc: Doc;
}

/** The places that a part can go to: Engine.reach, and of which part. */
interface ReachCloud {
    figure: number;
    site: string;
    points: Float32Array;
    center: Vec;
    radius: number;
    envelope: {positions: Float32Array; index: Uint32Array} | null;
}

/**
 * merge: edits in a row with the same word are one step; join: this one belongs to the step before it; files: what the
 * document names anew.
 */
interface EditOptions {
    solve?: boolean;
    merge?: string | null;
    join?: boolean;
    files?: OpenFile[];
}

/** What the store tells of, and with what. */
interface StoreEvents {
    doc: Doc;
    scene: Scene;
    frame: PoseFrame;
    selection: Selected | null;
    picked: Picked | null;
    settings: Settings;
    message: Message | null;
    busy: Set<Running>;
    history: void;
    reach: ReachCloud | null;
    opened: {doc: Doc; scene: Scene};
    menu: {x: number; y: number; picked: Picked | null};
    hold: string;
    choice: {index: number; isTaken: boolean};
    drawn: void;
    meshes: void;
    'key-add': void;
    'play-toggle': void;
    'play-step': number;
    'trail-toggle': void;
    trails: void;
}

/** Of store/client.js: who waits for an answer, and calls of which only the newest counts. */
interface Waiter {
    resolve: (value: any) => void; // any: each method has its answer
    reject: (error: unknown) => void;
}
interface Latest {
    underWay: number;
    next: {args: EngineArgs; waiters: Waiter[]} | null;
}
/** What a method of the Engine is asked with: engine/engine.js has the contract. */
type EngineArgs = Record<string, any>;
interface CallOptions {
    transfer?: Transferable[];
    onProgress?: ((progress: any) => void) | null; // any: each method has its own
}

/** An end-effector that a picked part offers: document/effectors.js. */
interface EffectorChoice {
    label: string;
    effector: DocEffector;
    at: Frame;
    site?: SceneSite;
}

/** What the page itself can do, for bar and keys: mount.js. */
interface Shell {
    view: View | null;
    help: () => unknown;
    link: () => unknown;
    hints: () => unknown;
}

interface ReadyPose {
    name: string;
    body: DocBody;
    constraints: any[]; // as poses/poses.json has them: goals whose points are of a human of 1.75 m
}

/** What main.js leaves for tests, and for who looks from a console. */
declare var studio: any;
/** What bench/bench.js leaves for who measures: its numbers once it is done, or what went wrong. */
interface Window {
    benchmark?: object;
}
/** What build.mjs puts into the service worker. */
declare var STUDIO_VERSION: string;
declare var STUDIO_FILES: [path: string, digest: string][];
/** Where a browser has trusted types. */
declare var trustedTypes: {createPolicy: (name: string, rules: ScriptRules) => ScriptRules} | undefined;
/** What a policy allows; of the browser's own an address is no string, but goes where one would. */
interface ScriptRules {
    createScriptURL: (url: string) => string;
}

/** What index.json lists of the models that come with the page; and of the problems and motions. */
interface ShippedModel {
    name: string;
    about: string;
    variables: number;
}
interface ShippedProblem {
    file: string;
    files?: string[];
    title: string;
    about?: string;
}

/** A named pose of the library. */
type Pose = import('../poses/pose_library.js').Pose;
