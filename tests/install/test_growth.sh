#!/bin/sh
# Structs may grow without breaking programs that are compiled already: a core whose headers have one more field at the end
# of every struct with a struct_size runs a program that was compiled with the headers as they are. The other way round, a
# program of the longer headers is refused by the core as it is, with a sentence.
set -eu

rm -rf longer && mkdir longer
for part in include src; do
    cp -R "$LIMBER_SOURCE_DIR/$part" longer/
done
structs=$(sed -n '/size_t struct_size;/,/^}/s/^} \(lb_[a-z_]*\);/\1/p' "$LIMBER_SOURCE_DIR"/include/limber/*.h)
[ "$(echo "$structs" | wc -l)" -ge 10 ] || { echo "too few structs with a struct_size were found:" "$structs"; exit 1; }
for name in $structs; do
    sed -i "s/^} $name;/    double added_later[3];\n&/" longer/include/limber/*.h
done

cat >program.c <<'TEXT'
#include <limber/motion.h>
#include <stdio.h>
#include <string.h>

static void fail(const char *what) { printf("FAILED: %s\n", what); }
#define NEED(condition) do { if (!(condition)) { fail(#condition); return 1; } } while (0)

/* Structs with a guard behind them, which the library must not touch. */
#define GUARDED(type, name) static struct { type it; unsigned char guard[64]; } name
#define GUARD(name) memset(&name, 0x5a, sizeof name)
#define IS_KEPT(name) (name.guard[0] == 0x5a && memcmp(name.guard, name.guard + 1, sizeof name.guard - 1) == 0)

GUARDED(lb_solve_options, options);
GUARDED(lb_result, result);
GUARDED(lb_many, many);
GUARDED(lb_player_options, playing);

int main(void) {
    lb_error error;
    lb_figure *figure = NULL;
    lb_builder *builder = lb_builder_create(NULL, &error);
    lb_segment segment;
    lb_dh_row rows[2] = {{NULL, 0.3, 0, 0, 0, 0, -3, 3}, {NULL, 0.2, 0, 0, 0, 0, -3, 3}};
    lb_site base;
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_site_defaults(&base);
    base.name = "base";
    lb_builder_add_segment(builder, &segment);
    lb_builder_add_site(builder, &base);
    NEED(lb_builder_add_dh_chain(builder, 0, LB_DH_CONVENTION_STANDARD, 2, rows) == 2);
    NEED(lb_builder_finish(builder, &figure) == LB_OK);
    lb_builder_destroy(builder);
    lb_problem *problem = lb_problem_create(figure, &error);
    lb_constraint reach;
    const double point[3] = {0.3, 0.3, 0};
    NEED(lb_constraint_at(figure, "link2", point, &reach) == LB_OK);
    int id = lb_problem_add(problem, &reach);
    NEED(id > 0);

    GUARD(options), GUARD(result), GUARD(many), GUARD(playing);
    lb_solve_options_defaults(&options.it);
    lb_result_defaults(&result.it);
    lb_many_defaults(&many.it);
    lb_player_options_defaults(&playing.it);
    options.it.restarts = 2;
    double pose[2] = {0.5, 0.5}, poses[2];
    lb_status status = lb_solve(problem, &options.it, pose, &result.it);
    NEED(IS_KEPT(options) && IS_KEPT(result) && IS_KEPT(many) && IS_KEPT(playing));
    if (status == LB_ERROR_STRUCT) {
        printf("refused: %s\n", lb_status_text(status));
        many.it.count = 1;
        many.it.starts = pose;
        NEED(lb_solve_many(problem, NULL, &many.it, poses, NULL, &error) == LB_ERROR_STRUCT);
        printf("%s\n", error.message);
        return 2;
    }
    NEED(status == LB_OK && result.it.outcome == LB_OUTCOME_SOLVED && result.it.explanation[0]);
    NEED(result.it.struct_size == sizeof result.it);

    lb_solver *solver = lb_solver_create(problem, &error);
    NEED(lb_solver_solve(solver, &options.it, pose, &result.it) == LB_OK && result.it.constraint_count == 1);
    NEED(lb_solver_explain(solver, &options.it, pose, &result.it) == LB_OK && result.it.freedom.variables == 2);
    double both[4];
    NEED(lb_solver_solve_all(solver, &options.it, pose, 0.1, 2, both, &result.it) == LB_OK);
    NEED(result.it.answer_count == 2);
    many.it.count = 1;
    many.it.starts = pose;
    NEED(lb_solve_many(problem, &options.it, &many.it, poses, NULL, &error) == LB_OK);
    lb_motion *motion = lb_motion_create(problem, pose, &error);
    playing.it.options = &options.it;
    lb_player *player = lb_player_create(motion, &playing.it, &error);
    NEED(player && lb_player_pose(player, 0.1, pose, &result.it) == LB_OK);
    NEED(result.it.outcome == LB_OUTCOME_SOLVED);
    NEED(IS_KEPT(options) && IS_KEPT(result) && IS_KEPT(many) && IS_KEPT(playing));
    lb_player_destroy(player);
    lb_motion_destroy(motion);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    printf("solved with a struct of %d bytes\n", (int)sizeof result.it);
    return 0;
}
TEXT

# shellcheck source=tests/core.sh
. "$LIMBER_SOURCE_DIR/tests/core.sh"

# build FOLDER SOURCE: the core as a shared library.
build() {
    # shellcheck disable=SC2034 # of compile_core
    CORE_SOURCE=$2
    compile_core "$1" "${CC:-cc}" -std=c11 -O0 -ffp-contract=off -fno-math-errno -w -fPIC -fvisibility=hidden \
        -DLIMBER_THREADS -pthread
    "${CC:-cc}" -shared "$1"/*.o -lm -pthread -o "$1/liblimber.so"
}

build core-now "$LIMBER_SOURCE_DIR"
build core-later "$PWD/longer"
"${CC:-cc}" -std=c99 -I"$LIMBER_SOURCE_DIR/include" program.c -o program-now -Lcore-now -llimber
"${CC:-cc}" -std=c99 -Ilonger/include program.c -o program-later -Lcore-later -llimber

for pair in now:now now:later later:later; do
    echo "a program of ${pair%:*}, a library of ${pair#*:}:"
    LD_LIBRARY_PATH="core-${pair#*:}" "./program-${pair%:*}"
done
echo "a program of later, a library of now:"
code=0
LD_LIBRARY_PATH=core-now ./program-later >refused.txt || code=$?
cat refused.txt
[ "$code" = 2 ] || { echo "it was not refused"; exit 1; }
grep -q 'refused: a struct was not filled by its _defaults function, or is of a newer header' refused.txt
grep -q 'the lb_many was not filled by lb_many_defaults, or is of a newer header' refused.txt
