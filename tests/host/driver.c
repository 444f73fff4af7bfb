// SPDX-License-Identifier: Apache-2.0
// The driver on the fake device: what it believes, what it writes, what it brings back.
#include "host/device/driver.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "host/transport/sim.h"
#include "tests/host/fake_device.h"

static struct heddle_link link_to;  // of the device that open_device made; the driver's own

static int open_or_say_why(struct heddle_device **device, struct heddle_error *error) {
  *error = (struct heddle_error){""};
  cr_assert_eq(heddle_sim_open(HEDDLE_SIM_MODEL, &link_to, error), 0, "%s", error->text);
  const int result = heddle_device_open(&link_to, device, error);
  cr_assert((result == 0) == (error->text[0] == 0));
  return result;
}

static int open_device(struct heddle_device **device) {
  struct heddle_error error;
  return open_or_say_why(device, &error);
}

static struct heddle_device *good_device(void) {
  struct heddle_device *device = NULL;
  cr_assert_eq(open_device(&device), 0);
  return device;
}

static uint32_t register_at(uint32_t offset) {
  uint32_t value = 0;
  cr_assert_eq(link_to.transport->read(link_to.state, HEDDLE_CONTROL_BASE + offset, &value, 4), 0);
  return value;
}

static uint32_t dispatch_word(uint32_t word) {
  uint32_t value = 0;
  const uint32_t address = register_at(HEDDLE_REG_DISPATCH) + 4 * word;
  cr_assert_eq(link_to.transport->read(link_to.state, address, &value, 4), 0);
  return value;
}

static uint32_t packet_word(uint32_t word) {
  return dispatch_word(HEDDLE_DISPATCH_PACKET + word);
}

// A dispatch of the code word `instruction`, placed in the device's memory.
static struct heddle_dispatch dispatch_of(struct heddle_device *device, uint32_t instruction) {
  struct heddle_dispatch dispatch = {
      .work_dim = 2, .global_size = {20, 3, 1}, .local_size = {8, 2, 1}, .sub_group_size = 4, .local_bytes = 48};
  cr_assert_eq(heddle_device_allocate(device, 64, 4096, &dispatch.entry), 0);
  cr_assert_eq(heddle_device_write(device, dispatch.entry, &instruction, 4), 0);
  return dispatch;
}

Test(driver, reads_the_capability_block) {
  struct heddle_device *device = good_device();
  const struct heddle_capabilities *capabilities = heddle_device_capability(device);
  cr_assert_eq(capabilities->lanes, FAKE_LANES);
  cr_assert_eq(capabilities->slots, FAKE_SLOTS);
  cr_assert_eq(capabilities->global_bytes, FAKE_GLOBAL_BYTES);
  cr_assert_eq(capabilities->units, 1);
  cr_assert_eq(capabilities->memory_channels, FAKE_MEMORY_CHANNELS);
  cr_assert_str_eq(capabilities->isa, "rv32im_zicsr");
  heddle_device_close(device);
}

Test(driver, a_device_that_does_not_tell_its_memory_channels_has_one) {
  fake_device_lie(HEDDLE_REG_MEMORY_CHANNELS, 0);
  struct heddle_device *device = good_device();
  cr_assert_eq(heddle_device_capability(device)->memory_channels, 1);
  heddle_device_close(device);
}

Test(driver, a_command_processor_in_kernels_memory_is_none) {
  struct heddle_device *device = NULL;
  fake_device_lie(HEDDLE_REG_FEATURES, HEDDLE_FEATURE_PROCESSOR);
  cr_assert_eq(open_device(&device), -EIO);
}

