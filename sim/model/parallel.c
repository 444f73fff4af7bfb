// SPDX-License-Identifier: Apache-2.0
// Work-groups of a dispatch on several threads, with the results, faults and figures of one thread, bit for bit.
//
// On one thread the sub-groups have their turns in laps: one turn each, in the order of slots. What the work-groups of
// a group slot do in a lap does not depend on others, unless one accesses a word that another writes. So a *stretch* of
// some laps, at most as many as end before the clock or the budget does, is a *course* for each group slot, and a
// thread runs a course as far as it comes. A work-group that completes is followed by the next of the dispatch. Which
// one that is the order of laps and slots says: it is taken when no other course can still complete one before.
//
// Nothing of a stretch is seen before it ends. Then it is held against what one thread would have done. It counts if no
// course wrote a word that another read or wrote: a bit a word and course tells. Otherwise, and if a thread comes to
// something that needs the order of all (a fault, the clock, a write to code), memory and sub-groups are put back to
// where they were, and the same is done on one thread. So atomics on words that work-groups share, and races, come out
// as on one thread. Then the next stretch is tried later, and after the next such failure later still. So it is, too,
// where other threads are no gain, because the machine is busy or a kernel does little else than loads and stores,
// which courses have to tell; unless the user has said how many there are to be. A kernel's first issues are on one
// thread, so that it is known what they take there.
//
// While threads run courses, each has a copy of the device, with figures of its own. The words that they access without
// a lock are each one thread's, or all read them; where a kernel races it is undone.
#include "sim/model/parallel.h"

#include <fenv.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
  LEAST_ISSUES = 1 << 14,  // of a dispatch before a stretch is worth it
  LEAST_LAPS = 4,
  FIRST_LAPS = 8,
  MOST_LAPS = 4096,
  MOST_ISSUES = 1 << 21,  // in a stretch
  FIRST_PAUSE = 1 << 18,
  MOST_PAUSE = 1 << 24,  // issues on one thread after a failure
  SLOW_PAUSE = 1 << 22,  // where stretches take longer than one thread does
  MOST_SLOW_PAUSE = 1 << 27,
  JUDGED_NS = 1000000,     // of stretches, which show how long they take
  MOST_PAGES = 1 << 14,    // touched in a stretch
  MOST_TOUCHED = 1 << 15,  // courses and pages
  MOST_SAVED = 1 << 12,    // pages written
  TABLE = 4 * MOST_PAGES,
  PAGE_BYTES = 1 << MODEL_PAGE_LOG2,
  MOST_SLOTS = MODEL_MAX_UNITS * MODEL_MAX_SLOTS,
};

struct page {
  uint32_t number, place;         // place in the table
  struct model_touched *touched;  // by each course that did
  uint8_t *saved;                 // its bytes at the beginning of the stretch; NULL: nobody writes to it
};

// All that threads share. What is not atomic is changed under the lock.
struct model_team {
  struct model_device *device;
  uint32_t num_threads;  // beside the caller's
  pthread_t thread[MODEL_MAX_THREADS];
  pid_t process;  // that the threads are of: one that is forked has none of them
  struct model_device copy[MODEL_MAX_THREADS];

  atomic_flag lock;
  _Atomic bool gave_up;
  bool is_open;     // a stretch that threads may join
  uint32_t joined;  // threads that have, in all; each has the copy of that number
  _Atomic uint32_t inside;

  // For threads without a stretch.
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  _Atomic uint32_t stretch;  // number of the last one
  bool ends;

  uint32_t laps;  // of the stretch
  struct model_course *course;

  uint32_t num_pages, num_touched, num_saved;
  struct page page[MOST_PAGES];
  uint32_t table[TABLE];  // number of a page, from 1; 0: free
  struct model_touched touched[MOST_TOUCHED];
  uint8_t saved[MOST_SAVED][PAGE_BYTES];
  bool is_full;

  // What the stretch began with.
  uint32_t next_group[3];
  bool all_started;
  uint32_t unfinished_groups;
  struct model_slot_set running, reserving;
  struct model_work_group work_groups[MOST_SLOTS];
  uint8_t sub_groups[MOST_SLOTS][sizeof(struct model_sub_group)];

