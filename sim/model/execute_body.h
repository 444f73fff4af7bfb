// SPDX-License-Identifier: Apache-2.0
// The interpreter: runs one sub-group until it waits, ends, faults or has spent its issues. Included once for each
// build of it (execute.c, execute_avx2.c), which define MODEL_EXECUTE.
//
// The lanes that run are held as `pc` and `mask`; the PCs of the others are in g->pc, the smallest of those that they
// may meet is `limit`. As long as pc < limit nothing needs choosing, but at the end of a turn. Each instruction is a
// loop over all lanes of its register rows; where `mask` is not full the others keep their old value. The loop has a
// constant length for the usual sub-group sizes (with MODEL_SMALL for none), and no dependence between lanes, so that
// the compiler makes vectors of it.
#include <string.h>

#include "sim/model/check.h"
#include "sim/model/float_word.h"
#include "sim/model/memory.h"
#include "sim/model/parallel.h"

#define EACH_LANE _Pragma("GCC ivdep") for (uint32_t l = 0; l < S; l++)
#define NO_LIMIT UINT64_MAX

// Where S consecutive words from `first` on are, for lanes that access one each; UINT32_MAX: not as a whole in one of
// the windows where neighbours are neighbours, or not aligned.
ALWAYS_INLINE uint32_t consecutive_words(const struct model_device *d, const struct model_sub_group *g, uint32_t first,
                                         const uint32_t S) {
  if (first & 3)
    return UINT32_MAX;
  if (first >= d->first_global && first <= d->global_bytes - 4 * S)
    return first;
  uint32_t offset = first - HEDDLE_LOCAL_BASE;
  if (d->dispatch.local_bytes >= 4 * S && offset <= d->dispatch.local_bytes - 4 * S)
    return g->group->local_memory + offset;
  return UINT32_MAX;
}

ALWAYS_INLINE uint32_t lines_of(uint32_t physical, uint32_t bytes) {
  return (physical + bytes - 1) / MODEL_LINE_BYTES - physical / MODEL_LINE_BYTES + 1;
}

// A load (into `data`) or store (of `data`) by the lanes of `mask`. False: the lowest lane that may not is recorded as
// the fault, and nothing was accessed: a window comes before a right. The usual patterns of full sub-groups are taken
// first: neighbours, all the same address (in private memory: neighbours again), anything in global memory.
ALWAYS_INLINE bool access_memory(struct model_device *d, struct model_sub_group *g, const uint32_t *address,
                                 uint32_t *data, uint32_t pc, uint32_t mask, bool full, const uint32_t S,
                                 const uint32_t bytes, const bool is_load, const bool is_signed) {
  if (full) {
    const uint32_t first = address[0];
    uint32_t differ = 0, stride = 0, outside = 0;
    EACH_LANE {
      differ |= address[l] ^ first;
      stride |= address[l] ^ (first + 4 * l);
    }
    uint32_t row = UINT32_MAX;
    if (bytes == 4 && stride == 0) {
      row = consecutive_words(d, g, first, S);
    } else if (differ == 0 && first >= HEDDLE_PRIVATE_BASE) {
      uint32_t offset = first - HEDDLE_PRIVATE_BASE;
      if (bytes == 4 && (offset & 3) == 0 && offset <= (1u << d->dispatch.private_log2) - 4)
        row = g->private_memory + offset * d->lanes;
    }
    if (row != UINT32_MAX && model_may(d, row, !is_load) && model_may(d, row + 4 * S - 4, !is_load)) {
      if (is_load) {
        memcpy(data, d->memory + row, 4 * S);
      } else {
        memcpy(d->memory + row, data, 4 * S);
        written(d, row, 4 * S);
        if (__builtin_expect((row & 4095) + 4 * S > 4096, 0))
          model_code_written(d, row, 4 * S);
      }
      d->figures.memory_requests += row < d->global_bytes ? lines_of(row, 4 * S) : 0;
      return true;
    }
    const uint32_t first_global = d->first_global, span = d->global_bytes - first_global;
    EACH_LANE outside |= (address[l] - first_global >= span) | (address[l] & (bytes - 1));
    if (outside == 0 && d->dispatch.domain != HEDDLE_DOMAIN_UNCHECKED)
      for (uint32_t l = 0; l < S; l++)
        outside |= !model_may(d, address[l], !is_load);
    if (outside == 0) {
      uint32_t lines = 1;
      if (is_load && differ == 0) {
        uint32_t v = load(d, first, bytes, is_signed);
        EACH_LANE data[l] = v;
      } else {
        for (uint32_t l = 0; l < S; l++)
          if (is_load)
            data[l] = load(d, address[l], bytes, is_signed);
          else
            store(d, address[l], bytes, data[l]);
        for (uint32_t l = 1; l < S; l++)
          lines += address[l] / MODEL_LINE_BYTES != address[l - 1] / MODEL_LINE_BYTES;
      }
      d->figures.memory_requests += lines;
      return true;
    }
  }
  uint32_t physical[MODEL_MAX_LANES], line = UINT32_MAX;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    uint32_t reason = translate(d, g, address[l], bytes, l, &physical[l]);
    if (__builtin_expect(reason != 0, 0)) {
      model_fault(d, g, reason, pc, address[l], l);
      return false;
    }
  }
  if (!have_rights(d, g, physical, pc, mask, !is_load))
    return false;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    if (is_load)
      data[l] = load(d, physical[l], bytes, is_signed);
    else
      store(d, physical[l], bytes, data[l]);
    if (physical[l] < d->global_bytes && physical[l] / MODEL_LINE_BYTES != line) {
      line = physical[l] / MODEL_LINE_BYTES;
      d->figures.memory_requests++;
    }
  }
  return true;
}

