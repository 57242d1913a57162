// `sinew figures`: figures of the papers, drawn from what the library does.

#include "commands.h"
#include "json.h"
#include "output.h"

#include "pictures/pictures.h"
#include "scenes/scenes.h"
#include "sinew/sinew.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OUT = 1, FORMAT };

static const cli_Option own_options[] = {
    { OUT, "output", 'o', "DIR", "folder for the pictures (made where there is none)" },
    { FORMAT, "format", 0, "png|svg|pdf", "of the pictures (default png)" },
    { 0, NULL, 0, NULL, NULL },
};

#define FRAME (1.0 / 60.0)

/// A body in motion that becomes a picture.
typedef struct Draft {
    scene_Scene *scene;
    const sinew_Skeleton *skeleton;
    sinew_Clip *clip;
    sinew_Vec3 *targets; // frame by frame; NULL: none
    int target_count;
    sinew_Message message;
} Draft;

static bool begin(Draft *draft, const char *scene, int frames)
{
    memset(draft, 0, sizeof *draft);
    if (scene_create(scene, NULL, &draft->scene, &draft->message) != SINEW_STATUS_OK) {
        return false;
    }
    draft->skeleton = draft->scene->skeleton;
    return sinew_clip_create(draft->skeleton, frames, FRAME, NULL, &draft->clip) == SINEW_STATUS_OK;
}

static void end(Draft *draft)
{
    sinew_clip_destroy(draft->clip);
    free(draft->targets);
    if (draft->scene != NULL) { scene_destroy(draft->scene); }
}

static size_t pose_size(const Draft *draft)
{
    return (size_t)sinew_skeleton_coordinate_count(draft->skeleton) * sizeof(double);
}

