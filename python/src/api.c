/* clang-format off */
/* Made from include/limber/ by python/make_api.mjs: the C interface for Python. Do not edit. */
#include "lbpy.h"

static const lbpy_word lb_status_words[] = {
    {"ok", LB_OK},
    {"argument", LB_ERROR_ARGUMENT},
    {"memory", LB_ERROR_MEMORY},
    {"name", LB_ERROR_NAME},
    {"figure", LB_ERROR_FIGURE},
    {"limit", LB_ERROR_LIMIT},
    {"file", LB_ERROR_FILE},
    {"syntax", LB_ERROR_SYNTAX},
    {"unsupported", LB_ERROR_UNSUPPORTED},
    {"too-large", LB_ERROR_TOO_LARGE},
    {"struct", LB_ERROR_STRUCT},
    {NULL, 0}};

static const lbpy_word lb_shape_kind_words[] = {
    {"sphere", LB_SHAPE_SPHERE},
    {"capsule", LB_SHAPE_CAPSULE},
    {"box", LB_SHAPE_BOX},
    {"cylinder", LB_SHAPE_CYLINDER},
    {"ellipsoid", LB_SHAPE_ELLIPSOID},
    {"hull", LB_SHAPE_HULL},
    {"half-space", LB_SHAPE_HALF_SPACE},
    {"mesh", LB_SHAPE_MESH},
    {NULL, 0}};

static const lbpy_word lb_shape_use_words[] = {
    {"both", LB_SHAPE_USE_BOTH},
    {"drawn", LB_SHAPE_USE_DRAWN},
    {"solid", LB_SHAPE_USE_SOLID},
    {NULL, 0}};

static const lbpy_word lb_element_kind_words[] = {
    {"rotate", LB_ELEMENT_ROTATE},
    {"translate", LB_ELEMENT_TRANSLATE},
    {"swing-twist", LB_ELEMENT_SWING_TWIST},
    {"rotation", LB_ELEMENT_ROTATION},
    {NULL, 0}};

static const lbpy_word lb_curve_kind_words[] = {
    {"linear", LB_CURVE_LINEAR},
    {"polyline", LB_CURVE_POLYLINE},
    {"spline", LB_CURVE_SPLINE},
    {NULL, 0}};

static const lbpy_word lb_limit_kind_words[] = {
    {"at-most", LB_LIMIT_AT_MOST},
    {"equal", LB_LIMIT_EQUAL},
    {NULL, 0}};

static const lbpy_word lb_effector_kind_words[] = {
    {"frame", LB_EFFECTOR_FRAME},
    {"com", LB_EFFECTOR_COM},
    {NULL, 0}};

static const lbpy_word lb_dh_convention_words[] = {
    {"standard", LB_DH_CONVENTION_STANDARD},
    {"modified", LB_DH_CONVENTION_MODIFIED},
    {NULL, 0}};

static const lbpy_word lb_closed_kind_words[] = {
    {"meeting", LB_CLOSED_MEETING},
    {"parallel", LB_CLOSED_PARALLEL},
    {"general", LB_CLOSED_GENERAL},
    {"planar", LB_CLOSED_PLANAR},
    {"limb", LB_CLOSED_LIMB},
    {"seven", LB_CLOSED_SEVEN},
    {"grouped", LB_CLOSED_GROUPED},
    {NULL, 0}};

static const lbpy_word lb_reach_kind_words[] = {
    {"unknown", LB_REACH_UNKNOWN},
    {"inside", LB_REACH_INSIDE},
    {"outside", LB_REACH_OUTSIDE},
    {NULL, 0}};

static const lbpy_word lb_say_kind_words[] = {
    {"reached", LB_SAY_REACHED},
    {"outcome", LB_SAY_OUTCOME},
    {"proof", LB_SAY_PROOF},
    {"missed", LB_SAY_MISSED},
    {"limit", LB_SAY_LIMIT},
    {"blocked", LB_SAY_BLOCKED},
    {"going-on", LB_SAY_GOING_ON},
    {"no-reason", LB_SAY_NO_REASON},
    {"figure", LB_SAY_FIGURE},
    {"step", LB_SAY_STEP},
    {"support", LB_SAY_SUPPORT},
    {"balance", LB_SAY_BALANCE},
    {"effort", LB_SAY_EFFORT},
    {"overlap", LB_SAY_OVERLAP},
    {NULL, 0}};

static const lbpy_word lb_goal_kind_words[] = {
    {"position", LB_GOAL_POSITION},
    {"orientation", LB_GOAL_ORIENTATION},
    {"frame", LB_GOAL_FRAME},
    {"aim", LB_GOAL_AIM},
    {"line", LB_GOAL_LINE},
    {"plane", LB_GOAL_PLANE},
    {"half-space", LB_GOAL_HALF_SPACE},
    {"box", LB_GOAL_BOX},
    {"sphere", LB_GOAL_SPHERE},
    {"capsule", LB_GOAL_CAPSULE},
    {"circle", LB_GOAL_CIRCLE},
    {"disc", LB_GOAL_DISC},
    {"polyhedron", LB_GOAL_POLYHEDRON},
    {"custom", LB_GOAL_CUSTOM},
    {"apart", LB_GOAL_APART},
    {NULL, 0}};

static const lbpy_word lb_wish_level_words[] = {
    {"own", LB_WISH_LEVEL_OWN},
    {"goals", LB_WISH_LEVEL_GOALS},
    {NULL, 0}};

static const lbpy_word lb_method_words[] = {
    {"lm", LB_METHOD_LM},
    {"bfgs", LB_METHOD_BFGS},
    {"ccd", LB_METHOD_CCD},
    {"jacobian", LB_METHOD_JACOBIAN},
    {"fabrik", LB_METHOD_FABRIK},
    {"closed", LB_METHOD_CLOSED},
    {"hierarchy", LB_METHOD_HIERARCHY},
    {NULL, 0}};

static const lbpy_word lb_jacobian_variant_words[] = {
    {"transpose", LB_JACOBIAN_VARIANT_TRANSPOSE},
    {"pseudo-inverse", LB_JACOBIAN_VARIANT_PSEUDO_INVERSE},
    {"damped", LB_JACOBIAN_VARIANT_DAMPED},
    {"svd-damped", LB_JACOBIAN_VARIANT_SVD_DAMPED},
    {NULL, 0}};

static const lbpy_word lb_bfgs_update_words[] = {
    {"switch", LB_BFGS_UPDATE_SWITCH},
    {"bfgs", LB_BFGS_UPDATE_BFGS},
    {"dfp", LB_BFGS_UPDATE_DFP},
    {NULL, 0}};

static const lbpy_word lb_ccd_variant_words[] = {
    {"dof", LB_CCD_VARIANT_DOF},
    {"axis", LB_CCD_VARIANT_AXIS},
    {NULL, 0}};

static const lbpy_word lb_outcome_words[] = {
    {"invalid", LB_OUTCOME_INVALID},
    {"solved", LB_OUTCOME_SOLVED},
    {"minimum", LB_OUTCOME_MINIMUM},
    {"budget", LB_OUTCOME_BUDGET},
    {NULL, 0}};

static const lbpy_word lb_engine_words[] = {
    {"none", LB_ENGINE_NONE},
    {"arm", LB_ENGINE_ARM},
    {"lm", LB_ENGINE_LM},
    {"bfgs", LB_ENGINE_BFGS},
    {"ccd", LB_ENGINE_CCD},
    {"jacobian", LB_ENGINE_JACOBIAN},
    {"fabrik", LB_ENGINE_FABRIK},
    {"closed", LB_ENGINE_CLOSED},
    {"hierarchy", LB_ENGINE_HIERARCHY},
    {NULL, 0}};

static const lbpy_word lb_reason_kind_words[] = {
    {"limit", LB_REASON_LIMIT},
    {"row", LB_REASON_ROW},
    {"goal", LB_REASON_GOAL},
    {"obstacle", LB_REASON_OBSTACLE},
    {"distance", LB_REASON_DISTANCE},
    {"budget", LB_REASON_BUDGET},
    {"start", LB_REASON_START},
    {"step", LB_REASON_STEP},
    {"balance", LB_REASON_BALANCE},
    {"apart", LB_REASON_APART},
    {"floor", LB_REASON_FLOOR},
    {"region", LB_REASON_REGION},
    {NULL, 0}};

static const lbpy_word lb_determinacy_words[] = {
    {"unknown", LB_DETERMINACY_UNKNOWN},
    {"under", LB_DETERMINACY_UNDER},
    {"perfect", LB_DETERMINACY_PERFECT},
    {"over", LB_DETERMINACY_OVER},
    {NULL, 0}};

static const lbpy_word lb_contact_kind_words[] = {
    {"heel", LB_CONTACT_HEEL},
    {"ball", LB_CONTACT_BALL},
    {"toe", LB_CONTACT_TOE},
    {"knee", LB_CONTACT_KNEE},
    {"seat", LB_CONTACT_SEAT},
    {"palm", LB_CONTACT_PALM},
    {"elbow", LB_CONTACT_ELBOW},
    {NULL, 0}};

static const lbpy_word lb_habit_kind_words[] = {
    {"variable", LB_HABIT_VARIABLE},
    {"up", LB_HABIT_UP},
    {"height", LB_HABIT_HEIGHT},
    {"contact", LB_HABIT_CONTACT},
    {NULL, 0}};

static const lbpy_word lb_side_words[] = {
    {"up", LB_SIDE_UP},
    {"down", LB_SIDE_DOWN},
    {"out", LB_SIDE_OUT},
    {"in", LB_SIDE_IN},
    {"forward", LB_SIDE_FORWARD},
    {"back", LB_SIDE_BACK},
    {NULL, 0}};

static const lbpy_word lb_foot_mode_words[] = {
    {"auto", LB_FOOT_MODE_AUTO},
    {"planted", LB_FOOT_MODE_PLANTED},
    {"step", LB_FOOT_MODE_STEP},
    {"lifted", LB_FOOT_MODE_LIFTED},
    {NULL, 0}};

static const lbpy_word lb_body_term_words[] = {
    {"posture", LB_BODY_TERM_POSTURE},
    {"comfort", LB_BODY_TERM_COMFORT},
    {"effort", LB_BODY_TERM_EFFORT},
    {"hang", LB_BODY_TERM_HANG},
    {"head", LB_BODY_TERM_HEAD},
    {"look", LB_BODY_TERM_LOOK},
    {"feet", LB_BODY_TERM_FEET},
    {"habit", LB_BODY_TERM_HABIT},
    {"swivel", LB_BODY_TERM_SWIVEL},
    {"count", LB_BODY_TERM_COUNT},
    {NULL, 0}};

static const lbpy_word lb_interpolation_words[] = {
    {"step", LB_INTERPOLATION_STEP},
    {"linear", LB_INTERPOLATION_LINEAR},
    {"catmull-rom", LB_INTERPOLATION_CATMULL_ROM},
    {"cubic", LB_INTERPOLATION_CUBIC},
    {NULL, 0}};

static const lbpy_word lb_track_kind_words[] = {
    {"values", LB_TRACK_VALUES},
    {"rotation", LB_TRACK_ROTATION},
    {"frame", LB_TRACK_FRAME},
    {NULL, 0}};

static const lbpy_word lb_track_ends_words[] = {
    {"natural", LB_TRACK_ENDS_NATURAL},
    {"clamped", LB_TRACK_ENDS_CLAMPED},
    {"periodic", LB_TRACK_ENDS_PERIODIC},
    {NULL, 0}};

static const lbpy_word lb_drive_target_words[] = {
    {"variable", LB_DRIVE_TARGET_VARIABLE},
    {"joint", LB_DRIVE_TARGET_JOINT},
    {"root", LB_DRIVE_TARGET_ROOT},
    {"goal", LB_DRIVE_TARGET_GOAL},
    {"weight", LB_DRIVE_TARGET_WEIGHT},
    {"enabled", LB_DRIVE_TARGET_ENABLED},
    {"active", LB_DRIVE_TARGET_ACTIVE},
    {"limits", LB_DRIVE_TARGET_LIMITS},
    {"foot", LB_DRIVE_TARGET_FOOT},
    {"support", LB_DRIVE_TARGET_SUPPORT},
    {"root-onward", LB_DRIVE_TARGET_ROOT_ONWARD},
    {NULL, 0}};

static const lbpy_word lb_body_part_words[] = {
    {"pelvis", LB_BODY_PART_PELVIS},
    {"chest", LB_BODY_PART_CHEST},
    {"neck", LB_BODY_PART_NECK},
    {"head", LB_BODY_PART_HEAD},
    {"clavicle", LB_BODY_PART_CLAVICLE},
    {"upper-arm", LB_BODY_PART_UPPER_ARM},
    {"forearm", LB_BODY_PART_FOREARM},
    {"hand", LB_BODY_PART_HAND},
    {"thigh", LB_BODY_PART_THIGH},
    {"shank", LB_BODY_PART_SHANK},
    {"foot", LB_BODY_PART_FOOT},
    {"toes", LB_BODY_PART_TOES},
    {"thumb", LB_BODY_PART_THUMB},
    {"index", LB_BODY_PART_INDEX},
    {"middle", LB_BODY_PART_MIDDLE},
    {"ring", LB_BODY_PART_RING},
    {"little", LB_BODY_PART_LITTLE},
    {"count", LB_BODY_PART_COUNT},
    {NULL, 0}};

static const lbpy_word lb_retarget_measure_words[] = {
    {"limb-mean", LB_RETARGET_MEASURE_LIMB_MEAN},
    {"limb-worst", LB_RETARGET_MEASURE_LIMB_WORST},
    {"wrist-mean", LB_RETARGET_MEASURE_WRIST_MEAN},
    {"ankle-mean", LB_RETARGET_MEASURE_ANKLE_MEAN},
    {"slide-speed", LB_RETARGET_MEASURE_SLIDE_SPEED},
    {"jump", LB_RETARGET_MEASURE_JUMP},
    {"hips-step", LB_RETARGET_MEASURE_HIPS_STEP},
    {"at-limits", LB_RETARGET_MEASURE_AT_LIMITS},
    {"overlap", LB_RETARGET_MEASURE_OVERLAP},
    {"upright", LB_RETARGET_MEASURE_UPRIGHT},
    {"count", LB_RETARGET_MEASURE_COUNT},
    {NULL, 0}};

static const lbpy_word lb_format_words[] = {
    {"unknown", LB_FORMAT_UNKNOWN},
    {"fig", LB_FORMAT_FIG},
    {"urdf", LB_FORMAT_URDF},
    {"mjcf", LB_FORMAT_MJCF},
    {"bvh", LB_FORMAT_BVH},
    {"gltf", LB_FORMAT_GLTF},
    {NULL, 0}};

static const lbpy_word lb_bvh_up_words[] = {
    {"auto", LB_BVH_UP_AUTO},
    {"y", LB_BVH_UP_Y},
    {"z", LB_BVH_UP_Z},
    {NULL, 0}};

static const lbpy_word lb_limits_words[] = {
    {"file", LB_LIMITS_FILE},
    {"auto", LB_LIMITS_AUTO},
    {"anatomical", LB_LIMITS_ANATOMICAL},
    {"none", LB_LIMITS_NONE},
    {"as-posed", LB_LIMITS_AS_POSED},
    {NULL, 0}};

static const lbpy_word lb_base_words[] = {
    {"file", LB_BASE_FILE},
    {"planar", LB_BASE_PLANAR},
    {NULL, 0}};

static const lbpy_word lb_picture_format_words[] = {
    {"by-name", LB_PICTURE_FORMAT_BY_NAME},
    {"png", LB_PICTURE_FORMAT_PNG},
    {"svg", LB_PICTURE_FORMAT_SVG},
    {"pdf", LB_PICTURE_FORMAT_PDF},
    {NULL, 0}};

static const lbpy_word lb_view_words[] = {
    {"three-quarter", LB_VIEW_THREE_QUARTER},
    {"front", LB_VIEW_FRONT},
    {"side", LB_VIEW_SIDE},
    {"top", LB_VIEW_TOP},
    {"back", LB_VIEW_BACK},
    {NULL, 0}};

static const lbpy_word lb_marker_kind_words[] = {
    {"point", LB_MARKER_POINT},
    {"frame", LB_MARKER_FRAME},
    {"line", LB_MARKER_LINE},
    {"shape", LB_MARKER_SHAPE},
    {"solid", LB_MARKER_SOLID},
    {NULL, 0}};

static const lbpy_word lb_path_end_words[] = {
    {"none", LB_PATH_END_NONE},
    {"range", LB_PATH_END_RANGE},
    {"row", LB_PATH_END_ROW},
    {"reach", LB_PATH_END_REACH},
    {"branch", LB_PATH_END_BRANCH},
    {"collision", LB_PATH_END_COLLISION},
    {"balance", LB_PATH_END_BALANCE},
    {"cancelled", LB_PATH_END_CANCELLED},
    {"speed", LB_PATH_END_SPEED},
    {NULL, 0}};

static const lbpy_word lb_servo_hold_words[] = {
    {"none", LB_SERVO_HOLD_NONE},
    {"velocity", LB_SERVO_HOLD_VELOCITY},
    {"acceleration", LB_SERVO_HOLD_ACCELERATION},
    {"stop", LB_SERVO_HOLD_STOP},
    {"row", LB_SERVO_HOLD_ROW},
    {"reach", LB_SERVO_HOLD_REACH},
    {"collision", LB_SERVO_HOLD_COLLISION},
    {"balance", LB_SERVO_HOLD_BALANCE},
    {"body", LB_SERVO_HOLD_BODY},
    {NULL, 0}};

const lbpy_enum lbpy_enums[] = {
    {"lb_status", lb_status_words},
    {"lb_shape_kind", lb_shape_kind_words},
    {"lb_shape_use", lb_shape_use_words},
    {"lb_element_kind", lb_element_kind_words},
    {"lb_curve_kind", lb_curve_kind_words},
    {"lb_limit_kind", lb_limit_kind_words},
    {"lb_effector_kind", lb_effector_kind_words},
    {"lb_dh_convention", lb_dh_convention_words},
    {"lb_closed_kind", lb_closed_kind_words},
    {"lb_reach_kind", lb_reach_kind_words},
    {"lb_say_kind", lb_say_kind_words},
    {"lb_goal_kind", lb_goal_kind_words},
    {"lb_wish_level", lb_wish_level_words},
    {"lb_method", lb_method_words},
    {"lb_jacobian_variant", lb_jacobian_variant_words},
    {"lb_bfgs_update", lb_bfgs_update_words},
    {"lb_ccd_variant", lb_ccd_variant_words},
    {"lb_outcome", lb_outcome_words},
    {"lb_engine", lb_engine_words},
    {"lb_reason_kind", lb_reason_kind_words},
    {"lb_determinacy", lb_determinacy_words},
    {"lb_contact_kind", lb_contact_kind_words},
    {"lb_habit_kind", lb_habit_kind_words},
    {"lb_side", lb_side_words},
    {"lb_foot_mode", lb_foot_mode_words},
    {"lb_body_term", lb_body_term_words},
    {"lb_interpolation", lb_interpolation_words},
    {"lb_track_kind", lb_track_kind_words},
    {"lb_track_ends", lb_track_ends_words},
    {"lb_drive_target", lb_drive_target_words},
    {"lb_body_part", lb_body_part_words},
    {"lb_retarget_measure", lb_retarget_measure_words},
    {"lb_format", lb_format_words},
    {"lb_bvh_up", lb_bvh_up_words},
    {"lb_limits", lb_limits_words},
    {"lb_base", lb_base_words},
    {"lb_picture_format", lb_picture_format_words},
    {"lb_view", lb_view_words},
    {"lb_marker_kind", lb_marker_kind_words},
    {"lb_path_end", lb_path_end_words},
    {"lb_servo_hold", lb_servo_hold_words},
    {NULL, NULL}};

