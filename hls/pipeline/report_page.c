// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "hls/pipeline/drawing.h"
#include "hls/pipeline/estimate.h"
#include "hls/pipeline/rates.h"
#include "hls/pipeline/report.h"

// Colours have names once, so that the page follows the reader's light or dark setting.
static const char style[] =
    ":root{color-scheme:light dark;--text:#1c2733;--faint:#5b6b7b;--line:#cdd6df;--back:#fff;--box:#f3f6f9;"
    "--plain:#e4ecf7;--memory:#fbe9d0;--wait:#ece2f6;--ring:#257a3e;--bar:#3f7fbf;--limit:#c4472b;--heat:196,71,43}"
    "@media(prefers-color-scheme:dark){:root{--text:#dde5ec;--faint:#93a4b4;--line:#3a4754;--back:#161c22;--box:#"
    "1f2830;"
    "--plain:#25384f;--memory:#54411f;--wait:#3f2f56;--ring:#62c382;--bar:#5c9bd8;--limit:#e8775c;--heat:232,119,92}}"
    "body{font:15px/1.45 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:1100px;"
    "margin:24px auto;padding:0 16px}h2{margin-top:36px}h3{margin:26px 0 8px}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:3px 12px 3px 0;text-align:right;"
    "border-bottom:1px solid var(--line)}th{font-weight:600;color:var(--faint)}th:first-child,td:first-child,td.left,"
    "th.left{text-align:left}.tiles{display:flex;flex-wrap:wrap;gap:10px}.tile{background:var(--box);border-radius:8px;"
    "padding:8px 14px}.tile b{display:block;font-size:20px}.tile span{color:var(--faint)}.scroll{overflow-x:auto}"
    ".bar{display:inline-block;height:10px;background:var(--bar);vertical-align:middle;border-radius:2px}"
    "tr.chosen td{font-weight:600;background:var(--box)}tr.out td{color:var(--faint)}"
    "tr.limit td{color:var(--limit);font-weight:600}tr.limit .bar{background:var(--limit)}"
    "label{margin-right:18px}input{width:90px;font:inherit}.answer{font-size:18px;margin:10px 0}"
    "pre,.code{font:13px/1.4 ui-monospace,monospace}.code td{padding:0 10px 0 0;border:0}.code td.text{text-align:left;"
    "white-space:pre;tab-size:2}.code td.number{color:var(--faint)}"
    ".drawing{font:11px system-ui,sans-serif}.drawing text{fill:var(--text)}.drawing .name{font-weight:600}"
    ".drawing rect{stroke:var(--faint)}.plain rect{fill:var(--plain)}.memory rect{fill:var(--memory)}"
    ".wait rect{fill:var(--wait)}.flow{stroke:var(--faint);fill:none}.head{fill:var(--faint)}"
    ".ring{stroke:var(--ring);fill:none;stroke-width:2}.ringhead{fill:var(--ring)}.drawing .ringname{fill:var(--ring)}";

// Cycles as rates.c has them, for the numbers that the reader types.
static const char script[] =
    "function pipeline(id,p){const at=s=>document.getElementById(id+s),n=x=>Math.round(x).toLocaleString('en');"
    "const times=(r,g)=>{let t=1;for(;r>=0;r=p.regions[r].parent)t*=p.regions[r].rounds||g[r];return t};"
    "function show(){const g=p.regions.map((r,i)=>{const e=at('-rounds-'+i);return e?Math.max(1,+e.value||1):1});"
    "const items=Math.max(1,+at('-items').value||1),groups=Math.max(1,Math.ceil(items/p.lanes));"
    "const use=p.rates.map(q=>({name:q.name,cycles:q.uses.reduce((a,[r,c])=>a+c*times(r,g),0)/q.copies}));"
    "let latency=0;p.regions.forEach((r,i)=>latency+=r.latency*times(i,g));"
    "use.push({name:'sub-groups in flight (--slots)',cycles:latency/p.slots/p.copies});"
    "const most=Math.max(...use.map(u=>u.cycles)),total=Math.max(0,groups-p.copies)*most+latency+p.start,"
    "paced=groups>p.copies||use.slice(0,-1).some(u=>2*u.cycles>=latency);"
    "at('-answer').textContent='about '+n(total)+' cycles, '+(total/items).toFixed(2)+' a work-item; at 85 MHz '+"
    "(total/85e3).toFixed(total<85e3?3:1)+' ms'+(paced?'':'; limited by latency, as nothing follows the "
    "first '+"
    "'sub-group');const body=at('-rates');body.textContent='';"
    "for(const u of use){const row=body.insertRow();if(u.cycles===most&&paced)row.className='limit';"
    "row.insertCell().textContent=u.name;row.insertCell().textContent=u.cycles.toFixed(u.cycles%1?1:0);"
    "row.insertCell().textContent=n(u.cycles*groups);const cell=row.insertCell();cell.className='left';"
    "const bar=cell.appendChild(document.createElement('span'));bar.className='bar';"
    "bar.style.width=Math.max(2,240*u.cycles/most)+'px'}}"
    "document.querySelectorAll('#'+id+'-form input').forEach(e=>e.addEventListener('input',show));show()}";

