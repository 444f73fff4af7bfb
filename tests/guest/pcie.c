// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a card on PCIe where a real kernel is between the two: inside a QEMU guest,
// whose sysfs, vfio-pci and IOMMU are Linux's own. Each card is a heddle-pcie-card outside (pcie.py), behind QEMU's
// ivshmem.
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/guest.h"
#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"

// Where pcie.py puts them: one for everything that it outlives, the Verilated one, and those that go for good.
#define USUAL "0000:00:10.0"
#define VERILATED "0000:00:11.0"
#define DIES_BY_SYSFS "0000:00:12.0"
#define DIES_BY_VFIO "0000:00:13.0"
#define LEAVES_BY_SYSFS "0000:00:14.0"
#define LEAVES_BY_VFIO "0000:00:15.0"

enum way { BY_SYSFS, BY_VFIO };

static const char *card;

// A file of the card in sysfs.
static void path_of(const char *file, char path[128]) {
  snprintf(path, 128, "/sys/bus/pci/devices/%s/%s", card, file);
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "we");
  cr_assert(file, "no %s", path);
  const bool written = fputs(text, file) >= 0;
  cr_assert(fclose(file) == 0 && written, "%s does not take %s", path, text);
}

static bool is_bound(void) {
  char path[128];
  path_of("driver", path);
  return access(path, F_OK) == 0;
}

// What README.md of host/transport has an administrator do; and back.
static void bind_to_vfio(void) {
  char path[128];
  path_of("driver_override", path);
  write_file(path, "vfio-pci\n");
  write_file("/sys/bus/pci/drivers_probe", card);
  cr_assert(is_bound(), "%s does not go to vfio-pci", card);
}

static void unbind(void) {
  char path[128];
  path_of("driver/unbind", path);
  write_file(path, card);
  path_of("driver_override", path);
  write_file(path, "\n");
}

static void rescan(void) {
  write_file("/sys/bus/pci/rescan", "1");
}

static void use(const char *which, enum way way) {
  char folder[128];
  card = which;
  path_of("", folder);
  if (access(folder, F_OK) != 0)  // a test that failed has left it so
    rescan();
  setenv("HEDDLE_PCIE", card, 1);
  setenv("HEDDLE_TEST_DEVICE", "board", 1);
  if (way == BY_VFIO && !is_bound())
    bind_to_vfio();
  if (way == BY_SYSFS && is_bound())
    unbind();
}

static void expect_work(void) {
  expect_sub_groups(256);
  expect_scan_by(guest_kernels(), 1024);
}

TestSuite(pcie, .timeout = 300);

#define BY_BOTH_WAYS(name, expression) \
  Test(pcie, name##_by_sysfs) {        \
    const enum way way = BY_SYSFS;     \
    expression;                        \
  }                                    \
  Test(pcie, name##_by_vfio) {         \
    const enum way way = BY_VFIO;      \
    expression;                        \
  }

// ---- Results

static void expect_found(enum way way) {
  char name[256] = "";
  use(USUAL, way);
  const cl_device_id found = board_now();
  EXPECT_SUCCESS(clGetDeviceInfo(found, CL_DEVICE_NAME, sizeof name, name, NULL));
  cr_assert(strncmp(name, "Heddle board on PCIe", 20) == 0, "the device is \"%s\"", name);
  cr_assert(is_available(found));
}
BY_BOTH_WAYS(library_finds_the_card, expect_found(way))

static void expect_results(enum way way) {
  use(USUAL, way);
  expect_work();
}
BY_BOTH_WAYS(runs_sub_groups, expect_results(way))

static void expect_buffers_back(enum way way) {
  enum { WORDS = 64 * 1024 / 4, TIMES = 4 };
  use(USUAL, way);
  for (int i = 0; i < TIMES; i++)
    expect_words_back(WORDS);
}
BY_BOTH_WAYS(buffers_of_64_KiB_come_back, expect_buffers_back(way))

Test(pcie, runs_sub_groups_on_the_verilated_device) {
  use(VERILATED, BY_VFIO);
  expect_sub_groups(64);
}

// Of the card, since it was opened.
static unsigned long interrupts(void) {
  char line[512], wanted[64];
  unsigned long count = 0;
  FILE *file = fopen("/proc/interrupts", "re");
  snprintf(wanted, sizeof wanted, "vfio-msix[0](%s)", card);
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strstr(line, wanted) ? strchr(line, ':') : NULL;
    count += colon ? strtoul(colon + 1, NULL, 10) : 0;
  }
  if (file)
    fclose(file);
  return count;
}

Test(pcie, what_ends_is_told_by_interrupt_by_vfio) {
  use(USUAL, BY_VFIO);
  harness();
  const unsigned long before = interrupts();
  expect_work();
  cr_assert(interrupts() > before, "%lu interrupts before and after", before);
}

Test(pcie, data_goes_by_dma_by_vfio) {
  use(USUAL, BY_VFIO);
  expect_words_back(64 * 1024 / 4);
  ask_outside("see-dma " USUAL);
}

// ---- Cards that go

static void kill_process(void) {
  char what[64];
  snprintf(what, sizeof what, "kill %s", card);
  ask_outside(what);
}

static void end_process(void) {
  char what[64];
  snprintf(what, sizeof what, "end %s", card);
  ask_outside(what);
}

static void expect_end(const char *which, enum way way, void (*go)(void)) {
  use(which, way);
  expect_events_to_end(guest_kernels(), go);
}
BY_BOTH_WAYS(card_that_falls_silent_in_flight_ends_its_events,
             expect_end(way == BY_SYSFS ? DIES_BY_SYSFS : DIES_BY_VFIO, way, kill_process))
BY_BOTH_WAYS(card_that_goes_in_flight_ends_its_events,
             expect_end(way == BY_SYSFS ? LEAVES_BY_SYSFS : LEAVES_BY_VFIO, way, end_process))

// The kernel takes the memory away from whoever has mapped it.
static void have_kernel_remove(void) {
  char path[128];
  path_of("remove", path);
  write_file(path, "1");
}

Test(pcie, card_that_the_kernel_removes_ends_its_events_and_when_it_is_back_it_works) {
  use(USUAL, BY_SYSFS);
  const cl_device_id first = board_now();
  expect_events_to_end(guest_kernels(), have_kernel_remove);
  cr_assert(!is_listed(first) && !is_available(first));
  rescan();
  cr_assert(board_now() != first && !is_available(first));
  harness_forget();
  expect_work();
}

// ---- Cards that cannot be used

static void expect_holder(enum way way) {
  use(USUAL, way);
  expect_holder_named();
}
BY_BOTH_WAYS(second_process_is_told_who_has_the_card, expect_holder(way))

static void expect_permission(enum way way) {
  use(USUAL, way);
  expect_permission_named(way == BY_SYSFS ? "bind the card to vfio-pci" : "sudo chown $USER /dev/vfio/");
}
BY_BOTH_WAYS(missing_permission_says_what_to_do, expect_permission(way))
