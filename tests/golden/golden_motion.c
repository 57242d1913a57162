// Chapters of motion: tracking, clips, switches, keys, contacts, other bodies, grounds.

#include "golden.h"

#include "soak/soak.h"

#include "sinew/clean.h"
#include "sinew/grounder.h"
#include "sinew/keys.h"
#include "sinew/rig.h"
#include "sinew/terrain.h"
#include "sinew/track.h"

#include <stdlib.h>

static double q[GOLDEN_MAX_NUMBERS], other[GOLDEN_MAX_NUMBERS];
static sinew_Goal goals[SCENE_MAX_EFFECTORS];

static void follow(uint64_t *hash, const char *name, const sinew_Skeleton *body,
    const sinew_TrackerDef *like, int kind)
{
    scene_Scene *scene = golden_scene(name);
    sinew_TrackerDef def = *like;
    def.skeleton = body != NULL ? body : scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    sinew_Tracker *tracker = NULL;
    golden_ok(sinew_tracker_create(&def, &tracker, NULL));
    scene_Random random = scene_random((uint64_t)kind);
    static sinew_Transform world[GOLDEN_MAX_JOINTS];
    for (int frame = 0; frame < 90; ++frame) {
        scene_pose_at(scene, frame * def.frame_time * (kind == 2 ? 4.0 : 1.0), q);
        int count = golden_goals(scene, q, goals);
        sinew_pose_forward(scene->skeleton, q, world);
        for (int g = 0; g < count; ++g) {
            if (kind == 1) {
                goals[g].kind = SINEW_GOAL_POSE;
                goals[g].orientation = world[goals[g].joint].rotation;
            }
            // out of reach, to and fro; and a leap
            if (kind == 3) {
                goals[g].position = sinew_vec3_scale(goals[g].position, 1.0 + 0.01 * (frame % 40));
            }
            if (kind == 4 && frame % 30 == 29) {
                goals[g].position = sinew_vec3_add(goals[g].position, golden_point(&random, 0.5));
            }
        }
        if (kind == 5 && frame > 45) { count = (count + 1) / 2; }
        sinew_Report report;
        golden_ok(sinew_tracker_update(tracker, goals, count, q, &report, NULL));
        sinew_TrackerState state = sinew_tracker_state(tracker);
        golden_numbers(hash, q, sinew_skeleton_coordinate_count(def.skeleton));
        golden_report(hash, &report);
        golden_int(hash,
            state.posed_anew + 2 * state.bounded + 4 * state.lost + 8 * state.seeking
                + 16 * state.joining);
        golden_number(hash, state.way_left);
        golden_number(hash, sinew_tracker_goal_results(tracker)[0].position_error);
    }
    sinew_tracker_destroy(tracker);
    scene_destroy(scene);
}

uint64_t golden_tracking(void)
{
    static const char *const names[] = { "MAN18", "HAND", "BODY11", "SPIDER", "ARM", "LIMITARM",
        "CHAIN10", "QUADRUPED" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 8; ++s) {
        for (int kind = 0; kind < 6; ++kind) {
            if ((s + kind) % 2 == 1 && s > 1) { continue; }
            sinew_TrackerDef def = sinew_tracker_def_default();
            def.frame_time = kind == 0 ? 1.0 / 120.0 : 1.0 / 60.0;
            def.always_cold = kind == 5 && s > 3;
            def.options.soft_reach = kind == 3 ? 0.02 : 0.0;
            if (kind == 4) { def.max_turn_rate = s % 3 == 0 ? 6.0 : INFINITY; }
            follow(&hash, names[s], NULL, &def, kind);
        }
    }
    return hash;
}

// a body with human limits follows one without
uint64_t golden_tracking_limits(void)
{
    static const char *const names[] = { "MAN18", "BODY11" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 2; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        sinew_RoleGuess *roles = NULL;
        sinew_Rig *rig = NULL;
        sinew_Skeleton *body = NULL;
        golden_ok(sinew_roles_guess(scene->skeleton, NULL, NULL, &roles, NULL));
        sinew_RigOptions options = sinew_rig_options_default();
        options.margin = 0.0;
        golden_ok(sinew_rig_guess(scene->skeleton, roles, &options, NULL, &rig, NULL));
        golden_ok(sinew_rig_apply(scene->skeleton, rig, NULL, &body, NULL));
        sinew_TrackerDef def = sinew_tracker_def_default();
        for (int kind = 0; kind < 5; ++kind) { follow(&hash, names[s], body, &def, kind); }
        sinew_skeleton_destroy(body);
        sinew_rig_destroy(rig);
        sinew_roles_destroy(roles);
        scene_destroy(scene);
    }
    return hash;
}

