// SPDX-License-Identifier: Apache-2.0
// Kernels that read and write images, on the golden model: every format, way to read, sampler and number of dimensions
// against a reference written from the text (image_reference.h). Also what heddlec says of image arguments.
#include <CL/cl.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/argument.h"
#include "contract/device_map.h"
#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/image_reference.h"
#include "tests/hls/kernel_file_reader.h"
#include "tests/hls/random.h"

// Kernels for one kind of image. LITERAL is a sampler instead of the argument. c has the coordinates as floats, what is
// read becomes words of r.
static const char reads[] =
    "#ifdef LITERAL\n"
    "constant sampler_t literal = LITERAL;\n"
    "#define SAMPLER literal\n"
    "#else\n"
    "#define SAMPLER s\n"
    "#endif\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define READ(suffix, as, image, C, coordinates, to_int) \\\n"
    "  kernel void read_##suffix(read_only image i, sampler_t s, global const float4 *c, global uint4 *r) { \\\n"
    "    float4 p = c[get_global_id(0)]; \\\n"
    "    r[get_global_id(0)] = as(read_image##suffix(i, SAMPLER, p.coordinates)); \\\n"
    "  } \\\n"
    "  kernel void at_##suffix(read_only image i, sampler_t s, global const float4 *c, global uint4 *r) { \\\n"
    "    float4 p = c[get_global_id(0)]; \\\n"
    "    r[get_global_id(0)] = as(read_image##suffix(i, SAMPLER, to_int(p.coordinates))); \\\n"
    "  } \\\n"
    "  kernel void plain_##suffix(read_only image i, sampler_t s, global const float4 *c, global uint4 *r) { \\\n"
    "    float4 p = c[get_global_id(0)]; \\\n"
    "    r[get_global_id(0)] = as(read_image##suffix(i, to_int(p.coordinates))); \\\n"
    "  }\n"
    "#define AS_WIDE(h) as_uint4(convert_float4(h))\n"
    "#define READS(...) READ(f, as_uint4, __VA_ARGS__) READ(i, as_uint4, __VA_ARGS__) \\\n"
    "  READ(ui, as_uint4, __VA_ARGS__) READ(h, AS_WIDE, __VA_ARGS__)\n"
    "READS(IMAGE)\n";

