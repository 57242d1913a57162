#ifndef SHAPE_BODY_H
#define SHAPE_BODY_H

// What a skeleton looks like: how thick its bones are, which side they belong to, which joints show
// nothing. From the roles of its joints; where they have none, from topology and proportions of the
// rest pose.

#include "sinew/role.h"

typedef enum snw_Side {
    SNW_SIDE_MIDDLE,
    SNW_SIDE_LEFT,
    SNW_SIDE_RIGHT,
    /// Limbs of a body without sides (a hand) are counted on from here.
    SNW_SIDE_BRANCH,
} snw_Side;

/// A tapered bone from one joint to another.
typedef struct snw_Bone {
    int from, to;
    double from_radius, to_radius;
    int side;
    /// Limbs swell a little between their ends.
    bool limb;
} snw_Bone;

typedef struct snw_Body {
    const sinew_Skeleton *skeleton;
    int joint_count;
    snw_Bone *bones;
    int bone_count;
    /// Side of each joint.
    int *sides;
    /// Joints that are drawn nowhere: ends of bones absurdly far out, and what is fixed to a machine
    /// beside joints that move. snw_body_pose puts them on their parents.
    bool *stray;
    /// Joints at the ends of limbs, best first.
    int *ends;
    int end_count;
    /// Largest extent of the rest pose, metres, > 0.
    double size;
    /// Turns the file's world so that Y points up.
    sinew_Quat upright;
    /// What the joints are for, and which of them are hips and head, -1: none.
    sinew_RoleGuess *roles;
    int hips, head;
    /// Two feet of a person, or it stands on something in the rest pose.
    bool has_legs;
} snw_Body;

/// up zero: chosen. motion, or NULL, tells roles where the rest pose is no figure, and a lying
/// skeleton from a lying file. False when out of memory.
bool snw_body_create(const sinew_Skeleton *skeleton, sinew_Vec3 up, const sinew_PoseList *motion,
    snw_Body *out_body);
void snw_body_destroy(snw_Body *body);

/// A place in the file's world, with Y up; the origin where its numbers are no place.
sinew_Vec3 snw_body_place(const snw_Body *body, sinew_Vec3 place_of_file);

/// Joint positions of a pose with Y up, stray ones on their parents. scratch holds joint_count
/// transforms.
void snw_body_pose(
    const snw_Body *body, const double *q, sinew_Transform *scratch, sinew_Vec3 *out_positions);

/// Horizontal unit direction the figure faces in a pose; zero when nothing tells.
sinew_Vec3 snw_body_facing(const snw_Body *body, const sinew_Vec3 *positions);

#endif
