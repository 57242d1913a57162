// Terrains: heights and normals against brute force over their meshes, exact steps, seamless
// repeats, the same bits everywhere, the highest place of a strip.

#include "testing.h"

#include "sinew/terrain.h"
#include "sinew/terrain_file.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct Mesh {
    sinew_TerrainPatch patch;
    sinew_Vec3 *vertices;
    uint32_t *indices;
} Mesh;

static sinew_Terrain *create(const sinew_TerrainDef *def)
{
    sinew_Terrain *terrain;
    sinew_Message message;
    TEST_OK(sinew_terrain_create(def, &terrain, &message), &message);
    return terrain;
}

static sinew_Terrain *create_kind(sinew_TerrainKind kind)
{
    sinew_TerrainDef def = sinew_terrain_def_default(kind);
    return create(&def);
}

static Mesh mesh_of(const sinew_Terrain *terrain)
{
    Mesh mesh = { sinew_terrain_patch(terrain), NULL, NULL };
    mesh.vertices = malloc((size_t)mesh.patch.vertex_count * sizeof *mesh.vertices);
    mesh.indices = malloc(3 * (size_t)mesh.patch.triangle_count * sizeof *mesh.indices);
    sinew_terrain_mesh(terrain, mesh.vertices, mesh.indices);
    return mesh;
}

static void free_mesh(Mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
}

