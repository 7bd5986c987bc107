// The classes of the package do what they say: figures, kinematics, problems, solvers, motions, clips, characters.

import {check, finish, freshLimber, same, sameBits, thrown} from './setup.mjs';

const limber = await freshLimber(['models', 'problems']);
const near = (a, b, tolerance = 1e-9) =>
    a.length === b.length && Array.from(a).every((x, i) => Math.abs(x - b[i]) <= tolerance);
const text = (bytes) => new TextDecoder().decode(bytes);

// --- Building --------------------------------------------------------------------------------------------------------

const builder = new limber.Builder().setName('arm').setStature(1.5);
const base = builder.addSegment({name: 'base'});
const link = builder.addSegment({name: 'link', mass: 2, com: [0.5, 0, 0]});
const hand = builder.addSegment({name: 'hand'});
const sites = [
    builder.addSite({name: 'hinge', segment: base}), builder.addSite({name: 'hinge', segment: link}),
    builder.addSite({name: 'end', segment: link, frame: {position: [1, 0, 0]}}),
    builder.addSite({name: 'wrist', segment: hand}),
    builder.addSite({name: 'tip', segment: hand, frame: {position: [0.5, 0, 0]}})
];
builder.addJoint({name: 'elbow', siteA: sites[0], siteB: sites[1], type: 'R(z)', lower: [-2], upper: [2]});
const ball = builder.addJoint({name: 'wrist', siteA: sites[2], siteB: sites[3], type: 'swing_twist(x)',
    swing: [[0.7, 0], [0, 0.7], [-0.7, 0], [0, -0.7]], lower: [-1, -1, -1], upper: [1, 1, 1]});
builder.addShape(
    {kind: 'capsule', segment: link, frame: {position: [0.5, 0, 0]}, size: [0.05, 0.4, 0.05], color: 0xff8800});
builder.addLimit(
    {name: 'both', kind: 'at-most', terms: [{joint: 0}, {joint: ball, dof: 2}], coefficients: [1, 1], bound: 1.5});
const arm = builder.finish();
same([arm.name, arm.stature, arm.mass, arm.variableCount], ['arm', 1.5, 2, 4], 'what was built');
same([arm.joints[0].type.text, arm.joints[1].type.elements[0].kind, arm.joints[1].swing.length, arm.joints[1].dofCount],
    ['R(z)', 'swing-twist', 4, 3], 'its joints');
same([arm.shapes[0].kind, arm.shapes[0].size, arm.shapes[0].color], ['capsule', [0.05, 0.4, 0.05], 0xff8800],
    'its shape');
same([arm.limits[0].name, arm.limits[0].terms[1].dof, arm.limits[0].bound], ['both', 2, 1.5], 'its limit');
check(arm.rows.length >= 5, 'rows of the swing and of the limit');
same(arm.variables.map((variable) => variable.name), ['elbow', 'wrist.swy', 'wrist.swz', 'wrist.twx'], 'its variables');
check(Object.isFrozen(arm.joints) && Object.isFrozen(arm.joints[1].lower), 'parts cannot be changed');
check(thrown(() => builder.addSegment({name: 'base'}), 'a name twice').statusName === 'name', 'a name twice');
check(thrown(() => builder.addJoint({name: 'x', siteA: 0, siteB: 1, type: 'R(q)'}), 'a wrong type').message.length > 5,
    'a wrong type');
const dh = new limber.Builder();
dh.addSite({name: 'foot', segment: dh.addSegment({name: 'ground'})});
dh.addDhChain(0, 'standard', [{a: 1}, {a: 1}]);
const planar = dh.finish();
check(near(planar.kinematics().update([Math.PI / 2, -Math.PI / 2]).segment(2).position, [1, 1, 0]), 'a DH chain');

// --- Kinematics ------------------------------------------------------------------------------------------------------

