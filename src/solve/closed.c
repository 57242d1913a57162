#include "solve/closed.h"

#include "math/holds.h"
#include "solve/arcs.h"

// what a range's cosine may miss by rounding, besides its angle
#define ROUNDING 1e-12

void snw_closed_build(snw_Closed *closed, const snw_Chain *chain)
{
    closed->shape.kind = SNW_CLOSED_NONE;
    closed->locked = ~0u; // none such: the shape is looked for when joints have values
    closed->ready = false;
    closed->chain_fits = chain->count <= SNW_CLOSED_CHAIN && !chain->has_slides;
}

// ---------------------------------------------------------------------------------------------
// Ranges

static snw_ClosedRange range_of(double lower, double upper, double angle)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    snw_ClosedRange r = { lower, upper, 0.0, 1.0, -2.0 };
    if (!(upper - lower < 2.0 * SINEW_PI)) { return r; }
    snw_Turn middle = snw_turn_of(0.5 * (lower + upper) + angle);
    r.sine = middle.sine;
    r.cosine = middle.cosine;
    snw_Turn half = snw_turn_of(0.5 * (upper - lower));
    r.least = half.cosine - SNW_CLOSED_BEYOND * half.sine - ROUNDING;
    return r;
}

static void spread_values(snw_Closed *closed)
{
    int free = closed->shape.free;
    const snw_ClosedRange *range = &closed->ranges[free];
    bool whole = range->least < -1.0;
    double lower = whole ? -SINEW_PI : range->lower;
    double size = whole ? 2.0 * SINEW_PI : range->upper - range->lower;
    for (int k = 0; k < SNW_CLOSED_VALUES; ++k) {
        // the last ones are the bounds, on which joints stand as often as anywhere
        double share = k == SNW_CLOSED_VALUES - 2 ? 0.0
            : k == SNW_CLOSED_VALUES - 1          ? 1.0
                                                  : snw_spread(k);
        closed->values[k] = snw_turn_of(lower + share * size + closed->shape.joints[free].angle);
    }
}

// how near and far the joint after the three that meet can bring where the two others meet
static void find_distances(snw_Closed *closed)
{
    const snw_ClosedShape *shape = &closed->shape;
    const snw_ClosedRange *range = &closed->ranges[3];
    const snw_ClosedJoint *third = &shape->joints[2], *middle = &shape->joints[3];
    closed->nearest2 = 0.0;
    closed->farthest2 = INFINITY;
    if (shape->place != SNW_PLACE_LAST_MEET) { return; }
    sinew_Vec3 t = snw_unturn_x(sinew_vec3_scale(third->offset, -1.0), third->twist);
    sinew_Vec3 o = middle->offset;
    double a = t.x * o.x + t.y * o.y, b = t.y * o.x - t.x * o.y, size = sqrt(a * a + b * b);
    double even = sinew_vec3_dot(t, t) + sinew_vec3_dot(o, o) - 2.0 * t.z * o.z;
    closed->nearest2 = even - 2.0 * size;
    closed->farthest2 = even + 2.0 * size;
    if (range->least < -1.0 || !(size > 0.0)) { return; }
    snw_Turn ends[2] = { snw_turn_of(range->lower + middle->angle),
        snw_turn_of(range->upper + middle->angle) };
    double d0 = even - 2.0 * (a * ends[0].cosine + b * ends[0].sine);
    double d1 = even - 2.0 * (a * ends[1].cosine + b * ends[1].sine);
    // straight and folded are inside the range, or its ends are the farthest and the nearest
    bool near = (a * range->cosine + b * range->sine) / size >= range->least;
    bool far = -(a * range->cosine + b * range->sine) / size >= range->least;
    double slack = 4.0 * SNW_TOUCHING * size;
    if (!near) { closed->nearest2 = fmin(d0, d1) - slack; }
    if (!far) { closed->farthest2 = fmax(d0, d1) + slack; }
}

static void add_end(snw_Closed *closed, snw_ClosedEnd end)
{
    closed->ends[closed->end_count++] = end;
}

// where the ranges of three joints that meet end, and where the two sides of the second become one
static void find_ends(snw_Closed *closed, int first)
{
    const snw_ClosedJoint *joints = &closed->shape.joints[first];
    snw_Turn t0 = joints[0].twist, t1 = joints[1].twist;
    double even = t0.cosine * t1.cosine, lean = t0.sine * t1.sine;
    sinew_Vec3 z = { 0.0, 0.0, 1.0 }, up = { 0.0, -t0.sine, t0.cosine };
    sinew_Vec3 down = { 0.0, t1.sine, t1.cosine };
    for (int side = -1; side <= 1; side += 2) {
        add_end(closed, (snw_ClosedEnd){ first, false, z, even + side * lean });
    }
    for (int place = 0; place < 3; ++place) {
        const snw_ClosedRange *range = &closed->ranges[first + place];
        for (int k = 0; k < 2 && range->least > -1.5; ++k) {
            snw_Turn at = snw_turn_of((k == 0 ? range->lower : range->upper) + joints[place].angle);
            // the second joint's lean shows beside the first one's turn, and beside the third one's
            snw_ClosedEnd ends[3] = { { first, false, snw_turn_z(up, at), t1.cosine },
                { first, false, z, even - lean * at.cosine },
                { first, true, snw_unturn_z(down, at), t0.cosine } };
            add_end(closed, ends[place]);
        }
    }
}

