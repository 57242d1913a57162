// Individuals as JSON: traits with their strengths.

#include "sinew/individual.h"

#include "base/memory.h"
#include "base/message.h"
#include "file/buffer.h"
#include "file/json.h"

#include <string.h>

static int trait_of(const char *name)
{
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (strcmp(name, sinew_trait_name((sinew_Trait)i)) == 0) { return i; }
    }
    return -1;
}

static sinew_Status fail_at_key(const snw_Text *text, const snw_Json *item, const char *expected)
{
    char found[SNW_JSON_SHOWN];
    snw_json_describe(&(snw_Json){ .kind = SNW_JSON_TEXT, .text = item->key }, found);
    return snw_text_fail_at(text, item->key_at, found, "%s", expected);
}

static sinew_Status take_traits(
    const snw_Text *text, const snw_Json *traits, sinew_Individual *out_individual)
{
    for (const snw_Json *item = traits->child; item != NULL; item = item->next) {
        int trait = trait_of(item->key);
        if (trait < 0) {
            return fail_at_key(text, item,
                "a trait: stiff_knee_left, stiff_knee_right, limp_left, limp_right, bad_back, "
                "heavy, child, old, tired, happy, sad or angry");
        }
        bool good = item->kind == SNW_JSON_NUMBER && item->number >= 0.0 && item->number <= 1.0;
        if (!good) { return snw_json_fail(text, item, "a strength of 0..1"); }
        out_individual->strength[trait] = item->number;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status take_top(
    const snw_Text *text, const snw_Json *top, sinew_Individual *out_individual)
{
    const snw_Json *version = snw_json_get(top, "sinew_individual");
    const snw_Json *traits = snw_json_get(top, "traits");
    if (version == NULL || traits == NULL) {
        return snw_json_fail(text, top, "an object with \"sinew_individual\": 1 and \"traits\"");
    }
    if (version->kind != SNW_JSON_NUMBER || version->number != 1.0) {
        return snw_json_fail(text, version, "version 1 of the format");
    }
    if (traits->kind != SNW_JSON_OBJECT) {
        return snw_json_fail(text, traits, "traits with their strengths, an object");
    }
    for (const snw_Json *item = top->child; item != NULL; item = item->next) {
        if (item != version && item != traits) {
            return fail_at_key(text, item, "\"sinew_individual\" and \"traits\" alone, each once");
        }
    }
    return take_traits(text, traits, out_individual);
}

static sinew_Status read_text(snw_Text *text, sinew_Individual *out_individual)
{
    snw_JsonTree tree;
    sinew_Individual read = { { 0.0 } };
    sinew_Status status = snw_json_read(text, NULL, &tree);
    if (status != SINEW_STATUS_OK) { return status; }
    status = take_top(text, tree.top, &read);
    snw_json_destroy(&tree);
    if (status == SINEW_STATUS_OK) { *out_individual = read; }
    return status;
}

sinew_Status sinew_individual_read(
    const char *path, sinew_Individual *out_individual, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path out_individual", path, out_individual);
    if (status != SINEW_STATUS_OK) { return status; }
    char *data;
    size_t size, capacity;
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    status = snw_text_read_file(path, &allocator, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Text text = { .data = data, .size = size, .name = path, .message = out_message };
    status = read_text(&text, out_individual);
    snw_free(&allocator, data, capacity);
    return status;
}

sinew_Status sinew_individual_write(
    const char *path, const sinew_Individual *individual, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "path individual", path, individual);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Buffer text = snw_buffer_create(NULL);
    snw_buffer_add_text(&text, "{\n  \"sinew_individual\": 1,\n  \"traits\": {");
    bool any = false;
    for (int i = 0; i < SINEW_TRAIT_COUNT; ++i) {
        if (!(individual->strength[i] > 0.0)) { continue; }
        snw_buffer_add_text(&text, any ? ",\n    \"" : "\n    \"");
        snw_buffer_add_text(&text, sinew_trait_name((sinew_Trait)i));
        snw_buffer_add_text(&text, "\": ");
        snw_buffer_add_number(&text, individual->strength[i]);
        any = true;
    }
    snw_buffer_add_text(&text, any ? "\n  }\n}\n" : "}\n}\n");
    status = snw_file_save(path, &text, out_message);
    snw_buffer_destroy(&text);
    return status;
}
