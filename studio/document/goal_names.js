// What a goal may be carried by, chained from, or grouped with: names to choose from, and where carriers are.

import {effectorFrame} from './effectors.js';
import {fullName, splitName} from './names.js';
import {findSite} from './places.js';

/**
 * Sites and segments, each of which a goal can name; a name that both have is the site's.
 * @param {Scene} scene
 */
export function placeNames(scene) {
    const names = scene.figures.flatMap((figure, f) =>
        [...figure.sites, ...figure.segments].map(({name}) => fullName(scene, f, name)));
    return [...new Set(names)];
}

/** @param {Doc} doc */
export function disjunctions(doc) {
    return [
        ...new Set(
            (doc.constraints ?? [])
                .map(({any_of: word}) => word)
                .filter((word) => word !== undefined)
                .map(String),
        ),
    ];
}

/** @param {{relative_to?: any}} of */
export function carrierText({relative_to: carrier}) {
    return carrier === undefined ? '' : typeof carrier === 'string' ? carrier : (carrier.segment ?? carrier.site ?? '');
}

/** @param {Scene} scene @param {PoseFrame} frame @param {any} carrier */
export function carrierFrame(scene, frame, carrier) {
    if (typeof carrier !== 'string') return effectorFrame(scene, frame, {...carrier, point: [0, 0, 0]});
    return effectorFrame(scene, frame, carrier);
}

/**
 * The joints from a constraint's segment up to the root, which its chain may start at.
 * @param {Scene} scene @param {SceneConstraint} constraint
 */
export function jointsUp(scene, constraint) {
    const figure = scene.figures[constraint.figure];
    const names = [];
    for (
        let segment = constraint.segment;
        segment >= 0 && names.length < 100;
        segment = figure.segments[segment].parent
    ) {
        const joint = figure.joints[figure.segments[segment].joint];
        if (!joint) break;
        names.push(joint.name);
    }
    return names;
}

/**
 * A carrier as the document writes it: a site by its name, a segment as an object.
 * @param {Scene} scene @param {string} full
 */
export function carrierOf(scene, full) {
    const {figure, name} = splitName(scene, full);
    return findSite(scene, figure, name) ? full : {segment: full};
}
