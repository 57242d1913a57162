#include "solve_answers.h"

#include "arguments.h"
#include "table.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>

// answers that are told at most, values of a joint to spare that are tried, and stretches of it
enum { CAPACITY = 400, SAMPLES = 48, SPANS = 64 };

bool cli_answers_find(cli_Answers *answers, const sinew_Skeleton *skeleton, sinew_Solver *solver,
    const sinew_SolveOptions *options, const sinew_Goal *goal, const double *q)
{
    size_t count = (size_t)sinew_skeleton_coordinate_count(skeleton);
    answers->skeleton = skeleton;
    answers->list = (sinew_Answers){ .capacity = CAPACITY,
        .poses = calloc(CAPACITY * (count + 1), sizeof(double)),
        .ways = calloc(CAPACITY, sizeof(double)),
        .branches = calloc(CAPACITY, sizeof(int)),
        .values = calloc(CAPACITY, sizeof(double)),
        .samples = SAMPLES,
        .span_capacity = SPANS,
        .spans = calloc(SPANS, sizeof(sinew_AnswerSpan)) };
    sinew_Message message = { "" };
    sinew_Status status = sinew_solver_answers(solver, options, goal, q, &answers->list, &message);
    if (status != SINEW_STATUS_OK) { cli_error("--all: %s", message.text); }
    return status == SINEW_STATUS_OK;
}

void cli_answers_free(cli_Answers *answers)
{
    free(answers->list.poses);
    free(answers->list.ways);
    free(answers->list.branches);
    free(answers->list.values);
    free(answers->list.spans);
}

static const double *pose_of(const cli_Answers *answers, int a)
{
    size_t count = (size_t)sinew_skeleton_coordinate_count(answers->skeleton);
    return answers->list.poses + (size_t)a * count;
}

/// Name of the coordinate of an axis.
static void axis_name(const cli_Answers *answers, int axis, char *out, size_t size)
{
    int coordinate = sinew_skeleton_axis_places(answers->skeleton)[axis].coordinate;
    sinew_skeleton_coordinate_name(answers->skeleton, coordinate, out, size);
}

void cli_answers_json(cli_Json *out, const cli_Answers *answers)
{
    const sinew_Answers *list = &answers->list;
    char name[512];
    cli_json_bool(out, "all_answers_told", list->complete);
    cli_json_array(out, "answers");
    for (int a = 0; a < list->count; ++a) {
        cli_json_object(out, NULL);
        cli_json_whole(out, "branch", list->branches[a]);
        cli_json_number(out, "way_rad", list->ways[a]);
        if (list->free_axis >= 0 || list->swivels) {
            cli_json_number(out, list->swivels ? "swivel_rad" : "free_rad", list->values[a]);
        }
        cli_json_object(out, "q");
        for (int c = 0; c < sinew_skeleton_coordinate_count(answers->skeleton); ++c) {
            sinew_skeleton_coordinate_name(answers->skeleton, c, name, sizeof name);
            cli_json_number(out, name, pose_of(answers, a)[c]);
        }
        cli_json_object_end(out);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
    if (list->free_axis < 0 && !list->swivels) { return; }
    if (list->free_axis >= 0) {
        axis_name(answers, list->free_axis, name, sizeof name);
        cli_json_text(out, "free_joint", name);
    }
    cli_json_array(out, list->swivels ? "swivel_spans" : "free_spans");
    for (int s = 0; s < list->span_count; ++s) {
        cli_json_object(out, NULL);
        cli_json_whole(out, "branch", list->spans[s].branch);
        cli_json_number(out, "lower_rad", list->spans[s].lower);
        cli_json_number(out, "upper_rad", list->spans[s].upper);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
}

/// Whether some answer has another value of a coordinate than the first.
static bool differs(const cli_Answers *answers, int coordinate)
{
    for (int a = 1; a < answers->list.count; ++a) {
        if (pose_of(answers, a)[coordinate] != pose_of(answers, 0)[coordinate]) { return true; }
    }
    return false;
}

void cli_answers_print(const cli_Answers *answers)
{
    enum { ROWS = 16, COLUMNS = 10 };
    const sinew_Answers *list = &answers->list;
    if (list->count == 0) {
        cli_print("No pose meets the goal.\n");
        return;
    }
    int columns[COLUMNS], column_count = 0;
    char name[512], aligned[COLUMNS + 3] = "rr";
    for (int c = 0; c < sinew_skeleton_coordinate_count(answers->skeleton); ++c) {
        if (column_count == COLUMNS || !differs(answers, c)) { continue; }
        aligned[2 + column_count] = 'r';
        columns[column_count++] = c;
    }
    aligned[2 + column_count] = '\0';
    cli_print("%d answer%s%s, by their way from the start; radians.\n", list->count,
        snw_plural(list->count), list->complete ? "" : " and more");
    cli_Table table = cli_table_begin(aligned);
    cli_table_cell(&table, "way");
    cli_table_cell(&table, "branch");
    for (int i = 0; i < column_count; ++i) {
        sinew_skeleton_coordinate_name(answers->skeleton, columns[i], name, sizeof name);
        cli_table_cell(&table, "%s", name);
    }
    for (int a = 0; a < list->count && a < ROWS; ++a) {
        cli_table_cell(&table, "%.3f", list->ways[a]);
        cli_table_cell(&table, "%d", list->branches[a]);
        for (int i = 0; i < column_count; ++i) {
            cli_table_cell(&table, "%.4f", pose_of(answers, a)[columns[i]]);
        }
    }
    cli_table_end(&table, "  ");
    if (list->count > ROWS) { cli_print("  and %d more (--json tells all)\n", list->count - ROWS); }
    if (list->free_axis < 0 && !list->swivels) { return; }
    if (list->swivels) {
        cli_print("The arm swivels, radians from the start:\n");
    } else {
        axis_name(answers, list->free_axis, name, sizeof name);
        cli_print("%s is free:\n", name);
    }
    for (int s = 0; s < list->span_count; ++s) {
        cli_print("  branch %d from %.4f to %.4f\n", list->spans[s].branch, list->spans[s].lower,
            list->spans[s].upper);
    }
}
