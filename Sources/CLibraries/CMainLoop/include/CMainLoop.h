// The loop of the main thread: it waits for the main queue and for descriptors at once.
//
// Once `main` is asynchronous, libdispatch ends the main thread, has a thread of its own wait for
// descriptors, and another run the main queue: a key is handed from thread to thread, and each of
// them must wake up first. With this loop the thread that waits is the one that answers. It
// replaces libdispatch's loop through a hook of Swift's runtime
// (`swift_task_asyncMainDrainQueue_hook`, a variable of libswift_Concurrency), a C function pointer
// with Swift's calling convention, which Swift cannot write; the main queue is drained as
// Foundation's run loop drains it.
//
// 1. The main queue's work runs on the main thread; so do handlers, between two drains.
// 2. In each round, descriptors come before the main queue, and the queue before the timer.
// 3. Without events the loop sleeps in poll(), until the timer is due if one is pending.
#pragma once

// Makes the main thread run this loop as soon as `main` first suspends. Call it before that.
void main_loop_install(void);

typedef void (*main_loop_handler)(void *context);

// Calls `handler` on the main thread whenever `descriptor` can be read or its other end is gone,
// until it is unwatched. On the main thread only.
//
// Returns 0 if the loop is not installed, or already watches `descriptor` or the maximum of 8.
int main_loop_watch(int descriptor, main_loop_handler handler, void *context);

// Stops watching; the handler is not called again. On the main thread only.
void main_loop_unwatch(int descriptor);

// Calls `handler` on the main thread once, after `milliseconds`; replaces a pending timer. On the
// main thread only.
//
// Returns 0 if the loop is not installed.
int main_loop_after(int milliseconds, main_loop_handler handler, void *context);