const kinematics = arm.kinematics();
kinematics.update([Math.PI / 2, 0, 0, 0]);
check(near(kinematics.site(arm.findSite('tip')).position, [0, 1.5, 0]), 'forward kinematics');
check(near(kinematics.matrix(1).slice(0, 4), [0, -1, 0, 0]), 'a matrix');
check(near(kinematics.com(), [0, 0.5, 0]), 'the centre of mass');
const bent = [0.7, 0.2, -0.1, 0.3];
const jacobian = kinematics.update(bent).jacobian('tip');
for (let v = 0; v < 4; v++) {
    const step = 1e-6;
    const [plus, minus] =
        [step, -step].map((h) => kinematics.update(bent.map((x, i) => (i === v ? x + h : x))).effector('tip'));
    check(plus.every((x, i) => Math.abs((x - minus[i]) / (2 * step) - jacobian[4 * i + v]) < 1e-7),
        `column ${v} of the Jacobian`);
}
check(near(kinematics.update(bent).twist('tip').slice(0, 12), jacobian.slice(0, 12), 1e-12),
    'the twist begins as the Jacobian does');
const all = kinematics.matrices();
check(all.length === 36 && sameBits(all.slice(12, 24), kinematics.matrix(1)), 'all matrices');
const inside = kinematics.project([3, 2, 2, 2]);
check(arm.violation([3, 2, 2, 2]) > 0.5 && arm.violation(inside) <= 1e-9, 'projected into the limits');
check(sameBits(arm.randomPose(5), arm.randomPose(5)) && !sameBits(arm.randomPose(5), arm.randomPose(6)), 'seeds');

// --- Human: re-rooting, poses by name --------------------------------------------------------------------------------

const human = limber.loadFigure('models/human.fig');
const pose = human.randomPose(3);
const {figure: rooted, pose: rootedPose} = human.reroot(pose, {segment: human.findSegment('right_hand'), free: true});
const before = human.kinematics().update(pose).matrices();
const after = rooted.kinematics().update(rootedPose).matrices();
check(near(before, after, 1e-9), 're-rooted, every segment is where it was');
check(sameBits(human.poseFromNames(human.poseByName(pose)), pose), 'a pose by names and back');
check(thrown(() => human.poseFromNames({nose: 1}), 'a wrong name').statusName === 'name', 'a wrong name');
check(/did you mean 'right_elbow'\?$/.test(
          thrown(() => human.poseFromNames({right_elbw: 1}), 'a misspelt variable').message),
    'the nearest variable');

// A segment's name is an end-effector, as a site's is.
{
    const hand = human.findSegment('right_hand');
    same(human.findPlace('right_hand'), {segment: hand, site: -1}, 'a segment by its name');
    same(human.findPlace('right_palm'), {segment: hand, site: human.findSite('right_palm')}, 'a site by its name');
    const misspelt = thrown(() => human.findPlace('right_plam'), 'a misspelt place');
    same([misspelt.statusName, misspelt.message],
        ['name', 'figure `human` has no site or segment `right_plam`; did you mean `right_palm`?'],
        'the nearest place');
    const posed = human.kinematics().update(pose);
    check(near(posed.effector('right_hand').slice(0, 3), posed.segment(hand).position, 1e-12),
        'a segment is where its frame is');
    check(near(posed.effector('com').slice(0, 3), posed.com(), 1e-12), 'com is the centre of mass');
    const named = new limber.Problem(human);
    const kept = named.keep('left_foot', pose);
    check(near(kept.goal.point, posed.segment(human.findSegment('left_foot')).position, 1e-12),
        'a segment is kept where it is');
    const held = named.add(kept);
    const carried =
        named.add({site: 'right_hand', goal: {kind: 'position', point: [0, 0, 0.1], carrierSegment: 'head'}});
    same([named.constraint(held).effector.segment, named.constraint(carried).effector.segment],
        [human.findSegment('left_foot'), hand], 'segments as end-effectors');
    same(named.constraint(carried).goal.carrierSegment, human.findSegment('head'), 'a carrier by its name');
    check(/did you mean `right_hand`/.test(thrown(
              () => named.add({site: 'right_hnd', goal: {kind: 'position', point: [0, 0, 1]}}),
              'a misspelt end-effector').message),
        'the nearest end-effector');
    check(/did you mean 'right_hand'/.test(thrown(
              () => named.add({segment: 'right_hnd', goal: {kind: 'position', point: [0, 0, 1]}}),
              'a misspelt segment').message),
        'the nearest segment');
}
const [body, part] = human.split(pose, human.findJoint('right_elbow'));
same(body.segments.length + part.segments.length, human.segments.length, 'broken in two');
same(human.treeOrder.length, human.segments.length, 'the tree');
same(human.parentSegment(human.root.segment), -1, 'the root has no parent');

