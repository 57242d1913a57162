#include "pictures/stage.h"

#include "base/message.h"
#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// in which hips and shoulders turn to either side, seconds
#define STRIDE_TIME 1.1
// Figures of a sheet whose times would lock onto a motion's period: spacings from the whole motion down to one less
// are tried in so many steps, and one is taken where poses differ so many times more.
#define SPACINGS 8
#define CLEARLY_MORE 1.4
// most things beside a figure
#define MOST_THINGS 1000
// points that show how far a figure reaches; samples of a motion for its trails, and numbers they may take
#define MOST_POINTS 400
#define MOST_SAMPLES 1600
// samples that all points are looked at of
#define MOST_MEASURED 200
#define MOST_SAMPLED_POSITIONS 4000000

static sinew_Status check_trails(const snw_StageDef *def, sinew_Message *out_message)
{
    int joint_count = sinew_skeleton_joint_count(def->skeleton);
    if (def->trail_count < -1 || (def->trail_count > 0 && !def->trail_joints)) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "trail_count is %d without joints", def->trail_count);
    }
    for (int i = 0; i < def->trail_count; ++i) {
        if (def->trail_joints[i] < 0 || def->trail_joints[i] >= joint_count) {
            return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
                "trail_joints[%d] is %d, want a joint below %d", i, def->trail_joints[i],
                joint_count);
        }
    }
    if (def->targets.count < 0 || (def->targets.count > 0 && !def->targets.positions)) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "targets.count is %d without positions", def->targets.count);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_things(const snw_StageDef *def, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (def->thing_count < 0 || def->thing_count > MOST_THINGS
        || (def->thing_count > 0 && !def->things)) {
        return snw_fail(
            out_message, bad, "thing_count is %d, want 0 to %d", def->thing_count, MOST_THINGS);
    }
    for (int i = 0; i < def->thing_count; ++i) {
        const picture_Thing *thing = &def->things[i];
        const sinew_Vec3 size = thing->size;
        if ((unsigned)thing->kind > PICTURE_THING_TUBE
            || (unsigned)thing->color > PICTURE_THING_YELLOW || !sinew_vec3_is_finite(thing->place)
            || !sinew_vec3_is_finite(size) || !(size.x > 0.0 && size.y > 0.0 && size.z > 0.0)) {
            return snw_fail(out_message, bad, "things[%d] has no size, place, kind or color", i);
        }
    }
    return SINEW_STATUS_OK;
}

static const sinew_Vec3 *sample_at(const snw_Stage *stage, int sample)
{
    return &stage->samples[(size_t)sample * (size_t)stage->body.joint_count];
}

