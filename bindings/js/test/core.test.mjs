// The module in Node: solving, walking, memory that grows, errors, lifetimes.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
    Crowd, Ground, Pose, Record, Scene, SinewError, Skeleton, Solver, Terrain, Walker, growMemory, load, memoryBytes,
} from '../src/index.js';

before(() => load());

const arm = () => Skeleton.create([
    { name: 'root' },
    { name: 'shoulder', parent: 'root', offset: [0, 1, 0], axes: ['ball'] },
    { name: 'elbow', parent: 'shoulder', offset: [0.3, 0, 0],
        axes: [{ kind: 'hinge', direction: [0, 1, 0], lower: -2.5, upper: 0 }] },
    { name: 'hand', parent: 'elbow', offset: [0.25, 0, 0] },
]);

test('an arm reaches where its own forward kinematics say', () => {
    const body = arm(), pose = new Pose(body), solver = new Solver(body);
    const hand = solver.position('hand');
    assert.deepEqual(hand.position.toJSON(), { x: 0.55, y: 1, z: 0 });
    const report = solver.solve(pose.rest());
    assert.equal(report.outcome, 'converged');
    hand.set(0.2, 1.3, 0.25);
    assert.equal(solver.solve(pose).outcome, 'converged');
    const { x, y, z } = pose.forward().world[3].position;
    assert.ok(Math.hypot(x - 0.2, y - 1.3, z - 0.25) <= 1e-3);
    assert.ok(Math.abs(Math.hypot(x - 0.2, y - 1.3, z - 0.25) - report.position_error) < 1e-12);
});

test('an unmet goal is told by the report, with its reason', () => {
    const body = arm(), pose = new Pose(body), solver = new Solver(body);
    solver.position('hand').set(2, 1, 0);
    const report = solver.solve(pose);
    assert.notEqual(report.outcome, 'converged');
    assert.match(solver.why(pose)[0], /^hand misses by 1\.4 m: .*beyond its reach/);
});

test('broken rules throw what the library says', () => {
    const body = arm(), pose = new Pose(body), solver = new Solver(body, { max_goals: 1 });
    const hand = solver.position('hand');
    hand.set(NaN, 0, 0);
    assert.throws(() => solver.solve(pose), (error) => error instanceof SinewError
        && error.status === 'invalid_argument' && /goals\[0\]\.position is \(nan, 0, 0\)/.test(error.message));
    assert.throws(() => solver.position('hand'), { name: 'SinewError', status: 'capacity' });
    assert.throws(() => solver.position('nobody'), /there is no joint 'nobody'/);
    assert.throws(() => { solver.options.method = 'magic'; }, /method is 'magic', want one of auto, /);
    assert.throws(() => new Scene('NOBODY'), { status: 'invalid_argument' });
    assert.throws(() => Skeleton.create([{ name: 'a', parent: 'b' }]), { name: 'SinewError' });
});

test('goals are taken away and added in any order', () => {
    const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton), solver = new Solver(skeleton);
    const other = new Solver(skeleton), same = new Pose(skeleton);
    const [left, right, foot] = ['LeftHand', 'RightHand', 'LeftFoot'].map((name) => solver.position(name));
    left.remove();
    right.set(-0.3, 1.2, 0.3);
    foot.set(0.1, 0.2, 0.2);
    other.position('RightHand').set(-0.3, 1.2, 0.3);
    other.position('LeftFoot').set(0.1, 0.2, 0.2);
    solver.solve(pose);
    other.solve(same);
    assert.deepEqual(pose.q, same.q);
    assert.equal(right.result.position_error, other.goals.list[0].result.position_error);
    assert.equal(solver.position('Head').slot, left.slot);
});

/** Walk for some frames; every so many the memory grows. */
function walk(frames, every) {
    const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton);
    const terrain = new Terrain('hills:1'), walker = new Walker(skeleton, { ground: terrain });
    for (let i = 0; i < frames; ++i) {
        if (i % every === 0) { growMemory(65536); }
        walker.steer(Math.sin(i / 50), 1);
        walker.update(1 / 60, pose);
    }
    const report = { ...walker.report.toJSON() }, q = Array.from(pose.q);
    for (const owned of [walker, pose, terrain, skeleton]) { owned.dispose(); }
    return { report, q };
}

