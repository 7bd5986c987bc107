/* The folder of a job: see folder.h. */
#include "jobs/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "limber job 1\n"
#define NOTE_MOST 65536 /* bytes of the file `job` */
#define CHUNKS_MOST ((int64_t)1 << 32)

static lb_status no_memory(lb_error *error) { return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory"); }

lb_status lbj_folder_name(const lbj_job *job, lbj_folder *folder, lb_error *error) {
    *folder = (lbj_folder){.lock = -1, .identity = job->identity, .chunk_count = job->chunk_count};
    lbio_text_add(&folder->output, job->output);
    lbio_text_format(&folder->path, "%s.part", job->output);
    lbio_text_format(&folder->merged, "%s/output", folder->path.failed ? "" : folder->path.data);
    return folder->output.failed || folder->path.failed || folder->merged.failed ? no_memory(error) : LB_OK;
}

void lbj_folder_close(lbj_folder *folder) {
    for (int k = 0; k < folder->shard_count; k++) {
        free(folder->shards[k]);
    }
    free(folder->shards);
    free(folder->places);
    if (folder->lock >= 0) {
        close(folder->lock);
    }
    lbio_text_free(&folder->path);
    lbio_text_free(&folder->output);
    lbio_text_free(&folder->merged);
    *folder = (lbj_folder){.lock = -1};
}

char *lbj_folder_shard_path(const lbj_folder *folder, int run, int rank) {
    lbio_text text = {0};
    lbio_text_format(&text, "%s/%04d-%05d.shard", folder->path.data, run, rank);
    if (text.failed) {
        lbio_text_free(&text);
        return NULL;
    }
    return text.data;
}

int lbj_folder_add_shard(lbj_folder *folder, char *path) {
    char **shards = path ? realloc(folder->shards, ((size_t)folder->shard_count + 1) * sizeof *shards) : NULL;
    if (!shards) {
        free(path);
        return -1;
    }
    folder->shards = shards;
    shards[folder->shard_count] = path;
    return folder->shard_count++;
}

/* --- What is in a folder ---------------------------------------------------------------------------------------- */

/* The run that a shard's name tells; 0: it is no shard's name. */
static int run_of(const char *name) {
    int run = 0, rank = 0, length = 0;
    if (sscanf(name, "%d-%d.shard%n", &run, &rank, &length) == 2 && length > 0 && !name[length] && run > 0) {
        return run;
    }
    return 0;
}

static int is_own_name(const char *name) {
    return strcmp(name, "job") == 0 || strcmp(name, "job.new") == 0 || strcmp(name, "lock") == 0 ||
           strcmp(name, "output") == 0 || run_of(name) > 0;
}

static int compare_names(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in the folder, sorted, each and as a whole to be freed; -1 with errno where it cannot be listed. */
static int list_names(const char *path, char ***names) {
    int count = 0;
    *names = NULL;
    DIR *listing = opendir(path);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        char **more = realloc(*names, ((size_t)count + 1) * sizeof *more), *name = strdup(entry->d_name);
        *names = more ? more : *names;
        if (!more || !name) {
            free(name);
            closedir(listing);
            errno = ENOMEM;
            return -1;
        }
        more[count++] = name;
    }
    if (!listing) {
        return -1;
    }
    closedir(listing);
    if (count > 0) {
        qsort(*names, (size_t)count, sizeof **names, compare_names);
    }
    return count;
}

static void free_names(char **names, int count) {
    for (int k = 0; k < count; k++) {
        free(names[k]);
    }
    free(names);
}

/* Removes a job's files from the folder; the lock stays until the folder goes. */
static lb_status remove_files(const lbj_folder *folder, int with_lock, lb_error *error) {
    char **names;
    lb_status status = LB_OK;
    int count = list_names(folder->path.data, &names);
    for (int k = 0; k < count && !status; k++) {
        lbio_text path = {0};
        lbio_text_format(&path, "%s/%s", folder->path.data, names[k]);
        if (path.failed) {
            status = no_memory(error);
        } else if (is_own_name(names[k]) && (with_lock || strcmp(names[k], "lock") != 0) && unlink(path.data) &&
                   errno != ENOENT) {
            status = lbio_error(error, LB_ERROR_FILE, path.data, 0, "cannot be removed: %s", strerror(errno));
        }
        lbio_text_free(&path);
    }
    free_names(names, count);
    return count < 0 ? lbio_error(error, LB_ERROR_FILE, folder->path.data, 0, "cannot be read: %s", strerror(errno))
                     : status;
}

lb_status lbj_folder_remove(lbj_folder *folder, lb_error *error) {
    lb_status status = remove_files(folder, 1, error);
    if (!status && rmdir(folder->path.data)) {
        status = lbio_error(error, LB_ERROR_FILE, folder->path.data, 0, "cannot be removed: %s", strerror(errno));
    }
    return status;
}

/* --- The file `job` ------------------------------------------------------------------------------------------- */

/* What the file `job` of a folder says. */
typedef struct note {
    int is_there; /* 0: there is none, and nothing else that is not a job's */
    uint64_t identity;
    int64_t chunk_count;
    char description[200];
} note;

/* A description as one line without control characters. */
static void tidy(const char *description, char line[200]) {
    snprintf(line, 200, "%s", description ? description : "a job");
    for (char *at = line; *at; at++) {
        *at = (unsigned char)*at < 0x20 || *at == 0x7F ? ' ' : *at;
    }
}

static lb_status write_note(const lbj_folder *folder, const lbj_job *job, lb_error *error) {
    char line[200];
    lbio_text path = {0}, beside = {0}, text = {0};
    tidy(job->description, line);
    lbio_text_format(&path, "%s/job", folder->path.data);
    lbio_text_format(&beside, "%s/job.new", folder->path.data);
    lbio_text_format(&text, FIRST_LINE "identity %016" PRIx64 "\nchunks %" PRId64 "\n%s\n", job->identity,
                     job->chunk_count, line);
    lb_status status = path.failed || beside.failed || text.failed ? no_memory(error) : LB_OK;
    FILE *file = status ? NULL : fopen(beside.data, "wb");
    if (!status) {
        int failed = !file || fwrite(text.data, 1, text.size, file) != text.size;
        failed = failed || fflush(file) || (fsync(fileno(file)) && errno != EINVAL);
        int why = errno;
        if (file && fclose(file)) {
            failed = 1, why = errno;
        }
        if (failed || rename(beside.data, path.data)) {
            status =
                lbio_error(error, LB_ERROR_FILE, path.data, 0, "cannot be written: %s", strerror(failed ? why : errno));
        }
    }
    lbio_text_free(&path);
    lbio_text_free(&beside);
    lbio_text_free(&text);
    return status;
}

/* Whether all in a folder is a job's. */
static lb_status refuse_foreign(const lbj_folder *folder, lb_error *error) {
    char **names;
    lb_status status = LB_OK;
    int count = list_names(folder->path.data, &names);
    if (count < 0) {
        return lbio_error(error, LB_ERROR_FILE, folder->path.data, 0, "cannot be read: %s", strerror(errno));
    }
    for (int k = 0; k < count && !status; k++) {
        if (!is_own_name(names[k])) {
            status =
                lbio_error(error, LB_ERROR_FILE, folder->path.data, 0,
                           "is no folder of an interrupted run: it holds `%.60s`; choose another output", names[k]);
        }
    }
    free_names(names, count);
    return status;
}

static lb_status read_note(const lbj_folder *folder, note *said, lb_error *error) {
    char *data = NULL;
    size_t size = 0;
    lbio_text path = {0};
    *said = (note){0};
    lbio_text_format(&path, "%s/job", folder->path.data);
    lb_status status = path.failed ? no_memory(error) : LB_OK;
    if (!status && !lbio_is_file(path.data)) {
        lbio_text_free(&path);
        return refuse_foreign(folder, error);
    }
    status = status ? status : lbio_read_reference(path.data, NOTE_MOST, &data, &size, error);
    if (!status) {
        said->is_there = 1;
        if (strncmp(data, FIRST_LINE, strlen(FIRST_LINE)) != 0 ||
            sscanf(data + strlen(FIRST_LINE), "identity %" SCNx64 "\nchunks %" SCNd64 "\n%199[^\n]", &said->identity,
                   &said->chunk_count, said->description) != 3) {
            status = lbio_error(error, LB_ERROR_SYNTAX, path.data, 0,
                                "is not a file of this version; remove the folder, or choose another output");
        }
    }
    free(data);
    lbio_text_free(&path);
    return status;
}

/* --- Opening ---------------------------------------------------------------------------------------------------- */

/* Whether the output is in the way; `note` is of the folder that is there, if one is. */
static lb_status refuse_output(const lbj_job *job, const note *said, lb_error *error) {
    struct stat information;
    if (lstat(job->output, &information)) {
        return LB_OK;
    }
    if (S_ISDIR(information.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, job->output, 0, "is a folder; name a file inside it");
    }
    if (!S_ISREG(information.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, job->output, 0, "is no plain file; name a file");
    }
    if (!job->is_forced && !(job->is_resumed && said->is_there && said->identity == job->identity)) {
        return lbio_error(error, LB_ERROR_FILE, job->output, 0, "is there already; --force replaces it");
    }
    return LB_OK;
}

/* Whether a folder that is there may be used: with --resume the same job's, with --force any job's. */
static lb_status refuse_folder(const lbj_job *job, const lbj_folder *folder, const note *said, lb_error *error) {
    char line[200];
    if (!said->is_there) {
        return LB_OK; /* a run that was killed before it began */
    }
    if (!job->is_resumed && !job->is_forced) {
        return lbio_error(error, LB_ERROR_FILE, folder->path.data, 0,
                          "is there: a run was interrupted; --resume goes on with it, --force begins anew");
    }
    if (!job->is_resumed || (said->identity == job->identity && said->chunk_count == job->chunk_count)) {
        return LB_OK;
    }
    tidy(job->description, line);
    return strcmp(line, said->description) != 0
               ? lbio_error(error, LB_ERROR_ARGUMENT, folder->path.data, 0,
                            "belongs to another job (%s), not to this one (%s); --force without --resume begins anew",
                            said->description, line)
               : lbio_error(error, LB_ERROR_ARGUMENT, folder->path.data, 0,
                            "belongs to another job: the files, an option or the version changed since it began; "
                            "--force without --resume begins anew");
}

static lb_status lock_folder(lbj_folder *folder, lb_error *error) {
    lbio_text path = {0};
    lbio_text_format(&path, "%s/lock", folder->path.data);
    lb_status status = path.failed ? no_memory(error) : LB_OK;
    if (!status) {
        folder->lock = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (folder->lock < 0) {
            status = lbio_error(error, LB_ERROR_FILE, path.data, 0, "cannot be written: %s", strerror(errno));
        } else if (flock(folder->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            status = lbio_error(error, LB_ERROR_FILE, folder->path.data, 0,
                                "another run works on it now; wait for it, or stop it first");
        } /* file systems without locks: two runs at once would both be right, and only waste time */
    }
    lbio_text_free(&path);
    return status;
}

/* Finds the records of earlier runs, and the number of the next run. */
static lb_status scan_shards(lbj_folder *folder, lb_error *error) {
    char **names;
    lb_status status = LB_OK;
    int count = list_names(folder->path.data, &names);
    if (count < 0) {
        return lbio_error(error, LB_ERROR_FILE, folder->path.data, 0, "cannot be read: %s", strerror(errno));
    }
    for (int k = 0; k < count && !status; k++) {
        int run = run_of(names[k]);
        if (run == 0) {
            continue;
        }
        folder->run = run > folder->run ? run : folder->run;
        lbio_text path = {0};
        lbio_text_format(&path, "%s/%s", folder->path.data, names[k]);
        int number = path.failed ? -1 : lbj_folder_add_shard(folder, path.data);
        lbj_scan scan = {folder->identity, folder->chunk_count, number, folder->places, 0, 0};
        status = number < 0 ? no_memory(error) : lbj_shard_scan(folder->shards[number], &scan, error);
        folder->found += scan.found;
        folder->damaged += scan.damaged;
    }
    free_names(names, count);
    folder->run++;
    return status;
}

static lb_status make_folder(const lbj_folder *folder, lb_error *error) {
    struct stat information;
    if (mkdir(folder->path.data, 0777) == 0) {
        return LB_OK;
    }
    int why = errno;
    if (why != EEXIST) {
        return lbio_error(error, LB_ERROR_FILE, folder->path.data, 0, "cannot be made: %s", strerror(why));
    }
    if (lstat(folder->path.data, &information) || !S_ISDIR(information.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, folder->path.data, 0,
                          "is in the way: a folder of this name is needed; choose another output");
    }
    return LB_OK;
}

lb_status lbj_check_output(const lbj_job *job, lb_error *error) {
    lbj_folder folder;
    note said = {0};
    struct stat information;
    lb_status status = lbj_folder_name(job, &folder, error);
    if (!status && stat(folder.path.data, &information) == 0 && S_ISDIR(information.st_mode)) {
        status = read_note(&folder, &said, error);
    }
    if (!status && said.is_there && !job->is_resumed) { /* identities are not known yet, perhaps */
        status = refuse_folder(job, &folder, &said, error);
    }
    if (!status && !said.is_there) {
        status = refuse_output(job, &said, error);
    }
    lbj_folder_close(&folder);
    return status;
}

/* Room for the places, which are nowhere yet. */
static lb_status make_places(lbj_folder *folder, lb_error *error) {
    if (folder->chunk_count < 0 || folder->chunk_count > CHUNKS_MOST) {
        return lbio_error(error, LB_ERROR_TOO_LARGE, folder->output.data, 0, "a job of more than %lld chunks",
                          (long long)CHUNKS_MOST);
    }
    folder->places = malloc(((size_t)folder->chunk_count + 1) * sizeof *folder->places);
    for (int64_t k = 0; folder->places && k < folder->chunk_count; k++) {
        folder->places[k] = (lbj_place){-1, 0, 0};
    }
    return folder->places ? LB_OK : no_memory(error);
}

lb_status lbj_folder_open(const lbj_job *job, lbj_folder *folder, lb_error *error) {
    note said = {0};
    struct stat information;
    lb_status status = lbj_folder_name(job, folder, error);
    status = status ? status : make_places(folder, error);
    if (!status && stat(folder->path.data, &information) == 0 && S_ISDIR(information.st_mode)) {
        status = read_note(folder, &said, error);
    }
    status = status ? status : refuse_folder(job, folder, &said, error);
    status = status ? status : refuse_output(job, &said, error);
    status = status ? status : make_folder(folder, error);
    status = status ? status : lock_folder(folder, error);
    if (!status && said.is_there && !job->is_resumed) {
        status = remove_files(folder, 0, error);
        said.is_there = 0;
    }
    status = status ? status : said.is_there ? LB_OK : write_note(folder, job, error);
    return status ? status : scan_shards(folder, error);
}
