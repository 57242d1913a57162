// Figures of Bhatti et al. (2013), on FK and IK of one chain.

#include "figures.h"

#include <math.h>
#include <string.h>

// the left arm of MAN18 and a switch of it
static sinew_Switch *open_arm(cli_Draft *draft, sinew_SwitchLimb *out_arm)
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

static double *frame(const cli_Draft *draft, int f)
{
    return sinew_clip_frame(draft->clip, f);
}

static sinew_Transform tip_of(cli_Draft *draft, const sinew_SwitchLimb *arm, const double *q)
{
    return cli_draft_forward(draft, q)[arm->tip];
}

static sinew_Transform between(sinew_Transform a, sinew_Transform b, double t)
{
    sinew_Transform r = { sinew_vec3_lerp(a.position, b.position, t),
        sinew_quat_slerp(a.rotation, b.rotation, t) };
    return r;
}

// Pose the arm in IK over all frames, its handle on a straight way from the first frame to the last, whose
// poses are there already.
static bool follow_handle(cli_Draft *draft, sinew_Switch *sw, const sinew_SwitchLimb *arm)
{
    const int last = sinew_clip_frame_count(draft->clip) - 1;
    const sinew_Transform from = tip_of(draft, arm, frame(draft, 0));
    const sinew_Transform to = tip_of(draft, arm, frame(draft, last));
    (void)sinew_switch_reset(sw, frame(draft, 0), NULL);
    (void)sinew_switch_enable_ik(sw, 0, true, NULL);
    bool good = true;
    for (int f = 0; good && f <= last; ++f) {
        sinew_Handle handle;
        (void)sinew_switch_handle(sw, 0, &handle, NULL);
        handle.place = between(from, to, (double)f / last);
        (void)sinew_switch_set_handle(sw, 0, &handle, NULL);
        good = sinew_switch_update(sw, CLI_DRAFT_FRAME, NULL, &draft->message) == SINEW_STATUS_OK;
        memcpy(frame(draft, f), sinew_switch_pose(sw), cli_draft_pose_size(draft));
        if (draft->targets != NULL) { draft->targets[f] = handle.place.position; }
    }
    return good;
}

// ---------------------------------------------------------------------------------------------
// Figures 1 and 2: to a glass on a table, by FK and by IK

enum { GLASS_STEPS = 3, STEP_FRAMES = 30, GLASS_FRAMES = GLASS_STEPS * STEP_FRAMES + 1 };

// of the table's top, where the glass stands on it, and how high it is; metres
#define TABLE_TOP 0.96
#define GLASS_X 0.29
#define GLASS_Z 0.49
#define GLASS_HEIGHT 0.13

static const picture_Thing glass_and_table[] = {
    { PICTURE_THING_BOX, PICTURE_THING_GREY, { GLASS_X, TABLE_TOP - 0.015, GLASS_Z + 0.12 },
        { 0.40, 0.03, 0.44 } },
    { PICTURE_THING_TUBE, PICTURE_THING_GREY, { GLASS_X, 0.5 * (TABLE_TOP - 0.03), GLASS_Z + 0.12 },
        { 0.05, TABLE_TOP - 0.03, 0.05 } },
    { PICTURE_THING_TUBE, PICTURE_THING_GREY, { GLASS_X, 0.01, GLASS_Z + 0.12 },
        { 0.34, 0.02, 0.34 } },
    { PICTURE_THING_TUBE, PICTURE_THING_YELLOW,
        { GLASS_X, TABLE_TOP + 0.5 * GLASS_HEIGHT, GLASS_Z }, { 0.075, GLASS_HEIGHT, 0.075 } },
};

