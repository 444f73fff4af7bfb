// SPDX-License-Identifier: Apache-2.0
// Work-items of one sub-group that wait for each other in loops (contract/DEVICE.md, "Which lanes run"): whoever can
// run makes progress, whether what it does lies before or behind the loop of those that wait for it. Locks as public
// programs write them, in any place of the code; and waiting without atomics.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static cl_program build_of_size(const char *source, uint32_t size, const char *options) {
  char all[200];
  snprintf(all, sizeof all,
           "-cl-std=CL3.0 -DSIZE=%u -DIN_SUB_GROUPS=__attribute__((intel_reqd_sub_group_size(SIZE)))%s", size, options);
  return build(source, all);
}

static void require_atomics(void) {
  cl_device_atomic_capabilities atomics = 0;
  EXPECT_SUCCESS(
      clGetDeviceInfo(harness()->device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics, &atomics, NULL));
  if (atomics == 0)
    cr_skip_test("the device has no atomics");
}

// The RTL takes seconds for some hundred thousand instructions, so it has less to do in `make test`.
static bool is_slow(void) {
  return harness()->is_rtl && !harness()->is_long;
}

static uint32_t group_count(void) {
  return is_slow() ? 1 : 2;
}

// Sub-groups of every size; of each, work-groups of a part of a sub-group, of one, and of more. Where that is slow
// those that fill the lanes, in a work-group of more than one.
static void each_shape(void (*check)(uint32_t size, uint32_t local)) {
  for (uint32_t size = is_slow() ? harness()->lanes : 1; size <= harness()->lanes; size *= 2) {
    const uint32_t more = (is_slow() ? 1 : 2) * size + size / 2, most = (uint32_t)harness()->max_work_group_size;
    if (size > 2 && !is_slow())
      check(size, size - 1);
    if (!is_slow())
      check(size, size);
    check(size, more < most ? more : most);
  }
}

// ---- a lock

// Those that wait spin before the critical section, behind it, in a function, or in loops in loops; some try, and do
// not wait.
static const char lock_source[] =
    "void enter(volatile global int *lock) { while (atomic_xchg(lock, 1) != 0) ; }\n"
    "void leave(volatile global int *lock) { atomic_xchg(lock, 0); }\n"
    "IN_SUB_GROUPS kernel void k_spin(volatile global int *lock, volatile global int *sum) {\n"
    "  while (atomic_xchg(lock, 1) != 0) ;\n"
    "  *sum += (int)get_global_id(0) + 1;\n"
    "  atomic_xchg(lock, 0);\n}\n"
    "IN_SUB_GROUPS kernel void k_cas(volatile global int *lock, volatile global int *sum) {\n"
    "  while (atomic_cmpxchg(lock, 0, 1) != 0) ;\n"
    "  *sum += (int)get_global_id(0) + 1;\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "  *lock = 0;\n}\n"
    "IN_SUB_GROUPS kernel void k_try(volatile global int *lock, volatile global int *sum) {\n"
    "  for (int done = 0; !done;)\n"
    "    if (atomic_xchg(lock, 1) == 0) {\n"
    "      *sum += (int)get_global_id(0) + 1;\n"
    "      atomic_xchg(lock, 0);\n"
    "      done = 1;\n"
    "    }\n}\n"
    "IN_SUB_GROUPS kernel void k_test_first(volatile global int *lock, volatile global int *sum) {\n"
    "  do {\n"
    "    while (*lock != 0) ;\n"
    "  } while (atomic_xchg(lock, 1) != 0);\n"
    "  *sum += (int)get_global_id(0) + 1;\n"
    "  atomic_xchg(lock, 0);\n}\n"
    "IN_SUB_GROUPS kernel void k_function(volatile global int *lock, volatile global int *sum) {\n"
    "  enter(lock);\n"
    "  *sum += (int)get_global_id(0) + 1;\n"
    "  leave(lock);\n}\n"
    // Twice each, with a loop in the critical section that each leaves after another number of rounds.
    "IN_SUB_GROUPS kernel void k_rounds(volatile global int *lock, volatile global int *sum) {\n"
    "  for (int i = 0; i < 2; i++) {\n"
    "    enter(lock);\n"
    "    for (int j = 0;; j++) {\n"
    "      if (j > (int)get_local_id(0) % 3) break;\n"
    "      (*sum)++;\n"
    "    }\n"
    "    *sum += (int)get_global_id(0) - (int)get_local_id(0) % 3;\n"
    "    leave(lock);\n"
    "  }\n}\n"
    // All meet again behind it.
    "IN_SUB_GROUPS kernel void k_barrier(volatile global int *lock, volatile global int *sum) {\n"
    "  enter(lock);\n"
    "  *sum += (int)get_global_id(0) + 1;\n"
    "  leave(lock);\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  if (sub_group_reduce_add(1) != (int)get_sub_group_size()) *sum = -1;\n}\n";

