#define _GNU_SOURCE /* sched_setaffinity */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bench_options bench;
static const char *program = "bench";
static cpu_set_t all_cores;
static int has_cores;
static bench_table bars;

/* --- The program ------------------------------------------------------------------------------------------ */

void bench_stop(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "bench_%s: ", program);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

static void pin(void) {
    const char *wanted = getenv("BENCH_CORE");
    cpu_set_t one;
    CPU_ZERO(&one);
    has_cores = sched_getaffinity(0, sizeof all_cores, &all_cores) == 0;
    if (!has_cores) {
        return;
    }
    int core = CPU_SETSIZE - 1;
    while (core > 0 && !CPU_ISSET(core, &all_cores)) {
        core--;
    }
    CPU_SET(wanted ? atoi(wanted) : core, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void bench_unpin(void) {
    if (has_cores) {
        sched_setaffinity(0, sizeof all_cores, &all_cores);
    }
}

void bench_begin(const char *name, int argc, char **argv) {
    program = name;
    bench.folder = "out/bench";
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--quick")) {
            bench.is_quick = 1;
        } else if (!strcmp(argv[i], "--peers")) {
            bench.with_peers = 1;
        } else if (!strcmp(argv[i], "--ablate")) {
            bench.is_ablation = 1;
        } else if (!strcmp(argv[i], "--count") && value) {
            bench.count = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "--solver") && value) {
            bench.solver = argv[++i];
        } else if (!strcmp(argv[i], "--only") && value) {
            bench.only = argv[++i];
        } else if (!strcmp(argv[i], "--out") && value) {
            bench.folder = argv[++i];
        } else {
            bench_stop(
                "%s is no option: --quick, --peers, --ablate, --count N, --only TEXT, --solver FILE, --out FOLDER",
                argv[i]);
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    pin();
}

int bench_count(int full, int quick) { return bench.count > 0 ? bench.count : bench.is_quick ? quick : full; }

int bench_is_wanted(const char *case_name) { return !bench.only || strstr(case_name, bench.only) != NULL; }

void *bench_alloc(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        bench_stop("no memory");
    }
    return block;
}

double bench_now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

double bench_cpu_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

double bench_clock(void *context) {
    (void)context;
    return bench_now_us();
}

double bench_cpu_clock(void *context) {
    (void)context;
    return bench_cpu_us();
}

void bench_source_path(const char *relative, char path[1024]) {
    snprintf(path, 1024, "%s/%s", LIMBER_SOURCE_DIR, relative);
}

/* The folder and those above it. */
static void make_folders(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s", folder);
    for (char *p = path + 1; *p; p++) {
        if (*p == '/') {
            *p = 0;
            mkdir(path, 0777);
            *p = '/';
        }
    }
    if (mkdir(path, 0777) && errno != EEXIST) {
        bench_stop("the folder %s cannot be made: %s", path, strerror(errno));
    }
}

void bench_out_path(const char *name, char path[1024]) {
    make_folders(bench.folder);
    snprintf(path, 1024, "%s/%s", bench.folder, name);
}

/* --- Random numbers --------------------------------------------------------------------------------------- */

uint64_t bench_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double bench_uniform(uint64_t *state, double lower, double upper) {
    return lower + (upper - lower) * (double)(bench_random(state) >> 11) * 0x1p-53;
}

double bench_normal(uint64_t *state) {
    double u = 1 - bench_uniform(state, 0, 1), v = bench_uniform(state, 0, 6.283185307179586);
    return sqrt(-2 * log(u)) * cos(v);
}

