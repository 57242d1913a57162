#include "solve/reach.h"

#include "math/holds.h"
#include "solve/linear.h"

// joints closer than this share of the reach are at one place
#define SAME_PLACE 1e-9

// a place of the chain where it bends
typedef struct Bend {
    sinew_Vec3 place;
    int link;       // the lowest of the free links there
    int link_count; // that turn there
} Bend;

// distance from the pivot as one hinge turns: its square is even + wave cos(turn - top)
typedef struct Swing {
    double even, wave, top;
} Swing;

static Swing swing_of(sinew_Vec3 pivot, sinew_Vec3 place, sinew_Vec3 axis, sinew_Vec3 effector)
{
    SNW_ASSERT(snw_holds_direction(axis));
    sinew_Vec3 r = sinew_vec3_sub(place, pivot), v = sinew_vec3_sub(effector, place);
    double along = sinew_vec3_dot(r, axis) * sinew_vec3_dot(v, axis);
    double c = sinew_vec3_dot(r, v) - along;
    double s = sinew_vec3_dot(r, sinew_vec3_cross(axis, v));
    Swing swing = { sinew_vec3_dot(r, r) + sinew_vec3_dot(v, v) + 2.0 * along,
        2.0 * sqrt(c * c + s * s), sinew_atan2(s, c) };
    return swing;
}

static double distance_at(const Swing *swing, double turn)
{
    double s, c;
    sinew_sincos(turn - swing->top, &s, &c);
    double square = swing->even + swing->wave * c;
    return square > 0.0 ? sqrt(square) : 0.0;
}

// whether turn, or a whole turn away from it, is between lower and upper
static bool is_between(double turn, double lower, double upper)
{
    const double whole = 2.0 * SINEW_PI;
    if (lower == -INFINITY || upper == INFINITY || upper - lower >= whole) { return true; }
    return turn + whole * ceil((lower - turn) / whole) <= upper;
}

static void bound_by_hinge(
    const Swing *swing, double lower, double upper, double *out_longest, double *out_shortest)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    double at_lower = isfinite(lower) ? distance_at(swing, lower) : 0.0;
    double at_upper = isfinite(upper) ? distance_at(swing, upper) : at_lower;
    if (!isfinite(lower)) { at_lower = at_upper; }
    *out_longest = is_between(swing->top, lower, upper) ? distance_at(swing, swing->top)
                                                        : fmax(at_lower, at_upper);
    double folded = swing->top + SINEW_PI;
    *out_shortest = is_between(folded, lower, upper) ? distance_at(swing, folded)
                                                     : fmin(at_lower, at_upper);
}

snw_Reach snw_reach(const snw_Plan *plan, const snw_State *state, int effector, bool limits)
{
    snw_Reach reach = { false, { 0.0, 0.0, 0.0 }, INFINITY, 0.0, 0 };
    sinew_Vec3 end = state->effector_position[effector];
    double same = SAME_PLACE * plan->reach;
    double sum = 0.0, longest_bone = 0.0;
    Bend last = { end, -1, 0 }, inner = last;
    int inner_count = -1; // the place that the walk ends at is the pivot
    for (int l = plan->effectors[effector].link; l >= plan->static_link_count;
         l = plan->links[l].parent) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        if (link->motion != SNW_BALL && !snw_motion_is_hinge(link->motion)) { return reach; }
        double bone = sinew_vec3_distance(last.place, state->position[l]);
        if (bone > same) {
            sum += bone;
            longest_bone = fmax(longest_bone, bone);
            if (last.link >= 0) { inner = last; }
            last = (Bend){ state->position[l], l, 0 };
            ++inner_count;
        }
        // joints at the effector's own place do not move it
        if (last.link >= 0) { ++last.link_count; }
    }
    if (inner_count < 0) { return reach; }
    reach.known = true;
    reach.pivot = last.place;
    reach.inner_count = inner_count;
    reach.longest = sum;
    reach.shortest = fmax(0.0, 2.0 * longest_bone - sum);
    if (inner_count != 1 || inner.link_count != 1 || plan->links[inner.link].motion == SNW_BALL) {
        return reach;
    }
    int d = plan->links[inner.link].dof;
    double value = state->values[plan->links[inner.link].value];
    Swing swing = swing_of(reach.pivot, inner.place,
        snw_link_axis(&plan->links[inner.link], &state->rotation[inner.link]), end);
    bound_by_hinge(&swing, limits ? plan->range_lower[d] - value : -INFINITY,
        limits ? plan->range_upper[d] - value : INFINITY, &reach.longest, &reach.shortest);
    return reach;
}

// ---------------------------------------------------------------------------------------------
// Goals beyond all bones

// how far a link's own motion takes what hangs on it, metres
static double slide_length(
    const snw_Plan *plan, const snw_Link *link, const snw_State *carrier, bool limits)
{
    if (link->motion == SNW_BALL || snw_motion_is_hinge(link->motion)) { return 0.0; }
    if (link->dof < 0) { return fabs(carrier->values[link->value]); }
    if (!limits) { return INFINITY; }
    return fmax(fabs(plan->range_lower[link->dof]), fabs(plan->range_upper[link->dof]));
}

// all moving links, those above first: chains of many goals share most of theirs
static void span_links(
    const snw_Plan *plan, const snw_State *carrier, bool limits, snw_Span *out_spans)
{
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        double own = slide_length(plan, link, carrier, limits);
        if (link->parent < plan->static_link_count) {
            out_spans[l] = (snw_Span){ l, own };
            continue;
        }
        const snw_Span *above = &out_spans[link->parent];
        out_spans[l] = (snw_Span){ above->first,
            above->longest + sinew_vec3_length(link->offset) + own };
    }
}

// where a chain begins, world
static sinew_Vec3 pivot_of(const snw_Plan *plan, const snw_State *carrier, int first)
{
    const snw_Link *link = &plan->links[first];
    if (link->parent < 0) { return link->offset; }
    return sinew_vec3_add(carrier->position[link->parent],
        sinew_mat3_mul_vec3(carrier->rotation[link->parent], link->offset));
}

bool snw_reach_is_passed(const snw_Plan *plan, const snw_Targets *targets, const snw_State *carrier,
    bool limits, double tolerance, snw_Span *spans, double *out_least2)
{
    bool passed = false;
    span_links(plan, carrier, limits, spans);
    *out_least2 = 0.0;
    for (int e = 0; e < plan->effector_count; ++e) {
        const snw_Effector *effector = &plan->effectors[e];
        if (!effector->position || effector->task >= 0 || effector->link < plan->static_link_count
            || !(targets->position_scale[e] > 0.0)) {
            continue;
        }
        const snw_Span *span = &spans[effector->link];
        sinew_Vec3 pivot = pivot_of(plan, carrier, span->first);
        double length = span->longest + sinew_vec3_length(effector->offset);
        double miss = sinew_vec3_distance(targets->position[e], pivot) - length;
        passed = passed || miss > tolerance;
        double scaled = miss > 0.0 ? targets->position_scale[e] * miss : 0.0;
        *out_least2 += scaled * scaled;
    }
    return passed;
}