#ifndef MODEL_ONE_THREAD
// In a thread's copy of the device: tells what the lanes of `mask` are about to load from, or store to, base + imm.
// False: the thread has given up. Of lanes that will fault nothing has to be told.
ALWAYS_INLINE bool touch_memory(struct model_device *d, const struct model_sub_group *g, const uint32_t *base,
                                uint32_t imm, uint32_t mask, const uint32_t S, uint32_t bytes, bool is_store) {
  const struct model_course *c = d->course;
  const uint32_t first = base[0] + imm;
  uint32_t differ = 0;
  EACH_LANE differ |= (base[l] + imm) ^ first;
  if (!is_store && !c->tells_loads) {
    const uint32_t page = first >> MODEL_PAGE_LOG2;
    // All in local and private memory, or in a page that has been told of.
    if (first >> 31 != 0 && differ >> 31 == 0)
      return true;
    if (differ >> MODEL_PAGE_LOG2 == 0 && c->recent[model_place(page)].loaded == (c->stretch | page))
      return true;
    uint64_t untold = 0;
    for (uint32_t l = 0; l < S; l++) {
      const uint32_t of_lane = (base[l] + imm) >> MODEL_PAGE_LOG2;
      untold |= c->recent[model_place(of_lane)].loaded ^ (c->stretch | of_lane);
    }
    if (untold == 0)
      return true;
  } else if (mask == UINT32_MAX >> (32 - S) && bytes == 4) {
    const uint32_t offset = first - HEDDLE_PRIVATE_BASE;
    uint32_t stride = 0;
    EACH_LANE stride |= (base[l] + imm) ^ (first + 4 * l);
    const uint32_t row = stride == 0 ? consecutive_words(d, g, first, S) : UINT32_MAX;
    if (row != UINT32_MAX)
      return row == first ? model_touch(d, row, 4 * S, is_store) : !is_store || model_touch_own(d, row, 4 * S);
    if (differ == 0 && offset <= (1u << d->dispatch.private_log2) - 4)
      return !is_store || model_touch_own(d, g->private_memory + (offset & ~3u) * d->lanes, 4 * S);
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m), physical;
    const uint32_t address = base[l] + imm;
    if (address < d->global_bytes) {
      if (!model_touch_words(d, address / 4, 1, is_store))
        return false;
    } else if (is_store && translate(d, g, address, bytes, l, &physical) == 0) {
      if (!model_touch_own(d, physical, bytes))
        return false;
    }
  }
  return true;
}

// Not inlined, so that what keeps values in registers on one thread does.
#define TOUCH_MEMORY(name, S)                                                                                   \
  static __attribute__((noinline)) bool name(struct model_device *d, const struct model_sub_group *g,           \
                                             const uint32_t *base, uint32_t imm, uint32_t mask, uint32_t bytes, \
                                             bool is_store) {                                                   \
    return touch_memory(d, g, base, imm, mask, S, bytes, is_store);                                             \
  }
TOUCH_MEMORY(touch_memory_any, d->sub_group_size)
#ifdef MODEL_SMALL
#define TOUCH(S) touch_memory_any
#else
TOUCH_MEMORY(touch_memory_4, 4)
TOUCH_MEMORY(touch_memory_8, 8)
TOUCH_MEMORY(touch_memory_16, 16)
TOUCH_MEMORY(touch_memory_32, 32)
#define TOUCH(S)                 \
  ((S) == 4    ? touch_memory_4  \
   : (S) == 8  ? touch_memory_8  \
   : (S) == 16 ? touch_memory_16 \
   : (S) == 32 ? touch_memory_32 \
               : touch_memory_any)
