// Human limits: the same for a body whatever its rest pose is, mirrored, shared, with masses.

#include "testing.h"

#include "body/human.h"
#include "sinew/rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// A body of 19 joints in several rest poses. Bones hang down in the neutral pose, feet point ahead,
// clavicles outward; the rest pose turns each bone, and the joints have the world's axes in it.

enum {
    HIPS,
    SPINE,
    CHEST,
    NECK,
    HEAD,
    L_CLAVICLE,
    L_ARM,
    L_FOREARM,
    L_HAND,
    R_CLAVICLE,
    R_ARM,
    R_FOREARM,
    R_HAND,
    L_THIGH,
    L_SHIN,
    L_FOOT,
    L_TOE,
    R_THIGH,
    R_SHIN,
    R_FOOT,
    R_TOE,
    COUNT
};

typedef struct Bone {
    const char *name;
    int parent;
    sinew_Vec3 offset; // in the neutral pose
} Bone;

static const Bone bones[COUNT] = {
    { "Hips", -1, { 0.0, 0.95, 0.0 } },
    { "Spine", HIPS, { 0.0, 0.10, 0.0 } },
    { "Chest", SPINE, { 0.0, 0.18, 0.0 } },
    { "Neck", CHEST, { 0.0, 0.22, 0.0 } },
    { "Head", NECK, { 0.0, 0.10, 0.0 } },
    { "LeftShoulder", CHEST, { 0.03, 0.18, 0.0 } },
    { "LeftArm", L_CLAVICLE, { 0.15, 0.0, 0.0 } },
    { "LeftForeArm", L_ARM, { 0.0, -0.28, 0.0 } },
    { "LeftHand", L_FOREARM, { 0.0, -0.25, 0.0 } },
    { "RightShoulder", CHEST, { -0.03, 0.18, 0.0 } },
    { "RightArm", R_CLAVICLE, { -0.15, 0.0, 0.0 } },
    { "RightForeArm", R_ARM, { 0.0, -0.28, 0.0 } },
    { "RightHand", R_FOREARM, { 0.0, -0.25, 0.0 } },
    { "LeftUpLeg", HIPS, { 0.09, -0.05, 0.0 } },
    { "LeftLeg", L_THIGH, { 0.0, -0.42, 0.0 } },
    { "LeftFoot", L_SHIN, { 0.0, -0.42, 0.0 } },
    { "LeftToeBase", L_FOOT, { 0.0, -0.05, 0.13 } },
    { "RightUpLeg", HIPS, { -0.09, -0.05, 0.0 } },
    { "RightLeg", R_THIGH, { 0.0, -0.42, 0.0 } },
    { "RightFoot", R_SHIN, { 0.0, -0.42, 0.0 } },
    { "RightToeBase", R_FOOT, { 0.0, -0.05, 0.13 } },
};

// how far the arms are raised in a rest pose, degrees, and the legs spread
typedef struct Rest {
    const char *name;
    double arms, legs;
} Rest;

static sinew_Quat about_z(double degrees)
{
    return sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), degrees * SINEW_PI / 180.0);
}

// what turns the bone that begins at a joint from the neutral pose to the rest pose
static sinew_Quat rest_turn(const Rest *rest, int joint)
{
    switch (joint) {
    case L_ARM:
    case L_FOREARM:
    case L_HAND: return about_z(rest->arms);
    case R_ARM:
    case R_FOREARM:
    case R_HAND: return about_z(-rest->arms);
    case L_THIGH:
    case L_SHIN: return about_z(rest->legs);
    case R_THIGH:
    case R_SHIN: return about_z(-rest->legs);
    default: return sinew_quat_identity();
    }
}

static sinew_Skeleton *make_body(const Rest *rest)
{
    sinew_JointDef defs[COUNT];
    sinew_Axis ball = sinew_axis_ball();
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    for (int j = 0; j < COUNT; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = bones[j].name;
        defs[j].parent = bones[j].parent;
        defs[j].offset = bones[j].parent < 0
            ? bones[j].offset
            : sinew_quat_rotate(rest_turn(rest, bones[j].parent), bones[j].offset);
        defs[j].axes = &ball;
        defs[j].axis_count = 1;
    }
    TEST_OK(sinew_skeleton_create(defs, COUNT, NULL, &skeleton, &message), &message);
    return skeleton;
}

