// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a device on its own chip, by UIO: results, memory that both share without a
// copy, interrupts, and a name for what is wrong.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/mmio_bed.h"

TestSuite(mmio, .timeout = 60);

static void plug(const struct mmio_bed *how) {
  mmio_bed_plug(how);
  setenv("HEDDLE_UIO", "/dev/uio0", 1);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

// ---- Results

Test(mmio, runs_collectives) {
  plug(NULL);
  cr_assert(is_called(board_now(), "Heddle board by UIO"));
  expect_scan(1024);
  expect_words_back(64 * 1024 / 4);
}

Test(mmio, runs_collectives_without_a_command_processor) {
  plug(&(struct mmio_bed){.no_processor = true});
  expect_scan(1024);
}

// The registers of a device on a bus, and when its stores are in memory, are rtl/axi's own here.
Test(mmio, runs_collectives_on_the_verilated_bus, .timeout = 300) {
  plug(&(struct mmio_bed){.verilated = true});
  expect_scan(256);
  expect_words_back(1024);
  cr_assert(mmio_bed_figures().interrupts > 0, "no interrupt came");
}

Test(mmio, reports_a_fault_and_runs_the_next_kernel) {
  plug(NULL);
  expect_fault();
  expect_scan(64);
}

Test(mmio, gives_nothing_that_another_process_left) {
  static uint8_t back[64 * 1024], none[sizeof back];
  cl_int error;
  plug(NULL);
  memset(mmio_bed_memory(), 0xA5, MMIO_BED_MEMORY_BYTES);
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, sizeof back, NULL, &error);
  EXPECT_SUCCESS(error);
  read_buffer(buffer, back, sizeof back);
  cr_assert(memcmp(back, none, sizeof back) == 0, "a new buffer has what was in memory before");
}

// ---- Memory that both share

static const char increment_source[] = "kernel void k(global uint *p) { p[get_global_id(0)] += 1; }";

