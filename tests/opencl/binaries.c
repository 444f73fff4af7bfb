// SPDX-License-Identifier: Apache-2.0
// Binaries of every kind from anywhere: clCreateProgramWithBinary tells what is whole from what is not, and what passes
// as whole but is not ends in a link that fails, never in a crash.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/object_file.h"
#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

static const char source[] =
    "constant int table[3] = {1, 2, 3}; int twice(int x) { return 2 * x; }\n"
    "kernel void k(global int *out) { out[0] = twice(table[out[1] & 1]) + (int)sqrt((float)out[1]); }\n";

static struct binary object(void) {
  return saved(compiled(source, NULL));
}

static struct binary library(void) {
  const cl_program part = compiled(source, NULL);
  return saved(link_well(&part, 1, "-create-library"));
}

static struct binary executable(void) {
  return saved(build(source, NULL));
}

Test(binaries, cut_short_anywhere_they_are_invalid) {
  const struct binary all[] = {object(), library(), executable()};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    EXPECT_SUCCESS(loading(all[i].bytes, all[i].size));
    EXPECT_CODE(CL_INVALID_VALUE, loading(all[i].bytes, 0));
    // The end of a kernel file are symbols, which nobody needs.
    const size_t most = i < 2 ? all[i].size : all[i].size / 2;
    for (size_t size = 1; size < most; size += size < 300 ? 1 : 37)
      EXPECT_CODE(CL_INVALID_BINARY, loading(all[i].bytes, size));
  }
}

Test(binaries, objects_and_libraries_with_one_bit_changed_are_invalid) {
  const struct binary all[] = {object(), library()};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    for (size_t at = 0; at < all[i].size; at += at < HEDDLE_OBJECT_HEADER_BYTES ? 1 : 13) {
      all[i].bytes[at] ^= (unsigned char)(1 << at % 8);
      EXPECT_CODE(CL_INVALID_BINARY, loading(all[i].bytes, all[i].size));
      all[i].bytes[at] ^= (unsigned char)(1 << at % 8);
    }
    EXPECT_SUCCESS(loading(all[i].bytes, all[i].size));
  }
}

Test(binaries, with_something_behind_them_objects_are_invalid) {
  struct binary binary = object();
  unsigned char *longer = allocate(binary.size + 1);
  memcpy(longer, binary.bytes, binary.size);
  EXPECT_CODE(CL_INVALID_BINARY, loading(longer, binary.size + 1));
}

// The header is made to fit what is behind it.
static struct binary with_header(struct heddle_object_file object) {
  struct binary binary = {allocate(HEDDLE_OBJECT_HEADER_BYTES + object.bitcode_bytes),
                          HEDDLE_OBJECT_HEADER_BYTES + object.bitcode_bytes};
  heddle_object_file_header(&object, binary.bytes);
  memcpy(binary.bytes + HEDDLE_OBJECT_HEADER_BYTES, object.bitcode, object.bitcode_bytes);
  return binary;
}

static struct heddle_object_file parts_of(struct binary binary) {
  struct heddle_object_file object;
  struct heddle_error error;
  if (heddle_object_file_read(binary.bytes, binary.size, &object, &error) != 0)
    fail("reading an object: %s", error.text);
  return object;
}

Test(binaries, objects_for_another_device_or_of_another_compiler_are_invalid) {
  const struct heddle_object_file right = parts_of(object());
  struct heddle_object_file wrong = right;
  EXPECT_SUCCESS(loading(with_header(right).bytes, with_header(right).size));
  strcpy(wrong.isa, "rv32im_zicsr_zvector");
  EXPECT_CODE(CL_INVALID_BINARY, loading(with_header(wrong).bytes, with_header(wrong).size));
  wrong = right;
  strcpy(wrong.compiler, "heddlec 0.1, LLVM 21.0.0");
  EXPECT_CODE(CL_INVALID_BINARY, loading(with_header(wrong).bytes, with_header(wrong).size));
  wrong = right;
  wrong.kind = 3;
  EXPECT_CODE(CL_INVALID_BINARY, loading(with_header(wrong).bytes, with_header(wrong).size));
  wrong = right;
  wrong.flags = 1u << 20;
  EXPECT_CODE(CL_INVALID_BINARY, loading(with_header(wrong).bytes, with_header(wrong).size));
}

Test(binaries, objects_for_a_lesser_device_are_linked_for_this_one) {
  struct heddle_object_file lesser = parts_of(object());
  strcpy(lesser.isa, "rv32i_zicsr");
  const cl_program part = loaded(with_header(lesser));
  expect_word(2, link_well(&part, 1, NULL), "k");
}

static void link_whatever(struct heddle_object_file object) {
  cl_int error;
  const cl_program part = loaded(with_header(object));
  cl_program program = clLinkProgram(harness()->context, 1, &harness()->device, NULL, 1, &part, NULL, NULL, &error);
  if (!program || (error != CL_SUCCESS && error != CL_LINK_PROGRAM_FAILURE))
    fail("clLinkProgram of broken bitcode: expected CL_SUCCESS or CL_LINK_PROGRAM_FAILURE and a program, got %s, %p",
         error_name(error), (void *)program);
  EXPECT_SUCCESS(clReleaseProgram(program));
  EXPECT_SUCCESS(clReleaseProgram(part));
}

Test(binaries, bitcode_that_is_none_fails_to_link) {
  static const unsigned char junk[100] = "BC\xC0\xDE and nothing of the kind";
  struct heddle_object_file object = parts_of(library());
  object.bitcode = junk;
  for (size_t size = 1; size <= sizeof junk; size += 33) {
    object.bitcode_bytes = size;
    const cl_program part = loaded(with_header(object));
    expect_link_failure(&part, 1, "program-1");
  }
}

Test(binaries, broken_bitcode_never_takes_the_library_down, .timeout = 600) {
  const struct heddle_object_file whole = parts_of(object());
  const int rounds = harness()->is_long ? 1000 : 40;
  uint32_t state = 7;
  unsigned char *bitcode = allocate(whole.bitcode_bytes);
  for (int i = 0; i < rounds; i++) {
    struct heddle_object_file broken = whole;
    memcpy(bitcode, whole.bitcode, whole.bitcode_bytes);
    for (int flips = 1 + i % 5; flips > 0; flips--)
      bitcode[random_u32(&state) % whole.bitcode_bytes] ^= (unsigned char)(1u << random_u32(&state) % 8);
    broken.bitcode = bitcode;
    if (i % 4 == 3)
      broken.bitcode_bytes = 1 + random_u32(&state) % whole.bitcode_bytes;
    link_whatever(broken);
  }
}

Test(binaries, executables_with_changed_bits_build_or_fail) {
  struct binary binary = executable();
  const int rounds = harness()->is_long ? 20000 : 2000;
  uint32_t state = 11;
  for (int i = 0; i < rounds; i++) {
    const size_t at = random_u32(&state) % binary.size;
    const unsigned char bit = (unsigned char)(1u << random_u32(&state) % 8);
    binary.bytes[at] ^= bit;
    const cl_int error = loading(binary.bytes, binary.size);
    if (error != CL_SUCCESS && error != CL_INVALID_BINARY)
      fail("clCreateProgramWithBinary with byte %zu changed: expected CL_SUCCESS or CL_INVALID_BINARY, got %s", at,
           error_name(error));
    binary.bytes[at] ^= bit;
  }
}