static void take_samples(snw_Stage *stage)
{
    for (int s = 0; s < stage->sample_count; ++s) {
        // first and last frame included
        int frame = stage->sample_count > 1
            ? (int)((double)s * (stage->frame_count - 1) / (stage->sample_count - 1) + 0.5)
            : 0;
        const double *q = stage->clip && stage->frame_count > 0
            ? sinew_clip_frame_const(stage->clip, frame)
            : stage->q ? stage->q
                       : stage->scratch_q;
        stage->sample_frames[s] = frame;
        snw_body_pose(&stage->body, q, stage->scratch,
            &stage->samples[(size_t)s * (size_t)stage->body.joint_count]);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

// heights within this part of the body's size are one level, and a floor is one when a body with
// legs has its lowest point there for this share of the time, another body for that
#define LEVEL_PART 0.06
#define LEGGED_SHARE 0.35
#define OTHER_SHARE 0.75

// points of the figure in the pose that was set and of all things
static const sinew_Vec3 *own_points(snw_Stage *stage)
{
    snw_character_points(&stage->character, stage->shown_q, stage->point_step, stage->points);
    for (int i = 0; i < stage->things.corner_count; ++i) {
        stage->points[stage->character_point_count + i] = stage->things.corners[i];
    }
    return stage->points;
}

// The level that the lowest points of the body are at most often, and for which share of the time.
static bool find_floor(snw_Stage *stage, double *out_share)
{
    const int step = stage->sample_count / MOST_MEASURED + 1;
    const int count = (stage->sample_count - 1) / step + 1;
    double *lows = malloc((size_t)count * sizeof *lows);
    if (!lows) { return false; }
    for (int s = 0; s < count; ++s) {
        snw_stage_set(stage, stage->sample_frames[s * step]);
        const sinew_Vec3 *points = own_points(stage);
        double high = -INFINITY;
        lows[s] = INFINITY;
        for (int i = 0; i < stage->own_point_count; ++i) {
            lows[s] = fmin(lows[s], points[i].y);
            high = fmax(high, points[i].y);
        }
        // joints may lie close together where a body's own skin does not
        if (stage->character.own != NULL) {
            stage->body.size = fmax(stage->body.size, high - lows[s]);
        }
    }
    qsort(lows, (size_t)count, sizeof *lows, compare_doubles);

    // the window over the sorted heights that holds most of them
    int best = 0, most = 0;
    for (int first = 0, end = 0; first < count; ++first) {
        while (end < count && lows[end] - lows[first] <= LEVEL_PART * stage->body.size) { ++end; }
        if (end - first > most) {
            most = end - first;
            best = first;
        }
    }
    // what stands sways a little; a few frames below it are noise, many above it a jump
    stage->floor = lows[best + (most - 1) / 4];
    *out_share = (double)most / count;
    free(lows);
    return true;
}

static void find_travel(snw_Stage *stage, picture_Floor floor, double level_share)
{
    sinew_Vec3 first = sample_at(stage, 0)[stage->anchor];
    sinew_Vec3 last = sample_at(stage, stage->sample_count - 1)[stage->anchor];
    stage->travel = sinew_vec3(last.x - first.x, 0.0, last.z - first.z);

    double moved = 0.0;
    for (int s = 0; s < stage->sample_count; ++s) {
        moved = fmax(moved, sinew_vec3_distance(first, sample_at(stage, s)[stage->anchor]));
    }
    stage->is_fixed = !(moved > 0.02 * stage->body.size);
    bool stands = stage->body.has_legs ? level_share >= LEGGED_SHARE
                                       : !stage->is_fixed && level_share >= OTHER_SHARE;
    stage->has_floor = floor == PICTURE_FLOOR_ON || (floor == PICTURE_FLOOR_AUTO && stands);
}

static sinew_Vec3 mean_facing(const snw_Stage *stage)
{
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    for (int s = 0; s < stage->sample_count; ++s) {
        sum = sinew_vec3_add(sum, snw_body_facing(&stage->body, sample_at(stage, s)));
    }
    return sinew_vec3_normalize_or(sum, sinew_vec3(0.0, 0.0, 1.0));
}

// which way the body looks when it begins, as a mean over the time that a step takes, in which hips turn to and fro
static sinew_Vec3 first_facing(const snw_Stage *stage)
{
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    double last = stage->clip ? STRIDE_TIME / sinew_clip_frame_time(stage->clip) : 0.0;
    for (int s = 0; s < stage->sample_count && stage->sample_frames[s] <= last; ++s) {
        sum = sinew_vec3_add(sum, snw_body_facing(&stage->body, sample_at(stage, s)));
    }
    sum.y = 0.0;
    return sinew_vec3_normalize_or(sum, sinew_vec3(0.0, 0.0, 1.0));
}

// a direction from the body, +X to its left, +Z ahead, as one of the picture's world
static sinew_Vec3 from_body(const snw_Stage *stage, sinew_Vec3 direction)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 }, ahead = first_facing(stage);
    const sinew_Vec3 left = sinew_vec3_cross(up, ahead);
    sinew_Vec3 sum = sinew_vec3_scale(left, direction.x);
    sum = sinew_vec3_add_scaled(sum, up, direction.y);
    return sinew_vec3_add_scaled(sum, ahead, direction.z);
}