static bool same_ranges(const snw_Closed *closed, const snw_Chain *chain)
{
    bool same = true;
    for (int i = 0; i < closed->shape.count; ++i) {
        const snw_ClosedRange *range = &closed->ranges[i];
        int joint = closed->shape.joints[i].joint;
        same = same && range->lower == chain->lower[joint] && range->upper == chain->upper[joint];
    }
    return same;
}

static void make_ranges(snw_Closed *closed, const snw_Chain *chain)
{
    if (closed->ready && closed->range_count == chain->own_range_count) { return; }
    closed->range_count = chain->own_range_count;
    if (closed->ready && same_ranges(closed, chain)) { return; }
    for (int i = 0; i < closed->shape.count; ++i) {
        const snw_ClosedJoint *joint = &closed->shape.joints[i];
        closed->ranges[i] = range_of(
            chain->lower[joint->joint], chain->upper[joint->joint], joint->angle);
    }
    if (closed->shape.free >= 0) {
        spread_values(closed);
        find_distances(closed);
    }
    if (snw_closed_swings(closed)) {
        for (int k = 0; k < SNW_CLOSED_SWINGS; ++k) {
            int steps = k / 2 + 1;
            double by = steps * (2.0 * SINEW_PI / (SNW_CLOSED_SWINGS + 1));
            closed->values[k] = snw_turn_of(k % 2 == 0 ? by : -by);
        }
        closed->end_count = 0;
        find_ends(closed, 0);
        find_ends(closed, 4);
    }
    closed->ready = true;
}

bool snw_closed_begin(snw_Closed *closed, const snw_Chain *chain, const double *joints)
{
    if (!closed->chain_fits) { return false; }
    unsigned locked = chain->locked;
    bool same = locked == closed->locked;
    for (int i = 0; locked != 0 && same && i < chain->count; ++i) {
        same = (locked >> i & 1u) == 0 || joints[i] == closed->locked_values[i];
    }
    if (!same) {
        closed->locked = locked;
        for (int i = 0; i < chain->count; ++i) { closed->locked_values[i] = joints[i]; }
        snw_closed_shape_find(chain, joints, &closed->shape);
        closed->ready = false;
    }
    return closed->shape.kind != SNW_CLOSED_NONE;
}

// ---------------------------------------------------------------------------------------------
// Answers

// sines that the chain has are turned into the form's frame
static snw_Turn turn_here(
    const snw_Chain *chain, bool measured, const snw_ClosedJoint *joint, const double *joints)
{
    if (!measured) { return snw_turn_of(joints[joint->joint] + joint->angle); }
    double s = chain->sine[joint->joint], c = chain->cosine[joint->joint];
    snw_Turn by = joint->from_chain;
    return (snw_Turn){ s * by.cosine + c * by.sine, c * by.cosine - s * by.sine };
}

static void find_here(
    snw_ClosedSearch *search, const snw_Chain *chain, bool measured, const double *joints)
{
    const snw_ClosedShape *shape = &search->closed->shape;
    bool swings = snw_closed_swings(search->closed);
    for (int i = 0; i < shape->count; ++i) {
        const snw_ClosedJoint *joint = &shape->joints[i];
        const snw_ClosedRange *range = &search->ranges[i];
        if (search->wanted != SNW_CLOSED_FIRST || i == shape->free) {
            search->here[i] = turn_here(chain, measured, joint, joints);
        } else if (swings) {
            // the first answer is found best in the middle
            search->here[i] = (snw_Turn){ range->sine, range->cosine };
        }
    }
}

