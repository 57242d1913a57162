#include "scenes/build.h"
#include "scenes/motion.h"

#include <stdlib.h>
#include <string.h>

typedef struct Listed {
    const char *name;
    const char *title;
    scene_Kind kind;
    int max_joints;
} Listed;

static const Listed listed[] = {
    { "LEG", "left leg of a person: hip, knee, ankle, 6 hinges", SCENE_LEG, 8 },
    { "ARM", "left arm of a person: shoulder, elbow, wrist, 7 hinges", SCENE_ARM, 8 },
    { "LIMITARM", "left arm with reach windows: ball shoulder, elbow, ball wrist", SCENE_LIMITARM,
        8 },
    { "SPINEARM", "spine and arm to the hand, 17 hinges", SCENE_SPINEARM, 12 },
    { "BODY11", "trunk with two arms: a ball, 3 universal joints, 2 hinges", SCENE_BODY11, 12 },
    { "HAND", "hand of 20 ball joints on a movable wrist, 20 targets", SCENE_HAND, 32 },
    { "HAND5", "hand of 23 hinges, 5 finger tips", SCENE_HAND5, 32 },
    { "MAN18", "person of 18 segments, 42 degrees of freedom", SCENE_MAN18, 32 },
    { "FIGURE1", "humanoid of few joints after Meredith and Maddock, figure 1.1", SCENE_FIGURE1,
        24 },
    { "SPIDER", "eight legs of three segments on a movable body", SCENE_SPIDER, 40 },
    { "QUADRUPED", "dog on four legs with a movable root", SCENE_QUADRUPED, 40 },
    { "CHAIN10", "snake of 10 hinges; CHAINn for any n up to 1000", SCENE_CHAIN, 12 },
};

#define LISTED_COUNT ((int)(sizeof listed / sizeof listed[0]))

int scene_count(void)
{
    return LISTED_COUNT;
}

const char *scene_name(int index)
{
    return listed[index].name;
}

const char *scene_title(int index)
{
    return listed[index].title;
}

// ---------------------------------------------------------------------------------------------
// Memory: the library's own helpers are private to it

// scenes hold doubles and pointers, for which malloc's own alignment is enough
static void *default_alloc(size_t size, size_t alignment, void *user)
{
    (void)alignment;
    (void)user;
    return malloc(size);
}

