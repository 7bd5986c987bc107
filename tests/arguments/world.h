/* Valid arguments for every public function, made anew for each call: what make_arguments.mjs takes them from. */
#ifndef LIMBER_TESTS_WORLD_H
#define LIMBER_TESTS_WORLD_H

#include <limber/collisions.h>
#include <limber/drag.h>
#include <limber/io.h>
#include <limber/path.h>
#include <limber/servo.h>

#define WORLD_ROOM 20000 /* doubles that any function may write */

/* Objects are made when they are first asked for, and destroyed by world_end. */
const lb_figure *
world_figure(void); /* a walker with a free root, a group, a limit, a swing polygon, a loop; never changes */
const lb_figure *world_arm(void);   /* seven joints */
const lb_figure *world_dog(void);   /* four legs, and no body */
const lb_figure *world_limb(void);  /* seven, with a closed form */
const lb_figure *world_biped(void); /* two legs of hinges */
lb_closed *world_closed(void);
lb_reach *world_reach(void);
lb_servo *world_servo(void);
lb_drag *world_drag(void);
lb_servo *world_arm_servo(void);
lb_servo *world_body_servo(void); /* that has made a tick */
lb_path *world_path(void);
const lb_frame *world_path_frames(void);
double world_swivel(void);
lb_figure *world_own_figure(void);
lb_builder *world_builder(void); /* of the walker */
lb_kinematics *world_kinematics(void);
lb_problem *world_problem(void); /* walker and arm, two constraints */
lb_problem *world_arm_problem(void);
int world_id(void); /* of the problem's first constraint */
lb_solver *world_solver(void);
lb_habit *world_habit(void);
lb_problem *world_body_problem(void); /* whose figure is posed as a body with a habit */
lb_solver *world_body_solver(void);   /* that has solved it */
lb_track *world_track(void);          /* of frames */
lb_track *world_weight(void);         /* of one number */
lb_clip *world_clip(void);
lb_motion *world_motion(void);
lb_player *world_player(void);
lb_problem_file *world_file(void);
lb_script *world_script(void);
char *world_text(void);       /* as the library hands it out */
const char *world_gltf(void); /* a file with the walker */
const void *world_data(const char *kind, size_t *size);
void world_begin(void);
void world_end(void);
/* An object was given to a function that destroyed it, or NULL to one that did nothing. */
void world_destroyed(const void *object);

/* Structs that functions take, filled so that they are accepted. */
void world_fill_allocator(lb_allocator *allocator);
void world_fill_frame(lb_frame *frame);
void world_fill_segment(lb_segment *segment);
void world_fill_site(lb_site *site);
void world_fill_shape(lb_shape *shape);
void world_fill_joint_type(lb_joint_type *type);
void world_fill_joint(lb_joint *joint);
void world_fill_parameter(lb_parameter *parameter);
void world_fill_dof_ref(lb_dof_ref *ref);
void world_fill_drive(lb_drive *drive);
void world_fill_limit(lb_limit *limit);
void world_fill_root(lb_root *root);
void world_fill_effector(lb_effector *effector);
void world_fill_dh_row(lb_dh_row *row);
void world_fill_closed_options(lb_closed_options *options);
lb_solver *world_apart_solver(void); /* of as many variables as the walker and the arm have */
lb_problem *world_apart(void);
void world_fill_collisions(lb_collisions *collisions);
void world_fill_contact_pair(lb_contact_pair *pair);
void world_fill_servo_options(lb_servo_options *options);
void world_fill_servo_state(lb_servo_state *state);
void world_fill_drag_options(lb_drag_options *options);
void world_fill_drag_state(lb_drag_state *state);
void world_fill_path_options(lb_path_options *options);
void world_fill_path_result(lb_path_result *result);
void world_fill_reach_options(lb_reach_options *options);
void world_fill_constraint(lb_constraint *constraint);
void world_fill_cancel(lb_cancel *cancel);
void world_fill_solve_options(lb_solve_options *options);
void world_fill_many(lb_many *many);
void world_fill_player_options(lb_player_options *options);
void world_fill_contact_options(lb_contact_options *options);
void world_fill_contact(lb_contact *contact);
void world_fill_body(lb_body *body);
void world_fill_body_options(lb_body_options *options);
void world_fill_habit_data(lb_habit_data *data);
void world_fill_body_map(lb_body_map *map);
void world_fill_retarget_options(lb_retarget_options *options);
void world_fill_retarget_report(lb_retarget_report *report);
void world_fill_retarget_bounds(lb_retarget_bounds *bounds);
void world_fill_load_options(lb_load_options *options);
void world_fill_save_options(lb_save_options *options);
void world_fill_render_options(lb_render_options *options);
void world_fill_marker(lb_marker *marker);
void world_fill_scene(lb_scene *scene);
void world_fill_result(lb_result *result);

/* What the structs point to. */
typedef struct world_arrays {
    double swing[4][2], curve_x[3], curve_y[3], coefficients[2], faces[6][4], starts[200], poses[400];
    lb_dof_ref terms[2];
    int ids[1];
    lb_frame goals[2];
    lb_answer answers[2];
    const lb_figure *figures[2];
    const double *rest[2]; /* NULL: poses of a scene */
    lb_marker markers[1];
} world_arrays;
extern world_arrays world_lists;

/* What a call left behind is still sound: figures, answers and samples are refused or finite. Returns NULL, or what is
 * wrong. */
const char *world_aftermath(void);

#endif
