// Figures of Meredith and Maddock (2004), Real-Time Inverse Kinematics: The Return of the Jacobian.

#include "disk.h"
#include "figures.h"

#include "bench/flop_study.h"
#include "walk/stride_curve.h"
#include "walk/turn_arc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Figure 1.2: flops against size

static bool draw_flops(cli_Draft *draft, const char *path)
{
    flop_Study *study = malloc(sizeof *study);
    if (study == NULL) { return false; }
    flop_study_run(study);
    double size[FLOP_MAX_SIZE], lu[FLOP_MAX_SIZE], cofactors[FLOP_MAX_SIZE];
    for (int n = 1; n <= FLOP_MAX_SIZE; ++n) {
        size[n - 1] = n;
        lu[n - 1] = (double)study->lu[n];
        cofactors[n - 1] = n > 1 ? (double)study->cofactors[n] : (double)NAN;
    }
    const double shared[] = { (double)study->shared3, (double)study->shared4,
        (double)study->shared5_ends };
    free(study);
    const picture_Series series[] = {
        { .label = "LU and substitution",
            .x = size,
            .y = lu,
            .count = FLOP_MAX_SIZE,
            .dots = true },
        { .label = "cofactors", .x = size, .y = cofactors, .count = FLOP_MAX_SIZE, .dots = true },
        { .label = "shared minors", .x = &size[2], .y = shared, .count = 3, .dots = true },
    };
    picture_Plot plot = cli_draft_plot(
        "Inverse of an n × n matrix", NULL, "flops, by n", series, 3);
    plot.y_scale = PICTURE_SCALE_LOG;
    return cli_draft_write_plot(draft, &plot, path);
}

// ---------------------------------------------------------------------------------------------
// Figure 1.3: the knee ring

enum { RING_FRAMES = 97, RING_FIGURES = 8 };

static bool draw_ring(cli_Draft *draft, const char *path)
{
    const sinew_Skeleton *leg = draft->skeleton;
    const int hip = sinew_skeleton_find_joint(leg, "Hip");
    const int knee = sinew_skeleton_find_joint(leg, "Knee");
    const int ankle = sinew_skeleton_find_joint(leg, "Ankle");
    sinew_pose_rest(leg, draft->q);
    draft->q[sinew_skeleton_joints(leg)[knee].coordinate_start] = 1.0;
    sinew_Ring ring;
    bool good = sinew_ring_find(leg, draft->q, hip, knee, ankle, sinew_vec3(0.0, 0.0, 0.0), &ring,
                    &draft->message)
        == SINEW_STATUS_OK;
    for (int f = 0; good && f < RING_FRAMES; ++f) {
        double *q = sinew_clip_frame(draft->clip, f);
        memcpy(q, draft->q, cli_draft_pose_size(draft));
        good = f == 0
            || sinew_ring_pose(
                   leg, &ring, 2.0 * SINEW_PI * f / (RING_FRAMES - 1), q, NULL, &draft->message)
                == SINEW_STATUS_OK;
    }
    if (!good) { return false; }
    static const char *const turned[RING_FIGURES] = { "0°", "51°", "103°", "154°", "206°", "257°",
        "309°", "360°" };
    picture_Sheet sheet = cli_draft_cells("Hip and ankle stay, and the knee is anywhere on a ring",
        "The leg turned about the line from hip to ankle; Meredith and Maddock (2004), figure 1.3",
        RING_FIGURES);
    sheet.captions = turned;
    sheet.trail_joints = &knee;
    sheet.trail_count = 1;
    sheet.whole_trails = true;
    sheet.view.toward_camera = sinew_vec3(0.6, 0.5, 0.8);
    return cli_draft_write(draft, &sheet, path);
}

// ---------------------------------------------------------------------------------------------
// Figure 1.4: the lift curve

enum { LIFT_POINTS = 181, LIFT_MARKS = 5 };

