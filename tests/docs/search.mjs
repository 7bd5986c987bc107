// node search.mjs SITE: asks the manual's search what people ask, as the page does; each must find the right page
// first.
import {readFileSync} from 'node:fs';
import {runInNewContext} from 'node:vm';

const QUESTIONS = {
    balance: 'body.html',
    'tool axis': 'goals.html#orientation',
    'why not reached': 'contract.html#what-would-have-to-give-way',
    'foot sliding': 'retarget.html#contacts',
    'all solutions': 'closed.html',
    lb_solve: 'c-solve.html#c.lb_solve',
    'reach map': 'maps.html',
    gripper: 'goals.html#orientation',
    'joint limits': 'figure.html#limits',
    install: 'tutorial.html#get-it',
    blender: 'recipes.html#from-blender',
    mixamo: 'gltf.html#humans',
    singularity: 'contract.html#how-well-it-can-move-from-there',
    speed: 'servo.html#limits-of-speed',
    collision: 'collisions.html',
    python: 'python.html',
    unreachable: 'contract.html#what-would-have-to-give-way',
    javascript: 'web.html',
    benchmark: 'quality.html',
    'getting started': 'tutorial.html',
    'inverse kinematics': 'overview.html',
    trajectory: 'paths.html',
    workspace: 'reach.html',
    'multiple solutions': 'closed.html',
    ros: 'urdf.html',
    'look at': 'goals.html#aim',
    'avoid obstacles': 'goals.html#obstacles',
    'motion capture': 'bvh.html',
    'real time': 'servo.html',
    priority: 'goals.html#ways-to-combine',
    unity: 'gltf.html',
    units: 'figure.html#units-and-frames',
};

const site = process.argv[2];
const index = readFileSync(`${site}/_static/search-index.js`, 'utf8');
const script = readFileSync(`${site}/_static/search.js`, 'utf8');

/** The links that the page shows for a question: just as much of a document as the script uses. */
function ask(question) {
    const links = [];
    const element = () => ({append: () => {}});
    const make = (tag) => {
        const made = element();
        if (tag === 'a') links.push(made);
        return made;
    };
    const document = {getElementById: element, querySelector: element, createElement: make};
    const location = {search: `?q=${encodeURIComponent(question)}`};
    runInNewContext(index + script, {window: {}, document, URLSearchParams, location});
    return links.map((link) => link.href);
}

let failed = false;
for (const [question, page] of Object.entries(QUESTIONS)) {
    const found = ask(question);
    if (found[0] !== page) {
        const first = found.slice(0, 4).join(', ') || 'nothing';
        console.log(`FAILED: '${question}' finds ${first}; ${page} should be first`);
        failed = true;
    }
}
if (ask('zzzyx').length) {
    console.log('FAILED: a word that is nowhere finds something');
    failed = true;
}
process.exit(failed ? 1 : 0);
