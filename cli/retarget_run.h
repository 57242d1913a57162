#ifndef CLI_RETARGET_RUN_H
#define CLI_RETARGET_RUN_H

// What `sinew retarget` does with one clip, and how it goes through many.

#include "input.h"
#include "json.h"

#include "sinew/retarget.h"

/// What was asked.
typedef struct cli_RetargetRequest {
    sinew_ReadOptions read;
    const char *target;                 ///< the character
    const char *rig;                    ///< of the character
    const char *traits;                 ///< of --individual, NULL without
    const sinew_Individual *individual; ///< NULL: nobody in particular
    const char *map, *map_out;
    const char *out, *picture;
    bool keep_feet, keep_hands; ///< false: not held
    double reach;               ///< 0: the default
    bool is_floating;           ///< a robot's base floats in any case; asked for, nothing is said
    bool json, again;           ///< again: also what was done before
} cli_RetargetRequest;

/// The character, opened once.
typedef struct cli_RetargetTarget {
    cli_Input input;
    sinew_RetargetBody body;
} cli_RetargetTarget;

/// Plain numbers and texts, so that a process can send them to another.
typedef struct cli_RetargetFigures {
    bool done;    ///< false: message says why
    bool skipped; ///< it was there already
    double fps, scale;
    sinew_RetargetReport report;
    int contacts;                              ///< of heels and balls, found anew in the result
    double slide_median, slide_p95, slide_max; ///< metres at a leg of 0.9 m
    double source_slide_median, source_slide_max;
    double below_max, below_p99; ///< lowest heel or ball of every frame below the floor, metres
    double source_below_max;
    double jitter_ratio;
    double time; ///< seconds of a frame, carrying over alone
    int matched; ///< joints of the target that turn as one of the source
    int warning_count;
    char warnings[6][200];
    char message[320];
} cli_RetargetFigures;

/// False after a message; then there is nothing to close.
bool cli_retarget_open(cli_RetargetTarget *target, const cli_RetargetRequest *request);
void cli_retarget_close(cli_RetargetTarget *target);

/// Carry one clip over and write it (out, picture may be NULL). False with figures->message.
bool cli_retarget_one(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const char *clip, const char *out, const char *picture, cli_RetargetFigures *figures);

/// Read a map: pairs by joint names. The caller frees *out_pairs. False after a message.
bool cli_retarget_map_read(const char *path, const sinew_Skeleton *source,
    const sinew_Skeleton *target, sinew_RetargetPair **out_pairs, int *out_count,
    sinew_Message *out_message);
/// Write which joint turns as which. False after a message.
bool cli_retarget_map_write(const char *path, const sinew_Retargeter *retargeter,
    const sinew_Skeleton *source, const sinew_Skeleton *target);

/// Many clips or folders of them, on all processors, into a folder; what is there already is left.
int cli_retarget_batch(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const char *const *clips, int clip_count);

/// One clip's figures, as the items of a JSON object.
void cli_retarget_put_json(cli_Json *out, const cli_RetargetFigures *figures);

#endif
