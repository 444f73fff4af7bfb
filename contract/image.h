// SPDX-License-Identifier: Apache-2.0
// What host and kernels agree on about images and samplers.
//
// An image is a descriptor and rows of pixels, both in global memory. A kernel's argument of an image type is the
// descriptor's address; the host writes the descriptor before the dispatch. The kernel's library reads it
// (hls/lib/images.cl), the host library writes it. Both read this header, so it is written for C and for OpenCL C.
//
// A sampler is one word, by value: the bits that OpenCL C's CLK_… names have in a literal sampler, which the front end
// knows. The host makes the same word of a sampler object.
#ifndef HEDDLE_CONTRACT_IMAGE_H
#define HEDDLE_CONTRACT_IMAGE_H

// Words of a descriptor, 32 bits each, little-endian. Sizes are in pixels, pitches in bytes.
enum heddle_image_word {
  HEDDLE_IMAGE_ADDRESS,      // of the first pixel; a multiple of the pixel's size
  HEDDLE_IMAGE_WIDTH,        // at least 1
  HEDDLE_IMAGE_HEIGHT,       // 1 where the image has one dimension
  HEDDLE_IMAGE_DEPTH,        // 1 where it has fewer than three
  HEDDLE_IMAGE_ARRAY_SIZE,   // layers; 1 where it is no array
  HEDDLE_IMAGE_ROW_PITCH,    // from a row to the next
  HEDDLE_IMAGE_SLICE_PITCH,  // from a slice to the next, or a layer
  HEDDLE_IMAGE_ORDER,        // as CL_RGBA
  HEDDLE_IMAGE_TYPE,         // of a channel, as CL_UNORM_INT8
  HEDDLE_IMAGE_PIXEL_SHIFT,  // logarithm to the base 2 of a pixel's bytes, 0 to 4
  HEDDLE_IMAGE_FORM,         // what ORDER and TYPE say, so that kernels decode it with few instructions: bits below
  HEDDLE_IMAGE_PAIR_ROW,     // the first of the last two rows; 0 where there is one
  HEDDLE_IMAGE_NEXT_ROW,     // ROW_PITCH; 0 where there is one row
  HEDDLE_IMAGE_READING,      // which code reads pixels as floats: below
  HEDDLE_IMAGE_WORDS
};

#define HEDDLE_IMAGE_BYTES 64  // room of a descriptor, and what its address is a multiple of

// Bits of the form of pixels. image_format.h makes it of order and type.
// How a pixel's channels are stored, the first at the lowest address or in the lowest bits:
enum heddle_image_storage {
  HEDDLE_IMAGE_8,       // 8 bits each
  HEDDLE_IMAGE_16,      // 16 bits each
  HEDDLE_IMAGE_32,      // 32 bits each
  HEDDLE_IMAGE_565,     // in a word of 16 bits: blue has bits 0 to 4, green 5 to 10, red 11 to 15
  HEDDLE_IMAGE_555,     // in a word of 16 bits: blue has bits 0 to 4, green 5 to 9, red 10 to 14
  HEDDLE_IMAGE_101010,  // in a word of 32 bits: blue has bits 0 to 9, green 10 to 19, red 20 to 29
  HEDDLE_IMAGE_STORAGE = 7
};
// What number a channel is:
enum heddle_image_number {
  HEDDLE_IMAGE_UNORM = 0 << 3,
  HEDDLE_IMAGE_SNORM = 1 << 3,
  HEDDLE_IMAGE_SRGB = 2 << 3,  // red, green and blue; alpha is UNORM
  HEDDLE_IMAGE_HALF = 3 << 3,
  HEDDLE_IMAGE_FLOAT = 4 << 3,
  HEDDLE_IMAGE_SIGNED = 5 << 3,
  HEDDLE_IMAGE_UNSIGNED = 6 << 3,
  HEDDLE_IMAGE_NUMBER = 7 << 3
};
// Three bits for each of red, green, blue, alpha: the channel that a read takes it from, counted from 0, or one of
// these.
#define HEDDLE_IMAGE_ZERO 4
#define HEDDLE_IMAGE_ONE 5
#define HEDDLE_IMAGE_READ(component) (6 + 3 * (component))
// Two bits for each of channels 0 to 3: the component that a write puts there.
#define HEDDLE_IMAGE_WRITE(channel) (18 + 2 * (channel))
#define HEDDLE_IMAGE_CHANNELS 26    // three bits from here: how many channels
#define HEDDLE_IMAGE_BORDER_ONE 29  // this bit: alpha of the border colour is 1, not 0
// This bit: reads give channel 0 as red and so on; of those that are missing 0, and 1 as alpha.
#define HEDDLE_IMAGE_IN_ORDER 30
// This bit: plain. Four channels of 8 bits in the order of their names, as UNORM, SIGNED or UNSIGNED, which kernels
// have code of its own for, and two columns or more, so that a pixel and one beside it can always be loaded.
#define HEDDLE_IMAGE_PLAIN 31
#define HEDDLE_IMAGE_PLAIN_ORDER 0x10B5  // CL_RGBA, which is their HEDDLE_IMAGE_ORDER

// Formats that reads as floats have code of its own for: this kind of channel in order R (or DEPTH), RG or RGBA, of
// which two bits are the logarithm to the base 2 of how many channels; of four unsigned bytes also in the other orders.
enum heddle_image_reading {
  HEDDLE_IMAGE_READ_ANY,              // all others
  HEDDLE_IMAGE_READ_BYTES = 1 << 2,   // CL_UNORM_INT8
  HEDDLE_IMAGE_READ_SHORTS = 2 << 2,  // CL_UNORM_INT16
  HEDDLE_IMAGE_READ_HALVES = 3 << 2,
  HEDDLE_IMAGE_READ_FLOATS = 4 << 2
};

// Bits of a sampler's word.
#define HEDDLE_SAMPLER_NORMALIZED 0x01
#define HEDDLE_SAMPLER_ADDRESSING 0x0e  // which of the five:
#define HEDDLE_SAMPLER_ADDRESS_NONE 0x00
#define HEDDLE_SAMPLER_CLAMP_TO_EDGE 0x02
#define HEDDLE_SAMPLER_CLAMP 0x04
#define HEDDLE_SAMPLER_REPEAT 0x06
#define HEDDLE_SAMPLER_MIRRORED_REPEAT 0x08
#define HEDDLE_SAMPLER_NEAREST 0x10
#define HEDDLE_SAMPLER_LINEAR 0x20

#endif
