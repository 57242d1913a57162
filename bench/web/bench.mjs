// sinew in WebAssembly, in node, beside its peers in JavaScript, on the same goals: closed-chain-ik on a Panda
// (pose of the flange) and three's CCDIKSolver on a leg (place of the ankle). Both peers are installed by npm
// for measuring alone. usage: node bench/web/bench.mjs [--json]; ./run bench web

import { existsSync } from 'node:fs';
import { Pose, Scene, Skeleton, Solver, load } from '../../bindings/js/src/index.js';

const GOALS = 300;
await load();

/** Random numbers, the same each time. Source: Steele et al. (2014), by 32 bits. */
function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x9e3779b9) >>> 0;
        let z = state;
        z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
        z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
        return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32;
    };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const rows = [];
/** @param {string} body @param {string} who @param {{ met: boolean, us: number }[]} solves */
function tell(body, who, solves) {
    const us = solves.map((solve) => solve.us);
    rows.push({
        body, solver: who, goals: solves.length, met: solves.filter(({ met }) => met).length / solves.length,
        us_median: median(us), us_mean: us.reduce((sum, x) => sum + x, 0) / us.length,
    });
}

/** Solve all goals after a round that lets the engine compile; each is timed alone. */
function measure(goals, solve, rounds = 3) {
    let best = goals.map(() => ({ met: false, us: Infinity }));
    for (let round = 0; round < rounds; ++round) {
        best = goals.map((goal, i) => {
            const start = performance.now();
            const met = solve(goal);
            return { met, us: Math.min(best[i].us, 1e3 * (performance.now() - start)) };
        });
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Panda: published Denavit-Hartenberg lengths and limits, hinges about z

const quarter = Math.SQRT1_2;
const links = [[0, 0, 0.333, 0, -2.8973, 2.8973], [0, 0, 0, -1, -1.7628, 1.7628], [0, -0.316, 0, 1, -2.8973, 2.8973],
    [0.0825, 0, 0, 1, -3.0718, -0.0698], [-0.0825, 0.384, 0, -1, -2.8973, 2.8973], [0, 0, 0, 1, -0.0175, 3.7525],
    [0.088, 0, 0, 1, -2.8973, 2.8973], [0, 0, 0.107, 0]].map(([x, y, z, turn, lower, upper]) => ({
    offset: [x, y, z], turn: [turn * quarter, 0, 0, turn === 0 ? 1 : quarter], lower, upper,
}));
const panda = Skeleton.create(links.map(({ offset, turn, lower, upper }, i) => ({
    name: `link${i}`, parent: i - 1, offset, rest_rotation: turn,
    axes: lower === undefined ? [] : [{ kind: 'hinge', direction: [0, 0, 1], lower, upper, rest: (lower + upper) / 2 }],
})));
const pose = new Pose(panda), next = random(7);
const draw = (q) => q.forEach((_, i) => { q[i] = links[i].lower + next() * (links[i].upper - links[i].lower); });
const pandaGoals = Array.from({ length: GOALS }, () => {
    draw(pose.q);
    const { position: p, rotation: r } = pose.forward().world[7];
    const goal = { position: [p.x, p.y, p.z], turn: [r.x, r.y, r.z, r.w] };
    draw(pose.q);
    return { ...goal, start: Array.from(pose.q) };
});

function ourPanda(tolerance) {
    const solver = new Solver(panda), goal = solver.pose(7);
    solver.options.assign({ position_tolerance: tolerance, orientation_tolerance: tolerance });
    return ({ position, turn, start }) => {
        pose.q.set(start);
        goal.position.set(...position);
        goal.orientation.set(...turn);
        return solver.solve(pose).outcome === 'converged';
    };
}
tell('Panda', 'sinew, to 1e-5', measure(pandaGoals, ourPanda(1e-5), 9));
tell('Panda', 'sinew, to 1e-3', measure(pandaGoals, ourPanda(1e-3), 9));

/** @param {number} iterations @param {number} restarts */
async function closedChain(iterations, restarts) {
    const { Joint, Link, Goal, Solver: ChainSolver, DOF } = await import('./node_modules/closed-chain-ik/src/core/index.js');
    const root = new Link(), joints = [];
    let last = root;
    for (const { offset, turn, lower, upper } of links.slice(0, 7)) {
        const joint = new Joint();
        joint.setPosition(...offset);
        joint.setQuaternion(...turn);
        joint.setDoF(DOF.EZ);
        joint.setMinLimits(lower);
        joint.setMaxLimits(upper);
        last.addChild(joint);
        last = new Link();
        joint.addChild(last);
        joints.push(joint);
    }
    const flange = new Link(), fixed = new Joint();
    fixed.setPosition(...links[7].offset);
    fixed.setDoF();
    last.addChild(fixed);
    fixed.addChild(flange);
    const goal = new Goal();
    goal.makeClosure(flange);
    const solver = new ChainSolver(root);
    // the best of five settings that were tried: without its own ways to give up, and more damping
    Object.assign(solver, { maxIterations: iterations, stallThreshold: 0, divergeThreshold: 100, dampingFactor: 0.1,
        translationConvergeThreshold: 1e-3, rotationConvergeThreshold: 1e-3 });
    const seeded = random(11);
    const miss = ({ position, turn }) => {
        flange.updateMatrixWorld(true);
        const m = flange.matrixWorld;
        const far = Math.hypot(m[12] - position[0], m[13] - position[1], m[14] - position[2]);
        // angle between the frames by the trace of the product of their matrices
        const [x, y, z, w] = turn;
        const t = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 2 * (x * y - z * w), 1 - 2 * (x * x + z * z),
            2 * (y * z + x * w), 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
        const trace = [0, 1, 2].reduce((sum, c) => sum + t[3 * c] * m[4 * c] + t[3 * c + 1] * m[4 * c + 1] + t[3 * c + 2] * m[4 * c + 2], 0);
        return { far, angle: Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) };
    };
    return (wanted) => {
        goal.setPosition(...wanted.position);
        goal.setQuaternion(...wanted.turn);
        joints.forEach((joint, i) => joint.setDoFValue(DOF.EZ, wanted.start[i]));
        for (let attempt = 0; ; ++attempt) {
            // it throws where all joints stand at limits
            try { solver.solve(); } catch { /* not met */ }
            // its thresholds hold for each component
            const { far, angle } = miss(wanted);
            if (far <= 2e-3 && angle <= 2e-3) { return true; }
            if (attempt === restarts) { return false; }
            joints.forEach((joint, i) => joint.setDoFValue(DOF.EZ, links[i].lower + seeded() * (links[i].upper - links[i].lower)));
        }
    };
}

// ---------------------------------------------------------------------------------------------
// Leg: six hinges with limits; three has bones that turn freely, or by Euler ranges

const { skeleton: leg } = new Scene('LEG'), scene = new Scene('LEG');
const legPose = new Pose(scene.skeleton), ankle = scene.skeleton.index('Ankle');
const legGoals = Array.from({ length: GOALS }, (_, i) => {
    const { position: p } = scene.randomPose(3, i, legPose).forward().world[ankle];
    return { position: [p.x, p.y, p.z] };
});
{
    const solver = new Solver(scene.skeleton), goal = solver.position(ankle);
    tell('leg', 'sinew, limits, to 1 mm', measure(legGoals, ({ position }) => {
        legPose.rest();
        goal.position.set(...position);
        return solver.solve(legPose).outcome === 'converged';
    }, 9));
}

async function threeLeg(iterations, limits) {
    const THREE = await import('three');
    const { CCDIKSolver } = await import('three/addons/animation/CCDIKSolver.js');
    const names = ['Pelvis', 'Hip', 'Knee', 'Ankle'], bones = names.map((name) => Object.assign(new THREE.Bone(), { name }));
    names.forEach((name, i) => {
        bones[i].position.copy(leg.joints[leg.index(name)].offset);
        if (i > 0) { bones[i - 1].add(bones[i]); }
    });
    const target = Object.assign(new THREE.Bone(), { name: 'target' });
    const mesh = new THREE.SkinnedMesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial());
    mesh.add(bones[0], target);
    mesh.bind(new THREE.Skeleton([...bones, target]));
    const range = ([low, high]) => (limits ? { rotationMin: new THREE.Vector3(...low), rotationMax: new THREE.Vector3(...high) } : {});
    const solver = new CCDIKSolver(mesh, [{ target: 4, effector: 3, iteration: iterations, links: [
        { index: 2, ...range([[0, 0, 0], [2.4435, 0, 0]]) },
        { index: 1, ...range([[-2.1817, -0.7854, -0.5236], [0.3491, 0.7854, 0.7854]]) },
    ] }]);
    const place = new THREE.Vector3();
    return ({ position }) => {
        target.position.set(...position);
        for (const bone of bones) { bone.quaternion.identity(); }
        mesh.updateMatrixWorld(true);
        solver.update();
        return bones[3].getWorldPosition(place).distanceTo(target.position) <= 1e-3;
    };
}

