// Sizes are those of a man of 1.75 m, in metres, by eye and common girths; each limb is scaled by the
// length of its bones.

#include "shape/human_shape.h"

#include <math.h>

typedef struct Human {
    snw_Skin *skin;
    const sinew_Skeleton *skeleton;
    const sinew_RoleGuess *roles;
    const sinew_Transform *world;
    sinew_Vec3 up, left, forward;
    int hips, neck, head;
    int spine[8];
    int spine_count;
    double scale; ///< by the length of the legs
} Human;

static int find(const Human *human, sinew_Role role, sinew_Side side)
{
    return sinew_roles_find(human->roles, role, side, -1);
}

static sinew_Vec3 place(const Human *human, int joint)
{
    return human->world[joint].position;
}

// the first child that marks an end, -1
static int end_below(const Human *human, int joint)
{
    const int count = sinew_skeleton_joint_count(human->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(human->skeleton);
    int found = -1;
    for (int j = joint + 1; j < count; ++j) {
        if (joints[j].parent == joint && found < 0) { found = j; }
    }
    return found;
}

// the last of several joints in a row that turn as one, as ankles, wrists and heads of robots do
static int end_of_row(const Human *human, int joint)
{
    const int last = joint + sinew_skeleton_joints(human->skeleton)[joint].subtree_count;
    const sinew_JointRole *own = &human->roles->joints[joint];
    int end = joint;
    for (int j = joint + 1; j < last; ++j) {
        const sinew_JointRole *role = &human->roles->joints[j];
        if (role->role == own->role && role->side == own->side) { end = j; }
    }
    return end;
}

// What turns a bone: the joint that the next one hangs on. Hips and shoulders of robots are several joints
// in a row, and their roles do not tell which belong to it.
static int end_of_bone(const Human *human, int start, int next)
{
    const sinew_Joint *joints = sinew_skeleton_joints(human->skeleton);
    const int last = start + joints[start].subtree_count;
    return next > start && next < last ? joints[next].parent : start;
}

static double smooth(double from, double to, double x)
{
    const double t = fmin(fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static sinew_Vec3 across(sinew_Vec3 direction, sinew_Vec3 wish, sinew_Vec3 fallback)
{
    const sinew_Vec3 rest = sinew_vec3_add_scaled(
        wish, direction, -sinew_vec3_dot(wish, direction));
    if (sinew_vec3_length(rest) > 0.05) { return sinew_vec3_normalize_or(rest, fallback); }
    return sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(fallback, direction, -sinew_vec3_dot(fallback, direction)),
        sinew_vec3(1.0, 0.0, 0.0));
}

static snw_Ring make_ring(sinew_Vec3 center, sinew_Vec3 along, sinew_Vec3 front, double width,
    double front_reach, double back_reach)
{
    snw_Ring ring = { 0 };
    ring.center = center;
    ring.front = front;
    ring.side = sinew_vec3_cross(front, along);
    ring.width = width;
    ring.front_reach = front_reach;
    ring.back_reach = back_reach;
    ring.back_round = 1.0;
    return ring;
}

static void bind(snw_Ring *ring, int first, int second, double blend)
{
    ring->joints[0] = first;
    ring->joints[1] = second;
    ring->blend = blend;
}

// ---------------------------------------------------------------------------------------------
// Legs and arms: two bones, rings at 0..1 on the first and 1..2 on the second

typedef struct LimbRow {
    double at, width, front, back;
} LimbRow;

static const LimbRow leg_rows[] = {
    { -0.20, 0.030, 0.030, 0.030 },
    { -0.18, 0.066, 0.062, 0.066 },
    { -0.08, 0.082, 0.080, 0.092 },
    { 0.05, 0.085, 0.084, 0.096 },
    { 0.20, 0.081, 0.085, 0.089 },
    { 0.40, 0.072, 0.080, 0.078 },
    { 0.62, 0.062, 0.069, 0.064 },
    { 0.82, 0.053, 0.059, 0.053 },
    { 0.95, 0.051, 0.057, 0.047 },
    { 1.04, 0.050, 0.055, 0.046 },
    { 1.14, 0.049, 0.048, 0.053 },
    { 1.27, 0.051, 0.043, 0.066 },
    { 1.40, 0.049, 0.041, 0.066 },
    { 1.58, 0.042, 0.038, 0.054 },
    { 1.76, 0.034, 0.034, 0.040 },
    { 1.90, 0.031, 0.033, 0.036 },
    { 2.00, 0.034, 0.036, 0.040 },
    { 2.06, 0.031, 0.034, 0.038 },
    { 2.07, 0.010, 0.010, 0.010 },
};

static const LimbRow arm_rows[] = {
    { -0.20, 0.012, 0.012, 0.012 },
    { -0.175, 0.036, 0.036, 0.036 },
    { -0.10, 0.053, 0.052, 0.052 },
    { 0.02, 0.058, 0.060, 0.058 },
    { 0.18, 0.054, 0.058, 0.055 },
    { 0.38, 0.046, 0.051, 0.050 },
    { 0.60, 0.041, 0.046, 0.047 },
    { 0.82, 0.038, 0.040, 0.041 },
    { 1.00, 0.038, 0.040, 0.038 },
    { 1.14, 0.041, 0.043, 0.040 },
    { 1.32, 0.041, 0.043, 0.040 },
    { 1.55, 0.034, 0.037, 0.034 },
    { 1.80, 0.026, 0.031, 0.029 },
    { 1.95, 0.023, 0.029, 0.028 },
    { 2.02, 0.022, 0.029, 0.028 },
    { 2.03, 0.008, 0.010, 0.010 },
};

#define MOST_ROWS 24

typedef struct Limb {
    int above, joints[3]; ///< what it hangs on, and what turns its two bones and its end
    sinew_Vec3 places[3]; ///< where they start
    double scale;
    uint8_t material;
} Limb;

static void add_limb(
    const Human *human, const Limb *limb, const LimbRow *rows, int count, int sides, int fine_rows)
{
    const sinew_Vec3 a = limb->places[0], b = limb->places[1], c = limb->places[2];
    const sinew_Vec3 upper = sinew_vec3_normalize_or(sinew_vec3_sub(b, a), human->up);
    const sinew_Vec3 lower = sinew_vec3_normalize_or(sinew_vec3_sub(c, b), upper);
    snw_Ring rings[MOST_ROWS];
    for (int i = 0; i < count; ++i) {
        const double at = rows[i].at;
        const sinew_Vec3 center = at < 1.0 ? sinew_vec3_lerp(a, b, at)
                                           : sinew_vec3_lerp(b, c, at - 1.0);
        const sinew_Vec3 along = sinew_vec3_normalize_or(
            sinew_vec3_lerp(upper, lower, smooth(0.85, 1.15, at)), upper);
        rings[i] = make_ring(center, along, across(along, human->forward, human->up),
            limb->scale * rows[i].width, limb->scale * rows[i].front, limb->scale * rows[i].back);
        if (at < 0.5) {
            bind(&rings[i], limb->above, limb->joints[0], smooth(-0.24, 0.12, at));
        } else if (at < 1.5) {
            bind(&rings[i], limb->joints[0], limb->joints[1], smooth(0.86, 1.14, at));
        } else {
            bind(&rings[i], limb->joints[1], limb->joints[2], smooth(1.92, 2.08, at));
        }
    }
    snw_skin_loft(human->skin, rings, count, sides, fine_rows, limb->material);
}

// ---------------------------------------------------------------------------------------------
// Feet: rings from heel to tip, flat below

typedef struct FootRow {
    double at, width, top; ///< at: 0 heel, 1 tip
} FootRow;

static const FootRow foot_rows[] = {
    { 0.00, 0.010, 0.030 },
    { 0.01, 0.022, 0.042 },
    { 0.06, 0.031, 0.060 },
    { 0.16, 0.035, 0.080 },
    { 0.28, 0.036, 0.088 },
    { 0.40, 0.037, 0.076 },
    { 0.54, 0.041, 0.058 },
    { 0.68, 0.046, 0.044 },
    { 0.78, 0.046, 0.036 },
    { 0.88, 0.041, 0.029 },
    { 0.96, 0.030, 0.024 },
    { 0.995, 0.016, 0.018 },
    { 1.00, 0.005, 0.012 },
};

// How far the deepest joint below an ankle is under it, metres, negative; 0: none is where soles are.
static double sole_below(const Human *human, int ankle, double scale)
{
    const int last = ankle + sinew_skeleton_joints(human->skeleton)[ankle].subtree_count;
    double down = 0.0;
    for (int j = ankle + 1; j < last; ++j) {
        const sinew_Vec3 way = sinew_vec3_sub(place(human, j), place(human, ankle));
        const double deep = sinew_vec3_dot(way, human->up);
        if (deep < -0.03 * scale && deep > -0.2 * scale) { down = fmin(down, deep); }
    }
    return down;
}

static void add_foot(const Human *human, int ankle, int toe, double scale, uint8_t material)
{
    const sinew_Vec3 at = place(human, ankle);
    const int tip = toe >= 0 ? end_below(human, toe) : end_below(human, ankle);
    sinew_Vec3 way = human->forward;
    if (toe >= 0) { way = sinew_vec3_sub(place(human, toe), at); }
    way = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(way, human->up, -sinew_vec3_dot(way, human->up)), human->forward);

    // the sole is where the lowest joint of the foot is, if that is where soles are
    double down = sole_below(human, ankle, scale);
    if (down == 0.0) { down = -0.068 * scale; }
    const int below[2] = { tip, toe };
    for (int i = 0; i < 2; ++i) {
        if (below[i] < 0) { continue; }
        const double deep = sinew_vec3_dot(sinew_vec3_sub(place(human, below[i]), at), human->up);
        if (deep < -0.03 * scale && deep > -0.13 * scale) {
            down = deep;
            break;
        }
    }
    double reach = 0.211 * scale;
    double ball = 0.145 * scale;
    if (toe >= 0) {
        ball = sinew_vec3_dot(sinew_vec3_sub(place(human, toe), at), way);
        reach = ball + 0.066 * scale;
    }
    if (tip >= 0) {
        const double far = sinew_vec3_dot(sinew_vec3_sub(place(human, tip), at), way);
        if (far > 0.10 * scale && far < 0.30 * scale) { reach = far; }
    }
    const double back = -0.062 * scale;
    reach += 0.008 * scale;
    // up to the shank where the ankle is high
    const double tall = fmax(scale, -down / 0.095);

    enum { COUNT = (int)(sizeof foot_rows / sizeof *foot_rows) };
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const double along = back + foot_rows[i].at * (reach - back);
        const double top = foot_rows[i].top * tall;
        const double middle = 0.42 * top;
        sinew_Vec3 center = sinew_vec3_add_scaled(at, way, along);
        center = sinew_vec3_add_scaled(center, human->up, down + middle);
        rings[i] = make_ring(
            center, way, human->up, foot_rows[i].width * scale, top - middle, middle);
        rings[i].back_round = 0.45;
        bind(&rings[i], ankle, toe >= 0 ? toe : ankle,
            smooth(ball - 0.018 * scale, ball + 0.018 * scale, along));
    }
    snw_skin_loft(human->skin, rings, COUNT, 20, 22, material);
}

