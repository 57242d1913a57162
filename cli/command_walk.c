// `sinew walk`: a character walks over a ground as it is steered; no motion clip is needed.

#include "commands.h"

#include "walk_report.h"
#include "walk_run.h"
#include "walk_trials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    RIG = 1,
    LIMITS,
    FLOAT,
    TERRAIN,
    INPUT,
    SPEED,
    STRIDE,
    SIDE,
    TURN,
    STEPS,
    SECONDS,
    STYLE,
    FACING,
    RESPONSE,
    ROOT,
    MANNER,
    LIVELY,
    LIKE,
    JUMP,
    HEIGHT,
    CROUCH,
    LOOK,
    CARRY,
    LAYER,
    MASK,
    SET,
    LOOP,
    IN_PLACE,
    FPS,
    REPORT,
    TRIALS,
    ONLY,
    JOBS,
    OUT
};

/// Without --steps or --seconds.
#define DEFAULT_SECONDS 10.0
#define MOST_SECONDS 36000.0

const char *const cli_walk_styles[2] = { "natural", "paper" };

static const cli_Option own_options[] = {
    { RIG, "rig", 'r', "BODY",
        "who walks: a motion file with roles, or scene:NAME, such as scene:QUADRUPED\n"
        "and scene:SPIDER (default: scene:MAN18)" },
    { LIMITS, "limits-from", 0, "RIG.json|auto|none",
        "limits of the body: a rig file, auto (guessed from the joints) or none\n"
        "(default: BODY.rig.json beside BODY, where there is one)" },
    { FLOAT, "float", 0, NULL,
        "the base of a robot moves; URDF files fix it, so that this is done for each of them\n"
        "and told where it is not asked for" },
    { TERRAIN, "terrain", 't', "GROUND",
        "flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD], kerbs[:RISE,EVERY],\n"
        "ramp:DEGREES, slope:DEGREES[,TOWARD] or a height map "
        "FILE.png|txt[:CELL[,HEIGHT]]\n(default: flat)" },
    { INPUT, "input", 'i', "FILE.csv",
        "a recorded stick: seconds, x right, y forward (-1..1), strafe; then as wanted, in\n"
        "the style natural, height of a jump, crouch, carry" },
    { SPEED, "speed", 'v', "M/S",
        "forward; negative: backwards (default: 1.3; the pace of the --manner, or as --like)" },
    { STRIDE, "stride", 0, "SHARE",
        "style paper: how far feet go, as a share of the longest strides, 0.1..1.5, at any\n"
        "speed (default: by speed, at most 2 steps a second)" },
    { SIDE, "side", 0, "M/S", "to the left; negative: to the right (default: 0)" },
    { TURN, "turn", 'w', "RAD/S",
        "to the left; negative: to the right (default: 0);\n"
        "the radius is speed/turn" },
    { STEPS, "steps", 'n', "N", "walk until so many feet have landed" },
    { SECONDS, "seconds", 's', "S", "walk so long (default: 10)" },
    { STYLE, "style", 0, "natural|paper",
        "as people walk (default), or the two-stage cycle of the paper" },
    { FACING, "facing", 0, "DEGREES",
        "look there whatever the way: --speed is along +Z of the world then, --side\n"
        "along +X; from +Z towards +X" },
    { RESPONSE, "response", 0, "calm|game",
        "how quickly the body answers: as people who have time (default), or 90 % of a\n"
        "walk within 0.3 s" },
    { ROOT, "root", 0, "own|capsule|heeding",
        "who moves the body: itself (default), a capsule as a game does, or one that\n"
        "goes no faster than the legs can, as the walker tells it" },
    { MANNER, "manner", 0, "NAME[=STRENGTH],...",
        "whose walk it is: people in general (default), plain (legs alone), " CLI_MANNER_NAMES },
    { LIVELY, "lively", 0, "SIZE",
        "size of what arms and trunk do, 0..3: 1 (default) calm, 1.5 to 2 on a stage" },
    { LIKE, "like", 0, "CLIP",
        "learn the manner from a recorded walk, also one in place, and go at its pace" },
    { JUMP, "jump", 0, "T[,T...]",
        "who has two legs jumps after so many seconds, from both feet or in the next step" },
    { HEIGHT, "height", 0, "M", "of the jumps, 0.05..1 (default: 0.3)" },
    { CROUCH, "crouch", 0, "SHARE",
        "how low it goes, 0 upright .. 1 hips a third of the leg lower" },
    { LOOK, "look", 0, "X,Y,Z", "look at a point of the world, metres" },
    { CARRY, "carry", 0, "SHARE", "arms hold something before the body, 0..1" },
    { LAYER, "layer", 0, "CLIP",
        "a motion of the same joints over the walk above the legs, again and again; where its end\n"
        "is not its start it goes over into it; with --loop it is made to fit" },
    { MASK, "mask", 0, "JOINT[=SHARE],...",
        "with --layer: only these joints and all that hangs on them (default: all, 1)" },
    { SET, "set", 0, "NAME=VALUE",
        "for trials, once or more, of the style natural: response.follow_time, .acceleration,\n"
        ".braking, .turning, .settling, .hurry; limits.step_height, .drop, .slope, .gap;\n"
        "ornaments.bob, .swing, .sway, .list, .lean, .spine, .arms, .head;\n"
        "manner.hips, .trunk, .arms, .hands, .clavicles, .head, .shift, .breath,\n"
        ".wander, .variation, .lively, .pace, .stride, .lift, .bounce, .sway, .swing, "
        ".swing_late,\n"
        ".elbow, .elbow_swing, .wrist, .wrist_swing, .shrug, .arms_out, .lean, .head_pitch,\n"
        ".crouch, .hurt[0], .hurt[1] (sinew/manner.h);\n"
        "of the style paper: paper.stride, .cadence, .stand_height, .walk_height, .bob, .swing,\n"
        ".clearance, .gap, .heel_rise, .rotate (1: its lift curve is turned, not skewed) and\n"
        "ornaments" },
    { LOOP, "loop", 0, NULL,
        "one stride of the steady walk, for engines that play it again and again: from a landing "
        "of\n"
        "the left foot to the next, the last frame like the first; with --steps as many\n"
        "steps as it says, in whole strides; nothing is left to chance (breath, variation, "
        "wander)" },
    { IN_PLACE, "in-place", 0, NULL,
        "the root stays at the origin and looks along +Z; its speed is told, for the engine to "
        "move it by" },
    { FPS, "fps", 'f', "F", "frames per second, 1..1000 (default: 60)" },
    { OUT, "output", 'o', "FILE", "write the motion (.bvh) or film it (.mp4, .gif; needs ffmpeg)" },
    { REPORT, "report", 0, NULL, "all grounds, ways, styles and kinds of legs as a table" },
    { TRIALS, "trials", 0, NULL,
        "hard grounds and unsteady hands, from several starts and seeds, judged by\n"
        "what can be seen alone: a table of grounds and one of rules" },
    { ONLY, "only", 0, "WORDS",
        "with --report or --trials: walks whose names have all these words, joined by +" },
    { JOBS, "jobs", 'j', "N",
        "with --report or --trials: processes at a time (default: one for each processor)" },
    { 0, NULL, 0, NULL, NULL },
};

