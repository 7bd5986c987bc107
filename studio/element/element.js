// <limber-studio>: the Studio as an element of anybody's page.
//
//     <script type="module" src="https://example.org/studio/element.js"></script>
//     <limber-studio src="reach.json" controls></limber-studio>
//
// This module is small; the Studio itself is fetched when the first such element is in a page. docs/web.md has
// attributes, properties, methods and events, and what it needs of a page's policies.

/** @typedef {import('./embed.js').Embedded} Embedded */

const BASE = new URL('.', import.meta.url);

export class LimberStudio extends HTMLElement {
    static observedAttributes = ['src', 'controls', 'readonly', 'theme'];

    constructor() {
        super();
        this.attachShadow({mode: 'open', delegatesFocus: true});
        /** @type {Embedded|null} */
        this.embedded = null;
        /** @type {Promise<Embedded>|null} */
        this.starting = null;
        /** @type {any} what an element that was taken out showed, or what it is to show first */
        this.kept = null;
    }

    // --- attributes as properties ------------------------------------------------------------------------------------

    /** The problem, figure, script or motion that is shown, as the attribute has it. */
    get src() { return this.getAttribute('src') ?? ''; }
    set src(value) { this.setAttribute('src', value); }

    /**
     * Whether bar, panels, timeline and status are there; without them the view alone, in which parts can be pulled.
     */
    get controls() { return this.hasAttribute('controls'); }
    set controls(value) { this.toggleAttribute('controls', Boolean(value)); }

    /** Whether nothing can be posed: the view turns, and that is all. */
    get readOnly() { return this.hasAttribute('readonly'); }
    set readOnly(value) { this.toggleAttribute('readonly', Boolean(value)); }

    /** 'light', 'dark', or 'system'. */
    get theme() { return this.getAttribute('theme') ?? 'system'; }
    set theme(value) { this.setAttribute('theme', value); }

    // --- what it shows -----------------------------------------------------------------------------------------------

    /** The values of all variables by name, in metres and radians; null before there is a figure. Some can be set. */
    get pose() { return this.embedded?.pose() ?? null; }
    set pose(values) { this.setPose(values ?? {}); }

    /** The problem, as `limber solve` reads it; a copy. Setting it opens it. */
    get document() { return this.embedded?.document() ?? structuredClone(this.kept?.problem ?? null); }
    set document(problem) { this.load(problem); }

    /** Poses it; what is not named stays. @param {Record<string, number>} values @returns {Promise<boolean>} */
    async setPose(values) { return (await this.whenReady()).setPose(values); }

    /**
     * Opens something: an address, a problem as an object, or files of which the first is opened.
     * @param {string|URL|object|{name: string, bytes: Uint8Array}[]} what
     * @returns {Promise<boolean>} whether it was opened; where it was not, there was an `error` event
     */
    async load(what) {
        if (!this.isConnected) {
            this.kept = {problem: what};
            return false;
        }
        return (await this.whenReady()).load(what);
    }

    /** Solves the problem from the present pose. @returns {Promise<boolean>} */
    async solve() { return (await this.whenReady()).studio.store.solve(); }

    async undo() { return (await this.whenReady()).studio.store.undo(); }

    async redo() { return (await this.whenReady()).studio.store.redo(); }

    /**
     * The view as a PNG.
     * @param {{width?: number, height?: number, transparent?: boolean, plain?: boolean}} [options]
     * @returns {Promise<Blob>}
     */
    async picture(options = {}) {
        const {view} = (await this.whenReady()).studio;
        if (!view) throw new Error('there is no view: this browser has no WebGL 2');
        return view.picture(options);
    }

    /** When it can be used. Rejected where its parts cannot be fetched. @returns {Promise<Embedded>} */
    whenReady() {
        return this.starting ?? Promise.reject(new Error('<limber-studio> is not in a page'));
    }

    // --- in and out of pages -----------------------------------------------------------------------------------------

    connectedCallback() {
        if (this.starting) return; // moved within the page
        const starting = import('./embed.js').then(({embed}) => embed(this, BASE, this.kept?.problem ?? this.src));
        this.starting = starting;
        this.kept = null;
        starting.then((embedded) => {
            if (this.starting !== starting) embedded.end(); // taken out meanwhile
            else this.begun(embedded);
        }, (error) => this.tell('error', {message: `The Studio could not be started: ${error.message}`, file: '',
            line: 0}));
    }

    begun(/** @type {Embedded} */ embedded) {
        this.embedded = embedded;
        this.apply();
        this.tell('ready', {pose: this.pose, document: this.document});
    }

    disconnectedCallback() {
        queueMicrotask(() => { // an element that is moved is out for a moment only
            if (this.isConnected || !this.starting) return;
            this.kept = {problem: this.document ?? this.kept?.problem ?? null};
            if (!this.kept.problem) this.kept = null;
            this.starting = null;
            this.embedded?.end();
            this.embedded = null;
            this.shadowRoot?.replaceChildren();
        });
    }

    attributeChangedCallback(/** @type {string} */ name, /** @type {string|null} */ before,
        /** @type {string|null} */ now) {
        if (!this.embedded || before === now) return;
        if (name !== 'src') this.apply();
        else if (now !== null) this.load(now);
    }

    apply() {
        const {controls, readOnly, theme} = this;
        this.embedded?.apply({controls, readOnly, theme});
    }

    tell(/** @type {string} */ type, /** @type {object} */ detail) {
        this.dispatchEvent(new CustomEvent(type, {detail}));
    }
}

if (!customElements.get('limber-studio')) customElements.define('limber-studio', LimberStudio);
