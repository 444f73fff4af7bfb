// SPDX-License-Identifier: Apache-2.0
// Wait lists of every clEnqueue… (OpenCL API 3.0, 5.11 and 5.12). Each command waits for user events that are not set,
// and is seen not to have run; then they are set, and it is seen to have.
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/opencl/command_table.h"

enum { GATES = 3, FAILURE = -77 };

static const cl_command_queue_properties kinds_of_queue[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
enum { QUEUE_KINDS = sizeof kinds_of_queue / sizeof *kinds_of_queue };

static const char *kind_name(int kind) {
  return kind == 0 ? "an in-order queue" : "an out-of-order queue";
}

static void expect_not_begun(const struct command *command, const struct bed *bed, cl_event event, const char *when) {
  let_run_what_can();
  const cl_int status = event_status(event);
  if (status != CL_QUEUED && status != CL_SUBMITTED)
    fail("%s, %s: expected CL_QUEUED or CL_SUBMITTED, got status %d", command->name, when, status);
  bed_expect(command, bed, BED_BEFORE, when);
}

static void expect_complete(const struct command *command, const struct bed *bed, cl_event event, const char *when) {
  const cl_int error = clWaitForEvents(1, &event);
  if (error != CL_SUCCESS || event_status(event) != CL_COMPLETE)
    fail("%s, %s: expected CL_COMPLETE, got status %d, clWaitForEvents %s", command->name, when, event_status(event),
         error_name(error));
  bed_expect(command, bed, BED_AFTER, when);
}

static void expect_failed(const struct command *command, const struct bed *bed, cl_event event, const char *when) {
  const cl_int error = clWaitForEvents(1, &event);
  if (error != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || event_status(event) >= 0)
    fail("%s, %s: expected a negative status and CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, got status %d and %s",
         command->name, when, event_status(event), error_name(error));
  bed_expect(command, bed, BED_BEFORE, when);
}

static void make_gates(cl_event gates[GATES]) {
  for (int i = 0; i < GATES; i++)
    gates[i] = user_event();
}

static void release_events(cl_event *events, int count) {
  for (int i = 0; i < count; i++)
    EXPECT_SUCCESS(clReleaseEvent(events[i]));
}

static cl_event start(const struct command *command, struct bed *bed, cl_command_queue queue, cl_uint num_waits,
                      const cl_event *waits) {
  cl_event event = NULL;
  const cl_int error = command->enqueue(bed, queue, num_waits, waits, &event);
  if (error != CL_SUCCESS || !event)
    fail("%s: expected CL_SUCCESS and an event, got %s", command->name, error_name(error));
  EXPECT_SUCCESS(clFlush(queue));
  return event;
}

// Gives all gates but one their status, sees that the command has not run, and gives it to that one. When one fails,
// it is `held` itself or, with `early`, the one behind it.
static void run_gated(const struct command *command, int kind, int held, cl_int status, bool early) {
  struct bed bed = bed_for(command);
  cl_event gates[GATES];
  make_gates(gates);
  cl_event event = start(command, &bed, queue_with(kinds_of_queue[kind]), GATES, gates);
  expect_not_begun(command, &bed, event, kind_name(kind));
  const int failing = status < 0 ? (early ? (held + 1) % GATES : held) : GATES;
  for (int i = 0; i < GATES; i++)
    if (i != held)
      EXPECT_SUCCESS(clSetUserEventStatus(gates[i], i == failing ? status : CL_COMPLETE));
  if (status == CL_COMPLETE)
    expect_not_begun(command, &bed, event, "with one event of the wait list left");
  EXPECT_SUCCESS(clSetUserEventStatus(gates[held], held == failing ? status : CL_COMPLETE));
  if (status < 0)
    expect_failed(command, &bed, event, kind_name(kind));
  else
    expect_complete(command, &bed, event, kind_name(kind));
  if (status < 0 && command->what == MAPS)
    bed.mapped = NULL;  // the command failed: there is nothing to unmap
  release_events(gates, GATES);
  EXPECT_SUCCESS(clReleaseEvent(event));
  bed_end(command, &bed);
}

Test(wait_lists, no_command_runs_before_every_event_of_its_wait_list_is_complete) {
  for (size_t i = 0; i < num_commands; i++)
    for (int kind = 0; kind < QUEUE_KINDS; kind++)
      for (int held = 0; held < GATES; held++)
        run_gated(&commands[i], kind, held, CL_COMPLETE, false);
}

Test(wait_lists, no_command_runs_when_an_event_of_its_wait_list_fails) {
  for (size_t i = 0; i < num_commands; i++)
    for (int kind = 0; kind < QUEUE_KINDS; kind++)
      for (int held = 0; held < GATES; held++)
        for (int early = 0; early < 2; early++)
          run_gated(&commands[i], kind, held, FAILURE, early);
}

// Commands that wait for commands of another queue, not for the user event itself. `status` is what that gets.
static void run_chain(const struct command *command, const struct command *first, int kind, cl_int status) {
  struct bed bed = bed_for(command), first_bed = bed_for(first);
  cl_event gate = user_event(), events[2];
  events[0] = start(first, &first_bed, queue_with(CL_QUEUE_PROFILING_ENABLE), 1, &gate);
  events[1] = start(command, &bed, queue_with(kinds_of_queue[kind]), 1, &events[0]);
  expect_not_begun(command, &bed, events[1], first->name);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, status));
  if (status < 0) {
    expect_failed(command, &bed, events[1], first->name);
    expect_failed(first, &first_bed, events[0], "before another command");
    bed.mapped = command->what == MAPS ? NULL : bed.mapped;
  } else {
    expect_complete(command, &bed, events[1], first->name);
    if (event_status(events[0]) != CL_COMPLETE)
      fail("%s has run before %s, for which it waits", command->name, first->name);
  }
  release_events(events, 2);
  EXPECT_SUCCESS(clReleaseEvent(gate));
  bed_end(command, &bed);
  bed_end(first, &first_bed);
}

