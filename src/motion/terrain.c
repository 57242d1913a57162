#include "motion/terrain.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/holds.h"

#include <string.h>

// places farther out count as there
#define FARTHEST 1e9
// flat ground and slopes: half the side of the patch, metres
#define PLANE_REACH 1000.0
// stairs and ramps: width of the patch, metres
#define PROFILE_WIDTH 12.0
#define HILLS_CELL 0.25
#define ROUGH_CELL 0.1

struct sinew_Terrain {
    sinew_Allocator allocator;
    sinew_TerrainKind kind;
    sinew_TerrainPatch patch;
    // slope: height = tilt_x x + tilt_z z
    double tilt_x, tilt_z;
    snw_Profile profile;
    double profile_z, profile_height; // where the profile's origin lies
    // grid
    double cell, per_cell;
    int columns, rows;
    double *heights; // row by row along +z   (rows x columns)
    size_t size;     // of heights, bytes
};

sinew_TerrainDef sinew_terrain_def_default(sinew_TerrainKind kind)
{
    sinew_TerrainDef def = { 0 };
    def.kind = kind;
    def.seed = 1;
    def.steepest = 0.42;
    def.bumps = 0.05;
    def.undulation = 0.15;
    def.rise = 0.17;
    def.tread = 0.29;
    def.flight_steps = 12;
    def.angle = 0.2;
    def.ramp_length = 12.0;
    def.landing = 3.0;
    def.cell = 0.25;
    def.centered = true;
    def.cookie = SNW_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Checks

typedef struct Range {
    const char *name;
    double value, lower, upper;
} Range;

static sinew_Status check_ranges(const Range *ranges, int count, sinew_Message *out_message)
{
    SNW_ASSERT(count >= 0);
    for (int i = 0; i < count; ++i) {
        const Range *r = &ranges[i];
        if (!(r->value >= r->lower && r->value <= r->upper)) {
            return snw_refuse(
                out_message, "%s is %g, want %g to %g", r->name, r->value, r->lower, r->upper);
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_grid(const sinew_TerrainDef *def, sinew_Message *out_message)
{
    if (def->heights == NULL || def->columns < 2 || def->rows < 2) {
        return snw_refuse(out_message,
            "a grid has %d column%s and %d row%s, want heights and at least 2 each", def->columns,
            snw_plural(def->columns), def->rows, snw_plural(def->rows));
    }
    const Range ranges[] = { { "cell", def->cell, 1e-4, 1e4 },
        { "first_x", def->first_x, -1e6, 1e6 }, { "first_z", def->first_z, -1e6, 1e6 } };
    sinew_Status status = check_ranges(ranges, 3, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if ((size_t)def->rows > SINEW_TERRAIN_MAX_VERTICES / (size_t)def->columns) {
        return snw_fail(out_message, SINEW_STATUS_CAPACITY,
            "a grid has %d x %d heights, want at most %d", def->columns, def->rows,
            (int)SINEW_TERRAIN_MAX_VERTICES);
    }
    const size_t count = (size_t)def->columns * (size_t)def->rows;
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(def->heights[i]) <= 1e6)) {
            return snw_refuse(
                out_message, "heights[%z] is %g, want a number within +-1e6", i, def->heights[i]);
        }
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_terrain_check(const sinew_TerrainDef *def, sinew_Message *out_message)
{
    if (def == NULL) { return snw_refuse(out_message, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "terrain"); }
    const Range steepest = { "steepest", def->steepest, 0.0, 1.2 };
    const Range rough[] = { { "bumps", def->bumps, 0.0, 1.0 },
        { "undulation", def->undulation, 0.0, 10.0 } };
    const Range stairs[] = { { "tread", def->tread, 0.01, 10.0 },
        { "flight_steps", def->flight_steps, 1.0, 40.0 }, { "landing", def->landing, 0.1, 100.0 } };
    const Range tilted[] = { { "angle", def->angle, -SNW_TERRAIN_STEEPEST, SNW_TERRAIN_STEEPEST },
        { "ramp_length", def->ramp_length, 0.1, 1000.0 }, { "landing", def->landing, 0.1, 100.0 } };
    const Range slope[] = { tilted[0],
        { "toward", def->toward, -SNW_TERRAIN_MOST_TOWARD, SNW_TERRAIN_MOST_TOWARD } };
    switch (def->kind) {
    case SINEW_TERRAIN_FLAT: return SINEW_STATUS_OK;
    case SINEW_TERRAIN_HILLS: return check_ranges(&steepest, 1, out_message);
    case SINEW_TERRAIN_ROUGH: return check_ranges(rough, 2, out_message);
    case SINEW_TERRAIN_STAIRS:
        // a step that goes down first is as high as one that goes up
        if (!(fabs(def->rise) >= 0.001 && fabs(def->rise) <= 2.0)) {
            return snw_refuse(out_message,
                "rise is %g, want 0.001 to 2, or -2 to -0.001 (down first)", def->rise);
        }
        return check_ranges(stairs, 3, out_message);
    case SINEW_TERRAIN_RAMP: return check_ranges(tilted, 3, out_message);
    case SINEW_TERRAIN_SLOPE: return check_ranges(slope, 2, out_message);
    case SINEW_TERRAIN_GRID: return check_grid(def, out_message);
    }
    return snw_refuse(out_message, "kind is %d, want a sinew_TerrainKind", (int)def->kind);
}

// ---------------------------------------------------------------------------------------------
// Creation

static double tangent_of(double angle)
{
    double sine, cosine;
    sinew_sincos(angle, &sine, &cosine);
    return sine / cosine;
}

static sinew_TerrainPatch make_patch(double low_x, double low_z, double high_x, double high_z,
    sinew_TerrainOutside outside, int columns, int rows)
{
    sinew_TerrainPatch patch = { low_x, low_z, high_x, high_z, outside, columns, rows,
        columns * rows, 2 * (columns - 1) * (rows - 1) };
    return patch;
}

static void prepare_plane(sinew_Terrain *terrain, double angle, double toward)
{
    double sine, cosine;
    sinew_sincos(toward, &sine, &cosine);
    terrain->tilt_x = sine * tangent_of(angle);
    terrain->tilt_z = cosine * tangent_of(angle);
    terrain->patch = make_patch(
        -PLANE_REACH, -PLANE_REACH, PLANE_REACH, PLANE_REACH, SINEW_OUTSIDE_LEVEL, 2, 2);
}

static void prepare_profile(sinew_Terrain *terrain, const sinew_TerrainDef *def)
{
    snw_Profile *profile = &terrain->profile;
    profile->half_landing = 0.5 * def->landing;
    if (def->kind == SINEW_TERRAIN_STAIRS) {
        profile->rise = fabs(def->rise);
        profile->tread = def->tread;
        profile->per_tread = 1.0 / def->tread;
        profile->flight_steps = def->flight_steps;
        // the last tread belongs to the top landing
        profile->run = (def->flight_steps - 1) * def->tread;
    } else {
        profile->run = def->ramp_length;
        profile->tangent = tangent_of(def->angle);
    }
    profile->period = 2.0 * (def->landing + profile->run);
    if (def->kind == SINEW_TERRAIN_STAIRS && def->rise < 0.0) {
        // begins in the middle of the top landing, at height 0
        terrain->profile_z = -0.5 * profile->period;
        terrain->profile_height = def->flight_steps * def->rise;
    }
    double z[SINEW_TERRAIN_ROWS], height[SINEW_TERRAIN_ROWS];
    snw_profile_rows(profile, z, height);
    const double low_z = terrain->profile_z;
    terrain->patch = make_patch(-0.5 * PROFILE_WIDTH, low_z, 0.5 * PROFILE_WIDTH,
        low_z + z[SINEW_TERRAIN_ROWS - 1], SINEW_OUTSIDE_REPEAT, SINEW_TERRAIN_ROWS,
        SINEW_TERRAIN_ROWS);
}

static sinew_Status prepare_grid(sinew_Terrain *terrain, const sinew_TerrainDef *def)
{
    const bool generated = def->kind != SINEW_TERRAIN_GRID;
    terrain->columns = generated ? SINEW_TERRAIN_ROWS : def->columns;
    terrain->rows = generated ? SINEW_TERRAIN_ROWS : def->rows;
    terrain->cell = def->kind == SINEW_TERRAIN_HILLS ? HILLS_CELL
        : def->kind == SINEW_TERRAIN_ROUGH           ? ROUGH_CELL
                                                     : def->cell;
    terrain->per_cell = 1.0 / terrain->cell;
    terrain->size = (size_t)terrain->columns * (size_t)terrain->rows * sizeof(double);
    terrain->heights = snw_alloc(&terrain->allocator, terrain->size);
    if (terrain->heights == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }

    if (def->kind == SINEW_TERRAIN_HILLS) {
        snw_terrain_hills(def->seed, terrain->cell, def->steepest, terrain->heights);
    } else if (def->kind == SINEW_TERRAIN_ROUGH) {
        snw_terrain_rough(def->seed, def->bumps, def->undulation, terrain->heights);
    } else {
        memcpy(terrain->heights, def->heights, terrain->size);
    }
    const double width = (terrain->columns - 1) * terrain->cell;
    const double depth = (terrain->rows - 1) * terrain->cell;
    const bool centered = generated || def->centered;
    const double low_x = centered ? -0.5 * width : def->first_x;
    const double low_z = centered ? -0.5 * depth : def->first_z;
    terrain->patch = make_patch(low_x, low_z, low_x + width, low_z + depth,
        generated ? SINEW_OUTSIDE_REPEAT : def->outside, terrain->columns, terrain->rows);
    return SINEW_STATUS_OK;
}

sinew_Status sinew_terrain_create(
    const sinew_TerrainDef *def, sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    if (out_terrain == NULL) { return snw_refuse(out_message, "out_terrain is NULL"); }
    *out_terrain = NULL;
    sinew_Status status = snw_terrain_check(def, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    const sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    sinew_Terrain *terrain = snw_alloc(&allocator, sizeof *terrain);
    if (terrain == NULL) { return snw_no_memory(out_message, "the terrain"); }
    terrain->allocator = allocator;
    terrain->kind = def->kind;
    switch (def->kind) {
    case SINEW_TERRAIN_FLAT: prepare_plane(terrain, 0.0, 0.0); break;
    case SINEW_TERRAIN_SLOPE: prepare_plane(terrain, def->angle, def->toward); break;
    case SINEW_TERRAIN_STAIRS:
    case SINEW_TERRAIN_RAMP: prepare_profile(terrain, def); break;
    default: status = prepare_grid(terrain, def); break;
    }
    if (status != SINEW_STATUS_OK) {
        sinew_terrain_destroy(terrain);
        return snw_fail(out_message, status, "no memory for the terrain");
    }
    *out_terrain = terrain;
    return SINEW_STATUS_OK;
}

void sinew_terrain_destroy(sinew_Terrain *terrain)
{
    if (terrain == NULL) { return; }
    const sinew_Allocator allocator = terrain->allocator;
    if (terrain->heights != NULL) { snw_free(&allocator, terrain->heights, terrain->size); }
    snw_free(&allocator, terrain, sizeof *terrain);
}

// ---------------------------------------------------------------------------------------------
// Answers

static double crop_place(double x)
{
    if (!(x >= -FARTHEST)) { return x < -FARTHEST ? -FARTHEST : 0.0; }
    return x > FARTHEST ? FARTHEST : x;
}

static sinew_GroundSample make_sample(double height, double slope_x, double slope_z)
{
    const double square = slope_x * slope_x + slope_z * slope_z;
    const double scale = square > 0.0 ? 1.0 / sqrt(square + 1.0) : 1.0;
    sinew_GroundSample sample = { height, { -slope_x * scale, scale, -slope_z * scale } };
    return sample;
}

// Where a place lies along one side of a grid: the cell, the part of it, and how a step outside
// is a step inside: 1, -1 mirrored, 0 level.
static inline int find_cell(
    double place, int cells, sinew_TerrainOutside outside, double *out_part, double *out_sign)
{
    double sign = 1.0;
    if (!(place >= 0.0 && place <= cells)) {
        if (outside == SINEW_OUTSIDE_LEVEL) {
            sign = 0.0;
            place = place < 0.0 ? 0.0 : cells;
        } else {
            const double turns = floor(place / cells);
            place -= turns * cells;
            // the last bits of far places may step over a border
            place = place < 0.0 ? 0.0 : place > cells ? cells : place;
            if (outside == SINEW_OUTSIDE_MIRROR && fmod(turns, 2.0) != 0.0) {
                place = cells - place;
                sign = -1.0;
            }
        }
    }
    int cell = (int)place;
    if (cell >= cells) { cell = cells - 1; }
    *out_part = place - cell;
    *out_sign = sign;
    return cell;
}

/// The plane of a triangle at a place: height there, rises over one cell.
typedef struct Plane {
    double height, along_x, along_z;
} Plane;

static Plane find_plane(const sinew_Terrain *terrain, double x, double z)
{
    const sinew_TerrainPatch *patch = &terrain->patch;
    double fx, fz, sign_x, sign_z;
    const int i = find_cell(
        (x - patch->low_x) * terrain->per_cell, terrain->columns - 1, patch->outside, &fx, &sign_x);
    const int k = find_cell(
        (z - patch->low_z) * terrain->per_cell, terrain->rows - 1, patch->outside, &fz, &sign_z);
    const double *low = &terrain->heights[(size_t)k * (size_t)terrain->columns + (size_t)i];
    const double *high = low + terrain->columns;

    const bool lower = fx >= fz;
    const double along_x = lower ? low[1] - low[0] : high[1] - high[0];
    const double along_z = lower ? high[1] - low[1] : high[0] - low[0];
    const double height = low[0] + fx * along_x + fz * along_z;
    return (Plane){ height, sign_x * along_x, sign_z * along_z };
}

sinew_GroundSample sinew_terrain_sample(const sinew_Terrain *terrain, double x, double z)
{
    if (terrain == NULL) { return make_sample(0.0, 0.0, 0.0); }
    x = crop_place(x);
    z = crop_place(z);
    double slope = 0.0, height;
    switch (terrain->kind) {
    case SINEW_TERRAIN_FLAT: return make_sample(0.0, 0.0, 0.0);
    case SINEW_TERRAIN_SLOPE:
        return make_sample(
            terrain->tilt_x * x + terrain->tilt_z * z, terrain->tilt_x, terrain->tilt_z);
    case SINEW_TERRAIN_STAIRS:
    case SINEW_TERRAIN_RAMP:
        height = snw_profile_height(&terrain->profile, z - terrain->profile_z, &slope);
        return make_sample(terrain->profile_height + height, 0.0, slope);
    default: {
        const Plane plane = find_plane(terrain, x, z);
        return make_sample(
            plane.height, plane.along_x * terrain->per_cell, plane.along_z * terrain->per_cell);
    }
    }
}

static sinew_GroundSample answer(void *user, double x, double z)
{
    return sinew_terrain_sample(user, x, z);
}

sinew_Ground sinew_terrain_ground(const sinew_Terrain *terrain)
{
    // the callback does not change it
    sinew_Ground ground = { answer, (void *)(uintptr_t)terrain };
    return ground;
}

// ---------------------------------------------------------------------------------------------
// Mesh

sinew_TerrainPatch sinew_terrain_patch(const sinew_Terrain *terrain)
{
    if (terrain == NULL) { return (sinew_TerrainPatch){ 0 }; }
    return terrain->patch;
}

static void write_indices(int columns, int rows, uint32_t *out_indices)
{
    SNW_ASSERT(columns >= 0);
    SNW_ASSERT(rows >= 0);
    for (int k = 0; k + 1 < rows; ++k) {
        for (int i = 0; i + 1 < columns; ++i) {
            const uint32_t low = (uint32_t)k * (uint32_t)columns + (uint32_t)i;
            const uint32_t high = low + (uint32_t)columns;
            const uint32_t corners[6] = { low, high + 1, low + 1, low, high, high + 1 };
            memcpy(out_indices, corners, sizeof corners);
            out_indices += 6;
        }
    }
}

void sinew_terrain_mesh(
    const sinew_Terrain *terrain, sinew_Vec3 *out_vertices, uint32_t *out_indices)
{
    if (terrain == NULL) { return; }
    const sinew_TerrainPatch *patch = &terrain->patch;
    const bool is_profile = terrain->kind == SINEW_TERRAIN_STAIRS
        || terrain->kind == SINEW_TERRAIN_RAMP;
    const int columns = terrain->heights ? terrain->columns : is_profile ? SINEW_TERRAIN_ROWS : 2;
    const int rows = terrain->heights ? terrain->rows : columns;
    if (out_indices != NULL) { write_indices(columns, rows, out_indices); }
    if (out_vertices == NULL) { return; }

    double row_z[SINEW_TERRAIN_ROWS], row_height[SINEW_TERRAIN_ROWS];
    if (is_profile) { snw_profile_rows(&terrain->profile, row_z, row_height); }
    const double step_x = terrain->heights ? terrain->cell
                                           : (patch->high_x - patch->low_x) / (columns - 1);
    const double step_z = terrain->heights ? terrain->cell : patch->high_z - patch->low_z;
    for (int k = 0; k < rows; ++k) {
        for (int i = 0; i < columns; ++i) {
            const size_t at = (size_t)k * (size_t)columns + (size_t)i;
            const double x = patch->low_x + i * step_x;
            const double z = is_profile ? terrain->profile_z + row_z[k] : patch->low_z + k * step_z;
            const double y = terrain->heights ? terrain->heights[at]
                : is_profile                  ? terrain->profile_height + row_height[k]
                                              : terrain->tilt_x * x + terrain->tilt_z * z;
            out_vertices[at] = sinew_vec3(x, y, z);
        }
    }
}
