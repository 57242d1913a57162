// `sinew bench arms`: robot arms with the protocol of TRAC-IK's comparison (bench_chain.h), beside
// Orocos KDL on the same targets.

#include "bench/bench_goals.h"
#include "bench/goal_rows.h"

#include "sinew/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 20000, KDL_TARGETS = 1000, PASSES = 3 };

typedef struct Arm {
    const char *file; ///< its name without folder and ending
    const char *name;
    const char *base, *tip; ///< links; what is between them moves
} Arm;

static const Arm arms[] = {
    { "panda", "Franka Panda", "panda_link0", "panda_link8" },
    { "kuka_iiwa", "KUKA iiwa", "lbr_iiwa_link_0", "lbr_iiwa_link_7" },
    { "ur5", "UR5, 360 deg", "base_link", "tool0" },
    { "ur5_limited", "UR5, 180 deg", "base_link", "tool0" },
    { "kinova_jaco", "Kinova Jaco", "base", "j2s6s200_end_effector" },
    { "baxter", "Baxter left", "torso", "left_gripper" },
    { "baxter", "Baxter right", "torso", "right_gripper" },
    { "pr2", "PR2 left", "torso_lift_link", "l_gripper_tool_frame" },
    { "pr2", "PR2 right", "torso_lift_link", "r_gripper_tool_frame" },
    { "pr2", "PR2 lift and right", "base_link", "r_gripper_tool_frame" },
    { "tiago", "TIAGo", "torso_lift_link", "arm_tool_link" },
    { "tiago", "TIAGo lift and arm", "torso_fixed_link", "arm_tool_link" },
    { "romeo", "Romeo left", "torso", "l_gripper" },
    { "romeo", "Romeo right", "torso", "r_gripper" },
    { "nao", "NAO left", "torso", "l_wrist" },
    { "nao", "NAO right", "torso", "r_wrist" },
    { "talos_full_v2", "Talos left", "torso_2_link", "gripper_left_base_link" },
    { "talos_full_v2", "Talos right", "torso_2_link", "gripper_right_base_link" },
    { "talos_full_v2", "Talos waist and left", "base_link", "gripper_left_base_link" },
    { "unitree_g1_29dof", "Unitree G1 left", "torso_link", "left_rubber_hand" },
    { "unitree_g1_29dof", "Unitree G1 right", "torso_link", "right_rubber_hand" },
    { "unitree_g1_29dof", "Unitree G1 waist and left", "pelvis", "left_rubber_hand" },
    { "simple_humanoid", "simple humanoid left", "torso", "l_wrist" },
    { "simple_humanoid", "simple humanoid right", "torso", "r_wrist" },
};
enum { ARMS = (int)(sizeof arms / sizeof arms[0]) };

static const struct {
    const char *file, *why;
} left_out[] = {
    { "a1_quadruped", "legs of three axes, no arm" },
    { "anymal_b", "legs of three axes, no arm" },
    { "solo12", "legs of three axes, no arm" },
    { "r2d2", "no arm" },
};
enum { LEFT_OUT = (int)(sizeof left_out / sizeof left_out[0]) };

// chains of hinges among the built-in scenes, for those who have no robot at hand
static const struct {
    const char *scene, *effector, *name;
} built_in[] = {
    { "ARM", "Grip", "scene ARM" },
    { "LEG", "Heel", "scene LEG, heel" },
    { "SPINEARM", "Grip", "scene SPINEARM" },
};
enum { BUILT_IN = (int)(sizeof built_in / sizeof built_in[0]) };

typedef struct Run {
    const bench_Request *request;
    bench_Output out;
    sinew_SolveOptions options;
    int targets;
    /// What KDL made of it, told in a second table.
    struct {
        char name[64];
        const char *start;
        bench_ChainResult ours;
        bench_PeerResult peer;
    } * peers;
    int peer_count, peer_capacity;
    bool counts; // the arms at work are those that have goals
    bench_ArmGoals goals;
    /// Failures, told in another.
    char failures[4096];
} Run;

// ---------------------------------------------------------------------------------------------
// Rows

static const bench_Column columns[] = { { "arm", "arm", NULL, 0.0 }, { "axes", "axes", "0", 1.0 },
    { "start", "start", NULL, 0.0 }, { "solved", "solved_share", "3 %", 100.0 },
    { "median us", "median_us", "2", 1.0 }, { "mean us", "mean_us", "2", 1.0 },
    { "p99 us", "p99_us", "1", 1.0 }, { "p99.9 us", "p999_us", "0", 1.0 },
    { "iterations", "mean_iterations", "1", 1.0 }, { "attempts", "mean_attempts", "2", 1.0 },
    { "beyond limits", "limit_violation", "0", 1.0 }, { NULL, NULL, NULL, 0.0 } };

