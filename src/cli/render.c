/* limber render: a picture of a figure. */
#include "cli/output.h"
#include "map/api.h"
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"output", 'o', "OUT", "the picture to write: .png, .svg or .pdf; - for standard output (needed)"},
    {"size", 0, "WxH", "pixels, or points of SVG and PDF (default: 800x600)"},
    {"views", 0, "LIST", "one to four of three-quarter, front, side, top, back, with commas (default: three-quarter)"},
    {"camera", 'c', "AZ,EL", "look from this azimuth (0 front, 90 the figure's left) and elevation, in degrees"},
    {"zoom", 'z', "Z", "enlarge (above 1) or show more around (below 1)"},
    {"ortho", 0, NULL, "without perspective"},
    {"pose", 'p', "VALUES", "variables that differ from rest, as in elbow=90deg,spine.flexion=20deg"},
    {"stature", 's', "LENGTH", "scale a figure that has a stature to this one, as in 1.55m"},
    {"root", 0, "FOLDER", "an MJCF file may include others from anywhere in this folder"},
    {"packages", 0, "FOLDERS", "look for package://... meshes in these folders, with colons between them"},
    {"stand", 0, NULL, "a legged robot gets a free root and stands on its feet"},
    {"base", 0, "BASE", "a base that drives: planar, or planar=2m,1m,90deg for how far either way"},
    {"unit", 0, "LENGTH",
     "what one length unit of a BVH or glTF file is (default: 1cm and 1m, or what a person's legs tell)"},
    {"anatomical", 0, NULL, "give a glTF character whose bones are recognised by name a human's limits"},
    {"labels", 'l', NULL, "names of joints, and of sites if shown"},
    {"sites", 0, NULL, "sites, as diamonds"},
    {"limits", 0, NULL, "what the joints may do: sectors, cones, tracks"},
    {"com", 0, NULL, "the centre of mass, and where it stands"},
    {"scale", 0, NULL, "a bar of a round length"},
    {"no-shapes", 0, NULL, "sticks instead of shapes"},
    {"no-joints", 0, NULL, "no dots at the joints"},
    {"no-ground", 0, NULL, "no ground, grid and shadow"},
    {"dark", 0, NULL, "a dark background"},
    {"title", 't', "TEXT", "a heading"},
    {"format", 'f', "FORMAT", "read the file as fig, urdf, mjcf, bvh or gltf, whatever its name"},
    {"at", 0, "POINT", "of a map: the point that its slices go through, as x,y,z"},
    {"picture", 0, "KIND", "write png, svg or pdf, whatever OUT is called"},
    CLI_FORCE_OPTION,
    {NULL, 0, NULL, NULL},
};

/* Fills views; returns how many, or -1 with *wrong at the word that is none. */
static int read_views(const char *text, lb_view views[4], char wrong[32]) {
    static const char *const names[] = {"three-quarter", "front", "side", "top", "back"};
    static const lb_view values[] = {LB_VIEW_THREE_QUARTER, LB_VIEW_FRONT, LB_VIEW_SIDE, LB_VIEW_TOP, LB_VIEW_BACK};
    int count = 0;
    while (1) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int k = 0; k < 5; k++) {
            if (strlen(names[k]) == length && strncmp(names[k], text, length) == 0) {
                found = k;
            }
        }
        if (found < 0 || count == 4) {
            wrong[0] = 0;
            strncat(wrong, text, length < 31 ? length : 31);
            return -1;
        }
        views[count++] = values[found];
        if (!text[length]) {
            return count;
        }
        text += length + 1;
    }
}

static int read_look(const cli_command *command, const cli_arguments *arguments, lb_render_options *picture) {
    const char *views = cli_value(command, arguments, "views");
    char wrong[32];
    if (views && (picture->view_count = read_views(views, picture->views, wrong)) < 0) {
        static const char *const names[] = {"three-quarter", "front", "side", "top", "back"};
        const char *near_name = cli_nearest(wrong, names, 5);
        return near_name && strcmp(near_name, wrong) != 0
                   ? cli_usage(command, "there is no view `%s`; did you mean `%s`", wrong, near_name)
                   : cli_usage(command, "--views wants one to four of three-quarter, front, side, top, back");
    }
    return cli_read_camera(command, arguments, picture);
}

static int read_kind(const cli_command *command, const cli_arguments *arguments, const char *out,
                     lb_render_options *picture) {
    static const char *const names[] = {"png", "svg", "pdf"};
    static const lb_picture_format kinds[] = {LB_PICTURE_FORMAT_PNG, LB_PICTURE_FORMAT_SVG, LB_PICTURE_FORMAT_PDF};
    const char *kind = cli_value(command, arguments, "picture");
    for (int k = 0; kind && k < 3; k++) {
        if (strcmp(kind, names[k]) == 0) {
            picture->format = kinds[k];
            return CLI_OK;
        }
    }
    if (kind) {
        return cli_usage(command, "`--picture %s` is no kind of picture; there are png, svg and pdf", kind);
    }
    cli_output target;
    const int code = cli_read_output(command, "-o", out, CLI_KIND_PICTURE, CLI_KIND_PICTURE, &target);
    picture->format = code ? LB_PICTURE_FORMAT_BY_NAME : lb_picture_format_from_path(out);
    picture->format = picture->format ? picture->format : LB_PICTURE_FORMAT_PNG; /* a pipe or device */
    return code;
}

