// Chapters of walking: styles on grounds, steered at random, and as games drive them.

#include "golden.h"

#include "soak/soak.h"

#include "sinew/terrain.h"
#include "sinew/walker.h"

static double q[GOLDEN_MAX_NUMBERS];

static void add_walker(
    uint64_t *hash, const sinew_Walker *walker, const sinew_Skeleton *skeleton, bool all)
{
    sinew_WalkerReport report = sinew_walker_report(walker);
    golden_numbers(hash, q, sinew_skeleton_coordinate_count(skeleton));
    const double numbers[] = { report.time, report.root.x, report.root.y, report.root.z,
        report.heading, report.motion.forward, report.motion.left, report.motion.turn,
        report.distance, report.pace, report.turn_pace, report.free_way };
    golden_numbers(hash, numbers, 12);
    golden_vec3(hash, report.hips);
    golden_int(hash,
        report.step_count + 1000 * report.is_walking + 10000 * report.is_met
            + 100000 * report.unmet_frames);
    golden_int(hash, report.is_blocked + 2 * report.solve_count);
    int events = 0;
    const sinew_WalkEvent *event = sinew_walker_events(walker, &events);
    for (int e = 0; e < events; ++e) {
        golden_int(
            hash, (int)event[e].kind + 100 * (event[e].leg + 1) + 10000 * (int)event[e].planted);
        golden_number(hash, event[e].time);
        golden_vec3(hash, event[e].place);
        golden_number(hash, event[e].speed);
    }
    for (int i = 0; all && i < report.leg_count; ++i) {
        sinew_WalkerLeg leg = sinew_walker_leg(walker, i);
        golden_number(hash, leg.phase);
        golden_number(hash, leg.swing);
        golden_int(hash, (int)leg.planted + 1000 * leg.is_swinging + 10000 * leg.is_met);
        golden_vec3(hash, leg.heel);
        golden_vec3(hash, leg.ball);
        golden_vec3(hash, leg.toe);
        golden_vec3(hash, leg.foothold);
        golden_vec3(hash, leg.normal);
        golden_number(hash, leg.foot_heading);
        golden_number(hash, leg.toe_bend);
        golden_number(hash, leg.position_error);
        golden_number(hash, leg.orientation_error);
    }
}

#define LENGTH(list) ((int)(sizeof(list) / sizeof((list)[0])))

typedef struct Walk {
    const char *body;
    sinew_WalkStyle style;
    sinew_WalkRows rows;
    sinew_TerrainKind ground;
    double height; // of rises and angles, a factor
} Walk;

/// manner: NULL: people in general.
static void walk_as(
    uint64_t *hash, const Walk *w, uint64_t seed, int frames, const sinew_Manner *manner)
{
    // a body of balls with toes and fingers, or a scene
    bool fine = strcmp(w->body, "FINE") == 0;
    scene_Scene *scene = golden_scene(fine ? "MAN18" : w->body);
    if (fine) {
        sinew_skeleton_destroy(scene->skeleton);
        scene->skeleton = golden_ball_person(1.02, seed % 2 == 0, GOLDEN_FINE);
    }
    sinew_TerrainDef ground_def = sinew_terrain_def_default(w->ground);
    // passes over the same list differ in grounds and steps, not in what walks
    uint64_t pass = seed / 16;
    ground_def.rise *= w->height * (1.0 + 0.1 * (double)pass);
    ground_def.angle *= w->height * (1.0 - 0.1 * (double)pass);
    ground_def.seed += pass;
    ground_def.toward += 0.6 * (double)pass;
    sinew_Terrain *terrain = NULL;
    golden_ok(sinew_terrain_create(&ground_def, &terrain, NULL));
    sinew_Ground ground = sinew_terrain_ground(terrain);
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = scene->skeleton;
    def.style = w->style;
    def.rows = w->rows;
    if (manner != NULL) { def.manner = *manner; }
    if (seed % 3 == 0) { def.response = sinew_walk_response_game(); }
    if (seed % 3 == 1) { def.paper.stride = 1.0; }
    def.paper.rotate = seed % 2 == 0;
    sinew_Walker *walker = NULL;
    sinew_Message message = { "" };
    golden_status(hash, sinew_walker_create(&def, &walker, &message), &message);
    golden_number(hash, sinew_walker_leg_length(walker));
    sinew_WalkOrnaments some = { 0.5, 1.5, 0.0, 1.0, 2.0, 0.0, 0.7, 1.0 };
    for (int frame = 0; walker != NULL && frame < frames; ++frame) {
        sinew_Steering steering = scene_random_steering(1000 * seed + (uint64_t)frame / 80);
        if (frame < 100) { steering = (sinew_Steering){ 1.2, 0.0, 0.0 }; }
        if (frame == frames / 2) { golden_ok(sinew_walker_set_ornaments(walker, &some)); }
        golden_ok(sinew_walker_update(
            walker, &steering, frame % 7 == 3 ? 0.03 : 1.0 / 60.0, &ground, q, NULL));
        add_walker(hash, walker, scene->skeleton, frame % 3 == 0);
    }
    sinew_walker_destroy(walker);
    sinew_terrain_destroy(terrain);
    scene_destroy(scene);
}

