// One case of the soak: a body, two solvers on it, and a few solves that are checked from all sides.

#include "soak.h"

#include "scenes/reckoning.h"
#include "sinew/diagnosis.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// what a limit may be left by, radians or metres
#define LIMIT_SLACK 1e-9
enum { SOLVES = 6, REAL_TRIES = 8 };

/// A clock that counts its calls, so that what a solver does after its budget can be counted.
typedef enum ClockKind {
    CLOCK_COUNTS, ///< each call takes a millisecond
    CLOCK_JUMPS,  ///< nothing, and at one call an hour
    CLOCK_REAL,   ///< processor time of this thread
} ClockKind;

typedef struct Clock {
    ClockKind kind;
    int calls, jump_at;
    double budget, start;
    int late_calls; ///< that told of the budget's end
} Clock;

typedef struct Case {
    const soak_Settings *settings;
    soak_Counts *counts;
    uint64_t seed;
    bool failed;
    int solve; ///< which of the case
    scene_Random random;
    sinew_Skeleton *skeleton;
    double scale;
    int joints, axes, numbers;
    // the second one gives the same answers; it skips some solves
    sinew_Solver *solvers[2];
    Clock clocks[2];
    sinew_StartTable *table;
    sinew_BallLimit *limits[4];
    int limit_count;
    bool ranges_set; ///< temporary limits, which a pose may be outside of
    double mobility[SOAK_MAX_NUMBERS];
    sinew_SolveOptions options;
    sinew_Goal goals[SOAK_MAX_GOALS];
    soak_Support supports[SINEW_MAX_SUPPORT_GOALS];
    int goal_count;
    double q[SOAK_MAX_NUMBERS], before[SOAK_MAX_NUMBERS];
    sinew_Report report;
} Case;

__attribute__((format(printf, 2, 3))) static void fail(Case *c, const char *format, ...)
{
    if (c->failed) { return; } // what follows a failure is no news
    c->failed = true;
    ++c->counts->failures;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED seed %llu, solve %d (%s, %d joints, %d goals, size %.3g m): ",
        (unsigned long long)c->seed, c->solve, sinew_method_name(c->options.method), c->joints,
        c->goal_count, c->scale);
    vprintf(format, arguments);
    printf("\n  %s --seed %llu --count 1\n", c->settings->program, (unsigned long long)c->seed);
    fflush(stdout);
    va_end(arguments);
}

// ---------------------------------------------------------------------------------------------
// Clocks

static double thread_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double read_clock(void *user)
{
    Clock *clock = user;
    ++clock->calls;
    double now = 0.0;
    switch (clock->kind) {
    case CLOCK_COUNTS: now = 1e-3 * clock->calls; break;
    case CLOCK_JUMPS: now = clock->calls >= clock->jump_at ? 3600.0 : 0.0; break;
    case CLOCK_REAL: now = thread_time(); break;
    }
    if (clock->calls == 1) { clock->start = now; }
    if (clock->budget > 0.0 && now - clock->start >= clock->budget) { ++clock->late_calls; }
    return now;
}

static void set_clock(Clock *clock, ClockKind kind, double budget, int jump_at)
{
    *clock = (Clock){ .kind = kind, .budget = budget, .jump_at = jump_at };
}

// ---------------------------------------------------------------------------------------------
// The case

static bool open_case(Case *c)
{
    c->skeleton = soak_make_body(&c->random, NULL, &c->scale);
    if (c->skeleton == NULL) { return false; }
    c->joints = sinew_skeleton_joint_count(c->skeleton);
    c->axes = sinew_skeleton_axis_count(c->skeleton);
    c->numbers = sinew_skeleton_coordinate_count(c->skeleton);
    for (int s = 0; s < 2; ++s) {
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = c->skeleton;
        def.max_goals = SOAK_MAX_GOALS;
        def.clock = read_clock;
        def.clock_user = &c->clocks[s];
        sinew_Message message = { "" };
        if (sinew_solver_create(&def, &c->solvers[s], &message) != SINEW_STATUS_OK) {
            fail(c, "no solver: %s", message.text);
            return false;
        }
    }
    return true;
}

