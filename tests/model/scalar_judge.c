// SPDX-License-Identifier: Apache-2.0
// Scalar instructions against an independent judge: random programs run on the model, eight work-items of one sub-group
// at a time, and on qemu-riscv32, one work-item after the other. The registers and the data of every work-item must be
// equal. Data-dependent branches make the lanes diverge on the model, which must not show. Two kinds of programs: all
// of RV32IMA, Zba, Zbb and Zfinx, and mostly Zfinx.
//
// HEDDLE_SEED and HEDDLE_PROGRAMS choose other programs; a failure prints those that repeat it.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/model/model.h"
#include "tests/model/machine.h"
#include "tests/temporary.h"

#define QEMU "qemu-riscv32 -cpu rv32,f=off,d=off,zfinx=on,zba=on,zbb=on"

enum {
  ITEMS = 8,
  STATE = 0x00100000,    // of item i: at STATE + i * STATE_BYTES
  STATE_BYTES = 0x2000,  // 32 words of registers before, 32 after, and from DATA on the data
  DATA = 0x1000,
  DATA_BYTES = 0x1000,
  CODE_WORDS = 4096,
  ITEM_WORD = STATE - 0x1000,  // qemu only: number of the item that runs
  OUTER = 31,                  // counts rounds of the whole body
  BASE = 30,                   // address of the item's data
  INNER = 29,                  // counts rounds of an inner loop
  ROUNDS = 24,
};

struct program {
  uint32_t code[CODE_WORDS];
  uint32_t words;
  bool mostly_floats;
  uint8_t state[ITEMS * STATE_BYTES];
};

static void put(struct program *p, uint32_t word) {
  cr_assert_lt(p->words, CODE_WORDS);
  p->code[p->words++] = word;
}

static uint32_t any_register(uint64_t *seed) {
  return next_random(seed) % 29;  // x0 to x28: the others hold the program together
}

static uint32_t interesting(uint64_t *seed) {
  static const uint32_t corners[] = {0, 1, 2, 31, 32, UINT32_MAX, UINT32_MAX - 1, 0x80000000u, INT32_MAX, 0x80000001u};
  uint32_t r = next_random(seed);
  switch (r % 4) {
    case 0:
      return corners[(r >> 8) % 10];
    case 1:
      return (uint32_t)((int32_t)next_random(seed) >> (r >> 8) % 32);
    default:
      return next_random(seed);
  }
}

// A float of those that special cases are made for, as often as any word: every bit pattern comes.
static uint32_t interesting_float(uint64_t *seed) {
  static const uint32_t corners[] = {0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001, 0x7F7FFFFF, 0x7F800000,
                                     0x7F800001, 0x7FC00000, 0x7FC12345, 0x7FFFFFFF, 0x3F800000, 0x3F800001, 0x3F7FFFFF,
                                     0x3F000000, 0x3FC00000, 0x40200000, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000,
                                     0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000, 0x4A800001, 0x33800000, 0x34000000,
                                     0x0C000000, 0x72800000, 0x1F800000, 0x5F000000, 0x5F3504F3, 0x20000001};
  uint32_t r = next_random(seed), any = next_random(seed);
  switch (r % 8) {
    case 0:
    case 1:
      return corners[(r >> 8) % (sizeof corners / sizeof corners[0])] | (r & 0x80000000u);
    case 2:  // few bits of significand: exact results and ties
      return (any & 0x80700000u) | (112 + (r >> 8) % 32) << 23;
    case 3:  // about 1, so that sums cancel and integers come near
      return (any & 0x807FFFFFu) | (120 + (r >> 8) % 40) << 23;
    case 4:  // nearly nothing
      return any & 0x80FFFFFFu;
    case 5:  // a corner's neighbour
      return corners[(r >> 8) % (sizeof corners / sizeof corners[0])] + (r >> 16 & 3) - 2;
    default:
      return any;
  }
}

