// SPDX-License-Identifier: Apache-2.0
// The SDRAM of simulated boards (sdram_chip.h). Limits are the largest of those that data sheets of W9825G6KH-6,
// IS42S16160G-7 and MT48LC16M16A2-75 give.
#include "sim/sdram/sdram_chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  RCD = 20000,  // ps
  RP = 20000,
  RAS = 45000,
  RC = 67500,
  RFC = 67500,
  RRD = 15000,
  WR = 15000,
  REFRESH_INTERVAL = 7812500,
  POWER_UP = 200000000,
  MOST_OWED = 34,  // refreshes that may be late: a start takes 26 of them
  CLOCK_2 = 10000,
  CLOCK_3 = 7500,
};
static const uint64_t RETENTION = 64000000000;  // ps
enum { MODE = 0, REFRESH = 1, PRECHARGE = 2, ACTIVE = 3, WRITE = 4, READ = 5, STOP = 6, NO_OPERATION = 7 };

bool sdram_chip_begin(struct sdram_chip *chip, uint64_t now_ps) {
  memset(chip, 0, sizeof *chip);
  chip->began = now_ps;
  chip->words = malloc(SDRAM_WORDS * sizeof *chip->words);
  for (uint32_t i = 0; chip->words && i < SDRAM_WORDS; i++)
    chip->words[i] = (uint16_t)(i * 0x9E37u >> 3);
  return chip->words;
}

void sdram_chip_end(struct sdram_chip *chip) {
  free(chip->words);
  chip->words = NULL;
}

__attribute__((format(printf, 3, 4))) static void forbid(struct sdram_chip *chip, uint64_t now, const char *what, ...) {
  if (chip->wrong[0])
    return;
  const int length = snprintf(chip->wrong, sizeof chip->wrong, "at %.1f ns: ", (double)now / 1000);
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(chip->wrong + length, sizeof chip->wrong - (size_t)length, what, arguments);
  va_end(arguments);
}

// `past` is when it happened, 0: never.
static void wants(struct sdram_chip *chip, uint64_t now, uint64_t past, uint64_t least, const char *limit) {
  if (past != 0 && now - past < least)
    forbid(chip, now, "%s is %.1f ns, not %.1f", limit, (double)(now - past) / 1000, (double)least / 1000);
}

static bool any_open(const struct sdram_chip *chip) {
  bool open = false;
  for (int i = 0; i < SDRAM_BANKS; i++)
    open |= chip->banks[i].open;
  return open;
}

static void wants_idle(struct sdram_chip *chip, uint64_t now, const char *command) {
  if (any_open(chip))
    forbid(chip, now, "%s with an open row", command);
  for (int i = 0; i < SDRAM_BANKS; i++)
    wants(chip, now, chip->banks[i].precharged, RP, "tRP");
}

static void precharge(struct sdram_chip *chip, uint64_t now, const struct sdram_pins *pins) {
  for (int i = 0; i < SDRAM_BANKS; i++)
    if (pins->a & 0x400 || i == pins->ba) {
      if (chip->banks[i].open) {
        wants(chip, now, chip->banks[i].activated, RAS, "tRAS");
        wants(chip, now, chip->banks[i].written, WR, "tWR");
      }
      chip->banks[i].open = false;
      chip->banks[i].precharged = now;
    }
  chip->powered = true;
}

static void refresh(struct sdram_chip *chip, uint64_t now) {
  wants_idle(chip, now, "refresh");
  wants(chip, now, chip->last_refresh, RFC, "tRFC");
  wants(chip, now, chip->last_activation, RC, "tRC");
  uint64_t *of_row = &chip->refreshed[chip->all_refreshes++ % SDRAM_ROWS];
  if (*of_row != 0 && now - *of_row > RETENTION)
    forbid(chip, now, "a row has not been refreshed for %.1f ns", (double)(now - *of_row) / 1000);
  *of_row = chip->last_refresh = now;
  chip->refreshes++;
  chip->first_refreshes++;
}

static void set_mode(struct sdram_chip *chip, uint64_t now, const struct sdram_pins *pins) {
  wants_idle(chip, now, "mode register");
  wants(chip, now, chip->last_refresh, RFC, "tRFC");
  if (chip->first_refreshes < 8)
    forbid(chip, now, "%u refreshes before the mode register is set, not 8", chip->first_refreshes);
  chip->cas_latency = pins->a >> 4 & 7;
  if (chip->cas_latency != 2 && chip->cas_latency != 3)
    forbid(chip, now, "CAS latency %u", chip->cas_latency), chip->cas_latency = 3;
  if (pins->ba != 0 || (pins->a & ~0x70) != 0)
    forbid(chip, now, "mode %x: this model has bursts of one word", pins->a);
  chip->last_mode = now;
  chip->ready = true;
  chip->refreshed_from = now;
  chip->refreshes = 0;
}