// --- Bodies ----------------------------------------------------------------------------------------------------------

{
    const {body} = human;
    same([body.feet.map(({name}) => name).sort(), body.starts[0], body.head],
        [['left', 'right'], 'relaxed', human.findSegment('head')], 'the body of the human');
    check(body.contacts.some(({name, kind}) => name === 'left_heel' && kind === 'heel'), 'its contacts');
    check(Object.isFrozen(body.contacts), 'a body cannot be changed');
    same(arm.body, null, 'an arm has no body');

    const low = new limber.Problem(human);
    low.add({site: 'right_palm', goal: {kind: 'position', point: [0.4, -0.15, 0.3]}});
    const bodyless = low.solver();
    bodyless.solve(human.restPose());
    same([low.body(), bodyless.body()], [null, null], 'nobody asked for a body');
    low.setBody(0, {effort: 2, foot: {left: 'planted'}, loads: {right_hand: 5}, habit: false});
    const asked = low.body();
    same([asked.effort, asked.habit, asked.posture, asked.balance, asked.foot.left, asked.foot.right, asked.loads],
        [2, 0, 1, true, 'planted', 'auto', [{place: 'right_hand', point: [0, 0, 0], mass: 5}]], 'its options');

    const natural = low.solver();
    const posed = human.restPose();
    const {outcome, explanation} = natural.solve(posed);
    const found = natural.body();
    same(outcome, 'solved', explanation);
    check(/balance \d/.test(explanation) && /effort/.test(explanation), explanation);
    check(found.margin > 0.005 && found.overlap < 1e-3, 'it stands, and nothing is in anything');
    check(near([found.contacts.reduce((sum, {share}) => sum + share, 0)], [1], 1e-6), 'the contacts carry all of it');
    check(found.contacts.every(({share, stands}) => stands || share < 1e-9), 'what is in the air carries nothing');
    check(found.efforts.length === body.strengths.length && found.efforts[0].share >= found.efforts.at(-1).share,
        'efforts, the largest first');
    check(found.steps.every(({foot}) => foot === 'right'), 'a planted foot does not step');
    check(found.com.every(Number.isFinite) && found.terms.posture > 0 && found.terms.habit === 0, 'its terms');
    check(posed[human.findVariable('right_knee')] > 0.3, 'whoever reaches down bends the knees');

    const heavy = natural.body().efforts.find(({name}) => name === 'right_shoulder').share;
    low.setBody(0, {foot: {left: 'planted'}});
    natural.solve(posed);
    check(natural.body().efforts.find(({name}) => name === 'right_shoulder').share < heavy, 'without a load');

    const seat = {name: 'stool', point: [0, 0, 0.5], halfSize: [0.2, 0.2]};
    low.setBody(0, {surfaces: [seat], supports: {left_sit_bone: 'stool', right_sit_bone: 'floor'}});
    const [read] = low.body().surfaces;
    same([{name: read.name, point: read.point, halfSize: read.halfSize}, low.body().supports],
        [seat, {left_sit_bone: 'stool', right_sit_bone: 'floor'}], 'surfaces');
    same(thrown(() => low.setBody(0, {foot: {lefd: 'step'}}), 'a misspelt foot').message,
        "the body has no foot 'lefd'; did you mean 'left'?", 'the nearest foot');
    check(thrown(() => low.setBody(0, {foot: {left: 'flies'}}), 'a mode').statusName === 'name', 'no such mode');
    same(thrown(() => new limber.Problem(arm).setBody(), 'no body').statusName, 'unsupported', 'an arm has none');
    low.clearBody();
    same(low.body(), null, 'taken back');
}

