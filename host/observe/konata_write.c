// SPDX-License-Identifier: Apache-2.0
// Writes the instruction log in the format Kanata 0004: a line a command, in the order of cycles, so the instructions
// that are in the pipeline at the same time are written at the same time.
#include "host/observe/konata_write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/observe/disassembly.h"
#include "host/observe/source_text.h"

// In the order in which they are written in a cycle.
enum what { BEGINS, STAGE_ENDS, STAGE_STARTS, ENDS };

// Lanes of the format: stages of the pipeline, and what an instruction waits for meanwhile.
enum lane { PIPELINE, STALL };

struct event {
  uint64_t cycle;
  const char *stage;
  uint8_t what, lane;
};

// An instruction that is being written.
struct active {
  const struct heddle_konata_instruction *instruction;
  struct event *events;
  size_t count, next;
  uint64_t id;
};

// A program, disassembled.
struct program_text {
  struct heddle_profile_program *program;
  struct heddle_disassembly instructions;
  struct heddle_lines *lines;  // of these; NULL: not known
};

struct writer {
  const struct heddle_konata *konata;
  FILE *out;
  uint64_t bytes, now, retired;
  struct program_text *programs;
  size_t num_programs;
  struct active *heap;  // the next event first
  size_t heap_count, heap_room;
};

static void say(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct writer *w, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vfprintf(w->out, format, values);
  va_end(values);
  w->bytes += length > 0 ? (uint64_t)length : 0;
}

// ---- What happens to an instruction.

enum { F1_TO_E3 = 7, MOST_EVENTS_A_PASS = 28 };

static void add(struct active *a, uint64_t cycle, enum what what, enum lane lane, const char *stage) {
  a->events[a->count++] = (struct event){.cycle = cycle, .what = (uint8_t)what, .lane = (uint8_t)lane, .stage = stage};
}

static void add_stage(struct active *a, enum lane lane, const char *stage, uint64_t start, uint64_t end) {
  add(a, start, STAGE_STARTS, lane, stage);
  add(a, end, STAGE_ENDS, lane, stage);
}

// Stages of a pass; the cycle in which the instruction is in none any more.
static uint64_t add_pass(struct active *a, const struct heddle_konata_pass *pass) {
  static const char *const stages[F1_TO_E3 + 1] = {"f1", "f2", "de", "rd", "op", "e1", "e2", "e3"};
  static const unsigned last[] = {[HEDDLE_SIM_PASS_ISSUED] = F1_TO_E3, [HEDDLE_SIM_PASS_LOADS] = F1_TO_E3,
                                  [HEDDLE_SIM_PASS_AGAIN] = F1_TO_E3,  [HEDDLE_SIM_PASS_FAULTS] = F1_TO_E3,
                                  [HEDDLE_SIM_PASS_FULL] = F1_TO_E3,   [HEDDLE_SIM_PASS_DIVIDER] = 5,
                                  [HEDDLE_SIM_PASS_AWAITS] = 3,        [HEDDLE_SIM_PASS_MISSED] = 2};
  for (unsigned i = 0; i <= last[pass->end]; i++)
    add_stage(a, PIPELINE, stages[i], pass->cycle + i, pass->cycle + i + 1);
  const uint64_t left = pass->cycle + last[pass->end] + 1;
  if (pass->end != HEDDLE_SIM_PASS_ISSUED && pass->end != HEDDLE_SIM_PASS_LOADS && pass->end != HEDDLE_SIM_PASS_AGAIN)
    return left;
  const uint64_t wb = pass->cycle + F1_TO_E3 + a->instruction->tail;
  add_stage(a, PIPELINE, "e4", left, wb);
  add_stage(a, PIPELINE, "wb", wb, wb + 1);
  add_stage(a, PIPELINE, "wr", wb + 1, wb + 2);
  return wb + 2;
}

// What an instruction waits for that left the pipeline.
static const char *stall_of(uint8_t end) {
  return end == HEDDLE_SIM_PASS_MISSED    ? "fetch"
         : end == HEDDLE_SIM_PASS_AWAITS  ? "load"
         : end == HEDDLE_SIM_PASS_DIVIDER ? "divider"
         : end == HEDDLE_SIM_PASS_FULL    ? "queue"
                                          : NULL;
}

static int by_cycle(const void *one, const void *other) {
  const struct event *a = one, *b = other;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle ? -1 : 1;
  return a->what - b->what;
}

