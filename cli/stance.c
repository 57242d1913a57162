#include "stance.h"

#include "arguments.h"
#include "limits.h"

#include <math.h>
#include <stdio.h>

#define DEGREE (SINEW_PI / 180.0)

static void print_source(const sinew_Stance *stance)
{
    switch (stance->source) {
    case SINEW_STANCE_NONE: cli_print("none"); return;
    case SINEW_STANCE_REST: cli_print("as the rest pose"); break;
    case SINEW_STANCE_EXACT_FRAME:
    case SINEW_STANCE_FRAME:
        cli_print("as frame %d%s", stance->reference_frame,
            stance->source == SINEW_STANCE_FRAME ? ", straightened" : "");
        break;
    }
    cli_print(" (%.0f %% sure)", 100.0 * stance->confidence);
}

void cli_print_stance(const sinew_Stance *stance)
{
    cli_print("  stance              ");
    print_source(stance);
    putchar('\n');
    if (stance->source != SINEW_STANCE_NONE) {
        cli_print("  up, left, ahead     %s, ", cli_direction_name(stance->up));
        cli_print("%s, ", cli_direction_name(stance->left));
        cli_print("%s\n  witnesses           ", cli_direction_name(stance->ahead));
        for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
            const sinew_StanceSign *sign = &stance->witnesses[w];
            cli_print(
                "%s%s ", w > 0 ? ", " : "", sinew_stance_witness_name((sinew_StanceWitness)w));
            if (sign->count > 0) {
                cli_print("%+.2f (%d)", sign->agreement, sign->count);
            } else {
                cli_print("silent");
            }
        }
        putchar('\n');
    }
    for (int i = 0; i < stance->note_count; ++i) {
        cli_print("  %-18s  %s\n", i == 0 ? "of the stance" : "", stance->notes[i].text.text);
    }
}

static void json_feet(cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Stance *stance)
{
    static const char *const names[2] = { "left", "right" };
    cli_json_object(out, "feet");
    for (int i = 0; i < 2; ++i) {
        const sinew_StanceFoot *foot = &stance->feet[i];
        if (foot->joint < 0 || stance->source == SINEW_STANCE_NONE) { continue; }
        sinew_Transform ankle = stance->world_from_joint[foot->joint];
        cli_json_object(out, names[i]);
        cli_json_text(out, "joint", sinew_skeleton_joints(skeleton)[foot->joint].name);
        cli_json_vec3(out, "heel_m", sinew_transform_point(ankle, foot->heel));
        cli_json_vec3(out, "ball_m", sinew_transform_point(ankle, foot->ball));
        cli_json_number(out, "toe_out_deg", foot->toe_out / DEGREE);
        cli_json_object_end(out);
    }
    cli_json_object_end(out);
}

static void json_notes(cli_Json *out, const sinew_Stance *stance)
{
    static const char *const sides[] = { "none", "left", "right" };
    cli_json_array(out, "notes");
    for (int i = 0; i < stance->note_count; ++i) {
        const sinew_StanceNote *note = &stance->notes[i];
        cli_json_object(out, NULL);
        cli_json_text(out, "code", sinew_stance_code_name(note->code));
        cli_json_text(out, "side", sides[note->side]);
        if (isfinite(note->value)) { cli_json_number(out, "value", note->value); }
        cli_json_text(out, "text", note->text.text);
        cli_json_object_end(out);
    }
    cli_json_array_end(out);
}

void cli_json_stance(cli_Json *out, const sinew_Skeleton *skeleton, const sinew_Stance *stance)
{
    cli_json_object(out, "stance");
    cli_json_text(out, "source", sinew_stance_source_name(stance->source));
    cli_json_whole(out, "frame", stance->reference_frame);
    if (isfinite(stance->rest_cost)) { cli_json_number(out, "rest_cost", stance->rest_cost); }
    if (isfinite(stance->frame_cost)) { cli_json_number(out, "frame_cost", stance->frame_cost); }
    cli_json_bool(out, "can_stand", stance->can_stand);
    cli_json_number(out, "confidence", stance->confidence);
    cli_json_vec3(out, "up", stance->up);
    cli_json_vec3(out, "left", stance->left);
    cli_json_vec3(out, "ahead", stance->ahead);
    cli_json_object(out, "witnesses");
    for (int w = 0; w < SINEW_STANCE_WITNESS_COUNT; ++w) {
        cli_json_object(out, sinew_stance_witness_name((sinew_StanceWitness)w));
        cli_json_whole(out, "count", stance->witnesses[w].count);
        cli_json_number(out, "agreement", stance->witnesses[w].agreement);
        cli_json_object_end(out);
    }
    cli_json_object_end(out);
    json_feet(out, skeleton, stance);
    json_notes(out, stance);
    cli_json_object_end(out);
}
