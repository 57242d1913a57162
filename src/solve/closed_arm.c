// Arms and legs whose first three hinges meet in a point, or that only have to bring a point somewhere.
// The place is found first, for it does not depend on the three that meet; they do the rest of the turn.
// Pieper (1968); the steps are Paden's and Kahan's subproblems (Paden 1986): one circle each.

#include "solve/closed.h"

#include "math/holds.h"

enum { MEETING = 3 }; // hinges that meet, before those that place the point

// ---------------------------------------------------------------------------------------------
// The three that meet

bool snw_closed_meet(const snw_ClosedSearch *search, int first, sinew_Vec3 column, sinew_Vec3 row,
    snw_ClosedMeeting *out)
{
    const snw_ClosedJoint *joints = &search->closed->shape.joints[first];
    snw_Turn t0 = joints[0].twist, t1 = joints[1].twist;
    double cosine = (t0.cosine * t1.cosine - column.z) / (t0.sine * t1.sine);
    double square = 1.0 - cosine * cosine;
    if (!(square >= -SNW_TOUCHING)) { return false; }
    double sine = square > 0.0 ? sqrt(square) : 0.0;
    *out = (snw_ClosedMeeting){ first, column, row, { sine, cosine } };
    return true;
}

bool snw_closed_meet_side(snw_ClosedSearch *search, const snw_ClosedMeeting *meeting, int side)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int first = meeting->first;
    const snw_ClosedJoint *joints = &search->closed->shape.joints[first];
    snw_Turn t0 = joints[0].twist, t1 = joints[1].twist, second = meeting->second;
    if (side == 1) { second.sine = -second.sine; }
    if (!snw_closed_admit(search, first + 1, second)) { return false; }
    sinew_Vec3 up = { 0.0, -t1.sine, t1.cosine };
    sinew_Vec3 from = snw_turn_x(snw_turn_z(up, second), t0);
    if (!snw_closed_admit(search, first, snw_turn_between(from, meeting->column))) { return false; }
    sinew_Vec3 down = { 0.0, t0.sine, t0.cosine };
    sinew_Vec3 to = snw_unturn_x(snw_unturn_z(down, second), t1);
    return snw_closed_admit(search, first + 2, snw_turn_between(meeting->row, to));
}

static bool turn_meeting(snw_ClosedSearch *search, sinew_Vec3 column, sinew_Vec3 row)
{
    snw_ClosedMeeting meeting;
    if (!snw_closed_meet(search, 0, column, row, &meeting)) { return false; }
    for (int side = 0; side < 2; ++side) {
        search->ways[2] = side;
        if (snw_closed_meet_side(search, &meeting, side) && snw_closed_offer(search)) {
            return true;
        }
    }
    return false;
}

// all others are known: the first three make up for the turn that is left
static bool turn_rest(snw_ClosedSearch *search)
{
    const snw_ClosedShape *shape = &search->closed->shape;
    if (shape->kind == SNW_CLOSED_POINT) { return snw_closed_offer(search); }
    sinew_Vec3 column = { 0.0, 0.0, 1.0 };
    sinew_Vec3 row = { search->turn.x.z, search->turn.y.z, search->turn.z.z };
    for (int i = MEETING; i < shape->count; ++i) {
        column = snw_unturn_x(column, shape->joints[i - 1].twist);
        column = snw_unturn_z(column, search->turns[i]);
    }
    column = sinew_mat3_mul_vec3(search->turn, column);
    for (int i = shape->count - 1; i >= MEETING; --i) {
        row = snw_turn_x(snw_turn_z(row, search->turns[i]), shape->joints[i - 1].twist);
    }
    return turn_meeting(search, column, row);
}

// ---------------------------------------------------------------------------------------------
// The three that place a point: target = Rz(a)(o + Rx Rz(b)(o + Rx Rz(c) tip))

// hinges a and b that meet bring a direction and length over the target: b by its height along a
static bool place_pair(snw_ClosedSearch *search, int a, int b, sinew_Vec3 target, sinew_Vec3 tip)
{
    snw_Turn twist = search->closed->shape.joints[a].twist, ways[2];
    int count = snw_circle(
        twist.sine * tip.y, twist.sine * tip.x, target.z - twist.cosine * tip.z, ways);
    for (int w = 0; w < count; ++w) {
        search->ways[1] = w;
        if (!snw_closed_admit(search, b, ways[w])) { continue; }
        sinew_Vec3 from = snw_turn_x(snw_turn_z(tip, ways[w]), twist);
        if (!snw_closed_admit(search, a, snw_turn_between(from, target))) { continue; }
        if (turn_rest(search)) { return true; }
    }
    return false;
}

// hinges a and b that are parallel: two bones
static bool place_bones(snw_ClosedSearch *search, int a, int b, sinew_Vec3 target, sinew_Vec3 tip)
{
    const snw_ClosedJoint *joint = &search->closed->shape.joints[a];
    snw_Turn ways[2];
    int count = snw_closed_bones(joint, target, tip, ways);
    for (int w = 0; w < count; ++w) {
        search->ways[1] = w;
        if (!snw_closed_admit(search, b, ways[w])) { continue; }
        sinew_Vec3 from = sinew_vec3_add(
            joint->offset, snw_turn_x(snw_turn_z(tip, ways[w]), joint->twist));
        if (!snw_closed_admit(search, a, snw_turn_between(from, target))) { continue; }
        if (turn_rest(search)) { return true; }
    }
    return false;
}

