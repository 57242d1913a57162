// Lifts, rafts, turning platforms and storeys, watched from outside: what moves is walked as what stands still.

#include "testing.h"

#include "measure/walk_mirror.h"
#include "scenes/scenes.h"
#include "sinew/terrain_file.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_TIME (1.0 / 60.0)

/// A place that goes and turns.
typedef struct Pose {
    sinew_Vec3 at;
    double heading;
} Pose;

static sinew_Vec3 out_of(const Pose *pose, sinew_Vec3 place)
{
    double s = sin(pose->heading), c = cos(pose->heading);
    return sinew_vec3(pose->at.x + place.x * c + place.z * s, pose->at.y + place.y,
        pose->at.z + place.z * c - place.x * s);
}

static sinew_Vec3 into(const Pose *pose, sinew_Vec3 place)
{
    double s = sin(pose->heading), c = cos(pose->heading);
    double x = place.x - pose->at.x, z = place.z - pose->at.z;
    return sinew_vec3(x * c - z * s, place.y - pose->at.y, x * s + z * c);
}

/// Ground that moves; a raft of limited size lies beside still, level ground.
typedef struct Moving {
    Pose (*path)(double time);
    sinew_Ground ground; ///< in its own frame
    Pose now, before;
    bool is_strip; ///< from z = 1 to z = 3 of its frame; elsewhere still and level
    int calls, places, most;
} Moving;

static bool is_on(const Moving *moving, sinew_Vec3 local)
{
    return !moving->is_strip || (local.z > 1.0 && local.z < 3.0);
}

static void ask(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    Moving *moving = user;
    (void)start;
    ++moving->calls;
    moving->places += count;
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 world = { places[i].x, 0.0, places[i].z };
        sinew_Vec3 local = into(&moving->now, world);
        if (!is_on(moving, local)) { continue; }
        local.y = sinew_ground_sample(&moving->ground, local.x, local.z).height;
        world.y = out_of(&moving->now, local).y;
        out_hits[i].height = world.y;
        out_hits[i].surface = 7;
        sinew_Vec3 before = out_of(&moving->before, local);
        out_hits[i].velocity = sinew_vec3_scale(sinew_vec3_sub(world, before), 1.0 / FRAME_TIME);
        out_hits[i].turn = (moving->now.heading - moving->before.heading) / FRAME_TIME;
    }
}

static Pose rest(double time)
{
    (void)time;
    return (Pose){ { 0.0, 0.0, 0.0 }, 0.0 };
}

static Pose lift(double time)
{
    return (Pose){ { 0.0, 0.33 * sin(1.5 * time), 0.0 }, 0.0 };
}

static Pose raft(double time)
{
    return (Pose){ { 1.0 * time, 0.1 * sin(2.0 * time), 0.5 * sin(time) }, 0.0 };
}

static Pose carousel(double time)
{
    return (Pose){ { 0.3, 0.0, 4.0 }, 0.5 * time };
}

/// It starts and stops at once, as lifts of games do.
static Pose jerky(double time)
{
    double part = fmod(time, 2.0);
    return (Pose){ { 0.0, 0.5 * (2.0 * floor(time / 2.0) * 0.5 + fmin(1.0, part)), 0.0 }, 0.0 };
}

static Pose ferry(double time)
{
    return (Pose){ { 0.4 * time, 0.0, 0.0 }, 0.0 };
}

typedef struct Walk {
    scene_Scene *scene;
    sinew_Terrain *terrain;
    sinew_RoleGuess *roles;
    sinew_Walker *walker;
    Moving moving;
    sinew_GroundQuery query;
    double *q;
    double time;
} Walk;

static void begin_as(Walk *walk, const char *body, const char *terrain, Pose (*path)(double))
{
    memset(walk, 0, sizeof *walk);
    sinew_Message message = { "" };
    TEST_OK(scene_create(body, NULL, &walk->scene, &message), &message);
    TEST_OK(sinew_terrain_open(terrain, NULL, &walk->terrain, &message), &message);
    TEST_OK(sinew_roles_guess(walk->scene->skeleton, NULL, NULL, &walk->roles, &message), &message);
    walk->moving.ground = sinew_terrain_ground(walk->terrain);
    walk->moving.path = path;
    walk->query = (sinew_GroundQuery){ ask, &walk->moving };
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = walk->scene->skeleton;
    def.style = SINEW_WALK_NATURAL;
    TEST_OK(sinew_walker_create(&def, &walk->walker, &message), &message);
    walk->q = calloc(
        (size_t)sinew_skeleton_coordinate_count(walk->scene->skeleton), sizeof *walk->q);
    TEST_TRUE(walk->q != NULL);
}

