// SPDX-License-Identifier: Apache-2.0
// What is around kernels: buffers and accessors, device memory, device selection, events, queues, exceptions.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <list>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "tests/sycl/suite.hpp"

namespace {

// What `action` throws has the code, and the words.
template <typename F>
void expect_exception(sycl::errc code, const char *words, const F &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    check(e.code() == code, "code %d of \"%s\", expected %d", e.code().value(), e.what(), static_cast<int>(code));
    check(std::strstr(e.what(), words), "\"%s\" has no \"%s\"", e.what(), words);
    return;
  }
  check(false, "nothing was thrown, expected \"%s\"", words);
}

// Doubles what a buffer has.
template <typename Buffer>
sycl::event twice(sycl::queue &queue, Buffer &buffer) {
  return queue.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h, sycl::read_write);
    h.parallel_for<class Twice>(buffer.get_range(), [=](sycl::id<1> i) { all[i] *= 2; });
  });
}

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; i++)
    all[static_cast<std::size_t>(i)] = i + 1;
  return all;
}

}  // namespace

PROMISE(runtime, buffers_go_where_their_final_data_is) {
  constexpr int count = 10;
  sycl::queue queue;
  std::vector<int> own = numbers(count), other(count, -1);
  std::list<int> listed;
  {
    sycl::buffer<int> written_back(own.data(), sycl::range<1>(count));
    twice(queue, written_back);
  }
  check(own[9] == 20, "without more, they are written back: %d", own[9]);
  {
    sycl::buffer<int> buffer(own);
    buffer.set_final_data(other.data());
    twice(queue, buffer);
  }
  check(own[9] == 20 && other[9] == 40 && other[0] == 4, "to a pointer: %d, %d", own[9], other[9]);
  {
    sycl::buffer<int> buffer(own);
    buffer.set_final_data(std::back_inserter(listed));
    twice(queue, buffer);
  }
  check(own[9] == 20 && listed.size() == count && listed.back() == 40, "to an iterator: %zu elements", listed.size());
  {
    sycl::buffer<int> buffer(own), quiet(other);
    buffer.set_final_data(nullptr);
    quiet.set_write_back(false);
    twice(queue, buffer);
    twice(queue, quiet);
  }
  check(own[9] == 20 && other[9] == 40, "to nowhere: %d, %d", own[9], other[9]);
  {
    const std::vector<int> constant = own;
    sycl::buffer<int> from_constant(constant.data(), sycl::range<1>(count));
    sycl::buffer<int> from_iterators(constant.begin(), constant.end());
    sycl::buffer<int> from_nothing{sycl::range<1>(count)};
    twice(queue, from_constant);
    from_iterators.set_final_data(other.begin());
    twice(queue, from_iterators);
    queue.submit([&](sycl::handler &h) {
      sycl::accessor from(from_iterators, h, sycl::read_only), also(from_constant, h, sycl::read_only);
      sycl::accessor to(from_nothing, h, sycl::write_only, sycl::no_init);
      h.parallel_for<class Sum>(count, [=](sycl::id<1> i) { to[i] = from[i] + also[i]; });
    });
    const sycl::host_accessor sums(from_nothing, sycl::read_only);
    check(sums[9] == 80 && constant[9] == 20, "of constant data: %d", sums[9]);
  }
  check(other[9] == 40 && other[0] == 4, "of iterators: %d", other[9]);
}

PROMISE(runtime, host_accessors_wait_for_kernels_and_kernels_find_what_they_wrote) {
  sycl::queue queue, second(queue.get_context(), queue.get_device());
  sycl::buffer<int> buffer(sycl::range<1>(64));
  for (int round = 1; round <= 3; round++) {
    {
      sycl::host_accessor all(buffer, sycl::write_only);
      std::fill(all.begin(), all.end(), round);
      check(all.size() == 64 && all.byte_size() == 256, "a size of %zu", all.size());
    }
    const sycl::event done = (round == 2 ? second : queue).submit([&](sycl::handler &h) {
      auto all = buffer.get_access<sycl::access_mode::read_write>(h);
      h.parallel_for<class Slow>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
        for (int i = 0; i < 200; i++)
          all[item.get_global_id(0)] += 1;
      });
    });
    const sycl::host_accessor seen = buffer.get_host_access(sycl::read_only);
    check(done.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete,
          "the kernel has not ended");
    check(std::count(seen.begin(), seen.end(), round + 200) == 64, "round %d: %d", round, seen[63]);
  }
}