Test(driver, what_lies_below_the_first_global_address_is_not_handed_out) {
  fake_device_lie(HEDDLE_REG_FIRST_GLOBAL, HEDDLE_PROCESSOR_END);
  struct heddle_device *device = good_device();
  const uint32_t room = FAKE_GLOBAL_BYTES - HEDDLE_PROCESSOR_END;
  uint32_t address = 0;
  cr_assert_eq(heddle_device_allocate(device, room + 1, 1, &address), -ENOMEM);
  cr_assert_eq(heddle_device_allocate(device, room, 1, &address), 0);
  cr_assert_eq(address, HEDDLE_PROCESSOR_END);
  heddle_device_close(device);
}

Test(driver, refuses_what_is_no_device) {
  static const uint32_t lies[][2] = {{HEDDLE_REG_VERSION, 2},
                                     {HEDDLE_REG_LANES, 3},
                                     {HEDDLE_REG_LANES, 64},
                                     {HEDDLE_REG_SLOTS, 0},
                                     {HEDDLE_REG_UNITS, 0},
                                     {HEDDLE_REG_UNITS, 0x80000000},
                                     {HEDDLE_REG_GLOBAL_BYTES, 0x1000},
                                     {HEDDLE_REG_FIRST_GLOBAL, 0},
                                     {HEDDLE_REG_FIRST_GLOBAL, FAKE_GLOBAL_BYTES},
                                     {HEDDLE_REG_LINE_BYTES, 5},
                                     {HEDDLE_REG_CLOCK_KHZ, 0},
                                     {HEDDLE_REG_GLOBAL_BYTES, 0x90000000},
                                     {HEDDLE_REG_LOCAL_MEMORY_BYTES, 0xFFFFFFFF},
                                     {HEDDLE_REG_MEMORY_CHANNELS, 65},
                                     {HEDDLE_REG_ISA, 0}};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    struct heddle_device *device = NULL;
    fake_device_lie(lies[i][0], lies[i][1]);
    cr_assert_eq(open_device(&device), -EIO, "register 0x%x = 0x%x was believed", lies[i][0], lies[i][1]);
  }
}

Test(driver, refuses_a_device_whose_memory_does_not_work_and_says_so) {
  struct heddle_device *device = NULL;
  struct heddle_error error;
  fake_device_lie(HEDDLE_REG_MEMORY_LATENCY, HEDDLE_MEMORY_FAILED);
  cr_assert_eq(open_or_say_why(&device, &error), -EIO);
  cr_expect(strstr(error.text, "memory does not work"), "its message: %s", error.text);
}

Test(driver, writes_the_dispatch_and_its_packet) {
  struct heddle_device *device = good_device();
  const uint32_t arguments[2] = {0x11111111, 0x22222222};
  struct heddle_dispatch dispatch = dispatch_of(device, 0);
  struct heddle_figures figures;
  struct heddle_fault fault;
  uint32_t packet[HEDDLE_PACKET_WORDS + 2];
  dispatch.global_offset[1] = 7;
  dispatch.arguments = arguments;
  dispatch.argument_bytes = sizeof arguments;
  dispatch.budget = UINT64_C(0x500000006);
  // An empty device queue, which holds nothing.
  uint32_t queue[HEDDLE_QUEUE_HEADER_WORDS] = {0};
  cr_assert_eq(heddle_device_allocate(device, sizeof queue, HEDDLE_QUEUE_ALIGNMENT, &dispatch.device_queue), 0);
  queue[HEDDLE_QUEUE_COMMANDS] = queue[HEDDLE_QUEUE_EVENTS] = dispatch.device_queue;
  cr_assert_eq(heddle_device_write(device, dispatch.device_queue, queue, sizeof queue), 0);
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert_eq(figures.groups_done, 6);
  cr_assert_eq(figures.cycles, 6);
  cr_assert_eq(figures.issues, 18);
  const uint32_t address = register_at(HEDDLE_REG_DISPATCH);
  cr_assert_eq(address % HEDDLE_DISPATCH_ALIGNMENT, 0);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_ENTRY), dispatch.entry);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_SUB_GROUP_LOG2), 2);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_LOCAL_BYTES), 48);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_PRIVATE_LOG2), 12);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_PRIVATE_BASE) % 32, 0);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_BUDGET), 6);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_BUDGET + 1), 5);
  for (uint32_t word = HEDDLE_DISPATCH_BUDGET + 2; word < HEDDLE_DISPATCH_QUEUE; word++)
    cr_assert_eq(dispatch_word(word), 0);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_QUEUE), dispatch.device_queue);
  cr_assert_eq(heddle_device_read(device, dispatch.device_queue, queue, sizeof queue), 0);
  cr_assert_eq(queue[HEDDLE_QUEUE_PRIVATE_BASE], dispatch_word(HEDDLE_DISPATCH_PRIVATE_BASE));
  cr_assert_eq(queue[HEDDLE_QUEUE_PRIVATE_LOG2], 12);
  cr_assert_eq(queue[HEDDLE_QUEUE_PRINTF], 0);
  cr_assert_eq(heddle_device_read(device, address + 4 * HEDDLE_DISPATCH_PACKET, packet, sizeof packet), 0);
  static const uint32_t expected[HEDDLE_PACKET_WORDS + 2] = {2, 20, 3, 1, 0, 7, 0, 8,          2,
                                                             1, 3,  2, 1, 4, 4, 0, 0x11111111, 0x22222222};
  for (int i = 0; i < HEDDLE_PACKET_WORDS + 2; i++)
    cr_assert_eq(packet[i], expected[i], "packet word %d: expected %u, got %u", i, expected[i], packet[i]);
  heddle_device_close(device);
}