  // When the next one may be.
  uint32_t entry;  // of the kernel that this is of
  uint32_t next_laps, most_laps;
  bool tells_loads;  // as courses do
  uint64_t pause, alone_until;
  uint64_t issues;  // that have run together
  // What issues take on one thread, and since when that is measured.
  uint64_t alone_issues, alone_ns, clock_before, ns_before;
  // What they took in stretches since that was last judged.
  uint64_t together_issues, together_ns;
  uint64_t slow_pause;
};

// The caller has nothing to do, for the `times`th time in a row. Who lets it wait is soon here, unless it has lost its
// processor, which others then need more than this thread does.
static void wait_a_little(uint32_t times) {
  enum { SPINS = 256, SLEEP_NS = 50000 };
  if (times > SPINS) {
    nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
    return;
  }
#if defined(__x86_64__)
  for (uint32_t i = 0; i < 8; i++)
    __builtin_ia32_pause();
#endif
}

static void lock(struct model_team *team) {
  for (uint32_t i = 1; atomic_flag_test_and_set_explicit(&team->lock, memory_order_acquire); i++)
    wait_a_little(i);
}

static void unlock(struct model_team *team) {
  atomic_flag_clear_explicit(&team->lock, memory_order_release);
}

// The record of a page, perhaps a new one. NULL: there is no room.
static struct page *page_of(struct model_team *team, uint32_t number) {
  uint32_t place = number * 2654435761u % TABLE;
  for (; team->table[place] != 0; place = (place + 1) % TABLE)
    if (team->page[team->table[place] - 1].number == number)
      return &team->page[team->table[place] - 1];
  if (team->num_pages == MOST_PAGES) {
    team->is_full = true;
    return NULL;
  }
  struct page *p = &team->page[team->num_pages++];
  *p = (struct page){.number = number, .place = place};
  team->table[place] = team->num_pages;
  return p;
}

// The page is going to be written. False: there is no room, or it has code, which threads read.
static bool save(struct model_team *team, const struct model_device *d, struct page *p) {
  if (p->saved)
    return true;
  if (d->code[p->number])
    return false;
  if (team->num_saved == MOST_SAVED) {
    team->is_full = true;
    return false;
  }
  p->saved = team->saved[team->num_saved++];
  memcpy(p->saved, d->memory + (size_t)p->number * PAGE_BYTES, PAGE_BYTES);
  return true;
}

static struct model_touched *touch(struct model_team *team, struct model_device *d, uint32_t number, bool is_store) {
  struct page *p = page_of(team, number);
  if (!p || (is_store && !save(team, d, p)))
    return NULL;
  struct model_touched *t = p->touched;
  while (t && t->course != d->course)
    t = t->next;
  if (!t && team->num_touched == MOST_TOUCHED)
    team->is_full = true;
  else if (!t) {
    t = &team->touched[team->num_touched++];
    *t = (struct model_touched){.next = p->touched, .course = d->course};
    p->touched = t;
  }
  if (t && !is_store && !d->course->tells_loads)
    memset(t->loaded, 0xFF, sizeof t->loaded);
  return t;
}

// Private memory, of any slot, which a course accesses by other addresses: the first and the word behind the last.
static uint32_t first_private(const struct model_device *d) {
  return d->dispatch.private_base / 4;
}

static uint32_t end_of_private(const struct model_device *d) {
  return first_private(d) + ((d->units * d->slots * d->lanes) << (d->dispatch.private_log2 - 2));
}

bool model_touch_page(struct model_device *d, uint32_t word, uint32_t words, bool is_store) {
  struct model_team *team = d->team;
  struct model_course *c = d->course;
  const uint32_t page = word / MODEL_TOUCHED_WORDS, first = page * MODEL_TOUCHED_WORDS;
  struct model_touched *t = NULL;
  if (word >= end_of_private(d) || word + words <= first_private(d)) {
    lock(team);
    t = touch(team, d, page, is_store);
    unlock(team);
  }
  if (!t) {
    d->gave_up = true;
    return false;
  }
  model_mark_words(is_store ? t->stored : t->loaded, word, words);
  // Where private memory begins or ends in the page, each access comes here.
  if (first < end_of_private(d) && first + MODEL_TOUCHED_WORDS > first_private(d))
    return true;
  struct model_recent *recent = &c->recent[model_place(page)];
  const uint64_t tag = c->stretch | page;
  if (recent->touched != t)
    recent->loaded = recent->stored = 0;
  recent->touched = t;
  if (is_store)
    recent->stored = tag;
  else
    recent->loaded = tag;
  return true;
}

