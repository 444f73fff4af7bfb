// SPDX-License-Identifier: Apache-2.0
// Random commands on images of every type, alone, on host memory with gaps, and of a buffer: what they leave is what
// the same leaves of pixels in memory. Nothing waits for a command but the next one of the queue, so that many are in
// flight; mappings, of which an image may have several, are waited for.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

enum { PICTURES = 8, READS = 64, MAPPINGS = 4, BUFFER_BYTES = 4096, SIDE = 24 };

// Bytes as a buffer or an image should have them.
struct picture {
  cl_mem memory;
  cl_image_format format;
  cl_mem_object_type type;
  size_t sizes[3];  // as regions count: layers of a 1D array are rows
  size_t pixel, row, slice;
  unsigned char *bytes;
  unsigned char *host;  // what it was made from; NULL: it is of the buffer
};

// Memory that a command reads into or writes from, until the queue is finished.
struct moved {
  unsigned char *got, *expected;  // expected: NULL where it was written from
  size_t bytes;
};

static struct {
  struct picture pictures[PICTURES];  // the last ones are of the buffer
  cl_mem buffer;
  unsigned char buffer_bytes[BUFFER_BYTES];
  struct moved moved[READS];
  int num_moved;
  uint32_t seed, random;
} now;

static uint32_t below(size_t n) {
  return random_u32(&now.random) % (uint32_t)n;
}

static void randomise(unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes[i] = (unsigned char)random_u32(&now.random);
}

// ---- pictures

static const cl_image_format formats[] = {
    {CL_R, CL_UNSIGNED_INT8}, {CL_RG, CL_UNSIGNED_INT16}, {CL_RGBA, CL_UNSIGNED_INT32}};
static const size_t pixel_bytes[] = {1, 4, 16};

static bool has_slices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

static void check_made(const struct picture *p, cl_int error) {
  if (error != CL_SUCCESS)
    fail("an image of type 0x%x, %zu x %zu x %zu, pitches %zu and %zu: %s", p->type, p->sizes[0], p->sizes[1],
         p->sizes[2], p->row, p->slice, error_name(error));
}

// An image with memory of its own, or on host memory with gaps behind rows and slices.
static struct picture alone(cl_mem_object_type type, int format) {
  struct picture p = {.type = type, .format = formats[format], .pixel = pixel_bytes[format]};
  const size_t width = 1 + below(SIDE), height = 1 + below(SIDE / 2), count = 1 + below(4), gap = below(3);
  const bool has_rows = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t row = (width + gap) * p.pixel, rows = has_rows ? height : 1, slice = row * (rows + gap);
  const bool is_1d_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  p.row = is_1d_array ? slice : row;
  p.slice = slice;
  p.sizes[0] = width;
  p.sizes[1] = is_1d_array ? count : rows;
  p.sizes[2] = has_slices(type) && !is_1d_array ? count : 1;
  const cl_image_desc desc = {.image_type = type,
                              .image_width = width,
                              .image_height = height,
                              .image_depth = count,
                              .image_array_size = count,
                              .image_row_pitch = row,
                              .image_slice_pitch = has_slices(type) ? slice : 0};
  p.host = allocate(slice * count);
  p.bytes = allocate(slice * count);
  randomise(p.host, slice * count);
  memcpy(p.bytes, p.host, slice * count);
  cl_int error;
  p.memory = clCreateImage(harness()->context, below(2) != 0 ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, &p.format,
                           &desc, p.host, &error);
  check_made(&p, error);
  return p;
}

static struct picture of_buffer(int format) {
  struct picture p = {.type = below(2) != 0 ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_IMAGE1D_BUFFER,
                      .format = formats[format],
                      .pixel = pixel_bytes[format],
                      .bytes = now.buffer_bytes};
  const bool is_2d = p.type == CL_MEM_OBJECT_IMAGE2D;
  p.sizes[0] = 1 + below(SIDE / 2);
  p.row = (p.sizes[0] + below(4)) * p.pixel;
  p.sizes[1] = is_2d ? 1 + below(BUFFER_BYTES / p.row) : 1;
  p.sizes[2] = 1;
  const cl_image_desc desc = {.image_type = p.type,
                              .image_width = p.sizes[0],
                              .image_height = p.sizes[1],
                              .image_row_pitch = is_2d ? p.row : 0,
                              .mem_object = now.buffer};
  cl_int error;
  p.memory = clCreateImage(harness()->context, 0, &p.format, &desc, NULL, &error);
  check_made(&p, error);
  return p;
}

static void begin(uint32_t seed) {
  static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                             CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
  enum { TYPES = sizeof types / sizeof *types };
  now.seed = now.random = seed;
  randomise(now.buffer_bytes, BUFFER_BYTES);
  now.buffer = buffer_with(now.buffer_bytes, BUFFER_BYTES);
  const int format = (int)below(3);  // of all, so that each can be copied to each
  for (int i = 0; i < PICTURES; i++)
    now.pictures[i] = i < TYPES ? alone(types[i], format) : of_buffer(format);
}

