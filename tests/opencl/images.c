// SPDX-License-Identifier: Apache-2.0
// Images as the host sees them (OpenCL API 3.0, section 5.3): what is written, filled, copied or mapped is what is
// read, of every type of image, every size of pixel and every way to make one. The reference is an array of pixels by
// their coordinates, which knows nothing of pitches. What kernels read is in image_kernels.c, what is refused in
// image_errors.c.
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/rtl/random_word.h"

enum { WIDTH = 13, ROWS = 7, SLICES = 5, PIXEL_MOST = 16, PAD = 3, STEPS = 40 };

static void begin(void) {
  random_seed(39);
}
TestSuite(images, .init = begin);

// ---- An image, and the pixels that it should have

enum making { PLAIN, ALLOCATED, COPIED, USED, MAKINGS };
static const char *const making_names[] = {"plain", "CL_MEM_ALLOC_HOST_PTR", "CL_MEM_COPY_HOST_PTR",
                                           "CL_MEM_USE_HOST_PTR"};

struct picture {
  cl_mem image;
  const char *name;
  size_t size[3];  // as origins and regions count
  size_t bytes;    // of a pixel
  bool layers_are_rows;
  uint8_t *pixels;
};

struct kind {
  const char *name;
  cl_mem_object_type type;
  size_t size[3];
  bool of_buffer;
};
static const struct kind kinds[] = {
    {"1D", CL_MEM_OBJECT_IMAGE1D, {WIDTH, 1, 1}, false},
    {"1D array", CL_MEM_OBJECT_IMAGE1D_ARRAY, {WIDTH, ROWS, 1}, false},
    {"1D of a buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, {WIDTH, 1, 1}, true},
    {"2D", CL_MEM_OBJECT_IMAGE2D, {WIDTH, ROWS, 1}, false},
    {"2D of a buffer", CL_MEM_OBJECT_IMAGE2D, {WIDTH, ROWS, 1}, true},
    {"2D array", CL_MEM_OBJECT_IMAGE2D_ARRAY, {WIDTH, ROWS, SLICES}, false},
    {"3D", CL_MEM_OBJECT_IMAGE3D, {WIDTH, ROWS, SLICES}, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Of 1, 2, 4, 8 and 16 bytes.
static const cl_image_format formats[] = {{CL_R, CL_UNSIGNED_INT8},
                                          {CL_RG, CL_SIGNED_INT8},
                                          {CL_RGBA, CL_UNORM_INT8},
                                          {CL_RG, CL_UNSIGNED_INT32},
                                          {CL_RGBA, CL_SIGNED_INT32}};
enum { FORMATS = sizeof formats / sizeof *formats };

static uint8_t *pixel(const struct picture *p, size_t x, size_t y, size_t z) {
  return p->pixels + ((z * p->size[1] + y) * p->size[0] + x) * p->bytes;
}

static cl_image_desc desc_of(const struct kind *kind) {
  cl_image_desc desc = {.image_type = kind->type, .image_width = kind->size[0]};
  desc.image_height = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : kind->size[1];
  desc.image_array_size = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY   ? kind->size[1]
                          : kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? kind->size[2]
                                                                      : 0;
  desc.image_depth = kind->type == CL_MEM_OBJECT_IMAGE3D ? kind->size[2] : 0;
  return desc;
}

// Memory of the host with pixels of the picture, with pitches of its own; what is between them is 0xEE.
static uint8_t *spread(const struct picture *p, size_t row_pitch, size_t slice_pitch) {
  uint8_t *memory = allocate(slice_pitch * p->size[2] + row_pitch * p->size[1]);
  memset(memory, 0xEE, slice_pitch * p->size[2] + row_pitch * p->size[1]);
  for (size_t z = 0; z < p->size[2]; z++)
    for (size_t y = 0; y < p->size[1]; y++)
      memcpy(memory + z * slice_pitch + y * row_pitch, pixel(p, 0, y, z), p->size[0] * p->bytes);
  return memory;
}

static struct picture make(const struct kind *kind, const cl_image_format *format, size_t bytes, enum making making) {
  static const cl_mem_flags flags[] = {0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};
  struct picture p = {.name = kind->name, .bytes = bytes, .layers_are_rows = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY};
  cl_image_desc desc = desc_of(kind);
  cl_int error;
  memcpy(p.size, kind->size, sizeof p.size);
  const size_t count = p.size[0] * p.size[1] * p.size[2] * bytes;
  p.pixels = allocate(count);
  for (size_t i = 0; i < count; i++)
    p.pixels[i] = (uint8_t)random_word();
  // A gap behind each row, and two rows behind each slice.
  const size_t row_pitch = (WIDTH + PAD) * bytes;
  const size_t slice_pitch = p.layers_are_rows ? row_pitch : row_pitch * (p.size[1] + 2);
  uint8_t *host = spread(&p, row_pitch, slice_pitch);
  if (kind->of_buffer) {  // in the midst of it
    cl_mem buffer = buffer_with(NULL, 128 + slice_pitch);
    const cl_buffer_region region = {128, slice_pitch};
    EXPECT_SUCCESS(
        clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 128, row_pitch * p.size[1], host, 0, NULL, NULL));
    desc.mem_object = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT_SUCCESS(error);
    desc.image_row_pitch = kind->type == CL_MEM_OBJECT_IMAGE2D ? row_pitch : 0;
    p.image = clCreateImage(harness()->context, 0, format, &desc, NULL, &error);
    EXPECT_SUCCESS(error);
    // The image keeps both.
    EXPECT_SUCCESS(clReleaseMemObject(desc.mem_object));
    EXPECT_SUCCESS(clReleaseMemObject(buffer));
    return p;
  }
  if (making >= COPIED) {
    desc.image_row_pitch = row_pitch;
    desc.image_slice_pitch = p.size[2] > 1 || p.layers_are_rows ? slice_pitch : 0;
  }
  p.image = clCreateImage(harness()->context, flags[making], format, &desc, making >= COPIED ? host : NULL, &error);
  if (error != CL_SUCCESS)
    fail("%s, %zu bytes a pixel, %s: %s", kind->name, bytes, making_names[making], error_name(error));
  if (making < COPIED) {
    const size_t zero[3] = {0, 0, 0};
    EXPECT_SUCCESS(
        clEnqueueWriteImage(harness()->queue, p.image, CL_TRUE, zero, p.size, 0, 0, p.pixels, 0, NULL, NULL));
  }
  return p;
}

// ---- Steps

struct part {
  size_t origin[3], region[3];
};

static struct part any_part(const struct picture *p) {
  struct part part;
  for (int i = 0; i < 3; i++) {
    const uint32_t size = (uint32_t)p->size[i];
    part.origin[i] = random_below(size);
    part.region[i] = 1 + random_below(size - (uint32_t)part.origin[i]);
  }
  return part;
}

// Pitches of host memory for a part, 0 for none now and then; and what they stand for.
struct pitches {
  size_t row, slice, real_row, real_slice;
};

static struct pitches any_pitches(const struct picture *p, const struct part *part) {
  struct pitches of;
  of.row = random_below(2) ? 0 : (part->region[0] + random_below(4)) * p->bytes + random_below(3);
  of.real_row = of.row ? of.row : part->region[0] * p->bytes;
  const size_t rows = p->layers_are_rows ? 1 : part->region[1];
  const bool has_slices = p->layers_are_rows || p->size[2] > 1;
  of.slice = !has_slices || random_below(2) ? 0 : of.real_row * rows + random_below(20);
  of.real_slice = of.slice ? of.slice : of.real_row * rows;
  return of;
}

static uint8_t *at(const struct picture *p, uint8_t *host, const struct pitches *of, size_t y, size_t z) {
  return host + (p->layers_are_rows ? y * of->real_slice : y * of->real_row + z * of->real_slice);
}

static size_t host_bytes(const struct part *part, const struct pitches *of) {
  return of->real_slice * (part->region[2] + part->region[1]) + of->real_row * part->region[1];
}

// Calls `each` for every row of a part, with that of the picture and that of host memory.
static void expect_rows(const char *what, const struct picture *p, const struct part *part, uint8_t *host,
                        const struct pitches *of) {
  for (size_t z = 0; z < part->region[2]; z++)
    for (size_t y = 0; y < part->region[1]; y++)
      for (size_t i = 0; i < part->region[0] * p->bytes; i++) {
        const uint8_t expected = pixel(p, part->origin[0], part->origin[1] + y, part->origin[2] + z)[i];
        const uint8_t got = at(p, host, of, y, z)[i];
        if (expected != got)
          fail("%s, %zu bytes a pixel, %s: pixel (%zu, %zu, %zu), byte %zu: expected 0x%02x, got 0x%02x", p->name,
               p->bytes, what, part->origin[0] + i / p->bytes, part->origin[1] + y, part->origin[2] + z, i % p->bytes,
               expected, got);
      }
}

static void take_rows(const struct picture *p, const struct part *part, uint8_t *host, const struct pitches *of) {
  for (size_t z = 0; z < part->region[2]; z++)
    for (size_t y = 0; y < part->region[1]; y++)
      memcpy(pixel(p, part->origin[0], part->origin[1] + y, part->origin[2] + z), at(p, host, of, y, z),
             part->region[0] * p->bytes);
}

static void randomize(uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes[i] = (uint8_t)random_word();
}

static void read_part(const char *what, const struct picture *p, const struct part *part) {
  const struct pitches of = any_pitches(p, part);
  uint8_t *host = allocate(host_bytes(part, &of));
  EXPECT_SUCCESS(clEnqueueReadImage(harness()->queue, p->image, CL_TRUE, part->origin, part->region, of.row, of.slice,
                                    host, 0, NULL, NULL));
  expect_rows(what, p, part, host, &of);
}

static void expect_whole(const char *what, const struct picture *p) {
  const struct part whole = {{0, 0, 0}, {p->size[0], p->size[1], p->size[2]}};
  read_part(what, p, &whole);
}

static void write_part(const struct picture *p, const struct part *part) {
  const struct pitches of = any_pitches(p, part);
  uint8_t *host = allocate(host_bytes(part, &of));
  randomize(host, host_bytes(part, &of));
  EXPECT_SUCCESS(clEnqueueWriteImage(harness()->queue, p->image, CL_TRUE, part->origin, part->region, of.row, of.slice,
                                     host, 0, NULL, NULL));
  take_rows(p, part, host, &of);
}

// With colours that every format here has as they are, so that no rounding comes in.
static void fill_part(const struct picture *p, const struct part *part, const cl_image_format *format) {
  const uint32_t channels = format->image_channel_order == CL_R ? 1 : format->image_channel_order == CL_RG ? 2 : 4;
  const size_t bytes = p->bytes / channels;
  uint8_t filled[PIXEL_MOST];
  cl_uint colour[4];
  for (uint32_t i = 0; i < channels; i++) {
    const cl_int value = (cl_int)random_below(100);
    memcpy(filled + i * bytes, &value, bytes);
    colour[i] = (cl_uint)value;
    const cl_float unorm = (cl_float)value / 255.0f;
    if (format->image_channel_data_type == CL_UNORM_INT8)
      memcpy(&colour[i], &unorm, sizeof unorm);
  }
  EXPECT_SUCCESS(clEnqueueFillImage(harness()->queue, p->image, colour, part->origin, part->region, 0, NULL, NULL));
  for (size_t z = 0; z < part->region[2]; z++)
    for (size_t y = 0; y < part->region[1]; y++)
      for (size_t x = 0; x < part->region[0]; x++)
        memcpy(pixel(p, part->origin[0] + x, part->origin[1] + y, part->origin[2] + z), filled, p->bytes);
}

static void copy_to_buffer(const struct picture *p, const struct part *part) {
  const size_t row = part->region[0] * p->bytes, offset = random_below(20);
  const struct pitches of = {.real_row = row, .real_slice = p->layers_are_rows ? row : row * part->region[1]};
  const size_t bytes = row * part->region[1] * part->region[2];
  cl_mem buffer = buffer_with(NULL, offset + bytes);
  uint8_t *host = allocate(offset + bytes);
  EXPECT_SUCCESS(clEnqueueCopyImageToBuffer(harness()->queue, p->image, buffer, part->origin, part->region, offset, 0,
                                            NULL, NULL));
  read_buffer(buffer, host, offset + bytes);
  expect_rows("copied to a buffer", p, part, host + offset, &of);
  for (size_t i = 0; i < offset; i++)
    cr_assert_eq(host[i], 0, "copied to a buffer at %zu: byte %zu was written", offset, i);
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
}

static void copy_from_buffer(const struct picture *p, const struct part *part) {
  const size_t row = part->region[0] * p->bytes, offset = random_below(20);
  const struct pitches of = {.real_row = row, .real_slice = p->layers_are_rows ? row : row * part->region[1]};
  const size_t bytes = row * part->region[1] * part->region[2];
  uint8_t *host = allocate(offset + bytes);
  randomize(host, offset + bytes);
  cl_mem buffer = buffer_with(host, offset + bytes);
  EXPECT_SUCCESS(clEnqueueCopyBufferToImage(harness()->queue, buffer, p->image, offset, part->origin, part->region, 0,
                                            NULL, NULL));
  take_rows(p, part, host + offset, &of);
  EXPECT_SUCCESS(clFinish(harness()->queue));
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
}

static void map_part(const struct picture *p, const struct part *part, bool writes) {
  struct pitches of = {0};
  cl_int error;
  const cl_map_flags flags =
      writes ? random_below(2) ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_WRITE | CL_MAP_READ : CL_MAP_READ;
  uint8_t *mapped = clEnqueueMapImage(harness()->queue, p->image, CL_TRUE, flags, part->origin, part->region,
                                      &of.real_row, &of.real_slice, 0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  if ((flags & CL_MAP_READ) != 0)
    expect_rows("mapped", p, part, mapped, &of);
  for (size_t z = 0; z < part->region[2] && writes; z++)
    for (size_t y = 0; y < part->region[1]; y++)
      randomize(at(p, mapped, &of, y, z), part->region[0] * p->bytes);
  if (writes)
    take_rows(p, part, mapped, &of);
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, p->image, mapped, 0, NULL, NULL));
}

static void step(const struct picture *p, const cl_image_format *format) {
  const struct part part = any_part(p);
  switch (random_below(7)) {
    case 0:
      write_part(p, &part);
      break;
    case 1:
      fill_part(p, &part, format);
      break;
    case 2:
      copy_from_buffer(p, &part);
      break;
    case 3:
      copy_to_buffer(p, &part);
      break;
    case 4:
      map_part(p, &part, false);
      break;
    case 5:
      map_part(p, &part, true);
      break;
    default:
      read_part("read", p, &part);
  }
}

Test(images, of_every_type_and_pixel_hold_what_was_put_into_them) {
  for (int k = 0; k < KINDS; k++)
    for (int f = 0; f < FORMATS; f++)
      for (int m = 0; m < (kinds[k].of_buffer ? 1 : MAKINGS); m++) {
        if (harness()->is_short && f % 2 != 0)
          continue;
        const struct picture p = make(&kinds[k], &formats[f], (size_t)1 << f, (enum making)m);
        expect_whole(making_names[m], &p);
        for (int i = 0; i < (harness()->is_rtl ? STEPS / 8 : STEPS); i++)
          step(&p, &formats[f]);
        expect_whole("in the end", &p);
        EXPECT_SUCCESS(clReleaseMemObject(p.image));
      }
}

// ---- Copies from image to image

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

Test(images, parts_are_copied_between_images_of_any_types) {
  const cl_image_format format = {CL_RG, CL_UNSIGNED_INT8};
  for (int from = 0; from < KINDS; from++)
    for (int to = 0; to < KINDS; to++) {
      const struct picture a = make(&kinds[from], &format, 2, PLAIN), b = make(&kinds[to], &format, 2, PLAIN);
      for (int i = 0; i < (harness()->is_short ? 1 : 4); i++) {
        const struct part source = any_part(&a), target = any_part(&b);
        size_t region[3];
        for (int d = 0; d < 3; d++)
          region[d] = smaller(source.region[d], target.region[d]);
        EXPECT_SUCCESS(clEnqueueCopyImage(harness()->queue, a.image, b.image, source.origin, target.origin, region, 0,
                                          NULL, NULL));
        for (size_t z = 0; z < region[2]; z++)
          for (size_t y = 0; y < region[1]; y++)
            memcpy(pixel(&b, target.origin[0], target.origin[1] + y, target.origin[2] + z),
                   pixel(&a, source.origin[0], source.origin[1] + y, source.origin[2] + z), region[0] * 2);
        expect_whole("copied from another image", &b);
      }
      expect_whole("copied to another image", &a);
      EXPECT_SUCCESS(clReleaseMemObject(a.image));
      EXPECT_SUCCESS(clReleaseMemObject(b.image));
    }
}

Test(images, parts_that_do_not_meet_are_copied_within_an_image_and_others_are_refused) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  for (int k = 0; k < KINDS; k++) {
    const struct picture p = make(&kinds[k], &format, 4, PLAIN);
    for (int i = 0; i < (harness()->is_short ? 8 : 30); i++) {
      const struct part a = any_part(&p), b = any_part(&p);
      size_t region[3];
      bool meet = true;
      for (int d = 0; d < 3; d++) {
        region[d] = smaller(a.region[d], b.region[d]);
        meet = meet && a.origin[d] < b.origin[d] + region[d] && b.origin[d] < a.origin[d] + region[d];
      }
      const cl_int error =
          clEnqueueCopyImage(harness()->queue, p.image, p.image, a.origin, b.origin, region, 0, NULL, NULL);
      EXPECT_CODE(meet ? CL_MEM_COPY_OVERLAP : CL_SUCCESS, error);
      for (size_t z = 0; z < region[2] && !meet; z++)
        for (size_t y = 0; y < region[1]; y++)
          memcpy(pixel(&p, b.origin[0], b.origin[1] + y, b.origin[2] + z),
                 pixel(&p, a.origin[0], a.origin[1] + y, a.origin[2] + z), region[0] * 4);
    }
    expect_whole("copied within", &p);
    EXPECT_SUCCESS(clReleaseMemObject(p.image));
  }
}