// With atomic instructions: one buffer, empty at each start, of which no more comes back than there is.
Test(driver, brings_back_what_work_items_print) {
  fake_device_lie(HEDDLE_REG_ISA + 4, 0x5F616D69);  // "ima_"
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, 0);
  struct heddle_printed printed = {0};
  struct heddle_figures figures;
  struct heddle_fault fault;
  const uint32_t capacity = heddle_printf_capacity(heddle_device_capability(device));
  uint32_t buffer = 0, got[8];
  cr_assert_eq(capacity, FAKE_GLOBAL_BYTES / 16);
  dispatch.printed = &printed;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert(printed.records && printed.bytes == 0 && printed.lost == 0);
  free(printed.records);
  buffer = packet_word(HEDDLE_PACKET_PRINTF);
  cr_assert_eq(buffer % 64, 0);
  static const uint32_t left[2][8] = {{8, 3, 0, 0, 41, 42, 43, 44}, {0xFFFFFFF0, 5}};
  for (int i = 0; i < 2; i++) {
    fake_device_leave(buffer, left[i], sizeof left[i]);
    printed = (struct heddle_printed){0};
    cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
    cr_assert_eq(printed.lost, left[i][1]);
    cr_assert_eq(printed.bytes, i == 0 ? 8 : capacity);
    if (i == 0)
      cr_assert_arr_eq(printed.records, &left[0][4], 8);
    free(printed.records);
  }
  printed = (struct heddle_printed){0};
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  free(printed.records);
  cr_assert_eq(heddle_device_read(device, buffer, got, sizeof got), 0);
  const uint32_t empty[8] = {0, 0, capacity};
  cr_assert_arr_eq(got, empty, sizeof empty);
  heddle_device_close(device);
}

