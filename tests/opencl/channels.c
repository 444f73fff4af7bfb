// SPDX-License-Identifier: Apache-2.0
// Channels, as Intel's SDK for FPGAs has them: what a kernel writes to a channel another one reads, once and in order,
// whichever of them is enqueued first, in whatever queues. A program neither makes nor sets anything for it.
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/opencl/harness.h"

enum { MOST = 300, FEW = 20 };  // packets; on the RTL few

#define ENABLE "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
#define TASK "__attribute__((max_global_work_dim(0))) kernel void "

static const char three[] = ENABLE
    "typedef struct { int a; float b; } pair;\n"
    "channel int numbers __attribute__((depth(8)));\n"
    "channel pair pairs;\n"
    "void send(int x) { write_channel_intel(numbers, x * 2); }\n" TASK
    "first(global const int *restrict x, int n) { for (int i = 0; i < n; i++) send(x[i]); }\n" TASK
    "second(int n) {\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    pair p;\n"
    "    p.a = read_channel_intel(numbers);\n"
    "    p.b = p.a * 0.5f;\n"
    "    write_channel_intel(pairs, p);\n"
    "  }\n"
    "}\n" TASK
    "third(global float *restrict y, int n) {\n"
    "  for (int i = 0; i < n; i++) { pair p = read_channel_intel(pairs); y[i] = p.b + p.a; }\n"
    "}\n";

// The kernels of `three`, or of `around`, each in a queue of its own unless all have one, and buffers of theirs.
struct chain {
  cl_kernel kernels[3];  // the second is NULL in `around`
  cl_command_queue queues[3];
  cl_mem in, out;
  int words[MOST], count;
};

static void open_ends(struct chain *chain, cl_program program, bool has_one_queue) {
  *chain = (struct chain){.kernels = {kernel_of(program, "first"), NULL, kernel_of(program, "third")}};
  chain->count = harness()->is_rtl ? FEW : MOST;
  for (int i = 0; i < MOST; i++)
    chain->words[i] = i * 37 - 500;
  chain->in = buffer_with(chain->words, sizeof chain->words);
  chain->out = buffer_with(NULL, MOST * sizeof(float));
  for (int i = 0; i < 3; i++)
    chain->queues[i] = has_one_queue && i > 0 ? chain->queues[0] : new_queue(0);
  set_args(chain->kernels[0], ARG(chain->in), ARG(chain->count), END_ARGS);
  set_args(chain->kernels[2], ARG(chain->out), ARG(chain->count), END_ARGS);
}

static void open_chain(struct chain *chain, const char *options, bool has_one_queue) {
  cl_program program = build(three, options);
  open_ends(chain, program, has_one_queue);
  chain->kernels[1] = kernel_of(program, "second");
  set_args(chain->kernels[1], ARG(chain->count), END_ARGS);
}

static void start(const struct chain *chain, int which, cl_uint num_waits, const cl_event *waits, cl_event *event) {
  const size_t one = 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(chain->queues[which], chain->kernels[which], 1, NULL, &one, &one, num_waits,
                                        waits, event));
}

static void expect_results(const struct chain *chain) {
  float results[MOST];
  for (int i = 0; i < 3; i++)
    EXPECT_SUCCESS(clFinish(chain->queues[i]));
  read_buffer(chain->out, results, sizeof results);
  for (int i = 0; i < chain->count; i++)
    cr_assert_eq(results[i], 3.0f * (float)chain->words[i], "%d: %g, not %g", i, (double)results[i],
                 3.0 * chain->words[i]);
}

Test(channels, kernels_run_whichever_is_enqueued_first) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  struct chain chain;
  open_chain(&chain, "", false);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++)
      start(&chain, orders[i][k], 0, NULL, NULL);
    expect_results(&chain);
  }
}

Test(channels, a_flush_between_them_changes_nothing) {
  struct chain chain;
  open_chain(&chain, "-cl-std=CL3.0", false);
  for (int which = 2; which >= 0; which--) {
    start(&chain, which, 0, NULL, NULL);
    EXPECT_SUCCESS(clFlush(chain.queues[which]));
  }
  expect_results(&chain);
}

Test(channels, all_of_them_may_be_in_one_queue_the_writers_first) {
  struct chain chain;
  open_chain(&chain, "-cl-std=CL1.2", true);
  for (int round = 0; round < 3; round++)
    for (int which = 0; which < 3; which++)
      start(&chain, which, 0, NULL, NULL);
  expect_results(&chain);
}

Test(channels, a_kernel_that_is_waited_for_runs_alone) {
  struct chain chain;
  open_chain(&chain, "", false);
  for (int which = 0; which < 3; which++) {
    cl_event event;
    start(&chain, which, 0, NULL, &event);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
  }
  expect_results(&chain);
}

Test(channels, each_dispatch_meets_the_one_that_was_enqueued_first) {
  struct chain chain;
  open_chain(&chain, "", false);
  for (int which = 2; which >= 0; which--)
    for (int round = 0; round < 4; round++)
      start(&chain, which, 0, NULL, NULL);
  expect_results(&chain);
}

