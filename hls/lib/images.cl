// SPDX-License-Identifier: Apache-2.0
// Image functions: OpenCL C 3.0, sections 6.15.15 and 8. heddlec turns images into the addresses of their descriptors
// and samplers into words (opaque_types.c, contract/image.h), which is how they are declared here: under the names
// that clang gives the functions of the text.
//
// Four channels of 8 bits in a sampler that is known are a few instructions in the kernel, made for that sampler. All
// other formats, and samplers that are arguments, are calls of one function for each way to read, which looks at the
// format when it runs. Coordinates outside of an image, not numbers and infinite ones among them, never lead outside
// of it: reads give the border colour or a pixel of the edge, writes do nothing.
#include "contract/image.h"
#include "hls/lib/device.h"
#include "hls/lib/half_bits.h"
#include "hls/lib/srgb.h"

// The descriptor does not change while a kernel runs; the pixels may.
typedef constant const uint *image;
#define WORD(i, name) ((i)[HEDDLE_IMAGE_##name])

// Not all are for both programmable units and pipelines.
#define INLINE static inline __attribute__((always_inline, unused))
#define CALLED static __attribute__((noinline))

// Whether a sampler is known where the kernel is compiled: heddlec answers when functions are part of their callers.
bool __attribute__((const)) __heddle_is_constant(uint word);

uint __attribute__((always_inline)) __translate_sampler_initializer(uint word) {
  return word;
}

// Of a plain image the function that reads it says what number its channels are. Tested once for the whole kernel where
// that is possible (plain_images.c).
#define IS_PLAIN(i) __builtin_expect((int)WORD(i, FORM) < 0, 1)
#define STORAGE(form) ((form) & HEDDLE_IMAGE_STORAGE)
#define NUMBER(form) ((form) & HEDDLE_IMAGE_NUMBER)
#define CHANNELS(form) ((form) >> HEDDLE_IMAGE_CHANNELS & 7)

#define ADDRESSING(sampler) ((sampler) & HEDDLE_SAMPLER_ADDRESSING)
#define IS_LINEAR(sampler) (((sampler) & HEDDLE_SAMPLER_LINEAR) != 0)

// ---- pixels of any format

// The channels of a pixel as they are stored; those that are missing 0. Bytes above them are 0 too.
INLINE uint4 load_channels(uint form, global const void *pixel) {
  const uint channels = CHANNELS(form);
  uint low, high = 0;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      low = channels == 4   ? *(global const uint *)pixel
            : channels == 2 ? *(global const ushort *)pixel
                            : *(global const uchar *)pixel;
      return (uint4)(low & 0xFF, low >> 8 & 0xFF, low >> 16 & 0xFF, low >> 24);
    case HEDDLE_IMAGE_16:
      low = channels == 1 ? *(global const ushort *)pixel : *(global const uint *)pixel;
      if (channels == 4)
        high = ((global const uint *)pixel)[1];
      return (uint4)(low & 0xFFFF, low >> 16, high & 0xFFFF, high >> 16);
    case HEDDLE_IMAGE_32: {
      global const uint *words = pixel;
      uint4 all = (uint4)(words[0], 0, 0, 0);
      if (channels > 1)
        all.y = words[1];
      if (channels > 2)
        all.zw = (uint2)(words[2], words[3]);
      return all;
    }
    case HEDDLE_IMAGE_565:
      low = *(global const ushort *)pixel;
      return (uint4)(low >> 11, low >> 5 & 0x3F, low & 0x1F, 0);
    case HEDDLE_IMAGE_555:
      low = *(global const ushort *)pixel;
      return (uint4)(low >> 10 & 0x1F, low >> 5 & 0x1F, low & 0x1F, 0);
    default:
      low = *(global const uint *)pixel;
      return (uint4)(low >> 20 & 0x3FF, low >> 10 & 0x3FF, low & 0x3FF, 0);
  }
}

// From channels to red, green, blue, alpha; `one` is 1 as the type has it.
INLINE uint4 arranged(uint4 channel, uint form, uint one) {
  if ((form >> HEDDLE_IMAGE_IN_ORDER & 1) != 0) {
    if (CHANNELS(form) < 4)
      channel.w = one;
    return channel;
  }
  uint4 colour;
  for (int i = 0; i < 4; i++) {
    const uint from = form >> HEDDLE_IMAGE_READ(i) & 7;
    colour[i] = from == 0                   ? channel.x
                : from == 1                 ? channel.y
                : from == 2                 ? channel.z
                : from == 3                 ? channel.w
                : from == HEDDLE_IMAGE_ONE  ? one
                                            : 0;
  }
  return colour;
}

INLINE uint4 signed_channels(uint4 channel, uint form) {
  const int unused = STORAGE(form) == HEDDLE_IMAGE_8 ? 24 : STORAGE(form) == HEDDLE_IMAGE_16 ? 16 : 0;
  return as_uint4(as_int4(channel << unused) >> unused);
}

// The largest fraction of each channel, as an integer.
INLINE float4 largest(uint form) {
  const bool is_signed = NUMBER(form) == HEDDLE_IMAGE_SNORM;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      return is_signed ? 127.0f : 255.0f;
    case HEDDLE_IMAGE_16:
      return is_signed ? 32767.0f : 65535.0f;
    case HEDDLE_IMAGE_565:
      return (float4)(31.0f, 63.0f, 31.0f, 1.0f);
    case HEDDLE_IMAGE_555:
      return 31.0f;
    default:
      return 1023.0f;
  }
}

INLINE float4 reciprocals_of_largest(uint form) {
  const bool is_signed = NUMBER(form) == HEDDLE_IMAGE_SNORM;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      return is_signed ? 1 / 127.0f : 1 / 255.0f;
    case HEDDLE_IMAGE_16:
      return is_signed ? 1 / 32767.0f : 1 / 65535.0f;
    case HEDDLE_IMAGE_565:
      return (float4)(1 / 31.0f, 1 / 63.0f, 1 / 31.0f, 1.0f);
    case HEDDLE_IMAGE_555:
      return 1 / 31.0f;
    default:
      return 1 / 1023.0f;
  }
}

// Channels of 32 bits in order.
INLINE bool is_words(uint form) {
  const uint in_order = 1u << HEDDLE_IMAGE_IN_ORDER;
  return (form & (HEDDLE_IMAGE_STORAGE | in_order)) == (HEDDLE_IMAGE_32 | in_order);
}

INLINE uint4 words_of(uint form, global const uint *words, uint one) {
  if (CHANNELS(form) == 4)
    return (uint4)(words[0], words[1], words[2], words[3]);
  return (uint4)(words[0], CHANNELS(form) == 2 ? words[1] : 0, 0, one);
}

// A pixel as read_imagei and read_imageui give it.
INLINE uint4 whole_colour(uint form, global const void *pixel) {
  if (is_words(form))
    return words_of(form, pixel, 1);
  uint4 channel = load_channels(form, pixel);
  if (NUMBER(form) == HEDDLE_IMAGE_SIGNED)
    channel = signed_channels(channel, form);
  return arranged(channel, form, 1);
}

