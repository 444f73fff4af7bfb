// SPDX-License-Identifier: Apache-2.0
// Reads a bitstream command by command. See bitstream.h.
#include "sim/jtag_target/bitstream.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct ecp5_part parts[] = {
    {"LFE5U-12F", 0x21111043, 7562, 74},
    {"LFE5U-25F", 0x41111043, 7562, 74},
    {"LFE5U-45F", 0x41112043, 9470, 106},
    {"LFE5U-85F", 0x41113043, 13294, 142},
};

const struct ecp5_part *ecp5_part_at(size_t n) {
  return n < sizeof parts / sizeof *parts ? &parts[n] : NULL;
}

const struct ecp5_part *ecp5_part(const char *name) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcasecmp(parts[i].name, name) == 0)
      return &parts[i];
  return NULL;
}

enum command {
  DUMMY = 0xFF,
  LSC_RESET_CRC = 0x3B,
  VERIFY_ID = 0xE2,
  LSC_PROG_CNTRL0 = 0x22,
  LSC_INIT_ADDRESS = 0x46,
  LSC_WRITE_ADDRESS = 0xB4,
  LSC_WRITE_COMP_DIC = 0x02,
  LSC_PROG_INCR_RTI = 0x82,  // frames as they are
  LSC_PROG_INCR_CMP = 0xB8,  // compressed frames
  LSC_EBR_ADDRESS = 0xF6,
  LSC_EBR_WRITE = 0xB2,
  ISC_PROGRAM_USERCODE = 0xC2,
  SPI_MODE = 0x79,
  JUMP = 0x7E,
  ISC_PROGRAM_DONE = 0x5E,
};

enum { EBR_FRAME_BYTES = 9, OPERAND_BYTES = 3, HAS_CHECK = 0x80, DUMMIES = 0x0F };

struct reader {
  const uint8_t *bytes;
  size_t size, at;
  uint16_t crc;  // of what came since the last check
  bool cut_off;
};

static uint16_t crc_of(uint16_t crc, uint8_t byte) {
  for (int i = 7; i >= 0; i--) {
    const bool out = (crc & 0x8000) != 0;
    crc = (uint16_t)(crc << 1 | (byte >> i & 1));
    if (out)
      crc ^= 0x8005;
  }
  return crc;
}

// The next byte, 0 behind the end.
static uint8_t next(struct reader *reader) {
  if (reader->at == reader->size) {
    reader->cut_off = true;
    return 0;
  }
  const uint8_t byte = reader->bytes[reader->at++];
  reader->crc = crc_of(reader->crc, byte);
  return byte;
}

static uint32_t next_number(struct reader *reader, unsigned bytes) {
  uint32_t number = 0;
  for (unsigned i = 0; i < bytes; i++)
    number = number << 8 | next(reader);
  return number;
}

static void skip(struct reader *reader, size_t bytes) {
  while (bytes-- != 0 && !reader->cut_off)
    next(reader);
}

// Compares the two bytes of a check with what came before them, and begins anew.
static bool check(struct reader *reader) {
  const uint16_t expected = crc_of(crc_of(reader->crc, 0), 0);
  const uint32_t found = next_number(reader, 2);
  reader->crc = 0;
  return found == expected;
}

// A byte of a compressed frame is 0; or 11 and its eight bits; or 100 and the number of its only 1; or 101 and the
// number of one of eight bytes, which are known from before: their values do not matter here.
static void skip_compressed(struct reader *reader, size_t bytes) {
  unsigned bits = 0;
  uint8_t byte = 0;
#define NEXT_BIT() (bits == 0 ? (byte = next(reader), bits = 7) : --bits, byte >> bits & 1)
  for (size_t i = 0; i < bytes && !reader->cut_off; i++) {
    if (NEXT_BIT() != 0) {
      const unsigned more = NEXT_BIT() != 0 ? 8 : 4;
      for (unsigned k = 0; k < more; k++)
        (void)NEXT_BIT();
    }
  }
#undef NEXT_BIT
}

// Whether what a command carried has the check that its operand promises.
static bool ends_well(struct reader *reader, uint32_t operand) {
  const unsigned how = operand >> 16;
  const bool good = (how & HAS_CHECK) == 0 || check(reader);
  skip(reader, how & DUMMIES);
  return good || reader->cut_off;
}

