// Where a foot lands, of two legs as people walk: below the place where the hips will be in the middle of its stance, or as near to it as
// the ground is good.

#include "walk/core.h"

#include "math/trig.h"

// Forwards a foot is placed for so many periods before its mid-stance: people land ahead of themselves.
#define LOOK_LESS 0.045
// Half of the width between the feet, and the least sideways distance of one from the other, L.
#define HALF_WIDTH 0.060
#define LEAST_ASIDE 0.085
// How far before and behind the other foot a foot may land, and how far aside, L.
#define FARTHEST_AHEAD 1.0
#define FARTHEST_BEHIND 0.6
#define FARTHEST_ASIDE 0.55
// Of a run, whose feet land nearly in one line, and as far ahead as it takes: half the width, L; and from landing to
// mid-stance, share of the stance: farther ahead they brake.
#define RUN_HALF_WIDTH 0.035
#define RUN_LOOK 0.33
// Who stops and has time puts a foot that would land so near, L, abreast of the other one.
#define CLOSES 0.12
// Most that feet turn against each other in one step, radians.
#define MOST_TURN 0.85
#define TOE_OUT (5.0 * SNW_DEGREE)
// Rings around the ideal place that are tried, metres at L = 0.9.
#define RING 0.04
enum { RINGS = 7, DIRECTIONS = 8 };
// A plan is kept while what is wanted stays within this of what it was made for, metres and radians: a foot that
// is led to a new place each few ticks is never on its own way.
#define SAME_PLACE 0.0125
#define SAME_HEADING 0.015
// A new place no farther from the planned one than this is the same, metres.
#define STAYS 0.002
// What a place costs. For each metre that it is shifted from the wished one, and for each cubic metre: a short shift is
// nearly free, a long one for what only a very bad place is worth.
#define COST_SHIFT 1.5
#define COST_FAR_SHIFT 20.0
// For each metre that it is from the one that the foot is on its way to: a swing keeps to its plan.
#define COST_LEAVING 0.8
// For each metre that it is nearer to the line of the other foot than it may, or across it.
#define COST_CROSSING 8.0
// For all of a sole that nothing is below, in parts: on stairs feet land on treads and not on their edges.
#define COST_OVERHANG 6.0
// For each metre that the toes would be in the ground with their joint at its end, as against a riser.
#define COST_DEPTH 30.0
// For each metre that it is higher or lower than one step may be, and out of reach of its hip when it lands.
#define COST_REACH 12.0
// For a wall before the toes or behind the heel, which a foot that pitches or turns would meet.
#define COST_WALL 0.6
// An ideal place that costs no more than this is taken without a look around.
#define FREE_COST 0.02
// No place is farther from that one than the foot can be turned to, but for this share.
#define SHIFT_SLACK 1.01
// How fast hips are let down to a new foothold, m/s^2: less than the carry may, which has more to do.
#define PLANNED_FALL 5.0
// Hips that fall as a foot lands fall on for so long, seconds, for which its heel is up already: else it leaps up, and the
// knee bends twice as fast.
#define FALLS_ON 0.03
// Most that the last steps of who stops go up or down, beyond the slope of the ground, metres: less than any step of
// stairs, so that both feet come to one tread; with more the root is left ahead of its feet.
#define MOST_STOP_RISE 0.05
// A place that would have to be drawn in to less than this share of its distance is left to the search.
#define LEAST_DRAWN 0.5
// A led root that is farther from a foot has lost it, L.
#define LOST 1.3
// A foot that is on its way turns as its tips would go, so far from its ankle, metres.
#define TURNS_ON 0.3
// A wall this near to heel or tip, and this high, is in the way, metres.
#define WALL_REACH 0.04
#define WALL_HEIGHT 0.06

