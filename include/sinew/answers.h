#ifndef SINEW_ANSWERS_H
#define SINEW_ANSWERS_H

/// \file
/// All poses of an arm or a leg that meet a goal, where its axes allow a closed form: three that meet in
/// a point with three more of which two neighbours meet or are parallel; three parallel ones with two
/// that meet; a seventh joint to spare; three hinges for a place or an orientation.

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stretch of the free joint's values, or of the swivel, over which one branch stays inside the limits.
typedef struct sinew_AnswerSpan {
    int branch;
    double lower, upper; ///< radians
} sinew_AnswerSpan;

/// Where answers go. Zero it, set the caller's part, then ask.
typedef struct sinew_Answers {
    // the caller's
    int capacity;      ///< answers that there is room for, >= 1; the nearest are kept
    double *poses;     ///< capacity x coordinate_count
    double *ways;      ///< from the pose given, root of the sum of squares, radians  (capacity)
    int *branches;     ///< 0..7: answers of one branch continue each other           (capacity)
    double *values;    ///< of the free joint or the swivel; NULL: not wanted         (capacity)
    int samples;       ///< values of a free joint, or swivels, beside the one given, 0..1000
    int span_capacity; ///< 0: spans are not wanted
    sinew_AnswerSpan *spans; ///< span_capacity
    // the answer
    int count;
    bool complete; ///< all that were found are there
    int free_axis; ///< axis of the skeleton that may stand anywhere: an arm of seven; -1: none
    /// The arm swivels: of seven, where three meet at either end, elbow, shoulder and wrist turn together
    /// about the line between the two points; -pi..pi, 0 where they are nearest to the pose given.
    bool swivels;
    int span_count; ///< in the order of branches, then of values
} sinew_Answers;

/// Find every answer to one goal, sorted by its way from q (coordinate_count numbers, which are only
/// read): one for each branch that meets it inside the limits (options.limits: NONE for all); of an arm
/// with a joint to spare, for the value that the joint has in q and for samples of its range; of one that
/// swivels, for swivel 0 and samples of the whole turn. Each meets the goal within the options'
/// tolerances, measured as by a solve; next to singular poses two branches become one, and it is told
/// once. Spans of a free joint are found on the samples, their ends by halving (1e-9 rad); those of the
/// swivel are exact, whatever the samples.
///
/// UNSUPPORTED, with a message that says what the chain is, where it has no closed form, and of limbs with
/// balls: they have one, which solves use, but whole families of answers. INVALID_ARGUMENT as
/// sinew_solver_solve. Never allocates. About a microsecond for a sample.
SINEW_API sinew_Status sinew_solver_answers(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, sinew_Answers *answers, sinew_Message *out_message);

/// Whether a goal's chain has a closed form, and which, in words: "7R, spherical shoulder and wrist:
/// closed form", "3 balls and hinges: no closed form". q: a pose, for joints that are locked. What the
/// words are may change; false also for goals that cannot be solved.
SINEW_API bool sinew_solver_closed_form(
    sinew_Solver *solver, const sinew_Goal *goal, const double *q, sinew_Message *out_text);

#ifdef __cplusplus
}
#endif

#endif
