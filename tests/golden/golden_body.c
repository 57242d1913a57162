// Chapters of rotations, spaces, skeletons, poses, limits, Jacobians, roles and rigs.

#include "golden.h"

#include "base/message.h"
#include "soak/soak.h"

#include "sinew/individual.h"

#include <string.h>

static sinew_Transform random_transform(scene_Random *random)
{
    sinew_Vec3 position = golden_point(random, 2.0);
    return (sinew_Transform){ position, scene_random_rotation(random) };
}

// Rotations of every size, half turns and none at all among them.
uint64_t golden_math(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Random random = scene_random(1);
    for (int i = 0; i < 12000; ++i) {
        double angle = golden_range(&random, -8.0, 8.0) * (i % 9 == 0 ? 1e5 : 1.0), s, c;
        if (i % 11 == 0) { angle = SINEW_PI * 0.25 * (i % 17 - 8); }
        if (i % 13 == 0) { angle = soak_magnitude(&random, -18.0, -3.0); }
        sinew_sincos(angle, &s, &c);
        double y = golden_range(&random, -1.2, 1.2), x = golden_range(&random, -1.2, 1.2);
        const double numbers[] = { s, c, sinew_atan2(y, x), sinew_atan2(y, i % 7 == 0 ? 0.0 : s),
            sinew_acos(x), sinew_asin(y), sinew_acos(1.0 - 1e-9 * y * y), sinew_asin(c) };
        golden_numbers(&hash, numbers, 8);
        sinew_Vec3 u = scene_random_direction(&random), v = scene_random_direction(&random);
        if (i % 10 == 0) { v = sinew_vec3_scale(u, i % 20 == 0 ? -1.0 : 1.0); }
        if (i % 10 == 1) {
            v = sinew_vec3_normalize_or(
                sinew_vec3_add_scaled(u, v, soak_magnitude(&random, -16.0, -2.0)), u);
        }
        if (i % 10 == 2) {
            v = sinew_vec3_normalize_or(sinew_vec3_add_scaled(sinew_vec3_scale(u, -1.0), v,
                                            soak_magnitude(&random, -16.0, -2.0)),
                u);
        }
        sinew_Quat q = sinew_quat_from_axis_angle(u, angle), p = scene_random_rotation(&random);
        if (i % 5 == 0) {
            p = sinew_quat_mul(
                q, sinew_quat_from_axis_angle(v, soak_magnitude(&random, -18.0, -1.0)));
        }
        golden_quat(&hash, q);
        golden_quat(&hash, sinew_quat_exp(sinew_vec3_scale(v, angle)));
        golden_vec3(&hash, sinew_quat_log(q));
        golden_vec3(&hash, sinew_quat_log(p));
        golden_quat(&hash, sinew_quat_between(u, v));
        golden_quat(&hash, sinew_quat_between_fast(u, v));
        golden_quat(&hash, sinew_quat_from_x(v));
        golden_quat(&hash, sinew_quat_from_x_fast(v));
        golden_quat(&hash, sinew_quat_slerp(q, p, scene_random_unit(&random)));
        golden_number(&hash, sinew_quat_angle(q, p));
        golden_quat(&hash, sinew_quat_from_mat3(sinew_mat3_from_quat(i % 2 == 0 ? q : p)));
        sinew_SwingTwist parts = sinew_swing_twist_decompose(p);
        golden_quat(&hash, parts.swing);
        golden_number(&hash, parts.twist);
        golden_quat(&hash, sinew_swing_twist_compose(parts));
        double previous[3] = { golden_range(&random, -9.0, 9.0), golden_range(&random, -9.0, 9.0),
            golden_range(&random, -9.0, 9.0) };
        double angles[3] = { previous[0], i % 4 == 0 ? 0.5 * SINEW_PI : previous[1], previous[2] };
        sinew_EulerOrder order = (sinew_EulerOrder)(i % SINEW_EULER_ORDER_COUNT);
        golden_quat(&hash, sinew_quat_from_euler(order, angles));
        sinew_quat_to_euler(
            order, i % 3 == 0 ? sinew_quat_from_euler(order, angles) : p, previous, angles);
        golden_numbers(&hash, angles, 3);
    }
    return hash;
}

