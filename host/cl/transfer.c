// SPDX-License-Identifier: Apache-2.0
// The command that moves bytes (transfer.h).
#include "host/cl/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/device_time.h"
#include "host/cl/shared.h"
#include "host/cl/worker.h"

// Host memory that bytes pass through, and bytes of a pattern that are sent at a time.
enum { BYTES_A_PIECE = 1 << 20, PATTERN_PIECE = 64 << 10 };

// Commands of the device, one a slice: of a transfer that is on the device among others, of whose all it has room for
// 64; and of one that is there alone.
enum { PARTS_AMONG_OTHERS = 4, PARTS_ALONE = 16 };

struct transfer {
  struct heddle_command command;
  struct heddle_end from, to;  // of a fill `from` is nowhere
  struct heddle_shared_place from_kept, to_kept;
  struct heddle_box box;
  cl_uint pattern_size;  // 0: no fill
  unsigned char pattern[HEDDLE_FILL_PATTERN_MOST];
  uint32_t parts[PARTS_AMONG_OTHERS];  // numbers of the device's commands, while it is there
};

// ---- By the host

// Buffer to buffer on one device.
static int copy_row(struct heddle_device *driver, uint32_t from, uint32_t to, size_t bytes) {
  const size_t most = bytes < BYTES_A_PIECE ? bytes : BYTES_A_PIECE;
  char *piece = malloc(most);
  int result = piece ? 0 : -ENOMEM;
  for (size_t done = 0; done < bytes && result == 0; done += most) {
    const size_t now = bytes - done < most ? bytes - done : most;
    result = heddle_device_read(driver, from + (uint32_t)done, piece, now);
    if (result == 0)
      result = heddle_device_write(driver, to + (uint32_t)done, piece, now);
  }
  free(piece);
  return result;
}

static int fill_row(const struct transfer *transfer, struct heddle_device *driver, uint32_t to) {
  const size_t bytes = transfer->box.bytes, most = bytes < PATTERN_PIECE ? bytes : PATTERN_PIECE;
  unsigned char *piece = malloc(most);
  int result = piece ? 0 : -ENOMEM;
  for (size_t i = 0; i < most && result == 0; i += transfer->pattern_size)
    memcpy(piece + i, transfer->pattern, transfer->pattern_size);
  for (size_t done = 0; done < bytes && result == 0; done += most) {
    const size_t now = bytes - done < most ? bytes - done : most;
    result = heddle_device_write(driver, to + (uint32_t)done, piece, now);
  }
  free(piece);
  return result;
}

// Address on the device of a byte of an end, which is in a buffer.
static uint32_t address_of(const struct heddle_end *end, cl_device_id device, size_t offset) {
  return heddle_memory_address(end->memory, device) + (uint32_t)offset;
}

// Memory of the host alone.
static void move_host_row(const struct transfer *transfer, size_t from_offset, size_t to_offset) {
  char *to = transfer->to.host + to_offset;
  const size_t pattern = transfer->pattern_size;
  if (pattern == 0)
    memmove(to, transfer->from.host + from_offset, transfer->box.bytes);
  for (size_t i = 0; pattern != 0 && i < transfer->box.bytes; i += pattern)
    memcpy(to + i, transfer->pattern, pattern);
}

static int move_row(const struct transfer *transfer, cl_device_id device, size_t from_offset, size_t to_offset) {
  const struct heddle_end *from = &transfer->from, *to = &transfer->to;
  const size_t bytes = transfer->box.bytes;
  if (!from->memory && !to->memory) {
    move_host_row(transfer, from_offset, to_offset);
    return 0;
  }
  if (transfer->pattern_size != 0)
    return fill_row(transfer, device->root->driver, address_of(to, device, to_offset));
  if (!from->memory)
    return heddle_device_write(device->root->driver, address_of(to, device, to_offset), from->host + from_offset,
                               bytes);
  const uint32_t from_address = address_of(from, device, from_offset);
  if (!to->memory)
    return heddle_device_read(device->root->driver, from_address, to->host + to_offset, bytes);
  return copy_row(device->root->driver, from_address, address_of(to, device, to_offset), bytes);
}

