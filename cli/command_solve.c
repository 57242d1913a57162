// `sinew solve`: pose one skeleton so that goals are met.

#include "commands.h"

#include "clock.h"
#include "diagnosis.h"
#include "disk.h"
#include "goal_text.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "problem.h"
#include "solve_answers.h"
#include "table.h"

#include "base/message.h"
#include "pictures/pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// goals come first, in the order of cli_GoalForm
enum {
    GOAL = 1,
    TURN,
    AIM,
    LEVEL,
    POLE,
    COM,
    SUPPORT,
    REST,
    GOALS,
    FROM,
    FRAME,
    OUT,
    RIG,
    ALL,
    FLOAT
};
enum { MAX_GOALS = 256 };

static const cli_Option own_options[] = {
    { GOAL, "goal", 'g', "JOINT=x,y,z[,qx,qy,qz,qw]",
        "where a joint should be, metres in the world, and how turned\n"
        "(unit quaternion); may be given several times, as all goals" },
    { TURN, "turn", 0, "JOINT=qx,qy,qz,qw", "how a joint should be turned, wherever it is" },
    { AIM, "aim", 0, "JOINT=x,y,z[,ax,ay,az]",
        "a place that a joint should point at, with its axis ax,ay,az\n"
        "(without it: with what points ahead at the start)" },
    { LEVEL, "level", 0, "JOINT[=ax,ay,az[,dx,dy,dz]]",
        "a joint whose axis should stay upright, or along dx,dy,dz (without\n"
        "an axis: what points up at the start)" },
    { POLE, "pole", 0, "JOINT=x,y,z", "a place that a knee or elbow should be towards" },
    { COM, "com", 0, "x,z",
        "the place of the ground to keep the centre of mass over; x,y where Z is\n"
        "up, as of robots" },
    { SUPPORT, "support", 0, "JOINT,...|x,z,...",
        "keep the centre of mass 1 cm inside the hull of these joints as\n"
        "they stand at the start, or of these places (where Z is up x,y,...)" },
    { REST, "rest", 0, "WEIGHT", "stay near the rest pose" },
    { GOALS, "goals", 0, "FILE.csv", "solve each row of a table as a problem of its own" },
    { ALL, "all", 0, NULL,
        "tell every pose that meets the goal, where the chain has a closed form\n"
        "(sinew info tells); ghosts in the picture" },
    { FROM, "from", 0, "JOINT", "only this joint and those below it may move" },
    { FLOAT, "float", 0, NULL, "the base of a robot moves and turns; URDF files fix it" },
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
    cli_GoalForm forms[MAX_GOALS];
    int goal_count;
    const char *rig, *goals_path, *from, *out, *picture;
    long frame; // -1: the rest pose
    bool json, all;
} Request;

/// A single problem.
typedef struct Problem {
    cli_Input input;
    cli_GoalText texts[MAX_GOALS];
    sinew_Goal goals[MAX_GOALS];
    const char *name_list[MAX_GOALS];  // what the goals were called
    const char *title_list[MAX_GOALS]; // the same with their kinds where that tells them apart
    char titles[MAX_GOALS][sizeof((cli_GoalText *)NULL)->joint + 16];
    sinew_Vec3 (*points)[SINEW_MAX_SUPPORT_POINTS]; // of support goals
    int goal_count, chain_root;
    sinew_SolveOptions options;
    sinew_Solver *solver;
    sinew_Diagnosis *diagnosis;
    sinew_StartTable *starts; // of the rig, NULL without one for these goals
    double *q, *start;        // coordinate_count each
    sinew_Report report;
    double time;         // seconds
    cli_Answers answers; // no skeleton: not asked for
} Problem;

// ---------------------------------------------------------------------------------------------
// Goals

// a place by its joint alone, where no other goal of places and turns is called so
static void set_titles(Problem *problem)
{
    for (int i = 0; i < problem->goal_count; ++i) {
        const sinew_Goal *goal = &problem->goals[i];
        bool shared = false;
        for (int j = 0; j < problem->goal_count; ++j) {
            shared = shared
                || (j != i && problem->goals[j].joint == goal->joint
                    && problem->goals[j].kind <= SINEW_GOAL_POSE);
        }
        bool plain = goal->joint < 0 || (goal->kind <= SINEW_GOAL_POSE && !shared);
        snprintf(problem->titles[i], sizeof problem->titles[i], "%s%s%s",
            plain ? "" : sinew_goal_kind_name(goal->kind), plain ? "" : " ", problem->name_list[i]);
        problem->title_list[i] = problem->titles[i];
    }
}

