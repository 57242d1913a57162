// The batch of `sinew solve`: rows of a table are independent problems.

#include "problem.h"

#include "clock.h"
#include "csv.h"
#include "diagnosis.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "suggest.h"
#include "table.h"

#include "base/message.h"
#include "math/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_PER_GOAL = 7, LONGEST_NAME = 512, CAUSE_COUNT = SINEW_BLOCKER_UNFINISHED + 2 };

/// One effector of the table and its columns: x, y, z, qx, qy, qz, qw; -1 where there is none.
typedef struct Effector {
    int joint;
    char name[LONGEST_NAME]; // as the first of its columns calls it
    int columns[NUMBERS_PER_GOAL];
} Effector;

/// A batch while it runs.
typedef struct Batch {
    const cli_Input *input;
    cli_Csv csv;
    Effector *effectors;
    int effector_count;
    int *effector_at;   // of a joint, -1: none                             (joint_count)
    int *start_columns; // column that a coordinate starts from, -1: none   (coordinate_count)
    double *values;     // cells of one row                                 (column_count)
    sinew_Goal *goals;  //                                                 (effector_count)
    double *q;          //                                                 (coordinate_count)
    sinew_Solver *solver;
    sinew_StartTable *starts; // of the rig, NULL without one for these goals
    sinew_SolveOptions options;
    sinew_Diagnosis *diagnosis;
    const char **names; // of the goals                                    (effector_count)

    // figures
    long causes[CAUSE_COUNT]; // rows by the kind of their worst goal's first cause; the last: none
    long problem_count, met_count, bad_count;
    double position_sum, position_max, orientation_max, violation_max, iteration_sum, time_sum;
    double *times; // seconds of each problem                              (problem_count)
    size_t time_capacity;
} Batch;

/// How far the length of a unit quaternion may be from 1, by the rounding of who wrote it.
#define UNIT_SLACK 0.01

bool cli_unit_quat(const double *xyzw, sinew_Quat *out_quat)
{
    sinew_Quat quat = { xyzw[0], xyzw[1], xyzw[2], xyzw[3] };
    double length = sqrt(sinew_quat_dot(quat, quat));
    // digits that were left out, and no more
    if (!(fabs(length - 1.0) <= UNIT_SLACK)) { return false; }
    *out_quat = sinew_quat_normalize(quat);
    return true;
}

// ---------------------------------------------------------------------------------------------
// The header

static const char *const parts[NUMBERS_PER_GOAL] = { "x", "y", "z", "qx", "qy", "qz", "qw" };

static void say_unknown(
    const Batch *batch, int column, const char *kind, const char *name, const char *closest)
{
    if (closest != NULL) {
        cli_csv_error(&batch->csv, batch->csv.places[column], "no %s '%s'; did you mean '%s'?",
            kind, name, closest);
    } else {
        cli_csv_error(&batch->csv, batch->csv.places[column],
            "no %s '%s'; sinew info %s lists what there is", kind, name, batch->input->name);
    }
}

static bool take_start_column(Batch *batch, int column, const char *name)
{
    const sinew_Skeleton *skeleton = batch->input->skeleton;
    int coordinate = sinew_skeleton_find_coordinate(skeleton, name);
    if (coordinate < 0) {
        char best[LONGEST_NAME] = "", candidate[LONGEST_NAME];
        cli_Suggestion suggestion = cli_suggest_begin(name);
        for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
            sinew_skeleton_coordinate_name(skeleton, c, candidate, sizeof candidate);
            cli_suggest_offer(&suggestion, candidate);
            if (suggestion.best == candidate) {
                memcpy(best, candidate, sizeof best);
                suggestion.best = best;
            }
        }
        say_unknown(batch, column, "degree of freedom", name, suggestion.best);
        return false;
    }
    if (batch->start_columns[coordinate] >= 0) {
        cli_csv_error(
            &batch->csv, batch->csv.places[column], "found a second column start.%s", name);
        return false;
    }
    batch->start_columns[coordinate] = column;
    return true;
}

