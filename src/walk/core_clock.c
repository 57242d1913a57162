// Steering, pace and the cycle; the root, and what legs have to say to its speed.

#include "walk/core.h"

// What a body can do at L = 0.9 m; m/s, rad/s, m/s^2.
#define FASTEST_BACK 1.0
#define FASTEST_ASIDE 0.7
#define FASTEST_TURN 2.6
#define MOST_CENTRIPETAL 2.4
#define MOST_CENTRIPETAL_RUN 5.0
// How fast a run goes up or down, m/s at L = 0.9: the best run a kilometre of height at 0.57.
#define FASTEST_CLIMB 0.6
// Who walks so fast is slowed by the whole of what a slope slows, m/s at L = 0.9.
#define USUAL_WALK 1.3
// Crouched as low as it goes a body is slower by this share.
#define CROUCH_SLOWS 0.45
// One radian per second counts as this speed for cadence, metres; most of a turn in one step, radians.
#define TURN_RADIUS 0.12
#define TURN_PER_STEP 0.62
#define QUICKEST 0.62 // seconds
// Steps are as quick as they will have to be when the next foot lands: as the mean of so many seconds from now asks for.
#define CADENCE_AHEAD 0.58
#define STANDS_UP 0.4 // m/s: legs straighten below
#define GOES_ON 0.05  // a body that moves more than this still walks, though it stands
#define FRESH 0.2     // a body that moves less than this has no cadence yet
// The shortest cycle of steps that go up or down as far as one may, s.
#define SHORTEST_RISING 0.85
// How far the hips may be from ball or heel of a planted foot, L, and farther for each unit of A beyond 1 of who strides out by
// himself: a root from outside heeds the pace too late for that.
#define LEG_ON_TOES 1.10
#define STRIDES_OUT 0.10
#define LANDS_LOW 0.957 // height of the hips over it by then, L
// When a foot lands hips have so many cycles to go until they are above it: hips that are past it already stand on a
// folded leg, whose ankle no slope of 20 degrees lets be.
#define LANDS_AHEAD 0.15
// No foot has hips sink lower over the other one than this, L: its knee folds.
#define SINKS 0.75
#define VOTE_TURN_BRAKE 12.0 // rad/s^2
#define VOTE_BRAKE 3.4       // m/s^2 more than the follower speeds up with
#define CALM 0.22            // follow time of who takes the time to shift the weight, seconds
// How fast hips come to rest over the feet, 1/s, and how much faster for each unit of hurry; the least speed at which
// they get there, m/s for each unit of hurry.
#define SETTLE_OMEGA 7.0
#define SETTLE_HURRY 11.5
#define SETTLE_SPEED 0.4
// A foot that is pitched by this carries by its ball or heel alone, radians; so far before the ball, metres.
#define CARRIES_BY_END 0.12
#define BALL_SLACK 0.03
// And so far inside of an edge that a heel sticks out over.
#define EDGE_SLACK 0.025
// A led root that is farther from the middle of standing feet, L, or turned by more, asks for steps.
#define OVER_FEET 0.11
#define OVER_FEET_TURN 0.5
// Standing feet catch a push whose capture point is no farther than this from their middle, L.
#define CAUGHT 0.25
// How fast a body slows down for swings that take longer than its pace gives them, s.
#define LATE_FOLLOW 0.5

