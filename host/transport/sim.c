// SPDX-License-Identifier: Apache-2.0
// The transport of simulated devices: memory and registers through struct heddle_sim_api, time by running the simulator
// on the thread that waits. Called by host/cl/device.c.
#include "host/transport/sim.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "contract/sim.h"
#include "host/environment.h"
#include "host/observe/observe.h"
#include "host/observe/waves.h"

enum { DEFAULT_LANES = 8, DEFAULT_SLOTS = 32, DEFAULT_UNITS = 1 };

// Simulators may be slow.
enum { PATIENCE = 10000 };

// Between two looks at the clock: some ten milliseconds of a Verilated device. Of the model so many more that it is
// some milliseconds, too, because in fewer cycles it cannot use several threads.
enum { CYCLES_A_SLICE = 4096, MOST_CYCLES_A_SLICE = 1 << 21, SHORT_SLICE_MS = 4 };

struct sim {
  const struct heddle_sim_api *api;
  void *device;
  void *library;                     // of dlopen; NULL for what is linked in
  uint64_t slice;                    // cycles between two looks at the clock
  struct heddle_observed *observed;  // NULL: nobody looks on
};

static int sim_read(void *link, uint32_t address, void *data, size_t bytes) {
  struct sim *sim = link;
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return sim->api->read(sim->device, address, data, bytes);
}

static int sim_write(void *link, uint32_t address, const void *data, size_t bytes) {
  struct sim *sim = link;
  if (!heddle_transport_has_range(address, bytes))
    return -EFAULT;
  return sim->api->write(sim->device, address, data, bytes);
}

static int sim_doorbell(void *link, uint32_t offset, uint32_t value) {
  return sim_write(link, HEDDLE_CONTROL_BASE + offset, &value, sizeof value);
}

static double milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int sim_wait(void *link, unsigned milliseconds) {
  struct sim *sim = link;
  double now = milliseconds_now();
  const double end = now + milliseconds;
  int idle;
  do {
    const double before = now;
    idle = sim->api->run(sim->device, sim->slice);
    now = milliseconds_now();
    const double spent = now - before;
    if (!sim->library && idle == 0 && spent < SHORT_SLICE_MS && sim->slice < MOST_CYCLES_A_SLICE)
      sim->slice *= 2;
    else if (spent > 4 * SHORT_SLICE_MS && sim->slice > CYCLES_A_SLICE)
      sim->slice /= 2;
  } while (idle == 0 && now < end);
  return idle;
}

static void sim_close(void *link) {
  struct sim *sim = link;
  heddle_observe_closed(sim->observed);
  heddle_waves_end(sim->device);
  sim->api->destroy(sim->device);
  if (sim->library)
    dlclose(sim->library);
  free(sim);
}

static const struct heddle_transport sim_transport = {
    .read = sim_read, .write = sim_write, .doorbell = sim_doorbell, .wait = sim_wait, .close = sim_close};

static const struct heddle_variable check_variable = {.name = "HEDDLE_CHECK", .most = 1, .what = "0 or 1"};

// A wrong value is reported when a device is opened.
bool heddle_sim_is_check_asked(void) {
  struct heddle_error error;
  uint64_t value;
  return heddle_environment_number(&check_variable, &value, &error) == 0 && value != 0;
}

// What the model is told; 0 leaves it to the model.
static const struct heddle_variable threads_variable = {
    .name = "HEDDLE_MODEL_THREADS", .least = 1, .most = 16, .what = "a number from 1 to 16"};

enum variable { LANES, SLOTS, UNITS, PROCESSOR, MEMORY_LATENCY, MEMORY_INTERVAL, NUM_VARIABLES };

// Of external memory 0 asks for the device's own default.
static const struct heddle_variable variables[NUM_VARIABLES] = {
    [LANES] = {.name = "HEDDLE_SIM_LANES",
               .otherwise = DEFAULT_LANES,
               .least = 1,
               .most = 32,
               .power_of_two = true,
               .what = "a power of two from 1 to 32"},
    [SLOTS] = {.name = "HEDDLE_SIM_SLOTS",
               .otherwise = DEFAULT_SLOTS,
               .least = 1,
               .most = 1024,
               .what = "a number from 1 to 1024"},
    [UNITS] =
        {.name = "HEDDLE_SIM_UNITS", .otherwise = DEFAULT_UNITS, .least = 1, .most = 8, .what = "a number from 1 to 8"},
    [PROCESSOR] = {.name = "HEDDLE_SIM_PROCESSOR", .otherwise = 1, .most = 1, .what = "0 or 1"},
    [MEMORY_LATENCY] = {.name = "HEDDLE_SIM_MEMORY_LATENCY",
                        .least = 1,
                        .most = 65535,
                        .what = "a number of cycles from 1 to 65535"},
    [MEMORY_INTERVAL] = {.name = "HEDDLE_SIM_MEMORY_INTERVAL",
                         .least = 1,
                         .most = 65535,
                         .what = "a number of cycles from 1 to 65535"},
};

