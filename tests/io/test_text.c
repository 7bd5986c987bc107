/* What all readers and writers share: numbers, growing text, whole files, errors, suggestions, choice of format. */
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/text.h"

/* ---------------------------------------------------------------------------------------------------
 * Numbers
 * ------------------------------------------------------------------------------------------------- */

static double read_all(const char *text) {
    double value = NAN;
    const char *end = lbio_number(text, text + strlen(text), &value);
    return end && *end == 0 ? value : NAN;
}

static void test_numbers_in(void) {
    CHECK_NEAR(read_all("0"), 0, 0);
    CHECK_NEAR(read_all("-1.5"), -1.5, 0);
    CHECK_NEAR(read_all("+.25"), 0.25, 0);
    CHECK_NEAR(read_all("3."), 3, 0);
    CHECK_NEAR(read_all("1e3"), 1000, 0);
    CHECK_NEAR(read_all("1E-3"), 0.001, 0);
    CHECK_NEAR(read_all("0.1"), 0.1, 0);
    CHECK_NEAR(read_all("1.7976931348623157e308"), 1.7976931348623157e308, 0);
    CHECK_NEAR(read_all("4.9406564584124654e-324"), 4.9406564584124654e-324, 0);
    CHECK_NEAR(read_all("1e-400"), 0, 0);
    CHECK_NEAR(read_all("0.00000000000000000000000000000000001e35"), 1, 0);
    CHECK_NEAR(read_all("100000000000000000000000000000000000e-35"), 1, 0);
    CHECK_NEAR(read_all("9007199254740993"), 9007199254740992.0, 0); /* a tie goes to the even one */
    CHECK_NEAR(read_all("9007199254740993.0000000000000000000000000000001"), 9007199254740994.0, 0);
    CHECK(signbit(read_all("-0")));
    double value;
    static const char *const none[] = {"", "-", "+", ".", "-.", "e5", "inf", "nan", "-inf", "x", "1e999", "--1", " 1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        check_note("'%s'", none[i]);
        CHECK(lbio_number(none[i], none[i] + strlen(none[i]), &value) == NULL);
    }
    check_note("%s", "");
    /* it stops where the number does, and at the end it is given */
    static const char *const parts[][2] = {{"2e", "e"},     {"2e+", "e+"},  {"0x10", "x10"}, {"1,5", ",5"},
                                           {"1.2.3", ".3"}, {"30cm", "cm"}, {"5 6", " 6"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        CHECK_TEXT(lbio_number(parts[i][0], parts[i][0] + strlen(parts[i][0]), &value), parts[i][1]);
    }
    const char *text = "123456";
    CHECK(lbio_number(text, text + 3, &value) == text + 3);
    CHECK_NEAR(value, 123, 0);
    const char *centimetres = "33.3";
    CHECK(lbio_number_scaled(centimetres, centimetres + 4, -2, &value) != NULL);
    CHECK_NEAR(value, 0.333, 0);
}

/* A number of many digits, halfway between two doubles but for its last one. */
static void test_long_numbers(void) {
    char text[2000];
    double value = 0;
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[1800] = '1';
    CHECK(lbio_number(text, text + 1801, &value) != NULL);
    CHECK_NEAR(value, 9007199254740994.0, 0);
    CHECK(lbio_number(text, text + 1800, &value) != NULL);
    CHECK_NEAR(value, 9007199254740992.0, 0);
    memset(text, '9', sizeof text);
    CHECK(lbio_number(text, text + sizeof text, &value) == NULL);
    CHECK(lbio_number(text, text + 300, &value) != NULL);
    CHECK_NEAR(value / 1e300, 1, 1e-15);
}

static void test_numbers_out(void) {
    static const struct {
        double value;
        const char *text;
    } known[] = {{0, "0"},
                 {-0.0, "0"},
                 {1, "1"},
                 {0.1, "0.1"},
                 {-2.5, "-2.5"},
                 {1e100, "1e+100"},
                 {1.0 / 3, "0.3333333333333333"},
                 {123456789, "123456789"},
                 {0.3, "0.3"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"}};
    char text[32];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        lbio_print_number(known[i].value, text);
        CHECK_TEXT(text, known[i].text);
    }
    check_random random;
    check_random_seed(&random, 1);
    int wrong = 0;
    for (int i = 0; i < 100000; i++) {
        union {
            unsigned long long bits;
            double value;
        } number;
        number.bits = check_random_bits(&random);
        if (number.value - number.value != 0) {
            continue;
        }
        lbio_print_number(number.value, text);
        wrong += !(read_all(text) == number.value) || strlen(text) > 24;
        char printed[64];
        snprintf(printed, sizeof printed, "%.*e", i % 40, number.value); /* our reading against the C library's */
        wrong += !(read_all(printed) == strtod(printed, NULL)) && strtod(printed, NULL) - strtod(printed, NULL) == 0;
    }
    CHECK_INT(wrong, 0);
}

/* The first of 15, 16 and 17 digits that the C library reads back as the same number. */
static void print_by_trying(double value, char *text, size_t size) {
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, size, "%.*g", precision, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

/* Numbers of every size that is written by whole numbers, and beyond: random ones, short decimals, powers of two and of ten,
 * halves of the last digit, each with its neighbours. */
static double number_of_kind(check_random *random, int kind) {
    const double sign = check_random_bits(random) % 2 ? -1 : 1;
    const int power = (int)(check_random_bits(random) % 104) - 46, digits = 1 + (int)(check_random_bits(random) % 18);
    double value = ldexp(1 + (double)(check_random_bits(random) >> 12) * 0x1p-52, power);
    char text[64];
    switch (kind) {
    case 0:
        break;
    case 1:
        value = ldexp(1, power);
        break;
    case 2:
        value = (double)(check_random_bits(random) >> (11 + check_random_bits(random) % 53));
        break;
    case 3:
        value = (double)(check_random_bits(random) % 100000) * 0.5 * ldexp(1, -(power & 15));
        break;
    default:
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        value = strtod(text, NULL);
    }
    const int step = (int)(check_random_bits(random) % 4);
    value = step == 0 ? nextafter(value, INFINITY) : step == 1 ? nextafter(value, 0) : value;
    return sign * (value < 1e-300 ? 0 : value);
}

static void test_numbers_out_exactly(void) {
    check_random random;
    check_random_seed(&random, 2);
    const int cases = check_count(200000, 20000000);
    int wrong = 0;
    for (int i = 0; i < cases; i++) {
        const double value = number_of_kind(&random, i % 5);
        char text[32], tried[64] = "0";
        if (value != 0) {
            print_by_trying(value, tried, sizeof tried);
        }
        lbio_print_number(value, text);
        if (strcmp(text, tried) && ++wrong < 5) {
            printf("%.17g: %s, and by the C library %s\n", value, text, tried);
        }
    }
    CHECK_INT(wrong, 0);
}

static void test_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "ps_AF.utf8"};
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_ALL, names[i])) {
            check_note("%s", names[i]);
            CHECK_NEAR(read_all("1.5e-30"), 1.5e-30, 0);
            CHECK_NEAR(read_all("3.14159265358979323846"), 3.141592653589793, 0);
            lbio_print_number(1234.5, text);
            CHECK_TEXT(text, "1234.5");
            setlocale(LC_ALL, "C");
        }
    }
    check_note("%s", "");
    lbio_to_c_locale("-12,5e-03", text);
    CHECK_TEXT(text, "-12.5e-03");
    lbio_to_c_locale("1\xd9\xab"
                     "5",
                     text);
    CHECK_TEXT(text, "1.5");
}