static void begin(Walk *walk, const char *terrain, Pose (*path)(double))
{
    begin_as(walk, "MAN18", terrain, path);
}

/// On two legs, four and eight; how fast they walk here, against a person.
static const char *const bodies[3] = { "MAN18", "QUADRUPED", "SPIDER" };
static const double paces[3] = { 1.0, 0.6, 0.35 };

static void end(Walk *walk)
{
    sinew_walker_destroy(walk->walker);
    sinew_roles_destroy(walk->roles);
    sinew_terrain_destroy(walk->terrain);
    scene_destroy(walk->scene);
    free(walk->q);
}

static sinew_WalkerReport go(Walk *walk, const sinew_Drive *drive)
{
    Moving *moving = &walk->moving;
    sinew_Message message = { "" };
    moving->before = moving->path(walk->time);
    walk->time += FRAME_TIME;
    moving->now = moving->path(walk->time);
    moving->calls = moving->places = 0;
    TEST_OK(sinew_walker_drive_on(walk->walker, drive, FRAME_TIME, &walk->query, walk->q, &message),
        &message);
    moving->most = moving->places > moving->most ? moving->places : moving->most;
    return sinew_walker_report(walk->walker);
}

/// The root of a pose taken back by where the ground is: what somebody on board sees.
static void see_on_board(const Walk *walk, double *q)
{
    const sinew_Joint *root = &sinew_skeleton_joints(walk->scene->skeleton)[0];
    const sinew_Axis *axes = sinew_skeleton_axes(walk->scene->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(walk->scene->skeleton);
    for (int a = root->axis_start; a < root->axis_start + root->axis_count; ++a) {
        if (axes[a].kind != SINEW_AXIS_SLIDE) { continue; }
        q[places[a].coordinate] -= sinew_vec3_dot(axes[a].direction, walk->moving.now.at);
    }
}

static measure_MirrorFigures watch(Walk *walk, const sinew_Drive *drive, int frames)
{
    measure_MirrorBody body = measure_mirror_body(walk->walker, walk->scene->skeleton, walk->roles);
    measure_Mirror *mirror = measure_mirror_create(&body, frames, FRAME_TIME);
    size_t count = (size_t)sinew_skeleton_coordinate_count(walk->scene->skeleton);
    double *q = malloc(count * sizeof *q);
    TEST_TRUE(mirror != NULL && q != NULL);
    for (int i = 0; i < frames; ++i) {
        sinew_WalkerReport report = go(walk, drive);
        memcpy(q, walk->q, count * sizeof *q);
        see_on_board(walk, q);
        sinew_Vec3 place = into(&walk->moving.now, report.root);
        measure_mirror_frame(
            mirror, q, &walk->moving.ground, place, report.heading, walk->moving.places);
    }
    measure_MirrorFigures figures = measure_mirror_figures(mirror);
    measure_mirror_destroy(mirror);
    free(q);
    return figures;
}

// WALK-1: seen from on board there is no difference, on stairs neither
static void what_moves_is_walked_as_what_stands_still(void **state)
{
    (void)state;
    const struct {
        const char *ground;
        Pose (*path)(double);
    } rows[] = { { "flat", lift }, { "flat", raft }, { "flat", jerky }, { "hills:3", raft },
        { "stairs:0.17,0.29", raft }, { "stairs:0.17,0.29", lift } };
    const sinew_Steering ways[] = { { 1.3, 0.0, 0.0 }, { 0.7, 0.0, 0.6 }, { -0.6, 0.0, 0.0 } };
    for (int r = 0; r < (int)(sizeof rows / sizeof *rows); ++r) {
        for (int w = 0; w < 3; ++w) {
            measure_MirrorFigures seen[2];
            int unmet[2];
            for (int moves = 0; moves < 2; ++moves) {
                Walk walk;
                begin(&walk, rows[r].ground, moves ? rows[r].path : rest);
                sinew_Drive drive = sinew_drive_body(ways[w]);
                // on stairs two walks part for a while, of which a longer one shows less
                seen[moves] = watch(&walk, &drive, r < 4 ? 600 : 1200);
                unmet[moves] = sinew_walker_report(walk.walker).unmet_frames;
                end(&walk);
            }
            TEST_TRUE(seen[0].landing_count > 5);
            TEST_TRUE(seen[0].hips_vertical < 7.0 && seen[1].hips_vertical < 7.0);
            TEST_NEAR(seen[1].landing_count, seen[0].landing_count, r < 3 ? 0.0 : 2.0);
            // on stairs rounding chooses between footholds of the same cost, and two walks part
            TEST_TRUE(unmet[1] <= unmet[0] + (r < 4 ? 0 : 12));
            TEST_NEAR(seen[1].step_length, seen[0].step_length, r < 3 ? 1e-4 : r < 4 ? 5e-4 : 0.05);
            if (r > 3) { continue; }
            TEST_NEAR(seen[1].slide_most, seen[0].slide_most, 2e-4);
            TEST_NEAR(seen[1].planted_depth, seen[0].planted_depth, 2e-4);
            TEST_NEAR(seen[1].moving_depth, seen[0].moving_depth, 2e-4);
            TEST_NEAR(seen[1].clearance, seen[0].clearance, 2e-4);
            TEST_NEAR(seen[1].joint_step, seen[0].joint_step, 1e-2);
            // on hills rounding may choose in which tick a step is planned anew
            TEST_NEAR(seen[1].hips_vertical, seen[0].hips_vertical, r < 3 ? 1e-2 : 0.3);
            if (r < 3) { TEST_TRUE(seen[1].slide_most < 0.2e-3 && unmet[1] == 0); }
        }
    }
}

/// Where the points of a sole are that are told to stand, in the frame of what they stand on; how far they
/// have gone there since they stood first.
typedef struct Tracks {
    bool is_down[SINEW_MAX_LEGS][SINEW_MAX_SOLE_POINTS];
    sinew_Vec3 at[SINEW_MAX_LEGS][SINEW_MAX_SOLE_POINTS];
    double slide, depth;
    int surfaces[2];      ///< frames on ground and raft
    sinew_Quat turns[64]; ///< of joints against their parents, in the frame before
    double joint_step;    ///< greatest turn of a joint in a frame, radians
} Tracks;

static void track_turns(const Walk *walk, const sinew_Transform *world, Tracks *tracks)
{
    const sinew_Joint *joints = sinew_skeleton_joints(walk->scene->skeleton);
    for (int j = 1; j < sinew_skeleton_joint_count(walk->scene->skeleton); ++j) {
        const sinew_Quat parent = world[joints[j].parent].rotation;
        const sinew_Quat turn = sinew_quat_mul(sinew_quat_conjugate(parent), world[j].rotation);
        const sinew_Quat *old = &tracks->turns[j];
        double dot = fabs(turn.x * old->x + turn.y * old->y + turn.z * old->z + turn.w * old->w);
        // all zero before the first frame
        if (dot > 0.0) {
            tracks->joint_step = fmax(tracks->joint_step, 2.0 * acos(fmin(1.0, dot)));
        }
        tracks->turns[j] = turn;
    }
}

static void track(const Walk *walk, Tracks *tracks)
{
    sinew_Transform world[64];
    TEST_TRUE(sinew_skeleton_joint_count(walk->scene->skeleton) <= 64);
    sinew_pose_forward(walk->scene->skeleton, walk->q, world);
    track_turns(walk, world, tracks);
    for (int leg = 0; leg < sinew_walker_report(walk->walker).leg_count; ++leg) {
        const sinew_Sole *sole = sinew_walker_sole(walk->walker, leg);
        const sinew_WalkerLeg told = sinew_walker_leg(walk->walker, leg);
        for (int p = 0; p < sole->point_count; ++p) {
            const sinew_SolePoint *point = &sole->points[p];
            bool was_down = tracks->is_down[leg][p];
            tracks->is_down[leg][p] = !told.is_swinging && (told.planted & point->planted) != 0u;
            // toes bend; a tip does not
            bool is_toe = sole->point_count > 1 && point->planted == SINEW_PLANTED_TOE;
            if (!tracks->is_down[leg][p] || is_toe) { continue; }
            sinew_Vec3 place = sinew_transform_point(world[point->joint], point->offset);
            if (told.surface == 7) { place = into(&walk->moving.now, place); }
            ++tracks->surfaces[told.surface == 7];
            if (was_down) {
                sinew_Vec3 way = sinew_vec3_sub(place, tracks->at[leg][p]);
                tracks->slide = fmax(tracks->slide, sinew_vec3_length(way));
            } else {
                tracks->at[leg][p] = place;
            }
            tracks->depth = fmax(tracks->depth, -place.y);
        }
    }
}

static void a_carousel_turns_the_body_with_it(void **state)
{
    (void)state;
    for (int body = 0; body < 3; ++body) {
        Walk walk;
        begin_as(&walk, bodies[body], "flat", carousel);
        Tracks tracks = { .slide = 0.0 };
        const sinew_Drive none = sinew_drive_world(0.0, 0.0);
        sinew_WalkerReport first = { .leg_count = 0 }, report = first;
        for (int i = 0; i < 240; ++i) {
            report = go(&walk, &none);
            if (i == 0) { first = report; }
            track(&walk, &tracks);
        }
        // it stands, and has been carried around
        TEST_INT(report.step_count, 0);
        TEST_NEAR(report.heading - first.heading, 0.5 * 239.0 / 60.0, 1e-6);
        TEST_TRUE(sinew_vec3_distance(report.root, first.root) > 3.0);
        sinew_Drive ahead = sinew_drive_body((sinew_Steering){ paces[body], 0.0, 0.2 });
        for (int i = 0; i < 600; ++i) {
            report = go(&walk, &ahead);
            track(&walk, &tracks);
        }
        TEST_TRUE(report.step_count > 10 && report.unmet_frames == 0);
        TEST_TRUE(tracks.slide < 0.5e-3 && tracks.depth < 1e-3);
        // arms are carried around with the chest that they hang on
        if (body == 0) { TEST_TRUE(tracks.joint_step < 0.3); }
        end(&walk);
    }
}

// bodies on many legs: as many steps as on still ground, to the same places on board
static void tips_are_carried(void **state)
{
    (void)state;
    Pose (*const paths[3])(double) = { lift, raft, jerky };
    for (int run = 0; run < 6; ++run) {
        sinew_Vec3 root[2];
        int steps[2];
        for (int moves = 0; moves < 2; ++moves) {
            Walk walk;
            const int body = 1 + run % 2;
            begin_as(&walk, bodies[body], "flat", moves ? paths[run / 2] : rest);
            const sinew_Drive drive = sinew_drive_body((sinew_Steering){ paces[body], 0.0, 0.1 });
            Tracks tracks = { .slide = 0.0 };
            sinew_WalkerReport report = { .leg_count = 0 };
            sinew_Vec3 from = { 0.0, 0.0, 0.0 };
            for (int i = 0; i < 480; ++i) {
                report = go(&walk, &drive);
                if (i == 0) { from = into(&walk.moving.now, report.root); }
                if (moves == 0) { track(&walk, &tracks); }
            }
            root[moves] = sinew_vec3_sub(into(&walk.moving.now, report.root), from);
            steps[moves] = report.step_count;
            TEST_INT(report.unmet_frames, 0);
            TEST_TRUE(tracks.slide < 0.5e-3);
            end(&walk);
        }
        TEST_INT(steps[0], steps[1]);
        TEST_VEC3_NEAR(root[0], root[1], 1e-6);
    }
}

// a foot each on two surfaces, three times on and off a strip that goes by
static void it_steps_on_and_off_what_goes_by(void **state)
{
    (void)state;
    for (int body = 0; body < 3; ++body) {
        Walk walk;
        begin_as(&walk, bodies[body], "flat", ferry);
        walk.moving.is_strip = true;
        Tracks tracks = { .slide = 0.0 };
        sinew_WalkerReport report = { .leg_count = 0 };
        bool is_told = false;
        const int leg_time = (int)(400.0 / paces[body]);
        for (int i = 0; i < 6 * leg_time; ++i) {
            const double pace = 0.9 * paces[body];
            sinew_Drive drive = sinew_drive_world(0.0, i / leg_time % 2 == 0 ? pace : -pace);
            drive.has_facing = true;
            report = go(&walk, &drive);
            track(&walk, &tracks);
            int count;
            const sinew_WalkEvent *events = sinew_walker_events(walk.walker, &count);
            for (int k = 0; k < count; ++k) {
                is_told = is_told
                    || (events[k].kind == SINEW_WALK_CONTACT && events[k].surface == 7);
            }
        }
        print_message("%s: %d frames unmet, slide %.2f mm, depth %.2f mm, x %.1f\n", bodies[body],
            report.unmet_frames, 1e3 * tracks.slide, 1e3 * tracks.depth, report.root.x);
        TEST_TRUE(tracks.surfaces[0] > 500 && tracks.surfaces[1] > 500 && is_told);
        TEST_TRUE(report.root.x > 3.0);
        TEST_TRUE(tracks.slide < (body == 2 ? 5e-3 : 2e-3) && tracks.depth < 2e-3);
        TEST_TRUE(report.unmet_frames <= (body == 2 ? 40 : 6));
        end(&walk);
    }
}

// ---------------------------------------------------------------------------------------------
// Storeys

/// A level ground with a bridge of 3 m over it, from z = 2 to z = 5; and a stair that winds up around x = 20.
static void ask_storeys(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    (void)user;
    for (int i = 0; i < count; ++i) {
        double x = places[i].x - 20.0, z = places[i].z, far = sqrt(x * x + z * z);
        double best = 0.0;
        if (x < -10.0 && z > 2.0 && z < 5.0 && start >= 3.0) { best = 3.0; }
        if (far > 0.8 && far < 2.8) {
            // 3.2 m a turn, steps of 0.16 m
            double turn = atan2(z, x) / (2.0 * SINEW_PI) + 0.5;
            for (int storey = 0; storey < 5; ++storey) {
                double step = 0.16 * floor(20.0 * (turn + storey));
                if (step <= start) { best = fmax(best, step); }
            }
        }
        out_hits[i].height = best;
    }
}

static void bridges_are_walked_over_and_under(void **state)
{
    (void)state;
    for (int run = 0; run < 6; ++run) {
        const int body = run / 2;
        const bool is_over = run % 2 == 1;
        Walk walk;
        begin_as(&walk, bodies[body], "flat", rest);
        walk.query = (sinew_GroundQuery){ ask_storeys, NULL };
        sinew_Drive drive = sinew_drive_world(0.0, 1.2 * paces[body]);
        // a dog is longer than a person is thick
        sinew_Vec3 from = { 0.0, is_over ? 3.0 : 0.0, is_over ? body > 0 ? 3.4 : 3.0 : 0.0 };
        TEST_OK(sinew_walker_teleport(walk.walker, from, 0.0, NULL), NULL);
        sinew_WalkerReport report = { .leg_count = 0 };
        double high = -1e9, low = 1e9, tall = 0.9 * sinew_walker_leg_length(walk.walker);
        for (int i = 0; i < (int)(600.0 / paces[body]); ++i) {
            report = go(&walk, &drive);
            high = fmax(high, report.hips.y);
            low = fmin(low, report.hips.y);
        }
        if (is_over) {
            // it stops before the drop at its end
            TEST_TRUE(low > 3.0 && report.root.z < 4.9 && report.is_blocked);
            TEST_TRUE(body > 0 || low > 3.7);
        } else {
            TEST_TRUE(high < 1.1 && high > 0.2 * tall && report.unmet_frames == 0);
            TEST_TRUE(report.root.z > (body == 0 ? 8.0 : 6.0));
        }
        end(&walk);
    }
}

static void a_winding_stair_is_climbed(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", rest);
    walk.query = (sinew_GroundQuery){ ask_storeys, NULL };
    // around the middle, where a turn begins, up
    TEST_OK(sinew_walker_teleport(walk.walker, sinew_vec3(18.2, 0.0, -0.3), SINEW_PI, NULL), NULL);
    sinew_WalkerReport report = { .leg_count = 0 };
    double high = 0.0;
    for (int i = 0; i < 3600; ++i) {
        double x = report.root.x - 20.0, z = report.root.z, far = sqrt(x * x + z * z) + 1e-9;
        if (i == 0) {
            x = -1.8;
            z = -0.3;
            far = 1.8;
        }
        // along the circle, kept at 1.8 m from the middle
        double out = 0.8 * (1.8 - far), ux = x / far, uz = z / far;
        sinew_Drive drive = sinew_drive_world(0.7 * -uz + out * ux, 0.7 * ux + out * uz);
        report = go(&walk, &drive);
        high = fmax(high, report.root.y);
    }
    TEST_TRUE(high > 8.0);
    end(&walk);
}

// a ramp around (0, 0) that rises by 5.6 m a turn
#define TURN_RISE 5.6
#define TURN_RADIUS 1.6

static void ask_ramp(
    void *user, double start, const sinew_GroundPlace *places, int count, sinew_GroundHit *out_hits)
{
    (void)user;
    for (int i = 0; i < count; ++i) {
        const double turns = atan2(places[i].x, places[i].z) / (2.0 * SINEW_PI);
        out_hits[i].height = TURN_RISE * (turns + floor(fmin(start, 100.0) / TURN_RISE - turns));
    }
}

// Storeys are told apart by three bits: what was seen a turn below is eight of them away, and blocked the way for ever.
static void a_winding_ramp_does_not_meet_itself(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "flat", rest);
    walk.query = (sinew_GroundQuery){ ask_ramp, NULL };
    TEST_OK(
        sinew_walker_teleport(walk.walker, sinew_vec3(0.0, 0.0, TURN_RADIUS), 0.5 * SINEW_PI, NULL),
        NULL);
    sinew_WalkerReport report = { .root = { 0.0, 0.0, TURN_RADIUS } };
    double from = 0.0;
    for (int i = 0; i < 3600; ++i) {
        const double far = sqrt(report.root.x * report.root.x + report.root.z * report.root.z);
        const double ux = report.root.x / far, uz = report.root.z / far;
        const double out = 1.5 * (TURN_RADIUS - far);
        sinew_Drive drive = sinew_drive_world(0.7 * uz + out * ux, -0.7 * ux + out * uz);
        report = go(&walk, &drive);
        from = i == 0 ? report.root.y : from;
    }
    // it came 4 m up
    TEST_TRUE(report.root.y - from > 9.0 && !report.is_blocked && report.unmet_frames == 0);
    end(&walk);
}

