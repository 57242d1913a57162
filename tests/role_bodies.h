#ifndef TESTS_ROLE_BODIES_H
#define TESTS_ROLE_BODIES_H

// Bodies with names and the roles that their joints should get, for the tests of joint roles.

#include "sinew/role.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATURE 1.7
#define MAX_BONES 400

// ---------------------------------------------------------------------------------------------
// A body under construction: joints by name, places in the world, expected roles

typedef struct Bone {
    char name[64], role[24]; // role "" is not checked
    int parent;
    sinew_Vec3 place;
    bool is_fixed;
} Bone;

typedef struct Body {
    Bone bones[MAX_BONES];
    int count;
    bool is_robot;
} Body;

static inline int add_bone(
    Body *body, const char *name, const char *role, int parent, sinew_Vec3 place)
{
    TEST_TRUE(body->count < MAX_BONES);
    Bone *bone = &body->bones[body->count];
    snprintf(bone->name, sizeof bone->name, "%s", name);
    snprintf(bone->role, sizeof bone->role, "%s", role);
    bone->parent = parent;
    bone->place = place;
    bone->is_fixed = false;
    return body->count++;
}

static inline int find_bone(const Body *body, const char *name)
{
    for (int i = 0; i < body->count; ++i) {
        if (strcmp(body->bones[i].name, name) == 0) { return i; }
    }
    print_error("no bone %s\n", name);
    TEST_TRUE(false);
    return -1;
}

// a joint below another one, by a vector from it
static inline int hang(Body *body, const char *name, const char *role, const char *parent, double x,
    double y, double z)
{
    int p = find_bone(body, parent);
    return add_bone(body, name, role, p, sinew_vec3_add(body->bones[p].place, sinew_vec3(x, y, z)));
}

// a joint between a bone and its parent, a share t of the way
static inline void insert_above(
    Body *body, const char *name, const char *role, const char *below, double t)
{
    int b = find_bone(body, below);
    int parent = body->bones[b].parent;
    sinew_Vec3 place = sinew_vec3_lerp(body->bones[parent].place, body->bones[b].place, t);
    int added = add_bone(body, name, role, parent, place);
    body->bones[b].parent = added;
}

typedef struct Order {
    int bones[MAX_BONES];  // bone of each joint
    int joints[MAX_BONES]; // joint of each bone
    int count;
} Order;

static inline void visit(const Body *body, int bone, Order *order)
{
    order->joints[bone] = order->count;
    order->bones[order->count++] = bone;
    for (int i = 0; i < body->count; ++i) {
        if (body->bones[i].parent == bone) { visit(body, i, order); }
    }
}

static inline sinew_Skeleton *build(const Body *body, Order *order)
{
    static sinew_JointDef defs[MAX_BONES];
    static sinew_Axis axes[2];
    axes[0] = sinew_axis_ball();
    axes[1] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -1.0, 1.0);
    order->count = 0;
    for (int i = 0; i < body->count; ++i) {
        if (body->bones[i].parent < 0) { visit(body, i, order); }
    }
    for (int j = 0; j < order->count; ++j) {
        const Bone *bone = &body->bones[order->bones[j]];
        defs[j] = sinew_joint_def_default();
        defs[j].name = bone->name;
        defs[j].parent = bone->parent < 0 ? -1 : order->joints[bone->parent];
        defs[j].offset = bone->parent < 0
            ? bone->place
            : sinew_vec3_sub(bone->place, body->bones[bone->parent].place);
        defs[j].axes = &axes[body->is_robot ? 1 : 0];
        defs[j].axis_count = bone->is_fixed ? 0 : 1;
    }
    sinew_Skeleton *skeleton;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, order->count, NULL, &skeleton, &message), &message);
    return skeleton;
}

static inline sinew_RoleGuess *guess(const Body *body, const sinew_Skeleton *skeleton)
{
    sinew_RoleOptions options = sinew_role_options_default();
    options.is_robot = body->is_robot;
    sinew_RoleGuess *result;
    sinew_Message message = { "" };
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &result, &message), &message);
    return result;
}

