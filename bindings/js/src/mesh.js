import { C, Owned, allocate, check, release, resultAddress } from './core.js';
import { SinewError } from './error.js';
import { expectA } from './expect.js';
import { MemoryArray, f32, u32, u8 } from './memory.js';
import { Motion } from './motion.js';
import { Pose } from './pose.js';
import { GltfImage, GltfPart } from '../dist/structs.js';

/** One mesh of a glTF file that has one material; arrays are copies that are yours.
 * @typedef {object} MeshPart
 * @property {Uint32Array} indices three a triangle, anticlockwise from outside
 * @property {Float32Array | null} uvs two a vertex
 * @property {number[]} color red, green, blue, opacity, linear light
 * @property {number} image that the colour is multiplied with, -1: none
 * @property {boolean} double_sided
 * @property {number} start of its vertices in `positions`
 * @property {number} vertex_count */

/** What a glTF file draws, in any pose of its skeleton: all vertices in the world, metres. */
export class Mesh extends Owned {
    #positions;
    #room;

    /** @param {Motion} motion of a glTF file */
    constructor(motion) {
        const gltf = C.sinew_motion_gltf(expectA(Motion, motion, 'new Mesh: motion').pointer);
        const count = gltf === 0 ? 0 : C.sinew_gltf_part_count(gltf);
        /** @type {MeshPart[]} */
        const parts = [];
        let vertices = 0;
        for (let i = 0; i < count; ++i) {
            const part = new GltfPart(C.sinew_gltf_part(gltf, i));
            const { vertex_count, triangle_count, image, double_sided } = part;
            const at = part.indices >> 2, uv = part.uvs >> 2;
            parts.push({
                indices: u32().slice(at, at + 3 * triangle_count),
                uvs: uv === 0 ? null : f32().slice(uv, uv + 2 * vertex_count),
                color: Array.from(part.color), image, double_sided, start: vertices, vertex_count,
            });
            vertices += vertex_count;
        }
        if (gltf !== 0) { check(C.sinew_gltf_pose_create(gltf, 0, resultAddress()), 'new Mesh'); }
        const pose = gltf === 0 ? 0 : u32()[resultAddress() >> 2];
        const room = allocate(24 * vertices), positions = allocate(12 * vertices);
        super(pose, () => {
            C.sinew_gltf_pose_destroy(pose);
            release(room);
            release(positions);
        }, [motion]);
        this.motion = motion;
        /** @readonly */
        this.parts = Object.freeze(parts);
        this.vertex_count = vertices;
        this.#room = room;
        this.#positions = this.lend(new MemoryArray(f32, positions, 3 * vertices));
    }

    /** Three numbers a vertex, part after part, in the module's memory; {@link update} fills them. */
    get positions() { return this.#positions.get(); }

    /** Follow a pose. @param {Pose} pose of the file's skeleton, or of one with the same joints */
    update(pose) {
        const { joint_count } = expectA(Pose, pose, 'the pose').skeleton;
        if (joint_count !== this.motion.skeleton.joint_count) {
            throw new SinewError('invalid_argument',
                `the pose is of another skeleton: found ${joint_count} joints, want ${this.motion.skeleton.joint_count}`);
        }
        if (this.vertex_count > 0) {
            C.js_gltf_positions(this.pointer, this.motion.pointer, pose.skeleton.pointer, pose.pointer,
                this.#room, this.#positions.address);
        }
        return this.positions;
    }

    /** An image as it is stored, PNG or JPEG; null: its file was not there. @param {number} index */
    image(index) {
        const image = new GltfImage(resultAddress());
        C.sinew_gltf_image(image.pointer, C.sinew_motion_gltf(this.motion.pointer), index);
        return image.data === 0 ? null : u8().slice(image.data, image.data + image.size);
    }
}
