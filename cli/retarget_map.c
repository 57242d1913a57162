// Which joint turns as which, as a JSON file that people edit.

#include "retarget_run.h"

#include "arguments.h"
#include "disk.h"
#include "json.h"
#include "output.h"
#include "suggest.h"

#include "base/memory.h"
#include "file/json.h"

#include <stdio.h>
#include <stdlib.h>

bool cli_retarget_map_write(const char *path, const sinew_Retargeter *retargeter,
    const sinew_Skeleton *source, const sinew_Skeleton *target)
{
    cli_Output output;
    if (!cli_output_open(&output, path)) { return false; }
    const sinew_Joint *from = sinew_skeleton_joints(source);
    const sinew_Joint *to = sinew_skeleton_joints(target);
    fputs("{\n  \"sinew_map\": 1,\n  \"joints\": {", output.stream);
    bool any = false;
    for (int j = 0; j < sinew_skeleton_joint_count(target); ++j) {
        if (to[j].axis_count == 0) { continue; }
        sinew_RetargetMatch match = sinew_retargeter_match(retargeter, j);
        fputs(any ? ",\n    " : "\n    ", output.stream);
        cli_json_quote(output.stream, to[j].name);
        fputs(": ", output.stream);
        if (match.from < 0) {
            fputs("null", output.stream);
        } else if (match.share > 0.0) {
            fputs("[", output.stream);
            cli_json_quote(output.stream, from[match.from].name);
            fputs(", ", output.stream);
            cli_json_quote(output.stream, from[match.to].name);
            fprintf(output.stream, ", %.17g]", match.share);
        } else {
            cli_json_quote(output.stream, from[match.from].name);
        }
        any = true;
    }
    fputs("\n  }\n}\n", output.stream);
    return cli_output_commit(&output);
}

/// False after a message that tells the place.
static bool fail_joint(const snw_Text *text, size_t at, const char *name,
    const sinew_Skeleton *skeleton, const char *which)
{
    char found[SNW_JSON_SHOWN];
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        cli_suggest_offer(&suggestion, sinew_skeleton_joints(skeleton)[j].name);
    }
    snw_json_describe(&(snw_Json){ .kind = SNW_JSON_TEXT, .text = name }, found);
    if (suggestion.best != NULL) {
        (void)snw_text_fail_at(
            text, at, found, "a joint of the %s; did you mean \"%.60s\"?", which, suggestion.best);
    } else {
        (void)snw_text_fail_at(text, at, found, "a joint of the %s", which);
    }
    return false;
}

// a joint of the source by name; -1 after a message
static int source_joint(const snw_Text *text, const snw_Json *name, const sinew_Skeleton *source)
{
    int joint = sinew_skeleton_find_joint(source, name->text);
    if (joint < 0) { (void)fail_joint(text, name->at, name->text, source, "source"); }
    return joint;
}

// whether a list is two names and a share of the way between them
static bool is_between(const snw_Json *list)
{
    const snw_Json *from = list->kind == SNW_JSON_ARRAY ? list->child : NULL;
    const snw_Json *to = from != NULL ? from->next : NULL;
    const snw_Json *share = to != NULL ? to->next : NULL;
    return share != NULL && share->next == NULL && from->kind == SNW_JSON_TEXT
        && to->kind == SNW_JSON_TEXT && share->kind == SNW_JSON_NUMBER && share->number >= 0.0
        && share->number <= 1.0;
}

static bool take_pairs(const snw_Text *text, const snw_Json *joints, const sinew_Skeleton *source,
    const sinew_Skeleton *target, sinew_RetargetPair *pairs, int *out_count)
{
    int count = 0;
    for (const snw_Json *item = joints->child; item != NULL; item = item->next) {
        sinew_RetargetPair pair = { .source = -1,
            .target = sinew_skeleton_find_joint(target, item->key) };
        if (pair.target < 0) {
            return fail_joint(text, item->key_at, item->key, target, "character");
        }
        if (item->kind == SNW_JSON_TEXT) {
            pair.source = source_joint(text, item, source);
            if (pair.source < 0) { return false; }
        } else if (is_between(item)) {
            pair.source = source_joint(text, item->child, source);
            if (pair.source < 0) { return false; }
            pair.toward = source_joint(text, item->child->next, source);
            if (pair.toward < 0) { return false; }
            pair.share = item->child->next->next->number;
        } else if (item->kind != SNW_JSON_NULL) {
            (void)snw_json_fail(text, item,
                "a name of the source's joint, [\"A\", \"B\", 0..1] between two, or null");
            return false;
        }
        pairs[count++] = pair;
    }
    *out_count = count;
    return true;
}

// the joints of the map; NULL after a message
static const snw_Json *find_joints(const snw_Text *text, const snw_Json *top)
{
    const snw_Json *version = snw_json_get(top, "sinew_map");
    const snw_Json *joints = snw_json_get(top, "joints");
    if (joints == NULL || joints->kind != SNW_JSON_OBJECT) {
        (void)snw_json_fail(
            text, joints != NULL ? joints : top, "the key \"joints\" with an object of names");
        return NULL;
    }
    if (version != NULL && (version->kind != SNW_JSON_NUMBER || version->number != 1.0)) {
        (void)snw_json_fail(text, version, "version 1 of the format");
        return NULL;
    }
    return joints;
}

bool cli_retarget_map_read(const char *path, const sinew_Skeleton *source,
    const sinew_Skeleton *target, sinew_RetargetPair **out_pairs, int *out_count,
    sinew_Message *out_message)
{
    char *data = NULL;
    size_t size = 0, capacity = 0;
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    snw_JsonTree tree;
    *out_pairs = NULL;
    *out_count = 0;
    if (cli_load_text(path, &data, &size, &capacity, out_message) != SINEW_STATUS_OK) {
        return false;
    }
    snw_Text text = { .data = data, .size = size, .name = path, .message = out_message };
    bool good = snw_json_read(&text, &allocator, &tree) == SINEW_STATUS_OK;
    if (good) {
        const snw_Json *joints = find_joints(&text, tree.top);
        good = joints != NULL;
        if (good) {
            *out_pairs = calloc((size_t)joints->count + 1, sizeof **out_pairs);
            good = *out_pairs != NULL
                && take_pairs(&text, joints, source, target, *out_pairs, out_count);
        }
        snw_json_destroy(&tree);
    }
    if (!good) {
        free(*out_pairs);
        *out_pairs = NULL;
    }
    snw_free(&allocator, data, capacity);
    return good;
}