/// The effector of a joint, added when it is new.
static Effector *find_effector(Batch *batch, int joint, const char *name)
{
    if (batch->effector_at[joint] >= 0) { return &batch->effectors[batch->effector_at[joint]]; }
    Effector *effector = &batch->effectors[batch->effector_count];
    batch->effector_at[joint] = batch->effector_count;
    batch->effector_count += 1;
    effector->joint = joint;
    snprintf(effector->name, sizeof effector->name, "%s", name);
    for (int p = 0; p < NUMBERS_PER_GOAL; ++p) { effector->columns[p] = -1; }
    return effector;
}

static bool take_goal_column(Batch *batch, int column, const char *name)
{
    const cli_Csv *csv = &batch->csv;
    const sinew_Skeleton *skeleton = batch->input->skeleton;
    const char *dot = strrchr(name, '.');
    int part = NUMBERS_PER_GOAL;
    if (dot != NULL) {
        for (part = 0; part < NUMBERS_PER_GOAL && strcmp(dot + 1, parts[part]) != 0; ++part) {}
    }
    if (part == NUMBERS_PER_GOAL) {
        cli_csv_error(csv, csv->places[column],
            "found column '%.80s', expected JOINT.x, .y, .z, .qx, "
            ".qy, .qz, .qw or start.NAME",
            name);
        return false;
    }
    char joint_name[LONGEST_NAME];
    snprintf(joint_name, sizeof joint_name, "%.*s", (int)(dot - name), name);
    int joint = cli_named_joint(batch->input, joint_name);
    if (joint < 0) {
        cli_Suggestion suggestion = cli_suggest_begin(joint_name);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            cli_suggest_offer(&suggestion, joints[j].name);
        }
        say_unknown(batch, column, "joint", joint_name, suggestion.best);
        return false;
    }
    Effector *effector = find_effector(batch, joint, joint_name);
    if (effector->columns[part] >= 0) {
        cli_csv_error(csv, csv->places[column], "found a second column %s", name);
        return false;
    }
    effector->columns[part] = column;
    return true;
}

static bool check_effector(const Batch *batch, const Effector *effector, int rows)
{
    const char *name = effector->name;
    int turned = 0;
    for (int p = 0; p < NUMBERS_PER_GOAL; ++p) {
        if (p < 3 && effector->columns[p] < 0) {
            cli_csv_error(
                &batch->csv, 1, "found no column %s.%s, expected .x, .y and .z", name, parts[p]);
            return false;
        }
        if (p >= 3 && effector->columns[p] >= 0) { turned += 1; }
    }
    if (turned != 0 && turned != 4) {
        cli_csv_error(&batch->csv, 1,
            "found %d of the columns %s.qx, .qy, .qz, .qw, expected all or none", turned, name);
        return false;
    }
    if (turned == 0 && rows == CLI_ROWS_FULL) {
        cli_csv_error(&batch->csv, 1,
            "found no columns %s.qx, .qy, .qz, .qw, which --jacobian full needs", name);
        return false;
    }
    return true;
}

static bool read_columns(Batch *batch, int rows)
{
    const sinew_Skeleton *skeleton = batch->input->skeleton;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) { batch->effector_at[j] = -1; }
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        batch->start_columns[c] = -1;
    }
    for (int c = 0; c < batch->csv.column_count; ++c) {
        const char *name = batch->csv.names[c];
        bool start = strncmp(name, "start.", 6) == 0;
        bool good = start ? take_start_column(batch, c, name + 6)
                          : take_goal_column(batch, c, name);
        if (!good) { return false; }
    }
    if (batch->effector_count == 0) {
        cli_csv_error(
            &batch->csv, 1, "found no column of a goal, expected JOINT.x, JOINT.y, JOINT.z");
        return false;
    }
    for (int e = 0; e < batch->effector_count; ++e) {
        if (!check_effector(batch, &batch->effectors[e], rows)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Rows

/// Start pose of a row: the rest pose, with what the row says; balls are made unit.
static bool fill_start(Batch *batch)
{
    const sinew_Skeleton *skeleton = batch->input->skeleton;
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    sinew_pose_rest(skeleton, batch->q);
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        int column = batch->start_columns[c];
        if (column >= 0) { batch->q[c] = batch->values[column]; }
    }
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (axes[a].kind != SINEW_AXIS_BALL) { continue; }
        double *ball = &batch->q[places[a].coordinate];
        sinew_Quat unit;
        if (!cli_unit_quat(ball, &unit)) {
            cli_csv_spoil(&batch->csv, 1,
                "found the quaternion %g, %g, %g, %g as the start of %s, expected one of length 1",
                ball[0], ball[1], ball[2], ball[3],
                sinew_skeleton_joints(skeleton)[places[a].joint].name);
            return false;
        }
        memcpy(ball, &unit, sizeof unit);
    }
    return true;
}

