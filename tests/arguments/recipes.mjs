// Valid arguments of the public functions, by type and name: what make_arguments.mjs writes its calls from. Expressions
// are C; world.h has the functions. A function whose arguments are all of these kinds needs nothing here; else the
// generator names what is missing.

/** Objects and outputs by type. `lists`: arrays behind the pointer, as [expression, element, count]. */
export const byType = {
    'lb_builder *': 'world_builder()',
    'const lb_builder *': 'world_builder()',
    'lb_figure *': 'world_own_figure()',
    'const lb_figure *': 'world_figure()',
    'lb_kinematics *': 'world_kinematics()',
    'const lb_kinematics *': 'world_kinematics()',
    'lb_problem *': 'world_problem()',
    'const lb_problem *': 'world_problem()',
    'lb_solver *': 'world_solver()',
    'const lb_solver *': 'world_solver()',
    'lb_habit *': 'world_habit()',
    'const lb_habit *': 'world_habit()',
    'lb_closed *': 'world_closed()',
    'const lb_closed *': 'world_closed()',
    'lb_reach *': 'world_reach()',
    'const lb_reach *': 'world_reach()',
    'lb_servo *': 'world_servo()',
    'const lb_servo *': 'world_servo()',
    'lb_drag *': 'world_drag()',
    'const lb_drag *': 'world_drag()',
    'lb_path *': 'world_path()',
    'const lb_path *': 'world_path()',
    'lb_track *': 'world_track()',
    'const lb_track *': 'world_track()',
    'lb_clip *': 'world_clip()',
    'const lb_clip *': 'world_clip()',
    'lb_motion *': 'world_motion()',
    'const lb_motion *': 'world_motion()',
    'lb_player *': 'world_player()',
    'const lb_player *': 'world_player()',
    'lb_problem_file *': 'world_file()',
    'const lb_problem_file *': 'world_file()',
    'lb_script *': 'world_script()',
    'const lb_script *': 'world_script()',
    'uint64_t *': '&(uint64_t){1}',
    'int *': '(int[1000]){0}',
    'size_t *': '&(size_t){0}',
    'lb_interpolation *': '&(lb_interpolation){0}',
    'const char **': '(const char *[1000]){0}',
    'double (*)[2]': '(double(*)[2])room(0)',
    'double (*)[4]': '(double(*)[4])room(0)',
    'lb_contact *': '(lb_contact[50]){{0}}',
};

/** Numbers by the parameter's name. */
export const byName = {
    dof: '0', segment: '1', site: '1', shape: '0', joint: '3', group: '0', parameter: '0', drive: '0', limit: '0',
    loop: '0',
    variable: '8', row: '0', sides: '6', base_site: '1', is_free: '1', figure: '0', id: 'world_id()', enabled: '1',
    index: '0', winding: '0',
    active: '1', wanted: '2', width: '3', key: '0', frame_count: '3', frame: '1', object: '0', carrier: '1',
    constraint: 'world_id()', stage: '0', point_count: '2', most: '10', contact_count: '1',
    angle_rad: '0.5', swivel_rad: 'world_swivel()', stature_m: '1.5', half_angle_rad: '0.5',
    length_factor: '1.5', mass_factor: '2.0', margin: '0.01',
    weight: '1.0', rigidity: '0.5', apart: '0.1', time: '0.04', frame_time: '0.05', from: '0.05', to: '0.1',
    time_us: '5.0', floor: '0.0', pair: '0', within: '0.1',
};

/** Arrays of doubles by the parameter's name: how many values are looked at, and what they are. */
export const arrays = {
    axis: ['{0, 0, 1}', 3], a: ['{0, 0, 0, 1}', 4], b: ['{0, 0, 0, 1}', 4], rpy_rad: ['{0.1, 0.2, 0.3}', 3],
    rotation: ['{0, 0, 0, 1}', 4], matrix: ['{1, 0, 0, 0, 1, 0, 0, 0, 1}', 9], dofs: ['{0.1, 0.2, 0.3}', 3],
    weights: ['{1, 1, 1, 1, 1, 1, 1, 1, 1}', 9], values: ['{0.1}', 1],
    point: ['{0.1, 0.2, 0.3}', 3], point_w: ['{0.1, 0.2, 0.3}', 3],
    value: ['{0, 0, 0, 0, 0, 0, 1}', 7],
    pose: ['{0}', 'pose'], pose_from: ['{0}', 'pose'], pose_to: ['{0}', 'pose'], start: ['{0}', 'pose'],
    rate: ['{0}', 'pose'],
    acceleration: ['{0}', 'pose'],
    velocity: ['{0}', 'pose'],
    twist: ['{0.1, 0, 0, 0, 0, 0}', 6],
    direction: ['{0, 0, -1}', 3],
    features: ['{0.1}', 1],
    half: ['{1, 1, 1}', 3],
};

