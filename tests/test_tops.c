// Which joints goals may move: what one sweep finds for all of them is what walking up each of them finds.

#include "testing.h"

#include "solve/tops.h"

enum { MOST_JOINTS = 40, MOST_GOALS = 6 };

typedef struct Case {
    int joint_count, goal_count;
    sinew_JointDef joints[MOST_JOINTS];
    sinew_Goal goals[MOST_GOALS];
    sinew_Skeleton *skeleton;
} Case;

// any forest: each joint hangs on the one before it, on one above that, or in the world
static void make_joints(Case *c, test_Random *random)
{
    c->joint_count = 1 + test_int(random, MOST_JOINTS);
    for (int j = 0; j < c->joint_count; ++j) {
        c->joints[j] = sinew_joint_def_default();
        c->joints[j].name = "joint";
        int parent = j - 1;
        while (parent >= 0 && test_int(random, 3) == 0) { parent = c->joints[parent].parent; }
        c->joints[j].parent = parent;
    }
    sinew_Message message = { "" };
    TEST_OK(
        sinew_skeleton_create(c->joints, c->joint_count, NULL, &c->skeleton, &message), &message);
}

static void make_goals(Case *c, test_Random *random)
{
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    c->goal_count = test_int(random, MOST_GOALS + 1);
    for (int g = 0; g < c->goal_count; ++g) {
        int joint = test_int(random, c->joint_count), kind = test_int(random, 4);
        sinew_Goal goal = kind == 0 ? sinew_goal_rest(1.0)
            : kind == 1             ? sinew_goal_center_of_mass(none)
                                    : sinew_goal_position(joint, none);
        goal.chain_root = joint;
        // an effector's chain begins anywhere above it
        while (goal.chain_root >= 0 && test_int(random, 4) > 0) {
            goal.chain_root = c->joints[goal.chain_root].parent;
        }
        if (kind == 3 && test_int(random, 2) == 0) {
            goal.reference = test_int(random, c->joint_count);
        }
        c->goals[g] = goal;
    }
}

static bool is_above(const Case *c, int above, int joint)
{
    while (joint > above) { joint = c->joints[joint].parent; }
    return joint == above;
}

static bool moves(const Case *c, const sinew_Goal *goal, int joint)
{
    bool below = goal->chain_root < 0 || is_above(c, goal->chain_root, joint);
    return below && (goal->joint < 0 || is_above(c, joint, goal->joint));
}

static bool is_posed(const Case *c, const sinew_Goal *goal, int joint)
{
    if (goal->kind == SINEW_GOAL_CENTER_OF_MASS || moves(c, goal, joint)) { return true; }
    int first = goal->joint >= 0 ? goal->joint : goal->chain_root;
    return (first >= 0 && is_above(c, joint, first))
        || (goal->reference >= 0 && is_above(c, joint, goal->reference));
}

static void test_sweep_finds_what_walking_finds(void **state)
{
    (void)state;
    int moved = 0, still = 0, idle = 0;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(811, i);
        static Case c;
        make_joints(&c, &random);
        make_goals(&c, &random);
        int tops[MOST_JOINTS], posed[MOST_JOINTS];
        snw_tops_find(c.skeleton, c.goals, c.goal_count, tops);
        snw_tops_find_posed(c.skeleton, c.goals, c.goal_count, posed);
        for (int j = 0; j < c.joint_count; ++j) {
            bool any_moves = false, any_poses = false;
            for (int g = 0; g < c.goal_count; ++g) {
                any_moves = any_moves || moves(&c, &c.goals[g], j);
                any_poses = any_poses || is_posed(&c, &c.goals[g], j);
            }
            TEST_INT(snw_top_moves(tops, j), any_moves);
            TEST_INT(snw_top_moves(posed, j), any_moves);
            TEST_INT(posed[j] != SNW_TOP_NONE, any_poses);
            moved += any_moves;
            still += any_poses && !any_moves;
            idle += !any_poses;
        }
        sinew_skeleton_destroy(c.skeleton);
    }
    // all of them happen
    TEST_TRUE(moved > 10000 && still > 1000 && idle > 1000);
}

TEST_MAIN(cmocka_unit_test(test_sweep_finds_what_walking_finds))
