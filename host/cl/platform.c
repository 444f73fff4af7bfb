// SPDX-License-Identifier: Apache-2.0
// Finds the devices and opens them (platform.h).
#include "host/cl/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/cl/callbacks.h"
#include "host/cl/compiler.h"
#include "host/cl/hardware.h"
#include "host/cl/info.h"
#include "host/cl/log.h"
#include "host/cl/queue.h"
#include "host/cl/reconfigure.h"
#include "host/cl/shared.h"
#include "host/cl/worker.h"
#include "host/environment.h"
#include "host/observe/waves.h"
#include "host/transport/mmio.h"
#include "host/transport/pcie.h"
#include "host/transport/serial.h"
#include "host/transport/sim.h"
#include "host/transport/usb.h"

// What a kernel may take unless $HEDDLE_BUDGET_CYCLES says otherwise: a minute or two, or some, so that one that ends
// is not stopped, and one that does not is within what somebody waits. Simulated RTL makes a hundred to two hundred
// thousand cycles a second, the model and a board tens of millions.
enum { SLOW_BUDGET_CYCLES = 1 << 27 };
static const cl_ulong fast_budget_cycles = (cl_ulong)1 << 33;

static struct _cl_platform_id platform_object;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Which boards there are, and who has them.
static pthread_mutex_t boards = PTHREAD_MUTEX_INITIALIZER;
static cl_ulong num_changes;

static int open_serial(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  return heddle_serial_open(device->port, link, error);
}

static int open_mmio(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  return heddle_mmio_open(device->port, link, error);
}

static int open_usb(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  return heddle_usb_open(&device->location, link, error);
}

static int open_pcie(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  return heddle_pcie_open(&device->location, link, error);
}

static int open_rtl(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  (void)device;
  return heddle_hardware_asked() ? heddle_hardware_open(link, error) : heddle_sim_open(HEDDLE_SIM_RTL, link, error);
}

static int open_model(cl_device_id device, struct heddle_link *link, struct heddle_error *error) {
  (void)device;
  return heddle_sim_open(HEDDLE_SIM_MODEL, link, error);
}

// NULL: there is no more room.
static cl_device_id add_device(bool present, const char *name,
                               int (*open)(cl_device_id, struct heddle_link *, struct heddle_error *),
                               cl_ulong budget) {
  cl_device_id device = &platform_object.devices[platform_object.num_devices];
  if (!present || platform_object.num_devices == HEDDLE_MAX_DEVICES ||
      !heddle_object_register(&device->object, HEDDLE_DEVICE_OBJECT))
    return NULL;
  device->root = device;
  device->open = open;
  device->name = name;
  device->budget = budget;
  device->there = true;
  snprintf(device->full_name, sizeof device->full_name, "%s", name);
  pthread_mutex_init(&device->opening, NULL);
  platform_object.num_devices++;
  return device;
}

static const struct heddle_variable double_variable = {.name = "HEDDLE_DOUBLE", .most = 1, .what = "0 or 1"};

static void read_double_switch(void) {
  uint64_t offered;
  struct heddle_error error;
  platform_object.double_is_misspelled = heddle_environment_number(&double_variable, &offered, &error) != 0;
  platform_object.offers_double = offered != 0;
}

// A child of fork has the memory, and neither the workers nor a device: what was made before is not valid there, and
// devices are opened anew when it asks for something. Boards are its parent's as long as that has them.
static void forked(void) {
  heddle_objects_forked();
  heddle_events_forked();
  heddle_shared_forked();
  heddle_callbacks_forked();
  heddle_compiler_forked();
  pthread_mutex_init(&boards, NULL);
  heddle_object_register(&platform_object.object, HEDDLE_PLATFORM_OBJECT);
  for (cl_uint i = 0; i < platform_object.num_devices; i++) {
    cl_device_id device = &platform_object.devices[i];
    heddle_object_register(&device->object, HEDDLE_DEVICE_OBJECT);
    pthread_mutex_init(&device->opening, NULL);
    device->num_holders = 0;
    device->tried = false;
    device->driver = NULL;  // left as it is: closing it would disturb the parent's board
    device->ready = NULL;
    device->working = device->stop = false;
    device->num_in_flight = 0;
    device->ahead = device->last_end = 0;
  }
}

