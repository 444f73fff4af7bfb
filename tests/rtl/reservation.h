// SPDX-License-Identifier: Apache-2.0
// What rtl/memory/reservation.v promises to those that try while another holds it.
#ifndef HEDDLE_TESTS_RTL_RESERVATION_H
#define HEDDLE_TESTS_RTL_RESERVATION_H

enum { RESERVATION_AGE = 1 << 16 };  // cycles, after which anyone may take it: reservation.v's 2^AGE_LOG2

#endif