// ---- Images of buffers and of images

Test(images, of_a_buffer_are_its_bytes) {
  enum { PITCH = 80, HEIGHT = 6, BYTES = PITCH * HEIGHT };
  struct harness *h = harness();
  uint8_t expected[BYTES], got[BYTES];
  cl_int error;
  randomize(expected, sizeof expected);
  cl_mem buffer = buffer_with(expected, BYTES);
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = 17,
                              .image_height = HEIGHT,
                              .image_row_pitch = PITCH,
                              .mem_object = buffer};
  const cl_image_desc line = {
      .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = BYTES / 4, .mem_object = buffer};
  cl_mem image = clCreateImage(h->context, 0, &format, &flat, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem row = clCreateImage(h->context, 0, &format, &line, NULL, &error);
  EXPECT_SUCCESS(error);
  // Written through one, read through the others.
  const size_t origin[3] = {3, 2, 0}, region[3] = {9, 3, 1};
  const cl_uint word[4] = {0x12345678, 0, 0, 0};
  EXPECT_SUCCESS(clEnqueueFillImage(h->queue, image, word, origin, region, 0, NULL, NULL));
  for (size_t y = 2; y < 5; y++)
    for (size_t x = 3; x < 12; x++)
      memcpy(expected + y * PITCH + x * 4, word, 4);
  read_buffer(buffer, got, BYTES);
  cr_assert_arr_eq(got, expected, BYTES, "an image of a buffer was filled: the buffer has other bytes");
  const size_t zero[3] = {0, 0, 0}, all[3] = {BYTES / 4, 1, 1};
  memset(got, 0, sizeof got);
  EXPECT_SUCCESS(clEnqueueReadImage(h->queue, row, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
  cr_assert_arr_eq(got, expected, BYTES, "an image of a buffer was filled: another one of it has other pixels");
  const uint8_t byte = 0x77;
  EXPECT_SUCCESS(clEnqueueFillBuffer(h->queue, buffer, &byte, 1, PITCH, 4, 0, NULL, NULL));
  cl_uint pixel_read = 0;
  const size_t second[3] = {0, 1, 0}, one[3] = {1, 1, 1};
  EXPECT_SUCCESS(clEnqueueReadImage(h->queue, image, CL_TRUE, second, one, 0, 0, &pixel_read, 0, NULL, NULL));
  cr_assert_eq(pixel_read, 0x77777777u, "a buffer was filled: its image has 0x%08x", pixel_read);
}

Test(images, of_another_image_are_its_pixels_in_another_order) {
  struct harness *h = harness();
  const cl_image_format linear = {CL_RGBA, CL_UNORM_INT8}, srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2};
  uint8_t pixels[24], got[24];
  cl_int error;
  randomize(pixels, sizeof pixels);
  cl_mem image = clCreateImage(h->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &linear, &desc, pixels, &error);
  EXPECT_SUCCESS(error);
  desc.mem_object = image;
  cl_mem view = clCreateImage(h->context, 0, &srgb, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clReleaseMemObject(image));
  const size_t zero[3] = {0, 0, 0}, all[3] = {3, 2, 1};
  EXPECT_SUCCESS(clEnqueueReadImage(h->queue, view, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
  cr_assert_arr_eq(got, pixels, sizeof got, "a view of an image has other bytes");
}

// ---- Mappings

Test(images, mappings_are_in_the_hosts_memory_and_follow_its_pitches) {
  enum { PITCH = 64, HEIGHT = 4 };
  struct harness *h = harness();
  uint8_t *host = allocate(PITCH * HEIGHT);
  const cl_image_format format = {CL_RG, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 20, .image_height = HEIGHT, .image_row_pitch = PITCH};
  cl_int error;
  size_t row_pitch = 0, slice_pitch = 99;
  memset(host, 0xEE, PITCH * HEIGHT);
  cl_mem image = clCreateImage(h->context, CL_MEM_USE_HOST_PTR, &format, &desc, host, &error);
  EXPECT_SUCCESS(error);
  const size_t origin[3] = {5, 1, 0}, region[3] = {4, 2, 1};
  uint8_t *mapped = clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, &row_pitch, &slice_pitch,
                                      0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cr_assert_eq(mapped, host + PITCH + 10, "the mapping is not at the pixel of the host's memory");
  cr_assert(row_pitch == PITCH && slice_pitch == 0, "expected pitches %d and 0, got %zu and %zu", PITCH, row_pitch,
            slice_pitch);
  // A second one for writing is refused where it meets the first, and only there.
  const size_t beside[3] = {9, 1, 0}, meets[3] = {8, 2, 0}, above[3] = {0, 0, 0}, wide[3] = {20, 1, 1};
  uint8_t *second = clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_WRITE, beside, region, &row_pitch, NULL, 0, NULL,
                                      NULL, &error);
  EXPECT_SUCCESS(error);
  uint8_t *third =
      clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_WRITE, above, wide, &row_pitch, NULL, 0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  (void)clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_WRITE, meets, wide, &row_pitch, NULL, 0, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  const size_t one[3] = {1, 1, 1};
  (void)clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_WRITE, meets, one, &row_pitch, NULL, 0, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_OPERATION, error);
  void *read =
      clEnqueueMapImage(h->queue, image, CL_TRUE, CL_MAP_READ, meets, one, &row_pitch, NULL, 0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  cr_assert_eq(count, 4, "CL_MEM_MAP_COUNT: expected 4, got %u", count);
  mapped[0] = 1;
  mapped[PITCH + 7] = 2;
  void *const all[] = {read, third, second, mapped};
  for (int i = 0; i < 4; i++)
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(h->queue, image, all[i], 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueUnmapMemObject(h->queue, image, mapped, 0, NULL, NULL));
  uint8_t got[40 * HEIGHT];
  const size_t zero[3] = {0, 0, 0}, whole[3] = {20, HEIGHT, 1};
  EXPECT_SUCCESS(clEnqueueReadImage(h->queue, image, CL_TRUE, zero, whole, 0, 0, got, 0, NULL, NULL));
  for (int i = 0; i < 40 * HEIGHT; i++) {
    const uint8_t expected = i == 40 + 10 ? 1 : i == 80 + 17 ? 2 : 0xEE;
    cr_assert_eq(got[i], expected, "byte %d: expected 0x%02x, got 0x%02x", i, expected, got[i]);
  }
}

// ---- Colours

struct filled {
  cl_image_format format;
  float real[4];
  cl_uint words[4];  // of formats of integers
  size_t bytes;
  uint8_t expected[16];
};

// By hand, from the conversion rules (OpenCL C 3.0, 8.3): to the nearest, ties to the even one.
static const struct filled colours[] = {
    {{CL_R, CL_UNORM_INT8}, {0.5f}, {0}, 1, {128}},  // 127.5
    {{CL_R, CL_UNORM_INT8}, {-3.0f}, {0}, 1, {0}},
    {{CL_R, CL_UNORM_INT8}, {7.0f}, {0}, 1, {255}},
    {{CL_R, CL_UNORM_INT8}, {NAN}, {0}, 1, {0}},
    {{CL_RGBA, CL_UNORM_INT8}, {0.0f, 0.2f, 0.4f, 1.0f}, {0}, 4, {0, 51, 102, 255}},
    {{CL_BGRA, CL_UNORM_INT8}, {0.0f, 0.2f, 0.4f, 1.0f}, {0}, 4, {102, 51, 0, 255}},
    {{CL_ARGB, CL_UNORM_INT8}, {0.0f, 0.2f, 0.4f, 1.0f}, {0}, 4, {255, 0, 51, 102}},
    {{CL_ABGR, CL_UNORM_INT8}, {0.0f, 0.2f, 0.4f, 1.0f}, {0}, 4, {255, 102, 51, 0}},
    {{CL_A, CL_UNORM_INT8}, {0.0f, 0.2f, 0.4f, 0.6f}, {0}, 1, {153}},
    {{CL_RA, CL_UNORM_INT8}, {0.2f, 0.0f, 0.4f, 0.6f}, {0}, 2, {51, 153}},
    {{CL_INTENSITY, CL_UNORM_INT8}, {0.2f, 0.4f, 0.6f, 0.8f}, {0}, 1, {51}},
    {{CL_LUMINANCE, CL_UNORM_INT8}, {0.2f, 0.4f, 0.6f, 0.8f}, {0}, 1, {51}},
    {{CL_RG, CL_UNORM_INT16}, {1.0f / 65535.0f, 1.0f}, {0}, 4, {1, 0, 255, 255}},
    {{CL_RG, CL_SNORM_INT8}, {-1.0f, 0.5f}, {0}, 2, {0x81, 64}},  // 63.5
    {{CL_R, CL_SNORM_INT8}, {-2.0f}, {0}, 1, {0x80}},
    {{CL_R, CL_SNORM_INT16}, {-1.0f}, {0}, 2, {0x01, 0x80}},
    {{CL_RGB, CL_UNORM_SHORT_565}, {1.0f, 0.0f, 1.0f}, {0}, 2, {0x1F, 0xF8}},
    {{CL_RGB, CL_UNORM_SHORT_565}, {0.0f, 1.0f, 0.0f}, {0}, 2, {0xE0, 0x07}},
    {{CL_RGB, CL_UNORM_SHORT_555}, {1.0f, 0.0f, 0.0f}, {0}, 2, {0x00, 0x7C}},
    {{CL_RGB, CL_UNORM_INT_101010}, {1.0f, 0.0f, 0.5f}, {0}, 4, {0x00, 0x02, 0xF0, 0x3F}},  // 511.5
    {{CL_R, CL_HALF_FLOAT}, {1.0f}, {0}, 2, {0x00, 0x3C}},
    {{CL_R, CL_HALF_FLOAT}, {65520.0f}, {0}, 2, {0x00, 0x7C}},             // infinite
    {{CL_R, CL_HALF_FLOAT}, {65519.0f}, {0}, 2, {0xFF, 0x7B}},             // the largest
    {{CL_R, CL_HALF_FLOAT}, {-0x1p-24f}, {0}, 2, {0x01, 0x80}},            // the smallest
    {{CL_R, CL_HALF_FLOAT}, {0x1p-25f}, {0}, 2, {0x00, 0x00}},             // half of it
    {{CL_R, CL_HALF_FLOAT}, {1.0f + 0x1p-11f}, {0}, 2, {0x00, 0x3C}},      // between two
    {{CL_R, CL_HALF_FLOAT}, {1.0f + 3 * 0x1p-11f}, {0}, 2, {0x02, 0x3C}},  // between two
    {{CL_R, CL_HALF_FLOAT}, {0x1p-14f - 0x1p-26f}, {0}, 2, {0x00, 0x04}},  // the smallest normal one
    {{CL_RG, CL_FLOAT}, {1.5f, -2.0f}, {0}, 8, {0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0}},
    {{CL_R, CL_SIGNED_INT8}, {0}, {(cl_uint)-200}, 1, {0x80}},
    {{CL_R, CL_SIGNED_INT8}, {0}, {200}, 1, {0x7F}},
    {{CL_RG, CL_SIGNED_INT16}, {0}, {(cl_uint)-40000, 40000}, 4, {0x00, 0x80, 0xFF, 0x7F}},
    {{CL_R, CL_UNSIGNED_INT8}, {0}, {0xFFFFFFFF}, 1, {0xFF}},
    {{CL_RG, CL_UNSIGNED_INT16}, {0}, {65536, 65534}, 4, {0xFF, 0xFF, 0xFE, 0xFF}},
    {{CL_R, CL_UNSIGNED_INT32}, {0}, {0xFEDCBA98}, 4, {0x98, 0xBA, 0xDC, 0xFE}},
    {{CL_DEPTH, CL_UNORM_INT16}, {1.0f}, {0}, 2, {0xFF, 0xFF}},
    {{CL_DEPTH, CL_FLOAT}, {0.25f}, {0}, 4, {0, 0, 0x80, 0x3E}},
    // 0.5 is 188 of 255 in sRGB, 0.002 is 12.92 * 0.002 * 255 = 6.6; alpha is linear.
    {{CL_sRGBA, CL_UNORM_INT8}, {0.5f, 0.002f, 1.0f, 0.5f}, {0}, 4, {188, 7, 255, 128}},
};

static void expect_colours(void) {
  struct harness *h = harness();
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
    const struct filled *c = &colours[i];
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 3, .image_height = 2};
    const bool is_integer =
        c->format.image_channel_data_type >= CL_SIGNED_INT8 && c->format.image_channel_data_type <= CL_UNSIGNED_INT32;
    const size_t zero[3] = {0, 0, 0}, all[3] = {3, 2, 1};
    uint8_t got[6 * 16];
    cl_int error;
    cl_mem image = clCreateImage(h->context, CL_MEM_READ_ONLY, &c->format, &desc, NULL, &error);
    if (error != CL_SUCCESS)
      fail("order 0x%x, type 0x%x: %s", c->format.image_channel_order, c->format.image_channel_data_type,
           error_name(error));
    EXPECT_SUCCESS(
        clEnqueueFillImage(h->queue, image, is_integer ? (const void *)c->words : c->real, zero, all, 0, NULL, NULL));
    EXPECT_SUCCESS(clEnqueueReadImage(h->queue, image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    for (size_t k = 0; k < 6 * c->bytes; k++)
      if (got[k] != c->expected[k % c->bytes])
        fail("colour %zu (order 0x%x, type 0x%x): pixel %zu, byte %zu: expected 0x%02x, got 0x%02x", i,
             c->format.image_channel_order, c->format.image_channel_data_type, k / c->bytes, k % c->bytes,
             c->expected[k % c->bytes], got[k]);
    EXPECT_SUCCESS(clReleaseMemObject(image));
  }
}

Test(images, colours_become_pixels_as_the_text_says) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};  // of the program
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
    fesetround(roundings[i]);
    expect_colours();
  }
}

