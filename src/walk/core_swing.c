// A moving foot: the way of people between two footholds, and a rope over what that does not clear.

#include "walk/core.h"

#include "math/holds.h"
#include "math/quat.h"
#include "math/trig.h"
#include "walk/leg_form.h"

#include <float.h>
#include <string.h>

// The sole is above the ground by this much in the middle of a swing, metres; less towards its ends.
#define CLEARANCE 0.024
#define CLEAR_AFTER 0.15
// Of feet that go back or aside so much later: they leave the ground flat below a leg that is nearly straight, whose knee has to
// fold by a third of a radian for the first centimetres.
#define CLEAR_LATER 0.20
#define CLEAR_BEFORE 0.20
// And this far beside edges: a foot comes down past one at 1.6 m/s.
#define CLEAR_BESIDE 0.012
// So far beside edges towards the ends of a swing, on all sides, metres.
#define CLEAR_END 0.003
// And while it waits at its start.
#define CLEAR_WAITING 0.006
// No foot is lifted nearer to its hip than this share of the leg: a knee folds no more.
#define FOLDS 0.45
// Ground whose heights differ by less is even, metres.
#define EVEN 1e-6
// Beyond these shares of the swing the edge of a step is asked for exactly: the foot may stand beside it.
#define NEAR_START 0.16
#define NEAR_END 0.86
// A rope that rises or falls faster than this, m/s, or misses what it has to clear by that much, metres, has
// the level way wait or hurry instead.
#define ROPE_SPEED 2.6
#define ROPE_MISS 0.012
// Of a foot that comes down what is fast counts by this ratio: as fast as it may be lifted, and it stamps, on a leg that is
// nearly straight and then gives way.
#define GENTLY 1.5
#define WAIT 0.10 // longer each time, share of the swing
#define MOST_WAIT 0.42
// A wait is longer as long as that makes less of what is wrong, by this ratio; so many in vain, and the best is taken.
#define LESS_FAULT 0.97
enum { MOST_IN_VAIN = 2 };
// How long the foot's own motion goes on after lift-off, share of the swing.
#define RELEASE 0.38
// A new plan is joined by this share of the swing, and taken where that asks the foot for no more than this
// speed beyond its own, m/s, and more for each unit of hurry, and leads it through no ground deeper than that, metres.
#define JOINED 0.96
#define JOIN_SPEED 1.0
#define JOIN_HURRY 2.5
#define JOIN_DEPTH 0.003
#define JOIN_MARGIN 0.2
#define LONGEST_STRETCH 1.7
#define LEAST_FLEX 1e-3 // radians: a millimetre at the toes is 5e-3
// A knee points so much of the way from the body's heading to its foot's, and turns there from where its standing foot held
// it in this share of the swing.
#define KNEE_SHARE 0.6
#define FREE_AFTER 0.25
// and to where its foot will hold it when it stands in this last share.
#define FREE_BEFORE 0.3
// A runner's foot comes up behind by this, L for each unit of its run, and points down by that, degrees.
#define RUN_LIFT 0.40
#define RUN_PITCH 50.0
#define LEAP_LIFT 0.5
// And stays behind by this share of a smooth way, at two thirds of it a twentieth.
#define RUN_LATE 0.55

/// What does not change along a way.
typedef struct Way {
    sinew_Vec3 to; ///< ankle at landing
    double landing_pitch;
    sinew_Vec3 residual; ///< velocity at lift-off beyond that of the way, per unit of the swing
    double pitch_residual;
    double bend;     ///< of the toes at landing
    double backward; ///< 0 forward .. 1 backwards: curves run in reverse
    double pitch[2]; ///< the curves at both ends, for A = 1
    double lift[2];
    sinew_Vec3 lean; ///< the turn from where the foot stood to the basis, as a vector
} Way;

static double curve(const snw_GaitNumbers *gait, double backward, double t, bool is_pitch)
{
    double fore = is_pitch ? snw_swing_pitch(gait, t, NULL) : snw_swing_lift(gait, t, NULL);
    if (backward <= 0.0) { return fore; }
    double back = is_pitch ? snw_swing_pitch(gait, 1.0 - t, NULL)
                           : snw_swing_lift(gait, 1.0 - t, NULL);
    return snw_mix(fore, back, backward);
}

/// How much of the time of its level way is over: it waits at first, or hurries, where that clears a step.
static double way_time(const snw_CoreSwing *swing, double t)
{
    const double u = (t - swing->begin) / snw_max(0.1, swing->end - swing->begin);
    return snw_clamp(u, 0.0, 1.0);
}

/// How far a foot keeps off what is beside it while it waits: it may be nearer to an edge than on its way; 0: it goes.
static double waits_beside(const snw_CoreSwing *swing, double t)
{
    return t >= NEAR_START && way_time(swing, t) < NEAR_START ? CLEAR_WAITING : 0.0;
}

static double level_share(const snw_CoreSwing *swing, double t)
{
    const double u = way_time(swing, t);
    // runners' feet stay behind for longer
    const double late = snw_smoothstep(u - RUN_LATE * u * u * u * (1.0 - u));
    return snw_mix(snw_swing_progress(u, NULL), late, swing->run);
}

