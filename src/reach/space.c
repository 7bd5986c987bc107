#include "reach/space.h"

#include <math.h>

#include "math/outward.h"
#include "math/trig.h"

#define ROWS 64       /* of a grid, where no spacing is given */
#define MOST_GRIDS 12 /* of the last links; what is before them has bounds alone */

static int slides_forever(const lbr_link *link) {
    return link->kind == LBF_NODE_TRANSLATE && !(lbm_is_finite(link->low[0]) && lbm_is_finite(link->high[0]));
}

/* Whether W[i] gets a grid: it is not known exactly, and what it is swept from has a grid or is a curve. */
static int wants_grid(const lbr_space *space, const lbr_chain *chain, int i) {
    const lbr_link *link = &chain->links[i];
    const int is_last = i + 1 == space->count;
    if (space->zones[i].is_all || space->zones[i].shape != LBR_SHAPE_OTHER || i + MOST_GRIDS < space->count ||
        slides_forever(link) || (link->kind != LBF_NODE_ROTATE && link->kind != LBF_NODE_TRANSLATE)) {
        return 0;
    }
    return is_last || space->grids[i + 1].cells || space->zones[i + 1].shape <= LBR_SHAPE_RING;
}

/* Makes the grid of W[i]. `end` is the point of the last link's frame. */
static lb_status make_grid(lbr_space *space, const lbr_chain *chain, int i, const lbr_zone *end,
                           const lbr_detail *detail) {
    lbr_zone *zone = &space->zones[i];
    lbr_grid *grid = &space->grids[i];
    lbm_transform none;
    const int is_last = i + 1 == space->count;
    const int grids = space->count < MOST_GRIDS ? space->count : MOST_GRIDS;
    const size_t most = detail->memory / sizeof(lbr_cell) / (size_t)grids + 1;
    const double size = lbr_max(zone->r[1] - zone->r[0], zone->z[1] - zone->z[0]);
    lbr_grid_lay(grid, zone, detail->spacing > 0 ? detail->spacing : size / ROWS, most);
    grid->cells = lbf_new(chain->allocator, lbr_grid_cells(grid), sizeof *grid->cells);
    if (!grid->cells) {
        return LB_ERROR_MEMORY;
    }
    lbm_transform_identity(&none);
    const lbr_source source = {is_last || !space->grids[i + 1].cells ? NULL : &space->grids[i + 1],
                               is_last ? end : &space->zones[i + 1]};
    lbr_grid_sweep(grid, &source, is_last ? &none : &chain->links[i + 1].constant, &chain->links[i], zone);
    if (!lbr_grid_tighten(grid, zone)) { /* which cannot be: a workspace has points */
        lbf_delete(chain->allocator, grid->cells, lbr_grid_cells(grid), sizeof *grid->cells);
        grid->cells = NULL;
    }
    return LB_OK;
}

static lb_status fill(lbr_space *space, const lbr_chain *chain, const double local[3], const lbr_detail *detail) {
    lbr_zone zone, end;
    lbr_zone_point(&end, local, chain->slack);
    zone = end;
    for (int i = space->count - 1; i >= 0; i--) {
        lbr_zone_sweep(&zone, &chain->links[i]);
        zone.is_all |= !lbm_is_finite(zone.r[1] - zone.r[0]) || !lbm_is_finite(zone.z[1] - zone.z[0]);
        space->zones[i] = zone;
        if (detail->spacing >= 0 && wants_grid(space, chain, i)) {
            const lb_status status = make_grid(space, chain, i, &end, detail);
            if (status) {
                return status;
            }
            zone = space->zones[i];
        }
        lbr_zone_carry(&zone, &chain->links[i].constant);
    }
    if (!space->count) {
        space->zones[0] = zone;
    }
    return LB_OK;
}

lb_status lbr_space_make(lbr_space *space, const lbr_chain *chain, int count, const double local[3],
                         const lbr_detail *detail) {
    const size_t room = (size_t)(count ? count : 1);
    space->count = count;
    space->zones = lbf_new(chain->allocator, room, sizeof *space->zones);
    space->grids = lbf_new(chain->allocator, room, sizeof *space->grids);
    lbm_transform_identity(&space->from_first);
    if (count) {
        space->from_first = chain->links[0].constant;
    }
    lbm_transform_invert(&space->from_first, &space->to_first);
    lb_status status = space->zones && space->grids ? LB_OK : LB_ERROR_MEMORY;
    status = status ? status : fill(space, chain, local, detail);
    if (!status && detail->with_inner && count && space->grids[0].cells) {
        status = lbr_inner_make(&space->inner, chain, local, space->zones, &space->grids[0]);
    }
    return status;
}

void lbr_space_free(lbr_space *space, const lb_allocator *allocator) {
    const size_t room = (size_t)(space->count ? space->count : 1);
    for (int i = 0; space->grids && i < space->count; i++) {
        lbf_delete(allocator, space->grids[i].cells, lbr_grid_cells(&space->grids[i]), sizeof(lbr_cell));
    }
    lbr_inner_free(space->inner, allocator);
    lbf_delete(allocator, space->grids, room, sizeof *space->grids);
    lbf_delete(allocator, space->zones, room, sizeof *space->zones);
}

double lbr_space_missing(const lbr_space *space, int i, const double point[3]) {
    const double missing = lbr_zone_missing(&space->zones[i], point);
    if (!space->grids[i].cells) {
        return missing;
    }
    const double r = sqrt(point[0] * point[0] + point[1] * point[1]);
    return lbr_max(missing, lbr_grid_missing(&space->grids[i], r, point[2], lbm_atan2(point[1], point[0])));
}

void lbr_space_ask(const lbr_space *space, double slack, const double point_w[3], lb_reach_answer *answer) {
    double point[3];
    const lbr_zone *zone = &space->zones[0];
    lbm_apply(&space->to_first, point_w, point);
    const double missing = lbm_proved(lbr_space_missing(space, 0, point),
                                      slack + lbm_motion_slack(2, lbm_norm3(point_w) + lbm_norm3(point)));
    answer->is_exact = lbr_zone_is_exact(zone);
    answer->verdict = LB_REACH_UNKNOWN;
    answer->distance = 0;
    if (missing > 0) {
        answer->verdict = LB_REACH_OUTSIDE;
        answer->distance = missing;
    } else if (answer->is_exact) {
        answer->verdict = LB_REACH_INSIDE;
        answer->distance = lbr_zone_depth(zone, point);
    } else if (space->inner) {
        double depth;
        answer->verdict = lbr_inner_has(space->inner, point, &depth) ? LB_REACH_INSIDE : LB_REACH_UNKNOWN;
        answer->distance = answer->verdict == LB_REACH_INSIDE ? depth : 0;
    }
}
