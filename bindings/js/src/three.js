// Characters of three.js: inverse kinematics on their bones, meshes for what sinew walks and walks on.
//
//     const ik = new IK(mesh)                                       // any SkinnedMesh
//     ik.position('LeftHand', { chain: 'LeftArm', target })         // target: an Object3D to follow
//     ik.solve()                                                    // each frame

import {
    BufferAttribute, BufferGeometry, Bone, CylinderGeometry, DataTexture, FloatType, InstancedBufferAttribute,
    InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, Quaternion, RGBAFormat, Skeleton as ThreeSkeleton,
    SkinnedMesh, Vector3,
} from 'three';
import { allocate, C, making, release } from './core.js';
import { SinewError } from './error.js';
import { f64, memoryVersion } from './memory.js';
import { Pose } from './pose.js';
import { Rig, Roles } from './rig.js';
import { enumValue } from './struct.js';
import { POSITIVE, expectNoMore, expectNumber } from './expect.js';
import { Skeleton } from './skeleton.js';
import { Solver } from './solver.js';

/** @typedef {import('three').Object3D} Object3D */
/** @typedef {import('./character.js').Character} Character */
/** @typedef {import('./crowd.js').Crowd} Crowd */
/** @typedef {import('./terrain.js').Terrain} Terrain */
/** @typedef {import('./goals.js').Goal} Goal */
/** @typedef {import('./goals.js').GoalOptions} GoalOptions */
/** @typedef {import('./skeleton.js').JointName} JointName */

const place = new Vector3(), turn = new Quaternion(), scale = new Vector3();
const framePlace = new Vector3(), frameTurn = new Quaternion(), inverseTurn = new Quaternion();

// scales of one bone that differ by more than this make it turn no rigid body
const UNEVEN = 1e-4;

/** @param {Vector3} by @param {string} name */
function evenScale(by, name) {
    const size = Math.cbrt(Math.abs(by.x * by.y * by.z));
    if (!(size > 0) || Math.max(Math.abs(by.x - size), Math.abs(by.y - size), Math.abs(by.z - size)) > UNEVEN * size) {
        throw new SinewError('unsupported',
            `${name || 'a node'} is scaled by (${by.x}, ${by.y}, ${by.z}), want the same in all directions`);
    }
    return size;
}

/** The bones of a mesh as a tree of nodes, parents first, depth first: with what lies between them.
 * @param {Object3D} object @returns {{ frame: Object3D | null, nodes: Object3D[], bones: Set<Object3D> }} */
function findNodes(object) {
    /** @type {Set<Object3D>} */
    const bones = new Set();
    object.traverse((node) => {
        const skinned = /** @type {any} */ (node);
        if (skinned.isSkinnedMesh) { for (const bone of skinned.skeleton.bones) { bones.add(bone); } }
        if (skinned.isBone) { bones.add(node); }
    });
    if (bones.size === 0) {
        throw new SinewError('invalid_argument', `${object.name || object.type} has no bones`);
    }
    // what all bones hang on, by ancestors that they have in common
    const above = (/** @type {Object3D} */ node) => {
        const chain = [];
        for (let at = node.parent; at !== null; at = at.parent) { chain.push(at); }
        return chain.reverse();
    };
    /** @type {Object3D[] | undefined} */
    let common;
    for (const bone of bones) {
        const chain = above(bone);
        if (common === undefined) { common = chain; }
        let same = 0;
        while (same < common.length && same < chain.length && common[same] === chain[same]) { ++same; }
        common = common.slice(0, same);
    }
    // a bone moves itself: the frame lies above it
    while (common !== undefined && common.length > 0 && bones.has(common[common.length - 1])) { common.pop(); }
    const frame = common?.[common.length - 1] ?? null;
    const holds = new Set(/** @type {Object3D[]} */ ([]));
    for (const bone of bones) {
        for (let at = /** @type {Object3D | null} */ (bone); at !== null && at !== frame; at = at.parent) { holds.add(at); }
    }
    /** @type {Object3D[]} */
    const nodes = [];
    const visit = (/** @type {Object3D} */ node) => {
        nodes.push(node);
        for (const child of node.children) { if (holds.has(child)) { visit(child); } }
    };
    const tops = frame === null ? [...holds].filter((node) => node.parent === null) : frame.children.filter((n) => holds.has(n));
    tops.forEach(visit);
    return { frame, nodes, bones };
}

/** The skeleton with human limits where it is a person's, else itself; of the two one is left.
 * @param {Skeleton} skeleton @param {'auto' | 'none'} limits @param {number} unit */
