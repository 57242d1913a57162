// A loop that is seen whole from its centre is cut into few convex windows: triangles of a fan, put
// together while they stay convex. Cutting keeps the cheap tests of convex windows; Wilhelms and
// Van Gelder (2001) test the fan itself.

#include "body/ball_limit_build.h"

#include "math/holds.h"

// The fan from corner start, `count` triangles long, with its centre: a polygon of count + 2 corners.
static int fan_corners(
    const sinew_Vec3 *rays, int ray_count, sinew_Vec3 center, int start, int count, sinew_Vec3 *out)
{
    out[0] = center;
    for (int i = 0; i <= count; ++i) { out[i + 1] = rays[(start + i) % ray_count]; }
    return count + 2;
}

// Lengths of the convex fans met when cutting greedily from a corner on; returns how many. A fan
// stops short of the whole loop, so that its centre stays a corner, and of the rays of one window.
static int cut_from(
    const sinew_Vec3 *rays, int ray_count, sinew_Vec3 center, int start, int *out_lengths)
{
    SNW_ASSERT(ray_count >= 0);
    sinew_Vec3 corners[SINEW_MAX_WINDOW_RAYS + 2];
    int used = 0, fans = 0;
    while (used < ray_count) {
        int length = 1;
        while (used + length < ray_count && length + 3 <= SINEW_MAX_WINDOW_RAYS) {
            int count = fan_corners(rays, ray_count, center, start + used, length + 1, corners);
            if (!snw_corners_are_convex(corners, count)) { break; }
            ++length;
        }
        out_lengths[fans++] = length;
        used += length;
    }
    return fans;
}

// Each side passes the centre on the left, by less than half a turn, and all together go round once.
static sinew_Status check_star(
    const sinew_Vec3 *rays, int count, sinew_Vec3 center, sinew_Message *message)
{
    SNW_ASSERT(count >= 0);
    double turn = 0.0;
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 a = sinew_vec3_cross(center, rays[i]);
        sinew_Vec3 b = sinew_vec3_cross(center, rays[(i + 1) % count]);
        double s = sinew_vec3_dot(center, sinew_vec3_cross(a, b));
        double c = sinew_vec3_dot(a, b);
        if (!(sinew_vec3_length(a) > SNW_CORNER_APART)) {
            return snw_refuse(
                message, "windows[0].rays[%d] is along star_center or opposite to it", i);
        }
        if (!(s > 1e-12)) {
            return snw_refuse(message,
                "windows[0] is no star: the side from rays[%d] to rays[%d] does not go round "
                "star_center the way of the others",
                i, (i + 1) % count);
        }
        turn += sinew_atan2(s, c);
    }
    if (fabs(turn - 2.0 * SINEW_PI) > 1e-6) {
        return snw_refuse(message, "windows[0] goes round star_center %g times, want once",
            turn / (2.0 * SINEW_PI));
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_draft_add_star(snw_LimitDraft *draft, const sinew_Vec3 *rays, int count,
    sinew_Vec3 center, sinew_Message *message)
{
    SNW_ASSERT(count >= 0);
    // either way round; the first side tells
    sinew_Vec3 loop[SINEW_MAX_WINDOW_RAYS];
    bool turned = sinew_vec3_dot(center, sinew_vec3_cross(rays[0], rays[1])) < 0.0;
    for (int i = 0; i < count; ++i) { loop[i] = rays[turned ? (count - i) % count : i]; }
    sinew_Status status = check_star(loop, count, center, message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (snw_corners_are_convex(loop, count)) {
        return snw_draft_add_polygon(draft, loop, count, 0, message);
    }

    // every corner may be the first; the fewest windows win
    int lengths[SINEW_MAX_WINDOW_RAYS], best_lengths[SINEW_MAX_WINDOW_RAYS];
    int best = count + 1, best_start = 0;
    for (int start = 0; start < count; ++start) {
        int fans = cut_from(loop, count, center, start, lengths);
        if (fans < best) {
            best = fans;
            best_start = start;
            for (int i = 0; i < fans; ++i) { best_lengths[i] = lengths[i]; }
        }
    }
    int start = best_start;
    for (int i = 0; i < best && status == SINEW_STATUS_OK; ++i) {
        sinew_Vec3 corners[SINEW_MAX_WINDOW_RAYS + 2];
        int corner_count = fan_corners(loop, count, center, start, best_lengths[i], corners);
        status = snw_draft_add_polygon(draft, corners, corner_count, 0, message);
        start += best_lengths[i];
    }
    return status;
}