// arms whose branches end beside the way of their goal
uint64_t golden_tracking_arms(void)
{
    uint64_t hash = GOLDEN_START;
    for (int k = 0; k < 2 * golden_arm_count(); ++k) {
        scene_Random random = scene_random(1900 + (uint64_t)k);
        sinew_Skeleton *arm = golden_arm(&random, k % golden_arm_count());
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = arm;
        def.max_goals = 1;
        sinew_Tracker *tracker = NULL;
        golden_ok(sinew_tracker_create(&def, &tracker, NULL));
        int tip = sinew_skeleton_joint_count(arm) - 1;
        static sinew_Transform world[GOLDEN_MAX_JOINTS];
        static double from[16], to[16];
        golden_arm_pose(&random, arm, from);
        golden_arm_pose(&random, arm, to);
        for (int frame = 0; frame < 200; ++frame) {
            if (frame % 100 == 99) {
                memcpy(from, to, sizeof from);
                golden_arm_pose(&random, arm, to);
            }
            // straight, which no branch may lead along
            static sinew_Transform there[GOLDEN_MAX_JOINTS];
            double share = (frame % 100) / 100.0;
            sinew_pose_forward(arm, from, world);
            sinew_pose_forward(arm, to, there);
            sinew_Goal goal = sinew_goal_pose(tip,
                sinew_vec3_lerp(world[tip].position, there[tip].position, share),
                sinew_quat_slerp(world[tip].rotation, there[tip].rotation, share));
            if (k % 3 == 2 || tip == 3) { goal.kind = SINEW_GOAL_POSITION; }
            sinew_Report report;
            golden_ok(sinew_tracker_update(tracker, &goal, 1, q, &report, NULL));
            sinew_TrackerState state = sinew_tracker_state(tracker);
            golden_numbers(&hash, q, tip);
            golden_report(&hash, &report);
            golden_int(&hash, state.lost + 2 * state.seeking + 4 * state.joining);
            golden_number(&hash, state.way_left);
        }
        sinew_tracker_destroy(tracker);
        sinew_skeleton_destroy(arm);
    }
    return hash;
}

uint64_t golden_clips(void)
{
    static const char *const names[] = { "MAN18", "HAND", "LIMITARM" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
        sinew_Clip *clip = NULL, *again = NULL;
        golden_ok(scene_motion(scene, 1.0 / 30.0, 31, &clip));
        golden_clip(&hash, clip);
        for (int i = 0; i < 60; ++i) {
            sinew_clip_sample(clip, -0.1 + 0.021 * i, q);
            golden_numbers(&hash, q, numbers);
        }
        static const double times[] = { 1.0 / 120.0, 0.05, 1.0 / 30.0, 0.7, 3.0 };
        for (int t = 0; t < 5; ++t) {
            golden_ok(sinew_clip_resample(clip, times[t], NULL, &again));
            golden_int(&hash, sinew_clip_frame_count(again));
            golden_clip(&hash, again);
            sinew_clip_destroy(again);
        }
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
    return hash;
}

static int find_limbs(
    const scene_Scene *scene, sinew_RoleGuess **out_roles, sinew_SwitchLimb *limbs)
{
    golden_ok(sinew_roles_guess(scene->skeleton, NULL, NULL, out_roles, NULL));
    return sinew_switch_find_limbs(scene->skeleton, *out_roles, limbs, SINEW_MAX_SWITCH_LIMBS);
}

// limbs that go from FK to IK and back while joints, handles, poles and rolls are dragged
// in and out of IK, blends, resets, joints turned and handles moved at random
static void play_switch(
    uint64_t *hash, const scene_Scene *scene, int count, sinew_Switch *sw, scene_Random *random)
{
    static sinew_Control controls[256];
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    for (int frame = 0; frame < 900; ++frame) {
        sinew_Message message = { "" };
        int limb = scene_random_index(random, count);
        scene_pose_at(scene, frame / 60.0, q);
        golden_status(hash, sinew_switch_set_pose(sw, q, &message), &message);
        if (soak_chance(random, 0.15)) {
            golden_status(hash,
                sinew_switch_enable_ik(sw, limb, soak_chance(random, 0.6), &message), &message);
        }
        if (soak_chance(random, 0.05)) {
            golden_status(hash,
                sinew_switch_set_blend(sw, limb, scene_random_unit(random), &message), &message);
        }
        if (soak_chance(random, 0.02)) {
            golden_status(hash, sinew_switch_reset(sw, q, &message), &message);
        }
        if (soak_chance(random, 0.1)) {
            int joint = scene_random_index(random, sinew_skeleton_joint_count(scene->skeleton));
            golden_status(hash,
                sinew_switch_set_joint(sw, joint, q + joints[joint].coordinate_start, &message),
                &message);
        }
        sinew_Handle handle;
        golden_status(hash, sinew_switch_handle(sw, limb, &handle, &message), &message);
        if (soak_chance(random, 0.6)) {
            handle.place.position = sinew_vec3_add(
                handle.place.position, golden_point(random, 0.05));
            handle.pole = sinew_vec3_add(handle.pole, golden_point(random, 0.1));
            handle.foot_roll += golden_range(random, -0.2, 0.2);
            handle.place.rotation = sinew_quat_mul(handle.place.rotation,
                sinew_quat_from_axis_angle(scene_random_direction(random), 0.05));
            golden_status(hash, sinew_switch_set_handle(sw, limb, &handle, &message), &message);
        }
        sinew_Report report;
        golden_status(hash, sinew_switch_update(sw, 1.0 / 60.0, &report, &message), &message);
        golden_numbers(
            hash, sinew_switch_pose(sw), sinew_skeleton_coordinate_count(scene->skeleton));
        golden_report(hash, &report);
        golden_number(hash, sinew_switch_blend(sw, limb));
        if (frame % 20 != 0) { continue; }
        int shown = sinew_switch_controls(sw, controls, 256);
        for (int c = 0; c < shown && c < 256; ++c) {
            golden_text(hash, sinew_control_kind_name(controls[c].kind));
            golden_int(hash, controls[c].joint + 1000 * (controls[c].axis + 1));
            golden_vec3(hash, controls[c].center);
            golden_vec3(hash, controls[c].normal);
            golden_number(hash, controls[c].radius);
        }
    }
}

// onto the limb of another body
static void match_limbs(uint64_t *hash, const scene_Scene *scene, const sinew_SwitchLimb *limbs,
    int count, scene_Random *random)
{
    sinew_Solver *solver = golden_solver(scene->skeleton, 1);
    for (int i = 0; i < 100; ++i) {
        sinew_Message message = { "" };
        sinew_MatchReport match;
        scene_random_pose(scene, random, q);
        scene_random_pose(scene, random, other);
        memset(&match, 0, sizeof match);
        int from = scene_random_index(random, count), to = scene_random_index(random, count);
        golden_status(hash,
            sinew_limb_match(
                scene->skeleton, &limbs[from], q, solver, &limbs[to], other, &match, &message),
            &message);
        golden_numbers(hash, other, sinew_skeleton_coordinate_count(scene->skeleton));
        golden_int(hash, match.copied + 10 * match.iterations);
        golden_number(hash, match.position_error);
    }
    sinew_solver_destroy(solver);
}

uint64_t golden_switches(void)
{
    static const char *const names[] = { "MAN18", "QUADRUPED", "BODY11" };
    static sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        sinew_RoleGuess *roles = NULL;
        int count = find_limbs(scene, &roles, limbs);
        scene_Random random = scene_random(80 + (uint64_t)s);
        golden_int(&hash, count);
        if (count == 0) { continue; }
        sinew_SwitchDef def = sinew_switch_def_default();
        def.skeleton = scene->skeleton;
        def.limbs = limbs;
        def.limb_count = count;
        sinew_Switch *sw = NULL;
        golden_ok(sinew_switch_create(&def, &sw, NULL));
        play_switch(&hash, scene, count, sw, &random);
        match_limbs(&hash, scene, limbs, count, &random);
        sinew_switch_destroy(sw);
        sinew_roles_destroy(roles);
        scene_destroy(scene);
    }
    return hash;
}

