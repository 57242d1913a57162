#include "file/gltf_edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

snw_GltfEdits snw_gltf_edits_create(const sinew_Gltf *gltf)
{
    snw_GltfEdits edits = { gltf, snw_buffer_create(NULL), snw_buffer_create(NULL), 0 };
    return edits;
}

void snw_gltf_edits_destroy(snw_GltfEdits *edits)
{
    snw_buffer_destroy(&edits->edits);
    snw_buffer_destroy(&edits->text);
}

static snw_GltfEdit *last_edit(const snw_GltfEdits *edits)
{
    if (edits->edits.size == 0) { return NULL; }
    return (snw_GltfEdit *)(void *)(edits->edits.data + edits->edits.size) - 1;
}

void snw_gltf_edit_begin(snw_GltfEdits *edits, size_t at, size_t removed)
{
    snw_GltfEdit edit = { at, removed, edits->text.size, 0 };
    snw_buffer_add(&edits->edits, &edit, sizeof edit);
}

void snw_gltf_edit_end(snw_GltfEdits *edits)
{
    snw_GltfEdit *edit = last_edit(edits);
    if (edit != NULL) { edit->text_size = edits->text.size - edit->text_start; }
}

void snw_gltf_edit(snw_GltfEdits *edits, size_t at, size_t removed, const char *text, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(line, sizeof line, text, arguments);
    va_end(arguments);
    snw_gltf_edit_begin(edits, at, removed);
    snw_buffer_add_text(&edits->text, line);
    snw_gltf_edit_end(edits);
}

void snw_gltf_edit_item(snw_GltfEdits *edits, const char *key, int added)
{
    const snw_Json *top = edits->gltf->tree.top, *array = snw_json_get(top, key);
    if (array != NULL) {
        snw_gltf_edit_begin(edits, array->end - 1, 0);
        if (array->count + added > 0) { snw_buffer_add_text(&edits->text, ","); }
        return;
    }
    snw_gltf_edit_begin(edits, top->end - 1, 0);
    if (added > 0) {
        snw_buffer_add_text(&edits->text, ",");
        return;
    }
    if (top->count + edits->top_added > 0) { snw_buffer_add_text(&edits->text, ","); }
    ++edits->top_added;
    snw_json_put_text(&edits->text, key);
    snw_buffer_add_text(&edits->text, ":[");
}

void snw_gltf_edit_item_end(snw_GltfEdits *edits, const char *key, bool more)
{
    bool made = snw_json_get(edits->gltf->tree.top, key) == NULL;
    if (made && !more) { snw_buffer_add_text(&edits->text, "]"); }
    snw_gltf_edit_end(edits);
}

void snw_gltf_edit_remove(snw_GltfEdits *edits, const snw_Json *object, const char *key)
{
    const snw_Json *found = snw_json_get(object, key), *before = NULL;
    if (found == NULL) { return; }
    for (const snw_Json *item = object->child; item != found; item = item->next) { before = item; }
    if (found->next != NULL) {
        snw_gltf_edit(edits, found->key_at, found->next->key_at - found->key_at, "%s", "");
    } else if (before != NULL) {
        snw_gltf_edit(edits, before->end, found->end - before->end, "%s", "");
    } else {
        snw_gltf_edit(edits, found->key_at, found->end - found->key_at, "%s", "");
    }
}

typedef struct Place {
    const snw_GltfEdit *edit;
    size_t order;
} Place;

static int compare_places(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->edit->at != y->edit->at) { return x->edit->at < y->edit->at ? -1 : 1; }
    return x->order < y->order ? -1 : x->order > y->order;
}

bool snw_gltf_edits_apply(snw_GltfEdits *edits, size_t start, size_t end, snw_Buffer *out)
{
    const char *data = edits->gltf->data;
    size_t count = edits->edits.size / sizeof(snw_GltfEdit), at = start;
    if (edits->edits.failed || edits->text.failed) { return false; }
    Place *places = malloc((count + 1) * sizeof *places);
    if (places == NULL) { return false; }
    for (size_t i = 0; i < count; ++i) {
        places[i].edit = (const snw_GltfEdit *)(const void *)edits->edits.data + i;
        places[i].order = i;
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; ++i) {
        const snw_GltfEdit *edit = places[i].edit;
        snw_buffer_add(out, data + at, edit->at - at);
        if (edit->text_size > 0) {
            snw_buffer_add(out, edits->text.data + edit->text_start, edit->text_size);
        }
        at = edit->at + edit->removed;
    }
    snw_buffer_add(out, data + at, end - at);
    free(places);
    return !out->failed;
}
