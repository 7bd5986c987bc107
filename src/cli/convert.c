/* limber convert: a figure, with its motion, from one format to another. */
#include "cli/output.h"
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"from", 'f', "FORMAT", "read IN as fig, urdf, mjcf, bvh or gltf, whatever its name"},
    {"to", 't', "FORMAT", "write OUT as fig, urdf, bvh or gltf, whatever its name"},
    {"stature", 's', "LENGTH", "scale a figure that has a stature to this one, as in 1.55m"},
    {"root", 0, "FOLDER", "an MJCF file may include others from anywhere in this folder"},
    {"packages", 0, "FOLDERS", "read meshes, and look for package://... in these folders, with colons between them"},
    {"stand", 0, NULL, "a legged robot gets a free root and stands on its feet"},
    {"base", 0, "BASE", "a base that drives: planar, or planar=2m,1m,90deg for how far either way"},
    {"unit", 'u', "LENGTH",
     "what one length unit of the file is: of BVH, read or written (1cm), or glTF (1m); default: or what a person's "
     "legs tell"},
    {"up", 0, "AXIS", "which axis of a BVH file is up: y, z or auto (default: auto, by how a person stands in it)"},
    {"pose", 'p', "NAME=VALUE,...", "write this pose: into a copy of IN itself where OUT has its format (not BVH)"},
    {"animation", 0, "NAME", "which animation of a glTF file is its motion: a name or a number (default: the first)"},
    {"anatomical", 0, NULL, "give a glTF character whose bones are recognised by name a human's limits"},
    CLI_FORCE_OPTION,
    {NULL, 0, NULL, NULL},
};

typedef struct target {
    const char *path;
    lb_format format;
    const double *pose;
    int has_pose; /* it is not the rest pose */
} target;

/* A glTF character into a copy of its own file; others into new files. */
static lb_status write_target(const cli_source *source, lb_format from, const lb_figure *figure, const lb_clip *clip,
                              const target *to, const lb_save_options *save_options, lb_error *error) {
    int has_motion = to->format == LB_FORMAT_BVH || to->format == LB_FORMAT_GLTF;
    if (to->has_pose && strcmp(source->found, "-") != 0) {
        return lb_figure_save_pose(source->found, figure, to->pose, to->path, save_options, error);
    }
    if (from == LB_FORMAT_GLTF && to->format == LB_FORMAT_GLTF && strcmp(source->found, "-") != 0) {
        return lb_gltf_save_pose(source->found, figure, to->pose, to->path, save_options, error);
    }
    if (clip && !has_motion) {
        cli_note("the motion is left out: %s files have none", lb_format_name(to->format));
    }
    return clip && has_motion ? lb_clip_save(clip, to->path, save_options, error)
                              : lb_figure_save(figure, to->path, save_options, error);
}

static int save(const cli_source *source, const lb_figure *figure, const lb_clip *clip, const target *to) {
    lb_save_options save_options;
    lb_error error;
    cli_warnings warnings = {.is_loud = 1};
    lb_format from = source->format ? source->format : lb_format_from_path(source->found);
    lb_save_options_defaults(&save_options);
    save_options.format = to->format;
    save_options.pose = to->has_pose ? to->pose : NULL;
    save_options.bvh_unit = source->unit > 0 ? source->unit : save_options.bvh_unit;
    save_options.warn = cli_warn, save_options.warn_context = &warnings;
    lb_status status = write_target(source, from, figure, clip, to, &save_options, &error);
    cli_warnings_free(&warnings);
    return cli_written(status, &error);
}

/* The pose of the command line, else the rest pose. */
static int choose_pose(const cli_command *command, const cli_arguments *arguments, const lb_figure *figure,
                       double **pose) {
    const char *text = cli_value(command, arguments, "pose");
    return cli_read_pose(figure, text ? text : "", pose);
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    cli_source source;
    cli_warnings warnings = {.is_loud = 1};
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    double *pose = NULL;
    target wanted = {arguments->operands[1], LB_FORMAT_UNKNOWN, NULL, cli_has(command, arguments, "pose")};
    const char *to = cli_value(command, arguments, "to");
    int code = cli_read_source(command, arguments, "from", &source);
    code = code || !to ? code : cli_read_format(command, "to", to, &wanted.format);
    if (code) {
        return code;
    }
    if (wanted.format == LB_FORMAT_MJCF) {
        return cli_usage(command, "MJCF is read but not written; write .fig, .urdf, .bvh or .glb");
    }
    cli_output out = {wanted.path, CLI_KIND_FIGURE};
    if (!wanted.format) {
        code = cli_read_output(command, "OUT", wanted.path, CLI_KIND_FIGURE, CLI_KIND_FIG, &out);
        wanted.format = out.kind == CLI_KIND_FIG ? LB_FORMAT_FIG : lb_format_from_path(wanted.path);
    }
    code = code ? code : cli_load(&source, &warnings, &figure, wanted.has_pose ? NULL : &clip);
    code = code ? code : cli_check_output(out.path);
    code = code ? code : choose_pose(command, arguments, figure, &pose);
    wanted.pose = pose;
    code = code ? code : save(&source, figure, clip, &wanted);
    cli_warnings_free(&warnings);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    free(pose);
    return code;
}

const cli_command cli_convert = {
    .name = "convert",
    .synopsis = "IN OUT",
    .summary = "write a figure in another format",
    .text = "Reads fig, URDF, MJCF, BVH and glTF (.glb, .gltf, .vrm); writes fig, URDF, BVH\n"
            "and glTF. What the new format cannot say is left out, and said so on standard\n"
            "error. From glTF to glTF, the file is copied as it is, but for the pose; with\n"
            "--pose so are fig and URDF. IN itself is written over with --force alone.\n\n"
            "  limber convert robot.urdf robot.fig\n"
            "  limber convert models/human.fig human.glb\n"
            "  limber convert character.glb posed.glb --pose Head.vz=30deg\n"
            "  limber convert models/human.fig child.fig --stature 1.1m\n"
            "  limber convert - - --from urdf --to fig <robot.urdf",
    .options = options,
    .least_operands = 2,
    .most_operands = 2,
    .run = run,
};
