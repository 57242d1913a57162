// `sinew bench retarget`: ten recorded clips on five characters that never met, judged from outside on the
// motion as it is written; the same with limits, live, and on the clip's own body.

#include "bench/bench.h"
#include "bench/bench_setup.h"
#include "bench/retarget_cases.h"

#include "cli/arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_Column columns[] = {
    { "clip", "clip", NULL, 0.0 },
    { "to", "target", NULL, 0.0 },
    { "legs", "scale", "2 x", 1.0 },
    { "heel med", "heel_slide_median_mm", "1 mm", 1.0 },
    { "max", "heel_slide_max_mm", "1 mm", 1.0 },
    { "ball med", "ball_slide_median_mm", "1 mm", 1.0 },
    { "max", "ball_slide_max_mm", "1 mm", 1.0 },
    { "floor", "floor_mm_max", "1 mm", 1.0 },
    { "below", "below_mm_max", "1 mm", 1.0 },
    { "trunk", "trunk_deg_max", "1 deg", 57.29577951308232 },
    { "all", "acceleration_all", "2", 1.0 },
    { "hips", "acceleration_hips", "2", 1.0 },
    { "knee", "acceleration_knees", "2", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

_Static_assert(
    sizeof columns / sizeof columns[0] <= CLI_TABLE_COLUMNS + 1, "more columns than a table has");

static const bench_Column more_columns[] = {
    { "clip", "clip", NULL, 0.0 },
    { "to", "target", NULL, 0.0 },
    { "ankle", "acceleration_ankles", "2", 1.0 },
    { "knee +", "acceleration_knees_above", "1 m/s2", 1.0 },
    { "ankle +", "acceleration_ankles_above", "1 m/s2", 1.0 },
    { "step", "joint_step_share", "2", 1.0 },
    { "lowered", "hips_lowered_mm_max", "0 mm", 1000.0 },
    { "short", "short_frames", "0", 1.0 },
    { "start", "collapse_share", "3", 1.0 },
    { "limits", "limit_violation_rad", "2", 1.0 },
    { "frames/s", "frames_per_second", "0", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

static double worst(double *values, size_t count)
{
    return count > 0 ? bench_quantile(values, count, 1.0) : 0.0;
}

static double median(double *values, size_t count)
{
    return count > 0 ? bench_quantile(values, count, 0.5) : 0.0;
}

static void put_rows(
    bench_Output *out, const bench_RetargetTable *table, const char *key, const char *title)
{
    char first[64];
    snprintf(first, sizeof first, "%s_pairs", key);
    bench_columns_begin(out, first, title, columns);
    for (int i = 0; i < table->count; ++i) {
        const bench_RetargetRow *r = &table->rows[i];
        const char *texts[2] = { r->clip, r->target };
        const double numbers[] = { r->scale, median(r->heels.values, r->heels.count),
            worst(r->heels.values, r->heels.count), median(r->balls.values, r->balls.count),
            worst(r->balls.values, r->balls.count), r->floor, r->below, r->trunk,
            r->ratio[BENCH_PART_ALL], r->ratio[BENCH_PART_HIPS], r->ratio[BENCH_PART_KNEES] };
        bench_row(out, columns, texts, numbers);
    }
    bench_table_end(out);
    snprintf(first, sizeof first, "%s_smoothness", key);
    bench_columns_begin(out, first, "", more_columns);
    for (int i = 0; i < table->count; ++i) {
        const bench_RetargetRow *r = &table->rows[i];
        const char *texts[2] = { r->clip, r->target };
        const double numbers[] = { r->ratio[BENCH_PART_ANKLES], r->above[BENCH_PART_KNEES],
            r->above[BENCH_PART_ANKLES], r->step, r->report.hips_lowered_max,
            r->report.short_frames, r->collapse, r->report.limit_violation, r->frames_per_second };
        bench_row(out, more_columns, texts, numbers);
    }
    bench_table_end(out);
}

static const bench_Column verdict_columns[] = {
    { "what", "what", NULL, 0.0 },
    { "asked", "asked", NULL, 0.0 },
    { "measured", "measured", NULL, 0.0 },
    { "verdict", "verdict", NULL, 0.0 },
    { NULL, NULL, NULL, 0.0 },
};

static void put_verdicts(
    bench_Output *out, const bench_RetargetTable *table, const char *key, const char *title)
{
    char name[64];
    snprintf(name, sizeof name, "%s_verdicts", key);
    bench_columns_begin(out, name, title, verdict_columns);
    bench_RetargetVerdict verdicts[BENCH_RETARGET_VERDICTS];
    int count = bench_retarget_judge(table, verdicts);
    for (int i = 0; i < count; ++i) {
        const bench_RetargetVerdict *v = &verdicts[i];
        const char *texts[4] = { v->what, v->asked, v->measured,
            strcmp(v->asked, "-") == 0 ? "-"
                : v->met               ? "met"
                                       : "MISSED" };
        bench_row(out, verdict_columns, texts, NULL);
    }
    bench_table_end(out);
}

static bool is_wanted(const bench_Request *request, const char *name)
{
    for (int i = 0; i < request->file_count; ++i) {
        if (strcmp(request->files[i], name) == 0) { return true; }
    }
    return request->file_count == 0;
}

static const struct {
    const char *name, *title;
    bench_RetargetWay way;
} parts[] = {
    { "closed", "Closed form, without limits", BENCH_RETARGET_CLOSED },
    { "limits", "With guessed limits, held by the solver", BENCH_RETARGET_LIMITS },
    { "live", "Live at 100 Hz, 100 ms look-ahead", BENCH_RETARGET_LIVE },
    { "now", "Live at 100 Hz, no look-ahead", BENCH_RETARGET_NOW },
};
enum { PART_COUNT = (int)(sizeof parts / sizeof parts[0]) };

int sinew_bench_retarget(const bench_Request *request)
{
    for (int i = 0; i < request->file_count; ++i) {
        bool known = false;
        for (int p = 0; p < PART_COUNT; ++p) {
            known = known || strcmp(request->files[i], parts[p].name) == 0;
        }
        if (!known) {
            return cli_error("bench retarget: found '%s', expected closed, limits, live or now",
                request->files[i]);
        }
    }
    bench_Output out = { .as_json = request->json };
    if (out.as_json) { out.json = cli_json_begin(); }
    for (int p = 0; p < PART_COUNT; ++p) {
        if (!is_wanted(request, parts[p].name)) { continue; }
        bench_RetargetTable table = { .count = 0 };
        if (!bench_retarget_run(&table, parts[p].way)) {
            bench_retarget_free(&table);
            return CLI_FAILED;
        }
        put_rows(&out, &table, parts[p].name, parts[p].title);
        put_verdicts(&out, &table, parts[p].name, "");
        bench_retarget_free(&table);
    }
    if (out.as_json) { cli_json_end(&out.json); }
    return out.failed ? CLI_FAILED : CLI_DONE;
}
