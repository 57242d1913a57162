#ifndef BENCH_FOLLOWING_PATHS_H
#define BENCH_FOLLOWING_PATHS_H

// The cases of `sinew bench following tracker`: which goals move along which path on which body.

#include "bench/following.h"

typedef enum bench_CaseBody {
    BENCH_STRAIGHT_HINGES, ///< bench_biped
    BENCH_STRAIGHT_BALLS,
    BENCH_MAN18,
    BENCH_BODY11,
} bench_CaseBody;

/// How a goal moves. Lengths are those of its limb, straight: L. Circles are about the limb's start.
typedef enum bench_Path {
    BENCH_PATH_STILL,    ///< where the effector rests
    BENCH_PATH_LIFT,     ///< 5 cm up at once, after some frames
    BENCH_PATH_SQUAT,    ///< down by half of L and up
    BENCH_PATH_STEP,     ///< up by a quarter of L and down
    BENCH_PATH_STEP_OFF, ///< the same, half a period later
    BENCH_PATH_FRONTAL,  ///< a circle in front, within reach
    BENCH_PATH_SAGITTAL, ///< a circle beside the body, also behind it
    BENCH_PATH_THROUGH,  ///< a circle through the limb's start
    BENCH_PATH_ACROSS,   ///< a level circle that goes through the chest to the other side
    BENCH_PATH_GRAZING,  ///< a circle whose farthest point is at full stretch
    BENCH_PATH_WIDE,     ///< a circle of 1.3 L
    BENCH_PATH_FAR,      ///< a circle of 2.5 L
    BENCH_PATH_STRAIGHT, ///< forward and back, 0.3 to 1.2 L
    BENCH_PATH_IN_OUT,   ///< forward and back, 0.3 to 2.7 L
    BENCH_PATH_LISSAJOUS,
    BENCH_PATH_LISSAJOUS_OFF, ///< the same, of another phase
    BENCH_PATH_APART,         ///< sideways and back, 0.5 to 1.6 L
    BENCH_PATH_OUTSIDE,       ///< of the centre of mass: forward by 0.8 m and back
} bench_Path;

/// One goal of a case.
typedef struct bench_CaseGoal {
    const char *joint; ///< NULL: the centre of mass
    const char *limb;  ///< where its limb starts, which paths count from
    bool alone;        ///< the limb alone may move
    bool pose;         ///< the turn that the effector rests in, too
    bench_Path path;
} bench_CaseGoal;

enum { BENCH_CASE_GOALS = 4 };

typedef struct bench_Case {
    const char *name;
    bench_CaseBody body;
    bench_CaseGoal goals[BENCH_CASE_GOALS]; ///< up to the first without limb
} bench_Case;

int bench_case_count(void);
const bench_Case *bench_case(int index);

/// A case that runs: its body and the goals of any moment.
typedef struct bench_CaseRun {
    const bench_Case *what;
    scene_Scene *scene;  ///< NULL where the body is no scene
    sinew_Skeleton *own; ///< NULL where it is one
    const sinew_Skeleton *skeleton;
    sinew_Goal goals[BENCH_CASE_GOALS];
    int goal_count;
    // of each goal at rest: the effector, the limb's start, the limb's length
    sinew_Vec3 home[BENCH_CASE_GOALS], start[BENCH_CASE_GOALS];
    double length[BENCH_CASE_GOALS];
} bench_CaseRun;

/// False without memory.
bool bench_case_open(bench_CaseRun *run, const bench_Case *what);
void bench_case_close(bench_CaseRun *run);

/// Set the goals of a moment, in turns of the path.
void bench_case_goals(bench_CaseRun *run, int frame, double turns);

#endif