// As read_imagef does. Alpha of sRGB is the fourth channel of those that have it.
INLINE float4 float_colour(uint form, global const void *pixel) {
  const uint4 channel = load_channels(form, pixel);
  float4 value;
  switch (NUMBER(form)) {
    case HEDDLE_IMAGE_UNORM:
      value = convert_float4(channel) * reciprocals_of_largest(form);
      break;
    case HEDDLE_IMAGE_SNORM:
      value = fmax(convert_float4(as_int4(signed_channels(channel, form))) * reciprocals_of_largest(form), -1.0f);
      break;
    case HEDDLE_IMAGE_SRGB:
      value = (float4)(linear_of_srgb[channel.x], linear_of_srgb[channel.y], linear_of_srgb[channel.z],
                       (float)channel.w * (1 / 255.0f));
      break;
    case HEDDLE_IMAGE_HALF:
      for (int i = 0; i < 4; i++)
        value[i] = (float)as_half((ushort)channel[i]);
      break;
    default:
      value = as_float4(channel);
      break;
  }
  return as_float4(arranged(as_uint4(value), form, as_uint(1.0f)));
}

INLINE uint border_alpha(image i) {
  return WORD(i, FORM) >> HEDDLE_IMAGE_BORDER_ONE & 1;
}

// ---- where pixels are

INLINE int floor_to_int(float x) {
  if (__heddle_has_float_unit)
    return BY_UNIT(int, FCVT_W_S, x, ROUND_DOWN);
  return convert_int_sat_rtn(x);
}

INLINE int round_to_int(float x) {
  if (__heddle_has_float_unit)
    return BY_UNIT(int, FCVT_W_S, x, ROUND_TO_EVEN);
  return convert_int_sat_rte(x);
}

// An index along one axis, in range whatever it was. Behind the edge of an image that has a border *inside becomes
// false.
INLINE uint settled(int index, uint size, uint sampler, bool *inside) {
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_CLAMP_TO_EDGE)
    index = max(index, 0);
  else if (ADDRESSING(sampler) == HEDDLE_SAMPLER_CLAMP)
    *inside = *inside && (uint)index < size;
  return min((uint)index, size - 1);
}

// In pixels.
INLINE float unnormalised(float c, uint size, uint sampler) {
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_REPEAT)
    c -= floor(c);
  else if (ADDRESSING(sampler) == HEDDLE_SAMPLER_MIRRORED_REPEAT)
    c = fabs(c - 2.0f * rint(0.5f * c));
  else if ((sampler & HEDDLE_SAMPLER_NORMALIZED) == 0)
    return c;
  return c * (float)size;
}

INLINE uint nearest(float c, uint size, uint sampler, bool *inside) {
  int index = floor_to_int(unnormalised(c, size, sampler));
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_REPEAT && index >= (int)size)
    index -= (int)size;
  return settled(index, size, sampler, inside);
}

// The two pixels along one axis that a linear filter takes, and how far it is from the first to the second.
struct neighbours {
  uint low, high;
  bool low_inside, high_inside;
  float fraction;
};

INLINE struct neighbours linear(float c, uint size, uint sampler) {
  struct neighbours n = {.low_inside = true, .high_inside = true};
  float u = unnormalised(c, size, sampler) - 0.5f;
  // Before the first pixel both are the first.
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_CLAMP_TO_EDGE)
    u = fmax(u, 0.0f);
  int low = floor_to_int(u), high = low + 1;
  n.fraction = u - (float)low;
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_REPEAT) {
    low += low < 0 ? (int)size : 0;
    high -= high >= (int)size ? (int)size : 0;
  } else if (ADDRESSING(sampler) == HEDDLE_SAMPLER_MIRRORED_REPEAT) {
    low = max(low, 0);
  }
  if (ADDRESSING(sampler) == HEDDLE_SAMPLER_CLAMP_TO_EDGE)
    sampler = 0;  // neither is negative any more
  n.low = settled(low, size, sampler, &n.low_inside);
  n.high = settled(high, size, sampler, &n.high_inside);
  return n;
}

// Of an array, whatever the sampler says of its other coordinates.
INLINE uint layer_of_int(int layer, image i) {
  return min((uint)max(layer, 0), WORD(i, ARRAY_SIZE) - 1);
}

INLINE uint layer_of_float(float layer, image i) {
  return layer_of_int(round_to_int(layer), i);
}

// Of a pixel, as a number.
typedef uint address;
#define PIXEL(p) ((global const void *)(p))

// z is the layer of an array. In this order what a row's pixels share is computed once.
INLINE address pixel_of_shift(image i, uint axes, bool is_array, uint shift, uint x, uint y, uint z) {
  address p = WORD(i, ADDRESS);
  if (axes > 2 || is_array)
    p += z * WORD(i, SLICE_PITCH);
  if (axes > 1)
    p += y * WORD(i, ROW_PITCH);
  return p + (x << shift);
}

INLINE address pixel_of(image i, uint axes, bool is_array, uint x, uint y, uint z) {
  const uint shift = (int)WORD(i, FORM) < 0 ? 2 : WORD(i, PIXEL_SHIFT);  // a plain image's is known
  return pixel_of_shift(i, axes, is_array, shift, x, y, z);
}

// Of integer coordinates.
INLINE address pixel_of_ints(image i, uint axes, bool is_array, uint sampler, int x, int y, int z, bool *inside) {
  const uint column = settled(x, WORD(i, WIDTH), sampler, inside);
  const uint row = axes > 1 ? settled(y, WORD(i, HEIGHT), sampler, inside) : 0;
  const uint slice = axes > 2   ? settled(z, WORD(i, DEPTH), sampler, inside)
                     : is_array ? layer_of_int(z, i)
                                : 0;
  return pixel_of(i, axes, is_array, column, row, slice);
}

// Of the nearest pixel.
INLINE address pixel_of_floats(image i, uint axes, bool is_array, uint sampler, float x, float y, float z,
                               bool *inside) {
  const uint column = nearest(x, WORD(i, WIDTH), sampler, inside);
  const uint row = axes > 1 ? nearest(y, WORD(i, HEIGHT), sampler, inside) : 0;
  const uint slice = axes > 2   ? nearest(z, WORD(i, DEPTH), sampler, inside)
                     : is_array ? layer_of_float(z, i)
                                : 0;
  return pixel_of(i, axes, is_array, column, row, slice);
}

// ---- plain images

// The border of such an image is 0: one operation on the word. Without one each byte is loaded as what it becomes.
INLINE uint4 load_bytes(address p, bool inside, uint sampler, bool is_signed) {
  if (ADDRESSING(sampler) != HEDDLE_SAMPLER_CLAMP) {
    return is_signed ? as_uint4(convert_int4(*(global const char4 *)PIXEL(p)))
                     : convert_uint4(*(global const uchar4 *)PIXEL(p));
  }
  const uint word = inside ? *(global const uint *)PIXEL(p) : 0;
  return is_signed ? as_uint4(convert_int4(as_char4(word))) : convert_uint4(as_uchar4(word));
}

INLINE float4 load_floats(address p, bool inside, uint sampler) {
  return convert_float4(load_bytes(p, inside, sampler, false));
}

#define UNSCALED (1 / 255.0f)  // of bytes as floats

// ---- the linear filter, over any function that reads a pixel, as floats of any number of channels

