#ifndef CLI_INPUT_H
#define CLI_INPUT_H

// Where a command's body and motion come from: a file, or a built-in scene as scene:NAME.

#include "scenes/scenes.h"
#include "sinew/file.h"
#include "sinew/individual.h"
#include "sinew/rig_starts.h"
#include "sinew/stance.h"
#include "sinew/terrain.h"

/// Frames per second and number of frames of a scene's motion.
enum { CLI_SCENE_RATE = 60, CLI_SCENE_FRAMES = 600 };

typedef struct cli_Input {
    const char *name;
    sinew_MotionFile *file; ///< NULL for a scene
    scene_Scene *scene;     ///< NULL for a file
    sinew_Clip *scene_clip;
    /// What is worked with: the file's or scene's own, or those that a rig made of them.
    const sinew_Skeleton *skeleton;
    const sinew_Clip *clip;
    /// The file's or scene's own motion.
    const sinew_Clip *source;

    sinew_RoleGuess *roles; ///< see cli_input_roles
    sinew_Stance *stance;   ///< see cli_input_stance
    sinew_Rig *rig;         ///< NULL without one
    char *rig_path;         ///< NULL when the rig was guessed
    bool unit_of_rig;       ///< the rig file said the unit of the motion
    double rig_residual;    ///< largest rotation that the rig's kinds of joints cannot make, rad
    sinew_Skeleton *rigged;
    sinew_Clip *rigged_clip;
} cli_Input;

/// Whether there is a file or scene of this name; false after a message.
bool cli_input_exists(const char *name);

/// How another file is read beside the one that options are about: --animation is for glTF files.
sinew_ReadOptions cli_read_second(const char *name, const sinew_ReadOptions *options);

/// Open a file or scene. False after a message; then there is nothing to close.
bool cli_input_open(cli_Input *input, const char *name, const sinew_ReadOptions *options);
void cli_input_close(cli_Input *input);

/// The same in the unit that the rig file beside the input says, where there is one and options say none: of the
/// rig nothing else is used.
bool cli_input_open_measured(cli_Input *input, const char *name, const sinew_ReadOptions *options);

/// The same with a rig: rig is a path, "auto" (guessed), "none", or NULL: the rig file beside the
/// input, where there is one. Skeleton and clip are then those of the rig. False after a message;
/// then there is nothing to close.
bool cli_input_open_rigged(
    cli_Input *input, const char *name, const sinew_ReadOptions *options, const char *rig);

/// Roles of the joints, guessed anew; the caller gives them back. NULL after a message.
sinew_RoleGuess *cli_guess_roles(const cli_Input *input);
/// Roles of the joints, guessed at the first call; NULL after a message.
const sinew_RoleGuess *cli_input_roles(cli_Input *input);

/// How the body stands, found at the first call; NULL after a message.
const sinew_Stance *cli_input_stance(cli_Input *input);
/// The stance as a clip of one frame, which the caller gives back; NULL after a message.
sinew_Clip *cli_stance_clip(const cli_Input *input);
/// All frames of a clip.
sinew_PoseList cli_poses(const sinew_Clip *clip);

/// A rig from the roles, with what said says (may be NULL); NULL after a message.
sinew_Rig *cli_guess_rig(cli_Input *input, const sinew_Rig *said, bool hinges);

/// Let a solver use the rig's start table for goals like these, where it has one. The caller gives
/// the table back after the solver.
void cli_use_starts(const cli_Input *input, sinew_Solver *solver, const sinew_Goal *goals,
    int goal_count, sinew_StartTable **out_table);

/// Whether any joint has a limit.
bool cli_has_limits(const sinew_Skeleton *skeleton);

/// The rig's path, "auto", or "none".
const char *cli_rig_name(const cli_Input *input);
/// The same in words; static memory.
const char *cli_rig_text(const cli_Input *input);

/// Text for --rig in a command's list of options.
#define CLI_RIG_HELP                                                          \
    "limits and masses: a rig file, auto (guessed from the joints) or none\n" \
    "(default: FILE.rig.json beside FILE, where there is one)"

/// Somebody in particular, as text or a file: CLI_DONE, or after a message CLI_USAGE for a text, CLI_FAILED for a file.
int cli_take_individual(const char *option, const char *text, sinew_Individual *out_individual);

/// Text for --individual in a command's list of options.
#define CLI_INDIVIDUAL_HELP                                                                     \
    "somebody in particular: stiff_knee_left, stiff_knee_right, limp_left,\n"                   \
    "limp_right, bad_back, heavy, child, old, tired, happy, sad, angry, with\nstrengths; or a " \
    "file"

/// Ground by its name or from a file of heights. CLI_DONE; else, after a message, CLI_USAGE for a name that
/// is none and CLI_FAILED for a bad file.
int cli_open_terrain(const char *name, sinew_Terrain **out_terrain);

/// Whether the input is a machine: its own limits hold, and its links have names as well.
bool cli_is_robot(const cli_Input *input);

/// Where up is for pictures: +Z for robots, else zero, which lets the picture choose.
sinew_Vec3 cli_up(const cli_Input *input);

/// Index of a joint by its name or, on robots, by that of its link; -1 when there is none.
int cli_named_joint(const cli_Input *input, const char *name);

/// Index of a joint, or -1 after a message with the closest name.
int cli_find_joint(const cli_Input *input, const char *where, const char *name);

/// Whether a joint stands for the end of a bone alone.
bool cli_is_end_site(const cli_Input *input, int joint);

/// What an animation is called that is written: as --animation-name says, else as that of the glTF file is that the
/// motion comes from, else as the file or the scene; NULL of standard input. Good until the next call.
const char *cli_animation_name(const cli_Input *motion);

/// What to write like: options with the body's format details where it was a file, its up where a glTF file is made of
/// another, and the name of the motion, NULL: of none that was read.
sinew_WriteOptions cli_write_options(const char *path, cli_Input *body, const cli_Input *motion);

/// Whether --float can do something: false after a message that the body is no robot.
bool cli_check_float(const cli_Input *input);
/// Note that a robot's base floated without being asked for, so that it can do something.
void cli_tell_float(const cli_Input *input, const char *purpose);

/// What a joint was made from, to make it again in another skeleton; the parent is the same.
sinew_JointDef cli_joint_def(const sinew_Skeleton *skeleton, int joint);

/// Turn a motion as a whole about the origin, in place. A root that cannot turn leaves it to the joints below.
sinew_Status cli_turn_clip(sinew_Clip *clip, sinew_Quat turn);

/// Write a motion. False after a message.
bool cli_write_motion(const char *path, const sinew_Clip *clip, const sinew_WriteOptions *options);

/// Whether writing went well; false after a message.
bool cli_tell_written(const char *path, sinew_Status status, const sinew_Message *message);

/// Whether a motion can be written under this name, or a film of it be made; false after a message.
bool cli_check_motion_path(const char *option, const char *path, bool may_film);
/// Whether several files can go into a folder of this name, which no file would have; false after a message.
bool cli_check_folder(const char *option, const char *path);
/// Whether path ends as a picture does, or a film.
bool cli_is_picture(const char *path);
bool cli_is_film(const char *path);
/// As cli_check_motion_path, for pictures.
bool cli_check_picture_path(const char *option, const char *path);

#endif