/// What a body of its own root can do.
static sinew_Steering crop(
    const snw_WalkBody *body, const snw_Core *state, const sinew_Steering *steering)
{
    double scale = sqrt(body->length / SNW_USUAL_LEG), unit = sqrt(SNW_GRAVITY * body->length);
    sinew_Steering s = *steering;
    double fastest = s.forward >= 0.0 ? SNW_FASTEST_WALK * unit : FASTEST_BACK * scale;
    double centripetal = MOST_CENTRIPETAL;
    bool runs = false;
    const double slope = fabs(state->slope), steep = snw_max(0.0, slope - 0.08);
    const double ease = snw_max(0.4, 1.0 / (1.0 + 1.5 * steep + 1.1 * steep * steep));
    if (s.forward > fastest && state->stoop.value < 0.3) {
        const double climb = FASTEST_CLIMB * scale
            / snw_max(1e-3, snw_max(slope, state->steep_ahead) * ease);
        const double run = snw_min(snw_core_fastest_run(body), climb);
        if (run >= fastest) {
            runs = true;
            fastest = run;
            centripetal = MOST_CENTRIPETAL_RUN;
        }
    }
    fastest *= 1.0 - CROUCH_SLOWS * state->stoop.value;
    double over = snw_max(1.0, fabs(s.forward) / fastest);
    over = snw_max(over, fabs(s.left) / (FASTEST_ASIDE * scale));
    over = snw_max(over, fabs(s.turn) / FASTEST_TURN);
    over = snw_max(over, sqrt(fabs(s.forward * s.turn) / centripetal));
    if (!state->is_running) { over *= state->late; }
    if (runs) {
        over /= ease;
    } else {
        // slopes hold back who is fast: who strolls, or turns slowly, goes on nearly as on level ground
        const double quick = snw_steering_speed(&s) / (USUAL_WALK * scale)
            + fabs(s.turn) / FASTEST_TURN;
        const double share = quick / over;
        over *= sqrt(1.0 + share * share * (1.0 / (ease * ease) - 1.0));
    }
    s.forward /= over;
    s.left /= over;
    s.turn /= snw_min(over, 4.0);
    return s;
}

sinew_Steering snw_core_crop(
    const snw_WalkBody *body, const snw_Core *state, const sinew_Steering *steering)
{
    return snw_drive_drop_small(state->root.is_led ? *steering : crop(body, state, steering));
}

void snw_core_pace(const snw_WalkBody *body, const sinew_Manner *manner, double h, snw_Core *state)
{
    // with the cadence of now, the first step would be so long that the body had to wait for it
    const snw_WalkRoot ahead = snw_core_later(state, CADENCE_AHEAD);
    const snw_WalkRoot *root = &ahead;
    double unit = sqrt(SNW_GRAVITY * body->length), scale = sqrt(body->length / SNW_USUAL_LEG);
    double speed = snw_root_speed(root), turn = fabs(root->turn), aside = fabs(root->left);
    double u = (speed + turn * TURN_RADIUS) / unit;
    double period = snw_stride_period(u, body->length), shortest = SNW_SHORTEST_PERIOD * scale;
    // who backs away takes shorter steps: long ones have the hips low
    if (root->forward < 0.0) { period *= 1.0 - 0.22 * snw_min(1.0, -root->forward / 0.5); }
    if (aside > 0.05) { period = snw_min(period, snw_max(0.8 * scale, 0.42 * scale / aside)); }
    if (turn > 0.2) {
        period = snw_min(period, snw_max(QUICKEST * scale, 2.0 * TURN_PER_STEP / turn));
    }
    // steps that rise or fall do so as far as one may
    double rising = fabs(state->slope) * speed;
    double high = 2.0 * SNW_CORE_STEP_RISE * body->length / SNW_USUAL_LEG;
    if (rising > 1e-3) {
        period = snw_min(period, snw_max(SHORTEST_RISING * scale, high / rising));
    }
    period = snw_max(turn > 0.2 ? QUICKEST * scale : shortest, period);
    // on steps feet land where treads are: there all cycles are alike
    const snw_CoreLife *life = &state->life;
    period *= 1.0
        + life->level
            * (manner->stride * (1.0 + manner->variation * life->vary[SNW_VARY_PERIOD].value)
                - 1.0);
    double share = state->moving.value < FRESH ? 1.0 : snw_follow(h, 0.12);
    state->period += share * (period - state->period);
    // heels that rise at the end of a stance would leap with it
    state->walk_stance += share * (snw_stance_share(body->legs[0].gait, u) - state->walk_stance);
    state->stance = state->walk_stance;
    snw_core_run(body, u, h, state);

    double amplitude = snw_gait_size(snw_stride_length(u));
    double stride = speed * state->period / body->length;
    amplitude = snw_min(amplitude, snw_max(0.1, snw_gait_size(stride + SNW_STRIDE_SLACK)));
    amplitude *= manner->lift;
    state->amplitude = snw_follow_to(state->amplitude, amplitude, h, 0.12);
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        if (!leg->is_swinging) { continue; }
        double late = snw_max(1.0, leg->swing.duration / ((1.0 - state->stance) * state->period));
        state->late += snw_follow(h, LATE_FOLLOW) * (late - state->late);
    }
    double forwardness = speed > 0.02 ? root->forward / snw_max(speed, 0.15) : 0.0;
    state->forwardness = snw_follow_to(state->forwardness, forwardness, h, 0.15);
    // who stops stands up on the last step already
    bool walks = state->is_walking;
    double moves = walks ? 1.0 : 0.0;
    if (walks && snw_core_is_stopping(state)) {
        moves = snw_clamp(snw_root_speed(&state->root) / STANDS_UP, FRESH, 1.0);
    }
    snw_follower_step(&state->moving, moves, 12.0, h);
}

