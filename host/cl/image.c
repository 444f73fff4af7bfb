// SPDX-License-Identifier: Apache-2.0
// Images: how they are made, where their pixels lie, and what kernels are told of them (image.h).
#include "host/cl/image.h"

#include <stdlib.h>
#include <string.h>

#include "contract/features.h"
#include "contract/image.h"
#include "contract/image_format.h"
#include "contract/little_endian.h"
#include "host/cl/image_formats.h"
#include "host/cl/shared.h"

enum { HOST_ALIGNMENT = 4096 };

bool heddle_images_offered(void) {
  return heddle_list_has(HEDDLE_FEATURES, "__opencl_c_images");
}

bool heddle_is_image(cl_mem memory) {
  return heddle_is_memory(memory) && memory->image;
}

bool heddle_is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

// ---- Sizes

static bool has_rows(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
}

static bool has_layers(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static bool has_slices(cl_mem_object_type type) {
  return has_layers(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

// A size of 0 where the type has one is CL_INVALID_IMAGE_DESCRIPTOR.
static bool take_sizes(struct heddle_image *image, const cl_image_desc *desc) {
  image->width = desc->image_width;
  image->height = has_rows(image->type) ? desc->image_height : 0;
  image->depth = image->type == CL_MEM_OBJECT_IMAGE3D ? desc->image_depth : 0;
  image->array_size = has_layers(image->type) ? desc->image_array_size : 0;
  return image->width != 0 && (image->height != 0 || !has_rows(image->type)) &&
         (image->depth != 0 || image->type != CL_MEM_OBJECT_IMAGE3D) &&
         (image->array_size != 0 || !has_layers(image->type));
}

static bool sizes_offered(const struct heddle_image *image) {
  const size_t side = image->type == CL_MEM_OBJECT_IMAGE3D ? HEDDLE_IMAGE_SIDE_3D : HEDDLE_IMAGE_SIDE_2D;
  if (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return image->width <= HEDDLE_IMAGE_BUFFER_PIXELS;
  return image->width <= side && image->height <= side && image->depth <= HEDDLE_IMAGE_SIDE_3D &&
         image->array_size <= HEDDLE_IMAGE_LAYERS;
}

static size_t or_one(size_t size) {
  return size != 0 ? size : 1;
}

static size_t rows_of(const struct heddle_image *image) {
  return or_one(image->height);
}

static size_t slices_of(const struct heddle_image *image) {
  return image->depth != 0 ? image->depth : or_one(image->array_size);
}

// Whether the last byte of a box of the host's memory has an address.
static bool has_address(const void *host, const struct heddle_box *box, size_t row_pitch, size_t slice_pitch) {
  size_t bytes = box->bytes, part, last;
  return !__builtin_mul_overflow(box->rows - 1, row_pitch, &part) && !__builtin_add_overflow(bytes, part, &bytes) &&
         !__builtin_mul_overflow(box->slices - 1, slice_pitch, &part) && !__builtin_add_overflow(bytes, part, &bytes) &&
         !__builtin_add_overflow((size_t)(uintptr_t)host, bytes - 1, &last);
}

// Pitches as they are given, or as they follow. False: they are too small, or no multiples.
static bool take_pitches(struct heddle_image *image, size_t row_pitch, size_t slice_pitch) {
  const size_t row = image->width * image->pixel_bytes;
  image->row_pitch = row_pitch != 0 ? row_pitch : row;
  if (image->row_pitch < row || image->row_pitch % image->pixel_bytes != 0)
    return false;
  if (!has_slices(image->type))
    return true;
  size_t slice;
  if (__builtin_mul_overflow(image->row_pitch, rows_of(image), &slice))
    return false;
  image->slice_pitch = slice_pitch != 0 ? slice_pitch : slice;
  return image->slice_pitch >= slice && image->slice_pitch % image->row_pitch == 0;
}

// Bytes from the first pixel to the last, with what is behind each row. False: more than any device has.
static bool bytes_of(const struct heddle_image *image, size_t *bytes) {
  const size_t count = has_slices(image->type) ? slices_of(image) : rows_of(image);
  return !__builtin_mul_overflow(has_slices(image->type) ? image->slice_pitch : image->row_pitch, count, bytes) &&
         *bytes <= UINT32_MAX;
}

// ---- Making one

static bool is_of_buffer(const struct heddle_image *image, const cl_image_desc *desc) {
  return desc->mem_object && heddle_is_buffer(desc->mem_object) &&
         (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER || image->type == CL_MEM_OBJECT_IMAGE2D);
}

// Which orders may look at pixels of which other ones.
static bool is_view(const cl_image_format *format, const cl_image_format *of) {
  static const cl_channel_order pairs[][2] = {
      {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA}, {CL_RGBA, CL_sRGBA}, {CL_DEPTH, CL_R}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (format->image_channel_order == pairs[i][0] && of->image_channel_order == pairs[i][1])
      return format->image_channel_data_type == of->image_channel_data_type;
  return false;
}

// An image of the pixels of another image, both of two dimensions.
static cl_int plan_view(struct heddle_image *image, const cl_image_desc *desc) {
  const struct heddle_image *of = desc->mem_object->image;
  if (image->type != CL_MEM_OBJECT_IMAGE2D || of->type != CL_MEM_OBJECT_IMAGE2D)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!is_view(&image->format, &of->format))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (!take_sizes(image, desc) || image->width != of->width || image->height != of->height ||
      desc->image_slice_pitch != 0 || (desc->image_row_pitch != 0 && desc->image_row_pitch != of->row_pitch))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  image->row_pitch = of->row_pitch;
  return CL_SUCCESS;
}

// An image of the bytes of a buffer.
static cl_int plan_of_buffer(struct heddle_image *image, const cl_image_desc *desc) {
  const cl_mem buffer = desc->mem_object;
  const size_t alignment = image->pixel_bytes * HEDDLE_IMAGE_PITCH_PIXELS;
  size_t bytes;
  if (image->type == CL_MEM_OBJECT_IMAGE2D &&
      (buffer->origin % alignment != 0 || (uintptr_t)buffer->host_ptr % alignment != 0 ||
       desc->image_row_pitch % alignment != 0))
    return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
  if (!take_sizes(image, desc) || desc->image_slice_pitch != 0 || buffer->origin % image->pixel_bytes != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!sizes_offered(image))
    return CL_INVALID_IMAGE_SIZE;
  return take_pitches(image, desc->image_row_pitch, 0) && bytes_of(image, &bytes) && bytes <= buffer->size
             ? CL_SUCCESS
             : CL_INVALID_IMAGE_DESCRIPTOR;
}

// An image with memory of its own; `given` has the pitches of the host's memory.
static cl_int plan_alone(struct heddle_image *image, const cl_image_desc *desc, const void *host_ptr,
                         struct heddle_image *given) {
  if (desc->mem_object || image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER || !take_sizes(image, desc))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!host_ptr && (desc->image_row_pitch != 0 || desc->image_slice_pitch != 0))
    return CL_INVALID_IMAGE_DESCRIPTOR;
  if (!sizes_offered(image))
    return CL_INVALID_IMAGE_SIZE;
  const struct heddle_box box = {image->width * image->pixel_bytes, rows_of(image), slices_of(image)};
  *given = *image;
  return take_pitches(given, desc->image_row_pitch, desc->image_slice_pitch) &&
                 has_address(host_ptr, &box, given->row_pitch, given->slice_pitch) && take_pitches(image, 0, 0)
             ? CL_SUCCESS
             : CL_INVALID_IMAGE_DESCRIPTOR;
}

static void free_descriptors(cl_context context, const struct heddle_image *image, cl_uint count) {
  for (cl_uint i = 0; i < count; i++)
    heddle_device_free(context->roots[i]->driver, image->descriptors[i]);
}

static bool take_descriptors(cl_context context, struct heddle_image *image) {
  for (cl_uint i = 0; i < context->num_roots; i++) {
    struct heddle_device *driver = heddle_open(context->roots[i]);
    const uint8_t rights = heddle_context_rights(context, i, false);
    if (!driver || heddle_device_allocate_for(driver, rights, HEDDLE_IMAGE_BYTES, HEDDLE_IMAGE_BYTES,
                                              &image->descriptors[i]) != 0) {
      free_descriptors(context, image, i);
      return false;
    }
  }
  return true;
}

// The pixels of the host's memory, row behind row.
static char *packed(const struct heddle_image *image, const struct heddle_image *given, const char *host_ptr,
                    size_t bytes) {
  const size_t row = image->width * image->pixel_bytes;
  char *copy = aligned_alloc(HOST_ALIGNMENT, (bytes + HOST_ALIGNMENT - 1) / HOST_ALIGNMENT * HOST_ALIGNMENT);
  for (size_t slice = 0; copy && slice < slices_of(image); slice++)
    for (size_t y = 0; y < rows_of(image); y++)
      memcpy(copy + slice * image->slice_pitch + y * image->row_pitch,
             host_ptr + slice * given->slice_pitch + y * given->row_pitch, row);
  return copy;
}

static cl_mem make_alone(cl_context context, cl_mem_flags flags, struct heddle_image *image,
                         const struct heddle_image *given, void *host_ptr, cl_int *error) {
  const bool copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;
  size_t bytes;
  char *start = NULL;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {  // it lies on the devices as it does there
    image->row_pitch = given->row_pitch;
    image->slice_pitch = given->slice_pitch;
  }
  *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!bytes_of(image, &bytes) || !heddle_memory_size_valid(context, bytes))
    return NULL;
  if (copies) {
    start = packed(image, given, host_ptr, bytes);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (!start)
      return NULL;
  }
  cl_mem memory = heddle_memory_create(context, flags & ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR, bytes, 0,
                                       copies ? NULL : host_ptr, error);
  if (!memory) {
    free(start);
    return NULL;
  }
  memory->flags = flags;
  if (start)
    heddle_memory_start(memory, start, bytes);
  return memory;
}

static cl_mem make_part(const cl_image_desc *desc, cl_mem_flags flags, const struct heddle_image *image,
                        cl_int *error) {
  size_t bytes;
  return bytes_of(image, &bytes) ? heddle_memory_create_sub(desc->mem_object, flags, 0, bytes, error) : NULL;
}

// What the text asks of arguments, in its order.
static cl_int plan(cl_mem_flags *flags, const cl_image_desc *desc, const void *host_ptr, struct heddle_image *image,
                   struct heddle_image *given) {
  const bool pointer_wanted = (*flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  cl_int error;
  if (!desc || !heddle_is_image_type(desc->image_type) || desc->num_mip_levels != 0 || desc->num_samples != 0)
    return CL_INVALID_IMAGE_DESCRIPTOR;
  image->type = desc->image_type;
  image->pixel_bytes = heddle_pixel_bytes(&image->format);
  if (is_of_buffer(image, desc))
    error = plan_of_buffer(image, desc);
  else if (desc->mem_object && heddle_is_image(desc->mem_object))
    error = plan_view(image, desc);
  else
    error = plan_alone(image, desc, host_ptr, given);
  if (error == CL_SUCCESS && pointer_wanted != !!host_ptr && !desc->mem_object)
    error = CL_INVALID_HOST_PTR;
  if (error == CL_SUCCESS && desc->mem_object && host_ptr)
    error = CL_INVALID_HOST_PTR;
  if (error == CL_SUCCESS && desc->mem_object && !heddle_memory_inherit(desc->mem_object, flags))
    error = CL_INVALID_VALUE;
  return error;
}

cl_mem heddle_image_create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *desc, void *host_ptr, cl_int *error) {
  struct heddle_image image = {0}, given = {0};
  if (!format || !heddle_image_format_valid(format)) {
    *error = CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    return NULL;
  }
  image.format = *format;
  *error = plan(&flags, desc, host_ptr, &image, &given);
  if (*error == CL_SUCCESS && desc->mem_object && desc->mem_object->context != context)
    *error = CL_INVALID_IMAGE_DESCRIPTOR;
  if (*error == CL_SUCCESS && heddle_shared_is_hidden(context, host_ptr))
    *error = CL_INVALID_HOST_PTR;
  if (*error == CL_SUCCESS && !heddle_images_offered())
    *error = CL_INVALID_OPERATION;
  if (*error == CL_SUCCESS && !heddle_image_format_supported(flags, image.type, format))
    *error = CL_IMAGE_FORMAT_NOT_SUPPORTED;
  if (*error != CL_SUCCESS)
    return NULL;
  cl_mem memory = desc->mem_object ? make_part(desc, flags, &image, error)
                                   : make_alone(context, flags, &image, &given, host_ptr, error);
  if (!memory)
    return NULL;
  struct heddle_image *made = malloc(sizeof *made);
  if (made && take_descriptors(context, &image)) {
    *made = image;
    memory->image = made;
    return memory;
  }
  *error = made ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_OUT_OF_HOST_MEMORY;
  free(made);
  heddle_memory_release(memory);
  return NULL;
}

void heddle_image_end(cl_mem memory) {
  if (!memory->image)
    return;
  free_descriptors(memory->context, memory->image, memory->context->num_roots);
  free(memory->image);
}

// ---- Boxes of pixels

cl_int heddle_check_queue_image(cl_command_queue queue, cl_mem image) {
  return heddle_is_image(image) ? heddle_check_queue_memory(queue, image) : CL_INVALID_MEM_OBJECT;
}

static bool inside(size_t origin, size_t region, size_t size) {
  return region != 0 && origin < size && region <= size - origin;
}

// Layers of a 1D array are rows to the commands, one slice pitch apart.
bool heddle_image_box(cl_mem memory, const size_t *origin, const size_t *region, struct heddle_end *end,
                      struct heddle_box *box) {
  const struct heddle_image *image = memory->image;
  const bool is_1d_array = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t rows = is_1d_array ? image->array_size : rows_of(image), slices = is_1d_array ? 1 : slices_of(image);
  if (!origin || !region || !inside(origin[0], region[0], image->width) || !inside(origin[1], region[1], rows) ||
      !inside(origin[2], region[2], slices))
    return false;
  *box = (struct heddle_box){region[0] * image->pixel_bytes, region[1], region[2]};
  *end = (struct heddle_end){.memory = memory, .row_pitch = is_1d_array ? image->slice_pitch : image->row_pitch};
  end->slice_pitch = slices > 1 ? image->slice_pitch : end->row_pitch * rows;
  end->offset = origin[0] * image->pixel_bytes + origin[1] * end->row_pitch + origin[2] * end->slice_pitch;
  return true;
}

bool heddle_image_host_end(cl_mem memory, const struct heddle_box *box, size_t row_pitch, size_t slice_pitch,
                           struct heddle_end *end) {
  const cl_mem_object_type type = memory->image->type;
  const bool is_1d_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t rows = is_1d_array ? 1 : box->rows;
  size_t slice;
  if (row_pitch == 0)
    row_pitch = box->bytes;
  if (row_pitch < box->bytes || __builtin_mul_overflow(row_pitch, rows, &slice))
    return false;
  if (slice_pitch != 0 && (!has_slices(type) || slice_pitch < slice))
    return false;
  if (slice_pitch == 0)
    slice_pitch = slice;
  end->row_pitch = is_1d_array ? slice_pitch : row_pitch;
  end->slice_pitch = slice_pitch;
  return has_address(end->host, box, end->row_pitch, end->slice_pitch);
}

bool heddle_image_buffer_end(cl_mem buffer, size_t offset, const struct heddle_box *box, struct heddle_end *end) {
  *end = (struct heddle_end){
      .memory = buffer, .offset = offset, .row_pitch = box->bytes, .slice_pitch = box->bytes * box->rows};
  return heddle_range_inside(buffer, offset, end->slice_pitch * box->slices);
}

// ---- What kernels are told

bool heddle_image_fits(cl_mem memory, const struct heddle_argument *argument) {
  if (!heddle_is_image(memory))
    return false;
  const bool is_depth = memory->image->format.image_channel_order == CL_DEPTH;
  if (argument->image != 0 && argument->image != (memory->image->type | (is_depth ? HEDDLE_DEPTH_IMAGE : 0)))
    return false;
  const bool reads = argument->access != HEDDLE_WRITE_ONLY;
  const bool writes = argument->access == HEDDLE_WRITE_ONLY || argument->access == HEDDLE_READ_WRITE;
  return !(reads && (memory->flags & CL_MEM_WRITE_ONLY) != 0) && !(writes && (memory->flags & CL_MEM_READ_ONLY) != 0);
}

bool heddle_image_format_fits(cl_mem memory, const struct heddle_argument *argument) {
  const cl_mem_flags use = argument->access == HEDDLE_READ_WRITE ? CL_MEM_KERNEL_READ_AND_WRITE : memory->flags;
  return heddle_image_format_supported(use, memory->image->type, &memory->image->format);
}

uint32_t heddle_image_descriptor(cl_mem memory, cl_device_id device) {
  return memory->image->descriptors[heddle_context_root(memory->context, device)];
}

int heddle_image_describe(cl_mem memory, cl_device_id device) {
  struct heddle_image *image = memory->image;
  const uint64_t here = UINT64_C(1) << heddle_context_root(memory->context, device);
  struct heddle_image_format known = {0};
  heddle_image_format(image->format.image_channel_order, image->format.image_channel_data_type, &known);
  const size_t words[HEDDLE_IMAGE_WORDS] = {
      [HEDDLE_IMAGE_ADDRESS] = heddle_memory_address(memory, device),
      [HEDDLE_IMAGE_WIDTH] = image->width,
      [HEDDLE_IMAGE_HEIGHT] = rows_of(image),
      [HEDDLE_IMAGE_DEPTH] = or_one(image->depth),
      [HEDDLE_IMAGE_ARRAY_SIZE] = or_one(image->array_size),
      [HEDDLE_IMAGE_ROW_PITCH] = image->row_pitch,
      [HEDDLE_IMAGE_SLICE_PITCH] = image->slice_pitch,
      [HEDDLE_IMAGE_PAIR_ROW] = rows_of(image) > 1 ? rows_of(image) - 2 : 0,
      [HEDDLE_IMAGE_NEXT_ROW] = rows_of(image) > 1 ? image->row_pitch : 0,
      [HEDDLE_IMAGE_ORDER] = image->format.image_channel_order,
      [HEDDLE_IMAGE_TYPE] = image->format.image_channel_data_type,
      [HEDDLE_IMAGE_PIXEL_SHIFT] = known.pixel_shift,
      [HEDDLE_IMAGE_FORM] = heddle_image_form(&known, (uint32_t)image->width),
      [HEDDLE_IMAGE_READING] = known.reading,
  };
  unsigned char bytes[HEDDLE_IMAGE_BYTES] = {0};
  for (size_t i = 0; i < HEDDLE_IMAGE_WORDS; i++)
    heddle_put32(bytes + 4 * i, (uint32_t)words[i]);
  int result = 0;
  pthread_mutex_lock(&memory->storage->lock);
  if ((image->written & here) == 0)
    result = heddle_device_write(device->root->driver, heddle_image_descriptor(memory, device), bytes, sizeof bytes);
  if (result == 0)
    image->written |= here;
  pthread_mutex_unlock(&memory->storage->lock);
  return result;
}
