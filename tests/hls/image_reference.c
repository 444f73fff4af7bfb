// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/image_reference.h"

#include <CL/cl.h>
#include <math.h>
#include <string.h>

#define WITH_ANY(type)                                                       \
  {CL_R, type}, {CL_A, type}, {CL_Rx, type}, {CL_RG, type}, {CL_RA, type}, { \
    CL_RGBA, type                                                            \
  }
#define WITH_BYTES(type)              \
  {CL_ARGB, type}, {CL_BGRA, type}, { \
    CL_ABGR, type                     \
  }
#define WITH_FRACTIONS(type) \
  {CL_INTENSITY, type}, {    \
    CL_LUMINANCE, type       \
  }
#define WITH_PACKED(type) \
  {CL_RGB, type}, {       \
    CL_RGBx, type         \
  }

const struct format formats[] = {
    WITH_ANY(CL_SNORM_INT8),          WITH_ANY(CL_SNORM_INT16),        WITH_ANY(CL_UNORM_INT8),
    WITH_ANY(CL_UNORM_INT16),         WITH_ANY(CL_SIGNED_INT8),        WITH_ANY(CL_SIGNED_INT16),
    WITH_ANY(CL_SIGNED_INT32),        WITH_ANY(CL_UNSIGNED_INT8),      WITH_ANY(CL_UNSIGNED_INT16),
    WITH_ANY(CL_UNSIGNED_INT32),      WITH_ANY(CL_HALF_FLOAT),         WITH_ANY(CL_FLOAT),
    WITH_BYTES(CL_SNORM_INT8),        WITH_BYTES(CL_UNORM_INT8),       WITH_BYTES(CL_SIGNED_INT8),
    WITH_BYTES(CL_UNSIGNED_INT8),     WITH_FRACTIONS(CL_SNORM_INT8),   WITH_FRACTIONS(CL_SNORM_INT16),
    WITH_FRACTIONS(CL_UNORM_INT8),    WITH_FRACTIONS(CL_UNORM_INT16),  WITH_FRACTIONS(CL_HALF_FLOAT),
    WITH_FRACTIONS(CL_FLOAT),         WITH_PACKED(CL_UNORM_SHORT_565), WITH_PACKED(CL_UNORM_SHORT_555),
    WITH_PACKED(CL_UNORM_INT_101010), {CL_DEPTH, CL_UNORM_INT16},      {CL_DEPTH, CL_FLOAT},
    {CL_sRGBx, CL_UNORM_INT8},        {CL_sRGBA, CL_UNORM_INT8},       {CL_sBGRA, CL_UNORM_INT8},
};
const size_t format_count = sizeof formats / sizeof *formats;

// The letters of an order: what its channels are, as they lie in memory. x is one that is not there to readers.
static const char *letters_of(uint32_t order) {
  switch (order) {
    case CL_A:
      return "a";
    case CL_Rx:
      return "rx";
    case CL_RG:
      return "rg";
    case CL_RA:
      return "ra";
    case CL_RGB:
    case CL_RGBx:
      return "rgb";
    case CL_RGBA:
    case CL_sRGBA:
      return "rgba";
    case CL_sRGBx:
      return "rgbx";
    case CL_BGRA:
    case CL_sBGRA:
      return "bgra";
    case CL_ARGB:
      return "argb";
    case CL_ABGR:
      return "abgr";
    case CL_INTENSITY:
      return "i";
    case CL_LUMINANCE:
      return "l";
    default:
      return "r";  // CL_R; CL_DEPTH, whose one value is where a test looks for red
  }
}

static bool is_srgb(uint32_t order) {
  return order == CL_sRGBx || order == CL_sRGBA || order == CL_sBGRA;
}

// ---- channels in memory

// Bits of channel `c` of a packed type, where it is, else 0; red is channel 0.
static int packed_bits(uint32_t type, int c, int *shift) {
  static const int bits_565[] = {5, 6, 5}, shifts_565[] = {11, 5, 0}, shifts_555[] = {10, 5, 0},
                   shifts_101010[] = {20, 10, 0};
  const int bits = type == CL_UNORM_SHORT_565 ? bits_565[c] : type == CL_UNORM_SHORT_555 ? 5 : 10;
  *shift = type == CL_UNORM_SHORT_565 ? shifts_565[c] : type == CL_UNORM_SHORT_555 ? shifts_555[c] : shifts_101010[c];
  return bits;
}

