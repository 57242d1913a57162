// Where the next foot goes.

#include "walk/walker_natural.h"

#include "math/holds.h"

#define DEGREE (SINEW_PI / 180.0)

#define BACK_PITCH (0.45 * 60.5 * DEGREE)
#define STEP_DOWN_PITCH (-20.0 * DEGREE)
#define TOE_OUT (7.0 * DEGREE)
#define MOST_TURNED 0.42 // radians
#define MOST_TWISTED 0.6 // radians of the body against its standing foot
#define STEP_WIDTH 0.11  // L
// The new foot against the standing one, L.
#define MOST_ALONG 1.0
#define MOST_BACK 0.75
#define LEAST_ACROSS 0.085
#define MOST_ACROSS 0.62
#define HIP_HEIGHT 0.915 // L, of the hip at landing
#define REACH 0.997
#define HIPS_BETWEEN 0.44 // of the way from the other foot's height: the hips at landing
#define NEAR_PASSES 3
#define NEAR_GAIN 1.2
#define FREE_ASIDE 0.3        // metres that steps may move a foot aside
#define FREE_SHIFT 0.05       // metres that do not matter
#define LEAST_CLEARANCE 0.011 // metres: edges are as sharp for short legs
// A plan is kept while what is wanted changes by less than this; not near steps of the ground.
#define KEPT_WAY 0.010  // metres
#define KEPT_TURN 0.015 // radians
#define KEPT_AMPLITUDE 0.02

snw_SwingStyle snw_swing_style(
    const snw_WalkBody *body, const snw_Natural *state, const snw_WalkLegBody *leg)
{
    snw_SwingStyle style = { state->amplitude * fmax(0.25, state->moving.value), body->length,
        snw_toe_cap(leg), state->forwardness < -0.3, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 },
        leg->gait };
    return style;
}

// the leg that stands, whose foothold the new one is measured from
static int standing_leg(const snw_WalkBody *body, const snw_Natural *state, int index)
{
    SNW_ASSERT(index >= 0);
    int best = -1;
    for (int i = 0; i < body->leg_count; ++i) {
        if (i == index || state->legs[i].is_swinging) { continue; }
        if (best < 0) { best = i; }
    }
    return best;
}

static double side_of(const snw_WalkBody *body, int index)
{
    return body->legs[index].def.side == SINEW_SIDE_RIGHT ? -1.0 : 1.0;
}

// keep a foot from crossing the other and from going too far
static void keep_apart(const snw_WalkBody *body, const snw_Foothold *other, double side,
    double heading, double *x, double *z)
{
    double s, c, length = body->length;
    sinew_sincos(heading, &s, &c);
    double dx = *x - other->ground.x, dz = *z - other->ground.z;
    double along = dx * s + dz * c, across = (dx * c - dz * s) * side;
    along = snw_clamp(along, -MOST_BACK * length, MOST_ALONG * length);
    across = snw_clamp(across, LEAST_ACROSS * length, MOST_ACROSS * length);
    *x = other->ground.x + along * s + across * side * c;
    *z = other->ground.z + along * c - across * side * s;
}

// the way of the body in the middle of its stance, toes a little out; not farther from the body at
// landing than hips turn
static double foot_heading(
    const snw_Natural *state, const snw_WalkRoot *landing, const snw_WalkRoot *middle, double side)
{
    double out = TOE_OUT * (1.0 - 0.5 * snw_smoothstep(fabs(state->root.turn)));
    double turned = middle->heading - landing->heading + side * out;
    return landing->heading + snw_clamp(turned, -MOST_TURNED, MOST_TURNED);
}

// how much higher the second foothold is by the slope that both soles have
static double rise_of_soles(const snw_Foothold *a, const snw_Foothold *b)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    sinew_Vec3 n = sinew_vec3_add(sinew_quat_rotate(a->basis, up), sinew_quat_rotate(b->basis, up));
    double dx = b->ground.x - a->ground.x, dz = b->ground.z - a->ground.z;
    return -(n.x * dx + n.z * dz) / n.y;
}

