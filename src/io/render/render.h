/* Pictures, from the inside. A figure becomes a scene (solids, marks and outlines in one normalised space), a camera
 * looks at it, and a picture is made of both: by casting a ray through every pixel (PNG), or by tracing what the rays
 * see into outlines and shades (SVG, PDF). Words, dots, limits and rulers are painted over either by the same code.
 *
 *     render.c          options, layout of the views, files
 *     render_scene.c    figure -> scene
 *     render_lists.c    the lists of a scene
 *     render_markers.c  what is asked of figures -> scene
 *     render_clear.c    what stands around them -> scene, translucent
 *     render_limits.c   limits -> outlines of the scene
 *     render_prim.c     the five solids: rays, normals, extents
 *     render_hull.c     hulls
 *     render_mesh.c     meshes
 *     render_tree.c     the tree of boxes that makes rays cheap
 *     render_camera.c   views, fitting, projection
 *     render_shade.c    light and colour
 *     render_raster.c   pixels
 *     render_vector.c   outlines and shades
 *     render_trace.c    regions as polygons
 *     render_overlay.c  what is painted over
 *     render_paint.c    one painter for cairo and SVG
 */
#ifndef LIMBER_IO_RENDER_H
#define LIMBER_IO_RENDER_H

#include "io/text.h"
#include <math.h>

#define LBIO_PI 3.14159265358979323846

/* --- Small vectors ------------------------------------------------------------------------------- */

static inline double lbio_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void lbio_cross(const double a[3], const double b[3], double out[3]) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

/* out = a + t b */
static inline void lbio_along(const double a[3], double t, const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] + t * b[i];
    }
}

static inline double lbio_length(const double a[3]) { return sqrt(lbio_dot(a, a)); }

/* Returns the length; a vector of length 0 stays. */
static inline double lbio_normalize(double a[3]) {
    double length = lbio_length(a);
    for (int i = 0; i < 3 && length > 0; i++) {
        a[i] /= length;
    }
    return length;
}