/* --- Statistics ------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(int count, const double *sorted, double part) {
    int index = (int)ceil(part * count - 1e-9) - 1;
    return sorted[index < 0 ? 0 : index];
}

bench_stats bench_statistics(int count, const double *values) {
    bench_stats s = {0};
    double *sorted = bench_alloc((size_t)count, sizeof *sorted), sum = 0;
    for (int i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            sum += values[i];
            sorted[s.count++] = values[i];
        }
    }
    if (s.count == 0) {
        s.mean = s.min = s.p50 = s.p95 = s.p99 = s.p999 = s.max = NAN;
    } else {
        qsort(sorted, (size_t)s.count, sizeof *sorted, by_value);
        s.mean = sum / s.count;
        s.min = sorted[0];
        s.p50 = quantile(s.count, sorted, 0.5);
        s.p95 = quantile(s.count, sorted, 0.95);
        s.p99 = quantile(s.count, sorted, 0.99);
        s.p999 = quantile(s.count, sorted, 0.999);
        s.max = sorted[s.count - 1];
    }
    free(sorted);
    return s;
}

/* --- Tables ----------------------------------------------------------------------------------------------- */

static void add_cells(bench_table *table, const char *text) {
    if (table->rows + 2 > table->room) {
        table->room = 2 * table->room + 16;
        table->cells = realloc(table->cells, (size_t)table->room * (size_t)table->columns * sizeof *table->cells);
        if (!table->cells) {
            bench_stop("no memory");
        }
    }
    for (int c = 0; c < table->columns; c++) {
        size_t length = strcspn(text, "|");
        char *cell = bench_alloc(length + 1, 1);
        memcpy(cell, text, length);
        table->cells[(table->rows + 1) * table->columns + c] = cell;
        text += length + (text[length] == '|');
    }
    table->rows++;
}

void bench_table_begin(bench_table *table, const char *name, const char *headings) {
    memset(table, 0, sizeof *table);
    table->name = name;
    table->columns = 1;
    for (const char *p = headings; *p; p++) {
        table->columns += *p == '|';
    }
    table->rows = -1; /* the headings are row -1 */
    add_cells(table, headings);
}

void bench_table_row(bench_table *table, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_cells(table, text);
}

static const char *cell_of(const bench_table *table, int row, int column) {
    return table->cells[(row + 1) * table->columns + column];
}

/* Text in columns to the left, numbers to the right, also with a unit. */
static int is_number(const char *cell) {
    char *end;
    strtod(cell, &end);
    return cell[0] == 0 || (end > cell && (*end == 0 || (*end == ' ' && strlen(end) <= 3)));
}

void bench_table_print(const bench_table *table, int first) {
    int *width = bench_alloc((size_t)table->columns, sizeof *width),
        *numbers = bench_alloc((size_t)table->columns, sizeof *numbers);
    for (int c = 0; c < table->columns; c++) {
        numbers[c] = 1;
        for (int r = -1; r < table->rows; r++) {
            int length = (int)strlen(cell_of(table, r, c));
            if (r >= first || r < 0) {
                width[c] = length > width[c] ? length : width[c];
            }
            if (r >= first && r >= 0) {
                numbers[c] &= is_number(cell_of(table, r, c));
            }
        }
    }
    for (int r = -1; r < table->rows; r++) {
        if (r >= 0 && r < first) {
            continue;
        }
        for (int c = 0; c < table->columns; c++) {
            printf("%s%*s", c ? "  " : "",
                   numbers[c]               ? width[c]
                   : c + 1 < table->columns ? -width[c]
                                            : 0,
                   cell_of(table, r, c));
        }
        printf("\n");
    }
    free(width);
    free(numbers);
}

static void write_csv(const bench_table *table) {
    char name[256], path[1024], beside[1040];
    snprintf(name, sizeof name, "%s.csv", table->name);
    bench_out_path(name, path);
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "w");
    if (!file) {
        bench_stop("%s cannot be written: %s", beside, strerror(errno));
    }
    for (int r = -1; r < table->rows; r++) {
        for (int c = 0; c < table->columns; c++) {
            const char *cell = cell_of(table, r, c), *quote = strpbrk(cell, ",\"") ? "\"" : "";
            fprintf(file, "%s%s", c ? "," : "", quote);
            for (const char *p = cell; *p; p++) {
                fprintf(file, *p == '"' ? "\"\"" : "%c", *p);
            }
            fprintf(file, "%s%s", quote, c + 1 == table->columns ? "\n" : "");
        }
    }
    if (fclose(file) || rename(beside, path)) {
        bench_stop("%s cannot be written: %s", path, strerror(errno));
    }
}