// all of a list, several times; the later ones are of people who walk otherwise than others
static void walk(uint64_t *hash, const Walk *walks, int count, int passes, int frames)
{
    for (int i = 0; i < count * passes; ++i) {
        scene_Random random = scene_random(500 + (uint64_t)i);
        sinew_Manner manner = sinew_manner_default();
        double *const shares[] = { &manner.hips, &manner.wander, &manner.lively, &manner.stride,
            &manner.sway, &manner.swing, &manner.elbow_swing };
        for (int s = 0; s < LENGTH(shares); ++s) { *shares[s] *= golden_range(&random, 0.7, 1.3); }
        manner.arms_out += golden_range(&random, 0.0, 0.2);
        manner.lean += golden_range(&random, -0.1, 0.1);
        manner.head_pitch += golden_range(&random, -0.2, 0.2);
        manner.crouch += golden_range(&random, 0.0, 0.05);
        manner.hurt[i % 2] = i % 3 == 2 ? golden_range(&random, 0.0, 1.0) : 0.0;
        manner.seed = (uint64_t)i;
        walk_as(hash, &walks[i % count], (uint64_t)(16 * (i / count) + i % count), frames,
            i < count ? NULL : &manner);
    }
}

uint64_t golden_walks_tips(void)
{
    static const Walk walks[] = {
        { "SPIDER", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_HILLS, 1.0 },
        { "QUADRUPED", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_FLAT, 1.0 },
        { "QUADRUPED", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_SLOPE, 1.0 },
        { "SPIDER", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_STAIRS, 0.5 },
        { "QUADRUPED", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_ROUGH, 1.0 },
    };
    uint64_t hash = GOLDEN_START;
    walk(&hash, walks, LENGTH(walks), 2, 340);
    return hash;
}

uint64_t golden_walks_paper(void)
{
    static const Walk walks[] = {
        { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_FLAT, 1.0 },
        { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_HALF, SINEW_TERRAIN_HILLS, 1.0 },
        { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_FULL, SINEW_TERRAIN_ROUGH, 1.0 },
        { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_HYBRID, SINEW_TERRAIN_STAIRS, 0.5 },
        { "MAN18", SINEW_WALK_PAPER, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_RAMP, -0.7 },
        { "FINE", SINEW_WALK_PAPER, SINEW_WALK_ROWS_FULL, SINEW_TERRAIN_HILLS, 1.0 },
    };
    uint64_t hash = GOLDEN_START;
    walk(&hash, walks, LENGTH(walks), 3, 300);
    return hash;
}

uint64_t golden_walks_natural(void)
{
    static const Walk walks[] = {
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_FLAT, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_HILLS, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_HALF, SINEW_TERRAIN_ROUGH, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_STAIRS, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_STAIRS, -0.8 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_HYBRID, SINEW_TERRAIN_RAMP, -1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_SLOPE, 1.5 },
        { "FINE", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_STAIRS, 1.0 },
        { "FINE", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_FULL, SINEW_TERRAIN_HILLS, 1.0 },
    };
    uint64_t hash = GOLDEN_START;
    walk(&hash, walks, LENGTH(walks), 4, 400);
    return hash;
}

