#include "base/message.h"
#include "solve/restart.h"
#include "solve/start_table.h"

#include <string.h>

// Building start tables: sample reachable goals, solve each from many candidates, choose few
// candidates that serve most goals together, cluster the goals, and give each cluster the start that
// serves most of it.

#define MAX_TARGETS 100000
#define MAX_CANDIDATES 1000
// rounds of moving centroids; they hardly move after five
#define CLUSTER_ROUNDS 12
// what stands in the table of iterations for a goal that was not met
#define NOT_MET UINT16_MAX

typedef struct Builder {
    const sinew_StartDef *def;
    sinew_SolveOptions options;
    int coordinates, key_size, target_count, candidate_count;
    sinew_Solver *solver;
    snw_Plan plan;
    snw_PlanScratch scratch;
    snw_Random random;

    double *mobility;      // by axis
    double *base;          // pose of all that no goal moves
    double *q;             // a pose
    double *values, *from; // by value of the plan
    sinew_Goal *goals;
    double *targets;       // keys                      (target_count x key_size)
    double *target_poses;  // that reach them           (target_count x coordinates)
    double *candidates;    // poses                     (candidate_count x coordinates)
    uint16_t *iterations;  // NOT_MET: not met          (candidate_count x target_count)
    int *chosen;           // candidates                (SINEW_MAX_STARTS)
    unsigned char *served; // by a chosen start        (target_count)
    int *cluster;          // of each target            (target_count)
    double *distance;      // to the nearest centroid   (target_count)
    double *sums;          // of one centroid           (key_size)
    int chosen_count;

    // the table
    double *poses, *centroids;
    int *centroid_starts, centroid_count;
    void *block;
    size_t block_size;
    sinew_Allocator allocator;
} Builder;

sinew_StartDef sinew_start_def_default(void)
{
    sinew_StartDef def;
    memset(&def, 0, sizeof def);
    def.options = sinew_solve_options_default(SINEW_METHOD_CCD);
    def.start_count = 4;
    def.cluster_count = 8;
    def.target_count = 1000;
    def.candidate_count = 64;
    def.cookie = SNW_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Opening and closing

static void take_arrays(Builder *b, snw_Arena *arena)
{
    const sinew_Skeleton *skeleton = b->def->skeleton;
    size_t coordinates = (size_t)b->coordinates, targets = (size_t)b->target_count;
    size_t candidates = (size_t)b->candidate_count, key = (size_t)b->key_size;
    size_t starts = (size_t)b->def->start_count;
    size_t centroids = starts * (size_t)b->def->cluster_count;
    snw_plan_take(&b->plan, snw_sizes_of(skeleton, b->def->goal_count), arena);
    snw_plan_scratch_take(&b->scratch, skeleton, arena);
    b->mobility = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(skeleton), sizeof(double));
    b->base = snw_arena_take(arena, coordinates, sizeof(double));
    b->q = snw_arena_take(arena, coordinates, sizeof(double));
    b->values = snw_arena_take(arena, coordinates, sizeof(double));
    b->from = snw_arena_take(arena, coordinates, sizeof(double));
    b->goals = snw_arena_take(arena, (size_t)b->def->goal_count, sizeof(sinew_Goal));
    b->targets = snw_arena_take(arena, targets * key, sizeof(double));
    b->target_poses = snw_arena_take(arena, targets * coordinates, sizeof(double));
    b->candidates = snw_arena_take(arena, candidates * coordinates, sizeof(double));
    b->iterations = snw_arena_take(arena, candidates * targets, sizeof(uint16_t));
    b->chosen = snw_arena_take(arena, SINEW_MAX_STARTS, sizeof(int));
    b->served = snw_arena_take(arena, targets, 1);
    b->cluster = snw_arena_take(arena, targets, sizeof(int));
    b->distance = snw_arena_take(arena, targets, sizeof(double));
    b->sums = snw_arena_take(arena, key, sizeof(double));
    b->poses = snw_arena_take(arena, starts * coordinates, sizeof(double));
    b->centroids = snw_arena_take(arena, centroids * key, sizeof(double));
    b->centroid_starts = snw_arena_take(arena, centroids, sizeof(int));
}

