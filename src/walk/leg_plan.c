// Where the tip of a leg lands, of bodies that stand on points: around where it would stand at rest, by a cost.

#include "walk/walker_legs.h"

// From this speed on a leg uses all of its reach, in units of sqrt(g L).
#define MOVING 0.2
#define LEAST_PACE 0.5
// Most that the body comes down for a foothold, lengths of the leg.
#define MOST_DROP 0.20
// Ground is tested for edges this far around a foothold, lengths of the leg.
#define MARGIN 0.07
// Steeper than this is an edge, tangent.
#define EDGE 0.85
// Rings of places around the wanted one, lengths of the leg.
#define RINGS 4
#define RING 0.075
#define SPOKES 8
// Nearer to another foot than this is too near, lengths of the leg.
#define ROOM 0.16
// A place costs its distance from the wanted one and what the body comes down for it, lengths of the leg; and, for each
// length that it is from the plan so far, by which a leg under way keeps to its plan;
#define COST_LEAVING 0.5
// for all of its reach, in parts, that it takes beyond what a foothold may;
#define COST_REACH 6.0
// where all that surrounds it is much higher or lower, in parts: tips do not stand on the edges of stairs;
#define COST_EDGES 2.0
// for each length that it is too near to another foot.
#define COST_NEAR 4.0
// A wanted place that costs no more than this is taken without a search; another one has to be better by more than rounding.
#define FREE_COST 0.02
#define LEAST_GAIN 1e-9

/// What a place is judged by.
typedef struct Wish {
    sinew_Vec3 wanted;
    const sinew_Vec3 *kept;  ///< plan so far, or NULL
    sinew_Transform landing; ///< the body then
    double margin;
    double most_share; ///< of the reach
} Wish;

// by what is remembered: beside an edge as high as its upper side
static sinew_Vec3 on_ground(snw_View *view, double x, double z)
{
    return sinew_vec3(x, snw_view_height(view, x, z, NULL), z);
}

// a place of the ground that was remembered, asked for its own height
static sinew_Vec3 as_it_is(snw_View *view, sinew_Vec3 place)
{
    return sinew_vec3(place.x, snw_view_ask(view, place.x, place.z), place.z);
}