/// Seconds that a planted foot is needed, until the other one lands; of a moving one, until it lands itself.
static double stands_for(const snw_Core *state, int index)
{
    const snw_CoreLeg *leg = &state->legs[index], *other = &state->legs[1 - index];
    if (leg->is_swinging) { return snw_core_landing_time(state, leg); }
    double leaves = snw_core_leaves_in(state, leg);
    if (!other->is_swinging) { return leaves; }
    double lands = snw_core_landing_time(state, other);
    return snw_core_has_flight(state) ? snw_min(leaves, lands) : lands;
}

/// How far a foothold is from the root, level, and the unit vector from it, body's axes.
static double find_far(const snw_Core *state, int index, double *out_ahead, double *out_aside)
{
    const sinew_Vec3 *at = &snw_core_foothold(&state->legs[index])->ground;
    double dx = state->root.x - at->x, dz = state->root.z - at->z;
    double far = sqrt(dx * dx + dz * dz) + 1e-6;
    const snw_LevelWay way = snw_root_to_body(&state->root, dx, dz);
    *out_ahead = way.ahead / far;
    *out_aside = way.aside / far;
    return far;
}

/// How far that may be: a leg with its heel up reaches the hips from the ball; of a foot ahead, from its heel.
static double find_farthest(const snw_WalkBody *body, const snw_Core *state, int index)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const snw_Foothold *at = &state->legs[index].at;
    double dx = state->root.x - at->ground.x, dz = state->root.z - at->ground.z, s, c;
    double high = state->height.value - at->ground.y;
    const double out = state->root.is_led ? 0.0 : snw_positive(state->amplitude - 1.0);
    const double reach = (LEG_ON_TOES + STRIDES_OUT * out) * body->length;
    const double far = sqrt(dx * dx + dz * dz) + 1e-6;
    // hips that are high above it now come down until the other one lands
    high = snw_min(high, LANDS_LOW * body->length);
    sinew_sincos(at->heading, &s, &c);
    double along = (dx * s + dz * c) / far;
    return sqrt(snw_max(0.02 * reach * reach, reach * reach - high * high))
        + snw_max(along * sizes->ball, along * sizes->heel);
}

/// Most speed away from a planted foot at which it is in reach until the other one lands.
static double find_most_away(const snw_WalkBody *body, const snw_Core *state, int index,
    double *out_ahead, double *out_aside)
{
    double time = stands_for(state, index);
    double far = find_far(state, index, out_ahead, out_aside);
    // a foot that leaves while the other one stands needs no brake to follow
    double lag = state->legs[1 - index].is_swinging ? SNW_CORE_LAG : 0.0;
    return (find_farthest(body, state, index) - far)
        / (time / state->root.response.hurry + lag + 1e-3);
}