static void check_locks(uint32_t size, uint32_t local) {
  static const char *const names[] = {"k_spin",     "k_cas",    "k_try",    "k_test_first",
                                      "k_function", "k_rounds", "k_barrier"};
  cl_program program = build_of_size(lock_source, size, "");
  const uint32_t items = group_count() * local;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    cl_kernel kernel = kernel_of(program, names[k]);
    cl_mem lock = buffer_with(NULL, 4), sum = buffer_with(NULL, 4);
    set_args(kernel, ARG(lock), ARG(sum), END_ARGS);
    run_1d(kernel, items, local);
    uint32_t expected = items * (items + 1) / 2, got;
    if (strcmp(names[k], "k_rounds") == 0)
      expected *= 2;
    read_buffer(sum, &got, 4);
    expect_u32(names[k], &expected, &got, 1);
    clReleaseMemObject(lock);
    clReleaseMemObject(sum);
  }
  clReleaseProgram(program);
}

Test(work_item_progress, work_items_take_turns_on_a_lock) {
  require_atomics();
  each_shape(check_locks);
}

// ---- a lock with tickets: who comes first enters first

static const char ticket_source[] =
    "IN_SUB_GROUPS kernel void k(volatile global int *next, volatile global int *serving, global int *order) {\n"
    "  int ticket = atomic_inc(next);\n"
    "  while (atomic_add(serving, 0) != ticket) ;\n"
    "  order[ticket] = (int)get_global_id(0) + 1;\n"
    "  atomic_inc(serving);\n}\n";

static void check_tickets(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(ticket_source, size, "");
  const uint32_t items = group_count() * local;
  cl_mem next = buffer_with(NULL, 4), serving = buffer_with(NULL, 4), order = buffer_with(NULL, 4 * items);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(next), ARG(serving), ARG(order), END_ARGS);
  run_1d(kernel, items, local);
  uint32_t *got = allocate(4 * items), *times = allocate(4 * items), *once = allocate(4 * items);
  read_buffer(order, got, 4 * items);
  for (uint32_t i = 0; i < items; i++) {
    once[i] = 1;
    if (got[i] >= 1 && got[i] <= items)
      times[got[i] - 1]++;
  }
  expect_u32("times that a work-item was served", once, times, items);
  free(got);
  free(times);
  free(once);
  clReleaseMemObject(next);
  clReleaseMemObject(serving);
  clReleaseMemObject(order);
  clReleaseProgram(program);
}

Test(work_item_progress, work_items_enter_by_tickets) {
  require_atomics();
  each_shape(check_tickets);
}

// ---- two locks, of which one is taken within the other: those that wait stand in two loops, before and behind who
// holds both.

