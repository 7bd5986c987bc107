/* One's own solver in C: each joint in turn goes where the tool comes nearer, in ever smaller steps.
 *     cc -O2 -shared -fPIC -I include -I bench bench/board/example.c -o mine.so
 *     ./dev bench scoreboard --quick --solver ./mine.so */
#include "peers.h"

static void *create(const bench_arm *arm) { return (void *)arm; } /* NULL: it cannot do this one */
static void destroy(void *peer) { (void)peer; }

static double miss(const bench_arm *arm, const double *target, const double *pose) { /* its square */
    long double e[9], sum = 0;
    bench_effector(arm->figure, pose, &arm->effector, e); /* position, x and y of the tool */
    for (int i = 0; i < 9; i++)
        sum += (e[i] - target[i]) * (e[i] - target[i]);
    return (double)sum;
}

static void solve(void *peer, int instance, double *pose, bench_outcome *outcome) {
    const bench_arm *arm = peer;
    const double *target = arm->targets + 9 * instance, begin = bench_cpu_us();
    double best = miss(arm, target, pose), step = 0.5;
    while (best > 1e-11 && bench_cpu_us() - begin < arm->limit_us) {
        const double before = best;
        for (int i = 0; i < 2 * arm->variables; i++) {
            const double old = pose[i / 2], moved = old + (i % 2 ? step : -step);
            pose[i / 2] = moved < arm->joints[i / 2].lower || moved > arm->joints[i / 2].upper ? old : moved;
            const double now = miss(arm, target, pose);
            now < best ? (best = now) : (pose[i / 2] = old);
        }
        step = best < before ? step : step > 1e-7 ? 0.5 * step : 0.5;
    }
    outcome->is_solved = best <= 1e-11;
}
const peer_kind contestant = {"my solver", 10, create, solve, destroy};
