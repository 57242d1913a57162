// A living body above the legs of the style natural: what is on, what is off, what is bounded, whose it is; judged by
// the eyes that share nothing with it.

#include "testing.h"

#include "measure/alive.h"
#include "measure/gait_compare.h"
#include "measure/walk_mirror.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "sinew/file.h"
#include "walk/gait_curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)

typedef struct Walk {
    scene_Scene *scene;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    sinew_Walker *walker;
    double *q;
    int coordinates;
} Walk;

static void begin(Walk *walk, const sinew_Manner *manner)
{
    memset(walk, 0, sizeof *walk);
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &walk->scene, &message), &message);
    const sinew_Skeleton *skeleton = walk->scene->skeleton;
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &walk->roles, &message), &message);
    TEST_OK(
        sinew_stance_guess(skeleton, walk->roles, NULL, NULL, &walk->stance, &message), &message);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.style = SINEW_WALK_NATURAL;
    if (manner != NULL) { def.manner = *manner; }
    TEST_OK(sinew_walker_create(&def, &walk->walker, &message), &message);
    walk->coordinates = sinew_skeleton_coordinate_count(skeleton);
    walk->q = calloc((size_t)walk->coordinates, sizeof *walk->q);
    TEST_TRUE(walk->q != NULL);
}

static void end(Walk *walk)
{
    sinew_walker_destroy(walk->walker);
    sinew_stance_destroy(walk->stance);
    sinew_roles_destroy(walk->roles);
    scene_destroy(walk->scene);
    free(walk->q);
}

static void go(Walk *walk, sinew_Steering steering, double time, double frame_time)
{
    int frames = (int)(time / frame_time + 0.5);
    for (int i = 0; i < frames; ++i) {
        TEST_OK(
            sinew_walker_update(walk->walker, &steering, frame_time, NULL, walk->q, NULL), NULL);
    }
}

/// The same, watched.
static measure_Alive *watch(Walk *walk, sinew_Steering steering, double time)
{
    int frames = (int)(time / FRAME_TIME + 0.5);
    measure_Alive *alive = measure_alive_create(
        walk->scene->skeleton, walk->roles, walk->stance, frames, FRAME_TIME);
    TEST_TRUE(alive != NULL);
    for (int i = 0; i < frames; ++i) {
        go(walk, steering, FRAME_TIME, FRAME_TIME);
        measure_alive_frame(alive, walk->q);
    }
    return alive;
}

static measure_AliveCycle cycle_of(const sinew_Manner *manner, double speed)
{
    Walk walk;
    begin(&walk, manner);
    go(&walk, (sinew_Steering){ speed, 0.0, 0.0 }, 3.0, FRAME_TIME);
    measure_Alive *alive = watch(&walk, (sinew_Steering){ speed, 0.0, 0.0 }, 12.0);
    measure_AliveCycle cycle = measure_alive_cycle(alive, 0.0, 12.0);
    measure_alive_destroy(alive);
    end(&walk);
    TEST_TRUE(cycle.cycle_count > 4);
    return cycle;
}

/// A sum over all numbers of a walk with turns and a stop, bit for bit.
static uint64_t hash_of(const sinew_Manner *manner, double frame_time)
{
    Walk walk;
    begin(&walk, manner);
    uint64_t hash = 1469598103934665603ULL;
    const sinew_Steering ways[3] = { { 1.2, 0.0, 0.3 }, { 0.0, 0.0, 0.0 }, { 0.6, 0.3, -0.5 } };
    for (int i = 0; i < 3; ++i) {
        go(&walk, ways[i], 2.0, frame_time);
        for (int k = 0; k < walk.coordinates; ++k) {
            uint64_t bits;
            // 0 and -0 are one number
            double value = walk.q[k] == 0.0 ? 0.0 : walk.q[k];
            memcpy(&bits, &value, sizeof bits);
            hash = (hash ^ bits) * 1099511628211ULL;
        }
    }
    end(&walk);
    return hash;
}

// all gains at 0 are the plain figure, whatever sizes and seeds are
static void without_gains_it_is_the_plain_figure(void **state)
{
    (void)state;
    sinew_Manner plain = sinew_manner_plain(), sized = plain, living = sinew_manner_default();
    sized.lively = 2.0;
    sized.sway = 2.0;
    sized.swing = 2.0;
    sized.seed = 77;
    uint64_t hash = hash_of(&plain, FRAME_TIME);
    TEST_TRUE(hash == hash_of(&sized, FRAME_TIME));
    sized.lively = 0.0;
    TEST_TRUE(hash == hash_of(&sized, FRAME_TIME));
    TEST_TRUE(hash != hash_of(&living, FRAME_TIME));
    // the trunk of the plain figure neither rolls nor pitches, and its hands keep to their forearms
    measure_AliveCycle cycle = cycle_of(&plain, 1.1);
    TEST_TRUE(cycle.range[MEASURE_CHEST_ROLL] < 1e-6 && cycle.range[MEASURE_HEAD_PITCH] < 1e-6);
    TEST_TRUE(cycle.range[MEASURE_WRIST] < 0.5);
}

