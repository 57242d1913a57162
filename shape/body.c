#include "shape/body.h"

#include "sinew/role.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a bone is this thick against its length, and within these parts of the body's size
#define RADIUS_PER_LENGTH 0.18
#define THINNEST 0.006
#define THICKEST 0.050

// an end is stray when its bone is longer than this part of what the other joints span, and than
// this many usual bones; bodies with fewer bones have no usual one
#define STRAY_PER_SPAN 0.35
#define STRAY_PER_BONE 4.0
#define STRAY_LEAST_BONES 6
// or when it is longer than that part and than this many times its twin on the other side
#define UNLIKE_PER_SPAN 0.12
#define UNLIKE_PER_TWIN 4.0

// ---------------------------------------------------------------------------------------------
// Sides

// a joint without a side of its own, a twist or helper, is on its parent's
static bool mark_sides_by_role(snw_Body *body)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    bool left = false, right = false;
    for (int j = 0; j < body->joint_count; ++j) {
        int parent = joints[j].parent;
        sinew_Side side = body->roles->joints[j].side;
        body->sides[j] = side == SINEW_SIDE_LEFT ? SNW_SIDE_LEFT
            : side == SINEW_SIDE_RIGHT           ? SNW_SIDE_RIGHT
            : parent >= 0                        ? body->sides[parent]
                                                 : SNW_SIDE_MIDDLE;
        left = left || body->sides[j] == SNW_SIDE_LEFT;
        right = right || body->sides[j] == SNW_SIDE_RIGHT;
    }
    return left && right;
}

// a joint beside the middle whose mirror image exists starts a side; +X is left
static bool mark_sides_by_place(snw_Body *body, const sinew_Vec3 *rest)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    const double near = 0.02 * body->size;
    int starts = 0, lonely = 0;
    for (int j = 0; j < body->joint_count; ++j) { body->sides[j] = SNW_SIDE_MIDDLE; }
    if (body->joint_count > 2000) { return false; }
    for (int j = 0; j < body->joint_count; ++j) {
        int parent = joints[j].parent;
        if (parent >= 0 && body->sides[parent] != SNW_SIDE_MIDDLE) {
            body->sides[j] = body->sides[parent];
            continue;
        }
        if (body->stray[j] || fabs(rest[j].x - rest[0].x) < near) { continue; }
        sinew_Vec3 image = rest[j];
        image.x = 2.0 * rest[0].x - image.x;
        ++lonely;
        for (int k = 0; k < body->joint_count; ++k) {
            if (k != j && sinew_vec3_distance(image, rest[k]) < near) {
                body->sides[j] = rest[j].x > rest[0].x ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
                ++starts;
                --lonely;
                break;
            }
        }
    }
    // a hand has a few pairs by chance
    return starts > 2 * lonely;
}

// children with a subtree of their own
static int count_branches(const snw_Body *body, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int count = 0;
    int end = joint + joints[joint].subtree_count;
    for (int j = joint + 1; j < end; j += joints[j].subtree_count) {
        count += joints[j].subtree_count > 1 && !body->stray[j];
    }
    return count;
}

// the fingers of a hand: each branch of the joint with most of them gets its own colour
static void mark_branches(snw_Body *body)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int palm = 0, most = 0;
    for (int j = 0; j < body->joint_count; ++j) {
        body->sides[j] = SNW_SIDE_MIDDLE;
        int count = count_branches(body, j);
        if (count > most) {
            most = count;
            palm = j;
        }
    }
    if (most < 3) { return; }
    int side = SNW_SIDE_BRANCH;
    int end = palm + joints[palm].subtree_count;
    for (int j = palm + 1; j < end; j += joints[j].subtree_count) {
        if (joints[j].subtree_count < 2 || body->stray[j]) { continue; }
        for (int k = j; k < j + joints[j].subtree_count; ++k) { body->sides[k] = side; }
        ++side;
    }
}

