import { C, Owned, allocate, created, messageAddress, release, resultAddress } from './core.js';
import { expectList } from './expect.js';
import { f64 } from './memory.js';
import { BallLimitDef, Quat, ReachSide, ReachWindow, Vec3 } from '../dist/structs.js';

/** @typedef {import('./skeleton.js').Place} Place */
/** @typedef {import('./skeleton.js').Turn} Turn */

/** One opening: corners, or a cone about `axis` (radians).
 * @typedef {{ rays: readonly Place[] } | { axis: Place, half_angle: number }} WindowLike */

/** Where a ball may stand: reach windows for the bone, a range for the twist. */
export class BallLimit extends Owned {
    /** @param {number} pointer made by C, from now on this object's */
    constructor(pointer) { super(pointer, () => C.sinew_ball_limit_destroy(pointer)); }

    /** Compile a limit.
     * @param {object} [def] fields of `sinew_BallLimitDef`
     * @param {readonly WindowLike[]} [def.windows] none: anywhere
     * @param {Turn} [def.neutral] @param {Turn} [def.bone]
     * @param {boolean} [def.star] @param {Place} [def.star_center]
     * @param {number} [def.twist_lower] @param {number} [def.twist_upper] radians
     * @param {import('../dist/structs.js').LimitResponse} [def.response] */
    static create({ windows = [], ...fields } = {}) {
        expectList(windows, 'BallLimit.create: windows');
        const taken = /** @type {number[]} */ ([]);
        const take = (/** @type {number} */ size) => {
            taken.push(allocate(size));
            return taken[taken.length - 1];
        };
        try {
            const address = take(BallLimitDef.size);
            C.sinew_ball_limit_def_default(address);
            const def = new BallLimitDef(address).assign(fields);
            def.window_count = windows.length;
            def.windows = take(windows.length * ReachWindow.size);
            windows.forEach((from, i) => {
                const window = new ReachWindow(def.windows + i * ReachWindow.size);
                const rays = 'rays' in from ? expectList(from.rays, `windows[${i}].rays`) : [from.axis];
                window.rays = take(rays.length * Vec3.size);
                window.ray_count = rays.length;
                if ('half_angle' in from) { window.cone_half_angle = from.half_angle; }
                rays.forEach((ray, k) => new Vec3(window.rays + k * Vec3.size).assign(ray, `windows[${i}]: a direction`));
            });
            return new BallLimit(created(
                C.sinew_ball_limit_create(address, 0, resultAddress(), messageAddress())));
        } finally {
            taken.forEach(release);
        }
    }

    /** What it was made from; read only. */
    get def() { return new BallLimitDef(C.sinew_ball_limit_def(this.pointer)); }

    /** The windows, as they were given. @returns {WindowLike[]} */
    get windows() {
        const { def } = this;
        return Array.from({ length: def.window_count }, (_, i) => {
            const window = new ReachWindow(def.windows + i * ReachWindow.size);
            const rays = Array.from({ length: window.ray_count }, (__, k) => {
                const ray = new Vec3(window.rays + k * Vec3.size);
                return /** @type {[number, number, number]} */ ([ray.x, ray.y, ray.z]);
            });
            return rays.length === 1 ? { axis: rays[0], half_angle: window.cone_half_angle } : { rays };
        });
    }

    /** Whether a ball may stand so. @param {Turn} rotation unit */
    allows(rotation) { return withTurn(rotation, (q) => C.sinew_ball_limit_allows(this.pointer, q) !== 0); }

    /** How far it is outside, radians. @param {Turn} rotation unit */
    violation(rotation) { return withTurn(rotation, (q) => C.sinew_ball_limit_violation(this.pointer, q)); }

    /** The nearest rotation that is allowed. @param {Turn} rotation unit
     * @returns {[number, number, number, number]} */
    clamp(rotation) {
        return withTurn(rotation, (q) => {
            C.sinew_ball_limit_clamp(q + 32, this.pointer, q);
            const { x, y, z, w } = new Quat(q + 32);
            return [x, y, z, w];
        });
    }

    /** Direction of the bone in the neutral frame, and twist. @param {Turn} rotation unit */
    measure(rotation) {
        return withTurn(rotation, (q) => {
            C.sinew_ball_limit_measure(this.pointer, q, q + 32, q + 56);
            const { x, y, z } = new Vec3(q + 32);
            return { direction: [x, y, z], twist: f64()[(q + 56) >> 3] };
        });
    }

    /** The outline of all windows together, for drawing: pieces of circles on the unit sphere of the
     * neutral frame. */
    get outline() {
        const address = allocate(ReachSide.size), side = new ReachSide(address);
        const pieces = Array.from({ length: C.sinew_ball_limit_side_count(this.pointer) }, (_, i) => {
            C.sinew_ball_limit_side(address, this.pointer, i);
            return side.toJSON();
        });
        release(address);
        return pieces;
    }
}

/** @template T @param {Turn} rotation @param {(address: number) => T} call @returns {T} */
function withTurn(rotation, call) {
    const address = allocate(64);
    try {
        new Quat(address).assign(rotation, 'rotation');
        return call(address);
    } finally {
        release(address);
    }
}
