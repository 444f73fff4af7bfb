// SPDX-License-Identifier: Apache-2.0
// Sub-group code in SYCL costs the same as in OpenCL C: cycles of the RTL, within 2 %.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstring>

#include "tests/sycl/suite.hpp"

namespace {

// As many items as make it matter little where in the cache instructions and arguments happen to lie.
constexpr std::size_t items = 8192, group = 64, side = 32;

const char opencl_source[] = R"(
kernel void scan(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_scan_inclusive_add(in[i]) + work_group_scan_exclusive_add(in[i]);
}
kernel void reduce(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int sum = work_group_reduce_add(sub_group_reduce_max(in[i]));
  if (get_local_id(0) == 0) out[get_group_id(0)] = sum;
}
kernel void shuffle(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i];
  for (uint distance = get_max_sub_group_size() / 2; distance > 0; distance /= 2) x += sub_group_shuffle_xor(x, distance);
  out[i] = x;
}
kernel void sgemm(global const float *a, global const float *b, global float *c, int n) {
  int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
)";

void must(cl_int error, const char *what) {
  check(error == CL_SUCCESS, "%s: OpenCL error %d", what, error);
}

// The device that SYCL uses, through OpenCL.
struct opencl {
  cl_device_id device = nullptr;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem memory[3];

  explicit opencl(const std::string &name) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    must(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < count; p++) {
      cl_device_id devices[8];
      cl_uint n = 0;
      must(clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 8, devices, &n), "clGetDeviceIDs");
      for (cl_uint d = 0; d < n; d++) {
        char text[256];
        must(clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof text, text, nullptr), "clGetDeviceInfo");
        device = name == text ? devices[d] : device;
      }
    }
    check(device, "no device %s", name.c_str());
    cl_int error;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    must(error, "clCreateContext");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    queue = clCreateCommandQueueWithProperties(context, device, properties, &error);
    must(error, "clCreateCommandQueueWithProperties");
    const char *text = opencl_source;
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    must(error, "clCreateProgramWithSource");
    must(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
    for (cl_mem &m : memory) {
      m = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * items, nullptr, &error);
      must(error, "clCreateBuffer");
      const int zero = 0;
      must(clEnqueueFillBuffer(queue, m, &zero, 4, 0, 4 * items, 0, nullptr, nullptr), "clEnqueueFillBuffer");
    }
  }

  // Of the second run: of the first, instructions come from memory.
  cl_ulong time_of(const char *name, cl_uint pointers, bool has_size, cl_uint dimensions, const std::size_t *global,
                   const std::size_t *local) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error, "clCreateKernel");
    for (cl_uint i = 0; i < pointers; i++)
      must(clSetKernelArg(kernel, i, sizeof memory[i], &memory[i]), "clSetKernelArg");
    if (has_size) {
      const cl_int n = side;
      must(clSetKernelArg(kernel, pointers, sizeof n, &n), "clSetKernelArg");
    }
    cl_ulong start = 0, end = 0;
    for (int run = 0; run < 2; run++) {
      cl_event event;
      must(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, local, 0, nullptr, &event), name);
      must(clWaitForEvents(1, &event), "clWaitForEvents");
      must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "start");
      must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "end");
      clReleaseEvent(event);
    }
    clReleaseKernel(kernel);
    return end - start;
  }
};

template <typename Start>
std::uint64_t time_of(const Start &start) {
  start().wait_and_throw();
  sycl::event event = start();
  event.wait_and_throw();
  return event.get_profiling_info<sycl::info::event_profiling::command_end>() -
         event.get_profiling_info<sycl::info::event_profiling::command_start>();
}

void compare(const char *what, std::uint64_t sycl_time, std::uint64_t opencl_time) {
  std::fprintf(stderr, "%s: SYCL %llu ns, OpenCL C %llu ns\n", what, static_cast<unsigned long long>(sycl_time),
               static_cast<unsigned long long>(opencl_time));
  // Much fewer would mean that the kernels are not the same.
  const double ratio = static_cast<double>(sycl_time) / static_cast<double>(opencl_time);
  check(ratio >= 0.98 && ratio <= 1.02, "%s: %llu ns in SYCL, %llu ns in OpenCL C", what,
        static_cast<unsigned long long>(sycl_time), static_cast<unsigned long long>(opencl_time));
}

}  // namespace