static int move_rows(const struct transfer *transfer, cl_device_id device) {
  const struct heddle_end *from = &transfer->from, *to = &transfer->to;
  int result = 0;
  for (size_t slice = 0; slice < transfer->box.slices && result == 0; slice++)
    for (size_t row = 0; row < transfer->box.rows && result == 0; row++)
      result = move_row(transfer, device, from->offset + row * from->row_pitch + slice * from->slice_pitch,
                        to->offset + row * to->row_pitch + slice * to->slice_pitch);
  return result;
}

// ---- By the device

// What the device is asked to copy: a slice, of which the buffers' places are known.
static struct heddle_copy slice_of(const struct transfer *transfer, cl_device_id device, size_t slice) {
  const struct heddle_end *from = &transfer->from, *to = &transfer->to;
  return (struct heddle_copy){
      .source = address_of(from, device, from->offset + slice * from->slice_pitch),
      .destination = address_of(to, device, to->offset + slice * to->slice_pitch),
      .bytes = (uint32_t)transfer->box.bytes,
      .rows = (uint32_t)transfer->box.rows,
      .source_pitch = (uint32_t)from->row_pitch,
      .destination_pitch = (uint32_t)to->row_pitch,
  };
}

static bool device_is_faster(const struct transfer *transfer, cl_device_id device) {
  if (transfer->box.bytes == 0)
    return false;
  if (transfer->pattern_size != 0)  // a command of the device fills one row
    return transfer->to.memory && transfer->box.rows == 1 && transfer->box.slices == 1 &&
           heddle_device_fills(device->root->driver, transfer->box.bytes);
  if (!transfer->from.memory || !transfer->to.memory)
    return false;
  const struct heddle_copy slice = slice_of(transfer, device, 0);
  return heddle_device_copies(device->root->driver, &slice);
}

static int submit_part(const struct transfer *transfer, cl_device_id device, size_t slice,
                       const struct heddle_waits *waits, uint32_t *number) {
  if (transfer->pattern_size == 0) {
    const struct heddle_copy copy = slice_of(transfer, device, slice);
    return heddle_device_submit_copy(device->root->driver, &copy, waits, number);
  }
  const struct heddle_fill fill = {.destination = address_of(&transfer->to, device, transfer->to.offset),
                                   .bytes = (uint32_t)transfer->box.bytes,
                                   .pattern = transfer->pattern,
                                   .pattern_bytes = transfer->pattern_size};
  return heddle_device_submit_fill(device->root->driver, &fill, waits, number);
}

// Waits for a part and adds its cycles. *record is that of the first one that is not complete, else of the last.
static int collect_part(cl_device_id device, uint32_t number, struct heddle_record *record, uint64_t *cycles) {
  struct heddle_record part;
  const int result = heddle_device_collect(device->root->driver, number, NULL, NULL, &part);
  if (result == 0 && record->status == HEDDLE_RECORD_COMPLETE)
    *record = part;
  *cycles += result == 0 ? part.cycles : 0;
  return result;
}

// All parts, behind everything that is on the device.
static int move_on_device(const struct transfer *transfer, cl_device_id device, uint64_t *cycles) {
  const struct heddle_waits waits = {.all = true};
  const size_t slices = transfer->box.slices;
  struct heddle_record record = {.status = HEDDLE_RECORD_COMPLETE};
  uint32_t numbers[PARTS_ALONE];
  size_t submitted = 0, collected = 0;
  int result = 0;
  while (collected < submitted || (submitted < slices && result == 0)) {
    if (submitted < slices && submitted - collected < PARTS_ALONE && result == 0) {
      result = submit_part(transfer, device, submitted, &waits, &numbers[submitted % PARTS_ALONE]);
      submitted += result == 0;
      continue;
    }
    const int ended = collect_part(device, numbers[collected % PARTS_ALONE], &record, cycles);
    result = result == 0 ? ended : result;
    collected++;
  }
  return result == 0 && record.status != HEDDLE_RECORD_COMPLETE ? -EIO : result;
}

