// SPDX-License-Identifier: Apache-2.0
// Chains: kernels of one source of which each reads on the chip what another one writes (--pipe). What the options say
// of them, and the module that holds the pipelines of one.
#ifndef HEDDLE_HLS_PIPELINE_CHAIN_H
#define HEDDLE_HLS_PIPELINE_CHAIN_H

#include <stdio.h>

#include "hls/pipeline/folder.h"

enum { CHAIN_MOST_KERNELS = 8 };

// A pipe between two kernels, by their indexes and those of their arguments.
struct chain_link {
  size_t writer, reader;
  unsigned writer_argument, reader_argument;
};

struct chain_links {
  struct chain_link *items;  // the caller's, to be freed
  size_t count;
  bool by_name;  // nobody has named them
};

// Reads "WRITER.PIPE=READER.PIPE", each once. Kernels or pipes that are not there, that are not written or read, and
// kernels that are no chain are explained on stderr (STATUS_REJECTED). Where no pipe is named, those are linked whose
// argument has one name in one kernel that writes it and in one that reads it, as far as that makes chains.
enum status chain_find(const struct strings *pipes, const struct kernels *kernels, struct chain_links *links);

// The argument by which a kernel reads, or writes, a pipe on the chip, counted from 1; 0: there is none.
unsigned chain_reads(const struct chain_links *links, size_t kernel);
unsigned chain_writes(const struct chain_links *links, size_t kernel);

// Joins what was made of the kernels. A pipeline that is missing, and packets of two sizes, are explained on stderr
// (STATUS_REJECTED); of links by name, the other end is taken out of what was made.
enum status chain_join(const struct chain_links *links, const struct kernels *kernels, struct folder_kernel *made,
                       size_t *count);

// The kernels of the chain that ends with `last`, it first; returns how many, 1 if it is no chain.
size_t chain_kernels(const struct folder_kernel *last, const struct folder_kernel *made, size_t count,
                     const struct folder_kernel *kernels[CHAIN_MOST_KERNELS]);

// Bits by which a label of the chain is longer than one of its kernels.
unsigned chain_source_bits(size_t kernels);

// The module of a chain and its name, in a buffer.
void chain_name(const struct folder_kernel *last, char *name, size_t size);
void chain_write(const struct folder_kernel *const *kernels, size_t count, FILE *file);

#endif
