// Hips over feet on uneven ground, and the pose that comes of it.

#include "motion/grounder.h"

#include "math/holds.h"
#include "math/soft.h"

// hips follow the ground over this time, standard deviation, seconds; more brings nothing, less shakes
#define FOLLOW_TIME 0.25
// the hips go on as they did on the average of this time, seconds
#define SPEED_TIME 0.25
// hips stay down this long for one need: else they would bob with each step on the way down, seconds
#define HOLD_TIME 0.6
// with less warning than half of this they come late rather than leap, seconds
#define LEAST_WINDOW 0.15
// feet that the body has passed by this, legs, may stand on the ball with the sole at most this steep, radians: as feet
// do that push a body up
#define PASSED_SHARE 0.3
#define MOST_PITCH 1.0
#define HALVINGS 24
// and begin to this much before the leg is as long as it may be, legs
#define SOFT_SHARE 0.025
// hips sink by at most this, legs, and softly so: what is beyond makes a leg let go, and is told
#define SINK_SHARE 0.2
#define SINK_SOFT 0.08
// an ankle that swings is at least this far below its hip, legs
#define FOLD_SHARE 0.5
#define FOLD_SOFT 0.06
// and takes at most this share of what lies below it
#define KEPT_ROOM 0.6

// ---------------------------------------------------------------------------------------------
// Following the ground

static double lower_ground(const snw_GroundFrame *frame)
{
    return fmin(frame->feet[0].carries, frame->feet[1].carries);
}

static sinew_Vec3 middle_of_hips(const sinew_Grounder *g, int frame)
{
    const snw_GroundFrame *at = snw_grounder_frame(g, frame);
    return sinew_vec3_lerp(at->hips[0], at->hips[1], 0.5);
}

// One place in each frame: as the body goes on, what was felt is what lies before it.
void snw_grounder_feel(sinew_Grounder *g)
{
    int now = g->pushed - 1, back = snw_grounder_frames(g, SPEED_TIME);
    if (back > now) { back = now; }
    sinew_Vec3 here = middle_of_hips(g, now);
    sinew_Vec3 way = sinew_vec3_sub(here, middle_of_hips(g, now - back));
    here = sinew_vec3_add_scaled(here, way, back > 0 ? (double)g->lead / back : 0.0);
    snw_grounder_frame(g, now)->ahead = snw_grounder_height(g, now % SNW_SIDES, here, NULL);
}

// the ground below the hips in a frame that may not have come yet
static double below_hips(const sinew_Grounder *g, int frame)
{
    return snw_grounder_frame(g, frame - g->lead)->ahead;
}

// about exp(-u^2/2), without an exponential
static double bell(double u)
{
    double b = 1.0 / (1.0 + 0.125 * u * u);
    b *= b;
    return b * b;
}

// The line through the ground of the frames around this one, weighted by how near they are; where as much lies
// ahead as behind that is their mean. Where no path of the feet is known yet they will be as far from what lies
// below the hips as they were.
static double follow(const sinew_Grounder *g, int frame)
{
    SNW_ASSERT(frame >= 0);
    int reach = snw_grounder_frames(g, 3.0 * FOLLOW_TIME), known = g->path - 1 - frame;
    int felt = g->pushed - 1 + g->lead - frame;
    double sigma = FOLLOW_TIME / g->def.frame_time;
    double w0 = 0.0, w1 = 0.0, w2 = 0.0, y0 = 0.0, y1 = 0.0, offset = 0.0, weight = 0.0;
    for (int k = -reach; k <= known && k <= reach; ++k) {
        double w = bell(k / sigma);
        offset += w * (lower_ground(snw_grounder_frame(g, frame + k)) - below_hips(g, frame + k));
        weight += w;
    }
    offset /= weight;
    for (int k = -reach; k <= reach && (k <= known || k <= felt); ++k) {
        double w = bell(k / sigma);
        double y = k <= known ? lower_ground(snw_grounder_frame(g, frame + k))
                              : below_hips(g, frame + k) + offset;
        w0 += w;
        w1 += w * k;
        w2 += w * k * k;
        y0 += w * y;
        y1 += w * k * y;
    }
    double spread = w0 * w2 - w1 * w1;
    return spread > 1e-9 * w0 * w0 ? (w2 * y0 - w1 * y1) / spread : y0 / w0;
}