// the arm at the glass: the hand beside it, fingers ahead
static bool find_grasp(cli_Draft *draft, const sinew_SwitchLimb *arm, double *q)
{
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = draft->skeleton;
    if (sinew_solver_create(&def, &solver, &draft->message) != SINEW_STATUS_OK) { return false; }
    sinew_Goal goals[2] = {
        sinew_goal_position(
            arm->tip, sinew_vec3(GLASS_X + 0.005, TABLE_TOP + 0.07, GLASS_Z - 0.13)),
        sinew_goal_direction(arm->tip, sinew_vec3(0.0, -1.0, 0.0),
            sinew_vec3_normalize_or(sinew_vec3(0.05, -0.1, 1.0), sinew_vec3(0.0, 0.0, 1.0))),
    };
    goals[0].chain_root = goals[1].chain_root = arm->root;
    goals[1].orientation_weight = 0.3;
    sinew_pose_rest(draft->skeleton, q);
    const sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    sinew_Report report;
    bool good = sinew_solver_solve(solver, &options, goals, 2, q, &report, &draft->message)
        == SINEW_STATUS_OK;
    sinew_solver_destroy(solver);
    return good;
}

// the hand before the shoulder, from where it comes down onto the table
static void raise_hand(const cli_Draft *draft, const sinew_SwitchLimb *arm, double *q)
{
    sinew_pose_rest(draft->skeleton, q);
    q[sinew_skeleton_joints(draft->skeleton)[arm->middle].coordinate_start] = -2.2;
}

// In FK joint after joint is turned to where the glass needs it, as the last frame has them: shoulder, elbow,
// hand.
static void turn_joints(cli_Draft *draft, const sinew_SwitchLimb *arm)
{
    const sinew_Joint *joints = sinew_skeleton_joints(draft->skeleton);
    const int turned[GLASS_STEPS] = { arm->root, arm->middle, arm->tip };
    const double *grasp = frame(draft, GLASS_FRAMES - 1);
    raise_hand(draft, arm, draft->q);
    memcpy(frame(draft, 0), draft->q, cli_draft_pose_size(draft));
    for (int f = 1; f < GLASS_FRAMES - 1; ++f) {
        const sinew_Joint *joint = &joints[turned[(f - 1) / STEP_FRAMES]];
        double *q = frame(draft, f);
        memcpy(q, frame(draft, f - 1), cli_draft_pose_size(draft));
        for (int k = 0; k < joint->coordinate_count; ++k) {
            const int c = joint->coordinate_start + k;
            q[c] += (grasp[c] - draft->q[c]) / STEP_FRAMES;
        }
    }
}

static bool draw_glass(cli_Draft *draft, const char *path, bool ik)
{
    static const char *const joints[] = { "at first", "the shoulder is turned", "the elbow",
        "and the hand" };
    static const char *const handle[] = { "at first", "a third of the way", "two thirds",
        "at the glass" };
    sinew_SwitchLimb arm;
    sinew_Switch *sw = open_arm(draft, &arm);
    bool good = sw != NULL && (!ik || cli_draft_targets(draft, 1))
        && find_grasp(draft, &arm, frame(draft, GLASS_FRAMES - 1));
    if (good && ik) {
        raise_hand(draft, &arm, frame(draft, 0));
        good = follow_handle(draft, sw, &arm);
    } else if (good) {
        turn_joints(draft, &arm);
    }
    sinew_switch_destroy(sw);
    if (!good) { return false; }
    picture_Sheet sheet = cli_draft_cells(ik
            ? "IK: the handle is taken to the glass, the arm follows"
            : "FK: joint after joint, until the hand is at the glass",
        ik ? "One curve to key; Bhatti et al. (2013), figure 2"
           : "Seven angles to find; Bhatti et al. (2013), figure 1",
        GLASS_STEPS + 1);
    sheet.captions = ik ? handle : joints;
    sheet.trail_joints = &arm.tip;
    sheet.trail_count = 1;
    sheet.whole_trails = true;
    sheet.things = glass_and_table;
    sheet.thing_count = (int)(sizeof glass_and_table / sizeof glass_and_table[0]);
    sheet.view.toward_camera = sinew_vec3(1.0, 0.22, 0.45);
    return cli_draft_write(draft, &sheet, path);
}

static bool draw_glass_fk(cli_Draft *draft, const char *path)
{
    return draw_glass(draft, path, false);
}

static bool draw_glass_ik(cli_Draft *draft, const char *path)
{
    return draw_glass(draft, path, true);
}

// ---------------------------------------------------------------------------------------------
// Figure 7: an arc in FK, a line in IK

enum { PATH_FRAMES = 61 };