static inline bool is_role(const char *expected, const char *found)
{
    if (strcmp(expected, "helper") == 0) {
        return strncmp(found, "helper", 6) == 0 || strncmp(found, "twist", 5) == 0
            || strncmp(found, "end", 3) == 0 || strcmp(found, "none") == 0;
    }
    return strcmp(expected, found) == 0;
}

// number of joints with a wrong role; prints them
static inline int check_body(const Body *body, const char *title, sinew_RoleGuess **out_guess)
{
    Order order;
    sinew_Skeleton *skeleton = build(body, &order);
    sinew_RoleGuess *result = guess(body, skeleton);
    int wrong = 0;
    for (int i = 0; i < body->count; ++i) {
        const sinew_JointRole *role = &result->joints[order.joints[i]];
        char found[32];
        sinew_role_name(role->role, role->side, role->number, found, sizeof found);
        if (body->bones[i].role[0] == '\0' || is_role(body->bones[i].role, found)) { continue; }
        print_message("    %s: '%s' is %s, want %s\n", title, body->bones[i].name, found,
            body->bones[i].role);
        ++wrong;
    }
    sinew_skeleton_destroy(skeleton);
    if (out_guess != NULL) {
        *out_guess = result;
    } else {
        sinew_roles_destroy(result);
    }
    return wrong;
}

// ---------------------------------------------------------------------------------------------
// The standard body. Names by role; several spines and necks in their order.

#define MAX_NAMES 64

typedef struct Names {
    char role[MAX_NAMES][24], name[MAX_NAMES][64];
    int count;
} Names;

static inline void add_name(Names *names, const char *role, const char *name)
{
    TEST_TRUE(names->count < MAX_NAMES);
    snprintf(names->role[names->count], sizeof names->role[0], "%s", role);
    snprintf(names->name[names->count++], sizeof names->name[0], "%s", name);
}

static const char *name_of(const Names *names, const char *role)
{
    for (int i = 0; i < names->count; ++i) {
        if (strcmp(names->role[i], role) == 0) { return names->name[i]; }
    }
    return NULL;
}

static inline int count_of(const Names *names, const char *start)
{
    int count = 0;
    for (int i = 0; i < names->count; ++i) {
        count += strncmp(names->role[i], start, strlen(start)) == 0;
    }
    return count;
}

// joints of the middle above a parent, evenly up to a height; returns the last one
static inline int add_column(
    Body *body, const Names *names, const char *start, int parent, double from, double to)
{
    int count = count_of(names, start), number = 0;
    for (int i = 0; i < names->count; ++i) {
        if (strncmp(names->role[i], start, strlen(start)) != 0) { continue; }
        ++number;
        double height = STATURE * (from + (to - from) * number / count);
        parent = add_bone(body, names->name[i], names->role[i], parent, sinew_vec3(0, height, 0));
    }
    return parent;
}

static inline int add_limb_joint(Body *body, const Names *names, const char *part, int side,
    int parent, double x, double y, double z)
{
    char role[24];
    snprintf(role, sizeof role, "%s_%c", part, side == 0 ? 'l' : 'r');
    const char *name = name_of(names, role);
    if (name == NULL) { return parent; }
    double sign = side == 0 ? 1.0 : -1.0;
    return add_bone(
        body, name, role, parent, sinew_vec3(sign * STATURE * x, STATURE * y, STATURE * z));
}

// lengths by Drillis and Contini; arms level or 45 degrees down
static inline void add_arm(Body *body, const Names *names, int side, int parent, bool is_a_pose)
{
    double slope = is_a_pose ? 0.7071 : 1.0, drop = is_a_pose ? 0.7071 : 0.0;
    parent = add_limb_joint(body, names, "clavicle", side, parent, 0.02, 0.815, 0.0);
    double x = 0.115, y = 0.815;
    parent = add_limb_joint(body, names, "upperarm", side, parent, x, y, 0.0);
    x += 0.17 * slope;
    y -= 0.17 * drop;
    parent = add_limb_joint(body, names, "forearm", side, parent, x, y, 0.0);
    x += 0.146 * slope;
    y -= 0.146 * drop;
    add_limb_joint(body, names, "hand", side, parent, x, y, 0.0);
}

