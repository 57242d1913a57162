#ifndef SCENES_MOTION_H
#define SCENES_MOTION_H

// Pieces that the scenes' motions are made of. Private to scenes/.

#include "scenes/build.h"

#define SCENE_MAN18_PERIOD 8.4
#define SCENE_SPIDER_PERIOD 0.9
#define SCENE_QUADRUPED_PERIOD 4.2

/// Sine of a phase in turns.
double scene_wave(double turns);

/// 0 before edge a, 1 after edge b > a, smooth between.
double scene_smooth(double a, double b, double x);

/// First coordinate of a joint; NULL when there is none of that name.
double *scene_at(const scene_Scene *scene, double *q, const char *prefix, const char *name);

/// Write a rotation into the four coordinates of a ball.
void scene_put_ball(double *q, sinew_Quat rotation);

/// A curve through keys with smooth tangents. times rise; value i of a key is
/// values[key * stride]. Before the first and after the last key it stays.
double scene_curve(const double *times, const double *values, int stride, int key_count, double t);

/// Angles of a limb of two bones that hangs along -Y from a joint with hinges x, z and a middle
/// hinge x, so that its end is at p in the joint's frame. bend is 1 for a knee (the end goes back)
/// and -1 for an elbow. Places out of reach are approached along the straight limb.
typedef struct scene_TwoBone {
    double x, z, middle;
} scene_TwoBone;
scene_TwoBone scene_two_bone(sinew_Vec3 p, double length1, double length2, double twist, int bend);

// One function for each motion that is made by hand; others swing all joints gently.
void scene_move_leg(const scene_Scene *scene, double time, double *q);
void scene_move_hand(const scene_Scene *scene, double time, double *q);
void scene_move_hand5(const scene_Scene *scene, double time, double *q);
void scene_move_man18(const scene_Scene *scene, double time, double *q);
void scene_move_spider(const scene_Scene *scene, double time, double *q);
void scene_move_quadruped(const scene_Scene *scene, double time, double *q);

#endif
