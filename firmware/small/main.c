// SPDX-License-Identifier: Apache-2.0
// The firmware of a small device: all of contract/DEVICE.md that the core does not do. It takes the host's commands,
// walks NDRanges, one work-group at a time, says which sub-group goes on, and does what concerns several lanes. It runs
// when no kernel does: the core comes here at every trap, and from time to time, and goes back by `resume`.
#include "firmware/small/small.h"

enum { TURN_LOOKS = 4 };  // what a turn takes: some thousand instructions

// In memory, which keeps its contents over a reset; so nothing here counts before `reset`.
static struct {
  uint32_t status, waiting;  // STATUS; the dispatch that waits
  uint32_t start, start_high, budget, budget_high;
  words dispatch;
  uint32_t turn;         // the slot that ran last
  uint32_t base[SLOTS];  // of private memory
  struct work_group group;
} state;

static words packet_of(words dispatch) {
  return dispatch + HEDDLE_DISPATCH_PACKET;
}

void run(void);

__attribute__((naked, section(".entry"))) void entry(void) {
  __asm__("li sp, 0xC00\n\tj run");
}

// The low word counts only between two equal high words.
static uint32_t clock_now(uint32_t *high) {
  uint32_t low;
  do {
    *high = *control(HEDDLE_REG_CLOCK + 4);
    low = *control(HEDDLE_REG_CLOCK);
  } while (*high != *control(HEDDLE_REG_CLOCK + 4));
  return low;
}

static void add_figure(uint32_t offset, uint32_t value) {
  const words figure = control(offset);
  const uint32_t sum = figure[0] + value;
  figure[1] += sum < value;
  figure[0] = sum;
}

static void set_status(uint32_t status) {
  const bool busy = status & HEDDLE_STATUS_BUSY;
  const bool goes_on = (status & HEDDLE_STATUS_WAITS) && !(status & HEDDLE_STATUS_FAULT);
  state.status = status;
  *control(HEDDLE_REG_STATUS) = status | (goes_on ? HEDDLE_STATUS_BUSY : 0);
  *core_register(CORE_STATE) = busy || goes_on ? STATE_BUSY : 0;
}

// Takes the host's command, if there is one. Of a stop `true`.
static bool take_command(void) {
  const uint32_t command = *control(HEDDLE_REG_COMMAND);
  uint32_t status = state.status;
  if (command == 0)
    return false;
  if (command == HEDDLE_COMMAND_START && !(status & HEDDLE_STATUS_WAITS)) {
    state.waiting = *control(HEDDLE_REG_DISPATCH) & ~(HEDDLE_DISPATCH_ALIGNMENT - 1u);
    status |= HEDDLE_STATUS_WAITS;
  }
  if (command == HEDDLE_COMMAND_GO_ON && !(status & HEDDLE_STATUS_BUSY))
    status &= ~(uint32_t)HEDDLE_STATUS_FAULT;
  if (command == HEDDLE_COMMAND_FORGET)
    status &= ~(uint32_t)HEDDLE_STATUS_WAITS;
  *control(HEDDLE_REG_COMMAND) = 0;
  set_status(status);
  *core_register(CORE_STATE) =
      STATE_COMMAND_TAKEN | ((*control(HEDDLE_REG_STATUS) & HEDDLE_STATUS_BUSY) ? STATE_BUSY : 0);
  return command == HEDDLE_COMMAND_STOP && (status & HEDDLE_STATUS_BUSY);
}

// The lanes of which those at the smallest PC run.
static uint32_t eligible(const struct sub_group *g) {
  const uint32_t runnable = g->live & ~g->parked;
  return (runnable & ~g->yielded) != 0 ? runnable & ~g->yielded : runnable;
}

// Who ran yields, if others have waited for as many looks as a turn has; but not between the words of a 64-bit
// collective.
static void look_at_turn(struct sub_group *g, uint32_t active, uint32_t pc) {
  if (active & g->yielded)
    g->yielded = 0;  // all had that could run
  if (++g->waited <= TURN_LOOKS || (*words_at(pc & ~3u) & 0x8000707F) == 0x8000600B)
    return;
  g->yielded |= (uint16_t)active;
  g->waited = 0;
}