double snw_core_hurry(const snw_WalkBody *body, const snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    double hurry = 1.0, most = root->response.hurry;
    double forward = root->is_led ? root->forward : state->wanted.forward;
    double left = root->is_led ? root->left : state->wanted.left;
    if (snw_core_has_flight(state)) { return 1.0; }
    if (snw_core_is_stopping(state)) {
        // no more than what is left of its swing: hips come on and down as they were planned to
        const double t = state->legs[0].is_swinging ? state->legs[0].t : state->legs[1].t;
        return snw_mix(1.0, most, snw_smoothstep(1.0 - t));
    }
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *other = &state->legs[1 - i];
        if (state->legs[i].is_swinging || !other->is_swinging) { continue; }
        double ahead, aside, far = find_far(state, i, &ahead, &aside);
        double away = forward * ahead + left * aside;
        double time = stands_for(state, i) + SNW_CORE_LAG;
        double left_over = snw_max(1e-3, find_farthest(body, state, i) - far);
        if (away > 0.0) { hurry = snw_max(hurry, time * away / left_over); }
        if (!root->is_led) { continue; }
        double sign = root->turn >= 0.0 ? 1.0 : -1.0;
        double twist = sign * snw_least_turn(state->legs[i].at.heading, root->heading);
        hurry = snw_max(
            hurry, time * sign * root->turn / snw_max(1e-3, body->legs[i].twist - twist));
    }
    return snw_min(hurry, most);
}

/// Most speed ahead, or back, at which a moving foot lands as far before the hips as legs stand before their
/// middle. Aside a foot may come down on either side of them.
static double find_most_ahead(
    const snw_Core *state, int index, double *out_ahead, double *out_aside)
{
    const snw_CoreLeg *leg = &state->legs[index];
    const sinew_Vec3 *to = &leg->swing.to.ground;
    const snw_WalkRoot *root = &state->root;
    *out_ahead = root->forward >= 0.0 ? 1.0 : -1.0;
    *out_aside = 0.0;
    double time = snw_core_landing_time(state, leg) + LANDS_AHEAD * state->period, s, c;
    const snw_LevelWay off = snw_root_to_body(root, to->x - root->x, to->z - root->z);
    // along the chord of the way that they go
    sinew_sincos(0.5 * time * root->turn, &s, &c);
    const double way = *out_ahead * (off.ahead * c + off.aside * s);
    return snw_max(0.0, way) / time;
}

/// Who brakes goes on towards a foot that would land out of reach: hips that come to rest short of it would have to sink.
static void come_along(
    const snw_WalkBody *body, int index, const snw_Core *state, sinew_Steering *wanted)
{
    const snw_WalkLegBody *sizes = &body->legs[index];
    const double rise = state->legs[index].swing.to.ground.y
        - snw_core_foothold(&state->legs[1 - index])->ground.y;
    const double up = snw_positive(SINKS * body->length - rise - sizes->ankle_height);
    const double reach = SNW_CORE_LANDING_REACH * (sizes->thigh + sizes->shank);
    const sinew_Vec3 hip = snw_root_beside(&state->root, sizes->hip.x);
    const sinew_Vec3 *to = &state->legs[index].swing.to.ground;
    const snw_LevelWay way = snw_root_to_body(&state->root, to->x - hip.x, to->z - hip.z);
    const double far = sqrt(way.ahead * way.ahead + way.aside * way.aside) + 1e-6;
    const double short_by = far - sqrt(snw_positive(reach * reach - up * up));
    const double ahead = way.ahead / far, aside = way.aside / far;
    const double now = state->root.forward * ahead + state->root.left * aside;
    const double least = snw_min(
        now, short_by / snw_max(SNW_CORE_LAG, snw_core_landing_time(state, &state->legs[index])));
    const double lack = least - wanted->forward * ahead - wanted->left * aside;
    if (short_by <= 0.0 || lack <= 0.0) { return; }
    wanted->forward += lack * ahead;
    wanted->left += lack * aside;
}

