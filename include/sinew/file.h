#ifndef SINEW_FILE_H
#define SINEW_FILE_H

/// \file
/// Motion files: read, written back with what they had. Part of libsinew-io.
///
/// Files are converted at the door: in memory everything is in metres, radians and seconds.

#include "clip.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Formats of motion files, a row each: its name here and the word of its file in `src/file` (format.h).
#define SINEW_FORMAT_LIST(X)   \
    X(SINEW_FORMAT_BVH, bvh)   \
    X(SINEW_FORMAT_URDF, urdf) \
    X(SINEW_FORMAT_GLTF, gltf)

/// Formats of motion files.
///
/// - BVH: a skeleton and one motion as text.
/// - URDF: a robot, a skeleton with limits and masses, and a clip without frames; read alone.
/// - GLTF: a scene of nodes with skins and animations (gltf.h), .glb and .gltf.
typedef enum sinew_FileFormat {
    SINEW_FORMAT_UNKNOWN,
#define SINEW_FORMAT_ENUM(name, word) name,
    SINEW_FORMAT_LIST(SINEW_FORMAT_ENUM)
#undef SINEW_FORMAT_ENUM
} sinew_FileFormat;

/// What people call a format: "BVH"; "unknown" for what is none. Static memory.
SINEW_API const char *sinew_format_name(sinew_FileFormat format);

/// The format that sinew_motion_write takes for a name, by its ending (capitals do not count); UNKNOWN where it
/// would refuse.
SINEW_API sinew_FileFormat sinew_format_of_name(const char *path);

/// What the position channels of a BVH joint mean.
typedef enum sinew_BvhPositions {
    /// Root: replace. Other joints: add when the first frame shows that they are differences.
    SINEW_BVH_POSITIONS_AUTO,
    SINEW_BVH_POSITIONS_REPLACE, ///< they replace OFFSET, as most programs write them
    SINEW_BVH_POSITIONS_ADD,     ///< they are added to OFFSET
} sinew_BvhPositions;

/// Where the other files are that a file refers to (buffers and images of a glTF).
typedef struct sinew_FileSource {
    /// Find a file by its name relative to the one that is read, '/' between folders, and give its
    /// bytes, which stay until release. NULL: there are no other files.
    sinew_Status (*read)(void *user, const char *name, const char **out_data, size_t *out_size,
        sinew_Message *out_message);
    void (*release)(void *user, const char *data, size_t size); ///< may be NULL
    void *user;
} sinew_FileSource;

/// How to read. Start from sinew_read_options_default().
typedef struct sinew_ReadOptions {
    /// Metres in one unit of the file; 0 (default): as the file notes it (see sinew_WriteOptions), else guessed. URDF and glTF files
    /// are in metres; 0 is 1 there, but a glTF figure of more than 20 m gets the unit that makes it
    /// human.
    double unit;
    sinew_BvhPositions positions;
    /// Read three rotation channels as three hinges in their order instead of one ball (default
    /// false). Balls are what solvers like; hinges keep a file's own angles.
    bool euler_joints;
    /// URDF: the root link may move and turn (three slides and a ball) instead of being fixed in the world
    /// (default false). Walkers ask for it.
    bool float_base;
    /// glTF: the animation that becomes the clip, by name or number; NULL (default): the last one that
    /// sinew wrote, else the first.
    const char *animation;
    /// Default: none from memory; beside the file for sinew_motion_read.
    sinew_FileSource source;
    /// XML alone is read with memory of malloc.
    sinew_Allocator allocator;
} sinew_ReadOptions;

/// The defaults told above.
SINEW_API sinew_ReadOptions sinew_read_options_default(void);

/// How sure a unit is.
typedef enum sinew_UnitSource {
    SINEW_UNIT_GIVEN,   ///< by the caller, or by definition of the format
    SINEW_UNIT_GUESSED, ///< the figure, or the hand that the file holds, has a human size in it
    SINEW_UNIT_SCALED,  ///< no unit gives a human size; scaled so that the figure is 1.7 m tall
    SINEW_UNIT_ASSUMED, ///< nothing to go by: taken as it is
    SINEW_UNIT_NOTED,   ///< as sinew noted in the file when it wrote it
} sinew_UnitSource;

/// A file in memory: its skeleton, its motion, and what is needed to write it back.
typedef struct sinew_MotionFile sinew_MotionFile;