/// How far a runner's foot comes up behind: 1 at two fifths of the swing; it leaves and lands as it stands.
/// Source: two recorded runs at 3.3 and 3.7 m/s.
static double recovery(double t)
{
    double left = 1.0 - t;
    return 28.94 * t * t * left * left * left;
}

/// The foot on its way without residuals and rope.
static double natural_pitch(
    const snw_WalkLegBody *sizes, const snw_CoreSwing *swing, const Way *way, double t)
{
    double a = swing->amplitude, p0 = a * way->pitch[0], p1 = a * way->pitch[1];
    return a * curve(sizes->gait, way->backward, t, true)
        - RUN_PITCH * SNW_DEGREE * swing->run * recovery(t)
        + (swing->from_pitch - p0) * (1.0 - snw_smoothstep(t / 0.6))
        + (way->landing_pitch - p1) * snw_smoothstep((t - 0.4) / 0.6);
}

static sinew_Vec3 natural_ankle(const snw_WalkBody *body, const snw_WalkLegBody *sizes,
    const snw_CoreSwing *swing, const Way *way, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    double share = level_share(swing, t), size = swing->amplitude * body->length;
    const double rises = snw_smoothstep(t);
    double lift = curve(sizes->gait, way->backward, t, false)
        - snw_mix(way->lift[0], way->lift[1], rises);
    sinew_Vec3 ankle = sinew_vec3_lerp(swing->from, way->to, share);
    ankle.y = snw_mix(swing->from.y, way->to.y, rises) + size * lift
        + RUN_LIFT * swing->run * body->length * recovery(t);
    return ankle;
}

static void aim_way(
    const snw_WalkLegBody *sizes, const snw_Foothold *to, double landing_pitch, Way *way)
{
    way->landing_pitch = landing_pitch;
    way->to = snw_foot_roll_ankle(sizes, to, landing_pitch, snw_core_toe_cap(sizes), &way->bend);
}

static Way make_way(
    const snw_WalkBody *body, const snw_WalkLegBody *sizes, const snw_CoreSwing *swing)
{
    const double dt = 1e-3;
    Way way;
    memset(&way, 0, sizeof way);
    way.backward = snw_clamp(-2.0 * swing->forwardness, 0.0, 1.0);
    for (int end = 0; end < 2; ++end) {
        way.pitch[end] = curve(sizes->gait, way.backward, end, true);
        way.lift[end] = curve(sizes->gait, way.backward, end, false);
    }
    snw_Foothold to = snw_core_rolled_to(sizes, swing);
    aim_way(sizes, &to, swing->landing_pitch, &way);
    way.lean = sinew_quat_log(sinew_quat_mul(sinew_quat_conjugate(swing->left.basis), to.basis));
    // slopes at the start, by a small step
    sinew_Vec3 a = natural_ankle(body, sizes, swing, &way, 0.0);
    sinew_Vec3 b = natural_ankle(body, sizes, swing, &way, dt);
    sinew_Vec3 own = sinew_vec3_scale(sinew_vec3_sub(b, a), 1.0 / dt);
    way.residual = sinew_vec3_sub(sinew_vec3_scale(swing->from_speed, swing->duration), own);
    double p = (natural_pitch(sizes, swing, &way, dt) - natural_pitch(sizes, swing, &way, 0.0))
        / dt;
    way.pitch_residual = swing->from_pitch_speed * swing->duration - p;
    return way;
}

/// Uniform cubic B-spline through the rope's nodes; straight on beyond its ends.
double snw_core_rope_at(const double *rope, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    double at = snw_clamp(t, 0.0, 1.0) * (SNW_ROPE_NODES - 1);
    int i = (int)at;
    if (i > SNW_ROPE_NODES - 2) { i = SNW_ROPE_NODES - 2; }
    double x = at - i, b = rope[i], c = rope[i + 1];
    double a = i > 0 ? rope[i - 1] : 2.0 * b - c;
    double d = i + 2 < SNW_ROPE_NODES ? rope[i + 2] : 2.0 * c - b;
    double y = 1.0 - x;
    return (a * y * y * y + b * (3.0 * x * x * x - 6.0 * x * x + 4.0)
               + c * (3.0 * y * y * y - 6.0 * y * y + 4.0) + d * x * x * x)
        / 6.0;
}

static double release_share(double t)
{
    return t < RELEASE ? t * (1.0 - t / RELEASE) * (1.0 - t / RELEASE) : 0.0;
}

static double glide_share(const snw_CoreSwing *swing, double t)
{
    return snw_clamp((JOINED - t) / snw_max(1e-3, JOINED - swing->glide_from), 0.0, 1.0);
}

