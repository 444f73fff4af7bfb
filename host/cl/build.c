// SPDX-License-Identifier: Apache-2.0
// Builds (build.h).
#include "host/cl/build.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/isa.h"
#include "contract/object_file.h"
#include "contract/spirv.h"
#include "host/cl/kernel.h"
#include "host/device/chains.h"
#include "host/environment.h"

static void append_log(struct heddle_build *build, const char *text) {
  const size_t old = build->log ? strlen(build->log) : 0;
  char *log = realloc(build->log, old + strlen(text) + 1);
  if (!log)
    return;
  strcpy(log + old, text);
  build->log = log;
}

// Why the device cannot run a kernel, as a line; false: it can.
static bool describe_misfit(const struct heddle_kernel *kernel, const struct heddle_capabilities *capabilities,
                            char *line, size_t bytes) {
  const struct heddle_unit_kind *kind = heddle_kernel_kind(kernel, capabilities);
  if (kind->units == 0 && kernel->chain_kind == 0)
    snprintf(line, bytes,
             "Kernel %.200s is not in this device, which has no programmable unit but kernel pipelines alone%s. "
             "'make bitstream BOARD=... KERNELS=FILE.cl' makes a bitstream with the kernels of a source file, "
             "HEDDLE_HARDWARE=FILE.cl a simulated device.\n",
             kernel->name,
             kernel->has_hash
                 ? ", of other kernels, of another version of it or of one with other build options (-cl-std=CL3.0 "
                   "where nobody says another; programs have 1.2)"
                 : "; nor does the binary say which pipeline it would be (build it from source)");
  else if (kernel->required_sub_group_size > kind->lanes)
    snprintf(line, bytes, "Kernel %.200s requires sub-groups of %u, the device has 1 to %u.\n", kernel->name,
             kernel->required_sub_group_size, kind->lanes);
  else if (kernel->required_num_sub_groups > kind->slots)
    snprintf(line, bytes, "Kernel %.200s requires work-groups of %u sub-groups, the device has at most %u.\n",
             kernel->name, kernel->required_num_sub_groups, kind->slots);
  else if (heddle_private_log2(kernel->stack_bytes) == 0)
    snprintf(line, bytes, "Kernel %.200s needs %u bytes of private memory a work-item.\n", kernel->name,
             kernel->stack_bytes);
  else
    return false;
  return true;
}

// Whether the device can run the kernels of the file; what it cannot goes into the log. A kernel whose sub-group size
// the device lacks is not to be run, and the others are (cl_intel_required_subgroup_size): a program without any other
// fails.
static bool fits_device(struct heddle_build *build, const struct heddle_kernel_file *file,
                        const struct heddle_capabilities *capabilities) {
  enum { MISFITS_SHOWN = 50 };
  char line[768];
  uint32_t misfits = 0, of_size = 0;
  bool needs_isa = file->num_blocks != 0;  // what runs on a pipeline has no instructions
  for (uint32_t i = 0; i < file->num_kernels; i++)
    needs_isa = needs_isa || file->kernels[i].kind == 0;
  if (needs_isa && capabilities->units != 0 && !heddle_isa_covers(capabilities->isa, file->isa)) {
    snprintf(line, sizeof line, "The program is compiled for %.80s, the device is %s.\n", file->isa, capabilities->isa);
    append_log(build, line);
    return false;
  }
  for (uint32_t i = 0; i < file->num_kernels + file->num_blocks; i++) {
    if (!describe_misfit(&file->kernels[i], capabilities, line, sizeof line))
      continue;
    const struct heddle_kernel *kernel = &file->kernels[i];
    of_size +=
        i < file->num_kernels && kernel->required_sub_group_size > heddle_kernel_kind(kernel, capabilities)->lanes;
    if (misfits++ < MISFITS_SHOWN)
      append_log(build, line);
  }
  if (misfits > MISFITS_SHOWN) {
    snprintf(line, sizeof line, "%u more kernels do not fit the device.\n", misfits - MISFITS_SHOWN);
    append_log(build, line);
  }
  return misfits == 0 || (misfits == of_size && misfits < file->num_kernels);
}

// Whether kernels may run on pipelines: HEDDLE_PIPELINES=0 sends them all to programmable units.
static const struct heddle_variable pipelines_variable = {
    .name = "HEDDLE_PIPELINES", .otherwise = 1, .most = 1, .what = "0 or 1"};
static bool uses_pipelines(void) {
  uint64_t value;
  struct heddle_error error;
  heddle_environment_number(&pipelines_variable, &value, &error);
  return value != 0;
}