// ---------------------------------------------------------------------------------------------
// Size, head, torso, ends

static bool is_leaf(const sinew_Joint *joints, int j)
{
    return joints[j].subtree_count == 1;
}

static int count_leaves(const snw_Body *body, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int count = 0;
    for (int j = joint; j < joint + joints[joint].subtree_count; ++j) {
        count += is_leaf(joints, j);
    }
    return count;
}

static int compare_lengths(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

// the length that half of the bones that have one do not reach; 0 for too few
static double usual_bone(const snw_Body *body, double *scratch)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int count = 0;
    for (int j = 1; j < body->joint_count; ++j) {
        double length = sinew_vec3_length(joints[j].offset);
        if (joints[j].parent >= 0 && length > 1e-9) { scratch[count++] = length; }
    }
    if (count < STRAY_LEAST_BONES) { return 0.0; }
    qsort(scratch, (size_t)count, sizeof *scratch, compare_lengths);
    return scratch[count / 2];
}

// what hangs on a joint is at its place: the joint ends a bone
static bool is_tip(const snw_Body *body, int j, double span)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int k = j + 1; k < j + joints[j].subtree_count; ++k) {
        if (sinew_vec3_length(joints[k].offset) > 1e-3 * span) { return false; }
    }
    return true;
}

// a joint that moves nothing beside a shorter bone on which the limb goes on: it shapes a skin
static bool is_helper(const snw_Body *body, int j, double span)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int parent = joints[j].parent;
    double longest = 0.0;
    if (is_leaf(joints, j)) { return false; }
    int end = parent + joints[parent].subtree_count;
    for (int k = parent + 1; k < end; k += joints[k].subtree_count) {
        if (!is_tip(body, k, span)) {
            longest = fmax(longest, sinew_vec3_length(joints[k].offset));
        }
    }
    return longest > 0.0 && sinew_vec3_length(joints[j].offset) > 1.2 * longest;
}

// extent of the joints that carry others
static double measure_span(const snw_Body *body, const sinew_Vec3 *rest)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    sinew_Vec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int j = 0; j < body->joint_count; ++j) {
        // a root with one child may be the foot of a stick, and an end's own end tells nothing
        bool ends = is_leaf(joints, j)
            || (joints[j].subtree_count == 2 && sinew_vec3_length(joints[j + 1].offset) < 1e-9);
        if (ends || (j == 0 && joints[1].subtree_count == body->joint_count - 1)) { continue; }
        low = sinew_vec3(fmin(low.x, rest[j].x), fmin(low.y, rest[j].y), fmin(low.z, rest[j].z));
        high = sinew_vec3(
            fmax(high.x, rest[j].x), fmax(high.y, rest[j].y), fmax(high.z, rest[j].z));
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

// Recordings carry ends of bones and helpers for skins that were never set and point anywhere.
static void mark_stray_ends(snw_Body *body, const sinew_Vec3 *rest, double *scratch)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    double usual = usual_bone(body, scratch);
    if (usual == 0.0 || body->joint_count > 2000) { return; }
    double span = measure_span(body, rest);
    if (!(span > 1e-9)) { return; }
    for (int j = 1; j < body->joint_count; ++j) {
        double length = sinew_vec3_length(joints[j].offset);
        int parent = joints[j].parent;
        if (parent < 0 || length < UNLIKE_PER_SPAN * span || !is_tip(body, j, span)) { continue; }
        bool absurd = length > STRAY_PER_SPAN * span && length > STRAY_PER_BONE * usual;
        int twin = body->roles->mirror[j];
        bool unlike = twin >= 0 && twin != j && is_tip(body, twin, span)
            && length > UNLIKE_PER_TWIN * sinew_vec3_length(joints[twin].offset);
        body->stray[j] = absurd || unlike || is_helper(body, j, span);
    }
    // what hangs on a stray joint is drawn nowhere else
    for (int j = 1; j < body->joint_count; ++j) {
        int parent = joints[j].parent;
        body->stray[j] = body->stray[j] || (parent >= 0 && body->stray[parent]);
    }
}

