// SPDX-License-Identifier: Apache-2.0
// Which pipes are on the chip, from the options, and which kernels they join (chain.h).
#include "hls/pipeline/chain.h"

#include <assert.h>
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

// ---- which kernels are joined

// Marks the kernels that links join with one, itself among them.
static void mark_joined(const struct chain_links *links, size_t kernel, bool *joined) {
  bool changes = true;
  joined[kernel] = true;
  while (changes) {
    changes = false;
    for (size_t i = 0; i < links->count; i++) {
      const struct chain_link *link = &links->items[i];
      if (joined[link->writer] == joined[link->reader])
        continue;
      joined[link->writer] = joined[link->reader] = changes = true;
    }
  }
}

static_assert(CHAIN_MOST_KERNELS == 15 && HEDDLE_KIND_PIPES == 5 && CHAIN_MOST_QUEUES(1) == 2, "as the texts say");
// What of a chain that has this link is too much, or NULL.
static const char *excess(const struct chain_links *links, const struct kernels *kernels,
                          const struct chain_link *link) {
  bool *joined = calloc(kernels->count, sizeof *joined);
  size_t members = 0, pipes = 0, written = 0;
  if (!joined)
    return "does not fit into memory";
  mark_joined(links, link->writer, joined);
  for (size_t k = 0; k < kernels->count; k++)
    members += joined[k];
  for (size_t i = 0; i < links->count; i++) {
    pipes += joined[links->items[i].writer];
    written += links->items[i].writer == link->writer;
  }
  free(joined);
  return link->writer == link->reader         ? "leads from a kernel to itself"
         : members > CHAIN_MOST_KERNELS       ? "has more than 15 kernels"
         : written > HEDDLE_KIND_PIPES        ? "has a kernel that writes more than 5 pipes"
         : pipes > CHAIN_MOST_QUEUES(members) ? "has more than two pipes for each kernel"
                                              : NULL;
}

static bool is_end(const struct chain_link *link, size_t kernel, unsigned argument) {
  return (link->writer == kernel && link->writer_argument == argument) ||
         (link->reader == kernel && link->reader_argument == argument);
}

// Whether an argument of a link is one of an earlier link.
static bool is_named_twice(const struct chain_links *links, size_t number) {
  const struct chain_link *link = &links->items[number];
  for (size_t i = 0; i < number; i++)
    if (is_end(&links->items[i], link->writer, link->writer_argument) ||
        is_end(&links->items[i], link->reader, link->reader_argument))
      return true;
  return false;
}

