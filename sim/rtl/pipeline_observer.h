// SPDX-License-Identifier: Apache-2.0
// Where the tokens of kernel pipelines are, and what they wait for: each cycle of a pipeline is charged to one of its
// tokens, in turn, at the line of source that it is at (contract/sim_pipelines.h). The signals are those of
// sim/rtl/pipeline_observer.sv; the places, by line, are what hls/pipeline/observed.c wrote. Part of device.cpp, where
// there are pipelines.
#ifndef HEDDLE_SIM_RTL_PIPELINE_OBSERVER_H
#define HEDDLE_SIM_RTL_PIPELINE_OBSERVER_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "contract/sim_pipelines.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#include "verilated_syms.h"

#ifdef HEDDLE_PLACES
// The files pipeline_*.places of the folder, one behind the other, with a zero behind.
extern "C" const char heddle_places[];
__asm__(
    ".section .rodata\n"
    ".globl heddle_places\n"
    ".hidden heddle_places\n"
    "heddle_places: .incbin \"places.txt\"\n"
    ".byte 0\n"
    ".section .note.GNU-stack,\"\",@progbits\n"
    ".text\n");
#else
static const char heddle_places[] = "";
#endif

// What is known of a kernel's pipeline before it runs. Lines are numbers of the table of all kernels; 0: none.
struct PipelinePlaces {
  enum End { EXIT, BACK, LOADS, WINDOW, STORES, ARRAY, LOOP, BARRIER, PIPE };
  struct Segment {
    End end;
    int head, spacer;  // numbers of a head and of an event; -1: there is none
    uint32_t line, first_site, sites;
    std::vector<uint32_t> stages;  // their lines
  };
  uint32_t key = 0, lanes = 0;
  std::vector<Segment> segments;
  std::vector<uint32_t> sites;  // their lines
};

// The places of all kernels of a device.
class AllPlaces {
 public:
  AllPlaces() {
    lines_.push_back({nullptr, 0});
    std::istringstream text(heddle_places);
    std::string word;
    std::vector<uint32_t> own;  // of the kernel's lines, their numbers here
    while (text >> word) {
      if (word == "pipeline") {
        number(own);
        kernels_.emplace_back();
        text >> kernels_.back().key >> kernels_.back().lanes;
      } else if (kernels_.empty()) {
        break;
      } else if (word == "segment") {
        read_segment(text);
      } else if (word == "site") {
        uint32_t line = 0;
        text >> line;
        kernels_.back().sites.push_back(line);
      } else if (word == "line") {
        uint32_t line = 0;
        std::string file;
        text >> line;
        text.get();  // the space
        std::getline(text, file);
        own.push_back(line == 0 ? 0 : number_of(line, file));
      }
    }
    number(own);
    for (size_t i = 1; i < lines_.size(); i++)
      lines_[i].file = files_[i - 1]->c_str();
  }

  const PipelinePlaces *of(uint32_t key) const {
    for (const PipelinePlaces &kernel : kernels_)
      if (kernel.key == key)
        return &kernel;
    return nullptr;
  }
  const std::vector<heddle_sim_line> &lines() const {
    return lines_;
  }

 private:
  void read_segment(std::istringstream &text) {
    static const char *const names[] = {"exit",  "back", "loads",   "window", "stores",
                                        "array", "loop", "barrier", "pipe"};
    PipelinePlaces::Segment segment = {};
    std::string end;
    unsigned stages = 0;
    text >> end >> segment.head >> segment.spacer >> segment.line >> segment.first_site >> segment.sites >> stages;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
      if (end == names[i])
        segment.end = (PipelinePlaces::End)i;
    segment.stages.resize(stages);
    for (uint32_t &line : segment.stages)
      text >> line;
    kernels_.back().segments.push_back(segment);
  }

  uint32_t number_of(uint32_t line, const std::string &file) {
    for (size_t i = 1; i < lines_.size(); i++)
      if (lines_[i].line == line && *files_[i - 1] == file)
        return (uint32_t)i;
    lines_.push_back({nullptr, line});
    files_.push_back(std::make_unique<std::string>(file));
    return (uint32_t)lines_.size() - 1;
  }

