// Terrains by name: hills:7, stairs:0.17,0.29, map.png:0.1,8.

#include "base/message.h"
#include "file/cells.h"
#include "math/holds.h"
#include "motion/terrain.h"
#include "sinew/terrain_file.h"

#include <string.h>

#define DEGREES (SINEW_PI / 180.0)

#define NAMES                                                                                   \
    "flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD], kerbs[:RISE,EVERY], ramp:DEGREES, " \
    "slope:DEGREES[,TOWARD]"

typedef struct Word {
    const char *name;
    const char *form; // of the whole, as it is asked for
    sinew_TerrainKind kind;
    int least, most; // numbers behind it
    bool is_kerbs;   // flights of one step: numbers are rise and length of the landings
} Word;

static const Word words[] = {
    { "flat", "flat", SINEW_TERRAIN_FLAT, 0, 0, false },
    { "hills", "hills[:SEED], a whole SEED of 0 to 2^53", SINEW_TERRAIN_HILLS, 0, 1, false },
    { "rough", "rough[:SEED], a whole SEED of 0 to 2^53", SINEW_TERRAIN_ROUGH, 0, 1, false },
    { "stairs", "stairs[:RISE,TREAD] in metres", SINEW_TERRAIN_STAIRS, 0, 2, false },
    { "kerbs", "kerbs[:RISE,EVERY] in metres", SINEW_TERRAIN_STAIRS, 0, 2, true },
    { "ramp", "ramp:DEGREES", SINEW_TERRAIN_RAMP, 1, 1, false },
    { "slope", "slope:DEGREES[,TOWARD]", SINEW_TERRAIN_SLOPE, 1, 2, false },
};

static const Word *find_word(const char *name)
{
    const size_t length = strcspn(name, ":");
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

// numbers parted by commas; -1 when anything else is there or there are more than most
static int take_numbers(const char *text, int most, double *out_numbers)
{
    snw_Text rest = { text, strlen(text), 0, "", NULL, false };
    int count = 0;
    while (rest.at < rest.size) {
        snw_Span cell = { text + rest.at, 0 };
        while (rest.at + cell.length < rest.size && cell.start[cell.length] != ',') {
            ++cell.length;
        }
        snw_Text one = { cell.start, cell.length, 0, "", NULL, false };
        if (count == most || cell.length == 0 || snw_is_space(cell.start[0])
            || snw_text_number(&one, &out_numbers[count]) != SNW_NUMBER_OK || one.at != one.size) {
            return -1;
        }
        ++count;
        rest.at += cell.length;
        // a comma must have a number behind it
        if (rest.at < rest.size && ++rest.at == rest.size) { return -1; }
    }
    return count;
}

static bool is_seed(double number)
{
    return number >= 0.0 && number <= 9007199254740992.0 && floor(number) == number;
}

/// A kerb is 0.15 m high; every other one, 2 m on, goes down again.
static void apply_kerbs(sinew_TerrainDef *def, const double *numbers, int count)
{
    def->flight_steps = 1;
    def->rise = count > 0 ? numbers[0] : 0.15;
    def->landing = count > 1 ? numbers[1] : 2.0;
}

static void apply_numbers(sinew_TerrainDef *def, const double *numbers, int count)
{
    SNW_ASSERT(count >= 0);
    switch (def->kind) {
    case SINEW_TERRAIN_HILLS:
    case SINEW_TERRAIN_ROUGH:
        if (count > 0) { def->seed = (uint64_t)numbers[0]; }
        break;
    case SINEW_TERRAIN_STAIRS:
        def->rise = count > 0 ? numbers[0] : def->rise;
        def->tread = count > 1 ? numbers[1] : def->tread;
        break;
    default:
        def->angle = count > 0 ? numbers[0] * DEGREES : def->angle;
        def->toward = count > 1 ? numbers[1] * DEGREES : def->toward;
        break;
    }
}

sinew_Status sinew_terrain_parse(
    const char *name, sinew_TerrainDef *out_def, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "name out_def", name, out_def);
    if (status != SINEW_STATUS_OK) { return status; }
    const Word *word = find_word(name);
    if (word == NULL) {
        return snw_refuse(out_message, "terrain '%s' is unknown, want " NAMES, name);
    }
    const char *behind = name + strlen(word->name);
    double numbers[2] = { 0.0, 0.0 };
    int count = *behind == ':' ? take_numbers(behind + 1, word->most, numbers) : 0;
    if (*behind == ':' && count == 0) { count = -1; }
    const bool seeded = word->kind == SINEW_TERRAIN_HILLS || word->kind == SINEW_TERRAIN_ROUGH;
    if (count < word->least || (seeded && count > 0 && !is_seed(numbers[0]))) {
        return snw_refuse(out_message, "terrain '%s' is not understood, want %s", name, word->form);
    }
    sinew_TerrainDef def = sinew_terrain_def_default(word->kind);
    if (word->is_kerbs) {
        apply_kerbs(&def, numbers, count);
    } else {
        apply_numbers(&def, numbers, count);
    }
    sinew_Message why;
    const bool tilts = word->kind == SINEW_TERRAIN_RAMP || word->kind == SINEW_TERRAIN_SLOPE;
    const double most[2] = { SNW_TERRAIN_STEEPEST / DEGREES, SNW_TERRAIN_MOST_TOWARD / DEGREES };
    for (int i = 0; tilts && i < count; ++i) {
        // told as it is typed
        if (fabs(numbers[i]) <= most[i]) { continue; }
        return snw_refuse(out_message, "terrain '%s': found %g degrees, want %g to %g", name,
            numbers[i], -floor(most[i]), floor(most[i]));
    }
    status = snw_terrain_check(&def, &why);
    if (status != SINEW_STATUS_OK) {
        return snw_fail(out_message, status, "terrain '%s': %s", name, why.text);
    }
    *out_def = def;
    return SINEW_STATUS_OK;
}

