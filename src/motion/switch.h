#ifndef SNW_SWITCH_H
#define SNW_SWITCH_H

// What the files of the switch share: the state of its limbs, and the handle that a pose has.

#include "sinew/switch.h"

/// A limb's joints below this share of its length beside the line from root to tip are straight: the pole
/// keeps its last side. A millimetre on a human arm, below which a side is noise.
#define SNW_STRAIGHT_SHARE 1e-3

/// An axis that the limb poses.
typedef struct snw_SwitchAxis {
    sinew_AxisKind kind;
    int coordinate, coordinate_count;
    int dof, dof_count;
} snw_SwitchAxis;

/// What the pose of a limb depends on beside its own joints. Limbs whose basis keeps its bits are not solved again.
typedef struct snw_SwitchBasis {
    sinew_Transform world_from_parent; // of the root joint
    sinew_Transform target;            // world_from_tip, asked for
    sinew_Vec3 pole;                   // world
    sinew_Quat toe;                    // world_from_toe
} snw_SwitchBasis;

/// How far a limb that left IK was from where FK had it.
typedef struct snw_SwitchApart {
    sinew_Vec3 tip, pole; // world
    sinew_Vec3 turn;      // of the tip, in its own frame, a rotation vector
} snw_SwitchApart;

/// Of the goals of one limb: place, pole, toes, and its motion.
enum { SNW_SWITCH_GOALS = 4 };

typedef struct snw_SwitchLimb {
    sinew_SwitchLimb def;
    sinew_Solver *solver;
    snw_SwitchAxis *axes; // of its joints from tip to root, and of the toes
    int axis_count;
    double length;  // from root to tip, metres
    bool has_pole;  // there is a middle joint, and freedom left to turn it
    double blend;   // 0 FK, 1 IK
    double release; // seconds until nothing is left of what the limb was off the motion
    bool fresh;     // no update has shown the limb since that began
    bool animated;  // poses came for its joints while it was in IK
    bool awaits;    // it left IK and no pose has come since: it will go over to that
    bool settled;   // the basis is that of the pose, and its handle is met
    sinew_Vec3
        side; // where a straight limb would bend, in the frame that the root joint hangs in; unit
    sinew_Handle handle; // in FK scratch
    snw_SwitchBasis basis;
    snw_SwitchApart apart;
    sinew_Report report;
} snw_SwitchLimb;

struct sinew_Switch {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    snw_SwitchLimb *limbs; // as they were given
    int *order;            // limbs by depth: those that carry others first
    int limb_count;
    double max_joint_speed, release_time;
    double *fk, *ik, *shown; // coordinates: what FK sets, what IK found, what is seen
    double *work, *cropped;
    double *offset, *step;  // by dof: from where FK had a limb to where it was shown; scratch
    double *off;            // by dof: the same, as the last frame left a limb that goes over
    sinew_Transform *world; // scratch, by joint
};

/// The handle of a limb in the pose shown. Writes sw->world on the limb's way to the root. Also tells the
/// side the limb bends to (snw_SwitchLimb.side), or the last one where it is straight.
sinew_Handle snw_switch_derive(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q, sinew_Vec3 *out_side);

/// What the limb's handle asks for, in the world of a pose.
snw_SwitchBasis snw_switch_basis(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q);

/// Copy the coordinates that a limb poses.
void snw_switch_copy(const snw_SwitchLimb *limb, const double *from, double *to);

const sinew_Skeleton *snw_switch_skeleton(const sinew_Switch *sw);

/// Room for a pose, which the next call of the switch may write to.
double *snw_switch_scratch(sinew_Switch *sw);

/// Give a limb in FK the handle that a pose has: what that asks for is where the limb stands.
snw_SwitchBasis snw_switch_stand(sinew_Switch *sw, snw_SwitchLimb *limb, const double *q);

/// The step from one pose of a limb to another, hinges the shorter way round; the dofs of other joints are left. out_step may
/// be sw->step, which is written to in any case.
void snw_switch_find_step(sinew_Switch *sw, const snw_SwitchLimb *limb, const double *from,
    const double *to, double *out_step);

#endif
