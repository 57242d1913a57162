import { C, Owned, allocate, check, created, making, messageAddress, release, resultAddress, withRoom } from './core.js';
import { expectA, expectNumber, refuse } from './expect.js';
import { i32 } from './memory.js';
import { poseOf } from './pose.js';
import { Roles, Stance } from './rig.js';
import { Skeleton } from './skeleton.js';
import { enumValue, views } from './struct.js';
import { groundOf } from './terrain.js';
import {
    Goal, LegDef, Sole, Steering, Stick, StickRange, WalkOrnaments, WalkRowsNames, WalkerDef, WalkerLeg,
    WalkerReport,
} from '../dist/structs.js';

/** @typedef {import('./pose.js').Pose} Pose */
/** @typedef {import('./terrain.js').GroundBase} GroundBase */

const RESPONSES = Object.freeze(['calm', 'game']);

/** A character that walks wherever it is steered, on any ground, without a motion clip. */
export class Walker extends Owned {
    /** @type {GroundBase | null} */
    #ground;
    #stick;
    #range;

    /**
     * @param {Skeleton} skeleton
     * @param {object} [settings] fields of `sinew_WalkerDef`, and the ground
     * @param {GroundBase | null} [settings.ground] Default: level ground at height 0.
     * @param {import('../dist/structs.js').WalkStyle} [settings.style]
     * @param {import('../dist/structs.js').WalkRows} [settings.rows]
     * @param {number} [settings.x] @param {number} [settings.z] @param {number} [settings.heading]
     * @param {Roles} [settings.roles] Default: guessed. Roles and stance may come by all of what `motion.prepare()` gives.
     * @param {Stance} [settings.stance] Default: by the rest pose.
     * @param {Skeleton} [settings.skeleton] of what was prepared: the same @param {import('./rig.js').Rig} [settings.rig] not read
     * @param {Partial<Record<keyof WalkOrnaments, number>>} [settings.ornaments]
     * @param {Partial<Record<string, number | boolean>>} [settings.paper] fields of `sinew_PaperWalk`: stride, cadence ...
     * @param {Record<string, any>} [settings.solve] fields of {@link SolveOptions}
     * @param {number} [settings.trailing_weight]
     * @param {'calm' | 'game'} [settings.response] how quickly it answers, style natural; Default: as people who have time
     * @param {Walker} [settings.share] of the same skeleton: takes a tenth of the memory, and nothing is guessed
     */
    constructor(skeleton, settings = {}) {
        const { ground = null, roles, stance, share, response = 'calm', skeleton: prepared = skeleton, rig: _, ...fields } = settings;
        expectA(Skeleton, skeleton, 'new Walker: skeleton');
        if (prepared !== skeleton) { refuse('new Walker: settings.skeleton', prepared, 'that of the walker'); }
        groundOf(ground, 'ground');
        const sizes = [WalkerReport.size, Steering.size, Stick.size, StickRange.size, 8 * WalkerLeg.size];
        const { pointer, block } = making((keep) => ({
            pointer: keep(withRoom(WalkerDef.size, (address) => {
                C.sinew_walker_def_default(address);
                const def = new WalkerDef(address).assign(fields);
                if (enumValue(RESPONSES, response, 'response') === 1) { C.sinew_walk_response_game(def.response.pointer); }
                def.skeleton = skeleton.pointer;
                def.roles = roles === undefined ? 0 : expectA(Roles, roles, 'roles').pointer;
                def.stance = stance === undefined ? 0 : expectA(Stance, stance, 'stance').pointer;
                def.share = share === undefined ? 0 : expectA(Walker, share, 'share').pointer;
                return created(C.sinew_walker_create(address, resultAddress(), messageAddress()));
            }), C.sinew_walker_destroy),
            block: keep(allocate(sizes.reduce((sum, size) => sum + size))),
        }));
        super(pointer, () => {
            C.sinew_walker_destroy(pointer);
            release(block);
        }, ground === null ? [skeleton] : [skeleton, ground]);
        /** @readonly */
        this.skeleton = skeleton;
        this.#ground = ground;
        let at = block;
        /** Where it is, and how it walks; after each update. */
        this.report = this.lend(new WalkerReport(at));
        at += WalkerReport.size;
        /** What is wanted of it: set its fields, then update. */
        this.steering = this.lend(new Steering(at));
        at += Steering.size;
        this.#stick = this.lend(new Stick(at));
        at += Stick.size;
        this.#range = this.lend(new StickRange(at));
        at += StickRange.size;
        C.sinew_stick_range_default(this.#range.pointer);
        C.sinew_walker_report(this.report.pointer, pointer);
        /** Its legs, after each update. @type {readonly WalkerLeg[]} */
        this.legs = this.lend(views(WalkerLeg, at, this.report.leg_count));
        /** Joints of each leg. @type {readonly LegDef[]} */
        this.leg_defs = this.legs.map((_, i) => new LegDef(C.sinew_walker_leg_def(pointer, i)));
        /** The underside of each foot. @type {readonly Sole[]} */
        this.soles = this.legs.map((_, i) => new Sole(C.sinew_walker_sole(pointer, i)));
        /** From hip joint to sole, metres. */
        this.leg_length = C.sinew_walker_leg_length(pointer);
        this.read();
    }

    /** Fill `report` and `legs`, as an update does: for walkers that a crowd has walked on. */
    read() {
        C.sinew_walker_report(this.report.pointer, this.pointer);
        for (let i = 0; i < this.legs.length; ++i) {
            C.sinew_walker_leg(this.legs[i].pointer, this.pointer, i);
        }
        return this.report;
    }

    /** The ground it walks on; null: level at height 0. Seen with the next update. */
    get ground() { return this.#ground; }
    set ground(ground) {
        this.uses(groundOf(ground, 'ground'), this.#ground);
        this.#ground = ground;
    }

    /** What a stick at full deflection means. @returns {StickRange} */
    get stick_range() { return this.#range; }

    /** Steer by a stick, each axis -1..1: x to the right, y forward.
     * @param {number} x @param {number} y @param {boolean} [strafe] x goes sideways instead of turning */
    steer(x, y, strafe = false) {
        const stick = this.#stick;
        stick.x = expectNumber(x, 'steer: x');
        stick.y = expectNumber(y, 'steer: y');
        stick.strafe = strafe;
        C.sinew_steering_from_stick(this.steering.pointer, this.#range.pointer, stick.pointer);
        return this;
    }

    /** Walk on by dt seconds, 0..1, as `steering` says. @param {number} dt @param {Pose} pose gets the pose */
    update(dt, pose) {
        check(C.sinew_walker_update(this.pointer, this.steering.pointer, dt,
            this.#ground === null ? 0 : this.#ground.ground, poseOf(this.skeleton, pose), messageAddress()));
        return this.read();
    }

    /** Stand at another place. @param {number} x @param {number} z @param {number} heading radians */
    reset(x = 0, z = 0, heading = 0) {
        for (const [name, value] of Object.entries({ x, z, heading })) { expectNumber(value, `reset: ${name}`, -1e9, 1e9); }
        check(C.sinew_walker_reset(this.pointer, x, z, heading), 'reset');
        this.read();
    }

    /** What the legs are asked for. @param {import('../dist/structs.js').WalkRows} rows */
    setRows(rows) {
        check(C.sinew_walker_set_rows(this.pointer, enumValue(WalkRowsNames, rows, 'rows')), `setRows '${rows}'`);
    }

    /** How much of each ornament is shown, 1 as people do; those not named stay 1.
     * @param {Partial<Record<string, number>>} amounts */
    setOrnaments(amounts) {
        withRoom(WalkOrnaments.size, (address) => {
            C.sinew_walk_ornaments_default(address);
            for (const [name, value] of Object.entries(amounts)) { expectNumber(value, `setOrnaments: ${name}`, 0, 100); }
            new WalkOrnaments(address).assign(amounts);
            check(C.sinew_walker_set_ornaments(this.pointer, address), 'setOrnaments');
        });
    }

    /** Goals of the last frame, as the solver got them; valid until the next. @returns {readonly Goal[]} */
    goals() {
        const address = C.sinew_walker_goals(this.pointer, resultAddress());
        return views(Goal, address, i32()[resultAddress() >> 2]);
    }
}