// The fake device has no atomic instructions: each lane has a printf buffer below its stack, in rows.
Test(driver, brings_back_what_lanes_print) {
  enum { LOG2 = 14, ROW = 4 * FAKE_LANES };
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, 0);
  struct heddle_printed printed = {0};
  struct heddle_figures figures;
  struct heddle_fault fault;
  uint32_t rows[5][FAKE_LANES];
  cr_assert_eq(heddle_printf_capacity(heddle_device_capability(device)), FAKE_GLOBAL_BYTES / 16 / 4 / 8);
  dispatch.printed = &printed;
  dispatch.stack_bytes = 112;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert(printed.records && printed.bytes == 0 && printed.lost == 0);
  free(printed.records);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_PRIVATE_LOG2), LOG2);
  cr_assert_eq(packet_word(HEDDLE_PACKET_PRINTF), HEDDLE_PRIVATE_BASE);
  const uint32_t base = dispatch_word(HEDDLE_DISPATCH_PRIVATE_BASE), slot = base + 7 * (FAKE_LANES << LOG2);
  cr_assert_eq(heddle_device_read(device, slot, rows, sizeof rows), 0);
  for (int lane = 0; lane < FAKE_LANES; lane++)
    cr_assert(rows[0][lane] == 0 && rows[1][lane] == 0 && rows[2][lane] == (1 << LOG2) - 112 - 16);

  // What a dispatch leaves: two words of lane 1, one of lane 3, of the last slot.
  static const uint32_t counts[2][FAKE_LANES] = {{0, 8, 0, 4}, {0, 0, 2, 1}};
  static const uint32_t values[2][FAKE_LANES] = {{90, 11, 92, 13}, {94, 21, 96, 97}};
  fake_device_leave(slot, counts, sizeof counts);
  fake_device_leave(slot + 4 * ROW, values, sizeof values);
  printed = (struct heddle_printed){0};
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  static const uint32_t expected[3] = {11, 21, 13};
  cr_assert_eq(printed.bytes, sizeof expected);
  cr_assert_arr_eq(printed.records, expected, sizeof expected);
  cr_assert_eq(printed.lost, 3);
  free(printed.records);
  heddle_device_close(device);
}

// Slot s of unit u is number u * SLOTS + s, to its private memory and so to what its lanes print.
Test(driver, every_unit_has_private_memory_and_prints) {
  enum { UNITS = 3, LOG2 = 12, WINDOW = FAKE_LANES << LOG2, ROW = 4 * FAKE_LANES };
  fake_device_lie(HEDDLE_REG_UNITS, UNITS);
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, 0);
  struct heddle_printed printed = {0};
  struct heddle_figures figures;
  struct heddle_fault fault;
  uint32_t next = 0, header[3][FAKE_LANES];
  cr_assert_eq(heddle_printf_capacity(heddle_device_capability(device)), 2048, "a 96th of a sixteenth, in whole KiB");
  dispatch.printed = &printed;
  dispatch.stack_bytes = 112;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  free(printed.records);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_PRIVATE_LOG2), LOG2);
  const uint32_t base = dispatch_word(HEDDLE_DISPATCH_PRIVATE_BASE), end = base + UNITS * FAKE_SLOTS * WINDOW;
  for (uint32_t slot = 0; slot < UNITS * FAKE_SLOTS; slot++) {
    cr_assert_eq(heddle_device_read(device, base + slot * WINDOW, header, sizeof header), 0);
    cr_assert_eq(header[HEDDLE_PRINTF_CAPACITY][1], (1 << LOG2) - 112 - 16, "slot %u", slot);
  }
  cr_assert(end <= register_at(HEDDLE_REG_DISPATCH) || base > register_at(HEDDLE_REG_DISPATCH));
  cr_assert_eq(heddle_device_allocate(device, 4096, 4096, &next), 0);
  cr_assert(next >= end || next + 4096 <= base, "0x%x is private memory of a unit", next);

  // The first slot of the first unit and the last of the last print a word in lane 1.
  static const uint32_t counts[2][FAKE_LANES] = {{0, 4}, {0}}, values[2][FAKE_LANES] = {{0, 11}, {0, 22}};
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t slot = base + i * (UNITS * FAKE_SLOTS - 1) * WINDOW;
    fake_device_leave(slot, counts, sizeof counts);
    fake_device_leave(slot + 4 * ROW, values[i], sizeof values[i]);
  }
  printed = (struct heddle_printed){0};
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  static const uint32_t expected[2] = {11, 22};
  cr_assert_eq(printed.bytes, sizeof expected);
  cr_assert_arr_eq(printed.records, expected, sizeof expected);
  free(printed.records);
  heddle_device_close(device);
}