// Between devices of one context and between contexts, whoever wrote last.
PROMISE(runtime, buffers_follow_kernels_from_device_to_device) {
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  std::vector<int> all = numbers(32);
  for (const bool is_shared : {true, false}) {
    const sycl::context shared(devices);
    sycl::buffer<int> buffer(all);
    for (int round = 0; round < 2; round++) {
      for (const sycl::device &device : devices) {
        sycl::queue queue(is_shared ? shared : sycl::context(device), device);
        twice(queue, buffer);
      }
    }
    buffer.set_final_data(nullptr);
    const sycl::host_accessor got(buffer, sycl::read_only);
    const int factor = 1 << (2 * devices.size());
    for (int i = 0; i < 32; i++) {
      check(got[static_cast<std::size_t>(i)] == factor * (i + 1), "element %d after %zu devices, twice: %d", i,
            devices.size(), got[static_cast<std::size_t>(i)]);
    }
  }
}

PROMISE(runtime, memory_of_another_device_is_told_apart) {
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  const sycl::context context(devices);
  sycl::queue first(context, devices[0]), second(context, devices[1]);
  int *of_first = sycl::malloc_device<int>(4, first), *of_second = sycl::malloc_device<int>(4, second);
  check(sycl::get_pointer_device(of_first, context) == devices[0] &&
            sycl::get_pointer_device(of_second, context) == devices[1],
        "devices of pointers");
  expect_exception(sycl::errc::kernel_argument, "but to that of another",
                   [&] { second.single_task<class OfAnother>([=] { *of_first = 1; }); });
  // Copies may cross.
  first.fill(of_first, 77, 4).wait();
  second.memcpy(of_second, of_first, 16).wait();
  int got[4] = {};
  second.memcpy(got, of_second, sizeof got).wait();
  check(got[3] == 77, "copied %d", got[3]);
  sycl::queue alone(devices[0]);
  expect_exception(sycl::errc::invalid, "the device is not of the context",
                   [&] { sycl::malloc_device<int>(1, devices[1], alone.get_context()); });
  sycl::free(of_first, context);
  sycl::free(of_second, context);
}

PROMISE(runtime, commands_whose_buffer_the_host_holds_wait) {
  sycl::queue queue;
  std::vector<int> all = numbers(4);
  sycl::buffer<int> buffer(all);
  int *out = sycl::malloc_device<int>(1, queue), got = 0;
  {
    sycl::host_accessor held(buffer, sycl::read_write);
    sycl::event late = twice(queue, buffer);
    // Behind it in the queue, with nothing to do with the buffer.
    queue.memset(out, 0, sizeof *out);
    check(late.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::submitted,
          "the command did not wait");
    held[0] = 21;
  }
  {
    sycl::host_accessor held(buffer, sycl::read_only);  // whoever reads as well may
    queue.submit([&](sycl::handler &h) {
      sycl::accessor from(buffer, h, sycl::read_only);
      h.single_task<class Reader>([=] { *out = from[0]; });
    });
    queue.memcpy(&got, out, sizeof got).wait();
    check(got == 42 && held[0] == 42, "read %d", got);
    twice(queue, buffer);
    sycl::queue other(queue.get_context(), queue.get_device());
    sycl::event last = twice(other, buffer);  // of a second queue: behind the first's
    check(held[0] == 42, "a command did not wait");
    check(last.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::submitted,
          "the second command did not wait");
  }
  queue.wait_and_throw();
  const sycl::host_accessor after(buffer, sycl::read_only);
  check(after[0] == 168 && after[3] == 32, "after that: %d %d", after[0], after[3]);
  sycl::free(out, queue);
}

