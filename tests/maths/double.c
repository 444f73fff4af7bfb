// SPDX-License-Identifier: Apache-2.0
// The functions of double; references are the host's in long double.
typedef double number;
typedef long double real;
#define REAL(name) name##l
#define NUMBER(name) name
enum { DIGITS = 53, EXPONENT_MAX = 1024 };
#define MATHS_TYPE maths_of_double
#define TYPE_NAME "double"
#define INTEGER_NAME "long"
#include "tests/maths/of_type.h"
