// `sinew solve`: pose one skeleton so that goals are met.

#include "commands.h"

#include "clock.h"
#include "diagnosis.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "problem.h"
#include "table.h"

#include "pictures/pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOAL = 1, GOALS, FROM, FRAME, OUT, RIG };
enum { MAX_GOALS = 256 };

static const cli_Option own_options[] = {
    { GOAL, "goal", 'g', "JOINT=x,y,z[,qx,qy,qz,qw]",
        "where a joint should be, metres in the world, and how turned\n"
        "(unit quaternion); may be given several times" },
    { GOALS, "goals", 0, "FILE.csv", "solve each row of a table as a problem of its own" },
    { FROM, "from", 0, "JOINT", "only this joint and those below it may move" },
    { FRAME, "frame", 0, "N", "start from frame N (from 0) instead of the rest pose" },
    { RIG, "rig", 'r', "RIG.json|auto|none", CLI_RIG_HELP },
    { OUT, "output", 'o', "FILE", "write the pose (.bvh) or, with --goals, the answers (.csv)" },
    { 0, NULL, 0, NULL, NULL },
};

/// What was asked for.
typedef struct Request {
    cli_SolverSettings settings;
    sinew_ReadOptions read;
    const char *goals[MAX_GOALS]; // texts
    int goal_count;
    const char *rig, *goals_path, *from, *out, *picture;
    long frame; // -1: the rest pose
    bool json;
} Request;

/// A single problem.
typedef struct Problem {
    cli_Input input;
    sinew_Goal goals[MAX_GOALS];
    char names[MAX_GOALS][512]; // what the goals were called
    const char *name_list[MAX_GOALS];
    int goal_count, chain_root;
    sinew_SolveOptions options;
    sinew_Solver *solver;
    sinew_Diagnosis *diagnosis;
    sinew_StartTable *starts; // of the rig, NULL without one for these goals
    double *q, *start;        // coordinate_count each
    sinew_Report report;
    double time; // seconds
} Problem;

// ---------------------------------------------------------------------------------------------
// Goals

/// Split JOINT=numbers at the last '=', so that names may have one.
static bool parse_goal(Problem *problem, const char *text, int rows)
{
    char *name = problem->names[problem->goal_count];
    double n[7];
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text) {
        cli_error("--goal: found '%s', expected JOINT=x,y,z or JOINT=x,y,z,qx,qy,qz,qw", text);
        return false;
    }
    snprintf(name, sizeof problem->names[0], "%.*s", (int)(equals - text), text);
    problem->name_list[problem->goal_count] = name;
    int count = cli_parse_numbers("--goal", equals + 1, 3, 7, n);
    if (count == 0) { return false; }
    if (count != 3 && count != 7) {
        cli_error("--goal: found %d numbers in '%s', expected 3 or 7", count, text);
        return false;
    }
    if (count == 3 && rows == CLI_ROWS_FULL) {
        cli_error(
            "--goal: found 3 numbers in '%s', expected 7: --jacobian full needs an orientation",
            text);
        return false;
    }
    sinew_Quat orientation = sinew_quat_identity();
    if (count == 7 && !cli_unit_quat(n + 3, &orientation)) {
        cli_error("--goal: found the quaternion 0,0,0,0 in '%s', expected a rotation", text);
        return false;
    }
    sinew_Goal *goal = &problem->goals[problem->goal_count];
    sinew_Vec3 position = sinew_vec3(n[0], n[1], n[2]);
    *goal = count == 7 ? sinew_goal_pose(-1, position, orientation)
                       : sinew_goal_position(-1, position);
    problem->goal_count += 1;
    return true;
}