PROMISE(runtime, accessors_of_more_dimensions_are_in_row_order) {
  sycl::queue queue;
  sycl::buffer<int, 3> buffer(sycl::range<3>(2, 3, 4));
  queue.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int, 2> part(sycl::range<2>(3, 4), h);
    sycl::local_accessor<float> more(sycl::range<1>(12), h);
    h.parallel_for<class Rows>(sycl::nd_range<3>({2, 3, 4}, {1, 3, 4}), [=](sycl::nd_item<3> item) {
      const std::size_t i = item.get_local_id(1), j = item.get_local_id(2);
      part[i][j] = static_cast<int>(10 * i + j);
      more[item.get_local_linear_id()] = 0.5f;
      sycl::group_barrier(item.get_group());
      const int other = part[sycl::id<2>(2 - i, 3 - j)] + static_cast<int>(2 * more[11 - item.get_local_linear_id()]);
      if (item.get_global_id(0) == 0)
        all[item.get_global_id()] = other;
      else
        all[1][i][j] = 100 + other;
    });
  });
  const sycl::host_accessor got(buffer, sycl::read_only);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      const int expected = 10 * (2 - i) + 3 - j + 1;
      const std::size_t at = static_cast<std::size_t>(4 * i + j);
      check(got.get_pointer()[at] == expected && got.get_pointer()[12 + at] == 100 + expected,
            "row %d, column %d: %d and %d, expected %d", i, j, got.get_pointer()[at], got.get_pointer()[12 + at],
            expected);
    }
  }
}

PROMISE(runtime, accessors_belong_to_their_command_group) {
  sycl::queue queue;
  std::vector<int> all = numbers(4);
  sycl::buffer<int> buffer(all);
  expect_exception(sycl::errc::accessor, "uses an accessor of another command group", [&] {
    std::vector<sycl::accessor<int>> kept;
    queue.submit([&](sycl::handler &h) { kept.emplace_back(buffer, h); });
    queue.submit([&](sycl::handler &h) {
      const auto old = kept[0];
      h.single_task<class Foreign>([=] { old[0] = 1; });
    });
  });
  expect_exception(sycl::errc::kernel_argument, "handler::require was not told of", [&] {
    sycl::accessor placeholder{buffer};
    queue.submit([&](sycl::handler &h) { h.single_task<class NotRequired>([=] { placeholder[0] = 1; }); });
  });
  expect_exception(sycl::errc::invalid, "a command group has one command", [&] {
    queue.submit([&](sycl::handler &h) {
      h.single_task<class First>([] {});
      h.single_task<class Second>([] {});
    });
  });
}

PROMISE(runtime, devices_are_selected) {
  const std::vector<sycl::device> all = sycl::device::get_devices();
  check(all.size() >= 2, "%zu devices", all.size());
  const sycl::device device;
  const std::string name = device.get_info<sycl::info::device::name>();
  const auto name_of = [](const sycl::device &d) { return d.get_info<sycl::info::device::name>(); };
  check(name_of(sycl::device(sycl::default_selector_v)) == name &&
            name_of(sycl::device(sycl::accelerator_selector_v)) == name &&
            name_of(sycl::device(sycl::gpu_selector_v)) == name &&
            name_of(cl::sycl::device(cl::sycl::default_selector())) == name &&
            name_of(cl::sycl::queue(cl::sycl::gpu_selector()).get_device()) == name,
        "the default device");
  check(sycl::device::get_devices(sycl::info::device_type::gpu) == all &&
            sycl::device::get_devices(sycl::info::device_type::cpu).empty(),
        "devices by type");
  // As SYCL 1.2.1 has selectors.
  struct of_name : cl::sycl::device_selector {
    std::string wanted;
    int operator()(const cl::sycl::device &d) const override {
      return d.get_info<sycl::info::device::name>() == wanted ? 1 : -1;
    }
  } by_name;
  by_name.wanted = name_of(all[1]);
  check(sycl::queue(by_name).get_device() == all[1], "by a class of selectors");
  for (const sycl::device &each : all) {
    const std::string wanted = name_of(each);
    sycl::queue queue([&](const sycl::device &d) { return name_of(d) == wanted ? 1 : -1; });
    check(queue.get_device() == each && queue.get_info<sycl::info::queue::device>() == each,
          "selected %s instead of %s", name_of(queue.get_device()).c_str(), wanted.c_str());
    check(each.is_accelerator() && !each.is_cpu() && each.is_gpu(), "the kind of %s", wanted.c_str());
    check(each.get_platform().get_info<sycl::info::platform::name>() == "Heddle", "the platform");
  }
  expect_exception(sycl::errc::runtime, "no device meets the selection", [&] { sycl::device d(sycl::cpu_selector_v); });
  setenv("HEDDLE_DEVICE_TYPE", "accelerator", 1);  // as OpenCL answers anyway
  expect_exception(sycl::errc::runtime, "no device meets the selection", [&] { sycl::device d(sycl::gpu_selector_v); });
  unsetenv("HEDDLE_DEVICE_TYPE");
  expect_exception(sycl::errc::runtime, "no device meets the selection",
                   [] { sycl::queue queue(sycl::aspect_selector(sycl::aspect::usm_system_allocations)); });
  check(
      name_of(sycl::device(sycl::aspect_selector(sycl::aspect::fp16, sycl::aspect::usm_device_allocations))) == name &&
          name_of(sycl::device(sycl::aspect_selector<sycl::aspect::fp16, sycl::aspect::usm_device_allocations>())) ==
              name,
      "by aspects");
  check(device.get_info<sycl::info::device::built_in_kernel_ids>().empty(), "built-in kernels");
  check(device.has(sycl::aspect::accelerator) && device.has(sycl::aspect::image) && !device.has(sycl::aspect::cpu),
        "aspects");
}

