// SPDX-License-Identifier: Apache-2.0
// What is no kernel file, or one that this device cannot run, is refused by clCreateProgramWithBinary itself: with
// CL_INVALID_BINARY for that device, and a word to the context about why.
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

// The test fails unless the binary is refused, and the context told all of these words.
static void expect_refusal(struct binary binary, const char *words, const char *more) {
  const int before = harness()->notice_count;
  EXPECT_CODE(CL_INVALID_BINARY, loading(binary.bytes, binary.size));
  if (harness()->notice_count != before + 1)
    fail("a binary that is refused: expected one word to the context, got %d", harness()->notice_count - before);
  const char *notice = harness()->notices[before];
  if (!strstr(notice, words) || !strstr(notice, more) || !strstr(notice, "clCreateProgramWithBinary"))
    fail("what the context is told: expected the call, \"%s\" and \"%s\" in it, got \"%s\"", words, more, notice);
}

Test(wrong_binaries, elf_files_of_the_host_are_invalid) {
  expect_refusal(file_at("/proc/self/exe"), "not a Heddle kernel file", "");
}

Test(wrong_binaries, elf_files_for_riscv_of_64_bits_are_invalid) {
  expect_refusal(made_by("clang-22 --target=riscv64-unknown-elf -nostdlib -fPIC -fuse-ld=lld -Wl,-shared -x c - -o %s",
                         "int f(void) { return 1; }\n"),
                 "not 32-bit", "");
}

Test(wrong_binaries, elf_files_for_riscv_of_32_bits_that_hold_no_kernels_are_invalid) {
  static const char source[] = "int f(void) { return 1; }\n";
  expect_refusal(
      made_by("clang-22 --target=riscv32-unknown-elf -nostdlib -static -fuse-ld=lld -Wl,-e,f -x c - -o %s", source),
      "not ET_DYN", "");
  expect_refusal(
      made_by("clang-22 --target=riscv32-unknown-elf -nostdlib -fPIC -fuse-ld=lld -Wl,-shared -x c - -o %s", source),
      "no ISA note", "");
}

Test(wrong_binaries, what_is_no_elf_file_is_invalid) {
  uint32_t state = 5;
  for (size_t size = 1; size < 3000; size += size < 64 ? 1 : 419) {
    struct binary random = {allocate(size), size};
    for (size_t i = 0; i < size; i++)
      random.bytes[i] = (unsigned char)random_u32(&state);
    EXPECT_CODE(CL_INVALID_BINARY, loading(random.bytes, size));
  }
}

static const char source[] = "kernel void k(global int *out) { out[0] = 2; }\n";

// A device that lacks one of the default instructions is given them; to one that has all, code for more is pretended.
Test(wrong_binaries, kernels_for_instructions_that_the_device_has_not_are_invalid) {
  char isa[65] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ISA_HEDDLE, sizeof isa, isa, NULL));
  struct binary binary = made_by(HEDDLEC " - -o %s", source);
  const char *missing = "zbb";
  if (strstr(isa, "_zbb")) {
    char *note = memmem(binary.bytes, binary.size, "rv32ima_zicsr_zfinx_zba_zbb_xindex", 35);
    if (!note)
      fail("the kernel file does not say what it is compiled for");
    strstr(note, "_zbb")[3] = 's';
    missing = "zbs";
  }
  expect_refusal(binary, missing, isa);
}

Test(wrong_binaries, kernels_for_what_the_device_has_are_taken) {
  char isa[65] = "", command[256];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ISA_HEDDLE, sizeof isa, isa, NULL));
  snprintf(command, sizeof command, HEDDLEC " --isa %s - -o %%s", isa);
  const cl_program program = loaded(made_by(command, source));
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  expect_word(2, program, "k");
}

Test(wrong_binaries, kernels_for_sub_groups_that_the_device_has_not_are_invalid) {
  const struct binary binary = made_by(HEDDLEC " --isa rv32i_zicsr - -o %s",
                                       "kernel __attribute__((intel_reqd_sub_group_size(32)))\n"
                                       "void wide(global int *out) { out[0] = 2; }\n");
  if (harness()->lanes < 32)
    expect_refusal(binary, "wide requires sub-groups of 32", "the device has 1 to");
  else
    EXPECT_SUCCESS(loading(binary.bytes, binary.size));
}

Test(wrong_binaries, each_device_has_a_status_of_its_own) {
  cl_platform_id platform;
  cl_device_id devices[2];
  heddle_devices(&platform, &devices[0], &devices[1]);
  cl_int error, status[2] = {99, 99};
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  struct binary good = made_by(HEDDLEC " --isa rv32i_zicsr - -o %s", source), bad = file_at("/proc/self/exe");
  const unsigned char *binaries[2] = {good.bytes, bad.bytes};
  const size_t sizes[2] = {good.size, bad.size};
  cl_program program = clCreateProgramWithBinary(context, 2, devices, sizes, binaries, status, &error);
  EXPECT_CODE(CL_INVALID_BINARY, error);
  EXPECT_CODE(CL_SUCCESS, status[0]);
  EXPECT_CODE(CL_INVALID_BINARY, status[1]);
  if (program)
    fail("clCreateProgramWithBinary with a binary that is refused: expected no program");
}
