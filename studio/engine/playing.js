// Playing: what a document's motion is at a time, as frames and as poses.
import {stemOf} from './files.js';
import {frameOf} from './frame.js';
import {warningOf} from './opening.js';
import {sceneOf} from './scene.js';
import {Task} from './slices.js';

export class Playing {
    /**
     * @param {import('./session.js').Session} session
     * @param {import('./opening.js').Opening} opening
     */
    constructor(session, opening) {
        this.session = session;
        this.opening = opening;
    }

    /**
     * The pose at a time of what plays.
     * @param {{time?: number, peek?: boolean, animation?: string}} wanted
     */
    async play({time = 0, peek = false, animation}) {
        if (this.session.pull) this.session.present().pose.set(this.session.pull.pose);
        const world = this.session.fresh();
        const show = this.theShow(animation);
        const begun = performance.now();
        const shot = show.at(Math.max(0, time));
        const stage = this.stageOf(shot, world);
        if (!peek && stage === world) {
            world.pose.set(shot.pose);
            world.isPlayed = show.kind !== 'tracks';
            world.played = shot.goals;
        }
        const result = stage === shot.world ? shot.result : null;
        const frame = frameOf(stage, shot.pose, result, {goals: show.moved(shot.goals)});
        Object.assign(frame, {time, time_us: (performance.now() - begun) * 1000});
        if (shot.goals.length) frame.goals = shot.goals;
        /* what plays asks nobody */
        if (show.kind !== 'tracks') this.asksNobody(frame, show.name);
        return peek ? frame : this.withScene(frame, stage, shot.stage);
    }

    /**
     * What plays by itself meets no goals: nothing of it is a failure.
     * @param {PoseFrame} frame @param {string} name of what plays
     */
    asksNobody(frame, name) {
        for (const entry of frame.constraints) entry.counted = false;
        const explanation = `${name} at ${(frame.time ?? 0).toFixed(2)} s`;
        Object.assign(frame, {outcome: 'posed', explanation});
    }

    /** @param {string} [animation] */
    theShow(animation) {
        if (animation !== undefined && animation !== this.session.animation) {
            const show = this.session.stage.showOf(this.session.present(), animation);
            this.session.show?.free();
            Object.assign(this.session, {show, animation, shown: 'another animation'});
        }
        if (!this.session.show) {
            throw new Error('nothing plays here: add keys to the timeline, or open a motion file or a script');
        }
        return this.session.show;
    }

    /**
     * The world to show a shot in: the document's, where its figures are the same.
     * @param {Shot} shot @param {World} world
     */
    stageOf(shot, world) {
        /** @param {World} world */
        const spell = ({figures}) => JSON.stringify(figures.map((figure) =>
            [figure.name, figure.variables.map((variable) => variable.name)]));
        if (shot.world === world) return world;
        shot.world.isDocuments ??= spell(shot.world) === spell(world);
        return shot.world.isDocuments ? world : shot.world;
    }

    /**
     * Adds the scene where it is another than the last one handed out.
     * @param {PoseFrame} frame @param {World} world @param {number} [stage]
     */
    withScene(frame, world, stage) {
        const {session} = this, isDocuments = world === session.world;
        const shown = isDocuments ? 'document' : `stage ${stage}`;
        if (shown !== session.shown) {
            frame.scene = isDocuments ? session.sceneIn(session.present(), session.show)
                : sceneOf(world, session.show?.about());
        }
        session.shown = shown;
        return frame;
    }

    /**
     * Poses at even times: [count][variables] in one array.
     * @param {{frameTime?: number, from?: number, to?: number}} wanted @param {OnProgress} [onProgress]
     */
    async bake({frameTime = 1 / 30, from = 0, to}, onProgress) {
        const world = this.session.fresh();
        const show = this.theShow();
        const task = new Task();
        this.session.tasks.add(task);
        try {
            const count = Math.floor(((to ?? show.end) - from) / frameTime + 1e-9) + 1;
            const times = Float64Array.from({length: count}, (_, k) => from + k * frameTime);
            const poses = new Float64Array(count * world.pose.length);
            for (const [k, time] of times.entries()) {
                const shot = show.at(time);
                if (shot.pose.length !== world.pose.length) {
                    throw new Error('the figures change in this script: it cannot be baked as one');
                }
                poses.set(shot.pose, k * world.pose.length);
                onProgress?.({done: k + 1, count, fraction: (k + 1) / count});
                await task.pause();
            }
            return {times, poses, frameTime};
        } finally {
            this.session.tasks.delete(task);
        }
    }

    /**
     * What the clip does, done by a model.
     * @param {{model?: string, figure?: number}} [wanted]
     */
    async retarget({model = 'human', figure} = {}) {
        const world = this.session.fresh();
        const {show} = this.session;
        if (show?.kind !== 'clip') {
            throw new Error('there is no motion capture to carry over: open a BVH or an animated glTF file');
        }
        const k = figure ?? show.k;
        const made = this.session.files.madeOf(world.fileOf(k));
        const source = made ? made.source : world.fileOf(k);
        const doc = {title: `${stemOf(source)} by ${model}`, figures: [{file: `${source}/${model}.fig`, name: model}]};
        const next = this.opening.compileMoving(await this.session.files.resolve(doc));
        return {doc: next.doc, ...this.session.take(next), warnings: this.session.stage.takeWarnings().map(warningOf)};
    }
}