/// What a foothold is judged by.
typedef struct Wish {
    double x, z, heading; ///< of the ideal place
    double way;           ///< heading of the body then
    sinew_Vec3 hip;       ///< at landing; its height is the lowest that it can have by then
    snw_Foothold other;
    double side;            ///< 1 left, -1 right
    const sinew_Vec3 *goal; ///< of the way it is on; NULL: none
    snw_CoreHold hold;      ///< to that
    double least_aside;     ///< of the other foot, L
    double most_rise;       ///< against the other foot, metres
    bool stops;             ///< the body comes to rest on it
} Wish;

/// How low the hips can be let down in so many seconds; a runner's fall as far as they must.
static double lowest_hips(const snw_Core *state, double time)
{
    if (state->run.value > 0.0) { return -(double)INFINITY; }
    return state->height.value + (state->height.speed - 0.5 * PLANNED_FALL * time) * time;
}

/// How high the hips are when a foot lands at a height while the other one stands at another.
static double landing_hips(const snw_WalkBody *body, double lowest, double height, double other)
{
    return snw_max(lowest, snw_min(height, other) + SNW_CORE_LANDING_HIPS * body->length);
}

/// How far the ankle of a foot on the ground at a height would be out of reach when it lands.
static double over_reach(const snw_WalkBody *body, const snw_WalkLegBody *sizes, const Wish *wish,
    double x, double height, double z)
{
    sinew_Vec3 ankle = { x, height + sizes->ankle_height, z }, hip = wish->hip;
    hip.y = landing_hips(body, hip.y, height, wish->other.ground.y);
    return sinew_vec3_distance(hip, ankle) - SNW_CORE_LANDING_REACH * (sizes->thigh + sizes->shank);
}

/// Bring an ideal place nearer to the hip until it is in reach when it lands.
static void draw_in(
    const snw_WalkBody *body, const snw_WalkLegBody *sizes, snw_View *view, Wish *wish)
{
    double height = snw_view_height(view, wish->x, wish->z, NULL);
    double over = over_reach(body, sizes, wish, wish->x, height, wish->z);
    if (over <= 0.0) { return; }
    double dx = wish->x - wish->hip.x, dz = wish->z - wish->hip.z, far = sqrt(dx * dx + dz * dz);
    double reach = SNW_CORE_LANDING_REACH * (sizes->thigh + sizes->shank);
    double level = (reach + over) * (reach + over) - far * far; // how high the hip is, squared
    double most = sqrt(snw_positive(reach * reach - level));
    if (far < 1e-6 || most < LEAST_DRAWN * far) { return; }
    wish->x = wish->hip.x + dx * most / far;
    wish->z = wish->hip.z + dz * most / far;
}

/// Bring an ideal place nearer to beside the other foot until it is no higher or lower than people step at once.
static void draw_down(
    const snw_WalkBody *body, snw_View *view, const snw_WalkRoot *there, Wish *wish)
{
    const double length = body->length;
    const sinew_Vec3 *stays = &wish->other.ground;
    double rise = fabs(snw_view_height(view, wish->x, wish->z, NULL) - stays->y);
    double most = SNW_CORE_STEP_RISE * length / SNW_USUAL_LEG;
    if (rise <= most) { return; }
    const snw_LevelWay step = snw_root_to_body(there, wish->x - stays->x, wish->z - stays->z);
    const double wide = snw_positive(wish->side * step.aside - 2.0 * HALF_WIDTH * length);
    const double back = most / rise - 1.0;
    const sinew_Vec3 drawn = snw_root_to_world(there, back * step.ahead, back * wish->side * wide);
    wish->x += drawn.x;
    wish->z += drawn.z;
}

