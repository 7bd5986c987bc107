"""Fuzzed calls: wrong shapes, types, strides, numbers that are not finite, huge ones, None, wrong names, objects that are
freed in any order, threads. Each raises a clear exception or gives an answer; none crashes. 10,000 with --long."""

import gc
import os
import random
import threading
import warnings

from setup import IS_LONG, check, finish

import numpy as np

import limber

warnings.simplefilter("ignore")
COUNT = 10000 if IS_LONG else 1000
# What a caller can make sense of. AttributeError, SystemError, UnboundLocalError or an assertion would be our mistake.
CLEAR = (limber.LimberError, ValueError, TypeError, KeyError, OverflowError, IndexError, RuntimeError, MemoryError, OSError)
UNCLEAR = (AttributeError, SystemError, NameError, RecursionError, NotImplementedError)

rng = random.Random(int(os.environ.get("LIMBER_FUZZ_SEED", 17)))
arms = [limber.load("panda"), limber.load("ur5"), limber.load("chain:5")]
human = limber.load("human")
figures = [*arms, human, None, "panda", 3, object()]
names = ["link7", "wrist3", "joint1", "right_palm", "com", "", "nothing", "link7.x", None, 7, b"link7", "\0", "lïnk", "a" * 1000,
         ["link7"], "left_heel", "root"]


def number():
    return rng.choice([0, 1, -1, 0.5, 1e-300, 1e300, float("nan"), float("inf"), -float("inf"), 2**31, 2**63, 2**200, -2**31, "1",
                       None, True, 1j, rng.uniform(-3, 3), rng.randrange(-5, 20), np.float32(0.3), np.int8(3), [1]])


def array():
    shape = rng.choice([(3,), (7,), (4, 4), (0,), (1,), (6,), (5, 7), (5, 4, 4), (5, 3), (2, 2), (3, 0), (5, 6), (1, 7), ()])
    dtype = rng.choice(["f8", "f4", "i4", "i8", ">f8", "c16", "?", "u1", "O", "U3", "f2", "M8[s]"])
    try:
        made = np.array(np.random.default_rng(rng.randrange(1000)).normal(size=shape) * rng.choice([1, 1e6, 1e-9]))
        made = made.astype(dtype)
    except (TypeError, ValueError):
        made = np.zeros(shape)
    kind = rng.randrange(8)
    if kind == 0:
        made = np.asfortranarray(made)
    elif kind == 1 and made.ndim:
        made = np.repeat(made, 2, axis=0)[::2]
    elif kind == 2 and made.ndim:
        made = made[::-1]
    elif kind == 3 and made.dtype.kind == "f" and made.size:
        made.flat[rng.randrange(made.size)] = rng.choice([np.nan, np.inf, -np.inf])
    elif kind == 4:
        made = made.tolist()
    elif kind == 5:
        made = np.ma.masked_array(made)
    elif kind == 6 and made.ndim:
        made.flags.writeable = False
    return made


def place():
    kind = rng.randrange(6)
    if kind == 0:
        return np.eye(4)
    if kind == 1:
        return (array(), array())
    if kind == 2:
        return [rng.uniform(-1, 1) for _ in range(3)]
    if kind == 3:
        return rng.choice([None, "here", {}, {1, 2}, b"xx", object(), (), [[]], memoryview(b"abc"), range(3)])
    return array()


def anything():
    return rng.choice([number, array, place, lambda: rng.choice(names), lambda: rng.choice(figures), lambda: {}, lambda: len])()


def some_options():
    keys = ["restarts", "seed", "method", "max_iterations", "tracking", "keep_going", "deadline_us", "gradient_tolerance", "speed",
            "on_iteration", "cancel", "struct_size", "ccd", "preferred", "body"]
    # as many restarts and iterations as fuzzing draws would take for ever
    return {key: anything() if key not in ("restarts", "max_iterations", "on_iteration") else rng.choice([0, 1, 3, -1, None, "x"])
            for key in rng.sample(keys, rng.choice([0, 0, 0, 1, 2]))}


def some_common():
    keys = ["weight", "priority", "tolerance", "tolerance_rad", "chain", "relative_to", "figure", "name", "radius", "half_length", "size"]
    return {key: anything() for key in rng.sample(keys, rng.choice([0, 0, 1, 2]))}


GOALS = [limber.at, limber.frame, limber.turned, limber.aim, limber.line, limber.plane, limber.half_space, limber.above, limber.circle,
         limber.disc, limber.keep, limber.custom, limber.inside, limber.outside, limber.avoid]