static void note_failures(Run *run, const char *name, const char *start, const bench_ChainResult *r)
{
    if (r->failure_count == 0) { return; }
    size_t used = strlen(run->failures), room = sizeof run->failures - used;
    int length = snprintf(run->failures + used, room, "  %s, start %s: %d not solved, seeds", name,
        start, r->failure_count);
    for (int i = 0; i < r->failure_count && i < BENCH_TOLD_FAILURES && length < (int)room; ++i) {
        length += snprintf(run->failures + used + length, room - (size_t)length, " %llu",
            (unsigned long long)run->request->seed + (unsigned long long)r->failures[i]);
    }
    if (length < (int)room) {
        (void)snprintf(run->failures + used + length, room - (size_t)length, "\n");
    }
}

static void keep_peer(Run *run, const char *name, const char *start, const bench_ChainResult *ours,
    const bench_PeerResult *peer)
{
    if (run->peer_count == run->peer_capacity) {
        int capacity = run->peer_capacity + 64;
        void *more = realloc(run->peers, (size_t)capacity * sizeof *run->peers);
        if (more == NULL) {
            run->out.failed = true;
            return;
        }
        run->peers = more;
        run->peer_capacity = capacity;
    }
    int i = run->peer_count++;
    snprintf(run->peers[i].name, sizeof run->peers[i].name, "%s", name);
    run->peers[i].start = start;
    run->peers[i].ours = *ours;
    run->peers[i].peer = *peer;
}

static void run_chain(Run *run, const bench_Chain *chain, const char *name)
{
    static const char *const starts[2] = { "middle", "random" };
    bench_Targets targets;
    if (!bench_targets_open(chain, run->request->seed, run->targets, &targets)) {
        run->out.failed = true;
        return;
    }
    for (int s = 0; s < 2; ++s) {
        bench_ChainResult r;
        if (!bench_chain_run(chain, &targets, s == 1, &run->options, PASSES, &r)) {
            run->out.failed = true;
            break;
        }
        bench_row(&run->out, columns, (const char *[]){ name, starts[s] },
            (const double[]){ chain->axis_count, r.solved, 1e6 * r.median, 1e6 * r.mean,
                1e6 * r.p99, 1e6 * r.p999, r.iterations, r.attempts, r.violation });
        note_failures(run, name, starts[s], &r);
        bench_PeerResult peer;
        bool has_peer = bench_chain_run_kdl(chain, &targets, s == 1, KDL_TARGETS, true, &peer);
        if (has_peer) { keep_peer(run, name, starts[s], &r, &peer); }
        if (run->counts) {
            bench_arm_goals_note(&run->goals, name, s == 1, &r, has_peer ? &peer : NULL);
        }
    }
    bench_targets_close(&targets);
}

static void run_built_in(Run *run)
{
    for (int i = 0; i < BUILT_IN; ++i) {
        scene_Scene *scene = NULL;
        bench_Chain chain;
        if (scene_create(built_in[i].scene, NULL, &scene, NULL) != SINEW_STATUS_OK) {
            run->out.failed = true;
            return;
        }
        int tip = sinew_skeleton_find_joint(scene->skeleton, built_in[i].effector);
        if (bench_chain_open(scene->skeleton, -1, tip, false, &chain)) {
            run_chain(run, &chain, built_in[i].name);
            bench_chain_close(&chain);
        }
        scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Files

// the name of a file without folder and ending
static void base_name(const char *path, char *out_name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(out_name, size, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(out_name, '.');
    if (dot != NULL) { *dot = '\0'; }
}

// the joint with the most moving axes above it; the first of equals
static int longest_tip(const sinew_Skeleton *skeleton)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    int best = 0, most = -1;
    for (int tip = 0; tip < sinew_skeleton_joint_count(skeleton); ++tip) {
        int count = 0;
        for (int j = tip; j >= 0; j = joints[j].parent) {
            for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count;
                 ++a) {
                count += axes[a].mobility > 0.0;
            }
        }
        if (count > most || (count == most && joints[tip].parent == best)) {
            best = tip;
            most = count;
        }
    }
    return best;
}

static int run_arm(Run *run, const sinew_MotionFile *file, const char *path, const char *name,
    const char *base_link, const char *tip_link)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    int base = base_link != NULL ? sinew_motion_find_joint(file, base_link) : -1;
    int tip = tip_link != NULL ? sinew_motion_find_joint(file, tip_link) : longest_tip(skeleton);
    if (tip < 0 || (base_link != NULL && base < 0)) {
        fprintf(stderr, "sinew: %s: no link or joint %s\n", path, tip < 0 ? tip_link : base_link);
        return 1;
    }
    bench_Chain chain;
    if (!bench_chain_open(skeleton, base, tip, false, &chain)) {
        fprintf(stderr, "sinew: %s: nothing moves on the way to %s\n", path,
            sinew_skeleton_joints(skeleton)[tip].name);
        return 1;
    }
    run_chain(run, &chain, name);
    bench_chain_close(&chain);
    return 0;
}