// Two poses of the arm, the elbow bent and the shoulder lifted, and the way between them.
static bool fill_path(cli_Draft *draft, bool ik, int *out_hand)
{
    sinew_SwitchLimb arm;
    sinew_Switch *sw = open_arm(draft, &arm);
    if (sw == NULL) { return false; }
    const sinew_Joint *joints = sinew_skeleton_joints(draft->skeleton);
    double *from = frame(draft, 0), *to = frame(draft, PATH_FRAMES - 1);
    sinew_pose_rest(draft->skeleton, from);
    from[joints[arm.middle].coordinate_start] = -0.5;
    memcpy(to, from, cli_draft_pose_size(draft));
    to[joints[arm.middle].coordinate_start] = -0.9;
    to[joints[arm.root].coordinate_start] -= 1.2;
    for (int f = 1; f < PATH_FRAMES - 1; ++f) {
        sinew_pose_interpolate(
            draft->skeleton, from, to, (double)f / (PATH_FRAMES - 1), frame(draft, f));
    }
    bool good = !ik || follow_handle(draft, sw, &arm);
    sinew_switch_destroy(sw);
    *out_hand = arm.tip;
    return good;
}

static bool draw_way(cli_Draft *draft, const char *path, bool ik)
{
    int hand;
    if (!fill_path(draft, ik, &hand)) { return false; }
    picture_Sheet sheet = cli_draft_cells(ik
            ? "IK: the handle goes straight, and so does the hand"
            : "FK: joints turn evenly, and the hand goes along an arc",
        "The same two poses of the arm; Bhatti et al. (2013), figure 7", 5);
    sheet.trail_joints = &hand;
    sheet.trail_count = 1;
    sheet.whole_trails = true;
    sheet.view.toward_camera = sinew_vec3(1.0, 0.1, 0.25);
    return cli_draft_write(draft, &sheet, path);
}

static bool draw_way_fk(cli_Draft *draft, const char *path)
{
    return draw_way(draft, path, false);
}

static bool draw_way_ik(cli_Draft *draft, const char *path)
{
    return draw_way(draft, path, true);
}

static bool draw_ways(cli_Draft *draft, const char *path)
{
    double x[2][PATH_FRAMES], y[2][PATH_FRAMES];
    for (int ik = 0; ik < 2; ++ik) {
        int hand;
        if (!fill_path(draft, ik == 1, &hand)) { return false; }
        for (int f = 0; f < PATH_FRAMES; ++f) {
            sinew_Vec3 at = cli_draft_forward(draft, frame(draft, f))[hand].position;
            x[ik][f] = at.z;
            y[ik][f] = at.y;
        }
    }
    const picture_Series series[] = {
        { .label = "FK: joints turn evenly",
            .x = x[0],
            .y = y[0],
            .count = PATH_FRAMES,
            .dots = true },
        { .label = "IK: the handle goes evenly",
            .x = x[1],
            .y = y[1],
            .count = PATH_FRAMES,
            .dots = true },
    };
    picture_Plot plot = cli_draft_plot("Paths of a hand", "ahead (m)", "up (m)", series, 2);
    plot.x_scale = plot.y_scale = PICTURE_SCALE_LINEAR;
    plot.y_from_zero = false;
    return cli_draft_write_plot(draft, &plot, path);
}

// ---------------------------------------------------------------------------------------------
// Figure 8: the loop of the matching

enum { ALPHAS = 4, ITERATIONS = 30 };

// One loop of the pseudo-inverse, alpha of each step taken: how far the end is from its goal, before it and
// after each iteration; millimetres.
static bool run_loop(cli_Draft *draft, sinew_Solver *solver, double alpha, double *out_distance)
{
    const int grip = draft->scene->effectors[0].joint;
    double *q = draft->q;
    scene_pose_at(draft->scene, 2.0, q);
    const sinew_Goal goal = sinew_goal_position(grip, cli_draft_forward(draft, q)[grip].position);
    scene_pose_at(draft->scene, 0.0, q);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    options.step_scale = alpha;
    options.max_halvings = 0;
    options.max_iterations = options.min_iterations = ITERATIONS;
    double trace[ITERATIONS];
    for (int i = 0; i < ITERATIONS; ++i) { trace[i] = (double)NAN; }
    out_distance[0] = 1e3
        * sinew_vec3_distance(cli_draft_forward(draft, q)[grip].position, goal.position);
    sinew_solver_set_trace(solver, trace, ITERATIONS);
    sinew_Report report;
    bool good = sinew_solver_solve(solver, &options, &goal, 1, q, &report, &draft->message)
        == SINEW_STATUS_OK;
    sinew_solver_set_trace(solver, NULL, 0);
    for (int i = 0; i < ITERATIONS; ++i) {
        // what is nearer than a micrometre has arrived
        out_distance[i + 1] = trace[i] >= 1e-6 ? 1e3 * trace[i] : (double)NAN;
    }
    return good;
}

