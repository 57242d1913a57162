// Rigs from text.

#include "base/memory.h"
#include "base/message.h"
#include "body/rig.h"
#include "file/buffer.h"
#include "file/json.h"
#include "math/holds.h"
#include "sinew/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers in files stay within this, so that nothing overflows later.
#define LARGEST SNW_RIG_LARGEST
#define MAX_NAME 256

typedef struct Reader {
    snw_Text text;
    const sinew_Skeleton *skeleton;
    sinew_Rig *rig;
    sinew_Status status;
} Reader;

// ---------------------------------------------------------------------------------------------
// Failing. All return false.

static bool fail_as(
    Reader *reader, const snw_Json *node, bool of_key, const char *found, const char *expected)
{
    reader->status = snw_text_fail_at(
        &reader->text, of_key ? node->key_at : node->at, found, "%s", expected);
    return false;
}

static bool fail(Reader *reader, const snw_Json *node, const char *expected)
{
    char found[SNW_JSON_SHOWN];
    snw_json_describe(node, found);
    return fail_as(reader, node, false, found, expected);
}

static bool out_of_memory(Reader *reader)
{
    reader->status = SINEW_STATUS_OUT_OF_MEMORY;
    snw_message_set(reader->text.message, "%s: no memory to read the rig", reader->text.name);
    return false;
}

static bool check(Reader *reader, sinew_Status status)
{
    return status == SINEW_STATUS_OK || out_of_memory(reader);
}

// letters to change between two words
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[MAX_NAME + 1];
    size_t columns = strlen(b), rows = strlen(a);
    if (columns > MAX_NAME || rows > MAX_NAME) { return SIZE_MAX; }
    for (size_t j = 0; j <= columns; ++j) { row[j] = j; }
    for (size_t i = 1; i <= rows; ++i) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; ++j) {
            size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            corner = row[j];
            row[j] = changed < shorter ? changed : shorter;
        }
    }
    return row[columns];
}

// the best of the words offered, where it is near enough
typedef struct Hint {
    const char *word, *best;
    size_t distance;
} Hint;

static void offer(Hint *hint, const char *candidate)
{
    size_t distance = edit_distance(hint->word, candidate);
    if (distance < hint->distance) {
        hint->distance = distance;
        hint->best = candidate;
    }
}

static Hint hint_for(const char *word)
{
    size_t length = strlen(word);
    Hint hint = { word, NULL, length / 2 + 1 };
    return hint;
}

static bool fail_unknown(
    Reader *reader, const snw_Json *node, bool of_key, const Hint *hint, const char *what)
{
    char found[96], expected[160];
    snprintf(found, sizeof found, "\"%.60s\"", hint->word);
    if (hint->best != NULL) {
        snprintf(expected, sizeof expected, "%s; did you mean \"%.60s\"?", what, hint->best);
    } else {
        snprintf(expected, sizeof expected, "%s", what);
    }
    return fail_as(reader, node, of_key, found, expected);
}

// ---------------------------------------------------------------------------------------------
// Values

static bool read_number(
    Reader *reader, const snw_Json *node, double lower, double upper, double *out)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    double value = node->kind == SNW_JSON_NUMBER ? node->number : NAN;
    if (!(value >= lower && value <= upper)) {
        char expected[96];
        if (lower <= -LARGEST && upper >= LARGEST) {
            snprintf(expected, sizeof expected, "a number");
        } else if (upper >= LARGEST) {
            snprintf(expected, sizeof expected, "a number, at least %g", lower);
        } else {
            snprintf(expected, sizeof expected, "a number, %g to %g", lower, upper);
        }
        return fail(reader, node, expected);
    }
    *out = value;
    return true;
}

static bool read_text(Reader *reader, const snw_Json *node, const char *expected, const char **out)
{
    if (node->kind != SNW_JSON_TEXT || node->text[0] == '\0') {
        return fail(reader, node, expected);
    }
    if (strlen(node->text) > MAX_NAME) { return fail(reader, node, "a shorter text"); }
    *out = node->text;
    return true;
}

static bool read_bool(Reader *reader, const snw_Json *node, bool *out)
{
    *out = node->kind == SNW_JSON_TRUE;
    return *out || node->kind == SNW_JSON_FALSE || fail(reader, node, "true or false");
}

// items of a list, -1 when it is none
static int list_count(const snw_Json *node)
{
    return node->kind == SNW_JSON_ARRAY ? node->count : -1;
}