// all known arms of a file, or its longest chain
static int run_file(Run *run, const char *path, bool chosen)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    if (sinew_motion_read(path, &options, &file, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "sinew: %s\n", message.text);
        return 1;
    }
    char name[64];
    base_name(path, name, sizeof name);
    const bench_Request *request = run->request;
    int status = 0, known = 0;
    bool said = chosen && (request->base != NULL || request->tip != NULL);
    for (int i = 0; i < ARMS && !said; ++i) {
        if (strcmp(arms[i].file, name) != 0) { continue; }
        ++known;
        status |= run_arm(run, file, path, arms[i].name, arms[i].base, arms[i].tip);
    }
    if (known == 0) { status = run_arm(run, file, path, name, request->base, request->tip); }
    sinew_motion_destroy(file);
    return status;
}

static bool arm_path(const Arm *arm, char *out_path, size_t size)
{
    char name[128];
    snprintf(name, sizeof name, "urdf/%s.urdf", arm->file);
    return bench_data_path(name, out_path, size);
}

// the files of the arms above that are in the test data; how many
static int run_folder(Run *run, int *out_status)
{
    int found = 0;
    for (int i = 0; i < ARMS; ++i) {
        if (i > 0 && strcmp(arms[i].file, arms[i - 1].file) == 0) { continue; }
        char path[1024];
        if (!arm_path(&arms[i], path, sizeof path)) { continue; }
        ++found;
        *out_status |= run_file(run, path, false);
    }
    return found;
}

int bench_arm_count(void)
{
    return ARMS;
}

const char *bench_arm_name(int index)
{
    return arms[index].name;
}

bool bench_arm_open(int index, sinew_MotionFile **out_file, bench_Chain *out_chain)
{
    char path[1024];
    sinew_ReadOptions reading = sinew_read_options_default();
    *out_file = NULL;
    if (!arm_path(&arms[index], path, sizeof path)) { return false; }
    if (sinew_motion_read(path, &reading, out_file, NULL) != SINEW_STATUS_OK) { return false; }
    int base = sinew_motion_find_joint(*out_file, arms[index].base);
    int tip = sinew_motion_find_joint(*out_file, arms[index].tip);
    bool good = bench_chain_open(sinew_motion_skeleton(*out_file), base, tip, false, out_chain);
    if (!good) { sinew_motion_destroy(*out_file); }
    return good;
}

bool bench_arm_run(const bench_Request *request, sinew_Method method, bool random_start, int count,
    int kdl_count, bench_ArmResult *arm)
{
    int i = 0;
    while (i < ARMS && strcmp(arms[i].name, arm->name) != 0) { ++i; }
    sinew_MotionFile *file = NULL;
    bench_Chain chain;
    bench_Targets targets;
    if (i == ARMS || !bench_arm_open(i, &file, &chain)) { return false; }
    sinew_SolveOptions options = bench_chain_options(method);
    bool good = bench_targets_open(&chain, request->seed, count, &targets);
    if (good) {
        good = bench_chain_run(&chain, &targets, random_start, &options, PASSES, &arm->result);
        arm->has_kdl = bench_chain_run_kdl(
            &chain, &targets, random_start, kdl_count, true, &arm->kdl);
        bench_targets_close(&targets);
    }
    bench_chain_close(&chain);
    sinew_motion_destroy(file);
    return good;
}

// ---------------------------------------------------------------------------------------------
// KDL