void snw_stride_ease(const snw_WalkBody *body, int index, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    snw_NaturalLeg *leg = &state->legs[index];
    snw_FootSwing *swing = &leg->swing;
    double left = (1.0 - swing->progress) * (1.0 - leg->release_phase) * state->period;
    snw_WalkRoot later = snw_root_predict(&state->root, &state->wanted, left);
    sinew_Vec3 hip = sinew_transform_point(state->hips, body->legs[index].hip);
    hip.x += later.x - state->root.x;
    hip.z += later.z - state->root.z;
    hip.y += snw_clamp(0.7 * state->height.speed * left, -0.15, 0.15);
    double pitch = swing->planned_pitch;
    swing->landing_pitch = snw_stance_ease(&body->legs[index], &swing->to, pitch, hip);
    double share = pitch >= 0.0 ? 0.10 : 0.22;
    // slope of the roll after landing, per unit of the swing's progress
    swing->landing_pitch_speed = -0.8 * pitch / share * (1.0 - leg->release_phase);
    if (swing->landing_pitch < pitch - 0.05) { swing->landing_pitch_speed = 0.0; }
}

// the body turns no farther from its standing foot than legs twist: it waits for the next one
static double held_back(const snw_Natural *state, int other, double heading)
{
    if (other < 0) { return 0.0; }
    double turned = heading - state->legs[other].at.heading;
    return turned - snw_clamp(turned, -MOST_TWISTED, MOST_TWISTED);
}

// whether what is wanted is what it was when the plan was made
static bool is_wanted_still(
    const snw_FootSwing *swing, const snw_FootholdWish *wish, double amplitude)
{
    double dx = wish->x - swing->wish_x, dz = wish->z - swing->wish_z;
    // where there is something to step on or over, its exact place matters
    bool is_open = swing->tread == 0.0 && !swing->has_edge;
    return swing->progress > 0.0 && is_open && dx * dx + dz * dz < KEPT_WAY * KEPT_WAY
        && fabs(wish->heading - swing->wish_heading) < KEPT_TURN
        && fabs(amplitude - swing->wish_amplitude) < KEPT_AMPLITUDE;
}

// A place that is too far below the hip, aside from the way that the search looks along: down slopes side
// steps are short, or the hips would have to sink to the end of the knee. The slope is that of the ground
// under the other foot, since what steps down is no slope.
static void come_near(const snw_WalkLegBody *sizes, snw_WalkGround *ground,
    const snw_Foothold *other, snw_FootholdWish *wish)
{
    sinew_Vec3 up = snw_walk_sample(ground, other->ground.x, other->ground.z).normal;
    for (int pass = 0; pass < NEAR_PASSES; ++pass) {
        double falls = up.x * (wish->x - other->ground.x) + up.z * (wish->z - other->ground.z);
        double down = (1.0 - HIPS_BETWEEN) * falls / fmax(0.1, up.y);
        double dx = wish->x - wish->hip.x, dz = wish->z - wish->hip.z;
        double dy = wish->hip.y + down - sizes->ankle_height;
        double over = sqrt(dx * dx + dy * dy + dz * dz) - wish->reach;
        if (over <= 0.0 || falls <= 0.0) { break; }
        double aside = dx * wish->along_z - dz * wish->along_x;
        double back = copysign(fmin(fabs(aside), NEAR_GAIN * over), aside);
        wish->x -= back * wish->along_z;
        wish->z += back * wish->along_x;
    }
}

// A place for a foot that is wished for, and what the search for it and the swing to it go by.
typedef struct Plan {
    double left;                  // seconds of the swing
    int other;                    // the leg that stands, or -1
    snw_WalkRoot landing, middle; // the root when the foot lands, and in the middle of its stance
    snw_FootholdWish wish;
} Plan;

