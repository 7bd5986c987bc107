/* Arms, palms that face what they touch, and eyes. */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "solve/body/body.h"

#define HEAD_LOOK 0.22
#define EYE_LOOK 0.25

static const double ahead[3] = {1, 0, 0};

/* --- Arms ------------------------------------------------------------------------------------------------------------------- */

static int is_busy(const lbs_body *b, const lbs_space *s, const lb_body_arm *arm) {
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (s->items[i].enabled && c->figure == b->number && c->effector.kind == LB_EFFECTOR_FRAME &&
            lbs_is_in(b->figure, c->effector.segment, arm->shoulder)) {
            return 1;
        }
    }
    for (int i = 0; i < b->stand.contact_count; i++) {
        if (b->stand.contacts[i].is_support && lbs_is_in(b->figure, b->body->contacts[i].segment, arm->shoulder)) {
            return 1;
        }
    }
    return 0;
}

/* The x axis of a site in the frame of its node. */
static void site_axis(const lbs_body *b, int site, double axis[3]) {
    lbm_transform t;
    lbm_transform_from_frame(&b->figure->draft.sites[site].frame, &t);
    lbm_rotate(&b->figure->mounts[b->figure->draft.sites[site].segment].offset, t.x, axis);
}

void lbs_plan_arms(lbs_body *b, const lbs_space *s) {
    b->arm_count = b->body->arm_count < LBS_MAX_ARMS ? b->body->arm_count : LBS_MAX_ARMS;
    for (int i = 0; i < b->arm_count; i++) {
        const lb_body_arm *arm = &b->body->arms[i];
        lbs_arm_of_body *made = &b->arms[i];
        *made = (lbs_arm_of_body){.is_idle = !is_busy(b, s, arm),
                                  .shoulder = lbs_plan_point(b, arm->shoulder, lbs_origin),
                                  .hand = lbs_plan_point(b, arm->hand, lbs_origin)};
        made->palm = made->hand;
        if (arm->palm >= 0) {
            const lb_site *site = &b->figure->draft.sites[arm->palm];
            made->palm = lbs_plan_point(b, site->segment, site->frame.position);
            site_axis(b, arm->palm, made->palm_axis);
        }
        made->lap = arm->lap >= 0 ? lbs_plan_point(b, arm->lap, arm->lap_point) : made->hand;
        if (arm->lap >= 0) {
            lbm_rotate(&b->figure->mounts[arm->lap].offset, ahead, made->lap_axis);
        }
    }
}

/* The direction from a point towards the axis of the solid that it is nearest to, in the rest pose; both in the
 * world. */
static int towards_body(const lbs_body *b, const double at[3], int except, double direction[3]) {
    double best = INFINITY;
    for (int i = 0; i < b->solid_count; i++) {
        if (lbs_is_in(b->figure, b->body->solids[i].segment, except)) {
            continue;
        }
        double place[3], p[3], q[3], normal[3];
        const lbs_solid dot = lbs_solid_at(at, place);
        const double distance = lbs_solid_distance(&dot, &b->solids[i], p, q, normal);
        if (distance < best) {
            best = distance;
            lbm_set3(direction, -normal[0], -normal[1], -normal[2]);
        }
    }
    return best < INFINITY;
}

void lbs_plan_faces(lbs_body *b, const lbs_space *s) {
    b->face_count = 0;
    for (int i = 0; i < b->arm_count; i++) {
        const lb_body_arm *arm = &b->body->arms[i];
        for (int k = 0; k < b->stand.contact_count && arm->palm >= 0; k++) {
            if (b->stand.contacts[k].is_support && b->body->contacts[k].kind == LB_CONTACT_PALM &&
                lbs_is_in(b->figure, b->body->contacts[k].segment, arm->shoulder) && b->face_count < LBS_MAX_FACES) {
                lbs_face *face = &b->faces[b->face_count++];
                *face = (lbs_face){.palm = b->arms[i].palm, .carrier = -1};
                lbm_copy3(face->direction, lbs_plane_of(b, b->stand.contacts[k].surface).axes.normal);
                lbm_copy3(face->axis, b->arms[i].palm_axis);
            }
        }
        for (int k = 0; k < s->item_count && arm->palm >= 0; k++) {
            const lb_constraint *c = s->items[k].constraint;
            const int carrier = c->goal.carrier_segment;
            if (!s->items[k].enabled || c->figure != b->number || c->goal.kind != LB_GOAL_POSITION || carrier < 0 ||
                carrier >= b->figure->draft.segment_count || c->goal.carrier_figure != b->number ||
                c->effector.kind != LB_EFFECTOR_FRAME || !lbs_is_in(b->figure, c->effector.segment, arm->hand) ||
                b->face_count == LBS_MAX_FACES) {
                continue;
            }
            const lbs_body_point at = lbs_body_point_of(b, carrier, c->goal.point);
            double world[3], direction[3], back[3];
            lbm_apply(lbs_body_frame(b, at.spot), at.local, world);
            if (towards_body(b, world, arm->shoulder, direction)) {
                lbs_face *face = &b->faces[b->face_count++];
                *face = (lbs_face){.palm = b->arms[i].palm, .carrier = at.spot};
                lbm_copy3(face->axis, b->arms[i].palm_axis);
                lbs_rotate_back(lbs_body_frame(b, at.spot), direction, back);
                lbm_set3(face->direction, -back[0], -back[1], -back[2]);
            }
        }
    }
}

