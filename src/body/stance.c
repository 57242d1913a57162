// The stance of a body as others see it: pose, soles, doubts.

#include "body/stance.h"

#include "base/memory.h"
#include "base/message.h"
#include "body/rig.h"
#include "math/holds.h"

#include <string.h>

// A frame that costs less than this stands in T or A, and is taken as it is.
#define EXACT_COST 0.1
// What the best frames of walks cost; runs cost more and lose more confidence.
#define WALK_COST 1.0
#define MOST_TOES_ASIDE (40.0 * SNW_DEGREE)
#define MOST_ASKEW (45.0 * SNW_DEGREE)
// Soles this much of a leg apart in height are told.
#define UNEVEN_SOLES 0.04
// The slope of a foot is told as unsure when fewer frames show it standing.
#define LEAST_FLAT 5
// Sizes of soles that a file does not show, shares of thigh and shank; Drillis and Contini (1966).
#define ANKLE_SHARE 0.08
#define BALL_SHARE 0.15
// The heel is this much of the length from ankle to ball behind the ankle.
#define HEEL_OF_FOOT 0.3
// An end of the foot that is nearer to the vertical below the ankle than this shows no length, a cosine.
#define BELOW_ANKLE 0.94

typedef struct Memory {
    sinew_Stance stance; ///< first, so that the stance leads back here
    snw_StanceBody body;
    sinew_StanceNote notes[SINEW_MAX_STANCE_NOTES];
    sinew_JointRole *roles;
    double *q;
    sinew_Transform *world;
    sinew_Allocator allocator;
    size_t size;
} Memory;

// ---------------------------------------------------------------------------------------------
// The body behind it

static void set_keys(const snw_StanceBody *body, snw_StanceKeys *keys)
{
    static const sinew_Role roles[SNW_KEY_COUNT] = { SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM,
        SINEW_ROLE_HAND, SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT, SINEW_ROLE_TOE };
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        for (int k = 0; k < SNW_KEY_COUNT; ++k) {
            keys->joint[s][k] = snw_body_find(body, roles[k], side, -1);
        }
    }
}

static sinew_Vec3 canonical_left(sinew_Vec3 up)
{
    return fabs(up.x) > 0.5 ? sinew_vec3(0.0, 0.0, 1.0) : sinew_vec3(1.0, 0.0, 0.0);
}

// the frame as it is, turned about the vertical to look ahead
static void turn_to_front(snw_StanceBody *body)
{
    const snw_StanceBody *b = body;
    const int *keys[2] = { b->seen.keys.joint[0], b->seen.keys.joint[1] };
    sinew_Vec3 zero = { 0.0, 0.0, 0.0 }, left = zero;
    static const snw_StanceKey lines[2] = { SNW_KEY_THIGH, SNW_KEY_UPPERARM };
    for (int i = 0; i < 2; ++i) {
        if (keys[0][lines[i]] < 0 || keys[1][lines[i]] < 0) { continue; }
        sinew_Vec3 line = sinew_vec3_sub(
            b->look[keys[0][lines[i]]].position, b->look[keys[1][lines[i]]].position);
        left = sinew_vec3_add(left, sinew_vec3_normalize_or(line, zero));
    }
    if (b->seen.sides <= -SNW_CLEAR_SIDES) { left = sinew_vec3_scale(left, -1.0); }
    body->up = b->seen.up;
    body->left = canonical_left(body->up);
    body->forward = sinew_vec3_cross(body->left, body->up);
    left = sinew_vec3_add_scaled(left, body->up, -sinew_vec3_dot(left, body->up));
    left = sinew_vec3_normalize_or(left, body->left);
    double angle = sinew_atan2(sinew_vec3_dot(sinew_vec3_cross(left, body->left), body->up),
        sinew_vec3_dot(left, body->left));
    sinew_Quat turn = sinew_quat_from_axis_angle(body->up, angle);
    for (int j = 0; j < body->count; ++j) {
        body->look[j].position = sinew_quat_rotate(turn, body->look[j].position);
        body->look[j].rotation = sinew_quat_mul(turn, body->look[j].rotation);
    }
}