static bool draw_lift(cli_Draft *draft, const char *path)
{
    double u[LIFT_POINTS], height[LIFT_POINTS];
    for (int i = 0; i < LIFT_POINTS; ++i) {
        u[i] = 3.0 * i / (LIFT_POINTS - 1);
        height[i] = snw_lift_curve(SINEW_PI * u[i]);
    }
    static const double at[LIFT_MARKS] = { 0.0, 0.5, 1.0, 2.0, 3.0 };
    static const char *const names[LIFT_MARKS] = { NULL, NULL, "highest, after a third", NULL,
        NULL };
    double marked[LIFT_MARKS];
    for (int i = 0; i < LIFT_MARKS; ++i) { marked[i] = snw_lift_curve(SINEW_PI * at[i]); }
    // the rise is a third of it
    const int peak = (LIFT_POINTS - 1) / 3;
    const picture_Series series[] = {
        { .label = "1 - cos u", .x = u, .y = height, .count = peak + 1 },
        { .label = "1 - cos((π + u) / 2)",
            .x = &u[peak],
            .y = &height[peak],
            .count = LIFT_POINTS - peak },
        { .x = at,
            .y = marked,
            .count = LIFT_MARKS,
            .no_line = true,
            .dots = true,
            .names = names },
    };
    picture_Plot plot = cli_draft_plot(
        "Lift of a striding heel", NULL, "lift, by u / π", series, 3);
    return cli_draft_write_plot(draft, &plot, path);
}

// ---------------------------------------------------------------------------------------------
// Walks in the paper's style

static sinew_Walker *open_walker(cli_Draft *draft, sinew_WalkRows rows, double trailing_weight)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = draft->skeleton;
    def.style = SINEW_WALK_PAPER;
    def.rows = rows;
    def.trailing_weight = trailing_weight > 0.0 ? trailing_weight : def.trailing_weight;
    sinew_Walker *walker = NULL;
    (void)sinew_walker_create(&def, &walker, &draft->message);
    return walker;
}

static bool step_on(cli_Draft *draft, sinew_Walker *walker, const sinew_Steering *steering)
{
    return sinew_walker_update(walker, steering, CLI_DRAFT_FRAME, NULL, draft->q, &draft->message)
        == SINEW_STATUS_OK;
}