Test(driver, private_memory_grows_with_the_stack) {
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, 0);
  struct heddle_figures figures;
  struct heddle_fault fault;
  dispatch.stack_bytes = 5000;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert_eq(dispatch_word(HEDDLE_DISPATCH_PRIVATE_LOG2), 13);
  dispatch.stack_bytes = 1 << 18;  // 8 MiB in all: more than the device has
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), -ENOMEM);
  dispatch.stack_bytes = 0;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  cr_assert_eq(heddle_private_log2((1 << 20) + 1), 0);
  cr_assert_eq(heddle_private_log2(1 << 20), 20);
  heddle_device_close(device);
}

Test(driver, a_fault_comes_back_and_the_next_dispatch_runs) {
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, FAKE_FAULT + HEDDLE_FAULT_UNMAPPED);
  struct heddle_figures figures;
  struct heddle_fault fault = {0};
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 1);
  cr_assert_eq(fault.reason, HEDDLE_FAULT_UNMAPPED);
  cr_assert_eq(fault.address, 0x123);
  cr_assert_eq(fault.pc, dispatch.entry);
  cr_assert_str_eq(heddle_fault_words(&fault), "access to unmapped memory");
  dispatch = dispatch_of(device, 0);
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, NULL, NULL, &figures, &fault), 0);
  heddle_device_close(device);
}

Test(driver, a_stack_overflow_is_called_one) {
  struct heddle_fault fault = {.reason = HEDDLE_FAULT_OUTSIDE_PRIVATE, .address = HEDDLE_PRIVATE_BASE - 16};
  cr_assert(strstr(heddle_fault_words(&fault), "stack overflow"));
  fault.address = HEDDLE_BELOW_PRIVATE;
  cr_assert(strstr(heddle_fault_words(&fault), "stack overflow"));
  fault.address = HEDDLE_PRIVATE_BASE + 4096;  // beyond the top
  cr_assert_str_eq(heddle_fault_words(&fault), "access outside private memory");
  fault = (struct heddle_fault){.reason = HEDDLE_FAULT_UNMAPPED, .address = HEDDLE_PRIVATE_BASE - 16};
  cr_assert_str_eq(heddle_fault_words(&fault), "access to unmapped memory");
  fault.reason = HEDDLE_FAULT_MEMORY_ERROR;
  cr_assert_str_eq(heddle_fault_words(&fault), "memory error (external memory failed to read or write)");
  fault.reason = HEDDLE_FAULT_NO_RIGHT;
  cr_assert_str_eq(heddle_fault_words(&fault), "access without a right");
  fault.reason = HEDDLE_FAULT_NO_RIGHT + 1;
  cr_assert_str_eq(heddle_fault_words(&fault), "unknown reason");
}

static bool stop_at_the_third(void *user, const struct heddle_figures *figures) {
  int *calls = user;
  cr_assert_gt(figures->cycles, 0);
  return ++*calls < 3;
}

Test(driver, progress_is_reported_and_can_stop_a_dispatch) {
  struct heddle_device *device = good_device();
  struct heddle_dispatch dispatch = dispatch_of(device, FAKE_FOREVER);
  struct heddle_figures figures;
  struct heddle_fault fault = {0};
  int calls = 0;
  cr_assert_eq(heddle_device_dispatch(device, &dispatch, stop_at_the_third, &calls, &figures, &fault), 1);
  cr_assert_eq(calls, 3);
  cr_assert_eq(fault.reason, HEDDLE_FAULT_STOPPED);
  heddle_device_close(device);
}