#endif
#define HAS_TOLD(bytes, is_store) \
  (__builtin_expect(!d->course, 1) || TOUCH(S)(d, g, base_, imm_, mask, bytes, is_store))
#else
#define HAS_TOLD(bytes, is_store) true
#endif

ALWAYS_INLINE uint32_t mulh(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}

ALWAYS_INLINE uint32_t mulhsu(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int64_t)b) >> 32);
}

ALWAYS_INLINE uint32_t mulhu(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)a * b >> 32);
}

ALWAYS_INLINE uint32_t divide(uint32_t a, uint32_t b) {
  if (b == 0)
    return UINT32_MAX;
  return b == UINT32_MAX ? 0 - a : (uint32_t)((int32_t)a / (int32_t)b);
}

ALWAYS_INLINE uint32_t remainder_of(uint32_t a, uint32_t b) {
  if (b == 0)
    return a;
  return b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

ALWAYS_INLINE uint32_t or_combine_bytes(uint32_t a) {
  uint32_t low = a | (a >> 4 & 0x0F0F0F0Fu);  // the low half of each byte: the two halves together
  low |= low >> 2 & 0x33333333u;
  low |= low >> 1 & 0x55555555u;
  return (low & 0x01010101u) * 0xFF;
}

// The word of a result: every NaN becomes the canonical one.
ALWAYS_INLINE uint32_t result_of(float f) {
  return f != f ? MODEL_CANONICAL_NAN : word_of(f);
}

ALWAYS_INLINE bool is_nan(uint32_t a) {
  return (a & 0x7FFFFFFFu) > 0x7F800000u;
}

// Whether a is the smaller of two numbers; -0 is smaller than +0.
ALWAYS_INLINE bool float_is_smaller(uint32_t a, uint32_t b) {
  return float_of(a) < float_of(b) || (float_of(a) == float_of(b) && (int32_t)a < (int32_t)b);
}

// fmin.s and fmax.s: the number if only one operand is one.
ALWAYS_INLINE uint32_t choose_float(uint32_t a, uint32_t b, bool choose_a) {
  uint32_t number = is_nan(a) ? b : is_nan(b) || choose_a ? a : b;
  return is_nan(number) ? MODEL_CANONICAL_NAN : number;
}

ALWAYS_INLINE uint32_t truncate_signed(uint32_t a) {
  float f = float_of(a);
  if (!(f < 0x1p31f))  // NaN too
    return INT32_MAX;
  return f < -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)f;
}

ALWAYS_INLINE uint32_t truncate_unsigned(uint32_t a) {
  float f = float_of(a);
  if (!(f < 0x1p32f))
    return UINT32_MAX;
  return f <= -1.0f ? 0 : (uint32_t)(int64_t)f;
}

ALWAYS_INLINE uint32_t classify(uint32_t a) {
  uint32_t magnitude = a & 0x7FFFFFFFu;
  bool negative = a >> 31;
  if (magnitude > 0x7F800000u)
    return magnitude & 0x00400000u ? 1u << 9 : 1u << 8;  // quiet, signaling
  if (magnitude == 0x7F800000u)
    return negative ? 1u << 0 : 1u << 7;
  if (magnitude == 0)
    return negative ? 1u << 3 : 1u << 4;
  if (magnitude < 0x00800000u)
    return negative ? 1u << 2 : 1u << 5;
  return negative ? 1u << 1 : 1u << 6;
}

// a * b + c, rounded once. The instructions that negate product or addend do so exactly, before.
#define SIGN 0x80000000u
#define FUSED(a, b, c) result_of(__builtin_fmaf(float_of(a), float_of(b), float_of(c)))

// Sets rd of the active lanes to an expression of a (rs1), b (rs2), c (the register of that number in imm) and imm.
#define ALU(expression)                                              \
  do {                                                               \
    const uint32_t *const rs1_ = ROW(op->rs1);                       \
    const uint32_t *const rs2_ = ROW(op->rs2);                       \
    uint32_t *const rd_ = ROW(op->rd);                               \
    const uint32_t imm = op->imm;                                    \
    const uint32_t *const rs3_ = ROW(imm & 31);                      \
    (void)rs2_, (void)rs3_, (void)imm;                               \
    if (full) {                                                      \
      EACH_LANE {                                                    \
        const uint32_t a = rs1_[l], b = rs2_[l], c = rs3_[l];        \
        (void)b, (void)c;                                            \
        rd_[l] = (expression);                                       \
      }                                                              \
    } else {                                                         \
      EACH_LANE {                                                    \
        const uint32_t a = rs1_[l], b = rs2_[l], c = rs3_[l];        \
        (void)b, (void)c;                                            \
        rd_[l] = ((expression) & active[l]) | (rd_[l] & ~active[l]); \
      }                                                              \
    }                                                                \
  } while (0)

