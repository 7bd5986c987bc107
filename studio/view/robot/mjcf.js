// What an MJCF file shows: geoms of the groups that MuJoCo's viewer shows, with the classes and settings of the file.
// What <attach> and <replicate> make is drawn by its primitives alone, as ever.
import * as THREE from 'three';
import {attribute, colorOf, numbers} from './numbers.js';

const ORIENTATIONS = ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'];

class Model {
    /** @param {XmlElement} root @param {(name: string) => XmlElement | null} include */
    constructor(root, include) {
        this.root = root;
        this.include = include;
        /** @type {Set<string>} */
        this.included = new Set();
        this.settings = {angle: 'degree', eulerseq: 'xyz', meshdir: ''};
        /** @type {Map<string, Map<string, MjcfValues>>} by class, and by the name of an element */
        this.classes = new Map([['main', new Map()]]);
        /** @type {Map<string, MjcfValues>} */
        this.meshes = new Map();
        /** @type {Map<string, THREE.Color | null>} */
        this.materials = new Map();
        for (const element of this.children(root)) this.readSection(element);
    }

    /**
     * Children, with those of included files in place.
     * @param {XmlElement | null} element
     * @returns {XmlElement[]}
     */
    children(element) {
        return (element?.children ?? []).flatMap((/** @type {XmlElement} */ child) => {
            if (child.name !== 'include') return [child];
            const file = attribute(child, 'file') ?? '', isNew = file && !this.included.has(file);
            if (isNew) this.included.add(file);
            return isNew || child.read ? this.children((child.read ??= this.include(file))) : [];
        });
    }

    /** @param {XmlElement} element */
    readSection(element) {
        if (element.name === 'compiler') {
            for (const name of /** @type {const} */ (['angle', 'eulerseq', 'meshdir'])) {
                const other = name === 'meshdir' ? attribute(element, 'assetdir') : null;
                this.settings[name] = attribute(element, name) ?? other ?? this.settings[name];
            }
        } else if (element.name === 'default') {
            this.readClass(element, 'main', new Map());
        } else if (element.name === 'asset') {
            for (const child of this.children(element)) this.readAsset(child);
        }
    }

    /**
     * A class: the attributes of each kind of element, over those of the class around it.
     * @param {XmlElement} element @param {string} name @param {Map<string, MjcfValues>} around
     */
    readClass(element, name, around) {
        const own = new Map([...around, ...(this.classes.get(name) ?? [])]);
        for (const child of this.children(element)) {
            if (child.name !== 'default') own.set(child.name, overlay(own.get(child.name) ?? {}, child));
        }
        this.classes.set(name, own);
        for (const child of this.children(element)) {
            if (child.name === 'default') this.readClass(child, attribute(child, 'class') ?? 'main', own);
        }
    }

    /**
     * An element's attributes, seen through a class.
     * @param {XmlElement} element @param {string} className
     */
    see(element, className) {
        const own = this.classes.get(attribute(element, 'class') ?? className) ?? this.classes.get('main');
        return overlay(own?.get(element.name) ?? {}, element);
    }

    /** @param {XmlElement} element */
    readAsset(element) {
        const values = this.see(element, 'main'), file = values.file ?? '';
        const name = values.name ?? file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
        if (element.name === 'mesh' && !this.meshes.has(name)) this.meshes.set(name, values);
        if (element.name === 'material') this.materials.set(name, colorOf(values.rgba));
    }

    /** @param {number} value */
    angle(value) {
        return this.settings.angle === 'radian' ? value : value * Math.PI / 180;
    }

    /**
     * Where an element is in the one around it.
     * @param {MjcfValues} values
     */
    frame(values) {
        const [px, py, pz] = numbers(values.pos, [0, 0, 0]), matrix = new THREE.Matrix4();
        const turn = new THREE.Quaternion();
        if (values.quat) {
            const [w, x, y, z] = numbers(values.quat, [1, 0, 0, 0]);
            turn.set(x, y, z, w).normalize();
        } else if (values.axisangle) {
            const [x, y, z, a] = numbers(values.axisangle, [0, 0, 1, 0]);
            turn.setFromAxisAngle(new THREE.Vector3(x, y, z).normalize(), this.angle(a));
        } else if (values.euler) {
            turn.copy(this.euler(numbers(values.euler, [0, 0, 0])));
        } else if (values.xyaxes) {
            const v = numbers(values.xyaxes, [1, 0, 0, 0, 1, 0]), x = new THREE.Vector3().fromArray(v).normalize();
            const y = new THREE.Vector3().fromArray(v, 3), z = x.clone().cross(y).normalize();
            turn.setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, z.clone().cross(x), z));
        } else if (values.zaxis) {
            const z = new THREE.Vector3().fromArray(numbers(values.zaxis, [0, 0, 1])).normalize();
            turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), z);
        }
        return matrix.makeRotationFromQuaternion(turn).setPosition(px, py, pz);
    }

    /** @param {number[]} angles */
    euler(angles) {
        const turn = new THREE.Quaternion();
        [...this.settings.eulerseq].forEach((letter, i) => {
            const axis = new THREE.Vector3().setComponent('xyz'.indexOf(letter.toLowerCase()), 1);
            const one = new THREE.Quaternion().setFromAxisAngle(axis, this.angle(angles[i]));
            if (letter === letter.toLowerCase()) turn.multiply(one);
            else turn.premultiply(one);
        });
        return turn;
    }

    /**
     * What a mesh asset's points go through before they are scaled: less refpos, turned back by refquat.
     * @param {MjcfValues} mesh
     */
    before({refpos, refquat}) {
        const [w, x, y, z] = numbers(refquat, [1, 0, 0, 0]), [px, py, pz] = numbers(refpos, [0, 0, 0]);
        return new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(x, y, z, w).normalize().invert())
            .multiply(new THREE.Matrix4().makeTranslation(-px, -py, -pz));
    }
}

