#include "measure/walk_meter.h"

#include "measure/sole_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SWING_FRAMES = 4096, // longest swing that is looked at
};

static const double goal_tolerance = 1e-3;
static const double shortest_swing = 0.05;
/// A jump of the ground is an edge from this height on, and looked for within this distance, metres.
static const double edge_height = 0.03, edge_reach = 0.03;
// A planted sole whose samples are all higher than this is looked at closer.
static const double look_closer = 2e-3;
enum { CLOSER = 16 };
static const double way_interval = 0.5;

/// What was seen of one leg.
typedef struct Leg {
    const sinew_LegDef *def;
    const sinew_Sole *told;
    measure_Sole sole;
    unsigned planted;
    sinew_Vec3 anchors[SINEW_MAX_SOLE_POINTS];
    bool has_swung;    // off the ground since it was last held
    double left_at;    // when it was last held
    int swing_count;   // frames of this swing
    double *heights;   // SWING_FRAMES: least height over the ground
    double *edges;     // SWING_FRAMES: least distance from an edge
    double lowest;     // of the sole's points in this frame
    sinew_Vec3 middle; // of the sole
} Leg;

struct measure_WalkMeter {
    const sinew_Skeleton *skeleton;
    int joint_count, coordinate_count, leg_count;
    double rise, tread;
    Leg legs[SINEW_MAX_LEGS];
    sinew_Transform *transforms; // joint_count
    sinew_Quat *rotations;       // joint_count: against the parent, last frame
    double heights[2], steps[2]; // hips: the last two frames, and the time before each
    double acceleration_sum;
    int acceleration_count;
    double way_time;
    sinew_Vec3 way_place;
    measure_WalkFigures figures;
};

static void note_most(measure_WalkWorst *worst, double value, double time, int where)
{
    if (!(value > worst->value)) { return; }
    worst->value = value;
    worst->time = time;
    worst->where = where;
}

static void note_least(measure_WalkWorst *worst, double value, double time, int where)
{
    if (!(value < worst->value)) { return; }
    worst->value = value;
    worst->time = time;
    worst->where = where;
}

// ---------------------------------------------------------------------------------------------
// Creation

void measure_walk_destroy(measure_WalkMeter *meter)
{
    if (meter == NULL) { return; }
    for (int i = 0; i < meter->leg_count; ++i) {
        free(meter->legs[i].heights);
        free(meter->legs[i].edges);
    }
    free(meter->transforms);
    free(meter->rotations);
    free(meter);
}

static bool take_memory(measure_WalkMeter *meter)
{
    size_t joints = (size_t)meter->joint_count;
    meter->transforms = calloc(joints, sizeof *meter->transforms);
    meter->rotations = calloc(joints, sizeof *meter->rotations);
    bool enough = meter->transforms != NULL && meter->rotations != NULL;
    for (int i = 0; i < meter->leg_count; ++i) {
        Leg *leg = &meter->legs[i];
        leg->heights = calloc(SWING_FRAMES, sizeof(double));
        leg->edges = calloc(SWING_FRAMES, sizeof(double));
        enough = enough && leg->heights != NULL && leg->edges != NULL;
    }
    return enough;
}

/// World transforms with all coordinates at rest; q of the caller is not needed for sorting soles.
static bool pose_rest(measure_WalkMeter *meter)
{
    double *q = calloc((size_t)meter->coordinate_count, sizeof *q);
    if (q == NULL) { return false; }
    sinew_pose_rest(meter->skeleton, q);
    sinew_pose_forward(meter->skeleton, q, meter->transforms);
    free(q);
    return true;
}

