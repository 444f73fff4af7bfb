// SPDX-License-Identifier: Apache-2.0
// Boxes of bytes: which calls of clEnqueue…BufferRect are refused. Sizes whose sums or products are no size_t are never
// taken for small ones, and CL_MEM_COPY_OVERLAP is what two boxes answer that share a byte, and no others.
#include <CL/cl.h>
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/host/fake_device.h"
#include "tests/rtl/random_word.h"

#define OK(call) cr_assert_eq((call), CL_SUCCESS)

enum { BYTES = 1 << 14, PARENT = 1 << 15, ALIGNMENT = 128 };

static cl_context context;
static cl_command_queue queue;
static cl_mem memory;  // of BYTES

static void set_up(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  memory = clCreateBuffer(context, 0, BYTES, NULL, &error);
  OK(error);
}

static void tear_down(void) {
  OK(clReleaseMemObject(memory));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
}

// cppcheck-suppress unknownMacro
TestSuite(boxes, .init = set_up, .fini = tear_down);

// ---- Sizes that wrap

// One end of a box.
struct end {
  size_t origin[3], row_pitch, slice_pitch;
};

static cl_int read_box(const struct end *device, const struct end *host, const size_t *region, char *bytes) {
  return clEnqueueReadBufferRect(queue, memory, CL_TRUE, device->origin, host->origin, region, device->row_pitch,
                                 device->slice_pitch, host->row_pitch, host->slice_pitch, bytes, 0, NULL, NULL);
}

static cl_int write_box(const struct end *device, const struct end *host, const size_t *region, char *bytes) {
  return clEnqueueWriteBufferRect(queue, memory, CL_TRUE, device->origin, host->origin, region, device->row_pitch,
                                  device->slice_pitch, host->row_pitch, host->slice_pitch, bytes, 0, NULL, NULL);
}

static cl_int copy_box(const struct end *from, const struct end *to, const size_t *region, char *bytes) {
  (void)bytes;
  return clEnqueueCopyBufferRect(queue, memory, memory, from->origin, to->origin, region, from->row_pitch,
                                 from->slice_pitch, to->row_pitch, to->slice_pitch, 0, NULL, NULL);
}

static const struct {
  const char *name;
  cl_int (*call)(const struct end *one, const struct end *other, const size_t *region, char *bytes);
} calls[] = {{"read", read_box}, {"write", write_box}, {"copy", copy_box}};
enum { NUM_CALLS = sizeof calls / sizeof *calls };

#define TOP ((size_t)1 << 63)
#define BIT(n) ((size_t)1 << (n))

// Every one of these is far outside of any memory; multiplied or added without care it is a small box at its beginning.
static const struct {
  struct end end;
  size_t region[3];
} far[] = {
    {{{0, BIT(60), 0}, 16, 0}, {4, 1, 1}},
    {{{0, 0, BIT(60)}, 16, 16}, {4, 1, 1}},
    {{{SIZE_MAX, 0, 0}, 16, 16}, {4, 1, 1}},
    {{{SIZE_MAX - 15, 1, 0}, 16, 16}, {4, 1, 1}},
    {{{SIZE_MAX - 31, 1, 1}, 16, 16}, {4, 1, 1}},
    {{{0, 2, 0}, TOP, 0}, {4, 1, 1}},
    {{{0, 0, 2}, 16, TOP}, {4, 1, 1}},
    {{{0, 1, 1}, TOP, TOP}, {4, 1, 1}},
    {{{0, 0, 0}, BIT(60), 0}, {4, 16, 1}},
    {{{0, 0, 0}, BIT(60), 0}, {4, 17, 1}},
    {{{0, 0, 0}, 16, BIT(60)}, {4, 1, 17}},
    {{{0, 0, 0}, 0, 0}, {BIT(32), BIT(32), 1}},
    {{{0, 0, 0}, 0, 0}, {BIT(32), 1, BIT(32)}},
    {{{0, 0, 0}, 0, 0}, {4, BIT(62), 1}},
    {{{0, 0, 0}, 0, 0}, {4, 1, BIT(62)}},
    {{{0, 0, 0}, 0, 0}, {SIZE_MAX, 1, 1}},
    {{{0, 0, 0}, 0, 0}, {1, SIZE_MAX, 1}},
    {{{0, 0, 0}, 0, 0}, {1, 1, SIZE_MAX}},
    {{{0, 0, 0}, 0, 0}, {BIT(22), BIT(21), BIT(21)}},
    {{{1, 0, 0}, 0, 0}, {SIZE_MAX, 1, 1}},
};

