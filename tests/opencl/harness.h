// SPDX-License-Identifier: Apache-2.0
// What every OpenCL suite needs: the device under test, programs, buffers, and failures that say expected, got and
// where. The device comes from the environment: HEDDLE_TEST_DEVICE is sim (the default), model, or board, which a test
// plugs in before (tests/transport); HEDDLE_SIM_LANES,
// HEDDLE_SIM_SLOTS and HEDDLE_SIM_UNITS are read by the library itself. Criterion runs each test in a process of its
// own, so a test opens the device afresh and leaves everything to the end of the process.
#ifndef HEDDLE_TESTS_HARNESS_H
#define HEDDLE_TESTS_HARNESS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/tools/error_name.h"

// One line of the context callback.
enum { NOTICES_MAX = 16, NOTICE_BYTES = 1024 };

struct harness {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;  // in order, profiling enabled
  bool is_rtl;             // the slow one: keep sizes small
  bool is_long;            // make test-long: more data
  bool is_short;           // a shape whose RTL is slow (HEDDLE_TEST_SHORT), unless is_long: few cases of each kind
  uint32_t lanes, slots, units;
  size_t max_work_group_size;  // of the device
  char notices[NOTICES_MAX][NOTICE_BYTES];
  volatile int notice_count;
};

// The device under test, opened by the first call; the test fails when it is not there.
struct harness *harness(void);

// The first of the sub-group sizes that a test goes through, up to the lanes: 1, or all lanes where is_short.
uint32_t smallest_tested_size(void);

// Ends with the device: the next call of harness() opens one afresh, as after a board was plugged in again.
void harness_forget(void);

cl_platform_id heddle_platform(void);

// Whether HEDDLE_CHECK=1.
bool kernels_are_checked(void);

// Both devices of the platform, without a context. Fails the test when one is missing; under HEDDLE_CHECK=1, where the
// platform has the model alone, skips it.
void heddle_devices(cl_platform_id *platform, cl_device_id *sim, cl_device_id *model);

// The test fails unless `got` is `expected`, naming both, the call, and its place.
#define EXPECT_CODE(expected, call) expect_code((expected), (call), #call, __FILE__, __LINE__)
#define EXPECT_SUCCESS(call) EXPECT_CODE(CL_SUCCESS, call)
void expect_code(cl_int expected, cl_int got, const char *call, const char *file, int line);

// The test fails, with a message as of printf.
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

// A queue of the harness' context and device.
cl_command_queue new_queue(cl_command_queue_properties properties);

// A program built from source; the test fails with the build log when it does not build. options may be NULL.
cl_program build(const char *source, const char *options);
cl_program build_file(const char *path);  // the same from a kernel file that heddlec wrote
cl_kernel kernel_of(cl_program program, const char *name);

// A buffer of `bytes` with a copy of data (NULL: zeros). 0 bytes become 4, so that an empty case needs no case.
cl_mem buffer_with(const void *data, size_t bytes);
void read_buffer(cl_mem buffer, void *data, size_t bytes);

// Sets arguments in order; each is (size, pointer). Ends with size SIZE_MAX.
void set_args(cl_kernel kernel, ...);
#define ARG(value) sizeof(value), (const void *)&(value)
#define LOCAL_ARG(bytes) (size_t)(bytes), (const void *)NULL
#define END_ARGS SIZE_MAX

// Enqueues, waits, and fails the test unless the kernel completed. local may be NULL, offset too.
void run(cl_kernel kernel, cl_uint dim, const size_t *offset, const size_t *global, const size_t *local);
void run_1d(cl_kernel kernel, size_t global, size_t local);

// The largest work-group this kernel may have here.
size_t work_group_limit(cl_kernel kernel);

// A reproducible sequence (xorshift), the same on every machine.
uint32_t random_u32(uint32_t *state);

// Compares arrays; on the first difference the test fails with `what`, index, expected and got (decimal and hex).
void expect_u32(const char *what, const uint32_t *expected, const uint32_t *got, size_t count);

void *allocate(size_t bytes);  // zeroed; the test fails when there is none

#endif
