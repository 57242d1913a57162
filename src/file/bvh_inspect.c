// What stands out in a BVH file, said in one line each. Nothing here changes what was read.

#include "file/bvh.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A joint that turns farther than this from one frame to the next did not move so: the capture
// flipped. 115 degrees.
#define FLIP_ANGLE 2.0

// Frame 0 is an added pose when a joint turns so many times farther to frame 1 than in each of the
// next steps, and at least so far, radians.
#define POSE_JUMP_RATIO 5.0
#define POSE_JUMP_ANGLE 0.35
#define POSE_JUMP_FRAMES 30

// An End Site so much longer than the figure is tall holds no bone.
#define END_SITE_SHARE 0.5

// ---------------------------------------------------------------------------------------------
// The text

static void inspect_text(sinew_MotionFile *file, const snw_Text *text)
{
    const snw_Bvh *bvh = &file->bvh;
    snw_TextSurvey survey = snw_text_survey(text);
    if (survey.byte_order_mark) { snw_motion_warn(file, "text: byte order mark at the start"); }
    if (survey.mixed_line_ends) { snw_motion_warn(file, "text: different line ends in one file"); }
    if (survey.lone_carriage_returns && !survey.mixed_line_ends) {
        snw_motion_warn(file, "text: lines end with a lone carriage return");
    }
    if (survey.no_final_line_end) { snw_motion_warn(file, "text: the last line has no end"); }
    if (bvh->point_without_digit) {
        snw_motion_warn(file, "Frame Time begins with a point: taken as %.9g s", bvh->frame_time);
    }
    if (bvh->frame_time < SNW_USUAL_FRAME_TIME_LEAST
        || bvh->frame_time > SNW_USUAL_FRAME_TIME_MOST) {
        snw_motion_warn(file, "Frame Time is %.9g s: %.6g frame%s per second", bvh->frame_time,
            1.0 / bvh->frame_time, snw_plural(1.0 / bvh->frame_time));
    }
    if (bvh->frame_time_was_zero) { snw_motion_warn(file, "Frame Time is 0: taken as 1/30 s"); }
    if (bvh->frame_count > bvh->declared_frames) {
        snw_motion_warn(file, "the header says %lld frame%s, the file has %d: all are kept",
            bvh->declared_frames, snw_plural((double)bvh->declared_frames), bvh->frame_count);
    }
    if (bvh->frame_count == 0) { snw_motion_warn(file, "no frames"); }
}