// the coordinates of a pose that is given as turns of the neutral pose's bones in the world
static void make_pose(const Rest *rest, const sinew_Quat *turns, double *q)
{
    sinew_Quat world[COUNT];
    for (int j = 0; j < COUNT; ++j) {
        world[j] = sinew_quat_mul(turns[j], sinew_quat_conjugate(rest_turn(rest, j)));
        int p = bones[j].parent;
        sinew_Quat local = p < 0 ? world[j]
                                 : sinew_quat_mul(sinew_quat_conjugate(world[p]), world[j]);
        q[4 * j] = local.x;
        q[4 * j + 1] = local.y;
        q[4 * j + 2] = local.z;
        q[4 * j + 3] = local.w;
    }
}

static sinew_Rig *guess_with(
    const sinew_Skeleton *skeleton, const double *reference, const sinew_RigOptions *given)
{
    sinew_RoleGuess *roles = NULL;
    sinew_Rig *rig = NULL;
    sinew_Message message = { "" };
    sinew_RoleOptions options = sinew_role_options_default();
    const sinew_PoseList motion = { reference, 1 };
    options.motion = reference != NULL ? &motion : NULL;
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &roles, &message), &message);
    sinew_RigOptions rig_options = given != NULL ? *given : sinew_rig_options_default();
    rig_options.motion = options.motion;
    TEST_OK(sinew_rig_guess(skeleton, roles, &rig_options, NULL, &rig, &message), &message);
    sinew_roles_destroy(roles);
    return rig;
}

static sinew_Skeleton *apply(const sinew_Skeleton *skeleton, const sinew_Rig *rig)
{
    sinew_Skeleton *rigged = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_rig_apply(skeleton, rig, NULL, &rigged, &message), &message);
    return rigged;
}

static sinew_Skeleton *make_limited(const Rest *rest)
{
    sinew_Skeleton *body = make_body(rest);
    sinew_Rig *rig = guess_with(body, NULL, NULL);
    sinew_Skeleton *limited = apply(body, rig);
    sinew_rig_destroy(rig);
    sinew_skeleton_destroy(body);
    return limited;
}

static double violation_of(const sinew_Skeleton *limited, int joint, const double *q)
{
    const sinew_Joint *j = &sinew_skeleton_joints(limited)[joint];
    const sinew_BallLimit *limit = sinew_skeleton_axes(limited)[j->axis_start].limit;
    const double *v = &q[j->coordinate_start];
    sinew_Quat ball = { v[0], v[1], v[2], v[3] };
    return limit != NULL ? sinew_ball_limit_violation(limit, ball) : 0.0;
}

static void random_turns(test_Random *random, double size, sinew_Quat *turns)
{
    for (int j = 0; j < COUNT; ++j) {
        sinew_Vec3 turn = test_vector(random, size);
        sinew_Quat own = sinew_quat_exp(turn);
        int p = bones[j].parent;
        turns[j] = p < 0 ? own : sinew_quat_mul(turns[p], own);
    }
}

// ---------------------------------------------------------------------------------------------

static const Rest rests[] = { { "N", 0.0, 0.0 }, { "A", 45.0, 8.0 }, { "T", 90.0, 0.0 },
    { "T, legs spread", 90.0, 20.0 } };
enum { REST_COUNT = (int)(sizeof rests / sizeof rests[0]) };

static void rest_poses_make_no_difference(void **state)
{
    (void)state;
    sinew_Skeleton *limited[REST_COUNT];
    for (int r = 0; r < REST_COUNT; ++r) { limited[r] = make_limited(&rests[r]); }
    int outside = 0, inside = 0;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(11, i);
        sinew_Quat turns[COUNT];
        double q[REST_COUNT][4 * COUNT];
        random_turns(&random, 0.9, turns);
        for (int r = 0; r < REST_COUNT; ++r) { make_pose(&rests[r], turns, q[r]); }
        for (int j = 0; j < COUNT; ++j) {
            double want = violation_of(limited[0], j, q[0]);
            outside += want > 0.0 ? 1 : 0;
            inside += want > 0.0 ? 0 : 1;
            for (int r = 1; r < REST_COUNT; ++r) {
                TEST_NEAR(violation_of(limited[r], j, q[r]), want, 1e-9);
            }
        }
    }
    // the test sees both sides of the limits
    TEST_TRUE(outside > 500 && inside > 500);
    for (int r = 0; r < REST_COUNT; ++r) { sinew_skeleton_destroy(limited[r]); }
}

