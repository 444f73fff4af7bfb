// SPDX-License-Identifier: Apache-2.0
// clGetDeviceInfo: every query of OpenCL 3.0, of the extensions we list, and of CL/cl_heddle.h. README.md of this
// folder says why the profile is EMBEDDED_PROFILE and where the limits come from.
#include <CL/cl_ext.h>
#include <CL/cl_heddle.h>
#include <stdio.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/features.h"
#include "contract/isa.h"
#include "contract/language.h"
#include "contract/spirv.h"
#include "host/cl/calls.h"
#include "host/cl/compiler.h"
#include "host/cl/image.h"
#include "host/cl/info.h"
#include "host/cl/pipe.h"
#include "host/cl/platform.h"
#include "host/cl/sub_device.h"
#include "host/device/device_queue.h"

enum { GLOBAL_VARIABLE_BYTES = 1 << 20 };

// SPIR-V of every version that the translator reads, where there is one.
// What is no number makes kernels fail, not the query.
// Of a number as in contract/version.h.
static cl_int answer_hardware_version(uint32_t number, const struct heddle_answer *answer) {
  const unsigned major = number >> 16, minor = number >> 8 & 0xFF, patch = number & 0xFF;
  char text[16] = "";
  if (patch != 0)
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
  else if (number != 0)
    snprintf(text, sizeof text, "%u.%u", major, minor);
  return heddle_answer_string(answer, text);
}

static cl_int answer_budget(cl_device_id device, const struct heddle_answer *answer) {
  struct heddle_error why;
  cl_ulong cycles;
  heddle_budget_cycles(device, &cycles, &why);
  return heddle_answer_ulong(answer, cycles);
}

static cl_int answer_il(cl_device_info param_name, const struct heddle_answer *answer) {
  cl_name_version versions[HEDDLE_SPIRV_MINOR_MAX + 1];
  char text[16 * (HEDDLE_SPIRV_MINOR_MAX + 1)] = "";
  const cl_uint count = heddle_compiler_takes_il() ? HEDDLE_SPIRV_MINOR_MAX + 1 : 0;
  for (cl_uint minor = 0; minor < count; minor++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%sSPIR-V_1.%u", minor == 0 ? "" : " ", minor);
    versions[minor] = (cl_name_version){CL_MAKE_VERSION(1, minor, 0), "SPIR-V"};
  }
  if (param_name == CL_DEVICE_IL_VERSION)
    return heddle_answer_string(answer, text);
  return heddle_answer_bytes(answer, versions, count * sizeof *versions);
}

