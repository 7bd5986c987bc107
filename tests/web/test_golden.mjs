// The same bits as everywhere: the programs of tests/golden, made of the objects that limber.wasm is made of, give the
// hashes that are recorded; and every shipped problem is solved by the package as by the native program, to the bit.

import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {check, finish, freshLimber, library, runNative, same, sameBits, top, wasmFolder} from './setup.mjs';

/** Runs a WASI program that only prints; what it printed. */
function runProgram(bytes) {
    let memory;
    let printed = '';
    class Exit extends Error {}
    const imports = {
        fd_write(file, list, count, writtenAt) {
            const view = new DataView(memory.buffer);
            let written = 0;
            for (let i = 0; i < count; i++) {
                const size = view.getUint32(list + 8 * i + 4, true);
                printed +=
                    new TextDecoder().decode(new Uint8Array(memory.buffer, view.getUint32(list + 8 * i, true), size));
                written += size;
            }
            view.setUint32(writtenAt, written, true);
            return 0;
        },
        fd_fdstat_get: () => 0,
        fd_close: () => 0,
        fd_seek: () => 29,
        proc_exit(code) {
            throw new Exit(String(code));
        },
    };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {wasi_snapshot_preview1: imports});
    memory = instance.exports.memory;
    try {
        instance.exports._start();
    } catch (error) {
        if (!(error instanceof Exit) || error.message !== '0') throw error;
    }
    return printed;
}

if (existsSync(join(wasmFolder, 'build.ninja'))) {
    execFileSync('ninja', ['-C', wasmFolder, 'golden'], {stdio: 'pipe'});
    for (const program of ['kinematics', 'solve', 'motion', 'body', 'verbs']) {
        const found = runProgram(readFileSync(join(wasmFolder, `golden_${program}.wasm`))).split('\n');
        const wanted = readFileSync(join(top, 'tests/golden', `${program}.hash`), 'utf8').split('\n');
        check(wanted.length > 3, `${program}.hash has lines`);
        wanted.forEach((line, i) => same(found[i], line, `hash_${program}.c, line ${i + 1}`));
    }
}

const limber = await freshLimber(['models', 'problems']);
const shipped = readdirSync(join(top, 'problems')).filter((file) => file.endsWith('.json'));
const people = ['r01_chest', 'r17_floorfront', 'r20_farbehind', 't30_lookL', 't34_sit', 't36_squat', 't37_step',
    't41_box2'];
for (const name of [...shipped, ...people.map((task) => `body/${task}.json`)]) {
    const path = `problems/${name}`;
    const {out} = runNative(['solve', path, '--json']);
    const told = JSON.parse(out);
    const file = limber.loadProblem(path);
    const solver = file.problem.solver();
    const pose = file.start.slice();
    const result = solver.solve(pose, file.options);
    solver.explain(pose, file.options);
    const mine = JSON.parse(new TextDecoder().decode(file.saveResult(solver, pose, {method: file.options.method})));
    for (const key of ['status', 'explanation', 'value', 'value_before', 'iterations', 'evaluations', 'constraints',
             'limits', 'unmet', 'reasons', 'freedom']) {
        same(mine[key], told[key], `${path}: ${key}`);
    }
    const values = (figures) => figures.flatMap((figure) => Object.values(figure.pose ?? figure));
    same(mine.pose ?? mine.figures, told.pose ?? told.figures, `${path}: pose`);
    same(result.outcome, told.status, `${path}: outcome`);
    check(sameBits([result.value], [told.value]), `${path}: the value's bits`);
    file.free();
}
check(library.VERSION === limber.version, 'the version');
finish();
