// SPDX-License-Identifier: Apache-2.0
// Command groups: what a handler collects, checked and handed to OpenCL.
#include <algorithm>
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
  const bool has_work_groups = !launch.range.is_single_task && (launch.range.has_local || launch.range.counts_groups);
  if (launch.local_count != 0 && !has_work_groups)
    detail::fail(errc::kernel_argument, describe(command->at) + ": kernel '" + launch.name +
                                            "' has a local_accessor, but no work-groups: it needs an nd_range");
  command->name = launch.name;
  command->kinds = launch.kinds;
  command->words.assign(launch.words, launch.words + launch.word_count);
  for (unsigned i = 0; i < launch.buffer_count; i++)
    command->buffer_arguments.push_back(static_cast<const detail::buffer_cell *>(launch.buffers[i]));
  for (unsigned i = 0; i < launch.local_count; i++)
    command->local_arguments.push_back(static_cast<const detail::local_cell *>(launch.locals[i]));
  for (unsigned i = 0; i < launch.image_count; i++)
    command->image_arguments.push_back(static_cast<const detail::buffer_cell *>(launch.images[i]));
  command->range = launch.range;
}

void handler::launch(const std::shared_ptr<detail::kernel_impl> &kernel, const detail::launch_range &range) {
  if (kernel->record)
    detail::fail(errc::invalid, describe(command->at) + ": " + describe(*kernel->record) +
                                    " is not one of OpenCL's; it is started by its function");
  command->take(detail::command::kernel);
  command->native = kernel;
  command->range = range;
}

void handler::use_bundle(const std::shared_ptr<detail::kernel_bundle_impl> &bundle) {
  if (bundle->context != command->queue.context)
    detail::fail(errc::invalid, describe(command->at) + ": use_kernel_bundle: the bundle is of another context");
  if (!command->constants.words.empty())
    detail::fail(errc::invalid, describe(command->at) +
                                    ": use_kernel_bundle: the command has specialization constants of its own already");
  command->bundle = bundle;
}

void handler::set_bytes(int index, const void *value, std::size_t bytes, bool is_pointer) {
  const char *from = static_cast<const char *>(value);
  command->arguments[static_cast<unsigned>(index)] = {{from, from + bytes}, is_pointer, nullptr, nullptr};
}

void handler::set_cell(int index, const detail::buffer_cell *buffer, const detail::local_cell *local) {
  command->arguments[static_cast<unsigned>(index)] = {{}, false, buffer, local};
}

void handler::run_on_host(std::function<void()> function) {
  command->take(detail::command::host);
  command->function = std::move(function);
}

std::shared_ptr<detail::queue_impl> handler::command_queue() const {
  return command->queue_kept;
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
    for (cl_event id : event->ids())
      if (for_host || event->context != queue.context)
        clWaitForEvents(1, &id);
      else if (event->queue.get() != &queue)
        list.push_back(id);
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
  event->waited.assign(after.begin(), after.end());
  if (kind != host && queue.deferred.empty() && is_ready()) {
    if (has_pipes())
      queue.context->hold(self);
    else
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
  if (is_known_placeholder(argument))
    fail(errc::kernel_argument, where + " uses a placeholder that handler::require was not told of");
  fail(errc::accessor, where + " uses an accessor of another command group, or of a buffer that is gone");
}

bool are_kernels_checked() {
  const char *checks = std::getenv("HEDDLE_CHECK");
  return checks && *checks && std::strcmp(checks, "0") != 0;
}

std::uint64_t command::address_of(std::uint64_t word, const std::string &what) const {
  if (word == 0)
    return word;
  const void *pointer = reinterpret_cast<const void *>(word);
  const place where = queue.context->find(pointer);
  if (!where.found || where.found->device != queue.device.get()) {
    fail(errc::kernel_argument, what + " a pointer that is not to memory of its device" +
                                    (where.found                         ? ", but to that of another"
                                     : queue.context->in_region(pointer) ? ": what it pointed to has been freed"
                                                                         : ", but to the host's"));
  }
  // The upper half of a pointer, which kernels do not read, tells a library that checks kernels that it is one. That of
  // memory that the host shares is 0.
  constexpr std::uint64_t is_pointer = std::uint64_t(1) << 32;
  return are_kernels_checked() ? word | is_pointer : word & 0xFFFFFFFF;
}

// Where memory of the device is in a range that a command is to use; the range has to be inside.
static place find_inside(const command &command, const void *pointer, std::size_t bytes) {
  const place where = command.queue.context->find(pointer);
  if (!where.found && command.queue.context->in_region(pointer))
    fail(errc::invalid, describe(command.at) + ": no device memory is allocated there");
  if (!where.found && in_any_region(pointer))
    fail(errc::invalid, describe(command.at) + ": the memory is of another context than the queue");
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
// gets it. Whatever it is started with, a device that has no room for it does not have the kernel.
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
    std::size_t left = device(queue.device).get_info<info::device::max_work_group_size>();
    for (unsigned i = 0; i < dimensions; i++)
      left /= record.work_group[i];
    for (unsigned i = dimensions; i > 0; i--)
      size += (size.empty() ? "" : ", ") + std::to_string(record.work_group[i - 1]);
    fail(left == 0 ? errc::kernel_not_supported : errc::nd_range,
         where + ": the kernel has [[sycl::reqd_work_group_size(" + size +
             (left == 0 ? ")]], for which the device has no room"
                        : ")]] and was started with work-groups of another size"));
  }
}

