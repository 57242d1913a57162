import { C, Owned, created, messageAddress, resultAddress, withText } from './core.js';
import { expectNumber, expectText, expectWhole } from './expect.js';
import { readText } from './memory.js';
import { poseOf } from './pose.js';
import { Skeleton } from './skeleton.js';
import { Effector, SceneInfo } from '../dist/structs.js';
import { views } from './struct.js';

/** @typedef {import('./pose.js').Pose} Pose */

/** A named body with effectors and a motion of its own: `'MAN18'`, `'HAND'`, `'SPIDER'`, `'CHAIN30'`. */
export class Scene extends Owned {
    /** @param {string} name */
    constructor(name) {
        const pointer = withText(expectText(name, 'new Scene: name'), (text) =>
            created(C.js_scene_create(text, resultAddress(), messageAddress())));
        super(pointer, () => C.js_scene_destroy(pointer));
        const info = new SceneInfo(C.js_scene_info(pointer));
        this.name = info.name;
        this.title = info.title;
        /** Belongs to the scene. */
        this.skeleton = this.part(new Skeleton(info.skeleton, () => {}));
        /** Places on the body that goals are for. @type {readonly Effector[]} */
        this.effectors = this.lend(views(Effector, info.effectors, info.effector_count));
        /** Length of one round of its motion, seconds. */
        this.period = info.period;
    }

    /** Names and titles of all scenes. @returns {{ name: string, title: string }[]} */
    static list() {
        return Array.from({ length: C.js_scene_count() }, (_, i) => ({
            name: readText(C.js_scene_name(i)), title: readText(C.js_scene_title(i)),
        }));
    }

    /** The scene's own motion at a moment. @param {number} time seconds, >= 0 @param {Pose} pose */
    poseAt(time, pose) {
        C.js_scene_pose_at(this.pointer, expectNumber(time, 'poseAt: time', 0), poseOf(this.skeleton, pose));
        return pose;
    }

    /** A random pose inside the limits: number `index` of a seed.
     * @param {number} seed @param {number} index @param {Pose} pose */
    randomPose(seed, index, pose) {
        expectWhole(seed, 'randomPose: seed', 0, 4294967295);
        expectWhole(index, 'randomPose: index', 0, 4294967295);
        C.js_scene_random_pose(this.pointer, seed, index, poseOf(this.skeleton, pose));
        return pose;
    }
}

