// SPIDER and QUADRUPED, facing +Z with a movable root. Sizes and ranges are ours.

#include "scenes/build.h"

static void add_spider_leg(scene_Build *build, int body, int number, int side, double azimuth)
{
    // the leg's frame has +Z outward and +X to the side, so a negative turn about x lifts
    char name[3] = { side > 0 ? 'L' : 'R', (char)('1' + number), '\0' };
    double angle = azimuth * SCENE_DEGREE * side;
    double s, c;
    sinew_sincos(angle, &s, &c);
    int coxa = scene_add(build, body, name, "Coxa", 0.05 * s, 0.0, 0.07 * c);
    scene_turn(build, sinew_quat_from_axis_angle(scene_y, angle));
    scene_hinge(build, scene_y, -45.0, 45.0, 0.0);
    int femur = scene_add(build, coxa, name, "Femur", 0.0, 0.0, 0.04);
    scene_hinge(build, scene_x, -85.0, 40.0, -40.0);
    int tibia = scene_add(build, femur, name, "Tibia", 0.0, 0.0, 0.12);
    scene_hinge(build, scene_x, 10.0, 150.0, 115.0);
    int tip = scene_add(build, tibia, name, "Tip", 0.0, 0.0, 0.22);
    scene_effector(build, tip, coxa);
}

void scene_build_spider(scene_Build *build)
{
    static const double azimuths[4] = { 32.0, 68.0, 108.0, 148.0 };
    build->slide_range = 0.05;
    int body = scene_add(build, -1, "", "Body", 0.0, 0.0, 0.0);
    scene_free(build, 15.0, 90.0);
    build->axes[1].rest = 0.13537; // tips on the floor
    for (int i = 0; i < 4; ++i) {
        add_spider_leg(build, body, i, 1, azimuths[i]);
        add_spider_leg(build, body, i, -1, azimuths[i]);
    }
    scene_add(build, body, "", "Front", 0.0, 0.02, 0.11);
    scene_add(build, body, "", "Rear", 0.0, 0.03, -0.20);
}

static void add_dog_front_leg(scene_Build *build, int chest, int side)
{
    const char *name = side > 0 ? "Left" : "Right";
    int shoulder = scene_add(build, chest, name, "Shoulder", 0.08 * side, -0.0619, 0.10);
    scene_side_hinge(build, side, scene_x, -50.0, 70.0, 30.0);
    scene_side_hinge(build, side, scene_z, -15.0, 30.0, 0.0);
    int elbow = scene_add(build, shoulder, name, "Elbow", 0.0, -0.19, 0.0);
    scene_side_hinge(build, side, scene_x, -125.0, 0.0, -45.0);
    int wrist = scene_add(build, elbow, name, "Wrist", 0.0, -0.19, 0.0);
    scene_side_hinge(build, side, scene_x, -25.0, 110.0, 15.0);
    int paw = scene_add(build, wrist, name, "FrontPaw", 0.0, -0.12, 0.0);
    scene_effector(build, paw, shoulder);
}

static void add_dog_hind_leg(scene_Build *build, int hips, int side)
{
    const char *name = side > 0 ? "Left" : "Right";
    int hip = scene_add(build, hips, name, "Hip", 0.07 * side, -0.03, 0.0);
    scene_side_hinge(build, side, scene_x, -90.0, 45.0, -25.0);
    scene_side_hinge(build, side, scene_z, -15.0, 35.0, 0.0);
    int knee = scene_add(build, hip, name, "Knee", 0.0, -0.20, 0.0);
    scene_side_hinge(build, side, scene_x, 10.0, 140.0, 70.0);
    int hock = scene_add(build, knee, name, "Hock", 0.0, -0.21, 0.0);
    scene_side_hinge(build, side, scene_x, -120.0, 0.0, -45.0);
    int paw = scene_add(build, hock, name, "HindPaw", 0.0, -0.15, 0.0);
    scene_effector(build, paw, hip);
}

void scene_build_quadruped(scene_Build *build)
{
    build->slide_range = 0.15;
    int hips = scene_add(build, -1, "", "Hips", 0.0, 0.0, 0.0);
    scene_free(build, 15.0, 90.0);
    build->axes[1].rest = 0.50975; // paws on the floor

    // a turn about x is nodding (down positive), about y to the left
    int spine = scene_add(build, hips, "", "Spine", 0.0, 0.02, 0.12);
    scene_hinge(build, scene_x, -20.0, 25.0, 0.0);
    scene_hinge(build, scene_y, -25.0, 25.0, 0.0);
    int chest = scene_add(build, spine, "", "Chest", 0.0, 0.0, 0.22);
    scene_hinge(build, scene_x, -20.0, 25.0, 0.0);
    scene_hinge(build, scene_y, -25.0, 25.0, 0.0);
    int neck = scene_add(build, chest, "", "Neck", 0.0, 0.06, 0.15);
    scene_hinge(build, scene_x, -50.0, 60.0, 0.0);
    scene_hinge(build, scene_y, -60.0, 60.0, 0.0);
    int head = scene_add(build, neck, "", "Head", 0.0, 0.16, 0.12);
    scene_hinge(build, scene_x, -50.0, 50.0, 0.0);
    scene_hinge(build, scene_y, -50.0, 50.0, 0.0);
    scene_add(build, head, "", "Nose", 0.0, -0.03, 0.19);

    add_dog_front_leg(build, chest, 1);
    add_dog_front_leg(build, chest, -1);
    add_dog_hind_leg(build, hips, 1);
    add_dog_hind_leg(build, hips, -1);

    int tail = scene_add(build, hips, "", "Tail1", 0.0, 0.02, -0.09);
    scene_hinge(build, scene_x, -60.0, 60.0, 0.0);
    scene_hinge(build, scene_y, -60.0, 60.0, 0.0);
    int tail_tip = scene_add(build, tail, "", "Tail2", 0.0, 0.03, -0.15);
    scene_hinge(build, scene_x, -60.0, 60.0, 0.0);
    scene_hinge(build, scene_y, -60.0, 60.0, 0.0);
    scene_add(build, tail_tip, "", "TailEnd", 0.0, 0.05, -0.13);
}