void bench_table_end(bench_table *table) {
    write_csv(table);
    for (int i = 0; i < (table->rows + 1) * table->columns; i++) {
        free(table->cells[i]);
    }
    free(table->cells);
}

void bench_bar(const char *what, double measured, int is_at_least, double bar, const char *unit) {
    if (!bars.cells) {
        bench_table_begin(&bars, "bars", "bar|wanted|measured|met");
    }
    int is_met = is_at_least ? measured >= bar : measured <= bar;
    char wanted[64], found[64];
    snprintf(wanted, sizeof wanted, "at %s %g %s", is_at_least ? "least" : "most", bar, unit);
    snprintf(found, sizeof found, "%.*f %s", !strcmp(unit, "%") ? 4 : fabs(measured) < 1000 ? 2 : 0, measured, unit);
    bench_table_row(&bars, "%s|%s|%s|%s", what, wanted, isnan(measured) ? "not measured" : found,
                    isnan(measured) ? ""
                    : is_met        ? "yes"
                                    : "NO");
}

int bench_end(void) {
    char name[128];
    if (bars.cells) {
        snprintf(name, sizeof name, "%s-bars", program);
        bars.name = name;
        printf("\n");
        bench_table_print(&bars, 0);
        bench_table_end(&bars);
    }
    return fflush(stdout) != 0;
}

/* --- Races ------------------------------------------------------------------------------------------------ */

#define BLOCK 64

static void run_one(const bench_race *race, bench_contestant *c, int instance, double *pose) {
    size_t size = (size_t)race->variables;
    bench_outcome outcome = {0};
    memcpy(pose, race->starts + (size_t)instance * size, size * sizeof *pose);
    double (*now)(void) = race->has_cpu_times ? bench_cpu_us : bench_now_us;
    double begin = now();
    c->solve(c->context, instance, pose, &outcome);
    double us = outcome.us != 0 ? outcome.us : now() - begin;
    if (!(us >= c->us[instance])) {
        c->us[instance] = us;
    }
    int is_right = race->verify(race->context, instance, pose);
    c->is_right[instance] = (char)is_right;
    c->is_claimed[instance] = (char)(outcome.is_solved != 0);
    c->iterations[instance] = outcome.iterations;
    c->restarts[instance] = outcome.restarts;
    memcpy(c->poses + (size_t)instance * size, pose, size * sizeof *pose);
}

/* One solve that does not count, so that the first of a block does not pay for what the contestant before it left in the
 * caches. */
static void warm_up(const bench_race *race, bench_contestant *c, int instance, double *pose) {
    bench_outcome outcome = {0};
    memcpy(pose, race->starts + (size_t)instance * (size_t)race->variables, (size_t)race->variables * sizeof *pose);
    c->solve(c->context, instance, pose, &outcome);
}

void bench_race_prepare(const bench_race *race, bench_contestant *c) {
    size_t count = (size_t)race->instances;
    if (c->count <= 0 || c->count > race->instances) {
        c->count = race->instances;
    }
    if (c->repeats <= 0) {
        c->repeats = race->repeats;
    }
    c->us = bench_alloc(count, sizeof *c->us);
    c->is_right = bench_alloc(count, sizeof *c->is_right);
    c->is_claimed = bench_alloc(count, sizeof *c->is_claimed);
    c->poses = bench_alloc(count * (size_t)race->variables, sizeof *c->poses);
    c->iterations = bench_alloc(count, sizeof *c->iterations);
    c->restarts = bench_alloc(count, sizeof *c->restarts);
    c->false_claims = 0;
    for (size_t i = 0; i < count; i++) {
        c->us[i] = NAN;
    }
}

