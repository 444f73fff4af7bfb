// SPDX-License-Identifier: Apache-2.0
// The decoded instructions, a page at a time. A page is empty when it is made; execute_body.h decodes each instruction
// when it first runs. Writes put instructions back to OP_DECODE, so a program may write code and jump to it.
#include <stdlib.h>
#include <string.h>

#include "sim/model/device.h"

struct model_op *model_code(struct model_device *d, uint32_t pc) {
  uint32_t page = pc >> MODEL_PAGE_LOG2;
  if (d->code[page])
    return d->code[page]->op;
#ifndef MODEL_ONE_THREAD
  // Another thread could want to make it, too: this one gives up at the first instruction.
  static struct model_op none[] = {[0 ... MODEL_PAGE_WORDS] = {.kind = OP_ILLEGAL}};
  if (d->course) {
    d->gave_up = true;
    return none;
  }
#endif
  struct model_code_page *p = NULL;
  if (d->code_page_count < MODEL_MAX_CODE_PAGES)
    p = malloc(sizeof *p);
  if (p) {
    d->code_pages[d->code_page_count++] = p;
  } else {
    // There is always one: the device is created with it.
    p = d->code_pages[d->next_code_page];
    d->next_code_page = (d->next_code_page + 1) % d->code_page_count;
    d->code[p->page] = NULL;
  }
  memset(p, 0, sizeof *p);
  p->page = page;
  p->op[MODEL_PAGE_WORDS].kind = OP_PAGE_END;
  d->code[page] = p;
  return p->op;
}

void model_code_written(struct model_device *d, uint32_t physical, size_t bytes) {
  size_t end = physical + bytes;
  for (size_t at = physical & ~(size_t)3; at < end;) {
    size_t page = at >> MODEL_PAGE_LOG2, page_end = (page + 1) << MODEL_PAGE_LOG2;
    size_t stop = end < page_end ? end : page_end;
    struct model_code_page *p = d->code[page];
    if (p) {
      p->complete = false;
      for (size_t word = at; word < stop; word += 4)
        p->op[(word >> 2) % MODEL_PAGE_WORDS].kind = OP_DECODE;
    }
    at = page_end;
  }
}
