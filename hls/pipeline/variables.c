// SPDX-License-Identifier: Apache-2.0
#include "hls/pipeline/variables.h"

#include <string.h>

#include "hls/address_spaces.h"
#include "hls/pipeline/tables.h"

bool variables_are_in_memory(LLVMTargetDataRef layout, LLVMValueRef variable) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != LOCAL_ADDRESS_SPACE &&
         !table_is_possible(layout, variable);
}

void variables_share(LLVMModuleRef module, const struct kernel *kernel) {
  for (size_t i = 0; i < kernel->variables.count; i++)
    LLVMSetLinkage(LLVMGetNamedGlobal(module, kernel->variables.items[i]), LLVMExternalLinkage);
}

static unsigned first_word(const struct graph *graph) {
  return graph_argument_word((graph->source->argument_bytes + 3) / 4 * 4);
}

unsigned variables_word(const struct graph *graph, LLVMValueRef variable) {
  const struct strings *names = &graph->source->variables;
  size_t length;
  const char *name = LLVMGetValueName2(variable, &length);
  for (size_t i = 0; i < names->count && names->count <= MOST_VARIABLES; i++)
    if (strcmp(names->items[i], name) == 0)
      return first_word(graph) + (unsigned)i;
  return 0;
}

bool variables_have(const struct graph *graph, unsigned word) {
  return word >= first_word(graph) && word - first_word(graph) < graph->source->variables.count;
}