/// When the second harmonic of a curve is greatest, in cycles after the left ankle is farthest ahead; below 0.5.
static double twice_a_cycle(const measure_AliveCycle *cycle, int curve)
{
    double s = 0.0, c = 0.0;
    for (int i = 0; i < MEASURE_ALIVE_POINTS; ++i) {
        double phase = 4.0 * SINEW_PI * i / MEASURE_ALIVE_POINTS;
        c += cycle->curves[curve][i] * cos(phase);
        s += cycle->curves[curve][i] * sin(phase);
    }
    double phase = atan2(s, c) / (4.0 * SINEW_PI);
    return phase < 0.0 ? phase + 0.5 : phase;
}

// seven people, 0.8 to 1.6 m/s: 0.16 to 0.23. Bounded too tightly the surge of who goes faster than 1.2 m/s was 0.31, when its
// step was over, and the chest that balances it with it
static void hips_surge_in_time(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const double speed = 0.8 + 0.3 * i;
        measure_AliveCycle cycle = cycle_of(NULL, speed);
        double phase = twice_a_cycle(&cycle, MEASURE_HIPS_SURGE);
        double head = twice_a_cycle(&cycle, MEASURE_HEAD_SURGE);
        printf("%.1f m/s: hips surge at %.2f, the head at %.2f of a cycle\n", speed, phase, head);
        TEST_TRUE(phase > 0.16 && phase < 0.24);
        TEST_TRUE(head > 0.12 && head < 0.24);
    }
}

// each gain moves what it is for
static void each_gain_shows(void **state)
{
    (void)state;
    static const struct {
        const char *gain;
        int curve;
    } cases[] = { { "hips", MEASURE_PELVIS_PITCH }, { "trunk", MEASURE_CHEST_ROLL },
        { "arms", MEASURE_OUT }, { "hands", MEASURE_HAND_IN }, { "head", MEASURE_HEAD_PITCH } };
    sinew_Manner plain = sinew_manner_plain();
    measure_AliveCycle without = cycle_of(&plain, 1.1);
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); ++i) {
        sinew_Manner with = plain;
        // hands turn with the elbows of living arms
        if (strcmp(cases[i].gain, "hands") == 0) { with.arms = 1.0; }
        TEST_OK(sinew_manner_set(&with, cases[i].gain, 1.0, NULL), NULL);
        measure_AliveCycle cycle = cycle_of(&with, 1.1);
        TEST_TRUE(cycle.range[cases[i].curve] > without.range[cases[i].curve] + 1.0);
    }
}

static void it_moves_as_people_do(void **state)
{
    (void)state;
    sinew_Manner manner = sinew_manner_default();
    manner.seed = 3;
    measure_AliveCycle c = cycle_of(&manner, 1.3);
    TEST_TRUE(c.range[MEASURE_CHEST_ROLL] > 2.0 && c.range[MEASURE_CHEST_ROLL] < 6.0);
    TEST_TRUE(c.range[MEASURE_TWIST] > 9.0 && c.range[MEASURE_TWIST] < 17.0);
    TEST_TRUE(c.range[MEASURE_SWING + 1] > 20.0 && c.range[MEASURE_SWING + 1] < 42.0);
    TEST_TRUE(c.range[MEASURE_SWING] < 0.95 * c.range[MEASURE_SWING + 1]);
    TEST_TRUE(c.range[MEASURE_OUT] > 5.0 && c.range[MEASURE_HIPS_SWAY] > 40.0);
    TEST_TRUE(c.period_variation > 0.008 && c.period_variation < 0.04);
    TEST_TRUE(c.swing_variation > 0.06 && c.swing_variation < 0.25);
    // twice as lively, nearly twice the swing
    manner.lively = 1.8;
    measure_AliveCycle stage = cycle_of(&manner, 1.3);
    TEST_TRUE(stage.range[MEASURE_SWING] > 1.5 * c.range[MEASURE_SWING]);
    TEST_TRUE(stage.range[MEASURE_TWIST] > 1.4 * c.range[MEASURE_TWIST]);
}

