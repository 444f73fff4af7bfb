// SPDX-License-Identifier: Apache-2.0
// The numbers of contract/DEVICE.md in C: addresses, control registers, fault reasons, dispatch, command processor,
// kernel note. Read by the driver (host/device), the golden model (sim/model), and in OpenCL C by hls/lib. Nothing here
// describes one device's size: that is read from the capability block.
#ifndef HEDDLE_DEVICE_MAP_H
#define HEDDLE_DEVICE_MAP_H

#ifndef __OPENCL_C_VERSION__
#include <stdint.h>
#endif

// Address windows.
#define HEDDLE_GLOBAL_FIRST 0x00001000u  // page zero is never mapped; more may not be: HEDDLE_REG_FIRST_GLOBAL
#define HEDDLE_LOCAL_BASE 0x80000000u
#define HEDDLE_LOCAL_LAST 0x8FFFFFFFu
#define HEDDLE_BELOW_PRIVATE 0xB0000000u  // from here to private memory: what a stack that overflows reaches
#define HEDDLE_PRIVATE_BASE 0xC0000000u
#define HEDDLE_PRIVATE_LAST 0xCFFFFFFFu
#define HEDDLE_CONTROL_BASE 0xF0000000u

// log2 of the bytes of a line: what the device cache holds and external memory reads at once. A device whose rows are
// larger has lines of one row. Only the device and what simulates or tests it know this; software reads
// HEDDLE_REG_LINE_BYTES.
enum { HEDDLE_LINE_LOG2_LEAST = 6 };

// Capability block, offsets from HEDDLE_CONTROL_BASE.
enum heddle_capability {
  HEDDLE_REG_MAGIC = 0x000,
  HEDDLE_REG_VERSION = 0x004,
  HEDDLE_REG_LANES = 0x008,
  HEDDLE_REG_SLOTS = 0x00C,
  HEDDLE_REG_UNITS = 0x010,
  HEDDLE_REG_LOCAL_MEMORY_BYTES = 0x014,
  HEDDLE_REG_GLOBAL_BYTES = 0x018,
  HEDDLE_REG_LINE_BYTES = 0x01C,
  HEDDLE_REG_CLOCK_KHZ = 0x020,
  HEDDLE_REG_MEMORY_LATENCY = 0x024,
  HEDDLE_REG_MEMORY_INTERVAL = 0x028,
  HEDDLE_REG_FEATURES = 0x02C,
  HEDDLE_REG_CACHE_BYTES = 0x030,
  HEDDLE_REG_MEMORY_CHANNELS = 0x034,
  HEDDLE_REG_FIRST_GLOBAL = 0x038,
  HEDDLE_REG_KINDS = 0x03C,  // entries of the table of kinds; 0: there is none, and one kind
  HEDDLE_REG_ISA = 0x040,    // 64 bytes of ASCII
};
enum { HEDDLE_MEMORY_FAILED = 0xFFFF };  // a latency
#define HEDDLE_MAGIC 0x4C444448u
#define HEDDLE_CONTRACT_VERSION 1u
#define HEDDLE_ISA_BYTES 64u
// Of FEATURES: the command processor; log2 of the bytes of a page of the table of rights, 0 where there is none; above
// that the version.
enum { HEDDLE_FEATURE_PROCESSOR = 1, HEDDLE_FEATURE_PAGE_LOG2_SHIFT = 1, HEDDLE_FEATURE_PAGE_LOG2_MASK = 31 };
enum { HEDDLE_FEATURE_VERSION_SHIFT = 8 };

