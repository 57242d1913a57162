import { C, Owned, allocate, messageAddress, release, resultAddress } from './core.js';
import { SinewError } from './error.js';
import { MemoryArray, f32, f64, i32, readText, u32 } from './memory.js';
import { views } from './struct.js';
import { Steering, StatusNames, Transform } from '../dist/structs.js';
import { Walker } from './walker.js';

/** @typedef {import('./skeleton.js').Skeleton} Skeleton */
/** @typedef {import('./terrain.js').GroundBase} GroundBase */

/** Many walkers of one skeleton, walked by one call and drawn from matrices that C writes. */
export class Crowd extends Owned {
    #list;
    #poses;
    #world;
    #bones;

    /** @param {Skeleton} skeleton @param {number} count
     * @param {object} [settings] of all walkers, as {@link Walker} takes them
     * @param {GroundBase | null} [settings.ground]
     * @param {(index: number) => { x?: number, z?: number, heading?: number }} [settings.place] where each
     *     stands at first
     * @param {import('../dist/structs.js').WalkStyle} [settings.style]
     * @param {Walker} [settings.share] another that they share the body with; Default: the first of them
     * @param {import('./rig.js').Roles} [settings.roles] @param {import('./rig.js').Stance} [settings.stance] */
    constructor(skeleton, count, { ground = null, place = () => ({}), ...settings } = {}) {
        const bones = skeleton.joint_count - 1;
        const list = allocate(4 * count), steering = allocate(Steering.size * count);
        const poses = allocate(8 * skeleton.coordinate_count * count);
        const world = allocate(skeleton.joint_count * Transform.size);
        const matrices = allocate(64 * bones * count);
        super(list, () => { for (const block of [list, steering, poses, world, matrices]) { release(block); } },
            [skeleton]);
        this.skeleton = skeleton;
        this.count = count;
        this.ground = ground;
        /** @readonly */
        this.walkers = Object.freeze(manyOf(skeleton, count, settings, place));
        this.walkers.forEach((walker, i) => { u32()[(list >> 2) + i] = walker.pointer; });
        /** What is wanted of each: set its fields, then update. */
        this.steering = views(Steering, steering, count);
        this.#list = list;
        this.#world = world;
        this.#poses = new MemoryArray(f64, poses, skeleton.coordinate_count * count);
        this.#bones = new MemoryArray(f32, matrices, 16 * bones * count);
        for (let i = 0; i < count; ++i) {
            C.sinew_pose_rest(skeleton.pointer, poses + 8 * skeleton.coordinate_count * i);
        }
    }

    /** The coordinates of all poses, one behind the other, in place. */
    get poses() { return this.#poses.get(); }

    /** Bones of all of them as matrices of a unit bone along +y, `joint_count - 1` a body; in place. */
    get bones() { return this.#bones.get(); }

    /** Walk all of them on by dt seconds. @param {number} dt */
    update(dt) {
        const failed = resultAddress();
        const status = C.js_crowd_update(this.#list, this.count, this.steering[0].pointer, dt,
            this.ground === null ? 0 : this.ground.ground, this.#poses.address,
            this.skeleton.coordinate_count, failed, messageAddress());
        if (status !== 0) {
            throw new SinewError(StatusNames[status],
                `walker ${i32()[failed >> 2]}: ${readText(messageAddress())}`);
        }
    }

    /** Fill `bones`. @param {number} [radius] metres */
    updateBones(radius = 0.035) {
        C.js_crowd_bones(this.skeleton.pointer, this.#poses.address, this.count, radius, this.#world,
            this.#bones.address);
        return this.bones;
    }

    dispose() {
        this.walkers.forEach((walker) => walker.dispose());
        super.dispose();
    }
}

/** Walkers that share what the first of them found out about the body.
 * @param {Skeleton} skeleton @param {number} count @param {object} settings @param {(index: number) => object} place */
function manyOf(skeleton, count, settings, place) {
    /** @type {Walker[]} */
    const walkers = [];
    for (let i = 0; i < count; ++i) {
        walkers.push(new Walker(skeleton, { share: walkers[0], ...settings, ...place(i) }));
    }
    return walkers;
}
