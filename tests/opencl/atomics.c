// SPDX-License-Identifier: Apache-2.0
// Atomic functions: every function of OpenCL C 1.2 and 3.0 on int, uint and float, on global, local and generic
// pointers, with a sample of orders and scopes. What each work-item got back and what is left at the end must be some
// order of doing one after the other; then the things people build of them: loops of compare-and-exchange, locks,
// flags, histograms.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

// What an operation leaves of a word that held `old`.
enum operation { ADD, SUB, INC, DEC, EXCHANGE, MIN, MAX, AND, OR, XOR, COMPARE };
static uint32_t result_of(enum operation operation, bool is_signed, uint32_t initial, uint32_t old, uint32_t value) {
  const bool is_less = is_signed ? (int32_t)value < (int32_t)old : value < old;
  switch (operation) {
    case ADD:
      return old + value;
    case SUB:
      return old - value;
    case INC:
      return old + 1;
    case DEC:
      return old - 1;
    case EXCHANGE:
      return value;
    case MIN:
      return is_less ? value : old;
    case MAX:
      return is_less ? old : value;
    case AND:
      return old & value;
    case OR:
      return old | value;
    case XOR:
      return old ^ value;
    default:
      return old == initial ? value : old;
  }
}

// Values that never bring a word back to what it was before, so that there is one order to find.
enum { ITEMS = 30, GROUP = 10, GROUPS = ITEMS / GROUP };
static uint32_t initial_of(enum operation operation) {
  return operation == AND ? 0xFFFFFFFF : operation == OR || operation == XOR ? 0 : 5;
}
static uint32_t value_of(enum operation operation, uint32_t item) {
  switch (operation) {
    case AND:
      return ~(1u << item);
    case OR:
    case XOR:
      return 1u << item;
    case MIN:
    case MAX:
      return (item * 7 % ITEMS - 15) * 0x01000000;  // of both signs, for uint small and large
    case EXCHANGE:
    case COMPARE:
      return 1000 + item;
    default:
      return item + 1;
  }
}

// Follows the word from its initial value: every work-item that changed it found what another left.
static void expect_some_order(const char *what, enum operation operation, bool is_signed, const uint32_t *values,
                              const uint32_t *olds, size_t count, uint32_t final) {
  const uint32_t initial = initial_of(operation);
  uint32_t states[ITEMS + 1] = {initial};
  size_t changes = 0, kept = 0;
  for (size_t i = 0; i < count; i++)
    kept += result_of(operation, is_signed, initial, olds[i], values[i]) == olds[i];
  for (size_t found = 1; found == 1;) {
    found = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < count; i++) {
      const uint32_t left = result_of(operation, is_signed, initial, olds[i], values[i]);
      if (olds[i] == states[changes] && left != olds[i]) {
        found++;
        next = left;
      }
    }
    if (found > 1)
      fail("%s: %zu work-items found 0x%08x and changed it", what, found, states[changes]);
    if (found == 1 && changes < count)
      states[++changes] = next;
  }
  if (changes + kept != count)
    fail("%s: %zu work-items changed the word one after the other and %zu left it; %zu were at it", what, changes, kept,
         count);
  if (final != states[changes])
    fail("%s: expected 0x%08x at the end, got 0x%08x", what, states[changes], final);
  for (size_t i = 0; i < count; i++) {
    bool was_there = false;
    for (size_t s = 0; s <= changes; s++)
      was_there = was_there || states[s] == olds[i];
    if (!was_there)
      fail("%s: work-item %zu got 0x%08x, which the word never was", what, i, olds[i]);
  }
}

// An expression of p (pointer), a (the same as atomic type), v (value) and e (private: what is expected there).
struct form {
  const char *expression;
  enum operation operation;
};

