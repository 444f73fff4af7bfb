// SPDX-License-Identifier: Apache-2.0
// Every query of contexts, queues, memory objects, programs, kernels and events (OpenCL API 3.0, the tables of the
// clGet…Info calls), with the right answer. Those of devices are in tests/host/device_queries.c, where every figure of
// the device is known. tests/opencl/every_name.py holds the tables to the names of the OpenCL headers.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/opencl/command_table.h"
#include "tests/opencl/pieces.h"
#include "tests/query_table.h"

#define ASK(function, type, call)                                                                        \
  static cl_int function(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) { \
    return call((type)(uintptr_t)object, name, size, value, size_ret);                                   \
  }
ASK(ask_context, cl_context, clGetContextInfo)
ASK(ask_queue, cl_command_queue, clGetCommandQueueInfo)
ASK(ask_memory, cl_mem, clGetMemObjectInfo)
ASK(ask_image, cl_mem, clGetImageInfo)
ASK(ask_pipe, cl_mem, clGetPipeInfo)
ASK(ask_sampler, cl_sampler, clGetSamplerInfo)
ASK(ask_program, cl_program, clGetProgramInfo)
ASK(ask_kernel, cl_kernel, clGetKernelInfo)
ASK(ask_event, cl_event, clGetEventInfo)
ASK(ask_profiling, cl_event, clGetEventProfilingInfo)

static cl_int ask_build(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetProgramBuildInfo((cl_program)(uintptr_t)object, harness()->device, name, size, value, size_ret);
}
static cl_int ask_work_group(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetKernelWorkGroupInfo((cl_kernel)(uintptr_t)object, harness()->device, name, size, value, size_ret);
}

static cl_int error;

// ---- contexts and queues

Test(queries, of_contexts) {
  struct harness *h = harness();
  const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)h->platform, 0};
  cl_context with = clCreateContext(list, 1, &h->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      NUMBER(CL_CONTEXT_REFERENCE_COUNT, cl_uint, 1),
      NUMBER(CL_CONTEXT_NUM_DEVICES, cl_uint, 1),
      HANDLE(CL_CONTEXT_DEVICES, h->device),
      BYTES(CL_CONTEXT_PROPERTIES, list, sizeof list),
  };
  CHECK_QUERIES("a context", ask_context, with, rows);
  cl_device_id both[2];
  cl_platform_id platform;
  heddle_devices(&platform, &both[0], &both[1]);
  cl_context of_both = clCreateContext(NULL, 2, both, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query of_two[] = {
      NUMBER(CL_CONTEXT_NUM_DEVICES, cl_uint, 2),
      BYTES(CL_CONTEXT_DEVICES, both, sizeof both),
      EMPTY(CL_CONTEXT_PROPERTIES),
  };
  CHECK_QUERIES("a context of two devices", ask_context, of_both, of_two);
}

Test(queries, of_queues) {
  struct harness *h = harness();
  const cl_command_queue none = NULL;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(h->context, h->device, list, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      HANDLE(CL_QUEUE_CONTEXT, h->context),
      HANDLE(CL_QUEUE_DEVICE, h->device),
      NUMBER(CL_QUEUE_REFERENCE_COUNT, cl_uint, 1),
      NUMBER(CL_QUEUE_PROPERTIES, cl_command_queue_properties, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
      BYTES(CL_QUEUE_PROPERTIES_ARRAY, list, sizeof list),
      HANDLE(CL_QUEUE_DEVICE_DEFAULT, none),
  };
  CHECK_QUERIES("a queue", ask_queue, queue, rows);
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, NULL, NULL));

  const cl_queue_properties both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  cl_command_queue old = clCreateCommandQueue(h->context, h->device, both, &error);
  EXPECT_SUCCESS(error);
  const struct query old_rows[] = {
      NUMBER(CL_QUEUE_PROPERTIES, cl_command_queue_properties, both),
      EMPTY(CL_QUEUE_PROPERTIES_ARRAY),
  };
  CHECK_QUERIES("a queue of clCreateCommandQueue", ask_queue, old, old_rows);

  const cl_queue_properties on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  const cl_queue_properties sized[] = {CL_QUEUE_PROPERTIES, on_device | CL_QUEUE_ON_DEVICE_DEFAULT, CL_QUEUE_SIZE,
                                       32 << 10, 0};
  cl_command_queue default_queue = clCreateCommandQueueWithProperties(h->context, h->device, sized, &error);
  EXPECT_SUCCESS(error);
  const struct query device_rows[] = {
      HANDLE(CL_QUEUE_CONTEXT, h->context),
      HANDLE(CL_QUEUE_DEVICE, h->device),
      NUMBER(CL_QUEUE_REFERENCE_COUNT, cl_uint, 1),
      NUMBER(CL_QUEUE_PROPERTIES, cl_command_queue_properties, on_device | CL_QUEUE_ON_DEVICE_DEFAULT),
      BYTES(CL_QUEUE_PROPERTIES_ARRAY, sized, sizeof sized),
      BETWEEN(CL_QUEUE_SIZE, cl_uint, 32 << 10, 1 << 20),
      HANDLE(CL_QUEUE_DEVICE_DEFAULT, default_queue),
  };
  CHECK_QUERIES("an on-device queue", ask_queue, default_queue, device_rows);
  const struct query told[] = {HANDLE(CL_QUEUE_DEVICE_DEFAULT, default_queue)};
  CHECK_QUERIES("a queue beside a default on-device queue", ask_queue, queue, told);
}

