#include "pictures/camera.h"

snw_Camera snw_camera_look(sinew_Vec3 center, sinew_Vec3 toward, double distance)
{
    snw_Camera camera;
    camera.toward = sinew_vec3_normalize_or(toward, sinew_vec3(0.0, 0.0, 1.0));
    camera.right = sinew_vec3_cross(sinew_vec3(0.0, 1.0, 0.0), camera.toward);
    camera.right = sinew_vec3_normalize_or(camera.right, sinew_vec3(1.0, 0.0, 0.0));
    camera.up = sinew_vec3_cross(camera.toward, camera.right);
    camera.eye = sinew_vec3_add_scaled(center, camera.toward, distance);
    camera.focal = 1.0;
    camera.center_x = 0.0;
    camera.center_y = 0.0;
    return camera;
}

snw_Spot snw_camera_project(const snw_Camera *camera, sinew_Vec3 point)
{
    sinew_Vec3 p = snw_camera_turn(camera, sinew_vec3_sub(point, camera->eye));

    // what is beside or behind the camera is held in front of it, so that nothing is infinite
    double depth = fmax(-p.z, 1e-9);
    snw_Spot spot;
    spot.depth = depth;
    spot.scale = camera->focal / depth;
    spot.x = camera->center_x + p.x * spot.scale;
    spot.y = camera->center_y - p.y * spot.scale;
    return spot;
}

void snw_camera_fit(
    snw_Camera *camera, const sinew_Vec3 *points, int count, double radius, snw_Rect rect)
{
    camera->focal = 1.0;
    camera->center_x = 0.0;
    camera->center_y = 0.0;
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (int i = 0; i < count; ++i) {
        snw_Spot spot = snw_camera_project(camera, points[i]);
        double r = radius * spot.scale;
        low_x = fmin(low_x, spot.x - r);
        high_x = fmax(high_x, spot.x + r);
        low_y = fmin(low_y, spot.y - r);
        high_y = fmax(high_y, spot.y + r);
    }
    double wide = fmax(high_x - low_x, 1e-12), high = fmax(high_y - low_y, 1e-12);
    if (!isfinite(wide) || !isfinite(high)) {
        wide = high = 1.0;
        low_x = low_y = -0.5;
    }
    camera->focal = fmin(rect.width / wide, rect.height / high);
    camera->center_x = rect.x + 0.5 * rect.width - camera->focal * (low_x + 0.5 * wide);
    camera->center_y = rect.y + 0.5 * rect.height - camera->focal * (low_y + 0.5 * high);
}