static bool fill_goals(Batch *batch, int chain_root)
{
    for (int e = 0; e < batch->effector_count; ++e) {
        const Effector *effector = &batch->effectors[e];
        double n[NUMBERS_PER_GOAL] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 };
        for (int p = 0; p < NUMBERS_PER_GOAL; ++p) {
            if (effector->columns[p] >= 0) { n[p] = batch->values[effector->columns[p]]; }
        }
        sinew_Vec3 position = sinew_vec3(n[0], n[1], n[2]);
        sinew_Quat orientation;
        if (!cli_unit_quat(n + 3, &orientation)) {
            cli_csv_spoil(&batch->csv, 1,
                "found the quaternion %g, %g, %g, %g for %s, expected one of length 1", n[3], n[4],
                n[5], n[6], effector->name);
            return false;
        }
        batch->goals[e] = effector->columns[3] >= 0
            ? sinew_goal_pose(effector->joint, position, orientation)
            : sinew_goal_position(effector->joint, position);
        batch->goals[e].chain_root = chain_root;
    }
    return true;
}

static bool keep_time(Batch *batch, double time)
{
    if ((size_t)batch->problem_count == batch->time_capacity) {
        size_t capacity = batch->time_capacity == 0 ? 1024 : 2 * batch->time_capacity;
        double *times = realloc(batch->times, capacity * sizeof *times);
        if (times == NULL) { return false; }
        batch->times = times;
        batch->time_capacity = capacity;
    }
    batch->times[batch->problem_count] = time;
    return true;
}

static bool count_row(Batch *batch, const sinew_Report *report, double time)
{
    if (!keep_time(batch, time)) { return cli_out_of_memory(); }
    batch->problem_count += 1;
    batch->met_count += report->outcome == SINEW_OUTCOME_CONVERGED ? 1 : 0;
    batch->position_sum += report->position_error;
    batch->position_max = fmax(batch->position_max, report->position_error);
    batch->orientation_max = fmax(batch->orientation_max, report->orientation_error);
    batch->violation_max = fmax(batch->violation_max, report->limit_violation);
    batch->iteration_sum += report->iterations;
    batch->time_sum += time;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Causes

/// The unmet goal that misses by most, counted in its tolerances.
static int worst_goal(const Batch *batch)
{
    int worst = -1;
    double most = 0.0;
    for (int e = 0; e < batch->effector_count; ++e) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(batch->diagnosis, e);
        double size = fmax(goal->position_error / batch->options.position_tolerance,
            goal->orientation_error / batch->options.orientation_tolerance);
        if (goal->met || size <= most) { continue; }
        worst = e;
        most = size;
    }
    return worst;
}

/// Why a row is not met: a line for each goal, "; " between them. Empty for one that is.
static bool find_causes(Batch *batch, const sinew_Report *report, char *out_text, size_t size)
{
    sinew_Message message = { "" };
    out_text[0] = '\0';
    if (report->outcome == SINEW_OUTCOME_CONVERGED) { return true; }
    if (sinew_solver_diagnose(batch->solver, &batch->options, batch->goals, batch->effector_count,
            batch->q, report, batch->diagnosis, &message)
        != SINEW_STATUS_OK) {
        cli_csv_error(&batch->csv, 1, "%s", message.text);
        return false;
    }
    int worst = worst_goal(batch);
    if (worst >= 0) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(batch->diagnosis, worst);
        batch->causes[goal->blocker_count > 0 ? (int)goal->blockers[0].kind : CAUSE_COUNT - 1] += 1;
    }
    size_t used = 0;
    for (int e = 0; e < batch->effector_count && used + 1 < size; ++e) {
        if (sinew_diagnosis_goal(batch->diagnosis, e)->met) { continue; }
        if (used > 0) { used += (size_t)snprintf(out_text + used, size - used, "; "); }
        if (used + 1 >= size) { break; }
        used += sinew_diagnosis_text(
            batch->diagnosis, e, batch->names, out_text + used, size - used);
    }
    return true;
}

