// SPDX-License-Identifier: Apache-2.0
// The library for embedded hosts (HEDDLE_NO_COMPILER=1): small, without anything of LLVM, it runs kernels from binaries
// and says of everything else that there is no compiler. Its folder, relative to the checkout, is NO_COMPILER.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

#define LIBRARY NO_COMPILER "/lib/libheddle.so"

enum { LIBRARY_BYTES_MOST = 300 << 10, MEMORY_KIB_MOST = 4 << 10 };

// This library instead of the other; the simulated RTL is the other's.
static void use_it(void) {
  setenv("OCL_ICD_VENDORS", NO_COMPILER "/etc/OpenCL/vendors/", 1);
  setenv("HEDDLE_RTL_DIR", NO_COMPILER "/../lib/heddle", 1);
}

TestSuite(no_compiler, .init = use_it);

// ---- The file

// All that a command prints.
static char *output_of(const char *command) {
  enum { MOST = 1 << 20 };
  char *text = allocate(MOST);
  FILE *pipe = popen(command, "r");
  const size_t bytes = pipe ? fread(text, 1, MOST - 1, pipe) : 0;
  if (!pipe || pclose(pipe) != 0 || bytes == 0)
    fail("this failed: %s", command);
  return text;
}

Test(no_compiler, library_takes_300_kib_stripped) {
  const struct binary stripped = made_by("strip -o %s " LIBRARY, "");
  printf("libheddle.so without a compiler, stripped: %zu bytes\n", stripped.size);
  if (stripped.size > LIBRARY_BYTES_MOST)
    fail("size stripped: expected at most %d, got %zu bytes", LIBRARY_BYTES_MOST, stripped.size);
}

Test(no_compiler, library_needs_libc_libm_libmd_and_libz_only) {
  static const char *const known[] = {"libc.so.6", "libm.so.6", "libmd.so.0", "libz.so.1"};
  int seen = 0;
  for (char *line = strtok(output_of("readelf -dW " LIBRARY), "\n"); line; line = strtok(NULL, "\n")) {
    char *name = strstr(line, "(NEEDED)") ? strchr(line, '[') : NULL;
    bool is_known = !name;
    for (size_t i = 0; name && i < sizeof known / sizeof *known; i++)
      is_known = is_known || strncmp(name + 1, known[i], strlen(known[i])) == 0;
    if (!is_known)
      fail("libraries needed: expected only libc, libm, libmd and libz, got %s", line);
    seen += !!name;
  }
  if (seen == 0)
    fail("libraries needed: expected some, got none");
}

Test(no_compiler, library_has_nothing_of_llvm_and_cannot_start_a_process) {
  // (That a process forks is noticed, by __register_atfork.)
  static const char *const strange[] = {"LLVM",        "clang", " fork",  " vfork", "exec",
                                        "posix_spawn", "popen", "system", "dlmopen"};
  const char *symbols = output_of("nm -D " LIBRARY), *strings = output_of("strings -a " LIBRARY);
  if (!strstr(symbols, "clIcdGetPlatformIDsKHR"))
    fail("symbols: expected what the ICD loader asks for, got:\n%s", symbols);
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    const char *at = strstr(symbols, strange[i]);
    if (at)
      fail("symbols: expected none with \"%s\", got %.60s", strange[i], at);
  }
  // (Debug information has names of files that are not part of the library.)
  if (strstr(strings, "llvm-symbolizer") || strstr(strings, "bin/heddlec"))
    fail("strings: expected none of programs of the compiler");
}

// ---- What it says

static cl_bool boolean(cl_device_info name) {
  cl_bool value = 99;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, name, sizeof value, &value, NULL));
  return value;
}

static void expect_text(const char *expected, const char *got, const char *of) {
  if (strcmp(expected, got) != 0)
    fail("%s: expected \"%s\", got \"%s\"", of, expected, got);
}

Test(no_compiler, device_says_that_there_is_none) {
  char text[256] = "x";
  size_t bytes = 99;
  if (boolean(CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE)
    fail("CL_DEVICE_COMPILER_AVAILABLE: expected CL_FALSE");
  if (boolean(CL_DEVICE_LINKER_AVAILABLE) != CL_FALSE)
    fail("CL_DEVICE_LINKER_AVAILABLE: expected CL_FALSE");
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
  expect_text("", text, "CL_DEVICE_IL_VERSION");
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ILS_WITH_VERSION, 0, NULL, &bytes));
  if (bytes != 0)
    fail("CL_DEVICE_ILS_WITH_VERSION: expected none, got %zu bytes", bytes);
  // "This can be CL_FALSE for the embedded platform profile only."
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_PROFILE, sizeof text, text, NULL));
  expect_text("EMBEDDED_PROFILE", text, "CL_DEVICE_PROFILE");
  EXPECT_SUCCESS(clGetPlatformInfo(harness()->platform, CL_PLATFORM_PROFILE, sizeof text, text, NULL));
  expect_text("EMBEDDED_PROFILE", text, "CL_PLATFORM_PROFILE");
}

