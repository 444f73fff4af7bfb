// SPDX-License-Identifier: Apache-2.0
// Extensions and optional features: what the device lists has its macro and works, in every version of OpenCL C that it
// lists, and what it does not list has no macro.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// One use of it, true for a single work-item in a sub-group of at most 1 with x = 1. `word` is a global int and `here`
// a local one, both 0. `flat` is an image of 3 × 2 pixels, `volume` one of 3 × 2 × 2, of `depths` each is 0.5; `both`
// can be read and written in OpenCL C 3.0; `curve` is sRGB.
struct use {
  const char *name, *expression;
};

static const struct use extension_uses[] = {
    {"cl_khr_subgroups", "sub_group_reduce_add(x) == 1"},
    {"cl_khr_byte_addressable_store",
     "({ global uchar *b = (global uchar *)word; b[1] = 7; b[0] == 0 && b[1] == 7; })"},
    {"cl_intel_required_subgroup_size", "get_max_sub_group_size() == 1"},
    {"cl_intel_subgroups", "intel_sub_group_shuffle(x, 0u) == 1"},
    {"cl_intel_subgroups_short", "intel_sub_group_reduce_add((short)x) == 1"},
    {"cl_khr_kernel_clock", "clock_read_device() < clock_read_device()"},
    {"cles_khr_int64", "((ulong)x << 40) == 0x10000000000ul"},
    {"cl_khr_subgroup_extended_types", "sub_group_broadcast((uchar4)((uchar)x), 0).w == 1"},
    {"cl_khr_subgroup_non_uniform_vote", "sub_group_elect() != 0"},
    {"cl_khr_subgroup_ballot", "sub_group_ballot(x).x == 1"},
    {"cl_khr_subgroup_non_uniform_arithmetic", "sub_group_non_uniform_reduce_mul(x) == 1"},
    {"cl_khr_subgroup_shuffle", "sub_group_shuffle(x, 0u) == 1"},
    {"cl_khr_subgroup_shuffle_relative", "sub_group_shuffle_up(x, 0u) == 1"},
    {"cl_khr_subgroup_rotate", "sub_group_rotate(x, 1) == 1"},
    {"cl_khr_subgroup_clustered_reduce", "sub_group_clustered_reduce_add(x, 1u) == 1"},
    {"cl_khr_global_int32_base_atomics", "atom_add(word + 1, 1) == 0"},
    {"cl_khr_global_int32_extended_atomics", "atom_max(word + 2, 5) == 0"},
    {"cl_khr_local_int32_base_atomics", "atom_add(here, 1) == 0"},
    {"cl_khr_local_int32_extended_atomics", "atom_max(here + 1, 5) == 0"},
    {"cl_khr_fp16", "(half)x + 0.5h == 1.5h"},
    {"cl_khr_extended_bit_ops", "bitfield_insert(0, x, 4u, 2u) == 16"},
    {"cl_khr_integer_dot_product", "dot_4x8packed_ss_int(0xFFu, 2u) == -2"},
    {"cl_khr_expect_assume", "({ __builtin_assume(x > 0); __builtin_expect(x, 0) == 1; })"},
    {"cl_khr_extended_async_copies",
     "({ event_t e = async_work_group_copy_2D2D(here, 2, (const global int *)word, 8, 4, 2, 1, 2, 2, 0);\n"
     "   e = async_work_group_copy_3D3D(here, 2, (const global int *)word, 8, 4, 2, 1, 1, 2, 2, 2, 2, e);\n"
     "   wait_group_events(1, &e); here[2] == 0; })"},
    {"cl_khr_fp64", "(double)x + 0x1p-40 > 1.0"},
    {"cl_khr_3d_image_writes", "({ write_imagef(volume, (int4)(0), (float4)(x)); get_image_depth(volume) == 2; })"},
    {"cl_khr_depth_images", "read_imagef(depths, nearest, (int2)(0, 0)) == 0.5f"},
    {"cl_khr_srgb_image_writes", "({ write_imagef(curve, (int2)(1, 0), (float4)(x)); get_image_width(curve) == 3; })"},
};