// Walk until the stride is even and the left foot lifts off again.
static bool begin_cycle(cli_Draft *draft, sinew_Walker *walker, const sinew_Steering *steering)
{
    enum { SETTLING = 300, LONGEST = 600 };
    bool swung = true, good = true;
    for (int f = 0; good && f < LONGEST; ++f) {
        good = step_on(draft, walker, steering);
        bool swings = sinew_walker_leg(walker, 0).is_swinging;
        if (f > SETTLING && swings && !swung) { return good; }
        swung = swings;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Figure 1.5: both stages of the stride

// frames of a cycle of two strides; and of those that are shown, from one while the left foot strides, so that
// each of two rows ends while toes come down
enum { CYCLE_FRAMES = 61, STAGE_FIRST = 5, STAGE_FRAMES = 55, STAGE_FIGURES = 8 };

// the stage that a walk is in: a foot strides, or stands on its heel while its toes come down
static void tell_stage(const sinew_Walker *walker, char *out_text, size_t size)
{
    for (int leg = 0; leg < 2; ++leg) {
        const char *name = leg == 0 ? "left" : "right";
        sinew_WalkerLeg told = sinew_walker_leg(walker, leg);
        if (told.is_swinging) {
            snprintf(out_text, size, "%s strides, %.0f %%", name, 100.0 * told.swing);
            return;
        }
        if ((told.planted & SINEW_PLANTED_HEEL) && !(told.planted & SINEW_PLANTED_BALL)) {
            snprintf(out_text, size, "%s heel holds, toes come down", name);
            return;
        }
    }
    snprintf(out_text, size, "both stand");
}

static bool draw_stages(cli_Draft *draft, const char *path)
{
    const sinew_Steering ahead = { 0.6, 0.0, 0.0 };
    sinew_Walker *walker = open_walker(draft, SINEW_WALK_ROWS_AUTO, 0.0);
    char texts[STAGE_FIGURES][64];
    const char *captions[STAGE_FIGURES];
    bool good = walker != NULL && begin_cycle(draft, walker, &ahead);
    for (int f = 0; good && f < STAGE_FIRST; ++f) { good = step_on(draft, walker, &ahead); }
    for (int f = 0, figure = 0; good && f < STAGE_FRAMES; ++f) {
        memcpy(sinew_clip_frame(draft->clip, f), draft->q, cli_draft_pose_size(draft));
        // figures are even in time
        if (f == (int)round((double)figure * (STAGE_FRAMES - 1) / (STAGE_FIGURES - 1))) {
            tell_stage(walker, texts[figure], sizeof texts[figure]);
            captions[figure] = texts[figure];
            ++figure;
        }
        good = step_on(draft, walker, &ahead);
    }
    sinew_walker_destroy(walker);
    if (!good) { return false; }
    picture_Walk picture = picture_walk_default();
    picture.clip = draft->clip;
    picture.goals = picture.plants = true;
    picture.figure_count = STAGE_FIGURES;
    picture.height = 1040;
    picture.captions = captions;
    picture.layout = PICTURE_LAYOUT_CELLS;
    picture.toward_camera = sinew_vec3(-1.0, 0.22, 0.35);
    picture.title = "Both stages of the stride";
    picture.subtitle = "Green: where the striding foot lands; red: toes of the trailing foot, and "
                       "what is planted; "
                       "Meredith and Maddock (2004), figure 1.5";
    return cli_save_walk(&picture, path, &draft->message) == SINEW_STATUS_OK;
}

// Heels and tips of the toes over one cycle.
static bool draw_stage_lifts(cli_Draft *draft, const char *path)
{
    enum { POINTS = 4 };
    static const char *const labels[POINTS] = { "left heel", "left toes", "right heel",
        "right toes" };
    const sinew_Steering ahead = { 0.6, 0.0, 0.0 };
    sinew_Walker *walker = open_walker(draft, SINEW_WALK_ROWS_AUTO, 0.0);
    double time[CYCLE_FRAMES], heights[POINTS][CYCLE_FRAMES];
    bool good = walker != NULL && begin_cycle(draft, walker, &ahead);
    for (int f = 0; good && f < CYCLE_FRAMES; ++f) {
        time[f] = f * CLI_DRAFT_FRAME;
        const sinew_Transform *world = cli_draft_forward(draft, draft->q);
        for (int p = 0; p < POINTS; ++p) {
            const sinew_Sole *sole = sinew_walker_sole(walker, p / 2);
            const unsigned wanted = p % 2 == 0 ? SINEW_PLANTED_HEEL : SINEW_PLANTED_TOE;
            for (int k = 0; k < sole->point_count; ++k) {
                const sinew_SolePoint *point = &sole->points[k];
                if (point->is_edge || point->planted != wanted) { continue; }
                heights[p][f] = 1e3 * sinew_transform_point(world[point->joint], point->offset).y;
            }
        }
        good = step_on(draft, walker, &ahead);
    }
    sinew_walker_destroy(walker);
    if (!good) { return false; }
    picture_Series series[POINTS] = { { 0 } };
    for (int p = 0; p < POINTS; ++p) {
        series[p].label = labels[p];
        series[p].x = time;
        series[p].y = heights[p];
        series[p].count = CYCLE_FRAMES;
        series[p].dashed = p % 2 == 1;
    }
    picture_Plot plot = cli_draft_plot(
        "Feet over one cycle", "time (s)", "above the ground (mm)", series, POINTS);
    return cli_draft_write_plot(draft, &plot, path);
}

// ---------------------------------------------------------------------------------------------
// Figures 1.6 and 1.7: circles of a turn

enum { TURN_FRAMES = 1500, CIRCLE_POINTS = 121, MOST_PRINTS = 64 };

/// A turn to the left, seen from above: x to the right, y ahead, metres.
typedef struct Turn {
    double center[2], radius, half_width;
    double hips[2][TURN_FRAMES];      ///< their path
    double prints[2][2][MOST_PRINTS]; ///< where heels stand: of each leg x and y
    int print_counts[2];
    double first_heading;
} Turn;

// +X of the world is to the left of +Z
static void on_map(double x, double z, double out[2])
{
    out[0] = -x;
    out[1] = z;
}

static void note_prints(const sinew_Walker *walker, bool stood[2], Turn *turn)
{
    for (int leg = 0; leg < 2; ++leg) {
        sinew_WalkerLeg told = sinew_walker_leg(walker, leg);
        bool stands = (told.planted & SINEW_PLANTED_HEEL) != 0;
        if (stands && !stood[leg] && turn->print_counts[leg] < MOST_PRINTS) {
            double at[2];
            on_map(told.heel.x, told.heel.z, at);
            turn->prints[leg][0][turn->print_counts[leg]] = at[0];
            turn->prints[leg][1][turn->print_counts[leg]++] = at[1];
        }
        stood[leg] = stands;
    }
}

static bool walk_turn(cli_Draft *draft, Turn *turn)
{
    const sinew_Steering steering = { 0.5, 0.0, 0.5 };
    sinew_Walker *walker = open_walker(draft, SINEW_WALK_ROWS_AUTO, 0.0);
    bool stood[2] = { true, true }, good = walker != NULL && begin_cycle(draft, walker, &steering);
    if (good) {
        sinew_WalkerReport report = sinew_walker_report(walker);
        turn->radius = report.motion.forward / report.motion.turn;
        turn->first_heading = report.heading;
        const snw_GroundPose at = { report.root.x, report.root.z, report.heading };
        double x, z;
        snw_turn_center(&at, turn->radius, &x, &z);
        on_map(x, z, turn->center);
        // half of the way from hip joint to hip joint
        const sinew_Transform *world = cli_draft_forward(draft, draft->q);
        turn->half_width = 0.5
            * sinew_vec3_distance(world[sinew_walker_leg_def(walker, 0)->hip].position,
                world[sinew_walker_leg_def(walker, 1)->hip].position);
    }
    for (int f = 0; good && f < TURN_FRAMES; ++f) {
        sinew_Vec3 root = sinew_walker_report(walker).root;
        double at[2];
        on_map(root.x, root.z, at);
        turn->hips[0][f] = at[0];
        turn->hips[1][f] = at[1];
        note_prints(walker, stood, turn);
        good = step_on(draft, walker, &steering);
    }
    sinew_walker_destroy(walker);
    return good;
}

static void trace_circle(const Turn *turn, double radius, double *x, double *y)
{
    for (int i = 0; i < CIRCLE_POINTS; ++i) {
        double angle = 2.0 * SINEW_PI * i / (CIRCLE_POINTS - 1);
        x[i] = turn->center[0] + radius * sin(angle);
        y[i] = turn->center[1] + radius * cos(angle);
    }
}

static bool draw_turn_hips(cli_Draft *draft, const char *path)
{
    Turn *turn = calloc(1, sizeof *turn);
    bool good = turn != NULL && walk_turn(draft, turn);
    if (good) {
        // the turn to a place on it, from the hips at the start
        enum { PLACES = 6, SPOKES = 3 * PLACES };
        double x[PLACES], y[PLACES], spokes[2][SPOKES];
        char texts[PLACES][16];
        const char *names[PLACES];
        for (int i = 0; i < PLACES; ++i) {
            double swept = i * SINEW_PI / 3.0;
            const snw_GroundPose at = snw_turn_place(
                -turn->center[0], turn->center[1], turn->radius, turn->first_heading + swept);
            double place[2];
            on_map(at.x, at.z, place);
            x[i] = place[0];
            y[i] = place[1];
            snprintf(texts[i], sizeof texts[i], "θ %s%.0f°", i > 0 ? "+ " : "", 60.0 * i);
            names[i] = i > 0 ? texts[i] : "θ";
            for (int axis = 0; axis < 2; ++axis) {
                spokes[axis][3 * i] = turn->center[axis];
                spokes[axis][3 * i + 1] = place[axis];
                spokes[axis][3 * i + 2] = (double)NAN;
            }
        }
        static const char *const middle[] = { "C" };
        const picture_Series series[] = {
            { .label = "hips", .x = turn->hips[0], .y = turn->hips[1], .count = TURN_FRAMES },
            { .label = "places of eq. 1.16",
                .x = x,
                .y = y,
                .count = PLACES,
                .no_line = true,
                .dots = true,
                .names = names },
            { .label = "r", .x = spokes[0], .y = spokes[1], .count = SPOKES, .dashed = true },
            { .x = &turn->center[0],
                .y = &turn->center[1],
                .count = 1,
                .dots = true,
                .names = middle },
        };
        picture_Plot plot = cli_draft_plot(
            "The hips' circle of a turn", "to the right (m)", "ahead (m)", series, 4);
        plot.is_map = true;
        plot.height = 820;
        good = cli_draft_write_plot(draft, &plot, path);
    }
    free(turn);
    return good;
}

static bool draw_turn_heels(cli_Draft *draft, const char *path)
{
    Turn *turn = calloc(1, sizeof *turn);
    bool good = turn != NULL && walk_turn(draft, turn);
    if (good) {
        double circles[3][2][CIRCLE_POINTS];
        for (int i = 0; i < 3; ++i) {
            trace_circle(
                turn, turn->radius + (i - 1) * turn->half_width, circles[i][0], circles[i][1]);
        }
        // names stand at one point of each circle, where there is room
        static const char *const middle[] = { "C" };
        const char *inner[CIRCLE_POINTS] = { [CIRCLE_POINTS * 5 / 8] = "r - w" };
        const char *hips[CIRCLE_POINTS] = { [CIRCLE_POINTS / 4] = "r" };
        const char *outer[CIRCLE_POINTS] = { [CIRCLE_POINTS / 8] = "r + w" };
        const picture_Series series[] = {
            { .x = circles[0][0], .y = circles[0][1], .count = CIRCLE_POINTS, .names = inner },
            { .x = circles[2][0], .y = circles[2][1], .count = CIRCLE_POINTS, .names = outer },
            { .label = "hips",
                .x = circles[1][0],
                .y = circles[1][1],
                .count = CIRCLE_POINTS,
                .dashed = true,
                .names = hips },
            { .label = "left heel",
                .x = turn->prints[0][0],
                .y = turn->prints[0][1],
                .count = turn->print_counts[0],
                .no_line = true,
                .dots = true },
            { .label = "right heel",
                .x = turn->prints[1][0],
                .y = turn->prints[1][1],
                .count = turn->print_counts[1],
                .no_line = true,
                .dots = true },
            { .x = &turn->center[0],
                .y = &turn->center[1],
                .count = 1,
                .dots = true,
                .names = middle },
        };
        picture_Plot plot = cli_draft_plot(
            "The heels' circles of a turn", "to the right (m)", "ahead (m)", series, 6);
        plot.is_map = true;
        plot.height = 820;
        good = cli_draft_write_plot(draft, &plot, path);
    }
    free(turn);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Other Motion Details: joint weights

enum { REACHES = 4, CHARACTERS = 2 };

/// Let trunk and hips of the second character turn a hundredth as readily as all else.
static bool weigh(const cli_Draft *draft, sinew_Solver *solver, double *mobility)
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
static bool fill_weights(cli_Draft *draft, sinew_Solver *solver, double *mobility)
{
    static const char *const planted[] = { "LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase" };
    double *q = draft->q;
    sinew_pose_rest(draft->skeleton, q);
    const sinew_Transform *world = cli_draft_forward(draft, q);
    sinew_Goal goals[5];
    for (int i = 0; i < 4; ++i) {
        int joint = sinew_skeleton_find_joint(draft->skeleton, planted[i]);
        goals[i] = sinew_goal_position(joint, world[joint].position);
        goals[i].position_weight = 4.0;
    }
    const int hand = sinew_skeleton_find_joint(draft->skeleton, "RightHand");
    const sinew_Vec3 from = sinew_vec3_add(world[hand].position, sinew_vec3(0.0, 0.05, 0.15));
    const sinew_Vec3 low = sinew_vec3(-0.15, 0.45, 0.40);
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
            memcpy(sinew_clip_frame(draft->clip, frame), q, cli_draft_pose_size(draft));
        }
    }
    return good;
}

static bool draw_weights(cli_Draft *draft, const char *path)
{
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = draft->skeleton;
    double *mobility = malloc(
        (size_t)sinew_skeleton_axis_count(draft->skeleton) * sizeof *mobility);
    bool good = mobility != NULL && cli_draft_targets(draft, 1)
        && sinew_solver_create(&def, &solver, &draft->message) == SINEW_STATUS_OK
        && fill_weights(draft, solver, mobility);
    sinew_solver_destroy(solver);
    free(mobility);
    if (!good) { return false; }
    static const char *const captions[CHARACTERS * REACHES] = { "all joints alike", "", "", "",
        "a heavy trunk", "", "", "" };
    picture_Sheet sheet = cli_draft_cells(
        "Above: all joints alike. Below: trunk and hips turn a hundredth as readily",
        "The same reach with other joint weights; Meredith and Maddock (2004), "
        "Other Motion Details",
        CHARACTERS * REACHES);
    sheet.captions = captions;
    sheet.view.toward_camera = sinew_vec3(1.0, 0.1, 0.3);
    return cli_draft_write(draft, &sheet, path);
}

// ---------------------------------------------------------------------------------------------
// Other Motion Details: the trailing heel

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
static bool walk_heel(cli_Draft *draft, double weight, Heel *heel)
{
    const sinew_Steering ahead = { 0.6, 0.0, 0.0 };
    sinew_Walker *walker = open_walker(draft, SINEW_WALK_ROWS_HALF, weight);
    bool good = walker != NULL;
    for (int f = 0; good && f < HEEL_FRAMES; ++f) {
        good = step_on(draft, walker, &ahead);
        if (!good || f < HEEL_FIRST) { continue; }
        look_at_heel(walker, cli_draft_forward(draft, draft->q), heel);
    }
    sinew_walker_destroy(walker);
    for (int b = 0; b < HEEL_BINS; ++b) {
        heel->share[b] = 100.0 * b / (HEEL_BINS - 1);
        heel->height[b] = heel->count[b] > 0 ? heel->height[b] / heel->count[b] : (double)NAN;
    }
    return good;
}

static bool draw_heel(cli_Draft *draft, const char *path)
{
    static const double weights[HEEL_WEIGHTS] = { 1.0, 2.0, 4.0, 16.0 };
    static const char *const labels[HEEL_WEIGHTS] = { "1 (none)", "2", "4 (default)", "16" };
    Heel heels[HEEL_WEIGHTS];
    picture_Series series[HEEL_WEIGHTS];
    memset(heels, 0, sizeof heels);
    memset(series, 0, sizeof series);
    for (int i = 0; i < HEEL_WEIGHTS; ++i) {
        if (!walk_heel(draft, weights[i], &heels[i])) { return false; }
        series[i].label = labels[i];
        series[i].x = heels[i].share;
        series[i].y = heels[i].height;
        series[i].count = HEEL_BINS;
    }
    picture_Plot plot = cli_draft_plot("Trailing heel by weight of thigh and shank",
        "share of the other foot's stride (%)", "heel above the ground (mm)", series, HEEL_WEIGHTS);
    plot.y_scale = PICTURE_SCALE_LINEAR;
    return cli_draft_write_plot(draft, &plot, path);
}

const cli_Figure cli_figures_meredith[] = {
    { "meredith-2004-1.2", "flops of inverses by size", NULL, 0, draw_flops },
    { "meredith-2004-1.3", "the knee ring", "LEG", RING_FRAMES, draw_ring },
    { "meredith-2004-1.4", "the lift curve", NULL, 0, draw_lift },
    { "meredith-2004-1.5", "both stages of the stride", "MAN18", STAGE_FRAMES, draw_stages },
    { "meredith-2004-1.5-lifts", "heels and toes over that cycle", "MAN18", 1, draw_stage_lifts },
    { "meredith-2004-1.6", "the hips' circle of a turn", "MAN18", 1, draw_turn_hips },
    { "meredith-2004-1.7", "the heels' circles", "MAN18", 1, draw_turn_heels },
    { "meredith-2004-weights", "one reach with two sets of joint weights", "MAN18",
        CHARACTERS *REACHES, draw_weights },
    { "meredith-2004-heel", "the trailing heel with and without weights", "MAN18", 1, draw_heel },
    { NULL, NULL, NULL, 0, NULL },
};
