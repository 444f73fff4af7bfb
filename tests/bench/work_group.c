// SPDX-License-Identifier: Apache-2.0
// Times a collective of a whole work-group on the RTL: from when the first sub-group issues it to when the last one
// could issue what needs the result, which is a slot's 10 + TAIL cycles after its last issue (rtl/unit/README.md). A
// kernel cannot tell: to read the clock each sub-group takes an issue of its own, before and behind. So the device's
// trace does. Prints figures as bench.c does.
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract/device_map.h"
#include "contract/sim.h"
#include "host/tools/client.h"
#include "sim/rtl/trace.h"
#include "tests/model/encode.h"

enum { CODE = 0x1000, DISPATCH = 0x4000, PRIVATE = 0x10000, PRIVATE_LOG2 = 8, MOST_CYCLES = 100000 };

static const struct heddle_sim_api *api;
static void (*set_trace)(void *device, heddle_rtl_trace trace, void *user);
static uint32_t lanes, slots;

struct watch {
  uint32_t pc;           // what is timed
  uint32_t to_skip;      // of its sub-groups: the first round
  uint64_t first, last;  // the cycles in which the first arrival and the last completion were decided
};

static void retired(void *user, const struct heddle_rtl_retired *r) {
  struct watch *w = user;
  if (r->pc != w->pc)
    return;
  if (w->to_skip > 0) {
    w->to_skip--;
    return;
  }
  w->first = r->arrived < w->first ? r->arrived : w->first;
  w->last = r->cycle > w->last ? r->cycle : w->last;
}

static void set(void *device, uint32_t reg, uint32_t value) {
  if (api->write(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value) != 0)
    die(EXIT_NO_DEVICE, "the device refuses a control register");
}

static void figure(const char *name, uint32_t mode, uint32_t op, uint32_t items) {
  // Twice: the first fetches the code. A barrier lets all begin together.
  const uint32_t code[] = {
      addi(5, 0, 0),
      barrier(WORK_GROUP_SCOPE),
      collective(WORK_GROUP_SCOPE, TYPE_INT, mode, op, 6, 5, 0),
      addi(5, 5, 1),
      addi(7, 0, 2),
      encode_b(BNE, 5, 7, -16),
      exit_item(),
  };
  static const char *error;
  struct heddle_sim_config config = {.lanes = lanes, .slots = slots};
  void *device = api->create(&config, &error);
  if (!device)
    die(EXIT_NO_DEVICE, "%s: %s", api->name, error);
  if (api->write(device, CODE, code, sizeof code) != 0)
    die(EXIT_NO_DEVICE, "the device refuses the program");
  uint32_t dispatch[HEDDLE_DISPATCH_WORDS] = {[HEDDLE_DISPATCH_ENTRY] = CODE,
                                              [HEDDLE_DISPATCH_SUB_GROUP_LOG2] = (uint32_t)__builtin_ctz(lanes),
                                              [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
                                              [HEDDLE_DISPATCH_PRIVATE_LOG2] = PRIVATE_LOG2};
  for (uint32_t i = 0; i < 3; i++) {
    dispatch[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_GLOBAL_SIZE + i] = i == 0 ? items : 1;
    dispatch[HEDDLE_DISPATCH_PACKET + HEDDLE_PACKET_LOCAL_SIZE + i] = i == 0 ? items : 1;
  }
  if (api->write(device, DISPATCH, dispatch, sizeof dispatch) != 0)
    die(EXIT_NO_DEVICE, "the device refuses the dispatch");
  set(device, HEDDLE_REG_DISPATCH, DISPATCH);
  set(device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);

  struct watch watch = {.pc = CODE + 8, .to_skip = items / lanes, .first = UINT64_MAX};
  set_trace(device, retired, &watch);
  if (!api->run(device, MOST_CYCLES) || watch.last == 0)
    die(EXIT_KERNEL_FAILED, "%s of %u work-items did not end", name, items);
  api->destroy(device);
  printf("work_group.%s.i32.n%u.S%u.latency %" PRIu64 "\n", name, items, lanes,
         watch.last - watch.first + (lanes > 16 ? 15 : 14));
}

int main(int argc, char **argv) {
  program_name = "work_group";
  if (argc != 4)
    die(EXIT_USAGE, "usage: work_group DEVICE.so LANES SLOTS");
  lanes = (uint32_t)strtoul(argv[2], NULL, 10);
  slots = (uint32_t)strtoul(argv[3], NULL, 10);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    die(EXIT_NO_DEVICE, "%s", dlerror());
  const struct heddle_sim_api *(*get)(void) = NULL;
  *(void **)&get = dlsym(library, HEDDLE_SIM_SYMBOL);
  *(void **)&set_trace = dlsym(library, HEDDLE_RTL_SET_TRACE_SYMBOL);
  if (!get || !set_trace || lanes == 0)
    die(EXIT_NO_DEVICE, "%s has no trace", argv[1]);
  api = get();
  for (uint32_t items = 256; items <= slots * lanes && items <= 1024; items *= 4) {
    figure("scan_inclusive_add", MODE_INCLUSIVE, OP_ADD, items);
    figure("scan_exclusive_max", MODE_EXCLUSIVE, OP_MAX, items);
    figure("reduce_add", MODE_REDUCE, OP_ADD, items);
    figure("reduce_min", MODE_REDUCE, OP_MIN, items);
    figure("broadcast", MODE_BROADCAST, 0, items);
    figure("all", MODE_ALL, 0, items);
    figure("any", MODE_ANY, 0, items);
  }
  return 0;
}
