// Limits from what motions did: for each ball the directions of its bone are projected onto a plane
// at the centre of their smallest cap, where great circles are straight; their hull with a margin,
// brought to few corners, is the window. Nothing that was seen is ever cut off.

#include "body/rig.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"
#include "math/quat.h"

#include <string.h>

// Corners of a window.
#define CORNERS 6
// A window must stay clear of a hemisphere: largest distance from its centre, radians.
#define LARGEST_CAP (85.0 * SNW_DEGREE)
// Points round each corner of the hull that stand for the margin.
#define MARGIN_POINTS 16
// Least margin, so that joints that do not move get a window as well, degrees.
#define LEAST_MARGIN 0.5
// Samples this near to the plane between two windows belong to both, radians.
#define OVERLAP (5.0 * SNW_DEGREE)
// Steps towards the centre of the smallest cap.
#define CAP_STEPS 400
// A twist that takes more than this, degrees, has no range.
#define LARGEST_TWIST 350.0
#define MAX_HULL 4096
// Corners nearer than this, radians, are one; far less than any margin.
#define SAME_CORNER 1e-5

typedef struct Point {
    double x, y;
} Point;

/// What the fit of one joint works with.
typedef struct Fit {
    sinew_Vec3 *directions; // of the bone in the neutral frame      (sample_count)
    sinew_Quat *rotations;  // neutral_from_bone                     (sample_count)
    double *twists;         //                                       (sample_count)
    sinew_Vec3 *part;       // samples of one of two windows         (sample_count)
    Point *points, *hull;   //                                       (point_capacity, + 1)
    int sample_count, point_capacity;
    double margin; // radians
} Fit;

// ---------------------------------------------------------------------------------------------
// Caps

static double angle_between(sinew_Vec3 a, sinew_Vec3 b)
{
    return sinew_atan2(sinew_vec3_length(sinew_vec3_cross(a, b)), sinew_vec3_dot(a, b));
}

// centre of the smallest cap that holds the directions; steps of 1/n towards the farthest of them
// (Badoiu and Clarkson)
static sinew_Vec3 cap_center(const sinew_Vec3 *directions, int count, double *out_radius)
{
    SNW_ASSERT(count >= 0);
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < count; ++i) { sum = sinew_vec3_add(sum, directions[i]); }
    sinew_Vec3 center = sinew_vec3_normalize_or(sum, directions[0]);
    for (int step = 0; step < CAP_STEPS; ++step) {
        int farthest = 0;
        for (int i = 1; i < count; ++i) {
            if (sinew_vec3_dot(directions[i], center)
                < sinew_vec3_dot(directions[farthest], center)) {
                farthest = i;
            }
        }
        sinew_Vec3 toward = sinew_vec3_lerp(center, directions[farthest], 1.0 / (step + 2));
        center = sinew_vec3_normalize_or(toward, center);
    }
    *out_radius = 0.0;
    for (int i = 0; i < count; ++i) {
        *out_radius = fmax(*out_radius, angle_between(directions[i], center));
    }
    return center;
}

// ---------------------------------------------------------------------------------------------
// Hulls in the plane, counter-clockwise