/// Read a file; the format is found by content. options may be NULL for the defaults. *out_file is NULL on
/// failure, and the message is one line: FILE:LINE:COLUMN: found ..., expected ....
/// CANNOT_READ, BAD_FILE, UNSUPPORTED, OUT_OF_MEMORY, INVALID_ARGUMENT.
SINEW_API sinew_Status sinew_motion_read(const char *path, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message);

/// The same from memory; name stands for the file in messages.
SINEW_API sinew_Status sinew_motion_read_memory(const char *data, size_t size, const char *name,
    const sinew_ReadOptions *options, sinew_MotionFile **out_file, sinew_Message *out_message);

/// Give it back, with its skeleton and its clip; NULL is ignored.
SINEW_API void sinew_motion_destroy(sinew_MotionFile *file);

/// What it was, and what was in it: these live as long as the file. A file without motion has a clip all the same, of
/// one frame at rest or of none.
SINEW_API sinew_FileFormat sinew_motion_format(const sinew_MotionFile *file);
SINEW_API const sinew_Skeleton *sinew_motion_skeleton(const sinew_MotionFile *file);
SINEW_API const sinew_Clip *sinew_motion_clip(const sinew_MotionFile *file);
/// Metres in one unit of the file.
SINEW_API double sinew_motion_unit(const sinew_MotionFile *file);
/// How sure that is.
SINEW_API sinew_UnitSource sinew_motion_unit_source(const sinew_MotionFile *file);
/// How tall the figure is by the length of its legs, metres; 0 when no legs were found.
SINEW_API double sinew_motion_stature(const sinew_MotionFile *file);
/// Whether a joint stands for a BVH End Site, or for a bare end of a branch of glTF nodes.
SINEW_API bool sinew_motion_is_end_site(const sinew_MotionFile *file, int joint);
/// Index of a joint, -1 when there is none. Robots know links as well: a name that no joint has is
/// looked up among the links, and stands for the joint whose frame the link has.
SINEW_API int sinew_motion_find_joint(const sinew_MotionFile *file, const char *name);
/// Name of the link that moves with a joint of a robot; NULL in other files.
SINEW_API const char *sinew_motion_link(const sinew_MotionFile *file, int joint);

/// Oddities that were met and handled, each one line of text, index 0..count - 1.
SINEW_API int sinew_motion_warning_count(const sinew_MotionFile *file);
SINEW_API const char *sinew_motion_warning(const sinew_MotionFile *file, int index);

/// How to write. Start from sinew_write_options_default().
typedef struct sinew_WriteOptions {
    /// Metres in one unit of the written file; 0 (default): that of like, or centimetres. A BVH file that would be
    /// guessed to be in another unit notes its own in decimals of the frame time, which other readers round
    /// away, so that it is read back at its size.
    double unit;
    /// File whose format details (channel order, offsets, unit) are kept; its skeleton must have the
    /// joints of the clip's. Names are those of the clip's skeleton, so a renamed skeleton renames
    /// the joints of the file. NULL (default) or no BVH file: rotation order ZXY, root with positions.
    const sinew_MotionFile *like;
    /// glTF: what the animation is called that is added; " 2" and so on follow where the file has one of that name.
    /// NULL (default): "sinew".
    const char *animation;
    /// glTF that is made anew: the direction of the clip's world that is up; a node above the joints turns it to +Y, as
    /// glTF has it. Zero (default): +Y is.
    sinew_Vec3 up;
} sinew_WriteOptions;

/// The defaults told above.
SINEW_API sinew_WriteOptions sinew_write_options_default(void);

/// Write a clip; the ending of path decides the format. Goes to a temporary file beside path that
/// is renamed when complete, so a failure loses nothing. options may be NULL. INVALID_ARGUMENT, UNSUPPORTED,
/// CANNOT_WRITE, OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_motion_write(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, sinew_Message *out_message);

/// The same into memory: the bytes of the file that path names by its ending and folder; nothing is
/// written. The caller gives *out_data back through the allocator (NULL: free), *out_size bytes.
SINEW_API sinew_Status sinew_motion_write_memory(const char *path, const sinew_Clip *clip,
    const sinew_WriteOptions *options, const sinew_Allocator *allocator, char **out_data,
    size_t *out_size, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
