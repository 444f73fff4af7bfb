// SPDX-License-Identifier: Apache-2.0
// Finds the devices and opens them (platform.h).
#include "host/cl/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/info.h"
#include "host/cl/queue.h"
#include "host/transport/serial.h"
#include "host/transport/sim.h"

// What a kernel may take unless $HEDDLE_BUDGET_CYCLES says otherwise: a minute or two, or some, so that one that ends
// is not stopped, and one that does not is within what somebody waits. Simulated RTL makes a hundred to two hundred
// thousand cycles a second, the model and a board tens of millions.
enum { SLOW_BUDGET_CYCLES = 1 << 27 };
static const cl_ulong fast_budget_cycles = (cl_ulong)1 << 33;

static struct _cl_platform_id platform_object;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int open_rtl(struct heddle_link *link, struct heddle_error *error) {
  return heddle_sim_open(HEDDLE_SIM_RTL, link, error);
}

static int open_model(struct heddle_link *link, struct heddle_error *error) {
  return heddle_sim_open(HEDDLE_SIM_MODEL, link, error);
}

static void add_device(bool present, const char *name, int (*open)(struct heddle_link *, struct heddle_error *),
                       cl_ulong budget) {
  cl_device_id device = &platform_object.devices[platform_object.num_devices];
  if (!present || !heddle_object_register(&device->object, HEDDLE_DEVICE_OBJECT))
    return;
  device->open = open;
  device->name = name;
  device->budget = budget;
  snprintf(device->full_name, sizeof device->full_name, "%s", name);
  pthread_mutex_init(&device->opening, NULL);
  platform_object.num_devices++;
}

static void read_double_switch(void) {
  const char *text = getenv("HEDDLE_DOUBLE");
  platform_object.offers_double = text && strcmp(text, "1") == 0;
  platform_object.double_is_misspelled = text && *text && strcmp(text, "0") != 0 && !platform_object.offers_double;
}

// The first is the default device: a board, if one is named.
static void find_devices(void) {
  heddle_object_register(&platform_object.object, HEDDLE_PLATFORM_OBJECT);
  read_double_switch();
  add_device(heddle_serial_present(), "Heddle board", heddle_serial_open, fast_budget_cycles);
  add_device(heddle_sim_present(HEDDLE_SIM_RTL), "Heddle sim", open_rtl, SLOW_BUDGET_CYCLES);
  add_device(heddle_sim_present(HEDDLE_SIM_MODEL), "Heddle model", open_model, fast_budget_cycles);
}

cl_platform_id heddle_platform(void) {
  pthread_once(&once, find_devices);
  return &platform_object;
}

bool heddle_is_platform(cl_platform_id platform) {
  return heddle_object_valid(platform, HEDDLE_PLATFORM_OBJECT);
}

bool heddle_is_device(cl_device_id device) {
  return heddle_object_valid(device, HEDDLE_DEVICE_OBJECT);
}

static void open_now(cl_device_id device) {
  struct heddle_link link;
  struct heddle_device *driver = NULL;
  if (platform_object.double_is_misspelled) {
    heddle_fail(&device->error, -EINVAL, "HEDDLE_DOUBLE must be 0 or 1");
    return;
  }
  if (device->open(&link, &device->error) != 0 || heddle_device_open(&link, &driver, &device->error) != 0)
    return;
  const struct heddle_capabilities *capabilities = heddle_device_capability(driver);
  if (capabilities->units == 1)
    snprintf(device->full_name, sizeof device->full_name, "%s (%u lanes, %u slots)", device->name, capabilities->lanes,
             capabilities->slots);
  else
    snprintf(device->full_name, sizeof device->full_name, "%s (%u units of %u lanes, %u slots)", device->name,
             capabilities->units, capabilities->lanes, capabilities->slots);
  device->driver = driver;
}

struct heddle_device *heddle_open(cl_device_id device) {
  pthread_mutex_lock(&device->opening);
  if (!device->tried)
    open_now(device);
  device->tried = true;
  struct heddle_device *driver = device->driver;
  pthread_mutex_unlock(&device->opening);
  return driver;
}

const struct heddle_capabilities *heddle_capabilities_of(cl_device_id device) {
  struct heddle_device *driver = heddle_open(device);
  return driver ? heddle_device_capability(driver) : NULL;
}

cl_int heddle_code_of(int result, cl_int otherwise) {
  return result == -ENODEV ? CL_DEVICE_NOT_AVAILABLE : otherwise;
}

// Workers stop and devices close when the library goes, so that nothing runs on into the end of the process.
__attribute__((destructor)) static void close_devices(void) {
  for (cl_uint i = 0; i < platform_object.num_devices; i++) {
    cl_device_id device = &platform_object.devices[i];
    if (heddle_worker_stop(device)) {
      heddle_device_close(device->driver);
      device->driver = NULL;
    }
  }
}

bool heddle_offers_double(void) {
  return heddle_platform()->offers_double;
}

cl_ulong heddle_budget_cycles(cl_device_id device) {
  const char *text = getenv("HEDDLE_BUDGET_CYCLES");
  return text && *text ? strtoull(text, NULL, 0) : device->budget;
}

cl_ulong heddle_max_allocation(const struct heddle_capabilities *capabilities) {
  return capabilities->global_bytes / 2;
}

cl_uint heddle_devices_of_type(cl_device_type type, cl_device_id *devices) {
  cl_platform_id platform = heddle_platform();
  cl_uint count = 0;
  for (cl_uint i = 0; i < platform->num_devices; i++) {
    const bool asked = (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 || ((type & CL_DEVICE_TYPE_DEFAULT) != 0 && i == 0);
    if (asked && devices)
      devices[count] = &platform->devices[i];
    count += asked;
  }
  return count;
}

bool heddle_list_has(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)) != NULL; at += length) {
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  }
  return false;
}

const char *heddle_list_join(char *buffer, const char *first, const char *second, const char *third) {
  const char *const lists[] = {first, second, third};
  size_t used = 0;
  *buffer = 0;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (lists[i] && used < HEDDLE_LIST_BYTES)
      used += (size_t)snprintf(buffer + used, HEDDLE_LIST_BYTES - used, "%s%s", used > 0 ? " " : "", lists[i]);
  }
  return buffer;
}

cl_int heddle_answer_names(const struct heddle_answer *answer, const char *list, cl_version version) {
  enum { MOST = 64 };
  cl_name_version names[MOST];
  size_t count = 0;
  for (const char *at = list + strspn(list, " "); *at && count < MOST; count++) {
    const size_t length = strcspn(at, " ");
    memset(&names[count], 0, sizeof names[count]);
    names[count].version = version;
    snprintf(names[count].name, sizeof names[count].name, "%.*s", (int)length, at);
    at += length;
    at += strspn(at, " ");
  }
  return heddle_answer_bytes(answer, names, count * sizeof *names);
}