PROMISE(runtime, objects_answer_what_is_rarely_asked) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  namespace ask = sycl::info::device;
  check(device.get_info<ask::is_available>() && device.get_info<ask::is_endian_little>() &&
            device.get_info<ask::image_support>() && device.get_info<ask::usm_shared_allocations>(),
        "truths");
  check(device.get_info<ask::profile>() == "EMBEDDED_PROFILE" || device.get_info<ask::profile>() == "FULL_PROFILE",
        "profile %s", device.get_info<ask::profile>().c_str());
  const std::vector<std::string> extensions = device.get_info<ask::extensions>();
  check(!extensions.empty() && device.has_extension(extensions[0]) && !device.has_extension("cl_nobody_nothing"),
        "extensions");
  check(device.get_info<ask::preferred_vector_width_float>() >= 1 && device.get_info<ask::mem_base_addr_align>() >= 8,
        "numbers");
  const auto floats = device.get_info<ask::single_fp_config>();
  check(std::find(floats.begin(), floats.end(), sycl::info::fp_config::round_to_nearest) != floats.end(), "float");
  using fp = sycl::info::fp_config;
  check(device.has(sycl::aspect::fp64) &&
            device.get_info<ask::double_fp_config>() ==
                std::vector<fp>{fp::denorm, fp::inf_nan, fp::round_to_nearest, fp::fma, fp::soft_float},
        "double");
  check(device.get_info<ask::atomic_memory_order_capabilities>().size() == 5, "orders");
  // OpenCL's objects.
  check(queue.get_backend() == sycl::backend::opencl && device.get_backend() == sycl::backend::opencl, "backend");
  const auto native = sycl::get_native<sycl::backend::opencl>(device);
  static_assert(std::is_same_v<decltype(native), const cl_device_id>);
  check(native && sycl::make_device<sycl::backend::opencl>(native) == device, "the device again");
  check(sycl::get_native<sycl::backend::opencl>(queue) && sycl::get_native<sycl::backend::opencl>(queue.get_context()),
        "queue and context");
  expect_exception(sycl::errc::invalid, "is not one of Heddle's",
                   [] { sycl::make_device<sycl::backend::opencl>(cl_device_id(nullptr)); });
}

