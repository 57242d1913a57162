import { C, Owned, allocate, check, created, making, messageAddress, release, resultAddress, withRoom } from './core.js';
import { SinewError } from './error.js';
import { POSITIVE, expectA, expectList, expectNoMore, expectNumber, expectWhole } from './expect.js';
import { Goals } from './goals.js';
import { f64, readText } from './memory.js';
import { poseOf } from './pose.js';
import { Skeleton } from './skeleton.js';
import { StartTable } from './start.js';
import { GoalDiagnosis, MethodNames, Report, SolveOptions, SolverDef, TrackerDef, TrackerState } from '../dist/structs.js';
import { enumValue } from './struct.js';

/** @typedef {import('./skeleton.js').JointName} JointName */
/** @typedef {import('./skeleton.js').Place} Place */
/** @typedef {import('./skeleton.js').Turn} Turn */
/** @typedef {import('./goals.js').Goal} Goal */
/** @typedef {import('./goals.js').GoalOptions} GoalOptions */
/** @typedef {import('./pose.js').Pose} Pose */
/** @typedef {import('../dist/structs.js').Method} Method */

/** What solver and tracker have in common: goals, and a report. */
export class GoalSolver extends Owned {
    /** @param {number} pointer @param {() => void} free @param {Skeleton} skeleton
     * @param {Goals} goals @param {number} report */
    constructor(pointer, free, skeleton, goals, report) {
        super(pointer, free, [skeleton]);
        /** @readonly */
        this.skeleton = skeleton;
        /** All goals, in their order. @readonly */
        this.goals = this.part(goals);
        /** What the last solve did. */
        this.report = this.lend(new Report(report));
    }

    /** {@link Goals.position}
     * @param {JointName} joint @param {GoalOptions & { position?: Place }} [options] */
    position(joint, options) { return this.goals.position(joint, options); }
    /** {@link Goals.orientation}
     * @param {JointName} joint @param {GoalOptions & { orientation?: Turn }} [options] */
    orientation(joint, options) { return this.goals.orientation(joint, options); }
    /** {@link Goals.pose}
     * @param {JointName} joint @param {GoalOptions & { position?: Place, orientation?: Turn }} [options] */
    pose(joint, options) { return this.goals.pose(joint, options); }
    /** {@link Goals.aim}
     * @param {JointName} joint @param {Place} axis @param {GoalOptions & { position?: Place }} [options] */
    aim(joint, axis, options) { return this.goals.aim(joint, axis, options); }
    /** {@link Goals.direction}
     * @param {JointName} joint @param {Place} axis @param {Place} direction @param {GoalOptions} [options] */
    direction(joint, axis, direction, options) {
        return this.goals.direction(joint, axis, direction, options);
    }
    /** {@link Goals.pole}
     * @param {JointName} start @param {JointName} middle @param {JointName} joint
     * @param {GoalOptions & { position?: Place }} [options] */
    pole(start, middle, joint, options) { return this.goals.pole(start, middle, joint, options); }
    /** {@link Goals.centerOfMass} @param {Place} position @param {GoalOptions} [options] */
    centerOfMass(position, options) { return this.goals.centerOfMass(position, options); }
    /** {@link Goals.support}
     * @param {readonly Place[]} points @param {GoalOptions & { support_margin?: number }} [options] */
    support(points, options) { return this.goals.support(points, options); }
    /** {@link Goals.rest} @param {number} weight @param {GoalOptions} [options] */
    rest(weight, options) { return this.goals.rest(weight, options); }
}

/** Poses a skeleton so that goals are met. Made once, used every frame; a solve allocates nothing. */
export class Solver extends GoalSolver {
    #diagnosis = 0;
    #hasSolved = false;
    /** @type {StartTable | null} */
    #starts = null;