static const struct use feature_uses[] = {
    {"__opencl_c_subgroups", "sub_group_all(x) != 0"},
    {"__opencl_c_work_group_collective_functions", "work_group_reduce_add(x) == 1"},
    {"__opencl_c_int64", "((long)x << 40) == 0x10000000000l"},
    {"__opencl_c_generic_address_space", "({ int *any = word + 3; *any == 0; })"},
    {"__opencl_c_program_scope_global_variables", "at_program_scope == 5"},
    {"__opencl_c_kernel_clock_scope_device", "clock_read_hilo_device().x != 0"},
    {"__opencl_c_kernel_clock_scope_work_group", "clock_read_work_group() != 0"},
    {"__opencl_c_kernel_clock_scope_sub_group", "clock_read_sub_group() != 0"},
    {"__opencl_c_integer_dot_product_input_4x8bit", "dot((uchar4)(x), (char4)(-x)) == -4"},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", "dot_acc_sat_4x8packed_uu_uint(1u, 1u, ~0u) == ~0u"},
    {"__opencl_c_atomic_order_acq_rel", "FETCH(4, memory_order_acq_rel, memory_scope_work_group) == 0"},
    {"__opencl_c_atomic_order_seq_cst", "FETCH(5, memory_order_seq_cst, memory_scope_work_group) == 0"},
    {"__opencl_c_atomic_scope_device", "FETCH(6, memory_order_relaxed, memory_scope_device) == 0"},
    {"__opencl_c_atomic_scope_all_devices", "FETCH(7, memory_order_relaxed, memory_scope_all_devices) == 0"},
    {"__opencl_c_pipes", "!is_valid_reserve_id(CLK_NULL_RESERVE_ID)"},
    {"__opencl_c_device_enqueue", "({ clk_event_t e = create_user_event(); is_valid_event(e); })"},
    {"__opencl_c_fp16", "(half)x + 0.5h == 1.5h"},
    {"__opencl_c_fp64", "(double)x + 0x1p-40 > 1.0"},
    {"__opencl_c_images", "get_image_width(flat) == 3 && get_image_height(flat) == 2"},
    {"__opencl_c_3d_image_writes", "({ write_imagef(volume, (int4)(1), (float4)(x)); get_image_width(volume) == 3; })"},
    {"__opencl_c_read_write_images",
     "({ write_imagef(both, (int2)(1, 1), (float4)(0.25f));\n"
     "   atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);\n"
     "   read_imagef(both, (int2)(1, 1)).x == 0.25f; })"},
};

// Those that add calls and nothing to OpenCL C have no macro (extension_calls.c).
static const char *const call_extensions[] = {"cl_khr_create_command_queue", "cl_khr_suggested_local_work_size",
                                              "cl_khr_spirv_linkonce_odr",   "cl_khr_command_buffer",
                                              "cl_khr_image2d_from_buffer",  "cl_intel_unified_shared_memory"};

// Others that there are.
static const char *const other_extensions[] = {
    "cl_amd_media_ops",
    "cl_amd_media_ops2",
    "cl_arm_integer_dot_product_int8",
    "cl_ext_float_atomics",
    "cl_intel_bfloat16_conversions",
    "cl_intel_device_side_avc_motion_estimation",
    "cl_intel_planar_yuv",
    "cl_intel_subgroup_buffer_prefetch",
    "cl_intel_subgroup_local_block_io",
    "cl_intel_subgroup_matrix_multiply_accumulate",
    "cl_intel_subgroups_char",
    "cl_intel_subgroups_long",
    "cl_khr_device_enqueue_local_arg_types",
    "cl_khr_command_buffer",
    "cl_khr_create_command_queue",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_il_program",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_priority_hints",
    "cl_khr_select_fprounding_mode",
    "cl_khr_spir",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_subgroup_named_barrier",
    "cl_khr_suggested_local_work_size",
    "cl_khr_throttle_hints",
    "cl_khr_work_group_uniform_arithmetic",
    "cles_khr_2d_image_array_writes",
};

