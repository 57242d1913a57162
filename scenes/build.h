#ifndef SCENES_BUILD_H
#define SCENES_BUILD_H

// How a scene is put together: joints one after the other, each with its axes.
// Private to scenes/.

#include "scenes/scenes.h"

#define SCENE_DEGREE (SINEW_PI / 180.0)
#define SCENE_NAME_SIZE 24
#define SCENE_REACH_RAYS 12

typedef enum scene_Kind {
    SCENE_LEG,
    SCENE_ARM,
    SCENE_LIMITARM,
    SCENE_SPINEARM,
    SCENE_BODY11,
    SCENE_HAND,
    SCENE_HAND5,
    SCENE_MAN18,
    SCENE_FIGURE1,
    SCENE_SPIDER,
    SCENE_QUADRUPED,
    SCENE_CHAIN,
    SCENE_KIND_COUNT,
} scene_Kind;

typedef struct scene_Build {
    sinew_Allocator allocator;
    int capacity; // joints that fit
    int joint_count, axis_count;
    sinew_JointDef *joints;         // capacity
    sinew_Axis *axes;               // capacity * SINEW_MAX_AXES_PER_JOINT
    scene_Ball *balls;              // like axes
    sinew_BallLimit **limits;       // like axes; NULL where there is none
    char (*names)[SCENE_NAME_SIZE]; // capacity
    scene_Effector effectors[SCENE_MAX_EFFECTORS];
    int effector_count;
    double slide_range;
    sinew_Status status; // of the limits
} scene_Build;

// The three directions, for axes and offsets.
extern const sinew_Vec3 scene_x, scene_y, scene_z;

/// Add a joint called prefix + name; its axes and mass follow before the next joint.
int scene_add(scene_Build *build, int parent, const char *prefix, const char *name, double x,
    double y, double z);

/// Turn the last joint against its parent before its axes move.
void scene_turn(scene_Build *build, sinew_Quat rotation);

/// Give the last joint a hinge; degrees.
void scene_hinge(scene_Build *build, sinew_Vec3 direction, double lower, double upper, double rest);

/// The same for a joint of the left (side 1) or right (side -1) half of a body: the range is that
/// of the left, and turns about y and z are mirrored for the right.
void scene_side_hinge(
    scene_Build *build, int side, sinew_Vec3 direction, double lower, double upper, double rest);

/// Give the last joint a ball; degrees.
void scene_ball(scene_Build *build, sinew_Vec3 bone, double swing, double twist);

/// Where the bone of a ball may point, as swing per azimuth, degrees, and how far it may twist.
typedef struct scene_Reach {
    sinew_Vec3 bone; ///< the bone in the joint's frame when there is no swing
    sinew_Vec3 zero; ///< direction of azimuth 0; azimuth 90 is towards bone x zero
    int count;
    double swings[SCENE_REACH_RAYS]; ///< at equal steps of azimuth
    double twist_lower, twist_upper;
} scene_Reach;

/// Give the last joint a ball with such a limit. A limit that cannot be made is kept in status.
void scene_limited_ball(scene_Build *build, const scene_Reach *reach);

/// Give the last joint three slides and a ball: a movable root.
void scene_free(scene_Build *build, double swing, double twist);

/// Give the last joint's segment a mass, kilograms, and its centre in the joint's frame.
void scene_mass(scene_Build *build, double mass, double x, double y, double z);

/// Make a joint an effector of the limb that starts at limb_root.
void scene_effector(scene_Build *build, int joint, int limb_root);

// One function for each body.
void scene_build_leg(scene_Build *build);
void scene_build_arm(scene_Build *build);
void scene_build_limitarm(scene_Build *build);
void scene_build_spinearm(scene_Build *build);
void scene_build_chain(scene_Build *build, int link_count);
void scene_build_hand(scene_Build *build);
void scene_build_hand5(scene_Build *build);
void scene_build_body11(scene_Build *build);
void scene_build_man18(scene_Build *build);
void scene_build_figure1(scene_Build *build);
void scene_build_spider(scene_Build *build);
void scene_build_quadruped(scene_Build *build);

#endif
