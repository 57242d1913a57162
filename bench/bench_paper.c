// `sinew bench paper`: Table 1.4 of Meredith and Maddock (2004) on this machine, and a verdict on each
// of their claims.

#include "bench/bench.h"

#include "bench/paper_study.h"
#include "cli/json.h"
#include "cli/table.h"

#include <math.h>
#include <stdio.h>

enum { PRINTED = 3, CLAIMS = 9, CLAIM_TEXT = 160 };

/// A row of the table: what was printed, and ours.
typedef struct Row {
    const char *name, *key;
    double printed[PRINTED]; ///< half, full, hybrid; NAN: not printed
    double ours[BENCH_PAPER_MODES];
    int decimals;
} Row;

enum { ROWS = 12 };

static double frames_per_second(const bench_PaperStudy *study, int ground, int figure, int mode)
{
    return 1.0 / study->walks[ground][mode].frame_time[figure];
}

static void fill_rows(const bench_PaperStudy *study, Row *rows)
{
    const Row heads[ROWS] = {
        { "flat, stick: frames/s", "flat_stick_fps", { 260, 95, 115 }, { 0 }, 0 },
        { "flat, 11,101 polygons: frames/s", "flat_solid_fps", { 140, 69, 83 }, { 0 }, 0 },
        { "uneven, stick: frames/s", "uneven_stick_fps", { 97, 54, 64 }, { 0 }, 0 },
        { "uneven, 11,101 polygons: frames/s", "uneven_solid_fps", { 75, 42, 53 }, { 0 }, 0 },
        { "flat, not drawn: frames/s", "flat_fps", { NAN, NAN, NAN }, { 0 }, 0 },
        { "uneven, not drawn: frames/s", "uneven_fps", { NAN, NAN, NAN }, { 0 }, 0 },
        { "time of a solve, us", "solve_us", { 240, 5500, NAN }, { 0 }, 2 },
        { "iterations of a solve", "iterations", { 18.15, 180, NAN }, { 0 }, 2 },
        { "time of an iteration, us", "iteration_us", { 13, 31, NAN }, { 0 }, 2 },
        { "halvings of a solve", "halvings", { NAN, NAN, NAN }, { 0 }, 3 },
        { "solves that met their goals, %", "met_percent", { NAN, NAN, NAN }, { 0 }, 2 },
        { "largest slide of a planted point, mm", "slide_mm", { NAN, NAN, NAN }, { 0 }, 2 },
    };
    for (int r = 0; r < ROWS; ++r) { rows[r] = heads[r]; }
    for (int mode = 0; mode < BENCH_PAPER_MODES; ++mode) {
        const bench_PaperWalk *flat = &study->walks[BENCH_PAPER_FLAT][mode];
        const bench_PaperWalk *uneven = &study->walks[BENCH_PAPER_UNEVEN][mode];
        for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
            rows[2 * ground].ours[mode] = frames_per_second(study, ground, BENCH_PAPER_STICK, mode);
            rows[2 * ground + 1].ours[mode] = frames_per_second(
                study, ground, BENCH_PAPER_SOLID, mode);
            rows[4 + ground].ours[mode] = frames_per_second(
                study, ground, BENCH_PAPER_NOTHING, mode);
        }
        double iterations = 0.5 * (flat->iterations + uneven->iterations);
        double time = 0.5e6 * (flat->solve_time + uneven->solve_time);
        rows[6].ours[mode] = time;
        rows[7].ours[mode] = iterations;
        rows[8].ours[mode] = iterations > 0.0 ? time / iterations : (double)NAN;
        rows[9].ours[mode] = 0.5 * (flat->halvings + uneven->halvings);
        rows[10].ours[mode] = 50.0 * (flat->met + uneven->met);
        rows[11].ours[mode] = 1e3 * fmax(flat->slide, uneven->slide);
    }
}

// ---------------------------------------------------------------------------------------------
// Claims

typedef struct Claim {
    char text[CLAIM_TEXT], measured[CLAIM_TEXT];
    bool holds;
} Claim;

static void add_claim(Claim *claims, int *count, bool holds, const char *text)
{
    Claim *claim = &claims[(*count)++];
    claim->holds = holds;
    snprintf(claim->text, sizeof claim->text, "%s", text);
}

