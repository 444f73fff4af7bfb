// SPDX-License-Identifier: Apache-2.0
// A card that is bound to vfio-pci: its memory, its interrupt as an eventfd, and pages of the host's memory that it may
// reach, through the IOMMU. Called by pcie.c.
#include <errno.h>
#include <fcntl.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/transport/device_memory.h"
#include "host/transport/holder.h"
#include "host/transport/pcie_card.h"

// Where the card sees the first page: far from what machines keep for themselves.
enum { FIRST_ADDRESS = 0x10000000 };

enum { COMMAND = 4, MEMORY_SPACE = 2, BUS_MASTER = 4 };  // of configuration space

enum { CONTAINER, GROUP, DEVICE };  // of the card's descriptors

static int cannot(const struct heddle_pcie_card *card, const char *what, struct heddle_error *error) {
  const int why = errno;
  return heddle_fail(error, why == ENODEV ? -ENODEV : -EIO, "vfio-pci does not give %s of the card at %s: %s", what,
                     card->name, strerror(why));
}

// A group is opened by one process at a time; its node can be looked at all the same.
static int taken(const char *path, struct heddle_error *error) {
  const int node = open(path, O_PATH | O_CLOEXEC);
  const long user = node >= 0 ? heddle_other_user(node) : 0;
  if (node >= 0)
    close(node);
  return user > 0 ? heddle_fail(error, -EBUSY, "%.64s is in use by process %ld", path, user)
                  : heddle_fail(error, -EBUSY, "%.64s is in use by another process", path);
}

static int open_group(struct heddle_pcie_card *card, const char *path, struct heddle_error *error) {
  card->descriptors[GROUP] = open(path, O_RDWR | O_CLOEXEC);
  if (card->descriptors[GROUP] >= 0)
    return heddle_hold(card->descriptors[GROUP], path, error);
  const int why = errno;
  if (why == EACCES || why == EPERM)
    return heddle_fail(error, -EACCES, "no permission for %.64s: 'sudo chown $USER %.64s', or run as root", path, path);
  if (why == EBUSY)
    return taken(path, error);
  return heddle_fail(error, why == ENOENT ? -ENODEV : -why, "%.64s: %s", path, strerror(why));
}

static int open_container(struct heddle_pcie_card *card, struct heddle_error *error) {
  struct vfio_group_status status = {.argsz = sizeof status};
  int *container = &card->descriptors[CONTAINER];
  *container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
  if (*container < 0)
    return heddle_fail(error, errno == EACCES ? -EACCES : -EIO, "/dev/vfio/vfio: %s", strerror(errno));
  if (ioctl(*container, VFIO_GET_API_VERSION) != VFIO_API_VERSION)
    return heddle_fail(error, -EIO, "/dev/vfio/vfio has another version than this library");
  if (ioctl(card->descriptors[GROUP], VFIO_GROUP_GET_STATUS, &status) != 0)
    return cannot(card, "the group", error);
  if ((status.flags & VFIO_GROUP_FLAGS_VIABLE) == 0)
    return heddle_fail(
        error, -EBUSY,
        "the card at %s shares its IOMMU group with devices that are not bound to vfio-pci: bind these, too",
        card->name);
  if (ioctl(card->descriptors[GROUP], VFIO_GROUP_SET_CONTAINER, container) != 0 ||
      ioctl(*container, VFIO_SET_IOMMU, VFIO_TYPE1_IOMMU) != 0)
    return cannot(card, "the IOMMU", error);
  card->descriptors[DEVICE] = ioctl(card->descriptors[GROUP], VFIO_GROUP_GET_DEVICE_FD, card->name);
  return card->descriptors[DEVICE] >= 0 ? 0 : cannot(card, "the device", error);
}

static int map(const struct heddle_pcie_card *card, unsigned bar, size_t bytes, volatile uint32_t **memory,
               struct heddle_error *error) {
  struct vfio_region_info region = {.argsz = sizeof region, .index = VFIO_PCI_BAR0_REGION_INDEX + bar};
  if (ioctl(card->descriptors[DEVICE], VFIO_DEVICE_GET_REGION_INFO, &region) != 0)
    return cannot(card, "the memory", error);
  if (region.size < bytes || (region.flags & VFIO_REGION_INFO_FLAG_MMAP) == 0)
    return heddle_fail(error, -EIO, "BAR %u of the card at %s has fewer than %zu bytes, or cannot be mapped", bar,
                       card->name, bytes);
  *memory = heddle_device_memory_map(card->descriptors[DEVICE], (off_t)region.offset, bytes);
  return *memory ? 0 : cannot(card, "the memory", error);
}

