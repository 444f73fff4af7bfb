// SPDX-License-Identifier: Apache-2.0
// What went wrong with a kernel, in words, and what it printed (dispatch_failures.h).
#include "host/cl/dispatch_failures.h"

#include <CL/cl_heddle.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/little_endian.h"
#include "host/cl/source_line.h"
#include "host/device/device_queue.h"
#include "host/device/printf_records.h"

enum { FAULT_TEXT_BYTES = 1024 };

// What faulted: the command's kernel, or a block.
struct faulted {
  const char *kernel;
  struct heddle_dispatch dispatch;
};

// Where a site of a kernel's pipeline is in its source; false: the kernel file does not say.
static bool line_of_site(const struct heddle_kernel *kernel, uint32_t site, char text[HEDDLE_SOURCE_LINE_BYTES]) {
  if (site >= kernel->num_sites)
    return false;
  const uint8_t *words = kernel->sites + 4 * (size_t)HEDDLE_SITE_WORDS * site;
  const uint32_t line = heddle_get32(words + (size_t)4 * HEDDLE_SITE_LINE);
  const char *file = kernel->site_files + heddle_get32(words + (size_t)4 * HEDDLE_SITE_FILE);
  snprintf(text, HEDDLE_SOURCE_LINE_BYTES, "%.*s:%u", HEDDLE_SOURCE_LINE_BYTES - 20, file, line);
  return line != 0;
}

// What the page is that a kernel may not access so.
static const char *why_no_right(const struct dispatch_command *this, uint32_t address) {
  const uint8_t entry = heddle_device_rights_at(this->command.event->queue->device->root->driver, address);
  const uint32_t domain = entry & HEDDLE_RIGHTS_DOMAIN_MASK;
  if (domain == HEDDLE_DOMAIN_NOBODY)
    return " (nothing is there that kernels may access)";
  if (domain != HEDDLE_DOMAIN_EVERYBODY && domain != this->dispatch.domain)
    return " (the memory belongs to another context)";
  if ((entry & HEDDLE_RIGHTS_WRITE) != 0)
    return "";
  return domain == HEDDLE_DOMAIN_EVERYBODY ? " (a write to the arguments of a dispatch)"
                                           : " (a write to a buffer or image created with CL_MEM_READ_ONLY, to code or "
                                             "to constants)";
}

// One line: kernel, reason, line of source where it is known, place in the NDRange, place in the code.
static char *describe_fault(const struct dispatch_command *this, const struct faulted *faulted,
                            const struct heddle_fault *fault, cl_ulong offset) {
  uint32_t id[3];
  char *text = malloc(FAULT_TEXT_BYTES);
  if (!text)
    return NULL;
  int used = snprintf(text, FAULT_TEXT_BYTES, "kernel '%.200s': %s%s", faulted->kernel, heddle_fault_words(fault),
                      fault->reason == HEDDLE_FAULT_NO_RIGHT ? why_no_right(this, fault->address) : "");
  if (fault->reason == HEDDLE_FAULT_BAD_DISPATCH)
    return text;
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  char line[HEDDLE_SOURCE_LINE_BYTES];
  const bool is_pipeline = faulted->dispatch.kind != 0;
  if (is_pipeline ? line_of_site(kernel_of(this), fault->pc, line)
                  : heddle_source_line(build->binary, build->binary_bytes, offset, line))
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", %s", line);
  if (fault->reason == HEDDLE_FAULT_BUDGET_SPENT)
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used,
                     " (%" PRIu64 " cycles; HEDDLE_BUDGET_CYCLES sets it)", this->budget);
  if (!heddle_fault_is_meant(fault) && (fault->address != 0 || fault->reason == HEDDLE_FAULT_UNMAPPED))
    used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", address 0x%08x", fault->address);
  heddle_fault_global_id(&faulted->dispatch, fault, id);
  used += snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used,
                   ", work-item (%u, %u, %u), work-group (%u, %u, %u), sub-group %u, lane %u", id[0], id[1], id[2],
                   fault->group_id[0], fault->group_id[1], fault->group_id[2], fault->sub_group_id, fault->lane);
  if (is_pipeline)
    snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", site %u of its pipeline", fault->pc);
  else
    snprintf(text + used, FAULT_TEXT_BYTES - (size_t)used, ", PC 0x%08x (program 0x%" PRIx64 ")", fault->pc,
             (uint64_t)offset);
  return text;
}

