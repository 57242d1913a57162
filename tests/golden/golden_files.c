// Chapters of files: what is written, what is read back, and what is said of documents that were damaged
// in hundreds of ways.

#include "golden.h"

#include "gltf_make.h"
#include "measure/motion_meter.h"
#include "role_bodies.h"
#include "soak/soak.h"

#include "sinew/individual.h"
#include "sinew/keys_file.h"
#include "sinew/rig.h"
#include "sinew/rig_starts.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"

#define ROOM ((size_t)1 << 20)

typedef struct Document {
    char *data;
    size_t size;
} Document;

static Document document_of(const char *data, size_t size)
{
    Document d = { malloc(ROOM), size };
    if (d.data == NULL || size > ROOM / 2) { abort(); }
    memcpy(d.data, data, size);
    return d;
}

static Document document_read(const char *path)
{
    static char bytes[ROOM];
    FILE *file = fopen(path, "rb");
    if (file == NULL) { abort(); }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    return document_of(bytes, size);
}

static void put(Document *d, size_t at, size_t removed, const char *text, size_t size)
{
    if (at > d->size) { at = d->size; }
    if (removed > d->size - at) { removed = d->size - at; }
    if (d->size - removed + size > ROOM) { return; }
    memmove(d->data + at + size, d->data + at + removed, d->size - at - removed);
    memcpy(d->data + at, text, size);
    d->size += size;
    d->size -= removed;
}

// where a number begins at or after a place, and its length; 0: none
static size_t find_number(const Document *d, size_t *at)
{
    for (size_t i = *at; i < d->size; ++i) {
        if (d->data[i] < '0' || d->data[i] > '9') { continue; }
        size_t length = 1;
        while (i + length < d->size && strchr("0123456789.eE+-", d->data[i + length]) != NULL
            && d->data[i + length] != '\0') {
            ++length;
        }
        *at = i;
        return length;
    }
    return 0;
}

// one to three places damaged, as typing errors, cut transfers and odd programs do
static Document damaged(const Document *good, scene_Random *random)
{
    static const char *const numbers[] = { "0", "-1", "1e999", "nan", "1e-320", "3.5",
        "99999999999", "2", "-0", "1e300", "", "0x10", "1..2", "7" };
    static const char marks[] = "{}[]\",:<>/ \n\t#-.+eE0123456789aZ\0\xff\xc3";
    static const char *const words[] = { "null", "true", "\"\"", "{}", "[]", "End Site", "JOINT",
        "CHANNELS 3", "Zrotation", "<joint>", "</link>", "-", "\n\n", "//", "\r", "nan", "free",
        "hinge", "ball" };
    Document d = document_of(good->data, good->size);
    int count = 1 + scene_random_index(random, 3);
    for (int i = 0; i < count; ++i) {
        size_t at = (size_t)scene_random_index(random, (int)d.size + 1), length;
        switch (scene_random_index(random, 7)) {
        case 0:
        case 1: {
            const char *number =
                numbers[scene_random_index(random, (int)(sizeof numbers / sizeof numbers[0]))];
            length = find_number(&d, &at);
            put(&d, at, length, number, strlen(number));
            break;
        }
        case 2: put(&d, at, 1, &marks[scene_random_index(random, (int)sizeof marks - 1)], 1); break;
        case 3: put(&d, at, (size_t)scene_random_index(random, 40), "", 0); break;
        case 4: {
            char piece[60];
            size_t from = (size_t)scene_random_index(random, (int)d.size + 1);
            length = d.size - from < sizeof piece ? d.size - from : sizeof piece;
            memcpy(piece, d.data + from, length);
            put(&d, at, 0, piece, length);
            break;
        }
        case 5: {
            const char *word =
                words[scene_random_index(random, (int)(sizeof words / sizeof words[0]))];
            put(&d, at, (size_t)scene_random_index(random, 6), word, strlen(word));
            break;
        }
        default:
            if (soak_chance(random, 0.2)) { d.size = at; }
            break;
        }
    }
    return d;
}

// SINEW_FUZZ_SEEDS: a folder for ./run fuzz to start from, one of its own for each kind of document
static void keep_seed(const char *kind, const Document *d)
{
    static int number;
    char path[600];
    const char *folder = getenv("SINEW_FUZZ_SEEDS");
    if (folder == NULL || d->size > 20000) { return; }
    (void)snprintf(path, sizeof path, "%s/%s/%d", folder, kind, number++);
    FILE *file = fopen(path, "wb");
    if (file == NULL) { return; }
    (void)fwrite(d->data, 1, d->size, file);
    (void)fclose(file);
}

static void add_bytes(uint64_t *hash, const char *data, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        *hash = (*hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    }
    golden_int(hash, (int64_t)size);
}

