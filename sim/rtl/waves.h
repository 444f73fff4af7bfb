// SPDX-License-Identifier: Apache-2.0
// Records waveforms of a Verilated device (contract/sim_waves.h). Part of device.cpp, in devices that are Verilated
// with
// --trace-fst.
//
// A fault is known only when it is there. So a second instance of the device follows the first one some cycles behind:
// it is given the same inputs, and as nothing in it depends on anything else, it does the same. When the first one
// faults, the second one has still to go through the cycles before, and is recorded.
#ifndef HEDDLE_SIM_RTL_WAVES_H
#define HEDDLE_SIM_RTL_WAVES_H

#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "Vheddle.h"
#include "Vheddle___024root.h"
#include "contract/sim_waves.h"
#include "sim/rtl/observer.h"
#include "sim/rtl/save_file.h"
#include "verilated_fst_c.h"

// Whether a file is in FST's form, from its beginning to its end: blocks of a kind, a length and contents, of which the
// first is a header, and those that say which signals there are come last. A disk that is full leaves another file.
inline bool is_whole_fst(const char *path) {
  enum { HEADER = 0, GEOMETRY = 3, HIERARCHY_GZIP = 4, HIERARCHY_LZ4 = 6, HIERARCHY_TWICE = 7, KINDS = 16 };
  struct stat facts;
  bool seen[KINDS] = {};
  long at = 0;
  FILE *file = fopen(path, "rbe");
  if (!file || fstat(fileno(file), &facts) != 0)
    facts.st_size = 0;
  while (at < facts.st_size) {
    unsigned char start[9];
    uint64_t length = 0;
    if (fseek(file, at, SEEK_SET) != 0 || fread(start, 1, sizeof start, file) != sizeof start || start[0] >= KINDS ||
        (at == 0 && start[0] != HEADER))
      break;
    for (int i = 1; i < 9; i++)
      length = length << 8 | start[i];
    if (length < 8 || length > (uint64_t)(facts.st_size - at - 1))
      break;
    seen[start[0]] = true;
    at += 1 + (long)length;
  }
  if (file)
    fclose(file);
  return at == facts.st_size && seen[HEADER] && seen[GEOMETRY] &&
         (seen[HIERARCHY_GZIP] || seen[HIERARCHY_LZ4] || seen[HIERARCHY_TWICE]);
}

// Writes what an instance of the device does. Only cycles of dispatches count.
class WaveRecorder {
 public:
  WaveRecorder(Vheddle *rtl, const std::string &path, uint64_t bytes)
      : rtl_(rtl), state_(dispatch_signals(rtl->rootp).state), path_(path), bytes_(bytes) {}

  // All signals are settled, and the rising edge comes next. False: the file has its most bytes.
  void settled(bool wanted) {
    runs_ = *state_ & RUNS;
    if (!runs_ || !wanted)
      return;
    if (full_) {
      left_out_++;
      return;
    }
    dump(HEDDLE_WAVES_CYCLE_PS * cycle_ + HEDDLE_WAVES_CYCLE_PS / 2);
    if (cycles_ == 0)
      first_ = cycle_;
    last_ = cycle_;
    cycles_++;
    if (cycles_ % kLook == 0)
      look();
  }

  // The rising edge has come. `wanted` is of the cycle that begins.
  void edge(bool wanted) {
    if (wanted && !full_ && (*state_ & RUNS))
      dump(HEDDLE_WAVES_CYCLE_PS * cycle_);
  }

  // Behind settled: the cycle ends.
  void count() {
    cycle_ += runs_;
  }

  uint64_t cycle() const {
    return cycle_;
  }
  bool runs() const {
    return runs_;
  }
  bool stops() const {
    return *state_ & STOPS;
  }

  void end(heddle_waves_end *end) {
    if (fst_)
      guard([&] { fst_->close(); });
    fst_ = nullptr;
    full_ = true;
    end->cycles = cycles_;
    end->first = first_;
    end->last = last_;
    end->left_out = left_out_;
    end->is_whole = cycles_ != 0 && !failed_ && is_whole_fst(path_.c_str());
  }

 private:
  enum { RUNS = 2, STOPS = 8 };  // of dispatch_observer in observer.sv
  static constexpr unsigned kLook = 1024, kLevels = 99;

  void dump(uint64_t time) {
    if (failed_ || (fst_ && time <= time_))
      return;
    if (!fst_) {
      fst_ = std::make_unique<VerilatedFstC>();
      fst_->set_time_resolution("1ps");
      fst_->set_time_unit("1ps");
      rtl_->trace(fst_.get(), kLevels);
      fst_->open(path_.c_str());
    }
    guard([&] { fst_->dump(time); });
    time_ = time;
  }