static snw_FootPose pose_on(const snw_WalkBody *body, const snw_WalkLegBody *sizes,
    const snw_CoreSwing *swing, const Way *way, double t)
{
    SNW_ASSERT(snw_holds_share(t));
    sinew_Transform foot;
    foot.position = sinew_vec3_add_scaled(
        natural_ankle(body, sizes, swing, way, t), way->residual, release_share(t));
    foot.position.y += snw_core_rope_at(swing->rope, t);
    const double glide = swing->glide_from > 0.0 ? glide_share(swing, t) : 0.0;
    foot.position = sinew_vec3_add_scaled(foot.position, swing->glide, glide);
    double pitch = natural_pitch(sizes, swing, way, t) + release_share(t) * way->pitch_residual;
    // a turn waits as the level way does, but takes its time
    const double turned = snw_smoothstep((t - swing->begin) / (1.0 - swing->begin));
    sinew_Quat lean = sinew_quat_exp(sinew_vec3_scale(way->lean, turned));
    sinew_Quat basis = sinew_quat_normalize(sinew_quat_mul(swing->left.basis, lean));
    foot.rotation = snw_quat_on_x(basis, -pitch);
    if (glide > 0.0) {
        sinew_Quat turn = sinew_quat_exp(sinew_vec3_scale(swing->glide_turn, glide));
        foot.rotation = sinew_quat_normalize(sinew_quat_mul(turn, foot.rotation));
    }
    double bend = swing->from_bend * (1.0 - snw_smoothstep(t / 0.35))
        + way->bend * snw_smoothstep((t - 0.7) / 0.3);
    snw_FootPose pose;
    memset(&pose, 0, sizeof pose);
    snw_foot_points(sizes, &foot, bend, &pose);
    return pose;
}

snw_FootPose snw_core_swing_pose(
    const snw_WalkBody *body, int index, const snw_Core *state, double t)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_CoreSwing *swing = &state->legs[index].swing;
    Way way = make_way(body, sizes, swing);
    return pose_on(body, sizes, swing, &way, t);
}

// ---------------------------------------------------------------------------------------------
// Giving way

double snw_core_knee_freedom(double t)
{
    return snw_smoothstep((1.0 - t) / FREE_BEFORE);
}

/// What is left of the turn that a knee was held by.
static double knee_turn(const snw_CoreSwing *swing, double t)
{
    return swing->from_knee * (1.0 - snw_smoothstep((t - swing->begin) / FREE_AFTER));
}

double snw_core_knee_yaw(const snw_WalkBody *body, int index, const snw_Core *state,
    const sinew_Transform *foot, sinew_Quat *out_kept)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_CoreLeg *leg = &state->legs[index];
    const double to = leg->is_swinging ? leg->heading : leg->at.heading;
    const double turn = leg->is_swinging ? knee_turn(&leg->swing, leg->t) : 0.0;
    const double wanted = snw_mix(state->root.heading, to, KNEE_SHARE) + turn;
    const sinew_Vec3 hip = sinew_transform_point(state->hips, sizes->hip);
    return snw_leg_turn_knee(body, sizes, hip, foot, wanted, to, out_kept);
}

sinew_Quat snw_core_give_way(const snw_WalkBody *body, const snw_WalkLegBody *sizes,
    const snw_CoreSwing *swing, sinew_Vec3 hip, double heading, double t,
    const sinew_Transform *foot, double *out_heading)
{
    const double to = heading + snw_least_turn(heading, snw_core_heading(foot));
    snw_KneeWay knee = { { 0.0, 0.0, 0.0 }, snw_core_knee_freedom(t) };
    const double knee_yaw = snw_mix(heading, to, KNEE_SHARE) + knee_turn(swing, t);
    sinew_sincos(knee_yaw, &knee.heading.x, &knee.heading.z);
    if (out_heading != NULL) { *out_heading = to; }
    sinew_Transform given = *foot;
    given.rotation = snw_leg_give_way(body, sizes, hip, foot, &knee);
    given.rotation = snw_core_flex(sizes, hip, &given);
    sinew_Quat kept;
    (void)snw_leg_turn_knee(body, sizes, hip, &given, knee_yaw, to, &kept);
    return kept;
}

// ---------------------------------------------------------------------------------------------
// The rope

static double margin_at(const snw_CoreSwing *swing, double t)
{
    const double after = CLEAR_AFTER
        + CLEAR_LATER * (1.0 - snw_clamp(2.0 * swing->forwardness, 0.0, 1.0));
    return CLEARANCE * snw_smoothstep(t / after) * snw_smoothstep((1.0 - t) / CLEAR_BEFORE);
}

/// Where the hip of a moving leg goes until it lands.
typedef struct HipWay {
    sinew_Vec3 from, to;
    double heading, turn; ///< of the body: now, and until then
    double t;             ///< share of the swing that it starts at
} HipWay;

static HipWay find_hip_way(const snw_WalkBody *body, int index, const snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const snw_Foothold *to = &leg->swing.to, *other = &state->legs[1 - index].at;
    sinew_Vec3 offset = body->legs[index].hip;
    HipWay way;
    way.from = sinew_transform_point(state->hips, offset);
    way.t = snw_min(leg->t, 0.99);
    snw_WalkRoot then = snw_core_later(state, (1.0 - leg->t) * leg->swing.duration);
    way.to = snw_root_beside(&then, offset.x + state->sway.value);
    way.heading = state->root.heading;
    way.turn = then.heading - state->root.heading;
    // as high over the lower foot as they are now
    double low = snw_min(leg->swing.left.ground.y, other->ground.y);
    way.to.y = way.from.y + snw_min(to->ground.y, other->ground.y) - low;
    return way;
}

