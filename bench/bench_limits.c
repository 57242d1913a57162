// `sinew bench limits`: what the cheap tests of ball limits cost, and how much they spare.
// Blow (2002), Tuning for Speed.

#include "bench/bench.h"

#include "body/ball_limit.h"
#include "cli/json.h"
#include "cli/table.h"
#include "scenes/random.h"

#include <stdio.h>

enum { POSES = 4096, RUNS = 15, CALLS = 8, RAYS = 12 };

#define DEGREE (SINEW_PI / 180.0)

typedef struct Shape {
    const char *name;
    int count;
    double swings[RAYS]; // degrees, at equal steps of azimuth
    double twist_lower, twist_upper;
} Shape;

// published ranges of motion, azimuth 0 outward and 90 forward, from the hanging limb
static const Shape shapes[] = {
    { "shoulder", 12, { 175, 175, 172, 170, 130, 75, 45, 30, 40, 60, 80, 130 }, -95, 70 },
    { "hip", 12, { 45, 75, 110, 125, 85, 45, 30, 20, 18, 20, 28, 38 }, -45, 45 },
    { "wrist", 8, { 21, 40, 78, 55, 33, 48, 72, 38 }, -82, 78 },
    { "hexagon", 6, { 40, 40, 40, 40, 40, 40 }, -60, 60 },
};
enum { SHAPE_COUNT = (int)(sizeof shapes / sizeof shapes[0]) };

// One way to test all poses.
typedef struct Work {
    const sinew_BallLimit *limit;
    const sinew_Quat *poses;
    long accepted; // keeps the work from being left out
} Work;

static sinew_BallLimit *make_limit(const Shape *shape)
{
    double azimuths[RAYS], swings[RAYS];
    sinew_Vec3 rays[RAYS];
    for (int i = 0; i < shape->count; ++i) {
        azimuths[i] = i * 2.0 * SINEW_PI / shape->count;
        swings[i] = shape->swings[i] * DEGREE;
    }
    sinew_reach_polar(azimuths, swings, shape->count, false, rays);
    sinew_ReachWindow window = sinew_reach_polygon(rays, shape->count);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.star = true;
    def.twist_lower = shape->twist_lower * DEGREE;
    def.twist_upper = shape->twist_upper * DEGREE;
    sinew_BallLimit *limit = NULL;
    sinew_ball_limit_create(&def, NULL, &limit, NULL);
    return limit;
}

// ---------------------------------------------------------------------------------------------
// Ways to test a pose

static void test_merged(void *user)
{
    Work *work = user;
    for (int i = 0; i < POSES; ++i) {
        work->accepted += snw_ball_allows(work->limit, work->poses[i], NULL);
    }
}

static void test_after_rotation(void *user)
{
    Work *work = user;
    for (int i = 0; i < POSES; ++i) {
        sinew_Quat r = snw_ball_rotation(work->limit, work->poses[i]);
        work->accepted += snw_ball_holds(work->limit, r, NULL);
    }
}

static bool in_windows(const sinew_BallLimit *limit, sinew_Vec3 u)
{
    for (int i = 0; i < limit->window_count; ++i) {
        const snw_Window *window = limit->windows + i;
        const snw_Side *sides = limit->sides + window->side_start;
        if (snw_sides_hold(sides, window->side_count, u, SNW_LIMIT_SLACK)) { return true; }
    }
    return false;
}

static void test_by_sides(void *user)
{
    Work *work = user;
    for (int i = 0; i < POSES; ++i) {
        sinew_Quat r = snw_ball_rotation(work->limit, work->poses[i]);
        double share = r.x * r.x + r.w * r.w;
        work->accepted += snw_twist_holds(&work->limit->twist, r.x, r.w, share)
            && in_windows(work->limit, snw_bone_of(r));
    }
}

static void test_by_angles(void *user)
{
    Work *work = user;
    const sinew_BallLimitDef *def = &work->limit->def;
    for (int i = 0; i < POSES; ++i) {
        sinew_Quat r = snw_ball_rotation(work->limit, work->poses[i]);
        sinew_SwingTwist parts = sinew_swing_twist_decompose(r);
        work->accepted += parts.twist >= def->twist_lower && parts.twist <= def->twist_upper
            && in_windows(work->limit, snw_bone_of(parts.swing));
    }
}

static double nanoseconds(void (*test)(void *user), Work *work)
{
    return 1e9 * bench_time(test, work, CALLS, RUNS).median / POSES;
}

