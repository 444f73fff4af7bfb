// SPDX-License-Identifier: Apache-2.0
// What reads and writes pixels in a kernel pipeline, in place of what images.cl has for programmable units: the results
// are the same. A circuit is made of every way there is to decode a pixel, whether it is taken or not, so that there is
// one for all formats. The words of a pixel are loaded, then its channels become numbers in the same operations: an
// integer becomes a float and is scaled, or a half, whose bits are put where a float has them. Linear filters and
// writes of floats take one channel after the other: a ring of the pipeline with four rounds.
#ifndef HEDDLE_HLS_LIB_PIPELINE_IMAGES_H
#define HEDDLE_HLS_LIB_PIPELINE_IMAGES_H

enum { CHANNELS_MOST = 4, PIXELS_MOST = 8 };

// ---- pixels

// The words of a pixel, which are 0 outside of an image. Of one of less than a word only its own bits are there.
INLINE uint4 pixel_words(image i, address p, bool inside) {
  const uint shift = WORD(i, PIXEL_SHIFT);
  global const uint *words = PIXEL(p & ~3u);
  uint4 all = 0;
  if (inside) {
    all.x = words[0];
    if (shift > 2)
      all.y = words[1];
    if (shift > 3)
      all.zw = (uint2)(words[2], words[3]);
  }
  all.x = all.x >> (p & 3) * 8 & (shift == 0 ? 0xFF : shift == 1 ? 0xFFFF : ~0u);
  return all;
}

// How wide a channel is; of those that are narrower than a word, its place in the first or second one.
struct channel_place {
  uint word, shift, mask;
};

INLINE struct channel_place place_of(uint form, uint channel) {
  const uint from_top = 2 - min(channel, 2u);
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      return (struct channel_place){0, channel * 8, 0xFF};
    case HEDDLE_IMAGE_16:
      return (struct channel_place){channel >> 1, (channel & 1) * 16, 0xFFFF};
    case HEDDLE_IMAGE_32:
      return (struct channel_place){channel, 0, ~0u};
    case HEDDLE_IMAGE_565:
      return (struct channel_place){0, channel == 0 ? 11 : channel == 1 ? 5 : 0, channel == 1 ? 0x3F : 0x1F};
    case HEDDLE_IMAGE_555:
      return (struct channel_place){0, from_top * 5, 0x1F};
    default:
      return (struct channel_place){0, from_top * 10, 0x3FF};
  }
}

// As it is stored; of a packed format there are three.
INLINE uint channel_of(uint form, uint4 words, uint channel) {
  const struct channel_place place = place_of(form, channel);
  const uint word = place.word == 0 ? words.x : place.word == 1 ? words.y : place.word == 2 ? words.z : words.w;
  return channel == 3 && STORAGE(form) > HEDDLE_IMAGE_32 ? 0 : word >> place.shift & place.mask;
}

INLINE uint extended(uint form, uint channel) {
  const int unused = STORAGE(form) == HEDDLE_IMAGE_8 ? 24 : STORAGE(form) == HEDDLE_IMAGE_16 ? 16 : 0;
  return as_uint(as_int(channel << unused) >> unused);
}

// The component that a read takes from one of the channels, or 0, or `one`.
INLINE uint arranged_component(uint form, uint4 channel, int component, uint one) {
  const uint from = form >> HEDDLE_IMAGE_READ(component) & 7;
  return from == 0                  ? channel.x
         : from == 1                ? channel.y
         : from == 2                ? channel.z
         : from == 3                ? channel.w
         : from == HEDDLE_IMAGE_ONE ? one
                                    : 0;
}

// The largest fraction of a channel, as an integer, and its reciprocal.
INLINE float largest_of(uint form, uint channel) {
  const bool is_signed = NUMBER(form) == HEDDLE_IMAGE_SNORM;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      return is_signed ? 127.0f : 255.0f;
    case HEDDLE_IMAGE_16:
      return is_signed ? 32767.0f : 65535.0f;
    case HEDDLE_IMAGE_565:
      return channel == 1 ? 63.0f : 31.0f;
    case HEDDLE_IMAGE_555:
      return 31.0f;
    default:
      return 1023.0f;
  }
}

