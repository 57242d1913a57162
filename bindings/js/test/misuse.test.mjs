// What callers get wrong: poses of other skeletons, what was disposed of, grounds that throw, settings that nobody knows.
// Each is a SinewError that says what was found, and the module goes on as before.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
    BallLimit, Character, Clip, Crowd, Ground, Grounder, Mesh, Motion, Pose, Record, Retargeter, Roles, Scene, SinewError,
    Skeleton, Solver, Stance, StartTable, Switch, Terrain, Tracker, Walker, growMemory, load, memoryBytes, writeMotion,
} from '../src/index.js';

/** @type {Scene} */ let man;
/** @type {Skeleton} */ let body;
/** @type {Pose} */ let small;
/** @type {Uint8Array} */ let file;

before(async () => {
    await load();
    man = new Scene('MAN18');
    body = man.skeleton;
    small = new Pose(new Scene('ARM').skeleton);
    const clip = Clip.create(body, 30, 1 / 30), pose = new Pose(body);
    for (let i = 0; i < 30; ++i) { clip.frames.set(man.poseAt(i / 30, pose).q, i * body.coordinate_count); }
    file = writeMotion('man.bvh', clip);
});

/** @param {() => unknown} call @param {RegExp} words */
function refused(call, words) {
    assert.throws(call, (error) => {
        assert.ok(error instanceof SinewError, `${error?.stack}, expected a SinewError: ${words}`);
        assert.match(error.message, words);
        return true;
    });
}

/** Bytes by which the memory has grown after so many calls, beyond what the first ones took. */
function growth(count, call) {
    for (let i = 0; i < 20; ++i) { call(); }
    const start = memoryBytes();
    for (let i = 0; i < count; ++i) { call(); }
    return memoryBytes() - start;
}

test('a pose of another skeleton is refused by all who take poses', () => {
    const solver = new Solver(body), tracker = new Tracker(body), walker = new Walker(body), pose = new Pose(body);
    const motion = new Motion(file), limbs = new Switch(body, { roles: new Roles(body) }), ready = motion.prepare();
    const grounder = new Grounder(ready), retargeter = new Retargeter({ ...ready, skeleton: motion.skeleton }, ready);
    const character = new Character(body), shown = new Pose(ready.skeleton);
    solver.position('RightHand').set(0.3, 1.2, 0.4);
    tracker.position('RightHand');
    const takers = {
        poseAt: () => man.poseAt(0, small), randomPose: () => man.randomPose(1, 1, small), sample: () => motion.clip.sample(0, small),
        solve: () => solver.solve(small), setRest: () => solver.setRest(small), why: () => solver.why(small),
        add: () => StartTable.add(null, solver, small), track: () => tracker.update(small), setPose: () => tracker.setPose(small),
        walk: () => walker.update(1 / 60, small), record: () => new Record().update(walker, 1 / 60, small),
        reset: () => limbs.reset(small), read: () => limbs.read(small), fk: () => limbs.setPose(small),
        ground: () => grounder.update(small, shown), out: () => grounder.update(shown, small),
        push: () => retargeter.push(small, shown), pushOut: () => retargeter.push(shown, small),
        copy: () => pose.copy(small), character: () => character.update(small), stance: () => ready.stance.apply(small),
    };
    for (const [name, call] of Object.entries(takers)) { refused(call, /is of another skeleton: found 5 joints/, name); }
    refused(() => solver.solve(), /the pose is undefined, want a Pose/);
    refused(() => walker.update(1 / 60, {}), /the pose is a plain object, want a Pose/);
});

test('a pose of the same joints with other limits will do', () => {
    const motion = new Motion(file), { skeleton } = motion.prepare(), pose = new Pose(skeleton);
    assert.notEqual(skeleton, motion.skeleton);
    motion.clip.sample(0.5, pose);
    assert.deepEqual(new Pose(motion.skeleton).copy(pose).q, pose.q);
});

