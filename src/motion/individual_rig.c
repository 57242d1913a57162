// Traits on a rig, and in time.

#include "sinew/individual.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"
#include "motion/contact.h"

#define DEGREES (180.0 / SINEW_PI)
// a stiff knee gives this much to each side, degrees: joints of files are askew by as much
#define LEAST_SWING 8.0
// above this a knee is not stiff, degrees
#define STIFF_BEND 135.0
// standing on a leg that hurts goes by this share of its time sooner, and the other leg makes up for half of it
#define HURT_SHARE 0.4
#define MAKE_UP 0.5
// rates change within this, seconds
#define RATE_TIME 0.12

// ---------------------------------------------------------------------------------------------
// Rigs

static sinew_RigRange cut_range(sinew_RigRange range, double factor)
{
    if (isfinite(range.lower)) { range.lower *= factor; }
    if (isfinite(range.upper)) { range.upper *= factor; }
    return range;
}

enum { MOST_POINTS = SINEW_MAX_WINDOW_RAYS };

/// A window that is being changed, and its memory.
typedef struct Cut {
    sinew_Vec3 points[MOST_POINTS];
    sinew_RigWindow window;
} Cut;

// a direction that is bent by an angle towards azimuth 0 and by another aside, as azimuth and swing, degrees
static sinew_Vec3 bent(double bend, double aside)
{
    double sb, cb, sa, ca;
    sinew_sincos(bend / DEGREES, &sb, &cb);
    sinew_sincos(aside / DEGREES, &sa, &ca);
    return sinew_vec3(DEGREES * sinew_atan2(sa, sb * ca), DEGREES * sinew_acos(cb * ca), 0.0);
}

// a knee that bends to most and no further
static void cut_knee(sinew_RigJoint *joint, double most, Cut *cut)
{
    const double corners[4][2] = { { most, -LEAST_SWING }, { most, LEAST_SWING },
        { -LEAST_SWING, LEAST_SWING }, { -LEAST_SWING, -LEAST_SWING } };
    for (int i = 0; i < 4; ++i) { cut->points[i] = bent(corners[i][0], corners[i][1]); }
    cut->window = (sinew_RigWindow){ true, cut->points, 4, 0.0 };
    joint->star = true;
    joint->star_center = sinew_vec3(0.0, 0.5 * (most - LEAST_SWING), 0.0);
    joint->windows = &cut->window;
    joint->window_count = 1;
}

// all swings from the neutral direction by a factor
static void shrink(sinew_RigJoint *joint, double factor, Cut *cut)
{
    cut->window = joint->windows[0];
    for (int i = 0; i < cut->window.point_count; ++i) {
        cut->points[i] = cut->window.points[i];
        cut->points[i].y *= factor;
    }
    cut->window.points = cut->points;
    joint->windows = &cut->window;
    joint->star_center.y *= factor;
}

static sinew_Status change_joint(
    const sinew_IndividualEffects *e, const sinew_RigJoint *old, sinew_Rig *rig)
{
    sinew_RigJoint joint = *old;
    Cut cut;
    sinew_Role role = joint.role.role;
    int side = (int)joint.role.side;
    double factor = e->range[role][side], most = 180.0;
    if (role == SINEW_ROLE_SHIN && side > 0) { most = e->knee_bend[side - 1] * DEGREES; }
    bool stiff = most < STIFF_BEND;
    bool polar = (joint.has & SINEW_RIG_HAS_WINDOWS) && joint.window_count == 1
        && joint.windows[0].polar && joint.windows[0].point_count <= MOST_POINTS;
    if (polar && stiff) { cut_knee(&joint, most, &cut); }
    if (polar && !stiff && factor < 1.0) { shrink(&joint, factor, &cut); }
    bool cuts = stiff || factor < 1.0;
    if (cuts && (joint.has & SINEW_RIG_HAS_RANGES)) {
        for (int i = 0; i < joint.range_count; ++i) {
            joint.ranges[i] = cut_range(joint.ranges[i], factor);
            joint.ranges[i].upper = fmin(joint.ranges[i].upper, most);
            joint.ranges[i].lower = fmax(joint.ranges[i].lower, -most);
        }
    }
    double mobility = e->mobility[role][side];
    if (mobility != 1.0) {
        joint.mobility = ((joint.has & SINEW_RIG_HAS_MOBILITY) ? joint.mobility : 1.0) * mobility;
        joint.has |= SINEW_RIG_HAS_MOBILITY;
    }
    if (joint.has & SINEW_RIG_HAS_MASS) { joint.mass *= e->mass; }
    return sinew_rig_set_joint(rig, &joint);
}

sinew_Status sinew_individual_rig(
    const sinew_Individual *individual, sinew_Rig *rig, sinew_Message *out_message)
{
    if (individual == NULL || rig == NULL) {
        return snw_refuse(out_message, "%s is NULL", rig == NULL ? "rig" : "individual");
    }
    sinew_IndividualEffects e = sinew_individual_effects(individual);
    for (int i = 0; i < sinew_rig_joint_count(rig); ++i) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, i);
        if (!(joint->has & SINEW_RIG_HAS_ROLE)) { continue; }
        sinew_Status status = change_joint(&e, joint, rig);
        if (status != SINEW_STATUS_OK) {
            return snw_fail(out_message, status, "no memory for a rig");
        }
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Time

