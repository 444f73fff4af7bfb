// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_async_copies: boxes of two and three dimensions, of elements of any size, both ways, by full and by
// smaller work-groups, against a loop over their bytes. What is outside a box stays as it is.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

enum { BYTES = 2048 };

// As the kernel's argument, in words.
struct box {
  uint32_t dimensions, to_local, to_offset, from_offset, bytes, elements, lines, planes;
  uint32_t from_line, from_plane, to_line, to_plane, group;
};

// Group `group` fills its local memory, copies, and shows what it has then.
static const char source[] =
    "kernel void k(global uchar *memory, global uchar *shown, local uchar *here, global const uint *b) {\n"
    "  if (get_group_id(0) != b[12]) return;\n"
    "  for (uint i = get_local_id(0); i < 2048; i += get_local_size(0)) here[i] = shown[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  event_t e = 0;\n"
    "  if (b[0] == 2 && b[1]) e = async_work_group_copy_2D2D(here, b[2], memory, b[3], b[4], b[5], b[6], b[8], b[10], "
    "e);\n"
    "  if (b[0] == 2 && !b[1]) e = async_work_group_copy_2D2D(memory, b[2], here, b[3], b[4], b[5], b[6], b[8], b[10], "
    "e);\n"
    "  if (b[0] == 3 && b[1]) e = async_work_group_copy_3D3D(here, b[2], memory, b[3], b[4], b[5], b[6], b[7], b[8], "
    "b[9],\n"
    "                                                        b[10], b[11], e);\n"
    "  if (b[0] == 3 && !b[1]) e = async_work_group_copy_3D3D(memory, b[2], here, b[3], b[4], b[5], b[6], b[7], b[8],\n"
    "                                                         b[9], b[10], b[11], e);\n"
    "  wait_group_events(1, &e);\n"
    "  for (uint i = get_local_id(0); i < 2048; i += get_local_size(0)) shown[i] = here[i];\n"
    "}\n";

static void copy(const struct box *box, unsigned char *to, const unsigned char *from) {
  const uint32_t planes = box->dimensions == 3 ? box->planes : 1;
  for (uint32_t plane = 0; plane < planes; plane++)
    for (uint32_t line = 0; line < box->lines; line++)
      for (uint32_t byte = 0; byte < box->elements * box->bytes; byte++)
        to[(box->to_offset + plane * box->to_plane + line * box->to_line) * box->bytes + byte] =
            from[(box->from_offset + plane * box->from_plane + line * box->from_line) * box->bytes + byte];
}

static void expect_bytes(const char *what, const struct box *box, const unsigned char *expected,
                         const unsigned char *got) {
  for (int i = 0; i < BYTES; i++)
    if (expected[i] != got[i])
      fail("%s, box of %u x %u x %u elements of %u bytes in %u dimensions, to %s, byte %d: expected %u, got %u", what,
           box->elements, box->lines, box->planes, box->bytes, box->dimensions, box->to_local ? "local" : "global", i,
           expected[i], got[i]);
}

static void check(cl_kernel kernel, const struct box *box, size_t global, size_t local) {
  unsigned char memory[BYTES], shown[BYTES], got[BYTES];
  for (int i = 0; i < BYTES; i++) {
    memory[i] = (unsigned char)(7 * i + 1);
    shown[i] = (unsigned char)(11 * i + i / 256);
  }
  cl_mem a = buffer_with(memory, BYTES), b = buffer_with(shown, BYTES), c = buffer_with(box, sizeof *box);
  set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(BYTES), ARG(c), END_ARGS);
  run_1d(kernel, global, local);
  if (box->to_local)
    copy(box, shown, memory);
  else
    copy(box, memory, shown);
  read_buffer(a, got, BYTES);
  expect_bytes("global memory", box, memory, got);
  read_buffer(b, got, BYTES);
  expect_bytes("local memory", box, shown, got);
  EXPECT_SUCCESS(clReleaseMemObject(a));
  EXPECT_SUCCESS(clReleaseMemObject(b));
  EXPECT_SUCCESS(clReleaseMemObject(c));
}

