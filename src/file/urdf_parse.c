// From the XML of a URDF file to links and joints. What is neither is skipped: pictures, collision
// shapes, transmissions, plugins.
//
// Expat reads the XML. Declarations inside a DOCTYPE are refused, because entities are the one part
// of XML with which a short text asks for endless memory.

#include "file/urdf.h"
#include "math/holds.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAME_LENGTH 250
// Largest number in a place, an angle or an axis. Limits beyond it are none.
#define MAX_NUMBER 1e9

typedef enum Section {
    SECTION_OTHER,
    SECTION_LINK,
    SECTION_JOINT,
} Section;

typedef struct Reader {
    snw_Text *text;
    snw_Urdf *urdf;
    XML_Parser parser;
    sinew_Status status;
    int depth; // open elements
    Section section;
    bool in_inertial;
    size_t at; // of the element
} Reader;

// ---------------------------------------------------------------------------------------------
// The tables

snw_Urdf snw_urdf_create(const sinew_Allocator *allocator)
{
    snw_Urdf urdf;
    memset(&urdf, 0, sizeof urdf);
    urdf.links = snw_buffer_create(allocator);
    urdf.joints = snw_buffer_create(allocator);
    urdf.names = snw_buffer_create(allocator);
    return urdf;
}

void snw_urdf_destroy(snw_Urdf *urdf)
{
    snw_buffer_destroy(&urdf->links);
    snw_buffer_destroy(&urdf->joints);
    snw_buffer_destroy(&urdf->names);
}

snw_UrdfLink *snw_urdf_links(const snw_Urdf *urdf)
{
    return (snw_UrdfLink *)(void *)urdf->links.data;
}

snw_UrdfJoint *snw_urdf_joints(const snw_Urdf *urdf)
{
    return (snw_UrdfJoint *)(void *)urdf->joints.data;
}

const char *snw_urdf_name(const snw_Urdf *urdf, size_t start)
{
    return urdf->names.data + start;
}

// ---------------------------------------------------------------------------------------------
// Is it one?

static bool starts(const char *at, const char *end, const char *part)
{
    size_t length = strlen(part);
    return (size_t)(end - at) >= length && memcmp(at, part, length) == 0;
}

// behind the next occurrence of part, or the end
static const char *skip_to(const char *at, const char *end, const char *part)
{
    while (at < end) {
        if (starts(at, end, part)) { return at + strlen(part); }
        ++at;
    }
    return end;
}

// behind <!DOCTYPE ... [ ... ] >
static const char *skip_doctype(const char *at, const char *end)
{
    int brackets = 0;
    for (; at < end; ++at) {
        if (*at == '[') { ++brackets; }
        if (*at == ']') { --brackets; }
        if (*at == '>' && brackets <= 0) { return at + 1; }
    }
    return end;
}

bool snw_urdf_begins(snw_Text *text)
{
    const char *at = text->data, *end = text->data + text->size;
    if (starts(at, end, "\xef\xbb\xbf")) { at += 3; }
    for (;;) {
        while (at < end && snw_is_space(*at)) { ++at; }
        if (starts(at, end, "<?")) {
            at = skip_to(at, end, "?>");
        } else if (starts(at, end, "<!--")) {
            at = skip_to(at + 4, end, "-->");
        } else if (starts(at, end, "<!DOCTYPE")) {
            at = skip_doctype(at, end);
        } else {
            break;
        }
    }
    if (!starts(at, end, "<robot")) { return false; }
    at += 6;
    return at == end || snw_is_space(*at) || *at == '>' || *at == '/';
}

// ---------------------------------------------------------------------------------------------
// Attributes

static void stop(Reader *reader, sinew_Status status)
{
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) { return attributes[1]; }
    }
    return NULL;
}

// Where the value of an attribute stands in the tag at reader->at. Expat has checked the tag, but
// the search never leaves the text: other encodings have other bytes.
static size_t attribute_place(const Reader *reader, const char *name)
{
    const char *start = reader->text->data, *end = start + reader->text->size;
    const char *at = start + reader->at;
    size_t length = strlen(name);
    while (at < end && *at != '>') {
        bool is_next = snw_is_space(*at);
        ++at;
        if (is_next && starts(at, end, name)) {
            const char *p = at + length;
            while (p < end && snw_is_space(*p)) { ++p; }
            if (p + 1 < end && *p == '=') {
                ++p;
                while (p + 1 < end && snw_is_space(*p)) { ++p; }
                return (size_t)(p + 1 - start);
            }
        }
        // over a quoted value, which may hold anything
        if (at < end && (*at == '"' || *at == '\'')) {
            char quote = *at++;
            while (at < end && *at != quote) { ++at; }
        }
    }
    return reader->at;
}

