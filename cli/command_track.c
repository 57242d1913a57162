// `sinew track`: follow a clip's own joints by inverse kinematics on its own skeleton.

#include "commands.h"

#include "clock.h"
#include "diagnosis.h"
#include "disk.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "table.h"
#include "targets.h"
#include "track_def.h"

#include "base/message.h"
#include "body/pose.h"
#include "math/quat.h"
#include "math/select.h"
#include "measure/motion_meter.h"
#include "pictures/pictures.h"
#include "sinew/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 1, OUT, RIG, MAX_SPEED };

/// Pull to the pose of the clip where the targets leave a pose open: that of the last frame within limits, which
/// it takes the place of (LIMITED_VELOCITY_WEIGHT). A tenth leaves hips 9 degrees off in the mean (mass_kick), a
/// hundredth 31; without any, 36 to 135.
#define CLIP_WEIGHT 1e-4

/// How often a clip is followed, so that times are steady.
enum { PASSES = 3 };

/// Most targets of the worst frame that are told with what blocks them.
enum { MOST_MISSES = 3 };
// of the way that a joint may go within --max-speed: more digits than a number has
enum { HALVINGS = 60 };

static const cli_Option own_options[] = {
    { TARGETS, "targets", 't', "all|key|A,B,...",
        "what to follow: every joint (all, default), with its rotation where it\n"
        "turns; hips, head, hands and feet, fingertips of a hand (key); or these,\n"
        "JOINT:pose with orientation; --jacobian half follows places alone" },
    { RIG, "rig", 'r', "RIG.json|auto|none", CLI_RIG_HELP },
    { MAX_SPEED, "max-speed", 0, "RAD/S",
        "no hinge or ball turns faster from the second frame on, whatever the\n"
        "targets do" },
    { OUT, "output", 'o', "FILE.bvh", "write the solved motion" },
    { 0, NULL, 0, NULL, NULL },
};

typedef struct Request {
    cli_SolverSettings settings;
    sinew_ReadOptions read;
    const char *targets, *rig, *out, *picture;
    double max_speed; // rad/s; 0: any
    bool json;
} Request;

/// What came out.
typedef struct Figures {
    double mean_error, max_error; // metres
    double lost_distance;         // metres; frames that end farther off are lost
    int worst_frame, worst_target;
    double max_orientation_error;
    double mean_iterations, time; // seconds of a frame
    double time_p99;
    int lost_frames;
    double limit_violation, source_violation; // rad
    double rotation_error;                    // mean angle to the source
    sinew_LinearForm form;
    measure_Motion source, result;
} Figures;

/// A motion that is being followed.
typedef struct Track {
    cli_Input input;
    cli_Target *targets;
    int target_count, frame_count;
    sinew_TrackerDef def;
    sinew_Tracker *tracker;
    sinew_Clip *clip; // the result

    sinew_Goal *goals;                // of one frame                (target_count)
    sinew_Transform *transforms;      // of the source's frame       (joint_count)
    sinew_Vec3 *positions;            // all targets, for pictures   (frame_count x target_count)
    double *wanted;                   // pose of the clip            (coordinate_count)
    double *mean_errors, *max_errors; //                        (frame_count)
    double *times;                    // of each pass                (PASSES x frame_count)
    int *iterations;                  //                             (frame_count)
    Figures figures;
    sinew_Diagnosis *diagnosis; // of the worst frame
    const char **names;         // of the targets                    (target_count)
    int misses[MOST_MISSES];    // its unmet targets, the worst first
    int miss_count;
} Track;

// ---------------------------------------------------------------------------------------------
// Preparing

static bool choose_targets(Track *track, const Request *request)
{
    track->target_count = cli_find_targets(
        &track->input, "--targets", request->targets, &track->targets);
    for (int i = 0; i < track->target_count; ++i) {
        if (request->settings.rows == CLI_ROWS_FULL) { track->targets[i].turned = true; }
        if (request->settings.rows == CLI_ROWS_HALF) { track->targets[i].turned = false; }
    }
    return track->target_count > 0;
}

