#include "solve/diagnosis.h"

#include "base/message.h"
#include "math/holds.h"
#include "solve/method_table.h"

#include <string.h>

// attempts from other starts that look for a way out of a valley, and for the bounds of reach
#define VALLEY_RESTARTS 8
#define REACH_RESTARTS 4
#define LOCK_RESTARTS 4
// from this gain on, a cause is taken for the whole explanation
#define WHOLE_GAIN 0.9
// causes below this leave a goal unexplained, and combinations are tried
#define HALF_GAIN 0.5
// trials end early: a gain is told to a few hundredths; how far a goal is beyond reach to the end
#define TRIAL_ITERATIONS 100
#define TRIAL_STALL 1e-4
#define EXACT_ITERATIONS 400
#define EXACT_STALL 1e-7

// ---------------------------------------------------------------------------------------------
// Memory

static void take_arrays(sinew_Diagnosis *diagnosis, snw_Arena *arena)
{
    size_t goals = (size_t)diagnosis->max_goals;
    size_t axes = (size_t)sinew_skeleton_axis_count(diagnosis->skeleton);
    size_t values = (size_t)sinew_skeleton_coordinate_count(diagnosis->skeleton);
    (void)snw_arena_take(arena, 1, sizeof *diagnosis);
    diagnosis->goals = snw_arena_take(arena, goals, sizeof *diagnosis->goals);
    diagnosis->within = snw_arena_take(arena, goals, sizeof(bool));
    diagnosis->goal_joints = snw_arena_take(arena, goals, sizeof(int));
    diagnosis->goal_kinds = snw_arena_take(arena, goals, sizeof *diagnosis->goal_kinds);
    diagnosis->limits = snw_arena_take(arena, 2 * axes, sizeof *diagnosis->limits);
    diagnosis->suspects = snw_arena_take(arena, 2 * axes, sizeof *diagnosis->suspects);
    diagnosis->trial_goals = snw_arena_take(arena, goals, sizeof *diagnosis->trial_goals);
    diagnosis->start_size = snw_arena_take(arena, goals, sizeof(double));
    diagnosis->base_size = snw_arena_take(arena, goals, sizeof(double));
    diagnosis->eased = snw_arena_take(arena, goals, sizeof(double));
    diagnosis->base = snw_arena_take(arena, values, sizeof(double));
    diagnosis->trial = snw_arena_take(arena, values, sizeof(double));
    diagnosis->own_mobility = snw_arena_take(arena, axes, sizeof(double));
    diagnosis->mobility = snw_arena_take(arena, axes, sizeof(double));
    diagnosis->own_limits = snw_arena_take(arena, axes, sizeof *diagnosis->own_limits);
    diagnosis->balls = snw_arena_take(arena, SNW_MAX_SUSPECTS, sizeof *diagnosis->balls);
    diagnosis->svd = snw_arena_take(
        arena, snw_condition_scratch(diagnosis->skeleton), sizeof(double));
}

sinew_Status sinew_diagnosis_create(const sinew_Skeleton *skeleton, int max_goals,
    const sinew_Allocator *allocator, sinew_Diagnosis **out_diagnosis, sinew_Message *out_message)
{
    if (out_diagnosis == NULL) { return snw_refuse(out_message, "out_diagnosis is NULL"); }
    *out_diagnosis = NULL;
    if (skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    if (max_goals < 1 || max_goals > SINEW_MAX_JOINTS) {
        return snw_refuse(out_message, "max_goals is %d, want 1..%d", max_goals, SINEW_MAX_JOINTS);
    }
    sinew_Diagnosis draft;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(allocator);
    draft.skeleton = skeleton;
    draft.max_goals = max_goals;
    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, &arena);
    if (!snw_arena_open(&arena, &draft.allocator, &draft.memory_size)) {
        return snw_no_memory(out_message, "a diagnosis of %z bytes", draft.memory_size);
    }
    take_arrays(&draft, &arena);
    sinew_Diagnosis *diagnosis = (sinew_Diagnosis *)(void *)arena.base;
    *diagnosis = draft;
    *out_diagnosis = diagnosis;
    return SINEW_STATUS_OK;
}

