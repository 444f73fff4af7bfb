// SPDX-License-Identifier: Apache-2.0
// A colour as the bytes of a pixel (image_color.h). OpenCL C 3.0, sections 6.15.15 and 8.3.
#include "host/cl/image_color.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "contract/half.h"
#include "contract/image.h"
#include "contract/image_format.h"

// The nearest integer, of a number that may be none; NaN is 0.
static int64_t nearest(float value, float low, float high) {
  return isnan(value) ? 0 : (int64_t)rintf(value < low ? low : value > high ? high : value);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

static float srgb_of(float linear) {
  if (isnan(linear) || linear <= 0)
    return 0;
  if (linear >= 1)
    return 1;
  return linear < 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

// A component as the bits of a channel.
static uint32_t channel_of(uint32_t form, const uint32_t *colour, unsigned component, unsigned bits) {
  const uint32_t most = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  int32_t integer;
  float real;
  memcpy(&integer, &colour[component], sizeof integer);
  memcpy(&real, &colour[component], sizeof real);
  switch (form & HEDDLE_IMAGE_NUMBER) {
    case HEDDLE_IMAGE_SNORM: {
      const float half = (float)(most / 2);
      return (uint32_t)nearest(real * half, -half - 1, half);
    }
    case HEDDLE_IMAGE_SRGB:
      return (uint32_t)nearest((component == 3 ? real : srgb_of(real)) * (float)most, 0, (float)most);
    case HEDDLE_IMAGE_HALF:
      return heddle_half_of((double)real);
    case HEDDLE_IMAGE_SIGNED:
      return (uint32_t)clamp(integer, -(int64_t)(most / 2) - 1, most / 2);
    case HEDDLE_IMAGE_UNSIGNED:
      return (uint32_t)clamp(colour[component], 0, most);
    case HEDDLE_IMAGE_FLOAT:
      return colour[component];
    default:  // HEDDLE_IMAGE_UNORM
      return (uint32_t)nearest(real * (float)most, 0, (float)most);
  }
}

// Red, green and blue of a pixel that is one word.
static uint32_t packed_of(uint32_t form, const uint32_t *colour) {
  const uint32_t storage = form & HEDDLE_IMAGE_STORAGE;
  const unsigned bits = storage == HEDDLE_IMAGE_101010 ? 10 : 5, green = storage == HEDDLE_IMAGE_565 ? 6 : bits;
  return channel_of(form, colour, 2, bits) | channel_of(form, colour, 1, green) << bits |
         channel_of(form, colour, 0, bits) << (bits + green);
}

void heddle_pixel_of(const cl_image_format *format, const void *colour, unsigned char pixel[HEDDLE_PIXEL_BYTES_MOST]) {
  struct heddle_image_format known = {0};
  uint32_t components[4] = {0};
  heddle_image_format(format->image_channel_order, format->image_channel_data_type, &known);
  memcpy(components, colour, format->image_channel_order == CL_DEPTH ? sizeof *components : sizeof components);
  const uint32_t storage = known.form & HEDDLE_IMAGE_STORAGE;
  const bool is_packed = storage > HEDDLE_IMAGE_32;
  const unsigned bytes = is_packed ? 1u << known.pixel_shift : 1u << storage;
  const unsigned channels = is_packed ? 1 : known.form >> HEDDLE_IMAGE_CHANNELS & 7;
  for (unsigned i = 0; i < channels; i++) {
    const unsigned component = known.form >> HEDDLE_IMAGE_WRITE(i) & 3;
    const uint32_t value =
        is_packed ? packed_of(known.form, components) : channel_of(known.form, components, component, 8 * bytes);
    for (unsigned k = 0; k < bytes; k++)
      pixel[i * bytes + k] = (unsigned char)(value >> (8 * k));
  }
}