// same seed, same bits; other seeds, other walks; ticks are the same whatever the frame rate
static void seeds_repeat(void **state)
{
    (void)state;
    sinew_Manner manner = sinew_manner_default(), other = manner;
    other.seed = 5;
    uint64_t hash = hash_of(&manner, FRAME_TIME);
    TEST_TRUE(hash == hash_of(&manner, FRAME_TIME));
    TEST_TRUE(hash != hash_of(&other, FRAME_TIME));
    Walk walks[2];
    const double times[2] = { 1.0 / 24.0, 1.0 / 960.0 };
    for (int i = 0; i < 2; ++i) {
        begin(&walks[i], &other);
        go(&walks[i], (sinew_Steering){ 1.2, 0.0, 0.2 }, 5.0, times[i]);
    }
    for (int k = 0; k < walks[0].coordinates; ++k) {
        TEST_NEAR(walks[0].q[k], walks[1].q[k], 1e-9);
    }
    for (int i = 0; i < 2; ++i) { end(&walks[i]); }
}

// by construction, with the unsteadiest hands: hips, head and chest keep their bounds
static void bounds_hold(void **state)
{
    (void)state;
    sinew_Manner manner = sinew_manner_default();
    manner.lively = 2.0;
    Walk walk;
    begin(&walk, &manner);
    const int frames = 3000;
    measure_MirrorBody body = measure_mirror_body(walk.walker, walk.scene->skeleton, walk.roles);
    measure_Mirror *mirror = measure_mirror_create(&body, frames, FRAME_TIME);
    TEST_TRUE(mirror != NULL);
    sinew_Ground level = { 0 };
    for (int i = 0; i < frames; ++i) {
        scene_Random random = scene_random((uint64_t)(i / 23));
        sinew_Steering steering = { scene_random_range(&random, -1.0, 1.8),
            scene_random_range(&random, -0.5, 0.5), scene_random_range(&random, -2.0, 2.0) };
        go(&walk, steering, FRAME_TIME, FRAME_TIME);
        sinew_WalkerReport report = sinew_walker_report(walk.walker);
        measure_mirror_frame(mirror, walk.q, &level, report.root, report.heading, 0);
    }
    measure_MirrorFigures f = measure_mirror_figures(mirror);
    TEST_TRUE(f.hips_vertical < 7.0);
    TEST_TRUE(f.hips_level < 9.0);
    TEST_TRUE(f.head_acceleration < 40.0);
    TEST_TRUE(f.chest_step < 0.06);
    measure_mirror_destroy(mirror);
    end(&walk);
}

static void heads_lead_turns(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        Walk walk;
        begin(&walk, NULL);
        double speed = k == 0 ? 1.2 : 0.0;
        go(&walk, (sinew_Steering){ speed, 0.0, 0.0 }, 4.0, FRAME_TIME);
        int frames = 420;
        measure_Alive *alive = measure_alive_create(
            walk.scene->skeleton, walk.roles, walk.stance, frames, FRAME_TIME);
        for (int i = 0; i < frames; ++i) {
            double turn = i > 60 && i < 150 ? 1.2 : 0.0;
            go(&walk, (sinew_Steering){ speed, 0.0, turn }, FRAME_TIME, FRAME_TIME);
            measure_alive_frame(alive, walk.q);
        }
        measure_AliveTurn turn = measure_alive_turn(alive, 0.0, frames * FRAME_TIME, 1.0);
        TEST_TRUE(turn.angle > 50.0);
        TEST_TRUE(turn.head_lead > 0.15 && turn.head_lead < 0.34);
        TEST_TRUE(fabs(turn.chest_lead) < 0.09);
        TEST_TRUE(turn.head_most < 45.0);
        measure_alive_destroy(alive);
        end(&walk);
    }
}

static void weight_goes_over_one_foot_first(void **state)
{
    (void)state;
    sinew_Manner plain = sinew_manner_plain();
    double share[2];
    for (int k = 0; k < 2; ++k) {
        Walk walk;
        begin(&walk, k == 0 ? &plain : NULL);
        go(&walk, (sinew_Steering){ 0.0, 0.0, 0.0 }, 1.5, FRAME_TIME);
        measure_Alive *alive = watch(&walk, (sinew_Steering){ 1.3, 0.0, 0.0 }, 5.0);
        measure_AliveStart start = measure_alive_start(alive, 0.0);
        share[k] = start.share;
        TEST_TRUE(start.lift_off > 0.1 && start.lift_off < 0.33);
        measure_alive_destroy(alive);
        end(&walk);
    }
    TEST_TRUE(share[0] < 0.4);
    TEST_TRUE(share[1] > 0.55 && share[1] < 0.8);
}

