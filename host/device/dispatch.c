// SPDX-License-Identifier: Apache-2.0
// One NDRange on a device: private memory, the dispatch in memory, and the command that runs it (driver.h).
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/log2.h"
#include "host/device/device.h"

enum { DEFAULT_PRIVATE_LOG2 = 12, HOST_PAGE = 4096, SMALL_MEMORY = 0x10000 };

static uint32_t ceiling_divide(uint32_t value, uint32_t by) {
  return value / by + (value % by != 0);
}

uint32_t heddle_private_log2(uint32_t stack_bytes) {
  const uint32_t log2 = heddle_log2_ceiling(stack_bytes);
  if (log2 > HEDDLE_PRIVATE_LOG2_MAX)
    return 0;
  return log2 < DEFAULT_PRIVATE_LOG2 ? DEFAULT_PRIVATE_LOG2 : log2;
}

int heddle_region_grow(struct heddle_device *device, struct heddle_region *region, bool is_written, uint64_t bytes,
                       uint32_t alignment) {
  const uint8_t rights = HEDDLE_DOMAIN_EVERYBODY | (is_written ? HEDDLE_RIGHTS_WRITE : 0);
  if (bytes <= region->bytes)
    return 0;
  if (bytes > device->capability.global_bytes)
    return -ENOMEM;
  // The old one goes first: on a small device both do not fit.
  if (region->bytes != 0)
    heddle_device_free(device, region->address);
  region->bytes = 0;
  const int result = heddle_device_allocate_for(device, rights, (uint32_t)bytes, alignment, &region->address);
  if (result == 0)
    region->bytes = (uint32_t)bytes;
  return result;
}

static uint32_t dispatch_bytes(const struct heddle_dispatch *dispatch) {
  const uint32_t bytes = HEDDLE_DISPATCH_WORDS * sizeof(uint32_t) + (uint32_t)dispatch->argument_bytes;
  return (bytes + HEDDLE_DISPATCH_ALIGNMENT - 1) / HEDDLE_DISPATCH_ALIGNMENT * HEDDLE_DISPATCH_ALIGNMENT;
}

// The dispatch with its packet, and the argument block behind it. `log2` is that of the private memory; `next` is the
// address of the dispatch of the chain's next kernel.
static void fill_dispatch(const struct heddle_device *device, const struct heddle_dispatch *dispatch, uint32_t log2,
                          uint32_t printf_buffer, uint32_t next, uint32_t *words) {
  uint32_t *packet = words + HEDDLE_DISPATCH_PACKET, work_items = 1;
  words[HEDDLE_DISPATCH_ENTRY] = dispatch->entry;
  words[HEDDLE_DISPATCH_SUB_GROUP_LOG2] = heddle_log2_ceiling(dispatch->sub_group_size) |
                                          (heddle_page_log2(device) != 0 ? dispatch->domain : 0)
                                              << HEDDLE_DISPATCH_DOMAIN_SHIFT |
                                          dispatch->unit_mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT;
  words[HEDDLE_DISPATCH_LOCAL_BYTES] = dispatch->local_bytes;
  words[HEDDLE_DISPATCH_PRIVATE_BASE] = device->private_memory.address;
  words[HEDDLE_DISPATCH_PRIVATE_LOG2] = log2;
  words[HEDDLE_DISPATCH_BUDGET] = (uint32_t)dispatch->budget;
  words[HEDDLE_DISPATCH_BUDGET + 1] = (uint32_t)(dispatch->budget >> 32);
  words[HEDDLE_DISPATCH_KIND] = dispatch->kind;
  words[HEDDLE_DISPATCH_QUEUE] = dispatch->device_queue;
  if (dispatch->next)
    words[HEDDLE_DISPATCH_NEXT] = next;
  for (int i = 0; i < HEDDLE_DISPATCH_PIPE_COUNT; i++) {
    const struct heddle_dispatch_pipe *pipe = &dispatch->pipes[i];
    uint32_t *said = words + HEDDLE_DISPATCH_PIPES + i * HEDDLE_DISPATCH_PIPE_WORDS;
    said[HEDDLE_DISPATCH_PIPE_MOST] = pipe->most_packets | (pipe->makes_room ? HEDDLE_DISPATCH_MAKES_ROOM : 0);
    said[HEDDLE_DISPATCH_PIPE_ADDRESS] = pipe->address;
    said[HEDDLE_DISPATCH_PIPE_OFFSET] = pipe->packets_offset;
  }
  packet[HEDDLE_PACKET_WORK_DIM] = dispatch->work_dim;
  for (int i = 0; i < 3; i++) {
    packet[HEDDLE_PACKET_GLOBAL_SIZE + i] = dispatch->global_size[i];
    packet[HEDDLE_PACKET_GLOBAL_OFFSET + i] = dispatch->global_offset[i];
    packet[HEDDLE_PACKET_LOCAL_SIZE + i] = dispatch->local_size[i];
    packet[HEDDLE_PACKET_NUM_GROUPS + i] = ceiling_divide(dispatch->global_size[i], dispatch->local_size[i]);
    work_items *= dispatch->local_size[i];
  }
  packet[HEDDLE_PACKET_NUM_SUB_GROUPS] = ceiling_divide(work_items, dispatch->sub_group_size);
  packet[HEDDLE_PACKET_MAX_SUB_GROUP_SIZE] = dispatch->sub_group_size;
  packet[HEDDLE_PACKET_PRINTF] = printf_buffer;
  if (dispatch->argument_bytes != 0)
    memcpy(packet + HEDDLE_PACKET_WORDS, dispatch->arguments, dispatch->argument_bytes);
}

