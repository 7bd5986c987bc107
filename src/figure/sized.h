/* Structs of the caller that begin with `size_t struct_size`, and that may be of an older header than the library. */
#ifndef LIMBER_FIGURE_SIZED_H
#define LIMBER_FIGURE_SIZED_H

#include <limber/limber.h>

/* What the library knows of such a struct. Every size from `first` to `size` is that of some version. A field that is
 * added later stands behind all others, and begins at or behind the end of the struct as it was: the compiler's padding
 * at the end of the older struct is not used, or two versions would have the same size. */
typedef struct lbf_sized {
    const char *name; /* of the type */
    size_t first;     /* its size in the first version that has struct_size, 0.2.0 */
    size_t size;      /* its size now */
} lbf_sized;

/* The lbf_sized of a type whose last field in version 0.2.0 was `last`. */
#define LBF_SIZED(type, last)                                                                                          \
    {                                                                                                                  \
#type,                                                                                                         \
            (offsetof(type, last) + sizeof(((type *)0)->last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type), \
            sizeof(type)                                                                                               \
    }

/* Whether the caller's struct is of a known size; else LB_ERROR_STRUCT, with the reason in *error, which may be
 * NULL. */
lb_status lbf_check_sized(const lbf_sized *kind, const void *given, lb_error *error);
/* Copies what the caller's struct has over `taken`, a whole struct that holds the defaults; its struct_size becomes
 * kind->size. given NULL: nothing is copied. Fails as lbf_check_sized does. */
lb_status lbf_take_sized(const lbf_sized *kind, const void *given, void *taken, lb_error *error);
/* Copies as much of `made`, a whole struct, as the caller's checked struct has room for; its struct_size stays. */
void lbf_give_sized(const lbf_sized *kind, const void *made, void *given);
/* The work of an lb_..._defaults_sized function: fills the first struct_size bytes of the caller's struct, as far as
 * the library knows them, with the defaults in `made`, a whole struct, and stores struct_size. given may be NULL. */
void lbf_default_sized(const lbf_sized *kind, const void *made, void *given, size_t struct_size);

#endif
