// What plays but is nobody's keys - a script, motion capture: taking a frame of it, making keys of it, having another
// figure do it.

import {effectorFrame} from '../document/effectors.js';
import {ensureTrack} from '../document/motion_doc.js';
import {allVariables} from '../document/names.js';
import {openMenu} from '../widgets/menu.js';
import {shownPose} from './key_actions.js';

const RATES = [5, 10, 15, 30]; // keys a second
const STILL = 1e-9; // radians or metres: what moves less stays

/**
 * Puts baked poses into a document as keys of all its variables: goals then move none of them. What stays where it is
 * has one key.
 * @param {Doc} draft
 * @param {string[]} names of the variables, in the order of the poses
 * @param {{times: ArrayLike<number>, poses: ArrayLike<number>}} baked a pose after the other
 */
export function keyBaked(draft, names, {times, poses}) {
    delete draft.motion;
    names.forEach((name, v) => {
        const values = Array.from(times, (_, k) => poses[k * names.length + v]);
        const isStill = values.every((value) => Math.abs(value - values[0]) < STILL);
        const keys = values.map((value, k) => ({time: times[k], value, interpolation: 'catmull-rom'}));
        ensureTrack(draft, 'variable', name).keys = isStill ? keys.slice(0, 1) : keys;
        draft.start[name] = values[0];
    });
}

/**
 * Pins that have their place in the world.
 * @param {Doc} doc
 */
const pinsOf = (doc) => (doc.constraints ?? []).filter(({name, goal}) =>
    name?.startsWith('pin ') && goal.kind === 'frame' && !goal.relative_to);

export class Played {
    /** @param {Store} store @param {Client} client @param {Timeline} timeline */
    constructor(store, client, timeline) {
        this.store = store;
        this.client = client;
        this.timeline = timeline;
    }

    /** Whether the figures that are seen are the document's: a script may change them. */
    isDocuments() {
        const {start = {}} = this.store.doc, seen = allVariables(this.store.scene);
        return Object.keys(start).length === seen.length && seen.every(({name}) => name in start);
    }

    refuse() {
        this.store.message('warning', 'At this time the script has other figures than at its beginning.');
        return Promise.resolve(false);
    }

    /** The frame that is seen becomes the start pose; pins hold their parts there. */
    takeFrame() {
        if (!this.isDocuments()) return this.refuse();
        const pose = shownPose(this.store), {scene, frame} = this.store;
        return this.timeline.edit('Take this frame as start pose', (draft) => {
            draft.start = {...draft.start, ...pose};
            for (const pin of pinsOf(draft)) {
                const part = effectorFrame(scene, frame, pin.effector);
                const {rpy: _, x: __, y: ___, ...others} = pin.goal;
                if (part) pin.goal = {...others, point: [...part.position], quaternion: [...part.rotation]};
            }
        });
    }

    /** @param {MenuPlace} at */
    openKeysMenu(at) {
        const {motion} = this.store.scene;
        /** @param {number} rate */
        const count = (rate) => Math.floor((motion?.end ?? 0) * rate) + 1;
        openMenu(RATES.map((rate) => ({text: `${rate} keys a second`, about: `${count(rate)} keys of each variable`,
            run: () => this.makeKeys(rate)})), at, 'Make keys of it');
    }

    /**
     * The motion as keys, which can be changed.
     * @param {number} rate
     */
    async makeKeys(rate) {
        if (!this.isDocuments()) return this.refuse();
        const done = this.store.busy('Making keys …', {cancel: () => this.client.call('cancel')});
        try {
            /** @param {{fraction: number}} of */
            const onProgress = ({fraction}) => done.progress(fraction);
            const baked = await this.client.call('bake', {frameTime: 1 / rate}, {onProgress});
            const names = allVariables(this.store.scene).map(({name}) => name);
            return await this.timeline.edit('Make keys of the motion', (draft) => {
                keyBaked(draft, names, baked);
                for (const pin of pinsOf(draft)) pin.disabled = true; // keys move all there is
            });
        } catch (error) {
            if (!(error instanceof Error && 'cancelled' in error && error.cancelled)) this.store.fail(error);
            return false;
        } finally {
            done();
        }
    }

    /** @param {MenuPlace} at */
    openRetargetMenu(at) {
        openMenu([{heading: 'Who is to do it?'}, {text: 'Human', about: 'the model that comes with Limber',
            icon: 'human', run: () => this.retarget('human')}], at, 'Retarget');
    }

    /**
     * Another figure does what the clip does.
     * @param {string} model
     */
    async retarget(model) {
        const done = this.store.busy(`Carrying the motion over to ${model} …`);
        try {
            const opened = await this.client.call('retarget', {model});
            this.store.opened(opened, `Retarget onto ${model}`);
            return true;
        } catch (error) {
            this.store.fail(error);
            return false;
        } finally {
            done();
        }
    }

    /**
     * Another animation of the same file.
     * @param {string} animation
     */
    async choose(animation) {
        try {
            const frame = await this.client.call('play', {time: 0, animation});
            if (frame.scene) this.store.setScene(frame.scene, frame);
            this.timeline.another();
        } catch (error) {
            this.store.fail(error);
        }
    }
}

