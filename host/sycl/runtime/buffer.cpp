// SPDX-License-Identifier: Apache-2.0
// Buffers: one copy in host memory and one in each context that uses it. OpenCL moves it between devices of a context.
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

// Of all buffers that are there: what a kernel captured may be a cell of a command that is gone.
static std::unordered_set<const buffer_cell *> &all_placeholders() {
  static auto *const all = new std::unordered_set<const buffer_cell *>;
  return *all;
}

// Throws errc::memory_allocation where the host has no memory for it.
static void make_room(std::vector<char> &room, std::size_t bytes) {
  try {
    room.resize(bytes);
  } catch (const std::exception &) {  // std::bad_alloc or std::length_error
    fail(errc::memory_allocation, "a buffer of " + std::to_string(bytes) + " bytes: the host has no memory for it");
  }
}

std::shared_ptr<buffer_impl> make_buffer(std::size_t bytes, void *host, const void *contents,
                                         const property_list &properties) {
  auto buffer = std::make_shared<buffer_impl>();
  buffer->bytes = bytes;
  if (properties.has_property<property::buffer::use_mutex>())
    buffer->users_lock = properties.get_property<property::buffer::use_mutex>().get_mutex_ptr();
  if (host) {
    buffer->host = static_cast<char *>(host);
    buffer->is_users = true;
  } else {
    make_room(buffer->own, bytes);
    if (contents && bytes != 0)
      std::memcpy(buffer->own.data(), contents, bytes);
    buffer->host = buffer->own.data();
    buffer->is_unwritten = !contents && are_kernels_checked();
  }
  return buffer;
}

void keep(buffer_impl &buffer, std::shared_ptr<const void> what) {
  buffer.kept = std::move(what);
}

buffer_impl::~buffer_impl() {
  if (!placeholders.empty()) {
    const locked lock(runtime_lock);
    for (const buffer_cell &cell : placeholders)
      all_placeholders().erase(&cell);
  }
  if (written)
    clReleaseEvent(written);
  for (const copy &c : copies) {
    for (const auto &part : c.parts)
      clReleaseMemObject(part.second);
    clReleaseMemObject(c.memory);
  }
}

// What is submitted meanwhile is waited for, too.
void buffer_impl::wait() {
  std::vector<std::shared_ptr<event_impl>> all;
  do {
    for (const auto &event : all)
      event->wait();
    const locked lock(runtime_lock);
    std::vector<std::shared_ptr<event_impl>> now = writers;
    now.insert(now.end(), readers.begin(), readers.end());
    if (now == all)
      return;
    all = std::move(now);
  } while (true);
}

void buffer_impl::bring_to_host() {
  if (is_host_valid || bytes == 0)
    return;
  for (const copy &c : copies) {
    if (c.is_valid) {
      // The contents are on the device of the last writer.
      clWaitForEvents(1, &written);  // that it went wrong is for its queue to say
      move(written_in->transfer_queue(*written_by), c, true);
      is_host_valid = true;
      return;
    }
  }
}

void buffer_impl::move(cl_command_queue queue, const copy &c, bool is_to_host) {
  if (shape)
    move_image(queue, c.memory, *shape, c.is_array, host, is_to_host);
  else if (is_to_host)
    check(clEnqueueReadBuffer(queue, c.memory, CL_TRUE, 0, bytes, host, 0, nullptr, nullptr), "reading a buffer");
  else
    check(clEnqueueWriteBuffer(queue, c.memory, CL_TRUE, 0, bytes, host, 0, nullptr, nullptr), "writing a buffer");
}

void buffer_impl::note_write(queue_impl &queue, cl_event event, bool is_array) {
  clRetainEvent(event);
  if (written)
    clReleaseEvent(written);
  written = event;
  written_in = queue.context;
  written_by = queue.device.get();
  is_host_valid = is_unwritten = false;
  for (copy &c : copies)
    c.is_valid = c.context == queue.context && c.is_array == is_array;
}

void buffer_impl::take_for_host() {
  is_host_valid = true;
  is_unwritten = false;
  for (copy &c : copies)
    c.is_valid = false;
}

cl_mem buffer_impl::bring_to(queue_impl &queue, bool reads, std::size_t first, bool is_array) {
  copy *mine = nullptr;
  for (copy &c : copies)
    mine = c.context == queue.context && c.is_array == is_array ? &c : mine;
  if (!mine) {
    cl_int error = CL_SUCCESS;
    cl_mem memory = shape
                        ? make_native_image(queue.context->id, *shape, is_array)
                        : clCreateBuffer(queue.context->id, CL_MEM_READ_WRITE, bytes != 0 ? bytes : 1, nullptr, &error);
    check(error, "a buffer of " + std::to_string(bytes) + " bytes", errc::memory_allocation);
    copies.push_back({queue.context, memory, false, {}, is_array});
    mine = &copies.back();
  }
  if (!mine->is_valid) {
    if (reads && bytes != 0) {
      bring_to_host();
      if (!is_unwritten || shape)
        move(queue.id, *mine, false);
    }
    mine->is_valid = true;
  }
  if (first == 0 || first >= bytes)
    return mine->memory;
  cl_mem &part = mine->parts[first];
  if (!part) {
    const cl_buffer_region region = {first, bytes - first};
    cl_int error;
    part = clCreateSubBuffer(mine->memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE, &region, &error);
    check(error, "a part of a buffer", errc::memory_allocation);
  }
  return part;
}

void buffer_impl::bring_to_native() {
  copy &there = copies.front();
  if (there.is_valid || bytes == 0)
    return;
  bring_to_host();
  move(there.context->transfer_queue(*there.context->devices.front()), there, false);
  there.is_valid = true;
}

std::size_t size_of_memory(cl_mem native) {
  std::size_t bytes = 0;
  check(clGetMemObjectInfo(native, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "make_buffer", errc::invalid);
  return bytes;
}

void buffer_impl::be_of(cl_mem memory, const context &c, const event &available) {
  event(available).wait();
  const locked lock(runtime_lock);
  check(clRetainMemObject(memory), "clRetainMemObject");
  native = memory;
  copies.push_back({c.impl, memory, true, {}});
  is_unwritten = false;
  if (bytes != 0)
    move(c.impl->transfer_queue(*c.impl->devices.front()), copies.back(), true);
}

std::shared_ptr<buffer_impl> make_buffer(cl_mem native, const context &c, const event &available) {
  cl_context of = nullptr;
  check(clGetMemObjectInfo(native, CL_MEM_CONTEXT, sizeof of, &of, nullptr), "make_buffer", errc::invalid);
  if (of != c.impl->id)
    fail(errc::invalid, "make_buffer: the memory object is of another context");
  auto buffer = make_buffer(size_of_memory(native), nullptr, nullptr, {});
  buffer->be_of(native, c, available);
  return buffer;
}

void set_final_data(buffer_impl &buffer, std::function<void(const void *)> write) {
  const locked lock(runtime_lock);
  if (buffer.is_users) {  // the user's memory is left alone from here on
    buffer.own.assign(buffer.host, buffer.host + buffer.bytes);
    buffer.host = buffer.own.data();
    buffer.is_users = false;
  }
  buffer.final_data = std::move(write);
}

void set_write_back(buffer_impl &buffer, bool writes_back) {
  const locked lock(runtime_lock);
  buffer.writes_back = writes_back;
}

void release_buffer(std::shared_ptr<buffer_impl> &buffer) noexcept {
  try {
    buffer->wait();
    const locked lock(runtime_lock);
    std::unique_lock<std::mutex> users;
    if (buffer->users_lock)
      users = std::unique_lock<std::mutex>(*buffer->users_lock);
    if (buffer->writes_back && (buffer->is_users || buffer->final_data))
      buffer->bring_to_host();
    if (buffer->writes_back && buffer->final_data)
      buffer->final_data(buffer->host);
    if (buffer->native)
      buffer->bring_to_native();
  } catch (const std::exception &e) {
    // Nobody is there to catch it; that the kernel failed is told by its queue.
    std::fprintf(stderr, "sycl: a buffer is not written back: %s\n", e.what());
  }
  buffer.reset();
}

void *open_on_host(const std::shared_ptr<buffer_impl> &buffer, bool reads, bool writes) {
  buffer->wait();
  const locked lock(runtime_lock);
  if (reads || !writes)
    buffer->bring_to_host();
  if (writes) {
    buffer->take_for_host();
    buffer->writers.clear();
    buffer->readers.clear();
    buffer->open_to_write++;
  } else {
    buffer->open_to_read++;
  }
  return buffer->host;
}

void close_on_host(buffer_impl &buffer, bool writes) noexcept {
  const locked lock(runtime_lock);
  (writes ? buffer.open_to_write : buffer.open_to_read)--;
  changed.notify_all();
}

const buffer_cell *make_placeholder(const std::shared_ptr<buffer_impl> &buffer, bool reads, bool writes,
                                    std::size_t first) {
  const locked lock(runtime_lock);
  for (const buffer_cell &cell : buffer->placeholders)
    if (cell.reads == reads && cell.writes == writes && cell.first == first)
      return &cell;
  buffer->placeholders.push_back({buffer, nullptr, reads, writes, first});
  all_placeholders().insert(&buffer->placeholders.back());
  return &buffer->placeholders.back();
}

bool is_known_placeholder(const buffer_cell *cell) {
  const locked lock(runtime_lock);
  return all_placeholders().count(cell) != 0;
}

bool is_placeholder(const buffer_cell *cell) noexcept {
  return !cell || !cell->buffer;
}

void *place_on_host(const buffer_cell *cell) {
  if (!cell || !cell->place)
    fail(errc::accessor, "an accessor for host tasks is used outside of one, or without handler::require");
  return cell->place;
}

void fail_outside_buffer() {
  fail(errc::invalid, "an accessor or buffer of a part that is not inside of its buffer");
}

void fail_part(const char *what) {
  fail(errc::invalid, what);
}

void fail_no_init() {
  fail(errc::invalid, "property::no_init of an accessor that only reads");
}

void fail_no_identity() {
  fail(errc::invalid, "property::reduction::initialize_to_identity of a function whose identity is not known");
}

void fail_no_property() {
  fail(errc::invalid, "get_property: the object does not have the property");
}

}  // namespace sycl::detail

namespace sycl {

property::buffer::context_bound::context_bound(const sycl::context &bound)
    : bound_(std::make_shared<sycl::context>(bound)) {}

context property::buffer::context_bound::get_context() const {
  return *bound_;
}

}  // namespace sycl