// FILE[:CELL[,HEIGHT]]: the path ends at the last colon that numbers alone follow
static sinew_Status open_file(const char *name, const sinew_Allocator *allocator,
    sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    if (allocator != NULL) { options.allocator = *allocator; }
    const char *colon = strrchr(name, ':');
    double numbers[2] = { 0.0, 0.0 };
    const int count = colon != NULL ? take_numbers(colon + 1, 2, numbers) : -1;
    char path[4096];
    const size_t length = count > 0 ? (size_t)(colon - name) : strlen(name);
    if (length == 0 || length >= sizeof path) {
        return snw_refuse(
            out_message, "terrain '%s' is unknown, want " NAMES ", or FILE[:CELL[,HEIGHT]]", name);
    }
    memcpy(path, name, length);
    path[length] = '\0';
    if (count > 0) { options.cell = numbers[0]; }
    if (count > 1) { options.height = numbers[1]; }
    return sinew_height_map_read(path, &options, out_terrain, out_message);
}

sinew_Status sinew_terrain_open(const char *name, const sinew_Allocator *allocator,
    sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    if (out_terrain == NULL) { return snw_refuse(out_message, "out_terrain is NULL"); }
    *out_terrain = NULL;
    if (name == NULL) { return snw_refuse(out_message, "name is NULL"); }
    if (find_word(name) == NULL) {
        // a word that is no path is a misspelt name
        if (strpbrk(name, "./\\") != NULL) {
            return open_file(name, allocator, out_terrain, out_message);
        }
        return snw_refuse(
            out_message, "terrain '%s' is unknown, want " NAMES ", or a file of heights", name);
    }
    sinew_TerrainDef def;
    sinew_Status status = sinew_terrain_parse(name, &def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (allocator != NULL) { def.allocator = *allocator; }
    return sinew_terrain_create(&def, out_terrain, out_message);
}