static void put_constant(struct program *p, uint32_t rd, uint32_t value) {
  put(p, lui(rd, value + 0x800));
  put(p, addi(rd, rd, (int32_t)(value & 0xFFF)));
}

// One instruction of Zfinx, all of them alike often but for their rounding modes.
static uint32_t any_float(uint64_t *seed) {
  static const uint32_t rounding[] = {RNE, RTZ, RDN, RUP, RMM, DYN};
  static const uint32_t arithmetic[] = {FADD, FSUB, FMUL, FDIV};
  uint32_t r = next_random(seed), rm = rounding[(r >> 8) % 6];
  uint32_t rd = any_register(seed), rs1 = any_register(seed), rs2 = any_register(seed), rs3 = any_register(seed);
  switch (r % 14) {
    case 0:
    case 1:
    case 2:
    case 3:
      return float_fused(FMADD + 4 * (r % 14), rm, rd, rs1, rs2, rs3);
    case 4:
      return float_op(FSQRT, rm, rd, rs1, 0);
    case 5:
      return float_op(FCVT_TO_WORD, rm, rd, rs1, r >> 16 & 1);
    case 6:
      return float_op(FCVT_TO_FLOAT, rm, rd, rs1, r >> 16 & 1);
    case 7:
      return float_op(FSGNJ, (r >> 16) % 3, rd, rs1, rs2);
    case 8:
      return float_op(FMIN, r >> 16 & 1, rd, rs1, rs2);
    case 9:
      return float_op(FCOMPARE, (r >> 16) % 3, rd, rs1, rs2);
    case 10:
      return r >> 16 & 1 ? float_op(FCLASS, 1, rd, rs1, 0) : float_op(FADD, rm, rd, rs1, rs2);
    default:
      return float_op(arithmetic[(r >> 16) % 4], rm, rd, rs1, rs2);
  }
}

// Now and then new operands, or all would be NaN, infinity and 0 before long: at random, or from the item's data.
static void put_float(struct program *p, uint64_t *seed) {
  uint32_t r = next_random(seed);
  if (r % 4 == 0)
    put_constant(p, 1 + next_random(seed) % 28, interesting_float(seed));
  else if (r % 4 == 1)
    put(p, lw(1 + next_random(seed) % 28, BASE, (int32_t)((r >> 8) % 0x800 & ~3u)));
  put(p, any_float(seed));
}

static void put_bit_manipulation(struct program *p, uint64_t *seed) {
  static const uint32_t two[][2] = {{2, 0x10}, {4, 0x10}, {6, 0x10}, {7, 0x20}, {6, 0x20}, {4, 0x20},
                                    {4, 0x05}, {5, 0x05}, {6, 0x05}, {7, 0x05}, {1, 0x30}, {5, 0x30}};
  uint32_t rd = any_register(seed), rs1 = any_register(seed), rs2 = any_register(seed), r = next_random(seed);
  const uint32_t one[] = {clz(rd, rs1),    ctz(rd, rs1),    cpop(rd, rs1),
                          sext_b(rd, rs1), sext_h(rd, rs1), orc_b(rd, rs1),
                          rev8(rd, rs1),   zext_h(rd, rs1), rori(rd, rs1, r >> 16 & 31)};
  if (r & 1) {
    put(p, one[(r >> 8) % (sizeof one / sizeof one[0])]);
  } else {
    const uint32_t *f = two[(r >> 8) % (sizeof two / sizeof two[0])];
    put(p, encode_r(0x33, f[0], f[1], rd, rs1, rs2));
  }
}

