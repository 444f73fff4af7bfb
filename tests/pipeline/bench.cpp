// SPDX-License-Identifier: Apache-2.0
// One dispatch of one of several pipelines (top.v, which pipelines.py writes) and of the golden model, from the same
// memory; says whether they leave the same. Memory answers after a time, and is not always ready: by the job's seed.
//
//   bench JOB      what a job is: struct job
//
// Prints one line. Exit code 0: the same, be it memory or a fault; 1: not, or the pipeline does not end; 2: the job
// cannot be carried out. Of faults reasons are compared, since work-items run in another order; the pipeline's site is
// printed.
#include <elf.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "Vtop.h"
#include "contract/device_map.h"
#include "contract/sim.h"
#include "verilated.h"

namespace {

enum : uint32_t {
  DISPATCH = 0x2000,
  PACKET = DISPATCH + 4 * HEDDLE_DISPATCH_PACKET,
  BUFFERS = 0x4000,
  END = 0x100000,  // of what both have
  IMAGE = 0x800000,
  PRIVATE = 0xC00000,
  GLOBAL_BYTES = 0x2000000,
  LAST_BYTES = 4096,  // at the end of global memory, of what both have as well
  LAST = GLOBAL_BYTES - LAST_BYTES,
  PRIVATE_LOG2 = 14,
  BEAT_LOG2 = 5,
  BEAT_BYTES = 1 << BEAT_LOG2,
  MOST_CYCLES = 1000000,
  RESERVED_CYCLES = 1 << 16,
};

// Behind it: the file, and what is at BUFFERS.
struct job {
  uint32_t number;  // of the pipeline
  uint32_t lanes, slots, log2;
  uint32_t dimensions, global[3], local[3], offset[3];
  uint32_t entry, local_bytes;
  uint32_t latency, busy, seed;  // cycles; percent of the cycles in which memory is not ready
  uint32_t argument_count, arguments[16];
  uint32_t file_bytes, memory_bytes;
};

[[noreturn]] void give_up(const std::string &message) {
  printf("cannot: %s\n", message.c_str());
  exit(2);
}

void fill_packet(const struct job &job, uint32_t packet[HEDDLE_PACKET_WORDS + 16]) {
  uint32_t items = 1;
  packet[HEDDLE_PACKET_WORK_DIM] = job.dimensions;
  for (int d = 0; d < 3; d++) {
    packet[HEDDLE_PACKET_GLOBAL_SIZE + d] = job.global[d];
    packet[HEDDLE_PACKET_GLOBAL_OFFSET + d] = job.offset[d];
    packet[HEDDLE_PACKET_LOCAL_SIZE + d] = job.local[d];
    packet[HEDDLE_PACKET_NUM_GROUPS + d] = (job.global[d] + job.local[d] - 1) / job.local[d];
    items *= job.local[d];
  }
  packet[HEDDLE_PACKET_NUM_SUB_GROUPS] = (items + (1u << job.log2) - 1) >> job.log2;
  packet[HEDDLE_PACKET_MAX_SUB_GROUP_SIZE] = 1u << job.log2;
  memcpy(packet + HEDDLE_PACKET_WORDS, job.arguments, 4 * job.argument_count);
}

// ---- the golden model

void put(const struct heddle_sim_api *api, void *device, uint32_t address, const void *data, size_t bytes) {
  if (api->write(device, address, data, bytes) != 0)
    give_up("the model's memory cannot be written");
}

void load_image(const struct heddle_sim_api *api, void *device, const std::vector<uint8_t> &file) {
  const auto *header = reinterpret_cast<const Elf32_Ehdr *>(file.data());
  const auto *segments = reinterpret_cast<const Elf32_Phdr *>(file.data() + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      put(api, device, IMAGE + segments[i].p_vaddr, file.data() + segments[i].p_offset, segments[i].p_filesz);
  const auto *sections = reinterpret_cast<const Elf32_Shdr *>(file.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_RELA)
      continue;
    const auto *one = reinterpret_cast<const Elf32_Rela *>(file.data() + sections[i].sh_offset);
    for (const auto *end = one + sections[i].sh_size / sizeof *one; one < end; one++) {
      const uint32_t value = IMAGE + static_cast<uint32_t>(one->r_addend);
      put(api, device, IMAGE + one->r_offset, &value, 4);
    }
  }
}

uint32_t reg(const struct heddle_sim_api *api, void *device, uint32_t offset) {
  uint32_t value = 0;
  api->read(device, HEDDLE_CONTROL_BASE + offset, &value, 4);
  return value;
}

std::string fault_text(uint32_t reason) {
  return "a fault, reason " + std::to_string(reason);
}

// Returns the fault that ended it, or nothing.
std::string run_model(const struct job &job, const std::vector<uint8_t> &file, std::vector<uint8_t> &memory) {
  const char *error = "";
  const struct heddle_sim_api *api = heddle_model_api();
  struct heddle_sim_config config = {};
  config.lanes = job.lanes;
  config.slots = 64;
  config.global_bytes = GLOBAL_BYTES;
  void *device = api->create(&config, &error);
  if (!device)
    give_up(error);
  put(api, device, BUFFERS, memory.data() + BUFFERS, END - BUFFERS);
  put(api, device, LAST, memory.data() + END, LAST_BYTES);
  load_image(api, device, file);
  uint32_t words[HEDDLE_DISPATCH_WORDS + 16] = {};
  words[HEDDLE_DISPATCH_ENTRY] = IMAGE + job.entry;
  words[HEDDLE_DISPATCH_SUB_GROUP_LOG2] = job.log2;
  words[HEDDLE_DISPATCH_LOCAL_BYTES] = job.local_bytes;
  words[HEDDLE_DISPATCH_PRIVATE_BASE] = PRIVATE;
  words[HEDDLE_DISPATCH_PRIVATE_LOG2] = PRIVATE_LOG2;
  fill_packet(job, words + HEDDLE_DISPATCH_PACKET);
  put(api, device, DISPATCH, words, sizeof words);
  const uint32_t at = DISPATCH, start = HEDDLE_COMMAND_START;
  put(api, device, HEDDLE_CONTROL_BASE + HEDDLE_REG_DISPATCH, &at, 4);
  put(api, device, HEDDLE_CONTROL_BASE + HEDDLE_REG_COMMAND, &start, 4);
  if (api->run(device, 50000000) != 1)
    give_up("the model does not end");
  std::string fault;
  if ((reg(api, device, HEDDLE_REG_STATUS) & HEDDLE_STATUS_FAULT) != 0)
    fault = fault_text(reg(api, device, HEDDLE_REG_FAULT_REASON));
  api->read(device, BUFFERS, memory.data() + BUFFERS, END - BUFFERS);
  api->read(device, LAST, memory.data() + END, LAST_BYTES);
  api->destroy(device);
  return fault;
}

// ---- the pipeline

struct answer {
  uint64_t when;
  uint8_t data[BEAT_BYTES];
  uint32_t label[4];
};

class Bench {
 public:
  Bench(const struct job &of, std::vector<uint8_t> &with) : job(of), memory(with), random(of.seed) {}

