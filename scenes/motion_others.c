// Motions of hands and animals.

#include "scenes/motion.h"

// ---------------------------------------------------------------------------------------------
// HAND and HAND5: the fist opens and closes while a wave runs over the fingers and the wrist circles

#define HAND_PERIOD 10.0

static const char *const finger_names[5] = { "Thumb", "Index", "Middle", "Ring", "Pinky" };

// How far a finger is closed, 0..1: five grips in a round, a wave from pinky to thumb.
static double grip(int finger, double turns)
{
    double late = 0.09 * (4 - finger) * (0.6 + 0.4 * scene_wave(turns));
    return 0.5 + 0.5 * scene_wave(5.0 * turns - late - 0.25);
}

static sinew_Quat circling_wrist(double turns)
{
    sinew_Vec3 v = { 0.45 * scene_wave(2.0 * turns), 0.6 * scene_wave(turns + 0.1),
        0.35 * scene_wave(2.0 * turns + 0.25) };
    return sinew_quat_exp(v);
}

void scene_move_hand(const scene_Scene *scene, double time, double *q)
{
    // per bone: added to the curl of the rest pose when open and when closed, degrees
    static const double open[4] = { 0.0, -22.0, -24.0, -15.0 };
    static const double closed[4] = { 3.0, 34.0, 30.0, 22.0 };
    static const char *const bones[4] = { "0", "1", "2", "3" };

    double turns = time / HAND_PERIOD;
    double *wrist = scene_at(scene, q, "", "Wrist");
    wrist[0] = 0.06 * scene_wave(turns);
    wrist[1] = 0.03 * scene_wave(2.0 * turns + 0.1);
    wrist[2] = 0.04 * scene_wave(turns + 0.25);
    scene_put_ball(&wrist[3], circling_wrist(turns));
    for (int f = 0; f < 5; ++f) {
        double closing = grip(f, turns);
        // open fingers spread; the thumb closes less
        double spread = 6.0 * (2.0 - f) * (1.0 - closing);
        double share = f == 0 ? 0.6 : 1.0;
        for (int i = 0; i < 4; ++i) {
            double bend = share * (open[i] + (closed[i] - open[i]) * closing);
            sinew_Vec3 v = { bend * SCENE_DEGREE, 0.0,
                i == 1 && f > 0 ? spread * SCENE_DEGREE : 0.0 };
            scene_put_ball(scene_at(scene, q, finger_names[f], bones[i]), sinew_quat_exp(v));
        }
    }
}