// False: host memory is out.
static bool make_events(const struct heddle_konata *konata, struct active *a) {
  size_t passes = 0;
  uint64_t end = 0;
  for (uint32_t p = a->instruction->first_pass; p != HEDDLE_KONATA_NONE; p = konata->passes[p].next)
    passes++;
  a->events = malloc((passes * MOST_EVENTS_A_PASS + 4) * sizeof *a->events);
  if (!a->events)
    return false;
  add(a, konata->passes[a->instruction->first_pass].cycle, BEGINS, PIPELINE, NULL);
  for (uint32_t p = a->instruction->first_pass; p != HEDDLE_KONATA_NONE; p = konata->passes[p].next) {
    const struct heddle_konata_pass *pass = &konata->passes[p];
    end = add_pass(a, pass);
    if (pass->next != HEDDLE_KONATA_NONE && stall_of(pass->end) && konata->passes[pass->next].cycle > end)
      add_stage(a, STALL, stall_of(pass->end), end, konata->passes[pass->next].cycle);
  }
  if (a->instruction->answered != 0) {
    const uint64_t e4 = konata->passes[a->instruction->last_pass].cycle + F1_TO_E3 + 1;
    const uint64_t answered = a->instruction->answered + 1;
    if (answered > e4)
      add_stage(a, STALL, "memory", e4, answered);
    end = answered > end ? answered : end;
  }
  add(a, end, ENDS, PIPELINE, NULL);
  qsort(a->events, a->count, sizeof *a->events, by_cycle);
  return true;
}

// ---- Its text.

// An instruction that stands for several lines of source has none: it counts for the line in front of it in its
// function, or, where there is none, for the next one, as in the profile.
static void fill_lines(const struct program_text *text) {
  const struct heddle_profile_program *program = text->program;
  const struct heddle_line *last = NULL;
  size_t first = 0;  // instruction of the function
  for (size_t i = 0; i < text->instructions.count && text->lines; i++) {
    struct heddle_line *line = &text->lines->lines[i];
    if (text->instructions.items[i].symbol[0] != 0) {
      last = NULL;
      first = i;
    }
    if (heddle_functions_have(program->called, program->num_called, text->instructions.items[i].offset))
      continue;
    for (size_t k = first; k < i && line->file && !last; k++)
      text->lines->lines[k] = (struct heddle_line){.file = line->file, .line = line->line};
    if (line->file)
      last = line;
    else if (last)
      *line = (struct heddle_line){.file = last->file, .line = last->line};
  }
}

static struct program_text *text_of(struct writer *w, struct heddle_profile_program *program) {
  struct heddle_error error;
  for (size_t i = 0; i < w->num_programs; i++)
    if (w->programs[i].program == program)
      return &w->programs[i];
  struct program_text *list = realloc(w->programs, (w->num_programs + 1) * sizeof *list);
  if (!list)
    return NULL;
  w->programs = list;
  struct program_text *text = &list[w->num_programs++];
  *text = (struct program_text){.program = program};
  if (heddle_disassemble(program->elf, program->elf_bytes, &text->instructions, &error) != 0) {
    fprintf(stderr, "heddle: the instruction log has no disassembly: %s\n", error.text);
    return text;
  }
  uint32_t *offsets = calloc(text->instructions.count + 1, sizeof *offsets);
  for (size_t i = 0; i < text->instructions.count && offsets; i++)
    offsets[i] = text->instructions.items[i].offset;
  if (offsets)
    text->lines = heddle_lines_find(program->elf, program->elf_bytes, offsets, text->instructions.count);
  free(offsets);
  fill_lines(text);
  return text;
}

static int by_offset(const void *one, const void *other) {
  const uint32_t offset = *(const uint32_t *)one;
  const struct heddle_instruction *i = other;
  return (offset > i->offset) - (offset < i->offset);
}

// Text in which nothing is a tab or the end of a line.
static void say_text(struct writer *w, const char *text, int bytes) {
  for (int i = 0; i < bytes && text[i]; i++)
    fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], w->out);
  w->bytes += (uint64_t)bytes;
}

static void say_line(struct writer *w, struct heddle_profile_program *program, const struct heddle_line *place) {
  struct heddle_profile_line line = {.file = place->file, .line = place->line};
  if (!place->file)
    return;
  say(w, "  ; ");
  say_text(w, place->file, (int)strlen(place->file));
  say(w, ":%" PRIu32, place->line);
  heddle_source_text_find(program, &line);
  while (line.text && line.text_bytes > 0 && strchr(" \t", *line.text)) {
    line.text++;
    line.text_bytes--;
  }
  if (line.text) {
    say(w, ": ");
    say_text(w, line.text, line.text_bytes);
  }
  if (place->function)
    say(w, "  [%s]", place->function);
}

static void say_label(struct writer *w, const struct active *a) {
  const struct heddle_konata_instruction *i = a->instruction;
  const struct program_text *text = i->program ? text_of(w, i->program) : NULL;
  const uint32_t offset = i->program ? i->pc - i->program->address : i->pc;
  const struct heddle_instruction *found =
      text && text->instructions.count != 0
          ? bsearch(&offset, text->instructions.items, text->instructions.count, sizeof *found, by_offset)
          : NULL;
  say(w, "L\t%" PRIu64 "\t0\t%08" PRIx32 " %" PRIx32 ": ", a->id, i->pc, offset);
  if (found)
    say_text(w, found->text, (int)strlen(found->text));
  if (found && text->lines)
    say_line(w, i->program, &text->lines->lines[found - text->instructions.items]);
  say(w,
      "\nL\t%" PRIu64 "\t1\tunit %u, slot %u, work-group (%" PRIu32 ", %" PRIu32 ", %" PRIu32 "), sub-group %" PRIu32
      ", lanes %" PRIx32 "\n",
      a->id, i->unit, i->slot, i->group_id[0], i->group_id[1], i->group_id[2], i->sub_group, i->lanes);
}

