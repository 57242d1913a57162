#include "bench/retarget_measure.h"

#include "bench/bench_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// contacts: legs per second, legs, seconds (as in the literature on foot plants; see docs/retarget.md)
#define ON_SPEED 0.15
#define SLOW_SPEED 0.22
#define OFF_SPEED 0.27
#define ON_HEIGHT 0.05
#define OFF_HEIGHT 0.08
#define ON_HEEL 0.02
#define OFF_HEEL 0.03
#define HALF_WINDOW 0.025
#define LONGEST_GAP 0.04
#define SHORTEST 0.08
// a foot that is slower at both ends stands, legs per second; on its toes where the heel is higher, legs
#define STILL_SPEED 0.05
#define RAISED_HEEL 0.02
// frame 0 that is a pose of its own, radians to the next
#define OWN_POSE 0.7

enum { TRUNK_NUMBERS = 18, MOST_PART_JOINTS = 8 };

// ---------------------------------------------------------------------------------------------
// Joints that are looked at

typedef struct Watched {
    int joints[BENCH_PART_COUNT][MOST_PART_JOINTS];
    int count[BENCH_PART_COUNT];
} Watched;

static void watch(Watched *watched, bench_Part part, const sinew_RoleGuess *roles, sinew_Role role,
    sinew_Side side)
{
    int joint = sinew_roles_find(roles, role, side, -1);
    if (joint < 0) { return; }
    watched->joints[part][watched->count[part]++] = joint;
}

static Watched watch_all(const sinew_RoleGuess *roles)
{
    Watched w = { .count = { 0 } };
    watch(&w, BENCH_PART_HIPS, roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE);
    watch(&w, BENCH_PART_UPPER, roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE);
    watch(&w, BENCH_PART_UPPER, roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE);
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        watch(&w, BENCH_PART_KNEES, roles, SINEW_ROLE_SHIN, side);
        watch(&w, BENCH_PART_ANKLES, roles, SINEW_ROLE_FOOT, side);
        watch(&w, BENCH_PART_UPPER, roles, SINEW_ROLE_FOREARM, side);
        watch(&w, BENCH_PART_UPPER, roles, SINEW_ROLE_HAND, side);
    }
    return w;
}

static double bones(const bench_Figure *f, const sinew_RoleGuess *roles, const sinew_Role chain[3])
{
    int a = sinew_roles_find(roles, chain[0], SINEW_SIDE_LEFT, -1);
    int b = sinew_roles_find(roles, chain[1], SINEW_SIDE_LEFT, -1);
    int c = sinew_roles_find(roles, chain[2], SINEW_SIDE_LEFT, -1);
    if (a < 0 || b < 0 || c < 0) { return 0.0; }
    return sinew_vec3_distance(f->place[a], f->place[b])
        + sinew_vec3_distance(f->place[b], f->place[c]);
}

// ---------------------------------------------------------------------------------------------
// Places