// What the platform is called: programs that were written for another one look for its name.
static void read_name(void) {
  const char *text = getenv("HEDDLE_PLATFORM_NAME");
  const size_t length = text ? strlen(text) : 0;
  bool is_name = length < HEDDLE_PLATFORM_NAME_BYTES;
  for (size_t i = 0; i < length && is_name; i++)
    is_name = text[i] >= ' ' && text[i] <= '~';
  platform_object.name_is_misspelled = !is_name;
  snprintf(platform_object.name, sizeof platform_object.name, "%s", is_name && length > 0 ? text : "Heddle");
}

// What the devices say that they are (docs/decisions/device-type.md).
static void read_device_type(void) {
  static const struct {
    const char *name;
    cl_device_type type;
  } types[] = {{"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
               {"gpu", CL_DEVICE_TYPE_GPU},
               {"all", CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR}};
  const char *text = getenv("HEDDLE_DEVICE_TYPE");
  platform_object.device_type = CL_DEVICE_TYPE_ACCELERATOR;
  platform_object.device_type_is_misspelled = text && *text;
  for (size_t i = 0; i < sizeof types / sizeof *types && text; i++) {
    if (strcmp(text, types[i].name) != 0)
      continue;
    platform_object.device_type = types[i].type;
    platform_object.device_type_is_misspelled = false;
  }
}

// Whoever asks for checks and for a device that cannot check is told which of the two there is.
static void tell_left_out(void) {
  static const char *const names[] = {"HEDDLE_HARDWARE", "HEDDLE_SERIAL", "HEDDLE_UIO"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (heddle_environment_is_set(names[i]))
      heddle_log(HEDDLE_LOG_ERROR, "HEDDLE_CHECK=1: the model checks kernels, and is the only device; %s is left out",
                 names[i]);
}

static void find_devices(void) {
  pthread_atfork(NULL, NULL, forked);
  heddle_object_register(&platform_object.object, HEDDLE_PLATFORM_OBJECT);
  read_double_switch();
  read_name();
  read_device_type();
  // A program that takes the first device is to get the one that checks.
  platform_object.checks = heddle_sim_is_check_asked();
  if (!platform_object.checks) {
    for (unsigned port = 0; port < heddle_serial_count(); port++) {
      cl_device_id board = add_device(true, "Heddle board", open_serial, fast_budget_cycles);
      if (board)
        board->port = port;
    }
    for (unsigned port = 0; port < heddle_mmio_count(); port++) {
      cl_device_id chip = add_device(true, "Heddle board by UIO", open_mmio, fast_budget_cycles);
      if (chip)
        chip->port = port;
    }
    add_device(heddle_hardware_asked() || heddle_sim_present(HEDDLE_SIM_RTL), "Heddle sim", open_rtl,
               SLOW_BUDGET_CYCLES);
  } else {
    tell_left_out();
    heddle_waves_asked();  // that there will be none is said at the end
  }
  add_device(heddle_sim_present(HEDDLE_SIM_MODEL), "Heddle model", open_model, fast_budget_cycles);
}

// ---- Boards that come and go

static const struct bus {
  const char *name;  // of a board on it
  size_t (*list)(struct heddle_bus_location *locations, size_t most);
  int (*open)(cl_device_id device, struct heddle_link *link, struct heddle_error *error);
} buses[] = {{.name = "Heddle board on PCIe", .list = heddle_pcie_list, .open = open_pcie},
             {.name = "Heddle board on USB", .list = heddle_usb_list, .open = open_usb}};
enum { NUM_BUSES = sizeof buses / sizeof *buses };

static bool is_on(const struct _cl_device_id *device, const struct bus *bus) {
  return device->open == bus->open;
}

static bool is_board(const struct _cl_device_id *device) {
  bool on_any = false;
  for (size_t i = 0; i < NUM_BUSES; i++)
    on_any = on_any || is_on(device, &buses[i]);
  return on_any;
}

// Lets go of the driver of a board that was pulled out; later, when who asks is the board's own worker.
static void forget_board(cl_device_id device) {
  if (!heddle_worker_stop(device))
    return;
  pthread_mutex_lock(&device->opening);
  heddle_device_close(device->driver);
  device->driver = NULL;
  pthread_mutex_unlock(&device->opening);
  heddle_worker_reset(device);
}

static void set_there(cl_device_id device, bool there) {
  pthread_mutex_lock(&device->opening);
  device->there = there;
  pthread_mutex_unlock(&device->opening);
  device->since = ++num_changes;
}

static bool has_driver(cl_device_id device) {
  pthread_mutex_lock(&device->opening);
  const bool has = device->driver;
  pthread_mutex_unlock(&device->opening);
  return has;
}

// A device for a board that was plugged in: that of the one that went first and that nobody has, or else a new one. One
// that has just gone rests for a while, since a program may still ask about it.
static cl_device_id device_for_board(const struct bus *bus) {
  enum { LEAST = HEDDLE_MAX_BOARDS / 2 };
  cl_device_id oldest = NULL;
  cl_uint free = 0;
  for (cl_uint i = 0; i < platform_object.num_devices; i++) {
    cl_device_id device = &platform_object.devices[i];
    if (!is_board(device) || device->there || device->num_holders != 0 || has_driver(device))
      continue;
    free++;
    if (!oldest || device->since < oldest->since)
      oldest = device;
  }
  if (!oldest || (free < LEAST && platform_object.num_devices < HEDDLE_MAX_DEVICES)) {
    cl_device_id added = add_device(true, bus->name, bus->open, fast_budget_cycles);
    oldest = added ? added : oldest;
  }
  return oldest;
}

static void plugged_in(const struct bus *bus, const struct heddle_bus_location *location) {
  cl_device_id device = device_for_board(bus);
  if (!device)
    return;
  pthread_mutex_lock(&device->opening);
  device->name = bus->name;
  device->open = bus->open;
  device->location = *location;
  device->tried = false;
  snprintf(device->full_name, sizeof device->full_name, "%s", device->name);
  pthread_mutex_unlock(&device->opening);
  set_there(device, true);
}

static bool is_same(const struct heddle_bus_location *a, const struct heddle_bus_location *b) {
  return a->bus == b->bus && a->address == b->address && a->plugged == b->plugged;
}

static cl_device_id board_at(const struct bus *bus, const struct heddle_bus_location *location) {
  for (cl_uint i = 0; i < platform_object.num_devices; i++) {
    cl_device_id device = &platform_object.devices[i];
    if (is_on(device, bus) && device->there && is_same(&device->location, location))
      return device;
  }
  return NULL;
}

// What is known of the boards on a bus, by what is there now.
static void look_again(const struct bus *bus, const struct heddle_bus_location *locations, size_t count) {
  for (cl_uint i = 0; i < platform_object.num_devices; i++) {
    cl_device_id device = &platform_object.devices[i];
    bool listed = false;
    if (!is_on(device, bus))
      continue;
    for (size_t j = 0; j < count; j++)
      listed = listed || is_same(&device->location, &locations[j]);
    if (device->there && !listed)
      set_there(device, false);
    pthread_mutex_lock(&device->opening);
    device->tried = device->tried && device->driver;
    pthread_mutex_unlock(&device->opening);
    if (!device->there && device->num_holders == 0 && has_driver(device))
      forget_board(device);
  }
}

// Looks which boards are there. What could not be opened is tried again when it is asked for next.
static void find_boards(void) {
  struct heddle_bus_location locations[NUM_BUSES][HEDDLE_MAX_BOARDS];
  size_t counts[NUM_BUSES];
  if (platform_object.checks)
    return;
  // All that went make room before what came takes it.
  for (size_t i = 0; i < NUM_BUSES; i++) {
    counts[i] = buses[i].list(locations[i], HEDDLE_MAX_BOARDS);
    look_again(&buses[i], locations[i], counts[i]);
  }
  for (size_t i = 0; i < NUM_BUSES; i++) {
    for (size_t j = 0; j < counts[i]; j++)
      if (!board_at(&buses[i], &locations[i][j]))
        plugged_in(&buses[i], &locations[i][j]);
  }
}

static void count_holders(cl_device_id root, int change) {
  pthread_mutex_lock(&boards);
  root->num_holders += (cl_uint)change;
  pthread_mutex_unlock(&boards);
}

void heddle_device_hold(cl_device_id device) {
  if (device->parent)
    heddle_object_retain(device);
  else
    count_holders(device, 1);
}

void heddle_device_let_go(cl_device_id device) {
  while (device->parent) {
    cl_device_id parent = device->parent;
    if (!heddle_object_release(device))
      return;
    free(device->partition);
    free(device);
    device = parent;
  }
  count_holders(device, -1);
}

bool heddle_device_take(cl_device_id device) {
  heddle_device_hold(device);
  const bool available = heddle_available(device);
  if (!available)
    heddle_device_let_go(device);
  return available;
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

// What is known of an open device, from its driver. Its mutex is held.
static void describe(cl_device_id device) {
  device->capabilities = *heddle_device_capability(device->driver);
  const struct heddle_capabilities *capabilities = &device->capabilities;
  if (capabilities->units == 0)
    snprintf(device->full_name, sizeof device->full_name, "%s (kernel pipelines)", device->name);
  else if (capabilities->units == 1)
    snprintf(device->full_name, sizeof device->full_name, "%s (%u lanes, %u slots)", device->name, capabilities->lanes,
             capabilities->slots);
  else
    snprintf(device->full_name, sizeof device->full_name, "%s (%u units of %u lanes, %u slots)", device->name,
             capabilities->units, capabilities->lanes, capabilities->slots);
}

static void open_now(cl_device_id device) {
  struct heddle_link link;
  struct heddle_device *driver = NULL;
  cl_ulong budget;
  if (platform_object.double_is_misspelled) {
    heddle_environment_wrong(double_variable.name, double_variable.what, &device->error);
    return;
  }
  if (platform_object.name_is_misspelled) {
    heddle_environment_wrong("HEDDLE_PLATFORM_NAME", "a name of up to 100 printable characters of ASCII",
                             &device->error);
    return;
  }
  if (platform_object.device_type_is_misspelled) {
    heddle_environment_wrong("HEDDLE_DEVICE_TYPE", "accelerator, gpu or all", &device->error);
    return;
  }
  if (heddle_budget_cycles(device, &budget, &device->error) != 0)
    return;
  if (device->open(device, &link, &device->error) != 0 || heddle_device_open(&link, &driver, &device->error) != 0)
    return;
  device->driver = driver;
  describe(device);
  heddle_log(HEDDLE_LOG_INFO, "device \"%s\" opened", device->full_name);
}

struct heddle_device *heddle_open(cl_device_id of) {
  cl_device_id device = of->root;
  pthread_mutex_lock(&device->opening);
  if (!device->tried && device->there)
    open_now(device);
  device->tried = true;
  struct heddle_device *driver = device->driver;
  pthread_mutex_unlock(&device->opening);
  return driver;
}

struct reload {
  cl_device_id device;
  const struct heddle_fat_part *part;
};

static int reload_load(void *user, struct heddle_error *error) {
  const struct reload *this = user;
  return heddle_bitstream_load(this->part, error);
}

// A port goes while its chip is loaded, and comes back some time later.
static int reload_open(void *user, struct heddle_link *link, struct heddle_error *error) {
  enum { TRIES = 100 };
  static const struct timespec pause = {.tv_nsec = 100000000};
  const struct reload *this = user;
  int result = -ENOENT;
  for (int i = 0; i < TRIES && result != 0; i++) {
    if (i != 0)
      nanosleep(&pause, NULL);
    result = this->device->open(this->device, link, error);
    if (result != -ENOENT && result != -EACCES && result != -ENXIO)
      break;
  }
  return result;
}

int heddle_reload(cl_device_id device, const struct heddle_fat_part *part, struct heddle_error *error) {
  struct reload this = {.device = device, .part = part};
  const struct heddle_reconfiguration how = {.load = reload_load, .open = reload_open, .user = &this};
  struct heddle_device *driver = heddle_open(device);
  if (device->open != open_serial || device != device->root || !driver)
    return heddle_fail(error, -ENOTSUP,
                       "only boards behind a serial port are reprogrammed while a program has them; load the bitstream "
                       "with `heddle flash` before the program starts");
  if (heddle_serial_count() > 1)
    return heddle_fail(error, -ENOTSUP,
                       "HEDDLE_SERIAL names several boards; only a board that is alone is reprogrammed");
  pthread_mutex_lock(&device->opening);
  const int result = heddle_device_reconfigure(driver, &how, error);
  if (result == 0)
    describe(device);
  pthread_mutex_unlock(&device->opening);
  return result;
}

const struct heddle_capabilities *heddle_capabilities_of(cl_device_id device) {
  return heddle_open(device) ? &device->capabilities : NULL;
}

static bool is_there(cl_device_id device) {
  pthread_mutex_lock(&boards);
  const bool there = device->root->there;
  pthread_mutex_unlock(&boards);
  return there;
}

bool heddle_available(cl_device_id device) {
  const struct heddle_device *driver = is_there(device) ? heddle_open(device) : NULL;
  return driver && !heddle_device_lost(driver, NULL);
}

void heddle_unavailable_text(cl_device_id device, char *text, size_t bytes) {
  if (!is_there(device)) {
    snprintf(text, bytes, "the board was pulled out; clGetDeviceIDs finds it when it is plugged in again");
    return;
  }
  const struct heddle_device *driver = heddle_open(device);
  struct heddle_error why = {""};
  if (driver) {
    heddle_device_lost(driver, &why);
  } else {
    pthread_mutex_lock(&device->root->opening);
    why = device->root->error;
    pthread_mutex_unlock(&device->root->opening);
  }
  snprintf(text, bytes, "%s", why.text);
}

cl_int heddle_code_of(int result) {
  return result == -ENODEV || result == -EIO ? CL_DEVICE_NOT_AVAILABLE : CL_OUT_OF_RESOURCES;
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

int heddle_budget_cycles(cl_device_id device, cl_ulong *cycles, struct heddle_error *error) {
  const struct heddle_variable variable = {.name = "HEDDLE_BUDGET_CYCLES",
                                           .otherwise = device->root->budget,
                                           .most = UINT64_MAX,
                                           .what = "a whole number of cycles, or 0 for no limit"};
  uint64_t number;
  const int result = heddle_environment_number(&variable, &number, error);
  *cycles = number;
  return result;
}

cl_ulong heddle_max_allocation(const struct heddle_capabilities *capabilities) {
  return capabilities->global_bytes / 2;
}

cl_uint heddle_devices_of_type(cl_device_type type, cl_device_id *devices) {
  cl_platform_id platform = heddle_platform();
  cl_uint count = 0;
  cl_device_id there[HEDDLE_MAX_DEVICES];
  cl_uint num_there = 0;
  pthread_mutex_lock(&boards);
  find_boards();
  // A board on a named port, one on this chip, then boards on PCIe, on USB, then simulated devices. The first is the
  // default device.
  for (int rank = 0; rank < 5; rank++) {
    for (cl_uint i = 0; i < platform->num_devices; i++) {
      cl_device_id device = &platform->devices[i];
      const int own = device->open == open_serial ? 0
                      : device->open == open_mmio ? 1
                      : is_on(device, &buses[0])  ? 2
                      : is_on(device, &buses[1])  ? 3
                                                  : 4;
      if (own == rank && device->there)
        there[num_there++] = device;
    }
  }
  pthread_mutex_unlock(&boards);
  for (cl_uint i = 0; i < num_there; i++) {
    const bool asked = (type & platform->device_type) != 0 || ((type & CL_DEVICE_TYPE_DEFAULT) != 0 && i == 0);
    if (asked && devices)
      devices[count] = there[i];
    count += asked;
  }
  return count;
}

bool heddle_list_has(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

const char *heddle_list_join(char *buffer, const char *const *lists, size_t count) {
  size_t used = 0;
  *buffer = 0;
  for (size_t i = 0; i < count; i++)
    if (lists[i] && used < HEDDLE_LIST_BYTES)
      used += (size_t)snprintf(buffer + used, HEDDLE_LIST_BYTES - used, "%s%s", used > 0 ? " " : "", lists[i]);
  return buffer;
}

enum { NAMES_MOST = 64 };

// How many there are in the list.
static size_t read_names(const char *list, cl_version version, cl_name_version names[NAMES_MOST]) {
  size_t count = 0;
  for (const char *at = list + strspn(list, " "); *at && count < NAMES_MOST; count++) {
    const size_t length = strcspn(at, " ");
    memset(&names[count], 0, sizeof names[count]);
    names[count].version = version;
    snprintf(names[count].name, sizeof names[count].name, "%.*s", (int)length, at);
    at += length;
    at += strspn(at, " ");
  }
  return count;
}

cl_int heddle_answer_names(const struct heddle_answer *answer, const char *list, cl_version version) {
  cl_name_version names[NAMES_MOST];
  const size_t count = read_names(list, version, names);
  return heddle_answer_bytes(answer, names, count * sizeof *names);
}

cl_int heddle_answer_extensions(const struct heddle_answer *answer, const char *list) {
  static const cl_name_version others[] = {{CL_MAKE_VERSION(2, 0, 0), "cl_khr_integer_dot_product"},
                                           {CL_MAKE_VERSION(0, 9, 0), "cl_khr_command_buffer"}};
  cl_name_version names[NAMES_MOST];
  const size_t count = read_names(list, CL_MAKE_VERSION(1, 0, 0), names);
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < sizeof others / sizeof *others; j++)
      if (strcmp(names[i].name, others[j].name) == 0)
        names[i].version = others[j].version;
  }
  return heddle_answer_bytes(answer, names, count * sizeof *names);
}
