/* The options of one body while they are read: shared by the readers of its parts. */
#ifndef LIMBER_IO_PROBLEM_PROBLEM_BODY_H
#define LIMBER_IO_PROBLEM_PROBLEM_BODY_H

#include "io/problem/problem.h"
#include <limber/body.h>

typedef struct lbio_body_file {
    int figure;
    const lb_body *body; /* the figure's */
    lb_body_options options;
    lb_surface surfaces[LB_BODY_PARTS];
    lb_support supports[LB_BODY_PARTS];
    lb_load loads[LB_BODY_PARTS];
    lb_obstacle obstacles[LB_BODY_PARTS];
    lb_swivel swivels[LB_BODY_PARTS];
} lbio_body_file;

/* Whether a foot is meant by `key`: "left" by that of a heel called "left" or "left_heel". */
int lbio_names_foot(const lb_body *body, int contact, const char *key);
/* Whether a contact is the one that its foot is known by: its heel, or its first ball where it has none. */
int lbio_leads_foot(const lb_body *body, int contact);
/* The contact of this name; -1: none. */
int lbio_contact_called(const lb_body *body, const char *name);

/* --- problem_body_scene.c: surfaces, supports, obstacles, swivels --- */
lb_status lbio_read_surfaces(lbio_reader *r, const json_t *list, lbio_body_file *b);
lb_status lbio_read_supports(lbio_reader *r, const json_t *object, lbio_body_file *b);
lb_status lbio_read_obstacles(lbio_reader *r, const json_t *list, lbio_body_file *b);
lb_status lbio_read_swivels(lbio_reader *r, const json_t *object, lbio_body_file *b);
/* Has a contact rest on the surface of this name, or on the floor. */
lb_status lbio_rest_on(lbio_reader *r, lbio_body_file *b, int contact, const char *surface);
/* Whether a file can say the surfaces, supports and swivels: see lbio_can_write_body. */
int lbio_can_write_scene(const lb_figure *figure, const lb_body_options *options);
void lbio_put_scene(lbio_json *json, const lb_figure *figure, const lb_body_options *options);

#endif