static sinew_Vec3 turn(const double m[9], sinew_Vec3 v)
{
    return sinew_vec3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
        m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

static sinew_Vec3 to_own(const sinew_Stance *stance, sinew_Vec3 v)
{
    return sinew_vec3(sinew_vec3_dot(v, stance->left), sinew_vec3_dot(v, stance->up),
        sinew_vec3_dot(v, stance->ahead));
}

static void see_soles(
    bench_Motion *motion, const bench_Figure *figure, const sinew_Stance *stance, int frame)
{
    for (int i = 0; i < BENCH_SOLES; ++i) {
        const sinew_StanceFoot *foot = &stance->feet[i / 2];
        sinew_Vec3 at = turn(figure->world[foot->joint], i % 2 == 0 ? foot->heel : foot->ball);
        at = to_own(stance, sinew_vec3_add(at, figure->place[foot->joint]));
        motion->soles[i][frame] = sinew_vec3_scale(at, BENCH_LEG / motion->leg);
    }
}

// columns of a joint's rotation in own axes, row by row
static void see_rotation(
    const bench_Figure *figure, int joint, const sinew_Stance *stance, double out[9])
{
    const sinew_Vec3 axes[3] = { stance->left, stance->up, stance->ahead };
    const double *m = figure->world[joint];
    for (int i = 0; i < 3; ++i) {
        sinew_Vec3 a = axes[i];
        for (int c = 0; c < 3; ++c) {
            out[3 * i + c] = a.x * m[c] + a.y * m[3 + c] + a.z * m[6 + c];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Accelerations

// p99 over joints and frames of second differences
static double acceleration(const sinew_Vec3 *places, int joint_count, const bench_Motion *motion,
    const int *columns, int column_count, double *scratch)
{
    size_t count = 0;
    double rate2 = 1.0 / (motion->frame_time * motion->frame_time);
    for (int t = motion->first + 1; t + 1 < motion->frames; ++t) {
        for (int i = 0; i < column_count; ++i) {
            const sinew_Vec3 *p = places + (size_t)t * (size_t)joint_count + columns[i];
            sinew_Vec3 second = sinew_vec3_add(p[-joint_count], p[joint_count]);
            second = sinew_vec3_add_scaled(second, p[0], -2.0);
            scratch[count++] = rate2 * sinew_vec3_length(second);
        }
    }
    return count > 0 ? bench_quantile(scratch, count, 0.99) : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Contacts

static void measure_speeds(const bench_Motion *m, const sinew_Vec3 *p, double *out_speeds)
{
    int reach = (int)lround(HALF_WINDOW / m->frame_time);
    if (reach < 1) { reach = 1; }
    for (int t = 0; t < m->frames; ++t) {
        int a = t - reach > m->first ? t - reach : m->first;
        int b = t + reach < m->frames - 1 ? t + reach : m->frames - 1;
        double way = b > a ? sinew_vec3_distance(p[a], p[b]) : 0.0;
        out_speeds[t] = b > a ? way / ((b - a) * m->frame_time * BENCH_LEG) : 0.0;
    }
}

static double usual_height(
    const bench_Motion *m, const sinew_Vec3 *p, const double *speeds, double *scratch)
{
    size_t count = 0;
    for (int t = m->first; t < m->frames; ++t) {
        if (speeds[t] < ON_SPEED) { scratch[count++] = p[t].y; }
    }
    return count > 0 ? bench_quantile(scratch, count, 0.1) : INFINITY;
}

static void bridge_and_drop(const bench_Motion *m, bool *touching)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int a = m->first; a < m->frames;) {
            int b = a;
            while (b < m->frames && touching[b] == touching[a]) { ++b; }
            double long_is = (b - a) * m->frame_time;
            bool gap = pass == 0 && !touching[a] && a > m->first && b < m->frames
                && long_is <= LONGEST_GAP + 1e-9;
            bool blip = pass == 1 && touching[a] && long_is < SHORTEST - 1e-9;
            for (int t = a; (gap || blip) && t < b; ++t) { touching[t] = gap; }
            a = b;
        }
    }
}

static void find_contacts(bench_Motion *m, double *speeds, double *scratch)
{
    double floors[BENCH_SOLES];
    m->floor = INFINITY;
    for (int i = 0; i < BENCH_SOLES; ++i) {
        measure_speeds(m, m->soles[i], speeds);
        floors[i] = usual_height(m, m->soles[i], speeds, scratch);
        m->floor = fmin(m->floor, floors[i]);
    }
    for (int i = 0; i < BENCH_SOLES; ++i) {
        const sinew_Vec3 *p = m->soles[i];
        bool *touching = m->touching[i], on = false;
        double ground = fmin(floors[i], m->floor + 0.04 * BENCH_LEG);
        // a heel that is up is not on the floor, however slow it is
        double on_height = i % 2 == 0 ? ON_HEEL : ON_HEIGHT;
        double off_height = i % 2 == 0 ? OFF_HEEL : OFF_HEIGHT;
        measure_speeds(m, p, speeds);
        for (int t = m->first; t < m->frames; ++t) {
            double height = (p[t].y - ground) / BENCH_LEG;
            bool was = on;
            on = on ? speeds[t] <= OFF_SPEED && height <= off_height
                    : speeds[t] < ON_SPEED && height < on_height;
            touching[t] = on;
            for (int b = t - 1; on && !was && b >= m->first && !touching[b]; --b) {
                if (speeds[b] >= SLOW_SPEED || (p[b].y - ground) / BENCH_LEG >= off_height) {
                    break;
                }
                touching[b] = true;
            }
        }
        bridge_and_drop(m, touching);
    }
}

static double median_of(const sinew_Vec3 *p, int count, bool z, double *scratch)
{
    for (int i = 0; i < count; ++i) { scratch[i] = z ? p[i].z : p[i].x; }
    return bench_quantile(scratch, (size_t)count, 0.5);
}

static bool add_slide(bench_Slides *slides, double value)
{
    if (slides->count == slides->capacity) {
        size_t capacity = slides->capacity * 2 + 256;
        double *grown = realloc(slides->values, capacity * sizeof *grown);
        if (grown == NULL) { return false; }
        slides->values = grown;
        slides->capacity = capacity;
    }
    slides->values[slides->count++] = value;
    return true;
}

bool bench_motion_slides(const bench_Motion *m, unsigned soles, bench_Slides *slides)
{
    double *scratch = malloc((size_t)m->frames * sizeof *scratch);
    bool good = scratch != NULL;
    for (int i = 0; good && i < BENCH_SOLES; ++i) {
        for (int a = 0; good && (soles >> i & 1u) != 0 && a < m->frames;) {
            int b = a;
            while (b < m->frames && m->touching[i][b] == m->touching[i][a]) { ++b; }
            if (m->touching[i][a]) {
                const sinew_Vec3 *p = m->soles[i] + a;
                double x = median_of(p, b - a, false, scratch);
                double z = median_of(p, b - a, true, scratch), most = 0.0;
                for (int k = 0; k < b - a; ++k) {
                    most = fmax(most, hypot(p[k].x - x, p[k].z - z));
                }
                good = add_slide(slides, 1e3 * most);
            }
            a = b;
        }
    }
    free(scratch);
    return good;
}

// a foot that is about to roll still counts as touching: it stands while neither end moves
static bool stands(const bench_Motion *m, int sole, int t)
{
    const sinew_Vec3 *p = m->soles[sole];
    if (!m->touching[sole][t] || t <= m->first || t + 1 >= m->frames) { return false; }
    double speed = sinew_vec3_distance(p[t - 1], p[t + 1]) / (2.0 * m->frame_time * BENCH_LEG);
    return speed < STILL_SPEED;
}

double bench_motion_floor(const bench_Motion *source, const bench_Motion *m, double floor)
{
    double most = 0.0;
    for (int f = 0; f < 2; ++f) {
        for (int t = m->first; t < m->frames; ++t) {
            double heel = m->soles[2 * f][t].y - floor, ball = m->soles[2 * f + 1][t].y - floor;
            bool raised = heel - ball > RAISED_HEEL * BENCH_LEG;
            bool meant = source->touching[2 * f][t] && source->touching[2 * f + 1][t];
            if (raised || !meant || !stands(m, 2 * f, t) || !stands(m, 2 * f + 1, t)) { continue; }
            most = fmax(most, fmax(fabs(heel), fabs(ball)));
        }
    }
    return 1e3 * most;
}

double bench_motion_below(const bench_Motion *m, double floor)
{
    double most = 0.0;
    for (int i = 0; i < BENCH_SOLES; ++i) {
        for (int t = m->first; t < m->frames; ++t) { most = fmax(most, floor - m->soles[i][t].y); }
    }
    return 1e3 * most;
}

// ---------------------------------------------------------------------------------------------
// Trunk

// how a rotation turned since the first frame: now first^T
static void since(const double *now, const double *first, double out[9])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = now[3 * i] * first[3 * j] + now[3 * i + 1] * first[3 * j + 1]
                + now[3 * i + 2] * first[3 * j + 2];
        }
    }
}

