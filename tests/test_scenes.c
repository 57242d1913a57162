// Scenes: what bodies there are and how they are made up, their motions and their random poses.

#include "bodies.h"

enum { MAX_JOINTS = SCENE_MAX_CHAIN + 1, MAX_NUMBERS = SCENE_MAX_CHAIN + 8 };

static const char *const more_chains[] = { "CHAIN1", "CHAIN2", "CHAIN300", "CHAIN1000" };
enum { MORE_CHAINS = 4 };

/// All listed scenes, then some more chains.
static int name_count(void)
{
    return scene_count() + MORE_CHAINS;
}

static const char *name_at(int index)
{
    return index < scene_count() ? scene_name(index) : more_chains[index - scene_count()];
}

static int find(const scene_Scene *scene, const char *joint)
{
    int index = sinew_skeleton_find_joint(scene->skeleton, joint);
    if (index < 0) { print_error("%s has no joint %s\n", scene->name, joint); }
    TEST_TRUE(index >= 0);
    return index;
}

static int axes_of_kind(const scene_Scene *scene, sinew_AxisKind kind)
{
    int count = 0;
    for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
        count += sinew_skeleton_axes(scene->skeleton)[a].kind == kind;
    }
    return count;
}

static int dofs_of(const scene_Scene *scene, const char *joint)
{
    return sinew_skeleton_joints(scene->skeleton)[find(scene, joint)].dof_count;
}

// ---------------------------------------------------------------------------------------------
// Bodies

typedef struct Counts {
    const char *name;
    int joints, hinges, slides, balls, dofs, effectors;
} Counts;

static const Counts counts[] = {
    { "LEG", 6, 6, 0, 0, 6, 3 },
    { "ARM", 5, 7, 0, 0, 7, 1 },
    { "LIMITARM", 5, 1, 0, 2, 7, 1 },
    { "SPINEARM", 9, 17, 0, 0, 17, 1 },
    { "BODY11", 8, 8, 0, 1, 11, 2 },
    { "HAND", 26, 0, 3, 21, 66, 20 },
    { "HAND5", 22, 23, 0, 0, 23, 5 },
    { "MAN18", 25, 36, 3, 1, 42, 7 },
    { "FIGURE1", 16, 4, 3, 7, 28, 5 },
    { "SPIDER", 35, 24, 3, 1, 30, 8 },
    { "QUADRUPED", 25, 28, 3, 1, 34, 4 },
    { "CHAIN10", 11, 10, 0, 0, 10, 1 },
};

/// Every scene has the joints, axes, degrees of freedom and effectors that docs/scenes.md lists, and
/// the list has no scene that this one has not.
static void test_counts_skel5(void **state)
{
    (void)state;
    int count = (int)(sizeof counts / sizeof counts[0]);
    TEST_INT(scene_count(), count);
    for (int i = 0; i < count; ++i) {
        const Counts *c = &counts[i];
        assert_string_equal(scene_name(i), c->name);
        TEST_TRUE(strlen(scene_title(i)) > 10);
        scene_Scene *scene = body_scene(c->name);
        assert_string_equal(scene->name, c->name);
        assert_string_equal(scene->title, scene_title(i));
        print_message("    %s: %d joints, %d dofs, size %.3f m, %d effectors\n", c->name,
            sinew_skeleton_joint_count(scene->skeleton), sinew_skeleton_dof_count(scene->skeleton),
            sinew_skeleton_size(scene->skeleton), scene->effector_count);
        TEST_INT(sinew_skeleton_joint_count(scene->skeleton), c->joints);
        TEST_INT(axes_of_kind(scene, SINEW_AXIS_HINGE), c->hinges);
        TEST_INT(axes_of_kind(scene, SINEW_AXIS_SLIDE), c->slides);
        TEST_INT(axes_of_kind(scene, SINEW_AXIS_BALL), c->balls);
        TEST_INT(sinew_skeleton_dof_count(scene->skeleton), c->dofs);
        TEST_INT(scene->effector_count, c->effectors);
        scene_destroy(scene);
    }
}