const installed = (name) => existsSync(new URL(`node_modules/${name}`, import.meta.url));
if (installed('closed-chain-ik')) {
    for (const [iterations, restarts] of [[5, 0], [50, 0], [200, 0], [50, 20]]) {
        tell('Panda', `closed-chain-ik, ${iterations} iterations${restarts ? `, ${restarts} restarts` : ''}, to 1e-3`,
            measure(pandaGoals.slice(0, 100), await closedChain(iterations, restarts), 2));
    }
} else { console.error('closed-chain-ik is not installed: npm --prefix bench/web install'); }
if (installed('three')) {
    for (const [iterations, limits] of [[1, false], [10, false], [50, false], [50, true]]) {
        tell('leg', `three CCDIKSolver, ${iterations} iterations${limits ? ', ranges' : ''}, to 1 mm`,
            measure(legGoals, await threeLeg(iterations, limits), 5));
    }
} else { console.error('three is not installed: npm --prefix bench/web install'); }

if (process.argv.includes('--json')) {
    console.log(JSON.stringify(rows, null, 1));
} else {
    console.log('body   solver                                                 met      us median    us mean');
    for (const row of rows) {
        console.log(`${row.body.padEnd(6)} ${row.solver.padEnd(52)} ${`${(100 * row.met).toFixed(1)} %`.padStart(7)} `
            + `${row.us_median.toFixed(1).padStart(12)} ${row.us_mean.toFixed(1).padStart(10)}`);
    }
}
