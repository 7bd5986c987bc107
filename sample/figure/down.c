#include "math/vec.h"
#include <string.h>
