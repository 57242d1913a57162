// A rig as a document: what is said about joints, effectors, poses and start tables, copied and
// kept by key.

#include "body/rig.h"

#include "base/memory.h"

#include <string.h>

#define CHUNK_SIZE 16384

// memory of a rig comes in chunks that are given back together; what is replaced stays until then
typedef struct Chunk {
    struct Chunk *next;
    size_t size, used;
} Chunk;

// a list that grows, of structs of one size that begin with their name
typedef struct List {
    void *items;
    int count, capacity;
    int *
        slots; // 1 + the item that hashes there or before, 0: none   (2 x capacity, a power of two)
} List;

struct sinew_Rig {
    sinew_Allocator allocator;
    Chunk *chunks;
    double unit;
    List joints, effectors, poses, starts;
};

const char *sinew_rig_kind_name(sinew_RigKind kind)
{
    static const char *const texts[SINEW_RIG_KIND_COUNT] = { "as-is", "free", "ball", "universal",
        "hinge", "fixed" };
    return (int)kind >= 0 && (int)kind < SINEW_RIG_KIND_COUNT ? texts[kind] : "unknown";
}

sinew_RigJoint sinew_rig_joint_default(const char *key)
{
    sinew_RigJoint joint;
    memset(&joint, 0, sizeof joint);
    joint.key = key;
    joint.neutral = sinew_quat_identity();
    joint.bone = sinew_quat_identity();
    joint.star_center = sinew_vec3(0.0, 0.0, 0.0);
    joint.twist.lower = -INFINITY;
    joint.twist.upper = INFINITY;
    joint.mobility = 1.0;
    return joint;
}

double snw_rig_radians(double degrees)
{
    return degrees * SNW_DEGREE;
}

// ---------------------------------------------------------------------------------------------
// Memory

static size_t round_up(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

void *snw_rig_take(sinew_Rig *rig, size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX / 2) / size) { return NULL; }
    size_t need = round_up(count * size), head = round_up(sizeof(Chunk));
    if (rig->chunks == NULL || rig->chunks->size - rig->chunks->used < need) {
        size_t whole = head + (need > CHUNK_SIZE ? need : CHUNK_SIZE);
        Chunk *chunk = snw_alloc(&rig->allocator, whole);
        if (chunk == NULL) { return NULL; }
        chunk->next = rig->chunks;
        chunk->size = whole;
        chunk->used = head;
        rig->chunks = chunk;
    }
    void *piece = (char *)rig->chunks + rig->chunks->used;
    rig->chunks->used += need;
    return piece;
}

const char *snw_rig_take_text(sinew_Rig *rig, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = snw_rig_take(rig, size, 1);
    if (copy != NULL) { memcpy(copy, text, size); }
    return copy;
}

static void *take_copy(sinew_Rig *rig, const void *items, int count, size_t size)
{
    void *copy = snw_rig_take(rig, (size_t)count, size);
    if (copy != NULL && count > 0) { memcpy(copy, items, (size_t)count * size); }
    return copy;
}