// ---- Formats

static bool lists(const cl_image_format *list, cl_uint count, cl_channel_order order, cl_channel_type type) {
  for (cl_uint i = 0; i < count; i++)
    if (list[i].image_channel_order == order && list[i].image_channel_data_type == type)
      return true;
  return false;
}

// The specification's lists of formats that there have to be (5.3.2.1), for each use and each type of image.
Test(images, formats_are_those_that_there_have_to_be) {
  static const cl_channel_type every[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                                          CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                          CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
  static const cl_channel_type both[] = {CL_UNORM_INT8,     CL_SIGNED_INT8,   CL_SIGNED_INT16,
                                         CL_SIGNED_INT32,   CL_UNSIGNED_INT8, CL_UNSIGNED_INT16,
                                         CL_UNSIGNED_INT32, CL_HALF_FLOAT,    CL_FLOAT};
  static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA};
  static const cl_mem_flags uses[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0,
                                      CL_MEM_KERNEL_READ_AND_WRITE};
  for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER; type++)
    for (size_t u = 0; u < 5; u++) {
      cl_image_format list[400] = {{0, 0}};
      cl_uint count = 0, again = 0;
      EXPECT_SUCCESS(clGetSupportedImageFormats(harness()->context, uses[u], type, 0, NULL, &count));
      cr_assert(count > 0 && count < 400, "%u formats", count);
      EXPECT_SUCCESS(clGetSupportedImageFormats(harness()->context, uses[u], type, count - 1, list, &again));
      cr_assert(again == count && list[count - 1].image_channel_order == 0,
                "room for one less than %u formats: %u, and the next one is 0x%x", count, again,
                list[count - 1].image_channel_order);
      EXPECT_SUCCESS(clGetSupportedImageFormats(harness()->context, uses[u], type, 400, list, NULL));
      for (int o = 0; o < 3; o++)
        for (size_t t = 0; t < (u == 4 ? sizeof both : sizeof every) / sizeof *every; t++) {
          if (u == 4 && orders[o] == CL_RG)
            continue;
          const cl_channel_type channel = u == 4 ? both[t] : every[t];
          cr_assert(lists(list, count, orders[o], channel),
                    "images of type 0x%x, flags 0x%llx: no order 0x%x with 0x%x", type, (unsigned long long)uses[u],
                    orders[o], channel);
        }
      if (u == 4)
        continue;
      cr_assert(lists(list, count, CL_BGRA, CL_UNORM_INT8), "type 0x%x: CL_BGRA is missing", type);
      cr_assert(lists(list, count, CL_sRGBA, CL_UNORM_INT8), "CL_sRGBA is missing");
      const bool depth = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      cr_assert(lists(list, count, CL_DEPTH, CL_FLOAT) == depth, "CL_DEPTH with CL_FLOAT of type 0x%x", type);
      cr_assert(lists(list, count, CL_DEPTH, CL_UNORM_INT16) == depth, "CL_DEPTH with CL_UNORM_INT16 of 0x%x", type);
    }
}

