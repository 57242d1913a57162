#include "walk_manner.h"

#include "arguments.h"
#include "input.h"
#include "output.h"

#include "walk/gait_curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A stiff knee is the body's, not the manner's.
static bool is_of_rig(sinew_Trait trait)
{
    return trait == SINEW_TRAIT_STIFF_KNEE_LEFT || trait == SINEW_TRAIT_STIFF_KNEE_RIGHT;
}

static bool tell_rig(sinew_Trait trait)
{
    const char *name = sinew_trait_name(trait);
    cli_error("--manner: %s is the body's; sinew rig BODY -i %s -o FILE.rig.json, then "
              "--limits-from FILE.rig.json",
        name, name);
    return false;
}

static bool tell_unknown(const char *word)
{
    char names[200] = "";
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (is_of_rig((sinew_Trait)i)) { continue; }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, ", %s", sinew_trait_name((sinew_Trait)i));
    }
    cli_error("--manner: found '%s', expected plain%s, each with =0..1, a number of a manner "
              "(sinew/manner.h) or a file .json",
        word, names);
    return false;
}

/// A file of traits.
static int add_file(const char *path, sinew_Manner *manner)
{
    sinew_Individual individual;
    if (cli_take_individual("--manner", path, &individual) != CLI_DONE) { return CLI_FAILED; }
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (is_of_rig((sinew_Trait)i) && individual.strength[i] > 0.0) {
            tell_rig((sinew_Trait)i);
            return CLI_FAILED;
        }
    }
    sinew_manner_add(&individual, manner);
    return CLI_DONE;
}

/// One word: "old", "old=0.5", "arms=0.5".
static bool add_word(const char *word, sinew_Manner *manner)
{
    char name[200];
    double number = 0.0;
    size_t length = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const bool has_number = word[length] == '=';
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (strcmp(name, sinew_trait_name((sinew_Trait)i)) != 0) { continue; }
        if (is_of_rig((sinew_Trait)i)) { return tell_rig((sinew_Trait)i); }
        char trait[220]; // as individuals are written
        sinew_Individual individual;
        snprintf(trait, sizeof trait, "%s%s%s", name, has_number ? ":" : "",
            has_number ? word + length + 1 : "");
        if (sinew_individual_parse(trait, &individual, NULL) != SINEW_STATUS_OK) {
            cli_error("--manner: found '%s', expected a strength of 0..1 behind %s=", word, name);
            return false;
        }
        sinew_manner_add(&individual, manner);
        return true;
    }
    sinew_Message message = { "" };
    sinew_Manner with = *manner;
    // a name of a manner's number with a value out of its range is told as such
    sinew_Status status = sinew_manner_set(&with, name, 0.0, &message);
    bool is_known = status == SINEW_STATUS_OK || strncmp(message.text, "manner.", 7) == 0;
    if (!is_known || !has_number) { return tell_unknown(word); }
    if (!cli_parse_number("--manner", word + length + 1, -INFINITY, INFINITY, &number)) {
        return false;
    }
    if (sinew_manner_set(manner, name, number, &message) == SINEW_STATUS_OK) { return true; }
    cli_error("--manner: %s", message.text);
    return false;
}

/// Words with commas between.
static int add_words(const char *words, sinew_Manner *manner)
{
    for (const char *at = words;; ++at) {
        char word[200];
        size_t length = strcspn(at, ",");
        int code = CLI_DONE;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (cli_has_ending(word, ".json")) {
            code = add_file(word, manner);
        } else if (strcmp(word, "plain") != 0 && !add_word(word, manner)) {
            code = CLI_USAGE;
        }
        at += length;
        if (code != CLI_DONE || *at == '\0') { return code; }
    }
}

/// The walk of a clip that a manner was learned from.
static bool measure(const cli_Input *input, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, cli_Learned *out_learned)
{
    snw_GaitBody body;
    snw_Gait gait;
    if (!snw_gait_body(input->skeleton, roles, stance->up, &body)
        || snw_gait_read(input->clip, &body, 0.0, sinew_clip_duration(input->clip), NULL, &gait)
            != SINEW_STATUS_OK) {
        return cli_out_of_memory();
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
    if (!cli_input_open_measured(&input, path, &options)) { return false; }
    const sinew_RoleGuess *roles = cli_input_roles(&input);
    const sinew_Stance *stance = cli_input_stance(&input);
    bool learned = roles != NULL && stance != NULL;
    if (learned) {
        learned = sinew_manner_learn(input.clip, roles, stance, NULL, manner, &message)
            == SINEW_STATUS_OK;
        if (!learned) { cli_error("%s: %s", path, message.text); }
        learned = learned && measure(&input, roles, stance, out_learned);
    }
    cli_input_close(&input);
    return learned;
}

int cli_read_manner(
    const cli_MannerText *text, uint64_t seed, sinew_Manner *out_manner, cli_Learned *out_learned)
{
    memset(out_learned, 0, sizeof *out_learned);
    bool is_plain = text->names != NULL && strncmp(text->names, "plain", 5) == 0;
    *out_manner = is_plain ? sinew_manner_plain() : sinew_manner_default();
    out_manner->seed = seed;
    if (text->like != NULL && !learn(text->like, out_manner, out_learned)) { return CLI_FAILED; }
    int code = text->names != NULL ? add_words(text->names, out_manner) : CLI_DONE;
    if (text->lively >= 0.0) { out_manner->lively = text->lively; }
    return code;
}