Test(driver, the_faulting_work_item_is_named) {
  const struct heddle_dispatch dispatch = {
      .global_size = {20, 3, 1}, .global_offset = {100, 10, 0}, .local_size = {8, 2, 1}, .sub_group_size = 4};
  // The work-group at the corner is 4 by 1 work-items large, so work-item 2 is in its first row.
  const struct heddle_fault corner = {.group_id = {2, 1, 0}, .sub_group_id = 0, .lane = 2};
  const struct heddle_fault inner = {.group_id = {1, 0, 0}, .sub_group_id = 2, .lane = 3};
  uint32_t id[3];
  heddle_fault_global_id(&dispatch, &corner, id);
  cr_assert(id[0] == 118 && id[1] == 12 && id[2] == 0, "got (%u, %u, %u)", id[0], id[1], id[2]);
  heddle_fault_global_id(&dispatch, &inner, id);
  cr_assert(id[0] == 111 && id[1] == 11 && id[2] == 0, "got (%u, %u, %u)", id[0], id[1], id[2]);
}

Test(driver, memory_outside_the_device_is_refused) {
  struct heddle_device *device = good_device();
  uint32_t word = 0;
  cr_assert_eq(heddle_device_write(device, 0, &word, 4), -EFAULT);
  cr_assert_eq(heddle_device_read(device, FAKE_GLOBAL_BYTES - 2, &word, 4), -EFAULT);
  cr_assert_eq(heddle_device_read(device, FAKE_GLOBAL_BYTES - 4, &word, 4), 0);
  // Lengths that lead back to memory once the addresses are round.
  const size_t lengths[] = {SIZE_MAX, SIZE_MAX - 3, (size_t)1 << 32, ((size_t)1 << 32) + 4, ((size_t)1 << 32) - 0x2000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    cr_expect_eq(heddle_device_write(device, 0x2000, &word, lengths[i]), -EFAULT, "%zu bytes", lengths[i]);
    cr_expect_eq(heddle_device_read(device, 0x2000, &word, lengths[i]), -EFAULT, "%zu bytes", lengths[i]);
    cr_expect_eq(link_to.transport->write(link_to.state, 0x2000, &word, lengths[i]), -EFAULT, "%zu bytes", lengths[i]);
    cr_expect_eq(link_to.transport->read(link_to.state, 0x2000, &word, lengths[i]), -EFAULT, "%zu bytes", lengths[i]);
  }
  heddle_device_close(device);
}

static void expect_refusal(enum heddle_sim_kind kind, int code, const char *text) {
  struct heddle_error error = {""};
  struct heddle_link link;
  cr_assert_eq(heddle_sim_open(kind, &link, &error), code);
  cr_assert_str_eq(error.text, text);
}

Test(driver, a_simulated_shape_that_is_none_is_named) {
  static const char *const bad[] = {"0", "9", "two", "-1", "1 ", " 1", "1e0", "+1", "18446744073709551617"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char expected[128];
    setenv("HEDDLE_SIM_UNITS", bad[i], 1);
    snprintf(expected, sizeof expected, "HEDDLE_SIM_UNITS must be a number from 1 to 8, not '%s'", bad[i]);
    expect_refusal(HEDDLE_SIM_MODEL, -EINVAL, expected);
    expect_refusal(HEDDLE_SIM_RTL, -EINVAL, expected);
    cr_assert(heddle_sim_present(HEDDLE_SIM_RTL), "a device that is hidden cannot say what is wrong");
  }
  unsetenv("HEDDLE_SIM_UNITS");
  setenv("HEDDLE_MODEL_THREADS", "0", 1);
  expect_refusal(HEDDLE_SIM_MODEL, -EINVAL, "HEDDLE_MODEL_THREADS must be a number from 1 to 16, not '0'");
  setenv("HEDDLE_MODEL_THREADS", "17", 1);
  expect_refusal(HEDDLE_SIM_MODEL, -EINVAL, "HEDDLE_MODEL_THREADS must be a number from 1 to 16, not '17'");
  unsetenv("HEDDLE_MODEL_THREADS");
  setenv("HEDDLE_SIM_LANES", "3", 1);
  expect_refusal(HEDDLE_SIM_MODEL, -EINVAL, "HEDDLE_SIM_LANES must be a power of two from 1 to 32, not '3'");
}