// The reader came first and could begin at once; what the writer reads is only there when a user's event is set.
Test(channels, a_reader_waits_for_what_the_writer_waits_for) {
  struct chain chain;
  open_chain(&chain, "", false);
  cl_int error;
  cl_event gate = clCreateUserEvent(harness()->context, &error), written;
  EXPECT_SUCCESS(error);
  for (int i = 0; i < MOST; i++)
    chain.words[i] = 7 - i;
  start(&chain, 2, 0, NULL, NULL);
  start(&chain, 1, 0, NULL, NULL);
  EXPECT_SUCCESS(clEnqueueWriteBuffer(harness()->queue, chain.in, CL_FALSE, 0, sizeof chain.words, chain.words, 1,
                                      &gate, &written));
  start(&chain, 0, 1, &written, NULL);
  for (int i = 0; i < 3; i++)
    EXPECT_SUCCESS(clFlush(chain.queues[i]));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  expect_results(&chain);
}

// What a program waits for meanwhile has nothing to do with them.
Test(channels, a_wait_for_something_else_lets_no_reader_go) {
  struct chain chain;
  int words[MOST];
  cl_event other;
  cl_int status;
  open_chain(&chain, "", false);
  start(&chain, 2, 0, NULL, NULL);
  EXPECT_SUCCESS(clEnqueueReadBuffer(harness()->queue, chain.in, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  start(&chain, 1, 0, NULL, NULL);
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(harness()->queue, 0, NULL, &other));
  do
    EXPECT_SUCCESS(clGetEventInfo(other, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  while (status > CL_COMPLETE);
  start(&chain, 0, 0, NULL, NULL);
  expect_results(&chain);
}

// What is waited for depends on the writer by a barrier alone.
Test(channels, a_wait_for_what_is_behind_a_barrier_lets_the_kernel_in_front_of_it_go) {
  struct chain chain;
  int words[MOST];
  cl_event read;
  open_chain(&chain, "", false);
  chain.queues[0] = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  start(&chain, 0, 0, NULL, NULL);
  EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(chain.queues[0], 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadBuffer(chain.queues[0], chain.in, CL_FALSE, 0, sizeof words, words, 0, NULL, &read));
  EXPECT_SUCCESS(clWaitForEvents(1, &read));
  for (int which = 1; which < 3; which++)
    start(&chain, which, 0, NULL, NULL);
  expect_results(&chain);
}

// Its writer may still come from another thread, but not for ever.
Test(channels, a_reader_whose_writer_never_comes_fails_and_the_next_ones_run) {
  struct chain chain;
  cl_event read;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  open_chain(&chain, "", false);
  start(&chain, 2, 0, NULL, &read);
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &read));
  cr_expect(strstr(harness()->notices[harness()->notice_count - 1], "no kernel that writes its channel 'pairs'"), "%s",
            harness()->notices[harness()->notice_count - 1]);
  for (int which = 0; which < 3; which++)
    start(&chain, which, 0, NULL, NULL);
  expect_results(&chain);
}

static struct chain by_threads;

static void *run_end(void *which) {
  const int number = (int)(intptr_t)which;
  for (int i = 0; i < 5; i++)
    start(&by_threads, number, 0, NULL, NULL);
  EXPECT_SUCCESS(clFinish(by_threads.queues[number]));
  return NULL;
}

Test(channels, each_end_may_come_from_a_thread_that_waits_for_it) {
  pthread_t threads[3];
  open_chain(&by_threads, "", false);
  for (int i = 2; i >= 0; i--)
    cr_assert_eq(pthread_create(&threads[i], NULL, run_end, (void *)(intptr_t)i), 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  expect_results(&by_threads);
}

// What the writer waits for fails: nobody is to wait for what it would have written.
Test(channels, where_a_writer_cannot_run_its_reader_fails_and_the_next_ones_run) {
  struct chain chain;
  open_chain(&chain, "", false);
  cl_int error, status;
  cl_event gate = clCreateUserEvent(harness()->context, &error), read;
  EXPECT_SUCCESS(error);
  start(&chain, 2, 0, NULL, &read);
  start(&chain, 1, 0, NULL, NULL);
  start(&chain, 0, 1, &gate, NULL);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, -5));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &read));
  EXPECT_SUCCESS(clGetEventInfo(read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_lt(status, 0);
  for (int which = 0; which < 3; which++)
    start(&chain, which, 0, NULL, NULL);
  expect_results(&chain);
}

// A transfer behind each kernel in its queue, and one in front.
// ---- kernels that fail, and packets that are left

// Writes n numbers from k on; reads n, one of which it stores far outside of all memory.
static const char failing[] = ENABLE
    "channel int a __attribute__((depth(4))), b;\n" TASK
    "w(uint n, int k) { for (uint i = 0; i < n; i++) write_channel_intel(a, k + (int)i); }\n" TASK
    "m(global int *restrict out, uint n, int bad) {\n"
    "  for (uint i = 0; i < n; i++) {\n"
    "    const int x = read_channel_intel(a);\n"
    "    if ((int)i == bad) out[200000000] = x;\n"
    "    write_channel_intel(b, x);\n"
    "  }\n"
    "}\n" TASK "r(global int *restrict out, uint n) { for (uint i = 0; i < n; i++) out[i] = read_channel_intel(b); }\n";

static cl_event run_task(cl_command_queue queue, cl_kernel kernel) {
  const size_t one = 1;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

// The three kernels, each in a queue of its own; `bad`: the packet at which the second one fails, or -1.
static void run_failing(cl_program program, int k, int bad, int found[FEW]) {
  const cl_uint n = FEW;
  cl_mem out = buffer_with(NULL, FEW * sizeof *found);
  cl_kernel kernels[3] = {kernel_of(program, "w"), kernel_of(program, "m"), kernel_of(program, "r")};
  set_args(kernels[0], ARG(n), ARG(k), END_ARGS);
  set_args(kernels[1], ARG(out), ARG(n), ARG(bad), END_ARGS);
  set_args(kernels[2], ARG(out), ARG(n), END_ARGS);
  cl_command_queue queues[3];
  cl_event events[3];
  for (int i = 0; i < 3; i++)
    events[i] = run_task(queues[i] = new_queue(0), kernels[i]);
  for (int i = 0; i < 3; i++)
    clFinish(queues[i]);
  for (int i = 1; i < 3; i++)
    cr_assert_eq(status_of(events[i]) == CL_COMPLETE, bad < 0, "kernel %d, fault at %d: %d", i, bad,
                 status_of(events[i]));
  read_buffer(out, found, FEW * sizeof *found);
}

// One that reads of a kernel that has failed fails with it, and not when it has spent its budget.
Test(channels, what_a_kernel_that_failed_has_left_is_no_later_kernels) {
  int found[FEW];
  setenv("HEDDLE_BUDGET_CYCLES", "1099511627776", 1);
  cl_program program = build(failing, "");
  static const int bad[] = {5, -1, -1, 0, FEW - 1, -1};
  for (int round = 0; round < 6; round++) {
    run_failing(program, 100 * round, bad[round], found);
    for (int i = 0; i < FEW && bad[round] < 0; i++)
      cr_assert_eq(found[i], 100 * round + i, "round %d: %d is %d", round, i, found[i]);
  }
}

Test(channels, packets_that_are_left_are_read_by_who_reads_later) {
  static const char source[] =
      ENABLE "channel int c;\n" TASK
             "w(uint n, int k) { for (uint i = 0; i < n; i++) write_channel_intel(c, k + (int)i); }\n" TASK
             "r(global int *restrict out, uint n) { for (uint i = 0; i < n; i++) out[i] = read_channel_intel(c); }\n";
  static const cl_uint reads[] = {4, 7, 9, 20}, writes[] = {20, 0, 0, 20};
  cl_program program = build(source, "");
  int found[FEW], next = 0, k = 0;
  for (int round = 0; round < 4; round++) {
    cl_mem out = buffer_with(NULL, sizeof found);
    cl_kernel w = kernel_of(program, "w"), r = kernel_of(program, "r");
    cl_command_queue queues[2] = {new_queue(0), new_queue(0)};
    set_args(w, ARG(writes[round]), ARG(k), END_ARGS);
    set_args(r, ARG(out), ARG(reads[round]), END_ARGS);
    if (writes[round] != 0)
      run_task(queues[0], w);
    cl_event event = run_task(queues[1], r);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_SUCCESS(clFinish(queues[0]));
    read_buffer(out, found, sizeof found);
    for (cl_uint i = 0; i < reads[round]; i++)
      cr_assert_eq(found[i], next++, "round %d: %u is %d", round, i, found[i]);
    k += (int)writes[round];
  }
}

// On programmable units kernels run one after the other: what is not there then never will be.
Test(channels, a_kernel_that_would_wait_for_ever_at_a_channel_faults_and_the_next_ones_run) {
  static const char source[] = ENABLE
      "typedef struct { uint words[1024]; } page;\n"
      "channel int c, d;\n"
      "channel page pages;\n" TASK "w(int n) { for (int i = 0; i < n; i++) write_channel_intel(c, i); }\n" TASK
      "r(global int *restrict out, int n) {\n"
      "  for (int i = 0; i < n; i++) out[i] = read_channel_intel(c);\n"
      "}\n" TASK "fill(int n) { page p = {{1}}; for (int i = 0; i < n; i++) write_channel_intel(pages, p); }\n" TASK
      "drain(global int *restrict out, int n) {\n"
      "  for (int i = 0; i < n; i++) out[i] = (int)read_channel_intel(pages).words[0];\n"
      "}\n"
      // Work-items of one kernel that send to each other wait as long as they have to.
      "kernel __attribute__((reqd_work_group_size(2, 1, 1))) void both(global int *out) {\n"
      "  if (get_local_id(0) == 0) out[0] = read_channel_intel(d);\n"
      "  else write_channel_intel(d, 5);\n"
      "}\n";
  // Name of the kernel that gets stuck, its packets, those of the other one, and what is said.
  static const struct {
    const char *writer, *reader;
    int written, read;
    bool reader_fails;
    const char *said;
  } cases[] = {{"w", "r", 5, 6, true, "kernel 'r': would wait for ever at a channel that is empty"},
               {"fill", "drain", 10000, 1, false, "kernel 'fill': would wait for ever at a channel that is full"},
               {"w", "r", 5, 5, false, NULL}};
  cl_program program = build(source, "");
  cl_mem out = buffer_with(NULL, 64);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (harness()->is_rtl && cases[i].written > 1000)
      continue;
    cl_kernel writer = kernel_of(program, cases[i].writer), reader = kernel_of(program, cases[i].reader);
    set_args(writer, ARG(cases[i].written), END_ARGS);
    set_args(reader, ARG(out), ARG(cases[i].read), END_ARGS);
    cl_command_queue queues[2] = {new_queue(0), new_queue(0)};
    cl_event events[2] = {run_task(queues[0], writer), run_task(queues[1], reader)};
    clFinish(queues[0]);
    clFinish(queues[1]);
    cr_expect_eq(status_of(events[0]) < 0, cases[i].said && !cases[i].reader_fails, "%zu: %d", i, status_of(events[0]));
    cr_expect_eq(status_of(events[1]) < 0, !!cases[i].said, "%zu: %d", i, status_of(events[1]));
    bool is_said = !cases[i].said;
    for (int k = 0; k < harness()->notice_count; k++)
      is_said |= cases[i].said && strstr(harness()->notices[k], cases[i].said);
    cr_expect(is_said, "%zu: %d notices, the last: %s", i, harness()->notice_count,
              harness()->notice_count > 0 ? harness()->notices[harness()->notice_count - 1] : "none");
  }
  int found = 0;
  cl_kernel both = kernel_of(program, "both");
  set_args(both, ARG(out), END_ARGS);
  run_1d(both, 2, 2);
  read_buffer(out, &found, sizeof found);
  cr_expect_eq(found, 5);
}

// The reader of what the first queue begins with is behind the other one in the second: either group waits for the
// other.
Test(channels, kernels_that_are_crosswise_in_two_queues_run) {
  static const char source[] =
      ENABLE "channel int a, b;\n" TASK "pa(int n) { for (int i = 0; i < n; i++) write_channel_intel(a, i); }\n" TASK
             "pb(int n) { for (int i = 0; i < n; i++) write_channel_intel(b, -i); }\n" TASK
             "ca(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(a); }\n" TASK
             "cb(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(b); }\n";
  static const char *const names[2][2] = {{"pb", "pa"}, {"ca", "cb"}};
  const int n = FEW;
  int found[FEW];
  cl_program program = build(source, "");
  for (int waits = 0; waits < 2; waits++) {
    cl_mem out[2] = {buffer_with(NULL, sizeof found), buffer_with(NULL, sizeof found)};
    cl_command_queue queues[2] = {new_queue(0), new_queue(0)};
    cl_event event = NULL;
    for (int q = 0; q < 2; q++)
      for (int i = 0; i < 2; i++) {
        cl_kernel kernel = kernel_of(program, names[q][i]);
        if (q == 0)
          set_args(kernel, ARG(n), END_ARGS);
        else
          set_args(kernel, ARG(out[i]), ARG(n), END_ARGS);
        event = run_task(queues[q], kernel);
      }
    while (!waits && status_of(event) > CL_COMPLETE)  // or asks again and again
      ;
    EXPECT_SUCCESS(clFinish(queues[1]));
    for (int i = 0; i < 2; i++) {
      read_buffer(out[i], found, sizeof found);
      for (int k = 0; k < n; k++)
        cr_assert_eq(found[k], i == 0 ? k : -k);
    }
  }
}

// What is between them in a queue waits for one and is waited for by the other: they cannot begin together.
Test(channels, a_command_between_the_two_ends_in_a_queue_lets_both_run) {
  float results[MOST];
  struct chain chain;
  int words[MOST] = {0};
  open_chain(&chain, "", true);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) {
      start(&chain, i, 0, NULL, NULL);
      EXPECT_SUCCESS(clEnqueueReadBuffer(chain.queues[0], chain.in, CL_FALSE, 0, sizeof words, words, 0, NULL, NULL));
      EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(chain.queues[0], 0, NULL, NULL));
    }
    EXPECT_SUCCESS(clEnqueueReadBuffer(chain.queues[0], chain.out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (int i = 0; i < chain.count; i++)
      cr_assert_eq(results[i], 3.0f * (float)chain.words[i]);
  }
  cr_expect_arr_eq(words, chain.words, sizeof words);
}

