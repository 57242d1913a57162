#include "shape/character_shape.h"

#include "shape/body.h"
#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// fineness that the search for the right number of triangles starts at, and its factor
#define FINEST 3.0
#define COARSER 0.985
// more parts than this cannot be drawn with so few triangles: the shortest bones are left out
#define MOST_PARTS 600
// thickness of a stick figure against its size
#define STICK_RADIUS 0.0075

// ---------------------------------------------------------------------------------------------
// Bodies that are no people, and stick figures: a rounded bone from joint to joint

typedef struct Capsule {
    int from, to;
    double from_radius, to_radius;
    uint8_t material;
    bool swells;
} Capsule;

static void add_capsule(
    snw_Skin *skin, const sinew_Transform *world, const Capsule *c, int sides, int rows)
{
    enum { COUNT = 9 };
    static const double around[3] = { 0.06, 0.62, 0.93 }; // radius of the rounded ends
    static const double out[3] = { 1.0, 0.78, 0.36 };     // how far out that ring lies
    const sinew_Vec3 a = world[c->from].position, b = world[c->to].position;
    const sinew_Vec3 way = sinew_vec3_sub(b, a);
    const double length = sinew_vec3_length(way);
    const sinew_Vec3 along = sinew_vec3_normalize_or(way, sinew_vec3(0.0, 1.0, 0.0));
    const sinew_Vec3 wish = fabs(along.y) < 0.8 ? sinew_vec3(0.0, 1.0, 0.0)
                                                : sinew_vec3(0.0, 0.0, 1.0);
    const sinew_Vec3 front = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(wish, along, -sinew_vec3_dot(wish, along)), wish);
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        double at, radius;
        if (i < 3) {
            at = -c->from_radius * out[i];
            radius = c->from_radius * around[i];
        } else if (i >= COUNT - 3) {
            at = length + c->to_radius * out[COUNT - 1 - i];
            radius = c->to_radius * around[COUNT - 1 - i];
        } else {
            const double t = (i - 3) / 2.0;
            at = t * length;
            radius = c->from_radius + t * (c->to_radius - c->from_radius);
            if (i == 4 && c->swells) { radius *= 1.08; }
        }
        memset(&rings[i], 0, sizeof rings[i]);
        rings[i].center = sinew_vec3_add_scaled(a, along, at);
        rings[i].front = front;
        rings[i].side = sinew_vec3_cross(front, along);
        rings[i].width = rings[i].front_reach = rings[i].back_reach = radius;
        rings[i].back_round = 1.0;
        rings[i].joints[0] = rings[i].joints[1] = c->from;
    }
    snw_skin_loft(skin, rings, COUNT, sides, rows, c->material);
}

static uint8_t material_of_side(int side)
{
    if (side == SNW_SIDE_LEFT) { return SNW_MATERIAL_LEFT; }
    if (side == SNW_SIDE_RIGHT) { return SNW_MATERIAL_RIGHT; }
    return side >= SNW_SIDE_BRANCH && side % 2 != 0 ? SNW_MATERIAL_LEFT : SNW_MATERIAL_MIDDLE;
}

static int compare_lengths(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

// length that bones must have to be drawn
static double shortest_drawn(const snw_Body *body, const sinew_Transform *world)
{
    if (body->bone_count <= MOST_PARTS) { return 0.0; }
    double *lengths = malloc((size_t)body->bone_count * sizeof *lengths);
    if (!lengths) { return 0.0; }
    for (int i = 0; i < body->bone_count; ++i) {
        lengths[i] = sinew_vec3_distance(
            world[body->bones[i].from].position, world[body->bones[i].to].position);
    }
    qsort(lengths, (size_t)body->bone_count, sizeof *lengths, compare_lengths);
    const double shortest = lengths[MOST_PARTS];
    free(lengths);
    return shortest * (1.0 + 1e-12);
}

static void add_bones(snw_Skin *skin, const snw_Body *body, const sinew_Transform *world)
{
    const double shortest = shortest_drawn(body, world);
    int parts = 0;
    for (int i = 0; i < body->bone_count && parts < MOST_PARTS; ++i) {
        const snw_Bone *bone = &body->bones[i];
        const double length = sinew_vec3_distance(
            world[bone->from].position, world[bone->to].position);
        if (body->stray[bone->to] || length < shortest) { continue; }
        const Capsule capsule = { bone->from, bone->to, bone->from_radius, bone->to_radius,
            material_of_side(bone->side), bone->limb };
        add_capsule(skin, world, &capsule, 12, 12);
        ++parts;
    }
}

static void add_sticks(snw_Skin *skin, const snw_Body *body, const sinew_Transform *world)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int j = 0; j < body->joint_count; ++j) {
        const int parent = joints[j].parent;
        if (parent < 0 || body->stray[j]) { continue; }
        const double length = sinew_vec3_distance(world[parent].position, world[j].position);
        if (length < 1e-4 * body->size) { continue; }
        const double radius = STICK_RADIUS * body->size;
        const Capsule capsule = { parent, j, radius, radius, material_of_side(body->sides[j]),
            false };
        add_capsule(skin, world, &capsule, 6, 6);
    }
}