// legs alone, whatever is drawn by chance and however lively: what lives above them moves none of these bits
uint64_t golden_walks_plain(void)
{
    static const Walk walks[] = {
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_FLAT, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_STAIRS, 1.0 },
        { "MAN18", SINEW_WALK_NATURAL, SINEW_WALK_ROWS_AUTO, SINEW_TERRAIN_HILLS, 1.0 },
    };
    uint64_t hash = GOLDEN_START;
    sinew_Manner manner = sinew_manner_plain();
    for (int i = 0; i < LENGTH(walks); ++i) {
        manner.seed = 40 + (uint64_t)i;
        manner.lively = i;
        walk_as(&hash, &walks[i], (uint64_t)i, 300, &manner);
    }
    return hash;
}

// the world's axes, led roots, pushes, other places, limits that block the way; two that share
uint64_t golden_drives(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    scene_Random random = scene_random(13);
    for (int pass = 0; pass < 12; ++pass) {
        int kind = pass % 4;
        sinew_TerrainDef ground_def = sinew_terrain_def_default(
            kind == 3 ? SINEW_TERRAIN_STAIRS : SINEW_TERRAIN_ROUGH);
        ground_def.seed += (uint64_t)pass / 4;
        sinew_Terrain *terrain = NULL;
        golden_ok(sinew_terrain_create(&ground_def, &terrain, NULL));
        sinew_Ground ground = sinew_terrain_ground(terrain);
        sinew_WalkerDef def = sinew_walker_def_default();
        def.skeleton = scene->skeleton;
        def.style = SINEW_WALK_NATURAL;
        def.response = kind % 2 == 0 ? sinew_walk_response_game() : sinew_walk_response_calm();
        if (kind == 3) { def.limits.step_height = 0.1 + 0.05 * (pass / 4); }
        sinew_Walker *first = NULL, *second = NULL;
        golden_ok(sinew_walker_create(&def, &first, NULL));
        def.share = first;
        def.x = 1.0;
        def.heading = 0.5 + pass / 4;
        golden_ok(sinew_walker_create(&def, &second, NULL));
        double x = 0.0, z = 0.0;
        for (int frame = 0; frame < 300; ++frame) {
            double s, c;
            sinew_sincos(0.02 * frame, &s, &c);
            sinew_Drive drive = kind == 1 ? sinew_drive_world(s, c)
                                          : sinew_drive_body((sinew_Steering){ 1.1, 0.0, 0.2 * s });
            if (kind == 1 && frame % 100 > 50) {
                drive.has_facing = true;
                drive.facing = 1.0;
            }
            if (kind == 2) {
                x += s / 60.0;
                z += c / 60.0;
                drive = sinew_drive_root(x, z, 0.02 * frame);
            }
            if (frame == 120 && kind != 2) { golden_ok(sinew_walker_push(first, 0.8, -0.5, NULL)); }
            if (frame == 200) {
                golden_ok(sinew_walker_teleport(first,
                    sinew_vec3(2.0, sinew_terrain_sample(terrain, 2.0, 1.0).height, 1.0), 1.0,
                    NULL));
            }
            golden_ok(sinew_walker_drive(first, &drive, 1.0 / 60.0, &ground, q, NULL));
            add_walker(&hash, first, scene->skeleton, true);
            if (frame % 4 != 0) { continue; }
            sinew_Steering steering = scene_random_steering(scene_random_bits(&random) % 5);
            golden_ok(sinew_walker_update(second, &steering, 1.0 / 60.0, &ground, q, NULL));
            add_walker(&hash, second, scene->skeleton, true);
        }
        sinew_walker_destroy(first);
        sinew_walker_destroy(second);
        sinew_terrain_destroy(terrain);
    }
    scene_destroy(scene);
    return hash;
}
