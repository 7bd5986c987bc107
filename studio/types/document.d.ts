// The document: a problem file (docs/problem-files.md) as the page keeps it, in one spelling.

/** A number in SI, or a text with a unit: "90deg". */
type Measure = number | string;

interface Doc {
    title?: string;
    description?: string;
    source?: string;
    figures: DocFigure[];
    body?: DocBody;
    limits?: string;
    stand?: boolean;
    start: Record<string, number>;
    constraints: DocConstraint[];
    keep?: (string | DocKeep)[];
    balance?: DocBalance[];
    avoid?: DocAvoid[];
    wishes?: Record<string, any>; // of the many wishes each has values of its own: panels/wishes.js
    active?: string[];
    inactive?: string[];
    rigidity?: Record<string, number>;
    options?: Record<string, any>; // as lb_solve_options, by names: panels/method.js
    motion?: DocMotion;
    habit?: unknown;
    picture?: unknown;
}

interface DocFigure {
    file: string;
    name?: string;
    at?: Measure[];
    turn?: Measure;
    rpy?: Measure[];
    quaternion?: number[];
    stature?: Measure;
    root?: string;
    free?: boolean;
    stand?: boolean;
    body?: DocBody;
    limits?: string;
}

interface DocBody {
    foot?: Record<string, string>;
    load?: {segment?: string; site?: string; mass: Measure; [key: string]: any}[];
    [key: string]: any; // docs/body.md has the rest, which the page hands on
}

/** A site's or segment's name, 'com', or a place in one. */
type DocEffector = string | {segment?: string; site?: string; point?: Measure[]; x?: Measure[]; y?: Measure[]};

interface DocGoal {
    kind: string;
    point?: Measure[];
    to?: Measure[];
    rpy?: Measure[];
    quaternion?: Measure[];
    x?: Measure[];
    y?: Measure[];
    normal?: Measure[];
    direction?: Measure[];
    half_size?: Measure[];
    radius?: Measure;
    faces?: Measure[][];
    outside?: boolean;
    position_weight?: number;
    degrees_per_metre?: number | number[];
    relative_to?: string | {segment: string};
}

/** What constraints, keep, balance and avoid have in common. */
interface DocManner {
    weight?: number;
    priority?: number;
    tolerance?: Measure | Measure[];
    tolerance_angle?: Measure;
    disabled?: boolean;
}

interface DocConstraint extends DocManner {
    name: string;
    effector: DocEffector;
    goal: DocGoal;
    any_of?: string | number;
    from?: string;
    radius?: Measure;
    half_length?: Measure;
}

interface DocKeep extends DocManner {
    name?: string;
    site: string;
    what?: string;
}

interface DocBalance extends DocManner {
    support: (string | number[])[];
    margin?: Measure;
    figure?: string | number;
}

interface DocAvoid extends DocManner {
    segments: string | string[];
    obstacle?: DocGoal;
    others?: string | string[];
    margin?: Measure;
}

interface DocMotion {
    tracks?: Track[];
    carry?: {from?: Measure; to?: Measure; [key: string]: any}[]; // which the page shows and hands on
}

/** What a track can be of. */
type Target = 'variable' | 'joint' | 'root' | 'goal' | 'weight' | 'enabled' | 'active' | 'limits';

/** A track: one of the targets has the name of what it is of. */
interface Track extends Partial<Record<Target, string>> {
    ends?: string;
    keys: Key[];
}

interface Key {
    time: number;
    value?: Measure | Measure[];
    point?: Measure[];
    rpy?: Measure[];
    quaternion?: number[];
    interpolation?: string;
}

/** A key by its track's id and its time. */
interface KeyRef {
    track: string;
    time: number;
}

/** What a key of a goal's track holds. */
interface KeyPlace {
    point: number[];
    quaternion: number[];
}

/** What an entry for numbers measures: a bare number is metres, millimetres, degrees, or itself. */
type Measured = 'length' | 'mm' | 'angle' | 'plain';