/// A cell of text: in quotes where it needs them.
static void write_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fprintf(stream, ",%s", text);
        return;
    }
    fputs(",\"", stream);
    for (; *text != '\0'; ++text) {
        if (*text == '"') { fputc('"', stream); }
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void write_answer(
    FILE *stream, const Batch *batch, const sinew_Report *report, double time, const char *causes)
{
    char text[32];
    fputs(sinew_outcome_name(report->outcome), stream);
    fprintf(stream, ",%s", cli_number_text(report->position_error, text));
    fprintf(stream, ",%s", cli_number_text(report->orientation_error, text));
    fprintf(stream, ",%s", cli_number_text(report->limit_violation, text));
    fprintf(stream, ",%d,%.3f", report->iterations, 1e6 * time);
    int count = sinew_skeleton_coordinate_count(batch->input->skeleton);
    for (int c = 0; c < count; ++c) { fprintf(stream, ",%s", cli_number_text(batch->q[c], text)); }
    write_text(stream, causes);
    fputc('\n', stream);
}

/// A row that is no problem keeps its line, so that answers stand beside their goals.
static void write_bad(FILE *stream, const Batch *batch)
{
    fputs("bad_row,,,,,", stream);
    int count = sinew_skeleton_coordinate_count(batch->input->skeleton);
    for (int c = 0; c < count; ++c) { fputc(',', stream); }
    write_text(stream, batch->csv.message);
    fputc('\n', stream);
}

static void write_answer_header(FILE *stream, const sinew_Skeleton *skeleton)
{
    fputs("status,position_error_m,orientation_error_rad,limit_violation_rad,iterations,time_us",
        stream);
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        char name[LONGEST_NAME];
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        bool quoted = strpbrk(name, ",\"") != NULL;
        fprintf(stream, quoted ? ",\"q.%s\"" : ",q.%s", name);
    }
    fputs(",cause", stream);
    fputc('\n', stream);
}

/// Solve the row that was read; BAD with the reason in csv.message, ERROR after a printed message.
static cli_CsvResult solve_row(Batch *batch, int chain_root, FILE *answers)
{
    sinew_Report report;
    sinew_Message message = { "" };
    if (!fill_start(batch) || !fill_goals(batch, chain_root)) { return CLI_CSV_BAD; }
    if (batch->problem_count == 0) {
        // goals of all rows are alike but for their places
        cli_use_starts(
            batch->input, batch->solver, batch->goals, batch->effector_count, &batch->starts);
    }

    double start = cli_clock(NULL);
    sinew_Status status = sinew_solver_solve(batch->solver, &batch->options, batch->goals,
        batch->effector_count, batch->q, &report, &message);
    double time = cli_clock(NULL) - start;
    if (status != SINEW_STATUS_OK) {
        cli_csv_spoil(&batch->csv, 1, "%s", message.text);
        return CLI_CSV_BAD;
    }
    if (!count_row(batch, &report, time)) { return CLI_CSV_ERROR; }
    if (answers != NULL) {
        char causes[4 * CLI_DIAGNOSIS_LINE];
        if (!find_causes(batch, &report, causes, sizeof causes)) { return CLI_CSV_ERROR; }
        write_answer(answers, batch, &report, time, causes);
    }
    return CLI_CSV_ROW;
}

/// Rows that spoil themselves are told, this many of them one by one, and the others are solved.
enum { TOLD_ROWS = 10 };

