// Which joints of a body that is measured turn with which part of it.

#include "walk/walker_body.h"

#include "body/hips.h"

static double spine_share(const snw_BodyMeasure *m, int joint, int from, int to)
{
    double whole = sinew_skeleton_chain_length(m->rig.skeleton, from, to);
    if (joint == to || !(whole > 1e-9)) { return 1.0; }
    return sinew_skeleton_chain_length(m->rig.skeleton, from, joint) / whole;
}

static void choose_part(snw_BodyMeasure *m, int j, snw_WalkJoint *entry)
{
    const snw_StanceBody *rig = &m->rig;
    const sinew_JointRole *role = &rig->roles[j];
    int hips = snw_body_find(rig, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    int chest = snw_body_find(rig, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    int head = snw_row_end(m, snw_body_find(rig, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1));
    if (chest < 0) { chest = snw_body_find(rig, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, -1); }
    chest = snw_row_end(m, chest);
    entry->limb = role->side == SINEW_SIDE_RIGHT ? 1 : 0;
    switch (role->role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST:
        if (hips < 0 || chest < 0 || !sinew_skeleton_is_ancestor(rig->skeleton, j, chest)
            || rig->joints[j].parent < 0) {
            return;
        }
        entry->part = SNW_PART_TRUNK;
        entry->share = spine_share(m, j, hips, chest);
        return;
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD:
        if (chest < 0 || head < 0 || !sinew_skeleton_is_ancestor(rig->skeleton, j, head)) {
            return;
        }
        entry->part = SNW_PART_NECK;
        entry->share = spine_share(m, j, chest, head);
        return;
    case SINEW_ROLE_CLAVICLE: entry->part = SNW_PART_CLAVICLE; return;
    case SINEW_ROLE_UPPERARM: entry->part = SNW_PART_ARM_UPPER; return;
    case SINEW_ROLE_FOREARM: entry->part = SNW_PART_ARM_LOWER; return;
    case SINEW_ROLE_HAND: entry->part = SNW_PART_ARM_HAND; return;
    default: return;
    }
}

static void choose_leg_part(snw_BodyMeasure *m, int j, snw_WalkJoint *entry)
{
    for (int i = 0; i < m->body->leg_count; ++i) {
        snw_WalkLegBody *leg = &m->body->legs[i];
        if (leg->def.is_tip) { continue; }
        snw_LegPart part = SNW_PART_STILL;
        if (j == snw_row_end(m, leg->def.hip)) { part = SNW_PART_LEG_UPPER; }
        if (j == leg->def.knee) { part = SNW_PART_LEG_LOWER; }
        if (j == leg->def.ankle) { part = SNW_PART_LEG_FOOT; }
        if (j == leg->def.toe) { part = SNW_PART_LEG_TOE; }
        if (part == SNW_PART_STILL) { continue; }
        entry->part = part;
        entry->limb = i;
    }
}

// The joint that goes with the hips: the root, or hips that are free of it, as bodies of games have them.
static int find_carrier(const snw_BodyMeasure *m)
{
    int hips = snw_body_find(&m->rig, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    bool is_free = !m->body->on_tips && snw_hips_are_free(m->rig.skeleton, m->rig.roles, hips);
    for (int i = 0; i < m->body->leg_count && is_free; ++i) {
        is_free = snw_body_is_below(&m->rig, m->body->legs[i].def.hip, hips);
    }
    return is_free ? hips : 0;
}

void snw_body_list_joints(snw_BodyMeasure *m)
{
    snw_WalkBody *body = m->body;
    const snw_StanceBody *rig = &m->rig;
    int carrier = find_carrier(m);
    body->joint_count = 0;
    for (int j = 0; j < rig->count; ++j) {
        snw_WalkJoint entry = { .joint = j, .parent = -1, .part = SNW_PART_STILL, .share = 1.0 };
        choose_part(m, j, &entry);
        // arms of a body on tips are legs
        bool is_arm = entry.part >= SNW_PART_CLAVICLE && entry.part <= SNW_PART_ARM_HAND;
        if (body->on_tips && is_arm) { entry.part = SNW_PART_STILL; }
        choose_leg_part(m, j, &entry);
        if (j == carrier) { entry.part = SNW_PART_ROOT; }
        // all are kept at first; those that carry nothing go below
        entry.neutral = m->pose[j].rotation;
        entry.first = m->first[j];
        entry.set = snw_joint_set(rig->skeleton, m->first[j], j);
        body->joints[j] = entry;
    }
    // whether a joint or anything below it turns, from the leaves up
    for (int j = 0; j < rig->count; ++j) { rig->next[j] = body->joints[j].part != SNW_PART_STILL; }
    for (int j = rig->count - 1; j > 0; --j) {
        int p = rig->joints[j].parent;
        if (p >= 0 && rig->next[j]) { rig->next[p] = 1; }
    }
    // of each joint its place in the short list; written over flags that are not needed any more
    for (int j = 0; j < rig->count; ++j) {
        int p = rig->joints[j].parent;
        if (!rig->next[j] || m->inner[j] > 0) {
            // what hangs in the middle of a row hangs on what that hangs on
            rig->next[j] = rig->next[j] && p >= 0 ? rig->next[p] : -1;
            continue;
        }
        snw_WalkJoint entry = body->joints[j];
        entry.parent = p >= 0 ? rig->next[p] : -1;
        if (p >= 0) {
            int on = body->joints[entry.parent].joint;
            sinew_Vec3 apart = sinew_vec3_sub(snw_row_center(m, j), snw_row_center(m, on));
            entry.offset = sinew_quat_rotate(sinew_quat_conjugate(m->pose[on].rotation), apart);
        }
        entry.is_end = entry.part < SNW_PART_LEG_UPPER;
        if (entry.parent >= 0) { body->joints[entry.parent].is_end = false; }
        rig->next[j] = body->joint_count;
        body->joints[body->joint_count++] = entry;
    }
    for (int i = body->joint_count - 1; i >= 0; --i) {
        snw_WalkJoint *entry = &body->joints[i];
        entry->bears_leg = entry->bears_leg || entry->part >= SNW_PART_LEG_UPPER;
        if (entry->bears_leg && entry->parent >= 0) {
            body->joints[entry->parent].bears_leg = true;
        }
    }
    body->carrier = rig->next[carrier];
    sinew_Transform rest = sinew_pose_local(rig->skeleton, m->q, body->joints[0].joint);
    body->root_rest.rotation = sinew_quat_mul(m->world, rest.rotation);
    body->root_rest.position = sinew_quat_rotate(m->world, rest.position);
    for (int i = 0; i < body->leg_count; ++i) {
        snw_WalkLegBody *leg = &body->legs[i];
        leg->hip_entry = rig->next[snw_row_end(m, leg->def.hip)];
        leg->knee_entry = leg->def.knee >= 0 ? rig->next[leg->def.knee] : -1;
        leg->ankle_entry = rig->next[leg->def.ankle];
        leg->toe_entry = leg->def.toe >= 0 ? rig->next[leg->def.toe] : -1;
    }
}
