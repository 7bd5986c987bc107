/* What is written is valid: the Khronos validator (npm gltf-validator, which ./dev test installs into build/npm) finds no
 * error in figures written as GLB, and none in characters written back that they had not before. */
#include <limber/io.h>

#include "check.h"
#include "scene.h"
#include <string.h>
#include <unistd.h>

#define MAX_FILES 128

/* Files to be looked at, all by one run of the validator. */
static struct {
    char path[600];
    int before; /* the file it was made from; -1: none, so it must be without error */
    int errors;
} files[MAX_FILES];
static int file_count;

static int add_file(const char *path, int before) {
    REQUIRE(file_count < MAX_FILES);
    snprintf(files[file_count].path, sizeof files[0].path, "%s", path);
    files[file_count].before = before;
    files[file_count].errors = -1;
    return file_count++;
}

/* The path of a file to be written, under a name of its own. */
static const char *new_file(const char *ending, int before) {
    char name[32], path[600];
    snprintf(name, sizeof name, "%d%s", file_count, ending);
    check_scratch(name, path, sizeof path);
    return files[add_file(path, before)].path;
}

static void validate(const char *script, const char *modules) {
    char out[600], line[1024];
    size_t size = 4096;
    for (int i = 0; i < file_count; i++) {
        size += strlen(files[i].path) + 4;
    }
    char *command = malloc(size);
    check_scratch("report.txt", out, sizeof out);
    int used = snprintf(command, size, "node '%s' '%s'", script, modules);
    for (int i = 0; i < file_count; i++) {
        used += snprintf(command + used, size - (size_t)used, " '%s'", files[i].path);
    }
    snprintf(command + used, size - (size_t)used, " >'%s' 2>&1", out);
    CHECK_INT(system(command), 0);
    FILE *report = fopen(out, "r");
    int at = 0;
    while (report && fgets(line, sizeof line, report)) {
        const char *checked = strstr(line, " checked ");
        if (checked && at < file_count) {
            files[at++].errors = atoi(checked + 9);
        }
    }
    if (report) {
        fclose(report);
    }
    free(command);
}

/* A clip in which every variable swings, and the pose half-way. */
static lb_clip *wave(const lb_figure *figure) {
    lb_clip *clip = lb_clip_create(figure, 12, 1.0 / 30, NULL);
    for (int f = 0; clip && f < 12; f++) {
        for (int i = 0; i < lb_figure_variable_count(figure); i++) {
            lb_clip_pose(clip, f)[i] += 0.02 * f * (i % 2 ? 1 : -1);
        }
    }
    return clip;
}

static void copy_beside(const char *path) {
    char from[600], to[600];
    const char *slash = strrchr(path, '/');
    size_t size = 0;
    snprintf(from, sizeof from, "%.*s.bin", (int)(strrchr(path, '.') - path), path);
    char *data = check_read_file(from, &size);
    snprintf(to, sizeof to, "%.*s.bin", (int)(strrchr(slash, '.') - slash - 1), slash + 1);
    check_scratch(to, from, sizeof from);
    FILE *file = data ? fopen(from, "wb") : NULL;
    if (file) {
        fwrite(data, 1, size, file);
        fclose(file);
    }
    free(data);
}

static void write_character(const char *path) {
    lb_figure *figure = NULL;
    lb_error error;
    const char *ending = strcmp(strrchr(path, '.'), ".gltf") == 0 ? ".gltf" : ".glb";
    check_note("%s", path);
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    lb_clip *clip = wave(figure);
    REQUIRE(clip);
    copy_beside(path);
    int before = add_file(path, -1);
    files[before].before = before;
    CHECK_INT(lb_gltf_save_pose(path, figure, lb_clip_const_pose(clip, 6), new_file(ending, before), NULL, &error),
              LB_OK);
    CHECK_INT(lb_gltf_save_animation(path, clip, NULL, new_file(ending, before), NULL, &error), LB_OK);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

static void write_model(const char *name) {
    char path[512];
    lb_figure *figure = NULL;
    check_note("%s", name);
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    lb_clip *clip = wave(figure);
    CHECK_INT(lb_figure_save(figure, new_file(".glb", -1), NULL, NULL), LB_OK);
    CHECK_INT(lb_figure_save(figure, new_file(".gltf", -1), NULL, NULL), LB_OK);
    CHECK_INT(lb_clip_save(clip, new_file(".glb", -1), NULL, NULL), LB_OK);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

int main(void) {
    char path[600], modules[512], script[512];
    check_source("build/npm/node_modules", modules, sizeof modules);
    REQUIRE(check_source("tests/gltf/validate.js", script, sizeof script));
    snprintf(path, sizeof path, "%s/gltf-validator/package.json", modules);
    if (access(path, R_OK) != 0 || system("node --version >/dev/null 2>&1") != 0) {
        SKIP("node or npm's gltf-validator is not there: ./dev test installs it where there is a network");
    }
    write_model("models/human.fig");
    write_model("models/stewart.fig");
    write_model("models/puma560.fig");
    write_model("models/chain10.fig");
    for (int i = 0; scene_files[i]; i++) {
        if (check_shared(scene_files[i], path, sizeof path)) {
            write_character(path);
        }
    }
    check_note("%s", "");
    validate(script, modules);
    for (int i = 0; i < file_count; i++) {
        int before = files[i].before;
        check_note("%s%s%s", files[i].path, before >= 0 ? ", from " : "", before >= 0 ? files[before].path : "");
        CHECK(files[i].errors >= 0);
        CHECK_INT(files[i].errors, before >= 0 ? files[before].errors : 0);
    }
    return check_done();
}