static double leg_of(const sinew_RoleGuess *roles, const sinew_Stance *stance)
{
    static const sinew_Role chain[3] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    sinew_Vec3 at[3];
    for (int i = 0; i < 3; ++i) {
        int joint = sinew_roles_find(roles, chain[i], SINEW_SIDE_LEFT, -1);
        if (joint < 0) { return 0.0; }
        at[i] = stance->world_from_joint[joint].position;
    }
    return sinew_vec3_distance(at[0], at[1]) + sinew_vec3_distance(at[1], at[2]);
}

// which foot stands alone: bit 0 left, bit 1 right are those that touch
static unsigned feet_down(const sinew_Contacts *contacts, const sinew_ContactPoint *points, int t)
{
    unsigned down = 0;
    for (int p = 0; p < contacts->point_count; ++p) {
        if (points[p].part == SINEW_CONTACT_HAND) { continue; }
        bool touches = contacts->touching[(size_t)p * (size_t)contacts->frame_count + (size_t)t];
        if (touches) { down |= points[p].side == SINEW_SIDE_LEFT ? 1u : 2u; }
    }
    return down;
}

// how fast time goes in each frame
static void find_rates(const sinew_IndividualEffects *e, const sinew_Contacts *contacts,
    const sinew_ContactPoint *points, double frame_time, double *scratch, double *out_rates)
{
    SNW_ASSERT(frame_time >= 0.0);
    int count = contacts->frame_count;
    for (int t = 0; t < count; ++t) {
        unsigned down = feet_down(contacts, points, t);
        scratch[t] = 1.0;
        for (int leg = 0; leg < 2; ++leg) {
            if (down == 1u << leg) { scratch[t] *= 1.0 / (1.0 - HURT_SHARE * e->hurt[leg]); }
            if (down == 2u >> leg) {
                scratch[t] *= 1.0 / (1.0 + MAKE_UP * HURT_SHARE * e->hurt[leg]);
            }
        }
    }
    double frames = RATE_TIME / frame_time;
    int reach = frames < count ? (int)frames : count;
    for (int t = 0; t < count; ++t) {
        double sum = 0.0, weights = 0.0;
        for (int k = -reach; k <= reach; ++k) {
            int f = t + k < 0 ? 0 : t + k >= count ? count - 1 : t + k;
            double u = (double)k / (reach + 1), weight = (1.0 - u * u) * (1.0 - u * u);
            sum += weight * scratch[f];
            weights += weight;
        }
        out_rates[t] = e->tempo * sum / weights;
    }
}

// poses at times that follow each other by the rates
static sinew_Status resample(const sinew_Clip *clip, const double *rates,
    const sinew_Allocator *allocator, sinew_Clip **out_clip)
{
    int count = sinew_clip_frame_count(clip);
    double dt = sinew_clip_frame_time(clip), place = 0.0;
    int frames = 0;
    for (double at = 0.0; at <= count - 1 + 1e-9; ++frames) {
        int t = (int)at;
        at += rates[t < count ? t : count - 1];
    }
    sinew_Status status = sinew_clip_create(
        sinew_clip_skeleton(clip), frames, dt, allocator, out_clip);
    for (int f = 0; status == SINEW_STATUS_OK && f < frames; ++f) {
        sinew_clip_sample(clip, place * dt, sinew_clip_frame(*out_clip, f));
        int t = (int)place;
        place += rates[t < count ? t : count - 1];
    }
    return status;
}

sinew_Status sinew_individual_time(const sinew_Individual *individual, const sinew_Clip *clip,
    const sinew_RoleGuess *roles, const sinew_Stance *stance, const sinew_Allocator *allocator,
    sinew_Clip **out_clip, sinew_Message *out_message)
{
    if (out_clip != NULL) { *out_clip = NULL; }
    if (individual == NULL || clip == NULL || roles == NULL || stance == NULL || out_clip == NULL) {
        return SNW_CHECK_NULL(out_message, "individual clip roles stance out_clip", individual,
            clip, roles, stance, out_clip);
    }
    sinew_Allocator used = snw_allocator_or_default(allocator);
    sinew_IndividualEffects e = sinew_individual_effects(individual);
    sinew_ContactPoint points[6];
    sinew_Contacts *contacts = NULL;
    sinew_ContactDef def = sinew_contact_def_default();
    def.skeleton = sinew_clip_skeleton(clip);
    def.motion = (sinew_PoseList){ sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    def.frame_time = sinew_clip_frame_time(clip);
    def.up = stance->up;
    def.leg = leg_of(roles, stance);
    def.points = points;
    def.point_count = sinew_contact_points(def.skeleton, roles, stance, points, 6);
    def.allocator = used;
    if (def.motion.count == 0 || def.point_count == 0) {
        return snw_refuse(out_message, "the clip has no frame, or its body no feet and hands");
    }
    sinew_Status status = sinew_contacts_find(&def, &contacts, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    size_t size = (size_t)def.motion.count * sizeof(double);
    double *rates = snw_alloc(&used, 2 * size);
    status = SINEW_STATUS_OUT_OF_MEMORY;
    if (rates != NULL) {
        find_rates(&e, contacts, points, def.frame_time, rates + def.motion.count, rates);
        status = resample(clip, rates, &used, out_clip);
    }
    if (status != SINEW_STATUS_OK) { (void)snw_fail(out_message, status, "no memory for times"); }
    snw_free(&used, rates, 2 * size);
    sinew_contacts_destroy(contacts);
    return status;
}