static bool write_sheet(Draft *draft, const picture_Sheet *like, const char *path)
{
    picture_Sheet sheet;
    memcpy(&sheet, like, sizeof sheet);
    sheet.clip = draft->clip;
    sheet.targets.positions = draft->targets;
    sheet.targets.count = draft->target_count;
    return picture_sheet_write(&sheet, path, &draft->message) == SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Bhatti et al. (2013)

enum { PATH_FRAMES = 61 };

// the left arm of MAN18 and a switch of it
static sinew_Switch *open_arm(Draft *draft, sinew_SwitchLimb *out_arm)
{
    sinew_RoleGuess *roles = NULL;
    sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    sinew_Switch *sw = NULL;
    if (sinew_roles_guess(draft->skeleton, NULL, NULL, &roles, &draft->message) == SINEW_STATUS_OK
        && sinew_switch_find_limbs(draft->skeleton, roles, limbs, SINEW_MAX_SWITCH_LIMBS) > 0) {
        *out_arm = limbs[0];
        sinew_SwitchDef def = sinew_switch_def_default();
        def.skeleton = draft->skeleton;
        def.limbs = limbs;
        def.limb_count = 1;
        (void)sinew_switch_create(&def, &sw, &draft->message);
    }
    sinew_roles_destroy(roles);
    return sw;
}

// two poses of the arm: the elbow bends and the shoulder lifts
static void two_poses(const Draft *draft, const sinew_SwitchLimb *arm, double *from, double *to)
{
    const sinew_Joint *joints = sinew_skeleton_joints(draft->skeleton);
    sinew_pose_rest(draft->skeleton, from);
    from[joints[arm->middle].coordinate_start] = -0.5;
    memcpy(to, from, pose_size(draft));
    to[joints[arm->middle].coordinate_start] = -0.9;
    to[joints[arm->root].coordinate_start] -= 1.2;
}

static bool fill_path(Draft *draft, bool ik)
{
    sinew_SwitchLimb arm;
    sinew_Switch *sw = open_arm(draft, &arm);
    double *from = malloc(pose_size(draft)), *to = malloc(pose_size(draft));
    sinew_Transform *world = malloc(
        (size_t)sinew_skeleton_joint_count(draft->skeleton) * sizeof *world);
    bool good = sw != NULL && from != NULL && to != NULL && world != NULL;
    if (good) {
        two_poses(draft, &arm, from, to);
        sinew_pose_forward(draft->skeleton, from, world);
        sinew_Transform first = world[arm.tip];
        sinew_pose_forward(draft->skeleton, to, world);
        sinew_Transform last = world[arm.tip];
        (void)sinew_switch_reset(sw, from, NULL);
        (void)sinew_switch_enable_ik(sw, 0, true, NULL);
        for (int f = 0; f < PATH_FRAMES; ++f) {
            double t = (double)f / (PATH_FRAMES - 1), *q = sinew_clip_frame(draft->clip, f);
            sinew_Handle handle;
            sinew_pose_interpolate(draft->skeleton, from, to, t, q);
            if (!ik) { continue; }
            (void)sinew_switch_handle(sw, 0, &handle, NULL);
            handle.place.position = sinew_vec3_lerp(first.position, last.position, t);
            handle.place.rotation = sinew_quat_slerp(first.rotation, last.rotation, t);
            (void)sinew_switch_set_handle(sw, 0, &handle, NULL);
            good = good && sinew_switch_update(sw, FRAME, NULL, &draft->message) == SINEW_STATUS_OK;
            memcpy(q, sinew_switch_pose(sw), pose_size(draft));
        }
    }
    sinew_switch_destroy(sw);
    free(from);
    free(to);
    free(world);
    return good;
}

static bool draw_path(const char *path, bool ik)
{
    Draft draft;
    bool good = begin(&draft, "MAN18", PATH_FRAMES) && fill_path(&draft, ik);
    if (good) {
        int hand = sinew_skeleton_find_joint(draft.skeleton, "LeftHand");
        picture_Sheet sheet = picture_sheet_default();
        sheet.trail_joints = &hand;
        sheet.trail_count = 1;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        sheet.figure_count = 5;
        sheet.view.toward_camera = sinew_vec3(1.0, 0.1, 0.25);
        sheet.title = ik ? "IK: the handle goes straight, and so does the hand"
                         : "FK: joints turn evenly, and the hand goes along an arc";
        sheet.subtitle = "The same two poses of the arm; Bhatti et al. (2013), figure 7";
        good = write_sheet(&draft, &sheet, path);
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    end(&draft);
    return good;
}

static bool draw_bhatti_7a(const char *path)
{
    return draw_path(path, false);
}

static bool draw_bhatti_7b(const char *path)
{
    return draw_path(path, true);
}

// the places of the hand ahead and up
static bool find_path(bool ik, double *x, double *y, sinew_Message *message)
{
    Draft draft;
    bool good = begin(&draft, "MAN18", PATH_FRAMES) && fill_path(&draft, ik);
    int hand = good ? sinew_skeleton_find_joint(draft.skeleton, "LeftHand") : -1;
    sinew_Transform *world = good
        ? malloc((size_t)sinew_skeleton_joint_count(draft.skeleton) * sizeof *world)
        : NULL;
    for (int f = 0; world != NULL && f < PATH_FRAMES; ++f) {
        sinew_pose_forward(draft.skeleton, sinew_clip_frame_const(draft.clip, f), world);
        x[f] = world[hand].position.z;
        y[f] = world[hand].position.y;
    }
    good = world != NULL;
    *message = draft.message;
    free(world);
    end(&draft);
    return good;
}

static bool draw_bhatti_7(const char *path)
{
    double fk_x[PATH_FRAMES], fk_y[PATH_FRAMES], ik_x[PATH_FRAMES], ik_y[PATH_FRAMES];
    sinew_Message message = { "" };
    const picture_Series series[] = {
        { .label = "FK: joints turn evenly",
            .x = fk_x,
            .y = fk_y,
            .count = PATH_FRAMES,
            .dots = true },
        { .label = "IK: the handle goes evenly",
            .x = ik_x,
            .y = ik_y,
            .count = PATH_FRAMES,
            .dots = true },
    };
    bool good = find_path(false, fk_x, fk_y, &message) && find_path(true, ik_x, ik_y, &message);
    if (good) {
        picture_Plot plot = picture_plot_default();
        plot.title = "Paths of a hand";
        plot.x_label = "ahead (m)";
        plot.y_label = "up (m)";
        plot.series = series;
        plot.series_count = 2;
        plot.x_scale = plot.y_scale = PICTURE_SCALE_LINEAR;
        plot.y_from_zero = false;
        good = picture_plot_write(&plot, path, &message) == SINEW_STATUS_OK;
    }
    if (!good) { cli_error("%s: %s", path, message.text); }
    return good;
}

enum { STAGES = 7 };

// A rest, B IK is enabled, C the handle is moved, D IK is disabled, E the joints are turned, F IK is enabled again, G it goes on
static bool fill_stages(Draft *draft)
{
    sinew_SwitchLimb arm;
    sinew_Switch *sw = open_arm(draft, &arm);
    if (sw == NULL) { return false; }
    const double bent[2] = { -0.9, 0.0 };
    sinew_Handle handle;
    (void)sinew_switch_set_joint(sw, arm.middle, bent, NULL);
    for (int stage = 0; stage < STAGES; ++stage) {
        if (stage == 1 || stage == 5) { (void)sinew_switch_enable_ik(sw, 0, true, NULL); }
        if (stage == 3) { (void)sinew_switch_enable_ik(sw, 0, false, NULL); }
        if (stage == 4) {
            const double turned[3] = { -1.4, 0.3, 0.2 };
            (void)sinew_switch_set_joint(sw, arm.root, turned, NULL);
        }
        for (int f = 0; f < 40 && (stage == 2 || stage == 6); ++f) {
            (void)sinew_switch_handle(sw, 0, &handle, NULL);
            handle.place.position.y += stage == 2 ? 0.005 : -0.004;
            handle.place.position.x += stage == 2 ? 0.002 : -0.003;
            (void)sinew_switch_set_handle(sw, 0, &handle, NULL);
            (void)sinew_switch_update(sw, FRAME, NULL, NULL);
        }
        memcpy(sinew_clip_frame(draft->clip, stage), sinew_switch_pose(sw), pose_size(draft));
        (void)sinew_switch_handle(sw, 0, &handle, NULL);
        draft->targets[stage] = handle.place.position;
    }
    sinew_switch_destroy(sw);
    return true;
}

static bool draw_bhatti_9(const char *path)
{
    Draft draft;
    bool good = begin(&draft, "MAN18", STAGES);
    if (good) {
        draft.targets = calloc(STAGES, sizeof *draft.targets);
        draft.target_count = 1;
        good = draft.targets != NULL && fill_stages(&draft);
    }
    if (good) {
        picture_Sheet sheet = picture_sheet_default();
        sheet.trail_joints = NULL;
        sheet.trail_count = 0;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        sheet.figure_count = STAGES;
        sheet.view.toward_camera = sinew_vec3(0.8, 0.15, 0.6);
        sheet.title = "A rest  B IK  C drag  D FK  E turn  F IK  G drag";
        sheet.subtitle =
            "One chain, no pop between A and B, C and D, E and F; Bhatti et al. (2013), figure 9";
        good = write_sheet(&draft, &sheet, path);
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    end(&draft);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Meredith and Maddock (2004), Blow (2002), Hoang (2014)

enum { RING_FRAMES = 25 };

static bool draw_meredith_3(const char *path)
{
    Draft draft;
    sinew_Ring ring;
    bool good = begin(&draft, "LEG", RING_FRAMES);
    int hip = -1, knee = -1, ankle = -1;
    if (good) {
        hip = sinew_skeleton_find_joint(draft.skeleton, "Hip");
        knee = sinew_skeleton_find_joint(draft.skeleton, "Knee");
        ankle = sinew_skeleton_find_joint(draft.skeleton, "Ankle");
        double *first = sinew_clip_frame(draft.clip, 0);
        sinew_pose_rest(draft.skeleton, first);
        first[sinew_skeleton_joints(draft.skeleton)[knee].coordinate_start] = 1.0;
        good = sinew_ring_find(draft.skeleton, first, hip, knee, ankle, sinew_vec3(0.0, 0.0, 0.0),
                   &ring, &draft.message)
            == SINEW_STATUS_OK;
    }
    for (int f = 1; good && f < RING_FRAMES; ++f) {
        double *q = sinew_clip_frame(draft.clip, f);
        memcpy(q, sinew_clip_frame(draft.clip, 0), pose_size(&draft));
        good = sinew_ring_pose(draft.skeleton, &ring, 2.0 * SINEW_PI * f / (RING_FRAMES - 1), q,
                   NULL, &draft.message)
            == SINEW_STATUS_OK;
    }
    if (good) {
        picture_Sheet sheet = picture_sheet_default();
        sheet.trail_joints = &knee;
        sheet.trail_count = 1;
        sheet.figure_count = 8;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        sheet.view.toward_camera = sinew_vec3(0.6, 0.5, 0.8);
        sheet.title = "Hip and heel stay, and the knee is anywhere on a ring";
        sheet.subtitle = "Meredith and Maddock (2004), figure 1.3";
        good = write_sheet(&draft, &sheet, path);
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    end(&draft);
    return good;
}

enum { REACHES = 4, CHARACTERS = 2 };

/// Let trunk and hips of the second character turn a hundredth as readily as all else.
static bool weigh(const Draft *draft, sinew_Solver *solver, double *mobility)
{
    const sinew_Joint *joints = sinew_skeleton_joints(draft->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(draft->skeleton);
    int count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(draft->skeleton); ++j) {
        bool is_trunk = j == 0 || strcmp(joints[j].name, "Spine") == 0;
        for (int a = 0; a < joints[j].axis_count; ++a) {
            bool turns = axes[a].kind != SINEW_AXIS_SLIDE;
            mobility[count++] = is_trunk && turns ? 0.01 : 1.0;
        }
    }
    return sinew_solver_set_mobility(solver, mobility) == SINEW_STATUS_OK;
}

/// Reach for something low ahead, feet planted: once all joints alike, once with a heavy trunk.
static bool fill_weights(Draft *draft, sinew_Solver *solver, double *mobility, double *q)
{
    static const char *const planted[] = { "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase" };
    sinew_Transform *world = malloc(
        (size_t)sinew_skeleton_joint_count(draft->skeleton) * sizeof *world);
    if (world == NULL) { return false; }
    sinew_pose_rest(draft->skeleton, q);
    sinew_pose_forward(draft->skeleton, q, world);
    sinew_Goal goals[5];
    for (int i = 0; i < 4; ++i) {
        int joint = sinew_skeleton_find_joint(draft->skeleton, planted[i]);
        goals[i] = sinew_goal_position(joint, world[joint].position);
        goals[i].position_weight = 4.0;
    }
    const int hand = sinew_skeleton_find_joint(draft->skeleton, "RightHand");
    const sinew_Vec3 from = sinew_vec3_add(world[hand].position, sinew_vec3(0.0, 0.05, 0.15));
    const sinew_Vec3 low = sinew_vec3(-0.15, 0.45, 0.40);
    free(world);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = 300;
    bool good = true;
    for (int c = 0; good && c < CHARACTERS; ++c) {
        sinew_pose_rest(draft->skeleton, q);
        good = c == 0 || weigh(draft, solver, mobility);
        for (int r = 0; good && r < REACHES; ++r) {
            const int frame = c * REACHES + r;
            draft->targets[frame] = sinew_vec3_lerp(from, low, (double)r / (REACHES - 1));
            goals[4] = sinew_goal_position(hand, draft->targets[frame]);
            sinew_Report report;
            good = sinew_solver_solve(solver, &options, goals, 5, q, &report, &draft->message)
                == SINEW_STATUS_OK;
            memcpy(sinew_clip_frame(draft->clip, frame), q, pose_size(draft));
        }
    }
    return good;
}

static bool draw_meredith_weights(const char *path)
{
    Draft draft;
    sinew_Solver *solver = NULL;
    double *q = NULL, *mobility = NULL;
    bool good = begin(&draft, "MAN18", CHARACTERS * REACHES);
    if (good) {
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = draft.skeleton;
        draft.targets = calloc(CHARACTERS * REACHES, sizeof *draft.targets);
        draft.target_count = 1;
        q = malloc(pose_size(&draft));
        mobility = malloc((size_t)sinew_skeleton_axis_count(draft.skeleton) * sizeof *mobility);
        good = draft.targets != NULL && q != NULL && mobility != NULL
            && sinew_solver_create(&def, &solver, &draft.message) == SINEW_STATUS_OK
            && fill_weights(&draft, solver, mobility, q);
    }
    if (good) {
        picture_Sheet sheet = picture_sheet_default();
        sheet.trail_joints = NULL;
        sheet.trail_count = 0;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        sheet.figure_count = CHARACTERS * REACHES;
        sheet.view.toward_camera = sinew_vec3(1.0, 0.1, 0.3);
        sheet.title = "Above: all joints alike. Below: trunk and hips turn a hundredth as readily";
        sheet.subtitle = "The same reach with other joint weights; Meredith and Maddock (2004), "
                         "Other Motion Details";
        good = write_sheet(&draft, &sheet, path);
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    sinew_solver_destroy(solver);
    free(q);
    free(mobility);
    end(&draft);
    return good;
}

enum { HEEL_WEIGHTS = 4, HEEL_BINS = 26, HEEL_FRAMES = 3000, HEEL_FIRST = 300 };

/// The trailing heel of many stages, by the share of the stage, millimetres.
typedef struct Heel {
    double share[HEEL_BINS], height[HEEL_BINS];
    int count[HEEL_BINS];
} Heel;

static void look_at_heel(
    const sinew_Walker *walker, const sinew_Transform *world_from_joint, Heel *heel)
{
    for (int leg = 0; leg < 2; ++leg) {
        sinew_WalkerLeg told = sinew_walker_leg(walker, leg);
        sinew_WalkerLeg other = sinew_walker_leg(walker, 1 - leg);
        if (told.is_swinging || !other.is_swinging) { continue; }
        const sinew_SolePoint *point = &sinew_walker_sole(walker, leg)->points[0];
        sinew_Transform foot = world_from_joint[point->joint];
        int bin = (int)(other.swing * (HEEL_BINS - 1) + 0.5);
        heel->height[bin] += 1e3 * sinew_transform_point(foot, point->offset).y;
        ++heel->count[bin];
    }
}

/// Walk as the paper does, legs by half rows, and take the mean over all stages.
static bool walk_heel(Draft *draft, double weight, double *q, Heel *heel)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = draft->skeleton;
    def.style = SINEW_WALK_PAPER;
    def.rows = SINEW_WALK_ROWS_HALF;
    def.trailing_weight = weight;
    sinew_Walker *walker = NULL;
    sinew_Transform *world = malloc(
        (size_t)sinew_skeleton_joint_count(draft->skeleton) * sizeof *world);
    bool good = world != NULL
        && sinew_walker_create(&def, &walker, &draft->message) == SINEW_STATUS_OK;
    const sinew_Steering ahead = { 0.6, 0.0, 0.0 };
    for (int f = 0; good && f < HEEL_FRAMES; ++f) {
        good = sinew_walker_update(walker, &ahead, FRAME, NULL, q, &draft->message)
            == SINEW_STATUS_OK;
        if (!good || f < HEEL_FIRST) { continue; }
        sinew_pose_forward(draft->skeleton, q, world);
        look_at_heel(walker, world, heel);
    }
    sinew_walker_destroy(walker);
    free(world);
    for (int b = 0; b < HEEL_BINS; ++b) {
        heel->share[b] = 100.0 * b / (HEEL_BINS - 1);
        heel->height[b] = heel->count[b] > 0 ? heel->height[b] / heel->count[b] : (double)NAN;
    }
    return good;
}

static bool draw_meredith_heel(const char *path)
{
    static const double weights[HEEL_WEIGHTS] = { 1.0, 2.0, 4.0, 16.0 };
    static const char *const labels[HEEL_WEIGHTS] = { "1 (none)", "2", "4 (default)", "16" };
    Heel heels[HEEL_WEIGHTS];
    picture_Series series[HEEL_WEIGHTS];
    Draft draft;
    memset(heels, 0, sizeof heels);
    memset(series, 0, sizeof series);
    bool good = begin(&draft, "MAN18", 1);
    for (int i = 0; good && i < HEEL_WEIGHTS; ++i) {
        good = walk_heel(&draft, weights[i], sinew_clip_frame(draft.clip, 0), &heels[i]);
        series[i].label = labels[i];
        series[i].x = heels[i].share;
        series[i].y = heels[i].height;
        series[i].count = HEEL_BINS;
    }
    if (good) {
        picture_Plot plot = picture_plot_default();
        plot.title = "Trailing heel by weight of thigh and shank";
        plot.x_label = "share of the other foot's stride (%)";
        plot.y_label = "heel above the ground (mm)";
        plot.series = series;
        plot.series_count = HEEL_WEIGHTS;
        good = picture_plot_write(&plot, path, &draft.message) == SINEW_STATUS_OK;
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    end(&draft);
    return good;
}

static bool draw_blow_2(const char *path)
{
    Draft draft;
    bool good = begin(&draft, "LIMITARM", 1);
    if (good) {
        picture_Limits limits = picture_limits_default();
        limits.skeleton = draft.skeleton;
        limits.q = sinew_clip_frame_const(draft.clip, 0);
        limits.title = "Reach windows and twist ranges";
        limits.subtitle = "Blow (2002), figures 1 and 2";
        good = picture_limits_write(&limits, path, &draft.message) == SINEW_STATUS_OK;
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    end(&draft);
    return good;
}

// a body follows the places that its own motion has
static bool draw_following(
    const char *path, const char *scene, const char *title, const char *source)
{
    enum { FRAMES = 241 };
    Draft draft;
    bool good = begin(&draft, scene, FRAMES);
    sinew_Tracker *tracker = NULL;
    sinew_Transform *world = NULL;
    double *q = NULL;
    if (good) {
        int count = draft.scene->effector_count;
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = draft.skeleton;
        def.max_goals = count;
        draft.target_count = count;
        draft.targets = calloc((size_t)FRAMES * (size_t)count, sizeof *draft.targets);
        world = malloc((size_t)sinew_skeleton_joint_count(draft.skeleton) * sizeof *world);
        q = malloc(pose_size(&draft));
        good = draft.targets != NULL && world != NULL && q != NULL
            && sinew_tracker_create(&def, &tracker, &draft.message) == SINEW_STATUS_OK;
    }
    for (int f = 0; good && f < FRAMES; ++f) {
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_pose_at(draft.scene, f * FRAME, q);
        sinew_pose_forward(draft.skeleton, q, world);
        for (int e = 0; e < draft.target_count; ++e) {
            int joint = draft.scene->effectors[e].joint;
            goals[e] = sinew_goal_position(joint, world[joint].position);
            draft.targets[f * draft.target_count + e] = world[joint].position;
        }
        good = sinew_tracker_update(tracker, goals, draft.target_count,
                   sinew_clip_frame(draft.clip, f), NULL, &draft.message)
            == SINEW_STATUS_OK;
    }
    if (good) {
        picture_Sheet sheet = picture_sheet_default();
        sheet.title = title;
        sheet.subtitle = source;
        sheet.figure_count = 6;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        good = write_sheet(&draft, &sheet, path);
    }
    if (!good) { cli_error("%s: %s", path, draft.message.text); }
    sinew_tracker_destroy(tracker);
    free(world);
    free(q);
    end(&draft);
    return good;
}

static bool draw_hoang_1(const char *path)
{
    return draw_following(
        path, "BODY11", "Two moving targets, joints of all kinds", "Hoang (2014), figure 1");
}

static bool draw_hoang_2(const char *path)
{
    return draw_following(path, "HAND", "A hand follows 20 targets", "Hoang (2014), figure 2");
}

// ---------------------------------------------------------------------------------------------
// The whole

static const struct {
    const char *name, *what;
    bool (*draw)(const char *path);
} figures[] = {
    { "meredith-2004-1.3", "the knee ring", draw_meredith_3 },
    { "meredith-2004-weights", "one reach with two sets of joint weights", draw_meredith_weights },
    { "meredith-2004-heel", "the trailing heel with and without weights", draw_meredith_heel },
    { "blow-2002-1-2", "reach windows and twist", draw_blow_2 },
    { "hoang-2014-1", "a body with two targets", draw_hoang_1 },
    { "hoang-2014-2", "a hand with 20 targets", draw_hoang_2 },
    { "bhatti-2013-7", "paths of the hand in FK and IK", draw_bhatti_7 },
    { "bhatti-2013-7-fk", "the arm on that way in FK", draw_bhatti_7a },
    { "bhatti-2013-7-ik", "the arm on that way in IK", draw_bhatti_7b },
    { "bhatti-2013-9", "switching, A to G", draw_bhatti_9 },
};
enum { FIGURE_COUNT = (int)(sizeof figures / sizeof figures[0]) };

static int draw_all(const char *folder, const char *format, bool json)
{
    struct stat known;
    if (stat(folder, &known) != 0 && mkdir(folder, 0777) != 0) {
        return cli_error("%s: the folder cannot be made", folder);
    }
    cli_Json out = { 0 };
    if (json) {
        out = cli_json_begin();
        cli_json_array(&out, "figures");
    }
    bool good = true;
    for (int i = 0; good && i < FIGURE_COUNT; ++i) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.%s", folder, figures[i].name, format);
        if (length < 0 || (size_t)length >= sizeof path) {
            return cli_error("%s: the path is too long", folder);
        }
        good = figures[i].draw(path);
        if (good && json) {
            cli_json_text(&out, NULL, path);
        } else if (good) {
            printf("%s: %s\n", path, figures[i].what);
        }
    }
    if (json) {
        cli_json_array_end(&out);
        cli_json_end(&out);
    }
    return good ? CLI_DONE : CLI_FAILED;
}

static int run(int argc, char **argv)
{
    static const char *const formats[] = { "png", "svg", "pdf" };
    cli_Parser parser;
    const char *value = NULL, *folder = NULL, *format = formats[0];
    cli_parser_begin(&parser, &cli_command_figures, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (option->id == OUT) { folder = value; }
        if (option->id != FORMAT) { continue; }
        int choice = cli_parse_choice("--format", value, formats, 3);
        if (choice < 0) {
            cli_parser_fail(&parser);
        } else {
            format = formats[choice];
        }
    }
    if (parser.leave) { return parser.exit_code; }
    if (folder == NULL) {
        return cli_usage_error(&cli_command_figures, "where to? -o DIR says so");
    }
    return draw_all(folder, format, parser.json);
}

const cli_Command cli_command_figures = {
    "figures",
    "Draw figures of the papers anew, from what the library does",
    "-o DIR [OPTIONS]",
    "Meredith and Maddock (2004), figure 1.3 and joint weights; Blow (2002), figures 1 and 2; "
    "Hoang (2014), figures "
    "1 and 2;\n"
    "Bhatti et al. (2013), figures 7 and 9. docs/figures.md says which is which.\n",
    "  sinew figures -o figures\n"
    "  sinew figures -o figures --format svg\n",
    { own_options, cli_common_options },
    0,
    0,
    run,
    false,
};
