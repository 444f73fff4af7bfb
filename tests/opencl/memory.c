// SPDX-License-Identifier: Apache-2.0
// Buffers: read, write, copy, fill, rectangles, map and unmap, sub-buffers and host pointers, against plain C arrays,
// with the errors that the text asks for.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { BYTES = 4096 };

static unsigned char *random_bytes(uint32_t state) {
  unsigned char *bytes = allocate(BYTES);
  for (size_t i = 0; i < BYTES; i++)
    bytes[i] = (unsigned char)(random_u32(&state) >> 11);
  return bytes;
}

static void expect_bytes(const char *what, const unsigned char *expected, const unsigned char *got, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (expected[i] != got[i])
      fail("%s, byte %zu: expected 0x%02x, got 0x%02x", what, i, expected[i], got[i]);
}

static void expect_buffer(const char *what, cl_mem buffer, const unsigned char *expected) {
  unsigned char got[BYTES];
  read_buffer(buffer, got, BYTES);
  expect_bytes(what, expected, got, BYTES);
}

Test(memory, write_and_read_at_odd_offsets_and_sizes) {
  unsigned char *expected = random_bytes(1), *fresh = random_bytes(2);
  cl_mem buffer = buffer_with(expected, BYTES);
  static const size_t spans[][2] = {{0, 1},  {1, 1},      {3, 5},         {64, 64},
                                    {63, 2}, {1000, 777}, {BYTES - 1, 1}, {7, BYTES - 7}};
  for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
    const size_t offset = spans[i][0], size = spans[i][1];
    EXPECT_SUCCESS(clEnqueueWriteBuffer(harness()->queue, buffer, CL_FALSE, offset, size, fresh + i, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(harness()->queue));
    memcpy(expected + offset, fresh + i, size < BYTES - i ? size : BYTES - i);
    expect_buffer("after a write", buffer, expected);
    unsigned char part[BYTES];
    EXPECT_SUCCESS(clEnqueueReadBuffer(harness()->queue, buffer, CL_TRUE, offset, size, part, 0, NULL, NULL));
    expect_bytes("a part read", expected + offset, part, size);
  }
  unsigned char byte;
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadBuffer(harness()->queue, buffer, CL_TRUE, BYTES, 1, &byte, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE,
              clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 0, BYTES + 1, fresh, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadBuffer(harness()->queue, buffer, CL_TRUE, 0, 1, NULL, 0, NULL, NULL));
}

