/* The skins of a scene's characters, and the meshes of its robots. Their files are loaded for drawing too, beside the
 * solver; what loads them comes only where a scene has some. */

const SKINNED = /\.(glb|gltf|vrm)$/i;
const ROBOT = /\.(urdf|xml|mjcf)$/i;

/**
 * What reads a figure's looks; each comes only where a scene needs it.
 * @param {string} file
 */
const loaderFor = async (file) => (ROBOT.test(file) ? (await import('../robot/robot.js')).RobotSkin
    : (await import('./skin.js')).Skin);

/**
 * Whether a robot's file has meshes: else nothing has to be fetched for it.
 * @param {Uint8Array | null} bytes
 */
function namesMeshes(bytes) {
    return bytes ? /\.(stl|obj|dae|glb|gltf)["']/i.test(new TextDecoder().decode(bytes)) : false;
}

/** @param {SceneFigure[]} figures */
const filesOf = (figures) => figures.map((figure) => figure.file).join();

export class Skins {
    /**
     * @param {import('three').Scene} world
     * @param {Uniform<import('three').Texture | null>} frames the texture of frames and highlights
     * @param {{changed: () => void, failed: (file: string, error: Error) => void,
     *     missing: (file: string, list: {uri: string, reason: string}[]) => void}} listener
     */
    constructor(world, frames, listener) {
        this.world = world;
        this.frames = frames;
        this.listener = listener;
        /** @type {Map<number, FigureSkin>} */
        this.byFigure = new Map();
        /** @type {Set<number>} */
        this.awaited = new Set(); /* not drawn as bones for a moment first */
        this.isOn = true;
    }

    /**
     * Of figures that have a skin, or will have one in a moment: their bones are not drawn.
     * @param {number} figure
     */
    covers(figure) {
        return this.isOn && (this.awaited.has(figure) || this.byFigure.has(figure));
    }

    /**
     * Whether a figure's skin is to be seen now.
     * @param {number} figure
     */
    shows(figure) {
        return this.isOn && this.byFigure.has(figure);
    }

    /** @param {boolean} on */
    set visible(on) {
        this.isOn = on;
        for (const skin of this.byFigure.values()) skin.group.visible = on;
    }

    clear() {
        for (const skin of this.byFigure.values()) skin.dispose();
        this.byFigure.clear();
        this.awaited.clear();
    }

    /**
     * Loads the skins of these figures in place of those before.
     * @param {SceneFigure[]} figures
     * @param {Map<string, Uint8Array>} files by name
     */
    async load(figures, files) {
        this.clear();
        this.figures = figures;
        /** @param {string} name */
        const bytesOf = (name) => files.get(name) ?? files.get(String(name).replace(/^.*\//, '')) ?? null;
        const wanted = figures.flatMap((figure, f) => {
            const bytes = bytesOf(figure.file);
            const isWanted = SKINNED.test(figure.file) || (ROBOT.test(figure.file) && namesMeshes(bytes));
            return bytes && isWanted ? [{f, figure, bytes}] : [];
        });
        this.awaited = new Set(wanted.filter(({figure}) => SKINNED.test(figure.file)).map(({f}) => f));
        for (const {f, figure, bytes} of wanted) {
            const read = async () => (await loaderFor(figure.file)).load(bytes, figure, files, this.frames);
            /** @type {FigureSkin | null} */
            const skin = await read().catch((error) => {
                this.listener.failed(figure.file, error);
                return null;
            });
            if (filesOf(this.figures) !== filesOf(figures)) {
                skin?.dispose();
                return;
            }
            this.take(f, skin);
            if (skin?.missing?.length) this.listener.missing(figure.file, skin.missing);
        }
    }

    /**
     * A skin has come, or none can be had (null): then bones are shown.
     * @param {number} f @param {FigureSkin | null} skin
     */
    take(f, skin) {
        this.awaited.delete(f);
        if (skin?.hasMesh && skin.hasPosed) {
            this.byFigure.get(f)?.dispose();
            this.byFigure.set(f, skin);
            skin.group.visible = this.isOn;
            this.world.add(skin.group);
        } else {
            skin?.dispose();
        }
        this.listener.changed();
    }

    /** @param {Float64Array} matrices */
    update(matrices) {
        for (const skin of this.byFigure.values()) skin.update(matrices);
    }

    /**
     * The first skin that a ray meets: {figure, segment, point, t} or null.
     * @param {Vec} from @param {Vec} direction
     */
    pick(from, direction) {
        let best = null;
        for (const [figure, skin] of this.isOn ? this.byFigure : []) {
            const hit = skin.pick(from, direction);
            if (hit && (!best || hit.t < best.t)) best = {figure, ...hit};
        }
        return best;
    }

    /** What of them must be in the picture. */
    outline() {
        return this.isOn ? [...this.byFigure.values()].flatMap((skin) => skin.balls()) : [];
    }
}
