// SPDX-License-Identifier: Apache-2.0
// `heddle run`: one kernel from a file, its arguments from the command line, its results printed or saved.
#include <CL/cl_ext.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/words.h"
#include "host/include/CL/cl_heddle.h"
#include "host/tools/argument.h"
#include "host/tools/client.h"
#include "host/tools/heddle.h"
#include "host/tools/run_files.h"
#include "host/tools/run_options.h"
#include "host/tools/run_stats.h"

enum { SHOWN_BY_DEFAULT = 64 };

// OpenCL asks for OpenCL C 1.2 where no -cl-std is given, which has neither work-group collectives nor remainder
// work-groups; who types a command wants the language of today. And arguments are given by their names.
static char *completed_options(const char *options) {
  const size_t room = strlen(options) + 64;
  char *result = allocate(room);
  snprintf(result, room, "-cl-std=CL3.0 -cl-kernel-arg-info %s", options);  // of several -cl-std the last one counts
  return result;
}

// With the folder of the source for its #include "…", as compilers have it. Takes `options`.
static char *with_folder_of(const char *path, char *options) {
  const char *last = strrchr(path, '/');
  const char *folder = last ? path : ".";
  const size_t length = last ? (size_t)(last - path) + 1 : 1;
  if (strcmp(path, "-") == 0)
    return options;
  char *name = strndup(folder, length), *result = allocate(strlen(options) + 2 * length + 8);
  if (!name)
    die(EXIT_KERNEL_FAILED, "no memory for %s", path);
  heddle_words_quote(name, result + sprintf(result, "%s -I ", options));
  free(name);
  free(options);
  return result;
}

// Adds "OPTION=VALUE ", the value as one word.
static char *add_hardware_option(char *end, const char *option, const char *value) {
  if (!value)
    return end;
  end += sprintf(end, "%s=", option);
  heddle_words_quote(value, end);
  end += strlen(end);
  return end + sprintf(end, " ");
}

// Of their options, quoted.
static size_t room_of_verilog(const struct request *request) {
  size_t room = 0;
  for (unsigned i = 0; i < request->num_verilog; i++)
    room += 2 * strlen(request->verilog[i]) + 32;
  return room;
}

// What the library makes a device of (host/cl/hardware.h).
static void ask_for_hardware(const struct request *request, const char *build_options) {
  const size_t room = strlen(build_options) + 64 + 2 * (request->lanes ? strlen(request->lanes) : 0) +
                      2 * (request->copies ? strlen(request->copies) : 0) + room_of_verilog(request);
  char *options = allocate(room), *end = options;
  if (strcmp(request->path, "-") == 0)
    die(EXIT_USAGE, "--hardware needs a source file, not standard input");
  end = add_hardware_option(end, "--lanes", request->lanes);
  end = add_hardware_option(end, "--copies", request->copies);
  for (unsigned i = 0; i < request->num_verilog; i++)
    end = add_hardware_option(end, "--verilog", request->verilog[i]);
  strcpy(end, build_options);
  setenv("HEDDLE_HARDWARE", request->path, 1);
  setenv("HEDDLE_HARDWARE_OPTIONS", options, 1);
  free(options);
}

static cl_kernel choose_kernel(cl_program program, const struct request *request) {
  size_t bytes = 0, count = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL), "clGetProgramInfo");
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes), "clGetProgramInfo");
  char *names = allocate(bytes + 1);
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL), "clGetProgramInfo");
  if (count == 0)
    die(EXIT_BUILD_FAILED, "%s has no kernel in it", request->path);
  if (!request->kernel && count > 1)
    die(EXIT_USAGE, "%s has several kernels (%s); choose with --kernel", request->path, names);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, request->kernel ? request->kernel : names, &error);
  if (error == CL_INVALID_KERNEL_NAME)
    die(EXIT_USAGE, "%s has no kernel \"%s\", but: %s", request->path, request->kernel, names);
  check(error, "clCreateKernel");
  free(names);
  return kernel;
}

