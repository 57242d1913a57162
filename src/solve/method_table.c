#include "solve/method_table.h"

static void set_auto(sinew_SolveOptions *o)
{
    o->descent = true;
    o->max_iterations = 8000;
    o->restarts = 1000;
}

static void set_pseudo_inverse(sinew_SolveOptions *o)
{
    o->max_joint_step = 0.5;
}

static void set_transpose(sinew_SolveOptions *o)
{
    o->max_iterations = 1000;
}

static void set_damped(sinew_SolveOptions *o)
{
    o->descent = true;
    o->stall_share = 1e-6;
}

static void set_selectively_damped(sinew_SolveOptions *o)
{
    o->max_joint_step = 0.25 * SINEW_PI;
}

static void set_ccd(sinew_SolveOptions *o)
{
    o->descent = true;
    o->stall_share = 1e-9;
}

#define ALL (SNW_CAN_CONSTRAIN | SNW_CAN_RANK | SNW_CAN_REST | SNW_CAN_RELATE | SNW_CAN_CHOOSE_FORM)

static const snw_MethodRow rows[SINEW_METHOD_COUNT] = {
    [SINEW_METHOD_AUTO] = { "auto", ALL, NULL, NULL, snw_solve_auto, set_auto, 1.0 },
    [SINEW_METHOD_PSEUDO_INVERSE] = { "pinv", SNW_CAN_RELATE, snw_step_pseudo_inverse, NULL, NULL,
        set_pseudo_inverse, 3.0 },
    [SINEW_METHOD_TRANSPOSE] = { "transpose", SNW_CAN_RELATE, snw_step_transpose, NULL, NULL,
        set_transpose, 3.0 },
    [SINEW_METHOD_DAMPED] = { "dls", ALL, snw_step_damped, NULL, NULL, set_damped, 3.0 },
    [SINEW_METHOD_SELECTIVELY_DAMPED] = { "sdls", SNW_CAN_RELATE, snw_step_selectively_damped, NULL,
        NULL, set_selectively_damped, 3.0 },
    [SINEW_METHOD_CCD] = { "ccd", SNW_CAN_REST, NULL, snw_sweep_ccd, NULL, set_ccd, 3.0 },
};

const snw_MethodRow *snw_method(sinew_Method method)
{
    return (unsigned)method < SINEW_METHOD_COUNT ? &rows[method] : NULL;
}
