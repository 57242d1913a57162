#include "walk/foot_swing.h"

#include "math/exp.h"
#include "math/holds.h"
#include "walk/gait.h"
#include "walk/leg_form.h"

// Samples of the path that are tested for clearance.
#define SAMPLES 20
#define RAISES 8
#define UNEVEN 0.02     // metres of rise from which legs bend enough to matter
#define BENDS_MORE 0.03 // metres of bumps, the same
// Heights along the way of a swing.
#define LANE_STEP 0.02
#define LANE_MAX 112
#define LANE_SHORTEST 0.10
#define LANE_ALONG 0.9
#define LANE_EDGE 0.05
#define EDGE_MARGIN 0.014
#define QUICK 0.15
#define PULL_BACK 0.04 // metres
#define LANDING 0.1    // of the swing, in which the foot comes to rest along its way
#define SWING_TOE 0.25 // radians
#define MOST_BUMP 0.35

// cubic pieces with slope 1 at one end, nothing else
static double leave(double t)
{
    return t * (1.0 - t) * (1.0 - t);
}

static double arrive(double t)
{
    return t * t * (t - 1.0);
}

// the same, over within the first or last part of the way, so that the curve is soon itself
static double early_leave(double t, double ends)
{
    return t < ends ? ends * leave(t / ends) : 0.0;
}

static double late_arrive(double t, double ends)
{
    return t > 1.0 - ends ? ends * arrive((t - 1.0 + ends) / ends) : 0.0;
}

// 1 to 0 in the first part, 0 to 1 in the last
static double fading(const snw_SwingStyle *style, double t)
{
    return 1.0 - snw_smoothstep(t / style->gait->fade[0]);
}

static double coming(const snw_SwingStyle *style, double t)
{
    double share = style->gait->fade[1];
    return snw_smoothstep((t - 1.0 + share) / share);
}

// two bumps of height 1, at a third and at three fifths of the way
static double early_bump(double t)
{
    double u = 1.0 - t, w = t * u * u;
    return 45.5625 * w * w;
}

static double late_bump(double t)
{
    double u = 1.0 - t;
    return 28.935185185185187 * t * t * t * u * u;
}

// progress that is warped: up before forward (delay > 0) or forward before down (delay < 0)
static double warp(double t, double delay, double *out_slope)
{
    SNW_ASSERT(snw_holds_share(t));
    if (delay > 0.0) {
        double power = 1.0 + 0.55 * delay;
        double value = t > 0.0 ? snw_pow(t, power) : 0.0;
        *out_slope = t > 0.0 ? power * value / t : 0.0;
        return value;
    }
    if (delay < 0.0) {
        double power = 1.0 - 0.45 * delay;
        double u = 1.0 - t;
        double value = u > 0.0 ? snw_pow(u, power) : 0.0;
        *out_slope = u > 0.0 ? power * value / u : 0.0;
        return 1.0 - value;
    }
    *out_slope = 1.0;
    return t;
}

typedef double ReadCurve(const snw_GaitNumbers *numbers, double t, double *out_slope);

// a curve over the swing, as it is or in reverse
static double curve(ReadCurve *read, const snw_SwingStyle *style, double t, double *slope)
{
    if (!style->is_backward) { return read(style->gait, t, slope); }
    double value = read(style->gait, 1.0 - t, slope);
    *slope = -*slope;
    return value;
}

// to take the chord of a curve off
static snw_SwingEnds ends_of(ReadCurve *read, const snw_SwingStyle *style)
{
    snw_SwingEnds e;
    e.v0 = curve(read, style, 0.0, &e.s0);
    e.v1 = curve(read, style, 1.0, &e.s1);
    return e;
}