Test(channels, other_commands_keep_their_places) {
  struct chain chain;
  float before[MOST], behind[MOST];
  open_chain(&chain, "", false);
  for (int i = 0; i < MOST; i++)
    chain.words[i] = i;
  EXPECT_SUCCESS(clEnqueueReadBuffer(chain.queues[2], chain.out, CL_FALSE, 0, sizeof before, before, 0, NULL, NULL));
  start(&chain, 2, 0, NULL, NULL);
  EXPECT_SUCCESS(clEnqueueReadBuffer(chain.queues[2], chain.out, CL_FALSE, 0, sizeof behind, behind, 0, NULL, NULL));
  start(&chain, 1, 0, NULL, NULL);
  EXPECT_SUCCESS(
      clEnqueueWriteBuffer(chain.queues[0], chain.in, CL_FALSE, 0, sizeof chain.words, chain.words, 0, NULL, NULL));
  start(&chain, 0, 0, NULL, NULL);
  expect_results(&chain);
  for (int i = 0; i < chain.count; i++) {
    cr_assert_eq(before[i], 0.0f, "%d", i);
    cr_assert_eq(behind[i], 3.0f * (float)i, "%d: %g", i, (double)behind[i]);
  }
}

Test(channels, programs_see_the_arguments_of_the_source_alone) {
  cl_program program = build(three, "-cl-kernel-arg-info");
  cl_kernel kernel = kernel_of(program, "second");
  cl_uint count = 99;
  char name[16];
  EXPECT_SUCCESS(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
  cr_expect_eq(count, 1, "%u", count);
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
  cr_expect_str_eq(name, "n");
  EXPECT_CODE(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
  EXPECT_CODE(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 1, sizeof(cl_mem), NULL));
  const size_t one = 1;
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS,
              clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
}

// ---- forms

static const char forms[] = ENABLE
    "#define LONG 4\n"
    "channel float4 grid[2][2] __attribute__((depth(LONG)));\n"
    "channel uchar bytes;\n"
    "channel ulong16 wide;\n"
    "channel int unread, a, b;\n"
    "kernel void scatter(global const float4 *x) {\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 2; i++)\n"
    "#pragma unroll\n"
    "    for (int k = 0; k < 2; k++) write_channel_intel(grid[i][k], x[2 * i + k] + (float4)(1, 2, 3, 4));\n"
    "  write_channel_intel(bytes, 300);\n"
    "  write_channel_intel(wide, (ulong16)(1ul << 40));\n"
    "}\n"
    "kernel void gather(global float4 *y, global uint *z) {\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 4; i++) y[i] = read_channel_intel(grid[i & 1][i >> 1]);\n"
    "  z[0] = read_channel_intel(bytes);\n"
    "  ulong16 w = read_channel_intel(wide);\n"
    "  z[1] = w.s0 >> 32; z[2] = w.sf >> 40; mem_fence(CLK_CHANNEL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "}\n"
    "kernel void without_waiting(global int *x) {\n"
    "  bool valid = true;\n"
    "  int v = read_channel_nb_intel(a, &valid);\n"
    "  x[0] = valid;\n"
    "  x[1] = write_channel_nb_intel(a, 7);\n"
    "  x[2] = read_channel_nb_altera(a, &valid);\n"
    "  x[3] = valid;\n"
    "  write_channel_altera(b, read_channel_nb_intel(a, &valid) + 5);\n"
    "  x[4] = read_channel_altera(b);\n"
    "  x[5] = v;\n"
    "}\n";