// ---------------------------------------------------------------------------------------------
// Hands: a mitten and a thumb

static const LimbRow hand_rows[] = {
    { -0.06, 0.010, 0.010, 0.010 },
    { -0.05, 0.021, 0.028, 0.028 },
    { 0.10, 0.017, 0.033, 0.031 },
    { 0.30, 0.016, 0.042, 0.039 },
    { 0.50, 0.0145, 0.042, 0.039 },
    { 0.72, 0.011, 0.037, 0.035 },
    { 0.92, 0.009, 0.026, 0.027 },
    { 0.99, 0.006, 0.013, 0.015 },
    { 1.00, 0.002, 0.004, 0.004 },
};

static const LimbRow thumb_rows[] = {
    { 0.00, 0.008, 0.008, 0.008 },
    { 0.10, 0.013, 0.014, 0.014 },
    { 0.55, 0.011, 0.012, 0.012 },
    { 0.90, 0.009, 0.009, 0.009 },
    { 1.00, 0.002, 0.002, 0.002 },
};

bool snw_human_has_fingers(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, int hand)
{
    // the second joints of three fingers, the thumb among them or not
    int bends = 0;
    for (int j = hand + 1; j < hand + sinew_skeleton_joints(skeleton)[hand].subtree_count; ++j) {
        const sinew_JointRole *role = &roles->joints[j];
        bends += role->role >= SINEW_ROLE_THUMB && role->role <= SINEW_ROLE_PINKY
            && role->number == 2;
    }
    return bends >= 3;
}