static double turn_of(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool comes_before(Point a, Point b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// heap sort by x, then y: no recursion, the same on every platform
static void sift(Point *points, int start, int count)
{
    SNW_ASSERT(count >= 0);
    for (int root = start;;) {
        int child = 2 * root + 1;
        if (child >= count) { return; }
        if (child + 1 < count && comes_before(points[child], points[child + 1])) { ++child; }
        if (!comes_before(points[root], points[child])) { return; }
        Point moved = points[root];
        points[root] = points[child];
        points[child] = moved;
        root = child;
    }
}

static void sort_points(Point *points, int count)
{
    SNW_ASSERT(count >= 0);
    for (int i = count / 2 - 1; i >= 0; --i) { sift(points, i, count); }
    for (int end = count - 1; end > 0; --end) {
        Point moved = points[0];
        points[0] = points[end];
        points[end] = moved;
        sift(points, 0, end);
    }
}

// corners that are nearly one become one
static int merge_corners(Point *hull, int count)
{
    SNW_ASSERT(count >= 0);
    int used = 0;
    for (int i = 0; i < count; ++i) {
        Point last = hull[used > 0 ? used - 1 : count - 1];
        double dx = hull[i].x - last.x, dy = hull[i].y - last.y;
        bool same = dx * dx + dy * dy < SAME_CORNER * SAME_CORNER;
        if (!same || (used == 0 && i == count - 1)) { hull[used++] = hull[i]; }
    }
    return used;
}

// monotone chain (Andrew); hull has room for count + 1 points; returns how many there are
static int convex_hull(Point *points, int count, Point *hull)
{
    SNW_ASSERT(count >= 0);
    int used = 0;
    sort_points(points, count);
    for (int i = 0; i < count; ++i) {
        while (used >= 2 && turn_of(hull[used - 2], hull[used - 1], points[i]) <= 0.0) { --used; }
        hull[used++] = points[i];
    }
    int lower = used + 1;
    for (int i = count - 2; i >= 0; --i) {
        while (used >= lower && turn_of(hull[used - 2], hull[used - 1], points[i]) <= 0.0) {
            --used;
        }
        hull[used++] = points[i];
    }
    return used > 1 ? used - 1 : used;
}

// where the lines before and behind a side meet; false when they do not, or far out
static bool extend_side(Point a, Point b, Point c, Point d, double limit, Point *out)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = d.x - c.x, vy = d.y - c.y;
    double cross = ux * vy - uy * vx;
    if (!(cross > 1e-12)) { return false; }
    double t = ((c.x - a.x) * vy - (c.y - a.y) * vx) / cross;
    out->x = a.x + t * ux;
    out->y = a.y + t * uy;
    return t >= 1.0 && out->x * out->x + out->y * out->y < limit * limit;
}

// drop the side whose removal adds least area, until few are left. Only ever adds.
static int reduce(Point *hull, int count, double limit)
{
    SNW_ASSERT(count >= 0);
    while (count > CORNERS) {
        int best = -1;
        double least = INFINITY;
        Point corner = { 0.0, 0.0 };
        for (int i = 0; i < count; ++i) {
            Point a = hull[(i + count - 1) % count], b = hull[i];
            Point c = hull[(i + 1) % count], d = hull[(i + 2) % count], x;
            if (!extend_side(a, b, c, d, limit, &x)) { continue; }
            double r2 = x.x * x.x + x.y * x.y;
            double area = 0.5 * fabs(turn_of(b, x, c)) / ((1.0 + r2) * sqrt(1.0 + r2));
            if (area < least) {
                least = area;
                best = i;
                corner = x;
            }
        }
        if (best < 0) { return count; }
        hull[best] = corner;
        int gone = (best + 1) % count;
        memmove(&hull[gone], &hull[gone + 1], (size_t)(count - 1 - gone) * sizeof *hull);
        --count;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// One window

static Point project(sinew_Mat3 frame, sinew_Vec3 direction)
{
    sinew_Vec3 local = sinew_mat3_transpose_mul_vec3(frame, direction);
    Point p = { local.y / local.x, local.z / local.x };
    return p;
}

static sinew_Vec3 unproject(sinew_Mat3 frame, Point p)
{
    return sinew_mat3_mul_vec3(
        frame, sinew_vec3_normalize_or(sinew_vec3(1.0, p.x, p.y), sinew_vec3(1.0, 0.0, 0.0)));
}

// rays around the directions, in their frame; 0 when they do not fit into less than a hemisphere
static int fit_window(Fit *fit, const sinew_Vec3 *directions, int count, sinew_Vec3 *out_rays)
{
    SNW_ASSERT(count >= 0);
    double radius;
    sinew_Vec3 center = cap_center(directions, count, &radius);
    // the corners of a polygon about a circle lie outside of it
    double sine, cosine, reach;
    sinew_sincos(SINEW_PI / MARGIN_POINTS, &sine, &cosine);
    reach = fit->margin / cosine;
    if (radius + reach > LARGEST_CAP) { return 0; }
    sinew_Mat3 frame = sinew_mat3_from_quat(sinew_quat_from_x(center));
    for (int i = 0; i < count; ++i) { fit->points[i] = project(frame, directions[i]); }
    int corners = merge_corners(fit->hull, convex_hull(fit->points, count, fit->hull));
    if (corners > fit->point_capacity / MARGIN_POINTS) { return 0; }

    int used = 0;
    double reach_sine, reach_cosine;
    sinew_sincos(reach, &reach_sine, &reach_cosine);
    for (int c = 0; c < corners; ++c) {
        sinew_Vec3 ray = unproject(frame, fit->hull[c]);
        sinew_Mat3 around = sinew_mat3_from_quat(sinew_quat_from_x(ray));
        for (int k = 0; k < MARGIN_POINTS; ++k) {
            sinew_sincos(2.0 * SINEW_PI * k / MARGIN_POINTS, &sine, &cosine);
            sinew_Vec3 local = { reach_cosine, reach_sine * cosine, reach_sine * sine };
            fit->points[used++] = project(frame, sinew_mat3_mul_vec3(around, local));
        }
    }
    corners = merge_corners(fit->hull, convex_hull(fit->points, used, fit->hull));
    // tan 88 degrees
    corners = reduce(fit->hull, corners, 28.6);
    if (corners > SINEW_MAX_WINDOW_RAYS) { return 0; }
    for (int c = 0; c < corners; ++c) { out_rays[c] = unproject(frame, fit->hull[c]); }
    return corners;
}

// two means of the directions; false when there are not two
static bool split(const Fit *fit, sinew_Vec3 means[2])
{
    const sinew_Vec3 *u = fit->directions;
    int far = 0;
    means[0] = u[0];
    for (int i = 1; i < fit->sample_count; ++i) {
        if (sinew_vec3_dot(u[i], means[0]) < sinew_vec3_dot(u[far], means[0])) { far = i; }
    }
    means[1] = u[far];
    for (int round = 0; round < 30; ++round) {
        sinew_Vec3 sums[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        for (int i = 0; i < fit->sample_count; ++i) {
            int which = sinew_vec3_dot(u[i], means[1]) > sinew_vec3_dot(u[i], means[0]) ? 1 : 0;
            sums[which] = sinew_vec3_add(sums[which], u[i]);
        }
        means[0] = sinew_vec3_normalize_or(sums[0], means[0]);
        means[1] = sinew_vec3_normalize_or(sums[1], means[1]);
    }
    return sinew_vec3_distance(means[0], means[1]) > 1e-3;
}

// windows of the samples: one, or two that overlap; returns how many, 0 when none fit
static int fit_windows(Fit *fit, sinew_Vec3 rays[2][SINEW_MAX_WINDOW_RAYS], int counts[2])
{
    counts[0] = fit_window(fit, fit->directions, fit->sample_count, rays[0]);
    if (counts[0] > 0) { return 1; }
    sinew_Vec3 means[2];
    if (!split(fit, means)) { return 0; }
    sinew_Vec3 normal = sinew_vec3_normalize_or(
        sinew_vec3_sub(means[1], means[0]), sinew_vec3(1.0, 0.0, 0.0));
    double overlap_sine, unused;
    sinew_sincos(OVERLAP, &overlap_sine, &unused);
    for (int which = 0; which < 2; ++which) {
        double sign = which == 1 ? 1.0 : -1.0;
        int used = 0;
        for (int i = 0; i < fit->sample_count; ++i) {
            if (sign * sinew_vec3_dot(fit->directions[i], normal) >= -overlap_sine) {
                fit->part[used++] = fit->directions[i];
            }
        }
        counts[which] = used > 0 ? fit_window(fit, fit->part, used, rays[which]) : 0;
        if (counts[which] == 0) { return 0; }
    }
    return 2;
}

// ---------------------------------------------------------------------------------------------
// Twist

static sinew_RigRange fit_twist(Fit *fit, sinew_Quat old_from_new)
{
    SNW_ASSERT(snw_holds_unit(old_from_new));
    double sines = 0.0, cosines = 0.0;
    for (int i = 0; i < fit->sample_count; ++i) {
        sinew_Quat r = sinew_quat_mul(sinew_quat_conjugate(old_from_new), fit->rotations[i]);
        double sine, cosine;
        fit->twists[i] = sinew_swing_twist_decompose(r).twist;
        sinew_sincos(fit->twists[i], &sine, &cosine);
        sines += sine;
        cosines += cosine;
    }
    double mean = sinew_atan2(sines, cosines), lower = INFINITY, upper = -INFINITY;
    for (int i = 0; i < fit->sample_count; ++i) {
        double away = fmod(fit->twists[i] - mean, 2.0 * SINEW_PI);
        if (away > SINEW_PI) { away -= 2.0 * SINEW_PI; }
        if (away < -SINEW_PI) { away += 2.0 * SINEW_PI; }
        lower = fmin(lower, mean + away);
        upper = fmax(upper, mean + away);
    }
    sinew_RigRange range = { (lower - fit->margin) / SNW_DEGREE,
        (upper + fit->margin) / SNW_DEGREE };
    bool plain = range.upper - range.lower < LARGEST_TWIST && range.lower > -179.9
        && range.upper < 179.9;
    if (!plain) {
        range.lower = -INFINITY;
        range.upper = INFINITY;
    }
    return range;
}

// ---------------------------------------------------------------------------------------------
// One joint

static sinew_Vec3 polar_point(sinew_Vec3 ray, bool mirrored)
{
    double away = sqrt(ray.y * ray.y + ray.z * ray.z);
    sinew_Vec3 point = { sinew_atan2(mirrored ? -ray.z : ray.z, ray.y) / SNW_DEGREE,
        sinew_atan2(away, ray.x) / SNW_DEGREE, 0.0 };
    return point;
}

// the rig's frames, or those that it implies
static void take_frames(const sinew_Skeleton *skeleton, int ball, sinew_RigJoint *joint)
{
    const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[ball];
    if (axis->limit != NULL) {
        const sinew_BallLimitDef *def = sinew_ball_limit_def(axis->limit);
        joint->neutral = def->neutral;
        joint->bone = def->bone;
        return;
    }
    if (!(joint->has & SINEW_RIG_HAS_BONE)) {
        int j = sinew_skeleton_axis_places(skeleton)[ball].joint;
        joint->bone = sinew_quat_from_x(snw_rig_bone_direction(skeleton, j));
    }
    if (!(joint->has & SINEW_RIG_HAS_NEUTRAL)) { joint->neutral = joint->bone; }
}

static void take_samples(
    Fit *fit, const double *poses, int width, int coordinate, const sinew_RigJoint *joint)
{
    sinew_Quat back = sinew_quat_conjugate(sinew_quat_normalize(joint->neutral));
    sinew_Quat bone = sinew_quat_normalize(joint->bone);
    for (int i = 0; i < fit->sample_count; ++i) {
        const double *q = poses + (size_t)i * (size_t)width + coordinate;
        sinew_Quat ball = snw_quat_load(q);
        sinew_Quat r = sinew_quat_mul(sinew_quat_mul(back, sinew_quat_normalize(ball)), bone);
        fit->rotations[i] = r;
        fit->directions[i] = sinew_quat_rotate(r, sinew_vec3(1.0, 0.0, 0.0));
    }
}

static sinew_Status fit_ball(
    sinew_Rig *rig, const sinew_Skeleton *skeleton, int ball, const double *poses, Fit *fit)
{
    const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[ball];
    char key[SNW_RIG_KEY_SIZE];
    sinew_rig_key(skeleton, place->joint, key, sizeof key);
    const sinew_RigJoint *known = sinew_rig_find_joint(rig, key);
    sinew_RigJoint joint = known != NULL ? *known : sinew_rig_joint_default(key);
    sinew_Vec3 rays[2][SINEW_MAX_WINDOW_RAYS];
    int counts[2] = { 0, 0 };
    take_frames(skeleton, ball, &joint);
    take_samples(fit, poses, sinew_skeleton_coordinate_count(skeleton), place->coordinate, &joint);
    int windows = fit_windows(fit, rays, counts);
    sinew_Quat old_from_new = sinew_quat_identity();
    if (windows > 0) {
        // the middle becomes neutral, which narrows the twist and keeps its pole away
        sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
        for (int w = 0; w < windows; ++w) {
            for (int c = 0; c < counts[w]; ++c) { middle = sinew_vec3_add(middle, rays[w][c]); }
        }
        old_from_new = sinew_quat_from_x(
            sinew_vec3_normalize_or(middle, sinew_vec3(1.0, 0.0, 0.0)));
    }
    sinew_RigWindow made[2];
    for (int w = 0; w < windows; ++w) {
        for (int c = 0; c < counts[w]; ++c) {
            rays[w][c] = polar_point(
                sinew_quat_rotate(sinew_quat_conjugate(old_from_new), rays[w][c]), joint.mirrored);
        }
        sinew_RigWindow window = { true, rays[w], counts[w], 0.0 };
        made[w] = window;
    }
    joint.neutral = sinew_quat_normalize(sinew_quat_mul(joint.neutral, old_from_new));
    joint.twist = fit_twist(fit, old_from_new);
    joint.has |= SINEW_RIG_HAS_NEUTRAL | SINEW_RIG_HAS_BONE | SINEW_RIG_HAS_TWIST
        | SINEW_RIG_HAS_MIRRORED;
    joint.windows = made;
    joint.window_count = windows;
    joint.star = false;
    joint.has |= SINEW_RIG_HAS_WINDOWS;
    // what goes all round, or in two places far apart, has no window that could be made
    sinew_BallLimit *limit;
    sinew_Status status = sinew_rig_joint_limit(&joint, NULL, &limit, NULL);
    sinew_ball_limit_destroy(limit);
    if (status == SINEW_STATUS_INVALID_ARGUMENT) { joint.window_count = 0; }
    if (status == SINEW_STATUS_OUT_OF_MEMORY) { return status; }
    return sinew_rig_set_joint(rig, &joint);
}

// ranges of the hinges of a joint; its slides keep theirs
static sinew_Status fit_hinges(sinew_Rig *rig, const sinew_Skeleton *skeleton, int j,
    const double *poses, int count, double margin)
{
    SNW_ASSERT(count >= 0);
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[j];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    int width = sinew_skeleton_coordinate_count(skeleton);
    double unit = sinew_rig_unit(rig) > 0.0 ? sinew_rig_unit(rig) : 1.0;
    char key[SNW_RIG_KEY_SIZE];
    sinew_rig_key(skeleton, j, key, sizeof key);
    const sinew_RigJoint *known = sinew_rig_find_joint(rig, key);
    sinew_RigJoint joint = known != NULL ? *known : sinew_rig_joint_default(key);
    int said = (joint.has & SINEW_RIG_HAS_RANGES) ? joint.range_count : 0;
    joint.range_count = 0;
    for (int a = own->axis_start; a < own->axis_start + own->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL) { continue; }
        sinew_RigRange *range = &joint.ranges[joint.range_count++];
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            if (joint.range_count <= said) { continue; }
            range->lower = axes[a].lower / unit;
            range->upper = axes[a].upper / unit;
            continue;
        }
        double lower = INFINITY, upper = -INFINITY;
        for (int i = 0; i < count; ++i) {
            double value = poses[(size_t)i * (size_t)width + (size_t)places[a].coordinate];
            lower = fmin(lower, value);
            upper = fmax(upper, value);
        }
        range->lower = lower / SNW_DEGREE - margin;
        range->upper = upper / SNW_DEGREE + margin;
    }
    joint.has |= SINEW_RIG_HAS_RANGES;
    return sinew_rig_set_joint(rig, &joint);
}

// ---------------------------------------------------------------------------------------------
// The whole

// what carries the body through the world has no limits
static bool is_fitted(const sinew_Rig *rig, const sinew_Skeleton *skeleton, int j)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
    char key[SNW_RIG_KEY_SIZE];
    sinew_rig_key(skeleton, j, key, sizeof key);
    const sinew_RigJoint *known = sinew_rig_find_joint(rig, key);
    if (joint->parent < 0 || joint->axis_count == 0) { return false; }
    if (known == NULL) { return true; }
    bool said_free = (known->has & SINEW_RIG_HAS_KIND) && known->kind == SINEW_RIG_FREE;
    bool is_root = (known->has & SINEW_RIG_HAS_ROLE)
        && (known->role.role == SINEW_ROLE_ROOT || known->role.role == SINEW_ROLE_HIPS);
    return !said_free && !is_root;
}

static sinew_Status fit_joints(
    sinew_Rig *rig, const sinew_Skeleton *skeleton, const double *poses, Fit *fit)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    sinew_Status status = SINEW_STATUS_OK;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton) && status == SINEW_STATUS_OK; ++j) {
        if (!is_fitted(rig, skeleton, j)) { continue; }
        const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
        int ball = snw_rig_ball_axis(skeleton, j), hinges = 0;
        for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
            hinges += axes[a].kind == SINEW_AXIS_HINGE ? 1 : 0;
        }
        if (ball >= 0) { status = fit_ball(rig, skeleton, ball, poses, fit); }
        if (ball < 0 && hinges > 0) {
            status = fit_hinges(
                rig, skeleton, j, poses, fit->sample_count, fit->margin / SNW_DEGREE);
        }
    }
    return status;
}

