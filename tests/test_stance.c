// How bodies stand: made-up bodies whose stance is known. Recorded ones: test_stance_real.c.

#include "testing.h"

#include "sinew/rig.h"
#include "sinew/stance.h"
#include "sinew/walker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HIPS,
    CHEST,
    NECK,
    HEAD,
    L_ARM,
    L_FOREARM,
    L_HAND,
    R_ARM,
    R_FOREARM,
    R_HAND,
    L_THIGH,
    L_SHIN,
    L_FOOT,
    L_END,
    R_THIGH,
    R_SHIN,
    R_FOOT,
    R_END,
    COUNT
};

enum { FRAMES = 120, WIDTH = 3 + 4 * COUNT };

typedef struct Bone {
    const char *name;
    int parent;
    sinew_Vec3 offset; // standing, arms hanging
} Bone;

static const Bone bones[COUNT] = {
    { "Hips", -1, { 0.0, 0.0, 0.0 } },
    { "Chest", HIPS, { 0.0, 0.25, 0.0 } },
    { "Neck", CHEST, { 0.0, 0.25, 0.0 } },
    { "Head", NECK, { 0.0, 0.1, 0.0 } },
    { "LeftArm", CHEST, { 0.2, 0.2, 0.0 } },
    { "LeftForeArm", L_ARM, { 0.0, -0.28, 0.0 } },
    { "LeftHand", L_FOREARM, { 0.0, -0.25, 0.0 } },
    { "RightArm", CHEST, { -0.2, 0.2, 0.0 } },
    { "RightForeArm", R_ARM, { 0.0, -0.28, 0.0 } },
    { "RightHand", R_FOREARM, { 0.0, -0.25, 0.0 } },
    { "LeftUpLeg", HIPS, { 0.1, -0.05, 0.0 } },
    { "LeftLeg", L_THIGH, { 0.0, -0.42, 0.0 } },
    { "LeftFoot", L_SHIN, { 0.0, -0.42, 0.0 } },
    { "LeftToeBase", L_FOOT, { 0.0, -0.07, 0.12 } },
    { "RightUpLeg", HIPS, { -0.1, -0.05, 0.0 } },
    { "RightLeg", R_THIGH, { 0.0, -0.42, 0.0 } },
    { "RightFoot", R_SHIN, { 0.0, -0.42, 0.0 } },
    { "RightToeBase", R_FOOT, { 0.0, -0.07, 0.12 } },
};

typedef struct Body {
    sinew_Skeleton *skeleton;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
} Body;

/// How a body is made of the bones: mirrored swaps left and right, stacked lays each bone along +X of its joint,
/// under takes the toes straight below the ankle, aside turns the left foot; legs and arms begin where the other one does.
typedef struct Build {
    bool mirrored, stacked, under;
    double aside; // radians
    bool one_hip, one_shoulder;
} Build;

static sinew_Quat about(double x, double y, double z, double angle)
{
    return sinew_quat_from_axis_angle(sinew_vec3(x, y, z), angle);
}

static sinew_Vec3 offset_of(const Build *build, int j)
{
    sinew_Vec3 offset = bones[j].offset;
    if (build->mirrored) { offset.x = -offset.x; }
    if ((j == L_THIGH || j == R_THIGH) && build->one_hip) { offset.x = 0.0; }
    if ((j == L_ARM || j == R_ARM) && build->one_shoulder) { offset.x = 0.0; }
    if ((j == L_END || j == R_END) && build->under) { offset = sinew_vec3(0.0, -0.08, 0.0); }
    if (j == L_END) { offset = sinew_quat_rotate(about(0.0, 1.0, 0.0, build->aside), offset); }
    return offset;
}

// world turn of a joint's axes in the stance: of stacked bodies x goes along the bone, and the joints have the
// anatomical axes that people choose
static sinew_Quat axes_of(const Build *build, int j)
{
    if (!build->stacked) { return sinew_quat_identity(); }
    bool hangs = (j >= L_ARM && j <= R_HAND) || (j >= L_THIGH && j < COUNT);
    return about(0.0, 0.0, 1.0, hangs ? -0.5 * SINEW_PI : 0.5 * SINEW_PI);
}

