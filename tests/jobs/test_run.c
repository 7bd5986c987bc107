/* Jobs: the same bytes for any number of threads, after any interruption, and whatever happened to the shards. */
#include "check.h"
#include "jobs/jobs.h"
#include "jobs/shard.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHUNKS 400

typedef struct task {
    int64_t fails_at; /* chunk that cannot be computed; -1: none */
    int pause_us;     /* before each chunk */
    int without_workers;
} task;

static void *create(void *context, lb_error *error) {
    task *t = context;
    if (t->without_workers) {
        lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no worker today");
        return NULL;
    }
    return malloc(1);
}

static void destroy(void *context, void *worker) {
    (void)context;
    free(worker);
}

static void pause_for(int microseconds) {
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}

/* A record of some bytes that depend on the chunk alone; chunk 7 has none. */
static lb_status compute(void *context, void *worker, int64_t chunk, lbio_text *record, lb_error *error) {
    const task *t = context;
    check_random random;
    (void)worker;
    if (chunk == t->fails_at) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "table.csv", 3, "chunk %d is ill", (int)chunk);
    }
    if (t->pause_us > 0) {
        pause_for(t->pause_us);
    }
    check_random_seed(&random, (unsigned long long)chunk);
    for (int k = 0, n = chunk == 7 ? 0 : check_random_index(&random, 300); k < n; k++) {
        lbio_text_format(record, "%lld:%llx\n", (long long)chunk, check_random_bits(&random));
    }
    return LB_OK;
}

static lbj_job make_job(const char *output, task *t, int threads) {
    return (lbj_job){.output = output,
                     .description = "numbers of a test",
                     .identity = lbj_hash_text(0, "numbers"),
                     .chunk_count = CHUNKS,
                     .threads = threads,
                     .context = t,
                     .worker_create = create,
                     .worker_destroy = destroy,
                     .run_chunk = compute};
}

/* Writes all records to the output, as a front does. */
static lb_status merge(lbj_results *results, lb_error *error) {
    lbio_text record = {0};
    FILE *file = fopen(lbj_results_path(results), "wb");
    lb_status status = LB_OK;
    for (int64_t k = 0; file && !status && k < CHUNKS; k++) {
        status = lbj_results_read(results, k, &record, error);
        if (!status) {
            fwrite(record.data, 1, record.size, file);
        }
    }
    lbio_text_free(&record);
    CHECK(file && fclose(file) == 0);
    return status ? status : lbj_results_commit(results, error);
}

static lbj_outcome run(const lbj_job *job, lb_error *error) {
    lbj_results *results;
    lbj_outcome outcome = lbj_run(job, &results, error);
    CHECK((outcome == LBJ_DONE) == (results != NULL));
    if (outcome == LBJ_DONE && merge(results, error)) {
        outcome = LBJ_FAILED;
    }
    lbj_results_close(results);
    return outcome;
}

static int exists(const char *path) {
    struct stat information;
    return stat(path, &information) == 0;
}

/* A path of this test, without what an earlier run left there. */
static void fresh(const char *name, char *path, size_t size) {
    char command[1400];
    check_scratch(name, path, size);
    snprintf(command, sizeof command, "rm -rf '%s' '%s.part'", path, path);
    CHECK_INT(system(command), 0);
}

static char *whole;
static size_t whole_size;

static void check_same(const char *path) {
    size_t size = 0;
    char *data = check_read_file(path, &size), folder[1200];
    CHECK(data && size == whole_size && memcmp(data, whole, size) == 0);
    free(data);
    snprintf(folder, sizeof folder, "%s.part", path);
    CHECK(!exists(folder));
}

static void test_threads(void) {
    char path[1000];
    for (int threads = 0; threads < 6; threads++) {
        task t = {.fails_at = -1};
        fresh("threads", path, sizeof path);
        lbj_job job = make_job(path, &t, threads);
        lb_error error = {0};
        CHECK_INT(run(&job, &error), LBJ_DONE);
        if (!whole) {
            whole = check_read_file(path, &whole_size);
            REQUIRE(whole && whole_size > 100000);
        }
        check_same(path);
    }
}

/* --- What is in the way ------------------------------------------------------------------------------------------ */