/**
 * An element's attributes over others; one way to say an orientation replaces another.
 * @param {MjcfValues} values @param {XmlElement} element
 * @returns {MjcfValues}
 */
function overlay(values, element) {
    /** @type {MjcfValues} */
    const own = Object.fromEntries(element.attributes), isTurned = ORIENTATIONS.some((name) => own[name]);
    const kept = Object.entries(values).filter(([name]) => !isTurned || !ORIENTATIONS.includes(name));
    return {...Object.fromEntries(kept), ...own};
}

/**
 * The two points of six numbers.
 * @param {number[]} six
 */
const pointsOf = (six) => [0, 3].map((at) => new THREE.Vector3().fromArray(six, at));

/** @param {MjcfValues} values */
function primitiveOf(values) {
    const size = numbers(values.size, [NaN]), type = values.type ?? 'sphere';
    const [a, b] = pointsOf(numbers(values.fromto, [0, 0, 0, 0, 0, 0]));
    const half = values.fromto ? a.distanceTo(b) / 2 : size[1];
    /** @type {Record<string, () => THREE.BufferGeometry>} */
    const makers = {
        sphere: () => new THREE.SphereGeometry(size[0], 32, 16),
        capsule: () => new THREE.CapsuleGeometry(size[0], 2 * half, 8, 32).rotateX(Math.PI / 2),
        cylinder: () => new THREE.CylinderGeometry(size[0], size[0], 2 * half, 32).rotateX(Math.PI / 2),
        box: () => new THREE.BoxGeometry(2 * size[0], 2 * size[1], 2 * size[2]),
        ellipsoid: () => new THREE.SphereGeometry(1, 32, 16).scale(size[0], size[1], size[2]),
    };
    return Number.isFinite(size[0]) ? makers[type]?.() ?? null : null;
}

/**
 * fromto: in the middle of two points, z along them.
 * @param {MjcfValues} values
 */
function endsOf(values) {
    const [a, b] = pointsOf(numbers(values.fromto, [0, 0, 0, 0, 0, 1]));
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), a.clone().sub(b).normalize());
    return new THREE.Matrix4().makeRotationFromQuaternion(turn).setPosition(a.add(b).multiplyScalar(0.5));
}

/**
 * @param {Model} model @param {string} segment @param {MjcfValues} values @param {THREE.Matrix4} within
 * @returns {RobotPart[]}
 */
function partOf(model, segment, values, within) {
    const painted = values.material === undefined ? null : model.materials.get(values.material);
    const color = colorOf(values.rgba) ?? painted ?? null, alpha = numbers(values.rgba, [1, 1, 1, 1])[3];
    const matrix = within.clone().multiply(values.fromto ? endsOf(values) : model.frame(values));
    const mesh = values.type === 'mesh' && values.mesh !== undefined ? model.meshes.get(values.mesh) : null;
    const common = {segment, matrix, color, isBackstage: Number(values.group ?? 0) > 2};
    if (alpha === 0) return [];
    if (mesh?.file) {
        const {meshdir} = model.settings;
        return [{...common, uri: `${meshdir ? `${meshdir.replace(/\/$/, '')}/` : ''}${mesh.file}`,
            scale: numbers(mesh.scale, [1, 1, 1]), before: model.before(mesh), isOverPainted: true}];
    }
    const geometry = primitiveOf(values);
    return geometry ? [{...common, geometry}] : [];
}

/**
 * What the bodies of a model show.
 * @param {XmlElement} root @param {(name: string) => XmlElement | null} include
 */
export function mjcfParts(root, include) {
    const model = new Model(root, include);
    /** @type {RobotPart[]} */
    const parts = [];
    let unnamed = 0;
    /** @param {XmlElement} element @param {string} segment @param {THREE.Matrix4} within @param {string} className */
    const visit = (element, segment, within, className) => {
        const inner = attribute(element, 'childclass') ?? className;
        for (const child of model.children(element)) {
            if (child.name === 'geom') parts.push(...partOf(model, segment, model.see(child, inner), within));
            if (child.name === 'frame') {
                const own = model.frame(Object.fromEntries(child.attributes));
                visit(child, segment, within.clone().multiply(own), inner);
            }
        }
        for (const child of model.children(element)) {
            if (child.name !== 'body') continue;
            unnamed++;
            visit(child, attribute(child, 'name') || `body${unnamed}`, new THREE.Matrix4(), inner);
        }
    };
    for (const section of model.children(root)) {
        if (section.name === 'worldbody') visit(section, 'world', new THREE.Matrix4(), 'main');
    }
    const shown = new Set(parts.filter((part) => !part.isBackstage).map((part) => part.segment));
    return parts.filter((part) => !part.isBackstage || !shown.has(part.segment));
}