/* ---------------------------------------------------------------------------------------------------
 * Errors, text, suggestions
 * ------------------------------------------------------------------------------------------------- */

static void keep_warning(void *context, const lb_error *warning) { *(lb_error *)context = *warning; }

static void test_errors(void) {
    lb_load_options options;
    lb_error error, warning;
    lb_load_options_defaults(&options);
    options.warn = keep_warning;
    options.warn_context = &warning;
    lbio_source source = {"some/file.fig", "", 0, &options, &error};
    CHECK_INT(lbio_fail(&source, LB_ERROR_SYNTAX, 7, "bad %s\nnews", "old"), LB_ERROR_SYNTAX);
    CHECK_TEXT(error.file, "some/file.fig");
    CHECK_INT(error.line, 7);
    CHECK_TEXT(error.message, "bad old?news");
    lbio_warn(&source, 3, "odd");
    CHECK_INT(warning.line, 3);
    CHECK_TEXT(warning.message, "odd");
    /* cut at a character, and a long path keeps its end */
    char long_text[2000], long_path[1000];
    memset(long_text, 'a', sizeof long_text);
    for (size_t i = 500; i + 2 < sizeof long_text; i += 2) {
        memcpy(long_text + i, "\xc3\xbc", 2);
    }
    long_text[1999] = 0;
    memset(long_path, '/', sizeof long_path);
    strcpy(long_path + 900, "end.fig");
    source.name = long_path;
    for (int shift = 0; shift < 2; shift++) {
        lbio_fail(&source, LB_ERROR_FILE, 0, "%s", long_text + shift);
        size_t length = strlen(error.message);
        CHECK(length >= LB_ERROR_MESSAGE_SIZE - 2 - 1);
        CHECK_INT((unsigned char)error.message[length - 1] == 0xbc || error.message[length - 1] == 'a', 1);
    }
    CHECK(strlen(error.file) < LB_ERROR_FILE_SIZE);
    CHECK_HAS(error.file, "...");
    CHECK_TEXT(error.file + strlen(error.file) - 7, "end.fig");
    options.warn = NULL;
    lbio_warn(&source, 3, "nobody listens");
}