static sinew_Vec3 hip_on(const HipWay *way, double t)
{
    const double share = snw_clamp((t - way->t) / (1.0 - way->t), 0.0, 1.0);
    return sinew_vec3_lerp(way->from, way->to, share);
}

/// How the pitch of a landing goes on to what the leg will want, while the foot is on its way.
typedef struct Easing {
    double pitch;       ///< at the landing
    double from, until; ///< shares of the swing
} Easing;

static Easing find_easing(const snw_CoreLeg *leg)
{
    const snw_CoreSwing *swing = &leg->swing;
    const double pitch = snw_core_eased(swing, (1.0 - leg->t) * swing->duration);
    const double time = fabs(pitch - swing->landing_pitch) / SNW_CORE_EASE_SPEED;
    return (Easing){ pitch, leg->t, leg->t + time / swing->duration };
}

static Way ease_way(
    const snw_WalkLegBody *sizes, const snw_CoreSwing *swing, const Easing *easing, const Way *way)
{
    Way eased = *way;
    if (easing->until <= easing->from) { return eased; }
    const snw_Foothold to = snw_core_rolled_to(sizes, swing);
    aim_way(sizes, &to, easing->pitch, &eased);
    return eased;
}

/// The way that a foot is on at a moment, while its landing is eased; between both it is put into between.
static const Way *way_at(
    const Easing *easing, const Way *way, const Way *eased, double t, Way *between)
{
    if (t <= easing->from) { return way; }
    if (t >= easing->until) { return eased; }
    const double share = (t - easing->from) / (easing->until - easing->from);
    *between = *way;
    between->to = sinew_vec3_lerp(way->to, eased->to, share);
    between->landing_pitch = snw_mix(way->landing_pitch, eased->landing_pitch, share);
    between->bend = snw_mix(way->bend, eased->bend, share);
    return between;
}

/// Whether two rotations are nearer to each other than LEAST_FLEX.
static bool is_near(sinew_Quat a, sinew_Quat b)
{
    // the cosine of half the angle between them
    return fabs(sinew_quat_dot(a, b)) > 1.0 - 0.125 * LEAST_FLEX * LEAST_FLEX;
}

/// A foot on its way as knee and ankle let it be when it is so much higher: one that is lifted high points down. False: as
/// it was.
static bool give_way_on(const snw_WalkBody *body, const snw_WalkLegBody *sizes,
    const snw_CoreSwing *swing, const HipWay *way, double t, double lift, snw_FootPose *pose)
{
    // at its end it stands as the ankle lets it
    if (t > NEAR_END) { return false; }
    const double share = snw_clamp((t - way->t) / (1.0 - way->t), 0.0, 1.0);
    sinew_Transform foot = pose->foot;
    foot.position.y += lift;
    const double heading = way->heading + share * way->turn;
    const sinew_Quat given = snw_core_give_way(
        body, sizes, swing, hip_on(way, t), heading, t, &foot, NULL);
    if (is_near(given, foot.rotation)) { return false; }
    foot.rotation = given;
    foot.position.y -= lift;
    snw_foot_points(sizes, &foot, pose->toe_bend, pose);
    return true;
}

/// Put a point farther from another one.
static void push_off(double way, const sinew_Vec3 *other, sinew_Vec3 *point)
{
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    *point = sinew_vec3_add_scaled(
        *point, sinew_vec3_normalize_or(sinew_vec3_sub(*point, *other), none), way);
}

/// Make a sole wider, to its left and right, and longer, by so much on each side.
static void widen(sinew_Quat rotation, double beside, sinew_Vec3 points[SNW_CORE_SOLE])
{
    enum { ROWS = SNW_CORE_ROWS, COLUMNS = SNW_CORE_COLUMNS, LAST = COLUMNS - 1 };
    const sinew_Vec3 out = sinew_vec3_scale(snw_left_of(rotation), beside);
    for (int i = 0; i < ROWS; ++i) {
        sinew_Vec3 *row = &points[COLUMNS * i];
        row[0] = sinew_vec3_sub(row[0], out);
        row[LAST] = sinew_vec3_add(row[LAST], out);
    }
    for (int i = 0; i < COLUMNS; ++i) {
        sinew_Vec3 *heel = &points[i], *tip = &points[COLUMNS * (ROWS - 1) + i];
        push_off(beside, &heel[COLUMNS], heel);
        push_off(beside, &tip[-COLUMNS], tip);
    }
}

/// From here on ground is a wall to a foot on its way: it is not lifted over that.
static double find_wall(const snw_WalkBody *body, const snw_CoreSwing *swing)
{
    return snw_max(swing->left.ground.y, swing->to.ground.y) + SNW_CORE_WALL * body->length;
}