static void predict_root(const snw_WalkBody *body, const snw_Natural *state, int index, Plan *plan)
{
    SNW_ASSERT(index >= 0);
    double back = state->forwardness < 0.0 ? 0.09 * -state->forwardness : 0.0;
    double ahead = body->legs[index].gait->look_ahead + back;
    plan->landing = snw_root_predict(&state->root, &state->wanted, plan->left);
    plan->middle = snw_root_predict(
        &state->root, &state->wanted, plan->left + ahead * state->period);
    double held = held_back(state, plan->other, plan->landing.heading);
    plan->landing.heading -= held;
    plan->middle.heading -= held;
}

// under the body in the middle of the stance to come, a step's width aside
static void wish_place(const snw_WalkBody *body, const snw_Natural *state, int index, Plan *plan)
{
    SNW_ASSERT(index >= 0);
    snw_FootholdWish *wish = &plan->wish;
    const snw_WalkRoot *middle = &plan->middle;
    double s, c, side = side_of(body, index);
    sinew_sincos(middle->heading, &s, &c);
    double width = 0.5 * STEP_WIDTH * body->length + 0.25 * fabs(middle->left) * state->period;
    wish->x = middle->x + side * width * c;
    wish->z = middle->z - side * width * s;
    if (plan->other >= 0) {
        const snw_Foothold *stands = &state->legs[plan->other].at;
        keep_apart(body, stands, side, middle->heading, &wish->x, &wish->z);
    }
    wish->heading = foot_heading(state, &plan->landing, middle, side);
    wish->along_x = s;
    wish->along_z = c;
}

// how far the place may be from the hip at landing; the heel strike pulls the ankle back
static void wish_reach(
    const snw_WalkBody *body, const snw_Natural *state, const snw_WalkLegBody *sizes, Plan *plan)
{
    double s, c;
    sinew_sincos(plan->landing.heading, &s, &c);
    double pull = 0.04 * body->length * state->amplitude * fmax(0.0, state->forwardness);
    // over the ground between both feet, which the search knows
    plan->wish.hip = sinew_vec3(plan->landing.x + sizes->hip.x * c + pull * s,
        HIP_HEIGHT * body->length, plan->landing.z - sizes->hip.x * s + pull * c);
    plan->wish.reach = REACH * (sizes->thigh + sizes->shank);
}

// how far the search may shift the place, along the way and aside
static void wish_room(const snw_WalkBody *body, const snw_Natural *state, int index, Plan *plan)
{
    SNW_ASSERT(index >= 0);
    snw_FootholdWish *wish = &plan->wish;
    const snw_FootSwing *swing = &state->legs[index].swing;
    double side = side_of(body, index);
    wish->lowest = -0.38;
    wish->highest = 0.22;
    wish->stay = swing->shift;
    wish->stay_cost = 0.25 + 3.0 * swing->progress * swing->progress;
    wish->least_left = -FREE_ASIDE;
    wish->most_left = FREE_ASIDE;
    if (plan->other < 0) { return; }
    const sinew_Vec3 *stands = &state->legs[plan->other].at.ground;
    wish->other_along = (stands->x - wish->x) * wish->along_x
        + (stands->z - wish->z) * wish->along_z;
    double apart = (wish->x - stands->x) * wish->along_z - (wish->z - stands->z) * wish->along_x;
    double inner = side * LEAST_ACROSS * body->length - apart;
    double outer = side * MOST_ACROSS * body->length - apart;
    wish->least_left = fmax(wish->least_left, fmin(inner, outer));
    wish->most_left = fmin(wish->most_left, fmax(inner, outer));
}

static Plan begin_plan(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, const snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    const snw_NaturalLeg *leg = &state->legs[index];
    const snw_WalkLegBody *sizes = &body->legs[index];
    Plan plan = { .other = standing_leg(body, state, index) };
    plan.left = (1.0 - leg->swing.progress) * (1.0 - leg->release_phase) * state->period;
    predict_root(body, state, index, &plan);
    wish_place(body, state, index, &plan);
    const snw_Foothold *stands = plan.other >= 0 ? &state->legs[plan.other].at : &leg->at;
    plan.wish.from_height = stands->ground.y;
    wish_reach(body, state, sizes, &plan);
    if (plan.other >= 0 && !isfinite(state->stairs_speed)) {
        snw_FootholdWish *wish = &plan.wish;
        come_near(sizes, ground, stands, wish);
        keep_apart(body, stands, side_of(body, index), plan.middle.heading, &wish->x, &wish->z);
    }
    wish_room(body, state, index, &plan);
    return plan;
}

