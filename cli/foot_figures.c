#include "foot_figures.h"

#include "arguments.h"

#include "math/select.h"
#include "motion/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// slides are told for a leg of this length, metres
#define USUAL_LEG 0.9
// ground this much below a sole does not carry it, metres
#define NO_GROUND 0.03

enum { POINTS = 4, ALONG = 9, SHIN = 10, TRACKS = 7 };

typedef struct Work {
    const sinew_RetargetBody *body;
    const sinew_Clip *clip;
    const sinew_Ground *ground;
    double floor, leg;
    int frames;
    sinew_Quat turn; // the body's up to +Y
    int knee[2], hip[2], hips;
    sinew_Transform *world;  // (joint_count)
    sinew_Vec3 *places;      // heel, ball of left and right foot   (POINTS x frames)
    sinew_Vec3 *tracks;      // hips, knees, hip joints, ankles     (TRACKS x frames)
    double *heights;         // of the points over the ground       (POINTS x frames)
    bool *touching;          //                                     (POINTS x frames)
    double *speeds, *values; //                             (frames), (8 x frames)
} Work;

static double bone(const sinew_RetargetBody *body, int a, int b)
{
    const sinew_Transform *w = body->stance->world_from_joint;
    return a >= 0 && b >= 0 ? sinew_vec3_distance(w[a].position, w[b].position) : 0.0;
}

double cli_leg_length(const sinew_RetargetBody *body)
{
    double sum = 0.0;
    for (int s = 0; s < 2; ++s) {
        sinew_Side side = s == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
        int thigh = sinew_roles_find(body->roles, SINEW_ROLE_THIGH, side, -1);
        int shin = sinew_roles_find(body->roles, SINEW_ROLE_SHIN, side, -1);
        sum += 0.5 * (bone(body, thigh, shin) + bone(body, shin, body->stance->feet[s].joint));
    }
    return sum;
}

static double p(double *values, size_t count, size_t percent)
{
    return count > 0 ? snw_select(values, count, (count - 1) * percent / 100) : 0.0;
}

// ---------------------------------------------------------------------------------------------
// Places

static void find_places(Work *w)
{
    for (int t = 0; t < w->frames; ++t) {
        sinew_pose_forward(w->body->skeleton, sinew_clip_frame_const(w->clip, t), w->world);
        for (int i = 0; i < POINTS; ++i) {
            const sinew_StanceFoot *foot = &w->body->stance->feet[i / 2];
            sinew_Vec3 at = sinew_transform_point(
                w->world[foot->joint], i % 2 == 0 ? foot->heel : foot->ball);
            at = sinew_quat_rotate(w->turn, at);
            at.y -= w->floor;
            w->places[i * w->frames + t] = at;
            w->heights[i * w->frames + t] = at.y
                - sinew_ground_sample(w->ground, at.x, at.z).height;
        }
        const sinew_StanceFoot *feet = w->body->stance->feet;
        const int joints[TRACKS] = { w->hips, w->knee[0], w->knee[1], w->hip[0], w->hip[1],
            feet[0].joint, feet[1].joint };
        for (int i = 0; i < TRACKS; ++i) {
            sinew_Vec3 at = sinew_quat_rotate(w->turn, w->world[joints[i]].position);
            at.y -= w->floor;
            w->tracks[i * w->frames + t] = at;
        }
    }
}

static void find_contacts(Work *w)
{
    sinew_ContactSettings settings = sinew_contact_settings_default();
    for (int i = 0; i < POINTS; ++i) {
        snw_ContactTrack track = { w->places + i * w->frames, 0, w->frames,
            sinew_clip_frame_time(w->clip), w->leg };
        snw_contact_speeds(&track, settings.half_window, w->speeds);
        for (int t = 0; t < w->frames; ++t) {
            w->values[t] = w->heights[i * w->frames + t] / w->leg;
        }
        snw_contact_frames(
            &track, &settings, w->speeds, w->values, 0.0, w->touching + i * w->frames);
    }
}

// ---------------------------------------------------------------------------------------------
// Figures

// largest way along the ground from the middle of a contact
static double slide_of(Work *w, const sinew_Vec3 *place, int count)
{
    double middle[2], slide = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int t = 0; t < count; ++t) { w->values[t] = i == 0 ? place[t].x : place[t].z; }
        middle[i] = snw_select(w->values, (size_t)count, (size_t)(count - 1) / 2);
    }
    for (int t = 0; t < count; ++t) {
        double x = place[t].x - middle[0], z = place[t].z - middle[1];
        slide = fmax(slide, sqrt(x * x + z * z));
    }
    return slide * USUAL_LEG / w->leg;
}

