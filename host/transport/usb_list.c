// SPDX-License-Identifier: Apache-2.0
// Which boards are on USB (usb.h), by what the kernel says of every device in sysfs. Called whenever a program asks for
// its devices, so it reads some small files and no more.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "host/transport/usb.h"

// Of pid.codes, for tests: shared with others, so what a device is called counts, too. The same in
// host/install/70-heddle.rules and contract/DEVICE.md.
static const char *const VENDOR = "1209", *const PRODUCT = "0001", *const NAME = "Heddle";

static const char FOLDER[] = "/sys/bus/usb/devices";
enum { PATH_BYTES = sizeof FOLDER + 256 + 16, TEXT_BYTES = 128 };

// A line of text about a device; empty when there is none.
static void read_text(const char *device, const char *name, char *text) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/%.255s/%s", FOLDER, device, name);
  FILE *file = fopen(path, "re");
  if (!file || !fgets(text, TEXT_BYTES, file))
    text[0] = 0;
  text[strcspn(text, "\n")] = 0;
  if (file)
    fclose(file);
}

static unsigned read_number(const char *device, const char *name) {
  char text[TEXT_BYTES];
  read_text(device, name, text);
  return (unsigned)strtoul(text, NULL, 10);
}

static bool is_board(const char *device) {
  char text[TEXT_BYTES];
  read_text(device, "idVendor", text);
  if (strcmp(text, VENDOR) != 0)
    return false;
  read_text(device, "idProduct", text);
  if (strcmp(text, PRODUCT) != 0)
    return false;
  read_text(device, "product", text);
  return strncmp(text, NAME, strlen(NAME)) == 0;
}

// False: it went in the meantime.
static bool find_location(const char *device, struct heddle_bus_location *location) {
  char path[PATH_BYTES];
  struct stat folder;
  snprintf(path, sizeof path, "%s/%.255s/.", FOLDER, device);
  if (stat(path, &folder) != 0)
    return false;
  *location = (struct heddle_bus_location){
      .bus = read_number(device, "busnum"), .address = read_number(device, "devnum"), .plugged = folder.st_ino};
  return location->bus != 0 && location->address != 0;
}

static int by_location(const void *first, const void *second) {
  const struct heddle_bus_location *a = first, *b = second;
  return a->bus != b->bus ? (a->bus > b->bus) - (a->bus < b->bus)
                          : (a->address > b->address) - (a->address < b->address);
}

size_t heddle_usb_list(struct heddle_bus_location *locations, size_t most) {
  size_t count = 0;
  DIR *folder = opendir(FOLDER);
  for (struct dirent *entry; folder && count < most && (entry = readdir(folder));) {
    // "1-1.4" is a device, "1-1.4:1.0" one of its interfaces, "usb1" a bus.
    const bool device = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && !strchr(entry->d_name, ':');
    count += device && is_board(entry->d_name) && find_location(entry->d_name, &locations[count]);
  }
  if (folder)
    closedir(folder);
  qsort(locations, count, sizeof *locations, by_location);
  return count;
}
