// SPDX-License-Identifier: Apache-2.0
// Findings in words (findings.h).
#include "host/cl/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cl/context.h"
#include "host/cl/program.h"
#include "host/cl/source_line.h"

enum { LINE_BYTES = 1536, MOST_LINES = 20, MOST_KNOWN = 128 };

void heddle_pointers_add(struct heddle_pointers *pointers, const struct heddle_kernel *kernel, uint32_t index,
                         enum heddle_check_kind kind, uint32_t address, uint32_t bytes, cl_mem_flags flags) {
  if (pointers->count == pointers->room) {
    const size_t room = kernel->num_arguments;
    struct heddle_check_pointer *longer = realloc(pointers->pointers, room * sizeof *longer);
    if (!longer)
      return;
    pointers->pointers = longer;
    pointers->room = room;
  }
  struct heddle_check_pointer *added = &pointers->pointers[pointers->count++];
  *added = (struct heddle_check_pointer){
      .at = kernel->arguments[index].offset,
      .object = {.kind = kind,
                 .address = address,
                 .bytes = bytes,
                 .is_read_only = (flags & CL_MEM_READ_ONLY) != 0,
                 .is_write_only = (flags & CL_MEM_WRITE_ONLY) != 0,
                 .is_constant = kernel->arguments[index].address_space == HEDDLE_CONSTANT}};
  const char *name = kernel->arguments[index].name;
  if (name && *name)
    snprintf(added->object.name, sizeof added->object.name, "'%.60s'", name);
  else
    snprintf(added->object.name, sizeof added->object.name, "argument %" PRIu32, index);
}

// A line as it grows. What does not fit is left out.
struct line {
  char text[LINE_BYTES];
  size_t used;
};

static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct line *line, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(line->text + line->used, sizeof line->text - line->used, format, values);
  va_end(values);
  line->used += length > 0 ? (size_t)length : 0;
  if (line->used >= sizeof line->text)
    line->used = sizeof line->text - 1;
}

// Where addresses of an object count from.
static uint32_t window_of(const struct heddle_finding *f) {
  switch (f->object.kind) {
    case HEDDLE_CHECK_LOCAL:
    case HEDDLE_CHECK_LIBRARY:
      return HEDDLE_LOCAL_BASE;
    case HEDDLE_CHECK_PRIVATE:
      return HEDDLE_PRIVATE_BASE;
    case HEDDLE_CHECK_NONE:
      return f->address < HEDDLE_PRIVATE_BASE ? HEDDLE_LOCAL_BASE : HEDDLE_PRIVATE_BASE;
    default:
      return 0;
  }
}

static void add_object(struct line *line, const struct heddle_finding *f) {
  const uint32_t window = window_of(f);
  const char *memory = window == HEDDLE_LOCAL_BASE ? "local memory" : "private memory";
  if (f->object.kind == HEDDLE_CHECK_NONE)
    add(line, "%s", memory);
  else if (f->object.name[0] != 0)
    add(line, "%s%s%s%s", f->object.kind == HEDDLE_CHECK_IMAGE ? "image " : "", f->object.name,
        window != 0 ? " in " : "", window != 0 ? memory : "");
  else if (window != 0)
    add(line, "a variable in %s", memory);
  else
    add(line, f->object.kind == HEDDLE_CHECK_VARIABLE ? "a variable of the program" : "a buffer");
}

// Where the address lies in the object.
static int64_t offset_of(const struct heddle_finding *f) {
  return (int64_t)f->address - window_of(f) - f->object.address;
}

static const char *access_words(const struct heddle_check_access *a) {
  if (a->is_atomic)
    return "atomic access";
  return a->is_write ? "store" : "load";
}

// Lines of source that were asked for: each takes a process of its own.
struct known_lines {
  const struct heddle_findings_of *of;
  size_t count;
  struct known_line {
    uint32_t pc;
    char text[HEDDLE_SOURCE_LINE_BYTES];  // empty: there is none
  } lines[MOST_KNOWN];
};

static const char *source_line(struct known_lines *known, uint32_t pc) {
  const struct heddle_build *build = known->of->build;
  for (size_t i = 0; i < known->count; i++)
    if (known->lines[i].pc == pc)
      return known->lines[i].text;
  struct known_line *line = &known->lines[known->count < MOST_KNOWN ? known->count++ : MOST_KNOWN - 1];
  line->pc = pc;
  if (pc == 0 || !heddle_source_line(build->binary, build->binary_bytes, pc - build->address, line->text))
    line->text[0] = 0;
  return line->text;
}