/// Draw a place to where a step goes from the other foot, which stands until then.
static void keep_to_step(
    const snw_WalkBody *body, const snw_Core *state, const snw_WalkRoot *there, Wish *wish)
{
    const sinew_Vec3 *stays = &wish->other.ground;
    const double length = body->length;
    const snw_LevelWay step = snw_root_to_body(there, wish->x - stays->x, wish->z - stays->z);
    const double ahead = step.ahead, off = wish->side * step.aside;
    const double farthest = state->run.value > 0.0 ? (double)INFINITY : FARTHEST_AHEAD * length;
    double to = snw_clamp(ahead, -FARTHEST_BEHIND * length, farthest);
    if (state->is_walking && snw_core_is_stopping(state)) {
        // the last step of who stops brings the feet abreast, wherever between them the root is
        const double close = CLOSES * length * state->life.calm;
        to -= snw_clamp(to, -close, close);
    }
    double near = to - ahead;
    double over = snw_clamp(off, wish->least_aside * length, FARTHEST_ASIDE * length) - off;
    const sinew_Vec3 drawn = snw_root_to_world(there, near, wish->side * over);
    wish->x += drawn.x;
    wish->z += drawn.z;
}

/// A foot that a root from outside has left far behind holds no step back: it counts as if it stood below the body.
static void stand_for_lost(
    const snw_WalkBody *body, snw_View *view, const snw_WalkRoot *then, Wish *wish)
{
    sinew_Vec3 *at = &wish->other.ground;
    const double dx = at->x - then->x, dz = at->z - then->z, far = LOST * body->length;
    if (!then->is_led || dx * dx + dz * dz < far * far) { return; }
    const double aside = -wish->side * HALF_WIDTH * body->length;
    *at = snw_root_beside(then, aside);
    at->y = snw_view_height(view, at->x, at->z, NULL);
    wish->other.heading = then->heading;
}

static Wish find_wish(const snw_WalkBody *body, snw_View *view, int index, const snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    double lands = snw_core_landing_time(state, &state->legs[index]);
    double look = (SNW_CORE_MID_STANCE - LOOK_LESS * state->forwardness) * state->period;
    double run = state->run.value;
    look = snw_mix(look, RUN_LOOK * state->stance * state->period, run);
    if (run > 0.0) {
        // square to the ground: a leg is as long ahead as it is behind on slopes as well
        double ahead = SNW_CORE_RUN_HEIGHT * body->length * state->slope;
        look += run * ahead / snw_max(1.0, state->root.forward);
    }
    if (!state->is_walking) { look = 0.0; }
    snw_WalkRoot there = snw_core_later(state, lands + look);
    snw_WalkRoot then = snw_core_later(state, lands);
    Wish wish;
    wish.side = sizes->hip.x >= 0.0 ? 1.0 : -1.0;
    const snw_CoreLeg *other = &state->legs[1 - index];
    // of two feet in the air the one that lands before
    bool lands_before = other->is_swinging && other->phase > state->legs[index].phase;
    const bool flies = snw_core_has_flight(state);
    wish.other = lands_before ? other->swing.to : other->at;
    stand_for_lost(body, view, &then, &wish);
    wish.heading = there.heading + wish.side * TOE_OUT;
    // no farther than its thigh turns when it lands
    wish.heading = snw_clamp(
        wish.heading, then.heading - sizes->twist, then.heading + sizes->twist);
    double aside = wish.side * snw_mix(HALF_WIDTH, RUN_HALF_WIDTH, run) * body->length;
    // who leans into a curve stands outside of it
    aside -= body->length * snw_core_lean_into(state, &there);
    if (!state->is_walking) { aside = sizes->hip.x; }
    const sinew_Vec3 ideal = snw_root_beside(&there, aside);
    wish.way = there.heading;
    wish.x = ideal.x;
    wish.z = ideal.z;
    // runners' feet never stand beside each other: in a turn the last one stood far to the inside of the next
    wish.least_aside = flies ? -(double)INFINITY : (1.0 - run) * LEAST_ASIDE;
    // one that flies and lands later is in nobody's way
    if (!flies || !other->is_swinging || lands_before) {
        double stood = wish.other.heading + wish.side * 2.0 * TOE_OUT;
        const double most = snw_min(MOST_TURN, body->legs[0].twist + body->legs[1].twist);
        wish.heading = snw_clamp(wish.heading, stood - most, stood + most);
        keep_to_step(body, state, &there, &wish);
    }
    snw_bounds_keep_foot(
        sizes, &body->girth, &state->bounds, &state->root, wish.heading, &wish.x, &wish.z);
    wish.hip = snw_root_beside(&then, sizes->hip.x);
    wish.hip.y = lowest_hips(state, lands);
    wish.goal = NULL;
    wish.stops = state->is_walking && snw_core_is_stopping(state);
    wish.most_rise = (wish.stops ? MOST_STOP_RISE : SNW_CORE_STEP_RISE) * body->length
        / SNW_USUAL_LEG;
    if (run <= 0.0) { draw_down(body, view, &there, &wish); }
    draw_in(body, sizes, view, &wish);
    return wish;
}