// --- Problems --------------------------------------------------------------------------------------------------------

const problem = new limber.Problem(human);
const rest = human.restPose();
const feet = ['right_heel', 'left_heel'].filter((site) => human.findSite(site) >= 0);
for (const site of feet) problem.add({...problem.keep(site, rest), priority: 0});
const stand = human.kinematics().update(rest);
const corners = feet.flatMap((site) => [[0.1, 0.03], [-0.05, -0.03]].map(([x, y]) => {
    const {position} = stand.site(human.findSite(site));
    return [position[0] + x, position[1] + y, 0];
}));
const balance = problem.add({...problem.balance(corners, 0.005), name: 'balance'});
const reach = problem.add({name: 'reach', site: 'right_palm', goal: {kind: 'position', point: [0.3, -0.3, 1.2]}});
const solver = problem.solver();
const answer = rest.slice();
const result = solver.solve(answer);
same([result.outcome, result.constraints.every((entry) => entry.met)], ['solved', true], result.explanation);
stand.update(answer);
check(near(stand.site(human.findSite('right_palm')).position, [0.3, -0.3, 1.2], 1e-4), 'the palm is there');
check(human.violation(answer) <= 1e-9, 'inside its limits');
problem.moveGoal(reach, {position: [3, 0, 1]});
const short = solver.solve(answer);
check(short.outcome !== 'solved' && /short|limit/.test(short.explanation), `out of reach: ${short.explanation}`);
check(short.constraints.find((entry) => entry.id === reach).distance > 1, 'and how far');
same([short.reasons.length, short.freedom], [0, null], 'why is a question of its own');
const why = solver.explain(answer);
same(why.value, short.value, 'the same answer');
check(['under', 'perfect', 'over'].includes(why.freedom?.determinacy)
        && why.freedom.redundancy === why.freedom.freedoms - why.freedom.rank,
    'the freedom that is left');
check(why.reasons.every((reason) => reason.share >= 0.1 && reason.share <= 1 && typeof reason.reached === 'boolean'),
    `reasons: ${why.explanation}`);
problem.change(reach, {weight: 0.5, goal: {point: [0.3, -0.3, 1.3]}});
const changed = problem.constraint(reach);
same([changed.weight, changed.goal.kind, changed.goal.point, changed.name],
    [0.5, 'position', [0.3, -0.3, 1.3], 'reach'], 'changed');
same(problem.constraint(balance).goal.faces.length > 2, true, 'faces of the balance');
problem.enable(balance, false);
same(problem.constraint(balance).disabled, true, 'disabled');
problem.remove(balance);
check(thrown(() => problem.constraint(balance), 'a removed constraint').statusName === 'argument', 'removed');
check(thrown(() => problem.add({site: 'nose', goal: {kind: 'position'}}), 'a wrong site').statusName === 'name',
    'a wrong site');
check(thrown(() => problem.add({site: 'right_palm', goal: {kind: 'nowhere'}}), 'a wrong goal')
          .message.includes('half-space'),
    'a wrong goal: those there are');
same(problem.variableName(0), human.variables[0].name, 'a name');
const {value, gradient} = solver.valueAndGradient(answer);
check(value >= 0 && gradient.length === human.variableCount && solver.value(answer) === value, 'value and gradient');

// --- Several answers, many problems ----------------------------------------------------------------------------------