// ---------------------------------------------------------------------------------------------
// Rows

typedef struct Row {
    double merged, rotated, sides, angles;    // ns
    double by_x, by_union, by_windows, later; // shares of accepted poses
    long trigonometry;
} Row;

static Row measure(const sinew_BallLimit *limit, const sinew_Quat *poses)
{
    Work work = { limit, poses, 0 };
    Row row = { .merged = nanoseconds(test_merged, &work),
        .rotated = nanoseconds(test_after_rotation, &work),
        .sides = nanoseconds(test_by_sides, &work),
        .angles = nanoseconds(test_by_angles, &work) };
    snw_LimitCounts counts = { 0 };
    for (int i = 0; i < POSES; ++i) { snw_ball_allows(limit, poses[i], &counts); }
    row.by_x = (double)counts.near_accepts / POSES;
    row.by_union = (double)counts.union_accepts / POSES;
    row.by_windows = (double)counts.window_accepts / POSES;
    row.later = 1.0 - row.by_x - row.by_union - row.by_windows;
    row.trigonometry = counts.trigonometry;
    return row;
}

static void put_json(
    cli_Json *json, const Shape *shape, const sinew_BallLimit *limit, const Row *row)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "shape", shape->name);
    cli_json_whole(json, "windows", limit->window_count);
    cli_json_number(json, "merged_ns", row->merged);
    cli_json_number(json, "after_rotation_ns", row->rotated);
    cli_json_number(json, "by_sides_ns", row->sides);
    cli_json_number(json, "by_angles_ns", row->angles);
    cli_json_number(json, "accepted_by_x", row->by_x);
    cli_json_number(json, "accepted_by_circle", row->by_union);
    cli_json_number(json, "accepted_by_window_circle", row->by_windows);
    cli_json_number(json, "accepted_by_sides", row->later);
    cli_json_whole(json, "trigonometry", row->trigonometry);
    cli_json_object_end(json);
}

static void put_cells(
    cli_Table *table, const Shape *shape, const sinew_BallLimit *limit, const Row *row)
{
    cli_table_cell(table, "%s", shape->name);
    cli_table_cell(table, "%d", limit->window_count);
    cli_table_cell(table, "%.1f", row->merged);
    cli_table_cell(table, "%.1f", row->rotated);
    cli_table_cell(table, "%.1f", row->sides);
    cli_table_cell(table, "%.1f", row->angles);
    cli_table_cell(table, "%.0f %%", 100.0 * row->by_x);
    cli_table_cell(table, "%.0f %%", 100.0 * row->by_union);
    cli_table_cell(table, "%.0f %%", 100.0 * row->by_windows);
    cli_table_cell(table, "%.0f %%", 100.0 * row->later);
    cli_table_cell(table, "%ld", row->trigonometry);
}

int sinew_bench_limits(bool json)
{
    static const char *const heads[] = { "limit", "windows", "merged", "rotate, test",
        "twist, all sides", "angles", "by x", "by circle", "by window's", "by sides", "sines" };
    static sinew_Quat poses[POSES];
    cli_Json out = { 0, { false } };
    cli_Table table = cli_table_begin("lrrrrrrrrrr");
    if (json) {
        out = cli_json_begin();
        cli_json_array(&out, "limits");
    } else {
        printf(
            "Tests of ball limits: nanoseconds for a pose inside (median), and which test accepts "
            "it\n\n");
        for (size_t i = 0; i < sizeof heads / sizeof heads[0]; ++i) {
            cli_table_cell(&table, "%s", heads[i]);
        }
    }
    int failed = 0;
    for (int s = 0; s < SHAPE_COUNT; ++s) {
        sinew_BallLimit *limit = make_limit(&shapes[s]);
        if (limit == NULL) {
            failed = 1;
            continue;
        }
        scene_Random random = scene_random(1);
        for (int count = 0; count < POSES;) {
            poses[count] = scene_random_rotation(&random);
            count += sinew_ball_limit_allows(limit, poses[count]);
        }
        Row row = measure(limit, poses);
        if (json) {
            put_json(&out, &shapes[s], limit, &row);
        } else {
            put_cells(&table, &shapes[s], limit, &row);
        }
        sinew_ball_limit_destroy(limit);
    }
    if (json) {
        cli_json_array_end(&out);
        cli_json_end(&out);
    } else {
        cli_table_end(&table, "  ");
        printf("\n");
    }
    return failed;
}