Test(boxes, sizes_that_wrap_are_refused_at_both_ends_of_every_call) {
  char bytes[64] = "untouched", before[64];
  memcpy(before, bytes, sizeof before);
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    // The other end is right, as far as it can be with such a region.
    const struct end near = {{256, 0, 0}, far[i].end.row_pitch ? 16 : 0, 0};
    for (size_t c = 0; c < NUM_CALLS; c++) {
      const cl_int one = calls[c].call(&far[i].end, &near, far[i].region, bytes);
      const cl_int other = calls[c].call(&near, &far[i].end, far[i].region, bytes);
      cr_expect_eq(one, CL_INVALID_VALUE, "%s, box %zu: expected CL_INVALID_VALUE, got %d", calls[c].name, i, one);
      cr_expect_eq(other, CL_INVALID_VALUE, "%s, box %zu at the other end: expected CL_INVALID_VALUE, got %d",
                   calls[c].name, i, other);
    }
  }
  cr_expect_arr_eq(bytes, before, sizeof bytes);
}

Test(boxes, ranges_that_wrap_are_refused_by_every_call) {
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 3, SIZE_MAX - 127, TOP, BIT(32), BIT(32) + 4, BYTES + 4};
  char bytes[64] = "";
  cl_int error;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size_t pairs[][2] = {{sizes[i], 4}, {4, sizes[i]}, {sizes[i], sizes[i]}, {sizes[i], 0 - sizes[i]}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
      const size_t at = pairs[k][0], size = pairs[k][1];
      const cl_buffer_region region = {at, size};
      const cl_int got[] = {
          clEnqueueReadBuffer(queue, memory, CL_TRUE, at, size, bytes, 0, NULL, NULL),
          clEnqueueWriteBuffer(queue, memory, CL_TRUE, at, size, bytes, 0, NULL, NULL),
          clEnqueueCopyBuffer(queue, memory, memory, at, 0, size, 0, NULL, NULL),
          clEnqueueCopyBuffer(queue, memory, memory, 0, at, size, 0, NULL, NULL),
          clEnqueueFillBuffer(queue, memory, bytes, 1, at, size, 0, NULL, NULL),
          (clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, at, size, 0, NULL, NULL, &error), error),
          (clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), error),
      };
      for (size_t c = 0; c < sizeof got / sizeof *got; c++)
        cr_expect_eq(got[c], CL_INVALID_VALUE, "call %zu at %zu, %zu bytes: expected CL_INVALID_VALUE, got %d", c, at,
                     size, got[c]);
    }
  }
}

// ---- Overlap

// Marks the bytes of a box. Returns how many were marked already.
static size_t mark(unsigned char *map, size_t start, const struct end *end, const size_t *region) {
  size_t common = 0;
  for (size_t z = 0; z < region[2]; z++) {
    for (size_t y = 0; y < region[1]; y++) {
      for (size_t x = 0; x < region[0]; x++) {
        unsigned char *at = map + start + (end->origin[2] + z) * end->slice_pitch +
                            (end->origin[1] + y) * end->row_pitch + end->origin[0] + x;
        common += *at;
        *at = 1;
      }
    }
  }
  return common;
}

// Where the last byte of the box ends.
static size_t end_of(const struct end *end, const size_t *region) {
  return (end->origin[2] + region[2] - 1) * end->slice_pitch + (end->origin[1] + region[1] - 1) * end->row_pitch +
         end->origin[0] + region[0];
}

