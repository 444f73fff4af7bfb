// SPDX-License-Identifier: Apache-2.0
// Command line of heddlec.
#ifndef HEDDLE_HLS_OPTIONS_H
#define HEDDLE_HLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "contract/status.h"
#include "hls/strings.h"

// From source to kernel file; from source to object file; from object files to kernel file or library; from source to
// kernel pipelines.
enum mode { MODE_BUILD, MODE_COMPILE, MODE_LINK, MODE_HARDWARE };

enum { MOST_COPIES = 15 };  // of a pipeline: units that a device has

enum emit { EMIT_ELF, EMIT_OBJ, EMIT_ASM, EMIT_LL };

// --share without a number, and the most that it takes.
enum { OPTIONS_USUAL_SHARE = 4, OPTIONS_MOST_SHARE = 256 };

struct options {
  enum mode mode;
  struct strings inputs;   // their paths; of a source "-" for standard input
  const char *output;      // path of the result
  const char *name;        // what diagnostics call the source; NULL: its path
  const char *isa;         // ISA string the device reports
  struct strings headers;  // embedded ones: name in #include, path, name, path, ...
  const char *scratch;     // folder for files in between, lent by the program that runs heddlec; NULL: a new one
  const char *depend;      // path of the list of files that were included; NULL: nobody asks
  enum emit emit;
  bool has_double;  // --double: kernels are offered it, in software
  bool verbose;
  bool is_quiet;          // no warnings for a source that compiles: they have been printed before, or will be
  const char *asks;       // --help, -h or --version; NULL: nothing is asked
  unsigned time_limit;    // seconds of processor time that a tool may take
  unsigned memory_limit;  // MiB a tool may map

  // Build options. In MODE_LINK the object files say what they were compiled with.
  bool has_debug;          // -g: kernels are told why they cannot enqueue
  bool optimize;           // false with -cl-opt-disable
  bool has_checks;         // code for a device that checks kernels
  bool is_uniform;         // an option asks for uniform work-groups; old versions of the language imply them
  const char *version;     // of the language, as -cl-std names it: CL1.2
  struct strings macros;   // of -D, each as what follows #define
  struct strings folders;  // of -I
  struct strings clang;    // the others, spelled for clang

  // In MODE_HARDWARE.
  struct strings kernels;        // names of --kernel; none: all kernels
  struct strings verilog;        // files of --verilog
  struct strings pipes;          // that are on the chip, each "WRITER.PIPE=READER.PIPE"
  unsigned lanes;                // of pipelines of kernels that do not say; a power of two up to 32
  unsigned slots;                // sub-groups in flight, a power of two up to 256
  unsigned copies;               // pipelines of each kernel; 0: one
  struct strings kernel_copies;  // of one kernel, "NAME=N"
  unsigned unroll;               // rounds in one of innermost loops without a hint; 0: as the source has them
  unsigned port_words;           // most words of an access of a pipeline's memory port; 0: as many as are of use
  unsigned share;                // cycles between sub-groups that sharing operators in a pipeline may cost; 0: none
  const char *report;            // path of the report; NULL: report.html among the results
  unsigned work_items;           // of the dispatch that the report tells cycles for
  bool emit_ir;                  // the prepared IR as text instead of hardware
  const char *board;             // that the pipelines have to fit on (contract/boards.h); NULL: none is named
  bool fit;                      // --fit: choose for this board what no option gives
  unsigned work_group;           // work-items of the work-groups that --fit chooses for; 0: nothing is said of them
  bool beside_unit;              // the pipelines stand beside a programmable unit, not instead of it

  // Pipelines that the device has, "HASH:LANES:SLOTS:SITES" or, of a chain, with ":r1w0" behind it, the numbers of the
  // arguments by which it reads and writes pipes on the chip: the kernel file says which of its kernels they are.
  struct strings pipelines;

  // Link options.
  bool create_library, enable_link_options;
  unsigned fast_math;  // what operations may be taken for granted: LLVMFastMathFlags
};

// Copies that are asked for of a kernel's pipeline; 0: nothing is said of it.
unsigned options_copies(const struct options *options, const char *kernel);

// What diagnostics call the source.
const char *options_source_name(const struct options *options);

// Fills *options from the command line. On STATUS_OK with no inputs everything asked for (--help, --version) has been
// printed. Errors are explained on stderr. options_free releases it in every case.
enum status options_parse(int argc, char **argv, struct options *options);
void options_free(struct options *options);

#endif
