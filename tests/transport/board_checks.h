// SPDX-License-Identifier: Apache-2.0
// What every board has to do right, on whatever link: results against the definition, and a fault that is reported. The
// harness's device is the board; a difference fails the test.
#ifndef HEDDLE_TESTS_BOARD_CHECKS_H
#define HEDDLE_TESTS_BOARD_CHECKS_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// OpenCL C of kernels, for -cl-std=CL3.0: `scan`, an inclusive sum over its work-group, and `spin`, which never ends
// while its argument points to 0.
extern const char scan_source[], spin_source[];

// A scan over `count` work-items, in work-groups of 8, two sub-groups each.
void expect_scan(size_t count);
void expect_scan_by(cl_program program, size_t count);  // that has the kernel `scan`

// So many words to a buffer of the device and back.
void expect_words_back(size_t count);

// The program's kernel `k`, which has a buffer, runs for two work-items: its event fails, and the context is told once,
// with this text.
void expect_faults(const char *source, const char *what);

// A kernel that writes where no memory is, the first one to fail.
void expect_fault(void);

// The devices that there are now, the default one first, of which there is room for 32; returns how many.
cl_uint devices_now(cl_device_id *devices);

// Whether a device's name begins so: "Heddle board on USB".
bool is_called(cl_device_id device, const char *name);

// The board, which has to be the default device, whether it can be used or not.
cl_device_id board_now(void);
bool is_available(cl_device_id device);

// The board cannot be used, and says so in words that hold `reason`.
void expect_unavailable(const char *reason);

// Work is under way and waits, of a program that has the kernel `spin`, when `pull_out` takes the board away: all of it
// ends, and what is asked for later too, with CL_DEVICE_NOT_AVAILABLE.
void expect_events_to_end(cl_program program, void (*pull_out)(void));

// Enqueues work of all kinds with the program's kernel `scan`, takes the board away at a random moment, and expects
// every event to end, with nothing but success or CL_DEVICE_NOT_AVAILABLE. Keeps nothing. Returns how many ended well.
unsigned pull_out_in_flight(cl_command_queue queue, cl_program program, uint32_t *seed, void (*pull_out)(void));

#endif