Test(channels, packets_of_any_type_and_channels_in_arrays) {
  cl_program program = build(forms, "");
  cl_kernel scatter = kernel_of(program, "scatter"), gather = kernel_of(program, "gather");
  float in[16], out[16];
  uint32_t words[3] = {0};
  for (int i = 0; i < 16; i++)
    in[i] = (float)i * 10;
  cl_mem x = buffer_with(in, sizeof in), y = buffer_with(NULL, sizeof out), z = buffer_with(words, sizeof words);
  set_args(scatter, ARG(x), END_ARGS);
  set_args(gather, ARG(y), ARG(z), END_ARGS);
  const size_t one = 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(new_queue(0), gather, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, scatter, 1, NULL, &one, &one, 0, NULL, NULL));
  read_buffer(y, out, sizeof out);
  read_buffer(z, words, sizeof words);
  for (int i = 0; i < 16; i++) {
    const int from = (i / 4 & 1) * 2 + (i / 4 >> 1);  // gather goes by columns
    cr_expect_eq(out[i], in[4 * from + i % 4] + (float)(i % 4 + 1), "%d: %g", i, (double)out[i]);
  }
  cr_expect_eq(words[0], 300 & 255);
  cr_expect_eq(words[1], 1u << 8);
  cr_expect_eq(words[2], 1);
}

