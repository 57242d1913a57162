#include "solve/options.h"

#include "base/message.h"
#include "solve/method_table.h"

// Frames of a motion. Fast people turn a shoulder by 20 rad/s in sports and by less than 10 elsewhere, and
// a change of branch within 18 is a movement, not a leap: 0.3 rad in a frame of 1/60 s.
#define MOTION_TURN_RATE 18.0
// metres, and a tenth of radians: errors inside the tolerance come and go with the steps taken, and a
// tenth of a millimetre of that is not seen
#define MOTION_TOLERANCE 1e-4
// share of E in 8 iterations: beyond reach the last of a slow valley takes hundreds of them; errors were
// the same to 0.1 % without
#define MOTION_STALL 1e-4
// In all: most frames take 1 to 12, and what is left over is done in the next one. In eleven motions of a
// body with five goals and rest the worst frame was of 6198 evaluations without, of 117 with this, and errors
// were the same, as with 32 and 96.
#define MOTION_ITERATIONS 48

sinew_SolveOptions sinew_solve_options_default(sinew_Method method)
{
    sinew_SolveOptions o = {
        .method = method,
        .rows = SINEW_ROWS_AS_GOALS,
        .jacobian = SINEW_JACOBIAN_ANALYTIC,
        .difference_step = 1e-6,
        .form = SINEW_FORM_AUTO,
        .limits = SINEW_LIMITS_ACTIVE,
        .position_tolerance = 1e-3,
        .orientation_tolerance = 1e-2,
        .max_iterations = 200,
        .damping = -1.0,
        .damping_gain = 0.1,
        .damping_floor = 1e-10,
        .constraint_damping = 0.01,
        .step_scale = 1.0,
        .max_joint_step = 0.7,
        .max_joint_change = INFINITY,
        .max_target_step = 0.5,
        .halving_threshold = 1e-3,
        .max_halvings = 20,
        .inverse = SINEW_INVERSE_CHOLESKY,
    };
    const snw_MethodRow *row = snw_method(method);
    if (row != NULL && row->defaults != NULL) { row->defaults(&o); }
    return o;
}

sinew_SolveOptions sinew_solve_options_motion(double frame_time)
{
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
    o.restarts = 0;
    o.branch = SINEW_BRANCH_KEPT;
    o.max_joint_change = MOTION_TURN_RATE * frame_time;
    o.position_tolerance = MOTION_TOLERANCE;
    o.orientation_tolerance = 10.0 * MOTION_TOLERANCE;
    o.stall_share = MOTION_STALL;
    o.max_iterations = MOTION_ITERATIONS;
    return o;
}

const char *sinew_method_name(sinew_Method method)
{
    const char *word = snw_method_word(method);
    return word != NULL ? word : "unknown";
}

#define FORM_WORD(name, word) [name] = #word,

const char *sinew_form_name(sinew_LinearForm form)
{
    static const char *const words[] = { SINEW_FORM_LIST(FORM_WORD) };
    return (unsigned)form < SINEW_FORM_COUNT ? words[form] : "unknown";
}

const char *sinew_outcome_name(sinew_Outcome outcome)
{
    switch (outcome) {
    case SINEW_OUTCOME_CONVERGED: return "converged";
    case SINEW_OUTCOME_STALLED: return "stalled";
    case SINEW_OUTCOME_OUT_OF_ITERATIONS: return "out_of_iterations";
    case SINEW_OUTCOME_OUT_OF_TIME: return "out_of_time";
    }
    return "unknown";
}

const char *sinew_found_by_name(sinew_FoundBy found_by)
{
    switch (found_by) {
    case SINEW_FOUND_GIVEN: return "given";
    case SINEW_FOUND_DESCENT: return "descent";
    case SINEW_FOUND_CLOSED: return "closed_form";
    case SINEW_FOUND_RESTART: return "restart";
    }
    return "unknown";
}

sinew_Status snw_options_check(
    const sinew_SolveOptions *o, const char *name, sinew_Clock clock, sinew_Message *message)
{
    const double tiny = 1e-300, huge = 1e12;
    const snw_Range ranges[] = {
        { "method", o->method, 0, SINEW_METHOD_COUNT - 1 },
        { "rows", o->rows, 0, SINEW_ROWS_HALF },
        { "jacobian", o->jacobian, 0, SINEW_JACOBIAN_CENTRAL_DIFFERENCE },
        { "difference_step", o->difference_step, 1e-12, 1.0 },
        { "form", o->form, 0, SINEW_FORM_COUNT - 1 },
        { "limits", o->limits, 0, SINEW_LIMITS_NONE },
        { "position_tolerance", o->position_tolerance, tiny, huge },
        { "orientation_tolerance", o->orientation_tolerance, tiny, huge },
        { "max_iterations", o->max_iterations, 0, 100000 },
        { "min_iterations", o->min_iterations, 0, o->max_iterations },
        { "time_budget", o->time_budget, 0.0, huge },
        { "stall_share", o->stall_share, 0.0, 1.0 },
        { "damping", o->damping, -huge, huge },
        { "damping_gain", o->damping_gain, 0.0, huge },
        { "damping_floor", o->damping_floor, 0.0, huge },
        { "constraint_damping", o->constraint_damping, 0.0, huge },
        { "rest_weight", o->rest_weight, 0.0, huge },
        { "velocity_weight", o->velocity_weight, 0.0, huge },
        { "orientation_length", o->orientation_length, 0.0, huge },
        { "step_scale", o->step_scale, 1e-9, 1.0 },
        { "max_joint_step", o->max_joint_step, 1e-9, huge },
        { "max_joint_change", o->max_joint_change, 1e-12, INFINITY },
        { "max_target_step", o->max_target_step, 1e-9, huge },
        { "soft_reach", o->soft_reach, 0.0, 0.2 },
        { "halving_threshold", o->halving_threshold, tiny, huge },
        { "max_halvings", o->max_halvings, 0, 1000 },
        { "inverse", o->inverse, 0, SINEW_INVERSE_EXPLICIT },
        { "sweep", o->sweep, 0, SINEW_SWEEP_ROOT_TO_TIP },
        { "start", o->start, 0, SINEW_START_TABLE },
        { "restarts", o->restarts, 0, 100000 },
        { "branch", o->branch, 0, SINEW_BRANCH_KEPT },
    };
    sinew_Status status = snw_check_ranges(message, name, ranges, sizeof ranges / sizeof ranges[0]);
    if (status != SINEW_STATUS_OK) { return status; }
    if (o->time_budget > 0.0 && clock == NULL) {
        return snw_refuse(message, "%s.time_budget needs a clock in the definition", name);
    }
    return SINEW_STATUS_OK;
}
