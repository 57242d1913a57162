import { C, Owned, created, resultAddress } from './core.js';
import { POSITIVE, expectA, expectNumber, expectWhole } from './expect.js';
import { MemoryArray, f64 } from './memory.js';
import { poseOf } from './pose.js';
import { Skeleton } from './skeleton.js';

/** @typedef {import('./pose.js').Pose} Pose */

/** A motion: poses of one skeleton at equal distances in time. */
export class Clip extends Owned {
    #frames;

    /** @param {Skeleton} skeleton @param {number} pointer @param {() => void} free
     * @param {readonly Owned[]} [uses] */
    constructor(skeleton, pointer, free, uses) {
        super(pointer, free, uses);
        this.skeleton = skeleton;
        this.frame_count = C.sinew_clip_frame_count(pointer);
        /** Seconds between two frames. */
        this.frame_time = C.sinew_clip_frame_time(pointer);
        /** Seconds from the first frame to the last. */
        this.duration = C.sinew_clip_duration(pointer);
        this.#frames = this.lend(new MemoryArray(f64, this.frame_count > 0 ? C.sinew_clip_frame_const(pointer, 0) : 0,
            this.frame_count * skeleton.coordinate_count));
    }

    /** A clip with all frames at rest; write to `frames`.
     * @param {Skeleton} skeleton @param {number} frame_count @param {number} frame_time seconds */
    static create(skeleton, frame_count, frame_time) {
        expectA(Skeleton, skeleton, 'Clip.create: skeleton');
        expectWhole(frame_count, 'Clip.create: frame_count');
        expectNumber(frame_time, 'Clip.create: frame_time', POSITIVE);
        return Clip.own(skeleton, created(C.sinew_clip_create(skeleton.pointer, frame_count, frame_time, 0, resultAddress()),
            `Clip.create: ${frame_count} frames of ${frame_time} s`));
    }

    /** A clip that C made and that is given back by itself. @param {Skeleton} skeleton @param {number} pointer */
    static own(skeleton, pointer) {
        return new Clip(skeleton, pointer, () => C.sinew_clip_destroy(pointer), [skeleton]);
    }

    /** The coordinates of all frames, row by row, in place. */
    get frames() { return this.#frames.get(); }

    /** The pose at a moment. @param {number} time seconds @param {Pose} pose gets it */
    sample(time, pose) {
        C.sinew_clip_sample(this.pointer, expectNumber(time, 'sample: time'), poseOf(this.skeleton, pose));
        return pose;
    }

    /** The same motion at another rate. @param {number} frame_time seconds */
    resample(frame_time) {
        expectNumber(frame_time, 'resample: frame_time', POSITIVE);
        return Clip.own(this.skeleton, created(C.sinew_clip_resample(this.pointer, frame_time, 0, resultAddress()),
            `resample: ${this.duration} s by ${frame_time} s`));
    }
}