static void choose_camera(snw_Stage *stage, const snw_StageDef *def)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    sinew_Vec3 wish = def->view.from_figure
        ? from_body(stage, def->view.toward_camera)
        : sinew_quat_rotate(stage->body.upright, def->view.toward_camera);
    if (sinew_vec3_is_finite(wish) && sinew_vec3_length(wish) > 0.0) {
        stage->toward = sinew_vec3_normalize_or(wish, sinew_vec3(0.0, 0.0, 1.0));
        return;
    }
    sinew_Vec3 flat;
    if (def->from_side && sinew_vec3_length(stage->travel) > 0.8 * stage->body.size) {
        // from the side, so that it goes to the right, a little from the front
        sinew_Vec3 way = sinew_vec3_normalize_or(stage->travel, sinew_vec3(1.0, 0.0, 0.0));
        sinew_Vec3 side = sinew_vec3_cross(way, up);
        flat = sinew_vec3_add_scaled(sinew_vec3_scale(side, cos(0.40)), way, sin(0.40));
    } else {
        // three quarters from the front
        sinew_Vec3 front = mean_facing(stage);
        sinew_Vec3 side = sinew_vec3_cross(up, front);
        flat = sinew_vec3_add_scaled(sinew_vec3_scale(front, cos(0.62)), side, sin(0.62));
    }
    double rise = stage->has_floor ? 0.24 : 0.36;
    stage->toward = sinew_vec3_add_scaled(sinew_vec3_scale(flat, cos(rise)), up, sin(rise));
    stage->toward = sinew_vec3_normalize_or(stage->toward, sinew_vec3(0.0, 0.0, 1.0));
}

static void choose_trails(snw_Stage *stage, const snw_StageDef *def)
{
    stage->trail_count = 0;
    if (def->trail_count >= 0) {
        for (int i = 0; i < def->trail_count && i < 8; ++i) {
            stage->trails[stage->trail_count++] = def->trail_joints[i];
        }
        return;
    }
    int count = stage->body.end_count < 5 ? stage->body.end_count : 5;
    if (stage->body.end_count > 8) { count = 8; }
    for (int i = 0; i < count; ++i) { stage->trails[stage->trail_count++] = stage->body.ends[i]; }
}

static snw_Character *ghost_character(snw_Stage *stage)
{
    return stage->shares_character ? &stage->character : &stage->ghost_character;
}

static int count_ghosts(const snw_Stage *stage)
{
    return !stage->has_ghost ? 0 : stage->ghost_count > 1 ? stage->ghost_count : 1;
}

// how many corners of a character show how far it reaches, every so many of them
static int spread_points(const snw_Character *character, int *out_step)
{
    const int corners = snw_character_mesh(character).vertex_count;
    *out_step = corners / MOST_POINTS + 1;
    return (corners - 1) / *out_step + 1;
}

static bool take_memory(snw_Stage *stage)
{
    size_t joints = (size_t)stage->body.joint_count;
    size_t ghost_joints = stage->has_ghost ? (size_t)stage->ghost_body.joint_count : 1;
    size_t most = joints > ghost_joints ? joints : ghost_joints;
    int samples = stage->frame_count < MOST_SAMPLES ? stage->frame_count : MOST_SAMPLES;
    int room = MOST_SAMPLED_POSITIONS / stage->body.joint_count;
    stage->sample_count = samples < room ? samples : room;
    if (stage->sample_count < 1) { stage->sample_count = 1; }

    stage->character_point_count = spread_points(&stage->character, &stage->point_step);
    stage->own_point_count = stage->character_point_count + stage->things.corner_count;
    stage->point_count = stage->own_point_count;
    if (stage->has_ghost) {
        stage->ghost_point_count = spread_points(ghost_character(stage), &stage->ghost_point_step);
        stage->point_count += count_ghosts(stage) * stage->ghost_point_count;
    }
    stage->points = calloc((size_t)stage->point_count, sizeof *stage->points);
    size_t count = (size_t)stage->sample_count;
    stage->sample_frames = calloc(count, sizeof *stage->sample_frames);
    stage->samples = calloc(count * joints, sizeof *stage->samples);
    stage->positions = calloc(joints, sizeof *stage->positions);
    stage->target_positions = calloc(
        (size_t)stage->targets.count + 1, sizeof *stage->target_positions);
    stage->scratch = calloc(most, sizeof *stage->scratch);
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(stage->body.skeleton) + 1;
    stage->scratch_q = calloc(numbers, sizeof *stage->scratch_q);
    if (stage->has_ghost) {
        numbers = (size_t)sinew_skeleton_coordinate_count(stage->ghost_body.skeleton) + 1;
    }
    stage->ghost_scratch_q = calloc(numbers, sizeof *stage->ghost_scratch_q);
    return stage->sample_frames && stage->samples && stage->positions && stage->points
        && stage->target_positions && stage->scratch && stage->scratch_q && stage->ghost_scratch_q;
}