static inline void add_leg(Body *body, const Names *names, int side, int parent)
{
    parent = add_limb_joint(body, names, "thigh", side, parent, 0.055, 0.53, 0.0);
    parent = add_limb_joint(body, names, "shin", side, parent, 0.055, 0.285, 0.0);
    parent = add_limb_joint(body, names, "foot", side, parent, 0.055, 0.039, 0.0);
    add_limb_joint(body, names, "toe", side, parent, 0.055, 0.01, 0.08);
}

static inline void add_standard_body(Body *body, const Names *names, bool is_a_pose)
{
    int hips = -1;
    const char *root = name_of(names, "root");
    if (root != NULL) { hips = add_bone(body, root, "root", -1, sinew_vec3(0, 0, 0)); }
    hips = add_bone(body, name_of(names, "hips"), "hips", hips, sinew_vec3(0, 0.55 * STATURE, 0));
    int legs = hips;
    const char *pelvis = name_of(names, "pelvis_extra");
    if (pelvis != NULL) {
        legs = add_bone(body, pelvis, "pelvis", hips, sinew_vec3(0, 0.545 * STATURE, 0));
    }
    for (int side = 0; side < 2; ++side) { add_leg(body, names, side, legs); }
    double chest_height = 0.77;
    int chest = add_column(body, names, "spine", hips, 0.55, 0.72);
    chest = add_column(body, names, "chest", chest, 0.72, chest_height);
    int neck = add_column(body, names, "neck", chest, chest_height, 0.87);
    add_bone(body, name_of(names, "head"), "head", neck, sinew_vec3(0, 0.91 * STATURE, 0));
    int arms = count_of(names, "chest") > 0 ? chest : neck; // key points have no chest
    for (int side = 0; side < 2; ++side) { add_arm(body, names, side, arms, is_a_pose); }
}

// ---------------------------------------------------------------------------------------------
// Tables of names and roles: folder of the environment SINEW_NOTES, else notes beside the data

/// A table, or NULL and a message where there is none.
static inline FILE *open_notes(const char *name)
{
    char path[1024];
    const char *notes = getenv("SINEW_NOTES"), *data = getenv("SINEW_DATA");
    if (notes != NULL) {
        snprintf(path, sizeof path, "%s/names/%s", notes, name);
    } else if (data != NULL) {
        snprintf(path, sizeof path, "%s/../notes/names/%s", data, name);
    } else {
        snprintf(path, sizeof path, "%s/../shared/notes/names/%s", SINEW_SOURCE_DIR, name);
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) { print_message("skipped: %s is not there\n", path); }
    return file;
}

static inline const char *read_field(const char *line, char *out_field, size_t size)
{
    size_t length = strcspn(line, ",\r\n");
    snprintf(out_field, size, "%.*s", (int)length, line);
    return line[length] == ',' ? line + length + 1 : line + length;
}
// ---------------------------------------------------------------------------------------------
// Naming schemes

// names of a common body: "hips spine,spine chest neck head" and limbs with %s for the side
typedef struct Scheme {
    const char *root, *hips, *spine1, *spine2, *chest, *neck, *head;
    const char *limbs[8]; // clavicle upperarm forearm hand thigh shin foot toe
    const char *left, *right;
} Scheme;

