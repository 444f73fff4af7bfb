// SPDX-License-Identifier: Apache-2.0
// heddlec: the kernel compiler and linker. Run by people and by the OpenCL library. This file is the order of the
// steps; each step is a file of its own.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "contract/output_file.h"
#include "hls/builtins.h"
#include "hls/depend.h"
#include "hls/front_end.h"
#include "hls/il.h"
#include "hls/image.h"
#include "hls/isa.h"
#include "hls/kernel_pass.h"
#include "hls/link.h"
#include "hls/merge.h"
#include "hls/object.h"
#include "hls/options.h"
#include "hls/pipeline/folder.h"
#include "hls/pipeline/hardware.h"
#include "hls/scratch.h"

// A result that could not be written whole is removed, so that nobody takes it for one. "-" is standard output.
static enum status deliver(enum scratch_file file, const char *output) {
  FILE *from = fopen(scratch_path(file), "rb");
  const bool is_stdout = strcmp(output, "-") == 0;
  FILE *to = !from ? NULL : is_stdout ? stdout : fopen(output, "wb");
  bool is_copied = to;
  char block[1 << 16];
  size_t length;
  while (is_copied && (length = fread(block, 1, sizeof block, from)) > 0)
    is_copied = fwrite(block, 1, length, to) == length;
  is_copied = is_copied && ferror(from) == 0;
  if (to && (is_stdout ? fflush(to) : fclose(to)) != 0)
    is_copied = false;
  if (!is_copied) {
    fprintf(stderr, "heddlec: cannot write %s: %s\n", output, strerror(errno));
    if (to && !is_stdout)
      heddle_output_file_withdraw(output);
  }
  if (from)
    fclose(from);
  return is_copied ? STATUS_OK : STATUS_FAILED;
}

// The module in SCRATCH_BITCODE, of one source or of many, becomes what was asked for.
static enum status finish(const struct options *options) {
  enum status status = kernel_pass_run(options);
  if (options->emit != EMIT_ELF)
    return status == STATUS_OK ? deliver(SCRATCH_OBJECT, options->output) : status;
  if (status == STATUS_OK)
    status = link_run(options);
  if (status == STATUS_OK)
    status = image_finish();
  return status == STATUS_OK ? deliver(SCRATCH_IMAGE, options->output) : status;
}

static enum status deliver_object(const struct options *options, uint32_t kind, uint32_t flags) {
  enum status status = object_write(options, kind, flags);
  return status == STATUS_OK ? deliver(SCRATCH_IMAGE, options->output) : status;
}

// What the kernel file says of the device's pipelines: from the same input, with the built-in library for pipelines.
static enum status describe_pipelines(const struct options *options,
                                      enum status (*bitcode)(const struct options *options)) {
  if (options->pipelines.count == 0)
    return STATUS_OK;
  struct options for_pipelines = *options;
  for_pipelines.mode = MODE_HARDWARE;
  for_pipelines.is_quiet = true;
  enum status status = bitcode(&for_pipelines);
  return status == STATUS_OK ? hardware_describe(&for_pipelines) : status;
}

// From a source to SCRATCH_BITCODE, which has what it uses of the built-in library if that is wanted.
static enum status source_to_bitcode(const struct options *options) {
  const bool is_il = il_is_input(options);
  enum status status = is_il ? il_run(options) : front_end_run(options);
  return status == STATUS_OK && is_il && options->mode != MODE_COMPILE ? builtins_link(options) : status;
}

static enum status compile(const struct options *options) {
  if (options->mode == MODE_COMPILE) {
    enum status status = source_to_bitcode(options);
    if (status == STATUS_OK)
      status = kernel_pass_check(options);
    return status == STATUS_OK ? deliver_object(options, HEDDLE_COMPILED_OBJECT, object_flags(options)) : status;
  }
  enum status status = describe_pipelines(options, source_to_bitcode);
  if (status == STATUS_OK)
    status = source_to_bitcode(options);
  return status == STATUS_OK ? finish(options) : status;
}

