// SPDX-License-Identifier: Apache-2.0
// The DDR3 SDRAM of simulated boards (ddr3_chip.h). Limits are those of MT41K64M16 at its speed grade -125, and of
// JESD79-3. That its clock is slower than its DLL's 300 MHz is not held against it: rtl/ddr3/README.md says why.
#include "sim/ddr3/ddr3_chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Times in ps; _CK in cycles of the chip's clock. Of two of a name the longer one holds.
enum {
  RCD = 13750,
  RP = 13750,
  RAS = 35000,
  RC = 48750,
  RRD = 7500,
  RRD_CK = 4,
  FAW = 40000,
  WR = 15000,
  WTR = 7500,
  WTR_CK = 4,
  RTP = 7500,
  RTP_CK = 4,
  CCD_CK = 4,
  RFC = 110000,
  REFRESH_INTERVAL = 7812500,
  MOST_OWED = 8,  // refreshes that may be late
  MRD_CK = 4,
  MOD = 15000,
  MOD_CK = 12,
  XPR = 120000,
  XPR_CK = 5,
  ZQ_INIT = 640000,
  ZQ_INIT_CK = 512,
  ZQ_SHORT = 80000,
  ZQ_SHORT_CK = 64,
  DLL_CK = 512,
  RESET = 200000000,
  ENABLE = 500000000,
  BURST_CK = 4,
};
enum { WE_N = 1, CAS_N = 2, RAS_N = 4, CS_N = 8, CKE = 16, RESET_N = 32 };
enum { MODE = 0, REFRESH = 1, PRECHARGE = 2, ACTIVE = 3, WRITE = 4, READ = 5, CALIBRATE = 6, NO_OPERATION = 7 };
enum { COLUMN_BITS = 10, ROW_BITS = 13, A10 = 1 << 10, A12 = 1 << 12, ALL_MODES = 15, PENDING = 8 };

static struct ddr3_chip *used;

void ddr3_chip_use(struct ddr3_chip *chip) {
  used = chip;
}

bool ddr3_chip_begin(struct ddr3_chip *chip) {
  memset(chip, 0, sizeof *chip);
  chip->in_reset = true;
  chip->changes = calloc(DDR3_WORDS, 2);
  for (int i = 0; i < 2; i++)
    chip->windows[i] = (struct ddr3_window){.arrives = 0x1C, .seen = 0x1C, .slip = 1};
  return chip->changes;
}

void ddr3_chip_end(struct ddr3_chip *chip) {
  if (used == chip)
    used = NULL;
  free(chip->changes);
  chip->changes = NULL;
}

uint16_t ddr3_chip_word(const struct ddr3_chip *chip, uint32_t word) {
  const uint16_t first = (uint16_t)(word * 0x9E3779B1u >> 13);
  return (uint16_t)(first ^ (chip->changes[2 * word] | chip->changes[2 * word + 1] << 8));
}

__attribute__((format(printf, 2, 3))) static void forbid(struct ddr3_chip *chip, const char *what, ...) {
  if (chip->wrong[0])
    return;
  const int length = snprintf(chip->wrong, sizeof chip->wrong, "in cycle %llu: ", (unsigned long long)chip->now);
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(chip->wrong + length, sizeof chip->wrong - (size_t)length, what, arguments);
  va_end(arguments);
}

static uint64_t cycles_of(const struct ddr3_chip *chip, uint64_t ps, uint64_t least) {
  const uint64_t cycles = (ps * chip->khz + 999999999) / 1000000000;
  return cycles > least ? cycles : least;
}

// `past` is when it happened, 0: never; it may be in the future, where something ends.
static void wants(struct ddr3_chip *chip, uint64_t past, uint64_t ps, uint64_t cycles, const char *limit) {
  const uint64_t least = cycles_of(chip, ps, cycles);
  if (past != 0 && chip->now < past + least)
    forbid(chip, "%s is %lld cycles, not %llu", limit, (long long)(chip->now - past), (unsigned long long)least);
}