const panda = limber.loadFigure('models/panda.fig');
const grasp = new limber.Problem(panda);
const last = panda.segments.length - 1;
const goals = Array.from({length: 5}, (_, i) => panda.kinematics().update(panda.randomPose(i + 1)).segment(last));
const place = grasp.add({
    segment: last,
    goal: {kind: 'frame', point: goals[0].position, ...limber.axes(goals[0].rotation), rotation: goals[0].rotation}
});
const several = grasp.solver().solveAll(panda.restPose(), {wanted: 4, restarts: 20, apart: 0.1});
check(several.poses.length >= 2, `${several.poses.length} answers`);
check(
    several.poses.every((one) => near(panda.kinematics().update(one).segment(last).position, goals[0].position, 1e-3)),
    'each is one');
const seen = [];
const many = limber.solveMany(grasp, {ids: [place], goals: goals.map((goal) => [goal]), start: panda.restPose(),
    options: {restarts: 5}, onProgress: (done, count) => void seen.push([done, count])});
const single = grasp.solver();
goals.forEach((goal, i) => {
    const start = panda.restPose();
    grasp.moveGoal(place, goal);
    const alone = single.solve(start, {restarts: 5});
    check(sameBits(start, many.poses[i]) && many.answers[i].outcome === alone.outcome,
        `many problems: ${i} is the same as alone`);
});
check(thrown(() => limber.solveMany(grasp, {ids: [place], goals: [[]]}), 'no goals').statusName === 'argument',
    'no goals');

// --- Options, progress, custom goals ---------------------------------------------------------------------------------

const steps = [];
const chain = limber.loadFigure('chain:6');
const pull = new limber.Problem(chain);
pull.add({segment: chain.segments.length - 1, goal: {kind: 'position', point: [0.2, 0.2, 0.2]}});
const traced =
    pull.solver().solve(chain.restPose().fill(0.1), {method: 'bfgs', onIteration: (step) => void steps.push(step)});
check(steps.length >= traced.iterations - 1 && steps.every((step) => step.pose.length === chain.variableCount),
    'each iteration is told');
check(steps.every((step, i) => i === 0 || step.value <= steps[i - 1].value + 1e-15), 'and never worse');
const byOption = (options) => {
    const pose = chain.restPose().fill(0.1);
    return [pull.solver().solve(pose, options).outcome, pose];
};
for (const [usual, other] of [[{method: 'bfgs', bfgsUpdate: 'bfgs'}, {method: 'bfgs', bfgsUpdate: 'dfp'}],
    [{method: 'ccd'}, {method: 'ccd', preferred: 3}]]) {
    const [[first, here], [second, there]] = [byOption(usual), byOption(other)];
    check(first === 'solved' && second === 'solved' && !sameBits(here, there),
        `${JSON.stringify(other)} is another way there`);
}
check(byOption({method: 'ccd', ccd: 'axis'})[0] === 'solved', 'ccd by axis');
check(thrown(() => byOption({method: 'bfgs', bfgsUpdate: 'sr1'}), 'a wrong update').message.includes('dfp'),
    'a wrong update');
const wish = new limber.Problem(arm);
wish.add({
    site: 'tip',
    goal: {
        kind: 'custom',
        potential: (e) => ({value: (e[1] - 0.5) ** 2, gradient: [0, 2 * (e[1] - 0.5), 0, 0, 0, 0, 0, 0, 0]})
    },
    tolerance: 1e-6
});
const wished = Float64Array.from([0.1, 0, 0, 0]);
wish.solver().solve(wished);
check(Math.abs(arm.kinematics().update(wished).site(arm.findSite('tip')).position[1] - 0.5) < 1e-5,
    'a goal of the caller');
check(thrown(() => wish.solver().solve(wished, {method: 'newton'}), 'a wrong method').message.includes('fabrik'),
    'a wrong method');
