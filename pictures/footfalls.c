#include "pictures/footfalls.h"

#include "sinew/pose.h"
#include "sinew/role.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a planted point is slower than this, metres per second, and its joint no higher above the ground
// than it is at its lowest and so much more, of the length of a leg
#define SLOWEST 0.35
#define LIFT 0.045

// the heel lies this far behind the ankle, of the length of a leg
#define HEEL_BACK 0.055

typedef struct Feet {
    int ankles[2], balls[2]; ///< joints; balls -1: none
    int knees[2], hips[2];
} Feet;

static bool find_feet(const sinew_RoleGuess *roles, Feet *feet)
{
    const sinew_Side sides[2] = { SINEW_SIDE_LEFT, SINEW_SIDE_RIGHT };
    for (int s = 0; s < 2; ++s) {
        feet->ankles[s] = sinew_roles_find(roles, SINEW_ROLE_FOOT, sides[s], -1);
        feet->balls[s] = sinew_roles_find(roles, SINEW_ROLE_TOE, sides[s], -1);
        feet->knees[s] = sinew_roles_find(roles, SINEW_ROLE_SHIN, sides[s], -1);
        feet->hips[s] = sinew_roles_find(roles, SINEW_ROLE_THIGH, sides[s], -1);
        if (feet->ankles[s] < 0 || feet->knees[s] < 0 || feet->hips[s] < 0) { return false; }
    }
    return roles->kind == SINEW_BODY_HUMANOID;
}

// joint positions of the feet of all frames, and the length of a leg
static double take_positions(const sinew_Clip *clip, sinew_Quat upright, const Feet *feet,
    sinew_Transform *world, sinew_Vec3 *out_points)
{
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    double leg = 0.0;
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, f), world);
        for (int s = 0; s < 2; ++s) {
            const int ball = feet->balls[s] >= 0 ? feet->balls[s] : feet->ankles[s];
            out_points[4 * f + 2 * s] = sinew_quat_rotate(upright, world[feet->ankles[s]].position);
            out_points[4 * f + 2 * s + 1] = sinew_quat_rotate(upright, world[ball].position);
            leg = sinew_vec3_distance(world[feet->hips[s]].position, world[feet->knees[s]].position)
                + sinew_vec3_distance(
                    world[feet->knees[s]].position, world[feet->ankles[s]].position);
        }
    }
    return leg;
}

static int compare_heights(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

// joints above the ground at their lowest, a few odd frames left out; scratch: frame_count numbers
static void find_lowest(
    const snw_Footfalls *footfalls, const sinew_Vec3 *joints, double *scratch, double *out_lowest)
{
    const int count = footfalls->frame_count;
    for (int p = 0; p < 4; ++p) {
        for (int f = 0; f < count; ++f) {
            scratch[f] = joints[4 * f + p].y - footfalls->points[4 * f + p].place.y;
        }
        qsort(scratch, (size_t)count, sizeof *scratch, compare_heights);
        out_lowest[p] = scratch[count / 20];
    }
}

static void place_points(const sinew_Ground *ground, double level, const sinew_Vec3 *joints,
    double leg, snw_Footfalls *footfalls)
{
    for (int f = 0; f < footfalls->frame_count; ++f) {
        for (int p = 0; p < 4; ++p) {
            snw_FootPoint *point = &footfalls->points[4 * f + p];
            const sinew_Vec3 at = joints[4 * f + p];
            point->place = at;
            if (p % 2 == 0) {
                const sinew_Vec3 foot = sinew_vec3_sub(joints[4 * f + p + 1], at);
                const sinew_Vec3 way = sinew_vec3_normalize_or(
                    sinew_vec3(foot.x, 0.0, foot.z), sinew_vec3(0.0, 0.0, 0.0));
                point->place = sinew_vec3_add_scaled(at, way, -HEEL_BACK * leg);
            }
            point->place.y = level
                + sinew_ground_sample(ground, point->place.x, point->place.z).height;
        }
    }
}

static void judge(const sinew_Clip *clip, const sinew_Vec3 *joints, double leg, double *scratch,
    snw_Footfalls *footfalls)
{
    double lowest[4];
    find_lowest(footfalls, joints, scratch, lowest);
    const int last = footfalls->frame_count - 1;
    // speeds over a sixtieth of a second to both sides
    const double around = fmax(0.017 / sinew_clip_frame_time(clip), 1.0);
    const int reach = (int)fmin(around, footfalls->frame_count);
    for (int f = 0; f <= last; ++f) {
        const int before = f > reach ? f - reach : 0, after = f < last - reach ? f + reach : last;
        const double time = fmax((after - before) * sinew_clip_frame_time(clip), 1e-9);
        for (int p = 0; p < 4; ++p) {
            snw_FootPoint *point = &footfalls->points[4 * f + p];
            const double height = joints[4 * f + p].y - point->place.y;
            const double speed = sinew_vec3_distance(joints[4 * before + p], joints[4 * after + p])
                / time;
            point->planted = last > 0 && speed < SLOWEST && height < lowest[p] + LIFT * leg;
        }
    }
}

bool snw_footfalls_find(const sinew_Clip *clip, sinew_Quat upright, const sinew_Terrain *terrain,
    double level, snw_Footfalls *out_footfalls)
{
    memset(out_footfalls, 0, sizeof *out_footfalls);
    const sinew_Skeleton *skeleton = sinew_clip_skeleton(clip);
    const int count = sinew_clip_frame_count(clip);
    sinew_RoleGuess *roles;
    sinew_RoleOptions options = sinew_role_options_default();
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), count };
    options.motion = &motion;
    if (sinew_roles_guess(skeleton, &options, NULL, &roles, NULL) != SINEW_STATUS_OK) {
        return false;
    }
    Feet feet;
    const bool person = find_feet(roles, &feet);
    sinew_roles_destroy(roles);
    if (!person) { return true; }

    sinew_Transform *world = malloc((size_t)sinew_skeleton_joint_count(skeleton) * sizeof *world);
    sinew_Vec3 *joints = malloc(4 * (size_t)count * sizeof *joints);
    out_footfalls->points = calloc(4 * (size_t)count, sizeof *out_footfalls->points);
    double *scratch = malloc((size_t)count * sizeof *scratch);
    const bool ready = world && joints && scratch && out_footfalls->points;
    if (ready) {
        out_footfalls->frame_count = count;
        const sinew_Ground ground = terrain ? sinew_terrain_ground(terrain)
                                            : (sinew_Ground){ NULL, NULL };
        const double leg = take_positions(clip, upright, &feet, world, joints);
        place_points(&ground, terrain ? 0.0 : level, joints, leg, out_footfalls);
        judge(clip, joints, leg, scratch, out_footfalls);
    } else {
        snw_footfalls_destroy(out_footfalls);
    }
    free(world);
    free(joints);
    free(scratch);
    return ready;
}

void snw_footfalls_destroy(snw_Footfalls *footfalls)
{
    free(footfalls->points);
    memset(footfalls, 0, sizeof *footfalls);
}

const snw_FootPoint *snw_footfalls_next(const snw_Footfalls *footfalls, int frame, int point)
{
    for (int f = frame; f < footfalls->frame_count; ++f) {
        const snw_FootPoint *p = &footfalls->points[4 * f + point];
        if (p->planted) { return p; }
    }
    return NULL;
}
