import { C, Owned, allocate, making, release, resultAddress } from './core.js';
import { SinewError } from './error.js';
import { expectList, expectNoMore, expectNumber } from './expect.js';
import { u8 } from './memory.js';
import { Goal as GoalStruct, GoalResult, Transform, Vec3 } from '../dist/structs.js';

/** @typedef {import('./skeleton.js').Skeleton} Skeleton */
/** @typedef {import('./skeleton.js').JointName} JointName */
/** @typedef {import('./skeleton.js').Place} Place */
/** @typedef {import('./skeleton.js').Turn} Turn */
/** @typedef {import('./struct.js').VectorLike} VectorLike */

/**
 * What all goals may be told, beside the fields of `sinew_Goal`: `chain`, the first joint that may move
 * for it.
 * @typedef {{ chain?: JointName, weight?: number, priority?: number, constraint?: boolean,
 *     reference?: JointName, offset?: Place, position_mask?: number, orientation_mask?: number }} GoalOptions
 */

/** One goal: what an effector should do. All fields are live; the next solve sees them. */
export class Goal extends GoalStruct {
    /** @type {Goals} @readonly */
    goals;
    /** @type {number} @readonly */
    slot;
    /** Its errors after the last solve. @type {GoalResult} */
    result;

    /** @param {Goals} goals @param {number} slot @param {number} pointer @param {number} result */
    constructor(goals, slot, pointer, result) {
        super(pointer);
        this.goals = goals;
        this.slot = slot;
        this.result = new GoalResult(result);
    }

    /** Where it should be, metres. @param {number} x @param {number} y @param {number} z */
    set(x, y, z) {
        this.position.set(x, y, z);
        return this;
    }

    /** Where it should be, of anything with x, y, z. @param {VectorLike} place */
    copy(place) {
        this.position.set(place.x, place.y, place.z);
        return this;
    }

    /** How much it counts. Set, it goes for place and orientation. */
    get weight() { return this.position_weight; }
    set weight(value) {
        this.position_weight = value;
        this.orientation_weight = value;
    }

    /** Away with it: who still sets it is told. */
    remove() { this.goals.remove(this); }
}

/** The goals of a solver or tracker, in their order. */
export class Goals extends Owned {
    #free = /** @type {number[]} */ ([]);
    #packed;
    #results;
    /** memory of support polygons by slot */
    #points = /** @type {Map<number, number>} */ (new Map());

    /** @param {Skeleton} skeleton @param {number} capacity the most goals at a time */
    constructor(skeleton, capacity) {
        const size = capacity * GoalStruct.size;
        const pointer = allocate(2 * size + capacity * GoalResult.size);
        super(pointer, () => {
            release(pointer);
            this.#points.forEach(release);
        }, [skeleton]);
        this.skeleton = skeleton;
        this.capacity = capacity;
        this.#packed = pointer + size;
        this.#results = pointer + 2 * size;
        /** @type {Goal[]} */
        this.list = [];
        this.lend({ retire: (words) => this.list.forEach((goal) => goal.retire(words)) });
        for (let i = capacity - 1; i >= 0; --i) { this.#free.push(i); }
    }

    get count() { return this.list.length; }

    /** @param {GoalOptions} options @param {(address: number) => void} fill
     * @param {(goal: Goal) => void} [set] the rest of it @returns {Goal} */
    #add(options, fill, set = () => {}) {
        const slot = this.#free.at(-1);
        if (slot === undefined) {
            throw new SinewError('capacity', `there is room for ${this.capacity} goals, say more by max_goals`);
        }
        const goal = new Goal(this, slot, this.pointer + slot * GoalStruct.size, this.#results + slot * GoalResult.size);
        fill(goal.pointer);
        const { chain, weight, reference, offset, ...rest } = options;
        if (chain !== undefined) { goal.chain_root = this.skeleton.index(chain); }
        if (reference !== undefined) { goal.reference = this.skeleton.index(reference); }
        if (offset !== undefined) { goal.joint_from_effector.position.assign(offset, 'offset'); }
        if (weight !== undefined) { goal.weight = weight; }
        const unknown = Object.fromEntries(Object.entries(rest).filter(([key]) => !(key in goal)));
        expectNoMore(unknown, 'a goal', `chain, weight, reference, offset, ${goal.fields.join(', ')}`);
        goal.assign(rest);
        set(goal);
        // nothing that is refused has taken up room
        this.#free.pop();
        this.list.push(goal);
        return goal;
    }

    // Structs go in by address. What they say is set afterwards, so any memory does here.

    /** The joint's point at a place. Default: where the joint is in the rest pose.
     * @param {JointName} joint @param {GoalOptions & { position?: Place }} [options] */
    position(joint, { position, ...options } = {}) {
        const index = this.skeleton.index(joint);
        return this.#add(options, (at) => C.sinew_goal_position(at, index, resultAddress()),
            (goal) => this.#place(goal, index, position));
    }

    /** The joint turned so. @param {JointName} joint @param {GoalOptions & { orientation?: Turn }} [options] */
    orientation(joint, { orientation = [0, 0, 0, 1], ...options } = {}) {
        const index = this.skeleton.index(joint);
        return this.#add(options, (at) => C.sinew_goal_orientation(at, index, resultAddress()),
            (goal) => goal.orientation.assign(orientation, 'orientation'));
    }

