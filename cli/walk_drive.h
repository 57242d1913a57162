#ifndef CLI_WALK_DRIVE_H
#define CLI_WALK_DRIVE_H

// What `sinew walk` asks a walker for: a stick, a velocity of the world, or a capsule that a game moves; jumps,
// and what the rest of the body does.

#include "sinew/steering_file.h"
#include "sinew/walker.h"

typedef enum cli_Root {
    CLI_ROOT_OWN,     ///< the walker moves itself
    CLI_ROOT_CAPSULE, ///< a capsule does, and never waits
    CLI_ROOT_HEEDING, ///< it goes no faster than the walker says that its legs can
} cli_Root;

enum { CLI_MOST_JUMPS = 64 };

typedef struct cli_WalkDrive {
    const sinew_StickRecording *sticks; ///< NULL: none
    cli_Root root;
    bool has_facing, has_look;
    double crouch, carry;
    sinew_Vec3 look_at;
    double jumps[CLI_MOST_JUMPS]; ///< seconds
    int jump_count;
    double height; ///< of these, metres
    double facing; ///< radians; with it the steering is along the world's axes
    // the capsule
    double x, z, heading, velocity_x, velocity_z;
} cli_WalkDrive;

/// Whether something is asked that the style natural alone does.
bool cli_drive_is_natural(const cli_WalkDrive *drive);

/// Read the times of --jump and the point of --look; false after a message.
bool cli_take_jumps(cli_WalkDrive *drive, const char *value);
bool cli_take_look(cli_WalkDrive *drive, const char *value);

/// The drive of the frame that begins at a time; without a recording it is steered by steering.
sinew_Drive cli_walk_drive(cli_WalkDrive *drive, const sinew_Steering *steering,
    const sinew_WalkerReport *report, double time, double dt);
/// Height of a jump that begins in that frame, metres; 0: none.
double cli_walk_jump(const cli_WalkDrive *drive, double time, double dt);

#endif
