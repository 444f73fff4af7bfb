// SPDX-License-Identifier: Apache-2.0
// The page to look at: it needs nothing but itself, has advice where it should, and a browser shows it without errors.
// The browser is Chromium; where it is not installed, what needs it is skipped (make test-report installs it).
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/observe/tool.h"
#include "tests/temporary.h"

#define KERNELS "tests/observe/kernels.cl"

static char *read_text(const char *path) {
  struct stat status;
  FILE *file = fopen(path, "re");
  cr_assert(file && fstat(fileno(file), &status) == 0, "%s", path);
  char *text = calloc(1, (size_t)status.st_size + 1);
  cr_assert(text && fread(text, 1, (size_t)status.st_size, file) == (size_t)status.st_size);
  fclose(file);
  return text;
}

// A folder with page.html of a run.
static void make_page(char folder[TEMPORARY_BYTES], const char *arguments) {
  char command[1024];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "%s --report %s/page.html", arguments, folder);
  free(output_of(command));
}

static char *page_of(const char *folder) {
  char path[TEMPORARY_BYTES + 16];
  snprintf(path, sizeof path, "%s/page.html", folder);
  return read_text(path);
}

static void remove_folder(const char *folder) {
  char command[TEMPORARY_BYTES + 16];
  snprintf(command, sizeof command, "rm -r %s", folder);
  free(output_of(command));
}

#define RUN(device, kernel, words) BUILD "/bin/heddle run " KERNELS " -q -d " device " -k " kernel " " words

Test(report, the_page_needs_nothing_but_itself) {
  static const char *const links[] = {"http:", "https:", "src=", "url(", "@import", "fetch(", "XMLHttp"};
  char folder[TEMPORARY_BYTES];
  make_page(folder, RUN("sim", "waits", "-g 64 -l 32 'zeros(64)'"));
  char *page = page_of(folder);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    for (const char *at = page; (at = strstr(at, links[i])); at++)
      cr_assert(strncmp(at, "http://www.w3.org/2000/svg", 26) == 0, "a link to elsewhere: %.60s", at);
  free(page);
  remove_folder(folder);
}

// What is in a source cannot end the script that it stands in.
Test(report, a_source_stays_text) {
  char folder[TEMPORARY_BYTES], command[512];
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(
      command, sizeof command,
      "printf 'kernel void k(global int *o) { o[get_global_id(0)] = 1; } // </script><b>&\"\\n' > %s/k.cl && " BUILD
      "/bin/heddle run %s/k.cl -q -d model -g 8 'zeros(8)' --report %s/page.html",
      folder, folder, folder);
  free(output_of(command));
  char *page = page_of(folder);
  cr_assert(strstr(page, "\\u003c/script>") && !strstr(page, "</script><b>"));
  free(page);
  remove_folder(folder);
}

static const struct {
  const char *kernel, *words, *advice;
} advised[] = {
    {"plain", "-g 1024 -l 4 'zeros(1024)'", "Sub-groups have 4.0 work-items for 8 lanes"},
    {"divergent", "-g 1024 -l 32 'zeros(1024)'", "work-items of a sub-group take different ways"},
    {"banks", "-g 64 -l 32 'zeros(64)'", "Line 22 of kernels.cl: lanes need different words of one bank"},
    {"scattered", "-g 512 -l 32 'zeros(512)' 'zeros(131072)'",
     "Line 33 of kernels.cl: each lane reads or writes another beat"},
    {"scattered", "-g 512 -l 32 'zeros(512)' 'zeros(131072)'", "External memory is the limit"},
    {"waits", "-g 64 -l 32 'zeros(64)'", "Line 45 of kernels.cl: sub-groups wait there for others"},
    {"chased", "-g 32 -l 32 'zeros(32)' 'random(1024,0,1024)'", "waits for memory"},
    {"divided", "-g 512 -l 32 'zeros(512)'", "Line 63 of kernels.cl divides"},
};

Test(report, advice_is_given_where_a_rule_fires) {
  for (size_t i = 0; i < sizeof advised / sizeof *advised; i++) {
    const struct profiled run = run_profiled("sim", KERNELS, advised[i].kernel, advised[i].words);
    cr_assert(has_advice(run.kernel, advised[i].advice), "%s: no advice \"%s\" in %s", advised[i].kernel,
              advised[i].advice, json_dumps(json_object_get(run.kernel, "advice"), 0));
  }
}

Test(report, and_not_where_none_does) {
  const struct profiled run = run_profiled("sim", KERNELS, "plain", "-g 1024 -l 32 'zeros(1024)'");
  for (size_t i = 0; i < sizeof advised / sizeof *advised; i++)
    cr_assert(strcmp(advised[i].kernel, "plain") != 0 || !has_advice(run.kernel, "lanes are empty"));
  cr_assert(!has_advice(run.kernel, "different ways") && !has_advice(run.kernel, "bank") &&
            !has_advice(run.kernel, "another beat"));
}

// ---- In a browser.

