// The playhead: a time that plays, loops, steps and is scrubbed, and the engine asked for the pose at it. While one
// pose is under way only the newest time is remembered, so that nothing ever queues up or blocks.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
    /**
     * @param {{ask: (time: number) => Promise<void>, changed: (player: Player, error?: unknown) => void,
     *     requestFrame?: (fn: (milliseconds: number) => void) => number, now?: () => number}} world
     *     ask: shows the pose at a time; changed: hears of every change of time or state
     */
    constructor({ask, changed, requestFrame = (fn) => requestAnimationFrame(fn), now = () => performance.now()}) {
        this.world = {ask, changed, requestFrame, now};
        this.time = 0;
        this.end = 2;
        this.fps = 30;
        this.speed = 1;
        this.isPlaying = false;
        this.isLooping = true;
        this.isSnapping = true;
        /** @type {number | null} the time that is under way */
        this.asked = null;
        /** @type {number | null} the newest time after it */
        this.wanted = null;
        /** @type {Promise<void> | null} */
        this.pumping = null;
        this.began = {time: 0, at: 0};
    }

    /**
     * The nearest time of a frame, where times snap to frames.
     * @param {number} time
     */
    snapped(time) {
        return this.isSnapping ? Math.round(time * this.fps) / this.fps : time;
    }

    /**
     * Goes to a time; scrubbing stops what plays.
     * @param {number} time
     */
    seek(time, {snap = true} = {}) {
        this.stop();
        this.go(Math.max(0, snap ? this.snapped(time) : time));
    }

    /**
     * One frame back or forth.
     * @param {number} frames
     */
    step(frames) {
        this.seek(Math.max(0, Math.round(this.time * this.fps) + frames) / this.fps, {snap: false});
    }

    /** Plays, or stops at the nearest frame. */
    toggle() {
        if (this.isPlaying) this.seek(this.time);
        else this.start();
    }

    start() {
        if (this.isPlaying || !(this.end > 0)) return;
        if (this.time >= this.end - 1e-9) this.time = 0;
        this.isPlaying = true;
        this.began = {time: this.time, at: this.world.now()};
        this.world.changed(this);
        this.world.requestFrame(() => this.tick());
    }

    stop() {
        if (!this.isPlaying) return;
        this.isPlaying = false;
        this.world.changed(this);
    }

    /**
     * Another speed, from here on.
     * @param {number} speed
     */
    setSpeed(speed) {
        this.began = {time: this.time, at: this.world.now()};
        this.speed = speed;
        this.world.changed(this);
    }

    /** One animation frame of playing. Times are counted from where playing began, so that they do not drift. */
    tick() {
        if (!this.isPlaying) return;
        let time = this.began.time + ((this.world.now() - this.began.at) / 1000) * this.speed;
        if (time >= this.end && this.isLooping) {
            time %= this.end;
            this.began = {time, at: this.world.now()};
        }
        if (time >= this.end) {
            this.isPlaying = false;
            time = this.end;
        }
        this.go(time);
        if (this.isPlaying) this.world.requestFrame(() => this.tick());
    }

    /** @param {number} time */
    go(time) {
        this.time = time;
        this.world.changed(this);
        this.refresh();
    }

    /** Asks for the pose at the present time (again). */
    refresh() {
        this.wanted = this.time;
        if (this.asked === null) this.pump();
    }

    /** Resolves when nothing is under way any more. */
    async settled() {
        while (this.pumping) await this.pumping;
    }

    pump() {
        this.pumping = (async () => {
            while (this.wanted !== null) {
                [this.asked, this.wanted] = [this.wanted, null];
                try {
                    await this.world.ask(this.asked);
                } catch (error) {
                    this.isPlaying = false;
                    this.wanted = null;
                    this.world.changed(this, error);
                }
            }
            this.asked = null;
            this.pumping = null;
        })();
    }
}

/**
 * A time for people, in seconds with as many places as frames need.
 * @param {number} time
 */
export function timeText(time) {
    return time.toFixed(time < 100 ? 2 : 1);
}

/**
 * "1 key", "2 keys".
 * @param {number} count @param {string} word
 */
export const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