// The table of kinds of compute unit: HEDDLE_KIND_WORDS registers for each kind, from this offset on.
enum { HEDDLE_REG_KIND_TABLE = 0x400 };
enum heddle_kind_word {
  HEDDLE_KIND_TYPE = 0,
  HEDDLE_KIND_UNITS = 1,
  HEDDLE_KIND_LANES = 2,
  HEDDLE_KIND_SLOTS = 3,             // of a unit
  HEDDLE_KIND_WORK_GROUP_ITEMS = 4,  // most work-items of a work-group
  HEDDLE_KIND_LOCAL_BYTES = 5,       // most local memory of a work-group
  HEDDLE_KIND_SITES = 6,             // of a kernel pipeline: places that a fault record's PC names
  HEDDLE_KIND_PIPE = 7,              // of a kernel pipeline: a pipe that it writes on the chip; 0: none
  HEDDLE_KIND_HASH = 8,              // of a kernel pipeline: 4 words that name its kernel
  HEDDLE_KIND_MORE_PIPES = 12,       // of a kernel pipeline: 4 words, as HEDDLE_KIND_PIPE
  HEDDLE_KIND_WORDS = 16,
};
enum { HEDDLE_KIND_PIPES = 5 };  // that a kernel pipeline can write on the chip
// A pipe that a kernel writes on the chip: the reader's kind, the number of the writer's argument, that of the
// reader's.
#define HEDDLE_KIND_PIPE_WORD(kind, argument, reader_argument) ((kind) | (argument) << 8 | (reader_argument) << 16)
#define HEDDLE_KIND_PIPE_READER(word) ((word) & 0xFF)
#define HEDDLE_KIND_PIPE_ARGUMENT(word) ((word) >> 8 & 0xFF)
#define HEDDLE_KIND_PIPE_READER_ARGUMENT(word) ((word) >> 16 & 0xFF)
enum heddle_kind_type { HEDDLE_KIND_IS_PROGRAMMABLE = 0, HEDDLE_KIND_IS_PIPELINE = 1, HEDDLE_KIND_IS_TEST = 255 };
enum { HEDDLE_KINDS_MOST = 16 };

// Walker.
enum heddle_walker {
  HEDDLE_REG_COMMAND = 0x100,
  HEDDLE_REG_STATUS = 0x104,
  HEDDLE_REG_DISPATCH = 0x108,
  HEDDLE_REG_ENDED = 0x10C,
  HEDDLE_REG_RIGHTS = 0x110,  // written: an entry for some pages; read: whether they are still being set
};
enum { HEDDLE_COMMAND_START = 1, HEDDLE_COMMAND_STOP = 2, HEDDLE_COMMAND_GO_ON = 3, HEDDLE_COMMAND_FORGET = 4 };
enum { HEDDLE_STATUS_BUSY = 1, HEDDLE_STATUS_FAULT = 2, HEDDLE_STATUS_WAITS = 4, HEDDLE_STATUS_MEMORY_ERROR = 8 };
enum { HEDDLE_LOCAL_SIZE_MAX = 1024, HEDDLE_PRIVATE_LOG2_MIN = 8, HEDDLE_PRIVATE_LOG2_MAX = 20 };

// Rights of pages of global memory. A write to HEDDLE_REG_RIGHTS: the entry, above it the pages less one, above these
// the first page. An entry: the domain whose dispatches may access the page, and whether they may write.
enum { HEDDLE_RIGHTS_PAGES_SHIFT = 8, HEDDLE_RIGHTS_FIRST_SHIFT = 20, HEDDLE_RIGHTS_PAGES_MOST = 4096 };
enum { HEDDLE_RIGHTS_DOMAIN_MASK = 0x7F, HEDDLE_RIGHTS_WRITE = 0x80 };
enum { HEDDLE_DOMAIN_NOBODY = 0, HEDDLE_DOMAIN_EVERYBODY = 127 };  // of an entry
enum { HEDDLE_DOMAIN_UNCHECKED = 0, HEDDLE_DOMAIN_MOST = 126 };    // of a dispatch
enum { HEDDLE_RIGHTS_BUSY = 1 };