void sinew_diagnosis_destroy(sinew_Diagnosis *diagnosis)
{
    if (diagnosis == NULL) { return; }
    snw_free(&diagnosis->allocator, diagnosis, diagnosis->memory_size);
}

const sinew_GoalDiagnosis *sinew_diagnosis_goal(const sinew_Diagnosis *diagnosis, int goal)
{
    if (diagnosis == NULL || goal < 0 || goal >= diagnosis->goal_count) { return NULL; }
    return &diagnosis->goals[goal];
}

int sinew_diagnosis_goal_count(const sinew_Diagnosis *diagnosis)
{
    if (diagnosis == NULL) { return 0; }
    return diagnosis->goal_count;
}

int sinew_diagnosis_unmet_count(const sinew_Diagnosis *diagnosis)
{
    if (diagnosis == NULL) { return 0; }
    return diagnosis->unmet_count;
}

int sinew_diagnosis_limit_count(const sinew_Diagnosis *diagnosis)
{
    if (diagnosis == NULL) { return 0; }
    return diagnosis->limit_count;
}

const sinew_HeldLimit *sinew_diagnosis_limits(const sinew_Diagnosis *diagnosis)
{
    if (diagnosis == NULL) { return NULL; }
    return diagnosis->limits;
}

// ---------------------------------------------------------------------------------------------
// Trials

static void copy_numbers(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

static sinew_SolveOptions trial_options(const sinew_SolveOptions *given)
{
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    o.rows = given->rows;
    o.position_tolerance = given->position_tolerance;
    o.orientation_tolerance = given->orientation_tolerance;
    o.orientation_length = given->orientation_length;
    o.rest_weight = given->rest_weight;
    o.max_iterations = TRIAL_ITERATIONS;
    o.stall_share = TRIAL_STALL;
    // other starts than those that the solve itself has tried
    o.seed = given->seed + 0x9e3779b97f4a7c15ULL;
    o.limits = given->limits == SINEW_LIMITS_NONE ? SINEW_LIMITS_NONE : SINEW_LIMITS_ACTIVE;
    return o;
}

/// The error of a goal as one length, metres, orientations times the orientation length; parts within
/// their tolerance count nothing.
static double case_size(const snw_Case *it, const sinew_GoalResult *result)
{
    double p = result->position_error, r = result->orientation_error;
    p = p > it->options.position_tolerance ? p : 0.0;
    r = r > it->options.orientation_tolerance ? r * it->orientation_length : 0.0;
    return sqrt(p * p + r * r);
}

/// Solve goals from the base pose with what is released now; the pose is diagnosis->trial then.
static sinew_Report try_case(
    const snw_Case *it, const sinew_Goal *goals, int goal_count, int restarts)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Diagnosis *d = it->diagnosis;
    sinew_SolveOptions options = it->options;
    sinew_Report report;
    memset(&report, 0, sizeof report);
    options.restarts = restarts;
    copy_numbers(d->trial, d->base, sinew_skeleton_coordinate_count(d->skeleton));
    // goals and options have passed the checks of the first solve
    (void)sinew_solver_solve(it->solver, &options, goals, goal_count, d->trial, &report, NULL);
    return report;
}

// share of a goal's error in the pose given that the last trial has taken away
static double gain_of(const snw_Case *it, int goal, int trial_goal)
{
    const sinew_Diagnosis *d = it->diagnosis;
    double after = case_size(it, &sinew_solver_goal_results(it->solver)[trial_goal]);
    // going on may have cost this goal something for another one's sake
    double gain = (d->base_size[goal] - after) / fmax(d->start_size[goal], d->base_size[goal]);
    return gain > 0.0 ? gain : 0.0;
}

static sinew_Blocker blocker_of(sinew_BlockerKind kind)
{
    sinew_Blocker blocker = { kind, -1, -1, -1, 0, 0.0, 0.0, false, 0.0, false };
    return blocker;
}

