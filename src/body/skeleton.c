#include "body/skeleton.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

#include <string.h>

struct sinew_Skeleton {
    sinew_Allocator allocator;
    size_t memory_size;
    int joint_count, axis_count, coordinate_count, dof_count;
    double size;
    sinew_Joint *joints;
    sinew_Axis *axes;
    sinew_AxisPlace *places;
    int *coordinate_axis; // which axis a coordinate belongs to   (coordinate_count)
    int *by_name; // joints as their names sort, those of one name as they stand   (joint_count)
    char *names;
};

sinew_Axis sinew_axis_slide(sinew_Vec3 direction)
{
    sinew_Axis r = { SINEW_AXIS_SLIDE, direction, -INFINITY, INFINITY, 0.0, 1.0, NULL };
    return r;
}

sinew_Axis sinew_axis_hinge(sinew_Vec3 direction, double lower, double upper)
{
    double rest = lower > 0.0 ? lower : (upper < 0.0 ? upper : 0.0);
    sinew_Axis r = { SINEW_AXIS_HINGE, direction, lower, upper, rest, 1.0, NULL };
    return r;
}

sinew_Axis sinew_axis_ball(void)
{
    sinew_Axis r = { SINEW_AXIS_BALL, { 0.0, 0.0, 0.0 }, -INFINITY, INFINITY, 0.0, 1.0, NULL };
    return r;
}

sinew_JointDef sinew_joint_def_default(void)
{
    sinew_JointDef def;
    memset(&def, 0, sizeof def);
    def.name = "";
    def.parent = -1;
    def.rest_rotation = sinew_quat_identity();
    return def;
}

