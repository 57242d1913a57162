#include "bench/goal_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const int bench_chain_lengths[BENCH_CHAIN_LENGTHS] = { 10, 30, 100, 300, 1000 };

bench_GoalRow *bench_goal_row(bench_GoalRows *rows, const char *work, const char *goal)
{
    bench_GoalRow *row = &rows->rows[rows->count++];
    memset(row, 0, sizeof *row);
    snprintf(row->work, sizeof row->work, "%s", work);
    snprintf(row->goal, sizeof row->goal, "%s", goal);
    return row;
}

void bench_goal_miss(bench_GoalRow *row, const char *format, ...)
{
    size_t used = strlen(row->verdict);
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)snprintf(
        row->verdict + used, sizeof row->verdict - used, "%s", used > 0 ? ", " : "missed: ");
    if (used < sizeof row->verdict) {
        (void)vsnprintf(row->verdict + used, sizeof row->verdict - used, format, arguments);
    }
    va_end(arguments);
}

void bench_goal_end(bench_GoalRow *row)
{
    if (row->verdict[0] == '\0') { snprintf(row->verdict, sizeof row->verdict, "met"); }
}

void bench_goal_times(
    bench_GoalRow *row, const bench_ChainResult *result, const bench_Wanted *wanted)
{
    const bench_ChainResult *r = result;
    snprintf(row->ours, sizeof row->ours, "%.3f %%, %.2f / %.2f / %.1f us", 100.0 * r->solved,
        1e6 * r->median, 1e6 * r->mean, 1e6 * r->p99);
    if (wanted == NULL) { return; }
    if (r->solved < 1.0) { bench_goal_miss(row, "%.3f %%", 100.0 * r->solved); }
    if (wanted->median > 0.0 && 1e6 * r->median > wanted->median) {
        bench_goal_miss(row, "median %.2f", 1e6 * r->median);
    }
    if (wanted->mean > 0.0 && 1e6 * r->mean > wanted->mean) {
        bench_goal_miss(row, "mean %.2f", 1e6 * r->mean);
    }
    if (wanted->p99 > 0.0 && 1e6 * r->p99 > wanted->p99) {
        bench_goal_miss(row, "p99 %.1f", 1e6 * r->p99);
    }
    bench_goal_end(row);
}

void bench_goal_kdl(bench_GoalRow *row, const bench_ChainResult *ours, const bench_PeerResult *peer,
    bool within_limits)
{
    const bench_ChainResult *r = within_limits ? &peer->limited : &peer->marquardt;
    double solved = within_limits ? r->solved : r->solved_any_limit;
    size_t used = (size_t)snprintf(row->kdl, sizeof row->kdl, "%.1f %%, %.1f / %.1f / %.0f us",
        100.0 * solved, 1e6 * r->median, 1e6 * r->mean, 1e6 * r->p99);
    if (!within_limits) {
        snprintf(
            row->kdl + used, sizeof row->kdl - used, ", %.1f %% within limits", 100.0 * r->solved);
    }
    snprintf(row->ratio, sizeof row->ratio, "%.0f x", r->mean / ours->mean);
}

static const char *or_dash(const char *text)
{
    return text[0] != '\0' ? text : "-";
}

void bench_goal_put(const bench_GoalRows *rows, bench_Output *out, const bench_Request *request)
{
    const char *method = sinew_method_name(
        request->method_given ? request->method : bench_default_method());
    if (request->markdown) {
        printf("| work | goal | sinew (%s) | Orocos KDL | KDL / sinew | verdict |\n"
               "|---|---|---|---|---|---|\n",
            method);
        for (int i = 0; i < rows->count; ++i) {
            const bench_GoalRow *row = &rows->rows[i];
            printf("| %s | %s | %s | %s | %s | %s |\n", row->work, or_dash(row->goal), row->ours,
                or_dash(row->kdl), or_dash(row->ratio), or_dash(row->verdict));
        }
        printf("\n");
        return;
    }
    static const bench_Column columns[] = { { "work", "work", NULL, 0.0 },
        { "goal", "goal", NULL, 0.0 }, { "sinew", "sinew", NULL, 0.0 }, { "KDL", "kdl", NULL, 0.0 },
        { "KDL / sinew", "kdl_to_sinew", NULL, 0.0 }, { "verdict", "verdict", NULL, 0.0 },
        { NULL, NULL, NULL, 0.0 } };
    char title[160];
    snprintf(title, sizeof title,
        "Goals, by %s (median / mean / p99 where there are three), beside Orocos KDL; ratio of "
        "mean "
        "times",
        method);
    bench_columns_begin(out, "goals", title, columns);
    for (int i = 0; i < rows->count; ++i) {
        const bench_GoalRow *row = &rows->rows[i];
        bench_row(out, columns,
            (const char *[]){ row->work, row->goal, row->ours,
                out->as_json ? row->kdl : or_dash(row->kdl),
                out->as_json ? row->ratio : or_dash(row->ratio), row->verdict },
            NULL);
    }
    bench_table_end(out);
}

// ---------------------------------------------------------------------------------------------
// Arms and chains