static void add_hand(const Human *human, const Limb *arm)
{
    const int elbow = arm->joints[1], hand = arm->joints[2];
    const double scale = arm->scale;
    const sinew_Vec3 wrist = arm->places[2];
    const sinew_Vec3 along = sinew_vec3_normalize_or(
        sinew_vec3_sub(wrist, arm->places[1]), sinew_vec3_scale(human->up, -1.0));
    const sinew_Vec3 front = across(along, human->forward, human->up);
    // the palm looks down or to the body, and the fingers curl that way
    const sinew_Vec3 middle = human->world[human->hips].position;
    sinew_Vec3 palm = sinew_vec3_cross(front, along);
    const sinew_Vec3 inward = sinew_vec3_add_scaled(sinew_vec3_scale(human->up, -1.0),
        sinew_vec3_normalize_or(sinew_vec3_sub(middle, wrist), human->up), 1.0);
    if (sinew_vec3_dot(palm, inward) < 0.0) { palm = sinew_vec3_scale(palm, -1.0); }

    enum {
        COUNT = (int)(sizeof hand_rows / sizeof *hand_rows),
        THUMB = (int)(sizeof thumb_rows / sizeof *thumb_rows)
    };
    const double length = 0.185 * scale;
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const double at = hand_rows[i].at, curl = 0.16 * at * at;
        sinew_Vec3 center = sinew_vec3_add_scaled(wrist, along, length * (at - 0.04 * at * at));
        center = sinew_vec3_add_scaled(center, palm, length * curl);
        const sinew_Vec3 way = sinew_vec3_normalize_or(
            sinew_vec3_add_scaled(along, palm, 0.32 * at), along);
        rings[i] = make_ring(center, way, front, scale * hand_rows[i].width,
            scale * hand_rows[i].front, scale * hand_rows[i].back);
        bind(&rings[i], elbow, hand, smooth(-0.10, 0.08, at));
    }
    snw_skin_loft(human->skin, rings, COUNT, 14, 16, arm->material);

    const sinew_Vec3 root = sinew_vec3_add_scaled(
        sinew_vec3_add_scaled(wrist, along, 0.10 * length), front, 0.022 * scale);
    const sinew_Vec3 way = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(sinew_vec3_add_scaled(along, front, 0.42), palm, 0.25), along);
    snw_Ring thumb[THUMB];
    for (int i = 0; i < THUMB; ++i) {
        thumb[i] = make_ring(sinew_vec3_add_scaled(root, way, 0.078 * scale * thumb_rows[i].at),
            way, across(way, front, human->up), scale * thumb_rows[i].width,
            scale * thumb_rows[i].front, scale * thumb_rows[i].back);
        bind(&thumb[i], hand, hand, 0.0);
    }
    snw_skin_loft(human->skin, thumb, THUMB, 9, 9, arm->material);
}

