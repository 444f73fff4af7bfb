// SPDX-License-Identifier: Apache-2.0
// Image formats: which there are, and which are supported (image_formats.h).
#include "host/cl/image_formats.h"

#include "contract/features.h"
#include "contract/image_format.h"
#include "host/cl/platform.h"

// ---- What the specification has

static unsigned channels_of(cl_channel_order order) {
  switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
      return 1;
    case CL_RG:
    case CL_RA:
    case CL_Rx:
      return 2;
    case CL_RGB:
    case CL_RGx:
    case CL_sRGB:
      return 3;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
    case CL_RGBx:
    case CL_sRGBA:
    case CL_sBGRA:
    case CL_sRGBx:
      return 4;
    default:
      return 0;
  }
}

// Of a channel; 0: it is a packed type, or none.
static size_t channel_bytes(cl_channel_type type) {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
      return 2;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 0;
  }
}

// Of a pixel; 0: it is no packed type.
static size_t packed_bytes(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
      return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
      return 4;
    default:
      return 0;
  }
}

static bool is_normalized_or_float(cl_channel_type type) {
  return type == CL_UNORM_INT8 || type == CL_UNORM_INT16 || type == CL_SNORM_INT8 || type == CL_SNORM_INT16 ||
         type == CL_HALF_FLOAT || type == CL_FLOAT;
}

bool heddle_image_format_valid(const cl_image_format *format) {
  const cl_channel_order order = format->image_channel_order;
  const cl_channel_type type = format->image_channel_data_type;
  if (channels_of(order) == 0)
    return false;
  if (type == CL_UNORM_INT_101010_2)
    return order == CL_RGBA;
  if (packed_bytes(type) != 0)
    return order == CL_RGB || order == CL_RGBx;
  switch (order) {
    case CL_RGB:
    case CL_RGBx:
      return false;
    case CL_INTENSITY:
    case CL_LUMINANCE:
      return is_normalized_or_float(type);
    case CL_DEPTH:
      return type == CL_UNORM_INT16 || type == CL_FLOAT;
    case CL_sRGB:
    case CL_sRGBA:
    case CL_sBGRA:
    case CL_sRGBx:
      return type == CL_UNORM_INT8;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
      return channel_bytes(type) == 1;
    default:
      return channel_bytes(type) != 0;
  }
}

size_t heddle_pixel_bytes(const cl_image_format *format) {
  const size_t packed = packed_bytes(format->image_channel_data_type);
  return packed != 0 ? packed
                     : channels_of(format->image_channel_order) * channel_bytes(format->image_channel_data_type);
}

// ---- What is supported: all for which kernels have code

static const cl_channel_order orders[] = {CL_R,         CL_Rx,    CL_A,     CL_RG,    CL_RA,   CL_RGB,
                                          CL_RGBx,      CL_RGBA,  CL_BGRA,  CL_ARGB,  CL_ABGR, CL_INTENSITY,
                                          CL_LUMINANCE, CL_DEPTH, CL_sRGBx, CL_sRGBA, CL_sBGRA};
static const cl_channel_type types[] = {
    CL_SNORM_INT8,      CL_SNORM_INT16,      CL_UNORM_INT8,     CL_UNORM_INT16,  CL_UNORM_SHORT_565,
    CL_UNORM_SHORT_555, CL_UNORM_INT_101010, CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
    CL_UNSIGNED_INT8,   CL_UNSIGNED_INT16,   CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};

static bool is_srgb(cl_channel_order order) {
  return order == CL_sRGBx || order == CL_sRGBA || order == CL_sBGRA;
}

bool heddle_image_format_supported(cl_mem_flags flags, cl_mem_object_type type, const cl_image_format *format) {
  const cl_channel_order order = format->image_channel_order;
  struct heddle_image_format known;
  if (!heddle_list_has(HEDDLE_FEATURES, "__opencl_c_images") ||
      !heddle_image_format(order, format->image_channel_data_type, &known))
    return false;
  // cl_khr_srgb_image_writes has no images that one kernel both reads and writes.
  if (is_srgb(order) && (flags & CL_MEM_KERNEL_READ_AND_WRITE) != 0)
    return false;
  return order != CL_DEPTH || type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

cl_uint heddle_image_formats(cl_mem_flags flags, cl_mem_object_type type, cl_uint room, cl_image_format *formats) {
  cl_uint count = 0;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
      const cl_image_format format = {orders[i], types[k]};
      if (!heddle_image_format_supported(flags, type, &format))
        continue;
      if (formats && count < room)
        formats[count] = format;
      count++;
    }
  }
  return count;
}