static void add_keys(uint64_t *hash, const sinew_Keys *keys, const sinew_KeysFigures *figures)
{
    for (int c = 0; c < sinew_keys_channel_count(keys); ++c) {
        sinew_Channel channel = sinew_keys_channel(keys, c);
        golden_int(
            hash, (int)channel.kind + 10 * channel.index + 10000 * (int)channel.interpolation);
        golden_numbers(hash, channel.times, channel.key_count);
        golden_numbers(hash, channel.values, channel.key_count * channel.width);
        if (channel.slopes != NULL) {
            golden_numbers(hash, channel.slopes, 2 * channel.key_count * channel.width);
        }
    }
    golden_int(hash, figures->keys);
    golden_number(hash, figures->frames_per_key);
    golden_number(hash, figures->distance);
    golden_number(hash, figures->angle);
}

uint64_t golden_keys(void)
{
    static sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    static const char *const names[] = { "MAN18", "QUADRUPED" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 2; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
        sinew_RoleGuess *roles = NULL;
        int count = find_limbs(scene, &roles, limbs);
        sinew_Clip *clip = NULL;
        sinew_Keys *keys = NULL;
        sinew_Switch *sw = NULL;
        sinew_SwitchDef def = sinew_switch_def_default();
        def.skeleton = scene->skeleton;
        def.limbs = limbs;
        def.limb_count = count;
        golden_ok(scene_motion(scene, 1.0 / 60.0, 61, &clip));
        golden_ok(sinew_switch_create(&def, &sw, NULL));
        for (int kind = 0; kind < 3; ++kind) {
            sinew_KeysTolerance tolerance = sinew_keys_tolerance_default();
            tolerance.distance *= kind == 1 ? 4.0 : 1.0;
            tolerance.angle *= kind == 2 ? 0.2 : 1.0;
            sinew_KeysFigures figures;
            memset(&figures, 0, sizeof figures);
            golden_ok(sinew_keys_create(scene->skeleton, limbs, count, NULL, &keys, NULL));
            golden_ok(sinew_keys_from_clip(keys, clip, &tolerance, &figures, NULL));
            add_keys(&hash, keys, &figures);
            golden_ok(
                sinew_keys_to_ik(keys, count - 1, 0.2, 0.8, 60.0, &tolerance, &figures, NULL));
            add_keys(&hash, keys, &figures);
            for (int i = 0; i < 30; ++i) {
                sinew_keys_sample(keys, -0.1 + 0.041 * i, q);
                golden_numbers(&hash, q, numbers);
                golden_ok(sinew_keys_apply(keys, 0.03 * i, sw, 0.03, NULL));
                golden_numbers(&hash, sinew_switch_pose(sw), numbers);
            }
            golden_ok(
                sinew_keys_to_fk(keys, count - 1, 0.3, 0.6, 60.0, &tolerance, &figures, NULL));
            add_keys(&hash, keys, &figures);
            sinew_keys_destroy(keys);
        }
        sinew_switch_destroy(sw);
        sinew_clip_destroy(clip);
        sinew_roles_destroy(roles);
        scene_destroy(scene);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Persons

// MAN18 with longer limbs, other names, human limits
typedef struct Person {
    sinew_Skeleton *skeleton;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
} Person;

static Person make_person(const scene_Scene *scene, double stretch, bool limits)
{
    static sinew_JointDef defs[GOLDEN_MAX_JOINTS];
    Person person = { NULL, NULL, NULL };
    int count = sinew_skeleton_joint_count(scene->skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        bool limb = strstr(joints[j].name, "Leg") != NULL || strstr(joints[j].name, "Arm") != NULL;
        defs[j].offset = sinew_vec3_scale(joints[j].offset, limb ? stretch : 1.0);
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = axes + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
    }
    golden_ok(sinew_skeleton_create(defs, count, NULL, &person.skeleton, NULL));
    golden_ok(sinew_roles_guess(person.skeleton, NULL, NULL, &person.roles, NULL));
    if (limits) {
        sinew_Rig *rig = NULL;
        sinew_Skeleton *limited = NULL;
        golden_ok(sinew_rig_guess(person.skeleton, person.roles, NULL, NULL, &rig, NULL));
        golden_ok(sinew_rig_apply(person.skeleton, rig, NULL, &limited, NULL));
        sinew_rig_destroy(rig);
        sinew_skeleton_destroy(person.skeleton);
        person.skeleton = limited;
    }
    golden_ok(sinew_stance_guess(person.skeleton, person.roles, NULL, NULL, &person.stance, NULL));
    return person;
}

static void end_person(Person *person)
{
    sinew_stance_destroy(person->stance);
    sinew_roles_destroy(person->roles);
    sinew_skeleton_destroy(person->skeleton);
}

static sinew_RetargetBody body_of(const Person *person)
{
    return (sinew_RetargetBody){ person->skeleton, person->roles, person->stance };
}

static int only_child(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int child = -1;
    for (int j = joint + 1; j < joint + joints[joint].subtree_count; ++j) {
        if (joints[j].parent != joint) { continue; }
        if (child >= 0) { return -1; }
        child = j;
    }
    return child;
}

typedef struct Draft {
    sinew_JointDef defs[GOLDEN_MAX_JOINTS];
    char names[GOLDEN_MAX_JOINTS][32];
    int count;
} Draft;

static int draft_joint(
    Draft *draft, const char *name, const char *tail, int parent, sinew_Vec3 offset)
{
    int j = draft->count++;
    if (j >= GOLDEN_MAX_JOINTS) { abort(); }
    (void)strncpy(draft->names[j], name, sizeof draft->names[j] - 1);
    (void)strncat(draft->names[j], tail, sizeof draft->names[j] - strlen(draft->names[j]) - 1);
    draft->defs[j] = sinew_joint_def_default();
    draft->defs[j].name = draft->names[j];
    draft->defs[j].parent = parent;
    draft->defs[j].offset = offset;
    return j;
}

// three fingers of a hand along the forearm; a thumb
static void draft_fingers(Draft *draft, const char *hand, int joint, sinew_Vec3 along)
{
    static const char *const fingers[3] = { "Thumb", "Index", "Middle" };
    static const char *const numbers[3] = { "1", "2", "3" };
    for (int f = 0; f < 3; ++f) {
        int parent = joint;
        for (int k = 0; k < 3; ++k) {
            char tail[16] = "";
            (void)strncat(tail, fingers[f], sizeof tail - 1);
            (void)strncat(tail, numbers[k], sizeof tail - strlen(tail) - 1);
            sinew_Vec3 offset = sinew_vec3_scale(along, k == 0 ? 0.08 - 0.05 * (f == 0) : 0.025);
            offset.z += k == 0 ? 0.03 - 0.025 * f : 0.0;
            parent = draft_joint(draft, hand, tail, parent, offset);
        }
    }
}

sinew_Skeleton *golden_ball_person(double stretch, bool limits, golden_PersonKind kind)
{
    static Draft draft;
    static int places[GOLDEN_MAX_JOINTS];
    memset(&draft, 0, sizeof draft);
    scene_Scene *scene = golden_scene("MAN18");
    const sinew_Skeleton *like = scene->skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(like);
    sinew_Axis ball = sinew_axis_ball(),
               root[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
                   sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)),
                   sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)), ball };
    for (int j = 0; j < sinew_skeleton_joint_count(like); ++j) {
        const char *name = joints[j].name;
        bool limb = strstr(name, "Leg") != NULL || strstr(name, "Arm") != NULL;
        sinew_Vec3 offset = sinew_vec3_scale(joints[j].offset, limb ? stretch : 1.0);
        if (kind == GOLDEN_STICK && joints[j].parent >= 0
            && only_child(like, joints[j].parent) == j) {
            offset = sinew_vec3(0.0, sinew_vec3_length(offset), 0.0);
        }
        int parent = joints[j].parent < 0 ? -1 : places[joints[j].parent];
        places[j] = draft_joint(&draft, name, "", parent, offset);
        if (kind != GOLDEN_FINE || joints[j].subtree_count > 1) { continue; }
        if (strstr(name, "Foot") != NULL) {
            int toe = draft_joint(&draft,
                strstr(name, "Left") != NULL ? "LeftToeBase" : "RightToeBase", "", places[j],
                sinew_vec3(0.0, -0.05, 0.13));
            (void)draft_joint(&draft, draft.names[toe], "End", toe, sinew_vec3(0.0, 0.0, 0.07));
        }
        if (strstr(name, "Hand") != NULL) {
            draft_fingers(&draft, name, places[j],
                sinew_vec3_normalize_or(joints[j].offset, sinew_vec3(1.0, 0.0, 0.0)));
        }
    }
    for (int j = 0; j < draft.count; ++j) {
        draft.defs[j].axes = j == 0 ? root : &ball;
        draft.defs[j].axis_count = j == 0 ? 4 : 1;
    }
    sinew_Skeleton *person = NULL;
    golden_ok(sinew_skeleton_create(draft.defs, draft.count, NULL, &person, NULL));
    scene_destroy(scene);
    if (!limits) { return person; }
    sinew_RoleGuess *roles = NULL;
    sinew_Rig *rig = NULL;
    sinew_Skeleton *limited = NULL;
    golden_ok(sinew_roles_guess(person, NULL, NULL, &roles, NULL));
    golden_ok(sinew_rig_guess(person, roles, NULL, NULL, &rig, NULL));
    golden_ok(sinew_rig_apply(person, rig, NULL, &limited, NULL));
    sinew_rig_destroy(rig);
    sinew_roles_destroy(roles);
    sinew_skeleton_destroy(person);
    return limited;
}

