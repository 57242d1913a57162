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

static bool complain(sinew_Message *message, const char *path, const char *name,
    const sinew_Skeleton *skeleton, const char *which)
{
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        cli_suggest_offer(&suggestion, sinew_skeleton_joints(skeleton)[j].name);
    }
    if (suggestion.best != NULL) {
        snprintf(message->text, sizeof message->text,
            "%.100s: the %s has no joint '%.60s'; did you mean '%.60s'?", path, which, name,
            suggestion.best);
    } else {
        snprintf(message->text, sizeof message->text, "%.100s: the %s has no joint '%.80s'", path,
            which, name);
    }
    return false;
}

// a joint of the source by name; -1 after a message
static int source_joint(
    const snw_Json *name, const char *path, const sinew_Skeleton *source, sinew_Message *message)
{
    int joint = sinew_skeleton_find_joint(source, name->text);
    if (joint < 0) { (void)complain(message, path, name->text, source, "source"); }
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

static bool take_pairs(const snw_Json *joints, const char *path, const sinew_Skeleton *source,
    const sinew_Skeleton *target, sinew_RetargetPair *pairs, int *out_count, sinew_Message *message)
{
    int count = 0;
    for (const snw_Json *item = joints->child; item != NULL; item = item->next) {
        sinew_RetargetPair pair = { .source = -1,
            .target = sinew_skeleton_find_joint(target, item->key) };
        if (pair.target < 0) { return complain(message, path, item->key, target, "target"); }
        if (item->kind == SNW_JSON_TEXT) {
            pair.source = source_joint(item, path, source, message);
            if (pair.source < 0) { return false; }
        } else if (is_between(item)) {
            pair.source = source_joint(item->child, path, source, message);
            if (pair.source < 0) { return false; }
            pair.toward = source_joint(item->child->next, path, source, message);
            if (pair.toward < 0) { return false; }
            pair.share = item->child->next->next->number;
        } else if (item->kind != SNW_JSON_NULL) {
            snprintf(message->text, sizeof message->text,
                "%.100s: joint '%.60s': found another value, expected a name of the source's "
                "joint, "
                "[\"A\", \"B\", 0..1] between two, or null",
                path, item->key);
            return false;
        }
        pairs[count++] = pair;
    }
    *out_count = count;
    return true;
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
        const snw_Json *joints = snw_json_get(tree.top, "joints");
        good = joints != NULL && joints->kind == SNW_JSON_OBJECT;
        if (!good) {
            snprintf(out_message->text, sizeof out_message->text,
                "%.200s: expected an object with \"joints\", an object of names", path);
        } else {
            *out_pairs = calloc((size_t)joints->count + 1, sizeof **out_pairs);
            good = *out_pairs != NULL
                && take_pairs(joints, path, source, target, *out_pairs, out_count, out_message);
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