static sinew_Status check_def(const sinew_StartDef *def, sinew_Message *message)
{
    if (def == NULL) { return snw_refuse(message, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(message, "start"); }
    if (def->skeleton == NULL) { return snw_refuse(message, "skeleton is NULL"); }
    struct {
        const char *name;
        int value, most;
    } counts[] = {
        { "start_count", def->start_count, SINEW_MAX_STARTS },
        { "cluster_count", def->cluster_count, SINEW_MAX_START_CLUSTERS },
        { "target_count", def->target_count, MAX_TARGETS },
        { "candidate_count", def->candidate_count, MAX_CANDIDATES },
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        if (counts[i].value >= 1 && counts[i].value <= counts[i].most) { continue; }
        return snw_refuse(
            message, "%s is %d, want 1..%d", counts[i].name, counts[i].value, counts[i].most);
    }
    if (def->options.rows == SINEW_ROWS_HALF) {
        return snw_refuse(message, "options.rows is half: give position goals instead");
    }
    if (def->pose != NULL) {
        sinew_Status status = sinew_pose_check(def->skeleton, def->pose, message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return snw_start_check_goals(def->skeleton, def->goals, def->goal_count, message);
}

static void close_builder(Builder *b)
{
    sinew_solver_destroy(b->solver);
    snw_free(&b->allocator, b->block, b->block_size);
}

static sinew_Status open_builder(Builder *b, const sinew_StartDef *def, sinew_Message *message)
{
    memset(b, 0, sizeof *b);
    sinew_Status status = check_def(def, message);
    if (status != SINEW_STATUS_OK) { return status; }
    b->def = def;
    b->allocator = snw_allocator_or_default(&def->allocator);
    b->coordinates = sinew_skeleton_coordinate_count(def->skeleton);
    b->key_size = SNW_KEY_SIZE * def->goal_count;
    b->target_count = def->target_count;
    b->candidate_count = def->candidate_count;
    b->random = snw_random(def->seed);
    b->options = def->options;
    b->options.start = SINEW_START_GIVEN;
    b->options.restarts = 0;
    b->options.time_budget = 0.0;

    snw_Arena arena = { NULL, 0 };
    take_arrays(b, &arena);
    bool room = snw_arena_open(&arena, &b->allocator, &b->block_size);
    b->block = arena.base;
    if (!room) { return snw_no_memory(message, "%z bytes", b->block_size); }
    take_arrays(b, &arena);
    sinew_SolverDef solver = sinew_solver_def_default();
    solver.skeleton = def->skeleton;
    solver.max_goals = def->goal_count;
    solver.allocator = def->allocator;
    status = sinew_solver_create(&solver, &b->solver, message);
    if (status != SINEW_STATUS_OK) { return status; }

    for (int a = 0; a < sinew_skeleton_axis_count(def->skeleton); ++a) {
        b->mobility[a] = sinew_skeleton_axes(def->skeleton)[a].mobility;
    }
    if (def->pose != NULL) {
        memcpy(b->base, def->pose, (size_t)b->coordinates * sizeof(double));
    } else {
        sinew_pose_rest(def->skeleton, b->base);
    }
    memcpy(b->goals, def->goals, (size_t)def->goal_count * sizeof(sinew_Goal));
    snw_plan_build(
        &b->plan, &b->scratch, def->skeleton, b->mobility, b->goals, def->goal_count, false);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Sampling and trying

static int value_count(const snw_Link *link)
{
    return link->motion == SNW_BALL ? 4 : 1;
}

// the base pose with random free coordinates
static void random_pose(Builder *b, double *out_q)
{
    memcpy(out_q, b->base, (size_t)b->coordinates * sizeof(double));
    for (int l = 0; l < b->plan.link_count; ++l) {
        const snw_Link *link = &b->plan.links[l];
        for (int k = 0; k < value_count(link); ++k) {
            b->from[link->value + k] = b->values[link->value + k] = b->base[link->coordinate + k];
        }
    }
    bool limits = b->options.limits != SINEW_LIMITS_NONE;
    snw_random_values(&b->plan, limits, &b->random, b->from, b->values);
    for (int l = b->plan.static_link_count; l < b->plan.link_count; ++l) {
        const snw_Link *link = &b->plan.links[l];
        if (link->dof < 0) { continue; }
        for (int k = 0; k < value_count(link); ++k) {
            out_q[link->coordinate + k] = b->values[link->value + k];
        }
    }
}

static void set_goals(Builder *b, const double *q)
{
    for (int g = 0; g < b->def->goal_count; ++g) {
        snw_start_goal_at(b->def->skeleton, q, &b->goals[g]);
    }
}

static double *target_pose(Builder *b, int t)
{
    return &b->target_poses[(size_t)t * (size_t)b->coordinates];
}

static double *target_key(Builder *b, int t)
{
    return &b->targets[(size_t)t * (size_t)b->key_size];
}

static double *candidate(Builder *b, int c)
{
    return &b->candidates[(size_t)c * (size_t)b->coordinates];
}

// free coordinates alone come from the pose
static void base_with(Builder *b, const double *pose, double *out_q)
{
    memcpy(out_q, b->base, (size_t)b->coordinates * sizeof(double));
    for (int l = b->plan.static_link_count; l < b->plan.link_count; ++l) {
        const snw_Link *link = &b->plan.links[l];
        if (link->dof < 0) { continue; }
        for (int k = 0; k < value_count(link); ++k) {
            out_q[link->coordinate + k] = pose[link->coordinate + k];
        }
    }
}

static sinew_Status try_candidates(Builder *b, sinew_Message *message)
{
    for (int t = 0; t < b->target_count; ++t) {
        random_pose(b, target_pose(b, t));
        set_goals(b, target_pose(b, t));
        snw_start_key(b->def->skeleton, b->goals, b->def->goal_count, b->base, target_key(b, t));
    }
    for (int c = 0; c < b->candidate_count; ++c) {
        if (c < 2) {
            (c == 0 ? sinew_pose_rest : sinew_pose_middle)(b->def->skeleton, b->q);
            base_with(b, b->q, candidate(b, c));
        } else {
            random_pose(b, candidate(b, c));
        }
    }
    for (int t = 0; t < b->target_count; ++t) {
        set_goals(b, target_pose(b, t));
        for (int c = 0; c < b->candidate_count; ++c) {
            memcpy(b->q, candidate(b, c), (size_t)b->coordinates * sizeof(double));
            sinew_Report report;
            sinew_Status status = sinew_solver_solve(
                b->solver, &b->options, b->goals, b->def->goal_count, b->q, &report, message);
            if (status != SINEW_STATUS_OK) { return status; }
            int count = report.iterations < NOT_MET ? report.iterations : NOT_MET - 1;
            b->iterations[(size_t)c * (size_t)b->target_count + (size_t)t] = report.outcome
                    == SINEW_OUTCOME_CONVERGED
                ? (uint16_t)count
                : NOT_MET;
        }
    }
    return SINEW_STATUS_OK;
}

static uint16_t iterations_of(const Builder *b, int c, int t)
{
    return b->iterations[(size_t)c * (size_t)b->target_count + (size_t)t];
}

// ---------------------------------------------------------------------------------------------
// Choosing and clustering

// one after another, the candidate that meets most targets which none before it meets; returns how
// many targets are met in all
static int choose_starts(Builder *b)
{
    int met = 0;
    b->chosen_count = 0;
    for (int t = 0; t < b->target_count; ++t) { b->served[t] = 0; }
    while (b->chosen_count < b->def->start_count) {
        int best = -1, most = 0;
        for (int c = 0; c < b->candidate_count; ++c) {
            int gained = 0;
            for (int t = 0; t < b->target_count; ++t) {
                gained += !b->served[t] && iterations_of(b, c, t) != NOT_MET;
            }
            if (gained > most) {
                most = gained;
                best = c;
            }
        }
        // the first candidate stays when none serves anything
        if (best < 0 && b->chosen_count > 0) { break; }
        best = best < 0 ? 0 : best;
        b->chosen[b->chosen_count++] = best;
        met += most;
        for (int t = 0; t < b->target_count; ++t) {
            if (iterations_of(b, best, t) != NOT_MET) { b->served[t] = 1; }
        }
    }
    return met;
}

static double distance2(Builder *b, int t, int centroid)
{
    return snw_start_distance2(target_key(b, t),
        &b->centroids[(size_t)centroid * (size_t)b->key_size], b->def->goal_count, b->plan.reach);
}

static int nearest_centroid(Builder *b, int t)
{
    int nearest = 0;
    double best = INFINITY;
    for (int c = 0; c < b->centroid_count; ++c) {
        double d = distance2(b, t, c);
        if (d < best) {
            best = d;
            nearest = c;
        }
    }
    return nearest;
}

// mean of the targets of a centroid; quaternions are turned to one side before
static void move_centroid(Builder *b, int c)
{
    double *centroid = &b->centroids[(size_t)c * (size_t)b->key_size];
    int count = 0;
    for (int k = 0; k < b->key_size; ++k) { b->sums[k] = 0.0; }
    for (int t = 0; t < b->target_count; ++t) {
        if (b->cluster[t] != c) { continue; }
        ++count;
        const double *key = target_key(b, t);
        for (int g = 0; g < b->key_size; g += SNW_KEY_SIZE) {
            double dot = 0.0;
            for (int k = 3; k < 7; ++k) { dot += key[g + k] * centroid[g + k]; }
            for (int k = 0; k < 3; ++k) { b->sums[g + k] += key[g + k]; }
            for (int k = 3; k < 7; ++k) { b->sums[g + k] += dot < 0.0 ? -key[g + k] : key[g + k]; }
        }
    }
    if (count == 0) { return; }
    for (int g = 0; g < b->key_size; g += SNW_KEY_SIZE) {
        for (int k = 0; k < 3; ++k) { centroid[g + k] = b->sums[g + k] / count; }
        sinew_Quat mean = { b->sums[g + 3], b->sums[g + 4], b->sums[g + 5], b->sums[g + 6] };
        mean = sinew_quat_normalize(mean);
        centroid[g + 3] = mean.x;
        centroid[g + 4] = mean.y;
        centroid[g + 5] = mean.z;
        centroid[g + 6] = mean.w;
    }
}

static void add_centroid(Builder *b, int target)
{
    memcpy(&b->centroids[(size_t)b->centroid_count * (size_t)b->key_size], target_key(b, target),
        (size_t)b->key_size * sizeof(double));
    b->centroid_starts[b->centroid_count++] = 0;
}

// k-means over all targets; the first centroids are far from each other
static void cluster_targets(Builder *b)
{
    int wanted = b->chosen_count * b->def->cluster_count;
    b->centroid_count = 0;
    for (int t = 0; t < b->target_count; ++t) { b->distance[t] = INFINITY; }
    int farthest = 0;
    while (b->centroid_count < wanted && b->distance[farthest] > 0.0) {
        add_centroid(b, farthest);
        for (int t = 0; t < b->target_count; ++t) {
            b->distance[t] = fmin(b->distance[t], distance2(b, t, b->centroid_count - 1));
            if (b->distance[t] > b->distance[farthest]) { farthest = t; }
        }
    }
    for (int round = 0; round < CLUSTER_ROUNDS; ++round) {
        for (int t = 0; t < b->target_count; ++t) { b->cluster[t] = nearest_centroid(b, t); }
        for (int c = 0; c < b->centroid_count; ++c) { move_centroid(b, c); }
    }
    for (int t = 0; t < b->target_count; ++t) { b->cluster[t] = nearest_centroid(b, t); }
}

// the start that serves most targets of a cluster; of equal ones the soonest
static int start_of_cluster(const Builder *b, int c)
{
    int best = 0, most = -1;
    double least = INFINITY;
    for (int s = 0; s < b->chosen_count; ++s) {
        int met = 0;
        double iterations = 0.0;
        for (int t = 0; t < b->target_count; ++t) {
            uint16_t count = iterations_of(b, b->chosen[s], t);
            if (b->cluster[t] != c || count == NOT_MET) { continue; }
            ++met;
            iterations += count;
        }
        if (met > most || (met == most && iterations < least)) {
            best = s;
            most = met;
            least = iterations;
        }
    }
    return best;
}

static void fill_table(Builder *b)
{
    for (int s = 0; s < b->chosen_count; ++s) {
        memcpy(&b->poses[(size_t)s * (size_t)b->coordinates], candidate(b, b->chosen[s]),
            (size_t)b->coordinates * sizeof(double));
    }
    cluster_targets(b);
    for (int c = 0; c < b->centroid_count; ++c) { b->centroid_starts[c] = start_of_cluster(b, c); }
}

static sinew_Status make_table(
    const Builder *b, sinew_StartTable **out_table, sinew_Message *message)
{
    sinew_StartTableData data = { .start_count = b->chosen_count,
        .centroid_count = b->centroid_count,
        .coordinate_count = b->coordinates,
        .goal_count = b->def->goal_count,
        .reach = b->plan.reach,
        .poses = b->poses,
        .centroids = b->centroids,
        .centroid_starts = b->centroid_starts,
        .goals = b->def->goals };
    return sinew_start_table_create(
        b->def->skeleton, &data, &b->def->allocator, out_table, message);
}

sinew_Status sinew_start_table_build(const sinew_StartDef *def, sinew_StartTable **out_table,
    double *out_share, sinew_Message *out_message)
{
    if (out_table == NULL) { return snw_refuse(out_message, "out_table is NULL"); }
    *out_table = NULL;
    Builder b;
    sinew_Status status = open_builder(&b, def, out_message);
    if (status == SINEW_STATUS_OK) { status = try_candidates(&b, out_message); }
    if (status == SINEW_STATUS_OK) {
        int met = choose_starts(&b);
        fill_table(&b);
        if (out_share != NULL) { *out_share = (double)met / b.target_count; }
        status = make_table(&b, out_table, out_message);
    }
    close_builder(&b);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Success by number of starts

// one goal with `starts` starts, in the three ways
static sinew_Status count_success(Builder *b, const sinew_StartTable *table, int starts,
    const double *target, sinew_StartSuccess *success, sinew_Message *message)
{
    double *shares[3] = { &success->nearest, &success->table, &success->random };
    set_goals(b, target);
    for (int way = 0; way < 3; ++way) {
        sinew_SolveOptions options = b->options;
        options.start = way < 2 ? SINEW_START_TABLE : SINEW_START_GIVEN;
        options.restarts = way == 0 ? 0 : starts - 1;
        options.seed = b->def->seed;
        sinew_Status status = sinew_solver_set_starts(b->solver, way < 2 ? table : NULL);
        if (status != SINEW_STATUS_OK) { return status; }
        if (way == 2) {
            random_pose(b, b->q);
        } else {
            memcpy(b->q, b->base, (size_t)b->coordinates * sizeof(double));
        }
        sinew_Report report;
        status = sinew_solver_solve(
            b->solver, &options, b->goals, b->def->goal_count, b->q, &report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (report.outcome == SINEW_OUTCOME_CONVERGED) { *shares[way] += 1.0; }
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_start_success(const sinew_StartDef *def, const int *starts, int count,
    int target_count, sinew_StartSuccess *out_success, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "starts out_success", starts, out_success);
    if (status != SINEW_STATUS_OK) { return status; }
    if (target_count < 1) {
        return snw_refuse(out_message, "target_count is %d, want above 0", target_count);
    }
    Builder b;
    status = open_builder(&b, def, out_message);
    if (status == SINEW_STATUS_OK) { status = try_candidates(&b, out_message); }
    for (int i = 0; i < count && status == SINEW_STATUS_OK; ++i) {
        // the choice of starts is greedy, so few are the first of many; the trials are shared
        out_success[i] = (sinew_StartSuccess){ 0.0, 0.0, 0.0 };
        sinew_StartDef part = *def;
        part.start_count = starts[i];
        if (starts[i] < 1 || starts[i] > def->start_count) {
            status = snw_refuse(
                out_message, "starts[%d] is %d, want 1..%d", i, starts[i], def->start_count);
            break;
        }
        b.def = &part;
        (void)choose_starts(&b);
        fill_table(&b);
        sinew_StartTable *table = NULL;
        status = make_table(&b, &table, out_message);
        b.random = snw_random(def->seed ^ 0x5bd1e995u);
        for (int t = 0; t < target_count && status == SINEW_STATUS_OK; ++t) {
            double *target = target_pose(&b, 0);
            random_pose(&b, target);
            status = count_success(&b, table, starts[i], target, &out_success[i], out_message);
        }
        (void)sinew_solver_set_starts(b.solver, NULL);
        sinew_start_table_destroy(table);
        b.def = def;
        out_success[i].nearest /= target_count;
        out_success[i].table /= target_count;
        out_success[i].random /= target_count;
    }
    close_builder(&b);
    return status;
}
