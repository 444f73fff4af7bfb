// SPDX-License-Identifier: Apache-2.0
// What heddlec makes of blocks that are enqueued: a note each, that is not a kernel's, and numbers in the code.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/kernel_file_reader.h"

static const char source[] =
    "void again(global int *out, int n) {\n"
    "  if (n > 0) enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ int a[256]; a[n & 255] = n;\n"
    "    out[a[out[1] & 255] & 1] = n; again(out, n - 1); });\n}\n"
    "kernel void first(global int *out, queue_t q) { again(out, 4);\n"
    "  enqueue_kernel(q, 0, ndrange_1D(8), ^(local void *a, local void *b) { *(local int *)a = *(local int *)b; }, 4u, "
    "8u); }\n"
    "kernel void second(global int *out) { out[0] = 1; }\n"
    "kernel void third(global int *out) { clk_event_t e = create_user_event(); out[0] = is_valid_event(e); }\n";

Test(device_queue, blocks_have_notes_and_entries_of_their_own) {
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  const struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *again = kernel_file_block_note(&file, 1), *second = kernel_file_block_note(&file, 2);
  cr_assert_str_eq(note_string(again, again[14]), "__again_block_invoke_kernel");
  cr_assert_eq(again[2], 4, "the literal's address is all that it takes");
  cr_assert_eq(again[12], 1);
  cr_assert_eq(note_argument(again, 0)[3], 4, "which is generic");
  cr_assert_eq(second[12], 3);
  cr_assert_eq(note_argument(second, 1)[3], 3);
  cr_assert_eq(note_argument(second, 2)[0], 8);
  cr_assert_neq(again[1], second[1]);
  cr_assert_eq(again[1], kernel_file_symbol(&file, "__again_block_invoke_kernel"));
  cr_assert_null(kernel_file_block_note(&file, 3));
  // That it enqueues itself is no recursion: its stack is known, and its own.
  cr_assert(again[11] >= 1024 && again[11] < 2048, "%u bytes of stack", again[11]);
  const uint32_t *first = kernel_file_note(&file, "first");
  cr_assert(first[11] > 0 && first[11] < 1024, "%u bytes of stack", first[11]);
  cr_assert_eq(note_argument(first, 1)[6], 4, "a queue is an argument of its own kind");
  cr_assert_eq(note_argument(first, 1)[1], 4);
  result_free(&result);
}

Test(device_queue, kernels_that_need_a_queue_are_told) {
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  const struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_enqueuers_note(&file);
  // Kernels 0 to 2, then the blocks: the second block enqueues nothing, and neither does the second kernel.
  const uint32_t expected[] = {1, 3, 0, 2, 3};
  cr_assert_not_null(note);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_assert_eq(note[i], expected[i], "word %zu: expected %u, got %u", i, expected[i], note[i]);
  result_free(&result);
  result = compile_well("kernel void k(global int *out) { out[0] = 1; }\n", "-cl-std=CL3.0", NULL);
  const struct kernel_file other = kernel_file_open(result.bytes, result.size);
  cr_assert_null(kernel_file_enqueuers_note(&other));
  cr_assert_null(kernel_file_block_note(&other, 1));
  result_free(&result);
}

Test(device_queue, without_atomics_blocks_are_refused) {
  expect_refusal(compile(source, "-cl-std=CL3.0", "--isa", "rv32im_zicsr", NULL), 1, "error: ");
}