// ---------------------------------------------------------------------------------------------
// Trunk, shoulders, head

typedef struct TrunkRow {
    double at; ///< 0 hip joints, 1 base of the neck, 2 inside the head
    double offset, width, front, back;
} TrunkRow;

static const TrunkRow trunk_rows[] = {
    { -0.195, 0.000, 0.010, 0.020, 0.020 },
    { -0.185, 0.000, 0.035, 0.052, 0.060 },
    { -0.120, -0.004, 0.092, 0.078, 0.098 },
    { -0.030, -0.004, 0.152, 0.092, 0.116 },
    { 0.060, -0.004, 0.164, 0.099, 0.112 },
    { 0.150, -0.004, 0.156, 0.101, 0.097 },
    { 0.260, -0.004, 0.139, 0.098, 0.084 },
    { 0.360, -0.004, 0.133, 0.096, 0.082 },
    { 0.480, -0.004, 0.141, 0.102, 0.090 },
    { 0.620, -0.006, 0.154, 0.112, 0.101 },
    { 0.760, -0.010, 0.163, 0.118, 0.107 },
    { 0.860, -0.014, 0.165, 0.112, 0.105 },
    { 0.940, -0.018, 0.146, 0.090, 0.094 },
    { 1.000, -0.018, 0.096, 0.066, 0.078 },
    { 1.200, -0.010, 0.064, 0.055, 0.062 },
    { 1.450, 0.000, 0.055, 0.052, 0.054 },
    { 1.800, 0.006, 0.052, 0.052, 0.052 },
    { 2.000, 0.006, 0.040, 0.040, 0.040 },
};

