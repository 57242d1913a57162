#include "measure/walk_mirror.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A point of a sole stands while it is slower than this, m/s, and something of its part of the sole (about heel,
/// ball or tip) less than this above the ground, metres, for so many frames: a foot that lifts off leaves this
/// window within a frame or two. Of a foot on a bump or an edge only some of a part is on the ground.
static const double stance_height = 0.01, stance_speed = 0.12;
/// A point that is farther above what is below it hangs over an edge, metres.
static const double hanging_height = 0.03;
/// A point that rises by more than this rolls off: the foot turns about another, some 5 cm away.
static const double rolling_height = 0.5e-3;
enum { STANCE_FRAMES = 6, STANCE_ENDS = 2, LEAST_SWING_FRAMES = 6 };
/// Hips that were nowhere farther away than this in the last half second stand; faster than this they
/// go. m, m/s.
static const double standing_way = 0.01, going_speed = 0.2;
/// Feet whose heights differ by less stand on one level, metres.
static const double level_feet = 1e-3;
static const double joint_step_limit = 0.3;

/// What is kept of one leg in one frame.
typedef struct LegFrame {
    sinew_Vec3 points[MEASURE_SOLE_ROWS];  // of the middle line
    double heights[MEASURE_SOLE_ROWS];     // above the ground
    sinew_Vec3 normals[MEASURE_SOLE_ROWS]; // of the ground there
    double parts[MEASURE_SOLE_ROWS];       // the least of the samples that are nearest to each
    sinew_Vec3 lies[2]; // of what of it is on the ground, its hind and its front end
    bool does_lie;
    double least, deepest; // of all samples of the sole
    bool is_held;          // one of them on the ground stayed there since the last frame
    double knee;           // flexion
} LegFrame;

typedef struct Frame {
    sinew_Vec3 hips, head, mass, root;
    sinew_Quat chest;
    sinew_Vec3 up; // from hips to chest, unit
    double heading;
    double joint_step;
    int samples;
    LegFrame legs[SINEW_MAX_LEGS];
} Frame;

struct measure_Mirror {
    measure_MirrorBody body;
    measure_Sole soles[SINEW_MAX_LEGS];
    sinew_Vec3 samples[SINEW_MAX_LEGS][MEASURE_SOLE_SAMPLES]; // of the last frame
    int joint_count, capacity, count;
    double frame_time;
    sinew_Transform *transforms; // joint_count
    sinew_Quat *rotations;       // joint_count: against the parent, last frame
    Frame *frames;               // capacity
};

measure_MirrorBody measure_mirror_body(
    const sinew_Walker *walker, const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles)
{
    measure_MirrorBody body;
    memset(&body, 0, sizeof body);
    body.skeleton = skeleton;
    body.leg_count = sinew_walker_report(walker).leg_count;
    for (int i = 0; i < body.leg_count; ++i) {
        body.legs[i] = sinew_walker_leg_def(walker, i);
        body.soles[i] = sinew_walker_sole(walker, i);
    }
    body.chest = body.head = -1;
    if (roles == NULL) { return body; }
    body.head = sinew_roles_find(roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, 0);
    body.chest = sinew_roles_find(roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, 0);
    // a short spine has no chest of its own
    for (int number = 8; number >= 0 && body.chest < 0; --number) {
        body.chest = sinew_roles_find(roles, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, number);
    }
    return body;
}

void measure_mirror_destroy(measure_Mirror *mirror)
{
    if (mirror == NULL) { return; }
    free(mirror->transforms);
    free(mirror->rotations);
    free(mirror->frames);
    free(mirror);
}