// nobody stands still, and feet do not move
static void standing_lives(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, NULL);
    go(&walk, (sinew_Steering){ 0.0, 0.0, 0.0 }, 3.0, FRAME_TIME);
    measure_Alive *alive = watch(&walk, (sinew_Steering){ 0.0, 0.0, 0.0 }, 25.0);
    measure_AliveStand stand = measure_alive_stand(alive, 0.0, 25.0);
    TEST_TRUE(stand.head_speed > 5.0 && stand.head_speed < 40.0);
    TEST_TRUE(stand.sway_aside > 1.5 && stand.sway_aside < 8.0);
    TEST_TRUE(stand.sway_ahead > 0.7 && stand.sway_ahead < 5.0);
    TEST_TRUE(stand.feet < 0.2 && stand.knee < 6.0);
    measure_alive_destroy(alive);
    end(&walk);
}

// RET-3: traits as numbers
static void traits_change_the_manner(void **state)
{
    (void)state;
    sinew_Individual individual;
    sinew_Manner usual = sinew_manner_default(), manner = usual;
    TEST_OK(sinew_individual_parse("old:1,limp_left:0.8", &individual, NULL), NULL);
    sinew_manner_add(&individual, &manner);
    TEST_OK(sinew_manner_check(&manner, NULL), NULL);
    TEST_TRUE(manner.stride < 0.9 && manner.lean > 0.2 && manner.crouch > 0.02);
    TEST_NEAR(manner.hurt[0], 0.8, 1e-12);
    TEST_NEAR(manner.hurt[1], 0.0, 0.0);
    measure_AliveCycle old = cycle_of(&manner, 0.9), young = cycle_of(&usual, 0.9);
    TEST_TRUE(old.period < 0.95 * young.period);
    TEST_TRUE(old.mean[MEASURE_CHEST_PITCH] > young.mean[MEASURE_CHEST_PITCH] + 10.0);
    // the trunk leans over the leg that hurts
    TEST_TRUE(old.range[MEASURE_CHEST_ROLL] > young.range[MEASURE_CHEST_ROLL] + 1.5);
    TEST_INT(sinew_manner_set(&manner, "lively", 9.0, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_manner_set(&manner, "cheerful", 1.0, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    manner.hips = NAN;
    TEST_INT(sinew_manner_check(&manner, NULL), SINEW_STATUS_INVALID_ARGUMENT);
}

// RET-3: moods by what tells them from each other: bearing of trunk and head, swing of the arms, tempo
static void moods_are_told_apart(void **state)
{
    (void)state;
    static const char *const moods[] = { "happy", "sad", "angry" };
    measure_AliveCycle cycles[3];
    for (int i = 0; i < 3; ++i) {
        sinew_Individual individual;
        sinew_Manner manner = sinew_manner_default();
        TEST_OK(sinew_individual_parse(moods[i], &individual, NULL), NULL);
        sinew_manner_add(&individual, &manner);
        cycles[i] = cycle_of(&manner, 1.1);
        print_message("%s: chest %.1f degrees, arm swings through %.1f, %.2f s a stride\n",
            moods[i], cycles[i].mean[MEASURE_CHEST_PITCH], cycles[i].range[MEASURE_SWING],
            cycles[i].period);
    }
    const measure_AliveCycle *happy = &cycles[0], *sad = &cycles[1], *angry = &cycles[2];
    TEST_TRUE(happy->range[MEASURE_SWING] > 2.0 * sad->range[MEASURE_SWING]);
    TEST_TRUE(angry->range[MEASURE_SWING] > 2.0 * sad->range[MEASURE_SWING]);
    TEST_TRUE(sad->mean[MEASURE_CHEST_PITCH] > happy->mean[MEASURE_CHEST_PITCH] + 5.0);
    TEST_TRUE(angry->mean[MEASURE_CHEST_PITCH] > happy->mean[MEASURE_CHEST_PITCH] + 7.0);
    TEST_TRUE(sad->period < 0.95 * happy->period);
}

/// Frames of a recorded walk, from its fifth second on: steps differ, and twelve seconds tell what they are in the mean.
enum { RECORDED = 1440 };

/// A clip that a walker of a manner made.
static sinew_Clip *record(const sinew_Manner *manner, Walk *walk)
{
    begin(walk, manner);
    const sinew_Steering ahead = { 1.0, 0.0, 0.0 };
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_clip_create(walk->scene->skeleton, RECORDED, FRAME_TIME, NULL, &clip), NULL);
    go(walk, ahead, 4.0, FRAME_TIME);
    for (int i = 0; i < RECORDED; ++i) {
        go(walk, ahead, FRAME_TIME, FRAME_TIME);
        memcpy(sinew_clip_frame(clip, i), walk->q, (size_t)walk->coordinates * sizeof *walk->q);
    }
    return clip;
}

/// The skeleton below a joint that turns +Y to +Z.
static sinew_Skeleton *with_z_up(const sinew_Skeleton *skeleton)
{
    int count = sinew_skeleton_joint_count(skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_JointDef *defs = calloc((size_t)count + 1, sizeof *defs);
    sinew_Skeleton *turned = NULL;
    assert_non_null(defs);
    defs[0] = sinew_joint_def_default();
    defs[0].name = "world";
    defs[0].rest_rotation = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.5 * SINEW_PI);
    for (int j = 0; j < count; ++j) {
        sinew_JointDef *def = &defs[j + 1];
        *def = sinew_joint_def_default();
        def->name = joints[j].name;
        def->parent = joints[j].parent + 1;
        def->offset = joints[j].offset;
        def->rest_rotation = joints[j].rest_rotation;
        def->axes = sinew_skeleton_axes(skeleton) + joints[j].axis_start;
        def->axis_count = joints[j].axis_count;
    }
    TEST_OK(sinew_skeleton_create(defs, count + 1, NULL, &turned, NULL), NULL);
    free(defs);
    return turned;
}

/// The same body with other hips and shoulders: factors of how far their joints are from the middle.
static sinew_Skeleton *with_widths(const sinew_Skeleton *skeleton, double hips, double shoulders)
{
    int count = sinew_skeleton_joint_count(skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_JointDef *defs = calloc((size_t)count, sizeof *defs);
    sinew_Skeleton *wide = NULL;
    assert_non_null(defs);
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        defs[j].offset = joints[j].offset;
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = sinew_skeleton_axes(skeleton) + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
        if (strstr(joints[j].name, "UpLeg") != NULL) { defs[j].offset.x *= hips; }
        const char *name = joints[j].name;
        const bool is_arm = strcmp(name, "LeftArm") == 0 || strcmp(name, "RightArm") == 0;
        if (is_arm) { defs[j].offset.x *= shoulders; }
    }
    TEST_OK(sinew_skeleton_create(defs, count, NULL, &wide, NULL), NULL);
    free(defs);
    return wide;
}

/// How far a hand is from the thigh beside it, whose radius goes by the hips' width, and half a hand, metres.
static double clears_thigh(
    const sinew_Skeleton *skeleton, const sinew_Transform *world, const char *side)
{
    static const char *const parts[] = { "UpLeg", "Leg", "ForeArm", "Hand" };
    sinew_Vec3 at[4];
    char name[40];
    for (int i = 0; i < 4; ++i) {
        snprintf(name, sizeof name, "%s%s", side, parts[i]);
        int joint = sinew_skeleton_find_joint(skeleton, name);
        TEST_TRUE(joint >= 0);
        at[i] = world[joint].position;
    }
    const sinew_Vec3 left = world[sinew_skeleton_find_joint(skeleton, "LeftUpLeg")].position;
    const sinew_Vec3 right = world[sinew_skeleton_find_joint(skeleton, "RightUpLeg")].position;
    const sinew_Vec3 thigh = sinew_vec3_sub(at[1], at[0]), fore = sinew_vec3_sub(at[3], at[2]);
    double least = INFINITY;
    for (int i = 0; i < 5; ++i) {
        sinew_Vec3 hand = sinew_vec3_add_scaled(at[3], fore, 0.12 * i);
        double t = sinew_vec3_dot(sinew_vec3_sub(hand, at[0]), thigh)
            / sinew_vec3_dot(thigh, thigh);
        t = fmin(fmax(t, 0.0), 1.0);
        double radius = 0.5 * sinew_vec3_distance(left, right) * (0.95 - 0.35 * t);
        double away = sinew_vec3_distance(hand, sinew_vec3_add_scaled(at[0], thigh, t));
        least = fmin(least, away - radius - 0.12 * sinew_vec3_length(fore));
    }
    return least;
}

// wide hips and narrow shoulders: arms hang farther out, so that hands do not go through thighs; recorded people keep 0 to 4 cm
static void hands_keep_off_thighs(void **state)
{
    (void)state;
    static const double widths[][2] = { { 1.0, 1.0 }, { 1.5, 1.0 }, { 1.0, 0.6 }, { 1.3, 0.8 },
        { 0.8, 0.5 } };
    scene_Scene *scene = NULL;
    sinew_Message message = { "" };
    TEST_OK(scene_create("MAN18", NULL, &scene, &message), &message);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; ++i) {
        sinew_Skeleton *body = with_widths(scene->skeleton, widths[i][0], widths[i][1]);
        sinew_WalkerDef def = sinew_walker_def_default();
        sinew_Walker *walker = NULL;
        def.skeleton = body;
        TEST_OK(sinew_walker_create(&def, &walker, &message), &message);
        double *q = calloc((size_t)sinew_skeleton_coordinate_count(body), sizeof *q);
        sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(body), sizeof *world);
        assert_non_null(q);
        assert_non_null(world);
        double least = INFINITY;
        const sinew_Steering ahead = { 1.2, 0.0, 0.0 };
        for (int f = 0; f < 600; ++f) {
            TEST_OK(sinew_walker_update(walker, &ahead, FRAME_TIME, NULL, q, &message), &message);
            sinew_pose_forward(body, q, world);
            least = fmin(least, clears_thigh(body, world, "Left"));
            least = fmin(least, clears_thigh(body, world, "Right"));
        }
        print_message("hips x %.1f, shoulders x %.1f: hands clear thighs by %.1f mm\n",
            widths[i][0], widths[i][1], 1e3 * least);
        TEST_TRUE(least > -0.003);
        free(world);
        free(q);
        sinew_walker_destroy(walker);
        sinew_skeleton_destroy(body);
    }
    scene_destroy(scene);
}