/// Twice the signed area of a triangle on the ground, seen from above: positive anticlockwise.
static double area(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 c)
{
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// The highest of all triangles above a place, and its normal; a place on an edge takes either.
static sinew_GroundSample brute_force(const Mesh *mesh, double x, double z)
{
    sinew_GroundSample best = { -DBL_MAX, { 0.0, 0.0, 0.0 } };
    const sinew_Vec3 p = { x, 0.0, z };
    for (int t = 0; t < mesh->patch.triangle_count; ++t) {
        const uint32_t *i = mesh->indices + 3 * (size_t)t;
        sinew_Vec3 a = mesh->vertices[i[0]], b = mesh->vertices[i[1]], c = mesh->vertices[i[2]];
        double whole = area(a, b, c);
        if (!(whole > 1e-12)) { continue; }
        double u = area(p, b, c) / whole, v = area(a, p, c) / whole, w = area(a, b, p) / whole;
        if (u < -1e-12 || v < -1e-12 || w < -1e-12) { continue; }
        double height = u * a.y + v * b.y + w * c.y;
        if (height <= best.height) { continue; }
        best.height = height;
        best.normal = sinew_vec3_normalize_or(
            sinew_vec3_cross(sinew_vec3_sub(b, a), sinew_vec3_sub(c, a)), best.normal);
    }
    return best;
}

static const sinew_TerrainKind ALL[] = { SINEW_TERRAIN_FLAT, SINEW_TERRAIN_HILLS,
    SINEW_TERRAIN_ROUGH, SINEW_TERRAIN_STAIRS, SINEW_TERRAIN_RAMP, SINEW_TERRAIN_SLOPE };
#define ALL_COUNT ((int)(sizeof ALL / sizeof *ALL))

// TERR-1
static void meshes_have_the_published_size_terr1(void **state)
{
    (void)state;
    for (int k = 0; k < ALL_COUNT; ++k) {
        sinew_Terrain *terrain = create_kind(ALL[k]);
        Mesh mesh = mesh_of(terrain);
        bool plane = ALL[k] == SINEW_TERRAIN_FLAT || ALL[k] == SINEW_TERRAIN_SLOPE;
        TEST_INT(mesh.patch.triangle_count, plane ? 2 : 64082);
        TEST_INT(mesh.patch.vertex_count, plane ? 4 : 180 * 180);
        double covered = 0.0;
        for (int t = 0; t < mesh.patch.triangle_count; ++t) {
            const uint32_t *i = mesh.indices + 3 * (size_t)t;
            for (int c = 0; c < 3; ++c) { TEST_TRUE(i[c] < (uint32_t)mesh.patch.vertex_count); }
            double twice = area(mesh.vertices[i[0]], mesh.vertices[i[1]], mesh.vertices[i[2]]);
            TEST_TRUE(twice >= -1e-12);
            covered += 0.5 * twice;
        }
        // all of the patch, and no place twice
        double patch = (mesh.patch.high_x - mesh.patch.low_x)
            * (mesh.patch.high_z - mesh.patch.low_z);
        TEST_NEAR(covered / patch, 1.0, 1e-9);
        free_mesh(&mesh);
        sinew_terrain_destroy(terrain);
    }
}

// TERR-2
static void answers_are_those_of_the_mesh_terr2(void **state)
{
    (void)state;
    for (int k = 0; k < ALL_COUNT; ++k) {
        sinew_Terrain *terrain = create_kind(ALL[k]);
        Mesh mesh = mesh_of(terrain);
        for (int n = 0; n < 120; ++n) {
            test_Random random = test_case(811 + (uint64_t)k, n);
            double x = test_range(&random, mesh.patch.low_x, mesh.patch.high_x);
            double z = test_range(&random, mesh.patch.low_z, mesh.patch.high_z);
            sinew_GroundSample found = sinew_terrain_sample(terrain, x, z);
            sinew_GroundSample expected = brute_force(&mesh, x, z);
            TEST_NEAR(found.height, expected.height, 1e-9);
            TEST_VEC3_NEAR(found.normal, expected.normal, 1e-9);
        }
        free_mesh(&mesh);
        sinew_terrain_destroy(terrain);
    }
}

// TERR-1: the seed fixes the ground, on every platform; the numbers were printed by one of them
static void seeds_fix_the_ground_terr1(void **state)
{
    (void)state;
    const sinew_TerrainKind kinds[2] = { SINEW_TERRAIN_HILLS, SINEW_TERRAIN_ROUGH };
    const uint64_t expected[2] = { UINT64_C(0x77ea9ef0fedd6ba4), UINT64_C(0xa372ae499b039400) };
    for (int k = 0; k < 2; ++k) {
        sinew_TerrainDef def = sinew_terrain_def_default(kinds[k]);
        def.seed = 7;
        sinew_Terrain *a = create(&def), *b = create(&def);
        def.seed = 8;
        sinew_Terrain *other = create(&def);
        Mesh mesh = mesh_of(a), again = mesh_of(b), different = mesh_of(other);
        size_t size = (size_t)mesh.patch.vertex_count * sizeof *mesh.vertices;
        TEST_INT(memcmp(mesh.vertices, again.vertices, size), 0);
        TEST_TRUE(memcmp(mesh.vertices, different.vertices, size) != 0);

        // FNV-1a over the bits of the heights
        uint64_t hash = 14695981039346656037ULL;
        for (int v = 0; v < mesh.patch.vertex_count; ++v) {
            uint64_t bits;
            memcpy(&bits, &mesh.vertices[v].y, sizeof bits);
            hash = (hash ^ bits) * 1099511628211ULL;
        }
        if (hash != expected[k]) {
            print_message("hash of kind %d: 0x%llx\n", k, (unsigned long long)hash);
        }
        TEST_TRUE(hash == expected[k]);
        free_mesh(&mesh);
        free_mesh(&again);
        free_mesh(&different);
        sinew_terrain_destroy(a);
        sinew_terrain_destroy(b);
        sinew_terrain_destroy(other);
    }
}

static void generators_keep_their_bounds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_HILLS);
        def.seed = seed;
        sinew_Terrain *hills = create(&def);
        Mesh mesh = mesh_of(hills);
        double steepest = 1.0, low = 0.0, high = 0.0;
        for (int t = 0; t < mesh.patch.triangle_count; ++t) {
            const uint32_t *i = mesh.indices + 3 * (size_t)t;
            sinew_Vec3 a = mesh.vertices[i[0]], b = mesh.vertices[i[1]], c = mesh.vertices[i[2]];
            sinew_Vec3 normal = sinew_vec3_normalize_or(
                sinew_vec3_cross(sinew_vec3_sub(b, a), sinew_vec3_sub(c, a)), a);
            if (normal.y < steepest) { steepest = normal.y; }
            if (a.y < low) { low = a.y; }
            if (a.y > high) { high = a.y; }
        }
        TEST_NEAR(acos(steepest), def.steepest, 1e-9);
        // hills worth the name
        TEST_TRUE(high - low > 1.5 && high - low < 8.0);
        free_mesh(&mesh);
        sinew_terrain_destroy(hills);

        def = sinew_terrain_def_default(SINEW_TERRAIN_ROUGH);
        def.seed = seed;
        sinew_Terrain *rough = create(&def);
        def.bumps = 0.0;
        sinew_Terrain *smooth = create(&def);
        Mesh bumpy = mesh_of(rough), gentle = mesh_of(smooth);
        double bump = 0.0, hill = 0.0;
        for (int v = 0; v < bumpy.patch.vertex_count; ++v) {
            bump = fmax(bump, fabs(bumpy.vertices[v].y - gentle.vertices[v].y));
            hill = fmax(hill, fabs(gentle.vertices[v].y));
        }
        TEST_NEAR(bump, 0.05, 1e-12);
        TEST_NEAR(hill, 0.15, 1e-12);
        free_mesh(&bumpy);
        free_mesh(&gentle);
        sinew_terrain_destroy(rough);
        sinew_terrain_destroy(smooth);
    }
}

