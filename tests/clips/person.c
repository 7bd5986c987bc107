#include "person.h"
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct turn {
    double m[3][3];
} turn;

const char *const person_mixamo[PERSON_BONES] = {
    "mixamorig:Hips",        "mixamorig:Spine",        "mixamorig:Spine2",        "mixamorig:Neck",
    "mixamorig:Head",        "mixamorig:LeftShoulder", "mixamorig:RightShoulder", "mixamorig:LeftArm",
    "mixamorig:RightArm",    "mixamorig:LeftForeArm",  "mixamorig:RightForeArm",  "mixamorig:LeftHand",
    "mixamorig:RightHand",   "mixamorig:LeftUpLeg",    "mixamorig:RightUpLeg",    "mixamorig:LeftLeg",
    "mixamorig:RightLeg",    "mixamorig:LeftFoot",     "mixamorig:RightFoot",     "mixamorig:LeftToeBase",
    "mixamorig:RightToeBase"};

static const int parents[PERSON_BONES] = {-1,
                                          PERSON_HIPS,
                                          PERSON_SPINE,
                                          PERSON_CHEST,
                                          PERSON_NECK,
                                          PERSON_CHEST,
                                          PERSON_CHEST,
                                          PERSON_CLAVICLE,
                                          PERSON_CLAVICLE + 1,
                                          PERSON_UPPER_ARM,
                                          PERSON_UPPER_ARM + 1,
                                          PERSON_FOREARM,
                                          PERSON_FOREARM + 1,
                                          PERSON_HIPS,
                                          PERSON_HIPS,
                                          PERSON_THIGH,
                                          PERSON_THIGH + 1,
                                          PERSON_SHANK,
                                          PERSON_SHANK + 1,
                                          PERSON_FOOT,
                                          PERSON_FOOT + 1};

/* From the parent's joint to the bone's own, for someone who stands with hanging arms: ahead, left, up. Left ones. */
static void offset_of(int bone, double out[3]) {
    static const double lefts[PERSON_BONES][3] = {
        [PERSON_SPINE] = {0, 0, 0.1},     [PERSON_CHEST] = {0, 0, 0.2},       [PERSON_NECK] = {0, 0, 0.25},
        [PERSON_HEAD] = {0.01, 0, 0.1},   [PERSON_CLAVICLE] = {0, 0.03, 0.2}, [PERSON_UPPER_ARM] = {0, 0.15, 0},
        [PERSON_FOREARM] = {0, 0, -0.28}, [PERSON_HAND] = {0, 0, -0.25},      [PERSON_THIGH] = {0, 0.09, -0.02},
        [PERSON_SHANK] = {0, 0, -0.42},   [PERSON_FOOT] = {0, 0, -0.42},      [PERSON_TOES] = {0.13, 0, -0.06},
    };
    int is_right = bone >= PERSON_CLAVICLE && (bone - PERSON_CLAVICLE) % 2;
    memcpy(out, lefts[bone - is_right], 3 * sizeof *out);
    out[1] = is_right ? -out[1] : out[1];
}

static turn about(int axis, double angle) {
    turn r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    r.m[a][a] = r.m[b][b] = cos(angle);
    r.m[b][a] = sin(angle);
    r.m[a][b] = -sin(angle);
    return r;
}

static turn times(turn a, turn b) {
    turn r;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.m[i][k] = a.m[i][0] * b.m[0][k] + a.m[i][1] * b.m[1][k] + a.m[i][2] * b.m[2][k];
        }
    }
    return r;
}

static turn back(turn a) {
    turn r;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.m[i][k] = a.m[k][i];
        }
    }
    return r;
}

static void apply(turn a, const double v[3], double out[3]) {
    double r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = a.m[i][0] * v[0] + a.m[i][1] * v[1] + a.m[i][2] * v[2];
    }
    memcpy(out, r, sizeof r);
}

/* How far through the motion a frame is, 0 to 1 and back. */
static double phase(int frame, int frames) { return frames > 1 ? 0.5 - 0.5 * cos(2 * PI * frame / (frames - 1)) : 0; }

/* What a bone does in its joint: the knees bend and come up again while feet stay where they are, the arms rise and
 * bend, the trunk leans and turns, the head looks aside. */