static void choose_reference(snw_StanceBody *body, const sinew_PoseList *motion)
{
    const snw_StanceLook *seen = &body->seen;
    sinew_pose_rest(body->skeleton, body->q);
    body->up = body->guess->up;
    body->left = body->guess->left;
    body->forward = body->guess->forward;
    if (!body->is_person || seen->reference == SNW_NO_REFERENCE) {
        body->source = SINEW_STANCE_NONE;
    } else if (seen->reference == -1) {
        body->source = SINEW_STANCE_REST;
    } else {
        size_t width = (size_t)sinew_skeleton_coordinate_count(body->skeleton);
        const double *q = motion->q + (size_t)seen->reference * width;
        memcpy(body->q, q, width * sizeof *q);
        body->source = seen->frame_cost < EXACT_COST ? SINEW_STANCE_EXACT_FRAME
                                                     : SINEW_STANCE_FRAME;
    }
    sinew_pose_forward(body->skeleton, body->q, body->look);
    if (body->source > SINEW_STANCE_REST) { turn_to_front(body); }
}

static void take_arrays(snw_Arena *arena, snw_StanceBody *body)
{
    size_t count = (size_t)body->count;
    body->look = snw_arena_take(arena, count, sizeof *body->look);
    body->next = snw_arena_take(arena, count, sizeof *body->next);
    body->bone = snw_arena_take(arena, count, sizeof *body->bone);
    body->neutral = snw_arena_take(arena, count, sizeof *body->neutral);
    body->turn = snw_arena_take(arena, count, sizeof *body->turn);
    body->q = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(body->skeleton), sizeof *body->q);
}

sinew_Status snw_stance_body_create(const sinew_Skeleton *skeleton, const sinew_RoleGuess *guess,
    const sinew_JointRole *roles, const sinew_PoseList *motion, const sinew_Allocator *allocator,
    snw_StanceBody *out_body)
{
    snw_StanceBody *body = out_body;
    memset(body, 0, sizeof *body);
    body->skeleton = skeleton;
    body->joints = sinew_skeleton_joints(skeleton);
    body->count = sinew_skeleton_joint_count(skeleton);
    body->guess = guess;
    body->roles = roles;
    body->is_person = guess->kind == SINEW_BODY_HUMANOID;
    body->allocator = snw_allocator_or_default(allocator);
    body->hips = snw_body_find(body, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        body->has_clavicle[s] = snw_body_find(body, SINEW_ROLE_CLAVICLE, side, -1) >= 0;
    }
    snw_Arena arena = { NULL, 0 };
    take_arrays(&arena, body);
    bool room = snw_arena_open(&arena, &body->allocator, &body->size);
    body->block = arena.base;
    if (!room) { return SINEW_STATUS_OUT_OF_MEMORY; }
    take_arrays(&arena, body);
    set_keys(body, &body->seen.keys);
    if (!snw_stance_look(skeleton, motion, &body->allocator, &body->seen)) {
        snw_stance_body_destroy(body);
        return SINEW_STATUS_OUT_OF_MEMORY;
    }
    choose_reference(body, motion);
    snw_body_neutral(body);
    return SINEW_STATUS_OK;
}

void snw_stance_body_destroy(snw_StanceBody *body)
{
    snw_stance_look_free(&body->seen);
    if (body->block != NULL) { snw_free(&body->allocator, body->block, body->size); }
    body->block = NULL;
}

const snw_StanceBody *snw_stance_body(const sinew_Stance *stance)
{
    return &((const Memory *)(const void *)stance)->body;
}

// ---------------------------------------------------------------------------------------------
// Notes

