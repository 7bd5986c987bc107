#include <limber/solve.h>