/// Every axis has a range: lower < upper, both finite but for slides of a free root, which have a
/// range for random poses, and balls have a limit or a cone for them.
static void test_ranges_skel6(void **state)
{
    (void)state;
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
        for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
            if (axes[a].kind == SINEW_AXIS_HINGE) {
                double width = axes[a].upper - axes[a].lower;
                TEST_TRUE(width > 0.3 && width < 4.1);
                TEST_TRUE(axes[a].rest >= axes[a].lower && axes[a].rest <= axes[a].upper);
            } else if (axes[a].kind == SINEW_AXIS_SLIDE) {
                TEST_INT(places[a].joint, 0);
                TEST_TRUE(axes[a].lower == -INFINITY && axes[a].upper == INFINITY);
                TEST_TRUE(scene->slide_range > 0.0);
            } else if (axes[a].limit == NULL) {
                const scene_Ball *ball = &scene->balls[a];
                TEST_NEAR(sinew_vec3_length(ball->bone), 1.0, 1e-15);
                TEST_TRUE(ball->swing > 0.0 && ball->swing < SINEW_PI);
                TEST_TRUE(ball->twist > 0.0 && ball->twist <= SINEW_PI);
            }
        }
        double q[MAX_NUMBERS];
        sinew_pose_rest(scene->skeleton, q);
        TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 1e-12);
        sinew_pose_middle(scene->skeleton, q);
        TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) == 0.0);
        scene_destroy(scene);
    }
}

/// The way up from each effector passes its limb's root and ends at the root of the body; there is
/// something on it that moves; effectors are different joints and have the names of their joints.
static void test_effectors_reach_the_root_skel4(void **state)
{
    (void)state;
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
        TEST_TRUE(scene->effector_count >= 1);
        for (int e = 0; e < scene->effector_count; ++e) {
            const scene_Effector *effector = &scene->effectors[e];
            TEST_TRUE(effector->name == joints[effector->joint].name);
            TEST_INT(find(scene, effector->name), effector->joint);
            TEST_INT(effector->chain_root, -1);
            bool limb = false;
            int dofs = 0, j = effector->joint;
            for (; joints[j].parent >= 0; j = joints[j].parent) {
                limb = limb || j == effector->limb_root;
                if (j != effector->joint) { dofs += joints[j].dof_count; }
            }
            TEST_INT(j, 0);
            TEST_TRUE(limb || effector->limb_root == 0);
            TEST_TRUE(dofs + joints[0].dof_count > 0);
            for (int other = 0; other < e; ++other) {
                TEST_TRUE(scene->effectors[other].joint != effector->joint);
            }
        }
        scene_destroy(scene);
    }
}

/// FIGURE1 is the humanoid of the paper's figure 1.1: Hips with the children Chest, LeftHip and
/// RightHip, effectors at head, hands and feet.
static void test_figure1_skel4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("FIGURE1");
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    assert_string_equal(joints[0].name, "Hips");
    TEST_INT(joints[0].parent, -1);
    static const char *const children[3] = { "Chest", "LeftHip", "RightHip" };
    int found = 0;
    for (int j = 1; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        if (joints[j].parent != 0) { continue; }
        TEST_TRUE(found < 3);
        assert_string_equal(joints[j].name, children[found]);
        ++found;
    }
    TEST_INT(found, 3);
    static const char *const ends[5] = { "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot" };
    for (int e = 0; e < 5; ++e) { (void)body_effector(scene, ends[e]); }
    TEST_INT(scene->effector_count, 5);
    scene_destroy(scene);
}

/// MAN18 and the limbs have the fewest degrees of freedom that do: knee one, elbow one or two (with
/// the forearm's twist), hip and shoulder three.
static void test_fewest_dofs_skel6(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *joint;
        int dofs;
    } wanted[] = { { "MAN18", "Hips", 6 }, { "MAN18", "Spine", 3 }, { "MAN18", "Neck", 3 },
        { "MAN18", "Head", 2 }, { "MAN18", "LeftArm", 3 }, { "MAN18", "LeftForeArm", 2 },
        { "MAN18", "LeftHand", 2 }, { "MAN18", "LeftUpLeg", 3 }, { "MAN18", "LeftLeg", 1 },
        { "MAN18", "LeftFoot", 2 }, { "MAN18", "LeftToeBase", 1 }, { "MAN18", "LeftToeEnd", 0 },
        { "LEG", "Hip", 3 }, { "LEG", "Knee", 1 }, { "LEG", "Ankle", 2 }, { "ARM", "Shoulder", 3 },
        { "ARM", "Elbow", 1 }, { "ARM", "Wrist", 3 }, { "LIMITARM", "Shoulder", 3 },
        { "LIMITARM", "Elbow", 1 }, { "FIGURE1", "LeftShoulder", 3 }, { "FIGURE1", "LeftElbow", 1 },
        { "FIGURE1", "LeftHip", 3 }, { "FIGURE1", "LeftKnee", 1 }, { "BODY11", "LeftElbow", 1 },
        { "SPIDER", "L1Coxa", 1 }, { "QUADRUPED", "LeftElbow", 1 },
        { "QUADRUPED", "LeftKnee", 1 } };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        scene_Scene *scene = body_scene(wanted[i].scene);
        TEST_INT(dofs_of(scene, wanted[i].joint), wanted[i].dofs);
        if (strncmp(wanted[i].joint, "Left", 4) == 0) {
            char right[32] = "Right";
            strcpy(right + 5, wanted[i].joint + 4);
            TEST_INT(dofs_of(scene, right), wanted[i].dofs);
        }
        scene_destroy(scene);
    }
}