static uint32_t *map_words(cl_mem buffer, size_t bytes, cl_map_flags flags) {
  cl_int error;
  uint32_t *words = clEnqueueMapBuffer(harness()->queue, buffer, CL_TRUE, flags, 0, bytes, 0, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  return words;
}

static void unmap(cl_mem buffer, void *pointer) {
  EXPECT_SUCCESS(clEnqueueUnmapMemObject(harness()->queue, buffer, pointer, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(harness()->queue));
}

// Where words of the program's are in the device's memory, which this process has mapped elsewhere: their values are
// changed there and are seen here. Fails if they are a copy.
static uint32_t *find_in_memory(uint32_t *words) {
  static const uint32_t MARK[] = {0x5EA4C0DE, 0x0DDBA11, 0xF00DF00D, 0x12345678};
  uint32_t before[4];
  memcpy(before, words, sizeof before);
  memcpy(words, MARK, sizeof MARK);
  uint32_t *found = NULL;
  for (uint32_t at = HEDDLE_PROCESSOR_END; at + sizeof MARK <= MMIO_BED_MEMORY_BYTES && !found; at += 4)
    if (memcmp(mmio_bed_memory() + at, MARK, sizeof MARK) == 0)
      found = (uint32_t *)(void *)(mmio_bed_memory() + at);
  cr_assert(found, "what is mapped is not the device's memory");
  found[1] = 77;
  cr_assert(words[1] == 77, "what is mapped is not the device's memory");
  memcpy(words, before, sizeof before);
  return found;
}

Test(mmio, mapping_a_buffer_gives_the_memory_that_kernels_use) {
  enum { WORDS = 4096 };
  cl_int error;
  plug(NULL);
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_ALLOC_HOST_PTR, 4 * WORDS, NULL, &error);
  EXPECT_SUCCESS(error);
  uint32_t *words = map_words(buffer, 4 * WORDS, CL_MAP_READ | CL_MAP_WRITE);
  const uint32_t *in_memory = find_in_memory(words);
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i;
  unmap(buffer, words);
  cl_kernel kernel = kernel_of(build(increment_source, "-cl-std=CL3.0"), "k");
  set_args(kernel, ARG(buffer), END_ARGS);
  run_1d(kernel, WORDS, 8);
  for (uint32_t i = 0; i < WORDS; i++)
    cr_assert(in_memory[i] == i + 1, "word %u in memory is %u", i, in_memory[i]);
  cr_assert(map_words(buffer, 4 * WORDS, CL_MAP_READ) == words, "it is mapped elsewhere now");
  for (uint32_t i = 0; i < WORDS; i++)
    cr_assert(words[i] == i + 1, "word %u as mapped is %u", i, words[i]);
  unmap(buffer, words);
}

Test(mmio, buffer_with_first_contents_is_in_the_memory_that_kernels_use) {
  enum { WORDS = 64 };
  uint32_t contents[WORDS];
  plug(NULL);
  for (uint32_t i = 0; i < WORDS; i++)
    contents[i] = 3 * i;
  cl_mem buffer = buffer_with(contents, sizeof contents);
  uint32_t *words = map_words(buffer, sizeof contents, CL_MAP_READ);
  expect_u32("contents", contents, words, WORDS);
  find_in_memory(words);
  unmap(buffer, words);
}

Test(mmio, buffer_on_a_pointer_into_shared_memory_is_that_memory) {
  enum { WORDS = 256, HALF = WORDS / 2 };
  cl_int error;
  plug(NULL);
  cl_mem all = clCreateBuffer(harness()->context, CL_MEM_ALLOC_HOST_PTR, 4 * WORDS, NULL, &error);
  EXPECT_SUCCESS(error);
  uint32_t *words = map_words(all, 4 * WORDS, CL_MAP_READ | CL_MAP_WRITE);
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i;
  cl_mem half = clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR, 4 * HALF, words + HALF, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(build(increment_source, "-cl-std=CL3.0"), "k");
  set_args(kernel, ARG(half), END_ARGS);
  run_1d(kernel, HALF, 8);
  cr_assert(map_words(half, 4 * HALF, CL_MAP_READ) == words + HALF);
  for (uint32_t i = 0; i < WORDS; i++)
    cr_assert(words[i] == (i < HALF ? i : i + 1), "word %u is %u", i, words[i]);
  unmap(half, words + HALF);
  EXPECT_SUCCESS(clReleaseMemObject(half));
  unmap(all, words);
}

// Its memory is the program's own, which the device does not reach: it is copied, and is right all the same.
Test(mmio, buffer_on_a_pointer_elsewhere_gets_its_results) {
  enum { WORDS = 256 };
  static uint32_t own[WORDS + 1];
  cl_int error;
  plug(NULL);
  for (uint32_t i = 0; i < WORDS; i++)
    own[i] = i;
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR, 4 * WORDS, own, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(build(increment_source, "-cl-std=CL3.0"), "k");
  set_args(kernel, ARG(buffer), END_ARGS);
  run_1d(kernel, WORDS, 8);
  cr_assert(map_words(buffer, 4 * WORDS, CL_MAP_READ) == own);
  for (uint32_t i = 0; i < WORDS; i++)
    cr_assert(own[i] == i + 1, "word %u is %u", i, own[i]);
  unmap(buffer, own);
}

// Stores to registers for a kernel that changes so many bytes, which are mapped before and afterwards.
static unsigned stores_for(cl_kernel kernel, size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
  EXPECT_SUCCESS(error);
  set_args(kernel, ARG(buffer), END_ARGS);
  uint32_t *words = map_words(buffer, bytes, CL_MAP_WRITE);
  for (size_t i = 0; i < bytes / 4; i++)
    words[i] = (uint32_t)i;
  const struct mmio_bed_figures before = mmio_bed_figures();
  unmap(buffer, words);
  run_1d(kernel, bytes / 4, 32);
  words = map_words(buffer, bytes, CL_MAP_READ);
  const struct mmio_bed_figures after = mmio_bed_figures();
  for (size_t i = 0; i < bytes / 4; i++)
    cr_assert(words[i] == i + 1, "word %zu is %u", i, words[i]);
  unmap(buffer, words);
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
  return after.stores - before.stores;
}

Test(mmio, kernel_over_1_MiB_moves_no_byte_over_control) {
  plug(NULL);
  cl_kernel kernel = kernel_of(build(increment_source, "-cl-std=CL3.0"), "k");
  stores_for(kernel, 4096);  // what the first kernel of a device needs besides
  const unsigned few = stores_for(kernel, 4096), many = stores_for(kernel, 1 << 20);
  // Waking up for nothing clears INTERRUPT, too.
  cr_assert(many <= few + 8 && few < 32, "%u stores for 4 KiB, %u for 1 MiB", few, many);
}

Test(mmio, memory_may_be_a_file_that_a_variable_names) {
  plug(&(struct mmio_bed){.memory_address = ""});
  setenv("HEDDLE_UIO_MEMORY", mmio_bed_memory_file(), 1);
  expect_scan(1024);
}

// ---- A device that goes

Test(mmio, device_that_is_pulled_out_ends_its_events_and_later_calls) {
  plug(NULL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), mmio_bed_pull_out);
}