static enum status objects_to_bitcode(const struct options *options) {
  uint32_t flags;
  struct options changed = *options;
  enum status status = merge_run(&changed, &flags);
  return status == STATUS_OK ? builtins_link(options) : status;
}

static enum status link_objects(struct options *options) {
  uint32_t flags = 0;
  enum status status = options->create_library ? STATUS_OK : describe_pipelines(options, objects_to_bitcode);
  if (status == STATUS_OK)
    status = merge_run(options, &flags);
  if (status == STATUS_OK && options->create_library)
    return deliver_object(options, HEDDLE_LIBRARY, flags);
  if (status == STATUS_OK)
    status = builtins_link(options);
  return status == STATUS_OK ? finish(options) : status;
}

// Whether hardware is to be made of object files instead of a source.
static enum status find_objects(const struct options *options, bool *are_objects) {
  unsigned char start[HEDDLE_OBJECT_HEADER_BYTES];
  *are_objects = true;
  for (size_t i = 0; i < options->inputs.count && *are_objects; i++) {
    FILE *file = strcmp(options->inputs.items[i], "-") != 0 ? fopen(options->inputs.items[i], "rb") : NULL;
    const size_t size = file ? fread(start, 1, sizeof start, file) : 0;
    *are_objects = heddle_object_file_claimed(start, size);
    if (file)
      fclose(file);
  }
  if (*are_objects || options->inputs.count == 1)
    return STATUS_OK;
  fprintf(stderr, "heddlec: more than one source file: '%s'; several object files may be hardware together\n",
          options->inputs.items[1]);
  return STATUS_INVALID_OPTIONS;
}

// Pipelines, and then the kernel file that a program may have instead of them.
static enum status make_hardware(struct options *options) {
  bool are_objects;
  enum status status = find_objects(options, &are_objects);
  if (status == STATUS_OK)
    status = are_objects ? objects_to_bitcode(options) : source_to_bitcode(options);
  if (status != STATUS_OK)
    return status;
  status = hardware_run(options);
  if (options->emit_ir) {  // also of kernels that were refused, to see why
    enum status delivered =
        status == STATUS_OK || status == STATUS_REJECTED ? deliver(SCRATCH_OBJECT, options->output) : status;
    return status == STATUS_OK ? delivered : status;
  }
  if (status == STATUS_OK) {
    char output[4096];
    struct options for_units = *options;
    for_units.mode = are_objects ? MODE_LINK : MODE_BUILD;
    for_units.is_quiet = true;
    snprintf(output, sizeof output, "%s/" FOLDER_KERNEL_FILE, options->output);
    for_units.output = output;
    status = folder_pipelines(options->output, &for_units.pipelines);
    if (status == STATUS_OK)
      status = are_objects ? link_objects(&for_units) : compile(&for_units);
    strings_free(&for_units.pipelines);
  }
  return status;
}

// A program without them would take a file that it opens for its standard error.
static void open_standard_descriptors(void) {
  int descriptor;
  while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= STDERR_FILENO) {
  }
  close(descriptor);
}

int main(int argc, char **argv) {
  open_standard_descriptors();
  struct options options;
  char features[256];
  enum status status = options_parse(argc, argv, &options);
  if (status == STATUS_OK && options.inputs.count > 0) {
    status = isa_features(options.isa, features, sizeof features);
    if (status == STATUS_OK)
      status = scratch_open(options.scratch);
    if (status == STATUS_OK) {
      // SPIR-V has no version of OpenCL C, and what is linked has what its parts have.
      const bool has_remainders = strncmp(options.version, "CL1", 3) != 0;
      options.is_uniform |= options.mode != MODE_LINK && !has_remainders && !il_is_input(&options);
      status = options.mode == MODE_LINK       ? link_objects(&options)
               : options.mode == MODE_HARDWARE ? make_hardware(&options)
                                               : compile(&options);
    }
    if (status == STATUS_OK)
      status = depend_tell(&options);
  }
  options_free(&options);
  return (int)status;
}
