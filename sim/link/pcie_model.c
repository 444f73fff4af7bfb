// SPDX-License-Identifier: Apache-2.0
// A card's registers and ring (pcie_model.h).
#include "sim/link/pcie_model.h"

#include <stdatomic.h>
#include <string.h>

// Words of the registers.
enum { MAGIC, VERSION, FEATURES, IN_BYTES, OUT_BYTES, OPENED, HEAD, STATUS, OPEN = 16, TAIL, INTERRUPTS };
enum { IN = 0x8000, OUT = 0xC000, DATA = 0x400, ENTRIES = 16, MOST = 4096 };
enum { READ = 1, WRITE = 2, HOST_MEMORY = 0x100 };
enum { DONE = 0, NO_ADDRESS = 1, NO_REQUEST = 2, NO_HOST_MEMORY = 3 };

// Where the bytes are that a request moves; NULL, and *became says why not.
static uint8_t *place_of(const struct pcie_model *model, uint32_t kind, uint64_t where, uint32_t bytes,
                         uint32_t *became) {
  const bool in = (kind & ~(uint32_t)HOST_MEMORY) == WRITE;
  const uint32_t room = in ? model->in_bytes : model->out_bytes;
  if ((kind & HOST_MEMORY) == 0) {
    *became = NO_REQUEST;
    return where >= DATA && where <= room && bytes <= room - where
               ? (uint8_t *)model->registers + (in ? IN : OUT) + where
               : NULL;
  }
  *became = !model->to.host_memory || where % MOST + bytes > MOST ? NO_REQUEST : NO_HOST_MEMORY;
  return *became == NO_HOST_MEMORY ? model->to.host_memory(model->to.device, where, bytes) : NULL;
}

static uint32_t carry_out(struct pcie_model *model, const volatile uint32_t *request) {
  const uint32_t kind = request[0], address = request[1], bytes = request[2];
  const uint64_t where = request[3] | (uint64_t)request[4] << 32;
  const uint32_t what = kind & ~(uint32_t)HOST_MEMORY;
  uint32_t became;
  uint8_t data[MOST];
  if ((what != READ && what != WRITE) || bytes == 0 || bytes > MOST || (where - address) % 128 != 0)
    return NO_REQUEST;
  uint8_t *place = place_of(model, kind, where, bytes, &became);
  if (!place)
    return became;
  if (what == WRITE)
    memcpy(data, place, bytes);
  const int failed = what == READ ? model->to.read(model->to.device, address, data, bytes)
                                  : model->to.write(model->to.device, address, data, bytes);
  if (what == READ && !failed)
    memcpy(place, data, bytes);
  return failed ? NO_ADDRESS : DONE;
}

static void interrupt(const struct pcie_model *model, unsigned bit) {
  if (model->to.interrupt && (model->registers[INTERRUPTS] >> bit & 1) != 0)
    model->to.interrupt(model->to.device);
}

static void show_busy(struct pcie_model *model) {
  const bool busy = model->to.busy(model->to.device);
  model->registers[STATUS] = busy;
  atomic_thread_fence(memory_order_seq_cst);
  if (model->was_busy && !busy)
    interrupt(model, 1);
  model->was_busy = busy;
}

void pcie_model_start(struct pcie_model *model) {
  memset((void *)(uintptr_t)model->registers, 0, PCIE_MODEL_BYTES);
  model->registers[MAGIC] = 0x45504448;
  model->registers[VERSION] = 1;
  model->registers[FEATURES] = model->to.host_memory ? 1 : 0;
  model->registers[IN_BYTES] = model->in_bytes;
  model->registers[OUT_BYTES] = model->out_bytes;
}

bool pcie_model_step(struct pcie_model *model) {
  volatile uint32_t *registers = model->registers;
  bool any = false;
  const uint32_t open = registers[OPEN];
  atomic_thread_fence(memory_order_seq_cst);
  if (open != registers[OPENED]) {
    model->to.reset(model->to.device);
    registers[HEAD] = registers[TAIL];
    show_busy(model);
    registers[OPENED] = open;
    any = true;
  }
  for (uint32_t left; (left = registers[TAIL] - registers[HEAD]) != 0 && left <= ENTRIES; any = true) {
    const uint32_t number = registers[HEAD], entry = number % ENTRIES;
    atomic_thread_fence(memory_order_seq_cst);
    registers[OUT / 4 + entry] = carry_out(model, &registers[IN / 4 + 8 * entry]);
    show_busy(model);
    registers[HEAD] = number + 1;
    atomic_thread_fence(memory_order_seq_cst);
    if (number + 1 == registers[TAIL])
      interrupt(model, 0);
  }
  show_busy(model);
  return any;
}