// Figures of the current or last dispatch: 64 bits each, low word first. Those of the one before it, but for the clock,
// are HEDDLE_REG_PREVIOUS further.
enum heddle_figure {
  HEDDLE_REG_CYCLES = 0x180,
  HEDDLE_REG_ISSUES = 0x188,
  HEDDLE_REG_ACTIVE_LANES = 0x190,
  HEDDLE_REG_GROUPS_DONE = 0x198,
  HEDDLE_REG_CLOCK = 0x1A0,
  HEDDLE_REG_MEMORY_REQUESTS = 0x1A8,
  HEDDLE_REG_MEMORY_WAIT_CYCLES = 0x1B0,
  HEDDLE_REG_CONFLICT_CYCLES = 0x1B8,
  HEDDLE_REG_CACHE_REQUESTS = 0x1E0,
  HEDDLE_REG_CACHE_MISSES = 0x1E8,
  HEDDLE_REG_START = 0x1F0,
};
enum { HEDDLE_REG_PREVIOUS = 0x080 };

// Of a device on a bus (DEVICE.md).
enum heddle_bus_register {
  HEDDLE_REG_SYNC = 0x800,
  HEDDLE_REG_RESET = 0x804,
  HEDDLE_REG_INTERRUPT_ENABLE = 0x808,
  HEDDLE_REG_INTERRUPT = 0x80C,
  HEDDLE_REG_BUS_STATE = 0x810,
  HEDDLE_REG_BUS_BASE = 0x818,  // low, high
};
enum { HEDDLE_BUS_BUSY = 1 };

// Fault record.
enum heddle_fault_record {
  HEDDLE_REG_FAULT_REASON = 0x1C0,
  HEDDLE_REG_FAULT_PC = 0x1C4,
  HEDDLE_REG_FAULT_ADDRESS = 0x1C8,
  HEDDLE_REG_FAULT_GROUP_ID = 0x1CC,  // x, y, z
  HEDDLE_REG_FAULT_SUB_GROUP_ID = 0x1D8,
  HEDDLE_REG_FAULT_LANE = 0x1DC,
};
enum heddle_fault_reason {
  HEDDLE_FAULT_ILLEGAL_INSTRUCTION = 1,
  HEDDLE_FAULT_MISALIGNED = 2,
  HEDDLE_FAULT_UNMAPPED = 3,
  HEDDLE_FAULT_OUTSIDE_LOCAL = 4,
  HEDDLE_FAULT_OUTSIDE_PRIVATE = 5,
  HEDDLE_FAULT_DIVERGENT_COLLECTIVE = 6,
  HEDDLE_FAULT_BUDGET_SPENT = 7,
  HEDDLE_FAULT_BAD_FETCH = 8,
  HEDDLE_FAULT_STOPPED = 9,
  HEDDLE_FAULT_BAD_DISPATCH = 10,
  HEDDLE_FAULT_MEMORY_ERROR = 11,
  HEDDLE_FAULT_NO_RIGHT = 12,
};
// Addresses of the fault unmapped that a kernel means: it would wait for ever at a channel that has no packet, or has
// no room for one.
#define HEDDLE_FAULT_CHANNEL_EMPTY 0xFFFFFFF0u
#define HEDDLE_FAULT_CHANNEL_FULL 0xFFFFFFF8u

