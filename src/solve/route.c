#include "solve/route.h"

#include <string.h>

#include "solve/methods/methods.h"

#define METHOD(constant, name) [LB_METHOD_##constant] = {#name, lbs_run_##name, LB_ENGINE_##constant},
static const struct {
    const char *name;
    lbs_method run;
    lb_engine engine;
} methods[] = {LBS_METHOD_LIST(METHOD)};
#undef METHOD

const char *lb_method_name(lb_method method) { return lbs_is_method(method) ? methods[method].name : "unknown"; }

int lb_method_find(const char *name) {
    for (int i = 0; name && i < LBS_METHOD_COUNT; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

#define NAME(constant, name) [LB_ENGINE_##constant] = #name,
const char *lb_engine_name(lb_engine engine) {
    static const char *const names[] = {"none", "arm", LBS_METHOD_LIST(NAME)};
    return (int)engine >= 0 && (size_t)engine < sizeof names / sizeof *names ? names[engine] : "unknown";
}
#undef NAME

static lb_outcome outcome_of(lbs_end end, const lbs_space *s) {
    if (end == LBS_CANNOT) {
        return LB_OUTCOME_INVALID;
    }
    if (lbs_met(s, s->task.level_count - 1)) {
        return LB_OUTCOME_SOLVED;
    }
    return end == LBS_MINIMUM || end == LBS_MET ? LB_OUTCOME_MINIMUM : LB_OUTCOME_BUDGET;
}

lb_outcome lbs_run(lb_solver *solver, const lb_solve_options *o, lb_error *error) {
    lbs_space *s = solver->space;
    const int before = s->budget.iterations;
    solver->engine = methods[o->method].engine;
    const lbs_end end = methods[o->method].run(s, solver->work, solver->z, error);
    lbs_value(s, solver->z);
    if (s->budget.iterations == before && end != LBS_CANNOT) {
        lbs_tell(s, solver->z, lbs_total(s));
    }
    return outcome_of(end, s);
}
