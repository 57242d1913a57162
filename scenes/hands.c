// HAND and HAND5: a left hand of a person of 1.75 m, held up with the palm to +Z: fingers along +Y,
// thumb on the side of -X. Flexion is a positive turn about x.

#include "scenes/build.h"

typedef struct Finger {
    const char *name;
    double x, y, z;    // near end of the first bone in the wrist's frame
    double splay;      // degrees that the first bone leans to the thumb's side
    double lengths[4]; // metacarpal and phalanges; for the thumb trapezium, metacarpal, phalanges
} Finger;

// metres; bones add up to a hand of 0.189 m at the middle finger
static const Finger fingers[5] = {
    { "Thumb", -0.014, 0.008, 0.004, 42.0, { 0.018, 0.046, 0.032, 0.027 } },
    { "Index", -0.017, 0.025, 0.002, 6.0, { 0.066, 0.042, 0.024, 0.021 } },
    { "Middle", -0.005, 0.028, 0.000, 1.0, { 0.063, 0.046, 0.029, 0.023 } },
    { "Ring", 0.008, 0.026, 0.001, -4.0, { 0.057, 0.043, 0.027, 0.022 } },
    { "Pinky", 0.018, 0.022, 0.005, -10.0, { 0.053, 0.034, 0.019, 0.019 } },
};

static const char *const bone_names[5] = { "0", "1", "2", "3", "Tip" };

static sinew_Quat turn(sinew_Vec3 axis, double degrees)
{
    return sinew_quat_from_axis_angle(axis, degrees * SCENE_DEGREE);
}

// The first bone's frame: leaning sideways; the thumb's is also turned about itself so that it
// bends across the palm.
static sinew_Quat finger_frame(const Finger *finger, bool thumb)
{
    sinew_Quat lean = turn(scene_z, finger->splay);
    return thumb ? sinew_quat_mul(lean, turn(scene_y, 90.0)) : lean;
}

void scene_build_hand(scene_Build *build)
{
    // the relaxed hand is the rest pose: balls rest at the identity, so the curl is in the frames
    static const double curl[4] = { 0.0, 18.0, 26.0, 18.0 };
    static const double swing[4] = { 6.0, 36.0, 30.0, 24.0 };
    static const double twist[4] = { 4.0, 8.0, 4.0, 4.0 };

    build->slide_range = 0.15;
    int wrist = scene_add(build, -1, "", "Wrist", 0.0, 0.0, 0.0);
    scene_free(build, 50.0, 70.0);
    for (int f = 0; f < 5; ++f) {
        const Finger *finger = &fingers[f];
        bool thumb = f == 0;
        int parent = wrist, first = -1;
        for (int i = 0; i < 4; ++i) {
            int joint;
            if (i == 0) {
                joint = scene_add(
                    build, wrist, finger->name, bone_names[i], finger->x, finger->y, finger->z);
                first = joint;
                // palmar abduction of 30 degrees keeps the thumb in front of the palm
                sinew_Quat frame = finger_frame(finger, thumb);
                scene_turn(build, thumb ? sinew_quat_mul(frame, turn(scene_z, 30.0)) : frame);
            } else {
                joint = scene_add(
                    build, parent, finger->name, bone_names[i], 0.0, finger->lengths[i - 1], 0.0);
                scene_turn(build, turn(scene_x, curl[i]));
            }
            scene_ball(build, scene_y, thumb && i == 0 ? 12.0 : swing[i], twist[i]);
            if (i > 0) { scene_effector(build, joint, first); }
            parent = joint;
        }
        int tip = scene_add(
            build, parent, finger->name, bone_names[4], 0.0, finger->lengths[3], 0.0);
        scene_effector(build, tip, first);
    }
}

// Thumb of HAND5: the saddle joint with two hinges, then two hinges.
static void add_thumb(scene_Build *build, int wrist)
{
    const Finger *thumb = &fingers[0];
    sinew_Quat frame = finger_frame(thumb, true);
    sinew_Vec3 base = sinew_vec3_add_scaled(sinew_vec3(thumb->x, thumb->y, thumb->z),
        sinew_quat_rotate(frame, scene_y), thumb->lengths[0]);

    int saddle = scene_add(build, wrist, thumb->name, "1", base.x, base.y, base.z);
    scene_turn(build, frame);
    scene_hinge(build, scene_z, 0.0, 70.0, 30.0);
    scene_hinge(build, scene_x, -20.0, 15.0, 0.0);
    int middle = scene_add(build, saddle, thumb->name, "2", 0.0, thumb->lengths[1], 0.0);
    scene_hinge(build, scene_x, 0.0, 50.0, 15.0);
    int last = scene_add(build, middle, thumb->name, "3", 0.0, thumb->lengths[2], 0.0);
    scene_hinge(build, scene_x, -20.0, 80.0, 20.0);
    int tip = scene_add(build, last, thumb->name, "Tip", 0.0, thumb->lengths[3], 0.0);
    scene_effector(build, tip, saddle);
}

// A finger of HAND5: its metacarpal is part of the palm.
static void add_finger(scene_Build *build, int wrist, const Finger *finger)
{
    sinew_Quat frame = finger_frame(finger, false);
    sinew_Vec3 knuckle = sinew_vec3_add_scaled(sinew_vec3(finger->x, finger->y, finger->z),
        sinew_quat_rotate(frame, scene_y), finger->lengths[0]);

    int first = scene_add(build, wrist, finger->name, "1", knuckle.x, knuckle.y, knuckle.z);
    scene_turn(build, frame);
    scene_hinge(build, scene_z, -20.0, 20.0, 0.0);
    scene_hinge(build, scene_x, -45.0, 90.0, 20.0);
    int second = scene_add(build, first, finger->name, "2", 0.0, finger->lengths[1], 0.0);
    scene_hinge(build, scene_x, 0.0, 105.0, 30.0);
    int third = scene_add(build, second, finger->name, "3", 0.0, finger->lengths[2], 0.0);
    scene_hinge(build, scene_x, 0.0, 85.0, 20.0);
    int tip = scene_add(build, third, finger->name, "Tip", 0.0, finger->lengths[3], 0.0);
    scene_effector(build, tip, first);
}

void scene_build_hand5(scene_Build *build)
{
    int forearm = scene_add(build, -1, "", "Forearm", 0.0, 0.0, 0.0);
    // pronation, then flexion, then deviation; ulnar deviation is a negative turn about z
    int wrist = scene_add(build, forearm, "", "Wrist", 0.0, 0.26, 0.0);
    scene_hinge(build, scene_y, -78.0, 82.0, 0.0);
    scene_hinge(build, scene_x, -72.0, 78.0, 0.0);
    scene_hinge(build, scene_z, -33.0, 21.0, 0.0);
    add_thumb(build, wrist);
    for (int f = 1; f < 5; ++f) { add_finger(build, wrist, &fingers[f]); }
}
