// SPDX-License-Identifier: Apache-2.0
// What RISC-V disassemblers do not know of Heddle's instructions: custom-0, custom-1 and the device's CSRs
// (contract/DEVICE.md).
#ifndef HEDDLE_OBSERVE_INSTRUCTION_H
#define HEDDLE_OBSERVE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum { INSTRUCTION_TEXT_BYTES = 80 };

// The text of a custom-0 instruction: "sub_group.reduce.add.int a2, a0", "exit". False: it is none that the device has.
bool custom_0_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]);

// The text of a custom-1 instruction, a load or store at an index: "lw.at a2, a1 + (a0 << 2)". False as above.
bool custom_1_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]);

// The text of a read of a CSR: "csrr a3, 0xcd0". False: the word is another instruction.
bool csr_read_text(uint32_t word, char text[INSTRUCTION_TEXT_BYTES]);

// What the CSR that an instruction reads is: "get_global_id(0)"; NULL: the instruction reads none, or it is not known.
const char *csr_meaning(uint32_t word);

#endif
