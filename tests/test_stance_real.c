// Stances of recorded bodies, judged by kinematics of its own: the stance and some frames of the motion are
// written as BVH, read as plain text, and placed by matrices. Skipped without the data folder.

#include "testing.h"

#include "sinew/file.h"
#include "sinew/stance.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIANS (SINEW_PI / 180.0)

enum { MAX_NODES = 400, MAX_BODIES = 80, LOOKED = 60 };

typedef struct Node {
    char name[80];
    int parent, channel_count;
    double offset[3];
    int channels[6]; // 0..2 position x y z, 3..5 rotation
} Node;

typedef struct Text {
    Node nodes[MAX_NODES];
    int node_count;
    double *values;
    int frame_count, width;
} Text;

typedef struct Place {
    double at[3], turn[3][3];
} Place;

// ---------------------------------------------------------------------------------------------
// Reading and placing

static int channel_of(const char *word)
{
    int axis = word[0] - 'X';
    return strstr(word, "position") != NULL ? axis : 3 + axis;
}

static void read_text(const char *path, Text *text)
{
    char word[256];
    int open[64], depth = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text->node_count = text->width = 0;
    while (fscanf(file, "%255s", word) == 1 && strcmp(word, "MOTION") != 0) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0 || strcmp(word, "End") == 0) {
            TEST_TRUE(text->node_count < MAX_NODES);
            Node *node = &text->nodes[text->node_count];
            memset(node, 0, sizeof *node);
            node->parent = depth > 0 ? open[depth - 1] : -1;
            TEST_TRUE(fscanf(file, " %79[^\n\r]", node->name) == 1);
            if (word[0] == 'E') { strcpy(node->name, "(end)"); }
            TEST_TRUE(depth < 64);
            open[depth++] = text->node_count++;
        } else if (strcmp(word, "}") == 0) {
            --depth;
        } else if (strcmp(word, "OFFSET") == 0) {
            double *o = text->nodes[text->node_count - 1].offset;
            TEST_TRUE(fscanf(file, "%lf %lf %lf", &o[0], &o[1], &o[2]) == 3);
        } else if (strcmp(word, "CHANNELS") == 0) {
            Node *node = &text->nodes[text->node_count - 1];
            TEST_TRUE(fscanf(file, "%d", &node->channel_count) == 1 && node->channel_count <= 6);
            for (int i = 0; i < node->channel_count; ++i) {
                TEST_TRUE(fscanf(file, "%255s", word) == 1);
                node->channels[i] = channel_of(word);
            }
            text->width += node->channel_count;
        }
    }
    double time;
    TEST_TRUE(fscanf(file, " Frames: %d Frame Time: %lf", &text->frame_count, &time) == 2);
    size_t count = (size_t)text->frame_count * (size_t)text->width;
    text->values = malloc(count * sizeof *text->values);
    for (size_t i = 0; i < count; ++i) { TEST_TRUE(fscanf(file, "%lf", &text->values[i]) == 1); }
    fclose(file);
}