static bool is_set(const char *name) {
  const char *text = getenv(name);
  return text && *text;
}

// The shape of both devices, and what the Verilated device's external memory is told to be.
int heddle_sim_read_variables(struct heddle_sim_config *config, bool with_pipelines, struct heddle_error *error) {
  static const struct heddle_variable units_with_pipelines = {
      .name = "HEDDLE_SIM_UNITS", .otherwise = 0, .least = 0, .most = 8, .what = "a number from 0 to 8"};
  uint64_t values[NUM_VARIABLES];
  for (int i = 0; i < NUM_VARIABLES; i++) {
    const struct heddle_variable *variable = with_pipelines && i == UNITS ? &units_with_pipelines : &variables[i];
    if (heddle_environment_number(variable, &values[i], error) != 0)
      return -EINVAL;
  }
  if (with_pipelines && !is_set(variables[PROCESSOR].name))
    values[PROCESSOR] = 0;
  config->lanes = (uint32_t)values[LANES];
  config->slots = (uint32_t)values[SLOTS];
  config->units = (uint32_t)values[UNITS];
  config->processor = values[PROCESSOR] != 0;
  // Without a programmable unit the pipelines say how wide the device is.
  if (with_pipelines && config->units == 0 && !is_set(variables[LANES].name))
    config->lanes = 0;
  config->memory_latency = (uint32_t)values[MEMORY_LATENCY];
  config->memory_interval = (uint32_t)values[MEMORY_INTERVAL];
  return 0;
}

const char *heddle_sim_asked_isa(void) {
  static const char *const names[] = {"rv32i", "rv32im", "rv32ima"};
  const char *asked = getenv("HEDDLE_SIM_ISA");
  if (!asked || !*asked)
    return "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(asked, names[i]) == 0)
      return names[i];
  return NULL;
}

// Folder of the Verilated devices, with a slash at its end, in a buffer of PATH_MAX.
static void rtl_folder(char *path) {
  const char *folder = secure_getenv("HEDDLE_RTL_DIR");
  Dl_info here;
  if (folder && *folder) {
    snprintf(path, PATH_MAX, "%s/", folder);
    return;
  }
  folder = dladdr((void *)&sim_transport, &here) ? here.dli_fname : "";
  const char *end = strrchr(folder, '/');
  snprintf(path, PATH_MAX, "%.*sheddle/", end ? (int)(end + 1 - folder) : 0, folder);
}

enum { FILE_BYTES = 80 };

// File of the Verilated device of a shape.
static void rtl_file(const struct heddle_sim_config *config, const char *isa, char file[FILE_BYTES]) {
  char units[16] = "";
  if (config->units != 1)
    snprintf(units, sizeof units, "-U%u", config->units);
  snprintf(file, FILE_BYTES, "rtl-L%u-S%u%s%s%s%s.so", config->lanes, config->slots, units, *isa ? "-" : "", isa,
           config->processor ? "-P" : "");
}

// Whether the file of a shape can be read; its path is in a buffer of PATH_MAX.
static bool find_rtl(const struct heddle_sim_config *config, const char *isa, char *path) {
  char file[FILE_BYTES];
  rtl_folder(path);
  rtl_file(config, isa, file);
  const size_t length = strlen(path);
  return (size_t)snprintf(path + length, PATH_MAX - length, "%s", file) < PATH_MAX - length && access(path, R_OK) == 0;
}

// The same for the file that is there: with a command processor, or else without, unless one is asked for.
static bool find_rtl_with_or_without(struct heddle_sim_config *config, const char *isa, char *path) {
  bool found = find_rtl(config, isa, path);
  if (!found && config->processor && !is_set(variables[PROCESSOR].name)) {
    config->processor = 0;
    found = find_rtl(config, isa, path);
  }
  return found;
}

// Whether somebody wants a certain one.
static bool is_asked_for(void) {
  return is_set(variables[LANES].name) || is_set(variables[SLOTS].name) || is_set(variables[UNITS].name) ||
         is_set(variables[PROCESSOR].name) || is_set("HEDDLE_SIM_ISA");
}

bool heddle_sim_present(enum heddle_sim_kind kind) {
  char path[PATH_MAX];
  struct heddle_sim_config config = {0};
  struct heddle_error error;
  const char *isa = heddle_sim_asked_isa();
  if (kind == HEDDLE_SIM_MODEL)
    return true;
  // A shape or an ISA that is none, or is not there, is reported when the device is opened, not by hiding it: the
  // default device would be another one. Where no Verilated device is installed at all nobody can mean one.
  if (heddle_sim_read_variables(&config, false, &error) != 0 || !isa || find_rtl_with_or_without(&config, isa, path))
    return true;
  rtl_folder(path);
  return is_asked_for() && access(path, R_OK) == 0;
}

