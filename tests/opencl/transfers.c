// SPDX-License-Identifier: Apache-2.0
// Copies and fills of buffers, among kernels, writes, reads and mappings: each sees what those before it have left, and
// leaves what memcpy and memset would (OpenCL 3.0, 5.2.2 and 5.2.3). Who moves the bytes makes no difference:
// HEDDLE_DEVICE_TRANSFERS=1 has the device's command processor move all of them, 0 the host.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/rtl/random_word.h"

enum { BUFFERS = 3, BYTES = 6144, SUB_ORIGIN = 1024, SUB_BYTES = 3000 };

static const char source[] =
    "kernel void add(global uchar *x, uint first, uchar n) { x[first + get_global_id(0)] += n; }\n"
    "kernel void slow(global uchar *x, uint rounds, uchar n) {\n"
    "  uint v = x[0];\n"
    "  for (uint i = 0; i < rounds; i++) v = v * 5 + i;\n"
    "  x[0] = v == 0xdeadbeef ? 1 : n;\n"
    "}\n"
    "kernel void wild(global uchar *x, uint n, uchar m) { *(volatile global uint *)(n * 4) = x[0] + m; }\n";

// A buffer as the device has it and as the host expects it. The last is a part of the first.
struct mirrored {
  cl_mem memory;
  uint8_t *expected;
  size_t bytes;
};

static struct mirrored all[BUFFERS + 1];
static uint8_t memories[BUFFERS][BYTES], host_memory[BYTES] __attribute__((aligned(4096)));

static void make_buffers(void) {
  cl_int error;
  for (int i = 0; i < BUFFERS; i++) {
    for (int k = 0; k < BYTES; k++)
      memories[i][k] = (uint8_t)random_word();
    all[i] = (struct mirrored){.expected = memories[i], .bytes = BYTES};
    // One of them lies in the program's memory.
    memcpy(host_memory, memories[i], i == 1 ? BYTES : 0);
    all[i].memory = i == 1 ? clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR, BYTES, host_memory, &error)
                           : clCreateBuffer(harness()->context, CL_MEM_COPY_HOST_PTR, BYTES, memories[i], &error);
    EXPECT_SUCCESS(error);
  }
  const cl_buffer_region region = {SUB_ORIGIN, SUB_BYTES};
  all[BUFFERS] = (struct mirrored){.expected = memories[0] + SUB_ORIGIN, .bytes = SUB_BYTES};
  all[BUFFERS].memory = clCreateSubBuffer(all[0].memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
}

static void expect_buffers(cl_command_queue queue, const char *when) {
  static uint8_t came[BYTES];
  for (int i = 0; i < BUFFERS; i++) {
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, all[i].memory, CL_TRUE, 0, BYTES, came, 0, NULL, NULL));
    for (uint32_t k = 0; k < BYTES; k++)
      cr_assert_eq(came[k], memories[i][k], "%s: byte %u of buffer %d is 0x%02x, expected 0x%02x", when, k, i, came[k],
                   memories[i][k]);
  }
}

// What enqueues behind all before it, on a queue that keeps the order or does not.
struct chain {
  cl_command_queue queue;
  cl_event last;  // NULL: the queue keeps the order
  bool is_ordered;
  cl_program program;
  cl_kernel add;
};