static bool take_memory(Track *track)
{
    size_t frames = (size_t)track->frame_count, targets = (size_t)track->target_count;
    track->goals = calloc(targets, sizeof *track->goals);
    track->transforms = calloc(
        (size_t)sinew_skeleton_joint_count(track->input.skeleton), sizeof *track->transforms);
    track->positions = calloc(frames * targets, sizeof *track->positions);
    track->wanted = calloc(
        (size_t)sinew_skeleton_coordinate_count(track->input.skeleton) + 1, sizeof *track->wanted);
    track->mean_errors = calloc(frames, sizeof *track->mean_errors);
    track->max_errors = calloc(frames, sizeof *track->max_errors);
    track->times = calloc(PASSES * frames, sizeof *track->times);
    track->iterations = calloc(frames, sizeof *track->iterations);
    return (track->goals != NULL && track->transforms != NULL && track->positions != NULL
               && track->wanted != NULL && track->mean_errors != NULL && track->max_errors != NULL
               && track->times != NULL && track->iterations != NULL)
        || cli_out_of_memory();
}

/// The tracker's own settings, and another method's where one was asked for.
static void choose_options(Track *track, const Request *request)
{
    const cli_SolverSettings *settings = &request->settings;
    sinew_TrackerDef *def = &track->def;
    *def = cli_track_def(&track->input);
    if (!settings->cold) { def->options.rest_weight = CLIP_WEIGHT; }
    if (settings->method_given && settings->method != def->options.method) {
        sinew_SolveOptions kept = def->options;
        def->options = sinew_solve_options_default(settings->method);
        def->options.position_tolerance = kept.position_tolerance;
        def->options.orientation_tolerance = kept.orientation_tolerance;
        def->options.orientation_length = kept.orientation_length;
        def->options.min_iterations = kept.min_iterations;
        def->options.soft_reach = kept.soft_reach;
        if (track->input.rig != NULL && cli_has_limits(track->input.skeleton)) {
            def->options.velocity_weight = kept.velocity_weight;
        }
    }
    // the tracker's distance and tolerance are those of a body of 1.75 m; a body in a wrong unit, which has
    // fewer digits for a place, is followed as well
    double size = sinew_skeleton_size(track->input.skeleton) / 1.75;
    def->options.position_tolerance *= fmax(1.0, size);
    cli_settings_apply(settings, &def->options);
    track->figures.lost_distance = def->lost_distance * size;
    def->max_goals = track->target_count;
    def->always_cold = settings->cold;
    if (request->max_speed > 0.0) {
        def->options.max_joint_change = request->max_speed * def->frame_time;
    }
    if (settings->time_budget > 0.0) { def->clock = cli_clock; }
}

static bool prepare(Track *track, const Request *request)
{
    sinew_Message message = { "" };
    track->frame_count = sinew_clip_frame_count(track->input.clip);
    if (track->frame_count == 0) {
        cli_error("%s: there is no frame to follow", track->input.name);
        return false;
    }
    if (!choose_targets(track, request) || !take_memory(track)) { return false; }
    choose_options(track, request);
    sinew_Status status = sinew_tracker_create(&track->def, &track->tracker, &message);
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", track->input.name, message.text);
        return false;
    }
    status = sinew_clip_create(
        track->input.skeleton, track->frame_count, track->def.frame_time, NULL, &track->clip);
    return status == SINEW_STATUS_OK || cli_out_of_memory();
}

// ---------------------------------------------------------------------------------------------
// Following

static void set_goals(Track *track, int frame)
{
    const double *q = sinew_clip_frame_const(track->input.source, frame);
    sinew_pose_forward(sinew_clip_skeleton(track->input.source), q, track->transforms);
    for (int i = 0; i < track->target_count; ++i) {
        const cli_Target *target = &track->targets[i];
        sinew_Transform place = track->transforms[target->joint];
        track->goals[i] = target->turned
            ? sinew_goal_pose(target->joint, place.position, place.rotation)
            : sinew_goal_position(target->joint, place.position);
        track->positions[(size_t)frame * (size_t)track->target_count + (size_t)i] = place.position;
    }
}