static bool read_numbers(
    Reader *reader, const snw_Json *node, int count, const char *expected, double *out)
{
    if (list_count(node) != count) { return fail(reader, node, expected); }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (!read_number(reader, item, -LARGEST, LARGEST, out++)) { return false; }
    }
    return true;
}

static bool read_vec3(Reader *reader, const snw_Json *node, sinew_Vec3 *out)
{
    double v[3];
    if (!read_numbers(reader, node, 3, "[x, y, z]", v)) { return false; }
    *out = sinew_vec3(v[0], v[1], v[2]);
    return true;
}

static bool read_quat(Reader *reader, const snw_Json *node, sinew_Quat *out)
{
    const char *expected = "a quaternion [x, y, z, w] of length 1";
    double v[4];
    if (!read_numbers(reader, node, 4, expected, v)) { return false; }
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(fabs(length - 1.0) < 1e-3)) { return fail(reader, node, expected); }
    out->x = v[0];
    out->y = v[1];
    out->z = v[2];
    out->w = v[3];
    return true;
}

// [lower, upper]; null for no bound, alone or in the list
static bool read_range(Reader *reader, const snw_Json *node, sinew_RigRange *out)
{
    const char *expected = "[lower, upper], null for no bound";
    out->lower = -INFINITY;
    out->upper = INFINITY;
    if (node->kind == SNW_JSON_NULL) { return true; }
    if (list_count(node) != 2) { return fail(reader, node, expected); }
    const snw_Json *lower = node->child, *upper = lower->next;
    if (lower->kind != SNW_JSON_NULL
        && !read_number(reader, lower, -LARGEST, LARGEST, &out->lower)) {
        return false;
    }
    if (upper->kind != SNW_JSON_NULL
        && !read_number(reader, upper, -LARGEST, LARGEST, &out->upper)) {
        return false;
    }
    return out->lower <= out->upper || fail(reader, node, "the lower end first");
}

// one of count words; -1 after a failure
static int read_choice(
    Reader *reader, const snw_Json *node, const char *const *words, int count, const char *what)
{
    SNW_ASSERT(count >= 0);
    const char *text = "";
    if (!read_text(reader, node, what, &text)) { return -1; }
    Hint hint = hint_for(text);
    for (int i = 0; i < count; ++i) {
        if (strcmp(words[i], text) == 0) { return i; }
        offer(&hint, words[i]);
    }
    fail_unknown(reader, node, false, &hint, what);
    return -1;
}

// which of the keys of an object this item has; -1 after a failure: not one of them, or there twice
static int read_key(Reader *reader, const snw_Json *item, const char *const *keys, int count,
    const char *what, unsigned *seen)
{
    SNW_ASSERT(count >= 0);
    const char *key = item->key;
    Hint hint = hint_for(key);
    for (int i = 0; i < count; ++i) {
        if (strcmp(keys[i], key) == 0) {
            if (*seen & (1u << i)) {
                fail_as(reader, item, true, "the same key again", "each key once");
                return -1;
            }
            *seen |= 1u << i;
            return i;
        }
        offer(&hint, keys[i]);
    }
    fail_unknown(reader, item, true, &hint, what);
    return -1;
}

static bool check_object(Reader *reader, const snw_Json *node, const char *expected)
{
    return node->kind == SNW_JSON_OBJECT || fail(reader, node, expected);
}

// an item of an object with free names: not empty, not too long
static bool check_name(Reader *reader, const snw_Json *item)
{
    const char *key = item->key;
    size_t length = strlen(key);
    if (length == 0 || length > MAX_NAME) {
        return fail_as(reader, item, true, length == 0 ? "an empty name" : "a very long name",
            "a name of 1 to 256 bytes");
    }
    return true;
}

static int kept_count(const sinew_Rig *rig)
{
    return sinew_rig_joint_count(rig) + sinew_rig_effector_count(rig) + sinew_rig_pose_count(rig)
        + sinew_rig_starts_count(rig);
}

// An item that was kept is one more than before: the rig puts what comes twice in the place of the first.
static bool check_once(Reader *reader, const snw_Json *item, int count_before)
{
    if (kept_count(reader->rig) > count_before) { return true; }
    return fail_as(reader, item, true, "the same name again", "each name once");
}

// all items of an object with free names
static bool read_each(Reader *reader, const snw_Json *node, const char *expected,
    bool (*read)(Reader *, const snw_Json *))
{
    if (!check_object(reader, node, expected)) { return false; }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        int before = kept_count(reader->rig);
        if (!check_name(reader, item) || !read(reader, item) || !check_once(reader, item, before)) {
            return false;
        }
    }
    return true;
}

