#ifndef PICTURES_CAMERA_H
#define PICTURES_CAMERA_H

// A perspective camera in a world whose Y points up, and the rectangle of the page it fills.

#include "sinew/vecmath.h"

typedef struct snw_Rect {
    double x, y, width, height;
} snw_Rect;

typedef struct snw_Camera {
    sinew_Vec3 eye;
    /// Unit axes of the picture: to the right, up, and from the scene to the camera.
    sinew_Vec3 right, up, toward;
    /// Pixels per metre at one metre of distance, and the page position of the axis.
    double focal, center_x, center_y;
} snw_Camera;

/// A point on the page.
typedef struct snw_Spot {
    double x, y;
    /// Distance along the axis, metres.
    double depth;
    /// Pixels per metre there.
    double scale;
} snw_Spot;

/// A camera that looks at center from the direction toward, distance metres away.
snw_Camera snw_camera_look(sinew_Vec3 center, sinew_Vec3 toward, double distance);

/// Zoom and shift so that the points, each with radius metres around it, fill the rectangle.
void snw_camera_fit(
    snw_Camera *camera, const sinew_Vec3 *points, int count, double radius, snw_Rect rect);

snw_Spot snw_camera_project(const snw_Camera *camera, sinew_Vec3 point);

/// A direction in the axes of the camera: x right, y up, z toward the viewer.
static inline sinew_Vec3 snw_camera_turn(const snw_Camera *camera, sinew_Vec3 direction)
{
    return sinew_vec3(sinew_vec3_dot(camera->right, direction),
        sinew_vec3_dot(camera->up, direction), sinew_vec3_dot(camera->toward, direction));
}

#endif