PROMISE(runtime, objects_of_opencl_become_those_of_sycl) {
  // Those of another queue, as a library of OpenCL would have made them.
  const sycl::queue other;
  const cl_context native_context = sycl::get_native<sycl::backend::opencl>(other.get_context());
  const cl_command_queue native_queue = sycl::get_native<sycl::backend::opencl>(other);
  std::vector<int> in = numbers(16), out(16, 0);
  cl_int error;
  const cl_mem memory = clCreateBuffer(native_context, CL_MEM_COPY_HOST_PTR, 64, in.data(), &error);
  check(error == CL_SUCCESS, "clCreateBuffer: %d", error);
  {
    const sycl::context context = sycl::make_context<sycl::backend::opencl>(native_context);
    sycl::queue queue = sycl::make_queue<sycl::backend::opencl>(native_queue, context);
    check(context.get_devices().size() == 1 && queue.get_device() == other.get_device(), "devices");
    sycl::buffer<int> buffer = sycl::make_buffer<sycl::backend::opencl, int>(memory, context);
    check(buffer.size() == 16, "size %zu", buffer.size());
    const auto add = [&](int what) {
      queue.submit([&](sycl::handler &h) {
        const sycl::accessor a(buffer, h);
        h.parallel_for(16, [=](sycl::id<1> i) { a[i] += what; });
      });
    };
    add(100);
    clEnqueueReadBuffer(native_queue, memory, CL_TRUE, 0, 64, out.data(), 0, nullptr, nullptr);
    check(out[5] == in[5] + 100, "behind the kernel: %d", out[5]);
    {
      const sycl::host_accessor a(buffer);
      check(a[3] == in[3] + 100, "in the host: %d", a[3]);
      a[3] = -1;
    }
    add(1000);
    const sycl::host_accessor<int> last(buffer);
    last[4] = -2;
    expect_exception(sycl::errc::invalid, "of another context",
                     [&] { sycl::make_queue<sycl::backend::opencl>(native_queue, sycl::context()); });
    expect_exception(sycl::errc::invalid, "of another context",
                     [&] { sycl::make_buffer<sycl::backend::opencl, int>(memory, sycl::context()); });
  }
  clEnqueueReadBuffer(native_queue, memory, CL_TRUE, 0, 64, out.data(), 0, nullptr, nullptr);
  for (int i = 0; i < 16; i++) {
    const int expected = i == 3 ? 999 : i == 4 ? -2 : in[i] + 1100;
    check(out[i] == expected, "%d: expected %d, got %d", i, expected, out[i]);
  }
  clReleaseMemObject(memory);
  clReleaseCommandQueue(native_queue);
  clReleaseContext(native_context);
}

PROMISE(runtime, objects_are_keys_of_tables) {
  const sycl::queue queue, same = queue, other;
  std::unordered_map<sycl::device, int> of_devices;
  std::unordered_set<sycl::queue> queues = {queue, same, other};
  check(queues.size() == 2 && std::hash<sycl::queue>()(queue) == std::hash<sycl::queue>()(same), "queues");
  for (const sycl::device &d : sycl::device::get_devices())
    of_devices[d]++;
  check(of_devices.size() == sycl::device::get_devices().size() && of_devices[queue.get_device()] == 1, "devices");
  sycl::buffer<int, 2> a({2, 2}), b = a, c({2, 2});
  std::unordered_set<sycl::buffer<int, 2>> buffers = {a, b, c};
  check(buffers.size() == 2, "buffers");
  const auto id = sycl::get_kernel_ids()[0];
  check(std::hash<sycl::kernel_id>()(id) == std::hash<sycl::kernel_id>()(sycl::get_kernel_ids()[0]), "kernels");
  (void)std::hash<sycl::context>()(queue.get_context());
  (void)std::hash<sycl::event>()(sycl::event());
  const sycl::host_accessor h(c);
  (void)std::hash<std::remove_cv_t<decltype(h)>>()(h);
}

// Two queues of one device use the same memory. That of another context is no memory of the host.
PROMISE(runtime, queues_of_a_device_share_a_context) {
  sycl::queue first, second;
  check(first != second && first.get_context() == second.get_context(), "the contexts");
  int *memory = sycl::malloc_device<int>(4, first), out[4] = {};
  first.fill(memory, 3, 4).wait();
  second.parallel_for(4, [=](sycl::id<1> i) { memory[i] += static_cast<int>(i[0]); }).wait();
  first.copy(memory, out, 4).wait();
  check(out[0] == 3 && out[3] == 6, "what both did: %d, %d", out[0], out[3]);
  sycl::queue own(sycl::context(first.get_device()), first.get_device());
  check(own.get_context() != first.get_context(), "a context of one's own");
  expect_exception(sycl::errc::invalid, "of another context", [&] { own.fill(memory, 1, 4); });
  expect_exception(sycl::errc::invalid, "of another context", [&] { own.memcpy(out, memory, 4); });
  sycl::free(memory, second);
  expect_exception(sycl::errc::feature_not_supported, "sub-devices", [&] {
    first.get_device().create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  });
}