static bool is_packed(uint32_t type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

static size_t bytes_of_channel(uint32_t type) {
  switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
      return 1;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
      return 4;
    default:
      return 2;
  }
}

size_t format_bytes(struct format format) {
  if (is_packed(format.type))
    return format.type == CL_UNORM_INT_101010 ? 4 : 2;
  return bytes_of_channel(format.type) * strlen(letters_of(format.order));
}

bool format_is_signed(struct format format) {
  return format.type == CL_SIGNED_INT8 || format.type == CL_SIGNED_INT16 || format.type == CL_SIGNED_INT32;
}

bool format_is_unsigned(struct format format) {
  return format.type == CL_UNSIGNED_INT8 || format.type == CL_UNSIGNED_INT16 || format.type == CL_UNSIGNED_INT32;
}

bool format_is_float(struct format format) {
  return !format_is_signed(format) && !format_is_unsigned(format);
}

static double load_channel(uint32_t type, const unsigned char *at) {
  int8_t s8;
  int16_t s16;
  int32_t s32;
  uint16_t u16;
  uint32_t u32;
  float f32;
  _Float16 f16;
#define LOAD(variable) (memcpy(&(variable), at, sizeof(variable)), (double)(variable))
  switch (type) {
    case CL_SNORM_INT8:
    case CL_SIGNED_INT8:
      return LOAD(s8);
    case CL_UNORM_INT8:
    case CL_UNSIGNED_INT8:
      return *at;
    case CL_SNORM_INT16:
    case CL_SIGNED_INT16:
      return LOAD(s16);
    case CL_UNORM_INT16:
    case CL_UNSIGNED_INT16:
      return LOAD(u16);
    case CL_SIGNED_INT32:
      return LOAD(s32);
    case CL_UNSIGNED_INT32:
      return LOAD(u32);
    case CL_FLOAT:
      return LOAD(f32);
    default:
      return LOAD(f16);
  }
#undef LOAD
}

struct stored format_load(struct format format, const void *pixel) {
  struct stored stored = {.channels = (int)strlen(letters_of(format.order))};
  uint32_t word = 0;
  int shift;
  if (is_packed(format.type))
    memcpy(&word, pixel, format_bytes(format));
  for (int c = 0; c < stored.channels; c++) {
    if (is_packed(format.type)) {
      const int bits = packed_bits(format.type, c, &shift);
      stored.values[c] = word >> shift & ((1u << bits) - 1);
    } else {
      stored.values[c] =
          load_channel(format.type, (const unsigned char *)pixel + (size_t)c * bytes_of_channel(format.type));
    }
  }
  return stored;
}

// What the largest value of a normalised channel is, else 0.
static double largest(uint32_t type, int c) {
  int shift;
  switch (type) {
    case CL_SNORM_INT8:
      return 127;
    case CL_SNORM_INT16:
      return 32767;
    case CL_UNORM_INT8:
      return 255;
    case CL_UNORM_INT16:
      return 65535;
    default:
      return is_packed(type) ? (1 << packed_bits(type, c, &shift)) - 1 : 0;
  }
}

// ---- reading

static double ulp(double x) {
  return x == 0 || !isfinite(x) ? 0 : ldexp(1, (int)floor(log2(fabs(x))) - 23);
}

// Section 8.3.1.3: of a normalised channel within 1.5 ulp, the ends exactly; 8.3.6: sRGB.
static double read_value(struct format format, int c, char letter, double stored, double *tolerance) {
  const double most = largest(format.type, c);
  *tolerance = 0;
  if (most == 0)
    return stored;
  const double value = fmax(stored / most, -1);
  if (is_srgb(format.order) && letter != 'a') {
    const double linear_value = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    *tolerance = stored == 0 || stored == most ? 0 : 1.5 * ulp(linear_value);
    return linear_value;
  }
  *tolerance = stored == 0 || fabs(value) == 1 ? 0 : 1.5 * ulp(value);
  return value;
}

