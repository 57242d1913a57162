#ifndef FEET_TRUTH_H
#define FEET_TRUTH_H

// How feet of a written BVH file stand on a ground: a reader, kinematics and contacts that share nothing with
// sinew's. From sinew come only the unit and where heel and ball are in the foot's frame.

#include "command.h"

#include "sinew/file.h"
#include "sinew/ground.h"
#include "sinew/retarget.h"
#include "sinew/stance.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------
// A BVH reader and kinematics that share nothing with sinew's: matrices, degrees, no trees of types

enum { MOST_JOINTS = 300 };

typedef struct Own {
    int parent[MOST_JOINTS], channels[MOST_JOINTS][6], channel_count[MOST_JOINTS], joints;
    char name[MOST_JOINTS][64];
    double offset[MOST_JOINTS][3];
    int frames, channel_total;
    bool adds; // positions of joints that are no roots are added to their offsets
    double frame_time, *values;
} Own;

static inline Own *own_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    Own *own = calloc(1, sizeof *own);
    char word[256];
    int current = -1;
    bool ends = false;
    while (fscanf(file, "%255s", word) == 1 && strcmp(word, "MOTION") != 0) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0 || strcmp(word, "End") == 0) {
            ends = strcmp(word, "End") == 0;
            int j = own->joints++;
            assert_true(j < MOST_JOINTS);
            own->parent[j] = current;
            current = j;
            assert_int_equal(fscanf(file, "%63s", own->name[j]), 1);
            if (ends) { snprintf(own->name[j], 64, "(end %d)", j); }
        } else if (strcmp(word, "OFFSET") == 0) {
            double *o = own->offset[current];
            assert_int_equal(fscanf(file, "%lf %lf %lf", &o[0], &o[1], &o[2]), 3);
        } else if (strcmp(word, "CHANNELS") == 0) {
            int count;
            assert_int_equal(fscanf(file, "%d", &count), 1);
            own->channel_count[current] = count;
            for (int i = 0; i < count; ++i) {
                assert_int_equal(fscanf(file, "%255s", word), 1);
                own->channels[current][i] = (word[0] - 'X') + (word[1] == 'r' ? 3 : 0);
            }
            own->channel_total += count;
        } else if (strcmp(word, "}") == 0) {
            current = own->parent[current];
        }
    }
    assert_int_equal(
        fscanf(file, " Frames: %d Frame Time: %lf", &own->frames, &own->frame_time), 2);
    size_t count = (size_t)own->frames * (size_t)own->channel_total;
    own->values = calloc(count, sizeof *own->values);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(fscanf(file, "%lf", &own->values[i]), 1);
    }
    fclose(file);
    // of files that give all joints positions: zeros throughout are nobody's bones
    int at = 0;
    own->adds = own->frames > 0;
    for (int j = 0; own->frames > 0 && j < own->joints; ++j) {
        for (int i = 0; i < own->channel_count[j]; ++i, ++at) {
            if (own->parent[j] >= 0 && own->channels[j][i] < 3 && fabs(own->values[at]) > 1e-3) {
                own->adds = false;
            }
        }
    }
    return own;
}

static inline void own_free(Own *own)
{
    free(own->values);
    free(own);
}

typedef struct Place {
    double m[3][3], p[3];
} Place;

static inline void own_turn(double m[3][3], int axis, double degrees)
{
    double c = cos(degrees * 3.14159265358979323846 / 180.0);
    double s = sin(degrees * 3.14159265358979323846 / 180.0);
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (int r = 0; r < 3; ++r) {
        double x = m[r][a], y = m[r][b];
        m[r][a] = c * x + s * y;
        m[r][b] = c * y - s * x;
    }
}

static inline void own_pose(const Own *own, int frame, double unit, Place *out)
{
    const double *v = own->values + (size_t)frame * (size_t)own->channel_total;
    for (int j = 0; j < own->joints; ++j) {
        Place at = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 0, 0, 0 } };
        double o[3] = { own->offset[j][0], own->offset[j][1], own->offset[j][2] };
        if (own->parent[j] >= 0) { at = out[own->parent[j]]; }
        // position channels of this corpus replace the offset, or say nothing
        for (int i = 0; i < own->channel_count[j]; ++i) {
            bool added = own->adds && own->parent[j] >= 0;
            if (own->channels[j][i] < 3) {
                o[own->channels[j][i]] = v[i] + (added ? o[own->channels[j][i]] : 0.0);
            }
        }
        for (int r = 0; r < 3; ++r) {
            at.p[r] += unit * (at.m[r][0] * o[0] + at.m[r][1] * o[1] + at.m[r][2] * o[2]);
        }
        for (int i = 0; i < own->channel_count[j]; ++i) {
            if (own->channels[j][i] >= 3) { own_turn(at.m, own->channels[j][i] - 3, v[i]); }
        }
        v += own->channel_count[j];
        out[j] = at;
    }
}