sinew_Status measure_walk_create(const sinew_Skeleton *skeleton, const measure_WalkMeterLeg *legs,
    int leg_count, double rise, double tread, measure_WalkMeter **out_meter)
{
    *out_meter = NULL;
    measure_WalkMeter *meter = calloc(1, sizeof *meter);
    if (meter == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    meter->skeleton = skeleton;
    meter->joint_count = sinew_skeleton_joint_count(skeleton);
    meter->coordinate_count = sinew_skeleton_coordinate_count(skeleton);
    meter->leg_count = leg_count;
    meter->rise = rise;
    meter->tread = tread;
    if (!take_memory(meter) || !pose_rest(meter)) {
        measure_walk_destroy(meter);
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < leg_count; ++i) {
        meter->legs[i].def = legs[i].def;
        meter->legs[i].told = legs[i].sole;
        meter->legs[i].sole = measure_sole_sort(legs[i].sole, meter->transforms);
    }
    measure_WalkWorst nothing = { 0.0, 0.0, -1 }, endless = { (double)INFINITY, 0.0, -1 };
    measure_WalkFigures *f = &meter->figures;
    f->slide = f->planted_penetration = f->penetration = f->floating = nothing;
    f->joint_step = f->hips_acceleration = f->goal_error = f->limit_violation = nothing;
    f->knee = nothing;
    f->clearance = f->edge_clearance = endless;
    *out_meter = meter;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// The sole and the ground

/// Distance of a point above the ground from an edge near it, rounded down to one of the radii that
/// are looked at; infinity where there is none.
static double find_edge(const sinew_Ground *ground, sinew_Vec3 point, double below)
{
    static const double radii[] = { 0.0, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 8e-3, 0.01, 0.015,
        0.02, 0.03 };
    double nearest = (double)INFINITY;
    for (int r = 1; r < (int)(sizeof radii / sizeof radii[0]); ++r) {
        double level = radii[r - 1]; // the edge is between this and radii[r]
        if (level >= nearest) { break; }
        for (int d = 0; d < 8; ++d) {
            double x = point.x + radii[r] * measure_directions[d][0];
            double z = point.z + radii[r] * measure_directions[d][1];
            double height = measure_ground_height(ground, x, z), distance = (double)INFINITY;
            // the edge is at the height of the upper side
            double high = height > below ? height : below;
            if (fabs(height - below) > edge_height) {
                double up = point.y - high;
                distance = sqrt(level * level + up * up);
            }
            if (distance < nearest) { nearest = distance; }
        }
    }
    return nearest;
}

/// Whether the ground may jump under or around a set of points; cheap, slopes say yes as well.
static bool is_near_edge(
    const sinew_Ground *ground, const sinew_Vec3 *points, const double *heights, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        for (int d = -1; d < 8; d += d < 0 ? 1 : 2) {
            double height = d < 0
                ? heights[i]
                : measure_ground_height(ground, points[i].x + edge_reach * measure_directions[d][0],
                    points[i].z + edge_reach * measure_directions[d][1]);
            if (height < low) { low = height; }
            if (height > high) { high = height; }
        }
    }
    return high - low > edge_height;
}

/// The least height of a sole above the ground between its samples along it: who stands on the edge of a step touches it
/// there.
static double look_between(const sinew_Ground *ground, const sinew_Vec3 *points, int count)
{
    double least = (double)INFINITY;
    for (int i = 0; i + MEASURE_SOLE_ACROSS < count; ++i) {
        for (int n = 1; n < CLOSER; ++n) {
            sinew_Vec3 at = sinew_vec3_lerp(
                points[i], points[i + MEASURE_SOLE_ACROSS], (double)n / CLOSER);
            least = fmin(least, at.y - measure_ground_height(ground, at.x, at.z));
        }
    }
    return least;
}

/// Penetration, height and distance from edges of one foot in one frame.
static void look_at_sole(measure_WalkMeter *meter, int index, const sinew_Ground *ground)
{
    measure_WalkFigures *figures = &meter->figures;
    Leg *leg = &meter->legs[index];
    sinew_Vec3 points[MEASURE_SOLE_SAMPLES];
    double heights[MEASURE_SOLE_SAMPLES];
    int count = measure_sole_sample(&leg->sole, meter->transforms, points);
    double least = (double)INFINITY, deepest = 0.0;
    leg->lowest = (double)INFINITY;
    leg->middle = sinew_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) {
        heights[i] = measure_ground_height(ground, points[i].x, points[i].z);
        double gap = points[i].y - heights[i];
        if (gap < least) { least = gap; }
        if (-gap > deepest) {
            double depth = measure_depth(ground, points[i], -gap);
            if (depth > deepest) { deepest = depth; }
        }
        if (points[i].y < leg->lowest) { leg->lowest = points[i].y; }
        leg->middle = sinew_vec3_add_scaled(leg->middle, points[i], 1.0 / count);
    }
    note_most(&figures->penetration, deepest, figures->time, index);
    if (leg->planted != 0) {
        note_most(&figures->planted_penetration, deepest, figures->time, index);
        if (least > look_closer) { least = fmin(least, look_between(ground, points, count)); }
        note_most(&figures->floating, least, figures->time, index);
        return;
    }
    if (leg->swing_count >= SWING_FRAMES) { return; }
    double edge = (double)INFINITY;
    if (is_near_edge(ground, points, heights, count)) {
        for (int i = 0; i < count; ++i) {
            if (points[i].y < heights[i]) { continue; }
            double distance = find_edge(ground, points[i], heights[i]);
            if (distance < edge) { edge = distance; }
        }
    }
    leg->heights[leg->swing_count] = least;
    leg->edges[leg->swing_count++] = edge;
}

