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

#endif