  // Gives the lines of the kernel that has been read their numbers here.
  void number(std::vector<uint32_t> &own) {
    if (kernels_.empty())
      return;
    const auto change = [&own](uint32_t &line) { line = line < own.size() ? own[line] : 0; };
    for (PipelinePlaces::Segment &segment : kernels_.back().segments) {
      change(segment.line);
      for (uint32_t &line : segment.stages)
        change(line);
    }
    for (uint32_t &line : kernels_.back().sites)
      change(line);
    own.clear();
  }

  std::vector<PipelinePlaces> kernels_;
  std::vector<heddle_sim_line> lines_;
  std::vector<std::unique_ptr<std::string>> files_;  // of lines_, from the second on
};

// One pipeline of the device.
class PipelineObserver {
 public:
  // What a scope of pipeline_observer shows, if it is one and its places are known. Its path says which unit and kind.
  static bool make(const VerilatedScope *scope, const AllPlaces &all, std::vector<PipelineObserver> *pipelines) {
    const char *unit = strstr(scope->name(), ".compute["), *kind = strstr(scope->name(), ".kind_");
    const VerilatedVar *key = scope->varFind("seen_key");
    if (!unit || !kind || !key)
      return false;
    const PipelinePlaces *places = all.of(*static_cast<const IData *>(key->datap()));
    if (!places)
      return false;
    PipelineObserver made;
    made.places_ = places;
    made.unit = (unsigned)strtoul(unit + strlen(".compute["), nullptr, 10);
    made.kind = (unsigned)strtoul(kind + strlen(".kind_"), nullptr, 10);
    if (const char *of_chain = strstr(kind, ".kernel_"))
      made.of_chain = 1 + (unsigned)strtoul(of_chain + strlen(".kernel_"), nullptr, 10);
    made.lanes = places->lanes;
    made.events_ = words(scope, "seen_events");
    made.slots_ = reinterpret_cast<const uint8_t *>(words(scope, "seen_slots"));
    made.heads_ = words(scope, "seen_heads");
    made.answer_ = words(scope, "seen_answer");
    made.request_ = words(scope, "seen_request");
    made.event_count_ = *words(scope, "seen_event_count");
    made.head_count_ = *words(scope, "seen_head_count");
    made.rows_.resize(all.lines().size());
    pipelines->push_back(std::move(made));
    return true;
  }

  void begin() {
    for (size_t i = 0; i < rows_.size(); i++) {
      rows_[i] = {};
      rows_[i].pc = (uint32_t)i;
    }
    for (Token &token : tokens_)
      token = {};
    for (uint64_t &word : resident_)
      word = 0;
    starting = empty = resident = 0;
    turn_ = 0;
    has_begun_ = false;
  }

  // A cycle that counts for a dispatch of its kind. Tells the changes of slots to `observer`, if that is not NULL.
  void cycle(uint64_t cycle, const heddle_sim_observer *observer) {
    for (unsigned first = 0; first < event_count_; first += 32)
      for (uint32_t left = events_[first / 32]; left != 0; left &= left - 1)
        take_event(first + (unsigned)__builtin_ctz(left), cycle, observer);
    for (unsigned i = 0; i < head_count_; i++)
      take_head(heads_[i], i, cycle, observer);
    if (*answer_ >> 31)
      take_answer(*answer_ >> 16 & 255, *answer_ & 0xFFFF);
    unsigned slot = 0;
    const unsigned count = next_resident(&slot);
    resident += count;
    if (count == 0) {
      (has_begun_ ? empty : starting)++;
      return;
    }
    uint32_t line = 0;
    const int reason = reason_of(slot, cycle, &line);
    if (reason < 0)
      rows_[line].issues++;
    else
      rows_[line].lost[reason]++;
    turn_ = (slot + 1) % kSlots;
  }

  // Where misses of the request count that the unit gives the device cache; nullptr: of nobody's line.
  uint64_t *asked() {
    const uint32_t site = *request_ & 0xFFFF;
    return *request_ >> 31 || site >= places_->sites.size() ? nullptr : &rows_[places_->sites[site]].misses;
  }