#define BETWEEN(first, second, t) ({ __auto_type start = first; start + (t) * ((second) - start); })

// The pixels along each axis; nz is the layer of an array.
#define NEIGHBOURS(i, axes, is_array, sampler, x, y, z)                          \
  const struct neighbours nx = linear(x, WORD(i, WIDTH), sampler);               \
  struct neighbours ny = {.low_inside = true, .high_inside = true}, nz = ny;     \
  if (axes > 1)                                                                  \
    ny = linear(y, WORD(i, HEIGHT), sampler);                                    \
  if (axes > 2)                                                                  \
    nz = linear(z, WORD(i, DEPTH), sampler);                                     \
  else if (is_array)                                                             \
    nz.low = layer_of_float(z, i);

// shift: logarithm to the base 2 of a pixel's bytes.
#define FILTER(read, i, axes, is_array, shift)                                                                   \
  ({                                                                                                             \
    __auto_type mixed = FILTER_SLICE(read, i, axes, is_array, shift, nz.low, nz.low_inside);                     \
    if (axes > 2)                                                                                                \
      mixed = BETWEEN(mixed, FILTER_SLICE(read, i, axes, is_array, shift, nz.high, nz.high_inside), nz.fraction); \
    mixed;                                                                                                       \
  })
#define FILTER_SLICE(read, i, axes, is_array, shift, slice, slice_inside)                                         \
  ({                                                                                                              \
    __auto_type rows = FILTER_ROW(read, i, axes, is_array, shift, ny.low, slice, ny.low_inside && (slice_inside)); \
    if (axes > 1) {                                                                                               \
      const bool row_inside = ny.high_inside && (slice_inside);                                                   \
      rows = BETWEEN(rows, FILTER_ROW(read, i, axes, is_array, shift, ny.high, slice, row_inside), ny.fraction);  \
    }                                                                                                             \
    rows;                                                                                                         \
  })
#define FILTER_ROW(read, i, axes, is_array, shift, row, slice, inside)                                        \
  BETWEEN(read(i, pixel_of_shift(i, axes, is_array, shift, nx.low, row, slice), nx.low_inside && (inside)),   \
          read(i, pixel_of_shift(i, axes, is_array, shift, nx.high, row, slice), nx.high_inside && (inside)), \
          nx.fraction)

// ---- the linear filter of four channels of 8 bits, two channels in each multiplication
//
// How far a point is from the middle of a pixel to that of the next is taken in 256ths, and so are the weights of the
// pixels of a row or of two. A sum of bytes by weights has 16 bits.

struct sums {
  uint even, odd;  // channels 0 and 2, and 1 and 3: the lower one in the lower half
};

#define SUMMED (1 / 65280.0f)  // of sums as floats

INLINE struct sums weighed(uint word, uint weight) {
  return (struct sums){(word & 0xFF00FF) * weight, (word >> 8 & 0xFF00FF) * weight};
}

INLINE struct sums sum_of(struct sums a, struct sums b) {
  return (struct sums){a.even + b.even, a.odd + b.odd};
}

INLINE struct sums mixed_row(uint first, uint second, uint t) {
  return sum_of(weighed(first, 256 - t), weighed(second, t));
}

// Of both rows, the words in order.
INLINE struct sums mixed_rows(uint4 words, uint tx, uint ty) {
  const uint both = tx * ty >> 8;
  return sum_of(sum_of(weighed(words.x, 256 - tx - (ty - both)), weighed(words.y, tx - both)),
                sum_of(weighed(words.z, ty - both), weighed(words.w, both)));
}

INLINE float4 colour_of_sums(struct sums s) {
  return convert_float4((uint4)(s.even & 0xFFFF, s.odd & 0xFFFF, s.even >> 16, s.odd >> 16)) * SUMMED;
}

// Where neither a border nor repetition is asked for: the first of the two pixels along an axis, never the last one of
// several, and how far it is to the second.
struct step {
  uint first, t;
};

INLINE uint whole_of(float x) {
  return __heddle_has_float_unit ? BY_UNIT(uint, FCVT_WU_S, x, ROUND_TO_EVEN) : convert_uint_sat_rte(x);
}

// `last` is the first of the last two pixels, or 0.
INLINE struct step step_of(float c, uint size, uint last, uint sampler) {
  const float scale = (sampler & HEDDLE_SAMPLER_NORMALIZED) != 0 ? (float)(size << 8) : 256.0f;
  const uint at = whole_of(c * scale - 128.0f), first = min(at >> 8, last);
  return (struct step){first, min(at - (first << 8), 256u)};
}

// A plain image has two columns or more. Of one row both are the first.
INLINE struct sums filtered_steps(image i, uint axes, bool is_array, address slice, struct step x, struct step y) {
  address p = slice + (x.first << 2);
  if (axes == 1) {
    global const uint *pair = PIXEL(p);
    return mixed_row(pair[0], pair[1], x.t);
  }
  p += y.first * WORD(i, ROW_PITCH);
  global const uint *upper = PIXEL(p), *lower = PIXEL(p + WORD(i, NEXT_ROW));
  return mixed_rows((uint4)(upper[0], upper[1], lower[0], lower[1]), x.t, y.t);
}

INLINE float4 filtered_by_steps(image i, uint axes, bool is_array, uint sampler, float x, float y, float z) {
  const struct step sx = step_of(x, WORD(i, WIDTH), WORD(i, WIDTH) - 2, sampler);
  const struct step sy =
      axes > 1 ? step_of(y, WORD(i, HEIGHT), WORD(i, PAIR_ROW), sampler) : (struct step){0, 0};
  address slice = WORD(i, ADDRESS);
  if (is_array)
    slice += layer_of_float(z, i) * WORD(i, SLICE_PITCH);
  if (axes < 3)
    return colour_of_sums(filtered_steps(i, axes, is_array, slice, sx, sy));
  const struct step sz = step_of(z, WORD(i, DEPTH), max(WORD(i, DEPTH), 2u) - 2, sampler);
  slice += sz.first * WORD(i, SLICE_PITCH);
  const uint to_next = WORD(i, DEPTH) > 1 ? WORD(i, SLICE_PITCH) : 0;
  const float4 first = colour_of_sums(filtered_steps(i, axes, is_array, slice, sx, sy));
  const float4 second = colour_of_sums(filtered_steps(i, axes, is_array, slice + to_next, sx, sy));
  return BETWEEN(first, second, (float)sz.t * (1 / 256.0f));
}

// Any other addressing: the same with neighbours.
INLINE uint weight_of(float fraction) {
  return whole_of(fraction * 256.0f);
}

INLINE uint word_at(address p, bool inside) {
  return inside ? *(global const uint *)PIXEL(p) : 0;
}

