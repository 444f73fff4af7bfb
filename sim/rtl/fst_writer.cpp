// SPDX-License-Identifier: Apache-2.0
// Verilator's writer of waveforms, which ends the program where its file cannot be written, as when the disk is full.
// Here it throws instead, and sim/rtl/waves.h ends the recording. Older Verilators have a writer that does not look.
#if __has_include("fstcpp/fstcpp_assertion.h")
#include <stdexcept>

#include "fstcpp/fstcpp_assertion.h"
#undef FST_CHECK
#undef FST_CHECK_EQ
#undef FST_CHECK_NE
#undef FST_CHECK_GT
#undef FST_CHECK_GE
#undef FST_CHECK_LT
#undef FST_CHECK_LE
#define FST_CHECK(is_right) \
  if (!(is_right))          \
  throw std::runtime_error("waveforms cannot be written: " #is_right)
#define FST_CHECK_EQ(a, b) FST_CHECK((a) == (b))
#define FST_CHECK_NE(a, b) FST_CHECK((a) != (b))
#define FST_CHECK_GT(a, b) FST_CHECK((a) > (b))
#define FST_CHECK_GE(a, b) FST_CHECK((a) >= (b))
#define FST_CHECK_LT(a, b) FST_CHECK((a) < (b))
#define FST_CHECK_LE(a, b) FST_CHECK((a) <= (b))
#endif

#include "verilated_fst_c.cpp"