test('a walker walks; memory that grows changes no bit', () => {
    const calm = walk(600, 1e9), restless = walk(600, 7);
    assert.ok(calm.report.distance > 9 && calm.report.step_count > 10);
    assert.equal(calm.report.unmet_frames, 0);
    assert.deepEqual(restless, calm);
});

test('a ground of JavaScript gives the bits of the same ground of C', () => {
    const { skeleton } = new Scene('MAN18');
    const terrain = new Terrain('hills:2');
    const asked = new Ground((x, z, normal) => {
        const sample = terrain.sample(x, z);
        normal.x = sample.normal.x;
        normal.y = sample.normal.y;
        normal.z = sample.normal.z;
        return sample.height;
    });
    const poses = [terrain, asked].map((ground) => {
        const walker = new Walker(skeleton, { ground }), pose = new Pose(skeleton);
        walker.steer(0.2, 1);
        for (let i = 0; i < 200; ++i) { walker.update(1 / 60, pose); }
        return Array.from(pose.q);
    });
    assert.deepEqual(poses[1], poses[0]);
});

test('disposing takes any order and is noticed', () => {
    const body = arm(), pose = new Pose(body), solver = new Solver(body);
    solver.position('hand').set(0.2, 1.2, 0.2);
    body.dispose();
    assert.throws(() => new Pose(body), /this Skeleton was disposed of/);
    assert.throws(() => solver.solve(pose).outcome && body.pointer, /disposed/);
    assert.equal(solver.report.outcome, 'converged');
    solver.dispose();
    solver.dispose();
    assert.throws(() => solver.solve(pose), /this Solver was disposed of/);
});

test('a thousand walkers take less than 100 MB, and walk as each alone', () => {
    const { skeleton } = new Scene('MAN18'), ground = new Terrain('hills:1');
    const before = memoryBytes(), place = (i) => ({ x: i % 32, z: Math.floor(i / 32) });
    const crowd = new Crowd(skeleton, 1000, { ground, place });
    const alone = new Walker(skeleton, { ground, ...place(999) }), pose = new Pose(skeleton);
    for (let i = 0; i < 60; ++i) {
        crowd.steering.forEach((steering, k) => { steering.forward = 0.5 + k / 1000; });
        crowd.update(1 / 60);
        alone.steering.forward = 0.5 + 999 / 1000;
        alone.update(1 / 60, pose);
    }
    assert.deepEqual(Array.from(crowd.poses.slice(-skeleton.coordinate_count)), Array.from(pose.q));
    assert.ok(memoryBytes() - before < 100e6, `${memoryBytes() - before} bytes`);
    crowd.dispose();
});

test('a record of what was asked gives the same bits from its text', () => {
    const { skeleton } = new Scene('MAN18'), ground = new Terrain('hills:2');
    const pose = new Pose(skeleton), record = new Record(), walker = new Walker(skeleton, { ground });
    const seen = [];
    for (let i = 0; i < 300; ++i) {
        if (i % 40 === 0) { walker.steer(Math.sin(i / 7), Math.cos(i / 90) ** 2, i > 200); }
        record.update(walker, i % 3 ? 1 / 60 : 0.0171, pose);
        seen.push(Array.from(pose.q));
    }
    const text = String(record);
    assert.equal(encodeURIComponent(text), text);
    const again = new Record(text), other = new Walker(skeleton, { ground });
    assert.equal(again.frame_count, 300);
    again.play(other, pose, (frame) => assert.deepEqual(Array.from(pose.q), seen[frame]));
    assert.equal(other.report.distance, walker.report.distance);
    assert.equal(String(again), text);
    assert.throws(() => new Record('3~0.1~x~0~0'), /expected frames/);
});
