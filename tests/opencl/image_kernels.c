// SPDX-License-Identifier: Apache-2.0
// Images and samplers as arguments of kernels (OpenCL API 3.0, sections 5.3, 5.7 and 5.9): kernels see what the host
// has put there, where it has put it, and the host what they have written. How each format is decoded and each sampler
// filters is in tests/hls/images.c.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static cl_int error;

// Each writes what it sees of an image to `out`: sizes first, then the red of all pixels, by rows, slices and layers.
static const char sees[] =
    "kernel void see_1d(read_only image1d_t i, global uint *out) {\n"
    "  int w = get_image_width(i);\n"
    "  out[0] = w; out[1] = get_image_channel_order(i); out[2] = get_image_channel_data_type(i);\n"
    "  for (int x = 0; x < w; x++) out[4 + x] = read_imageui(i, x).x;\n"
    "}\n"
    "kernel void see_1d_buffer(read_only image1d_buffer_t i, global uint *out) {\n"
    "  int w = get_image_width(i);\n"
    "  out[0] = w; out[1] = get_image_channel_order(i); out[2] = get_image_channel_data_type(i);\n"
    "  for (int x = 0; x < w; x++) out[4 + x] = read_imageui(i, x).x;\n"
    "}\n"
    "kernel void see_1d_array(read_only image1d_array_t i, global uint *out) {\n"
    "  int w = get_image_width(i), n = get_image_array_size(i);\n"
    "  out[0] = w; out[1] = n;\n"
    "  for (int y = 0; y < n; y++) for (int x = 0; x < w; x++) out[4 + y * w + x] = read_imageui(i, (int2)(x, y)).x;\n"
    "}\n"
    "kernel void see_2d(read_only image2d_t i, global uint *out) {\n"
    "  int w = get_image_width(i), h = get_image_height(i);\n"
    "  out[0] = w; out[1] = h;\n"
    "  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) out[4 + y * w + x] = read_imageui(i, (int2)(x, y)).x;\n"
    "}\n"
    "kernel void see_2d_array(read_only image2d_array_t i, global uint *out) {\n"
    "  int w = get_image_width(i), h = get_image_height(i), n = get_image_array_size(i);\n"
    "  out[0] = w; out[1] = h; out[2] = n;\n"
    "  for (int z = 0; z < n; z++) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)\n"
    "    out[4 + (z * h + y) * w + x] = read_imageui(i, (int4)(x, y, z, 0)).x;\n"
    "}\n"
    "kernel void see_3d(read_only image3d_t i, global uint *out) {\n"
    "  int w = get_image_width(i), h = get_image_height(i), d = get_image_depth(i);\n"
    "  out[0] = w; out[1] = h; out[2] = d;\n"
    "  for (int z = 0; z < d; z++) for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)\n"
    "    out[4 + (z * h + y) * w + x] = read_imageui(i, (int4)(x, y, z, 0)).x;\n"
    "}\n";

static const cl_image_format uints = {CL_R, CL_UNSIGNED_INT32}, bytes4 = {CL_RGBA, CL_UNORM_INT8};
enum { W = 5, H = 3, D = 2 };

static cl_mem image_of(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host) {
  cl_mem image = clCreateImage(harness()->context, flags, format, desc, host, &error);
  EXPECT_SUCCESS(error);
  return image;
}

static void expect_seen(cl_program program, const char *name, cl_mem image, const uint32_t *expected, size_t count) {
  cl_mem out = buffer_with(NULL, count * 4);
  uint32_t *got = allocate(count * 4);
  cl_kernel kernel = kernel_of(program, name);
  set_args(kernel, ARG(image), ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, got, count * 4);
  expect_u32(name, expected, got, count);
}

// Pixels with rows and slices apart, in memory of the host.
static uint32_t *host_pixels(size_t row_words, size_t slice_words) {
  uint32_t *host = allocate(4 * slice_words * D + 4 * row_words * H);
  for (size_t z = 0; z < D; z++)
    for (size_t y = 0; y < H; y++)
      for (size_t x = 0; x < W; x++)
        host[z * slice_words + y * row_words + x] = (uint32_t)(1000 * z + 100 * y + x + 1);
  return host;
}

