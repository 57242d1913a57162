#include "pictures/plot.h"
#include "pictures/stage.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// most frames of one film
#define MOST_FRAMES 1000000

picture_Film picture_film_default(void)
{
    picture_Film film = { 0 };
    film.trail_count = -1;
    film.width = 960;
    film.height = 540;
    return film;
}

// ---------------------------------------------------------------------------------------------
// The program ffmpeg

// whole path of the program; the caller frees it. NULL when it is not there.
static char *find_ffmpeg(void)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *name = malloc(length + sizeof "/ffmpeg");
        if (!name) { return NULL; }
        memcpy(name, path, length);
        strcpy(name + length, "/ffmpeg");
        struct stat info;
        if (length > 0 && stat(name, &info) == 0 && S_ISREG(info.st_mode)
            && access(name, X_OK) == 0) {
            return name;
        }
        free(name);
        path += length + (path[length] == ':');
    }
    return NULL;
}

bool picture_film_available(void)
{
    char *name = find_ffmpeg();
    free(name);
    return name != NULL;
}

// A running ffmpeg that takes pictures from a pipe.
typedef struct Encoder {
    pid_t process;
    int pipe;
    FILE *complaints;
} Encoder;

static bool spawn_program(
    char *program, char **arguments, int input, int unused, FILE *complaints, pid_t *out_process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) { return false; }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    // this process ignores broken pipes while it writes; the program must not inherit that
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int error = posix_spawnattr_setsigdefault(&attributes, &usual);
    error = error ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, input, 0);
    error = error ? error : posix_spawn_file_actions_addclose(&actions, unused);
    error = error ? error : posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
    error = error ? error
                  : posix_spawn(out_process, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0;
}

static bool start_encoder(char *program, const char *output, bool gif, int width, int height,
    double rate, Encoder *encoder)
{
    char size[48], frames[48];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(frames, sizeof frames, "%.6f", rate);
    // the name is given as a file, so that no name is read as an option or another protocol
    char *target = malloc(strlen(output) + sizeof "file:");
    if (!target) { return false; }
    strcpy(target, "file:");
    strcat(target, output);

    static const char palette[] = "split[a][b];[a]palettegen=max_colors=200:stats_mode=full[p];"
                                  "[b][p]paletteuse=dither=sierra2_4a:diff_mode=rectangle";
    const char *arguments[48] = { "ffmpeg", "-hide_banner", "-nostats", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "bgr0", "-video_size", size, "-framerate", frames, "-i",
        "pipe:0" };
    const char *mp4[] = { "-c:v", "libx264", "-preset", "medium", "-crf", "19", "-pix_fmt",
        "yuv420p", "-movflags", "+faststart", "-f", "mp4" };
    const char *moving[] = { "-filter_complex", palette, "-f", "gif" };
    const char *same_bytes[] = { "-fflags", "+bitexact", "-flags:v", "+bitexact", "-threads", "1" };
    size_t count = 16;
    for (size_t i = 0; gif && i < sizeof moving / sizeof *moving; ++i) {
        arguments[count++] = moving[i];
    }
    for (size_t i = 0; !gif && i < sizeof mp4 / sizeof *mp4; ++i) { arguments[count++] = mp4[i]; }
    for (size_t i = 0; i < sizeof same_bytes / sizeof *same_bytes; ++i) {
        arguments[count++] = same_bytes[i];
    }
    arguments[count++] = target;

    int ends[2] = { -1, -1 };
    encoder->complaints = tmpfile();
    bool ready = encoder->complaints && pipe(ends) == 0;
    if (ready) {
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        // posix_spawn takes its arguments without const and does not change them
        ready = spawn_program(program, (char **)(void *)arguments, ends[0], ends[1],
            encoder->complaints, &encoder->process);
    }
    if (ends[0] >= 0) { close(ends[0]); }
    if (!ready && ends[1] >= 0) { close(ends[1]); }
    if (!ready && encoder->complaints) { fclose(encoder->complaints); }
    encoder->pipe = ends[1];
    free(target);
    return ready;
}

