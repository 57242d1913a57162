#include "bench/following_paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The frame in which lifted feet are lifted, behind those that no step is counted of, and next to one that
// errors are taken from: knees that turn by 0.3 rad a frame need three frames.
enum { LIFT_FRAME = 11 };

// ---------------------------------------------------------------------------------------------
// Cases

#define LEG(side, path)                              \
    {                                                \
        side "Foot", side "UpLeg", true, false, path \
    }
#define PLANTED(side)                                            \
    {                                                            \
        side "Foot", side "UpLeg", false, true, BENCH_PATH_STILL \
    }
#define STRAIGHT(body, kind)                                                       \
    { "straight legs, " kind ": both feet 5 cm up", body,                          \
        { LEG("Left", BENCH_PATH_LIFT), LEG("Right", BENCH_PATH_LIFT) } },         \
        { "straight legs, " kind ": squats", body,                                 \
            { { "Hips", "LeftUpLeg", false, false, BENCH_PATH_SQUAT },             \
                { "LeftFoot", "LeftUpLeg", false, false, BENCH_PATH_STILL },       \
                { "RightFoot", "RightUpLeg", false, false, BENCH_PATH_STILL } } }, \
    {                                                                              \
        "straight legs, " kind ": steps", body,                                    \
        {                                                                          \
            LEG("Left", BENCH_PATH_STEP), LEG("Right", BENCH_PATH_STEP_OFF)        \
        }                                                                          \
    }
#define ARM(title, path)                                 \
    {                                                    \
        "arm alone, " title, BENCH_MAN18,                \
        {                                                \
            {                                            \
                "LeftHand", "LeftArm", true, false, path \
            }                                            \
        }                                                \
    }
#define BODY(title, path)                                                                    \
    {                                                                                        \
        "body, " title, BENCH_MAN18,                                                         \
        {                                                                                    \
            { "LeftHand", "LeftArm", false, false, path }, PLANTED("Left"), PLANTED("Right") \
        }                                                                                    \
    }
#define CIRCLES(LIMB)                                                                         \
    LIMB("frontal circle", BENCH_PATH_FRONTAL), LIMB("sagittal circle", BENCH_PATH_SAGITTAL), \
        LIMB("circle through the shoulder", BENCH_PATH_THROUGH),                              \
        LIMB("circle across", BENCH_PATH_ACROSS), LIMB("grazing circle", BENCH_PATH_GRAZING), \
        LIMB("circle of 1.3 L", BENCH_PATH_WIDE), LIMB("circle of 2.5 L", BENCH_PATH_FAR),    \
        LIMB("straight in and out", BENCH_PATH_STRAIGHT),                                     \
        LIMB("in and out to 2.7 L", BENCH_PATH_IN_OUT)

static const bench_Case cases[] = {
    STRAIGHT(BENCH_STRAIGHT_HINGES, "hinges"),
    STRAIGHT(BENCH_STRAIGHT_BALLS, "balls"),
    CIRCLES(ARM),
    CIRCLES(BODY),
    { "a hand leaves its reach, 4 goals", BENCH_MAN18,
        { { "LeftHand", "LeftArm", true, false, BENCH_PATH_STRAIGHT },
            { "RightHand", "RightArm", true, false, BENCH_PATH_STILL },
            { "LeftFoot", "LeftUpLeg", true, false, BENCH_PATH_STILL },
            { "RightFoot", "RightUpLeg", true, false, BENCH_PATH_STILL } } },
    { "two hands pulled apart", BENCH_MAN18,
        { { "LeftHand", "LeftArm", false, false, BENCH_PATH_APART },
            { "RightHand", "RightArm", false, false, BENCH_PATH_APART }, PLANTED("Left"),
            PLANTED("Right") } },
    { "centre of mass outside, and a hand", BENCH_MAN18,
        { { NULL, "Hips", false, false, BENCH_PATH_OUTSIDE },
            { "LeftHand", "LeftArm", false, false, BENCH_PATH_FRONTAL }, PLANTED("Left"),
            PLANTED("Right") } },
    { "body, elbow on a circle of 1.3 L", BENCH_MAN18,
        { { "LeftForeArm", "LeftArm", false, false, BENCH_PATH_WIDE }, PLANTED("Left"),
            PLANTED("Right") } },
    { "body, both hands on Lissajous paths", BENCH_MAN18,
        { { "LeftHand", "LeftArm", false, false, BENCH_PATH_LISSAJOUS },
            { "RightHand", "RightArm", false, false, BENCH_PATH_LISSAJOUS_OFF }, PLANTED("Left"),
            PLANTED("Right") } },
    { "11-joint body, both hands on Lissajous paths", BENCH_BODY11,
        { { "LeftHand", "LeftShoulder", false, false, BENCH_PATH_LISSAJOUS },
            { "RightHand", "RightShoulder", false, false, BENCH_PATH_LISSAJOUS_OFF } } },
};