static bool create_ghost(snw_Stage *stage, const snw_StageDef *def)
{
    sinew_PoseList motion = { def->ghost_q, def->ghost_q != NULL ? 1 : 0 };
    if (def->ghost && sinew_clip_frame_count(def->ghost) > 0) {
        motion.q = sinew_clip_frame_const(def->ghost, 0);
        motion.count = sinew_clip_frame_count(def->ghost);
    }
    // of another file that has its own up, so that both stand; where up is said it is that of both
    stage->shares_character = def->ghost_skeleton == def->skeleton;
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 };
    const sinew_Vec3 up = stage->shares_character
        ? sinew_quat_rotate(sinew_quat_conjugate(stage->body.upright), y)
        : def->view.up;
    stage->has_ghost = snw_body_create(def->ghost_skeleton, up, &motion, &stage->ghost_body)
        && (stage->shares_character
            || snw_character_create(
                &stage->ghost_body, &motion, def->form, NULL, &stage->ghost_character));
    return stage->has_ghost;
}

sinew_Status snw_stage_create(
    const snw_StageDef *def, snw_Stage *out_stage, sinew_Message *out_message)
{
    memset(out_stage, 0, sizeof *out_stage);
    snw_Stage *stage = out_stage;
    sinew_Status status = check_trails(def, out_message);
    if (status == SINEW_STATUS_OK) { status = check_things(def, out_message); }
    if (status != SINEW_STATUS_OK) { return status; }

    stage->clip = def->clip;
    stage->ghost = def->ghost;
    stage->q = def->q;
    stage->ghost_q = def->ghost_q;
    stage->ghost_count = def->ghost_count;
    stage->targets = def->targets;
    stage->frame_count = def->clip ? sinew_clip_frame_count(def->clip) : 1;
    sinew_PoseList motion = { def->q, def->q != NULL ? 1 : 0 };
    if (def->clip && stage->frame_count > 0) {
        motion = (sinew_PoseList){ sinew_clip_frame_const(def->clip, 0), stage->frame_count };
    }
    double level_share = 0.0;
    bool ready = snw_body_create(def->skeleton, def->view.up, &motion, &stage->body)
        && snw_character_create(&stage->body, &motion, def->form, def->skin, &stage->character);
    if (ready && def->ghost_skeleton) { ready = create_ghost(stage, def); }
    ready = ready
        && snw_things_create(def->things, def->thing_count, stage->body.upright, &stage->things)
        && take_memory(stage);
    if (ready) {
        sinew_pose_rest(stage->body.skeleton, stage->scratch_q);
        stage->anchor = stage->body.bone_count > 0 ? stage->body.bones[0].from : 0;
        take_samples(stage);
        ready = find_floor(stage, &level_share);
    }
    if (!ready) {
        snw_stage_destroy(stage);
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the picture");
    }
    find_travel(stage, def->view.floor, level_share);
    choose_camera(stage, def);
    choose_trails(stage, def);
    return SINEW_STATUS_OK;
}

void snw_stage_destroy(snw_Stage *stage)
{
    snw_character_destroy(&stage->character);
    snw_character_destroy(&stage->ghost_character);
    snw_things_destroy(&stage->things);
    snw_body_destroy(&stage->body);
    snw_body_destroy(&stage->ghost_body);
    free(stage->sample_frames);
    free(stage->samples);
    free(stage->positions);
    free(stage->points);
    free(stage->target_positions);
    free(stage->scratch);
    free(stage->scratch_q);
    free(stage->ghost_scratch_q);
    memset(stage, 0, sizeof *stage);
}

snw_Between snw_stage_between(const snw_Stage *stage, double frame)
{
    const int last = stage->sample_count - 1;
    const double at = stage->frame_count > 1 ? frame * last / (stage->frame_count - 1) : 0.0;
    const int before = (int)fmin(fmax(floor(at), 0.0), last);
    const snw_Between between = { before, before < last ? before + 1 : before, at - before };
    return between;
}

