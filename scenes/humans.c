// MAN18, FIGURE1 and BODY11: people of 1.75 m and 70 kg, facing +Z, left on the side of +X.
// At zero they stand straight with hanging arms; docs/scenes.md says where the numbers come from.

#include "scenes/build.h"

// Ranges below are those of the left side, degrees; scene_side_hinge mirrors them.
static void add_man_leg(scene_Build *build, int hips, int side)
{
    const char *name = side > 0 ? "Left" : "Right";

    int thigh = scene_add(build, hips, name, "UpLeg", 0.0875 * side, 0.0, 0.0);
    scene_side_hinge(build, side, scene_x, -125.0, 20.0, -6.0);
    scene_side_hinge(build, side, scene_z, -30.0, 45.0, 0.0);
    scene_side_hinge(build, side, scene_y, -45.0, 45.0, 0.0);
    scene_mass(build, 10.13, 0.0, -0.165, 0.0);

    int shank = scene_add(build, thigh, name, "Leg", 0.0, -0.429, 0.0);
    scene_side_hinge(build, side, scene_x, 0.0, 140.0, 12.0);
    scene_mass(build, 3.20, 0.0, -0.188, 0.0);

    int foot = scene_add(build, shank, name, "Foot", 0.0, -0.4305, 0.0);
    scene_side_hinge(build, side, scene_x, -30.0, 50.0, -6.0);
    scene_side_hinge(build, side, scene_z, -35.0, 20.0, 0.0);
    scene_mass(build, 0.75, 0.0, -0.04, 0.04);

    int toes = scene_add(build, foot, name, "ToeBase", 0.0, -0.048, 0.145);
    scene_side_hinge(build, side, scene_x, -70.0, 30.0, 0.0);
    scene_mass(build, 0.18, 0.0, -0.01, 0.03);
    int toe_end = scene_add(build, toes, name, "ToeEnd", 0.0, -0.02, 0.066);

    int heel = scene_add(build, foot, name, "Heel", 0.0, -0.068, -0.055);
    scene_effector(build, heel, thigh);
    scene_effector(build, toe_end, thigh);
}

static void add_man_arm(scene_Build *build, int spine, int side)
{
    const char *name = side > 0 ? "Left" : "Right";

    int arm = scene_add(build, spine, name, "Arm", 0.19 * side, 0.404, 0.0);
    scene_side_hinge(build, side, scene_x, -170.0, 60.0, -4.0);
    scene_side_hinge(build, side, scene_z, -45.0, 120.0, 9.0);
    scene_side_hinge(build, side, scene_y, -70.0, 95.0, 0.0);
    scene_mass(build, 1.84, 0.0, -0.188, 0.0);

    int forearm = scene_add(build, arm, name, "ForeArm", 0.0, -0.3255, 0.0);
    scene_side_hinge(build, side, scene_x, -145.0, 0.0, -16.0);
    scene_side_hinge(build, side, scene_y, -78.0, 82.0, 0.0);
    scene_mass(build, 1.05, 0.0, -0.117, 0.0);

    int hand = scene_add(build, forearm, name, "Hand", 0.0, -0.2555, 0.0);
    scene_side_hinge(build, side, scene_z, -78.0, 72.0, -6.0);
    scene_side_hinge(build, side, scene_x, -21.0, 33.0, 0.0);
    scene_mass(build, 0.41, 0.0, -0.068, 0.0);

    int end = scene_add(build, hand, name, "HandEnd", 0.0, -0.189, 0.0);
    scene_effector(build, end, arm);
}

void scene_build_man18(scene_Build *build)
{
    build->slide_range = 0.25;
    int hips = scene_add(build, -1, "", "Hips", 0.0, 0.0, 0.0);
    scene_free(build, 30.0, 90.0);
    // knees are bent by 12 degrees at rest: soles on the floor
    build->axes[1].rest = 0.92279;
    scene_mass(build, 8.27, 0.0, 0.03, 0.0);

    int spine = scene_add(build, hips, "", "Spine", 0.0, 0.10, -0.015);
    scene_hinge(build, scene_x, -30.0, 75.0, 0.0);
    scene_hinge(build, scene_z, -35.0, 35.0, 0.0);
    scene_hinge(build, scene_y, -45.0, 45.0, 0.0);
    scene_mass(build, 21.83, 0.0, 0.20, 0.01);

    int neck = scene_add(build, spine, "", "Neck", 0.0, 0.435, 0.0);
    scene_hinge(build, scene_x, -43.0, 49.0, 5.0);
    scene_hinge(build, scene_z, -49.0, 49.0, 0.0);
    scene_hinge(build, scene_y, -40.0, 40.0, 0.0);
    scene_mass(build, 0.90, 0.0, 0.04, 0.0);

    int head = scene_add(build, neck, "", "Head", 0.0, 0.09, 0.01);
    scene_hinge(build, scene_x, -20.0, 15.0, -5.0);
    scene_hinge(build, scene_y, -40.0, 40.0, 0.0);
    scene_mass(build, 3.87, 0.0, 0.09, 0.01);
    int head_end = scene_add(build, head, "", "HeadEnd", 0.0, 0.1975, 0.005);
    scene_effector(build, head_end, spine);

    add_man_arm(build, spine, 1);
    add_man_arm(build, spine, -1);
    add_man_leg(build, hips, 1);
    add_man_leg(build, hips, -1);
}