Test(channels, forms_that_do_not_wait_take_vectors_and_structures) {
  cl_kernel kernel = kernel_of(build(ENABLE "typedef struct { float3 a; char b; } both;\n"
                                            "channel float4 v; channel both s; channel short3 t;\n"
                                            "kernel void f(global float *x) {\n"
                                            "  bool ok;\n"
                                            "  float4 r = read_channel_nb_intel(v, &ok);\n"
                                            "  x[0] = ok;\n"
                                            "  x[1] = write_channel_nb_intel(v, (float4)(1, 2, 3, 4));\n"
                                            "  r = read_channel_nb_intel(v, &ok);\n"
                                            "  x[2] = ok ? r.w : -1;\n"
                                            "  both sent = {(float3)(5, 6, 7), 8};\n"
                                            "  write_channel_intel(s, sent);\n"
                                            "  both got = read_channel_nb_intel(s, &ok);\n"
                                            "  x[3] = ok ? got.a.z + got.b : -1;\n"
                                            "  write_channel_intel(t, (short3)(1, 2, 3));\n"
                                            "  x[4] = read_channel_nb_intel(t, &ok).z;\n"
                                            "}\n",
                                     ""),
                               "f");
  static const float expected[] = {0, 1, 4, 15, 3};
  float got[5];
  cl_mem x = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(x), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(x, got, sizeof got);
  for (int i = 0; i < 5; i++)
    cr_expect_eq(got[i], expected[i], "%d: %g, not %g", i, (double)got[i], (double)expected[i]);
}

Test(channels, forms_that_do_not_wait_say_whether_they_did_anything) {
  cl_kernel kernel = kernel_of(build(forms, "-cl-std=CL3.0"), "without_waiting");
  static const int expected[] = {0, 1, 7, 1, 5, 0};
  int got[6];
  cl_mem x = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(x), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(x, got, sizeof got);
  for (int i = 0; i < 6; i++)
    cr_expect_eq(got[i], expected[i], "%d: %d, not %d", i, got[i], expected[i]);
}