// The driver could not be made to run it: tells the application why and finds the status.
cl_int heddle_dispatch_command_failed(const struct dispatch_command *this, int result) {
  struct heddle_error why = this->why;
  const bool no_room = result == -ENOMEM;
  const bool lost = heddle_device_lost(this->command.event->queue->device->root->driver, &why);
  heddle_context_report_kernel(
      this->command.event->context, kernel_of(this)->name, "%s",
      result == -ESTALE ? "the board has another bitstream than the one that the program was built for: build it again"
      : no_room         ? "no room in device memory for its private memory, its arguments, printf or the device queue"
      : lost || why.text[0] != 0 ? why.text
                                 : strerror(-result));
  if (result == -ESTALE)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  return no_room ? CL_MEM_OBJECT_ALLOCATION_FAILURE : heddle_code_of(result);
}

// Which of the program's blocks an enqueued dispatch was of.
static int find_faulted(const struct dispatch_command *this, uint32_t address, struct faulted *faulted) {
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  *faulted = (struct faulted){.kernel = kernel_of(this)->name, .dispatch = this->dispatch};
  if (address == 0)
    return 0;
  const int result =
      heddle_device_read_dispatch(this->command.event->queue->device->root->driver, address, &faulted->dispatch);
  faulted->kernel = "(unknown block)";
  for (uint32_t i = 1; i <= build->file->num_blocks; i++) {
    const struct heddle_kernel *block = heddle_kernel_file_block(build->file, i);
    if (build->address + block->entry == faulted->dispatch.entry)
      faulted->kernel = block->name;
  }
  return result;
}

// Adds lines to the event's fault text, and makes it the queue's.
void heddle_dispatch_command_keep_text(cl_event event, char *text) {
  pthread_mutex_lock(&heddle_lock);
  char *both = NULL, *before = event->dispatch.fault_text;
  if (before && text && asprintf(&both, "%s\n%s", before, text) >= 0) {
    free(text);
    text = both;
  }
  free(before);
  free(event->queue->fault_text);
  event->queue->fault_text = text ? strdup(text) : NULL;
  event->dispatch.fault_text = text;
  pthread_mutex_unlock(&heddle_lock);
}

cl_int heddle_dispatch_command_keep_fault(struct dispatch_command *this, const struct heddle_record *record,
                                          bool is_told) {
  cl_event event = this->command.event;
  // In the program; of a pipeline, which has no code in it, the number of the site.
  const uint32_t base = this->dispatch.kind == 0 ? this->kernel->program->builds[this->index].address : 0;
  const cl_ulong offset = record->fault.pc - base;
  struct faulted faulted;
  char *text = !is_told && find_faulted(this, record->faulted_dispatch, &faulted) == 0
                   ? describe_fault(this, &faulted, &record->fault, offset)
                   : NULL;
  pthread_mutex_lock(&heddle_lock);
  event->dispatch.fault_offset = offset;
  pthread_mutex_unlock(&heddle_lock);
  if (!is_told) {
    heddle_context_report(event->context, text ? text : "a kernel faulted");
    heddle_dispatch_command_keep_text(event, text);
  }
  return CL_EVENT_STATUS_FAULT_HEDDLE;
}

// What the kernel printed goes to stdout, and what of it cannot to the context's callback.
void heddle_dispatch_command_print(const struct dispatch_command *this, const struct heddle_printed *printed) {
  const struct heddle_kernel *kernel = kernel_of(this);
  const struct heddle_build *build = &this->kernel->program->builds[this->index];
  const cl_context context = this->command.event->context;
  flockfile(stdout);
  const struct heddle_kernel *pipeline = this->dispatch.kind != 0 ? kernel : NULL;
  const int result = heddle_printf_write(build->file, build->address, pipeline, printed, stdout);
  const bool arrived = fflush(stdout) == 0 && ferror(stdout) == 0;
  const int reason = errno;
  funlockfile(stdout);
  if (!arrived)
    heddle_context_report_kernel(context, kernel->name,
                                 "printf: stdout cannot be written (%s); what it printed is lost", strerror(reason));
  if (result != 0)
    heddle_context_report_kernel(context, kernel->name, "printf: %s",
                                 result == -EBADMSG ? "the kernel wrote over what it printed; the rest is lost"
                                 : result == -EFBIG ? "it printed more than 64 MiB of text; the rest is lost"
                                                    : "out of host memory");
  if (printed->lost != 0)
    heddle_context_report_kernel(
        context, kernel->name, "printf: the buffer (%" PRIu32 " bytes) was full; what %" PRIu32 " calls print is lost",
        heddle_printf_capacity(heddle_capabilities_of(this->command.event->queue->device)), printed->lost);
}

