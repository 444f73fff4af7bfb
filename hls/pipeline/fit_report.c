// SPDX-License-Identifier: Apache-2.0
// What --fit tried and chose (fit.h), as text and as a section of the page.
#include "hls/pipeline/fit.h"
#include "hls/pipeline/graph.h"

static const char *beside(const struct fit *fit) {
  return fit->is_beside_unit ? "beside its programmable unit" : "without a programmable unit";
}

static struct heddle_room sum_of(const struct fit *fit) {
  struct heddle_room sum = {0};
  for (size_t i = 0; i < fit->count; i++)
    sum = heddle_room_sum(&sum, &fit->kernels[i].chosen->room);
  return sum;
}

void fit_write_shape(const struct fit_shape *shape, FILE *out) {
  fprintf(out, "%u lane%s, %u slots", shape->lanes, shape->lanes != 1 ? "s" : "", 1u << shape->slots_log2);
  if (shape->unroll > 1)
    fprintf(out, ", %u rounds in one", shape->unroll);
  if (shape->port_words != 0)
    fprintf(out, ", a memory port of %u word%s", shape->port_words, shape->port_words != 1 ? "s" : "");
  if (shape->share != 0)
    fprintf(out, ", operators shared for %u cycles", shape->share);
  if (shape->units > 1)
    fprintf(out, ", %u copies", shape->units);
}

// The same sentence in both: how the choice was made.
static void write_rule(const struct fit *fit, FILE *out) {
  fprintf(
      out,
      "The choice has the fewest cycles%s of what fits; of what is within 2 %% of that, it takes the "
      "largest work-groups, up to 256 work-items, and is the smallest of those. Pipelines for less than 64 work-items "
      "are chosen where no others fit. Cycles are "
      "estimates, with the memory of the simulated device and one bank of the cache; loops whose rounds the source "
      "does not say count %u.",
      fit->count > 1 ? ", of a dispatch of each kernel together," : "", (unsigned)FIT_ROUNDS);
}

// What pipelines do not get of it.
static void write_chains(const struct fit *fit, FILE *out) {
  if (fit->chains.lut4 != 0)
    fprintf(out, "; %u LUT4, %u flip-flops, %u block RAMs and %u multipliers are around the kernels of chains",
            fit->chains.lut4, fit->chains.ff, fit->chains.ebr, fit->chains.dsp);
}

void fit_text(const struct fit *fit, FILE *out) {
  fprintf(out,
          "fit on %s %s: %u LUT4, %u flip-flops, %u block RAMs and %u multipliers are left for pipelines; %zu "
          "pipelines were estimated",
          fit->board->name, beside(fit), fit->left.lut4, fit->left.ff, fit->left.ebr, fit->left.dsp, fit->generated);
  write_chains(fit, out);
  fputc('\n', out);
  for (size_t i = 0; i < fit->count; i++) {
    const struct fit_kernel *k = &fit->kernels[i];
    fprintf(out, "  kernel %s, %u work-item%s; * is the choice\n", k->kernel->name, k->work_items,
            k->work_items != 1 ? "s" : "");
    fprintf(out,
            "    lanes slots copies rounds words shared work-group    LUT4 flip-flops block RAMs multipliers     "
            "cycles  %s\n",
            "what ends it");
    for (size_t c = 0; c < k->count; c++) {
      const struct fit_candidate *row = &k->items[c];
      fprintf(out, "  %c %5u %5u %6u %6u %5u %6u %10u %7u %10u %10u %11u %10.0f  %s\n", row->is_chosen ? '*' : ' ',
              row->shape.lanes, 1u << row->shape.slots_log2, row->shape.units, row->shape.unroll, row->words,
              row->shape.share, row->work_group_items, row->room.lut4, row->room.ff, row->room.ebr, row->room.dsp,
              row->cycles, row->end);
    }
  }
  if (fit->count > 1) {
    const struct heddle_room sum = sum_of(fit);
    fprintf(out, "  all choices: %u LUT4, %u flip-flops, %u block RAMs, %u multipliers\n", sum.lut4, sum.ff, sum.ebr,
            sum.dsp);
  }
  fputs("  ", out);
  write_rule(fit, out);
  fputs("\n\n", out);
}

static void write_part(unsigned taken, unsigned left, FILE *out) {
  fprintf(out, "<td>%u (%.0f %%)</td>", taken, left != 0 ? 100. * taken / left : 0);
}

void fit_page(const struct fit *fit, FILE *out) {
  fprintf(out,
          "<h2>Fit on %s, %s</h2>\n<p>%u LUT4, %u flip-flops, %u block RAMs and %u multipliers are left for "
          "pipelines; %zu pipelines were estimated",
          fit->board->name, beside(fit), fit->left.lut4, fit->left.ff, fit->left.ebr, fit->left.dsp, fit->generated);
  write_chains(fit, out);
  fputs(". ", out);
  write_rule(fit, out);
  fputs("</p>\n", out);
  for (size_t i = 0; i < fit->count; i++) {
    const struct fit_kernel *k = &fit->kernels[i];
    fprintf(out, "<h3>Kernel %s: ", graph_word(k->kernel->name, ""));
    fit_write_shape(&k->shape, out);
    fprintf(out,
            "</h3>\n<div class=\"scroll\"><table><tr><th>lanes</th><th>slots</th><th>copies</th><th>rounds in "
            "one</th><th>words of the memory port</th><th>cycles for shared operators"
            "</th><th>work-items of a work-group</th><th>LUT4</th><th>flip-flops</th><th>block RAMs</th>"
            "<th>multipliers</th><th>cycles of %u work-item%s</th><th class=\"left\">what ends it</th></tr>\n",
            k->work_items, k->work_items != 1 ? "s" : "");
    for (size_t c = 0; c < k->count; c++) {
      const struct fit_candidate *row = &k->items[c];
      fprintf(out, "<tr%s><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td><td>%u</td>",
              row->is_chosen ? " class=\"chosen\""
              : row->fits    ? ""
                             : " class=\"out\"",
              row->shape.lanes, 1u << row->shape.slots_log2, row->shape.units, row->shape.unroll, row->words,
              row->shape.share, row->work_group_items);
      write_part(row->room.lut4, fit->left.lut4, out);
      write_part(row->room.ff, fit->left.ff, out);
      write_part(row->room.ebr, fit->left.ebr, out);
      write_part(row->room.dsp, fit->left.dsp, out);
      fprintf(out, "<td>%.0f</td><td class=\"left\">%s%s</td></tr>\n", row->cycles,
              row->is_chosen ? "the choice: " : "", row->end);
    }
    fputs("</table></div>\n", out);
  }
}