void bench_arm_goals_note(bench_ArmGoals *goals, const char *name, bool random_start,
    const bench_ChainResult *result, const bench_PeerResult *kdl)
{
    int s = random_start ? 1 : 0;
    if (strcmp(name, "Franka Panda") == 0) {
        goals->panda[s] = *result;
        goals->has_panda[s] = true;
        goals->has_panda_kdl[s] = kdl != NULL;
        if (kdl != NULL) { goals->panda_kdl[s] = *kdl; }
    }
    if (random_start) { return; }
    goals->least = goals->arm_count++ == 0 ? result->solved : fmin(goals->least, result->solved);
    goals->mean_sum += result->mean;
    if (kdl != NULL) {
        ++goals->kdl_count;
        goals->kdl_solved_sum += kdl->limited.solved;
        goals->kdl_mean_sum += kdl->limited.mean;
        goals->kdl_our_mean_sum += result->mean;
    }
    if (result->median <= goals->median) { return; }
    goals->median = result->median;
    snprintf(goals->slowest, sizeof goals->slowest, "%s", name);
}

static void add_panda(const bench_ArmGoals *goals, bench_GoalRows *rows)
{
    static const bench_Wanted wanted[2] = { { 2.0, 3.5, 20.0 }, { 3.0, 4.5, 25.0 } };
    static const char *const works[2] = { "7-axis arm (Panda), pose 1e-5, start in the middle",
        "7-axis arm (Panda), pose 1e-5, random start" };
    static const char *const set[2] = { "100 %, 2.0 / 3.5 / 20", "100 %, 3 / 4.5 / 25" };
    for (int s = 0; s < 2; ++s) {
        bench_GoalRow *row = bench_goal_row(rows, works[s], set[s]);
        if (!goals->has_panda[s]) {
            snprintf(row->ours, sizeof row->ours, "no panda.urdf");
            continue;
        }
        bench_goal_times(row, &goals->panda[s], &wanted[s]);
        if (goals->has_panda_kdl[s]) {
            bench_goal_kdl(row, &goals->panda[s], &goals->panda_kdl[s], true);
        }
    }
}

void bench_arm_goals_rows(const bench_ArmGoals *goals, bench_GoalRows *rows)
{
    add_panda(goals, rows);
    bench_GoalRow *row = bench_goal_row(
        rows, "every arm of the URDF files, start in the middle", "100 %, median 5");
    if (goals->arm_count == 0) {
        snprintf(row->ours, sizeof row->ours, "no files");
        return;
    }
    snprintf(row->ours, sizeof row->ours, "%d arms: %.3f %% and more, median %.2f us and less (%s)",
        goals->arm_count, 100.0 * goals->least, 1e6 * goals->median, goals->slowest);
    if (goals->kdl_count > 0) {
        snprintf(row->kdl, sizeof row->kdl, "%.1f %%, mean %.0f us, of all together",
            100.0 * goals->kdl_solved_sum / goals->kdl_count,
            1e6 * goals->kdl_mean_sum / goals->kdl_count);
        snprintf(
            row->ratio, sizeof row->ratio, "%.0f x", goals->kdl_mean_sum / goals->kdl_our_mean_sum);
    }
    if (goals->least < 1.0) { bench_goal_miss(row, "%.3f %%", 100.0 * goals->least); }
    if (1e6 * goals->median > 5.0) { bench_goal_miss(row, "median %.2f", 1e6 * goals->median); }
    bench_goal_end(row);
}

void bench_chain_goals_row(const bench_ChainResult results[BENCH_CHAIN_LENGTHS],
    const bench_PeerResult *kdl, bench_GoalRows *rows)
{
    bench_GoalRow *row = bench_goal_row(
        rows, "chains of 10 ... 1000 hinges, position 1e-5", "300: 40 us, linear");
    const bench_ChainResult *at_300 = NULL;
    double lowest = INFINITY, highest = 0.0, least = 1.0;
    size_t used = 0;
    for (int i = 0; i < BENCH_CHAIN_LENGTHS; ++i) {
        double link = 1e9 * results[i].median / bench_chain_lengths[i];
        lowest = fmin(lowest, link);
        highest = fmax(highest, link);
        least = fmin(least, results[i].solved);
        if (bench_chain_lengths[i] == 300) { at_300 = &results[i]; }
        used += (size_t)snprintf(row->ours + used, sizeof row->ours - used, "%s%d: %.1f",
            i > 0 ? ", " : "", bench_chain_lengths[i], 1e6 * results[i].median);
    }
    snprintf(row->ours + used, sizeof row->ours - used, " us; %.0f ... %.0f ns a link, %.2f %%",
        lowest, highest, 100.0 * least);
    if (least < 1.0) { bench_goal_miss(row, "%.2f %%", 100.0 * least); }
    if (at_300 != NULL && 1e6 * at_300->median > 40.0) {
        bench_goal_miss(row, "300 links take %.1f us", 1e6 * at_300->median);
    }
    if (at_300 != NULL && kdl != NULL) { bench_goal_kdl(row, at_300, kdl, false); }
    bench_goal_end(row);
}