/// Bound the speed away from a planted foot that would be out of reach before the other one lands, or past a
/// moving one before it has landed; and what is wanted of it.
static void vote(
    const snw_WalkBody *body, double h, int index, sinew_Steering *wanted, snw_Core *state)
{
    bool moves = state->legs[index].is_swinging;
    double ahead, aside;
    double most = moves ? find_most_ahead(state, index, &ahead, &aside)
                        : find_most_away(body, state, index, &ahead, &aside);
    double over = wanted->forward * ahead + wanted->left * aside - snw_max(0.0, most);
    if (over > 0.0 && (moves || state->legs[1 - index].is_swinging)) {
        wanted->forward -= over * ahead;
        wanted->left -= over * aside;
    }
    if (moves) { come_along(body, index, state, wanted); }
    double away = state->root.forward * ahead + state->root.left * aside;
    if (away <= most || away <= 0.0) { return; }
    double brake = snw_min(
        away - snw_max(0.0, most), (VOTE_BRAKE + state->root.response.acceleration) * h);
    state->root.forward -= brake * ahead;
    state->root.left -= brake * aside;
}

/// Most turn to the side of sign, rad/s, at which a planted foot is not twisted too far until the other one lands, and a
/// moving one when it lands.
static double find_most_turn(
    const snw_WalkBody *body, const snw_Core *state, int index, double sign)
{
    const snw_Foothold *at = snw_core_foothold(&state->legs[index]);
    double twist = sign * snw_least_turn(at->heading, state->root.heading);
    double time = stands_for(state, index);
    const double left = snw_positive(body->legs[index].twist - twist);
    return left / (time / state->root.response.hurry + SNW_CORE_LAG);
}

/// Bound the turn, and what is wanted of it, away from where a foot points or will.
static void vote_turn(
    const snw_WalkBody *body, double h, int index, sinew_Steering *wanted, snw_Core *state)
{
    const double side = wanted->turn >= 0.0 ? 1.0 : -1.0;
    if (state->legs[index].is_swinging || state->legs[1 - index].is_swinging) {
        wanted->turn = side
            * snw_min(side * wanted->turn, find_most_turn(body, state, index, side));
    }
    double sign = state->root.turn >= 0.0 ? 1.0 : -1.0;
    double over = sign * state->root.turn - find_most_turn(body, state, index, sign);
    if (over > 0.0) { state->root.turn -= sign * snw_min(over, VOTE_TURN_BRAKE * h); }
}

/// Take from speeds aside and turns what has a standing foot on the wrong side of the hips, no more than so much of each.
static void keep_side(double most, double side, double ahead, double most_left, double most_turn,
    double *left, double *turn)
{
    const double shift = snw_max(0.0, side * *left), swing = snw_max(0.0, side * *turn * ahead);
    const double over = side * (*left + *turn * ahead) - most;
    if (over <= 0.0 || shift + swing <= 0.0) { return; }
    const double share = snw_min(1.0, over / (shift + swing));
    *left -= side * snw_min(share * shift, most_left);
    if (swing > 0.0) {
        const double away = snw_min(share * swing / fabs(ahead), most_turn);
        *turn -= *turn > 0.0 ? away : -away;
    }
}

/// Bound ways aside and turns that would take the hips past the outer side of a planted foot, and what is wanted of them:
/// legs hardly cross.
static void vote_across(
    const snw_WalkBody *body, double h, int index, sinew_Steering *wanted, snw_Core *state)
{
    snw_WalkRoot *root = &state->root;
    double ahead, aside;
    const bool moves = state->legs[index].is_swinging;
    const double far = find_far(state, index, &ahead, &aside);
    const double side = body->legs[index].hip.x >= 0.0 ? 1.0 : -1.0;
    const double own = -side * aside * far + body->legs[index].across;
    const double time = stands_for(state, index) / root->response.hurry + SNW_CORE_LAG;
    const double most = snw_max(0.0, own) / time;
    if (moves || state->legs[1 - index].is_swinging) {
        const double any = (double)INFINITY;
        keep_side(most, side, -ahead * far, any, any, &wanted->left, &wanted->turn);
    }
    const double brake = (VOTE_BRAKE + root->response.acceleration) * h;
    keep_side(most, side, -ahead * far, brake, VOTE_TURN_BRAKE * h, &root->left, &root->turn);
}