PROMISE(cycles, are_those_of_opencl_c) {
  sycl::queue queue(sycl::property_list{sycl::property::queue::enable_profiling()});
  opencl other(queue.get_device().get_info<sycl::info::device::name>());
  int *in = sycl::malloc_device<int>(items, queue), *out = sycl::malloc_device<int>(items, queue);
  float *a = sycl::malloc_device<float>(side * side, queue), *b = sycl::malloc_device<float>(side * side, queue),
        *c = sycl::malloc_device<float>(side * side, queue);
  queue.memset(in, 0, items * 4);
  queue.memset(a, 0, side * side * 4);
  queue.memset(b, 0, side * side * 4);
  const sycl::nd_range<1> range(items, group);
  const std::size_t global[] = {items}, local[] = {group}, square[] = {side, side}, tile[] = {16, 4};

  compare("scan", time_of([&] {
            return queue.parallel_for<class Scan>(range, [=](sycl::nd_item<1> item) {
              const std::size_t i = item.get_global_id(0);
              out[i] = sycl::inclusive_scan_over_group(item.get_sub_group(), in[i], sycl::plus<>()) +
                       sycl::exclusive_scan_over_group(item.get_group(), in[i], sycl::plus<>());
            });
          }),
          other.time_of("scan", 2, false, 1, global, local));
  compare("reduce", time_of([&] {
            return queue.parallel_for<class Reduce>(range, [=](sycl::nd_item<1> item) {
              const int sum = sycl::reduce_over_group(
                  item.get_group(),
                  sycl::reduce_over_group(item.get_sub_group(), in[item.get_global_id(0)], sycl::maximum<>()),
                  sycl::plus<>());
              if (item.get_local_id(0) == 0)
                out[item.get_group(0)] = sum;
            });
          }),
          other.time_of("reduce", 2, false, 1, global, local));
  compare("shuffle", time_of([&] {
            return queue.parallel_for<class Shuffle>(range, [=](sycl::nd_item<1> item) {
              const auto sg = item.get_sub_group();
              const std::size_t i = item.get_global_id(0);
              int x = in[i];
              for (std::uint32_t distance = sg.get_max_local_range()[0] / 2; distance > 0; distance /= 2)
                x += sg.shuffle_xor(x, sycl::id<1>(distance));
              out[i] = x;
            });
          }),
          other.time_of("shuffle", 2, false, 1, global, local));
  int n = static_cast<int>(side);  // no constant: an argument of the kernel, as in OpenCL C
  compare(
      "sgemm", time_of([&] {
        return queue.parallel_for<class Sgemm>(sycl::nd_range<2>({side, side}, {4, 16}), [=](sycl::nd_item<2> item) {
          const int row = static_cast<int>(item.get_global_id(0)), column = static_cast<int>(item.get_global_id(1));
          float sum = 0;
          for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + column];
          c[row * n + column] = sum;
        });
      }),
      other.time_of("sgemm", 3, true, 2, square, tile));
  for (void *memory : {static_cast<void *>(in), static_cast<void *>(out), static_cast<void *>(a),
                       static_cast<void *>(b), static_cast<void *>(c)}) {
    sycl::free(memory, queue);
  }
}

// Sums of 64 bits by loops of compare-and-exchange, as programs write them for types without fetch_add. 64 work-items
// make some 600 tries for their 64 sums, each of which takes the lock once.
PROMISE(cycles, of_tries_with_64_bits_are_those_of_their_locks) {
  sycl::queue queue(sycl::property_list{sycl::property::queue::enable_profiling()});
  long *sum = sycl::malloc_device<long>(1, queue);
  queue.memset(sum, 0, sizeof *sum);
  const std::uint64_t adds = time_of([&] {
    return queue.parallel_for<class Adds>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
      sycl::atomic_ref<long>(*sum) += static_cast<long>(item.get_global_id(0));
    });
  });
  const std::uint64_t tries = time_of([&] {
    return queue.parallel_for<class Tries>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
      const sycl::atomic_ref<long> shared(*sum);
      long before = shared.load();
      while (!shared.compare_exchange_weak(before, before + static_cast<long>(item.get_global_id(0)))) {
      }
    });
  });
  long result = 0;
  queue.memcpy(&result, sum, sizeof result).wait_and_throw();
  sycl::free(sum, queue);
  check(result == 4 * 2016, "the sum is %ld, not %d", result, 4 * 2016);
  check(tries <= 60 * adds, "64 adds take %llu ns, 64 sums by compare-and-exchange %llu ns",
        static_cast<unsigned long long>(adds), static_cast<unsigned long long>(tries));
}
