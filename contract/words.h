// SPDX-License-Identifier: Apache-2.0
// Options in one string, as clBuildProgram takes them.
#ifndef HEDDLE_CONTRACT_WORDS_H
#define HEDDLE_CONTRACT_WORDS_H

#include <stddef.h>

// The words of a text. Blanks part them; double and single quotes keep blanks in a word, and a backslash takes the
// meaning from a quote, a backslash or a blank behind it, but in single quotes. The list is ended by NULL and one
// allocation, which the caller frees. NULL: a quote is not closed (errno is EINVAL), or there is no memory (ENOMEM).
char **heddle_words_split(const char *text, size_t *count);

// Writes a value in double quotes, which splitting makes one word again. `quoted` has room for twice the value and 3.
void heddle_words_quote(const char *value, char *quoted);

#endif