double snw_core_need(const snw_WalkLegBody *sizes, snw_View *view, const snw_FootPose *pose,
    const snw_CoreRoom *room, double t, double *out_edge)
{
    SNW_ASSERT(snw_holds_share(t));
    const double way = snw_min(t / NEAR_START, (1.0 - t) / (1.0 - NEAR_END));
    const bool is_end = way < 1.0 || room->beside > 0.0;
    const double end = room->beside > 0.0 ? room->beside : CLEAR_END * snw_smoothstep(way);
    const double beside = is_end ? end : CLEAR_BESIDE, margin = room->margin;
    *out_edge = 0.0;
    // the usual: all of it is over the highest ground near, or that is even
    const snw_SoleBox box = snw_core_sole_box(sizes, pose, beside);
    const snw_ViewRange range = snw_view_range(view, &box);
    const double roof = range.roof + margin;
    if (roof <= box.bottom || roof - margin - range.floor < EVEN) {
        return snw_positive(roof - box.bottom);
    }
    sinew_Vec3 points[SNW_CORE_SOLE], wide[SNW_CORE_SOLE];
    snw_core_sole(sizes, &pose->foot, pose->toe_bend, points);
    // where no cell is an edge nothing beside the sole matters
    const bool has_edges = !(range.roof - range.floor < SNW_VIEW_EDGE);
    if (is_end || has_edges) {
        memcpy(wide, points, sizeof wide);
        widen(pose->foot.rotation, beside, wide);
    }
    double need = 0.0;
    for (int i = 0; i < SNW_CORE_SOLE; ++i) {
        if (roof - points[i].y <= need) { continue; }
        bool is_edge;
        const sinew_Vec3 *at = is_end ? &wide[i] : &points[i];
        double height = snw_view_height_in(view, &range, at->x, at->z, &is_edge);
        if (has_edges && !is_edge && !is_end) {
            double near = snw_view_height_in(view, &range, wide[i].x, wide[i].z, &is_edge);
            height = is_edge ? near : height;
        }
        // the most that an edge can be asks for no more than is needed anyway
        if (height + margin - points[i].y <= need) { continue; }
        if (is_edge && is_end) { height = snw_view_beside(view, at->x, at->z); }
        if (height > room->wall) { continue; }
        need = snw_max(need, height + margin - points[i].y);
        if (is_edge) { *out_edge = need; }
    }
    return need;
}

/// How much higher a foot has to be on its way, no more than its leg folds for; wall: see find_wall.
static double find_need(const snw_WalkLegBody *sizes, const snw_CoreSwing *swing, snw_View *view,
    const HipWay *hips, double wall, double t, const snw_FootPose *pose, double *out_edge)
{
    const snw_CoreRoom room = { wall, margin_at(swing, t), waits_beside(swing, t) };
    const double need = snw_core_need(sizes, view, pose, &room, t, out_edge);
    const sinew_Vec3 hip = hip_on(hips, t), ankle = pose->foot.position;
    const double least = FOLDS * (sizes->thigh + sizes->shank);
    const double most = snw_positive(
        hip.y - snw_core_hip_over(hip, ankle, least * least) - ankle.y);
    *out_edge = snw_min(*out_edge, most);
    return snw_min(need, most);
}

/// Least concave line above all needs behind a node, from there to its end.
void snw_core_lay_rope(const double *needs, int first, double *rope)
{
    enum { N = SNW_ROPE_NODES };
    double wide[N];
    for (int i = 0; i < N; ++i) {
        double before = needs[i > 0 ? i - 1 : i], after = needs[i + 1 < N ? i + 1 : i];
        wide[i] = snw_max(needs[i], snw_max(before, after));
    }
    // it leaves the ground and comes back to it along the natural way
    memset(rope, 0, N * sizeof *rope);
    if (first > N - 3) { return; }
    wide[first] = wide[N - 2] = 0.0;
    int hull[N], count = 0;
    for (int i = first; i < N - 1; ++i) {
        while (count >= 2) {
            int a = hull[count - 2], b = hull[count - 1];
            double cross = (wide[b] - wide[a]) * (i - a) - (wide[i] - wide[a]) * (b - a);
            if (cross > 0.0) { break; }
            --count;
        }
        hull[count++] = i;
    }
    for (int k = 0; k + 1 < count; ++k) {
        int a = hull[k], b = hull[k + 1];
        for (int i = a; i <= b; ++i) {
            rope[i] = snw_mix(wide[a], wide[b], (double)(i - a) / (b - a));
        }
    }
}

/// What is wrong with a rope: how much too fast it is, and in its first and its second half, or too low there; 1: just
/// right.
typedef struct RopeFaults {
    double fast, early, late;
} RopeFaults;

/// Flexion of the knee over an ankle on its way; of a leg nearly straight it is not known.
static double knee_on(
    const snw_WalkLegBody *sizes, const HipWay *way, double t, sinew_Vec3 ankle, double lift)
{
    ankle.y += lift;
    const double most = SNW_CORE_LANDING_REACH * (sizes->thigh + sizes->shank);
    return snw_core_knee(sizes, snw_min(most, sinew_vec3_distance(hip_on(way, t), ankle)));
}

