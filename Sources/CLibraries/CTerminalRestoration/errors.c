#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CTerminalRestoration.h"

// The most bytes that are written afterwards: the last ones.
enum { kept_limit = 16384 };

static int kept = -1;
static int actual = -1;
static atomic_int is_holding;

void terminal_errors_hold(void) {
  if (atomic_load(&is_holding) || !isatty(STDERR_FILENO)) return;
  if (kept < 0) kept = memfd_create("errors", MFD_CLOEXEC);
  if (actual < 0) actual = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0 || actual < 0 || ftruncate(kept, 0) != 0) return;
  lseek(kept, 0, SEEK_SET);
  if (dup2(kept, STDERR_FILENO) >= 0) atomic_store(&is_holding, 1);
}

void terminal_errors_release(void) {
  if (!atomic_exchange(&is_holding, 0)) return;
  int former_errno = errno;
  dup2(actual, STDERR_FILENO);
  off_t end = lseek(kept, 0, SEEK_END);
  off_t place = end > kept_limit ? end - kept_limit : 0;
  while (place < end) {
    char bytes[512];
    size_t wanted = end - place < (off_t)sizeof bytes ? (size_t)(end - place) : sizeof bytes;
    ssize_t count = pread(kept, bytes, wanted, place);
    if (count <= 0) break;
    // The output should not be cut, but losing some of it must not block the program.
    if (write(STDERR_FILENO, bytes, (size_t)count) < 0 && errno != EINTR) break;
    place += count;
  }
  errno = former_errno;
}

void terminal_errors_close(void) {
  terminal_errors_release();
  if (kept >= 0) close(kept);
  if (actual >= 0) close(actual);
  kept = actual = -1;
}