  // Returns what went wrong, or nothing.
  std::string run();
  uint32_t site = 0;  // of a fault
  uint64_t cycle = 0, rows = 0;

 private:
  // A cycle is both: as the clock falls, what the pipeline is asked goes into registers at its inputs (write_top() of
  // pipelines.py), and its answer is there.
  void ask() {
    top.clk = 0;
    top.eval();
  }
  void tick() {
    top.clk = 1;
    top.eval();
    cycle++;
  }
  bool chance(uint32_t percent) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return (random >> 20) % 100 < percent;
  }
  void begin();
  void offer_group();
  void offer_answer();
  std::string take_fault();
  std::string take_request();
  uint32_t atomic(uint32_t old, uint32_t value) const;
  void reserve();
  void store_conditionally(uint8_t *row, const uint8_t *data, uint8_t *answer);

  const struct job &job;
  std::vector<uint8_t> &memory;
  uint64_t random, groups = 0, done = 0, total = 1;
  uint32_t group[3] = {0, 0, 0}, count[3] = {0, 0, 0};
  std::deque<answer> answers;
  // What lr.w has reserved: words of a row, of one owner.
  uint32_t reserved_row = 0, reserved_strobe = 0, reserved_owner = 0;
  uint64_t reserved_at = 0;
  Vtop top;
};

void Bench::begin() {
  top.clk = 1;
  top.rst = 1;
  top.number_i = job.number;
  top.packet_i = PACKET;
  top.sub_group_log2_i = job.log2;
  top.local_bytes_i = job.local_bytes;
  top.start_i = top.group_valid_i = top.response_valid_i = top.request_ready_i = 0;
  uint32_t *packet = reinterpret_cast<uint32_t *>(memory.data() + PACKET);
  fill_packet(job, packet);
  top.sub_groups_i = packet[HEDDLE_PACKET_NUM_SUB_GROUPS];
  for (int d = 0; d < 3; d++)
    total *= count[d] = packet[HEDDLE_PACKET_NUM_GROUPS + d];
  top.eval();
  for (int i = 0; i < 3; i++) {
    ask();
    tick();
  }
  top.rst = 0;
  for (uint32_t i = 0; i < 300; i++) {
    ask();
    tick();
  }
  top.start_i = 1;
  ask();
  tick();
  top.start_i = 0;
  cycle = 0;
}