static double pitch_at(
    const snw_FootSwing *swing, const snw_SwingStyle *style, snw_SwingEnds e, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    double slope, a = style->amplitude * (1.0 - 0.5 * snw_clamp(fabs(swing->delay), 0.0, 1.0));
    double value = a * curve(snw_swing_pitch, style, t, &slope);
    // the ends are what they are; the curve's own ends are blended out
    double start = swing->from_pitch - a * e.v0, end = swing->landing_pitch - a * e.v1;
    value += start * fading(style, t) + end * coming(style, t);
    value += early_leave(t, style->gait->ends) * (swing->from_pitch_speed - a * e.s0);
    value += late_arrive(t, style->gait->ends) * (swing->landing_pitch_speed - a * e.s1);
    return value;
}

// velocity of the ankle per unit of progress when the landed foot starts to roll
static sinew_Vec3 arrival_speed(
    const snw_WalkLegBody *leg, const snw_FootSwing *swing, const snw_SwingStyle *style)
{
    const double step = 1e-4;
    double rate = swing->landing_pitch_speed;
    sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    if (rate == 0.0) { return none; }
    double next = swing->landing_pitch + (rate > 0.0 ? step : -step);
    sinew_Vec3 a = snw_foot_roll_ankle(leg, &swing->to, swing->landing_pitch, style->toe_cap);
    sinew_Vec3 b = snw_foot_roll_ankle(leg, &swing->to, next, style->toe_cap);
    return sinew_vec3_scale(sinew_vec3_sub(b, a), fabs(rate) / step);
}

snw_SwingPath snw_foot_swing_path(
    const snw_WalkLegBody *leg, const snw_FootSwing *swing, const snw_SwingStyle *style)
{
    snw_SwingPath path;
    snw_FootPose landing = snw_foot_roll(leg, &swing->to, swing->landing_pitch, style->toe_cap);
    path.to = landing.foot.position;
    path.bend = landing.toe_bend;
    path.arrival = arrival_speed(leg, swing, style);
    path.turn = sinew_quat_log(
        sinew_quat_mul(sinew_quat_conjugate(swing->left.basis), swing->to.basis));
    path.lift = ends_of(snw_swing_lift, style);
    path.pitch = ends_of(snw_swing_pitch, style);
    double warp_slope;
    (void)warp(0.0, swing->delay, &warp_slope);
    (void)snw_swing_progress(0.0, &path.start);
    path.start *= warp_slope;
    (void)warp(1.0, swing->delay, &warp_slope);
    (void)snw_swing_progress(1.0, &path.end);
    path.end *= warp_slope;
    return path;
}

static sinew_Vec3 ankle_at(
    const snw_FootSwing *swing, const snw_SwingStyle *style, const snw_SwingPath *path, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    double warp_slope, slope, s0 = path->start, s1 = path->end;
    double w = warp(t, swing->delay, &warp_slope);
    double s = snw_swing_progress(w, &slope);

    sinew_Vec3 from = swing->from, to = path->to;
    // up first: what is left of the roll's way forward ends at once, and the foot comes back a little
    double up_first = snw_clamp(swing->delay, 0.0, 1.0);
    double start = snw_mix(leave(t), t < QUICK ? QUICK * leave(t / QUICK) : 0.0, up_first);
    double pull = up_first * PULL_BACK * snw_smoothstep(t / 0.12)
        * (1.0 - snw_smoothstep((t - 0.16) / 0.3));
    double end = t > 1.0 - LANDING ? LANDING * arrive((t - 1.0 + LANDING) / LANDING) : 0.0;
    sinew_Vec3 p;
    double dx = to.x - from.x, dz = to.z - from.z;
    double span = sqrt(dx * dx + dz * dz) + 1e-9;
    p.x = from.x + dx * (s - pull / span) + start * (swing->from_speed.x - dx * s0)
        + end * (path->arrival.x - dx * s1);
    p.z = from.z + dz * (s - pull / span) + start * (swing->from_speed.z - dz * s0)
        + end * (path->arrival.z - dz * s1);

    // the ground's part rises early on the way up and falls late on the way down; the rest is the
    // foot's own lift over it
    double dy = swing->to.ground.y - swing->left.ground.y;
    double way = dy > 0.0 ? snw_smoothstep(t / 0.75) : snw_smoothstep((t - 0.25) / 0.75);
    double a = style->amplitude * style->leg_length;
    const snw_SwingEnds *e = &path->lift;
    double lift = a * curve(snw_swing_lift, style, t, &slope);
    // what the ends have more than the curve is soon over, and comes late
    double first = from.y - swing->left.ground.y - a * e->v0;
    double last = to.y - swing->to.ground.y - a * e->v1;
    p.y = swing->left.ground.y + dy * way + lift + first * fading(style, t)
        + last * coming(style, t);
    p.y += early_leave(t, style->gait->ends) * (swing->from_speed.y - a * e->s0);
    p.y += late_arrive(t, style->gait->ends) * (path->arrival.y - a * e->s1);
    p.y += swing->bump[0] * early_bump(t) + swing->bump[1] * late_bump(t);
    return p;
}