// what a document shows: nodes, animations and parts, at rest and in motion
static void add_shown(uint64_t *hash, const sinew_MotionFile *file)
{
    static sinew_Vec3 vertices[64];
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    sinew_GltfPose *pose = NULL;
    if (gltf == NULL || sinew_gltf_pose_create(gltf, NULL, &pose) != SINEW_STATUS_OK) { return; }
    golden_int(hash, sinew_motion_animation(file) + 100 * sinew_gltf_skin_count(gltf));
    for (int a = 0; a < sinew_gltf_animation_count(gltf); ++a) {
        golden_text(hash, sinew_gltf_animation_name(gltf, a));
        golden_number(hash, sinew_gltf_animation_duration(gltf, a));
    }
    for (int j = 0; j < sinew_skeleton_joint_count(sinew_motion_skeleton(file)); ++j) {
        golden_int(hash, sinew_motion_node(file, j));
    }
    for (int i = 0; i < sinew_gltf_image_count(gltf); ++i) {
        golden_int(hash, (int64_t)sinew_gltf_image(gltf, i).size);
    }
    for (int time = 0; time < 3; ++time) {
        if (time > 0) { sinew_gltf_pose_animate(pose, 0, 0.4 * time); }
        for (int n = 0; n < sinew_gltf_node_count(gltf); ++n) {
            sinew_Affine affine = sinew_gltf_pose_world(pose, n);
            golden_vec3(hash, affine.position);
            golden_vec3(hash, affine.linear.y);
        }
        for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
            const sinew_GltfPart *part = sinew_gltf_part(gltf, p);
            if (part->vertex_count > 64) { continue; }
            sinew_gltf_part_vertices(pose, p, vertices);
            for (int v = 0; v < part->vertex_count; ++v) { golden_vec3(hash, vertices[v]); }
            if (time > 0) { continue; }
            golden_int(hash, part->node + 100 * part->image + 10000 * part->double_sided);
            golden_int(hash, part->vertex_count + 100 * part->is_skinned);
            golden_numbers(hash, part->color, 4);
            for (int i = 0; i < 3 * part->triangle_count; ++i) {
                golden_int(hash, part->indices[i]);
            }
            for (int i = 0; part->uvs != NULL && i < 2 * part->vertex_count; ++i) {
                golden_number(hash, (double)part->uvs[i]);
            }
        }
    }
    sinew_gltf_pose_destroy(pose);
}

// what is in a file, and both ways of writing it again
static void add_motion(uint64_t *hash, const sinew_MotionFile *file, bool write)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    golden_text(hash, sinew_format_name(sinew_motion_format(file)));
    golden_skeleton(hash, skeleton);
    if (clip != NULL) { golden_clip(hash, clip); }
    golden_number(hash, sinew_motion_unit(file));
    golden_int(hash, sinew_motion_unit_source(file));
    golden_number(hash, sinew_motion_stature(file));
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        golden_int(hash, sinew_motion_is_end_site(file, j));
        const char *link = sinew_motion_link(file, j);
        golden_text(hash, link != NULL ? link : "");
    }
    for (int w = 0; w < sinew_motion_warning_count(file); ++w) {
        golden_text(hash, sinew_motion_warning(file, w));
    }
    add_shown(hash, file);
    if (clip == NULL || !write) { return; }
    static const char *const names[] = { "out.bvh", "out.glb", "out.gltf" };
    for (int n = 0; n < 3; ++n) {
        for (int like = 0; like < 2; ++like) {
            sinew_WriteOptions options = sinew_write_options_default();
            sinew_Message message = { "" };
            char *data = NULL;
            size_t size = 0;
            options.like = like ? file : NULL;
            options.unit = n == 0 && !like ? 0.01 : options.unit;
            sinew_Status status = sinew_motion_write_memory(
                names[n], clip, &options, NULL, &data, &size, &message);
            golden_status(hash, status, &message);
            if (status == SINEW_STATUS_OK) { add_bytes(hash, data, size); }
            free(data);
        }
    }
}

static void read_motion(uint64_t *hash, const Document *d, const char *name, int kind, bool write)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    options.positions = (sinew_BvhPositions)(kind % 3);
    options.euler_joints = kind % 5 == 4;
    options.unit = kind % 7 == 6 ? 0.01 : 0.0;
    static const char *const animations[] = { "Move", "0", "1", "-1", "2", "0x" };
    options.animation = kind % 11 == 10 ? animations[kind / 11 % 6] : NULL;
    sinew_Status status = sinew_motion_read_memory(
        d->data, d->size, name, &options, &file, &message);
    golden_status(hash, status, &message);
    if (status == SINEW_STATUS_OK) { add_motion(hash, file, write); }
    sinew_motion_destroy(file);
}

static void read_damaged(
    uint64_t *hash, const Document *good, const char *name, int count, uint64_t seed)
{
    scene_Random random = scene_random(seed);
    keep_seed(name[strlen(name) - 1] == 'h' ? "bvh"
            : name[strlen(name) - 4] == 'u' ? "urdf"
                                            : "gltf",
        good);
    for (int kind = 0; kind < 12; ++kind) { read_motion(hash, good, name, kind, true); }
    for (int i = 0; i < count; ++i) {
        Document bad = damaged(good, &random);
        read_motion(hash, &bad, name, i, i % 8 == 0);
        free(bad.data);
    }
}

