// Feet that stand: their prints, and what it takes to stand in them.

#include "motion/retarget.h"

#include "math/holds.h"

static const sinew_Vec3 up = { 0.0, 1.0, 0.0 };

// feet more than this beside the hip, cosine of the leg to the vertical, do not pull it down; over the next
// share they begin to: a cartwheel's hips would fall by 0.2 m and more
#define LEAST_UPRIGHT 0.5
#define UPRIGHT_SHARE 0.3

static sinew_Vec3 level(sinew_Vec3 v)
{
    v.y = 0.0;
    return v;
}

snw_CarriedFoot snw_carried_foot(const snw_RetargetCarry *carry, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    snw_CarriedFoot r = { .foot = carry->world[leg->foot] };
    r.heel = sinew_transform_point(r.foot, leg->heel);
    r.ball = sinew_transform_point(r.foot, leg->ball);
    r.toe = carry->world[leg->toe >= 0 ? leg->toe : leg->foot].rotation;
    double length = sinew_vec3_distance(leg->heel, leg->ball);
    r.pitch = length > 0.0 ? sinew_asin((r.heel.y - r.ball.y) / length) : 0.0;
    r.yaw = sinew_atan2(r.ball.x - r.heel.x, r.ball.z - r.heel.z);
    return r;
}

snw_Footprint snw_footprint(
    const snw_RetargetCarry *carry, int side, sinew_Vec3 ball, sinew_Vec3 heading)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetSide *target = &carry->target;
    const snw_RetargetLeg *leg = &target->legs[side];
    sinew_Quat stand = target->stand[leg->foot];
    sinew_Vec3 sole = sinew_quat_rotate(stand, sinew_vec3_sub(leg->ball, leg->heel));
    sinew_Vec3 ahead = { 0.0, 0.0, 1.0 };
    sinew_Vec3 from = sinew_vec3_normalize_or(level(sole), ahead);
    sinew_Vec3 to = sinew_vec3_normalize_or(level(heading), ahead);
    double yaw = sinew_atan2(
        sinew_vec3_dot(sinew_vec3_cross(from, to), up), sinew_vec3_dot(from, to));
    sinew_Quat turn = sinew_quat_from_axis_angle(up, yaw);
    snw_Footprint print;
    print.flat = sinew_quat_mul(turn, stand);
    print.ball = ball;
    print.heel = sinew_vec3_sub(ball, sinew_quat_rotate(turn, sole));
    print.axis = sinew_vec3_cross(up, to);
    print.yaw = sinew_atan2(to.x, to.z);
    print.toe = leg->toe >= 0 ? sinew_quat_mul(turn, target->stand[leg->toe]) : print.flat;
    return print;
}

static sinew_Vec3 turn_between(sinew_Quat from, sinew_Quat to)
{
    sinew_Quat turn = sinew_quat_mul(to, sinew_quat_conjugate(from));
    return sinew_quat_log(sinew_quat_normalize(turn));
}

snw_FootShift snw_foot_stand(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_Footprint *print, const snw_FootRoll *roll)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Quat yaw = sinew_quat_from_axis_angle(up, roll->yaw);
    sinew_Quat lifted = sinew_quat_mul(
        sinew_quat_from_axis_angle(print->axis, roll->pitch), print->flat);
    sinew_Quat rotation = sinew_quat_mul(yaw, lifted);
    sinew_Vec3 ball = print->ball;
    if (roll->on_heel) {
        sinew_Vec3 sole = sinew_vec3_sub(leg->ball, leg->heel);
        ball = sinew_vec3_add(print->heel, sinew_quat_rotate(rotation, sole));
    }
    snw_FootShift shift;
    shift.ball = sinew_vec3_sub(ball, naive->ball);
    shift.turn = turn_between(naive->foot.rotation, rotation);
    sinew_Quat with_foot = sinew_quat_mul(sinew_quat_exp(shift.turn), naive->toe);
    sinew_Quat on_floor = sinew_quat_mul(yaw, print->toe);
    shift.toe = turn_between(naive->toe, sinew_quat_slerp(with_foot, on_floor, roll->toes));
    return shift;
}

void snw_shift_to_numbers(const snw_FootShift *shift, double out_numbers[SNW_SHIFT_NUMBERS])
{
    const sinew_Vec3 v[3] = { shift->ball, shift->turn, shift->toe };
    for (int i = 0; i < 3; ++i) {
        out_numbers[3 * i] = v[i].x;
        out_numbers[3 * i + 1] = v[i].y;
        out_numbers[3 * i + 2] = v[i].z;
    }
}

