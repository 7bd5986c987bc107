/* Calls with bad arguments: what the generated program and driver.c share. */
#ifndef LIMBER_TESTS_DRIVER_H
#define LIMBER_TESTS_DRIVER_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

typedef enum kind { POINTER, TEXT, DOUBLE, INT, COUNT, SIZE, SIZE_COUNT, LONG, ENUM, KINDS } kind;

/* A number, text or pointer that a bad value takes the place of. */
typedef struct leaf {
    const char *name; /* inside its spot */
    const char *path; /* as recipes.mjs has it */
    size_t offset;
    kind kind;
    unsigned welcome; /* bits of the values that are no mistake: INT_MIN, INT_MAX; all: none is */
} leaf;

/* An argument, or what it points to. */
typedef struct spot {
    const char *label;
    const leaf *leaves;
    int count, argument;
} spot;

typedef struct outcome {
    int can_refuse, refused;
} outcome;

typedef struct function {
    const char *name;
    void (*run)(outcome *out);
    const spot *spots;
    int spot_count;
    int changes; /* it may change what it is given */
} function;

extern const function functions[];
extern const int function_count;

/* Puts the bad values of the present case into a function's arguments. */
void put_bad(void *const *bases, const spot *spots);
/* Memory that functions write to, several of them. */
double *room(int number);

#endif