// a joint's key, which must be the skeleton's where there is one
static bool check_joint(Reader *reader, const snw_Json *node, bool of_key, const char *key)
{
    if (reader->skeleton == NULL || sinew_rig_key_joint(reader->skeleton, key) >= 0) {
        return true;
    }
    Hint hint = hint_for(key);
    const sinew_Joint *joints = sinew_skeleton_joints(reader->skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(reader->skeleton); ++j) {
        offer(&hint, joints[j].name);
    }
    return fail_unknown(reader, node, of_key, &hint, "a joint of the skeleton");
}

// ---------------------------------------------------------------------------------------------
// Windows

/// Windows of one joint while they are read.
typedef struct Windows {
    sinew_RigWindow windows[SINEW_MAX_REACH_WINDOWS];
    sinew_Vec3 points[SINEW_MAX_REACH_RAYS];
    int point_count;
} Windows;

static bool read_point(Reader *reader, const snw_Json *node, bool polar, sinew_Vec3 *out)
{
    double v[3] = { 0.0, 0.0, 0.0 };
    if (!read_numbers(reader, node, polar ? 2 : 3, polar ? "[azimuth, swing]" : "[x, y, z]", v)) {
        return false;
    }
    if (polar && !(v[1] >= 0.0 && v[1] <= 180.0)) {
        return fail(reader, node, "[azimuth, swing], swing 0 to 180");
    }
    if (!polar && !(fabs(v[0]) + fabs(v[1]) + fabs(v[2]) > 1e-6)) {
        return fail(reader, node, "a direction [x, y, z]");
    }
    *out = sinew_vec3(v[0], v[1], v[2]);
    return true;
}

static bool read_points(
    Reader *reader, const snw_Json *node, Windows *windows, sinew_RigWindow *window)
{
    if (node->kind != SNW_JSON_ARRAY) { return fail(reader, node, "a list of points"); }
    window->points = &windows->points[windows->point_count];
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (window->point_count >= SINEW_MAX_WINDOW_RAYS
            || windows->point_count >= SINEW_MAX_REACH_RAYS) {
            return fail(reader, node, "at most 64 points in a window and 512 in all");
        }
        if (!read_point(reader, item, window->polar, &windows->points[windows->point_count])) {
            return false;
        }
        ++windows->point_count;
        ++window->point_count;
    }
    return true;
}

static bool read_window(
    Reader *reader, const snw_Json *node, Windows *windows, sinew_RigWindow *window)
{
    static const char *const keys[] = { "polar", "rays", "cone" };
    memset(window, 0, sizeof *window);
    if (!check_object(reader, node, "a window {\"polar\": [[azimuth, swing], ...]}")) {
        return false;
    }
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        switch (read_key(reader, item, keys, 3, "polar, rays or cone", &seen)) {
        case 0:
        case 1:
            if ((seen & 3u) == 3u) {
                return fail_as(reader, item, true, "both polar and rays", "one of them");
            }
            window->polar = (seen & 1u) != 0;
            if (!read_points(reader, item, windows, window)) { return false; }
            break;
        case 2:
            if (!read_number(reader, item, SNW_RIG_LEAST_CONE, SNW_RIG_MOST_CONE,
                    &window->cone_half_angle)) {
                return false;
            }
            break;
        default: return false;
        }
    }
    bool is_cone = (seen & 4u) != 0;
    if (is_cone && window->point_count != 1) {
        return fail(reader, node, "one point, the axis of the cone");
    }
    return is_cone || window->point_count >= 3 || fail(reader, node, "3 or more points");
}

