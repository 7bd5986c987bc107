// What the page can be used without for a moment: the panels behind the first tab, forms of goals, the timeline, the
// solutions to choose from, hints. It is fetched and mounted once the page can be used, so that less has to arrive
// before that.

import {keepOffline} from '../offline/offline.js';
import * as timeline from '../timeline/timeline.js';
import * as joints from './joints.js';
import * as method from './method.js';
import * as poses from './poses.js';
import * as show from './show.js';
import {Solutions} from './solutions.js';

export {formOf} from './goal_form.js';
export {Hints, hintAgain} from './hints.js';

/**
 * Mounts it all, on whatever is open by now.
 * @param {Store} store @param {Client} client
 */
export function mount(store, client) {
    /** @param {string} id */
    const $ = (id) => store.home.$(id);
    joints.mount($('panel-joints'), store);
    method.mount($('panel-method'), store, client);
    poses.mount($('panel-poses'), store, client);
    show.mount($('panel-show'), store);
    timeline.mount($('timeline-body'), store, client);
    store.solutions = new Solutions($('solutions'), store);
}

/**
 * What is fetched only where it is used: from then on the page needs no network for it, nor, on a web server, at the
 * next visit.
 * @param {Store} store
 */
export async function fetchRest(store) {
    await Promise.allSettled([import('../view/skin/skin.js'), import('limber/xml.js'), import('./swivel.js'),
        import('./picture_dialog.js'), import('./several_goals.js')]);
    if (store.home.isPage) await keepOffline(store);
}
