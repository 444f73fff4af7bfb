// SPDX-License-Identifier: Apache-2.0
// Halves (IEEE 754-2019 binary16) as the host has them: not every compiler of it has a type for them. For any thread.
#ifndef HEDDLE_CONTRACT_HALF_H
#define HEDDLE_CONTRACT_HALF_H

#include <stdint.h>

// The bits of the half that is nearest to the number, of two the even one; infinity from 65,520 on.
uint16_t heddle_half_of(double number);

// The number that these bits are.
double heddle_half_value(uint16_t half);

#endif