/// Goals of the texts, once the file is known.
static bool make_goals(Problem *problem, const Request *request)
{
    problem->chain_root = -1;
    if (request->from != NULL) {
        problem->chain_root = cli_find_joint(&problem->input, "--from", request->from);
        if (problem->chain_root < 0) { return false; }
    }
    problem->points = calloc((size_t)problem->goal_count, sizeof *problem->points);
    if (problem->points == NULL) { return cli_out_of_memory(); }
    for (int i = 0; i < problem->goal_count; ++i) {
        sinew_Goal *goal = &problem->goals[i];
        if (!cli_goal_make(&problem->texts[i], &problem->input, problem->start, problem->chain_root,
                problem->points[i], goal)) {
            return false;
        }
        if (problem->chain_root >= 0 && goal->joint >= 0
            && !sinew_skeleton_is_ancestor(
                problem->input.skeleton, problem->chain_root, goal->joint)) {
            cli_error("--from: '%s' is not above '%s'", request->from, problem->texts[i].joint);
            return false;
        }
        problem->name_list[i] = goal->joint >= 0      ? problem->texts[i].joint
            : goal->kind == SINEW_GOAL_CENTER_OF_MASS ? "centre of mass"
                                                      : sinew_goal_kind_name(goal->kind);
    }
    set_titles(problem);
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
        cli_error("--frame: found %ld, but %s has %d frame%s", frame, problem->input.name,
            frame_count, snw_plural(frame_count));
        return false;
    }
    problem->q = calloc(count + 1, sizeof *problem->q);
    problem->start = calloc(count + 1, sizeof *problem->start);
    if (problem->q == NULL || problem->start == NULL) { return cli_out_of_memory(); }
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
    cli_json_text(&out, "found_by", sinew_found_by_name(problem->report.found_by));
    cli_json_bool(&out, "branch_change", problem->report.branch_change);
    cli_json_array(&out, "goals");
    for (int i = 0; i < problem->goal_count; ++i) {
        cli_json_object(&out, NULL);
        const sinew_Goal *goal = &problem->goals[i];
        if (goal->joint >= 0) { cli_json_text(&out, "joint", problem->name_list[i]); }
        cli_json_number(&out, "position_error_m", results[i].position_error);
        cli_json_number(&out, "orientation_error_rad", results[i].orientation_error);
        cli_json_text(&out, "kind", sinew_goal_kind_name(goal->kind));
        cli_json_whole(&out, "priority", goal->priority);
        cli_json_diagnosis(&out, skeleton, problem->diagnosis, i, problem->name_list);
        cli_json_object_end(&out);
    }
    cli_json_array_end(&out);
    cli_json_active_limits(&out, skeleton, problem->diagnosis);
    cli_json_number(&out, "limit_violation_rad", problem->report.limit_violation);
    cli_json_number(&out, "time_us", 1e6 * problem->time);
    if (problem->answers.skeleton != NULL) { cli_answers_json(&out, &problem->answers); }
    cli_json_object(&out, "q");
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) {
        char name[512];
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        cli_json_number(&out, name, problem->q[c]);
    }
    cli_json_object_end(&out);
    cli_json_end(&out);
}

static bool has_place(const sinew_Goal *goal)
{
    return goal->kind == SINEW_GOAL_POSITION || goal->kind == SINEW_GOAL_POSE
        || goal->kind == SINEW_GOAL_CENTER_OF_MASS || goal->kind == SINEW_GOAL_SUPPORT;
}

/// Whether a goal weighs anything; the others are left out of the solve.
static bool counts(const sinew_Goal *goal)
{
    return (has_place(goal) ? goal->position_weight : goal->orientation_weight) > 0.0;
}

static const char *describe(const Problem *problem)
{
    switch (problem->report.outcome) {
    case SINEW_OUTCOME_CONVERGED:
        for (int i = 0; i < problem->goal_count; ++i) {
            if (!counts(&problem->goals[i])) { return "All goals that weigh anything are met"; }
        }
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
        sinew_diagnosis_text(problem->diagnosis, i, problem->title_list, text, sizeof text);
        cli_print("%s.\n", text);
    }
}