struct kind {
  const char *name, *macro;
  int axes;
  bool is_array;
};
static const struct kind kinds[] = {
    {"1d", "IMAGE=image1d_t,float,x,convert_int_rtn", 1, false},
    {"1d array", "IMAGE=image1d_array_t,float2,xy,convert_int2_rtn", 1, true},
    {"2d", "IMAGE=image2d_t,float2,xy,convert_int2_rtn", 2, false},
    {"2d array", "IMAGE=image2d_array_t,float4,xyzw,convert_int4_rtn", 2, true},
    {"3d", "IMAGE=image3d_t,float4,xyzw,convert_int4_rtn", 3, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *const addressings[] = {"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_CLAMP",
                                          "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT"};

// As clang has the names.
static uint32_t word_of(struct sampler s) {
  return (s.normalized ? 1u : 0u) | (uint32_t)s.addressing << 1 | (s.linear ? 0x20u : 0x10u);
}

// Those that the text allows: repeating takes normalised coordinates.
enum { SAMPLERS = 16 };
static struct sampler sampler_of(int number) {
  const int addressing = number / 2 < 5 ? number / 2 : number / 2 - 5;
  return (struct sampler){
      .linear = number % 2 != 0, .normalized = number < 10, .addressing = (enum addressing)addressing};
}

static struct result compile_reads(const struct kind *kind, const char *literal) {
  char image[96], sampler[160];
  snprintf(image, sizeof image, "-D%s", kind->macro);
  snprintf(sampler, sizeof sampler, "-DLITERAL=%s", literal ? literal : "");
  return literal ? compile_well(reads, "-cl-std=CL3.0", image, sampler, NULL)
                 : compile_well(reads, "-cl-std=CL3.0", image, NULL);
}

static struct result compile_literal(const struct kind *kind, struct sampler s) {
  char text[128];
  snprintf(text, sizeof text, "%s|%s|%s", addressings[s.addressing],
           s.normalized ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE",
           s.linear ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
  return compile_reads(kind, text);
}

// ---- pictures

// Random pixels; floats and halves are small numbers, so that no sum is infinite.
static void fill(struct picture *p) {
  for (size_t i = 0; i < p->bytes; i++)
    p->pixels[i] = (unsigned char)random_word();
  for (size_t i = 0; i + 4 <= p->bytes; i += 4) {
    const float f = (float)(int32_t)random_word() / (float)(1 << 28);
    const _Float16 halves[2] = {(_Float16)f, (_Float16)(f * 3)};
    if (p->format.type == CL_FLOAT)
      memcpy(p->pixels + i, &f, 4);
    else if (p->format.type == CL_HALF_FLOAT)
      memcpy(p->pixels + i, halves, 4);
    else if (i % 12 == 0)
      memset(p->pixels + i, i % 24 == 0 ? 0 : 0xFF, 4);
  }
}

static struct picture picture_of(struct format format, const struct kind *kind) {
  struct picture p = {.format = format, .axes = kind->axes, .is_array = kind->is_array, .width = 5};
  p.height = kind->axes > 1 ? 3 : 1;
  p.depth = kind->axes > 2 ? 4 : 1;
  p.layers = kind->is_array ? 3 : 1;
  // Rows and slices with room behind them.
  p.row_pitch = 6 * format_bytes(format);
  p.slice_pitch = p.row_pitch * (size_t)p.height + 2 * format_bytes(format);
  p.bytes = p.slice_pitch * (size_t)(p.depth * p.layers);
  p.bytes = (p.bytes + 3) / 4 * 4;
  p.pixels = malloc(p.bytes);
  cr_assert_not_null(p.pixels);
  fill(&p);
  return p;
}

static struct image image_of(const struct picture *p) {
  return (struct image){.order = p->format.order,
                        .type = p->format.type,
                        .width = (uint32_t)p->width,
                        .height = (uint32_t)p->height,
                        .depth = (uint32_t)p->depth,
                        .array_size = (uint32_t)p->layers,
                        .row_pitch = (uint32_t)p->row_pitch,
                        .slice_pitch = (uint32_t)p->slice_pitch,
                        .pixels = {p->pixels, p->bytes}};
}

// Of formats a test takes each of so many; the Verilated device is slow.
static size_t step_of(size_t quick) {
  return is_long_test() ? 1 : getenv("HEDDLE_TEST_RTL") ? 20 * quick : quick;
}

// ---- reading

enum { POINTS = 24 };

// Coordinates around and outside of the picture, with those of corners and middles of pixels among them.
static void choose_points(const struct picture *p, struct sampler s, float (*points)[4]) {
  const int sizes[] = {p->width, p->height, p->depth};
  for (int i = 0; i < POINTS; i++) {
    for (int a = 0; a < 4; a++) {
      const int size = a < p->axes ? sizes[a] : p->layers;
      const bool is_far = random_word() % 4 == 0, is_inside = s.addressing == ADDRESS_NONE && a < p->axes;
      const int whole =
          is_inside ? (int)(random_word() % (uint32_t)size) : (int)(random_word() % (uint32_t)(3 * size)) - size;
      const float part = (float)(random_word() % 4 == 0 ? random_word() % 256 : random_word() % 2 * 128) / 256.0f;
      float c = (float)whole + part;
      if (is_inside && s.linear)
        c = fmaxf(0.5f, fminf(c, (float)size - 0.6f));
      else if (is_far && !is_inside && a < p->axes)
        c *= 1000;
      points[i][a] = a < p->axes && s.normalized ? c / (float)size : c;
    }
  }
}

static bool is_close(double got, double expected, double tolerance) {
  return got == expected || fabs(got - expected) <= tolerance || (isnan(got) && isnan(expected));
}

static double value_of(uint32_t word, const char *suffix) {
  float f;
  memcpy(&f, &word, sizeof f);
  return strcmp(suffix, "i") == 0 ? (double)(int32_t)word : strcmp(suffix, "ui") == 0 ? (double)word : (double)f;
}

static void expect_colours(const struct picture *p, const struct kind *kind, struct sampler s, const char *kernel,
                           float (*points)[4], uint32_t (*got)[4]) {
  const char *suffix = strchr(kernel, '_') + 1;
  const bool is_half = strcmp(suffix, "h") == 0;
  for (int i = 0; i < POINTS; i++) {
    const struct colour expected = picture_sample(p, s, points[i]);
    for (int c = 0; c < 4 && !expected.is_undefined; c++) {
      const double wanted = is_half ? (double)(_Float16)expected.values[c] : expected.values[c];
      const double tolerance = expected.tolerance[c] + (is_half ? fabs(wanted) * 0x1.8p-10 + 0x1p-24 : 0);
      cr_assert(is_close(value_of(got[i][c], suffix), wanted, tolerance),
                "%s of %s, order %x, type %x, sampler %x, at (%a, %a, %a): component %d is %.9g, expected %.9g +- %g",
                kernel, kind->name, p->format.order, p->format.type, word_of(s), points[i][0], points[i][1],
                points[i][2], c, value_of(got[i][c], suffix), wanted, tolerance);
    }
  }
}

static void run_read(const struct result *compiled, const struct picture *p, struct sampler s, const char *kernel,
                     float (*points)[4], uint32_t (*got)[4]) {
  struct dispatch dispatch = {.kernel = kernel,
                              .global = {POINTS},
                              .local = {8},
                              .buffers = {{points, POINTS * 16}, {got, POINTS * 16}},
                              .values = {word_of(s)},
                              .images = {image_of(p)}};
  run_kernel(compiled, &dispatch);
}

static void expect_read(const struct result *compiled, const struct kind *kind, struct format format, struct sampler s,
                        const char *kernel) {
  float points[POINTS][4];
  uint32_t got[POINTS][4] = {0};
  struct picture p = picture_of(format, kind);
  choose_points(&p, s, points);
  run_read(compiled, &p, s, kernel, points, got);
  if (strncmp(kernel, "read", 4) != 0)
    for (int i = 0; i < POINTS; i++)
      for (int a = 0; a < 4; a++)
        points[i][a] = floorf(points[i][a]);
  expect_colours(&p, kind, s, kernel, points, got);
  free(p.pixels);
}

static const char *suffix_of(struct format format) {
  return format_is_signed(format) ? "i" : format_is_unsigned(format) ? "ui" : "f";
}

// As depth images are: their own types.
static bool is_of_kind(struct format format) {
  return format.order != CL_DEPTH;
}

static void expect_reads(const struct result *compiled, const struct kind *kind, struct sampler s, size_t step) {
  char kernel[16];
  for (size_t f = random_word() % step; f < format_count; f += step) {
    if (!is_of_kind(formats[f]) || (s.linear && !format_is_float(formats[f])))
      continue;
    snprintf(kernel, sizeof kernel, "read_%s", suffix_of(formats[f]));
    expect_read(compiled, kind, formats[f], s, kernel);
    if (s.normalized || s.linear || s.addressing > CLAMP_TO_BORDER)
      continue;
    snprintf(kernel, sizeof kernel, "at_%s", suffix_of(formats[f]));
    expect_read(compiled, kind, formats[f], s, kernel);
    snprintf(kernel, sizeof kernel, "plain_%s", suffix_of(formats[f]));
    if (s.addressing == ADDRESS_NONE)
      expect_read(compiled, kind, formats[f], s, kernel);
  }
}

Test(images, a_sampler_argument_reads_every_format_as_the_text_has_it) {
  for (int k = 0; k < KINDS; k++) {
    struct result compiled = compile_reads(&kinds[k], NULL);
    for (int s = 0; s < SAMPLERS; s++)
      expect_reads(&compiled, &kinds[k], sampler_of(s), step_of(4));
    result_free(&compiled);
  }
}

// Made for the sampler, where the format is the one that this is done for; what is not goes the way of an argument.
static const struct format inline_formats[] = {
    {CL_RGBA, CL_UNORM_INT8}, {CL_RGBA, CL_UNSIGNED_INT8}, {CL_RGBA, CL_SIGNED_INT8}};

static void expect_inline_reads(const struct result *compiled, const struct kind *kind, struct sampler s) {
  char kernel[16];
  for (size_t f = 0; f < sizeof inline_formats / sizeof *inline_formats; f++) {
    static const char *const forms[] = {"read", "at", "plain"};
    for (int form = 0; form < 3; form++) {
      const bool is_whole = format_is_float(inline_formats[f]) == 0;
      if ((s.linear && is_whole) || (form > 0 && (s.normalized || s.linear || s.addressing > CLAMP_TO_BORDER)) ||
          (form == 2 && s.addressing != ADDRESS_NONE)) {
        continue;
      }
      snprintf(kernel, sizeof kernel, "%s_%s", forms[form], suffix_of(inline_formats[f]));
      expect_read(compiled, kind, inline_formats[f], s, kernel);
      if (!is_whole) {
        snprintf(kernel, sizeof kernel, "%s_h", forms[form]);
        expect_read(compiled, kind, inline_formats[f], s, kernel);
      }
    }
  }
}

Test(images, a_literal_sampler_reads_as_an_argument_does) {
  for (int k = 0; k < KINDS; k++) {
    for (int s = 0; s < SAMPLERS; s++) {
      if ((kinds[k].axes != 2 && (s + k) % (int)step_of(3) != 0) || (s + k) % (int)step_of(1) != 0)
        continue;
      struct result compiled = compile_literal(&kinds[k], sampler_of(s));
      expect_inline_reads(&compiled, &kinds[k], sampler_of(s));
      expect_reads(&compiled, &kinds[k], sampler_of(s), step_of(40));
      result_free(&compiled);
    }
  }
}

// docs/decisions/images.md: fractions in 256ths, their product in 256ths, cut off; then sums of whole numbers. In any
// order of the four bytes, of a literal sampler and of an argument, bit by bit.
static float filtered_byte(const struct picture *p, int channel, const float *point) {
  int at[2], fraction[2];
  const int sizes[2] = {p->width, p->height};
  for (int a = 0; a < 2; a++) {
    const double u = fmin(fmax(rint(((double)point[a] - 0.5) * 256), 0), (sizes[a] - 1) * 256);
    at[a] = (int)u / 256;
    fraction[a] = (int)u % 256;
  }
  const int both = fraction[0] * fraction[1] / 256;
  const int weights[4] = {256 - fraction[0] - fraction[1] + both, fraction[0] - both, fraction[1] - both, both};
  int sum = 0;
  for (int corner = 0; corner < 4; corner++) {
    const int x = at[0] + corner % 2, y = at[1] + corner / 2;
    if (x < p->width && y < p->height)
      sum += weights[corner] * p->pixels[(size_t)y * p->row_pitch + (size_t)x * 4 + (size_t)channel];
  }
  return (float)sum * (1 / 65280.0f);
}

Test(images, four_bytes_are_filtered_in_256ths) {
  static const struct {
    uint32_t order;
    int channels[4];
  } orders[] = {{CL_RGBA, {0, 1, 2, 3}}, {CL_BGRA, {2, 1, 0, 3}}, {CL_ARGB, {1, 2, 3, 0}}, {CL_ABGR, {3, 2, 1, 0}}};
  static const int sizes[][2] = {{5, 3}, {2, 2}, {5, 1}, {1, 3}, {1, 1}};
  const struct sampler edge = {.linear = true, .addressing = CLAMP_TO_EDGE};
  struct result compiled[] = {compile_reads(&kinds[2], NULL), compile_literal(&kinds[2], edge)};
  for (int run = 0; run < 40; run++) {  // of each size in each order, by both samplers
    struct picture p = picture_of((struct format){orders[run % 4].order, CL_UNORM_INT8}, &kinds[2]);
    p.width = sizes[run / 8][0];
    p.height = sizes[run / 8][1];
    float points[POINTS][4] = {{0}};
    uint32_t got[POINTS][4];
    for (int i = 0; i < POINTS; i++) {
      points[i][0] = (float)((int)(random_word() % 8192) - 1024) / 1024;
      points[i][1] = (float)((int)(random_word() % 6144) - 1024) / 1024;
    }
    run_read(&compiled[run / 4 % 2], &p, edge, "read_f", points, got);
    for (int i = 0; i < POINTS; i++) {
      for (int c = 0; c < 4; c++) {
        const float expected = filtered_byte(&p, orders[run % 4].channels[c], points[i]);
        cr_assert_eq(value_of(got[i][c], "f"), (double)expected,
                     "order %x, %d x %d, at (%a, %a): %d is %a, expected %a", orders[run % 4].order, p.width, p.height,
                     points[i][0], points[i][1], c, value_of(got[i][c], "f"), expected);
      }
    }
    free(p.pixels);
  }
  result_free(&compiled[0]);
  result_free(&compiled[1]);
}

// ---- cl_intel_subgroups

Test(images, blocks_of_an_image_are_one_row_for_each_element) {
  static const char source[] =
      "kernel void k(read_only image2d_t in, write_only image2d_t out, global uint4 *r, int x, int y) {\n"
      "  uint4 a = intel_sub_group_block_read4(in, (int2)(x, y));\n"
      "  ushort2 b = intel_sub_group_block_read_us2(in, (int2)(x, y));\n"
      "  r[get_sub_group_local_id()] = a + (uint4)(b.x, b.y, 0, 0);\n"
      "  intel_sub_group_block_write2(out, (int2)(x, y), a.xy);\n"
      "}\n";
  enum { WIDTH = 12, HEIGHT = 6, LANES = 8, COLUMN = 4, ROW = 1 };
  uint32_t in[HEIGHT][WIDTH], out[HEIGHT][WIDTH] = {{0}}, got[LANES][4];
  for (int i = 0; i < HEIGHT * WIDTH; i++)
    in[i / WIDTH][i % WIDTH] = random_word();
  struct image image = {.order = CL_R,
                        .type = CL_UNSIGNED_INT32,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .row_pitch = sizeof *in,
                        .pixels = {in, sizeof in}};
  struct dispatch dispatch = {.kernel = "k",
                              .global = {LANES},
                              .local = {LANES},
                              .buffers = {{got, sizeof got}},
                              .values = {4 * COLUMN, ROW},
                              .images = {image, image}};
  dispatch.images[1].pixels.data = out;
  struct result compiled = compile_well(source, "-cl-std=CL1.2", NULL);
  run_kernel(&compiled, &dispatch);
  for (int lane = 0; lane < LANES; lane++) {
    for (int e = 0; e < 4; e++) {
      const uint16_t *halves = (const uint16_t *)&in[ROW + e][COLUMN];
      cr_expect_eq(got[lane][e], in[ROW + e][COLUMN + lane] + (e < 2 ? halves[lane] : 0), "lane %d, row %d", lane, e);
    }
  }
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      const bool is_written = x >= COLUMN && x < COLUMN + LANES && y >= ROW && y < ROW + 2;
      cr_expect_eq(out[y][x], is_written ? in[y][x] : 0, "at %d, %d", x, y);
    }
  }
  result_free(&compiled);
}

// ---- writing

static const char writes[] =
    "#define WRITE(suffix, as, image, vector) \\\n"
    "  kernel void write_##suffix(write_only image i, global const int4 *c, global const uint4 *colours) { \\\n"
    "    write_image##suffix(i, c[get_global_id(0)].vector, as(colours[get_global_id(0)])); \\\n"
    "  }\n"
    "#define WRITES(...) WRITE(f, as_float4, __VA_ARGS__) WRITE(i, as_int4, __VA_ARGS__) \\\n"
    "  WRITE(ui, as_uint4, __VA_ARGS__)\n"
    "WRITES(IMAGE)\n";
static const char *const write_macros[KINDS] = {"-DIMAGE=image1d_t,x", "-DIMAGE=image1d_array_t,xy",
                                                "-DIMAGE=image2d_t,xy", "-DIMAGE=image2d_array_t,xyzw",
                                                "-DIMAGE=image3d_t,xyzw"};

static uint32_t bits_of_float(float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return word;
}

// Colours in and out of range, and what is no number.
static uint32_t random_component(struct format format) {
  static const float special[] = {0, -0.0f, 1, -1, 2, -3, 0.5f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 1e-8f};
  if (!format_is_float(format))
    return random_word() % 2 != 0 ? random_word() : (uint32_t)((int32_t)random_word() >> (random_word() % 24));
  if (random_word() % 3 == 0)
    return bits_of_float(special[random_word() % (sizeof special / sizeof *special)]);
  return bits_of_float((float)(int32_t)random_word() / (float)(1u << 30));
}

// The nearest whole number, which is more than the text asks for.
static double nearest_slack(struct format format, double slack) {
  return format.order == CL_sRGBA || format.order == CL_sRGBx || format.order == CL_sBGRA ? slack
         : slack > 0                                                                      ? 0.5 + 1e-3
                                                                                          : 0;
}

static bool is_within(const struct picture *p, const int32_t *c) {
  const int layer = p->is_array ? c[p->axes] : 0;
  return c[0] >= 0 && c[0] < p->width && (p->axes < 2 || (c[1] >= 0 && c[1] < p->height)) &&
         (p->axes < 3 || (c[2] >= 0 && c[2] < p->depth)) && layer >= 0 && layer < p->layers;
}

static size_t offset_in(const struct picture *p, const int32_t *c) {
  const int slice = p->is_array ? c[p->axes] : p->axes == 3 ? c[2] : 0;
  return (size_t)slice * p->slice_pitch + (p->axes > 1 ? (size_t)c[1] * p->row_pitch : 0) +
         (size_t)c[0] * format_bytes(p->format);
}

static void expect_write(const struct result *compiled, const struct kind *kind, struct format format) {
  int32_t points[POINTS][4];
  uint32_t colours[POINTS][4];
  char kernel[16];
  struct picture p = picture_of(format, kind);
  unsigned char *expected = malloc(p.bytes);
  cr_assert_not_null(expected);
  memcpy(expected, p.pixels, p.bytes);
  for (int i = 0; i < POINTS; i++) {
    for (int a = 0; a < 4; a++) {
      points[i][a] = (int)(random_word() % 8) - 2;
      colours[i][a] = random_component(format);
    }
    for (int before = 0; before < i; before++)  // one write a pixel: they come in any order
      if (is_within(&p, points[before]) && is_within(&p, points[i]) &&
          offset_in(&p, points[before]) == offset_in(&p, points[i]))
        points[i][0] = -1;
  }
  snprintf(kernel, sizeof kernel, "write_%s", suffix_of(format));
  struct dispatch dispatch = {.kernel = kernel,
                              .global = {POINTS},
                              .local = {8},
                              .buffers = {{points, sizeof points}, {colours, sizeof colours}},
                              .images = {image_of(&p)}};
  run_kernel(compiled, &dispatch);
  for (int i = 0; i < POINTS; i++) {
    double colour[4];
    if (!is_within(&p, points[i]))
      continue;
    for (int c = 0; c < 4; c++)
      colour[c] = value_of(colours[i][c], suffix_of(format));
    const struct stored wanted = format_store(format, colour);
    const size_t at = offset_in(&p, points[i]);
    const struct stored got = format_load(format, p.pixels + at);
    for (int c = 0; c < wanted.channels; c++) {
      cr_assert(
          wanted.is_undefined[c] || is_close(got.values[c], wanted.values[c], nearest_slack(format, wanted.slack)),
          "%s, order %x, type %x: channel %d of (%g, %g, %g, %g) is %.9g, expected %.9g", kind->name, format.order,
          format.type, c, colour[0], colour[1], colour[2], colour[3], got.values[c], wanted.values[c]);
    }
    memcpy(expected + at, p.pixels + at, format_bytes(format));
  }
  cr_assert_arr_eq(p.pixels, expected, p.bytes, "%s, order %x, type %x: written outside of pixels", kind->name,
                   format.order, format.type);
  free(expected);
  free(p.pixels);
}

Test(images, writes_round_and_saturate_and_stay_inside) {
  for (int k = 0; k < KINDS; k++) {
    struct result compiled = compile_well(writes, "-cl-std=CL3.0", write_macros[k], NULL);
    for (size_t f = 0; f < format_count; f += step_of(1))
      if (is_of_kind(formats[f]))
        expect_write(&compiled, &kinds[k], formats[f]);
    result_free(&compiled);
  }
}

// ---- everything else

// A kernel of one work-item, whose buffer has room for 16 words.
// The buffer has 64 bytes.
static void run_once(const char *source, struct image image, const char *version, uint32_t value, void *buffer) {
  struct result compiled = compile_well(source, version, NULL);
  run_kernel(
      &compiled,
      &(struct dispatch){.kernel = "k", .buffers = {{buffer, 64}}, .values = {value}, .images = {image, image, image}});
  result_free(&compiled);
}

static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};

