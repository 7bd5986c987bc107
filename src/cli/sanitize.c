/* What the sanitizers should know about the program when it is built with them; else this file is empty. */
#include <limber/limber.h>

/* fontconfig keeps what it knows of fonts until the end: not a leak of ours. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECK 1
#endif
#endif
#ifdef HAS_LEAK_CHECK
LB_API const char *__lsan_default_suppressions(void);
LB_API const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif
