// SPDX-License-Identifier: Apache-2.0
// Buffers: one copy in host memory and one in each context that uses it. OpenCL moves it between devices of a context.
#include <cstdio>

#include "host/sycl/runtime/impl.hpp"

namespace sycl::detail {

std::shared_ptr<buffer_impl> make_buffer(std::size_t bytes, void *host, const void *contents) {
  auto buffer = std::make_shared<buffer_impl>();
  buffer->bytes = bytes;
  if (host) {
    buffer->host = static_cast<char *>(host);
    buffer->is_users = true;
  } else {
    buffer->own.resize(bytes);
    buffer->host = buffer->own.data();
    if (contents) {
      const char *from = static_cast<const char *>(contents);
      buffer->own.assign(from, from + bytes);
      buffer->host = buffer->own.data();
    }
  }
  return buffer;
}

buffer_impl::~buffer_impl() {
  for (const copy &c : copies)
    clReleaseMemObject(c.memory);
}

void buffer_impl::wait() const {
  for (const auto &event : writers)
    event->wait();
  for (const auto &event : readers)
    event->wait();
}

void buffer_impl::bring_to_host() {
  if (is_host_valid || bytes == 0)
    return;
  wait();
  for (const copy &c : copies) {
    if (c.is_valid) {
      // The queue of the last writer: the contents are on its device.
      cl_command_queue queue = writers.at(0)->queue->id;
      check(clEnqueueReadBuffer(queue, c.memory, CL_TRUE, 0, bytes, host, 0, nullptr, nullptr), "reading a buffer");
      is_host_valid = true;
      return;
    }
  }
}

cl_mem buffer_impl::bring_to(queue_impl &queue, bool reads) {
  copy *mine = nullptr;
  for (copy &c : copies)
    mine = c.context == queue.context ? &c : mine;
  if (!mine) {
    cl_int error;
    cl_mem memory = clCreateBuffer(queue.context->id, CL_MEM_READ_WRITE, bytes != 0 ? bytes : 1, nullptr, &error);
    check(error, "a buffer of " + std::to_string(bytes) + " bytes", errc::memory_allocation);
    copies.push_back({queue.context, memory, false});
    mine = &copies.back();
  }
  if (!mine->is_valid) {
    if (reads && bytes != 0) {
      bring_to_host();
      check(clEnqueueWriteBuffer(queue.id, mine->memory, CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
            "writing a buffer");
    }
    mine->is_valid = true;
  }
  return mine->memory;
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

void release_buffer(std::shared_ptr<buffer_impl> &buffer) noexcept {
  const locked lock(runtime_lock);
  try {
    buffer->wait();
    if (buffer->is_users || buffer->final_data)
      buffer->bring_to_host();
    if (buffer->final_data)
      buffer->final_data(buffer->host);
  } catch (const std::exception &e) {
    // Nobody is there to catch it; that the kernel failed is told by its queue.
    std::fprintf(stderr, "sycl: a buffer is not written back: %s\n", e.what());
  }
  buffer.reset();
}

void *open_on_host(buffer_impl &buffer, bool reads, bool writes) {
  const locked lock(runtime_lock);
  buffer.wait();
  if (reads || !writes)
    buffer.bring_to_host();
  if (writes) {
    buffer.is_host_valid = true;
    for (buffer_impl::copy &copy : buffer.copies)
      copy.is_valid = false;
    buffer.writers.clear();
    buffer.readers.clear();
    buffer.open_to_write++;
  } else {
    buffer.open_to_read++;
  }
  return buffer.host;
}

void close_on_host(buffer_impl &buffer, bool writes) noexcept {
  const locked lock(runtime_lock);
  (writes ? buffer.open_to_write : buffer.open_to_read)--;
}

}  // namespace sycl::detail