static Document written(const char *scene_name, const char *path, int frames)
{
    scene_Scene *scene = golden_scene(scene_name);
    sinew_Clip *clip = NULL;
    char *data = NULL;
    size_t size = 0;
    golden_ok(scene_motion(scene, 0.05, frames, &clip));
    golden_ok(sinew_motion_write_memory(path, clip, NULL, NULL, &data, &size, NULL));
    Document d = document_of(data, size);
    free(data);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
    return d;
}

static const char odd_bvh[] =
    "HIERARCHY\r\nROOT Hips\r\n{\r\n\tOFFSET 0.00 92.5 1.5\r\n\tCHANNELS 6 Xposition Yposition "
    "Zposition Zrotation Yrotation "
    "Xrotation\r\n\tJOINT LeftUpLeg\r\n\t{\r\n\t\tOFFSET 9 -3 0\r\n\t\tCHANNELS 3 Yrotation "
    "Xrotation Zrotation\r\n\t\tJOINT "
    "LeftLeg\r\n\t\t{\r\n\t\t\tOFFSET 0 -42 0\r\n\t\t\tCHANNELS 1 Xrotation\r\n\t\t\tEnd "
    "Site\r\n\t\t\t{\r\n\t\t\t\tOFFSET 0 -40 "
    "3\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n\tJOINT LeftUpLeg\r\n\t{\r\n\t\tOFFSET -9 -3 "
    "0\r\n\t\tCHANNELS 6 Xposition Yposition Zposition "
    "Zrotation Xrotation Yrotation\r\n\t\tEnd Site\r\n\t\t{\r\n\t\t\tOFFSET 0 -42 "
    "0\r\n\t\t}\r\n\t}\r\n}\r\nMOTION\r\nFrames: "
    "3\r\nFrame Time: .0333333\r\n0 92 0 1 2 3 4 5 6 7 -9 -3 0 1 2 3\r\n1 92 0 1 2 3 4 5 6 17 -9 "
    "-3 0 1 2 3\r\n2 92.5 1e0 1 "
    "2 3 4 -5 6 27 -9 -3.5 0 181 2 3\r\n";

static const char robot_urdf[] =
    "<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n<!-- odd on purpose -->\n<link "
    "name=\"base\"><inertial><mass value=\"4\"/>"
    "<origin xyz=\"0 0 0.1\" rpy=\"0 0 0\"/></inertial></link>\n<link name=\"upper\"/>\n<link "
    "name=\"lower\"><inertial><mass "
    "value=\"1.5\"/></inertial></link>\n<link name=\"hand\"/>\n<link name=\"finger\"/>\n<link "
    "name=\"thumb\"/><link name=\"tip\"/>\n"
    "<joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child "
    "link=\"upper\"/><origin xyz=\"0 0 0.3\" "
    "rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 0 1\"/><limit lower=\"-2\" upper=\"2.5\" effort=\"1\" "
    "velocity=\"1\"/></joint>\n"
    "<joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child "
    "link=\"lower\"/><origin xyz=\"0.4 0 0\"/><axis "
    "xyz=\"0 1 1\"/></joint>\n<joint name=\"slide\" type=\"prismatic\"><parent "
    "link=\"lower\"/><child link=\"hand\"/><origin "
    "xyz=\"0.3 0 0\"/><axis xyz=\"1 0 0\"/><limit lower=\"0\" upper=\"0.2\"/></joint>\n<joint "
    "name=\"grip\" type=\"fixed\"><parent "
    "link=\"hand\"/><child link=\"finger\"/><origin xyz=\"0.05 0.01 0\"/></joint>\n<joint "
    "name=\"grip2\" type=\"floating\">"
    "<parent link=\"hand\"/><child link=\"thumb\"/></joint>\n<joint name=\"plane\" "
    "type=\"planar\"><parent link=\"thumb\"/><child "
    "link=\"tip\"/><axis xyz=\"0 0 1\"/></joint>\n</robot>\n";

static uint64_t files_bvh(void)
{
    uint64_t hash = GOLDEN_START;
    Document man = written("MAN18", "man.bvh", 3), odd = document_of(odd_bvh, sizeof odd_bvh - 1);
    read_damaged(&hash, &odd, "odd.bvh", 2700, 1);
    read_damaged(&hash, &man, "man.bvh", 450, 2);
    free(man.data);
    free(odd.data);
    return hash;
}

