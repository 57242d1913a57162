#include "solve/parts.h"

#include "base/compiler.h"
#include "math/holds.h"
#include "solve/tops.h"

#include <string.h>

// Arrays of a part and what each may lose to alignment and whole lanes, bytes. Room is made for that
// of so many parts; more fit where the body is large, and goals whose parts do not are solved together.
#define PART_ARRAYS 160
#define ARRAY_LOSS 128
#define ROOM_PARTS 16
// iterations that each part still to come is left, where there are as many: a patient descent
#define LEFT_TO_OTHERS 400

// ---------------------------------------------------------------------------------------------
// Memory

void snw_parts_take(snw_Parts *parts, snw_Solve *whole, const sinew_Skeleton *skeleton,
    int max_goals, snw_Arena *arena)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton), goals = (size_t)max_goals;
    whole->results = snw_arena_take(arena, goals, sizeof(sinew_GoalResult));
    parts->above = snw_arena_take(arena, joints, sizeof *parts->above);
    parts->number = snw_arena_take(arena, joints, sizeof *parts->number);
    parts->part_of = snw_arena_take(arena, goals, sizeof *parts->part_of);
    parts->first = snw_arena_take(arena, goals, sizeof *parts->first);
    parts->next = snw_arena_take(arena, goals, sizeof *parts->next);
    parts->movable = snw_arena_take(arena, joints, sizeof *parts->movable);
    parts->measured = snw_arena_take(arena, 1, sizeof *parts->measured);
    parts->memory = snw_arena_take(arena, 0, 1);
    size_t before = arena->used;
    snw_run_take(whole, snw_sizes_of(skeleton, max_goals), true, arena);
    // parts are never more than the whole, but for the joints above that nothing moves
    size_t most = goals < ROOM_PARTS ? goals : ROOM_PARTS;
    most = joints < most ? joints : most;
    size_t room = most < 2 ? 0 : most * (sizeof(snw_Part) + PART_ARRAYS * ARRAY_LOSS);
    (void)snw_arena_take(arena, room, 1);
    parts->memory_size = arena->used - before;
}

// what the goals of a part may need at most
static snw_Sizes sizes_of(
    snw_Parts *parts, const sinew_Skeleton *skeleton, const sinew_Goal *goals, int p)
{
    SNW_ASSERT(p >= 0 && p < parts->count);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    // number holds the last part that counted a joint
    int *counted = parts->number;
    snw_Sizes sizes = { 0, 0, 0, 0 };
    for (int g = parts->first[p]; g >= 0; g = parts->next[g]) {
        ++sizes.goals;
        const int ways[2] = { goals[g].joint, goals[g].reference };
        for (int w = 0; w < 2; ++w) {
            for (int j = ways[w]; j >= 0 && counted[j] != p; j = joints[j].parent) {
                counted[j] = p;
                for (int a = 0; a < joints[j].axis_count; ++a) {
                    bool ball = axes[joints[j].axis_start + a].kind == SINEW_AXIS_BALL;
                    ++sizes.links;
                    sizes.values += ball ? 4 : 1;
                    sizes.dofs += !parts->movable[j] ? 0 : ball ? 3 : 1;
                }
            }
        }
    }
    return sizes;
}

static void take_part(snw_Part *part, snw_Sizes sizes, snw_Arena *arena)
{
    part->places = snw_arena_take(arena, (size_t)sizes.goals, sizeof *part->places);
    part->goals = snw_arena_take(arena, (size_t)sizes.goals, sizeof *part->goals);
    part->solve.results = snw_arena_take(arena, (size_t)sizes.goals, sizeof(sinew_GoalResult));
    snw_run_take(&part->solve, sizes, false, arena);
}

// Cut memory into parts, or measure how much they take where there is none; returns that.
static SNW_NEVER_INLINE size_t place_parts(
    snw_Parts *parts, const sinew_Skeleton *skeleton, const sinew_Goal *goals, char *memory)
{
    snw_Arena arena = { memory, 0 };
    parts->parts = snw_arena_take(&arena, (size_t)parts->count, sizeof(snw_Part));
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) { parts->number[j] = -1; }
    for (int p = 0; p < parts->count; ++p) {
        // a part is too large for a stack
        snw_Part *part = memory != NULL ? &parts->parts[p] : parts->measured;
        memset(part, 0, sizeof *part);
        take_part(part, sizes_of(parts, skeleton, goals, p), &arena);
    }
    return arena.used;
}

