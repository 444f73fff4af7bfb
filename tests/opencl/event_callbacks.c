// SPDX-License-Identifier: Apache-2.0
// Callbacks of events (OpenCL API 3.0, clSetEventCallback): of every command, each is called once, with the status that
// it was registered for, or with the error that the command ended with.
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/opencl/command_table.h"

enum { FAILURE = -77, NEVER = 99 };

static const cl_int types[] = {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE};
enum { TYPES = sizeof types / sizeof *types };

struct call {
  atomic_int count, status;
  _Atomic(cl_event) event;
};

static void CL_CALLBACK take(cl_event event, cl_int status, void *user) {
  struct call *call = user;
  atomic_store(&call->event, event);
  atomic_store(&call->status, status);
  atomic_fetch_add(&call->count, 1);
}

static void listen(cl_event event, struct call calls[TYPES]) {
  for (int i = 0; i < TYPES; i++) {
    atomic_store(&calls[i].count, 0);
    atomic_store(&calls[i].status, NEVER);
    EXPECT_SUCCESS(clSetEventCallback(event, types[i], take, &calls[i]));
  }
}

// They come from other threads, maybe after the end of the command is seen. A call that never comes fails the test
// after 10 s.
static void expect_calls(const char *what, cl_event event, struct call calls[TYPES], bool has_failed) {
  for (int i = 0; i < TYPES; i++) {
    for (int waited = 0; waited < 10000 && atomic_load(&calls[i].count) == 0; waited++)
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    const cl_int status = atomic_load(&calls[i].status);
    if (atomic_load(&calls[i].count) != 1 || (has_failed ? status >= 0 : status != types[i]) ||
        atomic_load(&calls[i].event) != event)
      fail("%s, the callback for status %d: expected one call with %s%d for event %p, got %d, the last with %d for %p",
           what, types[i], has_failed ? "an error for " : "", types[i], (void *)event, atomic_load(&calls[i].count),
           status, (void *)atomic_load(&calls[i].event));
  }
}

static cl_event enqueue(const struct command *command, struct bed *bed, const cl_event *gate) {
  cl_event event;
  EXPECT_SUCCESS(command->enqueue(bed, harness()->queue, 1, gate, &event));
  EXPECT_SUCCESS(clFlush(harness()->queue));
  return event;
}

Test(event_callbacks, each_is_called_once_with_the_status_it_was_registered_for) {
  static struct call calls[TYPES], late[TYPES];
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]);
    cl_event gate = user_event(), event = enqueue(&commands[i], &bed, &gate);
    listen(event, calls);
    if (atomic_load(&calls[1].count) != 0 || atomic_load(&calls[2].count) != 0)
      fail("%s: a callback for CL_RUNNING or CL_COMPLETE was called before the command could run", commands[i].name);
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_calls(commands[i].name, event, calls, false);
    listen(event, late);  // its statuses are past
    expect_calls("registered when the command has ended", event, late, false);
    EXPECT_SUCCESS(clReleaseEvent(event));
    EXPECT_SUCCESS(clReleaseEvent(gate));
    bed_end(&commands[i], &bed);
  }
}

Test(event_callbacks, each_is_called_once_with_the_error_when_the_command_does_not_run) {
  static struct call calls[TYPES], late[TYPES];
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]);
    cl_event gate = user_event(), event = enqueue(&commands[i], &bed, &gate);
    // What is registered for CL_SUBMITTED may be called before the failure is known.
    listen(event, calls);
    const bool early = atomic_load(&calls[0].count) != 0;
    EXPECT_SUCCESS(clSetUserEventStatus(gate, FAILURE));
    EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    for (int waited = 0; waited < 10000 && atomic_load(&calls[0].count) == 0; waited++)
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (early || atomic_load(&calls[0].status) == CL_SUBMITTED)
      atomic_store(&calls[0].status, FAILURE);
    expect_calls(commands[i].name, event, calls, true);
    listen(event, late);
    expect_calls("registered when the command has failed", event, late, true);
    EXPECT_SUCCESS(clReleaseEvent(event));
    EXPECT_SUCCESS(clReleaseEvent(gate));
    if (commands[i].what == MAPS)
      bed.mapped = NULL;
    bed_end(&commands[i], &bed);
  }
}

