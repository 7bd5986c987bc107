// What the package's tests share: where it is, the native program to compare with, checks that count.

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

export const top = process.env.LIMBER_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const packageFolder = join(top, 'build/web/limber');
export const wasmFolder = join(top, 'build/wasm');
export const shared = join(top, '../shared/data');
const native = process.env.LIMBER ?? join(top, 'build/release/limber');

/** Ends the test: not run, and why. */
export function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(77);
}

if (!existsSync(join(packageFolder, 'limber.wasm'))) skip('the npm package is not built (./dev web)');

export const library = await import(pathToFileURL(join(packageFolder, 'limber.js')));

let failures = 0;
let checks = 0;

/** Counts a check; says what is wrong where it fails. */
export function check(isWell, what) {
    checks++;
    if (isWell) return;
    failures++;
    if (failures <= 20) console.error(`FAILED: ${what}`);
}

/** @param {any} found @param {any} wanted compared as JSON */
export function same(found, wanted, what) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    check(a === b, `${what}: ${String(a).slice(0, 300)} instead of ${String(b).slice(0, 300)}`);
}

/** What a call throws; fails where it throws nothing, or no error of the package. */
export function thrown(call, what) {
    try {
        call();
    } catch (error) {
        check(error instanceof library.LimberError, `${what}: threw ${error?.stack ?? error}`);
        return error;
    }
    check(false, `${what}: nothing was thrown`);
    return new library.LimberError('nothing', 0);
}

/** Says how it went and ends the test. */
export function finish(about = '') {
    console.log(`${checks - failures} of ${checks} checks passed${about ? `; ${about}` : ''}`);
    process.exit(failures || !checks ? 1 : 0);
}

/** Runs the native program; {code, out, error}. */
export function runNative(args, options = {}) {
    if (!existsSync(native)) skip('there is no native program to compare with');
    try {
        return {
            code: 0,
            out: execFileSync(native, args, {cwd: top, maxBuffer: 1 << 28, stdio: 'pipe', ...options}),
            error: ''
        };
    } catch (error) {
        return {code: error.status, out: error.stdout, error: String(error.stderr)};
    }
}

/** All files below a folder, sorted. */
export function filesBelow(folder) {
    if (!existsSync(folder)) return [];
    return readdirSync(folder).sort().flatMap((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

/** A fresh instance that has all files of some folders of the source tree, by their paths from its top. */
export async function freshLimber(folders = [], options = {}) {
    const limber = await library.load(options);
    for (const folder of folders) {
        for (const path of filesBelow(join(top, folder))) limber.files.set(relative(top, path), readFileSync(path));
    }
    return limber;
}

/** Whether two lists of doubles are the same bits. */
export function sameBits(a, b) {
    return a.length === b.length && Buffer.compare(Buffer.from(Float64Array.from(a).buffer),
        Buffer.from(Float64Array.from(b).buffer)) === 0;
}