// The index of the argument of this name, given as NAME or NAME=...; or count.
static unsigned argument_named(const struct argument *arguments, unsigned count, const char *text) {
  const size_t length = strcspn(text, "=");
  unsigned i = 0;
  while (i < count && !(strlen(arguments[i].name) == length && memcmp(arguments[i].name, text, length) == 0))
    i++;
  return i;
}

static void print_signature(const struct argument *arguments, unsigned count, FILE *stream) {
  for (unsigned i = 0; i < count; i++)
    fprintf(stream, "%s%s %s", i ? ", " : "", arguments[i].type_name, arguments[i].name);
}

static void fill_arguments(struct argument *arguments, unsigned count, char **texts, unsigned text_count) {
  const char **given = allocate((count + 1) * sizeof *given);
  unsigned next = 0;
  for (unsigned t = 0; t < text_count; t++) {
    const size_t word = strspn(texts[t], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    unsigned index;
    const char *value = texts[t];
    if (word && texts[t][word] == '=') {
      index = argument_named(arguments, count, texts[t]);
      if (index == count)
        die(EXIT_USAGE, "the kernel has no argument \"%.*s\"", (int)word, texts[t]);
      value += word + 1;
    } else {
      while (next < count && given[next])
        next++;
      index = next;
      if (index == count) {
        fprintf(stderr, "%s: too many arguments; the kernel takes %u: ", program_name, count);
        print_signature(arguments, count, stderr);
        fputc('\n', stderr);
        exit(EXIT_USAGE);
      }
    }
    if (given[index])
      die(EXIT_USAGE, "argument %s is given twice", arguments[index].name);
    given[index] = value;
  }
  for (unsigned i = 0; i < count; i++) {
    if (!given[i]) {
      fprintf(stderr, "%s: argument %s is missing; the kernel takes %u: ", program_name, arguments[i].name, count);
      print_signature(arguments, count, stderr);
      fputc('\n', stderr);
      exit(EXIT_USAGE);
    }
    parse_argument(&arguments[i], given[i]);
  }
  free(given);
}

static void set_arguments(struct session *session, cl_kernel kernel, struct argument *arguments, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    struct argument *a = &arguments[i];
    cl_int error = CL_SUCCESS;
    if (a->role == ROLE_BUFFER) {
      a->buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->bytes, a->data, &error);
      if (error != CL_SUCCESS)
        die(EXIT_KERNEL_FAILED, "no buffer of %zu bytes for %s: %s", a->bytes, a->name, error_name(error));
      error = clSetKernelArg(kernel, i, sizeof a->buffer, &a->buffer);
    } else {
      error = clSetKernelArg(kernel, i, a->bytes, a->role == ROLE_LOCAL ? NULL : a->data);
    }
    if (error != CL_SUCCESS)
      die(EXIT_USAGE, "the kernel does not take argument %s of %zu bytes for its %s: %s", a->name, a->bytes,
          a->type_name, error_name(error));
  }
}

static void show_results(struct session *session, struct argument *arguments, unsigned count,
                         const struct request *request) {
  for (unsigned i = 0; i < count; i++)
    if (arguments[i].buffer && arguments[i].kernel_writes)
      check(clEnqueueReadBuffer(session->queue, arguments[i].buffer, CL_TRUE, 0, arguments[i].bytes, arguments[i].data,
                                0, NULL, NULL),
            "clEnqueueReadBuffer");
  // Fastest first in an NDRange, slowest first in a file.
  size_t shape[3];
  for (unsigned i = 0; i < request->global_dim; i++)
    shape[i] = request->global[request->global_dim - 1 - i];
  for (unsigned i = 0; i < count; i++)
    if (arguments[i].buffer)
      give_shape(&arguments[i], shape, request->global_dim);
  for (unsigned o = 0; o < request->save_count; o++)
    save_elements(&arguments[argument_named(arguments, count, request->saves[o])], strchr(request->saves[o], '=') + 1);
  if (request->quiet)
    return;
  for (unsigned o = 0; o < request->print_count; o++)
    print_elements(stdout, &arguments[argument_named(arguments, count, request->prints[o])], 0);
  if (request->print_count == 0 && request->save_count == 0)
    for (unsigned i = 0; i < count; i++)
      if (arguments[i].buffer && arguments[i].kernel_writes)
        print_elements(stdout, &arguments[i], SHOWN_BY_DEFAULT);
}