void snw_stage_set(snw_Stage *stage, double frame)
{
    // whole frames are taken as they are, so that a sheet shows exactly what was solved
    const double *q = stage->q;
    if (stage->clip) {
        double time = frame * sinew_clip_frame_time(stage->clip);
        sinew_clip_sample(stage->clip, time, stage->scratch_q);
        q = stage->scratch_q;
        if (frame == floor(frame) && frame >= 0.0 && frame < stage->frame_count) {
            q = sinew_clip_frame_const(stage->clip, (int)frame);
        }
    }
    snw_body_pose(&stage->body, q, stage->scratch, stage->positions);
    stage->shown_q = q;
    stage->shown_ghost_q = stage->ghost_q;
    if (stage->ghost) {
        double frame_time = stage->clip ? sinew_clip_frame_time(stage->clip) : 0.0;
        sinew_clip_sample(stage->ghost, frame * frame_time, stage->ghost_scratch_q);
        stage->shown_ghost_q = stage->ghost_scratch_q;
    }

    stage->target_count = 0;
    int row = (int)(frame + 0.5);
    if (row > stage->frame_count - 1) { row = stage->frame_count - 1; }
    if (row < 0 || stage->targets.count == 0) { return; }
    const sinew_Vec3 *from = stage->targets.positions + (size_t)row * (size_t)stage->targets.count;
    for (int i = 0; i < stage->targets.count; ++i) {
        if (!sinew_vec3_is_finite(from[i]) || sinew_vec3_length(from[i]) > 1e9) { continue; }
        stage->target_positions[stage->target_count++] = sinew_quat_rotate(
            stage->body.upright, from[i]);
    }
}

// Mean distance of the joints of two poses, each about its own place.
static double pose_distance(const snw_Stage *stage, const sinew_Vec3 *a, const sinew_Vec3 *b)
{
    double sum = 0.0;
    const sinew_Vec3 shift = sinew_vec3_sub(b[stage->anchor], a[stage->anchor]);
    for (int j = 0; j < stage->body.joint_count; ++j) {
        sum += sinew_vec3_distance(sinew_vec3_add(a[j], shift), b[j]);
    }
    return sum / stage->body.joint_count;
}

// How much the poses at these frames differ, a mean over all pairs of them.
static double variety(snw_Stage *stage, const double *frames, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        const snw_Between a = snw_stage_between(stage, frames[i]);
        for (int k = 0; k < i; ++k) {
            const snw_Between b = snw_stage_between(stage, frames[k]);
            sum += pose_distance(stage, sample_at(stage, a.part < 0.5 ? a.before : a.after),
                sample_at(stage, b.part < 0.5 ? b.before : b.after));
        }
    }
    return sum;
}

static void spread_frames(double last, int count, double *out_frames)
{
    for (int i = 0; i < count; ++i) {
        out_frames[i] = count > 1 ? floor((double)i * last / (count - 1) + 0.5) : 0.0;
    }
}

void snw_stage_choose_frames(snw_Stage *stage, int count, double *out_frames)
{
    const double whole = fmax(stage->frame_count - 1, 0.0);
    spread_frames(whole, count, out_frames);
    if (count < 3) { return; }
    double most = CLEARLY_MORE * variety(stage, out_frames, count), best = whole;
    for (int i = 1; i <= SPACINGS; ++i) {
        const double last = whole * (1.0 - (double)i / (SPACINGS * (count - 1)));
        spread_frames(last, count, out_frames);
        const double found = variety(stage, out_frames, count);
        if (found > most) {
            most = found;
            best = last;
        }
    }
    spread_frames(best, count, out_frames);
}

static void find_extent(
    const sinew_Vec3 *points, int count, sinew_Vec3 *out_low, sinew_Vec3 *out_high)
{
    sinew_Vec3 low = points[0], high = low;
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 p = points[i];
        low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    *out_low = low;
    *out_high = high;
}

const sinew_Vec3 *snw_stage_points(snw_Stage *stage)
{
    const int ghosts = count_ghosts(stage);
    const size_t numbers = ghosts > 0
        ? (size_t)sinew_skeleton_coordinate_count(stage->ghost_body.skeleton)
        : 0;
    for (int g = 0; g < ghosts; ++g) {
        snw_character_points(ghost_character(stage), stage->shown_ghost_q + (size_t)g * numbers,
            stage->ghost_point_step,
            stage->points + stage->own_point_count + (size_t)g * (size_t)stage->ghost_point_count);
    }
    return own_points(stage);
}