static struct chain chain_begin(bool is_ordered) {
  struct chain c = {.is_ordered = is_ordered,
                    .queue = is_ordered ? harness()->queue : new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  c.program = build(source, NULL);
  c.add = kernel_of(c.program, "add");
  return c;
}

#define WAITS(c) !!(c)->last, (c)->last ? &(c)->last : NULL

static void link_on(struct chain *c, cl_int error, cl_event event) {
  EXPECT_SUCCESS(error);
  if (c->last)
    EXPECT_SUCCESS(clReleaseEvent(c->last));
  c->last = c->is_ordered ? NULL : event;
  if (c->is_ordered)
    EXPECT_SUCCESS(clReleaseEvent(event));
}

static size_t any_bytes(size_t most) {
  const size_t some = chance(200) ? random_below(80) : random_below(1500);
  return 1 + (some < most ? some : random_below((uint32_t)most));
}

static void fill_some(struct chain *c) {
  const struct mirrored *m = &all[random_below(BUFFERS + 1)];
  const size_t size = (size_t)1 << random_below(8), room = m->bytes / size;
  const size_t first = random_below((uint32_t)room), left = any_bytes(m->bytes) / size;
  const size_t count = left == 0 ? 1 : left < room - first ? left : room - first;
  uint8_t pattern[128];
  cl_event event;
  for (size_t i = 0; i < size; i++)
    pattern[i] = (uint8_t)random_word();
  const cl_int error =
      clEnqueueFillBuffer(c->queue, m->memory, pattern, size, first * size, count * size, WAITS(c), &event);
  for (size_t i = 0; i < count; i++)
    memcpy(m->expected + (first + i) * size, pattern, size);
  memset(pattern, 0xEE, sizeof pattern);  // the command has its own
  link_on(c, error, event);
}

static bool are_apart(const uint8_t *a, const uint8_t *b, size_t bytes) {
  return a + bytes <= b || b + bytes <= a;
}

static void copy_some(struct chain *c) {
  const struct mirrored *from = &all[random_below(BUFFERS + 1)], *to = &all[random_below(BUFFERS + 1)];
  size_t bytes, from_offset, to_offset;
  do {
    bytes = any_bytes(1500);
    from_offset = random_below((uint32_t)(from->bytes - bytes + 1));
    to_offset = random_below((uint32_t)(to->bytes - bytes + 1));
    if (chance(100))
      from_offset &= ~(size_t)3, to_offset &= ~(size_t)3;
  } while (!are_apart(from->expected + from_offset, to->expected + to_offset, bytes));
  cl_event event;
  const cl_int error =
      clEnqueueCopyBuffer(c->queue, from->memory, to->memory, from_offset, to_offset, bytes, WAITS(c), &event);
  memcpy(to->expected + to_offset, from->expected + from_offset, bytes);
  link_on(c, error, event);
}

// Between two buffers that share no byte.
static void copy_rect(struct chain *c) {
  const uint32_t which = random_below(BUFFERS);
  const struct mirrored *from = &all[which], *to = &all[(which + 1) % BUFFERS];
  const size_t region[3] = {1 + random_below(40), 1 + random_below(6), 1 + random_below(6)};
  const size_t from_origin[3] = {random_below(20), random_below(3), random_below(2)};
  const size_t to_origin[3] = {random_below(20), random_below(3), random_below(2)};
  const size_t from_row = region[0] + random_below(20), to_row = region[0] + random_below(20);
  const size_t from_slice = from_row * (region[1] + random_below(3)), to_slice = to_row * (region[1] + random_below(3));
  cl_event event;
  const cl_int error = clEnqueueCopyBufferRect(c->queue, from->memory, to->memory, from_origin, to_origin, region,
                                               from_row, from_slice, to_row, to_slice, WAITS(c), &event);
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      memcpy(to->expected + to_origin[0] + (to_origin[1] + y) * to_row + (to_origin[2] + z) * to_slice,
             from->expected + from_origin[0] + (from_origin[1] + y) * from_row + (from_origin[2] + z) * from_slice,
             region[0]);
  link_on(c, error, event);
}

static void add_some(struct chain *c) {
  const struct mirrored *m = &all[random_below(BUFFERS + 1)];
  const size_t count = 1 + random_below(40);
  const cl_uint first = random_below((uint32_t)(m->bytes - count));
  const cl_uchar n = (cl_uchar)random_word();
  cl_event event;
  set_args(c->add, ARG(m->memory), ARG(first), ARG(n), END_ARGS);
  const cl_int error = clEnqueueNDRangeKernel(c->queue, c->add, 1, NULL, &count, NULL, WAITS(c), &event);
  for (size_t i = 0; i < count; i++)
    m->expected[first + i] = (uint8_t)(m->expected[first + i] + n);
  link_on(c, error, event);
}

// By way of a mapping, which the program writes to.
static void map_some(struct chain *c) {
  const struct mirrored *m = &all[random_below(BUFFERS + 1)];
  const size_t bytes = any_bytes(200), at = random_below((uint32_t)(m->bytes - bytes));
  cl_int error;
  uint8_t *mapped =
      clEnqueueMapBuffer(c->queue, m->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at, bytes, WAITS(c), NULL, &error);
  EXPECT_SUCCESS(error);
  for (size_t i = 0; i < bytes; i++) {
    cr_assert_eq(mapped[i], m->expected[at + i], "byte %zu of a mapping is 0x%02x, expected 0x%02x", at + i, mapped[i],
                 m->expected[at + i]);
    mapped[i] = m->expected[at + i] = (uint8_t)random_word();
  }
  cl_event event;
  error = clEnqueueUnmapMemObject(c->queue, m->memory, mapped, 0, NULL, &event);
  link_on(c, error, event);
}

static void random_commands(bool is_ordered, uint64_t seed) {
  const uint32_t count = harness()->is_rtl ? 60 : 1500;
  random_seed(seed);
  make_buffers();
  struct chain c = chain_begin(is_ordered);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t which = random_below(16);
    if (which < 4)
      fill_some(&c);
    else if (which < 8)
      copy_some(&c);
    else if (which < 11)
      copy_rect(&c);
    else if (which < 15)
      add_some(&c);
    else
      map_some(&c);
    if (chance(harness()->is_rtl ? 10 : 3)) {
      EXPECT_SUCCESS(clFinish(c.queue));
      expect_buffers(c.queue, "on the way");
    }
  }
  EXPECT_SUCCESS(clFinish(c.queue));
  expect_buffers(c.queue, "in the end");
}