static void test_growing(void) {
    lbio_text text = {0};
    for (int i = 0; i < 1000; i++) {
        lbio_text_add(&text, "ab");
        lbio_text_format(&text, "%d,", i);
        lbio_text_number(&text, 0.5);
        lbio_text_bytes(&text, "", 1);
    }
    CHECK_INT(text.failed, 0);
    CHECK_INT(text.size, 1000 * (2 + 1 + 3 + 1) + 10 + 90 * 2 + 900 * 3);
    CHECK_INT(memcmp(text.data, "ab0,0.5\0ab1,", 12), 0);
    CHECK_INT(text.data[text.size], 0);
    lbio_text_free(&text);
    CHECK(text.data == NULL);
    text.failed = 1;
    lbio_text_add(&text, "nothing happens");
    lbio_text_format(&text, "%d", 1);
    CHECK(text.data == NULL);
}

static void test_nearest(void) {
    static const char *const names[] = {"segment", "joint", "shoulder", "elbow", "llimit", "x"};
    CHECK_TEXT(lbio_nearest("segmnt", names, 6), "segment");
    CHECK_TEXT(lbio_nearest("Elbow", names, 6), "elbow");
    CHECK_TEXT(lbio_nearest("jiont", names, 6), "joint");
    CHECK_TEXT(lbio_nearest("shoulders", names, 6), "shoulder");
    CHECK_TEXT(lbio_nearest("limit", names, 6), "llimit");
    CHECK(lbio_nearest("knee", names, 6) == NULL);
    CHECK(lbio_nearest("y", names, 6) == NULL);
    CHECK(lbio_nearest("", names, 6) == NULL);
    char many[300];
    memset(many, 'x', sizeof many);
    many[299] = 0;
    CHECK(lbio_nearest(many, names, 6) == NULL);
}

/* ---------------------------------------------------------------------------------------------------
 * Files and formats
 * ------------------------------------------------------------------------------------------------- */

