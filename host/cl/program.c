// SPDX-License-Identifier: Apache-2.0
// Programs (program.h).
#include "host/cl/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/channel_pipes.h"
#include "host/observe/observe.h"

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

void heddle_program_drop_executable(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  if (build->placed)
    heddle_device_free(program->devices[index]->root->driver, build->address);
  if (build->placed && build->data != 0)
    heddle_device_free(program->devices[index]->root->driver, build->data);
  build->placed = build->loaded = false;
  heddle_kernel_file_close(build->file);
  build->file = NULL;
  heddle_channels_free(build->channels);
  build->channels = NULL;
}

void heddle_program_release(cl_program program) {
  if (!heddle_object_release(program))
    return;
  for (cl_uint i = 0; i < program->num_devices; i++) {
    heddle_program_drop_executable(program, (int)i);
    free(program->builds[i].options);
    free(program->builds[i].log);
    free(program->builds[i].binary);
  }
  free(program->source);
  free(program->il);
  free(program->specializations);
  pthread_mutex_destroy(&program->lock);
  heddle_context_release(program->context);
  free(program);
}

int heddle_program_index(cl_program program, cl_device_id device) {
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (program->devices[i] == device)
      return (int)i;
  return -1;
}

int heddle_program_build_of(cl_program program, cl_device_id device) {
  for (cl_device_id at = device; at; at = at->parent) {
    const int index = heddle_program_index(program, at);
    if (index >= 0 && (program->builds[index].status != CL_BUILD_NONE || program->builds[index].binary))
      return index;
  }
  return heddle_program_index(program, device);
}

bool heddle_program_has_source(cl_program program) {
  return program->source || program->il;
}

bool heddle_program_has_executable(cl_program program) {
  bool found = false;
  pthread_mutex_lock(&program->lock);
  for (cl_uint i = 0; i < program->num_devices; i++)
    found = found || program->builds[i].file;
  pthread_mutex_unlock(&program->lock);
  return found;
}

cl_int heddle_program_check_devices(cl_program program, cl_uint num_devices, const cl_device_id *devices) {
  if ((num_devices == 0) != !devices)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_devices; i++)
    if (!heddle_is_device(devices[i]) || heddle_program_index(program, devices[i]) < 0)
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

// Where the first segment that kernels write begins in the image; at its end if there is none.
static uint32_t first_written(const struct heddle_kernel_file *file) {
  for (uint32_t i = 0; i < file->num_segments; i++)
    if (file->segments[i].is_writable && file->segments[i].bytes != 0)
      return file->segments[i].address;
  return file->image_bytes;
}

// Code and constants can only be read. What kernels write is in pages of its own, as far as the file leaves room for
// that between the two.
static bool place(cl_context context, cl_device_id root, struct heddle_build *build) {
  const cl_uint place = (cl_uint)heddle_context_root(context, root);
  const uint8_t reads = heddle_context_rights(context, place, false);
  const uint8_t writes = heddle_context_rights(context, place, true);
  const uint32_t bytes = build->file->image_bytes, page = heddle_device_page_bytes(root->driver);
  const uint32_t written = first_written(build->file), data = page != 0 ? written / page * page : 0;
  build->data = 0;
  if (written == bytes || page == 0)
    return heddle_device_allocate_for(root->driver, reads, bytes, HEDDLE_IMAGE_ALIGNMENT, &build->address) == 0;
  const uint32_t alignment = page > HEDDLE_IMAGE_ALIGNMENT ? page : HEDDLE_IMAGE_ALIGNMENT;
  const uint32_t whole = (bytes + page - 1) / page * page;
  if (data == 0)
    return heddle_device_allocate_for(root->driver, writes, bytes, HEDDLE_IMAGE_ALIGNMENT, &build->address) == 0;
  if (heddle_device_allocate_for(root->driver, reads, whole, alignment, &build->address) != 0)
    return false;
  if (heddle_device_split(root->driver, build->address, data, writes) == 0) {
    build->data = build->address + data;
    return true;
  }
  heddle_device_free(root->driver, build->address);
  return false;
}

cl_int heddle_program_place(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  pthread_mutex_lock(&program->lock);
  if (!build->placed)
    build->placed = place(program->context, program->devices[index]->root, build);
  const bool placed = build->placed;
  pthread_mutex_unlock(&program->lock);
  return placed ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

// What kernels do not write: its program scope variables keep their values.
static int write_again(struct heddle_device *driver, const struct heddle_build *build, const uint8_t *image) {
  int result = 0;
  for (uint32_t i = 0; i < build->file->num_segments && result == 0; i++) {
    const struct heddle_segment *segment = &build->file->segments[i];
    if (!segment->is_writable)
      result = heddle_device_write(driver, build->address + segment->address, image + segment->address, segment->bytes);
  }
  return result;
}

int heddle_program_load(cl_program program, int index) {
  struct heddle_build *build = &program->builds[index];
  struct heddle_device *driver = program->devices[index]->root->driver;
  const uint64_t damages = heddle_device_damages(driver);
  if (build->loaded && build->damages == damages)
    return 0;
  uint8_t *image = heddle_kernel_file_image(build->file, build->address);
  if (!image)
    return -ENOMEM;
  const int result = build->loaded ? write_again(driver, build, image)
                                   : heddle_device_write(driver, build->address, image, build->file->image_bytes);
  if (result == 0 && !build->loaded)
    heddle_observe_program(heddle_device_observed(driver), build->file, build->address, program->source,
                           program->source_bytes);
  if (result == 0) {
    build->loaded = true;
    build->damages = damages;
  }
  free(image);
  return result;
}