static bool read_windows(
    Reader *reader, const snw_Json *node, Windows *windows, sinew_RigJoint *joint)
{
    if (node->kind != SNW_JSON_ARRAY) { return fail(reader, node, "a list of windows"); }
    joint->windows = windows->windows;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (joint->window_count >= SINEW_MAX_REACH_WINDOWS) {
            return fail(reader, node, "at most 64 windows");
        }
        if (!read_window(reader, item, windows, &windows->windows[joint->window_count])) {
            return false;
        }
        ++joint->window_count;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Joints

enum {
    KEY_ROLE,
    KEY_KIND,
    KEY_NEUTRAL,
    KEY_BONE,
    KEY_MIRRORED,
    KEY_WINDOWS,
    KEY_STAR_CENTER,
    KEY_TWIST,
    KEY_RESPONSE,
    KEY_RANGES,
    KEY_MOBILITY,
    KEY_MASS,
    KEY_MASS_CENTER,
    KEY_OBJECT,
    KEY_COUNT,
};

static const char *const joint_keys[KEY_COUNT] = { "role", "kind", "neutral", "bone", "mirrored",
    "windows", "star_center", "twist", "response", "ranges", "mobility", "mass", "mass_center",
    "object" };

static const unsigned joint_flags[KEY_COUNT] = { SINEW_RIG_HAS_ROLE, SINEW_RIG_HAS_KIND,
    SINEW_RIG_HAS_NEUTRAL, SINEW_RIG_HAS_BONE, SINEW_RIG_HAS_MIRRORED, SINEW_RIG_HAS_WINDOWS, 0,
    SINEW_RIG_HAS_TWIST, SINEW_RIG_HAS_RESPONSE, SINEW_RIG_HAS_RANGES, SINEW_RIG_HAS_MOBILITY,
    SINEW_RIG_HAS_MASS, SINEW_RIG_HAS_MASS_CENTER, SINEW_RIG_HAS_OBJECT };

static bool read_role(Reader *reader, const snw_Json *node, sinew_JointRole *out)
{
    const char *text = "";
    if (!read_text(reader, node, "a role such as \"upperarm_l\"", &text)) { return false; }
    if (sinew_role_parse(text, out)) { return true; }
    char names[2][24]; // the best so far, and the next
    Hint hint = hint_for(text);
    int next = 0;
    for (int role = 0; role < SINEW_ROLE_COUNT; ++role) {
        for (int variant = 0; variant < 8; ++variant) {
            sinew_Side side = variant & 1 ? SINEW_SIDE_RIGHT : SINEW_SIDE_LEFT;
            bool fingers = role >= (int)SINEW_ROLE_THUMB && role <= (int)SINEW_ROLE_PINKY;
            int number = variant / 2;
            if (number > 1 && !fingers && role != (int)SINEW_ROLE_SPINE) { continue; }
            if (number == 0 && !fingers) { side = SINEW_SIDE_NONE; }
            sinew_role_name((sinew_Role)role, side, number, names[next], sizeof names[next]);
            sinew_JointRole good;
            if (!sinew_role_parse(names[next], &good)) { continue; }
            offer(&hint, names[next]);
            if (hint.best == names[next]) { next = 1 - next; }
        }
    }
    return fail_unknown(reader, node, false, &hint, "a role such as \"upperarm_l\"");
}

static bool read_kind(Reader *reader, const snw_Json *node, sinew_RigKind *out)
{
    const char *words[SINEW_RIG_KIND_COUNT];
    for (int i = 0; i < SINEW_RIG_KIND_COUNT; ++i) {
        words[i] = sinew_rig_kind_name((sinew_RigKind)i);
    }
    int kind = read_choice(
        reader, node, words, SINEW_RIG_KIND_COUNT, "as-is, free, ball, universal, hinge or fixed");
    if (kind >= 0) { *out = (sinew_RigKind)kind; }
    return kind >= 0;
}

static bool read_response(Reader *reader, const snw_Json *node, sinew_LimitResponse *out)
{
    static const char *const words[] = { "arc", "closest", "intersection" };
    int response = read_choice(reader, node, words, 3, "arc, closest or intersection");
    if (response >= 0) { *out = (sinew_LimitResponse)response; }
    return response >= 0;
}

static bool read_twist(Reader *reader, const snw_Json *node, sinew_RigRange *out)
{
    if (!read_range(reader, node, out)) { return false; }
    bool is_free = isinf(out->lower) && isinf(out->upper);
    bool inside = out->lower > -180.0 && out->upper < 180.0;
    return is_free || inside || fail(reader, node, "a range inside -180 to 180, or null");
}

static bool read_ranges(Reader *reader, const snw_Json *node, sinew_RigJoint *out)
{
    int count = list_count(node);
    if (count < 0 || count > SINEW_MAX_AXES_PER_JOINT) {
        return fail(reader, node, "a list of up to 6 ranges [lower, upper]");
    }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (!read_range(reader, item, &out->ranges[out->range_count++])) { return false; }
    }
    return true;
}

