// Chapter of odd bodies: those of programs with joints lost, moved, turned, and moved by axes of all kinds, and
// everything that is made of a body and a motion of it: roles, stance, rig, limbs, contacts, other bodies. Most
// decisions about bodies turn on something that usual ones do not have.

#include "golden.h"

#include "role_bodies.h"
#include "soak/soak.h"

#include "sinew/contact.h"
#include "sinew/file.h"
#include "sinew/grounder.h"
#include "sinew/individual.h"
#include "sinew/keys.h"
#include "sinew/retarget.h"
#include "sinew/rig.h"
#include "sinew/switch.h"
#include "sinew/track.h"
#include "sinew/walker.h"

#include <stdarg.h>

enum { MOST_JOINTS = 64, MOST_NUMBERS = 9 * MOST_JOINTS, FRAMES = 24, ODD_BODIES = 90 };

typedef struct Odd {
    sinew_Skeleton *skeleton;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    double frames[FRAMES * MOST_NUMBERS];
    sinew_PoseList motion;
    bool is_robot;
} Odd;

// ---------------------------------------------------------------------------------------------
// Making

static sinew_Axis any_axis(scene_Random *random, bool slide)
{
    sinew_Vec3 way = { 0.0, 0.0, 0.0 };
    double *const parts[3] = { &way.x, &way.y, &way.z };
    *parts[scene_random_index(random, 3)] = soak_chance(random, 0.3) ? -1.0 : 1.0;
    if (soak_chance(random, 0.15)) { way = scene_random_direction(random); }
    bool free = soak_chance(random, slide ? 0.6 : 0.4);
    double lower = free ? -INFINITY : golden_range(random, -2.0, 0.0),
           upper = free ? INFINITY : golden_range(random, 0.0, 2.0);
    if (!slide) { return sinew_axis_hinge(way, lower, upper); }
    sinew_Axis axis = sinew_axis_slide(way);
    axis.lower = lower;
    axis.upper = upper;
    return axis;
}