// Back to a kernel, until the next trap.
static void resume(uint32_t slot) {
  const struct sub_group *g = &state.group.sub_groups[slot];
  const uint32_t lanes = eligible(g);
  *core_register(CORE_PRIVATE_BASE) = state.base[slot];
  *core_register(CORE_RESUME) = (lanes == g->live ? RESUME_WHOLE : 0) | slot << 8 | lanes;
}

static void record(uint32_t reason, uint32_t pc, uint32_t address, uint32_t slot, uint32_t lane) {
  const words fault = control(HEDDLE_REG_FAULT_REASON);
  fault[0] = reason;
  fault[1] = pc;
  fault[2] = address;
  for (uint32_t i = 0; i < 3; i++)
    fault[3 + i] = reason == HEDDLE_FAULT_BAD_DISPATCH ? 0 : words_at(COMMON_AT)[COMMON_GROUP_ID + i];
  fault[6] = slot;
  fault[7] = lane;
}

static uint32_t lowest(uint32_t lanes) {
  uint32_t lane = 0;
  while (!(lanes >> lane & 1))
    lane++;
  return lane;
}

// Where the lanes are that come first.
static uint32_t smallest_pc(uint32_t slot, uint32_t lanes, uint32_t *there) {
  uint32_t least = UINT32_MAX;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) {
      const uint32_t pc = *registers_of(slot, lane);
      if (pc < least) {
        least = pc;
        *there = 0;
      }
      if (pc == least)
        *there |= 1u << lane;
    }
  return least;
}

static void go_to(uint32_t slot, uint32_t lanes, uint32_t pc) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1)
      *registers_of(slot, lane) = pc;
}

// A fault of a sub-group that no instruction made.
static bool stopped(uint32_t reason, uint32_t slot) {
  const struct sub_group *g = &state.group.sub_groups[slot];
  const uint32_t runs = eligible(g);
  uint32_t there = 1;
  const uint32_t pc = smallest_pc(slot, runs ? runs : g->live, &there);
  record(reason, pc, 0, slot, lowest(there));
  return true;
}

// Nobody of the sub-group can run: those that are parked go on if they are at one place.
static bool gather(uint32_t slot) {
  struct sub_group *g = &state.group.sub_groups[slot];
  uint32_t there = 0;
  if (g->live == 0 || (g->live & ~g->parked) != 0)
    return false;
  smallest_pc(slot, g->live, &there);
  g->parked = 0;
  return there != g->live && stopped(HEDDLE_FAULT_DIVERGENT_COLLECTIVE, slot);
}

// What all that wait wait at.
static struct {
  uint32_t slot, pc, instruction;
  bool some;
} wait;

// All sub-groups of the work-group wait: its collective is carried out. `true`: a fault.
static bool release(void) {
  struct work_group *group = &state.group;
  uint32_t all = 0, count = 0;
  for (uint32_t slot = group->count; slot-- > 0;) {
    const uint32_t live = group->sub_groups[slot].live;
    all = all << LANES | live;
    count += live != 0;
  }
  if (collective_is_ours(wait.instruction)) {
    collective(group, 0, group->count, group->sub_groups[0].live, wait.instruction);
    for (uint32_t slot = 0; slot < group->count; slot++)
      go_to(slot, group->sub_groups[slot].live, wait.pc + 4);
  } else {
    *core_register(CORE_RESUME) = RESUME_GROUPED | all;
    // The instruction has become another one.
    if (words_at(TRAP_AT)[TRAP_STATUS] >> 28 != CAUSE_LOOK) {
      record(HEDDLE_FAULT_ILLEGAL_INSTRUCTION, wait.pc, 0, wait.slot, lowest(group->sub_groups[wait.slot].live));
      return true;
    }
  }
  add_figure(HEDDLE_REG_ISSUES, count);
  group->ready = group->alive;
  wait.some = false;
  return false;
}

static bool arrive(uint32_t slot, uint32_t pc, uint32_t instruction) {
  if (wait.some && wait.pc != pc)
    return stopped(HEDDLE_FAULT_DIVERGENT_COLLECTIVE, wait.pc < pc ? wait.slot : slot);
  if (!wait.some) {
    wait.slot = slot;
    wait.pc = pc;
    wait.instruction = instruction;
    wait.some = true;
  }
  state.group.ready &= ~(1u << slot);
  return false;
}

static bool is_custom(uint32_t instruction) {
  return (instruction & 0x7F) == 0x0B;
}

