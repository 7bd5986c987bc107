// A file read by the package and by the native program: the same figure, the same complaint.

import {basename, dirname, join, relative, sep} from 'node:path';
import {check, filesBelow, runNative, shared, top} from './setup.mjs';

/** Messages in which the browser's own parsers have the word. */
const OF_PARSERS = new RegExp('^(not (well-formed XML|JSON|glTF, its JSON)|mismatched tag|the encoding is|'
    + 'unable to decode|there is no XML element)');

/** The shared robots: each one's path, its files (those that it may include behind it), and their names from its
 * folder. */
export function robotModels() {
    const paths = ['urdf', 'mjcf'].flatMap((folder) => filesBelow(join(shared, folder)));
    return paths.filter((path) => /\.(urdf|xml)$/.test(path)).map((path) => {
        const beside = filesBelow(dirname(path)).filter((other) => other !== path && /\.xml$/.test(other));
        const files = [path, ...beside];
        return {path, files, names: files.map((file) => file.slice(dirname(path).length + 1))};
    });
}

/** What the fuzzers of robots' readers begin with: [path, format] of each. */
export function robotCorpus() {
    return ['urdf', 'mjcf'].flatMap((format) =>
        filesBelow(join(top, 'fuzz/corpus', format)).map((path) => [path, format]));
}

/** What the native program makes of a file: {fig, message, line}. */
export function nativeFigure(path) {
    const {code, out, error} = runNative(['convert', path, '-', '--to', 'fig'], {cwd: dirname(path)});
    if (code === 0) return {fig: String(out), message: '', line: 0};
    const lines = error.trim().split('\n').filter((line) => !/ (warning|note): /.test(line));
    const told = lines[lines.length - 1] ?? '';
    const match = /:(\d+): (.*)$/.exec(told) ?? ['', '0', told.replace(/^limber[^:]*: /, '')];
    return {fig: null, message: match[2], line: Number(match[1])};
}

/** Checks what the package made of it ({fig} or {message, line}) against that. */
export function compareWithNative(path, mine) {
    const wanted = nativeFigure(path);
    const name = relative(top, path).split(sep).slice(-3).join('/');
    if (wanted.fig !== null) {
        check(mine.fig !== null && sameFigure(mine.fig, wanted.fig), `${name}: ${mine.fig === null ? mine.message
            : firstDifference(mine.fig, wanted.fig)}`);
        return;
    }
    check(mine.fig === null, `${name}: read, where the native program says ${wanted.message}`);
    if (mine.fig !== null) return;
    if (OF_PARSERS.test(wanted.message)) {
        const isNear = mine.line === 0 || Math.abs(mine.line - wanted.line) <= 1;
        check(isNear, `${name}: line ${mine.line} (${mine.message}) instead of ${wanted.line} (${wanted.message})`);
    } else {
        check(mine.line === wanted.line || wanted.line === 0, `${name}: line ${mine.line} instead of ${wanted.line}`);
        check(wanted.message.includes(mine.message.slice(0, 60)),
            `${name}: "${mine.message}" instead of "${wanted.message}"`);
    }
}

function sameFigure(a, b) {
    return a === b;
}

function firstDifference(a, b) {
    const [x, y] = [a.split('\n'), b.split('\n')];
    const at = x.findIndex((line, i) => line !== y[i]);
    return `line ${at + 1} is "${x[at]}" instead of "${y[at]}"`;
}

/** The name that a file has in the table: that of its own folder's, as the native program runs in it. */
export const nameInTable = (path) => basename(path);
