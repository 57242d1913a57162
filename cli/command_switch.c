// `sinew switch`: alternate FK and IK on the limbs of a motion, and show that nothing pops.

#include "clock.h"
#include "commands.h"

#include "disk.h"
#include "input.h"
#include "json.h"
#include "progress.h"

#include "base/message.h"
#include "measure/motion_meter.h"

#include "output.h"
#include "pictures/pictures.h"
#include "sinew/keys_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMB = 1, AT, BLEND, OUT, RIG, START_IK, TO_IK, TO_FK, REDUCE, KEYS, CONTROLS };
enum { MAX_SWITCHES = 1000 };

static const cli_Option own_options[] = {
    { LIMB, "limb", 'l', "L,...|all",
        "limbs to switch: arm_l, arm_r, leg_l, leg_r, spine (front legs of\n"
        "animals: front_l, front_r), or a joint of the limb; default all" },
    { AT, "at", 'a', "T,...",
        "seconds at which FK and IK change places; default: the middle\n"
        "of the motion" },
    { BLEND, "blend", 'b', "S",
        "seconds in which joints go over to the motion's own after IK, where IK\n"
        "found others (default 0.25)" },
    { START_IK, "start-ik", 0, NULL, "begin in IK instead of FK" },
    { TO_IK, "to-ik", 0, "FROM..TO",
        "keyed: joints of the limbs become keys of handles between these\n"
        "seconds; may be given several times" },
    { TO_FK, "to-fk", 0, "FROM..TO", "keyed: handles become keys of joints again" },
    { REDUCE, "reduce", 0, "MM",
        "keyed: as few keys as stay within so many millimetres (default 2)" },
    { KEYS, "keys", 'k', "FILE.json", "keyed: write the keys" },
    { CONTROLS, "controls", 'c', "FILE.json",
        "write the control rig of the first frame: rings of joints in FK,\n"
        "handle, pole, roll and toes of limbs in IK (--start-ik)" },
    { RIG, "rig", 'r', "RIG.json|auto|none", CLI_RIG_HELP },
    { OUT, "output", 'o', "FILE.bvh", "write the motion" },
    { 0, NULL, 0, NULL, NULL },
};

// seconds that go over to the other way
typedef struct Span {
    double from, to;
    bool ik;
} Span;

typedef struct Request {
    sinew_ReadOptions read;
    const char *limbs, *rig, *out, *picture, *keys, *controls;
    Span spans[MAX_SWITCHES];
    int span_count;
    double reduce; // metres; 0: not said
    double at[MAX_SWITCHES];
    int at_count; // 0: not said
    double blend; // seconds
    bool start_ik, json;
} Request;

typedef struct Figures {
    int switches;
    double max_pop_m, max_pop_rad; // at the switches
    double max_error;              // of handles in IK, metres
    double limb_error; // of any joint of the limbs and below, as written, to the source, metres
    double rotation_error, max_rotation_error; // of all joints to the source, radians
    sinew_KeysFigures keys;                    // of joints; keyed alone
    sinew_KeysFigures handles; // of the range that was farthest off its joints; their keys together
    double time;               // seconds of an update
    measure_Motion source, result;
} Figures;

typedef struct Work {
    cli_Input input;
    sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    char names[SINEW_MAX_SWITCH_LIMBS][24];
    bool chosen[SINEW_MAX_SWITCH_LIMBS];
    int limb_count;
    sinew_Switch *sw;     // what is shown
    sinew_Keys *keys;     // NULL where the motion is not keyed
    sinew_Switch *reader; // in FK all the time: where the motion's own handles are
    sinew_Clip *clip;
    double *before;
    sinew_Transform *world_before, *world_after;
    Figures figures;
} Work;

// ---------------------------------------------------------------------------------------------
// Limbs

static void name_limb(const sinew_RoleGuess *roles, const sinew_SwitchLimb *limb, char out_name[24])
{
    const sinew_JointRole *role = &roles->joints[limb->root];
    const char *kind = role->role == SINEW_ROLE_UPPERARM ? "arm"
        : role->role == SINEW_ROLE_FRONT_THIGH           ? "front"
        : role->role == SINEW_ROLE_THIGH                 ? "leg"
                                                         : "spine";
    const char *side = role->side == SINEW_SIDE_LEFT ? "_l"
        : role->side == SINEW_SIDE_RIGHT             ? "_r"
                                                     : "";
    snprintf(out_name, 24, "%s%s", kind, side);
}

