// SPDX-License-Identifier: Apache-2.0
// What suites inside the guest share: whom they ask to plug boards in and out, and the kernels that they run.
#ifndef HEDDLE_TESTS_GUEST_H
#define HEDDLE_TESTS_GUEST_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

// Has boot.py, outside, do something, such as "plug high", and waits until it has. The test fails when it cannot.
void ask_outside(const char *what);

// The kernels of kernels.cl, for the harness's device.
cl_program guest_kernels(void);

// Whether clGetDeviceIDs still gives it.
bool is_listed(cl_device_id board);

// For each of `count` work-items, by kernel `sub_groups`, what its sub-group's largest number is and how many are odd.
void expect_sub_groups(size_t count);

// Another process has the board: it is said which, and when that has ended the board is available. Called before
// anything else of OpenCL, since the other process comes from this one.
void expect_holder_named(void);

// A user without permission for the board is told what gives it, and with permission it is available.
void expect_permission_named(const char *remedy);

#endif
