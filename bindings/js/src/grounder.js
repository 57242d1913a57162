import { C, Owned, allocate, check, created, making, messageAddress, release, resultAddress, withRoom } from './core.js';
import { Clip } from './clip.js';
import { expectA } from './expect.js';
import { poseOf } from './pose.js';
import { setBody } from './retargeter.js';
import { groundOf } from './terrain.js';
import { GrounderDef, GrounderReport } from '../dist/structs.js';

/** @typedef {import('./pose.js').Pose} Pose */
/** @typedef {import('./terrain.js').GroundBase} GroundBase */

/** Feet of an animation, which knows a level floor only, on any ground: pose in, pose out, some frames later. */
export class Grounder extends Owned {
    /**
     * @param {import('./retargeter.js').Body} body as `motion.prepare()` gives it
     * @param {object} [settings] fields of `sinew_GrounderDef`, and the ground
     * @param {GroundBase | null} [settings.ground] Default: level ground at height 0.
     * @param {number} [settings.floor] height of the floor of the animation, metres
     * @param {number} [settings.frame_time] seconds between poses; Default: 1/60
     * @param {number} [settings.look_ahead] how long a pose may come after its sample, seconds; Default: 0.1
     * @param {number} [settings.fade_time] @param {number} [settings.reach] @param {number} [settings.max_slope]
     * @param {number} [settings.max_shift]
     */
    constructor(body, { ground = null, ...fields } = {}) {
        groundOf(ground, 'ground');
        const { pointer, report } = making((keep) => ({
            pointer: keep(withRoom(GrounderDef.size, (address) => {
                C.sinew_grounder_def_default(address);
                const def = new GrounderDef(address).assign(fields);
                setBody(def.body, body, 'new Grounder: body');
                if (ground !== null) { C.js_ground_copy(def.ground.pointer, ground.ground); }
                return created(C.sinew_grounder_create(address, resultAddress(), messageAddress()));
            }), C.sinew_grounder_destroy),
            report: keep(allocate(GrounderReport.size)),
        }));
        super(pointer, () => {
            C.sinew_grounder_destroy(pointer);
            release(report);
        }, [body.skeleton, body.roles, body.stance, ...(ground === null ? [] : [ground])]);
        this.skeleton = body.skeleton;
        /** What became of the last frame; `frame` is -1 until the first pose comes out. */
        this.report = this.lend(new GrounderReport(report));
        /** Frames between a pose and its grounded one. */
        this.latency = C.sinew_grounder_latency(pointer);
    }

    /** The next pose of the animation; the pose that is due comes out.
     * @param {Pose | null} pose null: the animation has ended, give what is left
     * @param {Pose} out the same, or another */
    update(pose, out) {
        check(C.sinew_grounder_update(this.pointer, pose === null ? 0 : poseOf(this.skeleton, pose),
            poseOf(this.skeleton, out, 'out'), this.report.pointer, messageAddress()));
        return this.report;
    }

    /** Fade in or out from the next pose on. @param {boolean} on */
    enable(on) { C.sinew_grounder_enable(this.pointer, on ? 1 : 0); }

    /** The next pose comes from somewhere else. */
    reset() { C.sinew_grounder_reset(this.pointer); }

    /** A whole clip of the body. @param {Clip} clip @returns {Clip} */
    clip(clip) {
        return Clip.own(this.skeleton, created(C.sinew_grounder_clip(
            this.pointer, expectA(Clip, clip, 'clip').pointer, resultAddress(), 0, messageAddress())));
    }
}