// Sets rd of the active lanes to one value.
#define SET_ALL(expression)                                          \
  do {                                                               \
    const uint32_t value_ = (expression);                            \
    uint32_t *const rd_ = ROW(op->rd);                               \
    EACH_LANE rd_[l] = (value_ & active[l]) | (rd_[l] & ~active[l]); \
  } while (0)

#define BRANCH(condition)                      \
  do {                                         \
    const uint32_t *const rs1_ = ROW(op->rs1); \
    const uint32_t *const rs2_ = ROW(op->rs2); \
    uint32_t taken_ = 0;                       \
    EACH_LANE {                                \
      const uint32_t a = rs1_[l], b = rs2_[l]; \
      taken_ |= (condition) ? 1u << l : 0u;    \
    }                                          \
    taken = taken_ & mask;                     \
  } while (0);                                 \
  goto branch

#define LOAD_FROM(base, offset, bytes, is_signed)                                                \
  do {                                                                                           \
    const uint32_t *const base_ = (base);                                                        \
    const uint32_t imm_ = (offset);                                                              \
    if (!HAS_TOLD(bytes, false))                                                                 \
      goto unissued;                                                                             \
    EACH_LANE address[l] = base_[l] + imm_;                                                      \
    if (!access_memory(d, g, address, ROW(op->rd), pc, mask, full, S, bytes, true, is_signed)) { \
      goto unissued;                                                                             \
    }                                                                                            \
  } while (0);                                                                                   \
  goto next
#define LOAD(bytes, is_signed) LOAD_FROM(ROW(op->rs1), op->imm, bytes, is_signed)

#define STORE_TO(base, offset, bytes)                                                          \
  do {                                                                                         \
    const uint32_t *const base_ = (base);                                                      \
    const uint32_t imm_ = (offset);                                                            \
    if (!HAS_TOLD(bytes, true))                                                                \
      goto unissued;                                                                           \
    EACH_LANE address[l] = base_[l] + imm_;                                                    \
    if (!access_memory(d, g, address, ROW(op->rs2), pc, mask, full, S, bytes, false, false)) { \
      goto unissued;                                                                           \
    }                                                                                          \
  } while (0);                                                                                 \
  goto next
#define STORE(bytes) STORE_TO(ROW(op->rs1), op->imm, bytes)

// The addresses of an access at an index.
#define ADDRESSES_AT()                                            \
  do {                                                            \
    const uint32_t *const base_ = ROW(op->rs1);                   \
    const uint32_t *const index_ = ROW(op->imm & MODEL_AT_INDEX); \
    const uint32_t shift_ = op->imm >> MODEL_AT_SHIFT & 3;        \
    EACH_LANE address[l] = base_[l] + (index_[l] << shift_);      \
  } while (0)

#define RETIRE(mask, op)                                                                                 \
  do {                                                                                                   \
    if (watched && d->trace) {                                                                           \
      model_retire(d, g, pc, mask, op, (op)->kind >= OP_LB && (op)->kind <= OP_ATOMIC ? address : NULL); \
    }                                                                                                    \
  } while (0)

#define ROW(r) (x + (r) * S)

// Whether the lanes that jump back now are to yield (DEVICE.md, "Which lanes run").
// Whether an instruction that has its target in imm is a jump back. What an instruction that waits, an atomic or a
// pause, counts.
#define TURN_IS_OVER __builtin_expect(waited >= MODEL_TURN, 0)
#define GOES_BACK ((int32_t)(op->imm - pc) < 0)
#define COUNT_WAITING(waits) (waited += waited < MODEL_TURN ? apart & (waits) : 0)

