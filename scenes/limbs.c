// Single limbs and plain chains: LEG, ARM, LIMITARM, SPINEARM, CHAINn. All hang in the world by a joint
// without axes. Ranges in degrees; docs/scenes.md has their sources and the signs.

#include "scenes/build.h"

void scene_build_leg(scene_Build *build)
{
    int pelvis = scene_add(build, -1, "", "Pelvis", 0.0, 0.95, 0.0);

    // flexion is a negative turn about x, abduction positive about z, medial twist negative about y
    int hip = scene_add(build, pelvis, "", "Hip", 0.09, 0.0, 0.0);
    scene_hinge(build, scene_x, -125.0, 20.0, 0.0);
    scene_hinge(build, scene_z, -30.0, 45.0, 0.0);
    scene_hinge(build, scene_y, -45.0, 45.0, 0.0);
    scene_mass(build, 10.1, 0.0, -0.174, 0.0);

    int knee = scene_add(build, hip, "", "Knee", 0.0, -0.45, 0.0);
    scene_hinge(build, scene_x, 0.0, 140.0, 0.0);
    scene_mass(build, 3.2, 0.0, -0.188, 0.0);

    int ankle = scene_add(build, knee, "", "Ankle", 0.0, -0.43, 0.0);
    scene_hinge(build, scene_x, -20.0, 50.0, 0.0);
    scene_hinge(build, scene_z, -35.0, 20.0, 0.0);
    scene_mass(build, 0.93, 0.0, -0.04, 0.06);

    int heel = scene_add(build, ankle, "", "Heel", 0.0, -0.07, -0.055);
    int toe = scene_add(build, ankle, "", "Toe", 0.0, -0.07, 0.21);
    scene_effector(build, ankle, hip);
    scene_effector(build, heel, hip);
    scene_effector(build, toe, hip);
}

// Shoulder, elbow and wrist of a left arm that hangs straight down.
static int add_arm(scene_Build *build, int parent, double x, double y, double z)
{
    int shoulder = scene_add(build, parent, "", "Shoulder", x, y, z);
    scene_hinge(build, scene_x, -170.0, 60.0, 0.0);
    scene_hinge(build, scene_z, -45.0, 120.0, 0.0);
    scene_hinge(build, scene_y, -70.0, 95.0, 0.0);
    scene_mass(build, 1.84, 0.0, -0.173, 0.0);

    int elbow = scene_add(build, shoulder, "", "Elbow", 0.0, -0.30, 0.0);
    scene_hinge(build, scene_x, -145.0, 0.0, 0.0);
    scene_mass(build, 1.05, 0.0, -0.119, 0.0);

    // the forearm's twist sits in the wrist, so that its three axes meet in one place
    int wrist = scene_add(build, elbow, "", "Wrist", 0.0, -0.26, 0.0);
    scene_hinge(build, scene_y, -78.0, 82.0, 0.0);
    scene_hinge(build, scene_z, -78.0, 72.0, 0.0);
    scene_hinge(build, scene_x, -21.0, 33.0, 0.0);
    scene_mass(build, 0.41, 0.0, -0.068, 0.0);

    int grip = scene_add(build, wrist, "", "Grip", 0.0, -0.09, 0.0);
    scene_effector(build, grip, shoulder);
    return shoulder;
}

void scene_build_arm(scene_Build *build)
{
    int chest = scene_add(build, -1, "", "Chest", 0.0, 1.40, 0.0);
    add_arm(build, chest, 0.19, 0.0, 0.0);
}