// A dispatch: what the walker runs. Its second half is the packet, and the argument block is behind that.
enum heddle_dispatch_word {
  HEDDLE_DISPATCH_ENTRY = 0,
  HEDDLE_DISPATCH_SUB_GROUP_LOG2 =
      1,  // HEDDLE_DISPATCH_LOG2_MASK; above it the domain, and the units that it may run on
  HEDDLE_DISPATCH_LOCAL_BYTES = 2,
  HEDDLE_DISPATCH_PRIVATE_BASE = 3,
  HEDDLE_DISPATCH_PRIVATE_LOG2 = 4,
  HEDDLE_DISPATCH_BUDGET = 5,  // low, high
  HEDDLE_DISPATCH_KIND = 7,    // HEDDLE_DISPATCH_KIND_MASK: the kind of compute unit that it runs on
  HEDDLE_DISPATCH_NEXT = 8,    // of a chain: address of the dispatch of the kernel with the next number
  HEDDLE_DISPATCH_PIPES = 9,   // of a chain: HEDDLE_DISPATCH_PIPE_WORDS for each of HEDDLE_DISPATCH_PIPE_COUNT pipes
  HEDDLE_DISPATCH_QUEUE = 15,  // address of the device queue
  HEDDLE_DISPATCH_PACKET = 16,
  HEDDLE_DISPATCH_WORDS = 32,
};
enum { HEDDLE_DISPATCH_ALIGNMENT = 128, HEDDLE_DISPATCH_KIND_MASK = 0x7F };
enum { HEDDLE_CHAIN_KERNEL_SHIFT = 16 };  // of a fault in a chain: above the site in the PC, the kernel's number
enum { HEDDLE_CHAIN_KERNELS = 15 };       // of a chain at most: all pipelines of a device
// A pipe in a dispatch of a chain: the most packets that it takes, with HEDDLE_DISPATCH_MAKES_ROOM; its address; bytes
// from there to its first packet.
enum heddle_dispatch_pipe_word {
  HEDDLE_DISPATCH_PIPE_MOST = 0,
  HEDDLE_DISPATCH_PIPE_ADDRESS = 1,
  HEDDLE_DISPATCH_PIPE_OFFSET = 2,
  HEDDLE_DISPATCH_PIPE_WORDS = 3
};
enum { HEDDLE_DISPATCH_PIPE_COUNT = 2 };
#define HEDDLE_DISPATCH_MAKES_ROOM 0x80000000u  // packets that were read make room for others
// The dispatch's domain, HEDDLE_RIGHTS_DOMAIN_MASK wide; and the units of the kind that get work-groups, a bit for
// each, in the upper half of that word; 0: all of them.
enum { HEDDLE_DISPATCH_LOG2_MASK = 0xFF, HEDDLE_DISPATCH_DOMAIN_SHIFT = 8, HEDDLE_DISPATCH_UNIT_MASK_SHIFT = 16 };

// The packet in it.
enum heddle_packet_word {
  HEDDLE_PACKET_WORK_DIM = 0,
  HEDDLE_PACKET_GLOBAL_SIZE = 1,
  HEDDLE_PACKET_GLOBAL_OFFSET = 4,
  HEDDLE_PACKET_LOCAL_SIZE = 7,
  HEDDLE_PACKET_NUM_GROUPS = 10,
  HEDDLE_PACKET_NUM_SUB_GROUPS = 13,
  HEDDLE_PACKET_MAX_SUB_GROUP_SIZE = 14,
  HEDDLE_PACKET_PRINTF = 15,
  HEDDLE_PACKET_WORDS = 16,
};

// The command processor: its part of global memory, and its registers.
#define HEDDLE_FIRMWARE_FIRST 0x00001000u
#define HEDDLE_FIRMWARE_BYTES 0x00002000u
#define HEDDLE_PROCESSOR_PRIVATE_BASE 0x00003000u
#define HEDDLE_PROCESSOR_PRIVATE_LOG2 10u
#define HEDDLE_RING_FIRST 0x00004000u
#define HEDDLE_RECORDS_FIRST 0x00006000u
#define HEDDLE_PROCESSOR_END 0x00008000u  // FIRST_GLOBAL of a device that has one
enum { HEDDLE_RING_COMMANDS = 64, HEDDLE_RING_COMMAND_BYTES = 64, HEDDLE_RECORD_BYTES = 128 };
enum heddle_processor {
  HEDDLE_REG_PROCESSOR = 0x300,
  HEDDLE_REG_PROCESSOR_STATUS = 0x304,
  HEDDLE_REG_TAIL = 0x308,
  HEDDLE_REG_HEAD = 0x30C,
  HEDDLE_REG_SETTLED = 0x318,
  HEDDLE_REG_PROCESSOR_FAULT_REASON = 0x310,
  HEDDLE_REG_PROCESSOR_FAULT_PC = 0x314,
};
enum { HEDDLE_PROCESSOR_START = 1 };
enum { HEDDLE_PROCESSOR_RUNS = 1, HEDDLE_PROCESSOR_FAULT = 2 };