// Loads a Verilated device and finds its table.
static int load_file(struct sim *sim, const char *path, struct heddle_error *error) {
  sim->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!sim->library)
    return heddle_fail(error, -EINVAL, "%.250s", dlerror());
  const struct heddle_sim_api *(*api)(void);
  // ISO C has no cast from an object pointer to a function pointer; POSIX defines this way to say it.
  *(void **)&api = dlsym(sim->library, HEDDLE_SIM_SYMBOL);
  if (!api)
    return heddle_fail(
        error, -EINVAL,
        "%.170s is no simulated device of this version of Heddle: it has no " HEDDLE_SIM_SYMBOL "; make it anew", path);
  sim->api = api();
  return sim->api ? 0
                  : heddle_fail(error, -EINVAL, "%.200s is no simulated device of Heddle: its table is missing", path);
}

// Loads the Verilated device of a shape.
static int load_rtl(struct sim *sim, struct heddle_sim_config *config, struct heddle_error *error) {
  char path[PATH_MAX], file[FILE_BYTES], units[32] = "";
  const char *isa = heddle_sim_asked_isa();
  if (!isa)
    return heddle_environment_wrong("HEDDLE_SIM_ISA", "rv32i, rv32im or rv32ima", error);
  if (config->units != 1)
    snprintf(units, sizeof units, "%u units of ", config->units);
  if (!find_rtl_with_or_without(config, isa, path)) {
    rtl_file(config, isa, file);
    return heddle_fail(error, -ENOENT,
                       "no simulated RTL of %s%u lanes and %u slots%s%s: %.160s is missing; 'make build/lib/heddle/%s' "
                       "in Heddle's sources builds it",
                       units, config->lanes, config->slots, *isa ? " with " : "", isa, path, file);
  }
  return load_file(sim, path, error);
}

// Makes a device of what has been loaded; `result` is how that went. Takes sim over.
static int finish(struct sim *sim, int result, const struct heddle_sim_config *config, struct heddle_link *link,
                  struct heddle_error *error) {
  if (result == 0 && sim->api) {
    const char *reason = NULL;
    sim->device = sim->api->create(config, &reason);
    if (!sim->device)
      result = heddle_fail(error, -EINVAL, "%s: %.200s", sim->api->name, reason ? reason : "cannot be made");
    else if (sim->library)
      result = heddle_waves_begin(sim->library, sim->device, error);
    if (sim->device && result != 0)
      sim->api->destroy(sim->device);
  }
  if (result != 0) {
    if (sim->library)
      dlclose(sim->library);
    free(sim);
    return result;
  }
  sim->slice = CYCLES_A_SLICE;
  sim->observed = heddle_observe_device(sim->api, sim->device);
  heddle_observe_library(sim->observed, sim->library);
  *link =
      (struct heddle_link){.transport = &sim_transport, .state = sim, .patience = PATIENCE, .observed = sim->observed};
  return 0;
}

int heddle_sim_open_file(const char *path, const struct heddle_sim_config *config, struct heddle_link *link,
                         struct heddle_error *error) {
  struct sim *sim = calloc(1, sizeof *sim);
  if (!sim)
    return heddle_fail(error, -ENOMEM, "out of host memory");
  // A bare name would be looked for elsewhere.
  char full[PATH_MAX];
  snprintf(full, sizeof full, "%s%s", strchr(path, '/') ? "" : "./", path);
  return finish(sim, load_file(sim, full, error), config, link, error);
}

// Takes the device that has just been opened back if it cannot check kernels.
static int start_checks(struct sim *sim, struct heddle_link *link, struct heddle_error *error) {
  if (!sim->api)
    return 0;  // nothing was opened
  if (!sim->api->check) {
    sim_close(sim);
    return heddle_fail(error, -ENOTSUP,
                       "HEDDLE_CHECK: this library or device has no checks; the model of a library "
                       "with a compiler has them");
  }
  if (sim->api->check->start(sim->device) != 0) {
    sim_close(sim);
    return heddle_fail(error, -ENOMEM, "out of host memory for HEDDLE_CHECK");
  }
  link->check = sim->api->check;
  link->checker = sim->device;
  return 0;
}

int heddle_sim_open(enum heddle_sim_kind kind, struct heddle_link *link, struct heddle_error *error) {
  struct heddle_sim_config config = {0};
  struct sim *sim = NULL;
  uint64_t checks, threads = 0;
  int result = heddle_sim_read_variables(&config, false, error);
  if (result == 0 && kind == HEDDLE_SIM_MODEL)
    result = heddle_environment_number(&threads_variable, &threads, error);
  if (result == 0)
    result = heddle_environment_number(&check_variable, &checks, error);
  if (result != 0)
    return result;
  sim = calloc(1, sizeof *sim);
  if (!sim)
    return heddle_fail(error, -ENOMEM, "out of host memory");

  if (kind == HEDDLE_SIM_MODEL)
    sim->api = heddle_model_api();
  else
    result = load_rtl(sim, &config, error);
  result = finish(sim, result, &config, link, error);
  if (result == 0 && kind == HEDDLE_SIM_MODEL)
    heddle_model_set_threads(sim->device, (uint32_t)threads);
  return result == 0 && checks != 0 ? start_checks(sim, link, error) : result;
}