check(/cannot do/.test(thrown(() => wish.solver().solve(wished, {method: 'fabrik'}), 'fabrik').message),
    'what a method cannot do');

// --- Motion ----------------------------------------------------------------------------------------------------------

const track = new limber.Track('frame').set(0, [1.5, 0, 0, 0, 0, 0, 1]).set(1, [0, 1.2, 0, 0, 0, 0, 1], 'linear');
same(track.keys.map((key) => [key.time, key.interpolation]), [[0, 'cubic'], [1, 'linear']], 'keys');
check(near(track.sample(0), [1.5, 0, 0, 0, 0, 0, 1]) && track.sampleRates(0.5).rate.length === 6, 'samples');
const moving = new limber.Problem(arm);
const moved = moving.add({site: 'tip', goal: {kind: 'position', point: [1.5, 0, 0]}});
const motion = new limber.Motion(moving, arm.restPose());
motion.drive('goal', moved, track);
same([motion.end, motion.stageCount, motion.problem(0) === moving], [1, 1, true], 'a motion');
const player = motion.player();
const late = player.pose(0.8).pose;
player.pose(0.1);
check(sameBits(player.pose(0.8).pose, late) && sameBits(motion.player().pose(0.8).pose, late),
    'the pose at a time depends on the time alone');
const clip = player.clip({frameTime: 0.25});
same([clip.frameCount, clip.frameTime, clip.duration], [5, 0.25, 1], 'a clip');
check(near(clip.sample(0.25), clip.pose(1)) && clip.resample(0.125).frameCount === 9, 'samples of a clip');
clip.setPose(0, [0.5, 0, 0, 0]);
same(Array.from(clip.pose(0)), [0.5, 0, 0, 0], 'a frame that was set');
check(/^HIERARCHY/.test(text(clip.save('bvh'))) && clip.save('glb')[0] === 0x67, 'clips as files');
same(text(clip.save('csv')).split('\n').length, 7, 'a clip as a table');
const still = new limber.Problem(arm);
const driven = new limber.Motion(still, arm.restPose());
const over = new limber.Motion(moving, arm.restPose());
driven.driveClip(0, clip, 0);
over.driveClip(0, clip, 0);
const reached = arm.kinematics().update(over.player().pose(0).pose).site(arm.findSite('tip')).position;
check(near(reached, [1.5, 0, 0], 1e-4), `a goal over a clip is met: ${reached}`);
clip.free();
check(near(driven.player().pose(0).pose, [0.5, 0, 0, 0], 1e-6), 'a clip drives, though freed');
check(thrown(() => track.set(0, [1, 2]), 'a wrong width').message.includes('7'), 'a wrong width');

// --- Characters, retargeting -----------------------------------------------------------------------------------------

limber.files.set('human.glb', human.save('glb', {pose: rest}));
const character = limber.loadFigure('human.glb');
const turned = character.restPose();
const free = character.variables.findIndex((variable) => variable.ref.joint >= 0 && variable.upper > 0.2);
turned[free] += 0.2;
limber.files.set('posed.glb', limber.gltfPose('human.glb', character, turned));
const posed = limber.loadFigure('posed.glb');
same(posed.segments.length, character.segments.length, 'a character in another pose');
const steps2 = character.clip(4, 0.1);
for (let i = 0; i < 4; i++) steps2.setPose(i, turned);
limber.files.set('moving.glb', limber.gltfAnimation('human.glb', steps2, 'wave'));
same(limber.gltfAnimations('moving.glb'), ['wave'], 'its animation');
same(limber.loadClip('moving.glb', {animation: 'wave'}).clip?.frameCount > 1, true, 'read again');
check(human.humanNames().filter(Boolean).length > 15, 'parts of a body by name');
const walk = human.clip(6, 1 / 30);
check(/people are 1.2 to 2.2 m tall/.test(thrown(() => limber.loadFigure('models/human.fig', {stature: 3}), 'a giant').message), 'a giant');
const small = limber.loadFigure('models/human.fig', {stature: 1.2});
const frames = [];
const {clip: carried, report} = limber.retarget(walk, small, {onFrame: (frame) => void frames.push(frame)});
same([carried.frameCount, carried.figure === small, frames.length >= 6], [6, true, true], 'a motion for another');
check(report.slide < 0.01 && small.violation(carried.pose(3)) <= 1e-6, 'whose feet stand');
const {verdict} = limber.retarget(walk, small);
same([verdict.findings, verdict.explanation], [[], ''], 'which is good');
const strict = limber.judgeRetarget(report, {hipsStep: -1, atLimits: -1});
same(strict.findings.map(({measure}) => measure), ['hips-step', 'at-limits'], 'by bounds of one\'s own');
check(/largest step of the hips/.test(strict.explanation), 'as a sentence');
const posed9 = human.clip(9, 1 / 30);
posed9.setPose(0, posed9.pose(0).map((value, i) => value + (i > 5 && i % 3 === 0 ? 1 : 0)));
same([limber.retarget(posed9, small).clip.frameCount, limber.retarget(posed9, small, {keepFirstFrame: true}).clip.frameCount],
    [8, 9], 'a pose to begin with is left out, or kept');
