#ifndef SNW_BALL_LIMIT_BUILD_H
#define SNW_BALL_LIMIT_BUILD_H

// A limit while it is being compiled.

#include "base/message.h"
#include "body/ball_limit.h"

/// Cutting a star adds its centre to each window.
#define SNW_MAX_SIDES (SINEW_MAX_REACH_RAYS + 3 * SINEW_MAX_REACH_WINDOWS)

/// Smallest radius of the largest circle inside a window, radians.
#define SNW_WINDOW_RADIUS 1e-5

/// Circles of early acceptance keep this distance from the outline, radians, so that what they
/// accept is clear of all sides.
#define SNW_CAP_MARGIN (2.0 * SNW_LIMIT_TOUCH)

/// Most corners while polygons clip each other: each clip adds one at most.
#define SNW_MAX_CLIPPED (4 * SINEW_MAX_WINDOW_RAYS)

/// Room for the making of a limit, too large for a stack.
typedef struct snw_LimitScratch {
    double crossings[2 * SNW_MAX_SIDES + 2]; // of one arc
    sinew_Vec3 clipped[2][SNW_MAX_CLIPPED];
} snw_LimitScratch;

typedef struct snw_LimitDraft {
    snw_LimitScratch *scratch;
    snw_Window windows[SINEW_MAX_REACH_WINDOWS];
    double radii[SINEW_MAX_REACH_WINDOWS]; // of the largest circle inside
    int window_count;
    snw_Side sides[SNW_MAX_SIDES];
    sinew_Vec3 corners[SNW_MAX_SIDES]; // side i runs from corner i to the next of its window
    int side_count;
} snw_LimitDraft;

/// Add a polygon of unit rays, order either way round. name and index are those of the messages.
sinew_Status snw_draft_add_polygon(snw_LimitDraft *draft, const sinew_Vec3 *rays, int count,
    int index, sinew_Message *out_message);

/// Add the window of a cone; half_angle in radians. index is that of the messages.
sinew_Status snw_draft_add_cone(snw_LimitDraft *draft, sinew_Vec3 axis, double half_angle,
    int index, sinew_Message *out_message);

/// Add the windows of a star-shaped loop of unit rays.
sinew_Status snw_draft_add_star(snw_LimitDraft *draft, const sinew_Vec3 *rays, int count,
    sinew_Vec3 center, sinew_Message *out_message);

/// Whether the unit corners, counter-clockwise, bound a convex polygon.
bool snw_corners_are_convex(const sinew_Vec3 *corners, int count);

/// Whether all windows hang together.
sinew_Status snw_draft_check_connected(const snw_LimitDraft *draft, sinew_Message *out_message);

/// The pieces of the outline; with out NULL they are counted alone, with neighbours not found.
int snw_draft_outline(const snw_LimitDraft *draft, snw_Piece *out);

/// Fill what depends on the outline: circles for early acceptance, start of paths. Windows, sides and
/// pieces of the limit must be there.
void snw_limit_find_caps(sinew_BallLimit *limit, const snw_LimitDraft *draft);

/// Cosine of radius less SNW_CAP_MARGIN; 2, which nothing reaches, for small radii.
double snw_cap_cosine(double radius);

#endif