static sinew_Status check_axis(
    const sinew_JointDef *joint, int index, int axis, sinew_Message *message)
{
    SNW_ASSERT(index >= 0);
    SNW_ASSERT(axis >= 0);
    const sinew_Axis *a = &joint->axes[axis];
    if (!(a->mobility >= 0.0 && a->mobility <= 1e6)) {
        return snw_refuse(message, "joint %d '%s', axis %d: mobility is %g, want 0..1e6", index,
            joint->name, axis, a->mobility);
    }
    if (a->kind == SINEW_AXIS_BALL) {
        if (axis + 1 == joint->axis_count) { return SINEW_STATUS_OK; }
        return snw_refuse(message, "joint %d '%s', axis %d: a ball must be the last axis", index,
            joint->name, axis);
    }
    if (a->kind != SINEW_AXIS_SLIDE && a->kind != SINEW_AXIS_HINGE) {
        return snw_refuse(message, "joint %d '%s', axis %d: kind is %d, want slide, hinge or ball",
            index, joint->name, axis, (int)a->kind);
    }
    double length = sinew_vec3_length(a->direction);
    if (!(fabs(length - 1.0) <= 1e-6)) {
        return snw_refuse(message, "joint %d '%s', axis %d: direction has length %g, want 1", index,
            joint->name, axis, length);
    }
    if (!(a->lower <= a->upper)) {
        return snw_refuse(message, "joint %d '%s', axis %d: range is %g..%g, want lower <= upper",
            index, joint->name, axis, a->lower, a->upper);
    }
    if (!(a->rest >= a->lower && a->rest <= a->upper && isfinite(a->rest))) {
        return snw_refuse(message, "joint %d '%s', axis %d: rest is %g, want it in %g..%g", index,
            joint->name, axis, a->rest, a->lower, a->upper);
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_joint(const sinew_JointDef *joints, int index, sinew_Message *message)
{
    SNW_ASSERT(index >= 0);
    const sinew_JointDef *joint = &joints[index];
    if (joint->name == NULL) { return snw_refuse(message, "joint %d: name is NULL", index); }
    if (joint->parent < -1 || joint->parent >= index) {
        return snw_refuse(message, "joint %d '%s': parent is %d, want -1 or an earlier joint",
            index, joint->name, joint->parent);
    }

    // depth-first order: the parent is among the previous joint and its ancestors
    if (index > 0 && joint->parent >= 0) {
        int above = index - 1;
        while (above > joint->parent) { above = joints[above].parent; }
        if (above != joint->parent) {
            return snw_refuse(message,
                "joint %d '%s': parent %d is closed already, want depth-first order", index,
                joint->name, joint->parent);
        }
    }
    if (!snw_is_offset(joint->offset)) {
        return snw_refuse(message,
            "joint %d '%s': offset is (%g, %g, %g), want finite, below 1e9 m", index, joint->name,
            joint->offset.x, joint->offset.y, joint->offset.z);
    }
    double length = sqrt(sinew_quat_dot(joint->rest_rotation, joint->rest_rotation));
    if (!(fabs(length - 1.0) <= 1e-6)) {
        return snw_refuse(message, "joint %d '%s': rest rotation has length %g, want 1", index,
            joint->name, length);
    }
    if (!(joint->mass >= 0.0 && joint->mass <= 1e12) || !sinew_vec3_is_finite(joint->mass_center)) {
        return snw_refuse(message, "joint %d '%s': mass is %g, want 0..1e12 and a finite centre",
            index, joint->name, joint->mass);
    }
    if (joint->axis_count < 0 || joint->axis_count > SINEW_MAX_AXES_PER_JOINT
        || (joint->axis_count > 0 && joint->axes == NULL)) {
        return snw_refuse(message, "joint %d '%s': axis_count is %d, want 0..%d", index,
            joint->name, joint->axis_count, SINEW_MAX_AXES_PER_JOINT);
    }
    for (int a = 0; a < joint->axis_count; ++a) {
        sinew_Status status = check_axis(joint, index, a, message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

// one block for everything; called once to measure and once to place
static void place_arrays(sinew_Skeleton *skeleton, snw_Arena *arena, size_t name_bytes)
{
    (void)snw_arena_take(arena, 1, sizeof *skeleton);
    size_t axes = (size_t)skeleton->axis_count;
    skeleton->joints = snw_arena_take(arena, (size_t)skeleton->joint_count, sizeof(sinew_Joint));
    skeleton->axes = snw_arena_take(arena, axes, sizeof(sinew_Axis));
    skeleton->places = snw_arena_take(arena, axes, sizeof(sinew_AxisPlace));
    skeleton->coordinate_axis = snw_arena_take(
        arena, (size_t)skeleton->coordinate_count, sizeof(int));
    skeleton->by_name = snw_arena_take(arena, (size_t)skeleton->joint_count, sizeof(int));
    skeleton->names = snw_arena_take(arena, name_bytes, 1);
}

static void copy_joints(sinew_Skeleton *skeleton, const sinew_JointDef *defs)
{
    int axis = 0, coordinate = 0, dof = 0;
    char *name = skeleton->names;
    for (int j = 0; j < skeleton->joint_count; ++j) {
        const sinew_JointDef *def = &defs[j];
        sinew_Joint *joint = &skeleton->joints[j];
        size_t length = strlen(def->name) + 1;
        memcpy(name, def->name, length);
        *joint = (sinew_Joint){ .name = name,
            .parent = def->parent,
            .subtree_count = 1,
            .offset = def->offset,
            .rest_rotation = sinew_quat_normalize(def->rest_rotation),
            .mass = def->mass,
            .mass_center = def->mass_center,
            .axis_start = axis,
            .axis_count = def->axis_count,
            .coordinate_start = coordinate,
            .dof_start = dof };
        name += length;
        if (def->object != NULL) {
            size_t object_length = strlen(def->object) + 1;
            joint->object = memcpy(name, def->object, object_length);
            name += object_length;
        }
        for (int a = 0; a < def->axis_count; ++a) {
            bool ball = def->axes[a].kind == SINEW_AXIS_BALL;
            skeleton->axes[axis] = def->axes[a];
            skeleton->axes[axis].limit = NULL;
            if (ball) {
                skeleton->axes[axis].lower = -INFINITY;
                skeleton->axes[axis].upper = INFINITY;
                skeleton->axes[axis].rest = 0.0;
            }
            skeleton->places[axis] = (sinew_AxisPlace){ j, coordinate, dof };
            for (int c = 0; c < (ball ? 4 : 1); ++c) {
                skeleton->coordinate_axis[coordinate++] = axis;
            }
            dof += ball ? 3 : 1;
            ++axis;
        }
        joint->coordinate_count = coordinate - joint->coordinate_start;
        joint->dof_count = dof - joint->dof_start;
    }
    for (int j = skeleton->joint_count - 1; j > 0; --j) {
        int parent = skeleton->joints[j].parent;
        if (parent >= 0) {
            skeleton->joints[parent].subtree_count += skeleton->joints[j].subtree_count;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Names

// Whether a joint stands before another one that would have the first `length` letters of a name.
static bool is_before(
    const sinew_Skeleton *skeleton, int joint, const char *name, size_t length, int other)
{
    const char *own = skeleton->joints[joint].name;
    int order = strncmp(own, name, length);
    if (order == 0 && own[length] != '\0') { order = 1; }
    return order < 0 || (order == 0 && joint < other);
}

static bool are_ordered(const sinew_Skeleton *skeleton, int joint, int other)
{
    const char *name = skeleton->joints[other].name;
    return is_before(skeleton, joint, name, strlen(name), other);
}

// one step of a heap sort: the joint at a place sinks below all that come after it
static void sink(const sinew_Skeleton *skeleton, int place, int count)
{
    int *heap = skeleton->by_name, joint = heap[place];
    for (int below; (below = 2 * place + 1) < count; place = below) {
        bool second = below + 1 < count && are_ordered(skeleton, heap[below], heap[below + 1]);
        below += second ? 1 : 0;
        if (are_ordered(skeleton, heap[below], joint)) { break; }
        heap[place] = heap[below];
    }
    heap[place] = joint;
}

static void sort_names(const sinew_Skeleton *skeleton)
{
    int count = skeleton->joint_count, *heap = skeleton->by_name;
    for (int j = 0; j < count; ++j) { heap[j] = j; }
    for (int i = count / 2; i-- > 0;) { sink(skeleton, i, count); }
    for (int end = count - 1; end > 0; --end) {
        int last = heap[0];
        heap[0] = heap[end];
        heap[end] = last;
        sink(skeleton, 0, end);
    }
}

// how many joints stand before one of this name
static int rank_of(const sinew_Skeleton *skeleton, const char *name, size_t length, int joint)
{
    int low = 0, high = skeleton->joint_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (is_before(skeleton, skeleton->by_name[middle], name, length, joint)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int snw_skeleton_named(const sinew_Skeleton *skeleton, const char *name, size_t length, int number)
{
    SNW_ASSERT(number >= 0);
    int place = rank_of(skeleton, name, length, 0) + number;
    if (place >= skeleton->joint_count) { return -1; }
    int joint = skeleton->by_name[place];
    const char *own = skeleton->joints[joint].name;
    return strncmp(own, name, length) == 0 && own[length] == '\0' ? joint : -1;
}

int snw_skeleton_namesakes(const sinew_Skeleton *skeleton, int joint)
{
    const char *name = skeleton->joints[joint].name;
    size_t length = strlen(name);
    return rank_of(skeleton, name, length, joint) - rank_of(skeleton, name, length, 0);
}

void snw_skeleton_key_ending(const sinew_Skeleton *skeleton, int joint, char out_ending[16])
{
    int earlier = snw_skeleton_namesakes(skeleton, joint), count = 0, used = 0;
    char digits[12];
    for (int n = earlier > 0 ? earlier + 1 : 0; n > 0; n /= 10) {
        digits[count++] = (char)('0' + n % 10);
    }
    if (count > 0) { out_ending[used++] = '#'; }
    while (count > 0) { out_ending[used++] = digits[--count]; }
    out_ending[used] = '\0';
}

int snw_skeleton_keyed(const sinew_Skeleton *skeleton, const char *key, size_t length)
{
    int joint = snw_skeleton_named(skeleton, key, length, 0);
    if (joint >= 0) { return joint; }
    size_t mark = length;
    while (mark > 0 && key[mark - 1] != '#') { --mark; }
    if (mark == 0 || mark == length || key[mark] == '0') { return -1; }
    int number = 0;
    for (size_t i = mark; i < length; ++i) {
        if (key[i] < '0' || key[i] > '9' || number > SINEW_MAX_JOINTS) { return -1; }
        number = 10 * number + (key[i] - '0');
    }
    return snw_skeleton_named(skeleton, key, mark - 1, number - 1);
}

// ---------------------------------------------------------------------------------------------
// Size

static int children_of(const sinew_Skeleton *skeleton, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < skeleton->joint_count; ++j) {
        count += skeleton->joints[j].parent == joint ? 1 : 0;
    }
    return count;
}

static int endless_slides_of(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &skeleton->joints[joint];
    int count = 0;
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        const sinew_Axis *axis = &skeleton->axes[a];
        bool endless = !isfinite(axis->lower) && !isfinite(axis->upper);
        count += axis->kind == SINEW_AXIS_SLIDE && endless ? 1 : 0;
    }
    return count;
}

// The joint that the body begins with. Some files carry the hips by a root that marks the origin, and
// where they stand against it is a place in the world and no bone.
static int first_of_body(const sinew_Skeleton *skeleton)
{
    bool marks_origin = skeleton->joint_count > 1 && children_of(skeleton, 0) == 1
        && endless_slides_of(skeleton, 1) == 3 && children_of(skeleton, 1) > 1;
    return marks_origin ? 1 : 0;
}

// largest extent of the joints at zero angles; offsets alone would count a folded chain as long
static double measure_size(const sinew_Skeleton *skeleton, sinew_Transform *world)
{
    sinew_Vec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    int first = first_of_body(skeleton);
    for (int j = 0; j < skeleton->joint_count; ++j) {
        const sinew_Joint *joint = &skeleton->joints[j];
        sinew_Transform local = { joint->offset, joint->rest_rotation };
        world[j] = joint->parent < 0 ? local : sinew_transform_mul(world[joint->parent], local);
        if (j < first) { continue; }
        sinew_Vec3 p = world[j].position;
        low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    sinew_Vec3 extent = sinew_vec3_sub(high, low);
    return fmax(1e-6, fmax(extent.x, fmax(extent.y, extent.z)));
}

// the skeleton's own copies of the limits of balls; false when memory ran out
static bool clone_limits(sinew_Skeleton *skeleton, const sinew_JointDef *defs)
{
    for (int j = 0; j < skeleton->joint_count; ++j) {
        for (int a = 0; a < defs[j].axis_count; ++a) {
            const sinew_BallLimit *limit = defs[j].axes[a].limit;
            if (defs[j].axes[a].kind != SINEW_AXIS_BALL || limit == NULL) { continue; }
            sinew_BallLimit *clone;
            if (sinew_ball_limit_clone(limit, &skeleton->allocator, &clone) != SINEW_STATUS_OK) {
                return false;
            }
            skeleton->axes[skeleton->joints[j].axis_start + a].limit = clone;
        }
    }
    return true;
}

sinew_Status sinew_skeleton_create(const sinew_JointDef *joints, int joint_count,
    const sinew_Allocator *allocator, sinew_Skeleton **out_skeleton, sinew_Message *out_message)
{
    if (out_skeleton == NULL) { return snw_refuse(out_message, "out_skeleton is NULL"); }
    *out_skeleton = NULL;
    if (joints == NULL) { return snw_refuse(out_message, "joints is NULL"); }
    if (joint_count < 1 || joint_count > SINEW_MAX_JOINTS) {
        return snw_refuse(
            out_message, "joint_count is %d, want 1..%d", joint_count, SINEW_MAX_JOINTS);
    }
    sinew_Skeleton plan = { .allocator = snw_allocator_or_default(allocator),
        .joint_count = joint_count };
    size_t name_bytes = 0;
    for (int j = 0; j < joint_count; ++j) {
        sinew_Status status = check_joint(joints, j, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        name_bytes += strlen(joints[j].name) + 1;
        if (joints[j].object != NULL) { name_bytes += strlen(joints[j].object) + 1; }
        plan.axis_count += joints[j].axis_count;
        for (int a = 0; a < joints[j].axis_count; ++a) {
            bool ball = joints[j].axes[a].kind == SINEW_AXIS_BALL;
            plan.coordinate_count += ball ? 4 : 1;
            plan.dof_count += ball ? 3 : 1;
        }
    }

    snw_Arena arena = { NULL, 0 };
    place_arrays(&plan, &arena, name_bytes);
    plan.memory_size = arena.used;
    arena.base = snw_alloc(&plan.allocator, plan.memory_size);
    size_t scratch_size = (size_t)joint_count * sizeof(sinew_Transform);
    sinew_Transform *scratch = snw_alloc(&plan.allocator, scratch_size);
    if (arena.base == NULL || scratch == NULL) {
        snw_free(&plan.allocator, arena.base, plan.memory_size);
        snw_free(&plan.allocator, scratch, scratch_size);
        return snw_no_memory(out_message, "%d joint%s", joint_count, snw_plural(joint_count));
    }
    arena.used = 0;
    place_arrays(&plan, &arena, name_bytes);
    copy_joints(&plan, joints);
    sort_names(&plan);
    plan.size = measure_size(&plan, scratch);
    snw_free(&plan.allocator, scratch, scratch_size);

    sinew_Skeleton *skeleton = (sinew_Skeleton *)(void *)arena.base;
    *skeleton = plan;
    if (!clone_limits(skeleton, joints)) {
        sinew_skeleton_destroy(skeleton);
        return snw_no_memory(
            out_message, "the limits of %d joint%s", joint_count, snw_plural(joint_count));
    }
    *out_skeleton = skeleton;
    return SINEW_STATUS_OK;
}

void sinew_skeleton_destroy(sinew_Skeleton *skeleton)
{
    if (skeleton == NULL) { return; }
    sinew_Allocator allocator = skeleton->allocator;
    for (int a = 0; a < skeleton->axis_count; ++a) {
        sinew_ball_limit_destroy((sinew_BallLimit *)(uintptr_t)skeleton->axes[a].limit);
    }
    snw_free(&allocator, skeleton, skeleton->memory_size);
}

int sinew_skeleton_joint_count(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->joint_count : 0;
}
int sinew_skeleton_axis_count(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->axis_count : 0;
}
int sinew_skeleton_coordinate_count(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->coordinate_count : 0;
}
int sinew_skeleton_dof_count(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->dof_count : 0;
}
const sinew_Joint *sinew_skeleton_joints(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->joints : NULL;
}
const sinew_Axis *sinew_skeleton_axes(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->axes : NULL;
}

const sinew_AxisPlace *sinew_skeleton_axis_places(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->places : NULL;
}

int sinew_skeleton_find_joint(const sinew_Skeleton *skeleton, const char *name)
{
    if (skeleton == NULL || name == NULL) { return -1; }
    return snw_skeleton_named(skeleton, name, strlen(name), 0);
}

bool sinew_skeleton_is_ancestor(const sinew_Skeleton *skeleton, int ancestor, int joint)
{
    if (skeleton == NULL || ancestor < 0 || joint >= skeleton->joint_count) { return false; }
    return ancestor <= joint && joint < ancestor + skeleton->joints[ancestor].subtree_count;
}

// 'x', 'y', 'z' for an axis along the frame's own direction, 0 for a skew one
static char direction_letter(sinew_Vec3 d)
{
    if (d.x == 1.0 && d.y == 0.0 && d.z == 0.0) { return 'x'; }
    if (d.x == 0.0 && d.y == 1.0 && d.z == 0.0) { return 'y'; }
    if (d.x == 0.0 && d.y == 0.0 && d.z == 1.0) { return 'z'; }
    return '\0';
}

static char axis_letter(const sinew_Skeleton *skeleton, const sinew_Joint *joint, int axis)
{
    SNW_ASSERT(axis >= 0);
    const sinew_Axis *axes = &skeleton->axes[joint->axis_start];
    char letter = direction_letter(axes[axis].direction);
    for (int a = 0; a < axis; ++a) {
        bool same = axes[a].kind == axes[axis].kind
            && direction_letter(axes[a].direction) == letter;
        if (same) { return '\0'; }
    }
    return letter;
}

// what follows the joint's name in the name of a coordinate
static void coordinate_ending(const sinew_Skeleton *skeleton, int coordinate, char ending[4])
{
    int index = skeleton->coordinate_axis[coordinate];
    const sinew_AxisPlace *place = &skeleton->places[index];
    const sinew_Joint *joint = &skeleton->joints[place->joint];
    const sinew_Axis *axis = &skeleton->axes[index];
    memset(ending, 0, 4);
    if (axis->kind == SINEW_AXIS_BALL) {
        ending[0] = '.';
        ending[1] = 'q';
        ending[2] = "xyzw"[coordinate - place->coordinate];
    } else if (joint->coordinate_count > 1) {
        int local = index - joint->axis_start;
        char letter = axis_letter(skeleton, joint, local);
        ending[0] = '.';
        ending[1] = axis->kind == SINEW_AXIS_SLIDE ? 't' : 'r';
        ending[2] = letter != '\0' ? letter : (char)('1' + local);
    }
}

void sinew_skeleton_coordinate_name(
    const sinew_Skeleton *skeleton, int coordinate, char *out_name, size_t size)
{
    if (size == 0 || out_name == NULL) { return; }
    out_name[0] = '\0';
    if (skeleton == NULL || coordinate < 0 || coordinate >= skeleton->coordinate_count) { return; }
    int joint = skeleton->places[skeleton->coordinate_axis[coordinate]].joint;
    char key_ending[16], ending[4];
    snw_skeleton_key_ending(skeleton, joint, key_ending);
    coordinate_ending(skeleton, coordinate, ending);
    const char *const parts[] = { skeleton->joints[joint].name, key_ending, ending };
    size_t used = 0;
    for (int p = 0; p < 3; ++p) {
        for (const char *c = parts[p]; *c != '\0' && used + 1 < size; ++c) {
            out_name[used++] = *c;
        }
    }
    out_name[used] = '\0';
}

// the coordinate of a joint whose name has this ending, -1: none
static int ending_of_joint(const sinew_Skeleton *skeleton, int joint, const char *wanted)
{
    int start = skeleton->joints[joint].coordinate_start;
    for (int c = start; c < start + skeleton->joints[joint].coordinate_count; ++c) {
        char ending[4];
        coordinate_ending(skeleton, c, ending);
        if (strcmp(wanted, ending) == 0) { return c; }
    }
    return -1;
}

// the first coordinate of the joints called by the first `length` letters of a name, whose ending is the rest; of the
// joint that these letters are the key of
static int ending_coordinate(const sinew_Skeleton *skeleton, const char *name, size_t length)
{
    int joint;
    for (int n = 0; (joint = snw_skeleton_named(skeleton, name, length, n)) >= 0; ++n) {
        int coordinate = ending_of_joint(skeleton, joint, name + length);
        if (coordinate >= 0) { return coordinate; }
    }
    joint = snw_skeleton_keyed(skeleton, name, length);
    return joint >= 0 ? ending_of_joint(skeleton, joint, name + length) : -1;
}

int sinew_skeleton_find_coordinate(const sinew_Skeleton *skeleton, const char *name)
{
    if (skeleton == NULL || name == NULL) { return -1; }
    // an ending has three letters, and a joint may be called like another with its ending
    size_t length = strlen(name);
    int plain = ending_coordinate(skeleton, name, length);
    int ended = length >= 3 ? ending_coordinate(skeleton, name, length - 3) : -1;
    return plain >= 0 && (ended < 0 || plain < ended) ? plain : ended;
}

double sinew_skeleton_chain_length(const sinew_Skeleton *skeleton, int ancestor, int joint)
{
    double length = 0.0;
    if (skeleton == NULL || joint >= skeleton->joint_count) { return 0.0; }
    for (int j = joint; j > ancestor && j >= 0; j = skeleton->joints[j].parent) {
        length += sinew_vec3_length(skeleton->joints[j].offset);
    }
    return length;
}

double sinew_skeleton_size(const sinew_Skeleton *skeleton)
{
    return skeleton != NULL ? skeleton->size : 0.0;
}
