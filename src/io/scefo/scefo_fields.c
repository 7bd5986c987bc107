/* Which fields the objects of a SCEFO script may set. */
#include <string.h>

#include "io/scefo/scefo.h"

lb_status lbio_scefo_check_fields(lbio_scefo *s) {
    static const char *const of_joints[] = {"joint_type",      "link1",       "link2",         "limit_rot_x",
                                            "limit_rot_y",     "limit_rot_z", "limit_trans_x", "limit_trans_y",
                                            "limit_trans_z",   "weight",      "joint_rotate",  "joint_reach",
                                            "joint_translate", "priority",    "method"};
    static const char *const of_linkages[] = {"add_joint", "delete_joint", "root"};
    for (int i = 0; i < s->object_count; i++) {
        lbio_scefo_class class_ = s->objects[i].class_;
        const char *const *known = class_ == SCEFO_JOINT ? of_joints : of_linkages;
        int count = class_ == SCEFO_JOINT ? 15 : class_ == SCEFO_LINKAGE ? 3 : 0, found = 0;
        for (const lbio_scefo_op *op = s->objects[i].ops; op; op = op->next) {
            if (op->kind != SCEFO_SET_FIELD) {
                continue;
            }
            found = 0;
            for (int k = 0; k < count; k++) {
                found |= strcmp(op->field, known[k]) == 0;
            }
            const char *near_name = lbio_nearest(op->field, known, count);
            if (!found && count == 0) {
                lbio_scefo_warn(s, op->file, op->line, "the field \"%.60s\" of \"%.60s\" is not used", op->field,
                                s->objects[i].name);
            } else if (!found) {
                return lbio_scefo_fail(s, op->file, op->line, "a %s has no field \"%.60s\"%s%s%s",
                                       class_ == SCEFO_JOINT ? "joint" : "linkage", op->field,
                                       near_name ? "; did you mean \"" : "", near_name ? near_name : "",
                                       near_name ? "\"?" : "");
            }
        }
    }
    return LB_OK;
}
