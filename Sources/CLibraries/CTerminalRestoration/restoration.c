#define _GNU_SOURCE
#include "CTerminalRestoration.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "ending.h"

enum { capacity = 16384, microseconds_to_restore = 800000, milliseconds_to_answer = 250 };

// The prepared restoration, in one of two places in turn, so that one is valid while the other is
// prepared.
static struct {
  int tty;
  struct termios settings;
  size_t count;
  uint8_t bytes[capacity];
} prepared[2];

enum { nothing = -1 };
static atomic_int armed = nothing;
// The thread that ends the process, NULL while none does, and the signal that it ends by.
static _Atomic(const char *) ending_thread;
static atomic_int ending_signal;
// The thread that is writing to the terminal; NULL for none.
static _Atomic(const char *) writing_thread;

// The descriptor on which answers are outstanding; -1 for none.
static atomic_int answers = -1;

static const char *this_thread(void) {
  static _Thread_local char mark;
  return &mark;
}

static void wait_for_end(void) {
  for (;;) pause();
}

void terminal_restoration_arm(int descriptor, const struct termios *settings,
                              const uint8_t *bytes, size_t count) {
  // Data that a handler may be reading is not changed.
  if (atomic_load(&ending_thread) != NULL) wait_for_end();
  int place = atomic_load(&armed) == 0 ? 1 : 0;
  prepared[place].tty = descriptor;
  prepared[place].settings = *settings;
  prepared[place].count = count < capacity ? count : capacity;
  memcpy(prepared[place].bytes, bytes, prepared[place].count);
  atomic_store(&armed, place);
}

int terminal_restoration_disarm(void) { return atomic_exchange(&armed, nothing) != nothing; }

ssize_t terminal_write(int descriptor, const void *bytes, size_t count) {
  atomic_store(&writing_thread, this_thread());
  if (atomic_load(&ending_thread) != NULL) {
    atomic_store(&writing_thread, NULL);
    wait_for_end();
  }
  ssize_t written = write(descriptor, bytes, count);
  int code = errno;
  atomic_store(&writing_thread, NULL);
  errno = code;
  return written;
}

// Lets another thread finish a write that it has begun: the restoration comes after it.
static void wait_for_writer(void) {
  const struct timespec moment = {.tv_nsec = 1000000};
  for (;;) {
    const char *writer = atomic_load(&writing_thread);
    // A write of this thread was interrupted by the handler that is running.
    if (writer == NULL || writer == this_thread()) return;
    nanosleep(&moment, NULL);
  }
}

void terminal_restoration_await_answers(int descriptor) { atomic_store(&answers, descriptor); }

static long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Reads and drops input up to the reply to DA1, `ESC [ ? digits and semicolons c`.
static void drop_answers(int descriptor) {
  const long end = milliseconds_now() + milliseconds_to_answer;
  const char start[] = "\x1b[?";
  int matched = 0;
  for (;;) {
    long left = end - milliseconds_now();
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    if (left <= 0) return;
    int ready = poll(&waiting, 1, (int)left);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    char bytes[256];
    ssize_t count = read(descriptor, bytes, sizeof bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return;
    for (ssize_t i = 0; i < count; i++) {
      char byte = bytes[i];
      if (matched < 3) {
        matched = byte == start[matched] ? matched + 1 : byte == start[0];
      } else if (byte == 'c') {
        return;
      } else if (byte != ';' && (byte < '0' || byte > '9')) {
        matched = byte == start[0];
      }
    }
  }
}

static void restore(void) {
  int place = atomic_exchange(&armed, nothing);
  if (place == nothing) return;
  int former_errno = errno;
  int tty = prepared[place].tty;
  // After a stop that could not be caught the terminal may belong to another program.
  pid_t foreground = tcgetpgrp(tty);
  if (foreground >= 0 && foreground != getpgrp()) {
    errno = former_errno;
    return;
  }
  // Before the settings are restored: the terminal does not echo the answers yet.
  int asked = atomic_exchange(&answers, -1);
  if (asked >= 0) drop_answers(asked);
  // The settings before the bytes, which are held up if the terminal does not read.
  while (tcsetattr(tty, TCSANOW, &prepared[place].settings) != 0 && errno == EINTR) {
  }
  if (atomic_load(&ending_thread) != NULL) wait_for_writer();
  size_t done = 0;
  while (done < prepared[place].count) {
    ssize_t written = write(tty, prepared[place].bytes + done, prepared[place].count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd waiting = {.fd = tty, .events = POLLOUT};
      poll(&waiting, 1, -1);
    } else if (!(written < 0 && errno == EINTR)) {
      break;  // The terminal is gone.
    }
  }
  // Mouse reports and replies on their way would otherwise appear on the shell's command line.
  tcflush(tty, TCIFLUSH);
  terminal_errors_release();
  errno = former_errno;
}

// MARK: Ending by a signal

static void end_now(int number) {
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
  // The first process of a container ignores signals whose disposition is the default.
  _exit(128 + number);
}

static void restoration_timed_out(int number) {
  (void)number;
  end_now(atomic_load(&ending_signal));
}

// Restores, in the first call only. If the terminal does not accept the bytes in time, the process
// ends without them.
static void restore_before_end(int number) {
  const char *none = NULL;
  const char *self = this_thread();
  if (!atomic_compare_exchange_strong(&ending_thread, &none, self)) {
    if (none == self) end_now(number);  // This thread has crashed while restoring.
    wait_for_end();
  }
  atomic_store(&ending_signal, number);
  // The timer of an earlier request to end (signals.c) may expire at this very moment, but must not
  // cut this restoration short.
  signal(SIGALRM, SIG_IGN);
  const struct itimerval once = {.it_value = {.tv_usec = microseconds_to_restore}};
  setitimer(ITIMER_REAL, &once, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = restoration_timed_out;
  sigaction(SIGALRM, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  restore();
  alarm(0);
}

void terminal_restoration_end(int number) {
  restore_before_end(number);
  end_now(number);
  wait_for_end();
  __builtin_unreachable();
}

// MARK: Crashes

const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
const int crash_signal_count = sizeof crash_signals / sizeof *crash_signals;
static struct sigaction former[sizeof crash_signals / sizeof *crash_signals];

// Lets the former handler report the crash, with an empty standard input: keys typed meanwhile are
// meant for the shell.
static void report(int number, siginfo_t *info, void *context, const struct sigaction *handler) {
  int empty_input = open("/dev/null", O_RDONLY);
  if (empty_input > STDIN_FILENO) dup2(empty_input, STDIN_FILENO);
  if (handler->sa_flags & SA_SIGINFO) {
    handler->sa_sigaction(number, info, context);
  } else if (handler->sa_handler != SIG_DFL && handler->sa_handler != SIG_IGN) {
    handler->sa_handler(number);
  }
}

static void crash_handler(int number, siginfo_t *info, void *context) {
  restore_before_end(number);
  for (int i = 0; i < crash_signal_count; i++)
    if (crash_signals[i] == number) report(number, info, context, &former[i]);
  end_now(number);
}

void terminal_restoration_install(void) {
  static atomic_int installed;
  if (atomic_exchange(&installed, 1)) return;
  atexit(restore);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = crash_handler;
  for (int i = 0; i < crash_signal_count; i++) {
    sigaction(crash_signals[i], &action, &former[i]);
  }
}
