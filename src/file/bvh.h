#ifndef SNW_BVH_H
#define SNW_BVH_H

// A BVH file as it is written: joints, channels, numbers in the file's own unit and degrees.

#include "file/buffer.h"
#include "file/text.h"
#include "sinew/file.h"

/// Most channels of one joint.
#define SNW_BVH_MAX_CHANNELS SINEW_MAX_AXES_PER_JOINT

/// Numbers beyond this size are no positions or angles; their squares must not overflow anything.
#define SNW_BVH_MAX_NUMBER 1e9

/// Names of End Sites repeat that of their parent, so names are kept short enough. Bytes.
#define SNW_BVH_MAX_NAME 250

typedef enum snw_BvhChannel {
    SNW_BVH_X_POSITION,
    SNW_BVH_Y_POSITION,
    SNW_BVH_Z_POSITION,
    SNW_BVH_X_ROTATION,
    SNW_BVH_Y_ROTATION,
    SNW_BVH_Z_ROTATION,
} snw_BvhChannel;

/// One ROOT, JOINT or End Site, in the order of the file.
typedef struct snw_BvhJoint {
    int parent;
    /// Start of its name in snw_Bvh.names, as written; empty for an End Site without one.
    size_t name;
    bool is_end_site;
    /// Position channels are added to OFFSET instead of replacing it.
    bool adds_positions;
    double offset[3];
    /// Its numbers in a frame: channels[i] is number channel_start + i.
    int channel_start, channel_count;
    unsigned char channels[SNW_BVH_MAX_CHANNELS]; ///< snw_BvhChannel
    /// Place in channels of the X, Y and Z position, -1 where there is none.
    int position_place[3];
    /// Places in channels of the rotations in their order, and the axis of each (0 x, 1 y, 2 z).
    int rotation_count;
    unsigned char rotation_place[SNW_BVH_MAX_CHANNELS];
    int rotation_axis[SNW_BVH_MAX_CHANNELS];
    /// Children of any kind, and End Sites among them.
    int child_count, end_site_count;
} snw_BvhJoint;

/// Frames of files last so long, seconds: what is outside is no recording of anything, and figures per second
/// of it say nothing.
#define SNW_LEAST_FRAME_TIME 1e-6
#define SNW_MOST_FRAME_TIME 86400.0
/// Those of cameras and animations last so long; others are told.
#define SNW_USUAL_FRAME_TIME_LEAST 1e-3
#define SNW_USUAL_FRAME_TIME_MOST 1.0

/// A file whose unit would not be guessed right notes it behind the frame time, in decimals that no double
/// holds: Frame Time: 0.04 goes on with zeros to the 30th decimal and then has 10000000000000, the femtometres in
/// a unit. Comments, further words in a line and names of End Sites are each refused by readers that people
/// use; digits of a number by none, and a program that writes the file anew in another unit drops them.
#define SNW_BVH_NOTE_DECIMALS 30
#define SNW_BVH_NOTE_SCALE 1e15 ///< per metre
/// OFFSET of an End Site that stands for nothing: other readers want one below each last joint, this one leaves it out.
/// Nobody else writes zeros so.
#define SNW_BVH_NO_END " -0 -0 -0"

typedef struct snw_Bvh {
    snw_Buffer joints; ///< of snw_BvhJoint
    snw_Buffer names;  ///< terminated texts
    int joint_count;
    int channel_count; ///< numbers in a frame
    double frame_time; ///< as read; > 0
    double noted_unit; ///< metres; 0: none is noted
    long long declared_frames;
    int frame_count;     ///< complete frames that are there
    size_t motion_start; ///< place of the first number
    /// Things met on the way, for warnings.
    bool frame_time_was_zero, point_without_digit;
    bool motion_is_one_line; ///< all frames in one line
    int without_channels;    ///< joints that lack the CHANNELS line
} snw_Bvh;

snw_Bvh snw_bvh_create(const sinew_Allocator *allocator);
void snw_bvh_destroy(snw_Bvh *bvh);

snw_BvhJoint *snw_bvh_joints(const snw_Bvh *bvh);
const char *snw_bvh_name(const snw_Bvh *bvh, int joint);
/// Whether three rotations about different axes make this joint a ball.
bool snw_bvh_is_ball(const snw_BvhJoint *joint);
bool snw_bvh_has_positions(const snw_BvhJoint *joint);

/// Read the hierarchy and the head of the motion, and count the frames. The text must outlive the
/// reading of frames.
sinew_Status snw_bvh_parse(snw_Text *text, snw_Bvh *bvh);

/// Read the numbers of the next frame; text->at starts at motion_start. frame is for messages.
sinew_Status snw_bvh_parse_frame(
    snw_Text *text, const snw_Bvh *bvh, int frame, double *out_numbers);

/// So many frames at the start decide whether position channels replace OFFSET or are added to it.
#define SNW_BVH_LEAD_FRAMES 10

/// Position channels of joints below the root keep the bone lengths of OFFSET better when they are added to it than when
/// they replace it. lead: numbers of the first frames (lead_count x channel_count); offset_scale: what an OFFSET of the
/// layout is in their unit. Returns how many joints have such channels.
int snw_bvh_judge_positions(
    const snw_Bvh *bvh, const double *lead, int lead_count, double offset_scale, bool *out_adds);

/// Metres per unit, found from the proportions of the body.
typedef struct snw_BvhUnit {
    double unit;
    sinew_UnitSource source;
    int thigh, foot;  ///< joints of one leg, -1 when no legs were found
    double stature;   ///< metres; 0 when no legs were found
    char reason[200]; ///< one line for a warning
} snw_BvhUnit;

/// See the top of bvh_unit.c. False without memory.
bool snw_bvh_guess_unit(
    const snw_Bvh *bvh, const sinew_Allocator *allocator, snw_BvhUnit *out_unit);

/// Inside of sinew_MotionFile.
struct sinew_MotionFile {
    sinew_Allocator allocator;
    sinew_FileFormat format;
    snw_Bvh bvh;
    snw_Buffer
        first_frame; ///< numbers of the first frame as they are in the file; zeros without one
    sinew_Skeleton *skeleton;
    sinew_Clip *clip;
    double unit;
    sinew_UnitSource unit_source;
    double stature;            ///< metres; 0 when no legs were found
    snw_Buffer warnings;       ///< terminated texts
    snw_Buffer warning_starts; ///< of size_t
    snw_Buffer link_names;     ///< URDF: terminated texts, one for each joint of the skeleton
    snw_Buffer link_starts;    ///< of size_t
    struct sinew_Gltf *gltf;   ///< glTF: the document
    snw_Buffer gltf_joints;    ///< of snw_GltfJoint, one for each joint of the skeleton
    int animation;             ///< glTF: which one the clip is, -1: none
};

/// A file with nothing in it yet, NULL without memory; sinew_motion_destroy gives it back.
sinew_MotionFile *snw_motion_create(const sinew_Allocator *allocator);

/// Add a line of warning; bytes below 0x20 become '?'. Without memory it is lost, and
/// warnings.failed tells.
void snw_motion_warn(sinew_MotionFile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Read a BVH from text into an empty file: parse, unit, skeleton, clip, warnings.
sinew_Status snw_bvh_read(snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file);

/// What stands out in the motion and the skeleton, as warnings.
void snw_bvh_inspect(sinew_MotionFile *file, const snw_Text *text, const snw_BvhUnit *unit);

/// Length of an offset.
double snw_bvh_length(const double v[3]);

#endif