static bool exits(uint32_t instruction) {
  return is_custom(instruction) && (instruction & 0xFE007000) == 0x3000;
}

// An instruction that the core left to us, which there is. `true`: a fault.
static bool carry_out(uint32_t slot, uint32_t active, uint32_t pc, uint32_t instruction) {
  struct sub_group *g = &state.group.sub_groups[slot];
  const uint32_t scope = instruction >> 12 & 7;
  if (exits(instruction)) {
    g->live &= ~active;
    if (g->live != 0)
      return gather(slot);
    state.group.alive &= ~(1u << slot);
    state.group.ready &= ~(1u << slot);
    return false;
  }
  const bool converges = scope != 2 && scope != 6;
  if (converges && active != g->live) {
    g->parked |= active;
    return gather(slot);
  }
  if (scope == 1)
    return arrive(slot, pc, instruction);
  collective(&state.group, slot, 1, active, instruction);
  go_to(slot, active, pc + 4);
  return false;
}

static bool over_budget(void) {
  uint32_t high;
  const uint32_t low = clock_now(&high), cycles = low - state.start,
                 cycles_high = high - state.start_high - (low < state.start);
  control(HEDDLE_REG_CYCLES)[0] = cycles;
  control(HEDDLE_REG_CYCLES)[1] = cycles_high;
  return (state.budget | state.budget_high) != 0 &&
         (cycles_high > state.budget_high || (cycles_high == state.budget_high && cycles >= state.budget));
}

// What the core came back with. `true`: a fault.
static bool after_trap(uint32_t slot) {
  const words trap = words_at(TRAP_AT);
  const uint32_t trapped = trap[TRAP_STATUS], active = trapped & 0xFF, runnable = trapped >> 8 & 0xFF,
                 lane = trapped >> 16 & 7;
  const uint32_t pc = trap[TRAP_PC], issued = trap[TRAP_ISSUED], instruction = trap[TRAP_INSTRUCTION],
                 reason = trapped >> 24 & 7;
  const bool stop = take_command();
  struct sub_group *g = &state.group.sub_groups[slot];
  // Nobody waits for a turn while those that run are all that can.
  if ((active == runnable || (trapped & STATUS_MET)) && runnable == (g->live & ~g->parked))
    g->waited = 0;
  // The core keeps the PC of lanes that go together to itself.
  if (active == runnable)
    go_to(slot, active, pc);
  const bool there_is = trapped >> 28 == CAUSE_INSTRUCTION &&
                        (exits(instruction) || (is_custom(instruction) && collective_is_legal(instruction)));
  uint32_t lanes = issued >> 16;
  for (uint32_t i = 0; i < LANES && there_is; i++)
    lanes += active >> i & 1;
  add_figure(HEDDLE_REG_ISSUES, (issued & 0xFFFF) + there_is);
  add_figure(HEDDLE_REG_ACTIVE_LANES, lanes);
  switch (trapped >> 28) {
    case CAUSE_MEMORY:
      record(reason, pc, trap[TRAP_ADDRESS], slot, lane);
      return true;
    case CAUSE_BAD_FETCH:
      record(HEDDLE_FAULT_BAD_FETCH, pc, pc, slot, lane);
      return true;
    case CAUSE_INSTRUCTION:
      if (!there_is) {
        record(HEDDLE_FAULT_ILLEGAL_INSTRUCTION, pc, 0, slot, lowest(active));
        return true;
      }
      if (carry_out(slot, active, pc, instruction))
        return true;
      break;
    default:
      look_at_turn(g, active, pc);
      break;
  }
  if (stop || (trapped >> 28 == CAUSE_LOOK && over_budget())) {
    uint32_t other = slot;
    while (state.group.sub_groups[other].live == 0)
      if (++other == state.group.count)
        other = 0;
      else if (other == slot)
        return false;  // all have returned
    return stopped(stop ? HEDDLE_FAULT_STOPPED : HEDDLE_FAULT_BUDGET_SPENT, other);
  }
  return false;
}

// `true`: a fault.
static bool run_group(void) {
  struct work_group *group = &state.group;
  wait.some = false;
  for (;;) {
    uint32_t slot = state.turn;
    if (group->alive == 0)
      return false;
    if (group->ready == 0 && release())
      return true;
    do
      slot = slot + 1 < group->count ? slot + 1 : 0;
    while (!(group->ready >> slot & 1));
    state.turn = slot;
    resume(slot);
    if (after_trap(slot))
      return true;
  }
}