static bool send_bytes(const Encoder *encoder, const unsigned char *data, size_t count)
{
    while (count > 0) {
        ssize_t done = write(encoder->pipe, data, count);
        if (done < 0 && errno == EINTR) { continue; }
        if (done <= 0) { return false; }
        data += done;
        count -= (size_t)done;
    }
    return true;
}

// waits for the end; false when it failed, with its first line of complaint
static bool finish_encoder(Encoder *encoder, char *complaint, size_t size)
{
    close(encoder->pipe);
    int result = 0;
    while (waitpid(encoder->process, &result, 0) < 0 && errno == EINTR) {}
    complaint[0] = '\0';
    rewind(encoder->complaints);
    if (!fgets(complaint, (int)size, encoder->complaints)) { complaint[0] = '\0'; }
    complaint[strcspn(complaint, "\r\n")] = '\0';
    fclose(encoder->complaints);
    return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

// ---------------------------------------------------------------------------------------------
// Pictures of the film

// Place of the camera's aim at each sample: the figure's, smoothed, or one for all.
typedef struct Follow {
    bool moves;
    sinew_Vec3 *aims;
    double radius;
    snw_Camera camera;
} Follow;

static sinew_Vec3 anchor_of(const snw_Stage *stage, int sample)
{
    return stage->samples[(size_t)sample * (size_t)stage->body.joint_count + (size_t)stage->anchor];
}

static bool prepare_follow(const snw_Stage *stage, const picture_Film *film, Follow *follow)
{
    const int samples = stage->sample_count, joints = stage->body.joint_count;
    const int shown = joints - stage->anchor;
    follow->aims = malloc((size_t)samples * sizeof *follow->aims);
    sinew_Vec3 *points = malloc((size_t)samples * (size_t)shown * sizeof *points);
    if (!follow->aims || !points) {
        free(points);
        return false;
    }

    // a figure that goes far is followed over the floor, smoothly: a mean over about a second
    sinew_Vec3 low = anchor_of(stage, 0), high = low;
    for (int s = 0; s < samples; ++s) {
        sinew_Vec3 p = anchor_of(stage, s);
        low = sinew_vec3(fmin(low.x, p.x), 0.0, fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), 0.0, fmax(high.z, p.z));
    }
    low.y = high.y = 0.0;
    follow->moves = sinew_vec3_distance(low, high) > 1.2 * stage->body.size;
    double per_second = (samples - 1) / fmax(sinew_clip_duration(film->clip), 1e-9);
    int reach = (int)fmin(0.7 * per_second, samples);
    for (int s = 0; s < samples; ++s) {
        sinew_Vec3 sum = sinew_vec3_lerp(low, high, 0.5);
        int count = 1;
        if (follow->moves) {
            // fewer at the ends, so that the mean stays in the middle
            int half = reach;
            if (half > s) { half = s; }
            if (half > samples - 1 - s) { half = samples - 1 - s; }
            sum = sinew_vec3(0.0, 0.0, 0.0);
            for (int k = s - half; k <= s + half; ++k) {
                sum = sinew_vec3_add(sum, anchor_of(stage, k));
            }
            count = 2 * half + 1;
        }
        follow->aims[s] = sinew_vec3_scale(sum, 1.0 / count);
        follow->aims[s].y = 0.0;
    }

    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    size_t used = 0;
    for (int s = 0; s < samples; ++s) {
        for (int j = 0; j < shown; ++j) {
            size_t at = (size_t)s * (size_t)joints + (size_t)(stage->anchor + j);
            points[used] = sinew_vec3_sub(stage->samples[at], follow->aims[s]);
            middle = sinew_vec3_add(middle, points[used++]);
        }
    }
    middle = sinew_vec3_scale(middle, 1.0 / (double)used);
    double radius = 0.5 * stage->body.size;
    for (size_t i = 0; i < used; ++i) {
        radius = fmax(radius, sinew_vec3_distance(points[i], middle));
    }
    follow->radius = radius;
    follow->camera = snw_camera_look(middle, stage->toward, 4.5 * radius);
    double high_pixels = film->height;
    snw_Rect rect = { 0.07 * film->width, 0.11 * high_pixels, 0.86 * film->width,
        0.76 * high_pixels };
    snw_camera_fit(&follow->camera, points, (int)used, snw_stage_margin(stage), rect);
    free(points);
    return true;
}

