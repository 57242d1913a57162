#include "pictures/plot.h"
#include "pictures/stage.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIGURES 60

// figures of one scene stay this far apart, in parts of their size and of their width on the page
#define LEAST_GAP 0.40
#define LEAST_GAP_PER_WIDTH 1.00
// and are at least this large on a page 1600 wide
#define LEAST_FIGURE 100.0

// What goes where on the page. Lengths are in pixels of a page 1600 wide, times unit.
typedef struct Page {
    double unit, margin, width;
    int figure_count, columns, rows;
    int frames[MOST_FIGURES];
    bool on_path;
    double header, scene, plots, footer;
    snw_Camera camera;
    double cell_width;
    // of each figure: what is in the middle of its cell, in the camera's units
    double centers[MOST_FIGURES], middles[MOST_FIGURES];
    // of each row: its top below the first one's, its height, and where the camera's axis meets it
    double row_tops[MOST_FIGURES], row_heights[MOST_FIGURES], row_axes[MOST_FIGURES];
} Page;

picture_Sheet picture_sheet_default(void)
{
    picture_Sheet sheet = { 0 };
    sheet.trail_count = -1;
    sheet.width = 1600;
    return sheet;
}

// ---------------------------------------------------------------------------------------------
// Moments

static void choose_frames(Page *page, snw_Stage *stage, int figure_count)
{
    double frames[MOST_FIGURES];
    const int frame_count = stage->frame_count;
    page->figure_count = figure_count < frame_count ? figure_count : frame_count;
    if (page->figure_count < 1) { page->figure_count = 1; }
    snw_stage_choose_frames(stage, page->figure_count, frames);
    for (int i = 0; i < page->figure_count; ++i) { page->frames[i] = (int)frames[i]; }
}

// ---------------------------------------------------------------------------------------------
// One scene along the path

static snw_Camera scene_camera(snw_Stage *stage, const Page *page, snw_Rect rect)
{
    // far enough away that the nearest figure is not much larger than the farthest
    const size_t each = (size_t)stage->point_count;
    const int count = page->figure_count * stage->point_count;
    sinew_Vec3 *points = malloc((size_t)count * sizeof *points);
    sinew_Vec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        const sinew_Vec3 *own = snw_stage_points(stage);
        for (size_t k = 0; k < each; ++k) {
            sinew_Vec3 p = own[k];
            low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
            if (points) { points[(size_t)i * each + k] = p; }
        }
    }
    sinew_Vec3 center = sinew_vec3_lerp(low, high, 0.5);
    double radius = 0.5 * sinew_vec3_distance(low, high) + stage->body.size;
    snw_Camera camera = snw_camera_look(center, stage->toward, 3.6 * radius);
    if (points) { snw_camera_fit(&camera, points, count, snw_stage_margin(stage), rect); }
    free(points);
    return camera;
}

// A figure on the page, in pixels or, before the camera is zoomed, in its units.
typedef struct Extent {
    double left, right, top, bottom;
} Extent;

static Extent join(Extent a, Extent b)
{
    Extent r = { fmin(a.left, b.left), fmax(a.right, b.right), fmin(a.top, b.top),
        fmax(a.bottom, b.bottom) };
    return r;
}

static const Extent no_extent = { INFINITY, -INFINITY, INFINITY, -INFINITY };

// of so many of the points of what was set, moved by minus that place
static Extent measure(snw_Stage *stage, const snw_Camera *camera, sinew_Vec3 place, int count)
{
    Extent extent = no_extent;
    const sinew_Vec3 *points = snw_stage_points(stage);
    for (int i = 0; i < count; ++i) {
        snw_Spot spot = snw_camera_project(camera, sinew_vec3_sub(points[i], place));
        double margin = snw_stage_margin(stage) * spot.scale;
        Extent point = { spot.x - margin, spot.x + margin, spot.y - margin, spot.y + margin };
        extent = join(extent, point);
    }
    return extent;
}

