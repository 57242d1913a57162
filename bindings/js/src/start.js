import { C, Owned, created, messageAddress, resultAddress } from './core.js';
import { expectA } from './expect.js';
import { Goals } from './goals.js';
import { poseOf } from './pose.js';

/** @typedef {import('./solver.js').GoalSolver} GoalSolver */
/** @typedef {import('./pose.js').Pose} Pose */

/** Start poses for goals of one structure, each chosen for goals near where it puts the effectors. A table never
 * changes: adding gives another one. */
export class StartTable extends Owned {
    /** @param {number} pointer @param {import('./skeleton.js').Skeleton} skeleton */
    constructor(pointer, skeleton) {
        super(pointer, () => C.sinew_start_table_destroy(pointer), [skeleton]);
        this.skeleton = skeleton;
    }

    /** A table with one more start: a pose that a person found. Give the old one back when it is no longer used.
     * @param {StartTable | null} table null: the first start
     * @param {GoalSolver} solver whose goals the table is for
     * @param {Pose} pose */
    static add(table, solver, pose) {
        const { goals, skeleton } = solver ?? {};
        expectA(Goals, goals, 'StartTable.add: solver.goals');
        if (table !== null) { expectA(StartTable, table, 'StartTable.add: table'); }
        return new StartTable(created(C.sinew_start_table_add(skeleton.pointer, table?.pointer ?? 0, goals.pack(),
            goals.count, poseOf(skeleton, pose), 0, resultAddress(), messageAddress())), skeleton);
    }
}
