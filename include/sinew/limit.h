#ifndef SINEW_LIMIT_H
#define SINEW_LIMIT_H

/// \file
/// Limits of ball joints: where the bone may point (swing) and how far it may turn about itself
/// (twist).
///
/// Three frames take part. The *socket* frame is the one the ball turns in: the parent's, turned by
/// the joint's rest rotation and by the axes before the ball. The *neutral* frame is fixed in the
/// socket; its x is where the bone points when there is no swing. The *bone* frame is fixed in the
/// joint that turns; its x is the bone. A ball with the quaternion q (socket_from_joint) stands at
///
///     neutral_from_bone = neutral^-1 q bone = swing twist
///
/// twist turns about x, by 2 atan2(x, w), in (-pi, pi]; swing takes x to the direction of the bone
/// by the shortest way, and so never turns about x. At a swing of exactly pi no shortest way
/// exists; there any twist is inside, as all of them are limits of allowed ones. Short of it the twist
/// is limited like anywhere, as exactly as q tells it: 1e-15 of rotation are 1e-15/cos(swing/2) of
/// twist. So a rest pose near a half turn is no special case: limits know of their neutral pose alone.
///
/// A compiled limit never changes and may be shared by threads. Sources: Blow (2002), Inverse
/// Kinematics with Quaternion Joint Limits; Wilhelms and Van Gelder (2001) for its path response.

#include "vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Swing and twist

/// A rotation as twist about x, then swing: rotation = swing * rotation_about_x(twist).
typedef struct sinew_SwingTwist {
    sinew_Quat swing; ///< its x component is 0
    double twist;     ///< radians, in (-pi, pi]
} sinew_SwingTwist;

/// The two parts of a unit quaternion. Where the swing is exactly pi they are not unique: then the
/// twist is 0.
SINEW_API sinew_SwingTwist sinew_swing_twist_decompose(sinew_Quat rotation);
/// The rotation of both: swing * rotation_about_x(twist).
SINEW_API sinew_Quat sinew_swing_twist_compose(sinew_SwingTwist parts);

/// The shortest rotation from direction a to b (unit vectors), as sinew_quat_between, without a
/// square root or a division: its length is 1 within 1e-3, its axis and angle are as exact as there.
SINEW_EXPERIMENTAL sinew_Quat sinew_quat_between_fast(sinew_Vec3 unit_a, sinew_Vec3 unit_b);

/// The same from +x to b: the x component is 0. Opposite to x, a half turn about z.
SINEW_API sinew_Quat sinew_quat_from_x(sinew_Vec3 unit_b);
/// The same, as exact as sinew_quat_between_fast.
SINEW_EXPERIMENTAL sinew_Quat sinew_quat_from_x_fast(sinew_Vec3 unit_b);

// ---------------------------------------------------------------------------------------------
// Where a bone may point

/// Largest number of rays of one window, of windows of one limit, and of rays of all of them.
#define SINEW_MAX_WINDOW_RAYS 64
#define SINEW_MAX_REACH_WINDOWS 64
#define SINEW_MAX_REACH_RAYS 512

/// One convex opening that the bone may point through: a spherical polygon, whose corners are rays
/// from the joint and whose sides are planes through the joint, or a circular cone.
typedef struct sinew_ReachWindow {
    /// Unit directions in the neutral frame, x being the neutral bone, in order either way round.
    const sinew_Vec3 *rays;
    /// 3..SINEW_MAX_WINDOW_RAYS; 1 for a cone about the only ray.
    int ray_count;
    /// Half the opening of a cone, radians, in (0, pi). Unused by a polygon.
    double cone_half_angle;
} sinew_ReachWindow;

/// A circular cone. The axis is not copied.
static inline sinew_ReachWindow sinew_reach_cone(const sinew_Vec3 *axis, double half_angle)
{
    sinew_ReachWindow r = { axis, 1, half_angle };
    return r;
}

/// A polygon. The rays are not copied.
static inline sinew_ReachWindow sinew_reach_polygon(const sinew_Vec3 *rays, int ray_count)
{
    sinew_ReachWindow r = { rays, ray_count, 0.0 };
    return r;
}

/// Rays of a loop given by swing per azimuth, radians: azimuth 0 is towards +y of the neutral
/// frame, pi/2 towards +z. mirrored turns the other way round, towards -z, for the other side of a
/// body. out_rays has count entries.
SINEW_API void sinew_reach_polar(
    const double *azimuths, const double *swings, int count, bool mirrored, sinew_Vec3 *out_rays);

/// ray_count rays of an ellipse about x that swings by half_y towards y and half_z towards z,
/// radians, in (0, pi/2): a spherical conic, which is convex whatever the two are. The corners lie
/// on the ellipse.
SINEW_API void sinew_reach_ellipse(
    double half_y, double half_z, int ray_count, sinew_Vec3 *out_rays);

// ---------------------------------------------------------------------------------------------
// The limit of one ball

/// Where a bone ends that was sent outside all windows.
typedef enum sinew_LimitResponse {
    /// At the closest point of all windows, measured along the sphere. Needs no path.
    SINEW_RESPONSE_ARC,
    /// At the closest point of that side which the path from the neutral direction hits; Blow's
    /// first. Up to tens of degrees farther than ARC where windows are not convex together.
    SINEW_RESPONSE_CLOSEST,
    /// Where that path leaves the windows; Blow's second, after Wilhelms and Van Gelder.
    SINEW_RESPONSE_INTERSECTION,
} sinew_LimitResponse;