static void measure_slides(Work *w, cli_FootFigures *f)
{
    double *slides = w->values + 4 * w->frames; // at most frames / 2 of each point
    size_t count = 0;
    for (int i = 0; i < POINTS; ++i) {
        const bool *touching = w->touching + i * w->frames;
        for (int a = 0; a < w->frames;) {
            int b = a;
            while (b < w->frames && touching[b] == touching[a]) { ++b; }
            if (touching[a]) {
                slides[count++] = slide_of(w, w->places + i * w->frames + a, b - a);
            }
            a = b;
        }
    }
    f->contacts = (int)count;
    f->slide_median = p(slides, count, 50);
    f->slide_p95 = p(slides, count, 95);
    f->slide_max = p(slides, count, 100);
}

static double hanging(const Work *w, sinew_Vec3 heel, sinew_Vec3 ball)
{
    int count = 0;
    for (int i = 0; i < ALONG; ++i) {
        sinew_Vec3 at = sinew_vec3_lerp(heel, ball, (double)i / (ALONG - 1));
        count += at.y - sinew_ground_sample(w->ground, at.x, at.z).height > NO_GROUND ? 1 : 0;
    }
    return (double)count / ALONG;
}

static void measure_heights(Work *w, cli_FootFigures *f)
{
    for (int t = 0; t < w->frames; ++t) {
        double lowest = INFINITY;
        for (int i = 0; i < POINTS; ++i) { lowest = fmin(lowest, w->heights[i * w->frames + t]); }
        w->values[t] = fmax(-lowest, 0.0);
        for (int s = 0; s < 2; ++s) {
            int heel = 2 * s * w->frames + t, ball = heel + w->frames;
            if (!w->touching[heel] || !w->touching[ball]) { continue; }
            double low = fmin(w->heights[heel], w->heights[ball]);
            f->sink_max = fmax(f->sink_max, -low);
            f->float_max = fmax(f->float_max, low);
            f->overhang_max = fmax(f->overhang_max, hanging(w, w->places[heel], w->places[ball]));
        }
    }
    f->penetration_p99 = p(w->values, (size_t)w->frames, 99);
    f->penetration_max = p(w->values, (size_t)w->frames, 100);
}

static void measure_accelerations(Work *w, cli_FootFigures *f)
{
    double dt = sinew_clip_frame_time(w->clip);
    double *figures[] = { &f->hips, &f->hips_vertical, &f->knee };
    for (int what = 0; what < 3; ++what) {
        size_t count = 0;
        for (int i = what == 2 ? 1 : 0; i <= (what == 2 ? 2 : 0); ++i) {
            const sinew_Vec3 *x = w->tracks + i * w->frames;
            for (int t = 1; t + 1 < w->frames; ++t) {
                sinew_Vec3 a = sinew_vec3_add(x[t - 1], x[t + 1]);
                a = sinew_vec3_scale(sinew_vec3_add_scaled(a, x[t], -2.0), 1.0 / (dt * dt));
                w->values[count++] = what == 1 ? fabs(a.y) : sinew_vec3_length(a);
            }
        }
        *figures[what] = p(w->values, count, 99);
    }
}

static void measure_legs(const Work *w, int side, cli_FootFigures *f)
{
    const sinew_Vec3 *hips = w->tracks, *knee = hips + (1 + side) * w->frames;
    const sinew_Vec3 *hip = hips + (3 + side) * w->frames, *ankle = hips + (5 + side) * w->frames;
    for (int t = 0; t < w->frames; ++t) {
        f->knee_over = fmax(f->knee_over, knee[t].y - hip[t].y);
        for (int i = 0; i <= SHIN; ++i) {
            sinew_Vec3 at = sinew_vec3_lerp(knee[t], ankle[t], (double)i / SHIN);
            double deep = sinew_ground_sample(w->ground, at.x, at.z).height - at.y;
            f->shin_deep = fmax(f->shin_deep, deep);
        }
        if (t == 0) { continue; }
        sinew_Vec3 now = sinew_vec3_sub(knee[t], hips[t]);
        sinew_Vec3 before = sinew_vec3_sub(knee[t - 1], hips[t - 1]);
        f->knee_step = fmax(f->knee_step, sinew_vec3_distance(now, before));
    }
}