static bool read_joint_field(
    Reader *reader, const snw_Json *item, int key, Windows *windows, sinew_RigJoint *out)
{
    out->has |= joint_flags[key];
    switch (key) {
    case KEY_ROLE: return read_role(reader, item, &out->role);
    case KEY_KIND: return read_kind(reader, item, &out->kind);
    case KEY_NEUTRAL: return read_quat(reader, item, &out->neutral);
    case KEY_BONE: return read_quat(reader, item, &out->bone);
    case KEY_MIRRORED: return read_bool(reader, item, &out->mirrored);
    case KEY_WINDOWS: return read_windows(reader, item, windows, out);
    case KEY_STAR_CENTER: return true; // once the windows are known
    case KEY_TWIST: return read_twist(reader, item, &out->twist);
    case KEY_RESPONSE: return read_response(reader, item, &out->response);
    case KEY_RANGES: return read_ranges(reader, item, out);
    case KEY_MOBILITY: return read_number(reader, item, 0.0, SNW_RIG_MOST_MOBILITY, &out->mobility);
    case KEY_MASS: return read_number(reader, item, 0.0, LARGEST, &out->mass);
    case KEY_MASS_CENTER: return read_vec3(reader, item, &out->mass_center);
    case KEY_OBJECT: return read_text(reader, item, "the name of an object", &out->object);
    default: return false;
    }
}

// a limit that cannot be made is an error of the file
static bool check_limit(Reader *reader, const snw_Json *node, const sinew_RigJoint *joint)
{
    sinew_BallLimit *limit;
    sinew_Message message = { "" };
    sinew_Status status = sinew_rig_joint_limit(joint, NULL, &limit, &message);
    sinew_ball_limit_destroy(limit);
    if (status == SINEW_STATUS_OUT_OF_MEMORY) { return out_of_memory(reader); }
    if (status == SINEW_STATUS_OK) { return true; }
    // without the key, which the place tells
    size_t head = strlen(joint->key) + 2;
    const char *reason = strlen(message.text) > head ? message.text + head : message.text;
    return fail_as(reader, node, false, reason, "a limit that can be made");
}

static bool read_joint_fields(
    Reader *reader, const snw_Json *node, Windows *windows, sinew_RigJoint *joint)
{
    if (!check_object(reader, node, "what is said about the joint, an object")) { return false; }
    const snw_Json *center = NULL;
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        int key = read_key(reader, item, joint_keys, KEY_COUNT, "a key of joints", &seen);
        if (key < 0 || !read_joint_field(reader, item, key, windows, joint)) { return false; }
        if (key == KEY_STAR_CENTER) { center = item; }
    }
    if (center != NULL) {
        if (joint->window_count != 1 || windows->windows[0].point_count < 3) {
            return fail_as(reader, center, true, "a star_center", "it beside one window of points");
        }
        joint->star = true;
        if (!read_point(reader, center, windows->windows[0].polar, &joint->star_center)) {
            return false;
        }
    }
    return check_limit(reader, node, joint);
}

static bool read_joints(Reader *reader, const snw_Json *node)
{
    if (!check_object(reader, node, "joints by name, an object")) { return false; }
    Windows *windows = malloc(sizeof *windows);
    if (windows == NULL) { return out_of_memory(reader); }
    bool good = true;
    for (const snw_Json *item = node->child; good && item != NULL; item = item->next) {
        const char *key = item->key;
        sinew_RigJoint joint = sinew_rig_joint_default(key);
        int before = kept_count(reader->rig);
        windows->point_count = 0;
        good = check_name(reader, item) && check_joint(reader, item, true, key)
            && read_joint_fields(reader, item, windows, &joint)
            && check(reader, sinew_rig_set_joint(reader->rig, &joint))
            && check_once(reader, item, before);
    }
    free(windows);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Effectors and poses

static bool read_effector(Reader *reader, const snw_Json *node)
{
    static const char *const keys[] = { "joint", "offset" };
    sinew_RigEffector effector = { node->key, NULL, { 0.0, 0.0, 0.0 } };
    if (!check_object(reader, node, "an effector {\"joint\": NAME}")) { return false; }
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        int key = read_key(reader, item, keys, 2, "joint or offset", &seen);
        if (key < 0) { return false; }
        if (key == 1 && !read_vec3(reader, item, &effector.offset)) { return false; }
        if (key == 0
            && (!read_text(reader, item, "the name of a joint", &effector.key)
                || !check_joint(reader, item, false, effector.key))) {
            return false;
        }
    }
    if (effector.key == NULL) { return fail(reader, node, "an effector with a joint"); }
    return check(reader, sinew_rig_set_effector(reader->rig, &effector));
}

