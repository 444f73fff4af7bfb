// SPDX-License-Identifier: Apache-2.0
// A W25Q128 (Winbond data sheet, revision H), bit by bit: 16 MiB that are erased by sectors and blocks and programmed
// by pages of 256 bytes, 1 to 0 only. Takes no time to do so.
#ifndef HEDDLE_JTAG_SPI_FLASH_H
#define HEDDLE_JTAG_SPI_FLASH_H

#include <stdbool.h>
#include <stdint.h>

enum { SPI_FLASH_BYTES = 1 << 24, SPI_FLASH_PAGE = 256 };

struct spi_flash {
  uint8_t *bytes;  // SPI_FLASH_BYTES, the caller's
  bool write_enabled;
  unsigned bit, shifted, out;  // of the byte that is being exchanged
  uint64_t count;              // bytes exchanged since it was selected
  uint8_t command;
  uint32_t address;
  uint8_t page[SPI_FLASH_PAGE];
  unsigned page_bytes, page_at;
};

// It is selected, exchanges bits, most significant first, and carries out what it was told when it is deselected.
void spi_flash_select(struct spi_flash *flash);
bool spi_flash_bit(struct spi_flash *flash, bool in);
void spi_flash_deselect(struct spi_flash *flash);

#endif