INLINE struct sums sums_of_slice(image i, uint axes, bool is_array, struct neighbours nx, struct neighbours ny,
                                 uint slice, bool inside) {
  const bool low = ny.low_inside && inside, high = ny.high_inside && inside;
  uint4 words = 0;
  words.x = word_at(pixel_of_shift(i, axes, is_array, 2, nx.low, ny.low, slice), nx.low_inside && low);
  words.y = word_at(pixel_of_shift(i, axes, is_array, 2, nx.high, ny.low, slice), nx.high_inside && low);
  if (axes == 1)
    return mixed_row(words.x, words.y, weight_of(nx.fraction));
  words.z = word_at(pixel_of_shift(i, axes, is_array, 2, nx.low, ny.high, slice), nx.low_inside && high);
  words.w = word_at(pixel_of_shift(i, axes, is_array, 2, nx.high, ny.high, slice), nx.high_inside && high);
  return mixed_rows(words, weight_of(nx.fraction), weight_of(ny.fraction));
}

#define FILTER_WORDS(i, axes, is_array)                                                                          \
  ({                                                                                                             \
    float4 words = colour_of_sums(sums_of_slice(i, axes, is_array, nx, ny, nz.low, nz.low_inside));              \
    if (axes > 2)                                                                                                \
      words = BETWEEN(words, colour_of_sums(sums_of_slice(i, axes, is_array, nx, ny, nz.high, nz.high_inside)),  \
                      nz.fraction);                                                                              \
    words;                                                                                                       \
  })

INLINE bool has_steps(uint sampler) {
  return ADDRESSING(sampler) == HEDDLE_SAMPLER_CLAMP_TO_EDGE || ADDRESSING(sampler) == HEDDLE_SAMPLER_ADDRESS_NONE;
}

// Four channels as they are stored, in any order, as red, green, blue, alpha.
INLINE float4 reordered(float4 channel, uint form) {
  switch (form >> HEDDLE_IMAGE_READ(0) & 3) {
    case 0:
      return channel;
    case 2:
      return channel.zyxw;
    case 1:
      return channel.yzwx;
    default:
      return channel.wzyx;
  }
}

INLINE bool is_within(image i, uint axes, bool is_array, int x, int y, int z) {
  return (uint)x < WORD(i, WIDTH) && (axes < 2 || (uint)y < WORD(i, HEIGHT)) &&
         (axes < 3 || (uint)z < WORD(i, DEPTH)) && (!is_array || (uint)z < WORD(i, ARRAY_SIZE));
}

#ifdef HEDDLE_PIPELINE
#include "hls/lib/pipeline/images.h"
#else

// ---- formats with code of their own

// Channels as floats, not yet scaled; those of a border are 0.
#define READER(name, T, channels)                            \
  INLINE T name(image i, address p, bool inside) {           \
    return inside ? channels : (T)0;                         \
  }
#define LOADED(T) (*(global const T *)PIXEL(p))
READER(bytes_1, float, (float)LOADED(uchar))
READER(bytes_2, float2, convert_float2((ushort2)(LOADED(ushort) & 0xFF, LOADED(ushort) >> 8)))
READER(shorts_1, float, (float)LOADED(ushort))
READER(shorts_2, float2, convert_float2(as_ushort2(LOADED(uint))))
READER(shorts_4, float4, convert_float4((ushort4)(as_ushort2(LOADED(uint2).x), as_ushort2(LOADED(uint2).y))))
READER(floats_1, float, LOADED(float))
READER(floats_2, float2, (float2)(LOADED(float2)))
READER(floats_4, float4, (float4)(LOADED(float4)))

// Of a linear filter, which the text leaves undefined where one is infinite or not a number. A multiplication makes
// good for the bias of the exponent, also of a subnormal.
INLINE float finite_half(uint h) {
  return __builtin_copysignf(as_float((h & 0x7FFF) << 13) * 0x1p112f, as_float(h << 16));
}

INLINE float2 finite_halves(uint word) {
  const float high = as_float((word & 0x7FFF0000) >> 3) * 0x1p112f;
  return (float2)(finite_half(word), __builtin_copysignf(high, as_float(word)));
}

READER(halves_1, float, finite_half(LOADED(ushort)))
READER(halves_2, float2, finite_halves(LOADED(uint)))
READER(halves_4, float4, (float4)(finite_halves(LOADED(uint2).x), finite_halves(LOADED(uint2).y)))

#define COLOUR_1(red) (float4)(red, 0, 0, 1)
#define COLOUR_2(both) (float4)(both, 0, 1)
#define OF_BYTES (1 / 255.0f)
#define OF_SHORTS (1 / 65535.0f)

// `f` of each reader of one or two channels, and of the logarithm to the base 2 of its pixels' bytes.
#define BY_NARROW_READING(i, f, half_1, half_2)                   \
  switch (WORD(i, READING)) {                                     \
    case HEDDLE_IMAGE_READ_BYTES:                                 \
      return COLOUR_1(f(bytes_1, 0) * OF_BYTES);                  \
    case HEDDLE_IMAGE_READ_BYTES | 1:                             \
      return COLOUR_2(f(bytes_2, 1) * OF_BYTES);                  \
    case HEDDLE_IMAGE_READ_SHORTS:                                \
      return COLOUR_1(f(shorts_1, 1) * OF_SHORTS);                \
    case HEDDLE_IMAGE_READ_SHORTS | 1:                            \
      return COLOUR_2(f(shorts_2, 2) * OF_SHORTS);                \
    case HEDDLE_IMAGE_READ_HALVES:                                \
      return COLOUR_1(half_1);                                    \
    case HEDDLE_IMAGE_READ_HALVES | 1:                            \
      return COLOUR_2(half_2);                                    \
    case HEDDLE_IMAGE_READ_FLOATS:                                \
      return COLOUR_1(f(floats_1, 2));                            \
    default:                                                      \
      return COLOUR_2(f(floats_2, 3));                            \
  }

// The same of four channels; `words` is four bytes.
#define BY_WIDE_READING(i, f, half_4, words)                      \
  switch (WORD(i, READING)) {                                     \
    case HEDDLE_IMAGE_READ_BYTES | 2:                             \
      return reordered(words, WORD(i, FORM));                     \
    case HEDDLE_IMAGE_READ_SHORTS | 2:                            \
      return f(shorts_4, 3) * OF_SHORTS;                          \
    case HEDDLE_IMAGE_READ_HALVES | 2:                            \
      return half_4;                                              \
    default:                                                      \
      return f(floats_4, 4);                                      \
  }

INLINE bool is_read_by_any(image i) {
  return WORD(i, READING) == HEDDLE_IMAGE_READ_ANY;
}

INLINE bool is_wide(image i) {
  return (WORD(i, READING) & 2) != 0;
}

INLINE float2 halves_as_floats(uint word) {
  return (float2)((float)as_half((ushort)word), (float)as_half((ushort)(word >> 16)));
}

#define ONE(read, shift) read(i, p, true)
INLINE float4 narrow_pixel(image i, address p) {
  BY_NARROW_READING(i, ONE, (float)as_half(LOADED(ushort)), halves_as_floats(LOADED(uint)))
}

INLINE float4 wide_pixel(image i, address p) {
  BY_WIDE_READING(i, ONE, (float4)(halves_as_floats(LOADED(uint2).x), halves_as_floats(LOADED(uint2).y)),
                  convert_float4(as_uchar4(LOADED(uint))) * OF_BYTES)
}