// ---- memory objects

Test(queries, of_buffers) {
  struct harness *h = harness();
  const cl_mem none = NULL;
  void *const no_pointer = NULL;
  cl_mem plain = clCreateBuffer(h->context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, 5000, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_BUFFER),
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY),
      NUMBER(CL_MEM_SIZE, size_t, 5000),
      HANDLE(CL_MEM_HOST_PTR, no_pointer),
      NUMBER(CL_MEM_MAP_COUNT, cl_uint, 0),
      NUMBER(CL_MEM_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_MEM_CONTEXT, h->context),
      HANDLE(CL_MEM_ASSOCIATED_MEMOBJECT, none),
      NUMBER(CL_MEM_OFFSET, size_t, 0),
      NUMBER(CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE),
      EMPTY(CL_MEM_PROPERTIES),
  };
  CHECK_QUERIES("a buffer", ask_memory, plain, rows);

  // On the host's memory, and a part of it: its flags are the buffer's where it has none of its own.
  unsigned char *host = allocate(8192);
  cl_mem hosted = clCreateBuffer(h->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, 8192, host, &error);
  EXPECT_SUCCESS(error);
  const struct query hosted_rows[] = {
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR),
      HANDLE(CL_MEM_HOST_PTR, host),
  };
  CHECK_QUERIES("a buffer on host memory", ask_memory, hosted, hosted_rows);
  const cl_buffer_region region = {4096, 1024};
  cl_mem part = clCreateSubBuffer(hosted, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  unsigned char *const host_of_part = host + 4096;
  const struct query part_rows[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_BUFFER),
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR),
      NUMBER(CL_MEM_SIZE, size_t, 1024),
      HANDLE(CL_MEM_HOST_PTR, host_of_part),
      NUMBER(CL_MEM_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_MEM_CONTEXT, h->context),
      HANDLE(CL_MEM_ASSOCIATED_MEMOBJECT, hosted),
      NUMBER(CL_MEM_OFFSET, size_t, 4096),
      NUMBER(CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE),
  };
  CHECK_QUERIES("a sub-buffer", ask_memory, part, part_rows);

  // A copy of the host's memory has no pointer to it.
  cl_mem copy = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, 64, host, &error);
  EXPECT_SUCCESS(error);
  const struct query copy_rows[] = {HANDLE(CL_MEM_HOST_PTR, no_pointer), NUMBER(CL_MEM_SIZE, size_t, 64)};
  CHECK_QUERIES("a copy of host memory", ask_memory, copy, copy_rows);

  const cl_mem_properties properties[] = {0};
  cl_mem with = clCreateBufferWithProperties(h->context, properties, CL_MEM_READ_WRITE, 64, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query with_rows[] = {BYTES(CL_MEM_PROPERTIES, properties, sizeof properties)};
  CHECK_QUERIES("a buffer of clCreateBufferWithProperties", ask_memory, with, with_rows);
}

static void expect_map_count(cl_mem memory, cl_uint expected, const char *when) {
  const struct query rows[] = {NUMBER(CL_MEM_MAP_COUNT, cl_uint, expected)};
  CHECK_QUERIES(when, ask_memory, memory, rows);
}

Test(queries, of_mapped_buffers) {
  cl_mem buffer = buffer_with(NULL, 256);
  void *mapped[3];
  for (cl_uint i = 0; i < 3; i++) {
    mapped[i] = clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, CL_MAP_READ, 0, 256, 0, NULL, NULL, &error);
    EXPECT_SUCCESS(error);
    expect_map_count(buffer, i + 1, "mapped");
  }
  for (cl_uint i = 0; i < 3; i++) {
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, buffer, mapped[i], 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(harness()->queue));
    expect_map_count(buffer, 2 - i, "unmapped");
  }
}

Test(queries, of_pipes) {
  cl_mem pipe = clCreatePipe(harness()->context, 0, 12, 100, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      NUMBER(CL_PIPE_PACKET_SIZE, cl_uint, 12),
      NUMBER(CL_PIPE_MAX_PACKETS, cl_uint, 100),
      EMPTY(CL_PIPE_PROPERTIES),
  };
  CHECK_QUERIES("a pipe", ask_pipe, pipe, rows);
  const struct query memory_rows[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_PIPE),
      BETWEEN(CL_MEM_SIZE, size_t, 1200, 1 << 20),
      NUMBER(CL_MEM_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_MEM_CONTEXT, harness()->context),
      NUMBER(CL_MEM_MAP_COUNT, cl_uint, 0),
  };
  CHECK_QUERIES("a pipe", ask_memory, pipe, memory_rows);
  EXPECT_CODE(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer_with(NULL, 64), CL_PIPE_PACKET_SIZE, 0, NULL, NULL));
}