// ---------------------------------------------------------------------------------------------
// Finding

static bool has_free_axis(const sinew_Skeleton *skeleton, const double *mobility, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        if (mobility[a] > 0.0 && axes[a].lower < axes[a].upper) { return true; }
    }
    return false;
}

// All movable joints on a way to the root are of one part, which the highest of them stands for: by joint, the
// highest that is movable from it up, itself where there is none.
static void find_ways(snw_Parts *parts, const sinew_Skeleton *skeleton, const double *mobility,
    const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int *tops = parts->number; // which is not in use yet
    snw_tops_find(skeleton, goals, goal_count, tops);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        parts->movable[j] = snw_top_moves(tops, j) && has_free_axis(skeleton, mobility, j);
        int above = joints[j].parent >= 0 ? parts->above[joints[j].parent] : j;
        parts->above[j] = parts->movable[above] ? above : j;
    }
}

// the joint that stands for those of a part; ways are halved as they are walked
static int find(int *above, int joint)
{
    while (above[joint] != joint) {
        above[joint] = above[above[joint]];
        joint = above[joint];
    }
    return joint;
}

// what stands for the movable joints on the way from one of them to the root, -1: there are none
static int find_way(const snw_Parts *parts, int from)
{
    int one = from >= 0 ? find(parts->above, from) : -1;
    return one >= 0 && parts->movable[one] ? one : -1;
}

// what stands for the movable joints that goal and reference hang on, which belong together; -1: there are none
static int join_ways(const snw_Parts *parts, const sinew_Goal *goal)
{
    int one = find_way(parts, goal->joint), other = find_way(parts, goal->reference);
    if (one >= 0 && other >= 0) { parts->above[one] = other; }
    return other >= 0 ? other : one;
}

// the goals of each part
static void list_goals(snw_Parts *parts, int goal_count)
{
    SNW_ASSERT(parts->count <= goal_count);
    for (int p = 0; p < parts->count; ++p) { parts->first[p] = -1; }
    for (int g = goal_count - 1; g >= 0; --g) {
        parts->next[g] = parts->first[parts->part_of[g]];
        parts->first[parts->part_of[g]] = g;
    }
}

void snw_parts_find(snw_Parts *parts, const sinew_Skeleton *skeleton, const double *mobility,
    const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    parts->count = 1;
    parts->planned = false;
    if (goal_count < 2) { return; }
    for (int g = 0; g < goal_count; ++g) {
        // goals without an effector are about the whole body
        if (goals[g].kind > SINEW_GOAL_POLE) { return; }
    }
    find_ways(parts, skeleton, mobility, goals, goal_count);
    for (int g = 0; g < goal_count; ++g) { parts->part_of[g] = join_ways(parts, &goals[g]); }
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) { parts->number[j] = -1; }
    int count = 0;
    for (int g = 0; g < goal_count; ++g) {
        int one = parts->part_of[g];
        if (one >= 0) { one = find(parts->above, one); }
        // a goal that nothing moves is a part of its own
        if (one < 0 || parts->number[one] < 0) {
            if (one >= 0) { parts->number[one] = count; }
            parts->part_of[g] = count++;
        } else {
            parts->part_of[g] = parts->number[one];
        }
    }
    parts->count = count;
    if (count < 2) { return; }
    list_goals(parts, goal_count);
    size_t size = place_parts(parts, skeleton, goals, NULL);
    if (size > parts->memory_size) { parts->count = 1; }
}

// ---------------------------------------------------------------------------------------------
// Solving

void snw_parts_leave(snw_Parts *parts)
{
    snw_arena_unguard(parts->memory, parts->memory_size);
    parts->planned = false;
}

