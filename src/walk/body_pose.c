// The neutral pose of a body that is measured, and which of its joints turn as one.

#include "walk/walker_body.h"

void snw_body_take_arrays(snw_Arena *arena, snw_BodyMeasure *m)
{
    size_t count = (size_t)m->rig.count;
    m->rig.next = snw_arena_take(arena, count, sizeof *m->rig.next);
    m->rig.neutral = snw_arena_take(arena, count, sizeof *m->rig.neutral);
    m->pose = snw_arena_take(arena, count, sizeof *m->pose);
    m->turns = snw_arena_take(arena, count, sizeof *m->turns);
    m->first = snw_arena_take(arena, count, sizeof *m->first);
    m->hinges = snw_arena_take(arena, count, sizeof *m->hinges);
    m->inner = snw_arena_take(arena, count, sizeof *m->inner);
    m->q = snw_arena_take(
        arena, (size_t)sinew_skeleton_coordinate_count(m->rig.skeleton), sizeof *m->q);
}

void snw_body_place_neutral(snw_BodyMeasure *m)
{
    const snw_StanceBody *rig = &m->rig;
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent;
        m->pose[j].rotation = sinew_quat_normalize(
            sinew_quat_mul(m->turns[j], sinew_quat_mul(m->world, rig->neutral[j])));
        if (p < 0) {
            m->pose[j].position = sinew_vec3(0.0, 0.0, 0.0);
            continue;
        }
        sinew_Vec3 apart = sinew_vec3_sub(rig->look[j].position, rig->look[p].position);
        sinew_Vec3 offset = sinew_quat_rotate(sinew_quat_conjugate(rig->look[p].rotation), apart);
        m->pose[j].position = sinew_transform_point(m->pose[p], offset);
    }
}

void snw_body_take_stance(snw_BodyMeasure *m, const snw_StanceBody *stance)
{
    snw_StanceBody *rig = &m->rig, own = *rig;
    *rig = *stance;
    // limits are those of the skeleton that walks
    rig->skeleton = own.skeleton;
    rig->joints = sinew_skeleton_joints(own.skeleton);
    rig->next = own.next;
    rig->neutral = own.neutral;
    sinew_pose_rest(rig->skeleton, m->q);
    // columns of the matrix are the body's directions
    sinew_Mat3 skeleton_from_walker = { rig->left, rig->up, rig->forward };
    m->world = sinew_quat_conjugate(sinew_quat_from_mat3(skeleton_from_walker));
    m->body->walker_from_skeleton = m->world;
    for (int j = 0; j < rig->count; ++j) {
        m->turns[j] = sinew_quat_identity();
        rig->neutral[j] = rig->look[j].rotation;
    }
    snw_body_place_neutral(m);
}

// ---------------------------------------------------------------------------------------------
// Joints in a row that turn as one: robots have a hinge where people have a ball

static bool is_one_part(const sinew_JointRole *a, const sinew_JointRole *b)
{
    bool is_trunk = a->role == SINEW_ROLE_SPINE || a->role == SINEW_ROLE_CHEST;
    if (is_trunk) { return b->role == SINEW_ROLE_SPINE || b->role == SINEW_ROLE_CHEST; }
    switch (a->role) {
    case SINEW_ROLE_THIGH:
    case SINEW_ROLE_FOOT:
    case SINEW_ROLE_UPPERARM:
    case SINEW_ROLE_HAND:
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD: return a->role == b->role && a->side == b->side;
    default: return false;
    }
}

// how many axes a joint has where all of them are hinges that move, else 0
static int count_hinges(const sinew_Skeleton *skeleton, const sinew_Joint *joint)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
        if (axes[a].kind != SINEW_AXIS_HINGE || !(axes[a].mobility > 0.0)) { return 0; }
    }
    return joint->axis_count;
}

void snw_rows_find(snw_BodyMeasure *m)
{
    const snw_StanceBody *rig = &m->rig;
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent, own = count_hinges(rig->skeleton, &rig->joints[j]);
        m->first[j] = j;
        m->hinges[j] = own;
        m->inner[j] = 0;
        bool goes_on = p > 0 && own > 0 && m->hinges[p] > 0 && m->inner[p] == 0
            && own + m->hinges[p] <= 3 && is_one_part(&rig->roles[p], &rig->roles[j]);
        if (!goes_on) { continue; }
        m->first[j] = m->first[p];
        m->hinges[j] += m->hinges[p];
        m->inner[p] = j;
    }
}

int snw_row_end(const snw_BodyMeasure *m, int joint)
{
    while (joint >= 0 && m->inner[joint] > 0) { joint = m->inner[joint]; }
    return joint;
}

static sinew_Vec3 hinge_in_world(const snw_BodyMeasure *m, const sinew_Axis *axis, int joint)
{
    return sinew_quat_rotate(m->pose[joint].rotation, axis->direction);
}

sinew_Vec3 snw_row_center(const snw_BodyMeasure *m, int last)
{
    enum { ROUNDS = 40 };
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    sinew_Vec3 at = m->pose[last].position;
    for (int round = 0; m->first[last] != last && round < ROUNDS; ++round) {
        sinew_Vec3 off = { 0.0, 0.0, 0.0 };
        for (int j = m->first[last]; j > 0; j = m->inner[j]) {
            const sinew_Joint *joint = &m->rig.joints[j];
            for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
                sinew_Vec3 d = hinge_in_world(m, &axes[a], j);
                sinew_Vec3 apart = sinew_vec3_sub(m->pose[j].position, at);
                apart = sinew_vec3_add_scaled(apart, d, -sinew_vec3_dot(d, apart));
                off = sinew_vec3_add_scaled(off, apart, 1.0 / m->hinges[last]);
            }
        }
        at = sinew_vec3_add(at, off);
    }
    return at;
}

double snw_row_off(const snw_BodyMeasure *m, int last, sinew_Vec3 point)
{
    const sinew_Axis *axes = sinew_skeleton_axes(m->rig.skeleton);
    double off = 0.0;
    for (int j = m->first[last]; j > 0; j = m->inner[j]) {
        const sinew_Joint *joint = &m->rig.joints[j];
        sinew_Vec3 apart = sinew_vec3_sub(m->pose[j].position, point);
        for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
            sinew_Vec3 across = sinew_vec3_cross(hinge_in_world(m, &axes[a], j), apart);
            off = snw_max(off, sinew_vec3_length(across));
        }
    }
    return off;
}
