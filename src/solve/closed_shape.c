#include "solve/closed_shape.h"

// What counts as meeting, in units of the reach, and as parallel, as a sine. Files round a right angle
// to 1.5708 and metres to four digits: 5e-5 for each number, and the joints from one axis to another add
// up, so that axes of an arm of half a metre miss each other by 3e-4 of it. The measure of the true
// chain and a descent from the answer make up for it.
#define MEETS 3e-4
// hinges that stand across each other less than this are no part of a joint that turns freely
#define LEAST_SINE 0.1

typedef struct Axis {
    sinew_Vec3 direction, point;
    int joint; // of the chain
} Axis;

// the hinges of a chain at zero, seen from what carries it
typedef struct Layout {
    int count;
    Axis axes[SNW_CLOSED_JOINTS];
    sinew_Mat3 frame; // of the chain's last joint
    sinew_Vec3 tip;
} Layout;

// ---------------------------------------------------------------------------------------------
// Axes

// the moving hinges, the locked joints standing at their values; false: too many, or slides
static bool lay_out(const snw_Chain *chain, const double *joints, Layout *out)
{
    sinew_Mat3 frame = chain->first;
    sinew_Vec3 origin = chain->first_origin;
    out->count = 0;
    for (int i = 0; i < chain->count; ++i) {
        const snw_ChainJoint *joint = &chain->joints[i];
        bool still = (chain->locked >> i & 1u) != 0;
        if (!still) {
            if (joint->slide || out->count == SNW_CLOSED_JOINTS) { return false; }
            out->axes[out->count++] = (Axis){ frame.z, origin, i };
        }
        double s, c, value = still ? joints[i] : 0.0;
        sinew_sincos(joint->slide ? chain->angle[i] : value + chain->angle[i], &s, &c);
        sinew_Vec3 x = sinew_vec3_add_scaled(sinew_vec3_scale(frame.x, c), frame.y, s);
        sinew_Vec3 y = sinew_vec3_add_scaled(sinew_vec3_scale(frame.y, c), frame.x, -s);
        sinew_Vec3 z = frame.z;
        origin = sinew_vec3_add_scaled(origin, x, joint->offset_x);
        origin = sinew_vec3_add_scaled(origin, y, joint->offset_y);
        origin = sinew_vec3_add_scaled(origin, z, joint->offset_z + (joint->slide ? value : 0.0));
        out->frame = (sinew_Mat3){ x, y, z };
        frame.x = x;
        frame.y = sinew_vec3_add_scaled(sinew_vec3_scale(y, joint->cosine), z, joint->sine);
        frame.z = sinew_vec3_add_scaled(sinew_vec3_scale(z, joint->cosine), y, -joint->sine);
    }
    out->tip = origin;
    return true;
}

static void mirror(const Layout *layout, Layout *out)
{
    *out = *layout;
    for (int i = 0; i < layout->count; ++i) {
        out->axes[i] = layout->axes[layout->count - 1 - i];
        out->axes[i].direction = sinew_vec3_scale(out->axes[i].direction, -1.0);
    }
}

static double sine_between(const Axis *a, const Axis *b)
{
    return sinew_vec3_length(sinew_vec3_cross(a->direction, b->direction));
}

static bool are_parallel(const Axis *a, const Axis *b)
{
    return sine_between(a, b) < MEETS;
}

static sinew_Vec3 nearest_on(const Axis *axis, sinew_Vec3 point)
{
    double along = sinew_vec3_dot(axis->direction, sinew_vec3_sub(point, axis->point));
    return sinew_vec3_add_scaled(axis->point, axis->direction, along);
}

// where two axes meet, in the middle of what they miss each other by; false: they do not
static bool meet(const Axis *a, const Axis *b, sinew_Vec3 *out)
{
    sinew_Vec3 across = sinew_vec3_cross(a->direction, b->direction);
    double size2 = sinew_vec3_dot(across, across);
    if (size2 < LEAST_SINE * LEAST_SINE) { return false; }
    sinew_Vec3 way = sinew_vec3_sub(b->point, a->point);
    double along = sinew_vec3_dot(sinew_vec3_cross(way, b->direction), across) / size2;
    sinew_Vec3 on_a = sinew_vec3_add_scaled(a->point, a->direction, along);
    sinew_Vec3 on_b = nearest_on(b, on_a);
    *out = sinew_vec3_lerp(on_a, on_b, 0.5);
    return sinew_vec3_distance(on_a, on_b) < MEETS;
}