// an arm with what make_leg has not: matrices, scale, cubic, stepped and short keys, sparse numbers, bind
// matrices, a strip without indices, textures
static void make_arm(make_Gltf *make, const char *texture)
{
    static const float places[18] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 0, 2, 2, 0.5f, 3, 2, 0 };
    static const uint16_t joints[24] = { 0, 1, 0, 0, 1, 0, 2, 0, 2, 1, 0, 0, 3, 2, 1, 0, 3, 0, 0, 0,
        1, 2, 3, 0 };
    static const float weights[24] = { 1, 0, 0, 0, 0.5f, 0.25f, 0.25f, 0, 0.7f, 0.3f, 0, 0, 0.4f,
        0.3f, 0.3f, 0, 1, 0, 0, 0, 0.2f, 0.5f, 0.3f, 0 };
    static const uint16_t uvs[12] = { 0, 0, 65535, 0, 65535, 65535, 0, 65535, 32768, 32768, 1, 2 };
    static const uint32_t indices[12] = { 0, 1, 2, 2, 1, 3, 3, 4, 5, 0, 2, 4 };
    static const float binds[64] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0,
        1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1, 1, 0,
        0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, -1, 0, 1 };
    static const float times[4] = { 0.1f, 0.4f, 0.8f, 1.5f };
    // in-slope, value, out-slope of each key
    static const float cubic[36] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1.2f, 0.3f, 0, 0.2f, 0, 0,
        0, 0, 0, 1.1f, 0, 0.4f, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 };
    static const float turns[48] = { 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0, 0.6f,
        0.8f, 0, 0.1f, 0, 0, 0, 0, 0, 0, 0, 0.28f, 0, 0.96f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
        0, 0, 0 };
    static const float scales[12] = { 1, 1, 1, 2, 1, 1, 1, 0.5f, 1, 1, 1, 1 };
    static const int16_t shorts[16] = { 0, 0, 0, 32767, 0, 23170, 0, 23170, 16384, 0, 0, 28378, 0,
        0, -32767, 0 };
    static const uint8_t few[2] = { 1, 3 };
    static const float other[6] = { 0.5f, 0.5f, 0, 1.5f, 1.5f, 0 };
    make_node(make,
        "{\"name\":\"Armature\",\"children\":[1,4],\"rotation\":[0.7071068,0,0,0.7071068],"
        "\"scale\":[0.01,0.01,0.01]}");
    make_node(make,
        "{\"name\":\"Upper\",\"children\":[2],\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,1,2,3,1]}");
    make_node(make,
        "{\"name\":\"Lower\",\"children\":[3],\"translation\":[1,0,0],\"rotation\":[0,0,0.6,0.8]}");
    make_node(make, "{\"name\":\"Hand\",\"translation\":[1,0,0],\"scale\":[1,2,1]}");
    make_node(make, "{\"name\":\"Skin\",\"mesh\":0,\"skin\":0}");
    int p = make_floats(make, places, 6, 3, "VEC3"), n = make_floats(make, places, 6, 3, "VEC3");
    int j = make_accessor(make, joints, sizeof joints, 5123, 6, "VEC4", "");
    int w = make_floats(make, weights, 6, 4, "VEC4");
    int u = make_accessor(make, uvs, sizeof uvs, 5123, 6, "VEC2", ",\"normalized\":true");
    int u2 = make_floats(make, &places[3], 6, 2, "VEC2");
    int i = make_accessor(make, indices, sizeof indices, 5125, 12, "SCALAR", "");
    int b = make_floats(make, binds, 4, 16, "MAT4"), t = make_floats(make, times, 4, 1, "SCALAR");
    int c = make_floats(make, cubic, 12, 3, "VEC3"), r = make_floats(make, turns, 12, 4, "VEC4");
    int s = make_floats(make, scales, 4, 3, "VEC3");
    int q = make_accessor(make, shorts, sizeof shorts, 5122, 4, "VEC4", ",\"normalized\":true");
    // places again, of which two are replaced
    int few_view = make->view_count;
    (void)make_accessor(make, few, sizeof few, 5121, 2, "SCALAR", "");
    (void)make_floats(make, other, 2, 3, "VEC3");
    make_text(&make->accessors,
        ",\n{\"bufferView\":%d,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",\"sparse\":{"
        "\"count\":2,\"indices\":"
        "{\"bufferView\":%d,\"componentType\":5121},\"values\":{\"bufferView\":%d}}}",
        p, few_view, few_view + 1);
    int sparse = make->accessor_count++;
    make_channel(make, 1, "translation", t, c, "CUBICSPLINE");
    make_channel(make, 2, "rotation", t, r, "CUBICSPLINE");
    make_channel(make, 0, "scale", t, s, "STEP");
    make_channel(make, 3, "rotation", t, q, "LINEAR");
    make_text(&make->more,
        ",\n\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"JOINTS_"
        "0\":%d,\"WEIGHTS_0\":%d,"
        "\"TEXCOORD_0\":%d,\"TEXCOORD_1\":%d},\"indices\":%d,\"material\":0},{\"attributes\":{"
        "\"POSITION\":%d},"
        "\"mode\":5}]}]",
        p, n, j, w, u, u2, i, sparse);
    make_text(&make->more,
        ",\n\"skins\":[{\"joints\":[1,2,3,0],\"inverseBindMatrices\":%d,\"skeleton\":0}],"
        "\n\"materials\":[{\"doubleSided\":true,"
        "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0%s}}}],\"textures\":[{"
        "\"source\":"
        "0}],\"images\":[{\"uri\":"
        "\"data:image/png;base64,iVBORw0KGgo=\",\"mimeType\":\"image/png\"}]",
        b, texture);
}

