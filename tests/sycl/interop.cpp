// SPDX-License-Identifier: Apache-2.0
// OpenCL's kernels and events in SYCL programs, and OpenCL in host tasks.
#include <CL/cl.h>

#include "tests/sycl/suite.hpp"

namespace {

// The errc that a function throws; success if none.
template <typename F>
sycl::errc thrown_by(const F &f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return static_cast<sycl::errc>(e.code().value());
  }
  return static_cast<sycl::errc>(0);
}

const char *const source =
    "kernel void combine(global int *to, global const int *from, local int *row, int factor) {"
    "  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);"
    "  row[l] = from[i]; barrier(CLK_LOCAL_MEM_FENCE); to[i] += factor * row[n - 1 - l]; }"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void place(global int *to) {"
    "  to[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_id(1) * 10 + get_local_id(0); }";

struct program {
  cl_context context;
  cl_program whole;
  explicit program(const sycl::context &c) : context(sycl::get_native<sycl::backend::opencl>(c)) {
    cl_int error;
    const char *text = source;
    whole = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    error = clBuildProgram(whole, 0, nullptr, "", nullptr, nullptr);
    check(error == CL_SUCCESS, "clBuildProgram: %d", error);
  }
  program(const program &) = delete;
  program &operator=(const program &) = delete;
  ~program() {
    clReleaseProgram(whole);
    clReleaseContext(context);
  }
  sycl::kernel kernel(const char *name, const sycl::context &c) const {
    cl_int error;
    const cl_kernel made = clCreateKernel(whole, name, &error);
    check(error == CL_SUCCESS, "clCreateKernel %s: %d", name, error);
    const sycl::kernel kernel = sycl::make_kernel<sycl::backend::opencl>(made, c);
    clReleaseKernel(made);
    return kernel;
  }
};

}  // namespace

// Accessors, local memory, numbers and pointers are its arguments; it takes its turn among the buffers' commands.
PROMISE(interop, kernels_of_opencl_run_with_arguments_of_sycl) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const program opencl(context);
  const sycl::kernel combine = opencl.kernel("combine", context);
  constexpr std::size_t count = 32, group = 8;
  std::vector<int> to(count, 1), from(count);
  for (std::size_t i = 0; i < count; i++)
    from[i] = static_cast<int>(i);
  {
    sycl::buffer<int> a(to.data(), count), b(from.data(), count);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(b, h);
      h.parallel_for(count, [=](sycl::id<1> i) { x[i] *= 2; });
    });
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(a, h);
      const sycl::accessor y(b, h, sycl::read_only);
      const sycl::local_accessor<int, 1> row(group, h);
      h.set_args(x, y, row, 3);
      h.parallel_for(sycl::nd_range<1>(count, group), combine);
    });
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor x(a, h);
      h.parallel_for(count, [=](sycl::id<1> i) { x[i] += 1000; });
    });
  }
  for (std::size_t i = 0; i < count; i++) {
    const int expected = 1001 + 6 * static_cast<int>(i / group * group + group - 1 - i % group);
    check(to[i] == expected, "accessors: element %zu is %d, expected %d", i, to[i], expected);
  }
  // Pointers: into the middle of one allocation, and to shared memory. Arguments may come behind the call.
  int *device = sycl::malloc_device<int>(2 * count, queue), *shared = sycl::malloc_shared<int>(count, queue);
  for (std::size_t i = 0; i < count; i++)
    shared[i] = static_cast<int>(i);
  queue.fill(device, 5, 2 * count);
  queue.submit([&](sycl::handler &h) {
    h.parallel_for(sycl::nd_range<1>(count, group), combine);
    h.set_arg(0, device + count / 2);
    h.set_arg(1, shared);
    h.set_arg(2, sycl::local_accessor<int, 1>(group, h));
    h.set_arg(3, -1);
  });
  std::vector<int> out(2 * count);
  queue.copy(device, out.data(), 2 * count).wait();
  for (std::size_t i = 0; i < 2 * count; i++) {
    const std::size_t at = i - count / 2;
    const int expected = 5 - (at < count ? static_cast<int>(at / group * group + group - 1 - at % group) : 0);
    check(out[i] == expected, "pointers: element %zu is %d, expected %d", i, out[i], expected);
  }
  // Two dimensions are the other way round in OpenCL.
  const sycl::kernel place = opencl.kernel("place", context);
  queue.submit([&](sycl::handler &h) {
    h.set_args(shared);
    h.parallel_for(sycl::nd_range<2>({4, 8}, {2, 4}), place);
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < count; i++) {
    const int expected = static_cast<int>(i / 8 % 2 * 10 + i % 4);
    check(shared[i] == expected, "two dimensions: element %zu is %d, expected %d", i, shared[i], expected);
  }
  sycl::free(device, queue);
  sycl::free(shared, queue);
}