// as programs do it: balls; three hinges; six channels everywhere; the root alone slides; or anything
static int give_axes(scene_Random *random, int style, bool is_root, sinew_Axis *axes)
{
    static const sinew_Vec3 ways[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    int count = 0;
    if (style == 4) {
        if (!is_root && soak_chance(random, 0.15)) { return 0; }
        int wanted = 1 + scene_random_index(random, 3);
        if (soak_chance(random, 0.3)) { axes[count++] = any_axis(random, true); }
        if (soak_chance(random, 0.4)) {
            axes[count++] = sinew_axis_ball();
            return count;
        }
        for (int i = 0; i < wanted; ++i) { axes[count++] = any_axis(random, false); }
        return count;
    }
    bool slides = style == 2 || (is_root && style != 3);
    for (int i = 0; i < 3 && slides; ++i) { axes[count++] = sinew_axis_slide(ways[i]); }
    if (style == 0) {
        axes[count++] = sinew_axis_ball();
        return count;
    }
    int first = scene_random_index(random, 3);
    for (int i = 0; i < 3; ++i) {
        axes[count++] = sinew_axis_hinge(ways[(first + i) % 3], -INFINITY, INFINITY);
    }
    return count;
}

// a bone and what hangs on it are lost: nothing of them is visited
static void lose(Body *body, scene_Random *random)
{
    int lost = 1 + scene_random_index(random, body->count - 1);
    bool gone[MAX_BONES] = { false };
    int places[MAX_BONES], count = 0;
    for (int b = 0; b < body->count; ++b) {
        int parent = body->bones[b].parent;
        gone[b] = b == lost || (parent >= 0 && gone[parent]);
        if (gone[b]) { continue; }
        places[b] = count;
        body->bones[count] = body->bones[b];
        body->bones[count].parent = parent >= 0 ? places[parent] : -1;
        ++count;
    }
    body->count = count;
}

static void damage(Body *body, scene_Random *random, int i)
{
    if (i % 3 == 1) { lose(body, random); }
    if (i % 6 == 1) { lose(body, random); }
    sinew_Quat turn = i % 4 == 3
        ? sinew_quat_from_axis_angle(sinew_vec3(i % 8 == 3, 0.0, i % 8 == 7), 0.5 * SINEW_PI)
        : sinew_quat_identity();
    double size = i % 5 == 4 ? 0.4 : 1.0;
    for (int b = 0; b < body->count; ++b) {
        Bone *bone = &body->bones[b];
        if (soak_chance(random, 0.1)) { snprintf(bone->name, sizeof bone->name, "bone%d", b); }
        if (bone->parent >= 0 && soak_chance(random, 0.04)) {
            bone->place = body->bones[bone->parent].place;
        }
        if (soak_chance(random, 0.2)) {
            bone->place = sinew_vec3_add(bone->place, golden_point(random, 0.03));
        }
    }
    for (int b = 0; b < body->count; ++b) {
        body->bones[b].place = sinew_quat_rotate(
            turn, sinew_vec3_scale(body->bones[b].place, size));
    }
}

static sinew_Skeleton *skeleton_of(const Body *body, scene_Random *random, int style)
{
    static sinew_JointDef defs[MOST_JOINTS];
    static sinew_Axis axes[MOST_JOINTS][8];
    static Order order;
    order.count = 0;
    for (int b = 0; b < body->count; ++b) {
        if (body->bones[b].parent < 0) { visit(body, b, &order); }
    }
    TEST_TRUE(order.count <= MOST_JOINTS);
    for (int j = 0; j < order.count; ++j) {
        const Bone *bone = &body->bones[order.bones[j]];
        sinew_Vec3 above = bone->parent < 0 ? sinew_vec3(0.0, 0.0, 0.0)
                                            : body->bones[bone->parent].place;
        defs[j] = sinew_joint_def_default();
        defs[j].name = bone->name;
        defs[j].parent = bone->parent < 0 ? -1 : order.joints[bone->parent];
        defs[j].offset = sinew_vec3_sub(bone->place, above);
        defs[j].axes = axes[j];
        defs[j].axis_count = give_axes(random, style, bone->parent < 0, axes[j]);
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, order.count, NULL, &skeleton, &message), &message);
    return skeleton;
}

// from rest to somewhere and back, some joints not at all
static void move(Odd *odd, scene_Random *random)
{
    static double far[MOST_NUMBERS], step[MOST_NUMBERS];
    int numbers = sinew_skeleton_coordinate_count(odd->skeleton);
    double rest[MOST_NUMBERS];
    sinew_pose_rest(odd->skeleton, rest);
    sinew_pose_apply_limits(odd->skeleton, rest);
    int dofs = sinew_skeleton_dof_count(odd->skeleton);
    double size = golden_range(random, 0.1, 1.5);
    for (int d = 0; d < dofs; ++d) {
        step[d] = soak_chance(random, 0.3) ? 0.0 : golden_range(random, -size, size);
    }
    sinew_pose_integrate(odd->skeleton, rest, step, far);
    sinew_pose_apply_limits(odd->skeleton, far);
    for (int f = 0; f < FRAMES; ++f) {
        sinew_pose_interpolate(odd->skeleton, rest, far,
            f < FRAMES / 2 ? 2.0 * f / FRAMES : 2.0 * (FRAMES - f) / FRAMES,
            odd->frames + (ptrdiff_t)f * numbers);
    }
    odd->motion = (sinew_PoseList){ odd->frames, FRAMES };
}

