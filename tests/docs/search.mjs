// node search.mjs SITE: asks the manual's search what people ask, as the page does; each must find the right page
// first.
import {readFileSync} from 'node:fs';
import {runInNewContext} from 'node:vm';

// The five of the first manual's readers.
const FIRST = {
    balance: 'body.html',
    'tool axis': 'goals.html#orientation',
    'why not reached': 'contract.html#what-would-have-to-give-way',
    'foot sliding': 'retarget.html#contacts',
    'all solutions': 'closed.html',
};

// Words of the trade, one or two of them.
const WORDS = {
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
    javascript: 'npm-package.html',
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

// As engineers of robots, animators, ergonomists and programmers type: plurals, American spelling, slips of the finger,
// whole sentences, options, names, messages.
const TYPED = {
    singularities: 'contract.html#how-well-it-can-move-from-there',
    'colision avoidance': 'collisions.html',
    'self collisions': 'collisions.html',
    'joint velocity limits': 'servo.html#limits-of-speed',
    'cartesian paths': 'paths.html',
    'straight line motion of the tool': 'paths.html',
    'TRAC-IK': 'recipes.html#from-trac-ik',
    trac_ik: 'recipes.html#from-trac-ik',
    ikfast: 'closed.html',
    manipulability: 'goals.html#manipulability',
    'denavit hartenberg parameters': 'fig.html#denavit-hartenberg-chains',
    'dual arm robot': 'goals.html#goals-that-move-with-something',
    'mobile base': 'legged.html#bases-that-drive',
    quadrupeds: 'legged.html',
    'meshes not found': 'collisions.html#meshes',
    'package://': 'collisions.html#meshes',
    '1 khz control loop': 'recipes.html#a-servo-at-1-khz',
    'quaternion order': 'figure.html#units-and-frames',
    'mimic joint': 'urdf.html#mimics',
    'levenberg marquardt': 'methods.html#lm-levenberg-marquardt',
    'damped least squares': 'methods.html#jacobian-the-robot-s-inverse',
    'center of mass': 'body.html#standing',
    retargetting: 'retarget.html',
    'foot skating': 'retarget.html#contacts',
    'how do I stop feet from sliding': 'retarget.html#contacts',
    'convert fbx': 'gltf.html',
    'bvh wrong scale': 'bvh.html#what-the-file-does-not-say',
    keyframes: 'motion.html#tracks',
    'key frame interpolation': 'motion.html#tracks',
    'game loops': 'recipes.html#a-game-loop',
    'reach envelope': 'maps.html',
    'line of sight': 'goals.html#aim',
    'range of motion': 'figure.html#limits',
    'joint torques': 'body.html#the-terms',
    'sit on a chair': 'body.html#standing',
    malloc: 'recipes.html#embedding-without-malloc',
    'thread safe': 'overview.html#threads-memory-time',
    'pkg config': 'recipes.html#cmake-and-pkg-config',
    find_package: 'recipes.html#cmake-and-pkg-config',
    'exit codes': 'command-line.html#what-the-exit-code-means',
    deterministic: 'contract.html#deterministic',
    reproducibility: 'contract.html#deterministic',
    'solve thousands of problems': 'batches.html',
    'what does the outcome budget mean': 'contract.html#it-says-what-happened',
    'has no site or segment': /#what-can-go-wrong$/,
    'file format of figures': 'fig.html',
    'json problem format': 'problem-files.html',
    'color of pictures': 'render.html#what-is-drawn',
    'keyboard shortcuts': 'studio.html#keys',
    '--stand': /^cli-reference.html#cmdoption-limber-[a-z]+-stand$/,
    '--restarts': /^cli-reference.html#cmdoption-limber-[a-z]+-r$/,
    lb_solve: 'c-solve.html#c.lb_solve',
    lb_problem_add: 'c-solve.html#c.lb_problem_add',
    LB_OUTCOME_SOLVED: 'c-solve.html#c.lb_outcome',
    LB_ERROR_NAME: 'c-limber.html#c.lb_status',
    lb_sove: 'c-solve.html#c.lb_solve',
    'limber.all_solutions': 'python-reference.html#limber.all_solutions',
    'limber retarget': 'retarget.html',
    'pole vector': 'body.html#walls-steps-and-things-in-the-way',
    'jumps between frames': 'servo.html',
    slurm: 'cluster.html#slurm',
    'jupyter notebook': 'python.html#notebooks',
    fabrik: 'methods.html#fabrik-forward-and-backward-reaching',
    changelog: 'changelog.html',
    'gimbal lock': 'figure.html#joints-dofs-variables',
    'urdf mesh not found': 'collisions.html#meshes',
    'install python': 'tutorial.html#get-it',
    'retarget bvh to robot': /^retarget.html/,
    'servo velocity limits': 'servo.html#limits-of-speed',
    npm: 'npm-package.html',
    'how fast': 'quality.html',
    license: 'overview.html#licence-and-versions',
    tutorial: 'tutorial.html',
    'sit down': /^(body.html#standing|gallery.html#sitting-down)$/,
    'lift a box': 'body.html#the-terms',
    stairs: 'body.html#walls-steps-and-things-in-the-way',
    'forward kinematics': 'figure.html#forward-kinematics',
    'c api': 'c-reference.html',
    'python api': 'python-reference.html',
    'javascript api': 'js-reference.html',
    'inverse kinematics python': 'python.html',
    glossary: 'terms.html',
    upgrade: 'migration.html',
    jupyter: 'python.html#notebooks',
    csp: 'web.html#the-studio-as-an-element',
    'web component': 'web.html#the-studio-as-an-element',
    'coupled joints': 'figure.html#groups-and-drives',
    'DH parameters': 'fig.html#denavit-hartenberg-chains',
    'no heap': 'recipes.html#embedding-without-malloc',
    'mac os': 'recipes.html#cmake-and-pkg-config',
    'vr headset': 'habit.html',
    'robot arm': 'robots.html',
    'Problem.addFigure': 'js-reference.html#limber.Problem.addFigure',
    moveGoal: 'js-reference.html#limber.Problem.moveGoal',
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
for (const [question, page] of Object.entries({...FIRST, ...WORDS, ...TYPED})) {
    const found = ask(question);
    if (page instanceof RegExp ? !page.test(found[0]) : found[0] !== page) {
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