// ---------------------------------------------------------------------------------------------
// The hierarchy

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void inspect_equal_names(sinew_MotionFile *file)
{
    int count = sinew_skeleton_joint_count(file->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(file->skeleton);
    snw_Buffer list = snw_buffer_create(&file->allocator);
    const char **names = snw_buffer_extend(&list, (size_t)count * sizeof *names);
    if (names != NULL) {
        for (int j = 0; j < count; ++j) { names[j] = joints[j].name; }
        qsort(names, (size_t)count, sizeof *names, compare_names);
        int equal = 0;
        const char *example = NULL;
        for (int j = 1; j < count; ++j) {
            if (strcmp(names[j - 1], names[j]) != 0) { continue; }
            ++equal;
            if (example == NULL) { example = names[j]; }
        }
        if (equal > 0) {
            snw_motion_warn(file,
                "%d joint%s the name of another, such as \"%.100s\": kept, the name finds "
                "the first",
                equal, equal == 1 ? " has" : "s have", example);
        }
    }
    snw_buffer_destroy(&list);
}

static void inspect_names(sinew_MotionFile *file)
{
    const snw_Bvh *bvh = &file->bvh;
    const char *with_colon = NULL, *with_space = NULL, *end_site = NULL;
    for (int j = 0; j < bvh->joint_count; ++j) {
        const char *name = snw_bvh_name(bvh, j);
        if (snw_bvh_joints(bvh)[j].is_end_site) {
            if (end_site == NULL && name[0] != '\0') { end_site = name; }
            continue;
        }
        if (with_colon == NULL && strchr(name, ':') != NULL) { with_colon = name; }
        if (with_space == NULL && strpbrk(name, " \t") != NULL) { with_space = name; }
    }
    if (with_colon != NULL) {
        snw_motion_warn(file, "names with colons, such as \"%.100s\": kept", with_colon);
    }
    if (with_space != NULL) {
        snw_motion_warn(file, "names with spaces, such as \"%.100s\": kept", with_space);
    }
    if (end_site != NULL) {
        snw_motion_warn(
            file, "End Sites with names, such as \"%.100s\": kept for writing", end_site);
    }
    inspect_equal_names(file);
}

// how many joints have an oddity, and the first of them
typedef struct Tally {
    int count, first;
} Tally;

static void add_to(Tally *tally, bool odd, int joint)
{
    if (!odd) { return; }
    if (tally->count == 0) { tally->first = joint; }
    ++tally->count;
}

static void tell(sinew_MotionFile *file, Tally tally, const char *noun, const char *what)
{
    if (tally.count == 0) { return; }
    snw_motion_warn(file, "%d %s%s %s, first %.100s", tally.count, noun, snw_plural(tally.count),
        what, sinew_skeleton_joints(file->skeleton)[tally.first].name);
}

static bool rotates_before_position(const snw_BvhJoint *joint)
{
    for (int i = 0; i + 1 < joint->channel_count; ++i) {
        bool turns = joint->channels[i] >= SNW_BVH_X_ROTATION;
        if (turns && joint->channels[i + 1] < SNW_BVH_X_ROTATION) { return true; }
    }
    return false;
}

static void inspect_hierarchy(sinew_MotionFile *file, const snw_BvhUnit *unit)
{
    const snw_Bvh *bvh = &file->bvh;
    Tally on_parent = { 0, 0 }, zero_end = { 0, 0 }, long_end = { 0, 0 }, no_end = { 0, 0 };
    Tally several_ends = { 0, 0 }, turns_first = { 0, 0 }, few_turns = { 0, 0 }, still = { 0, 0 };
    int roots = 0;
    double longest_end = unit->stature > 0.0 ? END_SITE_SHARE * unit->stature / unit->unit
                                             : INFINITY;
    for (int j = 0; j < bvh->joint_count; ++j) {
        const snw_BvhJoint *joint = &snw_bvh_joints(bvh)[j];
        double length = snw_bvh_length(joint->offset);
        bool zero = !(length > 0.0);
        roots += joint->parent < 0;
        add_to(&on_parent, zero && !joint->is_end_site && joint->parent >= 0, j);
        add_to(&zero_end, zero && joint->is_end_site, j);
        add_to(&long_end, joint->is_end_site && length > longest_end, j);
        if (joint->is_end_site) { continue; }
        add_to(&no_end, joint->child_count == 0, j);
        add_to(&several_ends, joint->end_site_count > 1, j);
        add_to(&turns_first, rotates_before_position(joint), j);
        add_to(&few_turns, joint->rotation_count > 0 && !snw_bvh_is_ball(joint), j);
        add_to(&still, joint->channel_count == 0, j);
    }
    if (roots > 1) { snw_motion_warn(file, "%d roots: kept, each hangs in the world", roots); }
    tell(file, on_parent, "joint", "on top of the parent (bones of length zero)");
    tell(file, zero_end, "End Site", "of length zero");
    tell(file, long_end, "End Site", "longer than half the figure");
    tell(file, no_end, "joint", "at the end of a chain without End Site");
    tell(file, several_ends, "joint", "with several End Sites");
    tell(
        file, turns_first, "joint", "with rotations listed before positions (positions act first)");
    tell(file, few_turns, "joint", "with other than three different rotations (read as hinges)");
    tell(file, still, "joint", "without channels");
}

// ---------------------------------------------------------------------------------------------
// The motion

static double turn_between(const double *a, const double *b)
{
    double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
    return dot < 1.0 ? 2.0 * sinew_acos(dot) : 0.0;
}

// the turn of one ball between a frame and the next
static double turn_of(const sinew_MotionFile *file, int coordinate, int frame)
{
    return turn_between(sinew_clip_frame_const(file->clip, frame) + coordinate,
        sinew_clip_frame_const(file->clip, frame + 1) + coordinate);
}

// what the balls do from frame to frame
typedef struct Turns {
    int jumping, jump_joint; // joints that leave frame 0 at once and then go on calmly
    double jump;             // the largest of those turns
    int flips, flip_frame, flip_joint;
} Turns;

static void inspect_ball(
    const sinew_MotionFile *file, const sinew_AxisPlace *place, int steps, Turns *turns)
{
    double first = turn_of(file, place->coordinate, 0), calm = 0.0;
    for (int f = 1; f < steps && f <= POSE_JUMP_FRAMES; ++f) {
        double turn = turn_of(file, place->coordinate, f);
        calm = turn > calm ? turn : calm;
    }
    bool jumps = steps > 1 && first > POSE_JUMP_ANGLE && first > POSE_JUMP_RATIO * calm;
    turns->jumping += jumps;
    if (jumps && first > turns->jump) {
        turns->jump = first;
        turns->jump_joint = place->joint;
    }
    for (int f = jumps ? 1 : 0; f < steps; ++f) {
        if (!(turn_of(file, place->coordinate, f) > FLIP_ANGLE)) { continue; }
        if (turns->flips++ == 0 || f < turns->flip_frame) {
            turns->flip_frame = f;
            turns->flip_joint = place->joint;
        }
    }
}

static void inspect_motion(sinew_MotionFile *file)
{
    int steps = sinew_clip_frame_count(file->clip) - 1;
    const sinew_Joint *joints = sinew_skeleton_joints(file->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(file->skeleton);
    Turns turns;
    memset(&turns, 0, sizeof turns);
    int count = sinew_skeleton_axis_count(file->skeleton);
    for (int i = 0; i < count && steps > 0; ++i) {
        if (sinew_skeleton_axes(file->skeleton)[i].kind != SINEW_AXIS_BALL) { continue; }
        inspect_ball(file, &places[i], steps, &turns);
    }
    if (turns.jumping > 0) {
        snw_motion_warn(file,
            "frame 0 is far from frame 1 (%d joint%s, %.100s by %.0f degrees), the next frames "
            "are near each other: it may be an added rest pose",
            turns.jumping, snw_plural(turns.jumping), joints[turns.jump_joint].name,
            turns.jump * 180.0 / SINEW_PI);
    }
    if (turns.flips > 0) {
        snw_motion_warn(file,
            "%d turn%s of a joint by more than %.0f degrees in one step, first %.100s after "
            "frame %d: kept as captured",
            turns.flips, snw_plural(turns.flips), FLIP_ANGLE * 180.0 / SINEW_PI,
            joints[turns.flip_joint].name, turns.flip_frame);
    }
}

// standing along Z, the library's own up is Y
static void inspect_up(sinew_MotionFile *file, const snw_BvhUnit *unit)
{
    if (unit->thigh < 0 || sinew_clip_frame_count(file->clip) == 0) { return; }
    size_t size = (size_t)sinew_skeleton_joint_count(file->skeleton) * sizeof(sinew_Transform);
    snw_Buffer room = snw_buffer_create(&file->allocator);
    sinew_Transform *world = snw_buffer_extend(&room, size);
    if (world != NULL) {
        sinew_pose_forward(file->skeleton, sinew_clip_frame_const(file->clip, 0), world);
        sinew_Vec3 leg = sinew_vec3_sub(world[unit->thigh].position, world[unit->foot].position);
        double length = sinew_vec3_length(leg);
        if (leg.z > 0.8 * length) {
            snw_motion_warn(
                file, "the figure stands along +Z in frame 0, not along +Y: kept as it is");
        }
    }
    snw_buffer_destroy(&room);
}

void snw_bvh_inspect(sinew_MotionFile *file, const snw_Text *text, const snw_BvhUnit *unit)
{
    inspect_text(file, text);
    inspect_names(file);
    inspect_hierarchy(file, unit);
    inspect_motion(file);
    inspect_up(file, unit);
}