Test(image_kernels, kernels_see_sizes_and_pixels_of_every_type_of_image_with_the_hosts_pitches) {
  cl_program program = build(sees, "-cl-std=CL3.0");
  static const cl_mem_flags flags[] = {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};
  for (int f = 0; f < 2; f++) {
    uint32_t expected[4 + W * H * D], *host = host_pixels(W + 2, (W + 2) * (H + 1));
    for (uint32_t i = 0; i < W * H * D; i++)
      expected[4 + i] = 1000 * (i / (W * H)) + 100 * (i / W % H) + i % W + 1;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = W};
    memcpy(expected, (const uint32_t[]){W, CL_R, CL_UNSIGNED_INT32, 0}, 16);
    expect_seen(program, "see_1d", image_of(flags[f], &uints, &desc, host), expected, 4 + W);
    desc.image_row_pitch = (W + 2) * 4;
    desc.image_height = H;
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    memcpy(expected, (const uint32_t[]){W, H, 0, 0}, 16);
    expect_seen(program, "see_2d", image_of(flags[f], &uints, &desc, host), expected, 4 + W * H);
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    desc.image_array_size = H;
    expect_seen(program, "see_1d_array", image_of(flags[f], &uints, &desc, host), expected, 4 + W * H);
    desc.image_slice_pitch = (W + 2) * (H + 1) * 4;
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_array_size = D;
    memcpy(expected, (const uint32_t[]){W, H, D, 0}, 16);
    expect_seen(program, "see_2d_array", image_of(flags[f], &uints, &desc, host), expected, 4 + W * H * D);
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = D;
    expect_seen(program, "see_3d", image_of(flags[f], &uints, &desc, host), expected, 4 + W * H * D);
  }
}

Test(image_kernels, kernels_see_images_of_buffers_and_of_their_parts) {
  cl_program program = build(sees, "-cl-std=CL3.0");
  uint32_t words[256], expected[4 + W * H];
  for (uint32_t i = 0; i < 256; i++)
    words[i] = i;
  cl_mem buffer = buffer_with(words, sizeof words);
  const cl_buffer_region region = {256, 512};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = W, .mem_object = part};
  memcpy(expected, (const uint32_t[]){W, CL_R, CL_UNSIGNED_INT32, 0}, 16);
  for (uint32_t i = 0; i < W; i++)
    expected[4 + i] = 64 + i;
  expect_seen(program, "see_1d_buffer", image_of(0, &uints, &line, NULL), expected, 4 + W);
  const cl_image_desc sheet = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                               .image_width = W,
                               .image_height = H,
                               .image_row_pitch = 36,
                               .mem_object = part};
  memcpy(expected, (const uint32_t[]){W, H, 0, 0}, 16);
  for (uint32_t i = 0; i < W * H; i++)
    expected[4 + i] = 64 + i / W * 9 + i % W;
  expect_seen(program, "see_2d", image_of(0, &uints, &sheet, NULL), expected, 4 + W * H);
}

// ---- Writing

static const char writes[] =
    "kernel void put(write_only image2d_t i, uint n) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(i, at, (uint4)(n + at.y * 100 + at.x, 0, 0, 0));\n"
    "}\n"
    "kernel void put_slice(write_only image3d_t i, uint n) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(i, (int4)(at, 1, 0), (uint4)(n + at.y * 100 + at.x, 0, 0, 0));\n"
    "}\n"
    "kernel void add(read_write image2d_t i, uint n) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(i, at, read_imageui(i, at) + n);\n"
    "}\n"
    "kernel void turn(read_only image2d_t from, write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, at.yx, read_imageui(from, at));\n"
    "}\n";