static bool has_axes(const sinew_Joint *joints, int first, int end)
{
    for (int j = first; j < end; ++j) {
        if (joints[j].axis_count > 0) { return true; }
    }
    return false;
}

// Frames and sensors fixed to a machine beside joints that move show nothing of a pose.
static void mark_fittings(snw_Body *body)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    if (body->joint_count > 2000) { return; }
    for (int part = 0; part < body->joint_count; ++part) {
        const int end = part + joints[part].subtree_count;
        const bool turns = part == 0 || joints[part].axis_count > 0;
        if (!turns || !has_axes(joints, part + 1, end)) { continue; }
        for (int j = part + 1; j < end; ++j) {
            if (joints[j].axis_count > 0) {
                j += joints[j].subtree_count - 1; // belongs to another part
            } else if (!has_axes(joints, j, j + joints[j].subtree_count)) {
                body->stray[j] = true;
            }
        }
    }
}

// A body carried by a long stick from the world's origin: the stick is no bone. Nor is what a person's hips hang
// on, however long it is: a root that stays behind or lies on the floor.
static bool is_stick(const snw_Body *body, int j)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    const int hips = body->hips;
    if (j <= hips && joints[hips].subtree_count == body->joint_count - hips) { return true; }
    return joints[j].parent == 0 && joints[j].subtree_count == body->joint_count - 1
        && sinew_vec3_length(joints[j].offset) > 0.3 * body->size && count_leaves(body, 0) >= 3;
}

static double measure_size(const snw_Body *body, const sinew_Vec3 *rest, int first)
{
    sinew_Vec3 low = rest[first], high = rest[first];
    for (int j = first; j < body->joint_count; ++j) {
        low = sinew_vec3(fmin(low.x, rest[j].x), fmin(low.y, rest[j].y), fmin(low.z, rest[j].z));
        high = sinew_vec3(
            fmax(high.x, rest[j].x), fmax(high.y, rest[j].y), fmax(high.z, rest[j].z));
    }
    sinew_Vec3 extent = sinew_vec3_sub(high, low);
    double size = fmax(extent.x, fmax(extent.y, extent.z));
    return isfinite(size) && size > 1e-9 ? size : 0.0;
}

// drawn, and nothing below it is
static bool is_end(const snw_Body *body, int j)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    for (int k = j + 1; k < j + joints[j].subtree_count; ++k) {
        if (!body->stray[k]) { return false; }
    }
    return !body->stray[j];
}

// the end of each limb that is farthest out; the others (fingers) come after them
static void find_ends(snw_Body *body, const sinew_Vec3 *rest)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    body->end_count = 0;
    int last_owner = -1;
    for (int j = 0; j < body->joint_count; ++j) {
        if (!is_end(body, j)) { continue; }
        // the limb of a leaf starts where more than fingers part: its highest joint with one side
        int owner = j;
        while (joints[owner].parent >= 0 && body->sides[joints[owner].parent] == body->sides[j]
            && body->sides[j] != SNW_SIDE_MIDDLE) {
            owner = joints[owner].parent;
        }
        if (owner == last_owner && body->end_count > 0) {
            int *last = &body->ends[body->end_count - 1];
            if (sinew_vec3_distance(rest[j], rest[owner])
                > sinew_vec3_distance(rest[*last], rest[owner])) {
                *last = j;
            }
            continue;
        }
        body->ends[body->end_count++] = j;
        last_owner = owner;
    }
    if (body->end_count == 0) { body->ends[body->end_count++] = body->joint_count - 1; }
}