ALWAYS_INLINE enum model_stop run_sub_group(struct model_device *d, struct model_sub_group *g, const uint32_t issues,
                                            const uint32_t S, const bool watched) {
  uint32_t *const x = g->x;
  uint32_t left = issues;
  uint64_t active_lanes = 0;
  enum model_stop stop = MODEL_SPENT;

  uint32_t pc = 0, mask = 0, count = 0, taken;
  uint32_t waited = g->waited, apart = 0;  // apart: 1 while a lane that could run does not
  bool full = false, over;
  uint64_t limit = NO_LIMIT;
  struct model_op *op;
  _Alignas(32) uint32_t active[MODEL_MAX_LANES];   // all ones: in mask
  _Alignas(32) uint32_t address[MODEL_MAX_LANES];  // of a load or store

  if (watched)
    model_profile_executes(d, true);
choose: {
  // Finds the lanes that run next. All PCs are in g->pc.
  uint32_t runnable = g->live & ~g->parked;
  if (runnable == 0) {
    if (g->live == 0) {
      stop = MODEL_RETURNS;
      goto done;
    }
    goto all_parked;
  }
  const uint32_t eligible = model_eligible(g);
  g->yielded &= ~eligible;
  uint64_t smallest = NO_LIMIT;
  mask = 0;
  limit = NO_LIMIT;
  for (uint32_t m = eligible; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    if (g->pc[l] < smallest) {
      limit = smallest;
      smallest = g->pc[l];
      mask = 1u << l;
    } else if (g->pc[l] == smallest) {
      mask |= 1u << l;
    } else if (g->pc[l] < limit) {
      limit = g->pc[l];
    }
  }
  pc = (uint32_t)smallest;
  full = mask == UINT32_MAX >> (32 - S);
  count = (uint32_t)__builtin_popcount(mask);
  apart = mask != runnable;
  waited = apart ? waited : 0;
  EACH_LANE active[l] = 0 - (mask >> l & 1);
}
fetch:
  if (__builtin_expect(!model_fetchable(d, pc), 0)) {
    model_fault(d, g, HEDDLE_FAULT_BAD_FETCH, pc, pc, (uint32_t)__builtin_ctz(mask));
    goto faulted;
  }
  op = &model_code(d, pc)[(pc >> 2) % MODEL_PAGE_WORDS];
issue:
  if (left == 0)
    goto save;
  left--;
  active_lanes += count;
  if (watched)
    model_count(d, g, pc, count, false);
again:
  if (watched && d->check)
    model_check_step(d, g, pc, mask, op);
  switch (op->kind) {
    case OP_DECODE: {
      uint32_t word;
      memcpy(&word, d->memory + pc, sizeof word);
      *op = model_decode(word, pc);
      goto again;
    }
    case OP_PAGE_END:
      left++;
      active_lanes -= count;
      if (watched)
        model_count(d, g, pc, count, true);
      goto fetch;
    case OP_CONSTANT:
      SET_ALL(op->imm);
      goto next;
    case OP_JAL:
      SET_ALL(pc + 4);
      RETIRE(mask, op);
      over = TURN_IS_OVER && GOES_BACK;
      pc = op->imm;
      if (__builtin_expect(over, 0))
        goto yield_together;
      goto jump;
    case OP_JALR: {
      const uint32_t imm = op->imm;
      const uint32_t *const base = ROW(op->rs1);
      const uint32_t target = (base[__builtin_ctz(mask)] + imm) & ~1u;
      uint32_t differ = 0;
      EACH_LANE {
        address[l] = (base[l] + imm) & ~1u;
        differ |= (address[l] ^ target) & active[l];
      }
      SET_ALL(pc + 4);
      RETIRE(mask, op);
      over = TURN_IS_OVER;
      if (differ == 0) {
        pc = target;
        if (__builtin_expect(over, 0))
          goto yield_together;
        goto jump;
      }
      for (uint32_t l = 0; l < S; l++)
        g->pc[l] = mask >> l & 1 ? address[l] : g->pc[l];
      if (over)
        goto yield;
      goto choose;
    }
    case OP_BEQ:
      BRANCH(a == b);
    case OP_BNE:
      BRANCH(a != b);
    case OP_BLT:
      BRANCH((int32_t)a < (int32_t)b);
    case OP_BGE:
      BRANCH((int32_t)a >= (int32_t)b);
    case OP_BLTU:
      BRANCH(a < b);
    case OP_BGEU:
      BRANCH(a >= b);
    case OP_LB:
      LOAD(1, true);
    case OP_LH:
      LOAD(2, true);
    case OP_LW:
      LOAD(4, false);
    case OP_LBU:
      LOAD(1, false);
    case OP_LHU:
      LOAD(2, false);
    case OP_SB:
      STORE(1);
    case OP_SH:
      STORE(2);
    case OP_SW:
      STORE(4);
    case OP_LOAD_AT:
      ADDRESSES_AT();
      switch (op->imm >> MODEL_AT_FUNCT3) {
        case 0:
          LOAD_FROM(address, 0, 1, true);
        case 1:
          LOAD_FROM(address, 0, 2, true);
        case 4:
          LOAD_FROM(address, 0, 1, false);
        case 5:
          LOAD_FROM(address, 0, 2, false);
        default:
          LOAD_FROM(address, 0, 4, false);
      }
    case OP_STORE_AT:
      ADDRESSES_AT();
      switch (op->imm >> MODEL_AT_FUNCT3) {
        case 0:
          STORE_TO(address, 0, 1);
        case 1:
          STORE_TO(address, 0, 2);
        default:
          STORE_TO(address, 0, 4);
      }
    case OP_ATOMIC: {
      const uint32_t *const base = ROW(op->rs1);
      EACH_LANE address[l] = base[l];
      if (!model_atomic(d, g, op, pc, mask, address))
        goto unissued;
      COUNT_WAITING(1u);
      goto next;
    }
    case OP_ADDI:
      ALU(a + imm);
      goto next;
    case OP_SLTI:
      ALU((int32_t)a < (int32_t)imm);
      goto next;
    case OP_SLTIU:
      ALU(a < imm);
      goto next;
    case OP_XORI:
      ALU(a ^ imm);
      goto next;
    case OP_ORI:
      ALU(a | imm);
      goto next;
    case OP_ANDI:
      ALU(a & imm);
      goto next;
    case OP_SLLI:
      ALU(a << imm);
      goto next;
    case OP_SRLI:
      ALU(a >> imm);
      goto next;
    case OP_SRAI:
      ALU((uint32_t)((int32_t)a >> imm));
      goto next;
    case OP_ADD:
      ALU(a + b);
      goto next;
    case OP_SUB:
      ALU(a - b);
      goto next;
    case OP_SLL:
      ALU(a << (b & 31));
      goto next;
    case OP_SLT:
      ALU((int32_t)a < (int32_t)b);
      goto next;
    case OP_SLTU:
      ALU(a < b);
      goto next;
    case OP_XOR:
      ALU(a ^ b);
      goto next;
    case OP_SRL:
      ALU(a >> (b & 31));
      goto next;
    case OP_SRA:
      ALU((uint32_t)((int32_t)a >> (b & 31)));
      goto next;
    case OP_OR:
      ALU(a | b);
      goto next;
    case OP_AND:
      ALU(a & b);
      goto next;
    case OP_MUL:
      ALU(a * b);
      goto next;
    case OP_MULH:
      ALU(mulh(a, b));
      goto next;
    case OP_MULHSU:
      ALU(mulhsu(a, b));
      goto next;
    case OP_MULHU:
      ALU(mulhu(a, b));
      goto next;
    case OP_DIV:
      ALU(divide(a, b));
      goto next;
    case OP_DIVU:
      ALU(b == 0 ? UINT32_MAX : a / b);
      goto next;
    case OP_REM:
      ALU(remainder_of(a, b));
      goto next;
    case OP_REMU:
      ALU(b == 0 ? a : a % b);
      goto next;
    case OP_SH1ADD:
      ALU((a << 1) + b);
      goto next;
    case OP_SH2ADD:
      ALU((a << 2) + b);
      goto next;
    case OP_SH3ADD:
      ALU((a << 3) + b);
      goto next;
    case OP_ANDN:
      ALU(a & ~b);
      goto next;
    case OP_ORN:
      ALU(a | ~b);
      goto next;
    case OP_XNOR:
      ALU(~(a ^ b));
      goto next;
    case OP_CLZ:
      ALU(a == 0 ? 32 : (uint32_t)__builtin_clz(a));
      goto next;
    case OP_CTZ:
      ALU(a == 0 ? 32 : (uint32_t)__builtin_ctz(a));
      goto next;
    case OP_CPOP:
      ALU((uint32_t)__builtin_popcount(a));
      goto next;
    case OP_MIN:
      ALU((int32_t)a < (int32_t)b ? a : b);
      goto next;
    case OP_MINU:
      ALU(a < b ? a : b);
      goto next;
    case OP_MAX:
      ALU((int32_t)a > (int32_t)b ? a : b);
      goto next;
    case OP_MAXU:
      ALU(a > b ? a : b);
      goto next;
    case OP_SEXT_B:
      ALU((uint32_t)(int8_t)a);
      goto next;
    case OP_SEXT_H:
      ALU((uint32_t)(int16_t)a);
      goto next;
    case OP_ZEXT_H:
      ALU(a & 0xFFFF);
      goto next;
    case OP_ROL:
      ALU(a << (b & 31) | a >> ((0 - b) & 31));
      goto next;
    case OP_ROR:
      ALU(a >> (b & 31) | a << ((0 - b) & 31));
      goto next;
    case OP_RORI:
      ALU(a >> imm | a << ((0 - imm) & 31));
      goto next;
    case OP_ORC_B:
      ALU(or_combine_bytes(a));
      goto next;
    case OP_REV8:
      ALU(__builtin_bswap32(a));
      goto next;
    case OP_FADD:
      ALU(result_of(float_of(a) + float_of(b)));
      goto next;
    case OP_FSUB:
      ALU(result_of(float_of(a) - float_of(b)));
      goto next;
    case OP_FMUL:
      ALU(result_of(float_of(a) * float_of(b)));
      goto next;
    case OP_FDIV:
      ALU(result_of(float_of(a) / float_of(b)));
      goto next;
    case OP_FSQRT:
      ALU(result_of(__builtin_sqrtf(float_of(a))));
      goto next;
    case OP_FMADD:
      ALU(FUSED(a, b, c));
      goto next;
    case OP_FMSUB:
      ALU(FUSED(a, b, c ^ SIGN));
      goto next;
    case OP_FNMSUB:
      ALU(FUSED(a ^ SIGN, b, c));
      goto next;
    case OP_FNMADD:
      ALU(FUSED(a ^ SIGN, b, c ^ SIGN));
      goto next;
    case OP_FCVT_S_W:
      ALU(result_of((float)(int32_t)a));
      goto next;
    case OP_FCVT_S_WU:
      ALU(result_of((float)a));
      goto next;
    case OP_FCVT_W_S:
      ALU(truncate_signed(a));
      goto next;
    case OP_FCVT_WU_S:
      ALU(truncate_unsigned(a));
      goto next;
    case OP_FSGNJ:
      ALU((a & ~SIGN) | (b & SIGN));
      goto next;
    case OP_FSGNJN:
      ALU((a & ~SIGN) | (~b & SIGN));
      goto next;
    case OP_FSGNJX:
      ALU(a ^ (b & SIGN));
      goto next;
    case OP_FMIN:
      ALU(choose_float(a, b, float_is_smaller(a, b)));
      goto next;
    case OP_FMAX:
      ALU(choose_float(a, b, float_is_smaller(b, a)));
      goto next;
    case OP_FEQ:
      ALU(float_of(a) == float_of(b));
      goto next;
    case OP_FLT:
      ALU(float_of(a) < float_of(b));
      goto next;
    case OP_FLE:
      ALU(float_of(a) <= float_of(b));
      goto next;
    case OP_FCLASS:
      ALU(classify(a));
      goto next;
    case OP_FLOAT_ROUNDED: {
      uint32_t value[MODEL_MAX_LANES];
      uint32_t *const rd = ROW(op->rd);
      model_float_rounded(op->imm, S, ROW(op->rs1), ROW(op->rs2), ROW(op->imm & 31), value);
      EACH_LANE rd[l] = (value[l] & active[l]) | (rd[l] & ~active[l]);
      goto next;
    }
    case OP_FENCE:
      COUNT_WAITING(op->imm);
      goto next;
    case OP_CSR: {
      uint32_t value[MODEL_MAX_LANES];
      uint32_t *const rd = ROW(op->rd);
      if (d->course && model_csr_is_clock(op->imm)) {
        d->gave_up = true;
        goto unissued;
      }
      model_read_csr(d, g, op->imm, d->clock + (issues - left - 1), value);
      EACH_LANE rd[l] = (value[l] & active[l]) | (rd[l] & ~active[l]);
      goto next;
    }
    case OP_SUB_GROUP_COLLECTIVE:
      if (mask == g->live) {
        if (watched && d->check)
          model_check_collective(d, g, 1, op, pc);
        model_collective(g, 1, S, op);
        goto next;
      }
      goto park;
    case OP_WORK_GROUP_COLLECTIVE:
      goto park;
    case OP_ACTIVE_COLLECTIVE:
      model_active_collective(g, mask, S, op);
      goto next;
    case OP_EXIT:
      RETIRE(mask, op);
      g->live &= ~mask;
      goto choose;
    default:  // OP_ILLEGAL
      model_fault(d, g, HEDDLE_FAULT_ILLEGAL_INSTRUCTION, pc, 0, (uint32_t)__builtin_ctz(mask));
      goto unissued;
  }

next:
  RETIRE(mask, op);
  pc += 4;
  op++;
  if (__builtin_expect(pc < limit, 1))
    goto issue;
  goto rejoin;

branch:
  RETIRE(mask, op);
  over = TURN_IS_OVER && GOES_BACK && taken != 0;
  if (__builtin_expect(over, 0))
    goto part;
  if (taken == 0) {
    pc += 4;
    op++;
    if (pc < limit)
      goto issue;
    goto rejoin;
  }
  if (taken == mask) {
    pc = op->imm;
    goto jump;
  }
part:
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    g->pc[l] = taken >> l & 1 ? op->imm : pc + 4;
  }
  if (over) {
    mask = taken;
    goto yield;
  }
  goto choose;

