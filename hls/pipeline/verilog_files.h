// SPDX-License-Identifier: Apache-2.0
// Files of Verilog that --verilog names: modules that are functions of kernels (verilog_functions.h). They are read as
// words, so that it is known which modules are there, and that a simulator or a synthesis tool does no more with them
// than with a circuit: no other files, no calls of the host.
#ifndef HEDDLE_HLS_PIPELINE_VERILOG_FILES_H
#define HEDDLE_HLS_PIPELINE_VERILOG_FILES_H

#include <stdbool.h>

#include "contract/status.h"
#include "hls/kernel.h"
#include "hls/pipeline/verilog_functions.h"
#include "hls/strings.h"

// A port; width 0: no number says it.
struct verilog_port {
  char name[VERILOG_NAME_BYTES];
  unsigned width;
  bool is_input;
};
enum { VERILOG_MOST_PORTS = 32 };

struct verilog_module {
  char name[VERILOG_NAME_BYTES];
  struct verilog_port ports[VERILOG_MOST_PORTS];
  unsigned port_count;
};

struct verilog_files {
  const struct strings *paths;
  char **texts;
  struct verilog_module *modules;
  size_t module_count;
};

// Reads them. STATUS_INVALID_OPTIONS of a file that cannot be read, STATUS_REJECTED of what a file may not have; both
// explained on stderr. To be freed in any case.
enum status verilog_files_read(const struct strings *paths, struct verilog_files *files);
void verilog_files_free(struct verilog_files *files);

// Whether they have the modules that a prepared kernel's body calls, with the ports that it needs. Explained on stderr.
enum status verilog_files_check(const struct verilog_files *files, const struct kernel *kernel);

// Copies them to the folder that `heddlec --hardware` makes, as pipeline_verilog.NAME.v.
enum status verilog_files_copy(const struct verilog_files *files, const char *folder);

#endif