/// Tell a cause of a goal: kept in order of gain, the earlier one first among equals.
static void add_blocker(sinew_GoalDiagnosis *goal, sinew_Blocker blocker)
{
    if (!(blocker.gain >= SINEW_SMALLEST_GAIN)) { return; }
    int place = goal->blocker_count;
    // equal up to what tolerances leave
    while (place > 0 && goal->blockers[place - 1].gain < blocker.gain - 0.01) { --place; }
    if (place == SINEW_MAX_BLOCKERS) { return; }
    if (goal->blocker_count < SINEW_MAX_BLOCKERS) { ++goal->blocker_count; }
    for (int i = goal->blocker_count - 1; i > place; --i) {
        goal->blockers[i] = goal->blockers[i - 1];
    }
    goal->blockers[place] = blocker;
}

static double best_gain(const sinew_GoalDiagnosis *goal)
{
    return goal->blocker_count > 0 ? goal->blockers[0].gain : 0.0;
}

// whether more causes of a goal are looked for
static bool is_open(const snw_Case *it, int goal)
{
    const sinew_GoalDiagnosis *g = &it->diagnosis->goals[goal];
    if (g->met || !(it->diagnosis->base_size[goal] > 0.0)) { return false; }
    bool explained = g->blocker_count > 0 && g->blockers[0].kind == SINEW_BLOCKER_VALLEY
        && g->blockers[0].gain >= WHOLE_GAIN;
    return !explained;
}

// the last trial had all goals: tell a cause where it has helped
static void tell_all(const snw_Case *it, sinew_Blocker blocker)
{
    for (int g = 0; g < it->goal_count; ++g) {
        if (!is_open(it, g)) { continue; }
        blocker.gain = gain_of(it, g, g);
        // a goal that is met without a limit or another goal is within reach
        bool met = !(case_size(it, &sinew_solver_goal_results(it->solver)[g]) > 0.0);
        if (met && blocker.kind != SINEW_BLOCKER_LOCKED) { it->diagnosis->within[g] = true; }
        add_blocker(&it->diagnosis->goals[g], blocker);
    }
}

// ---------------------------------------------------------------------------------------------
// Suspects

// on from the pose given until nothing moves any more: that is what limits are tested at. What this
// alone takes away was the way of solving.
static sinew_Report find_base(const snw_Case *it, const sinew_Report *given)
{
    sinew_Diagnosis *d = it->diagnosis;
    int count = sinew_skeleton_coordinate_count(d->skeleton);
    sinew_Report report = try_case(it, it->goals, it->goal_count, 0);
    copy_numbers(d->base, d->trial, count);
    sinew_BlockerKind kind = SINEW_BLOCKER_UNFINISHED;
    if (isfinite(it->given->max_joint_change)) {
        kind = SINEW_BLOCKER_SPEED;
    } else if (given != NULL && given->outcome == SINEW_OUTCOME_OUT_OF_TIME) {
        kind = SINEW_BLOCKER_TIME;
    } else if (given != NULL && given->outcome == SINEW_OUTCOME_OUT_OF_ITERATIONS) {
        kind = SINEW_BLOCKER_ITERATIONS;
    }
    for (int g = 0; g < it->goal_count; ++g) {
        bool eased = d->eased[g] > 0.0;
        sinew_Blocker blocker = blocker_of(eased ? SINEW_BLOCKER_SOFT_REACH : kind);
        blocker.amount = d->eased[g];
        const sinew_GoalResult *result = &sinew_solver_goal_results(it->solver)[g];
        d->base_size[g] = case_size(it, result);
        if (d->goals[g].met) { continue; }
        blocker.gain = fmax(0.0, 1.0 - d->base_size[g] / d->start_size[g]);
        add_blocker(&d->goals[g], blocker);
    }
    return report;
}

// The whole search of the default method, which misses least of what can be met; where it does not meet
// the goals either, some descents from other starts.
static sinew_Report search_everywhere(const snw_Case *it)
{
    snw_Case whole = *it;
    whole.options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    whole.options.rows = it->options.rows;
    whole.options.limits = it->options.limits;
    whole.options.position_tolerance = it->options.position_tolerance;
    whole.options.orientation_tolerance = it->options.orientation_tolerance;
    whole.options.orientation_length = it->orientation_length;
    whole.options.rest_weight = it->options.rest_weight;
    whole.options.seed = it->options.seed;
    // from the pose given it would keep to the branch of that
    whole.options.start = SINEW_START_REST;
    sinew_Report report = try_case(&whole, it->goals, it->goal_count, whole.options.restarts);
    if (report.outcome == SINEW_OUTCOME_CONVERGED) { return report; }
    return try_case(it, it->goals, it->goal_count, VALLEY_RESTARTS);
}