/** Arrays that are looked at before they are written. */
export const inAndOut = /^lb_(solver_solve|solve|kinematics_project)\.pose$|^lb_joint_type_dofs\.dofs$/;

/** What a function cannot have of a struct that others take. */
export const fixups = {
    'lb_solve_many.options': ['on_iteration = NULL;'],
    'lb_closed_create.effector': ['segment = 7;'],
};

/** Arguments of single functions. */
export const byParameter = {
    'lb_joint_type_parse.text': '"R(z)*R(x)"',
    'lb_joint_type_spell.text': '(char *)room(0)',
    'lb_joint_type_spell.size': '512',
    'lb_problem_variable_name.text': '(char *)room(0)',
    'lb_problem_variable_name.size': '256',
    'lb_text_free.text': 'world_text()',
    'lb_builder_attach.figure': 'world_arm()',
    'lb_builder_attach.prefix': '"second_"',
    'lb_builder_add_dh_chain.count': '2',
    'lb_builder_find_dof.name': '"left_knee"',
    'lb_constraint_balance.count': '3',
    'lb_constraint_balance.points': '(const double(*)[3])(double[3][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}',
    'lb_closed_create.figure': 'world_limb()',
    'lb_humanoid_find.figure': 'world_biped()',
    'lb_humanoid_free_root.figure': 'world_biped()',
    'lb_figure_stand.figure': 'world_biped()',
    'lb_figure_on_plane.figure': 'world_limb()',
    'lb_path_create.figure': 'world_arm()',
    'lb_path_create.count': '2',
    'lb_path_create.frames': 'world_path_frames()',
    'lb_motion_drive.index': 'world_id()',
    'lb_motion_drive.target': 'LB_DRIVE_TARGET_GOAL',
    'lb_motion_follow.weight': 'world_weight()',
    'lb_motion_carry.segment': '2',
    'lb_motion_stage.problem': 'world_arm_problem()',
    'lb_problem_add_figure.figure': 'world_arm()',
    'lb_figure_split.joint': '5',
    'lb_result_save.method': 'LB_METHOD_LM',
    'lb_problem_file_expects.value': 'room(0)',
    'lb_track_create.kind': 'LB_TRACK_VALUES',
    'lb_servo_set_twist.servo': 'world_arm_servo()',
    'lb_servo_set_twist.id': '1',
    'lb_problem_pair_count.problem': 'world_apart()',
    'lb_problem_collisions.problem': 'world_apart()',
    'lb_problem_pair.problem': 'world_apart()',
    'lb_solver_pair.solver': 'world_apart_solver()',
    'lb_solver_near_pairs.solver': 'world_apart_solver()',
    'lb_solver_near_pairs.most': '1',
    'lb_problem_body.problem': 'world_body_problem()',
    'lb_problem_habit.problem': 'world_body_problem()',
    'lb_solver_body.solver': 'world_body_solver()',
    'lb_statics.solver': 'world_body_solver()',
    'lb_servo_body.servo': 'world_body_servo()',
    'lb_figure_on_plane.figure': 'world_arm()',
    'lb_figure_stand.figure': 'world_dog()',
};

/** Texts: paths by what a function reads or writes, names by what it looks for. */
export const texts = [
    [/^lb_(figure|clip)_load$/, 'path', '"chain:2"'],
    [/^lb_(gltf_|figure_save_pose)/, 'source', 'world_gltf()'],
    [/^lb_figure_save_pose$/, 'path', '"out.fig"'],
    [/^lb_gltf_animations$/, 'path', 'world_gltf()'],
    [/^lb_gltf_save/, 'path', '"out.glb"'],
    [/^lb_problem_load$/, 'path', '"problem.json"'],
    [/^lb_habit_load$/, 'path', '"some.habit"'],
    [/^lb_script_load$/, 'path', '"script.scefo"'],
    [/^lb_figure_save$/, 'path', '"out.fig"'],
    [/^lb_clip_save$/, 'path', '"out.bvh"'],
    [/render$/, 'path', '"out.svg"'],
    [/_save$/, 'path', '"out.json"'],
    [/^lb_problem_save_memory$/, 'files', '"a.fig\\nb.fig"'],
    [/^lb_problem_read_collisions$/, 'folder', '"."'],
    [/from_path$/, 'path', '"a.fig"'],
    [/./, 'site', '"left_foot.tip"'],
    [/./, 'effector', '"left_foot.tip"'],
    [/find_group/, 'name', '"bend"'],
    [/find_parameter/, 'name', '"forward"'],
    [/find_joint/, 'name', '"left_knee"'],
    [/find_variable/, 'name', '"left_knee"'],
    [/find_segment/, 'name', '"left_foot"'],
    [/builder_find_site/, 'name', '"low"'],
    [/find_(site|place|effector)/, 'name', '"left_foot.tip"'],
    [/method_find/, 'name', '"lm"'],
    [/contact_kind_find/, 'name', '"heel"'],
    [/human_name/, 'name', '"left_thigh"'],
    [/^lb_swivel_/, 'joint', '"left_knee"'],
    [/./, 'name', '"some"'],
];

