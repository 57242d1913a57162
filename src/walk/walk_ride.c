// Into the frame that goes with what carries the body, out of it, and on with it.

#include "walk/walk_ride.h"

sinew_Vec3 snw_ride_turn_in(const snw_Ride *ride, sinew_Vec3 way)
{
    if (!ride->is_off) { return way; }
    return sinew_vec3(way.x * ride->c - way.z * ride->s, way.y, way.x * ride->s + way.z * ride->c);
}

static sinew_Vec3 turn_out(const snw_Ride *ride, sinew_Vec3 way)
{
    return sinew_vec3(way.x * ride->c + way.z * ride->s, way.y, way.z * ride->c - way.x * ride->s);
}

sinew_Vec3 snw_ride_to_world(const snw_Ride *ride, sinew_Vec3 place)
{
    return ride->is_off ? sinew_vec3_add(ride->position, turn_out(ride, place)) : place;
}

sinew_Vec3 snw_ride_from_world(const snw_Ride *ride, sinew_Vec3 place)
{
    return snw_ride_turn_in(ride, sinew_vec3_sub(place, ride->position));
}

sinew_Drive snw_ride_drive(const snw_Ride *ride, sinew_Drive drive)
{
    if (!ride->is_off) { return drive; }
    sinew_Vec3 way = snw_ride_turn_in(ride, sinew_vec3(drive.velocity_x, 0.0, drive.velocity_z));
    sinew_Vec3 at = snw_ride_from_world(ride, sinew_vec3(drive.x, 0.0, drive.z));
    drive.velocity_x = way.x;
    drive.velocity_z = way.z;
    drive.facing -= ride->heading;
    drive.x = at.x;
    drive.z = at.z;
    drive.heading -= ride->heading;
    return drive;
}

void snw_ride_events(const snw_Ride *ride, sinew_WalkEvent *events, int count)
{
    for (int i = 0; i < count; ++i) { events[i].place = snw_ride_to_world(ride, events[i].place); }
}

sinew_Vec3 snw_ride_speed_at(const snw_Ride *ride, double x, double z)
{
    double dx = x - ride->below.x, dz = z - ride->below.z;
    return sinew_vec3(ride->velocity.x + dx * ride->versine + dz * ride->sine, ride->velocity.y,
        ride->velocity.z - dx * ride->sine + dz * ride->versine);
}

void snw_ride_set(snw_Ride *ride, sinew_Vec3 position, double heading)
{
    ride->is_off = true;
    ride->position = position;
    ride->heading = heading;
    sinew_sincos(heading, &ride->s, &ride->c);
}

void snw_ride_step(snw_Ride *ride, sinew_Vec3 place, sinew_Vec3 velocity, double turn, double dt)
{
    double s, c, turned = turn * dt;
    ride->below = place;
    ride->velocity = velocity;
    ride->turn = turn;
    if (!(dt > 0.0)) { return; }
    sinew_sincos(turned, &s, &c);
    ride->sine = s / dt;
    ride->versine = (1.0 - c) / dt;
    // the place that is there now was so much before
    sinew_Vec3 was = sinew_vec3_add_scaled(place, velocity, -dt);
    sinew_Vec3 way = sinew_vec3_sub(ride->position, was);
    sinew_Vec3 turned_way = { way.x * c + way.z * s, way.y, way.z * c - way.x * s };
    snw_ride_set(ride, sinew_vec3_add(place, turned_way), ride->heading + turned);
}
