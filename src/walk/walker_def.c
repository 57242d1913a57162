// The definition of a walker: what it is without being said, and what is refused.

#include "walk/walker_state.h"

#include "base/message.h"
#include "solve/options.h"

#include <string.h>

sinew_WalkOrnaments sinew_walk_ornaments_default(void)
{
    sinew_WalkOrnaments ornaments = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    return ornaments;
}

sinew_WalkerDef sinew_walker_def_default(void)
{
    sinew_WalkerDef def;
    memset(&def, 0, sizeof def);
    def.solve = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    def.solve.position_tolerance = 1e-4;
    def.solve.orientation_tolerance = 1e-3;
    def.solve.max_iterations = 30;
    def.ornaments = sinew_walk_ornaments_default();
    def.trailing_weight = 4.0;
    def.paper = sinew_paper_walk_default();
    def.response = sinew_walk_response_calm();
    def.limits = sinew_walk_limits_default();
    def.manner = sinew_manner_default();
    def.cookie = SNW_COOKIE;
    return def;
}

sinew_Status snw_ornaments_check(const sinew_WalkOrnaments *o, sinew_Message *message)
{
    static const char *const names[] = { "bob", "swing", "sway", "list", "lean", "spine", "arms",
        "head" };
    const double amounts[] = { o->bob, o->swing, o->sway, o->list, o->lean, o->spine, o->arms,
        o->head };
    for (int i = 0; i < 8; ++i) {
        if (amounts[i] >= 0.0 && amounts[i] <= 100.0) { continue; }
        return snw_refuse(message, "ornaments.%s is %g, want 0..100", names[i], amounts[i]);
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_walker_check_def(const sinew_WalkerDef *def, sinew_Message *message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (def == NULL) { return snw_fail(message, bad, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(message, "walker"); }
    if (def->skeleton == NULL) { return snw_fail(message, bad, "skeleton is NULL"); }
    if (def->leg_count < 0 || def->leg_count > SINEW_MAX_LEGS
        || (def->leg_count > 0 && def->legs == NULL)) {
        return snw_fail(
            message, bad, "leg_count is %d, want 0..%d", def->leg_count, SINEW_MAX_LEGS);
    }
    if ((int)def->style < 0 || (int)def->style > (int)SINEW_WALK_PAPER) {
        return snw_fail(message, bad, "style is %d, want 0..1", (int)def->style);
    }
    if (def->leg_count == 1) {
        return snw_fail(message, SINEW_STATUS_UNSUPPORTED, "one leg cannot walk, want 2 or more");
    }
    if ((int)def->rows < 0 || (int)def->rows > (int)SINEW_WALK_ROWS_HYBRID) {
        return snw_fail(message, bad, "rows is %d, want 0..3", (int)def->rows);
    }
    if (snw_place_check(sinew_vec3(def->x, 0.0, def->z), def->heading, message)
        != SINEW_STATUS_OK) {
        return bad;
    }
    if (!(def->trailing_weight > 0.0 && def->trailing_weight <= 1e3)) {
        return snw_fail(message, bad, "trailing_weight is %g, want above 0 and up to 1000",
            def->trailing_weight);
    }
    if (snw_options_check(&def->solve, "solve", def->clock, message) != SINEW_STATUS_OK) {
        return bad;
    }
    if (snw_ornaments_check(&def->ornaments, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_paper_check(&def->paper, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_response_check(&def->response, message) != SINEW_STATUS_OK) { return bad; }
    if (snw_limits_check(&def->limits, message) != SINEW_STATUS_OK) { return bad; }
    return sinew_manner_check(&def->manner, message);
}