// whether a body walks on points; false where it cannot walk, which the report tells
static bool stands_on_tips(cli_Input *body, const sinew_RoleGuess *roles)
{
    sinew_WalkerDef def = sinew_walker_def_default();
    def.skeleton = body->skeleton;
    def.roles = roles;
    def.stance = cli_input_stance(body);
    sinew_Walker *walker = NULL;
    if (sinew_walker_create(&def, &walker, NULL) != SINEW_STATUS_OK) { return false; }
    bool on_tips = sinew_walker_leg_def(walker, 0)->is_tip;
    sinew_walker_destroy(walker);
    return on_tips;
}

static int run_report(const cli_WalkRequest *request, cli_Input *body)
{
    cli_WalkReport report;
    memset(&report, 0, sizeof report);
    report.body_name = body->name;
    report.skeleton = body->skeleton;
    report.roles = cli_input_roles(body);
    report.stance = cli_input_stance(body);
    report.only = request->only;
    report.steps = (int)request->steps;
    report.jobs = (int)request->jobs;
    report.seed = request->settings.seed;
    report.json = request->json;
    report.on_tips = report.roles != NULL && stands_on_tips(body, report.roles);
    report.gait = !report.on_tips;
    if (report.roles == NULL) { return CLI_FAILED; }
    if (!request->trials) { return cli_walk_report(&report); }
    sinew_WalkerDef def = sinew_walker_def_default();
    cli_walk_rows(request, &def);
    report.steps = (int)request->seconds;
    cli_Learned learned;
    int code = cli_read_manner(&request->manner, request->settings.seed, &def.manner, &learned);
    if (code != CLI_DONE) { return code; }
    return cli_walk_trials(&report, request->style, def.rows, &def.manner);
}