void report_page_head(FILE *out) {
  fprintf(out,
          "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Kernel pipelines</title>\n"
          "<style>%s</style>\n<script>%s</script>\n</head>\n<body>\n<h1>Kernels as pipelines, before synthesis</h1>\n",
          style, script);
}

void report_page_end(FILE *out) {
  fprintf(out, "</body>\n</html>\n");
}

static void escape(const char *text, size_t length, FILE *out) {
  for (size_t i = 0; i < length; i++)
    switch (text[i]) {
      case '<':
        fputs("&lt;", out);
        break;
      case '&':
        fputs("&amp;", out);
        break;
      default:
        fputc(text[i], out);
    }
}

static void write_tile(FILE *out, double number, const char *unit) {
  fprintf(out, "<div class=\"tile\"><b>%.0f</b><span>%s</span></div>\n", number, unit);
}

static void write_room(const struct graph *graph, const struct estimate *e, FILE *out) {
  const struct heddle_room all = estimate_whole(&e->total, graph->units);
  fprintf(out, "<div class=\"tiles\">\n");
  if (graph->units != 1)
    write_tile(out, graph->units, "copies; each has");
  write_tile(out, graph->lanes, graph->lanes != 1 ? "lanes" : "lane");
  write_tile(out, 1u << graph->slots_log2, "sub-groups in flight");
  write_tile(out, graph_interval(graph), "initiation interval, cycles");
  if (graph->units != 1)
    fprintf(out, "</div>\n<div class=\"tiles\">\n");
  write_tile(out, all.lut4, graph->units != 1 ? "LUT4 of all copies" : "LUT4");
  write_tile(out, all.ff, "flip-flops");
  write_tile(out, all.ebr, "block RAMs");
  write_tile(out, all.dsp, "multipliers");
  fprintf(out,
          "</div>\n<h3>Boards</h3>\n<table><tr><th>board, with no programmable unit beside it</th><th>LUT4</th>"
          "<th>block RAMs</th><th>multipliers</th><th class=\"left\">fits</th></tr>\n");
  for (size_t i = 0; i < heddle_board_count; i++) {
    const struct heddle_board *board = &heddle_boards[i];
    const char *lacks = estimate_lacks(&all, board);
    fprintf(out, "<tr><td>%s</td><td>%.0f %%</td><td>%.0f %%</td><td>%.0f %%</td><td class=\"left\">%s%s</td></tr>\n",
            board->name, 100. * all.lut4 / board->chip.lut4, 100. * all.ebr / board->chip.ebr,
            board->chip.dsp != 0 ? 100. * all.dsp / board->chip.dsp : 0, lacks ? "no: " : "yes", lacks ? lacks : "");
  }
  fprintf(out,
          "</table>\n<h3>Where the room%s goes</h3>\n<table><tr><th></th><th>LUT4</th><th>flip-flops</th>"
          "<th>block RAMs</th><th>multipliers</th><th></th></tr>\n",
          graph->units != 1 ? " of a copy" : "");
  for (unsigned part = 0; part < PART_COUNT; part++) {
    const struct room *room = &e->parts[part];
    if (room->lut + room->ff + room->ebr + room->dsp <= 0)
      continue;
    fprintf(out,
            "<tr><td>%s</td><td>%.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f</td><td class=\"left\"><span "
            "class=\"bar\" style=\"width:%.0fpx\"></span></td></tr>\n",
            estimate_part_name(part), room->lut, room->ff, room->ebr, room->dsp, 240 * room->lut / e->total.lut);
  }
  fprintf(out, "</table>\n");
  for (unsigned i = 0; i < graph->module_count; i++) {
    char text[ESTIMATE_MODULE_BYTES];
    estimate_module_text(graph, i, text);
    fprintf(out, "<p>%s.</p>\n", text);
  }
}