static const char nested_source[] =
    "#define ENTER(n) while (atomic_xchg(locks + (n), 1) != 0)\n"
    "IN_SUB_GROUPS kernel void k(volatile global int *locks, volatile global int *sum) {\n"
    "  int odd = get_local_id(0) & 1;\n"
    "  if (!odd) ENTER(0);\n"
    "  ENTER(1);\n"
    "  sum[0] += (int)get_global_id(0) + 1;\n"
    "  if (!odd) { sum[1]++; atomic_xchg(locks + 1, 0); ENTER(2); sum[2]++; atomic_xchg(locks + 2, 0);\n"
    "    atomic_xchg(locks, 0); return; }\n"
    "  ENTER(2);\n"
    "  sum[2]++;\n"
    "  atomic_xchg(locks + 2, 0);\n"
    "  atomic_xchg(locks + 1, 0);\n}\n";

static void check_nested(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(nested_source, size, "");
  const uint32_t items = group_count() * local,
                 expected[] = {items * (items + 1) / 2, group_count() * ((local + 1) / 2), items};
  cl_mem locks = buffer_with(NULL, 12), sum = buffer_with(NULL, 12);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(locks), ARG(sum), END_ARGS);
  run_1d(kernel, items, local);
  uint32_t got[3];
  read_buffer(sum, got, sizeof got);
  expect_u32("what three locks guard", expected, got, 3);
  clReleaseMemObject(locks);
  clReleaseMemObject(sum);
  clReleaseProgram(program);
}

Test(work_item_progress, locks_are_taken_within_locks) {
  require_atomics();
  each_shape(check_nested);
}

// ---- a hash table with a lock for each bucket, whose entries are lists

static const char table_source[] =
    "IN_SUB_GROUPS kernel void k(volatile global int *locks, volatile global int *heads, volatile global int *nexts,\n"
    "                            uint buckets, uint each) {\n"
    "  for (uint i = 0; i < each; i++) {\n"
    "    int entry = (int)(get_global_id(0) * each + i);\n"
    "    uint bucket = (uint)entry * 2654435761u % buckets;\n"
    "    while (atomic_cmpxchg(locks + bucket, 0, 1) != 0) ;\n"
    "    nexts[entry] = heads[bucket];\n"
    "    heads[bucket] = entry + 1;\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    atomic_xchg(locks + bucket, 0);\n"
    "  }\n}\n";

static void check_table(uint32_t size, uint32_t local) {
  enum { BUCKETS = 3, EACH = 2 };
  cl_program program = build_of_size(table_source, size, "");
  const uint32_t entries = group_count() * local * EACH;
  const cl_uint buckets = BUCKETS, each = EACH;
  cl_mem locks = buffer_with(NULL, 4 * BUCKETS), heads = buffer_with(NULL, 4 * BUCKETS),
         nexts = buffer_with(NULL, 4 * entries);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(locks), ARG(heads), ARG(nexts), ARG(buckets), ARG(each), END_ARGS);
  run_1d(kernel, group_count() * local, local);
  uint32_t head[BUCKETS], *next = allocate(4 * entries), *times = allocate(4 * entries), *once = allocate(4 * entries);
  read_buffer(heads, head, sizeof head);
  read_buffer(nexts, next, 4 * entries);
  for (uint32_t b = 0; b < BUCKETS; b++)
    for (uint32_t at = head[b], steps = 0; at != 0 && at <= entries && steps <= entries; at = next[at - 1], steps++)
      times[at - 1] += (at - 1) * 2654435761u % BUCKETS == b;
  for (uint32_t i = 0; i < entries; i++)
    once[i] = 1;
  expect_u32("times that an entry is in the list of its bucket", once, times, entries);
  free(next);
  free(times);
  free(once);
  clReleaseMemObject(locks);
  clReleaseMemObject(heads);
  clReleaseMemObject(nexts);
  clReleaseProgram(program);
}

Test(work_item_progress, a_hash_table_has_a_lock_for_each_bucket) {
  require_atomics();
  each_shape(check_table);
}

// ---- a sorted list, into which each inserts under one lock