// What these functions read goes to a place that they are given, so that one of them can end with a jump to another,
// and none of them saves registers for one that needs more.
CALLED void any_pixel_to(float4 *to, image i, address p, bool inside) {
  *to = !inside             ? (float4)(0, 0, 0, (float)border_alpha(i))
        : is_read_by_any(i) ? float_colour(WORD(i, FORM), PIXEL(p))
        : is_wide(i)        ? wide_pixel(i, p)
                            : narrow_pixel(i, p);
}

INLINE float4 any_pixel(image i, address p, bool inside) {
  float4 colour;
  any_pixel_to(&colour, i, p, inside);
  return colour;
}

CALLED uint4 any_whole_pixel(image i, address p, bool inside) {
  return inside ? whole_colour(WORD(i, FORM), PIXEL(p)) : (uint4)(0, 0, 0, border_alpha(i));
}

// ---- reads, for each kind of image

#define FILTERED_1false(read, shift) FILTER(read, i, 1, false, shift)
#define FILTERED_1true(read, shift) FILTER(read, i, 1, true, shift)
#define FILTERED_2false(read, shift) FILTER(read, i, 2, false, shift)
#define FILTERED_2true(read, shift) FILTER(read, i, 2, true, shift)
#define FILTERED_3false(read, shift) FILTER(read, i, 3, false, shift)
#define READS(kind, axes, is_array)                                                                              \
  CALLED void sample_other_##kind(float4 *to, image i, uint sampler, float x, float y, float z) {                \
    NEIGHBOURS(i, axes, is_array, sampler, x, y, z)                                                              \
    *to = FILTER(any_pixel, i, axes, is_array, WORD(i, PIXEL_SHIFT));                                            \
  }                                                                                                              \
  INLINE float4 narrow_##kind(image i, uint sampler, float x, float y, float z) {                                \
    NEIGHBOURS(i, axes, is_array, sampler, x, y, z)                                                              \
    BY_NARROW_READING(i, FILTERED_##axes##is_array, FILTERED_##axes##is_array(halves_1, 1),                      \
                      FILTERED_##axes##is_array(halves_2, 2))                                                    \
  }                                                                                                              \
  INLINE float4 wide_##kind(image i, uint sampler, float x, float y, float z) {                                  \
    if (WORD(i, READING) == (HEDDLE_IMAGE_READ_BYTES | 2) && WORD(i, WIDTH) > 1 && has_steps(sampler))           \
      return reordered(filtered_by_steps(i, axes, is_array, sampler, x, y, z), WORD(i, FORM));                   \
    NEIGHBOURS(i, axes, is_array, sampler, x, y, z)                                                              \
    BY_WIDE_READING(i, FILTERED_##axes##is_array, FILTERED_##axes##is_array(halves_4, 3),                        \
                    FILTER_WORDS(i, axes, is_array))                                                             \
  }                                                                                                              \
  CALLED void sample_narrow_##kind(float4 *to, image i, uint sampler, float x, float y, float z) {               \
    *to = narrow_##kind(i, sampler, x, y, z);                                                                    \
  }                                                                                                              \
  CALLED void sample_wide_##kind(float4 *to, image i, uint sampler, float x, float y, float z) {                 \
    *to = wide_##kind(i, sampler, x, y, z);                                                                      \
  }                                                                                                              \
  CALLED void sample_##kind##_to(float4 *to, image i, uint sampler, float x, float y, float z) {                 \
    bool inside = true;                                                                                          \
    if (!IS_LINEAR(sampler)) {                                                                                   \
      const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                           \
      any_pixel_to(to, i, p, inside);                                                                            \
    } else if (is_wide(i)) {                                                                                     \
      sample_wide_##kind(to, i, sampler, x, y, z);                                                               \
    } else if (is_read_by_any(i)) {                                                                              \
      sample_other_##kind(to, i, sampler, x, y, z);                                                              \
    } else {                                                                                                     \
      sample_narrow_##kind(to, i, sampler, x, y, z);                                                             \
    }                                                                                                            \
  }                                                                                                              \
  INLINE float4 sample_##kind(image i, uint sampler, float x, float y, float z) {                                \
    float4 colour;                                                                                               \
    sample_##kind##_to(&colour, i, sampler, x, y, z);                                                            \
    return colour;                                                                                               \
  }                                                                                                              \
  CALLED uint4 sample_whole_##kind(image i, uint sampler, float x, float y, float z) {                           \
    bool inside = true;                                                                                          \
    const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                             \
    return any_whole_pixel(i, p, inside);                                                                        \
  }                                                                                                              \
  INLINE float4 read_float_##kind(image i, uint sampler, float x, float y, float z) {                            \
    bool inside = true;                                                                                          \
    if (!__heddle_is_constant(sampler))                                                                          \
      return sample_##kind(i, sampler, x, y, z);                                                                 \
    if (IS_LINEAR(sampler)) {                                                                                    \
      if (!IS_PLAIN(i))                                                                                          \
        return sample_##kind(i, sampler, x, y, z);                                                               \
      if (has_steps(sampler))                                                                                    \
        return filtered_by_steps(i, axes, is_array, sampler, x, y, z);                                           \
      NEIGHBOURS(i, axes, is_array, sampler, x, y, z)                                                            \
      return FILTER_WORDS(i, axes, is_array);                                                                    \
    }                                                                                                            \
    const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                             \
    return IS_PLAIN(i) ? load_floats(p, inside, sampler) * UNSCALED : any_pixel(i, p, inside);                   \
  }                                                                                                              \
  INLINE uint4 read_whole_##kind(image i, uint sampler, float x, float y, float z, bool is_signed) {             \
    bool inside = true;                                                                                          \
    if (!__heddle_is_constant(sampler))                                                                          \
      return sample_whole_##kind(i, sampler, x, y, z);                                                           \
    const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                             \
    return IS_PLAIN(i) ? load_bytes(p, inside, sampler, is_signed) : any_whole_pixel(i, p, inside);              \
  }                                                                                                              \
  INLINE float4 read_float_at_##kind(image i, uint sampler, int x, int y, int z) {                               \
    bool inside = true;                                                                                          \
    const address p = pixel_of_ints(i, axes, is_array, sampler, x, y, z, &inside);                               \
    return IS_PLAIN(i) ? load_floats(p, inside, sampler) * UNSCALED : any_pixel(i, p, inside);                   \
  }                                                                                                              \
  INLINE uint4 read_whole_at_##kind(image i, uint sampler, int x, int y, int z, bool is_signed) {                \
    bool inside = true;                                                                                          \
    const address p = pixel_of_ints(i, axes, is_array, sampler, x, y, z, &inside);                               \
    return IS_PLAIN(i) ? load_bytes(p, inside, sampler, is_signed) : any_whole_pixel(i, p, inside);              \
  }
READS(1d, 1, false)
READS(1d_array, 1, true)
READS(2d, 2, false)
READS(2d_array, 2, true)
READS(3d, 3, false)

// ---- writes

// `limit` is the largest. Not a number is 0.
INLINE uint rounded(float x, float limit) {
  x = fmax(x * limit, 0.0f);
  const uint whole = __heddle_has_float_unit ? BY_UNIT(uint, FCVT_WU_S, x, ROUND_TO_EVEN) : convert_uint_sat_rte(x);
  return min(whole, (uint)limit);
}

