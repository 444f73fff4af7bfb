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
	HEDDLE_IMAGE_ADDRESS,     // of the first pixel; a multiple of the pixel's size
	HEDDLE_IMAGE_WIDTH,       // at least 1
	HEDDLE_IMAGE_HEIGHT,      // 1 where the image has one dimension
	HEDDLE_IMAGE_DEPTH,       // 1 where it has fewer than three
	HEDDLE_IMAGE_ARRAY_SIZE,  // layers; 1 where it is no array
	HEDDLE_IMAGE_ROW_PITCH,   // from a row to the next
	HEDDLE_IMAGE_SLICE_PITCH, // from a slice to the next, or a layer
	HEDDLE_IMAGE_ORDER,       // as CL_RGBA
	HEDDLE_IMAGE_TYPE,        // of a channel, as CL_UNORM_INT8
	HEDDLE_IMAGE_PIXEL_BYTES, // of a whole pixel
	HEDDLE_IMAGE_WORDS
};

#define HEDDLE_IMAGE_BYTES 64 // room of a descriptor, and what its address is a multiple of

// Bits of a sampler's word.
#define HEDDLE_SAMPLER_NORMALIZED 0x01
#define HEDDLE_SAMPLER_ADDRESSING 0x0e // which of the five:
#define HEDDLE_SAMPLER_ADDRESS_NONE 0x00
#define HEDDLE_SAMPLER_CLAMP_TO_EDGE 0x02
#define HEDDLE_SAMPLER_CLAMP 0x04
#define HEDDLE_SAMPLER_REPEAT 0x06
#define HEDDLE_SAMPLER_MIRRORED_REPEAT 0x08
#define HEDDLE_SAMPLER_NEAREST 0x10
#define HEDDLE_SAMPLER_LINEAR 0x20

#endif
