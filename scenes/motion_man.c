// MAN18's motion: some steps forward, a crouch to the floor, a reach for the ceiling on the toes, a
// wave, and on it goes. Feet are planned first, the hips follow them, closed-form legs join the two;
// trunk and arms go through keys, with a walking swing on top.

#include "scenes/motion.h"

#define THIGH 0.429
#define SHANK 0.4305
#define STEP_SIZE 0.6 // between two foot prints at full stride, metres
#define SWING_TIME 0.38
#define TRAVEL 2.7 // metres in a round

// ---------------------------------------------------------------------------------------------
// Feet

typedef struct Step {
    double start;    // seconds into the round
    double from, to; // along Z, metres
} Step;

static const Step left_steps[] = { { 0.25, 0.0, 0.45 }, { 1.25, 0.45, 1.65 }, { 2.25, 1.65, 2.7 } };
static const Step right_steps[] = { { 0.75, 0.0, 1.05 }, { 1.75, 1.05, 2.25 },
    { 2.75, 2.25, 2.7 } };

typedef struct Foot {
    double along; // the sole's reference point under the ankle, along Z
    double lift;  // of the whole foot above the floor
    double pitch; // heel up is positive, radians
    double swing; // 0 on the floor, 1 in mid-swing
} Foot;

// The foot at a time counted from the first round; may be a little before it.
static Foot foot_at(int side, double time)
{
    double rounds = floor(time / SCENE_MAN18_PERIOD);
    double t = time - rounds * SCENE_MAN18_PERIOD;
    const Step *steps = side > 0 ? left_steps : right_steps;

    // pitch of a full stride: push-off, swing, toe up at heel strike, down again; u counts swings
    static const double pitch_times[] = { -1.1, 0.0, 0.22, 0.75, 1.0, 1.3 };
    static const double pitch_degrees[] = { 0.0, 38.0, 46.0, -10.0, -17.0, 0.0 };

    Foot foot = { steps[0].from, 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i) {
        double u = (t - steps[i].start) / SWING_TIME;
        double size = (steps[i].to - steps[i].from) / (2.0 * STEP_SIZE);
        if (u > 0.0) {
            foot.along = steps[i].from + (steps[i].to - steps[i].from) * scene_smooth(0.0, 1.0, u);
        }
        if (u > 0.0 && u < 1.0) {
            foot.swing = 16.0 * u * u * (1.0 - u) * (1.0 - u);
            foot.lift = (0.03 + 0.02 * size) * foot.swing;
        }
        foot.pitch += size * scene_curve(pitch_times, pitch_degrees, 1, 6, u) * SCENE_DEGREE;
    }
    foot.along += rounds * TRAVEL;
    return foot;
}

// Ankle of a foot that rolls over its heel or its ball, from the point under it.
static sinew_Vec3 ankle_of(Foot foot, double across, sinew_Quat world_from_foot, sinew_Quat heading)
{
    sinew_Vec3 pivot = foot.pitch > 0.0 ? sinew_vec3(0.0, 0.02, 0.145)
                                        : sinew_vec3(0.0, 0.0, -0.055);
    sinew_Vec3 back = sinew_vec3_add(sinew_vec3(0.0, 0.068, 0.0), sinew_vec3_scale(pivot, -1.0));
    sinew_Vec3 place = sinew_vec3(across, foot.lift, foot.along);
    place = sinew_vec3_add(place, sinew_quat_rotate(heading, pivot));
    return sinew_vec3_add(place, sinew_quat_rotate(world_from_foot, back));
}

// ---------------------------------------------------------------------------------------------
// Keys of hips, trunk and arms

enum Column {
    DROP,          // of the hips, metres
    TIPTOE,        // heels up, degrees; so are all the rest but the shifts
    SHIFT_FORWARD, // of the hips, metres
    SHIFT_LEFT,
    HIPS_PITCH,
    SPINE_X,
    SPINE_Z,
    SPINE_Y,
    NECK_X,
    NECK_Y,
    RIGHT_ARM_X,
    RIGHT_ARM_Z,
    RIGHT_ARM_Y,
    RIGHT_ELBOW,
    RIGHT_HAND,
    LEFT_ARM_X,
    LEFT_ARM_Z,
    LEFT_ELBOW,
    COLUMN_COUNT,
};

#define KEY_COUNT 11