static const struct command *command_named(const char *name) {
  for (size_t i = 0; i < num_commands; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  fail("no command %s", name);
}

Test(wait_lists, every_command_waits_for_commands_of_another_queue_and_fails_with_them) {
  const struct command *firsts[] = {command_named("clEnqueueMarkerWithWaitList"),
                                    command_named("clEnqueueNDRangeKernel"), command_named("clEnqueueCopyBuffer")};
  for (size_t i = 0; i < num_commands; i++)
    for (size_t k = 0; k < sizeof firsts / sizeof *firsts; k++)
      for (int kind = 0; kind < QUEUE_KINDS; kind++) {
        run_chain(&commands[i], firsts[k], kind, CL_COMPLETE);
        run_chain(&commands[i], firsts[k], kind, FAILURE);
      }
}

// ---- blocking forms

Test(wait_lists, a_blocking_command_runs_when_its_wait_list_is_complete_and_fails_with_it) {
  for (size_t i = 0; i < num_commands; i++) {
    if (!commands[i].blocking)
      continue;
    for (int is_failing = 0; is_failing < 2; is_failing++) {
      struct bed bed = bed_for(&commands[i]);
      cl_event gate = user_event();
      EXPECT_SUCCESS(clSetUserEventStatus(gate, is_failing ? FAILURE : CL_COMPLETE));
      const cl_int expected = is_failing ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
      const cl_int got = commands[i].blocking(&bed, queue_with(0), 1, &gate, NULL);
      if (got != expected)
        fail("%s, blocking: expected %s, got %s", commands[i].name, error_name(expected), error_name(got));
      bed_expect(&commands[i], &bed, is_failing ? BED_BEFORE : BED_AFTER, "blocking");
      EXPECT_SUCCESS(clReleaseEvent(gate));
      bed_end(&commands[i], &bed);
    }
  }
}

static atomic_bool gate_is_set;
static void *set_later(void *gate) {
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  atomic_store(&gate_is_set, true);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  return NULL;
}

Test(wait_lists, a_blocking_command_does_not_return_before_its_wait_list_is_complete) {
  for (size_t i = 0; i < num_commands; i++) {
    if (!commands[i].blocking)
      continue;
    struct bed bed = bed_for(&commands[i]);
    cl_event gate = user_event();
    pthread_t thread;
    atomic_store(&gate_is_set, false);
    if (pthread_create(&thread, NULL, set_later, gate) != 0)
      fail("no thread");
    const cl_int error = commands[i].blocking(&bed, queue_with(0), 1, &gate, NULL);
    if (error != CL_SUCCESS || !atomic_load(&gate_is_set))
      fail("%s, blocking: returned %s %s its wait list was complete", commands[i].name, error_name(error),
           atomic_load(&gate_is_set) ? "after" : "before");
    pthread_join(thread, NULL);
    bed_expect(&commands[i], &bed, BED_AFTER, "blocking");
    EXPECT_SUCCESS(clReleaseEvent(gate));
    bed_end(&commands[i], &bed);
  }
}

// ---- lists that are none

Test(wait_lists, every_command_refuses_a_wait_list_that_is_none) {
  cl_int error;
  cl_context other = clCreateContext(NULL, 1, &harness()->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_event gate = user_event(), dead = user_event(), foreign = clCreateUserEvent(other, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clReleaseEvent(dead));
  const cl_event with_null[] = {gate, NULL}, with_dead[] = {gate, dead}, with_foreign[] = {gate, foreign};
  const struct {
    const char *what;
    cl_uint count;
    const cl_event *list;
    cl_int expected;
  } cases[] = {
      {"a count without a list", 1, NULL, CL_INVALID_EVENT_WAIT_LIST},
      {"a list without a count", 0, &gate, CL_INVALID_EVENT_WAIT_LIST},
      {"a list with NULL", 2, with_null, CL_INVALID_EVENT_WAIT_LIST},
      {"a list with an event that was released", 2, with_dead, CL_INVALID_EVENT_WAIT_LIST},
      {"a list with an event of another context", 2, with_foreign, CL_INVALID_CONTEXT},
  };
  for (size_t i = 0; i < num_commands; i++)
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      struct bed bed = bed_for(&commands[i]);
      cl_event event = NULL;
      const cl_int got = commands[i].enqueue(&bed, queue_with(0), cases[k].count, cases[k].list, &event);
      if (got != cases[k].expected || event)
        fail("%s, %s: expected %s and no event, got %s and event %p", commands[i].name, cases[k].what,
             error_name(cases[k].expected), error_name(got), (void *)event);
      bed_expect(&commands[i], &bed, BED_BEFORE, cases[k].what);
      bed_end(&commands[i], &bed);
    }
}

// ---- order within a queue

Test(wait_lists, what_is_behind_a_waiting_command_of_an_in_order_queue_waits) {
  const struct command *fill = command_named("clEnqueueFillBuffer");
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]), behind_bed = bed_for(fill);
    cl_event gate = user_event(), events[2];
    events[0] = start(&commands[i], &bed, queue_with(0x2), 1, &gate);
    events[1] = start(fill, &behind_bed, queue_with(0x2), 0, NULL);
    expect_not_begun(fill, &behind_bed, events[1], commands[i].name);
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_complete(fill, &behind_bed, events[1], commands[i].name);
    if (event_status(events[0]) != CL_COMPLETE)
      fail("what is behind %s in an in-order queue has run before it", commands[i].name);
    release_events(events, 2);
    EXPECT_SUCCESS(clReleaseEvent(gate));
    bed_end(&commands[i], &bed);
    bed_end(fill, &behind_bed);
  }
}

