// SPDX-License-Identifier: Apache-2.0
// Zeros in the memory of a board, which keeps what the process before left there: a kernel of its own stores them, as
// many at a time as there are lanes, and leaves zeros in local memory and in the registers of the slots that it runs
// in.
#include <errno.h>
#include <string.h>

#include "host/device/device.h"

enum { CLEARED_BY_LINK = 4096, WORK_ITEMS_MOST = 1024, CODE_ALIGNMENT = 128, REGISTERS = 31 };

// Arguments: the first address, the end, bytes from a work-item's word to its next, and the end of local memory. In
// RV32I, which every device has.
static const uint32_t code[] = {
    0xCCD02573,  //    csrr a0, 0xCCD      the packet
    0x04052583,  //    lw a1, 64(a0)       first address
    0x04452603,  //    lw a2, 68(a0)       end
    0x04852683,  //    lw a3, 72(a0)       step
    0x04C52703,  //    lw a4, 76(a0)       end of local memory
    0xCC0027F3,  //    csrr a5, 0xCC0      local id
    0xCC302873,  //    csrr a6, 0xCC3      group id
    0xCC6028F3,  //    csrr a7, 0xCC6      local size
    0x00279913,  //    slli s2, a5, 2
    0x00289893,  //    slli a7, a7, 2
    0x012585B3,  //    add a1, a1, s2
    0x00080863,  // 1: beqz a6, 2f
    0x011585B3,  //    add a1, a1, a7
    0xFFF80813,  //    addi a6, a6, -1
    0xFF5FF06F,  //    j 1b
    0x00C5F863,  // 2: bgeu a1, a2, 3f
    0x0005A023,  //    sw zero, 0(a1)
    0x00D585B3,  //    add a1, a1, a3
    0xFF5FF06F,  //    j 2b
    0x80000537,  // 3: lui a0, 0x80000     local memory
    0x01250533,  //    add a0, a0, s2
    0x00E57863,  // 4: bgeu a0, a4, 5f
    0x00052023,  //    sw zero, 0(a0)
    0x01150533,  //    add a0, a0, a7
    0xFF5FF06F,  //    j 4b
};
static const uint32_t exit_instruction = 0x0000300B;

// Places the code, once.
static int load(struct heddle_device *device) {
  uint32_t words[sizeof code / sizeof *code + REGISTERS + 1];
  size_t count = sizeof code / sizeof *code;
  if (device->wiper.bytes != 0)
    return 0;
  memcpy(words, code, sizeof code);
  for (uint32_t number = 1; number <= REGISTERS; number++)
    words[count++] = number << 7 | 0x13;  // 5: li xN, 0
  words[count++] = exit_instruction;
  int result = heddle_device_allocate(device, sizeof words, CODE_ALIGNMENT, &device->wiper.address);
  if (result != 0)
    return result;
  device->wiper.bytes = sizeof words;
  return device->link.transport->write(device->link.state, device->wiper.address, words, sizeof words);
}

// Cycles that clearing may take: a device that needs more is lost. Hundreds of times what it takes.
enum { CYCLES_AT_MOST = 1 << 24, CYCLES_A_BYTE = 64 };

static int write_zeros(struct heddle_device *device, uint32_t address, uint32_t bytes) {
  static const uint8_t zeros[CLEARED_BY_LINK];
  int result = 0;
  while (bytes != 0 && result == 0) {
    const uint32_t part = bytes < CLEARED_BY_LINK ? bytes : CLEARED_BY_LINK;
    result = device->link.transport->write(device->link.state, address, zeros, part);
    address += part;
    bytes -= part;
  }
  return result;
}

int heddle_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes, bool all) {
  const struct heddle_capabilities *capability = &device->capability;
  const uint32_t most = capability->slots * capability->lanes;
  const uint32_t items = most < WORK_ITEMS_MOST ? most : WORK_ITEMS_MOST / capability->lanes * capability->lanes;
  const uint32_t local_bytes = capability->local_memory_bytes & ~3u;
  const uint32_t arguments[] = {address, address + (bytes & ~3u), 4 * items * capability->units,
                                HEDDLE_LOCAL_BASE + local_bytes};
  // Without programmable units there is nobody else to do it.
  if (capability->units == 0 || (!all && bytes <= CLEARED_BY_LINK))
    return write_zeros(device, address, bytes);
  int result = load(device);
  if (result != 0)
    return result;
  const struct heddle_dispatch dispatch = {.changes = capability->changes,
                                           .entry = device->wiper.address,
                                           .work_dim = 1,
                                           .global_size = {items * capability->units, 1, 1},
                                           .local_size = {items, 1, 1},
                                           .sub_group_size = capability->lanes,
                                           .local_bytes = local_bytes,
                                           .stack_bytes = 4,
                                           .arguments = arguments,
                                           .argument_bytes = sizeof arguments,
                                           .budget = CYCLES_AT_MOST + (uint64_t)bytes * CYCLES_A_BYTE};
  struct heddle_record record;
  result = heddle_dispatch_now(device, &dispatch, &record);
  if (result == 0 && record.status != HEDDLE_RECORD_COMPLETE)
    result = heddle_lose(device, -EIO, "the device's memory cannot be cleared of what others left there");
  return result == 0 ? write_zeros(device, address + (bytes & ~3u), bytes & 3) : result;
}

int heddle_device_wipe(struct heddle_device *device, uint32_t address, uint32_t bytes) {
  if (!device->link.keeps_memory)
    return 0;
  pthread_mutex_lock(&device->access);
  const int result =
      heddle_settle(device, atomic_load(&device->lost) ? -ENODEV : heddle_wipe(device, address, bytes, false));
  pthread_mutex_unlock(&device->access);
  return result;
}