static void write_form(const struct graph *graph, const struct rates *rates, unsigned work_items, FILE *out) {
  fprintf(out,
          "<h3>Cycles of a dispatch, and what limits them</h3>\n<form id=\"%s-form\"><label>work-items <input "
          "id=\"%s-items\" type=\"number\" min=\"1\" value=\"%u\"></label>",
          graph->kernel, graph->kernel, work_items);
  for (unsigned i = 0; i < graph->region_count; i++)
    if (rates->rounds[i] == 0)
      fprintf(out,
              "<label>rounds of the loop of line %u%s <input id=\"%s-rounds-%u\" type=\"number\" min=\"1\" "
              "value=\"%.0f\"></label>",
              graph->regions[i]->line, graph->regions[i]->made_of.loops > 1 ? " and those in it, in all" : "",
              graph->kernel, i, rates_guess(graph->regions[i], 16));
  fprintf(out,
          "</form>\n<div class=\"answer\" id=\"%s-answer\"></div>\n<table><thead><tr><th>shared by all sub-groups"
          "</th><th>cycles a sub-group</th><th>of the dispatch</th><th></th></tr></thead><tbody id=\"%s-rates\">"
          "</tbody></table>\n",
          graph->kernel, graph->kernel);
  fprintf(out, "<script>pipeline('%s',{lanes:%u,slots:%u,copies:%u,start:%u,regions:[", graph->kernel, graph->lanes,
          1u << graph->slots_log2, graph->units, (unsigned)RATES_START_CYCLES);
  for (unsigned i = 0; i < graph->region_count; i++) {
    const struct region *r = graph->regions[i];
    fprintf(out, "%s{parent:%d,rounds:%u,latency:%.10g}", i != 0 ? "," : "", r->parent ? (int)r->parent->id : -1,
            rates->rounds[i], rates->latency[i]);
  }
  fprintf(out, "],rates:[");
  for (unsigned i = 0; i < rates->count; i++) {
    const struct rate *rate = &rates->items[i];
    char name[RATES_NAME_BYTES];
    rates_name(rates, i, name);
    fprintf(out, "%s{name:'%s',copies:%u,uses:[", i != 0 ? "," : "", name, rates_copies(graph, rate));
    const char *between = "";
    for (unsigned k = 0; k < graph->region_count; k++)
      if (rate->cycles[k] != 0) {
        fprintf(out, "%s[%u,%.10g]", between, k, rate->cycles[k]);
        between = ",";
      }
    fprintf(out, "]}");
  }
  fprintf(out, "]})</script>\n");
}

// The source with its figures; without it the lines alone.
static void write_source(const struct estimate *e, const char *source, FILE *out) {
  double most = 1;
  for (unsigned line = 1; line < e->line_count; line++)
    most = e->lines[line].lut > most ? e->lines[line].lut : most;
  fprintf(out,
          "<h3>By source line</h3>\n<div class=\"scroll\"><table class=\"code\"><tr><th>line</th><th>LUT4</th>"
          "<th>flip-flops</th><th>block RAMs</th><th>multipliers</th><th class=\"left\">source</th></tr>\n");
  const char *at = source ? source : "";
  for (unsigned line = 1; line < e->line_count || *at != 0; line++) {
    const size_t length = strcspn(at, "\n");
    const struct room *room = line < e->line_count ? &e->lines[line] : &(struct room){0};
    const bool any = room->lut + room->ff + room->ebr + room->dsp > 0;
    if (source || any) {
      fprintf(out, "<tr style=\"background:rgba(var(--heat),%.2f)\"><td class=\"number\">%u</td>",
              0.6 * room->lut / most, line);
      if (any)
        fprintf(out, "<td>%.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f</td>", room->lut, room->ff, room->ebr, room->dsp);
      else
        fprintf(out, "<td></td><td></td><td></td><td></td>");
      fprintf(out, "<td class=\"text\">");
      escape(at, length, out);
      fprintf(out, "</td></tr>\n");
    }
    at += length + (at[length] == '\n');
  }
  fprintf(out, "</table></div>\n");
}

// ---- advice: a rule fires, or says nothing

static void advise_lanes(const struct graph *graph, const struct node *access, FILE *out) {
  const struct pattern pattern = rates_pattern(graph, access);
  const unsigned best = (graph->lanes * access->bytes + 15) / 16;
  if (access->space == SPACE_GLOBAL && pattern.is_known && pattern.stride != 0 && pattern.rows > best)
    fprintf(
        out,
        "<li>Line %u: neighbouring lanes are %lld bytes apart, so an access takes %u rows of 16 bytes where %u would "
        "do. Let neighbouring work-items take neighbouring elements.</li>\n",
        access->line, (long long)pattern.stride, pattern.rows, best);
}