/// Numbers and joints of one pose while it is read.
typedef struct PoseDraft {
    snw_Buffer numbers; // double
    snw_Buffer joints;  // sinew_RigValues
} PoseDraft;

static PoseDraft pose_draft(void)
{
    PoseDraft draft = { snw_buffer_create(NULL), snw_buffer_create(NULL) };
    return draft;
}

static void give_back_pose(PoseDraft *draft)
{
    snw_buffer_destroy(&draft->numbers);
    snw_buffer_destroy(&draft->joints);
}

static bool read_values(Reader *reader, const snw_Json *item, PoseDraft *draft)
{
    const char *key = item->key;
    const char *expected = "the joint's coordinates, a list of 1 to 9 numbers";
    int count = list_count(item);
    double values[SNW_RIG_MOST_VALUES];
    if (count < 1 || count > SNW_RIG_MOST_VALUES) { return fail(reader, item, expected); }
    if (!read_numbers(reader, item, count, expected, values)) { return false; }
    // the count is not compared: a rig may give the joint other axes than the file has
    sinew_RigValues joint_values = { key, NULL, count };
    snw_buffer_add(&draft->numbers, values, (size_t)count * sizeof(double));
    snw_buffer_add(&draft->joints, &joint_values, sizeof joint_values);
    return (!draft->numbers.failed && !draft->joints.failed) || out_of_memory(reader);
}

// draft is made by the caller; the pose points into it and the JSON tree
static bool read_pose(Reader *reader, const snw_Json *node, PoseDraft *draft, sinew_RigPose *out)
{
    if (!check_object(reader, node, "a pose: coordinates by joint, an object")) { return false; }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (!check_name(reader, item) || !check_joint(reader, item, true, item->key)
            || !read_values(reader, item, draft)) {
            return false;
        }
    }
    sinew_RigValues *joints = (sinew_RigValues *)(void *)draft->joints.data;
    double *numbers = (double *)(void *)draft->numbers.data;
    int count = (int)(draft->joints.size / sizeof *joints);
    for (int j = 0; j < count; ++j) {
        joints[j].values = numbers;
        numbers += joints[j].value_count;
    }
    out->name = node->key != NULL ? node->key : "";
    out->joints = joints;
    out->joint_count = count;
    return true;
}

static bool read_named_pose(Reader *reader, const snw_Json *node)
{
    PoseDraft draft = pose_draft();
    sinew_RigPose pose;
    bool good = read_pose(reader, node, &draft, &pose)
        && check(reader, sinew_rig_set_pose(reader->rig, &pose));
    give_back_pose(&draft);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Start tables

/// A start table while it is read.
typedef struct StartsDraft {
    sinew_RigGoal goals[SNW_RIG_MOST_GOALS];
    PoseDraft pose_drafts[SNW_RIG_MOST_GOALS];
    sinew_RigPose poses[SNW_RIG_MOST_GOALS];
    int pose_count;
    snw_Buffer centroids, places; // double, int
} StartsDraft;

static bool read_goal(Reader *reader, const snw_Json *node, sinew_RigGoal *out)
{
    static const char *const keys[] = { "kind", "joint", "chain_root", "offset", "rotation" };
    static const char *const kinds[] = { "position", "orientation", "pose" };
    memset(out, 0, sizeof *out);
    out->rotation = sinew_quat_identity();
    if (!check_object(reader, node, "a goal {\"kind\": \"pose\", \"joint\": NAME}")) {
        return false;
    }
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        bool good = false;
        switch (read_key(reader, item, keys, 5, "a key of goals", &seen)) {
        case 0: {
            int kind = read_choice(reader, item, kinds, 3, "position, orientation or pose");
            good = kind >= 0;
            if (good) { out->kind = kinds[kind]; }
            break;
        }
        case 1:
            good = read_text(reader, item, "the name of a joint", &out->key)
                && check_joint(reader, item, false, out->key);
            break;
        case 2:
            good = read_text(reader, item, "the name of a joint", &out->chain_root)
                && check_joint(reader, item, false, out->chain_root);
            break;
        case 3: good = read_vec3(reader, item, &out->offset); break;
        case 4: good = read_quat(reader, item, &out->rotation); break;
        default: break;
        }
        if (!good) { return false; }
    }
    return (out->kind != NULL && out->key != NULL)
        || fail(reader, node, "a goal with a kind and a joint");
}

