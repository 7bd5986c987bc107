// Opening: figures, problems, scripts and motion files become documents.
import {withFeet} from './body.js';
import {documentOf, figuresOf, inOrder} from './document.js';
import {bodySentence} from './frame.js';
import {FileError, chooseMain, inFolders, isBlank, stemOf, textOf} from './files.js';

export class Opening {
    /** @param {import('./session.js').Session} session */
    constructor(session) {
        this.session = session;
    }

    /** @param {{files: OpenFile[]}} wanted @returns {Promise<Opened>} */
    async open({files}) {
        if (!files?.length) throw new Error('no file was given');
        const {main, kind} = chooseMain(files);
        if (isBlank(main.bytes)) {
            throw new FileError(main.name, 0, 'this file is empty: was it saved, or downloaded to its end?');
        }
        const undo = this.session.files.add(inFolders(files));
        const {animation} = this.session;
        try {
            this.session.animation = undefined;
            const world = await this.openMain(main, kind);
            return {doc: world.doc, ...this.session.take(world), warnings: [...world.warnings,
                ...this.session.stage.takeWarnings()].map(warningOf)};
        } catch (error) {
            this.session.animation = animation;
            this.session.stage.takeWarnings();
            undo();
            throw advised(error);
        }
    }

    /** @param {OpenFile} main @param {string} kind */
    openMain(main, kind) {
        if (kind === 'script') return this.openScript(main);
        return kind === 'problem' ? this.openProblem(main) : this.openFigure(main);
    }

    /**
     * A script: its figures as they are at the beginning.
     * @param {OpenFile} main
     */
    async openScript({name}) {
        const doc = this.session.stage.scriptDocument(name);
        return this.compileMoving(await this.session.files.resolve(doc));
    }

    /** @param {OpenFile} main */
    async openProblem({name, bytes}) {
        let read;
        try {
            read = JSON.parse(textOf(bytes).replace(/^\uFEFF/, ''));
        } catch {
            read = {}; /* Limber's reader says what is wrong, and where */
        }
        const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
        const isObject = read !== null && typeof read === 'object' && !Array.isArray(read);
        const resolved = await this.session.files.resolve(isObject ? read : {}, folder);
        this.readAsWritten(name, folder, read, resolved);
        const first = this.session.compile(resolved);
        try {
            const world = this.session.compile(documentOf(resolved, first));
            world.warnings.push(...first.warnings);
            const isPosed = read.start !== undefined && Object.keys(read.start).length >= world.pose.length;
            return isPosed ? world : this.relaxed(this.solved(world));
        } finally {
            first.free();
        }
    }

    /**
     * Reads the file itself, for messages with its own lines: its figures are put where it looks for them.
     * @param {string} name @param {string} folder @param {RawDoc | null} read
     * @param {{figures: DocFigure[]}} resolved
     */
    readAsWritten(name, folder, read, resolved) {
        const {limber} = this.session;
        const aliases = figuresOf(read ?? {}).map(({file}, k) => ({name: `${folder}/${file}`,
            key: resolved.figures[k]?.file}))
            .filter((alias) => alias.key && limber.files.has(alias.key) && !limber.files.has(alias.name));
        const undo = this.session.files.add(aliases.map((alias) =>
            ({name: alias.name, bytes: /** @type {Uint8Array} */ (limber.files.get(alias.key))})));
        try {
            limber.loadProblem(name, {models: 'models'}).free();
        } finally {
            undo();
        }
    }

    /**
     * A problem whose file does not say every variable is no pose to be looked at: it is opened solved.
     * @param {DocWorld} world
     */
    solved(world) {
        const isAsked = world.constraints.some(({disabled}) => !disabled);
        if (!isAsked || world.motion) return world;
        const result = world.solver.solve(world.pose, world.options);
        world.doc.start = world.values(world.pose);
        if (world.isNatural()) world.stands = {body: world.bodies(), stance: bodySentence(result)};
        return world;
    }

    /**
     * Bodies of whom nothing is asked stand as people do, not as their files draw them.
     * @param {DocWorld} world
     */
    relaxed(world) {
        const isAsked = world.constraints.length > 0 || world.motion;
        if (isAsked || !world.isNatural()) return world;
        const result = world.solver.solve(world.pose, {});
        world.doc.start = world.values(world.pose);
        world.stands = {body: world.bodies(), stance: bodySentence(result)};
        return world;
    }

    /**
     * A figure alone: a body stands by itself; others are at rest, with pins for feet that would not stand by
     * themselves, and balanced on them.
     * @param {OpenFile} main
     */
    async openFigure({name}) {
        const {limber, stage} = this.session;
        const isPerson = limber.files.has(name) && stage.isPerson(name);
        const stand = !isPerson && limber.files.has(name) && stage.isLegged(name);
        const figure = {file: name, ...(stand && {stand})};
        const bare = this.session.compile({title: stemOf(name), figures: [figure],
            ...((isPerson || stand) && {body: {}})});
        try {
            /* a BVH file's rest is nobody's pose */
            if (bare.formatOf(0) === 'bvh') bare.pose.set(this.session.stage.firstPose(bare));
            const doc = documentOf(bare.doc, bare.place(bare.pose));
            if (bare.figures[0].body) doc.body = {};
            else Object.assign(doc, withFeet(doc, bare, 0));
            const world = this.session.compile(inOrder(doc));
            world.warnings.push(...bare.warnings);
            return this.relaxed(world);
        } finally {
            bare.free();
        }
    }

    /**
     * A document of figures alone, tidied, in the first pose of what plays.
     * @param {Doc | RawDoc} doc
     */
    compileMoving(doc) {
        const bare = this.session.compile(doc);
        const show = this.session.stage.showOf(bare);
        try {
            if (show) bare.pose.set(show.at(0).pose);
            return this.session.compile(documentOf(bare.doc, bare.place(bare.pose)));
        } finally {
            show?.free();
            bare.free();
        }
    }

    /** @param {{doc: Doc, solve?: boolean, files?: OpenFile[]}} wanted */
    async set({doc, solve = false, files = []}) {
        const undo = this.session.files.add(files);
        try {
            const resolved = await this.session.files.resolve(doc);
            const isSame = JSON.stringify(figuresOf(doc)) === JSON.stringify(resolved.figures);
            return this.session.take(this.session.compile(isSame ? doc : resolved), {solve});
        } catch (error) {
            undo();
            throw error;
        }
    }
}

/** @param {Warning | LimberWarning} warning @returns {Warning} */
export const warningOf = (warning) => ({message: warning.message, file: warning.file ?? '', line: warning.line ?? 0});

/**
 * In a page there is no folder that a file stands in: what a problem names has to come along with it.
 * @param {unknown} error
 */
function advised(error) {
    const isLacking = error instanceof Error
        && /^figure(s\[\d+\])?: there is no figure `[^`]*\.\w+`/.test(error.message);
    if (isLacking) error.message += '; drop that file along with the problem, or the folder that has both';
    return error;
}