jump:
  if (pc < limit)
    goto fetch;
rejoin:
  for (uint32_t m = mask; m != 0; m &= m - 1)
    g->pc[__builtin_ctz(m)] = pc;
  goto choose;

yield_together:
  for (uint32_t m = mask; m != 0; m &= m - 1)
    g->pc[__builtin_ctz(m)] = pc;
yield:
  // The turn is over: the lanes of mask have jumped back, and their PCs are in g->pc.
  g->yielded |= mask;
  waited = 0;
  goto choose;

park:
  // The lanes of mask have arrived at a collective. All at once at one of the work-group: that is the sub-group's
  // arrival. Otherwise this issue was their park pass.
  for (uint32_t m = mask; m != 0; m &= m - 1)
    g->pc[__builtin_ctz(m)] = pc;
  g->parked |= mask;
  if (mask == g->live) {
    stop = MODEL_WAITS;
    goto done;
  }
  goto choose;

all_parked: {
  // Every live lane is parked. At one place?
  uint32_t lane = (uint32_t)__builtin_ctz(g->live);
  bool same = true;
  for (uint32_t m = g->live; m != 0; m &= m - 1) {
    uint32_t l = (uint32_t)__builtin_ctz(m);
    same = same && g->pc[l] == g->pc[lane];
    lane = g->pc[l] < g->pc[lane] ? l : lane;
  }
  pc = g->pc[lane];
  if (!same) {
    model_fault(d, g, HEDDLE_FAULT_DIVERGENT_COLLECTIVE, pc, 0, lane);
    stop = MODEL_FAULTS;
    goto done;
  }
  if (left == 0)
    goto done;
  left--;
  active_lanes += (uint32_t)__builtin_popcount(g->live);
  if (watched)
    model_count(d, g, pc, (uint32_t)__builtin_popcount(g->live), false);
  struct model_op executed = g->group->collective;
  if (!g->released) {
    // Fetched again: a lane may have overwritten it after others parked. Then they execute what is there now.
    op = &model_code(d, pc)[(pc >> 2) % MODEL_PAGE_WORDS];
    if (op->kind == OP_DECODE) {
      uint32_t word;
      memcpy(&word, d->memory + pc, sizeof word);
      *op = model_decode(word, pc);
    }
    if (op->kind == OP_WORK_GROUP_COLLECTIVE) {
      stop = MODEL_WAITS;
      goto done;
    }
    executed = *op;
    if (executed.kind == OP_SUB_GROUP_COLLECTIVE && watched && d->check)
      model_check_collective(d, g, 1, &executed, pc);
    if (executed.kind == OP_SUB_GROUP_COLLECTIVE)
      model_collective(g, 1, S, &executed);
  }
  g->released = false;
  g->parked = 0;
  if (executed.kind == OP_SUB_GROUP_COLLECTIVE || executed.kind == OP_WORK_GROUP_COLLECTIVE) {
    RETIRE(g->live, &executed);
    for (uint32_t l = 0; l < S; l++)
      g->pc[l] += g->live >> l & 1 ? 4 : 0;
  }
  goto choose;
}

