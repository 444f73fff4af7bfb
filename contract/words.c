// SPDX-License-Identifier: Apache-2.0
// Splits options (words.h).
#include "contract/words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char **heddle_words_split(const char *text, size_t *count) {
  // A word takes a character and a blank at least, so half as many and one is room for all.
  const size_t length = strlen(text), most = length / 2 + 2;
  char **words = malloc(most * sizeof *words + length + 1);
  if (!words) {
    errno = ENOMEM;
    return NULL;
  }
  char *to = (char *)(words + most), *word = to;
  bool in_word = false;
  char quote = 0;
  *count = 0;
  for (const char *c = text; *c; c++) {
    if (*c == '\\' && quote != '\'' && c[1] && strchr("\"'\\ ", c[1])) {
      *to++ = *++c;
      in_word = true;
    } else if (quote) {
      if (*c == quote)
        quote = 0;
      else
        *to++ = *c;
    } else if (*c == '"' || *c == '\'') {
      quote = *c;
      in_word = true;
    } else if (strchr(" \t\r\n\f\v", *c)) {
      if (in_word) {
        *to++ = 0;
        words[(*count)++] = word;
      }
      word = to;
      in_word = false;
    } else {
      *to++ = *c;
      in_word = true;
    }
  }
  if (quote) {
    free(words);
    errno = EINVAL;
    return NULL;
  }
  *to = 0;
  if (in_word)
    words[(*count)++] = word;
  words[*count] = NULL;
  return words;
}

void heddle_words_quote(const char *value, char *quoted) {
  *quoted++ = '"';
  for (; *value; value++) {
    if (*value == '"' || *value == '\\')
      *quoted++ = '\\';
    *quoted++ = *value;
  }
  strcpy(quoted, "\"");
}