// the figure alone, where it is
static Extent measure_figure(snw_Stage *stage, const snw_Camera *camera)
{
    return measure(stage, camera, sinew_vec3(0.0, 0.0, 0.0), stage->own_point_count);
}

// height of the scene that the figures and their ghosts fill at full width
static double scene_height(snw_Stage *stage, const Page *page, double width)
{
    snw_Rect wide = { 0.0, 0.0, width, 1e9 };
    snw_Camera camera = scene_camera(stage, page, wide);
    Extent extent = no_extent;
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        extent = join(
            extent, measure(stage, &camera, sinew_vec3(0.0, 0.0, 0.0), stage->point_count));
    }
    return extent.bottom > extent.top ? extent.bottom - extent.top : width;
}

// the smallest distance on the page between two figures; 1 is enough
static double smallest_gap(
    snw_Stage *stage, const Page *page, const snw_Camera *camera, double *out_height)
{
    snw_Spot spots[MOST_FIGURES];
    double least = INFINITY, smallest = INFINITY, width = 0.0;
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        Extent extent = measure_figure(stage, camera);
        width += (extent.right - extent.left) / page->figure_count;
        sinew_Vec3 at = stage->positions[stage->anchor];
        if (stage->has_floor) { at.y = stage->floor; }
        spots[i] = snw_camera_project(camera, at);
        smallest = fmin(smallest, spots[i].scale * stage->body.size);
        for (int k = 0; k < i; ++k) {
            double gap = hypot(spots[i].x - spots[k].x, 2.0 * (spots[i].y - spots[k].y));
            least = fmin(least, gap / (LEAST_GAP * spots[i].scale * stage->body.size));
            least = fmin(least, gap / fmax(LEAST_GAP_PER_WIDTH * width, 1e-9));
        }
    }
    *out_height = smallest;
    return least;
}

static bool try_path(const picture_Sheet *sheet, snw_Stage *stage, Page *page)
{
    bool forced = sheet->layout == PICTURE_LAYOUT_PATH;
    if (sheet->layout == PICTURE_LAYOUT_CELLS || stage->frame_count < 2) { return false; }
    if (!forced && sinew_vec3_length(stage->travel) < 0.8 * stage->body.size) { return false; }

    int most = sheet->figure_count > 0 ? sheet->figure_count : 12;
    int least = sheet->figure_count > 0 ? sheet->figure_count : forced ? 1 : 5;
    for (int count = most; count >= least; --count) {
        choose_frames(page, stage, count);
        double high = scene_height(stage, page, page->width);
        double limit = 620.0 * page->unit;
        snw_Rect rect = { 0.0, 0.0, page->width, fmin(high, limit) };
        snw_Camera camera = scene_camera(stage, page, rect);
        double figure;
        double gap = smallest_gap(stage, page, &camera, &figure);
        double want = sheet->figure_count > 0 ? 0.6 : 1.0;
        bool good = gap >= want && figure >= LEAST_FIGURE * page->unit;
        if (good || (forced && count == least)) {
            page->scene = fmax(rect.height, 200.0 * page->unit);
            return true;
        }
    }
    return false;
}

static double frame_seconds(const picture_Sheet *sheet, int frame)
{
    return frame * sinew_clip_frame_time(sheet->clip);
}

// the caption or the time of one of the figures
static void draw_caption(
    cairo_t *cr, const picture_Sheet *sheet, const Page *page, int index, double x, double y)
{
    char time[48];
    const char *text = sheet->captions && sheet->captions[index] ? sheet->captions[index] : time;
    snprintf(time, sizeof time, "%.2f s", frame_seconds(sheet, page->frames[index]));
    double size = 13.0 * page->unit;

    // a pale edge keeps it readable over the floor
    double width = snw_text_width(cr, size, false, text);
    cairo_new_path(cr);
    cairo_move_to(cr, x - 0.5 * width, y);
    cairo_text_path(cr, text);
    snw_color_set(cr, SNW_PAPER, 0.85);
    cairo_set_line_width(cr, 3.5 * page->unit);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cr);
    snw_color_set(cr, SNW_QUIET, 1.0);
    snw_text_draw(cr, x, y, size, false, SNW_ALIGN_CENTER, 0.0, text);
}