function withLimits(skeleton, limits, unit) {
    if (limits === 'none') { return skeleton; }
    return making((keep) => {
        keep(skeleton);
        const roles = keep(new Roles(skeleton));
        const rig = roles.guess.kind === 'humanoid' ? keep(Rig.guess(skeleton, roles, { unit: 1 / unit })) : null;
        const limited = rig?.apply(skeleton);
        rig?.dispose();
        roles.dispose();
        if (limited?.coordinate_count !== skeleton.coordinate_count) {
            limited?.dispose();
            return skeleton;
        }
        skeleton.dispose();
        return limited;
    });
}

/** A goal in three's world: `position` and `quaternion` are yours to set, or follow `target`. */
export class ThreeGoal {
    /** @param {Goal} goal @param {Object3D | null} target */
    constructor(goal, target) {
        /** The goal behind it: weights, masks, result. */
        this.goal = goal;
        /** World, three's units. */
        this.position = new Vector3();
        /** World. */
        this.quaternion = new Quaternion();
        /** An object whose place and rotation it follows, or null. */
        this.target = target;
    }

    /** Errors after the last solve: three's units, and radians. */
    get result() { return this.goal.result; }

    remove() { this.goal.remove(); }
}

/**
 * Inverse kinematics on the bones of a `SkinnedMesh`, or of anything that has bones below it. Goals and reports
 * are in three's world and units; bones may be scaled, evenly.
 */
export class IK {
    #local;
    #list = /** @type {ThreeGoal[]} */ ([]);
    #restPlaces;