// A command of the ring, and the record that is left of it. What words 6 to 11 are depends on the kind.
enum heddle_ring_word {
  HEDDLE_RING_KIND = 0,  // and HEDDLE_RING_BARRIER
  HEDDLE_RING_NUM_WAITS = 1,
  HEDDLE_RING_WAITS = 2,
  HEDDLE_RING_DISPATCH = 6,
  HEDDLE_RING_COPY_SOURCE = 6,
  HEDDLE_RING_COPY_DESTINATION = 7,
  HEDDLE_RING_COPY_BYTES = 8,
  HEDDLE_RING_COPY_MORE_ROWS = 9,
  HEDDLE_RING_COPY_SOURCE_PITCH = 10,
  HEDDLE_RING_COPY_DESTINATION_PITCH = 11,
  HEDDLE_RING_FILL_DESTINATION = 6,
  HEDDLE_RING_FILL_BYTES = 7,
  HEDDLE_RING_FILL_WORD = 8,
  HEDDLE_RING_FILL_PATTERN = 9,
  HEDDLE_RING_COMMAND_WORDS = 16,
};
enum heddle_ring_kind {
  HEDDLE_RING_IS_DISPATCH = 1,
  HEDDLE_RING_IS_COPY = 2,
  HEDDLE_RING_IS_FILL = 3,
  HEDDLE_RING_IS_MARKER = 4,
  HEDDLE_RING_IS_ENQUEUER = 5,  // a dispatch, with what its kernel enqueues
};
enum { HEDDLE_RING_BARRIER = 0x100, HEDDLE_RING_WAITS_MAX = 4, HEDDLE_RING_PATTERN_BYTES = 256 };
enum heddle_record_word {
  HEDDLE_RECORD_STATUS = 0,
  HEDDLE_RECORD_REFUSED_WHY = 1,
  HEDDLE_RECORD_FAULTED_DISPATCH = 1,
  HEDDLE_RECORD_START = 2,
  HEDDLE_RECORD_CYCLES = 4,
  HEDDLE_RECORD_FAULT = 6,  // 8 words, as the fault record
  HEDDLE_RECORD_ALL_CYCLES = 14,
  HEDDLE_RECORD_FIGURES = 16,  // 6 words from ISSUES on, 6 from MEMORY_REQUESTS on, 4 from CACHE_REQUESTS on
  HEDDLE_RECORD_WORDS = 32,
};
enum heddle_record_status {
  HEDDLE_RECORD_COMPLETE = 0,
  HEDDLE_RECORD_FAULTED = 1,
  HEDDLE_RECORD_REFUSED = 2,
  HEDDLE_RECORD_DID_NOT_RUN = 3,
};
enum heddle_refusal {
  HEDDLE_REFUSED_KIND = 1,
  HEDDLE_REFUSED_RANGE = 2,
  HEDDLE_REFUSED_WAITS = 3,
  HEDDLE_REFUSED_QUEUE = 4,  // no possible device queue, or its contents
  HEDDLE_REFUSED_STUCK = 5,  // what was enqueued waits for events that nobody sets
};

