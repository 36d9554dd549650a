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
// 1. The work of the main queue runs on the main thread; so do handlers, between two drains.
// 2. Descriptors come first: input is handled before any other pending work.
// 3. Nothing runs while nothing happens, except one timer.
#pragma once

// Makes the main thread run this loop once `main` waits for the first time. To be called before.
void main_loop_install(void);

typedef void (*main_loop_handler)(void *context);

// Calls `handler` on the main thread whenever `descriptor` can be read or its other end is gone,
// until it is unwatched. On the main thread only.
//
// Returns 0 if there is no such loop, or it watches `descriptor` or the maximum (8) already.
int main_loop_watch(int descriptor, main_loop_handler handler, void *context);

// Stops watching; `handler` is not called from now on. On the main thread only.
void main_loop_unwatch(int descriptor);

// Calls `handler` on the main thread once, after `milliseconds`; replaces a pending timer. On the
// main thread only.
//
// Returns 0 if there is no such loop.
int main_loop_after(int milliseconds, main_loop_handler handler, void *context);