// the limb of a name, or the one that a joint belongs to; -1 after a message
static int find_limb(const Work *work, const char *name)
{
    for (int i = 0; i < work->limb_count; ++i) {
        if (strcmp(work->names[i], name) == 0) { return i; }
    }
    int joint = cli_find_joint(&work->input, "--limb", name);
    if (joint < 0) { return -1; }
    for (int i = 0; i < work->limb_count; ++i) {
        const sinew_SwitchLimb *limb = &work->limbs[i];
        if (sinew_skeleton_is_ancestor(work->input.skeleton, limb->root, joint)
            && sinew_skeleton_is_ancestor(work->input.skeleton, joint, limb->tip)) {
            return i;
        }
    }
    char list[256] = "";
    for (int i = 0; i < work->limb_count; ++i) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", work->names[i]);
    }
    cli_error("--limb: %s is in no limb; there are %s", name, list);
    return -1;
}

static bool choose_limbs(Work *work, const char *text)
{
    const sinew_RoleGuess *roles = cli_input_roles(&work->input);
    if (roles == NULL) { return false; }
    work->limb_count = sinew_switch_find_limbs(
        work->input.skeleton, roles, work->limbs, SINEW_MAX_SWITCH_LIMBS);
    if (work->limb_count == 0) {
        cli_error("%s: found no arms or legs among its joints (sinew info tells the roles)",
            work->input.name);
        return false;
    }
    for (int i = 0; i < work->limb_count; ++i) {
        name_limb(roles, &work->limbs[i], work->names[i]);
        work->chosen[i] = strcmp(text, "all") == 0;
    }
    if (strcmp(text, "all") == 0) { return true; }
    for (const char *from = text; from != NULL;) {
        char name[256];
        size_t length = strcspn(from, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, from);
        int limb = find_limb(work, name);
        if (limb < 0) { return false; }
        work->chosen[limb] = true;
        from = from[length] == ',' ? from + length + 1 : NULL;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The motion

static bool prepare(Work *work, const Request *request)
{
    const sinew_Skeleton *skeleton = work->input.skeleton;
    if (sinew_clip_frame_count(work->input.clip) == 0) {
        cli_error("%s: there is no frame to pose", work->input.name);
        return false;
    }
    if (!choose_limbs(work, request->limbs)) { return false; }
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = skeleton;
    def.limbs = work->limbs;
    def.limb_count = work->limb_count;
    def.release_time = request->blend;
    def.max_joint_speed = INFINITY; // what the motion does is kept, however fast
    sinew_Message message = { "" };
    if (sinew_switch_create(&def, &work->sw, &message) != SINEW_STATUS_OK
        || sinew_switch_create(&def, &work->reader, &message) != SINEW_STATUS_OK) {
        cli_error("%s: %s", work->input.name, message.text);
        return false;
    }
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    work->before = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof(double));
    work->world_before = calloc(joints, sizeof(sinew_Transform));
    work->world_after = calloc(joints, sizeof(sinew_Transform));
    if (work->before == NULL || work->world_before == NULL || work->world_after == NULL) {
        return cli_out_of_memory();
    }
    return sinew_clip_create(skeleton, sinew_clip_frame_count(work->input.clip),
               sinew_clip_frame_time(work->input.clip), NULL, &work->clip)
        == SINEW_STATUS_OK
        || cli_out_of_memory();
}

// how far two poses are from each other: any joint's place, and any joint's turn against its parent
static void measure_pop(Work *work, const double *before, const double *after)
{
    const sinew_Skeleton *skeleton = work->input.skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_pose_forward(skeleton, before, work->world_before);
    sinew_pose_forward(skeleton, after, work->world_after);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        sinew_Transform a = work->world_before[j], b = work->world_after[j];
        work->figures.max_pop_m = fmax(
            work->figures.max_pop_m, sinew_vec3_distance(a.position, b.position));
        if (joints[j].parent >= 0) {
            a.rotation = sinew_quat_mul(
                sinew_quat_conjugate(work->world_before[joints[j].parent].rotation), a.rotation);
            b.rotation = sinew_quat_mul(
                sinew_quat_conjugate(work->world_after[joints[j].parent].rotation), b.rotation);
        }
        work->figures.max_pop_rad = fmax(
            work->figures.max_pop_rad, sinew_quat_angle(a.rotation, b.rotation));
    }
}

