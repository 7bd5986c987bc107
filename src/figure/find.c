/* What a name stands for on a figure: a site, or a segment's own frame; and what to say where it is neither. */
#include <string.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "figure/suggest.h"

#define LISTED_MOST 6
#define SEVERAL (-2) /* what the table of sites' own names has where several segments have one */

static int joint_at(const lb_figure *figure, int site) {
    for (int k = 0; k < figure->draft.joint_count; k++) {
        if (figure->draft.joints[k].site_a == site || figure->draft.joints[k].site_b == site) {
            return 1;
        }
    }
    return 0;
}

/* "segment.site" */
static void full_name(const lb_figure *figure, int site, char text[LBF_SUGGESTION_SIZE * 2]) {
    const lb_site *s = &figure->draft.sites[site];
    const char *segment = figure->draft.segments[s->segment].name;
    size_t first = strlen(segment), second = strlen(s->name);
    text[0] = 0;
    if (first + second + 2 <= LBF_SUGGESTION_SIZE * 2) {
        memcpy(text, segment, first);
        text[first] = '.';
        memcpy(text + first + 1, s->name, second + 1);
    }
}

static const char *suggest(const lb_figure *figure, const char *name, char text[LBF_SUGGESTION_TEXT]) {
    lbf_suggestions s;
    lbf_suggest_begin(&s, name);
    for (int k = 0; k < figure->draft.segment_count; k++) {
        lbf_suggest_offer(&s, figure->draft.segments[k].name, figure->draft.segments[k].name);
    }
    for (int k = 0; k < figure->draft.site_count; k++) {
        char full[LBF_SUGGESTION_SIZE * 2];
        const char *own = figure->draft.sites[k].name;
        full_name(figure, k, full);
        int is_only = lbf_names_find(&figure->names, 1, own) != SEVERAL;
        lbf_suggest_offer(&s, own, is_only ? own : full);
        if (strchr(name, '.')) {
            lbf_suggest_offer(&s, full, full);
        }
    }
    return lbf_suggest_text(&s, text);
}

/* A list of names with commas, which begins with `text` and says how many more there are. */
typedef struct list {
    char text[LBF_SUGGESTION_TEXT];
    size_t used;
    int count, left_out;
} list;

static void list_piece(list *l, const char *piece) {
    size_t size = strlen(piece);
    memcpy(l->text + l->used, piece, size + 1);
    l->used += size;
}

static void list_name(list *l, const char *name) {
    if (l->count >= LISTED_MOST || l->used + strlen(name) + 40 > sizeof l->text) {
        l->left_out++;
        return;
    }
    list_piece(l, l->count++ ? ", `" : "`");
    list_piece(l, name);
    list_piece(l, "`");
}

static void list_end(list *l) {
    char number[24];
    if (l->left_out) {
        list_piece(l, " and ");
        list_piece(l, lbf_integer_text(l->left_out, number));
        list_piece(l, " more");
    }
}

static lb_status fail_several(const lb_figure *figure, const char *name, lb_error *error) {
    list sites = {.text = ""};
    for (int k = 0; k < figure->draft.site_count; k++) {
        char full[LBF_SUGGESTION_SIZE * 2];
        if (strcmp(figure->draft.sites[k].name, name) == 0) {
            full_name(figure, k, full);
            list_name(&sites, full);
        }
    }
    list_end(&sites);
    return lbf_fail(error, LB_ERROR_NAME, "several segments of figure `", figure->draft.name, "` have a site `", name,
                    "`; name one of them: ", sites.text, NULL);
}

/* The segment that a joint carries, as seen from the root. */
static const char *carried_by(const lb_figure *figure, int joint) {
    for (int k = 0; k < figure->draft.segment_count; k++) {
        if (figure->parent_joint[k] == joint) {
            return figure->draft.segments[k].name;
        }
    }
    return NULL;
}

static lb_status fail_unknown(const lb_figure *figure, const char *name, lb_error *error) {
    char near_names[LBF_SUGGESTION_TEXT];
    const char *start = "figure `", *middle = "` has no site or segment `";
    int joint = lb_figure_find_joint(figure, name);
    const char *carried = joint >= 0 ? carried_by(figure, joint) : NULL;
    if (carried) {
        return lbf_fail(error, LB_ERROR_NAME, start, figure->draft.name, middle, name,
                        "`: that is a joint, which carries the segment `", carried, "`", NULL);
    }
    if (*suggest(figure, name, near_names)) {
        return lbf_fail(error, LB_ERROR_NAME, start, figure->draft.name, middle, name, "`; ", near_names, NULL);
    }
    list segments = {.text = ""};
    for (int k = 0; k < figure->draft.segment_count; k++) {
        list_name(&segments, figure->draft.segments[k].name);
    }
    list_end(&segments);
    return lbf_fail(error, LB_ERROR_NAME, start, figure->draft.name, middle, name, "`; its segments are ",
                    segments.text, NULL);
}

lb_status lb_figure_find_place(const lb_figure *figure, const char *name, int *segment, int *site, lb_error *error) {
    if (!figure || !name || !segment || !site) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a figure, a name, and where to put the answer are needed", NULL);
    }
    int found = lb_figure_find_site(figure, name), part = lb_figure_find_segment(figure, name);
    if (found < 0 && part < 0) {
        return !error             ? LB_ERROR_NAME
               : !*name           ? lbf_fail(error, LB_ERROR_NAME, "the name of a site or segment is empty", NULL)
               : found == SEVERAL ? fail_several(figure, name, error)
                                  : fail_unknown(figure, name, error);
    }
    /* Readers name the sites that joints sit at after the joints: such a site does not hide a segment. */
    int is_site = found >= 0 && (part < 0 || !joint_at(figure, found));
    *site = is_site ? found : -1;
    *segment = is_site ? figure->draft.sites[found].segment : part;
    return LB_OK;
}

lb_status lb_figure_find_effector(const lb_figure *figure, const char *name, lb_effector *effector, lb_error *error) {
    int segment = -1, site = -1;
    if (!effector) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "there is no end-effector to fill in", NULL);
    }
    lb_status status = lb_figure_find_place(figure, name, &segment, &site, error);
    if (status == LB_ERROR_NAME && strcmp(name, "com") == 0) {
        lbf_clear(error);
        lb_effector_from_com(effector);
        return LB_OK;
    }
    return status      ? status
           : site >= 0 ? lb_effector_from_site(figure, site, effector)
                       : lb_effector_from_segment(figure, segment, effector);
}