static void steps_are_exact(void **state)
{
    (void)state;
    const double sizes[3][2] = { { 0.17, 0.29 }, { 0.20, 0.25 }, { 0.13, 0.35 } };
    for (int s = 0; s < 3; ++s) {
        sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_STAIRS);
        def.rise = sizes[s][0];
        def.tread = sizes[s][1];
        sinew_Terrain *terrain = create(&def);
        double edge = 0.5 * def.landing;
        for (int step = 0; step < def.flight_steps; ++step) {
            double z = edge + step * def.tread;
            for (int side = 0; side < 2; ++side) {
                double sign = side == 0 ? 1.0 : -1.0;
                sinew_GroundSample at = sinew_terrain_sample(terrain, 3.7, sign * z);
                sinew_GroundSample before = sinew_terrain_sample(
                    terrain, -2.0, sign * nextafter(z, 0.0));
                sinew_GroundSample on = sinew_terrain_sample(
                    terrain, 0.0, sign * (z + 0.999 * def.tread));
                // bit for bit
                TEST_NEAR(at.height, (step + 1) * def.rise, 0.0);
                TEST_NEAR(before.height, step * def.rise, 0.0);
                TEST_NEAR(on.height, (step + 1) * def.rise, 0.0);
                TEST_VEC3_NEAR(at.normal, sinew_vec3(0.0, 1.0, 0.0), 0.0);
            }
        }
        // up and down again, for ever
        double period = sinew_terrain_patch(terrain).high_z / 3.0;
        double top = def.flight_steps * def.rise;
        for (int p = -40; p < 40; ++p) {
            TEST_NEAR(sinew_terrain_sample(terrain, 0.0, p * period).height, 0.0, 0.0);
            TEST_NEAR(sinew_terrain_sample(terrain, 0.0, (p + 0.5) * period).height, top, 0.0);
        }
        sinew_terrain_destroy(terrain);
    }
}

// a negative rise begins at the top: the same stairs half a period on, and lower
static void stairs_may_go_down_first(void **state)
{
    (void)state;
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_STAIRS);
    def.flight_steps = 3;
    sinew_Terrain *up = create(&def);
    def.rise = -def.rise;
    sinew_Terrain *down = create(&def);
    const double half = def.landing + (def.flight_steps - 1) * def.tread;
    const double top = -def.flight_steps * def.rise;
    for (int n = 0; n < 200; ++n) {
        test_Random random = test_case(823, n);
        double z = test_range(&random, -30.0, 30.0);
        TEST_NEAR(sinew_terrain_sample(down, 0.0, z).height,
            sinew_terrain_sample(up, 0.0, z + half).height - top, 1e-12);
    }
    TEST_NEAR(sinew_terrain_sample(down, 0.0, 0.0).height, 0.0, 1e-12);
    Mesh mesh = mesh_of(down);
    for (int n = 0; n < 40; ++n) {
        test_Random random = test_case(827, n);
        double x = test_range(&random, mesh.patch.low_x, mesh.patch.high_x);
        double z = test_range(&random, mesh.patch.low_z, mesh.patch.high_z);
        TEST_NEAR(sinew_terrain_sample(down, x, z).height, brute_force(&mesh, x, z).height, 1e-9);
    }
    free_mesh(&mesh);
    sinew_terrain_destroy(up);
    sinew_terrain_destroy(down);
}

