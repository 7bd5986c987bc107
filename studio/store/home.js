// Where a Studio lives: a page of its own, or an element's shadow root. Whoever looks for an element by its id, listens
// beyond his own elements, or asks how wide things are, asks here; so several Studios can share a document, and one
// that is taken out leaves no listener behind.

/** @typedef {{matches: boolean}} Size */

/** What all homes can do. */
class Home {
    /**
     * @param {Document|ShadowRoot} root where ids are looked up
     * @param {HTMLElement} frame what stands for the body: the grid of bar, view and panels
     * @param {HTMLElement} themed what says data-theme
     */
    constructor(root, frame, themed) {
        this.root = root;
        this.frame = frame;
        this.themed = themed;
        this.ending = new AbortController();
        /** Without bar and panels; a picture to look at. */
        this.isBare = false;
        this.isReadOnly = false;
    }

    /** The element with an id. @returns {any} */
    $(/** @type {string} */ id) {
        return this.root.getElementById(id);
    }

    /** Listens until the Studio ends. */
    listen(/** @type {EventTarget} */ target, /** @type {string} */ type, /** @type {(event: any) => void} */ fn,
        options = {}) {
        target.addEventListener(type, fn, {...options, signal: this.ending.signal});
    }

    /** Calls fn when a media feature changes. */
    onMedia(/** @type {string} */ query, /** @type {() => void} */ fn) {
        this.listen(globalThis.matchMedia(query), 'change', fn);
    }

    end() {
        this.ending.abort();
    }
}

/** A page that is the Studio and nothing else. */
export class PageHome extends Home {
    constructor() {
        super(document, document.body, document.documentElement);
        this.isPage = true;
        /** Keys and dropped files are its own wherever they go. @type {EventTarget} */
        this.reach = document;
    }

    /** Whether the page has a size: `(max-width: 600px), (max-height: 500px)`. */
    isSize(/** @type {string} */ query) {
        return globalThis.matchMedia(query).matches;
    }

    onSize(/** @type {string} */ query, /** @type {() => void} */ fn) {
        this.onMedia(query, fn);
    }
}

/** Whether a list of sizes, as media queries write them, is met by a box. */
export function isOfSize(/** @type {string} */ query, /** @type {{width: number, height: number}} */ box) {
    return query.split(',').some((all) => all.split(' and ').every((one) => {
        const said = /\((min|max)-(width|height): ([\d.]+)px\)/.exec(one);
        if (!said) throw new Error(`"${one}" is no size`);
        const value = box[/** @type {'width'|'height'} */ (said[2])], bound = Number(said[3]);
        return said[1] === 'min' ? value >= bound : value <= bound;
    }));
}

/** A part of somebody's page: sizes are those of the element, keys those that are pressed in it. */
export class ElementHome extends Home {
    /** @param {ShadowRoot} root @param {HTMLElement} frame */
    constructor(root, frame) {
        super(root, frame, frame);
        this.isPage = false;
        this.reach = frame;
        this.sizes = new Map(); // query -> {was, fns}
        this.observer = new ResizeObserver(() => this.resized());
        this.host = root.host;
        this.observer.observe(this.host);
    }

    isSize(/** @type {string} */ query) {
        const {clientWidth: width, clientHeight: height} = this.host;
        return isOfSize(query, {width, height});
    }

    onSize(/** @type {string} */ query, /** @type {() => void} */ fn) {
        const known = this.sizes.get(query) ?? {was: this.isSize(query), fns: []};
        known.fns.push(fn);
        this.sizes.set(query, known);
    }

    resized() {
        for (const [query, known] of this.sizes) {
            const is = this.isSize(query);
            if (is === known.was) continue;
            known.was = is;
            for (const fn of known.fns) fn();
        }
    }

    end() {
        super.end();
        this.observer.disconnect();
    }
}
