#ifndef CLI_WALK_DRIVE_H
#define CLI_WALK_DRIVE_H

// What `sinew walk` asks a walker for: a stick, a velocity of the world, or a capsule that a game moves.

#include "sinew/walker.h"

typedef enum cli_Root {
    CLI_ROOT_OWN,     ///< the walker moves itself
    CLI_ROOT_CAPSULE, ///< a capsule does, and never waits
    CLI_ROOT_HEEDING, ///< it goes no faster than the walker says that its legs can
} cli_Root;

typedef struct cli_WalkDrive {
    cli_Root root;
    bool has_facing;
    double crouch;
    double facing; ///< radians; with it the steering is along the world's axes
    // the capsule
    double x, z, heading, velocity_x, velocity_z;
} cli_WalkDrive;

/// The drive of the next frame.
sinew_Drive cli_walk_drive(cli_WalkDrive *drive, const sinew_Steering *steering,
    const sinew_WalkerReport *report, double dt);

#endif
