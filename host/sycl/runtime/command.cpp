// SPDX-License-Identifier: Apache-2.0
// Command groups: what a handler collects, checked and handed to OpenCL.
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

void handler::depends_on(const event &e) {
  if (e.impl)
    command->after.push_back(e.impl);
}

void handler::depends_on(const std::vector<event> &events) {
  for (const event &e : events)
    depends_on(e);
}

void handler::launch(const detail::launch &launch) {
  command->take(detail::command::kernel);
  command->name = launch.name;
  command->kinds = launch.kinds;
  command->words.assign(launch.words, launch.words + launch.word_count);
  for (unsigned i = 0; i < launch.buffer_count; i++)
    command->buffer_arguments.push_back(static_cast<const detail::buffer_cell *>(launch.buffers[i]));
  for (unsigned i = 0; i < launch.local_count; i++)
    command->local_arguments.push_back(static_cast<const detail::local_cell *>(launch.locals[i]));
  command->range = launch.range;
}

void handler::memcpy(void *to, const void *from, std::size_t bytes) {
  command->take(detail::command::copy);
  command->to = to, command->from = from, command->bytes = bytes;
}

void handler::memset(void *to, int value, std::size_t bytes) {
  const unsigned char byte = static_cast<unsigned char>(value);
  fill_bytes(to, &byte, 1, bytes);
}

void handler::fill_bytes(void *to, const void *pattern, std::size_t pattern_bytes, std::size_t count) {
  command->take(detail::command::fill);
  const char *bytes = static_cast<const char *>(pattern);
  command->to = to, command->bytes = pattern_bytes * count;
  command->pattern.assign(bytes, bytes + pattern_bytes);
}

void handler::fill_before(const void *variable, const void *value, std::size_t bytes) {
  const char *from = static_cast<const char *>(value);
  command->fills.push_back({variable, nullptr, {from, from + bytes}});
}

void handler::fill_before(const detail::buffer_cell *variable, const void *value, std::size_t bytes) {
  const char *from = static_cast<const char *>(value);
  command->fills.push_back({nullptr, variable, {from, from + bytes}});
}

