// SPDX-License-Identifier: Apache-2.0
// See lies.h.
#include "tests/transport/lies.h"

#include <CL/cl.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "host/include/CL/cl_heddle.h"
#include "tests/temporary.h"

enum { SECONDS_A_LIE = 60, AT_ONCE = 8, FIRST_REGISTER_OF_RUNS = 0x100 };

// How the process of a lie ends.
enum { BELIEVED = 0, REFUSED = 10, LOST = 11, WRONG_RESULTS = 12, NO_WORDS = 13, OTHER_DEVICE = 14 };

// ---- The lies

#define TO_ALL_VALUES(NAME, OFFSET)                                                                           \
  {NAME " is 0", LIE_REGISTER, OFFSET, 0, 0, false}, {NAME " is 1", LIE_REGISTER, OFFSET, 1, 0, false},       \
      {NAME " is 3", LIE_REGISTER, OFFSET, 3, 0, false}, {NAME " is 33", LIE_REGISTER, OFFSET, 33, 0, false}, \
      {NAME " is 2^16", LIE_REGISTER, OFFSET, 0x10000, 0, false},                                             \
      {NAME " is 2^31", LIE_REGISTER, OFFSET, 0x80000000, 0, false}, {                                        \
    NAME " is all ones", LIE_REGISTER, OFFSET, 0xFFFFFFFF, 0, false                                           \
  }

#define RANDOM_KINDS(SEED) {"random kinds " #SEED, LIE_RANDOM_KINDS, 0, SEED, 0, false}

const struct lie lies_of_registers[] = {
    {"nothing", LIE_NOT, 0, 0, 0, false},
    TO_ALL_VALUES("LANES", HEDDLE_REG_LANES),
    TO_ALL_VALUES("SLOTS", HEDDLE_REG_SLOTS),
    TO_ALL_VALUES("UNITS", HEDDLE_REG_UNITS),
    TO_ALL_VALUES("LOCAL_MEMORY_BYTES", HEDDLE_REG_LOCAL_MEMORY_BYTES),
    TO_ALL_VALUES("GLOBAL_BYTES", HEDDLE_REG_GLOBAL_BYTES),
    TO_ALL_VALUES("LINE_BYTES", HEDDLE_REG_LINE_BYTES),
    TO_ALL_VALUES("CLOCK_KHZ", HEDDLE_REG_CLOCK_KHZ),
    TO_ALL_VALUES("MEMORY_LATENCY", HEDDLE_REG_MEMORY_LATENCY),
    TO_ALL_VALUES("FEATURES", HEDDLE_REG_FEATURES),
    TO_ALL_VALUES("CACHE_BYTES", HEDDLE_REG_CACHE_BYTES),
    TO_ALL_VALUES("MEMORY_CHANNELS", HEDDLE_REG_MEMORY_CHANNELS),
    TO_ALL_VALUES("FIRST_GLOBAL", HEDDLE_REG_FIRST_GLOBAL),
    TO_ALL_VALUES("KINDS", HEDDLE_REG_KINDS),
    TO_ALL_VALUES("HEAD", HEDDLE_REG_HEAD),
    TO_ALL_VALUES("SETTLED", HEDDLE_REG_SETTLED),
    TO_ALL_VALUES("ENDED", HEDDLE_REG_ENDED),
    TO_ALL_VALUES("PROCESSOR_STATUS", HEDDLE_REG_PROCESSOR_STATUS),
    TO_ALL_VALUES("STATUS", HEDDLE_REG_STATUS),
    TO_ALL_VALUES("ISA", HEDDLE_REG_ISA),
    {"GLOBAL_BYTES grows at its second read", LIE_REGISTER, HEDDLE_REG_GLOBAL_BYTES, 0x10000000, 1, false},
    {"GLOBAL_BYTES grows at its third read", LIE_REGISTER, HEDDLE_REG_GLOBAL_BYTES, 0x10000000, 2, false},
    {"GLOBAL_BYTES shrinks at its second read", LIE_REGISTER, HEDDLE_REG_GLOBAL_BYTES, 0x10000, 1, false},
    {"GLOBAL_BYTES shrinks at its third read", LIE_REGISTER, HEDDLE_REG_GLOBAL_BYTES, 0x10000, 2, false},
    {"busy", LIE_BUSY, 0, 0, 0, false},
    {"busy and runs", LIE_BUSY_RUNS, 0, 0, 0, false},
    {"clock backwards", LIE_CLOCK_BACKWARDS, 0, 0, 0, false},
    {"never ends", LIE_NEVER_ENDS, 0, 0, 0, false},
    {"counts", LIE_COUNTS, 0, 0, 0, false},
    {"random registers", LIE_RANDOM_REGISTERS, 0, 0, 0, false},
    {"all random", LIE_ALL_RANDOM, 0, 0, 0, true},
    {"all random after 100 reads", LIE_ALL_RANDOM, 0, 0, 100, false},
    {"all random after 300 reads", LIE_ALL_RANDOM, 0, 0, 300, false},
    RANDOM_KINDS(1),
    RANDOM_KINDS(2),
    RANDOM_KINDS(3),
    RANDOM_KINDS(4),
    RANDOM_KINDS(5),
    RANDOM_KINDS(6),
    RANDOM_KINDS(7),
    RANDOM_KINDS(8),
    {"random ring", LIE_RANDOM_MEMORY, 0, HEDDLE_PROCESSOR_END, 0, false},
    {"random memory", LIE_RANDOM_MEMORY, 0, 1 << 20, 0, false},
};
const size_t lies_of_registers_count = sizeof lies_of_registers / sizeof *lies_of_registers;