/// Joints of the goals, once the file is known.
static bool find_joints(Problem *problem, const Request *request)
{
    problem->chain_root = -1;
    if (request->from != NULL) {
        problem->chain_root = cli_find_joint(&problem->input, "--from", request->from);
        if (problem->chain_root < 0) { return false; }
    }
    for (int i = 0; i < problem->goal_count; ++i) {
        const char *name = problem->names[i];
        int joint = cli_find_joint(&problem->input, "--goal", name);
        if (joint < 0) { return false; }
        if (problem->chain_root >= 0
            && !sinew_skeleton_is_ancestor(problem->input.skeleton, problem->chain_root, joint)) {
            cli_error("--from: '%s' is not above '%s'", request->from, name);
            return false;
        }
        problem->goals[i].joint = joint;
        problem->goals[i].chain_root = problem->chain_root;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Solving

static bool set_start(Problem *problem, long frame)
{
    const sinew_Skeleton *skeleton = problem->input.skeleton;
    size_t count = (size_t)sinew_skeleton_coordinate_count(skeleton);
    int frame_count = sinew_clip_frame_count(problem->input.clip);
    if (frame >= frame_count) {
        cli_error(
            "--frame: found %ld, but %s has %d frames", frame, problem->input.name, frame_count);
        return false;
    }
    problem->q = calloc(count + 1, sizeof *problem->q);
    problem->start = calloc(count + 1, sizeof *problem->start);
    if (problem->q == NULL || problem->start == NULL) {
        cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
        return false;
    }
    if (frame < 0) {
        sinew_pose_rest(skeleton, problem->start);
    } else {
        const double *q = sinew_clip_frame_const(problem->input.clip, (int)frame);
        memcpy(problem->start, q, count * sizeof *q);
    }
    memcpy(problem->q, problem->start, count * sizeof *problem->q);
    return true;
}

static bool solve(Problem *problem, const cli_SolverSettings *settings)
{
    sinew_Message message = { "" };
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = problem->input.skeleton;
    def.max_goals = problem->goal_count;
    if (settings->time_budget > 0.0) { def.clock = cli_clock; }
    problem->options = cli_solve_options(settings);
    sinew_Status status = sinew_solver_create(&def, &problem->solver, &message);
    if (status == SINEW_STATUS_OK) {
        cli_use_starts(&problem->input, problem->solver, problem->goals, problem->goal_count,
            &problem->starts);
        double start = cli_clock(NULL);
        status = sinew_solver_solve(problem->solver, &problem->options, problem->goals,
            problem->goal_count, problem->q, &problem->report, &message);
        problem->time = cli_clock(NULL) - start;
    }
    if (status == SINEW_STATUS_OK) {
        status = sinew_diagnosis_create(
            def.skeleton, problem->goal_count, NULL, &problem->diagnosis, &message);
    }
    if (status == SINEW_STATUS_OK) {
        status = sinew_solver_diagnose(problem->solver, &problem->options, problem->goals,
            problem->goal_count, problem->q, &problem->report, problem->diagnosis, &message);
    }
    if (status != SINEW_STATUS_OK) { cli_error("%s", message.text); }
    return status == SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Results

static void print_json(const Problem *problem)
{
    const sinew_Skeleton *skeleton = problem->input.skeleton;
    const sinew_GoalResult *results = sinew_solver_goal_results(problem->solver);
    cli_Json out = cli_json_begin();
    cli_json_text(&out, "status", sinew_outcome_name(problem->report.outcome));
    cli_json_text(&out, "method", sinew_method_name(problem->options.method));
    cli_json_whole(&out, "iterations", problem->report.iterations);
    cli_json_whole(&out, "restarts", problem->report.restarts);
    cli_json_array(&out, "goals");
    for (int i = 0; i < problem->goal_count; ++i) {
        cli_json_object(&out, NULL);
        cli_json_text(&out, "joint", problem->names[i]);
        cli_json_number(&out, "position_error_m", results[i].position_error);
        cli_json_number(&out, "orientation_error_rad", results[i].orientation_error);
        cli_json_diagnosis(&out, skeleton, problem->diagnosis, i, problem->name_list);
        cli_json_object_end(&out);
    }
    cli_json_array_end(&out);
    cli_json_active_limits(&out, skeleton, problem->diagnosis);
    cli_json_number(&out, "limit_violation_rad", problem->report.limit_violation);
    cli_json_number(&out, "time_us", 1e6 * problem->time);
    cli_json_object(&out, "q");
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        char name[512];
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        cli_json_number(&out, name, problem->q[c]);
    }
    cli_json_object_end(&out);
    cli_json_end(&out);
}

static const char *describe(const Problem *problem)
{
    switch (problem->report.outcome) {
    case SINEW_OUTCOME_CONVERGED:
        return problem->report.eased_distance > problem->options.position_tolerance
            ? "All goals are met where soft reach has put them"
            : "All goals are met";
    case SINEW_OUTCOME_STALLED:
        return problem->report.restarts > 0
            ? "Not met: this is as close as it gets from all starts"
            : "Not met: this is as close as it gets from this start";
    case SINEW_OUTCOME_OUT_OF_ITERATIONS: return "Not met within the iterations allowed";
    case SINEW_OUTCOME_OUT_OF_TIME: return "Not met within the time allowed";
    }
    return "Not met";
}

/// Why goals are not met, a line for each.
static void print_causes(const Problem *problem)
{
    for (int i = 0; i < problem->goal_count; ++i) {
        if (sinew_diagnosis_goal(problem->diagnosis, i)->met) { continue; }
        char text[CLI_DIAGNOSIS_LINE];
        sinew_diagnosis_text(problem->diagnosis, i, problem->name_list, text, sizeof text);
        printf("%s.\n", text);
    }
}

static void print_text(const Problem *problem)
{
    const sinew_GoalResult *results = sinew_solver_goal_results(problem->solver);
    char restarts[40] = "";
    if (problem->report.restarts > 0) {
        snprintf(restarts, sizeof restarts, ", %d restart%s", problem->report.restarts,
            problem->report.restarts == 1 ? "" : "s");
    }
    printf("%s: %s, %d iterations%s, %.1f us.\n", describe(problem),
        sinew_method_name(problem->options.method), problem->report.iterations, restarts,
        1e6 * problem->time);
    cli_Table table = cli_table_begin("lrrl");
    cli_table_cell(&table, "goal");
    cli_table_cell(&table, "position error");
    cli_table_cell(&table, "orientation error");
    cli_table_cell(&table, " ");
    for (int i = 0; i < problem->goal_count; ++i) {
        bool turned = problem->goals[i].kind == SINEW_GOAL_POSE
            && problem->options.rows != SINEW_ROWS_HALF;
        char condition[CLI_DIAGNOSIS_LINE];
        bool met = sinew_diagnosis_goal(problem->diagnosis, i)->met;
        sinew_diagnosis_conditioning_text(problem->diagnosis, i, condition, sizeof condition);
        cli_table_cell(&table, "%s", problem->names[i]);
        cli_table_cell(&table, "%.4g mm", 1e3 * results[i].position_error);
        if (turned) {
            cli_table_cell(&table, "%.4g rad", results[i].orientation_error);
        } else {
            cli_table_cell(&table, "-");
        }
        cli_table_cell(
            &table, "%s%s%s", met ? "met" : "not met", condition[0] != '\0' ? "; " : "", condition);
    }
    cli_table_end(&table, "  ");
    print_causes(problem);
    if (problem->report.limit_violation > 0.0) {
        printf("Limits are exceeded by %.3g.\n", problem->report.limit_violation);
    }
}

static bool write_pose(const Problem *problem, const char *path)
{
    sinew_Clip *clip = NULL;
    sinew_Status status = sinew_clip_create(
        problem->input.skeleton, 1, sinew_clip_frame_time(problem->input.clip), NULL, &clip);
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", path, sinew_status_text(status));
        return false;
    }
    size_t count = (size_t)sinew_skeleton_coordinate_count(problem->input.skeleton);
    memcpy(sinew_clip_frame(clip, 0), problem->q, count * sizeof *problem->q);
    sinew_WriteOptions options = cli_write_options(&problem->input);
    bool good = cli_write_motion(path, clip, &options);
    sinew_clip_destroy(clip);
    return good;
}

static bool draw(const Problem *problem, const char *path)
{
    sinew_Vec3 targets[MAX_GOALS];
    sinew_Message message = { "" };
    char subtitle[160];
    for (int i = 0; i < problem->goal_count; ++i) { targets[i] = problem->goals[i].position; }
    snprintf(subtitle, sizeof subtitle, "%s: %s after %d iterations, worst error %.3g mm",
        sinew_method_name(problem->options.method), sinew_outcome_name(problem->report.outcome),
        problem->report.iterations, 1e3 * problem->report.position_error);
    picture_Still still = picture_still_default();
    still.skeleton = problem->input.skeleton;
    still.q = problem->q;
    still.ghost_q = problem->start;
    still.targets.positions = targets;
    still.targets.count = problem->goal_count;
    still.view.up = cli_up(&problem->input);
    still.title = cli_base_name(problem->input.name);
    still.subtitle = subtitle;
    if (picture_still_write(&still, path, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    return true;
}

static int run_problem(Problem *problem, const Request *request)
{
    if (!find_joints(problem, request) || !set_start(problem, request->frame)
        || !solve(problem, &request->settings)) {
        return CLI_FAILED;
    }
    if (request->out != NULL && !write_pose(problem, request->out)) { return CLI_FAILED; }
    if (request->picture != NULL && !draw(problem, request->picture)) { return CLI_FAILED; }
    if (request->json) {
        print_json(problem);
    } else {
        print_text(problem);
    }
    return problem->report.outcome == SINEW_OUTCOME_CONVERGED ? CLI_DONE : CLI_FAILED;
}

// ---------------------------------------------------------------------------------------------
// Arguments

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case GOAL:
        if (request->goal_count == MAX_GOALS) {
            cli_error(
                "--goal: at most %d goals; --goals FILE.csv takes any number", (int)MAX_GOALS);
            return false;
        }
        request->goals[request->goal_count] = value;
        request->goal_count += 1;
        return true;
    case GOALS: request->goals_path = value; return true;
    case FROM: request->from = value; return true;
    case FRAME: return cli_parse_whole("--frame", value, 0, 2147483646L, &request->frame);
    case OUT: request->out = value; return true;
    case RIG: request->rig = value; return true;
    case CLI_OPTION_UNIT:
    case CLI_OPTION_BVH_POSITIONS: return cli_take_input_option(&request->read, option->id, value);
    default: return cli_take_solver_option(&request->settings, option->id, value);
    }
}

static bool check_request(const Request *request)
{
    if ((request->goal_count > 0) == (request->goals_path != NULL)) {
        cli_usage_error(&cli_command_solve,
            request->goal_count > 0 ? "--goal and --goals exclude each other"
                                    : "expected --goal or --goals");
        return false;
    }
    if (request->goals_path != NULL && (request->picture != NULL || request->frame >= 0)) {
        cli_usage_error(&cli_command_solve, "--goals takes no %s",
            request->picture != NULL ? "--picture" : "--frame; a table has its own start columns");
        return false;
    }
    if (request->picture != NULL && !cli_check_picture_path("--picture", request->picture)) {
        return false;
    }
    bool csv = request->goals_path != NULL;
    if (request->out != NULL && csv && cli_has_ending(request->out, ".bvh")) {
        cli_error("--output: found '%s', expected a name that ends in .csv", request->out);
        return false;
    }
    return csv || request->out == NULL || cli_check_motion_path("--output", request->out);
}

static int run_batch(const Request *request, const char *path)
{
    cli_Input input;
    if (!cli_input_open_rigged(&input, path, &request->read, request->rig)) { return CLI_FAILED; }
    int chain_root = request->from != NULL ? cli_find_joint(&input, "--from", request->from) : -1;
    int code = CLI_FAILED;
    if (request->from == NULL || chain_root >= 0) {
        code = cli_solve_batch(&input, &request->settings, chain_root, request->goals_path,
            request->out, request->json);
    }
    cli_input_close(&input);
    return code;
}

static int run_single(const Request *request, const char *path)
{
    Problem *problem = calloc(1, sizeof *problem);
    if (problem == NULL) { return cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY)); }
    int code = CLI_USAGE;
    bool good = true;
    for (int i = 0; good && i < request->goal_count; ++i) {
        good = parse_goal(problem, request->goals[i], (int)request->settings.rows);
    }
    if (good) {
        code = CLI_FAILED;
        if (cli_input_open_rigged(&problem->input, path, &request->read, request->rig)) {
            code = run_problem(problem, request);
            sinew_diagnosis_destroy(problem->diagnosis);
            sinew_solver_destroy(problem->solver);
            sinew_start_table_destroy(problem->starts);
            cli_input_close(&problem->input);
        }
    }
    free(problem->q);
    free(problem->start);
    free(problem);
    return code;
}

