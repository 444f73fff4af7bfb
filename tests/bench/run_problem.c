// SPDX-License-Identifier: Apache-2.0
// Runs a workload on a device (run_problem.h).
#include "tests/bench/run_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"

static cl_program program_of(struct session *session, const struct workload *workload) {
  char path[256];
  snprintf(path, sizeof path, "tests/bench/kernels/%s.cl", workload->name);
  size_t bytes;
  char *source = read_file(path, &bytes);
  cl_program program = build_program(session, source, bytes, "-cl-std=CL3.0", path);
  free(source);
  return program;
}

static void make_buffers(struct session *session, const struct problem *problem, cl_mem buffers[WORKLOAD_BUFFERS]) {
  for (unsigned i = 0; i < problem->buffer_count; i++) {
    cl_int error;
    buffers[i] = clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, problem->buffers[i].bytes,
                                problem->buffers[i].data, &error);
    check(error, "clCreateBuffer");
  }
}

static void run_launch(struct session *session, cl_program program, const struct launch *launch,
                       const cl_mem buffers[WORKLOAD_BUFFERS], struct figures *figures) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, launch->kernel, &error);
  check(error, "clCreateKernel");
  cl_uint index = 0;
  for (unsigned i = 0; i < launch->buffer_count; i++)
    check(clSetKernelArg(kernel, index++, sizeof(cl_mem), &buffers[launch->buffers[i]]), "clSetKernelArg");
  for (cl_uint i = 0; i < launch->value_count; i++)
    check(clSetKernelArg(kernel, index++, sizeof(cl_uint), &launch->values[i]), "clSetKernelArg");
  cl_event event;
  check(clEnqueueNDRangeKernel(session->queue, kernel, launch->dim, NULL, launch->global,
                               launch->local[0] ? launch->local : NULL, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  if (wait_with_progress(event, launch->kernel, PROGRESS_AUTO, NULL) != CL_SUCCESS)
    die(EXIT_KERNEL_FAILED, "kernel %s did not complete", launch->kernel);
  const struct figures f = figures_of(session->device, event);
  add_figures(figures, &f);
  clReleaseEvent(event);
  clReleaseKernel(kernel);
}

void *run_problem(struct session *session, const struct workload *workload, const struct problem *problem,
                  struct figures *figures) {
  cl_program program = program_of(session, workload);
  cl_mem buffers[WORKLOAD_BUFFERS];
  make_buffers(session, problem, buffers);
  for (size_t i = 0; i < problem->launch_count; i++)
    run_launch(session, program, &problem->launches[i], buffers, figures);
  const size_t bytes = problem->buffers[problem->result].bytes;
  void *result = allocate(bytes);
  check(clEnqueueReadBuffer(session->queue, buffers[problem->result], CL_TRUE, 0, bytes, result, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  for (unsigned i = 0; i < problem->buffer_count; i++)
    clReleaseMemObject(buffers[i]);
  clReleaseProgram(program);
  return result;
}

bool device_can_run(const struct session *session, const struct workload *workload) {
  char *isa = device_text(session->device, CL_DEVICE_ISA_HEDDLE);
  const bool has_atomics = strcspn(isa, "a") < strcspn(isa, "_");  // "rv32ima_…"
  free(isa);
  return has_atomics || strcmp(workload->name, "histogram") != 0;
}

unsigned resident_work_items(const struct session *session) {
  const unsigned units = device_figure(session->device, CL_DEVICE_UNITS_HEDDLE);  // 0: a pipeline alone
  return device_figure(session->device, CL_DEVICE_LANES_HEDDLE) *
         device_figure(session->device, CL_DEVICE_SLOTS_HEDDLE) * (units != 0 ? units : 1);
}