// An atomic at a place all programs may use. A pair of lr.w and sc.w is kept together, as qemu's reservation outlives
// what ends ours: it compares values. An sc.w alone, whose lr.w was to another word, fails on both.
static void put_atomic(struct program *p, uint64_t *seed) {
  static const uint32_t kinds[] = {AMOADD, AMOSWAP, AMOXOR, AMOOR, AMOAND, AMOMIN, AMOMAX, AMOMINU, AMOMAXU};
  uint32_t r = next_random(seed), rd = any_register(seed), rs2 = any_register(seed);
  uint32_t base = 1 + next_random(seed) % 28, order = r >> 28 & 3;
  put(p, andi(base, any_register(seed), 0x7FC));
  put(p, add(base, base, BASE));
  if (r % 4 != 0) {
    put(p, atomic(kinds[(r >> 8) % 9], rd, base, rs2) | order << 25);
    return;
  }
  put(p, lr(rd == base ? 0 : rd, base) | order << 25);
  if (r >> 16 & 1)
    put(p, addi(rs2 == base ? 0 : rs2, rd, 1));
  if ((r >> 17 & 7) == 0)  // the neighbour is not reserved
    put(p, encode_i(0x13, 4, base, base, 4));
  put(p, sc(any_register(seed), base, rs2));
}

static void put_arithmetic(struct program *p, uint64_t *seed) {
  uint32_t rd = any_register(seed), rs1 = any_register(seed), rs2 = any_register(seed), r = next_random(seed);
  uint32_t funct3 = r & 7;
  switch (r >> 8 & 7) {
    case 0:
    case 1:  // multiply and divide; sometimes of operands that are special to them
      if (r >> 16 & 1) {
        put(p, r >> 17 & 1 ? lui(rs1, 0x80000000u) : addi(rs1, 0, (int32_t)(r >> 18 & 3) - 1));
        if (rs1 != rs2)
          put(p, r >> 20 & 1 ? lui(rs2, 0x80000000u) : addi(rs2, 0, (int32_t)(r >> 21 & 3) - 1));
      }
      put(p, encode_r(0x33, funct3, 1, rd, rs1, rs2));
      break;
    case 2:
    case 3:
      put(p, encode_r(0x33, funct3, (funct3 == 0 || funct3 == 5) && (r & 0x80) ? 0x20 : 0, rd, rs1, rs2));
      break;
    case 4:
      put(p, r & 0x80 ? lui(rd, next_random(seed)) : auipc(rd, next_random(seed)));
      break;
    case 5:
      put(p, r & 0x80 ? 0x0FF0000F : addi(rd, 0, (int32_t)(r >> 20)));
      break;
    default:
      if (funct3 == 1 || funct3 == 5)
        put(p, encode_i(0x13, funct3, rd, rs1, (int32_t)((r >> 16 & 31) | (funct3 == 5 && (r & 0x80) ? 0x400 : 0))));
      else
        put(p, encode_i(0x13, funct3, rd, rs1, (int32_t)(r >> 20)));
      break;
  }
}

// At a place all programs may use: a fixed offset, or one computed from a register.
static void put_memory(struct program *p, uint64_t *seed) {
  static const uint32_t load_widths[] = {LB, LH, LW, LBU, LHU}, store_widths[] = {SB, SH, SW};
  uint32_t r = next_random(seed), base = BASE;
  bool is_load = r & 1;
  uint32_t width = is_load ? load_widths[(r >> 1) % 5] : store_widths[(r >> 1) % 3];
  uint32_t bytes = 1u << (width & 3);
  int32_t offset = (int32_t)((r >> 8) % 0x800 & ~(bytes - 1));
  if (r >> 31) {
    base = 1 + next_random(seed) % 28;
    put(p, andi(base, any_register(seed), (int32_t)(0x7FF & ~(bytes - 1))));
    put(p, add(base, base, BASE));
  } else if (r >> 30 & 1) {
    offset -= 0x800;
    base = 1 + next_random(seed) % 28;
    put(p, addi(base, BASE, 0x400));
    put(p, addi(base, base, 0x400));
  }
  put(p, is_load ? load(width, any_register(seed), base, offset) : store(width, any_register(seed), base, offset));
}

static void put_block(struct program *p, uint64_t *seed, uint32_t count);

