// SPDX-License-Identifier: Apache-2.0
// A fat binary on a board that holds another bitstream: what the program is told, and that with HEDDLE_RECONFIGURE=1
// the board gets the right one, with buffers kept. The board is a simulated one behind a port whose name stays; a
// stand-in for iceprog puts another simulated board there.
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/fat_binary.h"
#include "tests/opencl/harness.h"
#include "tests/temporary.h"
#include "tests/transport/board_checks.h"

enum { WORDS = 16, WIDE = 8 };  // lanes of heddle-icebreaker-8; heddle-icebreaker has 2

static char folder[TEMPORARY_BYTES], programs[PATH_MAX];  // of this test; build/bin
static const char *next_board = "heddle-icebreaker-8";

// Its lanes are more than the icebreaker has.
static const char wide_source[] =
    "__attribute__((intel_reqd_sub_group_size(8))) kernel void wide(global const int *in, global int *out) {"
    "  out[get_global_id(0)] = sub_group_scan_inclusive_add(in[get_global_id(0)]); }";
static const char plain_source[] =
    "kernel void plain(global const int *in, global int *out) {"
    "  out[get_global_id(0)] = in[get_global_id(0)] + 1; }";

static void shell(const char *format, const char *first, const char *second, const char *third) {
  char command[4 * PATH_MAX];
  snprintf(command, sizeof command, format, first, second, third);
  cr_assert_eq(system(command), 0, "%s", command);  // NOLINT(cert-env33-c): names of this test
}