static const char list_source[] =
    "IN_SUB_GROUPS kernel void k(volatile global int *lock, volatile global int *next, global const int *keys) {\n"
    "  int me = (int)get_global_id(0) + 1, at = 0;\n"
    "  while (atomic_xchg(lock, 1) != 0) ;\n"
    "  while (next[at] != 0 && keys[next[at] - 1] < keys[me - 1]) at = next[at];\n"
    "  next[me] = next[at];\n"
    "  next[at] = me;\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "  atomic_xchg(lock, 0);\n}\n";

static void check_list(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(list_source, size, "");
  const uint32_t items = group_count() * local;
  uint32_t *keys = allocate(4 * items), *next = allocate(4 * (items + 1)), *got = allocate(4 * items),
           *expected = allocate(4 * items);
  for (uint32_t i = 0; i < items; i++) {
    keys[i] = i * 7919 % items * 10 + i % 10;  // all differ
    for (uint32_t j = 0; j < i; j++)
      cr_assert_neq(keys[i], keys[j]);
  }
  for (uint32_t i = 0; i < items; i++) {
    uint32_t before = 0;
    for (uint32_t j = 0; j < items; j++)
      before += keys[j] < keys[i];
    expected[before] = keys[i];
  }
  cl_mem lock = buffer_with(NULL, 4), list = buffer_with(NULL, 4 * (items + 1)), key = buffer_with(keys, 4 * items);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(lock), ARG(list), ARG(key), END_ARGS);
  run_1d(kernel, items, local);
  read_buffer(list, next, 4 * (items + 1));
  for (uint32_t at = next[0], i = 0; at != 0 && at <= items && i < items; at = next[at], i++)
    got[i] = keys[at - 1];
  expect_u32("the list's keys", expected, got, items);
  free(keys);
  free(next);
  free(got);
  free(expected);
  clReleaseMemObject(lock);
  clReleaseMemObject(list);
  clReleaseMemObject(key);
  clReleaseProgram(program);
}

Test(work_item_progress, a_sorted_list_is_made_under_a_lock) {
  require_atomics();
  each_shape(check_list);
}

// ---- a tree of intervals, as octrees are built: who comes to a leaf that is taken locks it, and splits it into two
// until both leaves have a place of their own; who comes to a locked one waits for it.

static const char tree_source[] =
    "enum { EMPTY = 0, LOCKED = -1 };\n"  // else a leaf's key + 1, or minus an inner node's number
    "IN_SUB_GROUPS kernel void k(volatile global int *tree, volatile global int *nodes, global const int *keys) {\n"
    "  int key = keys[get_global_id(0)], bit = 15, place = 0;\n"
    "  for (;;) {\n"
    "    int found;\n"
    "    while ((found = atomic_add(tree + place, 0)) == LOCKED) ;\n"
    "    if (found < LOCKED) {\n"
    "      place = -found * 2 + (key >> bit & 1);\n"
    "      bit--;\n"
    "      continue;\n"
    "    }\n"
    "    if (atomic_cmpxchg(tree + place, found, found == EMPTY ? key + 1 : LOCKED) != found) continue;\n"
    "    if (found == EMPTY) return;\n"
    "    int other = found - 1, first = atomic_inc(nodes) + 2, node = first;\n"
    "    while ((key >> bit & 1) == (other >> bit & 1)) {\n"
    "      int below = atomic_inc(nodes) + 2;\n"
    "      tree[node * 2 + (key >> bit & 1)] = -below;\n"
    "      node = below;\n"
    "      bit--;\n"
    "    }\n"
    "    tree[node * 2 + (key >> bit & 1)] = key + 1;\n"
    "    tree[node * 2 + (other >> bit & 1)] = other + 1;\n"
    "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "    atomic_xchg(tree + place, -first);\n"
    "    return;\n"
    "  }\n}\n";

enum { TREE_WORDS = 16384 };

