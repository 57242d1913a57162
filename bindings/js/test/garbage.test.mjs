// A frame leaves no garbage: the heap hardly grows in 10,000 of them, though nothing is collected.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Character, Crowd, Pose, Scene, Solver, Terrain, Tracker, Walker, load } from '../src/index.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

before(() => load());

/** Bytes that 10,000 calls leave on the heap, collected or not. */
function growth(frame) {
    // compiled by then
    for (let i = 0; i < 4000; ++i) { frame(i); }
    let least = Infinity;
    for (let attempt = 0; attempt < 3; ++attempt) {
        collect();
        const start = process.memoryUsage().heapUsed;
        for (let i = 0; i < 10000; ++i) { frame(i); }
        least = Math.min(least, process.memoryUsage().heapUsed - start);
    }
    return least;
}

const scenes = {
    'an arm is dragged': () => {
        const { skeleton } = new Scene('ARM'), pose = new Pose(skeleton), solver = new Solver(skeleton);
        const hand = solver.position(skeleton.joint_count - 1), { x, y, z } = hand.position;
        return (i) => {
            hand.set(x + 0.1 * Math.sin(i / 40), y, z + 0.1 * Math.cos(i / 40));
            return solver.solve(pose).position_error + pose.q[0] + pose.forward().world[1].position.x;
        };
    },
    'a hand is tracked': () => {
        const { skeleton, effectors } = new Scene('HAND'), pose = new Pose(skeleton);
        const tracker = new Tracker(skeleton, { max_goals: 24 });
        const goals = effectors.map(({ joint }) => tracker.position(joint)), { y } = goals[0].position;
        return (i) => {
            goals[0].position.y = y + 0.005 * Math.sin(i / 30);
            return tracker.update(pose).iterations + goals[0].result.position_error;
        };
    },
    'a character walks and is drawn': () => {
        const { skeleton } = new Scene('MAN18'), pose = new Pose(skeleton), character = new Character(skeleton);
        const walker = new Walker(skeleton, { ground: new Terrain('hills:1') });
        return (i) => {
            walker.steer(Math.sin(i / 200), 1).update(1 / 60, pose);
            return character.update(pose)[0] + walker.legs[0].foothold.x + walker.report.distance;
        };
    },
    'a small crowd walks': () => {
        const crowd = new Crowd(new Scene('MAN18').skeleton, 3, { place: (i) => ({ x: i }) });
        return (i) => {
            for (let k = 0; k < crowd.count; ++k) { crowd.steering[k].forward = i % 600 < 300 ? 1 : 0.4; }
            crowd.update(1 / 60);
            return crowd.updateBones()[0];
        };
    },
};

for (const [name, make] of Object.entries(scenes)) {
    test(`no garbage: ${name}`, (t) => {
        const bytes = growth(make());
        t.diagnostic(`${name}: ${bytes} bytes in 10,000 frames`);
        assert.ok(bytes < 1e6, `${bytes} bytes in 10,000 frames`);
    });
}