INLINE float reciprocal_of_largest(uint form, uint channel) {
  const bool is_signed = NUMBER(form) == HEDDLE_IMAGE_SNORM;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      return is_signed ? 1 / 127.0f : 1 / 255.0f;
    case HEDDLE_IMAGE_16:
      return is_signed ? 1 / 32767.0f : 1 / 65535.0f;
    case HEDDLE_IMAGE_565:
      return channel == 1 ? 1 / 63.0f : 1 / 31.0f;
    case HEDDLE_IMAGE_555:
      return 1 / 31.0f;
    default:
      return 1 / 1023.0f;
  }
}

// A plain image is read as fractions of 8 bits, whatever its channels are.
INLINE uint number_of(uint form) {
  return (int)form < 0 ? HEDDLE_IMAGE_UNORM : NUMBER(form);
}

// A channel as a float. `scale` is 1 where a filter scales what it has made of several. A filter takes a half with the
// largest exponent for a number.
INLINE float float_of_channel(uint form, uint channel, uint stored, float scale, bool is_filtered) {
  const uint number = number_of(form);
  const uint special = is_filtered || (stored & 0x7C00) != 0x7C00 ? 0 : 0x7F800000;
  const float half_bits = as_float((stored & 0x7FFF) << 13 | special);
  const float whole = (float)as_int(number == HEDDLE_IMAGE_SNORM ? extended(form, stored) : stored);
  const bool is_half = number == HEDDLE_IMAGE_HALF;
  const float product = (is_half ? half_bits : whole) * (is_half ? 0x1p112f : scale);
  const float with_sign = as_float(as_uint(product) | (is_half ? (stored & 0x8000) << 16 : 0));
  const float fraction = number == HEDDLE_IMAGE_SNORM ? fmax(with_sign, -1.0f) : with_sign;
  const bool is_curved = number == HEDDLE_IMAGE_SRGB && channel < 3;
  const bool is_number =
      number == HEDDLE_IMAGE_UNORM || number == HEDDLE_IMAGE_SNORM || number == HEDDLE_IMAGE_SRGB || is_half;
  return is_curved ? linear_of_srgb[stored & 0xFF] : is_number ? fraction : as_float(stored);
}

INLINE float4 pixel_as_float(image i, address p, bool inside) {
  const uint form = WORD(i, FORM);
  const uint4 words = pixel_words(i, p, inside);
  uint4 value, colour;
#pragma unroll
  for (uint c = 0; c < CHANNELS_MOST; c++) {
    const uint stored = channel_of(form, words, c);
    value[c] = as_uint(float_of_channel(form, c, stored, reciprocal_of_largest(form, c), false));
  }
#pragma unroll
  for (int c = 0; c < CHANNELS_MOST; c++)
    colour[c] = arranged_component(form, value, c, as_uint(1.0f));
  return inside ? as_float4(colour) : (float4)(0, 0, 0, (float)border_alpha(i));
}

INLINE uint4 pixel_as_whole(image i, address p, bool inside, bool is_signed) {
  const uint form = WORD(i, FORM);
  const uint4 words = pixel_words(i, p, inside);
  const bool extends = (int)form < 0 ? is_signed : NUMBER(form) == HEDDLE_IMAGE_SIGNED;
  uint4 channel, colour;
#pragma unroll
  for (uint c = 0; c < CHANNELS_MOST; c++) {
    const uint stored = channel_of(form, words, c);
    channel[c] = extends ? extended(form, stored) : stored;
  }
#pragma unroll
  for (int c = 0; c < CHANNELS_MOST; c++)
    colour[c] = arranged_component(form, channel, c, 1);
  return inside ? colour : (uint4)(0, 0, 0, border_alpha(i));
}

// ---- the linear filter

// The two pixels along one axis, with how far it is from the first to the second also in 256ths.
struct pair {
  struct neighbours pixels;
  uint t;
};

INLINE struct pair pair_of(float c, uint size, uint sampler, bool has_step) {
  struct pair pair = {.pixels = linear(c, size, sampler)};
  pair.t = weight_of(pair.pixels.fraction);
  if (has_steps(sampler)) {
    const struct step step = step_of(c, size, max(size, 2u) - 2, sampler);
    pair.pixels.low = has_step ? step.first : pair.pixels.low;
    pair.pixels.high = has_step ? min(step.first + 1, size - 1) : pair.pixels.high;
    pair.pixels.low_inside = has_step || pair.pixels.low_inside;
    pair.pixels.high_inside = has_step || pair.pixels.high_inside;
    pair.pixels.fraction = has_step ? (float)step.t * (1 / 256.0f) : pair.pixels.fraction;
    pair.t = has_step ? step.t : pair.t;
  }
  return pair;
}

