// SPDX-License-Identifier: Apache-2.0
// The device on this chip (mmio_bed.h). This program's mmap, munmap, poll, read and write stand before the system's.
#include "tests/transport/mmio_bed.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib-object.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <umockdev.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "sim/link/bus_model.h"
#include "tests/opencl/harness.h"
#include "tests/transport/trap.h"

static const char SYSPATH[] = "/sys/devices/uio0";

enum { PAGE = 4096 };

static struct {
  struct mmio_bed how;
  UMockdevTestbed *testbed;
  struct stat file;  // /dev/uio0
  int memory_file;
  uint8_t *memory;
  int event;  // what Linux has heard of the interrupt
  void *mapped;
  pthread_t thread;
  pthread_mutex_t lock;  // of all below
  struct bus_model model;
  const struct heddle_sim_api *api;  // of the Verilated device, and its own calls
  void *device;
  uint32_t (*read)(void *device, uint32_t offset);
  void (*write)(void *device, uint32_t offset, uint32_t value);
  bool switched_on;  // Linux's end of the interrupt
  struct mmio_bed_figures figures;
  atomic_int touching;  // who touches a register goes before the device's thread
  atomic_bool plugged;
} bed = {.event = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static size_t memory_bytes(void) {
  return bed.how.verilated ? 256 << 20 : MMIO_BED_MEMORY_BYTES;
}

// ---- The device

static void touch(bool begins) {
  if (begins) {
    atomic_fetch_add(&bed.touching, 1);
    pthread_mutex_lock(&bed.lock);
  } else {
    pthread_mutex_unlock(&bed.lock);
    atomic_fetch_sub(&bed.touching, 1);
  }
}

// Its registers, and its time: whether it is busy.
static uint32_t device_read(uint32_t offset) {
  return bed.device ? bed.read(bed.device, offset) : bus_model_read(&bed.model, offset);
}

static void device_write(uint32_t offset, uint32_t word) {
  if (bed.device)
    bed.write(bed.device, offset, word);
  else
    bus_model_write(&bed.model, offset, word);
}

static bool device_run(void) {
  enum { CYCLES = 256 };
  return bed.device ? bed.api->run(bed.device, CYCLES) == 0 : bus_model_run(&bed.model);
}

static bool asks_for_interrupt(void) {
  return bed.device ? (device_read(HEDDLE_REG_INTERRUPT) & device_read(HEDDLE_REG_INTERRUPT_ENABLE) & 1) != 0
                    : bus_model_interrupt(&bed.model);
}

static uint32_t load(size_t offset) {
  touch(true);
  const uint32_t word = !atomic_load(&bed.plugged)                         ? UINT32_MAX
                        : bed.how.lies && offset == bed.how.false_register ? bed.how.false_value
                        : bed.how.read ? bed.how.read((uint32_t)offset, device_read((uint32_t)offset))
                                       : device_read((uint32_t)offset);
  bed.figures.loads++;
  touch(false);
  return word;
}

static void store(size_t offset, uint32_t word, unsigned strobe) {
  touch(true);
  if (strobe == 0xF && atomic_load(&bed.plugged))  // else it is an error on the bus
    device_write((uint32_t)offset, word);
  bed.figures.stores++;
  touch(false);
}

// Linux hears of it once, until it is switched on again.
static void raise_interrupt(void) {
  const uint64_t one = 1;
  if (!bed.switched_on || bed.how.interrupt_is_lost || (!bed.how.interrupt_is_anybodys && !asks_for_interrupt()))
    return;
  bed.switched_on = false;
  bed.figures.interrupts++;
  if (syscall(SYS_write, bed.event, &one, sizeof one) != sizeof one)
    fail("no interrupt");
}

static void *run_device(void *argument) {
  (void)argument;
  while (atomic_load(&bed.plugged)) {
    while (atomic_load(&bed.touching) != 0)
      sched_yield();
    pthread_mutex_lock(&bed.lock);
    const bool busy = !bed.how.clock_stands && device_run();
    if (bed.how.meddle)
      bed.how.meddle(bed.memory, memory_bytes());
    raise_interrupt();
    pthread_mutex_unlock(&bed.lock);
    if (!busy)
      usleep(20);
  }
  return NULL;
}

// ---- The system's calls

static bool is_uio(int descriptor) {
  struct stat status;
  return atomic_load(&bed.plugged) && descriptor >= 0 && fstat(descriptor, &status) == 0 &&
         status.st_dev == bed.file.st_dev && status.st_ino == bed.file.st_ino;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  static const struct trap_memory registers = {.read = load, .write = store};
  const bool ours = (flags & MAP_SHARED) != 0 && is_uio(descriptor), is_memory = ours && offset == PAGE;
  void *mapped = (void *)syscall(SYS_mmap, at, bytes, protection, flags, is_memory ? bed.memory_file : descriptor,
                                 is_memory ? 0 : offset);  // NOLINT
  if (mapped == MAP_FAILED || !ours || is_memory)
    return mapped;
  if (bytes != BUS_MODEL_CONTROL_BYTES)
    fail("%zu bytes of the control registers are mapped", bytes);
  trap_begin(mapped, bytes, &registers);
  bed.mapped = mapped;
  return mapped;
}

int munmap(void *at, size_t bytes) {
  if (at && at == bed.mapped) {
    trap_end();
    bed.mapped = NULL;
  }
  return (int)syscall(SYS_munmap, at, bytes);
}

// By another name, since the system's header says that poll reads nothing of what is wanted.
int poll_bed(struct pollfd *wanted, nfds_t count, int milliseconds) __asm__("poll");
int poll_bed(struct pollfd *wanted, nfds_t count, int milliseconds) {
  if (count != 1 || !is_uio(wanted->fd))
    return (int)syscall(SYS_poll, wanted, count, milliseconds);
  struct pollfd event = {.fd = bed.event, .events = wanted->events};
  const int ready = (int)syscall(SYS_poll, &event, 1, milliseconds);
  wanted->revents = event.revents;
  return ready;
}

ssize_t read(int descriptor, void *data, size_t bytes) {
  uint64_t times = 0;
  if (!is_uio(descriptor))
    return syscall(SYS_read, descriptor, data, bytes);
  if (bytes != 4 || syscall(SYS_read, bed.event, &times, sizeof times) != sizeof times)
    return -1;
  touch(true);
  const uint32_t interrupts = bed.figures.interrupts;
  touch(false);
  memcpy(data, &interrupts, sizeof interrupts);
  return sizeof interrupts;
}

ssize_t write(int descriptor, const void *data, size_t bytes) {
  int32_t on;
  if (!is_uio(descriptor))
    return syscall(SYS_write, descriptor, data, bytes);
  errno = bed.how.no_interrupt ? EIO : EINVAL;
  if (bed.how.no_interrupt || bytes != sizeof on)
    return -1;
  memcpy(&on, data, sizeof on);
  touch(true);
  bed.switched_on = on != 0;
  touch(false);
  return sizeof on;
}

// ---- Coming

static const char *path_of(const char *file) {
  static char path[PATH_MAX];
  char *root = umockdev_testbed_get_root_dir(bed.testbed);
  snprintf(path, sizeof path, "%s%s", root, file);
  g_free(root);
  return path;
}

const char *mmio_bed_device_file(void) {
  return path_of("/dev/uio0");
}

const char *mmio_bed_memory_file(void) {
  return path_of("/memory");
}

uint8_t *mmio_bed_memory(void) {
  return bed.memory;
}

struct mmio_bed_figures mmio_bed_figures(void) {
  touch(true);
  const struct mmio_bed_figures figures = bed.figures;
  touch(false);
  return figures;
}

static void attribute(const char *name, const char *text) {
  char line[64];
  snprintf(line, sizeof line, "%s\n", text);
  umockdev_testbed_set_attribute(bed.testbed, SYSPATH, name, line);
}

static void show_map(unsigned number, const char *address, const char *bytes) {
  char name[64], folder[128];
  snprintf(folder, sizeof folder, "%s/maps/map%u", SYSPATH, number);
  if (g_mkdir_with_parents(path_of(folder), 0700) != 0)
    fail("no folder %s", path_of(folder));
  const struct {
    const char *file, *text;
  } files[] = {{"addr", address}, {"size", bytes}, {"offset", "0x0"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(name, sizeof name, "maps/map%u/%s", number, files[i].file);
    attribute(name, files[i].text);
  }
}

static void show(void) {
  const struct mmio_bed *how = &bed.how;
  char address[32], bytes[32];
  bed.testbed = umockdev_testbed_new();
  char *syspath = umockdev_testbed_add_device(bed.testbed, "uio", "uio0", NULL, "name", "\n", NULL, NULL);
  if (!syspath || strcmp(syspath, SYSPATH) != 0)
    fail("no mock device");
  g_free(syspath);
  attribute("name", how->name ? how->name : "heddle");
  show_map(0, "0x0000000080000000", how->control_bytes ? how->control_bytes : "0x0000000000001000");
  snprintf(address, sizeof address, "0x%08x", bed.how.verilated ? 0x40000000 : MMIO_BED_BASE);
  snprintf(bytes, sizeof bytes, "0x%08x", (unsigned)memory_bytes());
  if (!how->memory_address || how->memory_address[0] != 0)
    show_map(1, how->memory_address ? how->memory_address : address, how->memory_bytes ? how->memory_bytes : bytes);
}

static int make_file(const char *path, off_t bytes) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, bytes) != 0)
    fail("no file %s", path);
  return file;
}