snw_FootPose snw_foot_swing_pose(const snw_WalkLegBody *leg, const snw_FootSwing *swing,
    const snw_SwingStyle *style, const snw_SwingPath *path, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    snw_FootPose pose;
    sinew_Transform foot;
    foot.position = ankle_at(swing, style, path, t);
    sinew_Quat turned = sinew_quat_exp(sinew_vec3_scale(path->turn, snw_smoothstep(t)));
    sinew_Quat basis = sinew_quat_normalize(sinew_quat_mul(swing->left.basis, turned));
    double pitch = pitch_at(swing, style, path->pitch, t);
    foot.rotation = sinew_quat_mul(basis, sinew_quat_from_axis_angle(left, -pitch));
    double unbend = snw_smoothstep(t / 0.35), settle = snw_smoothstep((t - 0.7) / 0.3);
    double bend = swing->from_bend * (1.0 - unbend) + path->bend * settle;
    // toes are held up on the way
    bend += fmin(SWING_TOE, 0.5 * style->toe_cap) * unbend * (1.0 - settle);
    snw_foot_points(leg, &foot, bend, &pose);
    pose.planted = 0;
    return pose;
}

// ---------------------------------------------------------------------------------------------
// Clearance

// Places along the sole that are looked at: heel, two in the arch, ball, tip.
#define SOLE_ROWS 5
#define ROW_EDGE 0.04 // metres between rows
#define EDGE_SAMPLES 8

static void sole_rows(const snw_FootPose *pose, sinew_Vec3 out_rows[SOLE_ROWS])
{
    out_rows[0] = pose->heel;
    out_rows[1] = sinew_vec3_lerp(pose->heel, pose->ball, 1.0 / 3.0);
    out_rows[2] = sinew_vec3_lerp(pose->heel, pose->ball, 2.0 / 3.0);
    out_rows[3] = pose->ball;
    out_rows[4] = pose->toe;
}

// fmax is a call where compilers mind numbers that are none
static double larger(double a, double b)
{
    return b > a ? b : a;
}

// the most that any point of the sole is too low; edges are looked for between the rows
static double pose_lack(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_FootPose *pose, double margin)
{
    const sinew_Vec3 left = { 1.0, 0.0, 0.0 };
    sinew_Vec3 side = sinew_vec3_scale(
        sinew_quat_rotate(pose->foot.rotation, left), leg->ball_width);
    sinew_Vec3 rows[SOLE_ROWS];
    sole_rows(pose, rows);
    double most = -1e9;
    for (int k = -1; k <= 1; ++k) {
        double before = 0.0;
        for (int r = 0; r < SOLE_ROWS; ++r) {
            sinew_Vec3 at = sinew_vec3_add_scaled(rows[r], side, k);
            double height = snw_walk_height(ground, at.x, at.z);
            most = larger(most, height - at.y);
            bool is_edge = r > 0 && fabs(height - before) > ROW_EDGE;
            for (int i = 1; is_edge && i < EDGE_SAMPLES; ++i) {
                double t = (double)i / EDGE_SAMPLES;
                sinew_Vec3 between = sinew_vec3_add_scaled(
                    sinew_vec3_lerp(rows[r - 1], rows[r], t), side, k);
                most = larger(most, snw_walk_height(ground, between.x, between.z) - between.y);
            }
            before = height;
        }
    }
    return most + margin;
}

