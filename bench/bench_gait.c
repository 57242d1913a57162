// `sinew bench gait`: the natural walk beside recorded people, and how it does against recordings
// that took no part in its fit.

#include "bench/bench.h"
#include "bench/gait_fit.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 16 };

static const char *const curve_names[3] = { "hip", "knee", "ankle" };
/// What each curve should reach.
static const double goals[3] = { 0.97, 0.95, 0.85 };

/// One fit and what came of it.
typedef struct Fit {
    int half; ///< that was fitted to; -1: all
    snw_GaitNumbers numbers;
    double cost;
    bench_GaitMatch own, other; ///< against what was fitted to, and against the other half
} Fit;

static bool match_half(
    const bench_WalkRun *run, const snw_GaitNumbers *numbers, int half, bench_GaitMatch *out_match)
{
    sinew_Message message;
    snw_Gait reference = bench_gait_recorded_mean(half), gait;
    double speed = reference.froude * sqrt(9.81 * bench_gait_leg_length(run, &message));
    if (!bench_gait_walk_by(run, numbers, speed, &gait, NULL, &message)) { return false; }
    *out_match = bench_gait_match(&gait, &reference);
    return true;
}

/// The middle of every range: knows nothing of the recordings.
static snw_GaitNumbers neutral_numbers(void)
{
    snw_GaitNumbers numbers = snw_gait_numbers;
    for (int i = 0; i < bench_gait_number_count(); ++i) {
        *bench_gait_number(&numbers, i) = bench_gait_number_middle(i);
    }
    return numbers;
}

typedef struct Told {
    cli_Progress *progress;
    long before;
} Told;

static void tell(void *user, int round, double cost)
{
    const Told *told = user;
    (void)cost;
    cli_progress_update(told->progress, told->before + round + 1);
}

static bool run_fit(const bench_WalkRun *run, int half, Told *told, Fit *out_fit)
{
    bench_GaitFit fit = { *run, half, ROUNDS, tell, told };
    out_fit->half = half;
    out_fit->numbers = neutral_numbers();
    out_fit->cost = bench_gait_fit(&fit, &out_fit->numbers);
    told->before += ROUNDS;
    return isfinite(out_fit->cost) && match_half(run, &out_fit->numbers, half, &out_fit->own)
        && match_half(run, &out_fit->numbers, half < 0 ? -1 : 1 - half, &out_fit->other);
}

static bool is_reached(const bench_GaitMatch *match)
{
    bool reached = true;
    for (int c = 0; c < 3; ++c) { reached = reached && match->correlation[c] >= goals[c]; }
    return reached;
}

// ---------------------------------------------------------------------------------------------

static void print_match(cli_Table *table, const bench_GaitMatch *match)
{
    for (int c = 0; c < 3; ++c) { cli_table_cell(table, "%.3f", match->correlation[c]); }
    for (int c = 0; c < 3; ++c) { cli_table_cell(table, "%.1f", match->rms[c]); }
}

static void print_heads(cli_Table *table, const char *first, const char *second)
{
    cli_table_cell(table, "%s", first);
    cli_table_cell(table, "%s", second);
    for (int c = 0; c < 3; ++c) { cli_table_cell(table, "%s", curve_names[c]); }
    for (int c = 0; c < 3; ++c) { cli_table_cell(table, "%s deg", curve_names[c]); }
}

static void print_fits(const Fit fits[2])
{
    printf("natural walk fitted to one half of the recordings (from the middle of all ranges) and\n"
           "judged by the other: correlation of mean curves, RMS without offset\n");
    cli_Table table = cli_table_begin("llrrrrrr");
    print_heads(&table, "fitted to", "against");
    for (int h = 0; h < 2; ++h) {
        for (int k = 0; k < 2; ++k) {
            cli_table_cell(&table, "half %d", h + 1);
            cli_table_cell(&table, "half %d", k == 0 ? h + 1 : 2 - h);
            print_match(&table, k == 0 ? &fits[h].own : &fits[h].other);
        }
    }
    cli_table_end(&table, "  ");
    bool reached = is_reached(&fits[0].other) && is_reached(&fits[1].other);
    printf("  goal %.2f, %.2f, %.2f against the half that took no part: %s\n", goals[0], goals[1],
        goals[2], reached ? "reached" : "not reached");
}

