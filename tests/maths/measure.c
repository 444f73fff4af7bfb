// SPDX-License-Identifier: Apache-2.0
// The worst error of each maths, common and geometric function on the golden model, as any OpenCL program runs it, over
// corners and dense points, against the limits of OpenCL C 3.0 (full profile). `make test-maths` runs it. A table on
// standard output, the same for programs in a JSON file; exit status 1 when a limit is exceeded.
#include "tests/maths/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/tools/client.h"

enum { CHUNK = 65536, GROUP = 64, BATCH = 8, SOURCE_BYTES = 1 << 14, INPUTS = 3, BUFFERS = INPUTS + 1 };

struct bench {
  struct session session;
  const struct maths_type *type;
  uint64_t points;
  cl_mem buffers[BUFFERS];  // x, y, z, results
  void *numbers[BUFFERS];
};

static FILE *json;
static int missed, measured;

// ---- one function

static cl_program program_of(struct bench *bench, int first, int end) {
  static char source[SOURCE_BYTES];
  const struct maths_type *t = bench->type;
  int used = snprintf(source, sizeof source,
                      "#define T %s\n#define T2 %s2\n#define T3 %s3\n#define T4 %s4\n#define as_uT as_u%s\n", t->name,
                      t->name, t->name, t->name, t->integer);
  for (int i = first; i < end; i++) {
    used += snprintf(source + used, sizeof source - (size_t)used,
                     "kernel void k%d(global const T *a, global const T *b, global const T *c, global T *out) {\n"
                     "  size_t i = get_global_id(0); T x = a[i], y = b[i], z = c[i]; out[i] = %s; }\n",
                     i, t->expression(i));
  }
  return build_program(&bench->session, source, (size_t)used, "-cl-std=CL3.0", "functions");
}

static void run_chunk(struct bench *bench, cl_kernel kernel, uint32_t count) {
  const size_t bytes = count * bench->type->bytes, global = count, local = GROUP;
  const cl_command_queue queue = bench->session.queue;
  for (int b = 0; b < INPUTS; b++)
    check(clEnqueueWriteBuffer(queue, bench->buffers[b], CL_FALSE, 0, bytes, bench->numbers[b], 0, NULL, NULL),
          "clEnqueueWriteBuffer");
  cl_event event;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event), "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, "maths", PROGRESS_OFF, NULL) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "a kernel did not complete");
  clReleaseEvent(event);
  check(clEnqueueReadBuffer(queue, bench->buffers[INPUTS], CL_TRUE, 0, bytes, bench->numbers[INPUTS], 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

static struct worst worst_of(struct bench *bench, cl_program program, int index) {
  char name[16];
  snprintf(name, sizeof name, "k%d", index);
  cl_int error;
  const cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  for (cl_uint b = 0; b < BUFFERS; b++)
    check(clSetKernelArg(kernel, b, sizeof bench->buffers[b], &bench->buffers[b]), "clSetKernelArg");
  struct worst worst = {.error = -1};
  for (uint64_t first = 0; first < bench->points; first += CHUNK) {
    const uint32_t count = bench->points - first < CHUNK ? (uint32_t)(bench->points - first) : CHUNK;
    bench->type->fill(index, first, count, bench->numbers);
    run_chunk(bench, kernel, count);
    bench->type->judge(index, count, bench->numbers, bench->numbers[INPUTS], &worst);
  }
  clReleaseKernel(kernel);
  return worst;
}

// ---- what is said of it

// JSON has no infinities: they are text.
static const char *json_number(double value, char text[32]) {
  snprintf(text, 32, isfinite(value) ? "%.6g" : "\"%g\"", value);
  return text;
}

static void report(const struct bench *bench, int index, const struct worst *worst) {
  const struct maths_type *t = bench->type;
  const double limit = t->limit(index);
  const bool passes = worst->error <= limit;
  char number[32], bound[32];
  snprintf(bound, sizeof bound, isinf(limit) ? "any" : "%g", limit);
  printf("%-7s%-44s%10llu %10.4g %7s %-4s %s", t->name, t->expression(index), (unsigned long long)bench->points,
         worst->error, bound, t->is_absolute(index) ? "abs" : "ulp", passes ? "pass" : "FAIL");
  if (worst->error > 0)
    printf("  %s: %s expected, got %s", worst->at, worst->expected, worst->got);
  putchar('\n');
  fflush(stdout);
  fprintf(json, "%s\n  {\"type\": \"%s\", \"function\": \"%s\", \"points\": %llu, \"unit\": \"%s\", \"worst\": %s, ",
          measured == 0 ? "" : ",", t->name, t->expression(index), (unsigned long long)bench->points,
          t->is_absolute(index) ? "tolerance" : "ulp", json_number(worst->error, number));
  fprintf(json, "\"limit\": %s, \"at\": \"%s\", \"expected\": \"%s\", \"got\": \"%s\", \"passes\": %s}",
          isinf(limit) ? "null" : json_number(limit, number), worst->at, worst->expected, worst->got,
          passes ? "true" : "false");
  measured++;
  missed += !passes;
}

static void show_progress(const struct bench *bench, int index) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K%s: %d of %d functions, %s\r", bench->type->name, index + 1, bench->type->count,
            bench->type->expression(index));
}

