// sinew/three on every skinned glTF of SINEW_DATA, and on a body with scaled bones: three's own world places
// are what the reports say. Skipped where three is not installed.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { Character, Crowd, Pose, Scene, Terrain, Walker, growMemory, load } from '../src/index.js';

const THREE = await import('three').catch(() => null);
const data = process.env.SINEW_DATA ?? new URL('../../../../shared/data', import.meta.url).pathname;
const folder = join(data, 'gltf');
const skip = THREE === null ? 'three is not installed' : false;

before(() => load());

/** A glTF without its pictures, which node cannot decode, as three loads it. */
async function loadModel(file) {
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    globalThis.self ??= globalThis;
    globalThis.ProgressEvent ??= Event;
    const bytes = readFileSync(join(folder, file));
    let json, buffer;
    if (bytes.subarray(0, 4).toString() === 'glTF') {
        const length = bytes.readUInt32LE(12);
        json = JSON.parse(bytes.subarray(20, 20 + length).toString());
        buffer = bytes.subarray(20 + length + 8);
        json.buffers[0].uri = `data:application/octet-stream;base64,${buffer.toString('base64')}`;
    } else {
        json = JSON.parse(bytes.toString());
        for (const each of json.buffers) {
            if (each.uri.startsWith('data:')) { continue; }
            each.uri = `data:application/octet-stream;base64,${readFileSync(join(folder, each.uri)).toString('base64')}`;
        }
    }
    delete json.images;
    delete json.textures;
    delete json.samplers;
    delete json.materials;
    for (const mesh of json.meshes ?? []) { for (const part of mesh.primitives) { delete part.material; } }
    return new Promise((resolve, reject) => new GLTFLoader().parse(JSON.stringify(json), '', resolve, reject));
}

/** The three lines, and what three and the report say about them; lengths by the size of the body. */
async function reach(object, IK) {
    const target = new THREE.Object3D();
    const ik = new IK(object);
    // the deepest bone, four joints up
    const depth = (node) => (node.parent ? depth(node.parent) + 1 : 0);
    const bones = ik.nodes.filter((node) => node.isBone).sort((a, b) => depth(b) - depth(a));
    const tip = bones[0];
    let chain = tip;
    for (let i = 0; i < 4 && chain.parent?.isBone; ++i) { chain = chain.parent; }
    const goal = ik.position(tip, { chain, target });
    const reachable = [], size = ik.skeleton.size;
    for (let i = 0; i < 8; ++i) {
        const start = new THREE.Vector3().setFromMatrixPosition(chain.matrixWorld);
        const way = new THREE.Vector3().setFromMatrixPosition(tip.matrixWorld).sub(start);
        way.applyAxisAngle(new THREE.Vector3(0.3, 0.5, 0.8).normalize(), 0.15).multiplyScalar(i % 2 ? 0.97 : 1.02);
        target.position.copy(start).add(way);
        const report = ik.solve();
        object.updateWorldMatrix(true, true);
        const seen = new THREE.Vector3().setFromMatrixPosition(tip.matrixWorld).distanceTo(target.position);
        const told = goal.result.position_error;
        assert.ok(Math.abs(told - report.position_error) <= 1e-12 * size);
        reachable.push({ seen: seen / size, told: told / size, met: report.outcome === 'converged' });
    }
    ik.dispose();
    return reachable;
}

function judge(name, rows) {
    for (const { seen, told } of rows) {
        assert.ok(Math.abs(seen - told) < 1e-6, `${name}: three sees ${seen}, the report says ${told} of its size`);
    }
    return rows.filter(({ met }) => met).length;
}

const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(gltf|glb)$/.test(name)) : [];
test('three lines attach IK to every skinned glTF', { skip: skip || (files.length === 0 && 'no glTF files: set SINEW_DATA') },
    async (t) => {
        const { IK } = await import('../src/three.js');
        let skinned = 0;
        for (const file of files) {
            const { scene } = await loadModel(file);
            let mesh = null;
            scene.traverse((node) => { if (node.isSkinnedMesh) { mesh ??= node; } });
            if (mesh === null) { continue; }
            ++skinned;
            // where a page has put it
            scene.position.set(3, 0.5, -2);
            scene.rotation.set(0.1, 1.2, -0.2);
            scene.scale.setScalar(0.7);
            const met = judge(file, await reach(scene, IK));
            t.diagnostic(`${file}: ${met} of 8 goals met`);
        }
        assert.ok(skinned >= 4, `${skinned} skinned files`);
    });

