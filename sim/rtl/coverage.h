// SPDX-License-Identifier: Apache-2.0
// How often each line of rtl/ was carried out, in what is Verilated to count that (rtl-cover-L<lanes>-S<slots>.so among
// it): written to a file of the folder that HEDDLE_COVERAGE names when the model is destroyed, or else when the program
// ends. Part of device.cpp and others that drive a model.
#ifndef HEDDLE_SIM_RTL_COVERAGE_H
#define HEDDLE_SIM_RTL_COVERAGE_H

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

#include "verilated.h"
#include "verilated_cov.h"

class Coverage {
 public:
  static void begin(VerilatedContext *context) {
    const std::lock_guard<std::mutex> lock(mutex());
    if (alive().empty())
      std::atexit(at_exit);
    alive().insert(context);
  }

  static void end(VerilatedContext *context) {
    const std::lock_guard<std::mutex> lock(mutex());
    if (alive().erase(context) != 0)
      write(context);
  }

 private:
  // Never destroyed: at_exit may come after destructors.
  static std::mutex &mutex() {
    static std::mutex *const m = new std::mutex;
    return *m;
  }
  static std::set<VerilatedContext *> &alive() {
    static std::set<VerilatedContext *> *const s = new std::set<VerilatedContext *>;
    return *s;
  }

  static void write(VerilatedContext *context) {
    static unsigned number = 0;
    const char *folder = getenv("HEDDLE_COVERAGE");
    char path[4096];
    if (!folder)
      return;
    snprintf(path, sizeof path, "%s/%ld-%u.dat", folder, long(getpid()), number++);
    context->coveragep()->write(path);
  }

  static void at_exit() {
    const std::lock_guard<std::mutex> lock(mutex());
    for (VerilatedContext *context : alive())
      write(context);
    alive().clear();
  }
};

#endif