static void try_other_starts(const snw_Case *it, const sinew_Report *base)
{
    sinew_Report report = search_everywhere(it);
    // a pose that only prefers other goals is no way out
    if (!(report.objective < base->objective * (1.0 - 1e-6))) { return; }
    tell_all(it, blocker_of(SINEW_BLOCKER_VALLEY));
}

static sinew_Blocker limit_blocker(const sinew_HeldLimit *limit)
{
    sinew_Blocker blocker = blocker_of(limit->kind);
    blocker.joint = limit->joint;
    blocker.axis = limit->axis;
    blocker.bound = limit->bound;
    return blocker;
}

static void try_limits(const snw_Case *it, int suspect_count)
{
    SNW_ASSERT(suspect_count >= 0);
    sinew_Diagnosis *d = it->diagnosis;
    for (int i = 0; i < suspect_count; ++i) {
        snw_release_limit(it->solver, &d->suspects[i], &d->balls[0]);
        (void)try_case(it, it->goals, it->goal_count, 0);
        tell_all(it, limit_blocker(&d->suspects[i]));
        snw_restore_limits(it->solver, d->own_limits);
    }
}

// whether a joint is on the way from a goal to the first joint that may move for it
static bool is_on_chain(const snw_Case *it, int joint)
{
    SNW_ASSERT(joint >= 0);
    for (int g = 0; g < it->goal_count; ++g) {
        const sinew_Goal *goal = &it->goals[g];
        // without an effector all joints from the chain's root on are
        bool above = goal->joint < 0
            || sinew_skeleton_is_ancestor(it->diagnosis->skeleton, joint, goal->joint);
        bool below = goal->chain_root < 0
            || sinew_skeleton_is_ancestor(it->diagnosis->skeleton, goal->chain_root, joint);
        if (is_open(it, g) && above && below) { return true; }
    }
    return false;
}

// whether an axis of a joint may move
static bool is_free(const sinew_Diagnosis *d, int axis)
{
    const sinew_Axis *a = &sinew_skeleton_axes(d->skeleton)[axis];
    return d->own_mobility[axis] > 0.0 && (a->kind == SINEW_AXIS_BALL || a->lower < a->upper);
}

// whether nothing above a joint moves: what is locked here is what the body stands on
static bool is_base(const sinew_Diagnosis *d, int joint)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(d->skeleton);
    for (int j = joint; j >= 0; j = joints[j].parent) {
        for (int a = 0; a < joints[j].axis_count; ++a) {
            if (is_free(d, joints[j].axis_start + a)) { return false; }
        }
    }
    return true;
}