static void multiply(double a[3][3], double b[3][3], double out[3][3])
{
    double r[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
    memcpy(out, r, sizeof r);
}

static void turn_about(double turn[3][3], int axis, double degrees)
{
    double c = cos(degrees * RADIANS), s = sin(degrees * RADIANS), r[3][3] = { { 0.0 } };
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    r[axis][axis] = 1.0;
    r[i][i] = r[j][j] = c;
    r[i][j] = -s;
    r[j][i] = s;
    multiply(turn, r, turn);
}

static void place(const Text *text, int frame, Place *places)
{
    const double *value = text->values + (size_t)frame * (size_t)text->width;
    for (int n = 0; n < text->node_count; ++n) {
        const Node *node = &text->nodes[n];
        double offset[3] = { node->offset[0], node->offset[1], node->offset[2] };
        double turn[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
        for (int i = 0; i < node->channel_count; ++i, ++value) {
            if (node->channels[i] < 3) {
                offset[node->channels[i]] = *value;
            } else {
                turn_about(turn, node->channels[i] - 3, *value);
            }
        }
        Place *out = &places[n];
        if (node->parent < 0) {
            memcpy(out->at, offset, sizeof offset);
            memcpy(out->turn, turn, sizeof turn);
            continue;
        }
        Place *above = &places[node->parent];
        multiply(above->turn, turn, out->turn);
        for (int i = 0; i < 3; ++i) {
            out->at[i] = above->at[i] + above->turn[i][0] * offset[0]
                + above->turn[i][1] * offset[1] + above->turn[i][2] * offset[2];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// One body

typedef enum Key {
    HEAD,
    ARM,
    FOREARM = ARM + 2,
    HAND = FOREARM + 2,
    THIGH = HAND + 2,
    SHIN = THIGH + 2,
    FOOT = SHIN + 2,
    TOE = FOOT + 2,
    KEY_COUNT = TOE + 2
} Key;

typedef struct Judged {
    char name[80];
    int joint_count;
    double bones[KEY_COUNT];
    double turns[KEY_COUNT][3][3];
    int keys[KEY_COUNT];
    double lean, toes, soles;
    int knees[2], elbows[2]; // bent frames, those bent the right way
    bool told;               // a conflict about toes
    bool unsure;             // hardly a frame with flat feet
    char arm[80];            // name of a joint
} Judged;

static sinew_Vec3 at(const Place *places, int node)
{
    return sinew_vec3(places[node].at[0], places[node].at[1], places[node].at[2]);
}

static sinew_Vec3 way(const Place *places, int from, int to)
{
    return sinew_vec3_normalize_or(
        sinew_vec3_sub(at(places, to), at(places, from)), sinew_vec3(0.0, 0.0, 0.0));
}

static sinew_Vec3 middle(const Place *places, const int *keys, Key key)
{
    return sinew_vec3_lerp(at(places, keys[key]), at(places, keys[key + 1]), 0.5);
}

static double angle_between(sinew_Vec3 a, sinew_Vec3 b)
{
    return acos(fmax(-1.0, fmin(1.0, sinew_vec3_dot(a, b)))) / RADIANS;
}

// a joint's axes as they are in one frame, carried to the stance: where does this direction go
static sinew_Vec3 carry(double stance[3][3], double frame[3][3], sinew_Vec3 v)
{
    double local[3], in[3] = { v.x, v.y, v.z }, out[3];
    for (int i = 0; i < 3; ++i) {
        local[i] = frame[0][i] * in[0] + frame[1][i] * in[1] + frame[2][i] * in[2];
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = stance[i][0] * local[0] + stance[i][1] * local[1] + stance[i][2] * local[2];
    }
    return sinew_vec3(out[0], out[1], out[2]);
}

static void judge_bends(const Text *text, const Place *stance, sinew_Vec3 left, Judged *out)
{
    static Place frame[MAX_NODES];
    for (int f = 1; f < text->frame_count; ++f) {
        place(text, f, frame);
        for (int s = 0; s < 4; ++s) {
            Key upper = s < 2 ? (Key)(THIGH + s) : (Key)(ARM + s - 2);
            int u = out->keys[upper], m = out->keys[upper + 2], t = out->keys[upper + 4];
            sinew_Vec3 a = way(frame, u, m), b = way(frame, m, t);
            if (angle_between(a, b) < 30.0) { continue; }
            sinew_Vec3 axis = sinew_vec3_cross(a, b);
            axis = carry((double(*)[3])stance[u].turn, frame[u].turn, axis);
            int *count = s < 2 ? out->knees : out->elbows;
            ++count[0];
            count[1] += (s < 2 ? 1.0 : -1.0) * sinew_vec3_dot(axis, left) > 0.0 ? 1 : 0;
        }
    }
}

static void judge_feet(
    const Text *text, const Place *stance, sinew_Vec3 up, sinew_Vec3 ahead, double leg, Judged *out)
{
    double heights[2] = { 0.0, 0.0 };
    int seen = 0;
    for (int s = 0; s < 2; ++s) {
        int foot = out->keys[FOOT + s], toe = -1;
        double far = 0.03 * leg;
        for (int n = foot + 1; n < text->node_count && text->nodes[n].parent >= foot; ++n) {
            double length = sinew_vec3_distance(at(stance, n), at(stance, foot));
            if (length > far && length < 0.35 * leg) {
                far = length;
                toe = n;
            }
        }
        if (out->keys[TOE + s] >= 0) { toe = out->keys[TOE + s]; }
        if (toe < 0) { continue; }
        ++seen;
        heights[s] = sinew_vec3_dot(at(stance, toe), up) / leg;
        sinew_Vec3 toes = way(stance, foot, toe);
        sinew_Vec3 flat = sinew_vec3_add_scaled(toes, up, -sinew_vec3_dot(toes, up));
        if (sinew_vec3_length(flat) < 0.3) { continue; }
        flat = sinew_vec3_normalize_or(flat, ahead);
        out->toes = fmax(out->toes, angle_between(flat, ahead));
    }
    if (seen == 2) { out->soles = fabs(heights[0] - heights[1]); }
}

static void judge(const Text *text, const sinew_Stance *stance, Judged *out)
{
    static Place places[MAX_NODES];
    place(text, 0, places);
    sinew_Vec3 up = stance->up, left = stance->left, ahead = sinew_vec3_cross(left, up);
    const int *k = out->keys;
    double leg = sinew_vec3_distance(at(places, k[THIGH]), at(places, k[SHIN]))
        + sinew_vec3_distance(at(places, k[SHIN]), at(places, k[FOOT]));
    sinew_Vec3 hips = middle(places, k, THIGH);
    sinew_Vec3 trunk = sinew_vec3_sub(at(places, k[HEAD]), hips);
    out->lean = angle_between(sinew_vec3_normalize_or(trunk, left), up);
    for (int s = 0; s < 2; ++s) {
        static const int hanging[4] = { ARM, FOREARM, THIGH, SHIN };
        for (int i = 0; i < 4; ++i) {
            int upper = hanging[i] + s;
            sinew_Vec3 bone = way(places, k[upper], k[upper + 2]);
            TEST_TRUE(sinew_vec3_dot(bone, up) < -0.97);
        }
    }
    TEST_TRUE(sinew_vec3_dot(way(places, k[THIGH + 1], k[THIGH]), left) > 0.95);
    TEST_TRUE(sinew_vec3_dot(way(places, k[ARM + 1], k[ARM]), left) > 0.95);
    judge_feet(text, places, up, ahead, leg, out);
    judge_bends(text, places, left, out);
    memcpy(out->arm, text->nodes[k[ARM]].name, sizeof out->arm);
    for (int i = 0; i < KEY_COUNT; ++i) {
        if (k[i] < 0) { continue; }
        memcpy(out->turns[i], places[k[i]].turn, sizeof out->turns[i]);
        const double *o = text->nodes[k[i]].offset;
        out->bones[i] = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    }
    for (int i = 0; i < stance->note_count; ++i) {
        out->told |= stance->notes[i].code == SINEW_STANCE_TOES_ASIDE;
        out->unsure |= stance->notes[i].code == SINEW_STANCE_SOLE_UNSURE;
    }
}

static int find_node(const Text *text, const sinew_Skeleton *skeleton, int joint)
{
    for (int n = 0; joint >= 0 && n < text->node_count; ++n) {
        if (strcmp(text->nodes[n].name, sinew_skeleton_joints(skeleton)[joint].name) == 0) {
            return n;
        }
    }
    return -1;
}

static void find_keys(
    const Text *text, const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, Judged *out)
{
    static const sinew_Role pairs[7] = { SINEW_ROLE_UPPERARM, SINEW_ROLE_FOREARM, SINEW_ROLE_HAND,
        SINEW_ROLE_THIGH, SINEW_ROLE_SHIN, SINEW_ROLE_FOOT, SINEW_ROLE_TOE };
    out->keys[HEAD] = find_node(
        text, skeleton, sinew_roles_find(roles, SINEW_ROLE_HEAD, SINEW_SIDE_NONE, -1));
    for (int i = 0; i < 14; ++i) {
        sinew_Side side = i % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        out->keys[ARM + i] = find_node(
            text, skeleton, sinew_roles_find(roles, pairs[i / 2], side, -1));
        TEST_TRUE(out->keys[ARM + i] >= 0 || pairs[i / 2] == SINEW_ROLE_TOE);
    }
}

// the stance, and some frames of the motion behind it
static void write_frames(const sinew_MotionFile *file, const sinew_Stance *stance, const char *path)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *source = sinew_motion_clip(file);
    int frames = sinew_clip_frame_count(source), count = frames < LOOKED ? frames : LOOKED;
    size_t size = (size_t)stance->coordinate_count * sizeof(double);
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, 1 + count, 0.1, NULL, &clip), NULL);
    memcpy(sinew_clip_frame(clip, 0), stance->q, size);
    for (int i = 0; i < count; ++i) {
        memcpy(sinew_clip_frame(clip, 1 + i), sinew_clip_frame_const(source, i * frames / count),
            size);
    }
    sinew_Message message = { "" };
    sinew_WriteOptions options = sinew_write_options_default();
    TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
    sinew_clip_destroy(clip);
}

// false: no person
static bool judge_file(const char *path, const char *name, Judged *out)
{
    static Text text;
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(path, NULL, &file, &message), &message);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    int count = sinew_skeleton_joint_count(skeleton);
    bool ends[MAX_NODES];
    TEST_TRUE(count <= MAX_NODES);
    for (int j = 0; j < count; ++j) { ends[j] = sinew_motion_is_end_site(file, j); }
    sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    sinew_RoleOptions options = sinew_role_options_default();
    options.is_end_site = ends;
    options.motion = &motion;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &roles, &message), &message);
    TEST_OK(sinew_stance_guess(skeleton, roles, &motion, NULL, &stance, &message), &message);
    bool is_person = stance->can_stand;
    if (is_person) {
        const char *written = test_temp_path("stance.bvh");
        memset(out, 0, sizeof *out);
        snprintf(out->name, sizeof out->name, "%.79s", name);
        out->joint_count = count;
        write_frames(file, stance, written);
        read_text(written, &text);
        find_keys(&text, skeleton, roles, out);
        judge(&text, stance, out);
        free(text.values);
        remove(written);
    } else {
        TEST_INT(roles->kind, SINEW_BODY_OTHER);
    }
    sinew_stance_destroy(stance);
    sinew_roles_destroy(roles);
    sinew_motion_destroy(file);
    return is_person;
}