void bench_race_run(const bench_race *race, int contestant_count, bench_contestant *contestants) {
    double *pose = bench_alloc((size_t)race->variables, sizeof *pose);
    for (int c = 0; c < contestant_count; c++) {
        bench_race_prepare(race, &contestants[c]);
    }
    for (int first = 0; first < race->instances; first += BLOCK) {
        int is_done = 0;
        for (int repeat = 0; !is_done; repeat++) {
            is_done = 1;
            for (int c = 0; c < contestant_count; c++) {
                bench_contestant *one = &contestants[c];
                if (repeat >= one->repeats || first >= one->count) {
                    continue;
                }
                is_done = 0;
                warm_up(race, one, first, pose);
                for (int i = first; i < first + BLOCK && i < one->count; i++) {
                    run_one(race, one, i, pose);
                }
            }
        }
    }
    for (int c = 0; c < contestant_count; c++) {
        for (int i = 0; i < contestants[c].count; i++) {
            contestants[c].false_claims += contestants[c].is_claimed[i] && !contestants[c].is_right[i];
        }
    }
    free(pose);
}

void bench_race_free(int contestant_count, bench_contestant *contestants) {
    for (int c = 0; c < contestant_count; c++) {
        free(contestants[c].us);
        free(contestants[c].is_right);
        free(contestants[c].is_claimed);
        free(contestants[c].poses);
        free(contestants[c].iterations);
        free(contestants[c].restarts);
    }
}

double bench_right_percent(const bench_race *race, const bench_contestant *contestant) {
    int right = 0, ran = 0;
    for (int i = 0; i < race->instances; i++) {
        if (!isnan(contestant->us[i])) {
            ran++;
            right += contestant->is_right[i];
        }
    }
    return 100.0 * right / ran;
}

double bench_mean_int(const bench_race *race, const bench_contestant *contestant, const int *values) {
    double sum = 0;
    int ran = 0;
    for (int i = 0; i < race->instances; i++) {
        if (!isnan(contestant->us[i])) {
            ran++;
            sum += values[i];
        }
    }
    return sum / ran;
}

/* --- Verification ----------------------------------------------------------------------------------------- */

typedef struct frame {
    long double r[3], m[3][3]; /* position, rotation matrix */
} frame;

static frame frame_identity(void) {
    frame f = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return f;
}

static frame multiply(const frame *a, const frame *b) {
    frame out;
    for (int i = 0; i < 3; i++) {
        out.r[i] = a->r[i];
        for (int j = 0; j < 3; j++) {
            out.r[i] += a->m[i][j] * b->r[j];
            out.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return out;
}

static frame inverse(const frame *a) {
    frame out;
    for (int i = 0; i < 3; i++) {
        out.r[i] = 0;
        for (int j = 0; j < 3; j++) {
            out.m[i][j] = a->m[j][i];
            out.r[i] -= a->m[j][i] * a->r[j];
        }
    }
    return out;
}

/* exp of a rotation vector (Rodrigues). */
static frame turn(long double x, long double y, long double z) {
    long double angle = sqrtl(x * x + y * y + z * z);
    frame f = frame_identity();
    if (angle == 0) {
        return f;
    }
    long double a[3] = {x / angle, y / angle, z / angle}, s = sinl(angle), v = 1 - cosl(angle);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            f.m[i][j] += v * (a[i] * a[j] - (i == j));
        }
    }
    f.m[0][1] -= s * a[2], f.m[0][2] += s * a[1], f.m[1][2] -= s * a[0];
    f.m[1][0] += s * a[2], f.m[2][0] -= s * a[1], f.m[2][1] += s * a[0];
    return f;
}

