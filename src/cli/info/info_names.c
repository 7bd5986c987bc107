/* What sites, end-effectors and dofs are called in what the program prints. */
#include "cli/cli.h"
#include <stdio.h>
#include <stdlib.h>

void cli_site_name(const lb_figure *figure, int site, char *text, size_t size) {
    const lb_site *s = lb_figure_site(figure, site);
    char raw[512];
    snprintf(raw, sizeof raw, "%s.%s", lb_figure_segment(figure, s->segment)->name, s->name);
    cli_clean(raw, text, size);
}

unsigned char *cli_find_seats(const lb_figure *figure) {
    unsigned char *seats = calloc((size_t)lb_figure_site_count(figure) + 1, 1);
    for (int k = 0; seats && k < lb_figure_joint_count(figure); k++) {
        const lb_joint *joint = lb_figure_joint(figure, k);
        seats[joint->site_a] = seats[joint->site_b] = 1;
    }
    return seats;
}

/* Whether a name leads to this segment and site (-1: the segment itself). */
static int leads_to(const lb_figure *figure, const char *name, int segment, int site) {
    int found_segment = -1, found_site = -1;
    return lb_figure_find_place(figure, name, &found_segment, &found_site, NULL) == LB_OK && found_segment == segment &&
           found_site == site;
}

const char *cli_effector_name(const lb_figure *figure, int segment, int site, char *text, size_t size) {
    const char *own = lb_figure_segment(figure, segment)->name;
    if (site >= 0) {
        own = lb_figure_site(figure, site)->name;
    }
    snprintf(text, size, "%s", own);
    if (!leads_to(figure, text, segment, site) && site >= 0) {
        snprintf(text, size, "%s.%s", lb_figure_segment(figure, segment)->name, own);
    }
    return leads_to(figure, text, segment, site) ? text : NULL;
}

void cli_dof_name(const lb_figure *figure, const lb_dof_ref *ref, char *text, size_t size) {
    char raw[512];
    if (ref->joint >= 0) {
        const lb_joint *joint = lb_figure_joint(figure, ref->joint);
        int is_only = lb_joint_type_dof_count(&joint->type) == 1;
        snprintf(raw, sizeof raw, "%s%s%s", joint->name, is_only ? "" : ".", is_only ? "" : joint->dof_names[ref->dof]);
    } else {
        const lb_parameter *parameter = lb_figure_parameter(figure, ref->parameter);
        snprintf(raw, sizeof raw, "%s.%s", lb_figure_group(figure, parameter->group)->name, parameter->name);
    }
    cli_clean(raw, text, size);
}

int cli_is_driven(const lb_figure *figure, int joint, int dof) {
    for (int k = 0; k < lb_figure_drive_count(figure); k++) {
        const lb_drive *drive = lb_figure_drive(figure, k);
        if (drive->joint == joint && drive->dof == dof) {
            return 1;
        }
    }
    return 0;
}