// Of a device that has pipelines. False: the log says what is wrong with the variable.
static bool pipelines_known(struct heddle_build *build, const struct heddle_capabilities *capabilities) {
  uint64_t value;
  struct heddle_error error;
  if (capabilities->num_kinds < 2 || heddle_environment_number(&pipelines_variable, &value, &error) == 0)
    return true;
  append_log(build, error.text);
  append_log(build, "\n");
  return false;
}

static bool is_of_kind(const struct heddle_kernel *kernel, const struct heddle_unit_kind *kind) {
  return kind->type == HEDDLE_KIND_IS_PIPELINE && kernel->has_hash && !kernel->enqueues &&
         memcmp(kind->hash, kernel->hash, sizeof kind->hash) == 0 && kernel->required_sub_group_size <= kind->lanes &&
         kernel->required_num_sub_groups <= kind->slots;
}

// The kind of compute unit for a kernel: of the pipelines that are it, the one with most lanes; else the programmable
// one.
static uint32_t choose_kind(const struct heddle_kernel *kernel, const struct heddle_capabilities *capabilities) {
  uint32_t chosen = 0;
  for (uint32_t i = 1; i < capabilities->num_kinds; i++) {
    const struct heddle_unit_kind *kind = &capabilities->kinds[i];
    if (kind->units != 0 && !heddle_kind_is_of_chain(capabilities, i) && is_of_kind(kernel, kind) &&
        (chosen == 0 || kind->lanes > capabilities->kinds[chosen].lanes))
      chosen = i;
  }
  return chosen;
}

// The kind that a kernel is in a chain; 0: none.
static uint32_t choose_chain_kind(const struct heddle_kernel *kernel, const struct heddle_capabilities *capabilities) {
  for (uint32_t i = 1; i < capabilities->num_kinds; i++)
    if (heddle_kind_is_of_chain(capabilities, i) && is_of_kind(kernel, &capabilities->kinds[i]))
      return i;
  return 0;
}

static const char *plural(unsigned count) {
  return count != 1 ? "s" : "";
}

// Gives each kernel its kind, and says so in the log of a device that has several.
static void choose_kinds(struct heddle_build *build, struct heddle_kernel_file *file,
                         const struct heddle_capabilities *capabilities) {
  const bool wanted = capabilities->num_kinds > 1 && uses_pipelines();
  char line[512];
  for (uint32_t i = 0; i < file->num_kernels && wanted; i++) {
    struct heddle_kernel *kernel = &file->kernels[i];
    kernel->kind = choose_kind(kernel, capabilities);
    kernel->chain_kind = kernel->kind == 0 ? choose_chain_kind(kernel, capabilities) : 0;
    // Without programmable units it runs in the chain or not at all.
    if (kernel->chain_kind != 0 && capabilities->units == 0)
      kernel->kind = kernel->chain_kind;
    const struct heddle_unit_kind *kind = &capabilities->kinds[kernel->kind];
    if (kernel->chain_kind != 0)
      snprintf(line, sizeof line,
               "Kernel %.200s runs on its pipeline with the other end of its pipe%s: %u lane%s, %u "
               "slots.\n",
               kernel->name, capabilities->units != 0 ? ", and alone on the programmable unit" : "",
               capabilities->kinds[kernel->chain_kind].lanes, plural(capabilities->kinds[kernel->chain_kind].lanes),
               capabilities->kinds[kernel->chain_kind].slots);
    else if (kernel->kind != 0 && kind->units > 1)
      snprintf(line, sizeof line, "Kernel %.200s runs on its pipeline: %u lane%s, %u slots, %u copies.\n", kernel->name,
               kind->lanes, plural(kind->lanes), kind->slots, kind->units);
    else if (kernel->kind != 0)
      snprintf(line, sizeof line, "Kernel %.200s runs on its pipeline: %u lane%s, %u slots.\n", kernel->name,
               kind->lanes, plural(kind->lanes), kind->slots);
    else
      snprintf(line, sizeof line, "Kernel %.200s runs on the programmable unit.\n", kernel->name);
    if (kind->units != 0 || kernel->chain_kind != 0)
      append_log(build, line);
  }
}

// Pipes of a kernel on the chip, by their arguments: ":r1w0". Returns how many characters.
enum { PIPES_BYTES = 2 + 2 * HEDDLE_CHAIN_PIPES * 4 };
static size_t name_pipes(const struct heddle_chain_shape *shape, uint32_t number, char *text) {
  size_t used = 0;
  for (uint32_t argument = 0; argument < 256; argument++)
    for (uint32_t p = 0; p < shape->num_pipes; p++) {
      const struct heddle_chain_pipe *pipe = &shape->pipes[p];
      const bool reads = pipe->reader == number && pipe->reader_argument == argument;
      if (reads || (pipe->writer == number && pipe->writer_argument == argument))
        used += (size_t)snprintf(text + used, PIPES_BYTES - used, "%s%c%u", used == 0 ? ":" : "", reads ? 'r' : 'w',
                                 argument);
    }
  return used;
}

