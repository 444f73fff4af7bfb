// SPDX-License-Identifier: Apache-2.0
// Every clEnqueue… that this device runs (command_table.h).
#include "tests/opencl/command_table.h"

#include <string.h>

// No test puts what waits into this queue.
enum { OBSERVER = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };

static const size_t origin[3] = {0, 0, 0}, region[3] = {16, 2, 2};  // BED_BYTES in rows of 16 bytes
static const size_t pixels[3] = {16, 4, 1};                         // of one byte each

#define PARAMETERS struct bed *bed, cl_command_queue queue, cl_uint num_waits, const cl_event *waits, cl_event *event

static cl_int read_buffer_call(PARAMETERS) {
  return clEnqueueReadBuffer(queue, bed->from, CL_FALSE, 0, BED_BYTES, bed->host, num_waits, waits, event);
}
static cl_int read_buffer_blocking(PARAMETERS) {
  return clEnqueueReadBuffer(queue, bed->from, CL_TRUE, 0, BED_BYTES, bed->host, num_waits, waits, event);
}
static cl_int read_rect(PARAMETERS) {
  return clEnqueueReadBufferRect(queue, bed->from, CL_FALSE, origin, origin, region, 0, 0, 0, 0, bed->host, num_waits,
                                 waits, event);
}
static cl_int read_rect_blocking(PARAMETERS) {
  return clEnqueueReadBufferRect(queue, bed->from, CL_TRUE, origin, origin, region, 0, 0, 0, 0, bed->host, num_waits,
                                 waits, event);
}
static cl_int write_buffer(PARAMETERS) {
  return clEnqueueWriteBuffer(queue, bed->to, CL_FALSE, 0, BED_BYTES, bed->host, num_waits, waits, event);
}
static cl_int write_buffer_blocking(PARAMETERS) {
  return clEnqueueWriteBuffer(queue, bed->to, CL_TRUE, 0, BED_BYTES, bed->host, num_waits, waits, event);
}
static cl_int write_rect(PARAMETERS) {
  return clEnqueueWriteBufferRect(queue, bed->to, CL_FALSE, origin, origin, region, 0, 0, 0, 0, bed->host, num_waits,
                                  waits, event);
}
static cl_int write_rect_blocking(PARAMETERS) {
  return clEnqueueWriteBufferRect(queue, bed->to, CL_TRUE, origin, origin, region, 0, 0, 0, 0, bed->host, num_waits,
                                  waits, event);
}
static cl_int copy_buffer(PARAMETERS) {
  return clEnqueueCopyBuffer(queue, bed->from, bed->to, 0, 0, BED_BYTES, num_waits, waits, event);
}
static cl_int copy_rect(PARAMETERS) {
  return clEnqueueCopyBufferRect(queue, bed->from, bed->to, origin, origin, region, 0, 0, 0, 0, num_waits, waits,
                                 event);
}
static cl_int fill_buffer(PARAMETERS) {
  const unsigned char pattern = BED_AFTER;
  return clEnqueueFillBuffer(queue, bed->to, &pattern, 1, 0, BED_BYTES, num_waits, waits, event);
}
static cl_int map(struct bed *bed, cl_bool is_blocking, cl_command_queue queue, cl_uint num_waits,
                  const cl_event *waits, cl_event *event) {
  cl_int error = CL_SUCCESS;
  bed->mapped_object = bed->from;
  bed->mapped =
      clEnqueueMapBuffer(queue, bed->from, is_blocking, CL_MAP_READ, 0, BED_BYTES, num_waits, waits, event, &error);
  if ((error == CL_SUCCESS) != !!bed->mapped)
    fail("clEnqueueMapBuffer: pointer %p with %s", (void *)bed->mapped, error_name(error));
  return error;
}
static cl_int map_buffer(PARAMETERS) {
  return map(bed, CL_FALSE, queue, num_waits, waits, event);
}
static cl_int map_buffer_blocking(PARAMETERS) {
  return map(bed, CL_TRUE, queue, num_waits, waits, event);
}
static cl_int read_image(PARAMETERS) {
  return clEnqueueReadImage(queue, bed->from_image, CL_FALSE, origin, pixels, 0, 0, bed->host, num_waits, waits, event);
}
static cl_int read_image_blocking(PARAMETERS) {
  return clEnqueueReadImage(queue, bed->from_image, CL_TRUE, origin, pixels, 0, 0, bed->host, num_waits, waits, event);
}
static cl_int write_image(PARAMETERS) {
  return clEnqueueWriteImage(queue, bed->to_image, CL_FALSE, origin, pixels, 0, 0, bed->host, num_waits, waits, event);
}
static cl_int write_image_blocking(PARAMETERS) {
  return clEnqueueWriteImage(queue, bed->to_image, CL_TRUE, origin, pixels, 0, 0, bed->host, num_waits, waits, event);
}
static cl_int copy_image(PARAMETERS) {
  return clEnqueueCopyImage(queue, bed->from_image, bed->to_image, origin, origin, pixels, num_waits, waits, event);
}
static cl_int copy_image_to_buffer(PARAMETERS) {
  return clEnqueueCopyImageToBuffer(queue, bed->from_image, bed->to, origin, pixels, 0, num_waits, waits, event);
}
static cl_int copy_buffer_to_image(PARAMETERS) {
  return clEnqueueCopyBufferToImage(queue, bed->from, bed->to_image, 0, origin, pixels, num_waits, waits, event);
}
static cl_int fill_image(PARAMETERS) {
  const cl_uint colour[4] = {BED_AFTER, 0, 0, 0};
  return clEnqueueFillImage(queue, bed->to_image, colour, origin, pixels, num_waits, waits, event);
}
static cl_int map_picture(struct bed *bed, cl_bool is_blocking, cl_command_queue queue, cl_uint num_waits,
                          const cl_event *waits, cl_event *event) {
  cl_int error = CL_SUCCESS;
  size_t pitch;
  bed->mapped_object = bed->from_image;
  bed->mapped = clEnqueueMapImage(queue, bed->from_image, is_blocking, CL_MAP_READ, origin, pixels, &pitch, NULL,
                                  num_waits, waits, event, &error);
  if ((error == CL_SUCCESS) != !!bed->mapped)
    fail("clEnqueueMapImage: pointer %p with %s", (void *)bed->mapped, error_name(error));
  return error;
}
static cl_int map_image(PARAMETERS) {
  return map_picture(bed, CL_FALSE, queue, num_waits, waits, event);
}
static cl_int map_image_blocking(PARAMETERS) {
  return map_picture(bed, CL_TRUE, queue, num_waits, waits, event);
}
static cl_int svm_copy(PARAMETERS) {
  return clEnqueueSVMMemcpy(queue, CL_FALSE, bed->shared, bed->host, BED_BYTES, num_waits, waits, event);
}
static cl_int svm_copy_blocking(PARAMETERS) {
  return clEnqueueSVMMemcpy(queue, CL_TRUE, bed->shared, bed->host, BED_BYTES, num_waits, waits, event);
}
static cl_int svm_fill(PARAMETERS) {
  const unsigned char pattern = BED_AFTER;
  return clEnqueueSVMMemFill(queue, bed->shared, &pattern, 1, BED_BYTES, num_waits, waits, event);
}
static cl_int svm_map(PARAMETERS) {
  return clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, bed->shared, BED_BYTES, num_waits, waits, event);
}
static cl_int svm_map_blocking(PARAMETERS) {
  return clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, bed->shared, BED_BYTES, num_waits, waits, event);
}
// What it unmaps was mapped for writing and is AFTER.
static cl_int svm_unmap(PARAMETERS) {
  EXPECT_SUCCESS(clEnqueueSVMMap(queue_with(OBSERVER), CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, bed->shared, BED_BYTES,
                                 0, NULL, NULL));
  memset(bed->shared, BED_AFTER, BED_BYTES);
  const cl_int error = clEnqueueSVMUnmap(queue, bed->shared, num_waits, waits, event);
  if (error != CL_SUCCESS) {
    memset(bed->shared, BED_BEFORE, BED_BYTES);
    EXPECT_SUCCESS(clEnqueueSVMUnmap(queue_with(OBSERVER), bed->shared, 0, NULL, NULL));
  }
  return error;
}
static cl_int svm_migrate(PARAMETERS) {
  const void *pointer = bed->shared;
  return clEnqueueSVMMigrateMem(queue, 1, &pointer, NULL, 0, num_waits, waits, event);
}
// Of nothing: whether it waits does not depend on that.
static cl_int svm_free(PARAMETERS) {
  (void)bed;
  return clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, num_waits, waits, event);
}
static cl_int unmap(PARAMETERS) {
  return clEnqueueUnmapMemObject(queue, bed->to, bed->mapped, num_waits, waits, event);
}
static cl_int migrate(PARAMETERS) {
  return clEnqueueMigrateMemObjects(queue, 1, &bed->to, 0, num_waits, waits, event);
}
static cl_int migrate_to_host(PARAMETERS) {
  return clEnqueueMigrateMemObjects(queue, 1, &bed->to, CL_MIGRATE_MEM_OBJECT_HOST, num_waits, waits, event);
}
static cl_int ndrange(PARAMETERS) {
  const size_t one = 1;
  EXPECT_SUCCESS(clSetKernelArg(bed->kernel, 0, sizeof bed->to, &bed->to));
  return clEnqueueNDRangeKernel(queue, bed->kernel, 1, NULL, &one, &one, num_waits, waits, event);
}
// Work-items that there are none of: nothing runs, but the event waits like any other.
static cl_int empty_ndrange(PARAMETERS) {
  const size_t none = 0;
  EXPECT_SUCCESS(clSetKernelArg(bed->kernel, 0, sizeof bed->to, &bed->to));
  return clEnqueueNDRangeKernel(queue, bed->kernel, 1, NULL, &none, NULL, num_waits, waits, event);
}
static cl_int task(PARAMETERS) {
  EXPECT_SUCCESS(clSetKernelArg(bed->kernel, 0, sizeof bed->to, &bed->to));
  return clEnqueueTask(queue, bed->kernel, num_waits, waits, event);
}
static cl_int marker(PARAMETERS) {
  (void)bed;
  return clEnqueueMarkerWithWaitList(queue, num_waits, waits, event);
}
static cl_int barrier(PARAMETERS) {
  (void)bed;
  return clEnqueueBarrierWithWaitList(queue, num_waits, waits, event);
}