// a rest pose that is no figure: the reference pose says where neutral is
static void stacked_rests_use_the_reference(void **state)
{
    (void)state;
    sinew_JointDef defs[COUNT];
    sinew_Axis ball = sinew_axis_ball();
    sinew_Skeleton *body = NULL;
    sinew_Message message = { "" };
    double reference[4 * COUNT];
    sinew_Quat world[COUNT];
    for (int j = 0; j < COUNT; ++j) {
        int p = bones[j].parent;
        double length = sinew_vec3_length(bones[j].offset);
        defs[j] = sinew_joint_def_default();
        defs[j].name = bones[j].name;
        defs[j].parent = p;
        defs[j].offset = sinew_vec3(0.0, length, 0.0);
        defs[j].axes = &ball;
        defs[j].axis_count = 1;
        world[j] = sinew_quat_identity();
    }
    // joints with several children cannot be stacked along one line and still be this body
    static const int forks[] = { HIPS, CHEST };
    for (int j = 0; j < COUNT; ++j) {
        for (int f = 0; f < 2; ++f) {
            if (bones[j].parent == forks[f]) { defs[j].offset = bones[j].offset; }
        }
    }
    TEST_OK(sinew_skeleton_create(defs, COUNT, NULL, &body, &message), &message);
    for (int j = 0; j < COUNT; ++j) {
        for (int c = 0; c < COUNT; ++c) {
            bool forked = j == HIPS || j == CHEST;
            if (bones[c].parent != j || forked) { continue; }
            sinew_Vec3 stack = { 0.0, 1.0, 0.0 };
            world[j] = sinew_quat_between(stack, sinew_vec3_normalize_or(bones[c].offset, stack));
        }
        int p = bones[j].parent;
        sinew_Quat local = p < 0 ? world[j]
                                 : sinew_quat_mul(sinew_quat_conjugate(world[p]), world[j]);
        reference[4 * j] = local.x;
        reference[4 * j + 1] = local.y;
        reference[4 * j + 2] = local.z;
        reference[4 * j + 3] = local.w;
    }
    sinew_RoleGuess *roles = NULL;
    sinew_RoleOptions options = sinew_role_options_default();
    const sinew_PoseList motion = { reference, 1 };
    options.motion = &motion;
    TEST_OK(sinew_roles_guess(body, &options, NULL, &roles, &message), &message);
    TEST_TRUE(roles->reference_frame == 0);
    sinew_roles_destroy(roles);
    sinew_Rig *rig = guess_with(body, reference, NULL);
    sinew_Skeleton *stacked = apply(body, rig);
    sinew_Skeleton *plain = make_limited(&rests[0]);

    // hands and heads have no bone of their own here: their frames differ by what nobody knows
    static const int compared[] = { SPINE, CHEST, L_CLAVICLE, L_ARM, L_FOREARM, R_CLAVICLE, R_ARM,
        R_FOREARM, L_THIGH, L_SHIN, L_FOOT, R_THIGH, R_SHIN, R_FOOT };
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(12, i);
        sinew_Quat turns[COUNT];
        double q[4 * COUNT], other[4 * COUNT];
        random_turns(&random, 0.8, turns);
        make_pose(&rests[0], turns, q);
        for (int j = 0; j < COUNT; ++j) {
            int p = bones[j].parent;
            sinew_Quat own = sinew_quat_mul(turns[j], world[j]);
            sinew_Quat local = p < 0
                ? own
                : sinew_quat_mul(sinew_quat_conjugate(sinew_quat_mul(turns[p], world[p])), own);
            other[4 * j] = local.x;
            other[4 * j + 1] = local.y;
            other[4 * j + 2] = local.z;
            other[4 * j + 3] = local.w;
        }
        for (size_t k = 0; k < sizeof compared / sizeof compared[0]; ++k) {
            TEST_NEAR(violation_of(stacked, compared[k], other),
                violation_of(plain, compared[k], q), 1e-9);
        }
    }
    sinew_rig_destroy(rig);
    sinew_skeleton_destroy(stacked);
    sinew_skeleton_destroy(plain);
    sinew_skeleton_destroy(body);
}