static bool take_option(cli_WalkRequest *request, const cli_Option *option, const char *value)
{
    static const char *const responses[] = { "calm", "game" };
    static const char *const roots[] = { "own", "capsule", "heeding" };
    switch (option->id) {
    case RIG: request->body = value; return true;
    case LIMITS: request->limits = value; return true;
    case FLOAT: request->is_floating = true; return true;
    case TERRAIN: request->terrain = value; return true;
    case INPUT: request->input = value; return true;
    case SPEED:
        request->steered = true;
        return cli_parse_number("--speed", value, -10.0, 10.0, &request->speed);
    case STRIDE: return cli_parse_number("--stride", value, 0.1, 1.5, &request->stride);
    case SIDE:
        request->steered = true;
        return cli_parse_number("--side", value, -10.0, 10.0, &request->side);
    case TURN:
        request->steered = true;
        return cli_parse_number("--turn", value, -10.0, 10.0, &request->turn);
    case STEPS: return cli_parse_whole("--steps", value, 1, 1000000, &request->steps);
    case SECONDS: return cli_parse_number("--seconds", value, 0.0, MOST_SECONDS, &request->seconds);
    case LOOP: request->is_loop = true; return true;
    case IN_PLACE: request->is_in_place = true; return true;
    case FPS: return cli_parse_number("--fps", value, 1.0, 1000.0, &request->fps);
    case STYLE: {
        int style = cli_parse_choice("--style", value, cli_walk_styles, 2);
        request->style = style < 0 ? SINEW_WALK_NATURAL : (sinew_WalkStyle)style;
        return style >= 0;
    }
    case FACING:
        request->drive.has_facing = true;
        if (!cli_parse_number("--facing", value, -360.0, 360.0, &request->drive.facing)) {
            return false;
        }
        request->drive.facing *= SINEW_PI / 180.0;
        return true;
    case RESPONSE: {
        int response = cli_parse_choice("--response", value, responses, 2);
        request->is_quick = response == 1;
        return response >= 0;
    }
    case ROOT: {
        int root = cli_parse_choice("--root", value, roots, 3);
        request->drive.root = root < 0 ? CLI_ROOT_OWN : (cli_Root)root;
        return root >= 0;
    }
    case MANNER: request->manner.names = value; return true;
    case LIVELY: return cli_parse_number("--lively", value, 0.0, 3.0, &request->manner.lively);
    case LIKE: request->manner.like = value; return true;
    case JUMP: return cli_take_jumps(&request->drive, value);
    case HEIGHT:
        request->has_height = true;
        return cli_parse_number("--height", value, 0.05, 1.0, &request->drive.height);
    case LOOK: return cli_take_look(&request->drive, value);
    case CARRY: return cli_parse_number("--carry", value, 0.0, 1.0, &request->drive.carry);
    case LAYER: request->layer = value; return true;
    case MASK: request->mask = value; return true;
    case SET: return cli_take_number(&request->numbers, value);
    case CROUCH: return cli_parse_number("--crouch", value, 0.0, 1.0, &request->drive.crouch);
    case OUT: request->out = value; return cli_check_motion_path("--output", value, true);
    case REPORT: request->report = true; return true;
    case TRIALS: request->trials = true; return true;
    case ONLY: request->only = value; return true;
    case JOBS: return cli_parse_whole("--jobs", value, 1, 1000, &request->jobs);
    case CLI_OPTION_UNIT:
    case CLI_OPTION_ANIMATION:
    case CLI_OPTION_BVH_POSITIONS: return cli_take_input_option(&request->read, option->id, value);
    default: return cli_take_solver_option(&request->settings, option->id, value);
    }
}