Test(queries, of_images) {
  struct harness *h = harness();
  const cl_mem none = NULL;
  void *const no_pointer = NULL;
  const cl_image_format format = {CL_RG, CL_UNSIGNED_INT16};
  const cl_mem_properties properties[] = {0};
  const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 3};
  cl_mem image = clCreateImageWithProperties(h->context, properties, CL_MEM_READ_ONLY, &format, &flat, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      BYTES(CL_IMAGE_FORMAT, &format, sizeof format),
      NUMBER(CL_IMAGE_ELEMENT_SIZE, size_t, 4),
      NUMBER(CL_IMAGE_ROW_PITCH, size_t, 20),
      NUMBER(CL_IMAGE_SLICE_PITCH, size_t, 0),
      NUMBER(CL_IMAGE_WIDTH, size_t, 5),
      NUMBER(CL_IMAGE_HEIGHT, size_t, 3),
      NUMBER(CL_IMAGE_DEPTH, size_t, 0),
      NUMBER(CL_IMAGE_ARRAY_SIZE, size_t, 0),
      HANDLE(CL_IMAGE_BUFFER, none),
      NUMBER(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0),
      NUMBER(CL_IMAGE_NUM_SAMPLES, cl_uint, 0),
  };
  CHECK_QUERIES("a 2D image", ask_image, image, rows);
  const struct query memory_rows[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE2D),
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY),
      NUMBER(CL_MEM_SIZE, size_t, 60),
      HANDLE(CL_MEM_HOST_PTR, no_pointer),
      NUMBER(CL_MEM_MAP_COUNT, cl_uint, 0),
      NUMBER(CL_MEM_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_MEM_CONTEXT, h->context),
      HANDLE(CL_MEM_ASSOCIATED_MEMOBJECT, none),
      NUMBER(CL_MEM_OFFSET, size_t, 0),
      NUMBER(CL_MEM_USES_SVM_POINTER, cl_bool, CL_FALSE),
      BYTES(CL_MEM_PROPERTIES, properties, sizeof properties),
  };
  CHECK_QUERIES("a 2D image", ask_memory, image, memory_rows);

  // In the host's memory, with its pitches.
  unsigned char *host = allocate(1024);
  const cl_image_desc deep = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                              .image_width = 5,
                              .image_height = 3,
                              .image_depth = 2,
                              .image_row_pitch = 24,
                              .image_slice_pitch = 96};
  cl_mem hosted = clCreateImage(h->context, CL_MEM_USE_HOST_PTR, &format, &deep, host, &error);
  EXPECT_SUCCESS(error);
  const struct query hosted_rows[] = {
      NUMBER(CL_IMAGE_ROW_PITCH, size_t, 24),
      NUMBER(CL_IMAGE_SLICE_PITCH, size_t, 96),
      NUMBER(CL_IMAGE_DEPTH, size_t, 2),
      NUMBER(CL_IMAGE_ARRAY_SIZE, size_t, 0),
  };
  CHECK_QUERIES("a 3D image on host memory", ask_image, hosted, hosted_rows);
  const struct query hosted_memory[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE3D),
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_USE_HOST_PTR),
      HANDLE(CL_MEM_HOST_PTR, host),
      NUMBER(CL_MEM_SIZE, size_t, 192),
      EMPTY(CL_MEM_PROPERTIES),
  };
  CHECK_QUERIES("a 3D image on host memory", ask_memory, hosted, hosted_memory);

  // Copied from it, without gaps.
  const cl_image_desc lines = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                               .image_width = 5,
                               .image_height = 77,
                               .image_array_size = 4,
                               .image_row_pitch = 24,
                               .image_slice_pitch = 48};
  cl_mem copied = clCreateImage(h->context, CL_MEM_COPY_HOST_PTR, &format, &lines, host, &error);
  EXPECT_SUCCESS(error);
  const struct query copied_rows[] = {
      NUMBER(CL_IMAGE_ROW_PITCH, size_t, 20),
      NUMBER(CL_IMAGE_SLICE_PITCH, size_t, 20),
      NUMBER(CL_IMAGE_HEIGHT, size_t, 0),
      NUMBER(CL_IMAGE_ARRAY_SIZE, size_t, 4),
  };
  CHECK_QUERIES("a 1D array", ask_image, copied, copied_rows);
  const struct query copied_memory[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE1D_ARRAY),
      HANDLE(CL_MEM_HOST_PTR, no_pointer),
      NUMBER(CL_MEM_SIZE, size_t, 80),
  };
  CHECK_QUERIES("a 1D array", ask_memory, copied, copied_memory);

  // Of a part of a buffer.
  cl_mem buffer = clCreateBuffer(h->context, CL_MEM_USE_HOST_PTR, 1024, host, &error);
  EXPECT_SUCCESS(error);
  const cl_buffer_region region = {256, 512};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  const cl_image_desc of = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                            .image_width = 8,
                            .image_height = 4,
                            .image_row_pitch = 40,
                            .mem_object = part};
  cl_mem view = clCreateImage(h->context, CL_MEM_READ_ONLY, &format, &of, NULL, &error);
  EXPECT_SUCCESS(error);
  unsigned char *const in_host = host + 256;
  const struct query view_rows[] = {NUMBER(CL_IMAGE_ROW_PITCH, size_t, 40), HANDLE(CL_IMAGE_BUFFER, part)};
  CHECK_QUERIES("a 2D image of a buffer", ask_image, view, view_rows);
  const struct query view_memory[] = {
      NUMBER(CL_MEM_TYPE, cl_mem_object_type, CL_MEM_OBJECT_IMAGE2D),
      NUMBER(CL_MEM_FLAGS, cl_mem_flags, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR),
      NUMBER(CL_MEM_SIZE, size_t, 160),
      HANDLE(CL_MEM_HOST_PTR, in_host),
      HANDLE(CL_MEM_ASSOCIATED_MEMOBJECT, part),
      NUMBER(CL_MEM_OFFSET, size_t, 0),
      NUMBER(CL_MEM_REFERENCE_COUNT, cl_uint, 1),
  };
  CHECK_QUERIES("a 2D image of a buffer", ask_memory, view, view_memory);
}