static inline void expand(const Scheme *scheme, Names *names)
{
    static const char *const parts[] = { "clavicle", "upperarm", "forearm", "hand", "thigh", "shin",
        "foot", "toe" };
    names->count = 0;
    if (scheme->root != NULL) { add_name(names, "root", scheme->root); }
    add_name(names, "hips", scheme->hips);
    add_name(names, "spine1", scheme->spine1);
    if (scheme->spine2 != NULL) { add_name(names, "spine2", scheme->spine2); }
    add_name(names, "chest", scheme->chest);
    add_name(names, "neck", scheme->neck);
    add_name(names, "head", scheme->head);
    for (int i = 0; i < 16; ++i) {
        const char *pattern = scheme->limbs[i / 2];
        if (pattern == NULL) { continue; }
        char role[24], name[64];
        snprintf(role, sizeof role, "%s_%c", parts[i / 2], i % 2 == 0 ? 'l' : 'r');
        const char *at = strchr(pattern, '*');
        snprintf(name, sizeof name, "%.*s%s%s", (int)(at - pattern), pattern,
            i % 2 == 0 ? scheme->left : scheme->right, at + 1);
        add_name(names, role, name);
    }
}

static inline void make(Body *body, const Scheme *scheme)
{
    static Names names;
    memset(body, 0, sizeof *body);
    expand(scheme, &names);
    add_standard_body(body, &names, false);
}

static const Scheme genesis = { NULL, "hip", "abdomenLower", "abdomenUpper", "chestUpper",
    "neckLower", "head",
    { "*Collar", "*ShldrBend", "*ForearmBend", "*Hand", "*ThighBend", "*Shin", "*Foot", "*Toe" },
    "l", "r" };
static const Scheme rigify = { NULL, "DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003",
    "DEF-spine.004", "DEF-spine.006",
    { "DEF-shoulder.*", "DEF-upper_arm.*", "DEF-forearm.*", "DEF-hand.*", "DEF-thigh.*",
        "DEF-shin.*", "DEF-foot.*", "DEF-toe.*" },
    "L", "R" };
static const Scheme unreal = { "root", "pelvis", "spine_01", "spine_02", "spine_03", "neck_01",
    "head",
    { "clavicle_*", "upperarm_*", "lowerarm_*", "hand_*", "thigh_*", "calf_*", "foot_*", "ball_*" },
    "l", "r" };
static const Scheme biped = { "Bip01", "Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1",
    "Bip01 Spine2", "Bip01 Neck", "Bip01 Head",
    { "Bip01 * Clavicle", "Bip01 * UpperArm", "Bip01 * Forearm", "Bip01 * Hand", "Bip01 * Thigh",
        "Bip01 * Calf", "Bip01 * Foot", "Bip01 * Toe0" },
    "L", "R" };
static const Scheme valve = { NULL, "ValveBiped.Bip01_Pelvis", "ValveBiped.Bip01_Spine",
    "ValveBiped.Bip01_Spine2", "ValveBiped.Bip01_Spine4", "ValveBiped.Bip01_Neck1",
    "ValveBiped.Bip01_Head1",
    { "ValveBiped.Bip01_*_Clavicle", "ValveBiped.Bip01_*_UpperArm", "ValveBiped.Bip01_*_Forearm",
        "ValveBiped.Bip01_*_Hand", "ValveBiped.Bip01_*_Thigh", "ValveBiped.Bip01_*_Calf",
        "ValveBiped.Bip01_*_Foot", "ValveBiped.Bip01_*_Toe0" },
    "L", "R" };
static const Scheme mmd = { "全ての親", "センター", "上半身", NULL, "上半身2", "首", "頭",
    { "*肩", "*腕", "*ひじ", "*手首", "*足", "*ひざ", "*足首", "*つま先" }, "左", "右" };
static const Scheme mixamo = { NULL, "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1",
    "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head",
    { "mixamorig:*Shoulder", "mixamorig:*Arm", "mixamorig:*ForeArm", "mixamorig:*Hand",
        "mixamorig:*UpLeg", "mixamorig:*Leg", "mixamorig:*Foot", "mixamorig:*ToeBase" },
    "Left", "Right" };
static const Scheme cmu = { NULL, "Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head",
    { "*Shoulder", "*Arm", "*ForeArm", "*Hand", "*UpLeg", "*Leg", "*Foot", "*ToeBase" }, "Left",
    "Right" };

#endif
