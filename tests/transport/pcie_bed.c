// SPDX-License-Identifier: Apache-2.0
// The card of umockdev (pcie_bed.h).
#include "tests/transport/pcie_bed.h"

#include <fcntl.h>
#include <glib-object.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <umockdev.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "sim/link/pcie_model.h"
#include "sim/link/sim_board.h"
#include "tests/opencl/harness.h"

static const char NAME[] = "0000:03:00.0", SYSPATH[] = "/sys/devices/0000:03:00.0";

static struct {
  UMockdevTestbed *testbed;
  unsigned vendor, device, subsystem;
  const char *driver;
  struct sim_board sim;
  struct pcie_model model;
  volatile uint32_t *registers;  // of the file that is plugged in
  // Lies; NULL: none.
  uint32_t (*read)(uint32_t offset, uint32_t word);
  void (*memory)(uint32_t address, uint8_t *data, size_t bytes);
  void (*meddle)(volatile uint32_t *registers);
  pthread_t thread;
  atomic_bool plugged;
} bed = {.vendor = 0x10EE, .device = 0x7024, .subsystem = 0x4844};

// The Verilated device of the checkout that this program was built in: beside the tests' folder.
static const char *verilated(void) {
  static char path[PATH_MAX + 32];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = 0;
  char *tests = strstr(path, "/tests/");
  snprintf(tests ? tests : path, 32, "/lib/heddle/rtl-L8-S32-P.so");
  return path;
}

static int read_device(void *device, uint32_t address, void *data, size_t bytes) {
  const int result = sim_board_read(device, address, data, bytes);
  uint32_t word;
  if (result == 0 && address < HEDDLE_CONTROL_BASE && bed.memory)
    bed.memory(address, data, bytes);
  if (result != 0 || address < HEDDLE_CONTROL_BASE || bytes != sizeof word || !bed.read)
    return result;
  memcpy(&word, data, sizeof word);
  word = bed.read(address - HEDDLE_CONTROL_BASE, word);
  memcpy(data, &word, sizeof word);
  return result;
}

void pcie_bed_lie(uint32_t (*read)(uint32_t offset, uint32_t word),
                  void (*memory)(uint32_t address, uint8_t *data, size_t bytes),
                  void (*registers)(volatile uint32_t *registers)) {
  bed.read = read;
  bed.memory = memory;
  bed.meddle = registers;
}

void pcie_bed_create(enum pcie_bed_board board) {
  const char *why =
      board == PCIE_BED_MODEL ? sim_board_model(&bed.sim, NULL) : sim_board_verilated(&bed.sim, verilated());
  if (why)
    fail("%s", why);
  bed.model = (struct pcie_model){.to = {.read = read_device,
                                         .write = sim_board_write,
                                         .reset = sim_board_reset,
                                         .busy = sim_board_busy,
                                         .device = &bed.sim},
                                  .in_bytes = 0x1000,
                                  .out_bytes = 0x1000};
  bed.testbed = umockdev_testbed_new();
  // A machine with PCIe has the folder without cards, too.
  char *root = umockdev_testbed_get_root_dir(bed.testbed), path[PATH_MAX];
  snprintf(path, sizeof path, "%s/sys/bus/pci/devices", root);
  g_free(root);
  if (g_mkdir_with_parents(path, 0700) != 0)
    fail("no folder %s", path);
}

void pcie_bed_pretend(unsigned vendor, unsigned device, unsigned subsystem, const char *driver) {
  bed.vendor = vendor;
  bed.device = device;
  bed.subsystem = subsystem;
  bed.driver = driver;
}

const char *pcie_bed_file(const char *file) {
  static char path[PATH_MAX];
  char *root = umockdev_testbed_get_root_dir(bed.testbed);
  snprintf(path, sizeof path, "%s%s/%s", root, SYSPATH, file);
  g_free(root);
  return path;
}

// Nobody tells the card when it was written to, so it looks.
static void *run_card(void *argument) {
  (void)argument;
  while (atomic_load(&bed.plugged)) {
    const bool any = pcie_model_step(&bed.model);
    if (bed.meddle)
      bed.meddle(bed.registers);
    sim_board_run(&bed.sim);
    if (!any && !bed.sim.busy)
      usleep(20);
  }
  return NULL;
}

static void attribute(const char *name, unsigned id) {
  char text[16];
  snprintf(text, sizeof text, "0x%04x\n", id);
  umockdev_testbed_set_attribute(bed.testbed, SYSPATH, name, text);
}

void pcie_bed_plug(void) {
  char link[128];
  char *syspath = umockdev_testbed_add_device(bed.testbed, "pci", NAME, NULL, "enable", "0\n", NULL, NULL);
  if (!syspath || strcmp(syspath, SYSPATH) != 0)
    fail("no mock card");
  g_free(syspath);
  attribute("vendor", bed.vendor);
  attribute("device", bed.device);
  attribute("subsystem_device", bed.subsystem);
  snprintf(link, sizeof link, "../../bus/pci/drivers/%s", bed.driver);
  if (bed.driver)
    umockdev_testbed_set_attribute_link(bed.testbed, SYSPATH, "driver", link);
  const int file = open(pcie_bed_file("resource0"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, PCIE_MODEL_BYTES) != 0)
    fail("no file %s", pcie_bed_file("resource0"));
  bed.registers = mmap(NULL, PCIE_MODEL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bed.registers == MAP_FAILED)
    fail("no memory for the card");
  bed.model.registers = bed.registers;
  pcie_model_start(&bed.model);
  atomic_store(&bed.plugged, true);
  if (pthread_create(&bed.thread, NULL, run_card, NULL) != 0)
    fail("no thread");
}

void pcie_bed_hang(void) {
  atomic_store(&bed.plugged, false);
  pthread_join(bed.thread, NULL);
}

void pcie_bed_fall_off_the_bus(void) {
  pcie_bed_hang();
  memset((void *)(uintptr_t)bed.registers, 0xFF, PCIE_MODEL_BYTES);
}

void pcie_bed_unplug(void) {
  pcie_bed_hang();
  munmap((void *)(uintptr_t)bed.registers, PCIE_MODEL_BYTES);
  // Whoever has it mapped gets SIGBUS from here on.
  if (truncate(pcie_bed_file("resource0"), 0) != 0 || unlink(pcie_bed_file("resource0")) != 0)
    fail("the card does not go");
  umockdev_testbed_remove_device(bed.testbed, SYSPATH);
}

void pcie_bed_have_kernel_remove(void) {
  umockdev_testbed_remove_device(bed.testbed, SYSPATH);
}

void pcie_bed_set(unsigned offset, uint32_t word) {
  bed.registers[offset / 4] = word;
}