static void close_case(Case *c)
{
    for (int s = 0; s < 2; ++s) { sinew_solver_destroy(c->solvers[s]); }
    sinew_start_table_destroy(c->table);
    for (int l = 0; l < c->limit_count; ++l) { sinew_ball_limit_destroy(c->limits[l]); }
    sinew_skeleton_destroy(c->skeleton);
}

// other mobilities, rest poses, temporary limits and start tables, the same for both solvers
static void change_solvers(Case *c)
{
    scene_Random *random = &c->random;
    if (soak_chance(random, 0.2)) {
        bool own = soak_chance(random, 0.3);
        for (int a = 0; a < c->axes; ++a) {
            c->mobility[a] = soak_chance(random, 0.2) ? 0.0 : soak_magnitude(random, -6.0, 6.0);
        }
        for (int s = 0; s < 2; ++s) {
            (void)sinew_solver_set_mobility(c->solvers[s], own ? NULL : c->mobility);
        }
    }
    if (soak_chance(random, 0.2)) {
        double rest[SOAK_MAX_NUMBERS];
        soak_make_pose(random, c->skeleton, c->scale, soak_chance(random, 0.7), rest);
        for (int s = 0; s < 2; ++s) { (void)sinew_solver_set_rest(c->solvers[s], rest); }
    }
    if (c->axes > 0 && soak_chance(random, 0.2)) {
        int axis = scene_random_index(random, c->axes);
        double a = scene_random_range(random, -1.0, 1.0), b = scene_random_range(random, -1.0, 1.0);
        for (int s = 0; s < 2; ++s) {
            // refused for a ball and for ranges apart; that is fine
            (void)sinew_solver_set_range(c->solvers[s], axis, fmin(a, b), fmax(a, b));
        }
        c->ranges_set = true;
    } else if (soak_chance(random, 0.1)) {
        c->ranges_set = false;
        for (int s = 0; s < 2; ++s) { sinew_solver_reset_limits(c->solvers[s]); }
    }
}

static void change_starts(Case *c)
{
    double start[SOAK_MAX_NUMBERS];
    soak_make_pose(&c->random, c->skeleton, c->scale, soak_chance(&c->random, 0.8), start);
    sinew_StartTable *table = NULL;
    (void)sinew_start_table_add(
        c->skeleton, c->table, c->goals, c->goal_count, start, NULL, &table, NULL);
    if (table == NULL) { return; } // of other goals than the table that there is
    for (int s = 0; s < 2; ++s) { (void)sinew_solver_set_starts(c->solvers[s], table); }
    sinew_start_table_destroy(c->table);
    c->table = table;
}

// ---------------------------------------------------------------------------------------------
// Checks

