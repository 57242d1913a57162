#ifndef PICTURES_PICTURES_H
#define PICTURES_PICTURES_H

/// \file
/// Pictures of motions: contact sheets, stills, films and line plots. Used by the command line,
/// benchmarks and examples; needs cairo, and ffmpeg for films.
///
/// The ending of a path decides the format: .png, .svg and .pdf for pictures, .mp4 and .gif for
/// films. Every file goes to a temporary file beside its path that is renamed when complete, so a
/// failure leaves what was there. The same input gives the same bytes. Lengths are in metres, in
/// memory; pictures say millimetres where that reads better. Start from the default functions and
/// change fields; everything a struct points to is only read and belongs to the caller.

#include "sinew/clip.h"
#include "sinew/terrain.h"

/// How the figures of a contact sheet are arranged.
typedef enum picture_Layout {
    PICTURE_LAYOUT_AUTO,  ///< PATH when the motion travels far enough to keep figures apart
    PICTURE_LAYOUT_PATH,  ///< one scene, each figure at its true place
    PICTURE_LAYOUT_CELLS, ///< one cell for each figure
} picture_Layout;

/// What the world around the figures is.
typedef enum picture_Floor {
    /// A floor when the root moves or the body has legs, and its lowest points keep to one height.
    PICTURE_FLOOR_AUTO,
    PICTURE_FLOOR_ON,
    PICTURE_FLOOR_OFF,
} picture_Floor;

/// Whether an axis counts evenly or by powers of ten.
typedef enum picture_Scale {
    PICTURE_SCALE_AUTO, ///< logarithmic when the numbers are positive and span a factor of 100
    PICTURE_SCALE_LINEAR,
    PICTURE_SCALE_LOG, ///< at most 5 decades; what lies below runs along the axis
} picture_Scale;

/// How a motion is looked at; shared by sheets, stills and films.
typedef struct picture_View {
    /// Direction from the figure to the camera, any length. Default zero: chosen, three quarters
    /// from the front, or from the side when the figure travels.
    sinew_Vec3 toward_camera;
    /// toward_camera is as the figure looks when it begins: +X to its left, +Y up, +Z ahead; false (default): of the
    /// world.
    bool from_figure;
    /// Direction that points up. Default zero: +Y, or the axis that a humanoid stands along.
    sinew_Vec3 up;
    picture_Floor floor;
} picture_View;

/// Targets that effectors were asked to reach.
typedef struct picture_Targets {
    /// World positions, frame by frame (frame_count x count), or NULL.
    const sinew_Vec3 *positions;
    /// Targets in one frame; 0 for none.
    int count;
} picture_Targets;

/// A thing that stands beside a figure, in the world: both hide each other.
typedef struct picture_Thing {
    enum {
        PICTURE_THING_BOX,
        PICTURE_THING_BALL,
        PICTURE_THING_TUBE
    } kind; ///< tubes stand upright
    enum { PICTURE_THING_GREY, PICTURE_THING_GREEN, PICTURE_THING_YELLOW } color;
    /// Its middle, and how large it is along X, Y and Z, metres.
    sinew_Vec3 place, size;
} picture_Thing;

/// A contact sheet: moments of a motion with plots below.
typedef struct picture_Sheet {
    /// The motion. Required.
    const sinew_Clip *clip;
    /// A second motion, drawn as a pale ghost behind the first; same frame times. NULL: none.
    const sinew_Clip *ghost;
    picture_Targets targets;
    /// Things in the world, thing_count of them, or NULL.
    const picture_Thing *things;
    int thing_count;
    /// Joints whose paths are drawn, trail_count of them; NULL with trail_count 0: none, and NULL
    /// with trail_count -1 (default): chosen, the ends of up to five limbs.
    const int *trail_joints;
    int trail_count;
    /// In cells, draw these paths over the whole motion; false (default): from the figure before on.
    bool whole_trails;
    /// Target error of each frame, metres, frame_count numbers; either may be NULL.
    const double *mean_error, *max_error;
    /// Iterations of each frame, frame_count numbers, or NULL.
    const int *iterations;
    /// Figures to draw, 1..60, evenly in time. Default 0: chosen, 5 to 12.
    int figure_count;
    /// What stands below the figures, figure_count texts. NULL (default): their times.
    const char *const *captions;
    picture_Layout layout;
    picture_View view;
    /// Pixels (SVG, PDF: points), 320..8000. Height 0 (default): what the content needs.
    /// Width default 1600.
    int width, height;
    /// Texts, UTF-8; NULL: left out. The subtitle stands below the title, the note at the bottom.
    const char *title, *subtitle, *note;
} picture_Sheet;

picture_Sheet picture_sheet_default(void);