// That of an access; of one in a function of the built-in library that of its call.
static const char *line_of(struct known_lines *known, const struct heddle_check_access *a) {
  const char *text = source_line(known, a->pc);
  return text[0] == 0 && a->caller != 0 ? source_line(known, a->caller) : text;
}

static void add_source_line(struct line *line, struct known_lines *known, const struct heddle_check_access *a,
                            const char *before) {
  const uint32_t pc = a->pc, offset = pc - known->of->build->address;
  if (pc == 0)
    return;
  const char *text = line_of(known, a);
  if (text[0] != 0)
    add(line, "%s%s", before, text);
  else if (a->caller != 0)
    add(line, "%sPC 0x%08" PRIx32 " (program 0x%" PRIx32 ", in a function that has no line information)", before, pc,
        offset);
  else
    add(line, "%sPC 0x%08" PRIx32 " (program 0x%" PRIx32 "; no line information: build from source, or SPIR-V with it)",
        before, pc, offset);
}

static void add_work_item(struct line *line, const struct heddle_finding *f, const struct heddle_check_access *a) {
  uint32_t id[3];
  struct heddle_fault as_fault = {.sub_group_id = a->sub_group_id, .lane = a->lane};
  struct heddle_dispatch range = {.sub_group_size = f->sub_group_size};
  memcpy(as_fault.group_id, a->group_id, sizeof as_fault.group_id);
  memcpy(range.global_size, f->global_size, sizeof range.global_size);
  memcpy(range.global_offset, f->global_offset, sizeof range.global_offset);
  memcpy(range.local_size, f->local_size, sizeof range.local_size);
  heddle_fault_global_id(&range, &as_fault, id);
  add(line, ", work-item (%u, %u, %u), work-group (%u, %u, %u), sub-group %u, lane %u", id[0], id[1], id[2],
      a->group_id[0], a->group_id[1], a->group_id[2], a->sub_group_id, a->lane);
}

static void add_place(struct line *line, struct known_lines *known, const struct heddle_finding *f,
                      const struct heddle_check_access *a) {
  add_source_line(line, known, a, ", ");
  add_work_item(line, f, a);
}

static void describe_out_of_bounds(struct line *line, const struct heddle_finding *f) {
  const int64_t offset = offset_of(f), behind = offset + f->here.bytes - f->object.bytes;
  add(line, "%s of %u bytes out of bounds: ", access_words(&f->here), f->here.bytes);
  if (offset < 0)
    add(line, "%" PRId64 " bytes before the start of ", -offset);
  else if (offset < f->object.bytes)
    add(line, "the last %" PRId64 " are beyond the end of ", behind);
  else
    add(line, "byte %" PRId64 " of ", offset);
  add_object(line, f);
  add(line, ", which has %u bytes", f->object.bytes);
}

static const char *misuse_words(uint32_t what) {
  switch (what) {
    case HEDDLE_MISUSE_PACKET_BYTES:
      return "misuse of a pipe: its packets have another size than those of the kernel's parameter, so that none is "
             "read "
             "or written";
    case HEDDLE_MISUSE_PACKET:
      return "misuse of a pipe: the reservation has no packet of this index, or is none: it failed, was committed, or "
             "is for the other direction";
    case HEDDLE_MISUSE_COMMIT:
      return "misuse of a pipe: commit of a reservation that is none: it failed, was committed before, or is for the "
             "other direction";
    case HEDDLE_MISUSE_QUEUE:
      return "misuse of a device queue: it is none, or not the default queue of the device";
    case HEDDLE_MISUSE_RANGE:
      return "misuse of a device queue: the block cannot run in this range (work-groups that are empty or too large, "
             "or do not divide it where they have to, or an offset that overflows)";
    case HEDDLE_MISUSE_WAIT_LIST:
      return "misuse of a device queue: the wait list has what is no event, or is NULL and not of 0 events, or is of 0 "
             "events";
    case HEDDLE_MISUSE_LOCAL_ARGUMENT:
      return "misuse of a device queue: a local argument has 0 bytes, or all take more than a work-group's local "
             "memory";
    case HEDDLE_MISUSE_UNCOMMITTED_WRITING:
      return "misuse of a pipe: a reservation for writing is not committed when the kernel ends: nobody ever reads its "
             "packets, nor those behind it";
    case HEDDLE_MISUSE_UNCOMMITTED_READING:
      return "misuse of a pipe: a reservation for reading is not committed when the kernel ends: nobody ever writes to "
             "the places of its packets, nor of those behind it";
    default:
      return "misuse of an event: it is none, or was released; or a status is set that is no user event's, or set "
             "again";
  }
}

