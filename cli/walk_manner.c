#include "walk_manner.h"

#include "arguments.h"
#include "input.h"
#include "output.h"

#include "walk/gait_curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One word: "old", "old=0.5", "arms=0.5"; or a file of traits.
static bool add_word(const char *word, sinew_Manner *manner)
{
    char text[200];
    snprintf(text, sizeof text, "%s", word);
    char *value = strchr(text, '=');
    sinew_Message message = { "" };
    if (value != NULL) {
        char *end;
        double number = strtod(value + 1, &end);
        *value = '\0';
        bool is_number = end != value + 1 && *end == '\0';
        sinew_Manner with = *manner;
        // a name of a manner's number with a value out of its range is told as such
        sinew_Status status = sinew_manner_set(&with, text, is_number ? number : 0.0, &message);
        if (is_number && status == SINEW_STATUS_OK) {
            *manner = with;
            return true;
        }
        if (strncmp(message.text, "manner.", 7) == 0) {
            cli_error("--manner: %s", message.text);
            return false;
        }
        *value = ':'; // as traits are written
    }
    sinew_Individual individual;
    if (!cli_parse_individual("--manner", text, &individual)) { return false; }
    sinew_manner_add(&individual, manner);
    return true;
}

static bool add_words(const char *words, sinew_Manner *manner)
{
    while (*words != '\0') {
        char word[200];
        size_t length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (strcmp(word, "plain") != 0 && !add_word(word, manner)) { return false; }
        words += length;
        if (*words == ',') { ++words; }
    }
    return true;
}

/// The walk of a clip that a manner was learned from.
static bool measure(const cli_Input *input, const sinew_RoleGuess *roles, cli_Learned *out_learned)
{
    snw_GaitBody body;
    snw_Gait gait;
    if (!snw_gait_body(input->skeleton, roles, &body)
        || snw_gait_read(input->clip, &body, 0.0, sinew_clip_duration(input->clip), NULL, &gait)
            != SINEW_STATUS_OK) {
        cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
        return false;
    }
    out_learned->stride_count = gait.stride_count;
    out_learned->stride = gait.stride * body.leg_length;
    out_learned->cadence = 120.0 / gait.period;
    out_learned->speed = gait.speed;
    return true;
}

static bool learn(const char *path, sinew_Manner *manner, cli_Learned *out_learned)
{
    cli_Input input;
    memset(&input, 0, sizeof input);
    sinew_Message message = { "" };
    sinew_ReadOptions options = sinew_read_options_default();
    if (!cli_input_open(&input, path, &options)) { return false; }
    const sinew_RoleGuess *roles = cli_input_roles(&input);
    const sinew_Stance *stance = cli_input_stance(&input);
    bool learned = roles != NULL && stance != NULL;
    if (learned) {
        learned = sinew_manner_learn(input.clip, roles, stance, NULL, manner, &message)
            == SINEW_STATUS_OK;
        if (!learned) { cli_error("%s: %s", path, message.text); }
        learned = learned && measure(&input, roles, out_learned);
    }
    cli_input_close(&input);
    return learned;
}

bool cli_read_manner(
    const cli_MannerText *text, uint64_t seed, sinew_Manner *out_manner, cli_Learned *out_learned)
{
    memset(out_learned, 0, sizeof *out_learned);
    bool is_plain = text->names != NULL && strncmp(text->names, "plain", 5) == 0;
    *out_manner = is_plain ? sinew_manner_plain() : sinew_manner_default();
    out_manner->seed = seed;
    if (text->like != NULL && !learn(text->like, out_manner, out_learned)) { return false; }
    if (text->names != NULL && !add_words(text->names, out_manner)) { return false; }
    if (text->lively >= 0.0) { out_manner->lively = text->lively; }
    return true;
}
