import { C, Owned, allocate, check, created, making, messageAddress, release, resultAddress, withRoom } from './core.js';
import { MemoryArray, f64 } from './memory.js';
import { expectA, expectList, expectWhole, refuse } from './expect.js';
import { poseOf } from './pose.js';
import { Roles } from './rig.js';
import { Skeleton } from './skeleton.js';
import { views } from './struct.js';
import { Control, Handle, Report, SwitchDef, SwitchLimb } from '../dist/structs.js';

/** @typedef {import('./skeleton.js').JointName} JointName */
/** @typedef {import('./pose.js').Pose} Pose */

/** A limb from root to tip; every field of `sinew_SwitchLimb` may be said.
 * @typedef {{ root: JointName, tip: JointName, middle?: JointName, reference?: JointName,
 *     holds_orientation?: boolean }} LimbLike */

const MAX_CONTROLS = 512, MAX_LIMBS = 64;

/** Limbs that are posed by their joints (FK) or by a handle (IK), and change over without a pop. */
export class Switch extends Owned {
    #handles;
    #controls;
    #worst;
    #pose;

    /** @param {Skeleton} skeleton
     * @param {object} [settings]
     * @param {readonly LimbLike[]} [settings.limbs] Default: those that `roles` tell of.
     * @param {Roles} [settings.roles]
     * @param {number} [settings.max_joint_speed] rad/s. Default 18.
     * @param {number} [settings.release_time] seconds. Default 0.25. */
    constructor(skeleton, { limbs, roles, ...fields } = {}) {
        expectA(Skeleton, skeleton, 'new Switch: skeleton');
        const { pointer, count, handles, controls, worst } = making((keep) => {
            const made = keep(withRoom(SwitchDef.size, (address) => withRoom(MAX_LIMBS * SwitchLimb.size, (list) => {
                C.sinew_switch_def_default(address);
                const def = new SwitchDef(address).assign(fields);
                def.skeleton = skeleton.pointer;
                def.limbs = list;
                def.limb_count = limbs !== undefined ? fillLimbs(skeleton, limbs, list)
                    : roles === undefined ? 0 : Math.min(MAX_LIMBS, C.sinew_switch_find_limbs(
                        skeleton.pointer, expectA(Roles, roles, 'roles').pointer, list, MAX_LIMBS));
                return created(C.sinew_switch_create(address, resultAddress(), messageAddress()));
            })), C.sinew_switch_destroy);
            const limbCount = C.sinew_switch_limb_count(made);
            return {
                pointer: made, count: limbCount, handles: keep(allocate(limbCount * Handle.size)),
                controls: keep(allocate(MAX_CONTROLS * Control.size)), worst: keep(allocate(Report.size)),
            };
        });
        super(pointer, () => {
            C.sinew_switch_destroy(pointer);
            for (const block of [handles, controls, worst]) { release(block); }
        }, [skeleton]);
        this.skeleton = skeleton;
        /** The limbs; read only. @type {readonly SwitchLimb[]} */
        this.limbs = this.lend(Array.from({ length: count }, (_, i) => new SwitchLimb(C.sinew_switch_get_limb(pointer, i))));
        this.#handles = this.lend(views(Handle, handles, count));
        this.#controls = this.lend(views(Control, controls, MAX_CONTROLS));
        this.#worst = this.lend(new Report(worst));
        this.#pose = this.lend(new MemoryArray(f64, C.sinew_switch_pose(pointer), skeleton.coordinate_count));
    }

    /** The pose that is shown; read only. */
    get q() { return this.#pose.get(); }

    /** Copy the pose that is shown. @param {Pose} pose */
    read(pose) {
        poseOf(this.skeleton, pose);
        pose.q.set(this.q);
        return pose;
    }

    /** Begin again in FK. @param {Pose} pose */
    reset(pose) { check(C.sinew_switch_reset(this.pointer, poseOf(this.skeleton, pose), messageAddress())); }

    /** Set all joints in FK. @param {Pose} pose */
    setPose(pose) { check(C.sinew_switch_set_pose(this.pointer, poseOf(this.skeleton, pose), messageAddress())); }

    /** Set one joint in FK. @param {JointName} joint @param {ArrayLike<number>} values its coordinates */
    setJoint(joint, values) {
        const index = this.skeleton.index(joint), { coordinate_count } = this.skeleton.joints[index];
        expectList(values, `setJoint '${joint}': values`, coordinate_count);
        withRoom(8 * coordinate_count, (address) => {
            f64().set(values, address >> 3);
            check(C.sinew_switch_set_joint(this.pointer, index, address, messageAddress()));
        });
    }

    /** @param {number} limb -1: all @param {boolean} enable */
    enableIk(limb, enable) {
        check(C.sinew_switch_enable_ik(this.pointer, limb, enable ? 1 : 0, messageAddress()));
    }

    /** How much of a limb is IK, 0..1. @param {number} limb */
    blend(limb) { return C.sinew_switch_blend(this.pointer, this.#limb(limb)); }

    /** @param {number} limb */
    #limb(limb) { return expectWhole(limb, 'limb', 0, this.limbs.length - 1); }

    /** @param {number} limb @param {number} blend 0: FK, 1: IK */
    setBlend(limb, blend) { check(C.sinew_switch_set_blend(this.pointer, limb, blend, messageAddress())); }

    /** The handle of a limb, read off now; always the same object of each limb. Change it, then
     * {@link setHandle}. @param {number} limb */
    handle(limb) {
        check(C.sinew_switch_handle(this.pointer, limb, this.#handles[this.#limb(limb)].pointer, messageAddress()));
        return this.#handles[limb];
    }

    /** Move the handle of a limb to what `handle(limb)` has been changed to. @param {number} limb */
    setHandle(limb) {
        check(C.sinew_switch_set_handle(this.pointer, limb, this.#handles[this.#limb(limb)].pointer, messageAddress()));
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
    if (expectList(limbs, 'limbs').length > MAX_LIMBS) { refuse('limbs', limbs, `${MAX_LIMBS} at most`); }
    limbs.forEach(({ root, tip, middle, reference, ...rest }, i) => {
        const limb = new SwitchLimb(list + i * SwitchLimb.size);
        C.sinew_switch_limb(limb.pointer, skeleton.pointer, skeleton.index(root),
            middle === undefined ? -1 : skeleton.index(middle), skeleton.index(tip));
        if (reference !== undefined) { limb.reference = skeleton.index(reference); }
        limb.assign(rest);
    });
    return limbs.length;
}