Test(images, samplers_and_images_go_through_functions) {
  static const char source[] =
      "#ifndef __IMAGE_SUPPORT__\n"
      "#error\n"
      "#endif\n"
      "constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
      "float left_of(read_only image2d_t i, sampler_t s, float2 c);\n"
      "float left_of(read_only image2d_t i, sampler_t s, float2 c) { return read_imagef(i, s, c - (float2)(1, 0)).x; "
      "}\n"
      "kernel void k(read_only image2d_t i, sampler_t given, global float *r) {\n"
      "  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "  r[0] = left_of(i, border, (float2)(0));\n"
      "  r[1] = left_of(i, edge, (float2)(0));\n"
      "  r[2] = left_of(i, given, (float2)(0));\n"
      "  r[3] = left_of(i, given, (float2)(2));\n"
      "}\n";
  const struct sampler repeat = {.normalized = true, .addressing = REPEAT};
  for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
    float pixels[3][2] = {{1, 2}, {3, 4}, {5, 6}}, r[16] = {0};
    struct image image = {CL_R, CL_FLOAT, .width = 2, .height = 3, .row_pitch = 8, .pixels = {pixels, sizeof pixels}};
    run_once(source, image, versions[v], word_of(repeat), r);
    cr_expect(r[0] == 0 && r[1] == 1 && r[2] == 1 && r[3] == 1, "%s: %g, %g, %g, %g", versions[v], r[0], r[1], r[2],
              r[3]);
  }
}