// how far the body has left a place behind, as its hips face: 0 ahead of them .. 1
static double left_behind(
    const sinew_Grounder *g, const snw_GroundFrame *frame, int side, sinew_Vec3 place)
{
    SNW_ASSERT(side >= 0 && side < 2);
    sinew_Vec3 left = sinew_vec3_sub(frame->hips[0], frame->hips[1]);
    sinew_Vec3 way = sinew_vec3_sub(frame->hips[side], place);
    double width = sqrt(left.x * left.x + left.z * left.z);
    double passed = left.x * way.z - left.z * way.x; // times the width; 0 of 0 is not behind
    return snw_quintic(passed / (width * PASSED_SHARE * g->carry.target.leg));
}

// A foot whose leg is too short for it turns about its ball, as far as it takes and may be: the heel goes up.
static sinew_Transform heel_up(const sinew_Grounder *g, const snw_GroundFrame *frame, int side,
    sinew_Vec3 hip, sinew_Transform foot)
{
    const snw_RetargetLeg *leg = &g->carry.target.legs[side];
    double most = g->def.reach * (leg->upper + leg->lower);
    double far = sinew_vec3_distance(hip, foot.position);
    double want = snw_near_min(far, most, SOFT_SHARE * g->carry.target.leg);
    const snw_CarriedFoot flat = {
        .foot = foot, .toe = foot.rotation, .ball = sinew_transform_point(foot, leg->ball)
    };
    double low = 0.0,
           high = left_behind(g, frame, side, flat.ball)
        * fmax(MOST_PITCH - frame->feet[side].naive.pitch, 0.0);
    if (!(high > 0.0) || want >= far) { return foot; }
    sinew_Vec3 left = sinew_vec3_sub(frame->hips[0], frame->hips[1]);
    const double width = sinew_vec3_length(left);
    // the higher the heel the nearer the ankle: halved until it is there; all of it where that is not enough
    for (int i = 0; i < HALVINGS; ++i) {
        double angle = 0.5 * (low + high);
        const snw_FootShift shift = { .turn = sinew_vec3_scale(left, angle / width) };
        sinew_Quat toe;
        foot = snw_foot_shifted(&g->carry, side, &flat, &shift, &toe);
        *(sinew_vec3_distance(hip, foot.position) <= want ? &high : &low) = angle;
    }
    return foot;
}

// How far a foot that swings goes down so that it stays as far below its hip as in the animation, or as a leg folds:
// one that comes from far above or goes there would be flung up beside the hip.
static double keep_below(
    const sinew_Grounder *g, const snw_GroundFoot *foot, double naive_hip, double below)
{
    double least = fmin(naive_hip - foot->naive.foot.position.y, FOLD_SHARE * g->carry.target.leg);
    double room = KEPT_ROOM * fmax(foot->room + foot->lift, 0.0);
    double soft = FOLD_SOFT * g->carry.target.leg, over = least - below - soft;
    // from none on smoothly, and never as far as the ground
    double way = over - snw_near_min(over, 0.0, soft);
    return snw_near_min(way, room, room);
}

// where the foot of a leg goes whose hip is at a place
static sinew_Transform goal_of(const sinew_Grounder *g, const snw_GroundFrame *frame, int side,
    sinew_Vec3 hip, sinew_Quat *out_toe)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_GroundFoot *foot = &frame->feet[side];
    sinew_Transform at = snw_foot_shifted(&g->carry, side, &foot->naive, &foot->shift, out_toe);
    at.position.y += foot->lift;
    at.position.y -= keep_below(g, foot, frame->hips[side].y, hip.y - at.position.y);
    return heel_up(g, frame, side, hip, at);
}

void snw_grounder_raise(sinew_Grounder *g)
{
    snw_GroundFrame *frame = snw_grounder_frame(g, g->lifted);
    frame->raise = follow(g, g->lifted);
    frame->fall = 0.0;
    for (int s = 0; s < SNW_SIDES; ++s) {
        const snw_RetargetLeg *leg = &g->carry.target.legs[s];
        sinew_Vec3 hip = frame->hips[s];
        hip.y += frame->raise;
        sinew_Quat toe;
        sinew_Transform ankle = goal_of(g, frame, s, hip, &toe);
        double need = snw_hips_need(hip, ankle.position, g->def.reach * (leg->upper + leg->lower));
        // the body goes down to a foot that comes to stand ahead of it, not to one that it has left behind
        double share = frame->feet[s].stands ? 0.0 : left_behind(g, frame, s, ankle.position);
        frame->fall = fmax(frame->fall, need * (1.0 - share));
    }
    double leg = g->carry.target.leg;
    frame->fall = snw_near_min(frame->fall, SINK_SHARE * leg, SINK_SOFT * leg);
}

