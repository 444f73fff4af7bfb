// SPDX-License-Identifier: Apache-2.0
// Loads and stores as calls (trap.h). An access faults. Of a load the word is put where it is looked for, and of a
// store the place gets known bytes; then the page is opened, the instruction is carried out alone (the processor's trap
// flag), and the page is closed again. A store is carried out twice, upon zeros and upon ones: the bytes that are equal
// after both are those that it wrote.
#include "tests/transport/trap.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/opencl/harness.h"

enum { PAGE = 4096, TRAP_FLAG = 0x100, FAULT_OF_STORE = 2 };

static struct {
  uint8_t *pages;
  atomic_size_t bytes;  // 0: no memory is trapped
  const struct trap_memory *memory;
  enum { IDLE, LOAD, STORE_ON_ZEROS, STORE_ON_ONES } step;
  size_t offset;      // of the word
  uint32_t on_zeros;  // what a store left there
  gregset_t before;   // it
} trap;

static void open_page(bool open) {
  if (mprotect(trap.pages + trap.offset / PAGE * PAGE, PAGE, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
    fail("the page of a card cannot be %s", open ? "opened" : "closed");
}

static uint32_t word_now(void) {
  uint32_t word;
  memcpy(&word, trap.pages + trap.offset, sizeof word);
  return word;
}

static void set_word(uint32_t word) {
  memcpy(trap.pages + trap.offset, &word, sizeof word);
}

// It happens again, and ends the program.
static void give_up(int number) {
  sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  ucontext_t *c = context;
  const uintptr_t address = (uintptr_t)info->si_addr, start = (uintptr_t)trap.pages;
  const size_t bytes = atomic_load(&trap.bytes);
  if (bytes == 0 || address < start || address - start >= bytes || trap.step != IDLE) {
    give_up(number);
    return;
  }
  const bool stores = (c->uc_mcontext.gregs[REG_ERR] & FAULT_OF_STORE) != 0;
  const size_t offset = (address - start) / 4 * 4;
  const uint32_t word = stores ? 0 : trap.memory->read(offset);
  trap.offset = offset;
  trap.step = stores ? STORE_ON_ZEROS : LOAD;
  memcpy(trap.before, c->uc_mcontext.gregs, sizeof trap.before);
  open_page(true);
  set_word(word);
  c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_step(int number, siginfo_t *info, void *context) {
  ucontext_t *c = context;
  (void)info;
  if (trap.step == IDLE) {
    give_up(number);
    return;
  }
  const uint32_t word = word_now();
  if (trap.step == STORE_ON_ZEROS) {
    trap.on_zeros = word;
    trap.step = STORE_ON_ONES;
    set_word(UINT32_MAX);
    memcpy(c->uc_mcontext.gregs, trap.before, sizeof trap.before);
    c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return;
  }
  const bool stored = trap.step == STORE_ON_ONES;
  unsigned strobe = 0;
  for (unsigned i = 0; i < 4; i++)
    strobe |= (unsigned)((word >> 8 * i & 0xFF) == (trap.on_zeros >> 8 * i & 0xFF)) << i;
  open_page(false);
  trap.step = IDLE;
  c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  if (stored)
    trap.memory->write(trap.offset, word, strobe);
}

void trap_begin(void *pages, size_t bytes, const struct trap_memory *memory) {
  if (atomic_load(&trap.bytes) != 0)
    fail("the card's memory is mapped twice");
  trap.pages = pages;
  trap.memory = memory;
  atomic_store(&trap.bytes, bytes);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  bool set = sigaction(SIGSEGV, &action, NULL) == 0;
  action.sa_sigaction = on_step;
  set = set && sigaction(SIGTRAP, &action, NULL) == 0;
  if (!set || mprotect(pages, bytes, PROT_NONE) != 0)
    fail("the card's memory cannot be trapped");
}

void trap_end(void) {
  atomic_store(&trap.bytes, 0);
}