static turn local_turn(int bone, double t) {
    double side = bone >= PERSON_CLAVICLE && (bone - PERSON_CLAVICLE) % 2 ? -1 : 1, knee = 0.5 * t;
    switch (bone - (side < 0)) {
    case PERSON_SPINE:
        return times(about(1, 0.15 * t), about(2, 0.2 * t));
    case PERSON_CHEST:
        return about(2, 0.2 * t);
    case PERSON_HEAD:
        return about(2, -0.5 * t);
    case PERSON_UPPER_ARM:
        return times(about(1, -0.6 * t), about(0, side * (0.2 + 0.8 * t)));
    case PERSON_FOREARM:
        return about(1, -0.2 - 1.1 * t);
    case PERSON_THIGH:
        return about(1, -knee);
    case PERSON_SHANK:
        return about(1, 2 * knee);
    case PERSON_FOOT:
        return about(1, -knee);
    default:
        return about(0, 0);
    }
}

static turn world_turn(int bone, double t) {
    return parents[bone] < 0 ? about(0, 0) : times(world_turn(parents[bone], t), local_turn(bone, t));
}

/* Where the hips are: above ankles that stand 6 cm over the ground. */
static void hips_place(double t, double out[3]) {
    out[0] = out[1] = 0;
    out[2] = 0.06 + 0.84 * cos(0.5 * t) + 0.02;
}

void person_place(int bone, int frame, int frames, double place_w[3]) {
    double t = phase(frame, frames), way[3];
    if (parents[bone] < 0) {
        hips_place(t, place_w);
        return;
    }
    person_place(parents[bone], frame, frames, place_w);
    offset_of(bone, way);
    apply(world_turn(parents[bone], t), way, way);
    for (int i = 0; i < 3; i++) {
        place_w[i] += way[i];
    }
}

/* How a bone is turned at rest, from hanging. */
static turn rest_turn(person_rest rest, int bone) {
    double side = bone >= PERSON_CLAVICLE && (bone - PERSON_CLAVICLE) % 2 ? -1 : 1;
    int left = bone - (side < 0), is_arm = left >= PERSON_UPPER_ARM && left <= PERSON_HAND;
    if (is_arm && (rest == PERSON_T || rest == PERSON_A)) {
        return about(0, side * (rest == PERSON_T ? PI / 2 : PI / 4));
    }
    if (rest != PERSON_ALONG) {
        return about(0, 0);
    }
    return left == PERSON_CLAVICLE  ? about(2, -side * PI / 2)
           : bone < PERSON_CLAVICLE ? about(1, PI / 2)
                                    : times(about(0, side * 0.7), about(1, -PI / 2)); /* with a roll of its own */
}

/* --- The file ----------------------------------------------------------------------------------------- */

typedef struct file {
    const person_style *style;
    char *text;
    size_t size, capacity;
} file;