void Bench::offer_group() {
  top.group_valid_i = groups < total && !chance(job.busy / 4);
  uint64_t size = 0;
  for (int d = 2; d >= 0; d--) {
    const uint32_t left = job.global[d] - group[d] * job.local[d];
    top.group_id_i[d] = group[d];
    top.group_base_i[d] = job.offset[d] + group[d] * job.local[d];
    size = size << 11 | (left < job.local[d] ? left : job.local[d]);
  }
  top.group_size_i = size;
}

void Bench::offer_answer() {
  top.response_valid_i = !answers.empty() && answers.front().when <= cycle && !chance(job.busy / 2);
  if (top.response_valid_i) {
    memcpy(&top.response_data_i, answers.front().data, BEAT_BYTES);
    memcpy(&top.response_label_i, answers.front().label, sizeof answers.front().label);
  }
}

uint32_t Bench::atomic(uint32_t old, uint32_t value) const {
  const int32_t a = static_cast<int32_t>(old), b = static_cast<int32_t>(value);
  switch (top.request_function_o) {
    case 0x00:
      return old + value;
    case 0x01:
      return value;
    case 0x04:
      return old ^ value;
    case 0x08:
      return old | value;
    case 0x0C:
      return old & value;
    case 0x10:
      return a < b ? old : value;
    case 0x14:
      return a > b ? old : value;
    case 0x18:
      return old < value ? old : value;
    case 0x1C:
      return old > value ? old : value;
    default:
      return 0xBADBAD;
  }
}

// Another owner's reservation stays for a while, as in rtl/memory/reservation.v.
void Bench::reserve() {
  if (reserved_strobe != 0 && reserved_owner != top.request_owner_o && cycle - reserved_at < RESERVED_CYCLES)
    return;
  if (reserved_strobe == 0 || reserved_owner != top.request_owner_o)
    reserved_at = cycle;
  reserved_owner = top.request_owner_o;
  reserved_row = top.request_address_o;
  reserved_strobe = top.request_strobe_o;
}

// The answer of a word is 0 if it was stored, else 1.
void Bench::store_conditionally(uint8_t *row, const uint8_t *data, uint8_t *answer) {
  const bool is_mine = reserved_owner == top.request_owner_o && reserved_row == top.request_address_o;
  const uint32_t stored = is_mine ? reserved_strobe & top.request_strobe_o : 0;
  for (uint32_t i = 0; i < BEAT_BYTES; i += 4) {
    const uint32_t failed = (stored >> i & 1) == 0;
    memcpy(answer + i, &failed, 4);
    if (failed == 0)
      memcpy(row + i, data + i, 4);
  }
  if (is_mine)
    reserved_strobe = 0;
}

std::string Bench::take_request() {
  rows++;
  const uint32_t address = top.request_address_o, strobe = top.request_strobe_o;
  const bool is_last = address >= LAST && address + BEAT_BYTES <= GLOBAL_BYTES;
  if (address % BEAT_BYTES != 0 || address < DISPATCH || (address + BEAT_BYTES > END && !is_last))
    return "a request of beat " + std::to_string(address);
  const bool is_reserving = top.request_kind_o == 2 && top.request_function_o == 0x02;
  const bool is_conditional = top.request_kind_o == 2 && top.request_function_o == 0x03;
  uint8_t *row = memory.data() + (is_last ? END + address - LAST : address);
  uint8_t data[BEAT_BYTES];
  memcpy(data, &top.request_data_o, BEAT_BYTES);
  if (top.request_kind_o != 1) {
    struct answer answer = {};
    answer.when = cycle + job.latency;
    memcpy(answer.data, row, BEAT_BYTES);
    memcpy(answer.label, &top.request_label_o, sizeof answer.label);
    if (is_reserving)
      reserve();
    if (is_conditional)
      store_conditionally(row, data, answer.data);
    answers.push_back(answer);
  }
  if (top.request_kind_o == 0 || is_reserving || is_conditional)
    return "";
  if (address == reserved_row)
    reserved_strobe &= ~strobe;
  for (uint32_t i = 0; top.request_kind_o == 1 && i < BEAT_BYTES; i++)
    if ((strobe >> i & 1) != 0)
      row[i] = data[i];
  for (uint32_t i = 0; top.request_kind_o == 2 && i < BEAT_BYTES; i += 4) {
    uint32_t old, value;
    memcpy(&old, row + i, 4);
    memcpy(&value, data + i, 4);
    value = atomic(old, value);
    if ((strobe >> i & 1) != 0)
      memcpy(row + i, &value, 4);
  }
  return "";
}