PROMISE(runtime, command_groups_use_the_kernels_of_a_bundle) {
  sycl::queue queue;
  const auto all = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  const auto one = sycl::get_kernel_bundle<class OfBundle, sycl::bundle_state::executable>(queue.get_context());
  int *memory = sycl::malloc_shared<int>(1, queue);
  *memory = 1;
  const auto run = [&](const auto &bundle) {
    queue.submit([&](sycl::handler &h) {
      h.use_kernel_bundle(bundle);
      h.single_task<class OfBundle>([=] { *memory *= 5; });
    });
  };
  run(all);
  run(one);
  queue.wait_and_throw();
  check(*memory == 25, "both ran: %d", *memory);
  expect_exception(sycl::errc::kernel_not_supported, "not one of the bundle", [&] {
    queue.submit([&](sycl::handler &h) {
      h.use_kernel_bundle(one);
      h.single_task<class NotOfBundle>([=] { *memory = 0; });
    });
  });
  sycl::queue own(sycl::context(queue.get_device()), queue.get_device());
  expect_exception(sycl::errc::invalid, "another context",
                   [&] { own.submit([&](sycl::handler &h) { h.use_kernel_bundle(one); }); });
  sycl::free(memory, queue);
}

PROMISE(runtime, device_memory_moves_by_pointers) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  int *a = sycl::malloc_device<int>(16, queue), *b = static_cast<int *>(sycl::malloc_device(64, queue));
  void *aligned = sycl::aligned_alloc_device(64, 10, queue.get_device(), context);
  const std::vector<int> in = numbers(16);
  std::vector<int> out(16, 0);
  check(sycl::get_pointer_type(a + 15, context) == sycl::usm::alloc::device &&
            sycl::get_pointer_type(in.data(), context) == sycl::usm::alloc::unknown,
        "kinds of pointers");
  check(sycl::get_pointer_device(b, context) == queue.get_device(), "the device of a pointer");
  check(aligned && reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0, "aligned memory");
  queue.copy(in.data(), a, 16);
  queue.memset(b, 0xFF, 64);
  queue.memcpy(b + 4, a + 8, 8 * sizeof(int));
  queue.fill(b, 7, 2);
  queue.memcpy(out.data(), b, 64).wait();
  for (int i = 0; i < 16; i++) {
    const int expected = i < 2 ? 7 : i >= 4 && i < 12 ? i + 5 : -1;
    check(out[static_cast<std::size_t>(i)] == expected, "element %d: %d, expected %d", i,
          out[static_cast<std::size_t>(i)], expected);
  }
  struct odd {
    char bytes[3];
  };
  queue.fill(b, odd{{1, 2, 3}}, 5);  // no power of two
  signed char bytes[16];
  queue.memcpy(bytes, b, 16).wait();
  check(bytes[0] == 1 && bytes[13] == 2 && bytes[14] == 3 && bytes[15] == -1, "a pattern of 3 bytes: %d", bytes[13]);
  sycl::free(nullptr, queue);
  for (void *each : {static_cast<void *>(a), static_cast<void *>(b), aligned})
    sycl::free(each, queue);
}

// SYCL 2020, section 4.8.3: nullptr for an alignment that is not supported.
PROMISE(runtime, memory_of_every_kind_is_aligned_as_it_is_asked_for) {
  sycl::queue queue;
  struct alignas(512) wide {
    int of[128];
  };
  using sycl::usm::alloc;
  for (alloc kind : {alloc::device, alloc::shared, alloc::host}) {
    char *small = sycl::malloc<char>(1, queue, kind);  // so that nothing is aligned by chance
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
      int *a = sycl::aligned_alloc<int>(alignment, 3, queue, kind);
      check(a && reinterpret_cast<std::uintptr_t>(a) % alignment == 0, "aligned by %zu: %p", alignment,
            static_cast<void *>(a));
      queue.fill(a, 7, 3).wait();
      sycl::free(a, queue);
    }
    for (std::size_t alignment : {3, 24, 8192, 1 << 20})
      check(!sycl::aligned_alloc(alignment, 16, queue, kind), "aligned by %zu", alignment);
    wide *of_type = sycl::malloc<wide>(2, queue, kind);
    check(of_type && reinterpret_cast<std::uintptr_t>(of_type) % 512 == 0, "aligned as its type");
    sycl::free(of_type, queue);
    sycl::free(small, queue);
  }
}

