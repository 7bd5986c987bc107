/* Triangles of shapes, with normals: surfaces of revolution about z, and boxes. */
#include "io/gltf/gltf.h"
#include "math/trig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 20 /* corners of a ring */
#define RINGS 8   /* stretches from pole to pole of half a ball or a part of it */
#define PI 3.14159265358979323846

/* A point of the outline that turns about z, with its normal. */
typedef struct outline_point {
    double radius, z, normal_radius, normal_z;
} outline_point;

static int add_vertex(lbio_mesh *mesh, const lb_frame *frame, const double at[3], const double normal[3]) {
    int capacity = mesh->vertex_capacity;
    if (mesh->failed) {
        return 0;
    }
    float *positions = lbio_grow(NULL, mesh->positions, &capacity, mesh->vertex_count, 3 * sizeof *positions);
    mesh->positions = positions ? positions : mesh->positions;
    capacity = mesh->vertex_capacity;
    float *normals = lbio_grow(NULL, mesh->normals, &capacity, mesh->vertex_count, 3 * sizeof *normals);
    mesh->normals = normals ? normals : mesh->normals;
    if (!positions || !normals) {
        mesh->failed = 1;
        return 0;
    }
    mesh->vertex_capacity = capacity;
    double p[3], n[3], length = 0;
    lbio_rotation_apply(frame->rotation, at, p);
    lbio_rotation_apply(frame->rotation, normal, n);
    for (int i = 0; i < 3; i++) {
        length += n[i] * n[i];
    }
    for (int i = 0; i < 3; i++) {
        positions[3 * mesh->vertex_count + i] = (float)(p[i] + frame->position[i]);
        normals[3 * mesh->vertex_count + i] = (float)(n[i] / sqrt(length));
    }
    return mesh->vertex_count++;
}

static void add_triangle(lbio_mesh *mesh, int a, int b, int c) {
    const int corners[3] = {a, b, c};
    for (int i = 0; i < 3 && !mesh->failed; i++) {
        unsigned *indices = lbio_grow(NULL, mesh->indices, &mesh->index_capacity, mesh->index_count, sizeof *indices);
        mesh->failed |= !indices;
        if (indices) {
            mesh->indices = indices;
            indices[mesh->index_count++] = (unsigned)corners[i];
        }
    }
}

/* Turns an outline, from below to above, about z; `stretch` makes an ellipsoid of a ball. */
static void revolve(lbio_mesh *mesh, const lb_frame *frame, const outline_point *outline, int count,
                    const double stretch[3]) {
    int first = mesh->vertex_count;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < AROUND; k++) {
            double angle = 2 * PI * k / AROUND, c = lbm_cos(angle), s = lbm_sin(angle);
            const outline_point *o = &outline[i];
            double at[3] = {o->radius * c * stretch[0], o->radius * s * stretch[1], o->z * stretch[2]};
            double normal[3] = {o->normal_radius * c / stretch[0], o->normal_radius * s / stretch[1],
                                o->normal_z / stretch[2]};
            add_vertex(mesh, frame, at, normal);
        }
    }
    for (int i = 0; i + 1 < count; i++) {
        for (int k = 0; k < AROUND; k++) {
            int a = first + i * AROUND + k, b = first + i * AROUND + (k + 1) % AROUND;
            if (outline[i].radius > 0) {
                add_triangle(mesh, a, b, b + AROUND);
            }
            if (outline[i + 1].radius > 0) {
                add_triangle(mesh, a, b + AROUND, a + AROUND);
            }
        }
    }
}

/* Two balls and the cone that touches both: normals rise from straight down to straight up, on the lower ball up to the
 * cone's, then on the upper one. */