static void check_answer(Case *c, bool started_inside)
{
    for (int k = 0; k < c->numbers; ++k) {
        if (!isfinite(c->q[k])) {
            fail(c, "coordinate %d is %g", k, c->q[k]);
            return;
        }
    }
    sinew_Message message = { "" };
    if (sinew_pose_check(c->skeleton, c->q, &message) != SINEW_STATUS_OK) {
        fail(c, "%s", message.text);
    }
    if (c->options.limits == SINEW_LIMITS_NONE) { return; }
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(c->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(c->skeleton);
    for (int a = 0; a < c->axes; ++a) {
        int first = places[a].coordinate, count = axes[a].kind == SINEW_AXIS_BALL ? 4 : 1;
        bool same = memcmp(&c->q[first], &c->before[first], (size_t)count * sizeof(double)) == 0;
        // what no goal moves stays where it was
        if (same && !started_inside) { continue; }
        double violation = scene_reckon_violation(c->skeleton, c->q, a, a);
        c->counts->largest_violation = fmax(c->counts->largest_violation, violation);
        if (!(violation <= LIMIT_SLACK)) {
            fail(
                c, "axis %d of joint %d is outside its limit by %g", a, places[a].joint, violation);
        }
    }
}

// whether some goals go before others: then no one number says what is better
static bool has_levels(const Case *c)
{
    bool levels = false;
    for (int g = 0; g < c->goal_count; ++g) {
        levels = levels || c->goals[g].constraint || c->goals[g].priority != c->goals[0].priority;
    }
    return levels;
}

// no joint moves farther from the pose that the solve began with than max_joint_change lets it. Cold
// starts begin elsewhere, and limits may move a pose that is outside of them.
static void check_change(Case *c, bool started_inside)
{
    double step[SOAK_MAX_NUMBERS], most = c->options.max_joint_change;
    if (!started_inside || c->options.start != SINEW_START_GIVEN || isinf(most)
        || c->options.limits == SINEW_LIMITS_NONE || c->ranges_set) {
        return;
    }
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(c->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(c->skeleton);
    sinew_pose_difference(c->skeleton, c->before, c->q, step);
    for (int a = 0; a < c->axes; ++a) {
        const double *s = &step[places[a].dof];
        if (axes[a].kind == SINEW_AXIS_SLIDE) { continue; } // theirs is in units of a reach
        double moved = axes[a].kind == SINEW_AXIS_HINGE
            ? fabs(s[0])
            : sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        if (moved > most * (1.0 + 1e-9) + 1e-9) {
            fail(c, "axis %d of joint %d moved by %g, at most %g was asked for", a, places[a].joint,
                moved, most);
        }
    }
}

static void check_report(Case *c)
{
    const sinew_Report *r = &c->report;
    const double numbers[7] = { r->position_error, r->orientation_error, r->objective,
        r->start_objective, r->limit_violation, r->time, (double)r->iterations };
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(numbers[k])) { fail(c, "number %d of the report is %g", k, numbers[k]); }
    }
    if ((int)r->outcome < 0 || r->outcome > SINEW_OUTCOME_OUT_OF_TIME) {
        fail(c, "outcome %d", (int)r->outcome);
    }
    // of the whole pose, as what no goal moves stays where it was given; ranges may be tightened
    double outside = scene_reckon_violation(
        c->skeleton, c->q, 0, sinew_skeleton_axis_count(c->skeleton) - 1);
    if (!(r->limit_violation >= outside - LIMIT_SLACK * (1.0 + outside))) {
        fail(c, "the report tells of a limit left by %g, not %g", r->limit_violation, outside);
    }
    bool automatic = c->options.method == SINEW_METHOD_AUTO;
    int attempts = automatic ? 1 : 1 + c->options.restarts;
    if (r->iterations > c->options.max_iterations * attempts || r->restarts > c->options.restarts) {
        fail(c, "%d iterations in %d attempts", r->iterations, r->restarts + 1);
    }
    // never worse than the start, but for a pose that meets all goals
    // (at its eased place, too)
    bool given = c->options.start == SINEW_START_GIVEN && !has_levels(c)
        && c->options.soft_reach == 0.0;
    if (given && r->outcome != SINEW_OUTCOME_CONVERGED
        && !(r->objective <= r->start_objective * (1.0 + 1e-9))) {
        fail(c, "worse than the start: F %.17g, was %.17g", r->objective, r->start_objective);
    }
}