// Gives work-items their places, in order x, y, z.
static void place_work_items(const uint32_t *size, const uint32_t *base, uint32_t entry) {
  struct work_group *group = &state.group;
  uint32_t id[3] = {0, 0, 0};
  uint32_t slot = 0, lane = 0;
  do {
    const words own = own_of(slot, lane);
    for (uint32_t i = 0; i < 3; i++) {
      own[OWN_LOCAL_ID + i] = id[i];
      own[OWN_GLOBAL_ID + i] = base[i] + id[i];
    }
    own[OWN_SUB_GROUP] = slot;
    *registers_of(slot, lane) = entry;
    if (lane == 0) {
      group->sub_groups[slot].live = group->sub_groups[slot].parked = 0;
      group->sub_groups[slot].yielded = group->sub_groups[slot].waited = 0;
    }
    group->sub_groups[slot].live |= 1u << lane;
    if (++lane == group->size) {
      lane = 0;
      slot++;
    }
    for (uint32_t i = 0; i < 3; i++) {
      if (++id[i] < size[i])
        break;
      id[i] = 0;
    }
  } while ((id[0] | id[1] | id[2]) != 0);
  group->count = slot + (lane != 0);
  group->alive = group->ready = (1u << group->count) - 1;
  for (slot = 0; slot < group->count; slot++)
    for (lane = 0; lane < LANES; lane++)
      own_of(slot, lane)[OWN_SIZE] = slot + 1 == group->count && group->sub_groups[slot].live + 1 != 1u << group->size
                                         ? lowest(group->sub_groups[slot].live + 1)
                                         : group->size;
  words_at(COMMON_AT)[COMMON_SUB_GROUPS] = group->count;
}

static uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1, a <<= 1)
    if (b & 1)
      product += a;
  return product;
}

static bool dispatch_is_good(words dispatch) {
  const words packet = packet_of(dispatch);
  const uint32_t word = dispatch[HEDDLE_DISPATCH_SUB_GROUP_LOG2], log2 = word & HEDDLE_DISPATCH_LOG2_MASK;
  const uint32_t units = word >> HEDDLE_DISPATCH_UNIT_MASK_SHIFT, private_log2 = dispatch[HEDDLE_DISPATCH_PRIVATE_LOG2];
  const uint32_t local_bytes = dispatch[HEDDLE_DISPATCH_LOCAL_BYTES], base = dispatch[HEDDLE_DISPATCH_PRIVATE_BASE];
  uint32_t items = 1;
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t local = packet[HEDDLE_PACKET_LOCAL_SIZE + i];
    if (packet[HEDDLE_PACKET_GLOBAL_SIZE + i] == 0 || local == 0 || local > HEDDLE_LOCAL_SIZE_MAX)
      return false;
    items = multiply(items, local);  // at most 2^30
  }
  return (dispatch[HEDDLE_DISPATCH_KIND] & HEDDLE_DISPATCH_KIND_MASK) == 0 && (units == 0 || units & 1) &&
         log2 <= LANES_LOG2 && items <= (uint32_t)SLOTS << log2 && local_bytes <= LOCAL_BYTES && local_bytes % 4 == 0 &&
         private_log2 >= HEDDLE_PRIVATE_LOG2_MIN && private_log2 <= HEDDLE_PRIVATE_LOG2_MAX && base % LINE_BYTES == 0 &&
         base >= HEDDLE_GLOBAL_FIRST && base <= SMALL_GLOBAL_BYTES &&
         ((uint32_t)(SLOTS * LANES) << private_log2) <= SMALL_GLOBAL_BYTES - base;
}