// A dispatch, and behind it those of the kernels of its chain.
static int write_dispatch(struct heddle_device *device, struct heddle_region *region,
                          const struct heddle_dispatch *dispatch, uint32_t log2,
                          const uint32_t printf_buffers[HEDDLE_CHAIN_KERNELS]) {
  size_t bytes = 0;
  for (const struct heddle_dispatch *at = dispatch; at; at = at->next)
    bytes += dispatch_bytes(at);
  int result = heddle_region_grow(device, region, false, bytes, HEDDLE_DISPATCH_ALIGNMENT);
  if (result != 0)
    return result;
  uint32_t *words = calloc(1, bytes);
  if (!words)
    return -ENOMEM;
  uint32_t begin = 0, number = 0;
  for (const struct heddle_dispatch *at = dispatch; at; at = at->next) {
    const uint32_t next = begin + dispatch_bytes(at);
    fill_dispatch(device, at, log2, printf_buffers[number++], region->address + next, words + begin / sizeof *words);
    begin = next;
  }
  result = device->link.transport->write(device->link.state, region->address, words, bytes);
  free(words);
  return result;
}

int heddle_device_read_dispatch(struct heddle_device *device, uint32_t address, struct heddle_dispatch *dispatch) {
  uint32_t words[HEDDLE_DISPATCH_WORDS];
  const uint32_t *packet = words + HEDDLE_DISPATCH_PACKET;
  const int result = heddle_device_read(device, address, words, sizeof words);
  if (result != 0)
    return result;
  *dispatch = (struct heddle_dispatch){.entry = words[HEDDLE_DISPATCH_ENTRY],
                                       .work_dim = packet[HEDDLE_PACKET_WORK_DIM],
                                       .sub_group_size = packet[HEDDLE_PACKET_MAX_SUB_GROUP_SIZE],
                                       .local_bytes = words[HEDDLE_DISPATCH_LOCAL_BYTES]};
  memcpy(dispatch->global_size, packet + HEDDLE_PACKET_GLOBAL_SIZE, sizeof dispatch->global_size);
  memcpy(dispatch->global_offset, packet + HEDDLE_PACKET_GLOBAL_OFFSET, sizeof dispatch->global_offset);
  memcpy(dispatch->local_size, packet + HEDDLE_PACKET_LOCAL_SIZE, sizeof dispatch->local_size);
  return 0;
}

// What every dispatch has that is enqueued to the queue.
static int write_queue(struct heddle_device *device, uint32_t queue, uint32_t log2, uint32_t printf_buffer) {
  const uint32_t words[] = {device->private_memory.address, log2, printf_buffer};
  return device->link.transport->write(device->link.state, queue + 4 * HEDDLE_QUEUE_PRIVATE_BASE, words, sizeof words);
}

// What is in flight uses the memory that is there.
static int reserve_private_memory(struct heddle_device *device, uint32_t log2) {
  const struct heddle_capabilities *capability = &device->capability;
  const uint64_t bytes = ((uint64_t)capability->units * capability->slots * capability->lanes) << log2;
  const bool small = capability->global_bytes < SMALL_MEMORY;
  const uint32_t alignment = small || capability->line_bytes > HOST_PAGE ? capability->line_bytes : HOST_PAGE;
  if (log2 == 0)
    return -ENOMEM;
  if (bytes <= device->private_memory.bytes)
    return 0;
  int result = heddle_commands_drain(device);
  if (result == 0)
    result = heddle_region_grow(device, &device->private_memory, true, bytes, alignment);
  // With it goes what another process left in local memory and registers.
  if (result == 0 && device->link.keeps_memory)
    result = heddle_wipe(device, device->private_memory.address, device->private_memory.bytes, true);
  return result;
}

// The private memory of a work-item: what the stack needs, and log2 of all.
struct private_memory {
  uint32_t stack_bytes, log2;
};

static struct private_memory private_memory_of(const struct heddle_device *device,
                                               const struct heddle_dispatch *dispatch) {
  const uint32_t printf_bytes = dispatch->printed ? heddle_printf_private_bytes(device) : 0;
  const bool unknown = dispatch->stack_bytes == 0 && printf_bytes != 0;
  const uint32_t stack_bytes = unknown ? 1u << DEFAULT_PRIVATE_LOG2 : dispatch->stack_bytes;
  const struct heddle_capabilities *capability = &device->capability;
  uint32_t log2 = heddle_private_log2(stack_bytes + printf_bytes);
  // On a small device no more than a quarter of its memory, unless that is known not to do.
  const uint64_t work_items = (uint64_t)capability->units * capability->slots * capability->lanes;
  const uint32_t needed = stack_bytes + printf_bytes;
  while (log2 > HEDDLE_PRIVATE_LOG2_MIN && work_items << log2 > capability->global_bytes / 4 &&
         1u << (log2 - 1) >= needed)
    log2--;
  return (struct private_memory){.stack_bytes = stack_bytes, .log2 = log2};
}

