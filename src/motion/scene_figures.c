/* The figures of a scene: joined where one carries another, copied where limits change, else the stage's own. */
#include "figure/build/builder.h"
#include "motion/scene.h"

static const lbt_hold *hold_of(int count, const lbt_hold *holds, int object) {
    for (int i = 0; i < count; i++) {
        if (holds[i].carry->object == object) {
            return &holds[i];
        }
    }
    return NULL;
}

static int limits_change(const lbt_scene *s, int figure) {
    int first = s->stage->problem->first_variables[figure], count = lbt_stage_figure(s, figure)->variable_count;
    for (int i = 0; i < s->stage->drive_count; i++) {
        const lbt_drive *d = &s->stage->drives[i];
        if (d->target == LB_DRIVE_TARGET_LIMITS && d->index >= first && d->index < first + count) {
            return 1;
        }
    }
    return 0;
}

/* Adds a carried figure to the builder of what carries it, connected by a fixed joint. */
static lb_status attach(lbt_scene *s, lb_builder *b, const lbt_hold *hold) {
    const lb_figure *what = lbt_stage_figure(s, hold->carry->object);
    const lbt_place *who = &s->places[hold->carry->carrier];
    lbt_place *place = &s->places[hold->carry->object];
    char prefix[32] = "", name[40];
    lbf_integer_text(hold->carry->object, prefix);
    size_t size = strlen(prefix);
    memcpy(prefix + size, ":", 2);
    memcpy(name, prefix, sizeof prefix);
    memcpy(name + size + 1, "carried", 8);
    *place = (lbt_place){who->figure, 0, b->draft.joint_count, b->draft.parameter_count, 0, 1};
    int first = lb_builder_attach(b, what, prefix);
    if (first < 0) {
        return (lb_status)first;
    }
    place->first_segment = first;
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = who->first_segment + hold->carry->segment;
    site.frame = hold->relative;
    int site_a = lb_builder_add_site(b, &site);
    site.segment = first + what->draft.root.segment;
    lb_frame_identity(&site.frame);
    int site_b = site_a < 0 ? site_a : lb_builder_add_site(b, &site);
    if (site_b < 0) {
        return (lb_status)site_b;
    }
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = name;
    joint.site_a = site_a;
    joint.site_b = site_b;
    int index = lb_builder_add_joint(b, &joint);
    return index < 0 ? (lb_status)index : LB_OK;
}

/* The loops of a figure keep their order, and follow those of what was there before. */
static void count_loops(lbt_scene *s) {
    for (int i = 0; i < s->figure_count; i++) {
        for (int k = 0; k < s->figure_count; k++) {
            const lbt_place *place = &s->places[i], *other = &s->places[k];
            if (k != i && other->figure == place->figure && other->first_segment < place->first_segment) {
                s->places[i].first_loop += lbt_stage_figure(s, k)->loop_count;
            }
        }
    }
}

/* Figures that nothing carries are the scene's own, in order; returns how many they are. */
static int place_hosts(lbt_scene *s, int hold_count, const lbt_hold *holds) {
    int host_count = 0;
    for (int f = 0; f < s->figure_count; f++) {
        s->places[f].figure = -1;
        if (!hold_of(hold_count, holds, f)) {
            s->places[f] = (lbt_place){host_count++, 0, 0, 0, 0, 0};
        }
    }
    return host_count;
}

/* The figure that carries what carries this, and so on, up to one that nothing carries. */
static int host_of(int hold_count, const lbt_hold *holds, const lbt_hold *hold) {
    int host = hold->carry->carrier;
    for (const lbt_hold *up = hold; (up = hold_of(hold_count, holds, host));) {
        host = up->carry->carrier;
    }
    return host;
}

/* Attaches a carried figure to the builder of its host, which is made when it is first needed. */
static lb_status attach_to_host(lbt_scene *s, int host, const lbt_hold *hold, lb_builder **builders, lb_error *error) {
    if (!builders[host]) {
        builders[host] = lb_builder_from(lbt_stage_figure(s, host), NULL);
    }
    if (!builders[host]) {
        return LB_ERROR_MEMORY;
    }
    lb_status status = attach(s, builders[host], hold);
    if (status && error) {
        *error = *lb_builder_error(builders[host]);
    }
    return status;
}

/* Attaches all that is carried, each after what carries it. */
static lb_status attach_held(lbt_scene *s, int hold_count, const lbt_hold *holds, lb_builder **builders,
                             lb_error *error) {
    int placed = place_hosts(s, hold_count, holds);
    for (int progress = 1; progress && placed < s->figure_count;) {
        progress = 0;
        for (int f = 0; f < s->figure_count; f++) {
            const lbt_hold *hold = hold_of(hold_count, holds, f);
            if (!hold || s->places[f].figure >= 0 || s->places[hold->carry->carrier].figure < 0) {
                continue;
            }
            lb_status status = attach_to_host(s, host_of(hold_count, holds, hold), hold, builders, error);
            if (status) {
                return status;
            }
            progress = 1;
            placed++;
        }
    }
    return placed == s->figure_count
               ? LB_OK
               : lbf_fail(error, LB_ERROR_ARGUMENT, "figures carry each other in a circle", (char *)0);
}

/* Makes the figures that have a builder, or need a copy of their own because their limits change. */
static lb_status finish_figures(lbt_scene *s, lb_builder **builders, lb_error *error) {
    for (int f = 0; f < s->figure_count; f++) {
        if (s->places[f].held) {
            continue;
        }
        if (!builders[f] && limits_change(s, f) && !(builders[f] = lb_builder_from(lbt_stage_figure(s, f), NULL))) {
            return LB_ERROR_MEMORY;
        }
        if (!builders[f]) {
            continue;
        }
        lb_status status = lb_builder_finish(builders[f], &s->figures[s->places[f].figure]);
        if (status) {
            if (error) {
                *error = *lb_builder_error(builders[f]);
            }
            return status;
        }
    }
    count_loops(s);
    return LB_OK;
}

lb_status lbt_scene_make_figures(lbt_scene *s, int hold_count, const lbt_hold *holds, lb_error *error) {
    size_t count = (size_t)s->figure_count;
    lb_builder **builders = lbf_new(&s->allocator, count, sizeof *builders);
    if (!builders) {
        return LB_ERROR_MEMORY;
    }
    lb_status status = attach_held(s, hold_count, holds, builders, error);
    if (!status) {
        status = finish_figures(s, builders, error);
    }
    for (int f = 0; f < s->figure_count; f++) {
        lb_builder_destroy(builders[f]);
    }
    lbf_delete(&s->allocator, builders, count, sizeof *builders);
    return status;
}