static void open_model(void) {
  bed.model = (struct bus_model){.config = {.lanes = MMIO_BED_LANES,
                                            .slots = 8,
                                            .global_bytes = MMIO_BED_MEMORY_BYTES,
                                            .processor = !bed.how.no_processor},
                                 .memory = bed.memory_file,
                                 .base = MMIO_BED_BASE};
  const char *why = bus_model_open(&bed.model);
  if (why)
    fail("no device: %s", why);
}

// Of the checkout that this program was built in: beside the tests' folder.
static void open_verilated(void) {
  static const struct heddle_sim_config config = {.lanes = 4, .slots = 8, .processor = 1};
  char path[PATH_MAX + 32] = "";
  const char *why = "it is not there";
  const struct heddle_sim_api *(*api)(void) = NULL;
  bool (*share)(void *device, int file) = NULL;
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  path[length > 0 ? length : 0] = 0;
  char *tests = strstr(path, "/tests/");
  snprintf(tests ? tests : path, 32, "/lib/heddle/axi/rtl-L4-S8-P.so");
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library) {
    *(void **)&api = dlsym(library, HEDDLE_SIM_SYMBOL);
    *(void **)&share = dlsym(library, "heddle_rtl_share_memory");
    *(void **)&bed.read = dlsym(library, "heddle_rtl_read_control");
    *(void **)&bed.write = dlsym(library, "heddle_rtl_write_control");
  }
  bed.api = api ? api() : NULL;
  bed.device = bed.api ? bed.api->create(&config, &why) : NULL;
  if (!bed.device || !share || !bed.read || !bed.write || !share(bed.device, bed.memory_file))
    fail("no Verilated device at %s: %s", path, why);
}

