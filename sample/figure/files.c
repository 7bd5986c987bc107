#include "limber/io.h"
