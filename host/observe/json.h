// SPDX-License-Identifier: Apache-2.0
// Strings of JSON.
#ifndef HEDDLE_OBSERVE_JSON_H
#define HEDDLE_OBSERVE_JSON_H

#include <stdint.h>
#include <stdio.h>

// Writes a string of at most `bytes` bytes, quoted; null where `text` is NULL. Bytes that are not UTF-8 become '?'. '<'
// is escaped, so that the result may stand in a script of an HTML page.
void heddle_json_string(FILE *out, const char *text, size_t bytes);

#endif