/// The fastest that a knee turns in some seconds of a steady walk, rad/s.
static double fastest_knee(sinew_Steering steering)
{
    static const char *const parts[2][3] = { { "LeftUpLeg", "LeftLeg", "LeftFoot" },
        { "RightUpLeg", "RightLeg", "RightFoot" } };
    sinew_Manner manner = sinew_manner_default();
    manner.variation = 0.0;
    Walk walk;
    begin(&walk, &manner);
    const sinew_Skeleton *skeleton = walk.scene->skeleton;
    sinew_Transform *world = calloc((size_t)sinew_skeleton_joint_count(skeleton), sizeof *world);
    assert_non_null(world);
    double before[2] = { 0.0, 0.0 }, most = 0.0;
    go(&walk, steering, 4.0, FRAME_TIME);
    for (int f = 0; f < 360; ++f) {
        go(&walk, steering, FRAME_TIME, FRAME_TIME);
        sinew_pose_forward(skeleton, walk.q, world);
        for (int side = 0; side < 2; ++side) {
            sinew_Vec3 at[3];
            for (int i = 0; i < 3; ++i) {
                at[i] = world[sinew_skeleton_find_joint(skeleton, parts[side][i])].position;
            }
            const sinew_Vec3 thigh = sinew_vec3_sub(at[1], at[0]),
                             shin = sinew_vec3_sub(at[2], at[1]);
            const double knee = acos(
                sinew_vec3_dot(thigh, shin) / (sinew_vec3_length(thigh) * sinew_vec3_length(shin)));
            if (f > 0) { most = fmax(most, fabs(knee - before[side]) / FRAME_TIME); }
            before[side] = knee;
        }
    }
    free(world);
    end(&walk);
    return most;
}