static inline double lbio_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static inline double lbio_smooth(double low, double high, double x) {
    double t = lbio_clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

/* Two unit vectors that make a right-handed frame with the unit vector n. */
void lbio_basis(const double n[3], double a[3], double b[3]);
/* out = R v and out = R' v for a row-major matrix. */
void lbio_rotate(const double r[9], const double v[3], double out[3]);
void lbio_unrotate(const double r[9], const double v[3], double out[3]);

/* --- The scene ----------------------------------------------------------------------------------- */

/* A solid: an lb_shape in scene coordinates. */
typedef struct lbio_prim {
    lb_shape_kind kind;
    double p[3];                 /* centre */
    double r[9];                 /* row-major, local to scene */
    double size[3];              /* as lb_shape, all > 0 */
    double cone_s, cone_c;       /* capsule: sine and cosine of the taper */
    const lb_shape *hull;        /* the figure's, of a hull or a mesh */
    struct lbio_mesh_tree *mesh; /* of a mesh; the scene frees it */
    double (
        *planes)[4]; /* [hull->triangle_count]: normal and height, in the hull's frame and unit; the scene frees them */
    double unit;     /* of a hull or a mesh: metres in a unit of the scene */
    double color[3]; /* linear RGB */
    double low[3], high[3];
    int segment;
    int is_clear; /* translucent: rays go through it, and it has no shadow */
} lbio_prim;

typedef struct lbio_ray {
    double o[3], d[3]; /* d is a unit vector */
} lbio_ray;

typedef struct lbio_hit {
    double t;
    int prim; /* -1: nothing */
    int face; /* tells the parts of a solid that meet in an edge: sides, caps */
    double n[3];
} lbio_hit;

typedef enum lbio_mark_kind {
    LBIO_MARK_JOINT,
    LBIO_MARK_SITE,
    LBIO_MARK_COM,
    LBIO_MARK_MET,
    LBIO_MARK_UNMET
} lbio_mark_kind;

/* A point with a name. */
typedef struct lbio_mark {
    lbio_mark_kind kind;
    double p[3];
    const char *name; /* the figure's own */
    int is_solid;     /* drawn as a ball of the scene already: no dot is needed */
    double room;      /* how thick the solid there is: a dot should not hide it */
} lbio_mark;

typedef enum lbio_outline_kind {
    LBIO_OUTLINE_RANGE, /* filled: what a joint may do */
    LBIO_OUTLINE_EDGE,  /* its boundary */
    LBIO_OUTLINE_FREE,  /* no limit: dashed */
    LBIO_OUTLINE_NOW,   /* where it is */
    LBIO_OUTLINE_TRACK, /* the range of a translation */
    LBIO_OUTLINE_GOAL,  /* a line that is a goal */
    LBIO_OUTLINE_X,     /* axes of a goal */
    LBIO_OUTLINE_Y,
    LBIO_OUTLINE_Z
} lbio_outline_kind;

/* A line or polygon in the scene, painted over the solids. */
typedef struct lbio_outline {
    lbio_outline_kind kind;
    int first, count; /* points */
    int is_closed;
} lbio_outline;

typedef struct lbio_node {
    double low[3], high[3];
    int first, count; /* leaf: order[first .. first + count) ; inner (count 0): children first, first + 1 */
} lbio_node;

typedef struct lbio_scene {
    lbio_prim *prims;
    lbio_mark *marks;
    lbio_outline *outlines;
    double (*points)[3];
    int prim_count, mark_count, outline_count, point_count;
    int prim_capacity, mark_capacity, outline_capacity, point_capacity;
    int has_failed;               /* out of memory */
    double origin[3], scale;      /* scene = (world - origin) / scale */
    double low[3], high[3];       /* extent of the solids, or the options' bounds */
    int has_bounds;               /* low and high are what the picture shall show, not the solids' extent */
    double near[3], reach;        /* what stands around is drawn in this cube: its middle, half its side */
    int first_clear, clear_count; /* of the solids: translucent ones */
    double ground;                /* height of the ground, scene units */
    int triangle_count;           /* of meshes */
    lbio_node *nodes;
    int *order;
    int node_count;
} lbio_scene;

lb_status lbio_scene_build(const lb_scene *cast, const lb_render_options *options, lbio_scene *scene, lb_error *error);
void lbio_scene_free(lbio_scene *scene);
/* Makes room for one more; NULL (and has_failed) where there is no memory. */
void *lbio_scene_grow(void *block, int count, int *capacity, size_t size, int *has_failed);
/* Each returns what it added, or NULL with has_failed set. */
lbio_prim *lbio_scene_add_prim(lbio_scene *scene);
lbio_mark *lbio_scene_add_mark(lbio_scene *scene);
/* A point of the world, as the scene has it once it has its scale. */
void lbio_to_scene(const lbio_scene *scene, const double world[3], double out[3]);
/* Markers that are obstacles and regions, before the scene has its scale; and the others, after. */
void lbio_scene_add_marker_shape(lbio_scene *scene, const lb_marker *marker);
void lbio_scene_add_marker(lbio_scene *scene, const lb_marker *marker);
/* What stands around, before the scene has its scale, where the figures have this extent, which is widened by it. */
void lbio_scene_add_clear(lbio_scene *scene, const lb_scene *cast, double low[3], double high[3]);
/* The point of the cube that the picture shows which is nearest to a point of a solid, where that is translucent. */
void lbio_keep_near(const lbio_scene *scene, const lbio_prim *prim, double p[3]);
#define LBIO_CLEAR_LAYERS 4
#define LBIO_CLEAR_ALPHA 0.42
/* The translucent solids that a ray enters before t_most, the nearest first. Returns how many: LBIO_CLEAR_LAYERS at
 * most. */
int lbio_clear_hits(const lbio_scene *scene, const lbio_ray *ray, double t_most, lbio_hit *hits);
/* Adds an outline through world points. */
void lbio_scene_add_outline(lbio_scene *scene, lbio_outline_kind kind, int is_closed, const double (*points)[3],
                            int count);
void lbio_scene_add_limits(lbio_scene *scene, const lb_figure *figure, const lb_kinematics *kinematics);

/* Fills what follows from kind, p, r and size: taper, extent; makes sizes positive. */
void lbio_prim_finish(lbio_prim *prim);
/* The nearest crossing with t in (t_min, hit->t); fills hit and returns 1, or returns 0. */
int lbio_prim_hit(const lbio_prim *prim, const lbio_ray *ray, double t_min, lbio_hit *hit);
/* Points on the surface that span its extent from anywhere; returns how many (at most LBIO_SPAN_POINTS). */
#define LBIO_SPAN_POINTS 28
int lbio_prim_span(const lbio_prim *prim, double (*points)[3]);

/* render_hull.c: a hull's planes, made while the scene is in metres, and what the functions above ask of it. */
void lbio_prim_set_hull(lbio_scene *scene, lbio_prim *prim, const lb_shape *shape);
void lbio_hull_extent(lbio_prim *prim);
int lbio_hull_hit(const lbio_prim *prim, const double o[3], const double d[3], double t_min, lbio_hit *hit);
int lbio_hull_span(const lbio_prim *prim, double (*points)[3]);
/* render_mesh.c: the same of a mesh, whose extent and span are those of its vertices, as a hull's. */
#define LBIO_MOST_TRIANGLES 4000000 /* that meshes of a scene may have; of those beyond it a box is drawn */
void lbio_prim_set_mesh(lbio_scene *scene, lbio_prim *prim, const lb_shape *shape);
void lbio_mesh_tree_free(struct lbio_mesh_tree *tree);
int lbio_mesh_hit(const lbio_prim *prim, const double o[3], const double d[3], double t_min, lbio_hit *hit);

lb_status lbio_tree_build(lbio_scene *scene);
int lbio_tree_hit(const lbio_scene *scene, const lbio_ray *ray, double t_min, lbio_hit *hit);
/* Whether anything is in the way. */
int lbio_tree_blocked(const lbio_scene *scene, const lbio_ray *ray);

/* --- The camera ---------------------------------------------------------------------------------- */

typedef struct lbio_rect {
    double x, y, w, h;
} lbio_rect;

typedef struct lbio_camera {
    double eye[3];                   /* perspective: where it is; orthographic: a point well behind all */
    double right[3], up[3], back[3]; /* unit; back points from the scene to the eye */
    double focal;                    /* pixels per unit at distance 1 (perspective) or everywhere (orthographic) */
    double center[2];                /* pixel that the axis goes through */
    int is_perspective;
    double pixels_per_unit; /* at the middle of the scene */
    double distance;        /* of the eye from the middle */
} lbio_camera;

void lbio_view_angles(lb_view view, int is_perspective, double *azimuth_deg, double *elevation_deg);
const char *lbio_view_name(lb_view view);
/* Looks at the scene so that it fills the frame; the camera's scale is then pixels_per_unit. */
void lbio_camera_fit(lbio_camera *camera, const lbio_scene *scene, double azimuth_deg, double elevation_deg,
                     int is_perspective, lbio_rect frame);
void lbio_camera_zoom(lbio_camera *camera, double factor);
/* Pixel of a point; returns its depth along the view (<= 0: behind the eye). */
double lbio_camera_project(const lbio_camera *camera, const double p[3], double xy[2]);
void lbio_camera_ray(const lbio_camera *camera, double x, double y, lbio_ray *ray);

/* --- Light --------------------------------------------------------------------------------------- */

typedef struct lbio_theme {
    double sky_top[3], sky_bottom[3]; /* linear RGB */
    double ground[3], grid[3];
    double ink[3], faint[3];                             /* sRGB: words; captions and leaders */
    double halo[3];                                      /* sRGB: behind words */
    double joint[3], site[3], com[3];                    /* sRGB */
    double range[3], edge[3], now[3];                    /* sRGB: limits */
    double low_color[3], middle_color[3], high_color[3]; /* sRGB: segments without a colour, root to tips */
    double ambient, shadow_strength;
} lbio_theme;

void lbio_theme_get(int is_dark, lbio_theme *theme);
double lbio_to_linear(double srgb);
double lbio_from_linear(double linear);
void lbio_color_to_linear(const double srgb[3], double linear[3]);

#define LBIO_KEY_SAMPLES 40
#define LBIO_SKY_SAMPLES 96

typedef struct lbio_light {
    const lbio_scene *scene;
    const lbio_theme *theme;
    double key[3], fill[3];                  /* directions towards the lights */
    double key_samples[LBIO_KEY_SAMPLES][3]; /* over the key light's disc; the first eight lie on its rim */
    double sky_samples[LBIO_SKY_SAMPLES][3];
    double reach; /* how far ambient occlusion looks */
    int has_ground;
    double *shade; /* ground: two values a cell, key light and sky that arrive */
    int shade_w, shade_h;
    double shade_low[2], shade_cell;
    double grid_step;         /* scene units */
    double grid_origin[2];    /* a crossing of the grid */
    double fade_in, fade_out; /* radii between which the ground melts into the sky */
} lbio_light;

/* Lights for a camera; `detail` is the longer side of the view in pixels (0: no map of the ground's shadows). */
lb_status lbio_light_build(lbio_light *light, const lbio_scene *scene, const lbio_theme *theme,
                           const lbio_camera *camera, int has_ground, double detail);
void lbio_light_free(lbio_light *light);
/* What of the key light (0..1) and of the sky (0..1) reaches a point. */
typedef struct lbio_arrival {
    double key, sky;
} lbio_arrival;
lbio_arrival lbio_light_arrival(const lbio_light *light, const double p[3], const double n[3]);
/* Linear RGB of a surface seen along d. */
void lbio_light_surface(const lbio_light *light, const double color[3], const double n[3], const double d[3],
                        lbio_arrival arrival, double rgb[3]);
/* Linear RGB of a translucent solid, on which no shadow falls. */
void lbio_light_clear(const lbio_light *light, const lbio_hit *hit, const double d[3], double rgb[3]);
/* Linear RGB of sky and ground along a ray; y01 runs from 0 (top of the view) to 1, pixel is the width of one at t = 1
 * (perspective) or everywhere. t of the ground, or INFINITY, comes back. */
double lbio_light_backdrop(const lbio_light *light, const lbio_camera *camera, const lbio_ray *ray, double y01,
                           double rgb[3]);
/* How much darker shadows make the ground at a point: 0 to 1. */
double lbio_light_ground_darkness(const lbio_light *light, const double p[3]);
/* How far the ground has melted into the sky at a point: 1 is all ground. */
double lbio_light_ground_fade(const lbio_light *light, const double p[3]);

/* --- The painter --------------------------------------------------------------------------------- */

typedef struct lbio_ink {
    double rgb[3]; /* sRGB */
    double alpha;  /* 0: none */
} lbio_ink;

#define LBIO_STOPS 8

/* Linear: from (0, 0) to (1, 0) of the unit space; radial: the unit circle with its focus at (focus, 0) ... mapped to
 * the picture by matrix: x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5. */
typedef struct lbio_gradient {
    int is_radial;
    double matrix[6];
    double focus[2];
    int count;
    double offset[LBIO_STOPS];
    lbio_ink stop[LBIO_STOPS];
} lbio_gradient;

typedef struct lbio_style {
    lbio_ink fill, stroke;
    double width;
    double dash;                   /* 0: none */
    int is_even_odd;               /* how pieces inside pieces count: as holes */
    const lbio_gradient *gradient; /* instead of fill */
} lbio_style;

typedef struct lbio_painter {
    void *cairo; /* cairo_t, or NULL: svg is written */
    lbio_text *svg;
    lbio_text *defs; /* clips and gradients; goes before svg */
    int next_id;
    int can_write; /* cairo: there is a font */
} lbio_painter;

/* Fills and strokes a path of `parts` pieces with counts[i] points each; counts NULL: one piece of `parts` points. */
void lbio_paint_path(lbio_painter *painter, const double (*xy)[2], const int *counts, int parts, int is_closed,
                     const lbio_style *style);
void lbio_paint_circle(lbio_painter *painter, double x, double y, double radius, const lbio_style *style);
void lbio_paint_rect(lbio_painter *painter, lbio_rect rect, const lbio_style *style);
/* How text is painted. */
typedef struct lbio_lettering {
    double size;
    int anchor; /* -1: the text begins at the place, 0: has its middle there, 1: ends there */
    int is_bold;
    const lbio_ink *ink, *halo; /* halo NULL: none */
} lbio_lettering;

/* Text on a baseline at y. */
void lbio_paint_text(lbio_painter *painter, double x, double y, const lbio_lettering *how, const char *text);
void lbio_paint_clip(lbio_painter *painter, lbio_rect rect);
void lbio_paint_unclip(lbio_painter *painter);
/* Whether cairo has a font to write with. */
int lbio_can_write(void);
/* How wide a text is, about: the same with every font and on every machine. */
double lbio_text_width(const char *text, double size);
/* A copy that is UTF-8 without control characters, at most size bytes. */
void lbio_text_clean(const char *text, char *clean, size_t size);

/* --- Regions as polygons -------------------------------------------------------------------------- */

/* Nodes (i, j) at (x + i step, y + j step). */
typedef struct lbio_grid {
    double x, y, step;
    int w, h;
} lbio_grid;

/* How far from a node inside towards its neighbour outside the boundary is: 0 to 1. */
typedef double (*lbio_crossing)(void *context, int inside_x, int inside_y, int outside_x, int outside_y);

typedef struct lbio_loops {
    double (*xy)[2];
    int *counts;
    int count, point_count, capacity, point_capacity;
} lbio_loops;

int lbio_loops_add(lbio_loops *loops, const double xy[2]);
int lbio_loops_end(lbio_loops *loops, int count);
void lbio_loops_free(lbio_loops *loops);
typedef struct lbio_box {
    int x0, y0, x1, y1; /* nodes, the last ones included */
} lbio_box;

/* The boundary of the nodes marked inside (all of them in the box), as closed loops, to be filled even-odd, that are
 * off by at most the tolerance. */
lb_status lbio_trace(const lbio_grid *grid, lbio_box box, const unsigned char *inside, lbio_crossing crossing,
                     void *context, double tolerance, lbio_loops *loops);

/* --- Making a picture ---------------------------------------------------------------------------- */

typedef struct lbio_pane {
    lbio_rect rect;  /* all of it */
    lbio_rect frame; /* where the figure goes */
    lbio_camera camera;
    double azimuth_deg, elevation_deg;
    const char *caption; /* NULL: none */
} lbio_pane;

typedef struct lbio_picture {
    const lb_figure *figure;
    const lb_render_options *options;
    const lbio_scene *scene;
    lbio_theme theme;
    int pane_count;
    lbio_pane panes[4];
} lbio_picture;

/* Pixels of a pane into those of the whole picture: 32 bits each as cairo has them, stride in bytes. */
lb_status lbio_raster_pane(const lbio_picture *picture, const lbio_pane *pane, unsigned char *pixels, int stride);
/* What the solids look like at the nodes of a grid: prim -1 and no colour where there is none. rgb: linear, 3 a
 * node. */
lb_status lbio_raster_surface(const lbio_scene *scene, const lbio_camera *camera, const lbio_light *light,
                              const lbio_grid *grid, int *prims, float *rgb);
lb_status lbio_vector_pane(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter);
void lbio_overlay_pane(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter);
void lbio_overlay_title(const lbio_picture *picture, lbio_painter *painter);
/* How much room labels need on either side of the figure, in pixels. */
double lbio_overlay_margin(const lbio_scene *scene, const lb_render_options *options, double pane_width);

#endif