static void make_odd(Odd *odd, scene_Random *random, int i)
{
    static const Scheme *const schemes[] = { &genesis, &rigify, &unreal, &biped, &valve, &mmd,
        &mixamo, &cmu };
    static Body body;
    make(&body, schemes[i % 8]);
    damage(&body, random, i);
    odd->is_robot = i % 13 == 12;
    odd->skeleton = skeleton_of(&body, random, i % 5);
    move(odd, random);
    sinew_RoleOptions options = sinew_role_options_default();
    options.ignore_names = i % 7 == 6;
    options.is_robot = odd->is_robot;
    options.motion = i % 2 == 0 ? &odd->motion : NULL;
    golden_ok(sinew_roles_guess(odd->skeleton, &options, NULL, &odd->roles, NULL));
    golden_ok(
        sinew_stance_guess(odd->skeleton, odd->roles, options.motion, NULL, &odd->stance, NULL));
}

static void end_odd(Odd *odd)
{
    sinew_stance_destroy(odd->stance);
    sinew_roles_destroy(odd->roles);
    sinew_skeleton_destroy(odd->skeleton);
}

// ---------------------------------------------------------------------------------------------
// What is made of them

static void add_rig_of(uint64_t *hash, const Odd *odd, scene_Random *random, int i)
{
    sinew_RigOptions options = sinew_rig_options_default();
    sinew_Message message = { "" };
    options.hinges = i % 3 == 0;
    options.is_robot = odd->is_robot;
    options.unit = i % 4 == 0 ? 0.01 : 1.0;
    options.motion = i % 2 == 0 ? &odd->motion : NULL;
    options.margin = i % 6 == 0 ? 0.0 : 7.0;
    sinew_Rig *rig = NULL, *over = NULL;
    golden_ok(sinew_rig_guess(odd->skeleton, odd->roles, &options, NULL, &rig, NULL));
    golden_rig_add(hash, rig);
    sinew_Individual individual = { { 0.0 } };
    for (int t = 0; t < SINEW_TRAIT_COUNT; ++t) {
        individual.strength[t] = soak_chance(random, 0.3) ? scene_random_unit(random) : 0.0;
    }
    golden_status(hash, sinew_individual_rig(&individual, rig, &message), &message);
    for (int round = 0; round < 2; ++round) {
        sinew_Skeleton *body = NULL;
        static double q[MOST_NUMBERS];
        double lost = 0.0;
        golden_status(hash, sinew_rig_apply(odd->skeleton, rig, NULL, &body, &message), &message);
        if (body != NULL) {
            golden_skeleton(hash, body);
            const double *pose = odd->frames
                + (ptrdiff_t)(5 + round) * sinew_skeleton_coordinate_count(odd->skeleton);
            golden_ok(sinew_rig_convert_pose(odd->skeleton, pose, body, q, &lost));
            golden_numbers(hash, q, sinew_skeleton_coordinate_count(body));
            golden_number(hash, lost);
            sinew_pose_apply_limits(body, q);
            golden_numbers(hash, q, sinew_skeleton_coordinate_count(body));
        }
        sinew_skeleton_destroy(body);
        golden_status(hash,
            sinew_rig_fit(rig, odd->skeleton, &odd->motion, 1, 3.0 + round, &message), &message);
        golden_rig_add(hash, rig);
    }
    // and what somebody said before
    options.said = rig;
    options.motion = NULL;
    golden_status(hash, sinew_rig_guess(odd->skeleton, odd->roles, &options, NULL, &over, &message),
        &message);
    if (over != NULL) {
        golden_rig_add(hash, over);
        golden_int(hash, sinew_rig_refine(over, rig));
        golden_rig_add(hash, over);
    }
    sinew_rig_destroy(over);
    sinew_rig_destroy(rig);
}

