// SPDX-License-Identifier: Apache-2.0
// Formats of images (image_format.h). An order whose pixels are no power of two bytes, as CL_sRGB, is not there.
#include "contract/image_format.h"

#include <CL/cl.h>
#include <stddef.h>

#include "contract/image.h"

// The types that an order goes with.
enum types { ANY = 1, PACKED = 2, BYTES = 4, FRACTIONS = 8, DEPTHS = 16, UNORM8 = 32 };

struct order {
  uint32_t order;
  enum types types;
  // What reads give as red, green, blue and alpha: the number of a channel, 0 or 1 as O or I.
  char read[5];
  // What writes put into each channel: r, g, b or a.
  char write[5];
  bool border_one;
};

static const struct order orders[] = {
    {CL_R, ANY, "0OOI", "r", true},
    {CL_Rx, ANY, "0OOI", "rg", false},
    {CL_A, ANY, "OOO0", "a", false},
    {CL_RG, ANY, "01OI", "rg", true},
    {CL_RA, ANY, "0OO1", "ra", false},
    {CL_RGB, PACKED, "012I", "rgb", true},
    {CL_RGBx, PACKED, "012I", "rgb", false},
    {CL_RGBA, ANY, "0123", "rgba", false},
    {CL_BGRA, BYTES, "2103", "bgra", false},
    {CL_ARGB, BYTES, "1230", "argb", false},
    {CL_ABGR, BYTES, "3210", "abgr", false},
    {CL_INTENSITY, FRACTIONS, "0000", "r", false},
    {CL_LUMINANCE, FRACTIONS, "000I", "r", true},
    {CL_DEPTH, DEPTHS, "0OOI", "r", false},
    {CL_sRGBx, UNORM8, "012I", "rgba", false},
    {CL_sRGBA, UNORM8, "0123", "rgba", false},
    {CL_sBGRA, UNORM8, "2103", "bgra", false},
};

struct type {
  uint32_t type;
  enum types goes_with;  // orders that name one of these
  uint32_t form;
  uint32_t shift;  // of a channel; of a packed type, of the pixel
};

static const struct type types[] = {
    {CL_SNORM_INT8, ANY | BYTES | FRACTIONS, HEDDLE_IMAGE_8 | HEDDLE_IMAGE_SNORM, 0},
    {CL_SNORM_INT16, ANY | FRACTIONS, HEDDLE_IMAGE_16 | HEDDLE_IMAGE_SNORM, 1},
    {CL_UNORM_INT8, ANY | BYTES | FRACTIONS | UNORM8, HEDDLE_IMAGE_8 | HEDDLE_IMAGE_UNORM, 0},
    {CL_UNORM_INT16, ANY | FRACTIONS | DEPTHS, HEDDLE_IMAGE_16 | HEDDLE_IMAGE_UNORM, 1},
    {CL_UNORM_SHORT_565, PACKED, HEDDLE_IMAGE_565 | HEDDLE_IMAGE_UNORM, 1},
    {CL_UNORM_SHORT_555, PACKED, HEDDLE_IMAGE_555 | HEDDLE_IMAGE_UNORM, 1},
    {CL_UNORM_INT_101010, PACKED, HEDDLE_IMAGE_101010 | HEDDLE_IMAGE_UNORM, 2},
    {CL_SIGNED_INT8, ANY | BYTES, HEDDLE_IMAGE_8 | HEDDLE_IMAGE_SIGNED, 0},
    {CL_SIGNED_INT16, ANY, HEDDLE_IMAGE_16 | HEDDLE_IMAGE_SIGNED, 1},
    {CL_SIGNED_INT32, ANY, HEDDLE_IMAGE_32 | HEDDLE_IMAGE_SIGNED, 2},
    {CL_UNSIGNED_INT8, ANY | BYTES, HEDDLE_IMAGE_8 | HEDDLE_IMAGE_UNSIGNED, 0},
    {CL_UNSIGNED_INT16, ANY, HEDDLE_IMAGE_16 | HEDDLE_IMAGE_UNSIGNED, 1},
    {CL_UNSIGNED_INT32, ANY, HEDDLE_IMAGE_32 | HEDDLE_IMAGE_UNSIGNED, 2},
    {CL_HALF_FLOAT, ANY | FRACTIONS, HEDDLE_IMAGE_16 | HEDDLE_IMAGE_HALF, 1},
    {CL_FLOAT, ANY | FRACTIONS | DEPTHS, HEDDLE_IMAGE_32 | HEDDLE_IMAGE_FLOAT, 2},
};

