// SPDX-License-Identifier: Apache-2.0
// The card behind packets (tlp_bed.h). This program's mmap, munmap and ioctl stand before the system's.
#include "tests/transport/tlp_bed.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib-object.h>
#include <limits.h>
#include <linux/vfio.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <umockdev.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/transport/trap.h"

static const char NAME[] = "0000:03:00.0", SYSPATH[] = "/sys/devices/0000:03:00.0";
static const uint32_t ONES = 0xFFFFFFFF;

enum { BAR_BYTES = 0x10000, PAGE = 4096, MOST_PAGES = 64, LATENCY = 100 };

// The device's file of VFIO: its regions.
enum { BAR_AT = 0, CONFIGURATION_AT = 0x100000, CONFIGURATION_BYTES = 4096, FILE_BYTES = 0x200000 };
enum { COMMAND = 4, BUS_MASTER = 4 };

// The table of MSI-X, and what a machine's kernel writes there.
enum { TABLE = 0x1000, INTERRUPT_WORD = 0x4021 };
static const uint32_t INTERRUPT_ADDRESS = 0xFEE00000;

static struct {
  enum tlp_bed_kind kind;
  UMockdevTestbed *testbed;
  struct stat file;  // that is the card's memory
  int device;        // VFIO's; its configuration space is in it
  pthread_t thread;
  pthread_mutex_t lock;  // of all below
  struct root_complex *root;
  atomic_bool plugged;
  int interrupt;  // eventfd, -1: none
  struct vfio_iommu_type1_dma_map pages[MOST_PAGES];
  size_t num_pages;
  void *mapped;
  // Who touches the card's memory goes before the card's thread.
  atomic_int touching;
} bed = {.device = -1, .interrupt = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

// ---- What the card reaches

static uint8_t *host_memory(void *host, uint64_t address, size_t bytes) {
  (void)host;
  for (size_t i = 0; i < bed.num_pages; i++) {
    const struct vfio_iommu_type1_dma_map *page = &bed.pages[i];
    if (address >= page->iova && address - page->iova <= page->size && bytes <= page->size - (address - page->iova))
      return (uint8_t *)(uintptr_t)page->vaddr + (address - page->iova);  // NOLINT(performance-no-int-to-ptr)
  }
  return NULL;
}

static void interrupt(void *host) {
  const uint64_t one = 1;
  (void)host;
  if (bed.interrupt >= 0 && write(bed.interrupt, &one, sizeof one) != sizeof one)
    fail("no interrupt");
}

// ---- What reaches the card

// Configuration space is mere memory, of which the core has to be told before its next cycle: a write of it takes
// effect at once.
static void look_at_configuration(void) {
  uint16_t command = 0;
  if (bed.device >= 0 && pread(bed.device, &command, sizeof command, CONFIGURATION_AT + COMMAND) == sizeof command)
    root_complex_allow(bed.root, (command & BUS_MASTER) != 0);
}

static void touch(bool begins) {
  if (begins) {
    atomic_fetch_add(&bed.touching, 1);
    pthread_mutex_lock(&bed.lock);
    look_at_configuration();
  } else {
    pthread_mutex_unlock(&bed.lock);
    atomic_fetch_sub(&bed.touching, 1);
  }
}

static uint32_t read_word(size_t offset) {
  touch(true);
  const uint32_t word = bed.plugged ? root_complex_read(bed.root, (uint32_t)offset) : ONES;
  touch(false);
  return word;
}

static void write_word(size_t offset, uint32_t word, unsigned strobe) {
  touch(true);
  if (bed.plugged)
    root_complex_write(bed.root, (uint32_t)offset, word, strobe);
  touch(false);
}

static void *run_card(void *argument) {
  enum { CYCLES = 64 };
  bool plugged = true;
  (void)argument;
  while (plugged) {
    while (atomic_load(&bed.touching) != 0)
      sched_yield();
    pthread_mutex_lock(&bed.lock);
    plugged = bed.plugged;
    look_at_configuration();
    if (plugged)
      root_complex_run(bed.root, CYCLES);
    pthread_mutex_unlock(&bed.lock);
  }
  return NULL;
}

// ---- The system's calls

static bool is_cards(int descriptor) {
  struct stat status;
  return bed.plugged && fstat(descriptor, &status) == 0 && status.st_dev == bed.file.st_dev &&
         status.st_ino == bed.file.st_ino;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  static const struct trap_memory memory = {.read = read_word, .write = write_word};
  void *mapped = (void *)syscall(SYS_mmap, at, bytes, protection, flags, descriptor, offset);  // NOLINT
  if (descriptor >= 0 && (flags & MAP_SHARED) != 0 && mapped != MAP_FAILED && is_cards(descriptor)) {
    if (bytes != BAR_BYTES || offset != BAR_AT)
      fail("%zu bytes from %ld on of the card are mapped", bytes, (long)offset);
    trap_begin(mapped, bytes, &memory);
    bed.mapped = mapped;
  }
  return mapped;
}

int munmap(void *at, size_t bytes) {
  if (at && at == bed.mapped) {
    trap_end();
    bed.mapped = NULL;
  }
  return (int)syscall(SYS_munmap, at, bytes);
}

static int region_info(struct vfio_region_info *region) {
  const bool bar = region->index == VFIO_PCI_BAR0_REGION_INDEX;
  if (!bar && region->index != VFIO_PCI_CONFIG_REGION_INDEX) {
    errno = EINVAL;
    return -1;
  }
  region->size = bar ? BAR_BYTES : CONFIGURATION_BYTES;
  region->offset = bar ? BAR_AT : CONFIGURATION_AT;
  region->flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE | (bar ? VFIO_REGION_INFO_FLAG_MMAP : 0);
  return 0;
}

// Fills in the table, as the kernel does when a driver asks for the vector.
static int set_interrupt(const struct vfio_irq_set *set) {
  int32_t descriptor;
  if (bed.kind == TLP_BED_VFIO_NO_INTERRUPT || set->index != VFIO_PCI_MSIX_IRQ_INDEX || set->count != 1) {
    errno = EINVAL;
    return -1;
  }
  memcpy(&descriptor, set->data, sizeof descriptor);
  touch(true);
  if (bed.interrupt >= 0)
    close(bed.interrupt);
  bed.interrupt = dup(descriptor);
  root_complex_write(bed.root, TABLE, INTERRUPT_ADDRESS, 0xF);
  root_complex_write(bed.root, TABLE + 4, 0, 0xF);
  root_complex_write(bed.root, TABLE + 8, INTERRUPT_WORD, 0xF);
  root_complex_write(bed.root, TABLE + 12, 0, 0xF);
  root_complex_enable_msix(bed.root, INTERRUPT_ADDRESS, INTERRUPT_WORD);
  touch(false);
  return 0;
}

static int map_page(const struct vfio_iommu_type1_dma_map *page) {
  touch(true);
  const bool room = bed.num_pages < MOST_PAGES && page->size == PAGE;
  if (room)
    bed.pages[bed.num_pages++] = *page;
  touch(false);
  errno = room ? errno : ENOSPC;
  return room ? 0 : -1;
}

// Who opens the group afresh has no pages, and the card may send nothing.
static int open_group(void) {
  static const uint16_t none = 0;
  touch(true);
  bed.num_pages = 0;
  const bool cleared = pwrite(bed.device, &none, sizeof none, CONFIGURATION_AT + COMMAND) == sizeof none;
  touch(false);
  return cleared ? 0 : -1;
}

static int vfio(unsigned long request, void *argument) {
  if (!bed.plugged) {
    errno = ENODEV;
    return -1;
  }
  switch (request) {
    case VFIO_GET_API_VERSION:
      return VFIO_API_VERSION;
    case VFIO_GROUP_GET_STATUS:
      ((struct vfio_group_status *)argument)->flags = VFIO_GROUP_FLAGS_VIABLE;
      return 0;
    case VFIO_GROUP_SET_CONTAINER:
      return open_group();
    case VFIO_SET_IOMMU:
      return 0;
    case VFIO_GROUP_GET_DEVICE_FD:
      errno = ENODEV;
      return strcmp(argument, NAME) == 0 ? fcntl(bed.device, F_DUPFD_CLOEXEC, 0) : -1;
    case VFIO_DEVICE_GET_REGION_INFO:
      return region_info(argument);
    case VFIO_DEVICE_SET_IRQS:
      return set_interrupt(argument);
    case VFIO_IOMMU_MAP_DMA:
      return map_page(argument);
    default:
      errno = ENOTTY;
      return -1;
  }
}

int ioctl(int descriptor, unsigned long request, ...) {
  static int (*next)(int, unsigned long, ...);
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (_IOC_TYPE(request) == VFIO_TYPE)
    return vfio(request, argument);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "ioctl");
  return next(descriptor, request, argument);
}