/// Pitch of the landing: the heel first, backwards the toes.
static double landing_pitch(const snw_WalkLegBody *sizes, const snw_Core *state)
{
    const snw_GaitNumbers *gait = sizes->gait;
    double f = state->forwardness, m = snw_clamp(state->moving.value, 0.0, 1.0);
    double pitch = f >= 0.0 ? gait->heel_pitch * SNW_DEGREE * f
                            : 0.45 * gait->push_pitch * SNW_DEGREE * f;
    return pitch * state->amplitude * m;
}

/// Whether a wall stands close before the toes or behind the heel; heading_s, heading_c: of the foot.
static bool is_by_wall(const snw_WalkLegBody *sizes, snw_View *view, const snw_CoreFit *fit,
    double heading_s, double heading_c)
{
    double ends[2] = { sizes->tip + WALL_REACH, sizes->heel - WALL_REACH };
    double level = 1.0 / sqrt(1.0 + fit->along * fit->along);
    for (int i = 0; i < 2; ++i) {
        double far = ends[i] * level, y = fit->ground.y + far * fit->along;
        double x = fit->ground.x + far * heading_s, z = fit->ground.z + far * heading_c;
        if (snw_view_height(view, x, z, NULL) - y > WALL_HEIGHT) { return true; }
    }
    return false;
}

double snw_core_objections(
    const snw_WalkLegBody *sizes, snw_View *view, const snw_CoreFit *fit, double heading)
{
    double s, c;
    sinew_sincos(heading, &s, &c);
    return COST_OVERHANG * fit->overhang + COST_DEPTH * fit->depth
        + (is_by_wall(sizes, view, fit, s, c) ? COST_WALL : 0.0);
}

/// What it costs to leave the way that the foot is on; infinity where it can no longer be turned to.
static double keep_cost(const Wish *wish, double x, double z)
{
    if (wish->goal == NULL) { return 0.0; }
    double dx = x - wish->goal->x, dz = z - wish->goal->z, d = sqrt(dx * dx + dz * dz);
    return d > SHIFT_SLACK * wish->hold.most_shift ? (double)INFINITY : COST_LEAVING * d;
}

/// What a foothold costs for where it is alone: as near to the ideal, and on its own side of the other foot.
static double cost_of_place(const snw_WalkBody *body, const Wish *wish, double x, double z)
{
    double dx = x - wish->x, dz = z - wish->z, d = sqrt(dx * dx + dz * dz), s, c;
    sinew_sincos(wish->way, &s, &c);
    double ox = x - wish->other.ground.x, oz = z - wish->other.ground.z;
    double aside = wish->side * (ox * c - oz * s);
    double cost = COST_SHIFT * d + COST_FAR_SHIFT * d * d * d
        + COST_CROSSING * snw_positive(wish->least_aside * body->length - aside);
    return cost + keep_cost(wish, x, z);
}

/// Whether a place is not on the step that the foot is on its way to, if it keeps to that.
static bool is_off_step(const Wish *wish, const sinew_Vec3 *at)
{
    return wish->goal != NULL && wish->hold.keeps_step
        && fabs(at->y - wish->goal->y) > SNW_VIEW_EDGE;
}