static const char *in_folder(const char *name) {
  static char paths[4][TEMPORARY_BYTES + 32];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void write_file(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(in_folder(name), "wb");
  cr_assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void begin(void) {
  char path[2 * PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", programs, sizeof programs - 1);
  programs[length > 0 ? length : 0] = 0;
  char *tests = strstr(programs, "/tests/");
  cr_assert(tests);
  strcpy(tests, "/bin");
  cr_assert(mkdtemp(temporary_name(folder)));
  // change PROGRAM: the board is that from now on. Its input stays open, since it ends with it.
  static const char change[] =
      "#!/bin/sh\ncd \"${0%/*}\"\n[ -p input ] || mkfifo input\n[ ! -f pid ] || kill $(cat pid)\n"
      "rm -f output\n\"$1\" 0<>input >output 2>messages & echo $! >pid\n"
      "until [ -s output ]; do sleep 0.05; done; ln -sfn \"$(head -n 1 output)\" port\n";
  static const char iceprog[] =
      "#!/bin/sh\ncd \"${0%/*}\"\n[ ! -f broken ] || { echo 'ABORT.'; exit 2; }\n./change \"$(cat next)\" || exit 3\n"
      "echo 'VERIFY OK'; echo 'cdone: high'\n";
  write_file("change", change, sizeof change - 1);
  write_file("iceprog", iceprog, sizeof iceprog - 1);
  cr_assert(chmod(in_folder("change"), 0755) == 0 && chmod(in_folder("iceprog"), 0755) == 0);
  snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
  setenv("PATH", path, 1);
  setenv("HEDDLE_SERIAL", in_folder("port"), 1);
  setenv("HEDDLE_BOARD", "icebreaker", 1);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
  unsetenv("HEDDLE_RECONFIGURE");
}

static void finish(void) {
  shell("kill $(cat %s/pid); rm -r %s%s", folder, folder, "");
}

TestSuite(reconfigure, .init = begin, .fini = finish, .timeout = 120);

static void plug_in(const char *program) {
  shell("%s/change %s/%s", folder, programs, program);
}

// A fat binary of the wide kernel, with a bitstream of the icebreaker which has nothing in it.
static unsigned char *pack(size_t *size) {
  static const uint8_t bits[] = {0xFF, 0x00, 0x00, 0xFF, 0x7E, 0xAA, 0x99, 0x7E, 0x51, 0x00, 0x01, 0x05, 0x62,
                                 0x02, 0xB3, 0x72, 0x01, 0x50, 0x11, 0x00, 0x01, 0x01, 0x00, 0x01, 0x06, 0x00};
  struct heddle_fat_binary fat = {.count = 2};
  struct stat facts;
  char next[PATH_MAX + 32];
  write_file("wide.cl", wide_source, strlen(wide_source));
  shell("%s/heddlec -cl-std=CL3.0 --isa rv32i_zicsr %s -o %s", programs, in_folder("wide.cl"), in_folder("wide.elf"));
  snprintf(next, sizeof next, "%s/%s", programs, next_board);
  write_file("next", next, strlen(next));
  FILE *file = fopen(in_folder("wide.elf"), "rb");
  cr_assert(file && fstat(fileno(file), &facts) == 0);
  uint8_t *kernels = malloc((size_t)facts.st_size);
  cr_assert(kernels && fread(kernels, 1, (size_t)facts.st_size, file) == (size_t)facts.st_size);
  fclose(file);
  fat.parts[0] = (struct heddle_fat_part){
      .kind = HEDDLE_FAT_KERNEL_FILE, .name = "kernels", .bytes = kernels, .size = (size_t)facts.st_size};
  fat.parts[1] =
      (struct heddle_fat_part){.kind = HEDDLE_FAT_BITSTREAM, .name = "icebreaker", .bytes = bits, .size = sizeof bits};
  const size_t header = heddle_fat_header_bytes(&fat);
  *size = header + fat.parts[0].size + sizeof bits;
  unsigned char *bytes = malloc(*size);
  cr_assert_not_null(bytes);
  heddle_fat_header(&fat, bytes);
  memcpy(bytes + header, kernels, fat.parts[0].size);
  memcpy(bytes + header + fat.parts[0].size, bits, sizeof bits);
  free(kernels);
  return bytes;
}

static cl_program load(cl_int expected) {
  size_t size;
  cl_int error, status = 1;
  struct harness *h = harness();
  unsigned char *bytes = pack(&size);
  const unsigned char *binaries[] = {bytes};
  cl_program program = clCreateProgramWithBinary(h->context, 1, &h->device, &size, binaries, &status, &error);
  EXPECT_CODE(expected, error);
  EXPECT_CODE(expected, status);
  free(bytes);
  return program;
}

// The last thing that the context was told.
static void expect_told(const char *words) {
  const struct harness *h = harness();
  cr_assert_gt(h->notice_count, 0, "nothing was told; expected \"%s\"", words);
  const char *last = h->notices[h->notice_count - 1];
  cr_expect(strstr(last, words), "the context was told \"%s\", expected \"%s\" in it", last, words);
}

static void expect_scans(cl_program program, cl_mem in, const uint32_t *words) {
  uint32_t expected[WORDS] = {0}, got[WORDS];
  cl_mem out = buffer_with(NULL, sizeof got);
  cl_kernel kernel = kernel_of(program, "wide");
  for (uint32_t i = 0; i < WORDS; i++)
    expected[i] = words[i] + (i % WIDE != 0 ? expected[i - 1] : 0);
  set_args(kernel, ARG(in), ARG(out), END_ARGS);
  run_1d(kernel, WORDS, WIDE);
  read_buffer(out, got, sizeof got);
  expect_u32("scans of what was in the buffer before", expected, got, WORDS);
}

static cl_mem random_words(uint32_t words[WORDS]) {
  uint32_t seed = 5;
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = random_u32(&seed);
  return buffer_with(words, 4 * WORDS);
}

Test(reconfigure, a_board_with_another_bitstream_is_left_as_it_is_unless_that_is_allowed) {
  plug_in("heddle-icebreaker");
  load(CL_INVALID_BINARY);
  expect_told("HEDDLE_RECONFIGURE=1");
  expect_scan(8);
}

Test(reconfigure, a_board_gets_its_bitstream_and_buffers_stay) {
  uint32_t words[WORDS], got[WORDS];
  cl_event event;
  cl_int status;
  const size_t global = WORDS;
  plug_in("heddle-icebreaker");
  cl_mem in = random_words(words), out = buffer_with(NULL, sizeof got);
  cl_program old = build(plain_source, "-cl-std=CL3.0");
  cl_kernel plain = kernel_of(old, "plain");
  set_args(plain, ARG(in), ARG(out), END_ARGS);
  run_1d(plain, WORDS, 4);
  setenv("HEDDLE_RECONFIGURE", "1", 1);
  cl_program program = load(CL_SUCCESS);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  read_buffer(out, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    cr_assert_eq(got[i], words[i] + 1, "word %u of a buffer of the device's: 0x%x", i, got[i]);
  expect_scans(program, in, words);
  // What was built for the other bitstream does not run on this one.
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, plain, 1, NULL, &global, NULL, 0, NULL, &event));
  clWaitForEvents(1, &event);
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_eq(status, CL_INVALID_PROGRAM_EXECUTABLE, "status %d", status);
  expect_told("build it again");
  expect_scans(program, in, words);
}

Test(reconfigure, a_fat_binary_without_the_board_says_so) {
  plug_in("heddle-icebreaker");
  setenv("HEDDLE_RECONFIGURE", "1", 1);
  setenv("HEDDLE_BOARD", "hx8k", 1);
  load(CL_INVALID_BINARY);
  expect_told("no bitstream of hx8k, which HEDDLE_BOARD names, but of: icebreaker. 'make bitstream BOARD=hx8k");
  unsetenv("HEDDLE_BOARD");
  load(CL_INVALID_BINARY);
  expect_told("HEDDLE_BOARD=NAME says which it is");
  expect_scan(8);
}

Test(reconfigure, a_loader_that_fails_loses_nothing_while_the_board_answers) {
  uint32_t words[WORDS], got[WORDS];
  plug_in("heddle-icebreaker");
  cl_mem in = random_words(words);
  setenv("HEDDLE_RECONFIGURE", "1", 1);
  write_file("broken", "", 0);
  load(CL_INVALID_BINARY);
  expect_told("iceprog failed with status 2: ABORT.");
  read_buffer(in, got, sizeof got);
  expect_u32("what was in the buffer before", words, got, WORDS);
  expect_scan(8);
}

Test(reconfigure, a_board_with_less_memory_says_what_is_lost) {
  uint32_t words[WORDS];
  plug_in("heddle-icebreaker");  // 124 KiB, the other one has 5 KiB
  next_board = "heddle-hx8k";
  random_words(words);
  buffer_with(NULL, 8 << 10);
  setenv("HEDDLE_RECONFIGURE", "1", 1);
  load(CL_INVALID_BINARY);
  expect_told("bytes, are lost");
  cr_expect(!is_available(harness()->device), "the device is still there");
}
