// Six hinges of which the second to fourth are parallel and the last two meet. Along the parallel axes
// nothing but the first joint moves the point where the last two meet, nor the last but one's lean;
// what is left of it is two bones in a plane. Steps as in closed_arm.c.

#include "solve/closed.h"

enum { FIRST, UPPER, MIDDLE, LOWER, LEAN, LAST };

// The turns of the parallel three, the last two being known. turn: of the last joint, moved; point:
// where the last two meet, behind the first joint.
static bool turn_parallel(
    snw_ClosedSearch *search, const sinew_Mat3 *turn, snw_Turn first, sinew_Vec3 point)
{
    const snw_ClosedJoint *joints = search->closed->shape.joints;
    // where the x axis that the last of the parallel three has moved goes, and its whole plane with it
    sinew_Vec3 x = { 1.0, 0.0, 0.0 };
    x = snw_unturn_x(snw_unturn_z(x, search->turns[LEAN]), joints[LEAN].twist);
    x = sinew_mat3_mul_vec3(*turn, snw_unturn_z(x, search->turns[LAST]));
    x = snw_unturn_x(snw_unturn_z(x, first), joints[FIRST].twist);
    double side = joints[UPPER].twist.cosine * joints[MIDDLE].twist.cosine;
    sinew_Vec3 y = { -side * x.y, side * x.x, 0.0 }, o = joints[LOWER].offset;
    sinew_Vec3 knee = sinew_vec3_add_scaled(sinew_vec3_add_scaled(point, x, -o.x), y, -o.y);
    snw_Turn ways[2];
    int count = snw_closed_bones(&joints[UPPER], knee, joints[MIDDLE].offset, ways);
    for (int w = 0; w < count; ++w) {
        search->ways[2] = w;
        if (!snw_closed_admit(search, MIDDLE, ways[w])) { continue; }
        sinew_Vec3 from = sinew_vec3_add(joints[UPPER].offset,
            snw_turn_x(snw_turn_z(joints[MIDDLE].offset, ways[w]), joints[UPPER].twist));
        snw_Turn upper = snw_turn_between(from, knee);
        if (!snw_closed_admit(search, UPPER, upper)) { continue; }
        // what is left of the turn of x
        sinew_Vec3 left = snw_unturn_x(snw_unturn_z(x, upper), joints[UPPER].twist);
        left = snw_unturn_x(snw_unturn_z(left, ways[w]), joints[MIDDLE].twist);
        snw_Turn lower = { left.y, left.x };
        if (!snw_closed_admit(search, LOWER, lower)) { continue; }
        if (snw_closed_offer(search)) { return true; }
    }
    return false;
}

void snw_closed_parallel(snw_ClosedSearch *search)
{
    const snw_ClosedJoint *joints = search->closed->shape.joints;
    const sinew_Mat3 *turn = &search->turn;
    snw_Turn base = joints[FIRST].twist, lower = joints[LOWER].twist, lean = joints[LEAN].twist;
    double side1 = joints[UPPER].twist.cosine, side = side1 * joints[MIDDLE].twist.cosine;
    double height = joints[UPPER].offset.z + side1 * joints[MIDDLE].offset.z
        + side * joints[LOWER].offset.z;
    sinew_Vec3 target = search->way, offset = joints[FIRST].offset;
    snw_Turn ways[2];
    int count = snw_circle(-base.sine * target.y, base.sine * target.x,
        height - base.sine * offset.y - base.cosine * (target.z - offset.z), ways);
    for (int w = 0; w < count; ++w) {
        search->ways[0] = w;
        if (!snw_closed_admit(search, FIRST, ways[w])) { continue; }
        sinew_Vec3 point = snw_unturn_x(
            sinew_vec3_sub(snw_unturn_z(target, ways[w]), offset), base);
        // the parallel axes' direction, seen from the last joint's moved frame
        sinew_Vec3 along = { 0.0, -base.sine, base.cosine };
        along = sinew_mat3_transpose_mul_vec3(*turn, snw_turn_z(along, ways[w]));
        double cosine = (lower.cosine * lean.cosine - side * along.z) / (lower.sine * lean.sine);
        double square = 1.0 - cosine * cosine;
        if (!(square >= -SNW_TOUCHING)) { continue; }
        double sine = square > 0.0 ? sqrt(square) : 0.0;
        for (int k = 0; k < 2; ++k) {
            snw_Turn leaning = { k == 0 ? sine : -sine, cosine };
            search->ways[1] = k;
            if (!snw_closed_admit(search, LEAN, leaning)) { continue; }
            sinew_Vec3 to = { 0.0, side * lower.sine, side * lower.cosine };
            to = snw_unturn_x(snw_unturn_z(to, leaning), lean);
            if (!snw_closed_admit(search, LAST, snw_turn_between(along, to))) { continue; }
            if (turn_parallel(search, turn, ways[w], point)) { return; }
        }
    }
}