static void add_limbs_of(uint64_t *hash, const Odd *odd, scene_Random *random)
{
    static sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    sinew_Message message = { "" };
    int numbers = sinew_skeleton_coordinate_count(odd->skeleton);
    int count = sinew_switch_find_limbs(odd->skeleton, odd->roles, limbs, SINEW_MAX_SWITCH_LIMBS);
    for (int l = 0; l < count; ++l) {
        const sinew_SwitchLimb *limb = &limbs[l];
        golden_int(hash, limb->root + 100 * limb->middle + 10000 * limb->tip);
        golden_int(hash, limb->reference + 1000 * limb->has_foot_roll);
        golden_transforms(hash, &limb->tip_from_handle, 1);
    }
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = odd->skeleton;
    def.limbs = limbs;
    def.limb_count = count;
    sinew_Switch *sw = NULL;
    golden_status(hash, sinew_switch_create(&def, &sw, &message), &message);
    for (int f = 0; sw != NULL && f < 12; ++f) {
        int limb = scene_random_index(random, count);
        golden_status(hash,
            sinew_switch_set_pose(sw, odd->frames + (ptrdiff_t)f * numbers, &message), &message);
        golden_status(hash, sinew_switch_enable_ik(sw, limb, f % 5 != 4, &message), &message);
        sinew_Handle handle;
        golden_status(hash, sinew_switch_handle(sw, limb, &handle, &message), &message);
        handle.place.position = sinew_vec3_add(handle.place.position, golden_point(random, 0.1));
        handle.foot_roll += golden_range(random, -0.4, 0.4);
        golden_status(hash, sinew_switch_set_handle(sw, limb, &handle, &message), &message);
        golden_status(hash, sinew_switch_update(sw, 0.05, NULL, &message), &message);
        golden_numbers(hash, sinew_switch_pose(sw), numbers);
    }
    sinew_switch_destroy(sw);
    if (count == 0) { return; }
    sinew_Clip *clip = NULL;
    sinew_Keys *keys = NULL;
    golden_ok(sinew_clip_create(odd->skeleton, FRAMES, 0.04, NULL, &clip));
    for (int f = 0; f < FRAMES; ++f) {
        memcpy(sinew_clip_frame(clip, f), odd->frames + (ptrdiff_t)f * numbers,
            (size_t)numbers * sizeof(double));
    }
    golden_ok(sinew_keys_create(odd->skeleton, limbs, count, NULL, &keys, NULL));
    sinew_KeysFigures figures;
    memset(&figures, 0, sizeof figures);
    golden_status(hash, sinew_keys_from_clip(keys, clip, NULL, &figures, &message), &message);
    golden_int(hash, figures.keys);
    golden_status(hash, sinew_keys_to_ik(keys, count - 1, 0.1, 0.6, 25.0, NULL, &figures, &message),
        &message);
    golden_int(hash, figures.keys);
    golden_number(hash, figures.distance);
    golden_status(hash, sinew_keys_to_fk(keys, count - 1, 0.2, 0.5, 30.0, NULL, &figures, &message),
        &message);
    golden_int(hash, figures.keys);
    sinew_keys_destroy(keys);
    sinew_clip_destroy(clip);
}

static void add_contacts_of(uint64_t *hash, const Odd *odd)
{
    static sinew_ContactPoint points[SINEW_MAX_CONTACT_POINTS];
    int count = sinew_contact_points(
        odd->skeleton, odd->roles, odd->stance, points, SINEW_MAX_CONTACT_POINTS);
    golden_int(hash, count);
    for (int p = 0; p < count && p < SINEW_MAX_CONTACT_POINTS; ++p) {
        golden_int(hash, (int)points[p].part + 10 * (int)points[p].side + 100 * points[p].joint);
        golden_vec3(hash, points[p].offset);
    }
    if (count == 0) { return; }
    sinew_ContactDef def = sinew_contact_def_default();
    sinew_Contacts *found = NULL;
    sinew_Message message = { "" };
    def.skeleton = odd->skeleton;
    def.motion = odd->motion;
    def.frame_time = 0.04;
    def.leg = 0.9;
    def.points = points;
    def.point_count = count;
    golden_status(hash, sinew_contacts_find(&def, &found, &message), &message);
    if (found == NULL) { return; }
    golden_number(hash, found->floor);
    for (int t = 0; t < found->point_count * found->frame_count; ++t) {
        golden_int(hash, found->touching[t]);
    }
    sinew_contacts_destroy(found);
}