int bench_case_count(void)
{
    return (int)(sizeof cases / sizeof cases[0]);
}

const bench_Case *bench_case(int index)
{
    return &cases[index];
}

// ---------------------------------------------------------------------------------------------
// Paths

/// Where a goal is. start, home: limb's start and effector at rest; l: the limb's length; side: 1 on
/// the left, -1 on the right.
static sinew_Vec3 place_on_path(
    bench_Path path, double turns, sinew_Vec3 start, sinew_Vec3 home, double l, double side)
{
    double s = sin(2.0 * SINEW_PI * turns), c = cos(2.0 * SINEW_PI * turns);
    double way = 0.5 - 0.5 * c; // 0 at whole turns, 1 between
    sinew_Vec3 from = start;
    double x = 0.0, y = 0.0, z = 0.0;
    switch (path) {
    case BENCH_PATH_STILL: from = home; break;
    case BENCH_PATH_LIFT:
        from = home;
        y = 0.05 / l;
        break;
    case BENCH_PATH_SQUAT:
        from = home;
        y = -0.5 * way;
        break;
    case BENCH_PATH_STEP:
        from = home;
        y = 0.25 * fmax(0.0, s) * fmax(0.0, s);
        break;
    case BENCH_PATH_STEP_OFF:
        from = home;
        y = 0.25 * fmin(0.0, s) * fmin(0.0, s);
        break;
    case BENCH_PATH_FRONTAL: x = 0.4 * side * s, y = 0.4 * c, z = 0.6; break;
    case BENCH_PATH_SAGITTAL: x = 0.3 * side, y = -0.7 * c, z = 0.7 * s; break;
    case BENCH_PATH_THROUGH: y = 0.5 * s, z = 0.5 - 0.5 * c; break;
    case BENCH_PATH_ACROSS: x = side * (-0.5 + 0.6 * c), y = -0.1, z = 0.3 + 0.6 * s; break;
    case BENCH_PATH_GRAZING: y = 0.6 * s, z = 0.4 + 0.6 * c; break;
    case BENCH_PATH_WIDE: y = -1.3 * c, z = 1.3 * s; break;
    case BENCH_PATH_FAR: y = -2.5 * c, z = 2.5 * s; break;
    case BENCH_PATH_STRAIGHT: z = 0.3 + 0.9 * way; break;
    case BENCH_PATH_IN_OUT: z = 0.3 + 2.4 * way; break;
    case BENCH_PATH_LISSAJOUS:
        x = side * (0.3 + 0.6 * s), y = 0.75 * sin(4.0 * SINEW_PI * turns), z = 0.5 + 0.45 * c;
        break;
    case BENCH_PATH_LISSAJOUS_OFF:
        x = side * (0.3 + 0.6 * c), y = 0.75 * sin(6.0 * SINEW_PI * turns), z = 0.5 + 0.45 * s;
        break;
    case BENCH_PATH_APART: x = side * (0.5 + 1.1 * way), z = 0.2; break;
    case BENCH_PATH_OUTSIDE:
        from = home;
        z = 0.8 / l * way;
        break;
    }
    return sinew_vec3_add_scaled(from, sinew_vec3(x, y, z), l);
}