/// first: the node that the foot is at; ankles: from there on, on the way without the rope.
static RopeFaults look_at_rope(const snw_WalkLegBody *sizes, const HipWay *way,
    const snw_CoreSwing *swing, int first, const sinew_Vec3 *ankles, const double *needs)
{
    enum { N = SNW_ROPE_NODES };
    RopeFaults faults = { 0.0, 0.0, 0.0 };
    const double step = swing->duration / (N - 1);
    // runners' knees are that quick on their own way
    const double slow = (1.0 - swing->run) / (step * SNW_CORE_KNEE_SPEED);
    const double from = (double)first / (N - 1);
    double before = snw_core_rope_at(swing->rope, from),
           free = knee_on(sizes, way, from, ankles[first], 0.0);
    double knee = knee_on(sizes, way, from, ankles[first], before), rise = 0.0, fall = 0.0;
    for (int i = first; i < N; ++i) {
        const double t = (double)i / (N - 1), here = snw_core_rope_at(swing->rope, t);
        const double miss = (needs[i] - here) / ROPE_MISS, was = knee, was_free = free;
        knee = knee_on(sizes, way, t, ankles[i], here);
        free = knee_on(sizes, way, t, ankles[i], 0.0);
        // what the way asks for by itself is none of the rope's faults, and what is past nobody's
        const double turn = knee - was, own = turn - (free - was_free);
        const double turns = t > way->t ? slow * snw_min(fabs(turn), fabs(own)) : 0.0;
        if (t < 0.5) {
            faults.early = snw_max(faults.early, snw_max(miss, turns));
        } else {
            faults.late = snw_max(faults.late, snw_max(miss, GENTLY * turns));
        }
        faults.fast = snw_max(faults.fast, turns);
        rise = snw_max(rise, (here - before) / step);
        fall = snw_max(fall, (before - here) / step);
        before = here;
    }
    faults.early = snw_max(faults.early, rise / ROPE_SPEED);
    faults.late = snw_max(faults.late, GENTLY * fall / ROPE_SPEED);
    faults.fast = snw_max(faults.fast, snw_max(rise, fall) / ROPE_SPEED);
    return faults;
}

/// A wait at one end of a swing, for as long as it helps: beside a step it does not.
typedef struct Wait {
    double now, best; ///< shares of the swing
    double fault;     ///< with the best one
    int in_vain;      ///< longer ones since
    bool is_over;
} Wait;

/// Wait longer, no more often in vain than that, or as long as was best. False: as long as before.
static bool wait_on(double fault, int most_in_vain, Wait *wait)
{
    if (wait->is_over) { return false; }
    if (fault < LESS_FAULT * wait->fault) {
        wait->fault = fault;
        wait->best = wait->now;
        wait->in_vain = 0;
    } else {
        ++wait->in_vain;
    }
    const double before = wait->now;
    if (fault > 1.0 && wait->in_vain < most_in_vain && wait->now + WAIT <= MOST_WAIT) {
        wait->now += WAIT;
        return true;
    }
    wait->is_over = true;
    wait->now = fault > 1.0 ? wait->best : wait->now;
    return wait->now != before;
}

static double highest(const double *rope)
{
    double most = 0.0;
    for (int i = 0; i < SNW_ROPE_NODES; ++i) { most = snw_max(most, rope[i]); }
    return most;
}

static void clear_way(const snw_WalkBody *body, int index, snw_View *view, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreSwing *swing = &state->legs[index].swing;
    const double from_t = state->legs[index].t;
    // what is past asks for nothing
    const int first = (int)(from_t * (SNW_ROPE_NODES - 1));
    const HipWay hips = find_hip_way(body, index, state);
    const Easing easing = find_easing(&state->legs[index]);
    enum { TRIES = 16 };
    snw_CoreSwing bare = *swing;
    const double wall = find_wall(body, swing);
    double needs[SNW_ROPE_NODES], edge;
    snw_FootPose poses[SNW_ROPE_NODES];
    sinew_Vec3 ankles[SNW_ROPE_NODES];
    bool is_flexed[SNW_ROPE_NODES] = { false };
    const RopeFaults none = { 0.0, 0.0, 0.0 };
    RopeFaults faults = none;
    Wait begin = { .now = swing->begin, .best = swing->begin, .fault = (double)INFINITY };
    Wait end = { .now = 1.0 - swing->end, .best = 1.0 - swing->end, .fault = (double)INFINITY };
    begin.is_over = from_t > swing->begin;
    memset(needs, 0, sizeof needs);
    for (int k = 0; k < TRIES; ++k) {
        bare.begin = swing->begin;
        bare.end = swing->end;
        bare.glide_from = 0.0;
        memset(bare.rope, 0, sizeof bare.rope);
        const Way way = make_way(body, sizes, &bare);
        const Way eased = ease_way(sizes, &bare, &easing, &way);
        Way between;
        for (int i = first; i < SNW_ROPE_NODES; ++i) {
            double t = (double)i / (SNW_ROPE_NODES - 1);
            const Way *then = way_at(&easing, &way, &eased, t, &between);
            poses[i] = pose_on(body, sizes, &bare, then, t);
            ankles[i] = poses[i].foot.position;
        }
        memset(swing->rope, 0, sizeof swing->rope);
        // what is lifted points down, which asks for more once
        for (int round = 0; round < 2; ++round) {
            for (int i = first; i < SNW_ROPE_NODES; ++i) {
                double t = (double)i / (SNW_ROPE_NODES - 1);
                const double lift = snw_core_rope_at(swing->rope, t);
                if (round > 0 && lift < ROPE_MISS) { continue; }
                snw_FootPose pose = poses[i];
                bool flexes = give_way_on(body, sizes, swing, &hips, t, lift, &pose);
                if (round > 0 && !flexes && !is_flexed[i]) { continue; }
                is_flexed[i] = flexes;
                needs[i] = find_need(sizes, swing, view, &hips, wall, t, &pose, &edge);
            }
            snw_core_lay_rope(needs, 1, swing->rope);
            if (highest(swing->rope) < ROPE_MISS) { break; }
        }
        const bool is_low = highest(swing->rope) < ROPE_MISS;
        faults = is_low ? none : look_at_rope(sizes, &hips, swing, first, ankles, needs);
        const bool waits = wait_on(faults.early, MOST_IN_VAIN, &begin);
        // what is only not gentle is tried once
        const bool hurries = wait_on(faults.late, faults.late > GENTLY ? MOST_IN_VAIN : 1, &end);
        if (!waits && !hurries) { break; }
        swing->begin = begin.now;
        swing->end = 1.0 - end.now;
    }
    swing->need_time = swing->duration * snw_clamp(faults.fast, 1.0, LONGEST_STRETCH);
}