// the goal as the kernels see it
static void aim(snw_ClosedSearch *search, const snw_Chain *chain)
{
    const snw_ClosedShape *shape = &search->closed->shape;
    sinew_Vec3 way = chain->target;
    if (shape->kind == SNW_CLOSED_POINT) {
        way = sinew_mat3_mul_vec3(shape->left_turn, way);
    } else if (!shape->mirrored) {
        sinew_Mat3 turn = sinew_mat3_mul(shape->left_turn, chain->target_frame);
        search->turn = sinew_mat3_mul(turn, shape->right_turn);
        way = sinew_vec3_add(sinew_mat3_mul_vec3(shape->left_turn, way),
            sinew_mat3_mul_vec3(turn, shape->right_way));
    } else {
        sinew_Mat3 turn = sinew_mat3_mul(
            shape->left_turn, sinew_mat3_transpose(chain->target_frame));
        search->turn = sinew_mat3_mul(turn, shape->right_turn);
        way = sinew_mat3_mul_vec3(turn, sinew_vec3_sub(shape->right_way, way));
    }
    search->way = sinew_vec3_add(way, shape->left_way);
}

// what is not set here is written before it is read: to clear it all takes a tenth of a small limb's time
static void begin(snw_ClosedSearch *search, const snw_Closed *closed, snw_ClosedWanted wanted,
    const double *joints)
{
    search->closed = closed;
    search->ranges = closed->ranges;
    search->nearest2 = closed->nearest2;
    search->farthest2 = closed->farthest2;
    search->wanted = wanted;
    search->start = joints;
    search->swing = (snw_Turn){ 0.0, 1.0 };
    for (int k = 0; k < 3; ++k) { search->ways[k] = 0; }
    search->best = INFINITY;
    search->found = 0;
    search->formed_known = 0;
}

// as if no joint had an end
static void lift_limits(snw_ClosedSearch *search)
{
#define OPEN                                \
    {                                       \
        -INFINITY, INFINITY, 0.0, 1.0, -2.0 \
    }
    static const snw_ClosedRange open[SNW_CLOSED_JOINTS] = { OPEN, OPEN, OPEN, OPEN, OPEN, OPEN,
        OPEN };
#undef OPEN
    search->ranges = open;
    search->nearest2 = 0.0;
    search->farthest2 = INFINITY;
}

static void run(snw_ClosedSearch *search, const snw_Chain *chain)
{
    aim(search, chain);
    switch (search->closed->shape.kind) {
    case SNW_CLOSED_PARALLEL: snw_closed_parallel(search); break;
    case SNW_CLOSED_SWIVEL: snw_closed_swivel(search); break;
    default: snw_closed_arm(search); break;
    }
}

bool snw_closed_solve(snw_Closed *closed, const snw_Chain *chain, bool measured,
    snw_ClosedWanted wanted, double *joints)
{
    double answer[SNW_CLOSED_JOINTS] = { 0.0 };
    make_ranges(closed, chain);
    snw_ClosedSearch search;
    begin(&search, closed, wanted, joints);
    find_here(&search, chain, measured, joints);
    run(&search, chain);
    if (search.found == 0 || !snw_closed_angles(&search, search.chosen, answer)) { return false; }
    for (int i = 0; i < closed->shape.count; ++i) {
        joints[closed->shape.joints[i].joint] = answer[i];
    }
    return true;
}

int snw_closed_swing_ends(
    snw_Closed *closed, const snw_Chain *chain, const double *joints, double *out)
{
    make_ranges(closed, chain);
    snw_ClosedSearch search;
    begin(&search, closed, SNW_CLOSED_ALL, joints);
    find_here(&search, chain, false, joints);
    aim(&search, chain);
    return snw_closed_swivel_ends(&search, out);
}

int snw_closed_free_joint(const snw_Closed *closed)
{
    int free = closed->shape.free;
    return free < 0 ? -1 : closed->shape.joints[free].joint;
}

int snw_closed_all(snw_Closed *closed, const snw_Chain *chain, const double *joints, bool limits,
    double free_value, double *out, int *out_branches)
{
    const snw_ClosedShape *shape = &closed->shape;
    double answers[SNW_CLOSED_ANSWERS * SNW_CLOSED_JOINTS] = { 0.0 };
    make_ranges(closed, chain);
    snw_ClosedSearch search;
    begin(&search, closed, SNW_CLOSED_ALL, joints);
    if (!limits) { lift_limits(&search); }
    search.answers = answers;
    search.branches = out_branches;
    if (snw_closed_swings(closed)) {
        find_here(&search, chain, false, joints);
        search.swing = snw_turn_of(free_value);
    } else if (shape->free >= 0) {
        search.here[shape->free] = snw_turn_of(free_value + shape->joints[shape->free].angle);
    }
    run(&search, chain);
    for (int a = 0; a < search.found; ++a) {
        double *row = &out[(size_t)a * (size_t)chain->count];
        for (int i = 0; i < chain->count; ++i) { row[i] = joints[i]; }
        for (int i = 0; i < shape->count; ++i) {
            row[shape->joints[i].joint] = answers[a * shape->count + i];
        }
        // not through its sine and back
        if (shape->free >= 0) { row[shape->joints[shape->free].joint] = free_value; }
    }
    return search.found;
}