// ---------------------------------------------------------------------------------------------
// The whole

static bool take_memory(Work *w)
{
    size_t frames = (size_t)w->frames + 2;
    w->world = calloc((size_t)sinew_skeleton_joint_count(w->body->skeleton), sizeof *w->world);
    w->places = calloc(POINTS * frames, sizeof *w->places);
    w->tracks = calloc(TRACKS * frames, sizeof *w->tracks);
    w->heights = calloc(POINTS * frames, sizeof *w->heights);
    w->touching = calloc(POINTS * frames, sizeof *w->touching);
    w->speeds = calloc(frames, sizeof *w->speeds);
    w->values = calloc(8 * frames, sizeof *w->values);
    return w->world != NULL && w->places != NULL && w->tracks != NULL && w->heights != NULL
        && w->touching != NULL && w->speeds != NULL && w->values != NULL;
}

static void give_back(Work *w)
{
    free(w->world);
    free(w->places);
    free(w->tracks);
    free(w->heights);
    free(w->touching);
    free(w->speeds);
    free(w->values);
}

bool cli_foot_figures(const sinew_RetargetBody *body, const sinew_Clip *clip,
    const sinew_Ground *ground, double floor, cli_FootFigures *out_figures)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    Work w = { .body = body, .clip = clip, .ground = ground, .floor = floor };
    memset(out_figures, 0, sizeof *out_figures);
    w.leg = cli_leg_length(body);
    w.frames = sinew_clip_frame_count(clip);
    w.turn = sinew_quat_between(body->stance->up, up);
    w.hips = sinew_roles_find(body->roles, SINEW_ROLE_HIPS, SINEW_SIDE_NONE, -1);
    w.hip[0] = sinew_roles_find(body->roles, SINEW_ROLE_THIGH, SINEW_SIDE_LEFT, -1);
    w.hip[1] = sinew_roles_find(body->roles, SINEW_ROLE_THIGH, SINEW_SIDE_RIGHT, -1);
    w.knee[0] = sinew_roles_find(body->roles, SINEW_ROLE_SHIN, SINEW_SIDE_LEFT, -1);
    w.knee[1] = sinew_roles_find(body->roles, SINEW_ROLE_SHIN, SINEW_SIDE_RIGHT, -1);
    bool good = take_memory(&w);
    if (good && w.leg > 0.0 && w.frames > 0) {
        find_places(&w);
        find_contacts(&w);
        measure_slides(&w, out_figures);
        measure_heights(&w, out_figures);
        measure_accelerations(&w, out_figures);
        out_figures->knee_over = -INFINITY;
        for (int s = 0; s < 2; ++s) { measure_legs(&w, s, out_figures); }
    }
    give_back(&w);
    return good;
}

bool cli_find_floor(const sinew_RetargetBody *body, const sinew_Clip *clip, double *out_floor)
{
    sinew_ContactPoint points[6];
    sinew_ContactDef def = sinew_contact_def_default();
    def.skeleton = body->skeleton;
    def.motion = (sinew_PoseList){ sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    def.frame_time = sinew_clip_frame_time(clip);
    def.up = body->stance->up;
    def.leg = cli_leg_length(body);
    def.points = points;
    def.point_count = sinew_contact_points(
        body->skeleton, body->roles, body->stance, points, POINTS);
    // feet come first, hands are not asked for
    if (def.point_count > POINTS) { def.point_count = POINTS; }
    sinew_Contacts *contacts = NULL;
    sinew_Message message = { "" };
    *out_floor = 0.0;
    if (sinew_contacts_find(&def, &contacts, &message) != SINEW_STATUS_OK) {
        cli_error("no floor is found: %s", message.text);
        return false;
    }
    *out_floor = contacts->floor;
    // heights of all contacts: the one in the middle
    int count = contacts->contact_count;
    double *heights = calloc((size_t)count + 1, sizeof *heights);
    for (int i = 0; heights != NULL && i < count; ++i) {
        heights[i] = contacts->contacts[i].height;
    }
    if (heights != NULL && count > 0) { *out_floor = p(heights, (size_t)count, 50); }
    bool good = heights != NULL;
    if (!good) { cli_out_of_memory(); }
    free(heights);
    sinew_contacts_destroy(contacts);
    return good;
}