static void test_files(void) {
    char path[1000], link_path[1000];
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    check_scratch("text_test.txt", path, sizeof path);
    check_scratch("text_link.txt", link_path, sizeof link_path);
    unlink(path);
    unlink(link_path);
    CHECK_INT(lbio_write_file(path, "hello", 5, &error), LB_OK);
    REQUIRE(lbio_read_file(path, 5, &data, &size, &error) == LB_OK);
    CHECK_INT(size, 5);
    CHECK_TEXT(data, "hello");
    free(data);
    CHECK_INT(lbio_read_file(path, 4, &data, &size, &error), LB_ERROR_TOO_LARGE);
    CHECK_TEXT(error.file, path);
    /* its mode stays, and so does a link to it */
    REQUIRE(chmod(path, 0640) == 0 && symlink(path, link_path) == 0);
    CHECK_INT(lbio_write_file(link_path, "", 0, &error), LB_OK);
    struct stat information;
    CHECK_INT(lstat(link_path, &information), 0);
    CHECK(S_ISLNK(information.st_mode));
    CHECK_INT(stat(path, &information), 0);
    CHECK_INT(information.st_mode & 0777, 0640);
    REQUIRE(lbio_read_file(path, 5, &data, &size, &error) == LB_OK);
    CHECK_INT(size, 0);
    CHECK_TEXT(data, "");
    free(data);
    unlink(link_path);
    unlink(path);
    CHECK_INT(lbio_read_file(path, 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "cannot be opened: No such file");
    CHECK_INT(lbio_read_file("/", 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is a folder");
    CHECK_INT(lbio_write_file("/", "", 0, &error), LB_ERROR_FILE);
    CHECK_INT(lbio_write_file("/nowhere/at/all.fig", "", 0, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "cannot be written");
    CHECK_INT(lbio_write_file("/dev/null", "x", 1, &error), LB_OK);
    CHECK_INT(stat("/dev/null", &information), 0);
    CHECK(S_ISCHR(information.st_mode));
}

/* What is no file is refused without waiting for it: an alarm ends the test where it hangs. */
static void test_no_files(void) {
    char path[1000];
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    check_scratch("text_pipe.fig", path, sizeof path);
    unlink(path);
    REQUIRE(mkfifo(path, 0600) == 0);
    alarm(3600);
    CHECK_INT(lbio_read_file(path, 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is a pipe, not a file");
    CHECK_INT(lbio_read_reference(path, 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is a pipe, not a file");
    CHECK_INT(lbio_read_file("/dev/zero", 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is a device, not a file");
    CHECK_INT(lbio_read_reference("/", 5, &data, &size, &error), LB_ERROR_FILE);
    CHECK_HAS(error.message, "is a folder");
    alarm(0);
    unlink(path);
    int ends[2];
    REQUIRE(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    REQUIRE(lbio_read_file(path, 5, &data, &size, &error) == LB_OK); /* as a shell's <(...) is */
    CHECK_TEXT(data, "hello");
    free(data);
    CHECK_INT(lbio_read_reference(path, 5, &data, &size, &error), LB_ERROR_FILE);
    close(ends[0]);
}

static int exists(const char *path, const char *ending) {
    char name[1200];
    struct stat information;
    snprintf(name, sizeof name, "%s%s", path, ending);
    return stat(name, &information) == 0;
}

static int make_beside(const char *path, const char *ending) {
    char name[1200];
    snprintf(name, sizeof name, "%s%s", path, ending);
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    REQUIRE(file >= 0 && write(file, "half", 4) == 4);
    return file;
}

/* What a killed writer left is removed by the next write of the same file; what another writer is at is not, nor what
 * only looks alike. */
static void test_strays(void) {
    static const char *const strays[] = {".4711.0.tmp", ".4711.12.tmp", ".4711.tmp"};
    static const char *const others[] = {".tmp", ".x.tmp", ".1.2.3.tmp", ".4711.0.tmp2", "2.4711.0.tmp"};
    char path[1000], name[1200];
    lb_error error;
    check_scratch("text_stray.txt", path, sizeof path);
    unlink(path);
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        close(make_beside(path, strays[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        close(make_beside(path, others[i]));
    }
    int writer = make_beside(path, ".4712.0.tmp");
    REQUIRE(flock(writer, LOCK_EX) == 0);
    CHECK_INT(lbio_write_file(path, "hello", 5, &error), LB_OK);
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        check_note("%s", strays[i]);
        CHECK(!exists(path, strays[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_note("%s", others[i]);
        CHECK(exists(path, others[i]));
        snprintf(name, sizeof name, "%s%s", path, others[i]);
        unlink(name);
    }
    check_note("%s", "");
    CHECK(exists(path, ".4712.0.tmp"));
    close(writer);
    CHECK_INT(lbio_write_file(path, "hello", 5, &error), LB_OK);
    CHECK(!exists(path, ".4712.0.tmp"));
    unlink(path);
}

#define WRITERS 4
#define WRITES 100
#define WRITTEN 100000

/* One of several processes that write the same file; 0 where each of its writes worked. */
static int write_often(const char *path, char letter) {
    static char text[WRITTEN];
    lb_error error;
    int failed = 0;
    memset(text, letter, sizeof text);
    for (int i = 0; i < WRITES; i++) {
        failed += lbio_write_file(path, text, sizeof text, &error) != LB_OK;
    }
    return failed > 0;
}

/* Writers of one file at the same time: each write works, the file is the last one's, whole. */
static void test_writers(void) {
    char path[1000];
    char *data = NULL;
    size_t size = 0;
    lb_error error;
    pid_t children[WRITERS];
    check_scratch("text_writers.txt", path, sizeof path);
    unlink(path);
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        REQUIRE(children[i] >= 0);
        if (children[i] == 0) {
            _exit(write_often(path, (char)('a' + i)));
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        REQUIRE(waitpid(children[i], &status, 0) == children[i]);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    REQUIRE(lbio_read_file(path, WRITTEN, &data, &size, &error) == LB_OK);
    CHECK_INT(size, WRITTEN);
    CHECK_INT(strspn(data, (char[]){data[0], 0}), WRITTEN);
    free(data);
    unlink(path);
}

static void test_formats(void) {
    CHECK_INT(lb_format_from_path("a/b.fig"), LB_FORMAT_FIG);
    CHECK_INT(lb_format_from_path("A.URDF"), LB_FORMAT_URDF);
    CHECK_INT(lb_format_from_path("a.xacro"), LB_FORMAT_URDF);
    CHECK_INT(lb_format_from_path("a.mjcf"), LB_FORMAT_MJCF);
    CHECK_INT(lb_format_from_path("a.bvh"), LB_FORMAT_BVH);
    CHECK_INT(lb_format_from_path("a.xml"), LB_FORMAT_UNKNOWN);
    CHECK_INT(lb_format_from_path("fig"), LB_FORMAT_UNKNOWN);
    CHECK_INT(lb_format_from_path(NULL), LB_FORMAT_UNKNOWN);
    CHECK_TEXT(lb_format_name(LB_FORMAT_FIG), "fig");
    CHECK_TEXT(lb_format_name(LB_FORMAT_UNKNOWN), "unknown");
}

/* Loads from memory under a name that tells nothing; returns the status. */
static lb_status load_unnamed(const char *text, lb_error *error) {
    lb_figure *figure = NULL;
    lb_status status = lb_figure_load_memory(text, strlen(text), NULL, NULL, &figure, error);
    CHECK((status == LB_OK) == (figure != NULL));
    lb_figure_destroy(figure);
    return status;
}

static void test_content(void) {
    lb_error error;
    CHECK_INT(load_unnamed("# a comment\n/* and */ // more\nfigure f { segment a { } }", &error), LB_OK);
    CHECK_INT(load_unnamed("<?xml version=\"1.0\"?>\n<!-- <mujoco> -->\n<robot name=\"r\"><link name=\"a\"/></robot>",
                           &error),
              LB_OK);
    CHECK_INT(load_unnamed("<mujoco><worldbody><body name=\"a\"/></worldbody></mujoco>", &error), LB_OK);
    CHECK_INT(load_unnamed("  HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
                           "MOTION\nFrames: 0\nFrame Time: 0.1\n",
                           &error),
              LB_OK);
    CHECK_INT(load_unnamed("<sdf></sdf>", &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "should begin with `figure`");
    CHECK_TEXT(error.file, "<memory>");
    CHECK_INT(load_unnamed("", &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "is empty");
    CHECK_INT(lb_figure_load_memory(NULL, 3, "x", NULL, NULL, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_load(NULL, NULL, NULL, NULL), LB_ERROR_ARGUMENT);
}

static void test_chain(void) {
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(lb_figure_load("chain:12", NULL, &figure, &error) == LB_OK);
    CHECK_INT(lb_figure_joint_count(figure), 12);
    CHECK_INT(lb_figure_variable_count(figure), 12);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame tip;
    REQUIRE(kinematics != NULL);
    CHECK_INT(lb_kinematics_site(kinematics, lb_figure_find_site(figure, "link12.tip"), &tip), LB_OK);
    CHECK_NEAR(tip.position[2], 1.2, 1e-14);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    static const char *const bad[] = {"chain:",   "chain:0",      "chain:x",
                                      "chain:-3", "chain:100001", "chain:99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_note("%s", bad[i]);
        CHECK_INT(lb_figure_load(bad[i], NULL, &figure, &error), LB_ERROR_ARGUMENT);
        CHECK(figure == NULL);
    }
    check_note("%s", "");
}

static void test_save(void) {
    lb_figure *figure = NULL, *again = NULL;
    lb_error error;
    char path[1000];
    lb_save_options options;
    REQUIRE(lb_figure_load("chain:3", NULL, &figure, &error) == LB_OK);
    check_scratch("saved.fig", path, sizeof path);
    CHECK_INT(lb_figure_save(figure, path, NULL, &error), LB_OK);
    CHECK_INT(lb_figure_load(path, NULL, &again, &error), LB_OK);
    CHECK_INT(lb_figure_variable_count(again), 3);
    lb_figure_destroy(again);
    unlink(path);
    CHECK_INT(lb_figure_save(figure, "x.mjcf", NULL, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "MJCF is read only");
    CHECK_INT(lb_figure_save(figure, "x.doc", NULL, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "does not tell the format");
    CHECK_TEXT(error.file, "x.doc");
    CHECK_INT(access("x.doc", F_OK), -1);
    CHECK_INT(lb_figure_save(NULL, "x.fig", NULL, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_save(figure, NULL, NULL, NULL), LB_ERROR_ARGUMENT);
    lb_save_options_defaults(&options);
    options.bvh_unit = 0;
    CHECK_INT(lb_figure_save(figure, "x.fig", &options, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_save_memory(figure, NULL, NULL, NULL, NULL), LB_ERROR_ARGUMENT);
    lb_figure_destroy(figure);
}

int main(void) {
    test_numbers_in();
    test_long_numbers();
    test_numbers_out();
    test_numbers_out_exactly();
    test_locale();
    test_errors();
    test_growing();
    test_nearest();
    test_files();
    test_no_files();
    test_strays();
    test_writers();
    test_formats();
    test_content();
    test_chain();
    test_save();
    return check_done();
}