// Points, rotations, goals, joints and matrices through the door for engines, both ways.
uint64_t golden_spaces(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Random random = scene_random(2);
    static sinew_Transform transforms[40], back[40];
    static double matrices[40 * 20];
    static float floats[40 * 20];
    for (int i = 0; i < 900; ++i) {
        sinew_Space space = sinew_space_preset((sinew_SpacePreset)(i % SINEW_SPACE_PRESET_COUNT));
        if (i % 3 == 0) {
            space.up = (sinew_Direction)scene_random_index(&random, 6);
            space.forward = (sinew_Direction)scene_random_index(&random, 6);
            space.left_handed = i % 2 == 0;
            space.unit = soak_magnitude(&random, -3.0, 3.0);
        }
        sinew_Message message = { "" };
        golden_status(&hash, sinew_space_check(&space, &message), &message);
        sinew_Transform t = random_transform(&random);
        golden_vec3(&hash, sinew_point_from_space(&space, t.position));
        golden_vec3(&hash, sinew_point_to_space(&space, t.position));
        golden_vec3(&hash, sinew_direction_from_space(&space, t.position));
        golden_vec3(&hash, sinew_direction_to_space(&space, t.position));
        golden_vec3(&hash, sinew_hinge_from_space(&space, t.position));
        golden_vec3(&hash, sinew_hinge_to_space(&space, t.position));
        golden_quat(&hash, sinew_rotation_from_space(&space, t.rotation));
        golden_quat(&hash, sinew_rotation_to_space(&space, t.rotation));
        sinew_Goal goal = sinew_goal_pose(3, t.position, t.rotation);
        goal.position_mask = 1u + (unsigned)scene_random_index(&random, 7);
        goal.axis = scene_random_direction(&random);
        goal.direction = scene_random_direction(&random);
        goal.joint_from_effector = random_transform(&random);
        for (int way = 0; way < 2; ++way) {
            goal = way == 0 ? sinew_goal_from_space(&space, goal)
                            : sinew_goal_to_space(&space, goal);
            golden_vec3(&hash, goal.position);
            golden_quat(&hash, goal.orientation);
            golden_vec3(&hash, goal.axis);
            golden_vec3(&hash, goal.direction);
            golden_transforms(&hash, &goal.joint_from_effector, 1);
            golden_int(&hash, goal.position_mask);
            golden_int(&hash, goal.orientation_mask);
            golden_number(&hash, goal.support_margin);
        }
        sinew_MatrixLayout layout = { i % 2 == 0 ? SINEW_MATRIX_COLUMNS : SINEW_MATRIX_ROWS,
            16 + i % 5 };
        int count = 1 + i % 40;
        for (int k = 0; k < count; ++k) { transforms[k] = random_transform(&random); }
        golden_status(&hash,
            sinew_transforms_to_matrices(&space, layout, transforms, count, matrices, &message),
            &message);
        golden_status(&hash,
            sinew_transforms_to_matrices_float(&space, layout, transforms, count, floats, &message),
            &message);
        for (int k = 0; k < count; ++k) {
            golden_numbers(&hash, matrices + (ptrdiff_t)k * layout.stride, 16);
            for (int n = 0; n < 16; ++n) {
                golden_number(&hash, (double)floats[k * layout.stride + n]);
            }
            // scale and shear are left out
            matrices[k * layout.stride + i % 12] *= i % 4 == 0 ? 1.5 : 1.0;
        }
        golden_status(&hash,
            sinew_transforms_from_matrices(&space, layout, matrices, count, back, &message),
            &message);
        golden_transforms(&hash, back, count);
        golden_status(&hash,
            sinew_transforms_from_matrices_float(&space, layout, floats, count, back, &message),
            &message);
        golden_transforms(&hash, back, count);
        golden_status(
            &hash, sinew_transforms_skin(transforms, back, count, back, &message), &message);
        golden_transforms(&hash, back, count);
    }
    return hash;
}

