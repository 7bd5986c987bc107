/* Uses the core alone: two segments and an elbow, bent by a right angle. */
#include <limber/limber.h>
#include <limber/motion.h>
#include <stdio.h>
#include <string.h>

/* Adds a segment with a site at its end, 0.3 m out along x; returns the site. */
static int add_bone(lb_builder *builder, const char *name) {
    lb_segment segment;
    lb_site site;
    lb_segment_defaults(&segment);
    segment.name = name;
    lb_site_defaults(&site);
    site.segment = lb_builder_add_segment(builder, &segment);
    site.name = "tip";
    site.frame.position[0] = 0.3;
    return lb_builder_add_site(builder, &site);
}

int main(void) {
    lb_builder *builder = lb_builder_create(NULL, NULL);
    lb_site base;
    lb_joint elbow;
    lb_figure *figure = NULL;
    lb_kinematics *kinematics;
    lb_frame frame_w;
    lb_track *track;
    double pose = 1.5707963267948966, angle = 0;
    int upper_tip, lower_tip, well;

    if (strcmp(lb_version(), LB_VERSION_TEXT) != 0) {
        printf("the header is of %s, the library of %s\n", LB_VERSION_TEXT, lb_version());
        return 1;
    }
    upper_tip = add_bone(builder, "upper");
    lower_tip = add_bone(builder, "lower");
    lb_site_defaults(&base);
    base.name = "base";
    base.segment = lb_builder_find_segment(builder, "lower");
    lb_joint_defaults(&elbow);
    elbow.name = "elbow";
    elbow.site_a = upper_tip;
    elbow.site_b = lb_builder_add_site(builder, &base);
    lb_joint_type_parse("R(z)", &elbow.type, NULL);
    lb_builder_add_joint(builder, &elbow);
    if (lb_builder_finish(builder, &figure) != LB_OK) {
        printf("%s\n", lb_builder_error(builder)->message);
        return 1;
    }
    kinematics = lb_kinematics_create(figure, NULL);
    lb_kinematics_update(kinematics, &pose);
    lb_kinematics_site(kinematics, lower_tip, &frame_w);
    printf("limber %s: the tip is at %.3f %.3f\n", lb_version(), frame_w.position[0], frame_w.position[1]);
    track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    lb_track_set(track, 0, &pose, LB_INTERPOLATION_LINEAR);
    lb_track_sample(track, 1, &angle, NULL, NULL);
    lb_track_destroy(track);
    well =
        angle == pose && frame_w.position[0] > 0.2999 && frame_w.position[0] < 0.3001 && frame_w.position[1] > 0.2999;
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    lb_builder_destroy(builder);
    return well ? 0 : 1;
}