// A jump or branch over a few instructions; sometimes a small loop.
static void put_control(struct program *p, uint64_t *seed, uint32_t count) {
  static const uint32_t conditions[] = {BEQ, BNE, BLT, BGE, BLTU, BGEU};
  uint32_t r = next_random(seed), rs1 = any_register(seed), rs2 = any_register(seed);
  uint32_t at = p->words;
  switch (r % 8) {
    case 0: {  // jal
      put(p, nop());
      put_block(p, seed, count);
      p->code[at] = encode_jal(any_register(seed), (int32_t)(p->words - at) * 4);
      break;
    }
    case 1: {  // auipc and jalr, with bit 0 set, which jalr clears
      uint32_t link = any_register(seed), to = 1 + next_random(seed) % 28;
      put(p, auipc(to, 0));
      put(p, nop());
      put_block(p, seed, count);
      p->code[at + 1] = jalr(link, to, (int32_t)(p->words - at) * 4 + (int32_t)(r >> 8 & 1));
      break;
    }
    case 2: {  // a loop of 1 to 4 rounds
      put(p, addi(INNER, 0, (int32_t)(1 + (r >> 8) % 4)));
      uint32_t top = p->words;
      for (uint32_t i = 0; i < count; i++)
        put_arithmetic(p, seed);
      put(p, addi(INNER, INNER, -1));
      put(p, encode_b(BNE, INNER, 0, (int32_t)(top - p->words) * 4));
      break;
    }
    default: {
      put(p, nop());
      put_block(p, seed, count);
      p->code[at] = encode_b(conditions[(r >> 8) % 6], rs1, rs2, (int32_t)(p->words - at) * 4);
      break;
    }
  }
}

static void put_block(struct program *p, uint64_t *seed, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t r = next_random(seed) % 10, more = next_random(seed) % 8;
    if (p->mostly_floats && r < 8)
      put_float(p, seed);
    else if (r < 6 && more < 2)
      put_float(p, seed);
    else if (r < 6 && more == 2)
      put_bit_manipulation(p, seed);
    else if (r < 6)
      put_arithmetic(p, seed);
    else if (r == 6 && more < 2)
      put_atomic(p, seed);
    else if (r < 8 || count < 3)
      put_memory(p, seed);
    else
      put_control(p, seed, 1 + next_random(seed) % (count / 3));
  }
}

// The code from CODE on; its first two words get the item's number into x5 and differ between the two machines.
static void make_program(struct program *p, uint64_t seed, bool mostly_floats) {
  memset(p, 0, sizeof *p);
  p->mostly_floats = mostly_floats;
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t same = next_random(&seed) % 2;  // half of the programs' items begin alike in most registers
    for (uint32_t w = 0; w < STATE_BYTES / 4; w++) {
      uint32_t v = mostly_floats || w % 2 ? interesting_float(&seed) : interesting(&seed);
      if (i > 0 && same && w % 4 != 0)
        memcpy(&v, p->state + 4 * w, sizeof v);
      memcpy(p->state + i * STATE_BYTES + 4 * w, &v, sizeof v);
    }
  }
  put(p, nop());
  put(p, nop());
  put(p, slli(6, 5, 13));
  put(p, lui(BASE, STATE));
  put(p, add(BASE, BASE, 6));
  for (uint32_t r = 1; r <= 28; r++)
    put(p, lw(r, BASE, 4 * (int32_t)r));
  put(p, lui(INNER, DATA));
  put(p, add(BASE, BASE, INNER));
  put(p, addi(OUTER, 0, ROUNDS));
  uint32_t top = p->words;
  put_block(p, &seed, 110);
  // Round again; the branch may not reach, so a jump does it.
  put(p, addi(OUTER, OUTER, -1));
  put(p, encode_b(BEQ, OUTER, 0, 8));
  put(p, encode_jal(0, (int32_t)(top - p->words) * 4));
  put(p, addi(BASE, BASE, -0x800));
  for (uint32_t r = 1; r <= 29; r++)
    put(p, sw(r, BASE, 4 * (int32_t)r - 0x780));
}

