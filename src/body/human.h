#ifndef SNW_HUMAN_H
#define SNW_HUMAN_H

// How far the joints of people go, and what their parts weigh, as tables by role.
//
// Ranges count from the anatomical neutral pose: standing, arms hanging, palms in. A swing window is
// a loop of azimuth and greatest swing about the direction that the bone has there; azimuth 0 and 90
// are towards the two directions that the table names. Twist is positive the way the left upper arm
// turns inwards: right-handed about a bone that hangs down, on the left side.
//
// Limits contain what healthy people do, athletes of everyday sports included: means of studies and two
// deviations, or what motions were seen to need. Sources: AAOS and AMA ranges, Boone and Azen (1979: arms,
// wrists, inversion of feet), Roach and Miles (1991: hips), Soucie et al. (2011: elbows, ankles, young
// women), Hemmerich et al. (2006: knees 157 and hips 95 with a deviation of 27 in squatting), Rabin and Kozol
// (2012: ankles of feet that carry the body, twice those of feet in the air); a meta-analysis of spines;
// de Leva (1996) for masses. Values at the four main azimuths are published; those between them are
// judgement (ellipses).

#include "sinew/role.h"

/// A direction of the body.
typedef enum snw_BodyWay {
    SNW_WAY_KEEP, ///< as the reference pose has it
    SNW_WAY_UP,
    SNW_WAY_DOWN,
    SNW_WAY_FORWARD,
    SNW_WAY_BACK,
    SNW_WAY_OUT, ///< away from the middle of the body; left on joints of the middle
    SNW_WAY_IN,
} snw_BodyWay;

typedef enum snw_HumanShape {
    SNW_HUMAN_LOOP, ///< a swing window
    SNW_HUMAN_BAND, ///< bends one way: a range towards azimuth 0, a little to both sides
} snw_HumanShape;

/// Most corners of a loop.
#define SNW_HUMAN_LOOP_SIZE 12

typedef struct snw_HumanJoint {
    sinew_Role role;
    snw_HumanShape shape;
    snw_BodyWay bone;          ///< where the bone points in the neutral pose
    snw_BodyWay zero, quarter; ///< azimuth 0 and 90
    int point_count;
    double loop[SNW_HUMAN_LOOP_SIZE][2]; ///< azimuth, greatest swing, degrees
    double star_center[2];               ///< azimuth, swing of a point that sees all of the loop
    double bend_lower, bend_upper;       ///< of a band, degrees
    double side;                         ///< of a band, to each side
    double twist_lower, twist_upper;
} snw_HumanJoint;

/// Number of a thumb that has one joint.
#define SNW_THUMB_ALONE 100

/// The entry of a role; NULL for roles without limits. number is that of fingers (0 in the palm,
/// 1..3). has_clavicle: a joint above the upper arm takes a third of its way.
const snw_HumanJoint *snw_human_joint(sinew_Role role, int number, bool has_clavicle);

/// What one of the joints of the spine takes of the whole, which is the entry of SINEW_ROLE_SPINE:
/// shares of forward and backward bend, of side bend and of twist, for joints at heights t[0..count)
/// between hips (0) and chest (1).
typedef struct snw_SpineShare {
    double bend, side, twist;
} snw_SpineShare;

snw_SpineShare snw_human_spine_share(const double *t, int count, int index);
/// The same for neck joints and head; the whole is the entry of SINEW_ROLE_NECK. index neck_count is
/// the head's.
snw_SpineShare snw_human_neck_share(int neck_count, int index);

/// Share of the body's mass, and the place of its centre from the near joint of the segment to the
/// far one; mean of both sexes.
typedef struct snw_HumanMass {
    double share, center;
} snw_HumanMass;

typedef enum snw_HumanSegment {
    SNW_SEGMENT_HEAD, ///< with the neck; centre from the neck's lower end to the top
    SNW_SEGMENT_UPPER_TRUNK,
    SNW_SEGMENT_MIDDLE_TRUNK,
    SNW_SEGMENT_LOWER_TRUNK,
    SNW_SEGMENT_UPPER_ARM,
    SNW_SEGMENT_FOREARM,
    SNW_SEGMENT_HAND,
    SNW_SEGMENT_THIGH,
    SNW_SEGMENT_SHANK,
    SNW_SEGMENT_FOOT,
    SNW_SEGMENT_COUNT,
} snw_HumanSegment;

snw_HumanMass snw_human_mass(snw_HumanSegment segment);

#endif