sinew_Status sinew_rig_create(const sinew_Allocator *allocator, sinew_Rig **out_rig)
{
    if (out_rig == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    *out_rig = NULL;
    sinew_Allocator from = snw_allocator_or_default(allocator);
    sinew_Rig *rig = snw_alloc(&from, sizeof *rig);
    if (rig == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    rig->allocator = from;
    *out_rig = rig;
    return SINEW_STATUS_OK;
}

void sinew_rig_destroy(sinew_Rig *rig)
{
    if (rig == NULL) { return; }
    sinew_Allocator allocator = rig->allocator;
    for (Chunk *chunk = rig->chunks; chunk != NULL;) {
        Chunk *next = chunk->next;
        snw_free(&allocator, chunk, chunk->size);
        chunk = next;
    }
    snw_free(&allocator, rig, sizeof *rig);
}

// ---------------------------------------------------------------------------------------------
// Reading

double sinew_rig_unit(const sinew_Rig *rig)
{
    if (rig == NULL) { return 0.0; }
    return rig->unit;
}

void sinew_rig_set_unit(sinew_Rig *rig, double unit)
{
    if (rig == NULL || !snw_rig_unit_is_good(unit)) { return; }
    rig->unit = unit;
}

int sinew_rig_joint_count(const sinew_Rig *rig)
{
    if (rig == NULL) { return 0; }
    return rig->joints.count;
}

int sinew_rig_effector_count(const sinew_Rig *rig)
{
    if (rig == NULL) { return 0; }
    return rig->effectors.count;
}

int sinew_rig_pose_count(const sinew_Rig *rig)
{
    if (rig == NULL) { return 0; }
    return rig->poses.count;
}

int sinew_rig_starts_count(const sinew_Rig *rig)
{
    if (rig == NULL) { return 0; }
    return rig->starts.count;
}

const sinew_RigJoint *sinew_rig_joint(const sinew_Rig *rig, int index)
{
    if (rig == NULL || index < 0 || index >= rig->joints.count) { return NULL; }
    return (const sinew_RigJoint *)rig->joints.items + index;
}

const sinew_RigEffector *sinew_rig_effector(const sinew_Rig *rig, int index)
{
    if (rig == NULL || index < 0 || index >= rig->effectors.count) { return NULL; }
    return (const sinew_RigEffector *)rig->effectors.items + index;
}

const sinew_RigPose *sinew_rig_pose(const sinew_Rig *rig, int index)
{
    if (rig == NULL || index < 0 || index >= rig->poses.count) { return NULL; }
    return (const sinew_RigPose *)rig->poses.items + index;
}

const sinew_RigStarts *sinew_rig_starts(const sinew_Rig *rig, int index)
{
    if (rig == NULL || index < 0 || index >= rig->starts.count) { return NULL; }
    return (const sinew_RigStarts *)rig->starts.items + index;
}

static const char *name_of(const List *list, int index, size_t size)
{
    return *(const char *const *)((const char *)list->items + (size_t)index * size);
}

// where an item of that name is noted, or the empty slot where it would be; the list has room
static int *slot_of(const List *list, const char *name, size_t size)
{
    uint32_t hash = 2166136261U, mask = 2U * (uint32_t)list->capacity - 1U; // FNV-1a
    for (const char *c = name; *c != '\0'; ++c) { hash = (hash ^ (unsigned char)*c) * 16777619U; }
    int *slot = &list->slots[hash & mask];
    while (*slot != 0 && strcmp(name_of(list, *slot - 1, size), name) != 0) {
        slot = &list->slots[++hash & mask];
    }
    return slot;
}

static void note_names(List *list, size_t size)
{
    memset(list->slots, 0, 2 * (size_t)list->capacity * sizeof *list->slots);
    for (int i = 0; i < list->count; ++i) { *slot_of(list, name_of(list, i, size), size) = i + 1; }
}

// room for one more at the end; false without memory
static bool extend(sinew_Rig *rig, List *list, size_t size)
{
    if (list->items != NULL && list->count < list->capacity) { return true; }
    List larger = { NULL, list->count, list->capacity > 0 ? 2 * list->capacity : 16, NULL };
    larger.items = snw_rig_take(rig, (size_t)larger.capacity, size);
    larger.slots = snw_rig_take(rig, 2 * (size_t)larger.capacity, sizeof *larger.slots);
    if (larger.items == NULL || larger.slots == NULL) { return false; }
    if (list->items != NULL) { memcpy(larger.items, list->items, (size_t)list->count * size); }
    note_names(&larger, size);
    *list = larger;
    return true;
}

const sinew_RigJoint *sinew_rig_find_joint(const sinew_Rig *rig, const char *key)
{
    if (rig == NULL || key == NULL) { return NULL; }
    if (rig->joints.count == 0) { return NULL; }
    return sinew_rig_joint(rig, *slot_of(&rig->joints, key, sizeof(sinew_RigJoint)) - 1);
}

// ---------------------------------------------------------------------------------------------
// Copies of things with pointers in them. false without memory.

static bool copy_joint(sinew_Rig *rig, const sinew_RigJoint *joint, sinew_RigJoint *out)
{
    *out = *joint;
    out->key = snw_rig_take_text(rig, joint->key);
    if (!(joint->has & SINEW_RIG_HAS_WINDOWS)) {
        out->windows = NULL;
        out->window_count = 0;
        out->star = false;
    }
    sinew_RigWindow *windows = take_copy(
        rig, out->windows, out->window_count, sizeof(sinew_RigWindow));
    if (out->key == NULL || windows == NULL) { return false; }
    if (out->object != NULL) {
        out->object = snw_rig_take_text(rig, out->object);
        if (out->object == NULL) { return false; }
    }
    for (int w = 0; w < out->window_count; ++w) {
        windows[w].points = take_copy(
            rig, windows[w].points, windows[w].point_count, sizeof(sinew_Vec3));
        if (windows[w].points == NULL) { return false; }
    }
    out->windows = windows;
    return true;
}

static bool copy_pose(sinew_Rig *rig, const sinew_RigPose *pose, sinew_RigPose *out)
{
    *out = *pose;
    out->name = snw_rig_take_text(rig, pose->name != NULL ? pose->name : "");
    sinew_RigValues *joints = take_copy(
        rig, pose->joints, pose->joint_count, sizeof(sinew_RigValues));
    if (out->name == NULL || joints == NULL) { return false; }
    for (int j = 0; j < pose->joint_count; ++j) {
        joints[j].key = snw_rig_take_text(rig, joints[j].key);
        joints[j].values = take_copy(rig, joints[j].values, joints[j].value_count, sizeof(double));
        if (joints[j].key == NULL || joints[j].values == NULL) { return false; }
    }
    out->joints = joints;
    return true;
}

static bool copy_starts(sinew_Rig *rig, const sinew_RigStarts *starts, sinew_RigStarts *out)
{
    *out = *starts;
    size_t numbers = (size_t)starts->centroid_count * (size_t)starts->goal_count * 7;
    out->name = snw_rig_take_text(rig, starts->name);
    sinew_RigGoal *goals = take_copy(rig, starts->goals, starts->goal_count, sizeof(sinew_RigGoal));
    sinew_RigPose *poses = snw_rig_take(rig, (size_t)starts->pose_count, sizeof(sinew_RigPose));
    double *centroids = snw_rig_take(rig, numbers, sizeof(double));
    out->centroid_poses = take_copy(
        rig, starts->centroid_poses, starts->centroid_count, sizeof(int));
    if (out->name == NULL || goals == NULL || poses == NULL || centroids == NULL
        || out->centroid_poses == NULL) {
        return false;
    }
    for (int g = 0; g < starts->goal_count; ++g) {
        goals[g].kind = snw_rig_take_text(rig, goals[g].kind);
        goals[g].key = snw_rig_take_text(rig, goals[g].key);
        bool rooted = goals[g].chain_root != NULL;
        if (rooted) { goals[g].chain_root = snw_rig_take_text(rig, goals[g].chain_root); }
        if (goals[g].kind == NULL || goals[g].key == NULL
            || (rooted && goals[g].chain_root == NULL)) {
            return false;
        }
    }
    for (int p = 0; p < starts->pose_count; ++p) {
        if (!copy_pose(rig, &starts->poses[p], &poses[p])) { return false; }
    }
    if (numbers > 0) { memcpy(centroids, starts->centroids, numbers * sizeof(double)); }
    out->goals = goals;
    out->poses = poses;
    out->centroids = centroids;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Writing

// a copy in the place of the item of its name, or at the end
static sinew_Status put(sinew_Rig *rig, List *list, const void *copy, size_t size)
{
    if (!extend(rig, list, size)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    int *slot = slot_of(list, *(const char *const *)copy, size);
    if (*slot == 0) { *slot = ++list->count; }
    memcpy((char *)list->items + (size_t)(*slot - 1) * size, copy, size);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_rig_set_joint(sinew_Rig *rig, const sinew_RigJoint *joint)
{
    if (rig == NULL || !snw_rig_joint_is_good(joint)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_RigJoint copy;
    if (!copy_joint(rig, joint, &copy)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    return put(rig, &rig->joints, &copy, sizeof copy);
}

sinew_Status sinew_rig_set_effector(sinew_Rig *rig, const sinew_RigEffector *effector)
{
    if (rig == NULL || !snw_rig_effector_is_good(effector)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    sinew_RigEffector copy = *effector;
    copy.name = snw_rig_take_text(rig, effector->name);
    copy.key = snw_rig_take_text(rig, effector->key);
    if (copy.name == NULL || copy.key == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    return put(rig, &rig->effectors, &copy, sizeof copy);
}

sinew_Status sinew_rig_set_pose(sinew_Rig *rig, const sinew_RigPose *pose)
{
    if (rig == NULL || !snw_rig_pose_is_good(pose)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_RigPose copy;
    if (!copy_pose(rig, pose, &copy)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    return put(rig, &rig->poses, &copy, sizeof copy);
}

sinew_Status sinew_rig_set_starts(sinew_Rig *rig, const sinew_RigStarts *starts)
{
    if (rig == NULL || !snw_rig_starts_are_good(starts)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_RigStarts copy;
    if (!copy_starts(rig, starts, &copy)) { return SINEW_STATUS_OUT_OF_MEMORY; }
    return put(rig, &rig->starts, &copy, sizeof copy);
}

// the fields that over says, on top of joint
static void lay_over(sinew_RigJoint *joint, const sinew_RigJoint *over)
{
    unsigned has = over->has;
    // windows, twist and response belong to the kind; another kind starts anew
    if ((has & SINEW_RIG_HAS_KIND) && over->kind != joint->kind) {
        joint->has &= ~(unsigned)SINEW_RIG_HAS_RANGES;
    }
    joint->has |= has;
    if (has & SINEW_RIG_HAS_ROLE) { joint->role = over->role; }
    if (has & SINEW_RIG_HAS_KIND) { joint->kind = over->kind; }
    if (has & SINEW_RIG_HAS_NEUTRAL) { joint->neutral = over->neutral; }
    if (has & SINEW_RIG_HAS_BONE) { joint->bone = over->bone; }
    if (has & SINEW_RIG_HAS_MIRRORED) { joint->mirrored = over->mirrored; }
    if (has & SINEW_RIG_HAS_WINDOWS) {
        joint->windows = over->windows;
        joint->window_count = over->window_count;
        joint->star = over->star;
        joint->star_center = over->star_center;
    }
    if (has & SINEW_RIG_HAS_TWIST) { joint->twist = over->twist; }
    if (has & SINEW_RIG_HAS_RESPONSE) { joint->response = over->response; }
    if (has & SINEW_RIG_HAS_RANGES) {
        memcpy(joint->ranges, over->ranges, sizeof joint->ranges);
        joint->range_count = over->range_count;
    }
    if (has & SINEW_RIG_HAS_MOBILITY) { joint->mobility = over->mobility; }
    if (has & SINEW_RIG_HAS_MASS) { joint->mass = over->mass; }
    if (has & SINEW_RIG_HAS_MASS_CENTER) { joint->mass_center = over->mass_center; }
    if (has & SINEW_RIG_HAS_OBJECT) { joint->object = over->object; }
}

sinew_Status sinew_rig_refine(sinew_Rig *rig, const sinew_Rig *over)
{
    if (rig == NULL || over == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    sinew_Status status = SINEW_STATUS_OK;
    if (over->unit > 0.0) { rig->unit = over->unit; }
    for (int i = 0; i < over->joints.count && status == SINEW_STATUS_OK; ++i) {
        const sinew_RigJoint *said = sinew_rig_joint(over, i);
        const sinew_RigJoint *known = sinew_rig_find_joint(rig, said->key);
        sinew_RigJoint joint = known != NULL ? *known : sinew_rig_joint_default(said->key);
        lay_over(&joint, said);
        status = sinew_rig_set_joint(rig, &joint);
    }
    if (over->effectors.count > 0) { memset(&rig->effectors, 0, sizeof rig->effectors); }
    for (int i = 0; i < over->effectors.count && status == SINEW_STATUS_OK; ++i) {
        status = sinew_rig_set_effector(rig, sinew_rig_effector(over, i));
    }
    for (int i = 0; i < over->poses.count && status == SINEW_STATUS_OK; ++i) {
        status = sinew_rig_set_pose(rig, sinew_rig_pose(over, i));
    }
    for (int i = 0; i < over->starts.count && status == SINEW_STATUS_OK; ++i) {
        status = sinew_rig_set_starts(rig, sinew_rig_starts(over, i));
    }
    return status;
}