static uint64_t files_gltf(void)
{
    uint64_t hash = GOLDEN_START;
    for (int kind = 0; kind < 8; ++kind) {
        bool binary = kind % 2 == 1;
        make_Gltf make;
        snw_Buffer bytes = snw_buffer_create(NULL);
        make_begin(&make);
        if (kind < 2) {
            make_leg(&make);
        } else {
            static const char *const textures[] = { "", ",\"texCoord\":1", ",\"texCoord\":-1",
                ",\"texCoord\":\"1\"", ",\"texCoord\":100", ",\"texCoord\":0" };
            make_arm(&make, textures[kind - 2]);
        }
        make_document(&make, kind < 2 ? "0,3" : "0", binary, &bytes);
        Document leg = document_of(bytes.data, bytes.size);
        read_damaged(&hash, &leg, binary ? "leg.glb" : "leg.gltf", 1000, 3 + (uint64_t)kind);
        sinew_MotionFile *file = NULL;
        sinew_GltfPose *pose = NULL;
        golden_ok(sinew_motion_read_memory(leg.data, leg.size, "leg.gltf", NULL, &file, NULL));
        const sinew_Gltf *gltf = sinew_motion_gltf(file);
        golden_ok(sinew_gltf_pose_create(gltf, NULL, &pose));
        for (int i = 0; i < 12; ++i) {
            sinew_gltf_pose_animate(pose, i % 3 == 2 ? -1 : 0, 0.13 * i);
            for (int n = 0; n < sinew_gltf_node_count(gltf); ++n) {
                sinew_Affine affine = sinew_gltf_pose_world(pose, n);
                golden_vec3(&hash, affine.position);
                golden_vec3(&hash, affine.linear.x);
                golden_vec3(&hash, affine.linear.z);
                golden_text(&hash, sinew_gltf_node_name(gltf, n));
            }
            for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
                static sinew_Vec3 vertices[64];
                const sinew_GltfPart *part = sinew_gltf_part(gltf, p);
                sinew_gltf_part_vertices(pose, p, vertices);
                for (int v = 0; v < part->vertex_count; ++v) { golden_vec3(&hash, vertices[v]); }
                golden_numbers(&hash, part->color, 4);
            }
        }
        sinew_gltf_pose_destroy(pose);
        sinew_motion_destroy(file);
        free(leg.data);
        snw_buffer_destroy(&bytes);
        make_end(&make);
    }
    Document man = written("MAN18", "man.gltf", 4), hand = written("HAND", "hand.glb", 3);
    read_damaged(&hash, &man, "man.gltf", 200, 5);
    read_damaged(&hash, &hand, "hand.glb", 100, 6);
    free(man.data);
    free(hand.data);
    return hash;
}

static uint64_t files_urdf(void)
{
    uint64_t hash = GOLDEN_START;
    Document robot = document_of(robot_urdf, sizeof robot_urdf - 1);
    read_damaged(&hash, &robot, "robot.urdf", 4500, 7);
    free(robot.data);
    return hash;
}

static void add_rig_file(uint64_t *hash, const sinew_Rig *rig)
{
    const char *path = test_temp_path("again.rig.json");
    sinew_Message message = { "" };
    sinew_Status status = sinew_rig_write(path, rig, &message);
    golden_int(hash, status);
    if (status != SINEW_STATUS_OK) { return; }
    Document d = document_read(path);
    add_bytes(hash, d.data, d.size);
    free(d.data);
}

// rigs of three kinds with poses and start tables
static void try_rig(uint64_t *hash, const sinew_Skeleton *skeleton, const sinew_Rig *rig,
    const Document *good, int i, scene_Random *random)
{
    sinew_Rig *again = NULL;
    Document bad = i == 0 ? document_of(good->data, good->size) : damaged(good, random);
    sinew_Message message = { "" };
    sinew_Status status = sinew_rig_read_memory(
        bad.data, bad.size, "a.rig.json", i % 2 == 0 ? skeleton : NULL, NULL, &again, &message);
    golden_status(hash, status, &message);
    if (status == SINEW_STATUS_OK) {
        sinew_Skeleton *body = NULL;
        if (i % 10 == 0) { add_rig_file(hash, again); }
        status = sinew_rig_apply(skeleton, again, NULL, &body, &message);
        golden_status(hash, status, &message);
        if (status == SINEW_STATUS_OK && i % 10 == 0) { golden_skeleton(hash, body); }
        sinew_skeleton_destroy(body);
        if (sinew_rig_starts_count(again) > 0) {
            sinew_StartTable *read = NULL;
            golden_status(hash,
                sinew_rig_start_table(
                    again, sinew_rig_starts(again, 0), skeleton, NULL, &read, &message),
                &message);
            sinew_start_table_destroy(read);
        }
        if (i % 20 == 0) {
            golden_int(hash, sinew_rig_refine(again, rig));
            add_rig_file(hash, again);
        }
    }
    sinew_rig_destroy(again);
    free(bad.data);
}