/// Where a body comes to rest over a standing foot: below its ankle, or farther ahead where its heel is beyond an
/// edge or up, so that what carries is not left by the slack; one whose toes are up carries by its heel. Who
/// crouches, or jumps, keeps over the ankles: over the balls heels would rise the more.
static sinew_Vec3 carries_at(
    const snw_WalkLegBody *sizes, const snw_Core *state, const snw_CoreLeg *leg)
{
    const bool is_low = state->stoop.value > 0.0 || state->jump.stage != SNW_JUMP_NONE;
    if (is_low) { return leg->at.ground; }
    const snw_Foothold *at = &leg->at;
    double up = snw_smoothstep(fabs(leg->pitch) / CARRIES_BY_END);
    const double ball = sizes->ball - snw_max(0.0, snw_ball_over(sizes, at));
    const double heel = sizes->heel + at->heel_over + (at->heel_over > 0.0 ? EDGE_SLACK : 0.0);
    double from = snw_mix(heel, ball, leg->pitch < 0.0 ? up : 0.0);
    double ahead = snw_max(0.0, from + BALL_SLACK + state->life.slack);
    if (leg->pitch > 0.0) { ahead = snw_mix(ahead, sizes->heel + at->heel_over, up); }
    sinew_Vec3 along = snw_ahead_of(at->basis);
    return sinew_vec3_add_scaled(at->ground, along, ahead);
}

/// Where a leg of who stops will stand: where it does, or lands; one that leaves to close the last step comes beside the
/// other.
static void find_stands(const snw_WalkBody *body, const snw_Core *state, sinew_Vec3 out_places[2])
{
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        out_places[i] = leg->is_swinging ? leg->swing.to.ground
                                         : carries_at(&body->legs[i], state, leg);
    }
    const int hind = snw_core_older_leg(state);
    const int leaves = state->legs[0].is_swinging ? 1 : state->legs[1].is_swinging ? 0 : hind;
    const double dx = out_places[0].x - out_places[1].x, dz = out_places[0].z - out_places[1].z;
    const double near = SNW_CORE_NEAR_FEET * body->length;
    if (!state->is_walking || dx * dx + dz * dz < near * near) { return; }
    const double aside = body->legs[leaves].hip.x - body->legs[1 - leaves].hip.x;
    out_places[leaves] = out_places[1 - leaves];
    out_places[leaves].x += aside * state->root.cosine;
    out_places[leaves].z -= aside * state->root.sine;
}

sinew_Vec3 snw_core_find_rest_place(const snw_WalkBody *body, const snw_Core *state)
{
    sinew_Vec3 places[2];
    find_stands(body, state, places);
    return sinew_vec3_lerp(places[0], places[1], 0.5);
}

/// Its speeds drawn to the middle between both feet with bounded acceleration: it comes to rest there without hurry.
static void settle(const snw_WalkBody *body, double h, snw_Core *state)
{
    snw_WalkRoot *root = &state->root;
    const sinew_Vec3 rest = snw_core_find_rest_place(body, state);
    const double dx = rest.x - root->x, dz = rest.z - root->z;
    const snw_LevelWay to = snw_root_to_body(root, dx, dz);
    const double way = sqrt(dx * dx + dz * dz) + 1e-9;
    const double omega = SETTLE_OMEGA + SETTLE_HURRY * (root->response.hurry - 1.0);
    // who is far from there goes on as it does until it has to brake
    const double on = (root->forward * to.ahead + root->left * to.aside) / way;
    const double brakes_at = 2.0 * snw_max(on, SETTLE_SPEED * root->response.hurry) / omega;
    const double part = snw_min(snw_max(0.0, way - state->life.slack), brakes_at) / way;
    const double ahead = omega * (omega * part * to.ahead - 2.0 * root->forward);
    const double aside = omega * (omega * part * to.aside - 2.0 * root->left);
    const double most = root->response.settling;
    root->forward += snw_clamp(ahead, -most, most) * h;
    root->left += snw_clamp(aside, -most, most) * h;
    root->turn *= fabs(root->turn) < SNW_ARRIVED ? 0.0 : 1.0 - snw_follow(h, 0.12);
}

