// SPDX-License-Identifier: Apache-2.0
// Command groups: what a handler collects, checked and handed to OpenCL.
#include <cstdlib>
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

void handler::run_on_host(std::function<void()> function) {
  command->take(detail::command::host);
  command->function = std::move(function);
}

void handler::update_on_host(const detail::buffer_cell *of) {
  for (detail::buffer_cell &cell : command->buffers)
    if (&cell == of || (of && cell.buffer == of->of.lock()))
      cell.reads = true, cell.writes = false;
  run_on_host([] {});
}

void handler::ext_oneapi_barrier() {
  command->take(detail::command::barrier);
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

const buffer_cell *require(handler &h, const std::shared_ptr<buffer_impl> &buffer, bool reads, bool writes,
                           std::size_t first) {
  h.command->buffers.push_back({{}, buffer, reads, writes, first});
  return &h.command->buffers.back();
}

// The command has a cell of its own, as the placeholder may be of several.
void require(handler &h, const buffer_cell *placeholder) {
  if (!placeholder)
    fail(errc::accessor, describe(h.command->at) + ": handler::require of an accessor of no buffer");
  if (placeholder->buffer)  // of this command group from the start
    return;
  const std::shared_ptr<buffer_impl> buffer = placeholder->of.lock();
  h.command->buffers.push_back({placeholder->of, buffer, placeholder->reads, placeholder->writes, placeholder->first});
  h.command->required.push_back(placeholder);
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
// for here. All of it is with OpenCL.
std::vector<cl_event> command::wait_list(bool for_host) const {
  std::vector<cl_event> list;
  for (const auto &event : after) {
    if (!event->id)
      continue;
    if (for_host || event->queue->context != queue.context)
      clWaitForEvents(1, &event->id);
    else if (event->queue.get() != &queue)
      list.push_back(event->id);
  }
  return list;
}

// Of buffers: who reads waits for who writes, who writes for all.
void command::find_dependencies() {
  for (const buffer_cell &cell : buffers) {
    after.insert(after.end(), cell.buffer->writers.begin(), cell.buffer->writers.end());
    if (cell.writes)
      after.insert(after.end(), cell.buffer->readers.begin(), cell.buffer->readers.end());
  }
}

void command::register_in_buffers() {
  for (const buffer_cell &cell : buffers) {
    buffer_impl &buffer = *cell.buffer;
    if (buffer.is_of_one_command)
      continue;
    if (cell.writes) {
      buffer.writers = {event};
      buffer.readers.clear();
    } else {
      buffer.readers.push_back(event);
    }
  }
}

bool command::is_ready() const {
  for (const auto &event : after)
    if (event->state == event_impl::deferred)
      return false;
  for (const buffer_cell &cell : buffers)
    if (cell.buffer->open_to_write != 0 || (cell.writes && cell.buffer->open_to_read != 0))
      return false;
  return true;
}

std::shared_ptr<event_impl> command::submit(const std::shared_ptr<command> &self) {
  const locked lock(runtime_lock);
  if (kind == nothing && buffers.empty() && after.empty())
    return nullptr;
  if (kind == nothing)
    kind = barrier;
  event = std::make_shared<event_impl>(queue_kept);
  find_dependencies();
  if (kind != host && queue.deferred.empty() && is_ready()) {
    enqueue();
    register_in_buffers();
  } else {
    register_in_buffers();
    queue.defer(self);
  }
  return event;
}

// The cell of an accessor that the kernel captured.
const buffer_cell &command::cell_of(const buffer_cell *argument, const std::string &where) const {
  for (const buffer_cell &cell : buffers)
    if (&cell == argument)
      return cell;
  // Those of placeholders come in the order in which they were required.
  std::size_t at = 0;
  for (const buffer_cell &cell : buffers)
    if (cell.of.lock() && required[at++] == argument)
      return cell;
  fail(errc::accessor, where +
                           " uses an accessor of another command group, or a placeholder that handler::require was "
                           "not told of");
}

// Whether kernels are checked. Then the upper half of a pointer, which kernels do not read, tells the OpenCL library
// that it is one, and of which memory.
static bool tells_pointers() {
  const char *checks = std::getenv("HEDDLE_CHECK");
  return checks && *checks && std::strcmp(checks, "0") != 0;
}

// Pointers become addresses of the device.
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
      if (!tells_pointers())
        word &= 0xFFFFFFFF;
    }
  }
}