/// MAN18: exactly 18 segments, which are the joints that move and those that have a mass; each
/// degree of freedom but the root's has a range with lower < upper, and the right side mirrors the
/// left; 70 kg and 1.75 m.
static void test_man18_skel7(void **state)
{
    (void)state;
    static const char *const segments[18] = { "Hips", "Spine", "Neck", "Head", "LeftArm",
        "LeftForeArm", "LeftHand", "RightArm", "RightForeArm", "RightHand", "LeftUpLeg", "LeftLeg",
        "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase" };
    scene_Scene *scene = body_scene("MAN18");
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    int moving = 0, mirrored = 0;
    double mass = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        TEST_TRUE((joints[j].dof_count > 0) == (joints[j].mass > 0.0));
        mass += joints[j].mass;
        if (joints[j].dof_count > 0) {
            TEST_TRUE(moving < 18);
            assert_string_equal(joints[j].name, segments[moving]);
            ++moving;
        }
        for (int a = 0; j > 0 && a < joints[j].axis_count; ++a) {
            const sinew_Axis *axis = &axes[joints[j].axis_start + a];
            TEST_INT(axis->kind, SINEW_AXIS_HINGE);
            TEST_TRUE(isfinite(axis->lower) && isfinite(axis->upper) && axis->lower < axis->upper);
        }
        if (strncmp(joints[j].name, "Left", 4) != 0) { continue; }
        char name[32] = "Right";
        strcpy(name + 5, joints[j].name + 4);
        const sinew_Joint *right = &joints[find(scene, name)];
        TEST_VEC3_NEAR(right->offset,
            sinew_vec3(-joints[j].offset.x, joints[j].offset.y, joints[j].offset.z), 0.0);
        TEST_NEAR(right->mass, joints[j].mass, 0.0);
        for (int a = 0; a < joints[j].axis_count; ++a) {
            const sinew_Axis *l = &axes[joints[j].axis_start + a],
                             *r = &axes[right->axis_start + a];
            bool same = l->direction.x == 1.0; // a mirror keeps turns about x
            TEST_NEAR(r->lower, same ? l->lower : -l->upper, 0.0);
            TEST_NEAR(r->upper, same ? l->upper : -l->lower, 0.0);
            TEST_NEAR(r->rest, same ? l->rest : -l->rest, 0.0);
            ++mirrored;
        }
    }
    TEST_INT(moving, 18);
    TEST_INT(mirrored, 14);
    TEST_NEAR(mass, 70.0, 0.05);
    double q[MAX_NUMBERS] = { 0.0 };
    q[6] = 1.0;
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(scene->skeleton, q, world);
    double top = world[find(scene, "HeadEnd")].position.y;
    TEST_NEAR(top - world[find(scene, "LeftHeel")].position.y, 1.75, 1e-9);
    scene_destroy(scene);
}

