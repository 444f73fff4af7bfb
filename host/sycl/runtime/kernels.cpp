// SPDX-License-Identifier: Apache-2.0
// The kernels of the program: what heddle-sycl++ linked into it, found by the names that the host pass makes.
#include <cstdio>
#include <cstring>

#include "host/sycl/runtime/impl.hpp"
#include "host/sycl/runtime/register.h"

namespace sycl::detail {

namespace {

struct catalogue {
  std::deque<image> images;
  std::deque<kernel_record> kernels;
};

// Programs are registered before main, by constructors in any order.
catalogue &all() {
  static auto *const the = new catalogue;
  return *the;
}

// The hashes at the end of a name: _0123456789abcdef_89abcdef.
constexpr std::size_t hash_letters_at_end = 1 + 16 + 1 + 8;

struct name_parts {
  std::string readable, captures;
  std::uint64_t hash;
};

name_parts read_name(const std::string &name) {
  const std::size_t at = name.size() - hash_letters_at_end;
  return {name.substr(0, at), name.substr(at + 18, 8), std::stoull(name.substr(at + 1, 16), nullptr, 16)};
}

// A line of the list: hls/sycl/program.h has its words.
void add_line(const std::string &line, const std::vector<const image *> &images) {
  std::size_t at = 0;
  const auto word = [&] {
    const std::size_t end = line.find(' ', at);
    const std::string text = line.substr(at, end - at);
    at = end + 1;
    return text;
  };
  kernel_record record;
  const std::string file = word();
  record.file = file == "-" ? nullptr : images.at(std::stoul(file));
  record.name = word();
  record.size = word();
  record.size_is_standard = word() == "sycl";
  record.aspects = std::stoull(word(), nullptr, 16);
  const std::string work_group = word();
  std::sscanf(work_group.c_str(), "%u,%zu,%zu,%zu", &record.work_group_dimensions, &record.work_group[0],
              &record.work_group[1], &record.work_group[2]);
  const std::string pipes = word();
  for (std::size_t begin = 0, end; (end = pipes.find(',', begin)) != std::string::npos; begin = end + 1) {
    const std::string pipe = pipes.substr(begin, end - begin);
    const std::size_t bytes = pipe.find(':') + 1, capacity = pipe.find(':', bytes) + 1,
                      name = pipe.find(':', capacity) + 1;
    record.pipes.push_back({pipe[0] == 'r', static_cast<cl_uint>(std::stoul(pipe.substr(bytes))),
                            static_cast<cl_uint>(std::stoul(pipe.substr(capacity))), pipe.substr(name)});
  }
  record.place = line.substr(at);
  const name_parts parts = read_name(record.name);
  record.readable = parts.readable, record.captures = parts.captures, record.hash = parts.hash;
  all().kernels.push_back(record);
}

}  // namespace

std::string describe(const kernel_record &kernel) {
  return "kernel '" + kernel.readable + "' (" + kernel.place + ")";
}

const kernel_record &find_kernel(const std::string &name) {
  const name_parts wanted = read_name(name);
  const kernel_record *found = find_kernel(wanted.hash);
  if (!found) {
    fail(errc::kernel_not_supported,
         "kernel '" + wanted.readable + "' has no device code in this program; was it linked by heddle-sycl++?");
  }
  if (found->captures != wanted.captures)
    fail(errc::kernel_argument, describe(*found) + " captures other types on the device than on the host");
  return *found;
}

const kernel_record *find_kernel(std::uint64_t hash) {
  const locked lock(runtime_lock);
  for (const kernel_record &kernel : all().kernels)
    if (kernel.hash == hash)
      return &kernel;
  return nullptr;
}

std::vector<const kernel_record *> all_kernels() {
  const locked lock(runtime_lock);
  std::vector<const kernel_record *> result;
  for (const kernel_record &kernel : all().kernels)
    result.push_back(&kernel);
  return result;
}

std::optional<aspect> missing_aspect(const kernel_record &kernel, const device &d) {
  for (unsigned i = 0; i < 64; i++)
    if ((kernel.aspects >> i & 1) != 0 && !d.has(static_cast<aspect>(i)))
      return static_cast<aspect>(i);
  return std::nullopt;
}

// As the source has it.
static std::string name_of(aspect a) {
  static const char *const names[] = {"cpu",
                                      "gpu",
                                      "accelerator",
                                      "custom",
                                      "emulated",
                                      "host_debuggable",
                                      "fp16",
                                      "fp64",
                                      "atomic64",
                                      "image",
                                      "online_compiler",
                                      "online_linker",
                                      "queue_profiling",
                                      "usm_device_allocations",
                                      "usm_host_allocations",
                                      "usm_atomic_host_allocations",
                                      "usm_shared_allocations",
                                      "usm_atomic_shared_allocations",
                                      "usm_system_allocations"};
  const auto number = static_cast<std::size_t>(a);
  return number < std::size(names) ? names[number] : std::to_string(number);
}

// Throws what the kernel demands and the device does not have.
static void check_demands(const kernel_record &kernel, const device &d) {
  if (kernel.size[0] >= '0' && kernel.size[0] <= '9') {
    const std::size_t size = std::stoul(kernel.size);
    std::string sizes;
    bool has = false;
    for (std::size_t s : d.get_info<info::device::sub_group_sizes>()) {
      has = has || s == size;
      sizes += " " + std::to_string(s);
    }
    if (!has)
      fail(kernel.size_is_standard ? errc::kernel_not_supported : errc::feature_not_supported,
           describe(kernel) + " demands sub-groups of " + kernel.size + ", which the device does not have; it has" +
               sizes);
  }
  if (const auto missing = missing_aspect(kernel, d))
    fail(errc::kernel_not_supported,
         describe(kernel) + " demands aspect::" + name_of(*missing) + ", which the device does not have");
}

cl_kernel context_impl::kernel_of(const kernel_record &kernel, device_impl &d) {
  const locked lock(runtime_lock);
  const auto known = kernels.find({&kernel, &d});
  if (known != kernels.end())
    return known->second;
  for (const auto &mine : devices)
    if (mine.get() == &d)
      check_demands(kernel, device(mine));
  cl_program &program = programs[{kernel.file, &d}];
  cl_int error;
  if (!program) {
    const std::size_t length = static_cast<std::size_t>(kernel.file->end - kernel.file->begin);
    const unsigned char *bytes = kernel.file->begin;
    cl_int status;
    cl_program made = clCreateProgramWithBinary(id, 1, &d.id, &length, &bytes, &status, &error);
    check(error, "the device does not take the program's kernels", errc::build);
    error = clBuildProgram(made, 1, &d.id, "", nullptr, nullptr);
    if (error != CL_SUCCESS) {
      clReleaseProgram(made);
      check(error, "the device does not take the program's kernels", errc::build);
    }
    program = made;
  }
  cl_kernel made = clCreateKernel(program, kernel.name.c_str(), &error);
  check(error, describe(kernel), errc::kernel_not_supported);
  kernels[{&kernel, &d}] = made;
  return made;
}

}  // namespace sycl::detail

extern "C" void heddle_sycl_register(const unsigned char *const *images, unsigned count, const char *list) {
  using namespace sycl::detail;
  std::vector<const image *> mine;
  for (unsigned i = 0; i < count; i++) {
    all().images.push_back({images[2 * i], images[2 * i + 1]});
    mine.push_back(&all().images.back());
  }
  for (const char *line = list; *line != 0;) {
    const char *end = std::strchr(line, '\n');
    add_line(std::string(line, end), mine);
    line = end + 1;
  }
}
