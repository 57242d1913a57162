// Contacts of points of a body with what they stand on.

#include "motion/contact.h"

#include "base/memory.h"
#include "base/message.h"
#include "body/skeleton.h"
#include "math/frames.h"
#include "math/select.h"

// a joint that turns by more between the first two frames: frame 0 is a pose of its own, often a T; radians
#define OWN_FIRST_POSE 0.7
// of the stature
#define LONGEST_HAND 0.15
// share of the heights of slow frames that is below the floor
#define FLOOR_PERCENT 10

sinew_ContactSettings sinew_contact_settings_default(void)
{
    sinew_ContactSettings r = {
        .begin_speed = 0.15,
        .begin_height = 0.05,
        .slowing_speed = 0.22,
        .end_speed = 0.27,
        .end_height = 0.08,
        .hand_height = 0.12,
        .floor_spread = 0.04,
        .longest_gap = 0.04,
        .shortest = 0.08,
        .half_window = 0.025,
    };
    return r;
}

sinew_ContactDef sinew_contact_def_default(void)
{
    sinew_ContactDef r = { .up = { 0.0, 1.0, 0.0 }, .cookie = SNW_COOKIE };
    r.settings = sinew_contact_settings_default();
    return r;
}

bool sinew_contact_touches(
    const sinew_ContactSettings *settings, bool touched, double speed, double height)
{
    if (settings == NULL) { return false; }
    return touched ? speed <= settings->end_speed && height <= settings->end_height
                   : speed < settings->begin_speed && height < settings->begin_height;
}

const char *sinew_contact_part_name(sinew_ContactPart part)
{
    switch (part) {
    case SINEW_CONTACT_HEEL: return "heel";
    case SINEW_CONTACT_BALL: return "ball";
    case SINEW_CONTACT_HAND: return "hand";
    case SINEW_CONTACT_MARKED: return "marked";
    default: return "";
    }
}

// ---------------------------------------------------------------------------------------------
// Points of a person

// where the knuckles are in the hand's frame: the first joint of the middle or index finger, or a lone child
static sinew_Vec3 knuckles(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, int hand)
{
    static const sinew_Role fingers[2] = { SINEW_ROLE_MIDDLE, SINEW_ROLE_INDEX };
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int i = 0; i < 2; ++i) {
        int j = sinew_roles_find(roles, fingers[i], roles->joints[hand].side, 1);
        if (j < 0 || !sinew_skeleton_is_ancestor(skeleton, hand, j)) { continue; }
        sinew_Vec3 place = joints[j].offset;
        for (int p = joints[j].parent; p != hand; p = joints[p].parent) {
            place = sinew_vec3_add(
                joints[p].offset, sinew_quat_rotate(joints[p].rest_rotation, place));
        }
        return place;
    }
    // a lone end may be garbage: hands are shorter than that
    bool is_alone = joints[hand].subtree_count == 2
        && sinew_vec3_length(joints[hand + 1].offset) < LONGEST_HAND * roles->stature;
    return is_alone ? sinew_vec3_scale(joints[hand + 1].offset, 0.5) : sinew_vec3(0.0, 0.0, 0.0);
}