static bool read_goals(
    Reader *reader, const snw_Json *node, StartsDraft *draft, sinew_RigStarts *out)
{
    int count = list_count(node);
    if (count < 1 || count > SNW_RIG_MOST_GOALS) {
        return fail(reader, node, "a list of 1 to 64 goals");
    }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (!read_goal(reader, item, &draft->goals[out->goal_count++])) { return false; }
    }
    out->goals = draft->goals;
    return true;
}

static bool read_start_poses(
    Reader *reader, const snw_Json *node, StartsDraft *draft, sinew_RigStarts *out)
{
    int count = list_count(node);
    if (count < 1 || count > SNW_RIG_MOST_GOALS) {
        return fail(reader, node, "a list of 1 to 64 poses");
    }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        PoseDraft *pose = &draft->pose_drafts[draft->pose_count++];
        *pose = pose_draft();
        if (!read_pose(reader, item, pose, &draft->poses[out->pose_count++])) { return false; }
    }
    out->poses = draft->poses;
    return true;
}

static bool read_centroid(
    Reader *reader, const snw_Json *node, StartsDraft *draft, const sinew_RigStarts *starts)
{
    static const char *const keys[] = { "pose", "at" };
    if (!check_object(reader, node, "a centroid {\"pose\": N, \"at\": [...]}")) { return false; }
    double pose = 0.0, numbers[SNW_RIG_MOST_GOALS * 7];
    int width = 7 * starts->goal_count;
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        int key = read_key(reader, item, keys, 2, "pose or at", &seen);
        if (key < 0) { return false; }
        if (key == 0 && !read_number(reader, item, 0.0, starts->pose_count - 1, &pose)) {
            return false;
        }
        if (key == 1
            && !read_numbers(reader, item, width,
                "7 numbers for each goal: x, y, z and a quaternion", numbers)) {
            return false;
        }
    }
    int place = (int)pose;
    if (seen != 3u || pose != place) { return fail(reader, node, "the number of a pose, and at"); }
    snw_buffer_add(&draft->centroids, numbers, (size_t)width * sizeof(double));
    snw_buffer_add(&draft->places, &place, sizeof place);
    return (!draft->centroids.failed && !draft->places.failed) || out_of_memory(reader);
}

static bool read_centroids(
    Reader *reader, const snw_Json *node, StartsDraft *draft, sinew_RigStarts *out)
{
    int count = list_count(node);
    if (count < 1 || count > SNW_RIG_MOST_CENTROIDS) {
        return fail(reader, node, "a list of 1 to 4096 centroids");
    }
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        if (!read_centroid(reader, item, draft, out)) { return false; }
    }
    out->centroids = (const double *)(const void *)draft->centroids.data;
    out->centroid_poses = (const int *)(const void *)draft->places.data;
    out->centroid_count = count;
    return true;
}

static bool read_starts_fields(
    Reader *reader, const snw_Json *node, StartsDraft *draft, sinew_RigStarts *out)
{
    static const char *const keys[] = { "reach", "goals", "poses", "centroids" };
    if (!check_object(reader, node, "a start table, an object")) { return false; }
    // centroids need to know the goals and poses, wherever they stand
    const snw_Json *places[4] = { NULL, NULL, NULL, NULL };
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        int key = read_key(reader, item, keys, 4, "reach, goals, poses or centroids", &seen);
        if (key < 0) { return false; }
        places[key] = item;
    }
    if (seen != 15u) { return fail(reader, node, "reach, goals, poses and centroids"); }
    return read_number(reader, places[0], SNW_RIG_LEAST_REACH, LARGEST, &out->reach)
        && read_goals(reader, places[1], draft, out)
        && read_start_poses(reader, places[2], draft, out)
        && read_centroids(reader, places[3], draft, out);
}