// The bones of ARM, with balls where people have them. Windows from published ranges of motion of
// the four main directions, judged in between; azimuths as said, from the hanging arm.
void scene_build_limitarm(scene_Build *build)
{
    // shoulder: azimuth 0 outward, 90 forward, 180 across the body, 270 back
    static const scene_Reach upperarm = { { 0.0, -1.0, 0.0 }, { 1.0, 0.0, 0.0 }, 12,
        { 175.0, 175.0, 172.0, 170.0, 130.0, 75.0, 45.0, 30.0, 40.0, 60.0, 80.0, 130.0 }, -95.0,
        70.0 };
    // wrist: azimuth 0 to the thumb's side, 90 flexion; the forearm's twist is in it
    static const scene_Reach hand = { { 0.0, -1.0, 0.0 }, { 0.0, 0.0, 1.0 }, 8,
        { 21.0, 40.0, 78.0, 55.0, 33.0, 48.0, 72.0, 38.0 }, -82.0, 78.0 };

    int chest = scene_add(build, -1, "", "Chest", 0.0, 1.40, 0.0);
    int shoulder = scene_add(build, chest, "", "Shoulder", 0.19, 0.0, 0.0);
    scene_limited_ball(build, &upperarm);
    scene_mass(build, 1.84, 0.0, -0.173, 0.0);
    int elbow = scene_add(build, shoulder, "", "Elbow", 0.0, -0.30, 0.0);
    scene_hinge(build, scene_x, -145.0, 0.0, 0.0);
    scene_mass(build, 1.05, 0.0, -0.119, 0.0);
    int wrist = scene_add(build, elbow, "", "Wrist", 0.0, -0.26, 0.0);
    scene_limited_ball(build, &hand);
    scene_mass(build, 0.41, 0.0, -0.068, 0.0);
    int grip = scene_add(build, wrist, "", "Grip", 0.0, -0.09, 0.0);
    scene_effector(build, grip, shoulder);
}

void scene_build_spinearm(scene_Build *build)
{
    int pelvis = scene_add(build, -1, "", "Pelvis", 0.0, 0.93, 0.0);

    int lumbar = scene_add(build, pelvis, "", "Lumbar", 0.0, 0.09, -0.01);
    scene_hinge(build, scene_x, -13.0, 30.0, 0.0);
    scene_hinge(build, scene_z, -12.0, 12.0, 0.0);
    scene_mass(build, 6.0, 0.0, 0.07, 0.01);

    int thorax = scene_add(build, lumbar, "", "Thorax", 0.0, 0.14, -0.01);
    scene_hinge(build, scene_x, -10.0, 27.0, 0.0);
    scene_hinge(build, scene_z, -12.0, 12.0, 0.0);
    scene_hinge(build, scene_y, -22.0, 22.0, 0.0);
    scene_mass(build, 6.0, 0.0, 0.07, 0.01);

    int chest = scene_add(build, thorax, "", "Chest", 0.0, 0.14, 0.0);
    scene_hinge(build, scene_x, -7.0, 18.0, 0.0);
    scene_hinge(build, scene_z, -11.0, 11.0, 0.0);
    scene_hinge(build, scene_y, -23.0, 23.0, 0.0);
    scene_mass(build, 11.0, 0.0, 0.07, 0.01);

    // elevation is a positive turn about z, protraction (forward) a negative one about y
    int clavicle = scene_add(build, chest, "", "Clavicle", 0.02, 0.13, 0.02);
    scene_hinge(build, scene_z, -10.0, 40.0, 0.0);
    scene_hinge(build, scene_y, -30.0, 25.0, 0.0);
    add_arm(build, clavicle, 0.17, 0.0, -0.02);
}

void scene_build_chain(scene_Build *build, int link_count)
{
    // a snake of equal links whose hinges stand across each other by turns; at rest it leans over in
    // a gentle arc, since a straight chain cannot be shortened
    const double length = 0.01;
    const double rest = 45.0 / link_count;
    int parent = -1;
    for (int i = 0; i < link_count; ++i) {
        char number[8];
        int digits = 0;
        for (int n = i + 1; n > 0; n /= 10) { ++digits; }
        for (int n = i + 1, place = digits; place > 0; n /= 10) {
            number[--place] = (char)('0' + n % 10);
        }
        number[digits] = '\0';
        parent = scene_add(build, parent, "Link", number, 0.0, i > 0 ? length : 0.0, 0.0);
        scene_hinge(build, i % 2 == 0 ? scene_z : scene_x, -90.0, 90.0, rest);
    }
    int tip = scene_add(build, parent, "", "Tip", 0.0, length, 0.0);
    scene_effector(build, tip, 0);
}
