// What is done with keys: picking, adding, moving, changing, copying and removing them. Each is a step of the history
// that the timeline's edit() makes.

import {openMenu} from '../widgets/menu.js';
import * as motion from '../document/motion_doc.js';
import {keyChoices, laneKey, shownPose} from './key_actions.js';
import {wayText} from './lane_view.js';
import {counted} from './player.js';

export class KeyEditing {
    /** @param {import('./timeline.js').Timeline} timeline */
    constructor(timeline) {
        this.timeline = timeline;
        this.store = timeline.store;
        this.player = timeline.player;
        /** @type {KeyRef[]} */
        this.picked = [];
        /** @type {import('../document/motion_doc.js').CopiedKey[]} */
        this.copied = [];
    }

    /** @param {string} label @param {(draft: Doc) => unknown} fn as timeline.edit has it */
    edit(label, fn) {
        return this.timeline.edit(label, fn);
    }

    /** @param {KeyRef} ref */
    isPicked(ref) {
        return this.picked.some((one) => one.track === ref.track && motion.sameTime(one.time, ref.time));
    }

    /** @param {KeyRef[]} refs */
    pick(refs) {
        this.picked = [...new Map(refs.map((ref) => [`${ref.track}@${ref.time}`, ref])).values()];
        this.timeline.update();
    }

    choices() {
        return keyChoices(this.store, this.timeline.unkeyed, this.baseNow(), this.timeline.held());
    }

    /** The pose of time 0: at time 0 what is seen, else what was there. */
    baseNow() {
        return this.player.time > 0 ? this.timeline.base : shownPose(this.store);
    }

    /**
     * The key that K adds: of what changed, of what is chosen, or of the whole pose.
     * @param {KeyChoice | null} [choice]
     */
    addKey(choice = null) {
        if (!this.store.doc || !this.timeline.canEdit) {
            this.timeline.say('What plays here has its own keys: take a frame as start pose first.');
            return Promise.resolve(false);
        }
        const {run, text} = choice ?? this.choices()[0], time = this.player.snapped(this.player.time);
        this.player.stop();
        return this.edit(text, (draft) => run(draft, time));
    }

    /** @param {MenuPlace} at */
    openKeyMenu(at) {
        openMenu(this.choices().map((choice, i) => ({...choice, key: i === 0 ? 'K' : null,
            run: () => this.addKey(choice)})), at, 'Which key?');
    }

    /**
     * Adds a lane's key at this time, or takes it away.
     * @param {Lane} lane
     */
    toggleKey(lane) {
        const {time} = this.player, here = lane.keys.find((key) => motion.sameTime(key.time, time));
        const isSwitch = lane.tracks.length === 1 && lane.tracks[0].enabled !== undefined;
        if (here && !isSwitch) return this.edit('Delete key', (draft) => { motion.removeKeys(draft, here.refs); });
        const run = laneKey(this.store, lane), at = this.player.snapped(time);
        return run ? this.edit(`Key ${lane.label}`, (draft) => run(draft, at)) : Promise.resolve(false);
    }

    /** @param {Lane} lane @param {number} time */
    async keyLaneAt(lane, time) {
        this.player.seek(time);
        await this.player.settled();
        const run = laneKey(this.store, lane), at = this.player.time;
        if (run) await this.edit(`Key ${lane.label}`, (draft) => run(draft, at));
    }

    /** @param {number} by */
    movePicked(by) {
        const refs = this.picked;
        if (!refs.length || Math.abs(by) < 1e-9) return Promise.resolve(false);
        return this.edit(refs.length > 1 ? 'Move keys' : 'Move key', (draft) => motion.moveKeys(draft, refs, by));
    }

    removePicked() {
        const refs = this.picked;
        if (!refs.length) return Promise.resolve(false);
        const label = refs.length > 1 ? 'Delete keys' : 'Delete key';
        return this.edit(label, (draft) => { motion.removeKeys(draft, refs); });
    }

    /** @param {KeyRef[]} refs @param {string} way */
    setWay(refs, way) {
        return this.edit(`Keys go on ${wayText(way)}`, (draft) => { motion.setInterpolation(draft, refs, way); });
    }

    /** @param {Lane} lane @param {string} ends */
    setEnds(lane, ends) {
        return this.edit(`Ends ${ends}`, (draft) => {
            for (const track of lane.tracks) motion.setEnds(draft, motion.trackId(track), ends);
        });
    }

    /** @param {Lane} lane */
    removeLane(lane) {
        return this.edit(`Delete ${lane.label}`, (draft) => {
            for (const track of lane.tracks) motion.removeTrack(draft, motion.trackId(track));
        });
    }

    /**
     * Changes the one key that is picked.
     * @param {string} label @param {(key: Key) => unknown} change
     */
    changeKey(label, change) {
        const refs = this.picked;
        return this.edit(label, (draft) => { for (const {key} of motion.resolveKeys(draft, refs)) change(key); });
    }

    copy() {
        this.copied = motion.copyKeys(this.store.doc, this.picked);
        const {length} = this.copied;
        if (length) this.timeline.say(`${counted(length, 'key')} copied; Ctrl+V puts them at the playhead.`);
    }

    paste() {
        if (!this.copied.length || !this.timeline.canEdit) return Promise.resolve(false);
        const time = this.player.snapped(this.player.time);
        return this.edit('Paste keys', (draft) => motion.pasteKeys(draft, this.copied, time));
    }

    /** @param {MenuPlace} at */
    openPickedMenu(at) {
        const keys = motion.resolveKeys(this.store.doc, this.picked);
        const ways = new Set(keys.map(({key}) => key.interpolation ?? 'linear'));
        openMenu([
            {heading: 'To the next key'},
            ...motion.INTERPOLATIONS.map((way) => ({text: wayText(way), checked: ways.size === 1 && ways.has(way),
                run: () => this.setWay(this.picked, way)})),
            {rule: true},
            {text: 'Copy', key: 'Ctrl+C', run: () => this.copy()},
            {text: 'Paste at the playhead', key: 'Ctrl+V', disabled: !this.copied.length, run: () => this.paste()},
            {text: 'Delete', key: 'Delete', run: () => this.removePicked()},
        ], at, 'Keys');
    }

    /** @param {KeyboardEvent} event */
    keydown(event) {
        if (event.target instanceof Element && event.target.matches('input, select')) return;
        const isCommand = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase();
        /** @type {Record<string, () => unknown>} */
        const commands = {Delete: () => this.removePicked(), Backspace: () => this.removePicked(),
            Escape: () => this.pick([])};
        /** @type {Record<string, () => unknown>} */
        const chords = {c: () => this.copy(), v: () => this.paste(),
            a: () => this.pick(motion.allKeys(this.store.doc))};
        const run = isCommand && !event.shiftKey ? chords[letter] : !isCommand ? commands[event.key] : null;
        if (!run || (event.key === 'Escape' && !this.picked.length)) return;
        run();
        event.preventDefault();
        event.stopPropagation();
    }
}