static void search_foothold(const snw_WalkLegBody *sizes, snw_WalkGround *ground,
    const snw_FootholdWish *wish, double amplitude, snw_FootSwing *swing)
{
    snw_FootholdChoice choice;
    swing->planned = snw_foothold_search(sizes, ground, wish, &choice);
    swing->shift = choice.shift;
    swing->tread = choice.tread;
    swing->wish_x = wish->x;
    swing->wish_z = wish->z;
    swing->wish_heading = wish->heading;
    swing->wish_amplitude = amplitude;
}

// hips should not arrive before the foot that carries them, nor long after it
static double hurry_of(const snw_Natural *state, const snw_FootSwing *swing, double left)
{
    double sign = state->forwardness >= 0.0 ? 1.0 : -1.0, shift = swing->shift;
    double off = shift > FREE_SHIFT ? shift - FREE_SHIFT : fmin(0.0, shift + FREE_SHIFT);
    if (swing->tread > 0.0) { off = shift; }
    return snw_clamp(0.7 * sign * off / fmax(0.15, left), -0.6, 0.3);
}

// the pitch that the foot lands with: on its heel, backwards and down stairs on its ball
static double landing_pitch(const snw_WalkLegBody *sizes, const snw_Natural *state,
    const snw_FootSwing *swing, double from_height)
{
    double f = state->forwardness;
    double dy = swing->planned.ground.y - swing->left.ground.y;
    // backwards the ball lands first down and up slopes as well: only steps count, where soles are level
    dy -= snw_clamp(-2.0 * f, 0.0, 1.0) * rise_of_soles(&swing->left, &swing->planned);
    double flat = 1.0 - snw_smoothstep((fabs(dy) - 0.06) / 0.10);
    double pitch = f >= 0.0 ? sizes->gait->heel_pitch * DEGREE * f : BACK_PITCH * f;
    pitch = pitch * state->amplitude * flat * state->moving.value;
    double down = from_height - swing->planned.ground.y;
    double tip_toe = isfinite(state->stairs_speed)
        ? snw_smoothstep((down - 0.07) / 0.08) * snw_clamp(f, 0.0, 1.0)
        : 0.0;
    return snw_mix(pitch, STEP_DOWN_PITCH, tip_toe);
}

void snw_stride_plan(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, snw_Natural *state)
{
    SNW_ASSERT(index >= 0);
    const snw_WalkLegBody *sizes = &body->legs[index];
    snw_FootSwing *swing = &state->legs[index].swing;
    snw_SwingStyle style = snw_swing_style(body, state, sizes);
    const Plan plan = begin_plan(body, ground, index, state);
    bool near_stairs = isfinite(state->stairs_speed);
    if (near_stairs || !is_wanted_still(swing, &plan.wish, style.amplitude)) {
        search_foothold(sizes, ground, &plan.wish, style.amplitude, swing);
    }
    state->tread = swing->tread;
    state->hurry = hurry_of(state, swing, plan.left);
    swing->planned_pitch = landing_pitch(sizes, state, swing, plan.wish.from_height);
    snw_stride_ease(body, index, state);

    style.hip_now = sinew_transform_point(state->hips, sizes->hip);
    style.hip_then = style.hip_now;
    style.hip_then.x += plan.landing.x - state->root.x;
    style.hip_then.z += plan.landing.z - state->root.z;
    style.hip_then.y += snw_clamp(state->height.speed * plan.left, -0.15, 0.15);
    double clearance = sizes->gait->clearance * body->length / 0.9;
    // elsewhere what recorded people lift their feet stays as it is
    if (near_stairs) { clearance = fmax(LEAST_CLEARANCE, clearance); }
    snw_foot_swing_clear(sizes, ground, &style, clearance, swing);
}