snw_FootShift snw_shift_from_numbers(const double v[SNW_SHIFT_NUMBERS])
{
    snw_FootShift s = { { v[0], v[1], v[2] }, { v[3], v[4], v[5] }, { v[6], v[7], v[8] } };
    return s;
}

sinew_Transform snw_foot_shifted(const snw_RetargetCarry *carry, int side,
    const snw_CarriedFoot *naive, const snw_FootShift *shift, sinew_Quat *out_toe)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Transform foot;
    foot.rotation = sinew_quat_mul(sinew_quat_exp(shift->turn), naive->foot.rotation);
    sinew_Vec3 ball = sinew_vec3_add(naive->ball, shift->ball);
    foot.position = sinew_vec3_sub(ball, sinew_quat_rotate(foot.rotation, leg->ball));
    *out_toe = sinew_quat_mul(sinew_quat_exp(shift->toe), naive->toe);
    return foot;
}

double snw_foot_low(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_FootShift *shift)
{
    SNW_ASSERT(side >= 0 && side < 2);
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    sinew_Quat toe;
    sinew_Transform at = snw_foot_shifted(carry, side, naive, shift, &toe);
    return fmin(sinew_transform_point(at, leg->heel).y, sinew_transform_point(at, leg->ball).y);
}

static sinew_Vec3 left_of(const snw_RetargetCarry *carry, int side, sinew_Quat foot)
{
    sinew_Quat stand = carry->target.stand[carry->target.legs[side].foot];
    sinew_Quat turned = sinew_quat_mul(foot, sinew_quat_conjugate(stand));
    return sinew_quat_rotate(turned, sinew_vec3(1.0, 0.0, 0.0));
}

double snw_toes_need(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_FootShift *shift, double floor)
{
    SNW_ASSERT(side >= 0 && side < 2);
    // less is rounding of toes that lie on the floor, metres
    const double least = 1e-6;
    const snw_RetargetLeg *leg = &carry->target.legs[side];
    if (!leg->has_tip) { return 0.0; }
    sinew_Quat toe;
    sinew_Transform foot = snw_foot_shifted(carry, side, naive, shift, &toe);
    double height = sinew_transform_point(foot, leg->toe_place).y - floor;
    sinew_Vec3 out = sinew_quat_rotate(toe, leg->tip);
    if (!(height + out.y < -least)) { return 0.0; }
    // bent up by t the tip is at along.y + size cos(t - top) over the joint
    sinew_Vec3 left = left_of(carry, side, foot.rotation);
    sinew_Vec3 along = sinew_vec3_scale(left, sinew_vec3_dot(left, out));
    sinew_Vec3 across = sinew_vec3_sub(out, along), above = sinew_vec3_cross(across, left);
    double size = sqrt(across.y * across.y + above.y * above.y);
    // toes that lie on their side are left
    if (!(size > least)) { return 0.0; }
    double top = sinew_atan2(above.y, across.y);
    // those that point back under the foot come round its front
    if (top < 0.0) { top += 2.0 * SINEW_PI; }
    double cosine = (-height - along.y) / size;
    return fmax(top - sinew_acos(fmin(fmax(cosine, -1.0), 1.0)), 0.0);
}

void snw_toes_bend(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    double turn, snw_FootShift *shift)
{
    SNW_ASSERT(side >= 0 && side < 2);
    if (!(turn > 0.0)) { return; }
    sinew_Quat toe;
    sinew_Transform foot = snw_foot_shifted(carry, side, naive, shift, &toe);
    sinew_Quat up_by = sinew_quat_from_axis_angle(left_of(carry, side, foot.rotation), -turn);
    shift->toe = turn_between(naive->toe, sinew_quat_mul(up_by, toe));
}

double snw_hips_need(sinew_Vec3 hip, sinew_Vec3 ankle, double most)
{
    sinew_Vec3 leg = sinew_vec3_sub(hip, ankle);
    double length = sinew_vec3_length(leg);
    double beside2 = leg.x * leg.x + leg.z * leg.z;
    if (length <= most || !(length > 0.0) || beside2 >= most * most) { return 0.0; }
    double upright = (leg.y / length - LEAST_UPRIGHT) / UPRIGHT_SHARE;
    return snw_quintic(upright) * fmax(leg.y - sqrt(most * most - beside2), 0.0);
}