static void read_switches(const cli_command *command, const cli_arguments *arguments, lb_render_options *picture) {
    picture->perspective = !cli_has(command, arguments, "ortho");
    picture->show_labels = cli_has(command, arguments, "labels");
    picture->show_sites = cli_has(command, arguments, "sites");
    picture->show_limits = cli_has(command, arguments, "limits");
    picture->show_com = cli_has(command, arguments, "com");
    picture->show_scale = cli_has(command, arguments, "scale");
    picture->show_shapes = !cli_has(command, arguments, "no-shapes");
    picture->show_joints = !cli_has(command, arguments, "no-joints");
    picture->show_ground = !cli_has(command, arguments, "no-ground");
    picture->dark = cli_has(command, arguments, "dark");
    picture->title = cli_value(command, arguments, "title");
}

static int draw(const lb_figure *figure, const char *pose_text, const char *out, const lb_render_options *picture) {
    double *pose = NULL;
    lb_error error;
    int code = pose_text ? cli_read_pose(figure, pose_text, &pose) : CLI_OK;
    if (!code) {
        lb_status status = lb_figure_render(figure, pose, out, picture, &error);
        code = status == LB_ERROR_ARGUMENT ? cli_report(CLI_BAD_USAGE, &error) : cli_written(status, &error);
    }
    free(pose);
    return code;
}

#ifdef LIMBER_HAVE_HDF5
/* A map is drawn as slices and a surface; or is written as a mesh, .ply or .glb. */
static int draw_map(const cli_command *command, const cli_arguments *arguments, const char *out) {
    const char *at = cli_value(command, arguments, "at");
    lb_render_options look;
    lb_map_picture picture;
    lb_error error;
    lb_render_options_defaults(&look);
    lb_map_picture_defaults(&picture);
    look.width = picture.width, look.height = picture.height;
    const int is_mesh = lb_map_is_mesh(out);
    int code = cli_read_camera(command, arguments, &look);
    code = code || is_mesh ? code : read_kind(command, arguments, out, &look);
    if (!code && at && cli_read_numbers(at, 3, picture.at)) {
        code = cli_usage(command, "`--at %s` is no point; write it as x,y,z", at);
    }
    lb_map *map = code ? NULL : lb_map_load(arguments->operands[0], &error);
    if (code || !map) {
        return code ? code : cli_report(CLI_BAD_INPUT, &error);
    }
    picture.width = look.width, picture.height = look.height, picture.has_at = at != NULL;
    picture.has_camera = look.has_camera, picture.azimuth_deg = look.azimuth_deg;
    picture.elevation_deg = look.elevation_deg;
    picture.title = cli_value(command, arguments, "title"), picture.format = look.format;
    lb_status status = is_mesh ? lb_map_save_mesh(map, out, &error) : lb_map_render(map, &picture, out, &error);
    lb_map_destroy(map);
    return cli_written(status, &error);
}
#else
static int draw_map(const cli_command *command, const cli_arguments *arguments, const char *out) {
    (void)command, (void)arguments, (void)out;
    return cli_fail(CLI_BAD_INPUT, "this limber was built without HDF5, which maps are read with; install it (Debian: "
                                   "libhdf5-dev) and build again");
}
#endif

static int is_map(const char *path) {
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    cli_source source;
    cli_warnings warnings = {.is_loud = 1};
    lb_render_options picture;
    lb_figure *figure = NULL;
    const char *out = cli_value(command, arguments, "output");
    lb_render_options_defaults(&picture);
    if (!out) {
        return cli_usage(command, "needs `-o OUT`: where does the picture go");
    }
    if (is_map(arguments->operands[0])) {
        return draw_map(command, arguments, out);
    }
    int code = cli_read_source(command, arguments, "format", &source);
    source.meshes = 2;
    code = code ? code : read_look(command, arguments, &picture);
    code = code ? code : read_kind(command, arguments, out, &picture);
    read_switches(command, arguments, &picture);
    code = code ? code : cli_load(&source, &warnings, &figure, NULL);
    code = code ? code : cli_check_output(out);
    code = code ? code : draw(figure, cli_value(command, arguments, "pose"), out, &picture);
    cli_warnings_free(&warnings);
    lb_figure_destroy(figure);
    return code;
}

const cli_command cli_render = {
    .name = "render",
    .synopsis = "FILE -o OUT",
    .summary = "draw a figure as PNG, SVG or PDF",
    .text = "Draws the figure in its rest pose, or another (--pose; what is outside the limits is\n"
            "moved inside, with a note). Segments without shapes are drawn as sticks. A map\n"
            "(limber reach) is drawn as slices, and as a surface with the figure in it; .ply and .glb\n"
            "are that surface as a mesh.\n\n"
            "  limber render models/human.fig -o human.png --views front,side,three-quarter\n"
            "  limber render models/human.fig -o wave.svg --pose 'right_elbow=90deg' --labels\n"
            "  limber render map.h5 -o map.png --at 0.4,0,0.4",
    .options = options,
    .least_operands = 1,
    .most_operands = 1,
    .run = run,
};