#define MEASURED(...) \
    snprintf(claims[count - 1].measured, sizeof claims[count - 1].measured, __VA_ARGS__)

static int judge(const bench_PaperStudy *study, Claim *claims)
{
    int count = 0;
    const bench_PaperReplay *half = &study->published[0], *full = &study->published[1];
    const bench_PaperReplay *our_half = &study->ours[0], *our_full = &study->ours[1];
    double ratio = full->iteration_time / half->iteration_time;
    double our_ratio = our_full->iteration_time / our_half->iteration_time;
    add_claim(claims, &count, fabs(ratio / 2.385 - 1.0) < 0.15,
        "an iteration of full costs 2.385 times one of half");
    MEASURED("%.2f as published, %.2f as sinew solves", ratio, our_ratio);

    add_claim(claims, &count, half->iterations < 0.9 * full->iterations,
        "half needs far fewer iterations: 18 against 180 of 200 allowed");
    MEASURED("%.2f against %.2f, at most %d and %d", half->iterations, full->iterations,
        half->most_iterations, full->most_iterations);

    double solve_ratio = full->solve_time / half->solve_time;
    add_claim(claims, &count, solve_ratio > 15.0,
        "a solve of full costs 23 times one of half (5.5 ms against 0.24 ms)");
    MEASURED("%.2f times: %.2f us against %.2f us", solve_ratio, 1e6 * full->solve_time,
        1e6 * half->solve_time);

    add_claim(
        claims, &count, half->met > 0.999 && full->met > 0.999, "half and full are equally stable");
    MEASURED("met %.2f %% and %.2f %%, halvings %.3f and %.3f a solve", 100.0 * half->met,
        100.0 * full->met, half->halvings, full->halvings);

    const bench_PaperWalk *walk = &study->walks[BENCH_PAPER_FLAT][0];
    double degrees = walk->yaw * 180.0 / SINEW_PI;
    add_claim(claims, &count, degrees <= 10.0 && walk->slide < 5e-4,
        "half is good enough for walking, with limits in place of orientation");
    MEASURED("feet within %.1f degrees of the heading, slide %.2f mm", degrees, 1e3 * walk->slide);

    double least = INFINITY;
    for (int ground = 0; ground < BENCH_PAPER_GROUNDS; ++ground) {
        for (int mode = 0; mode < PRINTED; ++mode) {
            for (int figure = 0; figure < BENCH_PAPER_FIGURES; ++figure) {
                least = fmin(least, frames_per_second(study, ground, figure, mode));
            }
        }
    }
    add_claim(claims, &count, least > 60.0,
        "fast enough for games: here every configuration above 60 frames/s");
    MEASURED("slowest %.0f frames/s, all drawn by the processor alone", least);

    const bench_PaperWalk *uneven = study->walks[BENCH_PAPER_UNEVEN];
    double between[3] = { uneven[0].solve_time, uneven[2].solve_time, uneven[1].solve_time };
    add_claim(claims, &count,
        between[1] > fmin(between[0], between[2]) && between[1] < fmax(between[0], between[2]),
        "hybrid lies between half and full");
    MEASURED("%.2f, %.2f and %.2f us a solve (half, hybrid, full)", 1e6 * between[0],
        1e6 * between[1], 1e6 * between[2]);

    double legs[2] = { 2e6 * uneven[0].solve_time, 2e6 * uneven[3].solve_time };
    add_claim(claims, &count, legs[0] <= 5.0 && legs[1] <= 5.0,
        "goal of sinew: both legs in at most 5 us, half and auto");
    MEASURED("%.2f us and %.2f us", legs[0], legs[1]);

    double twice = uneven[1].solve_time / uneven[0].solve_time;
    add_claim(claims, &count, twice <= 2.0, "goal of sinew: full at most twice as long as half");
    MEASURED("%.2f times", twice);
    return count;
}

// ---------------------------------------------------------------------------------------------
// Output

static void put_cell(cli_Table *table, double value, int decimals)
{
    if (isnan(value)) {
        cli_table_cell(table, "-");
    } else {
        cli_table_cell(table, "%.*f", decimals, value);
    }
}