static const char *const other_features[] = {
    "__opencl_c_ext_fp16_global_atomic_add",     "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_min_max",
};

// ---- what the device lists

enum { NAMES_MAX = 64 };
struct list {
  const char *query;
  cl_name_version names[NAMES_MAX];
  size_t count;
};

static struct list listed(cl_device_info info, const char *query) {
  struct list list = {.query = query};
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, info, sizeof list.names, list.names, &bytes));
  list.count = bytes / sizeof list.names[0];
  if (list.count == 0)
    fail("%s: expected some, got none", query);
  return list;
}

static bool adds_calls(const char *name) {
  for (size_t i = 0; i < COUNT(call_extensions); i++)
    if (strcmp(call_extensions[i], name) == 0)
      return true;
  return false;
}

static bool has(const struct list *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->names[i].name, name) == 0)
      return true;
  return false;
}

// Other versions than `version` have their test in extension_calls.c.
static void expect_version(const struct list *list, cl_version version) {
  static const char *const others[] = {"cl_khr_integer_dot_product", "cl_khr_command_buffer"};
  for (size_t i = 0; i < list->count; i++) {
    bool is_other = false;
    for (size_t j = 0; j < COUNT(others); j++)
      is_other = is_other || strcmp(list->names[i].name, others[j]) == 0;
    if (list->names[i].version != version && !is_other)
      fail("%s: %s is of version 0x%x, expected 0x%x", list->query, list->names[i].name, list->names[i].version,
           version);
    for (size_t j = 0; j < i; j++)
      if (strcmp(list->names[i].name, list->names[j].name) == 0)
        fail("%s: %s is there twice", list->query, list->names[i].name);
  }
}

Test(features, extensions_are_the_same_in_both_lists) {
  const struct list list = listed(CL_DEVICE_EXTENSIONS_WITH_VERSION, "CL_DEVICE_EXTENSIONS_WITH_VERSION");
  char text[4096] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
  size_t words = 0;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " "), words++)
    if (!has(&list, word))
      fail("CL_DEVICE_EXTENSIONS has %s, which is not among those with versions", word);
  if (words != list.count)
    fail("CL_DEVICE_EXTENSIONS has %zu words, with versions there are %zu", words, list.count);
  expect_version(&list, CL_MAKE_VERSION(1, 0, 0));
}

Test(features, features_are_those_of_opencl_c_3) {
  const struct list list = listed(CL_DEVICE_OPENCL_C_FEATURES, "CL_DEVICE_OPENCL_C_FEATURES");
  expect_version(&list, CL_MAKE_VERSION(3, 0, 0));
}

// The version that CL_DEVICE_OPENCL_C_VERSION says, which compiles where no -cl-std does, is among all of them.
Test(features, versions_of_opencl_c) {
  const struct list versions = listed(CL_DEVICE_OPENCL_C_ALL_VERSIONS, "CL_DEVICE_OPENCL_C_ALL_VERSIONS");
  static const cl_version expected[] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                                        CL_MAKE_VERSION(3, 0, 0)};
  if (versions.count != COUNT(expected))
    fail("CL_DEVICE_OPENCL_C_ALL_VERSIONS: expected %zu, got %zu", COUNT(expected), versions.count);
  for (size_t i = 0; i < COUNT(expected); i++)
    if (versions.names[i].version != expected[i] || strcmp(versions.names[i].name, "OpenCL C") != 0)
      fail("version %zu: expected OpenCL C 0x%x, got %s 0x%x", i, expected[i], versions.names[i].name,
           versions.names[i].version);
  char latest[64] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_VERSION, sizeof latest, latest, NULL));
  if (strncmp(latest, "OpenCL C 1.2 ", strlen("OpenCL C 1.2 ")) != 0)
    fail("CL_DEVICE_OPENCL_C_VERSION: expected 1.2, got \"%s\"", latest);
}