Test(images, a_kernel_reads_what_it_has_written) {
  static const char source[] =
      "kernel void k(read_write image2d_t i, int add, global uint4 *r) {\n"
      "  for (int x = 0; x < 3; x++) {\n"
      "    uint4 old = read_imageui(i, (int2)(x, 0));\n"
      "    write_imageui(i, (int2)(x + 1, 0), old + (uint4)(add));\n"
      "  }\n"
      "  r[0] = read_imageui(i, (int2)(3, 0));\n"
      "}\n";
  static const uint32_t types[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16};
  for (int t = 0; t < 2; t++) {
    unsigned char pixels[32] = {1, 0, 2, 0, 3, 0, 4, 0};
    if (t == 0)
      memcpy(pixels, (unsigned char[]){1, 2, 3, 4}, 4);
    uint32_t r[16] = {0};
    struct image image = {CL_RGBA, types[t], .width = 4, .row_pitch = 32, .pixels = {pixels, sizeof pixels}};
    run_once(source, image, "-cl-std=CL3.0", 10, r);
    for (uint32_t c = 0; c < 4; c++)
      cr_expect_eq(r[c], 31 + c, "type %x, component %u: %u", types[t], c, r[c]);
  }
}

Test(images, a_kernel_has_images_of_different_formats) {
  static const char source[] =
      "kernel void k(read_only image2d_t in, write_only image2d_t out) {\n"
      "  int2 at = (int2)(get_global_id(0), 0);\n"
      "  write_imageui(out, at, read_imageui(in, at));\n"
      "}\n";
  static const struct format all[] = {{CL_RGBA, CL_UNSIGNED_INT8},
                                      {CL_BGRA, CL_UNSIGNED_INT8},
                                      {CL_RGBA, CL_UNSIGNED_INT16},
                                      {CL_R, CL_UNSIGNED_INT32}};
  enum { FORMATS = sizeof all / sizeof *all, WIDTH = 8 };
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  for (int i = 0; i < FORMATS * FORMATS; i++) {
    const struct format from = all[i / FORMATS], to = all[i % FORMATS];
    unsigned char in[8 * WIDTH], out[8 * WIDTH] = {0};
    for (int b = 0; b < 8 * WIDTH; b++)
      in[b] = (unsigned char)random_word();
    struct dispatch dispatch = {
        .kernel = "k",
        .global = {WIDTH},
        .local = {WIDTH},
        .images = {{from.order, from.type, WIDTH, .row_pitch = 8 * WIDTH, .pixels = {in, sizeof in}},
                   {to.order, to.type, WIDTH, .row_pitch = 8 * WIDTH, .pixels = {out, sizeof out}}}};
    run_kernel(&compiled, &dispatch);
    const struct picture read = {.format = from, .axes = 1, .width = WIDTH, .pixels = in};
    for (int x = 0; x < WIDTH; x++) {
      const struct colour colour = picture_pixel(&read, x, 0, 0);
      const struct stored wanted = format_store(to, colour.values);
      const struct stored got = format_load(to, out + (size_t)x * format_bytes(to));
      for (int c = 0; c < wanted.channels; c++)
        cr_assert(got.values[c] == wanted.values[c], "from %x %x to %x %x, channel %d: %g, expected %g", from.order,
                  from.type, to.order, to.type, c, got.values[c], wanted.values[c]);
    }
  }
  result_free(&compiled);
}

