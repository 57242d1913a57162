#ifndef SINEW_JOB_H
#define SINEW_JOB_H

/// \file
/// Inverse kinematics without a skeleton: plain transforms of a few joints in, their rotations out, in
/// closed form or by few passes. For who has a leg, a head or a tail to correct and nothing to set up.
///
/// All transforms are world_from_joint in one frame, any unit of length. Results are rotations in the
/// same frame, to be set as they are; a joint below one that was turned has to be carried along (a
/// chain's own joints are). Nothing allocates, nothing is remembered. Every function returns
/// INVALID_ARGUMENT, with the argument's name, for a NULL pointer, a count or number out of its range,
/// or numbers that are not finite; then nothing is written.

#include "vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of joints of a chain.
#define SINEW_MAX_JOB_JOINTS 64

// ---------------------------------------------------------------------------------------------
// Two bones

/// A thigh and a shank, an upper and a forearm. Start from sinew_two_bone_job_default().
typedef struct sinew_TwoBoneJob {
    /// Hip, knee and ankle as they are. Bones of length 0 leave all as it is.
    sinew_Transform start, middle, end;
    /// Where the end should be.
    sinew_Vec3 target;
    /// A place that the middle joint should be on the side of, when has_pole; else the plane that the
    /// bones are in stays, as far as it can, or for straight bones the one that holds bend_axis.
    sinew_Vec3 pole;
    bool has_pole;
    /// Unit axis that the middle joint turns about, in its own frame; read where the bones are straight
    /// and there is no pole. Default x.
    sinew_Vec3 bend_axis;
    /// Angle between the bones, radians, 0: straight, pi: folded; 0 <= least_bend <= most_bend <= pi.
    /// Default 0 and pi.
    double least_bend, most_bend;
    /// Share of the full length before which the reach is eased, so that the middle joint does not snap
    /// straight, 0..0.5. Default 0. As options.soft_reach of the solver.
    double soft_reach;
    /// 0: as it is, 1: solved; between them each joint turns that share of its way. Default 1.
    double weight;
} sinew_TwoBoneJob;

/// The defaults told above; all transforms are identities, bones of no length.
SINEW_API sinew_TwoBoneJob sinew_two_bone_job_default(void);

typedef struct sinew_TwoBoneResult {
    /// World rotations of the two joints; the end keeps its own world rotation, or goes with the middle
    /// one, as the caller likes (end_along).
    sinew_Quat start, middle, end_along;
    /// Where the end is after that, and how far from the target; with weight 1.
    sinew_Vec3 end_position;
    double miss;
} sinew_TwoBoneResult;

/// The law of cosines for the angle between the bones, then one turn of the start that brings the end to
/// the target's direction, then one about that direction for the pole.
SINEW_API sinew_Status sinew_job_two_bone(
    const sinew_TwoBoneJob *job, sinew_TwoBoneResult *out_result, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Aim

/// A neck, a spine, eyes, a turret. Start from sinew_aim_job_default().
typedef struct sinew_AimJob {
    /// joint_count world transforms, parents first, each the child of the one before it; the last one
    /// carries what points. 1..SINEW_MAX_JOB_JOINTS, the caller's memory.
    const sinew_Transform *joints;
    int joint_count;
    /// How much of what is left each joint takes, 0..1, joint_count of them; NULL: evenly. The last takes
    /// what is left times its share, so 1 there meets the target.
    const double *shares;
    /// What points, in the last joint's frame: a unit direction, from a place.
    sinew_Vec3 axis, offset;
    /// What should be pointed at, in the world.
    sinew_Vec3 target;
    /// A unit direction of the last joint's frame that should stay nearest to a world direction, when
    /// has_up: head up, world up. They are met by the last joint alone.
    sinew_Vec3 up, up_world;
    bool has_up;
    /// No joint turns by more, radians, 0..pi. Default pi.
    double max_turn;
    /// As of two bones: 0 as it is, 1 solved. Default 1.
    double weight;
} sinew_AimJob;

/// The defaults told above; axis is +Z, without joints.
SINEW_API sinew_AimJob sinew_aim_job_default(void);

/// out_rotations: joint_count world rotations. *out_miss (may be NULL): the angle left at weight 1,
/// radians. Joint after joint from the first.
SINEW_API sinew_Status sinew_job_aim(const sinew_AimJob *job, sinew_Quat *out_rotations,
    double *out_miss, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Chain

/// A tail, a tentacle, a rope of bones. Start from sinew_chain_job_default().
typedef struct sinew_ChainJob {
    /// joint_count world transforms, each the child of the one before it; the last is the end.
    /// 2..SINEW_MAX_JOB_JOINTS.
    const sinew_Transform *joints;
    int joint_count;
    sinew_Vec3 target;
    /// No joint turns by more than this from where it is to its parent, radians, 0..pi. Default pi.
    double max_turn;
    /// Passes at most, 1..1000, and the miss that is small enough, >= 0. Defaults 32 and 1e-4 of the
    /// chain's length.
    int max_passes;
    double tolerance_share;
    /// As of two bones: 0 as it is, 1 solved. Default 1.
    double weight;
} sinew_ChainJob;

/// The defaults told above, without joints.
SINEW_API sinew_ChainJob sinew_chain_job_default(void);

/// out_rotations: joint_count world rotations (the end goes with the joint before it). *out_miss (may
/// be NULL): distance left at weight 1. Cyclic coordinate descent from the end, each joint by the
/// shortest turn. A straight chain whose target is nearer along it bends into an arc first, about the x
/// axis of its first joint, or about y where x lies along it.
SINEW_API sinew_Status sinew_job_chain(const sinew_ChainJob *job, sinew_Quat *out_rotations,
    double *out_miss, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
