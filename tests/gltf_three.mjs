// Read a glTF file with three.js and compare where its vertices are with what sinew says.
//
// usage: node gltf_three.mjs THREE FILE DUMP [ORIGINAL]
// THREE      folder in which npm installed three
// DUMP       text of numbers: parts, then for each part node and vertex count, then poses, then for each
//            pose the animation (-1: rest), the time, and x y z of all vertices of all parts
// ORIGINAL   the file that FILE was written from: all of its content must still be there
// Prints the largest distance as a part of the size; exit status 1 where something is missing.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const [three, file, dump, original] = process.argv.slice(2);
const folder = join(three, 'node_modules', 'three');
const THREE = await import(pathToFileURL(join(folder, 'build', 'three.module.js')));
const { GLTFLoader } = await import(
    pathToFileURL(join(folder, 'examples', 'jsm', 'loaders', 'GLTFLoader.js')));
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class { };

function fail(text) {
    console.log(text);
    process.exit(1);
}

// the text and the bytes of all buffers
function open(path) {
    const bytes = readFileSync(path);
    let chunk = null, text = bytes;
    if (bytes.toString('latin1', 0, 4) === 'glTF') {
        if (bytes.readUInt32LE(8) !== bytes.length) { fail('length of the container'); }
        const length = bytes.readUInt32LE(12);
        text = bytes.subarray(20, 20 + length);
        if (20 + length < bytes.length) {
            const at = 20 + length;
            chunk = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at));
        }
    }
    const json = JSON.parse(text.toString('utf8').replace(/^\ufeff/, ''));
    const buffers = (json.buffers ?? []).map((b) => {
        if (b.uri === undefined) { return chunk; }
        if (b.uri.startsWith('data:')) { return Buffer.from(b.uri.split(',')[1], 'base64'); }
        return readFileSync(join(dirname(path), decodeURIComponent(b.uri)));
    });
    return { json, buffers };
}

function viewBytes(document, index) {
    const view = document.json.bufferViews[index], at = view.byteOffset ?? 0;
    return document.buffers[view.buffer].subarray(at, at + view.byteLength);
}

// everything that was there is still there, lists may have grown
function compareContent(before, after) {
    const grown = ['accessors', 'bufferViews', 'animations'];
    for (const key of Object.keys(before.json)) {
        const a = before.json[key], b = after.json[key];
        if (key === 'buffers') { continue; }
        const same = grown.includes(key) ? isDeepStrictEqual(a, b.slice(0, a.length))
            : isDeepStrictEqual(a, b);
        if (!same && key !== 'nodes' && key !== 'images') { fail(`content of ${key} differs`); }
        for (let i = 0; !same && i < a.length; i++) {
            // nodes with a matrix that got keys have its parts instead; images were taken in
            const { matrix, ...rest } = a[i];
            const { translation, rotation, scale, ...other } = b[i];
            const kept = key === 'images' ? true
                : isDeepStrictEqual(a[i], b[i]) || (matrix && isDeepStrictEqual(rest, other));
            if (!kept) { fail(`content of ${key} ${i} differs`); }
        }
    }
    for (let i = 0; i < (before.json.bufferViews ?? []).length; i++) {
        if (!viewBytes(before, i).equals(viewBytes(after, i))) { fail(`bytes of view ${i} differ`); }
    }
}

function inlined(document) {
    const json = structuredClone(document.json);
    (json.buffers ?? []).forEach((b, i) => {
        b.uri = 'data:application/octet-stream;base64,' + document.buffers[i].toString('base64');
    });
    return JSON.stringify(json);
}

const document = open(file);
if (original !== undefined) { compareContent(open(original), document); }

const loader = new GLTFLoader();
loader.register((parser) => {
    parser.assignTexture = async () => null; // pictures need a browser
    return { name: 'no pictures' };
});
const gltf = await loader.parseAsync(inlined(document), '');

// keys that are no unit quaternions, against the specification, would scale what they turn
let mended = 0;
for (const track of gltf.animations.flatMap((a) => a.tracks)) {
    const cubic = track.createInterpolant?.isInterpolantFactoryMethodGLTFCubicSpline;
    if (track.ValueTypeName !== 'quaternion' || cubic) { continue; }
    for (let i = 0; i < track.values.length; i += 4) {
        const length = Math.hypot(...track.values.subarray(i, i + 4));
        if (Math.abs(length - 1) < 1e-6) { continue; }
        for (let k = 0; k < 4; k++) { track.values[i + k] /= length; }
        mended++;
    }
}

// triangles by node, in the order of their primitives
const meshes = new Map();
gltf.scene.traverse((object) => {
    if (!object.isMesh) { return; }
    let link = gltf.parser.associations.get(object);
    const ordinal = link?.primitives ?? 0;
    for (let up = object; link?.nodes === undefined; up = up.parent) {
        link = gltf.parser.associations.get(up);
    }
    meshes.set(`${link.nodes}:${ordinal}`, object);
});

const numbers = readFileSync(dump, 'latin1').trim().split(/\s+/).map(Number);
let at = 0;
const parts = [];
for (let count = numbers[at++], i = 0; i < count; i++) {
    parts.push({ node: numbers[at++], ordinal: numbers[at++], vertices: numbers[at++] });
}
const mixer = new THREE.AnimationMixer(gltf.scene);
const point = new THREE.Vector3();
let worst = 0, size = 0;
for (let poses = numbers[at++], i = 0; i < poses; i++) {
    const animation = numbers[at++], time = numbers[at++];
    mixer.stopAllAction();
    if (animation >= 0) {
        const action = mixer.clipAction(gltf.animations[animation]);
        action.reset().setLoop(THREE.LoopOnce).play();
        action.clampWhenFinished = true;
        mixer.setTime(time);
    }
    gltf.scene.updateMatrixWorld(true);
    const box = new THREE.Box3();
    let away = 0;
    for (const part of parts) {
        const mesh = meshes.get(`${part.node}:${part.ordinal}`);
        if (mesh === undefined) { fail(`no mesh at node ${part.node}`); }
        if (mesh.geometry.attributes.position.count !== part.vertices) { fail('vertex count'); }
        for (let v = 0; v < part.vertices; v++) {
            mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
            box.expandByPoint(point);
            const d = Math.hypot(point.x - numbers[at], point.y - numbers[at + 1],
                point.z - numbers[at + 2]);
            if (!(d <= away)) { away = d; }
            at += 3;
        }
    }
    const extent = box.getSize(new THREE.Vector3());
    size = Math.max(extent.x, extent.y, extent.z);
    if (process.env.VERBOSE) { console.error(animation, time, away / size); }
    if (!(away / size <= worst)) { worst = away / size; }
}
if (at !== numbers.length) { fail('numbers left'); }
console.log(`${meshes.size} meshes, ${gltf.animations.length} animations, ` +
    (mended ? `${mended} keys made unit, ` : '') + `off by ${worst}`);