static void quote(const char *value, char out[64])
{
    snprintf(out, 64, strlen(value) > 40 ? "\"%.37s...\"" : "\"%s\"", value);
}

static void fail_value(Reader *reader, const char *name, const char *value, const char *expected)
{
    char found[64];
    quote(value, found);
    stop(reader,
        snw_text_fail_at(reader->text, attribute_place(reader, name), found, "%s", expected));
}

// count numbers of an attribute; an absent one leaves out as it is. False after a message.
static bool read_numbers(
    Reader *reader, const XML_Char **attributes, const char *name, int count, double *out)
{
    SNW_ASSERT(count >= 0);
    const char *value = attribute(attributes, name);
    if (value == NULL) { return true; }
    snw_Text text = { value, strlen(value), 0, "", NULL, false };
    double numbers[3] = { 0.0, 0.0, 0.0 };
    bool good = true;
    for (int i = 0; i < count && good; ++i) {
        good = snw_text_number(&text, &numbers[i]) == SNW_NUMBER_OK;
        good = good && fabs(numbers[i]) <= MAX_NUMBER;
    }
    snw_text_skip_space(&text);
    if (!good || !snw_text_at_end(&text)) {
        fail_value(reader, name, value,
            count == 3 ? "three numbers, each at most 1e9" : "a number, at most 1e9");
        return false;
    }
    for (int i = 0; i < count; ++i) { out[i] = numbers[i]; }
    return true;
}

// one end of a range; inf and what is as good as inf count as none. False after a message.
static bool read_bound(
    Reader *reader, const XML_Char **attributes, const char *name, double *out_bound)
{
    const char *value = attribute(attributes, name);
    *out_bound = 0.0;
    if (value == NULL) { return true; }
    snw_Text text = { value, strlen(value), 0, "", NULL, false };
    bool negative = false;
    snw_text_skip_space(&text);
    if (!snw_text_at_end(&text)) { negative = text.data[text.at] == '-'; }
    snw_NumberResult result = snw_text_number(&text, out_bound);
    if (result == SNW_NUMBER_NOT_FINITE) {
        snw_Span word = snw_text_take(&text);
        snw_Span digits = { word.start + 1, word.length - 1 };
        bool is_signed = word.start[0] == '-' || word.start[0] == '+';
        if (is_signed) { word = digits; }
        if (snw_span_is(word, "inf") || snw_span_is(word, "infinity")) {
            *out_bound = negative ? -INFINITY : INFINITY;
            result = SNW_NUMBER_OK;
        }
    }
    snw_text_skip_space(&text);
    if (result != SNW_NUMBER_OK || !snw_text_at_end(&text)) {
        fail_value(reader, name, value, "a number");
        return false;
    }
    if (fabs(*out_bound) > MAX_NUMBER) { *out_bound = negative ? -INFINITY : INFINITY; }
    return true;
}

