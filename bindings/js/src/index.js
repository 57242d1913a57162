// sinew: inverse kinematics of articulated characters. `await load()` once, then use what is below.

export { load } from './core.js';
export { SinewError } from './error.js';
export { memoryVersion, memoryBytes, growMemory } from './memory.js';
export { Skeleton } from './skeleton.js';
export { BallLimit } from './limit.js';
export { Pose } from './pose.js';
export { Goal, Goals } from './goals.js';
export { Solver, Tracker } from './solver.js';
export { StartTable } from './start.js';
export { Ground, Terrain } from './terrain.js';
export { Walker } from './walker.js';
export { Clip } from './clip.js';
export { Motion, writeMotion } from './motion.js';
export { Rig, Roles, Stance } from './rig.js';
export { Scene } from './scene.js';
export { Character } from './character.js';
export { Crowd } from './crowd.js';
export { Switch } from './switch.js';
export { Retargeter } from './retargeter.js';
export { Grounder } from './grounder.js';
export { Mesh } from './mesh.js';
export { Record } from './record.js';