// the motion of MAN18 on a body of balls: its bones point where MAN18's do
static sinew_Clip *motion_of(const sinew_Skeleton *person, int frames, double frame_time)
{
    static sinew_Transform from[GOLDEN_MAX_JOINTS], to[GOLDEN_MAX_JOINTS];
    scene_Scene *scene = golden_scene("MAN18");
    const sinew_Joint *joints = sinew_skeleton_joints(person);
    sinew_Clip *clip = NULL;
    golden_ok(sinew_clip_create(person, frames, frame_time, NULL, &clip));
    for (int f = 0; f < frames; ++f) {
        scene_pose_at(scene, f * frame_time, q);
        sinew_pose_forward(scene->skeleton, q, from);
        for (int j = 0; j < sinew_skeleton_joint_count(person); ++j) {
            int same = sinew_skeleton_find_joint(scene->skeleton, joints[j].name);
            if (same < 0) {
                // toes and fingers go along, and move a little
                sinew_Quat bend = sinew_quat_from_axis_angle(
                    sinew_vec3(1.0, 0.0, 0.0), 0.1 * (f % 7) - 0.2);
                to[j] = to[joints[j].parent];
                to[j].rotation = sinew_quat_mul(to[j].rotation, bend);
                continue;
            }
            to[j] = from[same];
            int child = only_child(scene->skeleton, same);
            if (child < 0) { continue; }
            int below = sinew_skeleton_find_joint(
                person, sinew_skeleton_joints(scene->skeleton)[child].name);
            sinew_Vec3 bone = sinew_quat_rotate(from[same].rotation, joints[below].offset);
            sinew_Vec3 wanted = sinew_vec3_sub(from[child].position, from[same].position);
            bone = sinew_vec3_normalize_or(bone, sinew_vec3(0.0, 1.0, 0.0));
            to[j].rotation = sinew_quat_mul(
                sinew_quat_between(bone, sinew_vec3_normalize_or(wanted, bone)),
                from[same].rotation);
        }
        golden_ok(sinew_pose_from_world(person, to, f > 0 ? sinew_clip_frame(clip, f - 1) : NULL,
            sinew_clip_frame(clip, f), to, NULL, NULL));
    }
    scene_destroy(scene);
    return clip;
}