static double *take_arrays(Fit *fit, size_t width, snw_Arena *arena)
{
    size_t count = (size_t)fit->sample_count;
    // hull corners with their margins must fit as well
    fit->point_capacity = fit->sample_count > MAX_HULL ? fit->sample_count : MAX_HULL;
    fit->directions = snw_arena_take(arena, count, sizeof *fit->directions);
    fit->rotations = snw_arena_take(arena, count, sizeof *fit->rotations);
    fit->twists = snw_arena_take(arena, count, sizeof *fit->twists);
    fit->points = snw_arena_take(arena, (size_t)fit->point_capacity, sizeof(Point));
    fit->hull = snw_arena_take(arena, (size_t)fit->point_capacity + 1, sizeof(Point));
    fit->part = snw_arena_take(arena, count, sizeof *fit->part);
    return snw_arena_take(arena, count * width, sizeof(double));
}

static sinew_Status convert(const sinew_Skeleton *from, const sinew_Skeleton *to,
    const sinew_PoseList *lists, int list_count, double *out)
{
    SNW_ASSERT(list_count >= 0);
    size_t from_width = (size_t)sinew_skeleton_coordinate_count(from);
    size_t to_width = (size_t)sinew_skeleton_coordinate_count(to);
    sinew_Status status = SINEW_STATUS_OK;
    for (int l = 0; l < list_count; ++l) {
        for (int i = 0; i < lists[l].count && status == SINEW_STATUS_OK; ++i) {
            status = sinew_rig_convert_pose(
                from, lists[l].q + (size_t)i * from_width, to, out, NULL);
            out += to_width;
        }
    }
    return status;
}