// The device queue: its address is in the dispatch. A header, the blocks that there are, events, commands.
enum heddle_queue_word {
  HEDDLE_QUEUE_TAIL = 0,      // bytes of the commands' room that are taken
  HEDDLE_QUEUE_END = 1,       // where the first call that found no room would have begun
  HEDDLE_QUEUE_LIMIT = 2,     // what TAIL may become
  HEDDLE_QUEUE_DEFAULT = 3,   // address of the default queue: of this one, or 0
  HEDDLE_QUEUE_COMMANDS = 4,  // addresses
  HEDDLE_QUEUE_EVENTS = 5,
  HEDDLE_QUEUE_BLOCKS = 6,
  HEDDLE_QUEUE_NUM_EVENTS = 7,
  HEDDLE_QUEUE_NUM_BLOCKS = 8,
  HEDDLE_QUEUE_NEXT_EVENT = 9,
  HEDDLE_QUEUE_LOCAL_MEMORY = 10,
  HEDDLE_QUEUE_SLOTS = 11,
  HEDDLE_QUEUE_UNITS = 12,
  HEDDLE_QUEUE_UNIFORM = 13,
  HEDDLE_QUEUE_SIZE = 14,          // bytes of commands that it can hold; there is room for twice that
  HEDDLE_QUEUE_PRIVATE_BASE = 15,  // words of every dispatch that is enqueued
  HEDDLE_QUEUE_PRIVATE_LOG2 = 16,
  HEDDLE_QUEUE_PRINTF = 17,
  HEDDLE_QUEUE_CYCLE = 18,  // nanoseconds of a cycle of the device clock, times 2^20
  HEDDLE_QUEUE_HEADER_WORDS = 32,
};
enum { HEDDLE_QUEUE_ALIGNMENT = 128, HEDDLE_QUEUE_CYCLE_LOG2 = 20, HEDDLE_QUEUE_SIZE_MOST = 1 << 20 };
enum heddle_block_word {
  HEDDLE_BLOCK_WORK_GROUP_SIZE = 0,
  HEDDLE_BLOCK_SUB_GROUP_SIZE = 1,
  HEDDLE_BLOCK_LOCAL_BYTES = 2,
  HEDDLE_BLOCK_ENTRY = 3,
  HEDDLE_BLOCK_WORDS = 4,
};
enum heddle_event_word {
  HEDDLE_EVENT_REFERENCES = 0,
  HEDDLE_EVENT_STATUS = 1,  // as OpenCL's execution status
  HEDDLE_EVENT_IS_USER = 2,
  HEDDLE_EVENT_CAPTURES = 3,    // address of the first place that waits for the times, whose first word is the next
  HEDDLE_EVENT_TIMES = 4,       // cycles from start to end, and to completion: 64 bits each
  HEDDLE_EVENT_UNFINISHED = 8,  // its command, and those enqueued by that and by what has no event of its own
  HEDDLE_EVENT_PARENT = 9,
  HEDDLE_EVENT_RESULT = 10,  // its status, once all are finished
  HEDDLE_EVENT_START = 12,   // device clock
  HEDDLE_EVENT_WORDS = 16,
};
// A command is a dispatch (enum heddle_dispatch_word), of which the walker leaves these words alone.
enum heddle_command_word {
  HEDDLE_COMMAND_BYTES = 7,  // a multiple of 128: the kind of compute unit is 0
  HEDDLE_COMMAND_KIND = 8,
  HEDDLE_COMMAND_EVENT = 9,
  HEDDLE_COMMAND_PARENT = 10,
  HEDDLE_COMMAND_NUM_WAITS = 11,
  HEDDLE_COMMAND_WAITS = 12,    // from here on: bytes from the command's first
  HEDDLE_COMMAND_LITERAL = 13,  // the same
  HEDDLE_COMMAND_FLAGS = 14,
};
enum { HEDDLE_COMMAND_IS_DONE = 0, HEDDLE_COMMAND_IS_KERNEL = 1, HEDDLE_COMMAND_IS_MARKER = 2 };

// The printf buffer: these words, then records.
enum heddle_printf_buffer_word {
  HEDDLE_PRINTF_BYTES = 0,     // taken by records, more than there are when the buffer is full
  HEDDLE_PRINTF_LOST = 1,      // calls that found no room
  HEDDLE_PRINTF_CAPACITY = 2,  // bytes for records
  HEDDLE_PRINTF_HEADER_WORDS = 4,
};
enum heddle_printf_record_word {
  HEDDLE_PRINTF_LAYOUT = 0,  // number of the layout, from 1, and whether all of the record is there
  HEDDLE_PRINTF_WORK_ITEM = 1,
  HEDDLE_PRINTF_FORMAT = 2,  // address of the string
  HEDDLE_PRINTF_RECORD_VALUES = 3,
};
#define HEDDLE_PRINTF_COMPLETE 0x80000000u

