#ifndef PICTURES_STAGE_H
#define PICTURES_STAGE_H

// A motion prepared for drawing: its body, where it goes, the floor it stands on, from where it is
// looked at. Shared by sheets, stills and films. Everything here has Y up.

#include "pictures/figure.h"
#include "pictures/floor.h"
#include "pictures/marks.h"

typedef struct snw_Stage {
    snw_Body body, ghost_body;
    /// What is drawn of them; a ghost of the same skeleton has the figure's.
    snw_Character character, ghost_character;
    bool shares_character;
    /// What stands beside it.
    snw_Things things;
    /// Every so many of a character's corners, and those of the things, show how much of a page is taken:
    /// of the figure with its things first, then of each ghost.
    int point_step, character_point_count, own_point_count;
    int ghost_point_step, ghost_point_count, point_count;
    sinew_Vec3 *points; ///< what snw_stage_points put there
    /// Either a clip or one pose.
    const sinew_Clip *clip, *ghost;
    const double *q, *ghost_q;
    int ghost_count; // poses of ghost_q
    picture_Targets targets;
    int frame_count;
    /// Joint positions of frames spread over the motion  (sample_count x joint_count).
    int sample_count;
    int *sample_frames;
    sinew_Vec3 *samples;
    /// The joint that stands for the place of the figure.
    int anchor;
    /// Joints with a path.
    int trails[8];
    int trail_count;
    bool has_floor;
    double floor;
    /// The root stays at its place.
    bool is_fixed;
    /// Horizontal way from the first place to the last, metres.
    sinew_Vec3 travel;
    /// Direction from the figure to the camera, unit.
    sinew_Vec3 toward;
    /// What snw_stage_set put there.
    sinew_Vec3 *positions, *target_positions;
    const double *shown_q, *shown_ghost_q;
    bool has_ghost;
    int target_count;
    sinew_Transform *scratch;
    double *scratch_q, *ghost_scratch_q;
} snw_Stage;

/// Fields of the public structs that make a stage; unused ones are zero.
typedef struct snw_StageDef {
    const sinew_Skeleton *skeleton, *ghost_skeleton;
    const sinew_Clip *clip, *ghost;
    const double *q, *ghost_q;
    int ghost_count; // poses of ghost_q; 0: one
    picture_Targets targets;
    const picture_Thing *things;
    int thing_count;
    const int *trail_joints;
    int trail_count;
    picture_View view;
    snw_Form form;
    /// The body's own skin, drawn instead; NULL: none.
    const picture_Skin *skin;
    /// Look from the side when the figure travels.
    bool from_side;
} snw_StageDef;

sinew_Status snw_stage_create(
    const snw_StageDef *def, snw_Stage *out_stage, sinew_Message *out_message);
void snw_stage_destroy(snw_Stage *stage);

/// Where among the samples a moment (in frames) is.
typedef struct snw_Between {
    int before, after;
    double part; ///< from the one to the other, 0..1
} snw_Between;

snw_Between snw_stage_between(const snw_Stage *stage, double frame);

/// Put the pose of a moment (in frames) into positions, target_positions and what is shown.
void snw_stage_set(snw_Stage *stage, double frame);

/// Whole frames for figures of a sheet, evenly spaced over the motion; where these would show the same pose again and
/// again, as at a multiple of a stride, they end up to one spacing earlier. count is at most the frames.
void snw_stage_choose_frames(snw_Stage *stage, int count, double *out_frames);

/// Points all over what was set: the figure and all things, own_point_count of them, then ghosts, point_count
/// in all.
const sinew_Vec3 *snw_stage_points(snw_Stage *stage);

/// The figure in the pose that was set.
const snw_Character *snw_stage_character(snw_Stage *stage);

/// Draw what was set: ghosts, figure with things, targets.
sinew_Status snw_stage_draw_figure(
    cairo_t *cr, const snw_Camera *camera, snw_Stage *stage, double fade);
void snw_stage_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage);

/// Paths of the trail joints over the samples from frame start to frame end.
void snw_stage_draw_trails(cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage,
    double start, double end, double width, double faintest);

/// A camera that sees the pose that was set whole inside the rectangle, with that many metres
/// around it at least.
snw_Camera snw_stage_camera(snw_Stage *stage, snw_Rect rect, double around);

/// The floor with the figure's shadow, or the backdrop, for such a camera.
void snw_stage_draw_ground(
    cairo_t *cr, const snw_Camera *camera, const snw_Stage *stage, snw_Rect rect);

/// What must stay inside a picture of a figure, around its points, metres.
double snw_stage_margin(const snw_Stage *stage);

#endif
