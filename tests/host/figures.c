// SPDX-License-Identifier: Apache-2.0
// What the command-line tools make of a device's figures, with one compute unit and with several.
#include <CL/cl.h>
#include <CL/cl_heddle.h>
#include <criterion/criterion.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "host/tools/client.h"
#include "tests/host/fake_device.h"

static const char *words_of_a_device(char text[96]) {
  cl_platform_id platform;
  cl_device_id device;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  cr_assert_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  cr_assert_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), CL_SUCCESS);
  return memory_words(device, text);
}

Test(figures, memory_of_several_channels_is_told) {
  char text[96];
  cr_assert_str_eq(words_of_a_device(text), "32-byte lines, 30 cycles, a line every 3 cycles on each of 2 channels");
}

Test(figures, of_one_channel_nothing_is_said) {
  char text[96];
  fake_device_lie(HEDDLE_REG_MEMORY_CHANNELS, 1);
  cr_assert_str_eq(words_of_a_device(text), "32-byte lines, 30 cycles, a line every 3 cycles");
}

Test(figures, channels_do_not_tell_how_fast_an_unknown_memory_is) {
  char text[96];
  fake_device_lie(HEDDLE_REG_MEMORY_INTERVAL, 0);
  cr_assert_str_eq(words_of_a_device(text), "32-byte lines, latency and bandwidth not known");
}

Test(figures, the_longest_words_have_room) {
  char text[96];
  fake_device_lie(HEDDLE_REG_MEMORY_LATENCY, UINT32_MAX);
  cr_assert_str_eq(words_of_a_device(text),
                   "32-byte lines, 4294967295 cycles, a line every 3 cycles on each of 2 channels");
}

// Each unit has every cycle of the dispatch.
Test(figures, cycles_of_several_units_add_up) {
  const struct figures f = {.cycles = 1000, .issues = 1200, .memory_wait = 600, .conflict = 300, .units = 3};
  cr_assert_eq(idle_cycles(&f), 900);
  cr_assert_float_eq(share_of_cycles(&f, f.issues), 0.4, 1e-9);
  cr_assert_float_eq(issues_per_cycle(&f), 1.2, 1e-9);
}

// The golden model counts issues for cycles and nothing else. Of several units the issues may be as many as the cycles.
Test(figures, a_device_that_counts_cycles_is_told_from_one_that_counts_issues) {
  cr_assert(!has_breakdown(&(struct figures){.cycles = 500, .issues = 500, .memory_requests = 9, .units = 2}));
  cr_assert(has_breakdown(&(struct figures){.cycles = 500, .issues = 400, .units = 1}));
  cr_assert(has_breakdown(&(struct figures){.cycles = 500, .issues = 500, .memory_wait = 3, .units = 2}));
  cr_assert(has_breakdown(&(struct figures){.cycles = 500, .issues = 500, .cache_requests = 3, .units = 2}));
}
