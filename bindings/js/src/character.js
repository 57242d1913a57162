import { C, Owned, allocate, created, release, resultAddress } from './core.js';
import { Clip } from './clip.js';
import { expectA } from './expect.js';
import { MemoryArray, f32, u32, u8 } from './memory.js';
import { poseOf } from './pose.js';
import { Skeleton } from './skeleton.js';
import { Character as CharacterStruct, Transform } from '../dist/structs.js';

/** @typedef {import('./pose.js').Pose} Pose */

/** A body to draw, made from its skeleton alone: a person of 11,101 triangles, the bones of anything else, or
 * a stick figure. A mesh whose corners follow two joints each, and matrices for its joints. */
export class Character extends Owned {
    #matrices;
    #world;
    #rest;

    /** @param {Skeleton} skeleton @param {{ solid?: boolean, motion?: Clip }} [options] motion: shows how a
     *     body stands whose rest pose is no figure */
    constructor(skeleton, { solid = true, motion } = {}) {
        const clip = motion === undefined ? 0 : expectA(Clip, motion, 'motion').pointer;
        const pointer = created(C.js_character_create(
            expectA(Skeleton, skeleton, 'new Character: skeleton').pointer, clip, solid ? 1 : 0, resultAddress()), 'new Character');
        // as many as a square texture of four-number pixels takes, which three.js wants
        const side = Math.ceil(Math.sqrt(skeleton.joint_count * 4) / 4) * 4;
        const matrices = allocate(16 * side * side), world = allocate(skeleton.joint_count * Transform.size);
        super(pointer, () => {
            C.js_character_destroy(pointer);
            release(matrices);
            release(world);
        }, [skeleton]);
        this.skeleton = skeleton;
        this.#world = world;
        /** Side of a square texture that holds all matrices, pixels. */
        this.texture_size = side;
        this.#matrices = this.lend(new MemoryArray(f32, matrices, 4 * side * side));
        const shown = new CharacterStruct(pointer);
        this.#rest = shown.rest;
        const { vertex_count, triangle_count, middle_count, left_count, right_count } = shown;
        this.vertex_count = vertex_count;
        this.triangle_count = triangle_count;
        /** Triangles of the middle, left and right side, in this order in `mesh().indices`. */
        this.part_counts = Object.freeze([middle_count, left_count, right_count]);
    }

    /** The mesh in the pose that it was built in: copies that are yours. */
    mesh() {
        const at = new CharacterStruct(this.pointer), n = this.vertex_count;
        return {
            positions: f32().slice(at.positions >> 2, (at.positions >> 2) + 3 * n),
            normals: f32().slice(at.normals >> 2, (at.normals >> 2) + 3 * n),
            joints: new Uint16Array(u8().slice(at.joints, at.joints + 8 * n).buffer),
            weights: f32().slice(at.weights >> 2, (at.weights >> 2) + 4 * n),
            indices: u32().slice(at.indices >> 2, (at.indices >> 2) + 3 * this.triangle_count),
        };
    }

    /** Matrices for the corners, 16 floats a joint, in the module's memory; zeros behind the last joint.
     * {@link update} fills them. */
    get matrices() { return this.#matrices.get(); }

    /** @param {Pose} pose of the skeleton, or of one with the same joints and kinds of axes */
    update(pose) {
        C.js_pose_skin(this.skeleton.pointer, poseOf(this.skeleton, pose), this.#rest, this.#world, this.#matrices.address);
        return this.matrices;
    }
}
