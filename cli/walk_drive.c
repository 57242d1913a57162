#include "walk_drive.h"

#include "arguments.h"
#include "output.h"

#include "base/message.h"

#include <math.h>
#include <string.h>

/// Hours are enough, and a look reaches as far.
#define MOST_SECONDS 36000.0
#define FARTHEST 1e6
/// Frames begin at their time but for rounding.
#define SLACK 1e-9

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
    const sinew_WalkerReport *report, double time, double dt)
{
    sinew_Steering steered = *steering;
    double crouch = drive->crouch, carry = drive->carry;
    if (drive->sticks != NULL) {
        sinew_StickKey key = sinew_stick_key_at(drive->sticks, time);
        steered = sinew_steering_from_stick(NULL, &key.stick);
        crouch = fmax(crouch, key.crouch);
        carry = fmax(carry, key.carry);
    }
    sinew_Drive wanted = steer(drive, &steered, report, dt);
    wanted.crouch = crouch;
    wanted.carry = carry;
    wanted.has_look = drive->has_look;
    wanted.look_at = drive->look_at;
    return wanted;
}

double cli_walk_jump(const cli_WalkDrive *drive, double time, double dt)
{
    for (int i = 0; i < drive->jump_count; ++i) {
        double late = time - drive->jumps[i];
        if (late >= -SLACK && late < dt - SLACK) { return drive->height; }
    }
    return sinew_stick_jump_between(drive->sticks, time - dt + SLACK, time + SLACK);
}

bool cli_drive_is_natural(const cli_WalkDrive *drive)
{
    bool is_upper = drive->has_look || drive->carry > 0.0;
    return drive->has_facing || drive->root != CLI_ROOT_OWN || drive->crouch > 0.0
        || drive->jump_count > 0 || is_upper;
}

/// The numbers of a list with commas; how many, -1 after a message.
static int take_list(const char *option, const char *value, double lower, double upper, int most,
    double *out_numbers)
{
    char word[32];
    int count = 0;
    for (const char *at = value; *at != '\0';) {
        size_t length = strcspn(at, ",");
        if (length >= sizeof word || count == most) {
            cli_error(
                "%s takes at most %d number%s, found '%s'", option, most, snw_plural(most), value);
            return -1;
        }
        memcpy(word, at, length);
        word[length] = '\0';
        if (!cli_parse_number(option, word, lower, upper, &out_numbers[count++])) { return -1; }
        at += length + (at[length] == ',' ? 1 : 0);
    }
    return count;
}

bool cli_take_jumps(cli_WalkDrive *drive, const char *value)
{
    int room = CLI_MOST_JUMPS - drive->jump_count;
    int count = take_list(
        "--jump", value, 0.0, MOST_SECONDS, room, drive->jumps + drive->jump_count);
    drive->jump_count += count > 0 ? count : 0;
    return count >= 0;
}

bool cli_take_look(cli_WalkDrive *drive, const char *value)
{
    double place[3];
    int count = take_list("--look", value, -FARTHEST, FARTHEST, 3, place);
    if (count < 0) { return false; }
    if (count != 3) {
        cli_error("--look takes X,Y,Z, found '%s'", value);
        return false;
    }
    drive->has_look = true;
    drive->look_at = sinew_vec3(place[0], place[1], place[2]);
    return true;
}