// a point of the next joint's frame, seen by what it is carried by
static inline sinew_Vec3 before(const snw_ClosedJoint *joint, snw_Turn turn, sinew_Vec3 point)
{
    return sinew_vec3_add(joint->offset, snw_turn_x(snw_turn_z(point, turn), joint->twist));
}

static bool place(snw_ClosedSearch *search, int a, sinew_Vec3 target, sinew_Vec3 tip)
{
    const snw_ClosedShape *shape = &search->closed->shape;
    const snw_ClosedJoint *joints = shape->joints;
    const snw_ClosedJoint *ja = &joints[a], *jb = &joints[a + 1];
    snw_Turn ta = ja->twist, tb = jb->twist, ways[2];
    bool last = shape->place == SNW_PLACE_LAST_MEET || shape->place == SNW_PLACE_LAST_PARALLEL;
    int count;
    switch (shape->place) {
    case SNW_PLACE_LAST_MEET:
        count = snw_closed_distance(ja, target, sinew_vec3_dot(tip, tip), ways);
        break;
    case SNW_PLACE_FIRST_MEET: {
        sinew_Vec3 seen = snw_unturn_x(jb->offset, tb);
        double sizes2 = sinew_vec3_dot(seen, seen) + sinew_vec3_dot(tip, tip);
        count = snw_circle(seen.x * tip.x + seen.y * tip.y, seen.y * tip.x - seen.x * tip.y,
            0.5 * (sinew_vec3_dot(target, target) - sizes2) - seen.z * tip.z, ways);
        break;
    }
    case SNW_PLACE_LAST_PARALLEL: {
        double height = jb->offset.z + tb.cosine * tip.z;
        count = snw_circle(-ta.sine * target.y, ta.sine * target.x,
            height - ta.sine * ja->offset.y - ta.cosine * (target.z - ja->offset.z), ways);
        break;
    }
    case SNW_PLACE_FIRST_PARALLEL: {
        double height = ta.cosine * (target.z - ja->offset.z) - jb->offset.z;
        count = snw_circle(tb.sine * tip.y, tb.sine * tip.x, height - tb.cosine * tip.z, ways);
        break;
    }
    default: return false;
    }
    for (int w = 0; w < count; ++w) {
        search->ways[0] = w;
        if (!snw_closed_admit(search, last ? a : a + 2, ways[w])) { continue; }
        bool over;
        if (last) {
            sinew_Vec3 rest = snw_closed_behind(ja, ways[w], target);
            over = shape->place == SNW_PLACE_LAST_MEET
                ? place_pair(search, a + 1, a + 2, rest, tip)
                : place_bones(search, a + 1, a + 2, rest, tip);
        } else {
            sinew_Vec3 carried = before(jb, ways[w], tip);
            over = shape->place == SNW_PLACE_FIRST_MEET
                ? place_pair(search, a, a + 1, target, carried)
                : place_bones(search, a, a + 1, target, carried);
        }
        if (over) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// A seventh joint, last, which is free

// value number k of the free joint: where it stands, then those spread over its range; false: no more
static bool next_value(snw_ClosedSearch *search, int k)
{
    const snw_Closed *closed = search->closed;
    int free = closed->shape.free;
    int most = search->wanted == SNW_CLOSED_ALL ? 0 : SNW_CLOSED_VALUES;
    if (k > most || search->found > 0) { return false; }
    search->turns[free] = k == 0 ? search->here[free] : closed->values[k - 1];
    return true;
}

// it moves the point that the others are to place
static void try_last(snw_ClosedSearch *search, sinew_Vec3 target, sinew_Vec3 tip)
{
    const snw_Closed *closed = search->closed;
    const snw_ClosedJoint *carrier = &closed->shape.joints[closed->shape.free - 1];
    for (int k = 0; next_value(search, k); ++k) {
        sinew_Vec3 point = before(carrier, search->turns[closed->shape.free], tip);
        double distance2 = sinew_vec3_dot(point, point);
        // most values are too far or too near for the joint between, whatever it does
        if (distance2 < search->nearest2 || distance2 > search->farthest2) { continue; }
        if (place(search, MEETING, target, point)) { return; }
    }
}

void snw_closed_arm(snw_ClosedSearch *search)
{
    const snw_ClosedShape *shape = &search->closed->shape;
    if (shape->kind == SNW_CLOSED_POINT) {
        (void)place(search, 0, search->way, shape->tip);
        return;
    }
    if (shape->kind == SNW_CLOSED_TURN) {
        (void)turn_rest(search);
        return;
    }
    // where the three meet, seen from the fourth joint's frame before its turn, and from the last one's
    const snw_ClosedJoint *third = &shape->joints[MEETING - 1];
    sinew_Vec3 target = snw_unturn_x(sinew_vec3_scale(third->offset, -1.0), third->twist);
    sinew_Vec3 tip = sinew_mat3_transpose_mul_vec3(
        search->turn, sinew_vec3_scale(search->way, -1.0));
    if (shape->free < 0) {
        (void)place(search, MEETING, target, tip);
    } else {
        try_last(search, target, tip);
    }
}
