// Ghosts: the figure a little before and a little after the present time. Their times are multiples of the spacing, so
// that a pose once computed serves while the playhead passes by; they are asked for one at a time.

const KEPT_MOST = 200; // poses

/**
 * The times of ghosts around a time: `count` before and as many after, in the motion's range.
 * @param {number} time @param {number} end @param {number} count @param {number} spacing
 */
export function ghostTimes(time, end, count, spacing) {
    const times = [], below = Math.ceil(time / spacing - 0.25) - 1, above = Math.floor(time / spacing + 0.25) + 1;
    for (let i = 0; i < count; i++) {
        const before = (below - i) * spacing, after = (above + i) * spacing;
        if (before >= 0) times.push({time: before, before: true, step: i});
        if (after <= end + 1e-9) times.push({time: after, before: false, step: i});
    }
    return times;
}

export class Ghosts {
    /** @param {{peek: (time: number) => Promise<PoseFrame>, show: (ghosts: Ghost[]) => void}} world */
    constructor(world) {
        this.world = world;
        /** @type {Map<number, Float64Array>} matrices by time */
        this.kept = new Map();
        /** @type {{time: number, before: boolean, step: number}[]} */
        this.wanted = [];
        this.count = 0;
        this.isAsking = false;
        this.revision = 0;
    }

    /** The motion is another one. */
    clear() {
        this.kept.clear();
        this.revision++;
    }

    hide() {
        this.wanted = [];
        this.world.show([]);
    }

    /**
     * Shows the ghosts around a time: those that are known at once, the others as they come.
     * @param {number} time @param {number} end @param {{count: number, spacing: number}} of
     */
    around(time, end, {count, spacing}) {
        this.wanted = ghostTimes(time, end, count, spacing);
        this.count = count;
        this.show();
        this.ask();
    }

    show() {
        this.world.show(this.wanted.flatMap(({time, before, step}) => {
            const matrices = this.kept.get(time);
            return matrices ? [{matrices, alpha: 0.32 * (1 - step / (this.count + 1)), before}] : [];
        }));
    }

    async ask() {
        if (this.isAsking) return;
        this.isAsking = true;
        try {
            for (;;) {
                const missing = this.wanted.find(({time}) => !this.kept.has(time));
                if (!missing) break;
                const {revision} = this, frame = await this.world.peek(missing.time);
                if (revision !== this.revision) continue;
                const [oldest] = this.kept.keys();
                if (this.kept.size >= KEPT_MOST) this.kept.delete(oldest);
                this.kept.set(missing.time, frame.matrices);
                this.show();
            }
        } catch {
            this.wanted = []; // the playhead says what is wrong
        }
        this.isAsking = false;
    }
}