static bool has_turn(const sinew_Goal *goal, const sinew_SolveOptions *options)
{
    if (goal->kind == SINEW_GOAL_POSE) { return options->rows != SINEW_ROWS_HALF; }
    return !has_place(goal) && goal->kind != SINEW_GOAL_REST;
}

/// Whether a goal that misses its place is met where soft reach has put it, which is what the solve counts.
static bool is_met_eased(const Problem *problem, int index)
{
    const sinew_GoalResult *result = &sinew_solver_goal_results(problem->solver)[index];
    return result->eased_distance > 0.0
        && result->position_error - result->eased_distance <= problem->options.position_tolerance
        && result->orientation_error <= problem->options.orientation_tolerance;
}

static const char *verdict(const Problem *problem, int index)
{
    const sinew_Goal *goal = &problem->goals[index];
    if (!counts(goal)) { return "left out"; }
    if (goal->kind == SINEW_GOAL_REST) { return "-"; }
    if (sinew_diagnosis_goal(problem->diagnosis, index)->met) { return "met"; }
    return is_met_eased(problem, index) ? "met where eased" : "not met";
}

/// A goal by its title, and its level.
static void put_goal_name(cli_Table *table, const Problem *problem, int index)
{
    const sinew_Goal *goal = &problem->goals[index];
    char level[32] = "";
    if (goal->priority > 0) { snprintf(level, sizeof level, " (level %d)", goal->priority); }
    cli_table_cell(table, "%s%s", problem->titles[index], level);
}

/// What the answer is outside its limits: joints that no goal moves stay where the start has them.
static void print_violation(const Problem *problem)
{
    const sinew_Skeleton *skeleton = problem->input.skeleton;
    int axis;
    double outside = sinew_pose_worst_limit(skeleton, problem->q, &axis);
    if (axis < 0) { return; }
    const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[axis];
    bool slides = sinew_skeleton_axes(skeleton)[axis].kind == SINEW_AXIS_SLIDE;
    size_t size = (sinew_skeleton_axes(skeleton)[axis].kind == SINEW_AXIS_BALL ? 4 : 1)
        * sizeof *problem->q;
    bool moved = memcmp(&problem->q[place->coordinate], &problem->start[place->coordinate], size)
        != 0;
    cli_print("Limits are exceeded by %.3g %s (%s%s).\n", outside, slides ? "m" : "rad",
        sinew_skeleton_joints(skeleton)[place->joint].name,
        moved ? "" : ", which the goals leave as the start has it");
}

static void print_text(const Problem *problem)
{
    const sinew_GoalResult *results = sinew_solver_goal_results(problem->solver);
    char restarts[40] = "";
    if (problem->report.restarts > 0) {
        snprintf(restarts, sizeof restarts, ", %d restart%s", problem->report.restarts,
            snw_plural(problem->report.restarts));
    }
    cli_print("%s: %s, %d iteration%s%s, %.1f us.\n", describe(problem),
        sinew_method_name(problem->options.method), problem->report.iterations,
        snw_plural(problem->report.iterations), restarts, 1e6 * problem->time);
    cli_Table table = cli_table_begin("lrrl");
    cli_table_cell(&table, "goal");
    cli_table_cell(&table, "position error");
    cli_table_cell(&table, "orientation error");
    cli_table_cell(&table, " ");
    for (int i = 0; i < problem->goal_count; ++i) {
        const sinew_Goal *goal = &problem->goals[i];
        char condition[CLI_DIAGNOSIS_LINE];
        sinew_diagnosis_conditioning_text(problem->diagnosis, i, condition, sizeof condition);
        put_goal_name(&table, problem, i);
        if (has_place(goal)) {
            cli_table_cell(&table, "%.4g mm", 1e3 * results[i].position_error);
        } else {
            cli_table_cell(&table, "-");
        }
        if (has_turn(goal, &problem->options)) {
            cli_table_cell(&table, "%.4g rad", results[i].orientation_error);
        } else {
            cli_table_cell(&table, "-");
        }
        cli_table_cell(
            &table, "%s%s%s", verdict(problem, i), condition[0] != '\0' ? "; " : "", condition);
    }
    cli_table_end(&table, "  ");
    print_causes(problem);
    print_violation(problem);
}