Test(images, an_image_of_a_buffer_is_as_long_as_that) {
  static const char source[] =
      "kernel void k(read_only image1d_buffer_t in, write_only image1d_buffer_t out, int at, global uint4 *r) {\n"
      "  r[0] = read_imageui(in, at);\n"
      "  r[1] = (uint4)(get_image_width(in), get_image_channel_order(in) == CLK_RG,\n"
      "                 get_image_channel_data_type(in) == CLK_UNSIGNED_INT16, 0);\n"
      "  write_imageui(out, at, r[0].yxzw);\n"
      "  write_imageui(out, at + 10, r[0]);\n"
      "}\n";
  enum { WIDTH = 100000, AT = 99995 };
  uint32_t *pixels = calloc(WIDTH, sizeof *pixels), r[16] = {0};
  pixels[AT] = 0x00070009;
  struct image image = {CL_RG, CL_UNSIGNED_INT16, .width = WIDTH, .pixels = {pixels, WIDTH * sizeof *pixels}};
  run_once(source, image, "-cl-std=CL1.2", AT, r);
  static const uint32_t expected[] = {9, 7, 0, 1, WIDTH, 1, 1};
  cr_expect_arr_eq(r, expected, sizeof expected);
  // All three images have the same pixels here, each its own copy; the last to come back is the second's.
  cr_expect_eq(pixels[AT], 0x00090007);
  free(pixels);
}

