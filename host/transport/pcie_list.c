// SPDX-License-Identifier: Apache-2.0
// Which cards are on PCIe (pcie.h), by what the kernel says of every one in sysfs. Called whenever a program asks for
// its devices, so it reads some small files and no more.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/transport/pcie.h"
#include "host/transport/pcie_card.h"

static const char FOLDER[] = "/sys/bus/pci/devices";

// Ids as a LitePCIe board has them on a Xilinx part with 1, 2, 4 and 8 lanes; the subsystem's, "HD", is what makes it
// ours. The same in contract/DEVICE.md.
enum { XILINX = 0x10EE, HEDDLE_SUBSYSTEM = 0x4844, RED_HAT = 0x1AF4, IVSHMEM = 0x1110 };
static const struct heddle_pcie_kind kinds[] = {
    {.vendor = XILINX, .device = 0x7021, .subsystem = HEDDLE_SUBSYSTEM},
    {.vendor = XILINX, .device = 0x7022, .subsystem = HEDDLE_SUBSYSTEM},
    {.vendor = XILINX, .device = 0x7024, .subsystem = HEDDLE_SUBSYSTEM},
    {.vendor = XILINX, .device = 0x7028, .subsystem = HEDDLE_SUBSYSTEM},
    // QEMU's memory that is shared with another process, which stands for a card's registers in tests.
    {.vendor = RED_HAT, .device = IVSHMEM, .when_named = true, .bar = 2, .doorbell = true, .physical = true},
    {.when_named = true},
};

void heddle_pcie_path(const char *name, const char *file, char path[HEDDLE_PCIE_PATH]) {
  snprintf(path, HEDDLE_PCIE_PATH, "%s/%.16s/%.48s", FOLDER, name, file);
}

void heddle_pcie_text(const char *name, const char *file, char text[HEDDLE_PCIE_TEXT]) {
  char path[HEDDLE_PCIE_PATH];
  heddle_pcie_path(name, file, path);
  FILE *opened = fopen(path, "re");
  if (!opened || !fgets(text, HEDDLE_PCIE_TEXT, opened))
    text[0] = 0;
  text[strcspn(text, "\n")] = 0;
  if (opened)
    fclose(opened);
}

void heddle_pcie_link(const char *name, const char *file, char text[HEDDLE_PCIE_TEXT]) {
  char path[HEDDLE_PCIE_PATH], to[256];
  heddle_pcie_path(name, file, path);
  const ssize_t length = readlink(path, to, sizeof to - 1);
  to[length > 0 ? length : 0] = 0;
  const char *last = strrchr(to, '/');
  snprintf(text, HEDDLE_PCIE_TEXT, "%.63s", last ? last + 1 : to);
}

static unsigned id_of(const char *name, const char *file) {
  char text[HEDDLE_PCIE_TEXT];
  heddle_pcie_text(name, file, text);
  return (unsigned)strtoul(text, NULL, 16);
}

static bool is_named(const char *name) {
  const char *named = secure_getenv("HEDDLE_PCIE");
  return named && strcmp(named, name) == 0;
}

static const struct heddle_pcie_kind *kind_of(const char *name) {
  const unsigned vendor = id_of(name, "vendor"), device = id_of(name, "device");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && vendor != 0; i++) {
    const struct heddle_pcie_kind *kind = &kinds[i];
    const bool fits = kind->vendor == 0 || (kind->vendor == vendor && kind->device == device);
    if (fits && (!kind->when_named || is_named(name)) &&
        (kind->subsystem == 0 || kind->subsystem == id_of(name, "subsystem_device")))
      return kind;
  }
  return NULL;
}

void heddle_pcie_name(const struct heddle_bus_location *location, char name[HEDDLE_PCIE_NAME]) {
  snprintf(name, HEDDLE_PCIE_NAME, "%04x:%02x:%02x.%x", location->bus & 0xFFFF, location->address >> 8 & 0xFF,
           location->address >> 3 & 0x1F, location->address & 7);
}

const struct heddle_pcie_kind *heddle_pcie_kind(const struct heddle_bus_location *location) {
  char name[HEDDLE_PCIE_NAME];
  heddle_pcie_name(location, name);
  return kind_of(name);
}

// False: it is no name of a card, or the card went in the meantime.
static bool find_location(const char *name, struct heddle_bus_location *location) {
  char path[HEDDLE_PCIE_PATH], again[HEDDLE_PCIE_NAME];
  struct stat folder;
  unsigned domain, bus, device, function;
  // All four have to be there, which the name made of them shows.
  if (sscanf(name, "%4x:%2x:%2x.%1x", &domain, &bus, &device, &function) != 4)  // NOLINT(cert-err34-c)
    return false;
  heddle_pcie_path(name, ".", path);
  if (stat(path, &folder) != 0)
    return false;
  *location = (struct heddle_bus_location){
      .bus = domain, .address = bus << 8 | device << 3 | function, .plugged = folder.st_ino};
  heddle_pcie_name(location, again);
  return strcmp(name, again) == 0;
}

bool heddle_pcie_is_plugged(const struct heddle_bus_location *location) {
  char name[HEDDLE_PCIE_NAME];
  struct heddle_bus_location now;
  heddle_pcie_name(location, name);
  return find_location(name, &now) && now.plugged == location->plugged;
}

static int by_location(const void *first, const void *second) {
  const struct heddle_bus_location *a = first, *b = second;
  return a->bus != b->bus ? (a->bus > b->bus) - (a->bus < b->bus)
                          : (a->address > b->address) - (a->address < b->address);
}

size_t heddle_pcie_list(struct heddle_bus_location *locations, size_t most) {
  size_t count = 0;
  DIR *folder = opendir(FOLDER);
  for (struct dirent *entry; folder && count < most && (entry = readdir(folder));)
    count += strlen(entry->d_name) < HEDDLE_PCIE_NAME && kind_of(entry->d_name) &&
             find_location(entry->d_name, &locations[count]);
  if (folder)
    closedir(folder);
  qsort(locations, count, sizeof *locations, by_location);
  return count;
}