static const struct form forms_1[] = {
    {"atomic_add(p, v)", ADD},
    {"atomic_sub(p, v)", SUB},
    {"atomic_inc(p)", INC},
    {"atomic_dec(p)", DEC},
    {"atomic_xchg(p, v)", EXCHANGE},
    {"atomic_min(p, v)", MIN},
    {"atomic_max(p, v)", MAX},
    {"atomic_and(p, v)", AND},
    {"atomic_or(p, v)", OR},
    {"atomic_xor(p, v)", XOR},
    {"atomic_cmpxchg(p, e, v)", COMPARE},
    {"atom_add(p, v)", ADD},
    {"atom_sub(p, v)", SUB},
    {"atom_inc(p)", INC},
    {"atom_dec(p)", DEC},
    {"atom_xchg(p, v)", EXCHANGE},
    {"atom_min(p, v)", MIN},
    {"atom_max(p, v)", MAX},
    {"atom_and(p, v)", AND},
    {"atom_or(p, v)", OR},
    {"atom_xor(p, v)", XOR},
    {"atom_cmpxchg(p, e, v)", COMPARE},
};
#define FETCH(name, operation)                                                                               \
  {"atomic_" name "(a, v)", operation}, {"atomic_" name "_explicit(a, v, memory_order_relaxed)", operation}, \
      {"atomic_" name "_explicit(a, v, memory_order_acq_rel)", operation},                                   \
      {"atomic_" name "_explicit(a, v, memory_order_seq_cst, memory_scope_all_devices)", operation},         \
      {"atomic_" name "_explicit(a, v, memory_order_release, memory_scope_device)", operation},              \
      {"atomic_" name "_explicit(a, v, memory_order_acquire, memory_scope_work_group)", operation}, {        \
    "atomic_" name "_explicit(a, v, memory_order_relaxed, memory_scope_sub_group)", operation                \
  }
#define COMPARE_EXCHANGE(strength)                                                                                 \
  {"(atomic_compare_exchange_" strength "(a, &e, v), e)", COMPARE},                                                \
      {"(atomic_compare_exchange_" strength "_explicit(a, &e, v, memory_order_acq_rel, memory_order_relaxed), e)", \
       COMPARE},                                                                                                   \
  {                                                                                                                \
    "(atomic_compare_exchange_" strength                                                                           \
    "_explicit(a, &e, v, memory_order_seq_cst, memory_order_acquire, memory_scope_device), e)",                    \
        COMPARE                                                                                                    \
  }
static const struct form forms_3[] = {
    FETCH("fetch_add", ADD), FETCH("fetch_sub", SUB),     FETCH("fetch_min", MIN),
    FETCH("fetch_max", MAX), FETCH("fetch_and", AND),     FETCH("fetch_or", OR),
    FETCH("fetch_xor", XOR), FETCH("exchange", EXCHANGE), COMPARE_EXCHANGE("strong"),
};
static const struct form forms_float[] = {FETCH("exchange", EXCHANGE), COMPARE_EXCHANGE("strong")};

// Kernels on_global, on_local and (generic: OpenCL C 3.0) on_generic that do the form of a number on one word.
static void write_source(char *source, size_t size, const char *type, const struct form *forms, size_t count,
                         bool is_3) {
  static const char *const spaces[] = {"global", "local", "generic"};
  size_t used = (size_t)snprintf(source, size, "typedef %s T;\n", type);
  if (is_3)
    used += (size_t)snprintf(source + used, size - used, "typedef atomic_%s A;\n", type);
  for (int s = 0; s < (is_3 ? 3 : 2); s++) {
    const char *space = spaces[s];
    used +=
        (size_t)snprintf(source + used, size - used, "T do_%s(int form, volatile %s T *p, T v, T e) {\n", space, space);
    if (is_3)
      used += (size_t)snprintf(source + used, size - used, "  volatile %s A *a = (volatile %s A *)p;\n", space, space);
    used += (size_t)snprintf(source + used, size - used, "  switch (form) {\n");
    for (size_t f = 0; f < count; f++)
      used += (size_t)snprintf(source + used, size - used, "    case %zu: return %s;\n", f, forms[f].expression);
    used += (size_t)snprintf(source + used, size - used, "  }\n  return 0;\n}\n");
  }
  used += (size_t)snprintf(
      source + used, size - used,
      "kernel void on_global(int form, global T *word, global const T *v, global T *old, T initial) {\n"
      "  size_t i = get_global_id(0); old[i] = do_global(form, word, v[i], initial); }\n"
      "kernel void on_local(int form, global T *word, global const T *v, global T *old, T initial) {\n"
      "  local T w; size_t i = get_global_id(0); if (get_local_id(0) == 0) w = initial;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); old[i] = do_local(form, &w, v[i], initial);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0) word[get_group_id(0)] = w; }\n");
  if (is_3)
    used += (size_t)snprintf(
        source + used, size - used,
        "kernel void on_generic(int form, global T *word, global const T *v, global T *old, T initial) {\n"
        "  local T w; size_t i = get_global_id(0), g = get_group_id(0); if (get_local_id(0) == 0) w = initial;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE); T *p = g & 1 ? (T *)&w : (T *)(word + g);\n"
        "  old[i] = do_generic(form, p, v[i], initial);\n"
        "  barrier(CLK_LOCAL_MEM_FENCE); if (get_local_id(0) == 0 && (g & 1)) word[g] = w; }\n");
  if (used >= size)
    fail("the test's source has %zu bytes, there is room for %zu", used, size);
}

