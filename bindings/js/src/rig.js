import {
    C, Owned, allocate, bytesOf, check, created, messageAddress, release, resultAddress, withBytes, withRoom, withText,
} from './core.js';
import { Clip } from './clip.js';
import { expectA, expectNumber, expectText, expectWhole } from './expect.js';
import { f64, i32, readText, u32 } from './memory.js';
import { Pose, poseOf } from './pose.js';
import { Skeleton } from './skeleton.js';
import { enumValue, views } from './struct.js';
import {
    JointRole, PoseList, RigEffector, RigJoint, RigOptions, RigPose, RoleGuess, RoleNames, RoleOptions,
    SideNames, Stance as StanceStruct, StanceNote,
} from '../dist/structs.js';

/** @typedef {import('../dist/structs.js').Role} Role */
/** @typedef {import('../dist/structs.js').Side} Side */

/** Call with a list of the poses of a clip; 0 without one.
 * @template T
 * @param {Clip | undefined} motion @param {(list: number) => T} call @returns {T} */
function withPoses(motion, call) {
    if (motion === undefined || expectA(Clip, motion, 'motion').frame_count === 0) { return call(0); }
    return withRoom(PoseList.size, (address) => {
        const list = new PoseList(address);
        list.q = C.sinew_clip_frame_const(motion.pointer, 0);
        list.count = motion.frame_count;
        return call(address);
    });
}

/** Which joint is which: hips, spine, head, arms, legs, fingers. */
export class Roles extends Owned {
    /** Guess from names, topology and proportions.
     * @param {Skeleton} skeleton
     * @param {{ motion?: Clip, ignore_names?: boolean, is_robot?: boolean }} [options] */
    constructor(skeleton, { motion, ...fields } = {}) {
        expectA(Skeleton, skeleton, 'new Roles: skeleton');
        const pointer = withRoom(RoleOptions.size, (address) => withPoses(motion, (list) => {
            C.sinew_role_options_default(address);
            const options = new RoleOptions(address).assign(fields);
            options.motion = list;
            return created(C.sinew_roles_guess(skeleton.pointer, address, 0, resultAddress(), messageAddress()));
        }));
        super(pointer, () => C.sinew_roles_destroy(pointer));
        this.skeleton = skeleton;
        /** Everything that was guessed; read only. */
        this.guess = this.lend(new RoleGuess(pointer));
        /** What each joint is. @type {readonly JointRole[]} */
        this.joints = this.lend(views(JointRole, this.guess.joints, this.guess.joint_count));
    }

    /** The joint of a role, -1 when there is none. @param {Role} role @param {Side} [side]
     * @param {number} [number] of spine and fingers; -1: the first */
    find(role, side = 'none', number = -1) {
        return C.sinew_roles_find(this.pointer, enumValue(RoleNames, role, 'role'),
            enumValue(SideNames, side, 'side'), number);
    }

    /** The same joint on the other side; -1: unknown. @param {number} joint */
    mirror(joint) {
        expectWhole(joint, 'mirror: joint', 0, this.joints.length - 1);
        return i32()[(this.guess.mirror >> 2) + joint];
    }

    /** Joints that goals are usually set for: hips, head, hands, feet, toes. @returns {number[]} */
    effectors() {
        const address = allocate(4 * 64);
        const count = Math.min(C.sinew_roles_effectors(this.pointer, address, 64), 64);
        const joints = Array.from(i32().subarray(address >> 2, (address >> 2) + count));
        release(address);
        return joints;
    }

    /** Name of a joint's role, `'upperarm_l'`; `'none'` where it has none. @param {number} joint */
    name(joint) {
        expectWhole(joint, 'name: joint', 0, this.joints.length - 1);
        const { role, side, number } = this.joints[joint], address = allocate(32);
        C.sinew_role_name(enumValue(RoleNames, role, 'role'), enumValue(SideNames, side, 'side'), number, address, 32);
        const name = readText(address);
        release(address);
        return name;
    }

    /** Doubts and oddities. @returns {string[]} */
    get warnings() {
        const { warnings, warning_count } = this.guess;
        return Array.from({ length: warning_count }, (_, i) => readText(u32()[(warnings >> 2) + i]));
    }
}

/** How a body stands, whatever its rest pose is. */
export class Stance extends Owned {
    /** @param {Skeleton} skeleton that of the file @param {Roles} roles @param {Clip} [motion] */
    constructor(skeleton, roles, motion) {
        expectA(Skeleton, skeleton, 'new Stance: skeleton');
        expectA(Roles, roles, 'new Stance: roles');
        const pointer = withPoses(motion, (list) => created(C.sinew_stance_guess(
            skeleton.pointer, roles.pointer, list, 0, resultAddress(), messageAddress())));
        super(pointer, () => C.sinew_stance_destroy(pointer));
        this.skeleton = skeleton;
        /** What was found; read only. */
        this.guess = this.lend(new StanceStruct(pointer));
    }

