// SPDX-License-Identifier: Apache-2.0
// What binary32 operations of Zfinx give: the host's arithmetic where it has the operation and the rounding mode, else
// written from IEEE 754-2019 and the RISC-V specification.
#ifndef HEDDLE_TESTS_RTL_FLOAT_REFERENCE_H
#define HEDDLE_TESTS_RTL_FLOAT_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum rounding { NEAREST_EVEN, TO_ZERO, DOWN, UP, NEAREST_AWAY };
enum { CANONICAL_NAN = 0x7FC00000 };

float float_of(uint32_t bits);
uint32_t bits_of(float value);

uint32_t float_fused(uint32_t a, uint32_t b, uint32_t c, enum rounding mode);
// The same without the host's rounding: by integers from an exact sum.
uint32_t float_fused_by_integers(uint32_t a, uint32_t b, uint32_t c, enum rounding mode);
uint32_t float_add(uint32_t a, uint32_t b, enum rounding mode);
uint32_t float_multiply(uint32_t a, uint32_t b, enum rounding mode);
uint32_t float_divide(uint32_t a, uint32_t b, enum rounding mode);
uint32_t float_root(uint32_t a, enum rounding mode);
uint32_t float_from_integer(uint32_t a, bool is_signed, enum rounding mode);
uint32_t float_to_integer(uint32_t a, bool is_signed, enum rounding mode);
uint32_t float_minimum(uint32_t a, uint32_t b, bool maximum);
uint32_t float_compare(uint32_t a, uint32_t b, uint32_t funct3);
uint32_t float_class(uint32_t a);

#endif
