// SPDX-License-Identifier: Apache-2.0
// What classes of SYCL have in common (SYCL 2020, section 4.5): they are compared and looked up in tables, may have
// properties, and stand for objects of OpenCL. And the names of errors (section 4.13).
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <sycl/backend/opencl.hpp>

#include "tests/sycl/suite.hpp"

namespace {

// SYCL 2020, section 5.6. A type that says of itself that it is copied by its bytes is captured.
static_assert(SYCL_FEATURE_SET_FULL == 1 && SYCL_DEVICE_COPYABLE == 1);
struct says_so {
  int x;
  explicit says_so(int value) : x(value) {}
  says_so(const says_so &other) : x(other.x) {}
};

constexpr auto opencl = sycl::backend::opencl;
class first_kernel;

}  // namespace
template <>
struct sycl::is_device_copyable<says_so> : std::true_type {};

PROMISE(common_interface, types_say_that_they_are_copied_by_their_bytes) {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  const says_so captured(8);
  queue.single_task([=] { *out = captured.x; }).wait();
  check(*out == 8, "captured: %d", *out);
  sycl::free(out, queue);
}

PROMISE(common_interface, items_and_groups_are_compared) {
  sycl::queue queue;
  int *wrong = sycl::malloc_shared<int>(1, queue);
  *wrong = 0;
  queue.parallel_for(sycl::nd_range<2>({4, 8}, {2, 8}), [=](sycl::nd_item<2> item) {
    const sycl::nd_item<2> copy = item;
    const auto group = item.get_group();
    const auto sub_group = item.get_sub_group();
    if (!(copy == item) || copy != item || !(group == copy.get_group()) || group != copy.get_group() ||
        !(sub_group == copy.get_sub_group()) || sub_group != copy.get_sub_group())
      *wrong = 1;
  });
  queue.parallel_for(sycl::range<2>(2, 4), [=](sycl::item<2> item) {
    const sycl::item<2> copy = item;
    if (!(copy == item) || copy != item)
      *wrong = 2;
  });
  queue.submit([&](sycl::handler &h) {
    h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(4), [=](sycl::group<1> g) {
      g.parallel_for_work_item([&](sycl::h_item<1> item) {
        const sycl::h_item<1> copy = item;
        if (!(copy == item) || copy != item)
          *wrong = 3;
      });
    });
  });
  queue.wait_and_throw();
  check(*wrong == 0, "kernel %d: an item is not equal to its copy", *wrong);
  sycl::free(wrong, queue);
}

PROMISE(common_interface, says_which_properties_are_of_what) {
  using sycl::is_property_of_v;
  namespace property = sycl::property;
  static_assert(is_property_of_v<property::buffer::use_host_ptr, sycl::buffer<int>>);
  static_assert(is_property_of_v<property::buffer::context_bound, sycl::buffer<float, 3>>);
  static_assert(!is_property_of_v<property::buffer::use_host_ptr, sycl::queue>);
  static_assert(is_property_of_v<property::image::use_mutex, sycl::sampled_image<2>>);
  static_assert(is_property_of_v<property::queue::in_order, sycl::queue>);
  static_assert(!is_property_of_v<property::queue::in_order, sycl::context>);
  static_assert(is_property_of_v<property::no_init, sycl::accessor<int>>);
  static_assert(is_property_of_v<property::no_init, sycl::host_accessor<int, 2>>);
  const sycl::context context;
  check(!context.has_property<property::queue::in_order>(), "a context has a queue's property");
}

PROMISE(common_interface, platforms_are_chosen_by_selectors) {
  check(sycl::platform(sycl::gpu_selector_v) == sycl::device(sycl::gpu_selector_v).get_platform(), "another platform");
  const sycl::device device;
  check(device.get_info<sycl::info::device::partition_type_affinity_domain>() ==
            sycl::info::partition_affinity_domain::not_applicable,
        "the device is a part");
  const sycl::context context(device);
  check(context.get_info<sycl::info::context::atomic_fence_order_capabilities>() ==
                device.get_info<sycl::info::device::atomic_fence_order_capabilities>() &&
            context.get_info<sycl::info::context::atomic_fence_scope_capabilities>() ==
                device.get_info<sycl::info::device::atomic_fence_scope_capabilities>(),
        "a context's fences are not its device's");
  check(sycl::opencl::has_extension(device, "cl_khr_subgroups") && !sycl::opencl::has_extension(device, "cl_khr") &&
            sycl::opencl::has_extension(device.get_platform(), "cl_khr_icd"),
        "extensions");
  check(device.get_backend_info<sycl::info::device::version>() == device.get_info<sycl::info::device::version>() &&
            device.get_platform().get_backend_info<sycl::info::platform::version>().find("OpenCL") == 0,
        "versions");
}

PROMISE(common_interface, errors_of_opencl_have_their_own_category) {
  const std::error_category &category = sycl::error_category_for<opencl>();
  const std::error_code code = static_cast<sycl::errc_for<opencl>>(CL_INVALID_WORK_GROUP_SIZE);
  check(code.category() == category && code.value() == CL_INVALID_WORK_GROUP_SIZE, "another category");
  check(category != sycl::sycl_category() && std::string(category.name()) == "opencl", "%s", category.name());
  check(code.message() == "CL_INVALID_WORK_GROUP_SIZE", "%s", code.message().c_str());
  check(category.message(-9999) == "OpenCL error -9999", "%s", category.message(-9999).c_str());
}