    /**
     * @param {Object3D} object as it is posed now: that is its rest pose
     * @param {object} [options]
     * @param {'auto' | 'none'} [options.limits] `'auto'` (default): human limits where roles are found in it
     * @param {boolean} [options.moves] whether the root may move for goals. Default false.
     * @param {number} [options.max_goals] Default 16.
     * @param {number} [options.unit] metres in one unit of three's world, for human limits. Default 1.
     */
    constructor(object, { limits = 'auto', moves = false, max_goals = 16, unit = 1, ...rest } = {}) {
        expectNoMore(rest, 'new IK', 'limits, moves, max_goals, unit');
        enumValue(['auto', 'none'], limits, 'limits');
        expectNumber(unit, 'unit', POSITIVE);
        object.updateWorldMatrix(true, true);
        const { frame, nodes, bones } = findNodes(object);
        /** What the bones hang on. */
        this.frame = frame;
        /** The nodes of the joints, by joint. @type {readonly Object3D[]} */
        this.nodes = nodes;
        // scales are rigid when they are part of the offsets below them
        const sizes = new Map(/** @type {[Object3D | null, number][]} */ ([[frame,
            frame === null ? 1 : evenScale(scale.setFromMatrixScale(frame.matrixWorld), frame.name)]]));
        const indices = new Map(nodes.map((node, i) => [node, i]));
        /** World units of one unit of the frame when this was made. */
        this.scale = /** @type {number} */ (sizes.get(frame));
        const joints = nodes.map((node, i) => {
            const above = /** @type {number} */ (sizes.get(node.parent) ?? sizes.get(frame));
            sizes.set(node, above * evenScale(node.scale, node.name));
            const parent = node.parent === null ? -1 : indices.get(node.parent) ?? -1;
            const isRoot = parent < 0;
            const axes = /** @type {import('./skeleton.js').AxisLike[]} */ (!bones.has(node) ? [] : ['ball']);
            if (isRoot) {
                // an animation may shift it; goals do where they are let
                axes.unshift(...[[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((direction) => ({
                    kind: /** @type {const} */ ('slide'), mobility: moves ? 1 : 0,
                    direction: /** @type {[number, number, number]} */ (direction),
                })));
            }
            turn.copy(node.quaternion).normalize();
            return {
                name: node.name || `node${i}`, parent,
                // a slide goes along the axes of the joint, which its rest rotation has turned
                offset: node.position.clone().multiplyScalar(above),
                rest_rotation: turn.clone(), axes,
            };
        });
        this.#restPlaces = joints.map(({ parent, offset }) => (parent < 0 ? offset : null));
        /** @type {(number)[]} */
        this.sizes = nodes.map((node) => /** @type {number} */ (sizes.get(node.parent) ?? sizes.get(frame)));
        const { skeleton, pose, solver, local } = making((keep) => {
            const body = keep(withLimits(Skeleton.create(joints), limits, unit));
            return {
                skeleton: body, pose: keep(new Pose(body)), solver: keep(new Solver(body, { max_goals })),
                local: keep(allocate(56 * body.joint_count)),
            };
        });
        this.skeleton = skeleton;
        this.pose = pose;
        this.solver = solver;
        // as fine as can be seen, whatever the model's unit is
        this.solver.options.position_tolerance = 1e-4 * skeleton.size;
        this.#local = local;
        this.read();
    }

    /** The joint of a bone. @param {JointName | Object3D} joint name, index, or the bone itself */
    joint(joint) {
        if (typeof joint !== 'object') { return this.skeleton.index(joint); }
        const index = this.nodes.indexOf(joint);
        if (index < 0) { throw new SinewError('invalid_argument', `${joint.name || joint.type} is no joint of this`); }
        return index;
    }

    /** @param {'position' | 'orientation' | 'pose'} kind @param {JointName | Object3D} joint
     * @param {Omit<GoalOptions, 'chain'> & { chain?: JointName | Object3D, target?: Object3D }} options */
    #add(kind, joint, { target, chain, ...rest }) {
        const index = this.joint(joint);
        const goal = this.solver[kind](index, { ...rest, chain: chain === undefined ? undefined : this.joint(chain) });
        const added = new ThreeGoal(goal, target ?? null);
        this.nodes[index].matrixWorld.decompose(added.position, added.quaternion, scale);
        this.#list.push(added);
        return added;
    }

    /** A bone's origin at a place. `chain`: the first bone that may move for it; default: all.
     * @param {JointName | Object3D} bone
     * @param {Omit<GoalOptions, 'chain'> & { chain?: JointName | Object3D, target?: Object3D }} [options] */
    position(bone, options = {}) { return this.#add('position', bone, options); }

    /** A bone turned so. @param {JointName | Object3D} bone
     * @param {Omit<GoalOptions, 'chain'> & { chain?: JointName | Object3D, target?: Object3D }} [options] */
    orientation(bone, options = {}) { return this.#add('orientation', bone, options); }

    /** Both. @param {JointName | Object3D} bone
     * @param {Omit<GoalOptions, 'chain'> & { chain?: JointName | Object3D, target?: Object3D }} [options] */
    pose6(bone, options = {}) { return this.#add('pose', bone, options); }

    /** Take the pose that the bones have now, as an animation left them, to start from. */
    read() {
        const q = this.pose.q, { joints } = this.skeleton;
        for (let j = 0; j < joints.length; ++j) {
            const { coordinate_count, coordinate_start } = joints[j], node = this.nodes[j];
            if (coordinate_count === 0) { continue; }
            const { x, y, z, w } = joints[j].rest_rotation;
            turn.set(-x, -y, -z, w);
            const rest = this.#restPlaces[j];
            let at = coordinate_start;
            if (rest !== null) {
                place.copy(node.position).multiplyScalar(this.sizes[j]).sub(rest).applyQuaternion(turn);
                q[at] = place.x;
                q[at + 1] = place.y;
                q[at + 2] = place.z;
                at += 3;
            }
            if (at < coordinate_start + coordinate_count) {
                turn.multiply(node.quaternion).normalize();
                q[at] = turn.x;
                q[at + 1] = turn.y;
                q[at + 2] = turn.z;
                q[at + 3] = turn.w;
            }
        }
        return this;
    }

    /** Give the pose to the bones. */
    write() {
        C.sinew_pose_to_local(this.skeleton.pointer, this.pose.pointer, this.#local);
        const all = f64(), start = this.#local >> 3;
        for (let j = 0; j < this.nodes.length; ++j) {
            const at = start + 7 * j, node = this.nodes[j];
            node.quaternion.set(all[at + 3], all[at + 4], all[at + 5], all[at + 6]);
            if (this.#restPlaces[j] !== null) {
                node.position.set(all[at], all[at + 1], all[at + 2]).divideScalar(this.sizes[j]);
            }
        }
        return this;
    }

    /** Where the frame is now: goals of the world are seen from there, as large as when this was made. */
    #updateFrame() {
        if (this.frame === null) {
            framePlace.set(0, 0, 0);
            frameTurn.identity();
            return 1;
        }
        this.frame.updateWorldMatrix(true, false);
        this.frame.matrixWorld.decompose(framePlace, frameTurn, scale);
        return evenScale(scale, this.frame.name) / this.scale;
    }

    /** Pose the bones so that the goals are met: from where they were left, or from an animation after
     * {@link read}. @returns {import('../dist/structs.js').Report} lengths in three's units */
    solve() {
        const size = this.#updateFrame();
        inverseTurn.copy(frameTurn).invert();
        for (const added of this.#list) {
            if (added.target !== null) {
                added.target.updateWorldMatrix(true, false);
                added.target.matrixWorld.decompose(added.position, added.quaternion, scale);
            }
            place.copy(added.position).sub(framePlace).applyQuaternion(inverseTurn).divideScalar(size);
            added.goal.position.set(place.x, place.y, place.z);
            turn.copy(inverseTurn).multiply(added.quaternion).normalize();
            added.goal.orientation.set(turn.x, turn.y, turn.z, turn.w);
        }
        const report = this.solver.solve(this.pose);
        this.write();
        return report;
    }

    /** Why goals are not met, a line for each. */
    why() { return this.solver.why(this.pose); }

    dispose() {
        if (this.#local === 0) { return; }
        release(this.#local);
        this.#local = 0;
        for (const owned of [this.solver, this.pose, this.skeleton]) { owned.dispose(); }
    }
}

// ---------------------------------------------------------------------------------------------
// Meshes

/** A texture over the module's memory, made to look there again when that has grown.
 * @param {() => Float32Array} read @param {number} side */
function memoryTexture(read, side) {
    const texture = new DataTexture(/** @type {any} */ (read()), side, side, RGBAFormat, FloatType);
    let version = memoryVersion();
    return {
        texture,
        refresh() {
            if (version !== memoryVersion()) {
                version = memoryVersion();
                /** @type {any} */ (texture.image).data = read();
            }
            texture.needsUpdate = true;
        },
    };
}

/** A character as a `SkinnedMesh` whose bone matrices C writes straight into what the graphics card reads.
 * Call `update(pose)` each frame. Materials: of the middle, left and right side.
 * @param {Character} character @param {import('three').Material | import('three').Material[]} [material]
 * @returns {SkinnedMesh & { update(pose: Pose): void }} */
export function characterMesh(character, material = new MeshStandardMaterial({ color: 0xb9b4ac, roughness: 0.7 })) {
    const { positions, normals, joints, weights, indices } = character.mesh();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    geometry.setAttribute('skinIndex', new BufferAttribute(joints, 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
    geometry.setIndex(new BufferAttribute(indices, 1));
    let start = 0;
    character.part_counts.forEach((count, part) => {
        geometry.addGroup(start, 3 * count, Array.isArray(material) ? part : 0);
        start += 3 * count;
    });
    const mesh = new SkinnedMesh(geometry, Array.isArray(material) ? material : [material]);
    // one bone for each joint, none of which is ever moved: C fills the matrices
    const bones = character.skeleton.names.map((name) => Object.assign(new Bone(), { name }));
    const skeleton = new ThreeSkeleton(bones);
    const shown = memoryTexture(() => character.matrices, character.texture_size);
    skeleton.boneMatrices = character.matrices;
    skeleton.boneTexture = shown.texture;
    skeleton.update = () => {};
    mesh.bind(skeleton, new Matrix4());
    // the mesh moves with its bones, out of the bounds that it was built in
    mesh.frustumCulled = false;
    return Object.assign(mesh, {
        update(/** @type {Pose} */ pose) {
            skeleton.boneMatrices = character.update(pose);
            shown.refresh();
        },
    });
}

/** A terrain's mesh. @param {Terrain} terrain @param {import('three').Material} [material] */
export function terrainMesh(terrain, material = new MeshStandardMaterial({ color: 0x8a9a7b, roughness: 1 })) {
    const { positions, indices } = terrain.mesh();
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.computeVertexNormals();
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    return mesh;
}

/** A crowd as one `InstancedMesh` of bones whose matrices C writes. Call `update()` after `crowd.update(dt)`.
 * @param {Crowd} crowd @param {import('three').Material} [material] @param {number} [radius] metres
 * @returns {InstancedMesh & { update(): void }} */
export function crowdMesh(crowd, material = new MeshStandardMaterial({ color: 0xb9b4ac, roughness: 0.8 }), radius = 0.035) {
    const geometry = new CylinderGeometry(0.7, 1, 1, 6).translate(0, 0.5, 0);
    const mesh = new InstancedMesh(geometry, material, crowd.count * (crowd.skeleton.joint_count - 1));
    mesh.frustumCulled = false;
    let version = -1;
    return Object.assign(mesh, {
        update() {
            const bones = crowd.updateBones(radius);
            if (version !== memoryVersion()) {
                version = memoryVersion();
                mesh.instanceMatrix.dispose?.();
                mesh.instanceMatrix = new InstancedBufferAttribute(bones, 16);
                mesh.instanceMatrix.setUsage(35048); // DynamicDrawUsage
            }
            mesh.instanceMatrix.needsUpdate = true;
        },
    });
}