/** Data in memory by function. */
export const data = [
    [/^lb_figure_load_memory$/, 'fig'], [/^lb_clip_load_memory$/, 'bvh'], [/^lb_problem_load_memory$/, 'problem'],
    [/^lb_script_load_memory$/, 'script'], [/^lb_habit_load_memory$/, 'habit'], [/^lb_gltf_/, 'glb'],
    [/^lb_problem_read_collisions$/, 'collisions'],
];

/** What structs point to: field by field, numbers that are changed in turn. */
export const lists = {
    lb_joint: [['world_lists.swing', 'double', 8]],
    lb_drive: [['world_lists.curve_x', 'double', 3], ['world_lists.curve_y', 'double', 3]],
    lb_limit: [['world_lists.coefficients', 'double', 2], ['world_lists.terms', 'int', 6]],
    lb_constraint: [['world_lists.faces', 'double', 24]],
    lb_many: [['world_lists.ids', 'int', 1], ['world_lists.goals', 'double', 14], ['world_lists.starts', 'double', 29]],
    lb_closed_options: [['world_lists.starts', 'double', 7]],
    lb_reach_options: [['world_lists.starts', 'double', 22]],
    lb_scene: [['world_lists.markers', 'lb_marker', 1]],
    lb_save_options: [['world_lists.starts', 'double', 22]],
};

/** Numbers that say how much memory a pointer has: more than there is cannot be noticed, so only less is tried. */
export const claims = [
    /\.(face_count|swing_count|goal_count|constraint_count|limit_count|curve\.count)$/, /^lb_(many|limit)\.count$/,
    /^lb_(swing_cone\.sides|solver_solve_all\.wanted|constraint_balance\.count)$/,
    /^lb_(builder_add_dh_chain|path_create)\.count$/,
    /\.(point_count|contact_count|most|figure_count|marker_count)$/, /^lb_\w+\.size$/,
];

/**
 * What is no mistake, as the headers say: arguments that may be NULL, fields that the rest does not use, flags. Tested
 * with FUNCTION.PARAMETER, STRUCT.FIELD, FUNCTION:STRUCT.FIELD, and with =least or =largest behind where only that int
 * is none.
 */
