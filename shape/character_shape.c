#include "shape/character_shape.h"

#include "sinew/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// fineness that the search for the right number of triangles starts at, and its factors: from so many
// triangles on, which the larger step does not bring below what is wanted, and near the end
#define FINEST 3.0
#define MOST_FINE 20.0
#define FAR_TOO_MANY (SNW_CHARACTER_TRIANGLES * 3 / 2)
#define MUCH_COARSER 0.85
#define COARSER 0.985
// more parts than this cannot be drawn with so few triangles: the shortest bones are left out
#define MOST_PARTS 600
// thickness of a stick figure against its size
#define STICK_RADIUS 0.0075
// limbs that part at one joint are so much thinner there than the one before, parts of their radius
#define APART 0.03
// heads of bodies that are no people, against their size
#define HEAD_CRANIUM 0.056
#define HEAD_JAW 0.040

// ---------------------------------------------------------------------------------------------
// Bodies that are no people, and stick figures: a rounded bone from joint to joint

typedef struct Capsule {
    sinew_Vec3 from, to;
    double from_radius, to_radius;
    int joints[2]; ///< that its two ends move with
    uint8_t material;
    bool swells;
} Capsule;

static void add_capsule(snw_Skin *skin, const Capsule *c, int sides, int rows)
{
    // rings of a rounded end: how far out they lie and how wide they are, parts of the radius; the last
    // one keeps the curve through them from swinging over
    enum { END = 6, COUNT = 2 * END + 1 };
    static const double out[END] = { 1.0, 0.93, 0.71, 0.38, 0.0, -0.5 };
    static const double wide[END] = { 0.05, 0.38, 0.71, 0.92, 1.0, 1.0 };
    const sinew_Vec3 way = sinew_vec3_sub(c->to, c->from);
    const double length = sinew_vec3_length(way);
    const sinew_Vec3 along = sinew_vec3_normalize_or(way, sinew_vec3(0.0, 1.0, 0.0));
    const sinew_Vec3 wish = fabs(along.y) < 0.8 ? sinew_vec3(0.0, 1.0, 0.0)
                                                : sinew_vec3(0.0, 0.0, 1.0);
    const sinew_Vec3 front = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(wish, along, -sinew_vec3_dot(wish, along)), wish);
    snw_Ring rings[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        const bool first = i < END;
        const int k = first ? i : COUNT - 1 - i; // ring of an end
        const double end_radius = first ? c->from_radius : c->to_radius;
        double at = 0.5 * length, radius = 0.5 * (c->from_radius + c->to_radius);
        if (k < END) {
            const double outward = fmax(out[k] * end_radius, -0.3 * length);
            at = first ? -outward : length + outward;
            radius = wide[k] * end_radius;
        } else if (c->swells) {
            radius *= 1.08;
        }
        memset(&rings[i], 0, sizeof rings[i]);
        rings[i].center = sinew_vec3_add_scaled(c->from, along, at);
        rings[i].front = front;
        rings[i].side = sinew_vec3_cross(front, along);
        rings[i].width = rings[i].front_reach = rings[i].back_reach = radius;
        rings[i].back_round = 1.0;
        rings[i].joints[0] = c->joints[0];
        rings[i].joints[1] = c->joints[1];
        rings[i].blend = first ? 0.0 : k < END ? 1.0 : 0.5;
    }
    snw_skin_loft(skin, rings, COUNT, sides, rows, c->material);
}

uint8_t snw_side_material(int side)
{
    if (side == SNW_SIDE_LEFT) { return SNW_MATERIAL_LEFT; }
    if (side == SNW_SIDE_RIGHT) { return SNW_MATERIAL_RIGHT; }
    if (side < SNW_SIDE_BRANCH) { return SNW_MATERIAL_MIDDLE; }
    return (uint8_t)(SNW_MATERIAL_BRANCH + (side - SNW_SIDE_BRANCH) % SNW_BRANCH_COUNT);
}

// a bone between joints; it turns with the first, and grows where the other one slides
static Capsule bone_of(const snw_Body *body, const sinew_Transform *world, int from, int to)
{
    const sinew_Joint *joint = &sinew_skeleton_joints(body->skeleton)[to];
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton) + joint->axis_start;
    Capsule c = { world[from].position, world[to].position, 0.0, 0.0, { from, from },
        snw_side_material(body->sides[to]), false };
    for (int a = 0; a < joint->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) { c.joints[1] = to; }
    }
    return c;
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

// bones that start where this one does, and come before it
static int parts_before(const snw_Body *body, int bone)
{
    int count = 0;
    for (int i = 0; i < bone && count < 10; ++i) {
        count += body->bones[i].from == body->bones[bone].from;
    }
    return count;
}

// below a joint alone, or all
static void add_bones(snw_Skin *skin, const snw_Body *body, const sinew_Transform *world, int below)
{
    const double shortest = shortest_drawn(body, world);
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int parts = 0;
    for (int i = 0; i < body->bone_count && parts < MOST_PARTS; ++i) {
        const snw_Bone *bone = &body->bones[i];
        if (bone->from < below || bone->from >= below + joints[below].subtree_count) { continue; }
        Capsule capsule = bone_of(body, world, bone->from, bone->to);
        if (sinew_vec3_distance(capsule.from, capsule.to) < shortest) { continue; }
        // limbs that part at one joint do not share a surface there
        capsule.from_radius = bone->from_radius * (1.0 - APART * parts_before(body, i));
        capsule.to_radius = bone->to_radius;
        capsule.swells = bone->limb;
        add_capsule(skin, &capsule, 12, 12);
        ++parts;
    }
}

