#ifndef SNW_WALKER_ROOT_H
#define SNW_WALKER_ROOT_H

// The path of the body on the ground, whatever legs it has.

#include "sinew/drive.h"
#include "sinew/vecmath.h"

#include <math.h>

typedef struct snw_WalkRoot {
    double x, z, heading;
    double sine, cosine;        ///< of the heading
    double forward, left, turn; ///< how it moves, m/s and rad/s
    double shove;               ///< speed that a push has given it lately, m/s
    bool is_led;                ///< the caller moves it: it goes on as it goes
    sinew_Steering travel; ///< and how it goes over a longer time, which a tremble does not show
    sinew_WalkResponse response;
} snw_WalkRoot;

/// A root at rest; its response is set before it goes.
snw_WalkRoot snw_root_at(double x, double z, double heading);

/// Turn it to a heading.
static inline void snw_root_face(double heading, snw_WalkRoot *root)
{
    root->heading = heading;
    sinew_sincos(heading, &root->sine, &root->cosine);
}
static inline bool snw_root_is_moving(const snw_WalkRoot *root)
{
    return root->forward != 0.0 || root->left != 0.0 || root->turn != 0.0;
}
/// How fast it goes on the level, m/s.
static inline double snw_root_speed(const snw_WalkRoot *root)
{
    return sqrt(root->forward * root->forward + root->left * root->left);
}
static inline double snw_steering_speed(const sinew_Steering *steering)
{
    return sqrt(steering->forward * steering->forward + steering->left * steering->left);
}
static inline bool snw_steering_is_none(const sinew_Steering *steering)
{
    return steering->forward == 0.0 && steering->left == 0.0 && steering->turn == 0.0;
}
/// A way or a speed on the level in a body's axes: along its heading, and to its left.
typedef struct snw_LevelWay {
    double ahead, aside;
} snw_LevelWay;
static inline snw_LevelWay snw_root_to_body(const snw_WalkRoot *root, double x, double z)
{
    snw_LevelWay way = { x * root->sine + z * root->cosine, x * root->cosine - z * root->sine };
    return way;
}
static inline sinew_Vec3 snw_root_to_world(const snw_WalkRoot *root, double ahead, double aside)
{
    return sinew_vec3(
        ahead * root->sine + aside * root->cosine, 0.0, ahead * root->cosine - aside * root->sine);
}
/// A place on the level beside it, so far to its left.
static inline sinew_Vec3 snw_root_beside(const snw_WalkRoot *root, double left)
{
    return sinew_vec3(root->x + left * root->cosine, 0.0, root->z - left * root->sine);
}
/// What the world goes along by when it goes somewhere else, with a rise.
sinew_Transform snw_root_move(
    const snw_WalkRoot *root, double x, double z, double heading, double rise);
/// Let its speeds follow the steering for h seconds.
void snw_root_steer(const sinew_Steering *wanted, double h, snw_WalkRoot *root);
/// Go for h seconds in which the speeds became what they are: ticks of any length put it on the same way.
void snw_root_go(const snw_WalkRoot *before, double h, snw_WalkRoot *root);
/// Where the root will be after time seconds, if the steering stays.
snw_WalkRoot snw_root_predict(const snw_WalkRoot *root, const sinew_Steering *wanted, double time);
/// Go along its arc for a time, speeds unchanged.
void snw_root_advance(snw_WalkRoot *root, double time);

/// The lean that balances the curve it goes, atan(v^2 / (r g)), to its left, radians: the force on who goes around evenly
/// goes through the mass, in the mean of a step.
double snw_root_lean(const snw_WalkRoot *root);

#endif