void scene_move_hand5(const scene_Scene *scene, double time, double *q)
{
    double turns = time / HAND_PERIOD;
    double *wrist = scene_at(scene, q, "", "Wrist");
    wrist[0] = 40.0 * SCENE_DEGREE * scene_wave(turns);
    wrist[1] = (25.0 * scene_wave(2.0 * turns + 0.25) + 4.0) * SCENE_DEGREE;
    wrist[2] = (14.0 * scene_wave(2.0 * turns) - 5.0) * SCENE_DEGREE;
    for (int f = 0; f < 5; ++f) {
        double closing = grip(f, turns);
        double *first = scene_at(scene, q, finger_names[f], "1");
        double *second = scene_at(scene, q, finger_names[f], "2");
        double *third = scene_at(scene, q, finger_names[f], "3");
        if (f == 0) {
            first[0] = (18.0 + 34.0 * closing) * SCENE_DEGREE;
            first[1] = (-12.0 + 22.0 * closing) * SCENE_DEGREE;
            *second = (4.0 + 36.0 * closing) * SCENE_DEGREE;
            *third = (-8.0 + 56.0 * closing) * SCENE_DEGREE;
        } else {
            first[0] = 5.0 * (2.5 - f) * (1.0 - closing) * SCENE_DEGREE;
            first[1] = (-8.0 + 80.0 * closing) * SCENE_DEGREE;
            *second = (6.0 + 84.0 * closing) * SCENE_DEGREE;
            *third = (4.0 + 56.0 * closing) * SCENE_DEGREE;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Gaits

/// Where a foot is in its cycle, at a speed of 1 a cycle: how far it is ahead of its home, from
/// stance / 2 down to -stance / 2 on the ground, and its lift, 0..1.
typedef struct Gait {
    double ahead, lift;
} Gait;

static Gait gait_at(double turns, double stance)
{
    double phase = turns - floor(turns);
    Gait gait = { 0.5 * stance - phase, 0.0 };
    if (phase > stance) {
        // the swing leaves and lands with the speed of the ground: no jolt
        double u = (phase - stance) / (1.0 - stance), v = 1.0 - u;
        double speed = -(1.0 - stance);
        gait.ahead = -0.5 * stance + stance * u * u * (3.0 - 2.0 * u) + speed * u * v * (v - u);
        gait.lift = 16.0 * u * u * v * v;
    }
    return gait;
}

#define SPIDER_SPEED 0.12 // metres in a cycle

void scene_move_spider(const scene_Scene *scene, double time, double *q)
{
    // two groups of four legs by turns, a little apart within the group
    static const double starts[8] = { 0.0, 0.5, 0.55, 0.05, 0.1, 0.6, 0.65, 0.15 };
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    double turns = time / SCENE_SPIDER_PERIOD;

    sinew_Vec3 sway = { 0.05 * scene_wave(turns), 0.04 * scene_wave(turns + 0.3),
        0.04 * scene_wave(turns + 0.55) };
    sinew_Transform world_from_body = { { 0.006 * scene_wave(turns + 0.2),
                                            q[1] + 0.008 * scene_wave(2.0 * turns),
                                            SPIDER_SPEED * turns },
        sinew_quat_exp(sway) };
    q[0] = world_from_body.position.x;
    q[1] = world_from_body.position.y;
    q[2] = world_from_body.position.z;
    scene_put_ball(&q[3], world_from_body.rotation);

    for (int i = 0; i < scene->effector_count; ++i) {
        // the tip's home is where the rest pose has it: 0.229 m out from the coxa
        const sinew_Joint *coxa = &joints[scene->effectors[i].limb_root];
        sinew_Vec3 tip = sinew_quat_rotate(coxa->rest_rotation, sinew_vec3(0.0, 0.0, 0.19));
        Gait gait = gait_at(turns + starts[i], 0.6);
        tip = sinew_vec3_add(tip, coxa->offset);
        tip.y = 0.045 * gait.lift;
        tip.z += SPIDER_SPEED * (gait.ahead + turns);

        sinew_Transform body_from_coxa = { coxa->offset, coxa->rest_rotation };
        sinew_Transform world_from_coxa = sinew_transform_mul(world_from_body, body_from_coxa);
        sinew_Vec3 p = sinew_transform_point(sinew_transform_inverse(world_from_coxa), tip);

        // yaw of the coxa, then two bones in the upright plane; turns about x go down
        double reach = sqrt(p.x * p.x + p.z * p.z) - 0.04;
        double squared = reach * reach + p.y * p.y;
        double knee = sinew_acos((squared - 0.12 * 0.12 - 0.22 * 0.22) / (2.0 * 0.12 * 0.22));
        double s, c;
        sinew_sincos(knee, &s, &c);
        double *leg = &q[coxa->coordinate_start];
        leg[0] = sinew_atan2(p.x, p.z);
        leg[1] = sinew_atan2(-p.y, reach) - sinew_atan2(0.22 * s, 0.12 + 0.22 * c);
        leg[2] = knee;
    }
}

#define DOG_CYCLE 0.7
#define DOG_SPEED 0.5 // metres in a cycle

typedef struct DogLeg {
    const char *side, *upper, *middle, *lower;
    double start;   // of its cycle
    double x, y, z; // of the upper joint in the frame of the hips, standing
    double home;    // of the paw, along Z from there
    double lengths[3];
    double hang, flex; // of the lowest joint on the ground and lifted, degrees
    int bend;
} DogLeg;

static void put_dog_leg(const scene_Scene *scene, const DogLeg *leg, double turns, double travelled,
    const sinew_Transform *world_from_trunk, double *q)
{
    Gait gait = gait_at(turns + leg->start, 0.6);
    sinew_Vec3 paw = { 0.9 * leg->x, 0.09 * gait.lift,
        leg->z + leg->home + travelled + DOG_SPEED * gait.ahead };
    sinew_Vec3 p = sinew_transform_point(sinew_transform_inverse(*world_from_trunk), paw);
    p = sinew_vec3_sub(p, sinew_vec3(leg->x, leg->y, leg->z));

    // the two lower bones act as one whose direction leans by a known angle
    double low = (leg->hang + leg->flex * gait.lift) * SCENE_DEGREE;
    double s, c;
    sinew_sincos(low, &s, &c);
    double along = leg->lengths[1] + leg->lengths[2] * c, across = leg->lengths[2] * s;
    double length = sqrt(along * along + across * across);
    scene_TwoBone bones = scene_two_bone(p, leg->lengths[0], length, 0.0, leg->bend);
    double *upper = scene_at(scene, q, leg->side, leg->upper);
    upper[0] = bones.x, upper[1] = bones.z;
    *scene_at(scene, q, leg->side, leg->middle) = bones.middle - sinew_atan2(across, along);
    *scene_at(scene, q, leg->side, leg->lower) = low;
}

void scene_move_quadruped(const scene_Scene *scene, double time, double *q)
{
    // a walk: left hind, left front, right hind, right front
    static const DogLeg legs[4] = {
        { "Left", "Hip", "Knee", "Hock", 0.0, 0.07, -0.03, 0.0, 0.01, { 0.20, 0.21, 0.15 }, -45.0,
            -35.0, 1 },
        { "Left", "Shoulder", "Elbow", "Wrist", 0.75, 0.08, -0.0419, 0.44, -0.03,
            { 0.19, 0.19, 0.12 }, 12.0, 60.0, -1 },
        { "Right", "Hip", "Knee", "Hock", 0.5, -0.07, -0.03, 0.0, 0.01, { 0.20, 0.21, 0.15 }, -45.0,
            -35.0, 1 },
        { "Right", "Shoulder", "Elbow", "Wrist", 0.25, -0.08, -0.0419, 0.44, -0.03,
            { 0.19, 0.19, 0.12 }, 12.0, 60.0, -1 },
    };
    double turns = time / DOG_CYCLE, slow = time / SCENE_QUADRUPED_PERIOD;
    double travelled = DOG_SPEED * turns;

    sinew_Vec3 sway = { 0.02 * scene_wave(2.0 * turns + 0.1), 0.03 * scene_wave(turns + 0.2),
        0.03 * scene_wave(turns + 0.45) };
    sinew_Transform world_from_hips = { { 0.012 * scene_wave(turns + 0.3),
                                            q[1] - 0.012 + 0.008 * scene_wave(2.0 * turns),
                                            travelled },
        sinew_quat_exp(sway) };
    q[0] = world_from_hips.position.x;
    q[1] = world_from_hips.position.y;
    q[2] = world_from_hips.position.z;
    scene_put_ball(&q[3], world_from_hips.rotation);

    // the trunk stays straight, so that the front legs hang from the frame of the hips as well;
    // head and tail look around
    for (int i = 0; i < 4; ++i) {
        put_dog_leg(scene, &legs[i], turns, travelled, &world_from_hips, q);
    }
    double *neck = scene_at(scene, q, "", "Neck");
    neck[0] = (6.0 + 5.0 * scene_wave(2.0 * turns + 0.3) + 14.0 * scene_wave(slow)) * SCENE_DEGREE;
    neck[1] = 16.0 * scene_wave(slow + 0.2) * SCENE_DEGREE;
    double *head = scene_at(scene, q, "", "Head");
    head[0] = (4.0 * scene_wave(2.0 * turns + 0.6) - 6.0 * scene_wave(slow)) * SCENE_DEGREE;
    head[1] = 14.0 * scene_wave(slow + 0.12) * SCENE_DEGREE;
    double *tail = scene_at(scene, q, "", "Tail1");
    tail[0] = (-14.0 + 8.0 * scene_wave(turns)) * SCENE_DEGREE;
    tail[1] = 28.0 * scene_wave(2.0 * turns) * SCENE_DEGREE;
    double *tip = scene_at(scene, q, "", "Tail2");
    tip[0] = -10.0 * SCENE_DEGREE;
    tip[1] = 32.0 * scene_wave(2.0 * turns - 0.2) * SCENE_DEGREE;
}
