// The edge of the interface: pointers, indices and enums that are none are refused, in release builds too.

#include "testing.h"

#include "scenes/scenes.h"

#include <string.h>

static bool all_zero(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; ++i) {
        if (bytes[i] != 0) { return false; }
    }
    return true;
}

static void test_walker_edge(void **state)
{
    (void)state;
    scene_Scene *scene = NULL;
    sinew_Walker *walker = NULL;
    TEST_OK(scene_create("MAN18", NULL, &scene, NULL), NULL);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    TEST_OK(sinew_walker_create(&def, &walker, NULL), NULL);
    int legs = sinew_walker_report(walker).leg_count, count = -1;
    TEST_INT(legs, 2);

    static const int no_legs[] = { -1, 2, 1000, 2147483647, -2147483647 - 1 };
    for (int i = 0; i < 5; ++i) {
        sinew_WalkerLeg leg = sinew_walker_leg(walker, no_legs[i]);
        TEST_TRUE(all_zero(&leg, sizeof leg));
        TEST_TRUE(sinew_walker_sole(walker, no_legs[i]) == NULL);
        TEST_TRUE(sinew_walker_leg_def(walker, no_legs[i]) == NULL);
    }
    sinew_WalkerReport report = sinew_walker_report(NULL);
    TEST_TRUE(all_zero(&report, sizeof report));
    sinew_WalkerLeg leg = sinew_walker_leg(NULL, 0);
    TEST_TRUE(all_zero(&leg, sizeof leg));
    TEST_TRUE(sinew_walker_leg_length(NULL) == 0.0);
    TEST_TRUE(sinew_walker_goals(NULL, &count) == NULL && count == 0);
    TEST_TRUE(sinew_walker_goals(walker, NULL) != NULL);

    static const int no_rows[] = { -1, 77 };
    for (int i = 0; i < 2; ++i) {
        TEST_INT(sinew_walker_set_rows(walker, (sinew_WalkRows)no_rows[i]),
            SINEW_STATUS_INVALID_ARGUMENT);
    }
    TEST_INT(sinew_walker_set_rows(NULL, SINEW_WALK_ROWS_HYBRID), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_walker_set_ornaments(walker, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_WalkOrnaments ornaments = sinew_walk_ornaments_default();
    TEST_INT(sinew_walker_set_ornaments(NULL, &ornaments), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_OK(sinew_walker_set_ornaments(walker, &ornaments), NULL);
    sinew_walker_destroy(walker);
    scene_destroy(scene);
}

static void test_skeleton_edge(void **state)
{
    (void)state;
    scene_Scene *scene = NULL;
    TEST_OK(scene_create("MAN18", NULL, &scene, NULL), NULL);
    const sinew_Skeleton *s = scene->skeleton;
    TEST_INT(sinew_skeleton_joint_count(NULL) + sinew_skeleton_axis_count(NULL)
            + sinew_skeleton_coordinate_count(NULL) + sinew_skeleton_dof_count(NULL),
        0);
    TEST_TRUE(sinew_skeleton_joints(NULL) == NULL && sinew_skeleton_axes(NULL) == NULL);
    TEST_TRUE(sinew_skeleton_axis_places(NULL) == NULL && sinew_skeleton_size(NULL) == 0.0);
    TEST_INT(sinew_skeleton_find_joint(NULL, "Hips"), -1);
    TEST_INT(sinew_skeleton_find_joint(s, NULL), -1);
    TEST_INT(sinew_skeleton_find_coordinate(NULL, "Hips.tx"), -1);
    TEST_INT(sinew_skeleton_find_coordinate(s, NULL), -1);
    static const int none[] = { -1, 1000, 2147483647, -2147483647 - 1 };
    for (int i = 0; i < 4; ++i) {
        char name[8] = "before";
        TEST_TRUE(!sinew_skeleton_is_ancestor(s, none[i], 0) || none[i] == 0);
        TEST_TRUE(!sinew_skeleton_is_ancestor(s, 0, none[i]));
        TEST_TRUE(sinew_skeleton_chain_length(s, 0, none[i]) == 0.0);
        sinew_skeleton_coordinate_name(s, none[i], name, sizeof name);
        TEST_TRUE(name[0] == '\0');
    }
    TEST_TRUE(!sinew_skeleton_is_ancestor(NULL, 0, 0));
    sinew_skeleton_coordinate_name(s, 0, NULL, 8);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_walker_edge), cmocka_unit_test(test_skeleton_edge))