// from the base of the neck to the head of who has no joint there
#define NECK 0.09

// the two joints of the spine that a height is bound to, and how far to the second
static void bind_trunk(
    const Human *human, snw_Ring *ring, double at, double length, sinew_Vec3 bottom)
{
    int chain[12], count = 0;
    double heights[12];
    chain[count] = human->hips;
    heights[count++] = 0.0;
    for (int i = 0; i < human->spine_count; ++i) {
        chain[count] = human->spine[i];
        heights[count++] = sinew_vec3_dot(
                               sinew_vec3_sub(place(human, human->spine[i]), bottom), human->up)
            / length;
    }
    if (human->neck >= 0) {
        chain[count] = human->neck;
        heights[count++] = 1.15;
    }
    if (human->head >= 0) {
        chain[count] = human->head;
        heights[count++] = 1.8;
    }
    bind(ring, chain[0], chain[0], 0.0);
    for (int i = 1; i < count; ++i) {
        // short distances between joints blend over as much
        const double below = heights[i] - heights[i - 1];
        const double half = fmin(fmax(0.5 * below, 0.03), 0.13);
        const double blend = smooth(heights[i] - half, heights[i] + half, at);
        if (blend > 0.0) { bind(ring, chain[i - 1], chain[i], blend); }
    }
}

static void add_trunk(
    const Human *human, sinew_Vec3 bottom, sinew_Vec3 top, double hip_scale, double shoulder_scale)
{
    // the neck ends inside the head
    const sinew_Vec3 end = human->head >= 0
        ? sinew_vec3_add_scaled(place(human, human->head), human->up, 0.03 * human->scale)
        : sinew_vec3_add_scaled(top, human->up, (NECK + 0.03) * human->scale);
    enum { COUNT = (int)(sizeof trunk_rows / sizeof *trunk_rows) };
    const double length = sinew_vec3_distance(bottom, top);
    const sinew_Vec3 along = sinew_vec3_normalize_or(sinew_vec3_sub(top, bottom), human->up);
    const sinew_Vec3 front = across(along, human->forward, human->up);
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const TrunkRow *row = &trunk_rows[i];
        double scale = hip_scale + (shoulder_scale - hip_scale) * smooth(0.1, 0.8, row->at);
        // the neck is not as wide as the shoulders say
        scale += (human->scale - scale) * smooth(0.95, 1.2, row->at);
        sinew_Vec3 center = row->at <= 1.0 ? sinew_vec3_lerp(bottom, top, row->at)
                                           : sinew_vec3_lerp(top, end, row->at - 1.0);
        center = sinew_vec3_add_scaled(center, front, human->scale * row->offset);
        rings[i] = make_ring(center, along, front, scale * row->width, human->scale * row->front,
            human->scale * row->back);
        bind_trunk(human, &rings[i], row->at, length, bottom);
    }
    snw_skin_loft(human->skin, rings, COUNT, 36, 40, SNW_MATERIAL_MIDDLE);
}

static void add_shoulders(const Human *human, int chest, const Limb *arms)
{
    enum { COUNT = 7 };
    static const double at[COUNT] = { 0.0, 0.02, 0.22, 0.5, 0.78, 0.98, 1.0 };
    static const double thick[COUNT] = { 0.20, 0.80, 1.00, 1.10, 1.00, 0.80, 0.20 };
    const sinew_Vec3 left = arms[0].places[0], right = arms[1].places[0];
    const sinew_Vec3 along = sinew_vec3_normalize_or(sinew_vec3_sub(right, left), human->left);
    const sinew_Vec3 front = across(along, human->forward, human->up);
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const sinew_Vec3 center = sinew_vec3_add_scaled(
            sinew_vec3_lerp(left, right, at[i]), human->up, -0.004 * human->scale);
        rings[i] = make_ring(center, along, front, 0.056 * human->scale * thick[i],
            0.058 * human->scale * thick[i], 0.068 * human->scale * thick[i]);
        bind(&rings[i], chest, chest, 0.0);
    }
    snw_skin_loft(human->skin, rings, COUNT, 16, 12, SNW_MATERIAL_MIDDLE);
}

