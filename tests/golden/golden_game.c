// Chapters of walkers in games: they run, jump, crouch, look, carry and are dressed over, on ground of storeys
// that moves; and of what is read from walks: gait curves, manners.

#include "golden.h"

#include "walk/gait_curves.h"

#include "sinew/manner.h"
#include "sinew/terrain.h"
#include "sinew/walker.h"

#define FRAME_TIME (1.0 / 60.0)

static double q[GOLDEN_MAX_NUMBERS];

// ---------------------------------------------------------------------------------------------
// Ground

typedef enum Kind { STILL, LIFT, RAFT, CAROUSEL, BRIDGE, HOLES, KINDS } Kind;

typedef struct Place {
    Kind kind;
    double time;
    sinew_Vec3 at, before; // of what moves
    double turn;           // radians a second
} Place;

static sinew_Vec3 moved_to(Kind kind, double time)
{
    double s, c;
    sinew_sincos(1.3 * time, &s, &c);
    switch (kind) {
    case LIFT: return sinew_vec3(0.0, 0.3 * s, 0.0);
    case RAFT: return sinew_vec3(0.4 * time, 0.05 * c, 0.3 * s);
    default: return sinew_vec3(0.0, 0.0, 0.0);
    }
}

static void advance(Place *place)
{
    place->time += FRAME_TIME;
    place->before = place->at;
    place->at = moved_to(place->kind, place->time);
    place->turn = place->kind == CAROUSEL ? 0.4 : 0.0;
}