static Body make(const Build *build, const sinew_PoseList *motion)
{
    Body body = { NULL, NULL, NULL };
    sinew_JointDef defs[COUNT];
    sinew_Axis axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_Message message = { "" };
    for (int j = 0; j < COUNT; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = bones[j].name;
        defs[j].parent = bones[j].parent;
        defs[j].offset = offset_of(build, j);
        if (bones[j].parent >= 0) {
            sinew_Quat above = axes_of(build, bones[j].parent);
            defs[j].offset = sinew_quat_rotate(sinew_quat_conjugate(above), defs[j].offset);
        }
        defs[j].axes = j == HIPS ? axes : &axes[3];
        defs[j].axis_count = j == HIPS ? 4 : 1;
    }
    TEST_OK(sinew_skeleton_create(defs, COUNT, NULL, &body.skeleton, &message), &message);
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = motion;
    TEST_OK(sinew_roles_guess(body.skeleton, &options, NULL, &body.roles, &message), &message);
    TEST_OK(sinew_stance_guess(body.skeleton, body.roles, motion, NULL, &body.stance, &message),
        &message);
    return body;
}

static void drop(Body *body)
{
    sinew_stance_destroy(body->stance);
    sinew_roles_destroy(body->roles);
    sinew_skeleton_destroy(body->skeleton);
}

static bool has_note(const sinew_Stance *stance, sinew_StanceCode code, sinew_Side side)
{
    for (int i = 0; i < stance->note_count; ++i) {
        if (stance->notes[i].code == code && stance->notes[i].side == side) { return true; }
    }
    return false;
}

// a frame of somebody who walks on the spot somewhere, turned anyhow, trunk bent, arms and legs swinging
static void make_frame(const Build *build, test_Random *random, double *q)
{
    sinew_Quat turn[COUNT], world[COUNT];
    sinew_Quat lean = sinew_quat_mul(about(0.0, 1.0, 0.0, test_range(random, -3.0, 3.0)),
        about(1.0, 0.0, 0.0, test_range(random, 0.0, 0.2)));
    double left = build->mirrored ? -1.0 : 1.0;
    for (int j = 0; j < COUNT; ++j) {
        int p = bones[j].parent;
        double angle = 0.0;
        if (j == L_SHIN || j == R_SHIN) { angle = test_range(random, 0.1, 1.1); }
        if (j == L_THIGH || j == R_THIGH) { angle = test_range(random, -0.7, 0.3); }
        if (j == L_FOREARM || j == R_FOREARM) { angle = test_range(random, -1.2, -0.2); }
        if (j == L_ARM || j == R_ARM) { angle = test_range(random, -0.4, 0.4); }
        if (j == CHEST) { angle = 0.1; }
        sinew_Quat own = about(1.0, 0.0, 0.0, angle);
        // arms that are held away from the body
        if (j == L_ARM || j == R_ARM) {
            double side = j == L_ARM ? left : -left;
            own = sinew_quat_mul(own, about(0.0, 0.0, 1.0, side * test_range(random, 0.1, 0.3)));
        }
        turn[j] = p < 0 ? lean : sinew_quat_mul(turn[p], own);
        world[j] = sinew_quat_mul(turn[j], axes_of(build, j));
        sinew_Quat local = p < 0 ? world[j]
                                 : sinew_quat_mul(sinew_quat_conjugate(world[p]), world[j]);
        memcpy(&q[3 + 4 * j], &local, sizeof local);
    }
    for (int i = 0; i < 3; ++i) { q[i] = test_range(random, -1.0, 1.0); }
}

// ---------------------------------------------------------------------------------------------