// Characters may be part of any object (C11 6.5, paragraph 7): what is stored through them is there when the word is
// loaded.
Test(memory, a_byte_of_a_word_that_the_round_before_has_stored_is_stored_over) {
  enum { WORDS = 64 };
  const char *source =
      "kernel void k(global uint *a, uint n) {\n"
      "  global uchar *b = (global uchar *)a;\n"
      "  for (uint i = 2; i < n; i++) { b[i * 4 - 3] = i * 3; a[i] = a[i - 1] * 3 + i; }\n"
      "}\n";
  uint32_t expected[WORDS], got[WORDS], state = 5, n = WORDS;
  for (size_t i = 0; i < WORDS; i++)
    expected[i] = random_u32(&state);
  cl_mem buffer = buffer_with(expected, sizeof expected);
  for (uint32_t i = 2; i < n; i++) {
    expected[i - 1] = (expected[i - 1] & 0xFFFF00FF) | (i * 3 & 0xFF) << 8;
    expected[i] = expected[i - 1] * 3 + i;
  }
  cl_kernel kernel = kernel_of(build(source, ""), "k");
  set_args(kernel, ARG(buffer), ARG(n), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(buffer, got, sizeof got);
  expect_u32("words", expected, got, WORDS);
}

Test(memory, copy) {
  unsigned char *a = random_bytes(3), *b = random_bytes(4);
  cl_mem from = buffer_with(a, BYTES), to = buffer_with(b, BYTES);
  EXPECT_SUCCESS(clEnqueueCopyBuffer(harness()->queue, from, to, 5, 1021, 999, 0, NULL, NULL));
  memcpy(b + 1021, a + 5, 999);
  expect_buffer("copied to", to, b);
  expect_buffer("copied from", from, a);
  EXPECT_SUCCESS(clEnqueueCopyBuffer(harness()->queue, to, to, 0, 2048, 2048, 0, NULL, NULL));
  memcpy(b + 2048, b, 2048);
  expect_buffer("copied within", to, b);
  EXPECT_CODE(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(harness()->queue, to, to, 0, 10, 20, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueCopyBuffer(harness()->queue, from, to, 0, BYTES - 4, 5, 0, NULL, NULL));
}

Test(memory, fill_with_every_pattern_size) {
  unsigned char *expected = random_bytes(5);
  cl_mem buffer = buffer_with(expected, BYTES);
  const unsigned char *pattern = random_bytes(6);
  for (size_t size = 1; size <= 128; size *= 2) {
    const size_t offset = size * 3, count = 5;
    EXPECT_SUCCESS(clEnqueueFillBuffer(harness()->queue, buffer, pattern, size, offset, size * count, 0, NULL, NULL));
    for (size_t i = 0; i < count; i++)
      memcpy(expected + offset + i * size, pattern, size);
    expect_buffer("filled", buffer, expected);
  }
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueFillBuffer(harness()->queue, buffer, pattern, 3, 0, 9, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueFillBuffer(harness()->queue, buffer, pattern, 4, 2, 8, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueFillBuffer(harness()->queue, buffer, pattern, 4, 0, 10, 0, NULL, NULL));
}

// A rectangle in a plain array: the definition from clEnqueueReadBufferRect.
static size_t rect_at(const size_t origin[3], size_t y, size_t z, size_t row, size_t slice) {
  return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0];
}

Test(memory, rectangles) {
  unsigned char *device = random_bytes(7), *host = random_bytes(8);
  cl_mem buffer = buffer_with(device, BYTES), other = buffer_with(NULL, BYTES);
  unsigned char *other_expected = allocate(BYTES);
  const size_t origin[3] = {3, 2, 1}, host_origin[3] = {5, 1, 2}, region[3] = {7, 4, 3};
  const size_t row = 20, slice = 20 * 11, host_row = 17, host_slice = 17 * 9 + 0;
  EXPECT_SUCCESS(clEnqueueWriteBufferRect(harness()->queue, buffer, CL_TRUE, origin, host_origin, region, row, slice,
                                          host_row, host_slice, host, 0, NULL, NULL));
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(device + rect_at(origin, y, z, row, slice), host + rect_at(host_origin, y, z, host_row, host_slice),
             region[0]);
  expect_buffer("after a rectangle was written", buffer, device);

  EXPECT_SUCCESS(clEnqueueCopyBufferRect(harness()->queue, buffer, other, origin, host_origin, region, row, slice,
                                         host_row, host_slice, 0, NULL, NULL));
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(other_expected + rect_at(host_origin, y, z, host_row, host_slice),
             device + rect_at(origin, y, z, row, slice), region[0]);
  expect_buffer("after a rectangle was copied", other, other_expected);

  unsigned char *read = allocate(BYTES), *read_expected = allocate(BYTES);
  EXPECT_SUCCESS(clEnqueueReadBufferRect(harness()->queue, buffer, CL_TRUE, origin, host_origin, region, row, slice,
                                         host_row, host_slice, read, 0, NULL, NULL));
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(read_expected + rect_at(host_origin, y, z, host_row, host_slice),
             device + rect_at(origin, y, z, row, slice), region[0]);
  expect_bytes("a rectangle read", read_expected, read, BYTES);
}

Test(memory, map_and_unmap) {
  unsigned char *expected = random_bytes(9);
  cl_mem buffer = buffer_with(expected, BYTES);
  cl_int error;
  unsigned char *mapped = clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100, 1000,
                                             0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  expect_bytes("mapped", expected + 100, mapped, 1000);
  for (size_t i = 0; i < 1000; i += 3)
    expected[100 + i] = mapped[i] = (unsigned char)(i * 7);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, buffer, mapped, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  expect_buffer("after unmap", buffer, expected);

  mapped = clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64, 0, NULL, NULL,
                              &error);
  EXPECT_SUCCESS(error);
  memset(mapped, 0x3C, 64);
  memset(expected, 0x3C, 64);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, buffer, mapped, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  expect_buffer("after a region was written whole", buffer, expected);
  (void)clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, CL_MAP_READ, BYTES - 1, 2, 0, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
}

Test(memory, sub_buffer_is_a_window_of_its_parent) {
  cl_uint align_bits = 0;
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align_bits, &align_bits, NULL));
  const size_t align = align_bits / 8 ? align_bits / 8 : 1;
  if (align * 2 + 256 > BYTES)
    fail("CL_DEVICE_MEM_BASE_ADDR_ALIGN: expected at most %d bits, got %u", BYTES * 4, align_bits);
  unsigned char *expected = allocate(BYTES);
  cl_mem parent = buffer_with(expected, BYTES);
  const cl_buffer_region region = {align, 256};
  cl_int error;
  cl_mem window = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(
      build("kernel void k(global uint *out) { out[get_global_id(0)] = get_global_id(0) * 3 + 1; }\n", NULL), "k");
  set_args(kernel, ARG(window), END_ARGS);
  run_1d(kernel, 64, 4);
  for (uint32_t i = 0; i < 64; i++)
    memcpy(expected + align + 4 * i, &(uint32_t){i * 3 + 1}, 4);
  expect_buffer("the parent", parent, expected);
  size_t offset = 0;
  EXPECT_SUCCESS(clGetMemObjectInfo(window, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
  if (offset != align)
    fail("CL_MEM_OFFSET: expected %zu, got %zu", align, offset);
  const cl_buffer_region beyond = {0, BYTES + 1}, nothing = {0, 0};
  (void)clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &beyond, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &nothing, &error);
  EXPECT_CODE(CL_INVALID_BUFFER_SIZE, error);
  (void)clCreateSubBuffer(window, 0, CL_BUFFER_CREATE_TYPE_REGION, &nothing, &error);
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, error);
}