static void test_refusals(void) {
    char path[1000], folder[1100], other[1200];
    task t = {.fails_at = -1}, ill = {.fails_at = 250};
    lb_error error = {0};
    fresh("refusals", path, sizeof path);
    snprintf(folder, sizeof folder, "%s.part", path);
    lbj_job job = make_job(path, &t, 2);
    CHECK_INT(run(&job, &error), LBJ_DONE);
    CHECK_INT(run(&job, &error), LBJ_FAILED); /* the output is there */
    CHECK_HAS(error.message, "--force");
    CHECK_INT(lbj_check_output(&job, &error), LB_ERROR_FILE);
    job.is_resumed = 1;
    CHECK_INT(run(&job, &error), LBJ_FAILED); /* it may be of another job */
    job.is_resumed = 0, job.is_forced = 1;
    CHECK_INT(lbj_check_output(&job, &error), LB_OK);
    CHECK_INT(run(&job, &error), LBJ_DONE);
    check_same(path);
    /* A chunk that fails leaves the folder, and the old output. */
    job.context = &ill;
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_TEXT(error.message, "chunk 250 is ill");
    CHECK_INT(error.line, 3);
    CHECK(exists(folder) && exists(path));
    job.context = &t, job.is_forced = 0;
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_HAS(error.message, "--resume");
    job.is_resumed = 1, job.identity++, job.description = "other numbers";
    CHECK_INT(run(&job, &error), LBJ_FAILED); /* another job */
    CHECK_HAS(error.message, "(numbers of a test), not to this one (other numbers)");
    job.description = "numbers of a test";
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_HAS(error.message, "changed since it began");
    job.identity--;
    CHECK_INT(run(&job, &error), LBJ_DONE);
    check_same(path);
    /* A folder that no job made is never touched. */
    fresh("refusals", path, sizeof path);
    snprintf(other, sizeof other, "%s/thesis.tex", folder);
    CHECK_INT(mkdir(folder, 0777), 0);
    FILE *file = fopen(other, "w");
    CHECK(file && fclose(file) == 0);
    job.is_forced = 1;
    for (job.is_resumed = 0; job.is_resumed < 2; job.is_resumed++) {
        CHECK_INT(run(&job, &error), LBJ_FAILED);
        CHECK_HAS(error.message, "thesis.tex");
    }
    CHECK(exists(other));
    /* Where nothing can be written, and where no worker can be made, nothing is left. */
    job.output = "/no/such/folder/numbers";
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_HAS(error.message, "cannot be made");
    fresh("refusals", path, sizeof path);
    task without = {.fails_at = -1, .without_workers = 1};
    job = make_job(path, &without, 2);
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_TEXT(error.message, "no worker today");
    CHECK(!exists(folder));
}

/* --- Interrupted runs --------------------------------------------------------------------------------------------- */

/* Starts a run in a process of its own. */
static pid_t start_child(const char *path, int pause_us) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        task t = {.fails_at = -1, .pause_us = pause_us};
        lb_error error = {0};
        lbj_job job = make_job(path, &t, 2);
        job.is_resumed = 1;
        _exit((int)run(&job, &error));
    }
    return child;
}

static void test_kills(void) {
    char path[1000];
    check_random random;
    check_random_seed(&random, 5);
    for (int round = 0; round < check_count(6, 60); round++) {
        task t = {.fails_at = -1};
        lb_error error = {0};
        fresh("kills", path, sizeof path);
        for (int times = check_random_index(&random, 4) + 1; times > 0; times--) {
            int status = 0, had_output = exists(path);
            pid_t child = start_child(path, 200);
            pause_for(check_random_index(&random, 30000));
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            /* One that came to its end in time is done; or was refused, because the output was there before. */
            CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) == LBJ_DONE || had_output);
        }
        lbj_job job = make_job(path, &t, 3);
        job.is_resumed = 1, job.is_forced = 1;
        CHECK_INT(run(&job, &error), LBJ_DONE);
        check_note("%s", error.message);
        check_same(path);
        check_note("%s", "");
    }
}

/* Waits until a file has something in it. */
static void wait_for(const char *path) {
    struct stat information;
    while (stat(path, &information) || information.st_size == 0) {
        pause_for(1000);
    }
}