    /** Put a pose into the stance. @param {Pose} pose of the skeleton that it was found for */
    apply(pose) {
        const { q, coordinate_count } = this.guess;
        poseOf(this.skeleton, pose);
        pose.q.set(f64At(q, coordinate_count));
        return pose;
    }

    /** What stands out, each one line. @returns {string[]} */
    get notes() {
        return views(StanceNote, this.guess.notes, this.guess.note_count).map((note) => note.text.text);
    }
}

/** What a skeleton file cannot say: roles, limits, masses, effectors, poses. */
export class Rig extends Owned {
    /** An empty one, or one that C made. @param {number} [pointer] */
    constructor(pointer) {
        const made = pointer ?? created(C.sinew_rig_create(0, resultAddress()));
        super(made, () => C.sinew_rig_destroy(made));
    }

    /** Human limits, masses and effectors from the roles of the joints.
     * @param {Skeleton} skeleton @param {Roles} roles
     * @param {{ said?: Rig, motion?: Clip, unit?: number, margin?: number, body_mass?: number,
     *     hinges?: boolean, is_robot?: boolean }} [options] fields of `sinew_RigOptions` */
    static guess(skeleton, roles, { said, motion, ...fields } = {}) {
        expectA(Skeleton, skeleton, 'Rig.guess: skeleton');
        expectA(Roles, roles, 'Rig.guess: roles');
        return withRoom(RigOptions.size, (address) => withPoses(motion, (list) => {
            C.sinew_rig_options_default(address);
            const options = new RigOptions(address).assign(fields);
            options.said = said === undefined ? 0 : expectA(Rig, said, 'rig').pointer;
            options.motion = list;
            return new Rig(created(C.sinew_rig_guess(
                skeleton.pointer, roles.pointer, address, 0, resultAddress(), messageAddress())));
        }));
    }

    /** Read a `*.rig.json`. @param {string | ArrayBuffer | ArrayBufferView} data @param {string} [name]
     * @param {Skeleton} [skeleton] whose joints its keys must be */
    static read(data, name = 'rig.json', skeleton) {
        return withBytes(bytesOf(data, 'Rig.read: data'), (bytes, size) => withText(expectText(name, 'Rig.read: name'), (text) =>
            new Rig(created(C.sinew_rig_read_memory(bytes, size, text, skeleton?.pointer ?? 0, 0,
                resultAddress(), messageAddress())))));
    }

    /** Metres in one unit of the file; 0: not said. */
    get unit() { return C.sinew_rig_unit(this.pointer); }
    set unit(value) { C.sinew_rig_set_unit(this.pointer, expectNumber(value, 'unit', 0)); }

    /** What is said about joints; read only, until something is set. @returns {RigJoint[]} */
    get joints() {
        return Array.from({ length: C.sinew_rig_joint_count(this.pointer) },
            (_, i) => new RigJoint(C.sinew_rig_joint(this.pointer, i)));
    }

    /** Points that goals are set for. @returns {RigEffector[]} */
    get effectors() {
        return Array.from({ length: C.sinew_rig_effector_count(this.pointer) },
            (_, i) => new RigEffector(C.sinew_rig_effector(this.pointer, i)));
    }

    /** Names of kept poses. @returns {string[]} */
    get poses() {
        return Array.from({ length: C.sinew_rig_pose_count(this.pointer) },
            (_, i) => new RigPose(C.sinew_rig_pose(this.pointer, i)).name);
    }

    /** Put what another rig says on top. @param {Rig} over */
    refine(over) {
        check(C.sinew_rig_refine(this.pointer, expectA(Rig, over, 'refine: over').pointer), 'refine');
        return this;
    }

    /** Keep a pose under a name. @param {string} name @param {Pose} pose */
    capturePose(name, pose) {
        expectA(Pose, pose, 'capturePose: pose').check();
        withText(expectText(name, 'capturePose: name'), (text) => check(C.sinew_rig_capture_pose(
            this.pointer, text, pose.skeleton.pointer, pose.pointer), `capturePose '${name}'`));
    }

    /** A kept pose. @param {string} name @param {Pose} pose gets it @returns {boolean} whether there is one */
    getPose(name, pose) {
        expectA(Pose, pose, 'getPose: pose');
        const index = this.poses.indexOf(name);
        if (index < 0) { return false; }
        check(C.sinew_rig_pose_values(this.pointer, C.sinew_rig_pose(this.pointer, index),
            pose.skeleton.pointer, pose.pointer, messageAddress()));
        return true;
    }

    /** A new skeleton: the same joints with what the rig says. @param {Skeleton} skeleton */
    apply(skeleton) {
        return Skeleton.own(created(C.sinew_rig_apply(
            expectA(Skeleton, skeleton, 'apply: skeleton').pointer, this.pointer, 0, resultAddress(), messageAddress())));
    }
}

/** @param {number} address @param {number} count */
function f64At(address, count) { return f64().subarray(address >> 3, (address >> 3) + count); }
