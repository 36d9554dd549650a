// The loop of the main thread: it waits for the main queue and for descriptors at once.
//
// libdispatch ends the main thread once `main` is asynchronous, has a thread of its own wait for
// descriptors, and another run what is on the main queue: a key is handed from thread to thread,
// and each of them must wake up first. With this loop the thread that waits is the one that
// answers. It takes the place of libdispatch's through a hook of Swift's runtime
// (`swift_task_asyncMainDrainQueue_hook`, a variable of libswift_Concurrency), which is a C
// function pointer with Swift's calling convention, which Swift cannot write; the main queue is
// drained as the run loop of Foundation drains it.
//
// 1. What is on the main queue runs on the main thread; so do handlers, between two drains.
// 2. Descriptors come first: what was typed is taken before anything else that waits.
// 3. Nothing runs while nothing happens, but one piece of work that waits for its time.
#pragma once

// Has the main thread run this loop as soon as `main` waits for the first time. To be called
// before.
void main_loop_install(void);

typedef void (*main_loop_handler)(void *context);

// Calls `handler` on the main thread as often as `descriptor` can be read, or its other end is
// gone, until it is unwatched. On the main thread only.
//
// Returns 0 where there is no such loop, or where it watches as many as it can already (8).
int main_loop_watch(int descriptor, main_loop_handler handler, void *context);

// Ends that; nothing is called any more from now on. On the main thread only.
void main_loop_unwatch(int descriptor);

// Calls `handler` on the main thread, once, when `milliseconds` have passed; it takes the place of
// one that waits still. On the main thread only.
//
// Returns 0 where there is no such loop.
int main_loop_after(int milliseconds, main_loop_handler handler, void *context);