// What a missing device is called, and the command that builds it.
static void expect_missing(const char *shape, const char *file) {
  char expected[512];
  snprintf(expected, sizeof expected,
           "no simulated RTL of %s: %s/%s is missing; 'make build/lib/heddle/%s' in Heddle's sources builds it", shape,
           getenv("HEDDLE_RTL_DIR"), file, file);
  expect_refusal(HEDDLE_SIM_RTL, -ENOENT, expected);
}

Test(driver, the_file_of_a_verilated_shape_is_asked_for_by_name) {
  setenv("HEDDLE_RTL_DIR", "/nowhere", 1);
  expect_missing("8 lanes and 32 slots", "rtl-L8-S32.so");
  setenv("HEDDLE_SIM_UNITS", "1", 1);
  setenv("HEDDLE_SIM_ISA", "rv32i", 1);
  expect_missing("8 lanes and 32 slots with rv32i", "rtl-L8-S32-rv32i.so");
  setenv("HEDDLE_SIM_UNITS", "3", 1);
  setenv("HEDDLE_SIM_SLOTS", "4", 1);
  expect_missing("3 units of 8 lanes and 4 slots with rv32i", "rtl-L8-S4-U3-rv32i.so");
  cr_assert(!heddle_sim_present(HEDDLE_SIM_RTL));
  setenv("HEDDLE_SIM_PROCESSOR", "1", 1);
  expect_missing("3 units of 8 lanes and 4 slots with rv32i", "rtl-L8-S4-U3-rv32i-P.so");
  setenv("HEDDLE_SIM_PROCESSOR", "2", 1);
  expect_refusal(HEDDLE_SIM_RTL, -EINVAL, "HEDDLE_SIM_PROCESSOR must be 0 or 1, not '2'");
  setenv("HEDDLE_SIM_PROCESSOR", "0", 1);
  unsetenv("HEDDLE_SIM_ISA");
  expect_missing("3 units of 8 lanes and 4 slots", "rtl-L8-S4-U3.so");
}

Test(driver, a_verilated_device_that_is_asked_for_and_missing_is_not_hidden) {
  static const char *const asked[][2] = {{"HEDDLE_SIM_LANES", "16"},    {"HEDDLE_SIM_SLOTS", "7"},
                                         {"HEDDLE_SIM_UNITS", "5"},     {"HEDDLE_SIM_PROCESSOR", "1"},
                                         {"HEDDLE_SIM_ISA", "rv32ima"}, {"HEDDLE_SIM_ISA", "foo"},
                                         {"HEDDLE_SIM_ISA", "../rv32i"}};
  char folder[] = "/tmp/heddle-rtl-XXXXXX";
  cr_assert(mkdtemp(folder));
  setenv("HEDDLE_RTL_DIR", folder, 1);
  cr_expect(!heddle_sim_present(HEDDLE_SIM_RTL), "nobody asks for one");
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    setenv(asked[i][0], asked[i][1], 1);
    cr_expect(heddle_sim_present(HEDDLE_SIM_RTL), "%s=%s runs on another device", asked[i][0], asked[i][1]);
    unsetenv(asked[i][0]);
  }
  setenv("HEDDLE_SIM_LANES", "16", 1);
  setenv("HEDDLE_SIM_ISA", "rv32im", 1);
  expect_missing("16 lanes and 32 slots with rv32im", "rtl-L16-S32-rv32im.so");
  setenv("HEDDLE_SIM_ISA", "foo", 1);
  expect_refusal(HEDDLE_SIM_RTL, -EINVAL, "HEDDLE_SIM_ISA must be rv32i, rv32im or rv32ima, not 'foo'");
  rmdir(folder);
}