static void keep_errors(Track *track, int frame, const sinew_Report *report)
{
    Figures *figures = &track->figures;
    const sinew_GoalResult *results = sinew_tracker_goal_results(track->tracker);
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < track->target_count; ++i) {
        double error = results[i].position_error;
        sum += error;
        largest = fmax(largest, error);
        if (error > figures->max_error) {
            figures->max_error = error;
            figures->worst_frame = frame;
            figures->worst_target = i;
        }
        figures->max_orientation_error = fmax(
            figures->max_orientation_error, results[i].orientation_error);
    }
    track->mean_errors[frame] = sum / track->target_count;
    track->max_errors[frame] = largest;
    track->iterations[frame] = report->iterations;
    figures->mean_error += track->mean_errors[frame] / track->frame_count;
    figures->mean_iterations += (double)report->iterations / track->frame_count;
    figures->limit_violation = fmax(figures->limit_violation, report->limit_violation);
    figures->lost_frames += largest > figures->lost_distance ? 1 : 0;
    figures->form = report->form;
}

static bool is_allowed(const sinew_Skeleton *skeleton, const sinew_Joint *joint, const double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL && axes[a].limit != NULL
            && !sinew_ball_limit_allows(axes[a].limit, snw_quat_load(&q[places[a].coordinate]))) {
            return false;
        }
    }
    return true;
}

/// Bring joints that turned by more than an angle since the last frame back along their way to wanted, as the solver
/// does it with those that targets move; where a ball's limit is in that way the joint stays as it was.
static void bound_turns(const sinew_Skeleton *skeleton, const double *last, const double *wanted,
    double most, double *q)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        int first = joints[j].axis_start, count = joints[j].axis_count;
        const sinew_Quat from = sinew_pose_local(skeleton, last, j).rotation;
        if (sinew_quat_angle(from, sinew_pose_local(skeleton, wanted, j).rotation) <= most) {
            continue;
        }
        double low = 0.0, high = 1.0;
        for (int i = 0; i < HALVINGS; ++i) {
            double middle = 0.5 * (low + high);
            snw_pose_mix(skeleton, first, count, last, wanted, middle, q);
            bool near = sinew_quat_angle(from, sinew_pose_local(skeleton, q, j).rotation) <= most;
            *(near ? &low : &high) = middle;
        }
        snw_pose_mix(skeleton, first, count, last, wanted, low, q);
        if (!is_allowed(skeleton, &joints[j], q)) {
            snw_pose_mix(skeleton, first, count, last, wanted, 0.0, q);
        }
    }
}

/// What targets leave open, a heading or a bone's twist, stays as it is in the clip: its pose is the one that
/// the body rests in, as far as --max-speed lets joints get there that no target moves. Cold frames have nothing
/// but their targets.
static sinew_Status rest_in_clip(Track *track, int frame, sinew_Message *message)
{
    if (track->def.always_cold) { return SINEW_STATUS_OK; }
    const sinew_Skeleton *skeleton = track->input.skeleton;
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    double *q = sinew_clip_frame(track->clip, frame);
    memcpy(q, sinew_clip_frame_const(track->input.clip, frame), width * sizeof *q);
    sinew_pose_apply_limits(skeleton, q);
    double most = track->def.options.max_joint_change;
    if (frame > 0 && isfinite(most)) {
        memcpy(track->wanted, q, width * sizeof *q);
        bound_turns(
            skeleton, sinew_clip_frame_const(track->clip, frame - 1), track->wanted, most, q);
    }
    return sinew_tracker_set_pose(track->tracker, q, message);
}

/// A first pose of a clip that limits do not let the body take may be cropped into a valley: then what the targets alone
/// lead to is where the motion begins, if that is nearer.
static sinew_Status begin_nearer(Track *track, sinew_Report *report, sinew_Message *message)
{
    if (track->def.always_cold || !sinew_tracker_state(track->tracker).lost) {
        return SINEW_STATUS_OK;
    }
    double *q = sinew_clip_frame(track->clip, 0);
    sinew_TrackerDef def = track->def;
    def.always_cold = true;
    sinew_Tracker *cold = NULL;
    sinew_Report found;
    sinew_Status status = sinew_tracker_create(&def, &cold, message);
    if (status == SINEW_STATUS_OK) { status = sinew_tracker_set_pose(cold, q, message); }
    if (status == SINEW_STATUS_OK) {
        status = sinew_tracker_update(
            cold, track->goals, track->target_count, track->wanted, &found, message);
    }
    sinew_tracker_destroy(cold);
    if (status != SINEW_STATUS_OK || !(found.position_error < report->position_error)) {
        return status;
    }
    sinew_tracker_reset(track->tracker);
    status = sinew_tracker_set_pose(track->tracker, track->wanted, message);
    if (status == SINEW_STATUS_OK) {
        status = sinew_tracker_update(
            track->tracker, track->goals, track->target_count, q, report, message);
    }
    return status;
}