static void run_on_model(struct machine *m, const struct program *p, uint8_t *state) {
  const struct heddle_sim_api *api = heddle_model_api();
  cr_assert_eq(api->write(m->device, CODE, p->code, 4 * p->words), 0);
  cr_assert_eq(api->write(m->device, STATE, p->state, sizeof p->state), 0);
  poke(m, CODE, csrr(5, 0xCD0));
  poke(m, CODE + 4, nop());
  poke(m, CODE + 4 * p->words, exit_item());
  const struct range r = {.global = {ITEMS}, .local = {ITEMS}};
  cr_assert_eq(run_range(m, &r), 0, "fault %u at 0x%x", get_control(m, HEDDLE_REG_FAULT_REASON),
               get_control(m, HEDDLE_REG_FAULT_PC));
  cr_assert_eq(api->read(m->device, STATE, state, sizeof p->state), 0);
}

// The program as a static Linux executable: one segment from CODE to the end of the state. After each item it goes back
// to the start with the next number; in the end it writes the state to its standard output.
static void write_executable(const struct program *p, FILE *file) {
  static const uint8_t identification[16] = {0x7F, 'E', 'L', 'F', 1, 1, 1};
  const uint32_t start = CODE - 0x1000, bytes = STATE + ITEMS * STATE_BYTES - start;
  uint8_t *image = calloc(1, bytes);
  cr_assert(image);
  memcpy(image, identification, sizeof identification);
  const uint16_t types[2] = {2, 243};  // executable, RISC-V
  memcpy(image + 16, types, sizeof types);
  const uint32_t header[] = {1, CODE, 52, 0, 0};
  memcpy(image + 20, header, sizeof header);
  const uint16_t sizes[] = {52, 32, 1, 40, 0, 0};
  memcpy(image + 40, sizes, sizeof sizes);
  const uint32_t segment[8] = {1, 0, start, start, bytes, bytes, 7, 0x1000};
  memcpy(image + 52, segment, sizeof segment);

  uint32_t tail[] = {
      lui(5, ITEM_WORD), lw(6, 5, 0),
      addi(6, 6, 1),     sw(6, 5, 0),
      addi(7, 0, ITEMS), encode_b(BEQ, 6, 7, 12),
      lui(5, CODE),      jalr(0, 5, 0),
      addi(10, 0, 1),  // write(1, STATE, bytes)
      lui(11, STATE),    lui(12, ITEMS * STATE_BYTES),
      addi(17, 0, 64),   0x00000073,
      addi(10, 0, 0),  // exit(0)
      addi(17, 0, 93),   0x00000073,
  };
  uint32_t head[2] = {lui(5, ITEM_WORD), lw(5, 5, 0)};
  memcpy(image + (CODE - start), p->code, 4 * p->words);
  memcpy(image + (CODE - start), head, sizeof head);
  memcpy(image + (CODE - start) + 4 * p->words, tail, sizeof tail);
  memcpy(image + (STATE - start), p->state, sizeof p->state);
  cr_assert_eq(fwrite(image, 1, bytes, file), bytes);
  cr_assert_eq(fflush(file), 0);
  free(image);
}

static void run_on_qemu(const struct program *p, uint8_t *state) {
  char name[TEMPORARY_BYTES], command[TEMPORARY_BYTES + 64];
  int descriptor = mkstemp(temporary_name(name));
  cr_assert(descriptor >= 0);
  FILE *file = fdopen(descriptor, "wb");
  cr_assert(file);
  write_executable(p, file);
  cr_assert_eq(fchmod(descriptor, 0700), 0);
  cr_assert_eq(fclose(file), 0);
  snprintf(command, sizeof command, QEMU " %s", name);
  FILE *pipe = popen(command, "r");
  cr_assert(pipe);
  size_t came = fread(state, 1, sizeof p->state, pipe);
  int status = pclose(pipe);
  unlink(name);
  cr_assert_eq(status, 0, "qemu-riscv32 ended with status 0x%x", (unsigned)status);
  cr_assert_eq(came, sizeof p->state, "qemu-riscv32 wrote %zu bytes", came);
}

