#define _GNU_SOURCE
#include "CProcessStart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { main_stack = 8 << 20, thread_stack = 2 << 20 };
enum { mapped_block = 1 << 20, kept_memory = 2 << 20 };

static void open_missing(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free descriptor is the one that is opened.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) open("/", O_RDONLY);
  }
}

static void reset_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_IGN);
}

static void quiet_crashes(void) {
  // With `enable=no` the runtime has no handlers.
  const char *settings = getenv("SWIFT_BACKTRACE");
  if (settings != NULL && strstr(settings, "enable=") != NULL) return;
  const int signals[] = {SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
}

static size_t size_stacks(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, thread_stack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return main_stack;
  if (limit.rlim_cur < main_stack) {
    rlim_t largest = limit.rlim_max < main_stack ? limit.rlim_max : main_stack;
    if (largest > limit.rlim_cur) {
      struct rlimit raised = {largest, limit.rlim_max};
      // The kernel checks the limit whenever the stack grows.
      if (setrlimit(RLIMIT_STACK, &raised) == 0) limit.rlim_cur = largest;
    }
  }
  return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

static void raise_file_limit(void) {
  enum { usual = 1024 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= usual) return;
  limit.rlim_cur = limit.rlim_max < usual ? limit.rlim_max : usual;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void return_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, mapped_block);
  mallopt(M_TRIM_THRESHOLD, kept_memory);
#endif
}

size_t process_start(void) {
  return_large_blocks();
  open_missing();
  raise_file_limit();
  reset_signals();
  quiet_crashes();
  return size_stacks();
}

static int has_memory(size_t bytes) {
  void *place = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return 0;
  munmap(place, bytes);
  return 1;
}

static int has_files(int files) {
  int opened[64];
  int count = 0;
  while (count < files && count < 64) {
    if ((opened[count] = fcntl(0, F_DUPFD_CLOEXEC, 3)) < 0) break;
    count++;
  }
  for (int i = 0; i < count; i++) close(opened[i]);
  return count == files;
}

static void *wait_for_lock(void *lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

static int has_threads(int threads) {
  enum { few = 4096 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur >= few) return 1;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t started[16];
  int count = 0;
  pthread_mutex_lock(&lock);
  while (count < threads && count < 16 &&
         pthread_create(&started[count], NULL, wait_for_lock, &lock) == 0)
    count++;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < count; i++) pthread_join(started[i], NULL);
  return count == threads;
}

enum process_lack process_lack_of(size_t bytes, int files, int threads) {
  if (!has_files(files)) return process_lacks_files;
  if (!has_memory(bytes)) return process_lacks_memory;
  if (!has_threads(threads)) return process_lacks_threads;
  return process_lacks_nothing;
}