// Everything that is asked of a skeleton and of a pose of it.
uint64_t golden_bodies(void)
{
    uint64_t hash = GOLDEN_START;
    static double q[GOLDEN_MAX_NUMBERS], other[GOLDEN_MAX_NUMBERS], step[GOLDEN_MAX_NUMBERS];
    static sinew_Transform world[GOLDEN_MAX_JOINTS], local[GOLDEN_MAX_JOINTS];
    for (uint64_t seed = 0; seed < 600; ++seed) {
        scene_Random random = scene_random(seed);
        double scale;
        sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
        if (skeleton == NULL) { continue; }
        int joints = sinew_skeleton_joint_count(skeleton);
        int numbers = sinew_skeleton_coordinate_count(skeleton);
        golden_skeleton(&hash, skeleton);
        sinew_pose_rest(skeleton, q);
        golden_numbers(&hash, q, numbers);
        sinew_pose_middle(skeleton, q);
        golden_numbers(&hash, q, numbers);
        for (int i = 0; i < 4; ++i) {
            sinew_Message message = { "" };
            soak_make_pose(&random, skeleton, scale, i % 2 == 0, q);
            soak_make_pose(&random, skeleton, scale, i > 1, other);
            int axis;
            golden_number(&hash, sinew_pose_worst_limit(skeleton, q, &axis));
            golden_int(&hash, axis);
            sinew_pose_forward(skeleton, q, world);
            golden_transforms(&hash, world, joints);
            sinew_pose_to_local(skeleton, q, local);
            golden_transforms(&hash, local, joints);
            golden_vec3(&hash, sinew_pose_center_of_mass(skeleton, world));
            sinew_PoseFit fit;
            for (int j = 0; j < joints; ++j) {
                if (i != 3) { break; }
                local[j].rotation = scene_random_rotation(&random);
                world[j].rotation = scene_random_rotation(&random);
            }
            golden_status(&hash,
                sinew_pose_from_local(skeleton, local, i == 0 ? NULL : other, step, &fit, &message),
                &message);
            golden_numbers(&hash, step, numbers);
            golden_number(&hash, fit.rotation);
            golden_int(&hash, fit.position_joint);
            golden_status(&hash,
                sinew_pose_from_world(skeleton, world, other, step, local, &fit, &message),
                &message);
            golden_numbers(&hash, step, numbers);
            golden_transforms(&hash, local, joints);
            golden_number(&hash, fit.position);
            golden_int(&hash, fit.rotation_joint);
            sinew_pose_difference(skeleton, q, other, step);
            golden_numbers(&hash, step, sinew_skeleton_dof_count(skeleton));
            sinew_pose_integrate(skeleton, q, step, step);
            golden_numbers(&hash, step, numbers);
            sinew_pose_interpolate(skeleton, q, other, scene_random_unit(&random), step);
            golden_numbers(&hash, step, numbers);
            sinew_pose_apply_limits(skeleton, other);
            golden_numbers(&hash, other, numbers);
            int joint = scene_random_index(&random, joints), above = joint;
            while (above > 0 && soak_chance(&random, 0.7)) {
                above = sinew_skeleton_joints(skeleton)[above].parent < 0
                    ? above
                    : sinew_skeleton_joints(skeleton)[above].parent;
                if (soak_chance(&random, 0.1)) { break; }
            }
            golden_number(&hash, sinew_skeleton_chain_length(skeleton, above, joint));
            golden_int(&hash, sinew_skeleton_is_ancestor(skeleton, joint, above));
            sinew_EulerOrder order = SINEW_EULER_XYZ;
            unsigned negated = 0;
            golden_int(&hash, sinew_joint_euler_order(skeleton, joint, &order, &negated));
            golden_int(&hash, (int)order + 10 * (int)negated);
            golden_int(&hash, sinew_joint_euler_order(skeleton, joint, &order, NULL));
        }
        sinew_skeleton_destroy(skeleton);
    }
    return hash;
}

