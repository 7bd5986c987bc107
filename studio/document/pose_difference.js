// What lies between two poses of a document: by variable, and of every part how far it is and how it is turned.

import {distance, matrixOrigin, matrixRotation, rotationAngle, rotationInvert, rotationMultiply,
    segmentMatrix} from '../math/vector.js';
import {allVariables, spoken} from './names.js';

const LEAST = {angle: 0.05 * Math.PI / 180, length: 5e-5}; // smaller ones are none

/**
 * @param {Scene} scene @param {Numbers} before @param {Numbers} after
 * @returns {{name: string, isAngle: boolean, before: number, after: number, by: number}[]} the largest first; a turn of
 *     a radian counts as much as a metre
 */
export function variableDifferences(scene, before, after) {
    return allVariables(scene).map(({name, variable}) => ({name: spoken(name), isAngle: variable.isAngle,
        before: before[variable.index], after: after[variable.index],
        by: after[variable.index] - before[variable.index]}))
        .filter(({by, isAngle}) => Math.abs(by) >= (isAngle ? LEAST.angle : LEAST.length))
        .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
}

/**
 * How far parts are from each other in two frames.
 * @param {Scene} scene @param {Float64Array} before @param {Float64Array} after matrices of frames
 * @returns {{name: string, moved: number, turned: number}[]} those that moved most first
 */
export function partDifferences(scene, before, after) {
    return scene.figures.flatMap(({segments, shapes, firstSegment}) => segments
        .map(({name}, s) => {
            const [a, b] = [before, after].map((all) => segmentMatrix(all, firstSegment + s));
            const turn = rotationMultiply(matrixRotation(b), rotationInvert(matrixRotation(a)));
            return {name: spoken(name), moved: distance(matrixOrigin(a), matrixOrigin(b)), turned: rotationAngle(turn),
                isSeen: shapes.some((shape) => shape.segment === s)};
        }))
        .filter(({moved, turned, isSeen}) => isSeen && (moved >= LEAST.length || turned >= LEAST.angle))
        .sort((a, b) => b.moved - a.moved);
}
