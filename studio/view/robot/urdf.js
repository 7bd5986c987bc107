// What a URDF file shows: the meshes and primitives of its links.
import * as THREE from 'three';
import {attribute, childOf, childrenOf, colorOf, numbers, originOf} from './numbers.js';

/**
 * The colours of materials by name: those of the robot, and those that a link defines for others.
 * @param {XmlElement} robot
 */
function materialsOf(robot) {
    const visuals = childrenOf(robot, 'link').flatMap((link) => childrenOf(link, 'visual'));
    const all = [...childrenOf(robot, 'material'), ...visuals.flatMap((visual) => childrenOf(visual, 'material'))];
    /** @type {Map<string, THREE.Color>} */
    const byName = new Map();
    for (const material of all) {
        const name = attribute(material, 'name'), color = colorOf(attribute(childOf(material, 'color'), 'rgba'));
        if (name && color && !byName.has(name)) byName.set(name, color);
    }
    return byName;
}

/** @param {XmlElement} element */
function primitiveOf(element) {
    /** @param {string} name */
    const number = (name) => numbers(attribute(element, name), [0])[0];
    /** @type {Record<string, () => THREE.BufferGeometry>} */
    const makers = {
        box: () => {
            const [x, y, z] = numbers(attribute(element, 'size'), [0, 0, 0]);
            return new THREE.BoxGeometry(x, y, z);
        },
        sphere: () => new THREE.SphereGeometry(number('radius'), 32, 16),
        cylinder: () => new THREE.CylinderGeometry(number('radius'), number('radius'), number('length'), 32)
            .rotateX(Math.PI / 2),
        capsule: () => new THREE.CapsuleGeometry(number('radius'), number('length'), 8, 32).rotateX(Math.PI / 2),
    };
    return makers[element.name]?.() ?? null;
}

/**
 * One <visual> or <collision>: what it shows.
 * @param {XmlElement} link @param {XmlElement} owner @param {Map<string, THREE.Color>} materials
 * @returns {RobotPart[]}
 */
function partsOf(link, owner, materials) {
    const material = childOf(owner, 'material');
    const named = materials.get(attribute(material, 'name') ?? '');
    const color = colorOf(attribute(childOf(material, 'color'), 'rgba')) ?? named;
    const common = {segment: attribute(link, 'name') ?? '', matrix: originOf(owner), color: color ?? null};
    return (childOf(owner, 'geometry')?.children ?? []).flatMap(/** @returns {RobotPart[]} */ (element) => {
        const uri = element.name === 'mesh' ? attribute(element, 'filename') : null;
        if (uri) return [{...common, uri, scale: numbers(attribute(element, 'scale'), [1, 1, 1])}];
        const geometry = primitiveOf(element);
        return geometry ? [{...common, geometry}] : [];
    });
}

/**
 * What each link shows; one without <visual> shows what it collides by.
 * @param {XmlElement} robot
 */
export function urdfParts(robot) {
    const materials = materialsOf(robot);
    return childrenOf(robot, 'link').flatMap((link) => {
        const visuals = childrenOf(link, 'visual'), owners = visuals.length ? visuals : childrenOf(link, 'collision');
        return owners.flatMap((owner) => partsOf(link, owner, materials));
    });
}