// Where memory of the device is in a range that a command is to use; the range has to be inside.
static place find_inside(const command &command, const void *pointer, std::size_t bytes) {
  const place where = command.queue.context->find(pointer);
  if (!where.found && command.queue.context->in_region(pointer))
    fail(errc::invalid, describe(command.at) + ": no device memory is allocated there");
  if (where.found && bytes > where.left) {
    fail(errc::invalid, describe(command.at) + ": " + std::to_string(bytes) + " bytes are more than the " +
                            std::to_string(where.left) + " of device memory from there on");
  }
  return where;
}

// The queue is in order: what comes behind it finds the value.
void command::enqueue_early_fill(const early_fill &fill, const std::vector<cl_event> &waits) {
  const std::size_t size = fill.value.size();
  cl_mem memory;
  std::size_t offset = 0;
  if (fill.cell) {
    memory = fill.cell->buffer->bring_to(queue, true, 0);
    offset = fill.cell->first;
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

cl_event command::enqueue_kernel() {
  const kernel_record &record = find_kernel(name);
  cl_kernel kernel = queue.context->kernel_of(record, *queue.device);
  check_words(record);
  const std::string where = describe(at) + ": " + describe(record);
  cl_uint index = 0;
  for (const std::uint64_t &word : words)
    check(clSetKernelArg(kernel, index++, sizeof word, &word), where + ": captures", errc::kernel_argument);
  for (const buffer_cell *argument : buffer_arguments) {
    const buffer_cell &cell = cell_of(argument, where);
    cl_mem memory = cell.buffer->bring_to(queue, cell.reads, cell.first);
    check(clSetKernelArg(kernel, index++, sizeof memory, &memory), where + ": accessor", errc::kernel_argument);
  }
  for (const local_cell *cell : local_arguments) {
    bool is_mine = false;
    for (const local_cell &mine : locals)
      is_mine = is_mine || &mine == cell;
    if (!is_mine)
      fail(errc::accessor, where + " uses a local accessor of another command group");
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
  cl_event made;
  check(clEnqueueNDRangeKernel(queue.id, kernel, range.dimensions, range.offset, range.global,
                               range.has_local ? range.local : nullptr, static_cast<cl_uint>(waits.size()),
                               waits.empty() ? nullptr : waits.data(), &made),
        where, errc::nd_range);
  event->what = describe(record) + ", submitted at " + describe(at);
  return made;
}

cl_event command::enqueue_copy() {
  const place target = find_inside(*this, to, bytes), source = find_inside(*this, from, bytes);
  const bool is_on_host = !target.found && !source.found;
  if (bytes != 0 && (!to || !from))
    fail(errc::invalid, describe(at) + ": memcpy of a null pointer");
  const std::vector<cl_event> waits = wait_list(is_on_host);
  const cl_uint count = static_cast<cl_uint>(waits.size());
  const cl_event *list = waits.empty() ? nullptr : waits.data();
  cl_event made;
  cl_int error;
  if (is_on_host || bytes == 0) {
    check(clFinish(queue.id), "clFinish");
    if (bytes != 0)
      std::memmove(to, from, bytes);
    error = clEnqueueMarkerWithWaitList(queue.id, 0, nullptr, &made);
  } else if (!source.found) {
    error =
        clEnqueueWriteBuffer(queue.id, target.found->memory, CL_FALSE, target.offset, bytes, from, count, list, &made);
  } else if (!target.found) {
    error = clEnqueueReadBuffer(queue.id, source.found->memory, CL_FALSE, source.offset, bytes, to, count, list, &made);
  } else {
    error = clEnqueueCopyBuffer(queue.id, source.found->memory, target.found->memory, source.offset, target.offset,
                                bytes, count, list, &made);
  }
  check(error, describe(at) + ": memcpy");
  event->what = "memcpy, submitted at " + describe(at);
  return made;
}

cl_event command::enqueue_fill() {
  const place target = find_inside(*this, to, bytes);
  const std::vector<cl_event> waits = wait_list(!target.found);
  const cl_uint count = static_cast<cl_uint>(waits.size());
  const cl_event *list = waits.empty() ? nullptr : waits.data();
  const std::size_t unit = pattern.size();
  cl_event made;
  cl_int error;
  if (target.found && bytes != 0 && unit <= 128 && (unit & (unit - 1)) == 0 && target.offset % unit == 0) {
    error = clEnqueueFillBuffer(queue.id, target.found->memory, pattern.data(), unit, target.offset, bytes, count, list,
                                &made);
  } else {
    std::vector<char> all(bytes);
    for (std::size_t i = 0; i < bytes; i++)
      all[i] = pattern[i % unit];
    if (target.found && bytes != 0) {
      error = clEnqueueWriteBuffer(queue.id, target.found->memory, CL_TRUE, target.offset, bytes, all.data(), count,
                                   list, &made);
    } else {
      check(clFinish(queue.id), "clFinish");
      std::memcpy(to, all.data(), bytes);
      error = clEnqueueMarkerWithWaitList(queue.id, 0, nullptr, &made);
    }
  }
  check(error, describe(at) + ": fill");
  event->what = "fill, submitted at " + describe(at);
  return made;
}

// Waits for what it is told, and for what its queue has before it.
cl_event command::enqueue_barrier() {
  const std::vector<cl_event> waits = wait_list(false);
  cl_event made;
  check(clEnqueueBarrierWithWaitList(queue.id, static_cast<cl_uint>(waits.size()),
                                     waits.empty() ? nullptr : waits.data(), &made),
        describe(at) + ": barrier");
  event->what = "barrier, submitted at " + describe(at);
  return made;
}

void command::enqueue() {
  cl_event made = nullptr;
  queue.context->push_shared(queue);
  switch (kind) {
    case kernel:
      made = enqueue_kernel();
      break;
    case copy:
      made = enqueue_copy();
      break;
    case fill:
      made = enqueue_fill();
      break;
    case barrier:
      made = enqueue_barrier();
      break;
    case host:
    case nothing:
      return;
  }
  queue.context->note_in_flight(made);
  event->id = made;
  event->state = event_impl::enqueued;
  for (const buffer_cell &cell : buffers)
    if (cell.writes && kind == kernel)
      cell.buffer->note_write(queue, made);
  queue.note(made, event->what, std::move(behind));
  clFlush(queue.id);
}

void command::run_on_host(std::unique_lock<std::recursive_mutex> &lock) {
  lock.unlock();
  for (const auto &each : after)
    each->wait();
  check(clFinish(queue.id), "clFinish");
  lock.lock();
  queue.context->pull_shared();
  for (buffer_cell &cell : buffers) {
    if (cell.reads)
      cell.buffer->bring_to_host();
    if (cell.writes)
      cell.buffer->take_for_host();
    cell.place = cell.buffer->host + cell.first;
  }
  // What the task captured of placeholders looks there.
  std::size_t at_required = 0;
  for (const buffer_cell &cell : buffers)
    if (cell.of.lock())
      const_cast<buffer_cell *>(required[at_required++])->place = cell.place;
  lock.unlock();
  std::exception_ptr wrong;
  try {
    function();
  } catch (...) {
    wrong = std::current_exception();
  }
  lock.lock();
  for (const buffer_cell *placeholder : required)
    const_cast<buffer_cell *>(placeholder)->place = nullptr;
  if (wrong)
    std::rethrow_exception(wrong);
}

}  // namespace detail
}  // namespace sycl
