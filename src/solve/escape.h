#ifndef SNW_ESCAPE_H
#define SNW_ESCAPE_H

// The way out of a straight limb. A limb that is straight, and whose goal is nearer along it, can do
// nothing in first order: every joint moves the effector across, none towards the goal, and a descent
// stalls at what is no minimum but a saddle. The second order knows the way: the direction in which F
// curves down.

#include "base/memory.h"
#include "solve/plan.h"

struct snw_Solve;

/// Larger plans have none: the test costs a factorisation of that size.
#define SNW_ESCAPE_DOFS 128
/// Directions that the search for the way down goes through.
#define SNW_ESCAPE_STEPS 24

typedef struct snw_Escape {
    int count;       // dofs that no limit holds
    int *dof;        // they
    double *unit;    // by dof: 1, or L for slides
    double *matrix;  // curvature of F over them                          (count x count)
    double *basis;   // directions, orthonormal           (SNW_ESCAPE_STEPS x count)
    double *product; // (count)
    double *way;     // by dof of the plan: the preferred bend, then the way down
    double *knee;    // by link: how much it is the middle of a limb, metres
} snw_Escape;

void snw_escape_take(snw_Escape *escape, snw_Sizes sizes, snw_Arena *arena);

/// Leave a saddle: the current state, posed and measured, is where a descent has stalled. Where F curves
/// down from there, out_values receive a pose of lower F within the limits, and true is returned. Of two
/// equal sides that is taken to which limbs prefer to bend: towards the rest pose; a joint that is
/// straight there, away from its nearer bound, a ball about its own x axis, or across the bone. The trial
/// state is overwritten.
bool snw_escape_saddle(struct snw_Solve *solve, double *out_values);

#endif