PROMISE(common_interface, bundles_are_asked_for_by_name_and_device) {
  sycl::queue queue;
  queue.single_task<first_kernel>([] {});
  queue.wait_and_throw();
  constexpr auto executable = sycl::bundle_state::executable;
  const sycl::context context = queue.get_context();
  const std::vector<sycl::device> devices = {queue.get_device()};
  check(sycl::has_kernel_bundle<executable>(context, devices), "of a device");
  check(sycl::has_kernel_bundle<first_kernel, executable>(context), "by name");
  check(sycl::has_kernel_bundle<first_kernel, executable>(context, devices), "by name and device");
}

PROMISE(common_interface, streams_know_how_they_are_asked_to_print) {
  sycl::queue queue;
  int *seen = sycl::malloc_shared<int>(5, queue);
  queue.submit([&](sycl::handler &h) {
    const sycl::stream out(256, 64, h), copy = out, other(256, 64, h);
    check(out == copy && out != other, "comparisons");
    check(std::hash<sycl::stream>()(out) == std::hash<sycl::stream>()(copy), "hashes");
    check(!out.has_property<sycl::property::queue::in_order>(), "a stream has a queue's property");
    h.single_task([=] {
      seen[0] = static_cast<int>(out.get_precision());
      out << sycl::setprecision(3) << sycl::hex << sycl::setw(7);
      seen[1] = static_cast<int>(out.get_precision());
      seen[2] = static_cast<int>(out.get_width());
      seen[3] = out.get_stream_mode() == sycl::stream_manipulator::hex;
      sycl::vec<int, 4> all(1, 2, 3, 4);
      out << all.wx() << sycl::multi_ptr<int, sycl::access::address_space::global_space>(nullptr) << sycl::endl;
      seen[4] = static_cast<int>(out.get_width());
    });
  });
  queue.wait_and_throw();
  const int expected[] = {6, 3, 7, 1, 0};
  for (int i = 0; i < 5; i++)
    check(seen[i] == expected[i], "answer %d is %d, expected %d", i, seen[i], expected[i]);
  sycl::free(seen, queue);
}

PROMISE(common_interface, vecs_of_bytes_hold_and_swizzle) {
  const sycl::vec<std::byte, 4> all(std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4});
  check(all.size() == 4 && all.byte_size() == 4 && all.w() == std::byte{4} && all.wx()[1] == std::byte{1}, "elements");
}

PROMISE(common_interface, images_are_made_of_those_of_opencl) {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::image))
    return;
  const cl_context context = sycl::get_native<opencl>(queue.get_context());
  const cl_command_queue native_queue = sycl::get_native<opencl>(queue);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 8;
  desc.image_height = 4;
  std::vector<float> pixels(8 * 4 * 4);
  for (std::size_t i = 0; i < pixels.size(); i++)
    pixels[i] = static_cast<float>(i);
  cl_int error;
  const cl_mem native =
      clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels.data(), &error);
  check(error == CL_SUCCESS, "clCreateImage: %d", error);
  {
    auto image = sycl::make_unsampled_image<opencl, 2>(native, queue.get_context());
    check(image.get_range() == sycl::range<2>(8, 4), "its range");
    queue.submit([&](sycl::handler &h) {
      const sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::read_write> a(image, h);
      h.parallel_for(sycl::range<2>(8, 4), [=](sycl::item<2> item) {
        const sycl::int2 at(static_cast<int>(item[0]), static_cast<int>(item[1]));
        a.write(at, a.read(at) + 1000.0f);
      });
    });
    const std::vector<cl_mem> natives = sycl::get_native<opencl>(image);
    check(natives.size() == 1 && natives[0] == native, "%zu memory objects", natives.size());
    clReleaseMemObject(natives[0]);
    const sycl::host_unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::read_write> host(image);
    check(host.read(sycl::int2(7, 3))[3] == 1127.0f, "what the host reads is %g",
          static_cast<double>(host.read(sycl::int2(7, 3))[3]));
    host.write(sycl::int2(1, 0), sycl::float4(5.0f));
  }
  const std::size_t origin[3] = {0, 0, 0}, region[3] = {8, 4, 1};
  clEnqueueReadImage(native_queue, native, CL_TRUE, origin, region, 0, 0, pixels.data(), 0, nullptr, nullptr);
  check(pixels[0] == 1000.0f && pixels[4] == 5.0f && pixels[127] == 1127.0f, "what is in the image is %g, %g, %g",
        static_cast<double>(pixels[0]), static_cast<double>(pixels[4]), static_cast<double>(pixels[127]));
  {
    const sycl::image_sampler nearest = {sycl::addressing_mode::clamp_to_edge,
                                         sycl::coordinate_normalization_mode::unnormalized,
                                         sycl::filtering_mode::nearest};
    auto image = sycl::make_sampled_image<opencl, 2>(native, nearest, queue.get_context());
    float *out = sycl::malloc_shared<float>(1, queue);
    queue.submit([&](sycl::handler &h) {
      const sycl::sampled_image_accessor<sycl::float4, 2> a(image, h);
      h.single_task([=] { *out = a.read(sycl::float2(2.5f, 3.5f))[1]; });
    });
    queue.wait_and_throw();
    check(*out == 1000.0f + (3 * 8 + 2) * 4 + 1, "a sample is %g", static_cast<double>(*out));
    sycl::free(out, queue);
  }
  try {
    sycl::make_unsampled_image<opencl, 3>(native, queue.get_context());
    check(false, "an image of two axes has become one of three");
  } catch (const sycl::exception &e) {
    check(e.code() == sycl::errc::invalid, "%s", e.what());
  }
  clReleaseMemObject(native);
  clReleaseCommandQueue(native_queue);
  clReleaseContext(context);
}
