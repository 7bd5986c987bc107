/* The viewport: draws the scene and the frame that the store holds, and lets people take hold of what they see. Nothing
 * is drawn unless something changed. The parts: bodies (figures), skin (characters), ground, painter (lines and marks),
 * labels, pick, pointer, keyboard, camera. World coordinates are Limber's: metres, z up. */
import * as THREE from './three.js';
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
import {Skins} from './skin/skins.js';
import {sizeOf} from './sticks.js';
import {ManyHold} from './many_hold.js';
import {middleOf, together} from '../actions/together.js';
import {drawSwivel} from './swivel.js';
import {drawTrails} from './trails.js';
import {readTheme} from './theme.js';
import {add, matrixPoint, segmentMatrix} from '../math/vector.js';

const FLOATS = 0.2; /* of a figure's height: a clip that begins so far above or below the rest of it */
const MAX_RATIO = 2; /* device pixels per CSS pixel that are drawn at most */

/**
 * Whether pictures are drawn without a graphics card.
 * @param {WebGLRenderingContext | WebGL2RenderingContext} gl
 */
function isSoftware(gl) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class View {
    /**
     * @param {HTMLCanvasElement} canvas fills its parent
     * @param {Store} store
     * @param {Client} [client] the engine's other end
     */
    constructor(canvas, store, client = store.client) {
        this.canvas = canvas;
        this.store = store;
        this.client = client;
        /** @type {Scene | null} */
        this.scene = null;
        /** @type {PoseFrame | null} */
        this.frame = null;
        this.size = 1.8;
        this.level = 0;
        this.width = 0;
        this.height = 0;
        /** @type {Hit | null} the part under the pointer */
        this.hover = null;
        /** @type {string | null} the name of the goal under the pointer */
        this.hoverGoal = null;
        /** @type {GoalPreview | null} goals that are held, where they are seen meanwhile */
        this.preview = null;
        /** @type {GoalHandle[]} */
        this.goalHandles = [];
        /** @type {GizmoTarget | null} */
        this.gizmoTarget = null;
        /** @type {Swivel | null} what the swivel handle is at */
        this.swivel = null;
        /** @type {ShownGhost[]} */
        this.ghosts = [];
        /** @type {ShownGhost[] | null} */
        this.reference = null;
        /** @type {{list: ShownGhost[], at: number} | null} */
        this.choices = null;
        /** @type {ShownTrails | null} */
        this.trails = null;
        /** @type {Map<string, string[]>} */
        this.chains = new Map();
        /** @type {PlacedPart | null} the part whose chain is shown for a moment */
        this.chainShown = null;
        /** @type {SegmentBall[]} what throws shadows */
        this.balls = [];
        /** @type {string | undefined} */
        this.shownTheme = undefined;
        this.shownLook = '';
        this.isUntouched = false; /* nobody has moved the camera */
        this.isPlain = this.isPicture = this.isGridHidden = false; /* picture.js */
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
            missing: (file, list) => this.tellMissing(file, list),
        });
        store.on?.('meshes', () => this.scene && this.skins.load(this.scene.figures, store.files));
        this.picker = new Picker();
        this.gizmo = new Gizmo();
        this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8d8780, 1.9);
        this.key = new THREE.DirectionalLight(0xffffff, 1.9);
        this.addLights();
        const overlay = store.home?.$('overlay') ?? this.parent;
        this.labels = new Labels(overlay);
        /** @type {Project} */
        this.project2 = (point) => this.projectLocal(point);
        this.pointer = new Pointer(this);
        this.keyboard = new Keyboard(this, overlay);
        this.pace = new Pace((part) => this.resize(part));
        this.theme = this.setTheme();
        this.listen();
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.parent);
        this.resize();
        if (store.scene) this.setScene(store.scene);
        if (store.frame) this.setFrame(store.frame);
    }

    /** What the canvas fills. */
    get parent() {
        return /** @type {HTMLElement} */ (this.canvas.parentElement);
    }

    addLights() {
        this.hemisphere.position.set(0, 0, 1);
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
        store.home?.onMedia('(prefers-color-scheme: dark)', () => this.setTheme());
        this.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
        this.canvas.addEventListener('webglcontextrestored', () => this.requestDraw());
    }

    /* --- What is shown -------------------------------------------------------------------------------------------- */

    /** @returns {Theme} */
    setTheme() {
        this.theme = readTheme(this.parent);
        this.ground.setTheme(this.theme);
        this.bodies.setLight(this.theme);
        this.hemisphere.intensity = this.theme.isDark ? 1.5 : 2.0;
        if (this.scene && this.frame) this.rebuild();
        if (this.store.reach) this.setReach(this.store.reach);
        this.requestDraw();
        return this.theme;
    }

    settingsChanged() {
        const {shapes, skin} = this.store.settings.show, look = `${shapes} ${skin}`,
            dark = /** @type {HTMLElement | null} */ (this.canvas.closest('[data-theme]'))?.dataset.theme;
        if (dark !== this.shownTheme) {
            this.shownTheme = dark;
            this.setTheme();
        } else if (look !== this.shownLook && this.scene && this.frame) {
            this.rebuild();
        }
        this.shownLook = look;
        this.requestDraw();
    }

    /**
     * A new document, or the same one changed: figures are only made anew where they differ.
     * @param {Scene} scene
     */
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

    /**
     * Meshes of a robot that could not be shown, and what to do about it.
     * @param {string} file @param {{uri: string, reason: string}[]} list
     */
    tellMissing(file, list) {
        const [{uri, reason}] = list, count = list.length === 1 ? 'A mesh' : `${list.length} meshes`;
        const all = list.map((one) => ({file: one.uri, line: 0, message: one.reason}));
        this.store.message('warning', `${count} of ${file} cannot be shown: ${uri}: ${reason}. ` +
            'Drop the folder that has them, or start `limber studio` with --packages.', {list: all});
    }

    rebuild() {
        const {scene: {figures}, frame} = /** @type {ShownView} */ (this), {show} = this.store.settings;
        const tints = /** @type {const} */ ([1, 2, 3, 4]).map((i) => this.theme[`figure${i}`]);
        this.size = Math.max(...figures.map((figure) => sizeOf(figure, frame.matrices)), 1e-3);
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
        this.setFrame(frame);
        this.setGhosts(this.ghosts);
    }

    /** @param {PoseFrame} frame */
    setFrame(frame) {
        const count = this.scene?.figures.reduce((sum, figure) => sum + figure.segments.length, 0) ?? 0;
        if (this.scene && frame.matrices.length !== 12 * count) return; /* of a scene that is gone */
        this.frame = frame;
        if (!this.scene) return;
        if (this.isBuildDue) this.rebuild();
        this.bodies.frames?.setFrames(frame.matrices);
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

    /**
     * What plays is kept in sight: the camera goes along, over the ground, as far as the figures do.
     * @param {PoseFrame} frame
     */
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

    /**
     * Copies of the figures in other poses: [{matrices, alpha, before}]; [] removes them.
     * @param {ShownGhost[]} ghosts
     */
    setGhosts(ghosts) {
        this.ghosts = ghosts;
        const frames = this.store.settings.show.ghosts !== false ? this.bodies.frames : null;
        const all = this.reference ? [...this.reference, ...ghosts] : ghosts;
        const fitting = frames ? all.filter((g) => g.matrices.length === 12 * frames.count) : [];
        const tinted = fitting.map((g) => (g.color ? {...g, tint: this.theme[g.color]} : g));
        this.bodies.setGhosts(this.choices?.list ?? tinted, this.theme.accent, this.theme.warn);
        this.requestDraw();
    }

    /**
     * The way of points through the motion: {trails: [{name, points}], times}, or null.
     * @param {ShownTrails | null} trails
     */
    setTrails(trails) {
        this.trails = trails;
        this.requestDraw();
    }

    /**
     * A pose that others are compared with: its matrices, or null.
     * @param {Float64Array | null} matrices
     */
    setReference(matrices) {
        this.reference = matrices && [{matrices, alpha: 0.6, color: 'figure4'}];
        this.setGhosts(this.ghosts);
    }

    /**
     * Ghosts of which a person chooses one, instead of the others: as setGhosts has them; null: no longer.
     * @param {ShownGhost[] | null} list
     */
    setChoices(list, at = 0) {
        this.choices = list && {list, at};
        this.hover = null;
        this.setGhosts(this.ghosts);
    }

    /**
     * The choice that is seen at a place of the page: the foremost, of several there the one that is shown; or -1.
     * @param {ClientPlace} place
     */
    choiceAt({clientX, clientY}) {
        const {from, direction} = this.ray(clientX, clientY), {list, at} = this.choices ?? {list: [], at: 0};
        const hits = list.map(({matrices}) => this.picker.pick(matrices, from, direction)?.t ?? Infinity);
        const first = Math.min(...hits), isFirst = (/** @type {number} */ t) => t <= first + 1e-6 * this.size;
        return first === Infinity ? -1 : isFirst(hits[at]) ? at : hits.findIndex(isFirst);
    }

    /**
     * The cloud of where a site can go, with its envelope: {figure, site, points, envelope}, or null.
     * @param {ReachCloud | null} reach
     */
    setReach(reach) {
        const figure = reach && this.scene?.figures[reach.figure],
            site = figure?.sites.find((s) => s.name === reach?.site);
        const from = figure && site && this.frame
            ? matrixPoint(segmentMatrix(this.frame.matrices, figure.firstSegment + site.segment), site.position) : null;
        this.cloud.set(reach?.points ?? null, from, this.theme, this.renderer.getPixelRatio());
        this.cloud.setShell(reach?.envelope ?? null, this.theme);
        this.requestDraw();
    }

    /* --- Drawing -------------------------------------------------------------------------------------------------- */

    /** Fits the picture to the page, with a part of the pixels where drawing is slow. */
    resize(part = 1) {
        const {clientWidth: width, clientHeight: height} = this.parent;
        if (!width || !height) return;
        const isOther = width !== this.width || height !== this.height;
        this.setPixels(width, height, part * Math.min(devicePixelRatio || 1, MAX_RATIO));
        this.readInsets();
        if (isOther && this.isUntouched) this.frameAll({isNew: false}); // a phone that is turned, panels that open
        this.draw();
    }

    /** Where the bar of the picked part lies over the view, as the style sheet says for this size of the page. */
    readInsets() {
        const style = getComputedStyle(this.parent);
        /** @param {string} side */
        const pixels = (side) => parseFloat(style.getPropertyValue(`--inset-${side}`)) || 0;
        this.orbit.setInsets({top: pixels('top'), bottom: pixels('bottom'), left: pixels('left')});
    }

    /** @param {number} width @param {number} height @param {number} ratio */
    setPixels(width, height, ratio) {
        this.width = width;
        this.height = height;
        this.renderer.setPixelRatio(ratio);
        this.renderer.setSize(width, height, false);
        this.painter.setSize(width * ratio, height * ratio, ratio);
        this.orbit.setSize(width, height);
    }

    /** Whether nothing can be posed: an element of a page may say so. */
    get isReadOnly() {
        return Boolean(this.store.home?.isReadOnly);
    }

    requestDraw() {
        if (this.isDrawDue) return;
        this.isDrawDue = true;
        requestAnimationFrame(() => {
            this.isDrawDue = false;
            if (this.isEnded) return;
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
        const {azimuth} = this.orbit.state, a = azimuth - 0.7, x = 0.55 * Math.cos(a), y = 0.55 * Math.sin(a);
        this.bodies.uniforms.keyLight.value.set(x, y, 0.85).normalize();
        this.key.position.set(x, y, 0.85);
    }

    /** The scene with its goals where they are now: one may be held, others driven by tracks. */
    shownScene() {
        const {preview, scene, frame} = /** @type {ShownView} */ (this);
        const driven = new Map((frame.goals ?? []).map((g) => [g.name, g]));
        if (!preview && !driven.size) return scene;
        /** @param {SceneConstraint} constraint */
        const shown = (constraint) => {
            if (preview?.goals) {
                const goal = preview.goals.get(constraint.id);
                return goal ? {...constraint, goal} : constraint;
            }
            const isHeld = preview && (constraint.id === preview.constraint.id
                || (constraint.from === 'avoid' && preview.constraint.from === 'avoid'
                    && constraint.index === preview.constraint.index));
            const track = driven.get(constraint.name);
            if (preview && isHeld) return {...constraint, goal: preview.goal};
            if (!track) return constraint;
            const goal = track.position ? goalAt(constraint.goal, /** @type {Frame} */ (track)) : constraint.goal;
            return {...constraint, goal,
                disabled: track.enabled === undefined ? constraint.disabled : !track.enabled};
        };
        return {...scene, constraints: scene.constraints.map(shown)};
    }

    /**
     * What those who draw marks work with.
     * @returns {Drawing}
     */
    context() {
        const {camera} = this.orbit, eye = camera.position.toArray();
        const {frame} = /** @type {ShownView} */ (this);
        const scene = this.shownScene();
        return {
            painter: this.painter, labels: this.labels, theme: this.theme, scene, frame, size: this.size,
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
        if (show.trails !== false) drawTrails(d, this.trails);
        drawVision(d);
        this.goalHandles = show.goals === false ? [] : drawGoals(d);
        drawLimits(d);
        drawJoints(d);
        const held = this.pointer.isHolding && this.pointer.mode?.hasMoved, isShort = drawShortfall(d);
        const hasUnmet = d.frame.constraints.some((c) => c.counted && !c.met);
        if (isShort || (hasUnmet && !held)) drawBlockers(d);
        this.drawHeld(d);
        this.drawGizmo(d);
        drawSwivel(d, this);
        this.painter.commit();
        if (!this.isPicture) this.labels.commit(this.project2, this.theme, this.width, this.height);
    }

    /**
     * Selected and hovered parts glow.
     * @param {Drawing} d
     */
    highlight(d) {
        const {frames} = this.bodies, {selection, scene} = d;
        frames?.clearGlow();
        if (!frames || this.isPlain) return;
        for (const {index, color, strength} of effortColors(d)) frames.setGlow(index, color, strength);
        /** @param {number} figure @param {number} segment @param {number} strength */
        const glow = (figure, segment, strength) =>
            frames.setGlow(scene.figures[figure].firstSegment + segment, this.theme.accent, strength);
        const chosen = this.selectedPart();
        if (chosen && selection?.kind !== 'constraint') glow(chosen.figure, chosen.segment, 1);
        const part = this.pointer.mode?.part ?? this.hover;
        if (!part) return;
        const isChosen = chosen && chosen.figure === part.figure && chosen.segment === part.segment;
        glow(part.figure, part.segment, isChosen ? 1 : 0.6);
        const isHeld = this.pointer.mode?.hasMoved;
        if (!isHeld) {
            d.labels.add(part.point, plainName(scene.figures[part.figure].segments[part.segment].name),
                {rank: 0, dy: -28});
        }
    }

    /** @param {Drawing} d */
    drawHeld(d) {
        const {mode} = this.pointer, isDrag = mode?.kind === 'part' && mode.hasMoved;
        const drag = isDrag && mode.part && mode.hold?.at ? {...mode.part, point: mode.hold.at()} : null;
        const held = drag ?? this.chainShown;
        if (held) drawChain(d, held, this.chainOf(held));
    }

    /**
     * Shows for a moment which joints a drag of this part would move.
     * @param {PlacedPart} part
     */
    showChain(part) {
        this.chainShown = part;
        clearTimeout(this.chainTimer);
        this.chainTimer = setTimeout(() => {
            this.chainShown = null;
            this.requestDraw();
        }, 1500);
        this.requestDraw();
    }

    /** @param {Drawing} d */
    drawGizmo(d) {
        const {selection, settings, frame} = d, hold = this.pointer.mode?.hold;
        this.gizmoTarget = null;
        if (this.pointer.mode?.hasMoved && this.pointer.mode.kind === 'part') return;
        const many = together(this.store);
        if (many.length) {
            const shown = /** @type {ShownView} */ (this); // it is drawn
            this.gizmoTarget = {frame: hold?.frame && hold instanceof ManyHold ? hold.frame : middleOf(shown, many),
                many};
            this.gizmo.draw(d, this.gizmoTarget.frame, {move: true, turn: true});
        } else if (selection?.kind === 'constraint') {
            const constraint = d.scene.constraints.find((c) => c.name === selection.name);
            if (!constraint || !this.canMove(constraint)) return;
            const at = frame.constraints.find((r) => r.id === constraint.id)?.at;
            const original = this.scene?.constraints.find((c) => c.name === selection.name);
            this.gizmoTarget = {frame: handleFrame(constraint, d.scene, frame, at), constraint: original};
            this.gizmo.draw(d, this.gizmoTarget.frame,
                {move: constraint.goal.kind !== 'orientation', turn: canTurn(constraint.goal)});
        } else if (settings.tool === 'turn') {
            const part = this.selectedPart();
            if (!part) return;
            const index = d.scene.figures[part.figure].firstSegment + part.segment, pivot = this.pivotOf(part);
            const own = [...segmentMatrix(frame.matrices, index)];
            [own[3], own[7], own[11]] = pivot;
            const local = localPoint(frame.matrices, index, pivot);
            this.gizmoTarget = {frame: hold?.frame && hold.turn ? hold.frame : own, part: {...part, local}};
            this.gizmo.draw(d, this.gizmoTarget.frame, {turn: true});
        }
    }

    /**
     * What a part turns about: the joint that carries it.
     * @param {Omit<HeldPart, 'local'>} part
     */
    pivotOf({figure: f, segment}) {
        const {scene, frame} = /** @type {ShownView} */ (this);
        const figure = scene.figures[f], {joint} = figure.segments[segment];
        if (joint >= 0) return jointPlace(figure, figure.joints[joint], frame.matrices);
        const m = segmentMatrix(frame.matrices, figure.firstSegment + segment);
        return [m[3], m[7], m[11]];
    }

    /* --- Holds ---------------------------------------------------------------------------------------------------- */

    /**
     * Asks the engine; a frame that comes back is shown. Answers that newer ones overtook are empty.
     * @template {EngineMethod} K
     * @param {K} method @param {EngineArgs} args
     * @returns {Promise<EngineAnswers[K] | null>}
     */
    async ask(method, args) {
        try {
            const result = await this.client.call(method, args);
            const told = /** @type {Partial<PoseFrame> & {frame?: PoseFrame} | null} */ (result);
            const frame = told?.matrices ? /** @type {PoseFrame} */ (told) : told?.frame;
            if (frame?.matrices) this.store.setFrame(frame);
            return result;
        } catch (error) {
            this.store.message('error', /** @type {Error | null} */ (error)?.message ?? String(error));
            return null;
        }
    }

    /** @param {PressMode} mode */
    beginHold(mode) {
        if (mode.hasBegun) return;
        mode.hasBegun = true;
        this.store.emit('hold', mode.kind);
        this.hover = null;
        if (mode.part) this.selectPart(mode.part);
        if (mode.constraint) this.selectGoal(mode.constraint);
        this.canvas.style.cursor = 'grabbing';
    }

    /** @param {PressMode} mode @param {boolean} commit */
    async endHold(mode, commit) {
        this.canvas.style.cursor = '';
        await mode.hold?.end(commit);
    }

    stopSteps() {
        this.keyboard.finish();
    }

    /** @param {SceneConstraint} constraint */
    canMove(constraint) {
        return canMove(constraint);
    }

    /**
     * What a drag of this part can move, nearest first: joints and groups, `root` last; [] until it is known.
     * @param {Omit<HeldPart, 'local'>} part
     */
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
        return this.chains.get(key) ?? [];
    }

    /* --- Selection ------------------------------------------------------------------------------------------------ */

    /** @param {PlacedPart} part */
    selectPart(part) {
        const {scene, frame} = /** @type {ShownView} */ (this), figure = scene.figures[part.figure];
        const {name} = figure.segments[part.segment];
        const local = part.local ?? localPoint(frame.matrices, figure.firstSegment + part.segment, part.point);
        this.store.picked = {figure: part.figure, segment: name, point: part.point, local};
        this.store.select({kind: 'segment', figure: part.figure, name});
        this.store.emit('picked', this.store.picked);
        this.requestDraw();
    }

    /** @param {SceneConstraint} constraint */
    selectGoal({figure, name}) {
        this.store.select({kind: 'constraint', figure, name});
    }

    /** @param {number} clientX @param {number} clientY */
    selectNothing(clientX, clientY) {
        const ray = this.ray(clientX, clientY);
        this.store.picked = {figure: null, point: meetPlane(ray, [0, 0, this.level], [0, 0, 1])};
        this.store.select(null);
        this.store.emit('picked', this.store.picked);
    }

    /**
     * A right click or a long press: whoever has a menu shows it.
     * @param {number} clientX @param {number} clientY
     */
    askMenu(clientX, clientY) {
        const part = this.pickAt(clientX, clientY, 6);
        if (part) this.selectPart(part);
        else this.selectNothing(clientX, clientY);
        this.store.emit('menu', {x: clientX, y: clientY, picked: this.store.picked});
    }

    /**
     * The selected part with the point to move it by: where it was picked, else a site, else its middle.
     * @returns {HeldPart | null}
     */
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
        const local = selection.kind === 'segment' && isPicked ? /** @type {Vec} */ (picked.local) : middle;
        return {figure: selection.figure, segment, local};
    }

    /* --- Screen and world ----------------------------------------------------------------------------------------- */

    /**
     * The ray of a place on the page (client coordinates).
     * @param {number} clientX @param {number} clientY
     */
    ray(clientX, clientY) {
        const box = this.canvas.getBoundingClientRect(), {camera} = this.orbit;
        const x = 2 * (clientX - box.left) / box.width - 1, y = 1 - 2 * (clientY - box.top) / box.height;
        const from = camera.position, to = new THREE.Vector3(x, y, 0.5).unproject(camera).sub(from).normalize();
        return {from: from.toArray(), direction: to.toArray()};
    }

    /** @param {ClientPlace} place */
    localPoint2({clientX, clientY}) {
        const box = this.canvas.getBoundingClientRect();
        return {x: clientX - box.left, y: clientY - box.top};
    }

    /**
     * A point of the world in pixels of the canvas; null behind the camera.
     * @param {Vec} point
     */
    projectLocal(point) {
        const v = new THREE.Vector3(...point).project(this.orbit.camera);
        return v.z > 1 || !Number.isFinite(v.x) ? null
            : {x: (v.x + 1) / 2 * this.width, y: (1 - v.y) / 2 * this.height};
    }

    /**
     * A point of the world in client coordinates [x, y]; null behind the camera.
     * @param {Vec} point
     */
    toScreen(point) {
        const at = this.projectLocal(point), box = this.canvas.getBoundingClientRect();
        return at && [box.left + at.x, box.top + at.y];
    }

    /**
     * The same as an object {x, y}.
     * @param {Vec} point
     */
    project(point) {
        const at = this.toScreen(point);
        return at && {x: at[0], y: at[1]};
    }

    /**
     * What the pointer would take at a place of the page: {figure, segment (index), name, point} or null.
     * @param {number} clientX @param {number} clientY
     */
    pick(clientX, clientY) {
        const hit = this.pickAt(clientX, clientY, 6);
        const {scene} = /** @type {ShownView} */ (this);
        return hit && {figure: hit.figure, segment: hit.segment,
            name: scene.figures[hit.figure].segments[hit.segment].name, point: hit.point};
    }

    /** @param {number} clientX @param {number} clientY @param {number} pixels */
    pickAt(clientX, clientY, pixels) {
        if (!this.scene || !this.frame || this.isBuildDue) return null;
        const {from, direction} = this.ray(clientX, clientY), slack = pixels * this.orbit.pixel(1);
        const best = this.skins.pick(from, direction);
        /** @param {PickPart} part */
        const isShown = (part) => !this.skins.shows(part.figure) || !best;
        const hit = this.picker.pick(this.frame.matrices, from, direction, best ? 0 : slack, isShown);
        return hit && (!best || hit.t < best.t) ? hit : best;
    }

    /** @param {Spot} at @param {number} slack */
    goalAt(at, slack) {
        let best = null;
        for (const handle of this.goalHandles) {
            const p = this.projectLocal(handle.place), off = p ? Math.hypot(p.x - at.x, p.y - at.y) : Infinity;
            if (off <= slack && (!best || off < best.off)) best = {...handle, off};
        }
        return best;
    }

    /**
     * What the wheel zooms towards: the part under the cursor, else the target's depth there.
     * @param {number} clientX @param {number} clientY
     */
    zoomPoint(clientX, clientY) {
        const ray = this.ray(clientX, clientY), hit = this.scene && this.pickAt(clientX, clientY, 0);
        return hit?.point ?? meetPlane(ray, this.orbit.state.target, this.orbit.axes().back);
    }

    /* --- Camera --------------------------------------------------------------------------------------------------- */

    /**
     * Balls around what is shown: of some segments (indices over all figures), or of all of them.
     * @param {Set<number> | null} [wanted]
     * @returns {Ball[]}
     */
    extent(wanted = null) {
        const {frame} = /** @type {ShownView} */ (this);
        /** @param {PickPart} part */
        const isMeant = (part) => (wanted ? wanted.has(part.index) : !this.skins.shows(part.figure));
        const balls = this.picker.parts.filter(isMeant)
            .flatMap((part) => partOutline(part, segmentMatrix(frame.matrices, part.index)));
        if (!wanted) balls.push(...this.skins.outline());
        return balls.filter((ball) => Number.isFinite(ball.center[0] + ball.center[1] + ball.center[2] + ball.radius));
    }

    /**
     * The ground is the world's z = 0 where figures stand on it or hover a little, else it lies under the lowest.
     * @param {Vec} low @param {Vec} high @param {number} span
     */
    layGround(low, high, span) {
        this.level = low[2] > -0.1 * span && low[2] < 0.25 * span ? 0 : low[2];
        this.bodies.uniforms.groundLevel.value = this.level;
        this.ground.place([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], 1.2 * span, this.level);
        this.isCastDue = true;
    }

    /**
     * Where a clip begins with a pose far above or below the rest of it, what is to be seen is at the height of the
     * rest.
     * @param {Ball[]} balls
     */
    raised(balls) {
        const {scene, frame} = /** @type {ShownView} */ (this);
        const {lowest, figure = 0} = scene.motion ?? {};
        if (lowest === undefined || !Number.isFinite(lowest) || !balls.length) return balls;
        const {firstSegment, segments} = scene.figures[figure];
        let low = Infinity, top = -Infinity;
        for (let k = firstSegment + 1; k < firstSegment + segments.length; k++) { // the root may be the world's frame
            low = Math.min(low, frame.matrices[12 * k + 11]);
            top = Math.max(top, frame.matrices[12 * k + 11]);
        }
        const up = lowest - low;
        return Math.abs(up) < FLOATS * (top - low) ? balls
            : balls.map((ball) => ({...ball, center: add(ball.center, [0, 0, up])}));
    }

    /** Shows everything; of a new document it lays the ground first. */
    frameAll({isNew = this.isUntouched} = {}) {
        if (!this.frame || !this.scene) return;
        let balls = this.raised(this.extent());
        if (!balls.length) balls = [{center: [0, 0, 0.5 * this.size], radius: 0.6 * this.size}];
        const low = [0, 1, 2].map((i) => Math.min(...balls.map((b) => b.center[i] - b.radius)));
        const high = [0, 1, 2].map((i) => Math.max(...balls.map((b) => b.center[i] + b.radius)));
        const span = Math.max(1e-3, Math.hypot(...high.map((v, i) => v - low[i])) / 2);
        if (isNew) this.layGround(low, high, span);
        this.orbit.fit(balls, span);
        this.requestDraw();
    }

    frameSelection() {
        const part = this.selectedPart(), {scene} = /** @type {ShownView} */ (this);
        const balls = part && this.extent(new Set([scene.figures[part.figure].firstSegment + part.segment]));
        if (balls?.length) this.orbit.fit(balls, this.orbit.size, 2.4);
        else this.frameAll();
    }

    get camera() {
        return this.orbit.get();
    }

    set camera(state) {
        this.orbit.set(state);
    }

    /** @param {string} name */
    look(name) {
        this.orbit.look(name);
    }

    /** Gives the graphics card's memory back; nothing is drawn any more. */
    end() {
        this.isEnded = true;
        this.observer.disconnect();
        this.keyboard.finish(false);
        this.renderer.dispose();
        this.renderer.forceContextLoss();
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