// legs that go back or aside leave the ground nearly straight: their feet come up later, so that knees need not fold at once
static void knees_fold_in_time(void **state)
{
    (void)state;
    static const struct {
        sinew_Steering steering;
        double most;
    } ways[] = { { { 1.3, 0.0, 0.0 }, 9.6 }, { { -0.8, 0.0, 0.0 }, 11.2 },
        { { -1.1, 0.0, 0.0 }, 12.5 }, { { 0.0, 0.3, 0.0 }, 9.0 }, { { 0.0, 0.5, 0.0 }, 14.0 } };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        const double most = fastest_knee(ways[i].steering);
        print_message("%.1f ahead, %.1f aside: knees %.1f rad/s at most\n",
            ways[i].steering.forward, ways[i].steering.left, most);
        TEST_TRUE(most < ways[i].most);
    }
}

// the same is learned from a walk whose up is +Z
static void manners_are_learned_with_z_up(void **state)
{
    (void)state;
    sinew_Manner told = sinew_manner_default(), upright = told, learned = told;
    Walk walk;
    sinew_Clip *clip = record(&told, &walk), *turned_clip = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_manner_learn(clip, walk.roles, walk.stance, NULL, &upright, &message), &message);
    sinew_Skeleton *turned = with_z_up(walk.scene->skeleton);
    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    TEST_OK(sinew_clip_create(turned, RECORDED, FRAME_TIME, NULL, &turned_clip), NULL);
    for (int i = 0; i < RECORDED; ++i) {
        memcpy(sinew_clip_frame(turned_clip, i), sinew_clip_frame(clip, i),
            (size_t)walk.coordinates * sizeof *walk.q);
    }
    TEST_OK(sinew_roles_guess(turned, NULL, NULL, &roles, &message), &message);
    TEST_OK(sinew_stance_guess(turned, roles, NULL, NULL, &stance, &message), &message);
    TEST_NEAR(stance->up.z, 1.0, 1e-9);
    TEST_OK(sinew_manner_learn(turned_clip, roles, stance, NULL, &learned, &message), &message);
    TEST_NEAR(learned.stride, upright.stride, 1e-6);
    TEST_NEAR(learned.swing, upright.swing, 1e-6);
    TEST_NEAR(learned.lean, upright.lean, 1e-6);
    TEST_NEAR(learned.sway, upright.sway, 1e-6);
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    sinew_clip_destroy(turned_clip);
    sinew_skeleton_destroy(turned);
    sinew_clip_destroy(clip);
    end(&walk);
}