export const welcome = [
    /^lb_\w+\.(options|error|allocator|context)$/, /_context$/, /^lb_\w+\.(on_\w+|warn|now_us|cancel|report)$/,
    /^lb_(status_text|method_name|outcome_name|format_name|engine_name|reason_name|say_name|determinacy_name)\./,
    /^lb_(closed_kind|reach_kind|servo_hold)_name\./,
    /^lb_builder_freeze_joint\.values$/, /^lb_(problem_set_posture|figure_render)\.pose$/,
    /^lb_servo_((start|correct)\.velocity|set_twist\.twist|tick\.state)$/, /^lb_servo_options\.(velocity|acceleration)$/,
    /^lb_path_options\.(start|velocity|acceleration|is_position|is_from_start|collisions|problem|deadline_us)$/, /^lb_path_pose\.fraction$/,
    /^lb_retarget_(report\.|judge\.bounds$)/, // what came out is judged, whatever it is
    /^lb_path_(result\.|end_name\.)/, /^lb_servo_state\./, /^lb_contact_pair\./, /^lb_solver_near_pairs\.pairs$/,
    /^lb_drag_state\./, /^lb_drag_move\.state$/, /^lb_drag_options\.holds$/, // none are counted
    /^lb_problem_set_collisions\.collisions$/, /^lb_problem_read_collisions\.folder$/,
    /^lb_collisions\.(solids|touching|self)$/, /^lb_solver_value\.gradient$/, /^lb_solve_many\.answers$/,
    /^lb_track_key\.(time|value|interpolation)$/,
    /^lb_(track|clip)_sample\.(rate|acceleration)$/,
    /^lb_player_(pose\.result|rates\.(rate|acceleration)|site\.(frame|velocity|acceleration)_w)$/,
    /^lb_effector_motion\.acceleration_w$/, /^lb_problem_save(_memory)?\.start$/, /_memory\.name$/,
    /^lb_gltf_save_animation\.name$/,
    /^lb_gltf_animation_memory\.name$/, /^lb_problem_file_expects\.(value|tolerance)$/, /^lb_figure_save_memory\.size$/,
    // bodies: lists that are empty, names of no constant, habits of any figure or none
    /^lb_body(_options)?\.(variables|solids|strengths|arms|eases|starts|eyes)$/,
    /^lb_body(_options)?\.(surfaces|supports|loads|obstacles|swivels)$/,
    /^lb_(habit_kind|body_term|contact_kind|side)_name\./, /^lb_habit_data\.(source|credit)$/,
    /^lb_problem_set_habit\.habit$/, /^lb_habit_load(_memory)?\.figure$/,
    /^lb_body_options\.(balance|above_floor|apart|eyes|props|drives)$/, /^lb_body_strength\.by_axis$/,
    /^lb_figure_on_plane\.half$/,
    // flags
    /\.(active|enabled|is_free|outside|disabled|frozen|is_angle|is_prismatic|one_start|hold_feet|tracking)$/,
    /\.(keep_going|smooth|keep_apart|keep_speeds|keep_first_frame|upright|is_met|dark)$/,
    /\.(perspective|show_\w+|has_camera|has_bounds|anatomical_limits|follow_includes)$/,
    /^lb_load_options\.(body|meshes|stand)$/,
    // names that may be NULL, and pointers that stand for nothing
    /^lb_(constraint|limit|dh_row|marker)\.name$/, /^lb_joint\.dof_names$/,
    /^lb_(load_options\.(animation|models|root|packages)|render_options\.title)$/,
    /^lb_((save|closed|reach)_options\.pose|reach_options\.(moves|memory|has_frames))$/,
    /^lb_(player_options\.options|retarget_options\.contacts|allocator\.resize)$/,
    // budgets, counts of threads and numbers that only name something
    /^lb_solve_options\.(subgoals|max_iterations|max_evaluations|restarts)$/, /^lb_cancel\.requested$/, /^lb_closed_options\.max_evaluations$/,
    /^lb_constraint\.any_of=largest$/,
    /^lb_many\.threads=largest$/, /^lb_shape\.color/,
    // negative: none
    /^lb_constraint\.(chain_start|goal\.carrier_segment)=least$/, /^lb_constraint\.goal\.carrier_figure$/,
    /^lb_body_map\.\w+=least$/,
    /^lb_constraint\.goal\.(potential|context)$/, /^lb_root\.site=least$/,
    /^lb_dof_ref\.(joint|parameter|dof)/,
    // parts that the rest does not use
    /^lb_figure_reroot:lb_root\.placement\./,
    /^lb_joint_type\.elements\[[3-5]\]/, /^lb_joint\.type\.elements\[[2-5]\]/, /^lb_joint_type_(dof_count|is_angle):/,
    /^lb_joint\.(lower|upper|rest|rigidity|velocity|acceleration|effort|soft_lower|soft_upper)\[[45]\]/,
    /^lb_render_options\.views\[[1-3]\]/, /^lb_render_options\.views\[0\]/,
    /^lb_drive\.(source\.parameter|curve\.(slope|offset))$/, /^lb_limit\.terms\[[25]\]$/,
    /^lb_marker\.shape\.(segment|frame|color|use)/,
    /^lb_(marker\.)?shape\.(vertex_count|vertices|triangle_count|triangles)/, // of a box
    /^lb_(clip_save|gltf_save_pose|gltf_save_animation|figure_save_pose):lb_save_options\./, /^lb_dh_row\.name$/,
    // poses that are carried as they are, and what lb_solve_many says problem by problem
    /^lb_pose_carry\.pose_from\[\]$/, /^lb_many\.(goals|starts)\[\d*\]$/,
    // numbers of a result, written as they are (null where they are none), and its lists, which may be empty
    /^lb_result\.(value|value_before|gradient_norm|iterations|evaluations|restarts|answer_count)$/,
    /^lb_result\.(constraints|limits|levels|reasons|measures)$/, /^lb_result\.said/, /^lb_say\./,
    /^lb_constraint_result\./, /^lb_result\.freedom\.(variables|freedoms|equations|rank|redundancy)$/,
    /^lb_result_save\.time_us$/,
    /^lb_problem_save(_memory)?:lb_solve_options\.deadline_us$/,
    // nothing is at the pointer where its count is 0
    /^lb_joint_type_spell\.text$/, /^lb_effector_motion\.acceleration$/,
    /^lb_clip_(hold_contacts|contacts)\.contacts$/,
];