Test(extended_async_copies, boxes_are_copied_byte_by_byte) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  uint32_t state = 9;
  for (int i = 0; i < 200; i++) {
    struct box box = {.dimensions = 2 + random_u32(&state) % 2, .to_local = random_u32(&state) % 2};
    static const uint32_t sizes[] = {1, 2, 3, 4, 8, 12, 16};
    box.bytes = sizes[random_u32(&state) % 7];
    box.elements = random_u32(&state) % 9;
    box.lines = random_u32(&state) % 5;
    box.planes = random_u32(&state) % 4;
    box.from_line = box.elements + random_u32(&state) % 3;
    box.to_line = box.elements + random_u32(&state) % 3;
    box.from_plane = box.lines * box.from_line + random_u32(&state) % 3;
    box.to_plane = box.lines * box.to_line + random_u32(&state) % 3;
    box.from_offset = random_u32(&state) % 4;
    box.to_offset = random_u32(&state) % 4;
    // The second group is smaller.
    const size_t local = 1 + random_u32(&state) % 40, rest = 1 + random_u32(&state) % local;
    box.group = random_u32(&state) % 2;
    check(kernel, &box, local + rest, local);
  }
}

// As the text has it: a strided copy is a box of one column.
Test(extended_async_copies, strided_copies_are_a_special_case) {
  cl_kernel kernel = kernel_of(
      build("kernel void k(global int *from, global int *out) { local int one[16], other[16];\n"
            "  event_t e = async_work_group_strided_copy(one, from, 16, 3, 0);\n"
            "  e = async_work_group_copy_2D2D(other, 0, from, 0, sizeof(int), 1, 16, 3, 1, e);\n"
            "  wait_group_events(1, &e); size_t i = get_local_id(0); out[i] = one[i]; out[16 + i] = other[i]; }\n",
            "-cl-std=CL1.2"),
      "k");
  uint32_t from[48], expected[32], got[32];
  for (uint32_t i = 0; i < 48; i++)
    from[i] = 100 + i;
  for (uint32_t i = 0; i < 32; i++)
    expected[i] = from[i % 16 * 3];
  cl_mem a = buffer_with(from, sizeof from), b = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, 16, 16);
  read_buffer(b, got, sizeof got);
  expect_u32("column", expected, got, 32);
}

// Floats that are copied are there as floats at once: words of any type may be copied as words.
Test(extended_async_copies, elements_of_every_type_are_seen) {
  cl_kernel kernel =
      kernel_of(build("kernel void k(global float4 *x) { local float4 t[8]; size_t i = get_local_id(0);\n"
                      "  x[i] = x[i] + 1.0f; barrier(CLK_GLOBAL_MEM_FENCE);\n"
                      "  event_t e = async_work_group_copy_2D2D(t, 0, x, 0, sizeof(float4), 4, 2, 4, 4, 0);\n"
                      "  wait_group_events(1, &e); t[i] *= 2.0f; barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  e = async_work_group_copy_2D2D(x, 0, t, 4, sizeof(float4), 4, 1, 4, 4, 0);\n"
                      "  wait_group_events(1, &e); x[i] += 0.5f; }\n",
                      "-cl-std=CL1.2"),
                "k");
  float x[32], got[32];
  for (int i = 0; i < 32; i++)
    x[i] = (float)i;
  cl_mem a = buffer_with(x, sizeof x);
  set_args(kernel, ARG(a), END_ARGS);
  run_1d(kernel, 8, 8);
  read_buffer(a, got, sizeof got);
  for (int i = 0; i < 32; i++) {
    const float expected = i < 16 ? (x[i + 16] + 1) * 2 + 0.5f : x[i] + 1.5f;
    if (got[i] != expected)
      fail("float %d: expected %g, got %g", i, (double)expected, (double)got[i]);
  }
}
