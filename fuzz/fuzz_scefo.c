/* Any bytes as a SCEFO script; what loads must play. */
#include <limber/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lb_script *script = NULL;
    lb_error error;
    if (lb_script_load_memory(data, size, "fuzz.scefo", NULL, &script, &error) != LB_OK) {
        if (script || !error.message[0]) {
            abort();
        }
        return 0;
    }
    const lb_motion *motion = lb_script_motion(script);
    lb_player *player = lb_player_create(motion, NULL, NULL);
    for (int k = 0; player && k < 3; k++) {
        double time = 0.05 * k;
        const lb_problem *problem = lb_motion_problem(motion, lb_player_stage(player, time));
        size_t count = (size_t)lb_problem_variable_count(problem);
        double *pose = calloc(count + 1, sizeof *pose);
        if (pose && lb_player_pose(player, time, pose, NULL) == LB_OK) {
            for (size_t i = 0; i < count; i++) {
                if (!isfinite(pose[i])) {
                    abort();
                }
            }
        }
        free(pose);
    }
    lb_player_destroy(player);
    lb_script_destroy(script);
    return 0;
}
