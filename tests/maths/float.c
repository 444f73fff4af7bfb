// SPDX-License-Identifier: Apache-2.0
// The functions of float; references are the host's in double.
typedef float number;
typedef double real;
#define REAL(name) name
#define NUMBER(name) name##f
#define ONLY_OF_FLOAT
enum { DIGITS = 24, EXPONENT_MAX = 128 };
#define MATHS_TYPE maths_of_float
#define TYPE_NAME "float"
#define INTEGER_NAME "int"
#include "tests/maths/of_type.h"
