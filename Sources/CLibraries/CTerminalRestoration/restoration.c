#define _GNU_SOURCE
#include "CTerminalRestoration.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { capacity = 16384, alternate_stack_size = 64 * 1024 };

static atomic_int armed;
static int tty = -1;
static struct termios saved;
static uint8_t prepared[capacity];
static size_t prepared_count;

static atomic_int signal_pipe = -1;
// Seconds at which the first request to end came that the main loop has not taken; 0 for none.
static atomic_long unanswered_since;
static atomic_int installed;

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };
static struct sigaction former[crash_signal_count];

void terminal_restoration_arm(int descriptor, const struct termios *settings,
                              const uint8_t *bytes, size_t count) {
  atomic_store(&armed, 0);
  tty = descriptor;
  saved = *settings;
  prepared_count = count < capacity ? count : capacity;
  memcpy(prepared, bytes, prepared_count);
  atomic_store(&armed, 1);
}

int terminal_restoration_disarm(void) { return atomic_exchange(&armed, 0); }

int terminal_restoration_run(void) {
  if (!atomic_exchange(&armed, 0)) return 0;
  int former_errno = errno;
  size_t done = 0;
  while (done < prepared_count) {
    ssize_t written = write(tty, prepared + done, prepared_count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (written < 0 && errno == EINTR) {
      continue;
    } else {
      break;  // The terminal is gone; its settings below are then refused, too.
    }
  }
  tcsetattr(tty, TCSANOW, &saved);
  errno = former_errno;
  return 1;
}

static void restore_at_exit(void) { terminal_restoration_run(); }

static void crash_handler(int number, siginfo_t *info, void *context) {
  (void)context;
  terminal_restoration_run();
  // Mouse reports and replies under way would otherwise land on the shell's command line.
  tcflush(tty, TCIFLUSH);
  for (int i = 0; i < crash_signal_count; i++) {
    if (crash_signals[i] == number) sigaction(number, &former[i], NULL);
  }
  // A faulting instruction faults again on return, with its own context for the next handler; all
  // else must be raised. Blocked until this handler returns.
  int faults_again = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS ||
                                           number == SIGILL || number == SIGFPE);
  if (!faults_again) raise(number);
}

void terminal_restoration_install(void) {
  if (atomic_exchange(&installed, 1)) return;
  atexit(restore_at_exit);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = crash_handler;
  for (int i = 0; i < crash_signal_count; i++) {
    sigaction(crash_signals[i], &action, &former[i]);
  }
}

static pthread_key_t stack_key;
static pthread_once_t stack_key_once = PTHREAD_ONCE_INIT;

static void release_stack(void *memory) {
  stack_t none;
  memset(&none, 0, sizeof none);
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, NULL);
  free(memory);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, release_stack); }

void terminal_restoration_protect_thread(void) {
  static _Thread_local int is_protected;
  if (is_protected) return;
  is_protected = 1;
  stack_t current;
  // Swift's own backtrace handler may have given this thread one already.
  if (sigaltstack(NULL, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return;
  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_size = alternate_stack_size;
  stack.ss_sp = malloc(stack.ss_size);
  if (stack.ss_sp == NULL) return;
  if (sigaltstack(&stack, NULL) != 0) {
    free(stack.ss_sp);
    return;
  }
  // The main queue is served by one thread after another: each takes its stack along when it ends.
  pthread_once(&stack_key_once, make_stack_key);
  pthread_setspecific(stack_key, stack.ss_sp);
}

static int asks_to_end(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

static void forward_handler(int number) {
  int former_errno = errno;
  struct timespec now;
  if (asks_to_end(number) && clock_gettime(CLOCK_MONOTONIC, &now) == 0) {
    long none = 0;
    int is_first = atomic_compare_exchange_strong(&unanswered_since, &none, now.tv_sec + 1);
    if (!is_first && now.tv_sec + 1 - none >= 2) {
      // The main loop hangs: end without it. Taken when this handler returns.
      terminal_restoration_run();
      signal(number, SIG_DFL);
      raise(number);
      errno = former_errno;
      return;
    }
  }
  uint8_t byte = (uint8_t)number;
  // A full pipe means that the main loop has much to read already.
  ssize_t written = write(atomic_load(&signal_pipe), &byte, 1);
  (void)written;
  errno = former_errno;
}

int terminal_signals_open(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

void terminal_signals_taken(void) { atomic_store(&unanswered_since, 0); }

void terminal_signals_forward(int descriptor, const int *signals, int count) {
  atomic_store(&signal_pipe, descriptor);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = forward_handler;
  for (int i = 0; i < count; i++) sigaction(signals[i], &action, NULL);
}

void terminal_signals_release(const int *signals, int count) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_DFL;
  for (int i = 0; i < count; i++) sigaction(signals[i], &action, NULL);
}

void terminal_stop_group(int only_self) {
  if (!only_self) {
    // The others of the pipeline first; this process then stops itself, since only a signal raised
    // by a thread at itself is sure to be taken before the call returns.
    signal(SIGTSTP, SIG_IGN);
    kill(0, SIGTSTP);
  }
  signal(SIGTSTP, SIG_DFL);
  signal(SIGCONT, SIG_DFL);
  sigset_t set, former_set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &set, &former_set);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &former_set, NULL);
}