static unsigned cas_latency(const struct ddr3_chip *chip) {
  return 4 + (chip->mode[0] >> 4 & 7) + 8 * (chip->mode[0] >> 2 & 1);
}

static unsigned cas_write_latency(const struct ddr3_chip *chip) {
  return 5 + (chip->mode[2] >> 3 & 7);
}

static void wants_idle(struct ddr3_chip *chip, const char *command) {
  for (int i = 0; i < DDR3_BANKS; i++) {
    if (chip->banks[i].open)
      forbid(chip, "%s with an open row", command);
    wants(chip, chip->banks[i].precharged, RP, 0, "tRP");
  }
  wants(chip, chip->last_refresh, RFC, 0, "tRFC");
}

static void close_bank(struct ddr3_chip *chip, int bank, uint64_t when) {
  chip->banks[bank].open = false;
  chip->banks[bank].precharged = when;
}

static void precharge(struct ddr3_chip *chip, int bank, int address) {
  for (int i = 0; i < DDR3_BANKS; i++)
    if (address & A10 || i == bank) {
      if (chip->banks[i].open) {
        wants(chip, chip->banks[i].activated, RAS, 0, "tRAS");
        wants(chip, chip->banks[i].written, WR, 0, "tWR");
        wants(chip, chip->banks[i].read, RTP, RTP_CK, "tRTP");
        close_bank(chip, i, chip->now);
      }
    }
}

static void refresh(struct ddr3_chip *chip) {
  wants_idle(chip, "refresh");
  chip->last_refresh = chip->now;
  if (chip->refreshes++ == 0)
    chip->first_refresh = chip->now;
}

static void set_mode(struct ddr3_chip *chip, int which, int value) {
  static const int order[] = {2, 3, 1, 0};
  wants_idle(chip, "mode register");
  wants(chip, chip->last_mode, 0, MRD_CK, "tMRD");
  wants(chip, chip->enable_began, XPR, XPR_CK, "tXPR");
  if (which > 3) {
    forbid(chip, "mode register %d", which);
    return;
  }
  if (chip->modes_set != ALL_MODES) {
    int done = 0;
    for (int i = 0; i < 4; i++)
      done += chip->modes_set >> i & 1;
    if (order[done] != which)
      forbid(chip, "mode register %d is set, not %d", which, order[done]);
  }
  chip->modes_set |= 1u << which;
  chip->mode[which] = (unsigned)value;
  chip->last_mode = chip->now;
  if (which == 0 && value & 0x100)
    chip->dll_reset = chip->now;
  if (which == 0 && value & 3)
    forbid(chip, "mode 0 is %x: this model has bursts of 8", value);
}

static void calibrate(struct ddr3_chip *chip, int address) {
  wants_idle(chip, "calibration");
  if (chip->modes_set != ALL_MODES)
    forbid(chip, "calibration before the mode registers");
  wants(chip, chip->last_mode, MOD, MOD_CK, "tMOD");
  // What follows waits for its end, which a refresh's would be, too.
  const bool is_long = (address & A10) != 0;
  chip->last_calibration =
      chip->now + (is_long ? cycles_of(chip, ZQ_INIT, ZQ_INIT_CK) : cycles_of(chip, ZQ_SHORT, ZQ_SHORT_CK));
  chip->calibrations++;
  if (is_long)
    chip->ready = true;
  else if (!chip->ready)
    forbid(chip, "the first calibration is a short one");
}

