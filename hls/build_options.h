// SPDX-License-Identifier: Apache-2.0
// Build, compile and link options of OpenCL (API 3.0, sections 5.8.6 and 5.8.7).
#ifndef HEDDLE_HLS_BUILD_OPTIONS_H
#define HEDDLE_HLS_BUILD_OPTIONS_H

#include "hls/options.h"

// Splits the string that an OpenCL program passes at white space. Double and single quotes group, and a backslash
// before a quote, a backslash or a blank takes it literally: -DTEXT=\"a\", -I "dir with blanks".
// STATUS_INVALID_OPTIONS, explained on stderr, for a quote that does not end.
enum status build_options_split(const char *text, struct strings *words);

// Whether the option has its value in the next word.
bool build_option_has_value(const char *word);

// Takes the words into *options: link options in MODE_LINK, else build options. STATUS_INVALID_OPTIONS, explained on
// stderr, for anything else.
enum status build_options_take(const struct strings *words, struct options *options);

#endif