// The keys below a place, from the smallest on.
static uint32_t keys_of(const uint32_t *tree, uint32_t place, uint32_t *keys, uint32_t count, uint32_t most,
                        uint32_t depth) {
  const int32_t found = (int32_t)tree[place];
  if (depth > 17 || (found < 0 && (uint32_t)-found * 2 + 1 >= TREE_WORDS))
    fail("place %u has %d", place, found);
  if (found > 0 && count < most)
    keys[count++] = (uint32_t)found - 1;
  if (found < 0) {
    count = keys_of(tree, (uint32_t)-found * 2, keys, count, most, depth + 1);
    count = keys_of(tree, (uint32_t)-found * 2 + 1, keys, count, most, depth + 1);
  }
  return count;
}

static void check_tree(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(tree_source, size, "");
  const uint32_t items = group_count() * local;
  uint32_t *keys = allocate(4 * items), *got = allocate(4 * (items + 1)), *expected = allocate(4 * items),
           *words = allocate(4 * TREE_WORDS);
  for (uint32_t i = 0; i < items; i++)
    keys[i] = (i * 40503 & 0xFFFF) >> 4 << 4 | i % 16;
  for (uint32_t i = 0; i < items; i++) {
    uint32_t before = 0;
    for (uint32_t j = 0; j < items; j++)
      before += keys[j] < keys[i];
    expected[before] = keys[i];
  }
  cl_mem tree = buffer_with(words, 4 * TREE_WORDS), nodes = buffer_with(NULL, 4), key = buffer_with(keys, 4 * items);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(tree), ARG(nodes), ARG(key), END_ARGS);
  run_1d(kernel, items, local);
  read_buffer(tree, words, 4 * TREE_WORDS);
  const uint32_t count = keys_of(words, 0, got, 0, items + 1, 0);
  expect_u32("keys in the tree", &items, &count, 1);
  expect_u32("the tree's keys", expected, got, items);
  free(keys);
  free(got);
  free(expected);
  free(words);
  clReleaseMemObject(tree);
  clReleaseMemObject(nodes);
  clReleaseMemObject(key);
  clReleaseProgram(program);
}

Test(work_item_progress, a_tree_is_built_by_locking_leaves) {
  require_atomics();
  each_shape(check_tree);
}

// ---- waiting without atomics

// Each work-item waits for the one before it or, `backwards`, behind it; and, `there`, does what it has to do at a
// smaller or a larger PC than that at which others wait.
static const char chain_source[] =
    "#ifdef IN_LOCAL\n"
    "#define FLAGS local volatile uint *flags\n"
    "#define CLEAR flags[get_local_id(0)] = 0; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#else\n"
    "#define FLAGS global volatile uint *flags\n"
    "#define CLEAR flags += get_group_id(0) * get_local_size(0);\n"
    "#endif\n"
    "IN_SUB_GROUPS kernel void k(FLAGS, global uint *out, uint backwards) {\n"
    "  CLEAR\n"
    "  uint me = get_local_id(0), n = get_local_size(0), turn = backwards ? n - 1 - me : me, before = 0;\n"
    "  if (turn != 0)\n"
    "    while ((before = flags[turn - 1]) == 0) ;\n"
    "  out[get_global_id(0)] = before;\n"
    "  flags[turn] = before + 1;\n}\n"
    // One gives, the others take, one after the other.
    "IN_SUB_GROUPS kernel void give(FLAGS, global uint *out, uint last) {\n"
    "  CLEAR\n"
    "  uint me = get_local_id(0), n = get_local_size(0), giver = last ? n - 1 : 0;\n"
    "  if (me == giver) {\n"
    "    for (uint i = 0; i < n; i++)\n"
    "      if (i != giver) {\n"
    "        flags[giver] = i + 1;\n"
    "        while (flags[i] == 0) ;\n"
    "      }\n"
    "    out[get_global_id(0)] = 12345;\n"
    "  } else {\n"
    "    while (flags[giver] != me + 1) ;\n"
    "    flags[me] = 1;\n"
    "    out[get_global_id(0)] = me + 1;\n"
    "  }\n}\n";

