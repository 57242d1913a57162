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

typedef struct snw_SwitchLimb {
    sinew_SwitchLimb def;
    sinew_Solver *solver;
    snw_SwitchAxis *axes; // of its joints from tip to root, and of the toes
    int axis_count;
    double length;  // from root to tip, metres
    bool has_pole;  // there is a middle joint, and freedom left to turn it
    double blend;   // 0 FK, 1 IK
    double release; // seconds until a limb that left IK is as FK has it
    bool animated;  // poses came for its joints while it was in IK
    bool settled;   // the basis is that of the pose, and its handle is met
    sinew_Vec3
        side; // where a straight limb would bend, in the frame that the root joint hangs in; unit
    sinew_Handle handle;
    snw_SwitchBasis basis;
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
    double *offset, *step;  // by dof: from where FK has a limb to where IK left it; scratch
    sinew_Transform *world; // scratch, by joint
};

/// The handle of a limb in the pose shown. Writes sw->world on the limb's way to the root. Also tells the
/// side the limb bends to (snw_SwitchLimb.side), or the last one where it is straight.
sinew_Handle snw_switch_derive(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q, sinew_Vec3 *out_side);

/// What a handle asks for, in the world of a pose.
snw_SwitchBasis snw_switch_basis(
    const sinew_Switch *sw, const snw_SwitchLimb *limb, const double *q);

/// Copy the coordinates that a limb poses.
void snw_switch_copy(const snw_SwitchLimb *limb, const double *from, double *to);

const sinew_Skeleton *snw_switch_skeleton(const sinew_Switch *sw);

/// Room for a pose, which the next call of the switch may write to.
double *snw_switch_scratch(sinew_Switch *sw);

/// Show a limb in FK; one that left IK a moment ago with what is left of its offset.
void snw_switch_show_fk(sinew_Switch *sw, const snw_SwitchLimb *limb);

#endif
