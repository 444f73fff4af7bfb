// SPDX-License-Identifier: Apache-2.0
// What the calls of images and samplers refuse (OpenCL API 3.0, sections 5.3, 5.7 and 5.9), with the codes of the text
// in its order: where several things are wrong, the first of the list says which code it is.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, red = {CL_R, CL_UNORM_INT8};
static const size_t column[3] = {1, 8, 1}, zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, huge[3] = {SIZE_MAX, 1, 1};
static cl_int error;
static unsigned char bytes[4096];

// A call that makes an object, and what it has to say.
#define EXPECT_MADE(expected, call)                                                                \
  do {                                                                                             \
    error = 99;                                                                                    \
    const void *made_ = (const void *)(call);                                                      \
    EXPECT_CODE((expected), error);                                                                \
    cr_assert(((expected) == CL_SUCCESS) == !!made_, #call ": an object and code %d", (expected)); \
  } while (0)

static cl_image_desc flat(size_t width, size_t height) {
  return (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height};
}

static cl_mem image_with(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc) {
  cl_mem image = clCreateImage(harness()->context, flags, format, desc, NULL, &error);
  EXPECT_SUCCESS(error);
  return image;
}

static cl_mem plain_image(cl_mem_flags flags) {
  const cl_image_desc desc = flat(8, 8);
  return image_with(flags, &rgba, &desc);
}

static cl_context other_context(void) {
  cl_context other = clCreateContext(NULL, 1, &harness()->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  return other;
}

// ---- Making images

Test(image_errors, of_creation_come_in_the_order_of_the_text) {
  const cl_context context = harness()->context;
  const cl_mem_properties unknown[] = {0x7001, 1, 0};
  const cl_mem_flags both = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  const cl_image_format none = {0x7001, CL_UNORM_INT8}, misfit = {CL_RGB, CL_FLOAT},
                        packed = {CL_RGBA, CL_UNORM_SHORT_565};
  const cl_image_format unsupported = {CL_RGBA, CL_UNORM_INT_101010_2};
  const cl_image_desc good = flat(4, 4), empty = {0}, large = flat(16385, 4);
#define CREATE(...) clCreateImageWithProperties(__VA_ARGS__, &error)
  EXPECT_MADE(CL_INVALID_CONTEXT, CREATE(NULL, unknown, both, &none, &empty, NULL));
  EXPECT_MADE(CL_INVALID_PROPERTY, CREATE(context, unknown, both, &none, &empty, NULL));
  EXPECT_MADE(CL_INVALID_VALUE, CREATE(context, NULL, both, &none, &empty, NULL));
  EXPECT_MADE(CL_INVALID_VALUE, CREATE(context, NULL, CL_MEM_KERNEL_READ_AND_WRITE, &rgba, &good, NULL));
  EXPECT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(context, NULL, 0, NULL, &empty, NULL));
  EXPECT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(context, NULL, 0, &none, NULL, NULL));
  EXPECT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(context, NULL, 0, &misfit, &empty, NULL));
  EXPECT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(context, NULL, 0, &packed, &empty, NULL));
  EXPECT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(context, NULL, 0, &rgba, NULL, bytes));
  EXPECT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, CREATE(context, NULL, 0, &rgba, &empty, bytes));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, CREATE(context, NULL, 0, &rgba, &large, bytes));
  EXPECT_MADE(CL_INVALID_HOST_PTR, CREATE(context, NULL, 0, &unsupported, &good, bytes));
  EXPECT_MADE(CL_INVALID_HOST_PTR, CREATE(context, NULL, CL_MEM_USE_HOST_PTR, &rgba, &good, NULL));
  EXPECT_MADE(CL_INVALID_HOST_PTR, CREATE(context, NULL, CL_MEM_COPY_HOST_PTR, &rgba, &good, NULL));
  EXPECT_MADE(CL_IMAGE_FORMAT_NOT_SUPPORTED, CREATE(context, NULL, 0, &unsupported, &good, NULL));
  EXPECT_MADE(CL_SUCCESS, CREATE(context, NULL, 0, &rgba, &good, NULL));
}