Test(wait_lists, what_is_behind_a_waiting_command_of_an_out_of_order_queue_passes_it_but_for_barriers) {
  const struct command *fill = command_named("clEnqueueFillBuffer");
  cl_command_queue queue = queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (size_t i = 0; i < num_commands; i++) {
    struct bed bed = bed_for(&commands[i]), behind_bed = bed_for(fill);
    cl_event gate = user_event(), events[2];
    events[0] = start(&commands[i], &bed, queue, 1, &gate);
    events[1] = start(fill, &behind_bed, queue, 0, NULL);
    if (commands[i].type == CL_COMMAND_BARRIER)
      expect_not_begun(fill, &behind_bed, events[1], commands[i].name);
    else
      expect_complete(fill, &behind_bed, events[1], commands[i].name);
    expect_not_begun(&commands[i], &bed, events[0], "with a command behind it");
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    expect_complete(fill, &behind_bed, events[1], commands[i].name);
    expect_complete(&commands[i], &bed, events[0], "with a command behind it");
    release_events(events, 2);
    EXPECT_SUCCESS(clReleaseEvent(gate));
    bed_end(&commands[i], &bed);
    bed_end(fill, &behind_bed);
  }
}

// clEnqueueMarker, clEnqueueBarrier and the forms with an empty list wait for every command before them.
static cl_int old_marker(cl_command_queue queue, cl_event *event) {
  return clEnqueueMarker(queue, event);
}
static cl_int old_barrier(cl_command_queue queue, cl_event *event) {
  const cl_int error = clEnqueueBarrier(queue);
  // It has no event: one of a marker behind it stands for it.
  return error == CL_SUCCESS ? clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : error;
}
static cl_int new_marker(cl_command_queue queue, cl_event *event) {
  return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}
