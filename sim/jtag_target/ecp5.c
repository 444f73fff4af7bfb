// SPDX-License-Identifier: Apache-2.0
// See ecp5.h.
#include "sim/jtag_target/ecp5.h"

#include <string.h>

// States of the TAP controller, as IEEE 1149.1 names them.
enum state {
  TEST_LOGIC_RESET,
  RUN_TEST_IDLE,
  SELECT_DR_SCAN,
  CAPTURE_DR,
  SHIFT_DR,
  EXIT1_DR,
  PAUSE_DR,
  EXIT2_DR,
  UPDATE_DR,
  SELECT_IR_SCAN,
  CAPTURE_IR,
  SHIFT_IR,
  EXIT1_IR,
  PAUSE_IR,
  EXIT2_IR,
  UPDATE_IR,
};

// The next state with TMS 0 and 1.
static const uint8_t next_state[][2] = {
    [TEST_LOGIC_RESET] = {RUN_TEST_IDLE, TEST_LOGIC_RESET},
    [RUN_TEST_IDLE] = {RUN_TEST_IDLE, SELECT_DR_SCAN},
    [SELECT_DR_SCAN] = {CAPTURE_DR, SELECT_IR_SCAN},
    [CAPTURE_DR] = {SHIFT_DR, EXIT1_DR},
    [SHIFT_DR] = {SHIFT_DR, EXIT1_DR},
    [EXIT1_DR] = {PAUSE_DR, UPDATE_DR},
    [PAUSE_DR] = {PAUSE_DR, EXIT2_DR},
    [EXIT2_DR] = {SHIFT_DR, UPDATE_DR},
    [UPDATE_DR] = {RUN_TEST_IDLE, SELECT_DR_SCAN},
    [SELECT_IR_SCAN] = {CAPTURE_IR, TEST_LOGIC_RESET},
    [CAPTURE_IR] = {SHIFT_IR, EXIT1_IR},
    [SHIFT_IR] = {SHIFT_IR, EXIT1_IR},
    [EXIT1_IR] = {PAUSE_IR, UPDATE_IR},
    [PAUSE_IR] = {PAUSE_IR, EXIT2_IR},
    [EXIT2_IR] = {SHIFT_IR, UPDATE_IR},
    [UPDATE_IR] = {RUN_TEST_IDLE, SELECT_DR_SCAN},
};

enum instruction {
  IDCODE = 0xE0,
  USERCODE = 0xC0,
  LSC_READ_STATUS = 0x3C,
  LSC_CHECK_BUSY = 0xF0,
  LSC_REFRESH = 0x79,
  ISC_ENABLE = 0xC6,
  ISC_DISABLE = 0x26,
  ISC_ERASE = 0x0E,
  LSC_BITSTREAM_BURST = 0x7A,
  LSC_PROG_SPI = 0x3A,
};

enum { INSTRUCTION_BITS = 8, STATUS_DONE = 8, STATUS_ENABLED = 9, STATUS_FAIL = 13, STATUS_VERDICT = 23 };
enum { PROG_SPI_KEY = 0x68FE, PROG_SPI_KEY_BITS = 16 };

void ecp5_power_up(struct ecp5 *ecp5) {
  ecp5->received_bits = 0;
  ecp5->loaded = ecp5->from_flash = false;
  ecp5->verdict = BITSTREAM_GOOD;
  ecp5->verdict_at = 0;
  ecp5->state = TEST_LOGIC_RESET;
  ecp5->instruction = IDCODE;
  ecp5->shift = 0;
  ecp5->shift_bits = 1;
  ecp5->done = ecp5->enabled = ecp5->background = ecp5->selected = false;
  ecp5->flash.write_enabled = false;
}

static uint32_t status(const struct ecp5 *ecp5) {
  return (uint32_t)ecp5->done << STATUS_DONE | (uint32_t)ecp5->enabled << STATUS_ENABLED |
         (uint32_t)(ecp5->verdict != BITSTREAM_GOOD) << STATUS_FAIL | (uint32_t)ecp5->verdict << STATUS_VERDICT;
}

static void load(struct ecp5 *ecp5, const uint8_t *bytes, size_t size, bool from_flash) {
  ecp5->verdict = bitstream_check(bytes, size, ecp5->part, &ecp5->verdict_at);
  ecp5->done = ecp5->verdict == BITSTREAM_GOOD && !ecp5->done_low;
  ecp5->loaded = true;
  ecp5->from_flash = from_flash;
}