bool model_save_own_page(struct model_device *d, uint32_t page) {
  struct model_team *team = d->team;
  lock(team);
  struct page *p = page_of(team, page);
  const bool is_saved = p && save(team, d, p);
  unlock(team);
  if (is_saved)
    d->course->saved[model_place(page)] = d->course->stretch | page;
  else
    d->gave_up = true;
  return is_saved;
}

static bool stored_what_another_touched(const struct page *p) {
  struct model_touched all = {.next = NULL};
  for (const struct model_touched *t = p->touched; t; t = t->next) {
    uint64_t both = 0;
    for (uint32_t i = 0; i < MODEL_TOUCHED_WORDS / 64; i++) {
      both |= (t->stored[i] & (all.loaded[i] | all.stored[i])) | (t->loaded[i] & all.stored[i]);
      all.loaded[i] |= t->loaded[i];
      all.stored[i] |= t->stored[i];
    }
    if (both != 0)
      return true;
  }
  return false;
}

static bool is_as_on_one_thread(const struct model_team *team) {
  for (uint32_t i = 0; i < team->num_pages; i++)
    if (team->page[i].saved && team->page[i].touched && stored_what_another_touched(&team->page[i]))
      return false;
  return true;
}

// ---- Courses

static uint32_t lap_of(const struct model_course *c) {
  return atomic_load_explicit(&c->lap, memory_order_acquire);
}

static bool is_before(const struct model_course *a, const struct model_course *b) {
  return lap_of(a) != lap_of(b) ? lap_of(a) < lap_of(b) : a->group->first_slot < b->group->first_slot;
}

// The course whose work-group completed first of those that await another one.
static struct model_course *first_that_awaits(struct model_team *team) {
  struct model_course *first = NULL;
  for (uint32_t i = 0; i < team->device->group_slots; i++) {
    struct model_course *c = &team->course[i];
    if (c->state == COURSE_AWAITS && (!first || is_before(c, first)))
      first = c;
  }
  return first;
}

// Whether no course can still complete a work-group before that one did. A work-group begins in the lap behind the one
// in which that before it completed.
static bool is_next(const struct model_team *team, const struct model_course *first) {
  for (uint32_t i = 0; i < team->device->group_slots; i++) {
    const struct model_course *c = &team->course[i];
    if ((c->state == COURSE_READY || c->state == COURSE_RUNS) && lap_of(c) <= lap_of(first))
      return false;
  }
  return true;
}

static void give_groups(struct model_team *team) {
  struct model_device *d = team->device;
  for (struct model_course *c; (c = first_that_awaits(team)) && (d->all_started || is_next(team, c));) {
    if (d->all_started) {
      c->state = COURSE_EMPTY;
      continue;
    }
    model_take_group(d, c->group);
    c->is_new = true;
    c->state = COURSE_READY;
    atomic_store_explicit(&c->lap, lap_of(c) + 1, memory_order_relaxed);
  }
}

// A course to run, of those that have come least far. NULL: none now; `over`: and none later.
static struct model_course *course_to_run(struct model_team *team, bool *over) {
  struct model_course *best = NULL;
  *over = true;
  for (uint32_t i = 0; i < team->device->group_slots; i++) {
    struct model_course *c = &team->course[i];
    const bool can_run = c->state == COURSE_READY && (c->is_new || lap_of(c) < team->laps);
    *over = *over && !can_run && c->state != COURSE_RUNS && c->state != COURSE_AWAITS;
    if (can_run && (!best || is_before(c, best)))
      best = c;
  }
  return best;
}

// False: the work-group has completed, or the thread has given up.
static bool run_turn(struct model_device *d, struct model_course *c, struct model_sub_group *g, uint32_t lap) {
  c->has_run = true;
  c->turn = model_slot(d, g);
  c->turn_lap = lap;
  for (c->slice_left = MODEL_SLICE; c->slice_left != 0 && g->state == MODEL_RUNNING;) {
    const uint32_t left = model_turn(d, g, c->slice_left);
    c->last_issues = c->slice_left - left;
    c->slice_left = left;
    if (d->gave_up || c->group->unfinished == 0)
      return false;
  }
  return true;
}