static const char source[] = "kernel void k(global int *out) { out[0] = 2; }\n";

Test(no_compiler, sources_are_programs_that_do_not_build) {
  const cl_program program = source_of(source);
  char text[sizeof source] = "";
  cl_int error;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
  expect_text(source, text, "CL_PROGRAM_SOURCE");
  EXPECT_CODE(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(program, 0, NULL, "-D X", NULL, NULL));
  expect_build(CL_BUILD_ERROR, "-D X", program);
  if (!strstr(log_of(program), "clCreateProgramWithBinary"))
    fail("build log: expected it to say what to do, got \"%s\"", log_of(program));
  (void)clCreateKernel(program, "k", &error);
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, error);
  EXPECT_CODE(CL_COMPILER_NOT_AVAILABLE,
              clCompileProgram(program, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_SUCCESS(clUnloadPlatformCompiler(harness()->platform));
  EXPECT_SUCCESS(clReleaseProgram(program));
}

Test(no_compiler, nothing_is_linked) {
  const cl_program parts[] = {source_of(source), loaded(made_by(HEDDLEC " -c - -o %s", source)),
                              loaded(made_by(HEDDLEC " --isa rv32i_zicsr - -o %s", source))};
  cl_int error;
  expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, parts[1]);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    error = CL_SUCCESS;
    if (clLinkProgram(harness()->context, 0, NULL, NULL, 1, &parts[i], NULL, NULL, &error))
      fail("clLinkProgram without a linker: expected no program");
    EXPECT_CODE(CL_LINKER_NOT_AVAILABLE, error);
  }
  EXPECT_CODE(CL_INVALID_BINARY, clBuildProgram(parts[1], 0, NULL, NULL, NULL, NULL));
}

Test(no_compiler, intermediate_language_is_no_operation) {
  static const uint32_t module[] = {0x07230203, 0x00010000, 0, 1, 0};
  cl_int error;
  if (clCreateProgramWithIL(harness()->context, module, sizeof module, &error))
    fail("clCreateProgramWithIL: expected no program");
  EXPECT_CODE(CL_INVALID_OPERATION, error);
}

// ---- What it does

static cl_program from_binary(const char *text) {
  const cl_program program = loaded(made_by(HEDDLEC " -cl-std=CL3.0 - -o %s", text));
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  return program;
}

Test(no_compiler, binaries_run) {
  const cl_program program = from_binary(
      "kernel void scan(global const int *in, global int *out, local int *last) {\n"
      "  const size_t i = get_global_id(0);\n"
      "  out[i] = work_group_scan_inclusive_add(in[i]);\n"
      "  if (get_local_id(0) == get_local_size(0) - 1) *last = out[i];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_local_id(0) == 0) printf(\"%d of group %d\\n\", *last, (int)get_group_id(0));\n"
      "}\n");
  enum { COUNT = 64, GROUP = 16 };
  uint32_t in[COUNT], expected[COUNT], got[COUNT], sum = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    in[i] = 3 * i + 1;
    sum = in[i] + (i % GROUP != 0 ? sum : 0);
    expected[i] = sum;
  }
  cl_kernel kernel = kernel_of(program, "scan");
  cl_mem from = buffer_with(in, sizeof in), to = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(from), ARG(to), LOCAL_ARG(4), END_ARGS);
  run_1d(kernel, COUNT, GROUP);
  read_buffer(to, got, sizeof got);
  expect_u32("out", expected, got, COUNT);
}

Test(no_compiler, binaries_make_the_round_trip) {
  const struct binary given = made_by(HEDDLEC " - -o %s", source);
  const cl_program program = loaded(given);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  const struct binary got = saved(program);
  if (got.size != given.size || memcmp(got.bytes, given.bytes, got.size) != 0)
    fail("CL_PROGRAM_BINARIES: expected the %zu bytes that were given, got %zu others", given.size, got.size);
  const cl_program again = loaded(got);
  EXPECT_SUCCESS(clBuildProgram(again, 1, &harness()->device, NULL, NULL, NULL));
  expect_word(2, again, "k");
}

