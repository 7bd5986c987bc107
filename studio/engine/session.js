// The session: the world that is open now, what plays in it and what pulls at it, and how a document becomes one. The
// Engine's parts - Opening, Hands, Playing - work on it.
import {bodyIn} from './body.js';
import {figuresOf} from './document.js';
import {FileTable} from './files.js';
import {frameOf} from './frame.js';
import {sceneOf} from './scene.js';
import {Task} from './slices.js';
import {Stage} from './stage.js';
import {World} from './world.js';

const DOCUMENT = 'document.json'; /* under which name the present document is compiled */

const WHY = {maxIterations: 40}; /* of each of a body's trials */

export class Session {
    /**
     * @param {Limber} limber the package, loaded
     * @param {{fetchModel?: (name: string) => Promise<Uint8Array | null>}} options
     */
    constructor(limber, {fetchModel} = {}) {
        this.limber = limber;
        this.files = new FileTable(limber, fetchModel);
        /** @type {DocWorld | null} */
        this.world = null;
        /** @type {Pull | null} */
        this.pull = null;
        /** @type {{key: string, files: (Uint8Array | undefined)[], figures: SceneFigure[]} | null} */
        this.known = null; /* the figures of the last scene, and what they were made from */
        this.isStale = false; /* a pull has changed the world's problem */
        /** @type {Set<Task>} */
        this.tasks = new Set(); /* what runs beside */
        this.stage = new Stage(limber, this.files);
        /** @type {Show | null} */
        this.show = null; /* what plays in the world */
        /** @type {string | undefined} */
        this.animation = undefined; /* which of a glTF file's; undefined: the first */
        this.shown = 'document'; /* whose scene was handed out last: a script's stages have scenes of their own */
    }

    /**
     * Compiles a document whose figures are in the table.
     * @param {Doc | RawDoc} doc @param {Numbers | null} [pose]
     * @returns {DocWorld}
     */
    compile(doc, pose = null) {
        /** @type {LimberWarning[]} */
        const warnings = [];
        /** @param {LimberWarning} warning */
        const warn = (warning) => warnings.push(warning);
        const figures = figuresOf(doc).map((figure, k) =>
            ({...figure, file: this.stage.quick(figure.file, warn, Boolean(bodyIn(doc, k)),
                Boolean(figure.stand ?? (k === 0 && doc.stand)))}));
        this.limber.files.set(DOCUMENT, JSON.stringify({...doc, figures}));
        const file = this.limber.loadProblem(DOCUMENT, {models: 'models', warn});
        const world = /** @type {DocWorld} */ (new World(this.limber, {
            doc: /** @type {Doc} */ (doc), file, problem: file.problem, start: file.start, names: file.figureNames,
            options: file.options, motion: file.motion,
        }));
        if (pose && pose.length === world.pose.length) world.pose.set(pose);
        world.warnings = warnings;
        return world;
    }

    /**
     * Takes a world as the present one, if it can be shown; what it is.
     * @param {DocWorld} world @param {{solve?: boolean}} [how]
     * @returns {{scene: Scene, frame: PoseFrame}}
     */
    take(world, {solve = false} = {}) {
        /** @type {Show | null} */
        let show = null;
        let answer;
        try {
            show = this.stage.showOf(world, this.animation);
            const frame = solve ? this.solveIn(world, {}) : {...frameOf(world, world.pose), ...world.stands};
            answer = {scene: this.sceneIn(world, show), frame};
        } catch (error) {
            show?.free();
            world.free();
            throw error;
        }
        this.show?.free();
        this.world?.free();
        Object.assign(this, {world, show, pull: null, isStale: false, shown: 'document'});
        return answer;
    }

    /**
     * A world's scene; figures that are the same as in the last one are not described anew.
     * @param {DocWorld} world @param {Show | null} show
     */
    sceneIn(world, show) {
        const files = world.figures.map((_, k) => this.limber.files.get(world.fileOf(k)) ??
            this.limber.files.get(`models/${world.fileOf(k)}.fig`));
        const key = JSON.stringify([world.doc.figures, world.names]);
        const {known} = this;
        const isKnown = known?.key === key && known.files.every((bytes, k) => bytes === files[k]);
        const scene = sceneOf(world, show?.about() ?? null, isKnown ? known.figures : null);
        this.known = {key, files, figures: scene.figures};
        return scene;
    }

    /** The world as it is, perhaps in the middle of a pull. */
    present() {
        if (!this.world) throw new Error('nothing is open yet: open a figure or a problem first');
        return this.world;
    }

    /** The world as the document has it: a pull is over. */
    fresh() {
        const {doc, pose, isPlayed, played} = this.present();
        if (this.isStale) this.take(Object.assign(this.compile(doc, pose), {isPlayed, played}));
        return this.present();
    }

    /**
     * Solves from a world's pose, and notes how.
     * @param {World} world @param {LimberOptions} options
     */
    solveIn(world, options) {
        /** @type {{values: number[], evaluationsAt: number[], timesAt: number[]}} */
        const trace = {values: [], evaluationsAt: [], timesAt: []};
        const begun = performance.now();
        const result = world.solver.solve(world.pose, {
            ...world.options, ...options,
            onIteration: (progress) => {
                trace.values.push(progress.value);
                trace.evaluationsAt.push(progress.evaluations);
                trace.timesAt.push((performance.now() - begun) * 1000);
                return false;
            },
        });
        const time = (performance.now() - begun) * 1000;
        const body = world.isNatural() ? world.bodies() : null;
        const told = world.solver.explain(world.pose, {...world.options, ...options, ...(body && WHY)});
        return frameOf(world, world.pose,
            {...result, explanation: told.explanation, said: told.said, reasons: told.reasons, freedom: told.freedom},
            {time_us: time, body, trace: {before: result.valueBefore, ...trace}});
    }

    /**
     * Runs work on a world of its own; cancel() ends it.
     * @template T @param {(world: DocWorld, task: Task) => Promise<T>} work @param {Float64Array | null} [pose]
     * @param {{doc: Doc}} [of]
     */
    async beside(work, pose = null, {doc} = this.present()) {
        const task = new Task();
        const world = this.compile(doc, pose);
        this.tasks.add(task);
        try {
            return await work(world, task);
        } finally {
            this.tasks.delete(task);
            world.free();
        }
    }

    async cancel() {
        for (const task of this.tasks) task.cancel();
        return {};
    }
}
