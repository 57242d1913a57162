#include "walk_report.h"

#include "arguments.h"
#include "base/message.h"
#include "bench/walk_batch.h"
#include "bench/walk_gait.h"
#include "json.h"
#include "progress.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STYLES = 2, ROWS = 4 };

// ---------------------------------------------------------------------------------------------
// Which walks

/// Whether a name has every word of a filter.
static bool passes(const char *filter, const char *name)
{
    if (filter == NULL) { return true; }
    const char *word = filter;
    while (*word != '\0') {
        char part[64];
        size_t length = strcspn(word, "+");
        snprintf(part, sizeof part, "%.*s", (int)length, word);
        if (strstr(name, part) == NULL) { return false; }
        word += length;
        if (*word == '+') { ++word; }
    }
    return true;
}

/// Fill jobs (NULL: only count) with the walks that pass the filter.
static int list_jobs(const cli_WalkReport *report, bench_WalkJob *jobs)
{
    int count = 0;
    for (int style = 0; style < STYLES; ++style) {
        for (int rows = 0; rows < ROWS; ++rows) {
            if (report->on_tips && (style != SINEW_WALK_NATURAL || rows != SINEW_WALK_ROWS_AUTO)) {
                continue;
            }
            for (int i = 0; i < bench_walk_count(); ++i) {
                bench_Walk walk = bench_walk(i);
                char name[160];
                snprintf(name, sizeof name, "%s %s %s %s",
                    bench_walk_style_name((sinew_WalkStyle)style),
                    bench_walk_rows_name((sinew_WalkRows)rows), walk.terrain, walk.steering);
                if (!passes(report->only, name)) { continue; }
                if (jobs != NULL) {
                    bench_WalkRun run = { report->skeleton, report->roles, report->stance,
                        report->legs, report->leg_count, (sinew_WalkStyle)style,
                        (sinew_WalkRows)rows, report->steps > 0 ? report->steps : 500, 1.0 / 60.0,
                        report->seed, report->on_tips, NULL };
                    memset(&jobs[count], 0, sizeof jobs[count]);
                    jobs[count].walk = walk;
                    jobs[count].run = run;
                }
                ++count;
            }
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Text

/// "slide, jolt" or "ok".
static const char *fault_text(const bench_WalkJob *job, char out_text[160])
{
    snprintf(out_text, 160, "%s", job->is_done ? "ok" : "broke down");
    int length = 0;
    for (int fault = 0; job->is_done && fault < BENCH_WALK_FAULTS && length < 150; ++fault) {
        if ((job->result.faults & 1u << fault) == 0) { continue; }
        length += snprintf(out_text + length, 160 - (size_t)length, "%s%s", length > 0 ? ", " : "",
            bench_walk_fault_name(fault));
    }
    return out_text;
}

static void millimetres(cli_Table *table, double metres, const char *format)
{
    if (isfinite(metres)) {
        cli_table_cell(table, format, 1000.0 * metres);
    } else {
        cli_table_cell(table, "-");
    }
}

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static void print_rows(const bench_WalkJob *jobs, int job_count)
{
    cli_Table table = cli_table_begin("lllrrrrrrrrl");
    static const char *const heads[] = { "walk", "ground", "steering", "steps", "slide mm",
        "sunk mm", "swing mm", "edge mm", "rad/frame", "hips m/s2", "unmet %", "" };
    for (int c = 0; c < table.columns; ++c) { cli_table_cell(&table, "%s", heads[c]); }
    for (int i = 0; i < job_count; ++i) {
        const bench_WalkJob *job = &jobs[i];
        const measure_WalkFigures *f = &job->result.figures;
        char text[160];
        cli_table_cell(&table, "%s %s", bench_walk_style_name(job->run.style),
            bench_walk_rows_name(job->run.rows));
        cli_table_cell(&table, "%s", job->walk.terrain);
        cli_table_cell(&table, "%s", job->walk.steering);
        cli_table_cell(&table, "%d", f->step_count);
        millimetres(&table, f->slide.value, "%.2f");
        millimetres(&table, f->penetration.value, "%.2f");
        millimetres(&table, f->clearance.value, "%.1f");
        millimetres(&table, f->edge_clearance.value, "%.1f");
        cli_table_cell(&table, "%.3f", f->joint_step.value);
        cli_table_cell(&table, "%.1f", f->hips_acceleration.value);
        cli_table_cell(&table, "%.2f", percent(f->unmet_frames, f->frame_count));
        cli_table_cell(&table, "%s", fault_text(job, text));
    }
    cli_table_end(&table, "  ");
}

/// The sum over the walks of one style and kind of legs; false when there is none.
typedef struct Sum {
    int walks, kept;
    int faults[BENCH_WALK_FAULTS];
    double slide, sunk, clearance, edge, joint_step, jolt;
    long steps, frames, unmet, stair_steps, one_tread_steps;
} Sum;

static bool sum_up(
    const bench_WalkJob *jobs, int job_count, int style, int rows, bool flat_alone, Sum *sum)
{
    memset(sum, 0, sizeof *sum);
    sum->clearance = sum->edge = (double)INFINITY;
    for (int i = 0; i < job_count; ++i) {
        const bench_WalkJob *job = &jobs[i];
        if ((int)job->run.style != style || (int)job->run.rows != rows) { continue; }
        if (flat_alone && !job->walk.is_flat) { continue; }
        const measure_WalkFigures *f = &job->result.figures;
        ++sum->walks;
        if (job->is_done && job->result.faults == 0) { ++sum->kept; }
        for (int k = 0; k < BENCH_WALK_FAULTS; ++k) {
            if ((job->result.faults & 1u << k) != 0) { ++sum->faults[k]; }
        }
        sum->slide = fmax(sum->slide, f->slide.value);
        sum->sunk = fmax(sum->sunk, f->penetration.value);
        sum->clearance = fmin(sum->clearance, f->clearance.value);
        sum->edge = fmin(sum->edge, f->edge_clearance.value);
        sum->joint_step = fmax(sum->joint_step, f->joint_step.value);
        sum->jolt = fmax(sum->jolt, f->hips_acceleration.value);
        sum->steps += f->step_count;
        sum->frames += f->frame_count;
        sum->unmet += f->unmet_frames;
        if (job->walk.counts_treads) {
            sum->stair_steps += f->stair_steps;
            sum->one_tread_steps += f->one_tread_steps;
        }
    }
    return sum->walks > 0;
}

static void print_sums(const bench_WalkJob *jobs, int job_count, const double times[STYLES * ROWS])
{
    cli_print("\nworst of all walks\n");
    cli_Table table = cli_table_begin("lrrrrrrrrrrr");
    static const char *const heads[] = { "walk", "kept", "slide mm", "sunk mm", "swing mm",
        "edge mm", "rad/frame", "hips m/s2", "flat m/s2", "unmet %", "treads %", "us/frame" };
    for (int c = 0; c < table.columns; ++c) { cli_table_cell(&table, "%s", heads[c]); }
    int faults[BENCH_WALK_FAULTS] = { 0 };
    for (int k = 0; k < STYLES * ROWS; ++k) {
        Sum sum, flat;
        if (!sum_up(jobs, job_count, k / ROWS, k % ROWS, false, &sum)) { continue; }
        sum_up(jobs, job_count, k / ROWS, k % ROWS, true, &flat);
        cli_table_cell(&table, "%s %s", bench_walk_style_name((sinew_WalkStyle)(k / ROWS)),
            bench_walk_rows_name((sinew_WalkRows)(k % ROWS)));
        cli_table_cell(&table, "%d of %d", sum.kept, sum.walks);
        millimetres(&table, sum.slide, "%.2f");
        millimetres(&table, sum.sunk, "%.2f");
        millimetres(&table, sum.clearance, "%.1f");
        millimetres(&table, sum.edge, "%.1f");
        cli_table_cell(&table, "%.3f", sum.joint_step);
        cli_table_cell(&table, "%.1f", sum.jolt);
        cli_table_cell(&table, "%.1f", flat.jolt);
        cli_table_cell(&table, "%.3f", percent((double)sum.unmet, (double)sum.frames));
        cli_table_cell(
            &table, "%.1f", percent((double)sum.one_tread_steps, (double)sum.stair_steps));
        cli_table_cell(&table, "%.1f", times[k]);
        for (int i = 0; i < BENCH_WALK_FAULTS; ++i) { faults[i] += sum.faults[i]; }
    }
    cli_table_end(&table, "  ");
    cli_print("\nlimits broken, walks:");
    bool any = false;
    for (int i = 0; i < BENCH_WALK_FAULTS; ++i) {
        if (faults[i] == 0) { continue; }
        cli_print("%s %s %d", any ? "," : "", bench_walk_fault_name(i), faults[i]);
        any = true;
    }
    cli_print("%s\n", any ? "" : " none");
}

/// Microseconds of one update of each style and kind of legs that the report has; hills, because they
/// ask for more than level ground. Taken when nothing else runs.
static void take_times(const bench_WalkJob *jobs, int job_count, double times[STYLES * ROWS])
{
    for (int k = 0; k < STYLES * ROWS; ++k) {
        times[k] = 0.0;
        for (int i = 0; i < job_count; ++i) {
            const bench_WalkRun *run = &jobs[i].run;
            if ((int)run->style != k / ROWS || (int)run->rows != k % ROWS) { continue; }
            times[k] = bench_walk_time(run, "hills:1");
            break;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// JSON

static void json_worst(
    cli_Json *json, const char *key, const measure_WalkWorst *worst, double scale)
{
    cli_json_object(json, key);
    cli_json_number(json, "value", scale * worst->value);
    cli_json_number(json, "time_s", worst->time);
    cli_json_whole(json, "where", worst->where);
    cli_json_object_end(json);
}

static void json_job(cli_Json *json, const bench_WalkJob *job)
{
    const measure_WalkFigures *f = &job->result.figures;
    cli_json_object(json, NULL);
    cli_json_text(json, "style", bench_walk_style_name(job->run.style));
    cli_json_text(json, "legs", bench_walk_rows_name(job->run.rows));
    cli_json_text(json, "terrain", job->walk.terrain);
    cli_json_text(json, "steering", job->walk.steering);
    cli_json_bool(json, "finished", job->is_done);
    cli_json_whole(json, "steps", f->step_count);
    cli_json_whole(json, "frames", f->frame_count);
    cli_json_number(json, "distance_m", f->distance);
    json_worst(json, "slide_mm_max", &f->slide, 1000.0);
    json_worst(json, "penetration_mm_max", &f->penetration, 1000.0);
    json_worst(json, "planted_penetration_mm_max", &f->planted_penetration, 1000.0);
    json_worst(json, "floating_mm_max", &f->floating, 1000.0);
    json_worst(json, "clearance_mm_min", &f->clearance, 1000.0);
    json_worst(json, "edge_clearance_mm_min", &f->edge_clearance, 1000.0);
    json_worst(json, "joint_step_rad_max", &f->joint_step, 1.0);
    json_worst(json, "hips_acceleration_max", &f->hips_acceleration, 1.0);
    cli_json_number(json, "hips_acceleration_rms", f->hips_acceleration_rms);
    json_worst(json, "goal_error_mm_max", &f->goal_error, 1000.0);
    json_worst(json, "limit_violation_rad", &f->limit_violation, 1.0);
    json_worst(json, "knee_rad_max", &f->knee, 1.0);
    cli_json_whole(json, "unmet_frames", f->unmet_frames);
    cli_json_whole(json, "flight_frames", f->flight_frames);
    cli_json_whole(json, "bad_frames", f->bad_frames);
    cli_json_whole(json, "stair_steps", f->stair_steps);
    cli_json_whole(json, "one_tread_steps", f->one_tread_steps);
    cli_json_array(json, "broken");
    for (int i = 0; i < BENCH_WALK_FAULTS; ++i) {
        if ((job->result.faults & 1u << i) != 0) {
            cli_json_text(json, NULL, bench_walk_fault_name(i));
        }
    }
    cli_json_array_end(json);
    if (job->message.text[0] != '\0') { cli_json_text(json, "message", job->message.text); }
    cli_json_object_end(json);
}

// ---------------------------------------------------------------------------------------------
// Gait

static void print_gait(const bench_GaitRow *rows, int row_count)
{
    cli_print("\nbeside recorded walks: correlation of mean curves, and RMS without offset\n");
    cli_Table table = cli_table_begin("llrrrrrrr");
    static const char *const heads[] = { "walk", "against", "m/s", "hip", "knee", "ankle",
        "hip deg", "knee deg", "ankle deg" };
    for (int c = 0; c < 9; ++c) { cli_table_cell(&table, "%s", heads[c]); }
    for (int i = 0; i < row_count; ++i) {
        const bench_GaitRow *row = &rows[i];
        cli_table_cell(&table, "%s", row->style);
        cli_table_cell(&table, "%s", row->against);
        cli_table_cell(&table, row->speed > 0.0 ? "%.2f" : "-", row->speed);
        for (int c = 0; c < 6; ++c) {
            if (!row->has_strides) {
                cli_table_cell(&table, "-");
            } else if (c < 3) {
                cli_table_cell(&table, "%.3f", row->match.correlation[c]);
            } else {
                cli_table_cell(&table, "%.1f", row->match.rms[c - 3]);
            }
        }
    }
    cli_table_end(&table, "  ");
}

static void json_gait(cli_Json *json, const bench_GaitRow *rows, int row_count)
{
    static const char *const names[3] = { "hip", "knee", "ankle" };
    cli_json_array(json, "gait");
    for (int i = 0; i < row_count; ++i) {
        cli_json_object(json, NULL);
        cli_json_text(json, "walk", rows[i].style);
        cli_json_text(json, "against", rows[i].against);
        cli_json_number(json, "speed", rows[i].speed);
        for (int c = 0; c < 3; ++c) {
            cli_json_object(json, names[c]);
            cli_json_number(json, "correlation", rows[i].match.correlation[c]);
            cli_json_number(json, "rms_degrees", rows[i].match.rms[c]);
            cli_json_object_end(json);
        }
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

// ---------------------------------------------------------------------------------------------

static void print_json(const cli_WalkReport *report, const bench_WalkJob *jobs, int job_count,
    const bench_GaitRow *rows, int row_count, const double times[STYLES * ROWS])
{
    cli_Json json = cli_json_begin();
    cli_json_text(&json, "body", report->body_name);
    int kept = 0;
    for (int i = 0; i < job_count; ++i) {
        kept += jobs[i].is_done && jobs[i].result.faults == 0 ? 1 : 0;
    }
    cli_json_whole(&json, "walks", job_count);
    cli_json_whole(&json, "kept", kept);
    cli_json_array(&json, "rows");
    for (int i = 0; i < job_count; ++i) { json_job(&json, &jobs[i]); }
    cli_json_array_end(&json);
    cli_json_array(&json, "us_per_frame");
    for (int k = 0; k < STYLES * ROWS; ++k) {
        if (!(times[k] > 0.0)) { continue; }
        cli_json_object(&json, NULL);
        cli_json_text(&json, "style", bench_walk_style_name((sinew_WalkStyle)(k / ROWS)));
        cli_json_text(&json, "legs", bench_walk_rows_name((sinew_WalkRows)(k % ROWS)));
        cli_json_number(&json, "us_per_frame", times[k]);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    json_gait(&json, rows, row_count);
    cli_json_end(&json);
}

static void show_progress(void *user, int done)
{
    cli_progress_update(user, done);
}

int cli_walk_report(const cli_WalkReport *report)
{
    int job_count = list_jobs(report, NULL);
    if (job_count == 0) { return cli_error("--only '%s' leaves no walk", report->only); }
    bench_WalkJob *jobs = calloc((size_t)job_count, sizeof *jobs);
    if (jobs == NULL) {
        return cli_error("not enough memory for %d walk%s", job_count, snw_plural(job_count));
    }
    list_jobs(report, jobs);
    cli_Progress progress = cli_progress_begin("walks", job_count);
    int processes = report->jobs > 0 ? report->jobs : bench_processor_count();
    bool started = bench_walk_batch(jobs, job_count, processes, show_progress, &progress);
    cli_progress_end(&progress);
    int code = started ? CLI_DONE : cli_error("not all of %d processes started", processes);
    for (int i = 0; i < job_count && code == CLI_DONE; ++i) {
        // a walk that could not begin breaks the report, one that went wrong is a row of it
        if (jobs[i].message.text[0] != '\0' && jobs[i].result.figures.frame_count == 0) {
            code = cli_error("%s", jobs[i].message.text);
        }
    }
    bench_GaitRow rows[BENCH_GAIT_ROWS];
    int row_count = 0;
    if (code == CLI_DONE && report->gait) {
        sinew_Message message = { "" };
        row_count = bench_gait_table(&jobs[0].run, rows, &message);
        if (row_count == 0) { code = cli_error("gait: %s", message.text); }
    }
    double times[STYLES * ROWS];
    if (code == CLI_DONE) { take_times(jobs, job_count, times); }
    if (code == CLI_DONE && report->json) {
        print_json(report, jobs, job_count, rows, row_count, times);
    }
    if (code == CLI_DONE && !report->json) {
        cli_print("%s, %d walk%s of %d step%s\n", report->body_name, job_count,
            snw_plural(job_count), jobs[0].run.steps, snw_plural(jobs[0].run.steps));
        print_rows(jobs, job_count);
        print_sums(jobs, job_count, times);
        if (row_count > 0) { print_gait(rows, row_count); }
    }
    free(jobs);
    return code;
}