// What CL_MEM_DEVICE_ADDRESSES_HEDDLE says is where a kernel finds the buffer.
// cl_heddle.h: for languages in which a part of a buffer begins at any element.
Test(memory, sub_buffer_of_any_origin_is_a_window_of_its_parent) {
  unsigned char *expected = allocate(BYTES);
  cl_mem parent = buffer_with(expected, BYTES);
  cl_kernel kernel = kernel_of(
      build("kernel void k(global uint *out) { out[get_global_id(0)] = get_global_id(0) * 3 + 1; }\n", NULL), "k");
  static const size_t origins[] = {0, 4, 12, 132, BYTES - 64};
  for (size_t n = 0; n < sizeof origins / sizeof *origins; n++) {
    const cl_buffer_region region = {origins[n], 64};
    cl_int error;
    cl_mem window = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE, &region, &error);
    EXPECT_SUCCESS(error);
    set_args(kernel, ARG(window), END_ARGS);
    run_1d(kernel, 16, 4);
    for (uint32_t i = 0; i < 16; i++)
      memcpy(expected + origins[n] + 4 * i, &(uint32_t){i * 3 + 1}, 4);
    expect_buffer("the parent", parent, expected);
    size_t offset = 0;
    EXPECT_SUCCESS(clGetMemObjectInfo(window, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    if (offset != origins[n])
      fail("CL_MEM_OFFSET: expected %zu, got %zu", origins[n], offset);
    EXPECT_SUCCESS(clReleaseMemObject(window));
  }
  const cl_buffer_region beyond = {4, BYTES}, nothing = {4, 0};
  cl_int error;
  (void)clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE, &beyond, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE, &nothing, &error);
  EXPECT_CODE(CL_INVALID_BUFFER_SIZE, error);
  (void)clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE + 1, &nothing, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
}

Test(memory, device_address_is_what_kernels_get) {
  uint32_t got = 0;
  cl_mem out = buffer_with(&got, sizeof got);
  cl_ulong addresses[8] = {0};
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetMemObjectInfo(out, CL_MEM_DEVICE_ADDRESSES_HEDDLE, sizeof addresses, addresses, &bytes));
  cl_kernel kernel = kernel_of(build("kernel void k(global uint *out) { *out = (uint)out; }\n", NULL), "k");
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, sizeof got);
  if (bytes != sizeof *addresses || got != addresses[0])
    fail("expected %zu bytes and %#x, got %zu and %#llx", sizeof *addresses, got, bytes,
         (unsigned long long)addresses[0]);
}

Test(memory, places_that_boards_of_intel_have_are_taken_and_told) {
  for (cl_mem_flags i = 0; i < 16; i++) {
    const cl_mem_flags flags = CL_MEM_READ_ONLY | i << 16;
    cl_mem_flags told = 0;
    cl_int error;
    cl_mem memory = clCreateBuffer(harness()->context, flags, 64, NULL, &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof told, &told, NULL));
    cr_expect_eq(told, flags);
    EXPECT_SUCCESS(clReleaseMemObject(memory));
  }
  cl_int error;
  (void)clCreateBuffer(harness()->context, (cl_mem_flags)1 << 20, 64, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
}

