import { C, Owned, check, created, resultAddress } from './core.js';
import { MemoryArray, f64 } from './memory.js';

/** @typedef {import('./skeleton.js').Skeleton} Skeleton */
/** @typedef {import('./pose.js').Pose} Pose */

/** A motion: poses of one skeleton at equal distances in time. */
export class Clip extends Owned {
    #frames;

    /** @param {Skeleton} skeleton @param {number} pointer @param {() => void} free @param {Owned[]} uses */
    constructor(skeleton, pointer, free, uses) {
        super(pointer, free, uses);
        this.skeleton = skeleton;
        this.frame_count = C.sinew_clip_frame_count(pointer);
        /** Seconds between two frames. */
        this.frame_time = C.sinew_clip_frame_time(pointer);
        /** Seconds from the first frame to the last. */
        this.duration = C.sinew_clip_duration(pointer);
        this.#frames = new MemoryArray(f64, this.frame_count > 0 ? C.sinew_clip_frame_const(pointer, 0) : 0,
            this.frame_count * skeleton.coordinate_count);
    }

    /** A clip with all frames at rest; write to `frames`.
     * @param {Skeleton} skeleton @param {number} frame_count @param {number} frame_time seconds */
    static create(skeleton, frame_count, frame_time) {
        const pointer = created(C.sinew_clip_create(skeleton.pointer, frame_count, frame_time, 0, resultAddress()));
        return new Clip(skeleton, pointer, () => C.sinew_clip_destroy(pointer), [skeleton]);
    }

    /** The coordinates of all frames, row by row, in place. */
    get frames() { return this.#frames.get(); }

    /** The pose at a moment. @param {number} time seconds @param {Pose} pose gets it */
    sample(time, pose) {
        C.sinew_clip_sample(this.pointer, time, pose.pointer);
        return pose;
    }

    /** The same motion at another rate. @param {number} frame_time seconds */
    resample(frame_time) {
        const status = C.sinew_clip_resample(this.pointer, frame_time, 0, resultAddress());
        check(status);
        const pointer = created(status);
        return new Clip(this.skeleton, pointer, () => C.sinew_clip_destroy(pointer), [this.skeleton]);
    }
}