// where three axes meet, of which each stands across the next
static bool three_meet(const Axis *axes, sinew_Vec3 *out)
{
    return meet(&axes[0], &axes[1], out) && sine_between(&axes[1], &axes[2]) > LEAST_SINE
        && sinew_vec3_distance(nearest_on(&axes[2], *out), *out) < MEETS;
}

// ---------------------------------------------------------------------------------------------
// Classes

static void move_origins(Axis *axes, int first, int count, sinew_Vec3 to)
{
    for (int i = first; i < first + count; ++i) { axes[i].point = to; }
}

// how the hinges a, b, c place a point; where two of them meet their origins move there
static snw_ClosedPlace find_place(Axis *axes, int a, int b, int c)
{
    sinew_Vec3 point;
    if (meet(&axes[b], &axes[c], &point)) {
        axes[b].point = axes[c].point = point;
        return SNW_PLACE_LAST_MEET;
    }
    if (meet(&axes[a], &axes[b], &point)) {
        axes[a].point = axes[b].point = point;
        return SNW_PLACE_FIRST_MEET;
    }
    if (are_parallel(&axes[a], &axes[b]) && are_parallel(&axes[b], &axes[c])) {
        return SNW_PLACE_NONE; // they move it in a plane
    }
    if (are_parallel(&axes[b], &axes[c])) { return SNW_PLACE_LAST_PARALLEL; }
    if (are_parallel(&axes[a], &axes[b])) { return SNW_PLACE_FIRST_PARALLEL; }
    return SNW_PLACE_NONE;
}

// three that meet first; the others follow
static bool find_wrist(Layout *layout, snw_ClosedShape *out)
{
    Axis *axes = layout->axes;
    sinew_Vec3 center, last;
    if (!three_meet(axes, &center)) { return false; }
    move_origins(axes, 0, 3, center);
    out->kind = SNW_CLOSED_WRIST;
    out->free = -1;
    if (layout->count == 6) {
        out->place = find_place(axes, 3, 4, 5);
        return out->place != SNW_PLACE_NONE;
    }
    if (three_meet(&axes[4], &last)) {
        move_origins(axes, 4, 3, last);
        out->kind = SNW_CLOSED_SWIVEL;
        return true;
    }
    out->place = find_place(axes, 3, 4, 5);
    out->free = 6;
    return out->place != SNW_PLACE_NONE;
}

static bool find_parallel(Layout *layout, snw_ClosedShape *out)
{
    Axis *axes = layout->axes;
    sinew_Vec3 point;
    if (layout->count != 6 || !are_parallel(&axes[1], &axes[2]) || !are_parallel(&axes[2], &axes[3])
        || are_parallel(&axes[0], &axes[1]) || sine_between(&axes[3], &axes[4]) < LEAST_SINE
        || !meet(&axes[4], &axes[5], &point)) {
        return false;
    }
    axes[4].point = axes[5].point = point;
    out->kind = SNW_CLOSED_PARALLEL;
    out->free = -1;
    return true;
}

static bool find_class(Layout *layout, bool position, bool orientation, snw_ClosedShape *out)
{
    out->kind = SNW_CLOSED_NONE;
    out->place = SNW_PLACE_NONE;
    out->free = -1;
    if (position && orientation) {
        return layout->count >= 6 && (find_parallel(layout, out) || find_wrist(layout, out));
    }
    sinew_Vec3 center;
    if (layout->count != 3) { return false; }
    if (orientation) {
        out->kind = SNW_CLOSED_TURN;
        if (!three_meet(layout->axes, &center)) {
            // orientations know no places
            move_origins(layout->axes, 0, 3, layout->axes[0].point);
            return three_meet(layout->axes, &center);
        }
        return true;
    }
    out->kind = SNW_CLOSED_POINT;
    out->place = find_place(layout->axes, 0, 1, 2);
    return out->place != SNW_PLACE_NONE;
}

// ---------------------------------------------------------------------------------------------
// Frames

// the turn about z that brings the next axis into the frame's yz plane, and the twist about x to it
static void fit_twist(const sinew_Mat3 *frame, sinew_Vec3 next, snw_ClosedJoint *joint)
{
    sinew_Vec3 across = sinew_vec3_cross(frame->z, next);
    double along = sinew_vec3_dot(frame->z, next), size = sinew_vec3_length(across);
    joint->angle = 0.0;
    if (size < MEETS) {
        joint->twist = (snw_Turn){ 0.0, along < 0.0 ? -1.0 : 1.0 };
        return;
    }
    double whole = sqrt(along * along + size * size);
    joint->twist = (snw_Turn){ size / whole, along / whole };
    joint->angle = sinew_atan2(sinew_vec3_dot(across, frame->y), sinew_vec3_dot(across, frame->x));
}