// ---------------------------------------------------------------------------------------------
// Steps

/// A swing is over: its middle part counts.
static void end_swing(measure_WalkMeter *meter, int index)
{
    Leg *leg = &meter->legs[index];
    measure_WalkFigures *figures = &meter->figures;
    for (int i = 0; i < leg->swing_count; ++i) {
        double share = (i + 0.5) / leg->swing_count;
        double time = leg->left_at + share * (figures->time - leg->left_at);
        if (share > 0.2 && share < 0.8) {
            note_least(&figures->clearance, leg->heights[i], time, index);
        }
        if (share > 0.15 && share < 0.85) {
            note_least(&figures->edge_clearance, leg->edges[i], time, index);
        }
    }
}

/// The foot that stands nearest to a place; -1 without one.
static int find_standing(const measure_WalkMeter *meter, int but)
{
    int best = -1;
    double nearest = (double)INFINITY;
    for (int i = 0; i < meter->leg_count; ++i) {
        if (i == but || meter->legs[i].planted == 0) { continue; }
        double distance = sinew_vec3_distance(meter->legs[i].middle, meter->legs[but].middle);
        if (distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

/// Whether a landing on stairs lies one tread from the other foot.
static void count_treads(measure_WalkMeter *meter, int index, const sinew_Ground *ground)
{
    int other = meter->rise > 0.0 ? find_standing(meter, index) : -1;
    if (other < 0) { return; }
    const Leg *leg = &meter->legs[index];
    double treads = fabs(leg->lowest - meter->legs[other].lowest) / meter->rise;
    if (treads < 0.5) {
        // two feet on one tread count where there is a tread before and behind
        double here = measure_ground_height(ground, leg->middle.x, leg->middle.z);
        double ahead = measure_ground_height(ground, leg->middle.x, leg->middle.z + meter->tread);
        double behind = measure_ground_height(ground, leg->middle.x, leg->middle.z - meter->tread);
        if (fabs(ahead - here) < 0.5 * meter->rise || fabs(behind - here) < 0.5 * meter->rise) {
            return;
        }
    }
    ++meter->figures.stair_steps;
    if (treads >= 0.5 && treads < 1.5) { ++meter->figures.one_tread_steps; }
}

/// Whether a point of a foot is held: of a foot that stands on an edge those of that edge.
static bool is_point_held(const Leg *leg, int index, unsigned planted)
{
    const sinew_SolePoint *point = &leg->told->points[index];
    if ((planted & point->planted) == 0) { return false; }
    bool counts = true;
    for (int row = 0; row < MEASURE_SOLE_ROWS; ++row) {
        const sinew_SolePoint *const *points = leg->sole.rows[row];
        if (points[0] == points[2]) { continue; }
        bool is_left = point == points[0], is_right = point == points[2];
        bool is_here = is_left || is_right || point == points[1];
        if (is_here && (planted & SINEW_PLANTED_LEFT) != 0) { counts = is_left; }
        if (is_here && (planted & SINEW_PLANTED_RIGHT) != 0) { counts = is_right; }
    }
    return counts;
}

static void look_at_leg(
    measure_WalkMeter *meter, int index, unsigned planted, const sinew_Ground *ground)
{
    Leg *leg = &meter->legs[index];
    measure_WalkFigures *figures = &meter->figures;
    unsigned before = leg->planted;
    bool is_first = figures->frame_count == 1;
    if (planted == 0 && before != 0) {
        leg->left_at = figures->time;
        leg->swing_count = 0;
        leg->has_swung = true;
    }
    leg->planted = planted;
    look_at_sole(meter, index, ground);

    // held points: where they were first seen, and how far they went
    for (int i = 0; i < leg->told->point_count; ++i) {
        if (!is_point_held(leg, i, planted)) { continue; }
        sinew_Vec3 place = measure_sole_point(meter->transforms, &leg->told->points[i]);
        if (is_first || !is_point_held(leg, i, before)) { leg->anchors[i] = place; }
        double dx = place.x - leg->anchors[i].x, dz = place.z - leg->anchors[i].z;
        note_most(&figures->slide, sqrt(dx * dx + dz * dz), figures->time, index);
    }
    if (planted != 0 && before == 0 && leg->has_swung
        && figures->time - leg->left_at >= shortest_swing) {
        ++figures->step_count;
        end_swing(meter, index);
        count_treads(meter, index, ground);
    }
}

// ---------------------------------------------------------------------------------------------
// The body

static void look_at_joints(measure_WalkMeter *meter, double dt, const double *q)
{
    measure_WalkFigures *figures = &meter->figures;
    for (int j = 0; j < meter->joint_count; ++j) {
        sinew_Quat rotation = sinew_pose_local(meter->skeleton, q, j).rotation;
        if (figures->frame_count > 1) {
            double angle = sinew_quat_angle(meter->rotations[j], rotation);
            note_most(&figures->joint_step, angle / (60.0 * dt), figures->time, j);
        }
        meter->rotations[j] = rotation;
    }
    note_most(&figures->limit_violation, sinew_pose_limit_violation(meter->skeleton, q),
        figures->time, -1);
}

static void look_at_hips(measure_WalkMeter *meter, double dt, sinew_Vec3 hips)
{
    measure_WalkFigures *figures = &meter->figures;
    if (figures->frame_count > 2) {
        double now = (hips.y - meter->heights[1]) / dt;
        double before = (meter->heights[1] - meter->heights[0]) / meter->steps[1];
        double acceleration = (now - before) / (0.5 * (dt + meter->steps[1]));
        note_most(&figures->hips_acceleration, fabs(acceleration), figures->time, -1);
        meter->acceleration_sum += acceleration * acceleration;
        ++meter->acceleration_count;
    }
    meter->heights[0] = meter->heights[1];
    meter->heights[1] = hips.y;
    meter->steps[1] = dt;

    if (figures->frame_count == 1) { meter->way_place = hips; }
    meter->way_time += dt;
    if (meter->way_time >= way_interval) {
        double dx = hips.x - meter->way_place.x, dz = hips.z - meter->way_place.z;
        figures->distance += sqrt(dx * dx + dz * dz);
        meter->way_time = 0.0;
        meter->way_place = hips;
    }
}

static void look_at_goals(measure_WalkMeter *meter, const sinew_Goal *goals, int goal_count)
{
    double worst = 0.0;
    int where = -1;
    for (int i = 0; i < goal_count; ++i) {
        const sinew_Goal *goal = &goals[i];
        if (goal->kind == SINEW_GOAL_ORIENTATION || !(goal->position_weight > 0.0)) { continue; }
        sinew_Vec3 place = sinew_transform_point(
            meter->transforms[goal->joint], goal->joint_from_effector.position);
        double error = sinew_vec3_distance(place, goal->position);
        if (error > worst) {
            worst = error;
            where = goal->joint;
        }
    }
    if (worst > goal_tolerance) { ++meter->figures.unmet_frames; }
    note_most(&meter->figures.goal_error, worst, meter->figures.time, where);
}

/// Direction of v at right angles to a unit axis; zero when there is none.
static sinew_Vec3 square_off(sinew_Vec3 v, sinew_Vec3 axis)
{
    return sinew_vec3_add_scaled(v, axis, -sinew_vec3_dot(v, axis));
}

/// Two-legged bodies: where the knees point, against the middle of hips and foot.
static void look_at_knees(measure_WalkMeter *meter)
{
    if (meter->leg_count != 2) { return; }
    int left = meter->legs[0].def->side == SINEW_SIDE_LEFT ? 0 : 1;
    sinew_Vec3 across = sinew_vec3_sub(meter->transforms[meter->legs[left].def->hip].position,
        meter->transforms[meter->legs[1 - left].def->hip].position);
    sinew_Vec3 zero = { 0.0, 0.0, 0.0 };
    sinew_Vec3 ahead = sinew_vec3_cross(across, sinew_vec3(0.0, 1.0, 0.0));
    ahead = sinew_vec3_normalize_or(ahead, zero);
    for (int i = 0; i < 2; ++i) {
        const Leg *leg = &meter->legs[i];
        const sinew_SolePoint *const *ball = leg->sole.rows[1];
        if (leg->def->knee < 0 || ball[1] == NULL || ball[0] == ball[2]) { continue; }
        sinew_Vec3 hip = meter->transforms[leg->def->hip].position;
        sinew_Vec3 knee = sinew_vec3_sub(meter->transforms[leg->def->knee].position, hip);
        sinew_Vec3 ankle = sinew_vec3_sub(meter->transforms[leg->def->ankle].position, hip);
        sinew_Vec3 axis = sinew_vec3_normalize_or(ankle, sinew_vec3(0.0, -1.0, 0.0));
        // across the ball of the foot, so that a foot that points straight down has a heading
        sinew_Vec3 width = sinew_vec3_sub(measure_sole_point(meter->transforms, ball[0]),
            measure_sole_point(meter->transforms, ball[2]));
        sinew_Vec3 foot = sinew_vec3_cross(width, sinew_vec3(0.0, 1.0, 0.0));
        sinew_Vec3 middle = square_off(
            sinew_vec3_add(sinew_vec3_normalize_or(foot, zero), ahead), axis);
        sinew_Vec3 out = square_off(knee, axis);
        // a straight leg points nowhere; 4 % of the leg are about 10 degrees of flexion
        double length = sinew_vec3_length(ankle), reach = sinew_vec3_length(out);
        if (reach < 0.04 * length || !(sinew_vec3_length(middle) > 1e-3)) { continue; }
        double cosine = sinew_vec3_dot(out, middle) / (reach * sinew_vec3_length(middle));
        note_most(&meter->figures.knee, sinew_acos(cosine), meter->figures.time, i);
    }
}

static bool is_finite_pose(const measure_WalkMeter *meter, const double *q)
{
    for (int i = 0; i < meter->coordinate_count; ++i) {
        if (!isfinite(q[i])) { return false; }
    }
    return true;
}

void measure_walk_frame(measure_WalkMeter *meter, double dt, const double *q,
    const sinew_Ground *ground, const unsigned *planted, const sinew_Goal *goals, int goal_count)
{
    measure_WalkFigures *figures = &meter->figures;
    figures->time += dt;
    if (!is_finite_pose(meter, q)) {
        ++figures->bad_frames;
        return;
    }
    ++figures->frame_count;
    sinew_pose_forward(meter->skeleton, q, meter->transforms);
    sinew_Vec3 hips = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < meter->leg_count; ++i) {
        hips = sinew_vec3_add_scaled(
            hips, meter->transforms[meter->legs[i].def->hip].position, 1.0 / meter->leg_count);
    }
    look_at_joints(meter, dt, q);
    look_at_hips(meter, dt, hips);
    look_at_goals(meter, goals, goals != NULL ? goal_count : 0);
    look_at_knees(meter);
    bool is_held = false;
    for (int i = 0; i < meter->leg_count; ++i) {
        look_at_leg(meter, i, planted[i], ground);
        is_held = is_held || planted[i] != 0;
    }
    if (!is_held) { ++figures->flight_frames; }
}

measure_WalkFigures measure_walk_figures(const measure_WalkMeter *meter)
{
    measure_WalkFigures figures = meter->figures;
    if (meter->acceleration_count > 0) {
        figures.hips_acceleration_rms = sqrt(meter->acceleration_sum / meter->acceleration_count);
    }
    return figures;
}

// ---------------------------------------------------------------------------------------------
// A walker

sinew_Status measure_walk_of(const sinew_Walker *walker, const sinew_Skeleton *skeleton,
    double rise, double tread, measure_WalkMeter **out_meter)
{
    measure_WalkMeterLeg legs[SINEW_MAX_LEGS];
    int leg_count = sinew_walker_report(walker).leg_count;
    for (int i = 0; i < leg_count; ++i) {
        legs[i].def = sinew_walker_leg_def(walker, i);
        legs[i].sole = sinew_walker_sole(walker, i);
    }
    return measure_walk_create(skeleton, legs, leg_count, rise, tread, out_meter);
}

void measure_walk_look(measure_WalkMeter *meter, const sinew_Walker *walker, double dt,
    const double *q, const sinew_Ground *ground)
{
    unsigned planted[SINEW_MAX_LEGS];
    int leg_count = sinew_walker_report(walker).leg_count;
    for (int i = 0; i < leg_count; ++i) { planted[i] = sinew_walker_leg(walker, i).planted; }
    int goal_count;
    const sinew_Goal *goals = sinew_walker_goals(walker, &goal_count);
    measure_walk_frame(meter, dt, q, ground, planted, goals, goal_count);
}
