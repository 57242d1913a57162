// What a game wants: checked, and turned into the body's axes.

#include "walk/walk_drive.h"

#include "walk/gait.h"

#include "sinew/vecmath.h"

#include <string.h>

// A facing is turned to at this share of what the follower of the turn can do: no overshoot is seen.
#define FACING_GAIN 0.4
// Slower than this a body keeps its facing, m/s.
#define FACING_SPEED 0.1
// Seconds over which the speed of a root from outside is taken: frames of a network are uneven.
#define LED_TIME 0.04
// And those over which it has to go somewhere for legs to step: one that trembles by 3 mm at 90 Hz stays below
// SNW_SLOWEST, one that starts is followed some 0.03 s later.
#define TRAVEL_TIME 0.1
// No body is farther from the origin along an axis, metres.
#define FARTHEST 1e9
// How fast a push is forgotten, m/s^2: until then legs answer as quickly as a game's.
#define SHOVE_FADES 2.0
#define LOOK_BOUND 1.2 // radians: as far as people turn their heads without their chests

static sinew_Drive drive_of(sinew_DriveKind kind)
{
    sinew_Drive drive;
    memset(&drive, 0, sizeof drive);
    drive.kind = kind;
    drive.look_bound = LOOK_BOUND;
    return drive;
}

sinew_Drive sinew_drive_body(sinew_Steering steering)
{
    sinew_Drive drive = drive_of(SINEW_DRIVE_BODY);
    drive.steering = steering;
    return drive;
}

sinew_Drive sinew_drive_world(double velocity_x, double velocity_z)
{
    sinew_Drive drive = drive_of(SINEW_DRIVE_WORLD);
    drive.velocity_x = velocity_x;
    drive.velocity_z = velocity_z;
    return drive;
}

sinew_Drive sinew_drive_root(double x, double z, double heading)
{
    sinew_Drive drive = drive_of(SINEW_DRIVE_ROOT);
    drive.x = x;
    drive.z = z;
    drive.heading = heading;
    return drive;
}

sinew_WalkResponse sinew_walk_response_calm(void)
{
    sinew_WalkResponse response = { 0.22, 1.6, 1.6, 6.0, 2.5, 1.0 };
    return response;
}

sinew_WalkResponse sinew_walk_response_game(void)
{
    sinew_WalkResponse response = { 0.08, 6.0, 6.0, 25.0, 6.0, 1.8 };
    return response;
}

sinew_WalkLimits sinew_walk_limits_default(void)
{
    sinew_WalkLimits limits = { 0.35, 0.45, 0.75, 0.2 };
    return limits;
}

// ---------------------------------------------------------------------------------------------
// Checks

sinew_Status snw_place_check(sinew_Vec3 root, double heading, sinew_Message *message)
{
    const snw_Range fields[] = { { "x", root.x, -FARTHEST, FARTHEST },
        { "y", root.y, -FARTHEST, FARTHEST }, { "z", root.z, -FARTHEST, FARTHEST },
        { "heading", heading, -1e6, 1e6 } };
    return snw_check_ranges(message, "", fields, 4);
}

sinew_Status snw_drive_check(const sinew_Drive *drive, sinew_Message *message)
{
    const double far = drive->has_look ? sinew_vec3_length(drive->look_at) : 0.0;
    const snw_Range body[] = { { "crouch", drive->crouch, 0.0, 1.0 },
        { "carry", drive->carry, 0.0, 1.0 }, { "look_bound", drive->look_bound, 0.0, 3.2 },
        { "look_at", far, 0.0, FARTHEST } };
    if (snw_check_ranges(message, "drive", body, 4) != SINEW_STATUS_OK) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    const sinew_Steering *s = &drive->steering;
    switch (drive->kind) {
    case SINEW_DRIVE_BODY:
        if (fabs(s->forward) <= 1e3 && fabs(s->left) <= 1e3 && fabs(s->turn) <= 1e3) {
            return SINEW_STATUS_OK;
        }
        return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
            "steering is %g, %g, %g, want numbers of -1000..1000", s->forward, s->left, s->turn);
    case SINEW_DRIVE_WORLD: {
        const snw_Range fields[] = { { "velocity_x", drive->velocity_x, -1e3, 1e3 },
            { "velocity_z", drive->velocity_z, -1e3, 1e3 },
            { "facing", drive->has_facing ? drive->facing : 0.0, -1e6, 1e6 } };
        return snw_check_ranges(message, "drive", fields, 3);
    }
    case SINEW_DRIVE_ROOT:
        return snw_place_check(sinew_vec3(drive->x, 0.0, drive->z), drive->heading, message);
    }
    return snw_fail(
        message, SINEW_STATUS_INVALID_ARGUMENT, "drive.kind is %d, want 0..2", (int)drive->kind);
}

sinew_Status snw_response_check(const sinew_WalkResponse *response, sinew_Message *message)
{
    const snw_Range fields[] = { { "follow_time", response->follow_time, 0.01, 2.0 },
        { "acceleration", response->acceleration, 0.1, 50.0 },
        { "braking", response->braking, 0.1, 50.0 }, { "turning", response->turning, 0.1, 200.0 },
        { "settling", response->settling, 0.1, 50.0 }, { "hurry", response->hurry, 1.0, 3.0 } };
    return snw_check_ranges(message, "response", fields, 6);
}