// One fill, recorded for this queue. The command buffer is given up at once: what is enqueued keeps it.
static cl_int command_buffer(PARAMETERS) {
  const unsigned char pattern = BED_AFTER;
  cl_int error;
#define LOOK_UP(name) \
  name##_fn name##_call = (name##_fn)clGetExtensionFunctionAddressForPlatform(harness()->platform, #name)
  LOOK_UP(clCreateCommandBufferKHR);
  LOOK_UP(clCommandFillBufferKHR);
  LOOK_UP(clFinalizeCommandBufferKHR);
  LOOK_UP(clEnqueueCommandBufferKHR);
  LOOK_UP(clReleaseCommandBufferKHR);
#undef LOOK_UP
  if (!clCreateCommandBufferKHR_call || !clCommandFillBufferKHR_call || !clFinalizeCommandBufferKHR_call ||
      !clEnqueueCommandBufferKHR_call || !clReleaseCommandBufferKHR_call)
    fail("cl_khr_command_buffer: a call is missing");
  cl_command_buffer_khr buffer = clCreateCommandBufferKHR_call(1, &queue, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clCommandFillBufferKHR_call(buffer, NULL, bed->to, &pattern, 1, 0, BED_BYTES, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(clFinalizeCommandBufferKHR_call(buffer));
  error = clEnqueueCommandBufferKHR_call(0, NULL, buffer, num_waits, waits, event);
  EXPECT_SUCCESS(clReleaseCommandBufferKHR_call(buffer));
  return error;
}

const struct command commands[] = {
    {"clEnqueueReadBuffer", CL_COMMAND_READ_BUFFER, CHANGES_HOST, read_buffer_call, read_buffer_blocking},
    {"clEnqueueReadBufferRect", CL_COMMAND_READ_BUFFER_RECT, CHANGES_HOST, read_rect, read_rect_blocking},
    {"clEnqueueWriteBuffer", CL_COMMAND_WRITE_BUFFER, CHANGES_BUFFER, write_buffer, write_buffer_blocking},
    {"clEnqueueWriteBufferRect", CL_COMMAND_WRITE_BUFFER_RECT, CHANGES_BUFFER, write_rect, write_rect_blocking},
    {"clEnqueueCopyBuffer", CL_COMMAND_COPY_BUFFER, CHANGES_BUFFER, copy_buffer, NULL},
    {"clEnqueueCopyBufferRect", CL_COMMAND_COPY_BUFFER_RECT, CHANGES_BUFFER, copy_rect, NULL},
    {"clEnqueueFillBuffer", CL_COMMAND_FILL_BUFFER, CHANGES_BUFFER, fill_buffer, NULL},
    {"clEnqueueMapBuffer", CL_COMMAND_MAP_BUFFER, MAPS, map_buffer, map_buffer_blocking},
    {"clEnqueueReadImage", CL_COMMAND_READ_IMAGE, CHANGES_HOST, read_image, read_image_blocking},
    {"clEnqueueWriteImage", CL_COMMAND_WRITE_IMAGE, CHANGES_IMAGE, write_image, write_image_blocking},
    {"clEnqueueCopyImage", CL_COMMAND_COPY_IMAGE, CHANGES_IMAGE, copy_image, NULL},
    {"clEnqueueCopyImageToBuffer", CL_COMMAND_COPY_IMAGE_TO_BUFFER, CHANGES_BUFFER, copy_image_to_buffer, NULL},
    {"clEnqueueCopyBufferToImage", CL_COMMAND_COPY_BUFFER_TO_IMAGE, CHANGES_IMAGE, copy_buffer_to_image, NULL},
    {"clEnqueueFillImage", CL_COMMAND_FILL_IMAGE, CHANGES_IMAGE, fill_image, NULL},
    {"clEnqueueMapImage", CL_COMMAND_MAP_IMAGE, MAPS, map_image, map_image_blocking},
    {"clEnqueueSVMMemcpy", CL_COMMAND_SVM_MEMCPY, CHANGES_SHARED, svm_copy, svm_copy_blocking},
    {"clEnqueueSVMMemFill", CL_COMMAND_SVM_MEMFILL, CHANGES_SHARED, svm_fill, NULL},
    {"clEnqueueSVMMap", CL_COMMAND_SVM_MAP, CHANGES_NOTHING, svm_map, svm_map_blocking},
    {"clEnqueueSVMUnmap", CL_COMMAND_SVM_UNMAP, CHANGES_SHARED, svm_unmap, NULL},
    {"clEnqueueSVMMigrateMem", CL_COMMAND_SVM_MIGRATE_MEM, CHANGES_NOTHING, svm_migrate, NULL},
    {"clEnqueueSVMFree", CL_COMMAND_SVM_FREE, CHANGES_NOTHING, svm_free, NULL},
    {"clEnqueueUnmapMemObject", CL_COMMAND_UNMAP_MEM_OBJECT, UNMAPS, unmap, NULL},
    {"clEnqueueMigrateMemObjects", CL_COMMAND_MIGRATE_MEM_OBJECTS, CHANGES_NOTHING, migrate, NULL},
    {"clEnqueueMigrateMemObjects to the host", CL_COMMAND_MIGRATE_MEM_OBJECTS, CHANGES_NOTHING, migrate_to_host, NULL},
    {"clEnqueueNDRangeKernel", CL_COMMAND_NDRANGE_KERNEL, CHANGES_BUFFER, ndrange, NULL},
    {"clEnqueueNDRangeKernel of no work-items", CL_COMMAND_NDRANGE_KERNEL, CHANGES_NOTHING, empty_ndrange, NULL},
    {"clEnqueueTask", CL_COMMAND_TASK, CHANGES_BUFFER, task, NULL},
    {"clEnqueueCommandBufferKHR", CL_COMMAND_COMMAND_BUFFER_KHR, CHANGES_BUFFER, command_buffer, NULL},
    {"clEnqueueMarkerWithWaitList", CL_COMMAND_MARKER, CHANGES_NOTHING, marker, NULL},
    {"clEnqueueBarrierWithWaitList", CL_COMMAND_BARRIER, CHANGES_NOTHING, barrier, NULL},
};
const size_t num_commands = sizeof commands / sizeof *commands;

static cl_kernel shared_kernel(void) {
  static cl_kernel kernel;
  if (!kernel)
    kernel = kernel_of(
        build("kernel void change(global uint *to) { for (int i = 0; i < 16; i++) to[i] = 0x22222222; }\n", NULL),
        "change");
  return kernel;
}

static cl_mem image_with(unsigned char *bytes) {
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = pixels[0], .image_height = pixels[1]};
  cl_int error;
  cl_mem image = clCreateImage(harness()->context, CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &error);
  EXPECT_SUCCESS(error);
  return image;
}

struct bed bed_for(const struct command *command) {
  unsigned char before[BED_BYTES], after[BED_BYTES];
  memset(before, BED_BEFORE, sizeof before);
  memset(after, BED_AFTER, sizeof after);
  struct bed bed = {.from = buffer_with(after, sizeof after), .to = buffer_with(before, sizeof before)};
  bed.from_image = image_with(after);
  bed.to_image = image_with(before);
  bed.shared = clSVMAlloc(harness()->context, 0, BED_BYTES, 0);
  if (!bed.shared)
    fail("clSVMAlloc: NULL");
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue_with(OBSERVER), CL_TRUE, bed.shared, before, BED_BYTES, 0, NULL, NULL));
  memset(bed.host, command->what == CHANGES_HOST ? BED_BEFORE : BED_AFTER, sizeof bed.host);
  bed.kernel = shared_kernel();
  if (command->what == UNMAPS) {
    cl_int error;
    bed.mapped =
        clEnqueueMapBuffer(harness()->queue, bed.to, CL_TRUE, CL_MAP_WRITE, 0, BED_BYTES, 0, NULL, NULL, &error);
    EXPECT_SUCCESS(error);
    memset(bed.mapped, BED_AFTER, BED_BYTES);
  }
  return bed;
}