// Limits of balls as random bodies have them, asked at and about their borders.
uint64_t golden_limits(void)
{
    uint64_t hash = GOLDEN_START;
    int limits = 0;
    for (uint64_t seed = 1000; seed < 2000; ++seed) {
        scene_Random random = scene_random(seed);
        double scale;
        sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
        if (skeleton == NULL) { continue; }
        const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
        for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
            const sinew_BallLimit *limit = axes[a].limit;
            if (axes[a].kind != SINEW_AXIS_BALL || limit == NULL) { continue; }
            ++limits;
            for (int i = 0; i < 12; ++i) {
                sinew_Quat ball = scene_random_rotation(&random);
                if (i % 3 == 1) {
                    sinew_Vec3 bone = scene_random_direction(&random);
                    ball = sinew_ball_limit_pose(limit, bone, golden_range(&random, -3.2, 3.2));
                }
                golden_int(&hash, sinew_ball_limit_allows(limit, ball));
                golden_number(&hash, sinew_ball_limit_violation(limit, ball));
                sinew_Quat clamped = sinew_ball_limit_clamp(limit, ball);
                golden_quat(&hash, clamped);
                sinew_Vec3 direction;
                double twist;
                sinew_ball_limit_measure(limit, ball, &direction, &twist);
                golden_vec3(&hash, direction);
                golden_number(&hash, twist);
                // next to the border
                sinew_Vec3 about = scene_random_direction(&random);
                sinew_Quat beside = sinew_quat_mul(clamped,
                    sinew_quat_from_axis_angle(about, soak_magnitude(&random, -15.0, -1.0)));
                golden_int(&hash, sinew_ball_limit_allows(limit, beside));
                golden_quat(&hash, sinew_ball_limit_clamp(limit, beside));
            }
        }
        sinew_skeleton_destroy(skeleton);
    }
    golden_int(&hash, limits);
    return hash;
}