static void end(void) {
  for (int i = 0; i < PICTURES; i++) {
    EXPECT_SUCCESS(clReleaseMemObject(now.pictures[i].memory));
    if (now.pictures[i].host)
      free(now.pictures[i].bytes);
    free(now.pictures[i].host);
  }
  EXPECT_SUCCESS(clReleaseMemObject(now.buffer));
}

// ---- parts of them

struct part {
  const struct picture *of;
  size_t origin[3], region[3];
};

static struct part any_part(void) {
  struct part part = {.of = &now.pictures[below(PICTURES)]};
  for (int a = 0; a < 3; a++) {
    part.origin[a] = below(part.of->sizes[a]);
    part.region[a] = 1 + below(part.of->sizes[a] - part.origin[a]);
  }
  return part;
}

static size_t row_bytes(const struct part *part) {
  return part->region[0] * part->of->pixel;
}

static size_t part_bytes(const struct part *part) {
  return row_bytes(part) * part->region[1] * part->region[2];
}

static unsigned char *row_at(const struct part *part, size_t y, size_t z) {
  const struct picture *p = part->of;
  return p->bytes + part->origin[0] * p->pixel + (part->origin[1] + y) * p->row + (part->origin[2] + z) * p->slice;
}

// Between a part and rows that lie `row` and `slice` bytes apart.
static void move(const struct part *part, unsigned char *memory, size_t row, size_t slice, bool into_picture) {
  for (size_t z = 0; z < part->region[2]; z++)
    for (size_t y = 0; y < part->region[1]; y++) {
      unsigned char *there = memory + z * slice + y * row, *here = row_at(part, y, z);
      memcpy(into_picture ? here : there, into_picture ? there : here, row_bytes(part));
    }
}

static void move_packed(const struct part *part, unsigned char *memory, bool into_picture) {
  move(part, memory, row_bytes(part), row_bytes(part) * part->region[1], into_picture);
}

// Whether two parts of one memory have a byte in common.
static bool overlap(const struct part *a, const struct part *b) {
  for (size_t i = 0; i < a->region[1] * a->region[2]; i++)
    for (size_t k = 0; k < b->region[1] * b->region[2]; k++) {
      const unsigned char *one = row_at(a, i % a->region[1], i / a->region[1]),
                          *other = row_at(b, k % b->region[1], k / b->region[1]);
      if (one < other + row_bytes(b) && other < one + row_bytes(a))
        return true;
    }
  return false;
}

// ---- commands

static void finish(void) {
  EXPECT_SUCCESS(clFinish(harness()->queue));
  for (int i = 0; i < now.num_moved; i++) {
    const struct moved *moved = &now.moved[i];
    for (size_t k = 0; moved->expected && k < moved->bytes; k++)
      cr_assert_eq(moved->got[k], moved->expected[k], "run %u, read %d, byte %zu of %zu: %u, expected %u", now.seed, i,
                   k, moved->bytes, moved->got[k], moved->expected[k]);
    free(moved->got);
    free(moved->expected);
  }
  now.num_moved = 0;
}

static struct moved *move_later(size_t bytes) {
  if (now.num_moved == READS)
    finish();
  struct moved *moved = &now.moved[now.num_moved++];
  *moved = (struct moved){.got = allocate(bytes), .bytes = bytes};
  return moved;
}

// Reads or writes a part, with gaps in the host's memory.
static void transfer(bool writes) {
  const struct part part = any_part();
  const bool is_1d_array = part.of->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t row = row_bytes(&part) + below(5), rows = is_1d_array ? 1 : part.region[1];
  const size_t slice = row * rows + (has_slices(part.of->type) ? below(7) : 0);
  struct moved *moved = move_later(slice * part.region[2] * (is_1d_array ? part.region[1] : 1));
  const size_t given = has_slices(part.of->type) ? slice : 0, apart = is_1d_array ? slice : row;
  if (writes) {
    randomise(moved->got, moved->bytes);
    move(&part, moved->got, apart, slice, true);
    EXPECT_SUCCESS(clEnqueueWriteImage(harness()->queue, part.of->memory, CL_FALSE, part.origin, part.region, row,
                                       given, moved->got, 0, NULL, NULL));
  } else {
    moved->expected = allocate(moved->bytes);
    move(&part, moved->expected, apart, slice, false);
    EXPECT_SUCCESS(clEnqueueReadImage(harness()->queue, part.of->memory, CL_FALSE, part.origin, part.region, row, given,
                                      moved->got, 0, NULL, NULL));
  }
}

