// SPDX-License-Identifier: Apache-2.0
// Programs as they are written for Intel's SDK for FPGAs, on a Verilated device that has their kernels as a chain:
// channels are queues on the chip. The same on the model, where they are in memory. The device has no programmable
// unit.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"

enum { SOURCE_BYTES = 8192, ROWS = 700, ROW_WORDS = 4, KERNELS = 3 };

#define OK(call) cr_assert_eq((call), CL_SUCCESS, #call)

// A device, the program on it, and what the context was told last.
struct side {
  cl_device_id device;
  cl_context context;
  cl_program program;
  char told[1024];
};

static void CL_CALLBACK tell(const char *text, const void *data, size_t bytes, void *user) {
  struct side *side = user;
  (void)data, (void)bytes;
  snprintf(side->told, sizeof side->told, "%s", text);
}

static void open_side(struct side *side, cl_device_id device, const char *path) {
  static char source[SOURCE_BYTES];
  const char *text = source;
  cl_int error;
  *side = (struct side){.device = device};
  FILE *file = fopen(path, "r");
  cr_assert(file, "tests run in the top folder");
  source[fread(source, 1, sizeof source - 1, file)] = 0;
  fclose(file);
  side->context = clCreateContext(NULL, 1, &device, tell, side, &error);
  OK(error);
  side->program = clCreateProgramWithSource(side->context, 1, &text, NULL, &error);
  OK(error);
  OK(clBuildProgram(side->program, 1, &device, "", NULL, NULL));
}

// The device with pipelines of a source, then the model.
static void open_sides(struct side sides[2], const char *name) {
  char device[256], path[64];
  cl_platform_id platform;
  cl_device_id devices[2];
  snprintf(device, sizeof device, BUILD "/tests/pipeline/%s.so", name);
  snprintf(path, sizeof path, "tests/pipeline/%s.cl", name);
  setenv("HEDDLE_HARDWARE", device, 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
  for (int i = 0; i < 2; i++)
    open_side(&sides[i], devices[i], path);
}

TestSuite(pipeline_channels, .timeout = 120);

static cl_command_queue queue_of(const struct side *side) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(side->context, side->device, NULL, &error);
  OK(error);
  return queue;
}

// Each kernel in a queue of its own, in this order. Returns the cycles of the last one.
static cl_ulong run(const struct side *side, const int order[KERNELS], cl_uint count, cl_mem in, cl_mem out) {
  static const char *const names[] = {"load", "add_up", "store"};
  cl_command_queue queues[KERNELS] = {NULL};
  cl_event event = NULL;
  cl_ulong cycles = 0;
  const size_t one = 1;
  for (int i = 0; i < KERNELS; i++) {
    const int which = order[i];
    cl_int error;
    cl_kernel kernel = clCreateKernel(side->program, names[which], &error);
    OK(error);
    OK(clSetKernelArg(kernel, 0, sizeof count, &count));
    if (which != 1)
      OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), which == 0 ? &in : &out));
    queues[which] = queue_of(side);
    OK(clEnqueueNDRangeKernel(queues[which], kernel, 1, NULL, &one, &one, 0, NULL, which == 2 ? &event : NULL));
    OK(clFlush(queues[which]));
    clReleaseKernel(kernel);
  }
  for (int i = 0; i < KERNELS; i++)
    OK(clFinish(queues[i]));
  OK(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  return cycles;
}