static void describe(struct line *line, struct known_lines *known, const struct heddle_finding *f) {
  const struct heddle_findings_of *of = known->of;
  add(line, "kernel '%.200s'%s: ", of->kernel, f->is_enqueued ? ", in a block that it enqueued" : "");
  switch (f->kind) {
    case HEDDLE_FINDING_OUT_OF_BOUNDS:
      describe_out_of_bounds(line, f);
      break;
    case HEDDLE_FINDING_NOWHERE:
      add(line, "%s of %u bytes out of bounds: address 0x%08x is in no buffer", access_words(&f->here), f->here.bytes,
          f->address);
      break;
    case HEDDLE_FINDING_FORBIDDEN:
      add(line, "%s of %u bytes at byte %" PRId64 " of ", access_words(&f->here), f->here.bytes, offset_of(f));
      add_object(line, f);
      if (f->here.is_write && f->object.is_constant)
        add(line, ", which is constant");
      else
        add(line, ", which the program has made %s", f->here.is_write ? "read-only" : "write-only");
      break;
    case HEDDLE_FINDING_RELEASED:
      add(line, "use of a released buffer: %s of %u bytes at byte %" PRId64 " of ", access_words(&f->here),
          f->here.bytes, offset_of(f));
      add_object(line, f);
      break;
    case HEDDLE_FINDING_UNWRITTEN:
      add(line, "use of memory that nobody has written: ");
      if (f->here.bytes != 0)
        add(line, "load of %u bytes at byte %" PRId64 " of ", f->here.bytes, offset_of(f));
      else
        add(line, "a variable in ");
      add_object(line, f);
      break;
    case HEDDLE_FINDING_INDEX:
      add(line, "access out of bounds: index %" PRId32 " of a member that is an array of %u elements",
          (int32_t)f->address, f->here.bytes);
      break;
    case HEDDLE_FINDING_MISALIGNED:
      add(line, "misaligned %s at byte %" PRId64 " of ", access_words(&f->here), offset_of(f));
      add_object(line, f);
      add(line, ", which is no multiple of %u", f->here.bytes);
      break;
    case HEDDLE_FINDING_RACE:
      add(line, "data race on byte %" PRId64 " of ", offset_of(f));
      add_object(line, f);
      add(line, ": %s", access_words(&f->here));
      break;
    case HEDDLE_FINDING_BARRIER:
      add(line, "divergent barrier: a work-item of the work-group has returned without it");
      break;
    case HEDDLE_FINDING_PASSED:
      add(line, "divergent collective: a work-item has gone on without it");
      break;
    case HEDDLE_FINDING_RETURNED:
      add(line,
          "note: a collective that a work-item misses because it has returned. Heddle goes on without it, other "
          "devices may not");
      break;
    case HEDDLE_FINDING_MISUSE:
      add(line, "%s", misuse_words(f->address));
      break;
    default:
      add(line, "broadcast from different work-items");
      break;
  }
  add_place(line, known, f, &f->here);
  if (f->kind == HEDDLE_FINDING_RACE) {
    add(line, "; and %s", access_words(&f->other));
    add_place(line, known, f, &f->other);
  } else if (f->kind == HEDDLE_FINDING_UNWRITTEN) {
    add_source_line(line, known, &f->other, "; used at ");
  } else if (f->kind == HEDDLE_FINDING_BARRIER || f->kind == HEDDLE_FINDING_RETURNED ||
             f->kind == HEDDLE_FINDING_PASSED || f->kind == HEDDLE_FINDING_SOURCES) {
    add(line, "; the other");
    add_work_item(line, f, &f->other);
  }
  if (f->count > 1)
    add(line, " (%" PRIu64 " times)", f->count);
}

// What is a mistake by OpenCL's text and well defined on this device: told, but no error.
static bool is_note(const struct heddle_finding *f) {
  return f->kind == HEDDLE_FINDING_RETURNED;
}

// Lines of a text that becomes longer; NULL once host memory is out.
static char *joined(char *text, const char *line) {
  const size_t old = text ? strlen(text) : 0;
  char *longer = realloc(text, old + strlen(line) + 2);
  if (!longer)
    return text;
  sprintf(longer + old, "%s%s", old != 0 ? "\n" : "", line);
  return longer;
}

static bool are_of_lines(struct known_lines *known, const struct heddle_check_access *a,
                         const struct heddle_check_access *b, const struct heddle_check_access *of_a,
                         const struct heddle_check_access *of_b) {
  return strcmp(line_of(known, a), line_of(known, of_a)) == 0 && strcmp(line_of(known, b), line_of(known, of_b)) == 0;
}

