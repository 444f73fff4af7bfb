// SPDX-License-Identifier: Apache-2.0
// What is known about memory, by pages that are made when something becomes known (check_state.h).
#include <stdlib.h>
#include <string.h>

#include "sim/model/check_state.h"

struct check_page *check_page(struct model_check *c, uint32_t physical) {
  struct check_page **page = &c->pages[physical >> MODEL_PAGE_LOG2];
  if (!*page) {
    *page = calloc(1, sizeof **page);
    c->incomplete = c->incomplete || !*page;
  }
  return *page;
}

static void free_page(struct check_page *page) {
  if (page) {
    free(page->released);
    free(page->words);
    free(page->bytes);
    free(page);
  }
}

void check_destroy_pages(struct model_check *c) {
  for (size_t i = 0; c->pages && i < c->num_pages; i++)
    free_page(c->pages[i]);
  free(c->pages);
}

// Bits of the word at `at` that lie in first to end - 1.
static uint32_t bits_inside(uint64_t at, uint64_t first, uint64_t end) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 4; i++)
    bits |= at + i >= first && at + i < end ? 0xFFu << 8 * i : 0;
  return bits;
}

// The words of a page from first up to end, of which all lie in the page.
static void set_words(struct check_page *page, uint64_t first, uint64_t end, bool are_written) {
  for (uint64_t at = first & ~UINT64_C(3); at < end; at += 4) {
    const uint32_t word = (uint32_t)(at / 4 % CHECK_PAGE_WORDS), bits = bits_inside(at, first, end);
    page->provenance[word] = page->origin[word] = 0;
    page->written[word] = are_written ? page->written[word] | bits : page->written[word] & ~bits;
  }
}

static void set_range(struct model_check *c, uint32_t physical, uint64_t bytes, bool are_written) {
  const uint64_t end = physical + bytes;
  for (uint64_t at = physical; at < end;) {
    const uint64_t page_end = (at | (CHECK_PAGE_BYTES - 1)) + 1, stop = end < page_end ? end : page_end;
    struct check_page *page = are_written ? check_page(c, (uint32_t)at) : check_known_page(c, (uint32_t)at);
    if (page && !are_written && stop - at == CHECK_PAGE_BYTES) {
      free_page(page);
      c->pages[at >> MODEL_PAGE_LOG2] = NULL;
    } else if (page) {
      set_words(page, at, stop, are_written);
    }
    at = stop;
  }
}

void check_forget(struct model_check *c, uint32_t physical, uint64_t bytes) {
  set_range(c, physical, bytes, false);
}

void check_all_written(struct model_check *c, uint32_t physical, uint64_t bytes) {
  set_range(c, physical, bytes, true);
}

// Each byte gets what its word had.
static struct check_cell *bytes_of_words(const struct check_cell *words) {
  struct check_cell *bytes = calloc(CHECK_PAGE_BYTES, sizeof *bytes);
  for (uint32_t i = 0; bytes && words && i < CHECK_PAGE_BYTES; i++)
    bytes[i] = words[i / 4];
  return bytes;
}

struct check_cell *check_cells(struct model_check *c, uint32_t physical, uint32_t bytes, uint32_t *count) {
  struct check_page *page = check_page(c, physical);
  if (!page)
    return NULL;
  if (bytes == 4 && !page->bytes) {
    if (!page->words)
      page->words = calloc(CHECK_PAGE_WORDS, sizeof *page->words);
    c->incomplete = c->incomplete || !page->words;
    *count = 1;
    return page->words ? &page->words[physical / 4 % CHECK_PAGE_WORDS] : NULL;
  }
  if (!page->bytes) {
    page->bytes = bytes_of_words(page->words);
    c->incomplete = c->incomplete || !page->bytes;
    free(page->words);
    page->words = NULL;
  }
  *count = bytes;
  return page->bytes ? &page->bytes[physical % CHECK_PAGE_BYTES] : NULL;
}