static void check_names(const char *const *texts, unsigned text_count, const struct argument *arguments,
                        unsigned count) {
  for (unsigned t = 0; t < text_count; t++) {
    const unsigned i = argument_named(arguments, count, texts[t]);
    if (i == count)
      die(EXIT_USAGE, "the kernel has no argument \"%.*s\" to print or save", (int)strcspn(texts[t], "="), texts[t]);
    if (arguments[i].role != ROLE_BUFFER)
      die(EXIT_USAGE, "argument %s is no buffer", arguments[i].name);
  }
}

// Makes standard output another open file. A copy of the old one is returned.
static int replace_stdout(int by) {
  fflush(stdout);
  const int old = dup(STDOUT_FILENO);
  if (old < 0 || dup2(by, STDOUT_FILENO) < 0)
    die(EXIT_KERNEL_FAILED, "cannot redirect standard output: %s", strerror(errno));
  return old;
}

// What an option asks for comes of the simulated RTL alone.
static void expect_simulated_rtl(cl_device_id device, const char *option) {
  char *name = device_text(device, CL_DEVICE_NAME);
  if (strncmp(name, "Heddle sim", strlen("Heddle sim")) != 0)
    die(EXIT_USAGE, "%s is of the simulated RTL, --device sim, and not of %s", option, name);
  free(name);
}

int command_run(int argc, char **argv) {
  argv[0] = (char[]){"heddle run"};  // getopt begins its messages with it
  const struct request request = parse_options(argc, argv);
  size_t bytes;
  char *source = read_file(request.path, &bytes);
  char *build_options = completed_options(request.build_options);
  if (request.hardware)
    ask_for_hardware(&request, build_options);
  build_options = with_folder_of(request.path, build_options);
  cl_device_id device = choose_device(request.device);
  if (request.hardware)
    expect_simulated_rtl(device, "--hardware");
  if (request.wave)
    expect_simulated_rtl(device, "--wave");
  if (request.konata)
    expect_simulated_rtl(device, "--konata");
  struct session session = open_session(device);
  cl_program program = build_program(&session, source, bytes, build_options, request.path);
  cl_kernel kernel = choose_kernel(program, &request);
  unsigned count;
  struct argument *arguments = kernel_arguments(kernel, &count);
  check_names(request.prints, request.print_count, arguments, count);
  check_names(request.saves, request.save_count, arguments, count);
  fill_arguments(arguments, count, argv + optind, (unsigned)(argc - optind));
  set_arguments(&session, kernel, arguments, count);

  const int standard_output = request.json ? replace_stdout(STDERR_FILENO) : -1;  // what the kernel prints
  cl_event event;
  cl_int error =
      clEnqueueNDRangeKernel(session.queue, kernel, request.global_dim, request.offset_dim ? request.offset : NULL,
                             request.global, request.local_dim ? request.local : NULL, 0, NULL, &event);
  if (error == CL_INVALID_WORK_GROUP_SIZE || error == CL_INVALID_WORK_ITEM_SIZE) {
    size_t limit = 0;
    check(clGetKernelWorkGroupInfo(kernel, session.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL),
          "clGetKernelWorkGroupInfo");
    die(EXIT_USAGE,
        "this kernel cannot have such work-groups: at most %zu work-items, and what its reqd_work_group_size says",
        limit);
  }
  check(error, "clEnqueueNDRangeKernel");
  double seconds;
  error = wait_with_progress(event, "running", request.progress, &seconds);
  if (request.json)
    close(replace_stdout(standard_output));
  if (error != CL_SUCCESS) {  // the context callback has printed kernel, reason and work-item
    show_stats(&session, kernel, event, &request, seconds);
    return EXIT_KERNEL_FAILED;
  }
  show_results(&session, arguments, count, &request);
  show_stats(&session, kernel, event, &request, seconds);
  need_files();
  return 0;
}