INLINE uint rounded_signed(float x, float limit) {
  const int whole = x != x ? 0 : round_to_int(x * limit);
  return (uint)clamp(whole, -(int)limit - 1, (int)limit);
}

// The sRGB value that is nearest, by the differences of linear ones, which are all but even from one to the next.
static uint srgb_of(float x) {
  uint low = 0;
  if (!(x > 0))
    return 0;
  for (uint step = 128; step != 0; step >>= 1)
    low += linear_of_srgb[low + step] <= x ? step : 0;
  if (low == 255)
    return 255;
  return low + (x - linear_of_srgb[low] >= 0.5f * (linear_of_srgb[low + 1] - linear_of_srgb[low]) ? 1 : 0);
}

// Stores channels, of which the bits above their size are 0.
INLINE void store_channels(uint form, global void *pixel, uint4 channel) {
  const uint channels = CHANNELS(form);
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      if (channels == 4)
        *(global uint *)pixel = channel.x | channel.y << 8 | channel.z << 16 | channel.w << 24;
      else if (channels == 2)
        *(global ushort *)pixel = (ushort)(channel.x | channel.y << 8);
      else
        *(global uchar *)pixel = (uchar)channel.x;
      break;
    case HEDDLE_IMAGE_16:
      if (channels == 1) {
        *(global ushort *)pixel = (ushort)channel.x;
      } else {
        ((global uint *)pixel)[0] = channel.x | channel.y << 16;
        if (channels == 4)
          ((global uint *)pixel)[1] = channel.z | channel.w << 16;
      }
      break;
    case HEDDLE_IMAGE_32:
      ((global uint *)pixel)[0] = channel.x;
      if (channels > 1)
        ((global uint *)pixel)[1] = channel.y;
      if (channels > 2) {
        ((global uint *)pixel)[2] = channel.z;
        ((global uint *)pixel)[3] = channel.w;
      }
      break;
    case HEDDLE_IMAGE_565:
      *(global ushort *)pixel = (ushort)(channel.x << 11 | channel.y << 5 | channel.z);
      break;
    case HEDDLE_IMAGE_555:
      *(global ushort *)pixel = (ushort)(channel.x << 10 | channel.y << 5 | channel.z);
      break;
    default:
      *(global uint *)pixel = channel.x << 20 | channel.y << 10 | channel.z;
      break;
  }
}

// From red, green, blue, alpha to channels.
INLINE uint4 in_channels(uint4 colour, uint form) {
  uint4 channel;
  for (int i = 0; i < 4; i++) {
    const uint from = form >> HEDDLE_IMAGE_WRITE(i) & 3;
    channel[i] = from == 0 ? colour.x : from == 1 ? colour.y : from == 2 ? colour.z : colour.w;
  }
  return channel;
}

CALLED void store_float(image i, address p, float red, float green, float blue, float alpha) {
  const uint form = WORD(i, FORM);
  const float4 colour = as_float4(in_channels(as_uint4((float4)(red, green, blue, alpha)), form));
  const float4 limit = largest(form);
  uint4 channel;
  switch (NUMBER(form)) {
    case HEDDLE_IMAGE_UNORM:
      for (int c = 0; c < 4; c++)
        channel[c] = rounded(colour[c], limit[c]);
      break;
    case HEDDLE_IMAGE_SNORM: {
      const uint mask = STORAGE(form) == HEDDLE_IMAGE_8 ? 0xFF : 0xFFFF;
      for (int c = 0; c < 4; c++)
        channel[c] = rounded_signed(colour[c], limit.x) & mask;
      break;
    }
    case HEDDLE_IMAGE_SRGB:
      for (int c = 0; c < 3; c++)
        channel[c] = srgb_of(colour[c]);
      channel.w = rounded(colour.w, 255.0f);
      break;
    case HEDDLE_IMAGE_HALF:
      for (int c = 0; c < 4; c++)
        channel[c] = as_ushort((half)colour[c]);
      break;
    default:
      channel = as_uint4(colour);
      break;
  }
  store_channels(form, (global void *)PIXEL(p), channel);
}

CALLED void store_whole(image i, address p, uint red, uint green, uint blue, uint alpha) {
  const uint form = WORD(i, FORM);
  const uint bits = STORAGE(form) == HEDDLE_IMAGE_8 ? 8 : STORAGE(form) == HEDDLE_IMAGE_16 ? 16 : 32;
  uint4 channel = in_channels((uint4)(red, green, blue, alpha), form);
  if (bits < 32) {
    if (NUMBER(form) == HEDDLE_IMAGE_SIGNED) {
      const int limit = (1 << (bits - 1)) - 1;
      channel = as_uint4(clamp(as_int4(channel), (int4)(-limit - 1), (int4)limit)) & ((1u << bits) - 1);
    } else {
      channel = min(channel, (uint4)((1u << bits) - 1));
    }
  }
  store_channels(form, (global void *)PIXEL(p), channel);
}

INLINE void write_float(image i, uint axes, bool is_array, int x, int y, int z, float4 colour) {
  if (!is_within(i, axes, is_array, x, y, z))
    return;
  const address p = pixel_of(i, axes, is_array, (uint)x, (uint)y, (uint)z);
  if (IS_PLAIN(i))
    *(global uint *)PIXEL(p) = rounded(colour.x, 255.0f) | rounded(colour.y, 255.0f) << 8 |
                                       rounded(colour.z, 255.0f) << 16 | rounded(colour.w, 255.0f) << 24;
  else
    store_float(i, p, colour.x, colour.y, colour.z, colour.w);
}

INLINE uint signed_byte(uint x) {
  return (uint)clamp((int)x, -128, 127) & 0xFF;
}

INLINE void write_whole(image i, uint axes, bool is_array, int x, int y, int z, uint4 colour, bool is_signed) {
  if (!is_within(i, axes, is_array, x, y, z))
    return;
  const address p = pixel_of(i, axes, is_array, (uint)x, (uint)y, (uint)z);
  if (!IS_PLAIN(i))
    store_whole(i, p, colour.x, colour.y, colour.z, colour.w);
  else if (is_signed)
    *(global uint *)PIXEL(p) = signed_byte(colour.x) | signed_byte(colour.y) << 8 |
                                       signed_byte(colour.z) << 16 | signed_byte(colour.w) << 24;
  else
    *(global uint *)PIXEL(p) = min(colour.x, 0xFFu) | min(colour.y, 0xFFu) << 8 |
                                       min(colour.z, 0xFFu) << 16 | min(colour.w, 0xFFu) << 24;
}

#endif

// ---- the functions under clang's names

#define API __attribute__((always_inline))

// Coordinates as x, y, z.
#define XYZ_1(c) c, 0, 0
#define XYZ_1_LAYER(c) c.x, 0, c.y
#define XYZ_2(c) c.x, c.y, 0
#define XYZ_3(c) c.x, c.y, c.z

// Names in n are for integers of which a call does not say whether they have a sign (il_images.c).
#define IS_SIGNED(i) (NUMBER(WORD(i, FORM)) == HEDDLE_IMAGE_SIGNED)