Test(mmio, device_of_which_all_reads_ones_ends_its_events_and_later_calls) {
  plug(NULL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), mmio_bed_fall_off_the_bus);
}

Test(mmio, program_lives_on_when_memory_that_it_has_mapped_goes) {
  uint32_t word = 0;
  plug(NULL);
  cl_mem buffer = buffer_with(NULL, 1 << 20);
  const uint32_t *words = map_words(buffer, 1 << 20, CL_MAP_READ | CL_MAP_WRITE);
  mmio_bed_pull_out();
  cr_assert(words[0] == UINT32_MAX && words[(1 << 18) - 1] == UINT32_MAX);
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE,
              clEnqueueReadBuffer(harness()->queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
  expect_unavailable("/dev/uio0 is gone");
}

// ---- The interrupt

// Of a kernel that is still at work when the host has no more to do than to wait.
Test(mmio, end_is_told_by_interrupt) {
  plug(NULL);
  cl_kernel kernel =
      kernel_of(build("kernel void k(global uint *p) { for (uint i = 0; i < 1000000; i++) p[0] = i; }", ""), "k");
  cl_mem buffer = buffer_with(NULL, 4);
  set_args(kernel, ARG(buffer), END_ARGS);
  const unsigned before = mmio_bed_figures().interrupts;
  run_1d(kernel, 1, 1);
  cr_assert(mmio_bed_figures().interrupts > before, "no interrupt came");
}

Test(mmio, device_without_an_interrupt_is_asked) {
  plug(&(struct mmio_bed){.no_interrupt = true});
  expect_scan(1024);
  cr_assert(mmio_bed_figures().interrupts == 0);
}

static void run_one(const char *source) {
  const size_t one = 1;
  cl_event event;
  cl_int status = 1, error;
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 4, NULL, &error);
  EXPECT_SUCCESS(error);
  set_args(kernel, ARG(buffer), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE, status);
}

Test(mmio, interrupts_that_others_ask_for_do_no_harm) {
  plug(&(struct mmio_bed){.interrupt_is_anybodys = true});
  expect_scan(1024);
  expect_fault();
  expect_scan(64);
}

Test(mmio, interrupt_that_never_comes_is_an_error_with_a_name) {
  plug(&(struct mmio_bed){.interrupt_is_lost = true});
  run_one("kernel void k(global uint *p) { for (uint i = 0; i < 1000000; i++) p[0] = i; }");
  expect_unavailable("its interrupt did not come within 2000 ms");
}

Test(mmio, clock_that_stands_still_is_an_error_with_a_name) {
  plug(&(struct mmio_bed){.clock_stands = true});
  run_one(increment_source);
  expect_unavailable("its clock stands still");
}

// ---- Devices that cannot be used

Test(mmio, device_of_somebody_else_is_refused_by_its_name) {
  plug(&(struct mmio_bed){.name = "dma-controller"});
  expect_unavailable("/dev/uio0 is the device \"dma-controller\", not one of Heddle");
  cr_assert(mmio_bed_figures().loads == 0 && mmio_bed_figures().stores == 0, "its registers were touched");
}

static void expect_refused(struct mmio_bed how, const char *why) {
  plug(&how);
  expect_unavailable(why);
  cr_assert(mmio_bed_figures().stores == 0, "it was written to");
}

Test(mmio, what_has_the_name_and_other_registers_is_refused) {
  expect_refused((struct mmio_bed){.lies = true, .false_register = HEDDLE_REG_MAGIC, .false_value = 0x12345678},
                 "what answers at map 0 of /dev/uio0 is no Heddle device: its first word is 0x12345678");
}

