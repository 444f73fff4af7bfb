// SPDX-License-Identifier: Apache-2.0
// Landlock and seccomp (jail.h). Numbers of Landlock are written out, as headers of a distribution know less than the
// kernel that runs.
#include "contract/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- Files: Landlock

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1, ASK_VERSION = 1 };

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_FOLDER = 1 << 3,
  REMOVE_FOLDER = 1 << 4,
  REMOVE_FILE = 1 << 5,
  MAKE_FILE = 1 << 8,
  VERSION_1 = (1 << 13) - 1,  // all that the first version knows
  MOVE = 1 << 13,             // version 2
  TRUNCATE = 1 << 14,         // 3
  DEVICE_CONTROL = 1 << 15,   // 5
  OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL,
  READ = READ_FILE | READ_FOLDER,
  WRITE = WRITE_FILE | REMOVE_FOLDER | REMOVE_FILE | MAKE_FILE | TRUNCATE,
};

struct ruleset {
  uint64_t files, network, scope;
};

struct rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

// Programs, the libraries they load, and what finds these. Distributions that keep them elsewhere are the last four.
static const char *const system_folders[] = {
    "/usr",         "/lib",          "/lib32", "/lib64",     "/bin",       "/etc/ld.so.cache",    "/etc/alternatives",
    "/dev/urandom", "/proc/cpuinfo", "/opt",   "/nix/store", "/gnu/store", "/run/current-system",
};

static void allow(int ruleset, const char *path, uint64_t rights) {
  struct stat facts;
  // Not by libc's functions: what a program has put in front of them may want a lock that one of its threads held when
  // this process began.
  const int place = (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC, 0);
  if (place < 0)
    return;
  struct rule rule = {.allowed = rights, .parent = place};
  if (fstat(place, &facts) == 0 && !S_ISDIR(facts.st_mode))
    rule.allowed &= OF_FILES;
  if (rule.allowed != 0)
    syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
  syscall(SYS_close, place);
}

static void confine_files(const struct heddle_jail *jail) {
  const long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
  if (version < 1)
    return;
  // What a version does not know, it must not be asked for.
  uint64_t known =
      VERSION_1 | (version >= 2 ? MOVE : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? DEVICE_CONTROL : 0);
  struct ruleset all = {known, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  if (jail->reads_everything)
    all.files &= ~(uint64_t)(EXECUTE | READ);
  const int ruleset = (int)syscall(CREATE_RULESET, &all, sizeof all, 0);
  if (ruleset < 0)
    return;
  const uint64_t handled = all.files;
  if (jail->runs_program)
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
      allow(ruleset, system_folders[i], handled & (READ | EXECUTE));
  for (const char *const *path = jail->readable; path && *path; path++)
    allow(ruleset, *path, handled & (READ | (jail->runs_program ? EXECUTE : 0)));
  allow(ruleset, "/dev/null", handled & (READ_FILE | WRITE_FILE | TRUNCATE));
  if (jail->writable)
    allow(ruleset, jail->writable, handled & (READ | WRITE));
  syscall(RESTRICT_SELF, ruleset, 0);
  syscall(SYS_close, ruleset);
}

// ---- All else: seccomp

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef ARCHITECTURE
// Network, other processes, more rights, and parts of the kernel that compilers have no use for.
static const unsigned refused[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_setsid,
    SYS_setpgid,
    SYS_execveat,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
};
enum { REFUSED = sizeof refused / sizeof *refused, OTHER_ABI = 0x40000000, THREAD = 0x10000 };

#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(code) RETURN(SECCOMP_RET_ERRNO | (code))

static void confine_calls(bool runs_program) {
  const struct sock_filter first[] = {
      LOAD(arch),
      IF_EQUAL(ARCHITECTURE, 1, 0),
      RETURN(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_ABI, 0, 1),
      REFUSE(ENOSYS),
      // The C library makes a thread of clone then, whose flags can be looked at.
      IF_EQUAL(SYS_clone3, 0, 1),
      REFUSE(ENOSYS),
      IF_EQUAL(SYS_clone, 0, 4),
      LOAD(args[0]),  // the lower half: these machines are little-endian
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, THREAD, 0, 1),
      RETURN(SECCOMP_RET_ALLOW),
      REFUSE(EPERM),
      IF_EQUAL(SYS_execve, 0, 1),
      RETURN(runs_program ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM),
  };
  enum { FIRST = sizeof first / sizeof *first };
  struct sock_filter filter[FIRST + 2 * REFUSED + 1];
  size_t length = 0;
  for (; length < FIRST; length++)
    filter[length] = first[length];
  for (size_t i = 0; i < REFUSED; i++) {
    filter[length++] = (struct sock_filter)IF_EQUAL(refused[i], 0, 1);
    filter[length++] = (struct sock_filter)REFUSE(EPERM);
  }
  filter[length++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {(unsigned short)length, filter};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void confine_calls(bool runs_program) {
  (void)runs_program;
}
#endif

void heddle_jail_enter(const struct heddle_jail *jail) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return;
  if (!jail->has_users_files)
    confine_files(jail);
  confine_calls(jail->runs_program);
}
