// What a walker needs to know of a skeleton.

#include "walk/walker_body.h"

#include "walk/gait.h"

#include <string.h>

// How far the root keeps off what cannot be walked, at legs of 0.9 m: along feet that walk ahead, and across them; what
// the way leads past by more is not on it; and how far it is looked at least. Off all joints of a body on tips.
#define KEEP_AHEAD 0.34
#define KEEP_ASIDE 0.22
#define PASS_BY 0.26
#define NEAR 0.6
#define KEEP_TIPS 0.2
// Legs that are as long walk, metres: of shorter ones joints turn by more than half a radian in a frame, and responses
// are too slow for their steps; in longer ones a game's response is too quick.
#define SHORTEST 0.08
#define LONGEST 10.0
// The outside of a thigh from the middle of the body, half hip widths, with what people keep off it (recorded walks: 0 to 0.04 m).
// Half a hand, and how far forearms hang inwards, of the forearm. Upper arms are put no farther out than this, radians.
#define THIGH_WIDTH 2.04
#define HAND_WIDTH 0.17
#define MOST_HANG 0.6

static sinew_Status check_legs(const snw_BodyMeasure *m)
{
    int count = m->rig.count;
    for (int i = 0; i < m->body->leg_count; ++i) {
        const sinew_LegDef *leg = &m->body->legs[i].def;
        bool ok = leg->hip > 0 && leg->hip < count
            && snw_body_is_below(&m->rig, leg->ankle, leg->hip) && leg->phase >= 0.0
            && leg->phase < 1.0 && sinew_vec3_is_finite(leg->foothold);
        if (ok && !leg->is_tip) {
            ok = snw_body_is_below(&m->rig, leg->knee, leg->hip)
                && snw_body_is_below(&m->rig, leg->ankle, leg->knee)
                && (leg->toe < 0 || snw_body_is_below(&m->rig, leg->toe, leg->ankle));
        }
        for (int k = 0; k < i; ++k) {
            const sinew_LegDef *other = &m->body->legs[k].def;
            ok = ok && other->ankle != leg->ankle && other->hip != leg->hip;
        }
        if (!ok) {
            return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
                "legs[%d]: want hip, knee, ankle and toe below each other, of no other leg, phase "
                "in 0..1, a finite foothold",
                i);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_root(const snw_BodyMeasure *m)
{
    const snw_WalkJoint *carrier = &m->body->joints[m->body->carrier];
    const sinew_Joint *root = &m->rig.joints[carrier->joint];
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    int slides = 0;
    for (int a = root->axis_start; a < root->axis_start + root->axis_count; ++a) {
        slides += axes[a].kind == SINEW_AXIS_SLIDE ? 1 : 0;
    }
    snw_JointKind kind = carrier->set.kind;
    if (slides != 3 || (kind != SNW_JOINT_BALL && kind != SNW_JOINT_THREE)) {
        return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
            "root joint '%s' is not free: want three slides and three turns", root->name);
    }
    return SINEW_STATUS_OK;
}

// the leg that stands where this one would in a mirror, -1
static int find_mate(const snw_WalkBody *body, int index)
{
    sinew_Vec3 mirrored = body->legs[index].tip_rest;
    mirrored.x = -mirrored.x;
    for (int i = 0; i < body->leg_count; ++i) {
        double off = sinew_vec3_distance(body->legs[i].tip_rest, mirrored);
        if (i != index && off < 0.2 * body->length) { return i; }
    }
    return -1;
}

void snw_walk_body_stand(snw_WalkBody *body)
{
    double out = 0.0;
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        leg->def.foothold = leg->tip_rest;
        leg->def.foothold.y += body->ride_height;
        double dx = leg->tip_rest.x - leg->hip.x, dz = leg->tip_rest.z - leg->hip.z;
        out += sqrt(dx * dx + dz * dz) / body->leg_count;
    }
    body->sprawl = snw_smoothstep(out / snw_max(1e-6, body->ride_height));
    for (int i = 0; i < body->leg_count; ++i) { body->legs[i].mate = find_mate(body, i); }
}

// where tips stand below the body: by the rest pose, or as they were given
static void place_tips(snw_BodyMeasure *m)
{
    snw_WalkBody *body = m->body;
    for (int i = 0; i < body->leg_count; ++i) {
        sinew_Vec3 tip = m->pose[body->legs[i].def.ankle].position;
        body->legs[i].tip_rest = sinew_vec3_sub(tip, body->hips_from_root);
        body->ride_height -= body->legs[i].tip_rest.y / body->leg_count;
    }
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        const sinew_Vec3 *given = &leg->def.foothold;
        leg->is_placed = given->x != 0.0 || given->y != 0.0 || given->z != 0.0;
        if (leg->is_placed) {
            leg->tip_rest = sinew_vec3(given->x, given->y - body->ride_height, given->z);
        }
    }
    snw_walk_body_stand(body);
}

// A person's feet say how near it comes; of a body on tips nothing at rest comes nearer than this.
static void measure_girth(const snw_BodyMeasure *m)
{
    snw_WalkBody *body = m->body;
    snw_Girth *girth = &body->girth;
    const double scale = body->length / SNW_USUAL_LEG;
    girth->length = body->length;
    girth->climb = scale;
    girth->ahead = girth->behind = KEEP_AHEAD;
    girth->aside = KEEP_ASIDE;
    girth->pass_by = PASS_BY;
    girth->near = NEAR;
    for (int j = 0; j < m->rig.count && body->on_tips; ++j) {
        sinew_Vec3 at = sinew_vec3_sub(m->pose[j].position, body->hips_from_root);
        girth->ahead = snw_max(girth->ahead, KEEP_TIPS + at.z / scale);
        girth->behind = snw_max(girth->behind, KEEP_TIPS - at.z / scale);
        girth->aside = snw_max(girth->aside, KEEP_TIPS + fabs(at.x) / scale);
    }
    girth->pass_by += girth->aside - KEEP_ASIDE;
    girth->near += snw_max(girth->ahead, girth->behind) - KEEP_AHEAD;
}