static double cost_of(const snw_WalkBody *body, const snw_WalkLegBody *sizes, snw_View *view,
    const Wish *wish, const snw_CoreFit *fit)
{
    const sinew_Vec3 *at = &fit->ground;
    double ox = at->x - wish->other.ground.x, oz = at->z - wish->other.ground.z;
    if (is_off_step(wish, at)) { return (double)INFINITY; }
    // who stops comes to one tread; ground that is steep rises by itself
    double rise = fabs(at->y - wish->other.ground.y);
    if (wish->stops) { rise -= fit->slope * sqrt(ox * ox + oz * oz); }
    return cost_of_place(body, wish, at->x, at->z)
        + snw_core_objections(sizes, view, fit, wish->heading)
        + COST_REACH * snw_positive(rise - wish->most_rise)
        + COST_REACH * snw_positive(over_reach(body, sizes, wish, at->x, at->y, at->z));
}

/// Draw a wish in to what a foot that is on its way to a place can still be turned to.
static void keep_near(const snw_Foothold *goal, const snw_CoreHold *hold, Wish *wish)
{
    const sinew_Vec3 *at = &goal->ground;
    const double most_shift = hold->most_shift, most_turn = most_shift / TURNS_ON,
                 turn = snw_least_turn(goal->heading, wish->heading);
    wish->goal = at;
    wish->hold = *hold;
    wish->heading = goal->heading + snw_clamp(turn, -most_turn, most_turn);
    double dx = wish->x - at->x, dz = wish->z - at->z, d = sqrt(dx * dx + dz * dz);
    if (d <= most_shift) { return; }
    wish->x = at->x + dx * most_shift / d;
    wish->z = at->z + dz * most_shift / d;
}

/// Where the hip of a moving leg is when it lands.
typedef struct LandingHip {
    sinew_Vec3 at;
    snw_CorePelvis pelvis;
} LandingHip;

static LandingHip find_landing_hip(const snw_WalkBody *body, int index, const snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_CoreLeg *leg = &state->legs[index];
    const snw_CoreSwing *swing = &leg->swing;
    const double lands = snw_core_landing_time(state, leg), sway = state->sway.value;
    const snw_WalkRoot then = snw_core_later(state, lands);
    const double s = then.sine, c = then.cosine;
    // with the sway of now, which the place that is wished for knows nothing of
    sinew_Vec3 hip = snw_root_beside(&then, sizes->hip.x);
    hip.x += sway * c;
    hip.z -= sway * s;
    // hips come down as far as the leg reaches the foothold
    const sinew_Vec3 to = swing->to.ground;
    const double reach = SNW_CORE_LANDING_REACH * (sizes->thigh + sizes->shank);
    const double high = to.y + sizes->ankle_height + snw_core_hip_over(hip, to, reach * reach);
    hip.y = snw_min(state->height.value, snw_max(high, lowest_hips(state, lands)));
    const snw_CorePelvis pelvis = snw_core_pelvis(&state->hips);
    return (LandingHip){ hip,
        snw_core_pelvis_turned(&pelvis, s * state->root.cosine - c * state->root.sine,
            c * state->root.cosine + s * state->root.sine) };
}

/// The hip of a foot that has landed, a moment later: hips that fall then go on falling.
static sinew_Vec3 hip_after(const snw_Core *state, sinew_Vec3 hip, double time)
{
    const snw_WalkRoot *root = &state->root;
    hip.x += time * (root->forward * root->sine + root->left * root->cosine);
    hip.y += time * (state->height.speed + 0.5 * PLANNED_FALL * time);
    hip.z += time * (root->forward * root->cosine - root->left * root->sine);
    return hip;
}

