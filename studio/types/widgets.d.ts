// What widgets/ makes elements of.

/** A handler; target is any: whoever makes the element knows which it is. */
type On<E extends Event> = (event: E & {target: any; currentTarget: any}) => unknown;

/** Of an element that h() makes: handlers, and attributes by name; null and false are left out. */
interface Properties {
    class?: string | null;
    dataset?: Record<string, any>; // as attributes
    onclick?: On<MouseEvent> | null;
    ondblclick?: On<MouseEvent>;
    oncontextmenu?: On<MouseEvent>;
    oninput?: On<Event>;
    onchange?: On<Event>;
    ontoggle?: On<Event>;
    onsubmit?: On<SubmitEvent>;
    onfocus?: On<FocusEvent>;
    onblur?: On<FocusEvent>;
    onkeydown?: On<KeyboardEvent>;
    onpointerdown?: On<PointerEvent>;
    onpointermove?: On<PointerEvent>;
    onpointerup?: On<PointerEvent>;
    onpointerenter?: On<PointerEvent>;
    onpointerleave?: On<PointerEvent>;
    [attribute: string]: any; // whatever an attribute may be: it is written as text
}

/** What goes into an element; nothing is left out. */
type Child = Node | string | number | null | undefined | false | '' | Child[];

/** An entry of a menu, or a heading, or a rule. */
interface MenuItem {
    text?: string;
    about?: string | null;
    icon?: string | null;
    key?: string | null;
    run?: (...args: any[]) => unknown; // who asks for the menu knows with what it is run
    disabled?: boolean;
    checked?: boolean;
    isSwitch?: boolean;
    goal?: string;
    command?: string;
    heading?: string;
    rule?: boolean;
}

/** Where a menu opens: at its button, or at a point of the window in a Studio. */
type MenuPlace = HTMLElement | {x: number; y: number; root: Document | ShadowRoot};

/** A button that opens a menu. */
type MenuButton = HTMLElement & {menuItems?: () => MenuItem[] | Promise<MenuItem[]>};

interface NumberOptions {
    value: number | null | undefined;
    kind?: Measured;
    label: string;
    key: string;
    onset: (value: any) => unknown; // a number; null where `empty` allows it
    min?: number;
    max?: number;
    step?: number | null;
    whole?: boolean;
    empty?: boolean;
}

/** A row of a form: its entry changes one thing of the document's object. */
interface Row {
    title: string;
    label?: string;
    key: string;
    value?: any; // what the entry shows: a number, three, a text, names
    kind?: Measured;
    unit?: string | null;
    min?: number;
    max?: number;
    step?: number;
    whole?: boolean;
    names?: string[];
    list?: string[] | null;
    placeholder?: string;
    options?: string[][];
    apply?: (object: any, value: any) => unknown; // the object of the document that the form is of
    onset?: (value: any) => unknown;
}

type Form = import('../widgets/form.js').Form;
/**
 * Of a change of a goal, the change of the entry that has it. Any: a value is what the row's entry gives; an entry, a
 * constraint or what is avoided.
 */
type OnGoal = (apply: (goal: DocGoal, value: any) => unknown) => (entry: any, value: any) => unknown;
/** Makes the row of one of a goal's fields. */
type RowMaker = (title: string, key: string, more?: Partial<Row>) => Row;

/** Of one variable of the pose: panels/dof_row.js. */
interface DofRowOptions {
    store: Store;
    slide: import('../actions/slide.js').Slide;
    variable: SceneVariable;
    name: string;
    label: string;
    figure: number;
    isLocked: boolean;
    rigidity: number;
    openRows: Set<string>;
    rebuild: () => unknown;
}
