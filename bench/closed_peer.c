#include "bench/closed_peer.h"

#include "bench/bench_goals.h"
#include "scenes/reckoning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32

void bench_closed_peer(const bench_Request *request, bench_Output *out, int targets)
{
    (void)request;
    (void)out;
    (void)targets;
}

#else

#include <dlfcn.h>

// answers of one target that are looked at, runs whose lowest time counts, and what a hand-made solver may
// miss a target by, times the tolerance
enum { ANSWERS = 64, PASSES = 3 };
#define LIMIT_SLACK 1e-9

typedef const char *ArmFunction(void);
typedef int SolveFunction(
    const double *pose, const double *lower, const double *upper, double *answers, int capacity);

typedef struct Peer {
    void *library;
    ArmFunction *arm;
    SolveFunction *solve;
} Peer;

static bool open_peer(Peer *peer)
{
    const char *path = getenv("SINEW_PEER");
    if (path == NULL) { return false; }
    peer->library = dlopen(path, RTLD_NOW);
    if (peer->library == NULL) {
        fprintf(stderr, "sinew: SINEW_PEER: %s\n", dlerror());
        return false;
    }
    // a pointer to data becomes one to a function, as POSIX asks for
    void *arm = dlsym(peer->library, "sinew_peer_arm");
    void *solve = dlsym(peer->library, "sinew_peer_solve");
    memcpy(&peer->arm, &arm, sizeof arm);
    memcpy(&peer->solve, &solve, sizeof solve);
    if (arm != NULL && solve != NULL) { return true; }
    fprintf(stderr, "sinew: SINEW_PEER: %s has no sinew_peer_arm and sinew_peer_solve\n", path);
    dlclose(peer->library);
    return false;
}

// whether an answer meets the target inside the ranges
static bool is_good(
    const bench_Chain *chain, const double *answer, sinew_Transform place, double *q)
{
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(chain->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(chain->skeleton);
    for (int i = 0; i < chain->axis_count; ++i) {
        const sinew_Axis *axis = &axes[chain->axes[i]];
        if (!(answer[i] >= axis->lower - LIMIT_SLACK && answer[i] <= axis->upper + LIMIT_SLACK)) {
            return false;
        }
        q[places[chain->axes[i]].coordinate] = answer[i];
    }
    sinew_Transform tip = scene_reckon(chain->skeleton, q, chain->tip, sinew_transform_identity());
    return sinew_vec3_distance(tip.position, place.position) <= BENCH_CHAIN_TOLERANCE
        && scene_reckon_angle(tip.rotation, place.rotation) <= BENCH_CHAIN_TOLERANCE;
}

static void put_pose(sinew_Transform place, double pose[12])
{
    sinew_Mat3 m = sinew_mat3_from_quat(place.rotation);
    const double rows[12] = { m.x.x, m.y.x, m.z.x, place.position.x, m.x.y, m.y.y, m.z.y,
        place.position.y, m.x.z, m.y.z, m.z.z, place.position.z };
    memcpy(pose, rows, sizeof rows);
}

// times of the peer, and the shares of targets that it and its answers meet
static bool run_peer(const Peer *peer, const bench_Chain *chain, const bench_Targets *targets,
    bench_ChainResult *result, double *out_answers)
{
    int base = sinew_skeleton_joints(chain->skeleton)[chain->root].parent;
    sinew_Transform none = sinew_transform_identity();
    sinew_Transform from = base >= 0 ? scene_reckon(chain->skeleton, chain->q, base, none) : none;
    double *times = malloc((size_t)targets->count * sizeof *times);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof *q);
    double *answers = malloc((size_t)ANSWERS * (size_t)chain->axis_count * sizeof *answers);
    bool enough = times != NULL && q != NULL && answers != NULL;
    *result = (bench_ChainResult){ .count = targets->count };
    *out_answers = 0.0;
    if (enough) {
        memcpy(q, chain->q, (size_t)sinew_skeleton_coordinate_count(chain->skeleton) * sizeof *q);
    }
    for (int pass = 0; enough && pass < PASSES; ++pass) {
        for (int i = 0; i < targets->count; ++i) {
            double pose[12];
            put_pose(sinew_transform_mul(sinew_transform_inverse(from), targets->places[i]), pose);
            double begin = bench_clock(NULL);
            int count = peer->solve(pose, chain->lower, chain->upper, answers, ANSWERS);
            double time = bench_clock(NULL) - begin;
            times[i] = pass == 0 ? time : fmin(times[i], time);
            if (pass > 0) { continue; }
            bool good = false;
            for (int a = 0; a < count && !good; ++a) {
                good = is_good(chain, &answers[a * chain->axis_count], targets->places[i], q);
            }
            result->solved += good ? 1.0 / targets->count : 0.0;
            *out_answers += (double)count / targets->count;
        }
    }
    for (int i = 0; enough && i < targets->count; ++i) {
        result->mean += times[i] / targets->count;
    }
    if (enough) {
        qsort(times, (size_t)targets->count, sizeof *times, bench_compare);
        result->median = times[targets->count / 2];
        result->p99 = times[(size_t)targets->count * 99 / 100];
    }
    free(times);
    free(q);
    free(answers);
    return enough;
}

static void put_peer(const Peer *peer, const bench_Chain *chain, const char *name,
    const bench_Request *request, bench_Output *out, int count)
{
    static const bench_Column columns[] = { { "arm", "arm", NULL, 0.0 },
        { "solver", "solver", NULL, 0.0 }, { "solved", "solved_share", "3 %", 100.0 },
        { "answers", "answers", "1", 1.0 }, { "median us", "median_us", "2", 1e6 },
        { "mean us", "mean_us", "2", 1e6 }, { "p99 us", "p99_us", "2", 1e6 },
        { NULL, NULL, NULL, 0.0 } };
    bench_Targets targets;
    bench_ChainResult theirs, ours;
    double answers;
    if (!bench_targets_open(chain, request->seed, count, &targets)) { return; }
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    options.branch = SINEW_BRANCH_FIRST;
    if (run_peer(peer, chain, &targets, &theirs, &answers)
        && bench_chain_run(chain, &targets, false, &options, PASSES, &ours)) {
        bench_columns_begin(out, "peer", "Beside $SINEW_PEER on the same targets", columns);
        bench_row(out, columns, (const char *[]){ name, "peer" },
            (const double[]){ theirs.solved, answers, theirs.median, theirs.mean, theirs.p99 });
        bench_row(out, columns, (const char *[]){ name, "sinew, first" },
            (const double[]){ ours.solved, 1.0, ours.median, ours.mean, ours.p99 });
        bench_table_end(out);
    }
    bench_targets_close(&targets);
}

void bench_closed_peer(const bench_Request *request, bench_Output *out, int targets)
{
    Peer peer;
    if (!open_peer(&peer)) { return; }
    const char *name = peer.arm();
    bool found = false;
    for (int i = 0; i < bench_arm_count() && !found; ++i) {
        sinew_MotionFile *file = NULL;
        bench_Chain chain;
        if (strcmp(bench_arm_name(i), name) != 0 || !bench_arm_open(i, &file, &chain)) { continue; }
        found = true;
        put_peer(&peer, &chain, name, request, out, targets);
        bench_chain_close(&chain);
        sinew_motion_destroy(file);
    }
    if (!found) { fprintf(stderr, "sinew: SINEW_PEER: there is no arm '%s'\n", name); }
    dlclose(peer.library);
}

#endif
