/* The viewport: draws the scene and the frame that the store holds, and lets people take hold of what they see. Nothing
 * is drawn unless something changed. The parts: bodies (figures), skin (characters), ground, painter (lines and marks),
 * labels, pick, pointer, keyboard, camera. World coordinates are Limber's: metres, z up. */
import * as THREE from 'three';
import {Bodies} from './bodies.js';
import {OrbitCamera} from './camera.js';
import {Cloud} from './cloud.js';
import {canTurn, drawGoals, handleFrame} from './goals.js';
import {Gizmo, meetPlane} from './gizmo.js';
import {canMove, goalAt} from './goal_motion.js';
import {Ground} from './ground.js';
import {Keyboard} from './keyboard.js';
import {drawLimits, jointPlace} from './limits.js';
import {Labels, plainName} from './labels.js';
import {drawBalance, drawBlockers, drawChain, drawForces, drawJoints, drawShortfall, drawVision, effortColors} from
    './marks.js';
import {Pace} from './pace.js';
import {Painter} from './painter.js';
import {takePicture} from './picture.js';
import {localPoint, partOutline, Picker} from './pick.js';
import {Pointer} from './pointer.js';
import {Skins} from './skins.js';
import {sizeOf} from './sticks.js';
import {readTheme} from './theme.js';
import {segmentFrame, toWorld} from './vec.js';

const MAX_RATIO = 2; /* device pixels per CSS pixel that are drawn at most */