static frame frame_of(const lb_frame *f) {
    const double *q = f->rotation;
    long double length = sqrtl((long double)q[0] * q[0] + (long double)q[1] * q[1] + (long double)q[2] * q[2] +
                               (long double)q[3] * q[3]);
    long double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    frame out = {{f->position[0], f->position[1], f->position[2]},
                 {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                  {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                  {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
    return out;
}

/* The value of a dof: a variable's, that of its drives, or its rest. */
static long double dof_value(const lb_figure *figure, const double *pose, lb_dof_ref ref) {
    int variable = lb_figure_variable_of(figure, &ref), is_driven = 0;
    if (variable >= 0) {
        return pose[variable];
    }
    long double sum = 0;
    for (int d = 0; ref.joint >= 0 && d < lb_figure_drive_count(figure); d++) {
        const lb_drive *drive = lb_figure_drive(figure, d);
        if (drive->joint != ref.joint || drive->dof != ref.dof) {
            continue;
        }
        if (drive->curve.kind != LB_CURVE_LINEAR) {
            bench_stop("a drive that is not linear cannot be verified");
        }
        sum += drive->curve.offset + drive->curve.slope * dof_value(figure, pose, drive->source);
        is_driven = 1;
    }
    return is_driven || ref.joint < 0 ? sum : lb_figure_joint(figure, ref.joint)->rest[ref.dof];
}

/* A, B of a swing about an axis: A, B, axis is right-handed, made as the header tells for x, y and z. */
static void swing_axes(const double axis[3], long double a[3], long double b[3]) {
    int k = axis[0] == 1 ? 0 : axis[1] == 1 ? 1 : axis[2] == 1 ? 2 : -1;
    if (k < 0) {
        bench_stop("a swing about an axis other than x, y, z cannot be verified");
    }
    for (int i = 0; i < 3; i++) {
        a[i] = i == (k + 1) % 3;
        b[i] = i == (k + 2) % 3;
    }
}

static frame joint_frame(const lb_figure *figure, const double *pose, int index) {
    const lb_joint *joint = lb_figure_joint(figure, index);
    frame f = frame_identity();
    int dof = 0;
    for (int e = 0; e < joint->type.element_count; e++) {
        const lb_element *element = &joint->type.elements[e];
        int count = element->kind <= LB_ELEMENT_TRANSLATE ? 1 : 3;
        long double v[3] = {0, 0, 0}, a[3], b[3];
        const double *u = element->axis;
        frame step = frame_identity();
        for (int i = 0; i < count; i++) {
            v[i] = dof_value(figure, pose, (lb_dof_ref){index, dof++, -1});
        }
        switch (element->kind) {
        case LB_ELEMENT_ROTATE:
            step = turn(v[0] * u[0], v[0] * u[1], v[0] * u[2]);
            break;
        case LB_ELEMENT_TRANSLATE:
            for (int i = 0; i < 3; i++) {
                step.r[i] = v[0] * u[i];
            }
            break;
        case LB_ELEMENT_SWING_TWIST:
            swing_axes(u, a, b);
            step = turn(v[0] * a[0] + v[1] * b[0], v[0] * a[1] + v[1] * b[1], v[0] * a[2] + v[1] * b[2]);
            f = multiply(&f, &step);
            step = turn(v[2] * u[0], v[2] * u[1], v[2] * u[2]);
            break;
        case LB_ELEMENT_ROTATION:
            step = turn(v[0], v[1], v[2]);
            break;
        }
        f = multiply(&f, &step);
    }
    return f;
}

static frame site_frame(const lb_figure *figure, int site) {
    return site < 0 ? frame_identity() : frame_of(&lb_figure_site(figure, site)->frame);
}

static frame root_frame(const lb_figure *figure, const double *pose) {
    const lb_root *root = lb_figure_root(figure);
    frame placed = frame_of(&root->placement), site = site_frame(figure, root->site), back = inverse(&site);
    if (root->is_free) {
        frame spin = turn(pose[3], pose[4], pose[5]), still = placed;
        for (int i = 0; i < 3; i++) {
            still.r[i] = 0;
        }
        still = multiply(&spin, &still);
        for (int i = 0; i < 3; i++) {
            still.r[i] = placed.r[i] + (long double)pose[i];
        }
        placed = still;
    }
    return multiply(&placed, &back);
}

static frame segment_frame(const lb_figure *figure, const double *pose, int segment) {
    int index = lb_figure_parent_joint(figure, segment);
    if (index < 0) {
        return root_frame(figure, pose);
    }
    const lb_joint *joint = lb_figure_joint(figure, index);
    int parent = lb_figure_parent_segment(figure, segment);
    int is_forward = lb_figure_site(figure, joint->site_a)->segment == parent;
    frame step = joint_frame(figure, pose, index), world = segment_frame(figure, pose, parent);
    frame near = site_frame(figure, is_forward ? joint->site_a : joint->site_b);
    frame far = site_frame(figure, is_forward ? joint->site_b : joint->site_a), back = inverse(&far);
    if (!is_forward) {
        step = inverse(&step);
    }
    world = multiply(&world, &near);
    world = multiply(&world, &step);
    return multiply(&world, &back);
}

void bench_effector(const lb_figure *figure, const double *pose, const lb_effector *effector, long double e[9]) {
    frame f = segment_frame(figure, pose, effector->segment);
    for (int i = 0; i < 3; i++) {
        e[i] = f.r[i], e[3 + i] = e[6 + i] = 0;
        for (int j = 0; j < 3; j++) {
            e[i] += f.m[i][j] * effector->point[j];
            e[3 + i] += f.m[i][j] * effector->x[j];
            e[6 + i] += f.m[i][j] * effector->y[j];
        }
    }
}

int bench_is_at(const lb_figure *figure, const double *pose, const lb_effector *effector, const double target[9]) {
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        const lb_variable *variable = lb_figure_variable(figure, v);
        if (!(pose[v] >= variable->lower && pose[v] <= variable->upper)) {
            return 0;
        }
    }
    for (int r = 0; r < lb_figure_row_count(figure); r++) {
        const lb_limit_row *row = lb_figure_row(figure, r);
        long double sum = -row->bound;
        for (int i = 0; i < row->count; i++) {
            sum += (long double)row->coefficients[i] * pose[row->variables[i]];
        }
        if (sum > 1e-9L || (row->kind == LB_LIMIT_EQUAL && sum < -1e-9L)) {
            return 0;
        }
    }
    long double e[9], distance = 0, cross[3] = {0, 0, 0}, trace = 0;
    bench_effector(figure, pose, effector, e);
    for (int i = 0; i < 3; i++) {
        distance += (e[i] - target[i]) * (e[i] - target[i]);
    }
    /* R target^T = sum of the axes' dyads e_k t_k^T; its skew part is sin(angle) times the axis, its trace
       1 + 2 cos(angle). */
    long double axes[2][3][3];
    for (int k = 0; k < 2; k++) {
        const long double t[9] = {target[0], target[1], target[2], target[3], target[4],
                                  target[5], target[6], target[7], target[8]};
        const long double *from = k ? t : e;
        for (int i = 0; i < 3; i++) {
            axes[k][0][i] = from[3 + i], axes[k][1][i] = from[6 + i];
            axes[k][2][i] =
                from[3 + (i + 1) % 3] * from[6 + (i + 2) % 3] - from[3 + (i + 2) % 3] * from[6 + (i + 1) % 3];
        }
    }
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 3; i++) {
            trace += axes[0][a][i] * axes[1][a][i];
            cross[i] +=
                axes[0][a][(i + 1) % 3] * axes[1][a][(i + 2) % 3] - axes[0][a][(i + 2) % 3] * axes[1][a][(i + 1) % 3];
        }
    }
    long double sine = sqrtl(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / 2;
    return sqrtl(distance) < 1e-5L && atan2l(sine, (trace - 1) / 2) < 1e-5L;
}