typedef struct HeadRow {
    double height, offset, width, front, back;
} HeadRow;

static const HeadRow head_rows[] = {
    { -0.036, 0.050, 0.006, 0.010, 0.016 },
    { -0.033, 0.046, 0.028, 0.036, 0.040 },
    { -0.016, 0.036, 0.049, 0.056, 0.066 },
    { 0.012, 0.024, 0.061, 0.072, 0.080 },
    { 0.045, 0.014, 0.068, 0.084, 0.089 },
    { 0.085, 0.006, 0.074, 0.092, 0.096 },
    { 0.125, 0.000, 0.076, 0.093, 0.099 },
    { 0.158, -0.004, 0.068, 0.083, 0.089 },
    { 0.182, -0.006, 0.050, 0.060, 0.066 },
    { 0.195, -0.008, 0.024, 0.028, 0.032 },
    { 0.198, -0.008, 0.004, 0.004, 0.004 },
};

static void add_head(const Human *human, int joint, sinew_Vec3 at)
{
    enum { COUNT = (int)(sizeof head_rows / sizeof *head_rows), NOSE = 4 };
    const double scale = human->scale;
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const HeadRow *row = &head_rows[i];
        sinew_Vec3 center = sinew_vec3_add_scaled(at, human->up, scale * row->height);
        center = sinew_vec3_add_scaled(center, human->forward, scale * row->offset);
        rings[i] = make_ring(center, human->up, human->forward, scale * row->width,
            scale * row->front, scale * row->back);
        bind(&rings[i], joint, joint, 0.0);
    }
    snw_skin_loft(human->skin, rings, COUNT, 24, 22, SNW_MATERIAL_MIDDLE);

    static const double nose[NOSE][3] = { { 0.075, 0.092, 0.003 }, { 0.062, 0.099, 0.008 },
        { 0.032, 0.109, 0.014 }, { 0.024, 0.098, 0.006 } };
    snw_Ring bridge[NOSE];
    for (int i = 0; i < NOSE; ++i) {
        sinew_Vec3 center = sinew_vec3_add_scaled(at, human->up, scale * nose[NOSE - 1 - i][0]);
        center = sinew_vec3_add_scaled(center, human->forward, scale * nose[NOSE - 1 - i][1]);
        const double size = scale * nose[NOSE - 1 - i][2];
        bridge[i] = make_ring(center, human->up, human->forward, size, 0.8 * size, size);
        bind(&bridge[i], joint, joint, 0.0);
    }
    snw_skin_loft(human->skin, bridge, NOSE, 8, 6, SNW_MATERIAL_MIDDLE);
}

// ---------------------------------------------------------------------------------------------
// The whole

static void find_spine(Human *human)
{
    const int count = human->roles->joint_count;
    for (int j = 0; j < count && human->spine_count < 8; ++j) {
        const sinew_Role role = human->roles->joints[j].role;
        if ((role == SINEW_ROLE_SPINE || role == SINEW_ROLE_CHEST) && j != human->hips) {
            human->spine[human->spine_count++] = j;
        }
    }
    human->neck = find(human, SINEW_ROLE_NECK, SINEW_SIDE_NONE);
    human->head = find(human, SINEW_ROLE_HEAD, SINEW_SIDE_NONE);
    if (human->head >= 0) { human->head = end_of_row(human, human->head); }
}

// one side; the lengths of its bones against those of a man
static bool find_limb(const Human *human, sinew_Role first, sinew_Role second, sinew_Role third,
    sinew_Side side, double usual, Limb *limb)
{
    const sinew_Role roles[3] = { first, second, third };
    int starts[3];
    for (int i = 0; i < 3; ++i) {
        starts[i] = find(human, roles[i], side);
        if (starts[i] < 0) { return false; }
    }
    for (int i = 0; i < 2; ++i) {
        limb->joints[i] = end_of_bone(human, starts[i], starts[i + 1]);
        limb->places[i] = place(human, starts[i]);
    }
    // a hand or foot is where its row ends
    limb->joints[2] = end_of_row(human, starts[2]);
    limb->places[2] = place(human, limb->joints[2]);
    const double length = sinew_vec3_distance(limb->places[0], limb->places[1])
        + sinew_vec3_distance(limb->places[1], limb->places[2]);
    limb->scale = length / usual;
    limb->material = side == SINEW_SIDE_LEFT ? SNW_MATERIAL_LEFT : SNW_MATERIAL_RIGHT;
    return length > 0.0;
}