// ---- Coming and going

static const char *path_of(const char *file) {
  static char path[PATH_MAX];
  char *root = umockdev_testbed_get_root_dir(bed.testbed);
  snprintf(path, sizeof path, "%s%s", root, file);
  g_free(root);
  return path;
}

static int make_file(const char *file, off_t bytes) {
  const int made = open(path_of(file), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (made < 0 || ftruncate(made, bytes) != 0 || fstat(made, &bed.file) != 0)
    fail("no file %s", path_of(file));
  return made;
}

static void bind_to_vfio(void) {
  umockdev_testbed_set_attribute_link(bed.testbed, SYSPATH, "driver", "../../bus/pci/drivers/vfio-pci");
  umockdev_testbed_set_attribute_link(bed.testbed, SYSPATH, "iommu_group", "../../kernel/iommu_groups/7");
  if (g_mkdir_with_parents(path_of("/dev/vfio"), 0700) != 0)
    fail("no folder %s", path_of("/dev/vfio"));
  close(make_file("/dev/vfio/vfio", 0));
  close(make_file("/dev/vfio/7", 0));
  bed.device = make_file("/vfio-device", FILE_BYTES);
}

void tlp_bed_plug(enum tlp_bed_kind kind) {
  static const struct root_complex_host host = {.memory = host_memory, .interrupt = interrupt};
  bed.kind = kind;
  bed.testbed = umockdev_testbed_new();
  char *syspath = umockdev_testbed_add_device(bed.testbed, "pci", NAME, NULL, "enable", "0\n", "vendor", "0x10ee\n",
                                              "device", "0x7024\n", "subsystem_device", "0x4844\n", NULL, NULL);
  if (!syspath || strcmp(syspath, SYSPATH) != 0)
    fail("no mock card");
  g_free(syspath);
  if (kind == TLP_BED_SYSFS)
    close(make_file("/sys/devices/0000:03:00.0/resource0", BAR_BYTES));
  else
    bind_to_vfio();
  bed.root = root_complex_create(&host, true, LATENCY);
  if (!bed.root)
    fail("no card");
  bed.plugged = true;
  if (pthread_create(&bed.thread, NULL, run_card, NULL) != 0)
    fail("no thread");
}

void tlp_bed_unplug(void) {
  touch(true);
  bed.plugged = false;
  touch(false);
  pthread_join(bed.thread, NULL);
  umockdev_testbed_remove_device(bed.testbed, SYSPATH);
}

void tlp_bed_set_master(bool master) {
  uint16_t command = 0;
  const off_t at = CONFIGURATION_AT + COMMAND;
  touch(true);
  bool done = pread(bed.device, &command, sizeof command, at) == sizeof command;
  command = (uint16_t)(master ? command | BUS_MASTER : command & ~BUS_MASTER);
  done = done && pwrite(bed.device, &command, sizeof command, at) == sizeof command;
  look_at_configuration();
  touch(false);
  if (!done)
    fail("no configuration space");
}

struct root_complex_figures tlp_bed_figures(void) {
  touch(true);
  const struct root_complex_figures figures = root_complex_figures(bed.root);
  touch(false);
  return figures;
}