static void write_rounds(const struct graph *graph, FILE *list) {
  char text[RATES_ROUNDS_BYTES];
  for (unsigned i = 0; i < graph->region_count; i++)
    if (rates_rounds_text(graph, graph->regions[i], text))
      fprintf(list, "<li>Rounds of %s.</li>\n", text);
}

static void write_advice(const struct graph *graph, const struct rates *rates, unsigned work_items, FILE *out) {
  char *text = NULL;
  size_t size;
  FILE *list = open_memstream(&text, &size);
  if (!list)
    return;
  unsigned limit = 0;
  rates_cycles(graph, rates, work_items, 16, &limit);
  write_rounds(graph, list);
  if (limit == rates_latency(rates))
    fprintf(list,
            graph->is_of_one
                ? "<li>With %u work-item%s nothing follows the first one; rounds of its loops that overlap fill the "
                  "pipeline. Fewer accesses a round, and less that a round needs of the one before, make it faster."
                  "</li>\n"
                : "<li>With %u work-item%s nothing follows the first sub-group, so the pipeline is empty but for one "
                  "place. A round of a loop begins when the one before is through: let rounds that do not need each "
                  "other be work-items, and those that add up a scan or a reduction of a sub-group or a work-group; "
                  "or let rounds overlap, in a kernel that asks for no id, with <code>restrict</code>.</li>\n",
            work_items, work_items != 1 ? "s" : "");
  else if (limit == rates->count)
    fprintf(list,
            "<li>Sub-groups in flight limit the rate: %u of them do not hide the memory's latency. Try --slots %u."
            "</li>\n",
            1u << graph->slots_log2, 2u << graph->slots_log2);
  else if (rates->items[limit].ring && rates->items[limit].ring->overlaps)
    fprintf(list,
            "<li>Rounds of the loop of line %u limit the rate: each begins %u cycle%s behind the one before. Let a "
            "round need less of what that makes.</li>\n",
            rates->items[limit].ring->line, rates->items[limit].ring->interval,
            rates->items[limit].ring->interval != 1 ? "s" : "");
  else if (rates->items[limit].ring)
    fprintf(list,
            "<li>The ring of the loop of line %u limits the rate: a sub-group takes a place in it each round. "
            "<code>__attribute__((opencl_unroll_hint(4)))</code> before the loop makes a quarter of the rounds, "
            "for up to four times its room; more --lanes make fewer sub-groups.</li>\n",
            rates->items[limit].ring->line);
  else if (rates->items[limit].array)
    fprintf(list,
            "<li>Stores to the local array %s limit the rate: it takes one in all lanes a cycle, if they go to "
            "different banks, which are the lower bits of the index.</li>\n",
            rates->items[limit].array->name);
  else if (limit != 0)
    fprintf(list,
            "<li>Memory limits the rate (%s): the pipeline takes %.0f cycles of it for a sub-group. Fewer or wider "
            "accesses help, and values kept in local memory or registers; more operations cost no time.</li>\n",
            rates->items[limit].name, rates_use(graph, rates, &rates->items[limit], 16));
  for (unsigned i = 0; i < graph->segment_count; i++) {
    const struct segment *s = graph->segments[i];
    for (unsigned k = 0; k < s->group.count && (s->end == END_LOADS || s->end == END_STORES); k++)
      if (k == 0 || s->group.items[k]->line != s->group.items[k - 1]->line)
        advise_lanes(graph, s->group.items[k], list);
  }
  fclose(list);
  if (text && text[0] != 0)
    fprintf(out, "<h3>What would help</h3>\n<ul>\n%s</ul>\n", text);
  free(text);
}

void report_page(const struct graph *graph, const struct report_options *options, FILE *out) {
  const struct estimate e = estimate_room(graph);
  const struct rates rates = rates_of(graph);
  fprintf(out, "<h2>Kernel %s</h2>\n", graph->kernel);
  write_room(graph, &e, out);
  const unsigned work_items = rates_work_items(graph, options->work_items);
  write_form(graph, &rates, work_items, out);
  write_advice(graph, &rates, work_items, out);
  fprintf(out, "<h3>The pipeline</h3>\n<div class=\"scroll\">");
  drawing_write(graph, out);
  fprintf(out, "</div>\n");
  write_source(&e, options->source, out);
  char *text = NULL;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  if (!memory)
    return;
  report_text(graph, options, memory);
  fclose(memory);
  fprintf(out, "<details><summary>The same as text</summary><pre>");
  escape(text, size, out);
  fprintf(out, "</pre></details>\n");
  free(text);
}
