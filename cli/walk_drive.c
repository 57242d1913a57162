#include "walk_drive.h"

#include <math.h>

// A capsule has 90 % of a new speed after 0.3 s; rad/s at most.
#define CAPSULE_TIME 0.13
#define CAPSULE_TURN 5.0

/// Steering as a velocity of the world and a turn.
static void aim(const cli_WalkDrive *drive, const sinew_Steering *steering, double *out_x,
    double *out_z, double *out_turn)
{
    double s = sin(drive->heading), c = cos(drive->heading);
    *out_x = steering->forward * s + steering->left * c;
    *out_z = steering->forward * c - steering->left * s;
    *out_turn = steering->turn;
    if (!drive->has_facing) { return; }
    *out_x = steering->left;
    *out_z = steering->forward;
    *out_turn = remainder(drive->facing - drive->heading, 2.0 * SINEW_PI) / CAPSULE_TIME;
}

/// Move the capsule as games do: straight at what is wanted, walls and legs left alone.
static void move_capsule(cli_WalkDrive *drive, const sinew_Steering *steering,
    const sinew_WalkerReport *report, double dt)
{
    double x, z, turn, most_turn = CAPSULE_TURN, share = 1.0 - exp(-dt / CAPSULE_TIME);
    aim(drive, steering, &x, &z, &turn);
    drive->velocity_x += share * (x - drive->velocity_x);
    drive->velocity_z += share * (z - drive->velocity_z);
    if (drive->root == CLI_ROOT_HEEDING && report->time > 0.0) {
        double speed = hypot(drive->velocity_x, drive->velocity_z);
        double part = speed > report->pace ? report->pace / speed : 1.0;
        drive->velocity_x *= part;
        drive->velocity_z *= part;
        most_turn = fmin(most_turn, report->turn_pace);
    }
    drive->x += drive->velocity_x * dt;
    drive->z += drive->velocity_z * dt;
    drive->heading += fmax(-most_turn, fmin(most_turn, turn)) * dt;
}

static sinew_Drive steer(cli_WalkDrive *drive, const sinew_Steering *steering,
    const sinew_WalkerReport *report, double dt)
{
    if (drive->root != CLI_ROOT_OWN) {
        move_capsule(drive, steering, report, dt);
        return sinew_drive_root(drive->x, drive->z, drive->heading);
    }
    if (!drive->has_facing) { return sinew_drive_body(*steering); }
    sinew_Drive world = sinew_drive_world(steering->left, steering->forward);
    world.facing = drive->facing;
    world.has_facing = true;
    return world;
}

sinew_Drive cli_walk_drive(cli_WalkDrive *drive, const sinew_Steering *steering,
    const sinew_WalkerReport *report, double dt)
{
    sinew_Drive wanted = steer(drive, steering, report, dt);
    wanted.crouch = drive->crouch;
    return wanted;
}