void bed_end(const struct command *command, struct bed *bed) {
  if (command->what == MAPS && bed->mapped) {
    cl_event event;
    cl_uint count = 0;
    EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, bed->mapped_object, bed->mapped, 0, NULL, &event));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    // The device's thread gives up its reference just after that.
    while (count != 1)
      EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
    EXPECT_SUCCESS(clReleaseEvent(event));
  }
  EXPECT_SUCCESS(clReleaseMemObject(bed->from));
  EXPECT_SUCCESS(clReleaseMemObject(bed->to));
  EXPECT_SUCCESS(clReleaseMemObject(bed->from_image));
  EXPECT_SUCCESS(clReleaseMemObject(bed->to_image));
  clSVMFree(harness()->context, bed->shared);
}

void bed_expect(const struct command *command, const struct bed *bed, unsigned char value, const char *when) {
  unsigned char got[BED_BYTES];
  const bool is_open = value == BED_BEFORE;
  if (command->what == CHANGES_NOTHING || ((command->what == MAPS || command->what == UNMAPS) && is_open))
    return;
  if (command->what == CHANGES_HOST)
    memcpy(got, bed->host, sizeof got);
  else if (command->what == MAPS)
    memcpy(got, bed->mapped, sizeof got);
  else if (command->what == CHANGES_SHARED)
    EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue_with(OBSERVER), CL_TRUE, got, bed->shared, BED_BYTES, 0, NULL, NULL));
  else if (command->what == CHANGES_IMAGE)
    EXPECT_SUCCESS(
        clEnqueueReadImage(queue_with(OBSERVER), bed->to_image, CL_TRUE, origin, pixels, 0, 0, got, 0, NULL, NULL));
  else
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue_with(OBSERVER), bed->to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int i = 0; i < BED_BYTES; i++)
    if (got[i] != value)
      fail("%s, %s: byte %d: expected 0x%02x, got 0x%02x", command->name, when, i, value, got[i]);
}

cl_command_queue queue_with(cl_command_queue_properties properties) {
  // Few kinds are asked for, often: each is made once.
  static cl_command_queue made[8];
  if (properties >= sizeof made / sizeof *made)
    fail("queue_with has no place for properties 0x%llx", (unsigned long long)properties);
  if (!made[properties]) {
    cl_int error;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    made[properties] = clCreateCommandQueueWithProperties(harness()->context, harness()->device, list, &error);
    EXPECT_SUCCESS(error);
  }
  return made[properties];
}

void let_run_what_can(void) {
  static cl_mem own;
  const cl_uint word = 1;
  if (!own)
    own = buffer_with(NULL, sizeof word);
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue_with(OBSERVER), own, CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL));
}

cl_event user_event(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  return event;
}

cl_int event_status(cl_event event) {
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}