static void activate(struct ddr3_chip *chip, int bank, int address) {
  if (!chip->ready)
    forbid(chip, "activation before the chip is started");
  wants(chip, chip->last_mode, MOD, MOD_CK, "tMOD");
  if (chip->banks[bank].open)
    forbid(chip, "activation of an open bank");
  wants(chip, chip->banks[bank].precharged, RP, 0, "tRP");
  wants(chip, chip->banks[bank].activated, RC, 0, "tRC");
  wants(chip, chip->last_activation[0], RRD, RRD_CK, "tRRD");
  wants(chip, chip->last_activation[3], FAW, 0, "tFAW");
  wants(chip, chip->last_refresh, RFC, 0, "tRFC");
  if (address >= DDR3_ROWS)
    forbid(chip, "row %x", address);
  chip->banks[bank].open = true;
  chip->banks[bank].row = (unsigned)address & (DDR3_ROWS - 1);
  chip->banks[bank].activated = chip->now;
  chip->banks[bank].written = chip->banks[bank].read = 0;
  memmove(chip->last_activation + 1, chip->last_activation, 3 * sizeof *chip->last_activation);
  chip->last_activation[0] = chip->now;
  chip->activations++;
}

// Where in the PHY's cycle its burst begins is the PHY's affair: it takes and gives bursts at the beginning of one.
static void access_column(struct ddr3_chip *chip, int phase, int bank, int address, bool write) {
  if (!chip->banks[bank].open)
    forbid(chip, "access to a closed bank");
  wants(chip, chip->banks[bank].activated, RCD, 0, "tRCD");
  wants(chip, chip->last_column, 0, CCD_CK, "tCCD");
  wants(chip, chip->dll_reset, 0, DLL_CK, "tDLLK");
  const uint32_t word = (((uint32_t)bank << ROW_BITS | chip->banks[bank].row) << COLUMN_BITS) | (address & 0x3F8);
  const unsigned latency = write ? cas_write_latency(chip) : cas_latency(chip);
  const bool misplaced =
      latency != (write ? chip->phy_write_latency : chip->phy_latency) || ((unsigned)phase + latency) % 2 != 0;
  uint64_t end;  // from when the row may be closed, but for tWR or tRTP
  if (write) {
    end = chip->now + latency + BURST_CK;
    chip->banks[bank].written = chip->last_write_end = end;
    if (chip->write_count < PENDING)
      chip->write_at[(chip->write_first + chip->write_count++) % PENDING] = word;
    else
      forbid(chip, "more writes than the PHY brings data for");
    chip->write_misplaced = misplaced;
    chip->writes++;
    end += cycles_of(chip, WR, 0);
  } else {
    wants(chip, chip->last_write_end, WTR, WTR_CK, "tWTR");
    chip->banks[bank].read = chip->now;
    chip->read_at = word;
    chip->read_wanted = true;
    chip->read_misplaced = misplaced;
    chip->reads++;
    end = chip->now + cycles_of(chip, RTP, RTP_CK);
  }
  chip->last_column = chip->now;
  if (address & A10) {  // closes by itself
    const uint64_t least = chip->banks[bank].activated + cycles_of(chip, RAS, 0);
    close_bank(chip, bank, end > least ? end : least);
  }
}

static void reset_and_enable(struct ddr3_chip *chip, int pins) {
  const bool in_reset = (pins & RESET_N) == 0, enabled = (pins & CKE) != 0;
  if (in_reset && !chip->in_reset) {
    chip->ready = false;
    chip->modes_set = 0;
    chip->reset_began = chip->now;
  }
  if (!in_reset && chip->in_reset) {
    wants(chip, chip->reset_began, RESET, 0, "the time in reset");
    chip->reset_ended = chip->now;
  }
  if (enabled && !chip->enabled) {
    if (in_reset)
      forbid(chip, "cke is 1 in reset");
    wants(chip, chip->reset_ended, ENABLE, 0, "the time from reset to cke");
    chip->enable_began = chip->now;
  }
  if (!enabled && chip->enabled && !in_reset)
    forbid(chip, "cke falls");
  chip->in_reset = in_reset;
  chip->enabled = enabled;
}