static enum bitstream_verdict frames(struct reader *reader, uint8_t command, const struct ecp5_part *part) {
  const uint32_t operand = next_number(reader, OPERAND_BYTES);
  // Compressed ones are padded to whole words of 64 bits.
  const size_t padded = (part->frame_bytes + 7) / 8 * 8;
  for (uint32_t i = 0; i < (operand & 0xFFFF) && !reader->cut_off; i++) {
    if (command == LSC_PROG_INCR_RTI)
      skip(reader, part->frame_bytes);
    else
      skip_compressed(reader, padded);
    if (!ends_well(reader, operand))
      return BITSTREAM_CRC_WRONG;
  }
  return (operand & 0xFFFF) == part->frames || reader->cut_off ? BITSTREAM_GOOD : BITSTREAM_CUT_OFF;
}

static enum bitstream_verdict carry_out(struct reader *reader, uint8_t command, const struct ecp5_part *part) {
  uint32_t operand;
  switch (command) {
    case LSC_RESET_CRC:
      skip(reader, OPERAND_BYTES);
      reader->crc = 0;
      return BITSTREAM_GOOD;
    case VERIFY_ID:
      skip(reader, OPERAND_BYTES);
      return next_number(reader, 4) == part->idcode || reader->cut_off ? BITSTREAM_GOOD : BITSTREAM_OF_ANOTHER_CHIP;
    case LSC_INIT_ADDRESS:
    case ISC_PROGRAM_DONE:
    case SPI_MODE:
      skip(reader, OPERAND_BYTES);
      return BITSTREAM_GOOD;
    case LSC_PROG_CNTRL0:
    case LSC_WRITE_ADDRESS:
    case LSC_EBR_ADDRESS:
    case JUMP:
      skip(reader, OPERAND_BYTES + 4);
      return BITSTREAM_GOOD;
    case LSC_WRITE_COMP_DIC:
      skip(reader, OPERAND_BYTES + 8);
      return BITSTREAM_GOOD;
    case LSC_PROG_INCR_RTI:
    case LSC_PROG_INCR_CMP:
      return frames(reader, command, part);
    case LSC_EBR_WRITE:
      operand = next_number(reader, OPERAND_BYTES);
      skip(reader, (size_t)(operand & 0xFFFF) * EBR_FRAME_BYTES);
      return ends_well(reader, operand) ? BITSTREAM_GOOD : BITSTREAM_CRC_WRONG;
    case ISC_PROGRAM_USERCODE:
      operand = next_number(reader, OPERAND_BYTES);
      skip(reader, 4);
      return ends_well(reader, operand) ? BITSTREAM_GOOD : BITSTREAM_CRC_WRONG;
    default:
      return BITSTREAM_UNKNOWN_COMMAND;
  }
}

enum bitstream_verdict bitstream_check(const uint8_t *bytes, size_t size, const struct ecp5_part *part, size_t *at) {
  static const uint8_t preamble[] = {0xFF, 0xFF, 0xBD, 0xB3};
  const uint8_t *begin = memmem(bytes, size, preamble, sizeof preamble);
  *at = size;
  if (!begin)
    return BITSTREAM_NO_PREAMBLE;
  struct reader reader = {.bytes = bytes, .size = size, .at = (size_t)(begin - bytes) + sizeof preamble};
  bool has_id = false, has_frames = false;
  while (reader.at < size) {
    if (bytes[reader.at] == DUMMY) {  // between commands; no part of what is checked
      reader.at++;
      continue;
    }
    const uint8_t command = next(&reader);
    const enum bitstream_verdict verdict = carry_out(&reader, command, part);
    *at = reader.at;
    if (reader.cut_off)
      break;
    if (verdict != BITSTREAM_GOOD)
      return verdict;
    has_id |= command == VERIFY_ID;
    has_frames |= command == LSC_PROG_INCR_RTI || command == LSC_PROG_INCR_CMP;
    if (command == ISC_PROGRAM_DONE)
      return !has_id ? BITSTREAM_OF_ANOTHER_CHIP : has_frames ? BITSTREAM_GOOD : BITSTREAM_CUT_OFF;
  }
  return BITSTREAM_CUT_OFF;
}

const char *bitstream_verdict_words(enum bitstream_verdict verdict) {
  switch (verdict) {
    case BITSTREAM_GOOD:
      return "is whole";
    case BITSTREAM_OF_ANOTHER_CHIP:
      return "is for another chip";
    case BITSTREAM_UNKNOWN_COMMAND:
      return "has a command that the chip does not know";
    case BITSTREAM_CRC_WRONG:
      return "was damaged on the way";
    case BITSTREAM_NO_PREAMBLE:
      return "is no bitstream";
    case BITSTREAM_CUT_OFF:
      return "ends too early";
  }
  return "";
}