// The pixels of a filter, that of the lower index along each axis first, x before y before z.
struct pixels {
  uint4 words[PIXELS_MOST];
  bool inside[PIXELS_MOST];
};

INLINE float4 filtered_bytes(const struct pixels *pixels, uint axes, uint tx, uint ty, float fraction_z) {
  const struct sums first =
      axes == 1
          ? mixed_row(pixels->words[0].x, pixels->words[1].x, tx)
          : mixed_rows((uint4)(pixels->words[0].x, pixels->words[1].x, pixels->words[2].x, pixels->words[3].x), tx, ty);
  const float4 colour = colour_of_sums(first);
  if (axes < 3)
    return colour;
  const struct sums second =
      mixed_rows((uint4)(pixels->words[4].x, pixels->words[5].x, pixels->words[6].x, pixels->words[7].x), tx, ty);
  return BETWEEN(colour, colour_of_sums(second), fraction_z);
}

// One component of the colour. Formats with code of their own on programmable units are filtered before they are
// scaled, and what they lack is not filtered at all.
INLINE float filtered_component(image i, const struct pixels *pixels, uint axes, uint component, float fx, float fy,
                                float fz) {
  const uint form = WORD(i, FORM), reading = WORD(i, READING);
  const bool is_any = reading == HEDDLE_IMAGE_READ_ANY;
  const uint from = is_any ? form >> HEDDLE_IMAGE_READ(component) & 7 : component;
  const uint channel = from & 3;
  const float scale = reciprocal_of_largest(form, channel);
  float values[PIXELS_MOST];
#pragma unroll
  for (uint k = 0; k < 1u << axes; k++) {
    const uint stored = channel_of(form, pixels->words[k], channel);
    const float value = float_of_channel(form, channel, stored, is_any ? scale : 1.0f, !is_any);
    const float border = is_any && component == 3 ? (float)border_alpha(i) : 0.0f;
    values[k] = !pixels->inside[k] ? border : from < 4 ? value : (from == HEDDLE_IMAGE_ONE ? 1.0f : 0.0f);
  }
  float mixed = BETWEEN(values[0], values[1], fx);
  if (axes > 1) {
    const float lower = BETWEEN(values[2], values[3], fx);
    mixed = BETWEEN(mixed, lower, fy);
  }
  if (axes > 2) {
    const float upper = BETWEEN(values[4], values[5], fx), lower = BETWEEN(values[6], values[7], fx);
    const float behind = BETWEEN(upper, lower, fy);
    mixed = BETWEEN(mixed, behind, fz);
  }
  const uint kind = reading & ~3u;
  const bool scales = kind == HEDDLE_IMAGE_READ_BYTES || kind == HEDDLE_IMAGE_READ_SHORTS;
  const float scaled = mixed * (scales ? scale : 1.0f);
  const float missing = component == 3 ? 1.0f : 0.0f;
  return is_any || component < CHANNELS(form) ? scaled : missing;
}

INLINE float4 filtered(image i, uint axes, bool is_array, uint sampler, float x, float y, float z) {
  const bool by_bytes = WORD(i, READING) == (HEDDLE_IMAGE_READ_BYTES | 2);
  const bool has_step = by_bytes && WORD(i, WIDTH) > 1 && has_steps(sampler);
  const struct pair none = {.pixels = {.low_inside = true, .high_inside = true}};
  const struct pair px = pair_of(x, WORD(i, WIDTH), sampler, has_step);
  const struct pair py = axes > 1 ? pair_of(y, WORD(i, HEIGHT), sampler, has_step) : none;
  struct pair pz = axes > 2 ? pair_of(z, WORD(i, DEPTH), sampler, has_step) : none;
  if (is_array)
    pz.pixels.low = layer_of_float(z, i);
  struct pixels pixels;
#pragma unroll
  for (uint k = 0; k < 1u << axes; k++) {
    const uint column = (k & 1) != 0 ? px.pixels.high : px.pixels.low;
    const uint row = (k & 2) != 0 ? py.pixels.high : py.pixels.low;
    const uint slice = (k & 4) != 0 ? pz.pixels.high : pz.pixels.low;
    pixels.inside[k] = ((k & 1) != 0 ? px.pixels.high_inside : px.pixels.low_inside) &&
                       ((k & 2) != 0 ? py.pixels.high_inside : py.pixels.low_inside) &&
                       ((k & 4) != 0 ? pz.pixels.high_inside : pz.pixels.low_inside);
    pixels.words[k] =
        pixel_words(i, pixel_of_shift(i, axes, is_array, WORD(i, PIXEL_SHIFT), column, row, slice), pixels.inside[k]);
  }
  const float4 bytes = filtered_bytes(&pixels, axes, px.t, py.t, pz.pixels.fraction);
  float4 colour = 0;
#pragma unroll 1
  for (uint c = 0; c < CHANNELS_MOST; c++) {
    const float component =
        filtered_component(i, &pixels, axes, c, px.pixels.fraction, py.pixels.fraction, pz.pixels.fraction);
    colour = (float4)(colour.yzw, component);
  }
  return by_bytes ? reordered(bytes, WORD(i, FORM)) : colour;
}