static void check_chain(uint32_t size, uint32_t local, bool in_local) {
  cl_program program = build_of_size(chain_source, size, in_local ? " -DIN_LOCAL" : "");
  const uint32_t items = group_count() * local;
  uint32_t *got = allocate(4 * items), *expected = allocate(4 * items);
  for (int k = 0; k < 2; k++) {
    cl_kernel kernel = kernel_of(program, k == 0 ? "k" : "give");
    for (cl_uint other = 0; other < 2; other++) {
      cl_mem flags = buffer_with(NULL, 4 * items), out = buffer_with(NULL, 4 * items);
      if (in_local)
        set_args(kernel, LOCAL_ARG(4 * local), ARG(out), ARG(other), END_ARGS);
      else
        set_args(kernel, ARG(flags), ARG(out), ARG(other), END_ARGS);
      run_1d(kernel, items, local);
      read_buffer(out, got, 4 * items);
      for (uint32_t i = 0; i < items; i++) {
        const uint32_t me = i % local;
        expected[i] = k == 0 ? (other ? local - 1 - me : me) : me == (other ? local - 1 : 0) ? 12345 : me + 1;
      }
      expect_u32(k == 0 ? "work-items before this one" : "what was given", expected, got, items);
      clReleaseMemObject(flags);
      clReleaseMemObject(out);
    }
  }
  free(got);
  free(expected);
  clReleaseProgram(program);
}

static void check_global_chain(uint32_t size, uint32_t local) {
  check_chain(size, local, false);
}

static void check_local_chain(uint32_t size, uint32_t local) {
  check_chain(size, local, true);
}

Test(work_item_progress, waiting_on_volatile_global_memory) {
  each_shape(check_global_chain);
}

Test(work_item_progress, waiting_on_volatile_local_memory) {
  each_shape(check_local_chain);
}

// Loops that read what others write in other ways than by a volatile load that stands in them: a copy of a structure,
// by a function or not, an element whose index the compiler does not know, a function, a block, two loops that share
// their body, fences. Each work-item waits for the one behind it, in its sub-group alone.
static const char read_source[] =
    "typedef struct { int flag, value, more[6]; } S;\n"
    "typedef union { int words[8]; float numbers[8]; } U;\n"
    "int load(volatile global int *p) __attribute__((noinline));\n"
    "int load(volatile global int *p) { return *p; }\n"
    "void copy(S *to, volatile global S *from) { *to = *from; }\n"
    "#define WAITING(name, body) IN_SUB_GROUPS kernel void name(volatile global int *words, global int *out, int w) "
    "{\\\n"
    "  int me = get_sub_group_local_id(), last = get_sub_group_size() - 1, seen = 0; \\\n"
    "  words += 8 * (get_global_id(0) - me); body out[get_global_id(0)] = seen; }\n"
    "#define BEHIND words[8 * (me + 1)]\n"
    "#define PLAIN ((global int *)words)[8 * (me + 1)]\n"
    "#define TELL words[8 * me + 1] = seen + 1; words[8 * me + w] = seen + 1;\n"
    "#define TELL_ALL words[8 * me] = seen + 1; TELL\n"
    "WAITING(structure, volatile global S *s = words; S x = {0};\n"
    "  if (me < last) do x = s[me + 1]; while (x.more[w - 2] == 0); seen = x.more[w - 2]; TELL)\n"
    "WAITING(structure_by_a_function, volatile global S *s = words; S x = {0};\n"
    "  if (me < last) do copy(&x, s + me + 1); while (x.more[w - 2] == 0); seen = x.more[w - 2]; TELL)\n"
    "WAITING(one_of_union, volatile global U *s = words; U x = {0};\n"
    "  if (me < last) do x = s[me + 1]; while (x.words[w] == 0); seen = x.words[w]; TELL)\n"
    "WAITING(vector, volatile global int8 *s = words; int8 x = 0;\n"
    "  if (me < last) do x = s[me + 1]; while (x.s0 == 0); seen = x.s0; TELL_ALL)\n"
    "WAITING(sixty_four_bits, volatile global ulong *s = words; ulong x = 0;\n"
    "  if (me < last) do x = s[4 * me + 4]; while ((uint)x == 0); seen = (int)x; TELL_ALL)\n"
    "WAITING(function, if (me < last) while ((seen = load(&BEHIND)) == 0) ; TELL_ALL)\n"
    "WAITING(block, int (^b)(int) = ^(int i) { return words[i]; };\n"
    "  if (me < last) while ((seen = b(8 * me + 8)) == 0) ; TELL_ALL)\n"
    "WAITING(two_ways_in, if (me == last) goto done; if (me & 1) goto second;\n"
    "  first: seen = BEHIND; if (seen != 0) goto done;\n"
    "  second: seen = BEHIND; if (seen == 0) goto first; done: TELL_ALL)\n"
    "WAITING(fence, if (me < last) while ((seen = PLAIN) == 0) mem_fence(CLK_GLOBAL_MEM_FENCE); TELL_ALL)\n"
    "WAITING(read_fence, if (me < last) while ((seen = PLAIN) == 0) read_mem_fence(CLK_GLOBAL_MEM_FENCE); TELL_ALL)\n"
    "WAITING(work_item_fence, if (me < last) while ((seen = PLAIN) == 0)\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group); TELL_ALL)\n"
    "WAITING(half_behind_fence, global half *s = (global half *)words; float x = 0;\n"
    "  if (me < last) while ((x = vload_half(16 * me + 16, s)) == 0) mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "  vstore_half(x + 1, 16 * me, s); seen = (int)x;)\n";