/// The pitch of a landing that the leg will be able to hold, then and a moment later.
static double landing_goal(
    const snw_WalkBody *body, int index, const snw_Core *state, const LandingHip *hip)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_Foothold *to = &state->legs[index].swing.to;
    double natural = landing_pitch(sizes, state);
    double held = snw_core_project(sizes, to, natural, hip->at, &hip->pelvis, NULL);
    const double falls = snw_clamp(-state->height.speed / PLANNED_FALL, 0.0, FALLS_ON);
    if (falls > 0.0) {
        const sinew_Vec3 later = hip_after(state, hip->at, falls);
        held = snw_min(held, snw_core_project(sizes, to, natural, later, &hip->pelvis, NULL));
    }
    // toes do not rise for a foothold that is far: the hips come down
    return snw_min(held, snw_max(0.0, natural));
}

double snw_core_eased(const snw_CoreSwing *swing, double time)
{
    const double most = SNW_CORE_EASE_SPEED * time;
    return swing->landing_pitch
        + snw_clamp(swing->landing_goal - swing->landing_pitch, -most, most);
}

void snw_core_ease(const snw_WalkBody *body, double h, int index, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreSwing *swing = &state->legs[index].swing;
    const LandingHip hip = find_landing_hip(body, index, state);
    swing->landing_goal = landing_goal(body, index, state, &hip);
    swing->landing_pitch = snw_core_eased(swing, h);
    double bank = snw_core_bank(sizes, &swing->to, swing->landing_pitch, hip.at);
    swing->landing_bank = snw_core_bank_on(swing->landing_bank, bank, h);
}

/// Whether a plan is for another place than this.
static bool is_new_wish(const Wish *wish, const snw_CoreSwing *swing)
{
    double dx = wish->x - swing->wish_x, dz = wish->z - swing->wish_z;
    return dx * dx + dz * dz > SAME_PLACE * SAME_PLACE
        || fabs(wish->heading - swing->wish_heading) > SAME_HEADING;
}

/// Whether a place is the one that a plan is for.
static bool is_planned(const sinew_Vec3 *place, double heading, const snw_CoreSwing *swing)
{
    double dx = place->x - swing->to.ground.x, dz = place->z - swing->to.ground.z;
    return dx * dx + dz * dz < STAYS * STAYS && fabs(heading - swing->to.heading) < SAME_HEADING;
}

/// The best of the ideal place and rings around it, by what is remembered of the ground.
static sinew_Vec3 search(
    const snw_WalkBody *body, const snw_WalkLegBody *sizes, snw_View *view, const Wish *wish)
{
    static const double ways[DIRECTIONS][2] = { { 0.0, 1.0 }, { 0.0, -1.0 }, { 1.0, 0.0 },
        { -1.0, 0.0 }, { 0.7071, 0.7071 }, { -0.7071, 0.7071 }, { 0.7071, -0.7071 },
        { -0.7071, -0.7071 } };
    snw_CoreFit fit = snw_core_judge(sizes, view, wish->x, wish->z, wish->heading);
    double least = cost_of(body, sizes, view, wish, &fit), s, c;
    sinew_Vec3 best = fit.ground;
    sinew_sincos(wish->heading, &s, &c);
    double ring = RING * body->length / SNW_USUAL_LEG;
    bool is_free = least <= FREE_COST + keep_cost(wish, wish->x, wish->z);
    if (wish->goal != NULL && !is_free) {
        fit = snw_core_judge(sizes, view, wish->goal->x, wish->goal->z, wish->heading);
        double cost = cost_of(body, sizes, view, wish, &fit);
        if (cost < least) {
            least = cost;
            best = fit.ground;
        }
    }
    for (int r = 1; r <= RINGS && !is_free; ++r) {
        // what a farther place costs for its shift alone is more than this one does
        if (COST_SHIFT * r * ring >= least) { break; }
        for (int d = 0; d < DIRECTIONS; ++d) {
            double aside = r * ring * ways[d][0], ahead = r * ring * ways[d][1];
            double x = wish->x + aside * c + ahead * s, z = wish->z - aside * s + ahead * c;
            if (cost_of_place(body, wish, x, z) >= least) { continue; }
            fit = snw_core_judge(sizes, view, x, z, wish->heading);
            double cost = cost_of(body, sizes, view, wish, &fit);
            if (cost < least) {
                least = cost;
                best = fit.ground;
            }
        }
    }
    return best;
}