    /** Both. @param {JointName} joint
     * @param {GoalOptions & { position?: Place, orientation?: Turn }} [options] */
    pose(joint, { position, orientation = [0, 0, 0, 1], ...options } = {}) {
        const index = this.skeleton.index(joint);
        return this.#add(options, (at) => C.sinew_goal_pose(at, index, resultAddress(), resultAddress()), (goal) => {
            goal.orientation.assign(orientation, 'orientation');
            this.#place(goal, index, position);
        });
    }

    /** The joint's axis points at a place.
     * @param {JointName} joint @param {Place} axis @param {GoalOptions & { position?: Place }} [options] */
    aim(joint, axis, { position = [0, 0, 0], ...options } = {}) {
        const index = this.skeleton.index(joint);
        return this.#add(options, (at) => C.sinew_goal_aim(at, index, resultAddress(), resultAddress()), (goal) => {
            goal.axis.assign(axis, 'axis');
            goal.position.assign(position, 'position');
        });
    }

    /** The joint's axis along a direction of the world.
     * @param {JointName} joint @param {Place} axis @param {Place} direction @param {GoalOptions} [options] */
    direction(joint, axis, direction, options = {}) {
        const index = this.skeleton.index(joint);
        return this.#add(options, (at) => C.sinew_goal_direction(at, index, resultAddress(), resultAddress()), (goal) => {
            goal.axis.assign(axis, 'axis');
            goal.direction.assign(direction, 'direction');
        });
    }

    /** Knee or elbow on the side of a place.
     * @param {JointName} start @param {JointName} middle @param {JointName} joint
     * @param {GoalOptions & { position?: Place }} [options] */
    pole(start, middle, joint, { position = [0, 0, 0], ...options } = {}) {
        const [a, b, c] = [start, middle, joint].map((name) => this.skeleton.index(name));
        return this.#add(options, (at) => C.sinew_goal_pole(at, a, b, c, resultAddress()),
            (goal) => goal.position.assign(position, 'position'));
    }

    /** The centre of mass over a place. @param {Place} position @param {GoalOptions} [options] */
    centerOfMass(position, options = {}) {
        return this.#add(options, (at) => C.sinew_goal_center_of_mass(at, resultAddress()),
            (goal) => goal.position.assign(position, 'position'));
    }

    /** The centre of mass over a polygon of the ground.
     * @param {readonly Place[]} points @param {GoalOptions & { support_margin?: number }} [options] */
    support(points, options = {}) {
        expectList(points, 'support: points');
        return making((keep) => {
            const address = keep(allocate(points.length * Vec3.size));
            points.forEach((point, i) => new Vec3(address + i * Vec3.size).assign(point, `support: points[${i}]`));
            const goal = this.#add(options, (at) => C.sinew_goal_support(at, address, points.length));
            this.#points.set(goal.slot, address);
            return goal;
        });
    }

    /** The rest posture. @param {number} weight @param {GoalOptions} [options] */
    rest(weight, options = {}) {
        expectNumber(weight, 'rest: weight');
        return this.#add(options, (at) => C.sinew_goal_rest(at, weight));
    }

    /** @param {Goal} goal @param {number} joint @param {Place | undefined} position */
    #place(goal, joint, position) {
        if (position !== undefined) {
            goal.position.assign(position, 'position');
        } else {
            const world = restPlaces(this.skeleton);
            goal.position.copy(new Transform(world + joint * Transform.size).position);
            release(world);
        }
    }

    /** @param {Goal} goal */
    remove(goal) {
        const place = this.list.indexOf(goal);
        if (place < 0) { return; }
        this.list.splice(place, 1);
        goal.retire('this goal was removed');
        this.#free.push(goal.slot);
        const points = this.#points.get(goal.slot);
        if (points !== undefined) { release(points); }
        this.#points.delete(goal.slot);
    }

    /** All of them away. */
    clear() { while (this.list.length > 0) { this.list[this.list.length - 1].remove(); } }

    /** Address of all goals behind each other, for C. */
    pack() {
        const { list } = this, bytes = u8();
        let inOrder = true;
        for (let i = 0; i < list.length; ++i) { inOrder = inOrder && list[i].slot === i; }
        if (inOrder) { return this.pointer; }
        for (let i = 0; i < list.length; ++i) {
            const from = list[i].pointer;
            bytes.copyWithin(this.#packed + i * GoalStruct.size, from, from + GoalStruct.size);
        }
        return this.#packed;
    }

    /** Take the errors of each goal from C. @param {number} results */
    takeResults(results) {
        if (results === 0) { return; }
        const { list } = this, bytes = u8();
        for (let i = 0; i < list.length; ++i) {
            const from = results + i * GoalResult.size;
            bytes.copyWithin(list[i].result.pointer, from, from + GoalResult.size);
        }
    }
}

/** Address of the transforms of all joints at rest, to be released.
 * @param {Skeleton} skeleton */
function restPlaces(skeleton) {
    const q = allocate(8 * skeleton.coordinate_count), world = allocate(skeleton.joint_count * Transform.size);
    C.sinew_pose_rest(skeleton.pointer, q);
    C.sinew_pose_forward(skeleton.pointer, q, world);
    release(q);
    return world;
}