// What is listed can be made, and nothing else.
Test(images, of_each_format_can_be_made_exactly_where_it_is_listed) {
  static const cl_mem_flags uses[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
  for (size_t u = 0; u < 3; u++)
    for (cl_channel_order order = CL_R; order <= CL_ABGR; order++)
      for (cl_channel_type type = CL_SNORM_INT8; type <= CL_UNORM_INT24; type++) {
        const cl_image_format format = {order, type};
        const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};
        cl_image_format list[400];
        cl_uint count = 0;
        cl_int error;
        EXPECT_SUCCESS(
            clGetSupportedImageFormats(harness()->context, uses[u], CL_MEM_OBJECT_IMAGE2D, 400, list, &count));
        cl_mem image = clCreateImage(harness()->context, uses[u], &format, &desc, NULL, &error);
        const bool is_listed = lists(list, count, order, type);
        if (is_listed != (error == CL_SUCCESS) ||
            (!is_listed && error != CL_IMAGE_FORMAT_NOT_SUPPORTED && error != CL_INVALID_IMAGE_FORMAT_DESCRIPTOR))
          fail("flags 0x%llx, order 0x%x, type 0x%x, %s: %s", (unsigned long long)uses[u], order, type,
               is_listed ? "listed" : "not listed", error_name(error));
        if (image)
          EXPECT_SUCCESS(clReleaseMemObject(image));
      }
}