static void questions_come_in_batches(void **state)
{
    (void)state;
    Walk walk;
    begin(&walk, "hills:3", rest);
    const sinew_Drive drive = sinew_drive_body((sinew_Steering){ 1.2, 0.0, 0.1 });
    int calls = 0, places = 0;
    for (int i = 0; i < 600; ++i) {
        (void)go(&walk, &drive);
        if (i < 60) { continue; }
        calls += walk.moving.calls;
        places += walk.moving.places;
    }
    TEST_TRUE(calls < 540 * 4 && places > 2 * calls);
    end(&walk);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    Walk walk;
    sinew_Message message = { "" };
    begin(&walk, "flat", rest);
    const sinew_Drive drive = sinew_drive_world(0.0, 1.0);
    TEST_INT(sinew_walker_drive_on(walk.walker, &drive, 0.01, NULL, walk.q, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "query") != NULL);
    // from a raft to plain ground and back
    walk.moving.path = ferry;
    for (int i = 0; i < 90; ++i) { (void)go(&walk, &drive); }
    for (int i = 0; i < 90; ++i) {
        TEST_OK(
            sinew_walker_drive(walk.walker, &drive, FRAME_TIME, NULL, walk.q, &message), &message);
    }
    TEST_TRUE(sinew_walker_report(walk.walker).unmet_frames <= 4);
    TEST_TRUE(sinew_walker_report(walk.walker).root.z > 1.5);
    end(&walk);
}

TEST_MAIN(cmocka_unit_test(what_moves_is_walked_as_what_stands_still),
    cmocka_unit_test(a_carousel_turns_the_body_with_it), cmocka_unit_test(tips_are_carried),
    cmocka_unit_test(it_steps_on_and_off_what_goes_by),
    cmocka_unit_test(bridges_are_walked_over_and_under),
    cmocka_unit_test(a_winding_stair_is_climbed),
    cmocka_unit_test(a_winding_ramp_does_not_meet_itself),
    cmocka_unit_test(questions_come_in_batches), cmocka_unit_test(what_is_wrong_is_named))
