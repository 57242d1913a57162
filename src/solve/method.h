#ifndef SNW_METHOD_H
#define SNW_METHOD_H

// What the loop hands to a method, and the methods. Each fills linear.step from the current state.

#include "solve/linear.h"

typedef struct snw_Solve {
    // fixed for one solve
    snw_Plan plan;
    snw_Targets targets;
    sinew_SolveOptions options;
    sinew_LinearForm form, cheapest_form; // the second belongs to the plan
    double boost; // of the automatic damping, raised while steps are taken back

    // the current pose, the one that a step leads to, and the values of the best one
    snw_State *current, *trial;
    double *best_values;
    double best_objective;

    snw_Linear linear;
    double *svd; // selectively damped alone
    sinew_Report report;
    bool fresh_jacobian; // linear.jacobian belongs to the current state
} snw_Solve;

/// Build the Jacobian of the current state unless it is there.
void snw_solve_need_jacobian(snw_Solve *solve);

// The methods. false: no step can be taken from here.
bool snw_step_pseudo_inverse(snw_Solve *solve);
bool snw_step_transpose(snw_Solve *solve);
bool snw_step_damped(snw_Solve *solve);
bool snw_step_selectively_damped(snw_Solve *solve);

/// Numbers of solve->svd for the largest plan.
size_t snw_selectively_damped_scratch(const sinew_Skeleton *skeleton, int max_goals);

#endif