test('bones that are scaled, and hang on a scaled frame', { skip }, async () => {
    const { IK } = await import('../src/three.js');
    const root = new THREE.Group();
    root.scale.setScalar(0.01);
    root.rotation.set(-Math.PI / 2, 0, 0.4);
    root.position.set(1, 2, 3);
    let parent = root;
    for (let i = 0; i < 6; ++i) {
        const bone = new THREE.Bone();
        bone.name = `bone${i}`;
        bone.position.set(10 + 3 * i, 20 - i, 2 * i);
        bone.quaternion.set(0.1 * i, 0.2, -0.1, 1).normalize();
        bone.scale.setScalar([1, 1.5, 0.6, 2, 1, 0.8][i]);
        parent.add(bone);
        parent = bone;
    }
    root.updateWorldMatrix(true, true);
    const rows = await reach(root, IK);
    assert.ok(judge('scaled bones', rows) >= 7);
    // uneven scales are no rigid bodies, and said to be none
    parent.parent.scale.set(1, 2, 1);
    assert.throws(() => new IK(root), /bone4 is scaled by \(1, 2, 1\), want the same in all directions/);
});

test('an animated pose is read and kept where no goal asks', { skip }, async () => {
    const { IK } = await import('../src/three.js');
    const file = files.find((name) => name.startsWith('robot'));
    if (file === undefined) { return; }
    const { scene, animations } = await loadModel(file);
    const mixer = new THREE.AnimationMixer(scene), ik = new IK(scene, { limits: 'none' });
    mixer.clipAction(animations.find(({ name }) => /walk/i.test(name)) ?? animations[0]).play();
    mixer.update(0.4);
    const before = ik.nodes.map((node) => node.quaternion.toArray());
    ik.read().write();
    ik.nodes.forEach((node, i) => {
        const dot = Math.abs(node.quaternion.toArray().reduce((sum, x, k) => sum + x * before[i][k], 0));
        assert.ok(dot > 1 - 1e-7, `${node.name} turned: ${dot}`);
    });
});

test('characters, terrains and crowds become meshes; memory that grows is followed', { skip }, async () => {
    const { characterMesh, crowdMesh, terrainMesh } = await import('../src/three.js');
    const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton);
    const character = new Character(skeleton), mesh = characterMesh(character);
    assert.equal(mesh.geometry.index.count, 3 * 11101);
    const walker = new Walker(skeleton);
    walker.steering.forward = 1.2;
    for (let i = 0; i < 60; ++i) { walker.update(1 / 60, pose); }
    mesh.update(pose);
    const image = mesh.skeleton.boneTexture.image;
    growMemory(65536);
    mesh.update(pose);
    assert.ok(mesh.skeleton.boneTexture.image.data.length > 0 && image.data === character.matrices);
    // a corner of the lowest part is at the ground where the walker is, by three's own skinning
    const corner = new THREE.Vector3();
    let lowest = Infinity;
    for (let v = 0; v < character.vertex_count; v += 7) {
        corner.fromBufferAttribute(mesh.geometry.attributes.position, v);
        const blended = new THREE.Vector3(), bone = new THREE.Matrix4();
        for (let k = 0; k < 2; ++k) {
            const weight = mesh.geometry.attributes.skinWeight.getComponent(v, k);
            bone.fromArray(character.matrices, 16 * mesh.geometry.attributes.skinIndex.getComponent(v, k));
            blended.addScaledVector(corner.clone().applyMatrix4(bone), weight);
        }
        lowest = Math.min(lowest, blended.y);
        assert.ok(Math.abs(blended.z - walker.report.root.z) < 1.2);
    }
    assert.ok(Math.abs(lowest) < 0.05, `lowest corner at ${lowest}`);
    assert.equal(terrainMesh(new Terrain('hills:1')).geometry.index.count, 3 * 64082);
    const crowd = new Crowd(skeleton, 4, { place: (i) => ({ x: i }) }), bones = crowdMesh(crowd);
    crowd.update(1 / 60);
    bones.update();
    assert.equal(bones.instanceMatrix.array, crowd.bones);
});
