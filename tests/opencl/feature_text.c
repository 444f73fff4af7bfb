// SPDX-License-Identifier: Apache-2.0
// Lists of features and extensions against the text: OpenCL C 3.0, 6.2.1 (features), OpenCL API 3.0, appendix on
// version 3.0 and the queries that belong to each, and what Heddle promises of every device. features.c has whether
// what is listed works in kernels.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// A name is listed exactly if the query has one of these bits (of a number: is not 0).
struct belongs {
  const char *name;
  cl_device_info query;
  const char *query_text;
  cl_ulong bits;
};
#define QUERY(name) name, #name
enum { ANY_BIT = -1 };

static const struct belongs features[] = {
    {"__opencl_c_atomic_order_acq_rel", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), CL_DEVICE_ATOMIC_ORDER_ACQ_REL},
    {"__opencl_c_atomic_order_seq_cst", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), CL_DEVICE_ATOMIC_ORDER_SEQ_CST},
    {"__opencl_c_atomic_scope_device", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), CL_DEVICE_ATOMIC_SCOPE_DEVICE},
    {"__opencl_c_atomic_scope_all_devices", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
     CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES},
    {"__opencl_c_device_enqueue", QUERY(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES), CL_DEVICE_QUEUE_SUPPORTED},
    {"__opencl_c_generic_address_space", QUERY(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT), ANY_BIT},
    {"__opencl_c_fp64", QUERY(CL_DEVICE_DOUBLE_FP_CONFIG), ANY_BIT},
    {"__opencl_c_images", QUERY(CL_DEVICE_IMAGE_SUPPORT), ANY_BIT},
    {"__opencl_c_read_write_images", QUERY(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS), ANY_BIT},
    {"__opencl_c_pipes", QUERY(CL_DEVICE_PIPE_SUPPORT), ANY_BIT},
    {"__opencl_c_program_scope_global_variables", QUERY(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE), ANY_BIT},
    {"__opencl_c_subgroups", QUERY(CL_DEVICE_MAX_NUM_SUB_GROUPS), ANY_BIT},
    {"__opencl_c_work_group_collective_functions", QUERY(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT), ANY_BIT},
    {"__opencl_c_kernel_clock_scope_device", QUERY(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR),
     CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR},
    {"__opencl_c_kernel_clock_scope_work_group", QUERY(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR),
     CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR},
    {"__opencl_c_kernel_clock_scope_sub_group", QUERY(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR),
     CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR},
};

static const struct belongs extensions[] = {
    {"cl_khr_fp64", QUERY(CL_DEVICE_DOUBLE_FP_CONFIG), ANY_BIT},
    {"cl_khr_fp16", QUERY(CL_DEVICE_HALF_FP_CONFIG), ANY_BIT},
    {"cl_khr_subgroups", QUERY(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), ANY_BIT},
    {"cl_khr_kernel_clock", QUERY(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR), ANY_BIT},
    {"cl_khr_global_int32_base_atomics", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), CL_DEVICE_ATOMIC_ORDER_RELAXED},
    {"cl_khr_global_int32_extended_atomics", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
     CL_DEVICE_ATOMIC_ORDER_RELAXED},
    {"cl_khr_local_int32_base_atomics", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES), CL_DEVICE_ATOMIC_ORDER_RELAXED},
    {"cl_khr_local_int32_extended_atomics", QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
     CL_DEVICE_ATOMIC_ORDER_RELAXED},
};

// What one name needs of others, as the text has it; cles_khr_int64 is the embedded profile's way to say long.
static const struct {
  const char *name, *needs;
} needs[] = {
    {"__opencl_c_device_enqueue", "__opencl_c_generic_address_space"},
    {"__opencl_c_device_enqueue", "__opencl_c_program_scope_global_variables"},
    {"__opencl_c_pipes", "__opencl_c_generic_address_space"},
    {"__opencl_c_read_write_images", "__opencl_c_images"},
    {"__opencl_c_3d_image_writes", "__opencl_c_images"},
    {"__opencl_c_atomic_scope_all_devices", "__opencl_c_atomic_scope_device"},
    {"__opencl_c_fp64", "cl_khr_fp64"},
    {"__opencl_c_int64", "cles_khr_int64"},
    {"cles_khr_int64", "__opencl_c_int64"},
    {"__opencl_c_subgroups", "cl_khr_subgroups"},
    {"cl_khr_subgroups", "__opencl_c_subgroups"},
};

