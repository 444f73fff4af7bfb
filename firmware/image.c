// SPDX-License-Identifier: Apache-2.0
// See firmware.h. FIRMWARE_IMAGE is the path of the linked program.
#include "contract/firmware.h"

__asm__(
    ".section .rodata\n"
    ".globl heddle_firmware, heddle_firmware_bytes\n"
    ".hidden heddle_firmware, heddle_firmware_bytes\n"
    ".balign 4\n"
    "heddle_firmware: .incbin \"" FIRMWARE_IMAGE
    "\"\n"
    ".balign 4\n"
    "heddle_firmware_bytes: .long heddle_firmware_bytes - heddle_firmware\n"
    ".section .note.GNU-stack\n"
    ".text\n");