// One wrong thing each, in a description that is good otherwise.
struct described {
  const char *what;
  cl_mem_object_type type;
  size_t width, height, depth, layers, row_pitch, slice_pitch;
  bool hosted;
  cl_int expected;
};
#define IMAGE(name) CL_MEM_OBJECT_IMAGE##name
static const struct described descriptions[] = {
    {"1D", IMAGE(1D), 5, 0, 0, 0, 0, 0, false, CL_SUCCESS},
    {"sizes that the type has not are not looked at", IMAGE(1D), 5, 99999, 99999, 99999, 0, 0, false, CL_SUCCESS},
    {"no width", IMAGE(1D), 0, 1, 1, 1, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"no height", IMAGE(2D), 5, 0, 1, 1, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"no depth", IMAGE(3D), 5, 5, 0, 1, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a depth of one", IMAGE(3D), 5, 5, 1, 0, 0, 0, false, CL_SUCCESS},
    {"no layers", IMAGE(2D_ARRAY), 5, 5, 1, 0, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"no layers of 1D", IMAGE(1D_ARRAY), 5, 5, 1, 0, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"one layer", IMAGE(2D_ARRAY), 5, 5, 0, 1, 0, 0, false, CL_SUCCESS},
    {"no image", CL_MEM_OBJECT_BUFFER, 5, 5, 1, 1, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a pipe", CL_MEM_OBJECT_PIPE, 5, 5, 1, 1, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"of a buffer that is not there", IMAGE(1D_BUFFER), 5, 0, 0, 0, 0, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"as wide as can be", IMAGE(2D), 16384, 1, 0, 0, 0, 0, false, CL_SUCCESS},
    {"too wide", IMAGE(2D), 16385, 1, 0, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"too high", IMAGE(2D), 1, 16385, 0, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"1D, too wide", IMAGE(1D), 16385, 0, 0, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"3D, too wide", IMAGE(3D), 2049, 1, 1, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"3D, too high", IMAGE(3D), 1, 2049, 1, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"3D, too deep", IMAGE(3D), 1, 1, 2049, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"too many layers", IMAGE(2D_ARRAY), 1, 1, 0, 2049, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"too many layers of 1D", IMAGE(1D_ARRAY), 1, 1, 0, 2049, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"as wide as no number", IMAGE(2D), SIZE_MAX, SIZE_MAX, 0, 0, 0, 0, false, CL_INVALID_IMAGE_SIZE},
    {"more than the device has", IMAGE(3D), 2048, 2048, 2048, 0, 0, 0, false, CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"a pitch without host memory", IMAGE(2D), 5, 5, 0, 0, 20, 0, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a slice pitch without host memory", IMAGE(3D), 5, 5, 2, 0, 0, 100, false, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a pitch", IMAGE(2D), 5, 5, 0, 0, 24, 0, true, CL_SUCCESS},
    {"a pitch less than a row", IMAGE(2D), 5, 5, 0, 0, 16, 0, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a pitch that is no multiple of a pixel", IMAGE(2D), 5, 5, 0, 0, 22, 0, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a slice pitch", IMAGE(3D), 5, 5, 2, 0, 24, 144, true, CL_SUCCESS},
    {"a slice pitch less than a slice", IMAGE(3D), 5, 5, 2, 0, 24, 96, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a slice pitch of half rows", IMAGE(3D), 5, 5, 2, 0, 24, 132, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a slice pitch of layers", IMAGE(2D_ARRAY), 5, 5, 0, 2, 0, 120, true, CL_SUCCESS},
    {"a slice pitch of layers of 1D", IMAGE(1D_ARRAY), 5, 0, 0, 2, 0, 40, true, CL_SUCCESS},
    {"one less than a row of 1D", IMAGE(1D_ARRAY), 5, 0, 0, 2, 24, 20, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"a pitch that wraps", IMAGE(3D), 5, 5, 2, 0, SIZE_MAX - 3, 0, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"rows that wrap", IMAGE(2D), 5, 2, 0, 0, SIZE_MAX - 3, 0, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"layers that wrap", IMAGE(2D_ARRAY), 5, 5, 0, 2, 32, SIZE_MAX - 31, true, CL_INVALID_IMAGE_DESCRIPTOR},
    {"slices that wrap", IMAGE(3D), 5, 5, 9, 0, 32, SIZE_MAX / 4 - 31, true, CL_INVALID_IMAGE_DESCRIPTOR},
};

Test(image_errors, of_descriptions_are_told_one_by_one) {
  for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++) {
    const struct described *d = &descriptions[i];
    const cl_image_desc desc = {.image_type = d->type,
                                .image_width = d->width,
                                .image_height = d->height,
                                .image_depth = d->depth,
                                .image_array_size = d->layers,
                                .image_row_pitch = d->row_pitch,
                                .image_slice_pitch = d->slice_pitch};
    cl_mem image = clCreateImage(harness()->context, d->hosted ? CL_MEM_COPY_HOST_PTR : 0, &rgba, &desc,
                                 d->hosted ? bytes : NULL, &error);
    if (error != d->expected)
      fail("%s: expected %s, got %s", d->what, error_name(d->expected), error_name(error));
    if (image)
      EXPECT_SUCCESS(clReleaseMemObject(image));
  }
  cl_image_desc mipmaps = flat(4, 4), samples = flat(4, 4);
  mipmaps.num_mip_levels = 1;
  samples.num_samples = 1;
  EXPECT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(harness()->context, 0, &rgba, &mipmaps, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(harness()->context, 0, &rgba, &samples, NULL, &error));
}

Test(image_errors, of_images_of_other_objects) {
  const cl_context context = harness()->context;
  cl_mem buffer = buffer_with(NULL, 1024), whole = plain_image(0), pipe = clCreatePipe(context, 0, 4, 4, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem foreign = clCreateBuffer(other_context(), 0, 1024, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .mem_object = buffer};
#define OF(expected, flags, format, desc, host) \
  EXPECT_MADE(expected, clCreateImage(context, (flags), (format), &(desc), (host), &error))
  OF(CL_SUCCESS, 0, &rgba, line, NULL);
  line.image_width = 257;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, line, NULL);
  line.image_width = ((size_t)1 << 20) + 1;
  OF(CL_INVALID_IMAGE_SIZE, 0, &rgba, line, NULL);
  line.image_width = 4;
  OF(CL_INVALID_HOST_PTR, 0, &rgba, line, bytes);
  line.mem_object = whole;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, line, NULL);
  line.mem_object = pipe;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, line, NULL);
  line.mem_object = foreign;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, line, NULL);

  cl_image_desc sheet = flat(8, 8);
  sheet.mem_object = buffer;
  OF(CL_SUCCESS, 0, &rgba, sheet, NULL);
  sheet.image_row_pitch = 128;
  OF(CL_SUCCESS, 0, &rgba, sheet, NULL);
  sheet.image_row_pitch = 132;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, sheet, NULL);
  sheet.image_row_pitch = 34;
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &rgba, sheet, NULL);
  sheet.image_row_pitch = 28;
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, sheet, NULL);
  // Of a buffer on host memory that begins within a pixel.
  static cl_uint words[256];
  const cl_buffer_region second = {512, 256};
  cl_image_desc shifted = flat(4, 4);
  cl_mem halfway = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1000, (char *)words + 2, &error);
  EXPECT_SUCCESS(error);
  shifted.mem_object = halfway;
  OF(CL_SUCCESS, 0, &red, shifted, NULL);
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &rgba, shifted, NULL);
  shifted.mem_object = clCreateSubBuffer(halfway, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &error);
  EXPECT_SUCCESS(error);
  OF(CL_SUCCESS, 0, &red, shifted, NULL);
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &rgba, shifted, NULL);
  cl_image_desc cube = {
      .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 2, .image_height = 2, .image_depth = 2, .mem_object = buffer};
  OF(CL_INVALID_IMAGE_DESCRIPTOR, 0, &rgba, cube, NULL);

  // Not wider in what it allows than what it is made of, and without a pointer of its own.
  cl_mem read_only = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL, &error);
  EXPECT_SUCCESS(error);
  line.mem_object = read_only;
  OF(CL_SUCCESS, 0, &rgba, line, NULL);
  OF(CL_INVALID_VALUE, CL_MEM_READ_WRITE, &rgba, line, NULL);
  OF(CL_INVALID_VALUE, CL_MEM_WRITE_ONLY, &rgba, line, NULL);
  OF(CL_INVALID_VALUE, CL_MEM_HOST_WRITE_ONLY, &rgba, line, NULL);
  OF(CL_SUCCESS, CL_MEM_HOST_NO_ACCESS, &rgba, line, NULL);
  OF(CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, &rgba, line, NULL);

  // Of another image: the same pixels, in an order that goes with the other one.
  const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8}, wide = {CL_sRGBA, CL_UNORM_INT16};
  cl_image_desc view = flat(8, 8);
  view.mem_object = plain_image(CL_MEM_READ_ONLY);
  OF(CL_SUCCESS, 0, &srgb, view, NULL);
  view.image_row_pitch = 32;
  OF(CL_SUCCESS, 0, &srgb, view, NULL);
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &wide, view, NULL);
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &rgba, view, NULL);
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &red, view, NULL);
  view.image_width = 7;
  OF(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &srgb, view, NULL);
  view.image_width = 8;
  view.mem_object = whole;
  OF(CL_SUCCESS, 0, &srgb, view, NULL);
  OF(CL_SUCCESS, CL_MEM_READ_ONLY, &srgb, view, NULL);
}

