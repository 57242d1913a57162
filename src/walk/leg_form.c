// Where the knee of a leg is whose ends are given, and what that asks of its hip, knee and ankle.

#include "walk/leg_form.h"

#include "math/holds.h"
#include "math/quat.h"
#include "walk/gait.h"
#include "walk/turn_arc.h"

// A leg straighter than this has no knee plane left, metres.
#define STRAIGHT 1e-6
// A knee is turned with its foot to a part of this many halvings.
enum { KNEE_HALVINGS = 8 };

// the rotation whose x and y are given, at right angles
static sinew_Quat frame_of(sinew_Vec3 x, sinew_Vec3 y)
{
    sinew_Mat3 m = { x, y, sinew_vec3_cross(x, y) };
    return sinew_quat_from_mat3(m);
}

/// A leg that is closed: the knee's axis, to the left, directions of the thigh and from hip to ankle, and how far that is.
typedef struct Closed {
    sinew_Vec3 axis, thigh, way;
    double reach;
} Closed;

static Closed close_leg(
    const snw_WalkLegBody *leg, sinew_Vec3 hip, sinew_Vec3 ankle, sinew_Vec3 knee_toward)
{
    const sinew_Vec3 down = { 0.0, -1.0, 0.0 };
    sinew_Vec3 way = sinew_vec3_sub(ankle, hip);
    double a = leg->thigh, b = leg->shank;
    double length = sinew_vec3_length(way);
    sinew_Vec3 d = sinew_vec3_normalize_or(way, down);
    double reach = snw_clamp(length, fabs(a - b) + STRAIGHT, a + b - STRAIGHT);

    // the knee's axis stands across the leg and the way the knee points
    Closed closed;
    closed.axis = sinew_vec3_normalize_or(sinew_vec3_cross(knee_toward, d), snw_left_axis);
    sinew_Vec3 front = sinew_vec3_cross(d, closed.axis);

    double cosine = snw_clamp(snw_leg_hip_cosine(leg, reach), -1.0, 1.0);
    double sine = sqrt(1.0 - cosine * cosine);
    closed.thigh = sinew_vec3_add_scaled(sinew_vec3_scale(d, cosine), front, sine);
    closed.way = d;
    closed.reach = reach;
    return closed;
}

static sinew_Quat thigh_of(const Closed *closed)
{
    return frame_of(closed->axis, sinew_vec3_scale(closed->thigh, -1.0));
}

static sinew_Quat shank_of(const snw_WalkLegBody *leg, const Closed *closed)
{
    const sinew_Vec3 ankle = sinew_vec3_scale(closed->way, closed->reach);
    const sinew_Vec3 shank = sinew_vec3_scale(
        sinew_vec3_add_scaled(ankle, closed->thigh, -leg->thigh), 1.0 / leg->shank);
    return frame_of(closed->axis, sinew_vec3_scale(shank, -1.0));
}

void snw_leg_close(const snw_WalkLegBody *leg, sinew_Vec3 hip, sinew_Vec3 ankle,
    sinew_Vec3 knee_toward, sinew_Quat *out_thigh, sinew_Quat *out_shank)
{
    const Closed closed = close_leg(leg, hip, ankle, knee_toward);
    *out_thigh = thigh_of(&closed);
    *out_shank = shank_of(leg, &closed);
}

/// The direction in which a leg closes; ahead: of its foot.
static sinew_Vec3 knee_toward(const snw_KneeWay *knee, sinew_Vec3 ahead)
{
    return sinew_vec3_lerp(ahead, knee->heading, knee->freedom);
}

double snw_leg_roll_sine(const snw_WalkLegBody *leg, sinew_Vec3 hip, const sinew_Transform *foot,
    const snw_KneeWay *knee)
{
    SNW_ASSERT(snw_holds_unit(foot->rotation));
    sinew_Vec3 ahead = snw_ahead_of(foot->rotation);
    sinew_Vec3 toward = knee != NULL ? knee_toward(knee, ahead) : ahead;
    Closed closed = close_leg(leg, hip, foot->position, toward);
    sinew_Vec3 sole_up = snw_up_of(foot->rotation);
    return -sinew_vec3_dot(sole_up, closed.axis);
}

/// An ankle that cannot turn about the shank.
static bool turns_little(const snw_WalkBody *body, const snw_WalkLegBody *leg)
{
    return body->joints[leg->ankle_entry].set.kind == SNW_JOINT_TWO;
}

sinew_Quat snw_leg_give_way(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, const snw_KneeWay *knee)
{
    if (!turns_little(body, leg)) { return foot->rotation; }
    const sinew_Vec3 ahead = snw_ahead_of(foot->rotation);
    const sinew_Vec3 up = snw_up_of(foot->rotation);
    const Closed closed = close_leg(leg, hip, foot->position, knee_toward(knee, ahead));
    const sinew_Vec3 turned = sinew_vec3_normalize_or(sinew_vec3_cross(closed.axis, up), ahead);
    return frame_of(sinew_vec3_cross(up, turned), up);
}