static void activate(struct sdram_chip *chip, uint64_t now, const struct sdram_pins *pins) {
  const int b = pins->ba;
  if (!chip->ready)
    forbid(chip, now, "activation before the mode register is set");
  if (chip->banks[b].open)
    forbid(chip, now, "activation of an open bank");
  wants(chip, now, chip->banks[b].precharged, RP, "tRP");
  wants(chip, now, chip->banks[b].activated, RC, "tRC");
  wants(chip, now, chip->last_activation, RRD, "tRRD");
  wants(chip, now, chip->last_refresh, RFC, "tRFC");
  chip->banks[b].open = true;
  chip->banks[b].row = pins->a;
  chip->banks[b].activated = chip->last_activation = now;
  chip->banks[b].written = 0;
  chip->activations++;
}

static void access_column(struct sdram_chip *chip, uint64_t now, const struct sdram_pins *pins, bool write) {
  const int b = pins->ba;
  if (!chip->banks[b].open)
    forbid(chip, now, "access to a closed bank");
  if (pins->a & ~0x1FF)
    forbid(chip, now, "column %x", pins->a);
  wants(chip, now, chip->banks[b].activated, RCD, "tRCD");
  uint16_t *word = &chip->words[(uint32_t)b << 22 | (uint32_t)(chip->banks[b].row & 0x1FFF) << 9 | (pins->a & 0x1FF)];
  if (!write) {
    chip->coming[chip->cas_latency].valid = true;
    chip->coming[chip->cas_latency].word = *word;
    return;
  }
  if (!pins->dq_driven)
    forbid(chip, now, "a write of what nobody drives");
  const uint16_t mask = (uint16_t)((pins->dqm & 1 ? 0 : 0xFF) | (pins->dqm & 2 ? 0 : 0xFF00));
  *word = (uint16_t)((*word & ~mask) | (pins->dq & mask));
  chip->banks[b].written = now;
  for (int i = 0; i < 4; i++)
    chip->coming[i].valid = false;  // a write ends reads
}

void sdram_chip_edge(struct sdram_chip *chip, uint64_t now, const struct sdram_pins *pins) {
  wants(chip, now, chip->last_edge, chip->cas_latency == 2 ? CLOCK_2 : CLOCK_3, "the clock's cycle");
  chip->last_edge = now;
  if (!pins->cke)
    forbid(chip, now, "cke is 0");
  if (chip->drives && pins->dq_driven)
    forbid(chip, now, "two drive dq");
  const int command = pins->cs_n ? NO_OPERATION : pins->ras_n << 2 | pins->cas_n << 1 | pins->we_n;
  if (command != NO_OPERATION) {
    if (now - chip->began < POWER_UP)
      forbid(chip, now, "a command before %d us have passed", POWER_UP / 1000000);
    if (!chip->powered && command != PRECHARGE)
      forbid(chip, now, "the first command is no precharge");
    if (chip->last_mode != 0 && command != MODE)
      wants(chip, now, chip->last_mode, 2 * CLOCK_3, "tMRD");
  }
  switch (command) {
    case MODE:
      set_mode(chip, now, pins);
      break;
    case REFRESH:
      refresh(chip, now);
      break;
    case PRECHARGE:
      precharge(chip, now, pins);
      break;
    case ACTIVE:
      activate(chip, now, pins);
      break;
    case WRITE:
    case READ:
      access_column(chip, now, pins, command == WRITE);
      break;
    case STOP:
      forbid(chip, now, "burst stop");
      break;
    default:
      break;
  }
  if (chip->ready && (now - chip->refreshed_from) / REFRESH_INTERVAL > chip->refreshes + MOST_OWED)
    forbid(chip, now, "more than %d refreshes are owed", MOST_OWED);
  // dqm is heard two edges before the word that it hides is taken.
  for (int i = 0; i < 3; i++)
    chip->coming[i] = chip->coming[i + 1];
  chip->coming[3].valid = false;
  chip->drives = chip->coming[0].valid && chip->last_dqm != 3;
  chip->dq =
      chip->drives
          ? (uint16_t)(chip->coming[0].word ^ (chip->last_dqm & 1 ? 0xFF : 0) ^ (chip->last_dqm & 2 ? 0xFF00 : 0))
          : 0xDEAD;
  chip->last_dqm = pins->dqm;
}
