// SPDX-License-Identifier: Apache-2.0
// Runs a compiled kernel on the golden model, or on the Verilated device (of 8 lanes and 32 slots) whose file the
// environment variable HEDDLE_TEST_RTL names.
#ifndef HEDDLE_TESTS_HLS_DEVICE_H
#define HEDDLE_TESTS_HLS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/model/model.h"
#include "tests/hls/compiler.h"

// Where images are loaded.
enum { DEVICE_IMAGE = 0x00010000 };

struct buffer {
  void *data;  // copied in before, and out after
  size_t bytes;
};

// An image argument. `pixels` goes in and comes back as a buffer does.
struct image {
  uint32_t order, type;                       // as CL_RGBA, CL_UNORM_INT8
  uint32_t width, height, depth, array_size;  // 0: 1
  uint32_t row_pitch, slice_pitch;            // in bytes
  struct buffer pixels;
};

// What a dispatch took, of the device's counters.
struct counters {
  uint32_t cycles, issues;
};

struct dispatch {
  const char *kernel;
  uint32_t global[3], local[3], offset[3];  // 0: 1, 1, 0
  uint32_t sub_group_size;                  // 0: 8
  struct buffer buffers[8];                 // the kernel's pointer arguments, in order; bytes 0: local memory
  uint32_t local_argument_bytes;            // for each of those
  uint64_t clock;                           // the device's, when the kernel starts
  uint32_t values[8];                       // its value arguments and samplers, in order, of up to 4 bytes
  struct image images[4];                   // its images, in order
  struct counters *counters;                // or NULL
  heddle_model_trace trace;                 // told of each instruction (sim/model/model.h), or NULL
  void *trace_user;
  heddle_model_sc_choice choose_sc;  // which sc.w succeed (sim/model/model.h); NULL: those that can
  void *choose_sc_user;
};

// Fails the test if the dispatch faults.
void run_kernel(const struct result *compiled, const struct dispatch *dispatch);

#endif
