// SPDX-License-Identifier: Apache-2.0
// What a kernel file says of an argument: the numbers in its record (DEVICE.md, "Kernel files"; words of it by their
// place: HEDDLE_NOTE_ARGUMENT_… in device_map.h). heddlec writes them, the host library reads them.
#ifndef HEDDLE_ARGUMENT_H
#define HEDDLE_ARGUMENT_H

enum heddle_address_space { HEDDLE_PRIVATE, HEDDLE_GLOBAL, HEDDLE_CONSTANT, HEDDLE_LOCAL, HEDDLE_GENERIC };

// Access qualifier, of images and pipes.
enum heddle_access { HEDDLE_ACCESS_NONE, HEDDLE_READ_ONLY, HEDDLE_WRITE_ONLY, HEDDLE_READ_WRITE };

// Bits of the type qualifiers.
enum heddle_qualifier { HEDDLE_CONST = 1, HEDDLE_RESTRICT = 2, HEDDLE_VOLATILE = 4, HEDDLE_PIPE = 8 };

// The last word of an argument's record. Of a channel, an argument that the source does not have and that the host
// library sets: bytes of a packet in bits 15-0, packets in bits 31-16. Of an image the type that the kernel declares, a
// number as CL_MEM_OBJECT_IMAGE2D in bits 15-0, and HEDDLE_DEPTH_IMAGE. Else 0, or where it is not known.
enum { HEDDLE_ARGUMENT_CHANNEL = 9, HEDDLE_ARGUMENT_IMAGE = HEDDLE_ARGUMENT_CHANNEL };
enum { HEDDLE_DEPTH_IMAGE = 1 << 16 };

// HEDDLE_POINTER is also a pipe.
enum heddle_argument_kind { HEDDLE_BY_VALUE, HEDDLE_POINTER, HEDDLE_SAMPLER, HEDDLE_IMAGE, HEDDLE_QUEUE };

#endif