static void add_capsule(lbio_mesh *mesh, const lb_frame *frame, const double size[3], const double stretch[3]) {
    outline_point outline[2 * RINGS + 2];
    double lower = size[0], half = size[1], upper = size[2], slope = half > 0 ? (lower - upper) / (2 * half) : 2;
    double cone = fabs(slope) < 1 ? lbm_asin(slope) : slope > 0 ? PI / 2 : -PI / 2;
    int count = 0;
    for (int ball = 0; ball < 2; ball++) {
        double from = ball ? cone : -PI / 2, to = ball ? PI / 2 : cone, radius = ball ? upper : lower;
        for (int i = 0; i <= RINGS && to - from > 1e-9; i++) {
            double angle = from + (to - from) * i / RINGS;
            int is_pole = (ball == 0 && i == 0) || (ball == 1 && i == RINGS) || fabs(fabs(angle) - PI / 2) < 1e-12;
            outline[count++] =
                (outline_point){is_pole ? 0 : radius * lbm_cos(angle), (ball ? half : -half) + radius * lbm_sin(angle),
                                is_pole ? 0 : lbm_cos(angle), is_pole ? (angle > 0 ? 1 : -1) : lbm_sin(angle)};
        }
    }
    revolve(mesh, frame, outline, count, stretch);
}

static void add_cylinder(lbio_mesh *mesh, const lb_frame *frame, double radius, double half) {
    static const double even[3] = {1, 1, 1};
    const outline_point outline[] = {{0, -half, 0, -1},    {radius, -half, 0, -1}, {radius, -half, 1, 0},
                                     {radius, half, 1, 0}, {radius, half, 0, 1},   {0, half, 0, 1}};
    revolve(mesh, frame, outline, 2, even);
    revolve(mesh, frame, outline + 2, 2, even);
    revolve(mesh, frame, outline + 4, 2, even);
}

static void add_box(lbio_mesh *mesh, const lb_frame *frame, const double half[3]) {
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, corners[4];
        double sign = face % 2 ? 1 : -1, normal[3] = {0, 0, 0};
        normal[axis] = sign;
        for (int k = 0; k < 4; k++) {
            double at[3];
            at[axis] = sign * half[axis];
            at[u] = (k == 1 || k == 2 ? half[u] : -half[u]) * sign; /* the sign keeps corners in the outward order */
            at[v] = k >= 2 ? half[v] : -half[v];
            corners[k] = add_vertex(mesh, frame, at, normal);
        }
        add_triangle(mesh, corners[0], corners[1], corners[2]);
        add_triangle(mesh, corners[0], corners[2], corners[3]);
    }
}

static void add_hull(lbio_mesh *mesh, const lb_shape *shape) {
    for (int t = 0; t < shape->triangle_count; t++) {
        const double *corner[3];
        double u[3], v[3], normal[3];
        int at[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = shape->vertices[shape->triangles[t][k]];
        }
        for (int i = 0; i < 3; i++) {
            u[i] = corner[1][i] - corner[0][i];
            v[i] = corner[2][i] - corner[0][i];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] = u[j] * v[k] - u[k] * v[j];
        }
        const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int i = 0; i < 3; i++) {
            normal[i] = length > 0 ? normal[i] / length : i == 2;
        }
        for (int k = 0; k < 3; k++) {
            at[k] = add_vertex(mesh, &shape->frame, corner[k], normal);
        }
        add_triangle(mesh, at[0], at[1], at[2]);
    }
}

void lbio_mesh_add(lbio_mesh *mesh, const lb_shape *shape) {
    static const double even[3] = {1, 1, 1}, ball[3] = {1, 0, 1};
    const double sphere[3] = {shape->size[0], 0, shape->size[0]};
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        add_capsule(mesh, &shape->frame, sphere, even);
        break;
    case LB_SHAPE_CAPSULE:
        add_capsule(mesh, &shape->frame, shape->size, even);
        break;
    case LB_SHAPE_BOX:
        add_box(mesh, &shape->frame, shape->size);
        break;
    case LB_SHAPE_CYLINDER:
        add_cylinder(mesh, &shape->frame, shape->size[0], shape->size[1]);
        break;
    case LB_SHAPE_ELLIPSOID:
        add_capsule(mesh, &shape->frame, ball, shape->size);
        break;
    case LB_SHAPE_HULL:
    case LB_SHAPE_MESH:
        add_hull(mesh, shape);
        break;
    case LB_SHAPE_HALF_SPACE: /* of no figure */
        break;
    }
}

void lbio_mesh_free(lbio_mesh *mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}
