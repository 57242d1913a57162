import { C, Owned, allocate, making, messageAddress, release, resultAddress, throwOfGround } from './core.js';
import { SinewError } from './error.js';
import { expectA, expectWhole, refuse } from './expect.js';
import { MemoryArray, f32, f64, i32, readText, u32 } from './memory.js';
import { Skeleton } from './skeleton.js';
import { views } from './struct.js';
import { groundOf } from './terrain.js';
import { Steering, StatusNames, Transform } from '../dist/structs.js';
import { Walker } from './walker.js';

/** @typedef {import('./terrain.js').GroundBase} GroundBase */

/** Many walkers of one skeleton, walked by one call and drawn from matrices that C writes. */
export class Crowd extends Owned {
    /** @type {GroundBase | null} */
    #ground;
    #steering;
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
        expectA(Skeleton, skeleton, 'new Crowd: skeleton');
        expectWhole(count, 'new Crowd: count', 0, 1000000);
        groundOf(ground, 'ground');
        if (typeof place !== 'function') { refuse('place', place, 'a function of the index'); }
        const bones = skeleton.joint_count - 1;
        const sizes = {
            list: 4 * count, steering: Steering.size * count, poses: 8 * skeleton.coordinate_count * count,
            world: skeleton.joint_count * Transform.size, matrices: 64 * bones * count,
        };
        const { blocks, walkers } = making((keep) => {
            const made = /** @type {Walker[]} */ ([]);
            // all share what the first of them found out about the body
            for (let i = 0; i < count; ++i) { made.push(keep(new Walker(skeleton, { share: made[0], ...settings, ...place(i) }))); }
            const [list, steering, poses, world, matrices] = Object.values(sizes).map((size) => keep(allocate(size)));
            return { blocks: { list, steering, poses, world, matrices }, walkers: made };
        });
        super(blocks.list, () => Object.values(blocks).forEach(release), ground === null ? [skeleton] : [skeleton, ground]);
        this.skeleton = skeleton;
        this.count = count;
        this.#ground = ground;
        /** @type {readonly Walker[]} @readonly */
        this.walkers = Object.freeze(walkers.map((/** @type {Walker} */ walker) => this.part(walker)));
        this.walkers.forEach((walker, i) => { u32()[(blocks.list >> 2) + i] = walker.pointer; });
        /** What is wanted of each: set its fields, then update. */
        this.steering = this.lend(views(Steering, blocks.steering, count));
        this.#steering = blocks.steering;
        this.#world = blocks.world;
        this.#poses = this.lend(new MemoryArray(f64, blocks.poses, skeleton.coordinate_count * count));
        this.#bones = this.lend(new MemoryArray(f32, blocks.matrices, 16 * bones * count));
        for (let i = 0; i < count; ++i) {
            C.sinew_pose_rest(skeleton.pointer, blocks.poses + 8 * skeleton.coordinate_count * i);
        }
    }

    /** The ground they walk on; null: level at height 0. Seen with the next update. */
    get ground() { return this.#ground; }
    set ground(ground) {
        this.uses(groundOf(ground, 'ground'), this.#ground);
        this.#ground = ground;
    }

    /** The coordinates of all poses, one behind the other, in place. */
    get poses() { return this.#poses.get(); }

    /** Bones of all of them as matrices of a unit bone along +y, `joint_count - 1` a body; in place. */
    get bones() { return this.#bones.get(); }

    /** Walk all of them on by dt seconds. @param {number} dt */
    update(dt) {
        const failed = resultAddress();
        const status = C.js_crowd_update(this.pointer, this.count, this.#steering, dt,
            this.#ground === null ? 0 : this.#ground.ground, this.#poses.address,
            this.skeleton.coordinate_count, failed, messageAddress());
        throwOfGround();
        if (status !== 0) {
            throw new SinewError(StatusNames[status],
                `walker ${i32()[failed >> 2]}: ${readText(messageAddress())}`);
        }
    }

    /** Fill `bones`. @param {number} [radius] metres */
    updateBones(radius = 0.035) {
        void this.pointer;
        C.js_crowd_bones(this.skeleton.pointer, this.#poses.address, this.count, radius, this.#world,
            this.#bones.address);
        return this.bones;
    }
}