test('what was disposed of is not used', () => {
    const pose = new Pose(body).forward(), solver = new Solver(body), crowd = new Crowd(body, 2), walker = new Walker(body);
    const goal = solver.position('Head'), place = goal.position, { world } = pose, { steering } = crowd;
    void pose.matrices;
    for (const owned of [pose, solver, crowd, walker]) { owned.dispose(); }
    for (const call of [
        () => pose.q, () => pose.world, () => pose.transforms, () => pose.matrices, () => world[3].position.y, () => pose.centerOfMass(),
        () => new Pose(body).copy(pose), () => solver.setMethod('damped'), () => solver.options.max_iterations,
        () => { solver.options.max_iterations = 7; }, () => solver.report.outcome, () => goal.set(1, 2, 3), () => { place.x = 1; },
        () => solver.position('Head'), () => crowd.bones, () => crowd.poses, () => crowd.update(1 / 60), () => crowd.updateBones(),
        () => steering[0].forward, () => crowd.walkers[0].update(1 / 60, new Pose(body)), () => walker.steer(0, 1), () => { walker.ground = null; }, () => walker.report.distance,
    ]) { refused(call, /this \w+ was disposed of/); }
});

test('a goal that was removed changes no other', () => {
    const solver = new Solver(body), first = solver.position('Head', { position_mask: 1 }), place = first.position;
    first.remove();
    const second = solver.position('LeftHand'), { x, y, z } = second.position;
    refused(() => first.set(9, 9, 9), /this goal was removed/);
    refused(() => { place.x = 9; }, /this goal was removed/);
    refused(() => { first.weight = 0; }, /this goal was removed/);
    first.remove();
    assert.deepEqual([solver.goals.count, { x, y, z }], [1, second.position.toJSON()]);
    assert.equal(second.position_mask, 7);
});

test('a goal that is refused takes up no room', () => {
    const solver = new Solver(body, { max_goals: 1 });
    for (let i = 0; i < 9; ++i) {
        refused(() => solver.position('Head', { chain: 'Nope' }), /there is no joint 'Nope'/);
        refused(() => solver.position('Head', { position: [1, 2] }), /position is \[1,2\], want 3 numbers/);
        refused(() => solver.support([[0, 0, 0], 3]), /support: points\[1\] is 3/);
    }
    assert.equal(solver.position('Head').slot, 0);
});

test('a ground stays as long as those who walk on it', () => {
    const pose = new Pose(body), other = new Pose(body);
    const [kept, lost] = [0, 1].map(() => new Terrain('hills:3'));
    const walkers = [kept, lost].map((ground) => new Walker(body, { ground }));
    const crowd = new Crowd(body, 2, { ground: lost });
    lost.dispose();
    // takes the place of what was given back too early
    for (let i = 0; i < 30; ++i) { new Terrain('flat'); }
    for (let i = 0; i < 120; ++i) {
        walkers[0].steer(0.1, 1).update(1 / 60, pose);
        walkers[1].steer(0.1, 1).update(1 / 60, other);
        crowd.update(1 / 60);
    }
    assert.deepEqual(other.q, pose.q);
    refused(() => lost.sample(0, 0), /this Terrain was disposed of/);
    refused(() => { walkers[0].ground = lost; }, /this Terrain was disposed of/);
    refused(() => new Walker(body, { ground: lost }), /this Terrain was disposed of/);
    walkers[1].ground = null;
    crowd.ground = kept;
    walkers[1].update(1 / 60, pose);
    for (const wrong of ['hills:3', () => 0, undefined, 3]) {
        refused(() => { walkers[0].ground = wrong; }, /^ground is .*, want a Terrain, a Ground, or null/);
        if (wrong === undefined) { continue; }
        refused(() => new Walker(body, { ground: wrong }), /^ground is /);
        refused(() => new Crowd(body, 1, { ground: wrong }), /^ground is /);
        refused(() => new Grounder(new Motion(file).prepare(), { ground: wrong }), /^ground is /);
    }
});

