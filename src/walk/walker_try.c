// Whether a body can walk: a new walker takes a few steps on level ground, and is refused where its legs miss their places.

#include "walk/walker_state.h"

#include "base/memory.h"
#include "base/message.h"
#include "walk/leg_form.h"

// Legs walk so long on level ground before they are believed, in frames of so long, seconds, at this
// share of sqrt(g L): 1 m/s for a leg of 0.9 m. A foot that is farther from its place than that, metres, or turned
// by more, radians, is missed, and no more than this share of the frames may have one.
#define TRIAL 2.0
#define TRIAL_FRAME (1.0 / 30.0)
#define TRIAL_SPEED 0.34
#define TRIAL_MISS 1e-3
#define TRIAL_TURN 0.05
#define TRIAL_SHARE 0.05

/// The worst foot of a trial.
typedef struct Missed {
    int leg;
    double position, turn; ///< metres and radians
    snw_LegExcess excess;
} Missed;

// what holds a foot back: a joint of a leg with a knee, and what is wrong with it
static int find_reason(const sinew_Walker *walker, const Missed *missed, sinew_Message *reason)
{
    const snw_WalkLegBody *leg = &walker->body->legs[missed->leg];
    const snw_LegExcess *excess = &missed->excess;
    snw_JointKind hip = walker->body->joints[leg->hip_entry].set.kind;
    if (hip != SNW_JOINT_THREE && hip != SNW_JOINT_BALL) {
        snw_message_set(reason, "has fewer axes than the three of a hip");
        return leg->def.hip;
    }
    if (walker->body->joints[leg->ankle_entry].set.kind == SNW_JOINT_FIXED) {
        snw_message_set(reason, "does not turn");
        return leg->def.ankle;
    }
    double most = snw_max(excess->hip, snw_max(excess->knee, excess->ankle));
    double degrees = floor(most * (180.0 / SINEW_PI) + 0.5);
    if (!(degrees > 0.0)) { return leg->def.ankle; }
    snw_message_set(reason, "would have to turn %g degrees beyond its range", degrees);
    if (most == excess->hip) { return leg->def.hip; }
    return most == excess->knee ? leg->def.knee : leg->def.ankle;
}

static sinew_Status refuse(
    const sinew_Walker *walker, const Missed *missed, double share, sinew_Message *message)
{
    const sinew_Joint *joints = sinew_skeleton_joints(walker->body->skeleton);
    int joint = walker->body->legs[missed->leg].def.ankle;
    sinew_Message reason = { "does not get there" };
    if (!walker->body->on_tips) { joint = find_reason(walker, missed, &reason); }
    return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
        "its legs cannot walk on level ground: in a trial %g %% of the frames miss a foot, by up "
        "to %g mm and %g degrees; '%s' %s",
        floor(100.0 * share + 0.5), floor(1e3 * missed->position + 0.5),
        floor(missed->turn * (180.0 / SINEW_PI) + 0.5), joints[joint].name, reason.text);
}

static sinew_Status try_legs(sinew_Walker *walker, double *q, sinew_Message *message)
{
    const snw_WalkBody *body = walker->body;
    const sinew_Steering ahead = { TRIAL_SPEED * sqrt(SNW_GRAVITY * body->length), 0.0, 0.0 };
    Missed worst = { 0, 0.0, 0.0, { 0.0, 0.0, 0.0 } };
    int frames = (int)(TRIAL / TRIAL_FRAME), missed = 0;
    // steps of long legs take longer, but the responses of short ones do not take less
    const double frame = TRIAL_FRAME * sqrt(snw_max(1.0, body->length / SNW_USUAL_LEG));
    for (int f = 0; f < frames; ++f) {
        sinew_Status status = sinew_walker_update(walker, &ahead, frame, NULL, q, message);
        if (status != SINEW_STATUS_OK) { return status; }
        bool is_missed = false;
        for (int i = 0; i < body->leg_count; ++i) {
            const snw_WalkFootTarget *foot = &walker->target.feet[i];
            double off = foot->told.position_error, turn = foot->told.orientation_error;
            if (off <= TRIAL_MISS && turn <= TRIAL_TURN) { continue; }
            is_missed = true;
            // a tenth of a radian at the toes is two centimetres
            if (off + 0.2 * turn <= worst.position + 0.2 * worst.turn) { continue; }
            worst = (Missed){ i, off, turn, { 0.0, 0.0, 0.0 } };
            if (body->on_tips) { continue; }
            worst.excess = snw_leg_excess(
                body, &body->legs[i], &walker->target.hips, &foot->foot, walker->target.heading);
        }
        missed += is_missed ? 1 : 0;
    }
    double share = (double)missed / frames;
    // who misses feet takes no steps either: the joint says more
    if (share > TRIAL_SHARE) { return refuse(walker, &worst, share, message); }
    if (walker->report.step_count < 2) {
        return snw_fail(
            message, SINEW_STATUS_INVALID_ARGUMENT, "its legs take no steps on level ground");
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_walker_try(sinew_Walker *walker, sinew_Message *message)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(walker->body->skeleton) * sizeof(double);
    double *q = snw_alloc(&walker->allocator, size);
    if (q == NULL) {
        return snw_fail(message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to try a walker");
    }
    // what the legs can do is asked, not what a method finds
    const sinew_WalkerDef plain = sinew_walker_def_default();
    const sinew_WalkRows rows = walker->setup.rows;
    const sinew_SolveOptions options = walker->poser.options;
    walker->setup.rows = SINEW_WALK_ROWS_AUTO;
    walker->poser.options = plain.solve;
    sinew_Status status = try_legs(walker, q, message);
    walker->setup.rows = rows;
    walker->poser.options = options;
    snw_free(&walker->allocator, q, size);
    return status;
}