Test(images, depth_images_are_of_one_float) {
  static const char source[] =
      "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
      "kernel void k(read_only image2d_depth_t in, sampler_t s, write_only image2d_depth_t out, global float *r,\n"
      "              read_only image2d_array_depth_t array) {\n"
      "  r[0] = read_imagef(in, linear, (float2)(1, 0.5f));\n"
      "  r[1] = read_imagef(in, s, (int2)(1, 0));\n"
      "  r[2] = read_imagef(in, (int2)(0, 0));\n"
      "  r[3] = read_imagef(in, linear, (float2)(-9));\n"
      "  r[4] = read_imagef(array, s, (float4)(1, 0, 7, 0));\n"
      "  r[5] = get_image_dim(in).x + 10 * get_image_array_size(array);\n"
      "  write_imagef(out, (int2)(1, 0), 0.75f);\n"
      "}\n";
  float pixels[2] = {0.25f, 0.5f}, r[16] = {0};
  struct image image = {CL_DEPTH, CL_FLOAT, .width = 2, .row_pitch = 8, .pixels = {pixels, sizeof pixels}};
  // The second image is the one that is written.
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  float written[2] = {0, 0};
  struct dispatch dispatch = {
      .kernel = "k", .buffers = {{r, sizeof r}}, .values = {0x14}, .images = {image, image, image}};
  dispatch.images[1].pixels.data = written;
  run_kernel(&compiled, &dispatch);
  static const float expected[] = {0.375f, 0.5f, 0.25f, 0, 0.5f, 12};
  cr_expect_arr_eq(r, expected, sizeof expected);
  cr_expect(written[0] == 0 && written[1] == 0.75f);
  result_free(&compiled);
}

Test(images, kernels_ask_for_sizes_and_formats) {
  static const char source[] =
      "kernel void k(read_only image3d_t a, write_only image2d_array_t b, read_only image1d_array_t c, int v,\n"
      "              global int *r) {\n"
      "  int4 d = get_image_dim(a);\n"
      "  r[0] = d.x; r[1] = d.y; r[2] = d.z; r[3] = d.w;\n"
      "  r[4] = get_image_width(a); r[5] = get_image_height(a); r[6] = get_image_depth(a);\n"
      "  r[7] = get_image_dim(b).y; r[8] = get_image_array_size(b); r[9] = get_image_height(b);\n"
      "  r[10] = get_image_width(c); r[11] = get_image_array_size(c);\n"
      "  r[12] = get_image_channel_order(a); r[13] = get_image_channel_data_type(a);\n"
      "}\n";
  char pixels[64];
  int32_t r[16] = {0};
  struct image image = {CL_BGRA, CL_SNORM_INT8, 5, 6, 7, 8, .pixels = {pixels, sizeof pixels}};
  run_once(source, image, "-cl-std=CL3.0", 0, (uint32_t *)r);
  static const int32_t expected[] = {5, 6, 7, 0, 5, 6, 7, 6, 8, 6, 5, 8, CL_BGRA, CL_SNORM_INT8};
  cr_expect_arr_eq(r, expected, sizeof expected);
}

// Wherever they point: an address outside of the picture would be outside of memory.
Test(images, no_coordinate_faults) {
  static const float odd[] = {NAN,           INFINITY, -INFINITY, 1e30f, -1e30f, 2147483648.0f, -2147483904.0f,
                              4294967296.0f, 5e7f,     -5e7f,     1e8f};
  const struct format kinds_of_formats[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}, {CL_RGBA, CL_HALF_FLOAT}};
  struct result arguments = compile_reads(&kinds[4], NULL);
  for (int s = 0; s < SAMPLERS; s += (int)step_of(1)) {
    struct result literal = compile_literal(&kinds[4], sampler_of(s));
    for (int f = 0; f < 3; f++) {
      float points[POINTS][4];
      uint32_t got[POINTS][4];
      struct picture p = picture_of(kinds_of_formats[f], &kinds[4]);
      for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 4; a++)
          points[i][a] = random_word() % 2 != 0 ? odd[random_word() % (sizeof odd / sizeof *odd)] : 0.5f;
      run_read(&arguments, &p, sampler_of(s), "read_f", points, got);
      run_read(&literal, &p, sampler_of(s), "read_f", points, got);
      run_read(&arguments, &p, sampler_of(s), "at_f", points, got);
      run_read(&literal, &p, sampler_of(s), "plain_f", points, got);
      free(p.pixels);
    }
    result_free(&literal);
  }
  result_free(&arguments);
}

// Of images that have code of their own in the kernel and of others: each tile is turned by way of local memory.
Test(images, lanes_meet_at_barriers_between_reads_and_writes) {
  static const char source[] =
      "kernel void turn(read_only image2d_t in, write_only image2d_t out, global uint *sums) {\n"
      "  local uint4 tile[8][8];\n"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1)), in_tile = (int2)(get_local_id(0), get_local_id(1));\n"
      "  tile[in_tile.y][in_tile.x] = read_imageui(in, at);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  uint4 turned = tile[in_tile.x][in_tile.y];\n"
      "  write_imageui(out, at, turned);\n"
      "  uint sum = work_group_reduce_add(turned.x);\n"
      "  if (get_local_linear_id() == 0) sums[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = sum;\n"
      "}\n";
  enum { TILES = 4, PIXELS = 8 * TILES };
  static const cl_uint orders[] = {CL_RGBA, CL_BGRA};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  for (int o = 0; o < 2; o++) {
    static uint32_t in[PIXELS][PIXELS], out[PIXELS][PIXELS], sums[TILES * TILES], expected[TILES * TILES];
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < PIXELS * PIXELS; i++) {
      const int y = i / PIXELS, x = i % PIXELS;
      in[y][x] = random_word();
      expected[y / 8 * TILES + x / 8] += in[y][x] >> (orders[o] == CL_RGBA ? 0 : 16) & 0xFF;
    }
    struct image image = {orders[o], CL_UNSIGNED_INT8,        PIXELS,
                          PIXELS,    .row_pitch = sizeof *in, .pixels = {in, sizeof in}};
    struct dispatch dispatch = {.kernel = "turn",
                                .global = {PIXELS, PIXELS},
                                .local = {8, 8},
                                .buffers = {{sums, sizeof sums}},
                                .images = {image, image}};
    dispatch.images[1].pixels.data = out;
    run_kernel(&compiled, &dispatch);
    for (int y = 0; y < PIXELS; y++)
      for (int x = 0; x < PIXELS; x++)
        cr_assert_eq(out[y][x], in[y / 8 * 8 + x % 8][x / 8 * 8 + y % 8], "order %x, at %d, %d", orders[o], x, y);
    cr_expect_arr_eq(sums, expected, sizeof sums);
  }
  result_free(&compiled);
}

