// SPDX-License-Identifier: Apache-2.0
// Memory that host and device share: malloc_shared and malloc_host. It is in the device's memory and, at the same
// address, in the host's. Ahead of a command the bytes that the host has changed go to the device, and when the host
// has waited for a command those that the device has changed come back. What has changed is told by a third copy, of
// what both had last: so either may write while the other writes other bytes.
#include <sys/mman.h>

#include <cstring>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

namespace {

constexpr std::size_t page = 4096, block = 256;

// Calls `each` with the first byte and the count of blocks in which two memories differ.
template <typename F>
void for_differences(const char *a, const char *b, std::size_t bytes, const F &each) {
  for (std::size_t at = 0; at < bytes; at += block) {
    const std::size_t count = bytes - at < block ? bytes - at : block;
    if (std::memcmp(a + at, b + at, count) != 0)
      each(at, count);
  }
}

// Of a block, the first and the last byte that differ.
std::pair<std::size_t, std::size_t> narrow(const char *a, const char *b, std::size_t count) {
  std::size_t first = 0, end = count;
  while (a[first] == b[first])
    first++;
  while (a[end - 1] == b[end - 1])
    end--;
  return {first, end};
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
    for_differences(mine.on_host, mine.agreed.data(), mine.bytes, [&](std::size_t at, std::size_t count) {
      const auto [from, end] = narrow(mine.on_host + at, mine.agreed.data() + at, count);
      std::memcpy(mine.agreed.data() + at + from, mine.on_host + at + from, end - from);
      // Behind what the queue has before it, and at once: the host may change it again.
      check(clEnqueueWriteBuffer(queue.id, mine.memory, CL_TRUE, mine.first + at + from, end - from,
                                 mine.agreed.data() + at + from, 0, nullptr, nullptr),
            "shared memory");
    });
  }
}

void context_impl::pull_shared() {
  if (!may_differ)
    return;
  may_differ = false;
  for (auto &each : memory) {
    allocation &shared = each.second;
    if (!shared.on_host)
      continue;
    std::vector<char> now(shared.bytes);
    check(clEnqueueReadBuffer(transfer_queue(*shared.device), shared.memory, CL_TRUE, shared.first, shared.bytes,
                              now.data(), 0, nullptr, nullptr),
          "shared memory");
    for_differences(now.data(), shared.agreed.data(), shared.bytes, [&](std::size_t at, std::size_t count) {
      for (std::size_t i = at; i < at + count; i++)
        if (now[i] != shared.agreed[i])
          shared.on_host[i] = shared.agreed[i] = now[i];
    });
  }
}

namespace {

// Memory of the device whose addresses are free in the host. Attempts that were in vain are given back at the end, so
// that no address comes twice.
void *allocate(std::size_t alignment, std::size_t bytes, device_impl &device, context_impl &context, usm::alloc kind) {
  constexpr int attempts = 64;
  std::vector<cl_mem> in_vain;
  void *result = nullptr;
  const std::size_t whole = (bytes + page - 1) / page * page;
  std::size_t index = 0;
  while (context.devices[index].get() != &device)
    index++;
  for (int i = 0; i < attempts && !result; i++) {
    cl_int error;
    cl_mem memory = clCreateBuffer(context.id, CL_MEM_READ_WRITE, whole + page, nullptr, &error);
    if (error != CL_SUCCESS)
      break;
    in_vain.push_back(memory);
    std::vector<cl_ulong> addresses(context.devices.size());
    check(clGetMemObjectInfo(memory, CL_MEM_DEVICE_ADDRESSES_HEDDLE, addresses.size() * sizeof(cl_ulong),
                             addresses.data(), nullptr),
          "CL_MEM_DEVICE_ADDRESSES_HEDDLE");
    const std::uintptr_t start = (addresses[index] + page - 1) / page * page;
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
    allocation shared = {
        memory, start - addresses[index], bytes, &device, kind, static_cast<char *>(mapped), std::vector<char>(bytes)};
    const char zero = 0;  // as the host has it
    check(
        clEnqueueFillBuffer(context.transfer_queue(device), memory, &zero, 1, shared.first, bytes, 0, nullptr, nullptr),
        "shared memory");
    check(clFinish(context.transfer_queue(device)), "shared memory");
    context.memory[start] = std::move(shared);
  }
  for (cl_mem memory : in_vain)
    clReleaseMemObject(memory);
  (void)alignment;  // a page's is more than any
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
  if (bytes == 0 || bytes > 0xFFFFFFFF || alignment > detail::page)
    return nullptr;
  return detail::allocate(alignment, bytes, *d.impl, *c.impl, usm::alloc::shared);
}

void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &c, const property_list &) {
  const detail::locked lock(detail::runtime_lock);
  if (c.impl->devices.size() != 1) {
    detail::fail(errc::feature_not_supported,
                 "malloc_host in a context of several devices: each has its own addresses; "
                 "use a context of one");
  }
  if (bytes == 0 || bytes > 0xFFFFFFFF || alignment > detail::page)
    return nullptr;
  return detail::allocate(alignment, bytes, *c.impl->devices[0], *c.impl, usm::alloc::host);
}

}  // namespace sycl
