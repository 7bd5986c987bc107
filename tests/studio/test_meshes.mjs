// Robots with their meshes: served with the file, chosen as a folder, dropped later; drawn, picked, hidden, undone;
// what is missing or hostile is said, and what lies elsewhere is not served.

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, closeAll, finish, open, part, scratch} from './harness.mjs';

const work = join(scratch, 'meshes'), pack = join(work, 'pack');
for (const folder of ['urdf', 'meshes']) mkdirSync(join(pack, folder), {recursive: true});

/** A tetrahedron of this size as binary STL. */
function stl(size) {
    const corners = [[0, 0, 0], [size, 0, 0], [0, size, 0], [0, 0, size]];
    const faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], data = Buffer.alloc(84 + 50 * faces.length);
    data.writeUInt32LE(faces.length, 80);
    faces.forEach((face, f) => face.forEach((corner, k) => corners[corner].forEach((x, i) =>
        data.writeFloatLE(x, 84 + 50 * f + 12 + 12 * k + 4 * i))));
    return data;
}

const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
const dae = (nodes, unit = 0.5) => `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\
<asset><unit meter="${unit}"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c">\
<phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique>
</profile_COMMON></effect></library_effects>\
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p">\
<float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3">\
<param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>\
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4" material="s"><input semantic="VERTEX" source="#v" offset="0"/>\
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh>
</geometry></library_geometries>\
<library_visual_scenes><visual_scene id="s">${nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`;
const SHOWN = '<node id="n"><instance_geometry url="#g"><bind_material><technique_common>' +
    '<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node>';

writeFileSync(join(pack, 'meshes/a.stl'), stl(0.4));
writeFileSync(join(pack, 'meshes/b.obj'), OBJ);
writeFileSync(join(pack, 'meshes/c.dae'), dae(SHOWN));
writeFileSync(join(pack, 'meshes/circle.dae'),
    dae('<node id="n"><instance_geometry url="#g"/><instance_node url="#n"/></node>'));
writeFileSync(join(pack, 'meshes/cut.stl'), stl(1).subarray(0, 120));
writeFileSync(join(work, 'outside.stl'), stl(1));

const visual = (file, more = '') =>
    `<visual><origin xyz="0 0 0.1"/><geometry><mesh filename="${file}" ${more}/></geometry>` +
    '<material name="green"/></visual>';
const robot = (parts) => '<robot name="r"><material name="green"><color rgba="0 1 0 1"/></material>' +
    `<link name="l0">${parts[0]}</link>` +
    parts.slice(1).map((shown, i) => `<link name="l${i + 1}">${shown}</link><joint name="j${i + 1}" type="revolute">` +
        `<parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>` +
        '<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>').join('') + '</robot>';
const urdf = join(pack, 'urdf/r.urdf'), odd = join(pack, 'urdf/odd.urdf');
writeFileSync(urdf, robot([visual('package://pack/meshes/a.stl'),
    visual('package://pack/meshes/b.obj', 'scale="0.3 0.3 0.3"'), visual('package://pack/meshes/c.dae')]));
writeFileSync(odd, robot([visual('package://pack/meshes/a.stl'), visual('../../outside.stl'),
    visual('package://pack/meshes/circle.dae'), visual('package://pack/meshes/cut.stl'),
    visual('http://example.org/m.stl'), visual('gone.stl')]));

const shown = ({view}) => [...view.skins.byFigure.values()].map((skin) => ({
    missing: skin.missing?.length, isSeen: skin.group.visible && skin.group.parent !== null,
    parts: skin.entries.map(({mesh, segment}) => {
        mesh.geometry.computeBoundingBox();
        return {segment, color: mesh.material.color.getHexString(), low: mesh.geometry.boundingBox.min.toArray(),
            high: mesh.geometry.boundingBox.max.toArray()};
    }),
}));
const near = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-6);
const warnings = async (hands) => (await hands.messages()).filter(({kind}) => kind === 'warning');

const hands = await open({words: [urdf]});