uint32_t lie_random(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33);
}

static uint32_t clock_of(enum lie_way way, uint32_t offset, uint32_t reads) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t runs = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  if (way == LIE_BUSY_RUNS)
    return (uint32_t)((offset & 4) != 0 ? runs >> 32 : runs);
  return (offset & 4) != 0 || way == LIE_BUSY ? 0 : UINT32_MAX - reads;
}

static uint32_t kinds_of(uint32_t seed) {
  return 2 + seed % (HEDDLE_KINDS_MOST - 1);
}

// A table that could be one, but for its hashes and pipes. The same at every read.
static uint32_t word_of_kind(uint32_t seed, uint32_t offset) {
  static const uint32_t plausible[HEDDLE_KIND_WORDS] = {[HEDDLE_KIND_TYPE] = HEDDLE_KIND_IS_PIPELINE,
                                                        [HEDDLE_KIND_LANES] = 4,
                                                        [HEDDLE_KIND_SLOTS] = 64,
                                                        [HEDDLE_KIND_WORK_GROUP_ITEMS] = 256,
                                                        [HEDDLE_KIND_SITES] = 7};
  const uint32_t word = offset / 4 % HEDDLE_KIND_WORDS;
  uint32_t random = (offset + 1) * 2654435761u ^ seed * 40503u;
  random = (random ^ random >> 15) * 2246822519u;
  random ^= random >> 13;
  if (word == HEDDLE_KIND_UNITS)
    return random % 4 == 0;
  if (word == HEDDLE_KIND_PIPE || word >= HEDDLE_KIND_MORE_PIPES)
    return random % 11 == 0 ? (random >> 8 & 0xFFFF00) | (1 + (random >> 4) % (kinds_of(seed) - 1)) : 0;
  return word >= HEDDLE_KIND_HASH ? random : plausible[word];
}

uint32_t lie_read(const struct lie *lie, uint32_t offset, uint32_t word) {
  static uint32_t reads, reads_of_it;
  reads++;
  switch (lie->way) {
    case LIE_REGISTER:
      return offset == lie->offset && reads_of_it++ >= lie->after ? lie->value : word;
    case LIE_BUSY:
    case LIE_BUSY_RUNS:
    case LIE_CLOCK_BACKWARDS:
      if (offset == HEDDLE_REG_STATUS)
        return HEDDLE_STATUS_BUSY;
      if (offset == HEDDLE_REG_BUS_STATE)
        return HEDDLE_BUS_BUSY;
      return (offset & ~4u) == HEDDLE_REG_CLOCK ? clock_of(lie->way, offset, reads) : word;
    case LIE_NEVER_ENDS:
      return offset == HEDDLE_REG_HEAD || offset == HEDDLE_REG_SETTLED || offset == HEDDLE_REG_ENDED ? 0 : word;
    case LIE_COUNTS:
      return offset >= HEDDLE_REG_CYCLES && offset < 0x200 ? reads * 0x01010101u : word;
    case LIE_RANDOM_REGISTERS:
      return offset >= FIRST_REGISTER_OF_RUNS && offset < 0x400 ? lie_random() : word;
    case LIE_RANDOM_KINDS:
      if (offset == HEDDLE_REG_KINDS)
        return kinds_of(lie->value);
      return offset >= HEDDLE_REG_KIND_TABLE &&
                     offset < HEDDLE_REG_KIND_TABLE + 4 * HEDDLE_KIND_WORDS * HEDDLE_KINDS_MOST
                 ? word_of_kind(lie->value, offset)
                 : word;
    case LIE_ALL_RANDOM:
      return reads > lie->after ? lie_random() : word;
    default:
      return word;
  }
}