Test(pipeline_channels, kernels_run_at_once_whichever_is_enqueued_first) {
  static const int orders[][KERNELS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  static cl_uint rows[ROW_WORDS * ROWS], sums[ROWS];
  static struct side sides[2];
  open_sides(sides, "channels");
  for (int d = 0; d < 2; d++)
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
      cl_int error;
      for (cl_uint k = 0; k < ROW_WORDS * ROWS; k++)
        rows[k] = (k + (cl_uint)i) * 2654435761u;
      cl_mem in = clCreateBuffer(sides[d].context, CL_MEM_COPY_HOST_PTR, sizeof rows, rows, &error);
      OK(error);
      cl_mem out = clCreateBuffer(sides[d].context, CL_MEM_READ_WRITE, sizeof sums, NULL, &error);
      OK(error);
      const cl_ulong cycles = run(&sides[d], orders[i], ROWS, in, out);
      OK(clEnqueueReadBuffer(queue_of(&sides[d]), out, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
      for (cl_uint k = 0, sum = 0; k < ROWS; k++) {
        const cl_uint *row = &rows[ROW_WORDS * k];
        sum += row[0] + row[1] * 3 + row[2] * 5 + row[3] * 7;
        cr_assert_eq(sums[k], sum, "device %d: sum %u is %u, not %u", d, k, sums[k], sum);
      }
      // A row is loaded and a sum stored in each round, each by a port of its own.
      cr_expect(d != 0 || cycles < 3 * ROWS, "%lu cycles for %d rows", (unsigned long)cycles, ROWS);
      clReleaseMemObject(in);
      clReleaseMemObject(out);
    }
}

Test(pipeline_channels, one_end_alone_says_which_kernel_is_missing_and_the_next_kernels_run) {
  static const int order[KERNELS] = {0, 1, 2};
  static struct side sides[2];
  open_sides(sides, "channels");
  cl_int error, status;
  cl_event event = NULL;
  const size_t one = 1;
  const cl_uint count = 10;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_kernel kernel = clCreateKernel(sides[0].program, "add_up", &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof count, &count));
  cl_command_queue queue = queue_of(&sides[0]);
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  clFinish(queue);
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_eq(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "%d", status);
  cr_expect(strstr(sides[0].told, "'add_up'") && strstr(sides[0].told, "no kernel that writes its channel 'rows'"),
            "%s", sides[0].told);
  cl_mem in = clCreateBuffer(sides[0].context, CL_MEM_READ_WRITE, 16 * count, NULL, &error);
  OK(error);
  cl_mem out = clCreateBuffer(sides[0].context, CL_MEM_READ_WRITE, 4 * count, NULL, &error);
  OK(error);
  run(&sides[0], order, count, in, out);
}

// ---- kernels with several channels

static cl_mem words_of(const struct side *side, size_t bytes, const void *from) {
  cl_int error;
  cl_mem made =
      clCreateBuffer(side->context, from ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes, (void *)from, &error);
  OK(error);
  return made;
}

// A kernel of one work-item in a queue of its own. Its first argument is `count`, its second one, if there is one,
// `memory`.
static cl_command_queue begin(const struct side *side, const char *name, cl_uint count, const cl_mem *memory,
                              cl_event *event) {
  const size_t one = 1;
  cl_int error;
  cl_kernel kernel = clCreateKernel(side->program, name, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof count, &count));
  if (memory)
    OK(clSetKernelArg(kernel, 1, sizeof *memory, memory));
  cl_command_queue queue = queue_of(side);
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, event));
  OK(clFlush(queue));
  clReleaseKernel(kernel);
  return queue;
}