/// How a limit is made. Start from sinew_ball_limit_def_default().
typedef struct sinew_BallLimitDef {
    /// socket_from_neutral, unit. Its x is the neutral direction of the bone; y and z are what the
    /// rays of the windows count from. Default identity.
    sinew_Quat neutral;
    /// joint_from_bone, unit. Its x is the bone; its turn about x decides which pose has twist 0.
    /// Default identity; sinew_quat_from_x(d) for a bone along d and nothing else known.
    sinew_Quat bone;
    /// The bone may point into any of these: they are one opening together, and so each must
    /// overlap another or share part of a side with it. 0 of them: anywhere.
    const sinew_ReachWindow *windows;
    int window_count;
    /// The only window is a loop that need not be convex, but is seen whole from star_center; it is
    /// cut into few convex windows.
    bool star;
    /// Unit direction in the neutral frame. Default +x.
    sinew_Vec3 star_center;
    /// Range of the twist, radians, lower <= upper, inside (-pi, pi); -INFINITY and INFINITY
    /// (default): free. Equal: locked.
    double twist_lower, twist_upper;
    /// Default ARC.
    sinew_LimitResponse response;
    /// Set by the default function, checked by sinew_ball_limit_create. Do not set.
    uint32_t cookie;
} sinew_BallLimitDef;

/// The defaults told above: a ball that may stand anywhere.
SINEW_API sinew_BallLimitDef sinew_ball_limit_def_default(void);

/// Set the frames of a definition from a pose: at neutral_pose (socket_from_joint) there is neither
/// swing nor twist.
///
/// bone_joint    unit direction of the bone in the joint's frame
/// zero_socket   direction in the socket frame that azimuth 0 (y of the neutral frame) is nearest to;
///               any when it is along the bone
SINEW_API void sinew_ball_limit_def_set_neutral(sinew_BallLimitDef *def, sinew_Quat neutral_pose,
    sinew_Vec3 bone_joint, sinew_Vec3 zero_socket);

typedef struct sinew_BallLimit sinew_BallLimit;

/// Check and compile a definition; all of it is copied. allocator may be NULL for malloc and free.
///
/// INVALID_ARGUMENT and a message for what breaks a rule above: windows that are not convex, thinner
/// than 1e-5 rad or apart from the others, corners closer than 1e-6 rad, stars not seen whole, ranges
/// the wrong way round. The neutral direction may be outside all windows; paths of responses then
/// start at the nearest point inside. On failure *out_limit is NULL.
SINEW_API sinew_Status sinew_ball_limit_create(const sinew_BallLimitDef *def,
    const sinew_Allocator *allocator, sinew_BallLimit **out_limit, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_ball_limit_destroy(sinew_BallLimit *limit);

/// Another one like it, in other memory. INVALID_ARGUMENT (limit NULL) or OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_ball_limit_clone(
    const sinew_BallLimit *limit, const sinew_Allocator *allocator, sinew_BallLimit **out_limit);

/// What it was made from, bit for bit; lives as long as the limit.
SINEW_API const sinew_BallLimitDef *sinew_ball_limit_def(const sinew_BallLimit *limit);

/// Whether a ball may stand at q (unit). Rounding of 1e-13 rad is let pass, and what is more of it
/// where angles are told badly: 8e-15 of rotation next to a swing of pi, up to 6e-10 rad at the rim of
/// cones of 1e-5 rad. Nanoseconds: four to sixteen products for most poses, and no trigonometry ever.
SINEW_API bool sinew_ball_limit_allows(const sinew_BallLimit *limit, sinew_Quat q);

/// How far q is outside, radians: the larger of the bone's distance to the windows and of what the
/// twist has too much. 0 where it is allowed; infinity for numbers that are not finite.
SINEW_API double sinew_ball_limit_violation(const sinew_BallLimit *limit, sinew_Quat q);

/// The pose nearest to q that is allowed: q itself, with its bits, where it is; else the swing goes
/// by the limit's response, the twist to the nearer end of its range, each leaving the other alone.
/// What comes back is allowed, and comes back with its bits when it is clamped again.
SINEW_API sinew_Quat sinew_ball_limit_clamp(const sinew_BallLimit *limit, sinew_Quat q);

/// Direction of the bone in the neutral frame, and twist.
SINEW_API void sinew_ball_limit_measure(
    const sinew_BallLimit *limit, sinew_Quat q, sinew_Vec3 *out_direction, double *out_twist);
/// The q of a direction of the bone (unit, neutral frame) and a twist.
SINEW_API sinew_Quat sinew_ball_limit_pose(
    const sinew_BallLimit *limit, sinew_Vec3 direction, double twist);

/// A pose well inside: the bone at the centre of the largest circle that fits into the windows
/// (neutral when there are none), the twist in the middle of its range.
SINEW_API sinew_Quat sinew_ball_limit_middle(const sinew_BallLimit *limit);

/// One piece of the outline of all windows together: the part of the circle
/// { p : normal . p = offset } that runs from start to end, counter-clockwise about normal, inside
/// being on the side of normal.
typedef struct sinew_ReachSide {
    sinew_Vec3 start, end; ///< unit, neutral frame; equal for a whole circle
    sinew_Vec3 normal;
    double offset; ///< 0 on sides of polygons (great circles)
} sinew_ReachSide;

/// Number of pieces of the outline, 0 when the bone may point anywhere.
SINEW_API int sinew_ball_limit_side_count(const sinew_BallLimit *limit);
/// One of them, 0 <= index < count, one behind the other around the windows; all zero for one that is not there.
SINEW_API sinew_ReachSide sinew_ball_limit_side(const sinew_BallLimit *limit, int index);

#ifdef __cplusplus
}
#endif

#endif
