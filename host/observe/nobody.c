// SPDX-License-Identifier: Apache-2.0
// What stands for observe.c where nobody looks on: in a library for embedded hosts (HEDDLE_NO_COMPILER=1) and in
// programs without an operating system.
#include <stddef.h>

#include "host/observe/observe.h"

struct heddle_observed *heddle_observe_device(const struct heddle_sim_api *api, void *device) {
  (void)api;
  (void)device;
  return NULL;
}

void heddle_observe_library(struct heddle_observed *observed, void *library) {
  (void)observed;
  (void)library;
}

void heddle_observe_closed(struct heddle_observed *observed) {
  (void)observed;
}

void heddle_observe_shape(struct heddle_observed *observed, const struct heddle_capabilities *capabilities) {
  (void)observed;
  (void)capabilities;
}

void heddle_observe_program(struct heddle_observed *observed, const struct heddle_kernel_file *file, uint32_t address,
                            const char *source, size_t source_bytes) {
  (void)observed;
  (void)file;
  (void)address;
  (void)source;
  (void)source_bytes;
}

bool heddle_traces(void) {
  return false;
}

uint64_t heddle_trace_clock(void) {
  return 0;
}

void heddle_trace_host(const char *process, const char *track, const char *name, uint64_t start, uint64_t bytes) {
  (void)process;
  (void)track;
  (void)name;
  (void)start;
  (void)bytes;
}

void heddle_trace_command(struct heddle_observed *observed, const struct heddle_traced_command *command) {
  (void)observed;
  (void)command;
}

void heddle_trace_ahead(uint64_t nanoseconds) {
  (void)nanoseconds;
}