static Person fine_person(double stretch)
{
    Person person = { golden_ball_person(stretch, true, GOLDEN_FINE), NULL, NULL };
    golden_ok(sinew_roles_guess(person.skeleton, NULL, NULL, &person.roles, NULL));
    golden_ok(sinew_stance_guess(person.skeleton, person.roles, NULL, NULL, &person.stance, NULL));
    return person;
}

// onto MAN18 with or without limits, with one strong trait
static void retarget_person(
    uint64_t *hash, sinew_RetargetBody source, const sinew_Clip *clip, int kind)
{
    scene_Scene *scene = golden_scene("MAN18");
    Person target = kind % 2 == 1 ? make_person(scene, 0.9, true) : fine_person(0.9);
    for (int trait = 0; trait < SINEW_TRAIT_COUNT; trait += 2) {
        sinew_Individual individual = { { 0.0 } };
        individual.strength[(trait + kind) % SINEW_TRAIT_COUNT] = 1.0;
        sinew_RetargeterDef def = sinew_retargeter_def_default();
        def.source = source;
        def.target = body_of(&target);
        def.individual = &individual;
        sinew_Retargeter *retargeter = NULL;
        sinew_Clip *result = NULL;
        golden_ok(sinew_retargeter_create(&def, &retargeter, NULL));
        golden_ok(sinew_retargeter_clip(retargeter, clip, &result, NULL, NULL));
        golden_clip(hash, result);
        sinew_clip_destroy(result);
        sinew_retargeter_destroy(retargeter);
    }
    end_person(&target);
    scene_destroy(scene);
}