static void print_rows(const bench_GaitRow *rows, int row_count)
{
    printf("\nas it walks\n");
    cli_Table table = cli_table_begin("llrrrrrr");
    print_heads(&table, "walk", "against");
    for (int i = 0; i < row_count; ++i) {
        cli_table_cell(&table, "%s", rows[i].style);
        cli_table_cell(&table, "%s", rows[i].against);
        print_match(&table, &rows[i].match);
    }
    cli_table_end(&table, "  ");
}

static void print_numbers(const Fit fits[2])
{
    printf("\nnumbers\n");
    cli_Table table = cli_table_begin("lrrr");
    cli_table_cell(&table, "number");
    cli_table_cell(&table, "walks by");
    cli_table_cell(&table, "half 1");
    cli_table_cell(&table, "half 2");
    for (int i = 0; i < bench_gait_number_count(); ++i) {
        snw_GaitNumbers shipped = snw_gait_numbers, a = fits[0].numbers, b = fits[1].numbers;
        cli_table_cell(&table, "%s", bench_gait_number_name(i));
        cli_table_cell(&table, "%.4g", *bench_gait_number(&shipped, i));
        cli_table_cell(&table, "%.4g", *bench_gait_number(&a, i));
        cli_table_cell(&table, "%.4g", *bench_gait_number(&b, i));
    }
    cli_table_end(&table, "  ");
}

static void json_match(cli_Json *json, const char *key, const bench_GaitMatch *match)
{
    cli_json_object(json, key);
    for (int c = 0; c < 3; ++c) {
        cli_json_object(json, curve_names[c]);
        cli_json_number(json, "correlation", match->correlation[c]);
        cli_json_number(json, "rms_degrees", match->rms[c]);
        cli_json_object_end(json);
    }
    cli_json_object_end(json);
}

static void print_json(const Fit fits[2], const bench_GaitRow *rows, int row_count)
{
    cli_Json json = cli_json_begin();
    cli_json_array(&json, "fits");
    for (int h = 0; h < 2; ++h) {
        cli_json_object(&json, NULL);
        cli_json_whole(&json, "half", h + 1);
        cli_json_number(&json, "cost", fits[h].cost);
        json_match(&json, "own_half", &fits[h].own);
        json_match(&json, "other_half", &fits[h].other);
        cli_json_object(&json, "numbers");
        for (int i = 0; i < bench_gait_number_count(); ++i) {
            snw_GaitNumbers numbers = fits[h].numbers;
            cli_json_number(&json, bench_gait_number_name(i), *bench_gait_number(&numbers, i));
        }
        cli_json_object_end(&json);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_array(&json, "walks");
    for (int i = 0; i < row_count; ++i) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "walk", rows[i].style);
        cli_json_text(&json, "against", rows[i].against);
        cli_json_number(&json, "speed", rows[i].speed);
        json_match(&json, "match", &rows[i].match);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_end(&json);
}

int sinew_bench_gait(bool json)
{
    scene_Scene *scene;
    sinew_Message message = { "" };
    if (scene_create("MAN18", NULL, &scene, &message) != SINEW_STATUS_OK) {
        fprintf(stderr, "sinew: %s\n", message.text);
        return 1;
    }
    bench_WalkRun run = { scene->skeleton, NULL, NULL, NULL, 0, SINEW_WALK_NATURAL,
        SINEW_WALK_ROWS_AUTO, 0, 1.0 / 60.0, 0, false, NULL };
    cli_Progress progress = cli_progress_begin("fit", 2 * ROUNDS);
    Told told = { &progress, 0 };
    Fit fits[2];
    bool done = run_fit(&run, 0, &told, &fits[0]) && run_fit(&run, 1, &told, &fits[1]);
    cli_progress_end(&progress);
    bench_GaitRow rows[BENCH_GAIT_ROWS];
    int row_count = done ? bench_gait_table(&run, rows, &message) : 0;
    if (row_count == 0) {
        fprintf(stderr, "sinew: the body does not walk: %s\n", message.text);
    } else if (json) {
        print_json(fits, rows, row_count);
    } else {
        print_fits(fits);
        print_rows(rows, row_count);
        print_numbers(fits);
    }
    scene_destroy(scene);
    return row_count > 0 ? 0 : 1;
}