static void kerbs_are_single_steps(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double rise, every;
    } cases[] = { { "kerbs", 0.15, 2.0 }, { "kerbs:1,3", 1.0, 3.0 },
        { "kerbs:-0.5,0.6", -0.5, 0.6 } };
    for (int i = 0; i < 3; ++i) {
        sinew_Terrain *terrain;
        sinew_Message message = { "" };
        TEST_OK(sinew_terrain_open(cases[i].name, NULL, &terrain, &message), &message);
        for (int k = -5; k <= 5; ++k) {
            double height = k % 2 == 0 ? 0.0 : cases[i].rise;
            for (int part = -4; part <= 4; part += 4) {
                double z = (k + 0.12 * part) * cases[i].every;
                TEST_NEAR(sinew_terrain_sample(terrain, 0.3, z).height, height, 1e-12);
            }
        }
        sinew_terrain_destroy(terrain);
    }
    sinew_Terrain *terrain;
    assert_int_equal(
        sinew_terrain_open("kerbs:0", NULL, &terrain, NULL), SINEW_STATUS_INVALID_ARGUMENT);
}

static void ramps_have_level_ground_between(void **state)
{
    (void)state;
    const double degrees[4] = { 30.0, -30.0, 12.5, 0.0 };
    for (int i = 0; i < 4; ++i) {
        sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_RAMP);
        def.angle = degrees[i] * (SINEW_PI / 180.0);
        sinew_Terrain *terrain = create(&def);
        double slope = tan(def.angle), foot = 0.5 * def.landing, top = foot + def.ramp_length;
        sinew_GroundSample low = sinew_terrain_sample(terrain, 1.0, foot - 0.01);
        sinew_GroundSample up = sinew_terrain_sample(terrain, 1.0, foot + 5.0);
        sinew_GroundSample back = sinew_terrain_sample(terrain, 1.0, -foot - 5.0);
        sinew_GroundSample high = sinew_terrain_sample(terrain, 1.0, top + 0.01);
        TEST_NEAR(low.height, 0.0, 0.0);
        TEST_NEAR(up.height, 5.0 * slope, 1e-12);
        TEST_NEAR(back.height, 5.0 * slope, 1e-12);
        TEST_NEAR(high.height, def.ramp_length * slope, 1e-12);
        TEST_VEC3_NEAR(up.normal, sinew_vec3(0.0, cos(def.angle), -sin(def.angle)), 1e-12);
        TEST_VEC3_NEAR(back.normal, sinew_vec3(0.0, cos(def.angle), sin(def.angle)), 1e-12);
        sinew_terrain_destroy(terrain);
    }

    // a slope rises where it was told to: 90 degrees from +Z toward +X is to the left
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_SLOPE);
    def.angle = 0.3;
    def.toward = 0.5 * SINEW_PI;
    sinew_Terrain *slope = create(&def);
    TEST_NEAR(sinew_terrain_sample(slope, 2.0, 123.0).height, 2.0 * tan(0.3), 1e-12);
    TEST_NEAR(sinew_terrain_sample(slope, -2.0, 0.0).height, -2.0 * tan(0.3), 1e-12);
    sinew_terrain_destroy(slope);
}

