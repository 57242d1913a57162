import { C, Owned, allocate, check, messageAddress, release } from './core.js';
import { SinewError } from './error.js';
import { expectA } from './expect.js';
import { MemoryArray, f32, f64 } from './memory.js';
import { Skeleton } from './skeleton.js';
import { views } from './struct.js';
import { Transform, Vec3 } from '../dist/structs.js';

/** One pose of a skeleton: its coordinates, and what they make. */
export class Pose extends Owned {
    #q;
    #matrices = /** @type {MemoryArray<Float32Array> | undefined} */ (undefined);
    #world = 0;
    #transforms = /** @type {MemoryArray<Float64Array> | undefined} */ (undefined);
    #center = 0;
    #middle = /** @type {Vec3 | undefined} */ (undefined);
    #views = /** @type {readonly Transform[] | undefined} */ (undefined);

    /** The rest pose. @param {Skeleton} skeleton */
    constructor(skeleton) {
        expectA(Skeleton, skeleton, 'new Pose: skeleton');
        const pointer = allocate(8 * skeleton.coordinate_count);
        super(pointer, () => {
            release(pointer);
            if (this.#world !== 0) { release(this.#world); }
            if (this.#matrices) { release(this.#matrices.address); }
            if (this.#center !== 0) { release(this.#center); }
        }, [skeleton]);
        /** @readonly */
        this.skeleton = skeleton;
        this.#q = this.lend(new MemoryArray(f64, pointer, skeleton.coordinate_count));
        this.rest();
    }

    /** The coordinates, in place: write to them as you like. Ask again each frame: the view is made
     * anew when the module's memory has grown. */
    get q() { return this.#q.get(); }

    /** The rest values of all joints. */
    rest() {
        C.sinew_pose_rest(this.skeleton.pointer, this.pointer);
        return this;
    }

    /** The middle of all ranges. */
    middle() {
        C.sinew_pose_middle(this.skeleton.pointer, this.pointer);
        return this;
    }

    /** @param {Pose} from a pose of a skeleton with as many coordinates */
    copy(from) {
        const { q } = expectA(Pose, from, 'from');
        if (q.length !== this.q.length) { throw anotherBody('from', from, this.skeleton); }
        this.q.set(q);
        return this;
    }

    /** Another pose with the same numbers. */
    clone() { return new Pose(this.skeleton).copy(this); }

    /** Throw when a number is not finite or a ball's quaternion has not the length 1. */
    check() {
        check(C.sinew_pose_check(this.skeleton.pointer, this.pointer, messageAddress()));
        return this;
    }

    /** Bring all joints inside their limits. */
    applyLimits() {
        C.sinew_pose_apply_limits(this.skeleton.pointer, this.pointer);
        return this;
    }

    /** How far a joint is outside its limit, radians or metres; 0 inside. */
    get limit_violation() { return C.sinew_pose_limit_violation(this.skeleton.pointer, this.pointer); }

    #worldAddress() {
        void this.pointer; // nothing is taken after dispose()
        if (this.#world === 0) { this.#world = allocate(this.skeleton.joint_count * Transform.size); }
        return this.#world;
    }

    /** Where all joints are, as the last {@link forward} or {@link updateMatrices} found them.
     * @returns {readonly Transform[]} */
    get world() {
        void this.pointer;
        this.#views ??= this.lend(views(Transform, this.#worldAddress(), this.skeleton.joint_count));
        return this.#views;
    }

    /** The same as plain numbers: place (x, y, z) and rotation (x, y, z, w) of each joint. Ask again each
     * frame, as for q. */
    get transforms() {
        this.#transforms ??= this.lend(new MemoryArray(f64, this.#worldAddress(), 7 * this.skeleton.joint_count));
        return this.#transforms.get();
    }

    /** Where the centre of mass is; always the same object. */
    centerOfMass() {
        const world = this.#worldAddress();
        if (this.#center === 0) { this.#center = allocate(Vec3.size); }
        this.#middle ??= this.lend(new Vec3(this.#center));
        C.sinew_pose_center_of_mass(this.#middle.pointer, this.skeleton.pointer, world);
        return this.#middle;
    }

    /** Find out where all joints are; `world` has it then. */
    forward() {
        C.sinew_pose_forward(this.skeleton.pointer, this.pointer, this.#worldAddress());
        return this;
    }

    /** World matrices of all joints, 16 floats each, columns, in the module's memory: what graphics cards
     * take. {@link updateMatrices} fills them. */
    get matrices() {
        void this.pointer;
        this.#matrices ??= this.lend(new MemoryArray(f32, allocate(64 * this.skeleton.joint_count), 16 * this.skeleton.joint_count));
        return this.#matrices.get();
    }

    /** Fill `world` and `matrices` from the coordinates. */
    updateMatrices() {
        if (this.#matrices === undefined) { void this.matrices; }
        C.js_pose_matrices(this.skeleton.pointer, this.pointer, this.#worldAddress(),
            /** @type {MemoryArray<Float32Array>} */ (this.#matrices).address);
        return this;
    }
}

/** @param {string} name @param {Pose} pose @param {Skeleton} skeleton */
function anotherBody(name, { skeleton: { joint_count, coordinate_count } }, skeleton) {
    return new SinewError('invalid_argument', `${name} is of another skeleton: found ${joint_count} joints and `
        + `${coordinate_count} coordinates, want ${skeleton.joint_count} and ${skeleton.coordinate_count} of the same kinds`);
}

/** Address of a pose for calls that read or write it as one of a skeleton: the numbers of another's lie elsewhere,
 * and may be fewer.
 * @param {Skeleton} skeleton @param {Pose} pose of it, or of one with the same joints @param {string} [name] of the argument */
export function poseOf(skeleton, pose, name = 'the pose') {
    expectA(Pose, pose, name);
    if (pose.skeleton !== skeleton && !skeleton.fits(pose.skeleton)) { throw anotherBody(name, pose, skeleton); }
    return pose.pointer;
}
