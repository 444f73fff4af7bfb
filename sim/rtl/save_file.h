// SPDX-License-Identifier: Apache-2.0
// Writes the file that GTKWave opens beside one of waveforms: the signals to show first, in groups: the dispatch, then
// of each unit its stages in their order, what its slots wait for, and its port to memory. Part of device.cpp.
#ifndef HEDDLE_SIM_RTL_SAVE_FILE_H
#define HEDDLE_SIM_RTL_SAVE_FILE_H

#include <cstdio>
#include <string>

#ifndef PIPELINES
#define PIPELINES 0  // compute units that are pipelines, behind the programmable ones
#endif

constexpr unsigned log2_of(unsigned value) {
  return value <= 1 ? 0 : 1 + log2_of(value / 2);
}

class SaveFile {
 public:
  static void write(const char *path, const char *waves_path) {
    FILE *out = fopen(path, "we");
    if (!out)
      return;
    SaveFile file(out);
    fprintf(out, "[*] Heddle: a nanosecond is a cycle\n[dumpfile] \"%s\"\n[timestart] 0\n[pos] -1 -1\n", waves_path);
    file.dispatch();
    for (unsigned unit = 0; unit < UNITS; unit++)
      file.unit(unit);
    for (unsigned pipeline = 0; pipeline < PIPELINES; pipeline++)
      file.pipeline(pipeline);
    fclose(out);
  }

 private:
  explicit SaveFile(FILE *out) : out_(out) {}

  // GTKWave's flags of what follows: hexadecimal, decimal, a group that begins (closed or open), one that ends.
  static constexpr const char *kHexadecimal = "@22\n", *kDecimal = "@24\n", *kOpen = "@800200\n",
                              *kClosed = "@c00200\n", *kEnd = "@1000200\n", *kEndClosed = "@1401200\n";

  void begin(const std::string &name, bool is_open) {
    is_open_ = is_open;
    group_ = name;
    fprintf(out_, "%s-%s\n%s", is_open ? kOpen : kClosed, name.c_str(), kHexadecimal);
  }

  void end() {
    fprintf(out_, "%s-%s\n", is_open_ ? kEnd : kEndClosed, group_.c_str());
  }

  // A signal of `bits` bits, or of one that is no vector: 0.
  void signal(const std::string &name, unsigned bits) {
    if (bits == 0)
      fprintf(out_, "%s%s\n", scope_.c_str(), name.c_str());
    else
      fprintf(out_, "%s%s[%u:0]\n", scope_.c_str(), name.c_str(), bits - 1);
  }

  void dispatch() {
    scope_ = kTop + "heddle.";
    begin("dispatch", true);
    signal("clk", 0);
    scope_ = kTop + "heddle.control_side.dispatcher.";
    for (const char *name : {"begin_o", "busy_o", "runs_o", "unit_fault", "unit_stop"})
      signal(name, 0);
    signal("kind_o", 7);
    fputs(kDecimal, out_);
    signal("cycles_o", 64);
    fputs(kHexadecimal, out_);
    signal("group_id_o", 96);
    signal("group_valid", 0);
    signal("group_ready", 0);
    end();
  }

  void stage(const std::string &name, bool is_open) {
    begin(group_of_unit_ + name, is_open);
    signal("stages." + name + "_valid", 0);
    signal("stages." + name + "_slot", kSlotBits);
    signal("stages." + name + "_pc", 32);
    signal("stages." + name + "_lanes", LANES == 1 ? 1 : LANES);
  }

  void unit(unsigned number) {
    const std::string index = std::to_string(number);
    group_of_unit_ = UNITS > 1 ? "unit " + index + ": " : "";
    scope_ = kTop + "heddle.compute_units.compute[" + index + "].compute_unit.programmable.unit.";
    stage("f1", true);
    end();
    stage("f2", false);
    end();
    stage("de", true);
    signal("issue.de_instruction", 32);
    signal("issue.de_miss", 0);
    end();
    stage("rd", true);
    signal("issue.rd_wait", 0);
    end();
    stage("op", false);
    end();
    stage("e1", false);
    signal("e1_wait", 0);
    end();
    stage("e2", false);
    signal("e2_sum", 32 * LANES);
    end();
    stage("e3", true);
    for (const char *name : {"e3_commit", "e3_retry", "e3_faults", "e3_memory", "e3_again"})
      signal(name, 0);
    end();
    stage("wb", false);
    signal("wb_ready", 0);
    end();
    begin(group_of_unit_ + "what slots wait for", true);
    signal("issue.loads_awaited", SLOTS);
    signal("issue.waking.wait_memory", SLOTS);
    signal("issue.waking.wait_fetch", SLOTS);
    signal("issue.waking.wait_divide", SLOTS);
    signal("residents.work_groups.sequencer.waiting", SLOTS);
    end();
    memory();
  }

  void pipeline(unsigned number) {
    group_of_unit_ = "pipeline " + std::to_string(number) + ": ";
    scope_ = kTop + "heddle.compute_units.compute[" + std::to_string(UNITS + number) + "].compute_unit.";
    begin(group_of_unit_ + "work-groups", true);
    for (const char *name : {"group_valid_i", "group_ready_o", "group_done_o", "idle_o", "fault_o", "drained_o"})
      signal(name, 0);
    signal("group_id_i", 96);
    end();
    memory();
  }

  void memory() {
    begin(group_of_unit_ + "memory", true);
    for (const char *name : {"request_valid_o", "request_ready_i"})
      signal(name, 0);
    signal("request_kind_o", 2);
    signal("request_address_o", GLOBAL_LOG2);
    signal("request_data_o", 8 * kBeat);
    signal("request_strobe_o", kBeat);
    for (const char *name : {"response_valid_i", "response_ready_o"})
      signal(name, 0);
    signal("response_data_i", 8 * kBeat);
    end();
  }

  const std::string kTop = "TOP.";  // as Verilator calls what has the ports of the device
  static constexpr unsigned kBeat = LANES > 4 ? 4 * LANES : 16, kSlotBits = log2_of(SLOTS);

  FILE *out_;
  std::string scope_, group_, group_of_unit_;
  bool is_open_ = false;
};

#endif
