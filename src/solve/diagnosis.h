#ifndef SNW_DIAGNOSIS_H
#define SNW_DIAGNOSIS_H

// What the parts of a diagnosis share: its memory, the case in hand, and trials.

#include "sinew/diagnosis.h"
#include "solve/method.h"
#include "solve/reach.h"

/// Most limits, most locked axes and most other goals that are put to the test.
#define SNW_MAX_SUSPECTS 24

/// Rows of a goal that conditioning looks at.
#define SNW_GOAL_ROWS 6

struct sinew_Diagnosis {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    int max_goals;
    int goal_count, unmet_count, limit_count;
    double position_tolerance, orientation_tolerance; // of the last diagnosis
    sinew_GoalDiagnosis *goals;                       //                        (max_goals)
    sinew_GoalKind *goal_kinds;                       //                      (max_goals)
    int *goal_joints;                                 //                        (max_goals)
    sinew_HeldLimit *limits;                          // twice for a ball        (2 axis_count)
    sinew_HeldLimit *suspects;                        // those of the base pose  (2 axis_count)

    // scratch
    sinew_Goal *trial_goals;         // (max_goals)
    double *start_size;              // error of each goal in the pose given   (max_goals)
    double *base_size;               // and in the pose that trials start from (max_goals)
    bool *within;                    // a trial has met it: it is not beyond reach (max_goals)
    double *eased;                   // by soft reach, metres                  (max_goals)
    double *base, *trial;            // poses                  (coordinate_count each)
    double *own_mobility, *mobility; // (axis_count each)
    snw_AxisLimit *own_limits;       // (axis_count)
    sinew_BallLimit *balls;          // limits with a part released (SNW_MAX_SUSPECTS)
    double *svd;
};

/// The case in hand.
typedef struct snw_Case {
    sinew_Solver *solver;
    const sinew_Goal *goals;
    int goal_count;
    const sinew_SolveOptions *given;
    sinew_SolveOptions options; // of trials
    double orientation_length;
    sinew_Diagnosis *diagnosis;
} snw_Case;

/// Pressed limits of the solver's current state, the hardest first; returns how many.
int snw_find_held(sinew_Solver *solver, sinew_HeldLimit *out_limits);

/// Release one limit, the ball's into the given copy; all limits hold again after snw_restore_limits.
void snw_release_limit(sinew_Solver *solver, const sinew_HeldLimit *limit, sinew_BallLimit *copy);
void snw_release_all_limits(sinew_Solver *solver);
void snw_restore_limits(sinew_Solver *solver, const snw_AxisLimit *own);

/// Singular values and reach of each goal in the solver's current state.
void snw_case_condition(const snw_Case *it);

/// Numbers of scratch that conditioning needs.
size_t snw_condition_scratch(const sinew_Skeleton *skeleton);

#endif