// ---- The command

// Rows that follow each other without a gap on both sides are one row, and slices likewise.
static void join_rows(struct transfer *transfer) {
  struct heddle_box *box = &transfer->box;
  const struct heddle_end *to = &transfer->to, *from = transfer->pattern_size != 0 ? to : &transfer->from;
  if (box->rows == 1 || (from->row_pitch == box->bytes && to->row_pitch == box->bytes)) {
    box->bytes *= box->rows;
    box->rows = 1;
    if (from->slice_pitch == box->bytes && to->slice_pitch == box->bytes) {
      box->bytes *= box->slices;
      box->slices = 1;
    }
  }
}

static bool covers_buffer(const struct transfer *transfer) {
  const struct heddle_box *box = &transfer->box;
  return box->rows == 1 && box->slices == 1 && box->bytes == transfer->to.memory->size;
}

// The buffers' contents are on the device.
static int prepare(const struct transfer *transfer, cl_device_id device) {
  int result = 0;
  if (transfer->from.memory)
    result = heddle_memory_prepare(transfer->from.memory, device, HEDDLE_READS);
  if (transfer->to.memory && result == 0)
    result =
        heddle_memory_prepare(transfer->to.memory, device, covers_buffer(transfer) ? HEDDLE_OVERWRITES : HEDDLE_WRITES);
  return result;
}

// The status that a command ends with; tells the application when the device was lost.
static cl_int status_of(const struct transfer *transfer, int result) {
  struct heddle_error why;
  if (result == 0)
    return CL_COMPLETE;
  if (heddle_device_lost(transfer->command.event->queue->device->root->driver, &why))
    heddle_context_report(transfer->command.event->context, why.text);
  return result == -ENOMEM ? CL_OUT_OF_HOST_MEMORY : heddle_code_of(result);
}

static void took(struct transfer *transfer, uint64_t cycles) {
  transfer->command.nanoseconds = 1 + heddle_device_nanoseconds(transfer->command.event->queue->device, cycles);
}

static cl_int run(struct heddle_command *command) {
  struct transfer *transfer = (struct transfer *)command;
  cl_device_id device = command->event->queue->device;
  uint64_t cycles = 0;
  int result = prepare(transfer, device);
  bool moved = false;
  if (result == 0 && command->begin) {
    result = move_on_device(transfer, device, &cycles);
    // Without room on the device for a pattern the host sends it.
    moved = result != -ENOMEM;
    if (moved && result == 0)
      took(transfer, cycles);
    result = moved ? result : 0;
  }
  if (result == 0 && !moved)
    result = move_rows(transfer, device);
  return status_of(transfer, result);
}

// What goes wrong here goes wrong again in `run`, which tells.
static bool begin(struct heddle_command *command, const struct heddle_waits *waits) {
  struct transfer *transfer = (struct transfer *)command;
  cl_device_id device = command->event->queue->device;
  struct heddle_record record = {.status = HEDDLE_RECORD_COMPLETE};
  uint64_t cycles = 0;
  size_t submitted = 0;
  if (transfer->box.slices > PARTS_AMONG_OTHERS || prepare(transfer, device) != 0)
    return false;
  while (submitted < transfer->box.slices &&
         submit_part(transfer, device, submitted, waits, &transfer->parts[submitted]) == 0)
    submitted++;
  if (submitted == transfer->box.slices) {
    command->number = transfer->parts[submitted - 1];
    return true;
  }
  for (size_t i = 0; i < submitted; i++)
    (void)collect_part(device, transfer->parts[i], &record, &cycles);
  return false;
}

static cl_int end(struct heddle_command *command) {
  struct transfer *transfer = (struct transfer *)command;
  cl_device_id device = command->event->queue->device;
  struct heddle_record record = {.status = HEDDLE_RECORD_COMPLETE};
  uint64_t cycles = 0;
  int result = 0;
  for (size_t i = 0; i < transfer->box.slices; i++) {
    const int ended = collect_part(device, transfer->parts[i], &record, &cycles);
    result = result == 0 ? ended : result;
  }
  if (result != 0)
    return status_of(transfer, result);
  if (heddle_is_held_back(command, &record))
    return run(command);
  if (record.status == HEDDLE_RECORD_DID_NOT_RUN)
    return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  took(transfer, cycles);
  return status_of(transfer, record.status == HEDDLE_RECORD_COMPLETE ? 0 : -EIO);
}

