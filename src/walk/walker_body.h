#ifndef SNW_WALKER_BODY_H
#define SNW_WALKER_BODY_H

// How a body is measured for a walker: body_pose.c its neutral pose and rows of joints, body_legs.c its legs, soles and
// ranges, body_joints.c what turns which joint; walker_body.c takes them in turn.

#include "base/memory.h"
#include "base/message.h"
#include "body/stance.h"
#include "walk/walk.h"

/// Everything while measuring.
typedef struct snw_BodyMeasure {
    const sinew_WalkerDef *def;
    snw_StanceBody rig;
    sinew_Quat world;      // walker from the skeleton's own directions
    sinew_Transform *pose; // neutral, walker's directions, root joint at the origin   (joint_count)
    sinew_Quat *turns; // of feet and toes: made to point ahead                     (joint_count)
    int *first;  // of joints in a row that turn as one: the uppermost            (joint_count)
    int *hinges; // of these down to here; 0: no row goes on here                 (joint_count)
    int *inner;  // the next one of the row, 0: the last                          (joint_count)
    double *q;
    snw_WalkBody *body;
    sinew_Message *message;
} snw_BodyMeasure;

/// Refuse the body; what is wrong with it.
static inline sinew_Status snw_body_refuse(const snw_BodyMeasure *m, const char *what)
{
    return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT, "%s", what);
}

static inline bool snw_body_is_below(const snw_StanceBody *rig, int joint, int above)
{
    return joint > above && joint < above + rig->joints[above].subtree_count;
}

void snw_body_take_arrays(snw_Arena *arena, snw_BodyMeasure *m);
/// The body of the stance, with arrays of our own where they change.
void snw_body_take_stance(snw_BodyMeasure *m, const snw_StanceBody *stance);
/// Places of all joints when each is turned as neutral says.
void snw_body_place_neutral(snw_BodyMeasure *m);
/// Joints in a row that turn as one: robots have a hinge where people have a ball.
void snw_rows_find(snw_BodyMeasure *m);
/// The last joint of a row.
int snw_row_end(const snw_BodyMeasure *m, int joint);
/// The point that a row of joints turns about, nearest to all of their axes: the mean of where it is nearest to on
/// each, again and again. With axes at right angles it is a third as far off after each round.
sinew_Vec3 snw_row_center(const snw_BodyMeasure *m, int last);
/// The farthest that an axis of a row passes a point.
double snw_row_off(const snw_BodyMeasure *m, int last, sinew_Vec3 point);

/// Legs that were given, or those that roles or the shape tell.
sinew_Status snw_body_find_legs(snw_BodyMeasure *m);
/// Bones and sole of a leg; its foot and knee are turned to point ahead.
sinew_Status snw_body_measure_leg(snw_BodyMeasure *m, snw_WalkLegBody *leg);
/// How far its joints turn.
void snw_body_measure_ranges(snw_BodyMeasure *m, snw_WalkLegBody *leg);

/// The joints that turn, and all that carry one.
void snw_body_list_joints(snw_BodyMeasure *m);

#endif