static void copy(void) {
  struct part from = any_part(), to = any_part();
  for (int a = 0; a < 3; a++)
    from.region[a] = to.region[a] = from.region[a] < to.region[a] ? from.region[a] : to.region[a];
  const bool meet = from.of->bytes == to.of->bytes && overlap(&from, &to);
  EXPECT_CODE(meet ? CL_MEM_COPY_OVERLAP : CL_SUCCESS,
              clEnqueueCopyImage(harness()->queue, from.of->memory, to.of->memory, from.origin, to.origin, from.region,
                                 0, NULL, NULL));
  if (meet)
    return;
  unsigned char *between = allocate(part_bytes(&from));
  move_packed(&from, between, false);
  move_packed(&to, between, true);
  free(between);
}

static void copy_with_buffer(bool into_picture) {
  const struct part part = any_part();
  const size_t bytes = part_bytes(&part);
  if (!part.of->host || bytes > BUFFER_BYTES)
    return;
  const size_t offset = below(BUFFER_BYTES - bytes + 1);
  move_packed(&part, now.buffer_bytes + offset, into_picture);
  EXPECT_SUCCESS(into_picture ? clEnqueueCopyBufferToImage(harness()->queue, now.buffer, part.of->memory, offset,
                                                           part.origin, part.region, 0, NULL, NULL)
                              : clEnqueueCopyImageToBuffer(harness()->queue, part.of->memory, now.buffer, part.origin,
                                                           part.region, offset, 0, NULL, NULL));
}

// A colour that every channel holds.
static void fill(void) {
  const struct part part = any_part();
  const cl_uint colour[4] = {below(256), below(256), below(256), below(256)};
  const size_t channels = part.of->pixel == 1 ? 1 : part.of->pixel == 4 ? 2 : 4, bytes = part.of->pixel / channels;
  for (size_t z = 0; z < part.region[2]; z++)
    for (size_t y = 0; y < part.region[1]; y++)
      for (size_t i = 0; i < part.region[0] * channels; i++)
        memcpy(row_at(&part, y, z) + i * bytes, &colour[i % channels], bytes);
  EXPECT_SUCCESS(
      clEnqueueFillImage(harness()->queue, part.of->memory, colour, part.origin, part.region, 0, NULL, NULL));
}

// Parts of one image that do not meet are mapped at once, changed, and unmapped in another order.
static void map_several(void) {
  struct part parts[MAPPINGS] = {any_part()};
  unsigned char *pointers[MAPPINGS];
  int count = 0;
  for (int tried = 0; tried < MAPPINGS; tried++) {
    struct part part = any_part();
    while (part.of != parts[0].of)
      part = any_part();
    bool meets = false;
    for (int i = 0; i < count; i++)
      meets = meets || overlap(&part, &parts[i]);
    size_t row = 0, slice = 0;
    cl_int error;
    unsigned char *pointer = clEnqueueMapImage(harness()->queue, part.of->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                               part.origin, part.region, &row, &slice, 0, NULL, NULL, &error);
    EXPECT_CODE(meets ? CL_INVALID_OPERATION : CL_SUCCESS, error);
    if (meets)
      continue;
    for (size_t z = 0; z < part.region[2]; z++)
      for (size_t y = 0; y < part.region[1]; y++) {
        unsigned char *mapped = pointer + z * slice + y * (part.of->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row);
        cr_assert_eq(memcmp(mapped, row_at(&part, y, z), row_bytes(&part)), 0, "run %u, mapping, row %zu of slice %zu",
                     now.seed, y, z);
        randomise(mapped, row_bytes(&part));
        memcpy(row_at(&part, y, z), mapped, row_bytes(&part));
      }
    parts[count] = part;
    pointers[count++] = pointer;
  }
  for (int i = count - 1; i >= 0; i--)
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, parts[i].of->memory, pointers[i], 0, NULL, NULL));
}

static void command(void) {
  switch (below(9)) {
    case 0:
    case 1:
      transfer(true);
      break;
    case 2:
    case 3:
      copy();
      break;
    case 4:
      copy_with_buffer(true);
      break;
    case 5:
      copy_with_buffer(false);
      break;
    case 6:
      fill();
      break;
    case 7:
      map_several();
      break;
    default:
      transfer(false);
      break;
  }
}

Test(random_images, commands_leave_what_they_leave_of_pixels_in_memory) {
  const uint32_t runs = harness()->is_long ? 2000 : harness()->is_rtl ? 4 : 200;
  const int commands = harness()->is_rtl ? 25 : 60;
  for (uint32_t seed = 1; seed <= runs; seed++) {
    begin(seed);
    for (int i = 0; i < commands; i++)
      command();
    for (int i = 0; i < 2 * PICTURES; i++)
      transfer(false);
    finish();
    end();
  }
}