    /**
     * @param {Skeleton} skeleton
     * @param {object} [settings]
     * @param {number} [settings.max_goals] the most goals of one solve. Default 8.
     * @param {Method} [settings.method] Default `'auto'`, which needs no tuning.
     * @param {number} [settings.frame_time] seconds; then each solve is a frame of a motion: options as
     *     `sinew_solve_options_motion` has them.
     * @param {Record<string, any>} [settings.options] fields of {@link SolveOptions} to begin with
     */
    constructor(skeleton, { max_goals = 8, method, frame_time, options: fields, ...rest } = {}) {
        expectA(Skeleton, skeleton, 'new Solver: skeleton');
        expectWhole(max_goals, 'max_goals', 1, 100000);
        expectNoMore(rest, 'new Solver', 'max_goals, method, frame_time, options');
        const { pointer, block, goals, options } = making((keep) => {
            const at = keep(withRoom(SolverDef.size, (address) => {
                C.sinew_solver_def_default(address);
                const def = new SolverDef(address);
                def.skeleton = skeleton.pointer;
                def.max_goals = max_goals;
                return created(C.sinew_solver_create(address, resultAddress(), messageAddress()));
            }), C.sinew_solver_destroy);
            const room = keep(allocate(SolveOptions.size + Report.size)), made = new SolveOptions(room);
            C.sinew_solve_options_default(room, enumValue(MethodNames, method ?? 'auto', 'method'));
            if (frame_time !== undefined) {
                C.sinew_solve_options_motion(room, expectNumber(frame_time, 'frame_time', POSITIVE));
                if (method !== undefined) { made.method = method; }
            }
            if (fields !== undefined) { made.assign(fields); }
            return { pointer: at, block: room, goals: keep(new Goals(skeleton, max_goals)), options: made };
        });
        super(pointer, () => {
            C.sinew_solver_destroy(pointer);
            if (this.#diagnosis !== 0) { C.sinew_diagnosis_destroy(this.#diagnosis); }
            release(block);
        }, skeleton, goals, block + SolveOptions.size);
        /** How to solve; live: change what you like between solves. */
        this.options = this.lend(options);
    }

    /** All options as the method has them by default. @param {Method} method */
    setMethod(method) {
        C.sinew_solve_options_default(this.options.pointer, enumValue(MethodNames, method, 'method'));
        return this;
    }

    /**
     * Pose the body: `pose` is the start and the answer. An unmet goal is no error: the report tells.
     * @param {Pose} pose
     * @returns {Report} what happened: always the same object, of the last solve
     */
    solve(pose) {
        const { goals } = this;
        check(C.sinew_solver_solve(this.pointer, this.options.pointer, goals.pack(), goals.count,
            poseOf(this.skeleton, pose), this.report.pointer, messageAddress()));
        goals.takeResults(C.sinew_solver_goal_results(this.pointer));
        this.#hasSolved = true;
        return this.report;
    }

    /** How readily each axis takes part, `axis_count` numbers; `null`: as the skeleton says.
     * @param {ArrayLike<number> | null} mobility */
    setMobility(mobility) {
        const count = this.skeleton.axis_count;
        if (mobility !== null) {
            for (const value of expectList(mobility, 'setMobility: mobility', count)) {
                expectNumber(value, 'setMobility: a mobility', 0, 1e6);
            }
        }
        withRoom(8 * count, (address) => {
            if (mobility !== null) { f64().set(mobility, address >> 3); }
            check(C.sinew_solver_set_mobility(this.pointer, mobility === null ? 0 : address), 'setMobility');
        });
    }

    /** Tighten the range of one hinge or slide. @param {number} axis @param {number} lower @param {number} upper */
    setRange(axis, lower, upper) {
        expectWhole(axis, 'setRange: axis', 0, this.skeleton.axis_count - 1);
        expectNumber(upper, 'setRange: upper', expectNumber(lower, 'setRange: lower'));
        check(C.sinew_solver_set_range(this.pointer, axis, lower, upper), `setRange: axis ${axis}`);
    }

    /** All axes have their own limits again. */
    resetLimits() { C.sinew_solver_reset_limits(this.pointer); }

    /** The pose that the rest weight pulls to; `null`: the skeleton's. @param {Pose | null} pose */
    setRest(pose) {
        if (pose !== null) { poseOf(this.skeleton, pose); }
        check(C.sinew_solver_set_rest(this.pointer, pose === null ? 0 : pose.check().pointer), 'setRest');
    }

    /** Start poses for `options.start = 'table'` and restarts; null: none. @param {StartTable | null} table */
    setStarts(table) {
        const address = table === null ? 0 : expectA(StartTable, table, 'setStarts: table').pointer;
        check(C.sinew_solver_set_starts(this.pointer, address), 'setStarts: table');
        this.uses(table, this.#starts);
        this.#starts = table;
    }

    /** Bytes that the solver holds. */
    get memory() { return C.sinew_solver_memory(this.pointer); }

    /**
     * What the pose of the last solve is like, goal by goal. Takes some dozens of solves where goals are not met.
     * @param {Pose} pose the answer of the solve
     * @returns {{ met: boolean, reach_margin: number, smallest_singular: number, largest_singular: number,
     *     conditioning: string, text: string, cause: string }[]} fields of `sinew_GoalDiagnosis`; text: one line for
     *     people, cause: of a goal that is not met
     */
    diagnose(pose) {
        const answer = poseOf(this.skeleton, pose);
        if (!this.#hasSolved) { throw new SinewError('invalid_argument', 'nothing was solved yet: solve(pose) first'); }
        if (this.#diagnosis === 0) {
            this.#diagnosis = created(C.sinew_diagnosis_create(
                this.skeleton.pointer, this.goals.capacity, 0, resultAddress(), messageAddress()));
        }
        const diagnosis = this.#diagnosis, text = allocate(512);
        try {
            check(C.sinew_solver_diagnose(this.pointer, this.options.pointer, this.goals.pack(),
                this.goals.count, answer, this.report.pointer, diagnosis, messageAddress()));
            return Array.from({ length: this.goals.count }, (_, i) => {
                const { met, reach_margin, smallest_singular, largest_singular, conditioning }
                    = new GoalDiagnosis(C.sinew_diagnosis_goal(diagnosis, i));
                C.sinew_diagnosis_cause_text(diagnosis, i, 0, text, 512);
                const cause = readText(text);
                C.sinew_diagnosis_text(diagnosis, i, 0, text, 512);
                return { met, reach_margin, smallest_singular, largest_singular, conditioning, text: readText(text), cause };
            });
        } finally {
            release(text);
        }
    }

    /**
     * Why goals of the last solve are not met, a line for each of them:
     * `'RightHand misses by 31 mm: RightElbow at its upper limit (150°)'`.
     * @param {Pose} pose the answer of the solve
     * @returns {string[]}
     */
    why(pose) { return this.diagnose(pose).filter(({ cause }) => cause !== '').map(({ text }) => text); }
}

/** Follows moving targets frame by frame, smoothly. */
export class Tracker extends GoalSolver {
    #state;

