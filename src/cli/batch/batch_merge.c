/* limber batch merge: the shares of a batch put together, with the bytes that one run would have written. */
#include "cli/batch/batch.h"
#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the first lines of a share say. */
typedef struct share {
    const char *path;
    int number, count;
    unsigned long long identity;
    long long chunk, rows; /* of a chunk, and of the share */
    long body;             /* offset of the first row */
} share;

static int compare_shares(const void *a, const void *b) {
    return ((const share *)a)->number - ((const share *)b)->number;
}

static int not_a_share(const char *path) {
    return cli_fail(CLI_BAD_INPUT, "%s: is no share of a batch: those are written with --share", path);
}

/* A line with its end into text; 0 where there is none. */
static int read_line(FILE *file, lbio_text *text) {
    int c;
    text->size = 0;
    while ((c = getc(file)) != EOF) {
        char byte = (char)c;
        lbio_text_bytes(text, &byte, 1);
        if (c == '\n') {
            return !text->failed;
        }
        if (text->size > BATCH_LINE_MOST) {
            return 0;
        }
    }
    return 0;
}

/* Reads what a share is, and checks that its header is that of the others. */
static int open_share(const char *path, share *s, lbio_text *header) {
    FILE *file = fopen(path, "rb");
    lbio_text line = {0};
    int end = 0, code = CLI_OK;
    s->path = path;
    if (!file) {
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    }
    if (!read_line(file, &line) ||
        sscanf(line.data, "# limber batch share %d/%d of job %llx in chunks of %lld with %lld rows\n%n", &s->number,
               &s->count, &s->identity, &s->chunk, &s->rows, &end) != 5 ||
        end == 0 || s->number < 1 || s->number > s->count || s->rows < 0) {
        code = not_a_share(path);
    }
    if (!code && !read_line(file, &line)) {
        code = cli_fail(CLI_BAD_INPUT, "%s: is cut off: it has no columns", path);
    }
    if (!code && header->size == 0) {
        lbio_text_bytes(header, line.data, line.size);
    } else if (!code && (header->size != line.size || memcmp(header->data, line.data, line.size) != 0)) {
        code = cli_fail(CLI_BAD_INPUT, "%s: has other columns than the other shares", path);
    }
    s->body = ftell(file);
    fclose(file);
    lbio_text_free(&line);
    return code;
}

/* All shares of one job, each once. */
static int check_shares(const share *shares, int count) {
    for (int k = 0; k < count; k++) {
        if (shares[k].identity != shares[0].identity || shares[k].count != shares[0].count ||
            shares[k].chunk != shares[0].chunk) {
            return cli_fail(CLI_BAD_INPUT, "%s: is a share of another job than %s", shares[k].path, shares[0].path);
        }
        if (k > 0 && shares[k].number == shares[k - 1].number) {
            return cli_fail(CLI_BAD_INPUT, "%s: is the same share as %s", shares[k].path, shares[k - 1].path);
        }
    }
    for (int k = 0; k < shares[0].count; k++) {
        if (k >= count || shares[k].number != k + 1) {
            return cli_fail(CLI_BAD_INPUT, "share %d of %d is missing", k + 1, shares[0].count);
        }
    }
    return CLI_OK;
}

/* Copies the rows of a share, and counts them. */
static int copy_rows(const share *s, FILE *out, const char *output) {
    char buffer[65536], last = '\n';
    long long rows = 0;
    FILE *file = fopen(s->path, "rb");
    int code = CLI_OK;
    if (!file || fseek(file, s->body, SEEK_SET)) {
        code = cli_fail(CLI_BAD_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
    }
    for (size_t got; !code && (got = fread(buffer, 1, sizeof buffer, file)) > 0;) {
        for (size_t k = 0; k < got; k++) {
            rows += buffer[k] == '\n';
        }
        last = buffer[got - 1];
        if (fwrite(buffer, 1, got, out) != got) {
            code = cli_fail(CLI_CANNOT_WRITE, "%s: cannot be written: %s", output, strerror(errno));
        }
    }
    if (!code && (ferror(file) || rows != s->rows || last != '\n')) {
        code = cli_fail(CLI_BAD_INPUT, "%s: is cut off or changed: it has %lld rows of %lld", s->path, rows, s->rows);
    }
    if (file) {
        fclose(file);
    }
    return code;
}

static int write_csv(const share *shares, int count, const lbio_text *header, const char *beside, const char *output) {
    FILE *out = fopen(beside, "wb");
    int code = out && fwrite(header->data, 1, header->size, out) == header->size
                   ? CLI_OK
                   : cli_fail(CLI_CANNOT_WRITE, "%s: cannot be written: %s", output, strerror(errno));
    for (int k = 0; k < count && !code; k++) {
        code = copy_rows(&shares[k], out, output);
    }
    if (out && (fflush(out) || (fsync(fileno(out)) && errno != EINVAL)) && !code) {
        code = cli_fail(CLI_CANNOT_WRITE, "%s: cannot be written: %s", output, strerror(errno));
    }
    if (out && fclose(out) && !code) {
        code = cli_fail(CLI_CANNOT_WRITE, "%s: cannot be written: %s", output, strerror(errno));
    }
    return code;
}

static int merge_csv(const cli_arguments *arguments, const char *beside, const char *output) {
    int count = arguments->operand_count - 1, code = CLI_OK;
    share *shares = calloc((size_t)count, sizeof *shares);
    lbio_text header = {0};
    if (!shares) {
        return cli_fail(CLI_BAD_INPUT, "out of memory");
    }
    for (int k = 0; k < count && !code; k++) {
        code = open_share(arguments->operands[k + 1], &shares[k], &header);
    }
    if (!code) {
        qsort(shares, (size_t)count, sizeof *shares, compare_shares);
        code = check_shares(shares, count);
    }
    code = code ? code : write_csv(shares, count, &header, beside, output);
    lbio_text_free(&header);
    free(shares);
    return code;
}

int batch_merge(const cli_command *command, const cli_arguments *arguments) {
    const char *output = cli_value(command, arguments, "output");
    lbio_text beside = {0};
    if (!output || arguments->operand_count < 2) {
        return cli_usage(command, "merge needs `-o OUT` and the shares");
    }
    cli_output to;
    if (cli_read_output(command, "-o", output, CLI_KIND_CSV | CLI_KIND_HDF5, CLI_KIND_NONE, &to)) {
        return CLI_BAD_USAGE;
    }
    const int is_csv = to.kind == CLI_KIND_CSV;
    if (access(output, F_OK) == 0 && !cli_has(command, arguments, "force")) {
        return cli_fail(CLI_CANNOT_WRITE, "%s: is there already; --force replaces it", output);
    }
    lbio_text_format(&beside, "%s.%ld.tmp", output, (long)getpid());
    int code = beside.failed ? cli_fail(CLI_BAD_INPUT, "out of memory")
               : is_csv      ? merge_csv(arguments, beside.data, output)
                             : batch_hdf5_merge(arguments, beside.data, output);
    if (!code && rename(beside.data, output)) {
        code = cli_fail(CLI_CANNOT_WRITE, "%s: cannot be written: %s", output, strerror(errno));
    }
    if (code && !beside.failed) {
        unlink(beside.data);
    }
    if (!code && !cli_has(command, arguments, "quiet")) {
        printf("%d shares are in %s.\n", arguments->operand_count - 1, output);
    }
    lbio_text_free(&beside);
    return code;
}