struct colour picture_pixel(const struct picture *p, int x, int y, int z) {
  const size_t slice = p->axes == 3 || p->is_array ? (size_t)z * p->slice_pitch : 0;
  const size_t row = p->axes > 1 ? (size_t)y * p->row_pitch : 0;
  const struct stored stored = format_load(p->format, p->pixels + slice + row + (size_t)x * format_bytes(p->format));
  struct colour colour = {.values = {0, 0, 0, 1}};
  const char *letters = letters_of(p->format.order);
  if (p->format.order == CL_A || p->format.order == CL_INTENSITY)
    colour.values[3] = 0;
  for (int c = 0; c < stored.channels; c++) {
    double tolerance;
    const double value = read_value(p->format, c, letters[c], stored.values[c], &tolerance);
    for (int component = 0; component < 4; component++) {
      const bool takes = letters[c] == "rgba"[component] || letters[c] == 'i' || (letters[c] == 'l' && component < 3);
      if (takes) {
        colour.values[component] = value;
        colour.tolerance[component] = tolerance;
      }
    }
  }
  return colour;
}

// Section 6.15.15.1, of CLK_ADDRESS_CLAMP.
static struct colour border(const struct picture *p) {
  struct colour colour = {.values = {0}};
  switch (p->format.order) {
    case CL_R:
    case CL_RG:
    case CL_RGB:
    case CL_LUMINANCE:
      colour.values[3] = 1;
      break;
    default:
      break;
  }
  return colour;
}

static int clamp(int a, int low, int high) {
  return a < low ? low : a > high ? high : a;
}

// Section 8.2, table 7. A float that no int holds is as far outside as one that holds.
static int whole(double x) {
  return x >= 1e9 ? 1000000000 : x <= -1e9 ? -1000000000 : (int)x;
}

static int address_mode(enum addressing mode, int coordinate, int size) {
  return mode == CLAMP_TO_BORDER ? clamp(coordinate, -1, size)
         : mode == CLAMP_TO_EDGE ? clamp(coordinate, 0, size - 1)
                                 : coordinate;
}

struct axis {
  int indices[2];  // the second of a linear filter
  double fraction;
};

// Sections 8.2.1 to 8.2.3. The precision of coordinates is not said; these are floats, as in the formulas.
static struct axis axis_of(struct sampler s, float c, int size) {
  struct axis axis = {.fraction = 0};
  float u = c;
  if (s.addressing == REPEAT)
    u = (c - floorf(c)) * (float)size;
  else if (s.addressing == MIRRORED_REPEAT)
    u = fabsf(c - 2.0f * rintf(0.5f * c)) * (float)size;
  else if (s.normalized)
    u = c * (float)size;
  if (!s.linear) {
    int i = whole(floorf(u));
    if (s.addressing == REPEAT && i > size - 1)
      i -= size;
    else if (s.addressing == MIRRORED_REPEAT)
      i = i < size - 1 ? i : size - 1;
    axis.indices[0] = address_mode(s.addressing, i, size);
    return axis;
  }
  u -= 0.5f;
  int i0 = whole(floorf(u)), i1 = i0 + 1;
  axis.fraction = u - floorf(u);
  if (s.addressing == REPEAT) {
    i0 += i0 < 0 ? size : 0;
    i1 -= i1 > size - 1 ? size : 0;
  } else if (s.addressing == MIRRORED_REPEAT) {
    i0 = i0 > 0 ? i0 : 0;
    i1 = i1 < size - 1 ? i1 : size - 1;
  }
  axis.indices[0] = address_mode(s.addressing, i0, size);
  axis.indices[1] = address_mode(s.addressing, i1, size);
  return axis;
}

static struct colour pixel_or_border(const struct picture *p, enum addressing mode, int x, int y, int z) {
  const bool inside =
      x >= 0 && x < p->width && (p->axes < 2 || (y >= 0 && y < p->height)) && (p->axes < 3 || (z >= 0 && z < p->depth));
  if (inside)
    return picture_pixel(p, x, y, z);
  struct colour colour = border(p);
  colour.is_undefined = mode == ADDRESS_NONE;
  return colour;
}