PROMISE(runtime, wrong_use_of_device_memory_throws) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  int *a = sycl::malloc_device<int>(4, queue), on_host[8] = {};
  check(!sycl::malloc_device<char>(std::size_t(1) << 40, queue), "a terabyte");
  check(!sycl::malloc_device<char>(0, queue), "nothing");
  expect_exception(sycl::errc::invalid, "20 bytes are more than the 16", [&] { queue.memcpy(a, on_host, 20); });
  expect_exception(sycl::errc::invalid, "runtime.cpp:", [&] { queue.memcpy(on_host, a + 1, 16); });
  expect_exception(sycl::errc::invalid, "null pointer", [&] { queue.memcpy(nullptr, a, 4); });
  expect_exception(sycl::errc::invalid, "null pointer", [&] { queue.memset(nullptr, 0, 4); });
  expect_exception(sycl::errc::invalid, "null pointer", [&] { queue.fill(static_cast<int *>(nullptr), 1, 1); });
  queue.memset(nullptr, 0, 0).wait();
  expect_exception(sycl::errc::invalid, "no memory of this context begins there", [&] { sycl::free(on_host, queue); });
  expect_exception(sycl::errc::invalid, "no memory of this context begins there", [&] { sycl::free(a + 1, queue); });
  expect_exception(sycl::errc::invalid, "no device memory is there",
                   [&] { sycl::get_pointer_device(on_host, context); });
  sycl::free(a, queue);
  expect_exception(sycl::errc::invalid, "no memory", [&] { sycl::free(a, queue); });
  expect_exception(sycl::errc::invalid, "no device memory is allocated there", [&] { queue.memset(a, 0, 4); });
}

PROMISE(runtime, events_tell_time_and_order) {
  sycl::queue queue(sycl::property_list{sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()});
  sycl::queue plain(queue.get_context(), queue.get_device());
  check(queue.has_property<sycl::property::queue::enable_profiling>() && queue.is_in_order() &&
            !plain.has_property<sycl::property::queue::enable_profiling>(),
        "properties");
  int *steps = sycl::malloc_device<int>(1, queue);
  sycl::event last = queue.memset(steps, 0, sizeof *steps);
  for (int i = 0; i < 6; i++) {  // one queue waits for the other
    last = (i % 2 == 0 ? plain : queue).submit([&](sycl::handler &h) {
      h.depends_on(last);
      h.single_task<class Step>([=] { *steps = 3 * *steps + i; });
    });
  }
  int got = 0;
  queue.memcpy(&got, steps, sizeof got, last).wait();
  check(got == ((((1 * 3 + 2) * 3 + 3) * 3 + 4) * 3 + 5), "order: %d", got);
  sycl::event::wait({last, sycl::event()});
  namespace ask = sycl::info::event_profiling;
  const std::uint64_t submitted = last.get_profiling_info<ask::command_submit>(),
                      start = last.get_profiling_info<ask::command_start>(),
                      end = last.get_profiling_info<ask::command_end>();
  check(submitted <= start && start < end, "times %llu, %llu, %llu", static_cast<unsigned long long>(submitted),
        static_cast<unsigned long long>(start), static_cast<unsigned long long>(end));
  check(last.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete &&
            sycl::event().get_info<sycl::info::event::command_execution_status>() ==
                sycl::info::event_command_status::complete,
        "states");
  const sycl::event without = plain.memset(steps, 0, sizeof *steps);
  expect_exception(sycl::errc::invalid, "enable_profiling", [&] { without.get_profiling_info<ask::command_end>(); });
  plain.wait();
  sycl::free(steps, queue);
}

// A kernel's fault is told once, when it is asked for: to the queue's handler, or else to the context's.
PROMISE(runtime, asynchronous_errors_go_to_the_handler_of_queue_or_context) {
  int of_context = 0, of_queue = 0;
  const sycl::device device;
  const auto fault = [](sycl::queue &queue) {
    int *out = sycl::malloc_device<int>(1, queue);
    return queue.single_task<class Fault>([=] { out[0x10000000] = 1; });
  };
  {
    const sycl::context context(device,
                                [&](sycl::exception_list list) { of_context += static_cast<int>(list.size()); });
    sycl::queue first(context, device);
    sycl::queue second(context, device, [&](sycl::exception_list list) { of_queue += static_cast<int>(list.size()); });
    fault(first).wait();
    first.wait();
    check(of_context == 0, "wait() told of an error");
    first.throw_asynchronous();
    check(of_context == 1 && of_queue == 0, "%d and %d errors", of_context, of_queue);
    sycl::event event = fault(second);
    event.wait_and_throw();
    check(of_context == 1 && of_queue == 1, "%d and %d errors", of_context, of_queue);
    fault(second);
  }
  check(of_queue == 2, "a queue that ends tells: %d errors", of_queue);
}

