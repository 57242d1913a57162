#include "pictures/encoder.h"

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

// frames per second of a .gif that programs still show as meant
#define FASTEST_GIF 25.0
#define FASTEST 60.0
// most frames of one film
#define MOST_FRAMES 1000000

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

// Waits for the end; false when it failed, with its first line of complaint. On a full disk ffmpeg complains and
// ends with status 0, so that a complaint is a failure, too.
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
    return WIFEXITED(result) && WEXITSTATUS(result) == 0 && complaint[0] == '\0';
}

// ---------------------------------------------------------------------------------------------
// Films

// how many frames a film has, and how many in a second
typedef struct Length {
    double rate;
    int count;
} Length;

static sinew_Status measure_film(const snw_FilmDef *def, Length *length, sinew_Message *out_message)
{
    const double fastest = snw_path_ends(def->path, ".gif") ? FASTEST_GIF : FASTEST;
    const double frame_time = sinew_clip_frame_time(def->clip);
    length->rate = def->frames_per_second;
    if (length->rate == 0.0) { length->rate = fmax(fmin(1.0 / frame_time, fastest), 1.0); }
    const double count = floor(sinew_clip_duration(def->clip) * length->rate + 1e-6) + 1.0;
    if (!(count <= MOST_FRAMES)) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "%s: the film would have %g frames, want at most %d", def->path, count, MOST_FRAMES);
    }
    length->count = (int)count;
    return SINEW_STATUS_OK;
}

static bool write_texts(const snw_FilmDef *def, double seconds, cairo_surface_t *surface)
{
    const double unit = fmin(def->width / 960.0, def->height / 540.0);
    cairo_t *cr = cairo_create(surface);
    char text[48];
    snprintf(text, sizeof text, "%.2f s", seconds);
    snw_text_prepare(cr);
    snw_color_set(cr, SNW_QUIET, 1.0);
    snw_text_draw(cr, def->width - 24.0 * unit, def->height - 22.0 * unit, 14.0 * unit, false,
        SNW_ALIGN_RIGHT, 0.0, text);
    snw_titles_draw(
        cr, 24.0 * unit, 38.0 * unit, 19.0 * unit, def->title, def->width - 48.0 * unit, NULL, 0.0);
    const bool done = cairo_status(cr) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    return done;
}

static sinew_Status draw_picture(
    const snw_FilmDef *def, const Length *length, int index, cairo_surface_t *surface)
{
    const double frame_time = sinew_clip_frame_time(def->clip);
    const double last = fmax(sinew_clip_frame_count(def->clip) - 1.0, 0.0);
    double frame = fmin(index / (length->rate * frame_time), last);
    // rounding must not turn whole frames into interpolated ones
    if (fabs(frame - round(frame)) < 1e-6) { frame = round(frame); }
    const sinew_Status status = def->draw(def->user, frame, surface);
    if (status != SINEW_STATUS_OK) { return status; }
    return write_texts(def, frame * frame_time, surface) ? SINEW_STATUS_OK
                                                         : SINEW_STATUS_OUT_OF_MEMORY;
}

static sinew_Status send_frames(const snw_FilmDef *def, const Length *length,
    const Encoder *encoder, sinew_Message *out_message)
{
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, def->width, def->height);
    sinew_Status status = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
        ? SINEW_STATUS_OK
        : SINEW_STATUS_OUT_OF_MEMORY;
    const size_t size = (size_t)cairo_image_surface_get_stride(surface) * (size_t)def->height;
    for (int i = 0; i < length->count && status == SINEW_STATUS_OK; ++i) {
        status = draw_picture(def, length, i, surface);
        if (status != SINEW_STATUS_OK) { break; }
        if (!send_bytes(encoder, cairo_image_surface_get_data(surface), size)) { break; }
        if (def->progress) { def->progress(i + 1, length->count, def->progress_user); }
    }
    cairo_surface_destroy(surface);
    if (status == SINEW_STATUS_OUT_OF_MEMORY) {
        snw_fail(out_message, status, "%s: no memory for the film", def->path);
    }
    return status;
}

static sinew_Status run_encoder(const snw_FilmDef *def, const Length *length, char *program,
    const char *name, sinew_Message *out_message)
{
    Encoder encoder;
    if (!start_encoder(program, name, snw_path_ends(def->path, ".gif"), def->width, def->height,
            length->rate, &encoder)) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: %s cannot be started: %s",
            def->path, program, strerror(errno));
    }
    char complaint[200];
    sinew_Status status = send_frames(def, length, &encoder, out_message);
    if (!finish_encoder(&encoder, complaint, sizeof complaint) && status == SINEW_STATUS_OK) {
        status = snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: ffmpeg failed: %s",
            def->path, complaint[0] ? complaint : "it said nothing");
    }
    return status;
}

static sinew_Status make_film(
    const snw_FilmDef *def, const Length *length, char *program, sinew_Message *out_message)
{
    int descriptor = -1;
    char *name = snw_temporary_open(def->path, &descriptor);
    if (!name) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s",
            def->path, strerror(errno));
    }
    close(descriptor);

    // a program that ends early must not end this one
    struct sigaction ignore, kept;
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &kept);
    sinew_Status status = run_encoder(def, length, program, name, out_message);
    sigaction(SIGPIPE, &kept, NULL);

    if (status == SINEW_STATUS_OK && rename(name, def->path) != 0) {
        status = snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s",
            def->path, strerror(errno));
    }
    if (status != SINEW_STATUS_OK) { unlink(name); }
    snw_temporary_done(name);
    return status;
}

sinew_Status snw_film_check(const char *path, double frames_per_second, sinew_Message *out_message)
{
    if (path && !snw_path_ends(path, ".mp4") && !snw_path_ends(path, ".gif")) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: found an unknown ending, expected .mp4 or .gif", path);
    }
    const bool possible = frames_per_second == 0.0
        || (frames_per_second >= 1.0 && frames_per_second <= FASTEST);
    if (possible) { return SINEW_STATUS_OK; }
    return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
        "frames_per_second is %g, want 1 to %d, or 0", frames_per_second, (int)FASTEST);
}

sinew_Status snw_film_make(const snw_FilmDef *def, sinew_Message *out_message)
{
    Length length;
    const sinew_Status measured = measure_film(def, &length, out_message);
    if (measured != SINEW_STATUS_OK) { return measured; }
    char *program = find_ffmpeg();
    if (!program) {
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: films need the program ffmpeg, and none is found along PATH (Debian, Ubuntu: apt "
            "install ffmpeg); pictures (.png, .svg, .pdf) do without",
            def->path);
    }
    const sinew_Status status = make_film(def, &length, program, out_message);
    free(program);
    return status;
}
