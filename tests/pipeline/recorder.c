// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program builds and runs, as text: loaded in front of the ICD loader by suites.py (LD_PRELOAD), so that
// the program is carried out as it is. In $HEDDLE_RECORD, a folder, it appends to the file TEST, the name of the
// Criterion test that runs or else `program`:
//
//   build FILE              a program was built: its source stands in FILE.cl, its options in FILE.options
//   launch FILE NAME KIND   a kernel of it was enqueued. KIND is the kind of compute unit that it runs on, 0 the
//                           programmable one; FILE is - of a program that was not built from source
//
// A file is named by a hash of its source and options, so that equal programs are one.
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 256, LINE_BYTES = 1024, MOST_PROGRAMS = 4096 };

// The function that stands behind this library.
#define NEXT(name) ((__typeof__(&(name)))next(#name))
static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) {
    fprintf(stderr, "recorder: there is no %s\n", name);
    abort();
  }
  return function;
}

static const char *folder(void) {
  const char *path = getenv("HEDDLE_RECORD");
  if (!path) {
    fprintf(stderr, "recorder: HEDDLE_RECORD does not name a folder\n");
    abort();
  }
  return path;
}

// The beginning of Criterion's struct criterion_test.
struct named {
  const char *name, *category;
};

static void test_name(char name[NAME_BYTES]) {
  struct named **test = dlsym(RTLD_DEFAULT, "criterion_current_test");
  if (test && *test)
    snprintf(name, NAME_BYTES, "%s.%s", (*test)->category, (*test)->name);
  else
    snprintf(name, NAME_BYTES, "program");
}

static void write_whole(const char *path, const char *text, size_t bytes) {
  FILE *file = fopen(path, "w");
  if (!file || fwrite(text, 1, bytes, file) != bytes || fclose(file) != 0) {
    fprintf(stderr, "recorder: cannot write %s\n", path);
    abort();
  }
}

// One line, whole also where tests run side by side.
static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
  char path[PATH_BYTES], name[NAME_BYTES], line[LINE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  test_name(name);
  snprintf(path, sizeof path, "%s/%s.log", folder(), name);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line, strlen(line)) != (ssize_t)strlen(line)) {
    fprintf(stderr, "recorder: cannot write %s\n", path);
    abort();
  }
  close(file);
}

// ---- programs that were built, and the names of their files

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  cl_program program;
  char file[17];
} programs[MOST_PROGRAMS];
static unsigned num_programs;

static uint64_t hash_text(uint64_t hash, const char *text) {
  do
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  while (*text++);
  return hash;
}

static void remember(cl_program program, const char *file) {
  pthread_mutex_lock(&lock);
  unsigned at = 0;
  while (at < num_programs && programs[at].program != program)
    at++;
  if (at < MOST_PROGRAMS) {
    programs[at].program = program;
    snprintf(programs[at].file, sizeof programs[at].file, "%s", file);
    num_programs += at == num_programs;
  }
  pthread_mutex_unlock(&lock);
}

static void file_of(cl_program program, char file[17]) {
  pthread_mutex_lock(&lock);
  snprintf(file, 17, "-");
  for (unsigned i = 0; i < num_programs; i++)
    if (programs[i].program == program)
      memcpy(file, programs[i].file, sizeof programs[i].file);
  pthread_mutex_unlock(&lock);
}

static void record_source(cl_program program, const char *options) {
  char path[PATH_BYTES], file[17];
  size_t bytes = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes) != CL_SUCCESS || bytes <= 1)
    return;
  char *source = calloc(1, bytes + 1);
  if (!source || clGetProgramInfo(program, CL_PROGRAM_SOURCE, bytes, source, NULL) != CL_SUCCESS) {
    free(source);
    return;
  }
  options = options ? options : "";
  snprintf(file, sizeof file, "%016llx",
           (unsigned long long)hash_text(hash_text(14695981039346656037u, source), options));
  snprintf(path, sizeof path, "%s/%s.options", folder(), file);
  write_whole(path, options, strlen(options));
  snprintf(path, sizeof path, "%s/%s.cl", folder(), file);
  write_whole(path, source, strlen(source));
  free(source);
  remember(program, file);
  note("build %s\n", file);
}

// ---- what the program calls

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list, const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data) {
  const cl_int error = NEXT(clBuildProgram)(program, num_devices, device_list, options, pfn_notify, user_data);
  if (error == CL_SUCCESS)
    record_source(program, options);
  return error;
}

static void describe(cl_command_queue queue, cl_kernel kernel, char file[17], char name[NAME_BYTES], cl_uint *kind) {
  cl_program program = NULL;
  cl_device_id device = NULL;
  snprintf(name, NAME_BYTES, "-");
  *kind = 0;
  clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL);
  file_of(program, file);
  clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, NAME_BYTES, name, NULL);
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_KIND_HEDDLE, sizeof *kind, kind, NULL);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t *global_work_offset, const size_t *global_work_size,
                              const size_t *local_work_size, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event) {
  const cl_int error =
      NEXT(clEnqueueNDRangeKernel)(command_queue, kernel, work_dim, global_work_offset, global_work_size,
                                   local_work_size, num_events_in_wait_list, event_wait_list, event);
  if (error == CL_SUCCESS) {
    char file[17], name[NAME_BYTES];
    cl_uint kind;
    describe(command_queue, kernel, file, name, &kind);
    note("launch %s %s %u\n", file, name, kind);
  }
  return error;
}