    /**
     * @param {Skeleton} skeleton
     * @param {object} [settings] fields of `sinew_TrackerDef`
     * @param {number} [settings.max_goals] Default 8.
     * @param {number} [settings.frame_time] seconds. Default 1/60.
     * @param {number} [settings.max_turn_rate] rad/s. Default 18.
     * @param {number} [settings.jump_share] of the body, by which a goal jumps in a frame. Default 0.25.
     * @param {number} [settings.lost_distance] metres
     * @param {boolean} [settings.always_cold]
     * @param {Record<string, any>} [settings.options] fields of {@link SolveOptions}
     */
    constructor(skeleton, settings = {}) {
        expectA(Skeleton, skeleton, 'new Tracker: skeleton');
        const { pointer, block, goals } = making((keep) => {
            const [at, count] = withRoom(TrackerDef.size, (address) => {
                C.sinew_tracker_def_default(address);
                const def = new TrackerDef(address).assign(settings);
                def.skeleton = skeleton.pointer;
                return [created(C.sinew_tracker_create(address, resultAddress(), messageAddress())), def.max_goals];
            });
            return {
                pointer: keep(at, C.sinew_tracker_destroy), block: keep(allocate(Report.size + TrackerState.size)),
                goals: keep(new Goals(skeleton, count)),
            };
        });
        super(pointer, () => {
            C.sinew_tracker_destroy(pointer);
            release(block);
        }, skeleton, goals, block);
        this.#state = this.lend(new TrackerState(block + Report.size));
    }

    /** Forget the last frame; the next starts cold. */
    reset() { C.sinew_tracker_reset(this.pointer); }

    /** The pose to go on from. @param {Pose} pose */
    setPose(pose) { check(C.sinew_tracker_set_pose(this.pointer, poseOf(this.skeleton, pose), messageAddress())); }

    /** How long it is from the last frame to the next ones: frames of a page are not equally long.
     * @param {number} seconds */
    setFrameTime(seconds) {
        expectNumber(seconds, 'setFrameTime: seconds', POSITIVE);
        check(C.sinew_tracker_set_frame_time(this.pointer, seconds, messageAddress()));
    }

    /** Follow the goals of one frame. @param {Pose} pose gets the answer */
    update(pose) {
        const { goals } = this;
        check(C.sinew_tracker_update(this.pointer, goals.pack(), goals.count, poseOf(this.skeleton, pose),
            this.report.pointer, messageAddress()));
        goals.takeResults(C.sinew_tracker_goal_results(this.pointer));
        return this.report;
    }

    /** What the tracker did in the last update. */
    get state() {
        C.sinew_tracker_state(this.#state.pointer, this.pointer);
        return this.#state;
    }
}