// what the rounding of positions may be: of all that is added up on the way
static double rounding(const Case *c, const sinew_Goal *goal)
{
    const sinew_Joint *joints = sinew_skeleton_joints(c->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(c->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(c->skeleton);
    double size = sinew_vec3_length(goal->position)
        + sinew_vec3_length(goal->joint_from_effector.position);
    for (int j = 0; j <= goal->joint; ++j) { size += sinew_vec3_length(joints[j].offset); }
    for (int a = 0; a < c->axes; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) { size += fabs(c->q[places[a].coordinate]); }
    }
    return 1e-12 * size;
}

// one part of a goal's error: what is reckoned, told, and allowed when all goals are met
static void check_part(
    Case *c, int g, const char *unit, double error, double told, double tolerance, double slack)
{
    if (!(fabs(error - told) <= slack)) {
        fail(c, "goal %d (%s) misses by %.17g %s, told were %.17g (slack %g)", g,
            sinew_goal_kind_name(c->goals[g].kind), error, unit, told, slack);
    }
    // lower levels may move a higher one by as much as rounding lets them
    if (has_levels(c)) { slack += 1e-7 * fmax(1.0, c->scale) * c->joints; }
    if (c->report.outcome == SINEW_OUTCOME_CONVERGED && !(error <= tolerance + slack)) {
        fail(c, "converged, but goal %d (%s) misses by %g %s", g,
            sinew_goal_kind_name(c->goals[g].kind), error, unit);
    }
}

// the place of the centre of mass, off by rounding of all there is
static void check_mass(Case *c, int g, double told)
{
    sinew_Transform world[SOAK_MAX_JOINTS];
    const sinew_Goal *goal = &c->goals[g];
    sinew_pose_forward(c->skeleton, c->q, world);
    sinew_Vec3 center = sinew_pose_center_of_mass(c->skeleton, world), reach = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < c->joints; ++j) {
        reach.x = fmax(reach.x, sinew_vec3_length(world[j].position));
    }
    sinew_Vec3 error = sinew_vec3_sub(goal->position, center);
    error.x = goal->position_mask & SINEW_MASK_X ? error.x : 0.0;
    error.y = goal->position_mask & SINEW_MASK_Y ? error.y : 0.0;
    error.z = goal->position_mask & SINEW_MASK_Z ? error.z : 0.0;
    double slack = 1e-11 * (reach.x + c->scale + sinew_vec3_length(goal->position));
    check_part(c, g, "m", sinew_vec3_length(error), told, c->options.position_tolerance, slack);
}

// the errors that are told, against the quaternions of scene_reckon
static void check_errors(Case *c)
{
    const sinew_GoalResult *results = sinew_solver_goal_results(c->solvers[0]);
    for (int g = 0; g < c->goal_count; ++g) {
        const sinew_Goal *goal = &c->goals[g];
        const sinew_GoalResult *told = &results[g];
        if (!isfinite(told->position_error) || !isfinite(told->orientation_error)) {
            fail(c, "goal %d is told to miss by %g m and %g rad", g, told->position_error,
                told->orientation_error);
        }
        bool whole = goal->reference < 0
            && (goal->position_mask & goal->orientation_mask) == SINEW_MASK_ALL
            && c->options.soft_reach == 0.0;
        if (goal->kind == SINEW_GOAL_CENTER_OF_MASS && goal->reference < 0
            && goal->position_weight > 0.0) {
            check_mass(c, g, told->position_error);
        }
        if (!whole || goal->kind > SINEW_GOAL_DIRECTION) { continue; }
        sinew_Transform world = scene_reckon(
            c->skeleton, c->q, goal->joint, goal->joint_from_effector);
        if ((goal->kind == SINEW_GOAL_POSITION || goal->kind == SINEW_GOAL_POSE)
            && goal->position_weight > 0.0) {
            check_part(c, g, "m", sinew_vec3_distance(world.position, goal->position),
                told->position_error, c->options.position_tolerance, rounding(c, goal));
        }
        bool turned = goal->kind == SINEW_GOAL_ORIENTATION
            || (goal->kind == SINEW_GOAL_POSE && c->options.rows == SINEW_ROWS_AS_GOALS);
        if (turned && goal->orientation_weight > 0.0) {
            double angle = scene_reckon_angle(world.rotation, goal->orientation);
            // the chord of a turn is flat at the half turn, where it tells half of the digits
            check_part(c, g, "rad", angle, told->orientation_error,
                c->options.orientation_tolerance, angle > 3.1 ? 1e-6 : 1e-7);
        }
        if (goal->kind == SINEW_GOAL_DIRECTION && goal->orientation_weight > 0.0) {
            sinew_Vec3 axis = sinew_quat_rotate(world.rotation, goal->axis);
            sinew_Vec3 across = sinew_vec3_cross(axis, goal->direction);
            double angle = atan2(sinew_vec3_length(across), sinew_vec3_dot(axis, goal->direction));
            check_part(c, g, "rad", angle, told->orientation_error,
                c->options.orientation_tolerance, 1e-7);
        }
    }
}

