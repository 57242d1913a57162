// Same input, same bits: a hash over the poses of a long run is the same for every compiler, every
// optimisation level, and with sanitizers.

#include "bodies.h"

// FNV-1a over the bits of all poses below. It changes with every change to the arithmetic of the
// solver, the tracker, the scenes or their random poses; the test prints the new value, and builds
// of gcc and clang at -O0, -O2 and -O3 must agree on it.
#define GOLDEN_HASH UINT64_C(0xb57e54c19f886641)

static const sinew_Method methods[4] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE,
    SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED };

#define MAX_NUMBERS 256

static uint64_t add_bits(uint64_t hash, const double *values, int count)
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
static uint64_t add_solves(uint64_t hash, const scene_Scene *scene, sinew_Method method)
{
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    scene_Random random = scene_random(4242);
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.max_iterations = 12;
    for (int i = 0; i < 200; ++i) {
        double q[MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &random, q);
        int count = body_scene_goals(scene, q, goals);
        sinew_pose_forward(scene->skeleton, q, world);
        for (int g = 0; i % 3 == 0 && g < count; ++g) {
            goals[g].kind = SINEW_GOAL_POSE;
            goals[g].orientation = world[goals[g].joint].rotation;
        }
        options.rest_weight = i % 5 == 0 ? 1e-4 : 0.0;
        options.form = (sinew_LinearForm)(i % 5);
        scene_random_pose(scene, &random, q);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        hash = add_bits(hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
        hash = add_bits(hash, &report.position_error, 1);
    }
    sinew_solver_destroy(solver);
    return hash;
}

// 600 frames of the scene's own motion, all effectors as targets
static uint64_t add_tracking(uint64_t hash, const char *name)
{
    scene_Scene *scene = body_scene(name);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_tracker_create(&def, &tracker, NULL), NULL);
    for (int frame = 0; frame < 600; ++frame) {
        double q[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_pose_at(scene, frame / 60.0, q);
        int count = body_scene_goals(scene, q, goals);
        TEST_OK(sinew_tracker_update(tracker, goals, count, q, NULL, NULL), NULL);
        hash = add_bits(hash, q, sinew_skeleton_coordinate_count(scene->skeleton));
    }
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
    return hash;
}

/// The bits of a long run: every method on six scenes, then two tracked motions.
static void test_golden_hash(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "BODY11", "HAND5", "MAN18", "CHAIN10" };
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int s = 0; s < 6; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        for (int m = 0; m < 4; ++m) { hash = add_solves(hash, scene, methods[m]); }
        scene_destroy(scene);
    }
    hash = add_tracking(hash, "HAND");
    hash = add_tracking(hash, "MAN18");
    if (hash != GOLDEN_HASH) {
        print_error("the hash is now 0x%016llx, tests/test_golden.c has 0x%016llx\n",
            (unsigned long long)hash, (unsigned long long)GOLDEN_HASH);
    }
    TEST_TRUE(hash == GOLDEN_HASH);
}

TEST_MAIN(cmocka_unit_test(test_golden_hash))