// ---------------------------------------------------------------------------------------------
// A recorded body

typedef struct Body {
    sinew_MotionFile *file;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    sinew_RetargetBody body;
    const sinew_Clip *clip;
} Body;

static inline bool open_body(Body *b, const char *name)
{
    sinew_Message message = { "" };
    const char *path = data_path(name);
    memset(b, 0, sizeof *b);
    if (path == NULL) { return false; }
    TEST_OK(sinew_motion_read(path, NULL, &b->file, &message), &message);
    b->clip = sinew_motion_clip(b->file);
    b->body.skeleton = sinew_motion_skeleton(b->file);
    sinew_PoseList poses = { sinew_clip_frame_const(b->clip, 0), sinew_clip_frame_count(b->clip) };
    static bool ends[1000];
    for (int j = 0; j < sinew_skeleton_joint_count(b->body.skeleton) && j < 1000; ++j) {
        ends[j] = sinew_motion_is_end_site(b->file, j);
    }
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = &poses;
    options.is_end_site = ends;
    TEST_OK(sinew_roles_guess(b->body.skeleton, &options, NULL, &b->roles, &message), &message);
    TEST_OK(sinew_stance_guess(b->body.skeleton, b->roles, &poses, NULL, &b->stance, &message),
        &message);
    b->body.roles = b->roles;
    b->body.stance = b->stance;
    return true;
}

static inline void close_body(Body *b)
{
    sinew_stance_destroy(b->stance);
    sinew_roles_destroy(b->roles);
    sinew_motion_destroy(b->file);
}

// ---------------------------------------------------------------------------------------------
// What a viewer sees

typedef struct Seen {
    int contacts;
    double slide, sink, hover,
        deep;           // metres at a leg of 0.9 m; deep: of all frames but one in a hundred
    double hips, knees; // acceleration, p99
    double typical;     // median slide
    double slides[600];
} Seen;

static inline int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static inline int own_joint(const Own *own, const Body *b, int joint)
{
    const char *name = sinew_skeleton_joints(b->body.skeleton)[joint].name;
    for (int j = 0; j < own->joints; ++j) {
        if (strcmp(own->name[j], name) == 0) { return j; }
    }
    fail_msg("%s is not in the written file", name);
    return -1;
}

static inline double leg_of(const Body *b)
{
    const sinew_Transform *w = b->stance->world_from_joint;
    int thigh = sinew_roles_find(b->roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1);
    int shin = sinew_roles_find(b->roles, SINEW_ROLE_SHIN, SINEW_SIDE_LEFT, -1);
    int foot = b->stance->feet[0].joint;
    return sinew_vec3_distance(w[thigh].position, w[shin].position)
        + sinew_vec3_distance(w[shin].position, w[foot].position);
}

enum { MOST_FRAMES = 6000 };
/// What the last look saw standing: left heel, left ball, right heel, right ball.
static bool seen_standing[4][MOST_FRAMES];

// one point of a foot: contacts by speed and height over the ground, how far each strays from its first place
static inline void look_at_point(const double (*x)[3], const double *height, int frames, double dt,
    double leg, bool *out_stands, Seen *seen)
{
    int window = (int)(0.025 / dt + 0.5), start = -1;
    if (window < 1) { window = 1; }
    for (int t = 0; t <= frames; ++t) {
        double speed = INFINITY;
        if (t >= window && t + window < frames) {
            const double *a = x[t - window], *b = x[t + window];
            speed = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
                        + (a[2] - b[2]) * (a[2] - b[2]))
                / (2 * window * dt);
        }
        bool on = t < frames && speed < (start >= 0 ? 0.27 : 0.15) * leg
            && height[t] < (start >= 0 ? 0.08 : 0.05) * leg;
        if (t < frames) { out_stands[t] = on; }
        if (on && start < 0) { start = t; }
        if (on || start < 0) { continue; }
        if ((t - start) * dt >= 0.08) {
            int middle = (start + t) / 2;
            double slide = 0.0;
            for (int k = start; k < t; ++k) {
                double dx = x[k][0] - x[middle][0], dz = x[k][2] - x[middle][2];
                slide = fmax(slide, 0.9 / leg * sqrt(dx * dx + dz * dz));
            }
            if (seen->contacts < 600) { seen->slides[seen->contacts] = slide; }
            ++seen->contacts;
            seen->slide = fmax(seen->slide, slide);
        }
        start = -1;
    }
}

