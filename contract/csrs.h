// SPDX-License-Identifier: Apache-2.0
// The CSRs that say to a work-item who it is, and the clock (contract/DEVICE.md "CSRs"). The one place for these
// numbers: C and OpenCL C include this file, Verilog has it in device_map.vh. What comes by dimension has Y and Z
// behind X. They are macros, as assembly needs them as text.
#ifndef HEDDLE_CONTRACT_CSRS_H
#define HEDDLE_CONTRACT_CSRS_H

#define HEDDLE_CSR_LOCAL_ID_X 0xCC0
#define HEDDLE_CSR_LOCAL_ID_Y 0xCC1
#define HEDDLE_CSR_LOCAL_ID_Z 0xCC2
#define HEDDLE_CSR_GROUP_ID_X 0xCC3
#define HEDDLE_CSR_GROUP_ID_Y 0xCC4
#define HEDDLE_CSR_GROUP_ID_Z 0xCC5
#define HEDDLE_CSR_LOCAL_SIZE_X 0xCC6
#define HEDDLE_CSR_LOCAL_SIZE_Y 0xCC7
#define HEDDLE_CSR_LOCAL_SIZE_Z 0xCC8
#define HEDDLE_CSR_SUB_GROUP_ID 0xCC9
#define HEDDLE_CSR_LANE 0xCCA
#define HEDDLE_CSR_SUB_GROUP_SIZE 0xCCB
#define HEDDLE_CSR_NUM_SUB_GROUPS 0xCCC
#define HEDDLE_CSR_PACKET 0xCCD
#define HEDDLE_CSR_STACK_TOP 0xCCE
#define HEDDLE_CSR_GLOBAL_ID_X 0xCD0
#define HEDDLE_CSR_GLOBAL_ID_Y 0xCD1
#define HEDDLE_CSR_GLOBAL_ID_Z 0xCD2
#define HEDDLE_CSR_CYCLE 0xC00
#define HEDDLE_CSR_CYCLE_HIGH 0xC80

// A number as text: HEDDLE_CSR_TEXT(HEDDLE_CSR_LANE) is "0xCCA".
#define HEDDLE_CSR_TEXT(number) HEDDLE_CSR_TEXT_OF(number)
#define HEDDLE_CSR_TEXT_OF(number) #number

#endif