static cl_int new_barrier(cl_command_queue queue, cl_event *event) {
  return clEnqueueBarrierWithWaitList(queue, 0, NULL, event);
}

Test(wait_lists, markers_and_barriers_without_a_list_wait_for_every_command_before_them) {
  static const struct {
    const char *name;
    cl_int (*enqueue)(cl_command_queue queue, cl_event *event);
    bool holds_back;  // what is behind it
  } cases[] = {{"clEnqueueMarker", old_marker, false},
               {"clEnqueueMarkerWithWaitList", new_marker, false},
               {"clEnqueueBarrier", old_barrier, true},
               {"clEnqueueBarrierWithWaitList", new_barrier, true}};
  const struct command *fill = command_named("clEnqueueFillBuffer"), *copy = command_named("clEnqueueCopyBuffer");
  for (int kind = 0; kind < QUEUE_KINDS; kind++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      cl_command_queue queue = queue_with(kinds_of_queue[kind]);
      struct bed bed = bed_for(copy), behind_bed = bed_for(fill);
      cl_event gate = user_event(), events[3] = {start(copy, &bed, queue, 1, &gate)};
      EXPECT_SUCCESS(cases[i].enqueue(queue, &events[1]));
      events[2] = start(fill, &behind_bed, queue, 0, NULL);
      let_run_what_can();
      if (event_status(events[1]) <= CL_RUNNING)
        fail("%s in %s: complete before the command before it", cases[i].name, kind_name(kind));
      if (kind == 0 || cases[i].holds_back)
        expect_not_begun(fill, &behind_bed, events[2], cases[i].name);
      else
        expect_complete(fill, &behind_bed, events[2], cases[i].name);
      EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
      EXPECT_SUCCESS(clWaitForEvents(1, &events[1]));
      if (event_status(events[0]) != CL_COMPLETE)
        fail("%s in %s: complete before the command before it", cases[i].name, kind_name(kind));
      expect_complete(fill, &behind_bed, events[2], cases[i].name);
      release_events(events, 3);
      EXPECT_SUCCESS(clReleaseEvent(gate));
      bed_end(copy, &bed);
      bed_end(fill, &behind_bed);
    }
}

Test(wait_lists, wait_for_events_holds_back_what_is_behind_it_and_checks_its_list) {
  const struct command *fill = command_named("clEnqueueFillBuffer");
  for (int kind = 0; kind < QUEUE_KINDS; kind++)
    for (int held = 0; held < GATES; held++) {
      cl_command_queue queue = queue_with(kinds_of_queue[kind]);
      struct bed bed = bed_for(fill);
      cl_event gates[GATES];
      make_gates(gates);
      EXPECT_SUCCESS(clEnqueueWaitForEvents(queue, GATES, gates));
      cl_event event = start(fill, &bed, queue, 0, NULL);
      for (int i = 0; i < GATES; i++)
        if (i != held)
          EXPECT_SUCCESS(clSetUserEventStatus(gates[i], CL_COMPLETE));
      expect_not_begun(fill, &bed, event, "behind clEnqueueWaitForEvents");
      EXPECT_SUCCESS(clSetUserEventStatus(gates[held], CL_COMPLETE));
      expect_complete(fill, &bed, event, "behind clEnqueueWaitForEvents");
      release_events(gates, GATES);
      EXPECT_SUCCESS(clReleaseEvent(event));
      bed_end(fill, &bed);
    }
  cl_event none = NULL;
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue_with(0), 0, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue_with(0), 1, NULL));
  EXPECT_CODE(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue_with(0), 1, &none));
}