static sinew_Message *note(Memory *m, sinew_StanceCode code, sinew_Side side, double value)
{
    if (m->stance.note_count == SINEW_MAX_STANCE_NOTES) { return NULL; }
    sinew_StanceNote *n = &m->notes[m->stance.note_count++];
    n->code = code;
    n->side = side;
    n->value = value;
    return &n->text;
}

static const char *side_word(sinew_Side side)
{
    return side == SINEW_SIDE_LEFT ? "left" : "right";
}

static void note_source(Memory *m)
{
    const snw_StanceLook *seen = &m->body.seen;
    if (!m->body.is_person) {
        snw_message_set(note(m, SINEW_STANCE_NO_PERSON, SINEW_SIDE_NONE, 0.0),
            "no stance: the body is no person on two legs (%s)",
            sinew_body_kind_name(m->body.guess->kind));
        return;
    }
    if (!(seen->leg > 0.0) || !isfinite(seen->rest_cost)) {
        snw_message_set(note(m, SINEW_STANCE_NO_LEGS, SINEW_SIDE_NONE, 0.0),
            "no stance: want thigh, shin and foot on both sides");
        return;
    }
    if (m->body.source == SINEW_STANCE_NONE) {
        double least = fmin(seen->rest_cost, seen->frame_cost);
        sinew_Message *text = note(m, SINEW_STANCE_NO_FIGURE, SINEW_SIDE_NONE, least);
        if (seen->frame_count == 0) {
            snw_message_set(text,
                "the rest pose is no standing figure (%g, want below 0.9), and there is no motion "
                "to see one in",
                seen->rest_cost);
        } else {
            snw_message_set(text,
                "neither the rest pose (%g) nor any frame (%g) is near a standing figure",
                seen->rest_cost, seen->frame_cost);
        }
        return;
    }
    if (m->body.source == SINEW_STANCE_REST) { return; }
    snw_message_set(note(m, SINEW_STANCE_FROM_MOTION, SINEW_SIDE_NONE, seen->frame_cost),
        "the rest pose is no figure, so frame %d of the motion was looked at", seen->reference);
}

static const char *axis_word(sinew_Vec3 v)
{
    if (fabs(v.x) > 0.9) { return v.x > 0.0 ? "+X" : "-X"; }
    if (fabs(v.y) > 0.9) { return v.y > 0.0 ? "+Y" : "-Y"; }
    return fabs(v.z) > 0.9 ? (v.z > 0.0 ? "+Z" : "-Z") : "no axis";
}

// Somebody who lies all the time looks like a motion whose up is another one, so that the rest pose is believed.
static void note_up(Memory *m)
{
    const snw_StanceLook *seen = &m->body.seen;
    if (m->body.source != SINEW_STANCE_REST || !(seen->frame_cost < WALK_COST)) { return; }
    double cosine = sinew_vec3_dot(seen->rest_up, seen->up);
    if (cosine > 0.5) { return; }
    snw_message_set(note(m, SINEW_STANCE_OTHER_UP, SINEW_SIDE_NONE, sinew_acos(fmax(cosine, -1.0))),
        "the motion stands along %s, the rest pose along %s, which was believed: it lies, or the "
        "file "
        "has two directions that are up",
        axis_word(seen->up), axis_word(seen->rest_up));
}

