// SPDX-License-Identifier: Apache-2.0
// Measures one device and prints its figures, a line `name value` each. Names are those of tests/bench/README.md. Run
// for each device by tests/bench/bench.py. Kernel files lie beside it.
#include <CL/cl_ext.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/client.h"
#include "tests/bench/run_problem.h"

enum { CHAIN = 64, THROUGHPUT_OPERATIONS = 256, ROUNDS = 4 };

static struct session session;
static cl_uint lanes, slots;

static cl_program program_from(const char *file, const char *options) {
  char path[4096];
  snprintf(path, sizeof path, "tests/bench/%s", file);
  if (strchr(file, '/'))
    snprintf(path, sizeof path, "%s", file);
  size_t bytes;
  char *source = read_file(path, &bytes);
  cl_program program = build_program(&session, source, bytes, options, path);
  free(source);
  return program;
}

static cl_kernel kernel_of(cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  return kernel;
}

static cl_mem new_buffer(size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  check(error, "clCreateBuffer");
  cl_int *words = allocate(bytes);
  for (size_t i = 0; i < bytes / 4; i++)
    words[i] = (cl_int)(i * 2654435761u >> 20);
  check(clEnqueueWriteBuffer(session.queue, buffer, CL_TRUE, 0, bytes, words, 0, NULL, NULL), "clEnqueueWriteBuffer");
  free(words);
  return buffer;
}

// Runs the kernel to its end and returns the event, and the wall-clock time in *seconds.
static cl_event complete(cl_kernel kernel, cl_uint dim, const size_t *global, const size_t *local, double *seconds) {
  cl_event event;
  check(clEnqueueNDRangeKernel(session.queue, kernel, dim, NULL, global, local, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, "bench", PROGRESS_OFF, seconds) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "a kernel did not complete");
  return event;
}

// Cycles from the first start to the last end that the work-items of one of collective.cl's kernels noted.
static double span(cl_program program, const char *name, size_t items) {
  cl_kernel kernel = kernel_of(program, name);
  cl_mem out = new_buffer(items * 12);
  const cl_int x = 1;
  check(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof x, &x), "clSetKernelArg");
  clReleaseEvent(complete(kernel, 1, &items, &items, NULL));
  cl_uint *times = allocate(items * 12);
  check(clEnqueueReadBuffer(session.queue, out, CL_TRUE, 0, items * 12, times, 0, NULL, NULL), "clEnqueueReadBuffer");
  cl_uint first = times[0], last = times[1];
  for (size_t i = 0; i < items; i++) {  // differences, since the counter may wrap
    if ((cl_int)(times[3 * i] - first) < 0)
      first = times[3 * i];
    if ((cl_int)(times[3 * i + 1] - last) > 0)
      last = times[3 * i + 1];
  }
  free(times);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  return last - first;
}

// Types by their names in figures and in OpenCL C.
struct type {
  const char *figure, *name;
  bool throughput;  // of half there are many instructions, and each has to be issued
};
static const struct type I32 = {"i32", "int", true}, F32 = {"f32", "float", true}, I64 = {"i64", "long", true};
static const struct type F16 = {"f16", "half", false};

static cl_program timing_program(const char *operation, struct type type) {
  char options[512];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIZE=%u -DROUNDS=%d -DOPERATION=%s -DTYPE=%s", lanes, ROUNDS,
           operation, type.name);
  return program_from("collective.cl", options);
}

// What the command line names of the collectives: parts of figures' names; none: all.
static char **wanted;
static int wanted_count;

static bool is_wanted(const char *prefix) {
  for (int i = 0; i < wanted_count; i++)
    if (strstr(prefix, wanted[i]))
      return true;
  return wanted_count == 0;
}

static void operation_figures(const char *prefix, const char *operation, struct type type) {
  if (!is_wanted(prefix))
    return;
  cl_program program = timing_program(operation, type);
  const double nothing = span(program, "nothing", lanes), chain = span(program, "latency", lanes);
  printf("%s.latency %.4f\n", prefix, (chain - nothing) / CHAIN);
  if (!type.throughput) {
    clReleaseProgram(program);
    return;
  }
  const size_t all = (size_t)slots * lanes < 1024 ? (size_t)slots * lanes : 1024;
  const double cycles = span(program, "throughput", all);
  printf("%s.slots %.4f\n", prefix, cycles / ((double)(all / lanes) * ROUNDS * THROUGHPUT_OPERATIONS));
  clReleaseProgram(program);
}