static void sides_are_mirrored(void **state)
{
    (void)state;
    static const int twins[COUNT] = { HIPS, SPINE, CHEST, NECK, HEAD, R_CLAVICLE, R_ARM, R_FOREARM,
        R_HAND, L_CLAVICLE, L_ARM, L_FOREARM, L_HAND, R_THIGH, R_SHIN, R_FOOT, R_TOE, L_THIGH,
        L_SHIN, L_FOOT, L_TOE };
    sinew_Skeleton *limited = make_limited(&rests[2]);
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(13, i);
        sinew_Quat turns[COUNT], mirrored[COUNT];
        double q[4 * COUNT], other[4 * COUNT];
        random_turns(&random, 0.9, turns);
        // in the plane x = 0
        for (int j = 0; j < COUNT; ++j) {
            sinew_Quat t = turns[j];
            sinew_Quat m = { t.x, -t.y, -t.z, t.w };
            mirrored[twins[j]] = m;
        }
        make_pose(&rests[2], turns, q);
        make_pose(&rests[2], mirrored, other);
        for (int j = 0; j < COUNT; ++j) {
            TEST_NEAR(violation_of(limited, twins[j], other), violation_of(limited, j, q), 1e-9);
        }
    }
    sinew_skeleton_destroy(limited);
}

// one joint turned about an axis of the world, in the neutral pose of the others
static double bend(const sinew_Skeleton *limited, int joint, sinew_Vec3 axis, double degrees)
{
    sinew_Quat turns[COUNT];
    double q[4 * COUNT];
    for (int j = 0; j < COUNT; ++j) {
        int p = bones[j].parent;
        turns[j] = p < 0 ? sinew_quat_identity() : turns[p];
        if (j != joint) { continue; }
        sinew_Quat own = sinew_quat_from_axis_angle(axis, degrees * SINEW_PI / 180.0);
        turns[j] = sinew_quat_mul(turns[j], own);
    }
    make_pose(&rests[2], turns, q);
    return violation_of(limited, joint, q) * 180.0 / SINEW_PI;
}

// ranges of the published tables and 7 degrees, each the right way round
static void joints_bend_as_people_do(void **state)
{
    (void)state;
    const sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    const sinew_Vec3 foot = sinew_vec3_normalize_or(bones[L_TOE].offset, z);
    const struct {
        int joint;
        sinew_Vec3 axis;
        double most; // degrees that are allowed, by the sign's way
    } cases[] = {
        // elbows bend forwards, knees backwards
        { L_FOREARM, x, -157.0 },
        { L_FOREARM, x, 7.0 },
        { R_FOREARM, x, -157.0 },
        { L_SHIN, x, 164.0 },
        { L_SHIN, x, -7.0 },
        { R_SHIN, x, 164.0 },
        // hips: forwards, backwards, outwards, inwards
        { L_THIGH, x, -154.0 },
        { L_THIGH, x, 42.0 },
        { L_THIGH, z, 71.0 },
        { L_THIGH, z, -44.0 },
        { R_THIGH, z, -71.0 },
        { R_THIGH, z, 44.0 },
        // arms that a clavicle carries
        { L_ARM, x, -142.0 },
        { L_ARM, x, 65.0 },
        { L_ARM, z, 142.0 },
        { R_ARM, z, -142.0 },
        // inward turns of arms and legs
        { L_ARM, y, -85.0 },
        { L_ARM, y, 110.0 },
        { R_ARM, y, 85.0 },
        { L_THIGH, y, 62.0 },
        // toes up and down, feet down and up
        { L_TOE, x, -87.0 },
        { L_TOE, x, 52.0 },
        { L_FOOT, x, 73.0 },
        { L_FOOT, x, -52.0 },
        // the sole of the left foot turns in farther than out, about the foot's length
        { L_FOOT, foot, -47.0 },
        { L_FOOT, foot, 32.0 },
        // a head on one joint of neck may do what both do
        { HEAD, y, 87.0 },
    };
    sinew_Skeleton *limited = make_limited(&rests[2]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double most = cases[i].most, more = most > 0.0 ? most + 2.0 : most - 2.0;
        double less = most > 0.0 ? most - 0.1 : most + 0.1;
        TEST_NEAR(bend(limited, cases[i].joint, cases[i].axis, less), 0.0, 1e-9);
        // beside a corner the nearest point is not straight back
        double outside = bend(limited, cases[i].joint, cases[i].axis, more);
        TEST_TRUE(outside > 0.5 && outside < 2.3);
    }
    sinew_skeleton_destroy(limited);
}