Test(image_errors, of_the_calls_of_1_1_have_a_code_for_sizes_and_pitches) {
  const cl_context context = harness()->context;
  EXPECT_MADE(CL_SUCCESS, clCreateImage2D(context, 0, &rgba, 4, 4, 0, NULL, &error));
  EXPECT_MADE(CL_SUCCESS, clCreateImage3D(context, 0, &rgba, 4, 4, 2, 0, 0, NULL, &error));
  EXPECT_MADE(CL_SUCCESS, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 20, bytes, &error));
  EXPECT_MADE(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, NULL, 0, 4, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D(context, 0, NULL, 0, 4, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 0, 4, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 4, 0, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 16385, 4, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba, 4, 4, 16, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 18, bytes, &error));
  EXPECT_MADE(CL_INVALID_HOST_PTR, clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage3D(context, 0, &rgba, 4, 4, 1, 0, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage3D(context, 0, &rgba, 4, 4, 0, 0, 0, NULL, &error));
  EXPECT_MADE(CL_INVALID_IMAGE_SIZE,
              clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &rgba, 4, 4, 2, 16, 48, bytes, &error));
}

// ---- Commands

// Origins and regions that no image of 8 × 8 has.
static const struct {
  size_t origin[3], region[3];
} outside[] = {
    {{8, 0, 0}, {1, 1, 1}},        {{0, 8, 0}, {1, 1, 1}},        {{0, 0, 1}, {1, 1, 1}},
    {{0, 0, 0}, {9, 1, 1}},        {{0, 0, 0}, {1, 9, 1}},        {{0, 0, 0}, {1, 1, 2}},
    {{7, 0, 0}, {2, 1, 1}},        {{0, 0, 0}, {0, 1, 1}},        {{0, 0, 0}, {1, 0, 1}},
    {{0, 0, 0}, {1, 1, 0}},        {{SIZE_MAX, 0, 0}, {2, 1, 1}}, {{1, 0, 0}, {SIZE_MAX, 1, 1}},
    {{0, SIZE_MAX, 0}, {1, 2, 1}}, {{0, 1, 0}, {1, SIZE_MAX, 1}}, {{0, 0, SIZE_MAX}, {1, 1, 2}},
    {{8, 0, 0}, {0, 1, 1}},
};