// ---------------------------------------------------------------------------------------------
// Plans

/// How far the knee is turned from where that of a moving foot would be.
static double find_knee_turn(const snw_WalkBody *body, int index, const snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index];
    if (leg->is_swinging) { return knee_turn(&leg->swing, leg->t); }
    const snw_WalkLegBody *sizes = &body->legs[index];
    sinew_Quat kept;
    const double free = snw_core_knee_yaw(body, index, state, &leg->pose.foot, &kept);
    const sinew_Vec3 hip = sinew_transform_point(state->hips, sizes->hip);
    return snw_least_turn(free, snw_leg_knee_heading(body, sizes, hip, &leg->pose.foot, free));
}

/// Begin a swing from where the foot is; left: the foothold it leaves, as it is turned.
static void begin_swing(
    const snw_WalkBody *body, snw_View *view, int index, const snw_Foothold *left, snw_Core *state)
{
    snw_CoreLeg *leg = &state->legs[index];
    snw_CoreSwing *swing = &leg->swing;
    const double knee_turn = find_knee_turn(body, index, state);
    const bool again = leg->is_swinging;
    memset(swing, 0, sizeof *swing);
    swing->from_knee = knee_turn;
    swing->from = leg->pose.foot.position;
    swing->from_speed = leg->ankle_speed;
    swing->from_pitch = leg->pitch;
    swing->from_pitch_speed = leg->pitch_speed;
    swing->from_bend = leg->pose.toe_bend;
    if (state->jump.stage >= SNW_JUMP_PUSHES) {
        // hips that fly take the foot along (core_run.c)
        double up = snw_min(swing->from_speed.y, state->height.speed);
        swing->from_speed.y -= snw_max(0.0, up);
        if (!state->jump.is_leap) { swing->from_pitch_speed = 0.0; }
    }
    swing->left = *left;
    swing->end = 1.0;
    swing->amplitude = state->is_walking ? state->amplitude : 0.0;
    swing->forwardness = state->forwardness;
    swing->share = 1.0 - (state->run.value > 0.0 ? snw_min(leg->phase, 0.6) : state->stance);
    // one that begins anew in a leap has come up already, the other one hangs behind
    const bool leaps = state->jump.is_leap && state->jump.stage >= SNW_JUMP_PUSHES;
    swing->run = again ? 0.0 : state->run_lift * (leaps ? LEAP_LIFT : 1.0);
    swing->duration = swing->share * state->period;
    leg->is_swinging = true;
    leg->t = 0.0;
    const snw_CoreHold free_hold = { (double)INFINITY, false };
    (void)snw_core_place(body, view, index, &free_hold, state);
    const int guesses = view->guess_count;
    clear_way(body, index, view, state);
    swing->is_guess = swing->is_guess || view->guess_count > guesses;
    // runners do not wait for their feet
    if (swing->run <= 0.0) { swing->duration = swing->need_time; }
}

void snw_core_lift(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const snw_Foothold left = snw_core_rolled(&body->legs[index], leg);
    begin_swing(body, view, index, &left, state);
}

/// Let a foot join its plan from where it is shown.
static void join_plan(
    const snw_WalkBody *body, int index, const sinew_Transform *shown, snw_Core *state)
{
    snw_CoreLeg *leg = &state->legs[index];
    const sinew_Transform planned = snw_core_swing_pose(body, index, state, leg->t).foot;
    leg->swing.glide = sinew_vec3_sub(shown->position, planned.position);
    leg->swing.glide_turn = sinew_quat_log(
        sinew_quat_mul(shown->rotation, sinew_quat_conjugate(planned.rotation)));
    leg->swing.glide_from = snw_max(leg->t, DBL_EPSILON);
}

void snw_core_lift_again(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const sinew_Transform shown = leg->pose.foot;
    // it has turned since it left: from there it goes the shorter way round to the next foothold
    snw_Foothold left = snw_core_rolled(&body->legs[index], leg);
    const double turn = snw_least_turn(left.heading, snw_core_heading(&shown));
    left.heading += turn;
    left.basis = sinew_quat_mul(sinew_quat_from_axis_angle(snw_up_axis, turn), left.basis);
    begin_swing(body, view, index, &left, state);
    join_plan(body, index, &shown, state);
}

