// SPDX-License-Identifier: Apache-2.0
// See spi_flash.h.
#include "sim/jtag_target/spi_flash.h"

#include <string.h>

enum command {
  PAGE_PROGRAM = 0x02,
  READ = 0x03,
  WRITE_DISABLE = 0x04,
  READ_STATUS = 0x05,
  WRITE_ENABLE = 0x06,
  FAST_READ = 0x0B,
  ERASE_4K = 0x20,
  ERASE_32K = 0x52,
  ERASE_CHIP = 0xC7,
  ERASE_CHIP_TOO = 0x60,
  ERASE_64K = 0xD8,
  READ_ID = 0x9F,
};

static bool has_address(uint8_t command) {
  switch (command) {
    case PAGE_PROGRAM:
    case READ:
    case FAST_READ:
    case ERASE_4K:
    case ERASE_32K:
    case ERASE_64K:
      return true;
    default:
      return false;
  }
}

// What it says while byte `flash->count` comes in.
static unsigned answer(struct spi_flash *flash) {
  static const uint8_t id[] = {0xEF, 0x40, 0x18};
  const uint64_t first = flash->command == FAST_READ ? 5 : 4;
  if (flash->count == 0)
    return 0xFF;
  switch (flash->command) {
    case READ_ID:
      return flash->count <= sizeof id ? id[flash->count - 1] : 0;
    case READ_STATUS:
      return flash->write_enabled ? 2 : 0;
    case READ:
    case FAST_READ:
      return flash->count >= first ? flash->bytes[(flash->address + flash->count - first) % SPI_FLASH_BYTES] : 0;
    default:
      return 0;
  }
}

static void take(struct spi_flash *flash, uint8_t byte) {
  if (flash->count == 0) {
    flash->command = byte;
  } else if (has_address(flash->command) && flash->count <= 3) {
    flash->address = (flash->address << 8 | byte) % SPI_FLASH_BYTES;
  } else if (flash->command == PAGE_PROGRAM) {
    // More than a page begins it anew.
    flash->page[flash->page_at++ % SPI_FLASH_PAGE] = byte;
    flash->page_bytes = flash->page_at < SPI_FLASH_PAGE ? flash->page_at : SPI_FLASH_PAGE;
  }
  flash->count++;
}

void spi_flash_select(struct spi_flash *flash) {
  flash->bit = flash->shifted = 0;
  flash->count = 0;
  flash->command = 0;
  flash->address = 0;
  flash->page_bytes = flash->page_at = 0;
}

bool spi_flash_bit(struct spi_flash *flash, bool in) {
  if (flash->bit == 0)
    flash->out = answer(flash);
  const bool out = (flash->out >> (7 - flash->bit) & 1) != 0;
  flash->shifted = (flash->shifted << 1 | in) & 0xFF;
  if (++flash->bit == 8) {
    flash->bit = 0;
    take(flash, (uint8_t)flash->shifted);
  }
  return out;
}

static void erase(struct spi_flash *flash, uint32_t bytes) {
  if (flash->write_enabled)
    memset(flash->bytes + flash->address / bytes * bytes, 0xFF, bytes);
  flash->write_enabled = false;
}

void spi_flash_deselect(struct spi_flash *flash) {
  // A command that breaks off within a byte, or before its address is there, is none.
  if (flash->bit != 0 || flash->count == 0 || (has_address(flash->command) && flash->count < 4))
    return;
  const uint32_t page = flash->address / SPI_FLASH_PAGE * SPI_FLASH_PAGE;
  switch (flash->command) {
    case WRITE_ENABLE:
      flash->write_enabled = true;
      break;
    case WRITE_DISABLE:
      flash->write_enabled = false;
      break;
    case PAGE_PROGRAM:
      for (unsigned i = 0; flash->write_enabled && i < flash->page_bytes; i++)
        flash->bytes[page + (flash->address + i) % SPI_FLASH_PAGE] &= flash->page[i];
      flash->write_enabled = false;
      break;
    case ERASE_4K:
      erase(flash, 1 << 12);
      break;
    case ERASE_32K:
      erase(flash, 1 << 15);
      break;
    case ERASE_64K:
      erase(flash, 1 << 16);
      break;
    case ERASE_CHIP:
    case ERASE_CHIP_TOO:
      erase(flash, SPI_FLASH_BYTES);
      break;
    default:
      break;
  }
}
