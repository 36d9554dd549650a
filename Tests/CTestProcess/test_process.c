#define _GNU_SOURCE  // pthread_getattr_np

#include "CTestProcess.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

const char *const tideline_test_width = "8";

// All that tests change of the process they share, before the first of them and any thread.
__attribute__((constructor)) static void set_up_test_process(void) {
  // Swift Testing would begin all tests at once: one that waits for an answer is then behind the work
  // of hundreds, beyond the time that an exchange may take.
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", tideline_test_width, 0);
  // A program that ends without reading its input must not end the tests.
  signal(SIGPIPE, SIG_IGN);
}

int tideline_stack_depth(int most) {
#ifdef __linux__
  pthread_attr_t attributes;
  void *start;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int failure = pthread_attr_getstack(&attributes, &start, &size);
  pthread_attr_destroy(&attributes);
  if (failure != 0) return 0;
  const uintptr_t end = (uintptr_t)start + size;
  // Swift marks the frame pointer of an async function by this bit.
  const uintptr_t async_mark = (uintptr_t)1 << 60;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  for (int count = 0; count < most; count++) {
    const uintptr_t saved = *(const uintptr_t *)frame, next = saved & ~async_mark;
    if (next <= frame || next % sizeof next != 0 || next > end - 2 * sizeof next) return count + 1;
    if (saved != next) return most;
    frame = next;
  }
#endif
  return most;
}