// Of each kernel of a chain. What prints before has ended: the buffers are the device's.
static int prepare_printf(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                          const struct private_memory *memory, uint32_t buffers[HEDDLE_CHAIN_KERNELS]) {
  struct heddle_printing printing = {.log2 = memory->log2, .stack_bytes = memory->stack_bytes};
  int result = 0;
  for (const struct heddle_dispatch *at = dispatch; at && result == 0; at = at->next, printing.number++) {
    printing.kind = at->kind;
    if (at->printed)
      result = heddle_commands_drain(device);
    if (at->printed && result == 0)
      result = heddle_printf_buffer_prepare(device, &printing, &buffers[printing.number]);
  }
  return result;
}

static int read_printf(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                       const struct private_memory *memory) {
  struct heddle_printing printing = {.log2 = memory->log2, .stack_bytes = memory->stack_bytes};
  int result = 0;
  for (const struct heddle_dispatch *at = dispatch; at && result == 0; at = at->next, printing.number++) {
    printing.kind = at->kind;
    if (at->printed)
      result = heddle_printf_buffer_read(device, &printing, at->printed);
  }
  return result;
}

// Writes the dispatch and submits the command.
static int submit(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                  const struct private_memory *memory, const struct heddle_waits *waits, uint32_t *number) {
  struct heddle_ring_command *command = NULL;
  uint32_t printf_buffers[HEDDLE_CHAIN_KERNELS] = {0};
  if (dispatch->changes != device->capability.changes)
    return -ESTALE;
  // A pipeline has private memory in itself.
  int result = dispatch->kind == 0 ? reserve_private_memory(device, memory->log2) : 0;
  if (result == 0)
    result = heddle_command_begin(device, waits, &command);
  if (result == 0)
    result = prepare_printf(device, dispatch, memory, printf_buffers);
  if (result == 0)
    result = write_dispatch(device, &command->memory, dispatch, memory->log2, printf_buffers);
  if (result == 0)
    result = heddle_checked_scene(device, dispatch, command->memory.address);
  if (result == 0 && dispatch->device_queue != 0)
    result = write_queue(device, dispatch->device_queue, memory->log2, printf_buffers[0]);
  if (result == 0)
    result = heddle_rights_write(device);
  if (result != 0)
    return result;
  command->words[HEDDLE_RING_KIND] |= dispatch->device_queue != 0 ? HEDDLE_RING_IS_ENQUEUER : HEDDLE_RING_IS_DISPATCH;
  command->words[HEDDLE_RING_DISPATCH] = command->memory.address;
  command->budget = dispatch->budget;
  return heddle_command_submit(device, number);
}

static int run(struct heddle_device *device, const struct heddle_dispatch *dispatch, heddle_progress *progress,
               void *user, struct heddle_record *record) {
  const struct private_memory memory = private_memory_of(device, dispatch);
  const struct heddle_waits waits = {.all = true};
  uint32_t number = 0;
  int result = submit(device, dispatch, &memory, &waits, &number);
  if (result == 0)
    result = heddle_command_finish(device, number, progress, user, record);
  return result == 0 ? read_printf(device, dispatch, &memory) : result;
}

int heddle_dispatch_now(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                        struct heddle_record *record) {
  return run(device, dispatch, NULL, NULL, record);
}

int heddle_device_run(struct heddle_device *device, const struct heddle_dispatch *dispatch, heddle_progress *progress,
                      void *user, struct heddle_record *record) {
  pthread_mutex_lock(&device->access);
  const int result = heddle_settle(device, run(device, dispatch, progress, user, record));
  pthread_mutex_unlock(&device->access);
  return result;
}

int heddle_device_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                           heddle_progress *progress, void *user, struct heddle_figures *figures,
                           struct heddle_fault *fault) {
  struct heddle_record record = {.status = HEDDLE_RECORD_DID_NOT_RUN};
  const int result = heddle_device_run(device, dispatch, progress, user, &record);
  if (result != 0)
    return result;
  *figures = record.figures;
  if (record.status == HEDDLE_RECORD_FAULTED)
    *fault = record.fault;
  return record.status == HEDDLE_RECORD_COMPLETE ? 0 : record.status == HEDDLE_RECORD_FAULTED ? 1 : -EIO;
}

int heddle_device_submit_dispatch(struct heddle_device *device, const struct heddle_dispatch *dispatch,
                                  const struct heddle_waits *waits, uint32_t *number) {
  if (dispatch->printed)
    return -EINVAL;
  const struct private_memory memory = private_memory_of(device, dispatch);
  pthread_mutex_lock(&device->access);
  const int result = heddle_settle(device, submit(device, dispatch, &memory, waits, number));
  pthread_mutex_unlock(&device->access);
  return result;
}
