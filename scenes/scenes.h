#ifndef SCENES_H
#define SCENES_H

/// \file
/// Named bodies with effectors and a motion of their own, shared by tests, benchmarks, studio and
/// command line (`scene:MAN18` wherever a file is). Built on the public interface alone.
///
/// Sizes, ranges and the sign of every axis are written down in docs/scenes.md. A scene never
/// changes after creation and may be shared by threads.

#include "scenes/random.h"
#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCENE_MAX_EFFECTORS 24
/// Largest n of the scene CHAINn.
#define SCENE_MAX_CHAIN 1000

/// A place on the body that goals are for: the origin of a joint.
typedef struct scene_Effector {
    /// The joint's name; belongs to the skeleton.
    const char *name;
    int joint;
    /// The first joint that may move for it, as sinew_Goal has it; -1: the whole body, which is
    /// what makes the effectors of a random pose reachable.
    int chain_root;
    /// Where its limb starts: shoulder, hip, first joint of a finger. For solving one limb alone.
    int limb_root;
} scene_Effector;

/// How far a ball without a limit turns in random poses: its swing tilts the bone's direction by up to swing
/// radians, then the bone turns about itself by up to twist radians.
typedef struct scene_Ball {
    sinew_Vec3 bone;
    double swing, twist;
} scene_Ball;

typedef struct scene_Scene {
    /// "MAN18", "CHAIN300"; belongs to the scene.
    char name[16];
    /// One line for people. Static memory.
    const char *title;
    sinew_Skeleton *skeleton;
    scene_Effector effectors[SCENE_MAX_EFFECTORS];
    int effector_count;
    /// One entry for each axis of the skeleton, used where the axis is a ball.
    scene_Ball *balls;
    /// Axes without limits draw from this far around their rest value in random poses, metres.
    double slide_range;
    /// Which motion scene_motion gives; private.
    int kind;
    sinew_Allocator allocator;
} scene_Scene;

/// How many scenes are listed. CHAINn stands in the list once, as CHAIN10.
int scene_count(void);
/// Name and one-line title of a listed scene, 0 <= index < scene_count(). Static memory.
const char *scene_name(int index);
const char *scene_title(int index);

/// Make a scene by name: one of the list, or CHAINn with n in 1..SCENE_MAX_CHAIN. Capitals do not
/// matter. allocator may be NULL. On failure *out_scene is NULL: INVALID_ARGUMENT for an unknown
/// name (the message lists what there is), OUT_OF_MEMORY.
sinew_Status scene_create(const char *name, const sinew_Allocator *allocator,
    scene_Scene **out_scene, sinew_Message *out_message);

/// Give it back; NULL is ignored.
void scene_destroy(scene_Scene *scene);

/// The scene's motion at a moment, seconds >= 0, into coordinate_count numbers. Always inside the
/// limits; the same bits on every platform. It repeats after scene_motion_period; MAN18, SPIDER and
/// QUADRUPED travel forward on the way.
void scene_pose_at(const scene_Scene *scene, double time, double *out_q);

/// Length of one round of the motion, seconds.
double scene_motion_period(const scene_Scene *scene);

/// The scene's motion as a clip of its skeleton: frame i is the pose at i * frame_time. frame_time
/// > 0, frame_count >= 1. Statuses as sinew_clip_create.
sinew_Status scene_motion(
    const scene_Scene *scene, double frame_time, int frame_count, sinew_Clip **out_clip);

/// A uniformly random pose inside the limits. Hinges and limited slides are uniform in their range;
/// unlimited slides within slide_range of their rest value, unlimited hinges over half a turn to
/// each side; balls with a limit point uniformly into their windows and twist uniformly in their
/// range, others swing and twist uniformly as scene_Ball says.
void scene_random_pose(const scene_Scene *scene, scene_Random *random, double *out_q);

#ifdef __cplusplus
}
#endif

#endif