static const double key_times[KEY_COUNT] = { 0.0, 3.05, 3.85, 4.25, 5.15, 5.55, 6.15, 7.05, 7.55,
    7.85, SCENE_MAN18_PERIOD };

static const double keys[KEY_COUNT][COLUMN_COUNT] = {
    // drop tip  fwd   left   hip  spine x,z,y      neck x,y    right arm x,z,y, elbow, hand  left
    { .00, 0.0, 0.00, 0.00, 0.0, 2.0, 0.0, 0.0, 4.0, 0.0, -4.0, 9.0, 0.0, -16.0, -6.0, -4.0, 9.0,
        -16.0 },
    { .00, 0.0, 0.00, 0.00, 2.0, 3.0, 0.0, 0.0, 6.0, 0.0, -2.0, 10.0, 0.0, -20.0, -6.0, 4.0, 10.0,
        -20.0 },
    { .25, 20.0, -.11, -.03, 30.0, 42.0, 3.0, 14.0, -18.0, -6.0, -72.0, 4.0, 0.0, -10.0, -14.0,
        30.0, 24.0, -38.0 },
    { .28, 24.0, -.11, -.03, 32.0, 46.0, 3.0, 16.0, -24.0, -6.0, -66.0, 2.0, 0.0, -6.0, -26.0, 34.0,
        26.0, -44.0 },
    { .00, 27.0, 0.03, -.02, -3.0, -9.0, -9.0, 10.0, -26.0, 4.0, -156.0, 8.0, 0.0, -9.0, 10.0, 10.0,
        34.0, -22.0 },
    { .00, 29.0, 0.03, -.03, -4.0, -11.0, -11.0, 12.0, -29.0, 6.0, -163.0, 6.0, 0.0, -5.0, 4.0,
        12.0, 38.0, -18.0 },
    { .01, 0.0, 0.00, 0.05, 2.0, 1.0, -4.0, -8.0, 2.0, -14.0, -14.0, 78.0, 62.0, -96.0, 0.0, -6.0,
        12.0, -24.0 },
    { .01, 0.0, 0.00, 0.05, 2.0, 1.0, -5.0, -10.0, 1.0, -16.0, -14.0, 80.0, 64.0, -94.0, 0.0, -6.0,
        12.0, -26.0 },
    { .01, 0.0, -.02, 0.01, 8.0, 12.0, 0.0, -2.0, 14.0, -2.0, -30.0, 30.0, 6.0, -62.0, -10.0, -4.0,
        9.0, -20.0 },
    { .01, 0.0, -.02, 0.00, 8.0, 13.0, 0.0, 0.0, 14.0, 0.0, -16.0, 12.0, 0.0, -34.0, -8.0, -4.0,
        9.0, -16.0 },
    { .00, 0.0, 0.00, 0.00, 0.0, 2.0, 0.0, 0.0, 4.0, 0.0, -4.0, 9.0, 0.0, -16.0, -6.0, -4.0, 9.0,
        -16.0 },
};

static double key(enum Column column, double t)
{
    return scene_curve(key_times, &keys[0][column], COLUMN_COUNT, KEY_COUNT, t);
}

// ---------------------------------------------------------------------------------------------
// Hips: carried along by the mean of the feet over one step, as high as both legs reach

typedef struct Hips {
    sinew_Vec3 position;
    sinew_Quat rotation;
    double stride; // how far the left foot is ahead of the right, in steps, smoothed
} Hips;

static Foot tiptoe_foot(int side, double time)
{
    Foot foot = foot_at(side, time);
    double t = time - floor(time / SCENE_MAN18_PERIOD) * SCENE_MAN18_PERIOD;
    foot.pitch += key(TIPTOE, t) * SCENE_DEGREE;
    return foot;
}

#define FOOT_ACROSS 0.08
#define TOE_OUT (6.0 * SCENE_DEGREE)

static sinew_Vec3 ankle_at(int side, double time, sinew_Quat *out_world_from_foot)
{
    Foot foot = tiptoe_foot(side, time);
    sinew_Quat heading = sinew_quat_from_axis_angle(scene_y, side * TOE_OUT);
    *out_world_from_foot = sinew_quat_mul(heading, sinew_quat_from_axis_angle(scene_x, foot.pitch));
    return ankle_of(foot, side * FOOT_ACROSS, *out_world_from_foot, heading);
}