uint64_t golden_jacobians(void)
{
    uint64_t hash = GOLDEN_START;
    static double q[GOLDEN_MAX_NUMBERS], scratch[GOLDEN_MAX_NUMBERS], rows[6 * GOLDEN_MAX_NUMBERS];
    static sinew_Transform world[GOLDEN_MAX_JOINTS], room[GOLDEN_MAX_JOINTS];
    static soak_Support supports[SINEW_MAX_SUPPORT_GOALS];
    static sinew_Goal goals[SOAK_MAX_GOALS];
    for (uint64_t seed = 2000; seed < 2600; ++seed) {
        scene_Random random = scene_random(seed);
        double scale;
        sinew_Skeleton *skeleton = soak_make_body(&random, NULL, &scale);
        if (skeleton == NULL) { continue; }
        int dofs = sinew_skeleton_dof_count(skeleton);
        soak_make_pose(&random, skeleton, scale, true, q);
        sinew_pose_forward(skeleton, q, world);
        int count = soak_make_goals(&random, skeleton, scale, q, supports, goals);
        for (int g = 0; g < count; ++g) {
            sinew_Goal blended = sinew_goal_blend(
                skeleton, world, goals[g], scene_random_unit(&random));
            golden_vec3(&hash, blended.position);
            golden_quat(&hash, blended.orientation);
            golden_vec3(&hash, blended.direction);
            golden_number(&hash, blended.orientation_weight);
            int height = sinew_goal_row_count(&goals[g]);
            golden_int(&hash, height);
            golden_int(&hash, sinew_goal_is_plain(&goals[g]));
            if (!sinew_goal_is_plain(&goals[g])) { continue; }
            sinew_goal_error(&goals[g], world, rows);
            golden_numbers(&hash, rows, height);
            sinew_jacobian(skeleton, q, world, &goals[g], rows);
            golden_numbers(&hash, rows, height * dofs);
            sinew_jacobian_numeric(
                skeleton, q, &goals[g], (sinew_Difference)(g % 2), 1e-5, scratch, room, rows);
            golden_numbers(&hash, rows, height * dofs);
        }
        sinew_jacobian_center_of_mass(skeleton, q, world, rows + 3 * GOLDEN_MAX_NUMBERS, rows);
        golden_numbers(&hash, rows, 3 * dofs);
        sinew_skeleton_destroy(skeleton);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Roles and rigs

// the same body under other names, other proportions and turned
static sinew_Skeleton *disguised(const sinew_Skeleton *skeleton, scene_Random *random, int kind)
{
    static sinew_JointDef defs[GOLDEN_MAX_JOINTS];
    static char names[GOLDEN_MAX_JOINTS][64];
    int count = sinew_skeleton_joint_count(skeleton);
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    sinew_Quat turn = kind >= 3 ? scene_random_rotation(random) : sinew_quat_identity();
    if (kind == 2) { turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.5 * SINEW_PI); }
    for (int j = 0; j < count; ++j) {
        static const char *const heads[6] = { "", "Bip01 ", "mixamorig:", "", "DEF-", "" };
        // without stdio, which modules of WebAssembly would have to import
        sinew_Message name;
        if (kind % 2 == 0) {
            snw_message_set(&name, "%s%s", heads[kind % 6], joints[j].name);
        } else {
            snw_message_set(&name, "joint%d", j);
        }
        memcpy(names[j], name.text, sizeof names[j] - 1);
        defs[j] = sinew_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = joints[j].parent;
        double stretch = kind == 0 ? 1.0 : golden_range(random, 0.9, 1.1);
        defs[j].offset = sinew_vec3_scale(joints[j].offset, stretch);
        defs[j].rest_rotation = joints[j].rest_rotation;
        if (joints[j].parent < 0) {
            defs[j].offset = sinew_quat_rotate(turn, defs[j].offset);
            defs[j].rest_rotation = sinew_quat_mul(turn, defs[j].rest_rotation);
        }
        defs[j].axes = axes + joints[j].axis_start;
        defs[j].axis_count = joints[j].axis_count;
        defs[j].mass = joints[j].mass;
        defs[j].mass_center = joints[j].mass_center;
    }
    sinew_Skeleton *result = NULL;
    golden_ok(sinew_skeleton_create(defs, count, NULL, &result, NULL));
    return result;
}

static const char *const figures[] = { "MAN18", "BODY11", "HAND5", "HAND", "FIGURE1", "SPIDER",
    "QUADRUPED", "LEG", "SPINEARM" };
enum { FIGURES = (int)(sizeof figures / sizeof figures[0]) };

void golden_roles_add(uint64_t *hash, const sinew_RoleGuess *guess)
{
    char name[32];
    for (int j = 0; j < guess->joint_count; ++j) {
        const sinew_JointRole *role = &guess->joints[j];
        sinew_role_name(role->role, role->side, role->number, name, sizeof name);
        golden_text(hash, name);
        golden_int(hash, role->number);
        golden_int(hash, guess->mirror[j]);
        sinew_JointRole parsed = { SINEW_ROLE_NONE, SINEW_SIDE_NONE, 0 };
        golden_int(hash, sinew_role_parse(name, &parsed));
        golden_int(hash, (int)parsed.role + 100 * (int)parsed.side + 1000 * parsed.number);
    }
    golden_text(hash, sinew_body_kind_name(guess->kind));
    golden_text(hash, sinew_role_source_name(guess->source));
    golden_number(hash, guess->confidence);
    golden_vec3(hash, guess->left);
    golden_vec3(hash, guess->up);
    golden_vec3(hash, guess->forward);
    golden_int(hash, guess->reference_frame);
    golden_number(hash, guess->stature);
    for (int w = 0; w < guess->warning_count; ++w) { golden_text(hash, guess->warnings[w]); }
    int effectors[24], count = sinew_roles_effectors(guess, effectors, 24);
    for (int e = 0; e < count && e < 24; ++e) { golden_int(hash, effectors[e]); }
}

void golden_stance_add(uint64_t *hash, const sinew_Stance *s)
{
    golden_numbers(hash, s->q, s->coordinate_count);
    golden_transforms(hash, s->world_from_joint, s->joint_count);
    golden_vec3(hash, s->left);
    golden_vec3(hash, s->up);
    golden_vec3(hash, s->ahead);
    golden_text(hash, sinew_stance_source_name(s->source));
    golden_int(hash, s->reference_frame);
    golden_number(hash, s->rest_cost);
    golden_number(hash, s->frame_cost);
    golden_number(hash, s->confidence);
    golden_int(hash, s->can_stand);
    for (int f = 0; f < 2; ++f) {
        golden_int(hash, s->feet[f].joint);
        golden_int(hash, s->feet[f].toe);
        golden_vec3(hash, s->feet[f].heel);
        golden_vec3(hash, s->feet[f].ball);
        golden_number(hash, s->feet[f].toe_out);
    }
    for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
        golden_int(hash, s->witnesses[w].count);
        golden_number(hash, s->witnesses[w].agreement);
    }
    for (int n = 0; n < s->note_count; ++n) {
        golden_text(hash, sinew_stance_code_name(s->notes[n].code));
        golden_int(hash, s->notes[n].side);
        golden_number(hash, s->notes[n].value);
        golden_text(hash, s->notes[n].text.text);
    }
}