bool snw_human_skin(snw_Skin *skin, const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, const sinew_Transform *world_from_joint)
{
    if (stance->source == SINEW_STANCE_NONE) { return false; }
    Human human = { 0 };
    human.skin = skin;
    human.skeleton = skeleton;
    human.roles = roles;
    human.world = world_from_joint;
    human.up = stance->up;
    human.left = stance->left;
    human.forward = stance->ahead;
    human.hips = find(&human, SINEW_ROLE_HIPS, SINEW_SIDE_NONE);
    const sinew_Side sides[2] = { SINEW_SIDE_LEFT, SINEW_SIDE_RIGHT };
    Limb legs[2], arms[2];
    bool has_arms = true;
    for (int s = 0; s < 2; ++s) {
        if (human.hips < 0
            || !find_limb(&human, SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT, sides[s],
                0.8595, &legs[s])) {
            return false;
        }
        has_arms = has_arms
            && find_limb(&human, SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, SINEW_ROLE_HAND, sides[s],
                0.581, &arms[s]);
    }
    human.scale = 0.5 * (legs[0].scale + legs[1].scale);
    find_spine(&human);
    const int chest = human.spine_count > 0 ? human.spine[human.spine_count - 1] : human.hips;

    // limbs alone are striped
    const uint8_t stripe = skin->stripe;
    for (int s = 0; s < 2; ++s) {
        legs[s].above = human.hips;
        skin->stripe = stripe;
        add_limb(&human, &legs[s], leg_rows, (int)(sizeof leg_rows / sizeof *leg_rows), 24, 40);
        skin->stripe = 0;
        add_foot(&human, legs[s].joints[2], find(&human, SINEW_ROLE_TOE, sides[s]), legs[s].scale,
            legs[s].material);
        if (!has_arms) { continue; }
        const int clavicle = find(&human, SINEW_ROLE_CLAVICLE, sides[s]);
        arms[s].above = clavicle >= 0 ? clavicle : chest;
        // thick as the body is, not as the arms are long
        arms[s].scale = 0.5 * (arms[s].scale + human.scale);
        skin->stripe = stripe;
        add_limb(&human, &arms[s], arm_rows, (int)(sizeof arm_rows / sizeof *arm_rows), 18, 28);
        skin->stripe = 0;
        if (snw_human_has_fingers(skeleton, roles, arms[s].joints[2])) { continue; }
        add_hand(&human, &arms[s]);
    }

    const sinew_Vec3 bottom = sinew_vec3_lerp(legs[0].places[0], legs[1].places[0], 0.5);
    sinew_Vec3 top = sinew_vec3_add_scaled(bottom, human.up, 0.535 * human.scale);
    double shoulder_scale = human.scale;
    if (has_arms) {
        const sinew_Vec3 l = arms[0].places[0], r = arms[1].places[0];
        shoulder_scale = fmin(
            fmax(sinew_vec3_distance(l, r) / 0.38, 0.7 * human.scale), 1.25 * human.scale);
        add_shoulders(&human, chest, arms);
        // shoulders lie at 0.94 of the trunk
        top = sinew_vec3_add_scaled(bottom, human.up,
            sinew_vec3_dot(sinew_vec3_sub(sinew_vec3_lerp(l, r, 0.5), bottom), human.up) / 0.94);
    }
    if (human.neck >= 0 && !has_arms) { top = place(&human, human.neck); }
    const double hips = sinew_vec3_distance(legs[0].places[0], legs[1].places[0]);
    const double hip_scale = fmin(fmax(hips / 0.175, 0.85 * human.scale), 1.2 * human.scale);
    add_trunk(&human, bottom, top, hip_scale, shoulder_scale);
    // machines may carry theirs on the chest
    const sinew_Vec3 nape = sinew_vec3_add_scaled(top, human.up, NECK * human.scale);
    add_head(&human, human.head >= 0 ? human.head : chest,
        human.head >= 0 ? place(&human, human.head) : nape);
    skin->stripe = stripe;
    return true;
}