// Until its work-group completes, the stretch ends or a thread gives up. Returns whether the work-group has completed.
static bool run_course(struct model_team *team, struct model_device *d, struct model_course *c) {
  struct model_work_group *w = c->group;
  struct model_sub_group *g = &d->sub_groups[w->first_slot];
  d->course = c;
  d->reserving = (struct model_slot_set){0};
  if (c->is_new)
    model_fill_group(d, w);
  c->is_new = false;
  for (uint32_t s = 0; s < w->sub_groups; s++)
    if (g[s].state != MODEL_FREE && g[s].reserved != 0)
      model_set_add(&d->reserving, model_slot(d, &g[s]));
  for (uint32_t lap = lap_of(c); lap < team->laps; lap++) {
    atomic_store_explicit(&c->lap, lap, memory_order_release);
    if (atomic_load_explicit(&team->gave_up, memory_order_relaxed))
      return false;
    for (uint32_t s = 0; s < w->sub_groups; s++) {
      if (g[s].state == MODEL_RUNNING && !run_turn(d, c, &g[s], lap)) {
        if (d->gave_up) {
          atomic_store_explicit(&team->gave_up, true, memory_order_relaxed);
          return false;
        }
        c->turn = w->first_slot + d->slots_a_group - 1;
        c->slice_left = 0;
        for (s = 0; s < w->sub_groups; s++)
          model_set_state(d, &g[s], MODEL_FREE);
        d->figures.groups_done++;
        return true;
      }
    }
  }
  atomic_store_explicit(&c->lap, team->laps, memory_order_release);
  return false;
}

// What each thread does in a stretch.
static void run_courses(struct model_team *team, struct model_device *d) {
  bool over = false;
  lock(team);
  for (uint32_t spins = 0; !over && !atomic_load_explicit(&team->gave_up, memory_order_relaxed);) {
    give_groups(team);
    struct model_course *c = course_to_run(team, &over);
    if (!c && !over) {
      unlock(team);
      wait_a_little(++spins);
      lock(team);
    }
    if (!c)
      continue;
    c->state = COURSE_RUNS;
    unlock(team);
    const bool completed = run_course(team, d, c);
    lock(team);
    c->state = completed ? COURSE_AWAITS : COURSE_READY;
    team->device->unfinished_groups -= completed;
    spins = 0;
  }
  unlock(team);
}

// ---- Threads

static void join(struct model_team *team) {
  lock(team);
  const bool joins = team->is_open && team->joined < team->device->group_slots;
  struct model_device *d = &team->copy[joins ? team->joined : 0];
  if (joins) {
    team->joined++;
    team->inside++;
    *d = *team->device;
    d->figures = (struct model_figures){0};
  }
  unlock(team);
  if (!joins)
    return;
  run_courses(team, d);
  atomic_fetch_sub_explicit(&team->inside, 1, memory_order_release);
}

static void *thread_of(void *argument) {
  enum { SPINS = 256 };
  struct model_team *team = argument;
  fesetenv(FE_DFL_ENV);
  for (uint32_t done = 0;;) {
    for (uint32_t i = 0; i < SPINS && atomic_load_explicit(&team->stretch, memory_order_acquire) == done; i++)
      wait_a_little(1);
    pthread_mutex_lock(&team->mutex);
    while (atomic_load_explicit(&team->stretch, memory_order_acquire) == done && !team->ends)
      pthread_cond_wait(&team->cond, &team->mutex);
    const bool ends = team->ends;
    pthread_mutex_unlock(&team->mutex);
    if (ends)
      return NULL;
    done = atomic_load_explicit(&team->stretch, memory_order_acquire);
    join(team);
  }
}

// Those that the process may run on, or as many as it may have the time of: a container may have less than its
// processors could give.
static uint32_t processors(void) {
  cpu_set_t set;
  uint64_t count = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 1;
  FILE *quota = fopen("/sys/fs/cgroup/cpu.max", "re");
  uint64_t most, period;
  if (quota && fscanf(quota, "%" SCNu64 " %" SCNu64, &most, &period) == 2 && period != 0 && most / period < count)
    count = (most + period - 1) / period;
  if (quota)
    fclose(quota);
  return count < MODEL_MAX_THREADS ? (uint32_t)count : MODEL_MAX_THREADS;
}