measure_Mirror *measure_mirror_create(
    const measure_MirrorBody *body, int frame_capacity, double frame_time)
{
    measure_Mirror *mirror = calloc(1, sizeof *mirror);
    if (mirror == NULL) { return NULL; }
    mirror->body = *body;
    mirror->joint_count = sinew_skeleton_joint_count(body->skeleton);
    mirror->capacity = frame_capacity;
    mirror->frame_time = frame_time;
    size_t joints = (size_t)mirror->joint_count;
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    mirror->transforms = calloc(joints, sizeof *mirror->transforms);
    mirror->rotations = calloc(joints, sizeof *mirror->rotations);
    mirror->frames = calloc((size_t)frame_capacity, sizeof *mirror->frames);
    double *rest = calloc(coordinates, sizeof *rest);
    bool enough = mirror->transforms != NULL && mirror->rotations != NULL && mirror->frames != NULL
        && rest != NULL;
    if (enough) {
        sinew_pose_rest(body->skeleton, rest);
        sinew_pose_forward(body->skeleton, rest, mirror->transforms);
        for (int i = 0; i < body->leg_count; ++i) {
            mirror->soles[i] = measure_sole_sort(body->soles[i], mirror->transforms);
        }
    }
    free(rest);
    if (enough) { return mirror; }
    measure_mirror_destroy(mirror);
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// A frame

/// Hind and front end of what is on the ground, by the sample of each row that is nearest to its middle: a foot on its
/// edge lies on that.
static void find_lying(const sinew_Vec3 *points, const double *heights, int count, LegFrame *frame)
{
    enum { ACROSS = MEASURE_SOLE_ACROSS };
    frame->does_lie = false;
    for (int first = 0; first < count; first += ACROSS) {
        int nearest = -1;
        for (int i = 0; i < ACROSS; ++i) {
            const bool is_nearer = nearest < 0 || abs(i - ACROSS / 2) < abs(nearest - ACROSS / 2);
            if (heights[first + i] < stance_height && is_nearer) { nearest = i; }
        }
        if (nearest < 0) { continue; }
        if (!frame->does_lie) { frame->lies[0] = points[first + nearest]; }
        frame->lies[1] = points[first + nearest];
        frame->does_lie = true;
    }
}

static void look_at_leg(
    measure_Mirror *mirror, int index, const sinew_Ground *ground, LegFrame *frame)
{
    const measure_Sole *sole = &mirror->soles[index];
    int rows[MEASURE_SOLE_ROWS] = { 0 }, row_count = 0;
    for (int row = 0; row < MEASURE_SOLE_ROWS; ++row) {
        frame->heights[row] = frame->parts[row] = (double)INFINITY;
        if (sole->rows[row][1] == NULL) { continue; }
        sinew_Vec3 point = measure_sole_point(mirror->transforms, sole->rows[row][1]);
        rows[row_count++] = row;
        frame->points[row] = point;
        sinew_GroundSample below = { 0.0, { 0.0, 1.0, 0.0 } };
        if (ground != NULL) { below = sinew_ground_sample(ground, point.x, point.z); }
        frame->heights[row] = point.y - below.height;
        frame->normals[row] = below.normal;
    }
    sinew_Vec3 points[MEASURE_SOLE_SAMPLES];
    int count = measure_sole_sample(sole, mirror->transforms, points);
    enum { ALONG = MEASURE_SOLE_ALONG - 1, HALF_ALONG = ALONG / 2 };
    frame->least = (double)INFINITY;
    frame->deepest = 0.0;
    frame->is_held = false;
    double heights[MEASURE_SOLE_SAMPLES];
    for (int i = 0; i < count; ++i) {
        double height = points[i].y - measure_ground_height(ground, points[i].x, points[i].z);
        heights[i] = height;
        // samples lie in even order from the first row to the last
        int part = rows[(i / MEASURE_SOLE_ACROSS * (row_count - 1) + HALF_ALONG) / ALONG];
        if (height < frame->parts[part]) { frame->parts[part] = height; }
        if (height < frame->least) { frame->least = height; }
        double way = sinew_vec3_distance(points[i], mirror->samples[index][i]);
        bool stays = height < stance_height && way < stance_speed * mirror->frame_time;
        frame->is_held = frame->is_held || (mirror->count > 0 && stays);
        mirror->samples[index][i] = points[i];
        if (-height <= frame->deepest) { continue; }
        double depth = measure_depth(ground, points[i], -height);
        if (depth > frame->deepest) { frame->deepest = depth; }
    }
    find_lying(points, heights, count, frame);
    const sinew_LegDef *leg = mirror->body.legs[index];
    frame->knee = 0.0;
    if (leg->knee < 0) { return; }
    sinew_Vec3 knee = mirror->transforms[leg->knee].position;
    sinew_Vec3 thigh = sinew_vec3_sub(knee, mirror->transforms[leg->hip].position);
    sinew_Vec3 shin = sinew_vec3_sub(mirror->transforms[leg->ankle].position, knee);
    double lengths = sinew_vec3_length(thigh) * sinew_vec3_length(shin);
    if (lengths > 0.0) { frame->knee = sinew_acos(sinew_vec3_dot(thigh, shin) / lengths); }
}

/// Largest turn of a joint since the last frame, per 1/60 s.
static double look_at_joints(measure_Mirror *mirror, const double *q)
{
    double most = 0.0;
    for (int j = 0; j < mirror->joint_count; ++j) {
        sinew_Quat rotation = sinew_pose_local(mirror->body.skeleton, q, j).rotation;
        double angle = mirror->count > 0 ? sinew_quat_angle(mirror->rotations[j], rotation) : 0.0;
        if (angle > most) { most = angle; }
        mirror->rotations[j] = rotation;
    }
    return most / (60.0 * mirror->frame_time);
}

bool measure_mirror_frame(measure_Mirror *mirror, const double *q, const sinew_Ground *ground,
    sinew_Vec3 root, double heading, int samples)
{
    if (mirror->count == mirror->capacity) { return false; }
    const measure_MirrorBody *body = &mirror->body;
    Frame *frame = &mirror->frames[mirror->count];
    memset(frame, 0, sizeof *frame);
    sinew_pose_forward(body->skeleton, q, mirror->transforms);
    frame->joint_step = look_at_joints(mirror, q);
    for (int i = 0; i < body->leg_count; ++i) {
        look_at_leg(mirror, i, ground, &frame->legs[i]);
        frame->hips = sinew_vec3_add_scaled(
            frame->hips, mirror->transforms[body->legs[i]->hip].position, 1.0 / body->leg_count);
    }
    frame->mass = sinew_pose_center_of_mass(body->skeleton, mirror->transforms);
    frame->root = root;
    frame->heading = heading;
    frame->samples = samples;
    frame->head = frame->hips;
    frame->up = sinew_vec3(0.0, 1.0, 0.0);
    frame->chest = sinew_quat_identity();
    if (body->head >= 0) { frame->head = mirror->transforms[body->head].position; }
    if (body->chest >= 0) {
        sinew_Transform chest = mirror->transforms[body->chest];
        frame->chest = chest.rotation;
        frame->up = sinew_vec3_normalize_or(sinew_vec3_sub(chest.position, frame->hips), frame->up);
    }
    ++mirror->count;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Feet

static double level_distance(sinew_Vec3 a, sinew_Vec3 b)
{
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

/// Whether a point is slow, by the frames around it, and its part of the foot on the ground.
static bool is_slow(const measure_Mirror *mirror, int leg, int row, int frame)
{
    int before = frame > 0 ? frame - 1 : frame;
    int after = frame + 1 < mirror->count ? frame + 1 : frame;
    if (after == before) { return false; }
    if (!(mirror->frames[frame].legs[leg].parts[row] < stance_height)) { return false; }
    // beyond an edge it turns with the foot and stands on nothing
    if (mirror->frames[frame].legs[leg].heights[row] > hanging_height) { return false; }
    double way = sinew_vec3_distance(
        mirror->frames[after].legs[leg].points[row], mirror->frames[before].legs[leg].points[row]);
    return way < stance_speed * (after - before) * mirror->frame_time;
}

/// How far apart two places are along ground of a normal: what lifts off a slope goes back, but slides not.
static double way_along(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 normal)
{
    sinew_Vec3 way = sinew_vec3_sub(b, a);
    return sinew_vec3_length(sinew_vec3_add_scaled(way, normal, -sinew_vec3_dot(way, normal)));
}

/// Most way along the ground of a point from where it stands lowest. The frames in which it comes to rest and leaves
/// do not count, nor those in which it rises as the foot rolls on.
static double find_slide(const measure_Mirror *mirror, int leg, int row, int first, int end)
{
    int lowest = first + STANCE_ENDS;
    for (int i = lowest; i < end - STANCE_ENDS; ++i) {
        const LegFrame *frame = &mirror->frames[i].legs[leg];
        if (frame->heights[row] < mirror->frames[lowest].legs[leg].heights[row]) { lowest = i; }
    }
    sinew_Vec3 place = mirror->frames[lowest].legs[leg].points[row];
    sinew_Vec3 normal = mirror->frames[lowest].legs[leg].normals[row];
    double height = mirror->frames[lowest].legs[leg].heights[row], most = 0.0;
    for (int i = first + STANCE_ENDS; i < end - STANCE_ENDS; ++i) {
        const LegFrame *frame = &mirror->frames[i].legs[leg];
        double way = way_along(frame->points[row], place, normal);
        if (frame->heights[row] - height < rolling_height && way > most) { most = way; }
    }
    return most;
}

/// The slides of one point's stances. slides has room for all.
static int find_slides(const measure_Mirror *mirror, int leg, int row, double *slides)
{
    int count = 0;
    for (int first = 0; first < mirror->count; ++first) {
        if (!is_slow(mirror, leg, row, first)) { continue; }
        int end = first;
        while (end < mirror->count && is_slow(mirror, leg, row, end)) { ++end; }
        if (end - first >= STANCE_FRAMES) {
            slides[count++] = find_slide(mirror, leg, row, first, end);
        }
        first = end;
    }
    return count;
}

/// standing[frame] is true while a foot stands: from each frame to the next some point of it stays where it is. It
/// may roll from one to the next, none of which then has to stand for long.
static void find_stances(const measure_Mirror *mirror, int leg, bool *standing)
{
    for (int first = 0, last; first < mirror->count; first = last) {
        for (last = first + 1; last < mirror->count; ++last) {
            if (!mirror->frames[last].legs[leg].is_held) { break; }
        }
        for (int i = first; i < last && last - first >= STANCE_FRAMES; ++i) { standing[i] = true; }
    }
}

/// Least height in the middle of each swing, and the landings.
static void look_at_swings(
    const measure_Mirror *mirror, int leg, const bool *standing, measure_MirrorFigures *f)
{
    for (int first = 0; first < mirror->count; ++first) {
        if (standing[first]) { continue; }
        int end = first;
        while (end < mirror->count && !standing[end]) { ++end; }
        int frames = end - first;
        bool is_whole = first > 0 && end < mirror->count && frames >= LEAST_SWING_FRAMES;
        for (int i = first; is_whole && i < end; ++i) {
            double share = (i - first + 0.5) / frames;
            double height = mirror->frames[i].legs[leg].least;
            if (share > 0.2 && share < 0.8 && height < f->clearance) { f->clearance = height; }
        }
        if (is_whole) { ++f->landing_count; }
        first = end;
    }
}

static void look_at_depths(
    const measure_Mirror *mirror, int leg, const bool *standing, measure_MirrorFigures *f)
{
    for (int i = 0; i < mirror->count; ++i) {
        double *most = standing[i] ? &f->planted_depth : &f->moving_depth;
        double depth = mirror->frames[i].legs[leg].deepest;
        if (depth > *most) { *most = depth; }
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// All of the feet; stands counts in each frame those that stand, planted[leg * count + frame] says which.
static bool look_at_feet(
    const measure_Mirror *mirror, bool *planted, int *stands, measure_MirrorFigures *f)
{
    size_t frames = (size_t)mirror->count;
    size_t room = (size_t)mirror->body.leg_count * MEASURE_SOLE_ROWS * (frames / STANCE_FRAMES + 1);
    double *slides = calloc(room, sizeof *slides);
    if (slides == NULL) { return false; }
    size_t count = 0;
    for (int leg = 0; leg < mirror->body.leg_count; ++leg) {
        bool *standing = planted + (size_t)leg * frames;
        for (int row = 0; row < MEASURE_SOLE_ROWS; ++row) {
            if (mirror->soles[leg].rows[row][1] == NULL) { continue; }
            count += (size_t)find_slides(mirror, leg, row, slides + count);
        }
        find_stances(mirror, leg, standing);
        look_at_swings(mirror, leg, standing, f);
        look_at_depths(mirror, leg, standing, f);
        for (size_t i = 0; i < frames; ++i) { stands[i] += standing[i] ? 1 : 0; }
    }
    qsort(slides, count, sizeof *slides, compare);
    f->stance_count = (int)count;
    f->slide_median = count > 0 ? slides[count / 2] : 0.0;
    f->slide_most = count > 0 ? slides[count - 1] : 0.0;
    free(slides);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Body

static void raise(double *most, double value)
{
    if (value > *most) { *most = value; }
}

static sinew_Vec3 acceleration(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 c, double dt)
{
    sinew_Vec3 sum = sinew_vec3_add_scaled(sinew_vec3_add(a, c), b, -2.0);
    return sinew_vec3_scale(sum, 1.0 / (dt * dt));
}

static void look_at_motion(const measure_Mirror *mirror, measure_MirrorFigures *f)
{
    const double dt = mirror->frame_time, scale = 1.0 / (60.0 * dt);
    for (int i = 1; i < mirror->count; ++i) {
        const Frame *a = &mirror->frames[i - 1], *b = &mirror->frames[i];
        raise(&f->joint_step, b->joint_step);
        f->joint_step_frames += b->joint_step > joint_step_limit ? 1 : 0;
        sinew_Vec3 head = sinew_vec3_sub(b->head, a->head), root = sinew_vec3_sub(b->root, a->root);
        // the root lies on the ground, which may step
        root.y = 0.0;
        head.y = 0.0;
        if (mirror->body.head >= 0) {
            raise(&f->head_step, scale * sinew_vec3_length(sinew_vec3_sub(head, root)));
        }
        sinew_Quat turned = sinew_quat_mul(
            sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), b->heading - a->heading),
            a->chest);
        raise(&f->chest_step, scale * sinew_quat_angle(turned, b->chest));
        if (i + 1 == mirror->count) { continue; }
        const Frame *c = &mirror->frames[i + 1];
        sinew_Vec3 hips = acceleration(a->hips, b->hips, c->hips, dt);
        raise(&f->hips_vertical, fabs(hips.y));
        raise(&f->hips_level, sqrt(hips.x * hips.x + hips.z * hips.z));
        if (mirror->body.head >= 0) {
            raise(&f->head_acceleration,
                sinew_vec3_length(acceleration(a->head, b->head, c->head, dt)));
        }
    }
}

static void look_at_posture(const measure_Mirror *mirror, measure_MirrorFigures *f)
{
    long samples = 0;
    f->head_height = (double)INFINITY;
    for (int i = 0; i < mirror->count; ++i) {
        const Frame *frame = &mirror->frames[i];
        double height = frame->head.y - frame->hips.y;
        if (mirror->body.head >= 0 && height < f->head_height) { f->head_height = height; }
        raise(&f->trunk_tilt, sinew_acos(frame->up.y));
        samples += frame->samples;
        if (i > 0 && frame->samples > f->samples_most) { f->samples_most = frame->samples; }
    }
    if (mirror->count > 0) { f->samples_mean = (double)samples / mirror->count; }
}

/// How far a place is outside the convex hull of some points, on the level: the widest strip between it
/// and a line that has all points on the other side. O(count^2), for a few dozen.
static double find_outside(const sinew_Vec3 *points, int count, sinew_Vec3 place)
{
    double nearest = count > 0 ? (double)INFINITY : 0.0, widest = 0.0;
    for (int i = 0; i < count; ++i) {
        double distance = level_distance(points[i], place);
        if (distance < nearest) { nearest = distance; }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            double x = points[k].x - points[i].x, z = points[k].z - points[i].z;
            double length = sqrt(x * x + z * z);
            if (length < 1e-6) { continue; }
            double way = ((place.x - points[i].x) * z - (place.z - points[i].z) * x) / length;
            bool is_side = way > 0.0;
            for (int n = 0; n < count && is_side; ++n) {
                double other = (points[n].x - points[i].x) * z - (points[n].z - points[i].z) * x;
                is_side = other / length < 1e-9;
            }
            if (is_side) { raise(&widest, way); }
        }
    }
    // beside a corner the strip is narrower than the way to it, which is good enough for a limit
    return widest < nearest ? widest : nearest;
}

/// Whether hips and feet were where they are all the time since so many frames.
static bool is_standing(const measure_Mirror *mirror, const int *stands, int frame, int back)
{
    for (int i = frame - back; i <= frame; ++i) {
        double way = sinew_vec3_distance(mirror->frames[i].hips, mirror->frames[frame].hips);
        if (way > standing_way || stands[i] < mirror->body.leg_count) { return false; }
    }
    return true;
}

/// Mean flexion of the knees of who stands, of those that carry on the lowest ground: who stands across a slope or
/// on two treads bends the knee above.
static double find_standing_knee(const Frame *frame, int legs)
{
    double lowest = (double)INFINITY, sum = 0.0;
    int count = 0;
    for (int leg = 0; leg < legs; ++leg) {
        const LegFrame *l = &frame->legs[leg];
        if (l->does_lie && l->lies[0].y < lowest) { lowest = l->lies[0].y; }
    }
    for (int leg = 0; leg < legs; ++leg) {
        const LegFrame *l = &frame->legs[leg];
        if (l->does_lie && l->lies[0].y > lowest + level_feet) { continue; }
        sum += l->knee;
        ++count;
    }
    return sum / count;
}

static void look_at_standing(
    const measure_Mirror *mirror, const bool *planted, const int *stands, measure_MirrorFigures *f)
{
    int back = (int)(0.5 / mirror->frame_time), frames = 0, legs = mirror->body.leg_count;
    for (int i = back; i < mirror->count; ++i) {
        const Frame *frame = &mirror->frames[i];
        if (!is_standing(mirror, stands, i, back)) { continue; }
        // a heel over the edge of a tread leaves most of its sole on it
        sinew_Vec3 points[2 * SINEW_MAX_LEGS];
        int count = 0;
        for (int leg = 0; leg < legs; ++leg) {
            const LegFrame *l = &frame->legs[leg];
            if (!planted[leg * mirror->count + i] || !l->does_lie) { continue; }
            points[count++] = l->lies[0];
            points[count++] = l->lies[1];
        }
        f->standing_knee += find_standing_knee(frame, legs);
        raise(&f->standing_outside, find_outside(points, count, frame->mass));
        ++frames;
    }
    f->standing_time = frames * mirror->frame_time;
    if (frames > 0) { f->standing_knee /= frames; }
}

/// Step length, cadence and double support over the time in which the hips go.
static void look_at_steps(const measure_Mirror *mirror, const int *stands, measure_MirrorFigures *f)
{
    double way = 0.0;
    int going = 0, both = 0;
    for (int i = 1; i < mirror->count; ++i) {
        double step = level_distance(mirror->frames[i].hips, mirror->frames[i - 1].hips);
        if (step < going_speed * mirror->frame_time) { continue; }
        way += step;
        ++going;
        both += stands[i] > 1 ? 1 : 0;
    }
    if (going == 0 || f->landing_count == 0) { return; }
    f->step_length = way / f->landing_count;
    f->cadence = 60.0 * f->landing_count / (going * mirror->frame_time);
    f->double_support = (double)both / going;
}

measure_MirrorFigures measure_mirror_figures(const measure_Mirror *mirror)
{
    measure_MirrorFigures f;
    memset(&f, 0, sizeof f);
    f.frame_count = mirror->count;
    f.time = mirror->count * mirror->frame_time;
    f.clearance = (double)INFINITY;
    look_at_motion(mirror, &f);
    look_at_posture(mirror, &f);
    size_t frames = (size_t)mirror->count;
    bool *planted = calloc(frames * (size_t)mirror->body.leg_count + 1, sizeof *planted);
    int *stands = calloc(frames + 1, sizeof *stands);
    if (planted != NULL && stands != NULL && look_at_feet(mirror, planted, stands, &f)) {
        look_at_standing(mirror, planted, stands, &f);
        look_at_steps(mirror, stands, &f);
    } else {
        // without memory no walk may look good
        f.slide_most = f.moving_depth = f.planted_depth = (double)INFINITY;
    }
    free(planted);
    free(stands);
    return f;
}

// ---------------------------------------------------------------------------------------------
// Ground

static sinew_GroundSample answer(void *user, double x, double z)
{
    measure_CountedGround *counted = user;
    ++counted->count;
    return sinew_ground_sample(&counted->asked, x, z);
}

sinew_Ground measure_count_ground(measure_CountedGround *counted)
{
    sinew_Ground ground = { answer, counted };
    return ground;
}