// What a source says for its hardware is of its kernels, which are other functions by then.
Test(channels, hints_for_hardware_stay_with_their_kernels) {
  cl_program program =
      build(ENABLE
            "channel int c;\n"
            "__attribute__((num_simd_work_items(2), num_compute_units(3), reqd_work_group_size(8, 1, 1)))\n"
            "kernel void put(global int *x) { write_channel_intel(c, x[get_global_id(0)]); }\n"
            "kernel void take(global int *x) { for (int i = 0; i < 8; i++) x[i] = read_channel_intel(c); }\n",
            "");
  size_t sizes[3];
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(kernel_of(program, "put"), harness()->device,
                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
  cr_expect_eq(sizes[0], 8);
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(kernel_of(program, "take"), harness()->device,
                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
  cr_expect_eq(sizes[0], 0);
}

// ---- autorun kernels

#define AUTORUN "__attribute__((max_global_work_dim(0))) __attribute__((autorun)) kernel void "

// As `three`, of which the second is in two parts that nobody enqueues.
static const char around[] = ENABLE
    "typedef struct { int a; float b; } pair;\n"
    "channel int numbers __attribute__((depth(8))), doubled;\n"
    "channel pair pairs;\n" TASK
    "first(global const int *restrict x, int n) { for (int i = 0; i < n; i++) write_channel_intel(numbers, x[i]); "
    "}\n" AUTORUN "twice() { write_channel_intel(doubled, 2 * read_channel_intel(numbers)); }\n" AUTORUN
    "halves() {\n"
    "  while (true) {\n"
    "    pair p;\n"
    "    p.a = read_channel_intel(doubled);\n"
    "    if (p.a > 1000000)\n"
    "      continue;\n"
    "    p.b = p.a * 0.5f;\n"
    "    write_channel_intel(pairs, p);\n"
    "  }\n"
    "}\n" TASK
    "third(global float *restrict y, int n) {\n"
    "  for (int i = 0; i < n; i++) { pair p = read_channel_intel(pairs); y[i] = p.b + p.a; }\n"
    "}\n";

Test(channels, autorun_kernels_run_beside_those_that_are_enqueued) {
  struct chain chain;
  open_ends(&chain, build(around, ""), false);
  for (int round = 0; round < 4; round++)
    for (int k = 0; k < 2; k++)
      start(&chain, k == round % 2 ? 0 : 2, 0, NULL, NULL);
  expect_results(&chain);
  // One behind the other, each of which is waited for.
  for (int k = 0; k < 3; k += 2) {
    cl_event event;
    start(&chain, k, 0, NULL, &event);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    cl_int status;
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    cr_assert_eq(status, CL_COMPLETE);
  }
  expect_results(&chain);
}

static void *open_later(void *event) {
  sleep(3);
  EXPECT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
  return NULL;
}

// Nothing of what a program sees depends on how long what is in front of kernels takes.
Test(channels, kernels_that_wait_for_long_run_with_those_of_their_round) {
  struct chain chain;
  cl_int error;
  pthread_t thread;
  open_ends(&chain, build(around, ""), false);
  cl_event event = clCreateUserEvent(harness()->context, &error);
  for (int round = 0; round < 4; round++)
    for (int k = 0; k < 2; k++)
      start(&chain, k == round % 2 ? 0 : 2, round == 0, round == 0 ? &event : NULL, NULL);
  cr_assert_eq(pthread_create(&thread, NULL, open_later, event), 0);
  expect_results(&chain);
  cr_assert_eq(pthread_join(thread, NULL), 0);
  for (int i = 0; i < harness()->notice_count; i++)
    cr_expect_null(strstr(harness()->notices[i], "which has not been enqueued"), "%s", harness()->notices[i]);
}

Test(channels, a_reader_of_an_autorun_kernel_that_gets_nothing_fails_and_the_next_ones_run) {
  struct chain chain;
  cl_event event;
  cl_int status;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  open_ends(&chain, build(around, ""), false);
  start(&chain, 2, 0, NULL, &event);
  clFinish(chain.queues[2]);
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_lt(status, 0, "%d", status);
  start(&chain, 0, 0, NULL, NULL);
  start(&chain, 2, 0, NULL, NULL);
  expect_results(&chain);
}

Test(channels, autorun_kernels_say_so_and_no_program_enqueues_them) {
  // Large packets, so that there is room for few: the kernel fills its channel.
  static const char source[] = ENABLE
      "typedef struct { uint x, rest[255]; } seed;\n"
      "channel seed seeds;\n" AUTORUN
      "make() { for (uint i = 0; i < 3; i++) { seed s = {i * i}; write_channel_intel(seeds, s); } }\n" TASK
      "take(global uint *x) { for (int i = 0; i < 10; i++) { seed s = read_channel_intel(seeds); x[i] = s.x; } }\n";
  const size_t one = 1;
  char attributes[128];
  cl_uint found[10];
  cl_program program = build(source, "");
  cl_kernel make = kernel_of(program, "make"), take = kernel_of(program, "take");
  EXPECT_SUCCESS(clGetKernelInfo(make, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL));
  cr_expect_str_eq(attributes, "reqd_work_group_size(1,1,1) autorun");
  cl_command_queue queue = new_queue(0);
  EXPECT_CODE(CL_INVALID_OPERATION, clEnqueueNDRangeKernel(queue, make, 1, NULL, &one, &one, 0, NULL, NULL));
  // Only reading, each time from the first one on. Ten are no multiple of three.
  for (int round = 0; round < 2; round++) {
    cl_mem out = buffer_with(NULL, sizeof found);
    set_args(take, ARG(out), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, take, 1, NULL, &one, &one, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(queue));
    read_buffer(out, found, sizeof found);
    for (cl_uint i = 0; i < 10; i++)
      cr_assert_eq(found[i], i % 3 * (i % 3), "round %d: %u is %u", round, i, found[i]);
  }
}

// ---- copies of autorun kernels

// A row of four, each of which adds what its number says, and a field of 2 x 3, each of which adds its way from the
// corner.
static const char copies[] = ENABLE
    "channel int row[5], field[3][4], sums[2];\n" TASK
    "feed_row(global const int *restrict x, int n) { for (int i = 0; i < n; i++) write_channel_intel(row[0], x[i]); }\n"
    "int weight() { return 1 << (4 * get_compute_id(0)); }\n"
    "__attribute__((num_compute_units(4))) " AUTORUN
    "pe() {\n"
    "  const int id = get_compute_id(0);\n"
    "  write_channel_intel(row[id + 1], read_channel_intel(row[id]) + weight());\n"
    "}\n" TASK
    "drain_row(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(row[4]); }\n"
    "__attribute__((num_compute_units(2, 3))) " AUTORUN
    "cell() {\n"
    "  int kept = 100 * get_compute_id(0) + 10 * get_compute_id(1) + get_compute_id(2);\n"
    "  while (1) {\n"
    "    int x;\n"
    "    if (get_compute_id(1) == 0)\n"
    "      x = read_channel_intel(field[get_compute_id(0)][3]);\n"
    "    else\n"
    "      x = read_channel_intel(field[get_compute_id(0)][get_compute_id(1) - 1]);\n"
    "    kept += x;\n"
    "    if (get_compute_id(1) == 2)\n"
    "      write_channel_intel(sums[get_compute_id(0)], kept);\n"
    "    else\n"
    "      write_channel_intel(field[get_compute_id(0)][get_compute_id(1)], kept);\n"
    "  }\n"
    "}\n" TASK
    "feed_field(int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    for (int k = 0; k < 2; k++)\n"
    "      if (k == 0) write_channel_intel(field[0][3], i); else write_channel_intel(field[1][3], -i);\n"
    "}\n" TASK
    "drain_field(global int2 *restrict y, int n) {\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    const int first = read_channel_intel(sums[0]);\n"
    "    y[i] = (int2)(first, read_channel_intel(sums[1]));\n"
    "  }\n"
    "}\n";

static void run_pair(cl_program program, const char *feeds, const char *drains, cl_mem in, cl_mem out, cl_int count) {
  const size_t one = 1;
  cl_kernel kernels[2] = {kernel_of(program, feeds), kernel_of(program, drains)};
  cl_command_queue queues[2];
  if (in)
    set_args(kernels[0], ARG(in), ARG(count), END_ARGS);
  else
    set_args(kernels[0], ARG(count), END_ARGS);
  set_args(kernels[1], ARG(out), ARG(count), END_ARGS);
  for (int i = 0; i < 2; i++) {
    queues[i] = new_queue(0);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[i], kernels[i], 1, NULL, &one, &one, 0, NULL, NULL));
  }
  for (int i = 0; i < 2; i++)
    EXPECT_SUCCESS(clFinish(queues[i]));
}

