// SPDX-License-Identifier: Apache-2.0
// Programs (program.h).
#include "host/cl/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/compiler.h"
#include "host/device/isa.h"

bool heddle_is_program(cl_program program) {
  return heddle_object_valid(program, HEDDLE_PROGRAM_OBJECT);
}

cl_program heddle_program_create(cl_context context, cl_uint num_devices, const cl_device_id *devices) {
  cl_program program = heddle_object_create(HEDDLE_PROGRAM_OBJECT, sizeof *program);
  if (!program)
    return NULL;
  heddle_object_retain(context);
  program->context = context;
  program->num_devices = num_devices;
  memcpy(program->devices, devices, num_devices * sizeof *devices);
  for (cl_uint i = 0; i < num_devices; i++)
    program->builds[i].status = CL_BUILD_NONE;
  pthread_mutex_init(&program->lock, NULL);
  return program;
}

// Forgets the executable, and its place on the device.
static void drop_executable(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  if (build->placed)
    heddle_device_free(program->devices[index]->driver, build->address);
  build->placed = build->loaded = false;
  heddle_kernel_file_close(build->file);
  build->file = NULL;
}

void heddle_program_release(cl_program program) {
  if (!heddle_object_release(program))
    return;
  for (cl_uint i = 0; i < program->num_devices; i++) {
    drop_executable(program, (int)i);
    free(program->builds[i].options);
    free(program->builds[i].log);
    free(program->builds[i].binary);
  }
  free(program->source);
  pthread_mutex_destroy(&program->lock);
  heddle_context_release(program->context);
  free(program);
}

int heddle_program_index(cl_program program, cl_device_id device) {
  for (cl_uint i = 0; i < program->num_devices; i++) {
    if (program->devices[i] == device)
      return (int)i;
  }
  return -1;
}

bool heddle_program_has_executable(cl_program program) {
  bool found = false;
  pthread_mutex_lock(&program->lock);
  for (cl_uint i = 0; i < program->num_devices; i++)
    found = found || program->builds[i].file != NULL;
  pthread_mutex_unlock(&program->lock);
  return found;
}

static void append_log(struct heddle_build *build, const char *text) {
  const size_t old = build->log ? strlen(build->log) : 0;
  char *log = realloc(build->log, old + strlen(text) + 1);
  if (!log)
    return;
  strcpy(log + old, text);
  build->log = log;
}

// Whether the device can run every kernel of the file; what it cannot goes into the log.
static bool fits_device(struct heddle_build *build, const struct heddle_kernel_file *file,
                        const struct heddle_capabilities *capabilities) {
  char line[512];
  bool fits = true;
  if (!heddle_isa_covers(capabilities->isa, file->isa)) {
    snprintf(line, sizeof line, "The program is compiled for %.80s, the device is %s.\n", file->isa, capabilities->isa);
    append_log(build, line);
    return false;
  }
  for (uint32_t i = 0; i < file->num_kernels + file->num_blocks; i++) {
    const struct heddle_kernel *kernel = &file->kernels[i];
    if (kernel->required_sub_group_size > capabilities->lanes) {
      snprintf(line, sizeof line, "Kernel %.200s requires sub-groups of %u, the device has 1 to %u.\n", kernel->name,
               kernel->required_sub_group_size, capabilities->lanes);
      append_log(build, line);
      fits = false;
    }
    if (heddle_private_log2(kernel->stack_bytes) == 0) {
      snprintf(line, sizeof line, "Kernel %.200s needs %u bytes of private memory a work-item.\n", kernel->name,
               kernel->stack_bytes);
      append_log(build, line);
      fits = false;
    }
  }
  return fits;
}

// Compiles the source of the program; fills binary and log.
static cl_int compile(cl_program program, struct heddle_build *build, const struct heddle_capabilities *capabilities) {
  struct heddle_compilation result;
  const struct heddle_target target = {.isa = capabilities->isa, .has_double = heddle_offers_double()};
  const cl_int error = heddle_compile(program->source, program->source_bytes, &target, build->options, &result);
  build->log = result.log;
  if (error == CL_SUCCESS) {
    free(build->binary);
    build->binary = result.elf;
    build->binary_bytes = result.elf_bytes;
  }
  return error;
}

// Makes the binary an executable.
static cl_int accept(struct heddle_build *build, const struct heddle_capabilities *capabilities) {
  struct heddle_kernel_file *file;
  struct heddle_error error;
  if (heddle_kernel_file_open(build->binary, build->binary_bytes, &file, &error) != 0) {
    append_log(build, error.text);
    append_log(build, "\n");
    return CL_BUILD_PROGRAM_FAILURE;
  }
  if (!fits_device(build, file, capabilities)) {
    heddle_kernel_file_close(file);
    return CL_BUILD_PROGRAM_FAILURE;
  }
  build->file = file;
  return CL_SUCCESS;
}

cl_int heddle_program_build(cl_program program, int index, const char *options) {
  struct heddle_build *build = &program->builds[index];
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(program->devices[index]);
  cl_int error = CL_SUCCESS;
  drop_executable(program, index);
  free(build->options);
  free(build->log);
  build->log = NULL;
  build->options = strdup(options ? options : "");
  if (!build->options)
    error = CL_OUT_OF_HOST_MEMORY;
  else if (!capabilities)
    error = CL_OUT_OF_RESOURCES;
  else if (program->source)
    error = compile(program, build, capabilities);
  else if (!build->binary)
    error = CL_INVALID_BINARY;
  if (error == CL_SUCCESS)
    error = accept(build, capabilities);
  build->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  return error;
}

bool heddle_build_uniform(const struct heddle_build *build) {
  const char *options = build->options ? build->options : "";
  return strstr(options, "-cl-uniform-work-group-size") || strstr(options, "-cl-std=CL1");
}

cl_int heddle_program_place(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  pthread_mutex_lock(&program->lock);
  if (!build->placed)
    build->placed = heddle_device_allocate(program->devices[index]->driver, build->file->image_bytes,
                                           HEDDLE_IMAGE_ALIGNMENT, &build->address) == 0;
  const bool placed = build->placed;
  pthread_mutex_unlock(&program->lock);
  return placed ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

int heddle_program_load(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  if (build->loaded)
    return 0;
  uint8_t *image = malloc(build->file->image_bytes);
  if (!image)
    return -ENOMEM;
  heddle_kernel_file_place(build->file, build->address, image);
  const int result =
      heddle_device_write(program->devices[index]->driver, build->address, image, build->file->image_bytes);
  build->loaded = result == 0;
  free(image);
  return result;
}