/** Whether pictures are drawn without a graphics card. */
function isSoftware(gl) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class View {
    /**
     * @param {HTMLCanvasElement} canvas fills its parent
     * @param {import('../store.js').Store} store
     * @param {{call: Function}} [client] the engine's other end
     */
    constructor(canvas, store, client = store.client) {
        Object.assign(this, {canvas, store, client, scene: null, frame: null, size: 1.8, level: 0, hover: null,
            hoverGoal: null, preview: null, goalHandles: [], ghosts: [], choices: null, chains: new Map()});
        this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true,
            powerPreference: 'high-performance'});
        this.fineness = isSoftware(this.renderer.getContext()) ? 1 : 1.6;
        this.world = new THREE.Scene();
        this.orbit = new OrbitCamera(() => this.requestDraw(), () => { this.isUntouched = false; });
        this.painter = new Painter(this.world);
        this.ground = new Ground(this.world, this.painter.uniforms);
        this.bodies = new Bodies(this.world);
        this.cloud = new Cloud(this.world);
        this.skins = new Skins(this.world, this.bodies.uniforms.frames, {
            changed: () => this.skinsChanged(),
            failed: (file, error) =>
                store.message('warning', `The skin of ${file} cannot be shown: ${error.message ?? error}`),
        });
        this.picker = new Picker();
        this.gizmo = new Gizmo();
        this.addLights();
        const overlay = document.getElementById('overlay') ?? canvas.parentElement;
        this.labels = new Labels(overlay);
        this.project2 = (point) => this.projectLocal(point);
        this.pointer = new Pointer(this);
        this.keyboard = new Keyboard(this, overlay);
        this.pace = new Pace((part) => this.resize(part));
        this.setTheme();
        this.listen();
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
        if (store.scene) this.setScene(store.scene);
        if (store.frame) this.setFrame(store.frame);
    }

    addLights() {
        this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8d8780, 1.9);
        this.hemisphere.position.set(0, 0, 1);
        this.key = new THREE.DirectionalLight(0xffffff, 1.9);
        this.world.add(this.hemisphere, this.key, this.key.target);
    }

    listen() {
        const {store} = this;
        store.on('scene', (scene) => this.setScene(scene));
        store.on('frame', (frame) => this.setFrame(frame));
        store.on('selection', (selection) => {
            this.keyboard.describe(selection);
            this.requestDraw();
        });
        store.on('settings', () => this.settingsChanged());
        store.on('reach', (reach) => this.setReach(reach));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.setTheme());
        this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        this.canvas.addEventListener('webglcontextrestored', () => this.requestDraw());
    }

    /* --- What is shown -------------------------------------------------------------------------------------------- */

    setTheme() {
        this.theme = readTheme(this.canvas.parentElement);
        this.ground.setTheme(this.theme);
        this.bodies.setLight(this.theme);
        this.hemisphere.intensity = this.theme.isDark ? 1.5 : 2.0;
        if (this.scene && this.frame) this.rebuild();
        if (this.store.reach) this.setReach(this.store.reach);
        this.requestDraw();
    }

    settingsChanged() {
        const {shapes, skin} = this.store.settings.show, look = `${shapes} ${skin}`,
            dark = document.documentElement.dataset.theme;
        if (dark !== this.shownTheme) {
            this.shownTheme = dark;
            this.setTheme();
        } else if (look !== this.shownLook && this.scene && this.frame) {
            this.rebuild();
        }
        this.shownLook = look;
        this.requestDraw();
    }

    /** A new document, or the same one changed: figures are only made anew where they differ. */
    setScene(scene) {
        const key = JSON.stringify(scene.figures.map((f) => [f.name, f.file, f.segments, f.shapes, f.sites]));
        const isNew = key !== this.figureKey, isOther = scene.figures.map((f) => f.file).join() !== this.fileKey;
        this.scene = scene;
        this.chains = new Map();
        this.figureKey = key;
        this.fileKey = scene.figures.map((f) => f.file).join();
        if (isNew) {
            this.hover = null;
            this.isBuildDue = true;
            this.skins.load(scene.figures, this.store.files);
        }
        this.isFitDue = isOther || this.isFitDue;
        this.requestDraw();
    }

    rebuild() {
        const {figures} = this.scene, {show} = this.store.settings,
            tints = [1, 2, 3, 4].map((i) => this.theme[`figure${i}`]);
        this.size = Math.max(...figures.map((figure) => sizeOf(figure, this.frame.matrices)), 1e-3);
        this.skins.visible = show.skin;
        const hidden = new Set(figures.map((_, f) => f).filter((f) => this.skins.covers(f)));
        const look = {whole: this.size, fineness: this.fineness, tints, hidden, bones: !show.shapes};
        this.bodies.build(figures, look);
        this.picker.setScene(figures, this.size, !show.shapes);
        this.balls = this.picker.balls();
        for (const ball of this.balls) {
            if (hidden.has(ball.figure)) ball.radius = Math.max(ball.radius, 0.03 * this.size);
        }
        this.isBuildDue = false;
        this.setFrame(this.frame);
        this.setGhosts(this.ghosts);
    }

    setFrame(frame) {
        const count = this.scene?.figures.reduce((sum, figure) => sum + figure.segments.length, 0);
        if (this.scene && frame.matrices.length !== 12 * count) return; /* of a scene that is gone */
        this.frame = frame;
        if (!this.scene) return;
        if (this.isBuildDue) this.rebuild();
        this.bodies.frames.setFrames(frame.matrices);
        this.skins.update(frame.matrices);
        this.isCastDue = true;
        this.follow(frame);
        if (this.isFitDue) {
            this.isFitDue = false;
            this.isUntouched = true;
            this.frameAll();
        }
        this.requestDraw();
    }

    skinsChanged() {
        this.rebuild();
        if (this.isUntouched) this.frameAll();
        this.requestDraw();
    }

    /** What plays is kept in sight: the camera goes along, over the ground, as far as the figures do. */
    follow(frame) {
        const isPlayed = frame.time !== undefined, count = frame.matrices.length / 12, middle = [0, 0];
        for (let i = 0; i < count; i++) {
            middle[0] += frame.matrices[12 * i + 3] / count;
            middle[1] += frame.matrices[12 * i + 7] / count;
        }
        const before = this.followed;
        this.followed = isPlayed && count ? {middle, count} : null;
        if (!this.followed || before?.count !== count) return;
        this.orbit.shift([middle[0] - before.middle[0], middle[1] - before.middle[1], 0]);
        this.ground.follow(this.orbit.state.target);
    }

    /** Copies of the figures in other poses: [{matrices, alpha, before}]; [] removes them. */
    setGhosts(ghosts) {
        this.ghosts = ghosts;
        const isShown = this.store.settings.show.ghosts !== false && this.bodies.frames;
        const fitting = isShown ? ghosts.filter((g) => g.matrices.length === 12 * this.bodies.frames.count) : [];
        this.bodies.setGhosts(this.choices?.list ?? fitting, this.theme.accent, this.theme.warn);
        this.requestDraw();
    }

    /** Ghosts of which a person chooses one, instead of the others: as setGhosts has them; null: no longer. */
    setChoices(list, at = 0) {
        this.choices = list && {list, at};
        this.hover = null;
        this.setGhosts(this.ghosts);
    }

    /** The choice that is seen at a place of the page: the foremost, of several there the one that is shown; or -1. */
    choiceAt({clientX, clientY}) {
        const {from, direction} = this.ray(clientX, clientY), {list, at} = this.choices;
        const hits = list.map(({matrices}) => this.picker.pick(matrices, from, direction)?.t ?? Infinity);
        const first = Math.min(...hits), isFirst = (t) => t <= first + 1e-6 * this.size;
        return first === Infinity ? -1 : isFirst(hits[at]) ? at : hits.findIndex(isFirst);
    }

    /** The cloud of where a site can go, with its envelope: {figure, site, points, envelope}, or null. */
    setReach(reach) {
        const figure = reach && this.scene?.figures[reach.figure],
            site = figure?.sites.find((s) => s.name === reach.site);
        const from = site && this.frame
            ? toWorld(segmentFrame(this.frame.matrices, figure.firstSegment + site.segment), site.position) : null;
        this.cloud.set(reach?.points ?? null, from, this.theme, this.renderer.getPixelRatio());
        this.cloud.setShell(reach?.envelope ?? null, this.theme);
        this.requestDraw();
    }

    /* --- Drawing -------------------------------------------------------------------------------------------------- */

    /** Fits the picture to the page, with a part of the pixels where drawing is slow. */
    resize(part = 1) {
        const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
        if (!width || !height) return;
        const isOther = width !== this.width || height !== this.height;
        this.setPixels(width, height, part * Math.min(devicePixelRatio || 1, MAX_RATIO));
        this.readInsets();
        if (isOther && this.isUntouched) this.frameAll({isNew: false}); // a phone that is turned, panels that open
        this.draw();
    }

    /** Where the bar of the picked part lies over the view, as the style sheet says for this size of the page. */
    readInsets() {
        const style = getComputedStyle(this.canvas.parentElement);
        const pixels = (side) => parseFloat(style.getPropertyValue(`--inset-${side}`)) || 0;
        this.orbit.setInsets({top: pixels('top'), bottom: pixels('bottom'), left: pixels('left')});
    }

    setPixels(width, height, ratio) {
        this.width = width;
        this.height = height;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
        this.painter.setSize(width * ratio, height * ratio, ratio);
        this.orbit.setSize(width, height);
    }

    requestDraw() {
        if (this.isDrawDue) return;
        this.isDrawDue = true;
        requestAnimationFrame(() => {
            this.isDrawDue = false;
            this.draw();
            this.pace.drawn();
        });
    }

    draw() {
        if (!this.width) return;
        if (this.orbit.step()) this.requestDraw();
        this.aimLights();
        const {show} = this.store.settings;
        this.ground.grid.visible = show.ground !== false && !this.isGridHidden;
        this.cloud.visible = show.reach !== false && !this.isPlain;
        this.bodies.ghostsVisible = (show.ghosts !== false || Boolean(this.choices)) && !this.isPlain;
        if (this.scene && this.frame && !this.isBuildDue) {
            if (this.isCastDue) this.ground.cast(this.balls, this.frame.matrices);
            this.isCastDue = false;
            this.drawMarks();
        }
        this.renderer.render(this.world, this.orbit.camera);
        this.store.emit('drawn');
    }

    /** The key light comes over the viewer's left shoulder, half way. */
    aimLights() {
        const {azimuth} = this.orbit.state, a = azimuth - 0.7, light = [0.55 * Math.cos(a), 0.55 * Math.sin(a), 0.85];
        this.bodies.uniforms.keyLight.value.set(...light).normalize();
        this.key.position.set(...light);
    }

    /** The scene with its goals where they are now: one may be held, others driven by tracks. */
    shownScene() {
        const {preview, scene} = this, driven = new Map((this.frame.goals ?? []).map((g) => [g.name, g]));
        if (!preview && !driven.size) return scene;
        const shown = (constraint) => {
            const isHeld = preview && (constraint.id === preview.constraint.id
                || (constraint.from === 'avoid' && preview.constraint.from === 'avoid'
                    && constraint.index === preview.constraint.index));
            const track = driven.get(constraint.name);
            if (isHeld) return {...constraint, goal: preview.goal};
            if (!track) return constraint;
            return {...constraint, goal: track.position ? goalAt(constraint.goal, track) : constraint.goal,
                disabled: track.enabled === undefined ? constraint.disabled : !track.enabled};
        };
        return {...scene, constraints: scene.constraints.map(shown)};
    }

    /** What those who draw marks work with. */
    context() {
        const {camera} = this.orbit, eye = camera.position.toArray();
        const scene = this.shownScene();
        return {
            painter: this.painter, labels: this.labels, theme: this.theme, scene, frame: this.frame, size: this.size,
            level: this.level, selection: this.store.selection, settings: this.store.settings,
            hoverGoal: this.hoverGoal,
            picker: this.picker, eye, axes: this.orbit.axes(),
            pixel: (p) => this.orbit.pixel(Math.max(1e-3, Math.hypot(p[0] - eye[0], p[1] - eye[1], p[2] - eye[2]))),
        };
    }

    drawMarks() {
        const d = this.context(), {show} = this.store.settings;
        this.painter.clear();
        this.labels.clear();
        this.gizmo.clear();
        this.highlight(d);
        drawBalance(d);
        drawForces(d);
        drawVision(d);
        this.goalHandles = show.goals === false ? [] : drawGoals(d);
        drawLimits(d);
        drawJoints(d);
        const held = this.pointer.isHolding && this.pointer.mode.hasMoved, isShort = drawShortfall(d);
        const hasUnmet = this.frame.constraints.some((c) => c.counted && !c.met);
        if (isShort || (hasUnmet && !held)) drawBlockers(d);
        this.drawHeld(d);
        this.drawGizmo(d);
        this.painter.commit();
        if (!this.isPicture) this.labels.commit(this.project2, this.theme, this.width, this.height);
    }

    /** Selected and hovered parts glow. */
    highlight(d) {
        const {frames} = this.bodies, {selection} = d;
        frames.clearGlow();
        if (this.isPlain) return;
        for (const {index, color, strength} of effortColors(d)) frames.setGlow(index, color, strength);
        const glow = (figure, segment, strength) =>
            frames.setGlow(this.scene.figures[figure].firstSegment + segment, this.theme.accent, strength);
        const chosen = this.selectedPart();
        if (chosen && selection.kind !== 'constraint') glow(chosen.figure, chosen.segment, 1);
        const part = this.pointer.mode?.part ?? this.hover;
        if (!part) return;
        const isChosen = chosen && chosen.figure === part.figure && chosen.segment === part.segment;
        glow(part.figure, part.segment, isChosen ? 1 : 0.6);
        const isHeld = this.pointer.mode?.hasMoved;
        if (!isHeld) {
            d.labels.add(part.point, plainName(this.scene.figures[part.figure].segments[part.segment].name),
                {rank: 0, dy: -28});
        }
    }

    drawHeld(d) {
        const {mode} = this.pointer, isDrag = mode?.kind === 'part' && mode.hasMoved;
        const held = isDrag ? {...mode.part, point: mode.hold.at()} : this.chainShown;
        if (held) drawChain(d, held, this.chainOf(held));
    }

    /** Shows for a moment which joints a drag of this part would move. */
    showChain(part) {
        this.chainShown = part;
        clearTimeout(this.chainTimer);
        this.chainTimer = setTimeout(() => {
            this.chainShown = null;
            this.requestDraw();
        }, 1500);
        this.requestDraw();
    }

    drawGizmo(d) {
        const {selection, settings} = d, hold = this.pointer.mode?.hold;
        this.gizmoTarget = null;
        if (this.pointer.mode?.hasMoved && this.pointer.mode.kind === 'part') return;
        if (selection?.kind === 'constraint') {
            const constraint = d.scene.constraints.find((c) => c.name === selection.name);
            if (!constraint || !this.canMove(constraint)) return;
            const at = this.frame.constraints.find((r) => r.id === constraint.id)?.at;
            const original = this.scene.constraints.find((c) => c.name === selection.name);
            this.gizmoTarget = {frame: handleFrame(constraint, d.scene, this.frame, at), constraint: original};
            this.gizmo.draw(d, this.gizmoTarget.frame,
                {move: constraint.goal.kind !== 'orientation', turn: canTurn(constraint.goal)});
        } else if (settings.tool === 'turn') {
            const part = this.selectedPart();
            if (!part) return;
            const index = this.scene.figures[part.figure].firstSegment + part.segment, pivot = this.pivotOf(part);
            const frame = [...segmentFrame(this.frame.matrices, index)];
            [frame[3], frame[7], frame[11]] = pivot;
            const local = localPoint(this.frame.matrices, index, pivot);
            this.gizmoTarget = {frame: hold?.frame && hold.turn ? hold.frame : frame, part: {...part, local}};
            this.gizmo.draw(d, this.gizmoTarget.frame, {turn: true});
        }
    }

    /** What a part turns about: the joint that carries it. */
    pivotOf({figure: f, segment}) {
        const figure = this.scene.figures[f], {joint} = figure.segments[segment];
        if (joint >= 0) return jointPlace(figure, figure.joints[joint], this.frame.matrices);
        const m = segmentFrame(this.frame.matrices, figure.firstSegment + segment);
        return [m[3], m[7], m[11]];
    }

    /* --- Holds ---------------------------------------------------------------------------------------------------- */

    /** Asks the engine; a frame that comes back is shown. Answers that newer ones overtook are empty. */
    async ask(method, args) {
        try {
            const result = await this.client.call(method, args);
            const frame = result?.matrices ? result : result?.frame;
            if (frame?.matrices) this.store.setFrame(frame);
            return result;
        } catch (error) {
            this.store.message('error', error?.message ?? String(error));
            return null;
        }
    }

    beginHold(mode) {
        if (mode.hasBegun) return;
        mode.hasBegun = true;
        this.store.emit('hold', mode.kind);
        this.hover = null;
        if (mode.kind === 'part') this.selectPart(mode.part);
        if (mode.kind === 'goal') this.selectGoal(mode.constraint);
        this.canvas.style.cursor = 'grabbing';
    }

    async endHold(mode, commit) {
        this.canvas.style.cursor = '';
        await mode.hold.end(commit);
    }

    stopSteps() {
        this.keyboard.finish();
    }

    canMove(constraint) {
        return canMove(constraint);
    }

    /** What a drag of this part can move, nearest first: joints and groups, `root` last; [] until it is known. */
    chainOf({figure, segment}) {
        const key = `${figure} ${segment}`;
        if (!this.chains.has(key)) {
            this.chains.set(key, []);
            const {chains} = this;
            this.client.call('chain', {figure, segment}).then((result) => {
                chains.set(key, result?.chain ?? []);
                this.requestDraw();
            }, () => {});
        }
        return this.chains.get(key);
    }

    /* --- Selection ------------------------------------------------------------------------------------------------ */

    selectPart(part) {
        const figure = this.scene.figures[part.figure], {name} = figure.segments[part.segment];
        const local = part.local ?? localPoint(this.frame.matrices, figure.firstSegment + part.segment, part.point);
        this.store.picked = {figure: part.figure, segment: name, point: part.point, local};
        this.store.select({kind: 'segment', figure: part.figure, name});
        this.store.emit('picked', this.store.picked);
        this.requestDraw();
    }

    selectGoal({figure, name}) {
        this.store.select({kind: 'constraint', figure, name});
    }

    selectNothing(clientX, clientY) {
        const ray = this.ray(clientX, clientY);
        this.store.picked = {figure: null, point: meetPlane(ray, [0, 0, this.level], [0, 0, 1])};
        this.store.select(null);
        this.store.emit('picked', this.store.picked);
    }

    /** A right click or a long press: whoever has a menu shows it. */
    askMenu(clientX, clientY) {
        const part = this.pickAt(clientX, clientY, 6);
        if (part) this.selectPart(part);
        else this.selectNothing(clientX, clientY);
        this.store.emit('menu', {x: clientX, y: clientY, picked: this.store.picked});
    }

    /** The selected part with the point to move it by: where it was picked, else a site, else its middle. */
    selectedPart() {
        const {selection, picked} = this.store, figure = selection && this.scene?.figures[selection.figure];
        if (!figure || selection.kind === 'constraint') return null;
        const segments = {
            segment: () => figure.segments.findIndex((s) => s.name === selection.name),
            site: () => figure.sites.find((s) => s.name === selection.name)?.segment ?? -1,
            joint: () => figure.joints.find((j) => j.name === selection.name)?.segmentB ?? -1,
        };
        const segment = segments[selection.kind]?.() ?? -1;
        if (segment < 0) return null;
        const isPicked = picked?.figure === selection.figure && picked.segment === figure.segments[segment].name;
        const site = figure.sites.find((s) =>
            (selection.kind === 'site' ? s.name === selection.name : s.segment === segment));
        const middle = site?.position ?? figure.segments[segment].com ?? [0, 0, 0];
        const local = selection.kind === 'segment' && isPicked ? picked.local : middle;
        return {figure: selection.figure, segment, local};
    }

    /* --- Screen and world ----------------------------------------------------------------------------------------- */

    /** The ray of a place on the page (client coordinates). */
    ray(clientX, clientY) {
        const box = this.canvas.getBoundingClientRect(), {camera} = this.orbit;
        const x = 2 * (clientX - box.left) / box.width - 1, y = 1 - 2 * (clientY - box.top) / box.height;
        const from = camera.position, to = new THREE.Vector3(x, y, 0.5).unproject(camera).sub(from).normalize();
        return {from: from.toArray(), direction: to.toArray()};
    }

    localPoint2({clientX, clientY}) {
        const box = this.canvas.getBoundingClientRect();
        return {x: clientX - box.left, y: clientY - box.top};
    }

    /** A point of the world in pixels of the canvas; null behind the camera. */
    projectLocal(point) {
        const v = new THREE.Vector3(...point).project(this.orbit.camera);
        return v.z > 1 || !Number.isFinite(v.x) ? null
            : {x: (v.x + 1) / 2 * this.width, y: (1 - v.y) / 2 * this.height};
    }

    /** A point of the world in client coordinates [x, y]; null behind the camera. */
    toScreen(point) {
        const at = this.projectLocal(point), box = this.canvas.getBoundingClientRect();
        return at && [box.left + at.x, box.top + at.y];
    }

    /** The same as an object {x, y}. */
    project(point) {
        const at = this.toScreen(point);
        return at && {x: at[0], y: at[1]};
    }

    /** What the pointer would take at a place of the page: {figure, segment (index), name, point} or null. */
    pick(clientX, clientY) {
        const hit = this.pickAt(clientX, clientY, 6);
        return hit && {figure: hit.figure, segment: hit.segment,
            name: this.scene.figures[hit.figure].segments[hit.segment].name, point: hit.point};
    }

    pickAt(clientX, clientY, pixels) {
        if (!this.scene || !this.frame || this.isBuildDue) return null;
        const {from, direction} = this.ray(clientX, clientY), slack = pixels * this.orbit.pixel(1);
        const best = this.skins.pick(from, direction), isShown = (part) => !this.skins.shows(part.figure) || !best;
        const hit = this.picker.pick(this.frame.matrices, from, direction, best ? 0 : slack, isShown);
        return hit && (!best || hit.t < best.t) ? hit : best;
    }

    goalAt(at, slack) {
        let best = null;
        for (const handle of this.goalHandles) {
            const p = this.projectLocal(handle.place), off = p ? Math.hypot(p.x - at.x, p.y - at.y) : Infinity;
            if (off <= slack && (!best || off < best.off)) best = {...handle, off};
        }
        return best;
    }

    /** What the wheel zooms towards: the part under the cursor, else the target's depth there. */
    zoomPoint(clientX, clientY) {
        const ray = this.ray(clientX, clientY), hit = this.scene && this.pickAt(clientX, clientY, 0);
        return hit?.point ?? meetPlane(ray, this.orbit.state.target, this.orbit.axes().back);
    }

    /* --- Camera --------------------------------------------------------------------------------------------------- */

    /** Balls around what is shown: of some segments (indices over all figures), or of all of them. */
    extent(wanted = null) {
        const isMeant = (part) => (wanted ? wanted.has(part.index) : !this.skins.shows(part.figure));
        const balls = (this.picker.parts ?? []).filter(isMeant)
            .flatMap((part) => partOutline(part, segmentFrame(this.frame.matrices, part.index)));
        if (!wanted) balls.push(...this.skins.outline());
        return balls.filter((ball) => Number.isFinite(ball.center[0] + ball.center[1] + ball.center[2] + ball.radius));
    }

    /** The ground is the world's z = 0 where figures stand on it or hover a little, else it lies under the lowest. */
    layGround(low, high, span) {
        this.level = low[2] > -0.1 * span && low[2] < 0.25 * span ? 0 : low[2];
        this.bodies.uniforms.groundLevel.value = this.level;
        this.ground.place([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], 1.2 * span, this.level);
        this.isCastDue = true;
    }

    /** Shows everything; of a new document it lays the ground first. */
    frameAll({isNew = this.isUntouched} = {}) {
        if (!this.frame || !this.scene) return;
        let balls = this.extent();
        if (!balls.length) balls = [{center: [0, 0, 0.5 * this.size], radius: 0.6 * this.size}];
        const low = [0, 1, 2].map((i) => Math.min(...balls.map((b) => b.center[i] - b.radius)));
        const high = [0, 1, 2].map((i) => Math.max(...balls.map((b) => b.center[i] + b.radius)));
        const span = Math.max(1e-3, Math.hypot(...high.map((v, i) => v - low[i])) / 2);
        if (isNew) this.layGround(low, high, span);
        this.orbit.fit(balls, span);
        this.requestDraw();
    }

    frameSelection() {
        const part = this.selectedPart();
        const balls = part && this.extent(new Set([this.scene.figures[part.figure].firstSegment + part.segment]));
        if (balls?.length) this.orbit.fit(balls, this.orbit.size, 2.4);
        else this.frameAll();
    }

    get camera() {
        return this.orbit.get();
    }

    set camera(state) {
        this.orbit.set(state);
    }

    look(name) {
        this.orbit.look(name);
    }

    /**
     * The view as a PNG.
     * @param {{width?: number, height?: number, transparent?: boolean, plain?: boolean}} options plain: figures only
     * @returns {Promise<Blob>}
     */
    picture(options) {
        return takePicture(this, options);
    }
}