// What is neither atomic nor a volatile word is a data race in OpenCL's text, and HEDDLE_CHECK says so.
static void skip_where_races_are_looked_for(void) {
  if (getenv("HEDDLE_CHECK"))
    cr_skip_test("HEDDLE_CHECK=1 reports them as races, which they are in the text");
}

static void check_reads_of(uint32_t size, uint32_t local, const char *options) {
  static const char *const names[] = {"structure",       "fence",
                                      "one_of_union",    "vector",
                                      "function",        "sixty_four_bits",
                                      "block",           "two_ways_in",
                                      "work_item_fence", "half_behind_fence",
                                      "read_fence",      "structure_by_a_function"};
  const size_t count = is_slow() ? 1 : sizeof names / sizeof *names;  // where the rest differs is the compiler
  cl_program program = build_of_size(read_source, size, options);
  const uint32_t items = group_count() * local;
  uint32_t *got = allocate(4 * items), *expected = allocate(4 * items);
  for (uint32_t i = 0; i < items; i++) {
    const uint32_t me = i % local % size, left = local - (i % local - me);
    expected[i] = (left < size ? left : size) - 1 - me;
  }
  for (size_t k = 0; k < count; k++) {
    cl_kernel kernel = kernel_of(program, names[k]);
    cl_mem words = buffer_with(NULL, 32 * items), out = buffer_with(NULL, 4 * items);
    const cl_int word = 7;
    set_args(kernel, ARG(words), ARG(out), ARG(word), END_ARGS);
    run_1d(kernel, items, local);
    read_buffer(out, got, 4 * items);
    expect_u32(names[k], expected, got, items);
    clReleaseMemObject(words);
    clReleaseMemObject(out);
  }
  free(got);
  free(expected);
  clReleaseProgram(program);
}

static void check_reads(uint32_t size, uint32_t local) {
  check_reads_of(size, local, "");
}

static void check_reads_without_optimisation(uint32_t size, uint32_t local) {
  check_reads_of(size, local, " -cl-opt-disable");
}

Test(work_item_progress, waiting_by_every_way_to_read) {
  skip_where_races_are_looked_for();
  each_shape(check_reads);
}