SHAPES = [limber.box, limber.sphere, limber.capsule, limber.polyhedron]


def goal():
    make = rng.choice(GOALS)
    arguments = [rng.choice(names)]
    if make in (limber.inside, limber.outside, limber.avoid):
        arguments.append(rng.choice(SHAPES)(*[anything() for _ in range(rng.randrange(1, 4))]) if rng.random() < 0.8 else anything())
    elif make is limber.custom:
        arguments.append(rng.choice([lambda e: e[0] ** 2, lambda e: e, lambda e: None, lambda e: (1.0, e), lambda: 1, None, lambda e: 1 / 0]))
    else:
        arguments += [place() if rng.random() < 0.6 else anything() for _ in range(rng.randrange(0, 3))]
    return make(*arguments, **some_common())


kept = []  # objects that live on after others that they need were dropped


def keep(thing):
    kept.append(thing)
    if len(kept) > 40:
        del kept[rng.randrange(len(kept))]
    return thing


def pick(kind):
    found = [thing for thing in kept if isinstance(thing, kind)]
    return rng.choice(found) if found else None


def make_problem():
    problem = limber.Problem(rng.choice([rng.choice(figures), [rng.choice(figures) for _ in range(rng.randrange(3))]]), **({} if rng.random() < 0.8 else {"body": anything()}))
    return keep(problem)


def change_problem():
    problem = pick(limber.Problem) or make_problem()
    act = rng.randrange(12)
    if act < 4:
        problem.add(goal() if rng.random() < 0.8 else anything())
    elif act == 4:
        problem.move(rng.randrange(-1, 6) if rng.random() < 0.8 else anything(), place())
    elif act == 5:
        problem.remove(rng.choice([1, 2, 3, 99, -1, anything()]))
    elif act == 6:
        problem.set_weight(rng.randrange(0, 4), anything())
    elif act == 7:
        problem.enable(rng.randrange(0, 4), anything())
    elif act == 8:
        problem.wish_posture(anything(), number())
    elif act == 9:
        rng.choice([problem.wish_stay, problem.set_wish_level, problem.clear_body])(anything())
    elif act == 10:
        rng.choice([problem.set_active, problem.set_rigidity])(rng.choice(names), anything())
    else:
        problem.pose_as_body(**{rng.choice(["feet", "surfaces", "supports", "loads", "obstacles", "swivels", "effort", "balance", "floor", "wings"]): rng.choice(
            [anything(), {"left": anything()}, {"table": anything()}, {"right_hand": anything()}, {"left_palm": "table"}])})


def solve_problem():
    problem = pick(limber.Problem) or make_problem()
    if rng.random() < 0.5:
        keep(problem.solve(rng.choice([None, None, array(), anything()]), max_iterations=20, restarts=1))
    else:
        solver = keep(problem.solver(max_iterations=20, **some_options()))
        keep(solver.solve(rng.choice([None, array(), anything()])))
        rng.choice([lambda: solver.explain(), lambda: solver.value(anything()), lambda: solver.solve_all(anything(), rng.choice([1, 2, -1, None]))])()


def use_solution():
    solution = pick(limber.Solution)
    if solution is not None:
        rng.choice([lambda: solution[rng.choice(names)], lambda: solution.goals, lambda: solution.limits, lambda: repr(solution),
                    lambda: solution.levels, lambda: dict(solution), lambda: solution.body])()


def solve_at_once():
    goals = rng.choice([{rng.choice(["link7", "wrist3", "right_palm", None, 3, "x"]): place()}, {}, [goal()], goal(), anything()])
    keep(limber.solve(rng.choice(figures[:3] * 3 + figures), goals, rng.choice([None, None, array(), anything()]), **{"max_iterations": 20, **some_options()}))


def solve_batch():
    limber.solve_many(rng.choice(figures[:3] * 3 + figures + kept), array() if rng.random() < 0.8 else anything(), rng.choice([None, "link7", anything()]),
                      starts=rng.choice([None, None, array(), anything()]), threads=rng.choice([0, 1, 2, -1, None, 1.5]),
                      **{"restarts": 2, **some_options()})