Test(transfers, commands_of_a_queue_in_order_leave_what_memcpy_and_memset_leave) {
  random_commands(true, 1);
}

Test(transfers, commands_of_a_queue_without_order_do_as_far_as_they_wait) {
  random_commands(false, 2);
}

// Rows of one buffer that lie in the gaps between others of it.
Test(transfers, a_rectangle_may_go_between_the_rows_of_its_own_buffer) {
  uint8_t expected[1024], came[1024];
  for (uint32_t i = 0; i < sizeof expected; i++)
    expected[i] = (uint8_t)(i * 7 + i / 256);
  cl_mem x = buffer_with(expected, sizeof expected);
  const size_t from[3] = {1, 0, 0}, to[3] = {17, 0, 0}, region[3] = {13, 15, 2};
  EXPECT_SUCCESS(clEnqueueCopyBufferRect(harness()->queue, x, x, from, to, region, 32, 512, 32, 512, 0, NULL, NULL));
  for (size_t row = 0; row < 15; row++) {
    memcpy(expected + 32 * row + 17, expected + 32 * row + 1, 13);
    memcpy(expected + 512 + 32 * row + 17, expected + 512 + 32 * row + 1, 13);
  }
  read_buffer(x, came, sizeof came);
  cr_expect_arr_eq(came, expected, sizeof expected);
}

// More slices than are handed to the device at a time.
Test(transfers, a_box_of_many_slices_is_copied_whole) {
  enum { SLICES = 45, ROWS = 2, ROW = 5, PITCH = 7, SLICE = 21 };
  uint8_t from_bytes[SLICES * SLICE], expected[SLICES * SLICE] = {0}, came[SLICES * SLICE];
  for (uint32_t i = 0; i < sizeof from_bytes; i++)
    from_bytes[i] = (uint8_t)(i * 5 + 1);
  cl_mem from = buffer_with(from_bytes, sizeof from_bytes), to = buffer_with(expected, sizeof expected);
  const size_t origin[3] = {0, 0, 0}, region[3] = {ROW, ROWS, SLICES};
  EXPECT_SUCCESS(clEnqueueCopyBufferRect(harness()->queue, from, to, origin, origin, region, PITCH, SLICE, PITCH, SLICE,
                                         0, NULL, NULL));
  for (size_t i = 0; i < SLICES * SLICE; i++)
    if (i % SLICE < (size_t)ROWS * PITCH && i % SLICE % PITCH < ROW)
      expected[i] = from_bytes[i];
  read_buffer(to, came, sizeof came);
  cr_expect_arr_eq(came, expected, sizeof expected);
}

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

// What holds the queue back until all is in it, so that commands go to the device together.
static cl_event gate;

static void close_gate(void) {
  cl_int error;
  gate = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(harness()->queue, 1, &gate, NULL));
}

static void open_gate_and_finish(void) {
  EXPECT_SUCCESS(clFlush(harness()->queue));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clFinish(harness()->queue));
}