// ---------------------------------------------------------------------------------------------
// The right number of triangles

typedef struct Source {
    const sinew_Skeleton *skeleton;
    const sinew_RoleGuess *roles; // NULL: no person
    const sinew_Stance *stance;
    const snw_Body *body;
    const sinew_Transform *world;
} Source;

static void build_skin(snw_Skin *skin, const Source *source, double fineness, bool solid)
{
    snw_skin_destroy(skin);
    skin->fineness = fineness;
    const bool person = solid && source->roles != NULL
        && snw_human_skin(skin, source->skeleton, source->roles, source->stance, source->world);
    if (!solid) {
        add_sticks(skin, source->body, source->world);
    } else if (!person) {
        add_bones(skin, source->body, source->world);
    }
    if (skin->vertex_count == 0 && !skin->failed) {
        // a body without bones: a small rounded thing at its root
        const Capsule root = { 0, 0, 0.05, 0.05, SNW_MATERIAL_MIDDLE, false };
        add_capsule(skin, source->world, &root, 12, 12);
    }
}

static bool build_solid(snw_Skin *skin, const Source *source)
{
    double fineness = FINEST;
    do {
        build_skin(skin, source, fineness, true);
        fineness *= COARSER;
    } while (!skin->failed && skin->triangle_count > SNW_CHARACTER_TRIANGLES && fineness > 0.01);
    return snw_skin_fill_up(skin, SNW_CHARACTER_TRIANGLES);
}

// ---------------------------------------------------------------------------------------------

void snw_skin_normals(const snw_Skin *skin, sinew_Vec3 *out_normals)
{
    for (int v = 0; v < skin->vertex_count; ++v) { out_normals[v] = sinew_vec3(0.0, 0.0, 0.0); }
    for (int t = 0; t < skin->triangle_count; ++t) {
        const uint32_t *i = skin->indices + 3 * (size_t)t;
        const sinew_Vec3 a = skin->vertices[i[0]].position;
        // as long as the triangle is large
        const sinew_Vec3 n = sinew_vec3_cross(sinew_vec3_sub(skin->vertices[i[1]].position, a),
            sinew_vec3_sub(skin->vertices[i[2]].position, a));
        for (int k = 0; k < 3; ++k) { out_normals[i[k]] = sinew_vec3_add(out_normals[i[k]], n); }
    }
    for (int v = 0; v < skin->vertex_count; ++v) {
        out_normals[v] = sinew_vec3_normalize_or(out_normals[v], sinew_vec3(0.0, 1.0, 0.0));
    }
}

bool snw_character_shape(const sinew_Skeleton *skeleton, const sinew_PoseList *motion, bool solid,
    snw_Skin *out_skin, sinew_Transform *out_world_from_joint)
{
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *q);
    snw_Body body;
    memset(&body, 0, sizeof body);
    memset(out_skin, 0, sizeof *out_skin);
    sinew_RoleGuess *roles = NULL;
    sinew_Stance *stance = NULL;
    bool ready = q != NULL;
    if (ready) {
        sinew_pose_rest(skeleton, q);
        sinew_RoleOptions options = sinew_role_options_default();
        options.motion = motion;
        ready = sinew_roles_guess(skeleton, &options, NULL, &roles, NULL) == SINEW_STATUS_OK
            && sinew_stance_guess(skeleton, roles, motion, NULL, &stance, NULL) == SINEW_STATUS_OK
            && snw_body_create(skeleton, sinew_vec3(0.0, 0.0, 0.0), motion, &body);
    }
    if (ready) {
        const bool person = stance->source != SINEW_STANCE_NONE;
        // a rest pose that is a figure shows the body's shape best
        const bool posed = stance->source > SINEW_STANCE_REST;
        sinew_pose_forward(skeleton, posed ? stance->q : q, out_world_from_joint);
        const Source source = { skeleton, person ? roles : NULL, stance, &body,
            out_world_from_joint };
        if (solid) {
            ready = build_solid(out_skin, &source);
        } else {
            build_skin(out_skin, &source, 1.0, false);
            ready = !out_skin->failed;
        }
    }
    snw_body_destroy(&body);
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    free(q);
    if (!ready) { snw_skin_destroy(out_skin); }
    return ready;
}
