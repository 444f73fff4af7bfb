// SPDX-License-Identifier: Apache-2.0
// Which pipes are on the chip, from the options, and what that asks of the kernels (chain.h).
#include "hls/pipeline/chain.h"

#include <stdlib.h>
#include <string.h>

enum { IS_PIPE = 8, READ_ONLY = 1, WRITE_ONLY = 2 };  // contract/DEVICE.md, "Kernel files": of an argument

// "KERNEL.PIPE", up to `length`. False: explained.
static bool find_end(const struct kernels *kernels, const char *text, size_t length, uint32_t access, size_t *kernel,
                     unsigned *argument) {
  const char *point = memchr(text, '.', length);
  const size_t name = point ? (size_t)(point - text) : length;
  const char *verb = access == READ_ONLY ? "reads" : "writes";
  for (*kernel = 0; *kernel < kernels->count; ++*kernel) {
    const struct kernel *at = &kernels->items[*kernel];
    if (at->is_block || strlen(at->name) != name || strncmp(at->name, text, name) != 0)
      continue;
    for (*argument = 0; point && *argument < at->argument_count; ++*argument) {
      const struct kernel_argument *pipe = &at->arguments[*argument];
      if (strlen(pipe->name) != length - name - 1 || strncmp(pipe->name, point + 1, length - name - 1) != 0)
        continue;
      if ((pipe->type_qualifiers & IS_PIPE) != 0 && pipe->access == access)
        return true;
      fprintf(stderr, "heddlec: --pipe: '%s' is no pipe that kernel '%s' %s\n", pipe->name, at->name, verb);
      return false;
    }
    fprintf(stderr, "heddlec: --pipe: kernel '%s' has no argument '%.*s'; --pipe WRITER.PIPE=READER.PIPE names two\n",
            at->name, (int)(point ? length - name - 1 : 0), point ? point + 1 : "");
    return false;
  }
  fprintf(stderr, "heddlec: --pipe: there is no kernel '%.*s'\n", (int)name, text);
  return false;
}

static bool add_link(const char *text, const struct kernels *kernels, struct chain_link *link) {
  const char *equals = strchr(text, '=');
  if (!equals) {
    fprintf(stderr, "heddlec: --pipe takes WRITER.PIPE=READER.PIPE, not %s\n", text);
    return false;
  }
  return find_end(kernels, text, (size_t)(equals - text), WRITE_ONLY, &link->writer, &link->writer_argument) &&
         find_end(kernels, equals + 1, strlen(equals + 1), READ_ONLY, &link->reader, &link->reader_argument);
}

static const struct chain_link *link_of_reader(const struct chain_links *links, size_t kernel) {
  for (size_t i = 0; i < links->count; i++)
    if (links->items[i].reader == kernel)
      return &links->items[i];
  return NULL;
}

static const struct chain_link *link_of_writer(const struct chain_links *links, size_t kernel) {
  for (size_t i = 0; i < links->count; i++)
    if (links->items[i].writer == kernel)
      return &links->items[i];
  return NULL;
}

// Kernels from a link's writer to the end of its chain; more than a chain has, if it comes back.
static size_t length_from(const struct chain_links *links, const struct chain_link *link) {
  size_t count = 1;
  for (const struct chain_link *at = link; at && count <= CHAIN_MOST_KERNELS; at = link_of_writer(links, at->reader))
    count++;
  return count;
}

// Each kernel reads one pipe and writes one at most, and following them comes to an end.
static bool is_chain(const struct chain_links *links, const struct kernels *kernels) {
  for (size_t i = 0; i < links->count; i++) {
    const struct chain_link *link = &links->items[i];
    const bool reads_two = link_of_reader(links, link->reader) != link;
    if (reads_two || link_of_writer(links, link->writer) != link) {
      fprintf(stderr,
              "heddlec: --pipe: kernel '%s' %s two pipes on the chip, and two ways could wait for each other: each "
              "kernel reads one and writes one at most\n",
              kernels->items[reads_two ? link->reader : link->writer].name, reads_two ? "reads" : "writes");
      return false;
    }
    if (length_from(links, link) > CHAIN_MOST_KERNELS) {
      fprintf(stderr, "heddlec: --pipe: a chain that comes back to kernel '%s', or has more than %d kernels\n",
              kernels->items[link->writer].name, CHAIN_MOST_KERNELS);
      return false;
    }
  }
  return true;
}

// ---- by name

// The only pipe of a name that a kernel has with this access; false: there is none, or several.
static bool find_only(const struct kernels *kernels, const char *name, uint32_t access, size_t *kernel,
                      unsigned *argument) {
  unsigned found = 0;
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count && !kernels->items[k].is_block; i++) {
      const struct kernel_argument *pipe = &kernels->items[k].arguments[i];
      if ((pipe->type_qualifiers & IS_PIPE) == 0 || pipe->access != access || strcmp(pipe->name, name) != 0)
        continue;
      *kernel = k;
      *argument = i;
      found++;
    }
  return found == 1;
}