uint64_t golden_roles(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Random random = scene_random(3);
    for (int f = 0; f < FIGURES; ++f) {
        scene_Scene *scene = golden_scene(figures[f]);
        sinew_Clip *clip = NULL;
        golden_ok(scene_motion(scene, 0.1, 40, &clip));
        for (int kind = 0; kind < 24; ++kind) {
            sinew_Skeleton *body = disguised(scene->skeleton, &random, kind);
            sinew_PoseList motion = { sinew_clip_frame_const(clip, 0),
                sinew_clip_frame_count(clip) };
            sinew_RoleOptions options = sinew_role_options_default();
            options.ignore_names = kind % 6 == 1;
            options.is_robot = kind % 6 == 5;
            options.motion = kind >= 3 ? &motion : NULL;
            sinew_RoleGuess *guess = NULL;
            sinew_Stance *stance = NULL;
            golden_ok(sinew_roles_guess(body, &options, NULL, &guess, NULL));
            golden_ok(sinew_stance_guess(body, guess, options.motion, NULL, &stance, NULL));
            golden_roles_add(&hash, guess);
            golden_stance_add(&hash, stance);
            sinew_stance_destroy(stance);
            sinew_roles_destroy(guess);
            sinew_skeleton_destroy(body);
        }
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
    return hash;
}

void golden_rig_add(uint64_t *hash, const sinew_Rig *rig)
{
    golden_number(hash, sinew_rig_unit(rig));
    for (int j = 0; j < sinew_rig_joint_count(rig); ++j) {
        const sinew_RigJoint *joint = sinew_rig_joint(rig, j);
        golden_text(hash, joint->key);
        golden_int(hash, joint->has);
        golden_text(hash, sinew_rig_kind_name(joint->kind));
        golden_quat(hash, joint->neutral);
        golden_quat(hash, joint->bone);
        golden_int(hash, joint->mirrored + 2 * joint->star);
        for (int w = 0; w < joint->window_count; ++w) {
            golden_number(hash, joint->windows[w].cone_half_angle);
            for (int p = 0; p < joint->windows[w].point_count; ++p) {
                golden_vec3(hash, joint->windows[w].points[p]);
            }
        }
        golden_number(hash, joint->twist.lower);
        golden_number(hash, joint->twist.upper);
        golden_int(hash, joint->response);
        for (int r = 0; r < joint->range_count; ++r) {
            golden_number(hash, joint->ranges[r].lower);
            golden_number(hash, joint->ranges[r].upper);
        }
        golden_number(hash, joint->mobility);
        golden_number(hash, joint->mass);
        golden_vec3(hash, joint->mass_center);
    }
    for (int e = 0; e < sinew_rig_effector_count(rig); ++e) {
        const sinew_RigEffector *effector = sinew_rig_effector(rig, e);
        golden_text(hash, effector->name);
        golden_text(hash, effector->key);
        golden_vec3(hash, effector->offset);
    }
    for (int p = 0; p < sinew_rig_pose_count(rig); ++p) {
        const sinew_RigPose *pose = sinew_rig_pose(rig, p);
        golden_text(hash, pose->name);
        for (int j = 0; j < pose->joint_count; ++j) {
            golden_text(hash, pose->joints[j].key);
            golden_numbers(hash, pose->joints[j].values, pose->joints[j].value_count);
        }
    }
}

// Guessed, for somebody in particular, fitted to a motion; and the bodies that come of it.
uint64_t golden_rigs(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Random random = scene_random(4);
    static double q[GOLDEN_MAX_NUMBERS], turned[GOLDEN_MAX_NUMBERS];
    for (int f = 0; f < FIGURES; ++f) {
        scene_Scene *scene = golden_scene(figures[f]);
        sinew_Clip *clip = NULL;
        sinew_RoleGuess *roles = NULL;
        golden_ok(scene_motion(scene, 0.1, 30, &clip));
        golden_ok(sinew_roles_guess(scene->skeleton, NULL, NULL, &roles, NULL));
        sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
        for (int kind = 0; kind < 16; ++kind) {
            sinew_RigOptions options = sinew_rig_options_default();
            sinew_Rig *rig = NULL;
            sinew_Skeleton *body = NULL;
            sinew_Message message = { "" };
            options.hinges = kind % 4 == 1;
            options.is_robot = kind % 4 == 2;
            options.motion = kind % 4 == 3 ? &motion : NULL;
            options.unit = kind % 4 == 1 ? 0.01 : 1.0;
            options.body_mass = kind % 4 == 2 ? 50.0 : 0.0;
            golden_ok(sinew_rig_guess(scene->skeleton, roles, &options, NULL, &rig, NULL));
            sinew_Individual individual = { { 0.0 } };
            for (int t = 0; t < SINEW_TRAIT_COUNT; ++t) {
                individual.strength[t] = soak_chance(&random, 0.3) ? scene_random_unit(&random)
                                                                   : 0.0;
            }
            if (kind % 4 == 3) {
                golden_status(&hash, sinew_individual_rig(&individual, rig, &message), &message);
            }
            scene_random_pose(scene, &random, q);
            golden_ok(sinew_rig_capture_pose(rig, "kept", scene->skeleton, q));
            golden_status(&hash,
                sinew_rig_pose_values(
                    rig, sinew_rig_pose(rig, 0), scene->skeleton, turned, &message),
                &message);
            golden_numbers(&hash, turned, sinew_skeleton_coordinate_count(scene->skeleton));
            golden_rig_add(&hash, rig);
            golden_status(
                &hash, sinew_rig_apply(scene->skeleton, rig, NULL, &body, &message), &message);
            if (body != NULL) {
                double residual = 0.0;
                golden_skeleton(&hash, body);
                golden_status(&hash,
                    sinew_rig_convert_pose(scene->skeleton, q, body, turned, &residual), &message);
                golden_numbers(&hash, turned, sinew_skeleton_coordinate_count(body));
                golden_number(&hash, residual);
            }
            golden_status(
                &hash, sinew_rig_fit(rig, scene->skeleton, &motion, 1, 5.0, &message), &message);
            golden_rig_add(&hash, rig);
            sinew_skeleton_destroy(body);
            sinew_rig_destroy(rig);
        }
        sinew_roles_destroy(roles);
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
    sinew_Individual parsed;
    sinew_Message message = { "" };
    golden_status(&hash, sinew_individual_parse("old:0.5,limp_left", &parsed, &message), &message);
    golden_status(&hash, sinew_individual_parse("old:1.5", &parsed, &message), &message);
    sinew_IndividualEffects effects = sinew_individual_effects(&parsed);
    golden_numbers(&hash, &effects.range[0][0], 3 * SINEW_ROLE_COUNT);
    golden_numbers(&hash, &effects.mobility[0][0], 3 * SINEW_ROLE_COUNT);
    golden_numbers(&hash, &effects.motion[0][0], 3 * SINEW_ROLE_COUNT);
    const double rest[] = { effects.knee_bend[0], effects.lean, effects.head_lean, effects.arms_out,
        effects.crouch, effects.hurt[0], effects.tempo, effects.mass };
    golden_numbers(&hash, rest, 8);
    return hash;
}
