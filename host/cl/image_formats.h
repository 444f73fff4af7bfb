// SPDX-License-Identifier: Apache-2.0
// Image formats (OpenCL 3.0, section 5.3.1): which there are, which of them a device has for which use, and how a
// colour becomes the bytes of a pixel.
#ifndef HEDDLE_CL_IMAGE_FORMATS_H
#define HEDDLE_CL_IMAGE_FORMATS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stddef.h>

// Whether order and type are ones of the specification, and fit each other.
bool heddle_image_format_valid(const cl_image_format *format);

// Bytes of a pixel of a valid format. Of a supported one it is a power of two up to 16.
size_t heddle_pixel_bytes(const cl_image_format *format);

// Whether images of this type and format can be used as the flags of a memory object say, or
// CL_MEM_KERNEL_READ_AND_WRITE. The same for all devices.
bool heddle_image_format_supported(cl_mem_flags flags, cl_mem_object_type type, const cl_image_format *format);

// The list of clGetSupportedImageFormats: the first `room` of them; returns how many there are. `formats` may be NULL.
cl_uint heddle_image_formats(cl_mem_flags flags, cl_mem_object_type type, cl_uint room, cl_image_format *formats);

#endif