// The device's pipelines as the compiler is told of them, in a buffer of PIPELINES_BYTES.
enum { PIPELINES_BYTES = HEDDLE_KINDS_MOST * (72 + PIPES_BYTES) };
static void name_pipelines(const struct heddle_capabilities *capabilities, char *text) {
  size_t used = 0;
  text[0] = 0;
  for (uint32_t i = 1; i < capabilities->num_kinds && uses_pipelines(); i++) {
    const struct heddle_unit_kind *kind = &capabilities->kinds[i];
    struct heddle_chain_shape shape;
    const bool is_of_chain = heddle_chain_shape(capabilities, i, &shape);
    if (kind->type != HEDDLE_KIND_IS_PIPELINE || (kind->units == 0 && !is_of_chain))
      continue;
    used += (size_t)snprintf(text + used, PIPELINES_BYTES - used, "%s%08x%08x%08x%08x:%u:%u:%u", used != 0 ? " " : "",
                             kind->hash[0], kind->hash[1], kind->hash[2], kind->hash[3], kind->lanes, kind->slots,
                             kind->sites);
    if (is_of_chain)
      used += name_pipes(&shape, heddle_chain_number(&shape, i), text + used);
  }
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
  choose_kinds(build, file, capabilities);
  if (!fits_device(build, file, capabilities)) {
    heddle_kernel_file_close(file);
    return CL_BUILD_PROGRAM_FAILURE;
  }
  build->file = file;
  build->changes = capabilities->changes;
  return CL_SUCCESS;
}

static cl_program_binary_type type_of(const struct heddle_object_file *object) {
  return object->kind == HEDDLE_LIBRARY ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
}

// Does the job, and takes over what came out as the program's binary.
static cl_int run(struct heddle_build *build, const struct heddle_job *inputs,
                  const struct heddle_capabilities *capabilities) {
  struct heddle_job job = *inputs;  // what is of this build is added
  struct heddle_compilation result;
  struct heddle_object_file object;
  struct heddle_error reason;
  job.isa = capabilities->isa;
  job.has_double = heddle_offers_double();
  job.has_checks = build->has_checks;
  char pipelines[PIPELINES_BYTES];
  name_pipelines(capabilities, pipelines);
  job.pipelines = pipelines;
  job.options = build->options;
  cl_int error = heddle_compile(&job, &result);
  build->log = result.log;
  if (error != CL_SUCCESS)
    return error;
  free(build->binary);
  build->binary = result.output;
  build->binary_bytes = result.output_bytes;
  build->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  if (heddle_object_file_read(build->binary, build->binary_bytes, &object, &reason) == 0)
    build->type = type_of(&object);
  if (build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE && accept(build, capabilities) != CL_SUCCESS)
    error = job.step == HEDDLE_LINK ? CL_LINK_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE;
  return error;
}