// far figures first
static void order_by_depth(snw_Stage *stage, const Page *page, const snw_Camera *camera, int *order)
{
    double depths[MOST_FIGURES];
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        depths[i] = snw_camera_project(camera, stage->positions[stage->anchor]).depth;
        int k = i;
        while (k > 0 && depths[order[k - 1]] < depths[i]) {
            order[k] = order[k - 1];
            --k;
        }
        order[k] = i;
    }
}

static sinew_Status draw_path_scene(
    cairo_t *cr, const picture_Sheet *sheet, snw_Stage *stage, const Page *page, double top)
{
    snw_Rect rect = { page->margin, top, page->width, page->scene };
    snw_Camera camera = scene_camera(stage, page, rect);

    if (!stage->has_floor) {
        snw_floor_draw_backdrop(
            cr, rect.x + 0.5 * rect.width, rect.y + 0.5 * rect.height, 0.7 * rect.height);
    } else {
        sinew_Vec3 low = { INFINITY, 0.0, INFINITY }, high = { -INFINITY, 0.0, -INFINITY };
        for (int s = 0; s < stage->sample_count; ++s) {
            sinew_Vec3 p =
                stage->samples[(size_t)s * (size_t)stage->body.joint_count + (size_t)stage->anchor];
            low = sinew_vec3(fmin(low.x, p.x), 0.0, fmin(low.z, p.z));
            high = sinew_vec3(fmax(high.x, p.x), 0.0, fmax(high.z, p.z));
        }
        sinew_Vec3 center = sinew_vec3_lerp(low, high, 0.5);
        center.y = stage->floor;
        double around = 1.15 * stage->body.size;
        snw_floor_draw(cr, &camera, center, 0.75 * (high.x - low.x) + around,
            0.75 * (high.z - low.z) + around, snw_floor_step(stage->body.size));
    }

    int order[MOST_FIGURES];
    order_by_depth(stage, page, &camera, order);
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[order[i]]);
        snw_stage_draw_shadow(cr, &camera, stage);
    }
    snw_stage_draw_trails(cr, &camera, stage, 0.0, stage->frame_count, 2.0 * page->unit, 0.30);
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < page->figure_count && status == SINEW_STATUS_OK; ++i) {
        // earlier figures are a little paler
        double age = page->figure_count > 1 ? 1.0 - order[i] / (page->figure_count - 1.0) : 0.0;
        snw_stage_set(stage, page->frames[order[i]]);
        status = snw_stage_draw_figure(cr, &camera, stage, 0.30 * age);
    }
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        sinew_Vec3 at = stage->positions[stage->anchor];
        if (stage->has_floor) { at.y = stage->floor; }
        double x = snw_camera_project(&camera, at).x;
        double y = measure_figure(stage, &camera).bottom;
        draw_caption(cr, sheet, page, i, x, y + 24.0 * page->unit);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Cells

// labels of a row, and what a figure may take of its cell, pixels of a page 1600 wide
#define ROW_LABEL 76.0
#define TALLEST_FIGURE 420.0
#define FIGURE_PER_CELL 0.90
// floors and paths fade over this before a cell ends
#define FADE 30.0

// Figures are followed: a cell's camera stands where the figure does, over the floor where there is
// one. What is fixed to the world stays where it is.
static sinew_Vec3 cell_place(const snw_Stage *stage)
{
    sinew_Vec3 at = { 0.0, 0.0, 0.0 };
    if (!stage->is_fixed) { at = stage->positions[stage->anchor]; }
    if (stage->has_floor) { at.y = 0.0; }
    return at;
}