// Numbers that a float holds exactly.
static uint32_t as_type(const char *type, uint32_t value) {
  const float number = (float)(int32_t)value;
  if (strcmp(type, "float") == 0)
    memcpy(&value, &number, 4);
  return value;
}

static void check_forms(const char *type, const struct form *forms, size_t count, bool is_3) {
  enum { SOURCE_BYTES = 1 << 16 };
  char *source = allocate(SOURCE_BYTES);
  write_source(source, SOURCE_BYTES, type, forms, count, is_3);
  cl_program program = build(source, is_3 ? "-cl-std=CL3.0" : "-cl-std=CL1.2");
  static const char *const kernels[] = {"on_global", "on_local", "on_generic"};
  for (int k = 0; k < (is_3 ? 3 : 2); k++) {
    cl_kernel kernel = kernel_of(program, kernels[k]);
    for (size_t f = 0; f < count; f++) {
      const enum operation operation = forms[f].operation;
      const bool is_float = strcmp(type, "float") == 0, is_signed = strcmp(type, "int") == 0;
      uint32_t values[ITEMS], olds[ITEMS], words[GROUPS];
      const uint32_t initial = as_type(type, initial_of(operation));
      for (uint32_t i = 0; i < ITEMS; i++)
        values[i] = as_type(type, value_of(operation, i));
      for (int g = 0; g < GROUPS; g++)
        words[g] = initial;
      cl_mem word_buffer = buffer_with(words, sizeof words), old_buffer = buffer_with(NULL, sizeof olds);
      cl_mem value_buffer = buffer_with(values, sizeof values);
      const cl_int form = (cl_int)f;
      set_args(kernel, ARG(form), ARG(word_buffer), ARG(value_buffer), ARG(old_buffer), ARG(initial), END_ARGS);
      const size_t local = work_group_limit(kernel) < GROUP ? 1 : GROUP;
      if (k > 0 && local == 1)
        continue;  // a device of few slots
      run_1d(kernel, ITEMS, local);
      read_buffer(word_buffer, words, sizeof words);
      read_buffer(old_buffer, olds, sizeof olds);
      for (int i = 0; is_float && i < ITEMS; i++) {  // back to numbers, which the check counts in
        float both[2];
        memcpy(both, &values[i], 4);
        memcpy(both + 1, &olds[i], 4);
        values[i] = (uint32_t)(int32_t)both[0];
        olds[i] = (uint32_t)(int32_t)both[1];
      }
      for (int g = 0; is_float && g < GROUPS; g++) {
        float number;
        memcpy(&number, &words[g], 4);
        words[g] = (uint32_t)(int32_t)number;
      }
      char what[256];
      snprintf(what, sizeof what, "%s %s: %s", kernels[k], type, forms[f].expression);
      if (k == 0)
        expect_some_order(what, operation, is_signed, values, olds, ITEMS, words[0]);
      for (int g = 0; k > 0 && g < GROUPS; g++)
        expect_some_order(what, operation, is_signed, values + g * GROUP, olds + g * GROUP, GROUP, words[g]);
      clReleaseMemObject(word_buffer);
      clReleaseMemObject(old_buffer);
      clReleaseMemObject(value_buffer);
    }
  }
  free(source);
}

static bool device_has_atomics(void) {
  cl_device_atomic_capabilities capabilities = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof capabilities,
                                 &capabilities, NULL));
  return capabilities != 0;
}

// A device built without atomics refuses them; nothing else of this suite applies to it.
#define NEEDS_ATOMICS()                                       \
  do {                                                        \
    if (!device_has_atomics())                                \
      cr_skip_test("this device has no atomic instructions"); \
  } while (0)

#define COUNT(forms) (sizeof(forms) / sizeof(forms)[0])

Test(atomics, opencl_c_1_on_int) {
  NEEDS_ATOMICS();
  check_forms("int", forms_1, COUNT(forms_1), false);
}

Test(atomics, opencl_c_1_on_uint) {
  NEEDS_ATOMICS();
  check_forms("uint", forms_1, COUNT(forms_1), false);
}

Test(atomics, opencl_c_3_on_int) {
  NEEDS_ATOMICS();
  check_forms("int", forms_3, COUNT(forms_3), true);
}