// a name goes to the buffer of names. False after a message.
static bool read_name(Reader *reader, const XML_Char **attributes, const char *key,
    const char *element, size_t *out_name)
{
    const char *value = attribute(attributes, key);
    if (value == NULL || value[0] == '\0') {
        char found[64];
        snprintf(found, sizeof found, "<%s> without %s", element, key);
        stop(reader, snw_text_fail_at(reader->text, reader->at, found, "%s=\"...\"", key));
        return false;
    }
    bool is_plain = true;
    for (const char *c = value; *c != '\0'; ++c) { is_plain = is_plain && (unsigned char)*c >= 32; }
    if (!is_plain || strlen(value) > MAX_NAME_LENGTH) {
        fail_value(reader, key, is_plain ? value : "a name with control characters",
            "a name of at most 250 plain bytes");
        return false;
    }
    *out_name = reader->urdf->names.size;
    if (!snw_buffer_add(&reader->urdf->names, value, strlen(value) + 1)) {
        stop(reader, SINEW_STATUS_OUT_OF_MEMORY);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Elements

static void begin_link(Reader *reader, const XML_Char **attributes)
{
    snw_Urdf *urdf = reader->urdf;
    if (urdf->link_count == SINEW_MAX_JOINTS) {
        stop(reader,
            snw_text_fail_at(
                reader->text, reader->at, "one more link", "at most %d links", SINEW_MAX_JOINTS));
        return;
    }
    size_t name;
    if (!read_name(reader, attributes, "name", "link", &name)) { return; }
    snw_UrdfLink *link = snw_buffer_extend(&urdf->links, sizeof *link);
    if (link == NULL) {
        stop(reader, SINEW_STATUS_OUT_OF_MEMORY);
        return;
    }
    link->name = name;
    link->at = reader->at;
    ++urdf->link_count;
}

static bool read_type(Reader *reader, const XML_Char **attributes, snw_UrdfType *out_type)
{
    static const char *const types[] = { "fixed", "revolute", "continuous", "prismatic", "planar",
        "floating" };
    static const char expected[] = "fixed, revolute, continuous, prismatic, planar or floating";
    const char *value = attribute(attributes, "type");
    if (value == NULL) {
        stop(reader,
            snw_text_fail_at(
                reader->text, reader->at, "<joint> without type", "type=\"revolute\" or another"));
        return false;
    }
    for (int i = 0; i < (int)(sizeof types / sizeof types[0]); ++i) {
        if (strcmp(value, types[i]) != 0) { continue; }
        *out_type = (snw_UrdfType)i;
        return true;
    }
    fail_value(reader, "type", value, expected);
    return false;
}

static void begin_joint(Reader *reader, const XML_Char **attributes)
{
    snw_Urdf *urdf = reader->urdf;
    if (urdf->joint_count == SINEW_MAX_JOINTS) {
        stop(reader,
            snw_text_fail_at(
                reader->text, reader->at, "one more joint", "at most %d joints", SINEW_MAX_JOINTS));
        return;
    }
    size_t name;
    snw_UrdfType type;
    if (!read_name(reader, attributes, "name", "joint", &name)
        || !read_type(reader, attributes, &type)) {
        return;
    }
    snw_UrdfJoint *joint = snw_buffer_extend(&urdf->joints, sizeof *joint);
    if (joint == NULL) {
        stop(reader, SINEW_STATUS_OUT_OF_MEMORY);
        return;
    }
    joint->name = name;
    joint->at = reader->at;
    joint->type = type;
    joint->axis[0] = 1.0;
    joint->multiplier = 1.0;
    ++urdf->joint_count;
}

// false when the element was there before
static bool is_first(Reader *reader, snw_UrdfJoint *joint, unsigned element, const char *name)
{
    if ((joint->has & element) == 0) {
        joint->has |= element;
        return true;
    }
    if (element == SNW_URDF_HAS_PARENT || element == SNW_URDF_HAS_CHILD) {
        char found[64];
        snprintf(found, sizeof found, "a second <%s>", name);
        stop(reader, snw_text_fail_at(reader->text, reader->at, found, "one"));
    } else {
        ++reader->urdf->repeated;
    }
    return false;
}

static void read_limit(Reader *reader, const XML_Char **attributes, snw_UrdfJoint *joint)
{
    joint->limit_at = reader->at;
    if (attribute(attributes, "lower") != NULL || attribute(attributes, "upper") != NULL) {
        joint->has |= SNW_URDF_HAS_RANGE;
    }
    if (read_bound(reader, attributes, "lower", &joint->lower)) {
        read_bound(reader, attributes, "upper", &joint->upper);
    }
}

static void read_in_joint(Reader *reader, const char *name, const XML_Char **attributes)
{
    snw_Urdf *urdf = reader->urdf;
    snw_UrdfJoint *joint = &snw_urdf_joints(urdf)[urdf->joint_count - 1];
    if (strcmp(name, "origin") == 0 && is_first(reader, joint, SNW_URDF_HAS_ORIGIN, name)) {
        if (read_numbers(reader, attributes, "xyz", 3, joint->xyz)) {
            read_numbers(reader, attributes, "rpy", 3, joint->rpy);
        }
    } else if (strcmp(name, "parent") == 0 && is_first(reader, joint, SNW_URDF_HAS_PARENT, name)) {
        joint->parent_at = reader->at;
        read_name(reader, attributes, "link", name, &joint->parent);
    } else if (strcmp(name, "child") == 0 && is_first(reader, joint, SNW_URDF_HAS_CHILD, name)) {
        joint->child_at = reader->at;
        read_name(reader, attributes, "link", name, &joint->child);
    } else if (strcmp(name, "axis") == 0 && is_first(reader, joint, SNW_URDF_HAS_AXIS, name)) {
        joint->axis_at = reader->at;
        read_numbers(reader, attributes, "xyz", 3, joint->axis);
    } else if (strcmp(name, "limit") == 0 && is_first(reader, joint, SNW_URDF_HAS_LIMIT, name)) {
        read_limit(reader, attributes, joint);
    } else if (strcmp(name, "mimic") == 0 && is_first(reader, joint, SNW_URDF_HAS_MIMIC, name)) {
        joint->mimic_at = reader->at;
        if (read_name(reader, attributes, "joint", name, &joint->mimic)
            && read_numbers(reader, attributes, "multiplier", 1, &joint->multiplier)) {
            read_numbers(reader, attributes, "offset", 1, &joint->offset);
        }
    }
}

static void read_in_inertial(Reader *reader, const char *name, const XML_Char **attributes)
{
    snw_Urdf *urdf = reader->urdf;
    snw_UrdfLink *link = &snw_urdf_links(urdf)[urdf->link_count - 1];
    if (strcmp(name, "origin") == 0) {
        read_numbers(reader, attributes, "xyz", 3, link->center);
    } else if (strcmp(name, "mass") == 0) {
        const char *value = attribute(attributes, "value");
        if (!read_numbers(reader, attributes, "value", 1, &link->mass)) { return; }
        if (value != NULL && link->mass < 0.0) {
            fail_value(reader, "value", value, "a mass of 0 or more");
        }
    }
}

static void read_in_link(Reader *reader, const char *name)
{
    if (strcmp(name, "inertial") != 0) { return; }
    snw_Urdf *urdf = reader->urdf;
    snw_UrdfLink *link = &snw_urdf_links(urdf)[urdf->link_count - 1];
    reader->in_inertial = !link->has_inertial;
    urdf->repeated += link->has_inertial;
    link->has_inertial = true;
}

static void begin_section(Reader *reader, const char *name, const XML_Char **attributes)
{
    reader->section = SECTION_OTHER;
    if (strcmp(name, "link") == 0) {
        reader->section = SECTION_LINK;
        begin_link(reader, attributes);
    } else if (strcmp(name, "joint") == 0) {
        reader->section = SECTION_JOINT;
        begin_joint(reader, attributes);
    }
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    Reader *reader = user;
    if (reader->status != SINEW_STATUS_OK) { return; }
    XML_Index index = XML_GetCurrentByteIndex(reader->parser);
    reader->at = index > 0 ? (size_t)index : 0;
    int depth = reader->depth++;
    if (depth == SNW_URDF_MAX_DEPTH) {
        stop(reader,
            snw_text_fail_at(reader->text, reader->at, "elements nested too deep",
                "at most %d levels", SNW_URDF_MAX_DEPTH));
    } else if (depth == 0 && strcmp(name, "robot") != 0) {
        stop(reader, snw_text_fail_at(reader->text, reader->at, "another element", "<robot>"));
    } else if (strncmp(name, "xacro:", 6) == 0) {
        stop(reader,
            snw_text_fail_at(reader->text, reader->at, "a xacro macro",
                "a plain URDF file, which the program xacro makes of it"));
    } else if (depth == 1) {
        begin_section(reader, name, attributes);
    } else if (depth == 2) {
        reader->in_inertial = false;
        if (reader->section == SECTION_JOINT) { read_in_joint(reader, name, attributes); }
        if (reader->section == SECTION_LINK) { read_in_link(reader, name); }
    } else if (depth == 3 && reader->section == SECTION_LINK && reader->in_inertial) {
        read_in_inertial(reader, name, attributes);
    }
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
    (void)name;
    Reader *reader = user;
    --reader->depth;
}

static void XMLCALL begin_doctype(void *user, const XML_Char *name, const XML_Char *system,
    const XML_Char *public, int has_internal_subset)
{
    (void)name;
    (void)system;
    (void)public;
    Reader *reader = user;
    if (has_internal_subset == 0 || reader->status != SINEW_STATUS_OK) { return; }
    XML_Index index = XML_GetCurrentByteIndex(reader->parser);
    stop(reader,
        snw_text_fail_at(reader->text, index > 0 ? (size_t)index : 0, "a DOCTYPE with declarations",
            "none: they are not read"));
}

// ---------------------------------------------------------------------------------------------
// The whole

static sinew_Status fail_xml(const Reader *reader)
{
    enum XML_Error error = XML_GetErrorCode(reader->parser);
    if (error == XML_ERROR_NO_MEMORY) { return SINEW_STATUS_OUT_OF_MEMORY; }
    XML_Index index = XML_GetCurrentByteIndex(reader->parser);
    size_t at = index > 0 ? (size_t)index : 0;
    if (error == XML_ERROR_NO_ELEMENTS) {
        return snw_text_fail_at(reader->text, reader->text->size, "the end of the file",
            reader->depth > 0 ? "</robot>" : "<robot ...>");
    }
    return snw_text_fail_at(reader->text, at, XML_ErrorString(error), "well-formed XML");
}

sinew_Status snw_urdf_parse(snw_Text *text, snw_Urdf *urdf)
{
    Reader reader;
    memset(&reader, 0, sizeof reader);
    reader.text = text;
    reader.urdf = urdf;
    reader.parser = XML_ParserCreate(NULL);
    if (reader.parser == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    XML_SetUserData(reader.parser, &reader);
    XML_SetElementHandler(reader.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(reader.parser, begin_doctype);
    // SNW_MAX_FILE_SIZE is below INT_MAX
    enum XML_Status parsed = XML_Parse(reader.parser, text->data, (int)text->size, XML_TRUE);
    if (parsed != XML_STATUS_OK && reader.status == SINEW_STATUS_OK) {
        reader.status = fail_xml(&reader);
    }
    XML_ParserFree(reader.parser);
    return reader.status;
}
