/* Where a site can go: a cloud of points, coloured from near (to where it is now) to far, in the envelope that it
 * cannot leave. */
import * as THREE from './three.js';
import {blend} from './theme.js';

export class Cloud {
    /** @param {THREE.Scene} scene */
    constructor(scene) {
        this.points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({
            vertexColors: true, size: 3, sizeAttenuation: false, transparent: true, opacity: 0.75, depthWrite: false,
        }));
        this.points.frustumCulled = false;
        this.points.visible = false;
        this.points.renderOrder = 6;
        this.count = 0;
        this.shell = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshLambertMaterial({
            transparent: true, opacity: 0.14, depthWrite: false,
        }));
        this.shell.visible = false;
        this.shell.renderOrder = 5;
        this.hasShell = false;
        scene.add(this.points, this.shell);
    }

    /**
     * @param {Float32Array | null} positions x, y, z of each point
     * @param {Vec | null} from where the site is
     * @param {Theme} theme
     */
    set(positions, from, theme, ratio = 1) {
        this.points.geometry.dispose();
        this.points.geometry = new THREE.BufferGeometry();
        this.count = positions ? positions.length / 3 : 0;
        if (!positions || !this.count) return;
        const distances = new Float32Array(this.count), origin = from ?? [positions[0], positions[1], positions[2]];
        let far = 1e-9;
        for (let i = 0; i < this.count; i++) {
            distances[i] = Math.hypot(positions[3 * i] - origin[0], positions[3 * i + 1] - origin[1],
                positions[3 * i + 2] - origin[2]);
            far = Math.max(far, distances[i]);
        }
        const colors = new Float32Array(3 * this.count), color = new THREE.Color();
        for (let i = 0; i < this.count; i++) {
            const [r, g, b] = blend(theme.accent, theme.warn, distances[i] / far);
            color.setRGB(r, g, b, THREE.SRGBColorSpace).toArray(colors, 3 * i);
        }
        this.points.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
        this.points.geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
        this.points.material.size = 2.6 * ratio;
    }

    /**
     * @param {ReachCloud['envelope']} mesh nothing of the site goes beyond it
     * @param {Theme} theme
     */
    setShell(mesh, theme) {
        this.shell.geometry.dispose();
        this.shell.geometry = new THREE.BufferGeometry();
        this.hasShell = Boolean(mesh?.index.length);
        if (!mesh || !this.hasShell) return;
        this.shell.geometry.setAttribute('position', new THREE.BufferAttribute(mesh.positions, 3));
        this.shell.geometry.setIndex(new THREE.BufferAttribute(mesh.index, 1));
        this.shell.geometry.computeVertexNormals();
        const [r, g, b] = theme.accent;
        this.shell.material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
    }

    /** @param {boolean} on */
    set visible(on) {
        this.points.visible = on && this.count > 0;
        this.shell.visible = on && this.hasShell;
    }
}
