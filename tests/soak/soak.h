#ifndef SOAK_H
#define SOAK_H

// A soak: solves of random bodies, goals and options without end, each of which is checked. A case is
// one body with a few solves on it; its seed gives the same again.

#include "scenes/random.h"
#include "sinew/sinew.h"

#include <stdio.h>

enum {
    SOAK_MAX_JOINTS = 60,
    SOAK_MAX_NUMBERS = SOAK_MAX_JOINTS * 9,
    SOAK_MAX_GOALS = 12,
    SOAK_SUPPORT_POINTS = 8,
    SOAK_CONSTRAINT_ROWS = 24,
};

// ---------------------------------------------------------------------------------------------
// Making (soak_make.c)

/// Whether something happens that has this chance.
bool soak_chance(scene_Random *random, double chance);
/// 10 to a uniform exponent.
double soak_magnitude(scene_Random *random, double lower_exponent, double upper_exponent);

/// A body and the size its bones are drawn around, metres.
typedef struct soak_Body {
    sinew_Skeleton *skeleton;
    double scale;
} soak_Body;

/// Joints of every kind, bones of length 0, skew axes, limits of every shape; NULL without memory.
sinew_Skeleton *soak_make_body(
    scene_Random *random, const sinew_Allocator *allocator, double *out_scale);

/// A pose: inside all limits, or anywhere.
void soak_make_pose(
    scene_Random *random, const sinew_Skeleton *skeleton, double scale, bool inside, double *out_q);

/// Where a support goal keeps its points.
typedef struct soak_Support {
    sinew_Vec3 points[SOAK_SUPPORT_POINTS];
} soak_Support;

/// 1..SOAK_MAX_GOALS goals of all kinds: reachable, near, far, conflicting; returns how many. supports has
/// SINEW_MAX_SUPPORT_GOALS entries.
int soak_make_goals(scene_Random *random, const sinew_Skeleton *skeleton, double scale,
    const double *q, soak_Support *supports, sinew_Goal *out_goals);

/// Options of any method, each valid; size is about the number of steps that one iteration takes,
/// and keeps large problems from many iterations.
sinew_SolveOptions soak_make_options(scene_Random *random, double scale, double size);

// ---------------------------------------------------------------------------------------------
// Counting (soak_memory.c)

/// Calls of malloc and its like anywhere in the program so far.
long soak_heap_calls(void);

// ---------------------------------------------------------------------------------------------
// Checking (soak_case.c)

typedef struct soak_Counts {
    long cases, solves, converged, refused, timed, failures;
    long by_method[SINEW_METHOD_COUNT];
    double largest_violation;
} soak_Counts;

typedef struct soak_Settings {
    const char *program; ///< as failures name it
    bool real_clock;     ///< measure time budgets on the processor's clock too
    bool verbose;        ///< print each solve before it runs
} soak_Settings;

/// Run the case of a seed; failures go to stdout with a command that repeats them.
void soak_run_case(const soak_Settings *settings, uint64_t seed, soak_Counts *counts);

#endif