Test(images, without_optimisation_reads_are_the_same) {
  static const char source[] =
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
      "kernel void k(read_only image2d_t i, sampler_t t, global float4 *r) {\n"
      "  r[0] = read_imagef(i, s, (float2)(1, 0.5f));\n"
      "  r[1] = read_imagef(i, t, (float2)(1, 0.5f));\n"
      "}\n";
  unsigned char pixels[8] = {0, 51, 102, 255, 255, 153, 102, 0};
  float r[16] = {0};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "-cl-opt-disable", NULL);
  struct image image = {CL_RGBA, CL_UNORM_INT8, .width = 2, .row_pitch = 8, .pixels = {pixels, sizeof pixels}};
  run_kernel(&compiled,
             &(struct dispatch){.kernel = "k", .buffers = {{r, sizeof r}}, .values = {0x24}, .images = {image}});
  static const float expected[] = {0.5f, 0.4f, 0.4f, 0.5f};
  for (int i = 0; i < 8; i++)
    cr_expect(fabsf(r[i] - expected[i % 4]) < 1e-6f, "%d: %g", i, r[i]);
  result_free(&compiled);
}

Test(images, arguments_are_noted_as_images_and_samplers) {
  struct result result = compile_well(
      "typedef sampler_t mine;\n"
      "typedef image2d_array_depth_t depths;\n"
      "kernel void k(image2d_t a, write_only image3d_t b, read_write image1d_buffer_t c, sampler_t d, mine e, int f,\n"
      "              depths g, image1d_t h, image1d_array_t i, image2d_array_t j, image2d_depth_t k) {}\n",
      "-cl-std=CL3.0", NULL);
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const uint32_t *note = kernel_file_note(&file, "k");
  const uint32_t depth = 1 << 16;
  const struct {
    uint32_t kind, access, space, image;
  } expected[] = {
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE2D},
      {HEDDLE_IMAGE, HEDDLE_WRITE_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE3D},
      {HEDDLE_IMAGE, HEDDLE_READ_WRITE, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE1D_BUFFER},
      {HEDDLE_SAMPLER, HEDDLE_ACCESS_NONE, HEDDLE_PRIVATE, 0},
      {HEDDLE_SAMPLER, HEDDLE_ACCESS_NONE, HEDDLE_PRIVATE, 0},
      {HEDDLE_BY_VALUE, HEDDLE_ACCESS_NONE, HEDDLE_PRIVATE, 0},
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE2D_ARRAY | depth},
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE1D},
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE1D_ARRAY},
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE2D_ARRAY},
      {HEDDLE_IMAGE, HEDDLE_READ_ONLY, HEDDLE_GLOBAL, CL_MEM_OBJECT_IMAGE2D | depth},
  };
  for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const uint32_t *argument = note_argument(note, i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_OFFSET], 4 * i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_SIZE], 4);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_KIND], expected[i].kind, "argument %u", i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_ACCESS], expected[i].access, "argument %u", i);
    cr_expect_eq(argument[HEDDLE_ARGUMENT_ADDRESS_SPACE], expected[i].space, "argument %u", i);
    cr_expect_eq(argument[9], expected[i].image, "argument %u: image type 0x%x", i, argument[9]);
  }
  result_free(&result);
}

// ---- what it costs

enum { SIDE = 64 };

static struct counters cost_of(const struct result *compiled, const char *kernel, struct format format) {
  static float out[SIDE * SIDE][4];
  static uint32_t in[SIDE * SIDE * 4];
  struct counters counters = {0};
  for (size_t i = 0; i < sizeof in / sizeof *in; i++)
    in[i] = random_word() & 0x3FFFFFFF;
  const uint32_t pitch = SIDE * (uint32_t)format_bytes(format);
  struct dispatch dispatch = {.kernel = kernel,
                              .global = {SIDE, SIDE},
                              .local = {8, 8},
                              .buffers = {{out, sizeof out}, {in, sizeof in}},
                              .images = {{.order = format.order,
                                          .type = format.type,
                                          .width = SIDE,
                                          .height = SIDE,
                                          .row_pitch = pitch,
                                          .pixels = {in, SIDE * pitch}}},
                              .counters = &counters};
  run_kernel(compiled, &dispatch);
  cr_log_info("%s of order %x, type %x: %.1f instructions a work-item, %u cycles", kernel, format.order, format.type,
              (double)counters.issues * 8 / (SIDE * SIDE), counters.cycles);
  return counters;
}

// Costs are those of a device with a float unit and with minima, maxima and scaled sums in one instruction.
static bool is_default_isa(void) {
  return !getenv("HEDDLE_TEST_ISA");
}

static double per_item(struct counters counters) {
  return (double)counters.issues * 8 / (SIDE * SIDE);
}

