#include "bench/bench_chain.h"

#include "bench/bench_setup.h"
#include "scenes/reckoning.h"

#ifdef SINEW_HAS_KDL
#include "bench/kdl_peer.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// KDL tests each of the six components by itself; its answers may be this much farther off
#define PEER_SLACK 2.0
// what rounding may take from a limit in answers of KDL, which stands on its bounds exactly
#define LIMIT_SLACK 1e-9
// solves of KDL that take longer are not repeated
#define PEER_REPEAT 1e-3

// ---------------------------------------------------------------------------------------------
// Chains and targets

void bench_chain_close(bench_Chain *chain)
{
    free(chain->q);
    chain->q = NULL;
}

// axes of one joint that move; false for a ball
static bool take_axes(bench_Chain *chain, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(chain->skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        const sinew_Axis *axis = &axes[a];
        if (axis->mobility <= 0.0 || axis->lower >= axis->upper) { continue; }
        if (axis->kind == SINEW_AXIS_BALL || chain->axis_count >= BENCH_MAX_CHAIN) { return false; }
        int i = chain->axis_count++;
        // without limits a hinge goes round once, a slide as far as a metre
        double open = axis->kind == SINEW_AXIS_HINGE ? SINEW_PI : 1.0;
        chain->axes[i] = a;
        chain->lower[i] = axis->lower > -INFINITY ? axis->lower : -open;
        chain->upper[i] = axis->upper < INFINITY ? axis->upper : open;
    }
    return true;
}

bool bench_chain_open(
    const sinew_Skeleton *skeleton, int base, int tip, bool position_alone, bench_Chain *out_chain)
{
    bench_Chain *chain = out_chain;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    *chain = (bench_Chain){
        .skeleton = skeleton, .root = tip, .tip = tip, .position_alone = position_alone
    };
    int path[BENCH_MAX_CHAIN], count = 0;
    for (int j = tip; j >= 0 && j != base; j = joints[j].parent) {
        if (count == BENCH_MAX_CHAIN) { return false; }
        path[count++] = j;
    }
    if (count == 0) { return false; }
    chain->root = path[count - 1];
    while (count > 0) {
        if (!take_axes(chain, &joints[path[--count]])) { return false; }
    }
    chain->q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof(double));
    if (chain->axis_count == 0 || chain->q == NULL) {
        bench_chain_close(chain);
        return false;
    }
    sinew_pose_middle(skeleton, chain->q);
    return true;
}

static void random_values(const bench_Chain *chain, scene_Random *random, double *out_values)
{
    for (int i = 0; i < chain->axis_count; ++i) {
        out_values[i] = scene_random_range(random, chain->lower[i], chain->upper[i]);
    }
}

static double drawn_value(
    scene_Random *random, bench_Draw draw, double value, double lower, double upper)
{
    double chance = draw == BENCH_DRAW_ANYWHERE ? 1.0 : scene_random_range(random, 0.0, 1.0);
    bool zero = lower < 0.0 && upper > 0.0 && chance < 0.4;
    switch (draw) {
    case BENCH_DRAW_ON_BOUNDS: return chance < 0.15 ? lower : chance < 0.3 ? upper : value;
    case BENCH_DRAW_AT_ZERO: return zero ? 0.0 : value;
    case BENCH_DRAW_NEAR_ZERO: return zero ? 1e-5 * value / SINEW_PI : value;
    case BENCH_DRAW_ANYWHERE: break;
    }
    return value;
}

// the whole body with the chain at these values
static void set_values(const bench_Chain *chain, const double *values, double *out_q)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof(double);
    memcpy(out_q, chain->q, size);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(chain->skeleton);
    for (int i = 0; values != NULL && i < chain->axis_count; ++i) {
        out_q[places[chain->axes[i]].coordinate] = values[i];
    }
}

void bench_targets_close(bench_Targets *targets)
{
    free(targets->places);
    free(targets->starts);
}

bool bench_targets_open(
    const bench_Chain *chain, uint64_t seed, int count, bench_Targets *out_targets)
{
    return bench_targets_draw(chain, seed, count, BENCH_DRAW_ANYWHERE, out_targets);
}

