// What the timeline shows and does: timeline/lanes.js, auto_key.js, key_actions.js.

/** way: 'mixed' where keys differ. */
interface LaneKey {
    time: number;
    refs: KeyRef[];
    way: string;
}

/** kind: an interpolation, 'on', 'off', 'carried', 'contact', 'clip'; steps: frames of a clip. */
interface Span {
    from: number;
    to: number;
    kind: string;
    steps?: number;
}

interface Lane {
    id: string;
    label: string;
    what: string;
    depth: number;
    isGroup: boolean;
    isOpen: boolean;
    isReadOnly: boolean;
    tracks: Track[];
    keys: LaneKey[];
    spans: Span[];
}

/** What differs between two documents, as far as keys can hold it; pins: those that are new. */
interface Changes {
    pose: Record<string, number>;
    goals: string[];
    weights: string[];
    switches: string[];
    pins: string[];
    isEmpty?: boolean;
}

/** References to the keys that an edit made; false: it is none after all. */
type KeysMade = KeyRef[] | false;

/** Where the pointer is by now, and where it was when it was pressed. */
interface Pulled {
    event: PointerEvent;
    start: PointerEvent;
}

/** A key that can be added: what it is called, and what makes it in a draft. */
interface KeyChoice {
    id?: string;
    text: string;
    about?: string;
    run: (draft: Doc, time: number) => KeysMade;
}

/** A figure beside the one that is posed, faintly. */
interface Ghost {
    matrices: Float64Array;
    alpha: number;
    before: boolean;
}

interface TimelineSettings {
    autoKey: boolean;
    ghosts: number;
    ghostSpacing: number;
    fps: number;
    speed: number;
    isLooping: boolean;
    isSnapping: boolean;
}

/** A key on a lane. */
type KeyElement = HTMLElement & {laneKey: LaneKey};

type SymbolName = Parameters<typeof import('../timeline/symbols.js').symbol>[0];