// The record is whole when the unit has drained.
std::string Bench::take_fault() {
  for (int i = 0; i < 200000 && !top.drained_o; i++) {
    offer_answer();
    top.request_ready_i = 1;
    ask();
    if (top.response_valid_i && top.response_ready_o)
      answers.pop_front();
    if (top.request_valid_o && top.request_ready_i)
      take_request();
    tick();
  }
  site = top.fault_record_o[1];
  return fault_text(top.fault_record_o[0] & 15);
}

std::string Bench::run() {
  begin();
  while (true) {
    offer_group();
    offer_answer();
    top.request_ready_i = !chance(job.busy);
    ask();
    if (top.group_valid_i && top.group_ready_o) {
      groups++;
      for (int d = 0; d < 3 && ++group[d] == count[d]; d++)
        group[d] = 0;
    }
    if (top.response_valid_i && top.response_ready_o)
      answers.pop_front();
    if (top.request_valid_o && top.request_ready_i) {
      const std::string wrong = take_request();
      if (!wrong.empty())
        return wrong;
    }
    done += top.group_done_o;
    const bool is_fault = top.fault_o;
    tick();
    if (is_fault)
      return take_fault();
    if (done > groups)
      return "more work-groups completed than were there";
    if (groups == total && done == total && top.idle_o)
      return "";
    if (cycle > MOST_CYCLES)
      return "it does not end: " + std::to_string(done) + " of " + std::to_string(total) + " work-groups completed";
  }
}

std::vector<uint8_t> take(const std::vector<uint8_t> &bytes, size_t from, size_t count) {
  if (from + count > bytes.size())
    give_up("the job is too short");
  return {bytes.begin() + static_cast<ptrdiff_t>(from), bytes.begin() + static_cast<ptrdiff_t>(from + count)};
}

std::vector<uint8_t> read_file(const char *path) {
  std::vector<uint8_t> bytes;
  FILE *file = fopen(path, "rb");
  if (!file)
    give_up(std::string(path) + " cannot be read");
  uint8_t piece[4096];
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
    bytes.insert(bytes.end(), piece, piece + got);
  fclose(file);
  return bytes;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    give_up("bench JOB");
  const std::vector<uint8_t> bytes = read_file(argv[1]);
  struct job job;
  memcpy(&job, take(bytes, 0, sizeof job).data(), sizeof job);
  const std::vector<uint8_t> file = take(bytes, sizeof job, job.file_bytes);
  const std::vector<uint8_t> start = take(bytes, sizeof job + job.file_bytes, job.memory_bytes);
  if (BUFFERS + start.size() > END)
    give_up("the buffers are too large");
  std::vector<uint8_t> got(END + LAST_BYTES);  // up to END, and from LAST on
  memcpy(got.data() + BUFFERS, start.data(), start.size());
  for (uint32_t i = 0; i < LAST_BYTES / 4; i++) {
    const uint32_t word = (i + 1) * 0x9E3779B9u;
    memcpy(got.data() + END + 4 * i, &word, 4);
  }
  std::vector<uint8_t> expected = got;
  const std::string fault = run_model(job, file, expected);
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(job.seed % 1000000 + 1));
  Bench bench(job, got);
  const std::string wrong = bench.run();
  if (!wrong.empty() && wrong == fault) {
    printf("both have %s; site %u\n", wrong.c_str(), bench.site);
    return 0;
  }
  if (!wrong.empty() || !fault.empty()) {
    printf("%s; the model: %s\n", wrong.empty() ? "no fault" : wrong.c_str(), fault.empty() ? "none" : fault.c_str());
    return 1;
  }
  for (uint32_t at = BUFFERS; at < END + LAST_BYTES; at += 4) {
    if (memcmp(&got[at], &expected[at], 4) != 0) {
      uint32_t a, b;
      memcpy(&a, &expected[at], 4);
      memcpy(&b, &got[at], 4);
      printf("at %x: %08x expected, got %08x\n", at < END ? at : at - END + LAST, a, b);
      return 1;
    }
  }
  printf("the same after %llu cycles, %llu rows\n", static_cast<unsigned long long>(bench.cycle),
         static_cast<unsigned long long>(bench.rows));
  return 0;
}