// once the clock says that the budget is over, one iteration may still be under way
static void check_budget(Case *c)
{
    const Clock *clock = &c->clocks[0];
    if (clock->kind == CLOCK_REAL || clock->budget <= 0.0) { return; }
    ++c->counts->timed;
    // one call sees the end, and one may measure the whole solve
    int in_time = clock->calls - clock->late_calls;
    if (clock->late_calls > 2) {
        fail(c, "the clock told %d times that the time is over", clock->late_calls);
    }
    if (c->report.iterations > in_time) {
        fail(c, "%d iterations, though the clock was asked %d times before the time was over",
            c->report.iterations, in_time);
    }
}

// the same on the processor's clock: more than one iteration too late, several times in a row
static void check_real_budget(Case *c)
{
    sinew_SolveOptions o = c->options;
    double q[SOAK_MAX_NUMBERS], lowest = INFINITY;
    sinew_Report report;
    o.time_budget = 0.0;
    set_clock(&c->clocks[0], CLOCK_REAL, 0.0, 0);
    memcpy(q, c->before, sizeof q);
    (void)sinew_solver_solve(c->solvers[0], &o, c->goals, c->goal_count, q, &report, NULL);
    if (report.iterations < 4) { return; }
    double whole = report.time;
    // what comes before the first iteration counts as well
    o.max_iterations = o.min_iterations = o.restarts = 0;
    memcpy(q, c->before, sizeof q);
    sinew_Report none;
    (void)sinew_solver_solve(c->solvers[0], &o, c->goals, c->goal_count, q, &none, NULL);
    double iteration = whole / report.iterations;
    o = c->options;
    o.time_budget = 0.5 * whole;
    for (int i = 0; i < REAL_TRIES; ++i) {
        memcpy(q, c->before, sizeof q);
        set_clock(&c->clocks[0], CLOCK_REAL, o.time_budget, 0);
        (void)sinew_solver_solve(c->solvers[0], &o, c->goals, c->goal_count, q, &report, NULL);
        lowest = fmin(lowest, report.time - o.time_budget);
    }
    // iterations are not alike: those that are rejected or sweep are dearer
    double slack = none.time + 4.0 * iteration + 20e-6;
    if (!(lowest <= slack)) {
        fail(c, "%g s over a budget of %g s, an iteration takes %g s", lowest, o.time_budget,
            iteration);
    }
}

// ---------------------------------------------------------------------------------------------
// Diagnoses

static void check_causes(Case *c, const sinew_Diagnosis *diagnosis)
{
    for (int g = 0; g < c->goal_count; ++g) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(diagnosis, g);
        char text[256];
        (void)sinew_diagnosis_conditioning_text(diagnosis, g, text, sizeof text);
        (void)sinew_diagnosis_text(diagnosis, g, NULL, text, sizeof text);
        bool good = isfinite(goal->smallest_singular) && isfinite(goal->largest_singular)
            && !isnan(goal->reach_margin) && (!goal->met || goal->blocker_count == 0);
        for (int b = 0; b < goal->blocker_count; ++b) {
            const sinew_Blocker *blocker = &goal->blockers[b];
            good = good && blocker->gain > 0.0 && blocker->gain <= 1.0 && isfinite(blocker->bound)
                && isfinite(blocker->amount);
        }
        if (!good) { fail(c, "diagnosis of goal %d: %s", g, text); }
    }
}

// any pose can be diagnosed, and nothing is changed by it
static void check_diagnosis(Case *c)
{
    sinew_Diagnosis *diagnosis = NULL;
    sinew_Message message = { "" };
    double q[SOAK_MAX_NUMBERS];
    memcpy(q, c->q, sizeof q);
    if (sinew_diagnosis_create(c->skeleton, c->goal_count, NULL, &diagnosis, &message)
        != SINEW_STATUS_OK) {
        fail(c, "no diagnosis: %s", message.text);
        return;
    }
    long calls = soak_heap_calls();
    sinew_Status status = sinew_solver_diagnose(
        c->solvers[0], &c->options, c->goals, c->goal_count, c->q, &c->report, diagnosis, &message);
    calls = soak_heap_calls() - calls;
    if (calls != 0) { fail(c, "%ld allocations in a diagnosis", calls); }
    if (memcmp(q, c->q, sizeof q) != 0) { fail(c, "a diagnosis changed the pose"); }
    if (status == SINEW_STATUS_OK) {
        check_causes(c, diagnosis);
    } else {
        fail(c, "diagnosis: status %d, %s", (int)status, message.text);
    }
    sinew_diagnosis_destroy(diagnosis);
}