Test(queries, of_samplers) {
  const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_NORMALIZED_COORDS,
                                        CL_FALSE, 0};
  cl_sampler sampler = clCreateSamplerWithProperties(harness()->context, list, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      NUMBER(CL_SAMPLER_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_SAMPLER_CONTEXT, harness()->context),
      NUMBER(CL_SAMPLER_NORMALIZED_COORDS, cl_bool, CL_FALSE),
      NUMBER(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, CL_ADDRESS_CLAMP),
      NUMBER(CL_SAMPLER_FILTER_MODE, cl_filter_mode, CL_FILTER_LINEAR),
      BYTES(CL_SAMPLER_PROPERTIES, list, sizeof list),
  };
  CHECK_QUERIES("a sampler", ask_sampler, sampler, rows);
  // They are of cl_khr_mipmap_image, which there is none of.
  static const cl_uint of_mipmaps[] = {CL_SAMPLER_MIP_FILTER_MODE, CL_SAMPLER_LOD_MIN, CL_SAMPLER_LOD_MAX};
  for (size_t i = 0; i < sizeof of_mipmaps / sizeof *of_mipmaps; i++)
    EXPECT_CODE(CL_INVALID_VALUE, ask_sampler(sampler, of_mipmaps[i], 0, NULL, NULL));
  EXPECT_SUCCESS(clRetainSampler(sampler));
  const struct query retained[] = {NUMBER(CL_SAMPLER_REFERENCE_COUNT, cl_uint, 2)};
  CHECK_QUERIES("a sampler that was retained", ask_sampler, sampler, retained);
  EXPECT_SUCCESS(clReleaseSampler(sampler));
  EXPECT_SUCCESS(clReleaseSampler(sampler));

  cl_sampler plain = clCreateSamplerWithProperties(harness()->context, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct query plain_rows[] = {
      NUMBER(CL_SAMPLER_NORMALIZED_COORDS, cl_bool, CL_TRUE),
      NUMBER(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, CL_ADDRESS_CLAMP),
      NUMBER(CL_SAMPLER_FILTER_MODE, cl_filter_mode, CL_FILTER_NEAREST),
      EMPTY(CL_SAMPLER_PROPERTIES),
  };
  CHECK_QUERIES("a sampler without properties", ask_sampler, plain, plain_rows);
  cl_sampler old = clCreateSampler(harness()->context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, &error);
  EXPECT_SUCCESS(error);
  const struct query old_rows[] = {
      NUMBER(CL_SAMPLER_NORMALIZED_COORDS, cl_bool, CL_TRUE),
      NUMBER(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, CL_ADDRESS_MIRRORED_REPEAT),
      NUMBER(CL_SAMPLER_FILTER_MODE, cl_filter_mode, CL_FILTER_LINEAR),
      EMPTY(CL_SAMPLER_PROPERTIES),
  };
  CHECK_QUERIES("a sampler of clCreateSampler", ask_sampler, old, old_rows);
}

// ---- programs

static const char first_part[] =
    "global int variable[25] = {1};\n"
    "kernel void one(global float *out, constant int *c, local uint2 *l, const int n) {\n"
    "  local int words[25];\n"
    "  words[n] = c[0] + variable[n]++;\n"
    "  l[0].x = words[n / 2];\n"
    "  out[n] = l[0].x;\n"
    "}\n";
