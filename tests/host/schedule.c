// SPDX-License-Identifier: Apache-2.0
// Which command runs next (host/cl/schedule.c), on the fake device: wait lists, in-order queues, barriers and markers
// hold back what the text says, and nothing else; many commands that wait for each other cost no more each than a few.
#include <CL/cl.h>
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "tests/host/fake_device.h"
#include "tests/rtl/random_word.h"

#define OK(call) cr_assert_eq((call), CL_SUCCESS)

enum { QUEUES = 4, GATES = 6, COMMANDS = 60, MOST_WAITS = 4 };

static cl_context context;
static cl_command_queue queues[QUEUES];  // in order, out of order, in order, out of order
static cl_mem memory;

static void set_up(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  for (int i = 0; i < QUEUES; i++) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              i % 2 != 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    queues[i] = clCreateCommandQueueWithProperties(context, device, properties, &error);
    OK(error);
  }
  memory = clCreateBuffer(context, 0, 64, NULL, &error);
  OK(error);
}

static void tear_down(void) {
  OK(clReleaseMemObject(memory));
  for (int i = 0; i < QUEUES; i++)
    OK(clReleaseCommandQueue(queues[i]));
  OK(clReleaseContext(context));
}

// cppcheck-suppress unknownMacro
TestSuite(schedule, .init = set_up, .fini = tear_down);

static cl_int status_of(cl_event event) {
  cl_int status;
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

// A command, and what the text says that it waits for: events by their numbers, gates first.
struct command {
  int queue;
  bool is_barrier, after_all;
  int num_waits, waits[MOST_WAITS];
  cl_event event;
};

static struct command commands[COMMANDS];
static cl_event gates[GATES];

static cl_event event_of(int number) {
  return number < GATES ? gates[number] : commands[number - GATES].event;
}

static void enqueue(struct command *c, int own) {
  cl_event waits[MOST_WAITS];
  const cl_uint count = (cl_uint)c->num_waits, word = (cl_uint)own;
  for (int i = 0; i < c->num_waits; i++)
    waits[i] = event_of(c->waits[i]);
  const cl_event *list = count != 0 ? waits : NULL;
  cl_command_queue queue = queues[c->queue];
  if (c->is_barrier)
    OK(clEnqueueBarrierWithWaitList(queue, count, list, &c->event));
  else if (c->after_all)
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &c->event));
  else
    OK(clEnqueueFillBuffer(queue, memory, &word, 4, 0, 64, count, list, &c->event));
}

static void draw(struct command *c, int own) {
  const int kind = (int)random_below(8);
  *c = (struct command){.queue = (int)random_below(QUEUES), .is_barrier = kind == 0};
  if (kind != 1)
    c->num_waits = (int)random_below(MOST_WAITS + 1);
  for (int i = 0; i < c->num_waits; i++)
    c->waits[i] = (int)random_below(GATES + own);
  c->after_all = c->num_waits == 0 && kind <= 1;
}

// Whether a command may have run, by the gates that are open and the commands before it.
static bool may_run(int own, const bool *open, const bool *ran) {
  const struct command *c = &commands[own];
  bool may = true;
  for (int i = 0; i < c->num_waits; i++)
    may = may && (c->waits[i] < GATES ? open[c->waits[i]] : ran[c->waits[i] - GATES]);
  for (int i = 0; i < own; i++) {
    const bool holds = c->queue % 2 == 0 || c->after_all || commands[i].is_barrier;
    may = may && (commands[i].queue != c->queue || !holds || ran[i]);
  }
  return may;
}

Test(schedule, what_may_run_runs_and_what_may_not_does_not) {
  random_seed(5);
  for (int round = 0; round < 60; round++) {
    bool open[GATES] = {false}, ran[COMMANDS] = {false};
    cl_int error;
    for (int i = 0; i < GATES; i++) {
      gates[i] = clCreateUserEvent(context, &error);
      OK(error);
    }
    for (int i = 0; i < COMMANDS; i++) {
      draw(&commands[i], i);
      enqueue(&commands[i], i);
    }
    for (int opened = 0; opened <= GATES; opened++) {
      for (int i = 0; i < COMMANDS; i++) {
        ran[i] = may_run(i, open, ran);
        if (ran[i])
          OK(clWaitForEvents(1, &commands[i].event));
      }
      for (int i = 0; i < COMMANDS; i++)
        cr_assert_eq(status_of(commands[i].event), ran[i] ? CL_COMPLETE : CL_QUEUED,
                     "round %d, %d gates open: command %d has status %d", round, opened, i,
                     status_of(commands[i].event));
      int next = (int)random_below(GATES);
      while (opened < GATES && open[next])
        next = (next + 1) % GATES;
      if (opened < GATES)
        OK(clSetUserEventStatus(gates[next], CL_COMPLETE));
      open[next] = true;
    }
    for (int i = 0; i < COMMANDS; i++)
      OK(clReleaseEvent(commands[i].event));
    for (int i = 0; i < GATES; i++)
      OK(clReleaseEvent(gates[i]));
  }
}

// ---- Many commands. A step for each of those that wait would be tens of thousands a command, and minutes of processor
// time, which ends the test.

enum { MANY = 100000, MOST_SECONDS = 40 };

static void limit_processor_time(void) {
  const struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};
  cr_assert_eq(setrlimit(RLIMIT_CPU, &limit), 0);
}

// Each waits for the one before, which is in the other queue, and the first for a gate.
static void run_chain(cl_command_queue one, cl_command_queue other) {
  cl_int error;
  cl_event gate = clCreateUserEvent(context, &error), before = gate, event;
  OK(error);
  OK(clRetainEvent(gate));
  for (int i = 0; i < MANY; i++) {
    OK(clEnqueueMarkerWithWaitList(i % 2 == 0 ? one : other, 1, &before, &event));
    OK(clReleaseEvent(before));
    before = event;
  }
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &before));
  cr_assert_eq(status_of(before), CL_COMPLETE);
  OK(clReleaseEvent(before));
  OK(clReleaseEvent(gate));
}

Test(schedule, a_chain_between_two_in_order_queues_takes_a_step_a_command) {
  limit_processor_time();
  run_chain(queues[0], queues[2]);
}

Test(schedule, a_chain_between_two_out_of_order_queues_takes_a_step_a_command) {
  limit_processor_time();
  run_chain(queues[1], queues[3]);
}

// All wait for one gate, and one for all of them.
Test(schedule, many_that_wait_for_one_and_one_that_waits_for_many_take_a_step_each) {
  cl_event *events = malloc(MANY * sizeof *events), last;
  cl_int error;
  cl_event gate = clCreateUserEvent(context, &error);
  OK(error);
  cr_assert_not_null(events);
  limit_processor_time();
  for (int i = 0; i < MANY; i++)
    OK(clEnqueueMarkerWithWaitList(queues[1], 1, &gate, &events[i]));
  OK(clEnqueueMarkerWithWaitList(queues[3], MANY, events, &last));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &last));
  cr_assert_eq(status_of(last), CL_COMPLETE);
  for (int i = 0; i < MANY; i++)
    OK(clReleaseEvent(events[i]));
  OK(clReleaseEvent(last));
  OK(clReleaseEvent(gate));
  free(events);
}