/// Heights along the line of a swing: where points of the sole are by how far they are along it.
typedef struct Lane {
    bool is_used; // false: the foot moves across itself, points are looked up one by one
    sinew_Vec3 origin, way;
    bool has_edge;
    int count;
    double top[LANE_MAX];  // highest of three abreast
    double wide[LANE_MAX]; // the same, edges made wider
} Lane;

static double lane_height(const double *heights, const Lane *lane, sinew_Vec3 point)
{
    double along = (point.x - lane->origin.x) * lane->way.x
        + (point.z - lane->origin.z) * lane->way.z;
    double at = snw_clamp(along / LANE_STEP, 0.0, lane->count - 1.001);
    int i = (int)at;
    return snw_mix(heights[i], heights[i + 1], at - i);
}

static void take_lane(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_FootSwing *swing, sinew_Vec3 to, Lane *lane)
{
    const sinew_Vec3 ahead = { 0.0, 0.0, 1.0 };
    double dx = to.x - swing->from.x, dz = to.z - swing->from.z;
    double length = sqrt(dx * dx + dz * dz);
    lane->is_used = false;
    lane->has_edge = false;
    if (length < LANE_SHORTEST) { return; }
    lane->way = sinew_vec3(dx / length, 0.0, dz / length);
    sinew_Vec3 left = sinew_quat_rotate(swing->left.basis, ahead);
    sinew_Vec3 next = sinew_quat_rotate(swing->planned.basis, ahead);
    double along = fmin(fabs(left.x * lane->way.x + left.z * lane->way.z),
        fabs(next.x * lane->way.x + next.z * lane->way.z));
    if (along < LANE_ALONG) { return; }

    double reach = leg->tip + 0.04;
    lane->origin = sinew_vec3_add_scaled(swing->from, lane->way, -reach);
    int count = (int)((length + 2.0 * reach) / LANE_STEP) + 2;
    lane->count = count < LANE_MAX ? count : LANE_MAX;
    lane->is_used = count <= LANE_MAX;
    double side_x = lane->way.z * leg->ball_width, side_z = -lane->way.x * leg->ball_width;
    for (int i = 0; i < lane->count && lane->is_used; ++i) {
        double x = lane->origin.x + i * LANE_STEP * lane->way.x;
        double z = lane->origin.z + i * LANE_STEP * lane->way.z;
        double middle = snw_walk_height(ground, x, z);
        double beside = fmax(snw_walk_height(ground, x + side_x, z + side_z),
            snw_walk_height(ground, x - side_x, z - side_z));
        // a sole that is rolled with a slope has that side higher as well
        double more = fmax(0.0, beside - middle);
        lane->top[i] = middle + (more < 0.03 ? 0.5 * more : more);
    }
    for (int i = 0; i < lane->count && lane->is_used; ++i) {
        double high = lane->top[i];
        for (int k = -2; k <= 2; ++k) {
            int at = i + k < 0 ? 0 : (i + k >= lane->count ? lane->count - 1 : i + k);
            high = larger(high, lane->top[at]);
        }
        // slopes stay as they are
        bool is_edge = high - lane->top[i] > LANE_EDGE;
        lane->wide[i] = is_edge ? high : lane->top[i];
        lane->has_edge = lane->has_edge || is_edge;
    }
}

static double lane_lack(const Lane *lane, bool is_wide, const snw_FootPose *pose, double margin)
{
    const double *heights = is_wide ? lane->wide : lane->top;
    sinew_Vec3 rows[SOLE_ROWS];
    sole_rows(pose, rows);
    double most = -1e9, before = 0.0;
    for (int r = 0; r < SOLE_ROWS; ++r) {
        double height = lane_height(heights, lane, rows[r]);
        most = larger(most, height - rows[r].y);
        bool is_edge = r > 0 && fabs(height - before) > ROW_EDGE;
        for (int i = 2; is_edge && i < EDGE_SAMPLES; i += 2) {
            sinew_Vec3 between = sinew_vec3_lerp(rows[r - 1], rows[r], (double)i / EDGE_SAMPLES);
            most = larger(most, lane_height(heights, lane, between) - between.y);
        }
        before = height;
    }
    return most + margin;
}