// Hands that hang stay beside the thighs, whose outsides are as far beyond the hip joints as these are apart; that and half a hand.
static void measure_hang(const snw_BodyMeasure *m, double middle)
{
    snw_WalkBody *body = m->body;
    sinew_Vec3 joints[3] = { { 0.0, 0.0, 0.0 } }; // of an arm, down to its hand
    for (int i = 0; i < body->joint_count; ++i) {
        const int part = (int)body->joints[i].part - SNW_PART_ARM_UPPER;
        if (part < 0 || part > 2) { continue; }
        joints[part] = m->pose[body->joints[i].joint].position;
        if (part < 2) { continue; }
        const double missing = THIGH_WIDTH * body->hip_width - fabs(joints[0].x - middle)
            + HAND_WIDTH * sinew_vec3_distance(joints[1], joints[2]);
        const double sine = missing / snw_max(1e-6, sinew_vec3_distance(joints[0], joints[1]));
        body->hang = snw_max(body->hang, snw_min(MOST_HANG, sine));
    }
}

static sinew_Status check_stance(const snw_BodyMeasure *m, const sinew_Stance *stance)
{
    // a body that is no person stands as its legs were given
    bool is_person = stance->can_stand || stance->notes[0].code != SINEW_STANCE_NO_PERSON;
    if (m->body->on_tips || stance->can_stand || !is_person) { return SINEW_STATUS_OK; }
    return snw_body_refuse(m, stance->notes[0].text.text);
}

// legs of robots stand as the file has them: their hinges turn no farther
static void take_neutral(snw_BodyMeasure *m, const snw_StanceBody *standing)
{
    memcpy(m->rig.neutral, standing->neutral, (size_t)m->rig.count * sizeof *m->rig.neutral);
    for (int i = 0; i < m->body->leg_count; ++i) {
        int hip = m->body->legs[i].def.hip;
        if (hip < 0 || m->inner[hip] == 0) { continue; }
        for (int j = hip; j == hip || snw_body_is_below(&m->rig, j, hip); ++j) {
            m->rig.neutral[j] = standing->look[j].rotation;
        }
    }
}

static sinew_Status measure_all(snw_BodyMeasure *m, const sinew_Stance *stance)
{
    snw_WalkBody *body = m->body;
    const snw_StanceBody *standing = snw_stance_body(stance);
    snw_body_take_stance(m, standing);
    snw_rows_find(m);
    sinew_Status status = snw_body_find_legs(m);
    if (status == SINEW_STATUS_OK) { status = check_legs(m); }
    if (status == SINEW_STATUS_OK) { status = check_stance(m, stance); }
    if (!body->on_tips) {
        take_neutral(m, standing);
        snw_body_place_neutral(m);
    }
    for (int i = 0; i < body->leg_count && status == SINEW_STATUS_OK; ++i) {
        status = snw_body_measure_leg(m, &body->legs[i]);
    }
    if (status != SINEW_STATUS_OK) { return status; }
    snw_body_list_joints(m);
    status = check_root(m);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < body->leg_count; ++i) {
        snw_body_measure_ranges(m, &body->legs[i]);
        middle = sinew_vec3_add_scaled(middle, body->legs[i].hip, 1.0 / body->leg_count);
        body->length += body->legs[i].length / body->leg_count;
    }
    if (!(body->length >= SHORTEST && body->length <= LONGEST)) {
        return snw_fail(m->message, SINEW_STATUS_INVALID_ARGUMENT,
            "its legs are %g m long, want 0.08..10: is the unit of its file right?", body->length);
    }
    body->hips_from_root = sinew_vec3_sub(
        middle, m->pose[body->joints[body->carrier].joint].position);
    for (int i = 0; i < body->leg_count; ++i) {
        body->legs[i].hip = sinew_vec3_sub(body->legs[i].hip, middle);
        body->hip_width += fabs(body->legs[i].hip.x) / body->leg_count;
    }
    if (body->on_tips) { place_tips(m); }
    measure_girth(m);
    measure_hang(m, middle.x);
    return SINEW_STATUS_OK;
}

sinew_Status snw_walk_body_measure(const sinew_WalkerDef *def, const sinew_Stance *stance,
    snw_WalkBody *out_body, sinew_Message *out_message)
{
    snw_BodyMeasure m;
    memset(&m, 0, sizeof m);
    m.def = def;
    m.body = out_body;
    m.message = out_message;
    m.rig.skeleton = def->skeleton;
    m.rig.count = sinew_skeleton_joint_count(def->skeleton);
    out_body->skeleton = def->skeleton;

    snw_Arena arena = { NULL, 0 };
    snw_body_take_arrays(&arena, &m);
    size_t size = arena.used;
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    void *block = snw_alloc(&allocator, size);
    if (block == NULL) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory to measure a body");
    }
    arena = (snw_Arena){ block, 0 };
    snw_body_take_arrays(&arena, &m);
    sinew_Status status = measure_all(&m, stance);
    snw_free(&allocator, block, size);
    return status;
}
