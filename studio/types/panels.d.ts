// What the panels hand each other, beyond the document, the scene and the frame.

/** One iteration of a method's run in a comparison: what the Engine tells of it meanwhile, some at a time. */
interface RunStep {
    index: number;
    label?: string;
    iteration?: number;
    value: number;
    evaluations: number;
    time_us: number;
}

/** A document's options of the solver; what they have is as lb_solve_options has it, by name. */
type SolveOptions = NonNullable<Doc['options']>;

/** A part of the list in the joints panel: a joint, a group, or a root, with its rows. */
interface JointSection {
    section: HTMLElement;
    rows: import('../panels/dof_row.js').DofRow[];
    text: string;
    figure: number;
    joints: Set<string>;
}

/** A pose of the library that was applied, from which pose, and to which variables; `merge` names its step. */
interface AppliedPose {
    pose: Pose;
    from: Record<string, number>;
    values: Record<string, number>;
    wanted: (name: string) => boolean;
    label: string;
    merge?: string;
    doc?: Doc;
}
