#include "body/stance.h"

#include "math/holds.h"

// Shorter bones have no direction, metres.
#define SHORT_BONE 1e-5
// Ends of bones farther away than this are garbage, statures.
#define LONGEST_END 0.25
// Hands of rest poses go on as their forearms within 35 degrees (cosine).
#define STRAIGHT_HAND 0.82
// Difference of two directions (sine) from which one is straighter than the other.
#define CLEARLY_STRAIGHTER 0.05
// A part whose axes lie within 30 degrees of those of the body has axes that people chose: it takes them.
#define SNAP_ANGLE 0.55
// A forearm, shin or hand that goes straight on where its file says zero is untwisted there, a cosine.
#define STRAIGHT_ON 0.98
// Elbows and knees of a reference that bend askew by more than 45 degrees are turned.
#define ASKEW (SINEW_PI / 4.0)
// Feet that point aside by more than 15 degrees are turned ahead.
#define TOES_ASIDE (SINEW_PI / 12.0)
// Slope from ankle to ball of people, radians, where a motion does not show it.
#define FOOT_SLOPE 0.55

sinew_Vec3 snw_body_way(const snw_StanceBody *body, snw_BodyWay way, sinew_Side side)
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

int snw_body_find(const snw_StanceBody *body, sinew_Role role, sinew_Side side, int number)
{
    for (int j = 0; j < body->count; ++j) {
        const sinew_JointRole *r = &body->roles[j];
        if (r->role == role && r->side == side && (number < 0 || r->number == number)) { return j; }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Where bones end

static bool is_below(const snw_StanceBody *body, int joint, int above)
{
    return joint > above && joint < above + body->joints[above].subtree_count;
}

// the first joint of a role below another one, -1
static int find_below(
    const snw_StanceBody *body, int above, sinew_Role role, sinew_Side side, int number)
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
    const snw_StanceBody *body, int above, const sinew_Role *roles, int count, sinew_Side side)
{
    for (int i = 0; i < count; ++i) {
        int j = find_below(body, above, roles[i], side, -1);
        if (j >= 0) { return j; }
    }
    return -1;
}

static double distance(const snw_StanceBody *body, int a, int b)
{
    return sinew_vec3_distance(body->look[a].position, body->look[b].position);
}

// the child farthest away, -1; ends of bones may be garbage, which shows when they are far off
static int farthest_child(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
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
static int next_by_role(const snw_StanceBody *body, int j)
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

static void find_bones(snw_StanceBody *body)
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
// Limbs that bend the right way

static const sinew_Vec3 none = { 0.0, 0.0, 0.0 };

// the direction of a vector at right angles to an axis
static sinew_Vec3 across(sinew_Vec3 v, sinew_Vec3 axis)
{
    return sinew_vec3_normalize_or(sinew_vec3_add_scaled(v, axis, -sinew_vec3_dot(v, axis)), none);
}

// the angle about an axis from one direction to another
static double angle_about(sinew_Vec3 axis, sinew_Vec3 from, sinew_Vec3 to)
{
    return sinew_atan2(sinew_vec3_dot(sinew_vec3_cross(from, to), axis), sinew_vec3_dot(from, to));
}

static sinew_Role upper_role(sinew_Role middle)
{
    return middle == SINEW_ROLE_FOREARM ? SINEW_ROLE_UPPERARM : SINEW_ROLE_THIGH;
}

static int side_index(sinew_Side side)
{
    return side == SINEW_SIDE_RIGHT ? 1 : 0;
}

// where the bend axis of a limb that hangs down ought to be
static sinew_Vec3 wanted_axis(const snw_StanceBody *body, sinew_Role middle, sinew_Side side)
{
    const snw_HumanJoint *human = snw_human_joint(middle, 0, false);
    return sinew_vec3_cross(
        snw_body_way(body, SNW_WAY_DOWN, side), snw_body_way(body, human->zero, side));
}

static bool bend_axes(const snw_StanceBody *body, sinew_Role middle, sinew_Side side,
    sinew_Vec3 *out_upper, sinew_Vec3 *out_lower)
{
    snw_StanceKey first = middle == SINEW_ROLE_FOREARM ? SNW_KEY_UPPERARM : SNW_KEY_THIGH;
    return snw_stance_bend_axis(&body->seen, first, side_index(side), out_upper, out_lower);
}

// the turn about the vertical that brings an axis in a joint's frame to where it ought to be
static double twist_for(const snw_StanceBody *body, sinew_Quat world_from_joint, sinew_Vec3 axis,
    sinew_Role middle, sinew_Side side)
{
    sinew_Vec3 down = snw_body_way(body, SNW_WAY_DOWN, side);
    sinew_Vec3 have = across(sinew_quat_rotate(world_from_joint, axis), down);
    if (sinew_vec3_length(have) < 0.5) { return 0.0; }
    return angle_about(down, have, wanted_axis(body, middle, side));
}

double snw_body_bend_askew(const snw_StanceBody *body, sinew_Role middle, sinew_Side side)
{
    sinew_Vec3 upper_axis, lower_axis;
    int upper = snw_body_find(body, upper_role(middle), side, -1);
    if (upper < 0 || !bend_axes(body, middle, side, &upper_axis, &lower_axis)) { return 0.0; }
    return twist_for(body, body->neutral[upper], upper_axis, middle, side);
}

void snw_body_twist_limb(snw_StanceBody *body, sinew_Role middle, sinew_Side side, double angle)
{
    int upper = snw_body_find(body, upper_role(middle), side, -1);
    int lower = upper >= 0 ? find_below(body, upper, middle, side, -1) : -1;
    int tip = lower >= 0 ? body->next[lower] : -1;
    if (tip < 0 || angle == 0.0) { return; }
    sinew_Quat twist = sinew_quat_from_axis_angle(snw_body_way(body, SNW_WAY_DOWN, side), angle);
    for (int j = upper; j < body->count && (j == upper || is_below(body, j, upper)); ++j) {
        // hand and foot have directions of their own
        if (j == tip || is_below(body, j, tip)) { continue; }
        body->neutral[j] = sinew_quat_mul(twist, body->neutral[j]);
    }
}

// ---------------------------------------------------------------------------------------------
// Parts of a body that was caught in motion

// columns: two directions at right angles, and the third
static sinew_Quat frame_of(sinew_Vec3 left, sinew_Vec3 up)
{
    sinew_Mat3 axes = { left, up, sinew_vec3_cross(left, up) };
    return sinew_quat_from_mat3(axes);
}

// take the lean out of the trunk and level the hips
static sinew_Quat level_hips(const snw_StanceBody *body)
{
    const snw_StanceBody *b = body;
    int thighs[2], arms[2];
    for (int s = 0; s < 2; ++s) {
        thighs[s] = b->seen.keys.joint[s][SNW_KEY_THIGH];
        arms[s] = b->seen.keys.joint[s][SNW_KEY_UPPERARM];
    }
    if (arms[0] < 0 || arms[1] < 0) { return sinew_quat_identity(); }
    sinew_Vec3 hips = sinew_vec3_lerp(
        b->look[thighs[0]].position, b->look[thighs[1]].position, 0.5);
    sinew_Vec3 top = sinew_vec3_lerp(b->look[arms[0]].position, b->look[arms[1]].position, 0.5);
    sinew_Vec3 trunk = sinew_vec3_normalize_or(sinew_vec3_sub(top, hips), b->up);
    sinew_Vec3 left = sinew_vec3_sub(b->look[thighs[0]].position, b->look[thighs[1]].position);
    if (sinew_vec3_dot(left, b->left) < 0.0) { left = sinew_vec3_scale(left, -1.0); }
    left = across(left, trunk);
    if (sinew_vec3_length(left) < 0.5) { return sinew_quat_between(trunk, b->up); }
    return sinew_quat_mul(frame_of(b->left, b->up), sinew_quat_conjugate(frame_of(left, trunk)));
}

// turn the shoulders square to the hips
static sinew_Quat square_chest(const snw_StanceBody *body, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    const int *left_keys = body->seen.keys.joint[0], *right_keys = body->seen.keys.joint[1];
    if (left_keys[SNW_KEY_UPPERARM] < 0 || right_keys[SNW_KEY_UPPERARM] < 0) { return turn; }
    sinew_Vec3 line = sinew_vec3_sub(body->look[left_keys[SNW_KEY_UPPERARM]].position,
        body->look[right_keys[SNW_KEY_UPPERARM]].position);
    line = sinew_vec3_normalize_or(sinew_quat_rotate(turn, line), body->left);
    sinew_Vec3 want = sinew_vec3_dot(line, body->left) < 0.0 ? sinew_vec3_scale(body->left, -1.0)
                                                             : body->left;
    return sinew_quat_mul(sinew_quat_between(line, want), turn);
}

static sinew_Quat raise_neck(const snw_StanceBody *body, int neck, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    int head = snw_body_find(body, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1);
    if (head < 0 || !is_below(body, head, neck) || distance(body, neck, head) < SHORT_BONE) {
        return turn;
    }
    sinew_Vec3 way = sinew_vec3_sub(body->look[head].position, body->look[neck].position);
    way = sinew_vec3_normalize_or(sinew_quat_rotate(turn, way), body->up);
    return sinew_quat_mul(sinew_quat_between(way, body->up), turn);
}

// The nearest of the 24 rotations that take axes to axes; the rotation itself when none is near.
static sinew_Quat snap(sinew_Quat rotation)
{
    SNW_ASSERT(snw_holds_unit(rotation));
    sinew_Mat3 m = sinew_mat3_from_quat(rotation);
    double rows[3][3] = { { m.x.x, m.y.x, m.z.x }, { m.x.y, m.y.y, m.z.y },
        { m.x.z, m.y.z, m.z.z } };
    double best[3][3] = { { 0.0 } };
    // within 30 degrees the largest number of each column is the right one
    for (int c = 0; c < 3; ++c) {
        int row = 0;
        for (int r = 1; r < 3; ++r) {
            if (fabs(rows[r][c]) > fabs(rows[row][c])) { row = r; }
        }
        best[row][c] = rows[row][c] < 0.0 ? -1.0 : 1.0;
    }
    sinew_Mat3 axes = { { best[0][0], best[1][0], best[2][0] },
        { best[0][1], best[1][1], best[2][1] }, { best[0][2], best[1][2], best[2][2] } };
    double handed = sinew_vec3_dot(sinew_vec3_cross(axes.x, axes.y), axes.z);
    if (!(handed > 0.5)) { return rotation; }
    sinew_Quat snapped = sinew_quat_from_mat3(axes);
    return sinew_quat_angle(rotation, snapped) < SNAP_ANGLE ? snapped : rotation;
}

static bool is_snapped(sinew_Role role)
{
    switch (role) {
    case SINEW_ROLE_ROOT:
    case SINEW_ROLE_HIPS:
    case SINEW_ROLE_PELVIS:
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST:
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD:
    case SINEW_ROLE_CLAVICLE:
    case SINEW_ROLE_UPPERARM:
    case SINEW_ROLE_FOREARM:
    case SINEW_ROLE_HAND:
    case SINEW_ROLE_THIGH:
    case SINEW_ROLE_SHIN: return true;
    default: return false;
    }
}

static sinew_Quat world_of(const snw_StanceBody *body, int j, sinew_Quat turn)
{
    return sinew_quat_mul(turn, body->look[j].rotation);
}

static sinew_Quat turn_of(const snw_StanceBody *body, int j, sinew_Quat world)
{
    return sinew_quat_mul(world, sinew_quat_conjugate(body->look[j].rotation));
}

// what a joint's turn is when the joint is at its zero
static sinew_Quat zero_turn(const snw_StanceBody *body, int j)
{
    int p = body->joints[j].parent;
    return turn_of(
        body, j, sinew_quat_mul(world_of(body, p, body->turn[p]), body->joints[j].rest_rotation));
}

// where the bones go on that hang on this one, SNW_WAY_KEEP: nowhere in particular
static snw_BodyWay straight_way(sinew_Role role)
{
    switch (role) {
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD: return SNW_WAY_UP;
    case SINEW_ROLE_FOREARM:
    case SINEW_ROLE_HAND:
    case SINEW_ROLE_SHIN: return SNW_WAY_DOWN;
    default: return SNW_WAY_KEEP;
    }
}

static bool has_own_bone(const snw_StanceBody *body, int j)
{
    return body->next[j] >= 0 && distance(body, j, body->next[j]) > SHORT_BONE;
}

// Whether a joint at its zero goes straight on from its parent, as forearms do where files have their bones
// along one axis. What has no bone of its own is asked for its parent.
static bool goes_straight_on(const snw_StanceBody *body, int j)
{
    snw_BodyWay way = straight_way(body->roles[j].role);
    int p = body->joints[j].parent;
    if (way == SNW_WAY_KEEP || p < 0) { return false; }
    if (!has_own_bone(body, j)) { return goes_straight_on(body, p); } // a hand or head is an end
    sinew_Vec3 bone = sinew_quat_rotate(zero_turn(body, j), body->bone[j]);
    return sinew_vec3_dot(bone, snw_body_way(body, way, SINEW_SIDE_NONE)) > STRAIGHT_ON;
}

static sinew_Quat twist_by_motion(const snw_StanceBody *body, int j, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    const sinew_JointRole *r = &body->roles[j];
    bool is_upper = r->role == SINEW_ROLE_UPPERARM || r->role == SINEW_ROLE_THIGH;
    if (!is_upper && r->role != SINEW_ROLE_FOREARM) { return turn; }
    sinew_Role middle = r->role == SINEW_ROLE_THIGH ? SINEW_ROLE_SHIN : SINEW_ROLE_FOREARM;
    sinew_Vec3 upper_axis, lower_axis;
    if (!bend_axes(body, middle, r->side, &upper_axis, &lower_axis)) { return turn; }
    sinew_Vec3 axis = is_upper ? upper_axis : lower_axis;
    double angle = twist_for(body, world_of(body, j, turn), axis, middle, r->side);
    sinew_Vec3 down = snw_body_way(body, SNW_WAY_DOWN, r->side);
    return sinew_quat_mul(sinew_quat_from_axis_angle(down, angle), turn);
}

// ---------------------------------------------------------------------------------------------
// Feet

int snw_body_ball(const snw_StanceBody *body, sinew_Side side)
{
    return body->seen.keys.joint[side_index(side)][SNW_KEY_BALL];
}

// Feet of most rest poses stand flat, however the legs are spread; those of some are spread with
// the legs. Neutral is what points straight ahead.
static sinew_Quat rest_foot(const snw_StanceBody *body, int foot, sinew_Quat with_leg)
{
    sinew_Vec3 kept = body->bone[foot], led = sinew_quat_rotate(with_leg, kept);
    double kept_aside = fabs(sinew_vec3_dot(kept, body->left));
    double led_aside = fabs(sinew_vec3_dot(led, body->left));
    return led_aside < kept_aside - CLEARLY_STRAIGHTER ? with_leg : sinew_quat_identity();
}

// about the vertical, until the toes look ahead
static sinew_Quat face_ahead(const snw_StanceBody *body, int foot, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    int ball = snw_body_ball(body, body->roles[foot].side);
    if (ball < 0 || !is_below(body, ball, foot)) { return turn; }
    sinew_Vec3 toes = sinew_quat_rotate(
        turn, sinew_vec3_sub(body->look[ball].position, body->look[foot].position));
    sinew_Vec3 level = sinew_vec3_add_scaled(toes, body->up, -sinew_vec3_dot(toes, body->up));
    if (sinew_vec3_length(level) < CLEARLY_STRAIGHTER * sinew_vec3_length(toes)) { return turn; }
    double angle = angle_about(
        body->up, sinew_vec3_normalize_or(level, body->forward), body->forward);
    if (fabs(angle) < TOES_ASIDE) { return turn; }
    return sinew_quat_mul(sinew_quat_from_axis_angle(body->up, angle), turn);
}

// from ankle to ball in the foot's axes
static sinew_Vec3 foot_bone(const snw_StanceBody *body, int foot, int ball)
{
    sinew_Vec3 bone = sinew_vec3_sub(body->look[ball].position, body->look[foot].position);
    return sinew_quat_rotate(sinew_quat_conjugate(body->look[foot].rotation),
        sinew_vec3_normalize_or(bone, body->forward));
}

// how far feet slope down from ankle to ball while they stand, the mean of both; that of people when the motion
// does not show it
static double foot_slope(const snw_StanceBody *body)
{
    double sum = 0.0;
    int count = 0;
    for (int s = 0; s < 2; ++s) {
        const int *keys = body->seen.keys.joint[s];
        sinew_Vec3 up;
        if (keys[SNW_KEY_BALL] < 0 || snw_stance_sole_up(&body->seen, s, SNW_KEY_FOOT, &up) == 0) {
            continue;
        }
        sinew_Vec3 bone = foot_bone(body, keys[SNW_KEY_FOOT], keys[SNW_KEY_BALL]);
        sum -= sinew_asin(sinew_vec3_dot(up, bone));
        ++count;
    }
    return count > 0 ? sum / count : FOOT_SLOPE;
}

// A foot that goes straight on from its shin at zero shares its axes, and is turned up about the one that goes
// to the left; the sole of others lies as the motion shows it while it stands.
static sinew_Quat moving_foot(const snw_StanceBody *body, int foot, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Side side = body->roles[foot].side;
    int ball = snw_body_ball(body, side);
    if (ball < 0 || !is_below(body, ball, foot)) { return turn; }
    sinew_Vec3 bone = foot_bone(body, foot, ball), up;
    sinew_Quat zero = zero_turn(body, foot);
    sinew_Vec3 below = sinew_quat_rotate(world_of(body, foot, zero), bone);
    bool is_straight = -sinew_vec3_dot(below, body->up) > STRAIGHT_ON;
    if (!is_straight && snw_stance_sole_up(&body->seen, side_index(side), SNW_KEY_FOOT, &up) > 0) {
        sinew_Vec3 left = sinew_vec3_cross(up, bone);
        if (sinew_vec3_length(left) > CLEARLY_STRAIGHTER) {
            left = sinew_vec3_normalize_or(left, up);
            return turn_of(body, foot,
                sinew_quat_mul(
                    frame_of(body->left, body->up), sinew_quat_conjugate(frame_of(left, up))));
        }
    }
    double sine, cosine;
    sinew_sincos(foot_slope(body), &sine, &cosine);
    if (is_straight) { turn = zero; }
    sinew_Vec3 now = sinew_quat_rotate(world_of(body, foot, turn), bone);
    sinew_Vec3 want = sinew_vec3_add_scaled(
        sinew_vec3_scale(body->forward, cosine), body->up, -sine);
    return sinew_quat_mul(sinew_quat_between(now, want), turn);
}

// toes lie as flat as they do while the foot stands
static sinew_Quat level_toes(const snw_StanceBody *body, int toe, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Vec3 up;
    sinew_Side side = body->roles[toe].side;
    if (snw_body_ball(body, side) != toe
        || snw_stance_sole_up(&body->seen, side_index(side), SNW_KEY_BALL, &up) == 0) {
        return turn;
    }
    up = across(sinew_quat_rotate(world_of(body, toe, turn), up), body->left);
    if (sinew_vec3_length(up) < 0.5) { return turn; }
    double angle = angle_about(body->left, up, body->up);
    return sinew_quat_mul(sinew_quat_from_axis_angle(body->left, angle), turn);
}

// ---------------------------------------------------------------------------------------------
// The pose

static sinew_Quat hang(const snw_StanceBody *body, int j, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    const sinew_JointRole *r = &body->roles[j];
    const snw_HumanJoint *human = snw_human_joint(r->role, r->number, false);
    bool has_bone = sinew_vec3_length(body->bone[j]) > 0.5;
    if (human == NULL || human->bone == SNW_WAY_KEEP || !has_bone) { return turn; }
    sinew_Vec3 now = sinew_quat_rotate(turn, body->bone[j]);
    return sinew_quat_mul(sinew_quat_between(now, snw_body_way(body, human->bone, r->side)), turn);
}

// a part of a body that was caught in motion
static sinew_Quat straighten(const snw_StanceBody *body, int j, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    sinew_Role role = body->roles[j].role;
    if (role == SINEW_ROLE_HIPS) { turn = sinew_quat_mul(level_hips(body), turn); }
    if (role == SINEW_ROLE_CHEST) { turn = square_chest(body, turn); }
    if (role == SINEW_ROLE_NECK && body->roles[j].number == 0) { turn = raise_neck(body, j, turn); }
    if (goes_straight_on(body, j)) {
        turn = zero_turn(body, j);
    } else {
        turn = twist_by_motion(body, j, hang(body, j, turn));
    }
    if (is_snapped(role)) { turn = turn_of(body, j, snap(world_of(body, j, turn))); }
    return has_own_bone(body, j) ? hang(body, j, turn) : turn;
}

static sinew_Quat stand(const snw_StanceBody *body, int j, sinew_Quat turn)
{
    SNW_ASSERT(snw_holds_unit(turn));
    bool is_foot = body->roles[j].role == SINEW_ROLE_FOOT;
    if (body->source == SINEW_STANCE_FRAME) {
        if (body->roles[j].role == SINEW_ROLE_TOE) { return level_toes(body, j, turn); }
        return is_foot ? moving_foot(body, j, turn) : straighten(body, j, turn);
    }
    turn = hang(body, j, turn);
    return is_foot ? face_ahead(body, j, rest_foot(body, j, turn)) : turn;
}

void snw_body_neutral(snw_StanceBody *body)
{
    find_bones(body);
    for (int j = 0; j < body->count; ++j) {
        int p = body->joints[j].parent;
        sinew_Quat turn = p >= 0 ? body->turn[p] : sinew_quat_identity();
        turn = stand(body, j, turn);
        body->turn[j] = turn;
        body->neutral[j] = sinew_quat_normalize(sinew_quat_mul(turn, body->look[j].rotation));
    }
    if (body->source == SINEW_STANCE_FRAME) { return; }
    static const sinew_Role middles[2] = { SINEW_ROLE_FOREARM, SINEW_ROLE_SHIN };
    for (int i = 0; i < 4; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        double askew = snw_body_bend_askew(body, middles[i / 2], side);
        body->askew[i] = askew;
        if (fabs(askew) > ASKEW) { snw_body_twist_limb(body, middles[i / 2], side, askew); }
    }
}
