#ifndef SNW_LINEAR_H
#define SNW_LINEAR_H

// The linear step: damped least squares on the plan's dofs, in forms that agree (form.h).
//
//     minimise 1/2 |J step - e|^2 + 1/2 step^T D step - pull^T step,   D_i = lambda2 / softness_i + stiffness
//
// J and e are scaled by the square roots of the goals' weights (and by the orientation length).
// Steps and columns of balls are in world axes. J^T J is the joint-space inertia of the same tree
// carrying a point mass at each target's effector, J^T e its generalised force and D its rotor
// inertia, so forward dynamics of that mechanism solves the system without any matrix.

#include "sinew/solver.h"
#include "solve/state.h"

typedef struct snw_Linear {
    double lambda2;   // damping squared, m^2
    double stiffness; // rho + nu
    bool has_pull;

    double *jacobian;  // scaled; row_count numbers for each dof           (dof_count x row_count)
    double *error;     // scaled, long position errors cut                 (row_count)
    double *pull;      // (dof_count)
    double *softness;  // inverse of D up to a common factor               (dof_count)
    double *last_step; // the step before, in world axes                  (dof_count)
    double *force;     // J^T e + pull                                     (dof_count)
    double *shares;    // how a free hinge that follows goes along with others, follow.h (dof_count)
    double *row_force; // step = S J^T of it, where a form has it          (row_count)
    bool has_row_force;
    // dofs whose step is given beforehand: 0 where a limit holds them, the way that is left where
    // they would pass it
    bool any_fixed;
    unsigned char *fixed; // (dof_count)
    double *fixed_step;   // (dof_count)
    // balls whose dofs are not the world's axes but a triad that their limits ask for; then their
    // columns, pull, force and step are about the triad's axes
    bool any_turned;
    unsigned char *turned; // by link
    sinew_Mat3 *triad;     // by link, world
    double *step;          // the answer                                       (dof_count)
    double *matrix;        // rows squared, or dofs as far as they fit
    double *vector;        // largest of both
    double
        *link_work; // bodies of the recursive forms                   (link_count x SNW_LINK_WORK)
    double *dof_work; // motions of the tree form                        (dof_count x 6)
} snw_Linear;

/// Numbers of link_work that a link takes.
#define SNW_LINK_WORK 58

/// Numbers that the largest plan needs; the matrix is shared by all forms.
void snw_linear_take(snw_Linear *linear, snw_Sizes sizes, snw_Arena *arena);

/// Begin with a new plan: zero the parts of the Jacobian that it leaves zero for good, let all dofs
/// free.
void snw_linear_prepare(snw_Linear *linear, const snw_Plan *plan);

/// Plans whose Jacobian has more entries, or its rows squared, have none: it would take gigabytes, and hours.
/// They are for the forms that do without.
#define SNW_MOST_ENTRIES ((size_t)1 << 23)

/// Whether a plan has a Jacobian; room for that of any smaller one.
bool snw_linear_is_dense(const snw_Plan *plan);
static inline size_t snw_linear_room(size_t rows, size_t columns)
{
    return columns == 0 || rows <= SNW_MOST_ENTRIES / columns ? rows * columns : SNW_MOST_ENTRIES;
}

/// Plans of more dofs have no matrix of dofs squared, which would take gigabytes and hours.
#define SNW_MOST_SQUARE_DOFS 2048

/// Generalised force of the state, J^T e + pull; from the Jacobian where the form has one.
void snw_linear_set_force(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, bool has_jacobian);

/// Let all dofs free again, about the world's axes. A Jacobian with turned columns is spoilt then.
void snw_linear_release(snw_Linear *linear, const snw_Plan *plan);

/// Let the dofs of a ball be about the axes of a triad; turns columns, pull and force.
void snw_linear_turn_ball(
    snw_Linear *linear, const snw_Plan *plan, int link, const sinew_Mat3 *triad, bool has_jacobian);

/// Let one row that was written about the world's axes be about those of the turned balls, too.
void snw_linear_turn_row(snw_Linear *linear, const snw_Plan *plan, int row);

/// Steps of turned balls back to the world's axes.
void snw_linear_turn_step_back(snw_Linear *linear, const snw_Plan *plan);

/// The columns of one effector when hinges follow: what they do when those above turn; follow_pose.c.
void snw_follow_columns(
    snw_Linear *linear, const snw_Plan *plan, const snw_State *state, const snw_Effector *effector);
/// How one that follows goes along to stay where its direction is as wanted, by dof of the plan, with what others
/// that follow do meanwhile; 0 of dofs not above it.
void snw_follow_shares(
    const snw_Plan *plan, const snw_State *state, int follow, double *out_shares);
/// Add to all columns what it does by its shares.
void snw_follow_share_columns(snw_Linear *linear, const snw_Plan *plan, int follow);

/// Length of the error.
double snw_error_length(const snw_Linear *linear, int row_count);

/// |e - J step|^2, what the linear model says that the step leaves of the goals' error; promise.c.
double snw_linear_promise(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state);

/// The same force without the Jacobian; recursion.c.
void snw_linear_force_recursion(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state);

/// Damping of one dof.
static inline double snw_linear_damping(const snw_Linear *linear, const snw_Plan *plan, int dof)
{
    return linear->lambda2 / plan->softness[dof] + linear->stiffness;
}

/// World axis of a link's motion: a column of its rotation, which its own hinge leaves in place.
static inline sinew_Vec3 snw_link_axis(const snw_Link *link, const sinew_Mat3 *rotation)
{
    switch (link->motion) {
    case SNW_HINGE_X:
    case SNW_SLIDE_X: return rotation->x;
    case SNW_HINGE_Y:
    case SNW_SLIDE_Y: return rotation->y;
    default: return rotation->z;
    }
}

#endif
