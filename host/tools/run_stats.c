// SPDX-License-Identifier: Apache-2.0
// Figures of a kernel that has run, for people and as JSON (run_stats.h).
#include "host/tools/run_stats.h"

#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/run_faults.h"

// 0: the library chose the work-groups, and with them the sub-groups.
static size_t sub_group_size(struct session *session, cl_kernel kernel, const struct request *request) {
  size_t size = 0;
  if (!request->local_dim || clGetKernelSubGroupInfo(kernel, session->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                     request->local_dim * sizeof(size_t), request->local, sizeof size,
                                                     &size, NULL) != CL_SUCCESS)
    return 0;
  return size;
}

static cl_ulong work_groups_of(cl_event event) {
  cl_ulong groups = 0;
  check(clGetEventInfo(event, CL_EVENT_GROUPS_TOTAL_HEDDLE, sizeof groups, &groups, NULL), "clGetEventInfo");
  return groups;
}

static void print_share(const char *what, const struct figures *f, uint64_t cycles) {
  char text[32];
  printf("  %-15s %14s  %5.1f %%\n", what, grouped(cycles, text), 100 * share_of_cycles(f, cycles));
}

static void print_breakdown(const struct figures *f) {
  if (f->is_pipeline) {
    puts("  (a pipeline has no issues; --profile says where its cycles went)");
    return;
  }
  if (!has_breakdown(f)) {
    puts("  (this device counts issues for cycles: it has no figures of memory wait, conflicts and idle)");
    return;
  }
  print_share("issues", f, f->issues);
  print_share("memory wait", f, f->memory_wait);
  print_share("conflicts", f, f->conflict);
  print_share("idle", f, idle_cycles(f));
}

static void print_stats(struct session *session, const struct figures *f, cl_ulong groups, size_t size,
                        double seconds) {
  char text[96];
  char *name = device_text(session->device, CL_DEVICE_NAME);
  printf("device            %s\n", name);
  free(name);
  printf("work-groups       %s", grouped(groups, text));
  if (size)
    printf(" in sub-groups of %zu", size);
  printf("\ncycles            %s\n", grouped(f->cycles, text));
  print_breakdown(f);
  if (f->is_pipeline)
    printf("sub-groups        %s\n", grouped(f->issues, text));
  else
    printf("issues            %s, %.2f a cycle\n", grouped(f->issues, text), issues_per_cycle(f));
  printf("active lanes      %.1f %% of %u\n", 100 * lane_efficiency(f), f->lanes);
  printf("cache             %s", byte_words(device_figure(session->device, CL_DEVICE_CACHE_BYTES_HEDDLE), text));
  if (f->cache_requests)
    printf(", %s requests, %.1f %% hits", grouped(f->cache_requests, text), 100 * cache_hits(f));
  printf("\nmemory requests   %s\n", grouped(f->memory_requests, text));
  printf("external memory   %s\n", memory_words(session->device, text));
  const double time = milliseconds(f);
  printf("time at %g MHz   %.3f %s\n", (double)f->clock_khz / 1000, time < 1 ? time * 1000 : time,
         time < 1 ? "us" : "ms");
  printf("simulated in      %.2f s", seconds);
  if (seconds > 0)
    printf(" (%.0f kHz)", (double)f->cycles / seconds / 1000);
  putchar('\n');
}

static void print_json_count(const char *key, bool known, uint64_t value) {
  if (known)
    printf(", \"%s\": %llu", key, (unsigned long long)value);
  else
    printf(", \"%s\": null", key);
}

static void print_json(struct session *session, cl_event event, const struct figures *f, size_t size, double seconds) {
  const uint32_t latency = device_figure(session->device, CL_DEVICE_MEMORY_LATENCY_HEDDLE);
  const uint32_t interval = device_figure(session->device, CL_DEVICE_MEMORY_INTERVAL_HEDDLE);
  const uint32_t cache = device_figure(session->device, CL_DEVICE_CACHE_BYTES_HEDDLE);
  char *name = device_text(session->device, CL_DEVICE_NAME);
  printf("{\"device\": \"%s\"", name);  // our own text: letters, digits and brackets
  free(name);
  print_json_count("lanes", true, f->lanes);
  print_json_count("units", true, f->units);
  print_json_count("work_groups", true, work_groups_of(event));
  print_json_count("sub_group_size", size != 0, size);
  print_json_count("cycles", true, f->cycles);
  print_json_count("issues", !f->is_pipeline, f->issues);
  print_json_count("memory_wait_cycles", has_breakdown(f), f->memory_wait);
  print_json_count("conflict_cycles", has_breakdown(f), f->conflict);
  print_json_count("idle_cycles", has_breakdown(f), idle_cycles(f));
  print_json_count("active_lanes", true, f->active_lanes);
  print_json_count("cache_bytes", true, cache);
  print_json_count("cache_requests", cache != 0, f->cache_requests);
  print_json_count("cache_misses", cache != 0, f->cache_misses);
  print_json_count("memory_requests", true, f->memory_requests);
  print_json_count("memory_line", true, device_figure(session->device, CL_DEVICE_LINE_BYTES_HEDDLE));
  print_json_count("memory_latency", latency != 0, latency);
  print_json_count("memory_interval", interval != 0, interval);
  print_json_count("memory_channels", true, device_figure(session->device, CL_DEVICE_MEMORY_CHANNELS_HEDDLE));
  print_json_count("clock_khz", true, f->clock_khz);
  printf(", \"seconds\": %.6f, \"faults\": ", seconds);
  print_faults(event);
  puts("}");
}

void show_stats(struct session *session, cl_kernel kernel, cl_event event, const struct request *request,
                double seconds) {
  struct figures f = figures_of(session->device, event);
  cl_uint kind = 0;
  check(clGetKernelWorkGroupInfo(kernel, session->device, CL_KERNEL_KIND_HEDDLE, sizeof kind, &kind, NULL),
        "clGetKernelWorkGroupInfo of the kind of unit");
  f.is_pipeline = kind != 0;
  const size_t size = sub_group_size(session, kernel, request);
  if (request->stats && request->json)
    print_json(session, event, &f, size, seconds);
  else if (request->stats)
    print_stats(session, &f, work_groups_of(event), size, seconds);
}
