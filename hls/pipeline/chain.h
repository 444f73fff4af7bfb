// SPDX-License-Identifier: Apache-2.0
// Chains: kernels of one source that have pipes between them on the chip (--pipe). What the options say of them, and
// the module that holds the pipelines of one.
#ifndef HEDDLE_HLS_PIPELINE_CHAIN_H
#define HEDDLE_HLS_PIPELINE_CHAIN_H

#include <stdio.h>

#include "contract/device_map.h"
#include "hls/pipeline/folder.h"

enum { CHAIN_MOST_KERNELS = HEDDLE_CHAIN_KERNELS };
#define CHAIN_MOST_QUEUES(kernels) (HEDDLE_DISPATCH_PIPE_COUNT * (kernels))

// A pipe between two kernels, by their indexes and those of their arguments.
struct chain_link {
  size_t writer, reader;
  unsigned writer_argument, reader_argument;
};

struct chain_links {
  struct chain_link *items;  // the caller's, to be freed
  size_t count, room;
  bool by_name;  // nobody has named them
};

// Reads "WRITER.PIPE=READER.PIPE", each once. Kernels or pipes that are not there, that are not written or read, and
// more than a chain can have are explained on stderr (STATUS_REJECTED). Where no pipe is named, those are linked whose
// argument has one name in one kernel that writes it and in one that reads it, as far as that makes chains.
enum status chain_find(const struct strings *pipes, const struct kernels *kernels, struct chain_links *links);

// The pipes on the chip that a kernel has, in the order of its arguments. Returns how many.
unsigned chain_pipes(const struct chain_links *links, const struct kernels *kernels, size_t kernel,
                     struct pipeline_pipe pipes[PIPELINE_MOST_PIPES]);

// Joins what was made of the kernels. A pipeline that is missing, and packets of two sizes, are explained on stderr
// (STATUS_REJECTED); of links by name, the other end is taken out of what was made.
enum status chain_join(const struct chain_links *links, const struct kernels *kernels, struct folder_kernel *made,
                       size_t *count);

// A queue, by the numbers of the kernels.
struct chain_queue {
  size_t writer, reader;
  const struct folder_pipe *pipe;
};
// Kernels and queues by their numbers (contract/DEVICE.md, "Chains"). A kernel alone is one without queues.
struct chain {
  const struct folder_kernel *kernels[CHAIN_MOST_KERNELS];
  struct chain_queue queues[CHAIN_MOST_QUEUES(CHAIN_MOST_KERNELS)];
  size_t count, queue_count;
};
void chain_of(const struct folder_kernel *leader, const struct folder_kernel *made, size_t count, struct chain *chain);

// The chain that a kernel leads. False: it leads none of several kernels.
bool chain_led_by(const struct folder_kernel *kernel, const struct folder_kernel *made, size_t count,
                  struct chain *chain);

// log2 of the packets that a pipe's queue holds.
unsigned chain_depth_log2(const struct folder_pipe *pipe);

// Bits by which a label of the chain is longer than one of its kernels.
unsigned chain_source_bits(size_t kernels);

// The module of a chain and its name, in a buffer.
void chain_name(const struct folder_kernel *leader, char *name, size_t size);
void chain_write(const struct chain *chain, FILE *file);

#endif
