// SPDX-License-Identifier: Apache-2.0
// Product strings of USB devices (product.h).
#include "contract/product.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The product string in a folder of /sys; false: it has none.
static bool read_product(const char *folder, char *text, size_t size) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/product", folder) >= (int)sizeof path)
    return false;
  FILE *file = fopen(path, "re");
  const bool has_one = file && fgets(text, (int)size, file);
  if (file)
    fclose(file);
  return has_one;
}

// Adds the bitstream that a product string belongs to. False: another one was found before.
static bool take(const struct heddle_fat_binary *fat, const char *product, const struct heddle_fat_part **found) {
  for (uint32_t i = 0; i < fat->count; i++) {
    const struct heddle_fat_part *part = &fat->parts[i];
    if (part->product[0] == 0 || strncmp(product, part->product, strlen(part->product)) != 0)
      continue;
    if (*found && *found != part)
      return false;
    *found = part;
  }
  return true;
}

// Of a port, up from its folder in /sys to the device that it belongs to: the interface, then the device.
static bool product_of_port(const char *port, char *text, size_t size) {
  char real[PATH_MAX], folder[PATH_MAX];
  if (!realpath(port, real) ||
      snprintf(folder, sizeof folder, "/sys/class/tty/%s/device", strrchr(real, '/') + 1) >= (int)sizeof folder ||
      !realpath(folder, real))
    return false;
  for (int steps = 0; steps < 4; steps++) {
    if (read_product(real, text, size))
      return true;
    char *slash = strrchr(real, '/');
    if (!slash || slash == real)
      return false;
    *slash = 0;
  }
  return false;
}

const struct heddle_fat_part *heddle_product_choose(const struct heddle_fat_binary *fat, const char *port) {
  static const char devices[] = "/sys/bus/usb/devices";
  const struct heddle_fat_part *found = NULL;
  char text[256], path[PATH_MAX];
  if (port)
    return product_of_port(port, text, sizeof text) && take(fat, text, &found) ? found : NULL;
  DIR *folder = opendir(devices);
  const struct dirent *entry;
  bool is_one = true;
  while (folder && is_one && (entry = readdir(folder))) {
    if (entry->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", devices, entry->d_name) >= (int)sizeof path ||
        !read_product(path, text, sizeof text))
      continue;
    is_one = take(fat, text, &found);
  }
  if (folder)
    closedir(folder);
  return is_one ? found : NULL;
}