static void put(file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
#include <stdarg.h>
static void put(file *f, const char *format, ...) {
    va_list list;
    if (f->capacity - f->size < 256) {
        f->capacity = 2 * f->capacity + 4096;
        f->text = realloc(f->text, f->capacity);
        REQUIRE(f->text != NULL);
    }
    va_start(list, format);
    f->size += (size_t)vsnprintf(f->text + f->size, f->capacity - f->size, format, list);
    va_end(list);
}

/* Limber's axes in the file's: row i of the matrix is the file's axis i. */
static turn axes_of(const person_style *style) {
    static const turn y_up = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}, z_up = {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    return style->is_z_up ? z_up : y_up;
}

static int has_positions(const person_style *style, int bone) {
    return parents[bone] < 0 || style->stretch > 0 || style->rest == PERSON_ZERO;
}

/* The joint in the frame of its parent's bone, at rest. */
static void rest_offset(const person_style *style, int bone, double out[3]) {
    offset_of(bone, out);
    if (parents[bone] >= 0) {
        apply(rest_turn(style->rest, parents[bone]), out, out);
    }
    apply(axes_of(style), out, out);
}

static void put_joint(file *f, int bone) {
    const person_style *style = f->style;
    double offset[3];
    int children = 0;
    rest_offset(style, bone, offset);
    put(f, "%s %s\n{\n", parents[bone] < 0 ? "ROOT" : "JOINT", (style->names ? style->names : person_mixamo)[bone]);
    double scale = style->rest == PERSON_ZERO ? 0 : 1 / style->unit;
    put(f, "OFFSET %.17g %.17g %.17g\n", offset[0] * scale, offset[1] * scale, offset[2] * scale);
    put(f, "CHANNELS %d %sZrotation Xrotation Yrotation\n", has_positions(style, bone) ? 6 : 3,
        has_positions(style, bone) ? "Xposition Yposition Zposition " : "");
    for (int k = 0; k < PERSON_BONES; k++) {
        if (parents[k] == bone) {
            put_joint(f, k);
            children++;
        }
    }
    if (!children) {
        const double tip[3] = {bone >= PERSON_TOES ? 0.07 : 0, 0,
                               bone == PERSON_HEAD   ? 0.15
                               : bone >= PERSON_TOES ? 0
                                                     : -0.1};
        apply(rest_turn(style->rest, bone), tip, offset);
        apply(axes_of(style), offset, offset);
        put(f, "End Site\n{\nOFFSET %.17g %.17g %.17g\n}\n", offset[0] / style->unit, offset[1] / style->unit,
            offset[2] / style->unit);
    }
    put(f, "}\n");
}

/* Values of a joint in the order of the hierarchy. */
static void put_values(file *f, int bone, int frame) {
    const person_style *style = f->style;
    double t = phase(frame, style->frames), offset[3];
    turn axes = axes_of(style), now = times(world_turn(bone, t), back(rest_turn(style->rest, bone)));
    if (has_positions(style, bone)) {
        if (parents[bone] < 0) {
            hips_place(t, offset);
            apply(axes, offset, offset);
        } else {
            rest_offset(style, bone, offset);
        }
        double factor = parents[bone] < 0 ? 1 : 1 + style->stretch * sin(0.7 * frame + bone);
        for (int i = 0; i < 3; i++) {
            put(f, "%.17g ", offset[i] * factor / style->unit);
        }
    }
    if (parents[bone] >= 0) {
        turn above = times(world_turn(parents[bone], t), back(rest_turn(style->rest, parents[bone])));
        now = times(back(above), now);
    }
    now = times(axes, times(now, back(axes))); /* Z X Y */
    double cosine = hypot(now.m[0][1], now.m[1][1]), z, y;
    if (cosine > 1e-7) {
        z = atan2(-now.m[0][1], now.m[1][1]);
        y = atan2(-now.m[2][0], now.m[2][2]);
    } else { /* only their sum or difference counts */
        z = atan2(now.m[1][0], now.m[0][0]);
        y = 0;
    }
    put(f, "%.17g %.17g %.17g ", z * 180 / PI, atan2(now.m[2][1], cosine) * 180 / PI, y * 180 / PI);
    for (int k = 0; k < PERSON_BONES; k++) {
        if (parents[k] == bone) {
            put_values(f, k, frame);
        }
    }
}

char *person_bvh(const person_style *style) {
    file f = {style, NULL, 0, 0};
    put(&f, "HIERARCHY\n");
    put_joint(&f, 0);
    put(&f, "MOTION\nFrames: %d\nFrame Time: %.17g\n", style->frames, PERSON_FRAME_TIME);
    for (int i = 0; i < style->frames; i++) {
        put_values(&f, 0, i);
        put(&f, "\n");
    }
    return f.text;
}

void person_load(const person_style *style, int has_hints, lb_figure **figure, lb_clip **clip) {
    char *text = person_bvh(style);
    lb_load_options options;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_BVH;
    options.unit = has_hints ? style->unit : 0;
    options.bvh_up = !has_hints ? LB_BVH_UP_AUTO : style->is_z_up ? LB_BVH_UP_Z : LB_BVH_UP_Y;
    *figure = NULL;
    if (clip ? lb_clip_load_memory(text, strlen(text), "person.bvh", &options, figure, clip, &error)
             : lb_figure_load_memory(text, strlen(text), "person.bvh", &options, figure, &error)) {
        check_note("%s", error.message);
    }
    free(text);
    REQUIRE(*figure != NULL);
}
