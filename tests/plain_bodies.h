#ifndef PLAIN_BODIES_H
#define PLAIN_BODIES_H

// Bodies as files have them: a free root, and balls at all other joints, without limits.

#include "testing.h"

#include "sinew/skeleton.h"

#include <math.h>
#include <stdio.h>

typedef struct PlainBone {
    const char *name;
    int parent;
    sinew_Vec3 offset;
} PlainBone;

#define PLAIN_MAN_BONES 21
static const PlainBone plain_man[PLAIN_MAN_BONES] = { { "Hips", -1, { 0.0, 0.95, 0.0 } },
    { "Spine", 0, { 0.0, 0.1, 0.0 } }, { "Chest", 1, { 0.0, 0.2, 0.0 } },
    { "Neck", 2, { 0.0, 0.25, 0.0 } }, { "Head", 3, { 0.0, 0.1, 0.01 } },
    { "LeftShoulder", 2, { 0.04, 0.2, 0.0 } }, { "LeftArm", 5, { 0.14, 0.0, 0.0 } },
    { "LeftForeArm", 6, { 0.28, 0.0, 0.0 } }, { "LeftHand", 7, { 0.26, 0.0, 0.0 } },
    { "RightShoulder", 2, { -0.04, 0.2, 0.0 } }, { "RightArm", 9, { -0.14, 0.0, 0.0 } },
    { "RightForeArm", 10, { -0.28, 0.0, 0.0 } }, { "RightHand", 11, { -0.26, 0.0, 0.0 } },
    { "LeftUpLeg", 0, { 0.09, -0.02, 0.0 } }, { "LeftLeg", 13, { 0.0, -0.43, 0.01 } },
    { "LeftFoot", 14, { 0.0, -0.42, -0.01 } }, { "LeftToeBase", 15, { 0.0, -0.06, 0.14 } },
    { "RightUpLeg", 0, { -0.09, -0.02, 0.0 } }, { "RightLeg", 17, { 0.0, -0.43, 0.01 } },
    { "RightFoot", 18, { 0.0, -0.42, -0.01 } }, { "RightToeBase", 19, { 0.0, -0.06, 0.14 } } };

// with legs that end 0.5 m below the trunk
#define PLAIN_DOG_BONES 15
static const PlainBone plain_dog[PLAIN_DOG_BONES] = { { "body", -1, { 0.0, 0.5, 0.0 } },
    { "spine", 0, { 0.0, 0.0, 0.25 } }, { "head", 1, { 0.0, 0.15, 0.2 } },
    { "fl1", 1, { 0.1, -0.05, 0.0 } }, { "fl2", 3, { 0.0, -0.2, -0.03 } },
    { "fl3", 4, { 0.0, -0.25, 0.03 } }, { "fr1", 1, { -0.1, -0.05, 0.0 } },
    { "fr2", 6, { 0.0, -0.2, -0.03 } }, { "fr3", 7, { 0.0, -0.25, 0.03 } },
    { "bl1", 0, { 0.1, -0.05, -0.25 } }, { "bl2", 9, { 0.0, -0.2, 0.04 } },
    { "bl3", 10, { 0.0, -0.25, -0.04 } }, { "br1", 0, { -0.1, -0.05, -0.25 } },
    { "br2", 12, { 0.0, -0.2, 0.04 } }, { "br3", 13, { 0.0, -0.25, -0.04 } } };

static inline sinew_Skeleton *plain_build(const PlainBone *bones, int count, double scale)
{
    enum { MOST = 40 };
    const sinew_Axis ball = sinew_axis_ball();
    const sinew_Axis root[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        ball };
    sinew_JointDef joints[MOST];
    TEST_TRUE(count <= MOST);
    for (int j = 0; j < count; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = bones[j].name;
        joints[j].parent = bones[j].parent;
        joints[j].offset = sinew_vec3_scale(bones[j].offset, scale);
        joints[j].axes = j == 0 ? root : &ball;
        joints[j].axis_count = j == 0 ? 4 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, &message), &message);
    return skeleton;
}

static inline sinew_Skeleton *plain_man_of(double scale)
{
    return plain_build(plain_man, PLAIN_MAN_BONES, scale);
}