// bodies of balls seen in motion: roles, stance, guessed and fitted limits, following inside them, other bodies
uint64_t golden_people(void)
{
    uint64_t hash = GOLDEN_START;
    for (int kind = 0; kind < 6; ++kind) {
        sinew_Skeleton *person = golden_ball_person(
                           1.0 + 0.05 * kind, false, (golden_PersonKind)(kind % 3)),
                       *limited = NULL;
        int numbers = sinew_skeleton_coordinate_count(person);
        sinew_Clip *clip = motion_of(person, 90, 1.0 / 30.0);
        golden_clip(&hash, clip);
        sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
        sinew_RoleOptions options = sinew_role_options_default();
        options.motion = &motion;
        options.ignore_names = kind > 3;
        sinew_RoleGuess *roles = NULL;
        sinew_Stance *stance = NULL;
        sinew_Rig *rig = NULL;
        golden_ok(sinew_roles_guess(person, &options, NULL, &roles, NULL));
        golden_ok(sinew_stance_guess(person, roles, &motion, NULL, &stance, NULL));
        golden_roles_add(&hash, roles);
        golden_stance_add(&hash, stance);
        sinew_RigOptions rig_options = sinew_rig_options_default();
        rig_options.motion = &motion;
        rig_options.hinges = kind == 2;
        golden_ok(sinew_rig_guess(person, roles, &rig_options, NULL, &rig, NULL));
        golden_rig_add(&hash, rig);
        if (kind == 3) { golden_ok(sinew_rig_fit(rig, person, &motion, 1, 5.0, NULL)); }
        golden_ok(sinew_rig_apply(person, rig, NULL, &limited, NULL));
        golden_skeleton(&hash, limited);
        static sinew_Transform world[GOLDEN_MAX_JOINTS];
        sinew_TrackerDef def = sinew_tracker_def_default();
        def.skeleton = limited;
        def.max_goals = GOLDEN_MAX_JOINTS;
        def.frame_time = 1.0 / 30.0;
        sinew_Tracker *tracker = NULL;
        golden_ok(sinew_tracker_create(&def, &tracker, NULL));
        for (int f = 0; f < 90; ++f) {
            static sinew_Goal targets[GOLDEN_MAX_JOINTS];
            int count = 0;
            sinew_pose_forward(person, sinew_clip_frame_const(clip, f), world);
            for (int j = 0; j < sinew_skeleton_joint_count(person); ++j) {
                if (kind == 0 || kind == 3 || only_child(person, j) < 0) {
                    targets[count] = sinew_goal_position(j, world[j].position);
                    if (kind == 1) {
                        targets[count] = sinew_goal_pose(j, world[j].position, world[j].rotation);
                    }
                    if (kind == 4) {
                        targets[count].position = sinew_vec3_scale(targets[count].position, 1.04);
                    }
                    ++count;
                }
            }
            golden_ok(sinew_tracker_update(tracker, targets, count, q, NULL, NULL));
            sinew_TrackerState state = sinew_tracker_state(tracker);
            golden_numbers(&hash, q, sinew_skeleton_coordinate_count(limited));
            golden_int(&hash, state.lost + 2 * state.seeking + 4 * state.joining);
        }
        sinew_tracker_destroy(tracker);
        retarget_person(&hash, (sinew_RetargetBody){ person, roles, stance }, clip, kind);
        golden_int(&hash, numbers);
        sinew_skeleton_destroy(limited);
        sinew_rig_destroy(rig);
        sinew_stance_destroy(stance);
        sinew_roles_destroy(roles);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(person);
    }
    return hash;
}

uint64_t golden_contacts(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    Person person = make_person(scene, 1.0, false);
    sinew_Clip *clip = NULL;
    golden_ok(scene_motion(scene, 1.0 / 60.0, 180, &clip));
    static sinew_ContactPoint points[16];
    int count = sinew_contact_points(person.skeleton, person.roles, person.stance, points, 16);
    scene_Random random = scene_random(13);
    for (int kind = 0; kind < 24; ++kind) {
        sinew_ContactMark mark = { 1, 20, 50 };
        if (kind > 3) { mark.point = scene_random_index(&random, count); }
        if (kind > 3) { mark.last = mark.first + scene_random_index(&random, 60); }
        sinew_ContactDef def = sinew_contact_def_default();
        def.skeleton = person.skeleton;
        def.motion = (sinew_PoseList){ sinew_clip_frame_const(clip, 0),
            sinew_clip_frame_count(clip) };
        def.frame_time = 1.0 / 60.0;
        def.leg = 0.9;
        def.points = points;
        def.point_count = count;
        def.marks = kind % 4 == 1 ? &mark : NULL;
        def.mark_count = kind % 4 == 1;
        def.settings.begin_speed *= kind % 4 == 2 ? 3.0 : 1.0;
        def.settings.end_speed *= kind % 4 == 2 ? 3.0 : 1.0;
        def.settings.half_window = kind % 4 == 3 ? 0.06 : def.settings.half_window;
        // slower and faster, and parts of it
        if (kind > 3) {
            double pace = golden_range(&random, 0.3, 3.0);
            def.frame_time *= pace;
            def.settings.end_height *= golden_range(&random, 0.5, 2.0);
            def.settings.begin_speed *= golden_range(&random, 0.5, 3.0);
            def.settings.end_speed = def.settings.begin_speed * golden_range(&random, 1.0, 2.0);
        }
        sinew_Contacts *found = NULL;
        golden_ok(sinew_contacts_find(&def, &found, NULL));
        golden_number(&hash, found->floor);
        golden_numbers(&hash, found->floors, found->point_count);
        for (int i = 0; i < found->point_count * found->frame_count; ++i) {
            golden_int(&hash, found->touching[i]);
        }
        for (int c = 0; c < found->contact_count; ++c) {
            const sinew_Contact *contact = &found->contacts[c];
            golden_int(&hash, contact->point + 100 * contact->first + 100000 * contact->last);
            golden_vec3(&hash, contact->place);
            golden_number(&hash, contact->height);
            golden_number(&hash, contact->slide);
        }
        sinew_contacts_destroy(found);
    }
    sinew_clip_destroy(clip);
    end_person(&person);
    scene_destroy(scene);
    return hash;
}

