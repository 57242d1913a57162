#ifndef CLI_INPUT_H
#define CLI_INPUT_H

// Where a command's body and motion come from: a file, or a built-in scene as scene:NAME.

#include "scenes/scenes.h"
#include "sinew/file.h"

/// Frames per second and number of frames of a scene's motion.
enum { CLI_SCENE_RATE = 60, CLI_SCENE_FRAMES = 600 };

typedef struct cli_Input {
    const char *name;
    sinew_MotionFile *file; ///< NULL for a scene
    scene_Scene *scene;     ///< NULL for a file
    sinew_Clip *scene_clip;
    const sinew_Skeleton *skeleton;
    const sinew_Clip *clip;
} cli_Input;

/// Open a file or scene. False after a message; then there is nothing to close.
bool cli_input_open(cli_Input *input, const char *name, const sinew_ReadOptions *options);
void cli_input_close(cli_Input *input);

/// Index of a joint, or -1 after a message with the closest name.
int cli_find_joint(const cli_Input *input, const char *where, const char *name);

/// Whether a joint stands for the end of a bone alone.
bool cli_is_end_site(const cli_Input *input, int joint);

/// What to write like: options with the input's format details where it was a file.
sinew_WriteOptions cli_write_options(const cli_Input *input);

/// Write a motion. False after a message.
bool cli_write_motion(const char *path, const sinew_Clip *clip, const sinew_WriteOptions *options);

/// Whether a motion can be written under this name; false after a message.
bool cli_check_motion_path(const char *option, const char *path);
/// The same for pictures.
bool cli_check_picture_path(const char *option, const char *path);

#endif