// onto each other; and whether they walk and stand on grounds at all
static void add_others_of(uint64_t *hash, const Odd *odd, const Odd *before)
{
    static double q[MOST_NUMBERS];
    sinew_Message message = { "" };
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = (sinew_RetargetBody){ before->skeleton, before->roles, before->stance };
    def.target = (sinew_RetargetBody){ odd->skeleton, odd->roles, odd->stance };
    def.frame_time = 0.04;
    sinew_Retargeter *retargeter = NULL;
    golden_status(hash, sinew_retargeter_create(&def, &retargeter, &message), &message);
    if (retargeter != NULL) {
        for (int j = 0; j < sinew_skeleton_joint_count(odd->skeleton); ++j) {
            sinew_RetargetMatch match = sinew_retargeter_match(retargeter, j);
            golden_int(hash, match.from + 100 * match.to);
            golden_number(hash, match.share);
        }
        golden_number(hash, sinew_retargeter_scale(retargeter));
        for (int f = 0; f < 16; ++f) {
            long sample = 0;
            golden_status(hash,
                sinew_retargeter_push(retargeter,
                    before->frames
                        + (ptrdiff_t)f * sinew_skeleton_coordinate_count(before->skeleton),
                    q, &sample, &message),
                &message);
            golden_numbers(hash, q, sinew_skeleton_coordinate_count(odd->skeleton));
        }
    }
    sinew_retargeter_destroy(retargeter);
    sinew_GrounderDef grounding = sinew_grounder_def_default();
    grounding.body = def.target;
    sinew_Grounder *grounder = NULL;
    golden_status(hash, sinew_grounder_create(&grounding, &grounder, &message), &message);
    sinew_grounder_destroy(grounder);
    sinew_WalkerDef walk = sinew_walker_def_default();
    walk.skeleton = odd->skeleton;
    sinew_Walker *walker = NULL;
    golden_int(hash, sinew_walker_create(&walk, &walker, NULL));
    sinew_walker_destroy(walker);
}

// every third joint is a target, some of them with rotations
static void follow_itself(uint64_t *hash, const Odd *odd, int i)
{
    static sinew_Transform world[MOST_JOINTS];
    static sinew_Goal goals[MOST_JOINTS];
    static double q[MOST_NUMBERS];
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = odd->skeleton;
    def.max_goals = MOST_JOINTS;
    def.frame_time = 0.04;
    sinew_Tracker *tracker = NULL;
    golden_ok(sinew_tracker_create(&def, &tracker, NULL));
    int numbers = sinew_skeleton_coordinate_count(odd->skeleton);
    for (int f = 0; f < FRAMES; f += 1 + i % 3) {
        int count = 0;
        sinew_pose_forward(odd->skeleton, odd->frames + (ptrdiff_t)f * numbers, world);
        for (int j = i % 3; j < sinew_skeleton_joint_count(odd->skeleton); j += 3) {
            goals[count] = sinew_goal_position(j, world[j].position);
            if (i % 2 == 0 && j % 2 == 0) {
                goals[count] = sinew_goal_pose(j, world[j].position, world[j].rotation);
            }
            goals[count++].position_weight = 1.0 + 0.5 * (j % 4);
        }
        sinew_Message message = { "" };
        golden_status(
            hash, sinew_tracker_update(tracker, goals, count, q, NULL, &message), &message);
        golden_numbers(hash, q, numbers);
    }
    sinew_tracker_destroy(tracker);
}