  // What may find that the file cannot be written (fst_writer.cpp). Then the writer is left as it is: its end would
  // look again.
  template <typename Action>
  void guard(Action action) {
    try {
      action();
    } catch (const std::exception &) {
      failed_ = true;
      (void)fst_.release();
    }
  }

  // What has been recorded goes to the file, to see how large that is.
  void look() {
    struct stat facts;
    if (failed_)
      return;
    guard([&] { fst_->flush(); });
    full_ = stat(path_.c_str(), &facts) == 0 && (uint64_t)facts.st_size >= bytes_;
  }

  Vheddle *rtl_;
  const IData *state_;
  const std::string path_;
  const uint64_t bytes_;
  std::unique_ptr<VerilatedFstC> fst_;
  bool runs_ = false, full_ = false, failed_ = false;
  uint64_t cycle_ = 0, time_ = 0, cycles_ = 0, first_ = 0, last_ = 0, left_out_ = 0;
};

// The inputs of the device in a cycle.
class WaveInputs {
 public:
  explicit WaveInputs(const Vheddle &rtl) {
#define HEDDLE_INPUT(name) name##_ = rtl.name;
#include "sim/rtl/inputs.h"
#undef HEDDLE_INPUT
  }

  void give(Vheddle *rtl) const {
#define HEDDLE_INPUT(name) rtl->name = name##_;
#include "sim/rtl/inputs.h"
#undef HEDDLE_INPUT
  }

 private:
#define HEDDLE_INPUT(name) std::remove_reference_t<decltype(Vheddle::name)> name##_;
#include "sim/rtl/inputs.h"
#undef HEDDLE_INPUT
};

// A device that is recorded. `follower` is a second instance of it in the same state, or none; `destroy` ends that.
template <typename Device>
class Waves {
 public:
  Waves(Device *device, Device *follower, void (*destroy)(void *), const heddle_waves &asked)
      : device_(device),
        follower_(follower),
        destroy_(destroy),
        path_(asked.path),
        asked_(asked),
        leader_(device->rtl.get(), path_, asked.bytes) {
    if (follower)
      recorder_ = std::make_unique<WaveRecorder>(follower->rtl.get(), path_, asked.bytes);
    SaveFile::write(asked.save_path, asked.path);
  }

  ~Waves() {
    if (follower_)
      destroy_(follower_);
  }
  Waves(const Waves &) = delete;

  // All signals of the device are settled, and the rising edge comes next.
  void settled() {
    const std::lock_guard<std::mutex> guard(lock_);
    leader_.settled(!ended_ && !recorder_ && is_wanted(leader_.cycle()));
    if (ended_ || !recorder_)
      return;
    inputs_.emplace_back(*device_->rtl);
    if (leader_.runs() && leader_.stops() && fault_ == kNever)
      fault_ = leader_.cycle();
    if (inputs_.size() > asked_.before_fault)
      follow();
  }

  // The rising edge of the device has come.
  void edge() {
    const std::lock_guard<std::mutex> guard(lock_);
    leader_.count();
    leader_.edge(!ended_ && !recorder_ && is_wanted(leader_.cycle()));
  }

  void end(heddle_waves_end *end) {
    const std::lock_guard<std::mutex> guard(lock_);
    while (!ended_ && fault_ != kNever && !inputs_.empty())
      follow();
    ended_ = true;
    *end = {};
    (recorder_ ? *recorder_ : leader_).end(end);
    end->ran = leader_.cycle();
    end->faulted = fault_ != kNever;
  }

 private:
  static constexpr uint64_t kNever = UINT64_MAX, kBehind = 100;  // cycles behind a fault

  bool is_wanted(uint64_t cycle) const {
    return asked_.from <= cycle && cycle <= asked_.to;
  }

  bool is_about_fault(uint64_t cycle) const {
    return fault_ != kNever && cycle <= fault_ + kBehind;
  }

  // A cycle of the follower.
  void follow() {
    Vheddle *rtl = follower_->rtl.get();
    inputs_.front().give(rtl);
    inputs_.pop_front();
    rtl->clk = 0;
    rtl->eval();
    recorder_->settled(is_about_fault(recorder_->cycle()));
    rtl->clk = 1;
    rtl->eval();
    recorder_->count();
    recorder_->edge(is_about_fault(recorder_->cycle()));
  }

  Device *device_, *follower_;
  void (*destroy_)(void *);
  const std::string path_;
  const heddle_waves asked_;
  std::mutex lock_;
  bool ended_ = false;
  uint64_t fault_ = kNever;
  std::deque<WaveInputs> inputs_;
  WaveRecorder leader_;
  std::unique_ptr<WaveRecorder> recorder_;  // of the follower
};

#endif