// A user event is submitted when it is made, and complete or failed when it is set. It never runs.
Test(event_callbacks, of_user_events) {
  static struct call calls[TYPES];
  for (int has_failed = 0; has_failed < 2; has_failed++) {
    cl_event event = user_event();
    if (event_status(event) != CL_SUBMITTED)
      fail("a new user event: expected CL_SUBMITTED, got %d", event_status(event));
    listen(event, calls);
    if (atomic_load(&calls[0].count) != 1 || atomic_load(&calls[0].status) != CL_SUBMITTED)
      fail("registered for CL_SUBMITTED, which the event is: expected a call with it at once, got %d, with %d",
           atomic_load(&calls[0].count), atomic_load(&calls[0].status));
    if (atomic_load(&calls[1].count) != 0 || atomic_load(&calls[2].count) != 0)
      fail("a user event that is not set: expected no call for CL_RUNNING and CL_COMPLETE");
    EXPECT_SUCCESS(clSetUserEventStatus(event, has_failed ? FAILURE : CL_COMPLETE));
    if (has_failed)
      atomic_store(&calls[0].status, FAILURE);
    expect_calls("a user event", event, calls, has_failed);
    if (has_failed && (atomic_load(&calls[1].status) != FAILURE || atomic_load(&calls[2].status) != FAILURE))
      fail("a user event set to %d: expected calls with that, got %d and %d", FAILURE, atomic_load(&calls[1].status),
           atomic_load(&calls[2].status));
    EXPECT_SUCCESS(clReleaseEvent(event));
  }
}

// Calls that wait for the device which waits for the callback. What they return is the callback's to look at.
struct waits {
  cl_mem buffer;
  cl_int later, read, map, finish, wait, itself, enqueued;
  atomic_bool is_done;
};

static void CL_CALLBACK wait_for_more(cl_event event, cl_int status, void *user) {
  struct waits *waits = user;
  cl_command_queue queue = harness()->queue;
  cl_uint word = 0;
  cl_event later = NULL;
  (void)status;
  waits->itself = clWaitForEvents(1, &event);
  waits->enqueued = clEnqueueWriteBuffer(queue, waits->buffer, CL_FALSE, 0, 4, &waits->later, 0, NULL, &later);
  waits->read = clEnqueueReadBuffer(queue, waits->buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL);
  (void)clEnqueueMapBuffer(queue, waits->buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &waits->map);
  waits->wait = later ? clWaitForEvents(1, &later) : CL_SUCCESS;
  waits->finish = clFinish(queue);
  if (later)
    clReleaseEvent(later);
  atomic_store(&waits->is_done, true);
}

Test(event_callbacks, that_would_wait_for_their_device_are_told_so_and_others_go_on, .timeout = 60) {
  static struct waits waits = {.later = 7};
  cl_event marker;
  cl_int error;
  waits.buffer = buffer_with(NULL, 4);
  cl_event gate = clCreateUserEvent(harness()->context, &error);  // so that a callback is called by the device
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(harness()->queue, 1, &gate, &marker));
  EXPECT_SUCCESS(clSetEventCallback(marker, CL_COMPLETE, wait_for_more, &waits));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  for (int waited = 0; waited < 10000 && !atomic_load(&waits.is_done); waited++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  cr_assert(atomic_load(&waits.is_done), "the callback does not return");
  EXPECT_SUCCESS(waits.itself);
  EXPECT_SUCCESS(waits.enqueued);
  EXPECT_CODE(CL_INVALID_OPERATION, waits.read);
  EXPECT_CODE(CL_INVALID_OPERATION, waits.map);
  EXPECT_CODE(CL_INVALID_OPERATION, waits.wait);
  EXPECT_CODE(CL_INVALID_OPERATION, waits.finish);
  cl_int word = 0;
  read_buffer(waits.buffer, &word, 4);
  cr_assert_eq(word, 7);
}

static void CL_CALLBACK count_in_order(cl_event event, cl_int status, void *user) {
  static int next;
  (void)event, (void)status;
  int *order = user;
  *order = next++;
}

// Each is registered and called in a time of its own, however many there are: by the square it would be a minute.
Test(event_callbacks, of_one_event_may_be_many_and_come_in_their_order, .timeout = 30) {
  enum { MANY = 200000 };
  static int orders[MANY];
  cl_int error;
  cl_event event = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < MANY; i++)
    EXPECT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, count_in_order, &orders[i]));
  EXPECT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
  for (int i = 0; i < MANY; i++)
    if (orders[i] != i)
      fail("callback %d was called as number %d", i, orders[i]);
  EXPECT_SUCCESS(clReleaseEvent(event));
}

Test(event_callbacks, are_checked) {
  cl_event event = user_event();
  static struct call call;
  EXPECT_CODE(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, take, &call));
  EXPECT_CODE(CL_INVALID_VALUE, clSetEventCallback(event, -1, take, &call));
  EXPECT_CODE(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, &call));
  EXPECT_CODE(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, take, &call));
  EXPECT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
  if (atomic_load(&call.count) != 0)
    fail("a callback that was refused was called");
  EXPECT_SUCCESS(clReleaseEvent(event));
}