static void print_text(
    const bench_PaperStudy *study, const Row *rows, const Claim *claims, int claim_count)
{
    static const char *const heads[] = { "", "half", "full", "hybrid", "auto", "half*", "full*",
        "hybrid*" };
    printf(
        "MAN18 walks at 1.3 m/s, 60 frames a second, 2 solves a frame; pictures of %d x %d\n"
        "by the processor alone, %d triangles on level ground and %d on hills\n"
        "* as printed in Meredith and Maddock (2004), Table 1.4: Pentium 4, 1.4 GHz, GeForce2\n\n",
        study->width, study->height, study->triangles[BENCH_PAPER_FLAT][BENCH_PAPER_SOLID],
        study->triangles[BENCH_PAPER_UNEVEN][BENCH_PAPER_SOLID]);
    cli_Table table = cli_table_begin("lrrrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; ++i) {
        cli_table_cell(&table, "%s", heads[i]);
    }
    for (int r = 0; r < ROWS; ++r) {
        cli_table_cell(&table, "%s", rows[r].name);
        for (int mode = 0; mode < BENCH_PAPER_MODES; ++mode) {
            put_cell(&table, rows[r].ours[mode], rows[r].decimals);
        }
        for (int mode = 0; mode < PRINTED; ++mode) {
            double value = rows[r].printed[mode];
            put_cell(&table, value, value == floor(value) ? 0 : 2);
        }
    }
    cli_table_end(&table, "  ");
    printf("\nClaims, with equal starts and goals for half and full\n\n");
    for (int i = 0; i < claim_count; ++i) {
        printf("  %-13s %s:\n                %s\n", claims[i].holds ? "holds" : "does not hold",
            claims[i].text, claims[i].measured);
    }
    printf("\n");
}

static void put_replay(cli_Json *json, const char *key, const bench_PaperReplay *replay)
{
    cli_json_object(json, key);
    cli_json_number(json, "iteration_us", 1e6 * replay->iteration_time);
    cli_json_number(json, "solve_us", 1e6 * replay->solve_time);
    cli_json_number(json, "iterations", replay->iterations);
    cli_json_whole(json, "most_iterations", replay->most_iterations);
    cli_json_number(json, "halvings", replay->halvings);
    cli_json_number(json, "met_share", replay->met);
    cli_json_object_end(json);
}

static void print_json(
    const bench_PaperStudy *study, const Row *rows, const Claim *claims, int claim_count)
{
    cli_Json json = cli_json_begin();
    cli_json_array(&json, "rows");
    for (int r = 0; r < ROWS; ++r) {
        static const char *const keys[PRINTED] = { "printed_half", "printed_full",
            "printed_hybrid" };
        cli_json_object(&json, NULL);
        cli_json_text(&json, "row", rows[r].key);
        for (int mode = 0; mode < BENCH_PAPER_MODES; ++mode) {
            cli_json_number(&json, bench_paper_mode(mode), rows[r].ours[mode]);
        }
        for (int mode = 0; mode < PRINTED; ++mode) {
            cli_json_number(&json, keys[mode], rows[r].printed[mode]);
        }
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    put_replay(&json, "published_half", &study->published[0]);
    put_replay(&json, "published_full", &study->published[1]);
    put_replay(&json, "half", &study->ours[0]);
    put_replay(&json, "full", &study->ours[1]);
    cli_json_array(&json, "claims");
    for (int i = 0; i < claim_count; ++i) {
        cli_json_object(&json, NULL);
        cli_json_text(&json, "claim", claims[i].text);
        cli_json_text(&json, "measured", claims[i].measured);
        cli_json_bool(&json, "holds", claims[i].holds);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_end(&json);
}

int sinew_bench_paper(bool json)
{
    static bench_PaperStudy study;
    sinew_Message message = { "out of memory" };
    if (!bench_paper_measure(&study, &message)) {
        fprintf(stderr, "sinew bench paper: %s\n", message.text);
        return 1;
    }
    Row rows[ROWS];
    Claim claims[CLAIMS];
    fill_rows(&study, rows);
    int count = judge(&study, claims);
    if (json) {
        print_json(&study, rows, claims, count);
    } else {
        print_text(&study, rows, claims, count);
    }
    return 0;
}