static int check_request(const cli_WalkRequest *request)
{
    if (request->input != NULL && request->steered) {
        return cli_usage_error(
            &cli_command_walk, "--input and --speed, --side, --turn exclude each other");
    }
    if (request->steps > 0 && request->seconds >= 0.0) {
        return cli_usage_error(&cli_command_walk, "--steps and --seconds exclude each other");
    }
    if (request->report && request->trials) {
        return cli_usage_error(&cli_command_walk, "--report and --trials exclude each other");
    }
    bool is_many = request->report || request->trials;
    if (!is_many && request->seconds >= 0.0 && request->seconds <= CLI_WALK_NO_TIME) {
        return cli_usage_error(
            &cli_command_walk, "--seconds: found %g, expected some time to walk", request->seconds);
    }
    bool is_paper = request->style == SINEW_WALK_PAPER;
    bool is_set = request->numbers.count > 0
        && (is_many || !is_paper || !cli_numbers_fit(&request->numbers, true));
    bool is_driven = cli_drive_is_natural(&request->drive) || is_set;
    if ((is_driven || request->is_quick) && (is_many || request->style != SINEW_WALK_NATURAL)) {
        return cli_usage_error(&cli_command_walk,
            "--facing, --response, --root, --jump, --crouch, --look, --carry and --set go with "
            "one walk of the style natural");
    }
    if (!is_paper && !cli_numbers_fit(&request->numbers, false)) {
        return cli_usage_error(
            &cli_command_walk, "--set paper. goes with one walk of --style paper");
    }
    if (request->has_height && request->drive.jump_count == 0) {
        return cli_usage_error(&cli_command_walk, "--height goes with --jump");
    }
    if (request->layer != NULL && is_many) {
        return cli_usage_error(&cli_command_walk, "--layer goes with one walk");
    }
    if (request->mask != NULL && request->layer == NULL) {
        return cli_usage_error(&cli_command_walk, "--mask goes with --layer");
    }
    bool has_manner = request->manner.names != NULL || request->manner.like != NULL
        || request->manner.lively >= 0.0;
    if (has_manner && (request->report || request->style != SINEW_WALK_NATURAL)) {
        return cli_usage_error(&cli_command_walk,
            "--manner, --lively and --like go with the style natural, one walk or --trials");
    }
    if (!is_many && (request->only != NULL || request->jobs > 0)) {
        return cli_usage_error(&cli_command_walk, "--only and --jobs go with --report or --trials");
    }
    if (request->picture != NULL && !cli_check_picture_path("--picture", request->picture)) {
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/// A loop is a steady walk on level ground.
static int check_loop(const cli_WalkRequest *request)
{
    if (request->is_in_place && (request->report || request->trials)) {
        return cli_usage_error(&cli_command_walk, "--in-place goes with one walk");
    }
    if (!request->is_loop) { return CLI_DONE; }
    if (request->report || request->trials || request->style != SINEW_WALK_NATURAL
        || request->input != NULL || request->seconds >= 0.0 || request->drive.jump_count > 0
        || strcmp(request->terrain, "flat") != 0) {
        return cli_usage_error(&cli_command_walk,
            "--loop goes with one steady walk of the style natural on level ground, without "
            "--seconds, --input, --jump and --terrain");
    }
    return CLI_DONE;
}

/// A jump after the end is none, and nobody would see it.
static int check_jumps(const cli_WalkRequest *request)
{
    for (int i = 0; request->steps == 0 && i < request->drive.jump_count; ++i) {
        if (request->drive.jumps[i] < request->seconds) { continue; }
        return cli_usage_error(&cli_command_walk,
            "--jump: found %g, expected a time within the walk's %g s", request->drive.jumps[i],
            request->seconds);
    }
    return CLI_DONE;
}

static int run(int argc, char **argv)
{
    cli_WalkRequest request;
    cli_Parser parser;
    const char *value = NULL;
    memset(&request, 0, sizeof request);
    request.body = "scene:MAN18";
    request.terrain = "flat";
    request.speed = (double)INFINITY;
    request.seconds = -1.0;
    request.fps = 60.0;
    request.manner.lively = -1.0;
    request.drive.height = 0.3;
    request.read = sinew_read_options_default();
    cli_parser_begin(&parser, &cli_command_walk, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.picture = parser.picture;
    int code = check_request(&request);
    if (code == CLI_DONE) { code = check_loop(&request); }
    if (code != CLI_DONE) { return code; }
    if (request.seconds < 0.0) { request.seconds = request.trials ? 0.0 : DEFAULT_SECONDS; }
    code = check_jumps(&request);
    if (code != CLI_DONE) { return code; }

    cli_Walk walk;
    memset(&walk, 0, sizeof walk);
    walk.request = &request;
    request.read.float_base = true;
    if (!cli_input_open_rigged(&walk.body, request.body, &request.read, request.limits)) {
        return CLI_FAILED;
    }
    code = request.report || request.trials ? run_report(&request, &walk.body)
                                            : cli_walk_run(&walk);
    // what is refused is told in one line
    if (code == CLI_DONE && !request.is_floating) { cli_tell_float(&walk.body, "walk"); }
    cli_walk_close(&walk);
    return code;
}

const cli_Command cli_command_walk = {
    "walk",
    "Let a character walk over any ground, without a motion clip",
    "[--rig BODY] [--terrain GROUND] [--speed M/S] [--turn RAD/S] [-o OUT] [OPTIONS]",
    "The body walks as it is steered: feet are placed on the ground, roll over heel and toes, and "
    "the\n"
    "legs are solved by inverse kinematics. Told are steps and way, how far planted points slide, "
    "how\n"
    "deep soles go into the ground, how clear swings are of it, goals that were missed by more "
    "than\n"
    "1 mm, the fastest joint and the time of a frame. --jacobian half|full|hybrid solves the legs "
    "as\n"
    "the paper did (pinv); without it closed forms do where they can. Bodies that stand on four "
    "to\n"
    "eight tips go on these, dogs at a walk, trot or gallop by speed. Robots (URDF) walk on a base "
    "that\n"
    "floats. A body whose joints do not let it walk is refused, and told which. Frames may have "
    "any\n"
    "rate: the footfalls are the same. A motion is written with the up of the body's file: where "
    "that is\n"
    "not +Y, forward is where the body of that file looks (sinew info: up, left, ahead).\n",
    "  sinew walk -o walk.bvh --picture walk.png\n"
    "  sinew walk --terrain stairs:0.17,0.29 --speed 1 --seconds 20 -o stairs.bvh\n"
    "  sinew walk --terrain hills:3 --seconds 12 -o hills.mp4\n"
    "  sinew walk --terrain hills:7 --speed 1.2 --turn 0.2 --json\n"
    "  sinew walk --rig character.bvh --input stick.csv -o out.bvh\n"
    "  sinew walk --rig scene:SPIDER --terrain hills:1 -o spider.bvh --picture spider.png\n"
    "  sinew walk --rig robot.urdf --float --picture robot.png\n"
    "  sinew walk --style paper --jacobian half --steps 100\n"
    "  sinew walk --speed 3.5 --jump 4 --picture run.png\n"
    "  sinew walk --response game --root heeding --terrain stairs\n"
    "  sinew walk --look 3,1.5,4 --carry 1 --crouch 0.5 --picture low.png\n"
    "  sinew walk --rig me.bvh --layer wave.bvh --mask RightArm -o wave_on.bvh\n"
    "  sinew walk --rig me.glb --loop --in-place --fps 30 -o walk_cycle.glb\n"
    "  sinew walk --set response.braking=9 --set limits.drop=0.2\n"
    "  sinew walk --lively 1.6 --manner old=0.7 --seed 4 -o old.bvh\n"
    "  sinew walk --report --only natural+stairs\n"
    "  sinew walk --trials --only walkable+keys\n",
    { own_options, cli_solver_options, cli_input_options, cli_motion_options, cli_picture_options,
        cli_common_options },
    0,
    0,
    run,
    false,
    NULL,
};
