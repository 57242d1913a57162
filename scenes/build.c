#include "scenes/build.h"

#include <string.h>

const sinew_Vec3 scene_x = { 1.0, 0.0, 0.0 };
const sinew_Vec3 scene_y = { 0.0, 1.0, 0.0 };
const sinew_Vec3 scene_z = { 0.0, 0.0, 1.0 };

int scene_add(scene_Build *build, int parent, const char *prefix, const char *name, double x,
    double y, double z)
{
    int index = build->joint_count++;
    char *text = build->names[index];
    size_t used = 0;
    for (; *prefix != '\0' && used + 1 < SCENE_NAME_SIZE; ++prefix) { text[used++] = *prefix; }
    for (; *name != '\0' && used + 1 < SCENE_NAME_SIZE; ++name) { text[used++] = *name; }
    text[used] = '\0';

    sinew_JointDef *joint = &build->joints[index];
    *joint = sinew_joint_def_default();
    joint->name = text;
    joint->parent = parent;
    joint->offset = sinew_vec3(x, y, z);
    joint->axes = &build->axes[build->axis_count];
    return index;
}

void scene_turn(scene_Build *build, sinew_Quat rotation)
{
    build->joints[build->joint_count - 1].rest_rotation = rotation;
}

static void add_axis(scene_Build *build, sinew_Axis axis)
{
    build->axes[build->axis_count++] = axis;
    ++build->joints[build->joint_count - 1].axis_count;
}

void scene_hinge(scene_Build *build, sinew_Vec3 direction, double lower, double upper, double rest)
{
    sinew_Axis axis = sinew_axis_hinge(direction, lower * SCENE_DEGREE, upper * SCENE_DEGREE);
    axis.rest = rest * SCENE_DEGREE;
    add_axis(build, axis);
}

void scene_side_hinge(
    scene_Build *build, int side, sinew_Vec3 direction, double lower, double upper, double rest)
{
    // a mirror at the plane x = 0 keeps turns about x and reverses the others
    bool mirrored = side < 0 && direction.x == 0.0;
    if (mirrored) {
        scene_hinge(build, direction, -upper, -lower, -rest);
    } else {
        scene_hinge(build, direction, lower, upper, rest);
    }
}

void scene_ball(scene_Build *build, sinew_Vec3 bone, double swing, double twist)
{
    scene_Ball *ball = &build->balls[build->axis_count];
    ball->bone = bone;
    ball->swing = swing * SCENE_DEGREE;
    ball->twist = twist * SCENE_DEGREE;
    add_axis(build, sinew_axis_ball());
}

void scene_limited_ball(scene_Build *build, const scene_Reach *reach)
{
    double azimuths[SCENE_REACH_RAYS], swings[SCENE_REACH_RAYS];
    sinew_Vec3 rays[SCENE_REACH_RAYS];
    for (int i = 0; i < reach->count; ++i) {
        azimuths[i] = 2.0 * SINEW_PI * i / reach->count;
        swings[i] = reach->swings[i] * SCENE_DEGREE;
    }
    sinew_reach_polar(azimuths, swings, reach->count, false, rays);
    sinew_ReachWindow window = sinew_reach_polygon(rays, reach->count);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    sinew_ball_limit_def_set_neutral(&def, sinew_quat_identity(), reach->bone, reach->zero);
    def.windows = &window;
    def.window_count = 1;
    def.star = true;
    def.twist_lower = reach->twist_lower * SCENE_DEGREE;
    def.twist_upper = reach->twist_upper * SCENE_DEGREE;

    int axis = build->axis_count;
    sinew_Status status = sinew_ball_limit_create(
        &def, &build->allocator, &build->limits[axis], NULL);
    if (status != SINEW_STATUS_OK) { build->status = status; }
    // what the plain motion swings by
    scene_ball(build, reach->bone, 30.0, 30.0);
    build->axes[axis].limit = build->limits[axis];
}

void scene_free(scene_Build *build, double swing, double twist)
{
    add_axis(build, sinew_axis_slide(scene_x));
    add_axis(build, sinew_axis_slide(scene_y));
    add_axis(build, sinew_axis_slide(scene_z));
    scene_ball(build, scene_y, swing, twist);
}

void scene_mass(scene_Build *build, double mass, double x, double y, double z)
{
    sinew_JointDef *joint = &build->joints[build->joint_count - 1];
    joint->mass = mass;
    joint->mass_center = sinew_vec3(x, y, z);
}

void scene_effector(scene_Build *build, int joint, int limb_root)
{
    scene_Effector *effector = &build->effectors[build->effector_count++];
    effector->name = NULL; // known once the skeleton stands
    effector->joint = joint;
    effector->chain_root = -1;
    effector->limb_root = limb_root;
}