Test(no_compiler, faults_are_reported_without_a_line) {
  const cl_program program = from_binary("kernel void wild(global int *out) { *(global volatile int *)16 = 1; }\n");
  cl_kernel kernel = kernel_of(program, "wild");
  cl_mem out = buffer_with(NULL, 4);
  const size_t one = 1;
  cl_event event;
  set_args(kernel, ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  if (harness()->notice_count != 1 || !strstr(harness()->notices[0], "wild") ||
      !strstr(harness()->notices[0], "unmapped"))
    fail("what the context is told: expected the kernel and \"unmapped\", got \"%s\"", harness()->notices[0]);
}

// ---- What it takes
//
// Resident memory of this process, as the kernel counts it: pages of the library, the ICD loader, heap, stacks of
// threads. Not the library's is the memory of the simulated device, which holds the buffers, and on hardware is on the
// board: the one anonymous mapping of more than 200 MiB. All else of the simulator counts as if it were the library's.
// Buffers have no room on the host, so that nothing of their size may be left when that mapping is taken off.

// A number in KiB behind `name` in a file of /proc/self; of smaps, the sum over mappings of at least `least` KiB.
static long kib_of(const char *path, const char *name, long least) {
  char line[512];
  long size = 0, value, sum = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Size: %ld kB", &value) == 1)
      size = value;
    const size_t length = strlen(name);
    if (strncmp(line, name, length) == 0 && size >= least)
      sum += strtol(line + length, NULL, 10);
  }
  if (!file)
    fail("%s cannot be read", path);
  fclose(file);
  return sum;
}

static long device_kib(void) {
  return kib_of("/proc/self/smaps", "Rss:", 200 << 10);
}

// From here on VmHWM is the most of what comes.
static void forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file || fputs("5", file) < 0 || fclose(file) != 0)
    fail("/proc/self/clear_refs cannot be written");
}

static long rss_before;

// What the library took at most since the peak was forgotten, when the device's memory was not more than now.
static void expect_little(const char *doing, long device_before) {
  const long peak = kib_of("/proc/self/status", "VmHWM:", 0) - device_before - rss_before;
  printf("%s: at most %ld KiB, simulated device's memory %ld KiB\n", doing, peak, device_before);
  if (peak > MEMORY_KIB_MOST)
    fail("memory beyond the buffers, %s: expected at most %d KiB, got %ld KiB", doing, MEMORY_KIB_MOST, peak);
  forget_peak();
}

Test(no_compiler, memory_beyond_the_buffers_is_at_most_4_mib) {
  const char *which = getenv("HEDDLE_TEST_DEVICE");
  if (!which || strcmp(which, "model") != 0)
    cr_skip_test("the Verilated device has its memory among its own");
  unsetenv("HEDDLE_RTL_DIR");  // nor is its shared object opened, with the C++ library
  enum { COUNT = 2 << 20 };    // words: 8 MiB
  const struct binary binary =
      made_by(HEDDLEC " - -o %s",
              "kernel void twice(global const uint *in, global uint *out) {\n"
              "  for (size_t i = get_global_id(0); i < 1 << 21; i += get_global_size(0)) out[i] = 2 * in[i];\n"
              "}\n");
  uint32_t *data = allocate(COUNT * sizeof *data), *got = allocate(COUNT * sizeof *got);
  memset(got, 1, COUNT * sizeof *got);  // resident before, too
  for (uint32_t i = 0; i < COUNT; i++)
    data[i] = i * 2654435761u;

  rss_before = kib_of("/proc/self/status", "VmRSS:", 0);
  forget_peak();
  cl_command_queue queue = harness()->queue;
  expect_little("opening the device", 0);
  const cl_program program = loaded(binary);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  cl_kernel kernel = kernel_of(program, "twice");
  expect_little("building a program", 0);

  cl_int error;
  cl_mem in = clCreateBuffer(harness()->context, CL_MEM_READ_ONLY, COUNT * sizeof *data, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, COUNT * sizeof *data, NULL, &error);
  EXPECT_SUCCESS(error);
  // Once to make the device's memory as large as it gets, which is no matter of the library, then to measure.
  for (int round = 0; round < 2; round++) {
    const long device_before = device_kib();
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, COUNT * sizeof *data, data, 0, NULL, NULL));
    set_args(kernel, ARG(in), ARG(out), END_ARGS);
    run_1d(kernel, 256, 0);
    read_buffer(out, got, COUNT * sizeof *got);
    if (round == 1)
      expect_little("writing, running and reading", device_before);
    forget_peak();
  }
  if (device_kib() < 2 * COUNT * (long)sizeof *data / 1024)
    fail("the simulated device's memory was not found: %ld KiB for 16 MiB of buffers", device_kib());
  for (uint32_t i = 0; i < COUNT; i++)
    data[i] *= 2;
  expect_u32("out", data, got, COUNT);
}