Test(atomics, opencl_c_3_on_uint) {
  NEEDS_ATOMICS();
  check_forms("uint", forms_3, COUNT(forms_3), true);
}

Test(atomics, opencl_c_3_on_float) {
  NEEDS_ATOMICS();
  check_forms("float", forms_float, COUNT(forms_float), true);
}

Test(atomics, the_device_says_what_it_has) {
  struct harness *h = harness();
  char isa[64] = "", extensions[1024] = "";
  const cl_uint isa_query = 0x4DD3;  // CL_DEVICE_ISA_HEDDLE
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, isa_query, sizeof isa, isa, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
  const bool has_a = strchr(isa, 'a') && strchr(isa, 'a') < isa + strcspn(isa, "_z");
  if (has_a != device_has_atomics())
    fail("ISA %s, but CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES says atomics: %d", isa, device_has_atomics());
  // Section 4.2: at least these, where there are atomics at all; fences need none.
  cl_device_atomic_capabilities memory = 0, fence = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof memory, &memory, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof fence, &fence, NULL));
  const cl_device_atomic_capabilities least = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  if (has_a ? (memory & least) != least : memory != 0)
    fail("ISA %s, but CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES is 0x%llx", isa, (unsigned long long)memory);
  if ((fence & (least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL)) != (least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL))
    fail("ISA %s, but CL_DEVICE_ATOMIC_FENCE_CAPABILITIES is 0x%llx", isa, (unsigned long long)fence);
  static const char *const names[] = {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                                      "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics"};
  for (size_t i = 0; i < COUNT(names); i++)
    if (!!strstr(extensions, names[i]) != has_a)
      fail("ISA %s, extensions %s: %s", isa, extensions, names[i]);
  // The compiler's macros agree with the query.
  cl_kernel kernel =
      kernel_of(build("kernel void k(global int *out) { out[0] = 0;\n"
                      "#if defined(cl_khr_global_int32_base_atomics) && "
                      "defined(__opencl_c_atomic_scope_device) && defined(__opencl_c_atomic_order_seq_cst)\n"
                      "  out[0] = 1;\n#endif\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  cl_mem out = buffer_with(NULL, 4);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  uint32_t has_macros;
  read_buffer(out, &has_macros, 4);
  if (has_macros != (has_a ? 1 : 0))
    fail("ISA %s, but the macros say %u", isa, has_macros);
}

// A weak compare-and-exchange may fail for no reason: in a loop it must come through, also for lanes on one word.
Test(atomics, loops_of_compare_and_exchange_come_to_an_end) {
  NEEDS_ATOMICS();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global atomic_float *sum, global atomic_int *product, int rounds) {\n"
            "  for (int r = 0; r < rounds; r++) {\n"
            "    float was = atomic_load_explicit(sum, memory_order_relaxed);\n"
            "    while (!atomic_compare_exchange_weak_explicit(sum, &was, was + 1.0f, memory_order_relaxed,\n"
            "                                                  memory_order_relaxed)) {}\n"
            "    int seen = atomic_load(product + (get_global_id(0) & 3));\n"
            "    while (!atomic_compare_exchange_strong(product + (get_global_id(0) & 3), &seen, seen * 3)) {}\n"
            "  } }\n",
            "-cl-std=CL3.0"),
      "k");
  const size_t items = harness()->is_rtl ? 128 : 1024, limit = work_group_limit(kernel);
  const cl_int rounds = 3;
  uint32_t products[4] = {1, 1, 1, 1}, expected = 1;
  float sum;
  cl_mem sum_buffer = buffer_with(NULL, 4), product_buffer = buffer_with(products, sizeof products);
  set_args(kernel, ARG(sum_buffer), ARG(product_buffer), ARG(rounds), END_ARGS);
  run_1d(kernel, items, limit < 64 ? limit : 64);
  read_buffer(sum_buffer, &sum, 4);
  read_buffer(product_buffer, products, sizeof products);
  for (size_t i = 0; i < items / 4 * (size_t)rounds; i++)
    expected *= 3;
  if (sum != (float)(items * (size_t)rounds))
    fail("expected a sum of %zu, got %f", items * (size_t)rounds, (double)sum);
  for (int i = 0; i < 4; i++)
    if (products[i] != expected)
      fail("product %d: expected 0x%08x, got 0x%08x", i, expected, products[i]);
}