test('dispose() gives back a file or a scene with all that belongs to it', () => {
    assert.equal(growth(300, () => new Motion(file).dispose()), 0);
    assert.equal(growth(3000, () => new Scene('MAN18').dispose()), 0);
    // who uses a part keeps the whole
    const motion = new Motion(file), pose = new Pose(motion.skeleton);
    motion.dispose();
    for (let i = 0; i < 30; ++i) { new Motion(file); }
    assert.equal(pose.forward().world.length, motion.skeleton.joint_count);
    pose.dispose();
    refused(() => motion.skeleton.pointer, /this Skeleton was disposed of/);
    refused(() => motion.clip.frames, /this Clip was disposed of/);
});

test('a constructor that throws leaves nothing behind', () => {
    const failures = {
        method: [1000, () => new Solver(body, { method: 'x' })], options: [1000, () => new Solver(body, { options: { max_iterations: 'abc' } })],
        place: [30, () => new Crowd(body, 5, { place: (i) => { if (i === 4) { throw new SinewError('unsupported', 'no place'); } return {}; } })],
        limit: [3000, () => Skeleton.create([{ name: 'a', axes: [{ kind: 'ball', limit: { windows: [] } }] }])],
        roles: [3000, () => new Roles(body, { motio: 1 })],
    };
    for (const [name, [count, call]] of Object.entries(failures)) {
        assert.equal(growth(count, () => assert.throws(call, { name: 'SinewError' })), 0, name);
    }
});

test('a ground that throws is heard, and the module goes on', () => {
    let isBad = true;
    const reason = new Error('no height here'), pose = new Pose(body);
    const ground = new Ground(() => { if (isBad) { throw reason; } return 0; });
    const walker = new Walker(body, { ground }), crowd = new Crowd(body, 2, { ground });
    walker.steer(0, 1);
    for (let i = 0; i < 1000; ++i) {
        isBad = i % 2 === 0;
        for (const call of [() => walker.update(1 / 60, pose), () => crowd.update(1 / 60), () => ground.sample(0, 0)]) {
            if (isBad) { assert.throws(call, reason); } else { call(); }
        }
    }
    refused(() => new Ground(3), /new Ground: answer is 3, want a function/);
});

test('settings that nobody knows, and numbers that C cannot hold', async () => {
    const solver = new Solver(body), walker = new Walker(body), motion = new Motion(file);
    refused(() => new Solver(body, { max_goal: 3 }), /new Solver: there is no setting 'max_goal', want one of max_goals, /);
    const hand = body.names.at(-1);
    refused(() => solver.position(hand, { chian: hand }), /a goal: there is no setting 'chian', want one of chain, weight, /);
    for (const max_goals of [2.5, 2 ** 32 + 2, 0, NaN, '3']) {
        refused(() => new Solver(body, { max_goals }), /max_goals is .*, want a whole number of 1\.\.100000/);
    }
    refused(() => { solver.options.maxIterations = 3; }, /there is no field 'maxIterations', want one of method, /);
    refused(() => { solver.options.max_iterations = 'abc'; }, /max_iterations is 'abc', want a whole number/);
    refused(() => { solver.options.max_iterations = 1e12; }, /max_iterations is 1000000000000, want a whole number/);
    refused(() => { walker.steering.forward = '1'; }, /forward is '1', want a number/);
    refused(() => walker.steer(NaN, 1), /steer: x is NaN, want a number/);
    refused(() => walker.steer(0), /steer: y is undefined, want a number/);
    refused(() => solver.options.assign({ pointer: 1 }), /there is no field 'pointer'/);
    refused(() => new Walker(body, { response: 'gmae' }), /response is 'gmae', want one of calm, game/);
    for (const count of [-1, NaN, 2.5, undefined]) { refused(() => new Crowd(body, count), /new Crowd: count is/); }
    new Crowd(body, 0).update(1 / 60);
    const goal = solver.position('Head', { position: new Float64Array([1, 2, 3]) });
    assert.deepEqual(goal.position.toJSON(), { x: 1, y: 2, z: 3 });
    refused(() => goal.position.assign('abc'), /x, y, z is 'abc', want 3 numbers/);
    refused(() => solver.setMobility([1]), /setMobility: mobility has 1 numbers, want 40/);
    refused(() => walker.reset(NaN, 0, 0), /reset: x is NaN/);
    refused(() => walker.setOrnaments({ arms: NaN }), /setOrnaments: arms is NaN, want 0\.\.100/);
    refused(() => motion.clip.resample(0), /resample: frame_time is 0, want a number > 0/);
    refused(() => Clip.create(body, 1.5, 0.1), /Clip\.create: frame_count is 1\.5/);
    refused(() => Clip.create(body, 1e9, 0.1), /Clip\.create: 1000000000 frames of 0\.1 s: /);
    refused(() => growMemory(NaN), /growMemory: bytes is NaN/);
    await assert.rejects(load({ wasm: 'solver' }), /load: wasm is 'solver', want the module that was loaded before/);
    await assert.rejects(load({ wams: 'solver' }), /load: there is no setting 'wams'/);
    await load();
});

