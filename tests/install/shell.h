// SPDX-License-Identifier: Apache-2.0
// Commands as somebody runs them who has installed Heddle and never seen the checkout: nothing of the test's
// environment, in a folder of their own.
#ifndef HEDDLE_TESTS_INSTALL_SHELL_H
#define HEDDLE_TESTS_INSTALL_SHELL_H

// Before a test and after it: where Heddle is installed, and the folder that holds its ICD file; in the test's own
// folder, which is then the current one and HOME, unless they begin with /.
void begin(const char *prefix, const char *vendors);
void finish(void);

// Runs a command by bash; it holds no '. What it prints, on standard error too, is the result, to be freed.
char *output_and_status(int *status, const char *command);
// The same, and the test fails unless the status is 0.
char *output_of(const char *command);
void expect_output(const char *expected, const char *command);

void write_file(const char *name, const char *text);
char *read_file(const char *name);

#endif