static uint32_t threads_of(const struct model_device *d) {
  static _Atomic uint32_t available;
  if (d->threads != 0)
    return d->threads;
  if (available == 0)
    available = processors();
  return available;
}

static struct model_team *make_team(struct model_device *d) {
  struct model_team *team =
      mmap(NULL, sizeof *team, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct model_course *course = mmap(NULL, MOST_SLOTS * sizeof *course, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (team == MAP_FAILED || course == MAP_FAILED) {
    if (team != MAP_FAILED)
      munmap(team, sizeof *team);
    if (course != MAP_FAILED)
      munmap(course, MOST_SLOTS * sizeof *course);
    return NULL;
  }
  team->device = d;
  team->process = getpid();
  team->course = course;
  pthread_mutex_init(&team->mutex, NULL);
  pthread_cond_init(&team->cond, NULL);
  // The host program's signals are not for these threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (team->num_threads + 1 < threads_of(d) &&
         pthread_create(&team->thread[team->num_threads], NULL, thread_of, team) == 0)
    team->num_threads++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return team;
}

void model_team_destroy(struct model_device *d) {
  struct model_team *team = d->team;
  if (!team)
    return;
  if (team->process == getpid()) {
    pthread_mutex_lock(&team->mutex);
    team->ends = true;
    pthread_cond_broadcast(&team->cond);
    pthread_mutex_unlock(&team->mutex);
    for (uint32_t i = 0; i < team->num_threads; i++)
      pthread_join(team->thread[i], NULL);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->cond);
  }
  munmap(team->course, MOST_SLOTS * sizeof *team->course);
  munmap(team, sizeof *team);
  d->team = NULL;
}

// ---- Stretches

// Bytes of a sub-group that mean something: not the registers of lanes that there are not.
static size_t sub_group_bytes(const struct model_device *d) {
  return offsetof(struct model_sub_group, x) + MODEL_REGISTERS * d->sub_group_size * sizeof(uint32_t);
}

static void begin(struct model_team *team, uint32_t laps) {
  struct model_device *d = team->device;
  const uint64_t stretch = (uint64_t)(atomic_load_explicit(&team->stretch, memory_order_relaxed) + 1) << 32;
  memcpy(team->next_group, d->next_group, sizeof team->next_group);
  team->all_started = d->all_started;
  team->unfinished_groups = d->unfinished_groups;
  team->running = d->running;
  team->reserving = d->reserving;
  team->laps = laps;
  team->is_full = false;
  atomic_store_explicit(&team->gave_up, false, memory_order_relaxed);
  for (uint32_t i = 0; i < d->group_slots; i++) {
    struct model_work_group *w = &d->work_groups[i];
    struct model_course *c = &team->course[i];
    team->work_groups[i] = *w;
    for (uint32_t s = w->first_slot; s < w->first_slot + d->slots_a_group; s++)
      memcpy(team->sub_groups[s], &d->sub_groups[s], sub_group_bytes(d));
    c->group = w;
    c->state = w->unfinished != 0 ? COURSE_READY : COURSE_EMPTY;
    c->is_new = false;
    c->has_run = false;
    c->stretch = stretch;
    c->tells_loads = team->tells_loads;
    atomic_store_explicit(&c->lap, 0, memory_order_relaxed);
  }
}

static void run_all_courses(struct model_team *team) {
  lock(team);
  team->is_open = true;
  team->joined = 0;
  unlock(team);
  pthread_mutex_lock(&team->mutex);
  atomic_fetch_add_explicit(&team->stretch, 1, memory_order_release);
  pthread_cond_broadcast(&team->cond);
  pthread_mutex_unlock(&team->mutex);
  join(team);
  lock(team);
  team->is_open = false;
  unlock(team);
  for (uint32_t i = 1; atomic_load_explicit(&team->inside, memory_order_acquire) != 0; i++)
    wait_a_little(i);
}

static void forget_pages(struct model_team *team) {
  for (uint32_t i = 0; i < team->num_pages; i++)
    team->table[team->page[i].place] = 0;
  team->num_pages = team->num_touched = team->num_saved = 0;
}