static void add_retarget_report(uint64_t *hash, const sinew_RetargetReport *r)
{
    const double numbers[] = { r->source_floor, r->hips_lowered_max, r->hips_lowered_mean,
        r->short_max, r->fit.rotation, r->fit.position, r->held_error_max, r->limit_violation };
    const int counts[] = { r->frame_count, r->prints[0], r->prints[1], r->hand_contacts,
        r->short_frames, r->solved_frames };
    golden_numbers(hash, numbers, 8);
    for (int i = 0; i < 6; ++i) { golden_int(hash, counts[i]); }
}

// clips on longer, shorter and limited bodies, for somebody in particular, live, and repaired
// whole clips and streams, onto shorter and longer bodies and for individuals
static void retarget_as(
    uint64_t *hash, const scene_Scene *scene, const Person *source, const sinew_Clip *own, int kind)
{
    static const double stretches[] = { 1.0, 0.8, 1.2, 1.1 };
    Person target = make_person(scene, stretches[kind % 4], kind % 3 == 0);
    sinew_Individual individual = { { 0.0 } };
    individual.strength[kind % SINEW_TRAIT_COUNT] = 0.7;
    individual.strength[(3 * kind + 2) % SINEW_TRAIT_COUNT] = 1.0;
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = body_of(source);
    def.target = body_of(&target);
    def.hold_feet = kind != 5;
    def.hold_hands = kind != 6;
    def.individual = kind >= 4 ? &individual : NULL;
    def.frame_time = 1.0 / 60.0;
    def.look_ahead = kind % 2 == 0 ? 0.1 : 0.0;
    def.reach = kind == 7 ? 0.9 : 0.98;
    sinew_Retargeter *retargeter = NULL;
    sinew_RetargetReport report;
    sinew_Clip *result = NULL;
    golden_ok(sinew_retargeter_create(&def, &retargeter, NULL));
    golden_ok(sinew_retargeter_clip(retargeter, own, &result, &report, NULL));
    golden_clip(hash, result);
    add_retarget_report(hash, &report);
    sinew_clip_destroy(result);
    for (int j = 0; j < sinew_skeleton_joint_count(target.skeleton); ++j) {
        sinew_RetargetMatch match = sinew_retargeter_match(retargeter, j);
        golden_int(hash, match.from + 100 * match.to);
        golden_number(hash, match.share);
    }
    golden_number(hash, sinew_retargeter_scale(retargeter));
    golden_ok(sinew_retargeter_reset(retargeter, kind % 2 == 0 ? NAN : 0.0, NULL));
    for (int f = 0; f < 80; ++f) {
        long sample = 0;
        golden_ok(
            sinew_retargeter_push(retargeter, sinew_clip_frame_const(own, f), q, &sample, NULL));
        golden_numbers(hash, q, sinew_skeleton_coordinate_count(target.skeleton));
        golden_int(hash, sample);
    }
    sinew_retargeter_destroy(retargeter);
    end_person(&target);
}

// a motion with trembling and spikes
static void clean_as(uint64_t *hash, const Person *source, const sinew_Clip *clip, sinew_Clip *own,
    int kind, scene_Random *random)
{
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(source->skeleton);
    for (int f = 0; f < 150; ++f) {
        double *frame = sinew_clip_frame(own, f);
        memcpy(frame, sinew_clip_frame_const(clip, f), numbers * sizeof(double));
        for (size_t n = 6; n < numbers; ++n) {
            frame[n] += golden_range(random, -0.01, 0.01)
                + (soak_chance(random, 0.002) ? 0.8 : 0.0);
        }
        sinew_pose_apply_limits(source->skeleton, frame);
    }
    sinew_CleanDef def = sinew_clean_def_default();
    def.body = body_of(source);
    def.remove_jitter = kind != 1;
    def.remove_spikes = kind != 2;
    sinew_CleanReport report;
    sinew_Clip *result = NULL;
    golden_ok(sinew_clean_clip(&def, own, &result, &report, NULL));
    golden_clip(hash, result);
    golden_int(hash, report.spikes);
    golden_number(hash, report.smoothed_max);
    add_retarget_report(hash, &report.feet);
    sinew_clip_destroy(result);
}

uint64_t golden_retargets(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    Person source = make_person(scene, 1.0, false);
    sinew_Clip *clip = NULL;
    golden_ok(scene_motion(scene, 1.0 / 60.0, 150, &clip));
    // the clip belongs to the person's skeleton, not to the scene's
    sinew_Clip *own = NULL;
    golden_ok(sinew_clip_create(source.skeleton, 150, 1.0 / 60.0, NULL, &own));
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(source.skeleton);
    for (int f = 0; f < 150; ++f) {
        memcpy(sinew_clip_frame(own, f), sinew_clip_frame_const(clip, f), numbers * sizeof(double));
    }
    for (int kind = 0; kind < 20; ++kind) { retarget_as(&hash, scene, &source, own, kind); }
    scene_Random random = scene_random(11);
    for (int kind = 0; kind < 6; ++kind) { clean_as(&hash, &source, clip, own, kind, &random); }
    sinew_clip_destroy(own);
    sinew_clip_destroy(clip);
    end_person(&source);
    scene_destroy(scene);
    return hash;
}