static bool same_state(const uint8_t *model, const uint8_t *qemu) {
  bool same = true;
  for (uint32_t at = 0; at < ITEMS * STATE_BYTES && same; at += 4) {
    uint32_t a, b, offset = at % STATE_BYTES;
    memcpy(&a, model + at, sizeof a);
    memcpy(&b, qemu + at, sizeof b);
    if (a != b) {
      fprintf(stderr, "item %u, %s 0x%x: model 0x%08x, qemu 0x%08x\n", at / STATE_BYTES,
              offset < DATA ? "register x" : "data at", offset < DATA ? (offset - 128) / 4 : offset - DATA, a, b);
      same = false;
    }
  }
  return same;
}

// How many float instructions the work-items of the program execute: it runs once more, traced.
struct float_count {
  const struct program *program;
  uint64_t count;
};

static void count_float(void *user, const struct heddle_model_retired *r) {
  struct float_count *c = user;
  uint32_t word = c->program->code[(r->pc - CODE) / 4 % CODE_WORDS], opcode = word & 0x7F;
  if (opcode == 0x53 || (opcode >= FMADD && opcode <= FNMADD))
    c->count += (uint32_t)__builtin_popcount(r->mask);
}

static uint64_t floats_of(struct machine *m, const struct program *p) {
  static uint8_t state[ITEMS * STATE_BYTES];
  struct float_count c = {p, 0};
  heddle_model_set_trace(m->device, count_float, &c);
  run_on_model(m, p, state);
  heddle_model_set_trace(m->device, NULL, NULL);
  return c.count;
}

static uint64_t number_from(const char *variable, uint64_t otherwise) {
  const char *text = getenv(variable);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

static void judge(const char *test, bool mostly_floats, uint64_t usual_programs) {
  if (system(QEMU " --version >/dev/null 2>&1") != 0)
    cr_skip_test("qemu-riscv32 is not installed");
  const uint64_t first = number_from("HEDDLE_SEED", 1);
  const uint64_t programs =
      number_from("HEDDLE_PROGRAMS", getenv("HEDDLE_TEST_LONG") ? 30 * usual_programs : usual_programs);
  static struct program program;
  static uint8_t model[ITEMS * STATE_BYTES], qemu[ITEMS * STATE_BYTES];
  uint64_t instructions = 0, issues = 0, floats = 0;
  for (uint64_t seed = first; seed < first + programs; seed++) {
    struct machine m = machine_create(8, 4);
    make_program(&program, seed, mostly_floats);
    run_on_model(&m, &program, model);
    instructions += get_figure(&m, HEDDLE_REG_ACTIVE_LANES);
    issues += get_figure(&m, HEDDLE_REG_ISSUES);
    floats += floats_of(&m, &program);
    machine_destroy(&m);
    run_on_qemu(&program, qemu);
    cr_assert(same_state(model, qemu),
              "alone: HEDDLE_SEED=%" PRIu64
              " HEDDLE_PROGRAMS=1 build/tests/model_scalar_judge --filter "
              "model_scalar_judge/%s",
              seed, test);
  }
  printf("%" PRIu64 " programs, %" PRIu64 " work-item instructions, %" PRIu64 " of them Zfinx, in %" PRIu64 " issues\n",
         programs, instructions, floats, issues);
  if (!getenv("HEDDLE_PROGRAMS")) {
    cr_expect_geq(mostly_floats ? floats : instructions, 1000000);
    cr_expect_lt(instructions, ITEMS * issues, "the lanes never diverged");
  }
}

Test(model_scalar_judge, random_programs_give_what_qemu_gives) {
  judge("random_programs_give_what_qemu_gives", false, 150);
}

Test(model_scalar_judge, random_float_programs_give_what_qemu_gives) {
  judge("random_float_programs_give_what_qemu_gives", true, 150);
}
