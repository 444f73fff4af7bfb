// SPDX-License-Identifier: Apache-2.0
// What every board has to do right, on whatever link: results against the definition, and a fault that is reported. The
// harness's device is the board; a difference fails the test.
#ifndef HEDDLE_TESTS_BOARD_CHECKS_H
#define HEDDLE_TESTS_BOARD_CHECKS_H

#include <stddef.h>

// OpenCL C of a kernel `scan`, an inclusive sum over its work-group; for -cl-std=CL3.0.
extern const char scan_source[];

// A scan over `count` work-items, in work-groups of 8, two sub-groups each.
void expect_scan(size_t count);

// So many words to a buffer of the device and back.
void expect_words_back(size_t count);

// A kernel that writes where no memory is: its event fails, and the context is told once.
void expect_fault(void);

#endif