// ---------------------------------------------------------------------------------------------
// Bodies that came with several clips

static bool are_same(const Judged *a, const Judged *b)
{
    if (a->joint_count != b->joint_count || strcmp(a->arm, b->arm) != 0) { return false; }
    for (int i = 0; i < KEY_COUNT; ++i) {
        if (fabs(a->bones[i] - b->bones[i]) > 1e-3 * (1e-3 + a->bones[i])) { return false; }
    }
    return true;
}

static double turned(double a[3][3], double b[3][3])
{
    double trace = 0.0;
    for (int i = 0; i < 9; ++i) { trace += a[i / 3][i % 3] * b[i / 3][i % 3]; }
    return acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0)))) / RADIANS;
}

static int compare_clips(Judged *bodies, int count)
{
    int pairs = 0, worst = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (!are_same(&bodies[i], &bodies[k])) { continue; }
            ++pairs;
            for (int key = 0; key < TOE; ++key) {
                if (bodies[i].keys[key] < 0) { continue; }
                double apart = turned(bodies[i].turns[key], bodies[k].turns[key]);
                double most = key >= FOOT ? 5.0 : 1.0;
                // told: nobody stands flat in that clip
                if (key >= FOOT && (bodies[i].unsure || bodies[k].unsure)) { most = 10.0; }
                if (!(apart <= most)) {
                    print_message("%s and %s: key %d is %.1f degrees apart\n", bodies[i].name,
                        bodies[k].name, key, apart);
                }
                worst += !(apart <= most);
            }
        }
    }
    TEST_INT(worst, 0);
    return pairs;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void test_recorded_bodies_stand(void **state)
{
    (void)state;
    static Judged bodies[MAX_BODIES];
    static char names[MAX_BODIES][100];
    int count = 0, people = 0;
    const char *folder = data_path("bvh");
    DIR *dir = folder != NULL ? opendir(folder) : NULL;
    if (dir == NULL) { skip(); }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MAX_BODIES;) {
        if (strstr(entry->d_name, ".bvh") == NULL) { continue; }
        snprintf(names[count++], sizeof names[0], "%.99s", entry->d_name);
    }
    closedir(dir);
    qsort(names, (size_t)count, sizeof names[0], compare_names);
    for (int i = 0; i < count; ++i) {
        char inside[120];
        snprintf(inside, sizeof inside, "bvh/%.99s", names[i]);
        Judged *b = &bodies[people];
        if (!judge_file(data_path(inside), names[i], b)) { continue; }
        ++people;
        print_message("    %-42s lean %4.1f, toes %4.1f, soles %.3f, knees %d/%d, elbows %d/%d\n",
            b->name, b->lean, b->toes, b->soles, b->knees[1], b->knees[0], b->elbows[1],
            b->elbows[0]);
        TEST_TRUE(b->lean < 15.0);
        TEST_TRUE(b->toes < 20.0 || b->told);
        TEST_TRUE(b->soles < 0.04);
        // single poses of a face or a dance prove nothing
        TEST_TRUE(b->knees[0] < 5 || b->knees[1] >= 0.95 * b->knees[0]);
        TEST_TRUE(b->elbows[0] < 5 || b->elbows[1] >= 0.95 * b->elbows[0]);
    }
    int pairs = compare_clips(bodies, people);
    print_message(
        "%d of %d files are people; %d pairs of clips of one body\n", people, count, pairs);
    TEST_TRUE(people >= 49);
    TEST_TRUE(pairs >= 15);
}

TEST_MAIN(cmocka_unit_test(test_recorded_bodies_stand))