// ---- what kernels find

enum { ABSENT, DEFINED, WORKS };  // what a kernel says of a name

static void write_uses(FILE *text, const struct use *uses, size_t count, size_t *index) {
  for (size_t i = 0; i < count; i++)
    fprintf(text, "#ifdef %s\n  out[%zu] = (%s) ? 2 : 1;\n#endif\n", uses[i].name, (*index)++, uses[i].expression);
}

static void write_others(FILE *text, const char *const *names, size_t count, size_t *index) {
  for (size_t i = 0; i < count; i++)
    fprintf(text, "#ifdef %s\n  out[%zu] = 1;\n#endif\n", names[i], (*index)++);
}

// 3 × 2 pixels, or twice that, all 0.5; of sRGB any.
static cl_mem image_of(cl_mem_object_type type, cl_channel_order order) {
  const cl_image_format format = {order, order == CL_sRGBA ? CL_UNORM_INT8 : CL_FLOAT};
  const cl_image_desc desc = {
      .image_type = type, .image_width = 3, .image_height = 2, .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? 2 : 0};
  float pixels[12];
  cl_int error;
  for (int i = 0; i < 12; i++)
    pixels[i] = 0.5f;
  cl_mem image = clCreateImage(harness()->context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  EXPECT_SUCCESS(error);
  return image;
}

// Sets a value for each name, in the order of the four tables, and one behind them: __OPENCL_C_VERSION__.
static void ask_kernel(const char *version, const struct list *extensions, uint32_t *out, size_t count) {
  char *source = NULL;
  size_t bytes, index = 0;
  FILE *text = open_memstream(&source, &bytes);
  if (!text)
    fail("no memory");
  for (size_t i = 0; i < extensions->count; i++)
    if (!adds_calls(extensions->names[i].name))
      fprintf(text, "#pragma OPENCL EXTENSION %s : enable\n", extensions->names[i].name);
  fputs(
      "#define FETCH(at, order, scope) atomic_fetch_add_explicit((volatile global atomic_int *)(word + at), 1, order, "
      "scope)\n"
      "#ifdef __opencl_c_program_scope_global_variables\nglobal int at_program_scope = 5;\n#endif\n"
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "#ifdef __opencl_c_read_write_images\n#define BOTH read_write\n#else\n#define BOTH read_only\n#endif\n"
      "__attribute__((intel_reqd_sub_group_size(1))) kernel void k(global uint *out, global int *word, local int "
      "*here, int x, read_only image2d_t flat, write_only image3d_t volume, read_only image2d_depth_t depths, BOTH "
      "image2d_t both, write_only image2d_t curve) {\n"
      "  here[0] = here[1] = 0;\n",
      text);
  write_uses(text, extension_uses, COUNT(extension_uses), &index);
  write_uses(text, feature_uses, COUNT(feature_uses), &index);
  write_others(text, other_extensions, COUNT(other_extensions), &index);
  write_others(text, other_features, COUNT(other_features), &index);
  fprintf(text, "  out[%zu] = __OPENCL_C_VERSION__;\n}\n", index);
  fclose(text);
  const int32_t zeros[16] = {0};
  const cl_int x = 1;
  cl_kernel kernel = kernel_of(build(source, version), "k");
  cl_mem a = buffer_with(NULL, count * 4), b = buffer_with(zeros, sizeof zeros);
  cl_mem flat = image_of(CL_MEM_OBJECT_IMAGE2D, CL_R), volume = image_of(CL_MEM_OBJECT_IMAGE3D, CL_R);
  cl_mem depths = image_of(CL_MEM_OBJECT_IMAGE2D, CL_DEPTH), both = image_of(CL_MEM_OBJECT_IMAGE2D, CL_R);
  cl_mem curve = image_of(CL_MEM_OBJECT_IMAGE2D, CL_sRGBA);
  set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(16), ARG(x), ARG(flat), ARG(volume), ARG(depths), ARG(both), ARG(curve),
           END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(a, out, count * 4);
  free(source);
}

// `is_required`: what is listed has to be there. What is not listed never may.
static void check(const char *name, const struct list *list, bool is_required, bool has_use, uint32_t got,
                  const char *version) {
  static const char *const findings[] = {"has no macro", "has a macro, but does not work", "works"};
  if (!has(list, name)) {
    if (got != ABSENT)
      fail("%s: %s is not in %s, but %s", version, name, list->query, findings[got]);
  } else if (got != ABSENT || is_required) {
    if (got != WORKS && has_use)
      fail("%s: %s is in %s, but %s", version, name, list->query, findings[got]);
  }
}

static bool has_use(const char *name, const struct use *uses, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(uses[i].name, name) == 0)
      return true;
  return false;
}

