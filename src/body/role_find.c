#include "sinew/role.h"

#include <string.h>

// Questions about a finished guess, and the names of roles.

static const char *const role_names[SINEW_ROLE_COUNT] = { "none", "root", "hips", "pelvis", "spine",
    "chest", "neck", "head", "face", "clavicle", "upperarm", "forearm", "hand", "thigh", "shin",
    "foot", "toe", "thumb", "index", "middle", "ring", "pinky", "scapula", "front_thigh",
    "front_shin", "front_foot", "front_toe", "tail", "ear", "twist", "helper", "end" };

static bool has_number(sinew_Role role)
{
    return role == SINEW_ROLE_SPINE || (role >= SINEW_ROLE_THUMB && role <= SINEW_ROLE_PINKY);
}

int sinew_roles_find(const sinew_RoleGuess *guess, sinew_Role role, sinew_Side side, int number)
{
    for (int j = 0; guess != NULL && j < guess->joint_count; ++j) {
        const sinew_JointRole *joint = &guess->joints[j];
        if (joint->role != role || joint->side != side) { continue; }
        if (number < 0 || joint->number == number) { return j; }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Names

typedef struct Writer {
    char *text;
    size_t used, size;
} Writer;

static void put_text(Writer *writer, const char *text)
{
    for (; *text != '\0' && writer->used + 1 < writer->size; ++text) {
        writer->text[writer->used++] = *text;
    }
}

static void put_number(Writer *writer, int number)
{
    char digits[12];
    int at = (int)sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 && at > 0);
    put_text(writer, digits + at);
}

void sinew_role_name(sinew_Role role, sinew_Side side, int number, char *out_name, size_t size)
{
    if (out_name == NULL || size == 0) { return; }
    Writer writer = { out_name, 0, size };
    bool is_known = role >= SINEW_ROLE_NONE && role <= SINEW_ROLE_END;
    put_text(&writer, is_known ? role_names[role] : "none");
    if (is_known && has_number(role) && number >= 0) { put_number(&writer, number); }
    if (side == SINEW_SIDE_LEFT) { put_text(&writer, "_l"); }
    if (side == SINEW_SIDE_RIGHT) { put_text(&writer, "_r"); }
    out_name[writer.used] = '\0';
}

// digits of at most four figures at the end of a role's name; -1 where there are other signs
static int parse_number(const char *text, size_t length)
{
    int value = 0;
    if (length == 0 || length > 4) { return -1; }
    for (size_t i = 0; i < length; ++i) {
        if (text[i] < '0' || text[i] > '9') { return -1; }
        value = 10 * value + (text[i] - '0');
    }
    return value;
}

bool sinew_role_parse(const char *name, sinew_JointRole *out_role)
{
    if (name == NULL || out_role == NULL) { return false; }
    size_t length = strlen(name);
    sinew_Side side = SINEW_SIDE_NONE;
    if (length > 2 && name[length - 2] == '_') {
        if (name[length - 1] == 'l') { side = SINEW_SIDE_LEFT; }
        if (name[length - 1] == 'r') { side = SINEW_SIDE_RIGHT; }
        if (side != SINEW_SIDE_NONE) { length -= 2; }
    }
    for (int r = SINEW_ROLE_ROOT; r < SINEW_ROLE_COUNT; ++r) {
        size_t own = strlen(role_names[r]);
        if (length < own || strncmp(name, role_names[r], own) != 0) { continue; }
        int number = has_number((sinew_Role)r) ? parse_number(name + own, length - own) : 0;
        if (number < 0 || (!has_number((sinew_Role)r) && length != own)) { continue; }
        out_role->role = (sinew_Role)r;
        out_role->side = side;
        out_role->number = number;
        return true;
    }
    return false;
}

const char *sinew_body_kind_name(sinew_BodyKind kind)
{
    static const char *const texts[] = { "other", "humanoid", "upper body", "hand", "quadruped",
        "robot arm" };
    return kind >= SINEW_BODY_OTHER && kind <= SINEW_BODY_ROBOT_ARM ? texts[kind] : texts[0];
}

const char *sinew_role_source_name(sinew_RoleSource source)
{
    static const char *const texts[] = { "nothing", "names", "topology", "names and topology" };
    return source >= SINEW_ROLES_BY_NOTHING && source <= SINEW_ROLES_BY_BOTH ? texts[source]
                                                                             : texts[0];
}