// ---------------------------------------------------------------------------------------------
// Running

static bool open_body(bench_CaseRun *run)
{
    switch (run->what->body) {
    case BENCH_STRAIGHT_HINGES: run->own = bench_biped(false); break;
    case BENCH_STRAIGHT_BALLS: run->own = bench_biped(true); break;
    case BENCH_MAN18: (void)scene_create("MAN18", NULL, &run->scene, NULL); break;
    case BENCH_BODY11: (void)scene_create("BODY11", NULL, &run->scene, NULL); break;
    }
    run->skeleton = run->scene != NULL ? run->scene->skeleton : run->own;
    return run->skeleton != NULL;
}

/// Length of the bones from a joint down to another.
static double limb_length(const bench_Figure *figure, int start, int end)
{
    const sinew_Joint *joints = sinew_skeleton_joints(figure->skeleton);
    double length = 0.0;
    for (int j = end; j > start; j = joints[j].parent) {
        length += sinew_vec3_length(joints[j].offset);
    }
    return length;
}

static void open_goal(bench_CaseRun *run, const bench_Figure *rest, const bench_CaseGoal *what)
{
    int g = run->goal_count++;
    int start = sinew_skeleton_find_joint(run->skeleton, what->limb);
    run->start[g] = rest->place[start];
    if (what->joint == NULL) {
        run->home[g] = sinew_vec3(0.0, 0.0, 0.0);
        run->length[g] = 1.0;
        run->goals[g] = sinew_goal_center_of_mass(run->home[g]);
        return;
    }
    int joint = sinew_skeleton_find_joint(run->skeleton, what->joint);
    run->home[g] = rest->place[joint];
    // the squatting hips have no limb above them: it is that below
    int end = joint > start ? joint : sinew_skeleton_find_joint(run->skeleton, "LeftFoot");
    run->length[g] = limb_length(rest, start, end);
    // feet rest flat: the frames of the bodies are those of the world at zero
    run->goals[g] = what->pose ? sinew_goal_pose(joint, run->home[g], sinew_quat_identity())
                               : sinew_goal_position(joint, run->home[g]);
    if (what->alone) { run->goals[g].chain_root = start; }
}

bool bench_case_open(bench_CaseRun *run, const bench_Case *what)
{
    bench_Figure rest;
    double q[256];
    memset(run, 0, sizeof *run);
    run->what = what;
    if (!open_body(run) || sinew_skeleton_coordinate_count(run->skeleton) > 256
        || !bench_figure_open(&rest, run->skeleton)) {
        bench_case_close(run);
        return false;
    }
    sinew_pose_rest(run->skeleton, q);
    bench_figure_pose(&rest, q);
    for (int g = 0; g < BENCH_CASE_GOALS && what->goals[g].limb != NULL; ++g) {
        open_goal(run, &rest, &what->goals[g]);
    }
    bench_figure_close(&rest);
    return true;
}

void bench_case_close(bench_CaseRun *run)
{
    sinew_skeleton_destroy(run->own);
    scene_destroy(run->scene);
    memset(run, 0, sizeof *run);
}

void bench_case_goals(bench_CaseRun *run, int frame, double turns)
{
    for (int g = 0; g < run->goal_count; ++g) {
        const bench_CaseGoal *goal = &run->what->goals[g];
        double side = strncmp(goal->limb, "Right", 5) == 0 ? -1.0 : 1.0;
        bool waits = goal->path == BENCH_PATH_LIFT && frame < LIFT_FRAME;
        bench_Path path = waits ? BENCH_PATH_STILL : goal->path;
        run->goals[g].position = place_on_path(
            path, turns, run->start[g], run->home[g], run->length[g], side);
    }
}