struct colour picture_sample(const struct picture *p, struct sampler s, const float *coordinates) {
  struct axis axes[3] = {0};
  const int sizes[3] = {p->width, p->height, p->depth};
  for (int a = 0; a < p->axes; a++)
    axes[a] = axis_of(s, coordinates[a], sizes[a]);
  // Section 8.4.
  const int layer = p->is_array ? clamp(whole(rintf(coordinates[p->axes])), 0, p->layers - 1) : 0;
  struct colour sum = {.is_undefined = false};
  double most[4] = {0}, lowest[4] = {0}, highest[4] = {0};
  for (int corner = 0; corner < (s.linear ? 1 << p->axes : 1); corner++) {
    double weight = 1;
    int at[3];
    for (int a = 0; a < 3; a++) {
      const int high = corner >> a & 1;
      at[a] = axes[a].indices[high];
      if (s.linear && a < p->axes)
        weight *= high ? axes[a].fraction : 1 - axes[a].fraction;
    }
    const struct colour one = pixel_or_border(p, s.addressing, at[0], at[1], p->is_array ? layer : at[2]);
    sum.is_undefined |= one.is_undefined;
    for (int c = 0; c < 4; c++) {
      sum.is_undefined |= s.linear && !isfinite(one.values[c]);
      sum.values[c] += weight == 1 ? one.values[c] : weight * one.values[c];
      sum.tolerance[c] += weight * one.tolerance[c];
      most[c] = fmax(most[c], fabs(one.values[c]));
      lowest[c] = corner == 0 ? one.values[c] : fmin(lowest[c], one.values[c]);
      highest[c] = corner == 0 ? one.values[c] : fmax(highest[c], one.values[c]);
    }
  }
  // A float for each difference, product and sum, and the conversion. Of four bytes the fraction along each axis is in
  // 256ths, rounded, and the product of those along x and y too, cut off: docs/decisions/images.md. The text does not
  // say how exact it is.
  const double steps = (0.5 * p->axes + (p->axes > 1 ? 2 : 0)) / 256;
  for (int c = 0; c < 4 && s.linear; c++) {
    sum.tolerance[c] += 4 * (double)p->axes * ldexp(most[c], -23);
    if (p->format.type == CL_UNORM_INT8 && format_bytes(p->format) == 4 && !is_srgb(p->format.order))
      sum.tolerance[c] += steps * (highest[c] - lowest[c]);
  }
  return sum;
}

// ---- writing

// The component that goes into a channel.
static double component_of(char letter, const double *colour) {
  return letter == 'g' ? colour[1] : letter == 'b' ? colour[2] : letter == 'a' ? colour[3] : colour[0];
}

static double of_half(double x) {
  return (double)(_Float16)(float)x;
}

static double store_value(struct format format, int c, char letter, double x, double *slack) {
  const double most = largest(format.type, c);
  switch (format.type) {
    case CL_SNORM_INT8:
    case CL_SNORM_INT16:
      *slack = 0.6;
      return fmax(-most - 1, fmin(most, most * x));
    case CL_FLOAT:
      return x;
    case CL_HALF_FLOAT:
      return of_half(x);
    case CL_SIGNED_INT8:
      return fmax(-128, fmin(127, x));
    case CL_SIGNED_INT16:
      return fmax(-32768, fmin(32767, x));
    case CL_UNSIGNED_INT8:
      return fmin(255, x);
    case CL_UNSIGNED_INT16:
      return fmin(65535, x);
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
      return x;
    default:
      *slack = 0.6;
      if (is_srgb(format.order) && letter != 'a' && letter != 'x') {
        const double y = fmax(0, fmin(1, x));
        return 255 * (y < 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055);
      }
      return fmax(0, fmin(most, most * x));
  }
}

struct stored format_store(struct format format, const double *colour) {
  const char *letters = letters_of(format.order);
  struct stored stored = {.channels = (int)strlen(letters)};
  for (int c = 0; c < stored.channels; c++) {
    const double x = component_of(letters[c], colour);
    stored.is_undefined[c] = letters[c] == 'x' || (largest(format.type, c) != 0 && isnan(x));
    stored.values[c] = store_value(format, c, letters[c], x, &stored.slack);
  }
  return stored;
}