// What a name without sub_group_ is the function of is said.
static void sub_group_figures(const char *name, const char *operation, struct type type) {
  char prefix[128], function[128];
  snprintf(prefix, sizeof prefix, "sub_group.%s.%s.S%u", name, type.figure, lanes);
  snprintf(function, sizeof function, "sub_group_%s", name);
  operation_figures(prefix, operation ? operation : function, type);
}

// ---- functions that are made of several instructions, and all others that are timed alone

// Kernels of one program, which takes less time than a program each.
struct many {
  char *source;
  size_t room, used;
  struct one {
    char prefix[96];
    bool is_of_work_group;
  } *all;
  size_t count, most;
};

enum { WORK_GROUP_ITEMS = 256 };

static void add_text(struct many *many, const char *format, ...) {
  va_list values;
  if (many->room - many->used < 1024) {
    many->room = 2 * many->room + 65536;
    char *longer = allocate(many->room);
    memcpy(longer, many->source ? many->source : "", many->used);
    free(many->source);
    many->source = longer;
  }
  va_start(values, format);
  many->used += (size_t)vsnprintf(many->source + many->used, many->room - many->used, format, values);
  va_end(values);
}

// `operation` is what x becomes in each step.
static void add_one(struct many *many, const char *prefix, struct type type, const char *operation) {
  if (!is_wanted(prefix))
    return;
  if (many->count == many->most) {
    struct one *more = allocate((2 * many->most + 64) * sizeof *more);
    if (many->count != 0)
      memcpy(more, many->all, many->count * sizeof *more);
    free(many->all);
    many->all = more;
    many->most = 2 * many->most + 64;
  }
  struct one *one = &many->all[many->count];
  one->is_of_work_group = strncmp(prefix, "work_group", strlen("work_group")) == 0;
  snprintf(one->prefix, sizeof one->prefix, "%s", prefix);
  add_text(many, "#undef TYPE\n#undef OPERATION\n#define TYPE %s\n#define OPERATION(x) (TYPE)(%s)\n%s(many_%zu)\n",
           type.name, operation, one->is_of_work_group ? "TIMED_ONCE" : "TIMED_CHAIN", many->count++);
}

static void add_sub_group(struct many *many, struct type type, const char *name, const char *arguments) {
  char prefix[128], operation[256];
  snprintf(prefix, sizeof prefix, "sub_group.%s.%s.S%u", name, type.figure, lanes);
  snprintf(operation, sizeof operation, "sub_group_%s(%s)", name, arguments);
  add_one(many, prefix, type, operation);
}

static void add_as(struct many *many, struct type type, const char *name, const char *operation) {
  char prefix[128];
  snprintf(prefix, sizeof prefix, "sub_group.%s.%s.S%u", name, type.figure, lanes);
  add_one(many, prefix, type, operation);
}

// What collectives() measures also with every slot busy.
static bool has_slots(const char *name, struct type type) {
  return strcmp(type.figure, "f32") == 0 ? strcmp(name, "non_uniform_reduce_min") == 0
                                         : type.figure[0] == 'i' && strcmp(name, "non_uniform_reduce_add") == 0;
}