static bool read_starts(Reader *reader, const snw_Json *node)
{
    StartsDraft *draft = calloc(1, sizeof *draft);
    if (draft == NULL) { return out_of_memory(reader); }
    draft->centroids = snw_buffer_create(NULL);
    draft->places = snw_buffer_create(NULL);
    sinew_RigStarts starts;
    memset(&starts, 0, sizeof starts);
    starts.name = node->key;
    bool good = read_starts_fields(reader, node, draft, &starts)
        && check(reader, sinew_rig_set_starts(reader->rig, &starts));
    for (int p = 0; p < draft->pose_count; ++p) { give_back_pose(&draft->pose_drafts[p]); }
    snw_buffer_destroy(&draft->centroids);
    snw_buffer_destroy(&draft->places);
    free(draft);
    return good;
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool read_unit(Reader *reader, const snw_Json *node)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = { { "m", 1.0 }, { "dm", 0.1 }, { "cm", 0.01 }, { "mm", 0.001 }, { "inch", 0.0254 },
        { "foot", 0.3048 } };
    double unit = 0.0;
    if (node->kind == SNW_JSON_TEXT) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
            if (strcmp(units[i].name, node->text) == 0) { unit = units[i].metres; }
        }
        if (unit == 0.0) { return fail(reader, node, "m, dm, cm, mm, inch, foot or metres"); }
    } else if (!read_number(reader, node, SNW_RIG_LEAST_UNIT, SNW_RIG_MOST_UNIT, &unit)) {
        return false;
    }
    sinew_rig_set_unit(reader->rig, unit);
    return true;
}

static bool read_version(Reader *reader, const snw_Json *node)
{
    bool good = node->kind == SNW_JSON_NUMBER && node->number == 1.0;
    return good || fail(reader, node, "version 1 of the format");
}

static bool read_top(Reader *reader, const snw_Json *node)
{
    static const char *const keys[] = { "sinew_rig", "unit", "joints", "effectors", "poses",
        "starts", "$schema" };
    if (!check_object(reader, node, "a rig, an object with \"sinew_rig\": 1")) { return false; }
    unsigned seen = 0;
    for (const snw_Json *item = node->child; item != NULL; item = item->next) {
        bool good = false;
        switch (read_key(reader, item, keys, 7, "a key of rigs", &seen)) {
        case 0: good = read_version(reader, item); break;
        case 1: good = read_unit(reader, item); break;
        case 2: good = read_joints(reader, item); break;
        case 3:
            good = read_each(reader, item, "effectors by name, an object", read_effector);
            break;
        case 4: good = read_each(reader, item, "poses by name, an object", read_named_pose); break;
        case 5:
            good = read_each(reader, item, "start tables by name, an object", read_starts);
            break;
        case 6: good = item->kind == SNW_JSON_TEXT || fail(reader, item, "a text"); break;
        default: break;
        }
        if (!good) { return false; }
    }
    return (seen & 1u) != 0 || fail(reader, node, "the key \"sinew_rig\": 1");
}

static bool read_all(Reader *reader, const sinew_Allocator *allocator)
{
    snw_JsonTree tree;
    snw_Text *text = &reader->text;
    if (text->size >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) { text->at = 3; }
    reader->status = snw_json_read(text, allocator, &tree);
    if (reader->status != SINEW_STATUS_OK) { return false; }
    bool good = read_top(reader, tree.top);
    snw_json_destroy(&tree);
    return good;
}

sinew_Status sinew_rig_read_memory(const char *data, size_t size, const char *name,
    const sinew_Skeleton *skeleton, const sinew_Allocator *allocator, sinew_Rig **out_rig,
    sinew_Message *out_message)
{
    if (out_rig != NULL) { *out_rig = NULL; }
    if ((data == NULL && size > 0) || name == NULL || out_rig == NULL) {
        return SNW_CHECK_NULL(out_message, "name out_rig data", name, out_rig, data);
    }
    if (size > SNW_MAX_FILE_SIZE) {
        return snw_refuse(out_message, "size is %z, want at most %z", size, SNW_MAX_FILE_SIZE);
    }
    Reader reader = { { size > 0 ? data : "", size, 0, name, out_message, false }, skeleton, NULL,
        SINEW_STATUS_OK };
    if (sinew_rig_create(allocator, &reader.rig) != SINEW_STATUS_OK) {
        out_of_memory(&reader);
        return reader.status;
    }
    if (!read_all(&reader, allocator)) {
        sinew_rig_destroy(reader.rig);
        return reader.status;
    }
    *out_rig = reader.rig;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_rig_read(const char *path, const sinew_Skeleton *skeleton,
    const sinew_Allocator *allocator, sinew_Rig **out_rig, sinew_Message *out_message)
{
    if (out_rig != NULL) { *out_rig = NULL; }
    if (path == NULL || out_rig == NULL) {
        return SNW_CHECK_NULL(out_message, "path out_rig", path, out_rig);
    }
    sinew_Allocator from = snw_allocator_or_default(allocator);
    char *data;
    size_t size, capacity;
    sinew_Status status = snw_text_read_file(path, &from, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_rig_read_memory(data, size, path, skeleton, allocator, out_rig, out_message);
    snw_free(&from, data, capacity);
    return status;
}
