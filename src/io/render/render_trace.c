/* Regions of a grid as polygons: marching squares, with the crossings found by whoever knows what lies between two
 * nodes, and lines straightened where that changes nothing to see. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const lbio_grid *grid;
    const unsigned char *inside;
    lbio_crossing crossing;
    void *context;
    double tolerance;
    unsigned char *is_done; /* per node: the edge to its right */
    double (*loop)[2];      /* the loop being walked */
    int loop_count, loop_capacity;
    lbio_loops *loops;
} walk;

static int is_inside(const walk *w, int x, int y) {
    return x >= 0 && y >= 0 && x < w->grid->w && y < w->grid->h &&
           w->inside[(size_t)y * (size_t)w->grid->w + (size_t)x];
}

static int add_point(walk *w, double x, double y) {
    if (w->loop_count == w->loop_capacity) {
        int capacity = w->loop_capacity ? 2 * w->loop_capacity : 1024;
        double(*bigger)[2] = realloc(w->loop, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return 0;
        }
        w->loop = bigger, w->loop_capacity = capacity;
    }
    w->loop[w->loop_count][0] = x, w->loop[w->loop_count++][1] = y;
    return 1;
}

/* Where the boundary crosses the edge between two neighbours, one of them inside. */
static int add_crossing(walk *w, int ax, int ay, int bx, int by) {
    const lbio_grid *g = w->grid;
    int swap = !is_inside(w, ax, ay);
    int ix = swap ? bx : ax, iy = swap ? by : ay, ox = swap ? ax : bx, oy = swap ? ay : by;
    double f = ox < 0 || oy < 0 || ox >= g->w || oy >= g->h ? 0 : w->crossing(w->context, ix, iy, ox, oy);
    return add_point(w, g->x + g->step * (ix + f * (ox - ix)), g->y + g->step * (iy + f * (oy - iy)));
}

/* Sides of a cell: 0 top, 1 right, 2 bottom, 3 left. Which side a line that enters by one leaves by; corners are
 * bits: 1 top left, 2 top right, 4 bottom right, 8 bottom left. Where two opposite corners are inside they are kept
 * apart. */
static int exit_side(int corners, int entry) {
    static const signed char pair_5[4] = {3, 2, 1, 0}, pair_10[4] = {1, 0, 3, 2};
    static const unsigned char sides[16] = {0,     1 | 8, 1 | 2, 2 | 8, 2 | 4, 15,    1 | 4, 4 | 8,
                                            4 | 8, 1 | 4, 15,    2 | 4, 2 | 8, 1 | 2, 1 | 8, 0};
    if (corners == 5) {
        return pair_5[entry];
    }
    if (corners == 10) {
        return pair_10[entry];
    }
    int rest = sides[corners] & ~(1 << entry);
    return rest & 1 ? 0 : rest & 2 ? 1 : rest & 4 ? 2 : 3;
}

/* Walks the loop that crosses the edge to the right of node (x, y), starting into the cell below it. */
static int walk_loop(walk *w, int x, int y) {
    static const int step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};
    int cx = x, cy = y, entry = 0;
    w->loop_count = 0;
    do {
        int corners = is_inside(w, cx, cy) | is_inside(w, cx + 1, cy) << 1 | is_inside(w, cx + 1, cy + 1) << 2 |
                      is_inside(w, cx, cy + 1) << 3;
        int ok = 1, side = exit_side(corners, entry);
        switch (side) {
        case 0:
            ok = add_crossing(w, cx, cy, cx + 1, cy);
            break;
        case 1:
            ok = add_crossing(w, cx + 1, cy, cx + 1, cy + 1);
            break;
        case 2:
            ok = add_crossing(w, cx, cy + 1, cx + 1, cy + 1);
            break;
        default:
            ok = add_crossing(w, cx, cy, cx, cy + 1);
            break;
        }
        if (!ok) {
            return 0;
        }
        /* The edges of cells are those of nodes; rows and columns start at -1. */
        size_t row = (size_t)w->grid->w + 1;
        if (side == 0 || side == 2) {
            w->is_done[(size_t)(cy + (side == 2) + 1) * row + (size_t)(cx + 1)] = 1;
        }
        cx += step_x[side], cy += step_y[side];
        entry = (side + 2) % 4;
    } while (cx != x || cy != y || entry != 0);
    return 1;
}

static double area_of(double (*loop)[2], int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double *a = loop[k], *b = loop[(k + 1) % count];
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return fabs(sum) / 2;
}