int sinew_contact_points(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, sinew_ContactPoint *out_points, int capacity)
{
    sinew_ContactPoint found[6];
    int count = 0;
    if (skeleton == NULL || roles == NULL || stance == NULL) { return 0; }
    if (roles->joint_count != sinew_skeleton_joint_count(skeleton)) { return 0; }
    for (int s = 0; s < 2; ++s) {
        const sinew_StanceFoot *foot = &stance->feet[s];
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        if (foot->joint < 0 || stance->source == SINEW_STANCE_NONE) { continue; }
        found[count++] = (sinew_ContactPoint){ SINEW_CONTACT_HEEL, side, foot->joint, foot->heel };
        found[count++] = (sinew_ContactPoint){ SINEW_CONTACT_BALL, side, foot->joint, foot->ball };
    }
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int hand = sinew_roles_find(roles, SINEW_ROLE_HAND, side, -1);
        if (hand < 0) { continue; }
        found[count++] = (sinew_ContactPoint){ SINEW_CONTACT_HAND, side, hand,
            knuckles(skeleton, roles, hand) };
    }
    for (int i = 0; i < count && i < capacity && out_points != NULL; ++i) {
        out_points[i] = found[i];
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Memory

typedef struct Finder {
    sinew_Contacts contacts; ///< first, so that the contacts lead back here
    const sinew_ContactDef *def;
    sinew_Vec3 *positions;
    bool *touching;
    double *floors;
    sinew_Contact *list;
    int *starts;

    // scratch
    sinew_Transform *world; //                             (joint_count)
    double *heights;        // of one point                (frame_count)
    double *speeds;         //                             (frame_count)
    double *sorted;         //                             (frame_count)
    bool *said;             // frames of one point         (frame_count)
    sinew_Allocator allocator;
    size_t size;
} Finder;

// every point has at most so many contacts: each takes a frame and a gap
static size_t most_contacts(const sinew_ContactDef *def)
{
    return (size_t)def->point_count * ((size_t)def->motion.count / 2 + 1);
}

static Finder *take_memory(snw_Arena *arena, const sinew_ContactDef *def)
{
    size_t frames = (size_t)def->motion.count, points = (size_t)def->point_count;
    Finder *f = snw_arena_take(arena, 1, sizeof *f);
    sinew_Vec3 *positions = snw_arena_take(arena, points * frames, sizeof *positions);
    bool *touching = snw_arena_take(arena, points * frames, sizeof *touching);
    double *floors = snw_arena_take(arena, points, sizeof *floors);
    sinew_Contact *list = snw_arena_take(arena, most_contacts(def), sizeof *list);
    int *starts = snw_arena_take(arena, points + 1, sizeof *starts);
    size_t joints = (size_t)sinew_skeleton_joint_count(def->skeleton);
    sinew_Transform *world = snw_arena_take(arena, joints, sizeof *world);
    double *heights = snw_arena_take(arena, frames, sizeof *heights);
    double *speeds = snw_arena_take(arena, frames, sizeof *speeds);
    double *sorted = snw_arena_take(arena, frames, sizeof *sorted);
    bool *said = snw_arena_take(arena, frames, sizeof *said);
    if (f == NULL) { return NULL; }
    *f = (Finder){ .def = def,
        .positions = positions,
        .touching = touching,
        .floors = floors,
        .list = list,
        .starts = starts,
        .world = world,
        .heights = heights,
        .speeds = speeds,
        .sorted = sorted,
        .said = said };
    f->contacts = (sinew_Contacts){ .frame_count = def->motion.count,
        .point_count = def->point_count,
        .positions = positions,
        .touching = touching,
        .floors = floors,
        .contacts = list,
        .starts = starts };
    return f;
}

// ---------------------------------------------------------------------------------------------
// Places and speeds

static const double *pose_of(const sinew_ContactDef *def, int frame)
{
    return def->motion.q + (size_t)frame * (size_t)sinew_skeleton_coordinate_count(def->skeleton);
}

static void find_places(Finder *f)
{
    const sinew_ContactDef *def = f->def;
    size_t frames = (size_t)def->motion.count;
    for (int t = 0; t < def->motion.count; ++t) {
        sinew_pose_forward(def->skeleton, pose_of(def, t), f->world);
        for (int p = 0; p < def->point_count; ++p) {
            f->positions[(size_t)p * frames + (size_t)t] = sinew_transform_point(
                f->world[def->points[p].joint], def->points[p].offset);
        }
    }
}

// whether a joint leaps from frame 0 to 1
static bool starts_with_own_pose(const sinew_ContactDef *def)
{
    if (def->motion.count < 3) { return false; }
    const double *a = pose_of(def, 0), *b = pose_of(def, 1);
    for (int j = 0; j < sinew_skeleton_joint_count(def->skeleton); ++j) {
        sinew_Quat before = sinew_pose_local(def->skeleton, a, j).rotation;
        sinew_Quat after = sinew_pose_local(def->skeleton, b, j).rotation;
        if (sinew_quat_angle(before, after) > OWN_FIRST_POSE) { return true; }
    }
    return false;
}

static const sinew_Vec3 *places_of(const Finder *f, int point)
{
    return f->positions + (size_t)point * (size_t)f->contacts.frame_count;
}

void snw_contact_speeds(const snw_ContactTrack *track, double half_window, double *out_speeds)
{
    int first = track->first, end = track->end;
    int reach = snw_frames_in(half_window, track->frame_time, end);
    if (reach < 1) { reach = 1; }
    for (int t = 0; t < end; ++t) {
        int a = t - reach < first ? first : t - reach;
        int b = t + reach > end - 1 ? end - 1 : t + reach;
        double way = b > a ? sinew_vec3_distance(track->places[a], track->places[b]) : 0.0;
        out_speeds[t] = b > a ? way / ((b - a) * track->frame_time * track->leg) : 0.0;
    }
}

static snw_ContactTrack track_of(const Finder *f, int point)
{
    return (snw_ContactTrack){ places_of(f, point), f->contacts.first_frame,
        f->contacts.frame_count, f->def->frame_time, f->def->leg };
}

static void measure_point(Finder *f, int point)
{
    const sinew_ContactDef *def = f->def;
    snw_ContactTrack track = track_of(f, point);
    snw_contact_speeds(&track, def->settings.half_window, f->speeds);
    for (int t = 0; t < track.end; ++t) {
        f->heights[t] = sinew_vec3_dot(track.places[t], def->up) / def->leg;
    }
}

// ---------------------------------------------------------------------------------------------
// Floors

static bool is_foot(sinew_ContactPart part)
{
    return part == SINEW_CONTACT_HEEL || part == SINEW_CONTACT_BALL;
}

// Height that the tenth part of the slow frames is below, legs; of all frames where none is slow.
static double usual_floor(Finder *f)
{
    size_t count = 0, all = 0;
    for (int pass = 0; pass < 2 && count == 0; ++pass) {
        for (int t = f->contacts.first_frame; t < f->contacts.frame_count; ++t) {
            if (pass == 1 || f->speeds[t] < f->def->settings.begin_speed) {
                f->sorted[count++] = f->heights[t];
            }
        }
        all = count;
    }
    return all > 0 ? snw_select(f->sorted, all, (all - 1) * FLOOR_PERCENT / 100) : 0.0;
}

static void find_floors(Finder *f)
{
    const sinew_ContactDef *def = f->def;
    double lowest = INFINITY, lowest_foot = INFINITY;
    for (int p = 0; p < def->point_count; ++p) {
        measure_point(f, p);
        f->floors[p] = usual_floor(f);
        lowest = fmin(lowest, f->floors[p]);
        if (is_foot(def->points[p].part)) { lowest_foot = fmin(lowest_foot, f->floors[p]); }
    }
    // a foot with few contacts has a floor of chance, hands are slow anywhere: those of the feet hold
    double floor = isfinite(lowest_foot) ? lowest_foot : lowest;
    for (int p = 0; p < def->point_count; ++p) {
        bool foot = is_foot(def->points[p].part);
        double top = floor + (foot ? def->settings.floor_spread : 0.0);
        f->floors[p] = foot ? fmin(f->floors[p], top) : floor;
    }
    for (int p = 0; p < def->point_count; ++p) { f->floors[p] *= def->leg; }
    f->contacts.floor = floor * def->leg;
}

// ---------------------------------------------------------------------------------------------
// Frames that touch

// let frames a..b-1 touch or not
static void set_frames(bool *touching, int a, int b, bool value)
{
    for (int t = a; t < b; ++t) { touching[t] = value; }
}

// close short gaps, drop what is left of short contacts
static void tidy(
    const snw_ContactTrack *track, const sinew_ContactSettings *settings, bool *touching)
{
    int first = track->first, end = track->end;
    for (int pass = 0; pass < 2; ++pass) {
        bool kind = pass == 1;
        double limit = (kind ? settings->shortest : settings->longest_gap) / track->frame_time;
        for (int a = first; a < end;) {
            int b = a;
            while (b < end && touching[b] == touching[a]) { ++b; }
            bool is_inside = kind || (a > first && b < end);
            bool is_short = kind ? b - a < limit - 1e-9 : b - a <= limit + 1e-9;
            if (touching[a] == kind && is_short && is_inside) { set_frames(touching, a, b, !kind); }
            a = b;
        }
    }
}

void snw_contact_frames(const snw_ContactTrack *track, const sinew_ContactSettings *settings,
    const double *speeds, const double *heights, double floor, bool *out_touching)
{
    int first = track->first, end = track->end;
    bool *touching = out_touching, touched = false;
    set_frames(touching, 0, end, false);
    for (int t = first; t < end; ++t) {
        bool touches = sinew_contact_touches(settings, touched, speeds[t], heights[t] - floor);
        touching[t] = touches;
        for (int b = t - 1; touches && !touched && b >= first && !touching[b]; --b) {
            bool slows = speeds[b] < settings->slowing_speed
                && heights[b] - floor < settings->end_height;
            if (!slows) { break; }
            touching[b] = true;
        }
        touched = touches;
    }
    tidy(track, settings, touching);
}

static void find_frames(Finder *f, int point)
{
    const sinew_ContactDef *def = f->def;
    sinew_ContactSettings settings = def->settings;
    bool *touching = f->touching + (size_t)point * (size_t)f->contacts.frame_count;
    if (!is_foot(def->points[point].part)) {
        settings.begin_height = settings.hand_height;
        settings.end_height = 1.5 * settings.hand_height;
    }
    snw_ContactTrack track = track_of(f, point);
    snw_contact_frames(
        &track, &settings, f->speeds, f->heights, f->floors[point] / def->leg, touching);
}

static void apply_marks(Finder *f, int point)
{
    bool *touching = f->touching + (size_t)point * (size_t)f->contacts.frame_count;
    set_frames(f->said, 0, f->contacts.frame_count, false);
    for (int i = 0; i < f->def->mark_count; ++i) {
        const sinew_ContactMark *mark = &f->def->marks[i];
        if (mark->point != point) { continue; }
        set_frames(touching, mark->first, mark->last + 1, true);
        set_frames(f->said, mark->first, mark->last + 1, true);
        // what was found beside it is another contact, so that the mark's ends hold
        if (mark->first > 0 && !f->said[mark->first - 1]) { touching[mark->first - 1] = false; }
        if (mark->last + 1 < f->contacts.frame_count) { touching[mark->last + 1] = false; }
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts

static double median(Finder *f, const sinew_Vec3 *place, int count, int coordinate)
{
    for (int i = 0; i < count; ++i) {
        f->sorted[i] = coordinate == 0 ? place[i].x : coordinate == 1 ? place[i].y : place[i].z;
    }
    return snw_select(f->sorted, (size_t)count, (size_t)(count - 1) / 2);
}

static void add_contact(Finder *f, int point, int first, int end)
{
    sinew_Vec3 up = f->def->up;
    const sinew_Vec3 *place = places_of(f, point) + first;
    int count = end - first;
    sinew_Contact contact = {
        .point = point, .first = first, .last = end - 1, .marked = f->said[first]
    };
    contact.place = sinew_vec3(
        median(f, place, count, 0), median(f, place, count, 1), median(f, place, count, 2));
    contact.height = sinew_vec3_dot(contact.place, up);
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 off = sinew_vec3_sub(place[i], contact.place);
        off = sinew_vec3_add_scaled(off, up, -sinew_vec3_dot(off, up));
        contact.slide = fmax(contact.slide, sinew_vec3_length(off));
    }
    f->list[f->contacts.contact_count++] = contact;
}

static void list_contacts(Finder *f, int point)
{
    const bool *touching = f->touching + (size_t)point * (size_t)f->contacts.frame_count;
    int end = f->contacts.frame_count;
    f->starts[point] = f->contacts.contact_count;
    for (int a = 0; a < end;) {
        int b = a;
        while (b < end && touching[b] == touching[a]) { ++b; }
        if (touching[a]) { add_contact(f, point, a, b); }
        a = b;
    }
    f->starts[point + 1] = f->contacts.contact_count;
}

// ---------------------------------------------------------------------------------------------
// The whole

sinew_Status snw_motion_check(
    const sinew_Skeleton *skeleton, const sinew_PoseList *motion, sinew_Message *out_message)
{
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    for (int t = 0; t < motion->count; ++t) {
        sinew_Message inner = { "" };
        if (sinew_pose_check(skeleton, motion->q + (size_t)t * width, &inner) != SINEW_STATUS_OK) {
            return snw_refuse(out_message, "frame %d: %s", t, inner.text);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_settings(const sinew_ContactSettings *s, sinew_Message *out_message)
{
    const double values[] = { s->begin_speed, s->begin_height, s->slowing_speed, s->end_speed,
        s->end_height, s->hand_height, s->floor_spread, s->longest_gap, s->shortest,
        s->half_window };
    static const char *const names[] = { "begin_speed", "begin_height", "slowing_speed",
        "end_speed", "end_height", "hand_height", "floor_spread", "longest_gap", "shortest",
        "half_window" };
    for (int i = 0; i < (int)(sizeof values / sizeof values[0]); ++i) {
        if (!(values[i] >= 0.0) || !isfinite(values[i])) {
            return snw_refuse(out_message, "settings.%s is %g, want >= 0", names[i], values[i]);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_points(const sinew_ContactDef *def, sinew_Message *out_message)
{
    int joints = sinew_skeleton_joint_count(def->skeleton);
    if (def->points == NULL) { return snw_refuse(out_message, "points is NULL"); }
    if (def->point_count < 1 || def->point_count > SINEW_MAX_CONTACT_POINTS) {
        return snw_refuse(out_message, "point_count is %d, want 1..%d", def->point_count,
            SINEW_MAX_CONTACT_POINTS);
    }
    for (int p = 0; p < def->point_count; ++p) {
        const sinew_ContactPoint *point = &def->points[p];
        if (point->joint < 0 || point->joint >= joints || !snw_is_offset(point->offset)) {
            return snw_refuse(out_message,
                "points[%d] is at no joint, or its offset is not finite, below 1e9 m (joint %d)", p,
                point->joint);
        }
    }
    if (def->mark_count < 0 || (def->mark_count > 0 && def->marks == NULL)) {
        return snw_refuse(out_message, "marks is NULL, or mark_count is %d", def->mark_count);
    }
    for (int i = 0; i < def->mark_count; ++i) {
        const sinew_ContactMark *mark = &def->marks[i];
        bool good = mark->point >= 0 && mark->point < def->point_count && mark->first >= 0
            && mark->first <= mark->last && mark->last < def->motion.count;
        if (!good) {
            return snw_refuse(out_message,
                "marks[%d] says point %d, frames %d to %d; there are %d point%s and %d frame%s", i,
                mark->point, mark->first, mark->last, def->point_count,
                snw_plural(def->point_count), def->motion.count, snw_plural(def->motion.count));
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check(const sinew_ContactDef *def, sinew_Message *out_message)
{
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "contact"); }
    if (def->skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    if (def->motion.count < 0 || (def->motion.count > 0 && def->motion.q == NULL)) {
        return snw_refuse(out_message, "motion has no poses, or count is %d", def->motion.count);
    }
    if (!(def->frame_time > 0.0) || !isfinite(def->frame_time)) {
        return snw_refuse(out_message, "frame_time is %g, want > 0", def->frame_time);
    }
    if (!(def->leg > 0.0) || !isfinite(def->leg)) {
        return snw_refuse(out_message, "leg is %g, want > 0", def->leg);
    }
    if (!(fabs(sinew_vec3_length(def->up) - 1.0) < 1e-6)) {
        return snw_refuse(out_message, "up has length %g, want 1", sinew_vec3_length(def->up));
    }
    sinew_Status status = snw_motion_check(def->skeleton, &def->motion, out_message);
    if (status == SINEW_STATUS_OK) { status = check_settings(&def->settings, out_message); }
    return status == SINEW_STATUS_OK ? check_points(def, out_message) : status;
}

sinew_Status sinew_contacts_find(
    const sinew_ContactDef *def, sinew_Contacts **out_contacts, sinew_Message *out_message)
{
    if (out_contacts == NULL || def == NULL) {
        return snw_refuse(out_message, "%s is NULL", def == NULL ? "def" : "out_contacts");
    }
    *out_contacts = NULL;
    sinew_Status status = check(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    snw_Arena arena = { NULL, 0 };
    take_memory(&arena, def);
    size_t size;
    if (!snw_arena_open(&arena, &allocator, &size)) {
        return snw_no_memory(out_message, "contacts");
    }
    Finder *f = take_memory(&arena, def);
    f->allocator = allocator;
    f->size = size;
    f->contacts.first_frame = starts_with_own_pose(def) ? 1 : 0;
    find_places(f);
    find_floors(f);
    for (int p = 0; p < def->point_count; ++p) {
        measure_point(f, p);
        find_frames(f, p);
        apply_marks(f, p);
        list_contacts(f, p);
    }
    f->def = NULL; // the caller's, and no longer needed
    *out_contacts = &f->contacts;
    return SINEW_STATUS_OK;
}

void sinew_contacts_destroy(sinew_Contacts *contacts)
{
    if (contacts == NULL) { return; }
    Finder *f = (Finder *)(void *)contacts;
    snw_free(&f->allocator, f, f->size);
}