static uint64_t files_rig(void)
{
    static const char *const names[] = { "MAN18", "QUADRUPED", "LIMITARM" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 5; ++s) {
        scene_Scene *scene = golden_scene(names[s % 3]);
        if (s > 2) {
            sinew_skeleton_destroy(scene->skeleton);
            scene->skeleton = golden_ball_person(1.0, false, s == 4 ? GOLDEN_FINE : GOLDEN_PLAIN);
        }
        sinew_RoleGuess *roles = NULL;
        sinew_Rig *rig = NULL;
        static double q[GOLDEN_MAX_NUMBERS];
        scene_Random random = scene_random(20 + (uint64_t)s);
        golden_ok(sinew_roles_guess(scene->skeleton, NULL, NULL, &roles, NULL));
        sinew_RigOptions options = sinew_rig_options_default();
        options.hinges = s == 4;
        options.unit = s == 4 ? 0.01 : 1.0;
        golden_ok(sinew_rig_guess(scene->skeleton, roles, &options, NULL, &rig, NULL));
        sinew_pose_middle(scene->skeleton, q);
        golden_ok(sinew_rig_capture_pose(rig, "kept", scene->skeleton, q));
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        sinew_StartTable *table = NULL;
        int count = golden_goals(scene, q, goals);
        for (int e = 0; s > 2 && e < count; ++e) {
            goals[e] = sinew_goal_pose(e + 3, goals[e].position, sinew_quat_identity());
        }
        golden_ok(
            sinew_start_table_add(scene->skeleton, NULL, goals, count, q, NULL, &table, NULL));
        golden_ok(sinew_rig_keep_starts(rig, "starts", scene->skeleton, table));
        const char *path = test_temp_path("a.rig.json");
        golden_ok(sinew_rig_write(path, rig, NULL));
        Document good = document_read(path);
        add_bytes(&hash, good.data, good.size);
        keep_seed("rig", &good);
        for (int i = 0; i < 500; ++i) { try_rig(&hash, scene->skeleton, rig, &good, i, &random); }
        free(good.data);
        sinew_start_table_destroy(table);
        sinew_rig_destroy(rig);
        sinew_roles_destroy(roles);
        scene_destroy(scene);
    }
    return hash;
}

static uint64_t files_keys(void)
{
    uint64_t hash = GOLDEN_START;
    scene_Scene *scene = golden_scene("MAN18");
    sinew_RoleGuess *roles = NULL;
    sinew_SwitchLimb limbs[8];
    golden_ok(sinew_roles_guess(scene->skeleton, NULL, NULL, &roles, NULL));
    int count = sinew_switch_find_limbs(scene->skeleton, roles, limbs, 8);
    sinew_Clip *clip = NULL;
    sinew_Keys *keys = NULL;
    golden_ok(scene_motion(scene, 0.05, 12, &clip));
    golden_ok(sinew_keys_create(scene->skeleton, limbs, count, NULL, &keys, NULL));
    golden_ok(sinew_keys_from_clip(keys, clip, NULL, NULL, NULL));
    golden_ok(sinew_keys_to_ik(keys, count - 1, 0.1, 0.4, 60.0, NULL, NULL, NULL));
    const char *path = test_temp_path("a.keys.json");
    golden_ok(sinew_keys_write(path, keys, NULL));
    Document good = document_read(path);
    add_bytes(&hash, good.data, good.size);
    keep_seed("keys", &good);
    scene_Random random = scene_random(30);
    for (int i = 0; i < 900; ++i) {
        Document bad = damaged(&good, &random);
        sinew_Message message = { "" };
        sinew_Status status = sinew_keys_read_memory(
            bad.data, bad.size, "a.keys.json", keys, &message);
        golden_status(&hash, status, &message);
        golden_int(&hash, sinew_keys_channel_count(keys));
        free(bad.data);
        if (i % 10 != 0) { continue; }
        golden_ok(sinew_keys_write(path, keys, NULL));
        bad = document_read(path);
        add_bytes(&hash, bad.data, bad.size);
        free(bad.data);
    }
    free(good.data);
    sinew_keys_destroy(keys);
    sinew_clip_destroy(clip);
    sinew_roles_destroy(roles);
    scene_destroy(scene);
    return hash;
}

// sticks, heights as text, names of terrains, individuals
static void try_stick(uint64_t *hash, const Document *good, int i, scene_Random *random)
{
    sinew_Message message = { "" };
    Document bad = i == 0 ? document_of(good->data, good->size) : damaged(good, random);
    sinew_StickRecording *recording = NULL;
    sinew_Status status = sinew_stick_read_memory(
        bad.data, bad.size, "stick.csv", NULL, &recording, &message);
    golden_status(hash, status, &message);
    if (status == SINEW_STATUS_OK) {
        int count = 0;
        const sinew_StickKey *keys = sinew_stick_keys(recording, &count);
        for (int k = 0; k < count; ++k) {
            golden_number(hash, keys[k].time);
            golden_number(hash, keys[k].stick.x);
            golden_int(hash, keys[k].stick.strafe);
        }
        sinew_Stick at = sinew_stick_at(recording, 0.3 * (i % 30));
        sinew_Steering steering = sinew_steering_from_stick(NULL, &at);
        golden_number(hash, steering.forward);
        golden_number(hash, steering.left);
        golden_number(hash, steering.turn);
        if (i % 20 == 0) {
            const char *path = test_temp_path("stick.csv");
            golden_status(hash, sinew_stick_write(path, keys, count, &message), &message);
            Document again = document_read(path);
            add_bytes(hash, again.data, again.size);
            free(again.data);
        }
    }
    sinew_stick_destroy(recording);
    free(bad.data);
}