await part('limber studio FILE serves the meshes that the file names', async () => {
    await hands.until(() => hands.read(({view}) => view.skins.byFigure.size === 1));
    const [skin] = await hands.read(shown), [a, b, c] = skin.parts;
    check('three parts are seen', skin.parts.length === 3 && skin.isSeen && skin.missing === 0, skin);
    check('STL is where its origin is', near(a.low, [0, 0, 0.1]) && near(a.high, [0.4, 0.4, 0.5]), a);
    check('OBJ is scaled', near(b.high, [0.3, 0.3, 0.4]), b);
    check('COLLADA has its unit, and z is z', near(c.high, [0.5, 0.5, 0.6]), c);
    check('colours: the material of the robot, or the own of the mesh',
        /^..ff..$/.test(a.color) && /^ff....$/.test(c.color), [a.color, c.color]);
    check('nothing is wrong', (await warnings(hands)).length === 0, await warnings(hands));
});

await part('a part is picked where its mesh is', async () => {
    const found = await hands.read(({view}) => {
        const [skin] = view.skins.byFigure.values();
        return skin.pick([0.05, -5, 0.75], [0, 1, 0]);
    });
    check('the second link', found?.segment === 1, found);
    check('at its surface', Math.abs(found.point[1]) < 1e-6, found);
});

await part('Show hides them, and brings them back', async () => {
    await hands.read(({store}) => store.change({show: {skin: false}}));
    await hands.settle();
    check('hidden', !(await hands.read(shown))[0].isSeen);
    await hands.read(({store}) => store.change({show: {skin: true}}));
    await hands.settle();
    check('seen', (await hands.read(shown))[0].isSeen);
});

await part('another model frees them, undo brings them back', async () => {
    await hands.read(({view}) => {
        const [skin] = view.skins.byFigure.values();
        window.freed = 0;
        for (const {mesh} of skin.entries) mesh.geometry.addEventListener('dispose', () => window.freed++);
    });
    await hands.drop([join(work, 'pack/urdf/bare.urdf')].map((file) => {
        writeFileSync(file, robot(['', '']));
        return file;
    }));
    await hands.until(() => hands.read(({view}) => view.skins.byFigure.size === 0));
    check('every geometry is freed', await hands.read(() => window.freed) === 3);
    await hands.command('undo');
    await hands.until(() => hands.read(({view}) => view.skins.byFigure.size === 1));
    check('three parts again', (await hands.read(shown))[0].parts.length === 3);
});

await part('a folder is chosen', async () => {
    const folder = join(work, 'two');
    for (const inner of ['urdf', 'meshes/left', 'meshes/right']) mkdirSync(join(folder, inner), {recursive: true});
    writeFileSync(join(folder, 'meshes/left/m.stl'), stl(0.1));
    writeFileSync(join(folder, 'meshes/right/m.stl'), stl(0.2));
    writeFileSync(join(folder, 'urdf/two.urdf'), robot([visual('package://two/meshes/right/m.stl'),
        visual('../meshes/left/m.stl')]));
    await hands.page.locator('#folder-input').setInputFiles(folder);
    await hands.until(() => hands.read(({view}) => [...view.skins.byFigure.values()][0]?.entries.length === 2));
    const [{parts: [right, left]}] = await hands.read(shown);
    check('paths tell files of one name apart', near(right.high, [0.2, 0.2, 0.3]) && near(left.high, [0.1, 0.1, 0.2]),
        [right, left]);
});
await hands.close();

const other = await open({words: [odd]});
await part('what is missing, hostile or elsewhere is said', async () => {
    await other.until(() => other.read(({view}) => view.skins.byFigure.size === 1));
    await other.settle();
    const [skin] = await other.read(shown), said = await warnings(other);
    check('what is whole is shown', skin.parts.length === 1, skin);
    check('five are not', skin.missing === 5, skin);
    check('a message counts them', said.some(({text}) => /5 meshes of odd\.urdf cannot be shown/.test(text)), said);
    const given = await (await fetch(`${other.server.url}given.json`)).json();
    check('nothing from outside is served', given.files.every(({name}) => !name.includes('outside')), given);
});
await part('meshes that are dropped later are found', async () => {
    writeFileSync(join(work, 'gone.stl'), stl(0.2));
    await other.page.locator('#file-input').setInputFiles(join(work, 'gone.stl'));
    await other.page.waitForFunction(() =>
        [...window.studio.view.skins.byFigure.values()].some((skin) => skin.entries.length === 2),
    null, {polling: 100});
    check('two parts', (await other.read(shown))[0].parts.length === 2);
});
await other.close();
await closeAll();
finish();
