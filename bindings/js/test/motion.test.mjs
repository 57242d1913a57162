// Files, rigs, clips, trackers, switches and retargeters, on a motion that sinew makes itself.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
    BallLimit, Clip, Grounder, Mesh, Motion, Pose, Retargeter, Rig, Roles, Scene, SinewError, Skeleton, Stance, Switch, Tracker,
    Terrain, Walker, load, writeMotion,
} from '../src/index.js';

before(() => load());

/** MAN18 walks for some seconds. */
function walkedClip(seconds = 3) {
    const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton), walker = new Walker(skeleton);
    const clip = Clip.create(skeleton, Math.round(seconds * 60), 1 / 60);
    walker.steering.forward = 1.2;
    for (let i = 0; i < clip.frame_count; ++i) {
        walker.update(1 / 60, pose);
        clip.frames.set(pose.q, i * skeleton.coordinate_count);
    }
    return clip;
}

test('a clip goes out as BVH and glTF and comes back', () => {
    const clip = walkedClip(), { skeleton } = clip, pose = new Pose(skeleton);
    for (const ending of ['bvh', 'glb', 'gltf']) {
        const bytes = writeMotion(`walk.${ending}`, clip);
        const file = new Motion(bytes, `walk.${ending}`);
        assert.equal(file.format, ending === 'bvh' ? 'bvh' : 'gltf');
        assert.equal(file.clip.frame_count, clip.frame_count);
        assert.ok(Math.abs(file.unit - (ending === 'bvh' ? 0.01 : 1)) < 1e-12);
        const back = new Pose(file.skeleton);
        for (const time of [0, 0.7, 2.4]) {
            clip.sample(time, pose).forward();
            file.clip.sample(time, back).forward();
            for (const name of ['Hips', 'LeftFoot', 'RightHand', 'Head']) {
                const a = pose.world[skeleton.index(name)].position;
                const b = back.world[file.skeleton.index(name)].position;
                assert.ok(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) < 1e-4, `${ending} ${name} at ${time} s`);
            }
        }
    }
    const named = writeMotion('walk.gltf', clip, { animation: 'Größe' });
    assert.match(new TextDecoder().decode(named), /"animations":\[\{"name":"Größe"/);
    assert.match(new TextDecoder().decode(writeMotion('walk.gltf', clip)), /"animations":\[\{"name":"sinew"/);
});

test('a file that nobody prepared gets roles, limits and a walk of its own', () => {
    const file = new Motion(writeMotion('walk.bvh', walkedClip()), 'walk.bvh');
    const { roles, stance, rig, skeleton } = file.prepare();
    assert.equal(roles.guess.kind, 'humanoid');
    assert.equal(file.skeleton.names[roles.find('hand', 'left')], 'LeftHand');
    assert.equal(roles.mirror(roles.find('foot', 'left')), roles.find('foot', 'right'));
    assert.ok(rig.joints.length > 10 && rig.effectors.some(({ name }) => name === 'hand_l'));
    const pose = new Pose(skeleton), walker = new Walker(skeleton, { roles, stance });
    walker.steering.forward = 1;
    for (let i = 0; i < 240; ++i) { walker.update(1 / 60, pose); }
    assert.ok(walker.report.distance > 2.5 && pose.limit_violation === 0);
    rig.capturePose('stride', pose);
    assert.ok(rig.getPose('stride', new Pose(skeleton)));
    assert.equal(rig.getPose('nobody', pose), false);
});

test('bad files are told in one line', () => {
    for (const [bytes, pattern] of [['HIERARCHY\nROOT a\n{\nOFFSET 1 2\n', /^x\.bvh:\d+:\d+: found /],
        ['{"asset":{"version":"2.0"}}', /^x\.bvh/], ['<robot name="r"/>', /found an XML file/], ['', /^x\.bvh/]]) {
        assert.throws(() => new Motion(bytes, 'x.bvh'), (error) => error instanceof SinewError
            && pattern.test(error.message) && !error.message.includes('\n'));
    }
    assert.throws(() => Rig.read('{"joints": [}', 'x.rig.json'), /^SinewError: x\.rig\.json:1:\d+: found /);
});

test('a tracker follows, a switch changes over without a pop', () => {
    const clip = walkedClip(1), { skeleton } = clip, wanted = new Pose(skeleton), shown = new Pose(skeleton);
    const tracker = new Tracker(skeleton, { max_goals: 4, frame_time: 1 / 30 });
    tracker.setFrameTime(1 / 60);
    assert.throws(() => tracker.setFrameTime(0), /setFrameTime: seconds is 0, want /);
    const goals = ['Head', 'LeftHand', 'RightHand', 'LeftFoot'].map((name) => tracker.position(name));
    for (let i = 0; i < 60; ++i) {
        clip.sample(i / 60, wanted).forward();
        for (const goal of goals) { goal.copy(wanted.world[goal.joint].position); }
        tracker.update(shown);
        if (i > 5) { assert.ok(tracker.report.position_error < 2e-3, `frame ${i}: ${tracker.report.position_error}`); }
    }
    const roles = new Roles(skeleton), limbs = new Switch(skeleton, { roles });
    limbs.reset(shown);
    const kept = Array.from(limbs.q);
    const arm = limbs.limbs.findIndex(({ tip }) => tip === roles.find('hand', 'left'));
    limbs.enableIk(arm, true);
    limbs.update(1 / 60);
    assert.deepEqual(Array.from(limbs.q), kept);
    const handle = limbs.handle(arm);
    handle.place.position.y += 0.05;
    limbs.setHandle(arm);
    for (let i = 0; i < 20; ++i) { limbs.update(1 / 60); }
    assert.ok(Math.abs(limbs.handle(arm).place.position.y - handle.place.position.y) < 1e-3);
    assert.ok(limbs.controls().some(({ kind, limb }) => kind === 'handle' && limb === arm));
    assert.throws(() => limbs.setJoint(roles.find('hand', 'left'), [0]), { name: 'SinewError' });
});

test('a retargeter carries a walk to another body, whole and live', () => {
    const file = new Motion(writeMotion('walk.bvh', walkedClip()), 'walk.bvh');
    const source = file.prepare();
    const { skeleton } = new Scene('MAN18'), roles = new Roles(skeleton), stance = new Stance(skeleton, roles);
    const retargeter = new Retargeter({ ...source, skeleton: file.skeleton }, { skeleton, roles, stance });
    assert.ok(Math.abs(retargeter.scale - 1) < 0.01);
    const clip = retargeter.clip(file.clip);
    assert.equal(clip.frame_count, file.clip.frame_count);
    assert.ok(retargeter.report.prints.every((count) => count >= 1));
    retargeter.reset();
    const from = new Pose(file.skeleton), to = new Pose(skeleton);
    let sample = -1;
    for (let i = 0; i < 100; ++i) { sample = retargeter.push(file.clip.sample(i / 100, from), to); }
    assert.ok(sample > 80 && sample < 100);
});

test('limits of balls hold, and are shown', () => {
    const limit = BallLimit.create({ windows: [{ axis: [1, 0, 0], half_angle: 0.5 }], twist_lower: -0.2, twist_upper: 0.2 });
    assert.ok(limit.allows([0, 0, 0, 1]));
    const turned = [0, 0, Math.sin(0.4), Math.cos(0.4)];
    assert.ok(!limit.allows(turned) && Math.abs(limit.violation(turned) - 0.3) < 1e-9);
    assert.ok(limit.allows(limit.clamp(turned)));
    assert.equal(limit.outline.length, 1);
    const body = Skeleton.create([{ name: 'a', axes: [{ kind: 'ball', limit }] }, { name: 'b', parent: 0, offset: [1, 0, 0] }]);
    limit.dispose();
    const pose = new Pose(body);
    pose.q.set(turned);
    assert.ok(Math.abs(pose.limit_violation - 0.3) < 1e-9);
    assert.equal(pose.applyLimits().limit_violation, 0);
});

test('a grounder puts the feet of an animation onto hills', () => {
    const clip = walkedClip(), { skeleton } = clip, ground = new Terrain('hills:3'), roles = new Roles(skeleton);
    const body = { skeleton, roles, stance: new Stance(skeleton, roles) };
    const grounder = new Grounder(body, { ground, look_ahead: 0.3 });
    const pose = new Pose(skeleton), out = new Pose(skeleton);
    const sole = new Walker(skeleton).soles[0].points[0];
    const off = { before: 0, after: 0 };
    let frames = 0;
    for (let i = 0; i < clip.frame_count; ++i) {
        pose.q.set(clip.frames.subarray(i * skeleton.coordinate_count, (i + 1) * skeleton.coordinate_count));
        const report = grounder.update(pose, out);
        if (report.frame < 60) { continue; }
        assert.equal(report.frame, i - grounder.latency);
        const heightOff = (/** @type {Pose} */ of) => {
            const { position: p } = of.forward().world[sole.joint];
            return Math.abs(p.y - ground.sample(p.x, p.z).height);
        };
        ++frames;
        off.before = Math.max(off.before, heightOff(pose));
        off.after = Math.max(off.after, report.feet[0].stands ? heightOff(out) : 0);
        // with so little to see ahead legs are 2 mm short once
        assert.ok(report.feet[0].beyond < 3e-3);
    }
    assert.ok(frames > 60);
    assert.ok(off.before > 0.2 && off.after < 0.15, `ankle ${off.before} m, then ${off.after} m over the ground`);
    // a whole clip as well
    const whole = grounder.clip(clip), n = skeleton.coordinate_count;
    assert.equal(whole.frame_count, clip.frame_count);
    assert.ok(whole.frames.slice(90 * n, 91 * n).some((value, i) => value !== clip.frames[90 * n + i]));
    grounder.dispose();
    assert.throws(() => new Grounder(body, { look_ahead: 99 }), /look_ahead/);
});

/** A triangle on two nodes, the second of which a joint moves: data of its own. */
function triangle() {
    const numbers = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const data = Buffer.from(numbers.buffer).toString('base64');
    return JSON.stringify({
        asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }],
        nodes: [{ name: 'hips', children: [1] }, { name: 'arm', translation: [0, 2, 0], mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
        materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0.5, 0, 1] }, doubleSided: true }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${data}` }],
    });
}

test('a mesh of a glTF file follows a pose', () => {
    const motion = new Motion(triangle(), 'triangle.gltf'), mesh = new Mesh(motion);
    assert.equal(mesh.parts.length, 1);
    const [part] = mesh.parts;
    assert.deepEqual([part.vertex_count, part.indices.length, part.image, part.double_sided], [3, 3, -1, true]);
    assert.deepEqual(part.color, [1, 0.5, 0, 1]);
    const pose = new Pose(motion.skeleton), { unit } = motion;
    motion.clip.sample(0, pose).forward();
    mesh.update(pose);
    const at = pose.world[motion.skeleton.index('arm')].position;
    assert.ok(Math.abs(mesh.positions[1] - at.y) < 1e-6 && Math.abs(mesh.positions[3] - mesh.positions[0] - unit) < 1e-6);
    // what the pose turns, the mesh turns
    const q = pose.q.slice();
    pose.q[0] += 0.25;
    mesh.update(pose);
    assert.ok(Math.abs(mesh.positions[0] - 0.25) < 1e-6);
    pose.q.set(q);
    mesh.dispose();
    assert.equal(new Mesh(new Motion(writeMotion('a.bvh', walkedClip(0.1)), 'a.bvh')).update(new Pose(new Scene('MAN18').skeleton)).length, 0);
});