static bool are_chains(const struct chain_links *links, const struct kernels *kernels) {
  for (size_t i = 0; i < links->count; i++) {
    const struct chain_link *link = &links->items[i];
    const char *much = is_named_twice(links, i) ? "has a pipe that is named twice" : excess(links, kernels, link);
    if (!much)
      continue;
    fprintf(stderr, "heddlec: --pipe: the chain of kernels '%s' and '%s' %s\n", kernels->items[link->writer].name,
            kernels->items[link->reader].name, much);
    return false;
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

// Where ways part and meet again, two short queues can wait for each other. A program that names a queue's depth knows
// that; a pipe of OpenCL has room for all packets in memory.
static bool may_meet_again(const struct kernel *writer, unsigned argument) {
  return writer->arguments[argument].depth != 0;
}

static bool is_way_already(const struct chain_links *links, const struct kernels *kernels,
                           const struct chain_link *link) {
  bool *joined = calloc(kernels->count, sizeof *joined);
  if (joined)
    mark_joined(links, link->writer, joined);
  const bool is_joined = !joined || joined[link->reader];
  free(joined);
  return is_joined;
}

// Two kernels that have one end of a channel, of which the chip has one of each. False: there are no two.
static bool tell_two(const struct kernels *kernels, const char *name, uint32_t access) {
  const struct kernel *first = NULL;
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count && !kernels->items[k].is_block; i++) {
      const struct kernel_argument *pipe = &kernels->items[k].arguments[i];
      if (pipe->channel == 0 || pipe->access != access || strcmp(pipe->name, name) != 0)
        continue;
      if (first) {
        fprintf(stderr, "note: channel '%s' is not on the chip: kernels '%s' and '%s' both %s it\n", name, first->name,
                kernels->items[k].name, access == WRITE_ONLY ? "write" : "read");
        return true;
      }
      first = &kernels->items[k];
    }
  return false;
}

// Says of a channel why it is not on the chip. Each is told of by the kernel that is the first to write it.
static void tell_why(const struct kernels *kernels, size_t kernel, const struct kernel_argument *channel,
                     const char *excess_of_chain) {
  for (size_t k = 0; k < kernel; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count; i++)
      if (kernels->items[k].arguments[i].access == WRITE_ONLY &&
          strcmp(kernels->items[k].arguments[i].name, channel->name) == 0)
        return;
  if (tell_two(kernels, channel->name, WRITE_ONLY) || tell_two(kernels, channel->name, READ_ONLY))
    return;
  if (excess_of_chain)
    fprintf(stderr, "note: channel '%s' is not on the chip: with it the chain of kernel '%s' %s\n", channel->name,
            kernels->items[kernel].name, excess_of_chain);
}

static bool is_linked(const struct chain_links *links, size_t writer, unsigned argument) {
  bool is = false;
  for (size_t i = 0; i < links->count; i++)
    is |= links->items[i].writer == writer && links->items[i].writer_argument == argument;
  return is;
}

// Links an argument that writes a pipe, if it can be: else *much says what of the chain would be too much, or is NULL.
static bool link_argument(const struct kernels *kernels, struct chain_links *links, size_t k, unsigned argument,
                          const char **much) {
  const char *name = kernels->items[k].arguments[argument].name;
  struct chain_link *link = &links->items[links->count];
  *much = NULL;
  if (links->count == links->room || is_linked(links, k, argument) ||
      !find_only(kernels, name, WRITE_ONLY, &link->writer, &link->writer_argument) || link->writer != k ||
      link->writer_argument != argument ||
      !find_only(kernels, name, READ_ONLY, &link->reader, &link->reader_argument) ||
      (!may_meet_again(&kernels->items[k], argument) && is_way_already(links, kernels, link)))
    return false;
  links->count++;
  *much = excess(links, kernels, link);
  links->count -= !!*much;
  return !*much;
}

// A pipe that is too much for a chain may not be when the chain has more kernels.
static void link_by_name(const struct kernels *kernels, struct chain_links *links) {
  const char *much;
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t k = 0; k < kernels->count; k++)
      for (unsigned i = 0; i < kernels->items[k].argument_count; i++)
        changes |= link_argument(kernels, links, k, i, &much);
  }
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count; i++) {
      const struct kernel_argument *pipe = &kernels->items[k].arguments[i];
      if (pipe->channel == 0 || pipe->access != WRITE_ONLY || is_linked(links, k, i))
        continue;
      link_argument(kernels, links, k, i, &much);
      tell_why(kernels, k, pipe, much);
    }
}

// Of each pipe that a kernel writes.
static size_t count_writes(const struct kernels *kernels) {
  size_t count = 0;
  for (size_t k = 0; k < kernels->count; k++)
    for (unsigned i = 0; i < kernels->items[k].argument_count; i++)
      count += (kernels->items[k].arguments[i].type_qualifiers & IS_PIPE) != 0 &&
               kernels->items[k].arguments[i].access == WRITE_ONLY;
  return count;
}

enum status chain_find(const struct strings *pipes, const struct kernels *kernels, struct chain_links *links) {
  links->count = 0;
  links->by_name = pipes->count == 0;
  links->room = links->by_name ? count_writes(kernels) : pipes->count;
  links->items = calloc(links->room + 1, sizeof *links->items);
  if (!links->items)
    return STATUS_FAILED;
  if (links->by_name)
    link_by_name(kernels, links);
  for (size_t i = 0; i < pipes->count; i++) {
    if (!add_link(pipes->items[i], kernels, &links->items[i]))
      return STATUS_REJECTED;
    links->count++;
  }
  return are_chains(links, kernels) ? STATUS_OK : STATUS_REJECTED;
}