// Mean over one step of the feet's progress and of which foot carries.
static void follow_feet(double time, double *out_along, double *out_left, double *out_stride)
{
    enum { SAMPLES = 20 };
    double along = 0.0, left = 0.0, stride = 0.0;
    for (int i = 0; i < SAMPLES; ++i) {
        double t = time + 0.5 * ((i + 0.5) / SAMPLES - 0.5);
        Foot l = foot_at(1, t), r = foot_at(-1, t);
        along += 0.5 * (l.along + r.along);
        // the shorter window of the load keeps its swing from side to side
        if (i >= SAMPLES / 4 && i < 3 * SAMPLES / 4) {
            left += r.swing - l.swing;
            stride += (l.along - r.along) / STEP_SIZE;
        }
    }
    *out_along = along / SAMPLES;
    *out_left = 2.0 * left / SAMPLES;
    *out_stride = 2.0 * stride / SAMPLES;
}

// The highest hips that a nearly straight leg allows; smooth minimum of both.
static double reach_height(double time)
{
    double along, left, stride, heights[2];
    follow_feet(time, &along, &left, &stride);
    for (int i = 0; i < 2; ++i) {
        sinew_Quat ignored;
        sinew_Vec3 ankle = ankle_at(i == 0 ? 1 : -1, time, &ignored);
        double ahead = ankle.z - along;
        double longest = 0.982 * (THIGH + SHANK);
        heights[i] = ankle.y + sqrt(longest * longest - ahead * ahead);
    }
    double gap = heights[0] - heights[1];
    return 0.5 * (heights[0] + heights[1] - sqrt(gap * gap + 4e-4));
}

static Hips hips_at(double time, double t)
{
    double along, left;
    Hips hips;
    follow_feet(time, &along, &left, &hips.stride);
    double height = 0.0;
    for (int i = -2; i <= 2; ++i) { height += 0.2 * reach_height(time + 0.035 * i); }
    hips.position = sinew_vec3(
        0.045 * left + key(SHIFT_LEFT, t), height - key(DROP, t), along + key(SHIFT_FORWARD, t));

    sinew_Quat yaw = sinew_quat_from_axis_angle(scene_y, -5.0 * SCENE_DEGREE * hips.stride);
    sinew_Quat pitch = sinew_quat_from_axis_angle(scene_x, key(HIPS_PITCH, t) * SCENE_DEGREE);
    sinew_Quat list = sinew_quat_from_axis_angle(scene_z, 2.5 * SCENE_DEGREE * left);
    hips.rotation = sinew_quat_mul(yaw, sinew_quat_mul(pitch, list));
    return hips;
}

// ---------------------------------------------------------------------------------------------
// Limbs

static void put_leg(const scene_Scene *scene, double *q, int side, double time, const Hips *hips)
{
    const char *name = side > 0 ? "Left" : "Right";
    sinew_Quat world_from_foot;
    sinew_Vec3 ankle = ankle_at(side, time, &world_from_foot);
    sinew_Vec3 joint = { 0.0875 * side, 0.0, 0.0 };
    sinew_Quat hips_from_world = sinew_quat_conjugate(hips->rotation);
    sinew_Vec3 reach = sinew_vec3_sub(ankle, hips->position);
    reach = sinew_vec3_sub(sinew_quat_rotate(hips_from_world, reach), joint);

    // the twist of the thigh is what brings the foot into its heading
    double twist = 0.0, rest_x = 0.0, rest_z = 0.0;
    scene_TwoBone leg = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 4; ++i) {
        leg = scene_two_bone(reach, THIGH, SHANK, twist, 1);
        sinew_Quat hips_from_shank = sinew_quat_mul(
            sinew_quat_mul(sinew_quat_from_axis_angle(scene_x, leg.x),
                sinew_quat_from_axis_angle(scene_z, leg.z)),
            sinew_quat_mul(sinew_quat_from_axis_angle(scene_y, twist),
                sinew_quat_from_axis_angle(scene_x, leg.middle)));
        sinew_Quat shank_from_foot = sinew_quat_mul(sinew_quat_conjugate(hips_from_shank),
            sinew_quat_mul(hips_from_world, world_from_foot));
        sinew_Mat3 m = sinew_mat3_from_quat(shank_from_foot);
        rest_x = sinew_atan2(-m.z.y, m.z.z);
        rest_z = -sinew_asin(m.y.x);
        twist += sinew_asin(m.z.x);
    }

    double *hip = scene_at(scene, q, name, "UpLeg");
    hip[0] = leg.x, hip[1] = leg.z, hip[2] = twist;
    *scene_at(scene, q, name, "Leg") = leg.middle;
    double *foot = scene_at(scene, q, name, "Foot");
    foot[0] = rest_x, foot[1] = rest_z;

    // toes stay on the floor under a lifted heel, and hang a little in the swing
    Foot plan = tiptoe_foot(side, time);
    double bend = plan.pitch > 0.0 ? plan.pitch : 0.3 * plan.pitch;
    *scene_at(scene, q, name, "ToeBase") = -bend * (1.0 - 0.7 * plan.swing);
}