bool bench_targets_draw(
    const bench_Chain *chain, uint64_t seed, int count, bench_Draw draw, bench_Targets *out_targets)
{
    bench_Targets *t = out_targets;
    size_t axes = (size_t)chain->axis_count;
    *t = (bench_Targets){ .count = count, .seed = seed };
    t->places = malloc((size_t)count * sizeof *t->places);
    t->starts = malloc((size_t)count * axes * sizeof *t->starts);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof *q);
    bool good = t->places != NULL && t->starts != NULL && q != NULL;
    for (int i = 0; good && i < count; ++i) {
        double *start = &t->starts[(size_t)i * axes];
        scene_Random random = scene_random(seed + (uint64_t)i);
        random_values(chain, &random, start);
        for (int k = 0; k < chain->axis_count; ++k) {
            start[k] = drawn_value(&random, draw, start[k], chain->lower[k], chain->upper[k]);
        }
        set_values(chain, start, q);
        t->places[i] = scene_reckon(chain->skeleton, q, chain->tip, sinew_transform_identity());
        random_values(chain, &random, start);
    }
    free(q);
    if (!good) { bench_targets_close(t); }
    return good;
}

// ---------------------------------------------------------------------------------------------
// Judging

// near enough to the target
static bool is_there(
    const bench_Chain *chain, const double *q, sinew_Transform target, double slack)
{
    sinew_Transform tip = scene_reckon(chain->skeleton, q, chain->tip, sinew_transform_identity());
    double most = BENCH_CHAIN_TOLERANCE * slack;
    if (!(sinew_vec3_distance(tip.position, target.position) <= most)) { return false; }
    return chain->position_alone || scene_reckon_angle(tip.rotation, target.rotation) <= most;
}

static double violation_of(const bench_Chain *chain, const double *q)
{
    double worst = 0.0;
    for (int i = 0; i < chain->axis_count; ++i) {
        int a = chain->axes[i];
        worst = fmax(worst, scene_reckon_violation(chain->skeleton, q, a, a));
    }
    return worst;
}

// count one answer; its time is judged in the end
static void judge(const bench_Chain *chain, const double *q, sinew_Transform target, double slack,
    bench_ChainResult *result, unsigned char *out_good)
{
    double violation = violation_of(chain, q);
    *out_good = is_there(chain, q, target, slack) ? 2 : 0;
    if (*out_good && violation <= LIMIT_SLACK) { *out_good = 3; }
    result->violation = fmax(result->violation, violation);
}

static void finish(bench_ChainResult *result, double *times, const unsigned char *good, int count)
{
    result->count = count;
    for (int i = 0; i < count; ++i) {
        bool late = times[i] > BENCH_CHAIN_SECONDS;
        result->mean += times[i] / count;
        result->solved_any_limit += !late && good[i] ? 1.0 : 0.0;
        if (!late && good[i] == 3) {
            result->solved += 1.0;
        } else if (result->failure_count++ < BENCH_TOLD_FAILURES) {
            result->failures[result->failure_count - 1] = i;
        }
    }
    result->solved /= count;
    result->solved_any_limit /= count;
    qsort(times, (size_t)count, sizeof *times, bench_compare);
    result->median = times[count / 2];
    result->p99 = times[(size_t)count * 99 / 100];
    result->p999 = times[(size_t)count * 999 / 1000];
}

// ---------------------------------------------------------------------------------------------
// sinew

sinew_Method bench_default_method(void)
{
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        if (strcmp(sinew_method_name((sinew_Method)m), "auto") == 0) { return (sinew_Method)m; }
    }
    return SINEW_METHOD_DAMPED;
}

sinew_SolveOptions bench_chain_options(sinew_Method method)
{
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.position_tolerance = BENCH_CHAIN_TOLERANCE;
    options.orientation_tolerance = BENCH_CHAIN_TOLERANCE;
    if (strcmp(sinew_method_name(method), "auto") != 0) {
        options.max_iterations = 60;
        options.restarts = 128;
    }
    return options;
}

sinew_Goal bench_chain_goal(const bench_Chain *chain, sinew_Transform place)
{
    sinew_Goal goal = chain->position_alone
        ? sinew_goal_position(chain->tip, place.position)
        : sinew_goal_pose(chain->tip, place.position, place.rotation);
    goal.chain_root = chain->root;
    return goal;
}