// A step of a hundredth of a millimetre changes the height by no more than the steepest slope says.
static void ground_goes_on_without_seams(void **state)
{
    (void)state;
    const sinew_TerrainKind kinds[3] = { SINEW_TERRAIN_HILLS, SINEW_TERRAIN_ROUGH,
        SINEW_TERRAIN_RAMP };
    for (int k = 0; k < 3; ++k) {
        sinew_Terrain *terrain = create_kind(kinds[k]);
        sinew_TerrainPatch patch = sinew_terrain_patch(terrain);
        double size_x = patch.high_x - patch.low_x, size_z = patch.high_z - patch.low_z;
        for (int n = 0; n < 4000; ++n) {
            test_Random random = test_case(812 + (uint64_t)k, n);
            // around the borders of patches near and far
            double x = patch.low_x + size_x * (test_int(&random, 9) - 4);
            double z = patch.low_z + size_z * (test_int(&random, 9) - 4);
            x += test_range(&random, -1e-5, 1e-5);
            z += test_range(&random, -1e-5, 1e-5);
            double aside = test_range(&random, 0.0, size_x);
            if (n % 2 == 0) {
                x += aside;
            } else {
                z += aside;
            }
            double dx = test_range(&random, -1e-5, 1e-5), dz = test_range(&random, -1e-5, 1e-5);
            double a = sinew_terrain_sample(terrain, x, z).height;
            double b = sinew_terrain_sample(terrain, x + dx, z + dz).height;
            TEST_NEAR(b, a, 2e-5);
            double repeated = sinew_terrain_sample(terrain, x + size_x, z - 2.0 * size_z).height;
            TEST_NEAR(repeated, a, 1e-9);
        }
        sinew_terrain_destroy(terrain);
    }
}

static void answers_are_finite_everywhere(void **state)
{
    (void)state;
    const double places[] = { 0.0, -0.0, 1e-300, -1e9, 1e9, 1e12, -1e12, 1e300, -1e300, DBL_MAX,
        INFINITY, -INFINITY, NAN };
    const int count = (int)(sizeof places / sizeof *places);
    for (int k = 0; k < ALL_COUNT; ++k) {
        sinew_Terrain *terrain = create_kind(ALL[k]);
        for (int i = 0; i < count; ++i) {
            for (int j = 0; j < count; ++j) {
                sinew_GroundSample s = sinew_terrain_sample(terrain, places[i], places[j]);
                TEST_TRUE(isfinite(s.height));
                TEST_NEAR(sinew_vec3_length(s.normal), 1.0, 1e-12);
                TEST_TRUE(s.normal.y > 0.0);
            }
        }
        sinew_terrain_destroy(terrain);
    }
}

static void grids_go_on_as_told(void **state)
{
    (void)state;
    // a corner at (0, 0): 3 columns along x, 2 rows along z, cells of half a metre
    const double heights[6] = { 0.0, 1.0, 4.0, 2.0, 3.0, 5.0 };
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_GRID);
    def.heights = heights;
    def.columns = 3;
    def.rows = 2;
    def.cell = 0.5;
    def.centered = false;
    def.outside = SINEW_OUTSIDE_MIRROR;
    sinew_Terrain *mirror = create(&def);
    def.outside = SINEW_OUTSIDE_REPEAT;
    sinew_Terrain *repeat = create(&def);
    def.outside = SINEW_OUTSIDE_LEVEL;
    sinew_Terrain *level = create(&def);
    TEST_NEAR(sinew_terrain_sample(mirror, 0.5, 0.5).height, 3.0, 1e-15);
    // the triangle below the diagonal, and the one above it
    TEST_NEAR(sinew_terrain_sample(mirror, 0.25, 0.125).height, 0.5 + 0.25 * 2.0, 1e-15);
    TEST_NEAR(sinew_terrain_sample(mirror, 0.125, 0.25).height, 0.5 * 2.0 + 0.25, 1e-15);
    for (int n = 0; n < 500; ++n) {
        test_Random random = test_case(815, n);
        double x = test_range(&random, 0.0, 1.0), z = test_range(&random, 0.0, 0.5);
        sinew_GroundSample in = sinew_terrain_sample(mirror, x, z);
        sinew_GroundSample out = sinew_terrain_sample(mirror, -x, 1.0 - z);
        TEST_NEAR(out.height, in.height, 1e-12);
        TEST_VEC3_NEAR(out.normal, sinew_vec3(-in.normal.x, in.normal.y, -in.normal.z), 1e-12);
        out = sinew_terrain_sample(mirror, x + 4.0, z - 3.0);
        TEST_NEAR(out.height, in.height, 1e-12);
        TEST_VEC3_NEAR(out.normal, in.normal, 1e-12);
        out = sinew_terrain_sample(repeat, x - 3.0, z + 2.5);
        TEST_NEAR(out.height, in.height, 1e-12);
        out = sinew_terrain_sample(level, -7.0, z);
        TEST_NEAR(out.height, sinew_terrain_sample(level, 0.0, z).height, 1e-12);
        TEST_NEAR(out.normal.x, 0.0, 0.0);
    }
    // centred: the middle of the grid is the origin
    def.centered = true;
    sinew_Terrain *centered = create(&def);
    TEST_NEAR(sinew_terrain_sample(centered, 0.0, 0.0).height,
        sinew_terrain_sample(level, 0.5, 0.25).height, 1e-15);
    sinew_terrain_destroy(mirror);
    sinew_terrain_destroy(repeat);
    sinew_terrain_destroy(level);
    sinew_terrain_destroy(centered);
}