sinew_Status snw_limits_check(const sinew_WalkLimits *limits, sinew_Message *message)
{
    const snw_Range fields[] = { { "step_height", limits->step_height, 0.0, 2.0 },
        { "drop", limits->drop, 0.0, 2.0 }, { "slope", limits->slope, 0.0, 1.5 },
        { "gap", limits->gap, 0.0, 1.0 } };
    return snw_check_ranges(message, "limits", fields, 4);
}

// ---------------------------------------------------------------------------------------------
// In the body's axes

double snw_least_turn(double from, double to)
{
    double turn = fmod(to - from, 2.0 * SINEW_PI);
    if (turn > SINEW_PI) { turn -= 2.0 * SINEW_PI; }
    if (turn < -SINEW_PI) { turn += 2.0 * SINEW_PI; }
    return turn;
}

/// Whether a root from outside goes or turns somewhere: both lately and over a longer time, and the same way.
static bool travels(const snw_WalkRoot *root)
{
    const sinew_Steering *travel = &root->travel;
    const double speed = snw_steering_speed(travel);
    const double on = root->forward * travel->forward + root->left * travel->left;
    const double turn = travel->turn >= 0.0 ? root->turn : -root->turn;
    return snw_min(speed * speed, on) > SNW_SLOWEST * speed
        || snw_min(fabs(travel->turn), turn) > SNW_SLOWEST_TURN;
}

sinew_Steering snw_drive_steering(const sinew_Drive *drive, const snw_WalkRoot *root)
{
    if (drive->kind == SINEW_DRIVE_BODY) { return drive->steering; }
    sinew_Steering steering = { 0.0, 0.0, 0.0 };
    if (drive->kind == SINEW_DRIVE_ROOT && !travels(root)) { return steering; }
    steering = (sinew_Steering){ root->forward, root->left, root->turn };
    if (drive->kind == SINEW_DRIVE_ROOT) { return steering; }
    const double vx = drive->velocity_x, vz = drive->velocity_z;
    const snw_LevelWay wanted = snw_root_to_body(root, vx, vz);
    steering.forward = wanted.ahead;
    steering.left = wanted.aside;
    double facing = drive->has_facing ? drive->facing : root->heading;
    if (!drive->has_facing && vx * vx + vz * vz > FACING_SPEED * FACING_SPEED) {
        facing = sinew_atan2(vx, vz);
    }
    steering.turn = FACING_GAIN / root->response.follow_time
        * snw_least_turn(root->heading, facing);
    return steering;
}

void snw_drive_answer(
    const sinew_WalkResponse *response, const sinew_Drive *drive, double h, snw_WalkRoot *root)
{
    const sinew_WalkResponse game = sinew_walk_response_game();
    root->is_led = drive->kind == SINEW_DRIVE_ROOT;
    if (!root->is_led) { root->travel = (sinew_Steering){ root->forward, root->left, root->turn }; }
    root->shove = snw_max(0.0, root->shove - SHOVE_FADES * h);
    // a root that somebody else leads, or that was pushed, does not wait for its legs
    const bool waits = !root->is_led && root->shove <= 0.0;
    root->response = waits || response->hurry >= game.hurry ? *response : game;
}

void snw_root_push(double x, double z, double most, snw_WalkRoot *root)
{
    double push = sqrt(x * x + z * z), part = push > 2.0 * most ? 2.0 * most / push : 1.0;
    const snw_LevelWay way = snw_root_to_body(root, x, z);
    root->forward += part * way.ahead;
    root->left += part * way.aside;
    root->shove += part * push;
    double speed = snw_root_speed(root);
    if (speed <= most) { return; }
    root->forward *= most / speed;
    root->left *= most / speed;
}

void snw_root_lead(const sinew_Drive *drive, double h, snw_WalkRoot *root)
{
    double turned = snw_least_turn(root->heading, drive->heading);
    if (h > 0.0) {
        double s, c, share = snw_follow(h, LED_TIME);
        double vx = (drive->x - root->x) / h, vz = (drive->z - root->z) / h;
        sinew_sincos(root->heading + 0.5 * turned, &s, &c);
        root->forward += share * (vx * s + vz * c - root->forward);
        root->left += share * (vx * c - vz * s - root->left);
        root->turn += share * (turned / h - root->turn);
        sinew_Steering *travel = &root->travel;
        const double part = snw_follow(h, TRAVEL_TIME);
        travel->forward += part * (root->forward - travel->forward);
        travel->left += part * (root->left - travel->left);
        travel->turn += part * (root->turn - travel->turn);
    }
    root->x = drive->x;
    root->z = drive->z;
    snw_root_face(root->heading + turned, root);
}

sinew_Steering snw_drive_drop_small(sinew_Steering s)
{
    if (fabs(s.forward) < SNW_SLOWEST && fabs(s.left) < SNW_SLOWEST) {
        s.forward = s.left = 0.0;
        if (fabs(s.turn) < SNW_SLOWEST_TURN) { s.turn = 0.0; }
    }
    return s;
}