static const char second_part[] =
    "__attribute__((reqd_work_group_size(4, 2, 1))) kernel void two(global const uint *restrict a,\n"
    "  volatile global uchar *b, float4 v) { b[get_local_id(0)] = a[0] + v.x; }\n"
    "__attribute__((intel_reqd_sub_group_size(2))) kernel void three(global int *out, int n) {\n"
    "  volatile int mine[100];\n"
    "  for (int i = 0; i < 100; i++) mine[i] = n + i;\n"
    "  out[0] = mine[n];\n"
    "}\n";
#define OPTIONS "-cl-std=CL3.0 -cl-kernel-arg-info"

static cl_program both_parts(void) {
  const char *texts[] = {first_part, second_part};
  cl_program program = clCreateProgramWithSource(harness()->context, 2, texts, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static cl_program built_parts(void) {
  cl_program program = both_parts();
  const cl_int result = clBuildProgram(program, 1, &harness()->device, OPTIONS, NULL, NULL);
  if (result != CL_SUCCESS)
    fail("clBuildProgram: %s:\n%s", error_name(result), log_of(program));
  return program;
}

static char *both_texts(void) {
  char *text = allocate(sizeof first_part + sizeof second_part);
  snprintf(text, sizeof first_part + sizeof second_part, "%s%s", first_part, second_part);
  return text;
}

Test(queries, of_programs_before_and_after_they_are_built) {
  struct harness *h = harness();
  const size_t nothing = 0;
  cl_program program = both_parts();
  const struct query rows[] = {
      NUMBER(CL_PROGRAM_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_PROGRAM_CONTEXT, h->context),
      NUMBER(CL_PROGRAM_NUM_DEVICES, cl_uint, 1),
      HANDLE(CL_PROGRAM_DEVICES, h->device),
      TEXT(CL_PROGRAM_SOURCE, both_texts()),
      EMPTY(CL_PROGRAM_IL),
      BYTES(CL_PROGRAM_BINARY_SIZES, &nothing, sizeof nothing),
      NUMBER(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool, CL_FALSE),
      NUMBER(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool, CL_FALSE),
  };
  CHECK_QUERIES("a program", ask_program, program, rows);
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL));
  const struct query no_build[] = {
      NUMBER(CL_PROGRAM_BUILD_STATUS, cl_build_status, (cl_uint)CL_BUILD_NONE),
      TEXT(CL_PROGRAM_BUILD_OPTIONS, ""),
      TEXT(CL_PROGRAM_BUILD_LOG, ""),
      NUMBER(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type, CL_PROGRAM_BINARY_TYPE_NONE),
      NUMBER(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t, 0),
  };
  CHECK_QUERIES("a program that is not built", ask_build, program, no_build);

  EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, OPTIONS, NULL, NULL));
  const struct query built_rows[] = {
      NUMBER(CL_PROGRAM_NUM_KERNELS, size_t, 3),
      TEXT(CL_PROGRAM_SOURCE, both_texts()),
      BETWEEN(CL_PROGRAM_BINARY_SIZES, size_t, 64, 1 << 20),
  };
  CHECK_QUERIES("a program that is built", ask_program, program, built_rows);
  char names[64] = "";
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  // In any order, parted by semicolons.
  unsigned found = 0, count = 0;
  char list[64], *rest = list;
  snprintf(list, sizeof list, "%s", names);
  for (char *name = strtok_r(list, ";", &rest); name; name = strtok_r(NULL, ";", &rest), count++)
    found |= strcmp(name, "one") == 0 ? 1 : strcmp(name, "two") == 0 ? 2 : strcmp(name, "three") == 0 ? 4 : 8;
  if (found != 7 || count != 3)
    fail("CL_PROGRAM_KERNEL_NAMES: expected one, two and three parted by semicolons, got \"%s\"", names);
  const struct query build_rows[] = {
      NUMBER(CL_PROGRAM_BUILD_STATUS, cl_build_status, CL_BUILD_SUCCESS),
      TEXT(CL_PROGRAM_BUILD_OPTIONS, OPTIONS),
      BEGINS(CL_PROGRAM_BUILD_LOG, ""),
      NUMBER(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE),
      BETWEEN(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t, 100, 4096),  // 25 ints, and what they are put with
  };
  CHECK_QUERIES("a program that is built", ask_build, program, build_rows);
}

