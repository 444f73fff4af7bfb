// SPDX-License-Identifier: Apache-2.0
// Kernel files: the ELF that heddlec writes (contract/DEVICE.md "Kernel files"). Reads one from bytes of any origin,
// checks every offset and length, and describes its kernels. Knows no device. Fuzzed: tests/host,
// `heddle_kernel_file_open`.
#ifndef HEDDLE_KERNEL_FILE_H
#define HEDDLE_KERNEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/argument.h"
#include "contract/error.h"
#include "host/device/printf_layout.h"

struct heddle_argument {
  uint32_t offset, size, alignment;  // in the argument block; offset + size lies inside it
  uint32_t address_space;            // enum heddle_address_space
  uint32_t access;                   // enum heddle_access
  uint32_t type_qualifiers;          // of enum heddle_qualifier
  uint32_t kind;                     // enum heddle_argument_kind
  uint32_t image;                    // of an image: its type as argument.h has it, if the file says it; else 0
  // Of a channel: bytes of a packet, and packets. Else 0.
  uint32_t channel_bytes, channel_packets;
  const char *name, *type_name;  // "" when the file does not say
};

struct heddle_kernel {
  const char *name, *attributes;
  uint32_t entry;                    // offset in the image
  uint32_t argument_bytes;           // of the argument block
  uint32_t local_bytes;              // of local variables
  uint32_t reqd_work_group_size[3];  // zeros: none
  uint32_t work_group_size_hint[3];  // zeros: none
  uint32_t required_sub_group_size;  // power of two, or 0: none
  uint32_t required_num_sub_groups;  // of a work-group; 0: none
  uint32_t stack_bytes;              // one work-item needs; 0: not known
  bool prints;                       // calls printf
  bool enqueues;                     // needs a device queue
  bool is_autorun;                   // nobody enqueues it
  bool has_hash;                     // that names it among kernel pipelines
  uint32_t hash[4];
  uint32_t pipeline_local_bytes;                  // of local variables in the pipeline that it was built for
  uint32_t num_sites;                             // of that pipeline; 0: none, or it is not known
  const uint8_t *sites;                           // HEDDLE_SITE_WORDS of each, little-endian; a line of 0: not known
  const char *site_files;                         // names of source files, which the sites' words point into
  struct heddle_printf_layouts pipeline_layouts;  // of that pipeline's records of printf; none if it does not print
  const uint8_t *constants;                       // of that pipeline: of each its bytes as a word, then these
  uint32_t constant_bytes;
  uint32_t num_variables;    // of the program, that this pipeline has in memory
  const uint8_t *variables;  // where each is in the image, a little-endian word
  uint32_t kind;             // of compute unit that it runs on: 0, or whatever the owner of the file sets
  uint32_t chain_kind;       // in a chain that it may be part of; 0: none. Likewise the owner's
  uint32_t num_arguments;
  uint32_t num_channels;  // of them, the last, which programs neither see nor set
  struct heddle_argument *arguments;
};

// Of the argument block with what follows it: addresses of variables that its pipeline has in memory.
static inline size_t heddle_kernel_packet_bytes(const struct heddle_kernel *kernel) {
  const size_t bytes = kernel->argument_bytes;
  return kernel->num_variables != 0 ? (bytes + 3) / 4 * 4 + 4 * (size_t)kernel->num_variables : bytes;
}

static inline uint32_t heddle_first_channel(const struct heddle_kernel *kernel) {
  return kernel->num_arguments - kernel->num_channels;
}

// A part of the image.
struct heddle_segment {
  uint32_t address, bytes;  // in the image; they ascend, and do not overlap
  uint32_t file_bytes;      // of it, that the file has; the rest are zeros
  uint32_t string_bytes;    // of those, in which every string that begins also ends; 0 of a writable segment
  const uint8_t *contents;  // in the file
  bool is_writable;         // kernels may write it: program scope variables
};

enum { HEDDLE_KERNEL_FILE_SEGMENTS = 16 };

struct heddle_kernel_file {
  const uint8_t *bytes;  // its own copy of the file
  size_t size;
  const char *isa;       // what it was compiled for
  bool is_uniform;       // work-groups have to be of one size
  bool has_checks;       // compiled for checks (heddlec --check)
  uint32_t image_bytes;  // memory it takes on a device, placed at a multiple of HEDDLE_IMAGE_ALIGNMENT
  uint32_t data_bytes;   // of it, what kernels may write: program scope variables
  uint32_t num_kernels;
  uint32_t num_blocks;            // that kernels enqueue, by their numbers from 1
  struct heddle_kernel *kernels;  // then the blocks
  const struct heddle_kernel **by_name;
  uint32_t num_segments;
  struct heddle_segment segments[HEDDLE_KERNEL_FILE_SEGMENTS];
  struct heddle_printf_layouts printf_layouts;
};

enum { HEDDLE_IMAGE_ALIGNMENT = 4096, HEDDLE_ARGUMENT_BYTES_MAX = 65536 };

// Work and memory are linear in `size`, but for the sorting of names.
// 0 and a file that the caller closes; -EINVAL: not a kernel file, *error says what is wrong with it; -ENOMEM.
// Copies `bytes`. The result does not change and may be read by any thread.
int heddle_kernel_file_open(const void *bytes, size_t size, struct heddle_kernel_file **file,
                            struct heddle_error *error);

// NULL is allowed.
void heddle_kernel_file_close(struct heddle_kernel_file *file);

// NULL when there is no kernel of that name.
const struct heddle_kernel *heddle_kernel_file_find(const struct heddle_kernel_file *file, const char *name);

// Of a block by its number, from 1 to file->num_blocks. Its first argument is a pointer to the block literal, the
// others are pointers to local memory.
const struct heddle_kernel *heddle_kernel_file_block(const struct heddle_kernel_file *file, uint32_t number);

// The string at an offset of the image, in a segment that kernels cannot write; NULL when none starts or ends there.
// Valid as long as the file.
const char *heddle_kernel_file_string(const struct heddle_kernel_file *file, uint32_t offset);

// The string at an address of a constant of the kernel's pipeline; NULL when none starts or ends there. Valid as long
// as the file.
const char *heddle_kernel_pipeline_string(const struct heddle_kernel *kernel, uint32_t address);

// The image as it has to stand at device address `base`: segments, zeros between, R_RISCV_RELATIVE applied. It has
// file->image_bytes and is the caller's to free. NULL: host memory is out.
uint8_t *heddle_kernel_file_image(const struct heddle_kernel_file *file, uint32_t base);

#endif