Test(atomics, every_work_item_of_every_group_counts) {
  NEEDS_ATOMICS();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global int *counters, volatile global int *seen) { size_t i = get_global_id(0);\n"
            "  int ticket = atomic_inc(counters); seen[ticket] = (int)i + 1; atomic_add(counters + 1, (int)i);\n"
            "  if (i & 1) atomic_dec(counters + 2); else atomic_sub(counters + 2, 3); }\n",
            "-cl-std=CL3.0"),  // which has remainder groups
      "k");
  const size_t items = harness()->is_rtl ? 500 : 5000, limit = work_group_limit(kernel);
  uint32_t counters[3] = {0}, *seen = allocate(items * 4), *was = allocate(items * 4);
  cl_mem counter_buffer = buffer_with(counters, sizeof counters), seen_buffer = buffer_with(seen, items * 4);
  set_args(kernel, ARG(counter_buffer), ARG(seen_buffer), END_ARGS);
  run_1d(kernel, items, limit < 50 ? limit : 50);
  read_buffer(counter_buffer, counters, sizeof counters);
  read_buffer(seen_buffer, seen, items * 4);
  expect_u32("counters", (uint32_t[]){(uint32_t)items, (uint32_t)(items * (items - 1) / 2), 0u - (uint32_t)items * 2},
             counters, 3);
  for (size_t i = 0; i < items; i++)
    if (seen[i] == 0 || seen[i] > items || was[seen[i] - 1]++ != 0)
      fail("ticket %zu went to work-item %u", i, seen[i] - 1);
}

Test(atomics, a_histogram_in_local_memory) {
  NEEDS_ATOMICS();
  enum { BINS = 16 };
  cl_kernel kernel = kernel_of(
      build("kernel void k(global const uint *data, global int *bins, int each) { local int mine[16];\n"
            "  for (int i = get_local_id(0); i < 16; i += get_local_size(0)) mine[i] = 0;\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  for (int i = 0; i < each; i++) atomic_inc(&mine[data[get_global_id(0) * each + i] % 16]);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  for (int i = get_local_id(0); i < 16; i += get_local_size(0)) atomic_add(bins + i, mine[i]); }\n",
            NULL),
      "k");
  const size_t items = 192, limit = work_group_limit(kernel);
  const cl_int each = 5;
  uint32_t data[192 * 5], expected[BINS] = {0}, bins[BINS], state = 7;
  for (size_t i = 0; i < items * (size_t)each; i++) {
    data[i] = random_u32(&state) >> (i % 3 * 10);
    expected[data[i] % BINS]++;
  }
  cl_mem data_buffer = buffer_with(data, sizeof data), bin_buffer = buffer_with(NULL, sizeof bins);
  set_args(kernel, ARG(data_buffer), ARG(bin_buffer), ARG(each), END_ARGS);
  run_1d(kernel, items, limit < 48 ? limit : 48);
  read_buffer(bin_buffer, bins, sizeof bins);
  expect_u32("bin", expected, bins, BINS);
}

// A lock taken by one work-item of each sub-group: lanes of one sub-group do not make progress independently.
Test(atomics, a_flag_is_a_lock_between_sub_groups) {
  NEEDS_ATOMICS();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global atomic_flag *lock, global int *count, global int *holders, int rounds) {\n"
            "  if (get_sub_group_local_id() == 0)\n"
            "    for (int r = 0; r < rounds; r++) {\n"
            "      while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {}\n"
            "      int n = count[0]; holders[n % 64] += n; count[0] = n + 1;\n"
            "      atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);\n"
            "    } }\n",
            "-cl-std=CL3.0"),
      "k");
  const size_t lanes = harness()->lanes, groups = 4, limit = work_group_limit(kernel);
  const size_t local = limit < 4 * lanes ? limit : 4 * lanes;
  const cl_int rounds = 5;
  uint32_t count, expected = (uint32_t)(groups * ((local + lanes - 1) / lanes) * (size_t)rounds), holders[64];
  uint32_t sums[64] = {0};
  cl_mem lock_buffer = buffer_with(NULL, 4), count_buffer = buffer_with(NULL, 4);
  cl_mem holder_buffer = buffer_with(NULL, sizeof holders);
  set_args(kernel, ARG(lock_buffer), ARG(count_buffer), ARG(holder_buffer), ARG(rounds), END_ARGS);
  run_1d(kernel, groups * local, local);
  read_buffer(count_buffer, &count, 4);
  read_buffer(holder_buffer, holders, sizeof holders);
  if (count != expected)
    fail("expected the lock to be held %u times, got %u", expected, count);
  for (uint32_t n = 0; n < expected; n++)
    sums[n % 64] += n;
  expect_u32("holders", sums, holders, 64);
}

