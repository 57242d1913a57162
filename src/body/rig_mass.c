// Masses by segment, and effectors.

#include "body/rig_guess.h"

#include "math/holds.h"

// of a body whose size nobody knows, kilograms
#define PLAIN_MASS 70.0
// kilograms per square metre of stature
#define MASS_INDEX 23.0
// how far the middle of the head is above its joint, in statures
#define HEAD_MIDDLE 0.06
#define PLAIN_STATURE 1.75
#define EFFECTOR_CAPACITY 64

// a segment and the joints that may carry it, the first that exists; SIDE stands for both sides
typedef struct Part {
    snw_HumanSegment segment;
    bool sided;
    sinew_Role carriers[5];
} Part;

// without a hand the forearm carries its mass, and so on inwards
static const Part parts[] = {
    { SNW_SEGMENT_HEAD, false,
        { SINEW_ROLE_HEAD, SINEW_ROLE_NECK, SINEW_ROLE_CHEST, SINEW_ROLE_HIPS } },
    { SNW_SEGMENT_UPPER_TRUNK, false, { SINEW_ROLE_CHEST, SINEW_ROLE_SPINE, SINEW_ROLE_HIPS } },
    { SNW_SEGMENT_LOWER_TRUNK, false, { SINEW_ROLE_HIPS, SINEW_ROLE_PELVIS } },
    { SNW_SEGMENT_UPPER_ARM, true, { SINEW_ROLE_UPPERARM, SINEW_ROLE_CLAVICLE } },
    { SNW_SEGMENT_FOREARM, true, { SINEW_ROLE_FOREARM, SINEW_ROLE_UPPERARM } },
    { SNW_SEGMENT_HAND, true, { SINEW_ROLE_HAND, SINEW_ROLE_FOREARM } },
    { SNW_SEGMENT_THIGH, true, { SINEW_ROLE_THIGH } },
    { SNW_SEGMENT_SHANK, true, { SINEW_ROLE_SHIN, SINEW_ROLE_THIGH } },
    { SNW_SEGMENT_FOOT, true, { SINEW_ROLE_FOOT, SINEW_ROLE_SHIN } },
};

// four digits are more than anybody knows
static double rounded(double value)
{
    return floor(value * 1e4 + 0.5) / 1e4;
}

// add a mass with its centre in the joint's frame, metres, to what the rig says of the joint
static sinew_Status add_mass(const snw_StanceBody *body, int joint, double mass, sinew_Vec3 center,
    double unit, sinew_Rig *rig)
{
    SNW_ASSERT(joint >= 0);
    char key[SNW_RIG_KEY_SIZE];
    sinew_rig_key(body->skeleton, joint, key, sizeof key);
    const sinew_RigJoint *known = sinew_rig_find_joint(rig, key);
    sinew_RigJoint out = known != NULL ? *known : sinew_rig_joint_default(key);
    double before = (out.has & SINEW_RIG_HAS_MASS) ? out.mass : 0.0;
    double whole = before + mass;
    sinew_Vec3 place = sinew_vec3_scale(center, 1.0 / unit);
    if (before > 0.0) { place = sinew_vec3_lerp(out.mass_center, place, mass / whole); }
    out.mass = rounded(whole);
    out.mass_center = sinew_vec3(rounded(place.x), rounded(place.y), rounded(place.z));
    out.has |= SINEW_RIG_HAS_MASS | SINEW_RIG_HAS_MASS_CENTER;
    return sinew_rig_set_joint(rig, &out);
}

// a share of the way from the joint to the far end of its bone, in the joint's frame
static sinew_Vec3 along_bone(const snw_StanceBody *body, int joint, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(joint >= 0);
    sinew_Vec3 center = { 0.0, 0.0, 0.0 };
    int next = body->next[joint];
    if (body->roles[joint].role == SINEW_ROLE_HEAD) {
        double stature = body->guess->stature > 0.0 ? body->guess->stature : PLAIN_STATURE;
        center = sinew_vec3_scale(body->up, HEAD_MIDDLE * stature);
    } else if (next >= 0) {
        center = sinew_vec3_scale(
            sinew_vec3_sub(body->look[next].position, body->look[joint].position), share);
    }
    return sinew_quat_rotate(sinew_quat_conjugate(body->look[joint].rotation), center);
}

static int carrier(const snw_StanceBody *body, const Part *part, sinew_Side side)
{
    for (int i = 0; i < 5 && part->carriers[i] != SINEW_ROLE_NONE; ++i) {
        int joint = snw_body_find(body, part->carriers[i], side, -1);
        if (joint >= 0) { return joint; }
    }
    return -1;
}

