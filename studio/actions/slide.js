// Sliding one variable: the pose follows live through the engine, the newest value wins, and letting go is one step to
// undo. Where the user wants it, what is pinned is solved for afterwards, with the slid variable held.

import {setLocked, spoken, startOf} from '../document/names.js';

export class Slide {
    /** @param {Store} store */
    constructor(store) {
        this.store = store;
        /** @type {Float64Array | null} */
        this.values = null;
        this.isUnderWay = false;
        this.isWanted = false;
    }

    /**
     * Moves a variable (global index) to a value, to be seen at once.
     * @param {number} index @param {number} value
     */
    move(index, value) {
        this.values ??= Float64Array.from(this.store.frame.pose);
        this.values[index] = value;
        this.isWanted = true;
        if (!this.isUnderWay) this.send();
    }

    async send() {
        this.isUnderWay = true;
        try {
            while (this.isWanted && this.values) {
                this.isWanted = false;
                const frame = await this.store.client.call('pose', {values: Float64Array.from(this.values)});
                if (this.values) this.store.setFrame(frame);
            }
        } catch (error) {
            this.store.fail(error);
        } finally {
            this.isUnderWay = false;
        }
    }

    /**
     * The slide is over: it becomes a step of the history. `merge`: slides by keys in a row are one step.
     * @param {number} index @param {number} value @param {{name: string, merge?: string | null}} of
     */
    end(index, value, {name, merge = null}) {
        const slid = this.values;
        this.values = null;
        this.isWanted = false;
        /** @param {Float64Array} pose */
        const make = (pose) => {
            const values = slid ?? pose;
            values[index] = value;
            return this.store.settings.slideThenSolve ? this.solveHolding(values, name) : values;
        };
        return this.store.setPose(make, `Slide ${spoken(name)}`, {merge});
    }

    /**
     * The goals solved for from this pose while one variable stays.
     * @param {Numbers} values @param {string} name
     */
    async solveHolding(values, name) {
        const {doc, scene, client} = this.store;
        const draft = structuredClone(doc);
        draft.start = startOf(scene, values);
        setLocked(draft, scene, [name], true);
        const {frame} = await client.call('set', {doc: draft, solve: true});
        return frame.pose;
    }
}