void lie_meddle(const struct lie *lie, uint8_t *memory, size_t bytes) {
  enum { WORDS = 64 };
  const size_t end = lie->value < bytes ? lie->value : bytes;
  for (size_t i = 0; i < WORDS && lie->way == LIE_RANDOM_MEMORY; i++) {
    const uint32_t word = lie_random();
    memcpy(memory + lie_random() % (end / 4) * 4, &word, sizeof word);
  }
}

// ---- The program

static const char source[] =
    "kernel void scan(global const uint *p, global uint *sums) {"
    "  size_t i = get_global_id(0);"
    "  sums[i] = work_group_scan_inclusive_add(p[i]);"
    "}"
    "kernel void tell(global uint *p) { printf(\"%u %s\\n\", p[get_global_id(0)], \"words\"); }";

struct program {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem one, other;
  cl_int error;  // the first one
  bool is_wrong;
};

enum { WORDS = 4096, BYTES = 4 * WORDS, MOST_BUFFERS = 4 };

// Whether all went well so far.
static bool went(struct program *p, cl_int error) {
  if (p->error == CL_SUCCESS)
    p->error = error;
  return error == CL_SUCCESS;
}

static void move(struct program *p) {
  static uint32_t words[WORDS], back[WORDS];
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i * 3;
  went(p, clEnqueueWriteBuffer(p->queue, p->one, CL_TRUE, 0, BYTES, words, 0, NULL, NULL));
  went(p, clEnqueueCopyBuffer(p->queue, p->one, p->other, 0, 0, BYTES, 0, NULL, NULL));
  if (went(p, clEnqueueReadBuffer(p->queue, p->other, CL_TRUE, 0, BYTES, back, 0, NULL, NULL)))
    p->is_wrong = p->is_wrong || memcmp(words, back, BYTES) != 0;
  const cl_uint pattern = 7;
  went(p, clEnqueueFillBuffer(p->queue, p->other, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL));
}