/// How far the foot may be from a new plan at its share of the swing.
static double joins_within(const snw_Core *state, const snw_CoreSwing *swing, double t)
{
    const double speed = JOIN_SPEED + JOIN_HURRY * (state->root.response.hurry - 1.0);
    return speed * swing->duration * snw_max(0.0, JOINED - t);
}

/// How much higher the rest of the way has to be, as it will be shown, at each node. False: it is clear.
static bool find_short(const snw_WalkBody *body, int index, snw_View *view, const snw_Core *state,
    double out_needs[SNW_ROPE_NODES])
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_CoreSwing *swing = &state->legs[index].swing;
    const HipWay hips = find_hip_way(body, index, state);
    const Easing easing = find_easing(&state->legs[index]);
    const Way way = make_way(body, sizes, swing);
    const Way eased = ease_way(sizes, swing, &easing, &way);
    Way between;
    const double wall = find_wall(body, swing);
    bool is_short = false;
    memset(out_needs, 0, SNW_ROPE_NODES * sizeof *out_needs);
    for (int i = 0; i < SNW_ROPE_NODES; ++i) {
        double t = (double)i / (SNW_ROPE_NODES - 1);
        if (t <= state->legs[index].t) { continue; }
        const Way *then = way_at(&easing, &way, &eased, t, &between);
        snw_FootPose pose = pose_on(body, sizes, swing, then, t);
        (void)give_way_on(body, sizes, swing, &hips, t, 0.0, &pose);
        const double margin = margin_at(swing, t);
        double edge;
        out_needs[i] = find_need(sizes, swing, view, &hips, wall, t, &pose, &edge);
        // off edges a moving sole keeps above the ground by itself
        is_short = is_short || edge - JOIN_MARGIN * margin > JOIN_DEPTH
            || out_needs[i] - margin > JOIN_DEPTH;
    }
    return is_short;
}

/// Raise the way of a new plan where the foot, that joins it from another, would be too low. False: it cannot be.
static bool clear_join(const snw_WalkBody *body, int index, snw_View *view, snw_Core *state)
{
    snw_CoreSwing *swing = &state->legs[index].swing;
    double needs[SNW_ROPE_NODES], more[SNW_ROPE_NODES];
    if (!find_short(body, index, view, state, needs)) { return true; }
    snw_core_lay_rope(needs, (int)ceil(state->legs[index].t * (SNW_ROPE_NODES - 1)), more);
    double most = JOIN_SPEED * swing->duration / (SNW_ROPE_NODES - 1);
    for (int i = 0; i < SNW_ROPE_NODES; ++i) {
        if (i > 0 && fabs(more[i] - more[i - 1]) > most) { return false; }
        swing->rope[i] += more[i];
    }
    return !find_short(body, index, view, state, needs);
}

double snw_core_heading(const sinew_Transform *foot)
{
    sinew_Vec3 aside = snw_left_of(foot->rotation);
    return sinew_atan2(-aside.z, aside.x);
}

static bool is_same_place(const snw_Foothold *a, const snw_Foothold *b)
{
    return a->ground.x == b->ground.x && a->ground.z == b->ground.z && a->heading == b->heading;
}

/// Look for a new plan for a foot that is on its way. False: it cannot be joined, and the old one stays.
static bool aim(
    const snw_WalkBody *body, snw_View *view, int index, bool keeps_step, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreLeg *leg = &state->legs[index];
    snw_CoreSwing *swing = &leg->swing;
    const snw_CoreSwing old = *swing;
    const double share = level_share(&old, leg->t), most = joins_within(state, &old, leg->t);
    const snw_CoreHold hold = { most / snw_max(0.05, share), keeps_step };
    if (!snw_core_place(body, view, index, &hold, state)) { return true; }
    // for the place that it was for it is laid anew only where it is not clear any more
    double needs[SNW_ROPE_NODES];
    const bool stays = is_same_place(&swing->to, &old.to) && !old.is_guess;
    if (stays && !find_short(body, index, view, state, needs)) { return true; }
    swing->glide_from = 0.0;
    swing->amplitude = state->amplitude;
    swing->forwardness = state->forwardness;
    const int guesses = view->guess_count;
    clear_way(body, index, view, state);
    swing->is_guess = swing->is_guess || view->guess_count > guesses;
    const Way old_way = make_way(body, sizes, &old);
    const sinew_Transform shown = pose_on(body, sizes, &old, &old_way, leg->t).foot;
    join_plan(body, index, &shown, state);
    const bool is_near = sinew_vec3_length(swing->glide) < 1.3 * most + 0.02;
    if (is_near && clear_join(body, index, view, state)) { return true; }
    *swing = old;
    return false;
}

void snw_core_aim(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state)
{
    // where a place cannot be joined, as up a step, one on the step that the foot is on its way to
    if (!aim(body, view, index, false, state)) { (void)aim(body, view, index, true, state); }
}
