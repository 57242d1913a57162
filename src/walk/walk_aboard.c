// Which surface carries a body, and which of its feet stand on another one that goes past.

#include "walk/walk_aboard.h"

#include "walk/walk_drive.h"

// It is looked down from so far over the highest foot, L: over what is stepped on, below ceilings and under the
// floor over a stair; on nothing but the highest surface before the body stands anywhere.
#define LOOK_OVER 1.5
#define HIGHEST 1e6
// Feet that go past the body slower than this do not, m/s.
#define LEAST_DRIFT 1e-3

/// The leg that landed last of those that stand; -1: none.
static int find_support(const snw_AboardFoot *feet, int count)
{
    int support = -1;
    for (int i = 0; i < count; ++i) {
        if (!feet[i].stands) { continue; }
        if (support < 0 || feet[i].phase < feet[support].phase) { support = i; }
    }
    return support;
}

static void begin_ride(const snw_WalkRoot *root, double look_over, snw_View *view, snw_Ride *ride)
{
    double start = ride->has_height ? ride->put_height + look_over : HIGHEST;
    const sinew_GroundPlace place = { root->x, root->z };
    const snw_Ride still = { .c = 1.0 };
    sinew_GroundHit hit;
    snw_view_ride(view, &still, start, 0.0);
    snw_view_look(view, &place, 1, &hit);
    snw_ride_set(ride, sinew_vec3(0.0, hit.height, 0.0), 0.0);
    ride->below = sinew_vec3(place.x, 0.0, place.z);
    ride->velocity = hit.velocity;
    ride->turn = hit.turn;
    ride->has_surface = false;
    ride->surface = hit.surface;
    snw_view_ride(view, ride, look_over, 0.0);
}

/// On another surface the body goes on as it went in the world.
static void change_ride(const sinew_GroundHit *hit, const snw_Aboard *aboard)
{
    snw_Ride *ride = aboard->ride;
    if (ride->has_surface && ride->surface != hit->surface) {
        sinew_Vec3 old = snw_ride_speed_at(ride, ride->below.x, ride->below.z);
        sinew_Vec3 kick = snw_ride_turn_in(ride, sinew_vec3_sub(old, hit->velocity));
        snw_root_push(kick.x, kick.z, SINEW_MAX_PUSH, aboard->root);
        aboard->height->speed += kick.y;
    }
    ride->surface = hit->surface;
    ride->has_surface = true;
}

void snw_aboard_go(
    const snw_Aboard *aboard, snw_AboardFoot *feet, bool has_started, double dt, snw_View *view)
{
    const int count = aboard->body->leg_count;
    const double look_over = LOOK_OVER * aboard->body->length;
    snw_Ride *ride = aboard->ride;
    if (!has_started) {
        begin_ride(aboard->root, look_over, view, ride);
        for (int i = 0; i < count; ++i) { feet[i].surface->id = ride->surface; }
        return;
    }
    sinew_GroundPlace places[SINEW_MAX_LEGS] = { { 0.0, 0.0 } };
    sinew_GroundHit hits[SINEW_MAX_LEGS];
    double high = -(double)INFINITY;
    for (int i = 0; i < count; ++i) {
        high = snw_max(high, feet[i].place.y);
        sinew_Vec3 at = snw_ride_to_world(ride, feet[i].place);
        // it has gone on as it went, as far as is known
        sinew_Vec3 way = snw_ride_speed_at(ride, at.x, at.z);
        places[i] = (sinew_GroundPlace){ at.x + dt * way.x, at.z + dt * way.z };
    }
    snw_view_look(view, places, count, hits);
    const int support = find_support(feet, count);
    if (support >= 0) {
        const sinew_GroundHit *hit = &hits[support];
        sinew_Vec3 place = { places[support].x, 0.0, places[support].z };
        change_ride(hit, aboard);
        snw_ride_step(ride, place, hit->velocity, hit->turn, dt);
    } else {
        // in the air it goes on as it went
        sinew_Vec3 place = sinew_vec3_add_scaled(ride->below, ride->velocity, dt);
        snw_ride_step(ride, place, ride->velocity, ride->turn, dt);
    }
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 own = snw_ride_speed_at(ride, places[i].x, places[i].z);
        snw_FootSurface *surface = feet[i].surface;
        surface->id = hits[i].surface;
        surface->drift = snw_ride_turn_in(ride, sinew_vec3_sub(hits[i].velocity, own));
        surface->drift_turn = hits[i].turn - ride->turn;
        const double goes_up = dt * surface->drift.y;
        surface->over = hits[i].height - snw_ride_to_world(ride, feet[i].place).y - goes_up;
        if (sinew_vec3_length(surface->drift) > LEAST_DRIFT || i == support) { continue; }
        surface->drift = sinew_vec3(0.0, 0.0, 0.0);
        surface->drift_turn = 0.0;
    }
    snw_view_ride(view, ride, high + look_over, dt);
}

bool snw_aboard_drift(
    const snw_FootSurface *surface, sinew_Vec3 place, double h, sinew_Transform *out_move)
{
    const sinew_Vec3 *way = &surface->drift;
    if (way->x == 0.0 && way->y == 0.0 && way->z == 0.0 && surface->drift_turn == 0.0) {
        return false;
    }
    // about the foot itself, which is where the velocity is of
    out_move->rotation = sinew_quat_from_axis_angle(snw_up_axis, h * surface->drift_turn);
    sinew_Vec3 turned = sinew_quat_rotate(out_move->rotation, place);
    out_move->position = sinew_vec3_add_scaled(sinew_vec3_sub(place, turned), *way, h);
    return true;
}

static sinew_Transform frame_of(const snw_Ride *ride)
{
    sinew_Transform frame = { ride->position, sinew_quat_identity() };
    frame.rotation = sinew_quat_from_axis_angle(snw_up_axis, ride->heading);
    return frame;
}

void snw_aboard_target(const snw_Ride *ride, int leg_count, snw_WalkTarget *target)
{
    if (!ride->is_off) { return; }
    const sinew_Transform frame = frame_of(ride);
    target->hips = sinew_transform_mul(frame, target->hips);
    target->chest = sinew_quat_mul(frame.rotation, target->chest);
    target->head = sinew_quat_mul(frame.rotation, target->head);
    target->heading += ride->heading;
    for (int side = 0; side < 2; ++side) {
        sinew_Quat *const arm[] = { &target->clavicle[side], &target->upper_arm[side],
            &target->forearm[side], &target->hand[side] };
        for (int k = 0; k < 4; ++k) { *arm[k] = sinew_quat_mul(frame.rotation, *arm[k]); }
    }
    for (int i = 0; i < leg_count; ++i) {
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