// ---- reads, for each kind of image

#define READS(kind, axes, is_array)                                                                  \
  INLINE float4 read_float_##kind(image i, uint sampler, float x, float y, float z) {                \
    bool inside = true;                                                                              \
    if (IS_LINEAR(sampler))                                                                          \
      return filtered(i, axes, is_array, sampler, x, y, z);                                          \
    const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                 \
    return pixel_as_float(i, p, inside);                                                             \
  }                                                                                                  \
  INLINE uint4 read_whole_##kind(image i, uint sampler, float x, float y, float z, bool is_signed) { \
    bool inside = true;                                                                              \
    const address p = pixel_of_floats(i, axes, is_array, sampler, x, y, z, &inside);                 \
    return pixel_as_whole(i, p, inside, is_signed);                                                  \
  }                                                                                                  \
  INLINE float4 read_float_at_##kind(image i, uint sampler, int x, int y, int z) {                   \
    bool inside = true;                                                                              \
    const address p = pixel_of_ints(i, axes, is_array, sampler, x, y, z, &inside);                   \
    return pixel_as_float(i, p, inside);                                                             \
  }                                                                                                  \
  INLINE uint4 read_whole_at_##kind(image i, uint sampler, int x, int y, int z, bool is_signed) {    \
    bool inside = true;                                                                              \
    const address p = pixel_of_ints(i, axes, is_array, sampler, x, y, z, &inside);                   \
    return pixel_as_whole(i, p, inside, is_signed);                                                  \
  }
READS(1d, 1, false)
READS(1d_array, 1, true)
READS(2d, 2, false)
READS(2d_array, 2, true)
READS(3d, 3, false)

// ---- writes

// The sRGB value that is nearest, by the differences of linear ones, which are all but even from one to the next.
INLINE uint srgb_of(float x) {
  uint low = 0;
#pragma unroll 1
  for (uint step = 128; step != 0; step >>= 1)
    low += linear_of_srgb[low + step] <= x ? step : 0;
  const uint next = min(low + 1, 255u);
  const float to_next = linear_of_srgb[next] - linear_of_srgb[low];
  const uint nearest = low + (low < 255 && x - linear_of_srgb[low] >= 0.5f * to_next ? 1 : 0);
  return x > 0 ? nearest : 0;
}

// To nearest even, in integers: a multiplier would take more room.
INLINE uint half_bits_of(float x) {
  const uint bits = as_uint(x), magnitude = bits & 0x7FFFFFFF, exponent = magnitude >> 23;
  const bool is_small = exponent < 113;
  const uint fraction = (magnitude & 0x7FFFFF) | 0x800000;
  const uint shift = is_small ? min(126 - exponent, 31u) : 13;
  const uint value = is_small ? fraction : magnitude - (112u << 23);
  const uint kept = value >> shift, rest = value & ((1u << shift) - 1), middle = 1u << (shift - 1);
  const uint rounded_up = kept + (rest > middle || (rest == middle && (kept & 1) != 0) ? 1 : 0);
  const uint finite = exponent == 0 ? 0 : min(rounded_up, 0x7C00u);
  return (bits >> 16 & 0x8000) | (magnitude > 0x7F800000 ? 0x7E00 : magnitude >= 0x47800000 ? 0x7C00 : finite);
}