static bool write_pose(Problem *problem, const char *path)
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
    sinew_WriteOptions options = cli_write_options(path, &problem->input, &problem->input);
    bool good = cli_write_motion(path, clip, &options);
    sinew_clip_destroy(clip);
    return good;
}

static bool draw(const Problem *problem, const char *path)
{
    sinew_Vec3 targets[MAX_GOALS];
    sinew_Message message = { "" };
    char subtitle[160];
    int target_count = 0;
    for (int i = 0; i < problem->goal_count; ++i) {
        const sinew_Goal *goal = &problem->goals[i];
        bool place = goal->kind <= SINEW_GOAL_POLE && goal->kind != SINEW_GOAL_ORIENTATION
            && goal->kind != SINEW_GOAL_DIRECTION && goal->reference < 0;
        if (place || goal->kind == SINEW_GOAL_CENTER_OF_MASS) {
            targets[target_count++] = goal->position;
        }
    }
    snprintf(subtitle, sizeof subtitle, "%s: %s after %d iteration%s, worst error %.3g mm",
        sinew_method_name(problem->options.method), sinew_outcome_name(problem->report.outcome),
        problem->report.iterations, snw_plural(problem->report.iterations),
        1e3 * problem->report.position_error);
    picture_Still still = picture_still_default();
    still.skeleton = problem->input.skeleton;
    still.q = problem->q;
    still.ghost_q = problem->start;
    if (problem->answers.list.count > 0) {
        still.ghost_q = problem->answers.list.poses;
        still.ghost_count = problem->answers.list.count;
    }
    still.targets.positions = targets;
    still.targets.count = target_count;
    still.view.up = cli_up(&problem->input);
    still.title = cli_base_name(problem->input.name);
    still.subtitle = subtitle;
    if (cli_save_still(&still, path, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    return true;
}

static int run_problem(Problem *problem, const Request *request)
{
    if (!set_start(problem, request->frame) || !make_goals(problem, request)
        || !solve(problem, &request->settings)) {
        return CLI_FAILED;
    }
    if (request->all
        && !cli_answers_find(&problem->answers, problem->input.skeleton, problem->solver,
            &problem->options, &problem->goals[0], problem->start)) {
        return CLI_FAILED;
    }
    if (request->out != NULL && !write_pose(problem, request->out)) { return CLI_FAILED; }
    if (request->picture != NULL && !draw(problem, request->picture)) { return CLI_FAILED; }
    if (request->json) {
        print_json(problem);
    } else {
        print_text(problem);
        if (request->all) { cli_answers_print(&problem->answers); }
    }
    return problem->report.outcome == SINEW_OUTCOME_CONVERGED ? CLI_DONE : CLI_FAILED;
}

// ---------------------------------------------------------------------------------------------
// Arguments

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case GOAL:
    case TURN:
    case AIM:
    case LEVEL:
    case POLE:
    case COM:
    case SUPPORT:
    case REST:
        if (request->goal_count == MAX_GOALS) {
            cli_error("--%s: at most %d goals; --goals FILE.csv takes any number", option->name,
                (int)MAX_GOALS);
            return false;
        }
        request->goals[request->goal_count] = value;
        request->forms[request->goal_count] = (cli_GoalForm)(option->id - GOAL);
        request->goal_count += 1;
        return true;
    case FLOAT: request->read.float_base = true; return true;
    case GOALS: request->goals_path = value; return true;
    case ALL: request->all = true; return true;
    case FROM: request->from = value; return true;
    case FRAME: return cli_parse_whole("--frame", value, 0, 2147483646L, &request->frame);
    case OUT: request->out = value; return true;
    case RIG: request->rig = value; return true;
    case CLI_OPTION_UNIT:
    case CLI_OPTION_ANIMATION:
    case CLI_OPTION_BVH_POSITIONS: return cli_take_input_option(&request->read, option->id, value);
    default: return cli_take_solver_option(&request->settings, option->id, value);
    }
}

