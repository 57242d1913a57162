// Recorded bodies of other proportions walk as the built-in one does, with the limits that are guessed for
// them. Skipped without the data folder.

#include "command.h"

#include <math.h>
#include <stdlib.h>

/// What a walk kept, read from the command's figures.
static double figure_of(const test_Run *run, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(run->out, name);
    return at != NULL ? atof(at + strlen(name)) : (double)NAN;
}

static void walk_body(const char *path, const char *terrain)
{
    const test_Run *run = run_sinew(
        "walk --rig '%s' --limits-from auto --terrain %s --steps 80 --json", path, terrain);
    TEST_INT(run->code, 0);
    TEST_INT((long long)figure_of(run, "steps"), 80);
    TEST_INT((long long)figure_of(run, "unmet_frames"), 0);
    TEST_TRUE(figure_of(run, "slide_mm_max") <= 0.5);
    TEST_TRUE(figure_of(run, "penetration_mm_max") <= 1.0);
    TEST_TRUE(figure_of(run, "clearance_mm_min") >= 5.0);
    TEST_TRUE(figure_of(run, "max_joint_speed") <= 0.3 * 60.0);
    TEST_TRUE(figure_of(run, "hips_acceleration_max") <= 40.0);
    TEST_NEAR(figure_of(run, "limit_violation_rad"), 0.0, 1e-9);
}

// with toes and without, with knees that bend askew by their motion, wide hips and narrow ones
static void test_recorded_bodies_walk(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/pfnn_hierarchy.bvh",
        "bvh/makehuman_walk1.bvh", "bvh/cmu_131_01_max.bvh", "bvh/pybvh_standard_skeleton.bvh" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = data_path(names[i]);
        if (path == NULL) { skip(); }
        print_message("%s\n", names[i]);
        walk_body(path, "hills:1");
        walk_body(path, "stairs:0.17,0.29");
    }
}

// limits guessed from a motion say that the knees bend askew of the rest pose
static void test_askew_knees_are_turned_ahead(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/bvhtoolbox_walk01.bvh", "bvh/mass_walk.bvh" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = data_path(names[i]);
        if (path == NULL) { skip(); }
        const test_Run *run = run_sinew(
            "walk --rig '%s' --limits-from auto --terrain flat --seconds 10 --json", path);
        TEST_INT(run->code, 0);
        TEST_INT((long long)figure_of(run, "unmet_frames"), 0);
        TEST_TRUE(figure_of(run, "max_joint_speed") <= 0.3 * 60.0);
    }
}

TEST_MAIN(cmocka_unit_test(test_recorded_bodies_walk),
    cmocka_unit_test(test_askew_knees_are_turned_ahead))
