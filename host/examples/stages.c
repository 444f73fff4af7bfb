// SPDX-License-Identifier: Apache-2.0
// What is printed of kernels (stages.h).
#include "host/examples/stages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void print_heading(cl_device_id device) {
  char memory[96];
  printf("External memory: %s\n", memory_words(device, memory));
  printf("  %-14s %12s %12s %14s %12s %10s %7s %12s %9s\n", "stage", "cycles", "issues/cycle", "active lanes",
         "memory wait", "conflicts", "idle", "device time", "simulated");
}

void print_stage(const char *name, const struct figures *f, double seconds) {
  char cycles[32];
  printf("  %-14s %12s %12.2f %12.1f %%", name, grouped(f->cycles, cycles), issues_per_cycle(f),
         100 * lane_efficiency(f));
  if (has_breakdown(f))
    printf(" %10.1f %% %8.1f %% %5.1f %%", 100 * share_of_cycles(f, f->memory_wait),
           100 * share_of_cycles(f, f->conflict), 100 * share_of_cycles(f, idle_cycles(f)));
  else
    printf(" %12s %10s %7s", "-", "-", "-");
  printf(" %9.2f ms %7.1f s\n", milliseconds(f), seconds);
  fflush(stdout);
}

char *path_in(const char *folder, const char *name) {
  const size_t room = strlen(folder) + strlen(name) + 2;
  char *path = allocate(room);
  snprintf(path, room, "%s/%s", folder, name);
  return path;
}

void make_folder(const char *folder) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    die(EXIT_USAGE, "cannot make %s: %s", folder, strerror(errno));
}