static const lbpy_field lb_error_fields[] = {
    {"status", LBPY_ENUM, offsetof(lb_error, status), sizeof(((lb_error *)0)->status), 0, 0},
    {"line", LBPY_INT, offsetof(lb_error, line), sizeof(((lb_error *)0)->line), 0, -1},
    {"file", LBPY_TEXT, offsetof(lb_error, file), sizeof(((lb_error *)0)->file), 256, -1},
    {"message", LBPY_TEXT, offsetof(lb_error, message), sizeof(((lb_error *)0)->message), 512, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_allocator_fields[] = {
    {"resize", LBPY_CALLBACK, offsetof(lb_allocator, resize), sizeof(((lb_allocator *)0)->resize), 0, -1},
    {"context", LBPY_POINTER, offsetof(lb_allocator, context), sizeof(((lb_allocator *)0)->context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_cancel_fields[] = {
    {"requested", LBPY_INT, offsetof(lb_cancel, requested), sizeof(((lb_cancel *)0)->requested), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_frame_fields[] = {
    {"position", LBPY_DOUBLE, offsetof(lb_frame, position), sizeof(((lb_frame *)0)->position), 3, -1},
    {"rotation", LBPY_DOUBLE, offsetof(lb_frame, rotation), sizeof(((lb_frame *)0)->rotation), 4, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_segment_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_segment, name), sizeof(((lb_segment *)0)->name), 0, -1},
    {"mass", LBPY_DOUBLE, offsetof(lb_segment, mass), sizeof(((lb_segment *)0)->mass), 0, -1},
    {"com", LBPY_DOUBLE, offsetof(lb_segment, com), sizeof(((lb_segment *)0)->com), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_site_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_site, name), sizeof(((lb_site *)0)->name), 0, -1},
    {"segment", LBPY_INT, offsetof(lb_site, segment), sizeof(((lb_site *)0)->segment), 0, -1},
    {"frame", LBPY_STRUCT, offsetof(lb_site, frame), sizeof(((lb_site *)0)->frame), 0, 3},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_shape_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_shape, kind), sizeof(((lb_shape *)0)->kind), 0, 1},
    {"segment", LBPY_INT, offsetof(lb_shape, segment), sizeof(((lb_shape *)0)->segment), 0, -1},
    {"frame", LBPY_STRUCT, offsetof(lb_shape, frame), sizeof(((lb_shape *)0)->frame), 0, 3},
    {"size", LBPY_DOUBLE, offsetof(lb_shape, size), sizeof(((lb_shape *)0)->size), 3, -1},
    {"color", LBPY_INT, offsetof(lb_shape, color), sizeof(((lb_shape *)0)->color), 0, -1},
    {"use", LBPY_ENUM, offsetof(lb_shape, use), sizeof(((lb_shape *)0)->use), 0, 2},
    {"vertex_count", LBPY_INT, offsetof(lb_shape, vertex_count), sizeof(((lb_shape *)0)->vertex_count), 0, -1},
    {"vertices", LBPY_POINTER, offsetof(lb_shape, vertices), sizeof(((lb_shape *)0)->vertices), 0, -1},
    {"triangle_count", LBPY_INT, offsetof(lb_shape, triangle_count), sizeof(((lb_shape *)0)->triangle_count), 0, -1},
    {"triangles", LBPY_POINTER, offsetof(lb_shape, triangles), sizeof(((lb_shape *)0)->triangles), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_element_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_element, kind), sizeof(((lb_element *)0)->kind), 0, 3},
    {"axis", LBPY_DOUBLE, offsetof(lb_element, axis), sizeof(((lb_element *)0)->axis), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_joint_type_fields[] = {
    {"element_count", LBPY_INT, offsetof(lb_joint_type, element_count), sizeof(((lb_joint_type *)0)->element_count), 0, -1},
    {"elements", LBPY_STRUCT, offsetof(lb_joint_type, elements), sizeof(((lb_joint_type *)0)->elements), 6, 7},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_joint_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_joint, name), sizeof(((lb_joint *)0)->name), 0, -1},
    {"site_a", LBPY_INT, offsetof(lb_joint, site_a), sizeof(((lb_joint *)0)->site_a), 0, -1},
    {"site_b", LBPY_INT, offsetof(lb_joint, site_b), sizeof(((lb_joint *)0)->site_b), 0, -1},
    {"type", LBPY_STRUCT, offsetof(lb_joint, type), sizeof(((lb_joint *)0)->type), 0, 8},
    {"dof_names", LBPY_STRING, offsetof(lb_joint, dof_names), sizeof(((lb_joint *)0)->dof_names), 6, -1},
    {"lower", LBPY_DOUBLE, offsetof(lb_joint, lower), sizeof(((lb_joint *)0)->lower), 6, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_joint, upper), sizeof(((lb_joint *)0)->upper), 6, -1},
    {"rest", LBPY_DOUBLE, offsetof(lb_joint, rest), sizeof(((lb_joint *)0)->rest), 6, -1},
    {"rigidity", LBPY_DOUBLE, offsetof(lb_joint, rigidity), sizeof(((lb_joint *)0)->rigidity), 6, -1},
    {"velocity", LBPY_DOUBLE, offsetof(lb_joint, velocity), sizeof(((lb_joint *)0)->velocity), 6, -1},
    {"acceleration", LBPY_DOUBLE, offsetof(lb_joint, acceleration), sizeof(((lb_joint *)0)->acceleration), 6, -1},
    {"effort", LBPY_DOUBLE, offsetof(lb_joint, effort), sizeof(((lb_joint *)0)->effort), 6, -1},
    {"soft_lower", LBPY_DOUBLE, offsetof(lb_joint, soft_lower), sizeof(((lb_joint *)0)->soft_lower), 6, -1},
    {"soft_upper", LBPY_DOUBLE, offsetof(lb_joint, soft_upper), sizeof(((lb_joint *)0)->soft_upper), 6, -1},
    {"swing_count", LBPY_INT, offsetof(lb_joint, swing_count), sizeof(((lb_joint *)0)->swing_count), 0, -1},
    {"swing", LBPY_POINTER, offsetof(lb_joint, swing), sizeof(((lb_joint *)0)->swing), 0, -1},
    {"frozen", LBPY_INT, offsetof(lb_joint, frozen), sizeof(((lb_joint *)0)->frozen), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_group_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_group, name), sizeof(((lb_group *)0)->name), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_parameter_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_parameter, name), sizeof(((lb_parameter *)0)->name), 0, -1},
    {"group", LBPY_INT, offsetof(lb_parameter, group), sizeof(((lb_parameter *)0)->group), 0, -1},
    {"is_angle", LBPY_INT, offsetof(lb_parameter, is_angle), sizeof(((lb_parameter *)0)->is_angle), 0, -1},
    {"lower", LBPY_DOUBLE, offsetof(lb_parameter, lower), sizeof(((lb_parameter *)0)->lower), 0, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_parameter, upper), sizeof(((lb_parameter *)0)->upper), 0, -1},
    {"rest", LBPY_DOUBLE, offsetof(lb_parameter, rest), sizeof(((lb_parameter *)0)->rest), 0, -1},
    {"rigidity", LBPY_DOUBLE, offsetof(lb_parameter, rigidity), sizeof(((lb_parameter *)0)->rigidity), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_dof_ref_fields[] = {
    {"joint", LBPY_INT, offsetof(lb_dof_ref, joint), sizeof(((lb_dof_ref *)0)->joint), 0, -1},
    {"dof", LBPY_INT, offsetof(lb_dof_ref, dof), sizeof(((lb_dof_ref *)0)->dof), 0, -1},
    {"parameter", LBPY_INT, offsetof(lb_dof_ref, parameter), sizeof(((lb_dof_ref *)0)->parameter), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_curve_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_curve, kind), sizeof(((lb_curve *)0)->kind), 0, 4},
    {"offset", LBPY_DOUBLE, offsetof(lb_curve, offset), sizeof(((lb_curve *)0)->offset), 0, -1},
    {"slope", LBPY_DOUBLE, offsetof(lb_curve, slope), sizeof(((lb_curve *)0)->slope), 0, -1},
    {"count", LBPY_INT, offsetof(lb_curve, count), sizeof(((lb_curve *)0)->count), 0, -1},
    {"x", LBPY_POINTER, offsetof(lb_curve, x), sizeof(((lb_curve *)0)->x), 0, -1},
    {"y", LBPY_POINTER, offsetof(lb_curve, y), sizeof(((lb_curve *)0)->y), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_drive_fields[] = {
    {"joint", LBPY_INT, offsetof(lb_drive, joint), sizeof(((lb_drive *)0)->joint), 0, -1},
    {"dof", LBPY_INT, offsetof(lb_drive, dof), sizeof(((lb_drive *)0)->dof), 0, -1},
    {"source", LBPY_STRUCT, offsetof(lb_drive, source), sizeof(((lb_drive *)0)->source), 0, 12},
    {"curve", LBPY_STRUCT, offsetof(lb_drive, curve), sizeof(((lb_drive *)0)->curve), 0, 13},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_limit_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_limit, name), sizeof(((lb_limit *)0)->name), 0, -1},
    {"kind", LBPY_ENUM, offsetof(lb_limit, kind), sizeof(((lb_limit *)0)->kind), 0, 5},
    {"count", LBPY_INT, offsetof(lb_limit, count), sizeof(((lb_limit *)0)->count), 0, -1},
    {"terms", LBPY_POINTER, offsetof(lb_limit, terms), sizeof(((lb_limit *)0)->terms), 0, 12},
    {"coefficients", LBPY_POINTER, offsetof(lb_limit, coefficients), sizeof(((lb_limit *)0)->coefficients), 0, -1},
    {"bound", LBPY_DOUBLE, offsetof(lb_limit, bound), sizeof(((lb_limit *)0)->bound), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_root_fields[] = {
    {"segment", LBPY_INT, offsetof(lb_root, segment), sizeof(((lb_root *)0)->segment), 0, -1},
    {"site", LBPY_INT, offsetof(lb_root, site), sizeof(((lb_root *)0)->site), 0, -1},
    {"is_free", LBPY_INT, offsetof(lb_root, is_free), sizeof(((lb_root *)0)->is_free), 0, -1},
    {"placement", LBPY_STRUCT, offsetof(lb_root, placement), sizeof(((lb_root *)0)->placement), 0, 3},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_variable_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_variable, name), sizeof(((lb_variable *)0)->name), 0, -1},
    {"ref", LBPY_STRUCT, offsetof(lb_variable, ref), sizeof(((lb_variable *)0)->ref), 0, 12},
    {"is_angle", LBPY_INT, offsetof(lb_variable, is_angle), sizeof(((lb_variable *)0)->is_angle), 0, -1},
    {"lower", LBPY_DOUBLE, offsetof(lb_variable, lower), sizeof(((lb_variable *)0)->lower), 0, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_variable, upper), sizeof(((lb_variable *)0)->upper), 0, -1},
    {"rest", LBPY_DOUBLE, offsetof(lb_variable, rest), sizeof(((lb_variable *)0)->rest), 0, -1},
    {"rigidity", LBPY_DOUBLE, offsetof(lb_variable, rigidity), sizeof(((lb_variable *)0)->rigidity), 0, -1},
    {"velocity", LBPY_DOUBLE, offsetof(lb_variable, velocity), sizeof(((lb_variable *)0)->velocity), 0, -1},
    {"acceleration", LBPY_DOUBLE, offsetof(lb_variable, acceleration), sizeof(((lb_variable *)0)->acceleration), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_limit_row_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_limit_row, name), sizeof(((lb_limit_row *)0)->name), 0, -1},
    {"kind", LBPY_ENUM, offsetof(lb_limit_row, kind), sizeof(((lb_limit_row *)0)->kind), 0, 5},
    {"count", LBPY_INT, offsetof(lb_limit_row, count), sizeof(((lb_limit_row *)0)->count), 0, -1},
    {"variables", LBPY_POINTER, offsetof(lb_limit_row, variables), sizeof(((lb_limit_row *)0)->variables), 0, -1},
    {"coefficients", LBPY_POINTER, offsetof(lb_limit_row, coefficients), sizeof(((lb_limit_row *)0)->coefficients), 0, -1},
    {"bound", LBPY_DOUBLE, offsetof(lb_limit_row, bound), sizeof(((lb_limit_row *)0)->bound), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_room_fields[] = {
    {"lower", LBPY_DOUBLE, offsetof(lb_room, lower), sizeof(((lb_room *)0)->lower), 0, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_room, upper), sizeof(((lb_room *)0)->upper), 0, -1},
    {"lower_row", LBPY_INT, offsetof(lb_room, lower_row), sizeof(((lb_room *)0)->lower_row), 0, -1},
    {"upper_row", LBPY_INT, offsetof(lb_room, upper_row), sizeof(((lb_room *)0)->upper_row), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_effector_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_effector, kind), sizeof(((lb_effector *)0)->kind), 0, 6},
    {"segment", LBPY_INT, offsetof(lb_effector, segment), sizeof(((lb_effector *)0)->segment), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_effector, point), sizeof(((lb_effector *)0)->point), 3, -1},
    {"x", LBPY_DOUBLE, offsetof(lb_effector, x), sizeof(((lb_effector *)0)->x), 3, -1},
    {"y", LBPY_DOUBLE, offsetof(lb_effector, y), sizeof(((lb_effector *)0)->y), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_dh_row_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_dh_row, name), sizeof(((lb_dh_row *)0)->name), 0, -1},
    {"a", LBPY_DOUBLE, offsetof(lb_dh_row, a), sizeof(((lb_dh_row *)0)->a), 0, -1},
    {"alpha", LBPY_DOUBLE, offsetof(lb_dh_row, alpha), sizeof(((lb_dh_row *)0)->alpha), 0, -1},
    {"d", LBPY_DOUBLE, offsetof(lb_dh_row, d), sizeof(((lb_dh_row *)0)->d), 0, -1},
    {"theta", LBPY_DOUBLE, offsetof(lb_dh_row, theta), sizeof(((lb_dh_row *)0)->theta), 0, -1},
    {"is_prismatic", LBPY_INT, offsetof(lb_dh_row, is_prismatic), sizeof(((lb_dh_row *)0)->is_prismatic), 0, -1},
    {"lower", LBPY_DOUBLE, offsetof(lb_dh_row, lower), sizeof(((lb_dh_row *)0)->lower), 0, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_dh_row, upper), sizeof(((lb_dh_row *)0)->upper), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_closed_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_closed_options, struct_size), sizeof(((lb_closed_options *)0)->struct_size), 0, -1},
    {"base_segment", LBPY_INT, offsetof(lb_closed_options, base_segment), sizeof(((lb_closed_options *)0)->base_segment), 0, -1},
    {"pose", LBPY_POINTER, offsetof(lb_closed_options, pose), sizeof(((lb_closed_options *)0)->pose), 0, -1},
    {"is_position", LBPY_INT, offsetof(lb_closed_options, is_position), sizeof(((lb_closed_options *)0)->is_position), 0, -1},
    {"max_evaluations", LBPY_INT, offsetof(lb_closed_options, max_evaluations), sizeof(((lb_closed_options *)0)->max_evaluations), 0, -1},
    {"deadline_us", LBPY_DOUBLE, offsetof(lb_closed_options, deadline_us), sizeof(((lb_closed_options *)0)->deadline_us), 0, -1},
    {"now_us", LBPY_CALLBACK, offsetof(lb_closed_options, now_us), sizeof(((lb_closed_options *)0)->now_us), 0, -1},
    {"now_context", LBPY_POINTER, offsetof(lb_closed_options, now_context), sizeof(((lb_closed_options *)0)->now_context), 0, -1},
    {"cancel", LBPY_POINTER, offsetof(lb_closed_options, cancel), sizeof(((lb_closed_options *)0)->cancel), 0, 2},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_closed_result_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_closed_result, struct_size), sizeof(((lb_closed_result *)0)->struct_size), 0, -1},
    {"count", LBPY_INT, offsetof(lb_closed_result, count), sizeof(((lb_closed_result *)0)->count), 0, -1},
    {"all_count", LBPY_INT, offsetof(lb_closed_result, all_count), sizeof(((lb_closed_result *)0)->all_count), 0, -1},
    {"singular_count", LBPY_INT, offsetof(lb_closed_result, singular_count), sizeof(((lb_closed_result *)0)->singular_count), 0, -1},
    {"worst_variable", LBPY_INT, offsetof(lb_closed_result, worst_variable), sizeof(((lb_closed_result *)0)->worst_variable), 0, -1},
    {"outside", LBPY_DOUBLE, offsetof(lb_closed_result, outside), sizeof(((lb_closed_result *)0)->outside), 0, -1},
    {"explanation", LBPY_TEXT, offsetof(lb_closed_result, explanation), sizeof(((lb_closed_result *)0)->explanation), 512, -1},
    {"is_proved", LBPY_INT, offsetof(lb_closed_result, is_proved), sizeof(((lb_closed_result *)0)->is_proved), 0, -1},
    {"is_stopped", LBPY_INT, offsetof(lb_closed_result, is_stopped), sizeof(((lb_closed_result *)0)->is_stopped), 0, -1},
    {"evaluations", LBPY_INT, offsetof(lb_closed_result, evaluations), sizeof(((lb_closed_result *)0)->evaluations), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_closed_solution_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_closed_solution, struct_size), sizeof(((lb_closed_solution *)0)->struct_size), 0, -1},
    {"values", LBPY_DOUBLE, offsetof(lb_closed_solution, values), sizeof(((lb_closed_solution *)0)->values), 7, -1},
    {"is_inside", LBPY_INT, offsetof(lb_closed_solution, is_inside), sizeof(((lb_closed_solution *)0)->is_inside), 0, -1},
    {"worst_variable", LBPY_INT, offsetof(lb_closed_solution, worst_variable), sizeof(((lb_closed_solution *)0)->worst_variable), 0, -1},
    {"outside", LBPY_DOUBLE, offsetof(lb_closed_solution, outside), sizeof(((lb_closed_solution *)0)->outside), 0, -1},
    {"winding_count", LBPY_INT, offsetof(lb_closed_solution, winding_count), sizeof(((lb_closed_solution *)0)->winding_count), 0, -1},
    {"is_singular", LBPY_INT, offsetof(lb_closed_solution, is_singular), sizeof(((lb_closed_solution *)0)->is_singular), 0, -1},
    {"condition", LBPY_DOUBLE, offsetof(lb_closed_solution, condition), sizeof(((lb_closed_solution *)0)->condition), 0, -1},
    {"error", LBPY_DOUBLE, offsetof(lb_closed_solution, error), sizeof(((lb_closed_solution *)0)->error), 0, -1},
    {"swivel_rad", LBPY_DOUBLE, offsetof(lb_closed_solution, swivel_rad), sizeof(((lb_closed_solution *)0)->swivel_rad), 0, -1},
    {"swivel_low_rad", LBPY_DOUBLE, offsetof(lb_closed_solution, swivel_low_rad), sizeof(((lb_closed_solution *)0)->swivel_low_rad), 0, -1},
    {"swivel_high_rad", LBPY_DOUBLE, offsetof(lb_closed_solution, swivel_high_rad), sizeof(((lb_closed_solution *)0)->swivel_high_rad), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_reach_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_reach_options, struct_size), sizeof(((lb_reach_options *)0)->struct_size), 0, -1},
    {"base_segment", LBPY_INT, offsetof(lb_reach_options, base_segment), sizeof(((lb_reach_options *)0)->base_segment), 0, -1},
    {"pose", LBPY_POINTER, offsetof(lb_reach_options, pose), sizeof(((lb_reach_options *)0)->pose), 0, -1},
    {"moves", LBPY_POINTER, offsetof(lb_reach_options, moves), sizeof(((lb_reach_options *)0)->moves), 0, -1},
    {"spacing", LBPY_DOUBLE, offsetof(lb_reach_options, spacing), sizeof(((lb_reach_options *)0)->spacing), 0, -1},
    {"memory", LBPY_SIZE, offsetof(lb_reach_options, memory), sizeof(((lb_reach_options *)0)->memory), 0, -1},
    {"has_frames", LBPY_INT, offsetof(lb_reach_options, has_frames), sizeof(((lb_reach_options *)0)->has_frames), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_reach_answer_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_reach_answer, struct_size), sizeof(((lb_reach_answer *)0)->struct_size), 0, -1},
    {"verdict", LBPY_ENUM, offsetof(lb_reach_answer, verdict), sizeof(((lb_reach_answer *)0)->verdict), 0, 9},
    {"distance", LBPY_DOUBLE, offsetof(lb_reach_answer, distance), sizeof(((lb_reach_answer *)0)->distance), 0, -1},
    {"is_exact", LBPY_INT, offsetof(lb_reach_answer, is_exact), sizeof(((lb_reach_answer *)0)->is_exact), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_say_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_say, kind), sizeof(((lb_say *)0)->kind), 0, 10},
    {"begin", LBPY_INT, offsetof(lb_say, begin), sizeof(((lb_say *)0)->begin), 0, -1},
    {"length", LBPY_INT, offsetof(lb_say, length), sizeof(((lb_say *)0)->length), 0, -1},
    {"figure", LBPY_INT, offsetof(lb_say, figure), sizeof(((lb_say *)0)->figure), 0, -1},
    {"constraint", LBPY_INT, offsetof(lb_say, constraint), sizeof(((lb_say *)0)->constraint), 0, -1},
    {"variable", LBPY_INT, offsetof(lb_say, variable), sizeof(((lb_say *)0)->variable), 0, -1},
    {"reason", LBPY_INT, offsetof(lb_say, reason), sizeof(((lb_say *)0)->reason), 0, -1},
    {"limb", LBPY_INT, offsetof(lb_say, limb), sizeof(((lb_say *)0)->limb), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_say, value), sizeof(((lb_say *)0)->value), 0, -1},
    {"value_rad", LBPY_DOUBLE, offsetof(lb_say, value_rad), sizeof(((lb_say *)0)->value_rad), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_goal_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_goal, kind), sizeof(((lb_goal *)0)->kind), 0, 11},
    {"outside", LBPY_INT, offsetof(lb_goal, outside), sizeof(((lb_goal *)0)->outside), 0, -1},
    {"carrier_figure", LBPY_INT, offsetof(lb_goal, carrier_figure), sizeof(((lb_goal *)0)->carrier_figure), 0, -1},
    {"carrier_segment", LBPY_INT, offsetof(lb_goal, carrier_segment), sizeof(((lb_goal *)0)->carrier_segment), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_goal, point), sizeof(((lb_goal *)0)->point), 3, -1},
    {"x", LBPY_DOUBLE, offsetof(lb_goal, x), sizeof(((lb_goal *)0)->x), 3, -1},
    {"y", LBPY_DOUBLE, offsetof(lb_goal, y), sizeof(((lb_goal *)0)->y), 3, -1},
    {"normal", LBPY_DOUBLE, offsetof(lb_goal, normal), sizeof(((lb_goal *)0)->normal), 3, -1},
    {"rotation", LBPY_DOUBLE, offsetof(lb_goal, rotation), sizeof(((lb_goal *)0)->rotation), 4, -1},
    {"size", LBPY_DOUBLE, offsetof(lb_goal, size), sizeof(((lb_goal *)0)->size), 3, -1},
    {"degrees_x", LBPY_DOUBLE, offsetof(lb_goal, degrees_x), sizeof(((lb_goal *)0)->degrees_x), 0, -1},
    {"degrees_y", LBPY_DOUBLE, offsetof(lb_goal, degrees_y), sizeof(((lb_goal *)0)->degrees_y), 0, -1},
    {"weight_position", LBPY_DOUBLE, offsetof(lb_goal, weight_position), sizeof(((lb_goal *)0)->weight_position), 0, -1},
    {"weight_orientation", LBPY_DOUBLE, offsetof(lb_goal, weight_orientation), sizeof(((lb_goal *)0)->weight_orientation), 0, -1},
    {"face_count", LBPY_INT, offsetof(lb_goal, face_count), sizeof(((lb_goal *)0)->face_count), 0, -1},
    {"faces", LBPY_POINTER, offsetof(lb_goal, faces), sizeof(((lb_goal *)0)->faces), 0, -1},
    {"potential", LBPY_CALLBACK, offsetof(lb_goal, potential), sizeof(((lb_goal *)0)->potential), 0, -1},
    {"context", LBPY_POINTER, offsetof(lb_goal, context), sizeof(((lb_goal *)0)->context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_constraint_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_constraint, name), sizeof(((lb_constraint *)0)->name), 0, -1},
    {"figure", LBPY_INT, offsetof(lb_constraint, figure), sizeof(((lb_constraint *)0)->figure), 0, -1},
    {"effector", LBPY_STRUCT, offsetof(lb_constraint, effector), sizeof(((lb_constraint *)0)->effector), 0, 20},
    {"radius", LBPY_DOUBLE, offsetof(lb_constraint, radius), sizeof(((lb_constraint *)0)->radius), 0, -1},
    {"half_length", LBPY_DOUBLE, offsetof(lb_constraint, half_length), sizeof(((lb_constraint *)0)->half_length), 0, -1},
    {"goal", LBPY_STRUCT, offsetof(lb_constraint, goal), sizeof(((lb_constraint *)0)->goal), 0, 28},
    {"weight", LBPY_DOUBLE, offsetof(lb_constraint, weight), sizeof(((lb_constraint *)0)->weight), 0, -1},
    {"priority", LBPY_INT, offsetof(lb_constraint, priority), sizeof(((lb_constraint *)0)->priority), 0, -1},
    {"any_of", LBPY_INT, offsetof(lb_constraint, any_of), sizeof(((lb_constraint *)0)->any_of), 0, -1},
    {"chain_start", LBPY_INT, offsetof(lb_constraint, chain_start), sizeof(((lb_constraint *)0)->chain_start), 0, -1},
    {"tolerance", LBPY_DOUBLE, offsetof(lb_constraint, tolerance), sizeof(((lb_constraint *)0)->tolerance), 3, -1},
    {"tolerance_rad", LBPY_DOUBLE, offsetof(lb_constraint, tolerance_rad), sizeof(((lb_constraint *)0)->tolerance_rad), 0, -1},
    {"disabled", LBPY_INT, offsetof(lb_constraint, disabled), sizeof(((lb_constraint *)0)->disabled), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_progress_fields[] = {
    {"iteration", LBPY_INT, offsetof(lb_progress, iteration), sizeof(((lb_progress *)0)->iteration), 0, -1},
    {"evaluations", LBPY_INT, offsetof(lb_progress, evaluations), sizeof(((lb_progress *)0)->evaluations), 0, -1},
    {"restart", LBPY_INT, offsetof(lb_progress, restart), sizeof(((lb_progress *)0)->restart), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_progress, value), sizeof(((lb_progress *)0)->value), 0, -1},
    {"pose", LBPY_POINTER, offsetof(lb_progress, pose), sizeof(((lb_progress *)0)->pose), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_solve_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_solve_options, struct_size), sizeof(((lb_solve_options *)0)->struct_size), 0, -1},
    {"method", LBPY_ENUM, offsetof(lb_solve_options, method), sizeof(((lb_solve_options *)0)->method), 0, 13},
    {"jacobian", LBPY_ENUM, offsetof(lb_solve_options, jacobian), sizeof(((lb_solve_options *)0)->jacobian), 0, 14},
    {"subgoals", LBPY_INT, offsetof(lb_solve_options, subgoals), sizeof(((lb_solve_options *)0)->subgoals), 0, -1},
    {"preferred", LBPY_DOUBLE, offsetof(lb_solve_options, preferred), sizeof(((lb_solve_options *)0)->preferred), 0, -1},
    {"max_iterations", LBPY_INT, offsetof(lb_solve_options, max_iterations), sizeof(((lb_solve_options *)0)->max_iterations), 0, -1},
    {"max_evaluations", LBPY_INT, offsetof(lb_solve_options, max_evaluations), sizeof(((lb_solve_options *)0)->max_evaluations), 0, -1},
    {"gradient_tolerance", LBPY_DOUBLE, offsetof(lb_solve_options, gradient_tolerance), sizeof(((lb_solve_options *)0)->gradient_tolerance), 0, -1},
    {"deadline_us", LBPY_DOUBLE, offsetof(lb_solve_options, deadline_us), sizeof(((lb_solve_options *)0)->deadline_us), 0, -1},
    {"now_us", LBPY_CALLBACK, offsetof(lb_solve_options, now_us), sizeof(((lb_solve_options *)0)->now_us), 0, -1},
    {"now_context", LBPY_POINTER, offsetof(lb_solve_options, now_context), sizeof(((lb_solve_options *)0)->now_context), 0, -1},
    {"cancel", LBPY_POINTER, offsetof(lb_solve_options, cancel), sizeof(((lb_solve_options *)0)->cancel), 0, 2},
    {"on_iteration", LBPY_CALLBACK, offsetof(lb_solve_options, on_iteration), sizeof(((lb_solve_options *)0)->on_iteration), 0, -1},
    {"on_iteration_context", LBPY_POINTER, offsetof(lb_solve_options, on_iteration_context), sizeof(((lb_solve_options *)0)->on_iteration_context), 0, -1},
    {"restarts", LBPY_INT, offsetof(lb_solve_options, restarts), sizeof(((lb_solve_options *)0)->restarts), 0, -1},
    {"seed", LBPY_U64, offsetof(lb_solve_options, seed), sizeof(((lb_solve_options *)0)->seed), 0, -1},
    {"tracking", LBPY_INT, offsetof(lb_solve_options, tracking), sizeof(((lb_solve_options *)0)->tracking), 0, -1},
    {"keep_going", LBPY_INT, offsetof(lb_solve_options, keep_going), sizeof(((lb_solve_options *)0)->keep_going), 0, -1},
    {"bfgs_update", LBPY_ENUM, offsetof(lb_solve_options, bfgs_update), sizeof(((lb_solve_options *)0)->bfgs_update), 0, 15},
    {"ccd", LBPY_ENUM, offsetof(lb_solve_options, ccd), sizeof(((lb_solve_options *)0)->ccd), 0, 16},
    {"max_change", LBPY_DOUBLE, offsetof(lb_solve_options, max_change), sizeof(((lb_solve_options *)0)->max_change), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_constraint_result_fields[] = {
    {"id", LBPY_INT, offsetof(lb_constraint_result, id), sizeof(((lb_constraint_result *)0)->id), 0, -1},
    {"met", LBPY_INT, offsetof(lb_constraint_result, met), sizeof(((lb_constraint_result *)0)->met), 0, -1},
    {"counted", LBPY_INT, offsetof(lb_constraint_result, counted), sizeof(((lb_constraint_result *)0)->counted), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_constraint_result, value), sizeof(((lb_constraint_result *)0)->value), 0, -1},
    {"distance", LBPY_DOUBLE, offsetof(lb_constraint_result, distance), sizeof(((lb_constraint_result *)0)->distance), 0, -1},
    {"angle_rad", LBPY_DOUBLE, offsetof(lb_constraint_result, angle_rad), sizeof(((lb_constraint_result *)0)->angle_rad), 0, -1},
    {"force", LBPY_DOUBLE, offsetof(lb_constraint_result, force), sizeof(((lb_constraint_result *)0)->force), 3, -1},
    {"moment", LBPY_DOUBLE, offsetof(lb_constraint_result, moment), sizeof(((lb_constraint_result *)0)->moment), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_active_limit_fields[] = {
    {"variable", LBPY_INT, offsetof(lb_active_limit, variable), sizeof(((lb_active_limit *)0)->variable), 0, -1},
    {"figure", LBPY_INT, offsetof(lb_active_limit, figure), sizeof(((lb_active_limit *)0)->figure), 0, -1},
    {"row", LBPY_INT, offsetof(lb_active_limit, row), sizeof(((lb_active_limit *)0)->row), 0, -1},
    {"is_upper", LBPY_INT, offsetof(lb_active_limit, is_upper), sizeof(((lb_active_limit *)0)->is_upper), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_active_limit, value), sizeof(((lb_active_limit *)0)->value), 0, -1},
    {"multiplier", LBPY_DOUBLE, offsetof(lb_active_limit, multiplier), sizeof(((lb_active_limit *)0)->multiplier), 0, -1},
    {"name", LBPY_STRING, offsetof(lb_active_limit, name), sizeof(((lb_active_limit *)0)->name), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_level_result_fields[] = {
    {"priority", LBPY_INT, offsetof(lb_level_result, priority), sizeof(((lb_level_result *)0)->priority), 0, -1},
    {"is_wishes", LBPY_INT, offsetof(lb_level_result, is_wishes), sizeof(((lb_level_result *)0)->is_wishes), 0, -1},
    {"met", LBPY_INT, offsetof(lb_level_result, met), sizeof(((lb_level_result *)0)->met), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_level_result, value), sizeof(((lb_level_result *)0)->value), 0, -1},
    {"gradient_norm", LBPY_DOUBLE, offsetof(lb_level_result, gradient_norm), sizeof(((lb_level_result *)0)->gradient_norm), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_reason_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_reason, kind), sizeof(((lb_reason *)0)->kind), 0, 19},
    {"variable", LBPY_INT, offsetof(lb_reason, variable), sizeof(((lb_reason *)0)->variable), 0, -1},
    {"figure", LBPY_INT, offsetof(lb_reason, figure), sizeof(((lb_reason *)0)->figure), 0, -1},
    {"row", LBPY_INT, offsetof(lb_reason, row), sizeof(((lb_reason *)0)->row), 0, -1},
    {"is_upper", LBPY_INT, offsetof(lb_reason, is_upper), sizeof(((lb_reason *)0)->is_upper), 0, -1},
    {"constraint", LBPY_INT, offsetof(lb_reason, constraint), sizeof(((lb_reason *)0)->constraint), 0, -1},
    {"give", LBPY_DOUBLE, offsetof(lb_reason, give), sizeof(((lb_reason *)0)->give), 0, -1},
    {"gain", LBPY_DOUBLE, offsetof(lb_reason, gain), sizeof(((lb_reason *)0)->gain), 0, -1},
    {"gain_rad", LBPY_DOUBLE, offsetof(lb_reason, gain_rad), sizeof(((lb_reason *)0)->gain_rad), 0, -1},
    {"share", LBPY_DOUBLE, offsetof(lb_reason, share), sizeof(((lb_reason *)0)->share), 0, -1},
    {"reached", LBPY_INT, offsetof(lb_reason, reached), sizeof(((lb_reason *)0)->reached), 0, -1},
    {"name", LBPY_STRING, offsetof(lb_reason, name), sizeof(((lb_reason *)0)->name), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_freedom_fields[] = {
    {"determinacy", LBPY_ENUM, offsetof(lb_freedom, determinacy), sizeof(((lb_freedom *)0)->determinacy), 0, 20},
    {"variables", LBPY_INT, offsetof(lb_freedom, variables), sizeof(((lb_freedom *)0)->variables), 0, -1},
    {"freedoms", LBPY_INT, offsetof(lb_freedom, freedoms), sizeof(((lb_freedom *)0)->freedoms), 0, -1},
    {"equations", LBPY_INT, offsetof(lb_freedom, equations), sizeof(((lb_freedom *)0)->equations), 0, -1},
    {"rank", LBPY_INT, offsetof(lb_freedom, rank), sizeof(((lb_freedom *)0)->rank), 0, -1},
    {"redundancy", LBPY_INT, offsetof(lb_freedom, redundancy), sizeof(((lb_freedom *)0)->redundancy), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_measure_fields[] = {
    {"rows", LBPY_INT, offsetof(lb_measure, rows), sizeof(((lb_measure *)0)->rows), 0, -1},
    {"manipulability", LBPY_DOUBLE, offsetof(lb_measure, manipulability), sizeof(((lb_measure *)0)->manipulability), 0, -1},
    {"condition", LBPY_DOUBLE, offsetof(lb_measure, condition), sizeof(((lb_measure *)0)->condition), 0, -1},
    {"singularity", LBPY_DOUBLE, offsetof(lb_measure, singularity), sizeof(((lb_measure *)0)->singularity), 0, -1},
    {"limit", LBPY_DOUBLE, offsetof(lb_measure, limit), sizeof(((lb_measure *)0)->limit), 0, -1},
    {"limit_variable", LBPY_INT, offsetof(lb_measure, limit_variable), sizeof(((lb_measure *)0)->limit_variable), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_result_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_result, struct_size), sizeof(((lb_result *)0)->struct_size), 0, -1},
    {"outcome", LBPY_ENUM, offsetof(lb_result, outcome), sizeof(((lb_result *)0)->outcome), 0, 17},
    {"engine", LBPY_ENUM, offsetof(lb_result, engine), sizeof(((lb_result *)0)->engine), 0, 18},
    {"value_before", LBPY_DOUBLE, offsetof(lb_result, value_before), sizeof(((lb_result *)0)->value_before), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_result, value), sizeof(((lb_result *)0)->value), 0, -1},
    {"wish_value", LBPY_DOUBLE, offsetof(lb_result, wish_value), sizeof(((lb_result *)0)->wish_value), 0, -1},
    {"gradient_norm", LBPY_DOUBLE, offsetof(lb_result, gradient_norm), sizeof(((lb_result *)0)->gradient_norm), 0, -1},
    {"iterations", LBPY_INT, offsetof(lb_result, iterations), sizeof(((lb_result *)0)->iterations), 0, -1},
    {"evaluations", LBPY_INT, offsetof(lb_result, evaluations), sizeof(((lb_result *)0)->evaluations), 0, -1},
    {"restarts", LBPY_INT, offsetof(lb_result, restarts), sizeof(((lb_result *)0)->restarts), 0, -1},
    {"answer_count", LBPY_INT, offsetof(lb_result, answer_count), sizeof(((lb_result *)0)->answer_count), 0, -1},
    {"constraint_count", LBPY_INT, offsetof(lb_result, constraint_count), sizeof(((lb_result *)0)->constraint_count), 0, -1},
    {"constraints", LBPY_POINTER, offsetof(lb_result, constraints), sizeof(((lb_result *)0)->constraints), 0, 32},
    {"level_count", LBPY_INT, offsetof(lb_result, level_count), sizeof(((lb_result *)0)->level_count), 0, -1},
    {"levels", LBPY_POINTER, offsetof(lb_result, levels), sizeof(((lb_result *)0)->levels), 0, 34},
    {"limit_count", LBPY_INT, offsetof(lb_result, limit_count), sizeof(((lb_result *)0)->limit_count), 0, -1},
    {"limits", LBPY_POINTER, offsetof(lb_result, limits), sizeof(((lb_result *)0)->limits), 0, 33},
    {"unmet", LBPY_INT, offsetof(lb_result, unmet), sizeof(((lb_result *)0)->unmet), 0, -1},
    {"reason_count", LBPY_INT, offsetof(lb_result, reason_count), sizeof(((lb_result *)0)->reason_count), 0, -1},
    {"reasons", LBPY_POINTER, offsetof(lb_result, reasons), sizeof(((lb_result *)0)->reasons), 0, 35},
    {"freedom", LBPY_STRUCT, offsetof(lb_result, freedom), sizeof(((lb_result *)0)->freedom), 0, 36},
    {"measure_count", LBPY_INT, offsetof(lb_result, measure_count), sizeof(((lb_result *)0)->measure_count), 0, -1},
    {"measures", LBPY_POINTER, offsetof(lb_result, measures), sizeof(((lb_result *)0)->measures), 0, 37},
    {"explanation", LBPY_TEXT, offsetof(lb_result, explanation), sizeof(((lb_result *)0)->explanation), 512, -1},
    {"said_count", LBPY_INT, offsetof(lb_result, said_count), sizeof(((lb_result *)0)->said_count), 0, -1},
    {"said", LBPY_STRUCT, offsetof(lb_result, said), sizeof(((lb_result *)0)->said), 24, 27},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_answer_fields[] = {
    {"status", LBPY_ENUM, offsetof(lb_answer, status), sizeof(((lb_answer *)0)->status), 0, 0},
    {"outcome", LBPY_ENUM, offsetof(lb_answer, outcome), sizeof(((lb_answer *)0)->outcome), 0, 17},
    {"value", LBPY_DOUBLE, offsetof(lb_answer, value), sizeof(((lb_answer *)0)->value), 0, -1},
    {"iterations", LBPY_INT, offsetof(lb_answer, iterations), sizeof(((lb_answer *)0)->iterations), 0, -1},
    {"evaluations", LBPY_INT, offsetof(lb_answer, evaluations), sizeof(((lb_answer *)0)->evaluations), 0, -1},
    {"restarts", LBPY_INT, offsetof(lb_answer, restarts), sizeof(((lb_answer *)0)->restarts), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_many_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_many, struct_size), sizeof(((lb_many *)0)->struct_size), 0, -1},
    {"count", LBPY_INT, offsetof(lb_many, count), sizeof(((lb_many *)0)->count), 0, -1},
    {"goal_count", LBPY_INT, offsetof(lb_many, goal_count), sizeof(((lb_many *)0)->goal_count), 0, -1},
    {"ids", LBPY_POINTER, offsetof(lb_many, ids), sizeof(((lb_many *)0)->ids), 0, -1},
    {"goals", LBPY_POINTER, offsetof(lb_many, goals), sizeof(((lb_many *)0)->goals), 0, 3},
    {"starts", LBPY_POINTER, offsetof(lb_many, starts), sizeof(((lb_many *)0)->starts), 0, -1},
    {"one_start", LBPY_INT, offsetof(lb_many, one_start), sizeof(((lb_many *)0)->one_start), 0, -1},
    {"threads", LBPY_INT, offsetof(lb_many, threads), sizeof(((lb_many *)0)->threads), 0, -1},
    {"on_progress", LBPY_CALLBACK, offsetof(lb_many, on_progress), sizeof(((lb_many *)0)->on_progress), 0, -1},
    {"on_progress_context", LBPY_POINTER, offsetof(lb_many, on_progress_context), sizeof(((lb_many *)0)->on_progress_context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_variable_fields[] = {
    {"weight", LBPY_DOUBLE, offsetof(lb_body_variable, weight), sizeof(((lb_body_variable *)0)->weight), 0, -1},
    {"huber", LBPY_DOUBLE, offsetof(lb_body_variable, huber), sizeof(((lb_body_variable *)0)->huber), 0, -1},
    {"comfort", LBPY_DOUBLE, offsetof(lb_body_variable, comfort), sizeof(((lb_body_variable *)0)->comfort), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_solid_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_solid, name), sizeof(((lb_body_solid *)0)->name), 0, -1},
    {"segment", LBPY_INT, offsetof(lb_body_solid, segment), sizeof(((lb_body_solid *)0)->segment), 0, -1},
    {"from", LBPY_DOUBLE, offsetof(lb_body_solid, from), sizeof(((lb_body_solid *)0)->from), 3, -1},
    {"to", LBPY_DOUBLE, offsetof(lb_body_solid, to), sizeof(((lb_body_solid *)0)->to), 3, -1},
    {"radius", LBPY_DOUBLE, offsetof(lb_body_solid, radius), sizeof(((lb_body_solid *)0)->radius), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_contact_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_contact, name), sizeof(((lb_body_contact *)0)->name), 0, -1},
    {"kind", LBPY_ENUM, offsetof(lb_body_contact, kind), sizeof(((lb_body_contact *)0)->kind), 0, 21},
    {"limb", LBPY_INT, offsetof(lb_body_contact, limb), sizeof(((lb_body_contact *)0)->limb), 0, -1},
    {"segment", LBPY_INT, offsetof(lb_body_contact, segment), sizeof(((lb_body_contact *)0)->segment), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_body_contact, point), sizeof(((lb_body_contact *)0)->point), 3, -1},
    {"radius", LBPY_DOUBLE, offsetof(lb_body_contact, radius), sizeof(((lb_body_contact *)0)->radius), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_strength_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_strength, name), sizeof(((lb_body_strength *)0)->name), 0, -1},
    {"segment", LBPY_INT, offsetof(lb_body_strength, segment), sizeof(((lb_body_strength *)0)->segment), 0, -1},
    {"moment", LBPY_DOUBLE, offsetof(lb_body_strength, moment), sizeof(((lb_body_strength *)0)->moment), 0, -1},
    {"by_axis", LBPY_INT, offsetof(lb_body_strength, by_axis), sizeof(((lb_body_strength *)0)->by_axis), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_arm_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_arm, name), sizeof(((lb_body_arm *)0)->name), 0, -1},
    {"limb", LBPY_INT, offsetof(lb_body_arm, limb), sizeof(((lb_body_arm *)0)->limb), 0, -1},
    {"shoulder", LBPY_INT, offsetof(lb_body_arm, shoulder), sizeof(((lb_body_arm *)0)->shoulder), 0, -1},
    {"hand", LBPY_INT, offsetof(lb_body_arm, hand), sizeof(((lb_body_arm *)0)->hand), 0, -1},
    {"palm", LBPY_INT, offsetof(lb_body_arm, palm), sizeof(((lb_body_arm *)0)->palm), 0, -1},
    {"lap", LBPY_INT, offsetof(lb_body_arm, lap), sizeof(((lb_body_arm *)0)->lap), 0, -1},
    {"lap_point", LBPY_DOUBLE, offsetof(lb_body_arm, lap_point), sizeof(((lb_body_arm *)0)->lap_point), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_ease_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_ease, name), sizeof(((lb_body_ease *)0)->name), 0, -1},
    {"count", LBPY_INT, offsetof(lb_body_ease, count), sizeof(((lb_body_ease *)0)->count), 0, -1},
    {"variables", LBPY_POINTER, offsetof(lb_body_ease, variables), sizeof(((lb_body_ease *)0)->variables), 0, -1},
    {"coefficients", LBPY_POINTER, offsetof(lb_body_ease, coefficients), sizeof(((lb_body_ease *)0)->coefficients), 0, -1},
    {"bound", LBPY_DOUBLE, offsetof(lb_body_ease, bound), sizeof(((lb_body_ease *)0)->bound), 0, -1},
    {"weight", LBPY_DOUBLE, offsetof(lb_body_ease, weight), sizeof(((lb_body_ease *)0)->weight), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_start_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_body_start, name), sizeof(((lb_body_start *)0)->name), 0, -1},
    {"count", LBPY_INT, offsetof(lb_body_start, count), sizeof(((lb_body_start *)0)->count), 0, -1},
    {"variables", LBPY_POINTER, offsetof(lb_body_start, variables), sizeof(((lb_body_start *)0)->variables), 0, -1},
    {"values", LBPY_POINTER, offsetof(lb_body_start, values), sizeof(((lb_body_start *)0)->values), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_body, struct_size), sizeof(((lb_body *)0)->struct_size), 0, -1},
    {"variable_count", LBPY_INT, offsetof(lb_body, variable_count), sizeof(((lb_body *)0)->variable_count), 0, -1},
    {"variables", LBPY_POINTER, offsetof(lb_body, variables), sizeof(((lb_body *)0)->variables), 0, 41},
    {"solid_count", LBPY_INT, offsetof(lb_body, solid_count), sizeof(((lb_body *)0)->solid_count), 0, -1},
    {"solids", LBPY_POINTER, offsetof(lb_body, solids), sizeof(((lb_body *)0)->solids), 0, 42},
    {"contact_count", LBPY_INT, offsetof(lb_body, contact_count), sizeof(((lb_body *)0)->contact_count), 0, -1},
    {"contacts", LBPY_POINTER, offsetof(lb_body, contacts), sizeof(((lb_body *)0)->contacts), 0, 43},
    {"strength_count", LBPY_INT, offsetof(lb_body, strength_count), sizeof(((lb_body *)0)->strength_count), 0, -1},
    {"strengths", LBPY_POINTER, offsetof(lb_body, strengths), sizeof(((lb_body *)0)->strengths), 0, 44},
    {"arm_count", LBPY_INT, offsetof(lb_body, arm_count), sizeof(((lb_body *)0)->arm_count), 0, -1},
    {"arms", LBPY_POINTER, offsetof(lb_body, arms), sizeof(((lb_body *)0)->arms), 0, 45},
    {"ease_count", LBPY_INT, offsetof(lb_body, ease_count), sizeof(((lb_body *)0)->ease_count), 0, -1},
    {"eases", LBPY_POINTER, offsetof(lb_body, eases), sizeof(((lb_body *)0)->eases), 0, 46},
    {"start_count", LBPY_INT, offsetof(lb_body, start_count), sizeof(((lb_body *)0)->start_count), 0, -1},
    {"starts", LBPY_POINTER, offsetof(lb_body, starts), sizeof(((lb_body *)0)->starts), 0, 47},
    {"head", LBPY_INT, offsetof(lb_body, head), sizeof(((lb_body *)0)->head), 0, -1},
    {"gaze", LBPY_INT, offsetof(lb_body, gaze), sizeof(((lb_body *)0)->gaze), 0, -1},
    {"eye_count", LBPY_INT, offsetof(lb_body, eye_count), sizeof(((lb_body *)0)->eye_count), 0, -1},
    {"eyes", LBPY_POINTER, offsetof(lb_body, eyes), sizeof(((lb_body *)0)->eyes), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_habit_feature_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_habit_feature, kind), sizeof(((lb_habit_feature *)0)->kind), 0, 22},
    {"name", LBPY_STRING, offsetof(lb_habit_feature, name), sizeof(((lb_habit_feature *)0)->name), 0, -1},
    {"mean", LBPY_DOUBLE, offsetof(lb_habit_feature, mean), sizeof(((lb_habit_feature *)0)->mean), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_habit_data_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_habit_data, struct_size), sizeof(((lb_habit_data *)0)->struct_size), 0, -1},
    {"feature_count", LBPY_INT, offsetof(lb_habit_data, feature_count), sizeof(((lb_habit_data *)0)->feature_count), 0, -1},
    {"features", LBPY_POINTER, offsetof(lb_habit_data, features), sizeof(((lb_habit_data *)0)->features), 0, 49},
    {"factor", LBPY_POINTER, offsetof(lb_habit_data, factor), sizeof(((lb_habit_data *)0)->factor), 0, -1},
    {"start_count", LBPY_INT, offsetof(lb_habit_data, start_count), sizeof(((lb_habit_data *)0)->start_count), 0, -1},
    {"starts", LBPY_POINTER, offsetof(lb_habit_data, starts), sizeof(((lb_habit_data *)0)->starts), 0, -1},
    {"root_height", LBPY_DOUBLE, offsetof(lb_habit_data, root_height), sizeof(((lb_habit_data *)0)->root_height), 0, -1},
    {"source", LBPY_STRING, offsetof(lb_habit_data, source), sizeof(((lb_habit_data *)0)->source), 0, -1},
    {"credit", LBPY_STRING, offsetof(lb_habit_data, credit), sizeof(((lb_habit_data *)0)->credit), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_surface_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_surface, name), sizeof(((lb_surface *)0)->name), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_surface, point), sizeof(((lb_surface *)0)->point), 3, -1},
    {"half_size", LBPY_DOUBLE, offsetof(lb_surface, half_size), sizeof(((lb_surface *)0)->half_size), 2, -1},
    {"normal", LBPY_DOUBLE, offsetof(lb_surface, normal), sizeof(((lb_surface *)0)->normal), 3, -1},
    {"along", LBPY_DOUBLE, offsetof(lb_surface, along), sizeof(((lb_surface *)0)->along), 3, -1},
    {"thickness", LBPY_DOUBLE, offsetof(lb_surface, thickness), sizeof(((lb_surface *)0)->thickness), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_support_fields[] = {
    {"contact", LBPY_INT, offsetof(lb_support, contact), sizeof(((lb_support *)0)->contact), 0, -1},
    {"surface", LBPY_INT, offsetof(lb_support, surface), sizeof(((lb_support *)0)->surface), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_obstacle_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_obstacle, name), sizeof(((lb_obstacle *)0)->name), 0, -1},
    {"kind", LBPY_ENUM, offsetof(lb_obstacle, kind), sizeof(((lb_obstacle *)0)->kind), 0, 1},
    {"point", LBPY_DOUBLE, offsetof(lb_obstacle, point), sizeof(((lb_obstacle *)0)->point), 3, -1},
    {"to", LBPY_DOUBLE, offsetof(lb_obstacle, to), sizeof(((lb_obstacle *)0)->to), 3, -1},
    {"radius", LBPY_DOUBLE, offsetof(lb_obstacle, radius), sizeof(((lb_obstacle *)0)->radius), 0, -1},
    {"half_size", LBPY_DOUBLE, offsetof(lb_obstacle, half_size), sizeof(((lb_obstacle *)0)->half_size), 3, -1},
    {"rotation", LBPY_DOUBLE, offsetof(lb_obstacle, rotation), sizeof(((lb_obstacle *)0)->rotation), 4, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_swivel_fields[] = {
    {"upper", LBPY_INT, offsetof(lb_swivel, upper), sizeof(((lb_swivel *)0)->upper), 0, -1},
    {"middle", LBPY_INT, offsetof(lb_swivel, middle), sizeof(((lb_swivel *)0)->middle), 0, -1},
    {"lower", LBPY_INT, offsetof(lb_swivel, lower), sizeof(((lb_swivel *)0)->lower), 0, -1},
    {"direction", LBPY_DOUBLE, offsetof(lb_swivel, direction), sizeof(((lb_swivel *)0)->direction), 3, -1},
    {"segment", LBPY_INT, offsetof(lb_swivel, segment), sizeof(((lb_swivel *)0)->segment), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_load_fields[] = {
    {"segment", LBPY_INT, offsetof(lb_load, segment), sizeof(((lb_load *)0)->segment), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_load, point), sizeof(((lb_load *)0)->point), 3, -1},
    {"mass", LBPY_DOUBLE, offsetof(lb_load, mass), sizeof(((lb_load *)0)->mass), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_body_options, struct_size), sizeof(((lb_body_options *)0)->struct_size), 0, -1},
    {"posture", LBPY_DOUBLE, offsetof(lb_body_options, posture), sizeof(((lb_body_options *)0)->posture), 0, -1},
    {"comfort", LBPY_DOUBLE, offsetof(lb_body_options, comfort), sizeof(((lb_body_options *)0)->comfort), 0, -1},
    {"effort", LBPY_DOUBLE, offsetof(lb_body_options, effort), sizeof(((lb_body_options *)0)->effort), 0, -1},
    {"hang", LBPY_DOUBLE, offsetof(lb_body_options, hang), sizeof(((lb_body_options *)0)->hang), 0, -1},
    {"head", LBPY_DOUBLE, offsetof(lb_body_options, head), sizeof(((lb_body_options *)0)->head), 0, -1},
    {"look", LBPY_DOUBLE, offsetof(lb_body_options, look), sizeof(((lb_body_options *)0)->look), 0, -1},
    {"feet", LBPY_DOUBLE, offsetof(lb_body_options, feet), sizeof(((lb_body_options *)0)->feet), 0, -1},
    {"habit", LBPY_DOUBLE, offsetof(lb_body_options, habit), sizeof(((lb_body_options *)0)->habit), 0, -1},
    {"balance", LBPY_INT, offsetof(lb_body_options, balance), sizeof(((lb_body_options *)0)->balance), 0, -1},
    {"above_floor", LBPY_INT, offsetof(lb_body_options, above_floor), sizeof(((lb_body_options *)0)->above_floor), 0, -1},
    {"apart", LBPY_INT, offsetof(lb_body_options, apart), sizeof(((lb_body_options *)0)->apart), 0, -1},
    {"eyes", LBPY_INT, offsetof(lb_body_options, eyes), sizeof(((lb_body_options *)0)->eyes), 0, -1},
    {"floor", LBPY_DOUBLE, offsetof(lb_body_options, floor), sizeof(((lb_body_options *)0)->floor), 0, -1},
    {"feet_modes", LBPY_ENUM, offsetof(lb_body_options, feet_modes), sizeof(((lb_body_options *)0)->feet_modes), 8, 24},
    {"surface_count", LBPY_INT, offsetof(lb_body_options, surface_count), sizeof(((lb_body_options *)0)->surface_count), 0, -1},
    {"surfaces", LBPY_POINTER, offsetof(lb_body_options, surfaces), sizeof(((lb_body_options *)0)->surfaces), 0, 51},
    {"support_count", LBPY_INT, offsetof(lb_body_options, support_count), sizeof(((lb_body_options *)0)->support_count), 0, -1},
    {"supports", LBPY_POINTER, offsetof(lb_body_options, supports), sizeof(((lb_body_options *)0)->supports), 0, 52},
    {"load_count", LBPY_INT, offsetof(lb_body_options, load_count), sizeof(((lb_body_options *)0)->load_count), 0, -1},
    {"loads", LBPY_POINTER, offsetof(lb_body_options, loads), sizeof(((lb_body_options *)0)->loads), 0, 55},
    {"props", LBPY_INT, offsetof(lb_body_options, props), sizeof(((lb_body_options *)0)->props), 0, -1},
    {"obstacle_count", LBPY_INT, offsetof(lb_body_options, obstacle_count), sizeof(((lb_body_options *)0)->obstacle_count), 0, -1},
    {"obstacles", LBPY_POINTER, offsetof(lb_body_options, obstacles), sizeof(((lb_body_options *)0)->obstacles), 0, 53},
    {"swivel_count", LBPY_INT, offsetof(lb_body_options, swivel_count), sizeof(((lb_body_options *)0)->swivel_count), 0, -1},
    {"swivels", LBPY_POINTER, offsetof(lb_body_options, swivels), sizeof(((lb_body_options *)0)->swivels), 0, 54},
    {"friction", LBPY_DOUBLE, offsetof(lb_body_options, friction), sizeof(((lb_body_options *)0)->friction), 0, -1},
    {"drives", LBPY_INT, offsetof(lb_body_options, drives), sizeof(((lb_body_options *)0)->drives), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_contact_result_fields[] = {
    {"contact", LBPY_INT, offsetof(lb_contact_result, contact), sizeof(((lb_contact_result *)0)->contact), 0, -1},
    {"stands", LBPY_INT, offsetof(lb_contact_result, stands), sizeof(((lb_contact_result *)0)->stands), 0, -1},
    {"point", LBPY_DOUBLE, offsetof(lb_contact_result, point), sizeof(((lb_contact_result *)0)->point), 3, -1},
    {"share", LBPY_DOUBLE, offsetof(lb_contact_result, share), sizeof(((lb_contact_result *)0)->share), 0, -1},
    {"surface", LBPY_INT, offsetof(lb_contact_result, surface), sizeof(((lb_contact_result *)0)->surface), 0, -1},
    {"force", LBPY_DOUBLE, offsetof(lb_contact_result, force), sizeof(((lb_contact_result *)0)->force), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_effort_result_fields[] = {
    {"strength", LBPY_INT, offsetof(lb_effort_result, strength), sizeof(((lb_effort_result *)0)->strength), 0, -1},
    {"share", LBPY_DOUBLE, offsetof(lb_effort_result, share), sizeof(((lb_effort_result *)0)->share), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_step_result_fields[] = {
    {"limb", LBPY_INT, offsetof(lb_step_result, limb), sizeof(((lb_step_result *)0)->limb), 0, -1},
    {"distance", LBPY_DOUBLE, offsetof(lb_step_result, distance), sizeof(((lb_step_result *)0)->distance), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_result_fields[] = {
    {"contact_count", LBPY_INT, offsetof(lb_body_result, contact_count), sizeof(((lb_body_result *)0)->contact_count), 0, -1},
    {"contacts", LBPY_POINTER, offsetof(lb_body_result, contacts), sizeof(((lb_body_result *)0)->contacts), 0, 57},
    {"effort_count", LBPY_INT, offsetof(lb_body_result, effort_count), sizeof(((lb_body_result *)0)->effort_count), 0, -1},
    {"efforts", LBPY_POINTER, offsetof(lb_body_result, efforts), sizeof(((lb_body_result *)0)->efforts), 0, 58},
    {"step_count", LBPY_INT, offsetof(lb_body_result, step_count), sizeof(((lb_body_result *)0)->step_count), 0, -1},
    {"steps", LBPY_POINTER, offsetof(lb_body_result, steps), sizeof(((lb_body_result *)0)->steps), 0, 59},
    {"com", LBPY_DOUBLE, offsetof(lb_body_result, com), sizeof(((lb_body_result *)0)->com), 3, -1},
    {"margin", LBPY_DOUBLE, offsetof(lb_body_result, margin), sizeof(((lb_body_result *)0)->margin), 0, -1},
    {"terms", LBPY_DOUBLE, offsetof(lb_body_result, terms), sizeof(((lb_body_result *)0)->terms), 9, -1},
    {"overlap", LBPY_DOUBLE, offsetof(lb_body_result, overlap), sizeof(((lb_body_result *)0)->overlap), 0, -1},
    {"start", LBPY_STRING, offsetof(lb_body_result, start), sizeof(((lb_body_result *)0)->start), 0, -1},
    {"imbalance", LBPY_DOUBLE, offsetof(lb_body_result, imbalance), sizeof(((lb_body_result *)0)->imbalance), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_solid_fields[] = {
    {"name", LBPY_STRING, offsetof(lb_solid, name), sizeof(((lb_solid *)0)->name), 0, -1},
    {"shape", LBPY_STRUCT, offsetof(lb_solid, shape), sizeof(((lb_solid *)0)->shape), 0, 6},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_touching_fields[] = {
    {"figure_a", LBPY_INT, offsetof(lb_touching, figure_a), sizeof(((lb_touching *)0)->figure_a), 0, -1},
    {"segment_a", LBPY_INT, offsetof(lb_touching, segment_a), sizeof(((lb_touching *)0)->segment_a), 0, -1},
    {"figure_b", LBPY_INT, offsetof(lb_touching, figure_b), sizeof(((lb_touching *)0)->figure_b), 0, -1},
    {"segment_b", LBPY_INT, offsetof(lb_touching, segment_b), sizeof(((lb_touching *)0)->segment_b), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_collisions_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_collisions, struct_size), sizeof(((lb_collisions *)0)->struct_size), 0, -1},
    {"self", LBPY_INT, offsetof(lb_collisions, self), sizeof(((lb_collisions *)0)->self), 0, -1},
    {"solid_count", LBPY_INT, offsetof(lb_collisions, solid_count), sizeof(((lb_collisions *)0)->solid_count), 0, -1},
    {"solids", LBPY_POINTER, offsetof(lb_collisions, solids), sizeof(((lb_collisions *)0)->solids), 0, 61},
    {"touching_count", LBPY_INT, offsetof(lb_collisions, touching_count), sizeof(((lb_collisions *)0)->touching_count), 0, -1},
    {"touching", LBPY_POINTER, offsetof(lb_collisions, touching), sizeof(((lb_collisions *)0)->touching), 0, 62},
    {"margin", LBPY_DOUBLE, offsetof(lb_collisions, margin), sizeof(((lb_collisions *)0)->margin), 0, -1},
    {"samples", LBPY_INT, offsetof(lb_collisions, samples), sizeof(((lb_collisions *)0)->samples), 0, -1},
    {"seed", LBPY_U64, offsetof(lb_collisions, seed), sizeof(((lb_collisions *)0)->seed), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_contact_pair_fields[] = {
    {"figure_a", LBPY_INT, offsetof(lb_contact_pair, figure_a), sizeof(((lb_contact_pair *)0)->figure_a), 0, -1},
    {"segment_a", LBPY_INT, offsetof(lb_contact_pair, segment_a), sizeof(((lb_contact_pair *)0)->segment_a), 0, -1},
    {"figure_b", LBPY_INT, offsetof(lb_contact_pair, figure_b), sizeof(((lb_contact_pair *)0)->figure_b), 0, -1},
    {"segment_b", LBPY_INT, offsetof(lb_contact_pair, segment_b), sizeof(((lb_contact_pair *)0)->segment_b), 0, -1},
    {"name_a", LBPY_STRING, offsetof(lb_contact_pair, name_a), sizeof(((lb_contact_pair *)0)->name_a), 0, -1},
    {"name_b", LBPY_STRING, offsetof(lb_contact_pair, name_b), sizeof(((lb_contact_pair *)0)->name_b), 0, -1},
    {"distance", LBPY_DOUBLE, offsetof(lb_contact_pair, distance), sizeof(((lb_contact_pair *)0)->distance), 0, -1},
    {"point_a", LBPY_DOUBLE, offsetof(lb_contact_pair, point_a), sizeof(((lb_contact_pair *)0)->point_a), 3, -1},
    {"point_b", LBPY_DOUBLE, offsetof(lb_contact_pair, point_b), sizeof(((lb_contact_pair *)0)->point_b), 3, -1},
    {"normal", LBPY_DOUBLE, offsetof(lb_contact_pair, normal), sizeof(((lb_contact_pair *)0)->normal), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_drag_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_drag_options, struct_size), sizeof(((lb_drag_options *)0)->struct_size), 0, -1},
    {"constraint", LBPY_INT, offsetof(lb_drag_options, constraint), sizeof(((lb_drag_options *)0)->constraint), 0, -1},
    {"figure", LBPY_INT, offsetof(lb_drag_options, figure), sizeof(((lb_drag_options *)0)->figure), 0, -1},
    {"effector", LBPY_STRUCT, offsetof(lb_drag_options, effector), sizeof(((lb_drag_options *)0)->effector), 0, 20},
    {"turns", LBPY_INT, offsetof(lb_drag_options, turns), sizeof(((lb_drag_options *)0)->turns), 0, -1},
    {"hold_count", LBPY_INT, offsetof(lb_drag_options, hold_count), sizeof(((lb_drag_options *)0)->hold_count), 0, -1},
    {"holds", LBPY_POINTER, offsetof(lb_drag_options, holds), sizeof(((lb_drag_options *)0)->holds), 0, -1},
    {"is_free", LBPY_INT, offsetof(lb_drag_options, is_free), sizeof(((lb_drag_options *)0)->is_free), 0, -1},
    {"carrot", LBPY_DOUBLE, offsetof(lb_drag_options, carrot), sizeof(((lb_drag_options *)0)->carrot), 0, -1},
    {"carrot_rad", LBPY_DOUBLE, offsetof(lb_drag_options, carrot_rad), sizeof(((lb_drag_options *)0)->carrot_rad), 0, -1},
    {"max_change", LBPY_DOUBLE, offsetof(lb_drag_options, max_change), sizeof(((lb_drag_options *)0)->max_change), 0, -1},
    {"max_turn", LBPY_DOUBLE, offsetof(lb_drag_options, max_turn), sizeof(((lb_drag_options *)0)->max_turn), 0, -1},
    {"max_iterations", LBPY_INT, offsetof(lb_drag_options, max_iterations), sizeof(((lb_drag_options *)0)->max_iterations), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_drag_state_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_drag_state, struct_size), sizeof(((lb_drag_state *)0)->struct_size), 0, -1},
    {"settled", LBPY_INT, offsetof(lb_drag_state, settled), sizeof(((lb_drag_state *)0)->settled), 0, -1},
    {"is_there", LBPY_INT, offsetof(lb_drag_state, is_there), sizeof(((lb_drag_state *)0)->is_there), 0, -1},
    {"blocked", LBPY_INT, offsetof(lb_drag_state, blocked), sizeof(((lb_drag_state *)0)->blocked), 0, -1},
    {"miss", LBPY_DOUBLE, offsetof(lb_drag_state, miss), sizeof(((lb_drag_state *)0)->miss), 0, -1},
    {"miss_rad", LBPY_DOUBLE, offsetof(lb_drag_state, miss_rad), sizeof(((lb_drag_state *)0)->miss_rad), 0, -1},
    {"at", LBPY_STRUCT, offsetof(lb_drag_state, at), sizeof(((lb_drag_state *)0)->at), 0, 3},
    {"gliding", LBPY_INT, offsetof(lb_drag_state, gliding), sizeof(((lb_drag_state *)0)->gliding), 0, -1},
    {"glides", LBPY_INT, offsetof(lb_drag_state, glides), sizeof(((lb_drag_state *)0)->glides), 0, -1},
    {"steps", LBPY_TEXT, offsetof(lb_drag_state, steps), sizeof(((lb_drag_state *)0)->steps), 128, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_player_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_player_options, struct_size), sizeof(((lb_player_options *)0)->struct_size), 0, -1},
    {"step", LBPY_DOUBLE, offsetof(lb_player_options, step), sizeof(((lb_player_options *)0)->step), 0, -1},
    {"options", LBPY_POINTER, offsetof(lb_player_options, options), sizeof(((lb_player_options *)0)->options), 0, 31},
    {"warn", LBPY_CALLBACK, offsetof(lb_player_options, warn), sizeof(((lb_player_options *)0)->warn), 0, -1},
    {"warn_context", LBPY_POINTER, offsetof(lb_player_options, warn_context), sizeof(((lb_player_options *)0)->warn_context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_contact_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_contact_options, struct_size), sizeof(((lb_contact_options *)0)->struct_size), 0, -1},
    {"scale", LBPY_DOUBLE, offsetof(lb_contact_options, scale), sizeof(((lb_contact_options *)0)->scale), 0, -1},
    {"height", LBPY_DOUBLE, offsetof(lb_contact_options, height), sizeof(((lb_contact_options *)0)->height), 0, -1},
    {"speed", LBPY_DOUBLE, offsetof(lb_contact_options, speed), sizeof(((lb_contact_options *)0)->speed), 0, -1},
    {"release", LBPY_DOUBLE, offsetof(lb_contact_options, release), sizeof(((lb_contact_options *)0)->release), 0, -1},
    {"least", LBPY_DOUBLE, offsetof(lb_contact_options, least), sizeof(((lb_contact_options *)0)->least), 0, -1},
    {"ease", LBPY_DOUBLE, offsetof(lb_contact_options, ease), sizeof(((lb_contact_options *)0)->ease), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_contact_fields[] = {
    {"point", LBPY_INT, offsetof(lb_contact, point), sizeof(((lb_contact *)0)->point), 0, -1},
    {"first", LBPY_INT, offsetof(lb_contact, first), sizeof(((lb_contact *)0)->first), 0, -1},
    {"last", LBPY_INT, offsetof(lb_contact, last), sizeof(((lb_contact *)0)->last), 0, -1},
    {"place_w", LBPY_DOUBLE, offsetof(lb_contact, place_w), sizeof(((lb_contact *)0)->place_w), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_body_map_fields[] = {
    {"source", LBPY_INT, offsetof(lb_body_map, source), sizeof(((lb_body_map *)0)->source), 50, -1},
    {"target", LBPY_INT, offsetof(lb_body_map, target), sizeof(((lb_body_map *)0)->target), 50, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_retarget_report_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_retarget_report, struct_size), sizeof(((lb_retarget_report *)0)->struct_size), 0, -1},
    {"contact_count", LBPY_INT, offsetof(lb_retarget_report, contact_count), sizeof(((lb_retarget_report *)0)->contact_count), 0, -1},
    {"slide", LBPY_DOUBLE, offsetof(lb_retarget_report, slide), sizeof(((lb_retarget_report *)0)->slide), 0, -1},
    {"feet_off", LBPY_DOUBLE, offsetof(lb_retarget_report, feet_off), sizeof(((lb_retarget_report *)0)->feet_off), 0, -1},
    {"limb_mean", LBPY_DOUBLE, offsetof(lb_retarget_report, limb_mean), sizeof(((lb_retarget_report *)0)->limb_mean), 0, -1},
    {"limb_worst", LBPY_DOUBLE, offsetof(lb_retarget_report, limb_worst), sizeof(((lb_retarget_report *)0)->limb_worst), 0, -1},
    {"wrist_mean", LBPY_DOUBLE, offsetof(lb_retarget_report, wrist_mean), sizeof(((lb_retarget_report *)0)->wrist_mean), 0, -1},
    {"wrist_worst", LBPY_DOUBLE, offsetof(lb_retarget_report, wrist_worst), sizeof(((lb_retarget_report *)0)->wrist_worst), 0, -1},
    {"ankle_mean", LBPY_DOUBLE, offsetof(lb_retarget_report, ankle_mean), sizeof(((lb_retarget_report *)0)->ankle_mean), 0, -1},
    {"ankle_worst", LBPY_DOUBLE, offsetof(lb_retarget_report, ankle_worst), sizeof(((lb_retarget_report *)0)->ankle_worst), 0, -1},
    {"jump", LBPY_DOUBLE, offsetof(lb_retarget_report, jump), sizeof(((lb_retarget_report *)0)->jump), 0, -1},
    {"at_limits", LBPY_DOUBLE, offsetof(lb_retarget_report, at_limits), sizeof(((lb_retarget_report *)0)->at_limits), 0, -1},
    {"reference_frame", LBPY_INT, offsetof(lb_retarget_report, reference_frame), sizeof(((lb_retarget_report *)0)->reference_frame), 0, -1},
    {"is_target_upright", LBPY_INT, offsetof(lb_retarget_report, is_target_upright), sizeof(((lb_retarget_report *)0)->is_target_upright), 0, -1},
    {"worst_part", LBPY_INT, offsetof(lb_retarget_report, worst_part), sizeof(((lb_retarget_report *)0)->worst_part), 0, -1},
    {"worst_frame", LBPY_INT, offsetof(lb_retarget_report, worst_frame), sizeof(((lb_retarget_report *)0)->worst_frame), 0, -1},
    {"is_robot", LBPY_INT, offsetof(lb_retarget_report, is_robot), sizeof(((lb_retarget_report *)0)->is_robot), 0, -1},
    {"limited_frames", LBPY_INT, offsetof(lb_retarget_report, limited_frames), sizeof(((lb_retarget_report *)0)->limited_frames), 0, -1},
    {"speed", LBPY_DOUBLE, offsetof(lb_retarget_report, speed), sizeof(((lb_retarget_report *)0)->speed), 0, -1},
    {"penetration", LBPY_DOUBLE, offsetof(lb_retarget_report, penetration), sizeof(((lb_retarget_report *)0)->penetration), 0, -1},
    {"below", LBPY_DOUBLE, offsetof(lb_retarget_report, below), sizeof(((lb_retarget_report *)0)->below), 0, -1},
    {"tilt", LBPY_DOUBLE, offsetof(lb_retarget_report, tilt), sizeof(((lb_retarget_report *)0)->tilt), 0, -1},
    {"overlapping_frames", LBPY_INT, offsetof(lb_retarget_report, overlapping_frames), sizeof(((lb_retarget_report *)0)->overlapping_frames), 0, -1},
    {"overlap_a", LBPY_INT, offsetof(lb_retarget_report, overlap_a), sizeof(((lb_retarget_report *)0)->overlap_a), 0, -1},
    {"overlap_b", LBPY_INT, offsetof(lb_retarget_report, overlap_b), sizeof(((lb_retarget_report *)0)->overlap_b), 0, -1},
    {"overlap_frame", LBPY_INT, offsetof(lb_retarget_report, overlap_frame), sizeof(((lb_retarget_report *)0)->overlap_frame), 0, -1},
    {"size", LBPY_DOUBLE, offsetof(lb_retarget_report, size), sizeof(((lb_retarget_report *)0)->size), 0, -1},
    {"slide_speed", LBPY_DOUBLE, offsetof(lb_retarget_report, slide_speed), sizeof(((lb_retarget_report *)0)->slide_speed), 0, -1},
    {"hips_step", LBPY_DOUBLE, offsetof(lb_retarget_report, hips_step), sizeof(((lb_retarget_report *)0)->hips_step), 0, -1},
    {"slide_part", LBPY_INT, offsetof(lb_retarget_report, slide_part), sizeof(((lb_retarget_report *)0)->slide_part), 0, -1},
    {"slide_frame", LBPY_INT, offsetof(lb_retarget_report, slide_frame), sizeof(((lb_retarget_report *)0)->slide_frame), 0, -1},
    {"jump_frame", LBPY_INT, offsetof(lb_retarget_report, jump_frame), sizeof(((lb_retarget_report *)0)->jump_frame), 0, -1},
    {"hips_frame", LBPY_INT, offsetof(lb_retarget_report, hips_frame), sizeof(((lb_retarget_report *)0)->hips_frame), 0, -1},
    {"first_frame", LBPY_INT, offsetof(lb_retarget_report, first_frame), sizeof(((lb_retarget_report *)0)->first_frame), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_retarget_bounds_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_retarget_bounds, struct_size), sizeof(((lb_retarget_bounds *)0)->struct_size), 0, -1},
    {"limb_mean", LBPY_DOUBLE, offsetof(lb_retarget_bounds, limb_mean), sizeof(((lb_retarget_bounds *)0)->limb_mean), 0, -1},
    {"limb_worst", LBPY_DOUBLE, offsetof(lb_retarget_bounds, limb_worst), sizeof(((lb_retarget_bounds *)0)->limb_worst), 0, -1},
    {"wrist_mean", LBPY_DOUBLE, offsetof(lb_retarget_bounds, wrist_mean), sizeof(((lb_retarget_bounds *)0)->wrist_mean), 0, -1},
    {"ankle_mean", LBPY_DOUBLE, offsetof(lb_retarget_bounds, ankle_mean), sizeof(((lb_retarget_bounds *)0)->ankle_mean), 0, -1},
    {"slide_speed", LBPY_DOUBLE, offsetof(lb_retarget_bounds, slide_speed), sizeof(((lb_retarget_bounds *)0)->slide_speed), 0, -1},
    {"jump", LBPY_DOUBLE, offsetof(lb_retarget_bounds, jump), sizeof(((lb_retarget_bounds *)0)->jump), 0, -1},
    {"hips_step", LBPY_DOUBLE, offsetof(lb_retarget_bounds, hips_step), sizeof(((lb_retarget_bounds *)0)->hips_step), 0, -1},
    {"at_limits", LBPY_DOUBLE, offsetof(lb_retarget_bounds, at_limits), sizeof(((lb_retarget_bounds *)0)->at_limits), 0, -1},
    {"overlap", LBPY_DOUBLE, offsetof(lb_retarget_bounds, overlap), sizeof(((lb_retarget_bounds *)0)->overlap), 0, -1},
    {"upright", LBPY_INT, offsetof(lb_retarget_bounds, upright), sizeof(((lb_retarget_bounds *)0)->upright), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_retarget_finding_fields[] = {
    {"measure", LBPY_ENUM, offsetof(lb_retarget_finding, measure), sizeof(((lb_retarget_finding *)0)->measure), 0, 31},
    {"frame", LBPY_INT, offsetof(lb_retarget_finding, frame), sizeof(((lb_retarget_finding *)0)->frame), 0, -1},
    {"value", LBPY_DOUBLE, offsetof(lb_retarget_finding, value), sizeof(((lb_retarget_finding *)0)->value), 0, -1},
    {"bound", LBPY_DOUBLE, offsetof(lb_retarget_finding, bound), sizeof(((lb_retarget_finding *)0)->bound), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_retarget_verdict_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_retarget_verdict, struct_size), sizeof(((lb_retarget_verdict *)0)->struct_size), 0, -1},
    {"count", LBPY_INT, offsetof(lb_retarget_verdict, count), sizeof(((lb_retarget_verdict *)0)->count), 0, -1},
    {"findings", LBPY_STRUCT, offsetof(lb_retarget_verdict, findings), sizeof(((lb_retarget_verdict *)0)->findings), 16, 73},
    {"explanation", LBPY_TEXT, offsetof(lb_retarget_verdict, explanation), sizeof(((lb_retarget_verdict *)0)->explanation), 1536, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_retarget_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_retarget_options, struct_size), sizeof(((lb_retarget_options *)0)->struct_size), 0, -1},
    {"hold_feet", LBPY_INT, offsetof(lb_retarget_options, hold_feet), sizeof(((lb_retarget_options *)0)->hold_feet), 0, -1},
    {"contacts", LBPY_POINTER, offsetof(lb_retarget_options, contacts), sizeof(((lb_retarget_options *)0)->contacts), 0, 68},
    {"weight_feet", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_feet), sizeof(((lb_retarget_options *)0)->weight_feet), 0, -1},
    {"weight_hips", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_hips), sizeof(((lb_retarget_options *)0)->weight_hips), 0, -1},
    {"weight_hands", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_hands), sizeof(((lb_retarget_options *)0)->weight_hands), 0, -1},
    {"weight_head", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_head), sizeof(((lb_retarget_options *)0)->weight_head), 0, -1},
    {"weight_turns", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_turns), sizeof(((lb_retarget_options *)0)->weight_turns), 0, -1},
    {"on_frame", LBPY_CALLBACK, offsetof(lb_retarget_options, on_frame), sizeof(((lb_retarget_options *)0)->on_frame), 0, -1},
    {"on_frame_context", LBPY_POINTER, offsetof(lb_retarget_options, on_frame_context), sizeof(((lb_retarget_options *)0)->on_frame_context), 0, -1},
    {"weight_limbs", LBPY_DOUBLE, offsetof(lb_retarget_options, weight_limbs), sizeof(((lb_retarget_options *)0)->weight_limbs), 0, -1},
    {"smooth", LBPY_INT, offsetof(lb_retarget_options, smooth), sizeof(((lb_retarget_options *)0)->smooth), 0, -1},
    {"first_frame", LBPY_INT, offsetof(lb_retarget_options, first_frame), sizeof(((lb_retarget_options *)0)->first_frame), 0, -1},
    {"frame_count", LBPY_INT, offsetof(lb_retarget_options, frame_count), sizeof(((lb_retarget_options *)0)->frame_count), 0, -1},
    {"keep_apart", LBPY_INT, offsetof(lb_retarget_options, keep_apart), sizeof(((lb_retarget_options *)0)->keep_apart), 0, -1},
    {"keep_speeds", LBPY_INT, offsetof(lb_retarget_options, keep_speeds), sizeof(((lb_retarget_options *)0)->keep_speeds), 0, -1},
    {"keep_first_frame", LBPY_INT, offsetof(lb_retarget_options, keep_first_frame), sizeof(((lb_retarget_options *)0)->keep_first_frame), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_load_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_load_options, struct_size), sizeof(((lb_load_options *)0)->struct_size), 0, -1},
    {"format", LBPY_ENUM, offsetof(lb_load_options, format), sizeof(((lb_load_options *)0)->format), 0, 32},
    {"max_bytes", LBPY_SIZE, offsetof(lb_load_options, max_bytes), sizeof(((lb_load_options *)0)->max_bytes), 0, -1},
    {"stature", LBPY_DOUBLE, offsetof(lb_load_options, stature), sizeof(((lb_load_options *)0)->stature), 0, -1},
    {"unit", LBPY_DOUBLE, offsetof(lb_load_options, unit), sizeof(((lb_load_options *)0)->unit), 0, -1},
    {"anatomical_limits", LBPY_INT, offsetof(lb_load_options, anatomical_limits), sizeof(((lb_load_options *)0)->anatomical_limits), 0, -1},
    {"animation", LBPY_STRING, offsetof(lb_load_options, animation), sizeof(((lb_load_options *)0)->animation), 0, -1},
    {"frame_time", LBPY_DOUBLE, offsetof(lb_load_options, frame_time), sizeof(((lb_load_options *)0)->frame_time), 0, -1},
    {"follow_includes", LBPY_INT, offsetof(lb_load_options, follow_includes), sizeof(((lb_load_options *)0)->follow_includes), 0, -1},
    {"models", LBPY_STRING, offsetof(lb_load_options, models), sizeof(((lb_load_options *)0)->models), 0, -1},
    {"allocator", LBPY_POINTER, offsetof(lb_load_options, allocator), sizeof(((lb_load_options *)0)->allocator), 0, 1},
    {"warn", LBPY_CALLBACK, offsetof(lb_load_options, warn), sizeof(((lb_load_options *)0)->warn), 0, -1},
    {"warn_context", LBPY_POINTER, offsetof(lb_load_options, warn_context), sizeof(((lb_load_options *)0)->warn_context), 0, -1},
    {"bvh_up", LBPY_ENUM, offsetof(lb_load_options, bvh_up), sizeof(((lb_load_options *)0)->bvh_up), 0, 33},
    {"limits", LBPY_ENUM, offsetof(lb_load_options, limits), sizeof(((lb_load_options *)0)->limits), 0, 34},
    {"body", LBPY_INT, offsetof(lb_load_options, body), sizeof(((lb_load_options *)0)->body), 0, -1},
    {"root", LBPY_STRING, offsetof(lb_load_options, root), sizeof(((lb_load_options *)0)->root), 0, -1},
    {"meshes", LBPY_INT, offsetof(lb_load_options, meshes), sizeof(((lb_load_options *)0)->meshes), 0, -1},
    {"packages", LBPY_STRING, offsetof(lb_load_options, packages), sizeof(((lb_load_options *)0)->packages), 0, -1},
    {"stand", LBPY_INT, offsetof(lb_load_options, stand), sizeof(((lb_load_options *)0)->stand), 0, -1},
    {"base", LBPY_ENUM, offsetof(lb_load_options, base), sizeof(((lb_load_options *)0)->base), 0, 35},
    {"base_half", LBPY_DOUBLE, offsetof(lb_load_options, base_half), sizeof(((lb_load_options *)0)->base_half), 3, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_save_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_save_options, struct_size), sizeof(((lb_save_options *)0)->struct_size), 0, -1},
    {"format", LBPY_ENUM, offsetof(lb_save_options, format), sizeof(((lb_save_options *)0)->format), 0, 32},
    {"bvh_unit", LBPY_DOUBLE, offsetof(lb_save_options, bvh_unit), sizeof(((lb_save_options *)0)->bvh_unit), 0, -1},
    {"pose", LBPY_POINTER, offsetof(lb_save_options, pose), sizeof(((lb_save_options *)0)->pose), 0, -1},
    {"warn", LBPY_CALLBACK, offsetof(lb_save_options, warn), sizeof(((lb_save_options *)0)->warn), 0, -1},
    {"warn_context", LBPY_POINTER, offsetof(lb_save_options, warn_context), sizeof(((lb_save_options *)0)->warn_context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_render_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_render_options, struct_size), sizeof(((lb_render_options *)0)->struct_size), 0, -1},
    {"width", LBPY_INT, offsetof(lb_render_options, width), sizeof(((lb_render_options *)0)->width), 0, -1},
    {"height", LBPY_INT, offsetof(lb_render_options, height), sizeof(((lb_render_options *)0)->height), 0, -1},
    {"view_count", LBPY_INT, offsetof(lb_render_options, view_count), sizeof(((lb_render_options *)0)->view_count), 0, -1},
    {"views", LBPY_ENUM, offsetof(lb_render_options, views), sizeof(((lb_render_options *)0)->views), 4, 37},
    {"has_camera", LBPY_INT, offsetof(lb_render_options, has_camera), sizeof(((lb_render_options *)0)->has_camera), 0, -1},
    {"azimuth_deg", LBPY_DOUBLE, offsetof(lb_render_options, azimuth_deg), sizeof(((lb_render_options *)0)->azimuth_deg), 0, -1},
    {"elevation_deg", LBPY_DOUBLE, offsetof(lb_render_options, elevation_deg), sizeof(((lb_render_options *)0)->elevation_deg), 0, -1},
    {"zoom", LBPY_DOUBLE, offsetof(lb_render_options, zoom), sizeof(((lb_render_options *)0)->zoom), 0, -1},
    {"perspective", LBPY_INT, offsetof(lb_render_options, perspective), sizeof(((lb_render_options *)0)->perspective), 0, -1},
    {"show_shapes", LBPY_INT, offsetof(lb_render_options, show_shapes), sizeof(((lb_render_options *)0)->show_shapes), 0, -1},
    {"show_joints", LBPY_INT, offsetof(lb_render_options, show_joints), sizeof(((lb_render_options *)0)->show_joints), 0, -1},
    {"show_sites", LBPY_INT, offsetof(lb_render_options, show_sites), sizeof(((lb_render_options *)0)->show_sites), 0, -1},
    {"show_labels", LBPY_INT, offsetof(lb_render_options, show_labels), sizeof(((lb_render_options *)0)->show_labels), 0, -1},
    {"show_limits", LBPY_INT, offsetof(lb_render_options, show_limits), sizeof(((lb_render_options *)0)->show_limits), 0, -1},
    {"show_ground", LBPY_INT, offsetof(lb_render_options, show_ground), sizeof(((lb_render_options *)0)->show_ground), 0, -1},
    {"show_com", LBPY_INT, offsetof(lb_render_options, show_com), sizeof(((lb_render_options *)0)->show_com), 0, -1},
    {"show_scale", LBPY_INT, offsetof(lb_render_options, show_scale), sizeof(((lb_render_options *)0)->show_scale), 0, -1},
    {"dark", LBPY_INT, offsetof(lb_render_options, dark), sizeof(((lb_render_options *)0)->dark), 0, -1},
    {"has_bounds", LBPY_INT, offsetof(lb_render_options, has_bounds), sizeof(((lb_render_options *)0)->has_bounds), 0, -1},
    {"lower", LBPY_DOUBLE, offsetof(lb_render_options, lower), sizeof(((lb_render_options *)0)->lower), 3, -1},
    {"upper", LBPY_DOUBLE, offsetof(lb_render_options, upper), sizeof(((lb_render_options *)0)->upper), 3, -1},
    {"title", LBPY_STRING, offsetof(lb_render_options, title), sizeof(((lb_render_options *)0)->title), 0, -1},
    {"format", LBPY_ENUM, offsetof(lb_render_options, format), sizeof(((lb_render_options *)0)->format), 0, 36},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_marker_fields[] = {
    {"kind", LBPY_ENUM, offsetof(lb_marker, kind), sizeof(((lb_marker *)0)->kind), 0, 38},
    {"frame", LBPY_STRUCT, offsetof(lb_marker, frame), sizeof(((lb_marker *)0)->frame), 0, 3},
    {"to", LBPY_DOUBLE, offsetof(lb_marker, to), sizeof(((lb_marker *)0)->to), 3, -1},
    {"shape", LBPY_STRUCT, offsetof(lb_marker, shape), sizeof(((lb_marker *)0)->shape), 0, 6},
    {"is_met", LBPY_INT, offsetof(lb_marker, is_met), sizeof(((lb_marker *)0)->is_met), 0, -1},
    {"name", LBPY_STRING, offsetof(lb_marker, name), sizeof(((lb_marker *)0)->name), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_scene_fields[] = {
    {"figure_count", LBPY_INT, offsetof(lb_scene, figure_count), sizeof(((lb_scene *)0)->figure_count), 0, -1},
    {"figures", LBPY_POINTER, offsetof(lb_scene, figures), sizeof(((lb_scene *)0)->figures), 0, -1},
    {"poses", LBPY_POINTER, offsetof(lb_scene, poses), sizeof(((lb_scene *)0)->poses), 0, -1},
    {"marker_count", LBPY_INT, offsetof(lb_scene, marker_count), sizeof(((lb_scene *)0)->marker_count), 0, -1},
    {"markers", LBPY_POINTER, offsetof(lb_scene, markers), sizeof(((lb_scene *)0)->markers), 0, 79},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_path_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_path_options, struct_size), sizeof(((lb_path_options *)0)->struct_size), 0, -1},
    {"start", LBPY_POINTER, offsetof(lb_path_options, start), sizeof(((lb_path_options *)0)->start), 0, -1},
    {"is_from_start", LBPY_INT, offsetof(lb_path_options, is_from_start), sizeof(((lb_path_options *)0)->is_from_start), 0, -1},
    {"is_position", LBPY_INT, offsetof(lb_path_options, is_position), sizeof(((lb_path_options *)0)->is_position), 0, -1},
    {"ways", LBPY_INT, offsetof(lb_path_options, ways), sizeof(((lb_path_options *)0)->ways), 0, -1},
    {"seed", LBPY_U64, offsetof(lb_path_options, seed), sizeof(((lb_path_options *)0)->seed), 0, -1},
    {"spacing", LBPY_DOUBLE, offsetof(lb_path_options, spacing), sizeof(((lb_path_options *)0)->spacing), 0, -1},
    {"spacing_rad", LBPY_DOUBLE, offsetof(lb_path_options, spacing_rad), sizeof(((lb_path_options *)0)->spacing_rad), 0, -1},
    {"corner_rad", LBPY_DOUBLE, offsetof(lb_path_options, corner_rad), sizeof(((lb_path_options *)0)->corner_rad), 0, -1},
    {"period", LBPY_DOUBLE, offsetof(lb_path_options, period), sizeof(((lb_path_options *)0)->period), 0, -1},
    {"speed", LBPY_DOUBLE, offsetof(lb_path_options, speed), sizeof(((lb_path_options *)0)->speed), 0, -1},
    {"speed_rad", LBPY_DOUBLE, offsetof(lb_path_options, speed_rad), sizeof(((lb_path_options *)0)->speed_rad), 0, -1},
    {"velocity", LBPY_POINTER, offsetof(lb_path_options, velocity), sizeof(((lb_path_options *)0)->velocity), 0, -1},
    {"acceleration", LBPY_POINTER, offsetof(lb_path_options, acceleration), sizeof(((lb_path_options *)0)->acceleration), 0, -1},
    {"usual_velocity_rad", LBPY_DOUBLE, offsetof(lb_path_options, usual_velocity_rad), sizeof(((lb_path_options *)0)->usual_velocity_rad), 0, -1},
    {"usual_velocity_m", LBPY_DOUBLE, offsetof(lb_path_options, usual_velocity_m), sizeof(((lb_path_options *)0)->usual_velocity_m), 0, -1},
    {"rise_time", LBPY_DOUBLE, offsetof(lb_path_options, rise_time), sizeof(((lb_path_options *)0)->rise_time), 0, -1},
    {"collisions", LBPY_POINTER, offsetof(lb_path_options, collisions), sizeof(((lb_path_options *)0)->collisions), 0, 63},
    {"problem", LBPY_HANDLE, offsetof(lb_path_options, problem), sizeof(((lb_path_options *)0)->problem), 0, 5},
    {"cancel", LBPY_POINTER, offsetof(lb_path_options, cancel), sizeof(((lb_path_options *)0)->cancel), 0, 2},
    {"deadline_us", LBPY_DOUBLE, offsetof(lb_path_options, deadline_us), sizeof(((lb_path_options *)0)->deadline_us), 0, -1},
    {"now_us", LBPY_CALLBACK, offsetof(lb_path_options, now_us), sizeof(((lb_path_options *)0)->now_us), 0, -1},
    {"now_context", LBPY_POINTER, offsetof(lb_path_options, now_context), sizeof(((lb_path_options *)0)->now_context), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_path_result_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_path_result, struct_size), sizeof(((lb_path_result *)0)->struct_size), 0, -1},
    {"end", LBPY_ENUM, offsetof(lb_path_result, end), sizeof(((lb_path_result *)0)->end), 0, 39},
    {"fraction", LBPY_DOUBLE, offsetof(lb_path_result, fraction), sizeof(((lb_path_result *)0)->fraction), 0, -1},
    {"variable", LBPY_INT, offsetof(lb_path_result, variable), sizeof(((lb_path_result *)0)->variable), 0, -1},
    {"is_upper", LBPY_INT, offsetof(lb_path_result, is_upper), sizeof(((lb_path_result *)0)->is_upper), 0, -1},
    {"frame", LBPY_INT, offsetof(lb_path_result, frame), sizeof(((lb_path_result *)0)->frame), 0, -1},
    {"has_closed", LBPY_INT, offsetof(lb_path_result, has_closed), sizeof(((lb_path_result *)0)->has_closed), 0, -1},
    {"way_count", LBPY_INT, offsetof(lb_path_result, way_count), sizeof(((lb_path_result *)0)->way_count), 0, -1},
    {"through_count", LBPY_INT, offsetof(lb_path_result, through_count), sizeof(((lb_path_result *)0)->through_count), 0, -1},
    {"margin", LBPY_DOUBLE, offsetof(lb_path_result, margin), sizeof(((lb_path_result *)0)->margin), 0, -1},
    {"margin_variable", LBPY_INT, offsetof(lb_path_result, margin_variable), sizeof(((lb_path_result *)0)->margin_variable), 0, -1},
    {"length", LBPY_DOUBLE, offsetof(lb_path_result, length), sizeof(((lb_path_result *)0)->length), 0, -1},
    {"length_rad", LBPY_DOUBLE, offsetof(lb_path_result, length_rad), sizeof(((lb_path_result *)0)->length_rad), 0, -1},
    {"duration", LBPY_DOUBLE, offsetof(lb_path_result, duration), sizeof(((lb_path_result *)0)->duration), 0, -1},
    {"pose_count", LBPY_INT, offsetof(lb_path_result, pose_count), sizeof(((lb_path_result *)0)->pose_count), 0, -1},
    {"load_velocity", LBPY_DOUBLE, offsetof(lb_path_result, load_velocity), sizeof(((lb_path_result *)0)->load_velocity), 0, -1},
    {"load_acceleration", LBPY_DOUBLE, offsetof(lb_path_result, load_acceleration), sizeof(((lb_path_result *)0)->load_acceleration), 0, -1},
    {"pace_variable", LBPY_INT, offsetof(lb_path_result, pace_variable), sizeof(((lb_path_result *)0)->pace_variable), 0, -1},
    {"is_pace_velocity", LBPY_INT, offsetof(lb_path_result, is_pace_velocity), sizeof(((lb_path_result *)0)->is_pace_velocity), 0, -1},
    {"deviation", LBPY_DOUBLE, offsetof(lb_path_result, deviation), sizeof(((lb_path_result *)0)->deviation), 0, -1},
    {"deviation_rad", LBPY_DOUBLE, offsetof(lb_path_result, deviation_rad), sizeof(((lb_path_result *)0)->deviation_rad), 0, -1},
    {"explanation", LBPY_TEXT, offsetof(lb_path_result, explanation), sizeof(((lb_path_result *)0)->explanation), 512, -1},
    {"name_a", LBPY_TEXT, offsetof(lb_path_result, name_a), sizeof(((lb_path_result *)0)->name_a), 64, -1},
    {"name_b", LBPY_TEXT, offsetof(lb_path_result, name_b), sizeof(((lb_path_result *)0)->name_b), 64, -1},
    {"touching_count", LBPY_INT, offsetof(lb_path_result, touching_count), sizeof(((lb_path_result *)0)->touching_count), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_servo_options_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_servo_options, struct_size), sizeof(((lb_servo_options *)0)->struct_size), 0, -1},
    {"period", LBPY_DOUBLE, offsetof(lb_servo_options, period), sizeof(((lb_servo_options *)0)->period), 0, -1},
    {"velocity", LBPY_POINTER, offsetof(lb_servo_options, velocity), sizeof(((lb_servo_options *)0)->velocity), 0, -1},
    {"acceleration", LBPY_POINTER, offsetof(lb_servo_options, acceleration), sizeof(((lb_servo_options *)0)->acceleration), 0, -1},
    {"usual_velocity_rad", LBPY_DOUBLE, offsetof(lb_servo_options, usual_velocity_rad), sizeof(((lb_servo_options *)0)->usual_velocity_rad), 0, -1},
    {"usual_velocity_m", LBPY_DOUBLE, offsetof(lb_servo_options, usual_velocity_m), sizeof(((lb_servo_options *)0)->usual_velocity_m), 0, -1},
    {"rise_time", LBPY_DOUBLE, offsetof(lb_servo_options, rise_time), sizeof(((lb_servo_options *)0)->rise_time), 0, -1},
    {"speed", LBPY_DOUBLE, offsetof(lb_servo_options, speed), sizeof(((lb_servo_options *)0)->speed), 0, -1},
    {"middle", LBPY_DOUBLE, offsetof(lb_servo_options, middle), sizeof(((lb_servo_options *)0)->middle), 0, -1},
    {"manipulability", LBPY_DOUBLE, offsetof(lb_servo_options, manipulability), sizeof(((lb_servo_options *)0)->manipulability), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static const lbpy_field lb_servo_state_fields[] = {
    {"struct_size", LBPY_SIZE, offsetof(lb_servo_state, struct_size), sizeof(((lb_servo_state *)0)->struct_size), 0, -1},
    {"lag", LBPY_DOUBLE, offsetof(lb_servo_state, lag), sizeof(((lb_servo_state *)0)->lag), 0, -1},
    {"lag_rad", LBPY_DOUBLE, offsetof(lb_servo_state, lag_rad), sizeof(((lb_servo_state *)0)->lag_rad), 0, -1},
    {"constraint", LBPY_INT, offsetof(lb_servo_state, constraint), sizeof(((lb_servo_state *)0)->constraint), 0, -1},
    {"hold", LBPY_ENUM, offsetof(lb_servo_state, hold), sizeof(((lb_servo_state *)0)->hold), 0, 40},
    {"variable", LBPY_INT, offsetof(lb_servo_state, variable), sizeof(((lb_servo_state *)0)->variable), 0, -1},
    {"is_upper", LBPY_INT, offsetof(lb_servo_state, is_upper), sizeof(((lb_servo_state *)0)->is_upper), 0, -1},
    {"load", LBPY_DOUBLE, offsetof(lb_servo_state, load), sizeof(((lb_servo_state *)0)->load), 0, -1},
    {"is_at_rest", LBPY_INT, offsetof(lb_servo_state, is_at_rest), sizeof(((lb_servo_state *)0)->is_at_rest), 0, -1},
    {"tick", LBPY_U64, offsetof(lb_servo_state, tick), sizeof(((lb_servo_state *)0)->tick), 0, -1},
    {"pair", LBPY_INT, offsetof(lb_servo_state, pair), sizeof(((lb_servo_state *)0)->pair), 0, -1},
    {NULL, LBPY_INT, 0, 0, 0, -1}};

static void lb_frame_fill(void *at) {
    lb_frame_identity(at);
}

static void lb_segment_fill(void *at) {
    lb_segment_defaults(at);
}

static void lb_site_fill(void *at) {
    lb_site_defaults(at);
}

static void lb_shape_fill(void *at) {
    lb_shape_defaults(at);
}

static void lb_joint_fill(void *at) {
    lb_joint_defaults(at);
}

static void lb_parameter_fill(void *at) {
    lb_parameter_defaults(at);
}

static void lb_drive_fill(void *at) {
    lb_drive_defaults(at);
}

static void lb_limit_fill(void *at) {
    lb_limit_defaults(at);
}

static void lb_root_fill(void *at) {
    lb_root_defaults(at);
}

static void lb_closed_options_fill(void *at) {
    lb_closed_options_defaults_sized(at, sizeof(lb_closed_options));
}

static void lb_closed_result_fill(void *at) {
    lb_closed_result_defaults_sized(at, sizeof(lb_closed_result));
}

static void lb_closed_solution_fill(void *at) {
    lb_closed_solution_defaults_sized(at, sizeof(lb_closed_solution));
}

static void lb_reach_options_fill(void *at) {
    lb_reach_options_defaults_sized(at, sizeof(lb_reach_options));
}

static void lb_reach_answer_fill(void *at) {
    lb_reach_answer_defaults_sized(at, sizeof(lb_reach_answer));
}

static void lb_goal_fill(void *at) {
    lb_goal_defaults(at);
}

static void lb_constraint_fill(void *at) {
    lb_constraint_defaults(at);
}

static void lb_solve_options_fill(void *at) {
    lb_solve_options_defaults_sized(at, sizeof(lb_solve_options));
}

static void lb_result_fill(void *at) {
    lb_result_defaults_sized(at, sizeof(lb_result));
}

static void lb_many_fill(void *at) {
    lb_many_defaults_sized(at, sizeof(lb_many));
}

static void lb_body_fill(void *at) {
    lb_body_defaults_sized(at, sizeof(lb_body));
}

static void lb_habit_data_fill(void *at) {
    lb_habit_data_defaults_sized(at, sizeof(lb_habit_data));
}

static void lb_body_options_fill(void *at) {
    lb_body_options_defaults_sized(at, sizeof(lb_body_options));
}

static void lb_collisions_fill(void *at) {
    lb_collisions_defaults_sized(at, sizeof(lb_collisions));
}

static void lb_drag_options_fill(void *at) {
    lb_drag_options_defaults_sized(at, sizeof(lb_drag_options));
}

static void lb_drag_state_fill(void *at) {
    lb_drag_state_defaults_sized(at, sizeof(lb_drag_state));
}

static void lb_player_options_fill(void *at) {
    lb_player_options_defaults_sized(at, sizeof(lb_player_options));
}

static void lb_contact_options_fill(void *at) {
    lb_contact_options_defaults_sized(at, sizeof(lb_contact_options));
}

static void lb_retarget_report_fill(void *at) {
    lb_retarget_report_defaults_sized(at, sizeof(lb_retarget_report));
}

static void lb_retarget_bounds_fill(void *at) {
    lb_retarget_bounds_defaults_sized(at, sizeof(lb_retarget_bounds));
}

static void lb_retarget_verdict_fill(void *at) {
    lb_retarget_verdict_defaults_sized(at, sizeof(lb_retarget_verdict));
}

static void lb_retarget_options_fill(void *at) {
    lb_retarget_options_defaults_sized(at, sizeof(lb_retarget_options));
}

static void lb_load_options_fill(void *at) {
    lb_load_options_defaults_sized(at, sizeof(lb_load_options));
}

static void lb_save_options_fill(void *at) {
    lb_save_options_defaults_sized(at, sizeof(lb_save_options));
}

static void lb_render_options_fill(void *at) {
    lb_render_options_defaults_sized(at, sizeof(lb_render_options));
}

static void lb_path_options_fill(void *at) {
    lb_path_options_defaults_sized(at, sizeof(lb_path_options));
}

static void lb_path_result_fill(void *at) {
    lb_path_result_defaults_sized(at, sizeof(lb_path_result));
}

static void lb_servo_options_fill(void *at) {
    lb_servo_options_defaults_sized(at, sizeof(lb_servo_options));
}

static void lb_servo_state_fill(void *at) {
    lb_servo_state_defaults_sized(at, sizeof(lb_servo_state));
}

const lbpy_struct_kind lbpy_structs[] = {
    {"lb_error", sizeof(lb_error), lb_error_fields, NULL},
    {"lb_allocator", sizeof(lb_allocator), lb_allocator_fields, NULL},
    {"lb_cancel", sizeof(lb_cancel), lb_cancel_fields, NULL},
    {"lb_frame", sizeof(lb_frame), lb_frame_fields, lb_frame_fill},
    {"lb_segment", sizeof(lb_segment), lb_segment_fields, lb_segment_fill},
    {"lb_site", sizeof(lb_site), lb_site_fields, lb_site_fill},
    {"lb_shape", sizeof(lb_shape), lb_shape_fields, lb_shape_fill},
    {"lb_element", sizeof(lb_element), lb_element_fields, NULL},
    {"lb_joint_type", sizeof(lb_joint_type), lb_joint_type_fields, NULL},
    {"lb_joint", sizeof(lb_joint), lb_joint_fields, lb_joint_fill},
    {"lb_group", sizeof(lb_group), lb_group_fields, NULL},
    {"lb_parameter", sizeof(lb_parameter), lb_parameter_fields, lb_parameter_fill},
    {"lb_dof_ref", sizeof(lb_dof_ref), lb_dof_ref_fields, NULL},
    {"lb_curve", sizeof(lb_curve), lb_curve_fields, NULL},
    {"lb_drive", sizeof(lb_drive), lb_drive_fields, lb_drive_fill},
    {"lb_limit", sizeof(lb_limit), lb_limit_fields, lb_limit_fill},
    {"lb_root", sizeof(lb_root), lb_root_fields, lb_root_fill},
    {"lb_variable", sizeof(lb_variable), lb_variable_fields, NULL},
    {"lb_limit_row", sizeof(lb_limit_row), lb_limit_row_fields, NULL},
    {"lb_room", sizeof(lb_room), lb_room_fields, NULL},
    {"lb_effector", sizeof(lb_effector), lb_effector_fields, NULL},
    {"lb_dh_row", sizeof(lb_dh_row), lb_dh_row_fields, NULL},
    {"lb_closed_options", sizeof(lb_closed_options), lb_closed_options_fields, lb_closed_options_fill},
    {"lb_closed_result", sizeof(lb_closed_result), lb_closed_result_fields, lb_closed_result_fill},
    {"lb_closed_solution", sizeof(lb_closed_solution), lb_closed_solution_fields, lb_closed_solution_fill},
    {"lb_reach_options", sizeof(lb_reach_options), lb_reach_options_fields, lb_reach_options_fill},
    {"lb_reach_answer", sizeof(lb_reach_answer), lb_reach_answer_fields, lb_reach_answer_fill},
    {"lb_say", sizeof(lb_say), lb_say_fields, NULL},
    {"lb_goal", sizeof(lb_goal), lb_goal_fields, lb_goal_fill},
    {"lb_constraint", sizeof(lb_constraint), lb_constraint_fields, lb_constraint_fill},
    {"lb_progress", sizeof(lb_progress), lb_progress_fields, NULL},
    {"lb_solve_options", sizeof(lb_solve_options), lb_solve_options_fields, lb_solve_options_fill},
    {"lb_constraint_result", sizeof(lb_constraint_result), lb_constraint_result_fields, NULL},
    {"lb_active_limit", sizeof(lb_active_limit), lb_active_limit_fields, NULL},
    {"lb_level_result", sizeof(lb_level_result), lb_level_result_fields, NULL},
    {"lb_reason", sizeof(lb_reason), lb_reason_fields, NULL},
    {"lb_freedom", sizeof(lb_freedom), lb_freedom_fields, NULL},
    {"lb_measure", sizeof(lb_measure), lb_measure_fields, NULL},
    {"lb_result", sizeof(lb_result), lb_result_fields, lb_result_fill},
    {"lb_answer", sizeof(lb_answer), lb_answer_fields, NULL},
    {"lb_many", sizeof(lb_many), lb_many_fields, lb_many_fill},
    {"lb_body_variable", sizeof(lb_body_variable), lb_body_variable_fields, NULL},
    {"lb_body_solid", sizeof(lb_body_solid), lb_body_solid_fields, NULL},
    {"lb_body_contact", sizeof(lb_body_contact), lb_body_contact_fields, NULL},
    {"lb_body_strength", sizeof(lb_body_strength), lb_body_strength_fields, NULL},
    {"lb_body_arm", sizeof(lb_body_arm), lb_body_arm_fields, NULL},
    {"lb_body_ease", sizeof(lb_body_ease), lb_body_ease_fields, NULL},
    {"lb_body_start", sizeof(lb_body_start), lb_body_start_fields, NULL},
    {"lb_body", sizeof(lb_body), lb_body_fields, lb_body_fill},
    {"lb_habit_feature", sizeof(lb_habit_feature), lb_habit_feature_fields, NULL},
    {"lb_habit_data", sizeof(lb_habit_data), lb_habit_data_fields, lb_habit_data_fill},
    {"lb_surface", sizeof(lb_surface), lb_surface_fields, NULL},
    {"lb_support", sizeof(lb_support), lb_support_fields, NULL},
    {"lb_obstacle", sizeof(lb_obstacle), lb_obstacle_fields, NULL},
    {"lb_swivel", sizeof(lb_swivel), lb_swivel_fields, NULL},
    {"lb_load", sizeof(lb_load), lb_load_fields, NULL},
    {"lb_body_options", sizeof(lb_body_options), lb_body_options_fields, lb_body_options_fill},
    {"lb_contact_result", sizeof(lb_contact_result), lb_contact_result_fields, NULL},
    {"lb_effort_result", sizeof(lb_effort_result), lb_effort_result_fields, NULL},
    {"lb_step_result", sizeof(lb_step_result), lb_step_result_fields, NULL},
    {"lb_body_result", sizeof(lb_body_result), lb_body_result_fields, NULL},
    {"lb_solid", sizeof(lb_solid), lb_solid_fields, NULL},
    {"lb_touching", sizeof(lb_touching), lb_touching_fields, NULL},
    {"lb_collisions", sizeof(lb_collisions), lb_collisions_fields, lb_collisions_fill},
    {"lb_contact_pair", sizeof(lb_contact_pair), lb_contact_pair_fields, NULL},
    {"lb_drag_options", sizeof(lb_drag_options), lb_drag_options_fields, lb_drag_options_fill},
    {"lb_drag_state", sizeof(lb_drag_state), lb_drag_state_fields, lb_drag_state_fill},
    {"lb_player_options", sizeof(lb_player_options), lb_player_options_fields, lb_player_options_fill},
    {"lb_contact_options", sizeof(lb_contact_options), lb_contact_options_fields, lb_contact_options_fill},
    {"lb_contact", sizeof(lb_contact), lb_contact_fields, NULL},
    {"lb_body_map", sizeof(lb_body_map), lb_body_map_fields, NULL},
    {"lb_retarget_report", sizeof(lb_retarget_report), lb_retarget_report_fields, lb_retarget_report_fill},
    {"lb_retarget_bounds", sizeof(lb_retarget_bounds), lb_retarget_bounds_fields, lb_retarget_bounds_fill},
    {"lb_retarget_finding", sizeof(lb_retarget_finding), lb_retarget_finding_fields, NULL},
    {"lb_retarget_verdict", sizeof(lb_retarget_verdict), lb_retarget_verdict_fields, lb_retarget_verdict_fill},
    {"lb_retarget_options", sizeof(lb_retarget_options), lb_retarget_options_fields, lb_retarget_options_fill},
    {"lb_load_options", sizeof(lb_load_options), lb_load_options_fields, lb_load_options_fill},
    {"lb_save_options", sizeof(lb_save_options), lb_save_options_fields, lb_save_options_fill},
    {"lb_render_options", sizeof(lb_render_options), lb_render_options_fields, lb_render_options_fill},
    {"lb_marker", sizeof(lb_marker), lb_marker_fields, NULL},
    {"lb_scene", sizeof(lb_scene), lb_scene_fields, NULL},
    {"lb_path_options", sizeof(lb_path_options), lb_path_options_fields, lb_path_options_fill},
    {"lb_path_result", sizeof(lb_path_result), lb_path_result_fields, lb_path_result_fill},
    {"lb_servo_options", sizeof(lb_servo_options), lb_servo_options_fields, lb_servo_options_fill},
    {"lb_servo_state", sizeof(lb_servo_state), lb_servo_state_fields, lb_servo_state_fill},
    {NULL, 0, NULL, NULL}};

static void lb_figure_free(void *at) {
    lb_figure_destroy(at);
}

static void lb_kinematics_free(void *at) {
    lb_kinematics_destroy(at);
}

static void lb_builder_free(void *at) {
    lb_builder_destroy(at);
}

static void lb_closed_free(void *at) {
    lb_closed_destroy(at);
}

static void lb_reach_free(void *at) {
    lb_reach_destroy(at);
}

static void lb_problem_free(void *at) {
    lb_problem_destroy(at);
}

static void lb_solver_free(void *at) {
    lb_solver_destroy(at);
}

static void lb_habit_free(void *at) {
    lb_habit_destroy(at);
}

static void lb_drag_free(void *at) {
    lb_drag_destroy(at);
}

static void lb_track_free(void *at) {
    lb_track_destroy(at);
}

static void lb_clip_free(void *at) {
    lb_clip_destroy(at);
}

static void lb_motion_free(void *at) {
    lb_motion_destroy(at);
}

static void lb_player_free(void *at) {
    lb_player_destroy(at);
}

static void lb_problem_file_free(void *at) {
    lb_problem_file_destroy(at);
}

static void lb_script_free(void *at) {
    lb_script_destroy(at);
}

static void lb_path_free(void *at) {
    lb_path_destroy(at);
}

static void lb_servo_free(void *at) {
    lb_servo_destroy(at);
}

const lbpy_handle_kind lbpy_handles[] = {
    {"lb_figure", lb_figure_free},
    {"lb_kinematics", lb_kinematics_free},
    {"lb_builder", lb_builder_free},
    {"lb_closed", lb_closed_free},
    {"lb_reach", lb_reach_free},
    {"lb_problem", lb_problem_free},
    {"lb_solver", lb_solver_free},
    {"lb_habit", lb_habit_free},
    {"lb_drag", lb_drag_free},
    {"lb_track", lb_track_free},
    {"lb_clip", lb_clip_free},
    {"lb_motion", lb_motion_free},
    {"lb_player", lb_player_free},
    {"lb_problem_file", lb_problem_file_free},
    {"lb_script", lb_script_free},
    {"lb_path", lb_path_free},
    {"lb_servo", lb_servo_free},
    {NULL, NULL}};

static PyObject *w_lb_status_text(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_status_text", a, n, 1);
    lb_status p0 = (lb_status)lbpy_take_enum(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_status_text(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_version(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_version", a, n, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_version();
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_frame_identity(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_frame_identity", a, n, 1);
    lb_frame *p0 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_frame_identity(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_frame_multiply(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_frame_multiply", a, n, 3);
    const lb_frame *p0 = lbpy_take_struct(&c, 3, 0);
    const lb_frame *p1 = lbpy_take_struct(&c, 3, 0);
    lb_frame *p2 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_frame_multiply(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_frame_invert(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_frame_invert", a, n, 2);
    const lb_frame *p0 = lbpy_take_struct(&c, 3, 0);
    lb_frame *p1 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_frame_invert(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_about(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_about", a, n, 3);
    const double *p0 = lbpy_take_buffer(&c, 0);
    double p1 = lbpy_take_double(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_rotation_about(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_multiply(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_multiply", a, n, 3);
    const double *p0 = lbpy_take_buffer(&c, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_rotation_multiply(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_from_rpy(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_from_rpy", a, n, 2);
    const double *p0 = lbpy_take_buffer(&c, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_rotation_from_rpy(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_to_rpy(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_to_rpy", a, n, 2);
    const double *p0 = lbpy_take_buffer(&c, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_rotation_to_rpy(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_to_matrix(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_to_matrix", a, n, 2);
    const double *p0 = lbpy_take_buffer(&c, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_rotation_to_matrix(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_rotation_from_matrix(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_rotation_from_matrix", a, n, 2);
    const double *p0 = lbpy_take_buffer(&c, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_rotation_from_matrix(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_parse(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_parse", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    lb_joint_type *p1 = lbpy_take_struct(&c, 8, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_joint_type_parse(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_spell(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_spell", a, n, 3);
    const lb_joint_type *p0 = lbpy_take_struct(&c, 8, 0);
    char *p1 = lbpy_take_buffer(&c, 1);
    size_t p2 = lbpy_take_size(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_joint_type_spell(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_dof_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_dof_count", a, n, 1);
    const lb_joint_type *p0 = lbpy_take_struct(&c, 8, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_joint_type_dof_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_is_angle(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_is_angle", a, n, 2);
    const lb_joint_type *p0 = lbpy_take_struct(&c, 8, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_joint_type_is_angle(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_rotation(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_rotation", a, n, 3);
    const lb_joint_type *p0 = lbpy_take_struct(&c, 8, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_joint_type_rotation(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_joint_type_dofs(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_joint_type_dofs", a, n, 3);
    const lb_joint_type *p0 = lbpy_take_struct(&c, 8, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_joint_type_dofs(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_name", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_figure_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_stature(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_stature", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_figure_stature(p0);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_segment_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_segment_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_segment_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_site_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_site_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_site_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_shape_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_shape_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_shape_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_joint_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_joint_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_joint_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_group_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_group_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_group_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_parameter_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_parameter_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_parameter_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_drive_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_drive_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_drive_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_limit_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_limit_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_limit_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_segment", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_segment *r = lb_figure_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 4, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_site", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_site *r = lb_figure_site(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 5, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_shape(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_shape", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_shape *r = lb_figure_shape(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 6, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_joint", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_joint *r = lb_figure_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 9, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_group(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_group", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_group *r = lb_figure_group(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 10, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_parameter(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_parameter", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_parameter *r = lb_figure_parameter(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 11, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_drive(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_drive", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_drive *r = lb_figure_drive(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 14, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_limit(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_limit", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_limit *r = lb_figure_limit(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 15, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_root(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_root", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_root *r = lb_figure_root(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 16, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_segment", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_find_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_site", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_find_site(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_joint", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_find_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_group(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_group", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_find_group(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_variable(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_variable", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_find_variable(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_place(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_place", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    int *p2 = lbpy_take_buffer(&c, 1);
    int *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_find_place(p0, p1, p2, p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_parent_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_parent_joint", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_parent_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_parent_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_parent_segment", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_parent_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_tree_order(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_tree_order", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_figure_tree_order(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_loop_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_loop_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_loop_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_loop_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_loop_joint", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_loop_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_variable_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_variable_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_variable_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_variable(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_variable", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_variable *r = lb_figure_variable(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 17, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_variable_of(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_variable_of", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_dof_ref *p1 = lbpy_take_struct(&c, 12, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_variable_of(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_mass(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_mass", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_figure_mass(p0);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_row_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_row_count", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_row_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_row(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_row", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_limit_row *r = lb_figure_row(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 18, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_room(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_room", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    int p2 = lbpy_take_int(&c);
    lb_room *p3 = lbpy_take_struct(&c, 19, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_figure_room(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_rest_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_rest_pose", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_figure_rest_pose(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_random_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_random_pose", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    uint64_t *p1 = lbpy_take_buffer(&c, 1);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_figure_random_pose(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_violation(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_violation", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_figure_violation(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_pose_carry(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_pose_carry", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const lb_figure *p2 = lbpy_take_handle(&c, 0, 0);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_pose_carry(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_create", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_kinematics *r = lb_kinematics_create(p0, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 1, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_figure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_figure", a, n, 1);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_figure *r = lb_kinematics_figure(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 0, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_update(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_update", a, n, 2);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_update(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_segment", a, n, 3);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    int p1 = lbpy_take_int(&c);
    lb_frame *p2 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_segment(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_site", a, n, 3);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    int p1 = lbpy_take_int(&c);
    lb_frame *p2 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_site(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_matrix(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_matrix", a, n, 3);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    int p1 = lbpy_take_int(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_matrix(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_com(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_com", a, n, 2);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_kinematics_com(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_dof(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_dof", a, n, 3);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_kinematics_dof(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_loop(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_loop", a, n, 4);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    int p1 = lbpy_take_int(&c);
    lb_frame *p2 = lbpy_take_struct(&c, 3, 1);
    lb_frame *p3 = lbpy_take_struct(&c, 3, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_loop(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_project(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_project", a, n, 2);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_project(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_effector_from_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_effector_from_site", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    lb_effector *p2 = lbpy_take_struct(&c, 20, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_effector_from_site(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_effector_from_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_effector_from_segment", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    lb_effector *p2 = lbpy_take_struct(&c, 20, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_effector_from_segment(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_effector_from_com(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_effector_from_com", a, n, 1);
    lb_effector *p0 = lbpy_take_struct(&c, 20, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_effector_from_com(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_find_effector(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_find_effector", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    lb_effector *p2 = lbpy_take_struct(&c, 20, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_find_effector(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_effector(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_effector", a, n, 3);
    const lb_kinematics *p0 = lbpy_take_handle(&c, 1, 0);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_effector(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_jacobian(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_jacobian", a, n, 3);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_jacobian(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_twist(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_twist", a, n, 3);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_twist(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_kinematics_hessian(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_kinematics_hessian", a, n, 4);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_kinematics_hessian(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_create", a, n, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_builder *r = lb_builder_create(NULL, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 2, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_from(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_from", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_builder *r = lb_builder_from(p0, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 2, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_set_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_set_name", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_set_name(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_set_stature(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_set_stature", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    double p1 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_set_stature(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_segment", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_segment *p1 = lbpy_take_struct(&c, 4, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_site", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_site *p1 = lbpy_take_struct(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_site(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_shape(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_shape", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_shape *p1 = lbpy_take_struct(&c, 6, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_shape(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_joint", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_joint *p1 = lbpy_take_struct(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_group(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_group", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_group(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_parameter(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_parameter", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_parameter *p1 = lbpy_take_struct(&c, 11, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_parameter(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_drive(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_drive", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_drive *p1 = lbpy_take_struct(&c, 14, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_drive(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_limit(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_limit", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_limit *p1 = lbpy_take_struct(&c, 15, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_limit(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_set_root(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_set_root", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_root *p1 = lbpy_take_struct(&c, 16, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_set_root(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_segment_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_segment_count", a, n, 1);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_segment_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_site_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_site_count", a, n, 1);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_site_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_joint_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_joint_count", a, n, 1);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_joint_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_segment", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_segment *r = lb_builder_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 4, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_site", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_site *r = lb_builder_site(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 5, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_joint", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_joint *r = lb_builder_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 9, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_segment", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_find_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_site", a, n, 3);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    int p1 = lbpy_take_int(&c);
    const char *p2 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_find_site(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_joint", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_find_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_group(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_group", a, n, 2);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_find_group(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_parameter(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_parameter", a, n, 3);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    int p1 = lbpy_take_int(&c);
    const char *p2 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_find_parameter(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_find_dof(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_find_dof", a, n, 3);
    const lb_builder *p0 = lbpy_take_handle(&c, 2, 0);
    const char *p1 = lbpy_take_string(&c);
    lb_dof_ref *p2 = lbpy_take_struct(&c, 12, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_find_dof(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_swing_cone(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_swing_cone", a, n, 3);
    double p0 = lbpy_take_double(&c);
    int p1 = lbpy_take_int(&c);
    double (*p2)[2] = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_swing_cone(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_add_dh_chain(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_add_dh_chain", a, n, 5);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    lb_dh_convention p2 = (lb_dh_convention)lbpy_take_enum(&c, 7);
    int p3 = lbpy_take_int(&c);
    const lb_dh_row *p4 = lbpy_take_struct(&c, 21, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_add_dh_chain(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_finish(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_finish", a, n, 1);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    lb_figure *p1 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_finish(p0, &p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    value = lbpy_add_handle(&c, value, 0, p1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_remove_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_remove_joint", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_remove_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_remove_segment(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_remove_segment", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_remove_segment(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_keep_connected(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_keep_connected", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_keep_connected(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_freeze_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_freeze_joint", a, n, 3);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_freeze_joint(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_thaw_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_thaw_joint", a, n, 2);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_thaw_joint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_change_joint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_change_joint", a, n, 3);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    int p1 = lbpy_take_int(&c);
    const lb_joint *p2 = lbpy_take_struct(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_change_joint(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_attach(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_attach", a, n, 3);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    const char *p2 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_builder_attach(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_builder_scale(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_builder_scale", a, n, 3);
    lb_builder *p0 = lbpy_take_handle(&c, 2, 1);
    double p1 = lbpy_take_double(&c);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_builder_scale(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_builder_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_split(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_split", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    int p2 = lbpy_take_int(&c);
    lb_figure *p3 = NULL;
    lb_figure *p4 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_split(p0, p1, p2, &p3, &p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p3);
    value = lbpy_add_handle(&c, value, 0, p4);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_reroot(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_reroot", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const lb_root *p2 = lbpy_take_struct(&c, 16, 0);
    lb_figure *p3 = NULL;
    double *p4 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_reroot(p0, p1, p2, &p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p3);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_kind_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_kind_name", a, n, 1);
    lb_closed_kind p0 = (lb_closed_kind)lbpy_take_enum(&c, 8);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_closed_kind_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_create", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    const lb_closed_options *p2 = lbpy_take_struct(&c, 22, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_closed *r = lb_closed_create(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 3, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_kind_of(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_kind_of", a, n, 1);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_closed_kind r = lb_closed_kind_of(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_enum(8, (int)r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_variable_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_variable_count", a, n, 1);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_closed_variable_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_variable(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_variable", a, n, 2);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_closed_variable(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_solve(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_solve", a, n, 4);
    lb_closed *p0 = lbpy_take_handle(&c, 3, 1);
    const lb_frame *p1 = lbpy_take_struct(&c, 3, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_closed_result *p3 = lbpy_take_struct(&c, 23, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_closed_solve(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_get(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_get", a, n, 3);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    int p1 = lbpy_take_int(&c);
    lb_closed_solution *p2 = lbpy_take_struct(&c, 24, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_closed_get(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_winding(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_winding", a, n, 4);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_closed_winding(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_swivel(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_swivel", a, n, 4);
    lb_closed *p0 = lbpy_take_handle(&c, 3, 1);
    int p1 = lbpy_take_int(&c);
    double p2 = lbpy_take_double(&c);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_closed_swivel(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_closed_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_closed_pose", a, n, 3);
    const lb_closed *p0 = lbpy_take_handle(&c, 3, 0);
    int p1 = lbpy_take_int(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_closed_pose(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reach_kind_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reach_kind_name", a, n, 1);
    lb_reach_kind p0 = (lb_reach_kind)lbpy_take_enum(&c, 9);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_reach_kind_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reach_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reach_create", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    const lb_reach_options *p2 = lbpy_take_struct(&c, 25, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_reach *r = lb_reach_create(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 4, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reach_point(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reach_point", a, n, 3);
    const lb_reach *p0 = lbpy_take_handle(&c, 4, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    lb_reach_answer *p2 = lbpy_take_struct(&c, 26, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_reach_point(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reach_frame(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reach_frame", a, n, 3);
    const lb_reach *p0 = lbpy_take_handle(&c, 4, 0);
    const lb_frame *p1 = lbpy_take_struct(&c, 3, 0);
    lb_reach_answer *p2 = lbpy_take_struct(&c, 26, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_reach_frame(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reach_box(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reach_box", a, n, 3);
    const lb_reach *p0 = lbpy_take_handle(&c, 4, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_reach_box(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_constraint_at(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_constraint_at", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_constraint *p3 = lbpy_take_struct(&c, 29, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_constraint_at(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_constraint_frame(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_constraint_frame", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const lb_frame *p2 = lbpy_take_struct(&c, 3, 0);
    lb_constraint *p3 = lbpy_take_struct(&c, 29, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_constraint_frame(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_constraint_aim(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_constraint_aim", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_constraint *p3 = lbpy_take_struct(&c, 29, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_constraint_aim(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_constraint_keep(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_constraint_keep", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_constraint *p3 = lbpy_take_struct(&c, 29, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_constraint_keep(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_constraint_balance(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_constraint_balance", a, n, 5);
    int p0 = lbpy_take_int(&c);
    const double (*p1)[3] = lbpy_take_buffer(&c, 0);
    double p2 = lbpy_take_double(&c);
    double (*p3)[4] = lbpy_take_buffer(&c, 1);
    lb_constraint *p4 = lbpy_take_struct(&c, 29, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_constraint_balance(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_create", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_problem *r = lb_problem_create(p0, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 5, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_add_figure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_add_figure", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_add_figure(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_figure_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_figure_count", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_figure_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_figure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_figure", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_figure *r = lb_problem_figure(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 0, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_variable_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_variable_count", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_variable_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_first_variable(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_first_variable", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_first_variable(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_variable_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_variable_name", a, n, 4);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    char *p2 = lbpy_take_buffer(&c, 1);
    size_t p3 = lbpy_take_size(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_problem_variable_name(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_nothing();
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_add(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_add", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const lb_constraint *p1 = lbpy_take_struct(&c, 29, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_add(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_change(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_change", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    const lb_constraint *p2 = lbpy_take_struct(&c, 29, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_change(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_remove(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_remove", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_remove(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_move_goal(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_move_goal", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    const lb_frame *p2 = lbpy_take_struct(&c, 3, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_move_goal(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_weight(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_weight", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_weight(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_enable(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_enable", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_enable(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_constraint_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_constraint_count", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_constraint_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_constraint(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_constraint", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_constraint *r = lb_problem_constraint(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 29, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_constraint_id(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_constraint_id", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_constraint_id(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_active(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_active", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_active(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_rigidity(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_rigidity", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_rigidity(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_joint_active(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_joint_active", a, n, 4);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    int p3 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_joint_active(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_root_active(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_root_active", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_root_active(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_posture(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_posture", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_posture(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_stay(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_stay", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    double p1 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_stay(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_margin(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_margin", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    double p1 = lbpy_take_double(&c);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_margin(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_middle(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_middle", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    double p1 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_middle(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_manipulability(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_manipulability", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    double p1 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_manipulability(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_wish_level(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_wish_level", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    lb_wish_level p1 = (lb_wish_level)lbpy_take_enum(&c, 12);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_wish_level(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_engine_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_engine_name", a, n, 1);
    lb_engine p0 = (lb_engine)lbpy_take_enum(&c, 18);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_engine_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_create", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_solver *r = lb_solver_create(p0, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 6, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_prepare(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_prepare", a, n, 2);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    lb_method p1 = (lb_method)lbpy_take_enum(&c, 13);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_solver_prepare(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_measure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_measure", a, n, 3);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    lb_result *p2 = lbpy_take_struct(&c, 38, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_solver_measure(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_value(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_value", a, n, 4);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_solver_value(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_method_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_method_name", a, n, 1);
    lb_method p0 = (lb_method)lbpy_take_enum(&c, 13);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_method_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_method_find(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_method_find", a, n, 1);
    const char *p0 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_method_find(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_outcome_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_outcome_name", a, n, 1);
    lb_outcome p0 = (lb_outcome)lbpy_take_enum(&c, 17);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_outcome_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_reason_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_reason_name", a, n, 1);
    lb_reason_kind p0 = (lb_reason_kind)lbpy_take_enum(&c, 19);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_reason_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_say_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_say_name", a, n, 1);
    lb_say_kind p0 = (lb_say_kind)lbpy_take_enum(&c, 10);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_say_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_determinacy_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_determinacy_name", a, n, 1);
    lb_determinacy p0 = (lb_determinacy)lbpy_take_enum(&c, 20);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_determinacy_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_contact_kind_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_contact_kind_name", a, n, 1);
    lb_contact_kind p0 = (lb_contact_kind)lbpy_take_enum(&c, 21);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_contact_kind_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_contact_kind_find(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_contact_kind_find", a, n, 1);
    const char *p0 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_contact_kind_find(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_body", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_body *r = lb_figure_body(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 48, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_set_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_set_body", a, n, 2);
    lb_figure *p0 = lbpy_take_handle(&c, 0, 1);
    const lb_body *p1 = lbpy_take_struct(&c, 48, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_set_body(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_kind_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_kind_name", a, n, 1);
    lb_habit_kind p0 = (lb_habit_kind)lbpy_take_enum(&c, 22);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_habit_kind_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_create", a, n, 1);
    const lb_habit_data *p0 = lbpy_take_struct(&c, 50, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_habit *r = lb_habit_create(p0, NULL, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 7, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_contents(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_contents", a, n, 1);
    const lb_habit *p0 = lbpy_take_handle(&c, 7, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_habit_data *r = lb_habit_contents(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 50, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_measure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_measure", a, n, 5);
    const lb_habit *p0 = lbpy_take_handle(&c, 7, 0);
    lb_kinematics *p1 = lbpy_take_handle(&c, 1, 1);
    const double *p2 = lbpy_take_buffer(&c, 0);
    double p3 = lbpy_take_double(&c);
    double *p4 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_habit_measure(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_cost(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_cost", a, n, 2);
    const lb_habit *p0 = lbpy_take_handle(&c, 7, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_habit_cost(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_swivel_at(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_swivel_at", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_swivel *p3 = lbpy_take_struct(&c, 54, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_swivel_at(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_swivel_side(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_swivel_side", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    lb_side p2 = (lb_side)lbpy_take_enum(&c, 23);
    lb_swivel *p3 = lbpy_take_struct(&c, 54, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_swivel_side(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_side_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_side_name", a, n, 1);
    lb_side p0 = (lb_side)lbpy_take_enum(&c, 23);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_side_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_body", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    const lb_body_options *p2 = lbpy_take_struct(&c, 56, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_body(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_clear_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_clear_body", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_clear_body(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_habit(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_habit", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    int p1 = lbpy_take_int(&c);
    const lb_habit *p2 = lbpy_take_handle(&c, 7, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_habit(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_habit(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_habit", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_habit *r = lb_problem_habit(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 7, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_body", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_body_options *r = lb_problem_body(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 56, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_body_term_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_body_term_name", a, n, 1);
    lb_body_term p0 = (lb_body_term)lbpy_take_enum(&c, 25);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_body_term_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_body", a, n, 2);
    const lb_solver *p0 = lbpy_take_handle(&c, 6, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_body_result *r = lb_solver_body(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 60, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_statics(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_statics", a, n, 2);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_statics(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_set_collisions(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_set_collisions", a, n, 2);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const lb_collisions *p1 = lbpy_take_struct(&c, 63, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_set_collisions(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_problem_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_collisions(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_collisions", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_collisions *r = lb_problem_collisions(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 63, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_pair_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_pair_count", a, n, 1);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_pair_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_pair(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_pair", a, n, 3);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    int p1 = lbpy_take_int(&c);
    lb_contact_pair *p2 = lbpy_take_struct(&c, 64, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_pair(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_pair(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_pair", a, n, 4);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    int p2 = lbpy_take_int(&c);
    lb_contact_pair *p3 = lbpy_take_struct(&c, 64, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_solver_pair(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_solver_near_pairs(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_solver_near_pairs", a, n, 5);
    lb_solver *p0 = lbpy_take_handle(&c, 6, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    double p2 = lbpy_take_double(&c);
    int p3 = lbpy_take_int(&c);
    lb_contact_pair *p4 = lbpy_take_struct(&c, 64, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_solver_near_pairs(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_create", a, n, 3);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const lb_drag_options *p2 = lbpy_take_struct(&c, 65, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_drag *r = lb_drag_create(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 8, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_move(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_move", a, n, 4);
    lb_drag *p0 = lbpy_take_handle(&c, 8, 1);
    const lb_frame *p1 = lbpy_take_struct(&c, 3, 0);
    double *p2 = lbpy_take_buffer(&c, 1);
    lb_drag_state *p3 = lbpy_take_struct(&c, 66, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_drag_move(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_think(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_think", a, n, 1);
    lb_drag *p0 = lbpy_take_handle(&c, 8, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_drag_think(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_end(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_end", a, n, 2);
    lb_drag *p0 = lbpy_take_handle(&c, 8, 1);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_drag_end(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_result(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_result", a, n, 1);
    const lb_drag *p0 = lbpy_take_handle(&c, 8, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_result *r = lb_drag_result(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 38, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_body", a, n, 2);
    const lb_drag *p0 = lbpy_take_handle(&c, 8, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_body_result *r = lb_drag_body(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 60, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_drag_explain(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_drag_explain", a, n, 2);
    lb_drag *p0 = lbpy_take_handle(&c, 8, 1);
    lb_result *p1 = lbpy_take_struct(&c, 38, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_drag_explain(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_create", a, n, 2);
    lb_track_kind p0 = (lb_track_kind)lbpy_take_enum(&c, 27);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_track *r = lb_track_create(p0, p1, NULL, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 9, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_set_ends(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_set_ends", a, n, 2);
    lb_track *p0 = lbpy_take_handle(&c, 9, 1);
    lb_track_ends p1 = (lb_track_ends)lbpy_take_enum(&c, 28);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_set_ends(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_set(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_set", a, n, 4);
    lb_track *p0 = lbpy_take_handle(&c, 9, 1);
    double p1 = lbpy_take_double(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    lb_interpolation p3 = (lb_interpolation)lbpy_take_enum(&c, 26);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_set(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_remove(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_remove", a, n, 2);
    lb_track *p0 = lbpy_take_handle(&c, 9, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_remove(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_get_kind(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_get_kind", a, n, 1);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_track_kind r = lb_track_get_kind(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_enum(27, (int)r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_get_ends(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_get_ends", a, n, 1);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_track_ends r = lb_track_get_ends(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_enum(28, (int)r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_width(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_width", a, n, 1);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_track_width(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_rate_width(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_rate_width", a, n, 1);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_track_rate_width(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_key_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_key_count", a, n, 1);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_track_key_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_key(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_key", a, n, 5);
    const lb_track *p0 = lbpy_take_handle(&c, 9, 0);
    int p1 = lbpy_take_int(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    double *p3 = lbpy_take_buffer(&c, 1);
    lb_interpolation *p4 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_key(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_sample(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_sample", a, n, 5);
    lb_track *p0 = lbpy_take_handle(&c, 9, 1);
    double p1 = lbpy_take_double(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    double *p3 = lbpy_take_buffer(&c, 1);
    double *p4 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_sample(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_track_prepare(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_track_prepare", a, n, 1);
    lb_track *p0 = lbpy_take_handle(&c, 9, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_track_prepare(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_create", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int p1 = lbpy_take_int(&c);
    double p2 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_clip *r = lb_clip_create(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 10, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_figure(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_figure", a, n, 1);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    const lb_figure *r = lb_clip_figure(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 0, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_frame_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_frame_count", a, n, 1);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    int r = lb_clip_frame_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_frame_time(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_frame_time", a, n, 1);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    double r = lb_clip_frame_time(p0);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_duration(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_duration", a, n, 1);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    double r = lb_clip_duration(p0);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_sample(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_sample", a, n, 6);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    double p1 = lbpy_take_double(&c);
    lb_interpolation p2 = (lb_interpolation)lbpy_take_enum(&c, 26);
    double *p3 = lbpy_take_buffer(&c, 1);
    double *p4 = lbpy_take_buffer(&c, 1);
    double *p5 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_clip_sample(p0, p1, p2, p3, p4, p5);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_resample(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_resample", a, n, 3);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    double p1 = lbpy_take_double(&c);
    lb_interpolation p2 = (lb_interpolation)lbpy_take_enum(&c, 26);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_clip *r = lb_clip_resample(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 10, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_create", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_motion *r = lb_motion_create(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 11, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_drive(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_drive", a, n, 4);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    lb_drive_target p1 = (lb_drive_target)lbpy_take_enum(&c, 29);
    int p2 = lbpy_take_int(&c);
    const lb_track *p3 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_motion_drive(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_joint_index(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_joint_index", a, n, 3);
    const lb_motion *p0 = lbpy_take_handle(&c, 11, 0);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_motion_joint_index(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_drive_clip(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_drive_clip", a, n, 5);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    int p1 = lbpy_take_int(&c);
    const lb_clip *p2 = lbpy_take_handle(&c, 10, 0);
    double p3 = lbpy_take_double(&c);
    lb_interpolation p4 = (lb_interpolation)lbpy_take_enum(&c, 26);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_motion_drive_clip(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_carry(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_carry", a, n, 6);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    int p3 = lbpy_take_int(&c);
    double p4 = lbpy_take_double(&c);
    double p5 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_motion_carry(p0, p1, p2, p3, p4, p5);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_follow(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_follow", a, n, 5);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    int p3 = lbpy_take_int(&c);
    const lb_track *p4 = lbpy_take_handle(&c, 9, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_motion_follow(p0, p1, p2, p3, p4);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_stage(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_stage", a, n, 3);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    double p1 = lbpy_take_double(&c);
    const lb_problem *p2 = lbpy_take_handle(&c, 5, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_motion_stage(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_index(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_set_method(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_set_method", a, n, 2);
    lb_motion *p0 = lbpy_take_handle(&c, 11, 1);
    lb_method p1 = (lb_method)lbpy_take_enum(&c, 13);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_motion_set_method(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_motion_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_stage_count(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_stage_count", a, n, 1);
    const lb_motion *p0 = lbpy_take_handle(&c, 11, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_motion_stage_count(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_problem(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_problem", a, n, 2);
    const lb_motion *p0 = lbpy_take_handle(&c, 11, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_problem *r = lb_motion_problem(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 5, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_motion_end(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_motion_end", a, n, 1);
    const lb_motion *p0 = lbpy_take_handle(&c, 11, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    double r = lb_motion_end(p0);
    lbpy_done(&c);
    PyObject *value = PyFloat_FromDouble(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_create", a, n, 2);
    const lb_motion *p0 = lbpy_take_handle(&c, 11, 0);
    const lb_player_options *p1 = lbpy_take_struct(&c, 67, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_player *r = lb_player_create(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 12, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_stage(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_stage", a, n, 2);
    const lb_player *p0 = lbpy_take_handle(&c, 12, 0);
    double p1 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    int r = lb_player_stage(p0, p1);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_pose", a, n, 4);
    lb_player *p0 = lbpy_take_handle(&c, 12, 1);
    double p1 = lbpy_take_double(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    lb_result *p3 = lbpy_take_struct(&c, 38, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_player_pose(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_player_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_rates(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_rates", a, n, 4);
    lb_player *p0 = lbpy_take_handle(&c, 12, 1);
    double p1 = lbpy_take_double(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_player_rates(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_player_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_site(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_site", a, n, 7);
    lb_player *p0 = lbpy_take_handle(&c, 12, 1);
    double p1 = lbpy_take_double(&c);
    int p2 = lbpy_take_int(&c);
    int p3 = lbpy_take_int(&c);
    lb_frame *p4 = lbpy_take_struct(&c, 3, 1);
    double *p5 = lbpy_take_buffer(&c, 1);
    double *p6 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_player_site(p0, p1, p2, p3, p4, p5, p6);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, lb_player_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_player_clip(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_player_clip", a, n, 4);
    lb_player *p0 = lbpy_take_handle(&c, 12, 1);
    int p1 = lbpy_take_int(&c);
    int p2 = lbpy_take_int(&c);
    double p3 = lbpy_take_double(&c);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_clip *r = lb_player_clip(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 10, (void *)(uintptr_t)r, 1, lb_player_error(p0));
    return lbpy_end(&c, value);
}

static PyObject *w_lb_effector_motion(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_effector_motion", a, n, 7);
    lb_kinematics *p0 = lbpy_take_handle(&c, 1, 1);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    const double *p3 = lbpy_take_buffer(&c, 0);
    const double *p4 = lbpy_take_buffer(&c, 0);
    double *p5 = lbpy_take_buffer(&c, 1);
    double *p6 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_effector_motion(p0, p1, p2, p3, p4, p5, p6);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_contacts(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_contacts", a, n, 6);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    int p1 = lbpy_take_int(&c);
    const lb_effector *p2 = lbpy_take_struct(&c, 20, 0);
    const lb_contact_options *p3 = lbpy_take_struct(&c, 68, 0);
    int p4 = lbpy_take_int(&c);
    lb_contact *p5 = lbpy_take_struct(&c, 69, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    int r = lb_clip_contacts(p0, p1, p2, p3, p4, p5);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_hold_contacts(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_hold_contacts", a, n, 6);
    lb_clip *p0 = lbpy_take_handle(&c, 10, 1);
    int p1 = lbpy_take_int(&c);
    const lb_effector *p2 = lbpy_take_struct(&c, 20, 0);
    const lb_contact_options *p3 = lbpy_take_struct(&c, 68, 0);
    int p4 = lbpy_take_int(&c);
    const lb_contact *p5 = lbpy_take_struct(&c, 69, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_clip_hold_contacts(p0, p1, p2, p3, p4, p5);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_humanoid_find(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_humanoid_find", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    int *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_humanoid_find(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_humanoid_free_root(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_humanoid_free_root", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_figure *r = lb_humanoid_free_root(p0, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 0, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_first_frame(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_first_frame", a, n, 1);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    int r = lb_clip_first_frame(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_retarget(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_retarget", a, n, 5);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    const lb_body_map *p2 = lbpy_take_struct(&c, 70, 0);
    const lb_retarget_options *p3 = lbpy_take_struct(&c, 75, 0);
    lb_retarget_report *p4 = lbpy_take_struct(&c, 71, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_clip *r = lb_retarget(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 10, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_retarget_judge(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_retarget_judge", a, n, 3);
    const lb_retarget_report *p0 = lbpy_take_struct(&c, 71, 0);
    const lb_retarget_bounds *p1 = lbpy_take_struct(&c, 72, 0);
    lb_retarget_verdict *p2 = lbpy_take_struct(&c, 74, 1);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_retarget_judge(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_load(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_load", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    const lb_load_options *p1 = lbpy_take_struct(&c, 76, 0);
    lb_figure *p2 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_load(p0, p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p2);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_load_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_load_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_load_options *p3 = lbpy_take_struct(&c, 76, 0);
    lb_figure *p4 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_load_memory(p0, c.size, p2, p3, &p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p4);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_stand(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_stand", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    lb_figure *p1 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_stand(p0, &p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_legs(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_legs", a, n, 1);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_figure_legs(p0);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_on_plane(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_on_plane", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    lb_figure *p2 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_figure_on_plane(p0, p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p2);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_save(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_save", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const char *p1 = lbpy_take_string(&c);
    const lb_save_options *p2 = lbpy_take_struct(&c, 77, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_save(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_save_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_save_memory", a, n, 2);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_save_options *p1 = lbpy_take_struct(&c, 77, 0);
    char * p2 = NULL;
    size_t p3 = 0;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_save_memory(p0, p1, &p2, &p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p2, p3, 1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_save_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_save_pose", a, n, 5);
    const char *p0 = lbpy_take_string(&c);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    const char *p3 = lbpy_take_string(&c);
    const lb_save_options *p4 = lbpy_take_struct(&c, 77, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_save_pose(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_load(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_load", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    const lb_load_options *p1 = lbpy_take_struct(&c, 76, 0);
    lb_figure *p2 = NULL;
    lb_clip *p3 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_clip_load(p0, p1, &p2, &p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p2);
    value = lbpy_add_handle(&c, value, 10, p3);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_load_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_load_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_load_options *p3 = lbpy_take_struct(&c, 76, 0);
    lb_figure *p4 = NULL;
    lb_clip *p5 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_clip_load_memory(p0, c.size, p2, p3, &p4, &p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 0, p4);
    value = lbpy_add_handle(&c, value, 10, p5);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_clip_save(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_clip_save", a, n, 3);
    const lb_clip *p0 = lbpy_take_handle(&c, 10, 0);
    const char *p1 = lbpy_take_string(&c);
    const lb_save_options *p2 = lbpy_take_struct(&c, 77, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_clip_save(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_gltf_animations(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_gltf_animations", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    const lb_load_options *p1 = lbpy_take_struct(&c, 76, 0);
    char * p2 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_gltf_animations(p0, p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p2, 0, 0);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_gltf_save_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_gltf_save_pose", a, n, 5);
    const char *p0 = lbpy_take_string(&c);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    const char *p3 = lbpy_take_string(&c);
    const lb_save_options *p4 = lbpy_take_struct(&c, 77, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_gltf_save_pose(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_gltf_save_animation(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_gltf_save_animation", a, n, 5);
    const char *p0 = lbpy_take_string(&c);
    const lb_clip *p1 = lbpy_take_handle(&c, 10, 0);
    const char *p2 = lbpy_take_string(&c);
    const char *p3 = lbpy_take_string(&c);
    const lb_save_options *p4 = lbpy_take_struct(&c, 77, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_gltf_save_animation(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_gltf_pose_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_gltf_pose_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const lb_figure *p2 = lbpy_take_handle(&c, 0, 0);
    const double *p3 = lbpy_take_buffer(&c, 0);
    char * p4 = NULL;
    size_t p5 = 0;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_gltf_pose_memory(p0, c.size, p2, p3, &p4, &p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p4, p5, 1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_gltf_animation_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_gltf_animation_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const lb_clip *p2 = lbpy_take_handle(&c, 10, 0);
    const char *p3 = lbpy_take_string(&c);
    char * p4 = NULL;
    size_t p5 = 0;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_gltf_animation_memory(p0, c.size, p2, p3, &p4, &p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p4, p5, 1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_human_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_human_name", a, n, 1);
    const char *p0 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_human_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_body_map_human(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_body_map_human", a, n, 3);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    lb_body_map *p2 = lbpy_take_struct(&c, 70, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_body_map_human(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_format_from_path(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_format_from_path", a, n, 1);
    const char *p0 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_format r = lb_format_from_path(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_enum(32, (int)r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_format_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_format_name", a, n, 1);
    lb_format p0 = (lb_format)lbpy_take_enum(&c, 32);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_format_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_picture_format_from_path(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_picture_format_from_path", a, n, 1);
    const char *p0 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_picture_format r = lb_picture_format_from_path(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_enum(36, (int)r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_figure_render(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_figure_render", a, n, 4);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_render_options *p3 = lbpy_take_struct(&c, 78, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_figure_render(p0, p1, p2, p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_scene_render(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_scene_render", a, n, 3);
    const lb_scene *p0 = lbpy_take_struct(&c, 80, 0);
    const char *p1 = lbpy_take_string(&c);
    const lb_render_options *p2 = lbpy_take_struct(&c, 78, 0);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_scene_render(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_load(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_load", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    const lb_load_options *p1 = lbpy_take_struct(&c, 76, 0);
    lb_problem_file *p2 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_problem_load(p0, p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 13, p2);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_load_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_load_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_load_options *p3 = lbpy_take_struct(&c, 76, 0);
    lb_problem_file *p4 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_problem_load_memory(p0, c.size, p2, p3, &p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 13, p4);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_problem(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_problem", a, n, 1);
    lb_problem_file *p0 = lbpy_take_handle(&c, 13, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_problem *r = lb_problem_file_problem(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 5, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_motion(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_motion", a, n, 1);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_motion *r = lb_problem_file_motion(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 11, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_options(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_options", a, n, 2);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    lb_solve_options *p1 = lbpy_take_struct(&c, 31, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_file_options(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_picture(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_picture", a, n, 2);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    lb_render_options *p1 = lbpy_take_struct(&c, 78, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_file_picture(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_title(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_title", a, n, 1);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_problem_file_title(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_figure_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_figure_name", a, n, 2);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_problem_file_figure_name(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_file_expects(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_file_expects", a, n, 3);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    int r = lb_problem_file_expects(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = PyLong_FromLong(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_save(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_save", a, n, 4);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const lb_solve_options *p2 = lbpy_take_struct(&c, 31, 0);
    const char *p3 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_problem_save(p0, p1, p2, p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_save_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_save_memory", a, n, 4);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    const char *p1 = lbpy_take_string(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    const lb_solve_options *p3 = lbpy_take_struct(&c, 31, 0);
    char * p4 = NULL;
    size_t p5 = 0;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_problem_save_memory(p0, p1, p2, p3, &p4, &p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p4, p5, 1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_problem_read_collisions(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_problem_read_collisions", a, n, 4);
    lb_problem *p0 = lbpy_take_handle(&c, 5, 1);
    const void *p1 = lbpy_take_buffer(&c, 0);
    const char *p3 = lbpy_take_string(&c);
    const lb_load_options *p4 = lbpy_take_struct(&c, 76, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_problem_read_collisions(p0, p1, c.size, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_result_save(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_result_save", a, n, 6);
    const lb_problem_file *p0 = lbpy_take_handle(&c, 13, 0);
    lb_method p1 = (lb_method)lbpy_take_enum(&c, 13);
    const double *p2 = lbpy_take_buffer(&c, 0);
    const lb_result *p3 = lbpy_take_struct(&c, 38, 0);
    double p4 = lbpy_take_double(&c);
    const char *p5 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_result_save(p0, p1, p2, p3, p4, p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_load(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_load", a, n, 3);
    const char *p0 = lbpy_take_string(&c);
    const lb_figure *p1 = lbpy_take_handle(&c, 0, 0);
    const lb_load_options *p2 = lbpy_take_struct(&c, 76, 0);
    lb_habit *p3 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_habit_load(p0, p1, p2, &p3, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 7, p3);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_load_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_load_memory", a, n, 4);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_figure *p3 = lbpy_take_handle(&c, 0, 0);
    const lb_load_options *p4 = lbpy_take_struct(&c, 76, 0);
    lb_habit *p5 = NULL;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_habit_load_memory(p0, c.size, p2, p3, p4, &p5, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 7, p5);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_save(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_save", a, n, 2);
    const lb_habit *p0 = lbpy_take_handle(&c, 7, 0);
    const char *p1 = lbpy_take_string(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_habit_save(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_habit_save_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_habit_save_memory", a, n, 1);
    const lb_habit *p0 = lbpy_take_handle(&c, 7, 0);
    char * p1 = NULL;
    size_t p2 = 0;
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_habit_save_memory(p0, &p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_text(value, p1, p2, 1);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_script_load(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_script_load", a, n, 2);
    const char *p0 = lbpy_take_string(&c);
    const lb_load_options *p1 = lbpy_take_struct(&c, 76, 0);
    lb_script *p2 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_script_load(p0, p1, &p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 14, p2);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_script_load_memory(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_script_load_memory", a, n, 3);
    const void *p0 = lbpy_take_buffer(&c, 0);
    const char *p2 = lbpy_take_string(&c);
    const lb_load_options *p3 = lbpy_take_struct(&c, 76, 0);
    lb_script *p4 = NULL;
    if (!lbpy_ready(&c, 1)) {
        return NULL;
    }
    lb_status r = lb_script_load_memory(p0, c.size, p2, p3, &p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    value = lbpy_add_handle(&c, value, 14, p4);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_script_motion(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_script_motion", a, n, 1);
    const lb_script *p0 = lbpy_take_handle(&c, 14, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_motion *r = lb_script_motion(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 11, (void *)(uintptr_t)r, 0, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_path_end_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_path_end_name", a, n, 1);
    lb_path_end p0 = (lb_path_end)lbpy_take_enum(&c, 39);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_path_end_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_path_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_path_create", a, n, 5);
    const lb_figure *p0 = lbpy_take_handle(&c, 0, 0);
    const lb_effector *p1 = lbpy_take_struct(&c, 20, 0);
    int p2 = lbpy_take_int(&c);
    const lb_frame *p3 = lbpy_take_struct(&c, 3, 0);
    const lb_path_options *p4 = lbpy_take_struct(&c, 81, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_path *r = lb_path_create(p0, p1, p2, p3, p4, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 15, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_path_get(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_path_get", a, n, 2);
    const lb_path *p0 = lbpy_take_handle(&c, 15, 0);
    lb_path_result *p1 = lbpy_take_struct(&c, 82, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_path_get(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_path_pose(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_path_pose", a, n, 4);
    const lb_path *p0 = lbpy_take_handle(&c, 15, 0);
    int p1 = lbpy_take_int(&c);
    double *p2 = lbpy_take_buffer(&c, 1);
    double *p3 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_path_pose(p0, p1, p2, p3);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_hold_name(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_hold_name", a, n, 1);
    lb_servo_hold p0 = (lb_servo_hold)lbpy_take_enum(&c, 40);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const char *r = lb_servo_hold_name(p0);
    lbpy_done(&c);
    PyObject *value = lbpy_give_string(r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_create(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_create", a, n, 2);
    const lb_problem *p0 = lbpy_take_handle(&c, 5, 0);
    const lb_servo_options *p1 = lbpy_take_struct(&c, 83, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_servo *r = lb_servo_create(p0, p1, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_handle(&c, 16, (void *)(uintptr_t)r, 1, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_start(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_start", a, n, 3);
    lb_servo *p0 = lbpy_take_handle(&c, 16, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_start(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_correct(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_correct", a, n, 3);
    lb_servo *p0 = lbpy_take_handle(&c, 16, 1);
    const double *p1 = lbpy_take_buffer(&c, 0);
    const double *p2 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_correct(p0, p1, p2, &c.error);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_body(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_body", a, n, 2);
    lb_servo *p0 = lbpy_take_handle(&c, 16, 1);
    int p1 = lbpy_take_int(&c);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    const lb_body_result *r = lb_servo_body(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_struct(&c, 60, r);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_set_twist(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_set_twist", a, n, 3);
    lb_servo *p0 = lbpy_take_handle(&c, 16, 1);
    int p1 = lbpy_take_int(&c);
    const double *p2 = lbpy_take_buffer(&c, 0);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_set_twist(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_tick(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_tick", a, n, 3);
    lb_servo *p0 = lbpy_take_handle(&c, 16, 1);
    double *p1 = lbpy_take_buffer(&c, 1);
    lb_servo_state *p2 = lbpy_take_struct(&c, 84, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_tick(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_velocity(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_velocity", a, n, 2);
    const lb_servo *p0 = lbpy_take_handle(&c, 16, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_velocity(p0, p1);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

static PyObject *w_lb_servo_limits(PyObject *m, PyObject *const *a, Py_ssize_t n) {
    (void)m;
    lbpy_call c;
    lbpy_begin(&c, "lb_servo_limits", a, n, 3);
    const lb_servo *p0 = lbpy_take_handle(&c, 16, 0);
    double *p1 = lbpy_take_buffer(&c, 1);
    double *p2 = lbpy_take_buffer(&c, 1);
    if (!lbpy_ready(&c, 0)) {
        return NULL;
    }
    lb_status r = lb_servo_limits(p0, p1, p2);
    lbpy_done(&c);
    PyObject *value = lbpy_give_status(&c, r, NULL);
    return lbpy_end(&c, value);
}

PyMethodDef lbpy_api[] = {
    {"lb_status_text", (PyCFunction)(void (*)(void))w_lb_status_text, METH_FASTCALL, NULL},
    {"lb_version", (PyCFunction)(void (*)(void))w_lb_version, METH_FASTCALL, NULL},
    {"lb_frame_identity", (PyCFunction)(void (*)(void))w_lb_frame_identity, METH_FASTCALL, NULL},
    {"lb_frame_multiply", (PyCFunction)(void (*)(void))w_lb_frame_multiply, METH_FASTCALL, NULL},
    {"lb_frame_invert", (PyCFunction)(void (*)(void))w_lb_frame_invert, METH_FASTCALL, NULL},
    {"lb_rotation_about", (PyCFunction)(void (*)(void))w_lb_rotation_about, METH_FASTCALL, NULL},
    {"lb_rotation_multiply", (PyCFunction)(void (*)(void))w_lb_rotation_multiply, METH_FASTCALL, NULL},
    {"lb_rotation_from_rpy", (PyCFunction)(void (*)(void))w_lb_rotation_from_rpy, METH_FASTCALL, NULL},
    {"lb_rotation_to_rpy", (PyCFunction)(void (*)(void))w_lb_rotation_to_rpy, METH_FASTCALL, NULL},
    {"lb_rotation_to_matrix", (PyCFunction)(void (*)(void))w_lb_rotation_to_matrix, METH_FASTCALL, NULL},
    {"lb_rotation_from_matrix", (PyCFunction)(void (*)(void))w_lb_rotation_from_matrix, METH_FASTCALL, NULL},
    {"lb_joint_type_parse", (PyCFunction)(void (*)(void))w_lb_joint_type_parse, METH_FASTCALL, NULL},
    {"lb_joint_type_spell", (PyCFunction)(void (*)(void))w_lb_joint_type_spell, METH_FASTCALL, NULL},
    {"lb_joint_type_dof_count", (PyCFunction)(void (*)(void))w_lb_joint_type_dof_count, METH_FASTCALL, NULL},
    {"lb_joint_type_is_angle", (PyCFunction)(void (*)(void))w_lb_joint_type_is_angle, METH_FASTCALL, NULL},
    {"lb_joint_type_rotation", (PyCFunction)(void (*)(void))w_lb_joint_type_rotation, METH_FASTCALL, NULL},
    {"lb_joint_type_dofs", (PyCFunction)(void (*)(void))w_lb_joint_type_dofs, METH_FASTCALL, NULL},
    {"lb_figure_name", (PyCFunction)(void (*)(void))w_lb_figure_name, METH_FASTCALL, NULL},
    {"lb_figure_stature", (PyCFunction)(void (*)(void))w_lb_figure_stature, METH_FASTCALL, NULL},
    {"lb_figure_segment_count", (PyCFunction)(void (*)(void))w_lb_figure_segment_count, METH_FASTCALL, NULL},
    {"lb_figure_site_count", (PyCFunction)(void (*)(void))w_lb_figure_site_count, METH_FASTCALL, NULL},
    {"lb_figure_shape_count", (PyCFunction)(void (*)(void))w_lb_figure_shape_count, METH_FASTCALL, NULL},
    {"lb_figure_joint_count", (PyCFunction)(void (*)(void))w_lb_figure_joint_count, METH_FASTCALL, NULL},
    {"lb_figure_group_count", (PyCFunction)(void (*)(void))w_lb_figure_group_count, METH_FASTCALL, NULL},
    {"lb_figure_parameter_count", (PyCFunction)(void (*)(void))w_lb_figure_parameter_count, METH_FASTCALL, NULL},
    {"lb_figure_drive_count", (PyCFunction)(void (*)(void))w_lb_figure_drive_count, METH_FASTCALL, NULL},
    {"lb_figure_limit_count", (PyCFunction)(void (*)(void))w_lb_figure_limit_count, METH_FASTCALL, NULL},
    {"lb_figure_segment", (PyCFunction)(void (*)(void))w_lb_figure_segment, METH_FASTCALL, NULL},
    {"lb_figure_site", (PyCFunction)(void (*)(void))w_lb_figure_site, METH_FASTCALL, NULL},
    {"lb_figure_shape", (PyCFunction)(void (*)(void))w_lb_figure_shape, METH_FASTCALL, NULL},
    {"lb_figure_joint", (PyCFunction)(void (*)(void))w_lb_figure_joint, METH_FASTCALL, NULL},
    {"lb_figure_group", (PyCFunction)(void (*)(void))w_lb_figure_group, METH_FASTCALL, NULL},
    {"lb_figure_parameter", (PyCFunction)(void (*)(void))w_lb_figure_parameter, METH_FASTCALL, NULL},
    {"lb_figure_drive", (PyCFunction)(void (*)(void))w_lb_figure_drive, METH_FASTCALL, NULL},
    {"lb_figure_limit", (PyCFunction)(void (*)(void))w_lb_figure_limit, METH_FASTCALL, NULL},
    {"lb_figure_root", (PyCFunction)(void (*)(void))w_lb_figure_root, METH_FASTCALL, NULL},
    {"lb_figure_find_segment", (PyCFunction)(void (*)(void))w_lb_figure_find_segment, METH_FASTCALL, NULL},
    {"lb_figure_find_site", (PyCFunction)(void (*)(void))w_lb_figure_find_site, METH_FASTCALL, NULL},
    {"lb_figure_find_joint", (PyCFunction)(void (*)(void))w_lb_figure_find_joint, METH_FASTCALL, NULL},
    {"lb_figure_find_group", (PyCFunction)(void (*)(void))w_lb_figure_find_group, METH_FASTCALL, NULL},
    {"lb_figure_find_variable", (PyCFunction)(void (*)(void))w_lb_figure_find_variable, METH_FASTCALL, NULL},
    {"lb_figure_find_place", (PyCFunction)(void (*)(void))w_lb_figure_find_place, METH_FASTCALL, NULL},
    {"lb_figure_parent_joint", (PyCFunction)(void (*)(void))w_lb_figure_parent_joint, METH_FASTCALL, NULL},
    {"lb_figure_parent_segment", (PyCFunction)(void (*)(void))w_lb_figure_parent_segment, METH_FASTCALL, NULL},
    {"lb_figure_tree_order", (PyCFunction)(void (*)(void))w_lb_figure_tree_order, METH_FASTCALL, NULL},
    {"lb_figure_loop_count", (PyCFunction)(void (*)(void))w_lb_figure_loop_count, METH_FASTCALL, NULL},
    {"lb_figure_loop_joint", (PyCFunction)(void (*)(void))w_lb_figure_loop_joint, METH_FASTCALL, NULL},
    {"lb_figure_variable_count", (PyCFunction)(void (*)(void))w_lb_figure_variable_count, METH_FASTCALL, NULL},
    {"lb_figure_variable", (PyCFunction)(void (*)(void))w_lb_figure_variable, METH_FASTCALL, NULL},
    {"lb_figure_variable_of", (PyCFunction)(void (*)(void))w_lb_figure_variable_of, METH_FASTCALL, NULL},
    {"lb_figure_mass", (PyCFunction)(void (*)(void))w_lb_figure_mass, METH_FASTCALL, NULL},
    {"lb_figure_row_count", (PyCFunction)(void (*)(void))w_lb_figure_row_count, METH_FASTCALL, NULL},
    {"lb_figure_row", (PyCFunction)(void (*)(void))w_lb_figure_row, METH_FASTCALL, NULL},
    {"lb_figure_room", (PyCFunction)(void (*)(void))w_lb_figure_room, METH_FASTCALL, NULL},
    {"lb_figure_rest_pose", (PyCFunction)(void (*)(void))w_lb_figure_rest_pose, METH_FASTCALL, NULL},
    {"lb_figure_random_pose", (PyCFunction)(void (*)(void))w_lb_figure_random_pose, METH_FASTCALL, NULL},
    {"lb_figure_violation", (PyCFunction)(void (*)(void))w_lb_figure_violation, METH_FASTCALL, NULL},
    {"lb_pose_carry", (PyCFunction)(void (*)(void))w_lb_pose_carry, METH_FASTCALL, NULL},
    {"lb_kinematics_create", (PyCFunction)(void (*)(void))w_lb_kinematics_create, METH_FASTCALL, NULL},
    {"lb_kinematics_figure", (PyCFunction)(void (*)(void))w_lb_kinematics_figure, METH_FASTCALL, NULL},
    {"lb_kinematics_update", (PyCFunction)(void (*)(void))w_lb_kinematics_update, METH_FASTCALL, NULL},
    {"lb_kinematics_segment", (PyCFunction)(void (*)(void))w_lb_kinematics_segment, METH_FASTCALL, NULL},
    {"lb_kinematics_site", (PyCFunction)(void (*)(void))w_lb_kinematics_site, METH_FASTCALL, NULL},
    {"lb_kinematics_matrix", (PyCFunction)(void (*)(void))w_lb_kinematics_matrix, METH_FASTCALL, NULL},
    {"lb_kinematics_com", (PyCFunction)(void (*)(void))w_lb_kinematics_com, METH_FASTCALL, NULL},
    {"lb_kinematics_dof", (PyCFunction)(void (*)(void))w_lb_kinematics_dof, METH_FASTCALL, NULL},
    {"lb_kinematics_loop", (PyCFunction)(void (*)(void))w_lb_kinematics_loop, METH_FASTCALL, NULL},
    {"lb_kinematics_project", (PyCFunction)(void (*)(void))w_lb_kinematics_project, METH_FASTCALL, NULL},
    {"lb_effector_from_site", (PyCFunction)(void (*)(void))w_lb_effector_from_site, METH_FASTCALL, NULL},
    {"lb_effector_from_segment", (PyCFunction)(void (*)(void))w_lb_effector_from_segment, METH_FASTCALL, NULL},
    {"lb_effector_from_com", (PyCFunction)(void (*)(void))w_lb_effector_from_com, METH_FASTCALL, NULL},
    {"lb_figure_find_effector", (PyCFunction)(void (*)(void))w_lb_figure_find_effector, METH_FASTCALL, NULL},
    {"lb_kinematics_effector", (PyCFunction)(void (*)(void))w_lb_kinematics_effector, METH_FASTCALL, NULL},
    {"lb_kinematics_jacobian", (PyCFunction)(void (*)(void))w_lb_kinematics_jacobian, METH_FASTCALL, NULL},
    {"lb_kinematics_twist", (PyCFunction)(void (*)(void))w_lb_kinematics_twist, METH_FASTCALL, NULL},
    {"lb_kinematics_hessian", (PyCFunction)(void (*)(void))w_lb_kinematics_hessian, METH_FASTCALL, NULL},
    {"lb_builder_create", (PyCFunction)(void (*)(void))w_lb_builder_create, METH_FASTCALL, NULL},
    {"lb_builder_from", (PyCFunction)(void (*)(void))w_lb_builder_from, METH_FASTCALL, NULL},
    {"lb_builder_set_name", (PyCFunction)(void (*)(void))w_lb_builder_set_name, METH_FASTCALL, NULL},
    {"lb_builder_set_stature", (PyCFunction)(void (*)(void))w_lb_builder_set_stature, METH_FASTCALL, NULL},
    {"lb_builder_add_segment", (PyCFunction)(void (*)(void))w_lb_builder_add_segment, METH_FASTCALL, NULL},
    {"lb_builder_add_site", (PyCFunction)(void (*)(void))w_lb_builder_add_site, METH_FASTCALL, NULL},
    {"lb_builder_add_shape", (PyCFunction)(void (*)(void))w_lb_builder_add_shape, METH_FASTCALL, NULL},
    {"lb_builder_add_joint", (PyCFunction)(void (*)(void))w_lb_builder_add_joint, METH_FASTCALL, NULL},
    {"lb_builder_add_group", (PyCFunction)(void (*)(void))w_lb_builder_add_group, METH_FASTCALL, NULL},
    {"lb_builder_add_parameter", (PyCFunction)(void (*)(void))w_lb_builder_add_parameter, METH_FASTCALL, NULL},
    {"lb_builder_add_drive", (PyCFunction)(void (*)(void))w_lb_builder_add_drive, METH_FASTCALL, NULL},
    {"lb_builder_add_limit", (PyCFunction)(void (*)(void))w_lb_builder_add_limit, METH_FASTCALL, NULL},
    {"lb_builder_set_root", (PyCFunction)(void (*)(void))w_lb_builder_set_root, METH_FASTCALL, NULL},
    {"lb_builder_segment_count", (PyCFunction)(void (*)(void))w_lb_builder_segment_count, METH_FASTCALL, NULL},
    {"lb_builder_site_count", (PyCFunction)(void (*)(void))w_lb_builder_site_count, METH_FASTCALL, NULL},
    {"lb_builder_joint_count", (PyCFunction)(void (*)(void))w_lb_builder_joint_count, METH_FASTCALL, NULL},
    {"lb_builder_segment", (PyCFunction)(void (*)(void))w_lb_builder_segment, METH_FASTCALL, NULL},
    {"lb_builder_site", (PyCFunction)(void (*)(void))w_lb_builder_site, METH_FASTCALL, NULL},
    {"lb_builder_joint", (PyCFunction)(void (*)(void))w_lb_builder_joint, METH_FASTCALL, NULL},
    {"lb_builder_find_segment", (PyCFunction)(void (*)(void))w_lb_builder_find_segment, METH_FASTCALL, NULL},
    {"lb_builder_find_site", (PyCFunction)(void (*)(void))w_lb_builder_find_site, METH_FASTCALL, NULL},
    {"lb_builder_find_joint", (PyCFunction)(void (*)(void))w_lb_builder_find_joint, METH_FASTCALL, NULL},
    {"lb_builder_find_group", (PyCFunction)(void (*)(void))w_lb_builder_find_group, METH_FASTCALL, NULL},
    {"lb_builder_find_parameter", (PyCFunction)(void (*)(void))w_lb_builder_find_parameter, METH_FASTCALL, NULL},
    {"lb_builder_find_dof", (PyCFunction)(void (*)(void))w_lb_builder_find_dof, METH_FASTCALL, NULL},
    {"lb_swing_cone", (PyCFunction)(void (*)(void))w_lb_swing_cone, METH_FASTCALL, NULL},
    {"lb_builder_add_dh_chain", (PyCFunction)(void (*)(void))w_lb_builder_add_dh_chain, METH_FASTCALL, NULL},
    {"lb_builder_finish", (PyCFunction)(void (*)(void))w_lb_builder_finish, METH_FASTCALL, NULL},
    {"lb_builder_remove_joint", (PyCFunction)(void (*)(void))w_lb_builder_remove_joint, METH_FASTCALL, NULL},
    {"lb_builder_remove_segment", (PyCFunction)(void (*)(void))w_lb_builder_remove_segment, METH_FASTCALL, NULL},
    {"lb_builder_keep_connected", (PyCFunction)(void (*)(void))w_lb_builder_keep_connected, METH_FASTCALL, NULL},
    {"lb_builder_freeze_joint", (PyCFunction)(void (*)(void))w_lb_builder_freeze_joint, METH_FASTCALL, NULL},
    {"lb_builder_thaw_joint", (PyCFunction)(void (*)(void))w_lb_builder_thaw_joint, METH_FASTCALL, NULL},
    {"lb_builder_change_joint", (PyCFunction)(void (*)(void))w_lb_builder_change_joint, METH_FASTCALL, NULL},
    {"lb_builder_attach", (PyCFunction)(void (*)(void))w_lb_builder_attach, METH_FASTCALL, NULL},
    {"lb_builder_scale", (PyCFunction)(void (*)(void))w_lb_builder_scale, METH_FASTCALL, NULL},
    {"lb_figure_split", (PyCFunction)(void (*)(void))w_lb_figure_split, METH_FASTCALL, NULL},
    {"lb_figure_reroot", (PyCFunction)(void (*)(void))w_lb_figure_reroot, METH_FASTCALL, NULL},
    {"lb_closed_kind_name", (PyCFunction)(void (*)(void))w_lb_closed_kind_name, METH_FASTCALL, NULL},
    {"lb_closed_create", (PyCFunction)(void (*)(void))w_lb_closed_create, METH_FASTCALL, NULL},
    {"lb_closed_kind_of", (PyCFunction)(void (*)(void))w_lb_closed_kind_of, METH_FASTCALL, NULL},
    {"lb_closed_variable_count", (PyCFunction)(void (*)(void))w_lb_closed_variable_count, METH_FASTCALL, NULL},
    {"lb_closed_variable", (PyCFunction)(void (*)(void))w_lb_closed_variable, METH_FASTCALL, NULL},
    {"lb_closed_solve", (PyCFunction)(void (*)(void))w_lb_closed_solve, METH_FASTCALL, NULL},
    {"lb_closed_get", (PyCFunction)(void (*)(void))w_lb_closed_get, METH_FASTCALL, NULL},
    {"lb_closed_winding", (PyCFunction)(void (*)(void))w_lb_closed_winding, METH_FASTCALL, NULL},
    {"lb_closed_swivel", (PyCFunction)(void (*)(void))w_lb_closed_swivel, METH_FASTCALL, NULL},
    {"lb_closed_pose", (PyCFunction)(void (*)(void))w_lb_closed_pose, METH_FASTCALL, NULL},
    {"lb_reach_kind_name", (PyCFunction)(void (*)(void))w_lb_reach_kind_name, METH_FASTCALL, NULL},
    {"lb_reach_create", (PyCFunction)(void (*)(void))w_lb_reach_create, METH_FASTCALL, NULL},
    {"lb_reach_point", (PyCFunction)(void (*)(void))w_lb_reach_point, METH_FASTCALL, NULL},
    {"lb_reach_frame", (PyCFunction)(void (*)(void))w_lb_reach_frame, METH_FASTCALL, NULL},
    {"lb_reach_box", (PyCFunction)(void (*)(void))w_lb_reach_box, METH_FASTCALL, NULL},
    {"lb_constraint_at", (PyCFunction)(void (*)(void))w_lb_constraint_at, METH_FASTCALL, NULL},
    {"lb_constraint_frame", (PyCFunction)(void (*)(void))w_lb_constraint_frame, METH_FASTCALL, NULL},
    {"lb_constraint_aim", (PyCFunction)(void (*)(void))w_lb_constraint_aim, METH_FASTCALL, NULL},
    {"lb_constraint_keep", (PyCFunction)(void (*)(void))w_lb_constraint_keep, METH_FASTCALL, NULL},
    {"lb_constraint_balance", (PyCFunction)(void (*)(void))w_lb_constraint_balance, METH_FASTCALL, NULL},
    {"lb_problem_create", (PyCFunction)(void (*)(void))w_lb_problem_create, METH_FASTCALL, NULL},
    {"lb_problem_add_figure", (PyCFunction)(void (*)(void))w_lb_problem_add_figure, METH_FASTCALL, NULL},
    {"lb_problem_figure_count", (PyCFunction)(void (*)(void))w_lb_problem_figure_count, METH_FASTCALL, NULL},
    {"lb_problem_figure", (PyCFunction)(void (*)(void))w_lb_problem_figure, METH_FASTCALL, NULL},
    {"lb_problem_variable_count", (PyCFunction)(void (*)(void))w_lb_problem_variable_count, METH_FASTCALL, NULL},
    {"lb_problem_first_variable", (PyCFunction)(void (*)(void))w_lb_problem_first_variable, METH_FASTCALL, NULL},
    {"lb_problem_variable_name", (PyCFunction)(void (*)(void))w_lb_problem_variable_name, METH_FASTCALL, NULL},
    {"lb_problem_add", (PyCFunction)(void (*)(void))w_lb_problem_add, METH_FASTCALL, NULL},
    {"lb_problem_change", (PyCFunction)(void (*)(void))w_lb_problem_change, METH_FASTCALL, NULL},
    {"lb_problem_remove", (PyCFunction)(void (*)(void))w_lb_problem_remove, METH_FASTCALL, NULL},
    {"lb_problem_move_goal", (PyCFunction)(void (*)(void))w_lb_problem_move_goal, METH_FASTCALL, NULL},
    {"lb_problem_set_weight", (PyCFunction)(void (*)(void))w_lb_problem_set_weight, METH_FASTCALL, NULL},
    {"lb_problem_enable", (PyCFunction)(void (*)(void))w_lb_problem_enable, METH_FASTCALL, NULL},
    {"lb_problem_constraint_count", (PyCFunction)(void (*)(void))w_lb_problem_constraint_count, METH_FASTCALL, NULL},
    {"lb_problem_constraint", (PyCFunction)(void (*)(void))w_lb_problem_constraint, METH_FASTCALL, NULL},
    {"lb_problem_constraint_id", (PyCFunction)(void (*)(void))w_lb_problem_constraint_id, METH_FASTCALL, NULL},
    {"lb_problem_set_active", (PyCFunction)(void (*)(void))w_lb_problem_set_active, METH_FASTCALL, NULL},
    {"lb_problem_set_rigidity", (PyCFunction)(void (*)(void))w_lb_problem_set_rigidity, METH_FASTCALL, NULL},
    {"lb_problem_set_joint_active", (PyCFunction)(void (*)(void))w_lb_problem_set_joint_active, METH_FASTCALL, NULL},
    {"lb_problem_set_root_active", (PyCFunction)(void (*)(void))w_lb_problem_set_root_active, METH_FASTCALL, NULL},
    {"lb_problem_set_posture", (PyCFunction)(void (*)(void))w_lb_problem_set_posture, METH_FASTCALL, NULL},
    {"lb_problem_set_stay", (PyCFunction)(void (*)(void))w_lb_problem_set_stay, METH_FASTCALL, NULL},
    {"lb_problem_set_margin", (PyCFunction)(void (*)(void))w_lb_problem_set_margin, METH_FASTCALL, NULL},
    {"lb_problem_set_middle", (PyCFunction)(void (*)(void))w_lb_problem_set_middle, METH_FASTCALL, NULL},
    {"lb_problem_set_manipulability", (PyCFunction)(void (*)(void))w_lb_problem_set_manipulability, METH_FASTCALL, NULL},
    {"lb_problem_set_wish_level", (PyCFunction)(void (*)(void))w_lb_problem_set_wish_level, METH_FASTCALL, NULL},
    {"lb_engine_name", (PyCFunction)(void (*)(void))w_lb_engine_name, METH_FASTCALL, NULL},
    {"lb_solver_create", (PyCFunction)(void (*)(void))w_lb_solver_create, METH_FASTCALL, NULL},
    {"lb_solver_prepare", (PyCFunction)(void (*)(void))w_lb_solver_prepare, METH_FASTCALL, NULL},
    {"lb_solver_measure", (PyCFunction)(void (*)(void))w_lb_solver_measure, METH_FASTCALL, NULL},
    {"lb_solver_value", (PyCFunction)(void (*)(void))w_lb_solver_value, METH_FASTCALL, NULL},
    {"lb_method_name", (PyCFunction)(void (*)(void))w_lb_method_name, METH_FASTCALL, NULL},
    {"lb_method_find", (PyCFunction)(void (*)(void))w_lb_method_find, METH_FASTCALL, NULL},
    {"lb_outcome_name", (PyCFunction)(void (*)(void))w_lb_outcome_name, METH_FASTCALL, NULL},
    {"lb_reason_name", (PyCFunction)(void (*)(void))w_lb_reason_name, METH_FASTCALL, NULL},
    {"lb_say_name", (PyCFunction)(void (*)(void))w_lb_say_name, METH_FASTCALL, NULL},
    {"lb_determinacy_name", (PyCFunction)(void (*)(void))w_lb_determinacy_name, METH_FASTCALL, NULL},
    {"lb_contact_kind_name", (PyCFunction)(void (*)(void))w_lb_contact_kind_name, METH_FASTCALL, NULL},
    {"lb_contact_kind_find", (PyCFunction)(void (*)(void))w_lb_contact_kind_find, METH_FASTCALL, NULL},
    {"lb_figure_body", (PyCFunction)(void (*)(void))w_lb_figure_body, METH_FASTCALL, NULL},
    {"lb_figure_set_body", (PyCFunction)(void (*)(void))w_lb_figure_set_body, METH_FASTCALL, NULL},
    {"lb_habit_kind_name", (PyCFunction)(void (*)(void))w_lb_habit_kind_name, METH_FASTCALL, NULL},
    {"lb_habit_create", (PyCFunction)(void (*)(void))w_lb_habit_create, METH_FASTCALL, NULL},
    {"lb_habit_contents", (PyCFunction)(void (*)(void))w_lb_habit_contents, METH_FASTCALL, NULL},
    {"lb_habit_measure", (PyCFunction)(void (*)(void))w_lb_habit_measure, METH_FASTCALL, NULL},
    {"lb_habit_cost", (PyCFunction)(void (*)(void))w_lb_habit_cost, METH_FASTCALL, NULL},
    {"lb_swivel_at", (PyCFunction)(void (*)(void))w_lb_swivel_at, METH_FASTCALL, NULL},
    {"lb_swivel_side", (PyCFunction)(void (*)(void))w_lb_swivel_side, METH_FASTCALL, NULL},
    {"lb_side_name", (PyCFunction)(void (*)(void))w_lb_side_name, METH_FASTCALL, NULL},
    {"lb_problem_set_body", (PyCFunction)(void (*)(void))w_lb_problem_set_body, METH_FASTCALL, NULL},
    {"lb_problem_clear_body", (PyCFunction)(void (*)(void))w_lb_problem_clear_body, METH_FASTCALL, NULL},
    {"lb_problem_set_habit", (PyCFunction)(void (*)(void))w_lb_problem_set_habit, METH_FASTCALL, NULL},
    {"lb_problem_habit", (PyCFunction)(void (*)(void))w_lb_problem_habit, METH_FASTCALL, NULL},
    {"lb_problem_body", (PyCFunction)(void (*)(void))w_lb_problem_body, METH_FASTCALL, NULL},
    {"lb_body_term_name", (PyCFunction)(void (*)(void))w_lb_body_term_name, METH_FASTCALL, NULL},
    {"lb_solver_body", (PyCFunction)(void (*)(void))w_lb_solver_body, METH_FASTCALL, NULL},
    {"lb_statics", (PyCFunction)(void (*)(void))w_lb_statics, METH_FASTCALL, NULL},
    {"lb_problem_set_collisions", (PyCFunction)(void (*)(void))w_lb_problem_set_collisions, METH_FASTCALL, NULL},
    {"lb_problem_collisions", (PyCFunction)(void (*)(void))w_lb_problem_collisions, METH_FASTCALL, NULL},
    {"lb_problem_pair_count", (PyCFunction)(void (*)(void))w_lb_problem_pair_count, METH_FASTCALL, NULL},
    {"lb_problem_pair", (PyCFunction)(void (*)(void))w_lb_problem_pair, METH_FASTCALL, NULL},
    {"lb_solver_pair", (PyCFunction)(void (*)(void))w_lb_solver_pair, METH_FASTCALL, NULL},
    {"lb_solver_near_pairs", (PyCFunction)(void (*)(void))w_lb_solver_near_pairs, METH_FASTCALL, NULL},
    {"lb_drag_create", (PyCFunction)(void (*)(void))w_lb_drag_create, METH_FASTCALL, NULL},
    {"lb_drag_move", (PyCFunction)(void (*)(void))w_lb_drag_move, METH_FASTCALL, NULL},
    {"lb_drag_think", (PyCFunction)(void (*)(void))w_lb_drag_think, METH_FASTCALL, NULL},
    {"lb_drag_end", (PyCFunction)(void (*)(void))w_lb_drag_end, METH_FASTCALL, NULL},
    {"lb_drag_result", (PyCFunction)(void (*)(void))w_lb_drag_result, METH_FASTCALL, NULL},
    {"lb_drag_body", (PyCFunction)(void (*)(void))w_lb_drag_body, METH_FASTCALL, NULL},
    {"lb_drag_explain", (PyCFunction)(void (*)(void))w_lb_drag_explain, METH_FASTCALL, NULL},
    {"lb_track_create", (PyCFunction)(void (*)(void))w_lb_track_create, METH_FASTCALL, NULL},
    {"lb_track_set_ends", (PyCFunction)(void (*)(void))w_lb_track_set_ends, METH_FASTCALL, NULL},
    {"lb_track_set", (PyCFunction)(void (*)(void))w_lb_track_set, METH_FASTCALL, NULL},
    {"lb_track_remove", (PyCFunction)(void (*)(void))w_lb_track_remove, METH_FASTCALL, NULL},
    {"lb_track_get_kind", (PyCFunction)(void (*)(void))w_lb_track_get_kind, METH_FASTCALL, NULL},
    {"lb_track_get_ends", (PyCFunction)(void (*)(void))w_lb_track_get_ends, METH_FASTCALL, NULL},
    {"lb_track_width", (PyCFunction)(void (*)(void))w_lb_track_width, METH_FASTCALL, NULL},
    {"lb_track_rate_width", (PyCFunction)(void (*)(void))w_lb_track_rate_width, METH_FASTCALL, NULL},
    {"lb_track_key_count", (PyCFunction)(void (*)(void))w_lb_track_key_count, METH_FASTCALL, NULL},
    {"lb_track_key", (PyCFunction)(void (*)(void))w_lb_track_key, METH_FASTCALL, NULL},
    {"lb_track_sample", (PyCFunction)(void (*)(void))w_lb_track_sample, METH_FASTCALL, NULL},
    {"lb_track_prepare", (PyCFunction)(void (*)(void))w_lb_track_prepare, METH_FASTCALL, NULL},
    {"lb_clip_create", (PyCFunction)(void (*)(void))w_lb_clip_create, METH_FASTCALL, NULL},
    {"lb_clip_figure", (PyCFunction)(void (*)(void))w_lb_clip_figure, METH_FASTCALL, NULL},
    {"lb_clip_frame_count", (PyCFunction)(void (*)(void))w_lb_clip_frame_count, METH_FASTCALL, NULL},
    {"lb_clip_frame_time", (PyCFunction)(void (*)(void))w_lb_clip_frame_time, METH_FASTCALL, NULL},
    {"lb_clip_duration", (PyCFunction)(void (*)(void))w_lb_clip_duration, METH_FASTCALL, NULL},
    {"lb_clip_sample", (PyCFunction)(void (*)(void))w_lb_clip_sample, METH_FASTCALL, NULL},
    {"lb_clip_resample", (PyCFunction)(void (*)(void))w_lb_clip_resample, METH_FASTCALL, NULL},
    {"lb_motion_create", (PyCFunction)(void (*)(void))w_lb_motion_create, METH_FASTCALL, NULL},
    {"lb_motion_drive", (PyCFunction)(void (*)(void))w_lb_motion_drive, METH_FASTCALL, NULL},
    {"lb_motion_joint_index", (PyCFunction)(void (*)(void))w_lb_motion_joint_index, METH_FASTCALL, NULL},
    {"lb_motion_drive_clip", (PyCFunction)(void (*)(void))w_lb_motion_drive_clip, METH_FASTCALL, NULL},
    {"lb_motion_carry", (PyCFunction)(void (*)(void))w_lb_motion_carry, METH_FASTCALL, NULL},
    {"lb_motion_follow", (PyCFunction)(void (*)(void))w_lb_motion_follow, METH_FASTCALL, NULL},
    {"lb_motion_stage", (PyCFunction)(void (*)(void))w_lb_motion_stage, METH_FASTCALL, NULL},
    {"lb_motion_set_method", (PyCFunction)(void (*)(void))w_lb_motion_set_method, METH_FASTCALL, NULL},
    {"lb_motion_stage_count", (PyCFunction)(void (*)(void))w_lb_motion_stage_count, METH_FASTCALL, NULL},
    {"lb_motion_problem", (PyCFunction)(void (*)(void))w_lb_motion_problem, METH_FASTCALL, NULL},
    {"lb_motion_end", (PyCFunction)(void (*)(void))w_lb_motion_end, METH_FASTCALL, NULL},
    {"lb_player_create", (PyCFunction)(void (*)(void))w_lb_player_create, METH_FASTCALL, NULL},
    {"lb_player_stage", (PyCFunction)(void (*)(void))w_lb_player_stage, METH_FASTCALL, NULL},
    {"lb_player_pose", (PyCFunction)(void (*)(void))w_lb_player_pose, METH_FASTCALL, NULL},
    {"lb_player_rates", (PyCFunction)(void (*)(void))w_lb_player_rates, METH_FASTCALL, NULL},
    {"lb_player_site", (PyCFunction)(void (*)(void))w_lb_player_site, METH_FASTCALL, NULL},
    {"lb_player_clip", (PyCFunction)(void (*)(void))w_lb_player_clip, METH_FASTCALL, NULL},
    {"lb_effector_motion", (PyCFunction)(void (*)(void))w_lb_effector_motion, METH_FASTCALL, NULL},
    {"lb_clip_contacts", (PyCFunction)(void (*)(void))w_lb_clip_contacts, METH_FASTCALL, NULL},
    {"lb_clip_hold_contacts", (PyCFunction)(void (*)(void))w_lb_clip_hold_contacts, METH_FASTCALL, NULL},
    {"lb_humanoid_find", (PyCFunction)(void (*)(void))w_lb_humanoid_find, METH_FASTCALL, NULL},
    {"lb_humanoid_free_root", (PyCFunction)(void (*)(void))w_lb_humanoid_free_root, METH_FASTCALL, NULL},
    {"lb_clip_first_frame", (PyCFunction)(void (*)(void))w_lb_clip_first_frame, METH_FASTCALL, NULL},
    {"lb_retarget", (PyCFunction)(void (*)(void))w_lb_retarget, METH_FASTCALL, NULL},
    {"lb_retarget_judge", (PyCFunction)(void (*)(void))w_lb_retarget_judge, METH_FASTCALL, NULL},
    {"lb_figure_load", (PyCFunction)(void (*)(void))w_lb_figure_load, METH_FASTCALL, NULL},
    {"lb_figure_load_memory", (PyCFunction)(void (*)(void))w_lb_figure_load_memory, METH_FASTCALL, NULL},
    {"lb_figure_stand", (PyCFunction)(void (*)(void))w_lb_figure_stand, METH_FASTCALL, NULL},
    {"lb_figure_legs", (PyCFunction)(void (*)(void))w_lb_figure_legs, METH_FASTCALL, NULL},
    {"lb_figure_on_plane", (PyCFunction)(void (*)(void))w_lb_figure_on_plane, METH_FASTCALL, NULL},
    {"lb_figure_save", (PyCFunction)(void (*)(void))w_lb_figure_save, METH_FASTCALL, NULL},
    {"lb_figure_save_memory", (PyCFunction)(void (*)(void))w_lb_figure_save_memory, METH_FASTCALL, NULL},
    {"lb_figure_save_pose", (PyCFunction)(void (*)(void))w_lb_figure_save_pose, METH_FASTCALL, NULL},
    {"lb_clip_load", (PyCFunction)(void (*)(void))w_lb_clip_load, METH_FASTCALL, NULL},
    {"lb_clip_load_memory", (PyCFunction)(void (*)(void))w_lb_clip_load_memory, METH_FASTCALL, NULL},
    {"lb_clip_save", (PyCFunction)(void (*)(void))w_lb_clip_save, METH_FASTCALL, NULL},
    {"lb_gltf_animations", (PyCFunction)(void (*)(void))w_lb_gltf_animations, METH_FASTCALL, NULL},
    {"lb_gltf_save_pose", (PyCFunction)(void (*)(void))w_lb_gltf_save_pose, METH_FASTCALL, NULL},
    {"lb_gltf_save_animation", (PyCFunction)(void (*)(void))w_lb_gltf_save_animation, METH_FASTCALL, NULL},
    {"lb_gltf_pose_memory", (PyCFunction)(void (*)(void))w_lb_gltf_pose_memory, METH_FASTCALL, NULL},
    {"lb_gltf_animation_memory", (PyCFunction)(void (*)(void))w_lb_gltf_animation_memory, METH_FASTCALL, NULL},
    {"lb_human_name", (PyCFunction)(void (*)(void))w_lb_human_name, METH_FASTCALL, NULL},
    {"lb_body_map_human", (PyCFunction)(void (*)(void))w_lb_body_map_human, METH_FASTCALL, NULL},
    {"lb_format_from_path", (PyCFunction)(void (*)(void))w_lb_format_from_path, METH_FASTCALL, NULL},
    {"lb_format_name", (PyCFunction)(void (*)(void))w_lb_format_name, METH_FASTCALL, NULL},
    {"lb_picture_format_from_path", (PyCFunction)(void (*)(void))w_lb_picture_format_from_path, METH_FASTCALL, NULL},
    {"lb_figure_render", (PyCFunction)(void (*)(void))w_lb_figure_render, METH_FASTCALL, NULL},
    {"lb_scene_render", (PyCFunction)(void (*)(void))w_lb_scene_render, METH_FASTCALL, NULL},
    {"lb_problem_load", (PyCFunction)(void (*)(void))w_lb_problem_load, METH_FASTCALL, NULL},
    {"lb_problem_load_memory", (PyCFunction)(void (*)(void))w_lb_problem_load_memory, METH_FASTCALL, NULL},
    {"lb_problem_file_problem", (PyCFunction)(void (*)(void))w_lb_problem_file_problem, METH_FASTCALL, NULL},
    {"lb_problem_file_motion", (PyCFunction)(void (*)(void))w_lb_problem_file_motion, METH_FASTCALL, NULL},
    {"lb_problem_file_options", (PyCFunction)(void (*)(void))w_lb_problem_file_options, METH_FASTCALL, NULL},
    {"lb_problem_file_picture", (PyCFunction)(void (*)(void))w_lb_problem_file_picture, METH_FASTCALL, NULL},
    {"lb_problem_file_title", (PyCFunction)(void (*)(void))w_lb_problem_file_title, METH_FASTCALL, NULL},
    {"lb_problem_file_figure_name", (PyCFunction)(void (*)(void))w_lb_problem_file_figure_name, METH_FASTCALL, NULL},
    {"lb_problem_file_expects", (PyCFunction)(void (*)(void))w_lb_problem_file_expects, METH_FASTCALL, NULL},
    {"lb_problem_save", (PyCFunction)(void (*)(void))w_lb_problem_save, METH_FASTCALL, NULL},
    {"lb_problem_save_memory", (PyCFunction)(void (*)(void))w_lb_problem_save_memory, METH_FASTCALL, NULL},
    {"lb_problem_read_collisions", (PyCFunction)(void (*)(void))w_lb_problem_read_collisions, METH_FASTCALL, NULL},
    {"lb_result_save", (PyCFunction)(void (*)(void))w_lb_result_save, METH_FASTCALL, NULL},
    {"lb_habit_load", (PyCFunction)(void (*)(void))w_lb_habit_load, METH_FASTCALL, NULL},
    {"lb_habit_load_memory", (PyCFunction)(void (*)(void))w_lb_habit_load_memory, METH_FASTCALL, NULL},
    {"lb_habit_save", (PyCFunction)(void (*)(void))w_lb_habit_save, METH_FASTCALL, NULL},
    {"lb_habit_save_memory", (PyCFunction)(void (*)(void))w_lb_habit_save_memory, METH_FASTCALL, NULL},
    {"lb_script_load", (PyCFunction)(void (*)(void))w_lb_script_load, METH_FASTCALL, NULL},
    {"lb_script_load_memory", (PyCFunction)(void (*)(void))w_lb_script_load_memory, METH_FASTCALL, NULL},
    {"lb_script_motion", (PyCFunction)(void (*)(void))w_lb_script_motion, METH_FASTCALL, NULL},
    {"lb_path_end_name", (PyCFunction)(void (*)(void))w_lb_path_end_name, METH_FASTCALL, NULL},
    {"lb_path_create", (PyCFunction)(void (*)(void))w_lb_path_create, METH_FASTCALL, NULL},
    {"lb_path_get", (PyCFunction)(void (*)(void))w_lb_path_get, METH_FASTCALL, NULL},
    {"lb_path_pose", (PyCFunction)(void (*)(void))w_lb_path_pose, METH_FASTCALL, NULL},
    {"lb_servo_hold_name", (PyCFunction)(void (*)(void))w_lb_servo_hold_name, METH_FASTCALL, NULL},
    {"lb_servo_create", (PyCFunction)(void (*)(void))w_lb_servo_create, METH_FASTCALL, NULL},
    {"lb_servo_start", (PyCFunction)(void (*)(void))w_lb_servo_start, METH_FASTCALL, NULL},
    {"lb_servo_correct", (PyCFunction)(void (*)(void))w_lb_servo_correct, METH_FASTCALL, NULL},
    {"lb_servo_body", (PyCFunction)(void (*)(void))w_lb_servo_body, METH_FASTCALL, NULL},
    {"lb_servo_set_twist", (PyCFunction)(void (*)(void))w_lb_servo_set_twist, METH_FASTCALL, NULL},
    {"lb_servo_tick", (PyCFunction)(void (*)(void))w_lb_servo_tick, METH_FASTCALL, NULL},
    {"lb_servo_velocity", (PyCFunction)(void (*)(void))w_lb_servo_velocity, METH_FASTCALL, NULL},
    {"lb_servo_limits", (PyCFunction)(void (*)(void))w_lb_servo_limits, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL}};
