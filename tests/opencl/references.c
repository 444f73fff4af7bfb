// SPDX-License-Identifier: Apache-2.0
// Reference counts: an object that is made has one, clRetain… and clRelease… move it by one, and no other call moves
// any once what it made and enqueued has been given up. tests/opencl/every_name.py holds the tables to the names of the
// OpenCL headers.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/opencl/command_table.h"

// The objects that calls are tried on.
static struct {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue, on_device_queue;
  cl_mem buffer, sub_buffer, pipe, image, buffer_image;
  cl_sampler sampler;
  cl_program source, program, object;  // not built; built; compiled
  cl_kernel kernel;
  cl_event user;
} all;

static const char source[] =
    "kernel void k(global uint *x, uint n) { x[get_global_id(0)] += n; }\n"
    "kernel void l(global uint *x, uint n) { x[get_global_id(0)] *= n; }\n";

static const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
static const cl_image_desc deep = {
    .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4};

typedef cl_int (*info_call)(void *object, cl_uint name, size_t size, void *value, size_t *size_ret);
// Objects that count, with the query that says how many references there are.
#define COUNTED(member, call, name) {#member, (info_call)(call), name, (void **)&all.member}
static const struct counted {
  const char *what;
  info_call ask;
  cl_uint name;
  void **object;
} counted[] = {
    COUNTED(device, clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT),
    COUNTED(context, clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT),
    COUNTED(queue, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT),
    COUNTED(on_device_queue, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT),
    COUNTED(buffer, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT),
    COUNTED(sub_buffer, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT),
    COUNTED(pipe, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT),
    COUNTED(image, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT),
    COUNTED(buffer_image, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT),
    COUNTED(sampler, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT),
    COUNTED(source, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT),
    COUNTED(program, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT),
    COUNTED(object, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT),
    COUNTED(kernel, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT),
    COUNTED(user, clGetEventInfo, CL_EVENT_REFERENCE_COUNT),
};
enum { NUM_COUNTED = sizeof counted / sizeof *counted };

static cl_uint references(info_call ask, void *object, cl_uint name) {
  cl_uint count = 0;
  EXPECT_SUCCESS(ask(object, name, sizeof count, &count, NULL));
  return count;
}
#define REFERENCES(call, object, name) references((info_call)(call), (object), (name))

static void take_counts(cl_uint counts[NUM_COUNTED]) {
  for (int i = 0; i < NUM_COUNTED; i++)
    counts[i] = references(counted[i].ask, *counted[i].object, counted[i].name);
}

// The device's thread may give up what an event held just after the end of its command was seen: that is waited for, up
// to 10 s.
static void expect_counts(const char *call, const cl_uint expected[NUM_COUNTED]) {
  cl_uint got[NUM_COUNTED];
  take_counts(got);
  for (int waited = 0; waited < 10000 && memcmp(got, expected, sizeof got) != 0; waited++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    take_counts(got);
  }
  for (int i = 0; i < NUM_COUNTED; i++)
    if (got[i] != expected[i])
      fail("%s: the %s had %u references before and has %u after it", call, counted[i].what, expected[i], got[i]);
}

static cl_program program_of(const char *text) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(all.context, 1, &text, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static const cl_image_desc *first_pixels(void) {
  static cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16};
  line.mem_object = all.buffer;
  return &line;
}

