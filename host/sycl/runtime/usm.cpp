// SPDX-License-Identifier: Apache-2.0
// Unified shared memory: device memory by pointers, and what all kinds have in common. To the host each device's memory
// is 4 GiB of addresses that nothing is at and no other use can have, aligned so that the lower half of a pointer is
// the address on the device.
#include <sys/mman.h>

#include <algorithm>

#include "host/sycl/runtime/impl.hpp"

namespace sycl {

namespace detail {

namespace {

constexpr std::size_t region_bytes = std::size_t(1) << 32;

// Those of all contexts.
std::vector<const char *> &all_regions() {
  static auto *const all = new std::vector<const char *>;
  return *all;
}

char *reserve_region() {
  void *mapped = mmap(nullptr, 2 * region_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    fail(errc::memory_allocation, "no addresses are left for device memory");
  char *first = static_cast<char *>(mapped);
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(first);
  const std::size_t before = (region_bytes - at % region_bytes) % region_bytes;
  if (before != 0)
    munmap(first, before);
  munmap(first + before + region_bytes, region_bytes - before);
  all_regions().push_back(first + before);
  return first + before;
}

void release(const allocation &memory) {
  clReleaseMemObject(memory.memory);
  if (memory.on_host)
    munmap(memory.on_host, (memory.bytes + 4095) / 4096 * 4096);
}

}  // namespace

context_impl::~context_impl() {
  for (const auto &kernel : kernels)
    clReleaseKernel(kernel.second);
  for (const auto &pipe : pipes)
    clReleaseMemObject(pipe.second);
  for (const auto &program : programs)
    clReleaseProgram(program.second);
  for (const auto &each : memory)
    release(each.second);
  for (cl_event event : in_flight)
    clReleaseEvent(event);
  for (const auto &transfer : transfers)
    clReleaseCommandQueue(transfer.second);
  const locked lock(runtime_lock);
  auto &all = all_regions();
  for (const auto &region : regions) {
    munmap(region.second, region_bytes);
    all.erase(std::find(all.begin(), all.end(), region.second));
  }
  clReleaseContext(id);
}

bool in_any_region(const void *pointer) {
  const char *at = static_cast<const char *>(pointer);
  const auto &all = all_regions();
  return std::any_of(all.begin(), all.end(),
                     [&](const char *first) { return at >= first && at < first + region_bytes; });
}

place context_impl::find(const void *pointer) const {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(pointer);
  auto next = memory.upper_bound(at);
  if (next == memory.begin())
    return {nullptr, 0, 0};
  const auto &[first, found] = *--next;
  const std::size_t offset = at - first;
  return offset <= found.bytes ? place{&found, offset, found.bytes - offset} : place{nullptr, 0, 0};
}

bool context_impl::in_region(const void *pointer) const {
  for (const auto &region : regions) {
    if (static_cast<const char *>(pointer) >= region.second &&
        static_cast<const char *>(pointer) < region.second + region_bytes) {
      return true;
    }
  }
  return false;
}

}  // namespace detail

void *aligned_alloc_device(std::size_t alignment, std::size_t bytes, const device &d, const context &c,
                           const property_list &) {
  const detail::locked lock(detail::runtime_lock);
  detail::context_impl &context = *c.impl;
  std::size_t index = context.devices.size();
  for (std::size_t i = 0; i < context.devices.size(); i++)
    index = context.devices[i] == d.impl ? i : index;
  if (index == context.devices.size())
    detail::fail(errc::invalid, "malloc_device: the device is not of the context");
  if (bytes == 0 || bytes > 0xFFFFFFFF || !detail::is_alignment(alignment))
    return nullptr;
  cl_int error;
  const cl_mem_properties properties[] = {CL_MEM_ALIGNMENT_HEDDLE, alignment > 64 ? alignment : 64, 0};
  cl_mem memory = clCreateBufferWithProperties(context.id, properties, CL_MEM_READ_WRITE, bytes, nullptr, &error);
  if (error != CL_SUCCESS)
    return nullptr;
  std::vector<cl_ulong> addresses(context.devices.size());
  error = clGetMemObjectInfo(memory, CL_MEM_DEVICE_ADDRESSES_HEDDLE, addresses.size() * sizeof(cl_ulong),
                             addresses.data(), nullptr);
  if (error != CL_SUCCESS || addresses[index] == 0) {
    clReleaseMemObject(memory);
    detail::check(error, "malloc_device");
    return nullptr;
  }
  char *&region = context.regions[d.impl.get()];
  if (!region)
    region = detail::reserve_region();
  char *pointer = region + addresses[index];
  context.memory[reinterpret_cast<std::uintptr_t>(pointer)] = {memory,  bytes, d.impl.get(), usm::alloc::device,
                                                               nullptr, {}};
  return pointer;
}

void free(void *pointer, const context &c) {
  const detail::locked lock(detail::runtime_lock);
  if (!pointer)
    return;
  const auto found = c.impl->memory.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (found == c.impl->memory.end())
    detail::fail(errc::invalid, "free: no memory of this context begins there");
  detail::release(found->second);
  c.impl->memory.erase(found);
}

usm::alloc get_pointer_type(const void *pointer, const context &c) {
  const detail::locked lock(detail::runtime_lock);
  const detail::place where = c.impl->find(pointer);
  return where.found ? where.found->kind : usm::alloc::unknown;
}

device get_pointer_device(const void *pointer, const context &c) {
  const detail::locked lock(detail::runtime_lock);
  const detail::place where = c.impl->find(pointer);
  for (const auto &d : c.impl->devices)
    if (where.found && where.found->device == d.get())
      return device(d);
  detail::fail(errc::invalid, "get_pointer_device: no device memory is there");
}

}  // namespace sycl