static cl_ulong cycles_of(cl_event event) {
  cl_ulong cycles = 0;
  OK(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  return cycles;
}

Test(pipeline_channels, ways_part_and_meet_again) {
  enum { COUNT = 1000 };
  static cl_uint numbers[COUNT], found[COUNT][2];
  static struct side sides[2];
  for (cl_uint i = 0; i < COUNT; i++)
    numbers[i] = i * 2654435761u;
  open_sides(sides, "channels");
  for (int d = 0; d < 2; d++)
    for (int first = 0; first < 3; first++) {
      cl_mem in = words_of(&sides[d], sizeof numbers, numbers), out = words_of(&sides[d], sizeof found, NULL);
      cl_command_queue queue = NULL;
      cl_event event = NULL;
      for (int i = 0; i < 3; i++)
        switch ((i + first) % 3) {
          case 0:
            begin(&sides[d], "part", COUNT, &in, NULL);
            break;
          case 1:
            begin(&sides[d], "weigh", COUNT, NULL, NULL);
            break;
          default:
            queue = begin(&sides[d], "meet", COUNT, &out, &event);
        }
      OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
      for (cl_uint i = 0; i < COUNT; i++) {
        cr_assert_eq(found[i][0], numbers[i] / 7, "device %d: quotient %u is %u", d, i, found[i][0]);
        cr_assert_eq(found[i][1], numbers[i] % 7 * (i + 1), "device %d: remainder %u is %u", d, i, found[i][1]);
      }
      // A round loads a word and stores two, which are one access.
      cr_expect(d != 0 || cycles_of(event) < 3 * COUNT, "%lu cycles", (unsigned long)cycles_of(event));
    }
}

Test(pipeline_channels, a_kernel_reads_what_two_others_write) {
  enum { COUNT = 300 };
  static const cl_ulong factor = 0x123456789ABCDEF;
  static cl_ulong found[4 * COUNT];
  static struct side sides[2];
  open_sides(sides, "channels");
  for (int d = 0; d < 2; d++) {
    const size_t one = 1;
    const cl_uint odd_ones = 3 * COUNT;
    cl_int error;
    cl_mem out = words_of(&sides[d], sizeof found, NULL);
    cl_kernel give_odd = clCreateKernel(sides[d].program, "give_odd", &error);
    OK(error);
    OK(clSetKernelArg(give_odd, 0, sizeof odd_ones, &odd_ones));
    OK(clSetKernelArg(give_odd, 1, sizeof factor, &factor));
    cl_command_queue queue = queue_of(&sides[d]), reads = begin(&sides[d], "take_both", COUNT, &out, NULL);
    begin(&sides[d], "give_even", COUNT, NULL, NULL);
    OK(clEnqueueNDRangeKernel(queue, give_odd, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(reads, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (cl_uint i = 0, odd = 0; i < 4 * COUNT; i++) {
      const cl_ulong right = i % 4 == 0 ? (cl_ushort)(3 * (i / 4)) : factor * odd++;
      cr_assert_eq(found[i], right, "device %d: packet %u is %lx, not %lx", d, i, (unsigned long)found[i],
                   (unsigned long)right);
    }
  }
}

Test(pipeline_channels, two_kernels_have_three_channels) {
  enum { COUNT = 150 };
  static cl_uint numbers[COUNT];
  static cl_ulong found[COUNT][4];
  static struct side sides[2];
  for (cl_uint i = 0; i < COUNT; i++)
    numbers[i] = i * 2654435761u;
  open_sides(sides, "channels");
  for (int d = 0; d < 2; d++) {
    cl_mem in = words_of(&sides[d], sizeof numbers, numbers), out = words_of(&sides[d], sizeof found, NULL);
    cl_command_queue queue = begin(&sides[d], "gather", COUNT, &out, NULL);
    begin(&sides[d], "spread", COUNT, &in, NULL);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNT; i++) {
      const cl_ulong x = numbers[i], colour = (x & 0xFF) + (x >> 8 & 0xFF) * 3 + (x >> 16 & 0xFF) * 5;
      const cl_ulong right[4] = {x * x, ~x, colour, i};
      cr_assert_arr_eq(found[i], right, sizeof right, "device %d: row %u", d, i);
    }
  }
}

// In memory one of the two would have to run first, and neither can.
Test(pipeline_channels, two_kernels_on_the_chip_wait_for_each_other_in_turn) {
  enum { COUNT = 200 };
  static cl_uint found[COUNT];
  static struct side sides[2];
  open_sides(sides, "channels");
  cl_mem out = words_of(&sides[0], sizeof found, NULL);
  begin(&sides[0], "answer", COUNT, NULL, NULL);
  cl_command_queue queue = begin(&sides[0], "ask", COUNT, &out, NULL);
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
  for (cl_uint i = 0, next = 1; i < COUNT; i++) {
    cr_assert_eq(found[i], next * next, "answer %u is %u, not %u", i, found[i], next * next);
    next = next * 5 + i;
  }
}

// ---- autorun kernels

static void expect_doubled(const struct side *side, const cl_int *numbers, cl_uint count, bool reads_first) {
  static cl_int found[2000][2];
  cl_event event = NULL;
  cl_mem in = words_of(side, count * sizeof *numbers, numbers), out = words_of(side, count * sizeof *found, NULL);
  cl_command_queue queue = reads_first ? begin(side, "drain", count, &out, &event) : NULL;
  begin(side, "feed", count, &in, NULL);
  if (!reads_first)
    queue = begin(side, "drain", count, &out, &event);
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, count * sizeof *found, found, 0, NULL, NULL));
  for (cl_uint i = 0; i < count; i++)
    cr_assert(found[i][0] == 2 * numbers[i] && found[i][1] == (cl_int)i, "packet %u is {%d, %d}", i, found[i][0],
              found[i][1]);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

Test(pipeline_channels, autorun_kernels_are_there_whenever_others_are) {
  static cl_int numbers[2000];
  static struct side sides[2];
  for (int i = 0; i < 2000; i++)
    numbers[i] = i * i - 1000;
  open_sides(sides, "autorun");
  for (int d = 0; d < 2; d++)
    for (cl_uint count = 1; count <= 2000; count = 6 * count + 5)
      for (int reads_first = 0; reads_first < 2; reads_first++)
        expect_doubled(&sides[d], numbers, count, reads_first);
}

Test(pipeline_channels, an_autorun_kernel_that_only_writes_is_there_for_each_reader) {
  enum { COUNT = 200 };
  static cl_ushort found[COUNT];
  static struct side sides[2];
  open_sides(sides, "autorun");
  for (int d = 0; d < 2; d++)
    for (int round = 0; round < 3; round++) {
      cl_mem out = words_of(&sides[d], sizeof found, NULL);
      cl_command_queue queue = begin(&sides[d], "hear", COUNT, &out, NULL);
      OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
      cl_ushort state = 1;
      for (int i = 0; i < COUNT; i++) {
        state = (cl_ushort)(state >> 1 ^ (state % 2 != 0 ? 0xB400 : 0));
        cr_assert_eq(found[i], state, "device %d, round %d: packet %d is %x, not %x", d, round, i, found[i], state);
      }
      clReleaseMemObject(out);
    }
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum { PRINTED = 100, TEXT_BYTES = 64 * 3 * PRINTED };

// Lines in the order of the alphabet, as kernels that run at once print in any.
static void sort_lines(char text[TEXT_BYTES]) {
  static char before[TEXT_BYTES];
  char *lines[3 * PRINTED] = {0};
  size_t count = 0, used = 0;
  strcpy(before, text);
  for (char *line = strtok(before, "\n"); line && count < sizeof lines / sizeof *lines; line = strtok(NULL, "\n"))
    lines[count++] = line;
  qsort(lines, count, sizeof *lines, by_text);
  text[0] = 0;
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s\n", lines[i]);
}

static void print_of(const struct side *side, const cl_int *words, cl_int *found, char text[TEXT_BYTES]) {
  FILE *capture = tmpfile();
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  cr_assert(capture && kept >= 0 && dup2(fileno(capture), STDOUT_FILENO) >= 0);
  cl_mem in = words_of(side, PRINTED * sizeof *words, words), out = words_of(side, PRINTED * sizeof *found, NULL);
  begin(side, "send", PRINTED, &in, NULL);
  cl_command_queue queue = begin(side, "keep", PRINTED, &out, NULL);
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, PRINTED * sizeof *found, found, 0, NULL, NULL));
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  cr_assert(fseek(capture, 0, SEEK_SET) == 0);
  text[fread(text, 1, TEXT_BYTES - 1, capture)] = 0;
  fclose(capture);
  sort_lines(text);
}

Test(pipeline_channels, kernels_on_the_chip_print_while_they_send_to_each_other) {
  static struct side sides[2];
  static char expected[TEXT_BYTES], got[TEXT_BYTES];
  cl_int words[PRINTED], found[PRINTED];
  open_sides(sides, "prints");
  for (int d = 0; d < 2; d++)
    for (int round = 0; round < 2; round++) {
      size_t used = 0;
      for (int i = 0; i < PRINTED; i++) {
        words[i] = i * 7 - 300 + round;
        if (words[i] % 5 == 0)
          used += (size_t)snprintf(expected + used, sizeof expected - used, "send %d: %d\n", i, words[i]);
        if (words[i] < 0)
          used += (size_t)snprintf(expected + used, sizeof expected - used, "halve %d of %s\n", words[i],
                                   words[i] % 2 == 0 ? "two" : "one and a bit");
        used += (size_t)snprintf(expected + used, sizeof expected - used, "keep %d,%d %.1f\n", i, words[i] / 2,
                                 words[i] / 2 * 0.5);
      }
      sort_lines(expected);
      print_of(&sides[d], words, found, got);
      cr_assert_str_eq(got, expected, "device %d, round %d: expected:\n%s\ngot:\n%s", d, round, expected, got);
      for (int i = 0; i < PRINTED; i++)
        cr_assert_eq(found[i], words[i] / 2);
    }
}

// Each of three copies keeps the largest number that it has seen, and passes on the other one: a sort in a row.
Test(pipeline_channels, copies_of_an_autorun_kernel_are_pipelines_of_their_own) {
  enum { COUNT = 500, COPIES = 3 };
  static cl_int numbers[COUNT], found[COUNT];
  static struct side sides[2];
  open_sides(sides, "autorun");
  for (int i = 0; i < COUNT; i++)
    numbers[i] = (i * 7919 + 13) % 1009;
  for (int d = 0; d < 2; d++)
    for (int round = 0; round < 2; round++) {
      cl_int largest[COPIES] = {INT_MIN, INT_MIN, INT_MIN};
      cl_mem in = words_of(&sides[d], sizeof numbers, numbers), out = words_of(&sides[d], sizeof found, NULL);
      begin(&sides[d], "feed_row", COUNT, &in, NULL);
      cl_command_queue queue = begin(&sides[d], "drain_row", COUNT, &out, NULL);
      OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
      for (int i = 0; i < COUNT; i++) {
        cl_int value = numbers[i];
        for (int c = 0; c < COPIES; c++) {
          const cl_int kept = largest[c];
          largest[c] = value > kept ? value : kept;
          value = value > kept ? kept : value;
        }
        cr_assert_eq(found[i], value, "device %d, round %d: packet %d is %d, not %d", d, round, i, found[i], value);
      }
      clReleaseMemObject(in);
      clReleaseMemObject(out);
    }
}

// The kernels of channels.cl, of which the second and third one take `taken` rows; returns when they have ended.
static void begin_three(const struct side *side, cl_uint count, cl_uint taken, cl_mem in, cl_mem out) {
  cl_command_queue queues[KERNELS] = {begin(side, "load", count, &in, NULL), begin(side, "add_up", taken, NULL, NULL),
                                      begin(side, "store", taken, &out, NULL)};
  for (int i = 0; i < KERNELS; i++)
    clFinish(queues[i]);
}

// ---- programs that wait, share buffers, or read less than is written

static cl_int to_send[8];

static void *wait_for_feed(void *user) {
  struct side *side = user;
  cl_event event = NULL;
  cl_int status;
  cl_mem in = words_of(side, sizeof to_send, to_send);
  OK(clFinish(begin(side, "feed", 8, &in, &event)));
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_COMPLETE, "the writer ends with %d: %s", status, side->told);
  clReleaseMemObject(in);
  return NULL;
}

