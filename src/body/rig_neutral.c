#include "body/rig_neutral.h"

#include <string.h>

// Frames of a motion that are looked at for the axes of elbows and knees.
#define LOOKED_FRAMES 200
// A bent chain shows its axis when it is bent by this much (sine).
#define CLEAR_BEND 0.12
// Share of the bends of a motion that must be about one axis.
#define CLEAR_AXIS 0.7
// Shorter bones have no direction, metres.
#define SHORT_BONE 1e-5
// Ends of bones farther away than this are garbage, statures.
#define LONGEST_END 0.25
// Hands of rest poses go on as their forearms within 35 degrees (cosine).
#define STRAIGHT_HAND 0.82
// Difference of two directions (sine) from which one is straighter than the other.
#define CLEARLY_STRAIGHTER 0.05

sinew_Vec3 snw_body_way(const snw_RigBody *body, snw_BodyWay way, sinew_Side side)
{
    sinew_Vec3 out = sinew_vec3_scale(body->left, side == SINEW_SIDE_RIGHT ? -1.0 : 1.0);
    switch (way) {
    case SNW_WAY_UP: return body->up;
    case SNW_WAY_DOWN: return sinew_vec3_scale(body->up, -1.0);
    case SNW_WAY_FORWARD: return body->forward;
    case SNW_WAY_BACK: return sinew_vec3_scale(body->forward, -1.0);
    case SNW_WAY_OUT: return out;
    case SNW_WAY_IN: return sinew_vec3_scale(out, -1.0);
    default: return sinew_vec3(0.0, 0.0, 0.0);
    }
}