// a camera from which every figure, each at its place, is whole
static snw_Camera cell_camera(snw_Stage *stage, const Page *page)
{
    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    double radius = 0.5 * stage->body.size;
    const double part = 1.0 / ((double)stage->point_count * page->figure_count);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < page->figure_count; ++i) {
            snw_stage_set(stage, page->frames[i]);
            const sinew_Vec3 place = cell_place(stage), *points = snw_stage_points(stage);
            for (int k = 0; k < stage->point_count; ++k) {
                sinew_Vec3 p = sinew_vec3_sub(points[k], place);
                if (pass == 0) {
                    middle = sinew_vec3_add_scaled(middle, p, part);
                } else {
                    radius = fmax(radius, sinew_vec3_distance(p, middle));
                }
            }
        }
    }
    return snw_camera_look(middle, stage->toward, 4.5 * radius);
}

// what a row needs between its top and its bottom
static Extent row_extent(const Page *page, const Extent *extents, int columns, int row)
{
    Extent extent = extents[row * columns];
    for (int i = row * columns; i < page->figure_count && i < (row + 1) * columns; ++i) {
        extent = join(extent, extents[i]);
    }
    return extent;
}

// the largest zoom at which the figures fit into that many columns and the height
static double zoom_of(const Page *page, const Extent *extents, int columns, double height)
{
    double wide = 1e-12, tall = 1e-12, sum = 0.0;
    int rows = (page->figure_count + columns - 1) / columns;
    for (int i = 0; i < page->figure_count; ++i) {
        wide = fmax(wide, extents[i].right - extents[i].left);
        tall = fmax(tall, extents[i].bottom - extents[i].top);
    }
    for (int row = 0; row < rows; ++row) {
        Extent extent = row_extent(page, extents, columns, row);
        sum += extent.bottom - extent.top;
    }
    double zoom = FIGURE_PER_CELL * page->width / columns / wide;
    zoom = fmin(zoom, TALLEST_FIGURE * page->unit / tall);
    double room = fmax(height - rows * ROW_LABEL * page->unit, 24.0 * page->unit * rows);
    return fmin(zoom, room / fmax(sum, 1e-12));
}

static void choose_columns(Page *page, const Extent *extents, double height)
{
    double best = 0.0;
    // where it makes no difference there are few rows
    for (int columns = page->figure_count; columns >= 1; --columns) {
        int rows = (page->figure_count + columns - 1) / columns;
        int last = page->figure_count - (rows - 1) * columns;
        // rows that are not full look torn
        double score = zoom_of(page, extents, columns, height) * (0.4 + 0.6 * last / columns);
        if (score > best * 1.03) {
            best = score;
            page->columns = columns;
        }
    }
}

static void lay_out_cells(
    const picture_Sheet *sheet, snw_Stage *stage, Page *page, double limit_height)
{
    int count = sheet->figure_count;
    if (count <= 0) { count = frame_seconds(sheet, stage->frame_count) > 20.0 ? 12 : 10; }
    choose_frames(page, stage, count);

    Extent extents[MOST_FIGURES], all = no_extent;
    page->camera = cell_camera(stage, page);
    for (int i = 0; i < page->figure_count; ++i) {
        snw_stage_set(stage, page->frames[i]);
        extents[i] = measure(stage, &page->camera, cell_place(stage), stage->point_count);
        all = join(all, extents[i]);
    }
    for (int i = 0; i < page->figure_count; ++i) {
        if (stage->is_fixed) { extents[i] = all; }
        // what flies is in the middle of its cell
        double middle = 0.5 * (extents[i].top + extents[i].bottom);
        page->centers[i] = 0.5 * (extents[i].left + extents[i].right);
        if (!stage->has_floor && !stage->is_fixed) {
            page->middles[i] = middle;
            extents[i].top -= middle;
            extents[i].bottom -= middle;
        }
    }
    page->columns = page->figure_count;
    choose_columns(page, extents, limit_height);
    page->rows = (page->figure_count + page->columns - 1) / page->columns;
    page->cell_width = page->width / page->columns;
    page->camera.focal = zoom_of(page, extents, page->columns, limit_height);

    double top = 0.0;
    for (int row = 0; row < page->rows; ++row) {
        Extent extent = row_extent(page, extents, page->columns, row);
        page->row_tops[row] = top;
        page->row_axes[row] = top - page->camera.focal * extent.top;
        page->row_heights[row] = page->camera.focal * (extent.bottom - extent.top)
            + ROW_LABEL * page->unit;
        top += page->row_heights[row];
    }
    page->scene = top;
}