// A pipe: these words, a mark for each slot, then the slots' packets. Counts and marks begin at 0, but for the turns.
enum heddle_pipe_word {
  HEDDLE_PIPE_PACKET_BYTES = 0,
  HEDDLE_PIPE_MAX_PACKETS = 1,
  HEDDLE_PIPE_SLOT_MASK = 2,       // slots - 1; there is a power of two of them, at least as many as packets
  HEDDLE_PIPE_PACKETS_OFFSET = 3,  // bytes from the first word to the first packet
  HEDDLE_PIPE_TAKEN_FOR_WRITING = 4,
  HEDDLE_PIPE_WRITTEN = 5,
  HEDDLE_PIPE_TAKEN_FOR_READING = 6,
  HEDDLE_PIPE_READ = 7,
  HEDDLE_PIPE_HEADER_WORDS = 16,
};
enum { HEDDLE_PIPE_PACKETS_ALIGNMENT = 128 };
#define HEDDLE_PIPE_MARK_WRITING_TURN 0x80000000u
#define HEDDLE_PIPE_MARK_WRITING_COMMITTED 0x40000000u
#define HEDDLE_PIPE_MARK_READING_TURN 0x20000000u
#define HEDDLE_PIPE_MARK_READING_COMMITTED 0x10000000u
#define HEDDLE_PIPE_MARK_PACKETS 0x0FFFFFFFu

// Kernel note, section .note.heddle (contract/DEVICE.md "Kernel files").
#define HEDDLE_NOTE_NAME "Heddle"
enum { HEDDLE_NOTE_KERNEL = 1, HEDDLE_NOTE_ISA = 2, HEDDLE_NOTE_PRINTF = 3 };
enum { HEDDLE_NOTE_BLOCK = 5, HEDDLE_NOTE_ENQUEUERS = 6, HEDDLE_NOTE_PIPELINES = 7, HEDDLE_NOTE_OPTIONS = 8 };
enum heddle_options_note_word {
  HEDDLE_OPTIONS_NOTE_VERSION = 0,
  HEDDLE_OPTIONS_NOTE_FLAGS = 1,
  HEDDLE_OPTIONS_NOTE_WORDS = 2,
};
enum heddle_option {
  HEDDLE_OPTION_UNIFORM = 1,  // work-groups have to be of one size
  HEDDLE_OPTION_CHECKS = 2,   // compiled for checks: fences, atomic accesses and addresses of variables are marked
};