static void link_by_name(const struct kernels *kernels, struct chain_links *links) {
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count; i++) {
      const char *name = kernels->items[k].arguments[i].name;
      struct chain_link *link = &links->items[links->count];
      if (!find_only(kernels, name, WRITE_ONLY, &link->writer, &link->writer_argument) || link->writer != k ||
          link->writer_argument != i || !find_only(kernels, name, READ_ONLY, &link->reader, &link->reader_argument) ||
          link_of_writer(links, link->writer) || link_of_reader(links, link->reader))
        continue;
      links->count++;
      if (length_from(links, link) > CHAIN_MOST_KERNELS)
        links->count--;
    }
}

enum status chain_find(const struct strings *pipes, const struct kernels *kernels, struct chain_links *links) {
  links->count = 0;
  links->by_name = pipes->count == 0;
  links->items = calloc(pipes->count + kernels->count + 1, sizeof *links->items);
  if (!links->items)
    return STATUS_FAILED;
  if (links->by_name)
    link_by_name(kernels, links);
  for (size_t i = 0; i < pipes->count; i++) {
    if (!add_link(pipes->items[i], kernels, &links->items[i]))
      return STATUS_REJECTED;
    links->count++;
  }
  return is_chain(links, kernels) ? STATUS_OK : STATUS_REJECTED;
}

unsigned chain_reads(const struct chain_links *links, size_t kernel) {
  const struct chain_link *link = link_of_reader(links, kernel);
  return link ? link->reader_argument + 1 : 0;
}

unsigned chain_writes(const struct chain_links *links, size_t kernel) {
  const struct chain_link *link = link_of_writer(links, kernel);
  return link ? link->writer_argument + 1 : 0;
}

static struct folder_kernel *find_made(const struct kernel *kernel, struct folder_kernel *made, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (made[i].kernel == kernel)
      return &made[i];
  return NULL;
}

static void take_out(struct folder_kernel *out, struct folder_kernel *made, size_t *count) {
  free(out->result.sites);
  const size_t at = (size_t)(out - made);
  memmove(out, out + 1, (*count - at - 1) * sizeof *out);
  --*count;
}

// A kernel whose pipe has one end alone is no hardware either. True: something was taken out.
static bool take_out_ends(const struct chain_links *links, const struct kernels *kernels, struct folder_kernel *made,
                          size_t *count) {
  for (size_t i = 0; i < links->count; i++) {
    const struct kernel *ends[] = {&kernels->items[links->items[i].writer], &kernels->items[links->items[i].reader]};
    for (int e = 0; e < 2; e++) {
      struct folder_kernel *alone = find_made(ends[e], made, *count);
      if (!alone || find_made(ends[!e], made, *count))
        continue;
      fprintf(stderr, "error: kernel '%s' cannot be hardware: kernel '%s', which %s its pipe, is none\n", ends[e]->name,
              ends[!e]->name, e == 0 ? "reads" : "writes");
      take_out(alone, made, count);
      return true;
    }
  }
  return false;
}

enum status chain_join(const struct chain_links *links, const struct kernels *kernels, struct folder_kernel *made,
                       size_t *count) {
  const size_t all = *count;
  while (take_out_ends(links, kernels, made, count))
    ;
  if (!links->by_name && *count < all)
    return STATUS_REJECTED;
  for (size_t i = 0; i < links->count; i++) {
    const struct chain_link *link = &links->items[i];
    struct folder_kernel *writer = find_made(&kernels->items[link->writer], made, *count);
    const struct folder_kernel *reader = find_made(&kernels->items[link->reader], made, *count);
    if (!writer || !reader)
      continue;
    if (writer->result.written_bytes != reader->result.read_bytes) {
      fprintf(stderr, "heddlec: --pipe: kernel '%s' writes packets of %u bytes, and '%s' reads packets of %u\n",
              writer->kernel->name, writer->result.written_bytes, reader->kernel->name, reader->result.read_bytes);
      return STATUS_REJECTED;
    }
    writer->reader = reader;
    writer->pipe_argument = link->writer_argument;
    writer->reader_argument = link->reader_argument;
  }
  return STATUS_OK;
}

size_t chain_kernels(const struct folder_kernel *last, const struct folder_kernel *made, size_t count,
                     const struct folder_kernel *kernels[CHAIN_MOST_KERNELS]) {
  size_t found = 0;
  for (const struct folder_kernel *at = last, *writer; at && found < CHAIN_MOST_KERNELS; at = writer) {
    kernels[found++] = at;
    writer = NULL;
    for (size_t i = 0; i < count; i++)
      if (made[i].reader == at)
        writer = &made[i];
  }
  return found;
}

unsigned chain_source_bits(size_t kernels) {
  unsigned bits = 0;
  while (kernels > 1 && 1u << bits < kernels + 1)
    bits++;
  return bits;
}
