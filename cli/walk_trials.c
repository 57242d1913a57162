#include "walk_trials.h"

#include "arguments.h"
#include "base/message.h"
#include "bench/share.h"
#include "bench/walk_trials.h"
#include "json.h"
#include "progress.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a process says of one trial.
typedef struct Outcome {
    bool is_done;
    bench_TrialResult result;
    sinew_Message message;
} Outcome;

typedef struct Trials {
    bench_WalkRun run;
    double seconds;
    bench_Trial *trials;
    Outcome *outcomes;
    int count;
} Trials;

// ---------------------------------------------------------------------------------------------
// Which trials

static bool passes(const char *filter, const bench_Trial *trial)
{
    char name[160], ground[48];
    snprintf(name, sizeof name, "%s %s %s %s", trial->is_walkable ? "walkable" : "impassable",
        bench_trial_ground_name(trial->ground, ground), trial->terrain, trial->stick_name);
    for (const char *word = filter; word != NULL && *word != '\0';) {
        char part[64];
        size_t length = strcspn(word, "+");
        snprintf(part, sizeof part, "%.*s", (int)length, word);
        if (strstr(name, part) == NULL) { return false; }
        word += length;
        if (*word == '+') { ++word; }
    }
    return true;
}

static bool list_trials(Trials *t, const char *filter, uint64_t seed)
{
    int most = bench_trial_count();
    t->trials = calloc((size_t)most, sizeof *t->trials);
    t->outcomes = calloc((size_t)most, sizeof *t->outcomes);
    if (t->trials == NULL || t->outcomes == NULL) { return false; }
    for (int i = 0; i < most; ++i) {
        bench_Trial trial = bench_trial(i, seed);
        if (passes(filter, &trial)) { t->trials[t->count++] = trial; }
    }
    return true;
}

static void run_trial(void *user, int index, void *result)
{
    const Trials *t = user;
    Outcome *outcome = result;
    outcome->is_done = bench_trial_run(
        &t->trials[index], &t->run, t->seconds, &outcome->result, &outcome->message);
}

// ---------------------------------------------------------------------------------------------
// Sums

static unsigned faults_counted(void)
{
    unsigned bits = 0;
    for (int i = 0; i < bench_rule_count(); ++i) {
        if (bench_rule(i)->used_for != BENCH_RULE_PRICE) { bits |= 1u << i; }
    }
    return bits;
}