cl_int heddle_dispatch_command_refused(const struct dispatch_command *this, uint32_t why) {
  heddle_context_report_kernel(this->command.event->context, kernel_of(this)->name, "%s",
                               why == HEDDLE_REFUSED_STUCK   ? "what it enqueued waits for an event that nobody sets"
                               : why == HEDDLE_REFUSED_QUEUE ? "the device queue is damaged; what was in it did not run"
                                                             : "the device refused the dispatch");
  return CL_OUT_OF_RESOURCES;
}

// The program's kernel that a kind of a chain carries out; NULL: it has none.
static const struct heddle_kernel *kernel_of_kind(const struct dispatch_command *this, uint32_t kind) {
  const struct heddle_kernel_file *file = this->kernel->program->builds[this->index].file;
  for (uint32_t i = 0; i < file->num_kernels; i++)
    if (file->kernels[i].chain_kind == kind && kind != 0)
      return &file->kernels[i];
  return NULL;
}

// A channel of the kernel's chain that has packets of an earlier run in memory, as its writer calls it; NULL: there is
// none.
static const char *left_channel(const struct dispatch_command *this) {
  const struct heddle_chain_shape *shape = &this->member.shape;
  const char *name = NULL;
  pthread_mutex_lock(&heddle_lock);
  for (uint32_t p = 0; p < shape->num_pipes && this->member.chain; p++) {
    const struct heddle_kernel *writer = kernel_of_kind(this, shape->kinds[shape->pipes[p].writer]);
    const uint32_t argument = shape->pipes[p].writer_argument;
    if (writer && argument < writer->num_arguments && this->member.chain->pipes[p] &&
        this->member.chain->pipes[p]->has_packets)
      name = writer->arguments[argument].name;
  }
  pthread_mutex_unlock(&heddle_lock);
  return name;
}

// Without programmable units it cannot run by itself.
cl_int heddle_dispatch_command_has_one_end(const struct dispatch_command *this) {
  const struct heddle_chain_member *member = &this->member;
  const struct heddle_chain_shape *shape = &member->shape;
  uint32_t at = 0;  // the first pipe that it reads, or else writes
  while (at < shape->num_pipes && shape->pipes[at].reader != member->number)
    at++;
  const bool reads = at < shape->num_pipes;
  for (at = reads ? at : 0; !reads && shape->pipes[at].writer != member->number;)
    at++;
  const struct heddle_chain_pipe *pipe = &shape->pipes[at];
  const uint32_t argument = reads ? pipe->reader_argument : pipe->writer_argument;
  const struct heddle_kernel *kernel = kernel_of(this);
  const struct heddle_kernel *other = kernel_of_kind(this, shape->kinds[reads ? pipe->writer : pipe->reader]);
  char text[768];
  const char *left = left_channel(this);
  if (left)
    snprintf(
        text, sizeof text,
        "kernel '%.200s': channel '%.100s' has packets that an earlier run has left. Only a programmable unit reads "
        "them, and this device has none: let the reader read as many as are written, or make the program anew "
        "(clCreateProgramWithSource)",
        kernel->name, left);
  else
    snprintf(
        text, sizeof text,
        "kernel '%.200s': its pipe '%.100s' has one end: on this device, which has no programmable unit, kernel "
        "'%.200s' is the other. Enqueue that one right %s it with the same pipe, which no other kernel has used, and "
        "without clFlush, a wait or another command in between",
        kernel->name, argument < kernel->num_arguments ? kernel->arguments[argument].name : "",
        other ? other->name : "another kernel", reads ? "before" : "behind");
  heddle_context_report(this->command.event->context, text);
  return CL_INVALID_OPERATION;
}
