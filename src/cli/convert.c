/* limber convert: a figure, with its motion, from one format to another. */
#include "cli/cli.h"
#include <string.h>

static const cli_option options[] = {
    {"from", 'f', "FORMAT", "read IN as fig, urdf, mjcf or bvh, whatever its name"},
    {"to", 't', "FORMAT", "write OUT as fig, urdf or bvh, whatever its name"},
    {"stature", 's', "LENGTH", "scale a figure that has a stature to this one, as in 1.55m"},
    {"unit", 'u', "LENGTH", "what one length unit of a BVH file is, read or written (default: 1cm)"},
    {NULL, 0, NULL, NULL},
};

static int save(const lb_figure *figure, const lb_clip *clip, const char *path, lb_format format, double bvh_unit) {
    lb_save_options save_options;
    lb_error error;
    cli_warnings warnings = {.is_loud = 1};
    lb_save_options_defaults(&save_options);
    save_options.format = format;
    save_options.bvh_unit = bvh_unit > 0 ? bvh_unit : save_options.bvh_unit;
    save_options.warn = cli_warn, save_options.warn_context = &warnings;
    int keeps_motion = clip && format == LB_FORMAT_BVH;
    if (clip && !keeps_motion) {
        cli_note("the motion is left out: %s files have none", lb_format_name(format));
    }
    lb_status status = keeps_motion ? lb_clip_save(clip, path, &save_options, &error)
                                    : lb_figure_save(figure, path, &save_options, &error);
    cli_warnings_free(&warnings);
    return status ? cli_report(status == LB_ERROR_FILE ? CLI_CANNOT_WRITE : CLI_BAD_INPUT, &error) : CLI_OK;
}

static int run(const cli_command *command, const cli_arguments *arguments) {
    cli_source source;
    cli_warnings warnings = {.is_loud = 1};
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    lb_format format = LB_FORMAT_UNKNOWN;
    const char *to = cli_value(command, arguments, "to"), *unit = cli_value(command, arguments, "unit");
    const char *out = arguments->operands[1];
    int code = cli_read_source(command, arguments, "from", &source);
    code = code || !to ? code : cli_read_format(command, "to", to, &format);
    if (code) {
        return code;
    }
    if (unit && (cli_read_length(unit, &source.bvh_unit) || !(source.bvh_unit > 0))) {
        return cli_usage(command, "`--unit %s` is no length; write it as 1cm or 1in", unit);
    }
    format = format ? format : strcmp(out, "-") == 0 ? LB_FORMAT_FIG : lb_format_from_path(out);
    if (format == LB_FORMAT_MJCF) {
        return cli_usage(command, "MJCF is read but not written; write .fig, .urdf or .bvh");
    }
    if (format == LB_FORMAT_UNKNOWN) {
        return cli_usage(command, "`%s` does not tell the format; end it in .fig, .urdf or .bvh, or use --to", out);
    }
    code = cli_load(&source, &warnings, &figure, &clip);
    code = code ? code : save(figure, clip, out, format, source.bvh_unit);
    cli_warnings_free(&warnings);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    return code;
}

const cli_command cli_convert = {
    .name = "convert",
    .synopsis = "IN OUT",
    .summary = "write a figure in another format",
    .text = "Reads fig, URDF, MJCF and BVH; writes fig, URDF and BVH. What the new format\n"
            "cannot say is left out, and said so on standard error.\n\n"
            "  limber convert robot.urdf robot.fig\n"
            "  limber convert models/human.fig child.fig --stature 1.1m\n"
            "  limber convert - - --from urdf --to fig <robot.urdf",
    .options = options,
    .least_operands = 2,
    .most_operands = 2,
    .run = run,
};