double snw_core_find_pace(const snw_WalkBody *body, const snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    double ahead = root->forward, aside = root->left, speed = snw_root_speed(root);
    if (speed < SNW_SLOWEST) {
        ahead = state->wanted.forward;
        aside = state->wanted.left;
        speed = sqrt(ahead * ahead + aside * aside);
    }
    if (speed < 1e-6) {
        ahead = speed = 1.0;
        aside = 0.0;
    }
    const double fast = 100.0;
    sinew_Steering most = { fast * ahead / speed, fast * aside / speed, 0.0 };
    most = crop(body, state, &most);
    double pace = snw_steering_speed(&most);
    for (int i = 0; i < 2 && state->is_walking; ++i) {
        double away_ahead, away_aside;
        double away = state->legs[i].is_swinging
            ? find_most_ahead(state, i, &away_ahead, &away_aside)
            : find_most_away(body, state, i, &away_ahead, &away_aside);
        double share = (away_ahead * ahead + away_aside * aside) / speed;
        if (share > 0.0) { pace = snw_min(pace, snw_max(0.0, away) / share); }
    }
    return pace;
}

double snw_core_find_turn_pace(const snw_WalkBody *body, const snw_Core *state)
{
    double sign = state->root.turn >= 0.0 ? 1.0 : -1.0, pace = FASTEST_TURN;
    if (state->root.turn == 0.0 && state->wanted.turn < 0.0) { sign = -1.0; }
    for (int i = 0; i < 2 && state->is_walking; ++i) {
        pace = snw_min(pace, find_most_turn(body, state, i, sign));
    }
    return pace;
}

bool snw_core_is_over_feet(const snw_WalkBody *body, const snw_Core *state)
{
    const sinew_Vec3 rest = snw_core_find_rest_place(body, state);
    const double dx = rest.x - state->root.x, dz = rest.z - state->root.z;
    const double heading = 0.5 * (state->legs[0].at.heading + state->legs[1].at.heading);
    const double turn = heading - state->root.heading;
    return sqrt(dx * dx + dz * dz) < OVER_FEET * body->length && fabs(turn) < OVER_FEET_TURN;
}

bool snw_core_is_caught(const snw_WalkBody *body, const snw_Core *state)
{
    // where an inverted pendulum of the leg's length would come to rest
    double time = sqrt(body->length / SNW_GRAVITY);
    const snw_WalkRoot *root = &state->root;
    const sinew_Vec3 speed = snw_root_to_world(root, root->forward, root->left);
    double x = root->x + time * speed.x, z = root->z + time * speed.z;
    const sinew_Vec3 rest = snw_core_find_rest_place(body, state);
    const double dx = rest.x - x, dz = rest.z - z;
    return sqrt(dx * dx + dz * dz) < CAUGHT * body->length;
}

/// Speeds of the root in so many seconds.
static void change_speeds(const snw_WalkBody *body, double span, snw_Core *state)
{
    if (state->jump.stage == SNW_JUMP_FLIES) {
        // in the air nothing is steered; who leaps at a wall stops before it
        snw_bounds_brake(&body->girth, &state->bounds, span, &state->root);
        return;
    }
    if (!state->is_walking) {
        settle(body, span, state);
        return;
    }
    sinew_Steering held = state->wanted;
    const snw_WalkRoot before = state->root;
    // a runner's foot leaves when it must, and stands beside no other
    const bool flies = snw_core_has_flight(state);
    for (int i = 0; i < 2; ++i) {
        if (!flies) { vote(body, span, i, &held, state); }
        vote_turn(body, span, i, &held, state);
        if (!flies) { vote_across(body, span, i, &held, state); }
    }
    // who is pushed goes where the push has him
    const bool stops = snw_core_is_stopping(state) && !state->is_pushed;
    if (stops && state->root.response.hurry > 1.0 && !snw_core_has_flight(state)) {
        settle(body, span, state);
    } else {
        snw_root_steer(&held, span, &state->root);
    }
    // all of them together are no more sudden than one
    const double most = (VOTE_BRAKE + state->root.response.acceleration) * span;
    const double dv = state->root.forward - before.forward, dl = state->root.left - before.left;
    const double size = sqrt(dv * dv + dl * dl);
    if (size > most) {
        state->root.forward = before.forward + dv * most / size;
        state->root.left = before.left + dl * most / size;
    }
    snw_bounds_brake(&body->girth, &state->bounds, span, &state->root);
}