// Buffers up to the end of what the device says that it has, and all of each touched.
static void fill_memory(struct program *p) {
  cl_ulong most = 0;
  cl_mem buffers[MOST_BUFFERS] = {NULL};
  went(p, clGetDeviceInfo(p->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  const size_t bytes = (size_t)(most < 64 << 20 ? most : 64 << 20);
  for (int i = 0; i < MOST_BUFFERS && bytes != 0; i++) {
    cl_int error;
    buffers[i] = clCreateBuffer(p->context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
    if (error != CL_SUCCESS)
      break;
    char *mapped = clEnqueueMapBuffer(p->queue, buffers[i], CL_TRUE, CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &error);
    if (error != CL_SUCCESS)
      break;
    memset(mapped, i, bytes);
    clEnqueueUnmapMemObject(p->queue, buffers[i], mapped, 0, NULL, NULL);
  }
  clFinish(p->queue);
  for (int i = 0; i < MOST_BUFFERS; i++)
    if (buffers[i])
      clReleaseMemObject(buffers[i]);
}

static void run_kernel(struct program *p, const char *name, cl_uint arguments) {
  const size_t global = WORDS, eight = 8;
  cl_int error;
  cl_kernel kernel = clCreateKernel(p->program, name, &error);
  if (!went(p, error))
    return;
  went(p, clSetKernelArg(kernel, 0, sizeof p->one, &p->one));
  if (arguments == 2)
    went(p, clSetKernelArg(kernel, 1, sizeof p->other, &p->other));
  went(p, clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, arguments == 2 ? &global : &eight, &eight, 0, NULL, NULL));
  went(p, clFinish(p->queue));
  clReleaseKernel(kernel);
}

static void scan(struct program *p) {
  static uint32_t sums[WORDS];
  run_kernel(p, "scan", 2);
  if (!went(p, clEnqueueReadBuffer(p->queue, p->other, CL_TRUE, 0, BYTES, sums, 0, NULL, NULL)) || p->error != 0)
    return;
  for (uint32_t i = 0, sum = 0; i < WORDS; i++) {
    sum = (i % 8 == 0 ? 0 : sum) + 3 * i;
    p->is_wrong = p->is_wrong || sums[i] != sum;
  }
}

static bool begin(struct program *p) {
  p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &p->error);
  if (p->error != CL_SUCCESS)
    return false;
  p->queue = clCreateCommandQueue(p->context, p->device, CL_QUEUE_PROFILING_ENABLE, &p->error);
  if (p->error != CL_SUCCESS)
    return false;
  p->one = clCreateBuffer(p->context, CL_MEM_READ_WRITE, BYTES, NULL, &p->error);
  if (p->error != CL_SUCCESS)
    return false;
  p->other = clCreateBuffer(p->context, CL_MEM_READ_WRITE, BYTES, NULL, &p->error);
  if (p->error != CL_SUCCESS)
    return false;
  const char *text = source;
  p->program = clCreateProgramWithSource(p->context, 1, &text, NULL, &p->error);
  return p->error == CL_SUCCESS && went(p, clBuildProgram(p->program, 1, &p->device, "-cl-std=CL3.0", NULL, NULL));
}

static void end(const struct program *p) {
  if (p->one)
    clReleaseMemObject(p->one);
  if (p->other)
    clReleaseMemObject(p->other);
  if (p->program)
    clReleaseProgram(p->program);
  if (p->queue)
    clReleaseCommandQueue(p->queue);
  if (p->context)
    clReleaseContext(p->context);
}

static int use_device(void) {
  struct program p = {0};
  cl_platform_id platform;
  char name[256] = "", why[512] = "";
  cl_bool available = CL_FALSE;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &p.device, NULL) != CL_SUCCESS ||
      clGetDeviceInfo(p.device, CL_DEVICE_NAME, sizeof name, name, NULL) != CL_SUCCESS ||
      strncmp(name, "Heddle board", 12) != 0)
    return OTHER_DEVICE;
  clGetDeviceInfo(p.device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
  clGetDeviceInfo(p.device, CL_DEVICE_UNAVAILABLE_HEDDLE, sizeof why, why, NULL);
  if (!available) {
    fprintf(stderr, "%s\n", why);
    return why[0] != 0 ? REFUSED : NO_WORDS;
  }
  if (begin(&p)) {
    for (int round = 0; round < 2; round++) {
      move(&p);
      scan(&p);
    }
    run_kernel(&p, "tell", 1);
    fill_memory(&p);
  }
  clGetDeviceInfo(p.device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
  clGetDeviceInfo(p.device, CL_DEVICE_UNAVAILABLE_HEDDLE, sizeof why, why, NULL);
  end(&p);
  fprintf(stderr, "error %d, %s, %s\n", p.error, available ? "available" : "lost", why);
  if (p.error == CL_SUCCESS && available)
    return p.is_wrong ? WRONG_RESULTS : BELIEVED;
  return available || why[0] != 0 ? LOST : NO_WORDS;
}

// ---- Trying them

struct tried {
  const struct lie *lie;
  pid_t process;
  double began;
};

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct tried begin_one(const struct lie *lie, void (*plug)(const struct lie *lie)) {
  const pid_t process = fork();
  cr_assert_geq(process, 0);
  if (process != 0)
    return (struct tried){lie, process, seconds_now()};
  if (!getenv("HEDDLE_TEST_TELL") && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
    _exit(OTHER_DEVICE);
  plug(lie);
  const int how = use_device();
  fflush(NULL);
  _exit(how);
}

// Whether it has ended, and well.
static bool has_ended(const struct tried *one) {
  int status;
  if (waitpid(one->process, &status, WNOHANG) != one->process) {
    if (seconds_now() - one->began < SECONDS_A_LIE)
      return false;
    kill(one->process, SIGKILL);
    waitpid(one->process, &status, 0);
    cr_expect(false, "'%s': the program had not ended after %d s", one->lie->name, SECONDS_A_LIE);
    return true;
  }
  if (getenv("HEDDLE_TEST_TELL"))
    fprintf(stderr, "%-40s %5.1f s, status 0x%x\n", one->lie->name, seconds_now() - one->began, (unsigned)status);
  const int how = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  cr_expect(how >= 0, "'%s': the program died of signal %d", one->lie->name, WTERMSIG(status));
  cr_expect(how != NO_WORDS, "'%s': the device is not used any more, and nobody says why", one->lie->name);
  cr_expect(how == -1 || how == BELIEVED || (how >= REFUSED && how <= NO_WORDS), "'%s': ended with status %d",
            one->lie->name, how);
  cr_expect(!one->lie->is_certain || (how != BELIEVED && how != WRONG_RESULTS), "'%s' is taken for a device",
            one->lie->name);
  cr_expect(one->lie->way != LIE_NOT || how == BELIEVED, "an honest device ended with status %d", how);
  return true;
}

// The kernels are the same for most of them.
static void keep_kernels(void) {
  static char folder[TEMPORARY_BYTES];
  cr_assert(mkdtemp(temporary_name(folder)));
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  setenv("HEDDLE_CACHE_BYTES", "100000000", 1);
}

void expect_lies_to_end(const struct lie *lies, size_t count, void (*plug)(const struct lie *lie)) {
  struct tried tried[AT_ONCE];
  keep_kernels();
  size_t next = 0, running = 0;
  while (next < count || running > 0) {
    if (next < count && running < AT_ONCE)
      tried[running++] = begin_one(&lies[next++], plug);
    for (size_t i = 0; i < running;)
      if (has_ended(&tried[i]))
        tried[i] = tried[--running];
      else
        i++;
    usleep(10000);
  }
}