static void find_legs(snw_Body *body, const sinew_Vec3 *rest)
{
    // a person's legs have names, and its rest pose may be no figure
    if (sinew_roles_find(body->roles, SINEW_ROLE_FOOT, SINEW_SIDE_LEFT, -1) >= 0
        && sinew_roles_find(body->roles, SINEW_ROLE_FOOT, SINEW_SIDE_RIGHT, -1) >= 0) {
        body->has_legs = true;
        return;
    }
    double low = INFINITY, high = -INFINITY, wide = 0.0;
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    int feet = 0;
    for (int j = 0; j < body->joint_count; ++j) {
        low = fmin(low, rest[j].y);
        high = fmax(high, rest[j].y);
        wide = fmax(wide, fmax(fabs(rest[j].x - rest[0].x), fabs(rest[j].z - rest[0].z)));
    }
    for (int j = 0; j < body->joint_count; ++j) {
        feet += is_leaf(joints, j) && rest[j].y < low + 0.12 * (high - low);
    }
    body->has_legs = feet >= 2 && rest[0].y > low + 0.2 * (high - low) && high - low > 0.15 * wide;
}

// ---------------------------------------------------------------------------------------------
// Bones

static void add_bones(snw_Body *body, double *end_radius)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    const double size = body->size;
    const bool single = count_leaves(body, 0) == 1;
    body->bone_count = 0;
    end_radius[0] = 0.0;
    for (int j = 0; j < body->joint_count; ++j) {
        int parent = joints[j].parent;
        double length = sinew_vec3_length(joints[j].offset);
        if (parent < 0) {
            end_radius[j] = 0.0;
            continue;
        }
        if (!(length > 1e-4 * size)) {
            end_radius[j] = end_radius[parent];
            continue;
        }
        if (is_stick(body, j) || body->stray[j]) {
            end_radius[j] = 0.0;
            continue;
        }

        // a chain goes on with the thickness its last bone ended with, at most
        double radius = single ? fmin(0.30 * length, 0.035 * size)
                               : fmin(RADIUS_PER_LENGTH * length, THICKEST * size);
        if (end_radius[parent] > 0.0) { radius = fmin(radius, 1.12 * end_radius[parent]); }
        radius = fmax(radius, fmax(0.085 * length, THINNEST * size));
        radius = fmin(radius, THICKEST * size);
        double taper = 1.0 - 0.34 * fmin(1.0, length / (0.2 * size));

        snw_Bone bone = { parent, j, radius, radius * taper, body->sides[j], length > 0.05 * size };
        body->bones[body->bone_count++] = bone;
        // where limbs part, each starts with its own thickness
        bool parts = count_branches(body, j) > 1 || body->sides[j] == SNW_SIDE_MIDDLE;
        end_radius[j] = parts && !single ? 0.0 : bone.to_radius;
    }
}

// From the middle of the ankles to that of the shoulders, or of the hips: as stances are seen (src/body/stance_look.c).
// Not every body shows a head: the joint of that name is on the pelvis on Unitree's G1. Zero without legs.
static sinew_Vec3 standing_line(const snw_Body *body, const sinew_Transform *world)
{
    static const sinew_Role roles[3] = { SINEW_ROLE_FOOT, SINEW_ROLE_UPPERARM, SINEW_ROLE_THIGH };
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    sinew_Vec3 middle[3];
    bool seen[3];
    for (int i = 0; i < 3; ++i) {
        int left = sinew_roles_find(body->roles, roles[i], SINEW_SIDE_LEFT, 0);
        int right = sinew_roles_find(body->roles, roles[i], SINEW_SIDE_RIGHT, 0);
        seen[i] = left >= 0 && right >= 0;
        if (seen[i]) {
            middle[i] = sinew_vec3_lerp(world[left].position, world[right].position, 0.5);
        }
    }
    if (!seen[0] || !(seen[1] || seen[2])) { return none; }
    return sinew_vec3_normalize_or(sinew_vec3_sub(middle[seen[1] ? 1 : 2], middle[0]), none);
}