// What lui to x0 says in code that was compiled for checks: with this bit the memory that the next barrier orders, bit
// 0 local and bit 1 global; without it the bytes of a variable.
enum { HEDDLE_CHECK_FLAGS = 1 << 19 };
// With that bit and this one: the kernel has misused a pipe or a device queue, and how.
enum { HEDDLE_CHECK_MISUSE = 1 << 16 };
enum heddle_misuse {
  HEDDLE_MISUSE_PACKET_BYTES = 1,    // packets of the pipe have another size than those of the kernel's parameter
  HEDDLE_MISUSE_PACKET = 2,          // a packet that the reservation does not have, or there is no such reservation
  HEDDLE_MISUSE_COMMIT = 3,          // there is no such reservation, or it was committed
  HEDDLE_MISUSE_QUEUE = 4,           // a device queue that is not the default one
  HEDDLE_MISUSE_RANGE = 5,           // an ndrange_t that the block cannot run in
  HEDDLE_MISUSE_WAIT_LIST = 6,       // it has what is no event, or has no events and a count
  HEDDLE_MISUSE_LOCAL_ARGUMENT = 7,  // of no bytes, or all take more than there are
  HEDDLE_MISUSE_EVENT = 8,           // what is no event, or for set_user_event_status no user event that waits
};
// The note about pipelines: the version, then for each kernel that can be one these words, those of each site, the
// names of source files, layouts of printf, constants, and variables.
enum heddle_pipelines_note_word {
  HEDDLE_PIPELINES_NOTE_KERNEL = 0,       // by the order of the kernels' notes
  HEDDLE_PIPELINES_NOTE_HASH = 1,         // 4 words, as in the table of kinds
  HEDDLE_PIPELINES_NOTE_LOCAL_BYTES = 5,  // of its local variables in the pipeline
  HEDDLE_PIPELINES_NOTE_NUM_SITES = 6,
  HEDDLE_PIPELINES_NOTE_NAME_BYTES = 7,
  HEDDLE_PIPELINES_NOTE_NUM_LAYOUTS = 8,
  HEDDLE_PIPELINES_NOTE_LAYOUT_BYTES = 9,
  HEDDLE_PIPELINES_NOTE_CONSTANT_BYTES = 10,
  HEDDLE_PIPELINES_NOTE_NUM_VARIABLES = 11,
  HEDDLE_PIPELINES_NOTE_VARIABLE_NAME_BYTES = 12,
  HEDDLE_PIPELINES_NOTE_WORDS = 13,
  HEDDLE_PIPELINES_NOTE_LATEST = 4,  // version
};
// Where a pipeline has its constant variables, each at a multiple of a size.
#define HEDDLE_PIPELINE_TABLES 0xE0000000u
enum { HEDDLE_PIPELINE_TABLE_LOG2 = 16 };
enum heddle_site_word { HEDDLE_SITE_LINE = 0, HEDDLE_SITE_FILE = 1, HEDDLE_SITE_WORDS = 2 };
enum heddle_enqueuers_note_word {  // then the kernels
  HEDDLE_ENQUEUERS_NOTE_VERSION = 0,
  HEDDLE_ENQUEUERS_NOTE_NUM_KERNELS = 1,
  HEDDLE_ENQUEUERS_NOTE_HEADER_WORDS = 2,
};
enum heddle_kernel_note_word {
  HEDDLE_NOTE_VERSION = 0,
  HEDDLE_NOTE_ENTRY = 1,
  HEDDLE_NOTE_ARGUMENT_BYTES = 2,
  HEDDLE_NOTE_LOCAL_BYTES = 3,
  HEDDLE_NOTE_REQD_WORK_GROUP_SIZE = 4,
  HEDDLE_NOTE_WORK_GROUP_SIZE_HINT = 7,
  HEDDLE_NOTE_SUB_GROUP_SIZE = 10,  // and above the shift below the number of sub-groups
  HEDDLE_NOTE_STACK_BYTES = 11,
  HEDDLE_NOTE_NUM_ARGUMENTS = 12,
  HEDDLE_NOTE_STRING_BYTES = 13,
  HEDDLE_NOTE_NAME_OFFSET = 14,
  HEDDLE_NOTE_ATTRIBUTES_OFFSET = 15,
  HEDDLE_NOTE_HEADER_WORDS = 16,
  HEDDLE_NOTE_WORDS_PER_ARGUMENT = 10,
};
enum { HEDDLE_NOTE_NUM_SUB_GROUPS_SHIFT = 16, HEDDLE_NOTE_NUM_SUB_GROUPS_MAX = 0xFFFF };
enum heddle_argument_note_word {
  HEDDLE_ARGUMENT_OFFSET = 0,
  HEDDLE_ARGUMENT_SIZE = 1,
  HEDDLE_ARGUMENT_ALIGNMENT = 2,
  HEDDLE_ARGUMENT_ADDRESS_SPACE = 3,
  HEDDLE_ARGUMENT_ACCESS = 4,
  HEDDLE_ARGUMENT_TYPE_QUALIFIERS = 5,
  HEDDLE_ARGUMENT_KIND = 6,
  HEDDLE_ARGUMENT_NAME_OFFSET = 7,
  HEDDLE_ARGUMENT_TYPE_NAME_OFFSET = 8,
};
enum heddle_printf_note_word {  // then the kernels, then the layouts
  HEDDLE_PRINTF_NOTE_VERSION = 0,
  HEDDLE_PRINTF_NOTE_NUM_KERNELS = 1,
  HEDDLE_PRINTF_NOTE_NUM_LAYOUTS = 2,
  HEDDLE_PRINTF_NOTE_HEADER_WORDS = 3,
};
// What printf's arguments are: the low byte of a layout's word. Above it bytes of one element (8 bits), elements (16).
enum heddle_printf_kind { HEDDLE_PRINTF_INTEGER = 1, HEDDLE_PRINTF_FLOAT = 2, HEDDLE_PRINTF_POINTER = 3 };

#endif
