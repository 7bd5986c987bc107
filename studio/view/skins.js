/* The skins of a scene's characters. Their files are loaded for drawing too, beside the solver; what loads them comes
 * only where a scene has some. */

const SKINNED = /\.(glb|gltf|vrm)$/i;

const filesOf = (figures) => figures.map((figure) => figure.file).join();

export class Skins {
    /**
     * @param {import('three').Scene} world
     * @param {{value: object}} frames the texture of frames and highlights
     * @param {{changed: () => void, failed: (file: string, error: Error) => void}} listener
     */
    constructor(world, frames, listener) {
        Object.assign(this, {world, frames, listener});
        this.byFigure = new Map();
        this.awaited = new Set(); /* not drawn as bones for a moment first */
        this.isOn = true;
    }

    /** Of figures that have a skin, or will have one in a moment: their bones are not drawn. */
    covers(figure) {
        return this.isOn && (this.awaited.has(figure) || this.byFigure.has(figure));
    }

    /** Whether a figure's skin is to be seen now. */
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
     * @param {Map<string, Uint8Array>} files by name
     */
    async load(figures, files) {
        this.clear();
        this.figures = figures;
        const bytesOf = (name) => files.get(name) ?? files.get(String(name).replace(/^.*\//, '')) ?? null;
        const wanted = figures
            .map((figure, f) => ({f, figure, bytes: SKINNED.test(figure.file) ? bytesOf(figure.file) : null}))
            .filter(({bytes}) => bytes);
        this.awaited = new Set(wanted.map(({f}) => f));
        if (!wanted.length) return;
        const {Skin} = await import('./skin.js');
        for (const {f, figure, bytes} of wanted) {
            const skin = await Skin.load(bytes, figure, files, this.frames).catch((error) => {
                this.listener.failed(figure.file, error);
                return null;
            });
            if (filesOf(this.figures) !== filesOf(figures)) {
                skin?.dispose();
                return;
            }
            this.take(f, skin);
        }
    }

    /** A skin has come, or none can be had (null): then bones are shown. */
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

    update(matrices) {
        for (const skin of this.byFigure.values()) skin.update(matrices);
    }

    /** The first skin that a ray meets: {figure, segment, point, t} or null. */
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