static void put_peers(Run *run)
{
    static const bench_Column peer_columns[] = { { "arm", "arm", NULL, 0.0 },
        { "start", "start", NULL, 0.0 }, { "NR_JL solved", "nr_jl_solved_share", "1 %", 100.0 },
        { "median us", "nr_jl_median_us", "0", 1.0 }, { "mean us", "nr_jl_mean_us", "0", 1.0 },
        { "p99 us", "nr_jl_p99_us", "0", 1.0 }, { "LMA solved", "lma_solved_share", "1 %", 100.0 },
        { "any limits", "lma_solved_any_limit_share", "1 %", 100.0 },
        { "mean us", "lma_mean_us", "0", 1.0 }, { "sinew mean us", "mean_us", "2", 1.0 },
        { "NR_JL / sinew", "nr_jl_to_sinew", "0 x", 1.0 },
        { "LMA / sinew", "lma_to_sinew", "1 x", 1.0 }, { NULL, NULL, NULL, 0.0 } };
    char title[128];
    snprintf(title, sizeof title,
        "Orocos KDL on the first %d of the same targets; ratios of mean times",
        run->targets < KDL_TARGETS ? run->targets : KDL_TARGETS);
    bench_columns_begin(&run->out, "kdl", title, peer_columns);
    for (int i = 0; i < run->peer_count; ++i) {
        const bench_ChainResult *a = &run->peers[i].peer.limited,
                                *b = &run->peers[i].peer.marquardt;
        double ours = run->peers[i].ours.mean;
        bench_row(&run->out, peer_columns,
            (const char *[]){ run->peers[i].name, run->peers[i].start },
            (const double[]){ a->solved, 1e6 * a->median, 1e6 * a->mean, 1e6 * a->p99, b->solved,
                b->solved_any_limit, 1e6 * b->mean, 1e6 * ours, a->mean / ours, b->mean / ours });
    }
    bench_table_end(&run->out);
}

static void put_notes(Run *run, bool folder)
{
    bench_Output *out = &run->out;
    if (out->as_json) {
        cli_json_array(&out->json, "left_out");
        for (int i = 0; folder && i < LEFT_OUT; ++i) {
            cli_json_object(&out->json, NULL);
            cli_json_text(&out->json, "file", left_out[i].file);
            cli_json_text(&out->json, "why", left_out[i].why);
            cli_json_object_end(&out->json);
        }
        cli_json_array_end(&out->json);
        cli_json_text(&out->json, "failures", run->failures);
        return;
    }
    if (run->failures[0] != '\0') {
        printf("Not solved (--seed N --targets 1 repeats one)\n\n%s\n", run->failures);
    }
    for (int i = 0; folder && i < LEFT_OUT; ++i) {
        printf("  left out: %s: %s\n", left_out[i].file, left_out[i].why);
    }
    if (!bench_has_kdl()) {
        printf("  KDL is not in this build. Debian, Ubuntu: apt-get install liborocos-kdl-dev g++, "
               "then build again.\n");
    }
}

int sinew_bench_arms(const bench_Request *request)
{
    Run run = { .request = request, .out = { .as_json = request->json } };
    sinew_Method method = request->method_given ? request->method : bench_default_method();
    run.options = bench_chain_options(method);
    run.targets = request->targets > 0 ? request->targets : TARGETS;
    if (request->json) {
        run.out.json = cli_json_begin();
        cli_json_text(&run.out.json, "method", sinew_method_name(method));
        cli_json_whole(&run.out.json, "targets", run.targets);
        cli_json_whole(&run.out.json, "seed", (long)request->seed);
    }
    char title[200];
    snprintf(title, sizeof title,
        "%d random reachable poses (1e-5 m, 1e-5 rad, 5 ms) by %s, each time the lowest of %d",
        run.targets, sinew_method_name(method), PASSES);
    bench_columns_begin(&run.out, "arms", title, columns);
    int status = 0;
    bool folder = false;
    for (int f = 0; f < request->file_count; ++f) {
        status |= run_file(&run, request->files[f], true);
    }
    if (request->file_count == 0) {
        run.counts = true;
        folder = run_folder(&run, &status) > 0;
        run.counts = false;
        if (!folder) {
            fprintf(stderr,
                "sinew: no robots: set SINEW_DATA to the folder of the test data (urdf/panda.urdf "
                "and others), or name URDF files; chains of the built-in scenes follow\n");
        }
        run_built_in(&run);
    }
    bench_table_end(&run.out);
    if (bench_has_kdl()) { put_peers(&run); }
    if (folder) {
        bench_GoalRows rows = { .count = 0 };
        bench_arm_goals_rows(&run.goals, &rows);
        bench_goal_put(&rows, &run.out, request);
    }
    put_notes(&run, folder);
    if (request->json) { cli_json_end(&run.out.json); }
    free(run.peers);
    if (run.out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return run.out.failed ? 1 : status;
}
