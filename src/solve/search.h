#ifndef SNW_SEARCH_H
#define SNW_SEARCH_H

// The search of the default method: descents from one start after another, each given up as soon as
// its own linear model says that it leads nowhere, until one meets the goals. What is searched, a
// chain or any body, comes as a few functions.

#include "sinew/solver.h"

/// A largest change of a joint below this, radians, is none.
#define SNW_STILL 1e-7
/// A start whose E is below this is that of a goal that moved a little.
#define SNW_NEAR 1e-2

/// A problem as the search sees it. E is the squared error in units of L and radians.
typedef struct snw_Problem {
    void *self;
    int value_count; // numbers of a pose
    /// Pose and measure; returns E.
    double (*measure)(void *self, const double *values);
    /// Whether the pose measured last meets the goals.
    bool (*meets)(void *self);
    /// A step from values into moved. fresh: values were measured last and have no linear model yet;
    /// otherwise the model of the last fresh step holds. Returns what the model promises E to become;
    /// out_largest is the largest change of a joint, radians.
    double (*step)(void *self, const double *values, double damping, bool fresh, double *moved,
        double *out_largest);
    /// The largest change of a joint between two poses, radians (slides: L).
    double (*change)(void *self, const double *from, const double *to);
    /// Leave a saddle at which a descent has ended: values, measured last, become a pose of lower E, not
    /// measured. false: it is none, and they are as they were.
    bool (*escape)(void *self, double *values);
    /// Values of the start number attempt >= 1.
    void (*start)(void *self, int attempt, double *values);
    /// Values that meet the goals by a closed form, or all but meet them, from those of the pose given;
    /// false: none, and the values are as they were. NULL: no such form.
    bool (*answer)(void *self, double *values);
} snw_Problem;

typedef struct snw_SearchLimits {
    int max_iterations; // of all descents together
    int min_iterations; // of the first descent, also where the goals are met before
    int max_attempts;   // 1: the pose given alone
    // So many patient descents from starts of their own that end at one E, with nothing lower seen, are
    // taken as the sign that the goals cannot be met together.
    int enough_bottoms;
    bool beyond; // no pose meets the goals: only the nearest is sought, and each attempt is patient
    double least2; // beyond: no pose has a lower E; what reaches it needs no other attempt
    // a descent to the bottom of a valley ends where E falls by less than this share in 8 iterations; 0:
    // where nothing moves any more
    double stall_share;
    bool warm;        // the pose given is that of the last frame: its branch is kept if it can be
    bool keep_branch; // also where the goals are far: no closed form before the descent from there
    bool closed_end;  // of one attempt: where it ends off the goals, a closed form may answer
    bool measured;    // the values were measured last already, and E was this
    double start_error2;
    bool out_of_time;           // before it begins
    double (*time)(void *user); // NULL: none
    void *time_user;
    double time_end;
} snw_SearchLimits;

typedef struct snw_SearchResult {
    bool met;
    bool out_of_time, out_of_iterations;
    double time_told; // by the clock when it was asked last
    int iterations, attempts, rejections, measures, steps;
    int attempt; // whose pose the answer is
    bool closed; // it is a closed form's, or a descent's from there
    bool
        leapt; // the answer is on another branch than the pose given, though found from it; see below
    double start_error2, error2;
    double followed2; // what of start_error2 the first step is to take away by its linear model
} snw_SearchResult;

/// Numbers that the search works with: poses.
typedef struct snw_Search {
    double *values[2], *start, *best;
} snw_Search;

/// Search from the values; they are the answer then, measured last.
snw_SearchResult snw_search_run(
    snw_Search *search, const snw_Problem *problem, const snw_SearchLimits *limits, double *values);

/// Whether a largest change of a joint is to another branch: it is out of all proportion to how far the
/// goals moved, squared, in units of L. Goals that are met were followed all the way that they had been
/// off; of those out of reach, only what the joints could follow at first tells how far they moved.
bool snw_search_leapt(double change, double moved2);

/// Whether no further iteration may start, be it the first.
static inline bool snw_search_exhausted(const snw_SearchLimits *limits, snw_SearchResult *result)
{
    result->out_of_iterations = result->iterations >= limits->max_iterations;
    // a clock that said so once is not asked again
    if (!result->out_of_time && limits->time != NULL) {
        result->time_told = limits->time(limits->time_user);
        result->out_of_time = result->time_told >= limits->time_end;
    }
    return result->out_of_iterations || result->out_of_time;
}

#endif
