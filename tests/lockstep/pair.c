// SPDX-License-Identifier: Apache-2.0
// See pair.h.
#include "tests/lockstep/pair.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/device_map.h"
#include "sim/model/model.h"
#include "sim/rtl/trace.h"

enum { RTL_CYCLES = 4000000, MODEL_ISSUES = 4000000 };

uint32_t lanes, slots, units, isa;
const struct heddle_sim_api *rtl_api;
static void (*rtl_set_trace)(void *device, heddle_rtl_trace trace, void *user);
static char replay[192];
static size_t replay_length;

uint64_t number_from(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text && *text != 0 ? strtoull(text, NULL, 0) : otherwise;
}

void pair_is_running(uint64_t seed) {
  snprintf(replay, sizeof replay, "again: make lockstep SEED=%" PRIu64 " N=1 LANES=%u SLOTS=%u UNITS=%u\n", seed, lanes,
           slots, units);
  replay_length = strlen(replay);
}

const char *pair_replay(void) {
  return replay;
}

// The tracer aborts when the RTL writes a register that no instruction wrote.
static void tell_replay(int signal_number) {
  (void)!write(STDERR_FILENO, replay, replay_length);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void *pair_create(const struct heddle_sim_api *api) {
  static struct heddle_sim_config config;
  static const char *error;
  config = (struct heddle_sim_config){.lanes = lanes, .slots = slots, .units = units};
  void *device = api->create(&config, &error);
  cr_assert(device, "%s: %s", api->name, error);
  return device;
}

static uint32_t isa_of(const struct heddle_sim_api *api) {
  char text[HEDDLE_ISA_BYTES + 1] = {0};
  void *device = pair_create(api);
  cr_assert_eq(api->read(device, HEDDLE_CONTROL_BASE + HEDDLE_REG_ISA, text, HEDDLE_ISA_BYTES), 0);
  api->destroy(device);
  cr_assert(strncmp(text, "rv32im", 6) == 0, "%s has %s; programs need rv32im", api->name, text);
  return (text[6] == 'a' ? ISA_A : 0) | (strstr(text, "_zfinx") ? ISA_ZFINX : 0) |
         (strstr(text, "_zba_zbb") ? ISA_ZBA_ZBB : 0) | (strstr(text, "_xindex") ? ISA_XINDEX : 0);
}

void pair_set_up(void) {
  lanes = (uint32_t)number_from("HEDDLE_SIM_LANES", 8);
  slots = (uint32_t)number_from("HEDDLE_SIM_SLOTS", 32);
  units = (uint32_t)number_from("HEDDLE_SIM_UNITS", 1);
  char path[256];
  const char *chosen = getenv("HEDDLE_LOCKSTEP_RTL");
  if (chosen) {
    snprintf(path, sizeof path, "%s", chosen);
  } else {
    char of_units[16] = "";
    if (units != 1)
      snprintf(of_units, sizeof of_units, "-U%u", units);
    snprintf(path, sizeof path, "%s/lib/heddle/rtl-trace-L%u-S%u%s.so", BUILD, lanes, slots, of_units);
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(library, "%s", dlerror());
  const struct heddle_sim_api *(*api)(void) = NULL;
  *(void **)&api = dlsym(library, HEDDLE_SIM_SYMBOL);
  *(void **)&rtl_set_trace = dlsym(library, HEDDLE_RTL_SET_TRACE_SYMBOL);
  cr_assert(api && rtl_set_trace, "%s has no trace", path);
  rtl_api = api();
  isa = isa_of(rtl_api);
  uint32_t model_isa = isa_of(heddle_model_api());
  cr_assert((isa & ~model_isa) == 0, "the RTL has extensions 0x%x, the model 0x%x", isa, model_isa);
  signal(SIGABRT, tell_replay);
}

static void model_retired(void *user, const struct heddle_model_retired *r) {
  const struct retired i = {r->pc, r->mask, r->rd, r->value, r->address};
  record_add(user, r->group_id, r->sub_group_id, &i);
}

static void rtl_retired(void *user, const struct heddle_rtl_retired *r) {
  const struct retired i = {r->pc, r->mask, r->rd, r->value, r->address};
  record_add(user, r->group_id, r->sub_group_id, &i);
}

struct both {
  const struct record *model, *rtl;
};

// Which sc.w succeed is the RTL's to say, as far as the contract lets them. Where it lets them not, the model fails
// them and the comparison tells.
static uint32_t sc_of_rtl(void *user, const struct heddle_model_sc *sc) {
  const struct both *both = user;
  return record_zeros(both->rtl, both->model, sc->group_id, sc->sub_group_id, sc->pc, sc->mask);
}

struct program *program_of(const uint32_t *code, size_t words, uint32_t groups, uint32_t sub_groups) {
  static struct program program;
  const uint32_t items = sub_groups * lanes;
  program = (struct program){.global = {groups * items, 1, 1},
                             .local = {items, 1, 1},
                             .groups = {groups, 1, 1},
                             .sub_group_log2 = (uint32_t)__builtin_ctz(lanes),
                             .local_bytes = 64,
                             .private_log2 = 8,
                             .items = groups * items,
                             .sub_groups = sub_groups,
                             .words = (uint32_t)words};
  memcpy(program.code, code, words * sizeof *code);
  return &program;
}

void pair_set(const struct heddle_sim_api *api, void *device, uint32_t reg, uint32_t value) {
  cr_assert_eq(api->write(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value), 0);
}

uint32_t pair_get(const struct heddle_sim_api *api, void *device, uint32_t reg) {
  uint32_t value = 0;
  cr_assert_eq(api->read(device, HEDDLE_CONTROL_BASE + reg, &value, sizeof value), 0);
  return value;
}

uint64_t pair_figure(const struct heddle_sim_api *api, void *device, uint32_t reg) {
  return (uint64_t)pair_get(api, device, reg + 4) << 32 | pair_get(api, device, reg);
}

void pair_set_rights(const struct heddle_sim_api *api, void *device, uint32_t first, uint32_t end, uint32_t entry) {
  const uint32_t page_log2 =
      pair_get(api, device, HEDDLE_REG_FEATURES) >> HEDDLE_FEATURE_PAGE_LOG2_SHIFT & HEDDLE_FEATURE_PAGE_LOG2_MASK;
  cr_assert_neq(page_log2, 0, "%s keeps no rights", api->name);
  const uint32_t page = first >> page_log2, pages = (end - first) >> page_log2;
  pair_set(api, device, HEDDLE_REG_RIGHTS,
           page << HEDDLE_RIGHTS_FIRST_SHIFT | (pages - 1) << HEDDLE_RIGHTS_PAGES_SHIFT | entry);
  for (uint32_t i = 0; pair_get(api, device, HEDDLE_REG_RIGHTS) & HEDDLE_RIGHTS_BUSY; i++)
    cr_assert_lt(i, HEDDLE_RIGHTS_PAGES_MOST, "%s does not set rights", api->name);
}

// Of a program with more work-items, as directed tests of all slots have at 32 lanes, the first ones have data.
static size_t data_bytes(const struct program *p) {
  return (size_t)(p->items < MAX_ITEMS ? p->items : MAX_ITEMS) * ITEM_BYTES;
}

void pair_load(const struct heddle_sim_api *api, void *device, const struct program *p) {
  pair_set_rights(api, device, 0, CODE, HEDDLE_DOMAIN_NOBODY);
  pair_set_rights(api, device, CODE, COUNTERS, DOMAIN);
  pair_set_rights(api, device, COUNTERS, UNUSED, DOMAIN | HEDDLE_RIGHTS_WRITE);
  pair_set_rights(api, device, UNUSED, PRIVATE, HEDDLE_DOMAIN_NOBODY);
  pair_set_rights(api, device, PRIVATE, PRIVATE_END, HEDDLE_DOMAIN_EVERYBODY | HEDDLE_RIGHTS_WRITE);
  pair_set_rights(api, device, FOREIGN, FOREIGN + 0x10000, (DOMAIN + 1) | HEDDLE_RIGHTS_WRITE);
  cr_assert_eq(api->write(device, CODE, p->code, 4 * (size_t)p->words), 0);
  cr_assert_eq(api->write(device, SHARED, p->shared, sizeof p->shared), 0);
  cr_assert_eq(api->write(device, COUNTERS, p->counters, sizeof p->counters), 0);
  cr_assert_eq(api->write(device, ITEMS, p->data, data_bytes(p)), 0);
  uint32_t dispatch[HEDDLE_DISPATCH_WORDS] = {
      [HEDDLE_DISPATCH_ENTRY] = CODE,
      [HEDDLE_DISPATCH_SUB_GROUP_LOG2] = p->sub_group_log2 | DOMAIN << HEDDLE_DISPATCH_DOMAIN_SHIFT,
      [HEDDLE_DISPATCH_LOCAL_BYTES] = p->local_bytes,
      [HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE,
      [HEDDLE_DISPATCH_PRIVATE_LOG2] = p->private_log2};
  uint32_t *packet = dispatch + HEDDLE_DISPATCH_PACKET;
  for (uint32_t i = 0; i < 3; i++) {
    packet[HEDDLE_PACKET_GLOBAL_SIZE + i] = p->global[i];
    packet[HEDDLE_PACKET_GLOBAL_OFFSET + i] = p->offset[i];
    packet[HEDDLE_PACKET_LOCAL_SIZE + i] = p->local[i];
  }
  cr_assert_eq(api->write(device, DISPATCH, dispatch, sizeof dispatch), 0);
}

void pair_set_dispatch(const struct heddle_sim_api *api, void *device, uint32_t word, uint32_t value) {
  cr_assert_eq(api->write(device, DISPATCH + 4 * word, &value, sizeof value), 0);
}

void pair_start_dispatch(const struct heddle_sim_api *api, void *device) {
  pair_set(api, device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_GO_ON);
  pair_set(api, device, HEDDLE_REG_DISPATCH, DISPATCH);
  pair_set(api, device, HEDDLE_REG_COMMAND, HEDDLE_COMMAND_START);
}

void pair_start(const struct heddle_sim_api *api, void *device, const struct program *p) {
  pair_load(api, device, p);
  pair_start_dispatch(api, device);
}

void pair_read(const struct heddle_sim_api *api, void *device, const struct program *p, struct outcome *o) {
  o->issues = pair_figure(api, device, HEDDLE_REG_ISSUES);
  o->active_lanes = pair_figure(api, device, HEDDLE_REG_ACTIVE_LANES);
  o->groups_done = pair_figure(api, device, HEDDLE_REG_GROUPS_DONE);
  if (pair_get(api, device, HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT) {
    o->reason = pair_get(api, device, HEDDLE_REG_FAULT_REASON);
    o->pc = pair_get(api, device, HEDDLE_REG_FAULT_PC);
    o->address = pair_get(api, device, HEDDLE_REG_FAULT_ADDRESS);
    o->sub_group = pair_get(api, device, HEDDLE_REG_FAULT_SUB_GROUP_ID);
    o->lane = pair_get(api, device, HEDDLE_REG_FAULT_LANE);
    for (uint32_t i = 0; i < 3; i++)
      o->group[i] = pair_get(api, device, HEDDLE_REG_FAULT_GROUP_ID + 4 * i);
  }
  cr_assert_eq(api->read(device, ITEMS, o->data, data_bytes(p)), 0);
  cr_assert_eq(api->read(device, COUNTERS, o->counters, sizeof o->counters), 0);
}

void run_both(const struct program *p, struct outcome *model, struct outcome *rtl) {
  memset(model, 0, sizeof *model);
  memset(rtl, 0, sizeof *rtl);
  record_begin(&model->record, p->groups, p->sub_groups);
  record_begin(&rtl->record, p->groups, p->sub_groups);

  // The RTL first: it decides which sc.w succeed.
  void *device = pair_create(rtl_api);
  rtl_set_trace(device, rtl_retired, &rtl->record);
  pair_start(rtl_api, device, p);
  rtl->ended = rtl_api->run(device, RTL_CYCLES);
  pair_read(rtl_api, device, p, rtl);
  rtl_api->destroy(device);

  const struct heddle_sim_api *model_api = heddle_model_api();
  device = pair_create(model_api);
  heddle_model_set_trace(device, model_retired, &model->record);
  struct both both = {&model->record, &rtl->record};
  heddle_model_set_sc_choice(device, sc_of_rtl, &both);
  pair_start(model_api, device, p);
  model->ended = model_api->run(device, MODEL_ISSUES);
  pair_read(model_api, device, p, model);
  model_api->destroy(device);
}