/// One run over the clip. The first keeps errors; all give the same poses.
static bool follow_pass(Track *track, int pass, cli_Progress *progress)
{
    double *times = track->times + (size_t)pass * (size_t)track->frame_count;
    sinew_tracker_reset(track->tracker);
    for (int frame = 0; frame < track->frame_count; ++frame) {
        sinew_Report report;
        sinew_Message message = { "" };
        set_goals(track, frame);
        sinew_Status status = rest_in_clip(track, frame, &message);
        double start = cli_clock(NULL);
        if (status == SINEW_STATUS_OK) {
            status = sinew_tracker_update(track->tracker, track->goals, track->target_count,
                sinew_clip_frame(track->clip, frame), &report, &message);
        }
        if (status == SINEW_STATUS_OK && frame == 0) {
            status = begin_nearer(track, &report, &message);
        }
        times[frame] = cli_clock(NULL) - start;
        if (status != SINEW_STATUS_OK) {
            cli_error("%s: frame %d: %s", track->input.name, frame, message.text);
            return false;
        }
        if (pass == 0) { keep_errors(track, frame, &report); }
        if (frame % 16 == 0) {
            cli_progress_update(progress, (long)pass * track->frame_count + frame);
        }
    }
    return true;
}

static double middle(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/// Follow, and time each frame as the middle of three passes: other programs on the machine then
/// disturb no figure. A time budget makes passes differ, so it gets one.
static bool follow(Track *track)
{
    int passes = track->def.options.time_budget > 0.0 ? 1 : PASSES;
    size_t count = (size_t)track->frame_count;
    cli_Progress progress = cli_progress_begin("tracking frame", (long)passes * track->frame_count);
    bool good = true;
    for (int pass = 0; good && pass < passes; ++pass) {
        good = follow_pass(track, pass, &progress);
    }
    for (size_t i = 0; good && passes == PASSES && i < count; ++i) {
        track->times[i] = middle(
            track->times[i], track->times[count + i], track->times[2 * count + i]);
    }
    cli_progress_end(&progress);
    return good;
}

static bool measure(Track *track)
{
    Figures *figures = &track->figures;
    size_t count = (size_t)track->frame_count;
    double sum = 0.0, unused = 0.0;
    for (size_t i = 0; i < count; ++i) { sum += track->times[i]; }
    figures->time = sum / track->frame_count;
    figures->time_p99 = snw_select(track->times, count, (count * 99 + 99) / 100 - 1);
    for (int f = 0; f < track->frame_count; ++f) {
        double outside = sinew_pose_limit_violation(
            track->input.skeleton, sinew_clip_frame_const(track->input.clip, f));
        figures->source_violation = fmax(figures->source_violation, outside);
    }

    sinew_Status status = measure_motion(track->input.source, NULL, &figures->source);
    if (status == SINEW_STATUS_OK) { status = measure_motion(track->clip, NULL, &figures->result); }
    if (status == SINEW_STATUS_OK) {
        status = measure_rotation_error(
            track->input.source, track->clip, NULL, &figures->rotation_error, &unused);
    }
    return status == SINEW_STATUS_OK || cli_out_of_memory();
}

// ---------------------------------------------------------------------------------------------
// The worst frame

static void keep_misses(Track *track)
{
    for (int i = 0; i < track->target_count; ++i) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(track->diagnosis, i);
        if (goal->met) { continue; }
        int place = track->miss_count < MOST_MISSES ? track->miss_count++ : MOST_MISSES;
        for (; place > 0; --place) {
            int other = track->misses[place - 1];
            if (sinew_diagnosis_goal(track->diagnosis, other)->position_error
                >= goal->position_error) {
                break;
            }
            if (place < MOST_MISSES) { track->misses[place] = other; }
        }
        if (place < MOST_MISSES) { track->misses[place] = i; }
    }
}

