#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "CTerminalRestoration.h"
#include "ending.h"

static atomic_int signal_pipe = -1;
// Whether the main loop reads forwarded signals.
static atomic_int main_loop_reads;
// The signal that first asked the process to end; 0 if none has.
static atomic_int requested;
static atomic_int installed;
static struct sigaction former[NSIG];

enum kind { not_handled, notifies, stops, ends };

// The effect of a signal on a program that has taken over the terminal. The default action of a
// signal that ends or stops the process would leave the terminal changed.
static enum kind kind_of(int number) {
  switch (number) {
    case SIGKILL:
    case SIGSTOP:
    case SIGCHLD:
    case SIGURG:
      return not_handled;
    case SIGWINCH:
    case SIGCONT:
      return notifies;
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
      return stops;
    default:
      break;
  }
  for (int i = 0; i < crash_signal_count; i++)
    if (crash_signals[i] == number) return not_handled;
  return ends;
}

// The microseconds that the main loop has to end the process after a request.
enum { microseconds_to_end = 900000 };

// Whether `number` comes from the timer of a request, unlike a SIGALRM sent by a process.
static int is_deadline(int number, const siginfo_t *info) {
  return number == SIGALRM && info->si_code == SI_KERNEL && atomic_load(&requested) != 0;
}

// Records a request to end. Ends the process at once if no main loop reads requests, or if
// `number` is the deadline of an earlier one; otherwise the first request starts the timer.
static void note_request(int number, const siginfo_t *info) {
  int first = 0;
  int is_first = atomic_compare_exchange_strong(&requested, &first, number);
  if (!atomic_load(&main_loop_reads) || is_deadline(number, info))
    terminal_restoration_end(is_first ? number : first);
  if (!is_first) return;
  // The timer's signal interrupts any call of the main thread, such as a write() that does not
  // return.
  const struct itimerval once = {.it_value = {.tv_usec = microseconds_to_end}};
  setitimer(ITIMER_REAL, &once, NULL);
}

// Stops the process as `number` does by default; returns when it is continued.
static void stop_by(int number) {
  struct sigaction plain, own;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(number, &plain, &own);
  sigset_t set, former_set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, &former_set);
  // Only a signal that a thread raises at itself is certain to be delivered before the call
  // returns.
  raise(number);
  pthread_sigmask(SIG_SETMASK, &former_set, NULL);
  sigaction(number, &own, NULL);
}

static void signal_handler(int number, siginfo_t *info, void *context) {
  (void)context;
  int former_errno = errno;
  enum kind kind = kind_of(number);
  if (kind == stops && number != SIGTSTP && info->si_code > 0) {
    // From the kernel: another program has the terminal already, so there is nothing to restore.
    stop_by(number);
  } else {
    if (kind == ends) note_request(number, info);
    uint8_t byte = (uint8_t)number;
    // A full pipe means that the main loop already has much to read.
    ssize_t written = write(atomic_load(&signal_pipe), &byte, 1);
    (void)written;
  }
  errno = former_errno;
}

int terminal_signals_open(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

void terminal_signals_install(int descriptor) {
  atomic_store(&signal_pipe, descriptor);
  atomic_store(&main_loop_reads, 0);
  if (atomic_exchange(&installed, 1)) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = signal_handler;
  for (int number = 1; number < NSIG; number++) {
    // The C library reserves some signals for itself and refuses them.
    if (kind_of(number) == not_handled || sigaction(number, &action, &former[number]) != 0) continue;
    // If SIGPIPE is ignored, it stays so: write() to a pipe without a reader then fails.
    if (number == SIGPIPE && former[number].sa_handler == SIG_IGN)
      sigaction(number, &former[number], NULL);
  }
}

void terminal_signals_ignore_typed(int lends) {
  static const int typed[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
  static struct sigaction own[sizeof typed / sizeof *typed];
  static int is_lent;
  if (lends == is_lent || (lends && !atomic_load(&installed))) return;
  is_lent = lends;
  struct sigaction ignored;
  memset(&ignored, 0, sizeof ignored);
  ignored.sa_handler = SIG_IGN;
  for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
    sigaction(typed[i], lends ? &ignored : &own[i], lends ? &own[i] : NULL);
}

void terminal_signals_read(int reads) { atomic_store(&main_loop_reads, reads); }

int terminal_signal_stops(int number) { return kind_of(number) == stops; }

void terminal_signals_release(void) {
  if (!atomic_exchange(&installed, 0)) return;
  // The program must end in time even after the screen is closed.
  int keeps_deadline = atomic_load(&requested) != 0;
  atomic_store(&main_loop_reads, 0);
  atomic_store(&signal_pipe, -1);
  for (int number = 1; number < NSIG; number++) {
    if (kind_of(number) == not_handled || (number == SIGALRM && keeps_deadline)) continue;
    sigaction(number, &former[number], NULL);
  }
}

void terminal_stop(int number, int whole_group) {
  // Without `whole_group` only this process stops. The caller waits for SIGCONT here, so it is not
  // forwarded.
  struct sigaction plain, ignored, own_stop, own_continue;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCONT, &plain, &own_continue);
  if (whole_group) {
    // The other processes of the pipeline first.
    memset(&ignored, 0, sizeof ignored);
    ignored.sa_handler = SIG_IGN;
    sigaction(number, &ignored, &own_stop);
    kill(0, number);
    sigaction(number, &own_stop, NULL);
  }
  stop_by(number);
  sigaction(SIGCONT, &own_continue, NULL);
}