static bool check_request(const Request *request)
{
    if ((request->goal_count > 0) == (request->goals_path != NULL)) {
        cli_usage_error(&cli_command_solve,
            request->goal_count > 0 ? "single goals and --goals exclude each other"
                                    : "expected --goal or --goals");
        return false;
    }
    if (!cli_settings_fit(&request->settings, cli_solve_method(&request->settings))) {
        return false;
    }
    if (request->all && request->goal_count != 1) {
        cli_usage_error(&cli_command_solve, "--all is for one goal");
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
    return csv || request->out == NULL || cli_check_motion_path("--output", request->out, false);
}

static bool open_body(const Request *request, const char *path, cli_Input *input)
{
    if (!cli_input_open_rigged(input, path, &request->read, request->rig)) { return false; }
    if (!request->read.float_base || cli_check_float(input)) { return true; }
    cli_input_close(input);
    return false;
}

static int run_batch(const Request *request, const char *path)
{
    cli_Input input;
    if (!open_body(request, path, &input)) { return CLI_FAILED; }
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
        good = cli_goal_parse(request->forms[i], request->goals[i],
            request->settings.rows == CLI_ROWS_FULL, &problem->texts[i]);
        problem->goal_count += good ? 1 : 0;
    }
    if (good) {
        code = CLI_FAILED;
        if (open_body(request, path, &problem->input)) {
            code = run_problem(problem, request);
            sinew_diagnosis_destroy(problem->diagnosis);
            sinew_solver_destroy(problem->solver);
            sinew_start_table_destroy(problem->starts);
            cli_input_close(&problem->input);
        }
    }
    cli_answers_free(&problem->answers);
    free(problem->q);
    free(problem->start);
    free(problem->points);
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

static const cli_Rule rules[] = {
    { "picture frame", CLI_GOES_WITHOUT, "goals" },
    { "branch", CLI_GOES_WITHOUT, "all" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_solve = {
    "solve",
    "Pose a skeleton so that goals are met",
    "FILE --goal JOINT=x,y,z[,qx,qy,qz,qw] ... [OPTIONS]",
    "FILE is a motion file or scene:NAME. Places are metres in the world, Y up; robots have Z up, "
    "and\n"
    "files whose figures stand along it. Joints and degrees of freedom are named as sinew info\n"
    "lists them, joints by role as well; the second joint of a name is NAME#2. Exit code 1 tells\n"
    "that a goal was not met; a problem is tried from 8 more starts before that. What blocks a\n"
    "goal is told: limits, joints that are locked, other goals or its reach, each tried by taking\n"
    "it away.\n\n" CLI_GOAL_SUFFIXES "\n"
    "With --goals, each row of a table is a problem of its own. Columns: JOINT.x, JOINT.y, JOINT.z "
    "and\n"
    "optionally JOINT.qx, .qy, .qz, .qw for each effector; start.NAME for values to start from,\n"
    "radians or metres (without them: the rest values). The answers have one row per problem:\n"
    "status, errors, iterations, time, q.NAME for each degree of freedom, and why a goal is not "
    "met\n"
    "(cause). Misses are told there; the exit code is then 0.\n",
    "  sinew solve walk.bvh --frame 0 --goal LeftHand=0.3,1.2,0.4 --from LeftArm -o reach.bvh\n"
    "  sinew solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 --picture reach.png\n"
    "  sinew solve walk.bvh --frame 0 --rig auto --goal hand_r=0.3,1.2,0.4 --from chest\n"
    "  sinew solve scene:MAN18 --goal LeftFoot=0.0875,0.068,0,0,0,0,1 \\\n"
    "    --goal RightFoot=-0.0875,0.068,0,0,0,0,1 \\\n"
    "    --support LeftHeel,LeftToeEnd,RightHeel,RightToeEnd --goal LeftHand=0.3,0.5,0.9:p1 \\\n"
    "    --aim Head=0.3,0.5,0.9:p2\n"
    "  sinew solve scene:ARM --goal Grip=0.3,1.2,0.3,0.7071,0,0,-0.7071 --all --picture all.png\n"
    "  sinew solve scene:LEG --goals goals.csv --method pinv -o answers.csv --json\n",
    { own_options, cli_solver_options, cli_input_options, cli_motion_options, cli_picture_options,
        cli_common_options },
    1,
    1,
    run,
    true,
    rules,
};
