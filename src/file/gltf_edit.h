#ifndef SNW_GLTF_EDIT_H
#define SNW_GLTF_EDIT_H

// Changes to the text of a document: pieces taken out and put in, everything else as it was.

#include "file/gltf.h"

typedef struct snw_GltfEdit {
    size_t at, removed;           ///< bytes of the file
    size_t text_start, text_size; ///< of what takes their place, in snw_GltfEdits.text
} snw_GltfEdit;

typedef struct snw_GltfEdits {
    const sinew_Gltf *gltf;
    snw_Buffer edits; ///< of snw_GltfEdit, in the order they were made
    snw_Buffer text;
    int top_added; ///< keys added to the object of the document
} snw_GltfEdits;

snw_GltfEdits snw_gltf_edits_create(const sinew_Gltf *gltf);
void snw_gltf_edits_destroy(snw_GltfEdits *edits);

/// Replace removed bytes from at on by what snw_gltf_edit_end finds at the end of edits->text.
void snw_gltf_edit_begin(snw_GltfEdits *edits, size_t at, size_t removed);
void snw_gltf_edit_end(snw_GltfEdits *edits);
/// One whole change. text: a printf format.
void snw_gltf_edit(snw_GltfEdits *edits, size_t at, size_t removed, const char *text, ...)
    __attribute__((format(printf, 4, 5)));

/// Begin an item at the end of the array under a key of the document, which is made where it is
/// missing. added: items that these edits put there before.
void snw_gltf_edit_item(snw_GltfEdits *edits, const char *key, int added);
/// End it; more: another one of the same array follows.
void snw_gltf_edit_item_end(snw_GltfEdits *edits, const char *key, bool more);

/// Take out a key of an object with its value.
void snw_gltf_edit_remove(snw_GltfEdits *edits, const snw_Json *object, const char *key);

/// The text of the document with the changes. False without memory.
bool snw_gltf_edits_apply(snw_GltfEdits *edits, size_t start, size_t end, snw_Buffer *out);

#endif