/// What the fixtures of the requirements say: BODY11 = ball, three universal joints, two hinges;
/// HAND = 20 balls below a movable root; SPIDER = eight legs of three segments; links of chains.
static void test_fixtures_skel5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    int with[7] = { 0 };
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(scene->skeleton)[j];
        TEST_TRUE(joint->dof_count != 3 || joint->axis_count == 1);
        ++with[joint->dof_count];
    }
    TEST_TRUE(with[3] == 1 && with[2] == 3 && with[1] == 2 && with[6] == 0);
    TEST_INT(dofs_of(scene, "Pelvis"), 3);
    scene_destroy(scene);

    scene = body_scene("HAND");
    int balls = 0;
    for (int j = 1; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(scene->skeleton)[j];
        balls += joint->dof_count == 3 && joint->axis_count == 1;
    }
    TEST_INT(balls, 20);
    TEST_INT(sinew_skeleton_joints(scene->skeleton)[0].dof_count, 6);
    scene_destroy(scene);

    scene = body_scene("SPIDER");
    for (int e = 0; e < scene->effector_count; ++e) {
        TEST_INT(scene->effectors[e].joint - scene->effectors[e].limb_root, 3);
    }
    scene_destroy(scene);

    static const int links[] = { 1, 10, 300, 1000 };
    for (int i = 0; i < 4; ++i) {
        char name[16] = "chain";
        int n = links[i], digits = 0;
        for (int k = n; k > 0; k /= 10) { ++digits; }
        for (int k = n, place = 5 + digits; place > 5; k /= 10) {
            name[--place] = (char)('0' + k % 10);
        }
        scene = body_scene(name);
        TEST_INT(sinew_skeleton_dof_count(scene->skeleton), n);
        TEST_INT(axes_of_kind(scene, SINEW_AXIS_HINGE), n);
        TEST_NEAR(sinew_skeleton_chain_length(scene->skeleton, 0, n), 0.01 * n, 1e-12);
        TEST_TRUE(strncmp(scene->name, "CHAIN", 5) == 0 && strcmp(scene->name + 5, name + 5) == 0);
        scene_destroy(scene);
    }
}