static double off_line(const double p[2], const double a[2], const double b[2]) {
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    return length > 1e-12 ? fabs((p[0] - a[0]) * dy - (p[1] - a[1]) * dx) / length : hypot(p[0] - a[0], p[1] - a[1]);
}

/* Keeps the points that matter by more than the tolerance (Douglas and Peucker), between two that are kept. */
static int mark_kept(const walk *w, unsigned char *keep, int *stack, int first, int last) {
    int height = 0;
    stack[height++] = first, stack[height++] = last;
    while (height) {
        int b = stack[--height], a = stack[--height], farthest = -1;
        double most = w->tolerance;
        for (int k = a + 1; k < b; k++) {
            double off = off_line(w->loop[k], w->loop[a], w->loop[b % w->loop_count]);
            if (off > most) {
                most = off, farthest = k;
            }
        }
        if (farthest >= 0) {
            keep[farthest] = 1;
            stack[height++] = a, stack[height++] = farthest;
            stack[height++] = farthest, stack[height++] = b;
        }
    }
    return 1;
}

static int keep_loop(walk *w) {
    int count = w->loop_count, farthest = 0;
    double most = -1;
    if (count < 3 || area_of(w->loop, count) < 0.3) {
        return 1; /* a speck */
    }
    unsigned char *keep = calloc((size_t)count + 1, 1);
    int *stack = malloc(sizeof *stack * 4 * ((size_t)count + 2));
    lbio_loops *loops = w->loops;
    for (int k = 1; k < count; k++) { /* a closed line is cut at its start and at the point farthest from there */
        double away = hypot(w->loop[k][0] - w->loop[0][0], w->loop[k][1] - w->loop[0][1]);
        if (away > most) {
            most = away, farthest = k;
        }
    }
    int ok = keep && stack;
    if (ok) {
        keep[0] = keep[farthest] = 1;
        mark_kept(w, keep, stack, 0, farthest);
        mark_kept(w, keep, stack, farthest, count);
    }
    int kept = 0;
    for (int k = 0; ok && k < count; k++) {
        if (keep[k]) {
            ok = lbio_loops_add(loops, w->loop[k]);
            kept++;
        }
    }
    free(keep);
    free(stack);
    return ok && lbio_loops_end(loops, kept);
}

int lbio_loops_add(lbio_loops *loops, const double xy[2]) {
    if (loops->point_count == loops->point_capacity) {
        int capacity = loops->point_capacity ? 2 * loops->point_capacity : 4096;
        double(*bigger)[2] = realloc(loops->xy, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return 0;
        }
        loops->xy = bigger, loops->point_capacity = capacity;
    }
    memcpy(loops->xy[loops->point_count++], xy, sizeof *loops->xy);
    return 1;
}

int lbio_loops_end(lbio_loops *loops, int count) {
    if (loops->count == loops->capacity) {
        int capacity = loops->capacity ? 2 * loops->capacity : 256;
        int *bigger = realloc(loops->counts, (size_t)capacity * sizeof *bigger);
        if (!bigger) {
            return 0;
        }
        loops->counts = bigger, loops->capacity = capacity;
    }
    loops->counts[loops->count++] = count;
    return 1;
}

void lbio_loops_free(lbio_loops *loops) {
    free(loops->xy);
    free(loops->counts);
    memset(loops, 0, sizeof *loops);
}

lb_status lbio_trace(const lbio_grid *grid, lbio_box box, const unsigned char *inside, lbio_crossing crossing,
                     void *context, double tolerance, lbio_loops *loops) {
    walk w = {.grid = grid,
              .inside = inside,
              .crossing = crossing,
              .context = context,
              .tolerance = tolerance,
              .loops = loops};
    size_t row = (size_t)grid->w + 1;
    int ok = 1;
    loops->count = loops->point_count = 0;
    w.is_done = calloc(row * (size_t)(grid->h + 2), 1);
    for (int y = box.y0; w.is_done && ok && y <= box.y1; y++) {
        for (int x = box.x0 - 1; ok && x <= box.x1; x++) {
            if (is_inside(&w, x, y) != is_inside(&w, x + 1, y) && !w.is_done[(size_t)(y + 1) * row + (size_t)(x + 1)]) {
                ok = walk_loop(&w, x, y) && keep_loop(&w);
            }
        }
    }
    ok = ok && w.is_done;
    free(w.is_done);
    free(w.loop);
    return ok ? LB_OK : LB_ERROR_MEMORY;
}