static bool solve_rows(Batch *batch, int chain_root, FILE *answers)
{
    cli_Progress progress = cli_progress_begin("solving problem", 0);
    cli_CsvResult result;
    for (;;) {
        result = cli_csv_next(&batch->csv, batch->values);
        if (result == CLI_CSV_ROW) { result = solve_row(batch, chain_root, answers); }
        if (result == CLI_CSV_BAD) {
            batch->bad_count += 1;
            if (batch->bad_count <= TOLD_ROWS) { cli_error("%s", batch->csv.message); }
            if (answers != NULL) { write_bad(answers, batch); }
        }
        if (result == CLI_CSV_END || result == CLI_CSV_ERROR) { break; }
        cli_progress_update(&progress, batch->problem_count + batch->bad_count);
    }
    cli_progress_end(&progress);
    if (batch->bad_count > TOLD_ROWS) {
        cli_error("%s: %ld more bad row%s", batch->csv.path, batch->bad_count - TOLD_ROWS,
            snw_plural((double)(batch->bad_count - TOLD_ROWS)));
    }
    return result == CLI_CSV_END;
}

// ---------------------------------------------------------------------------------------------
// Figures

static const char *cause_name(int kind)
{
    return kind < CAUSE_COUNT - 1 ? sinew_blocker_name((sinew_BlockerKind)kind) : "no_single_cause";
}

static void print_causes(const Batch *batch)
{
    const char *between = "Not met for: ";
    for (int kind = 0; kind < CAUSE_COUNT; ++kind) {
        if (batch->causes[kind] == 0) { continue; }
        cli_print("%s%s %ld", between, cause_name(kind), batch->causes[kind]);
        between = ", ";
    }
    if (between[0] == ',') { cli_print(".\n"); }
}

