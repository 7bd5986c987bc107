// Writes the service worker of a built page: see service_worker.js.

import {createHash} from 'node:crypto';
import {readFile, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** What a visit may ask for; the models, problems and examples are in shipped.json. */
const WANTED = /\.(js|css|wasm|svg|json|html)$/;
const UNWANTED = /^(bench\.|offline\.js$|element\.js$)/;

/**
 * @param {string} out the folder of the page, whole but for what is packed
 * @param {string} source the service worker's text, bundled
 */
export async function writeServiceWorker(out, source) {
    const parts = (await readdir(join(out, 'parts')).catch(() => [])).map((name) => `parts/${name}`);
    const names = [...await readdir(out), ...parts].filter((name) => WANTED.test(name) && !UNWANTED.test(name)).sort();
    const files = await Promise.all(names.map(async (name) => {
        const digest = createHash('sha256').update(await readFile(join(out, name))).digest('hex');
        return [name === 'index.html' ? './' : name, digest];
    }));
    const version = createHash('sha256').update(JSON.stringify(files)).update(source).digest('hex').slice(0, 12);
    const head = `globalThis.STUDIO_VERSION=${JSON.stringify(version)};`
        + `globalThis.STUDIO_FILES=${JSON.stringify(files)};`;
    await writeFile(join(out, 'offline.js'), `${head}\n${source}`);
    return {version, count: files.length};
}