static void copy_goals(snw_Part *part, const sinew_Goal *goals)
{
    for (int g = 0; g < part->goal_count; ++g) { part->goals[g] = goals[part->places[g]]; }
}

void snw_parts_plan(snw_Parts *parts, const snw_Solve *whole, const snw_PlanScratch *scratch,
    const double *mobility, const double *rest, const sinew_Goal *goals, int goal_count,
    bool rows_half)
{
    SNW_ASSERT(goal_count >= 0);
    (void)place_parts(parts, whole->skeleton, goals, parts->memory);
    for (int g = 0; g < goal_count; ++g) {
        snw_Part *part = &parts->parts[parts->part_of[g]];
        part->places[part->goal_count++] = g;
    }
    for (int p = 0; p < parts->count; ++p) {
        snw_Part *part = &parts->parts[p];
        part->solve.skeleton = whole->skeleton;
        part->solve.clock = whole->clock;
        part->solve.clock_user = whole->clock_user;
        copy_goals(part, goals);
        snw_run_plan(
            &part->solve, scratch, mobility, rest, part->goals, part->goal_count, rows_half);
    }
    parts->planned = true;
}

// the outcome of two parts together: what kept one of them from its goals
static sinew_Outcome worse(sinew_Outcome a, sinew_Outcome b)
{
    return a > b ? a : b;
}

static void add_report(sinew_Report *sum, const sinew_Report *one)
{
    sum->outcome = worse(sum->outcome, one->outcome);
    sum->iterations += one->iterations;
    sum->branch_change = sum->branch_change || one->branch_change;
    sum->found_by = one->found_by > sum->found_by ? one->found_by : sum->found_by;
    sum->restarts = one->restarts > sum->restarts ? one->restarts : sum->restarts;
    sum->halvings += one->halvings;
    sum->rejections += one->rejections;
    sum->singular_steps += one->singular_steps;
    sum->position_error = fmax(sum->position_error, one->position_error);
    sum->orientation_error = fmax(sum->orientation_error, one->orientation_error);
    sum->eased_distance = fmax(sum->eased_distance, one->eased_distance);
    sum->objective += one->objective;
    sum->start_objective += one->start_objective;
    sum->forward_count += one->forward_count;
    sum->jacobian_count += one->jacobian_count;
}

// What a part may spend of all: what is left, less what those to come should have; of the time its even
// share and what those before did not use.
static void share_ceilings(snw_Solve *solve, const sinew_SolveOptions *all, int spent, int p, int n)
{
    int left = all->max_iterations - spent, even = left / (n - p);
    int others = even < LEFT_TO_OTHERS ? even : LEFT_TO_OTHERS;
    solve->options.max_iterations = left - others * (n - p - 1);
    solve->options.time_budget = all->time_budget * (p + 1) / n;
}

sinew_Status snw_parts_run(snw_Parts *parts, snw_Solve *whole, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    int n = parts->count;
    for (int p = 0; p < n; ++p) {
        snw_Part *part = &parts->parts[p];
        copy_goals(part, goals);
        part->solve.start_time = whole->start_time;
        part->solve.restart.table = whole->restart.table;
        const snw_Run run = { options, part->goals, part->goal_count, goals, goal_count,
            part->places, q };
        sinew_Status status = snw_run_begin(&part->solve, &run, message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    sinew_Report *report = &whole->report;
    memset(report, 0, sizeof *report);
    report->form = parts->parts[0].solve.report.form;
    bool over = false;
    for (int p = 0; p < n; ++p) {
        snw_Part *part = &parts->parts[p];
        share_ceilings(&part->solve, options, report->iterations, p, n);
        part->solve.out_of_time = over;
        snw_run(&part->solve);
        // once the clock has said that all the time is over it is not asked again
        over = over
            || (options->time_budget > 0.0
                && part->solve.time_told - whole->start_time >= options->time_budget);
        snw_run_store(&part->solve, q);
        add_report(report, &part->solve.report);
        for (int g = 0; g < part->goal_count; ++g) {
            whole->results[part->places[g]] = part->solve.results[g];
        }
    }
    return SINEW_STATUS_OK;
}