// As if the stretch had not been.
static void take_back(struct model_team *team) {
  struct model_device *d = team->device;
  for (uint32_t i = 0; i < team->num_pages; i++)
    if (team->page[i].saved)
      memcpy(d->memory + (size_t)team->page[i].number * PAGE_BYTES, team->page[i].saved, PAGE_BYTES);
  for (uint32_t i = 0; i < d->group_slots; i++) {
    const struct model_work_group *w = &team->work_groups[i];
    d->work_groups[i] = *w;
    for (uint32_t s = w->first_slot; s < w->first_slot + d->slots_a_group; s++)
      memcpy(&d->sub_groups[s], team->sub_groups[s], sub_group_bytes(d));
  }
  memcpy(d->next_group, team->next_group, sizeof d->next_group);
  d->all_started = team->all_started;
  d->unfinished_groups = team->unfinished_groups;
  d->running = team->running;
  d->reserving = team->reserving;
}

// The course that had the last turn.
static const struct model_course *last_course(const struct model_team *team) {
  const struct model_course *last = team->course;
  for (const struct model_course *c = last; c < team->course + team->device->group_slots; c++) {
    const bool is_later = c->turn_lap != last->turn_lap ? c->turn_lap > last->turn_lap : c->turn > last->turn;
    if (c->has_run && (!last->has_run || is_later))
      last = c;
  }
  return last;
}

// The device is where one thread would have brought it.
static void settle(struct model_team *team) {
  struct model_device *d = team->device;
  const struct model_course *last = last_course(team);
  const uint64_t before = d->clock;
  for (uint32_t i = 0; i < team->joined; i++) {
    const struct model_figures *f = &team->copy[i].figures;
    d->figures.issues += f->issues;
    d->figures.active_lanes += f->active_lanes;
    d->figures.groups_done += f->groups_done;
    d->figures.memory_requests += f->memory_requests;
    d->clock += f->issues;
  }
  team->issues += d->clock - before;
  for (uint32_t i = 0; i < d->group_slots; i++) {
    const struct model_work_group *w = team->course[i].group;
    for (uint32_t s = w->first_slot; s < w->first_slot + d->slots_a_group; s++) {
      struct model_sub_group *g = &d->sub_groups[s];
      model_set_state(d, g, g->state);
      if (g->state != MODEL_FREE && g->reserved != 0)
        model_set_add(&d->reserving, s);
    }
  }
  d->turn = last->turn;
  d->slice_left = last->slice_left;
  // The command processor learns of the end after the turn that was the last.
  const bool ends = d->unfinished_groups == 0;
  if (d->processor.runs)
    model_processor_run(d, d->clock - before - (ends ? last->last_issues : 0));
  if (ends) {
    model_end(d);
    if (d->processor.runs)
      model_processor_run(d, last->last_issues);
  }
}

// Whether all sub-groups have had their turns of a lap, or nobody has.
static bool is_between_laps(const struct model_device *d) {
  return (d->slice_left == 0 || d->sub_groups[d->turn].state != MODEL_RUNNING) &&
         model_set_next(&d->running, d->turn + 1) == MODEL_SET_SLOTS;
}

static bool is_time(struct model_device *d) {
  return d->unfinished_groups > 1 && d->figures.issues >= LEAST_ISSUES && !d->trace && !d->profile && !d->check &&
         !d->choose_sc && (!d->team || d->clock >= d->team->alone_until) && model_set_is_empty(&d->reserving) &&
         is_between_laps(d) && (!d->processor.runs || model_processor_period(d) != 0);
}

// Laps that end before the clock says `end`, and the budget is not spent.
static uint64_t laps_until(const struct model_device *d, uint64_t end) {
  uint64_t issues = end - d->clock;
  if (d->budget != 0 && d->budget - d->figures.issues - 1 < issues)
    issues = d->budget - d->figures.issues - 1;
  const uint64_t most = (uint64_t)MODEL_SLICE * d->group_slots * d->slots_a_group;
  return (issues < MOST_ISSUES ? issues : MOST_ISSUES) / most;
}