// The device has no programmable unit, so that it cannot run alone.
Test(pipeline_channels, a_writer_that_a_thread_waits_for_waits_for_its_reader_from_another) {
  static struct side sides[2];
  cl_int found[8][2];
  pthread_t thread;
  open_sides(sides, "autorun");
  for (int round = 0; round < 4; round++) {
    cl_mem out = words_of(&sides[0], sizeof found, NULL);
    for (int i = 0; i < 8; i++)
      to_send[i] = 100 * round + i;
    cr_assert_eq(pthread_create(&thread, NULL, wait_for_feed, &sides[0]), 0);
    if (round % 2 != 0)
      nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);  // either may come first
    cl_command_queue queue = begin(&sides[0], "drain", 8, &out, NULL);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    cr_assert_eq(pthread_join(thread, NULL), 0);
    for (int i = 0; i < 8; i++)
      cr_assert_eq(found[i][0], 2 * to_send[i], "round %d: packet %d is %d", round, i, found[i][0]);
    clReleaseMemObject(out);
  }
}

Test(pipeline_channels, kernels_with_channels_between_them_may_share_a_buffer) {
  enum { COUNT = 100 };
  static struct side sides[2];
  static cl_int words[2 * COUNT];
  open_sides(sides, "autorun");
  for (int d = 0; d < 2; d++) {
    for (int i = 0; i < 2 * COUNT; i++)
      words[i] = i;
    cl_mem both = words_of(&sides[d], sizeof words, words);
    begin(&sides[d], "feed_row", COUNT, &both, NULL);
    cl_command_queue queue = begin(&sides[d], "drain_row", COUNT, &both, NULL);
    OK(clEnqueueReadBuffer(queue, both, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    // Numbers that grow: the three largest of those before stay, and the rest comes out in order.
    for (int i = 0; i < 2 * COUNT; i++)
      cr_assert_eq(words[i], i < 3 ? INT_MIN : i < COUNT ? i - 3 : i, "device %d: word %d is %d", d, i, words[i]);
    clReleaseMemObject(both);
  }
}

Test(pipeline_channels, packets_that_are_left_are_said_to_be_what_is_wrong) {
  static const int order[KERNELS] = {0, 1, 2};
  static cl_uint rows[ROW_WORDS * 20], sums[20];
  static struct side sides[2];
  open_sides(sides, "channels");
  cl_mem in = words_of(&sides[0], sizeof rows, rows), out = words_of(&sides[0], sizeof sums, NULL);
  begin_three(&sides[0], 20, 10, in, out);
  begin_three(&sides[0], 10, 10, in, out);
  cr_assert(strstr(sides[0].told, "has packets that an earlier run has left"), "%s", sides[0].told);
  // Another program of the same source is as ever.
  struct side again;
  open_side(&again, sides[0].device, "tests/pipeline/channels.cl");
  in = words_of(&again, sizeof rows, rows), out = words_of(&again, sizeof sums, NULL);
  cr_assert_gt(run(&again, order, 20, in, out), 0);
}

// In memory the two would wait for each other.
Test(pipeline_channels, reads_that_do_not_wait_hold_up_nothing_on_the_chip) {
  enum { COUNT = 60 };
  static cl_int found[COUNT];
  static struct side sides[2];
  cl_uint polls = 0;
  open_sides(sides, "autorun");
  for (int round = 0; round < 2; round++) {
    cl_mem out = words_of(&sides[0], sizeof found, NULL), empty = words_of(&sides[0], sizeof polls, NULL);
    begin(&sides[0], "ask", COUNT, &out, NULL);
    cl_command_queue queue = begin(&sides[0], "serve", 0, &empty, NULL);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, empty, CL_TRUE, 0, sizeof polls, &polls, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
      cr_assert_eq(found[i], i * i, "round %d: %d is %d", round, i, found[i]);
    cr_expect_gt(polls, 0, "no poll found nothing");
    begin(&sides[0], "question", COUNT, &out, NULL);
    queue = begin(&sides[0], "reply", 0, NULL, NULL);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
      cr_assert_eq(found[i], 3 * i, "round %d: %d is %d", round, i, found[i]);
    clReleaseMemObject(out);
    clReleaseMemObject(empty);
  }
}

Test(pipeline_channels, a_program_does_not_enqueue_autorun_kernels) {
  static struct side sides[2];
  cl_int error;
  const size_t one = 1;
  open_sides(sides, "autorun");
  for (int d = 0; d < 2; d++) {
    cl_kernel kernel = clCreateKernel(sides[d].program, "twice", &error);
    OK(error);
    error = clEnqueueNDRangeKernel(queue_of(&sides[d]), kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    cr_assert_eq(error, CL_INVALID_OPERATION, "%d", error);
    cr_assert(strstr(sides[d].told, "it is an autorun kernel"), "%s", sides[d].told);
  }
}