static void begin_instruction(struct ecp5 *ecp5) {
  ecp5->background = false;
  switch (ecp5->instruction) {
    case ISC_ENABLE:
      ecp5->enabled = true;
      break;
    case ISC_DISABLE:
      ecp5->enabled = false;
      break;
    case ISC_ERASE:
      if (ecp5->enabled) {
        ecp5->done = false;
        ecp5->verdict = BITSTREAM_GOOD;
      }
      break;
    case LSC_BITSTREAM_BURST:
      ecp5->received_bits = 0;
      break;
    case LSC_REFRESH:
      ecp5->enabled = false;
      load(ecp5, ecp5->flash.bytes, SPI_FLASH_BYTES, true);
      break;
    default:
      break;
  }
}

static void capture(struct ecp5 *ecp5) {
  ecp5->shift = 0;
  ecp5->shift_bits = 1;  // that of BYPASS
  switch (ecp5->instruction) {
    case IDCODE:
      ecp5->shift = ecp5->part->idcode;
      ecp5->shift_bits = 32;
      break;
    case USERCODE:
      ecp5->shift = 0xFFFFFFFF;
      ecp5->shift_bits = 32;
      break;
    case LSC_READ_STATUS:
      ecp5->shift = status(ecp5);
      ecp5->shift_bits = 32;
      break;
    case LSC_CHECK_BUSY:  // it never is
      ecp5->shift_bits = 8;
      break;
    case LSC_PROG_SPI:
      ecp5->shift_bits = PROG_SPI_KEY_BITS;
      break;
    default:
      break;
  }
}

static bool shift_register(struct ecp5 *ecp5, bool tdi) {
  const bool out = (ecp5->shift & 1) != 0;
  ecp5->shift = ecp5->shift >> 1 | (uint64_t)tdi << (ecp5->shift_bits - 1);
  return out;
}

static bool shift_data(struct ecp5 *ecp5, bool tdi) {
  if (ecp5->instruction == LSC_BITSTREAM_BURST) {
    const uint64_t byte = ecp5->received_bits / 8;
    if (byte < ECP5_RECEIVED_BYTES) {
      const unsigned place = 7 - ecp5->received_bits % 8;  // the first bit of a byte is its highest
      ecp5->received[byte] = (uint8_t)((ecp5->received[byte] & ~(1U << place)) | (unsigned)tdi << place);
    }
    ecp5->received_bits++;
    return false;
  }
  if (ecp5->background) {
    if (!ecp5->selected) {
      spi_flash_select(&ecp5->flash);
      ecp5->selected = true;
    }
    return spi_flash_bit(&ecp5->flash, tdi);
  }
  return shift_register(ecp5, tdi);
}

static void update_data(struct ecp5 *ecp5) {
  if (ecp5->selected) {
    spi_flash_deselect(&ecp5->flash);
    ecp5->selected = false;
  } else if (ecp5->instruction == LSC_PROG_SPI && ecp5->shift == PROG_SPI_KEY) {
    ecp5->background = true;
  } else if (ecp5->instruction == LSC_BITSTREAM_BURST && ecp5->enabled && ecp5->received_bits != 0) {
    const uint64_t bytes = ecp5->received_bits / 8;
    load(ecp5, ecp5->received, bytes < ECP5_RECEIVED_BYTES ? bytes : ECP5_RECEIVED_BYTES, false);
  }
}

bool ecp5_clock(struct ecp5 *ecp5, bool tms, bool tdi) {
  bool tdo = false;
  if (ecp5->state == SHIFT_DR)
    tdo = shift_data(ecp5, tdi);
  else if (ecp5->state == SHIFT_IR)
    tdo = shift_register(ecp5, tdi);
  ecp5->state = next_state[ecp5->state][tms];
  switch (ecp5->state) {
    case TEST_LOGIC_RESET:
      ecp5->instruction = IDCODE;
      ecp5->background = false;
      break;
    case CAPTURE_DR:
      capture(ecp5);
      break;
    case UPDATE_DR:
      update_data(ecp5);
      break;
    case CAPTURE_IR:
      ecp5->shift = 1;  // as the standard demands, for the two lowest bits
      ecp5->shift_bits = INSTRUCTION_BITS;
      break;
    case UPDATE_IR:
      ecp5->instruction = (uint8_t)ecp5->shift;
      begin_instruction(ecp5);
      break;
    default:
      break;
  }
  return tdo;
}