  const std::vector<heddle_sim_row> &rows() const {
    return rows_;
  }

  unsigned unit = 0, kind = 0, lanes = 0;
  unsigned of_chain = 0;  // its number there, from the last kernel, which is 1; 0: it is alone in its unit
  uint64_t starting = 0, empty = 0, resident = 0;

 private:
  static constexpr unsigned kSlots = 256;
  static constexpr int kWorks = -1;
  enum Where : uint8_t { NOWHERE, INSIDE, BEHIND, SPACED };
  struct Token {
    uint64_t since;
    uint32_t segment, site;
    Where where;
    bool taken;  // its accesses have been made
  };

  static const uint32_t *words(const VerilatedScope *scope, const char *name) {
    return static_cast<const uint32_t *>(scope->varFind(name)->datap());
  }

  void take_event(unsigned event, uint64_t cycle, const heddle_sim_observer *observer) {
    const unsigned segments = (unsigned)places_->segments.size(), slot = slots_[event];
    Token &token = tokens_[slot];
    if (event >= 2 * segments) {
      for (unsigned i = 0; i < segments; i++)
        if (places_->segments[i].spacer == (int)event)
          token = {cycle, i, 0, SPACED, false};
    } else {
      const PipelinePlaces::Segment &segment = places_->segments[event / 2];
      token = {cycle, event / 2, segment.first_site, event % 2 == 0 ? INSIDE : BEHIND, false};
      has_begun_ = true;
      resident_[slot / 64] |= 1ull << slot % 64;
      if (token.where == BEHIND && segment.end == PipelinePlaces::EXIT) {
        resident_[slot / 64] &= ~(1ull << slot % 64);
        token.where = NOWHERE;
      }
    }
    tell(slot, cycle, observer);
  }

  // {valid, access, ready, taken, slot, number of an access}
  enum { VALID = 1u << 31, ACCESS = 1u << 30, READY = 1u << 29, TAKEN = 1u << 28 };

  void take_head(uint32_t head, unsigned number, uint64_t cycle, const heddle_sim_observer *observer) {
    if (!(head & VALID))
      return;
    const unsigned slot = head >> 16 & 255;
    Token &token = tokens_[slot];
    if (token.where != BEHIND || places_->segments[token.segment].head != (int)number)
      return;
    const PipelinePlaces::Segment &segment = places_->segments[token.segment];
    if (segment.sites != 0 && (head & ACCESS) && (head & READY))
      rows_[line_of_site(segment.first_site + (head & 0xFFFF))].accesses++;
    if (head & TAKEN && segment.end != PipelinePlaces::PIPE) {
      token.taken = true;
      tell(slot, cycle, observer);
    }
  }

  // A token waits for the next of its accesses, as they are answered in order.
  void take_answer(unsigned slot, unsigned site) {
    Token &token = tokens_[slot];
    if (token.where != BEHIND)
      return;
    const PipelinePlaces::Segment &segment = places_->segments[token.segment];
    if (site >= segment.first_site && site + 1 < segment.first_site + segment.sites)
      token.site = site + 1;
  }

  uint32_t line_of_site(uint32_t site) const {
    return site < places_->sites.size() ? places_->sites[site] : 0;
  }

  // The resident slot whose turn it is; returns how many there are.
  unsigned next_resident(unsigned *slot) const {
    unsigned count = 0;
    for (const uint64_t word : resident_)
      count += (unsigned)__builtin_popcountll(word);
    if (count == 0)
      return 0;
    for (unsigned i = 0; i <= kSlots / 64; i++) {
      const unsigned at = (turn_ / 64 + i) % (kSlots / 64);
      const uint64_t word = i == 0 ? resident_[at] & (~0ull << turn_ % 64) : resident_[at];
      if (word != 0) {
        *slot = at * 64 + (unsigned)__builtin_ctzll(word);
        return count;
      }
    }
    return 0;
  }