static bool walk(void) {
  const words dispatch = state.dispatch, packet = packet_of(dispatch), common = words_at(COMMON_AT);
  const uint32_t log2 = dispatch[HEDDLE_DISPATCH_PRIVATE_LOG2];
  uint32_t size[3], first[3], left[3], base[3], id[3];
  if (!dispatch_is_good(dispatch)) {
    record(HEDDLE_FAULT_BAD_DISPATCH, 0, 0, 0, 0);
    return true;
  }
  state.budget = dispatch[HEDDLE_DISPATCH_BUDGET];
  state.budget_high = dispatch[HEDDLE_DISPATCH_BUDGET + 1];
  state.group.size = 1u << (dispatch[HEDDLE_DISPATCH_SUB_GROUP_LOG2] & HEDDLE_DISPATCH_LOG2_MASK);
  state.turn = 0;
  for (uint32_t slot = 0; slot < SLOTS; slot++)
    state.base[slot] = dispatch[HEDDLE_DISPATCH_PRIVATE_BASE] + (slot << (log2 + LANES_LOG2));
  *core_register(CORE_PRIVATE_MASK) = (1u << log2) - 1;
  *core_register(CORE_LOCAL_BYTES) = dispatch[HEDDLE_DISPATCH_LOCAL_BYTES];
  common[COMMON_PACKET] = (uint32_t)(uintptr_t)packet;
  common[COMMON_STACK] = HEDDLE_PRIVATE_BASE + (1u << log2);
  for (uint32_t i = 0; i < 3; i++) {
    first[i] = packet[HEDDLE_PACKET_GLOBAL_OFFSET + i];
    left[i] = packet[HEDDLE_PACKET_GLOBAL_SIZE + i];
    base[i] = first[i];
    id[i] = 0;
  }
  for (;;) {
    for (uint32_t i = 0; i < 3; i++) {
      const uint32_t local = packet[HEDDLE_PACKET_LOCAL_SIZE + i];
      size[i] = left[i] < local ? left[i] : local;
      common[COMMON_GROUP_ID + i] = id[i];
      common[COMMON_SIZE + i] = size[i];
    }
    place_work_items(size, base, dispatch[HEDDLE_DISPATCH_ENTRY] & ~3u);
    if (run_group())
      return true;
    add_figure(HEDDLE_REG_GROUPS_DONE, 1);
    uint32_t i = 0;
    for (; i < 3; i++) {
      id[i]++;
      base[i] += size[i];
      left[i] -= size[i];
      if (left[i] != 0)
        break;
      id[i] = 0;
      base[i] = first[i];
      left[i] = packet[HEDDLE_PACKET_GLOBAL_SIZE + i];
    }
    if (i == 3)
      return false;
  }
}

static void run_dispatch(void) {
  const uint32_t address = state.waiting;
  for (uint32_t offset = HEDDLE_REG_CYCLES; offset < HEDDLE_REG_CYCLES + HEDDLE_REG_PREVIOUS; offset += 4) {
    const bool fault = offset >= HEDDLE_REG_FAULT_REASON && offset <= HEDDLE_REG_FAULT_LANE;
    const bool clock = offset == HEDDLE_REG_CLOCK || offset == HEDDLE_REG_CLOCK + 4;
    if (!fault && !clock) {
      *control(offset + HEDDLE_REG_PREVIOUS) = *control(offset);
      *control(offset) = 0;
    }
  }
  state.start = clock_now(&state.start_high);
  control(HEDDLE_REG_START)[0] = state.start;
  control(HEDDLE_REG_START)[1] = state.start_high;
  state.budget = state.budget_high = 0;
  set_status(HEDDLE_STATUS_BUSY);
  bool faulted = true;
  if (address < HEDDLE_GLOBAL_FIRST || address >= SMALL_GLOBAL_BYTES)
    record(HEDDLE_FAULT_BAD_DISPATCH, 0, 0, 0, 0);
  else {
    state.dispatch = words_at(address);
    faulted = walk();
  }
  over_budget();
  ++*control(HEDDLE_REG_ENDED);
  set_status((state.status & ~(uint32_t)HEDDLE_STATUS_BUSY) | (faulted ? HEDDLE_STATUS_FAULT : 0));
}

void run(void) {
  *control(HEDDLE_REG_COMMAND) = 0;
  *control(HEDDLE_REG_DISPATCH) = 0;
  *control(HEDDLE_REG_ENDED) = 0;
  for (uint32_t offset = HEDDLE_REG_CYCLES; offset < HEDDLE_REG_CYCLES + 2 * HEDDLE_REG_PREVIOUS; offset += 4)
    *control(offset) = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    words_at(COMMON_AT)[COMMON_LANE + lane] = lane;
  set_status(0);
  for (;;) {
    take_command();
    if ((state.status & HEDDLE_STATUS_WAITS) && !(state.status & HEDDLE_STATUS_FAULT))
      run_dispatch();
  }
}