Test(queries, of_programs_that_do_not_build) {
  cl_program program =
      clCreateProgramWithSource(harness()->context, 1, (const char *[]){"kernel void k( {\n"}, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-w", NULL, NULL));
  const struct query rows[] = {
      NUMBER(CL_PROGRAM_BUILD_STATUS, cl_build_status, (cl_uint)CL_BUILD_ERROR),
      TEXT(CL_PROGRAM_BUILD_OPTIONS, "-w"),
      NUMBER(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type, CL_PROGRAM_BINARY_TYPE_NONE),
  };
  CHECK_QUERIES("a program that does not build", ask_build, program, rows);
  if (!strstr(log_of(program), "error"))
    fail("the log of a program that does not build: got \"%s\"", log_of(program));
}

Test(queries, of_programs_in_pieces_and_binaries) {
  struct harness *h = harness();
  cl_program object = both_parts();
  EXPECT_SUCCESS(clCompileProgram(object, 0, NULL, OPTIONS, 0, NULL, NULL, NULL, NULL));
  cl_program library = clLinkProgram(h->context, 0, NULL, "-create-library", 1, &object, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_program linked = clLinkProgram(h->context, 0, NULL, NULL, 1, &library, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  const struct {
    cl_program program;
    cl_program_binary_type type;
    const char *options;
  } pieces[] = {{object, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, OPTIONS},
                {library, CL_PROGRAM_BINARY_TYPE_LIBRARY, "-create-library"},
                {linked, CL_PROGRAM_BINARY_TYPE_EXECUTABLE, ""}};
  for (int i = 0; i < 3; i++) {
    const struct query rows[] = {
        NUMBER(CL_PROGRAM_BUILD_STATUS, cl_build_status, CL_BUILD_SUCCESS),
        TEXT(CL_PROGRAM_BUILD_OPTIONS, pieces[i].options),
        NUMBER(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type, pieces[i].type),
    };
    CHECK_QUERIES("a program in pieces", ask_build, pieces[i].program, rows);
    const struct query program_rows[] = {TEXT(CL_PROGRAM_SOURCE, i == 0 ? both_texts() : "")};
    CHECK_QUERIES("a program in pieces", ask_program, pieces[i].program, program_rows);
  }

  // CL_PROGRAM_BINARIES: where each device's binary goes, as many bytes as CL_PROGRAM_BINARY_SIZES says.
  size_t size = 0, bytes = 0;
  EXPECT_SUCCESS(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = allocate(size + 1);
  binary[size] = 0xA5;
  EXPECT_SUCCESS(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof binary, (void *)&binary, &bytes));
  if (bytes != sizeof binary || binary[size] != 0xA5)
    fail("CL_PROGRAM_BINARIES: %zu bytes of pointers, the byte behind the binary is 0x%02x", bytes, binary[size]);
  const unsigned char *given = binary;
  cl_int status;
  cl_program loaded = clCreateProgramWithBinary(h->context, 1, &h->device, &size, &given, &status, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      TEXT(CL_PROGRAM_SOURCE, ""),
      EMPTY(CL_PROGRAM_IL),
      NUMBER(CL_PROGRAM_BINARY_SIZES, size_t, size),
  };
  CHECK_QUERIES("a program from a binary", ask_program, loaded, rows);
}

Test(queries, of_programs_from_spirv) {
  // A module of its header, capabilities (Addresses, Kernel) and memory model (32 bits, OpenCL).
  static const cl_uint module[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00020011, 4, 0x00020011, 6, 0x0003000E, 1, 2};
  cl_program program = clCreateProgramWithIL(harness()->context, module, sizeof module, &error);
  EXPECT_SUCCESS(error);
  const struct query rows[] = {
      BYTES(CL_PROGRAM_IL, module, sizeof module),
      TEXT(CL_PROGRAM_SOURCE, ""),
      NUMBER(CL_PROGRAM_NUM_DEVICES, cl_uint, 1),
  };
  CHECK_QUERIES("a program from SPIR-V", ask_program, program, rows);
  const struct query device_rows[] = {
      NUMBER(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, CL_TRUE),
      NUMBER(CL_DEVICE_LINKER_AVAILABLE, cl_bool, CL_TRUE),
      WORDS(CL_DEVICE_IL_VERSION, "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2"),
  };
  for (size_t i = 0; i < sizeof device_rows / sizeof *device_rows; i++) {
    unsigned char answer[256] = "";
    EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, device_rows[i].name, sizeof answer, answer, NULL));
    if (i < 2 ? answer[0] != 1 : strstr((char *)answer, "SPIR-V_1.0 ") != (char *)answer)
      fail("%s: unexpected", device_rows[i].text);
  }
}

// ---- kernels

Test(queries, of_kernels) {
  cl_program program = built_parts();
  cl_kernel one = kernel_of(program, "one"), two = kernel_of(program, "two");
  const struct query rows[] = {
      TEXT(CL_KERNEL_FUNCTION_NAME, "one"),
      NUMBER(CL_KERNEL_NUM_ARGS, cl_uint, 4),
      NUMBER(CL_KERNEL_REFERENCE_COUNT, cl_uint, 1),
      HANDLE(CL_KERNEL_CONTEXT, harness()->context),
      HANDLE(CL_KERNEL_PROGRAM, program),
      TEXT(CL_KERNEL_ATTRIBUTES, ""),
  };
  CHECK_QUERIES("a kernel", ask_kernel, one, rows);
  const struct query two_rows[] = {
      TEXT(CL_KERNEL_FUNCTION_NAME, "two"),
      NUMBER(CL_KERNEL_NUM_ARGS, cl_uint, 3),
      TEXT(CL_KERNEL_ATTRIBUTES, "reqd_work_group_size(4,2,1)"),
  };
  CHECK_QUERIES("a kernel with an attribute", ask_kernel, two, two_rows);
}

struct argument {
  const char *kernel, *name, *type;
  cl_uint index;
  cl_kernel_arg_address_qualifier address;
  cl_kernel_arg_type_qualifier qualifiers;
};

static const struct argument arguments[] = {
    {"one", "out", "float*", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    {"one", "c", "int*", 1, CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
    {"one", "l", "uint2*", 2, CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
    {"one", "n", "int", 3, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"two", "a", "uint*", 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
    {"two", "b", "uchar*", 1, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE},
    {"two", "v", "float4", 2, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
};

static cl_uint argument_index;
static cl_int ask_argument(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetKernelArgInfo((cl_kernel)(uintptr_t)object, argument_index, name, size, value, size_ret);
}

Test(queries, of_kernel_arguments) {
  cl_program program = built_parts();
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    const struct argument *argument = &arguments[i];
    cl_kernel kernel = kernel_of(program, argument->kernel);
    const struct query rows[] = {
        NUMBER(CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier, argument->address),
        NUMBER(CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier, CL_KERNEL_ARG_ACCESS_NONE),
        TEXT(CL_KERNEL_ARG_TYPE_NAME, argument->type),
        NUMBER(CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier, argument->qualifiers),
        TEXT(CL_KERNEL_ARG_NAME, argument->name),
    };
    argument_index = argument->index;
    CHECK_QUERIES(argument->name, ask_argument, kernel, rows);
  }
  EXPECT_CODE(CL_INVALID_ARG_INDEX,
              clGetKernelArgInfo(kernel_of(program, "one"), 4, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
}

Test(queries, of_kernels_on_a_device) {
  struct harness *h = harness();
  cl_program program = built_parts();
  cl_kernel one = kernel_of(program, "one"), two = kernel_of(program, "two"), three = kernel_of(program, "three");
  const size_t most = (size_t)h->lanes * h->slots, none[3] = {0, 0, 0}, required[3] = {4, 2, 1};
  // 25 ints of its own; the local argument counts once it is set, with what it is aligned by.
  const struct query rows[] = {
      NUMBER(CL_KERNEL_WORK_GROUP_SIZE, size_t, most),
      BYTES(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, none, sizeof none),
      NUMBER(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, h->lanes),
      BETWEEN(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, 100, 100 + 127),
      BETWEEN(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong, 0, 127),
  };
  CHECK_QUERIES("a kernel", ask_work_group, one, rows);
  EXPECT_CODE(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(one, h->device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, NULL));
  EXPECT_SUCCESS(clSetKernelArg(one, 2, 1000, NULL));
  const struct query with_argument[] = {BETWEEN(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, 1100, 1100 + 2 * 127)};
  CHECK_QUERIES("a kernel with a local argument", ask_work_group, one, with_argument);
  const struct query two_rows[] = {
      BYTES(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, required, sizeof required),
      NUMBER(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, 0),
  };
  CHECK_QUERIES("a kernel with a required size", ask_work_group, two, two_rows);
  const size_t sub_group = h->lanes < 2 ? h->lanes : 2;
  const struct query three_rows[] = {
      NUMBER(CL_KERNEL_WORK_GROUP_SIZE, size_t, sub_group * h->slots),
      NUMBER(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, sub_group),
      NUMBER(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong, 0),
      BETWEEN(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong, 400, 400 + 255),  // 100 ints
      BETWEEN(CL_KERNEL_SPILL_MEM_SIZE_INTEL, cl_ulong, 0, 400 + 255),
  };
  CHECK_QUERIES("a kernel of sub-groups of 2", ask_work_group, three, three_rows);
}

// ---- sub-groups

static const void *sub_group_input;
static size_t sub_group_input_bytes;
static cl_int ask_sub_group(const void *object, cl_uint name, size_t size, void *value, size_t *size_ret) {
  return clGetKernelSubGroupInfo((cl_kernel)(uintptr_t)object, harness()->device, name, sub_group_input_bytes,
                                 sub_group_input, size, value, size_ret);
}

Test(queries, of_sub_groups) {
  struct harness *h = harness();
  cl_program program = built_parts();
  cl_kernel one = kernel_of(program, "one"), three = kernel_of(program, "three");
  const size_t shape[3] = {5, 3, 1}, three_groups = 3, lanes = h->lanes;
  const size_t of_three[3] = {3 * lanes, 1, 1};
  sub_group_input = shape;
  sub_group_input_bytes = sizeof shape;
  const struct query rows[] = {
      NUMBER(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, size_t, lanes),
      NUMBER(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, size_t, (15 + lanes - 1) / lanes),
      NUMBER(CL_KERNEL_MAX_NUM_SUB_GROUPS, size_t, h->slots),
      NUMBER(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, size_t, 0),
      NUMBER(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, size_t, 0),
  };
  CHECK_QUERIES("sub-groups", ask_sub_group, one, rows);
  const size_t narrow = lanes < 2 ? lanes : 2;
  const struct query three_rows[] = {
      NUMBER(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, size_t, narrow),
      NUMBER(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, size_t, (15 + narrow - 1) / narrow),
      NUMBER(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, size_t, 2),
  };
  CHECK_QUERIES("sub-groups of 2", ask_sub_group, three, three_rows);
  size_t got[3] = {9, 9, 9};
  EXPECT_SUCCESS(clGetKernelSubGroupInfo(one, h->device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof three_groups,
                                         &three_groups, sizeof got, got, NULL));
  if (memcmp(got, of_three, sizeof got) != 0)
    fail("a local size of three sub-groups: expected %zu 1 1, got %zu %zu %zu", of_three[0], got[0], got[1], got[2]);
}

// ---- events

Test(queries, of_events_of_every_command) {
  struct harness *h = harness();
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]);
    cl_event event;
    EXPECT_SUCCESS(commands[i].enqueue(&bed, h->queue, 0, NULL, &event));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    const struct query rows[] = {
        HANDLE(CL_EVENT_COMMAND_QUEUE, h->queue),
        HANDLE(CL_EVENT_CONTEXT, h->context),
        NUMBER(CL_EVENT_COMMAND_TYPE, cl_command_type, commands[i].type),
        NUMBER(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_COMPLETE),
        NUMBER(CL_EVENT_REFERENCE_COUNT, cl_uint, 1),
    };
    CHECK_QUERIES(commands[i].name, ask_event, event, rows);
    EXPECT_SUCCESS(clReleaseEvent(event));
    bed_end(&commands[i], &bed);
  }
  cl_event marker;
  EXPECT_SUCCESS(clEnqueueMarker(h->queue, &marker));
  const struct query marker_rows[] = {NUMBER(CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_MARKER)};
  CHECK_QUERIES("clEnqueueMarker", ask_event, marker, marker_rows);
}

Test(queries, of_user_events) {
  const cl_command_queue none = NULL;
  cl_event event = user_event();
  const struct query rows[] = {
      HANDLE(CL_EVENT_COMMAND_QUEUE, none),
      HANDLE(CL_EVENT_CONTEXT, harness()->context),
      NUMBER(CL_EVENT_COMMAND_TYPE, cl_command_type, CL_COMMAND_USER),
      NUMBER(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, CL_SUBMITTED),
      NUMBER(CL_EVENT_REFERENCE_COUNT, cl_uint, 1),
  };
  CHECK_QUERIES("a user event", ask_event, event, rows);
  EXPECT_SUCCESS(clSetUserEventStatus(event, -5));
  const struct query failed[] = {NUMBER(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, (cl_uint)-5)};
  CHECK_QUERIES("a user event that failed", ask_event, event, failed);
}

Test(queries, of_profiled_events_of_every_command) {
  static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                            CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                            CL_PROFILING_COMMAND_COMPLETE};
  cl_ulong end_before = 0;
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]);
    cl_event event, gate = user_event();
    EXPECT_SUCCESS(commands[i].enqueue(&bed, harness()->queue, 1, &gate, &event));
    EXPECT_CODE(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(event, names[0], 0, NULL, NULL));
    EXPECT_CODE(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(gate, names[0], 0, NULL, NULL));
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    cl_ulong times[5];
    for (int k = 0; k < 5; k++) {
      EXPECT_SUCCESS(clGetEventProfilingInfo(event, names[k], sizeof times[k], &times[k], NULL));
      if (k != 0 && times[k] < times[k - 1])
        fail("%s: time %d of the command is before time %d", commands[i].name, k, k - 1);
    }
    if (times[2] < end_before)
      fail("%s: starts before the end of the command before it", commands[i].name);
    end_before = times[3];
    // Of commands that enqueue nothing on the device the end is all.
    const struct query rows[] = {
        NUMBER(CL_PROFILING_COMMAND_QUEUED, cl_ulong, times[0]),
        NUMBER(CL_PROFILING_COMMAND_SUBMIT, cl_ulong, times[1]),
        NUMBER(CL_PROFILING_COMMAND_START, cl_ulong, times[2]),
        NUMBER(CL_PROFILING_COMMAND_END, cl_ulong, times[3]),
        NUMBER(CL_PROFILING_COMMAND_COMPLETE, cl_ulong, times[3]),
    };
    CHECK_QUERIES(commands[i].name, ask_profiling, event, rows);
    EXPECT_SUCCESS(clReleaseEvent(event));
    EXPECT_SUCCESS(clReleaseEvent(gate));
    bed_end(&commands[i], &bed);
  }
}