// Change over those that are to; the pose of the frame before is still shown, and must stay as it is. Limbs that leave IK then go
// over to the motion's joints within the release time.
static bool switch_limbs(Work *work, const bool *ik)
{
    memcpy(work->before, sinew_switch_pose(work->sw),
        (size_t)sinew_skeleton_coordinate_count(work->input.skeleton) * sizeof(double));
    sinew_Message message = { "" };
    sinew_Status status = SINEW_STATUS_OK;
    bool any = false;
    for (int i = 0; i < work->limb_count && status == SINEW_STATUS_OK; ++i) {
        bool was = sinew_switch_blend(work->sw, i) == 1.0;
        if (!work->chosen[i] || was == ik[i]) { continue; }
        status = sinew_switch_enable_ik(work->sw, i, ik[i], &message);
        any = true;
    }
    if (status == SINEW_STATUS_OK && any) {
        status = sinew_switch_update(
            work->sw, sinew_clip_frame_time(work->input.clip), NULL, &message);
    }
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", work->input.name, message.text);
        return false;
    }
    if (!any) { return true; }
    measure_pop(work, work->before, sinew_switch_pose(work->sw));
    ++work->figures.switches;
    return true;
}

// joints in FK follow the motion; handles in IK go where the motion has them
static sinew_Status pose_frame(Work *work, const double *q, bool ik, sinew_Message *message)
{
    sinew_Status status = sinew_switch_set_pose(work->sw, q, message);
    if (status == SINEW_STATUS_OK) { status = sinew_switch_reset(work->reader, q, message); }
    for (int i = 0; ik && i < work->limb_count && status == SINEW_STATUS_OK; ++i) {
        if (!work->chosen[i]) { continue; }
        sinew_Handle handle;
        status = sinew_switch_handle(work->reader, i, &handle, message);
        if (status == SINEW_STATUS_OK) {
            status = sinew_switch_set_handle(work->sw, i, &handle, message);
        }
    }
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Report worst;
    double start = cli_clock(NULL);
    status = sinew_switch_update(
        work->sw, sinew_clip_frame_time(work->input.clip), &worst, message);
    work->figures.time += cli_clock(NULL) - start;
    work->figures.max_error = fmax(work->figures.max_error, worst.position_error);
    return status;
}

static bool run_motion(Work *work, const Request *request)
{
    int frames = sinew_clip_frame_count(work->input.clip);
    double frame_time = sinew_clip_frame_time(work->input.clip);
    bool ik = request->start_ik;
    int next = 0;
    size_t bytes = (size_t)sinew_skeleton_coordinate_count(work->input.skeleton) * sizeof(double);
    cli_Progress progress = cli_progress_begin("posing frame", frames);
    sinew_Message message = { "" };
    sinew_Status status = sinew_switch_reset(
        work->sw, sinew_clip_frame_const(work->input.clip, 0), &message);
    for (int i = 0; ik && i < work->limb_count && status == SINEW_STATUS_OK; ++i) {
        if (work->chosen[i]) { status = sinew_switch_enable_ik(work->sw, i, true, &message); }
    }
    for (int f = 0; f < frames && status == SINEW_STATUS_OK; ++f) {
        // the pose of the frame before is still shown: a switch must leave it as it is
        for (; next < request->at_count && request->at[next] <= f * frame_time; ++next) {
            ik = !ik;
            bool modes[SINEW_MAX_SWITCH_LIMBS];
            for (int i = 0; i < work->limb_count; ++i) { modes[i] = ik; }
            if (!switch_limbs(work, modes)) { return false; }
        }
        status = pose_frame(work, sinew_clip_frame_const(work->input.clip, f), ik, &message);
        memcpy(sinew_clip_frame(work->clip, f), sinew_switch_pose(work->sw), bytes);
        cli_progress_update(&progress, f);
    }
    cli_progress_end(&progress);
    if (status != SINEW_STATUS_OK) {
        cli_error("%s: %s", work->input.name, message.text);
        return false;
    }
    work->figures.time /= frames;
    return status == SINEW_STATUS_OK || cli_out_of_memory();
}