snw_Camera snw_stage_camera(snw_Stage *stage, snw_Rect rect, double around)
{
    sinew_Vec3 low, high;
    const sinew_Vec3 *points = snw_stage_points(stage);
    find_extent(points, stage->point_count, &low, &high);
    double radius = fmax(0.5 * sinew_vec3_distance(low, high), 0.5 * stage->body.size);
    snw_Camera camera = snw_camera_look(
        sinew_vec3_lerp(low, high, 0.5), stage->toward, 4.5 * radius);
    double margin = fmax(fmax(snw_stage_margin(stage), 0.02 * radius), around);
    snw_camera_fit(&camera, points, stage->point_count, margin, rect);
    return camera;
}

void snw_stage_draw_ground(
    cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage, snw_Rect rect)
{
    if (!stage->has_floor) {
        snw_floor_draw_backdrop(cr, rect.x + 0.5 * rect.width, rect.y + 0.5 * rect.height,
            0.66 * fmin(rect.width, rect.height));
        return;
    }
    sinew_Vec3 low, high;
    find_extent(
        &stage->positions[stage->anchor], stage->body.joint_count - stage->anchor, &low, &high);
    sinew_Vec3 center = sinew_vec3_lerp(low, high, 0.5);
    center.y = stage->floor;
    double half = 0.5 * sinew_vec3_distance(low, high) + 0.45 * stage->body.size;
    // it fades a little outside of the rectangle
    half = fmin(half, 0.62 * rect.width / snw_camera_project(camera, center).scale);
    snw_floor_draw(cr, camera, center, half, half, snw_floor_step(stage->body.size));
    snw_stage_draw_shadow(cr, camera, stage);
}

double snw_stage_margin(const snw_Stage *stage)
{
    return 0.015 * stage->body.size;
}

void snw_stage_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage)
{
    if (!stage->has_floor) { return; }
    snw_floor_draw_shadow(cr, camera, &stage->body, stage->positions, stage->floor);
}

const snw_Character *snw_stage_character(snw_Stage *stage)
{
    snw_character_pose(&stage->character, stage->shown_q);
    return &stage->character;
}

sinew_Status snw_stage_draw_figure(
    cairo_t *cr, const snw_Camera *camera, snw_Stage *stage, double fade)
{
    sinew_Status status = SINEW_STATUS_OK;
    snw_FigureStyle style = { fade, true };
    snw_Character *ghost = ghost_character(stage);
    // many poses at once are drawn one after another, the first one last
    const int ghosts = count_ghosts(stage);
    const size_t numbers = ghosts > 0
        ? (size_t)sinew_skeleton_coordinate_count(stage->ghost_body.skeleton)
        : 0;
    for (int g = ghosts - 1; g >= 0 && status == SINEW_STATUS_OK; --g) {
        snw_character_pose(ghost, stage->shown_ghost_q + (size_t)g * numbers);
        status = snw_figure_draw(cr, camera, ghost, NULL, style);
    }
    style.ghost = false;
    if (status == SINEW_STATUS_OK) {
        status = snw_figure_draw(cr, camera, snw_stage_character(stage), &stage->things, style);
    }
    // many targets are drawn smaller
    double radius = (stage->target_count > 12 ? 0.009 : 0.015) * stage->body.size;
    snw_targets_draw(cr, camera, stage->target_positions, stage->target_count, radius);
    return status;
}

void snw_stage_draw_trails(cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage,
    double start, double end, double width, double faintest)
{
    int first = 0, last = stage->sample_count - 1;
    while (first < stage->sample_count && stage->sample_frames[first] < start) { ++first; }
    while (last >= 0 && stage->sample_frames[last] > end) { --last; }
    if (last - first < 1) { return; }
    for (int i = 0; i < stage->trail_count; ++i) {
        int joint = stage->trails[i];
        snw_Color color = snw_trail_color(stage->body.sides[joint], i);
        snw_trail_draw(cr, camera, sample_at(stage, first) + joint, last - first + 1,
            (size_t)stage->body.joint_count, color, width, faintest);
    }
}
