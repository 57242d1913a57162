// Hips over feet on uneven ground, and the pose that comes of it.

#include "motion/grounder.h"

#include "base/message.h"

// hips follow the ground over this time, standard deviation, seconds; more brings nothing, less shakes
#define FOLLOW_TIME 0.25
// hips begin to sink this long before a leg needs it, at most, and rise this long after, seconds
#define SINK_TIME 0.2
// with less warning than half of this they come late rather than leap, seconds
#define LEAST_WINDOW 0.15

// ---------------------------------------------------------------------------------------------
// Following the ground

static double lower_ground(const snw_GroundFrame *frame)
{
    return fmin(frame->feet[0].ground, frame->feet[1].ground);
}

// The line through the ground of the frames around this one that are known, weighted by how near they are: where
// as much lies ahead as behind that is their mean, and where nothing is known of what comes it goes on as it went.
static double follow(const sinew_Grounder *g, int frame)
{
    int reach = snw_grounder_frames(g, 3.0 * FOLLOW_TIME), known = g->path - 1 - frame;
    double sigma = FOLLOW_TIME / g->def.frame_time;
    double w0 = 0.0, w1 = 0.0, w2 = 0.0, y0 = 0.0, y1 = 0.0;
    for (int k = -reach; k <= reach && k <= known; ++k) {
        // about exp(-u^2/2), without an exponential
        double bell = 1.0 / (1.0 + 0.125 * (k / sigma) * (k / sigma));
        bell *= bell;
        bell *= bell;
        double y = lower_ground(snw_grounder_frame(g, frame + k));
        w0 += bell;
        w1 += bell * k;
        w2 += bell * k * k;
        y0 += bell * y;
        y1 += bell * k * y;
    }
    double spread = w0 * w2 - w1 * w1;
    return spread > 1e-9 * w0 * w0 ? (w2 * y0 - w1 * y1) / spread : y0 / w0;
}

static sinew_Transform goal_of(
    const sinew_Grounder *g, int side, const snw_GroundFoot *foot, sinew_Quat *out_toe)
{
    sinew_Transform at = snw_foot_shifted(&g->carry, side, &foot->naive, &foot->shift, out_toe);
    at.position.y += foot->lift;
    return at;
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
        sinew_Transform ankle = goal_of(g, s, &frame->feet[s], &toe);
        double most = g->def.reach * (leg->upper + leg->lower);
        frame->fall = fmax(frame->fall, snw_hips_need(hip, ankle.position, most));
    }
}

// The largest fall around each frame, then a mean of those: where half the delay lies ahead of both, never
// less than needed.
static double sink(const sinew_Grounder *g, int frame)
{
    int past = snw_grounder_frames(g, SINK_TIME), ahead = g->hips_delay / 2;
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
        sinew_Quat toe;
        sinew_Transform goal = goal_of(g, s, foot, &toe);
        double beyond = snw_retarget_leg(carry, s, goal, toe, 1.0);
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