static sinew_Status add_part(const snw_StanceBody *body, const Part *part, sinew_Side side,
    double body_mass, double unit, sinew_Rig *rig)
{
    int joint = carrier(body, part, side);
    if (joint < 0) { return SINEW_STATUS_OK; }
    snw_HumanMass mass = snw_human_mass(part->segment);
    // what an inner segment carries for a missing one hangs at its far end
    bool own = body->roles[joint].role == part->carriers[0];
    return add_mass(body, joint, mass.share * body_mass,
        along_bone(body, joint, own ? mass.center : 1.0), unit, rig);
}

// the middle of the trunk by length over the joints between hips and chest
static sinew_Status add_middle_trunk(
    const snw_StanceBody *body, double body_mass, double unit, sinew_Rig *rig)
{
    double mass = snw_human_mass(SNW_SEGMENT_MIDDLE_TRUNK).share * body_mass, length = 0.0;
    int count = 0;
    for (int j = 0; j < body->count; ++j) {
        if (body->roles[j].role != SINEW_ROLE_SPINE) { continue; }
        ++count;
        length += sinew_vec3_length(along_bone(body, j, 1.0));
    }
    if (count == 0) {
        Part trunk = { SNW_SEGMENT_MIDDLE_TRUNK, false, { SINEW_ROLE_CHEST, SINEW_ROLE_HIPS } };
        int joint = carrier(body, &trunk, SINEW_SIDE_NONE);
        return joint < 0 ? SINEW_STATUS_OK
                         : add_mass(body, joint, mass, along_bone(body, joint, 0.0), unit, rig);
    }
    sinew_Status status = SINEW_STATUS_OK;
    for (int j = 0; j < body->count && status == SINEW_STATUS_OK; ++j) {
        if (body->roles[j].role != SINEW_ROLE_SPINE) { continue; }
        double own = sinew_vec3_length(along_bone(body, j, 1.0));
        double share = length > 1e-9 ? own / length : 1.0 / count;
        status = add_mass(body, j, share * mass, along_bone(body, j, 0.5), unit, rig);
    }
    return status;
}

static bool has_mass(const sinew_Skeleton *skeleton)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (joints[j].mass > 0.0) { return true; }
    }
    return false;
}

sinew_Status snw_rig_guess_masses(
    const snw_StanceBody *body, const sinew_RigOptions *options, sinew_Rig *rig)
{
    bool is_human = body->guess->kind == SINEW_BODY_HUMANOID
        || body->guess->kind == SINEW_BODY_UPPER_BODY;
    if (!is_human || options->is_robot || has_mass(body->skeleton)) { return SINEW_STATUS_OK; }
    double stature = body->guess->stature;
    double mass = stature > 0.0 ? MASS_INDEX * stature * stature : PLAIN_MASS;
    if (options->body_mass > 0.0) { mass = options->body_mass; }
    sinew_Status status = add_middle_trunk(body, mass, options->unit, rig);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == SINEW_STATUS_OK; ++i) {
        if (!parts[i].sided) {
            status = add_part(body, &parts[i], SINEW_SIDE_NONE, mass, options->unit, rig);
            continue;
        }
        status = add_part(body, &parts[i], SINEW_SIDE_LEFT, mass, options->unit, rig);
        if (status == SINEW_STATUS_OK) {
            status = add_part(body, &parts[i], SINEW_SIDE_RIGHT, mass, options->unit, rig);
        }
    }
    return status;
}

// tips are called as the finger that they are of, the end of an arm without roles is its tool
static void effector_name(const snw_StanceBody *body, int joint, char *out_name, size_t size)
{
    SNW_ASSERT(joint >= 0);
    int j = joint;
    while (j >= 0
        && (body->roles[j].role == SINEW_ROLE_NONE || body->roles[j].role == SINEW_ROLE_END)) {
        j = body->joints[j].parent;
    }
    if (j < 0) {
        sinew_role_name(SINEW_ROLE_END, SINEW_SIDE_NONE, 0, out_name, size);
        return;
    }
    const sinew_JointRole *r = &body->roles[j];
    sinew_role_name(r->role, r->side, r->number, out_name, size);
}

sinew_Status snw_rig_guess_effectors(const snw_StanceBody *body, sinew_Rig *rig)
{
    int joints[EFFECTOR_CAPACITY];
    int count = sinew_roles_effectors(body->guess, joints, EFFECTOR_CAPACITY);
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < count && i < EFFECTOR_CAPACITY && status == SINEW_STATUS_OK; ++i) {
        char key[SNW_RIG_KEY_SIZE], name[64];
        sinew_rig_key(body->skeleton, joints[i], key, sizeof key);
        effector_name(body, joints[i], name, sizeof name);
        sinew_RigEffector effector = { name, key, { 0.0, 0.0, 0.0 } };
        status = sinew_rig_set_effector(rig, &effector);
    }
    return status;
}
