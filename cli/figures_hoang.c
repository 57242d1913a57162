// Figures of Hoang (2014).

#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 241 };

// The places that a scene's own motion has at a frame, or a share of the way there from where its effectors
// are at rest: these are to follow them.
static int read_goals(cli_Draft *draft, int frame, double share, sinew_Goal *out_goals)
{
    sinew_Vec3 rest[SCENE_MAX_EFFECTORS];
    for (int pass = 0; pass < 2; ++pass) {
        sinew_pose_rest(draft->skeleton, draft->q);
        if (pass == 1) { scene_pose_at(draft->scene, frame * CLI_DRAFT_FRAME, draft->q); }
        const sinew_Transform *world = cli_draft_forward(draft, draft->q);
        for (int e = 0; e < draft->target_count; ++e) {
            int joint = draft->scene->effectors[e].joint;
            if (pass == 0) {
                rest[e] = world[joint].position;
                continue;
            }
            sinew_Vec3 place = sinew_vec3_lerp(rest[e], world[joint].position, share);
            out_goals[e] = sinew_goal_position(joint, place);
            draft->targets[frame * draft->target_count + e] = place;
        }
    }
    return draft->target_count;
}

static bool draw_following(
    cli_Draft *draft, const char *path, const char *title, const char *source)
{
    const int count = draft->scene->effector_count;
    sinew_Tracker *tracker = NULL;
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = draft->skeleton;
    def.max_goals = count;
    bool good = cli_draft_targets(draft, count)
        && sinew_tracker_create(&def, &tracker, &draft->message) == SINEW_STATUS_OK;
    for (int f = 0; good && f < FRAMES; ++f) {
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        int goal_count = read_goals(draft, f, 1.0, goals);
        good = sinew_tracker_update(tracker, goals, goal_count, sinew_clip_frame(draft->clip, f),
                   NULL, &draft->message)
            == SINEW_STATUS_OK;
    }
    sinew_tracker_destroy(tracker);
    if (!good) { return false; }
    picture_Sheet sheet = cli_draft_cells(title, source, 6);
    sheet.trail_count = -1;
    return cli_draft_write(draft, &sheet, path);
}

static bool draw_body(cli_Draft *draft, const char *path)
{
    return draw_following(
        draft, path, "Two moving targets, joints of all kinds", "Hoang (2014), figure 1");
}

static bool draw_hand(cli_Draft *draft, const char *path)
{
    return draw_following(draft, path, "A hand follows 20 targets", "Hoang (2014), figure 2");
}

// ---------------------------------------------------------------------------------------------
// Figure 3: the centre of mass over a point

// of the scene's motion, whose targets are far: with the centre of mass held the hands come nowhere near them
#define BALANCE_SHARE 0.3

// how far the centre of mass is from over a point, metres
static double off_center(cli_Draft *draft, const double *q, sinew_Vec3 point)
{
    sinew_Vec3 center = sinew_pose_center_of_mass(draft->skeleton, cli_draft_forward(draft, q));
    return hypot(center.x - point.x, center.z - point.z);
}

// Follow the two targets with the centre of mass held over a point of the ground. Told are the largest
// distance from it and from a target.
static bool fill_balance(
    cli_Draft *draft, sinew_Solver *solver, sinew_Vec3 point, double *out_off, double *out_error)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.max_iterations = options.min_iterations = 5;
    // at first it comes to its targets
    enum { SETTLING = 60 };
    bool good = true;
    for (int step = -SETTLING; good && step < FRAMES; ++step) {
        const int f = step < 0 ? 0 : step;
        sinew_Goal goals[SCENE_MAX_EFFECTORS + 1];
        int count = read_goals(draft, f, BALANCE_SHARE, goals);
        goals[count] = sinew_goal_center_of_mass(point);
        goals[count].constraint = true;
        double *q = sinew_clip_frame(draft->clip, f);
        if (step == -SETTLING) { sinew_pose_rest(draft->skeleton, q); }
        if (f > 0) { memcpy(q, sinew_clip_frame(draft->clip, f - 1), cli_draft_pose_size(draft)); }
        sinew_Report report;
        good = sinew_solver_solve(solver, &options, goals, count + 1, q, &report, &draft->message)
            == SINEW_STATUS_OK;
        if (step < 0) { continue; }
        *out_off = fmax(*out_off, off_center(draft, q, point));
        for (int e = 0; e < count; ++e) {
            *out_error = fmax(*out_error,
                sinew_vec3_distance(draft->world[goals[e].joint].position, goals[e].position));
        }
    }
    return good;
}

static bool draw_balance(cli_Draft *draft, const char *path)
{
    // of the sphere on the floor, metres
    const double size = 0.09;
    const int count = draft->scene->effector_count;
    sinew_Solver *solver = NULL;
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = draft->skeleton;
    def.max_goals = count + 1;
    sinew_pose_rest(draft->skeleton, draft->q);
    sinew_Vec3 point = sinew_pose_center_of_mass(
        draft->skeleton, cli_draft_forward(draft, draft->q));
    double off = 0.0, error = 0.0;
    bool good = cli_draft_targets(draft, count)
        && sinew_solver_create(&def, &solver, &draft->message) == SINEW_STATUS_OK
        && fill_balance(draft, solver, point, &off, &error);
    sinew_solver_destroy(solver);
    if (!good) { return false; }
    // the sphere, a line upright over it, and a post for the body, which hangs in the world
    const sinew_Vec3 root = cli_draft_forward(draft, draft->q)[0].position;
    const picture_Thing things[] = {
        { PICTURE_THING_BALL, PICTURE_THING_GREEN, { point.x, 0.5 * size, point.z },
            { size, size, size } },
        { PICTURE_THING_TUBE, PICTURE_THING_GREEN, { point.x, 0.5 * point.y, point.z },
            { 0.008, point.y, 0.008 } },
        { PICTURE_THING_TUBE, PICTURE_THING_GREY, { root.x, 0.5 * root.y, root.z },
            { 0.03, root.y, 0.03 } },
    };
    char subtitle[200];
    snprintf(subtitle, sizeof subtitle,
        "The centre of mass is off the green sphere by %.1f mm at most, hands off their targets by "
        "%.1f mm; "
        "Hoang (2014), figure 3",
        1e3 * off, 1e3 * error);
    picture_Sheet sheet = cli_draft_cells(
        "Two moving targets, the centre of mass held over a point", subtitle, 6);
    sheet.trail_count = -1;
    sheet.things = things;
    sheet.thing_count = (int)(sizeof things / sizeof things[0]);
    sheet.view.floor = PICTURE_FLOOR_ON;
    return cli_draft_write(draft, &sheet, path);
}

const cli_Figure cli_figures_hoang[] = {
    { "hoang-2014-1", "a body with two targets", "BODY11", FRAMES, draw_body },
    { "hoang-2014-2", "a hand with 20 targets", "HAND", FRAMES, draw_hand },
    { "hoang-2014-3", "that body with its centre of mass over a point", "BODY11", FRAMES,
        draw_balance },
    { NULL, NULL, NULL, 0, NULL },
};