static sinew_Status draw_moment(
    cairo_t *cr, const picture_Film *film, snw_Stage *stage, const Follow *follow, double frame)
{
    if (follow->aims == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    snw_color_set(cr, SNW_PAPER, 1.0);
    cairo_paint(cr);

    double at = stage->frame_count > 1
        ? frame * (stage->sample_count - 1) / (stage->frame_count - 1)
        : 0.0;
    int before = (int)fmin(fmax(floor(at), 0.0), stage->sample_count - 1);
    int after = before + 1 < stage->sample_count ? before + 1 : before;
    sinew_Vec3 aim = sinew_vec3_lerp(follow->aims[before], follow->aims[after], at - before);
    snw_Camera camera = follow->camera;
    camera.eye = sinew_vec3_add(camera.eye, aim);

    snw_stage_set(stage, frame);
    if (stage->has_floor) {
        sinew_Vec3 center = { aim.x, stage->floor, aim.z };
        double half = 1.7 * follow->radius + 0.5 * stage->body.size;
        snw_floor_draw(cr, &camera, center, half, half, snw_floor_step(stage->body.size));
        snw_stage_draw_shadow(cr, &camera, stage);
    } else {
        snw_stage_draw_backdrop(
            cr, 0.5 * film->width, 0.5 * film->height, 0.62 * fmin(film->width, film->height));
    }
    double unit = fmin(film->width / 960.0, film->height / 540.0);
    double second = 1.0 / sinew_clip_frame_time(film->clip);
    snw_stage_draw_trails(cr, &camera, stage, frame - second, frame, 2.2 * unit, 0.03);
    sinew_Status status = snw_stage_draw_figure(cr, &camera, stage, 0.0);

    char text[48];
    snprintf(text, sizeof text, "%.2f s", frame * sinew_clip_frame_time(film->clip));
    snw_color_set(cr, SNW_QUIET, 1.0);
    snw_text_draw(cr, film->width - 24.0 * unit, film->height - 22.0 * unit, 14.0 * unit, false,
        SNW_ALIGN_RIGHT, 0.0, text);
    if (film->title) {
        snw_color_set(cr, SNW_INK, 1.0);
        snw_text_draw(cr, 24.0 * unit, 38.0 * unit, 19.0 * unit, true, SNW_ALIGN_LEFT,
            film->width - 48.0 * unit, film->title);
    }
    return status;
}

static sinew_Status draw_all(const picture_Film *film, snw_Stage *stage, double rate, int count,
    const Encoder *encoder, const char *path, sinew_Message *out_message)
{
    Follow follow = { 0 };
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, film->width, film->height);
    cairo_t *cr = cairo_create(surface);
    snw_text_prepare(cr);
    sinew_Status status = cairo_status(cr) == CAIRO_STATUS_SUCCESS
            && prepare_follow(stage, film, &follow)
        ? SINEW_STATUS_OK
        : snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory for the film", path);
    double step = 1.0 / (rate * sinew_clip_frame_time(film->clip));
    for (int i = 0; i < count && status == SINEW_STATUS_OK; ++i) {
        double frame = fmin(i * step, fmax(stage->frame_count - 1.0, 0.0));
        // rounding must not turn whole frames into interpolated ones
        if (fabs(frame - round(frame)) < 1e-6) { frame = round(frame); }
        status = draw_moment(cr, film, stage, &follow, frame);
        cairo_surface_flush(surface);
        if (status == SINEW_STATUS_OK && cairo_status(cr) != CAIRO_STATUS_SUCCESS) {
            status = SINEW_STATUS_OUT_OF_MEMORY;
        }
        if (status != SINEW_STATUS_OK) {
            snw_fail(out_message, status, "%s: no memory for the film", path);
            break;
        }
        size_t bytes = (size_t)cairo_image_surface_get_stride(surface) * (size_t)film->height;
        if (!send_bytes(encoder, cairo_image_surface_get_data(surface), bytes)) { break; }
        if (film->progress) { film->progress(i + 1, count, film->progress_user); }
    }
    free(follow.aims);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Film

static sinew_Status encode(const picture_Film *film, snw_Stage *stage, char *program, double rate,
    int count, const char *path, sinew_Message *out_message)
{
    int descriptor = -1;
    char *name = snw_temporary_open(path, &descriptor);
    if (!name) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s", path,
            strerror(errno));
    }
    close(descriptor);

    // a program that ends early must not end this one
    struct sigaction ignore, kept;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &kept);
    Encoder encoder;
    sinew_Status status;
    if (start_encoder(program, name, snw_path_ends(path, ".gif"), film->width, film->height, rate,
            &encoder)) {
        char complaint[200];
        status = draw_all(film, stage, rate, count, &encoder, path, out_message);
        if (!finish_encoder(&encoder, complaint, sizeof complaint) && status == SINEW_STATUS_OK) {
            status = snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: ffmpeg failed: %s", path,
                complaint[0] ? complaint : "it said nothing");
        }
    } else {
        status = snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: %s cannot be started: %s",
            path, program, strerror(errno));
    }
    sigaction(SIGPIPE, &kept, NULL);

    if (status == SINEW_STATUS_OK && rename(name, path) != 0) {
        status = snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s", path,
            strerror(errno));
    }
    if (status != SINEW_STATUS_OK) { unlink(name); }
    free(name);
    return status;
}

