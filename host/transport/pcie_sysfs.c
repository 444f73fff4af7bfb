// SPDX-License-Identifier: Apache-2.0
// A card by its files in sysfs: its memory, for this process alone. Called by pcie.c.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/transport/device_memory.h"
#include "host/transport/holder.h"
#include "host/transport/pcie_card.h"

static int cannot_open(const char *path, int why, struct heddle_error *error) {
  if (why == EACCES || why == EPERM)
    return heddle_fail(
        error, -EACCES,
        "no permission for %.80s: bind the card to vfio-pci and give yourself its group in /dev/vfio, as "
        "README.md of host/transport says, or run as root",
        path);
  if (why == ENOENT || why == ENODEV || why == ENXIO)
    return heddle_fail(error, -ENODEV, "%.80s is gone: the card was pulled out", path);
  return heddle_fail(error, -why, "%.80s: %s", path, strerror(why));
}

// A card that no driver has may be off: it does not answer then.
static int turn_on(const char *name, struct heddle_error *error) {
  char path[HEDDLE_PCIE_PATH], text[HEDDLE_PCIE_TEXT];
  heddle_pcie_text(name, "enable", text);
  if (text[0] != '0')
    return 0;
  heddle_pcie_path(name, "enable", path);
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool on = file >= 0 && write(file, "1", 1) == 1;
  const int why = errno;
  if (file >= 0)
    close(file);
  return on ? 0 : cannot_open(path, why, error);
}

// Maps so much of a BAR. What it was mapped from is kept at *descriptor.
static int map(const char *name, unsigned bar, size_t bytes, int *descriptor, volatile uint32_t **memory,
               struct heddle_error *error) {
  char path[HEDDLE_PCIE_PATH], file[16];
  struct stat status;
  snprintf(file, sizeof file, "resource%u", bar);
  heddle_pcie_path(name, file, path);
  *descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (*descriptor < 0)
    return cannot_open(path, errno, error);
  if (fstat(*descriptor, &status) != 0 || status.st_size < (off_t)bytes)
    return heddle_fail(error, -EIO, "%.80s has fewer than %zu bytes: is the card's bitstream one of Heddle?", path,
                       bytes);
  // Less than a page is mapped as one.
  *memory = heddle_device_memory_map(*descriptor, 0, bytes);
  return *memory ? 0 : cannot_open(path, errno, error);
}

int heddle_pcie_sysfs(struct heddle_pcie_card *card, struct heddle_error *error) {
  char path[HEDDLE_PCIE_PATH];
  int result = turn_on(card->name, error);
  if (result != 0)
    return result;
  result = map(card->name, card->kind->bar, HEDDLE_PCIE_BAR_BYTES, &card->descriptors[0], &card->registers, error);
  if (result != 0)
    return result;
  heddle_pcie_path(card->name, "", path);
  result = heddle_hold(card->descriptors[0], path, error);
  if (result == 0 && card->kind->doorbell)
    result = map(card->name, 0, HEDDLE_PCIE_DOORBELL_BYTES, &card->descriptors[1], &card->doorbell, error);
  return result;
}