/// HAND has effectors at joints that others hang on, 15 of its 20, and all 20 are met together.
static void test_inner_effectors_of_hand_skel3(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND");
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    int inner = 0, met = 0;
    for (int e = 0; e < scene->effector_count; ++e) {
        inner += joints[scene->effectors[e].joint].subtree_count > 1;
    }
    TEST_INT(inner, 15);
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    scene_Random random = scene_random(2301);
    for (int i = 0; i < 200; ++i) {
        double q[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &random, q);
        int goal_count = body_scene_goals(scene, q, goals);
        sinew_pose_rest(scene->skeleton, q);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        sinew_Report report = body_solve(solver, &options, goals, goal_count, q);
        met += report.outcome == SINEW_OUTCOME_CONVERGED;
    }
    print_message("    20 effectors met together in %d of 200\n", met);
    TEST_TRUE(met >= 190);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// At rest people, dog and spider stand on the floor.
static void test_standing_on_the_floor(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *joint;
        double height;
    } soles[] = { { "MAN18", "LeftHeel", 0.0 }, { "MAN18", "RightToeEnd", 0.0 },
        { "MAN18", "LeftToeEnd", 0.0 }, { "FIGURE1", "LeftFoot", 0.068 },
        { "SPIDER", "L1Tip", 0.0 }, { "SPIDER", "R4Tip", 0.0 }, { "QUADRUPED", "LeftHindPaw", 0.0 },
        { "QUADRUPED", "RightFrontPaw", 0.0 } };
    for (size_t i = 0; i < sizeof soles / sizeof soles[0]; ++i) {
        scene_Scene *scene = body_scene(soles[i].scene);
        double q[MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_rest(scene->skeleton, q);
        sinew_pose_forward(scene->skeleton, q, world);
        TEST_NEAR(world[find(scene, soles[i].joint)].position.y, soles[i].height, 1e-3);
        scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Names and memory

/// Capitals do not matter; unknown names, chains that are too short, too long or misspelt are
/// refused with a message that lists what there is.
static void test_unknown_names_refused(void **state)
{
    (void)state;
    static char endless[5000];
    memset(endless, 'N', sizeof endless - 1);
    static const char *const bad[] = { "", "MAN", "MAN180", "MAN18 ", " MAN18", "LEGS", "CHAIN",
        "CHAIN0", "CHAIN01", "CHAIN1001", "CHAIN10x", "CHAIN-1", "CHAIN99999999999999999999",
        "scene:MAN18", "%s%n", endless, NULL };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        scene_Scene *scene = (scene_Scene *)(uintptr_t)1;
        sinew_Message message;
        memset(&message, 'x', sizeof message);
        TEST_INT(scene_create(bad[i], NULL, &scene, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(scene == NULL);
        TEST_TRUE(memchr(message.text, '\0', sizeof message.text) != NULL);
        for (int s = 0; s < scene_count(); ++s) {
            bool chain = strncmp(scene_name(s), "CHAIN", 5) == 0;
            const char *listed = strstr(message.text, chain ? "CHAIN1..CHAIN1000" : scene_name(s));
            if (listed == NULL) { print_error("'%s' lacks %s\n", message.text, scene_name(s)); }
            TEST_TRUE(listed != NULL);
        }
        if (bad[i] != NULL && bad[i] != endless) {
            TEST_TRUE(strstr(message.text, bad[i]) != NULL);
        }
        TEST_INT(scene_create(bad[i], NULL, &scene, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    }
    TEST_INT(scene_create("MAN18", NULL, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    scene_Scene *scene = body_scene("mAn18");
    assert_string_equal(scene->name, "MAN18");
    scene_destroy(scene);
    scene_destroy(NULL);
}

/// Whichever allocation fails, nothing is handed out and nothing leaks.
static void test_failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count(); ++s) {
        long n = 1;
        for (;; ++n) {
            test_Memory memory;
            test_memory_init(&memory);
            memory.fail_at = n;
            scene_Scene *scene = (scene_Scene *)(uintptr_t)1;
            sinew_Message message = { "" };
            sinew_Status status = scene_create(scene_name(s), &memory.allocator, &scene, &message);
            if (status == SINEW_STATUS_OK) {
                scene_destroy(scene);
            } else {
                TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
                TEST_TRUE(scene == NULL && strstr(message.text, "memory") != NULL);
            }
            TEST_INT((long long)memory.live_bytes, 0);
            TEST_TRUE(!memory.wrong_size);
            if (status == SINEW_STATUS_OK) { break; }
            TEST_TRUE(n < 1000);
        }
        TEST_TRUE(n > 8);
    }
}

// ---------------------------------------------------------------------------------------------
// Motions

static bool has_free_root(const scene_Scene *scene)
{
    return sinew_skeleton_axes(scene->skeleton)[0].kind == SINEW_AXIS_SLIDE;
}

/// How often a range stands exactly at one of its ends.
static int at_ends(const scene_Scene *scene, const double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    int count = 0;
    for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
        double value = q[sinew_skeleton_axis_places(scene->skeleton)[a].coordinate];
        count += axes[a].kind == SINEW_AXIS_HINGE
            && (value == axes[a].lower || value == axes[a].upper);
    }
    return count;
}

/// The largest angle of a joint, radians, between two poses of a body of any size.
static double largest_turn(const scene_Scene *scene, const double *from, const double *to)
{
    static double step[MAX_NUMBERS];
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
    sinew_pose_difference(scene->skeleton, from, to, step);
    double largest = 0.0;
    for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
        const double *s = &step[places[a].dof];
        switch (sinew_skeleton_axes(scene->skeleton)[a].kind) {
        case SINEW_AXIS_SLIDE: break;
        case SINEW_AXIS_HINGE: largest = fmax(largest, fabs(s[0])); break;
        case SINEW_AXIS_BALL:
            largest = fmax(largest, sinew_vec3_length(sinew_vec3(s[0], s[1], s[2])));
            break;
        }
    }
    return largest;
}

/// Two rounds of every motion at 60 frames a second: finite, inside the limits and not by being
/// cropped, no joint faster than 0.3 rad a frame, the root below 5 m/s.
static void test_motions_are_smooth_and_inside(void **state)
{
    (void)state;
    static double q[MAX_NUMBERS], last[MAX_NUMBERS];
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        int frames = (int)(120.0 * scene_motion_period(scene));
        int ends = 0;
        double fastest = 0.0;
        for (int f = 0; f <= frames; ++f) {
            scene_pose_at(scene, f / 60.0, q);
            sinew_Message message = { "" };
            TEST_OK(sinew_pose_check(scene->skeleton, q, &message), &message);
            TEST_TRUE(sinew_pose_limit_violation(scene->skeleton, q) <= 1e-12);
            ends += at_ends(scene, q);
            if (f > 0) {
                fastest = fmax(fastest, largest_turn(scene, last, q));
                for (int c = 0; has_free_root(scene) && c < 3; ++c) {
                    TEST_TRUE(fabs(q[c] - last[c]) < 5.0 / 60.0);
                }
            }
            memcpy(last, q, sizeof q);
        }
        print_message("    %s: %d frames, fastest joint %.3f rad a frame, %d times at an end\n",
            scene->name, frames, fastest, ends);
        TEST_TRUE(fastest > 0.0005 && fastest < 0.3);
        TEST_INT(ends, 0);
        scene_destroy(scene);
    }
}

/// The motion comes back after its period: all but the place of bodies that travel, which go the
/// same way forward in each round.
static void test_motions_repeat(void **state)
{
    (void)state;
    static double a[MAX_NUMBERS], b[MAX_NUMBERS];
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        double period = scene_motion_period(scene), travelled = NAN;
        bool travels = strcmp(scene->name, "MAN18") == 0 || strcmp(scene->name, "SPIDER") == 0
            || strcmp(scene->name, "QUADRUPED") == 0;
        for (int i = 0; i < 50; ++i) {
            double time = period * i / 50.0;
            scene_pose_at(scene, time, a);
            scene_pose_at(scene, time + 3.0 * period, b);
            TEST_NEAR(largest_turn(scene, a, b), 0.0, 1e-9);
            for (int c = 0; has_free_root(scene) && c < 3; ++c) {
                double way = b[c] - a[c];
                if (c == 2 && travels) {
                    if (i == 0) { travelled = way; }
                    TEST_TRUE(way > 0.1);
                    TEST_NEAR(way, travelled, 1e-9);
                } else {
                    TEST_NEAR(way, 0.0, 1e-9);
                }
            }
        }
        if (travels) {
            print_message("    %s: %.3f m in %.2f s\n", scene->name, travelled / 3.0, period);
        }
        scene_destroy(scene);
    }
}

/// Feet neither sink into the floor nor slide on it: a point within a millimetre of the floor in two
/// frames moves by less than 5 mm between them. Where MAN18's ankle is at its end the ball of the
/// foot goes down by up to 2.1 cm.
static void test_feet_hold_on_the_floor(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *soles[4];
    } walkers[3] = { { "MAN18", { "LeftHeel", "RightHeel", "LeftToeBase", "RightToeBase" } },
        { "SPIDER", { "L1Tip", "R1Tip", "L4Tip", "R2Tip" } },
        { "QUADRUPED", { "LeftFrontPaw", "RightFrontPaw", "LeftHindPaw", "RightHindPaw" } } };
    for (int w = 0; w < 3; ++w) {
        scene_Scene *scene = body_scene(walkers[w].name);
        double lowest = INFINITY, slide = 0.0;
        sinew_Vec3 last[4] = { { 0.0, 0.0, 0.0 } };
        int held = 0, frames = (int)(60.0 * scene_motion_period(scene));
        for (int f = 0; f <= frames; ++f) {
            double q[BODY_MAX_NUMBERS];
            sinew_Transform world[BODY_MAX_JOINTS];
            scene_pose_at(scene, f / 60.0, q);
            sinew_pose_forward(scene->skeleton, q, world);
            for (int k = 0; k < 4; ++k) {
                sinew_Vec3 p = world[find(scene, walkers[w].soles[k])].position;
                // the toe joint is 0.02 m above the sole
                if (w == 0 && k >= 2) { p.y -= 0.02; }
                lowest = fmin(lowest, p.y);
                if (f > 0 && p.y < 1e-3 && last[k].y < 1e-3) {
                    slide = fmax(slide, hypot(p.x - last[k].x, p.z - last[k].z));
                    ++held;
                }
                last[k] = p;
            }
        }
        print_message("    %s: lowest %.2g m, %d frames held, slides %.2g m a frame at most\n",
            scene->name, lowest, held, slide);
        TEST_TRUE(lowest > -1e-3);
        TEST_TRUE(held > frames);
        TEST_TRUE(slide < 5e-3);
        scene_destroy(scene);
    }
}

/// A clip of the motion has its frames at their times.
static void test_motion_clip(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("QUADRUPED");
    sinew_Clip *clip = NULL;
    TEST_OK(scene_motion(scene, 1.0 / 30.0, 60, &clip), NULL);
    for (int f = 0; f < 60; ++f) {
        double q[BODY_MAX_NUMBERS];
        scene_pose_at(scene, f * (1.0 / 30.0), q);
        TEST_TRUE(body_same_bits(
            q, sinew_clip_frame(clip, f), sinew_skeleton_coordinate_count(scene->skeleton)));
    }
    sinew_clip_destroy(clip);
    static const struct {
        double frame_time;
        int frame_count;
    } bad[] = { { 0.0, 10 }, { -1.0, 10 }, { NAN, 10 }, { INFINITY, 10 }, { 0.1, -1 } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        clip = NULL;
        TEST_INT(scene_motion(scene, bad[i].frame_time, bad[i].frame_count, &clip),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(clip == NULL);
    }
    scene_destroy(scene);
}

// FNV-1a over the bits of all poses of all scenes below. It changes with scenes/ and with the
// library's trigonometry alone; the test prints the new value, and builds of gcc and clang from -O0
// to -O3 must agree on it.
#define GOLDEN_HASH UINT64_C(0x0025d42c872c738d)

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

/// Motions and random poses have the same bits with every compiler and at every optimisation level.
static void test_same_bits_everywhere(void **state)
{
    (void)state;
    static double q[MAX_NUMBERS];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        int count = sinew_skeleton_coordinate_count(scene->skeleton);
        for (int f = 0; f < 300; ++f) {
            scene_pose_at(scene, f / 60.0, q);
            hash = add_bits(hash, q, count);
        }
        scene_Random random = scene_random(2302);
        for (int i = 0; i < 50; ++i) {
            scene_random_pose(scene, &random, q);
            hash = add_bits(hash, q, count);
        }
        scene_destroy(scene);
    }
    if (hash != GOLDEN_HASH) {
        print_error("the hash is now 0x%016llx, tests/test_scenes.c has 0x%016llx\n",
            (unsigned long long)hash, (unsigned long long)GOLDEN_HASH);
    }
    TEST_TRUE(hash == GOLDEN_HASH);
}

// ---------------------------------------------------------------------------------------------
// Random poses

/// 1000 random poses of each scene are inside the limits and well formed; hinges and slides are drawn
/// over their whole range evenly, balls swing and twist as far as they may.
static void test_random_poses_inside(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static double q[MAX_NUMBERS], low[MAX_NUMBERS], high[MAX_NUMBERS], sum[MAX_NUMBERS];
    for (int s = 0; s < name_count(); ++s) {
        scene_Scene *scene = body_scene(name_at(s));
        const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
        int axis_count = sinew_skeleton_axis_count(scene->skeleton);
        scene_Random random = scene_random(2303);
        double worst = 0.0;
        for (int i = 0; i < COUNT; ++i) {
            scene_random_pose(scene, &random, q);
            TEST_OK(sinew_pose_check(scene->skeleton, q, NULL), NULL);
            worst = fmax(worst, sinew_pose_limit_violation(scene->skeleton, q));
            for (int a = 0; a < axis_count; ++a) {
                const double *value = &q[places[a].coordinate];
                double share = value[0]; // where it stands in its range, or how far a ball swings
                if (axes[a].kind == SINEW_AXIS_BALL) {
                    sinew_Quat ball = { value[0], value[1], value[2], value[3] };
                    TEST_NEAR(sinew_quat_dot(ball, ball), 1.0, 1e-14);
                    sinew_Vec3 turned = sinew_quat_rotate(ball, scene->balls[a].bone);
                    double swing = acos(fmin(1.0, sinew_vec3_dot(turned, scene->balls[a].bone)));
                    if (axes[a].limit == NULL) { TEST_TRUE(swing <= scene->balls[a].swing + 1e-7); }
                    share = swing / scene->balls[a].swing;
                } else if (axes[a].kind == SINEW_AXIS_SLIDE) {
                    share = 0.5 + 0.5 * (value[0] - axes[a].rest) / scene->slide_range;
                } else {
                    share = (value[0] - axes[a].lower) / (axes[a].upper - axes[a].lower);
                }
                low[a] = i > 0 ? fmin(low[a], share) : share;
                high[a] = i > 0 ? fmax(high[a], share) : share;
                sum[a] = (i > 0 ? sum[a] : 0.0) + share;
            }
        }
        TEST_NEAR(worst, 0.0, 1e-12);
        for (int a = 0; a < axis_count; ++a) {
            // a thousand draws miss the last 2 % with a chance of 2e-9
            TEST_TRUE(high[a] > 0.98);
            if (axes[a].kind == SINEW_AXIS_BALL) { continue; }
            TEST_TRUE(low[a] >= 0.0 && low[a] < 0.02 && high[a] <= 1.0);
            // five and a half deviations of the mean
            TEST_NEAR(sum[a] / COUNT, 0.5, 0.05);
        }
        scene_destroy(scene);
    }
}

/// The same seed gives the same poses, another one others; numbers stay in their ranges and cover
/// them; directions and rotations have no preference.
static void test_random_numbers(void **state)
{
    (void)state;
    scene_Random a = scene_random(0), b = scene_random(0), c = scene_random(1);
    TEST_TRUE(memcmp(&a, &b, sizeof a) == 0);
    TEST_TRUE(memcmp(&a, &c, sizeof a) != 0);
    enum { COUNT = 100000 };
    int buckets[10] = { 0 }, indices[7] = { 0 };
    double moments[6] = { 0.0 }, quats[4] = { 0.0 };
    for (int i = 0; i < COUNT; ++i) {
        double u = scene_random_unit(&a);
        TEST_TRUE(u >= 0.0 && u < 1.0);
        ++buckets[(int)(10.0 * u)];
        double r = scene_random_range(&a, -3.0, 5.0);
        TEST_TRUE(r >= -3.0 && r <= 5.0);
        int index = scene_random_index(&a, 7);
        TEST_TRUE(index >= 0 && index < 7);
        ++indices[index];
        sinew_Vec3 d = scene_random_direction(&a);
        TEST_NEAR(sinew_vec3_length(d), 1.0, 1e-15);
        moments[0] += d.x, moments[1] += d.y, moments[2] += d.z;
        moments[3] += d.x * d.x, moments[4] += d.y * d.y, moments[5] += d.z * d.z;
        sinew_Quat q = scene_random_rotation(&a);
        TEST_NEAR(sinew_quat_dot(q, q), 1.0, 1e-15);
        quats[0] += q.x * q.x, quats[1] += q.y * q.y, quats[2] += q.z * q.z, quats[3] += q.w * q.w;
    }
    for (int k = 0; k < 10; ++k) { TEST_NEAR(buckets[k] / (double)COUNT, 0.1, 0.005); }
    for (int k = 0; k < 7; ++k) { TEST_NEAR(indices[k] / (double)COUNT, 1.0 / 7.0, 0.006); }
    for (int k = 0; k < 6; ++k) { TEST_NEAR(moments[k] / COUNT, k < 3 ? 0.0 : 1.0 / 3.0, 0.01); }
    for (int k = 0; k < 4; ++k) { TEST_NEAR(quats[k] / COUNT, 0.25, 0.005); }

    // Halton: 1/2, 1/4, 3/4 and so on, base 3 likewise; in (0, 1) and even
    static const double halves[7] = { 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875 };
    for (int i = 0; i < 7; ++i) { TEST_NEAR(scene_halton(i + 1, 2), halves[i], 0.0); }
    TEST_NEAR(scene_halton(5, 3), 7.0 / 9.0, 1e-15);
    int cells[81] = { 0 };
    for (int i = 1; i <= 81 * 10; ++i) { ++cells[(int)(81.0 * scene_halton(i, 3) + 1e-9)]; }
    for (int k = 0; k < 81; ++k) { TEST_TRUE(cells[k] >= 9 && cells[k] <= 11); }
}

TEST_MAIN(cmocka_unit_test(test_counts_skel5), cmocka_unit_test(test_ranges_skel6),
    cmocka_unit_test(test_effectors_reach_the_root_skel4), cmocka_unit_test(test_figure1_skel4),
    cmocka_unit_test(test_fewest_dofs_skel6), cmocka_unit_test(test_man18_skel7),
    cmocka_unit_test(test_fixtures_skel5), cmocka_unit_test(test_inner_effectors_of_hand_skel3),
    cmocka_unit_test(test_standing_on_the_floor), cmocka_unit_test(test_unknown_names_refused),
    cmocka_unit_test(test_failed_allocations_leave_nothing_behind),
    cmocka_unit_test(test_motions_are_smooth_and_inside), cmocka_unit_test(test_motions_repeat),
    cmocka_unit_test(test_feet_hold_on_the_floor), cmocka_unit_test(test_motion_clip),
    cmocka_unit_test(test_same_bits_everywhere), cmocka_unit_test(test_random_poses_inside),
    cmocka_unit_test(test_random_numbers))