// A filter of 3 x 3 pixels of four bytes: by read_imageui, and over a buffer.
Test(images, a_filter_over_an_image_costs_at_most_half_more_than_over_a_buffer) {
  if (!is_default_isa())
    return;
  static const char source[] =
      "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "kernel void over_image(read_only image2d_t in, global uchar4 *out) {\n"
      "  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);\n"
      "  uint4 sum = 0;\n"
      "  for (int j = -1; j <= 1; j++)\n"
      "    for (int i = -1; i <= 1; i++)\n"
      "      sum += read_imageui(in, s, (int2)(x + i, y + j));\n"
      "  out[y * w + x] = convert_uchar4(sum / 9);\n"
      "}\n"
      "kernel void over_buffer(global uchar4 *out, global const uchar4 *in) {\n"
      "  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);\n"
      "  uint4 sum = 0;\n"
      "  for (int j = -1; j <= 1; j++)\n"
      "    for (int i = -1; i <= 1; i++)\n"
      "      sum += convert_uint4(in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)]);\n"
      "  out[y * w + x] = convert_uchar4(sum / 9);\n"
      "}\n";
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  const struct format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const struct counters image = cost_of(&compiled, "over_image", format),
                        buffer = cost_of(&compiled, "over_buffer", format);
  cr_expect_leq(image.issues, buffer.issues * 3 / 2, "%u and %u instructions", image.issues, buffer.issues);
  cr_expect_leq(image.cycles, buffer.cycles * 3 / 2, "%u and %u cycles", image.cycles, buffer.cycles);
  result_free(&compiled);
}

// Instructions of one read, with the sizes and addresses that it takes from the descriptor, and without the rest of the
// kernel. A filter over four channels is 4 words, 4 weights, 8 multiplications for two channels each, and the channels
// taken out of words before and after that. What is not RGBA of bytes is a call.
Test(images, a_read_takes_few_instructions) {
  if (!is_default_isa())
    return;
  static const char source[] =
      "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
      "#define KERNEL(name, value) \\\n"
      "  kernel void name(read_only image2d_t in, global float4 *out) { \\\n"
      "    float2 c = (float2)(get_global_id(0), get_global_id(1)) * 0.9f; \\\n"
      "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = value; \\\n"
      "  }\n"
      "KERNEL(nothing, c.xyxy)\n"
      "KERNEL(nearest_pixel, read_imagef(in, nearest, c))\n"
      "KERNEL(bilinear, read_imagef(in, linear, c))\n"
      "KERNEL(bilinear_red, read_imagef(in, linear, c).x)\n";
  static const struct {
    struct format format;
    double nearest, bilinear, bilinear_red;
  } most[] = {{{CL_RGBA, CL_UNORM_INT8}, 34, 84, 55}, {{CL_BGRA, CL_UNORM_INT8}, 69, 133, 130},
              {{CL_R, CL_UNORM_INT8}, 51, 79, 76},    {{CL_RG, CL_UNORM_INT8}, 56, 98, 95},
              {{CL_R, CL_UNORM_INT16}, 55, 84, 81},   {{CL_RGBA, CL_UNORM_INT16}, 57, 140, 137},
              {{CL_R, CL_HALF_FLOAT}, 63, 100, 97},   {{CL_RGBA, CL_HALF_FLOAT}, 87, 184, 181},
              {{CL_R, CL_FLOAT}, 51, 76, 73},         {{CL_RG, CL_FLOAT}, 51, 85, 82},
              {{CL_RGBA, CL_FLOAT}, 49, 120, 117}};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  for (size_t f = 0; f < sizeof most / sizeof *most; f += step_of(1)) {
    const struct {
      const char *kernel;
      double most;
    } limits[] = {
        {"nearest_pixel", most[f].nearest}, {"bilinear", most[f].bilinear}, {"bilinear_red", most[f].bilinear_red}};
    const double nothing = per_item(cost_of(&compiled, "nothing", most[f].format));
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
      const double found = per_item(cost_of(&compiled, limits[i].kernel, most[f].format)) - nothing;
      cr_expect(found <= limits[i].most, "%s, format %zu: %g instructions, at most %g", limits[i].kernel, f, found,
                limits[i].most);
    }
  }
  result_free(&compiled);
}

// What a kernel does for other orders than it has is not there where its images are plain.
Test(images, a_kernel_that_asks_for_an_order_pays_nothing_where_images_are_plain) {
  if (!is_default_isa())
    return;
  static const char source[] =
      "#define KERNEL(name, change) \\\n"
      "  kernel void name(read_only image2d_t in, global float4 *out) { \\\n"
      "    float4 colour = read_imagef(in, (int2)(get_global_id(0), get_global_id(1))); \\\n"
      "    change \\\n"
      "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = colour; \\\n"
      "  }\n"
      "KERNEL(as_it_is, )\n"
      "KERNEL(by_order, int order = get_image_channel_order(in);"
      "  if (order == CLK_BGRA || order == CLK_LUMINANCE) colour = colour.zyxw * 2;)\n";
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  const struct format plain = {CL_RGBA, CL_UNORM_INT8}, other = {CL_BGRA, CL_UNORM_INT8};
  cr_expect_eq(cost_of(&compiled, "by_order", plain).issues, cost_of(&compiled, "as_it_is", plain).issues);
  cr_expect_gt(cost_of(&compiled, "by_order", other).issues, cost_of(&compiled, "as_it_is", other).issues);
  result_free(&compiled);
}

// Of a loop, which has read the descriptor before it begins, and takes four instructions besides for each sample and
// one for each channel. What is not needed of four bytes is not computed.
Test(images, a_bilinear_sample_in_a_loop_takes_few_instructions) {
  if (!is_default_isa() || getenv("HEDDLE_TEST_RTL"))  // which issues the same ones
    return;
  static const char source[] =
      "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
      "#define KERNEL(name, T, value) \\\n"
      "  kernel void name(read_only image2d_t in, global T *out) { \\\n"
      "    float2 c = (float2)(get_global_id(0), get_global_id(1)); \\\n"
      "    T sum = 0; \\\n"
      "    _Pragma(\"unroll 1\") for (int i = 0; i < SAMPLES; i++) { \\\n"
      "      sum += value; \\\n"
      "      c += (float2)(0.3f, 0.1f); \\\n"
      "    } \\\n"
      "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum; \\\n"
      "  }\n"
      "KERNEL(red, float, read_imagef(in, linear, c).x)\n"
      "KERNEL(green, float, read_imagef(in, linear, c).y)\n"
      "KERNEL(red_and_green, float2, read_imagef(in, linear, c).xy)\n"
      "KERNEL(four, float4, read_imagef(in, linear, c))\n";
  static const char *const options[] = {"-DSAMPLES=16", "-DSAMPLES=32"};
  static const struct {
    const char *kernel;
    int channels;
    double most;
  } expected[] = {{"red", 1, 39}, {"green", 1, 39}, {"red_and_green", 2, 60}, {"four", 4, 67}};
  enum { KERNELS = sizeof expected / sizeof *expected };
  double costs[2][KERNELS];
  for (int i = 0; i < 2; i++) {
    struct result compiled = compile_well(source, "-cl-std=CL3.0", options[i], NULL);
    for (int k = 0; k < KERNELS; k++)
      costs[i][k] = per_item(cost_of(&compiled, expected[k].kernel, (struct format){CL_RGBA, CL_UNORM_INT8}));
    result_free(&compiled);
  }
  for (int k = 0; k < KERNELS; k++) {
    const double one = (costs[1][k] - costs[0][k]) / 16 - 4 - expected[k].channels;
    cr_expect_leq(one, expected[k].most, "%s: %g", expected[k].kernel, one);
    cr_log_info("%s: %g instructions a sample", expected[k].kernel, one);
  }
}
