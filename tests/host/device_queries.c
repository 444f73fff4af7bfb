// SPDX-License-Identifier: Apache-2.0
// Every query of a platform and of a device (OpenCL API 3.0, tables 3 and 5), with the right answer for a device whose
// every figure is known: the fake one. tests/opencl/every_name.py holds the tables to the names of the OpenCL headers.
#include <CL/cl_heddle.h>
#include <criterion/criterion.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/version.h"
#include "tests/host/fake_device.h"
#include "tests/query_table.h"

#define FAKE_GLOBAL_FREE (FAKE_GLOBAL_BYTES - HEDDLE_GLOBAL_FIRST)

static cl_platform_id platform;
static cl_device_id device;

static void open_device(void) {
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  cr_assert_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
  cr_assert_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), CL_SUCCESS);
}

static cl_int ask_device(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetDeviceInfo((cl_device_id)(uintptr_t)object, name, size, value, size_ret);
}
static cl_int ask_platform(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetPlatformInfo((cl_platform_id)(uintptr_t)object, name, size, value, size_ret);
}

// What does not depend on the device's instructions.
static void check_shape(const char *what, cl_uint units, const char *device_name) {
  const size_t work_items = FAKE_LANES * FAKE_SLOTS, sizes[3] = {work_items, work_items, work_items};
  const size_t sub_group_sizes[] = {1, 2, 4};
  const cl_device_partition_property none = 0, ways[] = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  const cl_device_id no_device = NULL;
  const struct query rows[] = {
      INCLUDES(CL_DEVICE_TYPE, cl_device_type, CL_DEVICE_TYPE_ACCELERATOR),
      NUMBER(CL_DEVICE_VENDOR_ID, cl_uint, CL_VENDOR_ID_HEDDLE),
      NUMBER(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, units),
      NUMBER(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3),
      BYTES(CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes, sizeof sizes),
      NUMBER(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, work_items),
      // A lane works on one value at a time. Without double the widths of double are 0.
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, 0),
      NUMBER(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 1),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint, 0),
      NUMBER(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint, 1),
      NUMBER(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, FAKE_CLOCK_KHZ / 1000),  // MHz
      NUMBER(CL_DEVICE_ADDRESS_BITS, cl_uint, 32),
      // A quarter of the memory at least, and 1 MiB.
      BETWEEN(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 1 << 20, FAKE_GLOBAL_FREE),
      // Of images as much as a device of the full profile has to have. Pitches in buffers are multiples of a pixel.
      NUMBER(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_TRUE),
      BETWEEN(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 128, 1 << 30),
      BETWEEN(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 64, 1 << 30),
      BETWEEN(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint, 64, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, 16384, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, 16384, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, 2048, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, 2048, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, 2048, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, 65536, 1 << 30),
      BETWEEN(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, 2048, 1 << 30),
      NUMBER(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint, 1),
      NUMBER(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint, 1),
      BETWEEN(CL_DEVICE_MAX_SAMPLERS, cl_uint, 16, 1 << 30),
      BETWEEN(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 256, 1 << 20),
      NUMBER(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, 8 * sizeof(cl_long16)),  // bits
      NUMBER(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, sizeof(cl_long16)),
      NUMBER(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, CL_READ_WRITE_CACHE),
      NUMBER(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, FAKE_LINE_BYTES),
      NUMBER(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, FAKE_CACHE_BYTES),
      NUMBER(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, FAKE_GLOBAL_FREE),
      BETWEEN(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 1 << 10, FAKE_GLOBAL_FREE),
      BETWEEN(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 4, 1 << 20),
      BETWEEN(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 64 << 10, FAKE_GLOBAL_FREE),
      BETWEEN(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t, 64 << 10, FAKE_GLOBAL_FREE),
      NUMBER(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, CL_LOCAL),
      NUMBER(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, FAKE_LOCAL_BYTES),
      NUMBER(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, CL_FALSE),
      NUMBER(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, CL_FALSE),
      NUMBER(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 1000000 / FAKE_CLOCK_KHZ),  // ns
      NUMBER(CL_DEVICE_ENDIAN_LITTLE, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_AVAILABLE, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL),
      NUMBER(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties,
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
      NUMBER(CL_DEVICE_QUEUE_PROPERTIES, cl_command_queue_properties,
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
      TEXT(CL_DEVICE_NAME, device_name),
      TEXT(CL_DEVICE_VENDOR, "Heddle"),
      TEXT(CL_DRIVER_VERSION, HEDDLE_VERSION),
      TEXT(CL_DEVICE_PROFILE, "EMBEDDED_PROFILE"),
      BEGINS(CL_DEVICE_VERSION, "OpenCL 3.0 "),
      NUMBER(CL_DEVICE_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0)),
      BEGINS(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 "),
      TEXT(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, ""),
      HANDLE(CL_DEVICE_PLATFORM, platform),
      HANDLE(CL_DEVICE_PARENT_DEVICE, no_device),
      NUMBER(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, units > 1 ? units : 0),
      NUMBER(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain, 0),
      BYTES(CL_DEVICE_PARTITION_TYPE, &none, sizeof none),
      NUMBER(CL_DEVICE_REFERENCE_COUNT, cl_uint, 1),
      NUMBER(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, CL_TRUE),
      BETWEEN(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 1 << 10, FAKE_GLOBAL_FREE / 16),
      TEXT(CL_DEVICE_BUILT_IN_KERNELS, ""),
      EMPTY(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
      NUMBER(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
      // 0: aligned to the size of the type.
      NUMBER(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
      NUMBER(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
      NUMBER(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),
      NUMBER(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, FAKE_SLOTS),
      NUMBER(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, FAKE_LANES),
      NUMBER(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, CL_TRUE),
      // Rounded to nearest alone, subnormals and NaNs kept, without double.
      INCLUDES(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST),
      NUMBER(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0),
      // Of extensions, and Heddle's own.
      BYTES(CL_DEVICE_SUB_GROUP_SIZES_INTEL, sub_group_sizes, sizeof sub_group_sizes),
      NUMBER(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, cl_device_kernel_clock_capabilities_khr,
             CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
                 CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR),
      NUMBER(CL_DEVICE_LANES_HEDDLE, cl_uint, FAKE_LANES),
      NUMBER(CL_DEVICE_SLOTS_HEDDLE, cl_uint, FAKE_SLOTS),
      NUMBER(CL_DEVICE_UNITS_HEDDLE, cl_uint, units),
      NUMBER(CL_DEVICE_CLOCK_KHZ_HEDDLE, cl_uint, FAKE_CLOCK_KHZ),
      NUMBER(CL_DEVICE_MEMORY_LATENCY_HEDDLE, cl_uint, FAKE_MEMORY_LATENCY),
      NUMBER(CL_DEVICE_MEMORY_INTERVAL_HEDDLE, cl_uint, FAKE_MEMORY_INTERVAL),
      NUMBER(CL_DEVICE_MEMORY_CHANNELS_HEDDLE, cl_uint, FAKE_MEMORY_CHANNELS),
      NUMBER(CL_DEVICE_LINE_BYTES_HEDDLE, cl_uint, FAKE_LINE_BYTES),
      NUMBER(CL_DEVICE_CACHE_BYTES_HEDDLE, cl_uint, FAKE_CACHE_BYTES),
      NUMBER(CL_DEVICE_BUDGET_CYCLES_HEDDLE, cl_ulong, 12345),
      TEXT(CL_DEVICE_UNAVAILABLE_HEDDLE, ""),
      TEXT(CL_DEVICE_PIPELINES_HEDDLE, ""),
      TEXT(CL_DEVICE_HARDWARE_VERSION_HEDDLE, ""),
  };
  CHECK_QUERIES(what, ask_device, device, rows);
  const struct query divisions[] = {
      BYTES(CL_DEVICE_PARTITION_PROPERTIES, units == 1 ? &none : ways, units == 1 ? sizeof none : sizeof ways)};
  CHECK_QUERIES(what, ask_device, device, divisions);
}

Test(device_queries, of_a_device_of_one_unit) {
  setenv("HEDDLE_BUDGET_CYCLES", "12345", 1);
  open_device();
  check_shape("one unit", 1, "Heddle model (4 lanes, 8 slots)");
}

Test(device_queries, of_a_device_of_three_units) {
  setenv("HEDDLE_BUDGET_CYCLES", "12345", 1);
  fake_device_lie(HEDDLE_REG_UNITS, 3);
  open_device();
  check_shape("three units", 3, "Heddle model (3 units of 4 lanes, 8 slots)");
}

Test(device_queries, of_the_version_that_a_device_was_made_of) {
  fake_device_lie(HEDDLE_REG_FEATURES, UINT32_C(0x01020300) & ~UINT32_C(1));
  open_device();
  const struct query rows[] = {TEXT(CL_DEVICE_HARDWARE_VERSION_HEDDLE, "1.2.3")};
  CHECK_QUERIES("a version with a patch", ask_device, device, rows);
}

// rv32im: no atomics and so nothing made of them, floats in software.
Test(device_queries, of_a_device_without_atomics_and_float) {
  open_device();
  const struct query rows[] = {
      TEXT(CL_DEVICE_ISA_HEDDLE, "rv32im_zicsr"),
      NUMBER(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config,
             CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT |
                 CL_FP_SOFT_FLOAT),
      NUMBER(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities, 0),
      NUMBER(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities,
             CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),
      NUMBER(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities, 0),
      NUMBER(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties, 0),
      NUMBER(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint, 0),
      NUMBER(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, 0),
      NUMBER(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, 0),
      NUMBER(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, 0),
      NUMBER(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_FALSE),
      NUMBER(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, 0),
      NUMBER(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, 0),
      NUMBER(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, 0),
  };
  CHECK_QUERIES("rv32im", ask_device, device, rows);
}

Test(device_queries, of_a_device_with_atomics) {
  // "rv32im_zicsr", with A for M.
  cl_uint with_atomics;
  memcpy(&with_atomics, "ia_z", sizeof with_atomics);
  fake_device_lie(HEDDLE_REG_ISA + 4, with_atomics);
  open_device();
  const cl_device_atomic_capabilities everything = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                   CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                                   CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  const struct query rows[] = {
      TEXT(CL_DEVICE_ISA_HEDDLE, "rv32ia_zicsr"),
      NUMBER(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities, everything),
      NUMBER(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities, everything),
      INCLUDES(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities, CL_DEVICE_QUEUE_SUPPORTED),
      NUMBER(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties,
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
      BETWEEN(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint, 16 << 10, 1 << 20),
      BETWEEN(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, 64 << 10, 1 << 20),
      NUMBER(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, 1),
      BETWEEN(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, 1024, 1 << 20),
      NUMBER(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_TRUE),
      BETWEEN(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, 16, 1 << 20),
      BETWEEN(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, 1, 1 << 20),
      BETWEEN(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, 1024, FAKE_GLOBAL_FREE),
  };
  CHECK_QUERIES("rv32ia", ask_device, device, rows);
}

Test(device_queries, of_the_platform) {
  open_device();
  const struct query rows[] = {
      TEXT(CL_PLATFORM_PROFILE, "EMBEDDED_PROFILE"),
      BEGINS(CL_PLATFORM_VERSION, "OpenCL 3.0 "),
      NUMBER(CL_PLATFORM_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0)),
      TEXT(CL_PLATFORM_NAME, "Heddle"),
      TEXT(CL_PLATFORM_VENDOR, "Heddle"),
      WORDS(CL_PLATFORM_EXTENSIONS, "cl_khr_icd cl_khr_subgroups cl_khr_byte_addressable_store"),
      BETWEEN(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 0, 1000000),
      TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, "HEDDLE"),
  };
  CHECK_QUERIES("the platform", ask_platform, platform, rows);
}

// The lists of names say the same as the lists of names with versions.
static void check_lists(query_call ask, const void *object, cl_uint plain, cl_uint versioned, const char *what) {
  char text[4096] = "", *rest = text;
  cl_name_version list[128];
  size_t bytes = 0, i = 0;
  cr_assert_eq(ask(object, plain, sizeof text, text, NULL), CL_SUCCESS);
  cr_assert_eq(ask(object, versioned, sizeof list, list, &bytes), CL_SUCCESS);
  for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest), i++) {
    cr_assert_lt(i, bytes / sizeof *list, "%s: %s has no version", what, word);
    cr_assert_str_eq(word, list[i].name, "%s", what);
    cr_assert_geq(CL_VERSION_MAJOR(list[i].version) * 1000 + CL_VERSION_MINOR(list[i].version), 1,
                  "%s: %s has no version", what, word);
  }
  cr_assert_eq(i, bytes / sizeof *list, "%s: %zu names, with versions %zu", what, i, bytes / sizeof *list);
}

Test(device_queries, lists_say_the_same_with_and_without_versions) {
  open_device();
  check_lists(ask_device, device, CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION, "the device's extensions");
  check_lists(ask_platform, platform, CL_PLATFORM_EXTENSIONS, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
              "the platform's extensions");
}