Test(channels, copies_of_an_autorun_kernel_know_their_numbers) {
  static const char *const options[] = {"", "-cl-std=CL3.0 -g", "-cl-opt-disable"};
  int in[FEW], out[FEW], pairs[FEW][2];
  for (int i = 0; i < FEW; i++)
    in[i] = i * 1000003;
  for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
    cl_program program = build(copies, options[o]);
    cl_mem x = buffer_with(in, sizeof in), y = buffer_with(NULL, sizeof pairs);
    run_pair(program, "feed_row", "drain_row", x, y, FEW);
    read_buffer(y, out, sizeof out);
    for (int i = 0; i < FEW; i++)
      cr_assert_eq(out[i], in[i] + 0x1111, "'%s': %d is %d, not %d", options[o], i, out[i], in[i] + 0x1111);
    run_pair(program, "feed_field", "drain_field", NULL, y, FEW);
    read_buffer(y, pairs, sizeof pairs);
    int kept[2][3] = {{0, 10, 20}, {100, 110, 120}};
    for (int i = 0; i < FEW; i++)
      for (int k = 0, value; k < 2; k++) {
        value = k == 0 ? i : -i;
        for (int c = 0; c < 3; c++)
          value = kept[k][c] += value;
        cr_assert_eq(pairs[i][k], value, "'%s': %d of %d is %d, not %d", options[o], i, k, pairs[i][k], value);
      }
  }
}

Test(channels, copies_are_kernels_with_names) {
  char names[512];
  EXPECT_SUCCESS(clGetProgramInfo(build(copies, ""), CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  cr_expect_str_eq(names,
                   "feed_row;pe_0;drain_row;cell_0_0;feed_field;drain_field;pe_1;pe_2;pe_3;cell_1_0;cell_0_1;"
                   "cell_1_1;cell_0_2;cell_1_2");
}

// ---- what is wrong

static void expect_log(const char *source, const char *options, const char *text) {
  struct harness *h = harness();
  cl_int error;
  char log[4096];
  cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &h->device, options, NULL, NULL));
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  cr_expect(strstr(log, text), "no '%s' in: %s", text, log);
}

#define READS "kernel void r(global int *x) { x[0] = read_channel_intel(c); }\n"
#define WRITES "kernel void w() { write_channel_intel(c, 1); }\n"

Test(channels, depths_are_constants_of_any_form) {
  static const char *const right[] = {"8", "0", "0x20", "(2 * 4 + 1) << 2", "64u", "DEPTH"};
  static const char *const wrong[] = {"-3", "more", "\"4\"", "", "8 / 0", "99999999999", "1.5"};
  char source[512];
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    snprintf(source, sizeof source, ENABLE "#define DEPTH 5\nchannel int c __attribute__((depth(%s)));\n" READS WRITES,
             right[i]);
    build(source, "");
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(source, sizeof source, ENABLE "channel int c __attribute__((depth(%s)));\n" READS WRITES, wrong[i]);
    expect_log(source, "", "depth is no number of packets that the compiler knows");
  }
}