Test(image_errors, of_parts_that_are_not_inside_an_image) {
  const cl_command_queue queue = harness()->queue;
  cl_mem image = plain_image(0), other = plain_image(0), buffer = buffer_with(NULL, 1024);
  const cl_float colour[4] = {0};
  size_t pitch;
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    const size_t *origin = outside[i].origin, *region = outside[i].region;
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, bytes, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, 1, origin, region, 0, 0, bytes, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, colour, origin, region, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueCopyImage(queue, image, other, origin, zero, region, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueCopyImage(queue, image, other, zero, origin, region, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, image, buffer, origin, region, 0, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(queue, buffer, image, 0, origin, region, 0, NULL, NULL));
    EXPECT_MADE(CL_INVALID_VALUE,
                clEnqueueMapImage(queue, image, 1, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL, NULL, &error));
  }
  // Rows of a 1D image, slices of a 1D array: sizes that it has not are one.
  const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 8, .image_height = 8};
  const cl_image_desc lines = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 8, .image_array_size = 4};
  cl_mem thin = image_with(0, &rgba, &line), array = image_with(0, &rgba, &lines);
  const size_t second[3] = {0, 1, 0}, two[3] = {1, 2, 1}, behind[3] = {0, 0, 1}, five[3] = {1, 5, 1};
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, thin, 1, second, one, 0, 0, bytes, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, thin, 1, zero, two, 0, 0, bytes, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, array, 1, behind, one, 0, 0, bytes, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, array, 1, zero, five, 0, 0, bytes, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadImage(queue, array, 1, second, two, 0, 0, bytes, 0, NULL, NULL));
}