// Free one locked axis after the other. The base comes after reach, so that of a body that is held in
// place its reach is told first.
static void try_locks(const snw_Case *it, bool base)
{
    sinew_Diagnosis *d = it->diagnosis;
    const sinew_Axis *axes = sinew_skeleton_axes(d->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(d->skeleton);
    int axis_count = sinew_skeleton_axis_count(d->skeleton), tried = 0;
    copy_numbers(d->mobility, d->own_mobility, axis_count);
    // from the tips: what is near the effector is missed most
    for (int a = axis_count - 1; a >= 0 && tried < SNW_MAX_SUSPECTS; --a) {
        bool range = axes[a].kind == SINEW_AXIS_BALL || axes[a].lower < axes[a].upper;
        bool chosen = range && is_base(d, places[a].joint) == base;
        if (d->own_mobility[a] > 0.0 || !chosen || !is_on_chain(it, places[a].joint)) { continue; }
        ++tried;
        d->mobility[a] = 1.0;
        (void)sinew_solver_set_mobility(it->solver, d->mobility);
        // a joint that was locked straight has no way out by itself
        (void)try_case(it, it->goals, it->goal_count, LOCK_RESTARTS);
        d->mobility[a] = 0.0;
        sinew_Blocker blocker = blocker_of(SINEW_BLOCKER_LOCKED);
        blocker.joint = places[a].joint;
        blocker.axis = a;
        tell_all(it, blocker);
    }
    if (tried > 0) { (void)sinew_solver_set_mobility(it->solver, d->own_mobility); }
}

static bool has_weight(const sinew_Goal *goal)
{
    switch (goal->kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_CENTER_OF_MASS:
    case SINEW_GOAL_SUPPORT: return goal->position_weight > 0.0;
    case SINEW_GOAL_POSE: return goal->position_weight > 0.0 || goal->orientation_weight > 0.0;
    default: return goal->orientation_weight > 0.0;
    }
}

// whether a goal does not give way to another, whatever their weights
static bool is_above(const sinew_Goal *other, const sinew_Goal *goal)
{
    return other->priority < goal->priority
        || (other->priority == goal->priority && other->constraint && !goal->constraint);
}

// leave out one other goal after the other
static void try_goals(const snw_Case *it)
{
    sinew_Diagnosis *d = it->diagnosis;
    if (it->goal_count < 2) { return; }
    int tried = 0;
    for (int h = 0; h < it->goal_count && tried < SNW_MAX_SUSPECTS; ++h) {
        if (!has_weight(&it->goals[h])) { continue; }
        int kept = 0;
        for (int g = 0; g < it->goal_count; ++g) {
            if (g != h) { d->trial_goals[kept++] = it->goals[g]; }
        }
        ++tried;
        (void)try_case(it, d->trial_goals, kept, 0);
        sinew_Blocker blocker = blocker_of(SINEW_BLOCKER_GOAL);
        blocker.goal = h;
        for (int g = 0; g < it->goal_count; ++g) {
            if (g == h || !is_open(it, g)) { continue; }
            int place = g < h ? g : g - 1;
            blocker.gain = gain_of(it, g, place);
            blocker.kind = is_above(&it->goals[h], &it->goals[g]) ? SINEW_BLOCKER_PRIORITY
                                                                  : SINEW_BLOCKER_GOAL;
            blocker.priority = it->goals[h].priority;
            if (!(case_size(it, &sinew_solver_goal_results(it->solver)[place]) > 0.0)) {
                d->within[g] = true;
            }
            add_blocker(&d->goals[g], blocker);
        }
    }
}

// a goal of place and orientation: does one of them alone fail for the other?
static void try_own_parts(const snw_Case *it, int g)
{
    sinew_Diagnosis *d = it->diagnosis;
    if (it->goals[g].kind != SINEW_GOAL_POSE || it->options.rows == SINEW_ROWS_HALF) { return; }
    memcpy(d->trial_goals, it->goals, (size_t)it->goal_count * sizeof *d->trial_goals);
    bool misses_place = d->goals[g].position_error > it->options.position_tolerance;
    bool misses_turn = d->goals[g].orientation_error > it->options.orientation_tolerance;
    double gain = 1.0;
    for (int part = 0; part < 2; ++part) {
        bool place = part == 0;
        if (place ? !misses_place : !misses_turn) { continue; }
        d->trial_goals[g] = it->goals[g];
        if (place) {
            d->trial_goals[g].orientation_weight = 0.0;
        } else {
            d->trial_goals[g].position_weight = 0.0;
        }
        (void)try_case(it, d->trial_goals, it->goal_count, 0);
        const sinew_GoalResult *result = &sinew_solver_goal_results(it->solver)[g];
        double before = place ? d->goals[g].position_error : d->goals[g].orientation_error;
        double after = place ? result->position_error : result->orientation_error;
        double tolerance = place ? it->options.position_tolerance
                                 : it->options.orientation_tolerance;
        gain = fmin(gain, after <= tolerance ? 1.0 : 1.0 - after / before);
    }
    sinew_Blocker blocker = blocker_of(SINEW_BLOCKER_OWN_PART);
    blocker.gain = fmax(gain, 0.0) * fmin(1.0, d->base_size[g] / d->start_size[g]);
    add_blocker(&d->goals[g], blocker);
}

// errors of one goal alone in the last trial, and whether it is nearer to the pivot than the chain folds
static sinew_GoalResult try_alone(const snw_Case *it, const sinew_Goal *goal, bool *out_near)
{
    snw_Case exact = *it;
    exact.options.max_iterations = EXACT_ITERATIONS;
    exact.options.stall_share = EXACT_STALL;
    (void)try_case(&exact, goal, 1, REACH_RESTARTS);
    const snw_Solve *inside = snw_solver_inside(it->solver);
    *out_near = false;
    if (inside->plan.effectors[0].position) {
        snw_Reach reach = snw_reach(&inside->plan, inside->current, 0, false);
        *out_near = reach.known
            && sinew_vec3_distance(goal->position, reach.pivot) < reach.shortest;
    }
    return sinew_solver_goal_results(it->solver)[0];
}

// what keeps a goal that is alone, with all limits released
typedef enum Alone { ALONE_MET, ALONE_BEYOND, ALONE_EXCLUDED } Alone;

// What stays of a goal that is alone, with all limits released: beyond reach. Of a goal of place and
// turn one of the two must be so by itself; else they exclude each other.
static Alone find_alone(const snw_Case *it, int g, sinew_GoalResult *out_result, bool *out_near)
{
    sinew_Goal goal = it->goals[g];
    snw_release_all_limits(it->solver);
    *out_result = try_alone(it, &goal, out_near);
    Alone alone = case_size(it, out_result) > 0.0 ? ALONE_BEYOND : ALONE_MET;
    if (alone == ALONE_BEYOND && goal.kind == SINEW_GOAL_POSE
        && it->options.rows != SINEW_ROWS_HALF) {
        goal.orientation_weight = 0.0;
        *out_result = try_alone(it, &goal, out_near);
        if (!(out_result->position_error > it->options.position_tolerance)) {
            goal = it->goals[g];
            goal.position_weight = 0.0;
            *out_result = try_alone(it, &goal, out_near);
            out_result->position_error = 0.0;
            bool met = !(out_result->orientation_error > it->options.orientation_tolerance);
            alone = met ? ALONE_EXCLUDED : ALONE_BEYOND;
        }
    }
    snw_restore_limits(it->solver, it->diagnosis->own_limits);
    return alone;
}

static void try_reach(const snw_Case *it, int g)
{
    sinew_Diagnosis *d = it->diagnosis;
    sinew_GoalResult result;
    bool near;
    if (find_alone(it, g, &result, &near) != ALONE_BEYOND) { return; }

    bool place = result.position_error > it->options.position_tolerance;
    sinew_Blocker blocker = blocker_of(place && near ? SINEW_BLOCKER_NEAR : SINEW_BLOCKER_REACH);
    blocker.amount_is_angle = !place;
    blocker.amount = place ? result.position_error : result.orientation_error;
    double error = place ? d->goals[g].position_error : d->goals[g].orientation_error;
    blocker.gain = error > 0.0 ? fmin(1.0, blocker.amount / error) : 0.0;
    add_blocker(&d->goals[g], blocker);
}

// Descents of all goals together may show no gain where place and turn exclude each other, as other
// goals pull at what they share; a goal that nothing else explains is looked at alone.
static void try_exclusion(const snw_Case *it, int g)
{
    sinew_GoalResult result;
    bool near;
    if (it->diagnosis->goals[g].blocker_count > 0
        || find_alone(it, g, &result, &near) != ALONE_EXCLUDED) {
        return;
    }
    sinew_Blocker blocker = blocker_of(SINEW_BLOCKER_OWN_PART);
    blocker.gain = 1.0;
    add_blocker(&it->diagnosis->goals[g], blocker);
}

// ---------------------------------------------------------------------------------------------
// Combinations

// gain of one goal when the suspects marked in kept hold and the others are released
static double gain_without(const snw_Case *it, int g, int suspect_count, unsigned kept)
{
    SNW_ASSERT(suspect_count >= 0);
    sinew_Diagnosis *d = it->diagnosis;
    for (int i = 0; i < suspect_count; ++i) {
        if ((kept >> i & 1U) == 0) { snw_release_limit(it->solver, &d->suspects[i], &d->balls[i]); }
    }
    (void)try_case(it, it->goals, it->goal_count, 0);
    snw_restore_limits(it->solver, d->own_limits);
    return gain_of(it, g, g);
}

// Limits that matter only when several of them give way: release all, then let hold again each that
// is not needed, the least pressed first.
static void try_limits_together(const snw_Case *it, int g, int suspect_count)
{
    SNW_ASSERT(suspect_count >= 0);
    sinew_Diagnosis *d = it->diagnosis;
    if (suspect_count < 2) { return; }
    double all = gain_without(it, g, suspect_count, 0);
    if (all < best_gain(&d->goals[g]) + 0.2) { return; }
    unsigned kept = 0;
    int needed = suspect_count;
    for (int i = suspect_count - 1; i >= 0; --i) {
        double gain = gain_without(it, g, suspect_count, kept | 1U << i);
        if (gain < WHOLE_GAIN * all) { continue; }
        kept |= 1U << i;
        --needed;
    }
    if (needed == 0 || needed > SINEW_MAX_BLOCKERS) { return; }
    for (int i = 0; i < suspect_count; ++i) {
        if (kept >> i & 1U) { continue; }
        sinew_Blocker blocker = limit_blocker(&d->suspects[i]);
        blocker.gain = all;
        blocker.together = needed > 1;
        add_blocker(&d->goals[g], blocker);
    }
}

// the last resorts: all other goals, and all limits, also those that are not pressed yet
static void try_everything(const snw_Case *it, int g)
{
    sinew_Diagnosis *d = it->diagnosis;
    sinew_Blocker blocker;
    if (it->goal_count > 1) {
        (void)try_case(it, &it->goals[g], 1, 0);
        blocker = blocker_of(SINEW_BLOCKER_GOALS);
        blocker.gain = gain_of(it, g, 0);
        if (blocker.gain >= HALF_GAIN) { add_blocker(&d->goals[g], blocker); }
    }
    if (best_gain(&d->goals[g]) >= HALF_GAIN) { return; }
    snw_release_all_limits(it->solver);
    (void)try_case(it, it->goals, it->goal_count, 0);
    snw_restore_limits(it->solver, d->own_limits);
    blocker = blocker_of(SINEW_BLOCKER_LIMITS);
    blocker.gain = gain_of(it, g, g);
    if (blocker.gain >= HALF_GAIN) { add_blocker(&d->goals[g], blocker); }
}

// ---------------------------------------------------------------------------------------------

static void find_blockers(snw_Case *it, const sinew_Report *given)
{
    sinew_Diagnosis *d = it->diagnosis;
    sinew_Report base = find_base(it, given);
    if (base.outcome == SINEW_OUTCOME_CONVERGED) { return; }
    int suspect_count = snw_find_held(it->solver, d->suspects);
    if (suspect_count > SNW_MAX_SUSPECTS) { suspect_count = SNW_MAX_SUSPECTS; }

    try_other_starts(it, &base);
    try_limits(it, suspect_count);
    try_locks(it, false);
    try_goals(it);
    if (it->options.rest_weight > 0.0) {
        double weight = it->options.rest_weight;
        it->options.rest_weight = 0.0;
        (void)try_case(it, it->goals, it->goal_count, 0);
        it->options.rest_weight = weight;
        tell_all(it, blocker_of(SINEW_BLOCKER_REST));
    }
    for (int g = 0; g < it->goal_count; ++g) {
        // what a joint that is locked on the way takes from the reach is told already
        bool locked = d->goals[g].blocker_count > 0
            && d->goals[g].blockers[0].kind == SINEW_BLOCKER_LOCKED
            && d->goals[g].blockers[0].gain >= WHOLE_GAIN;
        if (is_open(it, g) && !locked && !d->within[g]) { try_reach(it, g); }
    }
    try_locks(it, true);
    for (int g = 0; g < it->goal_count; ++g) {
        if (!is_open(it, g)) { continue; }
        try_own_parts(it, g);
        if (best_gain(&d->goals[g]) < HALF_GAIN) { try_limits_together(it, g, suspect_count); }
        if (best_gain(&d->goals[g]) < HALF_GAIN) { try_everything(it, g); }
        try_exclusion(it, g);
    }
}

// errors, limits and condition of the pose given; also makes the solver's results those of it
static sinew_Status look_at(
    const snw_Case *it, const sinew_SolveOptions *options, const double *q, sinew_Message *message)
{
    sinew_Diagnosis *d = it->diagnosis;
    copy_numbers(d->trial, q, sinew_skeleton_coordinate_count(d->skeleton));
    return sinew_solver_solve(
        it->solver, options, it->goals, it->goal_count, d->trial, NULL, message);
}

static void fill_goals(snw_Case *it)
{
    sinew_Diagnosis *d = it->diagnosis;
    const sinew_GoalResult *results = sinew_solver_goal_results(it->solver);
    const snw_Solve *inside = snw_solver_inside(it->solver);
    // that of the method that solved: by another one going on would only trade turns for places
    it->orientation_length = it->given->orientation_length > 0.0
        ? it->given->orientation_length
        : inside->plan.reach / snw_method(it->given->method)->orientation_divisor;
    it->options.orientation_length = it->orientation_length;
    d->goal_count = it->goal_count;
    d->position_tolerance = it->options.position_tolerance;
    d->orientation_tolerance = it->options.orientation_tolerance;
    d->unmet_count = 0;
    for (int g = 0; g < it->goal_count; ++g) {
        sinew_GoalDiagnosis *goal = &d->goals[g];
        memset(goal, 0, sizeof *goal);
        d->within[g] = false;
        d->goal_joints[g] = it->goals[g].joint;
        d->goal_kinds[g] = it->goals[g].kind;
        goal->position_error = results[g].position_error;
        goal->orientation_error = results[g].orientation_error;
        d->start_size[g] = case_size(it, &results[g]);
        // a goal of weight 0 is no goal
        goal->met = !(d->start_size[g] > 0.0) || !has_weight(&it->goals[g]);
        d->unmet_count += goal->met ? 0 : 1;
    }
}

sinew_Status sinew_solver_diagnose(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, const double *q, const sinew_Report *report,
    sinew_Diagnosis *diagnosis, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(
        out_message, "solver options goals q diagnosis", solver, options, goals, q, diagnosis);
    if (status != SINEW_STATUS_OK) { return status; }
    if (diagnosis->skeleton != snw_solver_skeleton(solver)) {
        return snw_refuse(out_message, "the diagnosis was made for another skeleton");
    }
    if (snw_method(options->method) == NULL) {
        return snw_refuse(out_message, "options.method is %d, which is none", (int)options->method);
    }
    if (goal_count < 1) {
        return snw_refuse(out_message, "goal_count is %d, want 1 or more", goal_count);
    }
    if (goal_count > diagnosis->max_goals) {
        return snw_fail(out_message, SINEW_STATUS_CAPACITY,
            "goal_count is %d, and max_goals was %d", goal_count, diagnosis->max_goals);
    }
    snw_Case it = { solver, goals, goal_count, options, trial_options(options), 0.0, diagnosis };
    sinew_SolveOptions plain = it.options, still = it.options;
    plain.max_iterations = 0;
    still.max_iterations = 0;
    still.soft_reach = options->soft_reach;
    status = look_at(&it, &still, q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int g = 0; g < goal_count; ++g) {
        diagnosis->eased[g] = sinew_solver_goal_results(solver)[g].eased_distance;
    }
    if (still.soft_reach > 0.0) { (void)look_at(&it, &plain, q, NULL); }
    fill_goals(&it);
    diagnosis->limit_count = snw_find_held(solver, diagnosis->limits);
    snw_case_condition(&it);
    if (diagnosis->unmet_count == 0) {
        return still.soft_reach > 0.0 ? look_at(&it, &still, q, out_message) : SINEW_STATUS_OK;
    }

    // trials leave no trace, and everything is as it was afterwards
    snw_Solve *inside = snw_solver_inside(solver);
    int axis_count = sinew_skeleton_axis_count(diagnosis->skeleton);
    int trace_capacity = inside->trace_capacity;
    inside->trace_capacity = 0;
    copy_numbers(diagnosis->own_mobility, snw_solver_mobility(solver), axis_count);
    memcpy(diagnosis->own_limits, snw_solver_open_limits(solver),
        (size_t)axis_count * sizeof *diagnosis->own_limits);
    copy_numbers(diagnosis->base, q, sinew_skeleton_coordinate_count(diagnosis->skeleton));
    find_blockers(&it, report);
    inside->trace_capacity = trace_capacity;
    return look_at(&it, &still, q, out_message);
}