static void test_interrupt(void) {
    char path[1000], shard[1200];
    task t = {.fails_at = -1};
    int signals[2] = {SIGINT, SIGTERM};
    for (int k = 0; k < 2; k++) {
        lb_error error = {0};
        int status = 0;
        fresh("interrupt", path, sizeof path);
        snprintf(shard, sizeof shard, "%s.part/0001-00000.shard", path);
        pid_t child = start_child(path, 5000);
        wait_for(shard);
        lbj_job job = make_job(path, &t, 1);
        job.is_resumed = 1;
        CHECK_INT(run(&job, &error), LBJ_FAILED); /* one at a time */
        CHECK_HAS(error.message, "another run works on it now");
        kill(child, signals[k]);
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == LBJ_INTERRUPTED);
        CHECK(!exists(path));
        CHECK_INT(run(&job, &error), LBJ_DONE);
        check_same(path);
    }
}

/* --- Damage ------------------------------------------------------------------------------------------------------- */

/* Leaves a folder with all but the last chunk. */
static void leave_folder(const char *path, char *shard, size_t size) {
    task ill = {.fails_at = CHUNKS - 1};
    lb_error error = {0};
    lbj_job job = make_job(path, &ill, 1);
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    snprintf(shard, size, "%s.part/0001-00000.shard", path);
    REQUIRE(exists(shard));
}

static void test_damage(void) {
    char path[1000], shard[1200];
    check_random random;
    check_random_seed(&random, 9);
    for (int round = 0; round < check_count(12, 200); round++) {
        task t = {.fails_at = -1};
        lb_error error = {0};
        size_t size = 0;
        fresh("damage", path, sizeof path);
        leave_folder(path, shard, sizeof shard);
        char *data = check_read_file(shard, &size);
        FILE *file = fopen(shard, "wb");
        REQUIRE(data && file);
        if (round % 3 == 0) { /* cut anywhere */
            size = (size_t)check_random_index(&random, (int)size);
        }
        for (int k = round % 3 == 1 ? 1 : 0; k > 0 && k < 20; k++) { /* some bytes differ */
            data[check_random_index(&random, (int)size)] ^= (char)(1 << check_random_index(&random, 8));
        }
        size_t hole = round % 3 == 2 ? (size_t)check_random_index(&random, (int)size) : size; /* a part is missing */
        fwrite(data, 1, hole, file);
        if (hole < size) {
            size_t from = hole + (size_t)check_random_index(&random, (int)(size - hole));
            fwrite(data + from, 1, size - from, file);
        }
        CHECK_INT(fclose(file), 0);
        free(data);
        lbj_job job = make_job(path, &t, 2);
        job.is_resumed = 1;
        CHECK_INT(run(&job, &error), LBJ_DONE);
        check_same(path);
    }
}

/* A shard of another job that got into the folder is refused, not mixed in. */
static void test_foreign_shard(void) {
    char path[1000], shard[1200], foreign[1300];
    task t = {.fails_at = -1};
    lb_error error = {0};
    lbj_shard other;
    lbj_place place;
    lbio_text text = {0};
    fresh("foreign", path, sizeof path);
    leave_folder(path, shard, sizeof shard);
    snprintf(foreign, sizeof foreign, "%s.part/0001-00001.shard", path);
    lbio_text_add(&text, "numbers of somebody else");
    CHECK_INT(lbj_shard_create(foreign, &other, &error), LB_OK);
    CHECK_INT(lbj_shard_write(&other, 12345, 0, &text, &place, &error), LB_OK);
    CHECK_INT(lbj_shard_close(&other, &error), LB_OK);
    lbj_job job = make_job(path, &t, 2);
    job.is_resumed = 1;
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    CHECK_HAS(error.message, "records of another job");
    CHECK_HAS(error.file, "0001-00001.shard");
    unlink(foreign);
    CHECK_INT(run(&job, &error), LBJ_DONE);
    check_same(path);
    lbio_text_free(&text);
}

/* A file that may not grow stands for a full disk: an error with advice, and all that was written is kept. */
static void test_full_disk(void) {
    char path[1000];
    task t = {.fails_at = -1};
    lb_error error = {0};
    struct rlimit before, small;
    fresh("full", path, sizeof path);
    lbj_job job = make_job(path, &t, 2);
    job.is_resumed = 1;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_INT(run(&job, &error), LBJ_FAILED);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_HAS(error.message, "make room and go on with --resume");
    CHECK(!exists(path));
    CHECK_INT(run(&job, &error), LBJ_DONE);
    check_same(path);
}

int main(void) {
    test_threads();
    test_refusals();
    test_kills();
    test_interrupt();
    test_damage();
    test_foreign_shard();
    test_full_disk();
    free(whole);
    return check_done();
}