/// Draw a sheet to a .png, .svg or .pdf file. A clip without frames shows its rest pose.
/// INVALID_ARGUMENT for a rule broken, UNSUPPORTED for another ending, CANNOT_WRITE, OUT_OF_MEMORY.
sinew_Status picture_sheet_write(
    const picture_Sheet *sheet, const char *path, sinew_Message *out_message);

/// One pose, large.
typedef struct picture_Still {
    /// Required, as is q (coordinate_count numbers).
    const sinew_Skeleton *skeleton;
    const double *q;
    /// Other poses drawn as pale ghosts, ghost_count of them, or NULL.
    const double *ghost_q;
    /// Default 1.
    int ghost_count;
    /// Targets of this one pose.
    picture_Targets targets;
    picture_View view;
    /// Pixels, 64..8000. Default 1000 x 1000.
    int width, height;
    const char *title, *subtitle;
} picture_Still;

picture_Still picture_still_default(void);

/// Draw a pose to a .png, .svg or .pdf file; errors as picture_sheet_write.
sinew_Status picture_still_write(
    const picture_Still *still, const char *path, sinew_Message *out_message);

/// Limits of a body's joints in one pose: reach windows with the bone's direction, twist ranges as
/// arcs, ranges of hinges as fans, bones with stripes that show twist; and beside it one joint as a
/// flat sketch with its figures.
typedef struct picture_Limits {
    /// Required, as is q (coordinate_count numbers).
    const sinew_Skeleton *skeleton;
    const double *q;
    /// Joint of the flat sketch, -1: none. Default -2: chosen, the one with the widest window.
    int joint;
    /// In the body, draw the limits of that joint alone.
    bool only_joint;
    picture_View view;
    /// Pixels, 320..8000. Default 1400 x 900.
    int width, height;
    const char *title, *subtitle;
} picture_Limits;

picture_Limits picture_limits_default(void);

/// Draw them to a .png, .svg or .pdf file; errors as picture_sheet_write. INVALID_ARGUMENT for a
/// skeleton without any limit of a rotation.
sinew_Status picture_limits_write(
    const picture_Limits *limits, const char *path, sinew_Message *out_message);

/// A film of a motion.
typedef struct picture_Film {
    /// Required.
    const sinew_Clip *clip;
    const sinew_Clip *ghost;
    picture_Targets targets;
    /// As in picture_Sheet; paths of the last second.
    const int *trail_joints;
    int trail_count;
    picture_View view;
    /// Pixels, 64..4096, made even. Default 960 x 540.
    int width, height;
    /// Frames per second, 1..60. Default 0: the clip's, at most 60 (GIF: at most 25).
    double frames_per_second;
    const char *title;
    /// Called after each frame with the frames done and their number, or NULL.
    void (*progress)(int done, int count, void *user);
    void *progress_user;
} picture_Film;

picture_Film picture_film_default(void);

/// Make a .mp4 or .gif file with the program ffmpeg, which is looked for along PATH.
/// UNSUPPORTED when it is not installed or the ending is another; CANNOT_WRITE when it fails, with
/// what it said; other errors as picture_sheet_write.
sinew_Status picture_film_write(
    const picture_Film *film, const char *path, sinew_Message *out_message);

/// Whether films can be made: ffmpeg is found along PATH.
bool picture_film_available(void);

/// Triangles of the solid character, as many as Meredith and Maddock (2004) drew.
#define PICTURE_CHARACTER_TRIANGLES 11101

/// An image on a skin: rows from the top, 0x00RRGGBB.
typedef struct picture_Texture {
    uint32_t *pixels;
    int width, height;
} picture_Texture;

/// The pixels of a PNG or, where it was built with libjpeg, a JPEG image. False when it is neither or
/// broken, or there is no memory; free with picture_texture_free.
bool picture_texture_decode(const unsigned char *data, size_t size, picture_Texture *out_texture);
void picture_texture_free(picture_Texture *texture);

/// A body's own skin: triangles that follow a pose, flat colours and images on them.
typedef struct picture_Skin {
    int vertex_count, triangle_count; ///< both > 0
    const uint32_t *indices;          ///< 3 x triangle_count, anticlockwise from outside
    const uint32_t *colors;           ///< of triangles, 0x00RRGGBB as shown in white light
    /// Texture of each triangle, -1: none; their coordinates, 2 x vertex_count. Both NULL: none.
    const int *textures;
    const float *uvs;
    const picture_Texture *texture_list;
    /// Places of all vertices in a pose of the clip's skeleton, metres, in its world.
    void (*pose)(
        void *user, const sinew_Skeleton *skeleton, const double *q, sinew_Vec3 *out_vertices);
    void *user;
} picture_Skin;

