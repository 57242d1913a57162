import { C, Owned, allocate, check, created, making, messageAddress, release, resultAddress, withRoom } from './core.js';
import { Clip } from './clip.js';
import { expectA, refuse } from './expect.js';
import { i32 } from './memory.js';
import { poseOf } from './pose.js';
import { Roles, Stance } from './rig.js';
import { Skeleton } from './skeleton.js';
import { RetargetPair, RetargetReport, RetargeterDef } from '../dist/structs.js';

/** @typedef {import('./skeleton.js').JointName} JointName */
/** @typedef {import('./pose.js').Pose} Pose */

/** A body as it was found: what `motion.prepare()` gives, or a skeleton with its roles and stance.
 * @typedef {{ skeleton: Skeleton, roles: Roles, stance: Stance }} Body */

/** @param {import('../dist/structs.js').RetargetBody} body @param {Body} from @param {string} name of the argument */
export function setBody(body, from, name) {
    if (typeof from !== 'object' || from === null) { refuse(name, from, 'what motion.prepare() gives'); }
    body.skeleton = expectA(Skeleton, from.skeleton, `${name}.skeleton`).pointer;
    body.roles = expectA(Roles, from.roles, `${name}.roles`).pointer;
    body.stance = expectA(Stance, from.stance, `${name}.stance`).pointer;
}

/** A motion of one body on another: other names, rest poses, proportions. */
export class Retargeter extends Owned {
    #report;

    /**
     * @param {Body} source @param {Body} target
     * @param {object} [settings] fields of `sinew_RetargeterDef`
     * @param {Record<string, JointName | null>} [settings.pairs] joints of the target, and those of the
     *     source that they turn as; null: with their parents
     * @param {boolean} [settings.hold_feet] @param {boolean} [settings.hold_hands]
     * @param {boolean} [settings.keep_limits] @param {number} [settings.reach]
     * @param {number} [settings.frame_time] live: seconds between samples
     * @param {number} [settings.look_ahead] live: how long a pose may come after its sample, seconds
     */
    constructor(source, target, { pairs = {}, ...fields } = {}) {
        const names = Object.keys(pairs);
        const { pointer, report } = making((keep) => ({
            pointer: keep(withRoom(RetargeterDef.size, (address) => withRoom(names.length * RetargetPair.size, (list) => {
                C.sinew_retargeter_def_default(address);
                const def = new RetargeterDef(address).assign(fields);
                setBody(def.source, source, 'new Retargeter: source');
                setBody(def.target, target, 'new Retargeter: target');
                names.forEach((name, i) => {
                    const pair = new RetargetPair(list + i * RetargetPair.size), from = pairs[name];
                    pair.target = target.skeleton.index(name);
                    pair.source = from === null ? -1 : source.skeleton.index(from);
                });
                if (names.length > 0) { def.pairs = list; }
                def.pair_count = names.length;
                return created(C.sinew_retargeter_create(address, resultAddress(), messageAddress()));
            })), C.sinew_retargeter_destroy),
            report: keep(allocate(RetargetReport.size)),
        }));
        super(pointer, () => {
            C.sinew_retargeter_destroy(pointer);
            release(report);
        }, [source.skeleton, source.roles, source.stance, target.skeleton, target.roles, target.stance]);
        this.source = source;
        this.target = target;
        this.#report = this.lend(new RetargetReport(report));
        /** Length of the target's legs by the source's. */
        this.scale = C.sinew_retargeter_scale(pointer);
    }

    /** What became of the last clip. */
    get report() { return this.#report; }

    /** Carry a clip over. @param {Clip} clip of the source's skeleton @returns {Clip} of the target's */
    clip(clip) {
        return Clip.own(this.target.skeleton, created(C.sinew_retargeter_clip(
            this.pointer, expectA(Clip, clip, 'clip').pointer, resultAddress(), this.#report.pointer, messageAddress())));
    }

    /** Begin with a new stream. @param {number} [floor] height of the source's floor, metres; Default: found. */
    reset(floor = NaN) { check(C.sinew_retargeter_reset(this.pointer, floor, messageAddress())); }

    /** One sample in, one pose out: that of the sample `look_ahead` ago.
     * @param {Pose} source @param {Pose} target gets the pose
     * @returns {number} which sample it is of */
    push(source, target) {
        const sample = resultAddress();
        check(C.sinew_retargeter_push(this.pointer, poseOf(this.source.skeleton, source, 'source'),
            poseOf(this.target.skeleton, target, 'target'), sample, messageAddress()));
        return i32()[sample >> 2];
    }
}