static void draw_origin(struct end *end, const size_t *region, size_t limit) {
  do {
    end->origin[0] = random_below(2 * end->row_pitch);  // rows may run over the end of their pitch
    end->origin[1] = random_below(8);
    end->origin[2] = random_below(6);
  } while (end_of(end, region) > limit);
}

static void draw_pitches(struct end *end, const size_t *region) {
  end->row_pitch = region[0] + random_below(24);
  end->slice_pitch = end->row_pitch * (region[1] + random_below(4));
}

static void check_overlap(cl_mem one, size_t start, cl_mem other, size_t other_start, const struct end *from,
                          const struct end *to, const size_t *region) {
  static unsigned char map[PARENT];
  memset(map, 0, sizeof map);
  mark(map, start, from, region);
  const size_t common = mark(map, other_start, to, region);
  const cl_int expected = common != 0 ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
  const cl_int got = clEnqueueCopyBufferRect(queue, one, other, from->origin, to->origin, region, from->row_pitch,
                                             from->slice_pitch, to->row_pitch, to->slice_pitch, 0, NULL, NULL);
  cr_assert_eq(got, expected,
               "%zu bytes in common: expected %d, got %d; region %zu,%zu,%zu, from %zu,%zu,%zu pitches %zu,%zu of %zu, "
               "to %zu,%zu,%zu pitches %zu,%zu of %zu",
               common, expected, got, region[0], region[1], region[2], from->origin[0], from->origin[1],
               from->origin[2], from->row_pitch, from->slice_pitch, start, to->origin[0], to->origin[1], to->origin[2],
               to->row_pitch, to->slice_pitch, other_start);
}

static void draw_region(size_t *region) {
  region[0] = 1 + random_below(20);
  region[1] = 1 + random_below(5);
  region[2] = 1 + random_below(4);
}

Test(boxes, of_one_buffer_overlap_when_they_share_a_byte) {
  random_seed(2);
  for (int round = 0; round < 3000; round++) {
    size_t region[3];
    struct end from = {0}, to;
    draw_region(region);
    draw_pitches(&from, region);
    to = from;
    draw_origin(&from, region, BYTES);
    draw_origin(&to, region, BYTES);
    check_overlap(memory, 0, memory, 0, &from, &to, region);
    OK(clFinish(queue));
  }
}

// Each with pitches of its own, or with those of the other.
Test(boxes, of_sub_buffers_overlap_by_where_they_lie_in_their_buffer) {
  const cl_buffer_region parts[] = {{0, BYTES}, {ALIGNMENT, BYTES}, {8 * ALIGNMENT, BYTES / 2}};
  enum { PARTS = sizeof parts / sizeof *parts };
  cl_int error;
  cl_mem parent = clCreateBuffer(context, 0, PARENT, NULL, &error), made[PARTS];
  OK(error);
  for (int i = 0; i < PARTS; i++) {
    made[i] = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[i], &error);
    OK(error);
  }
  random_seed(3);
  for (int round = 0; round < 3000; round++) {
    const size_t one = random_below(PARTS), other = (one + 1 + random_below(PARTS - 1)) % PARTS;
    const bool with_parent = round % 4 == 0;
    size_t region[3];
    struct end from = {0}, to = {0};
    draw_region(region);
    draw_pitches(&from, region);
    draw_pitches(&to, region);
    if (round % 2 == 0)
      to = from;
    draw_origin(&from, region, parts[one].size);
    draw_origin(&to, region, parts[other].size);
    check_overlap(made[one], parts[one].origin, with_parent ? parent : made[other],
                  with_parent ? 0 : parts[other].origin, &from, &to, region);
    OK(clFinish(queue));
  }
  for (int i = 0; i < PARTS; i++)
    OK(clReleaseMemObject(made[i]));
  OK(clReleaseMemObject(parent));
}

Test(boxes, of_two_buffers_do_not_overlap) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 2};
  cl_int error;
  cl_mem other = clCreateBuffer(context, 0, BYTES, NULL, &error);
  OK(error);
  OK(clEnqueueCopyBufferRect(queue, memory, other, origin, origin, region, 0, 0, 0, 0, 0, NULL, NULL));
  OK(clReleaseMemObject(other));
}
