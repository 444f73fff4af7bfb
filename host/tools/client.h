// SPDX-License-Identifier: Apache-2.0
// What the command-line programs (host/tools, host/examples) do alike: stop with one line that says what to do, choose
// a device, wait for a kernel with a progress line, and read its cycle figures.
#ifndef HEDDLE_TOOLS_CLIENT_H
#define HEDDLE_TOOLS_CLIENT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/tools/error_name.h"

// Exit statuses of every program here; `heddle --help` lists them.
enum { EXIT_KERNEL_FAILED = 1, EXIT_USAGE = 2, EXIT_BUILD_FAILED = 3, EXIT_NO_DEVICE = 4 };

// "program: text" on standard error, then exit(status). No memory is freed: the process is over.
void die(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
extern const char *program_name;  // set by main; the first word of every message

// Ends the program with this text on standard output where --help or -h is one of its arguments.
void answer_help(int argc, char **argv, const char *usage);

// Dies naming the call when the code is an error.
void check(cl_int code, const char *call);

void *allocate(size_t bytes);  // zeroed, or dies
// A string that the device reports, to be freed.
char *device_text(cl_device_id device, cl_device_info name);

// Of the number that a text begins with: 16 behind 0x, else 10. Who writes 010 means ten, not C's octal 8.
int number_base(const char *text);

// The whole file, with a zero behind it; its size in *bytes. Dies when it cannot be read, or has more than `most`
// bytes, which a device such as /dev/zero has. read_file: of a source, so 64 MiB.
char *read_file(const char *path, size_t *bytes);
char *read_file_up_to(const char *path, size_t most, size_t *bytes);

// The path of a file in share/heddle beside the folder of the running program (bin): where kernels of examples lie.
char *shared_file(const char *name);

// All Heddle devices; returns how many. Dies, saying what to install or set, when there are none.
cl_uint heddle_devices(cl_device_id *devices, cl_uint room);
// "sim" and "model" name the device that begins with "Heddle sim" or "Heddle model", a number counts from 0, any other
// text is sought in the names, NULL takes the first. Dies with the list when nothing fits.
cl_device_id choose_device(const char *which);

struct session {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;  // in order, with profiling
};
// A context and a queue on the device. What the context reports (a kernel's fault) goes to standard error.
struct session open_session(cl_device_id device);

// Builds a program; on failure prints the build log and exits with EXIT_BUILD_FAILED. `path` names it in messages.
cl_program build_program(struct session *session, const char *source, size_t bytes, const char *options,
                         const char *path);

// Of one dispatch, or of several added up.
struct figures {
  uint64_t cycles, issues, active_lanes, memory_requests;
  uint64_t memory_wait, conflict;  // cycles
  uint64_t cache_requests, cache_misses;
  uint32_t lanes, units, clock_khz;
  bool is_pipeline;  // a sub-group that begins counts as an issue, and nothing else is told of its cycles
};
// Of a completed kernel.
struct figures figures_of(cl_device_id device, cl_event event);
// Adds what dispatches count. `sum` may be all zero.
void add_figures(struct figures *sum, const struct figures *f);

// Whether the device tells where its cycles went. The golden model does not: it counts issues for cycles.
bool has_breakdown(const struct figures *f);
// Every cycle of every compute unit is an issue, a wait for memory, a conflict, or idle.
uint64_t idle_cycles(const struct figures *f);
double share_of_cycles(const struct figures *f, uint64_t cycles);  // 0 to 1
double cache_hits(const struct figures *f);                        // of the requests, 0 to 1

// What the device says of its memory, without which a cycle count means little: "64-byte lines, 60 cycles, a line every
// 4 cycles", then " on each of 2 channels" if there are several; or what of it is not known.
const char *memory_words(cl_device_id device, char text[96]);
const char *byte_words(uint64_t bytes, char text[32]);             // "32 KiB", "4 MiB", "none"
uint32_t device_figure(cl_device_id device, cl_device_info name);  // a cl_uint

double issues_per_cycle(const struct figures *f);
double lane_efficiency(const struct figures *f);  // active lanes over issued lanes, 0 to 1
double milliseconds(const struct figures *f);     // at the device's nominal clock

enum progress { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF };
// Waits for the event; shows work-groups done on standard error while it lasts (PROGRESS_AUTO: only on a terminal, and
// only after half a second). Returns clWaitForEvents' code and, in *seconds, the wall-clock time.
cl_int wait_with_progress(cl_event event, const char *what, enum progress progress, double *seconds);

// 1234567 as "1,234,567", in the given room; returns text.
const char *grouped(uint64_t value, char text[32]);

#endif
