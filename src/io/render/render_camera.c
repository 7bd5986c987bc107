/* Where the picture is taken from. */
#include "io/render/render.h"

/* A long lens: little distortion, but nearer parts still look nearer. */
#define LENS_DEG 24.0
#define NEAREST 2.2 /* scene units from the middle: outside the figure however it is turned */

void lbio_view_angles(lb_view view, int is_perspective, double *azimuth_deg, double *elevation_deg) {
    double level = is_perspective ? 6 : 0; /* a little above the horizon shows the ground */
    switch (view) {
    case LB_VIEW_FRONT:
        *azimuth_deg = 0, *elevation_deg = level;
        break;
    case LB_VIEW_SIDE:
        *azimuth_deg = 90, *elevation_deg = level;
        break;
    case LB_VIEW_BACK:
        *azimuth_deg = 180, *elevation_deg = level;
        break;
    case LB_VIEW_TOP:
        *azimuth_deg = 0, *elevation_deg = 90;
        break;
    default:
        *azimuth_deg = 35, *elevation_deg = 16;
        break;
    }
}

const char *lbio_view_name(lb_view view) {
    switch (view) {
    case LB_VIEW_FRONT:
        return "front";
    case LB_VIEW_SIDE:
        return "side";
    case LB_VIEW_BACK:
        return "back";
    case LB_VIEW_TOP:
        return "top";
    default:
        return "three-quarter";
    }
}

static void set_axes(lbio_camera *camera, double azimuth_deg, double elevation_deg) {
    double a = azimuth_deg * LBIO_PI / 180, e = elevation_deg * LBIO_PI / 180;
    double back[3] = {cos(a) * cos(e), sin(a) * cos(e), sin(e)}, right[3] = {-sin(a), cos(a), 0};
    for (int i = 0; i < 3; i++) {
        camera->back[i] = back[i], camera->right[i] = right[i];
    }
    lbio_cross(back, right, camera->up);
}

typedef struct box2 {
    double low[2], high[2];
} box2;

static void widen(box2 *box, const lbio_camera *camera, const double p[3]) {
    double xy[2];
    lbio_camera_project(camera, p, xy);
    for (int axis = 0; axis < 2; axis++) {
        box->low[axis] = fmin(box->low[axis], xy[axis]);
        box->high[axis] = fmax(box->high[axis], xy[axis]);
    }
}

/* The extent in pixels of the solids and of what is drawn over them, or of the box that shall be shown. */
static box2 see(const lbio_camera *camera, const lbio_scene *scene) {
    box2 box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double points[LBIO_SPAN_POINTS][3];
    if (scene->has_bounds) {
        for (int corner = 0; corner < 8; corner++) {
            for (int i = 0; i < 3; i++) {
                points[0][i] = corner >> i & 1 ? scene->high[i] : scene->low[i];
            }
            widen(&box, camera, points[0]);
        }
        return box;
    }
    for (int k = 0; k < scene->prim_count; k++) {
        int count = lbio_prim_span(&scene->prims[k], points);
        for (int i = 0; i < count; i++) {
            lbio_keep_near(scene, &scene->prims[k], points[i]);
            widen(&box, camera, points[i]);
        }
    }
    for (int k = 0; k < scene->point_count; k++) {
        widen(&box, camera, scene->points[k]);
    }
    return box;
}

void lbio_camera_fit(lbio_camera *camera, const lbio_scene *scene, double azimuth_deg, double elevation_deg,
                     int is_perspective, lbio_rect frame) {
    double middle[3], pixels = fmin(frame.w, frame.h), lens = LENS_DEG * LBIO_PI / 180;
    double unit = pixels / (2 * tan(lens / 2)); /* pixels per unit of slope */
    set_axes(camera, azimuth_deg, elevation_deg);
    camera->is_perspective = is_perspective;
    camera->center[0] = frame.x + frame.w / 2, camera->center[1] = frame.y + frame.h / 2;
    for (int i = 0; i < 3; i++) {
        middle[i] = (scene->low[i] + scene->high[i]) / 2;
    }
    /* Start far off, then move sideways and in until the figure sits in the frame: a few rounds settle it, since
     * perspective is slight. */
    double distance = 6, scale = pixels / 3;
    for (int round = 0; round < 12; round++) {
        camera->focal = is_perspective ? unit : scale;
        camera->distance = distance;
        lbio_along(middle, distance, camera->back, camera->eye);
        box2 box = see(camera, scene);
        double off[2], fill = 0;
        for (int axis = 0; axis < 2; axis++) {
            double room = axis ? frame.h : frame.w;
            off[axis] = (box.low[axis] + box.high[axis]) / 2 - camera->center[axis];
            fill = fmax(fill, (box.high[axis] - box.low[axis]) / room);
        }
        double per_unit = is_perspective ? unit / distance : scale;
        lbio_along(middle, off[0] / per_unit, camera->right, middle);
        lbio_along(middle, -off[1] / per_unit, camera->up, middle);
        fill = lbio_clamp(fill, 0.02, 50);
        distance *= is_perspective ? fill : 1;
        scale /= fill;
        if (is_perspective && distance < NEAREST) { /* as near as it gets: a longer lens instead */
            unit *= NEAREST / distance;
            distance = NEAREST;
        }
    }
    camera->focal = is_perspective ? unit : scale;
    camera->distance = distance;
    lbio_along(middle, distance, camera->back, camera->eye);
    camera->pixels_per_unit = is_perspective ? unit / distance : scale;
}

void lbio_camera_zoom(lbio_camera *camera, double factor) {
    camera->focal *= factor;
    camera->pixels_per_unit *= factor;
}

double lbio_camera_project(const lbio_camera *camera, const double p[3], double xy[2]) {
    double from[3];
    lbio_along(p, -1, camera->eye, from);
    double depth = -lbio_dot(from, camera->back);
    double divide = camera->is_perspective ? fmax(depth, 1e-3) : 1;
    xy[0] = camera->center[0] + camera->focal * lbio_dot(from, camera->right) / divide;
    xy[1] = camera->center[1] - camera->focal * lbio_dot(from, camera->up) / divide;
    return depth;
}

void lbio_camera_ray(const lbio_camera *camera, double x, double y, lbio_ray *ray) {
    double u = (x - camera->center[0]) / camera->focal, v = -(y - camera->center[1]) / camera->focal;
    for (int i = 0; i < 3; i++) {
        double aside = u * camera->right[i] + v * camera->up[i];
        ray->o[i] = camera->eye[i] + (camera->is_perspective ? 0 : aside);
        ray->d[i] = -camera->back[i] + (camera->is_perspective ? aside : 0);
    }
    lbio_normalize(ray->d);
}