def use_figure():
    figure = rng.choice(arms + [human])
    rng.choice([lambda: figure.pose(anything()), lambda: figure.frame(rng.choice(names), anything()), lambda: figure.jacobian(rng.choice(names), anything()),
                lambda: figure.violation(anything()), lambda: figure.clip(anything()), lambda: figure.com(anything()), lambda: figure.frames(rng.choice(names), array()),
                lambda: figure.random_pose(anything()), lambda: figure.index(anything()), lambda: figure.dumps(anything()),
                lambda: keep(figure.reroot(rng.choice(names), anything(), rng.random() < 0.5)),
                lambda: limber.loads(rng.choice([b"", b"<robot/>", "x" * 100, b"\xff\xfe", anything()]), format=rng.choice(["urdf", "fig", "bvh", anything()])),
                lambda: limber.load(rng.choice(["/", "/dev/null", "nowhere.bvh", "", "chain:-1", "chain:3", anything()])),
                lambda: limber.as_matrix(place()), lambda: limber.compose(place(), place()), lambda: limber.rotation(anything(), anything() if rng.random() < 0.5 else 1.0),
                lambda: limber.rotation(rpy=anything()), lambda: limber.balance(array(), number())])()


def use_motion():
    def clip():
        figure = rng.choice(arms)
        return keep(limber.Clip(figure, rng.choice([figure.random_poses(4), array(), anything()]), rng.choice([0.1, number()])))

    def motion():
        made = keep(limber.Motion(pick(limber.Problem) or make_problem(), rng.choice([None, anything()])))
        rng.choice([lambda: made.drive(rng.choice([1, 2, anything()]), rng.choice([[(0, place()), (1, place())], anything()])),
                    lambda: made.drive_variable(rng.choice(names + ["joint1"]), rng.choice([[(0, 0.1), (1, 0.2)], [(0, number())], anything()])),
                    lambda: made.carry(anything(), anything(), rng.choice(names), number(), number())])()
        keep(made.play(step=rng.choice([0.1, 0.5, number()])))

    def player():
        found = pick(limber.Player)
        if found is not None:
            rng.choice([lambda: found.pose(rng.choice([0, 0.3, -1, float("nan"), None, "x"])), lambda: found.rates(0.2), lambda: keep(found.clip(rng.choice([0, 1, -1, None]), 0.5))])()

    def sampled():
        found = pick(limber.Clip)
        if found is not None:
            rng.choice([lambda: found.sample(number(), rng.choice(["cubic", "linear", "wavy", None])), lambda: keep(found.resample(rng.choice([0.2, 0.05, None, -1, "x"]))),
                        lambda: found.contacts(rng.choice([["link7"], "link7", [], anything()])), lambda: setattr(found, "poses", anything())])()

    def track():
        limber.Track(rng.choice([[(0, 1), (1, 2)], [(number(), number())], anything()]), rng.choice(["values", "frame", "rotation", "x", None]),
                     rng.choice(["cubic", "step", "x", 3, None])).sample(number())

    rng.choice([clip, motion, player, sampled, track])()


def draw():
    if rng.random() < 0.2:
        rng.choice(arms).render(anything(), **{"width": 64, "height": 64, rng.choice(["zoom", "views", "title", "dark", "width", "nonsense"]): anything()})


def ask_reach():
    """Closed forms, workspaces, habits, problem files."""
    def closed():
        form = pick(limber.ClosedForm) or keep(limber.ClosedForm(rng.choice(figures), rng.choice(["link7", "wrist3", *names]),
                                                                 base=rng.choice([None, None, *names]), pose=rng.choice([None, anything()])))
        found = form.solve(place(), rng.choice([None, anything()]))
        form.swivel(rng.choice([0, 1, len(found.all), -1, 99]), rng.choice([0.0, number()]))

    def reach():
        made = pick(limber.Reach) or keep(limber.Reach(rng.choice(figures), rng.choice(["link7", "wrist3", *names]), spacing=rng.choice([-1, 0.2, number()]),
                                                       moves=rng.choice([None, ["joint1"], anything()]), frames=rng.random() < 0.5))
        rng.choice([lambda: made.point(anything()), lambda: made.frame(place()), lambda: made.box, lambda: repr(made)])()

    def habit():
        found = pick(limber.Habit) or keep(limber.load_habit(rng.choice(["human", "nowhere", anything()]), rng.choice([human, *figures])))
        problem = pick(limber.Problem)
        rng.choice([lambda: found.cost(anything()), lambda: problem and problem.set_habit(rng.choice([found, None, anything()]), rng.choice([0, number()]))])()

    def written():
        problem = pick(limber.Problem) or make_problem()
        if problem is not None:
            problem.dumps(rng.choice([None, anything()]), rng.choice([None, ["a.fig"], anything()]))

    rng.choice([closed, reach, habit, written])()