// So that threads find the instructions decoded. A page that is not there is for one thread.
static void decode_all(struct model_device *d) {
  for (uint32_t i = 0; i < d->code_page_count; i++) {
    struct model_code_page *p = d->code_pages[i];
    if (p->complete || d->code[p->page] != p)
      continue;
    for (uint32_t word = 0; word < MODEL_PAGE_WORDS; word++) {
      const uint32_t pc = p->page << MODEL_PAGE_LOG2 | word << 2;
      uint32_t instruction;
      memcpy(&instruction, d->memory + pc, sizeof instruction);
      if (p->op[word].kind == OP_DECODE)
        p->op[word] = model_decode(instruction, pc);
    }
    p->complete = true;
  }
}

// ---- Whether stretches are faster than one thread

static uint64_t nanoseconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// On one thread, by its processor's time: a busy machine makes one thread no slower than several.
static void measure_alone_from_now(struct model_team *team) {
  team->clock_before = team->device->clock;
  team->ns_before = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static void measure_alone_until_now(struct model_team *team) {
  const uint64_t issues = team->device->clock - team->clock_before;
  const uint64_t now = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
  if (issues < FIRST_PAUSE / 2 || now <= team->ns_before)  // too few, or another thread
    return;
  team->alone_issues = issues;
  team->alone_ns = now - team->ns_before;
}

// A stretch took so long. Where stretches do not gain an eighth, the threads' time is better used by others.
static void judge(struct model_team *team, uint64_t issues, uint64_t nanoseconds) {
  team->together_issues += issues;
  team->together_ns += nanoseconds;
  if (team->together_ns < JUDGED_NS || team->alone_ns == 0)
    return;
  if ((double)team->together_issues * (double)team->alone_ns <
      1.125 * (double)team->alone_issues * (double)team->together_ns) {
    team->alone_until = team->device->clock + team->slow_pause;
    team->slow_pause *= team->slow_pause < MOST_SLOW_PAUSE ? 2 : 1;
  } else {
    team->slow_pause = SLOW_PAUSE;
  }
  team->together_issues = team->together_ns = 0;
}

uint64_t heddle_model_issues_together(const void *device) {
  const struct model_team *team = ((const struct model_device *)device)->team;
  return team ? team->issues : 0;
}

bool model_run_together(struct model_device *d, uint64_t end) {
  if (threads_of(d) == 1 || !is_time(d))
    return false;
  uint64_t laps = laps_until(d, end);
  if (laps < LEAST_LAPS)
    return false;
  if (!d->team) {
    d->team = make_team(d);
    if (!d->team) {
      d->threads = 1;
      return false;
    }
  }
  struct model_team *team = d->team;
  if (team->process != getpid())
    return false;
  if (team->entry != d->dispatch.entry) {
    team->entry = d->dispatch.entry;
    team->next_laps = FIRST_LAPS;
    team->most_laps = MOST_LAPS;
    team->tells_loads = false;
    team->pause = FIRST_PAUSE;
    team->slow_pause = SLOW_PAUSE;
    team->alone_ns = team->together_issues = team->together_ns = 0;
    if (d->threads == 0) {
      measure_alone_from_now(team);
      if (team->alone_until < d->clock + FIRST_PAUSE)
        team->alone_until = d->clock + FIRST_PAUSE;
      return false;
    }
  }
  if (d->threads == 0)
    measure_alone_until_now(team);
  if (team->next_laps < laps)
    laps = team->next_laps;
  const uint64_t clock_before = d->clock, ns_before = nanoseconds_of(CLOCK_MONOTONIC);
  decode_all(d);
  begin(team, (uint32_t)laps);
  run_all_courses(team);
  const bool gave_up = atomic_load_explicit(&team->gave_up, memory_order_relaxed);
  const bool counts = !gave_up && is_as_on_one_thread(team);
  if (counts) {
    if (team->next_laps <= team->most_laps / 2)
      team->next_laps *= 2;
    settle(team);
    if (d->threads == 0)
      judge(team, d->clock - clock_before, nanoseconds_of(CLOCK_MONOTONIC) - ns_before);
  } else {
    take_back(team);
    if (team->is_full && laps > 2 * LEAST_LAPS) {
      team->next_laps = team->most_laps = (uint32_t)laps / 2;
    } else if (!gave_up && !team->tells_loads) {
      team->tells_loads = true;
    } else {
      team->next_laps = FIRST_LAPS;
      team->alone_until = d->clock + team->pause;
      team->pause *= team->pause < MOST_PAUSE ? 2 : 1;
    }
  }
  forget_pages(team);
  measure_alone_from_now(team);
  return counts;
}