// The card answers, and may ask for the host's memory.
static int turn_on(const struct heddle_pcie_card *card, struct heddle_error *error) {
  struct vfio_region_info region = {.argsz = sizeof region, .index = VFIO_PCI_CONFIG_REGION_INDEX};
  uint16_t command = 0;
  if (ioctl(card->descriptors[DEVICE], VFIO_DEVICE_GET_REGION_INFO, &region) != 0)
    return cannot(card, "the configuration", error);
  const off_t at = (off_t)region.offset + COMMAND;
  if (pread(card->descriptors[DEVICE], &command, sizeof command, at) != sizeof command)
    return cannot(card, "the configuration", error);
  command |= MEMORY_SPACE | BUS_MASTER;
  return pwrite(card->descriptors[DEVICE], &command, sizeof command, at) == sizeof command
             ? 0
             : cannot(card, "the configuration", error);
}

// The interrupt. Without one the card is asked again and again.
static void take_interrupt(struct heddle_pcie_card *card) {
  struct {
    struct vfio_irq_set set;
    int32_t descriptor;
  } irq = {.set = {.argsz = sizeof irq,
                   .flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
                   .index = VFIO_PCI_MSIX_IRQ_INDEX,
                   .count = 1}};
  card->interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  // The descriptor is what stands behind the structure.
  memcpy((uint8_t *)&irq + sizeof irq.set, &card->interrupt, sizeof irq.descriptor);
  if (card->interrupt < 0 || ioctl(card->descriptors[DEVICE], VFIO_DEVICE_SET_IRQS, &irq) == 0)
    return;
  close(card->interrupt);
  card->interrupt = -1;
}

// Address of a page that stays where it is; 0: nobody says.
static uint64_t physical(const void *page) {
  uint64_t entry = 0;
  const uint64_t present = 1ULL << 63, frame = (1ULL << 55) - 1;
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const off_t at = (off_t)((uintptr_t)page / HEDDLE_PCIE_PAGE * sizeof entry);
  const bool read = file >= 0 && pread(file, &entry, sizeof entry, at) == sizeof entry;
  if (file >= 0)
    close(file);
  return read && (entry & present) != 0 ? (entry & frame) * HEDDLE_PCIE_PAGE : 0;
}

// Pages for DMA. Without them data goes through the card's own memory.
static void share_pages(struct heddle_pcie_card *card) {
  const size_t all = (size_t)HEDDLE_PCIE_PAGES * HEDDLE_PCIE_PAGE;
  uint8_t *pages =
      mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1, 0);
  bool shared = pages != MAP_FAILED;
  for (size_t i = 0; i < HEDDLE_PCIE_PAGES && shared; i++) {
    uint8_t *page = pages + i * HEDDLE_PCIE_PAGE;
    card->addresses[i] = card->kind->physical ? physical(page) : FIRST_ADDRESS + i * HEDDLE_PCIE_PAGE;
    struct vfio_iommu_type1_dma_map area = {.argsz = sizeof area,
                                            .flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
                                            .vaddr = (uintptr_t)page,
                                            .iova = card->addresses[i],
                                            .size = HEDDLE_PCIE_PAGE};
    shared = card->addresses[i] != 0 && ioctl(card->descriptors[CONTAINER], VFIO_IOMMU_MAP_DMA, &area) == 0;
  }
  if (shared)
    card->pages = pages;
  else if (pages != MAP_FAILED)
    munmap(pages, all);  // what was shared ends with the container
}

int heddle_pcie_vfio(struct heddle_pcie_card *card, struct heddle_error *error) {
  char group[HEDDLE_PCIE_TEXT], path[sizeof "/dev/vfio/" + HEDDLE_PCIE_TEXT];
  heddle_pcie_link(card->name, "iommu_group", group);
  if (group[0] == 0)
    return heddle_fail(error, -EIO,
                       "the card at %s is bound to vfio-pci, but this machine's IOMMU is off: turn it on, or "
                       "unbind the card",
                       card->name);
  snprintf(path, sizeof path, "/dev/vfio/%s", group);
  int result = open_group(card, path, error);
  if (result == 0)
    result = open_container(card, error);
  if (result == 0)
    result = turn_on(card, error);
  if (result == 0)
    result = map(card, card->kind->bar, HEDDLE_PCIE_BAR_BYTES, &card->registers, error);
  if (result == 0 && card->kind->doorbell)
    result = map(card, 0, HEDDLE_PCIE_DOORBELL_BYTES, &card->doorbell, error);
  if (result != 0)
    return result;
  take_interrupt(card);
  share_pages(card);
  return 0;
}