// the foot as the ankle's range lets it hang at a share of the swing
static void let_hang(const snw_WalkLegBody *leg, const snw_FootSwing *swing,
    const snw_SwingStyle *style, double t, snw_FootPose *pose)
{
    SNW_ASSERT(snw_holds_share(t));
    double way = (t - swing->progress) / fmax(1e-3, 1.0 - swing->progress);
    sinew_Vec3 hip = sinew_vec3_lerp(style->hip_now, style->hip_then, snw_clamp(way, 0.0, 1.0));
    double bend = snw_leg_dorsiflexion(leg, hip, pose->foot.position, pose->foot.rotation);
    double over = bend - leg->ankle_upper;
    if (over <= 0.0) { return; }
    sinew_Transform foot = pose->foot;
    foot.rotation = sinew_quat_mul(
        foot.rotation, sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), over));
    snw_foot_points(leg, &foot, pose->toe_bend, pose);
}

/// Poses of the path without bumps, so that raising costs no new ones.
typedef struct Samples {
    double t[SAMPLES], lack[SAMPLES];
    int count;
} Samples;

// raise the bumps until nothing is too low; returns their sum, infinity when that does not help
static double raise_bumps(const Samples *samples, double *bump)
{
    bump[0] = 0.0;
    bump[1] = 0.0;
    for (int round = 0; round < RAISES; ++round) {
        double worst = 0.0;
        int at = -1;
        for (int i = 0; i < samples->count; ++i) {
            double t = samples->t[i];
            double missing = samples->lack[i] - bump[0] * early_bump(t) - bump[1] * late_bump(t);
            if (missing > worst) {
                worst = missing;
                at = i;
            }
        }
        if (at < 0 || worst < 1e-4) { return bump[0] + bump[1]; }
        double early = early_bump(samples->t[at]), late = late_bump(samples->t[at]);
        int which = early > late ? 0 : 1;
        double more = worst / fmax(0.05, fmax(early, late));
        bump[which] = fmin(MOST_BUMP, bump[which] + more);
    }
    double left = 0.0;
    for (int i = 0; i < samples->count; ++i) {
        double t = samples->t[i];
        double missing = samples->lack[i] - bump[0] * early_bump(t) - bump[1] * late_bump(t);
        left = fmax(left, missing);
    }
    return bump[0] + bump[1] + 20.0 * left;
}

// what the poses of a path lack, less its bumps
static void take_samples(const snw_WalkLegBody *leg, snw_WalkGround *ground, const Lane *lane,
    const snw_SwingStyle *style, double margin, const snw_FootSwing *trial, Samples *samples)
{
    snw_SwingPath path = snw_foot_swing_path(leg, trial, style);
    bool is_uneven = trial->to.ground.y - trial->left.ground.y > UNEVEN;
    samples->count = 0;
    for (int i = 1; i < SAMPLES; ++i) {
        double t = (double)i / SAMPLES;
        if (t < trial->progress) { continue; }
        snw_FootPose pose = snw_foot_swing_pose(leg, trial, style, &path, t);
        if (is_uneven) { let_hang(leg, trial, style, t, &pose); }
        // the margin grows from nothing at lift-off and goes back to it before landing
        double near_start = snw_smoothstep(t / 0.15), near_end = snw_smoothstep((1.0 - t) / 0.12);
        double own = margin * fmin(near_start, near_end);
        bool is_wide = t > 0.12 && t < 0.9;
        double lack = lane->is_used ? lane_lack(lane, is_wide, &pose, own)
                                    : pose_lack(leg, ground, &pose, own);
        samples->t[samples->count] = t;
        samples->lack[samples->count++] = lack + trial->bump[0] * early_bump(t)
            + trial->bump[1] * late_bump(t);
    }
}