Test(image_errors, of_reading_and_writing_come_in_the_order_of_the_text) {
  const cl_command_queue queue = harness()->queue;
  cl_mem image = plain_image(0), buffer = buffer_with(NULL, 1024);
  cl_mem unreadable = plain_image(CL_MEM_HOST_WRITE_ONLY), unwritable = plain_image(CL_MEM_HOST_READ_ONLY);
  cl_mem hidden = plain_image(CL_MEM_HOST_NO_ACCESS);
  const cl_image_desc desc = flat(8, 8);
  cl_mem foreign = clCreateImage(other_context(), 0, &rgba, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++) {
#define MOVE(queue, image, origin, region, row, slice, ptr, waits)                                                  \
  (i == 0 ? clEnqueueReadImage((queue), (image), 1, (origin), (region), (row), (slice), (ptr), (waits), NULL, NULL) \
          : clEnqueueWriteImage((queue), (image), 1, (origin), (region), (row), (slice), (ptr), (waits), NULL, NULL))
    EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, MOVE(NULL, NULL, NULL, NULL, 1, 1, NULL, 1));
    EXPECT_CODE(CL_INVALID_CONTEXT, MOVE(queue, foreign, NULL, NULL, 1, 1, NULL, 1));
    EXPECT_CODE(CL_INVALID_MEM_OBJECT, MOVE(queue, NULL, NULL, NULL, 1, 1, NULL, 1));
    EXPECT_CODE(CL_INVALID_MEM_OBJECT, MOVE(queue, buffer, NULL, NULL, 1, 1, NULL, 1));
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, zero, one, 0, 0, NULL, 1));
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, NULL, one, 0, 0, bytes, 1));
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, zero, NULL, 0, 0, bytes, 1));
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, huge, one, 0, 0, bytes, 1));
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, zero, one, 3, 0, bytes, 1));            // less than a row
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, zero, one, 0, 4, bytes, 1));            // it has no slices
    EXPECT_CODE(CL_INVALID_VALUE, MOVE(queue, image, zero, column, SIZE_MAX, 0, bytes, 0));  // wraps
    EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, MOVE(queue, i == 0 ? unreadable : unwritable, zero, one, 0, 0, bytes, 1));
    EXPECT_CODE(CL_INVALID_OPERATION, MOVE(queue, i == 0 ? unreadable : unwritable, zero, one, 0, 0, bytes, 0));
    EXPECT_CODE(CL_INVALID_OPERATION, MOVE(queue, hidden, zero, one, 0, 0, bytes, 0));
    EXPECT_SUCCESS(MOVE(queue, i == 0 ? unwritable : unreadable, zero, one, 0, 0, bytes, 0));
  }
  const cl_image_desc deep = {
      .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4};
  cl_mem cube = image_with(0, &rgba, &deep);
  const size_t two[3] = {2, 2, 2};
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadImage(queue, cube, 1, zero, two, 12, 23, bytes, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadImage(queue, cube, 1, zero, two, 12, 24, bytes, 0, NULL, NULL));
}

