// The types of studio/, as the comments of its modules give them, agree: see tools/check_types.mjs.
import {spawnSync} from 'node:child_process';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const top = process.env.LIMBER_SOURCE_DIR ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {status} = spawnSync(process.execPath, [join(top, 'tools/check_types.mjs')], {stdio: 'inherit'});
process.exit(status ?? 1);