static void add_figure_arm(scene_Build *build, int chest, int side)
{
    const char *name = side > 0 ? "Left" : "Right";
    int shoulder = scene_add(build, chest, name, "Shoulder", 0.19 * side, 0.25, 0.0);
    // the relaxed arm stands off the body; balls rest at the identity, so the frame is turned
    scene_turn(build, sinew_quat_from_axis_angle(scene_z, 12.0 * SCENE_DEGREE * side));
    scene_ball(build, sinew_vec3(0.0, -1.0, 0.0), 80.0, 60.0);
    int elbow = scene_add(build, shoulder, name, "Elbow", 0.0, -0.3255, 0.0);
    scene_hinge(build, scene_x, -145.0, 0.0, -20.0);
    int hand = scene_add(build, elbow, name, "Hand", 0.0, -0.35, 0.0);
    scene_effector(build, hand, shoulder);
}

static void add_figure_leg(scene_Build *build, int hips, int side)
{
    const char *name = side > 0 ? "Left" : "Right";
    int hip = scene_add(build, hips, name, "Hip", 0.0875 * side, 0.0, 0.0);
    scene_turn(build, sinew_quat_from_axis_angle(scene_x, -8.0 * SCENE_DEGREE));
    scene_ball(build, sinew_vec3(0.0, -1.0, 0.0), 40.0, 30.0);
    int knee = scene_add(build, hip, name, "Knee", 0.0, -0.429, 0.0);
    scene_hinge(build, scene_x, 0.0, 140.0, 16.0);
    int foot = scene_add(build, knee, name, "Foot", 0.0, -0.4305, 0.0);
    scene_effector(build, foot, hip);
}

// Source: Meredith and Maddock (2004), figure 1.1.
void scene_build_figure1(scene_Build *build)
{
    build->slide_range = 0.25;
    int hips = scene_add(build, -1, "", "Hips", 0.0, 0.0, 0.0);
    scene_free(build, 30.0, 90.0);
    build->axes[1].rest = 0.91914; // ankles 0.068 m above the floor
    int chest = scene_add(build, hips, "", "Chest", 0.0, 0.254, -0.01);
    scene_ball(build, scene_y, 35.0, 40.0);
    int neck = scene_add(build, chest, "", "Neck", 0.0, 0.28, 0.0);
    scene_ball(build, scene_y, 45.0, 60.0);
    int head = scene_add(build, neck, "", "Head", 0.0, 0.20, 0.01);
    scene_effector(build, head, chest);
    add_figure_arm(build, chest, 1);
    add_figure_arm(build, chest, -1);
    add_figure_leg(build, hips, 1);
    add_figure_leg(build, hips, -1);
}

static void add_body11_arm(scene_Build *build, int chest, int side)
{
    const char *name = side > 0 ? "Left" : "Right";
    int shoulder = scene_add(build, chest, name, "Shoulder", 0.19 * side, 0.25, 0.0);
    scene_side_hinge(build, side, scene_x, -170.0, 60.0, -15.0);
    scene_side_hinge(build, side, scene_z, -45.0, 120.0, 45.0);
    int elbow = scene_add(build, shoulder, name, "Elbow", 0.0, -0.33, 0.0);
    scene_hinge(build, scene_x, -145.0, 0.0, -45.0);
    int hand = scene_add(build, elbow, name, "Hand", 0.0, -0.33, 0.0);
    scene_effector(build, hand, shoulder);
}

// Source: Hoang (2014), figure 1: the joint types and counts; the layout is ours.
void scene_build_body11(scene_Build *build)
{
    int pelvis = scene_add(build, -1, "", "Pelvis", 0.0, 0.93, 0.0);
    scene_ball(build, scene_y, 40.0, 60.0);
    int chest = scene_add(build, pelvis, "", "Chest", 0.0, 0.25, 0.0);
    scene_hinge(build, scene_x, -30.0, 60.0, 0.0);
    scene_hinge(build, scene_y, -45.0, 45.0, 0.0);
    add_body11_arm(build, chest, 1);
    add_body11_arm(build, chest, -1);
}
