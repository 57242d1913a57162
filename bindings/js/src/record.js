import { SinewError } from './error.js';
import { expectText } from './expect.js';

/** @typedef {import('./walker.js').Walker} Walker */
/** @typedef {import('./pose.js').Pose} Pose */

/** What a walker was asked for, frame by frame, as a text that fits into a link: whoever plays it with the same
 * body and ground gets the same bits.
 *
 *     const record = new Record();
 *     record.update(walker, 1 / 60, pose);               // in place of walker.update
 *     location.hash = String(record);
 *     new Record(text).play(sameWalkerAnew, pose);
 */
export class Record {
    /** Frames in a row that were asked for the same: [frames, dt, forward, left, turn].
     * @type {[number, number, number, number, number][]} */
    #runs = [];

    /** @param {string} [text] of a record; Default: an empty one */
    constructor(text = '') {
        expectText(text, 'new Record: text');
        for (const run of text === '' ? [] : text.split('_')) {
            const numbers = run.split('~').map(Number);
            if (numbers.length !== 5 || !numbers.every(Number.isFinite) || !Number.isInteger(numbers[0]) || numbers[0] < 1) {
                throw new SinewError('bad_file', `record: found '${run.slice(0, 40)}', expected frames~dt~forward~left~turn`);
            }
            this.#runs.push(/** @type {[number, number, number, number, number]} */ (numbers));
        }
    }

    /** Frames that it holds. */
    get frame_count() { return this.#runs.reduce((sum, [frames]) => sum + frames, 0); }

    /** Walk on as `walker.steering` says, and note it. @param {Walker} walker @param {number} dt @param {Pose} pose */
    update(walker, dt, pose) {
        const { forward, left, turn } = walker.steering, last = this.#runs.at(-1);
        const report = walker.update(dt, pose);
        if (last && last[1] === dt && last[2] === forward && last[3] === left && last[4] === turn) {
            ++last[0];
        } else {
            this.#runs.push([1, dt, forward, left, turn]);
        }
        return report;
    }

    /** Do all of it with a walker that stands as the first one stood.
     * @param {Walker} walker @param {Pose} pose
     * @param {(frame: number) => void} [seen] after each frame */
    play(walker, pose, seen) {
        let frame = 0;
        for (const [frames, dt, forward, left, turn] of this.#runs) {
            walker.steering.assign({ forward, left, turn });
            for (let i = 0; i < frames; ++i) {
                walker.update(dt, pose);
                seen?.(frame++);
            }
        }
        return walker.report;
    }

    /** Numbers in the shortest form that reads back exactly; no letter of it needs escaping in a link. */
    toString() { return this.#runs.map((run) => run.join('~')).join('_').replaceAll('e+', 'e'); }
}