unsigned chain_pipes(const struct chain_links *links, const struct kernels *kernels, size_t kernel,
                     struct pipeline_pipe pipes[PIPELINE_MOST_PIPES]) {
  unsigned count = 0;
  for (unsigned argument = 0; argument < kernels->items[kernel].argument_count; argument++)
    for (size_t i = 0; i < links->count && count < PIPELINE_MOST_PIPES; i++) {
      const struct chain_link *link = &links->items[i];
      if (is_end(link, kernel, argument))
        pipes[count++] = (struct pipeline_pipe){.argument = argument, .is_read = link->reader == kernel};
    }
  return count;
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

// Of a pipe on the chip, by the argument.
static const struct pipeline_pipe *pipe_of(const struct pipeline_result *result, unsigned argument) {
  unsigned i = 0;
  while (result->pipes[i].argument != argument)
    i++;
  return &result->pipes[i];
}

static void merge_chains(const struct folder_kernel *one, const struct folder_kernel *other, struct folder_kernel *made,
                         size_t count) {
  const struct folder_kernel *old = other->leader, *both = one->leader;
  for (size_t i = 0; i < count; i++)
    if (made[i].leader == old)
      made[i].leader = both;
}

// The kernel whose kind has the unit: the last one that writes no pipe on the chip, or where ways lead in circles the
// last one; none that nobody enqueues. With such kernels alone it is one of them.
static void choose_leader(const struct folder_kernel *member, struct folder_kernel *made, size_t count) {
  const struct folder_kernel *old = member->leader, *last = member, *leader = NULL;
  for (size_t i = 0; i < count; i++)
    if (made[i].leader == old && !made[i].kernel->is_autorun) {
      last = &made[i];
      leader = made[i].pipe_count == 0 ? &made[i] : leader;
    }
  for (size_t i = 0; i < count; i++)
    if (made[i].leader == old)
      made[i].leader = leader ? leader : last;
}

enum status chain_join(const struct chain_links *links, const struct kernels *kernels, struct folder_kernel *made,
                       size_t *count) {
  const size_t all = *count;
  while (take_out_ends(links, kernels, made, count))
    ;
  if (!links->by_name && *count < all)
    return STATUS_REJECTED;
  for (size_t i = 0; i < *count; i++)
    made[i].leader = &made[i];
  for (size_t i = 0; i < links->count; i++) {
    const struct chain_link *link = &links->items[i];
    struct folder_kernel *writer = find_made(&kernels->items[link->writer], made, *count);
    const struct folder_kernel *reader = find_made(&kernels->items[link->reader], made, *count);
    if (!writer || !reader)
      continue;
    const struct pipeline_pipe *from = pipe_of(&writer->result, link->writer_argument),
                               *to = pipe_of(&reader->result, link->reader_argument);
    if (from->bytes != to->bytes) {
      fprintf(stderr, "heddlec: --pipe: kernel '%s' writes packets of %u bytes, and '%s' reads packets of %u\n",
              writer->kernel->name, from->bytes, reader->kernel->name, to->bytes);
      return STATUS_REJECTED;
    }
    writer->pipes[writer->pipe_count++] = (struct folder_pipe){.reader = reader, .written = from, .read = to};
    merge_chains(writer, reader, made, *count);
  }
  for (size_t i = 0; i < *count; i++)
    choose_leader(&made[i], made, *count);
  for (size_t i = 0; i < *count; i++)
    if (made[i].leader->kernel->is_autorun) {
      fprintf(stderr,
              "error: autorun kernel '%s' cannot be hardware: it has channels with none that a program enqueues\n",
              made[i].kernel->name);
      return STATUS_REJECTED;
    }
  return STATUS_OK;
}

void chain_of(const struct folder_kernel *leader, const struct folder_kernel *made, size_t count, struct chain *chain) {
  *chain = (struct chain){.kernels = {leader}, .count = 1};
  for (size_t i = 0; i < count; i++)
    if (&made[i] != leader && made[i].leader == leader)
      chain->kernels[chain->count++] = &made[i];
  for (size_t i = 0; i < count; i++)
    for (unsigned p = 0; p < made[i].pipe_count && made[i].leader == leader; p++) {
      struct chain_queue *queue = &chain->queues[chain->queue_count++];
      *queue = (struct chain_queue){.pipe = &made[i].pipes[p]};
      while (chain->kernels[queue->writer] != &made[i])
        queue->writer++;
      while (chain->kernels[queue->reader] != queue->pipe->reader)
        queue->reader++;
    }
}

bool chain_led_by(const struct folder_kernel *kernel, const struct folder_kernel *made, size_t count,
                  struct chain *chain) {
  if (kernel->leader != kernel)
    return false;
  chain_of(kernel, made, count, chain);
  return chain->count > 1;
}

unsigned chain_source_bits(size_t kernels) {
  unsigned bits = 0;
  while (kernels > 1 && 1u << bits < kernels + 1)
    bits++;
  return bits;
}
