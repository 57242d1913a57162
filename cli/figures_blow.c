// Figures of Blow (2002), Inverse Kinematics with Quaternion Joint Limits.

#include "disk.h"
#include "figures.h"

#include <math.h>

#define DEGREE (SINEW_PI / 180.0)

// Figure 1: an arm with its reach windows and twist ranges, in a pose of its motion
static bool draw_arm(cli_Draft *draft, const char *path)
{
    scene_pose_at(draft->scene, 3.0, draft->q);
    picture_Limits limits = picture_limits_default();
    limits.skeleton = draft->skeleton;
    limits.q = draft->q;
    limits.title = "Reach windows and twist ranges";
    limits.subtitle = "Blow (2002), figure 1";
    return cli_save_limits(&limits, path, &draft->message) == SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Figure 2: a hexagonal window and its responses

enum { CORNERS = 6, SIDE_POINTS = 16, OUTLINE = CORNERS * SIDE_POINTS + 1, ATTEMPTS = 4 };

// Swing and azimuth as a flat drawing: the neutral direction in the middle, every straight line from it
// is a path from it, and distances along that line are true. Degrees.
static void flatten(sinew_Vec3 direction, double *out_x, double *out_y)
{
    double across = hypot(direction.y, direction.z);
    double swing = sinew_atan2(across, direction.x) / DEGREE;
    *out_x = across > 0.0 ? swing * direction.y / across : 0.0;
    *out_y = across > 0.0 ? swing * direction.z / across : 0.0;
}

static bool make_limit(sinew_LimitResponse response, sinew_BallLimit **out, sinew_Message *message)
{
    static const double swings[CORNERS] = { 48, 60, 44, 52, 58, 42 };
    double azimuths[CORNERS], radians[CORNERS];
    for (int i = 0; i < CORNERS; ++i) {
        azimuths[i] = (60.0 * i + 10.0) * DEGREE;
        radians[i] = swings[i] * DEGREE;
    }
    sinew_Vec3 rays[CORNERS];
    sinew_reach_polar(azimuths, radians, CORNERS, false, rays);
    const sinew_ReachWindow window = sinew_reach_polygon(rays, CORNERS);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.response = response;
    return sinew_ball_limit_create(&def, NULL, out, message) == SINEW_STATUS_OK;
}

static void trace_outline(const sinew_BallLimit *limit, double *x, double *y)
{
    int count = 0;
    for (int side = 0; side < CORNERS; ++side) {
        // sides of polygons are great circles: their chords, blown up, follow them
        const sinew_ReachSide piece = sinew_ball_limit_side(limit, side);
        for (int i = 0; i < SIDE_POINTS; ++i, ++count) {
            sinew_Vec3 at = sinew_vec3_lerp(piece.start, piece.end, (double)i / SIDE_POINTS);
            flatten(sinew_vec3_normalize_or(at, piece.start), &x[count], &y[count]);
        }
    }
    x[count] = x[0];
    y[count] = y[0];
}

static bool draw_hexagon(cli_Draft *draft, const char *path)
{
    static const double attempts[ATTEMPTS][2] = { { 74, 38 }, { 84, 76 }, { 78, 150 },
        { 30, 235 } };
    static const char *const names[ATTEMPTS] = { "1", "2: at a corner", "3", "4: inside, stays" };
    static const char *const neutral_name[] = { "neutral" };
    sinew_BallLimit *closest = NULL, *crossing = NULL;
    bool good = make_limit(SINEW_RESPONSE_CLOSEST, &closest, &draft->message)
        && make_limit(SINEW_RESPONSE_INTERSECTION, &crossing, &draft->message)
        && sinew_ball_limit_side_count(closest) == CORNERS;
    if (good) {
        double x[5][OUTLINE], y[5][OUTLINE]; // outline, paths, attempts, closest, intersections
        trace_outline(closest, x[0], y[0]);
        for (int i = 0; i < ATTEMPTS; ++i) {
            sinew_Vec3 tried, direction;
            const double azimuth = attempts[i][1] * DEGREE, swing = attempts[i][0] * DEGREE;
            sinew_reach_polar(&azimuth, &swing, 1, false, &tried);
            const sinew_Quat q = sinew_ball_limit_pose(closest, tried, 0.0);
            flatten(tried, &x[2][i], &y[2][i]);
            sinew_ball_limit_measure(closest, sinew_ball_limit_clamp(closest, q), &direction, NULL);
            flatten(direction, &x[3][i], &y[3][i]);
            sinew_ball_limit_measure(
                crossing, sinew_ball_limit_clamp(crossing, q), &direction, NULL);
            flatten(direction, &x[4][i], &y[4][i]);
            // from neutral to the attempt, and from there to the closest point
            const double xs[4] = { 0.0, x[2][i], x[3][i], (double)NAN };
            const double ys[4] = { 0.0, y[2][i], y[3][i], (double)NAN };
            for (int k = 0; k < 4; ++k) {
                x[1][4 * i + k] = xs[k];
                y[1][4 * i + k] = ys[k];
            }
        }
        const double middle = 0.0;
        const picture_Series series[] = {
            { .label = "window", .x = x[0], .y = y[0], .count = OUTLINE },
            { .label = "attempt",
                .x = x[2],
                .y = y[2],
                .count = ATTEMPTS,
                .no_line = true,
                .dots = true,
                .names = names },
            { .label = "closest",
                .x = x[3],
                .y = y[3],
                .count = ATTEMPTS - 1,
                .no_line = true,
                .dots = true },
            { .label = "intersection",
                .x = x[4],
                .y = y[4],
                .count = ATTEMPTS - 1,
                .no_line = true,
                .dots = true },
            { .x = x[1], .y = y[1], .count = 4 * ATTEMPTS, .dashed = true },
            { .x = &middle, .y = &middle, .count = 1, .dots = true, .names = neutral_name },
        };
        picture_Plot plot = cli_draft_plot("A reach window", "swing towards azimuth 0 (°)",
            "swing towards azimuth 90° (°)", series, 6);
        plot.is_map = true;
        plot.height = 820;
        good = cli_draft_write_plot(draft, &plot, path);
    }
    sinew_ball_limit_destroy(closest);
    sinew_ball_limit_destroy(crossing);
    return good;
}

const cli_Figure cli_figures_blow[] = {
    { "blow-2002-1", "reach windows and twist of an arm", "LIMITARM", 1, draw_arm },
    { "blow-2002-2", "a hexagonal window: closest and intersection", NULL, 0, draw_hexagon },
    { NULL, NULL, NULL, 0, NULL },
};