// A component as a channel of the image; bits above it are 0.
INLINE uint channel_of_float(uint form, uint channel, float x) {
  const uint number = number_of(form), bits = STORAGE(form) == HEDDLE_IMAGE_8 ? 0xFF : 0xFFFF;
  const bool is_signed = number == HEDDLE_IMAGE_SNORM;
  const float limit = largest_of(form, channel);
  const int most = (int)limit, least = is_signed ? -most - 1 : 0;
  const int whole = clamp(round_to_int(x * limit), least, most);
  const uint fraction = (uint)(x != x ? 0 : whole) & (is_signed ? bits : ~0u);
  return number == HEDDLE_IMAGE_HALF                   ? half_bits_of(x)
         : number == HEDDLE_IMAGE_UNORM || is_signed   ? fraction
         : number == HEDDLE_IMAGE_SRGB && channel == 3 ? fraction
         : number == HEDDLE_IMAGE_SRGB                 ? srgb_of(x)
                                                       : as_uint(x);
}

// An integer component, saturated. A plain image takes it as the call says, any other as its format does.
INLINE uint channel_of_whole(uint form, uint x, bool is_signed) {
  const uint bits = STORAGE(form) == HEDDLE_IMAGE_8 ? 8 : STORAGE(form) == HEDDLE_IMAGE_16 ? 16 : 32;
  const int limit = (1 << (bits - 1) % 31) - 1;
  const uint mask = (1u << bits % 32) - 1;
  const bool has_sign = (int)form < 0 ? is_signed : NUMBER(form) == HEDDLE_IMAGE_SIGNED;
  const uint saturated = has_sign ? (uint)clamp((int)x, -limit - 1, limit) & mask : min(x, mask);
  return bits < 32 ? saturated : x;
}

// Stores channels, of which the bits above their size are 0.
INLINE void store_pixel(image i, address p, uint4 channel) {
  const uint form = WORD(i, FORM), shift = WORD(i, PIXEL_SHIFT);
  uint4 words = channel;
  switch (STORAGE(form)) {
    case HEDDLE_IMAGE_8:
      words.x = channel.x | channel.y << 8 | channel.z << 16 | channel.w << 24;
      break;
    case HEDDLE_IMAGE_16:
      words.xy = (uint2)(channel.x | channel.y << 16, channel.z | channel.w << 16);
      break;
    case HEDDLE_IMAGE_32:
      break;
    case HEDDLE_IMAGE_565:
      words.x = channel.x << 11 | channel.y << 5 | channel.z;
      break;
    case HEDDLE_IMAGE_555:
      words.x = channel.x << 10 | channel.y << 5 | channel.z;
      break;
    default:
      words.x = channel.x << 20 | channel.y << 10 | channel.z;
      break;
  }
  if (shift == 0) {
    *(global uchar *)PIXEL(p) = (uchar)words.x;
  } else if (shift == 1) {
    *(global ushort *)PIXEL(p) = (ushort)words.x;
  } else {
    global uint *to = (global uint *)PIXEL(p);
    to[0] = words.x;
    if (shift > 2)
      to[1] = words.y;
    if (shift > 3) {
      to[2] = words.z;
      to[3] = words.w;
    }
  }
}

INLINE uint written_component(uint form, uint channel, uint4 colour) {
  const uint from = form >> HEDDLE_IMAGE_WRITE(channel) & 3;
  return from == 0 ? colour.x : from == 1 ? colour.y : from == 2 ? colour.z : colour.w;
}

INLINE void write_float(image i, uint axes, bool is_array, int x, int y, int z, float4 colour) {
  const uint form = WORD(i, FORM);
  if (!is_within(i, axes, is_array, x, y, z))
    return;
  uint4 channel = 0;
#pragma unroll 1
  for (uint c = 0; c < CHANNELS_MOST; c++) {
    const uint stored = channel_of_float(form, c, as_float(written_component(form, c, as_uint4(colour))));
    channel = (uint4)(channel.yzw, stored);
  }
  store_pixel(i, pixel_of(i, axes, is_array, (uint)x, (uint)y, (uint)z), channel);
}

INLINE void write_whole(image i, uint axes, bool is_array, int x, int y, int z, uint4 colour, bool is_signed) {
  const uint form = WORD(i, FORM);
  if (!is_within(i, axes, is_array, x, y, z))
    return;
  uint4 channel;
#pragma unroll
  for (uint c = 0; c < CHANNELS_MOST; c++)
    channel[c] = channel_of_whole(form, written_component(form, c, colour), is_signed);
  store_pixel(i, pixel_of(i, axes, is_array, (uint)x, (uint)y, (uint)z), channel);
}

#endif