static inline int own_accelerations(const double (*x)[3], int frames, double dt, double *out_values)
{
    for (int t = 1; t + 1 < frames; ++t) {
        double sum = 0.0;
        for (int r = 0; r < 3; ++r) {
            double a = (x[t - 1][r] + x[t + 1][r] - 2.0 * x[t][r]) / (dt * dt);
            sum += a * a;
        }
        out_values[t - 1] = sqrt(sum);
    }
    return frames - 2;
}

static inline double own_p99(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(count - 1) * 99 / 100];
}

static inline Seen look(const Body *b, const char *path, const sinew_Ground *ground)
{
    enum { MOST = MOST_FRAMES };
    static double place[4][MOST][3], height[4][MOST], values[2 * MOST];
    static double hips[MOST][3], knees[2][MOST][3];
    bool(*stands)[MOST_FRAMES] = seen_standing;
    Own *own = own_read(path);
    assert_non_null(own);
    int frames = own->frames < MOST ? own->frames : MOST;
    double unit = sinew_motion_unit(b->file), leg = leg_of(b);
    static Place pose[MOST_JOINTS];
    int joints[2] = { own_joint(own, b, b->stance->feet[0].joint),
        own_joint(own, b, b->stance->feet[1].joint) };
    int hip = own_joint(own, b, sinew_roles_find(b->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1));
    int knee[2] = { own_joint(
                        own, b, sinew_roles_find(b->roles, SINEW_ROLE_SHIN, SINEW_SIDE_LEFT, -1)),
        own_joint(own, b, sinew_roles_find(b->roles, SINEW_ROLE_SHIN, SINEW_SIDE_RIGHT, -1)) };
    for (int t = 0; t < frames; ++t) {
        own_pose(own, t, unit, pose);
        memcpy(hips[t], pose[hip].p, sizeof hips[t]);
        for (int s = 0; s < 2; ++s) { memcpy(knees[s][t], pose[knee[s]].p, sizeof knees[s][t]); }
        for (int i = 0; i < 4; ++i) {
            const sinew_StanceFoot *foot = &b->stance->feet[i / 2];
            sinew_Vec3 o = i % 2 == 0 ? foot->heel : foot->ball;
            const Place *at = &pose[joints[i / 2]];
            for (int r = 0; r < 3; ++r) {
                place[i][t][r] = at->p[r] + at->m[r][0] * o.x + at->m[r][1] * o.y
                    + at->m[r][2] * o.z;
            }
            height[i][t] = place[i][t][1]
                - sinew_ground_sample(ground, place[i][t][0], place[i][t][2]).height;
        }
    }
    Seen seen;
    memset(&seen, 0, sizeof seen);
    for (int i = 0; i < 4; ++i) {
        look_at_point((const double(*)[3])place[i], height[i], frames, own->frame_time, leg,
            stands[i], &seen);
    }
    for (int t = 0; t < frames; ++t) {
        double lowest = 0.0;
        for (int i = 0; i < 4; ++i) { lowest = fmin(lowest, height[i][t]); }
        values[t] = -lowest;
        for (int s = 0; s < 2; ++s) {
            if (!stands[2 * s][t] || !stands[2 * s + 1][t]) { continue; }
            double low = fmin(height[2 * s][t], height[2 * s + 1][t]);
            seen.sink = fmax(seen.sink, -low);
            seen.hover = fmax(seen.hover, low);
        }
    }
    qsort(values, (size_t)frames, sizeof *values, compare);
    seen.deep = values[(frames - 1) * 99 / 100];
    int known = seen.contacts < 600 ? seen.contacts : 600;
    qsort(seen.slides, (size_t)known, sizeof *seen.slides, compare);
    seen.typical = known > 0 ? seen.slides[known / 2] : 0.0;
    int count = own_accelerations((const double(*)[3])hips, frames, own->frame_time, values);
    seen.hips = own_p99(values, count);
    count = own_accelerations((const double(*)[3])knees[0], frames, own->frame_time, values);
    count += own_accelerations(
        (const double(*)[3])knees[1], frames, own->frame_time, values + count);
    seen.knees = own_p99(values, count);
    own_free(own);
    return seen;
}

#endif