static cl_event launch(cl_kernel kernel, cl_mem x, cl_uint n, cl_uchar m) {
  const size_t one = 1;
  cl_event event;
  set_args(kernel, ARG(x), ARG(n), ARG(m), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  return event;
}

static cl_event fill(cl_mem x, cl_uchar with, size_t bytes, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  EXPECT_SUCCESS(clEnqueueFillBuffer(harness()->queue, x, &with, 1, 0, bytes, num_waits, waits, &event));
  return event;
}

static cl_event copy(cl_mem from, cl_mem to, size_t bytes, cl_uint num_waits, const cl_event *waits) {
  cl_event event;
  EXPECT_SUCCESS(clEnqueueCopyBuffer(harness()->queue, from, to, 0, 0, bytes, num_waits, waits, &event));
  return event;
}

Test(transfers, a_copy_sees_what_the_kernel_before_it_leaves_and_no_more) {
  cl_kernel slow = kernel_of(build(source, NULL), "slow");
  cl_mem x = buffer_with(NULL, 8), y = buffer_with(NULL, 8), z = buffer_with(NULL, 8);
  uint8_t came[8];
  for (cl_uchar round = 1; round <= 3; round++) {
    close_gate();
    launch(slow, x, 500, round);
    copy(x, y, 8, 0, NULL);
    launch(slow, x, 500, (cl_uchar)(round + 10));
    copy(x, z, 8, 0, NULL);
    fill(x, 0, 8, 0, NULL);
    open_gate_and_finish();
    read_buffer(x, came, 8);
    cr_expect_eq(came[0], 0, "%u", came[0]);
    read_buffer(y, came, 8);
    cr_expect_eq(came[0], round, "%u", came[0]);
    read_buffer(z, came, 8);
    cr_expect_eq(came[0], round + 10, "%u", came[0]);
  }
}

Test(transfers, only_what_waits_for_a_kernel_that_faults_is_not_moved) {
  cl_program program = build(source, NULL);
  cl_kernel slow = kernel_of(program, "slow"), wild = kernel_of(program, "wild");
  cl_mem x = buffer_with(NULL, 8), y = buffer_with(NULL, 8), z = buffer_with(NULL, 8);
  close_gate();
  cl_event before = launch(slow, x, 500, 5), faults = launch(wild, x, 1, 0);
  cl_event waits = fill(z, 9, 8, 1, &faults), waits_for_that = copy(x, z, 8, 1, &waits);
  cl_event moved = copy(x, y, 8, 0, NULL), behind = fill(x, 3, 4, 1, &moved);
  cl_event last = launch(slow, z, 5, 77);
  open_gate_and_finish();
  cr_expect_eq(status_of(before), CL_COMPLETE);
  cr_expect_lt(status_of(faults), 0);
  cr_expect_eq(status_of(waits), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cr_expect_eq(status_of(waits_for_that), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cr_expect_eq(status_of(moved), CL_COMPLETE);
  cr_expect_eq(status_of(behind), CL_COMPLETE);
  cr_expect_eq(status_of(last), CL_COMPLETE);
  uint8_t came[8];
  read_buffer(x, came, 8);
  cr_expect_arr_eq(came, ((uint8_t[]){3, 3, 3, 3, 0, 0, 0, 0}), 8);
  read_buffer(y, came, 8);
  cr_expect_arr_eq(came, ((uint8_t[]){5, 0, 0, 0, 0, 0, 0, 0}), 8);
  read_buffer(z, came, 8);
  cr_expect_arr_eq(came, ((uint8_t[]){77, 0, 0, 0, 0, 0, 0, 0}), 8);
}

static cl_ulong time_of(cl_event event, cl_profiling_info which) {
  cl_ulong time = 0;
  EXPECT_SUCCESS(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL));
  return time;
}

Test(transfers, times_of_copies_fills_and_kernels_are_one_after_the_other) {
  enum { ROUNDS = 4, EVENTS = 3 * ROUNDS };
  cl_program program = build(source, NULL);
  cl_kernel slow = kernel_of(program, "slow");
  cl_mem x = buffer_with(NULL, 1000), y = buffer_with(NULL, 1000);
  cl_event events[EVENTS];
  close_gate();
  for (cl_uint i = 0; i < EVENTS; i += 3) {
    events[i] = launch(slow, x, 100, (cl_uchar)i);
    events[i + 1] = copy(x, y, 1000, 0, NULL);
    events[i + 2] = fill(x, (cl_uchar)(i + 1), 1000, 0, NULL);
  }
  open_gate_and_finish();
  cl_ulong before = 0;
  for (cl_uint i = 0; i < EVENTS; i++) {
    const cl_ulong queued = time_of(events[i], CL_PROFILING_COMMAND_QUEUED),
                   submit = time_of(events[i], CL_PROFILING_COMMAND_SUBMIT),
                   start = time_of(events[i], CL_PROFILING_COMMAND_START),
                   end = time_of(events[i], CL_PROFILING_COMMAND_END);
    cr_expect(queued <= submit && submit <= start && start <= end && before <= start,
              "command %u: queued %" PRIu64 ", submitted %" PRIu64 ", from %" PRIu64 " to %" PRIu64
              ", the one before until %" PRIu64,
              i, queued, submit, start, end, before);
    before = end;
  }
}

// Whether this process asks for that, on a device that can.
static bool device_moves_all(void) {
  const char *asked = getenv("HEDDLE_DEVICE_TRANSFERS"), *processor = getenv("HEDDLE_SIM_PROCESSOR");
  return asked && strcmp(asked, "1") == 0 && !(processor && strcmp(processor, "0") == 0);
}

// What the device does takes a number of its cycles, 10 ns each, and 1 ns; what the host does any number.
Test(transfers, what_the_device_moves_takes_cycles_of_the_device) {
  enum { ROUNDS = 12, SIZE = 2000 };
  cl_mem x = buffer_with(NULL, SIZE), y = buffer_with(NULL, SIZE);
  uint32_t whole = 0;
  for (cl_uint i = 0; i < ROUNDS; i++) {
    cl_event event = i % 2 ? copy(x, y, SIZE, 0, NULL) : fill(x, (cl_uchar)i, SIZE, 0, NULL);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    const cl_ulong took = time_of(event, CL_PROFILING_COMMAND_END) - time_of(event, CL_PROFILING_COMMAND_START);
    cr_expect_gt(took, 0);
    whole += took % 10 == 1 && took > SIZE;
  }
  if (device_moves_all())
    cr_expect_eq(whole, ROUNDS, "the device moved %u of %d", whole, ROUNDS);
  else if (getenv("HEDDLE_DEVICE_TRANSFERS"))
    cr_expect_lt(whole, ROUNDS, "the device moved what the host was to move");
}

// Two buffers of a command buffer, behind and before kernels of it.
Test(transfers, a_command_buffer_moves_in_its_order_each_time) {
  cl_int error;
  cl_command_queue queue = harness()->queue;
#define FUNCTION(name) \
  const name##_fn name = (name##_fn)clGetExtensionFunctionAddressForPlatform(harness()->platform, #name)
  FUNCTION(clCreateCommandBufferKHR);
  FUNCTION(clCommandNDRangeKernelKHR);
  FUNCTION(clCommandCopyBufferKHR);
  FUNCTION(clCommandCopyBufferRectKHR);
  FUNCTION(clCommandFillBufferKHR);
  FUNCTION(clFinalizeCommandBufferKHR);
  FUNCTION(clEnqueueCommandBufferKHR);
#undef FUNCTION
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 16), y = buffer_with(NULL, 16), z = buffer_with(NULL, 16);
  cl_command_buffer_khr buffer = clCreateCommandBufferKHR(1, &queue, NULL, &error);
  EXPECT_SUCCESS(error);
  const size_t count = 16, origin[3] = {0, 0, 0}, region[3] = {2, 4, 1};
  const cl_uint first = 0;
  const cl_uchar n = 2;
  const uint64_t pattern = 0x0807060504030201;
  set_args(add, ARG(x), ARG(first), ARG(n), END_ARGS);
  EXPECT_SUCCESS(clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &count, NULL, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(clCommandCopyBufferKHR(buffer, NULL, x, y, 0, 3, 13, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(clCommandFillBufferKHR(buffer, NULL, x, &pattern, 8, 0, 16, 0, NULL, NULL, NULL));
  set_args(add, ARG(y), ARG(first), ARG(n), END_ARGS);
  EXPECT_SUCCESS(clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &count, NULL, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(
      clCommandCopyBufferRectKHR(buffer, NULL, y, z, origin, origin, region, 4, 16, 2, 8, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(clFinalizeCommandBufferKHR(buffer));
  uint8_t expected_x[16] = {0}, expected_y[16] = {0}, expected_z[16] = {0}, came[16];
  for (int round = 0; round < 3; round++) {
    EXPECT_SUCCESS(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(queue));
    for (int i = 0; i < 16; i++)
      expected_x[i] = (uint8_t)(expected_x[i] + n);
    memcpy(expected_y + 3, expected_x, 13);
    for (int i = 0; i < 16; i++) {
      expected_x[i] = (uint8_t)(1 + i % 8);
      expected_y[i] = (uint8_t)(expected_y[i] + n);
    }
    for (int row = 0; row < 4; row++)
      memcpy(expected_z + 2 * row, expected_y + 4 * row, 2);
  }
  read_buffer(x, came, 16);
  cr_expect_arr_eq(came, expected_x, 16);
  read_buffer(y, came, 16);
  cr_expect_arr_eq(came, expected_y, 16);
  read_buffer(z, came, 16);
  cr_expect_arr_eq(came, expected_z, 16);
}