  // What a token does in this cycle: kWorks, or the reason why it waits; and the line of that.
  int reason_of(unsigned slot, uint64_t cycle, uint32_t *line) const {
    const Token &token = tokens_[slot];
    const PipelinePlaces::Segment &segment = places_->segments[token.segment];
    const uint64_t in = cycle - token.since;
    if (token.where == INSIDE || token.where == SPACED) {
      *line = segment.stages[in < segment.stages.size() && token.where == INSIDE ? in : 0];
      return token.where == SPACED ? HEDDLE_SIM_PIPELINE_SHARED : kWorks;
    }
    const uint32_t head = segment.head >= 0 ? heads_[segment.head] : 0;
    const bool is_head = head & VALID && (head >> 16 & 255) == slot;
    *line = segment.line;
    switch (segment.end) {
      case PipelinePlaces::BACK:
        return in <= 1 ? kWorks : HEDDLE_SIM_PIPELINE_RING;  // it has changed places with one that waited
      case PipelinePlaces::LOOP:
        return HEDDLE_SIM_PIPELINE_RING;
      case PipelinePlaces::BARRIER:
        return HEDDLE_SIM_PIPELINE_BARRIER;
      case PipelinePlaces::PIPE:
        return head & ACCESS && !(head & READY) ? HEDDLE_SIM_PIPELINE_PIPE : HEDDLE_SIM_PIPELINE_QUEUE;
      case PipelinePlaces::ARRAY:
        return token.taken || !is_head || head & READY ? (token.taken || !is_head ? HEDDLE_SIM_PIPELINE_QUEUE : kWorks)
                                                       : HEDDLE_SIM_PIPELINE_BANKS;
      default:
        break;
    }
    *line = line_of_site(is_head && !token.taken ? segment.first_site + (head & 0xFFFF) : token.site);
    if (token.taken)
      return segment.end == PipelinePlaces::STORES ? kWorks : HEDDLE_SIM_PIPELINE_MEMORY;
    if (!is_head)
      return HEDDLE_SIM_PIPELINE_QUEUE;
    return head & ACCESS && !(head & READY) ? HEDDLE_SIM_PIPELINE_PORT : kWorks;
  }

  void tell(unsigned slot, uint64_t cycle, const heddle_sim_observer *observer) {
    if (!observer || !observer->event)
      return;
    const Token &token = tokens_[slot];
    uint32_t line = 0, state = HEDDLE_SIM_EMPTY;
    if (token.where != NOWHERE) {
      const PipelinePlaces::Segment &segment = places_->segments[token.segment];
      line = token.where == BEHIND ? segment.line : segment.stages[0];
      state = token.where == INSIDE                                  ? HEDDLE_SIM_ISSUES
              : token.where == SPACED                                ? HEDDLE_SIM_WAITS_FOR_OPERATORS
              : token.taken && segment.end == PipelinePlaces::STORES ? HEDDLE_SIM_ISSUES
              : token.taken                                          ? HEDDLE_SIM_WAITS_FOR_MEMORY
              : segment.end == PipelinePlaces::BACK                  ? HEDDLE_SIM_ISSUES
              : segment.end == PipelinePlaces::LOOP                  ? HEDDLE_SIM_WAITS_FOR_LOOP
              : segment.end == PipelinePlaces::BARRIER               ? HEDDLE_SIM_WAITS_AT_COLLECTIVE
              : segment.end == PipelinePlaces::PIPE                  ? HEDDLE_SIM_WAITS_FOR_PIPE
                                                                     : HEDDLE_SIM_WAITS_FOR_PORT;
    }
    const heddle_sim_event event = {cycle, HEDDLE_SIM_EVENT_SLOT, unit, slot, {state, line, of_chain}};
    observer->event(observer->user, &event);
  }

  const PipelinePlaces *places_ = nullptr;
  const uint32_t *events_ = nullptr, *heads_ = nullptr, *answer_ = nullptr, *request_ = nullptr;
  const uint8_t *slots_ = nullptr;
  unsigned event_count_ = 0, head_count_ = 0;
  std::vector<heddle_sim_row> rows_;  // by line
  Token tokens_[kSlots] = {};
  uint64_t resident_[kSlots / 64] = {};
  unsigned turn_ = 0;       // the slot that is charged next
  bool has_begun_ = false;  // a token of the dispatch has come
};

#endif