/// A walk over ground, lit, as a contact sheet or a film.
typedef struct picture_Walk {
    /// Required.
    const sinew_Clip *clip;
    /// The ground; NULL: level, where the feet are.
    const sinew_Terrain *terrain;
    /// Draw sticks from joint to joint instead of the solid character.
    bool stick;
    /// The body's own skin, drawn instead of a solid character; NULL: none.
    const picture_Skin *skin;
    /// Green pyramids where the foot that swings will stand, red ones at the toes of the other.
    bool goals;
    /// Red triangles on the ground where heels and toes stand still.
    bool plants;
    /// Direction from the figure to the camera and up, as in picture_View.
    sinew_Vec3 toward_camera, up;
    bool from_figure;
    /// Sheets: figures, 1..24; 0 (default): chosen, 3 to 9. Arranged as told.
    int figure_count;
    /// Sheets of cells: what stands below the figures, figure_count texts. NULL (default): their times.
    const char *const *captions;
    picture_Layout layout;
    /// Films: frames per second, 1..60; 0 (default): the clip's, at most 60 (GIF: at most 25).
    double frames_per_second;
    /// Films: shadows and shade as fine as on sheets; a frame then takes a fifth longer.
    bool fine;
    /// Pixels, 64..4096; of films made even. Default 0: 1600 x 760 for sheets, 960 x 540 for films.
    int width, height;
    const char *title, *subtitle;
    /// Called after each frame of a film, or NULL.
    void (*progress)(int done, int count, void *user);
    void *progress_user;
} picture_Walk;

picture_Walk picture_walk_default(void);

/// Draw a walk to a .png, .svg or .pdf file, or film it to a .mp4 or .gif file; errors as
/// picture_sheet_write and picture_film_write. INVALID_ARGUMENT for a clip without frames.
sinew_Status picture_walk_write(
    const picture_Walk *walk, const char *path, sinew_Message *out_message);

/// A screen to draw one frame after another on, as a game does; for measuring what drawing costs. It
/// has no shadows and one sample for each pixel.
typedef struct picture_Screen picture_Screen;

typedef struct picture_ScreenDef {
    /// Required; must outlive the screen.
    const sinew_Skeleton *skeleton;
    /// NULL: level ground of 2 triangles at height 0. Uneven ground is drawn as its one patch
    /// around the figure, 64,082 triangles.
    const sinew_Terrain *terrain;
    /// The solid character of PICTURE_CHARACTER_TRIANGLES, or a stick figure.
    bool stick;
    /// Pixels, 64..4096. Default 640 x 480.
    int width, height;
} picture_ScreenDef;

picture_ScreenDef picture_screen_def_default(void);

/// All memory is taken here. INVALID_ARGUMENT, OUT_OF_MEMORY; *out_screen is NULL then.
sinew_Status picture_screen_create(
    const picture_ScreenDef *def, picture_Screen **out_screen, sinew_Message *out_message);
void picture_screen_destroy(picture_Screen *screen);

/// Draw a frame: the figure in a pose, the ground around it, the camera behind it to the side.
/// OUT_OF_MEMORY while the first frames grow what they need.
sinew_Status picture_screen_draw(picture_Screen *screen, const double *q);

/// Pixels of the last frame, rows of width, 0x00RRGGBB; they belong to the screen.
const uint32_t *picture_screen_pixels(const picture_Screen *screen);
/// Triangles of the figure and of the ground that a frame is made of.
int picture_screen_triangle_count(const picture_Screen *screen);

/// One curve of a plot.
typedef struct picture_Series {
    /// Name in the legend, or NULL.
    const char *label;
    /// count numbers each; x NULL: 0, 1, 2, ... Numbers that are not finite leave a gap.
    const double *x, *y;
    int count;
    /// Fill the area below; draw a dot at each point.
    bool filled, dots;
    /// Draw no line between points; draw it dashed.
    bool no_line, dashed;
    /// Texts beside the points, count of them; each of them, or names itself, may be NULL.
    const char *const *names;
} picture_Series;

/// A line plot.
typedef struct picture_Plot {
    const char *title;
    /// Names of the axes with their units, as in "time (s)".
    const char *x_label, *y_label;
    const picture_Series *series;
    int series_count;
    picture_Scale x_scale, y_scale;
    /// A linear y axis starts at zero. Default true.
    bool y_from_zero;
    /// A map: one of x is as long as one of y, with lines at the ticks of both; linear axes alone. Default false.
    bool is_map;
    /// Pixels, 64..8000. Default 900 x 540.
    int width, height;
} picture_Plot;

picture_Plot picture_plot_default(void);

/// Draw a plot to a .png, .svg or .pdf file; errors as picture_sheet_write.
sinew_Status picture_plot_write(
    const picture_Plot *plot, const char *path, sinew_Message *out_message);

/// Take away the file that is being written, for a signal handler: async-signal-safe. The process is
/// to end after it.
void picture_interrupt(void);

#endif