// Text, and what is the same for every device.
static cl_int answer_identity(cl_device_id device, cl_device_info param_name, const struct heddle_answer *answer) {
  char why[sizeof device->root->error.text];
  switch (param_name) {
    case CL_DEVICE_TYPE:
      return heddle_answer_ulong(answer, heddle_platform()->device_type);
    case CL_DEVICE_VENDOR_ID:
      return heddle_answer_uint(answer, CL_VENDOR_ID_HEDDLE);
    case CL_DEVICE_AVAILABLE:
      return heddle_answer_bool(answer, heddle_available(device));
    case CL_DEVICE_UNAVAILABLE_HEDDLE:
      heddle_unavailable_text(device, why, sizeof why);
      return heddle_answer_string(answer, why);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
      return heddle_answer_bool(answer, heddle_compiler_available());
    case CL_DEVICE_NAME:
      heddle_open(device);  // completes the name
      return heddle_answer_string(answer, device->root->full_name);
    case CL_DEVICE_VENDOR:
      return heddle_answer_string(answer, "Heddle");
    case CL_DRIVER_VERSION:
      return heddle_answer_string(answer, HEDDLE_VERSION);
    case CL_DEVICE_PROFILE:
      return heddle_answer_string(answer, "EMBEDDED_PROFILE");
    case CL_DEVICE_VERSION:
      return heddle_answer_string(answer, "OpenCL 3.0 Heddle " HEDDLE_VERSION);
    case CL_DEVICE_NUMERIC_VERSION:
      return heddle_answer_uint(answer, CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_OPENCL_C_VERSION:
      return heddle_answer_string(answer, "OpenCL C 1.2 Heddle " HEDDLE_VERSION);
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return heddle_answer_string(answer, "");
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS: {
#define NAMED(major, minor) {CL_MAKE_VERSION(major, minor, 0), "OpenCL C"},
      const cl_name_version versions[] = {HEDDLE_LANGUAGE_VERSIONS(NAMED)};
#undef NAMED
      return heddle_answer_bytes(answer, versions, sizeof versions);
    }
    case CL_DEVICE_IL_VERSION:
    case CL_DEVICE_ILS_WITH_VERSION:
      return answer_il(param_name, answer);
    case CL_DEVICE_BUILT_IN_KERNELS:
      return heddle_answer_string(answer, "");
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return heddle_answer_bytes(answer, NULL, 0);
    case CL_DEVICE_PLATFORM:
      return heddle_answer_pointer(answer, heddle_platform());
    case CL_DEVICE_PARENT_DEVICE:
      return heddle_answer_pointer(answer, device->parent);
    case CL_DEVICE_REFERENCE_COUNT:
      return heddle_answer_uint(answer, device->parent ? heddle_object_references(device) : 1);
    case CL_DEVICE_PARTITION_TYPE: {
      const cl_device_partition_property none = 0;
      return device->parent ? heddle_answer_bytes(answer, device->partition, device->partition_bytes)
                            : heddle_answer_bytes(answer, &none, sizeof none);
    }
    default:
      return CL_INVALID_VALUE;
  }
}

// What work-items share the clock that a kernel reads.
static cl_device_kernel_clock_capabilities_khr kernel_clock_scopes(void) {
  static const struct {
    const char *feature;
    cl_device_kernel_clock_capabilities_khr scope;
  } scopes[] = {
      {"__opencl_c_kernel_clock_scope_device", CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR},
      {"__opencl_c_kernel_clock_scope_work_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR},
      {"__opencl_c_kernel_clock_scope_sub_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR},
  };
  cl_device_kernel_clock_capabilities_khr all = 0;
  for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
    all |= heddle_list_has(HEDDLE_FEATURES, scopes[i].feature) ? scopes[i].scope : 0;
  return all;
}

// What a device has or has not, the same for every device. (Double: OpenCL 3.0's least, and that it is software.)
static cl_int answer_abilities(cl_device_info param_name, const struct heddle_answer *answer) {
  switch (param_name) {
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return heddle_answer_ulong(answer, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return heddle_answer_ulong(answer, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
      return heddle_answer_bool(answer, true);
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
      return heddle_answer_bool(answer, heddle_list_has(HEDDLE_FEATURES, "__opencl_c_subgroups"));
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
      return heddle_answer_bool(answer, heddle_list_has(HEDDLE_FEATURES, "__opencl_c_work_group_collective_functions"));
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      return heddle_answer_bool(answer, heddle_list_has(HEDDLE_FEATURES, "__opencl_c_generic_address_space"));
    case CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR:
      return heddle_answer_ulong(answer, 0);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
      return heddle_answer_ulong(answer, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                                             CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
    // No instruction does it: the functions are what a kernel could have in their place.
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR: {
      const cl_device_integer_dot_product_acceleration_properties_khr none = {0};
      return heddle_answer_bytes(answer, &none, sizeof none);
    }
    case CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR:
      return heddle_answer_ulong(answer, kernel_clock_scopes());
    case CL_DEVICE_IMAGE_SUPPORT:
      return heddle_answer_bool(answer, heddle_images_offered());
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return heddle_answer_bool(answer, false);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return heddle_answer_ulong(
          answer, !heddle_offers_double()
                      ? 0
                      : CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_SOFT_FLOAT);
    case CL_DEVICE_SVM_CAPABILITIES:
      return heddle_answer_ulong(answer, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    // Host and device do not access such memory at once, nor does a device what is another's.
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
      return heddle_answer_ulong(answer, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return heddle_answer_ulong(answer, 0);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return heddle_answer_uint(answer, CL_LOCAL);
    default:
      return CL_INVALID_VALUE;
  }
}

// What concerns images: zeros without them.
static cl_int answer_image_limits(cl_device_info param_name, const struct heddle_answer *answer) {
  const bool images = heddle_images_offered();
  const bool both = heddle_list_has(HEDDLE_FEATURES, "__opencl_c_read_write_images");
  switch (param_name) {
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
      return heddle_answer_uint(answer, images ? HEDDLE_IMAGE_READ_ARGUMENTS : 0);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
      return heddle_answer_uint(answer, images ? HEDDLE_IMAGE_WRITE_ARGUMENTS : 0);
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      return heddle_answer_uint(answer, both ? HEDDLE_IMAGE_READ_WRITE_ARGUMENTS : 0);
    case CL_DEVICE_MAX_SAMPLERS:
      return heddle_answer_uint(answer, images ? HEDDLE_IMAGE_SAMPLERS : 0);
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:  // pixels
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return heddle_answer_uint(answer, images ? HEDDLE_IMAGE_PITCH_PIXELS : 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      return heddle_answer_size(answer, images ? HEDDLE_IMAGE_SIDE_2D : 0);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      return heddle_answer_size(answer, images ? HEDDLE_IMAGE_SIDE_3D : 0);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return heddle_answer_size(answer, images ? HEDDLE_IMAGE_BUFFER_PIXELS : 0);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return heddle_answer_size(answer, images ? HEDDLE_IMAGE_LAYERS : 0);
    default:
      return CL_INVALID_VALUE;
  }
}

// Numbers that are the same for every device, most of them 0 for what there is not.
static cl_int answer_fixed_limits(cl_device_id device, cl_device_info param_name, const struct heddle_answer *answer) {
  switch (param_name) {
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return heddle_answer_uint(answer, 3);
    case CL_DEVICE_ADDRESS_BITS:
      return heddle_answer_uint(answer, 32);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
      return heddle_answer_uint(answer, 1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      return heddle_answer_uint(answer, heddle_offers_double() ? 1 : 0);
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
      return heddle_answer_uint(answer, 0);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return heddle_answer_size(answer, HEDDLE_PARAMETER_BYTES);
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return heddle_answer_uint(answer, HEDDLE_PARAMETER_BYTES / HEDDLE_POINTER_BYTES);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:  // bits
      return heddle_answer_uint(answer, 8 * HEDDLE_BUFFER_ALIGNMENT);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return heddle_answer_uint(answer, HEDDLE_BUFFER_ALIGNMENT);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
      return heddle_answer_size(answer, heddle_list_has(HEDDLE_FEATURES, "__opencl_c_program_scope_global_variables")
                                            ? GLOBAL_VARIABLE_BYTES
                                            : 0);
    case CL_DEVICE_BUDGET_CYCLES_HEDDLE:
      return answer_budget(device, answer);
    default:
      return CL_INVALID_VALUE;
  }
}

static cl_int answer_sub_group_sizes(const struct heddle_capabilities *capabilities,
                                     const struct heddle_answer *answer) {
  size_t sizes[6];
  size_t count = 0;
  for (uint32_t size = 1; size <= capabilities->lanes; size *= 2)
    sizes[count++] = size;
  return heddle_answer_bytes(answer, sizes, count * sizeof *sizes);
}

// What follows from the ISA string, and for lists from the offer of double: float in hardware or software, and atomics,
// without which orders and scopes have no names either. The memory is in order for everybody, so that every order and
// scope costs nothing.
static cl_int answer_isa(const char *isa, cl_device_info param_name, const struct heddle_answer *answer) {
  const bool has_float = heddle_isa_has(isa, "zfinx"), has_atomics = heddle_isa_has(isa, "a");
  const cl_ulong orders = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
  const cl_ulong wider =
      CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  const bool has_double = heddle_offers_double();
  char extensions[HEDDLE_LIST_BYTES], features[HEDDLE_LIST_BYTES];
  const char *const extension_lists[] = {HEDDLE_CALL_EXTENSIONS,
                                         heddle_images_offered() ? HEDDLE_IMAGE_EXTENSIONS : NULL,
                                         heddle_compiler_takes_il() ? HEDDLE_IL_EXTENSIONS : NULL,
                                         HEDDLE_EXTENSIONS,
                                         has_atomics ? HEDDLE_ATOMIC_EXTENSIONS : NULL,
                                         has_double ? HEDDLE_DOUBLE_EXTENSIONS : NULL};
  const char *const feature_lists[] = {HEDDLE_FEATURES, has_atomics ? HEDDLE_ATOMIC_FEATURES : NULL,
                                       has_double ? HEDDLE_DOUBLE_FEATURES : NULL};
  heddle_list_join(extensions, extension_lists, sizeof extension_lists / sizeof *extension_lists);
  heddle_list_join(features, feature_lists, sizeof feature_lists / sizeof *feature_lists);
  switch (param_name) {
    case CL_DEVICE_EXTENSIONS:
      return heddle_answer_string(answer, extensions);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return heddle_answer_extensions(answer, extensions);
    case CL_DEVICE_OPENCL_C_FEATURES:
      return heddle_answer_names(answer, features, CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return heddle_answer_ulong(answer, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA |
                                             CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | (has_float ? 0 : CL_FP_SOFT_FLOAT));
    // Halves are widened to float and the results rounded, in a few instructions.
    case CL_DEVICE_HALF_FP_CONFIG:
      return heddle_answer_ulong(answer,
                                 CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_SOFT_FLOAT);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
      return heddle_answer_ulong(answer, has_atomics ? orders | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | wider : 0);
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return heddle_answer_ulong(answer, orders | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | (has_atomics ? wider : 0));
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
      return heddle_answer_ulong(answer, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                                             (has_atomics ? CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL : 0));
    case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
      return heddle_answer_ulong(answer, CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                             CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                                             CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR |
                                             (has_atomics ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR : 0));
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      // Of the one queue that a context may have there is no other to make the default.
      return heddle_answer_ulong(answer, has_atomics ? CL_DEVICE_QUEUE_SUPPORTED : 0);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return heddle_answer_ulong(answer,
                                 has_atomics ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE : 0);
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
      return heddle_answer_uint(answer, has_atomics ? HEDDLE_QUEUE_SIZE_PREFERRED : 0);
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
      return heddle_answer_uint(answer, has_atomics ? 1 : 0);
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
      return heddle_answer_uint(answer, has_atomics ? HEDDLE_QUEUE_EVENTS_MOST : 0);
    default:
      return CL_INVALID_VALUE;
  }
}

static uint32_t count_pipelines(const struct heddle_capabilities *capabilities) {
  uint32_t units = 0;
  for (uint32_t i = 1; i < capabilities->num_kinds; i++)
    units += capabilities->kinds[i].units;
  return units;
}

static cl_int answer_pipelines(const struct heddle_capabilities *capabilities, const struct heddle_answer *answer) {
  enum { PIPELINE_BYTES = 160 };
  char text[HEDDLE_KINDS_MOST * PIPELINE_BYTES] = "";
  size_t used = 0;
  for (uint32_t i = 1; i < capabilities->num_kinds; i++) {
    const struct heddle_unit_kind *kind = &capabilities->kinds[i];
    if (kind->type != HEDDLE_KIND_IS_PIPELINE || kind->units == 0)
      continue;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%08x%08x%08x%08x (%u lanes, %u slots",
                             used != 0 ? ", " : "", kind->hash[0], kind->hash[1], kind->hash[2], kind->hash[3],
                             kind->lanes, kind->slots);
    if (kind->units > 1)
      used += (size_t)snprintf(text + used, sizeof text - used, ", %u copies", kind->units);
    used += (size_t)snprintf(text + used, sizeof text - used, ")");
  }
  return heddle_answer_bytes(answer, text, used + 1);
}

// A device that cannot be divided has one property, 0.
static cl_int answer_partition(const struct heddle_capabilities *capabilities, const struct heddle_answer *answer) {
  cl_device_partition_property ways[HEDDLE_PARTITION_WAYS];
  const size_t count = heddle_partition_ways(capabilities, ways);
  if (count == 0)
    ways[0] = 0;
  return heddle_answer_bytes(answer, ways, (count != 0 ? count : 1) * sizeof *ways);
}

// What the capability block says.
static cl_int answer_capabilities(const struct heddle_capabilities *capabilities, cl_device_info param_name,
                                  const struct heddle_answer *answer) {
  const size_t work_items = (size_t)capabilities->lanes * capabilities->slots;
  switch (param_name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return heddle_answer_uint(answer, capabilities->units != 0 ? capabilities->units : count_pipelines(capabilities));
    case CL_DEVICE_PARTITION_PROPERTIES:
      return answer_partition(capabilities, answer);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return heddle_answer_uint(answer, capabilities->units > 1 ? capabilities->units : 0);
    case CL_DEVICE_UNITS_HEDDLE:
      return heddle_answer_uint(answer, capabilities->units);
    case CL_DEVICE_PIPELINES_HEDDLE:
      return answer_pipelines(capabilities, answer);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return heddle_answer_size(answer, work_items);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      const size_t most = work_items < HEDDLE_LOCAL_SIZE_MAX ? work_items : HEDDLE_LOCAL_SIZE_MAX;
      const size_t sizes[3] = {most, most, most};
      return heddle_answer_bytes(answer, sizes, sizeof sizes);
    }
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return heddle_answer_size(answer, capabilities->lanes);
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
    case CL_DEVICE_SLOTS_HEDDLE:
      return heddle_answer_uint(answer, capabilities->slots);
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
      return answer_sub_group_sizes(capabilities, answer);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:  // MHz
      return heddle_answer_uint(answer, (capabilities->clock_khz + 999) / 1000);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:  // nanoseconds
      return heddle_answer_size(answer, (1000000 + capabilities->clock_khz - 1) / capabilities->clock_khz);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return heddle_answer_ulong(answer, capabilities->global_bytes - capabilities->first_global);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return heddle_answer_ulong(answer, heddle_max_allocation(capabilities));
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return heddle_answer_uint(answer, capabilities->cache_bytes ? CL_READ_WRITE_CACHE : CL_NONE);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return heddle_answer_ulong(answer, capabilities->cache_bytes);
    case CL_DEVICE_CACHE_BYTES_HEDDLE:
      return heddle_answer_uint(answer, capabilities->cache_bytes);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    case CL_DEVICE_LINE_BYTES_HEDDLE:
      return heddle_answer_uint(answer, capabilities->line_bytes);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return heddle_answer_ulong(answer, capabilities->local_memory_bytes);
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return heddle_answer_size(answer, heddle_printf_capacity(capabilities));
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
      return heddle_answer_uint(answer,
                                heddle_isa_has(capabilities->isa, "a") ? heddle_queue_size_most(capabilities) : 0);
    case CL_DEVICE_PIPE_SUPPORT:
      return heddle_answer_bool(answer, heddle_pipe_limits_of(capabilities).arguments > 0);
    case CL_DEVICE_MAX_PIPE_ARGS:
      return heddle_answer_uint(answer, heddle_pipe_limits_of(capabilities).arguments);
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
      return heddle_answer_uint(answer, heddle_pipe_limits_of(capabilities).reservations);
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      return heddle_answer_uint(answer, heddle_pipe_limits_of(capabilities).packet_bytes);
    case CL_DEVICE_LANES_HEDDLE:
      return heddle_answer_uint(answer, capabilities->lanes);
    case CL_DEVICE_ISA_HEDDLE:
      return heddle_answer_string(answer, capabilities->isa);
    case CL_DEVICE_HARDWARE_VERSION_HEDDLE:
      return answer_hardware_version(capabilities->features >> HEDDLE_FEATURE_VERSION_SHIFT, answer);
    case CL_DEVICE_CLOCK_KHZ_HEDDLE:
      return heddle_answer_uint(answer, capabilities->clock_khz);
    case CL_DEVICE_MEMORY_LATENCY_HEDDLE:
      return heddle_answer_uint(answer, capabilities->memory_latency);
    case CL_DEVICE_MEMORY_INTERVAL_HEDDLE:
      return heddle_answer_uint(answer, capabilities->memory_interval);
    case CL_DEVICE_MEMORY_CHANNELS_HEDDLE:
      return heddle_answer_uint(answer, capabilities->memory_channels);
    default:
      return answer_isa(capabilities->isa, param_name, answer);
  }
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size, void *param_value,
                       size_t *param_value_size_ret) {
  HEDDLE_CALL;
  const struct heddle_answer answer = {param_value_size, param_value, param_value_size_ret};
  static const struct heddle_capabilities nothing = {0};
  if (!heddle_is_device(device))
    return CL_INVALID_DEVICE;
  // Each table says CL_INVALID_VALUE to what it does not know, and to a value that is too small.
  cl_int error = answer_identity(device, param_name, &answer);
  if (error == CL_INVALID_VALUE)
    error = answer_abilities(param_name, &answer);
  if (error == CL_INVALID_VALUE)
    error = answer_fixed_limits(device, param_name, &answer);
  if (error == CL_INVALID_VALUE)
    error = answer_image_limits(param_name, &answer);
  if (error != CL_INVALID_VALUE)
    return error;
  // Whether the device is needed is asked before it is opened.
  const struct heddle_answer no_answer = {0};
  struct heddle_capabilities placeholder = nothing;
  placeholder.num_kinds = 1;
  placeholder.clock_khz = placeholder.lanes = placeholder.slots = placeholder.units = 1;
  if (answer_capabilities(&placeholder, param_name, &no_answer) != CL_SUCCESS)
    return CL_INVALID_VALUE;
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  return capabilities ? answer_capabilities(capabilities, param_name, &answer) : CL_OUT_OF_RESOURCES;
}
