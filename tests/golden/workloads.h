#ifndef WORKLOADS_H
#define WORKLOADS_H

// Five kinds of work, cut into chunks of a few hundred microseconds: a hash over all poses tells whether two
// builds compute the same bits, and times of chunks, the least of several passes each, how fast they are.

#include "golden.h"

#define WORKLOAD_COUNT 5
#define WORKLOAD_CHUNKS 60
#define WORKLOAD_MAX_GOALS 64

typedef struct Workload {
    scene_Scene *scene;
    sinew_Skeleton *own; // of a robot that is no scene
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_Tracker *tracker;
    sinew_Walker *walker;
    sinew_Terrain *terrain;
    sinew_SolveOptions options;
    int operations; // of a chunk
    int done;       // chunks of this pass
    int met;        // goals of this pass
    uint64_t hash;
    double q[GOLDEN_MAX_NUMBERS];
} Workload;

static const char *const workload_names[WORKLOAD_COUNT] = { "Panda, pose to 1e-5",
    "SPINEARM, place to 1e-5", "MAN18, all joints followed", "HAND, tips followed",
    "MAN18 walks over hills" };

// Franka Emika Panda by its published Denavit-Hartenberg lengths and limits; hinges about z
static inline sinew_Skeleton *workload_panda(void)
{
    static const struct {
        double x, y, z, turn, lower, upper; // turn: quarters about x
    } rows[8] = { { 0, 0, 0.333, 0, -2.8973, 2.8973 }, { 0, 0, 0, -1, -1.7628, 1.7628 },
        { 0, -0.316, 0, 1, -2.8973, 2.8973 }, { 0.0825, 0, 0, 1, -3.0718, -0.0698 },
        { -0.0825, 0.384, 0, -1, -2.8973, 2.8973 }, { 0, 0, 0, 1, -0.0175, 3.7525 },
        { 0.088, 0, 0, 1, -2.8973, 2.8973 }, { 0, 0, 0.107, 0, 0, 0 } };
    sinew_JointDef joints[8];
    sinew_Axis axes[8];
    for (int j = 0; j < 8; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = j < 7 ? "joint" : "flange";
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(rows[j].x, rows[j].y, rows[j].z);
        // a quarter turn about x
        const double half = 0.70710678118654757;
        joints[j].rest_rotation.x = rows[j].turn * half;
        joints[j].rest_rotation.w = rows[j].turn != 0.0 ? half : 1.0;
        axes[j] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), rows[j].lower, rows[j].upper);
        axes[j].rest = 0.5 * (rows[j].lower + rows[j].upper);
        joints[j].axes = &axes[j];
        joints[j].axis_count = j < 7 ? 1 : 0;
    }
    sinew_Skeleton *skeleton = NULL;
    golden_ok(sinew_skeleton_create(joints, 8, NULL, &skeleton, NULL));
    return skeleton;
}

static inline void workload_solver(Workload *w)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = w->skeleton;
    golden_ok(sinew_solver_create(&def, &w->solver, NULL));
    w->options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    w->options.position_tolerance = w->options.orientation_tolerance = 1e-5;
    w->operations = 50;
}

static inline void workload_destroy(Workload *w)
{
    sinew_solver_destroy(w->solver);
    sinew_tracker_destroy(w->tracker);
    sinew_walker_destroy(w->walker);
    sinew_terrain_destroy(w->terrain);
    scene_destroy(w->scene);
    sinew_skeleton_destroy(w->own);
    memset(w, 0, sizeof *w);
}