static void expect_image(const char *what, cl_mem image, const size_t *origin, const size_t *region,
                         const uint32_t *expected) {
  const size_t count = region[0] * region[1] * region[2];
  uint32_t *got = allocate(4 * count);
  EXPECT_SUCCESS(clEnqueueReadImage(harness()->queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
  expect_u32(what, expected, got, count);
}

Test(image_kernels, what_kernels_write_the_host_and_other_kernels_see) {
  cl_program program = build(writes, "-cl-std=CL3.0");
  const cl_image_desc sheet = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
  const cl_image_desc turned = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = H, .image_height = W};
  const cl_image_desc cube = {
      .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = W, .image_height = H, .image_depth = D};
  const size_t zero[3] = {0, 0, 0}, all[3] = {W, H, 1}, other[3] = {H, W, 1}, second[3] = {0, 0, 1};
  const cl_uint n = 7, more = 1000;
  uint32_t expected[W * H], across[W * H];
  for (uint32_t i = 0; i < W * H; i++) {
    expected[i] = n + i / W * 100 + i % W;
    across[i % W * H + i / W] = expected[i] + more;
  }
  cl_mem image = image_of(0, &uints, &sheet, NULL), deep = image_of(CL_MEM_WRITE_ONLY, &uints, &cube, NULL);
  cl_mem to = image_of(CL_MEM_WRITE_ONLY, &uints, &turned, NULL);
  cl_kernel put = kernel_of(program, "put"), put_slice = kernel_of(program, "put_slice");
  cl_kernel add = kernel_of(program, "add"), turn = kernel_of(program, "turn");
  set_args(put, ARG(image), ARG(n), END_ARGS);
  run(put, 2, NULL, all, NULL);
  expect_image("write_only", image, zero, all, expected);
  set_args(put_slice, ARG(deep), ARG(n), END_ARGS);
  run(put_slice, 2, NULL, all, NULL);
  expect_image("a slice", deep, second, all, expected);
  // One behind the other on the device.
  set_args(add, ARG(image), ARG(more), END_ARGS);
  set_args(turn, ARG(image), ARG(to), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, add, 2, NULL, all, NULL, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, turn, 2, NULL, all, NULL, 0, NULL, NULL));
  expect_image("read_write, then turned", to, zero, other, across);
}

// cl_khr_srgb_image_writes: the value that is nearest to what the curve of sRGB makes of a linear one; alpha has none.
Test(image_kernels, write_srgb_as_its_curve_has_it) {
  cl_program program = build(
      "kernel void put(write_only image2d_t i, global const float4 *colour) {\n"
      "  write_imagef(i, (int2)(get_global_id(0), 0), colour[get_global_id(0)]);\n}\n",
      "-cl-std=CL3.0");
  // 0.0031308 is where the curve begins.
  static const float colours[][4] = {
      {0, 1, 0.3f, 0.4f}, {0.0031308f, 0.001f, 2, 1}, {-1, 0.73f, 0.01f, 0.25f}, {0.5f, 0.2f, 0.8f, 0}};
  static const unsigned char expected[][4] = {
      {0, 255, 149, 102}, {10, 3, 255, 255}, {0, 222, 25, 64}, {188, 124, 231, 0}};
  const cl_image_format format = {CL_sRGBA, CL_UNORM_INT8};
  const cl_image_desc row = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 1};
  const size_t zero[3] = {0, 0, 0}, all[3] = {4, 1, 1};
  cl_mem image = image_of(CL_MEM_WRITE_ONLY, &format, &row, NULL), from = buffer_with(colours, sizeof colours);
  unsigned char got[4][4];
  cl_kernel put = kernel_of(program, "put");
  set_args(put, ARG(image), ARG(from), END_ARGS);
  run(put, 1, NULL, all, NULL);
  EXPECT_SUCCESS(clEnqueueReadImage(harness()->queue, image, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
  for (int i = 0; i < 16; i++)
    if (got[i / 4][i % 4] != expected[i / 4][i % 4])
      fail("colour %d, component %d: expected %u, got %u", i / 4, i % 4, expected[i / 4][i % 4], got[i / 4][i % 4]);
}

// ---- Samplers

static const char samples[] =
    "kernel void sample(read_only image2d_t i, sampler_t s, global const float2 *at, global float *out) {\n"
    "  out[get_global_id(0)] = read_imagef(i, s, at[get_global_id(0)]).x;\n"
    "}\n";

// One row of two pixels, 0 and 1: where it is read, and what that gives by hand.
Test(image_kernels, samplers_are_the_ones_that_were_made) {
  static const struct {
    cl_bool is_normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    float at, expected;
  } cases[] = {
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 1.75f, 1.0f},
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.75f, 0.0f},
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 9.0f, 1.0f},
      {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, 9.0f, 0.0f},
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, 1.25f, 0.75f},
      {CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, 0.75f, 1.0f},
      {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, 3.75f, 1.0f},
      {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, -0.75f, 0.0f},
      {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, 1.25f, 1.0f},
      {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, -0.25f, 0.0f},
      {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, 1.0f, 0.5f},
  };
  const cl_image_format format = {CL_R, CL_FLOAT};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 1};
  float pixels[2] = {0.0f, 1.0f};
  cl_kernel kernel = kernel_of(build(samples, NULL), "sample");
  cl_mem image = image_of(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, &format, &desc, pixels);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const float at[2] = {cases[i].at, 0.5f};
    float got = 99.0f;
    cl_mem where = buffer_with(at, sizeof at), out = buffer_with(NULL, sizeof got);
    cl_sampler sampler =
        clCreateSampler(harness()->context, cases[i].is_normalized, cases[i].addressing, cases[i].filter, &error);
    EXPECT_SUCCESS(error);
    set_args(kernel, ARG(image), ARG(sampler), ARG(where), ARG(out), END_ARGS);
    EXPECT_SUCCESS(clReleaseSampler(sampler));  // the kernel has all that it needs
    run_1d(kernel, 1, 1);
    read_buffer(out, &got, sizeof got);
    cr_assert(got > cases[i].expected - 1e-5f && got < cases[i].expected + 1e-5f,
              "case %zu, at %g: expected %g, got %g", i, cases[i].at, cases[i].expected, got);
  }
}