// What every Heddle device is for, and what one with atomics has besides (README.md of hls/).
static const char *const promised[] = {
    "cl_khr_subgroups",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_clustered_reduce",
    "cl_intel_subgroups",
    "cl_intel_subgroups_short",
    "cl_intel_required_subgroup_size",
    "cl_khr_byte_addressable_store",
    "cl_khr_kernel_clock",
    "cl_khr_fp16",
    "cles_khr_int64",
    "__opencl_c_int64",
    "__opencl_c_subgroups",
    "__opencl_c_generic_address_space",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_kernel_clock_scope_sub_group",
};
static const char *const promised_with_atomics[] = {
    "cl_khr_global_int32_base_atomics",    "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics", "__opencl_c_atomic_order_acq_rel",      "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",      "__opencl_c_atomic_scope_all_devices",  "__opencl_c_pipes",
    "__opencl_c_device_enqueue",
};

// Features of OpenCL C 3.0 and of extensions of Khronos. No other name begins so.
static const char *const of_the_text[] = {
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_device_enqueue",
    "__opencl_c_generic_address_space",
    "__opencl_c_fp16",
    "__opencl_c_fp64",
    "__opencl_c_images",
    "__opencl_c_int64",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_kernel_clock_scope_sub_group",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_ext_fp16_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_min_max",
};

// ---- what the device lists

enum { NAMES_MAX = 128 };
static cl_name_version names[2 * NAMES_MAX];
static size_t num_features, num_names;  // features first

static void read_lists(void) {
  size_t bytes = 0;
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_OPENCL_C_FEATURES, NAMES_MAX * sizeof *names, names, &bytes));
  num_features = bytes / sizeof *names;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_EXTENSIONS_WITH_VERSION, NAMES_MAX * sizeof *names,
                                 names + num_features, &bytes));
  num_names = num_features + bytes / sizeof *names;
}

static bool is_listed(const char *name) {
  for (size_t i = 0; i < num_names; i++)
    if (strcmp(names[i].name, name) == 0)
      return true;
  return false;
}

static void expect_belongs(const struct belongs *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cl_ulong value = 0;
    EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, list[i].query, sizeof value, &value, NULL));
    const bool expected = (value & list[i].bits) != 0;
    if (is_listed(list[i].name) != expected)
      fail("%s is %s, but %s is 0x%llx", list[i].name, expected ? "not listed" : "listed", list[i].query_text,
           (unsigned long long)value);
  }
}

Test(feature_text, names_are_listed_exactly_where_their_queries_say_so) {
  read_lists();
  expect_belongs(features, COUNT(features));
  expect_belongs(extensions, COUNT(extensions));
}

Test(feature_text, what_a_name_needs_is_listed_too) {
  read_lists();
  for (size_t i = 0; i < COUNT(needs); i++)
    if (is_listed(needs[i].name) && !is_listed(needs[i].needs))
      fail("%s is listed, but not %s, which it needs", needs[i].name, needs[i].needs);
}

Test(feature_text, what_heddle_promises_is_listed) {
  char isa[80] = "";
  read_lists();
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ISA_HEDDLE, sizeof isa, isa, NULL));
  // rv32im…: one letter an extension up to the first underscore.
  isa[strcspn(isa, "_")] = '\0';
  const bool has_atomics = strchr(isa + strlen("rv32"), 'a');
  for (size_t i = 0; i < COUNT(promised); i++)
    if (!is_listed(promised[i]))
      fail("%s is not listed", promised[i]);
  for (size_t i = 0; i < COUNT(promised_with_atomics); i++)
    if (is_listed(promised_with_atomics[i]) != has_atomics)
      fail("%s is %s on a device of %s", promised_with_atomics[i], has_atomics ? "not listed" : "listed", isa);
  const char *asked = getenv("HEDDLE_DOUBLE");
  if (is_listed("cl_khr_fp64") != (asked && strcmp(asked, "1") == 0))
    fail("cl_khr_fp64 is %slisted with HEDDLE_DOUBLE=%s", asked ? "" : "not ", asked ? asked : "(unset)");
}

Test(feature_text, features_are_names_of_the_text) {
  read_lists();
  for (size_t i = 0; i < num_features; i++) {
    bool is_known = false;
    for (size_t k = 0; k < COUNT(of_the_text); k++)
      is_known = is_known || strcmp(of_the_text[k], names[i].name) == 0;
    if (!is_known)
      fail("%s is no feature of OpenCL C 3.0 or of an extension", names[i].name);
    if (CL_VERSION_MAJOR(names[i].version) != 3)
      fail("%s: expected version 3.0, got 0x%x", names[i].name, names[i].version);
  }
}