// A hierarchical kernel of a number of work-groups: each has a few sub-groups, along the fastest dimension, unless the
// kernel asks for a size.
void command::choose_work_group(cl_kernel kernel) {
  constexpr std::size_t sub_groups = 4;
  if (!range.counts_groups)
    return;
  if (!range.has_local) {
    std::size_t most = 0, multiple = 0;
    check(clGetKernelWorkGroupInfo(kernel, queue.device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
          "clGetKernelWorkGroupInfo");
    check(clGetKernelWorkGroupInfo(kernel, queue.device->id, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                   sizeof multiple, &multiple, nullptr),
          "clGetKernelWorkGroupInfo");
    range.local[0] = std::max<std::size_t>(std::min(sub_groups * multiple, most), 1);
    range.local[1] = range.local[2] = 1;
    range.has_local = true;
  }
  for (unsigned i = 0; i < range.dimensions; i++)
    range.global[i] *= range.local[i];
}

void command::set_captures(cl_kernel kernel, const std::string &where) {
  cl_uint index = 0;
  for (std::size_t i = 0; i < words.size(); i++) {
    std::uint64_t &word = words[i];
    if (kinds[i] == leaf_kinds::pointer)
      word = address_of(word, where + " captures");
    check(clSetKernelArg(kernel, index++, sizeof word, &word), where + ": captures", errc::kernel_argument);
  }
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
  for (const buffer_cell *argument : image_arguments) {
    const buffer_cell &cell = cell_of(argument, where);
    cl_mem memory = cell.buffer->bring_to(queue, cell.reads, 0, cell.is_array);
    check(clSetKernelArg(kernel, index++, sizeof memory, &memory), where + ": accessor of an image",
          errc::kernel_argument);
  }
  for (const pipe_end &end : record()->pipes) {
    cl_mem pipe = queue.context->pipe_of(end);
    check(clSetKernelArg(kernel, index++, sizeof pipe, &pipe), where + ": pipe", errc::kernel_argument);
  }
}

// Unified shared memory from a pointer on, as OpenCL's kernels take it. Whoever gets it owns it.
static cl_mem memory_at(const place &where) {
  if (where.offset == 0) {
    check(clRetainMemObject(where.found->memory), "clRetainMemObject");
    return where.found->memory;
  }
  const cl_buffer_region region = {where.offset, where.left};
  cl_int error;
  cl_mem part = clCreateSubBuffer(where.found->memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE,
                                  &region, &error);
  check(error, "a part of memory", errc::memory_allocation);
  return part;
}

// handler::set_arg, of one of OpenCL's kernels.
void command::set_arguments(cl_kernel kernel, const std::string &where) {
  for (const auto &[index, argument] : arguments) {
    const std::string what = where + ": argument " + std::to_string(index);
    cl_mem memory = nullptr;
    cl_int error;
    if (argument.buffer) {
      const buffer_cell &cell = cell_of(argument.buffer, where);
      memory = cell.buffer->bring_to(queue, cell.reads, cell.first);
      error = clSetKernelArg(kernel, index, sizeof memory, &memory);
    } else if (argument.local) {
      error = clSetKernelArg(kernel, index, argument.local->bytes, nullptr);
    } else if (argument.is_pointer) {
      std::uint64_t word;
      std::memcpy(&word, argument.value.data(), sizeof word);
      address_of(word, what + " is");
      if (word != 0)
        memory = memory_at(queue.context->find(reinterpret_cast<const void *>(word)));
      error = clSetKernelArg(kernel, index, sizeof memory, &memory);
      if (memory)
        of_arguments.push_back(memory);
    } else {
      error = clSetKernelArg(kernel, index, argument.value.size(), argument.value.data());
    }
    check(error, what, errc::kernel_argument);
  }
}

// How a simulated device has room for a work-group: with more slots of as many lanes, of which there are powers of two.
std::string more_room(const std::shared_ptr<device_impl> &of, std::size_t size) {
  constexpr std::size_t most_slots = 128;
  const std::size_t lanes = device(of).get_info<info::device::primary_sub_group_size>();
  std::size_t slots = 1;
  while (slots * lanes < size)
    slots *= 2;
  return device(of).has(aspect::emulated) && slots <= most_slots
             ? " (with HEDDLE_SIM_SLOTS=" + std::to_string(slots) + " it has more)"
             : "";
}

// Of a work-group that is larger than the device has it for the kernel, which may demand it.
void command::fail_too_large(cl_kernel kernel, bool is_demanded, const std::string &where) const {
  std::size_t most = 0;
  const std::size_t size = range.local[0] * range.local[1] * range.local[2];
  check(clGetKernelWorkGroupInfo(kernel, queue.device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr),
        "clGetKernelWorkGroupInfo");
  if (size > most)
    fail(is_demanded ? errc::kernel_not_supported : errc::nd_range,
         where + ": a work-group of " + std::to_string(size) + " work-items; the device has room for " +
             std::to_string(most) + more_room(queue.device, size));
}

// Of more local memory than the device has.
void command::fail_no_local_memory(cl_kernel kernel, const std::string &where) const {
  cl_ulong needed = 0, there = 0;
  check(clGetKernelWorkGroupInfo(kernel, queue.device->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof needed, &needed, nullptr),
        "clGetKernelWorkGroupInfo");
  check(clGetDeviceInfo(queue.device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof there, &there, nullptr), "clGetDeviceInfo");
  if (needed > there)
    fail(errc::memory_allocation, where + ": " + std::to_string(needed) + " bytes of local memory; a work-group has " +
                                      std::to_string(there) + " on this device");
}

const kernel_record *command::record() const {
  if (!native && !found)
    found = &find_kernel(name);
  return native ? native->record : found;
}

cl_event command::enqueue_kernel() {
  const kernel_record *const record = this->record();
  cl_kernel kernel = native ? native->on(*queue.device) : queue.context->kernel_of(*record, *queue.device);
  const std::string what = record ? describe(*record) : "kernel '" + name_of(kernel) + "'",
                    where = describe(at) + ": " + what;
  if (bundle && std::count(bundle->kernels.begin(), bundle->kernels.end(), record) == 0)
    fail(errc::kernel_not_supported, where + " is not one of the bundle that the command group uses");
  if (native)
    set_arguments(kernel, where);
  else
    set_captures(kernel, where);
  if (record)
    check_work_group(*record, where);
  choose_work_group(kernel);
  for (unsigned i = 0; i < range.dimensions; i++)
    if (range.has_local && (range.local[i] == 0 || range.global[i] % range.local[i] != 0))
      fail(errc::nd_range, where + ": the global range is not a multiple of the local range");
  const std::vector<cl_event> waits = wait_list(false);
  for (const early_fill &fill : fills)
    enqueue_early_fill(fill, waits);
  cl_event made;
  const cl_int error = clEnqueueNDRangeKernel(
      queue.id, kernel, range.dimensions, range.offset, range.global, range.has_local ? range.local : nullptr,
      static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &made);
  for (cl_mem memory : of_arguments)
    clReleaseMemObject(memory);
  of_arguments.clear();
  if (error == CL_INVALID_WORK_GROUP_SIZE && range.has_local)
    fail_too_large(kernel, record && record->work_group_dimensions != 0, where);
  if (error == CL_INVALID_GLOBAL_WORK_SIZE || error == CL_INVALID_GLOBAL_OFFSET)
    fail(errc::nd_range, where + ": ids of its range do not fit 32 bits, which the device counts with");
  if (error == CL_OUT_OF_RESOURCES)
    fail_no_local_memory(kernel, where);
  check(error, where, error == CL_INVALID_KERNEL_ARGS ? errc::kernel_argument : errc::nd_range);
  event->what = what + ", submitted at " + describe(at);
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
  if (bytes != 0 && !to)
    fail(errc::invalid, describe(at) + ": fill of a null pointer");
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
  if (waits_for_held())
    queue.context->let_go();
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
      cell.buffer->note_write(queue, made, cell.is_array);
  queue.note(made, event->what, std::move(behind));
  if (!has_pipes())  // kernels with pipes go together
    clFlush(queue.id);
}

cl_mem native_memory(const queue &q, const buffer_cell *accessor) {
  const locked lock(runtime_lock);
  if (!accessor || !accessor->place)
    fail(errc::invalid, "get_native_mem: the accessor is not one of this host task");
  const std::shared_ptr<buffer_impl> buffer = accessor->buffer ? accessor->buffer : accessor->of.lock();
  cl_mem memory = buffer->bring_to(*q.impl, true, accessor->first, accessor->is_array);
  if (accessor->writes)
    buffer->written_natively = true;
  return memory;
}

void command::run_on_host(std::unique_lock<std::recursive_mutex> &lock) {
  if (waits_for_held())
    queue.context->let_go();
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
  for (buffer_cell &cell : buffers) {
    if (cell.buffer->written_natively) {  // by the task's own commands of OpenCL
      cl_event end;
      check(clEnqueueMarkerWithWaitList(queue.id, 0, nullptr, &end), "clEnqueueMarkerWithWaitList");
      cell.buffer->note_write(queue, end, cell.is_array);
      clReleaseEvent(end);
      cell.buffer->written_natively = false;
    }
  }
  for (const buffer_cell *placeholder : required)
    const_cast<buffer_cell *>(placeholder)->place = nullptr;
  if (wrong)
    std::rethrow_exception(wrong);
}

}  // namespace detail
}  // namespace sycl