// ---- Arguments

static const char takes[] =
    "kernel void reads(read_only image2d_t i, global uint *out) { out[0] = read_imageui(i, (int2)(0, 0)).x; }\n"
    "kernel void writes(write_only image2d_t i) { write_imageui(i, (int2)(0, 0), (uint4)(1)); }\n"
    "kernel void both(read_write image2d_t i) { write_imageui(i, (int2)(0, 0), read_imageui(i, (int2)(0, 0))); }\n"
    "kernel void deep(read_only image3d_t i, sampler_t s, global float4 *out) {\n"
    "  out[0] = read_imagef(i, s, (float4)(0.0f)); }\n"
    "kernel void depth(read_only image2d_depth_t i, global float *out) { out[0] = read_imagef(i, (int2)(0, 0)); }\n"
    "typedef image3d_t volume;\n"
    "kernel void named(volume i, global float4 *out) { out[0] = read_imagef(i, (int4)(0)); }\n";

Test(image_kernels, arguments_are_refused_with_the_codes_of_the_text) {
  const cl_image_desc sheet = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
  const cl_image_desc cube = {
      .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = W, .image_height = H, .image_depth = D};
  const cl_image_format depths = {CL_DEPTH, CL_FLOAT};
  cl_program program = build(takes, "-cl-std=CL3.0");
  cl_kernel reads = kernel_of(program, "reads"), puts = kernel_of(program, "writes"), both = kernel_of(program, "both");
  cl_kernel deep = kernel_of(program, "deep"), depth = kernel_of(program, "depth"), named = kernel_of(program, "named");
  cl_mem plain = image_of(0, &uints, &sheet, NULL), volume = image_of(0, &bytes4, &cube, NULL);
  cl_mem readable = image_of(CL_MEM_READ_ONLY, &uints, &sheet, NULL);
  cl_mem writable = image_of(CL_MEM_WRITE_ONLY, &uints, &sheet, NULL);
  cl_mem of_depths = image_of(0, &depths, &sheet, NULL), buffer = buffer_with(NULL, 64);
  cl_context other = clCreateContext(NULL, 1, &harness()->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem foreign = clCreateImage(other, 0, &uints, &sheet, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_sampler sampler = clCreateSamplerWithProperties(harness()->context, NULL, &error);
  cl_sampler foreign_sampler = clCreateSamplerWithProperties(other, NULL, &error);
  const void *null = NULL;
#define TAKE(expected, kernel, index, value) \
  EXPECT_CODE((expected), clSetKernelArg((kernel), (index), sizeof(value), &(value)))
  TAKE(CL_SUCCESS, reads, 0, plain);
  TAKE(CL_SUCCESS, reads, 0, readable);
  TAKE(CL_INVALID_ARG_VALUE, reads, 0, writable);
  TAKE(CL_INVALID_ARG_VALUE, puts, 0, readable);
  TAKE(CL_SUCCESS, puts, 0, writable);
  TAKE(CL_SUCCESS, puts, 0, plain);
  TAKE(CL_INVALID_ARG_VALUE, both, 0, readable);
  TAKE(CL_INVALID_ARG_VALUE, both, 0, writable);
  TAKE(CL_SUCCESS, both, 0, plain);
  TAKE(CL_INVALID_ARG_VALUE, reads, 0, volume);
  TAKE(CL_INVALID_ARG_VALUE, deep, 0, plain);
  TAKE(CL_SUCCESS, deep, 0, volume);
  TAKE(CL_INVALID_ARG_VALUE, named, 0, plain);
  TAKE(CL_SUCCESS, named, 0, volume);
  TAKE(CL_INVALID_ARG_VALUE, reads, 0, of_depths);
  TAKE(CL_INVALID_ARG_VALUE, depth, 0, plain);
  TAKE(CL_SUCCESS, depth, 0, of_depths);
  TAKE(CL_INVALID_ARG_VALUE, reads, 0, buffer);
  TAKE(CL_INVALID_ARG_VALUE, reads, 1, plain);
  TAKE(CL_INVALID_MEM_OBJECT, reads, 0, null);
  TAKE(CL_INVALID_MEM_OBJECT, reads, 0, sampler);
  TAKE(CL_INVALID_MEM_OBJECT, reads, 0, foreign);
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clSetKernelArg(reads, 0, sizeof(cl_mem), NULL));
  EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(reads, 0, sizeof(cl_mem) - 1, &plain));
  TAKE(CL_SUCCESS, deep, 1, sampler);
  TAKE(CL_INVALID_SAMPLER, deep, 1, plain);
  TAKE(CL_INVALID_SAMPLER, deep, 1, null);
  TAKE(CL_INVALID_SAMPLER, deep, 1, foreign_sampler);
  EXPECT_CODE(CL_INVALID_SAMPLER, clSetKernelArg(deep, 1, sizeof(cl_sampler), NULL));
  EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(deep, 1, 4, &sampler));
  // Of its type, and of a format that is not listed for images which one kernel reads and writes.
  const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_mem curved = image_of(0, &srgb, &sheet, NULL);
  const size_t one = 1;
  TAKE(CL_SUCCESS, both, 0, curved);
  EXPECT_CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED,
              clEnqueueNDRangeKernel(harness()->queue, both, 1, NULL, &one, NULL, 0, NULL, NULL));
  TAKE(CL_SUCCESS, both, 0, plain);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, both, 1, NULL, &one, NULL, 0, NULL, NULL));
  // What was released is no argument any more.
  TAKE(CL_SUCCESS, reads, 0, readable);
  TAKE(CL_SUCCESS, reads, 1, buffer);
  EXPECT_SUCCESS(clReleaseMemObject(readable));
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS,
              clEnqueueNDRangeKernel(harness()->queue, reads, 1, NULL, &one, NULL, 0, NULL, NULL));
}

Test(image_kernels, arguments_are_described) {
  static const struct {
    const char *kernel, *type;
    cl_uint index;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
  } cases[] = {
      {"reads", "image2d_t", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY},
      {"writes", "image2d_t", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
      {"both", "image2d_t", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_WRITE},
      {"deep", "image3d_t", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY},
      {"deep", "sampler_t", 1, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE},
      {"depth", "image2d_depth_t", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_READ_ONLY},
  };
  cl_program program = build(takes, "-cl-std=CL3.0 -cl-kernel-arg-info");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cl_kernel kernel = kernel_of(program, cases[i].kernel);
    char type[64] = "";
    cl_uint address = 0, access = 0;
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, cases[i].index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    EXPECT_SUCCESS(
        clGetKernelArgInfo(kernel, cases[i].index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    EXPECT_SUCCESS(
        clGetKernelArgInfo(kernel, cases[i].index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    if (strcmp(type, cases[i].type) != 0 || address != cases[i].address || access != cases[i].access)
      fail("%s, argument %u: expected %s, 0x%x, 0x%x, got %s, 0x%x, 0x%x", cases[i].kernel, cases[i].index,
           cases[i].type, cases[i].address, cases[i].access, type, address, access);
  }
}