bool bench_chain_run(const bench_Chain *chain, const bench_Targets *targets, bool random_start,
    const sinew_SolveOptions *options, int passes, bench_ChainResult *out_result)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = chain->skeleton;
    def.max_goals = 1;
    sinew_Solver *solver = NULL;
    int count = targets->count;
    double *times = malloc((size_t)count * sizeof *times);
    unsigned char *good = malloc((size_t)count);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof *q);
    bool enough = sinew_solver_create(&def, &solver, NULL) == SINEW_STATUS_OK && times != NULL
        && good != NULL && q != NULL;
    *out_result = (bench_ChainResult){ 0 };
    for (int pass = 0; enough && pass < passes; ++pass) {
        for (int i = 0; i < count; ++i) {
            sinew_Goal goal = bench_chain_goal(chain, targets->places[i]);
            sinew_Report report;
            const double *start = &targets->starts[(size_t)i * (size_t)chain->axis_count];
            set_values(chain, random_start ? start : NULL, q);
            double begin = bench_clock(NULL);
            (void)sinew_solver_solve(solver, options, &goal, 1, q, &report, NULL);
            double time = bench_clock(NULL) - begin;
            times[i] = pass == 0 ? time : fmin(times[i], time);
            if (pass > 0) { continue; }
            judge(chain, q, targets->places[i], 1.0 + 1e-9, out_result, &good[i]);
            out_result->iterations += (double)report.iterations / count;
            out_result->attempts += (1.0 + report.restarts) / count;
        }
    }
    if (enough) { finish(out_result, times, good, count); }
    sinew_solver_destroy(solver);
    free(times);
    free(good);
    free(q);
    return enough;
}

// ---------------------------------------------------------------------------------------------
// KDL

#ifdef SINEW_HAS_KDL

bool bench_has_kdl(void)
{
    return true;
}

static void put_transform(sinew_Transform t, double *position, double *rotation)
{
    const double p[3] = { t.position.x, t.position.y, t.position.z };
    const double r[4] = { t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w };
    memcpy(position, p, sizeof p);
    memcpy(rotation, r, sizeof r);
}

static sinew_Transform axis_transform(const sinew_Axis *axis, const double *value)
{
    sinew_Transform t = sinew_transform_identity();
    switch (axis->kind) {
    case SINEW_AXIS_SLIDE: t.position = sinew_vec3_scale(axis->direction, value[0]); break;
    case SINEW_AXIS_HINGE:
        t.rotation = sinew_quat_from_axis_angle(axis->direction, value[0]);
        break;
    case SINEW_AXIS_BALL:
        t.rotation = (sinew_Quat){ value[0], value[1], value[2], value[3] };
        break;
    }
    return t;
}

// whether KDL puts the tip of a crooked pose where scene_reckon does
static bool is_same_chain(const bench_Chain *chain, kdl_Chain *peer)
{
    double values[BENCH_MAX_CHAIN], position[3], rotation[4];
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof *q);
    if (q == NULL) { return false; }
    scene_Random random = scene_random(1);
    random_values(chain, &random, values);
    set_values(chain, values, q);
    sinew_Transform tip = scene_reckon(chain->skeleton, q, chain->tip, sinew_transform_identity());
    free(q);
    kdl_forward(peer, values, position, rotation);
    sinew_Vec3 place = sinew_vec3(position[0], position[1], position[2]);
    sinew_Quat turn = { rotation[0], rotation[1], rotation[2], rotation[3] };
    return sinew_vec3_distance(place, tip.position) <= 1e-9
        && scene_reckon_angle(turn, tip.rotation) <= 1e-9;
}