// ---------------------------------------------------------------------------------------------
// Solves

static sinew_Status solve(Case *c, int solver, double *q, sinew_Report *report)
{
    sinew_Message message = { "" };
    long calls = soak_heap_calls();
    sinew_Status status = sinew_solver_solve(
        c->solvers[solver], &c->options, c->goals, c->goal_count, q, report, &message);
    calls = soak_heap_calls() - calls;
    if (calls != 0) { fail(c, "%ld allocations in a solve", calls); }
    // the only rule that chance may break here
    bool far = strstr(message.text, "a million times the reach") != NULL;
    if (status != SINEW_STATUS_OK && !(status == SINEW_STATUS_INVALID_ARGUMENT && far)) {
        fail(c, "status %d, %s", (int)status, message.text);
    }
    return status;
}

// the same again: on a solver that has done other things, and on the same one
static void check_same(Case *c, sinew_Status status)
{
    for (int solver = 0; solver < 2; ++solver) {
        double again[SOAK_MAX_NUMBERS];
        sinew_Report report;
        memset(&report, 0, sizeof report);
        memcpy(again, c->before, sizeof again);
        set_clock(&c->clocks[solver], c->clocks[0].kind, c->clocks[0].budget, c->clocks[0].jump_at);
        sinew_Status second = solve(c, solver, again, &report);
        size_t size = (size_t)c->numbers * sizeof(double);
        if (second != status || memcmp(again, c->q, size) != 0) {
            fail(c, "another answer by %s", solver == 0 ? "the same solver" : "a second solver");
        }
        if (status == SINEW_STATUS_OK
            && (report.iterations != c->report.iterations || report.outcome != c->report.outcome
                || report.objective != c->report.objective)) {
            fail(c, "another report by %s", solver == 0 ? "the same solver" : "a second solver");
        }
    }
}

static void choose_clock(Case *c)
{
    scene_Random *random = &c->random;
    set_clock(&c->clocks[0], CLOCK_COUNTS, 0.0, 0);
    if (!soak_chance(random, 0.3)) { return; }
    if (soak_chance(random, 0.5)) {
        double budget = 1e-3 * (0.5 + scene_random_index(random, 30));
        set_clock(&c->clocks[0], CLOCK_COUNTS, budget, 0);
    } else {
        set_clock(&c->clocks[0], CLOCK_JUMPS, 60.0, 2 + scene_random_index(random, 40));
    }
    c->options.time_budget = c->clocks[0].budget;
}

// a number that is not one: refused, and nothing is touched
static void check_refusal(Case *c)
{
    static const double wrong[3] = { NAN, INFINITY, -INFINITY };
    double bad = wrong[scene_random_index(&c->random, 3)];
    sinew_Goal *goal = &c->goals[scene_random_index(&c->random, c->goal_count)];
    sinew_Goal kept = *goal;
    sinew_SolveOptions options = c->options;
    memcpy(c->q, c->before, sizeof c->q);
    switch (scene_random_index(&c->random, 4)) {
    case 0: goal->position_weight = bad; break;
    case 1: goal->joint = c->joints + (int)goal->kind; break;
    case 2: goal->joint_from_effector.position.y = bad; break;
    default: c->options.position_tolerance = bad; break;
    }
    sinew_Status status = sinew_solver_solve(
        c->solvers[0], &c->options, c->goals, c->goal_count, c->q, NULL, NULL);
    if (status != SINEW_STATUS_INVALID_ARGUMENT) { fail(c, "took what it should refuse"); }
    if (memcmp(c->q, c->before, sizeof c->q) != 0) { fail(c, "a refused solve changed the pose"); }
    *goal = kept;
    c->options = options;
    ++c->counts->refused;
}