static void measure(struct bench *bench, const char *only) {
  for (int b = 0; b < BUFFERS; b++) {
    cl_int error;
    const size_t bytes = CHUNK * bench->type->bytes;
    bench->numbers[b] = allocate(bytes);
    bench->buffers[b] = clCreateBuffer(bench->session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    check(error, "clCreateBuffer");
  }
  for (int first = 0; first < bench->type->count; first += BATCH) {
    const int end = first + BATCH < bench->type->count ? first + BATCH : bench->type->count;
    cl_program program = NULL;
    for (int i = first; i < end; i++) {
      if (only && !strstr(bench->type->expression(i), only))
        continue;
      if (!program)
        program = program_of(bench, first, end);
      show_progress(bench, i);
      const struct worst worst = worst_of(bench, program, i);
      if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
      report(bench, i, &worst);
    }
    if (program)
      clReleaseProgram(program);
  }
  for (int b = 0; b < BUFFERS; b++) {
    clReleaseMemObject(bench->buffers[b]);
    free(bench->numbers[b]);
  }
}

static uint64_t points_of(const char *text) {
  char *end;
  const unsigned long long points = strtoull(text, &end, 10);
  if (*end != 0 || points < GROUP || points % GROUP != 0)
    die(EXIT_USAGE, "the number of points must be a multiple of %d, not \"%s\"", GROUP, text);
  return points;
}

int main(int argc, char **argv) {
  program_name = "maths";
  if (argc < 4 || argc > 5)
    die(EXIT_USAGE, "usage: measure FILE.json FLOAT-POINTS DOUBLE-POINTS [PART-OF-A-FUNCTION]");
  setenv("HEDDLE_BUDGET_CYCLES", "0", 0);  // these kernels end
  setenv("HEDDLE_DOUBLE", "1", 1);
  json = fopen(argv[1], "w");
  if (!json)
    die(EXIT_USAGE, "cannot write %s", argv[1]);
  fprintf(json, "[");
  struct bench bench = {.session = open_session(choose_device("model"))};
  printf("%-7s%-44s%10s %10s %7s %-4s\n", "type", "function", "points", "worst", "limit", "unit");
  const struct maths_type *const types[] = {&maths_of_float, &maths_of_double};
  for (int t = 0; t < 2; t++) {
    bench.type = types[t];
    bench.points = points_of(argv[2 + t]);
    measure(&bench, argc > 4 ? argv[4] : NULL);
  }
  fprintf(json, "\n]\n");
  if (fclose(json) != 0)
    die(EXIT_USAGE, "cannot write %s", argv[1]);
  printf("%d functions measured, %d of them beyond their limit\n", measured, missed);
  if (measured == 0)
    die(EXIT_USAGE, "no function is called \"%s\"", argv[4]);
  return missed != 0;
}