// What has been drawn goes over into the paper at the edges of its cell: floors and paths go on beyond it.
static void fade_edges(cairo_t *cr, snw_Rect cell, double width)
{
    const snw_Color c = SNW_PAPER;
    const double sides[2] = { cell.width, cell.height };
    for (int i = 0; i < 2; ++i) {
        cairo_pattern_t *paper = cairo_pattern_create_linear(cell.x, cell.y,
            i == 0 ? cell.x + cell.width : cell.x, i == 1 ? cell.y + cell.height : cell.y);
        const double part = fmin(width / fmax(sides[i], 1e-9), 0.5);
        cairo_pattern_add_color_stop_rgba(paper, 0.0, c.r, c.g, c.b, 1.0);
        cairo_pattern_add_color_stop_rgba(paper, part, c.r, c.g, c.b, 0.0);
        cairo_pattern_add_color_stop_rgba(paper, 1.0 - part, c.r, c.g, c.b, 0.0);
        cairo_pattern_add_color_stop_rgba(paper, 1.0, c.r, c.g, c.b, 1.0);
        cairo_set_source(cr, paper);
        cairo_paint(cr);
        cairo_pattern_destroy(paper);
    }
}

static sinew_Status draw_cell(cairo_t *cr, const picture_Sheet *sheet, snw_Stage *stage,
    const Page *page, int index, double page_top)
{
    int row = index / page->columns, column = index % page->columns;
    // a short last row stands in the middle
    int in_row = row < page->rows - 1 ? page->columns : page->figure_count - row * page->columns;
    double x = page->margin + 0.5 * (page->columns - in_row) * page->cell_width
        + (column + 0.5) * page->cell_width;
    double top = page_top + page->row_tops[row], high = page->row_heights[row];

    snw_stage_set(stage, page->frames[index]);
    sinew_Vec3 place = cell_place(stage);
    snw_Camera camera = page->camera;
    camera.eye = sinew_vec3_add(camera.eye, place);
    camera.center_x = x - camera.focal * page->centers[index];
    camera.center_y = page_top + page->row_axes[row] - camera.focal * page->middles[index];
    cairo_save(cr);
    const snw_Rect cell = { x - 0.5 * page->cell_width, top - 26.0 * page->unit, page->cell_width,
        high + 14.0 * page->unit };
    cairo_rectangle(cr, cell.x, cell.y, cell.width, cell.height);
    cairo_clip(cr);
    if (stage->has_floor) {
        sinew_Vec3 center = place;
        center.y = stage->floor;
        // it fades before the cell ends
        double half = 0.5 * page->cell_width / snw_camera_project(&camera, center).scale;
        half = fmin(0.80 * stage->body.size, half);
        snw_floor_draw(cr, &camera, center, half, half, snw_floor_step(stage->body.size));
        snw_stage_draw_shadow(cr, &camera, stage);
    } else {
        double room = high - ROW_LABEL * page->unit;
        snw_floor_draw_backdrop(
            cr, x, top + 0.5 * room, fmin(0.62 * room + 20.0 * page->unit, 0.5 * page->cell_width));
    }
    // the way from the moment before, a second of it at most
    double start = index > 0 ? page->frames[index - 1] : 0.0;
    double second = 1.0 / sinew_clip_frame_time(sheet->clip);
    start = fmax(start, page->frames[index] - fmax(second, 2.0));
    double last = page->frames[index], faintest = 0.05;
    if (sheet->whole_trails) {
        start = 0.0;
        last = stage->frame_count;
        faintest = 1.0;
    }
    snw_stage_draw_trails(cr, &camera, stage, start, last, 2.4 * page->unit, faintest);
    fade_edges(cr, cell, FADE * page->unit);
    sinew_Status status = snw_stage_draw_figure(cr, &camera, stage, 0.0);
    cairo_restore(cr);
    draw_caption(cr, sheet, page, index, x, top + high - 30.0 * page->unit);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Header, plots, footer

static double draw_key(cairo_t *cr, const Page *page, double x, double y, const char *text)
{
    double size = 13.0 * page->unit;
    snw_color_set(cr, SNW_QUIET, 1.0);
    return x - snw_text_draw(cr, x, y, size, false, SNW_ALIGN_RIGHT, 0.0, text) - 8.0 * page->unit;
}

// what the colours mean, from the right; returns where it starts
static double draw_keys(cairo_t *cr, const snw_Stage *stage, const Page *page, double y)
{
    double x = page->margin + page->width, unit = page->unit, r = 5.5 * unit;
    bool sides = false;
    for (int j = 0; j < stage->body.joint_count; ++j) {
        sides = sides || stage->body.sides[j] == SNW_SIDE_LEFT;
    }
    if (stage->trail_count > 0 && stage->sample_count > 1) {
        x = draw_key(cr, page, x, y, "path of effectors");
        snw_color_set(cr, SNW_QUIET, 0.8);
        cairo_new_path(cr);
        cairo_move_to(cr, x - 20.0 * unit, y - 2.0 * unit);
        cairo_curve_to(cr, x - 13.0 * unit, y - 13.0 * unit, x - 8.0 * unit, y + 3.0 * unit, x,
            y - 7.0 * unit);
        cairo_set_line_width(cr, 1.8 * unit);
        cairo_stroke(cr);
        x -= 44.0 * unit;
    }
    if (stage->targets.count > 0) {
        x = draw_key(cr, page, x, y, "target");
        snw_Camera flat = snw_camera_look(
            sinew_vec3(0.0, 0.0, 0.0), sinew_vec3(0.0, 0.0, 1.0), 1.0);
        flat.focal = 1.0;
        flat.center_x = x - r;
        flat.center_y = y - 0.8 * r;
        sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
        snw_targets_draw(cr, &flat, &middle, 1, 0.9 * r);
        x -= 2.0 * r + 24.0 * unit;
    }
    const char *names[3] = { "right", "left", "source" };
    for (int i = 0; i < 3; ++i) {
        if (i < 2 ? !sides : !stage->has_ghost) { continue; }
        x = draw_key(cr, page, x, y, names[i]);
        const snw_Color ghost = { 0.80, 0.81, 0.83 };
        snw_color_set(cr,
            i == 2 ? ghost : snw_material_color(i == 0 ? SNW_MATERIAL_RIGHT : SNW_MATERIAL_LEFT),
            1.0);
        cairo_new_path(cr);
        cairo_arc(cr, x - r, y - 0.8 * r, r, 0.0, 2.0 * SINEW_PI);
        cairo_fill(cr);
        x -= 2.0 * r + 24.0 * unit;
    }
    return x;
}

static void draw_header(
    cairo_t *cr, const picture_Sheet *sheet, const snw_Stage *stage, const Page *page)
{
    double unit = page->unit, y = 54.0 * unit;
    double room = draw_keys(cr, stage, page, y) - page->margin - 20.0 * unit;
    // without a title the subtitle shares its line with the keys
    snw_titles_draw(cr, page->margin, y, 27.0 * unit, sheet->title, fmax(room, 60.0 * unit),
        sheet->subtitle, fmax(sheet->title ? page->width : room, 60.0 * unit));
}

// one series in millimetres; NULL when there is no memory
static double *to_millimetres(const double *metres, int count)
{
    double *out = malloc((size_t)count * sizeof *out);
    for (int i = 0; out && i < count; ++i) { out[i] = 1000.0 * metres[i]; }
    return out;
}

static sinew_Status draw_plots(
    cairo_t *cr, const picture_Sheet *sheet, const snw_Stage *stage, const Page *page, double top)
{
    const int count = stage->frame_count;
    const size_t size = (size_t)count;
    double *time = malloc(size * sizeof *time), *iterations = NULL, *mean = NULL, *worst = NULL;
    bool ready = time != NULL;
    for (int i = 0; ready && i < count; ++i) { time[i] = frame_seconds(sheet, i); }
    if (sheet->mean_error) {
        mean = to_millimetres(sheet->mean_error, count);
        ready = ready && mean;
    }
    if (sheet->max_error) {
        worst = to_millimetres(sheet->max_error, count);
        ready = ready && worst;
    }
    if (sheet->iterations) {
        iterations = malloc(size * sizeof *iterations);
        ready = ready && iterations;
        for (int i = 0; iterations && i < count; ++i) { iterations[i] = sheet->iterations[i]; }
    }

    double marks[MOST_FIGURES];
    for (int i = 0; i < page->figure_count; ++i) {
        marks[i] = frame_seconds(sheet, page->frames[i]);
    }
    snw_Marks moments = { marks, page->figure_count };
    bool errors = mean || worst;
    double gap = 70.0 * page->unit;
    double first = errors && iterations ? 0.60 * (page->width - gap) : page->width;
    if (ready && errors) {
        picture_Plot plot = picture_plot_default();
        picture_Series series[2] = {
            { .label = "mean", .x = time, .y = mean, .count = count, .filled = true },
            { .label = "largest", .x = time, .y = worst, .count = count },
        };
        plot.title = "Target error, mm";
        plot.x_label = "time, s";
        plot.series = mean ? series : series + 1;
        plot.series_count = (mean != NULL) + (worst != NULL);
        snw_Rect rect = { page->margin, top, first, page->plots - 24.0 * page->unit };
        snw_plot_draw(cr, &plot, rect, 12.5 * page->unit, moments);
    }
    if (ready && iterations) {
        picture_Plot plot = picture_plot_default();
        picture_Series series = { .x = time, .y = iterations, .count = count, .filled = true };
        plot.title = "Iterations per frame";
        plot.x_label = "time, s";
        plot.series = &series;
        plot.series_count = 1;
        plot.y_scale = PICTURE_SCALE_LINEAR;
        double x = errors ? page->margin + first + gap : page->margin;
        snw_Rect rect = { x, top, page->margin + page->width - x, page->plots - 24.0 * page->unit };
        snw_plot_draw(cr, &plot, rect, 12.5 * page->unit, moments);
    }
    free(time);
    free(mean);
    free(worst);
    free(iterations);
    return ready ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

static void draw_footer(
    cairo_t *cr, const picture_Sheet *sheet, const snw_Stage *stage, const Page *page, double y)
{
    double size = 12.0 * page->unit, used = 0.0;
    snw_color_set(cr, SNW_QUIET, 1.0);
    if (stage->has_floor) {
        char text[64];
        snprintf(text, sizeof text, "grid %.3g m", snw_floor_step(stage->body.size));
        used = snw_text_draw(
            cr, page->margin + page->width, y, size, false, SNW_ALIGN_RIGHT, 0.0, text);
    }
    if (sheet->note) {
        snw_text_draw(cr, page->margin, y, size, false, SNW_ALIGN_LEFT,
            page->width - used - 30.0 * page->unit, sheet->note);
    }
}

// ---------------------------------------------------------------------------------------------
// Sheet

static int lay_out(const picture_Sheet *sheet, snw_Stage *stage, Page *page)
{
    memset(page, 0, sizeof *page);
    page->unit = sheet->width / 1600.0;
    page->margin = 48.0 * page->unit;
    page->width = sheet->width - 2.0 * page->margin;
    page->header = (sheet->title && sheet->subtitle ? 112.0 : 84.0) * page->unit;
    bool plots = stage->frame_count > 0
        && (sheet->mean_error || sheet->max_error || sheet->iterations);
    page->plots = plots ? 236.0 * page->unit : 0.0;
    page->footer = (sheet->note || stage->has_floor ? 40.0 : 16.0) * page->unit;

    double fixed = page->header + page->plots + page->footer;
    double left = sheet->height > 0 ? fmax(sheet->height - fixed, 80.0 * page->unit) : INFINITY;
    double labels = 58.0 * page->unit;
    page->on_path = try_path(sheet, stage, page);
    if (page->on_path) {
        if (sheet->height > 0) { page->scene = fmax(left - labels, 40.0 * page->unit); }
        return (int)ceil(fixed + page->scene + labels);
    }
    lay_out_cells(sheet, stage, page, sheet->height > 0 ? left : 0.62 * sheet->width);
    return (int)ceil(fixed + page->scene);
}

static sinew_Status draw_sheet(
    cairo_t *cr, const picture_Sheet *sheet, snw_Stage *stage, const Page *page, int height)
{
    sinew_Status status = SINEW_STATUS_OK;
    if (page->on_path) {
        status = draw_path_scene(cr, sheet, stage, page, page->header);
    } else {
        for (int i = 0; i < page->figure_count && status == SINEW_STATUS_OK; ++i) {
            status = draw_cell(cr, sheet, stage, page, i, page->header);
        }
    }
    draw_header(cr, sheet, stage, page);
    if (page->plots > 0.0 && status == SINEW_STATUS_OK) {
        status = draw_plots(cr, sheet, stage, page, height - page->footer - page->plots);
    }
    draw_footer(cr, sheet, stage, page, height - 20.0 * page->unit);
    return status;
}

sinew_Status picture_sheet_write(
    const picture_Sheet *sheet, const char *path, sinew_Message *out_message)
{
    if (!sheet || !sheet->clip || !path) {
        return snw_fail(
            out_message, SINEW_STATUS_INVALID_ARGUMENT, "a sheet needs a clip and a path");
    }
    if (sheet->figure_count < 0 || sheet->figure_count > MOST_FIGURES) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "figure_count is %d, want 1 to %d, or 0", sheet->figure_count, MOST_FIGURES);
    }
    sinew_Status status = snw_size_check(
        sheet->width, sheet->height == 0 ? 320 : sheet->height, 320, 8000, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    snw_StageDef def = { 0 };
    def.skeleton = sinew_clip_skeleton(sheet->clip);
    def.clip = sheet->clip;
    def.ghost = sheet->ghost;
    def.ghost_skeleton = sheet->ghost ? sinew_clip_skeleton(sheet->ghost) : NULL;
    def.targets = sheet->targets;
    def.things = sheet->things;
    def.thing_count = sheet->thing_count;
    def.trail_joints = sheet->trail_joints;
    def.trail_count = sheet->trail_count;
    def.view = sheet->view;
    def.from_side = sheet->layout != PICTURE_LAYOUT_CELLS;
    snw_Stage stage;
    status = snw_stage_create(&def, &stage, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    Page page;
    int height = lay_out(sheet, &stage, &page);
    if (sheet->height > 0) { height = sheet->height; }
    snw_Canvas *canvas;
    status = snw_canvas_open(path, sheet->width, height, &canvas, out_message);
    if (status == SINEW_STATUS_OK) {
        status = draw_sheet(snw_canvas_cairo(canvas), sheet, &stage, &page, height);
        status = snw_canvas_finish(canvas, status, out_message);
    }
    snw_stage_destroy(&stage);
    return status;
}
