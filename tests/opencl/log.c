// SPDX-License-Identifier: Apache-2.0
// HEDDLE_LOG: a program without a context callback, such as one of pyopencl that calls clFinish alone, sees one line
// for a kernel's fault; one with a callback sees nothing that it does not write itself.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { TEXT_BYTES = 8192 };

static const char source[] =
    "kernel void good(global uint *out) { out[get_global_id(0)] = 1; }\n"
    "kernel void wrong(global uint *out) { if (get_global_id(0) == 5) *(volatile global uint *)0x70000000 = 1; }\n";

static int calls;

static void CL_CALLBACK notified(const char *text, const void *info, size_t bytes, void *user) {
  (void)text, (void)info, (void)bytes, (void)user;
  calls++;
}

// What the library writes to standard error meanwhile.
static int kept_stderr;
static FILE *caught;

static void catch_stderr(void) {
  caught = tmpfile();
  cr_assert(caught);
  fflush(stderr);
  kept_stderr = dup(STDERR_FILENO);
  dup2(fileno(caught), STDERR_FILENO);
}

static void caught_stderr(char text[TEXT_BYTES]) {
  fflush(stderr);
  dup2(kept_stderr, STDERR_FILENO);
  close(kept_stderr);
  const bool is_at_start = fseek(caught, 0, SEEK_SET) == 0;
  text[is_at_start ? fread(text, 1, TEXT_BYTES - 1, caught) : 0] = 0;
  fclose(caught);
}

static int lines(const char *text) {
  int count = 0;
  for (; *text; text++)
    count += *text == '\n';
  return count;
}

// A good kernel, one that faults, and a good one, with a program that waits for the queue alone. `level` may be NULL.
static cl_command_queue run_three(const char *level, bool has_callback, char text[TEXT_BYTES]) {
  cl_device_id sim, model;
  cl_platform_id platform;
  cl_int error;
  const size_t global = 8;
  if (level)
    setenv("HEDDLE_LOG", level, 1);
  else
    unsetenv("HEDDLE_LOG");
  calls = 0;
  catch_stderr();
  heddle_devices(&platform, &sim, &model);
  cl_context context = clCreateContext(NULL, 1, &model, has_callback ? notified : NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, model, NULL, &error);
  const char *const sources[] = {source};
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)sources, NULL, &error);
  cl_int built = clBuildProgram(program, 1, &model, "-cl-std=CL3.0", NULL, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &error);
  static const char *const names[] = {"good", "wrong", "good"};
  cl_int finished = CL_SUCCESS;
  for (int i = 0; i < 3 && built == CL_SUCCESS; i++) {
    cl_kernel kernel = clCreateKernel(program, names[i], &error);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    finished = clFinish(queue);
    clReleaseKernel(kernel);
  }
  caught_stderr(text);
  EXPECT_CODE(CL_SUCCESS, built);
  EXPECT_CODE(CL_SUCCESS, finished);
  return queue;
}

Test(log, a_fault_without_a_callback_is_one_line) {
  char text[TEXT_BYTES];
  run_three(NULL, false, text);
  if (lines(text) != 1 || strncmp(text, "heddle: kernel 'wrong': ", 24) != 0 || !strstr(text, "work-item (5, 0, 0)"))
    fail("expected one line about the kernel 'wrong', got \"%s\"", text);
}

Test(log, a_program_with_a_callback_has_its_standard_error_for_itself) {
  char text[TEXT_BYTES];
  run_three("error", true, text);
  cr_assert_eq(calls, 1);
  cr_assert_str_empty(text);
}

Test(log, off_is_silent) {
  char text[TEXT_BYTES];
  run_three("off", false, text);
  cr_assert_str_empty(text);
}

Test(log, info_tells_what_the_callback_gets_too) {
  char text[TEXT_BYTES];
  run_three("info", true, text);
  cr_assert_eq(calls, 1);
  if (!strstr(text, "heddle: kernel 'wrong': ") || !strstr(text, "opened") || !strstr(text, "heddle: program "))
    fail("expected the fault, the device and the build, got \"%s\"", text);
  cr_assert_not(strstr(text, "ended with status"));
}

Test(log, debug_tells_each_command) {
  char text[TEXT_BYTES];
  run_three("debug", false, text);
  int ended = 0;
  for (const char *at = text; (at = strstr(at, "ended with status")); at++)
    ended++;
  if (ended < 3)
    fail("expected a line for each of three kernels, got \"%s\"", text);
}

Test(log, a_wrong_word_is_explained_and_faults_are_told) {
  char text[TEXT_BYTES];
  run_three("loud", false, text);
  if (lines(text) != 2 || !strstr(text, "HEDDLE_LOG must be off, error, info or debug, not 'loud'") ||
      !strstr(text, "kernel 'wrong'"))
    fail("expected an explanation and the fault, got \"%s\"", text);
}

Test(log, a_queue_knows_its_last_fault) {
  char text[TEXT_BYTES], of_queue[1024] = "";
  cl_command_queue queue = run_three(NULL, false, text);
  EXPECT_SUCCESS(clGetCommandQueueInfo(queue, CL_QUEUE_FAULT_TEXT_HEDDLE, sizeof of_queue, of_queue, NULL));
  text[strcspn(text, "\n")] = 0;
  cr_assert_str_eq(of_queue, text + strlen("heddle: "));
}

Test(log, a_queue_without_a_fault_says_so) {
  char of_queue[16] = "?";
  EXPECT_SUCCESS(clGetCommandQueueInfo(harness()->queue, CL_QUEUE_FAULT_TEXT_HEDDLE, sizeof of_queue, of_queue, NULL));
  cr_assert_str_empty(of_queue);
}

// Under HEDDLE_CHECK the model is the only device.
Test(log, what_checks_leave_out_is_named) {
  static const char *const names[] = {"HEDDLE_HARDWARE", "HEDDLE_SERIAL", "HEDDLE_UIO"};
  char text[TEXT_BYTES];
  cl_uint count = 0;
  setenv("HEDDLE_CHECK", "1", 1);
  for (int i = 0; i < 3; i++)
    setenv(names[i], "/dev/null", 1);
  catch_stderr();
  cl_int error = clGetDeviceIDs(heddle_platform(), CL_DEVICE_TYPE_ALL, 0, NULL, &count);
  caught_stderr(text);
  EXPECT_CODE(CL_SUCCESS, error);
  cr_assert_eq(count, 1, "%u devices", count);
  cr_assert_eq(lines(text), 3, "%s", text);
  for (int i = 0; i < 3; i++) {
    char left_out[64];
    snprintf(left_out, sizeof left_out, "only device; %s is left out", names[i]);
    cr_assert(strstr(text, left_out), "%s", text);
  }
}