// ---- Events in their order.

static bool is_before(const struct active *a, const struct active *b) {
  const uint64_t one = a->events[a->next].cycle, other = b->events[b->next].cycle;
  return one < other || (one == other && a->id < b->id);
}

static void swap(struct active *a, struct active *b) {
  const struct active kept = *a;
  *a = *b;
  *b = kept;
}

// The first of the heap may be later than those below it.
static void sink(struct writer *w) {
  for (size_t at = 0;;) {
    size_t first = at;
    for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < w->heap_count; child++)
      if (is_before(&w->heap[child], &w->heap[first]))
        first = child;
    if (first == at)
      return;
    swap(&w->heap[at], &w->heap[first]);
    at = first;
  }
}

// Takes the events over. False: host memory is out.
static bool push(struct writer *w, const struct active *added) {
  if (w->heap_count == w->heap_room) {
    const size_t more = w->heap_room != 0 ? 2 * w->heap_room : 64;
    struct active *heap = realloc(w->heap, more * sizeof *heap);
    if (!heap)
      return false;
    w->heap = heap;
    w->heap_room = more;
  }
  size_t at = w->heap_count++;
  w->heap[at] = *added;
  while (at > 0 && is_before(&w->heap[at], &w->heap[(at - 1) / 2])) {
    swap(&w->heap[at], &w->heap[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  return true;
}

static bool took_effect(const struct heddle_konata *konata, const struct heddle_konata_instruction *i) {
  const uint8_t end = konata->passes[i->last_pass].end;
  return end == HEDDLE_SIM_PASS_ISSUED || end == HEDDLE_SIM_PASS_LOADS;
}

// Writes the next event.
static void write_next(struct writer *w) {
  struct active *a = &w->heap[0];
  const struct event *event = &a->events[a->next++];
  if (event->cycle > w->now)
    say(w, "C\t%" PRIu64 "\n", event->cycle - w->now);
  w->now = event->cycle;
  if (event->what == BEGINS) {
    say(w, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", a->id, a->id,
        a->instruction->unit * HEDDLE_KONATA_SLOTS + a->instruction->slot);
    say_label(w, a);
  } else if (event->what == ENDS) {
    const bool is_retired = took_effect(w->konata, a->instruction);
    say(w, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", a->id, w->retired, is_retired ? 0 : 1);
    w->retired += is_retired;
  } else {
    say(w, "%c\t%" PRIu64 "\t%d\t%s\n", event->what == STAGE_STARTS ? 'S' : 'E', a->id, event->lane, event->stage);
  }
  if (a->next == a->count) {
    free(a->events);
    w->heap[0] = w->heap[--w->heap_count];
  }
  sink(w);
}

// ---- All of them.

// An instruction, and the cycle in which it begins.
struct beginning {
  uint64_t cycle;
  uint32_t number;
};

static int by_beginning(const void *one, const void *other) {
  const struct beginning *a = one, *b = other;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

// Beginnings in their order, *count of them. NULL: host memory is out.
static struct beginning *beginnings_of(const struct heddle_konata *konata, size_t *count) {
  struct beginning *list = calloc(konata->count + 1, sizeof *list);
  *count = 0;
  for (size_t i = 0; i < konata->count && list; i++) {
    const uint32_t first = konata->instructions[i].first_pass;
    if (first != HEDDLE_KONATA_NONE)
      list[(*count)++] = (struct beginning){.cycle = konata->passes[first].cycle, .number = (uint32_t)i};
  }
  if (list)
    qsort(list, *count, sizeof *list, by_beginning);
  return list;
}

void heddle_konata_write(struct heddle_konata *konata, FILE *out) {
  struct writer w = {.konata = konata, .out = out};
  size_t count, id = 0;
  struct beginning *beginnings = beginnings_of(konata, &count);
  if (!beginnings)
    return;
  w.now = count != 0 ? beginnings[0].cycle : 0;
  say(&w, "Kanata\t0004\nC=\t%" PRIu64 "\n", w.now);
  for (; id < count && w.bytes < konata->bytes; id++) {
    struct active next = {.instruction = &konata->instructions[beginnings[id].number], .id = id};
    while (w.heap_count != 0 && w.heap[0].events[w.heap[0].next].cycle < beginnings[id].cycle)
      write_next(&w);
    if (!make_events(konata, &next))
      break;
    if (!push(&w, &next)) {
      free(next.events);
      break;
    }
  }
  konata->left_out += count - id;
  while (w.heap_count != 0)
    write_next(&w);
  for (size_t i = 0; i < w.num_programs; i++) {
    heddle_lines_free(w.programs[i].lines);
    free(w.programs[i].instructions.items);
  }
  free(w.programs);
  free(w.heap);
  free(beginnings);
}
