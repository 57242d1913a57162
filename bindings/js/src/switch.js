import { C, Owned, allocate, check, created, messageAddress, release, resultAddress } from './core.js';
import { MemoryArray, f64 } from './memory.js';
import { SinewError } from './error.js';
import { views } from './struct.js';
import { Control, Handle, Report, SwitchDef, SwitchLimb } from '../dist/structs.js';

/** @typedef {import('./skeleton.js').Skeleton} Skeleton */
/** @typedef {import('./skeleton.js').JointName} JointName */
/** @typedef {import('./pose.js').Pose} Pose */
/** @typedef {import('./rig.js').Roles} Roles */

/** A limb from root to tip; every field of `sinew_SwitchLimb` may be said.
 * @typedef {{ root: JointName, tip: JointName, middle?: JointName, reference?: JointName,
 *     holds_orientation?: boolean }} LimbLike */

const MAX_CONTROLS = 512;

/** Limbs that are posed by their joints (FK) or by a handle (IK), and change over without a pop. */
export class Switch extends Owned {
    #handles;
    #controls;
    #worst;
    #pose;

    /** @param {Skeleton} skeleton
     * @param {object} settings
     * @param {readonly LimbLike[]} [settings.limbs] Default: those that `roles` tell of.
     * @param {Roles} [settings.roles]
     * @param {number} [settings.max_joint_speed] rad/s. Default 18.
     * @param {number} [settings.release_time] seconds. Default 0.25. */
    constructor(skeleton, { limbs, roles, ...fields }) {
        const address = allocate(SwitchDef.size), list = allocate(64 * SwitchLimb.size);
        let pointer;
        try {
            C.sinew_switch_def_default(address);
            const def = new SwitchDef(address).assign(fields);
            def.skeleton = skeleton.pointer;
            def.limbs = list;
            def.limb_count = limbs !== undefined ? fillLimbs(skeleton, limbs, list)
                : roles !== undefined
                    ? Math.min(C.sinew_switch_find_limbs(skeleton.pointer, roles.pointer, list, 64), 64) : 0;
            pointer = created(C.sinew_switch_create(address, resultAddress(), messageAddress()));
        } finally {
            release(address);
            release(list);
        }
        const count = C.sinew_switch_limb_count(pointer);
        const handles = allocate(count * Handle.size), controls = allocate(MAX_CONTROLS * Control.size);
        const worst = allocate(Report.size);
        super(pointer, () => {
            C.sinew_switch_destroy(pointer);
            for (const block of [handles, controls, worst]) { release(block); }
        }, [skeleton]);
        this.skeleton = skeleton;
        /** The limbs; read only. @type {readonly SwitchLimb[]} */
        this.limbs = Array.from({ length: count }, (_, i) => new SwitchLimb(C.sinew_switch_get_limb(pointer, i)));
        this.#handles = views(Handle, handles, count);
        this.#controls = views(Control, controls, MAX_CONTROLS);
        this.#worst = new Report(worst);
        this.#pose = new MemoryArray(f64, C.sinew_switch_pose(pointer), skeleton.coordinate_count);
    }

    /** The pose that is shown; read only. */
    get q() { return this.#pose.get(); }

    /** Copy the pose that is shown. @param {Pose} pose */
    read(pose) {
        pose.q.set(this.q);
        return pose;
    }

    /** Begin again in FK. @param {Pose} pose */
    reset(pose) { check(C.sinew_switch_reset(this.pointer, pose.pointer, messageAddress())); }

    /** Set all joints in FK. @param {Pose} pose */
    setPose(pose) { check(C.sinew_switch_set_pose(this.pointer, pose.pointer, messageAddress())); }

    /** Set one joint in FK. @param {JointName} joint @param {ArrayLike<number>} values its coordinates */
    setJoint(joint, values) {
        const index = this.skeleton.index(joint), { coordinate_count } = this.skeleton.joints[index];
        if (values.length !== coordinate_count) {
            throw new SinewError('invalid_argument',
                `joint '${joint}' takes ${coordinate_count} numbers, found ${values.length}`);
        }
        const address = allocate(8 * coordinate_count);
        try {
            f64().set(values, address >> 3);
            check(C.sinew_switch_set_joint(this.pointer, index, address, messageAddress()));
        } finally {
            release(address);
        }
    }

    /** @param {number} limb -1: all @param {boolean} enable */
    enableIk(limb, enable) {
        check(C.sinew_switch_enable_ik(this.pointer, limb, enable ? 1 : 0, messageAddress()));
    }

    /** How much of a limb is IK, 0..1. @param {number} limb */
    blend(limb) { return C.sinew_switch_blend(this.pointer, limb); }

    /** @param {number} limb @param {number} blend 0: FK, 1: IK */
    setBlend(limb, blend) { check(C.sinew_switch_set_blend(this.pointer, limb, blend, messageAddress())); }

    /** The handle of a limb, read off now; always the same object of each limb. Change it, then
     * {@link setHandle}. @param {number} limb */
    handle(limb) {
        check(C.sinew_switch_handle(this.pointer, limb, this.#handles[limb].pointer, messageAddress()));
        return this.#handles[limb];
    }

    /** Move the handle of a limb to what `handle(limb)` has been changed to. @param {number} limb */
    setHandle(limb) {
        check(C.sinew_switch_set_handle(this.pointer, limb, this.#handles[limb].pointer, messageAddress()));
    }

    /** Pose all limbs in IK for one frame. @param {number} frame_time seconds
     * @returns {Report} of the limb that misses its handle most */
    update(frame_time) {
        check(C.sinew_switch_update(this.pointer, frame_time, this.#worst.pointer, messageAddress()));
        return this.#worst;
    }

    /** Everything that an animator can take hold of in the pose shown. The same array's objects are
     * filled again each time. @param {Control[]} [out] */
    controls(out = []) {
        out.length = 0;
        const count = Math.min(MAX_CONTROLS,
            C.sinew_switch_controls(this.pointer, this.#controls[0].pointer, MAX_CONTROLS));
        for (let i = 0; i < count; ++i) { out.push(this.#controls[i]); }
        return out;
    }
}

/** @param {Skeleton} skeleton @param {readonly LimbLike[]} limbs @param {number} list */
function fillLimbs(skeleton, limbs, list) {
    limbs.slice(0, 64).forEach(({ root, tip, middle, reference, ...rest }, i) => {
        const limb = new SwitchLimb(list + i * SwitchLimb.size);
        C.sinew_switch_limb(limb.pointer, skeleton.pointer, skeleton.index(root),
            middle === undefined ? -1 : skeleton.index(middle), skeleton.index(tip));
        if (reference !== undefined) { limb.reference = skeleton.index(reference); }
        limb.assign(rest);
    });
    return limbs.length;
}