static sinew_Status check_film(
    const picture_Film *film, const char *path, sinew_Message *out_message)
{
    if (!film || !film->clip || !path) {
        return snw_fail(
            out_message, SINEW_STATUS_INVALID_ARGUMENT, "a film needs a clip and a path");
    }
    if (!snw_path_ends(path, ".mp4") && !snw_path_ends(path, ".gif")) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: found an unknown ending, expected .mp4 or .gif", path);
    }
    if (!(film->frames_per_second >= 0.0 && film->frames_per_second <= 60.0)
        || (film->frames_per_second > 0.0 && film->frames_per_second < 1.0)) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "frames_per_second is %g, want 1 to 60, or 0", film->frames_per_second);
    }
    return snw_size_check(film->width, film->height, 64, 4096, out_message);
}

sinew_Status picture_film_write(
    const picture_Film *film, const char *path, sinew_Message *out_message)
{
    sinew_Status status = check_film(film, path, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    char *program = find_ffmpeg();
    if (!program) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: films need the program ffmpeg, and none is found along PATH (Debian, Ubuntu: apt "
            "install ffmpeg); pictures (.png, .svg, .pdf) do without",
            path);
    }

    // the encoder wants even sizes
    picture_Film even = *film;
    even.width -= even.width % 2;
    even.height -= even.height % 2;
    double most = snw_path_ends(path, ".gif") ? 25.0 : 60.0;
    double rate = film->frames_per_second;
    if (rate == 0.0) { rate = fmax(fmin(1.0 / sinew_clip_frame_time(film->clip), most), 1.0); }
    double frames = floor(sinew_clip_duration(film->clip) * rate + 1e-6) + 1.0;
    if (!(frames <= MOST_FRAMES)) {
        free(program);
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "%s: the film would have %g frames, want at most %d", path, frames, MOST_FRAMES);
    }

    snw_StageDef def = { 0 };
    def.skeleton = sinew_clip_skeleton(film->clip);
    def.clip = film->clip;
    def.ghost = film->ghost;
    def.ghost_skeleton = film->ghost ? sinew_clip_skeleton(film->ghost) : NULL;
    def.targets = film->targets;
    def.trail_joints = film->trail_joints;
    def.trail_count = film->trail_count;
    def.view = film->view;
    def.from_side = true;
    snw_Stage stage;
    status = snw_stage_create(&def, &stage, out_message);
    if (status == SINEW_STATUS_OK) {
        status = encode(&even, &stage, program, rate, (int)frames, path, out_message);
        snw_stage_destroy(&stage);
    }
    free(program);
    return status;
}