static void make_all(void) {
  cl_int error;
  all.device = harness()->device;
  all.context = harness()->context;
  all.queue = harness()->queue;
  const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                           CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  all.on_device_queue = clCreateCommandQueueWithProperties(all.context, all.device, on_device, &error);
  EXPECT_SUCCESS(error);
  all.buffer = buffer_with(NULL, 4096);
  const cl_buffer_region region = {2048, 1024};
  all.sub_buffer = clCreateSubBuffer(all.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  all.pipe = clCreatePipe(all.context, 0, 4, 16, NULL, &error);
  EXPECT_SUCCESS(error);
  all.image = clCreateImage(all.context, 0, &format, &flat, NULL, &error);
  EXPECT_SUCCESS(error);
  all.buffer_image = clCreateImage(all.context, 0, &format, first_pixels(), NULL, &error);
  EXPECT_SUCCESS(error);
  all.sampler = clCreateSampler(all.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
  EXPECT_SUCCESS(error);
  all.source = program_of(source);
  all.program = build(source, "-cl-kernel-arg-info");
  all.object = program_of(source);
  EXPECT_SUCCESS(clCompileProgram(all.object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  all.kernel = kernel_of(all.program, "k");
  all.user = user_event();
}

// ---- what makes objects

static void expect_one(const char *call, cl_uint got) {
  if (got != 1)
    fail("%s: expected one reference, got %u", call, got);
}

#define MAKES(function, kind, type, made, getter, name)               \
  static void make_##function(void) {                                 \
    cl_int error = 99;                                                \
    type object = (made);                                             \
    EXPECT_SUCCESS(error);                                            \
    expect_one(#function, REFERENCES(getter, object, name));          \
    EXPECT_SUCCESS(clRetain##kind(object));                           \
    EXPECT_SUCCESS(clRetain##kind(object));                           \
    if (REFERENCES(getter, object, name) != 3)                        \
      fail(#function " and twice clRetain" #kind ": expected three"); \
    EXPECT_SUCCESS(clRelease##kind(object));                          \
    EXPECT_SUCCESS(clRelease##kind(object));                          \
    expect_one("clRelease" #kind, REFERENCES(getter, object, name));  \
    EXPECT_SUCCESS(clRelease##kind(object));                          \
  }

static const cl_queue_properties no_properties[] = {0};
static const char *const texts[] = {source};
static const cl_buffer_region first_half = {0, 1024};

static cl_context_properties *platform_property(void) {
  static cl_context_properties list[] = {CL_CONTEXT_PLATFORM, 0, 0};
  list[1] = (cl_context_properties)harness()->platform;
  return list;
}

static cl_program from_binary(cl_int *error) {
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetProgramInfo(all.program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  unsigned char *binary = malloc(bytes);
  EXPECT_SUCCESS(clGetProgramInfo(all.program, CL_PROGRAM_BINARIES, sizeof binary, (void *)&binary, NULL));
  const unsigned char *given = binary;
  cl_program made = clCreateProgramWithBinary(all.context, 1, &all.device, &bytes, &given, NULL, error);
  free(binary);
  return made;
}

// A module of nothing but its header, its capabilities and its memory model: addresses of 32 bits, OpenCL.
static cl_program from_il(cl_int *error) {
  static const cl_uint module[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00020011, 4, 0x00020011, 6, 0x0003000E, 1, 2};
  return clCreateProgramWithIL(all.context, module, sizeof module, error);
}

MAKES(clCreateContext, Context, cl_context, clCreateContext(NULL, 1, &all.device, NULL, NULL, &error), clGetContextInfo,
      CL_CONTEXT_REFERENCE_COUNT)
MAKES(clCreateContextFromType, Context, cl_context,
      clCreateContextFromType(platform_property(), CL_DEVICE_TYPE_ALL, NULL, NULL, &error), clGetContextInfo,
      CL_CONTEXT_REFERENCE_COUNT)
MAKES(clCreateCommandQueue, CommandQueue, cl_command_queue, clCreateCommandQueue(all.context, all.device, 0, &error),
      clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT)
MAKES(clCreateCommandQueueWithProperties, CommandQueue, cl_command_queue,
      clCreateCommandQueueWithProperties(all.context, all.device, no_properties, &error), clGetCommandQueueInfo,
      CL_QUEUE_REFERENCE_COUNT)
MAKES(clCreateBuffer, MemObject, cl_mem, clCreateBuffer(all.context, 0, 64, NULL, &error), clGetMemObjectInfo,
      CL_MEM_REFERENCE_COUNT)
MAKES(clCreateBufferWithProperties, MemObject, cl_mem,
      clCreateBufferWithProperties(all.context, NULL, 0, 64, NULL, &error), clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
MAKES(clCreateSubBuffer, MemObject, cl_mem,
      clCreateSubBuffer(all.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first_half, &error), clGetMemObjectInfo,
      CL_MEM_REFERENCE_COUNT)
MAKES(clCreatePipe, MemObject, cl_mem, clCreatePipe(all.context, 0, 8, 4, NULL, &error), clGetMemObjectInfo,
      CL_MEM_REFERENCE_COUNT)
MAKES(clCreateImage, MemObject, cl_mem, clCreateImage(all.context, 0, &format, &flat, NULL, &error), clGetMemObjectInfo,
      CL_MEM_REFERENCE_COUNT)
MAKES(clCreateImage_of_a_buffer, MemObject, cl_mem,
      clCreateImage(all.context, 0, &format, first_pixels(), NULL, &error), clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
MAKES(clCreateImageWithProperties, MemObject, cl_mem,
      clCreateImageWithProperties(all.context, NULL, 0, &format, &deep, NULL, &error), clGetMemObjectInfo,
      CL_MEM_REFERENCE_COUNT)
MAKES(clCreateImage2D, MemObject, cl_mem, clCreateImage2D(all.context, 0, &format, 4, 4, 0, NULL, &error),
      clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
MAKES(clCreateImage3D, MemObject, cl_mem, clCreateImage3D(all.context, 0, &format, 4, 4, 4, 0, 0, NULL, &error),
      clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT)
MAKES(clCreateSampler, Sampler, cl_sampler,
      clCreateSampler(all.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error), clGetSamplerInfo,
      CL_SAMPLER_REFERENCE_COUNT)
MAKES(clCreateSamplerWithProperties, Sampler, cl_sampler, clCreateSamplerWithProperties(all.context, NULL, &error),
      clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT)
MAKES(clCreateProgramWithSource, Program, cl_program,
      clCreateProgramWithSource(all.context, 1, (const char **)(uintptr_t)texts, NULL, &error), clGetProgramInfo,
      CL_PROGRAM_REFERENCE_COUNT)
MAKES(clCreateProgramWithBinary, Program, cl_program, from_binary(&error), clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
MAKES(clCreateProgramWithIL, Program, cl_program, from_il(&error), clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
MAKES(clLinkProgram, Program, cl_program, clLinkProgram(all.context, 0, NULL, NULL, 1, &all.object, NULL, NULL, &error),
      clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT)
MAKES(clCreateKernel, Kernel, cl_kernel, clCreateKernel(all.program, "k", &error), clGetKernelInfo,
      CL_KERNEL_REFERENCE_COUNT)
MAKES(clCloneKernel, Kernel, cl_kernel, clCloneKernel(all.kernel, &error), clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT)
MAKES(clCreateUserEvent, Event, cl_event, clCreateUserEvent(all.context, &error), clGetEventInfo,
      CL_EVENT_REFERENCE_COUNT)

static void make_clCreateKernelsInProgram(void) {
  cl_kernel kernels[2];
  EXPECT_SUCCESS(clCreateKernelsInProgram(all.program, 2, kernels, NULL));
  for (int i = 0; i < 2; i++) {
    expect_one("clCreateKernelsInProgram", REFERENCES(clGetKernelInfo, kernels[i], CL_KERNEL_REFERENCE_COUNT));
    EXPECT_SUCCESS(clReleaseKernel(kernels[i]));
  }
}

#define STEP(function) {#function, make_##function}
static const struct step {
  const char *call;
  void (*run)(void);
} makers[] = {
    STEP(clCreateContext),
    STEP(clCreateContextFromType),
    STEP(clCreateCommandQueue),
    STEP(clCreateCommandQueueWithProperties),
    STEP(clCreateBuffer),
    STEP(clCreateBufferWithProperties),
    STEP(clCreateSubBuffer),
    STEP(clCreatePipe),
    STEP(clCreateImage),
    STEP(clCreateImage_of_a_buffer),
    STEP(clCreateImageWithProperties),
    STEP(clCreateImage2D),
    STEP(clCreateImage3D),
    STEP(clCreateSampler),
    STEP(clCreateSamplerWithProperties),
    STEP(clCreateProgramWithSource),
    STEP(clCreateProgramWithBinary),
    STEP(clCreateProgramWithIL),
    STEP(clLinkProgram),
    STEP(clCreateKernel),
    STEP(clCloneKernel),
    STEP(clCreateUserEvent),
    STEP(clCreateKernelsInProgram),
};

static void run_steps(const struct step *steps, size_t count) {
  cl_uint before[NUM_COUNTED];
  for (size_t i = 0; i < count; i++) {
    take_counts(before);
    steps[i].run();
    EXPECT_SUCCESS(clFinish(all.queue));
    expect_counts(steps[i].call, before);
  }
}

Test(references, what_is_made_has_one_and_gives_all_others_back) {
  make_all();
  run_steps(makers, sizeof makers / sizeof *makers);
}

// Devices of the platform are not counted: always one (clGetDeviceInfo).
Test(references, of_a_root_device_stay_one) {
  make_all();
  EXPECT_SUCCESS(clRetainDevice(all.device));
  expect_one("clRetainDevice", REFERENCES(clGetDeviceInfo, all.device, CL_DEVICE_REFERENCE_COUNT));
  for (int i = 0; i < 3; i++)
    EXPECT_SUCCESS(clReleaseDevice(all.device));
  expect_one("clReleaseDevice", REFERENCES(clGetDeviceInfo, all.device, CL_DEVICE_REFERENCE_COUNT));
}

// ---- commands

enum outcome { COMPLETES, FAILS, IS_REFUSED, HAS_NO_EVENT, OUTCOMES };
static const char *const outcome_names[] = {"complete", "failed", "refused", "without an event"};

static void enqueue_once(const struct command *command, enum outcome outcome) {
  struct bed bed = bed_for(command);
  cl_uint before[NUM_COUNTED];
  take_counts(before);
  cl_event gate = user_event(), event = NULL;
  const cl_uint waits = outcome == IS_REFUSED ? 0 : 1;
  const cl_int error = command->enqueue(&bed, harness()->queue, waits, &gate, outcome == HAS_NO_EVENT ? NULL : &event);
  if (error != (outcome == IS_REFUSED ? CL_INVALID_EVENT_WAIT_LIST : CL_SUCCESS))
    fail("%s, %s: got %s", command->name, outcome_names[outcome], error_name(error));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, outcome == FAILS ? -5 : CL_COMPLETE));
  (void)clFinish(harness()->queue);
  if (event) {
    expect_one(command->name, REFERENCES(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT));
    EXPECT_SUCCESS(clReleaseEvent(event));
  }
  expect_one("the event waited for", REFERENCES(clGetEventInfo, gate, CL_EVENT_REFERENCE_COUNT));
  expect_one("the buffer read", REFERENCES(clGetMemObjectInfo, bed.from, CL_MEM_REFERENCE_COUNT));
  expect_one("the buffer written", REFERENCES(clGetMemObjectInfo, bed.to, CL_MEM_REFERENCE_COUNT));
  expect_one("the image read", REFERENCES(clGetMemObjectInfo, bed.from_image, CL_MEM_REFERENCE_COUNT));
  expect_one("the image written", REFERENCES(clGetMemObjectInfo, bed.to_image, CL_MEM_REFERENCE_COUNT));
  expect_one("the kernel", REFERENCES(clGetKernelInfo, bed.kernel, CL_KERNEL_REFERENCE_COUNT));
  EXPECT_SUCCESS(clReleaseEvent(gate));
  expect_counts(command->name, before);
  if (outcome == FAILS && command->what == MAPS)
    bed.mapped = NULL;
  bed_end(command, &bed);
}

Test(references, a_command_gives_back_all_that_it_took_however_it_ends) {
  make_all();
  (void)bed_for(&commands[0]);  // makes the kernel
  for (size_t i = 0; i < num_commands; i++)
    for (int outcome = 0; outcome < OUTCOMES; outcome++)
      enqueue_once(&commands[i], outcome);
}

Test(references, a_waiting_command_keeps_what_it_needs) {
  make_all();
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]);
    cl_event gate = user_event(), event;
    unsigned char *host = malloc(BED_BYTES);
    if (!host)
      fail("no memory");
    EXPECT_SUCCESS(commands[i].enqueue(&bed, harness()->queue, 1, &gate, &event));
    // The command's references are all that is left of these.
    EXPECT_SUCCESS(clReleaseMemObject(bed.from));
    EXPECT_SUCCESS(clReleaseMemObject(bed.to));
    EXPECT_SUCCESS(clReleaseMemObject(bed.from_image));
    EXPECT_SUCCESS(clReleaseMemObject(bed.to_image));
    clSVMFree(harness()->context, bed.shared);
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT_SUCCESS(clReleaseEvent(gate));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    if (commands[i].what == CHANGES_HOST)
      bed_expect(&commands[i], &bed, BED_AFTER, "with its buffers released before it ran");
    EXPECT_SUCCESS(clReleaseEvent(event));
    free(host);
  }
}

// ---- other calls

static void CL_CALLBACK ignore_memory(cl_mem memory, void *user) {
  (void)memory, (void)user;
}
static void CL_CALLBACK ignore_context(cl_context context, void *user) {
  (void)context, (void)user;
}
static void CL_CALLBACK ignore_event(cl_event event, cl_int status, void *user) {
  (void)event, (void)status, (void)user;
}
static void CL_CALLBACK ignore_program(cl_program program, void *user) {
  (void)program, (void)user;
}

static void arguments(void) {
  const cl_uint n = 3;
  EXPECT_SUCCESS(clSetKernelArg(all.kernel, 0, sizeof all.buffer, &all.buffer));
  EXPECT_SUCCESS(clSetKernelArg(all.kernel, 0, sizeof all.sub_buffer, &all.sub_buffer));
  EXPECT_SUCCESS(clSetKernelArg(all.kernel, 1, sizeof n, &n));
}
static void refused_argument(void) {
  EXPECT_CODE(CL_INVALID_ARG_INDEX, clSetKernelArg(all.kernel, 9, sizeof all.buffer, &all.buffer));
  EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(all.kernel, 0, 1, &all.buffer));
}
static void kernel_exec_info(void) {
  const cl_bool none = CL_FALSE;
  (void)clSetKernelExecInfo(all.kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof none, &none);
  (void)clSetKernelArgSVMPointer(all.kernel, 0, NULL);
}
static void builds(void) {
  EXPECT_SUCCESS(clBuildProgram(all.source, 0, NULL, NULL, NULL, NULL));
  EXPECT_SUCCESS(clCompileProgram(all.object, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_OPERATION, clBuildProgram(all.program, 0, NULL, NULL, NULL, NULL));  // it has a kernel
}
static void build_that_fails(void) {
  cl_program broken = program_of("kernel void k(");
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(broken, 0, NULL, NULL, NULL, NULL));
  expect_one("clBuildProgram", REFERENCES(clGetProgramInfo, broken, CL_PROGRAM_REFERENCE_COUNT));
  EXPECT_SUCCESS(clReleaseProgram(broken));
}
static void link_that_fails(void) {
  cl_int error = CL_SUCCESS;
  cl_program linked = clLinkProgram(all.context, 0, NULL, NULL, 1, &all.source, NULL, NULL, &error);
  if (error == CL_SUCCESS)
    EXPECT_SUCCESS(clReleaseProgram(linked));
  linked = clLinkProgram(all.context, 0, NULL, "-no-such-option", 1, &all.object, NULL, NULL, &error);
  if (error == CL_SUCCESS)
    fail("clLinkProgram with an option that is none: expected an error");
  if (linked)
    EXPECT_SUCCESS(clReleaseProgram(linked));
}
static void creations_that_fail(void) {
  cl_int error;
  const cl_buffer_region outside = {0, 1 << 20};
  const cl_queue_properties unknown[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
  if (clCreateBuffer(all.context, 0, 0, NULL, &error) || error != CL_INVALID_BUFFER_SIZE ||
      clCreateSubBuffer(all.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error) || error != CL_INVALID_VALUE ||
      clCreateSubBuffer(all.sub_buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first_half, &error) ||
      error != CL_INVALID_MEM_OBJECT || clCreatePipe(all.context, 0, 0, 4, NULL, &error) ||
      error != CL_INVALID_PIPE_SIZE || clCreateKernel(all.program, "none", &error) || error != CL_INVALID_KERNEL_NAME ||
      clCreateCommandQueueWithProperties(all.context, all.device, unknown, &error) || error != CL_INVALID_VALUE)
    fail("a creation that cannot be: the last code was %s", error_name(error));
  if (clCreateProgramWithBuiltInKernels(all.context, 1, &all.device, "none", &error))
    fail("there is no built-in kernel");
}
static void shared_memory(void) {
  void *memory = clSVMAlloc(all.context, 0, 64, 0);
  if (!memory)
    fail("clSVMAlloc: NULL");
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(all.kernel, 0, memory));
  EXPECT_SUCCESS(clSetKernelExecInfo(all.kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof memory, &memory));
  clSVMFree(all.context, memory);
}
static void sub_devices(void) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id made[8];
  cl_uint count = 0;
  // A device of one unit has none.
  if (clCreateSubDevices(all.device, equally, 8, made, &count) != CL_SUCCESS)
    return;
  for (cl_uint i = 0; i < count; i++) {
    expect_one("clCreateSubDevices", REFERENCES(clGetDeviceInfo, made[i], CL_DEVICE_REFERENCE_COUNT));
    EXPECT_SUCCESS(clReleaseDevice(made[i]));
  }
}
static void callbacks(void) {
  EXPECT_SUCCESS(clSetMemObjectDestructorCallback(all.buffer, ignore_memory, NULL));
  EXPECT_SUCCESS(clSetContextDestructorCallback(all.context, ignore_context, NULL));
  EXPECT_SUCCESS(clSetEventCallback(all.user, CL_SUBMITTED, ignore_event, NULL));
  (void)clSetProgramReleaseCallback(all.program, ignore_program, NULL);
}
static void default_queue(void) {
  (void)clSetDefaultDeviceCommandQueue(all.context, all.device, all.on_device_queue);
  cl_command_queue got = NULL;
  EXPECT_SUCCESS(clGetCommandQueueInfo(all.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, (void *)&got, NULL));
}
static void waits(void) {
  cl_event event;
  EXPECT_SUCCESS(clEnqueueMarker(all.queue, &event));
  EXPECT_SUCCESS(clEnqueueBarrier(all.queue));
  EXPECT_SUCCESS(clEnqueueWaitForEvents(all.queue, 1, &event));
  EXPECT_SUCCESS(clFlush(all.queue));
  EXPECT_SUCCESS(clFinish(all.queue));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clReleaseEvent(event));
}
static void blocking_calls(void) {
  unsigned char bytes[64] = {0};
  cl_event event;
  EXPECT_SUCCESS(clEnqueueWriteBuffer(all.queue, all.sub_buffer, CL_TRUE, 0, 64, bytes, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadBuffer(all.queue, all.buffer, CL_TRUE, 0, 64, bytes, 0, NULL, &event));
  expect_one("clEnqueueReadBuffer", REFERENCES(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT));
  EXPECT_SUCCESS(clReleaseEvent(event));
}
static void timers(void) {
  cl_ulong host, device;
  (void)clGetHostTimer(all.device, &host);
  (void)clGetDeviceAndHostTimer(all.device, &device, &host);
}
static void queries(void) {
  // Those that hand out objects do not retain them.
  void *object[8];
  static const struct {
    cl_uint event, queue, memory, program, kernel;
  } names = {CL_EVENT_CONTEXT, CL_QUEUE_CONTEXT, CL_MEM_CONTEXT, CL_PROGRAM_CONTEXT, CL_KERNEL_CONTEXT};
  EXPECT_SUCCESS(clGetEventInfo(all.user, names.event, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetCommandQueueInfo(all.queue, names.queue, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(all.buffer, names.memory, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(all.sub_buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetProgramInfo(all.program, names.program, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetKernelInfo(all.kernel, names.kernel, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetKernelInfo(all.kernel, CL_KERNEL_PROGRAM, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetContextInfo(all.context, CL_CONTEXT_DEVICES, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetProgramInfo(all.program, CL_PROGRAM_DEVICES, sizeof object, (void *)object, NULL));
  EXPECT_SUCCESS(clGetDeviceIDs(harness()->platform, CL_DEVICE_TYPE_ALL, 8, (cl_device_id *)object, NULL));
}
static void compilers(void) {
  (void)clUnloadCompiler();
  EXPECT_SUCCESS(clUnloadPlatformCompiler(harness()->platform));
}

static const struct step others[] = {
    {"clSetKernelArg", arguments},
    {"clSetKernelArg that fails", refused_argument},
    {"clSetKernelExecInfo, clSetKernelArgSVMPointer", kernel_exec_info},
    {"clBuildProgram, clCompileProgram", builds},
    {"clBuildProgram that fails", build_that_fails},
    {"clLinkProgram that fails", link_that_fails},
    {"clCreate… that fail", creations_that_fail},
    {"clSVMAlloc, clSVMFree", shared_memory},
    {"clCreateSubDevices", sub_devices},
    {"cl…Callback", callbacks},
    {"clSetDefaultDeviceCommandQueue", default_queue},
    {"clEnqueueMarker, clEnqueueBarrier, clEnqueueWaitForEvents", waits},
    {"blocking calls", blocking_calls},
    {"clGetHostTimer, clGetDeviceAndHostTimer", timers},
    {"clGet…Info", queries},
    {"clUnloadCompiler, clUnloadPlatformCompiler", compilers},
};

Test(references, no_other_call_keeps_a_reference) {
  make_all();
  run_steps(others, sizeof others / sizeof *others);
}

static void CL_CALLBACK note_destruction(cl_context context, void *user) {
  (void)context;
  *(volatile bool *)user = true;
}

// What an object needs lives as long as it: each is released by the program before what was made of it.
Test(references, objects_live_as_long_as_what_was_made_of_them) {
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &harness()->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, harness()->device, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem buffer = clCreateBuffer(context, 0, 4096, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first_half, &error);
  EXPECT_SUCCESS(error);
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)(uintptr_t)texts, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT_SUCCESS(error);
  volatile bool is_destroyed = false;
  EXPECT_SUCCESS(clSetContextDestructorCallback(context, note_destruction, (void *)(uintptr_t)&is_destroyed));
  EXPECT_SUCCESS(clReleaseContext(context));
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
  EXPECT_SUCCESS(clReleaseProgram(program));
  const cl_uint five = 5;
  const size_t one = 1;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueFillBuffer(queue, sub, &five, sizeof five, 0, 1024, 0, NULL, NULL));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof sub, &sub));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof five, &five));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  cl_uint got = 0;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
  if (got != 10)
    fail("5 + 5: expected 10, got %u", got);
  EXPECT_SUCCESS(clReleaseMemObject(sub));
  EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  // The event holds the queue, and that the context.
  expect_one("the event", REFERENCES(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT));
  cl_command_queue of_event = NULL;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of_event, (void *)&of_event, NULL));
  if (of_event != queue)
    fail("the queue of an event: expected %p, got %p", (void *)queue, (void *)of_event);
  if (is_destroyed)
    fail("the context was destroyed while an event was left");
  EXPECT_SUCCESS(clReleaseEvent(event));
  if (!is_destroyed)
    fail("nothing holds the context any more, but it was not destroyed");
}
