// SPDX-License-Identifier: Apache-2.0
// Images in SPIR-V: modules that clang makes of kernels read and write what the kernels do.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

static cl_int error;

static cl_program of_il(const char *source) {
  const struct binary il =
      made_by("clang-22 --target=spirv32-unknown-unknown -x cl -cl-std=CL3.0 -O1 -c -o %s -", source);
  cl_program program = clCreateProgramWithIL(harness()->context, il.bytes, il.size, &error);
  EXPECT_SUCCESS(error);
  error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  if (error != CL_SUCCESS)
    fail("clBuildProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error), log_of(program));
  return program;
}

enum { W = 6, H = 4, LAYERS = 3, WORDS = 128 };

static cl_mem image_of(cl_mem_object_type type, cl_channel_order order, cl_channel_type channel, void *pixels) {
  const cl_image_desc desc = {
      .image_type = type, .image_width = W, .image_height = H, .image_depth = LAYERS, .image_array_size = LAYERS};
  const cl_image_format format = {order, channel};
  cl_mem image =
      clCreateImage(harness()->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  EXPECT_SUCCESS(error);
  return image;
}

static void fill(void *bytes, size_t size) {
  uint32_t state = 7;
  for (size_t i = 0; i + 4 <= size; i += 4) {
    const uint32_t word = random_u32(&state);
    memcpy((char *)bytes + i, &word, 4);
  }
}

// Runs k(in, out, s, words) and takes what it leaves in `out` and in `words`.
static void run_on_images(cl_program program, cl_mem_object_type type, cl_channel_order order, cl_channel_type channel,
                          uint32_t *words) {
  static char pixels[16 * W * H * LAYERS];
  fill(pixels, sizeof pixels);
  cl_mem in = image_of(type, order, channel, pixels), out = image_of(type, order, channel, pixels);
  memset(words, 0, WORDS * 4);
  cl_mem buffer = buffer_with(words, WORDS * 4);
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP,
                                              CL_SAMPLER_FILTER_MODE,
                                              CL_FILTER_NEAREST,
                                              0};
  cl_sampler sampler = clCreateSamplerWithProperties(harness()->context, properties, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(in), ARG(out), ARG(sampler), ARG(buffer), END_ARGS);
  run_1d(kernel, 8, 8);
  read_buffer(buffer, words, WORDS * 4);
  const size_t origin[3] = {0}, region[3] = {W, 1, 1};
  EXPECT_SUCCESS(
      clEnqueueReadImage(harness()->queue, out, CL_TRUE, origin, region, 0, 0, words + WORDS / 2, 0, NULL, NULL));
}

static void expect_same(const char *source, cl_mem_object_type type, cl_channel_order order, cl_channel_type channel) {
  uint32_t expected[WORDS], got[WORDS];
  run_on_images(build(source, "-cl-std=CL3.0"), type, order, channel, expected);
  run_on_images(of_il(source), type, order, channel, got);
  expect_u32("SPIR-V against source", expected, got, WORDS);
}

#define INTEGERS(suffix, vector)                                                                              \
  "kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s, global uint4 *r) {\n"         \
  "  int x = get_global_id(0);\n"                                                                             \
  "  const sampler_t named = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n" \
  "  r[x] = as_uint4(read_image" #suffix                                                                      \
  "(in, s, (float2)(x - 1, 1)) +\n"                                                                           \
  "                  read_image" #suffix "(in, named, (int2)(x - 1, 2)) + read_image" #suffix                 \
  "(in, (int2)(0, 0)));\n"                                                                                    \
  "  write_image" #suffix "(out, (int2)(x, 0), (" #vector                                                     \
  ")(-200, 100, 70000, x));\n"                                                                                \
  "}\n"

Test(spirv_images, integers_keep_their_sign) {
  static const cl_channel_type is[] = {CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32},
                               us[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32};
  for (int i = 0; i < 3; i++) {
    expect_same(INTEGERS(i, int4), CL_MEM_OBJECT_IMAGE2D, CL_RGBA, is[i]);
    expect_same(INTEGERS(ui, uint4), CL_MEM_OBJECT_IMAGE2D, CL_RGBA, us[i]);
  }
}

Test(spirv_images, floats_are_read_by_samplers_of_both_kinds_and_written) {
  static const char source[] =
      "kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s, global float4 *r) {\n"
      "  int x = get_global_id(0);\n"
      "  const sampler_t named = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
      "  r[x] = read_imagef(in, s, (float2)(x, 1)) + read_imagef(in, named, (float2)(x * 0.3f, 0.4f));\n"
      "  write_imagef(out, (int2)(x, 0), r[x] * 0.5f);\n"
      "}\n";
  static const cl_channel_type types[] = {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8};
  for (int i = 0; i < 3; i++)
    expect_same(source, CL_MEM_OBJECT_IMAGE2D, CL_RGBA, types[i]);
}

// Not the type of channels: clang leaves SPIR-V's number of it, which is not OpenCL's.
Test(spirv_images, arrays_and_volumes_and_what_they_are_asked) {
  static const char array[] =
      "kernel void k(read_only image2d_array_t in, read_write image2d_array_t out, sampler_t s, global uint4 *r) {\n"
      "  int x = get_global_id(0);\n"
      "  uint4 old = read_imageui(out, (int4)(x, 1, 2, 0));\n"
      "  r[x] = read_imageui(in, s, (float4)(x, 1, 2, 0)) + (uint4)(get_image_width(in), get_image_height(in),\n"
      "         get_image_array_size(in), get_image_channel_order(in));\n"
      "  write_imageui(out, (int4)(x, 0, 0, 0), old);\n"
      "}\n";
  static const char volume[] =
      "kernel void k(read_only image3d_t in, write_only image3d_t out, sampler_t s, global float4 *r) {\n"
      "  int x = get_global_id(0);\n"
      "  r[x] = read_imagef(in, s, (float4)(x, 1, 2, 0)) + convert_float4(get_image_dim(in)) + get_image_depth(out);\n"
      "  write_imagef(out, (int4)(x, 0, 0, 0), r[x]);\n"
      "}\n";
  expect_same(array, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_RGBA, CL_UNSIGNED_INT8);
  expect_same(volume, CL_MEM_OBJECT_IMAGE3D, CL_RGBA, CL_UNORM_INT8);
}

Test(spirv_images, arguments_are_described) {
  static const char source[] =
      "kernel void k(read_only image2d_t in, write_only image3d_t out, sampler_t s, global uint4 *r) {}\n";
  static const cl_kernel_arg_access_qualifier accesses[] = {CL_KERNEL_ARG_ACCESS_READ_ONLY,
                                                            CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_ACCESS_NONE};
  static const char *const types[] = {"image2d_t", "image3d_t", "sampler_t"};
  cl_kernel kernel = kernel_of(of_il(source), "k");
  for (cl_uint i = 0; i < 3; i++) {
    char type[32] = "";
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    if (strcmp(type, types[i]) != 0 || access != accesses[i])
      fail("argument %u: expected %s, %x, got %s, %x", i, types[i], accesses[i], type, access);
  }
}
