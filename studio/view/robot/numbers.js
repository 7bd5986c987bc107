// Numbers and frames out of robot files.
import * as THREE from 'three';

/**
 * The numbers of an attribute; what they are without it, or where they are no numbers.
 * @param {string | null | undefined} text @param {number[]} otherwise
 */
export function numbers(text, otherwise) {
    const read = (text ?? '').trim().split(/\s+/).map(Number);
    return text && read.length >= otherwise.length && read.every(Number.isFinite) ? read : otherwise;
}

/**
 * The value of an attribute of an element as readXml has it.
 * @param {XmlElement | null | undefined} element @param {string} name
 */
export const attribute = (element, name) => element?.attributes.find(([key]) => key === name)?.[1];
/** @param {XmlElement | null | undefined} element @param {string} name */
export const childrenOf = (element, name) => (element?.children ?? []).filter((child) => child.name === name);
/**
 * @param {XmlElement | null | undefined} element @param {string} name
 * @returns {XmlElement | undefined}
 */
export const childOf = (element, name) => childrenOf(element, name)[0];

/**
 * URDF's <origin>: a turn about x, then y, then z of the parent, and a place.
 * @param {XmlElement} element
 */
export function originOf(element) {
    const origin = childOf(element, 'origin');
    const [x, y, z] = numbers(attribute(origin, 'xyz'), [0, 0, 0]);
    const [roll, pitch, yaw] = numbers(attribute(origin, 'rpy'), [0, 0, 0]);
    return new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(roll, pitch, yaw, 'ZYX')).setPosition(x, y, z);
}

/**
 * A colour of three numbers from 0 to 1, as screens have it; null where there is none.
 * @param {string | undefined} text
 */
export function colorOf(text) {
    const rgba = numbers(text, [NaN, NaN, NaN]), [r, g, b] = rgba;
    return rgba.every(Number.isFinite) ? new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace) : null;
}