/// What blocks the targets of the worst frame.
static bool diagnose(Track *track)
{
    int frame = track->figures.worst_frame;
    sinew_Message message = { "" };
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = track->input.skeleton;
    def.max_goals = track->target_count;
    def.clock = cli_clock;
    track->names = calloc((size_t)track->target_count, sizeof *track->names);
    if (track->names == NULL) { return cli_out_of_memory(); }
    for (int i = 0; i < track->target_count; ++i) {
        track->names[i] = sinew_skeleton_joints(def.skeleton)[track->targets[i].joint].name;
    }
    sinew_Status status = sinew_solver_create(&def, &solver, &message);
    if (status == SINEW_STATUS_OK) {
        status = sinew_diagnosis_create(
            def.skeleton, track->target_count, NULL, &track->diagnosis, &message);
    }
    if (status == SINEW_STATUS_OK) {
        set_goals(track, frame);
        status = sinew_solver_diagnose(solver, &track->def.options, track->goals,
            track->target_count, sinew_clip_frame_const(track->clip, frame), NULL, track->diagnosis,
            &message);
    }
    sinew_solver_destroy(solver);
    if (status == SINEW_STATUS_OK) {
        keep_misses(track);
    } else {
        cli_error("%s: frame %d: %s", track->input.name, frame, message.text);
    }
    return status == SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Results

/// Shaking against the source's. Changes of less than a fifth of an arc second are rounding.
static double jitter_ratio(const Figures *figures)
{
    const double rounding = 1e-6;
    return fmax(figures->result.jitter, rounding) / fmax(figures->source.jitter, rounding);
}

static void describe_flips(const Track *track, char *out_text, size_t size)
{
    const measure_Motion *source = &track->figures.source;
    out_text[0] = '\0';
    if (source->flip_count == 0) { return; }
    snprintf(out_text, size,
        "the source turns %s by more than 100 degrees in one frame%s (%s, frame %d)",
        source->flip_count == 1 ? "a joint" : "joints",
        source->flip_count == 1 ? "" : " several times, first",
        sinew_skeleton_joints(track->input.skeleton)[source->flip_joint].name, source->flip_frame);
}

static void print_json(const Track *track)
{
    const Figures *figures = &track->figures;
    const sinew_Joint *joints = sinew_skeleton_joints(track->input.skeleton);
    char warning[400];
    describe_flips(track, warning, sizeof warning);
    cli_Json out = cli_json_begin();
    cli_json_whole(&out, "frames", track->frame_count);
    cli_json_whole(&out, "targets", track->target_count);
    cli_json_whole(&out, "dofs", sinew_skeleton_dof_count(track->input.skeleton));
    cli_json_text(&out, "method", sinew_method_name(track->def.options.method));
    cli_json_text(&out, "form", sinew_form_name(figures->form));
    cli_json_number(&out, "mean_error_m", figures->mean_error);
    cli_json_number(&out, "max_error_m", figures->max_error);
    cli_json_text(&out, "worst_joint", joints[track->targets[figures->worst_target].joint].name);
    cli_json_whole(&out, "worst_frame", figures->worst_frame);
    cli_json_number(&out, "max_orientation_error_rad", figures->max_orientation_error);
    cli_json_whole(&out, "lost_frames", figures->lost_frames);
    cli_json_number(&out, "mean_iterations", figures->mean_iterations);
    cli_json_number(&out, "us_per_frame", 1e6 * figures->time);
    cli_json_number(&out, "us_per_frame_p99", 1e6 * figures->time_p99);
    cli_json_number(&out, "frames_per_second", 1.0 / figures->time);
    cli_json_number(&out, "max_joint_speed", figures->result.max_joint_speed);
    cli_json_number(&out, "source_max_joint_speed", figures->source.max_joint_speed);
    cli_json_number(&out, "jitter_ratio", jitter_ratio(figures));
    cli_json_number(&out, "rotation_error_rad", figures->rotation_error);
    cli_json_number(&out, "limit_violation_rad", figures->limit_violation);
    cli_json_array(&out, "misses");
    for (int i = 0; i < track->miss_count; ++i) {
        int target = track->misses[i];
        cli_json_object(&out, NULL);
        cli_json_text(&out, "joint", track->names[target]);
        cli_json_whole(&out, "frame", figures->worst_frame);
        cli_json_number(&out, "position_error_m",
            sinew_diagnosis_goal(track->diagnosis, target)->position_error);
        cli_json_diagnosis(&out, track->input.skeleton, track->diagnosis, target, track->names);
        cli_json_object_end(&out);
    }
    cli_json_array_end(&out);
    cli_json_text(&out, "rig", cli_rig_name(&track->input));
    cli_json_number(&out, "source_limit_violation_rad", figures->source_violation);
    cli_json_array(&out, "warnings");
    if (warning[0] != '\0') { cli_json_text(&out, NULL, warning); }
    cli_json_array_end(&out);
    cli_json_end(&out);
}

static void print_text(const Track *track, const Request *request)
{
    const Figures *figures = &track->figures;
    const sinew_Joint *joints = sinew_skeleton_joints(track->input.skeleton);
    int dofs = sinew_skeleton_dof_count(track->input.skeleton);
    char warning[400];
    describe_flips(track, warning, sizeof warning);
    cli_print("%s: %d frame%s followed by %d target%s on %d degree%s of freedom (%s, %s)\n",
        track->input.name, track->frame_count, snw_plural(track->frame_count), track->target_count,
        snw_plural(track->target_count), dofs, snw_plural(dofs),
        sinew_method_name(track->def.options.method), sinew_form_name(figures->form));
    cli_Table table = cli_table_begin("lrl");
    cli_table_cell(&table, "target error");
    cli_table_cell(&table, "%.4f mm", 1e3 * figures->mean_error);
    cli_table_cell(&table, "mean; worst %.3f mm (%s, frame %d)", 1e3 * figures->max_error,
        joints[track->targets[figures->worst_target].joint].name, figures->worst_frame);
    cli_table_cell(&table, "iterations");
    cli_table_cell(&table, "%.2f", figures->mean_iterations);
    cli_table_cell(&table, "per frame");
    cli_table_cell(&table, "time");
    cli_table_cell(&table, "%.1f us", 1e6 * figures->time);
    cli_table_cell(&table, "per frame, solving alone; p99 %.1f us; %.0f frames per second",
        1e6 * figures->time_p99, 1.0 / figures->time);
    cli_table_cell(&table, "fastest joint");
    cli_table_cell(&table, "%.1f rad/s", figures->result.max_joint_speed);
    cli_table_cell(&table, "source %.1f rad/s", figures->source.max_joint_speed);
    cli_table_cell(&table, "shaking");
    cli_table_cell(&table, "%.2f", jitter_ratio(figures));
    cli_table_cell(&table, "times the source's");
    cli_table_cell(&table, "rotation");
    cli_table_cell(&table, "%.1f deg", figures->rotation_error * 180.0 / SINEW_PI);
    cli_table_cell(&table, "mean to the source");
    cli_table_cell(&table, "limits exceeded by");
    cli_table_cell(&table, "%.3g rad", figures->limit_violation);
    cli_table_cell(&table, "at most; source %.3g rad", figures->source_violation);
    cli_table_end(&table, "  ");
    if (track->input.rig != NULL) { cli_print("  Limits: %s.\n", cli_rig_text(&track->input)); }
    if (figures->lost_frames > 0) {
        cli_print("  %d frame%s ended more than %.3g m off.\n", figures->lost_frames,
            snw_plural(figures->lost_frames), figures->lost_distance);
    }
    for (int i = 0; i < track->miss_count; ++i) {
        char text[CLI_DIAGNOSIS_LINE];
        sinew_diagnosis_text(track->diagnosis, track->misses[i], track->names, text, sizeof text);
        cli_print("  Frame %d: %s.\n", figures->worst_frame, text);
    }
    if (warning[0] != '\0') { cli_print("  Note: %s.\n", warning); }
    if (request->out != NULL) { cli_print("Motion: %s\n", request->out); }
    if (request->picture != NULL) { cli_print("Picture: %s\n", request->picture); }
}

static bool draw(const Track *track, const char *path)
{
    const Figures *figures = &track->figures;
    sinew_Message message = { "" };
    char subtitle[200];
    // no times: the same command gives the same picture
    snprintf(subtitle, sizeof subtitle,
        "%d target%s followed by %s: mean error %.3g mm, worst %.3g mm, %.2f iterations per frame",
        track->target_count, snw_plural(track->target_count),
        sinew_method_name(track->def.options.method), 1e3 * figures->mean_error,
        1e3 * figures->max_error, figures->mean_iterations);
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = track->clip;
    sheet.ghost = track->input.source;
    sheet.targets.positions = track->positions;
    sheet.targets.count = track->target_count;
    sheet.mean_error = track->mean_errors;
    sheet.max_error = track->max_errors;
    sheet.iterations = track->iterations;
    sheet.title = cli_base_name(track->input.name);
    sheet.subtitle = subtitle;
    if (cli_save_sheet(&sheet, path, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The whole

static int run_track(Track *track, const Request *request)
{
    if (!prepare(track, request) || !follow(track) || !measure(track) || !diagnose(track)) {
        return CLI_FAILED;
    }
    if (request->out != NULL) {
        sinew_WriteOptions options = cli_write_options(request->out, &track->input, &track->input);
        if (!cli_write_motion(request->out, track->clip, &options)) { return CLI_FAILED; }
    }
    if (request->picture != NULL && !draw(track, request->picture)) { return CLI_FAILED; }
    if (request->json) {
        print_json(track);
    } else {
        print_text(track, request);
    }
    return CLI_DONE;
}

static void give_back(Track *track)
{
    sinew_diagnosis_destroy(track->diagnosis);
    sinew_tracker_destroy(track->tracker);
    free((void *)track->names);
    sinew_clip_destroy(track->clip);
    free(track->targets);
    free(track->goals);
    free(track->transforms);
    free(track->positions);
    free(track->wanted);
    free(track->mean_errors);
    free(track->max_errors);
    free(track->times);
    free(track->iterations);
    cli_input_close(&track->input);
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case TARGETS: request->targets = value; return true;
    case OUT: request->out = value; return cli_check_motion_path("--output", value, false);
    case RIG: request->rig = value; return true;
    case MAX_SPEED: return cli_parse_number("--max-speed", value, 1e-6, 1e9, &request->max_speed);
    case CLI_OPTION_UNIT:
    case CLI_OPTION_ANIMATION:
    case CLI_OPTION_BVH_POSITIONS: return cli_take_input_option(&request->read, option->id, value);
    default: return cli_take_solver_option(&request->settings, option->id, value);
    }
}

static int run(int argc, char **argv)
{
    Request request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.targets = "all";
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_track, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    if (request.picture != NULL && !cli_check_picture_path("--picture", request.picture)) {
        return CLI_USAGE;
    }
    if (request.settings.method_said && !request.settings.method_given) {
        return cli_usage_error(&cli_command_track,
            "--method auto: the tracker takes its frames by dls, and by auto what dls misses");
    }
    sinew_Method method = request.settings.method_given ? request.settings.method
                                                        : SINEW_METHOD_DAMPED;
    if (!cli_settings_fit(&request.settings, method)) { return CLI_USAGE; }
    if (request.settings.cold && request.max_speed > 0.0) {
        return cli_usage_error(&cli_command_track,
            "--cold and --max-speed exclude each other: cold frames have no last one");
    }

    Track track;
    memset(&track, 0, sizeof track);
    if (!cli_input_open_rigged(&track.input, parser.plain[0], &request.read, request.rig)) {
        return CLI_FAILED;
    }
    int code = run_track(&track, &request);
    give_back(&track);
    return code;
}

const cli_Command cli_command_track = {
    "track",
    "Follow a motion's own joints by inverse kinematics",
    "CLIP [--rig RIG.json|auto|none] [--targets all|key|A,B,...] [-o OUT.bvh] [OPTIONS]",
    "CLIP is a motion file or scene:NAME. Each frame's goals are where the clip's joints are; the\n"
    "solver finds the angles again, the first frame from the clip's pose, each other from the one\n"
    "before. What the targets leave open, as headings and twists, stays as near to the clip as "
    "they\n"
    "allow; with --cold each frame has its targets alone. Told are the target error, the time of\n"
    "solving, the fastest joint (rad/s) and shaking against the source. The tolerance is\n"
    "5e-4,5e-3 here, the first for each 1.75 m of a larger body. Misses are told in the figures;\n"
    "the exit code is then 0.\n"
    "Joints have no limits beyond the file's own unless a rig says so.\n",
    "  sinew track walk.bvh -o solved.bvh --picture solved.png\n"
    "  sinew track walk.bvh --targets key --json\n"
    "  sinew track walk.bvh --rig auto --max-speed 20\n"
    "  sinew track scene:HAND --targets all --form tree --json\n",
    { own_options, cli_solver_options, cli_input_options, cli_motion_options, cli_picture_options,
        cli_common_options },
    1,
    1,
    run,
    true,
    NULL,
};