static void test_rest_pose_that_stands(void **state)
{
    (void)state;
    Build build = { .mirrored = false };
    Body body = make(&build, NULL);
    const sinew_Stance *s = body.stance;
    TEST_INT(s->source, SINEW_STANCE_REST);
    TEST_TRUE(s->can_stand && s->confidence == 1.0 && s->note_count == 0);
    TEST_VEC3_NEAR(s->left, sinew_vec3(1.0, 0.0, 0.0), 1e-12);
    TEST_VEC3_NEAR(s->ahead, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    // soles on the floor, below heel and toe
    for (int i = 0; i < 2; ++i) {
        sinew_Transform ankle = s->world_from_joint[s->feet[i].joint];
        sinew_Vec3 heel = sinew_transform_point(ankle, s->feet[i].heel);
        sinew_Vec3 ball = sinew_transform_point(ankle, s->feet[i].ball);
        double side = i == 0 ? 0.1 : -0.1;
        TEST_VEC3_NEAR(ball, sinew_vec3(side, 0.0, 0.12), 1e-9);
        TEST_VEC3_NEAR(heel, sinew_vec3(side, 0.0, -0.036), 1e-9);
        TEST_INT(s->feet[i].toe, i == 0 ? L_END : R_END);
    }
    // q is that pose
    sinew_Transform world[COUNT];
    sinew_pose_forward(body.skeleton, s->q, world);
    for (int j = 0; j < COUNT; ++j) {
        TEST_VEC3_NEAR(world[j].position, s->world_from_joint[j].position, 1e-9);
        TEST_TRUE(sinew_quat_angle(world[j].rotation, s->world_from_joint[j].rotation) < 1e-7);
    }
    drop(&body);
}

// A motion that stands along another axis than the rest pose is told; one that stands as it does is not.
static void test_motions_with_another_up_are_told(void **state)
{
    (void)state;
    static double q[FRAMES * WIDTH];
    Build build = { .mirrored = false };
    for (int tilted = 0; tilted < 2; ++tilted) {
        test_Random random = test_random(31);
        const sinew_Quat tilt = about(1.0, 0.0, 0.0, tilted * 0.5 * SINEW_PI);
        for (int f = 0; f < FRAMES; ++f) {
            double *frame = &q[f * WIDTH];
            sinew_Quat root;
            make_frame(&build, &random, frame);
            memcpy(&root, &frame[3], sizeof root);
            root = sinew_quat_mul(tilt, root);
            memcpy(&frame[3], &root, sizeof root);
        }
        const sinew_PoseList motion = { q, FRAMES };
        Body body = make(&build, &motion);
        TEST_INT(body.stance->source, SINEW_STANCE_REST);
        TEST_VEC3_NEAR(body.stance->up, sinew_vec3(0.0, 1.0, 0.0), 1e-12);
        TEST_TRUE(has_note(body.stance, SINEW_STANCE_OTHER_UP, SINEW_SIDE_NONE) == (tilted == 1));
        drop(&body);
    }
}

// ends of feet straight below the ankle say nothing of left and right
static void test_textbook_biovision_is_not_mirrored(void **state)
{
    (void)state;
    Build build = { .under = true };
    Body body = make(&build, NULL);
    TEST_TRUE(!has_note(body.stance, SINEW_STANCE_MIRRORED, SINEW_SIDE_NONE));
    TEST_TRUE(has_note(body.stance, SINEW_STANCE_NO_FACING, SINEW_SIDE_NONE));
    TEST_INT(body.stance->witnesses[SINEW_WITNESS_TOES].count, 0);
    TEST_VEC3_NEAR(body.stance->ahead, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    sinew_Transform ankle = body.stance->world_from_joint[L_FOOT];
    sinew_Vec3 ball = sinew_transform_point(ankle, body.stance->feet[0].ball);
    TEST_VEC3_NEAR(ball, sinew_vec3(0.1, 0.0, 0.15 * 0.84), 1e-9);
    drop(&body);
    // with a motion its knees and elbows tell
    static double q[FRAMES * WIDTH];
    test_Random random = test_random(7);
    for (int f = 0; f < FRAMES; ++f) { make_frame(&build, &random, q + f * WIDTH); }
    sinew_PoseList motion = { q, FRAMES };
    body = make(&build, &motion);
    TEST_INT(body.stance->note_count, 0);
    TEST_TRUE(body.stance->witnesses[SINEW_WITNESS_KNEES].agreement > 0.9);
    TEST_TRUE(body.stance->witnesses[SINEW_WITNESS_ELBOWS].agreement > 0.5);
    drop(&body);
}

static void test_mirrored_and_contradicting_bodies_are_told(void **state)
{
    (void)state;
    Build build = { .mirrored = true };
    Body body = make(&build, NULL);
    TEST_TRUE(has_note(body.stance, SINEW_STANCE_MIRRORED, SINEW_SIDE_NONE));
    TEST_TRUE(body.stance->witnesses[SINEW_WITNESS_TOES].agreement < -0.9);
    TEST_VEC3_NEAR(body.stance->ahead, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    drop(&body);

    // toes one way, knees the other: the bodies' names stand, and both are told of
    static double q[FRAMES * WIDTH];
    test_Random random = test_random(8);
    Build other = { .mirrored = false };
    for (int f = 0; f < FRAMES; ++f) { make_frame(&other, &random, q + f * WIDTH); }
    sinew_PoseList motion = { q, FRAMES };
    Build back = { .aside = SINEW_PI };
    body = make(&back, &motion);
    TEST_TRUE(has_note(body.stance, SINEW_STANCE_TOES_ASIDE, SINEW_SIDE_LEFT));
    TEST_TRUE(!has_note(body.stance, SINEW_STANCE_TOES_ASIDE, SINEW_SIDE_RIGHT));
    TEST_TRUE(!has_note(body.stance, SINEW_STANCE_MIRRORED, SINEW_SIDE_NONE));
    TEST_TRUE(body.stance->confidence < 1.0);
    drop(&body);
}

static void test_toes_aside_are_turned_ahead(void **state)
{
    (void)state;
    const double angles[] = { 0.2, 0.5, 1.0 };
    for (int i = 0; i < 3; ++i) {
        Build build = { .aside = angles[i] };
        Body body = make(&build, NULL);
        TEST_NEAR(body.stance->feet[0].toe_out, angles[i], 1e-9);
        TEST_INT(has_note(body.stance, SINEW_STANCE_TOES_ASIDE, SINEW_SIDE_LEFT), i == 2);
        sinew_Vec3 toes = sinew_vec3_sub(body.stance->world_from_joint[L_END].position,
            body.stance->world_from_joint[L_FOOT].position);
        // a little toe-out is how people stand
        TEST_NEAR(sinew_atan2(toes.x, toes.z), i == 0 ? 0.2 : 0.0, 1e-9);
        drop(&body);
    }
}

// bones along X: the stance comes from the motion, and is the same whatever frame comes first
static void test_stacked_bodies_stand_by_their_motion(void **state)
{
    (void)state;
    static double q[FRAMES * WIDTH], turned[FRAMES * WIDTH];
    Build build = { .stacked = true };
    test_Random random = test_random(9);
    for (int f = 0; f < FRAMES; ++f) { make_frame(&build, &random, q + f * WIDTH); }
    sinew_PoseList motion = { q, FRAMES };
    Body body = make(&build, &motion);
    TEST_INT(body.stance->source, SINEW_STANCE_FRAME);
    TEST_TRUE(body.stance->rest_cost > 0.9 && body.stance->can_stand);
    TEST_TRUE(has_note(body.stance, SINEW_STANCE_FROM_MOTION, SINEW_SIDE_NONE));
    for (int j = 0; j < L_FOOT; ++j) {
        if (j == HEAD) { continue; }
        double angle = sinew_quat_angle(
            body.stance->world_from_joint[j].rotation, axes_of(&build, j));
        if (!(angle < 0.02)) { print_message("%s is %g rad off\n", bones[j].name, angle); }
        TEST_TRUE(angle < 0.02);
    }
    for (int shift = 1; shift < FRAMES; shift += 29) {
        for (int f = 0; f < FRAMES; ++f) {
            memcpy(turned + f * WIDTH, q + ((f + shift) % FRAMES) * WIDTH, WIDTH * sizeof *q);
        }
        sinew_PoseList other = { turned, FRAMES };
        Body again = make(&build, &other);
        for (int j = 0; j < COUNT; ++j) {
            // nobody's feet stand in these frames
            if (j == L_FOOT || j == L_END || j == R_FOOT || j == R_END) { continue; }
            TEST_TRUE(sinew_quat_angle(again.stance->world_from_joint[j].rotation,
                          body.stance->world_from_joint[j].rotation)
                < 1e-6);
        }
        drop(&again);
    }
    // a walker needs it
    sinew_WalkerDef def = sinew_walker_def_default();
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    def.skeleton = body.skeleton;
    def.roles = body.roles;
    TEST_INT(sinew_walker_create(&def, &walker, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "no standing figure"));
    TEST_TRUE(walker == NULL);
    def.stance = body.stance;
    TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
    sinew_Steering steering = { 1.2, 0.0, 0.0 };
    static double pose[WIDTH];
    sinew_Transform world[COUNT];
    for (int f = 0; f < 240; ++f) {
        TEST_OK(sinew_walker_update(walker, &steering, 1.0 / 60.0, NULL, pose, &message), &message);
        sinew_pose_forward(body.skeleton, pose, world);
        TEST_TRUE(world[HEAD].position.y > world[HIPS].position.y + 0.4);
        TEST_TRUE(world[L_SHIN].position.y < world[HIPS].position.y);
    }
    TEST_TRUE(world[HIPS].position.z > 2.0);
    sinew_walker_destroy(walker);
    drop(&body);
}

// stick figures: where legs begin at one place the arms tell left, and the other way round; nobody tells where both do
static void test_sticks_have_sides(void **state)
{
    (void)state;
    for (int i = 1; i < 4; ++i) {
        Build build = { .one_hip = (i & 1) != 0, .one_shoulder = (i & 2) != 0 };
        Body body = make(&build, NULL);
        TEST_INT(body.stance->source, SINEW_STANCE_REST);
        TEST_VEC3_NEAR(body.stance->up, sinew_vec3(0.0, 1.0, 0.0), 1e-9);
        TEST_VEC3_NEAR(body.stance->left, sinew_vec3(1.0, 0.0, 0.0), 1e-9);
        const sinew_StanceSign *toes = &body.stance->witnesses[SINEW_WITNESS_TOES];
        TEST_INT(toes->count, i < 3 ? 2 : 0);
        if (i < 3) { TEST_NEAR(toes->agreement, 1.0, 1e-9); }
        drop(&body);
    }
}

static void test_stance_without_a_figure(void **state)
{
    (void)state;
    Build build = { .stacked = true };
    Body body = make(&build, NULL);
    TEST_INT(body.stance->source, SINEW_STANCE_NONE);
    TEST_TRUE(!body.stance->can_stand && body.stance->confidence == 0.0);
    TEST_TRUE(has_note(body.stance, SINEW_STANCE_NO_FIGURE, SINEW_SIDE_NONE));
    drop(&body);
}

static void test_stance_arguments_and_memory(void **state)
{
    (void)state;
    Build build = { .stacked = true };
    Body body = make(&build, NULL);
    static double q[3 * WIDTH];
    test_Random random = test_random(10);
    for (int f = 0; f < 3; ++f) { make_frame(&build, &random, q + f * WIDTH); }
    sinew_PoseList motion = { q, 3 };
    sinew_Stance *stance = NULL;
    sinew_Message message = { "" };
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    TEST_INT(sinew_stance_guess(NULL, body.roles, NULL, NULL, &stance, &message), bad);
    TEST_INT(sinew_stance_guess(body.skeleton, NULL, NULL, NULL, &stance, &message), bad);
    TEST_INT(sinew_stance_guess(body.skeleton, body.roles, NULL, NULL, NULL, &message), bad);
    double kept = q[WIDTH + 5];
    q[WIDTH + 5] = NAN;
    TEST_INT(sinew_stance_guess(body.skeleton, body.roles, &motion, NULL, &stance, &message), bad);
    assert_string_equal(message.text, "motion, frame 1: number 5 is not finite");
    q[WIDTH + 5] = kept;
    sinew_stance_destroy(NULL);
    long fail_at = 0;
    sinew_Status status;
    do {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = ++fail_at;
        status = sinew_stance_guess(
            body.skeleton, body.roles, &motion, &memory.allocator, &stance, NULL);
        TEST_TRUE((status == SINEW_STATUS_OK) == (stance != NULL));
        sinew_stance_destroy(stance);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    } while (status == SINEW_STATUS_OUT_OF_MEMORY);
    TEST_TRUE(fail_at > 2);
    drop(&body);
}

TEST_MAIN(cmocka_unit_test(test_rest_pose_that_stands),
    cmocka_unit_test(test_motions_with_another_up_are_told),
    cmocka_unit_test(test_textbook_biovision_is_not_mirrored),
    cmocka_unit_test(test_mirrored_and_contradicting_bodies_are_told),
    cmocka_unit_test(test_toes_aside_are_turned_ahead),
    cmocka_unit_test(test_stacked_bodies_stand_by_their_motion),
    cmocka_unit_test(test_sticks_have_sides), cmocka_unit_test(test_stance_without_a_figure),
    cmocka_unit_test(test_stance_arguments_and_memory))
