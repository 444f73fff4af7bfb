// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a card on PCIe: results, cards that come and go, and cards that cannot be used.
// libheddle.so is as it is installed; pcie_bed.h stands for the kernel and the card.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/pcie_bed.h"
#include "tests/transport/pcie_checks.h"

static void plug_in(enum pcie_bed_board board) {
  pcie_bed_create(board);
  pcie_bed_plug();
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
}

// ---- Results

Test(pcie, runs_collectives_on_the_golden_model) {
  plug_in(PCIE_BED_MODEL);
  expect_scan(1024);
  expect_words_back(65536);
}

Test(pcie, runs_collectives_on_the_verilated_device) {
  plug_in(PCIE_BED_VERILATED);
  expect_scan(64);
}

Test(pcie, reports_a_fault_and_runs_the_next_kernel) {
  plug_in(PCIE_BED_MODEL);
  expect_fault();
  expect_scan(64);
}

Test(pcie, moves_any_number_of_bytes_from_and_to_any_address) {
  pcie_bed_create(PCIE_BED_MODEL);
  pcie_bed_plug();
  expect_any_bytes_back(0x100000, 300, 12000);
}

Test(pcie, an_address_that_is_none_is_said_and_the_link_goes_on) {
  pcie_bed_create(PCIE_BED_MODEL);
  pcie_bed_plug();
  expect_no_address(0x100000, 4 << 20, 4096, 20000);
}

// ---- Cards that come and go

Test(pcie, card_is_there_when_it_is_plugged_in_and_not_before) {
  cl_device_id devices[32], card;
  pcie_bed_create(PCIE_BED_MODEL);
  const cl_uint without = devices_now(devices);
  pcie_bed_plug();
  cr_assert(devices_now(devices) == without + 1);
  card = board_now();
  cr_assert(is_available(card) && board_now() == card);
  pcie_bed_unplug();
  cr_assert(devices_now(devices) == without && !is_called(devices[0], "Heddle board on PCIe"));
  cr_assert(!is_available(card));
  pcie_bed_plug();
  cr_assert(devices_now(devices) == without + 1 && is_available(board_now()));
}

Test(pcie, card_that_is_pulled_out_ends_its_events_and_later_calls) {
  plug_in(PCIE_BED_MODEL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), pcie_bed_unplug);
}

Test(pcie, card_of_which_all_reads_ones_ends_its_events_and_later_calls) {
  plug_in(PCIE_BED_MODEL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), pcie_bed_fall_off_the_bus);
}

Test(pcie, card_that_the_kernel_was_told_to_remove_ends_its_events_and_later_calls, .timeout = 60) {
  plug_in(PCIE_BED_MODEL);
  expect_events_to_end(build(spin_source, "-cl-std=CL3.0"), pcie_bed_have_kernel_remove);
}

Test(pcie, card_that_falls_silent_is_gone, .timeout = 60) {
  uint32_t word = 0;
  plug_in(PCIE_BED_MODEL);
  cl_mem buffer = buffer_with(NULL, 4);
  read_buffer(buffer, &word, sizeof word);
  pcie_bed_hang();
  for (int i = 0; i < 2; i++)
    EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE,
                clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
}

// ---- Cards that cannot be used

Test(pcie, card_in_use_says_by_whom_and_is_there_when_it_is_free) {
  char holder[64];
  plug_in(PCIE_BED_MODEL);
  const int file = open(pcie_bed_file("resource0"), O_RDWR);
  cr_assert(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0);
  snprintf(holder, sizeof holder, "is in use by process %ld", (long)getpid());
  expect_unavailable(holder);
  close(file);
  cr_assert(is_available(board_now()));
}

Test(pcie, card_that_a_driver_has_says_which) {
  pcie_bed_create(PCIE_BED_MODEL);
  pcie_bed_pretend(0x10EE, 0x7024, 0x4844, "xdma");
  pcie_bed_plug();
  expect_unavailable("in use by the kernel's driver xdma");
}

Test(pcie, cards_of_others_are_left_alone) {
  cl_device_id devices[32];
  pcie_bed_create(PCIE_BED_MODEL);
  pcie_bed_pretend(0x10EE, 0x7024, 0x0007, NULL);
  const cl_uint without = devices_now(devices);
  pcie_bed_plug();
  cr_assert(devices_now(devices) == without);
  // By name it is taken, if it is one.
  setenv("HEDDLE_PCIE", "0000:03:00.0", 1);
  cr_assert(is_available(board_now()));
}

Test(pcie, memory_of_a_card_that_was_off_is_turned_on) {
  char text[8] = "";
  plug_in(PCIE_BED_MODEL);
  cr_assert(is_available(board_now()));
  FILE *enable = fopen(pcie_bed_file("enable"), "re");
  cr_assert(enable && fgets(text, sizeof text, enable) && text[0] == '1');
  fclose(enable);
}

// Root may open what it likes; without this capability it may not.
static void give_up_privilege(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2];
  cr_assert(syscall(SYS_capget, &header, data) == 0);
  data[0].effective &= ~(1u << CAP_DAC_OVERRIDE);
  cr_assert(syscall(SYS_capset, &header, data) == 0);
}

Test(pcie, missing_permission_says_what_to_do) {
  plug_in(PCIE_BED_MODEL);
  cr_assert(chmod(pcie_bed_file("resource0"), 0) == 0);
  give_up_privilege();
  expect_unavailable("bind the card to vfio-pci");
}

static void expect_refused(unsigned offset, uint32_t word, const char *reason) {
  plug_in(PCIE_BED_MODEL);
  pcie_bed_set(offset, word);
  expect_unavailable(reason);
}

Test(pcie, card_without_heddle_is_reported) {
  expect_refused(0, 0, "is the card's bitstream one of Heddle?");
}

Test(pcie, other_version_of_the_link_is_named_with_the_one_that_is_wanted) {
  expect_refused(4, 2, "has version 2 of the link on PCIe, this library takes 1");
}

Test(pcie, sizes_from_the_card_are_not_believed) {
  expect_refused(0xC, 0x40000, "which cannot be");
}

Test(pcie, card_that_does_not_answer_is_reported) {
  plug_in(PCIE_BED_MODEL);
  pcie_bed_fall_off_the_bus();
  expect_unavailable("does not answer");
}

Test(pcie, card_with_less_memory_than_it_says_is_reported) {
  plug_in(PCIE_BED_MODEL);
  pcie_bed_hang();
  cr_assert(truncate(pcie_bed_file("resource0"), 4096) == 0);
  expect_unavailable("has fewer than 65536 bytes");
}
