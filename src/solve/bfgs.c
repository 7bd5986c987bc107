#include "solve/space.h"

size_t lbs_bfgs_size(const lbs_space *space) {
    (void)space;
    return 0;
}

lbs_end lbs_bfgs(lbs_space *space, double *work, double *z, lb_error *error) {
    (void)space;
    (void)work;
    (void)z;
    lbf_fail(error, LB_ERROR_UNSUPPORTED, "not there yet", (char *)0);
    return LBS_CANNOT;
}