// type: as clang mangles an image's, without its access; kind: of READS; then what coordinates are, and how it mangles
// them.
#define WITHOUT_SAMPLER(type, access, kind, coordinates, vector, xyz)                           \
  float4 API _Z11read_imagef##type##access##vector##i(image i, int##coordinates c) {            \
    return read_float_at_##kind(i, 0, xyz(c));                                                  \
  }                                                                                             \
  half4 API _Z11read_imageh##type##access##vector##i(image i, int##coordinates c) {             \
    return convert_half4(read_float_at_##kind(i, 0, xyz(c)));                                   \
  }                                                                                             \
  int4 API _Z11read_imagei##type##access##vector##i(image i, int##coordinates c) {              \
    return as_int4(read_whole_at_##kind(i, 0, xyz(c), true));                                   \
  }                                                                                             \
  uint4 API _Z11read_imagen##type##access##vector##i(image i, int##coordinates c) {              \
    return read_whole_at_##kind(i, 0, xyz(c), IS_SIGNED(i));                                    \
  }                                                                                             \
  uint4 API _Z12read_imageui##type##access##vector##i(image i, int##coordinates c) {            \
    return read_whole_at_##kind(i, 0, xyz(c), false);                                           \
  }
#define WITH_SAMPLER(type, kind, coordinates, vector, xyz)                                                         \
  float4 API _Z11read_imagef##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {     \
    return read_float_##kind(i, sampler, xyz(c));                                                                  \
  }                                                                                                                \
  half4 API _Z11read_imageh##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {      \
    return convert_half4(read_float_##kind(i, sampler, xyz(c)));                                                   \
  }                                                                                                                \
  int4 API _Z11read_imagei##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {       \
    return as_int4(read_whole_##kind(i, sampler, xyz(c), true));                                                   \
  }                                                                                                                \
  uint4 API _Z11read_imagen##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {      \
    return read_whole_##kind(i, sampler, xyz(c), IS_SIGNED(i));                                                    \
  }                                                                                                                \
  uint4 API _Z12read_imageui##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {     \
    return read_whole_##kind(i, sampler, xyz(c), false);                                                           \
  }                                                                                                                \
  float4 API _Z11read_imagef##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {       \
    return read_float_at_##kind(i, sampler, xyz(c));                                                               \
  }                                                                                                                \
  half4 API _Z11read_imageh##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {        \
    return convert_half4(read_float_at_##kind(i, sampler, xyz(c)));                                                \
  }                                                                                                                \
  int4 API _Z11read_imagei##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {         \
    return as_int4(read_whole_at_##kind(i, sampler, xyz(c), true));                                                \
  }                                                                                                                \
  uint4 API _Z11read_imagen##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {        \
    return read_whole_at_##kind(i, sampler, xyz(c), IS_SIGNED(i));                                                 \
  }                                                                                                                \
  uint4 API _Z12read_imageui##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {       \
    return read_whole_at_##kind(i, sampler, xyz(c), false);                                                        \
  }
// colour_i: as clang mangles a second int4.
#define WRITES(type, access, axes, is_array, coordinates, vector, xyz, colour_i)                                 \
  void API _Z12write_imagef##type##access##vector##iDv4_f(image i, int##coordinates c, float4 colour) {          \
    write_float(i, axes, is_array, xyz(c), colour);                                                              \
  }                                                                                                              \
  void API _Z12write_imageh##type##access##vector##iDv4_Dh(image i, int##coordinates c, half4 colour) {          \
    write_float(i, axes, is_array, xyz(c), convert_float4(colour));                                              \
  }                                                                                                              \
  void API _Z12write_imagei##type##access##vector##i##colour_i(image i, int##coordinates c, int4 colour) {       \
    write_whole(i, axes, is_array, xyz(c), as_uint4(colour), true);                                              \
  }                                                                                                              \
  void API _Z12write_imagen##type##access##vector##i##colour_i(image i, int##coordinates c, uint4 colour) {      \
    write_whole(i, axes, is_array, xyz(c), colour, IS_SIGNED(i));                                                \
  }                                                                                                              \
  void API _Z13write_imageui##type##access##vector##iDv4_j(image i, int##coordinates c, uint4 colour) {          \
    write_whole(i, axes, is_array, xyz(c), colour, false);                                                       \
  }
// What is asked of every image.
#define QUERIES(type, access)                                             \
  int API _Z15get_image_width##type##access(image i) {                    \
    return (int)WORD(i, WIDTH);                                           \
  }                                                                       \
  int API _Z27get_image_channel_data_type##type##access(image i) {        \
    return (int)WORD(i, TYPE);                                            \
  }                                                                       \
  int API _Z23get_image_channel_order##type##access(image i) {            \
    return (int)WORD(i, ORDER);                                           \
  }
#define HEIGHT(type, access)                              \
  int API _Z16get_image_height##type##access(image i) {   \
    return (int)WORD(i, HEIGHT);                          \
  }
#define HEIGHT_AND_DIMENSIONS(type, access)                      \
  HEIGHT(type, access)                                           \
  int2 API _Z13get_image_dim##type##access(image i) {            \
    return (int2)((int)WORD(i, WIDTH), (int)WORD(i, HEIGHT));    \
  }
#define DEPTH(type, access)                                                               \
  HEIGHT(type, access)                                                                    \
  int API _Z15get_image_depth##type##access(image i) {                                    \
    return (int)WORD(i, DEPTH);                                                           \
  }                                                                                       \
  int4 API _Z13get_image_dim##type##access(image i) {                                     \
    return (int4)((int)WORD(i, WIDTH), (int)WORD(i, HEIGHT), (int)WORD(i, DEPTH), 0);     \
  }
#define ARRAY_SIZE(type, access)                               \
  size_t API _Z20get_image_array_size##type##access(image i) { \
    return WORD(i, ARRAY_SIZE);                                \
  }
#define NOTHING(type, access)
#define FOR_ACCESSES(what, type) what(type, _ro) what(type, _wo) what(type, _rw)

#define IMAGE(type, axes, is_array, kind, coordinates, vector, xyz, colour_i, more)      \
  WITHOUT_SAMPLER(type, _ro, kind, coordinates, vector, xyz)                             \
  WITHOUT_SAMPLER(type, _rw, kind, coordinates, vector, xyz)                             \
  WRITES(type, _wo, axes, is_array, coordinates, vector, xyz, colour_i)                  \
  WRITES(type, _rw, axes, is_array, coordinates, vector, xyz, colour_i)                  \
  FOR_ACCESSES(QUERIES, type)                                                            \
  FOR_ACCESSES(more, type)
#define SAMPLED(type, axes, is_array, kind, coordinates, vector, xyz, colour_i, more) \
  IMAGE(type, axes, is_array, kind, coordinates, vector, xyz, colour_i, more)         \
  WITH_SAMPLER(type, kind, coordinates, vector, xyz)