Test(mmio, control_that_is_too_small_is_refused) {
  expect_refused((struct mmio_bed){.control_bytes = "0x800"}, "map 0 of /dev/uio0 has 2048 bytes");
}

Test(mmio, control_whose_size_is_no_number_is_refused) {
  expect_refused((struct mmio_bed){.control_bytes = "0x1000 and more"}, "has no map 0");
}

Test(mmio, missing_memory_is_said) {
  expect_refused((struct mmio_bed){.memory_address = ""}, "has no map 1 for the device's memory");
}

Test(mmio, memory_that_is_too_small_is_refused) {
  expect_refused((struct mmio_bed){.memory_bytes = "0x1000"},
                 "map 1 of /dev/uio0 has 4096 bytes, the device's memory 8388608");
}

Test(mmio, memory_elsewhere_is_refused) {
  expect_refused((struct mmio_bed){.memory_address = "0xa0000000"},
                 "map 1 of /dev/uio0 begins at 0xa0000000, the device's memory at 0x90000000");
}

Test(mmio, device_without_memory_is_refused) {
  expect_refused((struct mmio_bed){.lies = true, .false_register = HEDDLE_REG_GLOBAL_BYTES, .false_value = 0},
                 "says that it has 0 bytes of memory, which cannot be");
}

Test(mmio, device_with_more_memory_than_there_can_be_is_refused) {
  expect_refused((struct mmio_bed){.lies = true, .false_register = HEDDLE_REG_GLOBAL_BYTES, .false_value = 0xFFFFFFFF},
                 "says that it has 4294967295 bytes of memory, which cannot be");
}

Test(mmio, device_of_another_contract_is_refused) {
  plug(&(struct mmio_bed){.lies = true, .false_register = HEDDLE_REG_VERSION, .false_value = 9999});
  expect_unavailable("version 9999 of the device contract");
}

Test(mmio, memory_of_a_file_that_is_too_short_is_refused) {
  plug(NULL);
  const int file = open(mmio_bed_memory_file(), O_RDWR | O_CLOEXEC);
  cr_assert(file >= 0 && ftruncate(file, 4096) == 0 && close(file) == 0);
  setenv("HEDDLE_UIO_MEMORY", mmio_bed_memory_file(), 1);
  expect_unavailable("has 4096 bytes, the device's memory 8388608");
}

Test(mmio, memory_of_no_file_is_said) {
  plug(NULL);
  setenv("HEDDLE_UIO_MEMORY", "/dev/no-such-memory", 1);
  expect_unavailable("there is no /dev/no-such-memory: is its driver loaded? HEDDLE_UIO_MEMORY names it");
}

Test(mmio, device_that_is_not_there_is_said) {
  plug(NULL);
  setenv("HEDDLE_UIO", "/dev/uio7", 1);
  expect_unavailable("there is no /dev/uio7: is its driver loaded? HEDDLE_UIO names it");
}

Test(mmio, more_devices_than_there_is_room_for_are_refused) {
  plug(NULL);
  setenv("HEDDLE_UIO", "/dev/uio0,/dev/uio1,/dev/uio2,/dev/uio3,/dev/uio4", 1);
  expect_unavailable("HEDDLE_UIO names more than 4 devices");
}

Test(mmio, file_that_is_no_uio_device_is_left_alone) {
  plug(NULL);
  setenv("HEDDLE_UIO", "/dev/uio0/../sda", 1);
  expect_unavailable("HEDDLE_UIO names UIO devices such as /dev/uio0, not '/dev/uio0/../sda'");
}

Test(mmio, second_process_is_told_that_it_is_taken) {
  plug(NULL);
  const int file = open("/dev/uio0", O_RDWR | O_CLOEXEC);
  cr_assert(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0);
  expect_unavailable("/dev/uio0 is in use by process");
  close(file);
}

Test(mmio, first_of_several_that_is_not_there_leaves_the_second) {
  cl_device_id devices[32];
  plug(NULL);
  setenv("HEDDLE_UIO", "/dev/uio7,/dev/uio0", 1);
  const cl_uint count = devices_now(devices);
  cr_assert(count >= 2 && !is_available(devices[0]) && is_available(devices[1]));
}