bool snw_core_foresee(const snw_WalkBody *body, snw_View *view, int index, const snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    Wish wish = find_wish(body, view, index, state);
    snw_CoreFit fit = snw_core_judge(sizes, view, wish.x, wish.z, wish.heading);
    return cost_of(body, sizes, view, &wish, &fit) <= FREE_COST;
}

bool snw_core_put(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    bool is_there = true;
    snw_Foothold *feet[2];
    snw_CoreFit fits[2];
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        feet[i] = leg->is_swinging ? &leg->swing.to : &leg->at;
        const sinew_Vec3 at = feet[i]->ground;
        *feet[i] = snw_core_fit(&body->legs[i], view, at.x, at.z, feet[i]->heading, &fits[i]);
    }
    for (int i = 0; i < 2; ++i) {
        const snw_WalkLegBody *sizes = &body->legs[i];
        const double heading = feet[i]->heading;
        if (snw_core_objections(sizes, view, &fits[i], heading) <= FREE_COST) { continue; }
        Wish wish = { .x = feet[i]->ground.x, .z = feet[i]->ground.z, .heading = heading };
        wish.way = state->root.heading;
        wish.side = sizes->hip.x >= 0.0 ? 1.0 : -1.0;
        wish.hip = snw_root_beside(&state->root, sizes->hip.x);
        wish.hip.y = -(double)INFINITY;
        wish.other = *feet[1 - i];
        wish.least_aside = LEAST_ASIDE;
        wish.most_rise = MOST_STOP_RISE * body->length / SNW_USUAL_LEG;
        wish.stops = true;
        const sinew_Vec3 best = search(body, sizes, view, &wish);
        *feet[i] = snw_core_fit(sizes, view, best.x, best.z, heading, NULL);
        is_there = false;
    }
    return is_there;
}

bool snw_core_place(
    const snw_WalkBody *body, snw_View *view, int index, const snw_CoreHold *hold, snw_Core *state)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_CoreSwing *swing = &state->legs[index].swing;
    Wish wish = find_wish(body, view, index, state);
    bool is_first = state->legs[index].t <= 0.0;
    if (!is_first && !swing->is_guess && !is_new_wish(&wish, swing)) { return false; }
    // a plan that is there already waits until the chosen place can be asked
    if (!is_first && view->allowance < SNW_CORE_SOLE) { return false; }
    const int guesses = view->guess_count;
    view->allowance -= SNW_CORE_SOLE;
    swing->wish_x = wish.x;
    swing->wish_z = wish.z;
    swing->wish_heading = wish.heading;
    const snw_Foothold goal = swing->to;
    if (!is_first) { keep_near(&goal, hold, &wish); }
    sinew_Vec3 best = search(body, sizes, view, &wish);
    view->allowance += SNW_CORE_SOLE;
    if (!is_first && !swing->is_guess && is_planned(&best, wish.heading, swing)) { return true; }
    const snw_Foothold at = snw_core_fit(sizes, view, best.x, best.z, wish.heading, NULL);
    // ground that was guessed and is a wall is not stepped onto: a first plan is for where the foot stood
    const bool is_wall = at.ground.y - best.y > SNW_CORE_WALL * body->length;
    if (!is_wall) {
        swing->to = at;
    } else if (is_first) {
        swing->to = state->legs[index].at;
    }
    swing->is_guess = is_wall || view->guess_count > guesses;
    if (is_first) { swing->landing_pitch = landing_pitch(sizes, state); }
    const LandingHip hip = find_landing_hip(body, index, state);
    swing->landing_goal = landing_goal(body, index, state, &hip);
    return true;
}
