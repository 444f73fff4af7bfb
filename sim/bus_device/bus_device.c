// SPDX-License-Identifier: Apache-2.0
// A device on the bus of a QEMU guest's processor: a plugin of QEMU (-plugin bus_device.so,guest=FILE,…) that is the
// golden model behind memory of the guest's. Memory is a file (memory-backend-file, share=on), of which a page stands
// for the control registers and the device's memory is a part.
//
// Loads of that page read what a thread here keeps there. A store is told to this plugin before the guest's next
// instruction, and is carried out by then, as on a bus. Only programs' stores are looked at, not the guest kernel's.
// The interrupt goes to the guest's interrupt controller over QEMU's qtest socket, which has words for pins.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/link/bus_model.h"

// What is used of QEMU's interface for plugins, version 1 (docs/devel/tcg-plugins of QEMU).
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_MEM_W = 2 };
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t id, struct qemu_plugin_tb *block));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t number);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction,
                                      void (*callback)(unsigned vcpu, uint32_t info, uint64_t address, void *user),
                                      int flags, int kinds, void *user);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED extern int qemu_plugin_version;
EXPORTED int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);
int qemu_plugin_version = 1;

enum { WORDS = BUS_MODEL_CONTROL_BYTES / 4, LANES = 4, SLOTS = 8 };

// A program's addresses on aarch64 are below this, the kernel's above.
static const uint64_t KERNEL = UINT64_C(1) << 48;

static struct {
  // From the command line.
  const char *file, *qtest, *controller;  // the guest's memory; QEMU's socket; path of the interrupt controller
  uint64_t ram, control, memory, bytes;   // addresses in the guest: of its memory, the page, the device's memory
  unsigned pin;                           // of the controller

  pthread_mutex_t lock;  // of all below
  pthread_cond_t written;
  struct bus_model model;
  volatile uint32_t *page;
  uint32_t kept[WORDS];  // what was put there last
  int socket;            // -1: not connected; never closed
  bool level;            // of the interrupt, as QEMU was told
} device = {.lock = PTHREAD_MUTEX_INITIALIZER, .written = PTHREAD_COND_INITIALIZER, .socket = -1};

// Puts registers into the page. One that stands is not touched: what the guest has just stored may be in its place.
static void show(void) {
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t word = bus_model_read(&device.model, 4 * i);
    if (word != device.kept[i])
      device.page[i] = device.kept[i] = word;
  }
}

static void connect_to_qemu(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", device.qtest);
  const int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (opened < 0)
    return;
  if (connect(opened, (const struct sockaddr *)&address, sizeof address) == 0)
    device.socket = opened;
  else
    close(opened);
}

static void tell_interrupt(void) {
  char line[256];
  const bool level = bus_model_interrupt(&device.model);
  if (level == device.level)
    return;
  if (device.socket < 0)
    connect_to_qemu();
  const int length =
      snprintf(line, sizeof line, "set_irq_in %s unnamed-gpio-in %u %d\n", device.controller, device.pin, level);
  if (device.socket < 0 || send(device.socket, line, (size_t)length, MSG_NOSIGNAL) != length) {
    fprintf(stderr, "bus_device: no interrupt: QEMU does not answer at %s\n", device.qtest);
    return;
  }
  device.level = level;
}

// QEMU's answers, "OK" each.
static void read_answers(void) {
  char text[256];
  while (device.socket >= 0 && recv(device.socket, text, sizeof text, MSG_DONTWAIT) > 0) {
  }
}

// The device's time.
static _Noreturn void *run(void *user) {
  (void)user;
  for (;;) {
    pthread_mutex_lock(&device.lock);
    while (!device.model.busy)
      pthread_cond_wait(&device.written, &device.lock);
    bus_model_run(&device.model);
    show();
    tell_interrupt();
    pthread_mutex_unlock(&device.lock);
    read_answers();
    sched_yield();
  }
}

// ---- What the guest does

static void stored(unsigned vcpu, uint32_t info, uint64_t address, void *user) {
  const struct qemu_plugin_hwaddr *where = qemu_plugin_get_hwaddr(info, address);
  (void)vcpu;
  (void)user;
  if (!where || qemu_plugin_hwaddr_is_io(where))
    return;
  const uint64_t offset = qemu_plugin_hwaddr_phys_addr(where) - device.control;
  if (offset >= BUS_MODEL_CONTROL_BYTES)
    return;
  const uint32_t i = (uint32_t)offset / 4;
  pthread_mutex_lock(&device.lock);
  bus_model_write(&device.model, 4 * i, device.page[i]);
  device.page[i] = device.kept[i] = bus_model_read(&device.model, 4 * i);
  show();
  tell_interrupt();
  pthread_cond_signal(&device.written);
  pthread_mutex_unlock(&device.lock);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    if (qemu_plugin_insn_vaddr(instruction) < KERNEL)
      qemu_plugin_register_vcpu_mem_cb(instruction, stored, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
  }
}

// ---- Opening

static bool take_option(char *option) {
  char *value = strchr(option, '=');
  if (!value)
    return false;
  *value++ = 0;
  const struct {
    const char *name, **text;
    uint64_t *number;
  } options[] = {
      {"guest", &device.file, NULL}, {"qtest", &device.qtest, NULL},     {"controller", &device.controller, NULL},
      {"ram", NULL, &device.ram},    {"control", NULL, &device.control}, {"memory", NULL, &device.memory},
      {"bytes", NULL, &device.bytes}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (strcmp(option, options[i].name) != 0)
      continue;
    if (options[i].text)
      *options[i].text = value;
    else
      *options[i].number = strtoull(value, NULL, 0);
    return true;
  }
  if (strcmp(option, "pin") == 0)
    device.pin = (unsigned)strtoul(value, NULL, 0);
  return strcmp(option, "pin") == 0;
}

static const char *open_device(void) {
  const int file = open(device.file, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return "the guest's memory cannot be opened";
  device.page = mmap(NULL, BUS_MODEL_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                     (off_t)(device.control - device.ram));
  if (device.page == MAP_FAILED)
    return "the guest's memory has no page for registers";
  device.model = (struct bus_model){
      .config = {.lanes = LANES, .slots = SLOTS, .global_bytes = (uint32_t)device.bytes, .processor = 1},
      .memory = file,
      .offset = device.memory - device.ram,
      .base = device.memory};
  return bus_model_open(&device.model);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  pthread_t thread;
  (void)info;
  for (int i = 0; i < argc; i++) {
    if (!take_option(argv[i])) {
      fprintf(stderr, "bus_device: unknown option %s\n", argv[i]);
      return -1;
    }
  }
  if (!device.file || !device.qtest || !device.controller) {
    fputs("bus_device: wants guest, qtest, controller, pin, ram, control, memory and bytes\n", stderr);
    return -1;
  }
  const char *why = open_device();
  if (why || pthread_create(&thread, NULL, run, NULL) != 0) {
    fprintf(stderr, "bus_device: %s\n", why ? why : "no thread");
    return -1;
  }
  show();
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
