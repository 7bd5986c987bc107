/* A pose in a URDF file: the initial values of its joints, as ros2_control has them, in a <ros2_control
 * name="limber_pose">. Joints mean what they meant: programs that do not know the element show them at 0. */
#include "io/pose.h"
#include "io/urdf/urdf.h"
#include "io/urdf/urdf_out.h"

#include <string.h>

#define BLOCK "limber_pose"

/* ---------------------------------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------------------------------- */

/* The <param name="initial_value"> of a joint's position; *value stays where there is none. */
static void read_value(const lbio_xml *joint, double *value) {
    for (const lbio_xml *s = lbio_xml_child(joint, "state_interface"); s; s = lbio_xml_next(s, "state_interface")) {
        const char *of = lbio_xml_get(s, "name");
        for (const lbio_xml *p = lbio_xml_child(s, "param"); of && p; p = lbio_xml_next(p, "param")) {
            const char *name = lbio_xml_get(p, "name");
            if (strcmp(of, "position") == 0 && name && strcmp(name, "initial_value") == 0) {
                lbio_number(p->text, p->text + strlen(p->text), value);
            }
        }
    }
}

void lbio_urdf_read_initial(lbio_urdf *urdf) {
    const lbio_xml *block = lbio_xml_child(urdf->robot, "ros2_control");
    while (block && !(lbio_xml_get(block, "name") && strcmp(lbio_xml_get(block, "name"), BLOCK) == 0)) {
        block = lbio_xml_next(block, "ros2_control");
    }
    for (const lbio_xml *j = block ? lbio_xml_child(block, "joint") : NULL; j; j = lbio_xml_next(j, "joint")) {
        const char *name = lbio_xml_get(j, "name");
        const int joint = name ? lbio_names_find(&urdf->joint_names, name) : -1;
        if (joint >= 0) {
            read_value(j, &urdf->joints[joint].initial);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Writing
 * ------------------------------------------------------------------------------------------------- */

/* Past a comment, a processing instruction or character data that begins at `at`; NULL: none does. */
static const char *skip_other(const char *at) {
    static const char *const kinds[][2] = {{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strncmp(at, kinds[k][0], strlen(kinds[k][0])) == 0) {
            const char *end = strstr(at, kinds[k][1]);
            return end ? end + strlen(kinds[k][1]) : at + strlen(at);
        }
    }
    return NULL;
}

/* Where the file's own block is, and where its robot ends. NULL: it has none. */
typedef struct places {
    const char *begin, *end; /* of the block, with the blanks before it */
    const char *close;       /* of </robot> */
} places;

static const char *after_blanks_before(const char *text, const char *at) {
    while (at > text && strchr(" \t\r\n", at[-1])) {
        at--;
    }
    return at;
}

static int is_block(const char *at) {
    const char *end = strchr(at, '>'), *name = strstr(at, BLOCK);
    return strncmp(at, "<ros2_control", 13) == 0 && end && name && name < end;
}

static places find_places(const char *text) {
    places found = {NULL, NULL, NULL};
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const char *past = skip_other(at);
        if (past) {
            at = past;
            continue;
        }
        if (is_block(at)) {
            const char *end = strstr(at, "</ros2_control");
            end = end ? strchr(end, '>') : NULL;
            if (end) {
                found.begin = after_blanks_before(text, at);
                found.end = end + 1;
                at = end;
            }
        }
        found.close = strncmp(at, "</robot", 7) == 0 ? at : found.close;
        at++;
    }
    return found;
}

static void put_block(const lb_figure *own, const double *pose, lbio_text *out) {
    lbio_text_add(out, "\n  <ros2_control name=\"" BLOCK "\" type=\"system\">\n");
    for (int v = 0; v < lb_figure_variable_count(own); v++) {
        const lb_variable *variable = lb_figure_variable(own, v);
        const lb_joint *joint = variable->ref.joint >= 0 ? lb_figure_joint(own, variable->ref.joint) : NULL;
        if (!joint || lb_joint_type_dof_count(&joint->type) != 1) {
            continue; /* planar and floating joints have no one position */
        }
        lbio_text_add(out, "    <joint name=\"");
        lbio_urdf_write_escaped(out, joint->name);
        lbio_text_add(out, "\"><state_interface name=\"position\"><param name=\"initial_value\">");
        lbio_text_number(out, pose[v]);
        lbio_text_add(out, "</param></state_interface></joint>\n");
    }
    lbio_text_add(out, "  </ros2_control>");
}

lb_status lbio_urdf_put_pose(const lbio_source *source, const lb_figure *own, const double *pose, lbio_text *out) {
    const places found = find_places(source->text);
    const char *end = source->text + source->size;
    if (!found.close) {
        return lbio_fail(source, LB_ERROR_UNSUPPORTED, 0, "has no </robot> that the pose could be written before");
    }
    const char *begin = found.begin ? found.begin : after_blanks_before(source->text, found.close);
    lbio_text_bytes(out, source->text, (size_t)(begin - source->text));
    put_block(own, pose, out);
    lbio_text_add(out, found.begin || begin < found.close ? "" : "\n");
    begin = found.begin ? found.end : begin;
    lbio_text_bytes(out, begin, (size_t)(end - begin));
    return LB_OK;
}