static void shares_of_the_spine_add_up(void **state)
{
    (void)state;
    const double t[3] = { 0.2, 0.6, 1.0 };
    double bends = 0.0, sides = 0.0, twists = 0.0;
    for (int i = 0; i < 3; ++i) {
        snw_SpineShare share = snw_human_spine_share(t, 3, i);
        bends += share.bend;
        sides += share.side;
        twists += share.twist;
    }
    // each may take as much again
    TEST_NEAR(bends, 2.0, 1e-12);
    TEST_NEAR(sides, 2.0, 1e-12);
    TEST_NEAR(twists, 2.0, 1e-12);
    TEST_TRUE(snw_human_spine_share(t, 3, 0).bend > snw_human_spine_share(t, 3, 2).bend);
    TEST_TRUE(snw_human_spine_share(t, 3, 0).twist < snw_human_spine_share(t, 3, 2).twist);
    TEST_NEAR(snw_human_neck_share(0, 0).bend, 1.0, 0.0);
    TEST_NEAR(snw_human_spine_share(t, 1, 0).bend, 1.0, 0.0);
}

static void masses_add_up(void **state)
{
    (void)state;
    double shares = 0.0;
    for (int s = 0; s < (int)SNW_SEGMENT_COUNT; ++s) {
        bool twice = s >= (int)SNW_SEGMENT_UPPER_ARM;
        shares += (twice ? 2.0 : 1.0) * snw_human_mass((snw_HumanSegment)s).share;
    }
    TEST_NEAR(shares, 1.0, 2e-3);

    sinew_Skeleton *body = make_body(&rests[2]);
    sinew_RigOptions options = sinew_rig_options_default();
    options.body_mass = 80.0;
    options.unit = 0.01;
    sinew_Rig *rig = guess_with(body, NULL, &options);
    sinew_Skeleton *rigged = apply(body, rig);
    double mass = 0.0, q[4 * COUNT];
    sinew_Transform world[COUNT];
    for (int j = 0; j < COUNT; ++j) { mass += sinew_skeleton_joints(rigged)[j].mass; }
    TEST_NEAR(mass, 80.0, 0.2);
    sinew_Quat turns[COUNT];
    for (int j = 0; j < COUNT; ++j) { turns[j] = sinew_quat_identity(); }
    make_pose(&rests[2], turns, q);
    sinew_pose_forward(rigged, q, world);
    sinew_Vec3 center = sinew_pose_center_of_mass(rigged, world);
    // of people who stand it is at 0.53 to 0.58 of the stature, 1.71 m here
    TEST_NEAR(center.x, 0.0, 1e-3);
    TEST_NEAR(center.y, 0.96, 0.06);
    TEST_NEAR(center.z, 0.0, 0.03);
    sinew_skeleton_destroy(rigged);
    sinew_rig_destroy(rig);
    sinew_skeleton_destroy(body);
}

TEST_MAIN(cmocka_unit_test(rest_poses_make_no_difference),
    cmocka_unit_test(stacked_rests_use_the_reference), cmocka_unit_test(sides_are_mirrored),
    cmocka_unit_test(joints_bend_as_people_do), cmocka_unit_test(shares_of_the_spine_add_up),
    cmocka_unit_test(masses_add_up))