Test(channels, what_would_wait_for_ever_does_not_build) {
  expect_log(ENABLE "channel int c;\n" READS, "",
             "kernel 'r' reads channel 'c', which no kernel of the program writes");
  expect_log(ENABLE "channel int c;\n" WRITES, "",
             "kernel 'w' writes channel 'c', which no kernel of the program reads");
  expect_log(ENABLE "channel int c;\n" AUTORUN "w() { while (!write_channel_nb_intel(c, 1)); }\n" READS, "",
             "autorun kernel 'w' waits at no channel, and so would never end");
}

Test(channels, an_autorun_kernel_is_of_one_work_item_and_has_no_arguments) {
  expect_log(ENABLE "channel int c;\n__attribute__((autorun))\n" WRITES READS, "",
             "autorun kernel 'w' is of several work-items");
  expect_log(ENABLE "channel int c;\n" AUTORUN "w(int x) { write_channel_intel(c, x); }\n" READS, "",
             "autorun kernel 'w' has arguments, which nobody sets");
}

Test(channels, numbers_of_copies_that_cannot_be_are_errors) {
  expect_log(ENABLE "channel int c;\n" WRITES
                    "kernel void r(global int *x) { x[get_compute_id(0)] = "
                    "read_channel_intel(c); }\n",
             "", "kernel 'r' calls get_compute_id, which numbers copies of autorun kernels");
  expect_log(ENABLE "channel int c[300];\n__attribute__((num_compute_units(300))) " AUTORUN
                    "w() { write_channel_intel(c[get_compute_id(0)], 1); }\n"
                    "kernel void r(global int *x) { x[0] = read_channel_intel(c[0]); }\n",
             "", "autorun kernel 'w' has more than 256 copies (num_compute_units)");
  expect_log(ENABLE "channel int c[2];\n__attribute__((num_compute_units(2))) " AUTORUN
                    "w() { write_channel_intel(c[get_compute_id(0)], 1); }\n"
                    "kernel void w_1(global int *x) { x[0] = read_channel_intel(c[0]) + read_channel_intel(c[1]); }\n",
             "", "a copy of autorun kernel 'w' is called 'w_1', as something else in the program is");
}

Test(channels, an_index_outside_of_an_array_is_an_error) {
  static const char *const indices[] = {"c[4]", "c[-1]", "d[0][2]", "d[2][0]"};
  char source[512];
  for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
    snprintf(source, sizeof source,
             ENABLE "channel int c[4], d[2][2];\nkernel void k(global int *x) { write_channel_intel(%s, 1); }\n",
             indices[i]);
    expect_log(source, "", "uses a channel outside of the array");
  }
}

// A part that has put(), linked with one whose kernel calls it and reads the channel.
static cl_program link_parts(const char *writer, cl_int *error) {
  const char *const parts[] = {writer, ENABLE
                               "channel int c;\nvoid put(int x);\n"
                               "kernel void k(global int *x) { put(7); x[0] = read_channel_intel(c); }\n"};
  struct harness *h = harness();
  cl_program compiled[2];
  for (int i = 0; i < 2; i++) {
    compiled[i] = clCreateProgramWithSource(h->context, 1, (const char **)&parts[i], NULL, error);
    EXPECT_SUCCESS(*error);
    EXPECT_SUCCESS(clCompileProgram(compiled[i], 1, &h->device, "", 0, NULL, NULL, NULL, NULL));
  }
  return clLinkProgram(h->context, 1, &h->device, "", 2, compiled, NULL, NULL, error);
}

#define PUTS "void put(int x) { write_channel_intel(c, x); }\n"

// Runs the program's kernel k, which stores one number.
static void expect_number_of(cl_program program, int expected) {
  cl_kernel kernel = kernel_of(program, "k");
  int got = 0;
  cl_mem x = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(x), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(x, &got, sizeof got);
  cr_expect_eq(got, expected, "%d, not %d", got, expected);
}

Test(channels, parts_that_have_packets_of_different_sizes_do_not_link) {
  cl_int error;
  link_parts(ENABLE "channel long c;\n" PUTS, &error);
  cr_expect_eq(error, CL_LINK_PROGRAM_FAILURE, "%d", error);
}

Test(channels, a_channel_that_is_known_only_when_the_kernel_runs_is_an_error_with_its_line) {
  expect_log(ENABLE "channel int c[4];\nkernel void k(int i) {\n  write_channel_intel(c[i], 5);\n}\n", "",
             "program.cl:4:");
  expect_log(ENABLE "channel int c[4];\nkernel void k(int i) {\n  write_channel_intel(c[i], 5);\n}\n", "",
             "kernel 'k' uses a channel that is known only when it runs");
}

// As a header of the program does it, or nobody.
Test(channels, the_line_that_enables_them_need_not_be_in_the_source_itself) {
  expect_number_of(build("channel int c;\n"
                         "kernel void k(global int *x) {\n"
                         "  write_channel_intel(c, 5);\n"
                         "  x[0] = read_channel_intel(c);\n"
                         "}\n",
                         ""),
                   5);
}

Test(channels, parts_of_a_program_that_are_linked_have_the_same_channels) {
  cl_int error;
  cl_program program = link_parts(ENABLE "channel int c;\n" PUTS, &error);
  EXPECT_SUCCESS(error);
  expect_number_of(program, 7);
}

Test(channels, a_program_without_them_may_use_the_words) {
  expect_number_of(build("kernel void k(global int *x) { int channel = 3, depth = 4; x[0] = channel * depth; }", ""),
                   12);
}