uint64_t golden_grounders(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    Person person = make_person(scene, 1.0, false);
    for (int kind = 0; kind < 6; ++kind) {
        sinew_TerrainDef ground = sinew_terrain_def_default((sinew_TerrainKind)kind);
        sinew_Terrain *terrain = NULL;
        golden_ok(sinew_terrain_create(&ground, &terrain, NULL));
        sinew_GrounderDef def = sinew_grounder_def_default();
        def.body = body_of(&person);
        def.ground = sinew_terrain_ground(terrain);
        def.look_ahead = kind % 2 == 0 ? 0.1 : 1.0;
        sinew_Grounder *grounder = NULL;
        golden_ok(sinew_grounder_create(&def, &grounder, NULL));
        golden_int(&hash, sinew_grounder_latency(grounder));
        for (int f = 0; f < 200; ++f) {
            sinew_GrounderReport report;
            scene_pose_at(scene, f / 60.0, q);
            if (f == 90) { sinew_grounder_enable(grounder, false); }
            if (f == 120) { sinew_grounder_enable(grounder, true); }
            golden_ok(sinew_grounder_update(grounder, f < 180 ? q : NULL, q, &report, NULL));
            golden_numbers(&hash, q, sinew_skeleton_coordinate_count(person.skeleton));
            golden_int(&hash, report.frame);
            golden_number(&hash, report.weight);
            golden_number(&hash, report.hips_raised);
            golden_number(&hash, report.hips_sunk);
            for (int foot = 0; foot < 2; ++foot) {
                golden_int(&hash, report.feet[foot].stands + 10 * report.samples[foot]);
                golden_number(&hash, report.feet[foot].ground);
                golden_number(&hash, report.feet[foot].lift);
                golden_number(&hash, report.feet[foot].beyond);
            }
        }
        sinew_grounder_destroy(grounder);
        sinew_terrain_destroy(terrain);
    }
    end_person(&person);
    scene_destroy(scene);
    return hash;
}

uint64_t golden_terrains(void)
{
    uint64_t hash = GOLDEN_START;
    static double heights[12 * 9];
    scene_Random random = scene_random(12);
    for (int i = 0; i < 12 * 9; ++i) { heights[i] = golden_range(&random, -0.5, 0.5); }
    for (int kind = 0; kind <= (int)SINEW_TERRAIN_GRID; ++kind) {
        for (int i = 0; i < 4; ++i) {
            sinew_TerrainDef def = sinew_terrain_def_default((sinew_TerrainKind)kind);
            def.seed = (uint64_t)i + 1;
            def.heights = heights;
            def.columns = 12;
            def.rows = 9;
            def.outside = (sinew_TerrainOutside)(i % 3);
            def.centered = i % 2 == 0;
            def.first_x = 0.3;
            if (i == 2) { def.rise = -0.12; }
            if (i == 3) { def.angle = -0.3; }
            def.toward = 0.8 * i;
            def.flight_steps = 3 + i;
            sinew_Terrain *terrain = NULL;
            golden_ok(sinew_terrain_create(&def, &terrain, NULL));
            sinew_Ground ground = sinew_terrain_ground(terrain);
            for (int k = 0; k < 300; ++k) {
                sinew_Vec3 place = golden_point(&random, k % 10 == 0 ? 300.0 : 6.0),
                           to = golden_point(&random, 6.0);
                sinew_GroundSample sample = sinew_terrain_sample(terrain, place.x, place.z);
                golden_number(&hash, sample.height);
                golden_vec3(&hash, sample.normal);
                if (k % 10 != 1) { continue; }
                sinew_GroundPeak peak = sinew_ground_highest(
                    &ground, place.x, place.z, to.x, to.z, 0.05 * (k % 3), 0.05);
                golden_number(&hash, peak.height);
                golden_number(&hash, peak.fraction);
            }
            sinew_TerrainPatch patch = sinew_terrain_patch(terrain);
            const double sides[] = { patch.low_x, patch.low_z, patch.high_x, patch.high_z };
            golden_numbers(&hash, sides, 4);
            golden_int(&hash, patch.columns + 1000 * patch.rows + 1000000 * (int)patch.outside);
            double *room = golden_room(
                3 * (size_t)patch.vertex_count + 3 * (size_t)patch.triangle_count);
            sinew_Vec3 *vertices = (sinew_Vec3 *)(void *)room;
            uint32_t *indices = (uint32_t *)(void *)(room + 3 * (size_t)patch.vertex_count);
            sinew_terrain_mesh(terrain, vertices, indices);
            for (int v = 0; v < patch.vertex_count; v += 1 + patch.vertex_count / 500) {
                golden_vec3(&hash, vertices[v]);
            }
            for (int t = 0; t < 3 * patch.triangle_count; t += 1 + patch.triangle_count / 500) {
                golden_int(&hash, indices[t]);
            }
            golden_free(room);
            sinew_terrain_destroy(terrain);
        }
    }
    return hash;
}