/// The rotation of a foot that a ball ankle lets it have below a knee that points to a heading; whether it is all of its own.
static bool keep_ankle(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, double heading, sinew_Quat *out_kept)
{
    const snw_WalkJoint *ankle = &body->joints[leg->ankle_entry];
    sinew_Vec3 toward = { 0.0, 0.0, 0.0 };
    sinew_sincos(heading, &toward.x, &toward.z);
    const Closed closed = close_leg(leg, hip, foot->position, toward);
    const sinew_Quat shank = snw_quat_mul(
        shank_of(leg, &closed), body->joints[leg->knee_entry].neutral);
    sinew_Quat local = snw_quat_mul(
        sinew_quat_conjugate(shank), snw_quat_mul(foot->rotation, ankle->neutral));
    *out_kept = foot->rotation;
    if (snw_joint_keep_ball(&ankle->set, &local)) { return true; }
    *out_kept = snw_quat_mul(snw_quat_mul(shank, local), sinew_quat_conjugate(ankle->neutral));
    return false;
}

double snw_leg_turn_knee(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, double wanted, double with_foot, sinew_Quat *out_kept)
{
    const snw_JointSet *ankle = &body->joints[leg->ankle_entry].set;
    *out_kept = foot->rotation;
    if (ankle->kind != SNW_JOINT_BALL || ankle->limit == NULL) { return wanted; }
    sinew_Quat kept;
    if (keep_ankle(body, leg, hip, foot, wanted, out_kept)) { return wanted; }
    const double turn = snw_turn_wrap(with_foot - wanted);
    double near = 0.0, far = 1.0;
    if (!keep_ankle(body, leg, hip, foot, wanted + turn, out_kept)) { return wanted + turn; }
    for (int k = 0; k < KNEE_HALVINGS; ++k) {
        const double middle = 0.5 * (near + far);
        if (keep_ankle(body, leg, hip, foot, wanted + middle * turn, &kept)) {
            far = middle;
        } else {
            near = middle;
        }
    }
    return wanted + far * turn;
}

double snw_leg_knee_heading(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, double wanted)
{
    if (!turns_little(body, leg)) { return wanted; }
    const sinew_Vec3 axis = sinew_vec3_cross(
        snw_ahead_of(foot->rotation), sinew_vec3_sub(foot->position, hip));
    return snw_heading_of(-axis.z, axis.x);
}

sinew_Vec3 snw_knee_pole_of(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const snw_WalkFootTarget *foot, sinew_Vec3 ahead)
{
    const bool is_held = turns_little(body, leg);
    if (is_held && foot->freedom == 0.0) { return ahead; }
    snw_KneeWay knee = { { 0.0, 0.0, 0.0 }, foot->freedom };
    sinew_sincos(foot->knee_yaw, &knee.heading.x, &knee.heading.z);
    return is_held ? knee_toward(&knee, ahead) : knee.heading;
}

sinew_Vec3 snw_knee_pole(
    const snw_WalkBody *body, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return snw_knee_pole_of(body, leg, foot, snw_ahead_of(foot->foot.rotation));
}

// ---------------------------------------------------------------------------------------------
// Ranges of joints

// of one joint whose bone is turned as turn says; parent: the world rotation that it hangs on, moved on
static double excess_of(
    const snw_WalkJoint *joint, sinew_Quat turn, double room, sinew_Quat *parent)
{
    sinew_Quat world = snw_quat_mul(turn, joint->neutral);
    sinew_Quat local = snw_quat_mul(sinew_quat_conjugate(*parent), world);
    *parent = world;
    return snw_joint_excess(&joint->set, local, room);
}

static sinew_Quat pelvis_of(
    const snw_WalkBody *body, const snw_WalkLegBody *leg, const sinew_Transform *hips)
{
    const snw_WalkJoint *joints = body->joints;
    return snw_quat_mul(hips->rotation, joints[joints[leg->hip_entry].parent].neutral);
}

/// A leg closed with its knee in the plane that the foot asks for. heading: of the body.
static Closed close_over(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading)
{
    sinew_Vec3 toward = snw_ahead_of(foot->rotation);
    if (!turns_little(body, leg)) {
        const double between = heading
            + 0.5 * snw_turn_wrap(snw_heading_of(toward.x, toward.z) - heading);
        toward.y = 0.0;
        sinew_sincos(between, &toward.x, &toward.z);
    }
    return close_leg(leg, sinew_transform_point(*hips, leg->hip), foot->position, toward);
}

double snw_leg_hip_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading, double room)
{
    if (body->joint_count == 0) { return -SINEW_PI; }
    const Closed closed = close_over(body, leg, hips, foot, heading);
    sinew_Quat parent = pelvis_of(body, leg, hips);
    return excess_of(&body->joints[leg->hip_entry], thigh_of(&closed), room, &parent);
}

snw_LegExcess snw_leg_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading)
{
    snw_LegExcess excess = { -SINEW_PI, -SINEW_PI, -SINEW_PI };
    const snw_WalkJoint *joints = body->joints;
    if (body->joint_count == 0) { return excess; }
    const Closed closed = close_over(body, leg, hips, foot, heading);
    sinew_Quat parent = pelvis_of(body, leg, hips);
    const double any = (double)INFINITY;
    excess.hip = excess_of(&joints[leg->hip_entry], thigh_of(&closed), any, &parent);
    excess.knee = excess_of(&joints[leg->knee_entry], shank_of(leg, &closed), any, &parent);
    excess.ankle = excess_of(&joints[leg->ankle_entry], foot->rotation, any, &parent);
    return excess;
}
