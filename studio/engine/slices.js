// Long work in slices: it lets other messages in between, and can be cancelled.

const SLICE = 12; /* milliseconds */

/** What a task throws that was cancelled. */
class Cancelled extends Error {
    constructor() {
        super('cancelled');
        this.cancelled = true;
    }
}

/** Lets whatever waits come first. */
function breathe() {
    /** @type {Promise<void>} */
    return new Promise((resolve) => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            resolve();
        };
        port2.postMessage(null);
    });
}

/** A task under way: call `pause` often. */
export class Task {
    constructor() {
        this.isCancelled = false;
        this.begun = performance.now();
    }

    cancel() {
        this.isCancelled = true;
    }

    /** Waits when the slice is over; throws where the task was cancelled. */
    async pause() {
        if (performance.now() - this.begun > SLICE) {
            await breathe();
            this.begun = performance.now();
        }
        if (this.isCancelled) throw new Cancelled();
    }
}