PROMISE(runtime, error_codes_are_those_of_the_standard_library) {
  using sycl::errc;
  std::set<std::string> messages;
  for (const errc code :
       {errc::success, errc::runtime, errc::kernel, errc::accessor, errc::nd_range, errc::event, errc::kernel_argument,
        errc::build, errc::invalid, errc::memory_allocation, errc::platform, errc::profiling,
        errc::feature_not_supported, errc::kernel_not_supported, errc::backend_mismatch}) {
    const std::error_code made = code;
    check(made == sycl::make_error_code(code) && made.category() == sycl::sycl_category(), "code %d",
          static_cast<int>(code));
    check(!made.message().empty() && messages.insert(made.message()).second, "message of %d", static_cast<int>(code));
  }
  check(std::string(sycl::sycl_category().name()) == "sycl", "the name of the category");
  const sycl::exception plain(errc::build), worded(sycl::make_error_code(errc::event), "words"), copied = worded;
  check(plain.what() == std::error_code(errc::build).message() && std::string(copied.what()) == "words", "what()");
  check(!plain.has_context(), "a context");
  expect_exception(errc::invalid, "no context", [&] { plain.get_context(); });
  const sycl::context context;
  const sycl::exception of_context(context, errc::kernel, "words");
  check(of_context.has_context() && of_context.get_context() == context, "its context");
  try {
    throw worded;
  } catch (const std::exception &e) {
    check(std::string(e.what()) == "words", "as std::exception");
  }
}

// SYCL 1.2.1's classes of errors, with OpenCL's error where there is one.
PROMISE(runtime, errors_are_of_the_classes_of_older_programs) {
  sycl::queue queue;
  try {
    queue.parallel_for(sycl::nd_range<1>(10, 4), [=](sycl::nd_item<1>) {});
    check(false, "the range was taken");
  } catch (const cl::sycl::nd_range_error &e) {
    check(e.code() == sycl::errc::nd_range && e.get_cl_code() == 0, "a range: %d", e.get_cl_code());
  }
  try {
    const sycl::kernel none = sycl::make_kernel<sycl::backend::opencl>(nullptr, queue.get_context());
    check(false, "there is a kernel");
  } catch (const cl::sycl::runtime_error &e) {
    check(dynamic_cast<const cl::sycl::invalid_parameter_error *>(&e) && e.get_cl_code() == -48, "a kernel: %d",
          e.get_cl_code());
  }
  try {
    sycl::device device(sycl::cpu_selector_v);
    check(false, "there is a device");
  } catch (const cl::sycl::device_error &) {
    check(false, "a selection is not an error of a device");
  } catch (const cl::sycl::exception &e) {
    check(e.code() == sycl::errc::runtime && e.get_cl_code() == 0, "a selection");
  }
  check(!queue.get_device().get_info<sycl::info::device::opencl_c_version>().empty(), "OpenCL C's version");
}

PROMISE(runtime, objects_are_made_in_each_way_of_the_text) {
  const sycl::device device;
  const sycl::platform platform = device.get_platform();
  const sycl::context of_platform(platform), of_device(device, sycl::property_list());
  check(of_platform.get_devices() == platform.get_devices() && of_device.get_devices().size() == 1, "contexts");
  const sycl::queue of_selector(of_device, sycl::default_selector_v);
  check(of_selector.get_context() == of_device && of_selector.get_device() == device, "a queue of a context");
  expect_exception(sycl::errc::runtime, "the selector takes no device of the context",
                   [&] { sycl::queue(of_device, [](const sycl::device &) { return -1; }); });
  const sycl::exception by_number(static_cast<int>(sycl::errc::build), sycl::sycl_category(), "built");
  const sycl::exception in_context(of_device, static_cast<int>(sycl::errc::event), sycl::sycl_category());
  check(by_number.code() == sycl::errc::build && std::string(by_number.what()).find("built") != std::string::npos &&
            in_context.get_context() == of_device && in_context.code() == sycl::errc::event,
        "exceptions of numbers");
  static_assert(sycl::all_devices_have_v<sycl::aspect::fp16> && sycl::any_device_has_v<sycl::aspect::image> &&
                !sycl::any_device_has_v<sycl::aspect::cpu>);
  expect_exception(sycl::errc::invalid, "the device is not part of another",
                   [&] { (void)device.get_info<sycl::info::device::parent_device>(); });
}