static void try_heights(uint64_t *hash, const Document *good, int i, scene_Random *random)
{
    sinew_Message message = { "" };
    Document bad = i == 0 ? document_of(good->data, good->size) : damaged(good, random);
    sinew_Terrain *terrain = NULL;
    sinew_HeightMapOptions options = sinew_height_map_options_default();
    options.cell = 0.1 + 0.1 * (i % 4);
    options.outside = (sinew_TerrainOutside)(i % 3);
    options.base = 0.5 * (i % 2);
    sinew_Status status = sinew_height_map_read_memory(
        bad.data, bad.size, "grid.txt", &options, &terrain, &message);
    golden_status(hash, status, &message);
    for (int k = 0; terrain != NULL && k < 8; ++k) {
        golden_number(hash, sinew_terrain_sample(terrain, 0.17 * k - 0.5, 0.4 - 0.13 * k).height);
    }
    sinew_terrain_destroy(terrain);
    free(bad.data);
}

static void try_terrain_name(uint64_t *hash, int i, scene_Random *random)
{
    static const char *const names[] = { "flat", "hills:7", "rough:3", "stairs:0.2,0.3",
        "kerbs:-0.5,0.6", "ramp:12", "slope:20,90" };
    sinew_Message message = { "" };
    const char *name = names[i % 7];
    Document parsed = document_of(name, strlen(name) + 1);
    if (i < 7) { keep_seed("options", &parsed); }
    if (i >= 7) {
        free(parsed.data);
        Document text = document_of(name, strlen(name));
        parsed = damaged(&text, random);
        put(&parsed, parsed.size, 0, "", 1);
        free(text.data);
    }
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_FLAT);
    golden_status(hash, sinew_terrain_parse(parsed.data, &def, &message), &message);
    const double numbers[] = { def.rise, def.tread, def.angle, def.toward, (double)def.seed,
        def.landing };
    golden_numbers(hash, numbers, 6);
    golden_int(hash, (int)def.kind + 10 * def.flight_steps);
    free(parsed.data);
}

static void try_traits(uint64_t *hash, const Document *good, int i, scene_Random *random)
{
    sinew_Message message = { "" };
    Document bad = i == 0 ? document_of(good->data, good->size) : damaged(good, random);
    const char *path = test_temp_path("somebody.json");
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bad.data, 1, bad.size, file) != bad.size) { abort(); }
    (void)fclose(file);
    sinew_Individual individual = { { 0.0 } };
    sinew_Status status = sinew_individual_read(path, &individual, &message);
    golden_int(hash, status);
    // the message begins with the path, which differs
    const char *said = strrchr(message.text, '/');
    if (status != SINEW_STATUS_OK && said != NULL) { golden_text(hash, said); }
    golden_numbers(hash, individual.strength, SINEW_TRAIT_COUNT);
    free(bad.data);
}

static uint64_t files_texts(void)
{
    static const char stick[] =
        "# a stick\nseconds,x,y,strafe\n0,0,1,0\n2.5,-0.4,1,0\n\n6,0.25,-1,1\n7.125, 1, 0, 0\n9 0 "
        "0 0\n";
    static const char heights[] = "# heights\n0 0.1 0.2, 0.3\n1;2;3;4\n-1 0 0.5 1e-1\n\n2 2 2 2\n";
    static const char traits[] =
        "{\"sinew_individual\": 1, \"traits\": {\"limp_left\": 0.7, \"old\": 0.5}}\n";
    uint64_t hash = GOLDEN_START;
    scene_Random random = scene_random(40);
    Document sticks = document_of(stick, sizeof stick - 1),
             grid = document_of(heights, sizeof heights - 1);
    Document trait = document_of(traits, sizeof traits - 1);
    keep_seed("stick", &sticks);
    keep_seed("heights", &grid);
    for (int i = 0; i < 1200; ++i) {
        try_stick(&hash, &sticks, i, &random);
        try_heights(&hash, &grid, i, &random);
        try_terrain_name(&hash, i, &random);
        if (i % 4 == 0) { try_traits(&hash, &trait, i, &random); }
    }
    free(sticks.data);
    free(grid.data);
    free(trait.data);
    return hash;
}