static snw_Gait gait_of(const sinew_Clip *clip, const Walk *walk)
{
    snw_GaitBody body;
    snw_Gait gait;
    TEST_TRUE(snw_gait_body(walk->scene->skeleton, walk->roles, walk->stance->up, &body));
    TEST_OK(snw_gait_read(clip, &body, 0.0, 1e9, NULL, &gait), NULL);
    return gait;
}

// legs tell moods and childhood as well, at one speed: bounce, length and number of strides; and each has its own pace. They stay legs
// of people: curves go with those of people in general
static void moods_reach_the_legs(void **state)
{
    (void)state;
    static const char *const names[] = { "", "child", "happy", "angry", "sad", "old" };
    enum { USUAL, CHILD, HAPPY, ANGRY, SAD, OLD, COUNT };
    snw_Gait gaits[COUNT];
    sinew_Manner manners[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        sinew_Individual individual;
        Walk walk;
        manners[i] = sinew_manner_default();
        if (i > 0) {
            TEST_OK(sinew_individual_parse(names[i], &individual, NULL), NULL);
            sinew_manner_add(&individual, &manners[i]);
        }
        TEST_OK(sinew_manner_check(&manners[i], NULL), NULL);
        sinew_Clip *clip = record(&manners[i], &walk);
        gaits[i] = gait_of(clip, &walk);
        const double hip = measure_gait_correlation(
            gaits[i].curves[SNW_GAIT_HIP], gaits[0].curves[SNW_GAIT_HIP]);
        const double knee = measure_gait_correlation(
            gaits[i].curves[SNW_GAIT_KNEE], gaits[0].curves[SNW_GAIT_KNEE]);
        const double ankle = measure_gait_correlation(
            gaits[i].curves[SNW_GAIT_ANKLE], gaits[0].curves[SNW_GAIT_ANKLE]);
        print_message("%-6s %.2f s a stride, bounce %.4f L, pace %.2f; hip %.3f, knee %.3f, ankle "
                      "%.3f\n",
            names[i], gaits[i].period, gaits[i].bounce, manners[i].pace, hip, knee, ankle);
        TEST_TRUE(hip > 0.97 && knee > 0.96 && ankle > (i == OLD ? 0.75 : 0.85));
        sinew_clip_destroy(clip);
        end(&walk);
    }
    TEST_TRUE(gaits[CHILD].period < 0.88 * gaits[USUAL].period);
    TEST_TRUE(gaits[HAPPY].bounce > gaits[USUAL].bounce + 0.008);
    TEST_TRUE(gaits[ANGRY].period > 1.04 * gaits[USUAL].period);
    TEST_TRUE(manners[ANGRY].pace > 1.15 && manners[HAPPY].pace > 1.05);
    TEST_TRUE(manners[CHILD].pace < 0.95 && manners[SAD].pace < 0.85 && manners[OLD].pace < 0.85);
}