// world: of the pose that is a figure; the motion's are put in its place.
static bool choose_upright(
    snw_Body *body, sinew_Vec3 up, const sinew_PoseList *motion, sinew_Transform *world)
{
    const sinew_Vec3 y = { 0.0, 1.0, 0.0 };
    body->upright = sinew_quat_identity();
    if (sinew_vec3_is_finite(up) && sinew_vec3_length(up) > 0.0) {
        body->upright = sinew_quat_between(sinew_vec3_normalize_or(up, y), y);
        return true;
    }
    if (motion == NULL || motion->count < 1) { return false; }

    // a file is lying when its rest pose and its motion, in the middle frame, both stand along another axis than Y
    int width = sinew_skeleton_coordinate_count(body->skeleton);
    sinew_Vec3 rest_line = standing_line(body, world);
    sinew_pose_forward(
        body->skeleton, motion->q + (size_t)(motion->count / 2) * (size_t)width, world);
    sinew_Vec3 line = standing_line(body, world);
    const sinew_Vec3 axes[5] = { { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 },
        { 0, -1, 0 } };
    for (int i = 0; i < 5; ++i) {
        if (sinew_vec3_dot(axes[i], rest_line) > 0.85 && sinew_vec3_dot(axes[i], line) > 0.75) {
            body->upright = sinew_quat_between(axes[i], y);
            return true;
        }
    }
    return false;
}

sinew_Vec3 snw_body_place(const snw_Body *body, sinew_Vec3 place_of_file)
{
    sinew_Vec3 p = sinew_quat_rotate(body->upright, place_of_file);
    // hostile numbers must not reach the page
    bool usable = sinew_vec3_is_finite(p) && sinew_vec3_length(p) < 1e9;
    return usable ? p : sinew_vec3(0.0, 0.0, 0.0);
}

void snw_body_pose(
    const snw_Body *body, const double *q, sinew_Transform *scratch, sinew_Vec3 *out_positions)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    sinew_pose_forward(body->skeleton, q, scratch);
    for (int j = 0; j < body->joint_count; ++j) {
        out_positions[j] = snw_body_place(body, scratch[j].position);
        if (body->stray[j]) { out_positions[j] = out_positions[joints[j].parent]; }
    }
}

sinew_Vec3 snw_body_facing(const snw_Body *body, const sinew_Vec3 *positions)
{
    // from right to left, by the thighs, or by everything that has a side
    sinew_Vec3 left = { 0.0, 0.0, 0.0 };
    const int thighs[2] = {
        sinew_roles_find(body->roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, 0),
        sinew_roles_find(body->roles, SINEW_ROLE_THIGH, SINEW_SIDE_RIGHT, 0),
    };
    if (thighs[0] >= 0 && thighs[1] >= 0) {
        left = sinew_vec3_sub(positions[thighs[0]], positions[thighs[1]]);
    } else {
        int counts[2] = { 0, 0 };
        sinew_Vec3 sums[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
        for (int j = 0; j < body->joint_count; ++j) {
            int side = body->sides[j] - SNW_SIDE_LEFT;
            if (side != 0 && side != 1) { continue; }
            sums[side] = sinew_vec3_add(sums[side], positions[j]);
            ++counts[side];
        }
        if (counts[0] > 0 && counts[1] > 0) {
            left = sinew_vec3_sub(sinew_vec3_scale(sums[0], 1.0 / counts[0]),
                sinew_vec3_scale(sums[1], 1.0 / counts[1]));
        }
    }
    sinew_Vec3 facing = sinew_vec3_cross(left, sinew_vec3(0.0, 1.0, 0.0));
    if (sinew_vec3_length(facing) < 1e-6 * body->size) { return sinew_vec3(0.0, 0.0, 0.0); }
    return sinew_vec3_normalize_or(facing, sinew_vec3(0.0, 0.0, 0.0));
}

typedef enum Machine {
    MACHINE_NONE,
    MACHINE_PARTS,  ///< hinges alone below the root, and parts fixed beside them
    MACHINE_FRAMES, ///< joints between them are fixed as well: all frames that it has are listed
} Machine;

static Machine find_machine(const sinew_Skeleton *skeleton)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    Machine machine = MACHINE_NONE;
    bool has_hinge = false;
    for (int j = 1; j < sinew_skeleton_joint_count(skeleton); ++j) {
        const int parent = joints[j].parent;
        if (joints[j].axis_count > 1) { return MACHINE_NONE; }
        has_hinge = has_hinge || joints[j].axis_count == 1;
        if (joints[j].axis_count == 1) { continue; }
        if (!is_leaf(joints, j)) {
            machine = MACHINE_FRAMES;
        } else if (parent >= 0 && joints[parent].subtree_count > 2 && machine == MACHINE_NONE) {
            machine = MACHINE_PARTS; // the end of a bone is the only child
        }
    }
    return has_hinge ? machine : MACHINE_NONE;
}