def build():
    """Builders: parts by names that may not be there."""
    builder = pick(limber.Builder) or keep(limber.Builder(rng.choice(["made", *arms, human, anything()])))
    segments = [*builder.segments, *names]
    joints = [*builder.joints, *names]
    shape = rng.choice([limber.sphere([0, 0, 0], 0.1), limber.capsule([0, 0, 0], [0, 0, 1], 0.1), anything()])
    rng.choice([lambda: builder.segment(rng.choice(["a", "b", "c", anything()]), rng.choice([1, number()])), lambda: builder.site(rng.choice(["s", anything()]), rng.choice(segments), place()),
                lambda: builder.joint(rng.choice(["j", "k", anything()]), rng.choice(segments), rng.choice(segments), rng.choice(["R(z)", "ball", "x", anything()]),
                                      **{rng.choice(["lower", "upper", "rest", "swing", "dof_names", "speed"]): rng.choice([0.1, [0, 1], anything()])}),
                lambda: builder.shape(rng.choice(segments), shape, rng.choice([-1, anything()])), lambda: builder.freeze(rng.choice(joints), rng.choice([None, anything()])),
                lambda: builder.thaw(rng.choice(joints)), lambda: builder.remove(rng.choice(joints + segments)), lambda: builder.change(rng.choice(joints), rng.choice([None, "R(x)", anything()]),
                                                                                                                                        lower=rng.choice([0, anything()])),
                lambda: builder.drive(rng.choice(joints), rng.choice(joints), rng.choice([1, number()]), points=rng.choice([None, anything()])),
                lambda: builder.limit(rng.choice([{rng.choice(joints): 1.0}, {}, {"joint1": anything()}]), number()), lambda: builder.root(rng.choice(segments), free=rng.random() < 0.5, at=place()),
                lambda: builder.parameter(rng.choice(["g", anything()]), rng.choice(["p", anything()]), lower=number()), lambda: builder.dh(rng.choice([[{"a": 1}], [{"a": anything()}], anything()]), rng.choice(names)),
                lambda: builder.attach(rng.choice(figures), rng.choice(["x_", anything()]), to=rng.choice([None, *segments])), lambda: builder.scale(number(), number()),
                lambda: builder.keep_connected(rng.choice(segments)), lambda: repr(builder), lambda: keep(builder.finish()).random_pose(1)])()


def drop():
    if kept:
        kept.pop(rng.randrange(len(kept)))
    if rng.random() < 0.05:
        gc.collect()


ACTS = [make_problem, change_problem, change_problem, solve_problem, solve_problem, use_solution, solve_at_once, solve_at_once, solve_batch, use_figure,
        use_figure, use_motion, use_motion, draw, ask_reach, ask_reach, build, build, drop]
raised = answered = 0
where = os.environ.get("LIMBER_FUZZ_TRACE")
for i in range(COUNT):
    act = rng.choice(ACTS)
    if where:
        with open(where, "w", encoding="utf-8") as file:
            file.write(f"{i} {act.__name__}\n")
    try:
        act()
        answered += 1
    except UNCLEAR as error:
        check(False, f"call {i}, {act.__name__}: {error!r}")
        if where:
            raise
    except (ZeroDivisionError, *CLEAR) as error:
        raised += 1
        check(bool(str(error)), f"call {i}, {act.__name__}: {type(error)} without a word")
check(raised > COUNT // 10 and answered > COUNT // 10, f"{raised} raised, {answered} answered")

# Threads that share a figure, a problem and a solver: answers, or an exception that says whose turn it is.
arm = arms[0]
problem = limber.Problem(arm)
hand = problem.add(limber.at("link7", [0.4, 0, 0.5]))
solver = problem.solver()
problems = []


def work(seed):
    local = random.Random(seed)
    for _ in range(150):
        try:
            kind = local.randrange(5)
            if kind == 0:
                solver.solve(arm.random_pose(local.randrange(1000)))
            elif kind == 1:
                problem.move(hand, [local.uniform(-0.5, 0.5), local.uniform(-0.5, 0.5), 0.5])
            elif kind == 2:
                limber.solve(arm, {"link7": [0.4, local.uniform(-0.3, 0.3), 0.5]})
            elif kind == 3:
                problem.remove(problem.add(limber.above("link4", 0.1)))
            else:
                problem.solve(arm.rest)
        except RuntimeError as error:
            if "another thread" not in str(error):
                problems.append(error)
        except Exception as error:  # whatever it is, it should not be
            problems.append(error)


threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check(not problems, f"threads: {problems[:3]!r}")
finish(f"{raised} calls raised, {answered} answered")
