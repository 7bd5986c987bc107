/*
 * Out of memory while a file is read: the N-th allocation of the caller's allocator fails. The reader says so, hands
 * out no figure, and leaves nothing behind.
 */
#include "check.h"
#include "failing.h"

#include <limber/io.h>
#include <string.h>

static const char fig[] =
    "figure arm {\n"
    "  segment upper { mass = 2kg; site base->location = trans(0cm, 0cm, 0cm);\n"
    "    site tip->location = trans(0cm, 0cm, 30cm); shape = capsule(base, tip, 4cm); }\n"
    "  segment lower { site base->location = trans(0cm, 0cm, 0cm);\n"
    "    site tip->location = trans(0cm, 0cm, 25cm); }\n"
    "  segment hand { site base->location = trans(0cm, 0cm, 0cm); }\n"
    "  joint elbow { connect upper.tip to lower.base; type = R(y); llimit = (0deg); ulimit = (142deg); }\n"
    "  joint wrist { connect lower.tip to hand.base; type = swing_twist(z); swing = cone(60deg); }\n"
    "  root = upper.base;\n"
    "  body { posture elbow = 0.2 huber 20deg comfort 1; solid arm = capsule(lower, (0, 0, 0), (0, 0, 25cm), 3cm);\n"
    "    contact tip = palm(hand, (0, 0, 0)) limb 2; strength elbow = 55 of lower; ease bend: elbow <= 1 weight 1;\n"
    "    arm right { shoulder = upper; hand = hand; palm = hand.base; } head = hand; gaze = hand.base; eyes = (hand);\n"
    "    start bent { elbow = 20deg; } }\n"
    "}\n";

static const char urdf[] =
    "<robot name=\"arm\"><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n"
    "<joint name=\"one\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>\n"
    "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n"
    "<joint name=\"two\" type=\"revolute\"><parent link=\"b\"/><child link=\"c\"/><origin xyz=\"0 0 1\"/><axis xyz=\"0 "
    "1 0\"/>\n"
    "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/><mimic joint=\"one\" "
    "multiplier=\"0.5\"/></joint></robot>\n";

static const char mjcf[] =
    "<mujoco model=\"arm\"><worldbody><body name=\"a\"><joint name=\"one\" axis=\"0 0 1\"/>\n"
    "<geom type=\"sphere\" size=\"0.1\"/><body name=\"b\" pos=\"0 0 1\"><joint name=\"two\" type=\"ball\"/>\n"
    "<geom type=\"sphere\" size=\"0.1\"/></body></body></worldbody></mujoco>\n";

static const char bvh[] = "HIERARCHY\nROOT hips\n{\n  OFFSET 0 0 0\n"
                          "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                          "  JOINT chest\n  {\n    OFFSET 0 10 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                          "    End Site\n    {\n      OFFSET 0 5 0\n    }\n  }\n}\n"
                          "MOTION\nFrames: 1\nFrame Time: 0.033\n0 0 0 0 0 0 0 0 0\n";

/* A person of few bones who moves: two keys of a translation, 0 0 0 and 1 1 1. */
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"Hips\",\"children\":[1,2,3]},\n"
    "{\"name\":\"Head\",\"translation\":[0,1,0],\"children\":[4]},{\"name\":\"LeftUpLeg\",\"translation\":[1,0,0]},\n"
    "{\"name\":\"RightUpLeg\",\"translation\":[-1,0,0]},{}],\"skins\":[{\"joints\":[0,1,2,3]}],\n"
    "\"buffers\":[{\"byteLength\":32,\"uri\":\"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAgD8=\"}],\n"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":32}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
    "\"count\":2,\n"
    "\"type\":\"SCALAR\"},{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],\n"
    "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\n"
    "\"target\":{\"node\":0,\"path\":\"translation\"}}]}]}\n";

static void exhaust(lb_format format, const char *text) {
    const char *name = lb_format_name(format);
    for (long n = 0;; n++) {
        failing memory;
        lb_load_options options;
        lb_figure *figure = NULL;
        lb_clip *clip = NULL;
        lb_error error;
        failing_init(&memory, n, 1);
        lb_load_options_defaults(&options);
        options.format = format;
        options.allocator = &memory.allocator;
        options.anatomical_limits = 1;
        check_note("%s, allocation %ld fails", name, n);
        lb_status status = lb_clip_load_memory(text, strlen(text), "sample", &options, &figure, &clip, &error);
        if (memory.failed) {
            CHECK_INT(status, LB_ERROR_MEMORY);
            CHECK(figure == NULL && clip == NULL);
        } else if (!CHECK_INT(status, LB_OK)) {
            printf("%s:%d: %s\n", name, error.line, error.message);
        }
        lb_clip_destroy(clip);
        lb_figure_destroy(figure);
        CHECK_INT(memory.blocks, 0);
        CHECK_INT(memory.mistakes, 0);
        if (!memory.failed) {
            CHECK(n > 0); /* the reader does use the allocator */
            printf("%s: each of %ld allocations failed once\n", name, n);
            return;
        }
    }
}

static void exhaust_habit(void) {
    static const char text[] = "habit 1 source \"a\" features 2 variable a 0 height 1 factor 1 2 3 starts 1 0 0";
    for (long n = 0;; n++) {
        failing memory;
        lb_load_options options;
        lb_habit *habit = NULL;
        lb_error error;
        failing_init(&memory, n, 1);
        lb_load_options_defaults(&options);
        options.allocator = &memory.allocator;
        check_note("habit, allocation %ld fails", n);
        lb_status status = lb_habit_load_memory(text, strlen(text), "sample", NULL, &options, &habit, &error);
        CHECK_INT(status, memory.failed ? LB_ERROR_MEMORY : LB_OK);
        CHECK(!memory.failed || habit == NULL);
        lb_habit_destroy(habit);
        CHECK_INT(memory.blocks, 0);
        CHECK_INT(memory.mistakes, 0);
        if (!memory.failed) {
            CHECK(n > 0);
            return;
        }
    }
}

int main(void) {
    exhaust(LB_FORMAT_FIG, fig);
    exhaust(LB_FORMAT_URDF, urdf);
    exhaust(LB_FORMAT_MJCF, mjcf);
    exhaust(LB_FORMAT_BVH, bvh);
    exhaust(LB_FORMAT_GLTF, gltf);
    exhaust_habit();
    return check_done();
}