static void add_folds(struct many *many, struct type type, const char *const *operations) {
  static const char *const modes[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  char name[96];
  for (size_t i = 0; operations[i]; i++) {
    for (size_t m = 0; m < 3; m++) {
      snprintf(name, sizeof name, "non_uniform_%s_%s", modes[m], operations[i]);
      if (!has_slots(name, type))
        add_sub_group(many, type, name, "x");
    }
    snprintf(name, sizeof name, "sub_group_clustered_reduce_%s(x, 8)", operations[i]);
    char figure[96];
    snprintf(figure, sizeof figure, "clustered_reduce_%s_of_8", operations[i]);
    add_as(many, type, figure, name);
  }
}

static void add_work_group(struct many *many, struct type type) {
  static const char *const modes[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  static const char *const operations[] = {"add", "min", "max"};
  char prefix[128], operation[128];
  for (size_t i = 0; i < 9; i++) {
    snprintf(operation, sizeof operation, "work_group_%s_%s(x)", modes[i / 3], operations[i % 3]);
    snprintf(prefix, sizeof prefix, "work_group.%s_%s.%s.n%d.S%u", modes[i / 3], operations[i % 3], type.figure,
             WORK_GROUP_ITEMS, lanes);
    add_one(many, prefix, type, operation);
  }
}

static void measure_many(struct many *many) {
  char options[256];
  size_t bytes;
  char *file = read_file("tests/bench/collective.cl", &bytes), *source = allocate(bytes + many->used + 1);
  memcpy(source, file, bytes);
  memcpy(source + bytes, many->source, many->used);
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIZE=%u -DROUNDS=1 -DOPERATION=alu_add -DTYPE=int", lanes);
  cl_program program = build_program(&session, source, bytes + many->used, options, "tests/bench/collective.cl");
  const double nothing = span(program, "nothing", lanes);
  for (size_t i = 0; i < many->count; i++) {
    const struct one *one = &many->all[i];
    char name[32];
    snprintf(name, sizeof name, "many_%zu", i);
    const double cycles = span(program, name, one->is_of_work_group ? WORK_GROUP_ITEMS : lanes);
    if (one->is_of_work_group)
      printf("%s.cycles %.0f\n", one->prefix, cycles);
    else
      printf("%s.latency %.4f\n", one->prefix, (cycles - nothing) / 16);
  }
  clReleaseProgram(program);
  free(file);
  free(source);
}

static void many_figures(void) {
  static const struct type types[] = {{"i32", "int", false}, {"i64", "long", false}, {"f32", "float", false}, F16};
  static const char *const arithmetic[] = {"add", "mul", "min", "max", NULL}, *const bitwise[] = {"and", "or", "xor",
                                                                                                  NULL};
  static const char *const logical[] = {"logical_and", "logical_or", "logical_xor", NULL};
  struct many many = {0};
  for (size_t t = 0; t < 4; t++) {
    add_folds(&many, types[t], arithmetic);
    if (t < 2)
      add_folds(&many, types[t], bitwise);
    if (t == 0)
      add_folds(&many, types[t], logical);
    add_as(&many, types[t], "clustered_reduce_add_of_2", "sub_group_clustered_reduce_add(x, 2)");
    add_sub_group(&many, types[t], "shuffle_up", "x, 1");
    add_sub_group(&many, types[t], "shuffle_down", "x, 1");
    add_sub_group(&many, types[t], "rotate", "x, 1");
    add_as(&many, types[t], "clustered_rotate_of_8", "sub_group_clustered_rotate(x, 1, 8)");
    add_sub_group(&many, types[t], "non_uniform_broadcast", "x, 1");
    add_sub_group(&many, types[t], "broadcast_first", "x");
    add_sub_group(&many, types[t], "non_uniform_all_equal", "x");
    add_work_group(&many, types[t]);
  }
  add_sub_group(&many, types[0], "non_uniform_all", "x");
  add_sub_group(&many, types[0], "non_uniform_any", "x");
  add_as(&many, types[0], "elect", "x + sub_group_elect()");
#define BITS "(uint4)(x, 0, 0, 0)"
  add_sub_group(&many, types[0], "inverse_ballot", BITS);
  add_sub_group(&many, types[0], "ballot_bit_extract", BITS ", partner");
  add_sub_group(&many, types[0], "ballot_bit_count", BITS);
  add_sub_group(&many, types[0], "ballot_inclusive_scan", BITS);
  add_sub_group(&many, types[0], "ballot_exclusive_scan", BITS);
  add_sub_group(&many, types[0], "ballot_find_lsb", BITS);
  add_sub_group(&many, types[0], "ballot_find_msb", BITS);
  if (many.count != 0)
    measure_many(&many);
  free(many.source);
  free(many.all);
}

static void collectives(void) {
  char add[64];
  snprintf(add, sizeof add, "alu.add.S%u", lanes);
  operation_figures(add, "alu_add", I32);
  static const struct type types[] = {I32, I64, F32, F16};
  static const char *const modes[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  static const char *const operations[] = {"add", "min", "max"};
  for (size_t type = 0; type < 4; type++) {
    for (size_t i = 0; i < 9; i++) {
      char name[64];
      snprintf(name, sizeof name, "%s_%s", modes[i / 3], operations[i % 3]);
      sub_group_figures(name, NULL, types[type]);
    }
    sub_group_figures("broadcast", "broadcast_first", types[type]);
    sub_group_figures("shuffle_xor", "shuffle_pairs", types[type]);
  }
  sub_group_figures("all", NULL, I32);
  sub_group_figures("any", NULL, I32);
  sub_group_figures("ballot", "ballot_word", I32);
  sub_group_figures("non_uniform_reduce_add", NULL, I32);
  sub_group_figures("non_uniform_reduce_add", NULL, I64);
  sub_group_figures("non_uniform_reduce_min", NULL, F32);
  many_figures();
}

// ---- whole kernels

struct dispatch {
  const char *name;
  cl_uint dim;
  size_t global[3], local[3];
  size_t buffers[3];  // bytes, 0: no more
  cl_uint values[3];
  cl_uint value_count;
};

static cl_kernel prepared(cl_program program, const struct dispatch *launch) {
  cl_kernel kernel = kernel_of(program, launch->name);
  cl_uint index = 0;
  for (int b = 0; b < 3 && launch->buffers[b]; b++) {
    cl_mem buffer = new_buffer(launch->buffers[b]);
    check(clSetKernelArg(kernel, index++, sizeof buffer, &buffer), "clSetKernelArg");
  }
  for (cl_uint v = 0; v < launch->value_count; v++)
    check(clSetKernelArg(kernel, index++, sizeof(cl_uint), &launch->values[v]), "clSetKernelArg");
  return kernel;
}

static void print_figures(const char *name, const struct figures *f) {
  printf("kernel.%s.S%u.cycles %llu\n", name, lanes, (unsigned long long)f->cycles);
  printf("kernel.%s.S%u.ipc %.4f\n", name, lanes, issues_per_cycle(f));
  printf("kernel.%s.S%u.efficiency %.4f\n", name, lanes, lane_efficiency(f));
  if (!has_breakdown(f))
    return;
  printf("kernel.%s.S%u.memory_wait %.4f\n", name, lanes, share_of_cycles(f, f->memory_wait));
  printf("kernel.%s.S%u.conflict %.4f\n", name, lanes, share_of_cycles(f, f->conflict));
  printf("kernel.%s.S%u.idle %.4f\n", name, lanes, share_of_cycles(f, idle_cycles(f)));
  if (f->cache_requests)
    printf("kernel.%s.S%u.cache_hits %.4f\n", name, lanes, cache_hits(f));
  fflush(stdout);
}

static void kernel_figures(cl_program program, const struct dispatch *launch) {
  cl_kernel kernel = prepared(program, launch);
  cl_event event = complete(kernel, launch->dim, launch->global, launch->local, NULL);
  const struct figures f = figures_of(session.device, event);
  print_figures(launch->name, &f);
}

static void kernels(void) {
  enum { N = 4096, SIDE = 64, WIDTH = 96, HEIGHT = 64 };
  const struct dispatch launches[] = {
      {"saxpy", 1, {N}, {64}, {N * 4, N * 4}, {3}, 1},
      {"work_group_sum", 1, {N}, {256}, {N * 4, N / 256 * 4}, {0}, 0},
      {"transpose", 2, {SIDE, SIDE}, {16, 16}, {SIDE * SIDE * 4, SIDE * SIDE * 4}, {SIDE}, 1},
      {"matmul", 2, {32, 32}, {8, 8}, {32 * 32 * 4, 32 * 32 * 4, 32 * 32 * 4}, {32}, 1},
  };
  // The stages of `make demo` on a small picture.
  const struct dispatch blur[] = {
      {"scan_rows", 3, {64, HEIGHT, 1}, {64, 1, 1}, {WIDTH * HEIGHT, WIDTH * HEIGHT * 4}, {WIDTH, HEIGHT}, 2},
      {"scan_columns", 3, {WIDTH * lanes, 1, 1}, {8 * lanes, 1, 1}, {WIDTH * HEIGHT * 4}, {WIDTH, HEIGHT}, 2},
      {"box", 3, {WIDTH, HEIGHT, 1}, {32, 1, 1}, {WIDTH * HEIGHT * 4, WIDTH * HEIGHT}, {WIDTH, HEIGHT, 4}, 3},
  };
  cl_program program = program_from("kernels.cl", "-cl-std=CL3.0");
  const struct dispatch empty = {.name = "empty", .dim = 1, .global = {1}, .local = {1}};
  cl_event event = complete(prepared(program, &empty), 1, empty.global, empty.local, NULL);
  printf("kernel.empty.S%u.cycles %llu\n", lanes, (unsigned long long)figures_of(session.device, event).cycles);
  for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
    kernel_figures(program, &launches[i]);
  program = program_from("host/examples/blur.cl", "-cl-std=CL3.0");
  for (size_t i = 0; i < sizeof blur / sizeof blur[0]; i++)
    kernel_figures(program, &blur[i]);
}

// ---- the set of tests/bench/kernels: a result that is not the CPU's has no figure

static void workload_figures(const struct workload *workload, bool is_small) {
  if (!device_can_run(&session, workload)) {
    fprintf(stderr, "bench: %s left out: the device has no atomic instructions\n", workload->name);
    return;
  }
  struct problem *problem =
      problem_of(workload, is_small ? workload->small : workload->full, resident_work_items(&session));
  struct figures f = {0};
  void *result = run_problem(&session, workload, problem, &f);
  char text[256];
  if (!problem_is_solved(problem, result, text))
    die(EXIT_KERNEL_FAILED, "%s: %s", workload->name, text);
  snprintf(text, sizeof text, "%s%s", workload->name, is_small ? ".small" : "");
  print_figures(text, &f);
  problem_free(problem);
  free(result);
}

// The ones named, or all that programmable units are measured with.
static void workload_set(char **names, int count, bool is_small) {
  for (size_t i = 0; i < workload_count - pipeline_workload_count && count == 0; i++)
    workload_figures(&workloads[i], is_small);
  for (int i = 0; i < count; i++) {
    const struct workload *workload = workload_named(names[i]);
    if (!workload)
      die(EXIT_USAGE, "there is no kernel \"%s\"", names[i]);
    workload_figures(workload, is_small);
  }
}

// What cycle counts depend on beside the device's shape.
static void memory(void) {
  printf("memory.line_bytes %u\n", device_figure(session.device, CL_DEVICE_LINE_BYTES_HEDDLE));
  printf("memory.latency %u\n", device_figure(session.device, CL_DEVICE_MEMORY_LATENCY_HEDDLE));
  printf("memory.interval %u\n", device_figure(session.device, CL_DEVICE_MEMORY_INTERVAL_HEDDLE));
  printf("memory.cache_bytes %u\n", device_figure(session.device, CL_DEVICE_CACHE_BYTES_HEDDLE));
}

// Wall-clock speed of the simulation itself: simulated kHz, and million work-item instructions a second.
static void speed(const char *name) {
  const bool is_model = strcmp(name, "model") == 0;
  const cl_uint n = is_model ? 256 : 64;
  const size_t bytes = (size_t)n * n * 4;
  const struct dispatch launch = {"matmul", 2, {n, n}, {16, 16}, {bytes, bytes, bytes}, {n}, 1};
  cl_program program = program_from("kernels.cl", "-cl-std=CL3.0");
  double seconds;
  cl_event event = complete(prepared(program, &launch), 2, launch.global, launch.local, &seconds);
  const struct figures f = figures_of(session.device, event);
  if (is_model)
    printf("sim.model.mips %.1f\n", (double)f.active_lanes / seconds / 1e6);
  else
    printf("sim.rtl.khz %.1f\n", (double)f.cycles / seconds / 1e3);
}

int main(int argc, char **argv) {
  program_name = "bench";
  const bool is_small = argc > 1 && strcmp(argv[1], "small") == 0;
  const bool is_collectives = argc > 1 && strcmp(argv[1], "collectives") == 0;
  if (argc < 3 || (argc > 3 && strcmp(argv[1], "workloads") != 0 && !is_small && !is_collectives))
    die(EXIT_USAGE, "usage: bench collectives|kernels|memory|speed|workloads|small sim|model [KERNEL or FIGURE...]");
  setenv("HEDDLE_BUDGET_CYCLES", "0", 0);  // these kernels end
  session = open_session(choose_device(argv[2]));
  check(clGetDeviceInfo(session.device, CL_DEVICE_LANES_HEDDLE, sizeof lanes, &lanes, NULL), "clGetDeviceInfo");
  check(clGetDeviceInfo(session.device, CL_DEVICE_SLOTS_HEDDLE, sizeof slots, &slots, NULL), "clGetDeviceInfo");
  wanted = argv + 3;
  wanted_count = is_collectives ? argc - 3 : 0;
  if (is_collectives)
    collectives();
  else if (strcmp(argv[1], "kernels") == 0)
    kernels();
  else if (strcmp(argv[1], "memory") == 0)
    memory();
  else if (strcmp(argv[1], "workloads") == 0 || is_small)
    workload_set(argv + 3, argc - 3, is_small);
  else if (strcmp(argv[1], "speed") == 0)
    speed(argv[2]);
  else
    die(EXIT_USAGE, "there is no measurement \"%s\"", argv[1]);
  return 0;
}