Test(work_item_progress, waiting_by_every_way_to_read_without_optimisation) {
  skip_where_races_are_looked_for();
  each_shape(check_reads_without_optimisation);
}

// ---- what does not wait is as it was

// Work-items that part for long, and do not wait for each other, meet in functions of the whole sub-group.
static const char apart_source[] =
    "IN_SUB_GROUPS kernel void k(global uint *out) {\n"
    "  uint x = (uint)get_global_id(0), sum = 0;\n"
    "  for (uint i = 0; i < 400 * (get_sub_group_local_id() + 1); i++) {\n"
    "    x = x * 1664525u + 1013904223u;\n"
    "    if (x & 0x10000) sum += x >> 20; else sum ^= x;\n"
    "  }\n"
    "  out[2 * get_global_id(0)] = sum;\n"
    "  out[2 * get_global_id(0) + 1] = sub_group_scan_inclusive_add(sum);\n}\n";

static void check_apart(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(apart_source, size, "");
  const uint32_t items = group_count() * local;
  uint32_t *got = allocate(8 * items), *expected = allocate(8 * items);
  for (uint32_t i = 0; i < items; i++) {
    const uint32_t lane = i % local % size;
    uint32_t x = i, sum = 0;
    for (uint32_t round = 0; round < 400 * (lane + 1); round++) {
      x = x * 1664525u + 1013904223u;
      if (x & 0x10000)
        sum += x >> 20;
      else
        sum ^= x;
    }
    expected[2 * i] = sum;
    expected[2 * i + 1] = lane == 0 ? sum : expected[2 * i - 1] + sum;
  }
  cl_mem out = buffer_with(NULL, 8 * items);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, items, local);
  read_buffer(out, got, 8 * items);
  expect_u32("a value and its scan", expected, got, 2 * items);
  free(got);
  free(expected);
  clReleaseMemObject(out);
  clReleaseProgram(program);
}

Test(work_item_progress, work_items_that_were_apart_for_long_meet_in_a_scan) {
  each_shape(check_apart);
}

// Also behind a loop of which some go through a hundred thousand instructions alone, and none waits: who comes late is
// waited for, in functions of those work-items that come.
static const char alone_source[] =
    "#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable\n"
    "IN_SUB_GROUPS kernel void k(global uint *out) {\n"
    "  uint x = (uint)get_global_id(0);\n"
    "  const uint rounds = (get_sub_group_local_id() & 1) * 20000;\n"
    "  for (uint i = 0; i < rounds; i++) {\n"
    "    x = x * 1664525u + 1013904223u;\n"
    "    x ^= x >> 7;\n"
    "  }\n"
    "  out[2 * get_global_id(0)] = sub_group_ballot_bit_count(sub_group_ballot(1));\n"
    "  out[2 * get_global_id(0) + 1] = x;\n}\n";

static void check_alone(uint32_t size, uint32_t local) {
  cl_program program = build_of_size(alone_source, size, "");
  uint32_t *got = allocate(8 * local), *expected = allocate(8 * local);
  for (uint32_t i = 0; i < local; i++) {
    const uint32_t first = i - i % size, left = local - first;
    uint32_t x = i;
    for (uint32_t round = 0; round < (i % size % 2) * 20000; round++) {
      x = x * 1664525u + 1013904223u;
      x ^= x >> 7;
    }
    expected[2 * i] = left < size ? left : size;
    expected[2 * i + 1] = x;
  }
  cl_mem out = buffer_with(NULL, 8 * local);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, local, local);
  read_buffer(out, got, 8 * local);
  expect_u32("how many come together, and a value", expected, got, 2 * local);
  free(got);
  free(expected);
  clReleaseMemObject(out);
  clReleaseProgram(program);
}

Test(work_item_progress, work_items_that_wait_for_nobody_stay_together) {
  each_shape(check_alone);
}