// a ball where a head is, away from what it hangs on
static void add_head(snw_Skin *skin, const snw_Body *body, const sinew_Transform *world)
{
    const sinew_Vec3 at = world[body->head].position;
    const int neck = sinew_skeleton_joints(body->skeleton)[body->head].parent;
    sinew_Vec3 up = sinew_quat_rotate(
        sinew_quat_conjugate(body->upright), sinew_vec3(0.0, 1.0, 0.0));
    if (neck >= 0) { up = sinew_vec3_normalize_or(sinew_vec3_sub(at, world[neck].position), up); }
    const Capsule ball = { sinew_vec3_add_scaled(at, up, 0.030 * body->size),
        sinew_vec3_add_scaled(at, up, 0.072 * body->size), HEAD_JAW * body->size,
        HEAD_CRANIUM * body->size, { body->head, body->head }, SNW_MATERIAL_MIDDLE, false };
    add_capsule(skin, &ball, 12, 12);
}

static void add_sticks(snw_Skin *skin, const snw_Body *body, const sinew_Transform *world)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int j = 0; j < body->joint_count; ++j) {
        const int parent = joints[j].parent;
        if (parent < 0 || body->stray[j]) { continue; }
        Capsule capsule = bone_of(body, world, parent, j);
        if (sinew_vec3_distance(capsule.from, capsule.to) < 1e-4 * body->size) { continue; }
        capsule.from_radius = capsule.to_radius = STICK_RADIUS * body->size;
        add_capsule(skin, &capsule, 6, 6);
    }
}

// ---------------------------------------------------------------------------------------------
// The right number of triangles

typedef struct Source {
    const snw_Body *body;
    const sinew_Stance *stance;
    const sinew_Transform *world;
    snw_Form form;
} Source;

static bool add_person(snw_Skin *skin, const Source *source)
{
    const snw_Body *body = source->body;
    if (!snw_human_skin(skin, body->skeleton, body->roles, source->stance, source->world)) {
        return false;
    }
    for (int j = 0; j < body->joint_count; ++j) {
        // fingers are drawn as their joints say
        if (body->roles->joints[j].role == SINEW_ROLE_HAND
            && snw_human_has_fingers(body->skeleton, body->roles, j)) {
            add_bones(skin, body, source->world, j);
            j += sinew_skeleton_joints(body->skeleton)[j].subtree_count - 1;
        }
    }
    return true;
}

static void build_skin(snw_Skin *skin, const Source *source, double fineness)
{
    const snw_Body *body = source->body;
    snw_skin_destroy(skin);
    skin->fineness = fineness;
    skin->stripe = source->form == SNW_FORM_STRIPED ? SNW_MATERIAL_FIRST_STRIPE : 0;
    if (source->form == SNW_FORM_STICK) {
        add_sticks(skin, body, source->world);
    } else if (!add_person(skin, source)) {
        add_bones(skin, body, source->world, 0);
        if (body->head >= 0) { add_head(skin, body, source->world); }
    }
    if (skin->vertex_count == 0 && !skin->failed) {
        // a body without bones: a small rounded thing at its root
        const sinew_Vec3 root = source->world[0].position;
        const double radius = 0.08 * body->size;
        const Capsule ball = { root, root, radius, radius, { 0, 0 }, SNW_MATERIAL_MIDDLE, false };
        add_capsule(skin, &ball, 12, 12);
    }
}

static bool build_solid(snw_Skin *skin, const Source *source)
{
    double fineness = FINEST;
    // few parts are finer from the start: triangles that are missing are looked for one by one
    build_skin(skin, source, fineness);
    while (
        !skin->failed && skin->triangle_count < SNW_CHARACTER_TRIANGLES && fineness < MOST_FINE) {
        fineness *= 1.2;
        build_skin(skin, source, fineness);
    }
    do {
        build_skin(skin, source, fineness);
        fineness *= skin->triangle_count > FAR_TOO_MANY ? MUCH_COARSER : COARSER;
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

bool snw_character_shape(const snw_Body *body, const sinew_PoseList *motion, snw_Form form,
    snw_Skin *out_skin, sinew_Transform *out_world_from_joint)
{
    const sinew_Skeleton *skeleton = body->skeleton;
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *q);
    memset(out_skin, 0, sizeof *out_skin);
    sinew_Stance *stance = NULL;
    bool ready = q != NULL
        && sinew_stance_guess(skeleton, body->roles, motion, NULL, &stance, NULL)
            == SINEW_STATUS_OK;
    if (ready) {
        // a rest pose that is a figure shows the body's shape best
        const bool posed = stance->source > SINEW_STANCE_REST;
        sinew_pose_rest(skeleton, q);
        sinew_pose_forward(skeleton, posed ? stance->q : q, out_world_from_joint);
        const Source source = { body, stance, out_world_from_joint, form };
        if (form == SNW_FORM_STICK) {
            build_skin(out_skin, &source, 1.0);
            ready = !out_skin->failed;
        } else {
            ready = build_solid(out_skin, &source);
        }
    }
    sinew_stance_destroy(stance);
    free(q);
    if (!ready) { snw_skin_destroy(out_skin); }
    return ready;
}