// what is measured of motions and of how far two are apart
static uint64_t measures(void)
{
    static const char *const names[] = { "MAN18", "HAND", "SPIDER" };
    uint64_t hash = GOLDEN_START;
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = golden_scene(names[s]);
        scene_Random random = scene_random(60 + (uint64_t)s);
        sinew_Clip *clip = NULL, *other = NULL;
        golden_ok(scene_motion(scene, 0.02, 60, &clip));
        golden_ok(scene_motion(scene, 0.02, 60, &other));
        for (int f = 0; f < 60; ++f) {
            if (f % 7 == 0) { scene_random_pose(scene, &random, sinew_clip_frame(other, f)); }
        }
        for (int k = 0; k < 2; ++k) {
            measure_Motion m;
            memset(&m, 0, sizeof m);
            golden_ok(measure_motion(k == 0 ? clip : other, NULL, &m));
            golden_number(&hash, m.jitter);
            golden_int(&hash, m.flip_count);
            golden_int(&hash, m.flip_joint);
            golden_int(&hash, m.flip_frame);
        }
        double mean = 0.0, most = 0.0, height = 0.0;
        golden_ok(measure_rotation_error(clip, other, NULL, &mean, &most));
        golden_number(&hash, mean);
        golden_number(&hash, most);
        golden_ok(measure_position_error(clip, other, NULL, &most));
        golden_number(&hash, most);
        golden_ok(measure_height(other, NULL, &height));
        golden_number(&hash, height);
        for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
            golden_int(&hash,
                measure_joint_turns(scene->skeleton, j)
                    + 2 * measure_joint_travels(scene->skeleton, j));
        }
        sinew_clip_destroy(clip);
        sinew_clip_destroy(other);
        scene_destroy(scene);
    }
    return hash;
}

// joints that are called as programs call them, as other programs would, and by no name at all
static uint64_t names_of_joints(void)
{
    static const Scheme *const schemes[] = { &genesis, &rigify, &unreal, &biped, &valve, &mmd,
        &mixamo, &cmu };
    static const char *const pieces[] = { "Left", "Right", "l_", "_R", "arm", "Arm", "leg", "Hip",
        "hips", "spine", "Spine2", "neck", "head", "thumb", "Index", "1", "02", "_", ".", " ",
        "twist", "end", "IK", "toe", "foot", "knee", "elbow", "shoulder", "hand", "wrist", "fore",
        "upper", "lower", "tail", "ear", "eye", "jaw", "Bip01", "mixamorig:", "finger", "ring",
        "pinky", "middle", "ankle", "thigh", "calf", "front", "hind", "scapula", "clavicle",
        "pelvis", "root", "tip", "nub", "helper", "bone", "joint", "x", "\xe5\xb7\xa6",
        "\xe3\x81\xb2\xe3\x81\x98", "\xc3\xa9", "L", "R" };
    uint64_t hash = GOLDEN_START;
    static Body body;
    static Order order;
    scene_Random random = scene_random(90);
    for (int i = 0; i < 1500; ++i) {
        make(&body, schemes[i % 8]);
        for (int b = 0; i >= 8 && b < body.count; ++b) {
            Bone *bone = &body.bones[b];
            if (soak_chance(&random, i % 3 == 0 ? 0.9 : 0.2)) {
                int count = 1 + scene_random_index(&random, 5);
                bone->name[0] = '\0';
                for (int k = 0; k < count; ++k) {
                    const char *piece = pieces[scene_random_index(
                        &random, (int)(sizeof pieces / sizeof pieces[0]))];
                    (void)strncat(bone->name, piece, sizeof bone->name - strlen(bone->name) - 1);
                }
            }
            if (i % 5 == 0) {
                bone->place = sinew_vec3_add(bone->place, golden_point(&random, 0.02));
            }
            if (i % 7 == 0) {
                bone->place = sinew_vec3(bone->place.x, -bone->place.z, bone->place.y);
            }
        }
        body.is_robot = i % 11 == 10;
        sinew_Skeleton *skeleton = build(&body, &order);
        sinew_RoleGuess *roles = guess(&body, skeleton);
        sinew_Stance *stance = NULL;
        sinew_Rig *rig = NULL;
        golden_roles_add(&hash, roles);
        golden_ok(sinew_stance_guess(skeleton, roles, NULL, NULL, &stance, NULL));
        golden_stance_add(&hash, stance);
        golden_ok(sinew_rig_guess(skeleton, roles, NULL, NULL, &rig, NULL));
        golden_rig_add(&hash, rig);
        sinew_rig_destroy(rig);
        sinew_stance_destroy(stance);
        sinew_roles_destroy(roles);
        sinew_skeleton_destroy(skeleton);
    }
    return hash;
}

const golden_Chapter golden_more_chapters[] = {
    { "files-bvh", files_bvh },
    { "files-gltf", files_gltf },
    { "files-urdf", files_urdf },
    { "files-rig", files_rig },
    { "files-keys", files_keys },
    { "files-texts", files_texts },
    { "measures", measures },
    { "names", names_of_joints },
    { "odd-bodies", golden_odd },
    { "odd-units", golden_units },
};
const int golden_more_count = (int)(sizeof golden_more_chapters / sizeof golden_more_chapters[0]);