// a pass begins: the same each time
static inline void workload_begin(Workload *w, int kind)
{
    static const char *const scenes[WORKLOAD_COUNT] = { NULL, "SPINEARM", "MAN18", "HAND",
        "MAN18" };
    workload_destroy(w);
    if (scenes[kind] != NULL) { w->scene = golden_scene(scenes[kind]); }
    if (kind == 0) { w->own = workload_panda(); }
    w->skeleton = w->scene != NULL ? w->scene->skeleton : w->own;
    w->hash = UINT64_C(0xcbf29ce484222325);
    w->operations = 20;
    if (kind < 2) {
        workload_solver(w);
    } else if (kind < 4) {
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = w->skeleton;
        def.max_goals = WORKLOAD_MAX_GOALS;
        golden_ok(sinew_tracker_create(&def, &w->tracker, NULL));
    } else {
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = w->skeleton;
        golden_ok(sinew_walker_create(&def, &w->walker, NULL));
        sinew_TerrainDef ground = sinew_terrain_def_default(SINEW_TERRAIN_HILLS);
        golden_ok(sinew_terrain_create(&ground, &w->terrain, NULL));
    }
}

// a random pose inside the ranges of hinges, or of the scene
static inline void workload_random(const Workload *w, scene_Random *random, double *q)
{
    if (w->scene != NULL) {
        scene_random_pose(w->scene, random, q);
        return;
    }
    const sinew_Axis *axes = sinew_skeleton_axes(w->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(w->skeleton); ++a) {
        q[a] = scene_random_range(random, axes[a].lower, axes[a].upper);
    }
}

static inline void workload_solve(Workload *w, int index)
{
    double target[GOLDEN_MAX_NUMBERS];
    sinew_Transform world[GOLDEN_MAX_JOINTS];
    scene_Random random = scene_random((uint64_t)index);
    workload_random(w, &random, target);
    sinew_pose_forward(w->skeleton, target, world);
    const int tip = w->scene != NULL ? w->scene->effectors[0].joint : 7;
    const sinew_Goal goal = w->scene != NULL
        ? sinew_goal_position(tip, world[tip].position)
        : sinew_goal_pose(tip, world[tip].position, world[tip].rotation);
    workload_random(w, &random, w->q);
    sinew_Report report;
    golden_ok(sinew_solver_solve(w->solver, &w->options, &goal, 1, w->q, &report, NULL));
    w->met += report.outcome == SINEW_OUTCOME_CONVERGED;
}

static inline void workload_follow(Workload *w, int frame)
{
    double q[GOLDEN_MAX_NUMBERS];
    sinew_Transform world[GOLDEN_MAX_JOINTS];
    sinew_Goal goals[WORKLOAD_MAX_GOALS];
    scene_pose_at(w->scene, frame / 60.0, q);
    int count = sinew_skeleton_joint_count(w->skeleton);
    if (w->scene->effector_count > 10) { // a hand: its effectors
        count = golden_goals(w->scene, q, goals);
    } else {
        sinew_pose_forward(w->skeleton, q, world);
        for (int j = 0; j < count; ++j) { goals[j] = sinew_goal_position(j, world[j].position); }
    }
    sinew_Report report;
    golden_ok(sinew_tracker_update(w->tracker, goals, count, w->q, &report, NULL));
    w->met += report.outcome == SINEW_OUTCOME_CONVERGED;
}

// the next chunk of the pass
static inline void workload_chunk(Workload *w)
{
    for (int i = 0; i < w->operations; ++i) {
        const int index = w->done * w->operations + i;
        if (w->solver != NULL) {
            workload_solve(w, index);
        } else if (w->tracker != NULL) {
            workload_follow(w, index);
        } else {
            const sinew_Ground ground = sinew_terrain_ground(w->terrain);
            const sinew_Steering steering = { 1.2, 0.0, index / 300 % 2 == 0 ? 0.2 : -0.2 };
            golden_ok(sinew_walker_update(w->walker, &steering, 1.0 / 60.0, &ground, w->q, NULL));
            w->met += sinew_walker_report(w->walker).is_met;
        }
        golden_numbers(&w->hash, w->q, sinew_skeleton_coordinate_count(w->skeleton));
    }
    ++w->done;
}

#endif