/// Whether a trial keeps all rules but those of its price.
static bool is_kept(const Outcome *outcome)
{
    return outcome->is_done && (outcome->result.faults & faults_counted()) == 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// One rule over all trials it is for.
typedef struct RuleSum {
    int trials, kept;
    double median, worst; ///< in the rule's unit; without those that are infinite
    int where;            ///< the trial with the worst; -1: none
} RuleSum;

static RuleSum sum_rule(const Trials *t, int index, double *room)
{
    const bench_Rule *rule = bench_rule(index);
    RuleSum sum = { 0, 0, 0.0, 0.0, -1 };
    int count = 0;
    for (int i = 0; i < t->count; ++i) {
        const Outcome *outcome = &t->outcomes[i];
        if (!outcome->is_done || !bench_rule_counts(rule, &t->trials[i])) { continue; }
        ++sum.trials;
        if ((outcome->result.faults & 1u << index) == 0) { ++sum.kept; }
        double value = rule->scale * rule->value(&t->trials[i], &outcome->result);
        if (!isfinite(value)) { continue; }
        bool is_worse = rule->is_least ? value < sum.worst : value > sum.worst;
        if (count == 0 || is_worse) {
            sum.worst = value;
            sum.where = i;
        }
        room[count++] = value;
    }
    qsort(room, (size_t)count, sizeof *room, compare);
    if (count > 0) { sum.median = room[count / 2]; }
    return sum;
}

static double percent(int part, int whole)
{
    return whole > 0 ? 100.0 * part / whole : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Text

/// The rule that most trials of a ground break; NULL: none.
static const char *name_worst_rule(const Trials *t, int ground)
{
    int worst = 0;
    const char *name = NULL;
    for (int r = 0; r < bench_rule_count(); ++r) {
        if (bench_rule(r)->used_for == BENCH_RULE_PRICE) { continue; }
        int broken = 0;
        for (int i = 0; i < t->count; ++i) {
            const Outcome *outcome = &t->outcomes[i];
            if (t->trials[i].ground != ground || !outcome->is_done) { continue; }
            broken += (outcome->result.faults & 1u << r) != 0 ? 1 : 0;
        }
        if (broken > worst) {
            worst = broken;
            name = bench_rule(r)->name;
        }
    }
    return name;
}

static void print_grounds(const Trials *t)
{
    cli_Table table = cli_table_begin("lrrrrrrl");
    static const char *const heads[] = { "ground", "trials", "kept %", "sunk mm", "unmet %",
        "hips m/s2", "samples", "broken most" };
    for (int c = 0; c < 8; ++c) { cli_table_cell(&table, "%s", heads[c]); }
    for (int g = 0; g < bench_trial_ground_count(); ++g) {
        int trials = 0, kept = 0;
        double sunk = 0.0, hips = 0.0, samples = 0.0, unmet = 0.0, frames = 0.0;
        for (int i = 0; i < t->count; ++i) {
            const bench_TrialResult *r = &t->outcomes[i].result;
            if (t->trials[i].ground != g) { continue; }
            ++trials;
            kept += is_kept(&t->outcomes[i]) ? 1 : 0;
            sunk = fmax(sunk, fmax(r->seen.planted_depth, r->seen.moving_depth));
            hips = fmax(hips, fmax(r->seen.hips_vertical, r->seen.hips_level));
            samples += r->seen.samples_mean;
            unmet += r->unmet_frames;
            frames += r->seen.frame_count;
        }
        if (trials == 0) { continue; }
        char name[48];
        const char *rule = name_worst_rule(t, g);
        cli_table_cell(&table, "%s", bench_trial_ground_name(g, name));
        cli_table_cell(&table, "%d", trials);
        cli_table_cell(&table, "%.0f", percent(kept, trials));
        cli_table_cell(&table, "%.1f", 1000.0 * sunk);
        cli_table_cell(&table, "%.3f", frames > 0.0 ? 100.0 * unmet / frames : 0.0);
        cli_table_cell(&table, "%.1f", hips);
        cli_table_cell(&table, "%.0f", samples / trials);
        cli_table_cell(&table, "%s", rule != NULL ? rule : "");
    }
    cli_table_end(&table, "  ");
}

static void print_rules(const Trials *t, double *room)
{
    cli_print("\n");
    cli_Table table = cli_table_begin("llrrrl");
    static const char *const heads[] = { "rule", "asked", "kept %", "median", "worst", "where" };
    for (int c = 0; c < 6; ++c) { cli_table_cell(&table, "%s", heads[c]); }
    for (int r = 0; r < bench_rule_count(); ++r) {
        const bench_Rule *rule = bench_rule(r);
        RuleSum sum = sum_rule(t, r, room);
        if (sum.trials == 0) { continue; }
        cli_table_cell(&table, "%s%s", rule->name,
            rule->used_for == BENCH_RULE_UNWALKABLE ? ", impassable" : "");
        cli_table_cell(&table, "%s %.4g %s", rule->is_least ? ">=" : "<=", rule->asked, rule->unit);
        cli_table_cell(&table, "%.1f", percent(sum.kept, sum.trials));
        cli_table_cell(&table, "%.3g", sum.median);
        cli_table_cell(&table, "%.3g", sum.worst);
        char name[48];
        if (sum.where < 0) {
            cli_table_cell(&table, "-");
        } else {
            const bench_Trial *trial = &t->trials[sum.where];
            cli_table_cell(&table, "%s, %s, start %d, seed %llu",
                bench_trial_ground_name(trial->ground, name), trial->stick_name, trial->start,
                (unsigned long long)trial->seed);
        }
    }
    cli_table_end(&table, "  ");
}

static void print_text(const Trials *t, const char *body, uint64_t seed, double *room)
{
    int walkable = 0, walkable_kept = 0, kept = 0;
    for (int i = 0; i < t->count; ++i) {
        bool is_good = is_kept(&t->outcomes[i]);
        walkable += t->trials[i].is_walkable ? 1 : 0;
        walkable_kept += t->trials[i].is_walkable && is_good ? 1 : 0;
        kept += is_good ? 1 : 0;
    }
    cli_print("%s, %s %s, %d trial%s of %g s, seeds from %llu\n", body,
        bench_walk_style_name(t->run.style), bench_walk_rows_name(t->run.rows), t->count,
        snw_plural(t->count), t->seconds, (unsigned long long)seed);
    print_grounds(t);
    print_rules(t, room);
    cli_print(
        "\nall rules kept: walkable ground %d of %d (%.1f %%), impassable %d of %d (%.1f %%)\n",
        walkable_kept, walkable, percent(walkable_kept, walkable), kept - walkable_kept,
        t->count - walkable, percent(kept - walkable_kept, t->count - walkable));
}

// ---------------------------------------------------------------------------------------------
// JSON

static void json_trial(cli_Json *json, const bench_Trial *trial, const Outcome *outcome)
{
    const measure_MirrorFigures *f = &outcome->result.seen;
    char name[48];
    cli_json_object(json, NULL);
    cli_json_text(json, "ground", bench_trial_ground_name(trial->ground, name));
    cli_json_text(json, "terrain", trial->terrain);
    cli_json_text(json, "stick", trial->stick_name);
    cli_json_whole(json, "start", trial->start);
    cli_json_whole(json, "seed", (long long)trial->seed);
    cli_json_bool(json, "walkable", trial->is_walkable);
    cli_json_bool(json, "finished", outcome->is_done);
    cli_json_bool(json, "kept", is_kept(outcome));
    for (int r = 0; r < bench_rule_count(); ++r) {
        const bench_Rule *rule = bench_rule(r);
        if (!bench_rule_counts(rule, trial)) { continue; }
        cli_json_number(json, rule->name, rule->scale * rule->value(trial, &outcome->result));
    }
    cli_json_number(json, "distance_m", outcome->result.distance);
    cli_json_whole(json, "landings", f->landing_count);
    cli_json_number(json, "step_length_m", f->step_length);
    cli_json_number(json, "cadence", f->cadence);
    cli_json_number(json, "double_support", f->double_support);
    cli_json_number(json, "slide_mm_median", 1000.0 * f->slide_median);
    if (outcome->message.text[0] != '\0') { cli_json_text(json, "message", outcome->message.text); }
    cli_json_object_end(json);
}

static void print_json(const Trials *t, const char *body, double *room)
{
    cli_Json json = cli_json_begin();
    cli_json_text(&json, "body", body);
    cli_json_number(&json, "seconds", t->seconds);
    cli_json_array(&json, "rules");
    for (int r = 0; r < bench_rule_count(); ++r) {
        const bench_Rule *rule = bench_rule(r);
        RuleSum sum = sum_rule(t, r, room);
        cli_json_object(&json, NULL);
        cli_json_text(&json, "rule", rule->name);
        cli_json_text(&json, "unit", rule->unit);
        cli_json_number(&json, rule->is_least ? "least" : "most", rule->asked);
        cli_json_bool(&json, "walkable", rule->used_for != BENCH_RULE_UNWALKABLE);
        cli_json_whole(&json, "trials", sum.trials);
        cli_json_whole(&json, "kept", sum.kept);
        cli_json_number(&json, "median", sum.median);
        cli_json_number(&json, "worst", sum.worst);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_array(&json, "trials");
    for (int i = 0; i < t->count; ++i) { json_trial(&json, &t->trials[i], &t->outcomes[i]); }
    cli_json_array_end(&json);
    cli_json_end(&json);
}

// ---------------------------------------------------------------------------------------------

static void show_progress(void *user, int done)
{
    cli_progress_update(user, done);
}

static int run_trials(Trials *t, const cli_WalkReport *report)
{
    if (t->count == 0) { return cli_error("--only '%s' leaves no trial", report->only); }
    double *room = calloc((size_t)t->count, sizeof *room);
    if (room == NULL) {
        return cli_error("not enough memory for %d trial%s", t->count, snw_plural(t->count));
    }
    cli_Progress progress = cli_progress_begin("trials", t->count);
    int processes = report->jobs > 0 ? report->jobs : bench_processor_count();
    bool started = bench_share(run_trial, t, t->outcomes, sizeof *t->outcomes, t->count, processes,
        show_progress, &progress);
    cli_progress_end(&progress);
    int code = started ? CLI_DONE : cli_error("not all of %d processes started", processes);
    for (int i = 0; i < t->count && code == CLI_DONE; ++i) {
        const Outcome *outcome = &t->outcomes[i];
        if (!outcome->is_done && outcome->message.text[0] != '\0') {
            code = cli_error("%s", outcome->message.text);
        }
    }
    if (code == CLI_DONE && report->json) {
        print_json(t, report->body_name, room);
    } else if (code == CLI_DONE) {
        print_text(t, report->body_name, report->seed, room);
    }
    free(room);
    return code;
}

int cli_walk_trials(const cli_WalkReport *report, sinew_WalkStyle style, sinew_WalkRows rows,
    const sinew_Manner *manner)
{
    Trials t;
    memset(&t, 0, sizeof t);
    bench_WalkRun run = { report->skeleton, report->roles, report->stance, report->legs,
        report->leg_count, style, rows, 0, 1.0 / 60.0, report->seed, report->on_tips, manner };
    t.run = run;
    t.seconds = report->steps > 0 ? report->steps : 20;
    int code = list_trials(&t, report->only, report->seed)
        ? run_trials(&t, report)
        : cli_error("not enough memory for %d trials", bench_trial_count());
    free(t.trials);
    free(t.outcomes);
    return code;
}