void ddr3_dfi_reset(int khz, int latency, int write_latency) {
  if (!used)
    return;
  used->khz = 2 * (unsigned)khz;
  used->phy_latency = (unsigned)latency;
  used->phy_write_latency = (unsigned)write_latency;
  if (used->now == 0)
    used->reset_began = 1;
  used->now += 2;
  used->read_wanted = false;
  used->write_count = 0;
}

void ddr3_dfi_command(int phase, int pins, int bank, int address) {
  struct ddr3_chip *chip = used;
  if (!chip)
    return;
  chip->now++;
  reset_and_enable(chip, pins);
  const int command = pins & CS_N ? NO_OPERATION : pins & (RAS_N | CAS_N | WE_N);
  if (command != NO_OPERATION && !chip->enabled)
    forbid(chip, "a command without cke");
  if (command != NO_OPERATION)
    wants(chip, chip->last_calibration, 0, 0, "calibration");
  switch (command) {
    case MODE:
      set_mode(chip, bank, address);
      break;
    case REFRESH:
      refresh(chip);
      break;
    case PRECHARGE:
      precharge(chip, bank, address);
      break;
    case ACTIVE:
      activate(chip, bank, address);
      break;
    case WRITE:
    case READ:
      access_column(chip, phase, bank, address, command == WRITE);
      break;
    case CALIBRATE:
      calibrate(chip, address);
      break;
    default:
      break;
  }
  if (chip->refreshes != 0 &&
      (chip->now - chip->first_refresh) * 1000000000 / chip->khz / REFRESH_INTERVAL > chip->refreshes + MOST_OWED)
    forbid(chip, "more than %d refreshes are owed", MOST_OWED);
}

void ddr3_dfi_write(long long low, long long high, int mask) {
  struct ddr3_chip *chip = used;
  if (!chip)
    return;
  if (chip->write_count == 0) {
    forbid(chip, "the PHY has data for no write");
    return;
  }
  const uint32_t word = chip->write_at[chip->write_first];
  chip->write_first = (chip->write_first + 1) % PENDING;
  chip->write_count--;
  for (unsigned i = 0; i < DDR3_BURST_BYTES; i++) {
    const uint8_t byte = (uint8_t)((unsigned long long)(i < 8 ? low : high) >> 8 * (i % 8));
    const uint16_t old = ddr3_chip_word(chip, word + i / 2);
    if ((mask >> i & 1) == 0)
      chip->changes[2 * word + i] ^= (uint8_t)((i % 2 ? old >> 8 : old) ^ byte ^ (chip->write_misplaced ? 0x81 : 0));
  }
}

int ddr3_dfi_read(int delays, int slips, long long *low, long long *high) {
  struct ddr3_chip *chip = used;
  unsigned long long data[2] = {0, 0};
  int seen = 0;
  if (chip && !chip->read_wanted)
    forbid(chip, "the PHY reads what nobody asked for");
  for (unsigned i = 0; chip && i < DDR3_BURST_BYTES; i++) {
    const struct ddr3_window *window = &chip->windows[i % 2];
    const unsigned delay = delays >> 8 * (i % 2) & 7, slip = slips >> 8 * (i % 2) & 3;
    const bool fits = (window->arrives >> delay & 1) != 0 && slip == window->slip && !chip->read_misplaced;
    // What arrives at the wrong time is another beat.
    const unsigned beat = fits ? i / 2 : (i / 2 + 1 + ((delay + slip) & 1)) % 8;
    const uint16_t word = ddr3_chip_word(chip, chip->read_at + beat);
    data[i / 8] |= (unsigned long long)(uint8_t)(i % 2 ? word >> 8 : word) << 8 * (i % 8);
    seen |= (window->seen >> delay & 1) << i % 2;
  }
  if (chip)
    chip->read_wanted = false;
  memcpy(low, &data[0], sizeof *low);
  memcpy(high, &data[1], sizeof *high);
  return seen;
}