// from the sine as well, which alone tells small angles
static double angle_between(const double a[9], const double b[9])
{
    double d[9];
    since(a, b, d);
    double x = d[7] - d[5], y = d[2] - d[6], z = d[3] - d[1];
    return atan2(0.5 * sqrt(x * x + y * y + z * z), 0.5 * (d[0] + d[4] + d[8] - 1.0));
}

double bench_motion_trunk(const bench_Motion *source, const bench_Motion *result)
{
    double most = 0.0;
    for (int t = 0; t < source->frames; ++t) {
        for (int part = 0; part < 2; ++part) {
            const double *s = source->hips + 9 * part, *r = result->hips + 9 * part;
            double turned[9], wanted[9];
            since(s + (size_t)t * TRUNK_NUMBERS, s, wanted);
            since(r + (size_t)t * TRUNK_NUMBERS, r, turned);
            most = fmax(most, angle_between(turned, wanted));
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool take_memory(bench_Motion *m)
{
    size_t frames = (size_t)m->frames;
    bool good = true;
    for (int i = 0; i < BENCH_SOLES; ++i) {
        m->soles[i] = malloc(frames * sizeof *m->soles[i]);
        m->touching[i] = calloc(frames, sizeof *m->touching[i]);
        good = good && m->soles[i] != NULL && m->touching[i] != NULL;
    }
    m->hips = calloc(frames, TRUNK_NUMBERS * sizeof *m->hips);
    return good && m->hips != NULL;
}

void bench_motion_close(bench_Motion *m)
{
    for (int i = 0; i < BENCH_SOLES; ++i) {
        free(m->soles[i]);
        free(m->touching[i]);
    }
    free(m->hips);
    memset(m, 0, sizeof *m);
}

static void see_frames(bench_Motion *m, const sinew_Clip *clip, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, bench_Figure figures[2], sinew_Vec3 *places)
{
    static const sinew_Role leg[3] = { SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT };
    static const sinew_Role arm[3] = { SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, SINEW_ROLE_HAND };
    int hips = sinew_roles_find(roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    int chest = sinew_roles_find(roles, SINEW_ROLE_CHEST, SINEW_SIDE_NONE, -1);
    int thighs[2] = { sinew_roles_find(roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1),
        sinew_roles_find(roles, SINEW_ROLE_THIGH, SINEW_SIDE_RIGHT, -1) };
    int joints = figures[0].joint_count;
    bench_figure_pose(&figures[0], stance->q);
    m->leg = bones(&figures[0], roles, leg);
    m->arm = bones(&figures[0], roles, arm);
    for (int t = 0; t < m->frames; ++t) {
        bench_Figure *now = &figures[t % 2], *before = &figures[1 - t % 2];
        bench_figure_pose(now, sinew_clip_frame_const(clip, t));
        see_soles(m, now, stance, t);
        memcpy(places + (size_t)t * (size_t)joints, now->place, (size_t)joints * sizeof *places);
        // the hips' joint is elsewhere in every skeleton, the middle of the hip joints is not
        places[(size_t)t * (size_t)joints + (size_t)hips] = sinew_vec3_lerp(
            now->place[thighs[0]], now->place[thighs[1]], 0.5);
        double *trunk = m->hips + (size_t)t * TRUNK_NUMBERS;
        see_rotation(now, hips, stance, trunk);
        see_rotation(now, chest >= 0 ? chest : hips, stance, trunk + 9);
        double step = t > 0 ? bench_figure_step(before, now) : 0.0;
        if (t == 1 && step > OWN_POSE) {
            m->first = 1;
        } else {
            m->step = fmax(m->step, step);
        }
        sinew_Vec3 rise = t > 0 ? sinew_vec3_sub(now->place[hips], before->place[hips])
                                : sinew_vec3(0.0, 0.0, 0.0);
        if (t < 5 && t > m->first) {
            m->collapse = fmax(m->collapse, fabs(sinew_vec3_dot(rise, stance->up)) / m->leg);
        }
    }
}

bool bench_motion_open(bench_Motion *m, const sinew_Clip *clip, const sinew_RoleGuess *roles,
    const sinew_Stance *stance)
{
    memset(m, 0, sizeof *m);
    m->frames = sinew_clip_frame_count(clip);
    m->frame_time = sinew_clip_frame_time(clip);
    bench_Figure figures[2] = { { 0 }, { 0 } };
    size_t joints = (size_t)roles->joint_count, frames = (size_t)m->frames;
    sinew_Vec3 *places = malloc(frames * joints * sizeof *places);
    double *speeds = malloc(frames * sizeof *speeds);
    double *scratch = malloc(frames * MOST_PART_JOINTS * 2 * sizeof *scratch);
    bool good = take_memory(m) && places != NULL && speeds != NULL && scratch != NULL
        && bench_figure_open(&figures[0], sinew_clip_skeleton(clip))
        && bench_figure_open(&figures[1], sinew_clip_skeleton(clip));
    if (good) {
        see_frames(m, clip, roles, stance, figures, places);
        find_contacts(m, speeds, scratch);
        Watched watched = watch_all(roles);
        int all[BENCH_PART_COUNT * MOST_PART_JOINTS], all_count = 0;
        for (int part = 0; part < BENCH_PART_ALL; ++part) {
            m->acceleration[part] = acceleration(
                places, (int)joints, m, watched.joints[part], watched.count[part], scratch);
            for (int i = 0; i < watched.count[part]; ++i) {
                all[all_count++] = watched.joints[part][i];
            }
        }
        m->acceleration[BENCH_PART_ALL] = acceleration(
            places, (int)joints, m, all, all_count, scratch);
        good = m->leg > 0.0;
    }
    free(places);
    free(speeds);
    free(scratch);
    bench_figure_close(&figures[0]);
    bench_figure_close(&figures[1]);
    if (!good) { bench_motion_close(m); }
    return good;
}
