import { C, Owned, allocate, created, messageAddress, release, resultAddress, withRoom, withText } from './core.js';
import { SinewError } from './error.js';
import { expectA, expectList, expectText, expectWhole, refuse } from './expect.js';
import { BallLimit } from './limit.js';
import { encodeText, readText, u8 } from './memory.js';
import { views } from './struct.js';
import { Axis, Joint, JointDef } from '../dist/structs.js';

/** @typedef {readonly [number, number, number] | import('./struct.js').VectorLike} Place */
/** @typedef {readonly [number, number, number, number] | import('./struct.js').QuaternionLike} Turn */

/**
 * One way in which a joint can move; a bare `'ball'` is a free ball.
 * @typedef {'ball' | { kind: 'slide' | 'hinge' | 'ball', direction?: Place, lower?: number, upper?: number,
 *     rest?: number, mobility?: number, limit?: import('./limit.js').BallLimit }} AxisLike
 */

/**
 * How one joint is made: the fields of `sinew_JointDef`. A parent is an index or a name; parents come
 * first, depth first.
 * @typedef {{ name: string, parent?: number | string, offset?: Place, rest_rotation?: Turn,
 *     axes?: readonly AxisLike[], mass?: number, mass_center?: Place }} JointLike
 */

/** A joint, as its name, its index, or anything that has a joint's index. @typedef {number | string} JointName */

/** The body: a tree of joints that never changes after creation. */
export class Skeleton extends Owned {
    #names = /** @type {Map<string, number>} */ (new Map());
    #joints = /** @type {readonly Joint[] | undefined} */ (undefined);
    #axes = /** @type {readonly Axis[] | undefined} */ (undefined);
    #layout = '';