PROMISE(interop, kernels_of_opencl_answer_queries) {
  const sycl::queue queue;
  const sycl::context context = queue.get_context();
  const program opencl(context);
  const sycl::kernel combine = opencl.kernel("combine", context), place = opencl.kernel("place", context);
  const sycl::device device = queue.get_device();
  check(combine.get_info<sycl::info::kernel::function_name>() == "combine" &&
            combine.get_info<sycl::info::kernel::num_args>() == 4 && combine.get_context() == context,
        "what it is called, its arguments and context");
  check(place.get_info<sycl::info::kernel::attributes>().find("reqd_work_group_size(4,2,1)") != std::string::npos,
        "attributes: %s", place.get_info<sycl::info::kernel::attributes>().c_str());
  check(place.get_info<sycl::info::kernel_device_specific::compile_work_group_size>(device) == sycl::range<3>(1, 2, 4),
        "its work-group's size");
  check(combine.get_info<sycl::info::kernel_device_specific::work_group_size>(device) >= 8 &&
            combine.get_info<sycl::info::kernel_device_specific::compile_sub_group_size>(device) == 0,
        "what a device says of it");
  const cl_kernel native = sycl::get_native<sycl::backend::opencl>(place);
  char name[16] = "";
  clGetKernelInfo(native, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
  check(std::string(name) == "place", "its native kernel: %s", name);
  clReleaseKernel(native);
}

// Programs of source, compiled ones, and those that are ready, each as far as a bundle's state asks for.
PROMISE(interop, programs_of_opencl_are_kernel_bundles) {
  using sycl::bundle_state;
  constexpr auto opencl = sycl::backend::opencl;
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const cl_context native_context = sycl::get_native<opencl>(context);
  const auto make = [&](const char *text) {
    cl_int error;
    const cl_program made = clCreateProgramWithSource(native_context, 1, &text, nullptr, &error);
    check(error == CL_SUCCESS, "clCreateProgramWithSource: %d", error);
    return made;
  };
  const auto run = [&](const sycl::kernel_bundle<bundle_state::executable> &bundle, const char *what) {
    const std::vector<cl_program> programs = sycl::get_native<opencl>(bundle);
    check(programs.size() == 1 && bundle.get_kernel_ids().empty(), "%s: %zu programs", what, programs.size());
    cl_int error;
    const cl_kernel native = clCreateKernel(programs[0], "twice", &error);
    check(error == CL_SUCCESS, "%s: clCreateKernel: %d", what, error);
    const sycl::kernel kernel = sycl::make_kernel<opencl>(native, context);
    clReleaseKernel(native);
    clReleaseProgram(programs[0]);
    check(sycl::get_native<opencl>(kernel.get_kernel_bundle()) == programs, "%s: the kernel's bundle", what);
    clReleaseProgram(programs[0]);
    int *memory = sycl::malloc_shared<int>(8, queue);
    for (int i = 0; i < 8; i++)
      memory[i] = i;
    queue.submit([&](sycl::handler &h) {
      h.set_args(memory);
      h.parallel_for(sycl::range<1>(8), kernel);
    });
    queue.wait_and_throw();
    for (int i = 0; i < 8; i++)
      check(memory[i] == 2 * i + 1, "%s: element %d is %d", what, i, memory[i]);
    sycl::free(memory, queue);
  };
  const char *const whole = "kernel void twice(global int *x) { x[get_global_id(0)] = 2 * x[get_global_id(0)] + 1; }";
  const cl_program source = make(whole);
  run(sycl::build(sycl::make_kernel_bundle<opencl, bundle_state::input>(source, context)), "source");
  check(
      thrown_by([&] { sycl::make_kernel_bundle<opencl, bundle_state::input>(source, context); }) == sycl::errc::invalid,
      "a program that is built is no input");
  run(sycl::make_kernel_bundle<opencl, bundle_state::executable>(source, context), "a program that is built");
  clReleaseProgram(source);
  const cl_program unbuilt = make(whole);
  run(sycl::make_kernel_bundle<opencl, bundle_state::executable>(unbuilt, context), "source, at once");
  clReleaseProgram(unbuilt);
  // Two of them, one compiled by OpenCL, linked together.
  const cl_program caller = make(
                       "int one(int x); kernel void twice(global int *x) { int i = get_global_id(0); "
                       "x[i] = x[i] + one(x[i]); }"),
                   callee = make("int one(int x) { return x + 1; }");
  check(clCompileProgram(callee, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS, "compile");
  const auto object = sycl::compile(sycl::make_kernel_bundle<opencl, bundle_state::input>(caller, context));
  run(sycl::link({object, sycl::make_kernel_bundle<opencl, bundle_state::object>(callee, context)}), "two objects");
  clReleaseProgram(caller);
  clReleaseProgram(callee);
  const cl_program wrong = make("kernel void twice(global int *x) { x = y; }");
  try {
    sycl::make_kernel_bundle<opencl, bundle_state::executable>(wrong, context);
    check(false, "a program that does not compile became a bundle");
  } catch (const sycl::exception &e) {
    check(e.code() == sycl::errc::build && std::string(e.what()).find("'y'") != std::string::npos, "says %s", e.what());
  }
  check(thrown_by([&] { sycl::make_kernel_bundle<opencl, bundle_state::input>(wrong, sycl::context()); }) ==
            sycl::errc::invalid,
        "another context");
  clReleaseProgram(wrong);
  // The program's own kernels: those of this file are in one program or several.
  const auto mine = sycl::get_kernel_bundle<bundle_state::executable>(context);
  const std::vector<cl_program> programs = sycl::get_native<opencl>(mine);
  check(!programs.empty() &&
            sycl::join<bundle_state::executable>({mine, mine}).get_kernel_ids().size() == mine.get_kernel_ids().size(),
        "its own kernels are in %zu programs", programs.size());
  for (cl_program program : programs)
    clReleaseProgram(program);
  clReleaseContext(native_context);
}

PROMISE(interop, mistakes_with_kernels_of_opencl_throw) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const program opencl(context);
  const sycl::kernel combine = opencl.kernel("combine", context), place = opencl.kernel("place", context);
  int *memory = sycl::malloc_device<int>(64, queue);
  const auto submit = [&](const sycl::kernel &kernel, auto range, auto... arguments) {
    return thrown_by([&] {
      queue.submit([&](sycl::handler &h) {
        h.set_args(arguments...);
        h.parallel_for(range, kernel);
      });
      queue.wait_and_throw();
    });
  };
  check(submit(combine, sycl::range<1>(8), memory) == sycl::errc::kernel_argument, "arguments that are not set");
  check(submit(place, sycl::nd_range<2>({4, 4}, {2, 2}), memory) == sycl::errc::nd_range, "another work-group's size");
  int of_host = 0;
  check(submit(place, sycl::range<2>(2, 4), &of_host) == sycl::errc::kernel_argument, "a pointer of the host");
  check(submit(place, sycl::range<2>(2, 4), 1.5) == sycl::errc::kernel_argument, "an argument of another size");
  check(thrown_by([&] { opencl.kernel("place", sycl::context()); }) == sycl::errc::invalid, "another context");
  queue.single_task([=] { memory[0] = 1; }).wait();
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(context);
  const sycl::kernel of_sycl = bundle.get_kernel(bundle.get_kernel_ids()[0]);
  check(thrown_by([&] { queue.submit([&](sycl::handler &h) { h.single_task(of_sycl); }); }) == sycl::errc::invalid,
        "a kernel of SYCL");
  sycl::free(memory, queue);
}

// An event of OpenCL's that the host completes holds commands, as it does those of OpenCL.
PROMISE(interop, events_of_opencl_are_waited_for) {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const cl_context native = sycl::get_native<sycl::backend::opencl>(context);
  cl_int error;
  const cl_event first = clCreateUserEvent(native, &error), second = clCreateUserEvent(native, &error);
  sycl::event both = sycl::make_event<sycl::backend::opencl>({first, second}, context);
  using status = sycl::info::event_command_status;
  using query = sycl::info::event::command_execution_status;
  check(both.get_info<query>() != status::complete, "none is complete");
  int *memory = sycl::malloc_device<int>(1, queue);
  sycl::event written = queue.submit([&](sycl::handler &h) {
    h.depends_on(both);
    h.single_task([=] { *memory = 7; });
  });
  const std::vector<sycl::event> waited = written.get_wait_list();
  check(waited.size() == 1 && waited[0] == both, "what it waits for: %zu events", waited.size());
  clSetUserEventStatus(first, CL_COMPLETE);
  check(both.get_info<query>() != status::complete && written.get_info<query>() != status::complete,
        "one of two is complete");
  const std::vector<cl_event> natives = sycl::get_native<sycl::backend::opencl>(both);
  check(natives.size() == 2 && natives[0] == first && natives[1] == second, "its native events");
  clSetUserEventStatus(second, CL_COMPLETE);
  int value = 0;
  queue.copy(memory, &value, 1).wait();
  both.wait_and_throw();
  check(value == 7 && both.get_info<query>() == status::complete, "value %d", value);
  check(thrown_by([&] { sycl::make_event<sycl::backend::opencl>({first}, sycl::context()); }) == sycl::errc::invalid,
        "another context");
  check(thrown_by([&] { both.get_profiling_info<sycl::info::event_profiling::command_end>(); }) == sycl::errc::invalid,
        "an event without times");
  for (cl_event each : {first, second, natives[0], natives[1]})
    clReleaseEvent(each);
  clReleaseContext(native);
  sycl::free(memory, queue);
}

// The task's own commands use the queue and a buffer's memory; kernels see what they wrote, and the host too.
PROMISE(interop, host_tasks_use_opencl) {
  sycl::queue queue;
  std::vector<int> data(16, 3);
  {
    sycl::buffer<int> buffer(data.data(), 16);
    const auto add = [&](int what) {
      queue.submit([&](sycl::handler &h) {
        const sycl::accessor a(buffer, h);
        h.parallel_for(16, [=](sycl::id<1> i) { a[i] += what; });
      });
    };
    add(1);
    queue.submit([&](sycl::handler &h) {
      const sycl::accessor a(buffer, h, sycl::read_write);
      h.host_task([=](const sycl::interop_handle &handle) {
        constexpr auto opencl = sycl::backend::opencl;
        const std::vector<cl_mem> memory = handle.get_native_mem<opencl>(a);
        const cl_command_queue native = handle.get_native_queue<opencl>();
        int found[16];
        clEnqueueReadBuffer(native, memory[0], CL_TRUE, 0, 64, found, 0, nullptr, nullptr);
        const int pattern = found[2] * 100;
        clEnqueueFillBuffer(native, memory[0], &pattern, 4, 16, 8, 0, nullptr, nullptr);
        cl_device_id device;
        cl_context context;
        clGetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
        clGetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
        if (device != handle.get_native_device<opencl>() || context != handle.get_native_context<opencl>())
          throw std::runtime_error("the queue is of others");
      });
    });
    add(10);
    queue.wait_and_throw();
    const std::vector<cl_mem> memory = sycl::get_native<sycl::backend::opencl>(buffer);
    check(memory.size() == 1, "the buffer is in %zu contexts", memory.size());
    for (cl_mem each : memory)
      clReleaseMemObject(each);
  }
  for (int i = 0; i < 16; i++) {
    const int expected = i == 4 || i == 5 ? 410 : 14;
    check(data[static_cast<std::size_t>(i)] == expected, "element %d is %d, expected %d", i,
          data[static_cast<std::size_t>(i)], expected);
  }
}
