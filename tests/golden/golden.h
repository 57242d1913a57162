#ifndef GOLDEN_H
#define GOLDEN_H

// A long run, and a hash over the bits of all its poses. It stands on scenes and library alone, so that
// the test and small programs for other machines (tests/golden/main.c, WebAssembly) run the same.

#include "scenes/scenes.h"

#include <stdlib.h>
#include <string.h>

static inline void golden_ok(sinew_Status status)
{
    if (status != SINEW_STATUS_OK) { abort(); }
}

static inline scene_Scene *golden_scene(const char *name)
{
    scene_Scene *scene = NULL;
    golden_ok(scene_create(name, NULL, &scene, NULL));
    return scene;
}

static const sinew_Method golden_methods[4] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE,
    SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED };

#define GOLDEN_MAX_NUMBERS 256
#define GOLDEN_MAX_JOINTS 64

// Goals for all effectors at the places that they have in a pose; returns their number.
static inline int golden_goals(const scene_Scene *scene, const double *q, sinew_Goal *out_goals)
{
    sinew_Transform world[GOLDEN_MAX_JOINTS];
    if (sinew_skeleton_joint_count(scene->skeleton) > GOLDEN_MAX_JOINTS) { abort(); }
    sinew_pose_forward(scene->skeleton, q, world);
    for (int e = 0; e < scene->effector_count; ++e) {
        int joint = scene->effectors[e].joint;
        out_goals[e] = sinew_goal_position(joint, world[joint].position);
        out_goals[e].chain_root = scene->effectors[e].chain_root;
    }
    return scene->effector_count;
}

static inline uint64_t golden_add_bits(uint64_t hash, const double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 8; ++byte) {
            hash = (hash ^ (bits >> (8 * byte) & 255U)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

// 200 random problems of one scene by one method, every third with orientations
static inline uint64_t golden_add_solves(
    uint64_t hash, const scene_Scene *scene, sinew_Method method)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    sinew_Solver *solver = NULL;
    golden_ok(sinew_solver_create(&def, &solver, NULL));
    scene_Random random = scene_random(4242);
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.max_iterations = 12;
    for (int i = 0; i < 200; ++i) {
        double q[GOLDEN_MAX_NUMBERS];
        sinew_Transform world[GOLDEN_MAX_JOINTS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &random, q);
        int count = golden_goals(scene, q, goals);
        sinew_pose_forward(scene->skeleton, q, world);
        for (int g = 0; i % 3 == 0 && g < count; ++g) {
            goals[g].kind = SINEW_GOAL_POSE;
            goals[g].orientation = world[goals[g].joint].rotation;
        }
        options.rest_weight = i % 5 == 0 ? 1e-4 : 0.0;
        options.form = (sinew_LinearForm)(i % 5);
        scene_random_pose(scene, &random, q);
        sinew_Report report;
        golden_ok(sinew_solver_solve(solver, &options, goals, count, q, &report, NULL));
        hash = golden_add_bits(hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
        hash = golden_add_bits(hash, &report.position_error, 1);
    }
    sinew_solver_destroy(solver);
    return hash;
}

// 600 frames of the scene's own motion, all effectors as targets
static inline uint64_t golden_add_tracking(uint64_t hash, const char *name)
{
    scene_Scene *scene = golden_scene(name);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    sinew_Tracker *tracker = NULL;
    golden_ok(sinew_tracker_create(&def, &tracker, NULL));
    for (int frame = 0; frame < 600; ++frame) {
        double q[GOLDEN_MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_pose_at(scene, frame / 60.0, q);
        int count = golden_goals(scene, q, goals);
        golden_ok(sinew_tracker_update(tracker, goals, count, q, NULL, NULL));
        hash = golden_add_bits(hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
    }
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
    return hash;
}

/// The bits of a long run: every method on six scenes, then two tracked motions.
static inline uint64_t golden_run(void)
{
    static const char *const names[] = { "LEG", "ARM", "BODY11", "HAND5", "MAN18", "CHAIN10" };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int s = 0; s < 6; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        for (int m = 0; m < 4; ++m) { hash = golden_add_solves(hash, scene, golden_methods[m]); }
        scene_destroy(scene);
    }
    hash = golden_add_tracking(hash, "HAND");
    hash = golden_add_tracking(hash, "MAN18");
    return hash;
}

#endif