static void note_sides(Memory *m)
{
    const snw_StanceLook *seen = &m->body.seen;
    if (m->body.source == SINEW_STANCE_NONE) { return; }
    bool is_mirrored = seen->sides <= -SNW_CLEAR_SIDES;
    if (fabs(seen->sides) < SNW_CLEAR_SIDES) {
        snw_message_set(note(m, SINEW_STANCE_NO_FACING, SINEW_SIDE_NONE, seen->sides),
            "neither toes nor knees nor elbows tell where ahead is: the sides of the names were "
            "believed");
    }
    if (is_mirrored) {
        snw_message_set(note(m, SINEW_STANCE_MIRRORED, SINEW_SIDE_NONE, seen->sides),
            "the rig is mirrored: what is called left is on the right");
    }
    for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
        const sinew_StanceSign *sign = &seen->signs[w];
        double says = is_mirrored ? -sign->agreement : sign->agreement;
        if (sign->count == 0 || says > -0.25) { continue; }
        snw_message_set(note(m, SINEW_STANCE_CONFLICT, SINEW_SIDE_NONE, sign->agreement),
            "%s contradict the other signs of left and right (%g, want above 0)",
            sinew_stance_witness_name((sinew_StanceWitness)w), says);
    }
}

static void note_bends(Memory *m)
{
    static const sinew_Role middles[2] = { SINEW_ROLE_FOREARM, SINEW_ROLE_SHIN };
    for (int i = 0; i < 4; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        const char *name = middles[i / 2] == SINEW_ROLE_SHIN ? "knee" : "elbow";
        double askew = m->body.askew[i];
        sinew_Vec3 upper, lower;
        if (fabs(askew) > MOST_ASKEW) {
            snw_message_set(note(m, SINEW_STANCE_BENDS_ASKEW, side, askew),
                "the %s %s bends %g degrees askew of what the %s shows; the motion was believed",
                side_word(side), name, floor(askew / SNW_DEGREE + 0.5),
                sinew_stance_source_name(m->body.source));
        } else if (m->body.source == SINEW_STANCE_FRAME
            && !snw_stance_bend_axis(
                &m->body.seen, i < 2 ? SNW_KEY_UPPERARM : SNW_KEY_THIGH, i % 2, &upper, &lower)) {
            snw_message_set(note(m, SINEW_STANCE_BENDS_UNSEEN, side, 0.0),
                "the motion does not show which way the %s %s bends", side_word(side), name);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Soles

static sinew_Vec3 level(const snw_StanceBody *body, sinew_Vec3 v)
{
    return sinew_vec3_add_scaled(v, body->up, -sinew_vec3_dot(v, body->up));
}

// how far the toes of the reference point outward
static double toe_out_of(const snw_StanceBody *body, int foot, int ball, sinew_Side side)
{
    sinew_Vec3 toes = sinew_vec3_sub(body->look[ball].position, body->look[foot].position);
    if (body->source == SINEW_STANCE_FRAME) {
        // relative to the shin, whose turn is known
        toes = sinew_quat_rotate(body->turn[body->joints[foot].parent], toes);
    }
    sinew_Vec3 flat = level(body, toes);
    if (sinew_vec3_length(flat) < 0.25 * sinew_vec3_length(toes)) { return 0.0; }
    sinew_Vec3 out = snw_body_way(body, SNW_WAY_OUT, side);
    return sinew_atan2(sinew_vec3_dot(flat, out), sinew_vec3_dot(flat, body->forward));
}

// the joint that the sole goes with: of the hinges of a robot's ankle the last
static int sole_carrier(const snw_StanceBody *body, int foot)
{
    SNW_ASSERT(foot >= 0);
    for (int j = foot + 1; j < body->count && body->joints[j].parent == foot; ++j) {
        if (body->roles[j].role != SINEW_ROLE_FOOT) { break; }
        foot = j;
    }
    return foot;
}

static void measure_foot(Memory *m, int index)
{
    SNW_ASSERT(index >= 0);
    const snw_StanceBody *body = &m->body;
    sinew_StanceFoot *foot = &m->stance.feet[index];
    sinew_Side side = index == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
    foot->joint = body->seen.keys.joint[index][SNW_KEY_FOOT];
    foot->toe = -1;
    if (foot->joint < 0 || body->source == SINEW_STANCE_NONE) { return; }
    foot->joint = sole_carrier(body, foot->joint);
    int ball = snw_body_ball(body, side);
    if (ball >= 0 && body->roles[ball].role == SINEW_ROLE_TOE) { foot->toe = ball; }

    sinew_Transform ankle = m->world[foot->joint];
    sinew_Vec3 apart = { 0.0, 0.0, 0.0 };
    if (ball >= 0) { apart = sinew_vec3_sub(m->world[ball].position, ankle.position); }
    double height = -sinew_vec3_dot(apart, body->up), length = sinew_vec3_length(apart);
    sinew_Vec3 flat = level(body, apart);
    bool is_below = height > BELOW_ANKLE * length;
    if (ball < 0 || is_below) {
        flat = sinew_vec3_scale(body->forward, BALL_SHARE * body->seen.leg);
    }
    if (ball < 0 || height < 0.25 * ANKLE_SHARE * body->seen.leg) {
        height = ANKLE_SHARE * body->seen.leg;
    }
    sinew_Vec3 below = sinew_vec3_add_scaled(ankle.position, body->up, -height);
    sinew_Transform ankle_from_world = sinew_transform_inverse(ankle);
    foot->ball = sinew_transform_point(ankle_from_world, sinew_vec3_add(below, flat));
    foot->heel = sinew_transform_point(
        ankle_from_world, sinew_vec3_add_scaled(below, flat, -HEEL_OF_FOOT));
    if (ball < 0 || is_below) { return; }

    foot->toe_out = toe_out_of(body, foot->joint, ball, side);
    if (fabs(foot->toe_out) > MOST_TOES_ASIDE) {
        snw_message_set(note(m, SINEW_STANCE_TOES_ASIDE, side, foot->toe_out),
            "the %s foot points %g degrees outward; it was turned ahead", side_word(side),
            floor(foot->toe_out / SNW_DEGREE + 0.5));
    }
    sinew_Vec3 up;
    if (body->source != SINEW_STANCE_FRAME) { return; }
    int frames = snw_stance_sole_up(&body->seen, index, SNW_KEY_FOOT, &up);
    if (frames == 0) {
        snw_message_set(note(m, SINEW_STANCE_SOLE_ASSUMED, side, 0.0),
            "the motion does not show the %s foot standing: the slope of people's feet was taken",
            side_word(side));
    } else if (frames < LEAST_FLAT) {
        snw_message_set(note(m, SINEW_STANCE_SOLE_UNSURE, side, frames),
            "%d %s the %s foot standing, want %d: its slope is unsure", frames,
            frames == 1 ? "frame shows" : "frames show", side_word(side), LEAST_FLAT);
    }
}

// ---------------------------------------------------------------------------------------------
// The pose

static sinew_Vec3 sole_place(const Memory *m, int index)
{
    const sinew_StanceFoot *foot = &m->stance.feet[index];
    return sinew_transform_point(m->world[foot->joint], foot->ball);
}

// turned as they should be, each joint at its place in its parent
static void place_joints(Memory *m)
{
    const snw_StanceBody *body = &m->body;
    for (int j = 0; j < body->count; ++j) {
        int p = body->joints[j].parent;
        m->world[j].rotation = body->neutral[j];
        m->world[j].position = body->look[j].position;
        if (p < 0) { continue; }
        sinew_Vec3 apart = sinew_vec3_sub(body->look[j].position, body->look[p].position);
        apart = sinew_quat_rotate(sinew_quat_conjugate(body->look[p].rotation), apart);
        m->world[j].position = sinew_transform_point(m->world[p], apart);
    }
}

static int slide_count(const snw_StanceBody *body, int joint)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton);
    int count = 0;
    for (int a = 0; a < body->joints[joint].axis_count; ++a) {
        count += axes[body->joints[joint].axis_start + a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
    }
    return count;
}

static void put_on_floor(Memory *m)
{
    const snw_StanceBody *body = &m->body;
    sinew_Vec3 soles[2] = { sole_place(m, 0), sole_place(m, 1) };
    double heights[2] = { sinew_vec3_dot(soles[0], body->up), sinew_vec3_dot(soles[1], body->up) };
    double apart = heights[0] - heights[1];
    if (fabs(apart) > UNEVEN_SOLES * body->seen.leg) {
        sinew_Side side = apart > 0.0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        snw_message_set(note(m, SINEW_STANCE_SOLES_UNEVEN, side, fabs(apart)),
            "the %s sole is %g mm higher than the other", side_word(side),
            floor(1e3 * fabs(apart) + 0.5));
    }
    if (slide_count(body, 0) < 3) { return; }
    const int(*keys)[SNW_KEY_COUNT] = body->seen.keys.joint;
    sinew_Vec3 hips = sinew_vec3_lerp(
        m->world[keys[0][SNW_KEY_THIGH]].position, m->world[keys[1][SNW_KEY_THIGH]].position, 0.5);
    sinew_Vec3 shift = sinew_vec3_scale(level(body, hips), -1.0);
    shift = sinew_vec3_add_scaled(shift, body->up, -fmin(heights[0], heights[1]));
    for (int j = 0; j < body->count; ++j) {
        m->world[j].position = sinew_vec3_add(m->world[j].position, shift);
    }
}

// coordinates that come nearest
static void set_coordinates(Memory *m)
{
    const snw_StanceBody *body = &m->body;
    memcpy(m->q, body->q, (size_t)m->stance.coordinate_count * sizeof *m->q);
    if (body->source == SINEW_STANCE_NONE) { return; }
    for (int j = 0; j < body->count; ++j) {
        int p = body->joints[j].parent;
        sinew_Transform local = m->world[j];
        if (p >= 0) { local = sinew_transform_mul(sinew_transform_inverse(m->world[p]), local); }
        snw_rig_set_local(body->skeleton, j, local, m->q);
    }
}

static double confidence_of(const Memory *m)
{
    double value = 1.0;
    switch (m->body.source) {
    case SINEW_STANCE_NONE: return 0.0;
    case SINEW_STANCE_REST: break;
    case SINEW_STANCE_EXACT_FRAME: value = 0.95; break;
    case SINEW_STANCE_FRAME: value = m->body.seen.frame_cost < WALK_COST ? 0.8 : 0.6; break;
    }
    for (int i = 0; i < m->stance.note_count; ++i) {
        if (m->notes[i].code != SINEW_STANCE_FROM_MOTION) { value -= 0.15; }
    }
    return fmax(value, 0.05);
}

static void fill(Memory *m)
{
    sinew_Stance *stance = &m->stance;
    const snw_StanceBody *body = &m->body;
    stance->joint_count = body->count;
    stance->coordinate_count = sinew_skeleton_coordinate_count(body->skeleton);
    stance->q = m->q;
    stance->world_from_joint = m->world;
    stance->left = body->left;
    stance->up = body->up;
    stance->ahead = body->forward;
    stance->source = body->source;
    stance->reference_frame = body->source > SINEW_STANCE_REST ? body->seen.reference : -1;
    stance->rest_cost = body->seen.rest_cost;
    stance->frame_cost = body->seen.frame_cost;
    stance->notes = m->notes;
    memcpy(stance->witnesses, body->seen.signs, sizeof stance->witnesses);
    note_source(m);
    note_up(m);
    note_sides(m);
    note_bends(m);
    if (body->source == SINEW_STANCE_NONE) {
        memcpy(m->world, body->look, (size_t)body->count * sizeof *m->world);
    } else {
        place_joints(m);
    }
    measure_foot(m, 0);
    measure_foot(m, 1);
    if (body->source != SINEW_STANCE_NONE) { put_on_floor(m); }
    set_coordinates(m);
    stance->can_stand = body->source != SINEW_STANCE_NONE;
    stance->confidence = confidence_of(m);
}

// ---------------------------------------------------------------------------------------------
// The guess

static sinew_Status check(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_PoseList *motion, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "skeleton roles", skeleton, roles);
    if (status != SINEW_STATUS_OK) { return status; }
    if (roles->joint_count != sinew_skeleton_joint_count(skeleton)) {
        return snw_refuse(out_message, "roles are of %d joint%s, want %d", roles->joint_count,
            snw_plural(roles->joint_count), sinew_skeleton_joint_count(skeleton));
    }
    if (motion != NULL && motion->count < 0) {
        return snw_refuse(out_message, "motion.count is %d, want >= 0", motion->count);
    }
    return snw_stance_check_motion(skeleton, motion, out_message);
}

static Memory *take_result(snw_Arena *arena, const sinew_Skeleton *skeleton)
{
    size_t count = (size_t)sinew_skeleton_joint_count(skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    Memory *m = snw_arena_take(arena, 1, sizeof *m);
    sinew_JointRole *roles = snw_arena_take(arena, count, sizeof *roles);
    sinew_Transform *world = snw_arena_take(arena, count, sizeof *world);
    double *q = snw_arena_take(arena, coordinates, sizeof *q);
    if (m == NULL) { return NULL; }
    m->roles = roles;
    m->world = world;
    m->q = q;
    return m;
}

sinew_Status sinew_stance_guess(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_PoseList *motion, const sinew_Allocator *allocator, sinew_Stance **out_stance,
    sinew_Message *out_message)
{
    if (out_stance == NULL) { return snw_refuse(out_message, "out_stance is NULL"); }
    *out_stance = NULL;
    sinew_Status status = check(skeleton, roles, motion, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Allocator from = snw_allocator_or_default(allocator);
    snw_Arena arena = { NULL, 0 };
    (void)take_result(&arena, skeleton);
    size_t size;
    if (!snw_arena_open(&arena, &from, &size)) { return snw_no_memory(out_message, "a stance"); }
    Memory *m = take_result(&arena, skeleton);
    m->allocator = from;
    m->size = size;
    // own copies: a stance may outlive the roles it was guessed with
    memcpy(m->roles, roles->joints, (size_t)roles->joint_count * sizeof *m->roles);
    status = snw_stance_body_create(skeleton, roles, m->roles, motion, &from, &m->body);
    if (status != SINEW_STATUS_OK) {
        snw_free(&from, m, size);
        return snw_fail(out_message, status, "no memory for a stance");
    }
    fill(m);
    m->body.guess = NULL;
    *out_stance = &m->stance;
    return SINEW_STATUS_OK;
}

void sinew_stance_destroy(sinew_Stance *stance)
{
    if (stance == NULL) { return; }
    Memory *m = (Memory *)(void *)stance;
    snw_stance_body_destroy(&m->body);
    snw_free(&m->allocator, m, m->size);
}

const char *sinew_stance_source_name(sinew_StanceSource source)
{
    static const char *const texts[] = { "none", "rest pose", "frame in T or A", "frame" };
    return source >= SINEW_STANCE_NONE && source <= SINEW_STANCE_FRAME ? texts[source] : texts[0];
}

const char *sinew_stance_witness_name(sinew_StanceWitness witness)
{
    static const char *const texts[] = { "toes", "knees", "elbows" };
    return (int)witness >= 0 && (int)witness < SINEW_STANCE_WITNESS_COUNT ? texts[witness] : "none";
}

const char *sinew_stance_code_name(sinew_StanceCode code)
{
    static const char *const texts[SINEW_STANCE_CODE_COUNT] = { "no_person", "no_legs", "no_figure",
        "from_motion", "no_facing", "mirrored", "conflict", "toes_aside", "bends_askew",
        "bends_unseen", "sole_assumed", "sole_unsure", "soles_uneven", "other_up" };
    return (int)code >= 0 && (int)code < SINEW_STANCE_CODE_COUNT ? texts[code] : "none";
}
