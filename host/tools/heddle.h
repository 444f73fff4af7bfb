// SPDX-License-Identifier: Apache-2.0
// The commands of the `heddle` tool. Each takes its own arguments (argv[0] is the command) and returns the exit status.
#ifndef HEDDLE_TOOLS_HEDDLE_H
#define HEDDLE_TOOLS_HEDDLE_H

int command_info(int argc, char **argv);
int command_run(int argc, char **argv);
int command_disassemble(int argc, char **argv);
int command_cache(int argc, char **argv);
int command_pack(int argc, char **argv);
int command_flash(int argc, char **argv);

#endif