sinew_Status sinew_rig_fit(sinew_Rig *rig, const sinew_Skeleton *skeleton,
    const sinew_PoseList *lists, int list_count, double margin, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "rig skeleton lists", rig, skeleton, lists);
    if (status != SINEW_STATUS_OK) { return status; }
    if (list_count < 1) {
        return snw_refuse(out_message, "list_count is %d, want 1 or more", list_count);
    }
    if (!(margin >= 0.0 && margin <= 45.0)) {
        return snw_refuse(out_message, "margin is %g, want 0 to 45 degrees", margin);
    }
    long long count = 0;
    for (int l = 0; l < list_count; ++l) { count += lists[l].count > 0 ? lists[l].count : 0; }
    if (count < 1 || count > 100000000) {
        return snw_refuse(out_message, "there are %d poses, want 1 to 100000000",
            (int)(count > 2147483647 ? 2147483647 : count));
    }
    sinew_Skeleton *rigged;
    status = sinew_rig_apply(skeleton, rig, NULL, &rigged, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    Fit fit;
    memset(&fit, 0, sizeof fit);
    fit.sample_count = (int)count;
    fit.margin = fmax(margin, LEAST_MARGIN) * SNW_DEGREE;
    size_t width = (size_t)sinew_skeleton_coordinate_count(rigged);
    snw_Arena arena = { NULL, 0 };
    (void)take_arrays(&fit, width, &arena);
    size_t size;
    status = SINEW_STATUS_OUT_OF_MEMORY;
    if (snw_arena_open(&arena, &allocator, &size)) {
        double *poses = take_arrays(&fit, width, &arena);
        status = convert(skeleton, rigged, lists, list_count, poses);
        if (status == SINEW_STATUS_OK) { status = fit_joints(rig, rigged, poses, &fit); }
        snw_free(&allocator, arena.base, size);
    }
    sinew_skeleton_destroy(rigged);
    if (status != SINEW_STATUS_OK) {
        return snw_fail(out_message, status, "no memory to fit %d pose%s", (int)count,
            snw_plural((double)count));
    }
    return status;
}