unissued:
  // An instruction that faults takes no effect and does not count.
  left++;
  active_lanes -= count;
  if (watched)
    model_count(d, g, pc, count, true);
faulted:
  stop = MODEL_FAULTS;
save:
  for (uint32_t m = mask; m != 0; m &= m - 1)
    g->pc[__builtin_ctz(m)] = pc;
done:
  g->waited = waited;
  d->figures.issues += issues - left;
  d->clock += issues - left;
  d->figures.active_lanes += active_lanes;
  if (watched)
    model_profile_executes(d, false);
  return stop;
}

enum model_stop MODEL_EXECUTE(struct model_device *d, struct model_sub_group *g, uint32_t issues) {
#ifdef MODEL_SMALL
  return run_sub_group(d, g, issues, d->sub_group_size, d->trace || d->profile || d->check);
#else
  if (d->trace || d->profile || d->check)
    return run_sub_group(d, g, issues, d->sub_group_size, true);
  switch (d->sub_group_size) {
    case 4:
      return run_sub_group(d, g, issues, 4, false);
    case 8:
      return run_sub_group(d, g, issues, 8, false);
    case 16:
      return run_sub_group(d, g, issues, 16, false);
    case 32:
      return run_sub_group(d, g, issues, 32, false);
    default:
      return run_sub_group(d, g, issues, d->sub_group_size, false);
  }
#endif
}