// The largest fall around each frame, then a mean of those: where half the delay lies ahead of both, never
// less than needed.
static double sink(const sinew_Grounder *g, int frame)
{
    SNW_ASSERT(frame >= 0);
    int ahead = g->hips_delay / 2, past = snw_grounder_frames(g, HOLD_TIME) - g->hips_delay + ahead;
    int back = snw_grounder_frames(g, LEAST_WINDOW);
    if (back < ahead) { back = ahead; }
    double sum = 0.0, weights = 0.0;
    for (int k = -back; k <= ahead; ++k) {
        double most = 0.0;
        for (int i = -past; i <= g->hips_delay - ahead; ++i) {
            int t = frame + k + i;
            if (t >= g->lifted) { break; }
            most = fmax(most, snw_grounder_frame(g, t)->fall);
        }
        double u = (k - 0.5 * (ahead - back)) / (0.5 * (ahead + back) + 1.0);
        double weight = (1.0 - u * u) * (1.0 - u * u);
        sum += weight * most;
        weights += weight;
    }
    return sum / weights;
}

// ---------------------------------------------------------------------------------------------
// The pose

// the animation's own pose, in own axes
static void take_animation(sinew_Grounder *g, const double *q)
{
    snw_RetargetCarry *carry = &g->carry;
    snw_retarget_carry(carry, q);
    // one body: what its bones do beside turning stays
    for (int j = 0; j < carry->target.count; ++j) {
        carry->world[j] = carry->source_world[j];
        carry->delta[j] = carry->source_delta[j];
    }
}

// Bring an ankle that is out of reach nearer to its hip. Returns by how much. Knees that come to be straight snap: from the
// reach on that is gone to smoothly, half way to all of the leg.
static double pull_in(const sinew_Grounder *g, int side, sinew_Vec3 hip, sinew_Vec3 *ankle)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &g->carry.target.legs[side];
    double length = leg->upper + leg->lower, soft = 0.5 * (1.0 - g->def.reach) * length;
    double far = sinew_vec3_distance(hip, *ankle), near = snw_near_min(far, length - soft, soft);
    if (!(near < far)) { return 0.0; }
    *ankle = sinew_vec3_lerp(hip, *ankle, near / far);
    return far - near;
}

// fading goes on from the frame after the one that it was asked for at
static double fade(sinew_Grounder *g, bool enabled)
{
    double weight = snw_quintic(g->phase);
    double step = g->def.fade_time > 0.0 ? g->def.frame_time / g->def.fade_time : 1.0;
    g->phase = fmin(fmax(g->phase + (enabled ? step : -step), 0.0), 1.0);
    return weight;
}

sinew_Status snw_grounder_show(
    sinew_Grounder *g, double *out_q, sinew_GrounderReport *report, sinew_Message *out_message)
{
    snw_RetargetCarry *carry = &g->carry;
    snw_GroundFrame *frame = snw_grounder_frame(g, g->shown);
    const double *q = g->poses + (size_t)(g->shown % g->capacity) * (size_t)g->coordinates;
    report->frame = g->shown;
    report->hips_raised = frame->raise;
    report->hips_sunk = sink(g, g->shown);
    take_animation(g, q);
    snw_retarget_move(carry, sinew_vec3(0.0, frame->raise - report->hips_sunk, 0.0));
    for (int s = 0; s < SNW_SIDES; ++s) {
        const snw_GroundFoot *foot = &frame->feet[s];
        sinew_Quat toe, naive[SNW_LEG_JOINTS];
        sinew_Vec3 hip = carry->world[carry->target.legs[s].thigh].position;
        sinew_Transform goal = goal_of(g, frame, s, hip, &toe);
        snw_leg_locals(carry, s, naive);
        double beyond = pull_in(g, s, hip, &goal.position);
        snw_retarget_leg(carry, s, goal, toe, 1.0);
        snw_leg_steady(carry, s, naive, g->def.frame_time, &g->feet[s].turns);
        report->feet[s] = (sinew_GroundedFoot){ foot->stands, foot->ground, foot->lift, beyond };
    }
    report->weight = fade(g, frame->enabled);
    sinew_PoseFit fit;
    sinew_Status status = snw_retarget_store(carry, q, g->blended, &fit, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_pose_interpolate(carry->target.skeleton, q, g->blended, report->weight, out_q);
    ++g->shown;
    return status;
}