Test(memory, alignment_is_as_asked_for) {
  cl_int error;
  cl_mem kept[12];
  for (uint32_t i = 0; i < 12; i++) {
    const cl_mem_properties wanted[] = {CL_MEM_ALIGNMENT_HEDDLE, (cl_mem_properties)1 << (i + 5), 0};
    cl_mem_properties given[4] = {0};
    cl_ulong addresses[8] = {0};
    size_t bytes = 0;
    kept[i] = clCreateBufferWithProperties(harness()->context, wanted, CL_MEM_READ_WRITE, 100, NULL, &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(clGetMemObjectInfo(kept[i], CL_MEM_DEVICE_ADDRESSES_HEDDLE, sizeof addresses, addresses, NULL));
    if (addresses[0] % wanted[1] != 0)
      fail("%#llx is no multiple of %llu", (unsigned long long)addresses[0], (unsigned long long)wanted[1]);
    EXPECT_SUCCESS(clGetMemObjectInfo(kept[i], CL_MEM_PROPERTIES, sizeof given, given, &bytes));
    if (bytes != sizeof wanted || memcmp(wanted, given, sizeof wanted) != 0)
      fail("CL_MEM_PROPERTIES: %zu bytes, %#llx, %llu", bytes, (unsigned long long)given[0],
           (unsigned long long)given[1]);
  }
  for (uint32_t i = 0; i < 12; i++)
    EXPECT_SUCCESS(clReleaseMemObject(kept[i]));
  static const cl_mem_properties wrong[][5] = {{CL_MEM_ALIGNMENT_HEDDLE, 0},
                                               {CL_MEM_ALIGNMENT_HEDDLE, 48},
                                               {CL_MEM_ALIGNMENT_HEDDLE, 131072},
                                               {CL_MEM_ALIGNMENT_HEDDLE, (cl_mem_properties)1 << 32},
                                               {CL_MEM_ALIGNMENT_HEDDLE, 256, CL_MEM_ALIGNMENT_HEDDLE, 256},
                                               {1, 256}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    (void)clCreateBufferWithProperties(harness()->context, wrong[i], CL_MEM_READ_WRITE, 100, NULL, &error);
    EXPECT_CODE(CL_INVALID_PROPERTY, error);
  }
}

// With CL_MEM_USE_HOST_PTR what a map returns is the host's own memory, up to date.
Test(memory, host_pointer_is_what_a_map_returns) {
  static uint32_t host[64];
  cl_int error;
  cl_mem buffer =
      clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, sizeof host, host, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(
      build("kernel void k(global uint *out) { out[get_global_id(0)] = get_global_id(0) + 5; }\n", NULL), "k");
  set_args(kernel, ARG(buffer), END_ARGS);
  run_1d(kernel, 64, 4);
  uint32_t *mapped =
      clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof host, 0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  if (mapped != host)
    fail("clEnqueueMapBuffer: expected the host's pointer %p, got %p", (void *)host, (void *)mapped);
  uint32_t expected[64];
  for (uint32_t i = 0; i < 64; i++)
    expected[i] = i + 5;
  expect_u32("host memory", expected, host, 64);
}

Test(memory, creation_errors) {
  struct harness *h = harness();
  cl_int error;
  uint32_t word = 0;
  (void)clCreateBuffer(h->context, CL_MEM_READ_WRITE, 0, NULL, &error);
  EXPECT_CODE(CL_INVALID_BUFFER_SIZE, error);
  (void)clCreateBuffer(h->context, CL_MEM_READ_WRITE, 4, &word, &error);
  EXPECT_CODE(CL_INVALID_HOST_PTR, error);
  (void)clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error);
  EXPECT_CODE(CL_INVALID_HOST_PTR, error);
  (void)clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  cl_ulong largest = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
  (void)clCreateBuffer(h->context, CL_MEM_READ_WRITE, largest + 1, NULL, &error);
  EXPECT_CODE(CL_INVALID_BUFFER_SIZE, error);
}

// More memory than there is, asked for and given back over and over: nothing leaks, nothing overlaps.
Test(memory, buffers_are_given_back) {
  struct harness *h = harness();
  cl_ulong all = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL));
  const size_t size = all / 8;
  const int rounds = 40;
  for (int round = 0; round < rounds; round++) {
    cl_int error;
    cl_mem a = clCreateBuffer(h->context, CL_MEM_READ_WRITE, size, NULL, &error);
    EXPECT_SUCCESS(error);
    cl_mem b = clCreateBuffer(h->context, CL_MEM_READ_WRITE, size, NULL, &error);
    EXPECT_SUCCESS(error);
    const uint32_t words[2] = {0x11111111, 0x22222222};
    EXPECT_SUCCESS(clEnqueueWriteBuffer(h->queue, a, CL_TRUE, size - 4, 4, &words[0], 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueWriteBuffer(h->queue, b, CL_TRUE, 0, 4, &words[1], 0, NULL, NULL));
    uint32_t got[2];
    EXPECT_SUCCESS(clEnqueueReadBuffer(h->queue, a, CL_TRUE, size - 4, 4, &got[0], 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueReadBuffer(h->queue, b, CL_TRUE, 0, 4, &got[1], 0, NULL, NULL));
    expect_u32("word of buffer", words, got, 2);
    EXPECT_SUCCESS(clReleaseMemObject(a));
    EXPECT_SUCCESS(clReleaseMemObject(b));
  }
}