test('joints by numbers', () => {
    const solver = new Solver(body);
    for (const joint of [1.5, NaN, 99, -1]) {
        refused(() => body.index(joint), /there is no joint/);
        refused(() => solver.position(joint), /there is no joint/);
        assert.equal(body.find(joint), -1);
    }
    for (const coordinate of [9999, -1, 0.5]) { refused(() => body.coordinateName(coordinate), /coordinateName: coordinate is/); }
    refused(() => Skeleton.create([{ name: 'a' }, { name: 'b', parent: 'c' }]), /joint 'b': parent is 'c', want the name or index/);
});

test('arguments that are missing, or of another kind', () => {
    const motion = new Motion(file), limbs = new Switch(body, { roles: new Roles(body) });
    for (const [call, words] of [
        [() => new Pose(), /new Pose: skeleton is undefined/], [() => new Solver(), /new Solver: skeleton is undefined/],
        [() => new Character(), /skeleton is undefined/], [() => new Retargeter({}, {}), /source\.skeleton is undefined/],
        [() => new Grounder(), /new Grounder: body is undefined/], [() => new Walker({}), /skeleton is a plain object, want a Skeleton/],
        [() => new Switch(body), /limb_count is 0/], [() => limbs.handle(99), /limb is 99, want a whole number of 0\.\.3/],
        [() => limbs.blend(-1), /limb is -1/], [() => new Mesh(), /new Mesh: motion is undefined/],
        [() => new Terrain(), /new Terrain: from is undefined/], [() => new Record(null), /new Record: text is null/],
        [() => new Record('1.5~0.1~0~0~0'), /found '1\.5~0\.1~0~0~0'/], [() => Skeleton.create(), /joints is undefined/],
        [() => Skeleton.create([{ name: 'a', axes: 'ball' }]), /joint 'a': axes is 'ball', want a list/],
        [() => Skeleton.create([{}]), /joints\[0\]\.name is undefined/], [() => new Motion(), /new Motion: data is undefined/],
        [() => new Motion(3), /new Motion: data is 3, want a text/], [() => new Motion([1, 2, 3]), /data is \[1,2,3\]/],
        [() => new Motion(file, 'a.bvh', { animation: 'x' }), /animation is 'x', want none: a\.bvh is a BVH file/],
        [() => new Motion('<robot name="r"/>', 'r.urdf'), /found an XML file, expected BVH or glTF: this build reads no robots/],
        [() => new Solver(body).why(new Pose(body)), /nothing was solved yet/], [() => new Stance(body), /new Stance: roles is undefined/],
        [() => new Terrain({ heights: [1, 2, 3, 4], columns: 20, rows: 200, cell: 1 }), /found 4 heights, want columns x rows: 20 x 200/],
        [() => new Terrain({ columns: 2, rows: 2 }), /heights is undefined/], [() => motion.clip.sample(NaN, new Pose(motion.skeleton)), /time is NaN/],
    ]) { refused(call, words); }
    assert.equal(BallLimit.create().windows.length, 0);
    const ready = motion.prepare();
    assert.equal(new Walker(ready.skeleton, ready).skeleton, ready.skeleton);
    refused(() => new Walker(body, ready), /settings\.skeleton is a Skeleton, want that of the walker/);
});