// Whether two findings are of the same lines of source, which the compiler has made several instructions of.
static bool are_alike(struct known_lines *known, const struct heddle_finding *a, const struct heddle_finding *b) {
  return a->kind == b->kind && a->object.address == b->object.address && strcmp(a->object.name, b->object.name) == 0 &&
         (a->kind != HEDDLE_FINDING_MISUSE || a->address == b->address) &&
         (a->here.pc == b->here.pc || line_of(known, &a->here)[0] != 0) &&
         (are_of_lines(known, &a->here, &a->other, &b->here, &b->other) ||
          (a->kind == HEDDLE_FINDING_RACE && are_of_lines(known, &a->here, &a->other, &b->other, &b->here)));
}

// The finding that says what the kernel has faulted by; `count`: none does.
static size_t finding_of_fault(const struct heddle_finding *findings, size_t count, uint32_t fault_pc) {
  size_t i = 0;
  while (i < count && (findings[i].here.pc != fault_pc || (findings[i].kind != HEDDLE_FINDING_OUT_OF_BOUNDS &&
                                                           findings[i].kind != HEDDLE_FINDING_NOWHERE)))
    i++;
  return i;
}

// Whether it is told by the access already, which is beyond the whole structure's object.
static bool is_told(struct known_lines *known, const struct heddle_finding *findings, size_t count, size_t index) {
  for (size_t i = 0; i < count && findings[index].kind == HEDDLE_FINDING_INDEX; i++)
    if (findings[i].kind == HEDDLE_FINDING_OUT_OF_BOUNDS && findings[i].count != 0 &&
        strcmp(line_of(known, &findings[i].here), line_of(known, &findings[index].here)) == 0)
      return true;
  return false;
}

// Those that are alike become the first of them; the others then count 0. *of_fault is where that has gone.
static void join(struct known_lines *known, struct heddle_finding *findings, size_t count, size_t *of_fault) {
  for (size_t i = 0; i < count && i < MOST_KNOWN / 2; i++)
    for (size_t k = 0; k < i && findings[i].count != 0; k++)
      if (findings[k].count != 0 && are_alike(known, &findings[k], &findings[i])) {
        findings[k].count += findings[i].count;
        findings[k].is_new = findings[k].is_new && findings[i].is_new;
        findings[i].count = 0;
        *of_fault = *of_fault == i ? k : *of_fault;
      }
}

// Tells one finding. The text becomes longer by its line, unless it is a note.
static char *tell(cl_context context, struct known_lines *known, const struct heddle_finding *finding, bool is_of_fault,
                  char *text) {
  struct line line = {0};
  describe(&line, known, finding);
  if (is_of_fault)
    add(&line, "; the kernel ended there");
  if (finding->is_new)
    heddle_context_report(context, line.text);
  return is_note(finding) ? text : joined(text, line.text);
}

char *heddle_findings_tell(cl_context context, cl_device_id device, const struct heddle_findings_of *of,
                           const struct heddle_fault *fault, bool *tells_fault) {
  struct heddle_finding *findings = NULL;
  size_t count = 0, mistakes = 0;
  bool incomplete = false, is_noted = false;
  char *text = NULL;
  *tells_fault = false;
  if (heddle_device_findings(device->root->driver, !fault, &findings, &count, &incomplete) != 0)
    incomplete = true;
  struct known_lines *known = calloc(1, sizeof *known);
  if (!known) {
    free(findings);
    return strdup("host memory is out: what the checker found is not told");
  }
  known->of = of;
  size_t of_fault = fault ? finding_of_fault(findings, count, fault->pc) : count;
  join(known, findings, count, &of_fault);
  for (size_t i = 0; i < count; i++) {
    if (findings[i].count == 0 || is_told(known, findings, count, i))
      continue;
    // One note says what is meant by all.
    if (is_note(&findings[i]) ? !is_noted : mistakes < MOST_LINES) {
      text = tell(context, known, &findings[i], i == of_fault, text);
      *tells_fault = *tells_fault || i == of_fault;
    }
    is_noted = is_noted || is_note(&findings[i]);
    mistakes += !is_note(&findings[i]);
  }
  if (incomplete || mistakes > MOST_LINES) {
    struct line line = {0};
    add(&line, "kernel '%.200s': ", of->kernel);
    if (mistakes > MOST_LINES)
      add(&line, "%zu findings more%s", mistakes - MOST_LINES, incomplete ? ", at least" : "");
    else
      add(&line, "not all of it was checked: host memory is out, or there are too many findings");
    text = joined(text, line.text);
    heddle_context_report(context, line.text);
  }
  free(findings);
  free(known);
  return text;
}