// of what is written, frame by frame
static void measure_limbs(Work *work)
{
    const sinew_Skeleton *skeleton = work->input.skeleton;
    for (int f = 0; f < sinew_clip_frame_count(work->clip); ++f) {
        sinew_pose_forward(
            skeleton, sinew_clip_frame_const(work->input.clip, f), work->world_before);
        sinew_pose_forward(skeleton, sinew_clip_frame_const(work->clip, f), work->world_after);
        for (int i = 0; i < work->limb_count; ++i) {
            if (!work->chosen[i]) { continue; }
            int root = work->limbs[i].root;
            int end = root + sinew_skeleton_joints(skeleton)[root].subtree_count;
            for (int j = root; j < end; ++j) {
                work->figures.limb_error = fmax(work->figures.limb_error,
                    sinew_vec3_distance(
                        work->world_before[j].position, work->world_after[j].position));
            }
        }
    }
}

static bool measure(Work *work)
{
    Figures *figures = &work->figures;
    measure_limbs(work);
    sinew_Status status = measure_motion(work->input.clip, NULL, &figures->source);
    if (status == SINEW_STATUS_OK) { status = measure_motion(work->clip, NULL, &figures->result); }
    if (status == SINEW_STATUS_OK) {
        status = measure_rotation_error(work->input.clip, work->clip, NULL,
            &figures->rotation_error, &figures->max_rotation_error);
    }
    return status == SINEW_STATUS_OK || cli_out_of_memory();
}

// ---------------------------------------------------------------------------------------------
// Keyed

static bool failed(const Work *work, sinew_Status status, const sinew_Message *message)
{
    if (status == SINEW_STATUS_OK) { return false; }
    cli_error("%s: %s", work->input.name, message->text);
    return true;
}

// The ranges of the limbs go over to the other way. They begin and end at frames, so that what is keyed and measured there is what is
// written.
static bool convert_spans(Work *work, const Request *request, const sinew_KeysTolerance *tolerance)
{
    double frame_time = sinew_clip_frame_time(work->input.clip), rate = 1.0 / frame_time;
    sinew_Message message = { "" };
    for (int s = 0; s < request->span_count; ++s) {
        const Span *span = &request->spans[s];
        double from = round(span->from * rate) * frame_time;
        double to = fmax(round(span->to * rate) * frame_time, from + frame_time);
        for (int limb = 0; limb < work->limb_count; ++limb) {
            if (!work->chosen[limb]) { continue; }
            sinew_KeysFigures figures;
            sinew_Status status = span->ik
                ? sinew_keys_to_ik(work->keys, limb, from, to, rate, tolerance, &figures, &message)
                : sinew_keys_to_fk(work->keys, limb, from, to, rate, tolerance, &figures, &message);
            if (failed(work, status, &message)) { return false; }
            if (!span->ik) { continue; }
            sinew_KeysFigures *all = &work->figures.handles;
            all->distance = fmax(all->distance, figures.distance);
            all->angle = fmax(all->angle, figures.angle);
            all->keys += figures.keys;
            all->frames += figures.frames * figures.channels;
        }
    }
    return true;
}

// which limbs the keys have in IK at a time; those without a key are left as they are
static void read_modes(const Work *work, double time, bool *ik)
{
    for (int c = 0; c < sinew_keys_channel_count(work->keys); ++c) {
        sinew_Channel channel = sinew_keys_channel(work->keys, c);
        if (channel.kind != SINEW_CHANNEL_MODE) { continue; }
        for (int k = 0; k < channel.key_count && channel.times[k] <= time; ++k) {
            ik[channel.index] = channel.values[k] >= 0.5;
        }
    }
}

