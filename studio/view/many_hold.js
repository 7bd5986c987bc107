/* Several goals on one gizmo: they go along as one body, the figures follow, and it is one step to undo. */
import {commitTogether, movedTogether} from '../actions/together.js';
import {matrixInvert, matrixMultiply} from '../math/vector.js';
import {Hold} from './holds.js';

export class ManyHold extends Hold {
    /** @param {ShownView} view @param {SceneConstraint[]} constraints @param {Matrix} frame @param {Follow} follow */
    constructor(view, constraints, frame, follow) {
        super(view);
        this.constraints = constraints;
        this.follow = follow;
        this.from = matrixInvert(frame);
        /** @type {Hold['moveMethod']} */
        this.moveMethod = 'moveGoals';
        this.start = {scene: view.scene, frame: view.frame}; // where they were when they were taken
    }

    take() {}

    /** @param {Ray} ray */
    move(ray) {
        this.frame = this.follow(ray);
        const {goals, moves} = movedTogether(this.start, this.constraints, matrixMultiply(this.frame, this.from));
        this.view.preview = {goals};
        this.view.requestDraw();
        this.send({moves});
    }

    /** @param {boolean} commit */
    async end(commit) {
        if (!this.close()) return;
        const {view, target} = this, {store} = view;
        if (target) {
            if (commit) await commitTogether(store, target.moves);
            else await store.inTurn(async () => {
                const {scene, frame} = await store.client.call('set', {doc: store.doc});
                store.setScene(scene, frame);
                return true;
            });
        }
        view.preview = null;
        view.requestDraw();
    }
}