// An end stays until the command has ended: a buffer, and host memory that the library has allocated. Where the host
// cannot touch that, it is an end on the device. False: it ends outside of it.
static bool keep(cl_context context, const struct heddle_end *given, const struct heddle_box *box,
                 struct heddle_end *end, struct heddle_shared_place *kept) {
  if (given->memory)
    heddle_object_retain(given->memory);
  else if (given->host)
    heddle_shared_find(context, given->host + given->offset, 1, kept);
  if (kept->memory && kept->memory->shared->kind == HEDDLE_USM_DEVICE) {
    const size_t bytes = box->bytes + (box->rows - 1) * given->row_pitch + (box->slices - 1) * given->slice_pitch;
    if (!heddle_range_inside(kept->memory, kept->offset, bytes))
      return false;
    *end = (struct heddle_end){kept->memory, NULL, kept->offset, given->row_pitch, given->slice_pitch};
    kept->memory = NULL;
    return true;
  }
  *end = *given;
  return true;
}

static void let_go(const struct heddle_end *end, const struct heddle_shared_place *kept) {
  if (end->memory)
    heddle_memory_release(end->memory);
  heddle_shared_leave(kept);
}

static void drop(struct heddle_command *command) {
  struct transfer *transfer = (struct transfer *)command;
  let_go(&transfer->from, &transfer->from_kept);
  let_go(&transfer->to, &transfer->to_kept);
}

// Takes a command over that knows what to move.
static cl_int enqueue(struct transfer *transfer, cl_command_queue queue, bool blocking, cl_event *event) {
  transfer->command.bytes = (uint64_t)transfer->box.bytes * transfer->box.rows * transfer->box.slices;
  transfer->command.run = transfer->box.bytes != 0 ? run : NULL;
  join_rows(transfer);
  if (device_is_faster(transfer, queue->device)) {
    transfer->command.begin = begin;
    transfer->command.end = end;
  }
  return heddle_enqueue(&transfer->command, blocking, event);
}

cl_int heddle_transfer(cl_command_queue queue, cl_command_type type, const struct heddle_end *from,
                       const struct heddle_end *to, struct heddle_box box, bool blocking, cl_uint num_waits,
                       const cl_event *waits, cl_event *event) {
  struct transfer *transfer = heddle_command_create(sizeof *transfer, queue, type, num_waits, waits);
  if (!transfer)
    return CL_OUT_OF_HOST_MEMORY;
  transfer->command.drop = drop;
  transfer->box = box;
  if (!keep(queue->context, from, &box, &transfer->from, &transfer->from_kept) ||
      !keep(queue->context, to, &box, &transfer->to, &transfer->to_kept)) {
    heddle_command_discard(&transfer->command);
    return CL_INVALID_VALUE;
  }
  return enqueue(transfer, queue, blocking, event);
}

cl_int heddle_fill(cl_command_queue queue, cl_command_type type, const struct heddle_end *to, struct heddle_box box,
                   const struct heddle_pattern *pattern, cl_uint num_waits, const cl_event *waits, cl_event *event) {
  struct transfer *transfer = heddle_command_create(sizeof *transfer, queue, type, num_waits, waits);
  if (!transfer)
    return CL_OUT_OF_HOST_MEMORY;
  transfer->command.drop = drop;
  transfer->box = box;
  if (!keep(queue->context, to, &box, &transfer->to, &transfer->to_kept)) {
    heddle_command_discard(&transfer->command);
    return CL_INVALID_VALUE;
  }
  transfer->pattern_size = (cl_uint)pattern->size;
  memcpy(transfer->pattern, pattern->bytes, pattern->size);
  return enqueue(transfer, queue, false, event);
}