// Forgets the last build, and answers what every build needs.
static cl_int begin(cl_program program, int index, const char *options,
                    const struct heddle_capabilities **capabilities) {
  struct heddle_build *build = &program->builds[index];
  heddle_program_drop_executable(program, index);
  free(build->options);
  free(build->log);
  build->log = NULL;
  build->options = strdup(options ? options : "");
  *capabilities = heddle_capabilities_of(program->devices[index]);
  build->has_checks = *capabilities && heddle_device_checks(program->devices[index]->root->driver);
  if (!build->options)
    return CL_OUT_OF_HOST_MEMORY;
  if (!*capabilities)
    return CL_OUT_OF_RESOURCES;
  return pipelines_known(build, *capabilities) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int end(struct heddle_build *build, cl_int error) {
  build->status = error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  return error;
}

// The source, or the SPIR-V with its constants as they are set. Its bytes are the caller's to free where it is *owned.
static cl_int take_source(cl_program program, struct heddle_input *source, void **owned) {
  struct heddle_error error;
  size_t count;
  *source = (struct heddle_input){.bytes = program->source, .size = program->source_bytes};
  *owned = NULL;
  if (!program->il)
    return CL_SUCCESS;
  uint32_t *words = heddle_spirv_open(program->il, program->il_bytes, &count, &error);
  if (!words)
    return CL_OUT_OF_HOST_MEMORY;  // it was whole when it came
  for (size_t i = 0; i < program->num_specializations; i++)
    heddle_spirv_specialize(words, count, program->specializations[i].id, program->specializations[i].value);
  *source = (struct heddle_input){.bytes = words, .size = count * sizeof *words};
  *owned = words;
  return CL_SUCCESS;
}

// Does the job with the program's source.
static cl_int run_source(cl_program program, int index, struct heddle_job job,
                         const struct heddle_capabilities *capabilities) {
  struct heddle_input source;
  void *owned;
  cl_int error = take_source(program, &source, &owned);
  job.inputs = &source;
  job.num_inputs = 1;
  if (error == CL_SUCCESS)
    error = run(&program->builds[index], &job, capabilities);
  free(owned);
  return error;
}

cl_int heddle_build_program(cl_program program, int index, const char *options) {
  struct heddle_build *build = &program->builds[index];
  const struct heddle_job job = {.step = HEDDLE_BUILD};
  const struct heddle_capabilities *capabilities;
  cl_int error = begin(program, index, options, &capabilities);
  if (error == CL_SUCCESS && heddle_program_has_source(program))
    error = run_source(program, index, job, capabilities);
  else if (error == CL_SUCCESS)
    error = build->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE ? accept(build, capabilities) : CL_INVALID_BINARY;
  return end(build, error);
}

cl_int heddle_build_object(cl_program program, int index, const char *options, const struct heddle_input *headers,
                           size_t num_headers) {
  struct heddle_build *build = &program->builds[index];
  const struct heddle_job job = {.step = HEDDLE_COMPILE, .headers = headers, .num_headers = num_headers};
  const struct heddle_capabilities *capabilities;
  cl_int error = begin(program, index, options, &capabilities);
  if (error == CL_SUCCESS)
    error = run_source(program, index, job, capabilities);
  return end(build, error);
}

cl_int heddle_build_linked(cl_program program, int index, const char *options, const struct heddle_input *objects,
                           size_t num_objects) {
  struct heddle_build *build = &program->builds[index];
  const struct heddle_job job = {.step = HEDDLE_LINK, .inputs = objects, .num_inputs = num_objects};
  const struct heddle_capabilities *capabilities;
  cl_int error = begin(program, index, options, &capabilities);
  if (error == CL_SUCCESS)
    error = run(build, &job, capabilities);
  return end(build, error);
}

// A kernel file has to load, and every kernel of it to fit the device.
static cl_int check_executable(const void *binary, size_t size, const struct heddle_capabilities *capabilities,
                               char **why) {
  struct heddle_build tried = {.binary = (unsigned char *)(uintptr_t)binary, .binary_bytes = size};
  const cl_int error = accept(&tried, capabilities);
  heddle_kernel_file_close(tried.file);
  *why = tried.log;
  return error == CL_SUCCESS ? CL_SUCCESS : CL_INVALID_BINARY;
}

bool heddle_build_has_pipelines(cl_device_id device, const void *binary, size_t size) {
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  struct heddle_kernel_file *file = NULL;
  struct heddle_error error;
  uint32_t candidates = 0, found = 0;
  if (!capabilities || heddle_kernel_file_open(binary, size, &file, &error) != 0)
    return true;
  for (uint32_t i = 0; i < file->num_kernels; i++) {
    candidates += file->kernels[i].has_hash;
    found +=
        choose_kind(&file->kernels[i], capabilities) != 0 || choose_chain_kind(&file->kernels[i], capabilities) != 0;
  }
  heddle_kernel_file_close(file);
  return candidates == 0 || found != 0;
}

static cl_int check_object(const void *binary, size_t size, const struct heddle_capabilities *capabilities, char **why,
                           cl_program_binary_type *type) {
  struct heddle_object_file object;
  struct heddle_error error;
  if (heddle_object_file_read(binary, size, &object, &error) == 0) {
    *type = type_of(&object);
    if (!heddle_isa_covers(capabilities->isa, object.isa))
      heddle_fail(&error, -EINVAL, "The program is compiled for %s, the device is %s.", object.isa, capabilities->isa);
    else if (!heddle_compiler_reads(object.compiler))
      heddle_fail(&error, -EINVAL, "The program was compiled by %s, which the heddlec that is there does not read.",
                  object.compiler);
    else
      return CL_SUCCESS;
  }
  *why = strdup(error.text);
  return CL_INVALID_BINARY;
}

cl_int heddle_build_check_binary(cl_device_id device, const void *binary, size_t size, cl_program_binary_type *type,
                                 char **why) {
  const struct heddle_capabilities *capabilities = heddle_capabilities_of(device);
  *why = NULL;
  if (!capabilities) {
    *why = strdup(device->root->error.text);
    return CL_OUT_OF_RESOURCES;
  }
  *type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return heddle_object_file_claimed(binary, size) ? check_object(binary, size, capabilities, why, type)
                                                  : check_executable(binary, size, capabilities, why);
}