check(clip instanceof limber.Clip && walk.contacts(feet).length >= 1, 'contacts');

// A humanoid robot of hinges, fixed to the world, whose names say nothing.
const legs = new limber.Builder();
let linkCount = 0;
const addLink = () => legs.addSegment({name: `l${linkCount++}`, mass: 1});
const addHinge = (parent, position, type, lower, upper) => {
    const own = addLink();
    legs.addJoint({name: `j${own}`, siteA: legs.addSite({name: `a${own}`, segment: parent, frame: {position}}),
        siteB: legs.addSite({name: `b${own}`, segment: own}), type, lower: [lower], upper: [upper], velocity: [12]});
    return own;
};
const pelvis = addLink();
for (const side of [1, -1]) {
    let at = addHinge(addHinge(pelvis, [0, 0.1 * side, 0], 'R(x)', -1, 1), [0, 0, 0], 'R(y)', -2, 1);
    at = addHinge(addHinge(at, [0, 0, 0], 'R(z)', -1, 1), [0, 0, -0.4], 'R(y)', 0, 2.4);
    at = addHinge(addHinge(at, [0, 0, -0.4], 'R(y)', -1, 1), [0, 0, 0], 'R(x)', -0.5, 0.5);
    legs.addShape({kind: 'box', segment: at, frame: {position: [0.04, 0, -0.05]}, size: [0.11, 0.04, 0.02]});
}
const biped = legs.finish();
same(biped.humanoidParts().slice(12, 18), [3, 9, 4, 10, 6, 12], 'thighs, shanks and feet by structure');
const {clip: followed, report: robotReport} = limber.retarget(walk, biped, {smooth: false});
same([followed.frameCount, followed.figure.variableCount, robotReport.isRobot], [6, biped.variableCount + 6, 1],
    'a robot that its file has fixed to the world');
check(robotReport.slide < 1e-3 && robotReport.below < 1e-6 && robotReport.speed <= 1 + 1e-9, 'follows a person');

// --- Problem files ---------------------------------------------------------------------------------------------------

const file = limber.loadProblem('problems/handshake.json');
same([file.problem.figures.length, file.figureNames.length, file.title.length > 0], [2, 2, true],
    'a problem of two figures');
limber.files.set('problems/again.json', file.save({start: file.start}));
const again = limber.loadProblem('problems/again.json');
const essence = (one) => one.problem.constraints().map(
    ({name, figure, effector, weight, goal}) => [name, figure, effector.segment, effector.point, weight, goal.kind,
        goal.point, goal.carrierFigure, goal.carrierSegment]);
same(essence(again), essence(file), 'saved and read again');
check(sameBits(again.start, file.start), 'and its start');
finish();