// half rows have no orientations, and some goals ask for a method that knows them
static void suit_goals(Case *c)
{
    bool plain = true, known = !has_levels(c);
    for (int g = 0; g < c->goal_count; ++g) {
        const sinew_Goal *goal = &c->goals[g];
        if (goal->kind == SINEW_GOAL_ORIENTATION) { c->options.rows = SINEW_ROWS_AS_GOALS; }
        plain = plain && (goal->kind <= SINEW_GOAL_POSE || goal->kind == SINEW_GOAL_REST)
            && goal->reference < 0
            && (goal->position_mask & goal->orientation_mask) == SINEW_MASK_ALL;
        known = known && goal->kind != SINEW_GOAL_REST;
    }
    bool ccd = c->options.method == SINEW_METHOD_CCD;
    bool all = c->options.method == SINEW_METHOD_DAMPED || c->options.method == SINEW_METHOD_AUTO;
    if (all || (ccd && plain && !has_levels(c)) || (!ccd && known)) { return; }
    c->options.method = soak_chance(&c->random, 0.5) ? SINEW_METHOD_DAMPED : SINEW_METHOD_AUTO;
}

static void run_solve(Case *c)
{
    scene_Random *random = &c->random;
    bool warm = c->solve > 0 && soak_chance(random, 0.4);
    if (!warm) { soak_make_pose(random, c->skeleton, c->scale, soak_chance(random, 0.85), c->q); }
    // the structure of the goals stays for some solves, as in a motion
    int goal_count = c->goal_count;
    if (!(warm && soak_chance(random, 0.5))) {
        goal_count = soak_make_goals(random, c->skeleton, c->scale, c->q, c->supports, c->goals);
    }
    c->goal_count = goal_count;
    if (soak_chance(random, 0.3)) { change_starts(c); }
    double dofs = sinew_skeleton_dof_count(c->skeleton), rows = 6.0 * c->goal_count;
    c->options = soak_make_options(random, c->scale, 1.0 + dofs * rows);
    suit_goals(c);
    choose_clock(c);
    if (c->settings->verbose) {
        printf("seed %llu, solve %d: %s, %d joints, %d goals\n", (unsigned long long)c->seed,
            c->solve, sinew_method_name(c->options.method), c->joints, c->goal_count);
        fflush(stdout);
    }

    memcpy(c->before, c->q, sizeof c->before);
    bool inside = sinew_pose_limit_violation(c->skeleton, c->before) <= 0.0;
    sinew_Status status = solve(c, 0, c->q, &c->report);
    ++c->counts->solves;
    ++c->counts->by_method[c->options.method];
    if (status == SINEW_STATUS_OK) {
        check_answer(c, inside);
        check_change(c, inside);
        check_report(c);
        check_errors(c);
        check_budget(c);
        c->counts->converged += c->report.outcome == SINEW_OUTCOME_CONVERGED;
    } else {
        ++c->counts->refused;
        if (memcmp(c->q, c->before, sizeof c->q) != 0) { fail(c, "refused, but changed the pose"); }
    }
    if (status == SINEW_STATUS_OK && soak_chance(random, 0.02)) { check_diagnosis(c); }
    if (soak_chance(random, 0.3)) { check_same(c, status); }
    double answer[SOAK_MAX_NUMBERS];
    memcpy(answer, c->q, sizeof answer);
    if (soak_chance(random, 0.05)) { check_refusal(c); }
    if (c->settings->real_clock && status == SINEW_STATUS_OK && soak_chance(random, 0.02)) {
        check_real_budget(c);
    }
    memcpy(c->q, answer, sizeof answer);
}

void soak_run_case(const soak_Settings *settings, uint64_t seed, soak_Counts *counts)
{
    Case *c = calloc(1, sizeof *c);
    if (c == NULL) { abort(); }
    c->settings = settings;
    c->counts = counts;
    c->seed = seed;
    c->random = scene_random(seed);
    if (open_case(c)) {
        for (c->solve = 0; c->solve < SOLVES && !c->failed; ++c->solve) {
            change_solvers(c);
            run_solve(c);
        }
    }
    ++counts->cases;
    close_case(c);
    free(c);
}
