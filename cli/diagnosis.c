// Diagnoses as JSON.

#include "diagnosis.h"

#include <math.h>
#include <stddef.h>

/// The bound of a limit, in the unit that its axis has.
static void put_bound(cli_Json *out, const sinew_Skeleton *skeleton, int axis, double bound)
{
    bool slide = sinew_skeleton_axes(skeleton)[axis].kind == SINEW_AXIS_SLIDE;
    cli_json_number(out, slide ? "bound_m" : "bound_rad", bound);
}

/// The joint of a limit, and where it has several axes, which.
static void put_axis(cli_Json *out, const sinew_Skeleton *skeleton, int axis)
{
    const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[axis];
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[place->joint];
    cli_json_text(out, "joint", joint->name);
    if (joint->coordinate_count > 1
        && sinew_skeleton_axes(skeleton)[axis].kind != SINEW_AXIS_BALL) {
        char name[512];
        sinew_skeleton_coordinate_name(skeleton, place->coordinate, name, sizeof name);
        cli_json_text(out, "axis", name);
    }
}

static void put_blocker(cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Blocker *blocker,
    const char *const *names)
{
    cli_json_object(out, NULL);
    cli_json_text(out, "kind", sinew_blocker_name(blocker->kind));
    if (blocker->axis >= 0) { put_axis(out, skeleton, blocker->axis); }
    if (blocker->axis >= 0 && blocker->kind != SINEW_BLOCKER_LOCKED) {
        put_bound(out, skeleton, blocker->axis, blocker->bound);
    }
    if (blocker->goal >= 0) {
        cli_json_text(out, "goal", names[blocker->goal]);
        cli_json_whole(out, "goal_index", blocker->goal);
    }
    if (blocker->amount > 0.0) {
        cli_json_number(out, blocker->amount_is_angle ? "amount_rad" : "amount_m", blocker->amount);
    }
    cli_json_number(out, "gain", blocker->gain);
    if (blocker->together) { cli_json_bool(out, "together", true); }
    cli_json_object_end(out);
}

void cli_json_diagnosis(cli_Json *out, const sinew_Skeleton *skeleton,
    const sinew_Diagnosis *diagnosis, int goal, const char *const *names)
{
    const sinew_GoalDiagnosis *found = sinew_diagnosis_goal(diagnosis, goal);
    cli_json_bool(out, "met", found->met);
    if (!found->met) {
        char text[CLI_DIAGNOSIS_LINE];
        sinew_diagnosis_cause_text(diagnosis, goal, names, text, sizeof text);
        cli_json_text(out, "cause", text);
    }
    cli_json_array(out, "blockers");
    for (int i = 0; i < found->blocker_count; ++i) {
        put_blocker(out, skeleton, &found->blockers[i], names);
    }
    cli_json_array_end(out);
    if (isfinite(found->reach_margin)) {
        cli_json_number(out, "reach_margin_m", found->reach_margin);
    }
    cli_json_text(out, "conditioning", sinew_conditioning_name(found->conditioning));
}

void cli_json_active_limits(
    cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Diagnosis *diagnosis)
{
    const sinew_HeldLimit *limits = sinew_diagnosis_limits(diagnosis);
    cli_json_array(out, "active_limits");
    for (int i = 0; i < sinew_diagnosis_limit_count(diagnosis); ++i) {
        cli_json_object(out, NULL);
        put_axis(out, skeleton, limits[i].axis);
        cli_json_text(out, "kind", sinew_blocker_name(limits[i].kind));
        put_bound(out, skeleton, limits[i].axis, limits[i].bound);
        cli_json_number(out, "pressure", limits[i].pressure);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
}
