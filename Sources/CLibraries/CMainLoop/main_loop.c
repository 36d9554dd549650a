#include "CMainLoop.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>

// As swift/Runtime/Concurrency.h declares it.
typedef __attribute__((swiftcall)) void (*DrainMainQueue)(void);
extern __attribute__((swiftcall)) void (*swift_task_asyncMainDrainQueue_hook)(
    DrainMainQueue original, void *override);

// As libdispatch's private/private.h declares them for run loops: an event counter that is not zero
// while the main queue has work, and the function that does all of it.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *unused);

enum { limit = 8 };

static struct {
  int is_installed;
  int count;
  struct {
    int descriptor;
    main_loop_handler handler;
    void *context;
  } watched[limit];
  // The pending timer; without a handler there is none.
  int64_t due;
  main_loop_handler due_handler;
  void *due_context;
} loop;

static int64_t now_in_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The timeout of `poll`: without a limit if there is no timer.
static int time_to_wait(void) {
  if (loop.due_handler == NULL) return -1;
  int64_t rest = loop.due - now_in_milliseconds();
  return rest < 0 ? 0 : (int)rest;
}

static void do_what_is_due(void) {
  main_loop_handler handler = loop.due_handler;
  if (handler == NULL || now_in_milliseconds() < loop.due) return;
  loop.due_handler = NULL;
  handler(loop.due_context);
}

// Its index in `watched`, or -1.
static int place_of(int descriptor) {
  for (int i = 0; i < loop.count; i++)
    if (loop.watched[i].descriptor == descriptor) return i;
  return -1;
}

static __attribute__((swiftcall, noreturn)) void run(DrainMainQueue original, void *override) {
  (void)original;
  (void)override;
  int queue = _dispatch_get_main_queue_handle_4CF();
  for (;;) {
    struct pollfd polled[limit + 1] = {{.fd = queue, .events = POLLIN}};
    int count = loop.count;
    for (int i = 0; i < count; i++)
      polled[i + 1] = (struct pollfd){.fd = loop.watched[i].descriptor, .events = POLLIN};
    if (poll(polled, (nfds_t)count + 1, time_to_wait()) < 0) {
      if (errno == EINTR || errno == EAGAIN || errno == ENOMEM) continue;
      abort();
    }
    for (int i = 1; i <= count; i++) {
      // An earlier handler may have unwatched it.
      int place = polled[i].revents != 0 ? place_of(polled[i].fd) : -1;
      if (place >= 0) loop.watched[place].handler(loop.watched[place].context);
    }
    if (polled[0].revents != 0) {
      eventfd_t ignored;
      eventfd_read(queue, &ignored);
      _dispatch_main_queue_callback_4CF(NULL);
    }
    do_what_is_due();
  }
}

void main_loop_install(void) {
  loop.is_installed = 1;
  swift_task_asyncMainDrainQueue_hook = run;
}

int main_loop_watch(int descriptor, main_loop_handler handler, void *context) {
  if (!loop.is_installed || loop.count == limit || place_of(descriptor) >= 0) return 0;
  loop.watched[loop.count].descriptor = descriptor;
  loop.watched[loop.count].handler = handler;
  loop.watched[loop.count].context = context;
  loop.count++;
  return 1;
}

void main_loop_unwatch(int descriptor) {
  int place = place_of(descriptor);
  if (place >= 0) loop.watched[place] = loop.watched[--loop.count];
}

int main_loop_after(int milliseconds, main_loop_handler handler, void *context) {
  if (!loop.is_installed) return 0;
  // The millisecond that has begun does not count.
  loop.due = now_in_milliseconds() + 1 + milliseconds;
  loop.due_handler = handler;
  loop.due_context = context;
  return 1;
}