IMAGE(21ocl_image1d_buffer, 1, false, 1d, , , XYZ_1, Dv4_i, NOTHING)
SAMPLED(14ocl_image1d, 1, false, 1d, , , XYZ_1, Dv4_i, NOTHING)
SAMPLED(20ocl_image1d_array, 1, true, 1d_array, 2, Dv2_, XYZ_1_LAYER, Dv4_i, ARRAY_SIZE)
SAMPLED(14ocl_image2d, 2, false, 2d, 2, Dv2_, XYZ_2, Dv4_i, HEIGHT_AND_DIMENSIONS)
SAMPLED(20ocl_image2d_array, 2, true, 2d_array, 4, Dv4_, XYZ_3, S0_, HEIGHT_AND_DIMENSIONS)
FOR_ACCESSES(ARRAY_SIZE, 20ocl_image2d_array)
SAMPLED(14ocl_image3d, 3, false, 3d, 4, Dv4_, XYZ_3, S0_, DEPTH)

// Of depth images the one channel is the colour.
#define DEPTHS_WITHOUT_SAMPLER(type, access, kind, coordinates, vector, xyz)         \
  float API _Z11read_imagef##type##access##vector##i(image i, int##coordinates c) {  \
    return read_float_at_##kind(i, 0, xyz(c)).x;                                     \
  }
#define DEPTHS_WRITE(type, access, axes, is_array, coordinates, vector, xyz)                        \
  void API _Z12write_imagef##type##access##vector##if(image i, int##coordinates c, float depth) {   \
    write_float(i, axes, is_array, xyz(c), (float4)(depth));                                        \
  }
#define DEPTHS(type, axes, is_array, kind, coordinates, vector, xyz)                                              \
  DEPTHS_WITHOUT_SAMPLER(type, _ro, kind, coordinates, vector, xyz)                                               \
  DEPTHS_WITHOUT_SAMPLER(type, _rw, kind, coordinates, vector, xyz)                                               \
  DEPTHS_WRITE(type, _wo, axes, is_array, coordinates, vector, xyz)                                               \
  DEPTHS_WRITE(type, _rw, axes, is_array, coordinates, vector, xyz)                                               \
  FOR_ACCESSES(QUERIES, type)                                                                                     \
  FOR_ACCESSES(HEIGHT_AND_DIMENSIONS, type)                                                                       \
  float API _Z11read_imagef##type##_ro11ocl_sampler##vector##f(image i, uint sampler, float##coordinates c) {     \
    return read_float_##kind(i, sampler, xyz(c)).x;                                                               \
  }                                                                                                               \
  float API _Z11read_imagef##type##_ro11ocl_sampler##vector##i(image i, uint sampler, int##coordinates c) {       \
    return read_float_at_##kind(i, sampler, xyz(c)).x;                                                            \
  }
DEPTHS(20ocl_image2d_depth, 2, false, 2d, 2, Dv2_, XYZ_2)
DEPTHS(26ocl_image2d_array_depth, 2, true, 2d_array, 4, Dv4_, XYZ_3)
FOR_ACCESSES(ARRAY_SIZE, 26ocl_image2d_array_depth)

// ---- cl_intel_subgroups, cl_intel_subgroups_short: blocks of words and half words, one row for each element of the
// vector. The column is in bytes. Outside of the image reads give what is at its edge, and writes do nothing.

INLINE uint block_column(image i, int column, uint bytes) {
  const uint row_bytes = WORD(i, WIDTH) << WORD(i, PIXEL_SHIFT);
  return min(((uint)max(column, 0) & -bytes) + bytes * get_sub_group_local_id(), row_bytes - min(bytes, row_bytes));
}

#define BLOCK_ROW(i, row) (WORD(i, ADDRESS) + min((uint)max(row, 0), WORD(i, HEIGHT) - 1) * WORD(i, ROW_PITCH))
#define BLOCK_ELEMENT(i, T, column, row) (*(global const T *)PIXEL(BLOCK_ROW(i, row) + (column)))

#define BLOCK_READ(read, access, T, n, rows)                        \
  T##n API read##14ocl_image2d##access##Dv2_i(image i, int2 c) {    \
    const uint column = block_column(i, c.x, sizeof(T));            \
    union {                                                         \
      T##n block;                                                   \
      T elements[rows];                                             \
    } all;                                                          \
    for (int row = 0; row < rows; row++)                            \
      all.elements[row] = BLOCK_ELEMENT(i, T, column, c.y + row);   \
    return all.block;                                               \
  }
#define BLOCK_WRITE(write, access, T, n, mangled, rows)                                          \
  void API write##14ocl_image2d##access##Dv2_i##mangled(image i, int2 c, T##n data) {            \
    const uint column = ((uint)c.x & -(uint)sizeof(T)) + (uint)sizeof(T) * get_sub_group_local_id(); \
    const uint row_bytes = WORD(i, WIDTH) << WORD(i, PIXEL_SHIFT);                               \
    union {                                                                                      \
      T##n block;                                                                                \
      T elements[rows];                                                                          \
    } all = {.block = data};                                                                     \
    for (int row = 0; row < rows; row++)                                                         \
      if (c.x >= 0 && column + sizeof(T) <= row_bytes && (uint)(c.y + row) < WORD(i, HEIGHT))    \
        *(global T *)PIXEL(BLOCK_ROW(i, c.y + row) + column) = all.elements[row];                \
  }
#define BLOCKS(read, write, T, n, mangled, rows)        \
  BLOCK_READ(read, _ro, T, n, rows)                     \
  BLOCK_READ(read, _rw, T, n, rows)                     \
  BLOCK_WRITE(write, _wo, T, n, mangled, rows)          \
  BLOCK_WRITE(write, _rw, T, n, mangled, rows)
BLOCKS(_Z26intel_sub_group_block_read, _Z27intel_sub_group_block_write, uint, , j, 1)
BLOCKS(_Z27intel_sub_group_block_read2, _Z28intel_sub_group_block_write2, uint, 2, Dv2_j, 2)
BLOCKS(_Z27intel_sub_group_block_read4, _Z28intel_sub_group_block_write4, uint, 4, Dv4_j, 4)
BLOCKS(_Z27intel_sub_group_block_read8, _Z28intel_sub_group_block_write8, uint, 8, Dv8_j, 8)
BLOCKS(_Z29intel_sub_group_block_read_ui, _Z30intel_sub_group_block_write_ui, uint, , j, 1)
BLOCKS(_Z30intel_sub_group_block_read_ui2, _Z31intel_sub_group_block_write_ui2, uint, 2, Dv2_j, 2)
BLOCKS(_Z30intel_sub_group_block_read_ui4, _Z31intel_sub_group_block_write_ui4, uint, 4, Dv4_j, 4)
BLOCKS(_Z30intel_sub_group_block_read_ui8, _Z31intel_sub_group_block_write_ui8, uint, 8, Dv8_j, 8)
BLOCKS(_Z29intel_sub_group_block_read_us, _Z30intel_sub_group_block_write_us, ushort, , t, 1)
BLOCKS(_Z30intel_sub_group_block_read_us2, _Z31intel_sub_group_block_write_us2, ushort, 2, Dv2_t, 2)
BLOCKS(_Z30intel_sub_group_block_read_us4, _Z31intel_sub_group_block_write_us4, ushort, 4, Dv4_t, 4)
BLOCKS(_Z30intel_sub_group_block_read_us8, _Z31intel_sub_group_block_write_us8, ushort, 8, Dv8_t, 8)
BLOCKS(_Z31intel_sub_group_block_read_us16, _Z32intel_sub_group_block_write_us16, ushort, 16, Dv16_t, 16)