static void broken_rules_are_refused(void **state)
{
    (void)state;
    sinew_Message message;
    sinew_Terrain *terrain;
    sinew_TerrainDef def = { 0 };
    assert_int_equal(sinew_terrain_create(&def, &terrain, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_null(terrain);
    const struct {
        sinew_TerrainKind kind;
        size_t field;
        double value;
        const char *text;
    } cases[] = {
        { SINEW_TERRAIN_STAIRS, offsetof(sinew_TerrainDef, rise), 0.0, "rise is 0" },
        { SINEW_TERRAIN_STAIRS, offsetof(sinew_TerrainDef, tread), NAN, "tread is nan" },
        { SINEW_TERRAIN_STAIRS, offsetof(sinew_TerrainDef, landing), -1.0, "landing is -1" },
        { SINEW_TERRAIN_RAMP, offsetof(sinew_TerrainDef, angle), 1.5, "angle is 1.5" },
        { SINEW_TERRAIN_SLOPE, offsetof(sinew_TerrainDef, toward), INFINITY, "toward is inf" },
        { SINEW_TERRAIN_HILLS, offsetof(sinew_TerrainDef, steepest), -0.1, "steepest is -0.1" },
        { SINEW_TERRAIN_ROUGH, offsetof(sinew_TerrainDef, bumps), 2.0, "bumps is 2" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        def = sinew_terrain_def_default(cases[i].kind);
        memcpy((char *)&def + cases[i].field, &cases[i].value, sizeof(double));
        assert_int_equal(
            sinew_terrain_create(&def, &terrain, &message), SINEW_STATUS_INVALID_ARGUMENT);
        assert_non_null(strstr(message.text, cases[i].text));
        assert_null(terrain);
    }

    double heights[4] = { 0.0, 1.0, NAN, 2.0 };
    def = sinew_terrain_def_default(SINEW_TERRAIN_GRID);
    def.columns = def.rows = 2;
    assert_int_equal(sinew_terrain_create(&def, &terrain, &message), SINEW_STATUS_INVALID_ARGUMENT);
    def.heights = heights;
    assert_int_equal(sinew_terrain_create(&def, &terrain, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "heights[2] is nan"));
    def.columns = def.rows = 1 << 20;
    assert_int_equal(sinew_terrain_create(&def, &terrain, &message), SINEW_STATUS_CAPACITY);
}

static void memory_is_given_back(void **state)
{
    (void)state;
    for (int k = 0; k < ALL_COUNT; ++k) {
        bool created = false;
        for (long fail_at = 1; !created; ++fail_at) {
            test_Memory memory;
            test_memory_init(&memory);
            memory.fail_at = fail_at;
            sinew_TerrainDef def = sinew_terrain_def_default(ALL[k]);
            def.allocator = memory.allocator;
            sinew_Terrain *terrain;
            sinew_Status status = sinew_terrain_create(&def, &terrain, NULL);
            created = status == SINEW_STATUS_OK;
            if (!created) { assert_int_equal(status, SINEW_STATUS_OUT_OF_MEMORY); }
            sinew_terrain_destroy(terrain);
            assert_true(memory.live_bytes == 0 && !memory.wrong_size);
        }
    }
}

// TERR-2
static void highest_of_a_strip_terr2(void **state)
{
    (void)state;
    sinew_Ground level = { NULL, NULL };
    sinew_GroundPeak peak = sinew_ground_highest(&level, 0.0, 0.0, 1.0, 1.0, 0.1, 0.02);
    TEST_NEAR(peak.height, 0.0, 0.0);
    TEST_NEAR(peak.fraction, 0.0, 0.0);

    // up a flight: the tread that the end lies on, met first at its edge
    sinew_Terrain *stairs = create_kind(SINEW_TERRAIN_STAIRS);
    sinew_Ground ground = sinew_terrain_ground(stairs);
    peak = sinew_ground_highest(&ground, 0.1, 1.3, 0.1, 1.9, 0.05, 0.005);
    TEST_NEAR(peak.height, 0.34, 1e-15);
    TEST_NEAR(peak.fraction, (1.79 - 1.3) / 0.6, 0.01);
    // the half width reaches over an edge that the way itself only runs along
    peak = sinew_ground_highest(&ground, 0.0, 1.45, 3.0, 1.45, 0.0, 0.02);
    TEST_NEAR(peak.height, 0.0, 0.0);
    peak = sinew_ground_highest(&ground, 0.0, 1.45, 3.0, 1.45, 0.06, 0.02);
    TEST_NEAR(peak.height, 0.17, 0.0);
    // no length, and numbers that break the rules
    peak = sinew_ground_highest(&ground, 0.0, 1.6, 0.0, 1.6, NAN, NAN);
    TEST_NEAR(peak.height, 0.17, 0.0);
    peak = sinew_ground_highest(&ground, 0.0, 0.0, 1e6, 0.0, 1e6, 1e-9);
    TEST_TRUE(isfinite(peak.height));
    sinew_terrain_destroy(stairs);

    // never below any place of the way, never above any of the strip
    sinew_Terrain *hills = create_kind(SINEW_TERRAIN_HILLS);
    ground = sinew_terrain_ground(hills);
    for (int n = 0; n < 300; ++n) {
        test_Random random = test_case(816, n);
        double x = test_range(&random, -30.0, 30.0), z = test_range(&random, -30.0, 30.0);
        double to_x = x + test_range(&random, -1.0, 1.0), to_z = z + test_range(&random, -1.0, 1.0);
        peak = sinew_ground_highest(&ground, x, z, to_x, to_z, 0.05, 0.02);
        double highest = -DBL_MAX;
        for (int i = 0; i <= 500; ++i) {
            double t = i / 500.0;
            double height =
                sinew_ground_sample(&ground, x + t * (to_x - x), z + t * (to_z - z)).height;
            if (height > highest) { highest = height; }
        }
        double steepest = tan(0.42);
        TEST_TRUE(peak.height >= highest - 0.02 * steepest);
        TEST_TRUE(peak.height <= highest + 0.06 * steepest);
    }
    sinew_terrain_destroy(hills);
}

TEST_MAIN(cmocka_unit_test(meshes_have_the_published_size_terr1),
    cmocka_unit_test(answers_are_those_of_the_mesh_terr2),
    cmocka_unit_test(seeds_fix_the_ground_terr1), cmocka_unit_test(generators_keep_their_bounds),
    cmocka_unit_test(steps_are_exact), cmocka_unit_test(stairs_may_go_down_first),
    cmocka_unit_test(kerbs_are_single_steps), cmocka_unit_test(ramps_have_level_ground_between),
    cmocka_unit_test(ground_goes_on_without_seams), cmocka_unit_test(answers_are_finite_everywhere),
    cmocka_unit_test(grids_go_on_as_told), cmocka_unit_test(broken_rules_are_refused),
    cmocka_unit_test(memory_is_given_back), cmocka_unit_test(highest_of_a_strip_terr2))