static void default_free(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

static void *take(const sinew_Allocator *allocator, size_t size)
{
    void *memory = allocator->alloc(size, 64, allocator->user);
    if (memory != NULL) { memset(memory, 0, size); }
    return memory;
}

static void give(const sinew_Allocator *allocator, void *memory, size_t size)
{
    if (memory != NULL) { allocator->free(memory, size, allocator->user); }
}

// ---------------------------------------------------------------------------------------------
// Names

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool same_name(const char *a, const char *b)
{
    while (*a != '\0' && upper(*a) == upper(*b)) { ++a, ++b; }
    return upper(*a) == upper(*b);
}

// n of CHAINn, 0 when the name is another or n is out of range
static int chain_links(const char *name)
{
    const char *prefix = "CHAIN";
    for (; *prefix != '\0'; ++prefix, ++name) {
        if (upper(*name) != *prefix) { return 0; }
    }
    int count = 0;
    if (*name < '1' || *name > '9') { return 0; }
    for (; *name != '\0'; ++name) {
        if (*name < '0' || *name > '9') { return 0; }
        count = 10 * count + (*name - '0');
        if (count > SCENE_MAX_CHAIN) { return 0; }
    }
    return count;
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    for (; *more != '\0' && used + 1 < size; ++more) { text[used++] = *more; }
    text[used] = '\0';
}

static sinew_Status fail_unknown(const char *name, sinew_Message *message)
{
    if (message != NULL) {
        message->text[0] = '\0';
        append(message->text, 80, "found scene '");
        append(message->text, 80, name);
        append(message->text, sizeof message->text, "', expected one of");
        for (int i = 0; i < LISTED_COUNT; ++i) {
            append(message->text, sizeof message->text, " ");
            append(message->text, sizeof message->text,
                listed[i].kind == SCENE_CHAIN ? "CHAIN1..CHAIN1000" : listed[i].name);
        }
    }
    return SINEW_STATUS_INVALID_ARGUMENT;
}

// ---------------------------------------------------------------------------------------------
// Creation

static void build_body(scene_Build *build, scene_Kind kind, int link_count)
{
    switch (kind) {
    case SCENE_LEG: scene_build_leg(build); break;
    case SCENE_ARM: scene_build_arm(build); break;
    case SCENE_LIMITARM: scene_build_limitarm(build); break;
    case SCENE_SPINEARM: scene_build_spinearm(build); break;
    case SCENE_BODY11: scene_build_body11(build); break;
    case SCENE_HAND: scene_build_hand(build); break;
    case SCENE_HAND5: scene_build_hand5(build); break;
    case SCENE_MAN18: scene_build_man18(build); break;
    case SCENE_FIGURE1: scene_build_figure1(build); break;
    case SCENE_SPIDER: scene_build_spider(build); break;
    case SCENE_QUADRUPED: scene_build_quadruped(build); break;
    case SCENE_CHAIN: scene_build_chain(build, link_count); break;
    case SCENE_KIND_COUNT: break;
    }
}

// the skeleton and what the scene keeps of the build
static sinew_Status finish(const scene_Build *build, scene_Scene *scene, sinew_Message *message)
{
    sinew_Status status = sinew_skeleton_create(
        build->joints, build->joint_count, &build->allocator, &scene->skeleton, message);
    if (status != SINEW_STATUS_OK) { return status; }

    size_t size = (size_t)build->axis_count * sizeof(scene_Ball);
    scene->balls = take(&build->allocator, size);
    if (scene->balls == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    memcpy(scene->balls, build->balls, size);
    scene->slide_range = build->slide_range;

    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    scene->effector_count = build->effector_count;
    for (int i = 0; i < build->effector_count; ++i) {
        scene->effectors[i] = build->effectors[i];
        scene->effectors[i].name = joints[build->effectors[i].joint].name;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status create(
    const Listed *entry, int link_count, scene_Scene *scene, sinew_Message *message)
{
    int capacity = entry->kind == SCENE_CHAIN ? link_count + 1 : entry->max_joints;
    size_t joints = (size_t)capacity, axes = joints * SINEW_MAX_AXES_PER_JOINT;
    scene_Build build = { .allocator = scene->allocator, .capacity = capacity };
    build.joints = take(&build.allocator, joints * sizeof *build.joints);
    build.axes = take(&build.allocator, axes * sizeof *build.axes);
    build.balls = take(&build.allocator, axes * sizeof *build.balls);
    build.limits = take(&build.allocator, axes * sizeof(sinew_BallLimit *));
    build.names = take(&build.allocator, joints * sizeof *build.names);

    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (build.joints != NULL && build.axes != NULL && build.balls != NULL && build.limits != NULL
        && build.names != NULL) {
        build_body(&build, entry->kind, link_count);
        status = build.status;
        if (status == SINEW_STATUS_OK) { status = finish(&build, scene, message); }
    }
    // the skeleton has its own copies
    for (int i = 0; build.limits != NULL && i < build.axis_count; ++i) {
        sinew_ball_limit_destroy(build.limits[i]);
    }

    give(&build.allocator, build.names, joints * sizeof *build.names);
    give(&build.allocator, build.limits, axes * sizeof(sinew_BallLimit *));
    give(&build.allocator, build.balls, axes * sizeof *build.balls);
    give(&build.allocator, build.axes, axes * sizeof *build.axes);
    give(&build.allocator, build.joints, joints * sizeof *build.joints);
    return status;
}

sinew_Status scene_create(const char *name, const sinew_Allocator *allocator,
    scene_Scene **out_scene, sinew_Message *out_message)
{
    if (out_scene == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    *out_scene = NULL;
    if (name == NULL) { return fail_unknown("", out_message); }

    int link_count = chain_links(name);
    const Listed *entry = NULL;
    for (int i = 0; i < LISTED_COUNT; ++i) {
        bool is_chain = listed[i].kind == SCENE_CHAIN;
        if (is_chain ? link_count > 0 : same_name(listed[i].name, name)) { entry = &listed[i]; }
    }
    if (entry == NULL) { return fail_unknown(name, out_message); }

    sinew_Allocator memory = { default_alloc, default_free, NULL };
    if (allocator != NULL && allocator->alloc != NULL && allocator->free != NULL) {
        memory = *allocator;
    }
    scene_Scene *scene = take(&memory, sizeof *scene);
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    if (scene != NULL) {
        for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof scene->name; ++i) {
            scene->name[i] = upper(name[i]);
        }
        scene->title = entry->title;
        scene->kind = (int)entry->kind;
        scene->allocator = memory;
        status = create(entry, link_count, scene, out_message);
    }
    if (status == SINEW_STATUS_OUT_OF_MEMORY && out_message != NULL) {
        out_message->text[0] = '\0';
        append(out_message->text, sizeof out_message->text, "no memory for the scene");
    }
    if (status != SINEW_STATUS_OK) {
        scene_destroy(scene);
        return status;
    }
    *out_scene = scene;
    return SINEW_STATUS_OK;
}

void scene_destroy(scene_Scene *scene)
{
    if (scene == NULL) { return; }
    sinew_Allocator memory = scene->allocator;
    if (scene->skeleton != NULL) {
        size_t axes = (size_t)sinew_skeleton_axis_count(scene->skeleton);
        give(&memory, scene->balls, axes * sizeof *scene->balls);
    }
    sinew_skeleton_destroy(scene->skeleton);
    give(&memory, scene, sizeof *scene);
}

// ---------------------------------------------------------------------------------------------
// Random poses

// swing uniform on the cap of the sphere around the bone, then twist about the bone
static sinew_Quat random_ball(const scene_Ball *ball, scene_Random *random)
{
    double s, c;
    sinew_sincos(ball->swing, &s, &c);
    double cosine = 1.0 - (1.0 - c) * scene_random_unit(random);
    double azimuth = scene_random_range(random, -SINEW_PI, SINEW_PI);
    double twist = scene_random_range(random, -ball->twist, ball->twist);

    // any direction across the bone, turned about it by the azimuth
    sinew_Vec3 helper = fabs(ball->bone.x) < 0.5 ? scene_x : scene_y;
    sinew_Vec3 across = sinew_vec3_normalize_or(sinew_vec3_cross(ball->bone, helper), scene_z);
    across = sinew_quat_rotate(sinew_quat_from_axis_angle(ball->bone, azimuth), across);
    sinew_Quat swing = sinew_quat_from_axis_angle(across, sinew_acos(cosine));
    return sinew_quat_normalize(
        sinew_quat_mul(swing, sinew_quat_from_axis_angle(ball->bone, twist)));
}

// bone uniform over the windows, twist uniform in its range
static sinew_Quat random_limited_ball(const sinew_BallLimit *limit, scene_Random *random)
{
    // windows are no slits: the chance that all tries miss is below 1e-9 for one of 10 % of the sphere
    enum { TRIES = 200 };
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    double lower = isfinite(def->twist_lower) ? def->twist_lower : -SINEW_PI;
    double upper = isfinite(def->twist_upper) ? def->twist_upper : SINEW_PI;
    double twist = scene_random_range(random, lower, upper);
    sinew_Quat turn = sinew_quat_identity();
    for (int i = 0; i < TRIES; ++i) {
        turn = sinew_ball_limit_pose(limit, scene_random_direction(random), twist);
        if (sinew_ball_limit_allows(limit, turn)) { return turn; }
    }
    return sinew_ball_limit_clamp(limit, turn);
}

void scene_random_pose(const scene_Scene *scene, scene_Random *random, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
    int axis_count = sinew_skeleton_axis_count(scene->skeleton);
    for (int i = 0; i < axis_count; ++i) {
        double *q = &out_q[places[i].coordinate];
        if (axes[i].kind == SINEW_AXIS_BALL) {
            sinew_Quat turn = axes[i].limit != NULL ? random_limited_ball(axes[i].limit, random)
                                                    : random_ball(&scene->balls[i], random);
            q[0] = turn.x, q[1] = turn.y, q[2] = turn.z, q[3] = turn.w;
        } else {
            double range = axes[i].kind == SINEW_AXIS_SLIDE ? scene->slide_range : SINEW_PI;
            double lower = isfinite(axes[i].lower) ? axes[i].lower : axes[i].rest - range;
            double upper = isfinite(axes[i].upper) ? axes[i].upper : axes[i].rest + range;
            q[0] = scene_random_range(random, lower, upper);
        }
    }
}
