// SPDX-License-Identifier: Apache-2.0
// Memory that host and device share: malloc_shared and malloc_host. It is in the device's memory and, at the same
// address, in the host's. Ahead of a command the bytes that the host has changed go to the device, and when the host
// has waited for a command those that the device has changed come back. What has changed is told by a third copy, of
// what both had last: so either may write while the other writes other bytes.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

namespace {

constexpr std::size_t block = 256;

struct run {
  std::size_t first, end;
};

// Where two memories differ, byte by byte; runs that are less than `gap` apart are one.
std::vector<run> differences(const char *a, const char *b, std::size_t bytes, std::size_t gap) {
  std::vector<run> runs;
  for (std::size_t at = 0; at < bytes; at += block) {
    const std::size_t end = bytes - at < block ? bytes : at + block;
    if (std::memcmp(a + at, b + at, end - at) == 0)
      continue;
    for (std::size_t i = at; i < end; i++) {
      if (a[i] == b[i])
        continue;
      if (!runs.empty() && i - runs.back().end < gap)
        runs.back().end = i + 1;
      else
        runs.push_back({i, i + 1});
    }
  }
  return runs;
}

}  // namespace

cl_command_queue context_impl::transfer_queue(device_impl &device) {
  cl_command_queue &queue = transfers[&device];
  if (!queue) {
    cl_int error;
    queue = clCreateCommandQueueWithProperties(id, device.id, nullptr, &error);
    check(error, "clCreateCommandQueueWithProperties");
  }
  return queue;
}

void context_impl::push_shared(queue_impl &queue) {
  for (auto &each : memory) {
    allocation &mine = each.second;
    if (!mine.on_host || mine.device != queue.device.get())
      continue;
    // While the device may have changed bytes that the host does not have yet, no other bytes are sent than those that
    // the host has changed.
    const std::size_t gap = in_flight.empty() ? page : 1;
    cl_event last = nullptr;
    for (const run &r : differences(mine.on_host, mine.agreed.data(), mine.bytes, gap)) {
      std::memcpy(mine.agreed.data() + r.first, mine.on_host + r.first, r.end - r.first);
      if (last)
        clReleaseEvent(last);
      check(clEnqueueWriteBuffer(queue.id, mine.memory, CL_FALSE, r.first, r.end - r.first,
                                 mine.agreed.data() + r.first, 0, nullptr, &last),
            "shared memory");
    }
    if (last) {  // what is sent must not change before it has gone
      clWaitForEvents(1, &last);
      clReleaseEvent(last);
    }
  }
}

void context_impl::note_in_flight(cl_event event) {
  for (const auto &each : memory) {
    if (each.second.on_host) {
      clRetainEvent(event);
      in_flight.push_back(event);
      return;
    }
  }
}

void context_impl::pull_shared() {
  // Those that have ended before the memory is read; of others it is read again later.
  const auto ended = std::partition(in_flight.begin(), in_flight.end(), [](cl_event event) {
    cl_int status = CL_COMPLETE;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status > CL_COMPLETE;
  });
  if (ended == in_flight.end())
    return;
  for (auto &each : memory) {
    allocation &shared = each.second;
    if (!shared.on_host)
      continue;
    std::vector<char> now(shared.bytes);
    check(clEnqueueReadBuffer(transfer_queue(*shared.device), shared.memory, CL_TRUE, 0, shared.bytes, now.data(), 0,
                              nullptr, nullptr),
          "shared memory");
    for (const run &r : differences(now.data(), shared.agreed.data(), shared.bytes, 1)) {
      std::memcpy(shared.on_host + r.first, now.data() + r.first, r.end - r.first);
      std::memcpy(shared.agreed.data() + r.first, now.data() + r.first, r.end - r.first);
    }
  }
  for (auto event = ended; event != in_flight.end(); ++event)
    clReleaseEvent(*event);
  in_flight.erase(ended, in_flight.end());
}

namespace {

// Memory of the device whose addresses, from a page's on, are free in the host. Attempts that were in vain are given
// back at the end, so that no address comes twice.
void *allocate(std::size_t bytes, device_impl &device, context_impl &context, usm::alloc kind) {
  constexpr int attempts = 64;
  std::vector<cl_mem> in_vain;
  void *result = nullptr;
  const std::size_t whole = (bytes + page - 1) / page * page;
  std::size_t index = 0;
  while (context.devices[index].get() != &device)
    index++;
  for (int i = 0; i < attempts && !result; i++) {
    cl_int error;
    const cl_mem_properties properties[] = {CL_MEM_ALIGNMENT_HEDDLE, page, 0};
    cl_mem memory = clCreateBufferWithProperties(context.id, properties, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    if (error != CL_SUCCESS)
      break;
    in_vain.push_back(memory);
    std::vector<cl_ulong> addresses(context.devices.size());
    check(clGetMemObjectInfo(memory, CL_MEM_DEVICE_ADDRESSES_HEDDLE, addresses.size() * sizeof(cl_ulong),
                             addresses.data(), nullptr),
          "CL_MEM_DEVICE_ADDRESSES_HEDDLE");
    const std::uintptr_t start = addresses[index];
    if (start == 0 || start + whole > (std::uintptr_t(1) << 32))
      continue;
    void *wanted = reinterpret_cast<void *>(start);
    void *mapped =
        mmap(wanted, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED)
      continue;
    if (mapped != wanted) {  // an old kernel took the address for a hint
      munmap(mapped, whole);
      continue;
    }
    in_vain.pop_back();
    result = mapped;
    allocation shared = {memory, bytes, &device, kind, static_cast<char *>(mapped), std::vector<char>(bytes)};
    const char zero = 0;  // as the host has it
    check(clEnqueueFillBuffer(context.transfer_queue(device), memory, &zero, 1, 0, bytes, 0, nullptr, nullptr),
          "shared memory");
    check(clFinish(context.transfer_queue(device)), "shared memory");
    context.memory[start] = std::move(shared);
  }
  for (cl_mem memory : in_vain)
    clReleaseMemObject(memory);
  return result;
}

}  // namespace

}  // namespace detail

void *aligned_alloc_shared(std::size_t alignment, std::size_t bytes, const device &d, const context &c,
                           const property_list &) {
  const detail::locked lock(detail::runtime_lock);
  bool is_there = false;
  for (const auto &each : c.impl->devices)
    is_there = is_there || each == d.impl;
  if (!is_there)
    detail::fail(errc::invalid, "malloc_shared: the device is not of the context");
  if (bytes == 0 || bytes > 0xFFFFFFFF || !detail::is_alignment(alignment))
    return nullptr;
  return detail::allocate(bytes, *d.impl, *c.impl, usm::alloc::shared);
}

void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &c, const property_list &) {
  const detail::locked lock(detail::runtime_lock);
  if (c.impl->devices.size() != 1) {
    detail::fail(errc::feature_not_supported,
                 "malloc_host in a context of several devices: each has its own addresses; "
                 "use a context of one");
  }
  if (bytes == 0 || bytes > 0xFFFFFFFF || !detail::is_alignment(alignment))
    return nullptr;
  return detail::allocate(bytes, *c.impl->devices[0], *c.impl, usm::alloc::host);
}

}  // namespace sycl