static const char *browser(void) {
  return access("/usr/bin/chromium", X_OK) == 0 ? "/usr/bin/chromium" : NULL;
}

// Opens the page, and makes a screenshot. What the browser says, of which the page's console is lines with CONSOLE.
static char *open_page(const char *folder, const char *milliseconds) {
  char command[1024];
  snprintf(
      command, sizeof command,
      "HOME=%s timeout 300 %s --headless --no-sandbox --disable-gpu --enable-logging=stderr --window-size=1280,2000 "
      "--virtual-time-budget=%s --screenshot=%s/page.png file://%s/page.html 2>&1",
      folder, browser(), milliseconds, folder, folder);
  return output_of(command);
}

static void look_at(const char *folder, const char *milliseconds) {
  char path[TEMPORARY_BYTES + 16];
  struct stat status;
  char *text = open_page(folder, milliseconds);
  cr_assert(!strstr(text, "CONSOLE"), "%s", strstr(text, "CONSOLE"));
  snprintf(path, sizeof path, "%s/page.png", folder);
  cr_assert(stat(path, &status) == 0 && status.st_size > 20000, "no screenshot, or an empty one: %s", text);
  free(text);
}

Test(report, a_page_with_an_error_would_be_found, .timeout = 400) {
  char folder[TEMPORARY_BYTES], command[TEMPORARY_BYTES + 128];
  if (!browser())
    cr_skip_test("chromium is not installed");
  cr_assert(mkdtemp(temporary_name(folder)));
  snprintf(command, sizeof command, "echo '<script>notDefined()</script>' > %s/page.html", folder);
  free(output_of(command));
  char *text = open_page(folder, "1000");
  cr_assert(strstr(text, "CONSOLE"), "%s", text);
  free(text);
  remove_folder(folder);
}

Test(report, a_browser_shows_it_without_errors, .timeout = 400) {
  static const char *const pages[] = {
      RUN("sim", "scattered", "-g 512 -l 32 'zeros(512)' 'zeros(131072)'"),
      RUN("model", "plain", "-g 64 'zeros(64)'"),
  };
  if (!browser())
    cr_skip_test("chromium is not installed");
  for (int i = 0; i < 2; i++) {
    char folder[TEMPORARY_BYTES];
    make_page(folder, pages[i]);
    look_at(folder, "3000");
    remove_folder(folder);
  }
}

// Does what a hand would, and says in the page's title what came of it.
static const char hand[] =
    "<script>addEventListener('load',()=>{const "
    "r=canvas.getBoundingClientRect(),d=tracks.find((t)=>t.name==='dispatches'),"
    "x=r.left+(r.width+LABEL)/2,y=r.top+d.y+8,before=to-from;"
    "canvas.dispatchEvent(new WheelEvent('wheel',{deltaY:-400,clientX:x,clientY:y,cancelable:true}));"
    "const closer=before/(to-from);"
    "canvas.dispatchEvent(new PointerEvent('pointermove',{clientX:x,clientY:y}));"
    "let same=0;for(let span=10;span<=1e9;span*=3){from=3098e6;to=from+span;const words=ticks().map((t)=>t[1]);"
    "same+=words.length-new Set(words).size+(words.length<3)}"
    "document.title='zoomed '+closer.toFixed(3)+'; '+$('tip').textContent+'; '+same+' the same on the axis'})</script>";

Test(report, the_timeline_zooms_and_says_what_is_under_the_pointer, .timeout = 400) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 16], command[1024];
  if (!browser())
    cr_skip_test("chromium is not installed");
  make_page(folder, RUN("sim", "waits", "-g 64 -l 32 'zeros(64)'"));
  snprintf(path, sizeof path, "%s/page.html", folder);
  FILE *page = fopen(path, "ae");
  cr_assert(page && fputs(hand, page) >= 0 && fclose(page) == 0);
  snprintf(command, sizeof command,
           "HOME=%s timeout 300 %s --headless --no-sandbox --disable-gpu --window-size=1280,2000 "
           "--virtual-time-budget=3000 --dump-dom file://%s 2>/dev/null | grep -o '<title>[^<]*'",
           folder, browser(), path);
  char *title = output_of(command);
  cr_assert(strstr(title, "zoomed 2.718; waits, 83.") && strstr(title, "; 0 the same on the axis"), "%s", title);
  remove_folder(folder);
}

Test(report, a_million_moments_are_shown, .timeout = 900) {
  char folder[TEMPORARY_BYTES];
  if (!browser())
    cr_skip_test("chromium is not installed");
  make_page(folder, RUN("sim", "chased", "-g 90112 -l 32 'zeros(90112)' 'random(1024,0,1024)'"));
  char *page = page_of(folder);
  const char *runs = strstr(page, "\"kind\":[");
  size_t count = 0;
  for (const char *at = runs; at && *at != ']'; at++)
    count += *at == ',';
  cr_assert(count >= 1000000, "only %zu moments", count);
  free(page);
  look_at(folder, "20000");
  remove_folder(folder);
}