static void print_figures(Batch *batch, const char *answers_path, bool json)
{
    double problems = batch->problem_count > 0 ? (double)batch->problem_count : 1.0;
    double median = 0.0;
    if (batch->problem_count > 0) {
        median = snw_select(
            batch->times, (size_t)batch->problem_count, (size_t)batch->problem_count / 2);
    }
    double mean_error = batch->position_sum / problems;
    double mean_iterations = batch->iteration_sum / problems;
    if (json) {
        cli_Json out = cli_json_begin();
        cli_json_whole(&out, "problems", batch->problem_count);
        cli_json_whole(&out, "met", batch->met_count);
        cli_json_whole(&out, "bad_rows", batch->bad_count);
        cli_json_number(&out, "met_share", (double)batch->met_count / problems);
        cli_json_number(&out, "mean_error_m", mean_error);
        cli_json_number(&out, "max_error_m", batch->position_max);
        cli_json_number(&out, "max_orientation_error_rad", batch->orientation_max);
        cli_json_number(&out, "limit_violation_rad", batch->violation_max);
        cli_json_number(&out, "mean_iterations", mean_iterations);
        cli_json_number(&out, "time_us", 1e6 * batch->time_sum / problems);
        cli_json_number(&out, "median_time_us", 1e6 * median);
        if (answers_path != NULL) {
            cli_json_object(&out, "causes");
            for (int kind = 0; kind < CAUSE_COUNT; ++kind) {
                if (batch->causes[kind] > 0) {
                    cli_json_whole(&out, cause_name(kind), batch->causes[kind]);
                }
            }
            cli_json_object_end(&out);
        }
        cli_json_end(&out);
        return;
    }
    cli_print("%ld of %ld problem%s met (%.2f %%), %s\n", batch->met_count, batch->problem_count,
        snw_plural((double)batch->problem_count), 100.0 * (double)batch->met_count / problems,
        sinew_method_name(batch->options.method));
    cli_Table table = cli_table_begin("lrl");
    cli_table_cell(&table, "position error");
    cli_table_cell(&table, "%.4g mm", 1e3 * mean_error);
    cli_table_cell(&table, "mean; worst %.4g mm", 1e3 * batch->position_max);
    cli_table_cell(&table, "orientation error");
    cli_table_cell(&table, "%.4g rad", batch->orientation_max);
    cli_table_cell(&table, "worst");
    cli_table_cell(&table, "limits exceeded by");
    cli_table_cell(&table, "%.3g rad", batch->violation_max);
    cli_table_cell(&table, "at most");
    cli_table_cell(&table, "iterations");
    cli_table_cell(&table, "%.2f", mean_iterations);
    cli_table_cell(&table, "mean");
    cli_table_cell(&table, "time");
    cli_table_cell(&table, "%.2f us", 1e6 * median);
    cli_table_cell(&table, "median; mean %.2f us, solving alone", 1e6 * batch->time_sum / problems);
    cli_table_end(&table, "  ");
    print_causes(batch);
    if (batch->bad_count > 0) {
        cli_print(
            "Left out: %ld bad row%s\n", batch->bad_count, snw_plural((double)batch->bad_count));
    }
    if (answers_path != NULL) { cli_print("Answers: %s\n", answers_path); }
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool prepare(Batch *batch, const cli_SolverSettings *settings)
{
    sinew_Message message = { "" };
    size_t columns = (size_t)batch->csv.column_count;
    size_t joints = (size_t)sinew_skeleton_joint_count(batch->input->skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(batch->input->skeleton);
    batch->effectors = calloc(columns, sizeof *batch->effectors);
    batch->effector_at = calloc(joints, sizeof *batch->effector_at);
    batch->start_columns = calloc(coordinates + 1, sizeof *batch->start_columns);
    batch->values = calloc(columns, sizeof *batch->values);
    batch->goals = calloc(columns, sizeof *batch->goals);
    batch->names = calloc(columns, sizeof *batch->names);
    batch->q = calloc(coordinates + 1, sizeof *batch->q);
    if (batch->effectors == NULL || batch->effector_at == NULL || batch->start_columns == NULL
        || batch->values == NULL || batch->goals == NULL || batch->names == NULL
        || batch->q == NULL) {
        return cli_out_of_memory();
    }
    if (!read_columns(batch, (int)settings->rows)) { return false; }

    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = batch->input->skeleton;
    def.max_goals = batch->effector_count;
    if (settings->time_budget > 0.0) { def.clock = cli_clock; }
    if (sinew_solver_create(&def, &batch->solver, &message) != SINEW_STATUS_OK) {
        cli_error("%s: %s", batch->input->name, message.text);
        return false;
    }
    if (sinew_diagnosis_create(
            def.skeleton, batch->effector_count, NULL, &batch->diagnosis, &message)
        != SINEW_STATUS_OK) {
        cli_error("%s: %s", batch->input->name, message.text);
        return false;
    }
    for (int e = 0; e < batch->effector_count; ++e) { batch->names[e] = batch->effectors[e].name; }
    batch->options = cli_solve_options(settings);
    return true;
}

static int run_batch(Batch *batch, int chain_root, const char *answers_path, bool json)
{
    cli_Output output = { NULL, NULL, NULL };
    if (answers_path != NULL) {
        if (!cli_output_open(&output, answers_path)) { return CLI_FAILED; }
        write_answer_header(output.stream, batch->input->skeleton);
    }
    bool good = solve_rows(batch, chain_root, output.stream);
    if (good && batch->problem_count + batch->bad_count == 0) {
        cli_error("%s: found a header alone, expected rows of goals", batch->csv.path);
        good = false;
    }
    if (!good) {
        cli_output_abandon(&output);
        return CLI_FAILED;
    }
    if (answers_path != NULL && !cli_output_commit(&output)) { return CLI_FAILED; }
    print_figures(batch, answers_path, json);
    return batch->bad_count > 0 ? CLI_FAILED : CLI_DONE;
}

int cli_solve_batch(const cli_Input *input, const cli_SolverSettings *settings, int chain_root,
    const char *goals_path, const char *answers_path, bool json)
{
    Batch batch;
    memset(&batch, 0, sizeof batch);
    batch.input = input;
    if (!cli_csv_open(&batch.csv, goals_path)) { return CLI_FAILED; }
    int code = prepare(&batch, settings) ? run_batch(&batch, chain_root, answers_path, json)
                                         : CLI_FAILED;
    sinew_diagnosis_destroy(batch.diagnosis);
    sinew_solver_destroy(batch.solver);
    sinew_start_table_destroy(batch.starts);
    free(batch.effectors);
    free(batch.effector_at);
    free(batch.start_columns);
    free(batch.values);
    free(batch.goals);
    free((void *)batch.names);
    free(batch.q);
    free(batch.times);
    cli_csv_close(&batch.csv);
    return code;
}
