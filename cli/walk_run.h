#ifndef CLI_WALK_RUN_H
#define CLI_WALK_RUN_H

// One walk of `sinew walk`: walk_run.c walks, walk_output.c writes, draws and tells what was walked.

#include "arguments.h"
#include "input.h"
#include "walk_drive.h"
#include "walk_layer.h"
#include "walk_loop.h"
#include "walk_manner.h"
#include "walk_numbers.h"

#include "measure/walk_meter.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"
#include "sinew/walker.h"

/// A walk that is shorter has no frame.
#define CLI_WALK_NO_TIME 1e-9

/// Names of the styles, by sinew_WalkStyle.
extern const char *const cli_walk_styles[2];

typedef struct cli_WalkRequest {
    cli_SolverSettings settings;
    sinew_ReadOptions read;
    const char *body, *limits, *terrain, *input, *out, *picture, *only;
    double speed, side, turn, seconds, fps; // speed infinite: the own pace of who walks
    double stride;                          // of the style paper; 0: by speed
    bool steered, report, trials, json;
    long steps, jobs;
    sinew_WalkStyle style;
    cli_WalkDrive drive;
    const char *layer, *mask;
    bool is_loop, is_in_place;
    bool is_quick, is_floating, has_height;
    cli_MannerText manner;
    cli_WalkNumbers numbers;
} cli_WalkRequest;

typedef struct cli_Walk {
    const cli_WalkRequest *request;
    cli_Input body;
    sinew_Terrain *terrain;
    sinew_StickRecording *sticks;
    sinew_Walker *walker;
    measure_WalkMeter *meter;
    sinew_Ground ground;
    sinew_Clip *clip; // NULL when nobody wants the motion
    cli_WalkDrive drive;
    cli_Layer *layer; // NULL: none
    cli_Recording record;
    cli_Loop loop; // stride_count 0: none
    cli_Learned learned;
    double speed;                   // forward, m/s
    double window_time, window_way; // when and where the second began whose speed is looked at
    double fastest;                 // mean of a whole second, m/s
    double time;                    // of all updates, seconds
    double solve_time;
} cli_Walk;

/// Which legs and method were asked for.
void cli_walk_rows(const cli_WalkRequest *request, sinew_WalkerDef *def);
/// Walk, write, draw and tell; returns the exit code. The body is open; all else is zero but the request.
int cli_walk_run(cli_Walk *walk);
/// Give back all that it has.
void cli_walk_close(cli_Walk *walk);
/// What speed was asked for, m/s; 0 where that changes.
double cli_walk_asked_speed(const cli_Walk *walk);
/// Whether it never went as fast as was asked, in a walk that is long enough to tell.
bool cli_walk_is_slower(const cli_Walk *walk);

/// Make the clip of what was walked, and write and draw what was asked for; false after a message.
bool cli_walk_write(cli_Walk *walk);
/// Print what was walked.
void cli_walk_print(const cli_Walk *walk);

#endif