uint64_t golden_odd(void)
{
    static Odd bodies[2];
    uint64_t hash = GOLDEN_START;
    for (int i = 0; i < ODD_BODIES; ++i) {
        scene_Random random = scene_random(7000 + (uint64_t)i);
        Odd *odd = &bodies[i % 2], *before = &bodies[(i + 1) % 2];
        make_odd(odd, &random, i);
        golden_roles_add(&hash, odd->roles);
        golden_stance_add(&hash, odd->stance);
        add_rig_of(&hash, odd, &random, i);
        add_limbs_of(&hash, odd, &random);
        add_contacts_of(&hash, odd);
        if (i % 3 == 0) { follow_itself(&hash, odd, i); }
        if (i > 0) {
            add_others_of(&hash, odd, before);
            end_odd(before);
        }
    }
    end_odd(&bodies[(ODD_BODIES + 1) % 2]);
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Units: how large a figure is in metres is guessed from the lengths of its legs, by names or by shape

typedef struct Text {
    char data[1 << 16];
    size_t size;
} Text;

static void say(Text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int size = vsnprintf(text->data + text->size, sizeof text->data - text->size, format, list);
    va_end(list);
    TEST_TRUE(size >= 0 && text->size + (size_t)size < sizeof text->data);
    text->size += (size_t)size;
}

static void say_bone(Text *text, const Body *body, int bone, double scale)
{
    const Bone *own = &body->bones[bone];
    sinew_Vec3 at = own->place;
    if (own->parent >= 0) { at = sinew_vec3_sub(at, body->bones[own->parent].place); }
    say(text, "%s %s\n{\nOFFSET %.6f %.6f %.6f\n", own->parent < 0 ? "ROOT" : "JOINT", own->name,
        scale * at.x, scale * at.y, scale * at.z);
    say(text, "CHANNELS 3 Zrotation Xrotation Yrotation\n");
    bool is_end = true;
    for (int b = 0; b < body->count; ++b) {
        if (body->bones[b].parent != bone) { continue; }
        is_end = false;
        say_bone(text, body, b, scale);
    }
    if (is_end) { say(text, "End Site\n{\nOFFSET 0 %.6f 0\n}\n", 0.04 * scale); }
    say(text, "}\n");
}

// what feet, shins and thighs are called here and there, with and without a space of names
static void rename_legs(Body *body, scene_Random *random)
{
    static const char *const names[3][8] = {
        { "hip", "Hips", "UpLeg", "thigh", "leg", "a:Hip", "b|leg", "femur" },
        { "knee", "leg", "shin", "LoLeg", "c:calf", "tibia", "ns:knee", "lowleg" },
        { "ankle", "Foot", "x:foot", "heel", "y|ankle", "foot", "Foot", "AnkleZ" },
    };
    static const char *const parts[3] = { "thigh", "shin", "foot" };
    int words[3];
    for (int p = 0; p < 3; ++p) { words[p] = scene_random_index(random, 8); }
    for (int b = 0; b < body->count; ++b) {
        Bone *bone = &body->bones[b];
        for (int p = 0; p < 3; ++p) {
            if (strncmp(bone->role, parts[p], strlen(parts[p])) == 0) {
                snprintf(bone->name, sizeof bone->name, "%s", names[p][words[p]]);
            }
        }
    }
}

static void make_hand(Body *body, scene_Random *random)
{
    memset(body, 0, sizeof *body);
    int palm = -1, above = scene_random_index(random, 3),
        fingers = 3 + scene_random_index(random, 4);
    for (int k = 0; k <= above; ++k) {
        palm = add_bone(body, "palm", "", palm, sinew_vec3(0.0, 0.1 * k, 0.0));
    }
    for (int f = 0; f < fingers; ++f) {
        int parent = palm,
            bones = 3 + (int)soak_chance(random, 0.4) - (int)soak_chance(random, 0.1);
        for (int k = 0; k < bones; ++k) {
            sinew_Vec3 step = sinew_vec3(0.02 * f, 0.03 + 0.01 * scene_random_unit(random), 0.0);
            parent = add_bone(
                body, "finger", "", parent, sinew_vec3_add(body->bones[parent].place, step));
        }
    }
}

static void make_tree(Body *body, scene_Random *random)
{
    memset(body, 0, sizeof *body);
    int parent = add_bone(body, "root", "", -1, sinew_vec3(0.0, 1.0, 0.0));
    // limbs of equal bones, in pairs or more
    for (int limb = 0; limb < 4; ++limb) {
        int copies = 1 + scene_random_index(random, 3), bones = 1 + scene_random_index(random, 5);
        double lengths[6];
        for (int k = 0; k < bones; ++k) {
            lengths[k] = soak_chance(random, 0.1) ? 0.0 : golden_range(random, 0.1, 0.5);
        }
        int start = soak_chance(random, 0.5) ? parent : 0;
        for (int c = 0; c < copies; ++c) {
            int above = start;
            for (int k = 0; k < bones; ++k) {
                double length = lengths[k] * (soak_chance(random, 0.05) ? 1.2 : 1.0);
                sinew_Vec3 step = sinew_vec3_scale(scene_random_direction(random), length);
                above = add_bone(
                    body, "bone", "", above, sinew_vec3_add(body->bones[above].place, step));
            }
            parent = above;
        }
    }
}

static void make_figure(Body *body, scene_Random *random, int i)
{
    static const Scheme *const schemes[] = { &genesis, &cmu, &mixamo, &unreal };
    if (i % 6 == 2) {
        make_hand(body, random);
        return;
    }
    if (i % 6 == 4) {
        make_tree(body, random);
        return;
    }
    make(body, schemes[i % 4]);
    if (i % 6 == 3) { lose(body, random); }
    if (i % 6 == 5) { insert_above(body, "LHip", "", body->bones[1].name, 0.0); }
    if (i % 6 == 0) { rename_legs(body, random); }
    for (int b = 0; b < body->count; ++b) {
        Bone *bone = &body->bones[b];
        if (i % 6 == 1 || i % 6 == 5) { snprintf(bone->name, sizeof bone->name, "b%d", b); }
        if (bone->parent >= 0 && soak_chance(random, 0.05)) {
            bone->place = body->bones[bone->parent].place;
        }
    }
}

uint64_t golden_units(void)
{
    static const double scales[] = { 1.0, 100.0, 39.3700787, 1000.0, 3.2808399, 17.7165354, 0.1 };
    static Body body;
    static Text text;
    uint64_t hash = GOLDEN_START;
    for (int i = 0; i < 600; ++i) {
        scene_Random random = scene_random(8000 + (uint64_t)i);
        make_figure(&body, &random, i);
        double scale = i % 8 == 7 ? soak_magnitude(&random, -5.0, 5.0) : scales[i % 7];
        text.size = 0;
        say(&text, "HIERARCHY\n");
        say_bone(&text, &body, 0, scale * golden_range(&random, 0.6, 1.4));
        say(&text, "MOTION\nFrames: 1\nFrame Time: 0.1\n");
        for (int b = 0; b < body.count; ++b) { say(&text, "0 %d 0 ", b); }
        say(&text, "\n");
        sinew_MotionFile *file = NULL;
        sinew_Message message = { "" };
        golden_status(&hash,
            sinew_motion_read_memory(text.data, text.size, "odd.bvh", NULL, &file, &message),
            &message);
        if (file == NULL) { continue; }
        golden_number(&hash, sinew_motion_unit(file));
        golden_int(&hash, sinew_motion_unit_source(file));
        golden_number(&hash, sinew_motion_stature(file));
        for (int w = 0; w < sinew_motion_warning_count(file); ++w) {
            golden_text(&hash, sinew_motion_warning(file, w));
        }
        golden_number(&hash, sinew_skeleton_size(sinew_motion_skeleton(file)));
        sinew_motion_destroy(file);
    }
    return hash;
}