int snw_body_find(const snw_RigBody *body, sinew_Role role, sinew_Side side, int number)
{
    for (int j = 0; j < body->count; ++j) {
        const sinew_JointRole *r = &body->roles[j];
        if (r->role == role && r->side == side && (number < 0 || r->number == number)) { return j; }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Where bones end

static bool is_below(const snw_RigBody *body, int joint, int above)
{
    return joint > above && joint < above + body->joints[above].subtree_count;
}

// the first joint of a role below another one, -1
static int find_below(
    const snw_RigBody *body, int above, sinew_Role role, sinew_Side side, int number)
{
    for (int j = above + 1; j < above + body->joints[above].subtree_count; ++j) {
        const sinew_JointRole *r = &body->roles[j];
        if (r->role == role
            && (r->side == side || role == SINEW_ROLE_NECK || role == SINEW_ROLE_HEAD)
            && (number < 0 || r->number == number)) {
            return j;
        }
    }
    return -1;
}

static int find_any_below(
    const snw_RigBody *body, int above, const sinew_Role *roles, int count, sinew_Side side)
{
    for (int i = 0; i < count; ++i) {
        int j = find_below(body, above, roles[i], side, -1);
        if (j >= 0) { return j; }
    }
    return -1;
}

static double distance(const snw_RigBody *body, int a, int b)
{
    return sinew_vec3_distance(body->look[a].position, body->look[b].position);
}

// the child farthest away, -1; ends of bones may be garbage, which shows when they are far off
static int farthest_child(const snw_RigBody *body, int joint)
{
    int best = -1;
    int end = joint + body->joints[joint].subtree_count;
    double stature = body->guess->stature;
    double far = stature > 0.0 ? LONGEST_END * stature : INFINITY;
    for (int c = joint + 1; c < end; c += body->joints[c].subtree_count) {
        bool is_end = body->joints[c].axis_count == 0 && body->joints[c].subtree_count == 1;
        if (is_end && distance(body, joint, c) > far) { continue; }
        if (best < 0 || distance(body, joint, c) > distance(body, joint, best)) { best = c; }
    }
    return best;
}

// the joint that the next part of the body starts with, -1
static int next_by_role(const snw_RigBody *body, int j)
{
    static const sinew_Role above_spine[] = { SINEW_ROLE_SPINE, SINEW_ROLE_CHEST, SINEW_ROLE_NECK,
        SINEW_ROLE_HEAD };
    static const sinew_Role in_hand[] = { SINEW_ROLE_MIDDLE, SINEW_ROLE_INDEX, SINEW_ROLE_RING };
    const sinew_JointRole *r = &body->roles[j];
    switch (r->role) {
    case SINEW_ROLE_HIPS:
    case SINEW_ROLE_SPINE: return find_any_below(body, j, above_spine, 4, SINEW_SIDE_NONE);
    case SINEW_ROLE_CHEST:
    case SINEW_ROLE_NECK: return find_any_below(body, j, above_spine + 2, 2, SINEW_SIDE_NONE);
    case SINEW_ROLE_CLAVICLE: return find_below(body, j, SINEW_ROLE_UPPERARM, r->side, -1);
    case SINEW_ROLE_UPPERARM: return find_below(body, j, SINEW_ROLE_FOREARM, r->side, -1);
    case SINEW_ROLE_FOREARM: return find_below(body, j, SINEW_ROLE_HAND, r->side, -1);
    case SINEW_ROLE_HAND: return find_any_below(body, j, in_hand, 3, r->side);
    case SINEW_ROLE_THIGH: return find_below(body, j, SINEW_ROLE_SHIN, r->side, -1);
    case SINEW_ROLE_SHIN: return find_below(body, j, SINEW_ROLE_FOOT, r->side, -1);
    case SINEW_ROLE_FOOT: return find_below(body, j, SINEW_ROLE_TOE, r->side, -1);
    case SINEW_ROLE_THUMB:
    case SINEW_ROLE_INDEX:
    case SINEW_ROLE_MIDDLE:
    case SINEW_ROLE_RING:
    case SINEW_ROLE_PINKY: return find_below(body, j, r->role, r->side, r->number + 1);
    default: return -1;
    }
}

static void find_bones(snw_RigBody *body)
{
    for (int j = 0; j < body->count; ++j) {
        int next = next_by_role(body, j);
        if (next < 0) { next = farthest_child(body, j); }
        body->next[j] = next;
        body->bone[j] = sinew_vec3(0.0, 0.0, 0.0);
        if (next < 0 || !is_below(body, next, j) || distance(body, j, next) < SHORT_BONE) {
            continue;
        }
        body->bone[j] = sinew_vec3_normalize_or(
            sinew_vec3_sub(body->look[next].position, body->look[j].position), body->bone[j]);
    }
    // a hand whose only bone is an end far off the forearm's line: the end is garbage
    for (int j = 0; j < body->count; ++j) {
        int p = body->joints[j].parent, next = body->next[j];
        if (body->roles[j].role != SINEW_ROLE_HAND || p < 0 || next < 0) { continue; }
        bool is_end = body->joints[next].axis_count == 0;
        if (is_end && sinew_vec3_dot(body->bone[j], body->bone[p]) < STRAIGHT_HAND) {
            body->bone[j] = body->bone[p];
        }
    }
    // what has no bone of its own goes on as its parent's does
    for (int j = 0; j < body->count; ++j) {
        int p = body->joints[j].parent;
        if (p >= 0 && sinew_vec3_length(body->bone[j]) < 0.5) { body->bone[j] = body->bone[p]; }
    }
    // feet and heads without anything beyond
    for (int j = 0; j < body->count; ++j) {
        bool blind = body->next[j] < 0 || distance(body, j, body->next[j]) < SHORT_BONE;
        if (!blind) { continue; }
        sinew_Role role = body->roles[j].role;
        if (role == SINEW_ROLE_FOOT) { body->bone[j] = body->forward; }
        if (role == SINEW_ROLE_HEAD || role == SINEW_ROLE_CHEST) { body->bone[j] = body->up; }
    }
}

// ---------------------------------------------------------------------------------------------
// Axes of elbows and knees

// sum of bend normals (bone x next bone) in the upper joint's frame, and of their lengths
static sinew_Vec3 bend_normal(const snw_RigBody *body, const sinew_Transform *world, int upper,
    int lower, int tip, double *out_bend)
{
    sinew_Vec3 a = sinew_vec3_sub(world[lower].position, world[upper].position);
    sinew_Vec3 b = sinew_vec3_sub(world[tip].position, world[lower].position);
    sinew_Vec3 zero = { 0.0, 0.0, 0.0 };
    (void)body;
    sinew_Vec3 n = sinew_vec3_cross(
        sinew_vec3_normalize_or(a, zero), sinew_vec3_normalize_or(b, zero));
    *out_bend = sinew_vec3_length(n);
    return sinew_quat_rotate(sinew_quat_conjugate(world[upper].rotation), n);
}

// the bend axis that a motion shows, in the upper joint's frame; zero when it shows none
static sinew_Vec3 axis_of_motion(
    snw_RigBody *body, const sinew_PoseList *motion, int upper, int lower, int tip)
{
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    double all = 0.0, bends = 0.0;
    size_t width = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
    int step = motion->count > LOOKED_FRAMES ? motion->count / LOOKED_FRAMES : 1, frames = 0;
    for (int f = 0; f < motion->count; f += step, ++frames) {
        sinew_pose_forward_chain(body->skeleton, motion->q + (size_t)f * width, tip, body->moving);
        double bend;
        sinew_Vec3 n = bend_normal(body, body->moving, upper, lower, tip, &bend);
        // clear bends count more
        sum = sinew_vec3_add_scaled(sum, n, bend);
        all += bend * bend;
        bends += bend;
    }
    bool clear = frames > 0 && bends > CLEAR_BEND * frames
        && sinew_vec3_length(sum) > CLEAR_AXIS * all;
    return clear ? sum : sinew_vec3(0.0, 0.0, 0.0);
}

// the direction of a vector at right angles to an axis
static sinew_Vec3 across(sinew_Vec3 v, sinew_Vec3 axis)
{
    sinew_Vec3 zero = { 0.0, 0.0, 0.0 };
    return sinew_vec3_normalize_or(sinew_vec3_add_scaled(v, axis, -sinew_vec3_dot(v, axis)), zero);
}

// turn the upper part of a limb about itself until its middle joint bends the way it should
static void align_bend(snw_RigBody *body, const sinew_PoseList *motion, sinew_Role upper_role,
    sinew_Role lower_role, sinew_Side side)
{
    int upper = snw_body_find(body, upper_role, side, -1);
    int lower = upper >= 0 ? find_below(body, upper, lower_role, side, -1) : -1;
    int tip = lower >= 0 ? body->next[lower] : -1;
    if (tip < 0 || distance(body, lower, tip) < SHORT_BONE) { return; }

    sinew_Vec3 axis = { 0.0, 0.0, 0.0 };
    if (motion != NULL) { axis = axis_of_motion(body, motion, upper, lower, tip); }
    if (sinew_vec3_length(axis) == 0.0) {
        double bend;
        axis = bend_normal(body, body->look, upper, lower, tip, &bend);
        if (bend < CLEAR_BEND) { return; }
    }
    const snw_HumanJoint *human = snw_human_joint(lower_role, 0, false);
    sinew_Vec3 down = snw_body_way(body, SNW_WAY_DOWN, side);
    sinew_Vec3 want = sinew_vec3_cross(down, snw_body_way(body, human->zero, side));
    sinew_Vec3 have = across(sinew_quat_rotate(body->neutral[upper], axis), down);
    if (sinew_vec3_length(have) < 0.5) { return; }
    double angle = sinew_atan2(
        sinew_vec3_dot(sinew_vec3_cross(have, want), down), sinew_vec3_dot(have, want));
    sinew_Quat twist = sinew_quat_from_axis_angle(down, angle);
    for (int j = upper; j < body->count && (j == upper || is_below(body, j, upper)); ++j) {
        // hand and foot have directions of their own
        if (body->next[lower] >= 0 && (j == tip || is_below(body, j, tip))) { continue; }
        body->neutral[j] = sinew_quat_mul(twist, body->neutral[j]);
    }
}

// ---------------------------------------------------------------------------------------------
// The pose

// Feet of most rest poses stand flat, however the legs are spread; those of some are spread with
// the legs. Neutral is what points straight ahead.
static sinew_Quat foot_turn(const snw_RigBody *body, int foot, sinew_Quat with_leg)
{
    if (body->guess->uses_reference) { return with_leg; }
    sinew_Vec3 kept = body->bone[foot], led = sinew_quat_rotate(with_leg, kept);
    double kept_aside = fabs(sinew_vec3_dot(kept, body->left));
    double led_aside = fabs(sinew_vec3_dot(led, body->left));
    return led_aside < kept_aside - CLEARLY_STRAIGHTER ? with_leg : sinew_quat_identity();
}

void snw_body_neutral(snw_RigBody *body, const sinew_PoseList *motion)
{
    find_bones(body);
    for (int j = 0; j < body->count; ++j) {
        const sinew_JointRole *r = &body->roles[j];
        int p = body->joints[j].parent;
        sinew_Quat turn = p >= 0 ? body->turn[p] : sinew_quat_identity();
        const snw_HumanJoint *human = snw_human_joint(r->role, r->number, false);
        bool has_bone = sinew_vec3_length(body->bone[j]) > 0.5;
        if (human != NULL && human->bone != SNW_WAY_KEEP && has_bone) {
            sinew_Vec3 now = sinew_quat_rotate(turn, body->bone[j]);
            sinew_Vec3 want = snw_body_way(body, human->bone, r->side);
            turn = sinew_quat_mul(sinew_quat_between(now, want), turn);
        }
        if (r->role == SINEW_ROLE_FOOT) { turn = foot_turn(body, j, turn); }
        body->turn[j] = turn;
        body->neutral[j] = sinew_quat_normalize(sinew_quat_mul(turn, body->look[j].rotation));
    }
    for (int side = SINEW_SIDE_LEFT; side <= SINEW_SIDE_RIGHT; ++side) {
        align_bend(body, motion, SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, (sinew_Side)side);
        align_bend(body, motion, SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, (sinew_Side)side);
    }
}
