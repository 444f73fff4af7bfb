// SPDX-License-Identifier: Apache-2.0
// See ranks.h.
#include "host/examples/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_over;
static void abort_all(int status, void *unused) {
  (void)unused;
  if (!is_over)
    MPI_Abort(MPI_COMM_WORLD, status != 0 ? status : EXIT_KERNEL_FAILED);
}

// Before MPI begins, so that who starts one process by hand gets this message alone.
static void take_words(struct ranks *ranks, int count, char **words, const char *usage, size_t most) {
  for (int i = 1; i < count; i++) {
    char *end;
    const char *word = words[i];
    if (strcmp(word, "--device") == 0 && i + 1 < count) {
      ranks->device = words[++i];
      continue;
    }
    if (word[0] < '0' || word[0] > '9' || (ranks->size = strtoul(word, &end, 10), *end) || ranks->size > most)
      die(EXIT_USAGE, "what is '%s'?\n%s", word, usage);
  }
}

struct ranks ranks_begin(int *argc, char ***argv, const char *usage, const char *name, size_t otherwise, size_t piece,
                         size_t most) {
  struct ranks ranks = {.size = otherwise};
  answer_help(*argc, *argv, usage);
  take_words(&ranks, *argc, *argv, usage, most);
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  on_exit(abort_all, NULL);
  if (ranks.size == 0 || ranks.size % ((size_t)ranks.count * piece) != 0)
    die(EXIT_USAGE, "%s must be a multiple of %zu: %zu for each rank", name, (size_t)ranks.count * piece, piece);
  return ranks;
}

void ranks_open(struct ranks *ranks, const char *file) {
  char number[16];
  const bool each = ranks->device && strcmp(ranks->device, "each") == 0;
  snprintf(number, sizeof number, "%d", ranks->rank);
  ranks->session = open_session(choose_device(each ? number : ranks->device));
  char *path = shared_file(file);
  size_t bytes;
  char *source = read_file(path, &bytes);
  ranks->program = build_program(&ranks->session, source, bytes, "-cl-std=CL3.0", path);
  free(source);
  free(path);
}

cl_mem ranks_buffer(const struct ranks *ranks, size_t bytes) {
  cl_int error;
  const cl_mem buffer = clCreateBuffer(ranks->session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error, "clCreateBuffer");
  return buffer;
}

void ranks_write(const struct ranks *ranks, cl_mem buffer, const void *data, size_t bytes) {
  check(clEnqueueWriteBuffer(ranks->session.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

void ranks_read(const struct ranks *ranks, cl_mem buffer, void *data, size_t bytes) {
  check(clEnqueueReadBuffer(ranks->session.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

unsigned long long ranks_run(const struct ranks *ranks, const char *name, const size_t items[2], size_t local,
                             const cl_mem *buffers, cl_uint count, cl_uint number) {
  cl_int error;
  cl_event event;
  cl_kernel kernel = clCreateKernel(ranks->program, name, &error);
  check(error, "clCreateKernel");
  for (cl_uint i = 0; i < count; i++)
    check(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
  if (number != 0)
    check(clSetKernelArg(kernel, count, sizeof number, &number), "clSetKernelArg");
  check(
      clEnqueueNDRangeKernel(ranks->session.queue, kernel, 2, NULL, items, (const size_t[]){local, 1}, 0, NULL, &event),
      "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, &event), name);
  const unsigned long long cycles = figures_of(ranks->session.device, event).cycles;
  clReleaseEvent(event);
  clReleaseKernel(kernel);
  return cycles;
}

void ranks_report(const struct ranks *ranks, const char *unit, unsigned long long cycles) {
  const bool reports = ranks->rank == 0;
  unsigned long long most = 0, *all = allocate(reports ? (size_t)ranks->count * sizeof *all : 1);
  MPI_Gather(&cycles, 1, MPI_UNSIGNED_LONG_LONG, all, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  for (int r = 0; reports && r < ranks->count; r++) {
    printf("rank %d: %zu %s, %llu cycles\n", r, ranks->size / (size_t)ranks->count, unit, all[r]);
    most = all[r] > most ? all[r] : most;
  }
  if (reports)
    printf("%d ranks: %zu %s, device time %llu cycles\n", ranks->count, ranks->size, unit, most);
  free(all);
}

int ranks_end(struct ranks *ranks, bool right) {
  int verdict = right;
  MPI_Bcast(&verdict, 1, MPI_INT, 0, MPI_COMM_WORLD);
  clReleaseProgram(ranks->program);
  is_over = true;
  MPI_Finalize();
  return verdict ? 0 : EXIT_KERNEL_FAILED;
}
