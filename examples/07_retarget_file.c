// A motion on a character that it was not made for, as a whole and live: sample in, pose out, 0.1 s later.
// use: 07_retarget_file CLIP CHARACTER OUT

#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

/// A file with what retargeting asks for: which joint is which, and how the body stands.
typedef struct Character {
    sinew_MotionFile *file;
    sinew_RoleGuess *roles;
    sinew_Stance *stance;
    sinew_RetargetBody body;
} Character;

static bool open_character(Character *c, const char *path, sinew_Message *message)
{
    *c = (Character){ NULL, NULL, NULL, { NULL, NULL, NULL } };
    if (sinew_motion_read(path, NULL, &c->file, message) != SINEW_STATUS_OK) { return false; }
    const sinew_Clip *clip = sinew_motion_clip(c->file);
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    sinew_RoleOptions options = sinew_role_options_default();
    options.motion = &motion;
    c->body.skeleton = sinew_motion_skeleton(c->file);
    if (sinew_roles_guess(c->body.skeleton, &options, NULL, &c->roles, message) != SINEW_STATUS_OK
        || sinew_stance_guess(c->body.skeleton, c->roles, &motion, NULL, &c->stance, message)
            != SINEW_STATUS_OK) {
        return false;
    }
    c->body.roles = c->roles;
    c->body.stance = c->stance;
    return true;
}

static void close_character(Character *c)
{
    sinew_stance_destroy(c->stance);
    sinew_roles_destroy(c->roles);
    sinew_motion_destroy(c->file);
}

static bool run(
    const Character *actor, const Character *puppet, const char *out, sinew_Message *message)
{
    const sinew_Clip *clip = sinew_motion_clip(actor->file);
    sinew_Retargeter *retargeter = NULL;
    sinew_Clip *result = NULL;
    sinew_RetargetReport report;
    sinew_RetargeterDef def = sinew_retargeter_def_default();
    def.source = actor->body;
    def.target = puppet->body;
    def.frame_time = sinew_clip_frame_time(clip);
    if (sinew_retargeter_create(&def, &retargeter, message) != SINEW_STATUS_OK) { return false; }

    // the whole clip
    bool good = sinew_retargeter_clip(retargeter, clip, &result, &report, message)
        == SINEW_STATUS_OK;
    if (good) {
        printf("frames: %d, prints of feet: %d, hips lowered by up to %.0f mm\n",
            report.frame_count, report.prints[0] + report.prints[1], 1e3 * report.hips_lowered_max);
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = puppet->file;
        good = sinew_motion_write(out, result, &options, message) == SINEW_STATUS_OK;
    }

    // the same as a stream
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(puppet->body.skeleton), sizeof *q);
    long sample = 0;
    for (int t = 0; good && q != NULL && t < sinew_clip_frame_count(clip); ++t) {
        good = sinew_retargeter_push(
                   retargeter, sinew_clip_frame_const(clip, t), q, &sample, message)
            == SINEW_STATUS_OK;
    }
    if (good) { printf("live: the last pose shown is that of sample %ld\n", sample); }
    free(q);
    sinew_clip_destroy(result);
    sinew_retargeter_destroy(retargeter);
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        printf("use: 07_retarget_file CLIP CHARACTER OUT\n");
        return 0;
    }
    sinew_Message message = { "" };
    Character actor = { NULL, NULL, NULL, { NULL, NULL, NULL } }, puppet = actor;
    bool good = open_character(&actor, argv[1], &message)
        && open_character(&puppet, argv[2], &message) && run(&actor, &puppet, argv[3], &message);
    if (!good) { fprintf(stderr, "%s\n", message.text); }
    close_character(&actor);
    close_character(&puppet);
    return good ? 0 : 1;
}