    /** Made by {@link Skeleton.create}, {@link Scene}, {@link Motion} and others.
     * @param {number} pointer @param {() => void} free @param {Owned[]} [uses] */
    constructor(pointer, free, uses) {
        super(pointer, free, uses);
        this.joint_count = C.sinew_skeleton_joint_count(pointer);
        this.axis_count = C.sinew_skeleton_axis_count(pointer);
        /** Numbers of a pose. */
        this.coordinate_count = C.sinew_skeleton_coordinate_count(pointer);
        this.dof_count = C.sinew_skeleton_dof_count(pointer);
        /** The largest extent of the rest pose, metres. */
        this.size = C.sinew_skeleton_size(pointer);
        /** @type {readonly string[]} */
        this.names = Object.freeze(this.joints.map((joint) => joint.name));
        this.names.forEach((name, i) => { if (!this.#names.has(name)) { this.#names.set(name, i); } });
    }

    /** A skeleton that C made and that is given back by itself. @param {number} pointer
     * @param {Owned[]} [uses] */
    static own(pointer, uses) {
        return new Skeleton(pointer, () => C.sinew_skeleton_destroy(pointer), uses);
    }

    /** Make a skeleton.
     * @param {readonly JointLike[]} joints */
    static create(joints) {
        expectList(joints, 'Skeleton.create: joints');
        joints.forEach((joint, i) => {
            if (typeof joint !== 'object' || joint === null) { refuse(`joints[${i}]`, joint, 'an object { name, parent, ... }'); }
        });
        const taken = /** @type {number[]} */ ([]);
        const take = (/** @type {number} */ size) => {
            const address = allocate(size);
            taken.push(address);
            return address;
        };
        const indices = new Map(joints.map((joint, i) => [joint.name, i]));
        const uses = /** @type {Owned[]} */ ([]);
        try {
            const defs = take(joints.length * JointDef.size);
            joints.forEach((joint, i) => {
                C.sinew_joint_def_default(defs + i * JointDef.size);
                const def = new JointDef(defs + i * JointDef.size);
                const { name, parent = -1, axes = [], ...rest } = joint;
                const text = encodeText(expectText(name, `joints[${i}].name`)), address = take(text.length);
                u8().set(text, address);
                def.name_address = address;
                def.assign(rest);
                def.parent = typeof parent === 'number' ? parent : indices.get(parent)
                    ?? refuse(`joint '${name}': parent`, parent, `the name or index of a joint before it`);
                expectList(axes, `joint '${name}': axes`);
                def.axis_count = axes.length;
                def.axes = take(axes.length * Axis.size);
                axes.forEach((axis, k) => fillAxis(new Axis(def.axes + k * Axis.size), axis, uses, `joint '${name}': axes[${k}]`));
            });
            return Skeleton.own(created(C.sinew_skeleton_create(
                defs, joints.length, 0, resultAddress(), messageAddress())), uses);
        } finally {
            taken.forEach(release);
        }
    }

    /** All joints; read only. @returns {readonly Joint[]} */
    get joints() {
        this.#joints ??= this.lend(views(Joint, C.sinew_skeleton_joints(this.pointer), this.joint_count));
        return this.#joints;
    }

    /** All axes, joint by joint; read only. @returns {readonly Axis[]} */
    get axes() {
        this.#axes ??= this.lend(views(Axis, C.sinew_skeleton_axes(this.pointer), this.axis_count));
        return this.#axes;
    }

    /** Whether poses of another skeleton are poses of this one: the same tree of joints with the same kinds of axes,
     * whatever their limits. @param {Skeleton} other */
    fits(other) { return other.coordinate_count === this.coordinate_count && other.#kinds() === this.#kinds(); }

    #kinds() {
        this.#layout ||= this.joints.map(({ parent, axis_start, axis_count }) =>
            [parent, ...this.axes.slice(axis_start, axis_start + axis_count).map(({ kind }) => kind)].join(' ')).join();
        return this.#layout;
    }

    /** Index of a joint; -1 when there is none.
     * @param {JointName} joint */
    find(joint) {
        const index = typeof joint === 'number' ? joint : this.#names.get(joint) ?? -1;
        return Number.isInteger(index) && index >= 0 && index < this.joint_count ? index : -1;
    }

    /** Index of a joint that has to be there.
     * @param {JointName} joint */
    index(joint) {
        const index = this.find(joint);
        if (index < 0) {
            throw new SinewError('invalid_argument', typeof joint === 'number'
                ? `there is no joint ${joint}, want 0..${this.joint_count - 1}` : `there is no joint '${joint}'`);
        }
        return index;
    }

    /** Name of one coordinate: `'LeftElbow'`, `'Hips.tx'`.
     * @param {number} coordinate */
    coordinateName(coordinate) {
        expectWhole(coordinate, 'coordinateName: coordinate', 0, this.coordinate_count - 1);
        return withRoom(256, (address) => {
            C.sinew_skeleton_coordinate_name(this.pointer, coordinate, address, 256);
            return readText(address);
        });
    }

    /** Index of a coordinate, -1 when there is none.
     * @param {string} name */
    findCoordinate(name) {
        return withText(expectText(name, 'findCoordinate: name'), (address) => C.sinew_skeleton_find_coordinate(this.pointer, address));
    }
}

/** @param {Axis} axis @param {AxisLike} from @param {Owned[]} uses @param {string} name */
function fillAxis(axis, from, uses, name) {
    if (from !== 'ball' && (typeof from !== 'object' || from === null)) {
        refuse(name, from, `'ball', or { kind, direction, ... }`);
    }
    const { kind, limit, direction, ...rest } = from === 'ball'
        ? /** @type {any} */ ({ kind: 'ball' }) : /** @type {any} */ (from);
    if (kind === 'ball') {
        C.sinew_axis_ball(axis.pointer);
    } else {
        // the functions take the direction by address, and copy it
        axis.direction.assign(direction ?? [0, 0, 1], `${name}.direction`);
        const address = axis.direction.pointer;
        if (kind === 'hinge') {
            C.sinew_axis_hinge(axis.pointer, address, rest.lower ?? -Infinity, rest.upper ?? Infinity);
        } else {
            C.sinew_axis_slide(axis.pointer, address);
        }
        axis.direction.assign(direction ?? [0, 0, 1], `${name}.direction`);
    }
    axis.kind = kind;
    axis.assign(rest);
    if (limit !== undefined) {
        axis.limit = expectA(BallLimit, limit, `${name}.limit`).pointer;
        uses.push(limit);
    }
}