static void put_arm(const scene_Scene *scene, double *q, int side, const double degrees[5])
{
    const char *name = side > 0 ? "Left" : "Right";
    double *arm = scene_at(scene, q, name, "Arm");
    arm[0] = degrees[0] * SCENE_DEGREE;
    arm[1] = side * degrees[1] * SCENE_DEGREE;
    arm[2] = side * degrees[2] * SCENE_DEGREE;
    scene_at(scene, q, name, "ForeArm")[0] = degrees[3] * SCENE_DEGREE;
    scene_at(scene, q, name, "Hand")[0] = side * degrees[4] * SCENE_DEGREE;
}

static void put_trunk(const scene_Scene *scene, double *q, double t, const Hips *hips)
{
    // shoulders turn against the hips, the head keeps the heading, and the chest breathes
    double breath = 0.8 * scene_wave(t * 3.0 / SCENE_MAN18_PERIOD);
    double twist = 9.0 * hips->stride;
    double *spine = scene_at(scene, q, "", "Spine");
    spine[0] = (key(SPINE_X, t) + breath) * SCENE_DEGREE;
    spine[1] = key(SPINE_Z, t) * SCENE_DEGREE;
    spine[2] = (key(SPINE_Y, t) + twist) * SCENE_DEGREE;

    double turn = key(NECK_Y, t) - 0.4 * twist;
    double *neck = scene_at(scene, q, "", "Neck");
    neck[0] = key(NECK_X, t) * SCENE_DEGREE;
    neck[1] = -0.6 * spine[1];
    neck[2] = 0.5 * turn * SCENE_DEGREE;
    double *head = scene_at(scene, q, "", "Head");
    head[0] = (0.3 * key(NECK_X, t) - 4.0 - breath) * SCENE_DEGREE;
    head[1] = 0.5 * turn * SCENE_DEGREE;
}

void scene_move_man18(const scene_Scene *scene, double time, double *q)
{
    double t = time - floor(time / SCENE_MAN18_PERIOD) * SCENE_MAN18_PERIOD;
    Hips hips = hips_at(time, t);
    double *root = scene_at(scene, q, "", "Hips");
    root[0] = hips.position.x, root[1] = hips.position.y, root[2] = hips.position.z;
    scene_put_ball(&root[3], hips.rotation);
    put_leg(scene, q, 1, time, &hips);
    put_leg(scene, q, -1, time, &hips);
    put_trunk(scene, q, t, &hips);

    // each arm swings with the other leg; its elbow bends as it comes forward
    double swing = 22.0 * hips.stride;
    double lively = scene_smooth(0.2, 0.8, t) * (1.0 - scene_smooth(2.8, 3.3, t));
    double left[5] = { key(LEFT_ARM_X, t) + swing, key(LEFT_ARM_Z, t), 0.0,
        key(LEFT_ELBOW, t) + 0.5 * swing - 9.0 * lively, -6.0 };
    double right[5] = { key(RIGHT_ARM_X, t) - swing, key(RIGHT_ARM_Z, t), key(RIGHT_ARM_Y, t),
        key(RIGHT_ELBOW, t) - 0.5 * swing - 9.0 * lively, key(RIGHT_HAND, t) };

    // the wave: forearm from side to side, the hand follows later
    double waving = scene_smooth(5.95, 6.3, t) * (1.0 - scene_smooth(7.0, 7.3, t));
    right[2] += 20.0 * waving * scene_wave(2.6 * (t - 6.0));
    right[3] += 8.0 * waving * scene_wave(2.6 * (t - 6.0) + 0.2);
    right[4] += 18.0 * waving * scene_wave(2.6 * (t - 6.0) - 0.17);
    put_arm(scene, q, 1, left);
    put_arm(scene, q, -1, right);
}