static double try_delay(const snw_WalkLegBody *leg, snw_WalkGround *ground, const Lane *lane,
    const snw_SwingStyle *style, double margin, double delay, const snw_FootSwing *swing,
    double *bump)
{
    snw_FootSwing trial = *swing;
    trial.to = swing->planned;
    trial.bump[0] = 0.0;
    trial.bump[1] = 0.0;
    trial.delay = delay;
    Samples samples;
    take_samples(leg, ground, lane, style, margin, &trial, &samples);
    double cost = raise_bumps(&samples, bump);
    bool is_uneven = trial.to.ground.y - trial.left.ground.y > UNEVEN;
    if (is_uneven && lane->has_edge && bump[0] + bump[1] > BENDS_MORE) {
        // a leg that lifts its foot higher is bent more, and lets its toes hang lower
        trial.bump[0] = bump[0];
        trial.bump[1] = bump[1];
        take_samples(leg, ground, lane, style, margin, &trial, &samples);
        cost = raise_bumps(&samples, bump);
    }
    return cost + 0.02 * fabs(delay);
}

void snw_foot_swing_clear(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_SwingStyle *style, double margin, snw_FootSwing *swing)
{
    static const double delays[3] = { 0.8, 1.6, 2.4 };
    double dy = swing->planned.ground.y - swing->left.ground.y;
    Lane lane;
    take_lane(leg, ground, swing, swing->planned.ground, &lane);
    swing->has_edge = lane.has_edge || !lane.is_used;
    if (lane.has_edge) { margin = fmax(margin, EDGE_MARGIN); }
    // a foot on its way keeps its way
    bool is_under_way = swing->progress > 0.0 && lane.has_edge && swing->planned_delay * dy >= 0.0;
    double kept = is_under_way ? swing->planned_delay : 0.0;
    double cost = try_delay(leg, ground, &lane, style, margin, kept, swing, swing->planned_bump);
    swing->planned_delay = kept;
    if (is_under_way) { return; }
    // steps: up before forward, or forward before down, where that saves height
    if (fabs(dy) < 0.05 || cost < 0.03 || (lane.is_used && !lane.has_edge)) { return; }
    double sign = dy > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 3; ++i) {
        double bump[2];
        double other = try_delay(leg, ground, &lane, style, margin, sign * delays[i], swing, bump);
        if (other < cost - 0.01) {
            cost = other;
            swing->planned_bump[0] = bump[0];
            swing->planned_bump[1] = bump[1];
            swing->planned_delay = sign * delays[i];
        }
    }
}

void snw_foot_swing_glide(snw_FootSwing *swing, double h, double time_left)
{
    // faster the nearer the landing is: it must be exact by then
    double constant = fmin(0.08, 0.25 * fmax(time_left, 0.0));
    double share = constant > 1e-4 ? snw_follow(h, constant) : 1.0;
    swing->to.ground = sinew_vec3_lerp(swing->to.ground, swing->planned.ground, share);
    swing->to.basis = sinew_quat_slerp(swing->to.basis, swing->planned.basis, share);
    swing->to.heading += share * (swing->planned.heading - swing->to.heading);
    swing->to.toe_base += share * (swing->planned.toe_base - swing->to.toe_base);
    swing->to.toe_more += share * (swing->planned.toe_more - swing->to.toe_more);
    swing->to.uneven += share * (swing->planned.uneven - swing->to.uneven);
    for (int i = 0; i < SNW_SOLE_PRINTS; ++i) {
        double way = (double)(swing->planned.prints[i] - swing->to.prints[i]);
        swing->to.prints[i] += (float)(share * way);
    }
    for (int i = 0; i < 2; ++i) {
        swing->bump[i] += share * (swing->planned_bump[i] - swing->bump[i]);
    }
    swing->delay += share * (swing->planned_delay - swing->delay);
}

double snw_foot_lack(const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_FootPose *pose)
{
    return pose_lack(leg, ground, pose, 0.0);
}