static bool draw_loop(cli_Draft *draft, const char *path)
{
    static const double alphas[ALPHAS] = { 1.0, 0.5, 0.25, 0.1 };
    static const char *const labels[ALPHAS] = { "α = 1", "0.5", "0.25", "0.1" };
    double distance[ALPHAS][ITERATIONS + 1];
    picture_Series series[ALPHAS];
    memset(series, 0, sizeof series);
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = draft->skeleton;
    bool good = sinew_solver_create(&def, &solver, &draft->message) == SINEW_STATUS_OK;
    for (int i = 0; good && i < ALPHAS; ++i) {
        good = run_loop(draft, solver, alphas[i], distance[i]);
        series[i].label = labels[i];
        series[i].y = distance[i];
        series[i].count = ITERATIONS + 1;
        series[i].dots = true;
    }
    sinew_solver_destroy(solver);
    if (!good) { return false; }
    picture_Plot plot = cli_draft_plot(
        "The loop that matches FK to IK", "iterations", "‖g - e‖ (mm)", series, ALPHAS);
    plot.y_scale = PICTURE_SCALE_LOG;
    return cli_draft_write_plot(draft, &plot, path);
}

// ---------------------------------------------------------------------------------------------
// Figure 9: switching

enum { STAGES = 7 };

// A rest, B IK is enabled, C the handle is moved, D IK is disabled, E the joints are turned, F IK is enabled again, G it goes on
static bool fill_stages(cli_Draft *draft)
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
            (void)sinew_switch_update(sw, CLI_DRAFT_FRAME, NULL, NULL);
        }
        memcpy(frame(draft, stage), sinew_switch_pose(sw), cli_draft_pose_size(draft));
        (void)sinew_switch_handle(sw, 0, &handle, NULL);
        draft->targets[stage] = handle.place.position;
    }
    sinew_switch_destroy(sw);
    return true;
}

static bool draw_switching(cli_Draft *draft, const char *path)
{
    static const char *const captions[STAGES] = { "A: rest", "B: IK on", "C: handle moved",
        "D: IK off", "E: shoulder turned", "F: IK on", "G: handle moved" };
    if (!cli_draft_targets(draft, 1) || !fill_stages(draft)) { return false; }
    picture_Sheet sheet = cli_draft_cells("One chain, switched between FK and IK",
        "No pop between A and B, C and D, E and F; Bhatti et al. (2013), figure 9", STAGES);
    sheet.captions = captions;
    sheet.view.toward_camera = sinew_vec3(0.8, 0.15, 0.6);
    return cli_draft_write(draft, &sheet, path);
}

const cli_Figure cli_figures_bhatti[] = {
    { "bhatti-2013-1", "to a glass by FK, joint after joint", "MAN18", GLASS_FRAMES,
        draw_glass_fk },
    { "bhatti-2013-2", "to a glass by IK", "MAN18", GLASS_FRAMES, draw_glass_ik },
    { "bhatti-2013-7", "paths of the hand in FK and IK", "MAN18", PATH_FRAMES, draw_ways },
    { "bhatti-2013-7-fk", "the arm on that way in FK", "MAN18", PATH_FRAMES, draw_way_fk },
    { "bhatti-2013-7-ik", "the arm on that way in IK", "MAN18", PATH_FRAMES, draw_way_ik },
    { "bhatti-2013-8", "the loop of the matching for four alpha", "ARM", 1, draw_loop },
    { "bhatti-2013-9", "switching, A to G", "MAN18", STAGES, draw_switching },
    { NULL, NULL, NULL, 0, NULL },
};