/* --- Eyes ------------------------------------------------------------------------------------------------------------------- */

lbs_gaze lbs_gaze_of(const lb_problem *p, const lb_constraint *c) {
    const lb_body_options *o = lb_problem_body(p, c->figure);
    const lb_body *body = o ? p->figures[c->figure]->draft.body : NULL;
    if (!body || body->gaze < 0 || c->goal.kind != LB_GOAL_AIM || c->effector.kind != LB_EFFECTOR_FRAME) {
        return LBS_GAZE_NONE;
    }
    const lb_site *site = &p->figures[c->figure]->draft.sites[body->gaze];
    if (c->effector.segment != site->segment ||
        memcmp(c->effector.point, site->frame.position, 3 * sizeof(double)) != 0) {
        return LBS_GAZE_NONE;
    }
    return o->eyes && body->eye_count > 0 ? LBS_GAZE_EYES : LBS_GAZE_HEAD;
}

void lbs_redirect_gaze(const lb_problem *p, lb_constraint *c) {
    const lb_body *body = p->figures[c->figure]->draft.body;
    c->effector.segment = body->eyes[0];
    lbm_set3(c->effector.point, 0, 0, 0);
    lbm_set3(c->effector.x, 1, 0, 0);
    lbm_set3(c->effector.y, 0, 1, 0);
}

/* What the caller wants looked at: the last of his constraints that aims the gaze. */
static void find_gaze(lbs_body *b, const lbs_space *s) {
    lbs_body_gaze *gaze = &b->gaze;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->enabled && item->index >= 0 && item->constraint->figure == b->number &&
            lbs_gaze_of(s->problem, &s->problem->constraints[item->index].constraint)) {
            gaze->has_gaze = 1;
            gaze->target_items[0] = i;
            gaze->target_count = 1;
        }
    }
}

/* Whether a constraint places a hand somewhere in the world. */
static int places_hand(const lbs_body *b, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    if (!item->enabled || c->figure != b->number || c->effector.kind != LB_EFFECTOR_FRAME ||
        (c->goal.kind != LB_GOAL_POSITION && c->goal.kind != LB_GOAL_FRAME) || c->goal.carrier_segment >= 0) {
        return 0;
    }
    for (int k = 0; k < b->body->arm_count; k++) {
        if (lbs_is_in(b->figure, c->effector.segment, b->body->arms[k].hand)) {
            return 1;
        }
    }
    return 0;
}

/* Where the caller says nothing of the gaze, the eyes follow the hands. */
static void follow_hands(lbs_body *b, const lbs_space *s) {
    lbs_body_gaze *gaze = &b->gaze;
    for (int i = 0; i < s->item_count && gaze->target_count < LBS_MAX_TARGETS; i++) {
        if (places_hand(b, &s->items[i])) {
            gaze->target_items[gaze->target_count++] = i;
            gaze->has_target = 1;
        }
    }
}

void lbs_plan_looks(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    lbs_body_gaze *gaze = &b->gaze;
    const int eyes = b->options->eyes ? (body->eye_count < LBS_MAX_EYES ? body->eye_count : LBS_MAX_EYES) : 0;
    gaze->look_count = gaze->target_count = gaze->has_gaze = gaze->has_target = 0;
    find_gaze(b, s);
    if (!gaze->has_gaze) {
        follow_hands(b, s);
    }
    if (!gaze->has_gaze && !gaze->has_target) {
        return;
    }
    if (!gaze->has_gaze && body->gaze >= 0) {
        const lb_site *site = &b->figure->draft.sites[body->gaze];
        lbs_look *look = &gaze->looks[gaze->look_count++];
        *look = (lbs_look){.eye = lbs_plan_point(b, site->segment, site->frame.position), .weight = HEAD_LOOK};
        site_axis(b, body->gaze, look->axis);
    }
    for (int i = 0; i < eyes; i++) {
        lbs_look *look = &gaze->looks[gaze->look_count++];
        *look = (lbs_look){
            .eye = lbs_plan_point(b, body->eyes[i], lbs_origin), .weight = EYE_LOOK, .is_goal = gaze->has_gaze};
        lbm_rotate(&b->figure->mounts[body->eyes[i]].offset, ahead, look->axis);
    }
}