// what does not move is gathered between the axes that do
static kdl_Chain *make_kdl_chain(const bench_Chain *chain)
{
    const sinew_Joint *joints = sinew_skeleton_joints(chain->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(chain->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(chain->skeleton);
    kdl_Axis *made = calloc((size_t)chain->axis_count, sizeof *made);
    if (made == NULL) { return NULL; }
    sinew_Transform gathered = sinew_transform_identity();
    int next = 0;
    for (int j = 0; j <= chain->tip; ++j) {
        if (!sinew_skeleton_is_ancestor(chain->skeleton, j, chain->tip)) { continue; }
        sinew_Transform frame = { joints[j].offset, joints[j].rest_rotation };
        gathered = sinew_transform_mul(gathered, frame);
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            if (next == chain->axis_count || chain->axes[next] != a) {
                sinew_Transform moved = axis_transform(&axes[a], &chain->q[places[a].coordinate]);
                gathered = sinew_transform_mul(gathered, moved);
                continue;
            }
            kdl_Axis *axis = &made[next++];
            put_transform(gathered, axis->position, axis->rotation);
            const double direction[3] = { axes[a].direction.x, axes[a].direction.y,
                axes[a].direction.z };
            memcpy(axis->direction, direction, sizeof direction);
            axis->slide = axes[a].kind == SINEW_AXIS_SLIDE;
            axis->lower = fmax(axes[a].lower, -1e9);
            axis->upper = fmin(axes[a].upper, 1e9);
            gathered = sinew_transform_identity();
        }
    }
    double position[3], rotation[4];
    put_transform(gathered, position, rotation);
    kdl_Chain *peer = kdl_chain_create(
        made, chain->axis_count, position, rotation, BENCH_CHAIN_TOLERANCE, chain->position_alone);
    free(made);
    if (peer != NULL && !is_same_chain(chain, peer)) {
        fprintf(stderr, "sinew: KDL has another chain than %s\n", joints[chain->tip].name);
        kdl_chain_destroy(peer);
        return NULL;
    }
    return peer;
}

typedef struct PeerRun {
    const bench_Chain *chain;
    kdl_Chain *peer;
    double *middle, *values, *q;
    double *times;
    unsigned char *good;
} PeerRun;

static kdl_Result solve_peer(
    PeerRun *run, bool limited, const double *start, const double *position, const double *rotation)
{
    if (limited) {
        return kdl_solve_limited(
            run->peer, start, position, rotation, BENCH_CHAIN_SECONDS, run->values);
    }
    return kdl_solve_marquardt(run->peer, start, position, rotation, run->values);
}

static void run_peer(PeerRun *run, const bench_Targets *targets, bool random_start, int count,
    bool limited, bench_ChainResult *result)
{
    const bench_Chain *chain = run->chain;
    *result = (bench_ChainResult){ 0 };
    for (int i = 0; i < count; ++i) {
        double position[3], rotation[4];
        put_transform(targets->places[i], position, rotation);
        const double *start = random_start ? &targets->starts[(size_t)i * (size_t)chain->axis_count]
                                           : run->middle;
        kdl_Result answer = solve_peer(run, limited, start, position, rotation);
        run->times[i] = answer.time;
        for (int again = 0; again < 2 && answer.time < PEER_REPEAT; ++again) {
            answer = solve_peer(run, limited, start, position, rotation);
            run->times[i] = fmin(run->times[i], answer.time);
        }
        set_values(chain, run->values, run->q);
        judge(chain, run->q, targets->places[i], PEER_SLACK, result, &run->good[i]);
        result->iterations += (double)answer.iterations / count;
        // what other programs took from the processor beyond the 5 ms is not KDL's
        run->times[i] = fmin(run->times[i], BENCH_CHAIN_SECONDS);
        if (!answer.claimed) { run->good[i] = 0; }
    }
    result->attempts = 1.0;
    finish(result, run->times, run->good, count);
}

bool bench_chain_run_kdl(const bench_Chain *chain, const bench_Targets *targets, bool random_start,
    int count, bool limited, bench_PeerResult *out_result)
{
    size_t axes = (size_t)chain->axis_count;
    count = count < targets->count ? count : targets->count;
    PeerRun run = { .chain = chain,
        .peer = make_kdl_chain(chain),
        .middle = malloc(axes * sizeof(double)),
        .values = malloc(axes * sizeof(double)),
        .q = malloc((size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof(double)),
        .times = malloc((size_t)count * sizeof(double)),
        .good = malloc((size_t)count) };
    bool enough = run.peer != NULL && run.middle != NULL && run.values != NULL && run.q != NULL
        && run.times != NULL && run.good != NULL;
    if (enough) {
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(chain->skeleton);
        for (int i = 0; i < chain->axis_count; ++i) {
            run.middle[i] = chain->q[places[chain->axes[i]].coordinate];
        }
        *out_result = (bench_PeerResult){ 0 };
        if (limited) { run_peer(&run, targets, random_start, count, true, &out_result->limited); }
        run_peer(&run, targets, random_start, count, false, &out_result->marquardt);
    }
    kdl_chain_destroy(run.peer);
    free(run.middle);
    free(run.values);
    free(run.q);
    free(run.times);
    free(run.good);
    return enough;
}

#else

bool bench_has_kdl(void)
{
    return false;
}

bool bench_chain_run_kdl(const bench_Chain *chain, const bench_Targets *targets, bool random_start,
    int count, bool limited, bench_PeerResult *out_result)
{
    (void)chain;
    (void)targets;
    (void)random_start;
    (void)count;
    (void)limited;
    (void)out_result;
    return false;
}

#endif