// ---- Several devices, lifetimes

Test(images, move_between_devices_of_a_context) {
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_command_queue queues[2];
  cl_int error;
  heddle_devices(&platform, &devices[0], &devices[1]);
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++) {
    queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &error);
    EXPECT_SUCCESS(error);
  }
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_uint expected[16] = {0}, got[16];
  const size_t zero[3] = {0, 0, 0}, all[3] = {4, 4, 1};
  EXPECT_SUCCESS(clEnqueueFillImage(queues[0], image, expected, zero, all, 0, NULL, NULL));
  for (cl_uint i = 0; i < 16; i++) {
    const size_t at_i[3] = {i % 4, i / 4, 0}, one[3] = {1, 1, 1};
    expected[i] = i + 100;
    EXPECT_SUCCESS(clEnqueueWriteImage(queues[i % 2], image, CL_TRUE, at_i, one, 0, 0, &expected[i], 0, NULL, NULL));
  }
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(queues[0], 1, &image, 0, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadImage(queues[1], image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
  expect_u32("an image of two devices", expected, got, 16);
}

static int order_of_ends, end_of_image, end_of_buffer;

static void CL_CALLBACK note_end(cl_mem memory, void *user) {
  (void)memory;
  *(int *)user = ++order_of_ends;
}

Test(images, end_before_the_buffer_that_they_are_made_of) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_int error;
  cl_mem buffer = buffer_with(NULL, 64);
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .mem_object = buffer};
  cl_mem image = clCreateImage(harness()->context, 0, &format, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clSetMemObjectDestructorCallback(image, note_end, &end_of_image));
  EXPECT_SUCCESS(clSetMemObjectDestructorCallback(buffer, note_end, &end_of_buffer));
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
  cr_assert_eq(order_of_ends, 0, "the buffer ended while there is an image of it");
  EXPECT_SUCCESS(clReleaseMemObject(image));
  cr_assert(end_of_image == 1 && end_of_buffer == 2, "expected the ends 1 and 2, got %d and %d", end_of_image,
            end_of_buffer);
}

// Descriptors and pixels are given back: otherwise the device would be full.
Test(images, give_back_their_memory) {
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_ulong most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1024, .image_height = smaller(16384, (size_t)most / 16384)};
  for (int i = 0; i < 40; i++) {
    cl_int error;
    cl_mem image = clCreateImage(harness()->context, 0, &format, &desc, NULL, &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(clReleaseMemObject(image));
  }
}