static int run(int argc, char **argv)
{
    static Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.frame = -1;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_solve, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    if (!check_request(&request)) { return CLI_USAGE; }
    return request.goals_path != NULL ? run_batch(&request, parser.plain[0])
                                      : run_single(&request, parser.plain[0]);
}

const cli_Command cli_command_solve = {
    "solve",
    "Pose a skeleton so that goals are met",
    "FILE --goal JOINT=x,y,z[,qx,qy,qz,qw] ... [OPTIONS]",
    "FILE is a motion file or scene:NAME. Places are metres in the world, Y up. Joints and "
    "degrees\n"
    "of freedom are named as sinew info lists them, joints by role as well. Exit code 1 tells "
    "that\n"
    "a goal was not met; a problem is tried from 8 more starts before that. What blocks a goal is\n"
    "told: limits, joints that are locked, other goals or its reach, each tried by taking it "
    "away.\n\n"
    "With --goals, each row of a table is a problem of its own. Columns: JOINT.x, JOINT.y, JOINT.z "
    "and\n"
    "optionally JOINT.qx, .qy, .qz, .qw for each effector; start.NAME for values to start from,\n"
    "radians or metres (without them: the rest values). The answers have one row per problem:\n"
    "status, errors, iterations, time, q.NAME for each degree of freedom, and why a goal is not "
    "met\n"
    "(cause). Misses are told there; the exit code is then 0.\n",
    "  sinew solve walk.bvh --goal LeftHand=0.3,1.2,0.4 --from LeftShoulder -o reach.bvh\n"
    "  sinew solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 --picture reach.png\n"
    "  sinew solve walk.bvh --rig auto --goal hand_r=0.3,1.2,0.4 --from chest\n"
    "  sinew solve scene:LEG --goals goals.csv --method pinv -o answers.csv --json\n",
    { own_options, cli_solver_options, cli_input_options, cli_picture_options, cli_common_options },
    1,
    1,
    run,
};
