/*
 * Runs files, and all files of folders, through a fuzz target: what the fuzzer once found stays mended. Each file is also
 * tried cut off at sixteen places, as a broken download would be.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int inputs;

/* The target sees a block of exactly its size, so that a sanitizer notices one byte too many. */
static void run(const uint8_t *data, size_t size) {
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    if (size) {
        memcpy(exact, data, size);
    }
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
}

static void run_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    printf("%s\n", path);
    fflush(stdout);
    run(data, size);
    for (size_t part = 0; part < 16; part++) {
        run(data, size * part / 16);
    }
    free(data);
}

static void run_path(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "%s: not there\n", path);
        exit(1);
    }
    if (!S_ISDIR(info.st_mode)) {
        run_file(path, (size_t)info.st_size);
        return;
    }
    DIR *folder = opendir(path);
    if (!folder) {
        fprintf(stderr, "%s: cannot be opened\n", path);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') {
            char inner[4096];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            run_path(inner);
        }
    }
    closedir(folder);
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        run_path(arguments[i]);
    }
    if (!inputs) {
        fprintf(stderr, "no input: give files or folders\n");
        return 1;
    }
    printf("%d inputs, no crash\n", inputs);
    return 0;
}