// Map n is at page n of /dev/uio0.
void mmio_bed_plug(const struct mmio_bed *how) {
  bed.how = how ? *how : (struct mmio_bed){0};
  show();
  if (g_mkdir_with_parents(path_of("/dev"), 0700) != 0)
    fail("no folder %s", path_of("/dev"));
  const int uio = make_file(mmio_bed_device_file(), PAGE);
  bed.memory_file = make_file(mmio_bed_memory_file(), (off_t)memory_bytes());
  bed.memory = mmap(NULL, memory_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, bed.memory_file, 0);
  bed.event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bed.memory == MAP_FAILED || bed.event < 0 || fstat(uio, &bed.file) != 0)
    fail("no memory for the device");
  close(uio);
  if (bed.how.verilated)
    open_verilated();
  else
    open_model();
  atomic_store(&bed.plugged, true);
  if (pthread_create(&bed.thread, NULL, run_device, NULL) != 0)
    fail("no thread");
}

void mmio_bed_fall_off_the_bus(void) {
  atomic_store(&bed.plugged, false);
  pthread_join(bed.thread, NULL);
}

// Whoever has the memory mapped gets SIGBUS from here on.
void mmio_bed_pull_out(void) {
  mmio_bed_fall_off_the_bus();
  if (ftruncate(bed.memory_file, 0) != 0)
    fail("the device's memory does not go");
}
