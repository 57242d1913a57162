// What carries the body: the surface below the foot that landed last. The core is in its frame; a foot on
// another surface drifts past.

#include "walk/core.h"

#include "math/holds.h"

// It is looked down from so far over the higher foot, L: over what is stepped on, below ceilings and under the
// floor over a stair; on nothing but the highest surface before the body stands anywhere.
#define LOOK_FROM 1.5
#define HIGHEST 1e6
// Feet that go past the body slower than this do not, m/s.
#define LEAST_DRIFT 1e-3

/// Where a foot stands, or will.
static const snw_Foothold *place_of(const snw_CoreLeg *leg)
{
    return leg->is_swinging ? &leg->swing.to : &leg->at;
}

/// The leg that landed last of those that stand; -1: none.
static int find_support(const snw_Core *state)
{
    const snw_CoreLeg *a = &state->legs[0], *b = &state->legs[1];
    if (a->is_swinging) { return b->is_swinging ? -1 : 1; }
    return b->is_swinging || a->phase <= b->phase ? 0 : 1;
}

static double look_from(const snw_WalkBody *body, const snw_Core *state)
{
    double high = fmax(place_of(&state->legs[0])->ground.y, place_of(&state->legs[1])->ground.y);
    return high + LOOK_FROM * body->length;
}

/// Before it stands anywhere: at the height that it was put to, else on the highest surface.
static void begin_ride(const snw_WalkBody *body, snw_View *view, snw_Core *state)
{
    double start = state->has_height ? state->put_height + LOOK_FROM * body->length : HIGHEST;
    const sinew_GroundPlace place = { state->root.x, state->root.z };
    const snw_Ride still = { .c = 1.0 };
    sinew_GroundHit hit;
    snw_view_ride(view, &still, start, 0.0);
    snw_view_look(view, &place, 1, &hit);
    snw_ride_set(&state->ride, sinew_vec3(0.0, hit.height, 0.0), 0.0);
    state->ride.below = sinew_vec3(place.x, 0.0, place.z);
    state->ride.velocity = hit.velocity;
    state->ride.turn = hit.turn;
    state->ride.has_surface = false;
    state->legs[0].surface = state->legs[1].surface = state->ride.surface = hit.surface;
    snw_view_ride(view, &state->ride, LOOK_FROM * body->length, 0.0);
}

/// On another surface the body goes on as it went in the world.
static void change_ride(const sinew_GroundHit *hit, snw_Core *state)
{
    snw_Ride *ride = &state->ride;
    if (ride->has_surface && ride->surface != hit->surface) {
        sinew_Vec3 old = snw_ride_speed_at(ride, ride->below.x, ride->below.z);
        sinew_Vec3 kick = snw_ride_turn_in(ride, sinew_vec3_sub(old, hit->velocity));
        snw_root_push(kick.x, kick.z, SINEW_MAX_PUSH, &state->root);
        state->height.speed += kick.y;
    }
    ride->surface = hit->surface;
    ride->has_surface = true;
}

void snw_core_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Core *state)
{
    SNW_ASSERT(dt >= 0.0);
    if (!state->has_started) {
        begin_ride(body, view, state);
        return;
    }
    snw_Ride *ride = &state->ride;
    sinew_GroundPlace places[2];
    sinew_GroundHit hits[2];
    for (int i = 0; i < 2; ++i) {
        const snw_CoreLeg *leg = &state->legs[i];
        sinew_Vec3 at = snw_ride_to_world(ride, place_of(leg)->ground);
        // it has gone on as it went, as far as is known
        sinew_Vec3 way = snw_ride_speed_at(ride, at.x, at.z);
        places[i] = (sinew_GroundPlace){ at.x + dt * way.x, at.z + dt * way.z };
    }
    snw_view_look(view, places, 2, hits);
    int support = find_support(state);
    if (support >= 0) {
        const sinew_GroundHit *hit = &hits[support];
        sinew_Vec3 place = { places[support].x, 0.0, places[support].z };
        change_ride(hit, state);
        snw_ride_step(ride, place, hit->velocity, hit->turn, dt);
    } else {
        // in the air it goes on as it went
        sinew_Vec3 place = sinew_vec3_add_scaled(ride->below, ride->velocity, dt);
        snw_ride_step(ride, place, ride->velocity, ride->turn, dt);
    }
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 own = snw_ride_speed_at(ride, places[i].x, places[i].z);
        snw_CoreLeg *leg = &state->legs[i];
        leg->surface = hits[i].surface;
        leg->drift = snw_ride_turn_in(ride, sinew_vec3_sub(hits[i].velocity, own));
        leg->drift_turn = hits[i].turn - ride->turn;
        if (sinew_vec3_length(leg->drift) > LEAST_DRIFT || i == support) { continue; }
        leg->drift = sinew_vec3(0.0, 0.0, 0.0);
        leg->drift_turn = 0.0;
    }
    snw_view_ride(view, ride, look_from(body, state), dt);
}

static sinew_Transform frame_of(const snw_Ride *ride)
{
    sinew_Transform frame = { ride->position, sinew_quat_identity() };
    frame.rotation = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), ride->heading);
    return frame;
}

void snw_core_ride_target(const snw_Core *state, snw_WalkTarget *target)
{
    const snw_Ride *ride = &state->ride;
    if (!ride->is_off) { return; }
    const sinew_Transform frame = frame_of(ride);
    target->hips = sinew_transform_mul(frame, target->hips);
    target->chest = sinew_quat_mul(frame.rotation, target->chest);
    target->head = sinew_quat_mul(frame.rotation, target->head);
    target->heading += ride->heading;
    for (int i = 0; i < 2; ++i) {
        snw_WalkFootTarget *foot = &target->feet[i];
        sinew_WalkerLeg *told = &foot->told;
        foot->foot = sinew_transform_mul(frame, foot->foot);
        foot->knee_yaw += ride->heading;
        told->heel = snw_ride_to_world(ride, told->heel);
        told->ball = snw_ride_to_world(ride, told->ball);
        told->toe = snw_ride_to_world(ride, told->toe);
        told->foothold = snw_ride_to_world(ride, told->foothold);
        told->normal = sinew_quat_rotate(frame.rotation, told->normal);
        told->foot_heading += ride->heading;
    }
}