static double level_distance(sinew_Vec3 a, sinew_Vec3 b)
{
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

// sines of their directions
static const double spokes[SPOKES] = { 0.0, 0.70710678118654752, 1.0, 0.70710678118654752, 0.0,
    -0.70710678118654752, -1.0, -0.70710678118654752 };

// share of the surroundings that is much higher or lower, or in a cell with an edge: which place of it is free is not asked
static double edges_at(snw_View *view, sinew_Vec3 at, double margin)
{
    double edges = 0.0;
    for (int k = 0; k < SPOKES; ++k) {
        bool is_edge;
        const double x = margin * spokes[k], z = margin * spokes[(k + 2) % SPOKES];
        double y = snw_view_height(view, at.x + x, at.z + z, &is_edge);
        if (is_edge || fabs(y - at.y) > EDGE * margin) { edges += 1.0 / SPOKES; }
    }
    return edges;
}

// Share of the reach that a place takes at landing. For one that is too low the body comes down; *out_drop:
// by so much.
static double share_at_landing(
    const snw_WalkBody *body, const Wish *wish, int index, sinew_Vec3 place, double *out_drop)
{
    const snw_WalkLegBody *leg = &body->legs[index];
    sinew_Vec3 off = snw_legs_off(body, &wish->landing, index, place);
    double drop = snw_min(MOST_DROP * body->length, snw_max(0.0, leg->reach.low - off.y));
    off.y += drop;
    *out_drop = drop;
    return snw_leg_reach_share(&leg->reach, off);
}

static double cost_of(const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index,
    const Wish *wish, sinew_Vec3 place)
{
    double length = body->length;
    double drop, share = share_at_landing(body, wish, index, place, &drop);
    double cost = (level_distance(place, wish->wanted) + drop) / length;
    if (wish->kept != NULL) { cost += COST_LEAVING * level_distance(place, *wish->kept) / length; }
    cost += COST_REACH * snw_max(0.0, share - wish->most_share);
    cost += COST_EDGES * edges_at(view, place, wish->margin);
    for (int i = 0; i < body->leg_count; ++i) {
        if (i == index) { continue; }
        const sinew_Vec3 stands = snw_legs_foothold(&state->legs[i]);
        double near = ROOM * length - level_distance(place, stands);
        if (near > 0.0) { cost += COST_NEAR * near / length; }
    }
    return cost;
}

// towards where the leg hangs at landing, until it is inside the reach
static sinew_Vec3 pull_in(const snw_WalkBody *body, snw_View *view, const snw_Legs *state,
    const snw_WalkRoot *landing, int index, const Wish *wish)
{
    sinew_Vec3 hang = snw_legs_rest_place(body, state, landing, index), place = wish->wanted;
    for (int i = 0; i < 4; ++i) {
        double drop, share = share_at_landing(body, wish, index, place, &drop);
        if (share <= wish->most_share) { break; }
        double keep = snw_max(0.3, 0.97 * wish->most_share / share);
        place = on_ground(view, snw_mix(hang.x, place.x, keep), snw_mix(hang.z, place.z, keep));
    }
    return place;
}

// where the leg stands at rest, shifted along its way to the middle of its reach
static sinew_Vec3 middle_of_stance(
    const snw_WalkBody *body, const snw_Legs *state, const snw_WalkRoot *middle, int index)
{
    sinew_Vec3 place = snw_legs_rest_place(body, state, middle, index), way;
    sinew_Steering motion = { middle->forward, middle->left, middle->turn };
    double speed = snw_legs_foothold_speed(body, index, &motion, &way), shift, s, c;
    (void)snw_legs_stance_room(body, state, index, way, &shift);
    shift *= snw_smoothstep(speed / (MOVING * sqrt(SNW_GRAVITY * body->length)));
    sinew_sincos(middle->heading, &s, &c);
    place.x += shift * (way.z * s + way.x * c);
    place.z += shift * (way.z * c - way.x * s);
    return place;
}

sinew_Vec3 snw_leg_plan(const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index,
    double until_landing, const sinew_Vec3 *kept)
{
    // a body that waits will go on once this leg has landed
    double pace = snw_max(LEAST_PACE, state->pace);
    double stance = 0.5 * state->gait.duty * state->period;
    snw_WalkRoot landing = snw_root_predict(&state->root, &state->wanted, pace * until_landing);
    snw_WalkRoot middle = snw_root_predict(
        &state->root, &state->wanted, pace * (until_landing + stance));
    sinew_Vec3 rest = middle_of_stance(body, state, &middle, index);
    Wish wish = { .kept = kept };
    wish.most_share = SNW_LEGS_WAIT_SHARE - snw_legs_kept_for_heights(body, state);
    wish.landing = snw_legs_hips_at(state, &landing);
    wish.wanted = on_ground(view, rest.x, rest.z);
    wish.margin = MARGIN * body->length;
    wish.wanted = pull_in(body, view, state, &landing, index, &wish);

    // good enough without a search, on ground without edges
    sinew_Vec3 best = wish.wanted;
    double least = cost_of(body, view, state, index, &wish, best);
    double good = FREE_COST;
    if (kept != NULL) { good += COST_LEAVING * level_distance(best, *kept) / body->length; }
    if (least <= good) { return as_it_is(view, best); }
    for (int ring = 1; ring <= RINGS; ++ring) {
        for (int k = 0; k < SPOKES; ++k) {
            double s, c, radius = ring * RING * body->length;
            sinew_sincos(2.0 * SINEW_PI * k / SPOKES + state->root.heading, &s, &c);
            sinew_Vec3 place = on_ground(
                view, wish.wanted.x + radius * s, wish.wanted.z + radius * c);
            double cost = cost_of(body, view, state, index, &wish, place);
            if (cost < least - LEAST_GAIN) {
                least = cost;
                best = place;
            }
        }
    }
    return as_it_is(view, best);
}
