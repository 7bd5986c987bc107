#include "figure/figure.h"
#include <stdio.h>