bool snw_body_create(
    const sinew_Skeleton *skeleton, sinew_Vec3 up, const sinew_PoseList *motion, snw_Body *out_body)
{
    memset(out_body, 0, sizeof *out_body);
    snw_Body *body = out_body;
    body->skeleton = skeleton;
    body->joint_count = sinew_skeleton_joint_count(skeleton);
    const size_t n = (size_t)body->joint_count;
    body->bones = calloc(n, sizeof *body->bones);
    body->sides = calloc(n, sizeof *body->sides);
    body->stray = calloc(n, sizeof *body->stray);
    body->ends = calloc(n, sizeof *body->ends);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton) + 1, sizeof *q);
    double *end_radius = calloc(n, sizeof *end_radius);
    sinew_Transform *scratch = calloc(n, sizeof *scratch);
    sinew_Vec3 *rest = calloc(n, sizeof *rest);
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = motion;
    const Machine machine = find_machine(skeleton);
    options.is_robot = machine != MACHINE_NONE;
    bool ready = body->bones && body->sides && body->stray && body->ends && q && end_radius
        && scratch && rest
        && sinew_roles_guess(skeleton, &options, NULL, &body->roles, NULL) == SINEW_STATUS_OK;
    if (ready) {
        body->hips = sinew_roles_find(body->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
        // what is measured below wants a figure: the pose in which the roles were seen
        sinew_pose_rest(skeleton, q);
        if (body->roles->reference_frame >= 0) {
            size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
            memcpy(q, motion->q + (size_t)body->roles->reference_frame * width, width * sizeof *q);
        }
        body->upright = sinew_quat_identity();
        snw_body_pose(body, q, scratch, rest);
        mark_stray_ends(body, rest, end_radius);
        if (machine == MACHINE_FRAMES) { mark_fittings(body); }
        snw_body_pose(body, q, scratch, rest);
        body->size = measure_size(body, rest, 0);
        bool has_sides = mark_sides_by_role(body);
        if (choose_upright(body, up, motion, scratch)) { snw_body_pose(body, q, scratch, rest); }
        int first = 0;
        while (first + 1 < body->joint_count && is_stick(body, first + 1)) { ++first; }
        if (first > 0) { body->size = measure_size(body, rest, first); }
        if (body->size == 0.0) { body->size = 1.0; }
        if (!has_sides && !mark_sides_by_place(body, rest)) { mark_branches(body); }
        body->head = sinew_roles_find(body->roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, 0);
        find_ends(body, rest);
        find_legs(body, rest);
        add_bones(body, end_radius);
    }
    free(q);
    free(end_radius);
    free(scratch);
    free(rest);
    if (!ready) { snw_body_destroy(body); }
    return ready;
}

void snw_body_destroy(snw_Body *body)
{
    free(body->bones);
    free(body->sides);
    free(body->stray);
    free(body->ends);
    sinew_roles_destroy(body->roles);
    memset(body, 0, sizeof *body);
}