void snw_core_root(const snw_WalkBody *body, const sinew_Drive *drive, double h, snw_Core *state)
{
    snw_WalkRoot *root = &state->root;
    const snw_WalkRoot before = *root;
    if (root->is_led) {
        snw_root_lead(drive, h, root);
    } else {
        change_speeds(body, state->span, state);
        const double part = h / state->span;
        root->forward = snw_mix(before.forward, root->forward, part);
        root->left = snw_mix(before.left, root->left, part);
        root->turn = snw_mix(before.turn, root->turn, part);
        snw_root_go(&before, h, root);
    }
    if (state->jump.stage == SNW_JUMP_FLIES) { snw_core_take_along(&before, state); }
    double x = root->x - before.x, z = root->z - before.z;
    state->distance += sqrt(x * x + z * z);
}

void snw_core_start(snw_Core *state)
{
    // the first foot is the one behind, of two alike the inner one; a side step begins on its side
    const snw_WalkRoot *root = &state->root;
    const sinew_Steering pushed = { root->forward, root->left, root->turn };
    const sinew_Steering *w = snw_core_is_stopping(state) ? &pushed : &state->wanted;
    const sinew_Vec3 v = snw_root_to_world(root, w->forward, w->left);
    const sinew_Vec3 *a = &state->legs[0].at.ground, *b = &state->legs[1].at.ground;
    double behind = (b->x - a->x) * v.x + (b->z - a->z) * v.z;
    double size = sqrt(v.x * v.x + v.z * v.z) + 1e-9;
    int first = behind > 0.02 * size ? 0 : (behind < -0.02 * size ? 1 : (w->turn >= 0.0 ? 0 : 1));
    if (fabs(w->left) > fabs(w->forward)) { first = w->left > 0.0 ? 0 : 1; }
    // who has hardly come to rest goes on with the foot whose turn it is
    if (state->moving.value > GOES_ON) { first = snw_core_older_leg(state); }
    // who answers sooner shifts less of the weight before the first step
    double share = snw_clamp(state->root.response.follow_time / CALM, 0.0, 1.0);
    double weight_shift = share * (state->stance - 0.5);
    for (int i = 0; i < 2; ++i) {
        snw_CoreLeg *leg = &state->legs[i];
        leg->correction = leg->pitch;
        leg->landing_pitch = 0.0;
        leg->phase = i == first ? state->stance - weight_shift : 0.0;
    }
    state->is_walking = true;
    if (state->jump.stage == SNW_JUMP_RISES) { state->jump.stage = SNW_JUMP_NONE; }
    state->is_pushed = snw_core_is_stopping(state);
    state->life.first_leg = first;
    state->stop_steps = 0;
}

// ---------------------------------------------------------------------------------------------
// Ticks

/// Whether a foot may land or leave within a time.
static bool is_eventful(const snw_Core *state, const snw_CoreLeg *leg, double time)
{
    if (leg->is_swinging) { return snw_core_landing_time(state, leg) <= time; }
    return leg->phase + state->rate * time >= state->stance;
}

int snw_core_ticks(const snw_Core *state)
{
    if (state->tick % 2 != 0) { return 1; }
    bool is_quick = state->is_running || state->run.value > 0.0
        || state->jump.stage != SNW_JUMP_NONE;
    if (is_quick) { return 1; }
    if (!state->is_walking) { return 2; }
    for (int i = 0; i < 2; ++i) {
        if (is_eventful(state, &state->legs[i], 2.0 * SNW_WALK_TICK)) { return 1; }
    }
    return 2;
}