// straight: its legs hang as they do where all angles of a file are 0
static inline sinew_Skeleton *plain_dog_of(bool straight)
{
    PlainBone bones[PLAIN_DOG_BONES];
    for (int j = 0; j < PLAIN_DOG_BONES; ++j) {
        bones[j] = plain_dog[j];
        if (straight && j >= 3 && j % 3 != 0) { bones[j].offset.z = 0.0; }
    }
    return plain_build(bones, PLAIN_DOG_BONES, 1.0);
}

// legs of four joints on a circle, from the front to the back on both sides; no name tells a side
static inline sinew_Skeleton *plain_spider_of(int pairs)
{
    static const double out[4] = { 0.1, 0.08, 0.2, 0.2 }, up[4] = { 0.0, 0.05, 0.15, -0.5 };
    const double first = 30.0 * SINEW_PI / 180.0, step = (SINEW_PI - 2.0 * first) / (pairs - 1);
    PlainBone bones[33] = { { "body", -1, { 0.0, 0.3, 0.0 } } };
    char names[33][32];
    int count = 1;
    for (int leg = 0; leg < 2 * pairs; ++leg) {
        double angle = first + step * (leg % pairs), side = leg < pairs ? 1.0 : -1.0;
        for (int k = 0; k < 4; ++k, ++count) {
            snprintf(names[count], sizeof names[count], "l%d_%d", leg, k);
            sinew_Vec3 offset = { side * out[k] * sin(angle), up[k], out[k] * cos(angle) };
            bones[count] = (PlainBone){ names[count], k == 0 ? 0 : count - 1, offset };
        }
    }
    return plain_build(bones, count, 1.0);
}

/// Where the hinged crawler of so many pairs differs: half its length, coxa, femur, tibia, metres; degrees that its outer
/// pairs are from straight aside, and that its femurs rise.
typedef struct PlainCrawler {
    int pairs;
    double half, coxa, femur, tibia, spread, rise;
} PlainCrawler;

static const PlainCrawler plain_ant = { 3, 0.10, 0.03, 0.10, 0.16, 35.0, 35.0 };
static const PlainCrawler plain_crab = { 4, 0.10, 0.05, 0.14, 0.18, 25.0, 30.0 };

// insects and crabs: a hinge upright, two across, each of little range
static inline sinew_Skeleton *plain_crawler_of(const PlainCrawler *c)
{
    static const char *const parts[4] = { "coxa", "femur", "tibia", "tip" };
    const double degree = SINEW_PI / 180.0;
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 }, across = { 1.0, 0.0, 0.0 };
    const double length[4] = { 0.0, c->coxa, c->femur, c->tibia };
    const double ranges[3][3] = { { -40.0, 40.0, 0.0 }, { -80.0, 60.0, -c->rise },
        { 0.0, 150.0, c->rise + 80.0 } };
    sinew_JointDef joints[33];
    sinew_Axis axes[4 + 3 * 8], root[4];
    char names[33][16];
    int count = 1, axis_count = 0;
    root[0] = sinew_axis_slide(across);
    root[1] = sinew_axis_slide(up);
    root[2] = sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0));
    root[3] = sinew_axis_ball();
    joints[0] = sinew_joint_def_default();
    joints[0].name = "body";
    joints[0].axes = root;
    joints[0].axis_count = 4;
    for (int leg = 0; leg < 2 * c->pairs; ++leg) {
        double side = leg % 2 == 0 ? 1.0 : -1.0, way = 2.0 * (leg / 2) / (c->pairs - 1) - 1.0;
        for (int k = 0; k < 4; ++k, ++count) {
            sinew_JointDef *joint = &joints[count];
            *joint = sinew_joint_def_default();
            snprintf(names[count], sizeof names[count], "l%d_%s", leg, parts[k]);
            joint->name = names[count];
            joint->parent = k == 0 ? 0 : count - 1;
            joint->offset = sinew_vec3(0.0, 0.0, length[k]);
            joint->axes = &axes[axis_count];
            joint->axis_count = k < 3 ? 1 : 0;
            if (k == 0) {
                joint->offset = sinew_vec3(side * 0.027, 0.0, -way * c->half);
                joint->rest_rotation = sinew_quat_from_axis_angle(
                    up, side * degree * (90.0 + way * c->spread));
            }
            if (k == 3) { continue; }
            sinew_Axis *axis = &axes[axis_count++];
            *axis = sinew_axis_hinge(
                k == 0 ? up : across, degree * ranges[k][0], degree * ranges[k][1]);
            axis->rest = degree * ranges[k][2];
        }
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, &message), &message);
    return skeleton;
}

#endif
