// SPDX-License-Identifier: Apache-2.0
// Images (OpenCL 3.0, section 5.3): memory objects whose bytes are pixels in rows, and, on each root device, a
// descriptor by which kernels find them (contract/image.h). Rows follow each other without a gap, but for those that
// lie in memory of the host or in a buffer with pitches of their own. To commands that move bytes an image is a memory
// object like any other, of which they move boxes.
#ifndef HEDDLE_CL_IMAGE_H
#define HEDDLE_CL_IMAGE_H

#include "host/cl/kernel.h"
#include "host/cl/transfer.h"

// What a device offers: CL_DEVICE_MAX_READ_IMAGE_ARGS and the queries like it. The least that the specification asks of
// devices of its full profile.
enum {
  HEDDLE_IMAGE_READ_ARGUMENTS = 128,
  HEDDLE_IMAGE_WRITE_ARGUMENTS = 64,
  HEDDLE_IMAGE_READ_WRITE_ARGUMENTS = 64,
  HEDDLE_IMAGE_SIDE_2D = 16384,
  HEDDLE_IMAGE_SIDE_3D = 2048,
  HEDDLE_IMAGE_LAYERS = 2048,
  HEDDLE_IMAGE_BUFFER_PIXELS = 1 << 20,
  HEDDLE_IMAGE_SAMPLERS = 16,
  HEDDLE_IMAGE_PITCH_PIXELS = 1,  // what pitches and addresses in buffers are multiples of
};

// Part of a memory object that is an image. Constant, but for `written`.
struct heddle_image {
  cl_image_format format;
  cl_mem_object_type type;
  size_t width, height, depth, array_size;     // pixels and layers; 0 where the type has no such
  size_t pixel_bytes, row_pitch, slice_pitch;  // slice_pitch: also of layers; 0 where the type has neither
  uint32_t descriptors[HEDDLE_MAX_DEVICES];    // addresses, by root of the context
  uint64_t written;                            // which of them are on their device, a bit a root; under storage->lock
};

// Whether devices have images: whether kernels may use them.
bool heddle_images_offered(void);

bool heddle_is_image(cl_mem memory);

// Whether the type is one of images.
bool heddle_is_image_type(cl_mem_object_type type);

// clCreateImageWithProperties, whose text has the errors.
cl_mem heddle_image_create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *desc, void *host_ptr, cl_int *error);

// Gives back what only images have. Of any memory object.
void heddle_image_end(cl_mem memory);

// CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT.
cl_int heddle_check_queue_image(cl_command_queue queue, cl_mem image);

// Where pixels of an image lie in it. False, for CL_INVALID_VALUE: they are not inside it, are none, or are NULL.
bool heddle_image_box(cl_mem image, const size_t *origin, const size_t *region, struct heddle_end *end,
                      struct heddle_box *box);

// Where those of a box lie in host memory with these pitches, 0 for none between rows or slices. False, for
// CL_INVALID_VALUE: the pitches are too small, or not those of such an image.
bool heddle_image_host_end(cl_mem image, const struct heddle_box *box, size_t row_pitch, size_t slice_pitch,
                           struct heddle_end *end);

// Where those of a box lie in a buffer, without gaps. False, for CL_INVALID_VALUE: they are not inside it.
bool heddle_image_buffer_end(cl_mem buffer, size_t offset, const struct heddle_box *box, struct heddle_end *end);

// Whether it is an image for this argument of a kernel: of its type, made for its access.
bool heddle_image_fits(cl_mem memory, const struct heddle_argument *argument);

// Whether its format is listed for what this argument does with such an image.
bool heddle_image_format_fits(cl_mem memory, const struct heddle_argument *argument);

// Address on a device of the context of what a kernel is given. Constant.
uint32_t heddle_image_descriptor(cl_mem image, cl_device_id device);

// Writes the descriptor, if it is not there yet. Called on the device's worker. 0 or -errno.
int heddle_image_describe(cl_mem image, cl_device_id device);

#endif
