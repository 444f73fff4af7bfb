// SPDX-License-Identifier: Apache-2.0
// What stands for compiler.c, hardware.c, reconfigure.c, source_line.c and waves.c in a library that takes kernels as
// binaries only (HEDDLE_NO_COMPILER=1, host/README.md): there is no compiler and no linker, and nothing is looked for.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/cache_folder.h"
#include "host/cl/compiler.h"
#include "host/cl/hardware.h"
#include "host/cl/reconfigure.h"
#include "host/cl/source_line.h"
#include "host/observe/waves.h"

bool heddle_compiler_available(void) {
  return false;
}

bool heddle_compiler_takes_il(void) {
  return false;
}

// Object files can be kept and given back, as far as their own header says that they are whole.
bool heddle_compiler_reads(const char *compiler) {
  (void)compiler;
  return true;
}

void heddle_compiler_forked(void) {}

cl_int heddle_compile(const struct heddle_job *job, struct heddle_compilation *result) {
  static const char advice[] =
      "This OpenCL library was built without a kernel compiler. Compile with heddlec where there is one "
      "(heddlec KERNELS.cl -o KERNELS.elf) and pass the file to clCreateProgramWithBinary.\n";
  *result = (struct heddle_compilation){.log = strdup(advice)};
  if (!result->log)
    return CL_OUT_OF_HOST_MEMORY;
  return job->step == HEDDLE_LINK ? CL_LINKER_NOT_AVAILABLE : CL_COMPILER_NOT_AVAILABLE;
}

int heddle_cache_check(struct heddle_error *error) {
  (void)error;
  return 0;
}

// No waveform is left out silently.
bool heddle_hardware_asked(void) {
  return heddle_waves_asked();
}

int heddle_hardware_open(struct heddle_link *link, struct heddle_error *error) {
  (void)link;
  return heddle_fail(
      error, -ENOENT,
      "HEDDLE_WAVE: this OpenCL library was built without a kernel compiler, and makes no simulated devices");
}

bool heddle_waves_asked(void) {
  const char *path = getenv("HEDDLE_WAVE");
  return path && *path;
}

int heddle_waves_begin(void *library, void *device, struct heddle_error *error) {
  (void)library;
  (void)device;
  (void)error;
  return 0;
}

void heddle_waves_end(const void *device) {
  (void)device;
}

int heddle_bitstream_load(const struct heddle_fat_part *part, struct heddle_error *error) {
  (void)part;
  return heddle_fail(error, -ENOTSUP, "this OpenCL library starts no programs; load the bitstream with `heddle flash`");
}

bool heddle_source_line(const void *elf, size_t elf_bytes, uint64_t offset, char line[HEDDLE_SOURCE_LINE_BYTES]) {
  (void)elf;
  (void)elf_bytes;
  (void)offset;
  line[0] = 0;
  return false;
}
