#ifndef SNW_GAIT_CURVES_H
#define SNW_GAIT_CURVES_H

// How a body walks, as curves over the stride of a leg: what gait laboratories plot. Heel strikes
// are found in a motion, strides cut and averaged over both legs, so that recorded and computed
// walks can be laid over each other. Used by tests, benchmarks and faces.
//
// Level ground only. Lengths are in leg lengths (hip joint to sole, standing), angles in degrees,
// because that is how published curves are given.

#include "sinew/clip.h"
#include "sinew/role.h"

/// Points of a curve: phase i / SNW_GAIT_POINTS of the stride, which begins at the heel strike.
enum { SNW_GAIT_POINTS = 50 };

typedef enum snw_GaitCurve {
    SNW_GAIT_HIP,           ///< thigh forward of vertical
    SNW_GAIT_KNEE,          ///< flexion, 0 straight
    SNW_GAIT_ANKLE,         ///< dorsiflexion, 0 with shin and flat foot at right angles
    SNW_GAIT_FOOT_PITCH,    ///< toe up; 0 where the foot stands flat
    SNW_GAIT_PELVIS_YAW,    ///< own side back
    SNW_GAIT_PELVIS_LIST,   ///< own side up
    SNW_GAIT_PELVIS_HEIGHT, ///< middle of the hip joints above the ground, leg lengths
    SNW_GAIT_ANKLE_HEIGHT,  ///< above the ground, leg lengths
    SNW_GAIT_CURVE_COUNT,
} snw_GaitCurve;

/// The joints that a gait is read from; index 0 is the left side, 1 the right.
typedef struct snw_GaitBody {
    int thigh[2], shin[2], foot[2];
    int toe[2]; ///< any joint well ahead of the ankle: ball of the foot, toe or end of the bone
    /// Thigh, shin, and how far the foot's joints reach below the ankle in the rest pose; mean of
    /// both legs. Metres.
    double leg_length;
    sinew_Quat upright; ///< brings the up of the motion to +Y
} snw_GaitBody;

/// Find those joints; up: of the motion that is read. False when there are not two whole legs with feet.
bool snw_gait_body(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, sinew_Vec3 up,
    snw_GaitBody *out_body);

/// A walk in figures. All zero where no stride was found (stride_count 0).
typedef struct snw_Gait {
    double curves[SNW_GAIT_CURVE_COUNT][SNW_GAIT_POINTS];
    int strike_count; ///< heel strikes of both legs
    int stride_count; ///< strides that were averaged; parts of strides where there is no whole one
    double
        steady; ///< how many of the whole strides are averaged, as a share; 1 where there is none
    double airborne; ///< share of the frames from strike to strike in which no foot stands
    double period;   ///< of a stride, seconds
    double speed;    ///< of the pelvis along its way, m/s
    double stride;   ///< speed * period in leg lengths
    double froude;   ///< speed / sqrt(g * leg length), the root of the Froude number
    double bounce;   ///< pelvis height, top to bottom, leg lengths
} snw_Gait;

/// Read the gait of a motion between two moments (cropped to the motion), seconds. Heel strike is
/// where the heel comes down after the ankle was farthest ahead of the pelvis along its way; the
/// way is looked at over a second. Who walks in place, as on a treadmill, goes as fast as the feet that stand slide back. allocator may be NULL. OUT_OF_MEMORY; then *out_gait is all zero. O(frames x joints).
///
/// Source of the event: Zeni, Richards and Higginson (2008), with the ankle for the heel; that
/// comes 4-8 % of a stride before the heel lands, so the landing of a heel drawn behind the ankle
/// (motion files have none) is looked for from there on.
sinew_Status snw_gait_read(const sinew_Clip *clip, const snw_GaitBody *body, double from, double to,
    const sinew_Allocator *allocator, snw_Gait *out_gait);

#endif