static bool play_frame(Work *work, int frame, sinew_Message *message)
{
    double frame_time = sinew_clip_frame_time(work->clip), time = frame * frame_time;
    bool ik[SINEW_MAX_SWITCH_LIMBS] = { false };
    read_modes(work, time, ik);
    // the first frame is where the motion begins, whichever way
    if (frame > 0 && !switch_limbs(work, ik)) { return false; }
    double start = cli_clock(NULL);
    sinew_Status status = sinew_keys_apply(work->keys, time, work->sw, frame_time, message);
    work->figures.time += cli_clock(NULL) - start;
    if (failed(work, status, message)) { return false; }
    for (int i = 0; i < work->limb_count; ++i) {
        if (!ik[i]) { continue; }
        work->figures.max_error = fmax(
            work->figures.max_error, sinew_switch_report(work->sw, i)->position_error);
    }
    memcpy(sinew_clip_frame(work->clip, frame), sinew_switch_pose(work->sw),
        (size_t)sinew_skeleton_coordinate_count(work->input.skeleton) * sizeof(double));
    return true;
}

// How often keys are made of keys at one time, at most: a limb that goes to IK and back has its joints' keys, its
// handle's, and those of its joints again, each of them off by a tolerance from those before.
static int conversions_at_once(const Request *request)
{
    int most = 0;
    for (int i = 0; i < request->span_count; ++i) {
        int here = 0;
        for (int k = 0; k < request->span_count; ++k) {
            const Span *span = &request->spans[k];
            here += span->from <= request->spans[i].from && request->spans[i].from <= span->to;
        }
        most = here > most ? here : most;
    }
    return most;
}