// a frame turned about its z, and about its x
static sinew_Mat3 frame_turned_z(sinew_Mat3 m, snw_Turn t)
{
    sinew_Mat3 r = { sinew_vec3_add_scaled(sinew_vec3_scale(m.x, t.cosine), m.y, t.sine),
        sinew_vec3_add_scaled(sinew_vec3_scale(m.y, t.cosine), m.x, -t.sine), m.z };
    return r;
}

static sinew_Mat3 frame_turned_x(sinew_Mat3 m, snw_Turn t)
{
    sinew_Mat3 r = { m.x, sinew_vec3_add_scaled(sinew_vec3_scale(m.y, t.cosine), m.z, t.sine),
        sinew_vec3_add_scaled(sinew_vec3_scale(m.z, t.cosine), m.y, -t.sine) };
    return r;
}

static void put_frames(const Layout *layout, snw_ClosedShape *out)
{
    const Axis *axes = layout->axes;
    int count = layout->count;
    sinew_Mat3 frame = sinew_mat3_from_quat(
        sinew_quat_between(sinew_vec3(0.0, 0.0, 1.0), axes[0].direction));
    sinew_Mat3 first = frame;
    sinew_Vec3 first_origin = axes[0].point, origin = first_origin;
    out->count = count;
    for (int i = 0; i < count; ++i) {
        snw_ClosedJoint *joint = &out->joints[i];
        *joint = (snw_ClosedJoint){ .joint = axes[i].joint, .twist = { 0.0, 1.0 } };
        if (i + 1 == count) { break; }
        fit_twist(&frame, axes[i + 1].direction, joint);
        snw_Turn turn;
        sinew_sincos(joint->angle, &turn.sine, &turn.cosine);
        frame = frame_turned_z(frame, turn);
        joint->offset = sinew_mat3_transpose_mul_vec3(
            frame, sinew_vec3_sub(axes[i + 1].point, origin));
        frame = frame_turned_x(frame, joint->twist);
        origin = axes[i + 1].point;
    }
    // with M the motion that takes the effector from zero to its goal: first^-1 M last, and
    // M = goal zero^-1
    sinew_Mat3 zero_back = sinew_mat3_transpose(layout->frame);
    sinew_Mat3 first_back = sinew_mat3_transpose(first);
    if (!out->mirrored) {
        out->left_turn = first_back;
        out->left_way = sinew_mat3_mul_vec3(first_back, sinew_vec3_scale(first_origin, -1.0));
        out->right_turn = sinew_mat3_mul(zero_back, frame);
        out->right_way = sinew_mat3_mul_vec3(zero_back, sinew_vec3_sub(origin, layout->tip));
    } else {
        out->left_turn = sinew_mat3_mul(first_back, layout->frame);
        out->left_way = sinew_mat3_mul_vec3(first_back, sinew_vec3_sub(layout->tip, first_origin));
        out->right_turn = frame;
        out->right_way = origin;
    }
    out->tip = sinew_mat3_transpose_mul_vec3(frame, sinew_vec3_sub(layout->tip, origin));
}

void snw_closed_shape_find(const snw_Chain *chain, const double *joints, snw_ClosedShape *out)
{
    Layout layout, other;
    *out = (snw_ClosedShape){ .kind = SNW_CLOSED_NONE, .free = -1 };
    if (!lay_out(chain, joints, &layout) || layout.count < 3) { return; }
    mirror(&layout, &other);
    bool found = find_class(&layout, chain->position, chain->orientation, out);
    if (!found) {
        out->mirrored = true;
        found = chain->position && chain->orientation && find_class(&other, true, true, out);
    }
    if (!found) {
        out->kind = SNW_CLOSED_NONE;
        return;
    }
    put_frames(out->mirrored ? &other : &layout, out);
    for (int i = 0; i < out->count; ++i) {
        snw_ClosedJoint *joint = &out->joints[i];
        double turn = joint->angle - chain->angle[joint->joint];
        sinew_sincos(turn, &joint->from_chain.sine, &joint->from_chain.cosine);
    }
}