static const struct order *order_of(uint32_t order) {
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (orders[i].order == order)
      return &orders[i];
  return NULL;
}

static const struct type *type_of(uint32_t type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type)
      return &types[i];
  return NULL;
}

static uint32_t read_source(char c) {
  return c == 'O' ? HEDDLE_IMAGE_ZERO : c == 'I' ? HEDDLE_IMAGE_ONE : (uint32_t)(c - '0');
}

static uint32_t write_source(char c) {
  return c == 'r' ? 0 : c == 'g' ? 1 : c == 'b' ? 2 : 3;
}

static uint32_t reading_of(uint32_t order, uint32_t type, uint32_t channels) {
  const uint32_t kind = type == CL_UNORM_INT8    ? HEDDLE_IMAGE_READ_BYTES
                        : type == CL_UNORM_INT16 ? HEDDLE_IMAGE_READ_SHORTS
                        : type == CL_HALF_FLOAT  ? HEDDLE_IMAGE_READ_HALVES
                        : type == CL_FLOAT       ? HEDDLE_IMAGE_READ_FLOATS
                                                 : HEDDLE_IMAGE_READ_ANY;
  switch (order) {
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
      if (type != CL_UNORM_INT8)
        return HEDDLE_IMAGE_READ_ANY;
      break;
    case CL_R:
    case CL_DEPTH:
    case CL_RG:
    case CL_RGBA:
      break;
    default:
      return HEDDLE_IMAGE_READ_ANY;
  }
  return kind == HEDDLE_IMAGE_READ_ANY ? kind : kind | channels / 2;
}

bool heddle_image_format(uint32_t order, uint32_t type, struct heddle_image_format *format) {
  const struct order *o = order_of(order);
  const struct type *t = type_of(type);
  if (!o || !t || (t->goes_with & o->types) == 0)
    return false;
  uint32_t channels = 0;
  uint32_t form = t->form;
  if (o->types == UNORM8)
    form = HEDDLE_IMAGE_8 | HEDDLE_IMAGE_SRGB;
  for (uint32_t i = 0; i < 4; i++)
    form |= read_source(o->read[i]) << HEDDLE_IMAGE_READ(i);
  for (; o->write[channels] != 0; channels++)
    form |= write_source(o->write[channels]) << HEDDLE_IMAGE_WRITE(channels);
  form |= channels << HEDDLE_IMAGE_CHANNELS;
  form |= (uint32_t)o->border_one << HEDDLE_IMAGE_BORDER_ONE;
  // As "01OI" and "0123", but not "OOO0" or "2103".
  bool in_order = true;
  for (uint32_t i = 0; i < 4; i++)
    in_order &= o->read[i] == (i < channels ? (char)('0' + i) : i < 3 ? 'O' : 'I');
  form |= (uint32_t)in_order << HEDDLE_IMAGE_IN_ORDER;
  const bool is_plain =
      order == HEDDLE_IMAGE_PLAIN_ORDER && (form & HEDDLE_IMAGE_STORAGE) == HEDDLE_IMAGE_8 && type != CL_SNORM_INT8;
  form |= (uint32_t)is_plain << HEDDLE_IMAGE_PLAIN;
  format->form = form;
  format->reading = reading_of(order, type, channels);
  // One, two or four channels.
  format->pixel_shift = t->shift + (o->types == PACKED ? 0 : channels / 2);
  return true;
}

uint32_t heddle_image_form(const struct heddle_image_format *format, uint32_t width) {
  return width > 1 ? format->form : format->form & ~(1u << HEDDLE_IMAGE_PLAIN);
}