static bool run_keyed(Work *work, const Request *request)
{
    const sinew_Clip *clip = work->input.clip;
    sinew_KeysTolerance tolerance = sinew_keys_tolerance_default();
    if (request->reduce > 0.0) {
        // as much for a joint at the end of a forearm
        tolerance.angle *= request->reduce / tolerance.distance;
        tolerance.distance = request->reduce;
    }
    // what was asked is of what is written
    double share = 1.0 / (1 + conversions_at_once(request));
    tolerance.distance *= share;
    tolerance.angle *= share;
    sinew_Message message = { "" };
    sinew_Status status = sinew_keys_create(
        work->input.skeleton, work->limbs, work->limb_count, NULL, &work->keys, &message);
    if (status == SINEW_STATUS_OK) {
        status = sinew_keys_from_clip(work->keys, clip, &tolerance, &work->figures.keys, &message);
    }
    if (failed(work, status, &message) || !convert_spans(work, request, &tolerance)) {
        return false;
    }
    int frames = sinew_clip_frame_count(clip);
    for (int f = 0; f < frames; ++f) {
        if (!play_frame(work, f, &message)) { return false; }
    }
    work->figures.time /= frames;
    if (request->keys == NULL
        || cli_save_keys(request->keys, work->keys, &message) == SINEW_STATUS_OK) {
        return true;
    }
    cli_error("%s", message.text);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Telling

// the control rig as it is posed in the first frame
static bool write_controls(Work *work, const Request *request)
{
    sinew_Message message = { "" };
    sinew_Status status = sinew_switch_reset(
        work->sw, sinew_clip_frame_const(work->input.clip, 0), &message);
    for (int i = 0; i < work->limb_count && status == SINEW_STATUS_OK; ++i) {
        if (!work->chosen[i] || !request->start_ik) { continue; }
        status = sinew_switch_enable_ik(work->sw, i, true, &message);
    }
    if (failed(work, status, &message)) { return false; }
    int count = sinew_switch_controls(work->sw, NULL, 0);
    sinew_Control *controls = calloc((size_t)count + 1, sizeof *controls);
    cli_Output output;
    if (controls == NULL) { return cli_out_of_memory(); }
    if (!cli_output_open(&output, request->controls)) {
        free(controls);
        return false;
    }
    (void)sinew_switch_controls(work->sw, controls, count);
    const sinew_Joint *joints = sinew_skeleton_joints(work->input.skeleton);
    fprintf(output.stream, "{\n  \"sinew_controls\": 1,\n  \"controls\": [\n");
    for (int i = 0; i < count; ++i) {
        const sinew_Control *c = &controls[i];
        fprintf(output.stream,
            "    { \"kind\": \"%s\", \"limb\": \"%s\", \"joint\": %d, \"name\": ",
            sinew_control_kind_name(c->kind), work->names[c->limb], c->joint);
        cli_json_quote(output.stream, joints[c->joint].name);
        fprintf(output.stream,
            ",\n      \"center\": [%.9g, %.9g, %.9g], \"normal\": [%.9g, %.9g, %.9g], "
            "\"radius\": %.9g }%s\n",
            c->center.x, c->center.y, c->center.z, c->normal.x, c->normal.y, c->normal.z, c->radius,
            i + 1 < count ? "," : "");
    }
    fprintf(output.stream, "  ]\n}\n");
    free(controls);
    return cli_output_commit(&output);
}

static void print_json(const Work *work)
{
    const Figures *figures = &work->figures;
    cli_Json out = cli_json_begin();
    cli_json_whole(&out, "frames", sinew_clip_frame_count(work->clip));
    cli_json_array(&out, "limbs");
    for (int i = 0; i < work->limb_count; ++i) {
        if (work->chosen[i]) { cli_json_text(&out, NULL, work->names[i]); }
    }
    cli_json_array_end(&out);
    cli_json_whole(&out, "switches", figures->switches);
    cli_json_number(&out, "max_pop_m", figures->max_pop_m);
    cli_json_number(&out, "max_pop_rad", figures->max_pop_rad);
    cli_json_number(&out, "max_handle_error_m", figures->max_error);
    cli_json_number(&out, "max_limb_error_m", figures->limb_error);
    cli_json_number(&out, "max_joint_speed", figures->result.max_joint_speed);
    cli_json_number(&out, "source_max_joint_speed", figures->source.max_joint_speed);
    cli_json_number(&out, "rotation_error_rad", figures->rotation_error);
    cli_json_number(&out, "max_rotation_error_rad", figures->max_rotation_error);
    if (work->keys != NULL) {
        cli_json_whole(&out, "keys", figures->keys.keys);
        cli_json_number(&out, "frames_per_key", figures->keys.frames_per_key);
        cli_json_number(&out, "max_key_error_m", figures->keys.distance);
        cli_json_whole(&out, "handle_keys", figures->handles.keys);
        cli_json_number(&out, "max_handle_key_error_m", figures->handles.distance);
    }
    cli_json_number(&out, "us_per_frame", 1e6 * figures->time);
    cli_json_text(&out, "rig", cli_rig_name(&work->input));
    cli_json_end(&out);
}

static void print_switches(const Work *work)
{
    const Figures *figures = &work->figures;
    cli_print(
        "  largest step at a switch: %.3g m, %.3g rad\n", figures->max_pop_m, figures->max_pop_rad);
    cli_print("  as written, no joint of the limbs is more than %.3g mm off the motion\n",
        1e3 * figures->limb_error);
}

static void print_keyed(const Work *work, const Request *request)
{
    const sinew_KeysFigures *joints = &work->figures.keys, *handles = &work->figures.handles;
    cli_print("%s: %d key%s of joints, %.1f frames for each, %.3g mm off at most\n",
        work->input.name, joints->keys, snw_plural(joints->keys), joints->frames_per_key,
        1e3 * joints->distance);
    if (handles->keys > 0) {
        cli_print("  %d key%s of handles, %.1f frames for each, %.3g mm off those at most\n",
            handles->keys, snw_plural(handles->keys), (double)handles->frames / handles->keys,
            1e3 * handles->distance);
    }
    print_switches(work);
    if (request->keys != NULL) { cli_print("Keys: %s\n", request->keys); }
    if (request->out != NULL) { cli_print("Motion: %s\n", request->out); }
    if (request->picture != NULL) { cli_print("Picture: %s\n", request->picture); }
}

static void print_text(const Work *work, const Request *request)
{
    const Figures *figures = &work->figures;
    int frames = sinew_clip_frame_count(work->clip);
    cli_print("%s: %d frame%s, %d switch%s of", work->input.name, frames, snw_plural(frames),
        figures->switches, figures->switches == 1 ? "" : "es");
    for (int i = 0; i < work->limb_count; ++i) {
        if (work->chosen[i]) { cli_print(" %s", work->names[i]); }
    }
    cli_print("\n");
    print_switches(work);
    cli_print("  handles in IK are met within %.3g mm\n", 1e3 * figures->max_error);
    cli_print("  fastest joint %.1f rad/s (source %.1f rad/s); %.1f us a frame\n",
        figures->result.max_joint_speed, figures->source.max_joint_speed, 1e6 * figures->time);
    if (request->out != NULL) { cli_print("Motion: %s\n", request->out); }
    if (request->picture != NULL) { cli_print("Picture: %s\n", request->picture); }
}

static bool draw(const Work *work, const char *path)
{
    const Figures *figures = &work->figures;
    char subtitle[160];
    snprintf(subtitle, sizeof subtitle,
        "%d switch%s between FK and IK: largest step %.2g m, %.2g rad; limbs %.2g mm off the "
        "motion",
        figures->switches, figures->switches == 1 ? "" : "es", figures->max_pop_m,
        figures->max_pop_rad, 1e3 * figures->limb_error);
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = work->clip;
    sheet.ghost = work->input.source;
    sheet.title = cli_base_name(work->input.name);
    sheet.subtitle = subtitle;
    sinew_Message message = { "" };
    if (cli_save_sheet(&sheet, path, &message) == SINEW_STATUS_OK) { return true; }
    cli_error("%s", message.text);
    return false;
}

static bool is_keyed(const Request *request)
{
    return request->span_count > 0 || request->reduce > 0.0 || request->keys != NULL;
}

static int work_through(Work *work, const Request *request)
{
    bool keyed = is_keyed(request);
    if (!prepare(work, request) || !(keyed ? run_keyed(work, request) : run_motion(work, request))
        || !measure(work)) {
        return CLI_FAILED;
    }
    if (request->controls != NULL && !write_controls(work, request)) { return CLI_FAILED; }
    if (request->out != NULL) {
        sinew_WriteOptions options = cli_write_options(request->out, &work->input, &work->input);
        if (!cli_write_motion(request->out, work->clip, &options)) { return CLI_FAILED; }
    }
    if (request->picture != NULL && !draw(work, request->picture)) { return CLI_FAILED; }
    if (request->json) {
        print_json(work);
    } else if (keyed) {
        print_keyed(work, request);
    } else {
        print_text(work, request);
    }
    return CLI_DONE;
}

static void give_back(Work *work)
{
    sinew_keys_destroy(work->keys);
    sinew_switch_destroy(work->sw);
    sinew_switch_destroy(work->reader);
    sinew_clip_destroy(work->clip);
    free(work->before);
    free(work->world_before);
    free(work->world_after);
    cli_input_close(&work->input);
}

// ---------------------------------------------------------------------------------------------
// Arguments

static bool take_times(Request *request, const char *value)
{
    request->at_count = cli_parse_numbers("--at", value, 1, MAX_SWITCHES, request->at);
    for (int i = 0; i < request->at_count; ++i) {
        if (request->at[i] < 0.0 || (i > 0 && request->at[i] < request->at[i - 1])) {
            cli_error("--at: found %g, expected seconds from 0 in rising order", request->at[i]);
            return false;
        }
    }
    return request->at_count > 0;
}

static bool take_span(Request *request, const char *option, const char *value, bool ik)
{
    // "1." is a number, too, so the dots come out first
    char from[32] = "", *end = NULL;
    const char *dots = strstr(value, "..");
    Span span = { 0.0, 0.0, ik };
    if (dots != NULL && dots > value && (size_t)(dots - value) < sizeof from) {
        snprintf(from, sizeof from, "%.*s", (int)(dots - value), value);
        span.from = strtod(from, &end);
        if (*end == '\0') { span.to = strtod(dots + 2, &end); }
    }
    if (end == NULL || *end != '\0' || !(span.from >= 0.0 && span.to > span.from)
        || !isfinite(span.to)) {
        cli_error("%s: found '%s', expected FROM..TO in seconds, such as 0.5..2", option, value);
        return false;
    }
    if (request->span_count == MAX_SWITCHES) {
        cli_error("%s: at most %d ranges", option, (int)MAX_SWITCHES);
        return false;
    }
    request->spans[request->span_count++] = span;
    return true;
}

static bool take_reduce(Request *request, const char *value)
{
    char number[32];
    size_t length = strlen(value);
    bool unit = length > 2 && strcmp(value + length - 2, "mm") == 0;
    snprintf(number, sizeof number, "%.*s", (int)(unit ? length - 2 : length), value);
    if (!cli_parse_number("--reduce", number, 1e-6, 1e6, &request->reduce)) { return false; }
    request->reduce *= 1e-3;
    return true;
}

static bool take_option(Request *request, const cli_Option *option, const char *value)
{
    switch (option->id) {
    case LIMB: request->limbs = value; return true;
    case AT: return take_times(request, value);
    case BLEND: return cli_parse_number("--blend", value, 0.0, 1e3, &request->blend);
    case START_IK: request->start_ik = true; return true;
    case TO_IK: return take_span(request, "--to-ik", value, true);
    case TO_FK: return take_span(request, "--to-fk", value, false);
    case REDUCE: return take_reduce(request, value);
    case KEYS: request->keys = value; return true;
    case CONTROLS: request->controls = value; return true;
    case OUT: request->out = value; return cli_check_motion_path("--output", value, false);
    case RIG: request->rig = value; return true;
    default: return cli_take_input_option(&request->read, option->id, value);
    }
}

// a time after the end switches nothing, and nobody would see it
static bool check_times(const Request *request, double duration)
{
    for (int s = 0; s < request->span_count; ++s) {
        const Span *span = &request->spans[s];
        if (span->to <= duration) { continue; }
        cli_error("%s: found %g..%g, expected a range within the motion's %g s",
            span->ik ? "--to-ik" : "--to-fk", span->from, span->to, duration);
        return false;
    }
    double last = request->at[request->at_count - 1];
    if (last <= duration) { return true; }
    cli_error("--at: found %g, expected a time within the motion's %g s", last, duration);
    return false;
}

static int run(int argc, char **argv)
{
    static Request request;
    static Work work;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    memset(&work, 0, sizeof work);
    request.limbs = "all";
    request.blend = sinew_switch_def_default().release_time;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_switch, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    if (request.picture != NULL && !cli_check_picture_path("--picture", request.picture)) {
        return CLI_USAGE;
    }
    if (request.start_ik && is_keyed(&request) && request.controls == NULL) {
        return cli_usage_error(&cli_command_switch,
            "--start-ik goes with --at or --controls: keys say themselves when limbs are in IK");
    }
    if (!cli_input_open_rigged(&work.input, parser.plain[0], &request.read, request.rig)) {
        return CLI_FAILED;
    }
    if (request.at_count == 0) {
        request.at[request.at_count++] = 0.5 * sinew_clip_duration(work.input.clip);
    }
    bool inside = check_times(&request, sinew_clip_duration(work.input.clip));
    int code = inside ? work_through(&work, &request) : CLI_FAILED;
    give_back(&work);
    return code;
}

static const cli_Rule rules[] = {
    { "at", CLI_GOES_WITHOUT, "to-ik to-fk reduce keys" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_switch = {
    "switch",
    "Alternate FK and IK on the limbs of a motion, without a pop",
    "CLIP [--limb L,...|all] [--at T,...] [-o OUT.bvh] [OPTIONS]",
    "CLIP is a motion file or scene:NAME. Joints of limbs in FK follow the motion; limbs in IK "
    "follow\n"
    "handles that go where the motion has hand, elbow and foot. At each time of --at the limbs "
    "change\n"
    "from one to the other, on one chain of joints. Told is the largest step that a switch shows, "
    "in\n"
    "metres and radians. With --to-ik, --to-fk, --reduce or --keys the motion is keyed instead: "
    "few\n"
    "keys of joints, and of handles where limbs are in IK.\n",
    "  sinew switch walk.bvh --limb arm_l --at 1.0,2.5,4.0 -o out.bvh\n"
    "  sinew switch scene:MAN18 --limb all --at 1,2,3 --json\n"
    "  sinew switch walk.bvh --limb leg_l,leg_r --to-ik 0.5..2 --reduce 2mm --keys walk.keys.json\n"
    "  sinew switch dance.bvh --limb LeftHand --rig auto --picture out.png\n",
    { own_options, cli_input_options, cli_motion_options, cli_picture_options, cli_common_options },
    1,
    1,
    run,
    true,
    rules,
};