namespace detail {

const buffer_cell *require(handler &h, const std::shared_ptr<buffer_impl> &buffer, bool reads, bool writes) {
  h.command->buffers.push_back({buffer, reads, writes});
  return &h.command->buffers.back();
}

const local_cell *require_local(handler &h, std::size_t bytes) {
  h.command->locals.push_back({bytes});
  return &h.command->locals.back();
}

void command::take(decltype(kind) k) {
  if (kind != nothing)
    fail(errc::invalid, describe(at) + ": a command group has one command");
  kind = k;
}

// What this has to wait for that its queue does not keep in order. Of other contexts, and for the host, it is waited
// for here.
std::vector<cl_event> command::wait_list(bool for_host) const {
  std::vector<cl_event> list;
  const auto add = [&](const std::shared_ptr<event_impl> &event) {
    if (for_host || event->queue->context != queue.context)
      event->wait();
    else if (event->queue.get() != &queue)
      list.push_back(event->id);
  };
  for (const auto &event : after)
    add(event);
  for (const buffer_cell &cell : buffers) {
    for (const auto &event : cell.buffer->writers)
      add(event);
    for (const auto &event : cell.buffer->readers)
      if (cell.writes)
        add(event);
  }
  return list;
}

std::shared_ptr<event_impl> command::done(cl_event event, const std::string &what) {
  queue.note(event, what);
  clFlush(queue.id);
  return std::make_shared<event_impl>(event, queue.shared_from_this(), what);
}

// Pointers become addresses of the device, and numbers that are smaller there have to fit.
void command::check_words(const kernel_record &kernel) {
  for (std::size_t i = 0; i < words.size(); i++) {
    std::uint64_t &word = words[i];
    if (kinds[i] == leaf_kinds::pointer && word != 0) {
      const void *pointer = reinterpret_cast<const void *>(word);
      const place where = queue.context->find(pointer);
      if (!where.found || where.found->device != queue.device.get()) {
        fail(errc::kernel_argument, describe(at) + ": " + describe(kernel) +
                                        " captures a pointer that is not to memory of its device" +
                                        (where.found                         ? ", but to that of another"
                                         : queue.context->in_region(pointer) ? ": what it pointed to has been freed"
                                                                             : ", but to the host's"));
      }
      word &= 0xFFFFFFFF;
    } else if (kinds[i] == leaf_kinds::of_long && i < kernel.kinds.size() && kernel.kinds[i] == leaf_kinds::of_int &&
               word > 0xFFFFFFFF && word < 0xFFFFFFFF80000000) {
      fail(errc::kernel_argument, describe(at) + ": " + describe(kernel) + " captures the number " +
                                      std::to_string(word) + ", of a type that has 32 bits on the device");
    }
  }
}

// Where memory of the device is in a range that a command is to use; the range has to be inside.
static place find_inside(const command &command, const void *pointer, std::size_t bytes) {
  const place where = command.queue.context->find(pointer);
  if (!where.found && command.queue.context->in_region(pointer))
    fail(errc::invalid, describe(command.at) + ": no device memory is allocated there");
  if (where.found && bytes > where.found->bytes - where.offset) {
    fail(errc::invalid, describe(command.at) + ": " + std::to_string(bytes) + " bytes are more than the " +
                            std::to_string(where.found->bytes - where.offset) + " of device memory from there on");
  }
  return where;
}

// The queue is in order: what comes behind it finds the value.
void command::enqueue_early_fill(const early_fill &fill, const std::vector<cl_event> &waits) {
  const std::size_t size = fill.value.size();
  cl_mem memory;
  std::size_t offset = 0;
  if (fill.cell) {
    memory = fill.cell->buffer->bring_to(queue, true);
  } else {
    const place where = find_inside(*this, fill.variable, size);
    if (!where.found)
      fail(errc::kernel_argument, describe(at) + ": the variable of a reduction is not memory of the device");
    memory = where.found->memory, offset = where.offset;
  }
  check(clEnqueueFillBuffer(queue.id, memory, fill.value.data(), size, offset, size, static_cast<cl_uint>(waits.size()),
                            waits.empty() ? nullptr : waits.data(), nullptr),
        describe(at) + ": the variable of a reduction");
}

// [[sycl::reqd_work_group_size]]: the size of a work-group is this, or the kernel is not started. A kernel of a range
// gets it.
void command::check_work_group(const kernel_record &record, const std::string &where) {
  const unsigned dimensions = record.work_group_dimensions;
  if (dimensions == 0)
    return;
  bool is_right = dimensions == range.dimensions;
  for (unsigned i = 0; i < dimensions && is_right; i++) {
    if (!range.has_local)
      range.local[i] = record.work_group[i];
    is_right = range.local[i] == record.work_group[i];
  }
  range.has_local = true;
  if (!is_right) {
    std::string size;
    for (unsigned i = dimensions; i > 0; i--)
      size += (size.empty() ? "" : ", ") + std::to_string(record.work_group[i - 1]);
    fail(errc::nd_range, where + ": the kernel has [[sycl::reqd_work_group_size(" + size +
                             ")]] and was started with work-groups of another size");
  }
}

std::shared_ptr<event_impl> command::enqueue_kernel() {
  const kernel_record &record = find_kernel(name);
  cl_kernel kernel = queue.context->kernel_of(record, *queue.device);
  check_words(record);
  const std::string where = describe(at) + ": " + describe(record);
  cl_uint index = 0;
  for (const std::uint64_t &word : words)
    check(clSetKernelArg(kernel, index++, sizeof word, &word), where + ": captures", errc::kernel_argument);
  const auto is_mine = [](const auto &cells, const auto *cell) {
    for (const auto &mine : cells)
      if (&mine == cell)
        return true;
    return false;
  };
  for (const buffer_cell *cell : buffer_arguments) {
    if (!is_mine(buffers, cell))
      fail(errc::accessor, where + " uses an accessor of another command group");
    cl_mem memory = cell->buffer->bring_to(queue, cell->reads);
    check(clSetKernelArg(kernel, index++, sizeof memory, &memory), where + ": accessor", errc::kernel_argument);
  }
  for (const local_cell *cell : local_arguments) {
    if (!is_mine(locals, cell))
      fail(errc::accessor, where + " uses an accessor of another command group");
    check(clSetKernelArg(kernel, index++, cell->bytes != 0 ? cell->bytes : 1, nullptr), where + ": local_accessor",
          errc::kernel_argument);
  }
  check_work_group(record, where);
  for (unsigned i = 0; i < range.dimensions; i++)
    if (range.has_local && (range.local[i] == 0 || range.global[i] % range.local[i] != 0))
      fail(errc::nd_range, where + ": the global range is not a multiple of the local range");
  const std::vector<cl_event> waits = wait_list(false);
  for (const early_fill &fill : fills)
    enqueue_early_fill(fill, waits);
  cl_event event;
  check(clEnqueueNDRangeKernel(queue.id, kernel, range.dimensions, range.offset, range.global,
                               range.has_local ? range.local : nullptr, static_cast<cl_uint>(waits.size()),
                               waits.empty() ? nullptr : waits.data(), &event),
        where, errc::nd_range);
  return done(event, describe(record) + ", submitted at " + describe(at));
}

std::shared_ptr<event_impl> command::enqueue_copy() {
  const place target = find_inside(*this, to, bytes), source = find_inside(*this, from, bytes);
  const bool is_on_host = !target.found && !source.found;
  if (bytes != 0 && (!to || !from))
    fail(errc::invalid, describe(at) + ": memcpy of a null pointer");
  const std::vector<cl_event> waits = wait_list(is_on_host);
  const cl_uint count = static_cast<cl_uint>(waits.size());
  const cl_event *list = waits.empty() ? nullptr : waits.data();
  cl_event event;
  cl_int error;
  if (is_on_host || bytes == 0) {
    check(clFinish(queue.id), "clFinish");
    if (bytes != 0)
      std::memmove(to, from, bytes);
    error = clEnqueueMarkerWithWaitList(queue.id, 0, nullptr, &event);
  } else if (!source.found) {
    error =
        clEnqueueWriteBuffer(queue.id, target.found->memory, CL_FALSE, target.offset, bytes, from, count, list, &event);
  } else if (!target.found) {
    error =
        clEnqueueReadBuffer(queue.id, source.found->memory, CL_FALSE, source.offset, bytes, to, count, list, &event);
  } else {
    error = clEnqueueCopyBuffer(queue.id, source.found->memory, target.found->memory, source.offset, target.offset,
                                bytes, count, list, &event);
  }
  check(error, describe(at) + ": memcpy");
  return done(event, "memcpy, submitted at " + describe(at));
}

std::shared_ptr<event_impl> command::enqueue_fill() {
  const place target = find_inside(*this, to, bytes);
  const std::vector<cl_event> waits = wait_list(!target.found);
  const cl_uint count = static_cast<cl_uint>(waits.size());
  const cl_event *list = waits.empty() ? nullptr : waits.data();
  const std::size_t unit = pattern.size();
  cl_event event;
  cl_int error;
  if (target.found && bytes != 0 && unit <= 128 && (unit & (unit - 1)) == 0 && target.offset % unit == 0) {
    error = clEnqueueFillBuffer(queue.id, target.found->memory, pattern.data(), unit, target.offset, bytes, count, list,
                                &event);
  } else {
    std::vector<char> all(bytes);
    for (std::size_t i = 0; i < bytes; i++)
      all[i] = pattern[i % unit];
    if (target.found && bytes != 0) {
      error = clEnqueueWriteBuffer(queue.id, target.found->memory, CL_TRUE, target.offset, bytes, all.data(), count,
                                   list, &event);
    } else {
      check(clFinish(queue.id), "clFinish");
      std::memcpy(to, all.data(), bytes);
      error = clEnqueueMarkerWithWaitList(queue.id, 0, nullptr, &event);
    }
  }
  check(error, describe(at) + ": fill");
  return done(event, "fill, submitted at " + describe(at));
}

std::shared_ptr<event_impl> command::enqueue() {
  for (const buffer_cell &cell : buffers)
    if (cell.buffer->open_to_write != 0 || (cell.writes && cell.buffer->open_to_read != 0))
      fail(errc::accessor, describe(at) + ": a host_accessor holds a buffer that this command needs");
  std::shared_ptr<event_impl> event;
  switch (kind) {
    case kernel:
      event = enqueue_kernel();
      break;
    case copy:
      event = enqueue_copy();
      break;
    case fill:
      event = enqueue_fill();
      break;
    case nothing:
      return nullptr;
  }
  for (const buffer_cell &cell : buffers) {
    buffer_impl &buffer = *cell.buffer;
    if (cell.writes) {
      buffer.writers = {event};
      buffer.readers.clear();
      buffer.is_host_valid = false;
      for (buffer_impl::copy &copy : buffer.copies)
        copy.is_valid = copy.context == queue.context;
    } else {
      buffer.readers.push_back(event);
    }
  }
  return event;
}

}  // namespace detail
}  // namespace sycl