// An extension's own are there in every version.
static bool is_of_extension(const char *feature) {
  return strstr(feature, "kernel_clock") || strstr(feature, "dot_product");
}

Test(features, what_is_listed_works_and_nothing_else_is_defined) {
  const struct list extensions = listed(CL_DEVICE_EXTENSIONS_WITH_VERSION, "CL_DEVICE_EXTENSIONS_WITH_VERSION");
  const struct list features = listed(CL_DEVICE_OPENCL_C_FEATURES, "CL_DEVICE_OPENCL_C_FEATURES");
  const struct list versions = listed(CL_DEVICE_OPENCL_C_ALL_VERSIONS, "CL_DEVICE_OPENCL_C_ALL_VERSIONS");
  // This test is to know a use of each.
  for (size_t i = 0; i < extensions.count; i++)
    if (!adds_calls(extensions.names[i].name) &&
        !has_use(extensions.names[i].name, extension_uses, COUNT(extension_uses)))
      fail("extension %s is not tested here", extensions.names[i].name);
  for (size_t i = 0; i < features.count; i++)
    if (!has_use(features.names[i].name, feature_uses, COUNT(feature_uses)))
      fail("feature %s is not tested here", features.names[i].name);

  enum { ASKED = COUNT(extension_uses) + COUNT(feature_uses) + COUNT(other_extensions) + COUNT(other_features) };
  for (size_t v = 0; v < versions.count; v++) {
    const unsigned major = CL_VERSION_MAJOR(versions.names[v].version),
                   minor = CL_VERSION_MINOR(versions.names[v].version);
    char option[24];
    // No option names OpenCL C 1.0 (API text, 5.8.6.5).
    if (major == 1 && minor == 0)
      continue;
    snprintf(option, sizeof option, "-cl-std=CL%u.%u", major, minor);
    uint32_t got[ASKED + 1], *at = got;
    ask_kernel(option, &extensions, got, ASKED + 1);
    for (size_t i = 0; i < COUNT(extension_uses); i++)
      check(extension_uses[i].name, &extensions, true, true, *at++, option);
    // Features came with OpenCL C 3.0; before, only an extension's own are there for certain.
    for (size_t i = 0; i < COUNT(feature_uses); i++)
      check(feature_uses[i].name, &features, major >= 3 || is_of_extension(feature_uses[i].name), true, *at++, option);
    // A listed one of calls is not required to have a macro, and has none.
    for (size_t i = 0; i < COUNT(other_extensions); i++, at++) {
      if (adds_calls(other_extensions[i]) && *at != ABSENT)
        fail("%s: %s has a macro, but adds nothing to OpenCL C", option, other_extensions[i]);
      check(other_extensions[i], &extensions, !adds_calls(other_extensions[i]), false, *at, option);
    }
    for (size_t i = 0; i < COUNT(other_features); i++)
      check(other_features[i], &features, major >= 3, false, *at++, option);
    if (*at != 100 * major + 10 * minor)
      fail("%s: __OPENCL_C_VERSION__ is %u, expected %u", option, *at, 100 * major + 10 * minor);
  }
}