// wrists and legs of somebody are found again in what a walker did, also where it walks in place
static void ends_and_legs_are_learned(void **state)
{
    (void)state;
    sinew_Manner told = sinew_manner_default(), learned = told, in_place = told;
    told.wrist = 0.25;
    told.wrist_swing = 2.2;
    told.lift = 0.8;
    told.crouch = 0.04;
    Walk walk;
    sinew_Clip *clip = record(&told, &walk);
    const double pace = 1.0 / sqrt(9.81 * sinew_walker_leg_length(walk.walker)) / 0.4375;
    sinew_Message message = { "" };
    TEST_OK(sinew_manner_learn(clip, walk.roles, walk.stance, NULL, &learned, &message), &message);
    print_message("pace %.3f of %.3f, lift %.2f, crouch %.3f, wrist %.3f, its swing %.2f\n",
        learned.pace, pace, learned.lift, learned.crouch, learned.wrist, learned.wrist_swing);
    TEST_NEAR(learned.pace, pace, 0.03);
    TEST_NEAR(learned.wrist, 0.25, 0.03);
    TEST_NEAR(learned.wrist_swing, 2.2, 0.8);
    TEST_NEAR(learned.lift, 0.8, 0.07);
    TEST_NEAR(learned.crouch, 0.04, 0.012);
    // a treadmill: the root's slides go back by 1 m/s
    const sinew_Joint *root = sinew_skeleton_joints(walk.scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(walk.scene->skeleton);
    for (int i = 0; i < RECORDED; ++i) {
        for (int a = 0; a < root->axis_count; ++a) {
            TEST_TRUE(a > 2 || axes[a].kind == SINEW_AXIS_SLIDE);
            if (a < 3) { sinew_clip_frame(clip, i)[a] -= axes[a].direction.z * FRAME_TIME * i; }
        }
    }
    TEST_OK(sinew_manner_learn(clip, walk.roles, walk.stance, NULL, &in_place, &message), &message);
    print_message("in place: pace %.3f, stride %.3f\n", in_place.pace, in_place.stride);
    TEST_NEAR(in_place.pace, pace, 0.03);
    TEST_NEAR(in_place.stride, learned.stride, 0.03);
    TEST_NEAR(in_place.sway, learned.sway, 0.1);
    sinew_clip_destroy(clip);
    end(&walk);
}

// what a walker was told is found again in what it did
static void manners_are_learned(void **state)
{
    (void)state;
    sinew_Manner told = sinew_manner_default(), learned = told;
    told.swing = 1.7;
    told.elbow = 0.4;
    told.elbow_swing = 0.3;
    told.lean = 0.15;
    told.head_pitch = 0.1;
    told.stride = 0.85;
    told.variation = 0.0;
    told.sway = 1.3;
    Walk walk;
    sinew_Clip *clip = record(&told, &walk);
    sinew_Message message = { "" };
    TEST_OK(sinew_manner_learn(clip, walk.roles, walk.stance, NULL, &learned, &message), &message);
    TEST_NEAR(learned.swing * learned.lively, 1.7, 0.35);
    TEST_NEAR(learned.elbow, 0.4, 0.1);
    TEST_NEAR(learned.elbow_swing, 0.3, 0.15);
    TEST_NEAR(learned.lean, 0.15, 0.05);
    TEST_NEAR(learned.head_pitch, 0.1, 0.05);
    TEST_TRUE(learned.stride < 0.95);
    print_message("sway %.2f\n", learned.sway);
    TEST_NEAR(learned.sway, 1.3, 0.3);
    TEST_OK(sinew_manner_check(&learned, NULL), NULL);
    // frames so short or so long that no stride is in them, whatever their quotient is as an int
    static const double times[] = { 1e-300, 1e-12, 1e-5, 0.33, 0.5, 5.0, 1e12, 1e300 };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        sinew_Clip *odd = NULL;
        TEST_OK(sinew_clip_create(walk.scene->skeleton, RECORDED, times[i], NULL, &odd), NULL);
        for (int f = 0; f < RECORDED; ++f) {
            memcpy(sinew_clip_frame(odd, f), sinew_clip_frame(clip, f),
                (size_t)walk.coordinates * sizeof *walk.q);
        }
        sinew_Manner same = learned;
        TEST_INT(sinew_manner_learn(odd, walk.roles, walk.stance, NULL, &same, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(memcmp(&same, &learned, sizeof same) == 0);
        sinew_clip_destroy(odd);
    }
    // one who stands walks like nobody
    for (int i = 1; i < RECORDED; ++i) {
        memcpy(sinew_clip_frame(clip, i), sinew_clip_frame(clip, 0),
            (size_t)walk.coordinates * sizeof *walk.q);
    }
    sinew_Manner before = learned;
    TEST_INT(sinew_manner_learn(clip, walk.roles, walk.stance, NULL, &learned, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(memcmp(&before, &learned, sizeof before) == 0);
    TEST_TRUE(strstr(message.text, "no walk") != NULL);
    sinew_clip_destroy(clip);
    end(&walk);
}

TEST_MAIN(cmocka_unit_test(without_gains_it_is_the_plain_figure), cmocka_unit_test(each_gain_shows),
    cmocka_unit_test(hips_surge_in_time), cmocka_unit_test(it_moves_as_people_do),
    cmocka_unit_test(seeds_repeat), cmocka_unit_test(bounds_hold),
    cmocka_unit_test(heads_lead_turns), cmocka_unit_test(weight_goes_over_one_foot_first),
    cmocka_unit_test(standing_lives), cmocka_unit_test(traits_change_the_manner),
    cmocka_unit_test(moods_are_told_apart), cmocka_unit_test(moods_reach_the_legs),
    cmocka_unit_test(hands_keep_off_thighs), cmocka_unit_test(knees_fold_in_time),
    cmocka_unit_test(ends_and_legs_are_learned), cmocka_unit_test(manners_are_learned),
    cmocka_unit_test(manners_are_learned_with_z_up))