// What is stored before a flag is set is there for whoever sees the flag.
Test(atomics, a_message_is_there_when_its_flag_is_seen) {
  NEEDS_ATOMICS();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global int *message, global atomic_int *ready, global int *got, int rounds) {\n"
            "  uint group = get_sub_group_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();\n"
            "  for (int r = 1; r <= rounds; r++) {\n"
            "    if (group == 0) { message[lane] = r * 1000 + (int)lane;\n"
            "      atomic_store_explicit(ready + lane, r, memory_order_release);\n"
            "      while (atomic_load_explicit(ready + size + lane, memory_order_acquire) != r) {} }\n"
            "    else { while (atomic_load_explicit(ready + lane, memory_order_acquire) != r) {}\n"
            "      got[(r - 1) * size + lane] = message[lane];\n"
            "      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
            "      atomic_store_explicit(ready + size + lane, r, memory_order_relaxed); }\n"
            "  } }\n",
            "-cl-std=CL3.0"),
      "k");
  const size_t lanes = harness()->lanes;
  const cl_int rounds = 6;
  if (work_group_limit(kernel) < 2 * lanes)
    cr_skip_test("work-groups of this device have one sub-group");
  uint32_t *got = allocate((size_t)rounds * lanes * 4), *expected = allocate((size_t)rounds * lanes * 4);
  for (size_t i = 0; i < (size_t)rounds * lanes; i++)
    expected[i] = (uint32_t)((i / lanes + 1) * 1000 + i % lanes);
  cl_mem message = buffer_with(NULL, lanes * 4), ready = buffer_with(NULL, 2 * lanes * 4);
  cl_mem got_buffer = buffer_with(NULL, (size_t)rounds * lanes * 4);
  set_args(kernel, ARG(message), ARG(ready), ARG(got_buffer), ARG(rounds), END_ARGS);
  run_1d(kernel, 2 * lanes, 2 * lanes);
  read_buffer(got_buffer, got, (size_t)rounds * lanes * 4);
  expect_u32("message", expected, got, (size_t)rounds * lanes);
}

// The flag's two functions in all their forms; of all work-items one finds it clear.
Test(atomics, one_work_item_sets_a_flag) {
  NEEDS_ATOMICS();
  cl_kernel kernel = kernel_of(
      build("void on(atomic_flag *f, global int *out) { if (!atomic_flag_test_and_set(f)) atomic_inc(out + 3); }\n"
            "kernel void k(global atomic_flag *f, global int *out) { local atomic_flag l;\n"
            "  if (get_local_id(0) == 0) atomic_flag_clear(&l);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  if (!atomic_flag_test_and_set(f)) atomic_inc(out);\n"
            "  if (!atomic_flag_test_and_set_explicit(f + 1, memory_order_relaxed)) atomic_inc(out + 1);\n"
            "  if (!atomic_flag_test_and_set_explicit(&l, memory_order_acq_rel, memory_scope_work_group)) "
            "atomic_inc(out + 2);\n"
            "  on(f + 2, out);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  atomic_flag_clear_explicit(&l, memory_order_release); atomic_flag_clear_explicit(f + 1, "
            "memory_order_seq_cst, memory_scope_device);\n"
            "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
            "  if (!atomic_flag_test_and_set(&l)) atomic_inc(out + 4); }\n",
            "-cl-std=CL3.0"),
      "k");
  uint32_t out[5];
  cl_mem flags = buffer_with(NULL, 12), out_buffer = buffer_with(NULL, sizeof out);
  set_args(kernel, ARG(flags), ARG(out_buffer), END_ARGS);
  const size_t limit = work_group_limit(kernel), local = limit < 24 ? limit : 24;
  run_1d(kernel, local, local);
  read_buffer(out_buffer, out, sizeof out);
  expect_u32("work-items that found the flag clear", (uint32_t[]){1, 1, 1, 1, 1}, out, 5);
}

// Where there are none, the build says so.
Test(atomics, without_them_a_program_does_not_build) {
  if (device_has_atomics())
    return;
  struct harness *h = harness();
  const char *source = "kernel void k(volatile global int *a) { atomic_add(a, 1); }\n";
  cl_int error;
  char log[1024] = "";
  cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &h->device, NULL, NULL, NULL));
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  if (!strstr(log, "'atomic_add' needs atomic instructions"))
    fail("the build log names neither function nor reason: %s", log);
}