static void ask(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    const Place *place = user;
    for (int i = 0; i < count; ++i) {
        sinew_GroundHit *hit = &out_hits[i];
        double x = places[i].x - place->at.x, z = places[i].z - place->at.z;
        if (place->kind == BRIDGE) {
            // a step up onto a bridge that one may also walk below
            bool above = z > 1.0 && z < 4.0 && start > 0.2;
            hit->height = above ? 0.2 : 0.0;
            hit->surface = above ? 2 : 1;
        } else if (place->kind == HOLES) {
            bool hole = (z > 2.0 && z < 2.2) || z > 8.0;
            hit->height = hole ? -3.0 : 0.02 * z;
            hit->normal = hole ? sinew_vec3(0.0, 0.0, 0.0) : sinew_vec3(0.0, 1.0, 0.0);
        } else if (place->kind != STILL && z > -3.0 && z < 3.0) {
            hit->height = place->at.y;
            hit->surface = 7;
            hit->velocity = sinew_vec3_scale(
                sinew_vec3_sub(place->at, place->before), 1.0 / FRAME_TIME);
            hit->velocity.x += place->turn * z;
            hit->velocity.z -= place->turn * x;
            hit->turn = place->turn;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Games

static void add_walker(uint64_t *hash, const sinew_Walker *walker, int coordinates)
{
    sinew_WalkerReport report = sinew_walker_report(walker);
    golden_numbers(hash, q, coordinates);
    golden_vec3(hash, report.root);
    golden_vec3(hash, report.hips);
    const double figures[] = { report.heading, report.motion.forward, report.motion.left,
        report.motion.turn, report.distance, report.pace, report.turn_pace, report.free_way };
    golden_numbers(hash, figures, 8);
    golden_int(hash, report.step_count + 1000 * report.is_walking + 10000 * report.is_blocked);
    int events = 0;
    const sinew_WalkEvent *event = sinew_walker_events(walker, &events);
    for (int e = 0; e < events; ++e) {
        golden_int(hash, (int)event[e].kind + 100 * event[e].leg);
        golden_int(hash, event[e].surface);
        golden_vec3(hash, event[e].place);
        golden_number(hash, event[e].time);
    }
    for (int i = 0; i < report.leg_count; ++i) {
        sinew_WalkerLeg leg = sinew_walker_leg(walker, i);
        golden_int(hash, leg.surface + 100 * leg.planted);
        golden_vec3(hash, leg.heel);
        golden_vec3(hash, leg.foothold);
        golden_vec3(hash, leg.normal);
    }
}

/// What a player does at a time of a session of ten seconds.
static sinew_Drive played(int session, double time)
{
    double s, c;
    sinew_sincos(0.7 * time + session, &s, &c);
    double speed = session % 3 == 0 ? 1.3 : session % 3 == 1 ? 4.5 : 2.6;
    if (time > 7.0) { speed = 0.0; }
    sinew_Drive drive = sinew_drive_body(
        (sinew_Steering){ speed, 0.0, time > 3.0 && time < 5.0 ? 0.6 : 0.0 });
    if (session % 4 == 3) {
        drive = sinew_drive_world(speed * 0.3 * s, speed);
        drive.has_facing = time > 4.0;
        drive.facing = 0.4;
    }
    drive.crouch = session % 2 == 0 && time > 2.0 && time < 4.0 ? 0.7 : 0.0;
    drive.has_look = time > 1.0 && time < 6.0;
    drive.look_at = sinew_vec3(2.0 * s, 1.5, 3.0);
    drive.carry = session % 5 == 1 ? 0.8 : 0.0;
    return drive;
}

static void change(sinew_Walker *walker, int session, int frame, const sinew_WalkLayer *layer)
{
    if (frame == 100 || frame == 300 || frame == 480) {
        golden_ok(sinew_walker_jump(walker, 0.1 + 0.1 * (session % 4), NULL));
    }
    if (frame == 150) { golden_ok(sinew_walker_set_layer(walker, layer, NULL)); }
    if (frame == 200 && session % 2 == 1) {
        sinew_WalkResponse response = sinew_walk_response_game();
        golden_ok(sinew_walker_set_response(walker, &response, NULL));
    }
    if (frame == 220) {
        sinew_WalkLimits limits = sinew_walk_limits_default();
        limits.step_height = 0.15;
        limits.gap = session % 2 == 0 ? 0.05 : 0.4;
        golden_ok(sinew_walker_set_limits(walker, &limits, NULL));
    }
    if (frame == 260) {
        sinew_Manner manner = sinew_manner_default();
        manner.lively = 1.5;
        manner.hurt[session % 2] = 0.5;
        manner.crouch = 0.02;
        golden_ok(sinew_walker_set_manner(walker, &manner, NULL));
    }
    if (frame == 400) { golden_ok(sinew_walker_push(walker, 1.0, 0.6, NULL)); }
    if (frame == 500) { golden_ok(sinew_walker_reset(walker, 0.0, -1.0, 0.1)); }
}

uint64_t golden_games(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    int coordinates = sinew_skeleton_coordinate_count(scene->skeleton);
    static double pose[GOLDEN_MAX_NUMBERS], mask[GOLDEN_MAX_JOINTS];
    scene_Random random = scene_random(77);
    scene_random_pose(scene, &random, pose);
    for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
        mask[j] = 0.25 * (j % 5);
    }
    sinew_WalkLayer layer = { pose, mask, 0.6 };
    for (int session = 0; session < 5 * KINDS; ++session) {
        Place place = { .kind = (Kind)(session % KINDS) };
        place.at = moved_to(place.kind, 0.0);
        sinew_GroundQuery query = { ask, &place };
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = scene->skeleton;
        def.manner.seed = (uint64_t)session;
        def.z = -1.0;
        sinew_Walker *walker = NULL;
        golden_ok(sinew_walker_create(&def, &walker, NULL));
        for (int frame = 0; frame < 600; ++frame) {
            advance(&place);
            change(walker, session, frame, &layer);
            sinew_Drive drive = played(session, frame * FRAME_TIME);
            sinew_Message message = { "" };
            golden_status(&hash,
                sinew_walker_drive_on(walker, &drive, FRAME_TIME, &query, q, &message), &message);
            add_walker(&hash, walker, coordinates);
        }
        sinew_walker_destroy(walker);
    }
    scene_destroy(scene);
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Read from walks

static sinew_Clip *recorded(const sinew_Skeleton *skeleton, double speed, double turn, int frames)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = skeleton;
    def.heading = 0.7 * turn;
    sinew_Walker *walker = NULL;
    sinew_Clip *clip = NULL;
    golden_ok(sinew_walker_create(&def, &walker, NULL));
    golden_ok(sinew_clip_create(skeleton, frames, FRAME_TIME, NULL, &clip));
    sinew_Steering steering = { speed, 0.0, turn };
    for (int frame = 0; frame < frames; ++frame) {
        golden_ok(sinew_walker_update(
            walker, &steering, FRAME_TIME, NULL, sinew_clip_frame(clip, frame), NULL));
    }
    sinew_walker_destroy(walker);
    return clip;
}

static void add_gait(uint64_t *hash, const snw_Gait *gait)
{
    golden_numbers(hash, &gait->curves[0][0], SNW_GAIT_CURVE_COUNT * SNW_GAIT_POINTS);
    golden_int(hash, gait->strike_count + 1000 * gait->stride_count);
    const double figures[] = { gait->period, gait->speed, gait->stride, gait->froude,
        gait->bounce };
    golden_numbers(hash, figures, 5);
}

uint64_t golden_gaits(void)
{
    uint64_t hash = GOLDEN_START;
    static const double speeds[4] = { 0.7, 1.2, 1.6, 1.2 }, turns[4] = { 0.0, 0.0, 0.0, 0.25 };
    sinew_Skeleton *skeleton = golden_ball_person(1.1, false, GOLDEN_FINE);
    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    golden_ok(sinew_roles_guess(skeleton, NULL, NULL, &roles, NULL));
    golden_ok(sinew_stance_guess(skeleton, roles, NULL, NULL, &stance, NULL));
    snw_GaitBody body;
    if (!snw_gait_body(skeleton, roles, roles->up, &body)) { return 0; }
    golden_number(&hash, body.leg_length);
    for (int i = 0; i < 4; ++i) {
        sinew_Clip *clip = recorded(skeleton, speeds[i], turns[i], 480 + 60 * i);
        for (int part = 0; part < 3; ++part) {
            // whole, without its start, and too short for a whole stride
            double from = part == 0 ? 0.0 : 2.0 + 0.1 * i, to = part == 2 ? from + 0.9 : 100.0;
            snw_Gait gait;
            golden_ok(snw_gait_read(clip, &body, from, to, NULL, &gait));
            add_gait(&hash, &gait);
        }
        sinew_Manner manner = sinew_manner_default();
        sinew_Message message = { "" };
        golden_status(
            &hash, sinew_manner_learn(clip, roles, stance, NULL, &manner, &message), &message);
        golden_numbers(&hash, &manner.hips, (int)(offsetof(sinew_Manner, seed) / sizeof(double)));
        sinew_clip_destroy(clip);
    }
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    sinew_skeleton_destroy(skeleton);
    return hash;
}