Test(image_errors, of_copies_and_fills_come_in_the_order_of_the_text) {
  const cl_command_queue queue = harness()->queue;
  const cl_context other = other_context();
  const cl_image_desc desc = flat(8, 8);
  const cl_float colour[4] = {0};
  cl_mem image = plain_image(0), hidden = plain_image(CL_MEM_HOST_NO_ACCESS), buffer = buffer_with(NULL, 256);
  cl_mem foreign = clCreateImage(other, 0, &rgba, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem foreign_buffer = clCreateBuffer(other, 0, 256, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem reds = image_with(0, &red, &desc);
  const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .mem_object = buffer};
  cl_mem of_buffer = image_with(0, &rgba, &line);
#define COPY(queue, from, to, a, b, region, waits) \
  clEnqueueCopyImage((queue), (from), (to), (a), (b), (region), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, COPY(NULL, NULL, NULL, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, COPY(queue, foreign, reds, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, COPY(queue, reds, foreign, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, COPY(queue, buffer, image, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, COPY(queue, image, NULL, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_IMAGE_FORMAT_MISMATCH, COPY(queue, image, reds, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, image, image, NULL, zero, one, 1));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, image, image, zero, NULL, one, 1));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, image, image, zero, zero, NULL, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, COPY(queue, image, image, zero, zero, one, 1));
  EXPECT_CODE(CL_MEM_COPY_OVERLAP, COPY(queue, image, image, zero, zero, one, 0));
  EXPECT_SUCCESS(COPY(queue, image, hidden, zero, zero, one, 0));

#define FILL(queue, image, colour, origin, region, waits) \
  clEnqueueFillImage((queue), (image), (colour), (origin), (region), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, FILL(NULL, NULL, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, FILL(queue, foreign, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, FILL(queue, buffer, NULL, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, image, NULL, zero, one, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, image, colour, NULL, one, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, image, colour, zero, NULL, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, FILL(queue, image, colour, zero, one, 1));
  EXPECT_SUCCESS(FILL(queue, hidden, colour, zero, one, 0));

  const size_t whole[3] = {8, 8, 1};
#define OUT(queue, image, buffer, origin, region, offset, waits) \
  clEnqueueCopyImageToBuffer((queue), (image), (buffer), (origin), (region), (offset), (waits), NULL, NULL)
#define IN(queue, buffer, image, offset, origin, region, waits) \
  clEnqueueCopyBufferToImage((queue), (buffer), (image), (offset), (origin), (region), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, OUT(NULL, NULL, NULL, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, OUT(queue, foreign, buffer, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, OUT(queue, image, foreign_buffer, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, OUT(queue, buffer, buffer, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, OUT(queue, image, image, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, OUT(queue, of_buffer, buffer, zero, one, 0, 0));
  EXPECT_CODE(CL_INVALID_VALUE, OUT(queue, image, buffer, NULL, one, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, OUT(queue, image, buffer, zero, whole, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, OUT(queue, image, buffer, zero, one, SIZE_MAX, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, OUT(queue, image, buffer, zero, whole, 0, 1));
  EXPECT_SUCCESS(OUT(queue, hidden, buffer, zero, whole, 0, 0));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, IN(NULL, NULL, NULL, 0, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, IN(queue, foreign_buffer, image, 0, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_CONTEXT, IN(queue, buffer, foreign, 0, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, IN(queue, image, image, 0, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, IN(queue, buffer, buffer, 0, NULL, NULL, 1));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, IN(queue, buffer, of_buffer, 0, zero, one, 0));
  EXPECT_CODE(CL_INVALID_VALUE, IN(queue, buffer, image, 1, zero, whole, 1));
  EXPECT_CODE(CL_INVALID_VALUE, IN(queue, buffer, image, SIZE_MAX, zero, one, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, IN(queue, buffer, image, 0, zero, whole, 1));
  EXPECT_SUCCESS(IN(queue, buffer, hidden, 0, zero, whole, 0));
}

Test(image_errors, of_mapping_come_in_the_order_of_the_text) {
  const cl_command_queue queue = harness()->queue;
  const cl_image_desc desc = flat(8, 8);
  const cl_image_desc lines = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 8, .image_array_size = 4};
  cl_mem foreign = clCreateImage(other_context(), 0, &rgba, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem image = plain_image(0), buffer = buffer_with(NULL, 64), array = image_with(0, &rgba, &lines);
  cl_mem unreadable = plain_image(CL_MEM_HOST_WRITE_ONLY), unwritable = plain_image(CL_MEM_HOST_READ_ONLY);
  size_t row = 0, slice = 0;
#define MAP(queue, image, flags, origin, region, row, slice, waits) \
  clEnqueueMapImage((queue), (image), 1, (flags), (origin), (region), (row), (slice), (waits), NULL, NULL, &error)
  EXPECT_MADE(CL_INVALID_COMMAND_QUEUE, MAP(NULL, NULL, 8, NULL, NULL, NULL, NULL, 1));
  EXPECT_MADE(CL_INVALID_CONTEXT, MAP(queue, foreign, 8, NULL, NULL, NULL, NULL, 1));
  EXPECT_MADE(CL_INVALID_MEM_OBJECT, MAP(queue, buffer, 8, NULL, NULL, NULL, NULL, 1));
  EXPECT_MADE(CL_INVALID_VALUE, MAP(queue, image, 8, zero, one, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_VALUE, MAP(queue, image, CL_MAP_READ, NULL, one, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_VALUE, MAP(queue, image, CL_MAP_READ, zero, NULL, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_VALUE,
              MAP(queue, image, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_VALUE, MAP(queue, image, CL_MAP_READ, zero, one, NULL, &slice, 1));
  EXPECT_MADE(CL_INVALID_VALUE, MAP(queue, array, CL_MAP_READ, zero, one, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_EVENT_WAIT_LIST, MAP(queue, unreadable, CL_MAP_READ, zero, one, &row, NULL, 1));
  EXPECT_MADE(CL_INVALID_OPERATION, MAP(queue, unreadable, CL_MAP_READ, zero, one, &row, NULL, 0));
  EXPECT_MADE(CL_INVALID_OPERATION, MAP(queue, unwritable, CL_MAP_WRITE, zero, one, &row, NULL, 0));
  EXPECT_MADE(CL_INVALID_OPERATION, MAP(queue, unwritable, CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row, NULL, 0));
  EXPECT_MADE(CL_SUCCESS, MAP(queue, array, CL_MAP_READ, zero, one, &row, &slice, 0));
  cr_assert(row == 32 && slice == 32, "a 1D array of 8 pixels: pitches %zu and %zu", row, slice);
  EXPECT_MADE(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer(queue, image, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
}

// A buffer's calls do not take images, nor the other way round.
Test(image_errors, of_images_where_a_buffer_is_asked_for) {
  const cl_command_queue queue = harness()->queue;
  cl_mem image = plain_image(0), buffer = buffer_with(NULL, 64);
  const cl_buffer_region region = {0, 4};
  size_t size;
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, image, 1, 0, 4, bytes, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(queue, image, 1, 0, 4, bytes, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, buffer, image, 0, 0, 4, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, image, bytes, 1, 0, 4, 0, NULL, NULL));
  EXPECT_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, NULL, &size));
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clGetPipeInfo(image, CL_PIPE_PACKET_SIZE, 0, NULL, &size));
}

// ---- Samplers

Test(image_errors, of_samplers) {
  const cl_context context = harness()->context;
  const struct {
    cl_sampler_properties list[7];
    cl_int expected;
  } cases[] = {
      {{0}, CL_SUCCESS},
      {{CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, CL_SAMPLER_FILTER_MODE,
        CL_FILTER_LINEAR, 0},
       CL_SUCCESS},
      {{0x7001, 1, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_CONTEXT, 1, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_NORMALIZED_COORDS, 2, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_NONE - 1, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT + 1, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR + 1, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}, CL_INVALID_VALUE},
      {{CL_SAMPLER_MIP_FILTER_MODE, CL_FILTER_NEAREST, 0}, CL_INVALID_VALUE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cl_sampler sampler = clCreateSamplerWithProperties(context, cases[i].list, &error);
    if (error != cases[i].expected || !sampler != (error != CL_SUCCESS))
      fail("case %zu: expected %s, got %s", i, error_name(cases[i].expected), error_name(error));
  }
  EXPECT_MADE(CL_SUCCESS, clCreateSamplerWithProperties(context, NULL, &error));
  EXPECT_MADE(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(NULL, NULL, &error));
  EXPECT_MADE(CL_SUCCESS, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  EXPECT_MADE(CL_INVALID_CONTEXT, clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  EXPECT_MADE(CL_INVALID_VALUE, clCreateSampler(context, 7, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  EXPECT_MADE(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, 1, CL_FILTER_NEAREST, &error));
  EXPECT_MADE(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, 1, &error));
  cl_mem buffer = buffer_with(NULL, 4);
  EXPECT_CODE(CL_INVALID_SAMPLER, clRetainSampler((cl_sampler)buffer));
  EXPECT_CODE(CL_INVALID_SAMPLER, clReleaseSampler(NULL));
}
