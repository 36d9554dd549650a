#include "CJobPool.h"

#if defined(__linux__)

#include <CThreads.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// As swift/Runtime/Concurrency.h and swift/ABI/Executor.h declare them.
typedef struct Job Job;
typedef struct {
  void *identity;
  uintptr_t implementation;
} SerialExecutorRef;
typedef __attribute__((swiftcall)) void (*EnqueueGlobal)(Job *job);

extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(Job *job,
                                                                       EnqueueGlobal original);
extern __attribute__((swiftcall)) void swift_job_run(Job *job, SerialExecutorRef executor);

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work;
  // A ring of `capacity` places, a power of two; `count` jobs wait, the oldest at `first`.
  Job **ring;
  size_t capacity, first, count;
  int width, threads, idle;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

static void run(void *unused) {
  (void)unused;
  // No actor's: what runs here is on the generic executor.
  const SerialExecutorRef generic = {NULL, 0};
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.count == 0) {
      pool.idle++;
      pthread_cond_wait(&pool.work, &pool.lock);
      pool.idle--;
    }
    Job *job = pool.ring[pool.first];
    pool.first = (pool.first + 1) & (pool.capacity - 1);
    pool.count--;
    pthread_mutex_unlock(&pool.lock);
    swift_job_run(job, generic);
    pthread_mutex_lock(&pool.lock);
  }
}

// Both are called with the lock held and return 0 where the system refuses.

static int start_thread(void) {
  if (own_thread_start(run, NULL, 0) != 0) return 0;
  pool.threads++;
  return 1;
}

static int grow(void) {
  size_t capacity = pool.capacity == 0 ? 64 : pool.capacity * 2;
  Job **ring = malloc(capacity * sizeof *ring);
  if (ring == NULL) return 0;
  for (size_t i = 0; i < pool.count; i++)
    ring[i] = pool.ring[(pool.first + i) & (pool.capacity - 1)];
  free(pool.ring);
  pool.ring = ring;
  pool.capacity = capacity;
  pool.first = 0;
  return 1;
}

static __attribute__((swiftcall)) void enqueue(Job *job, EnqueueGlobal original) {
  pthread_mutex_lock(&pool.lock);
  // An idle thread that has been woken but has not run yet still counts as idle: those in excess of
  // the jobs that wait are the ones to be had.
  if ((size_t)pool.idle <= pool.count && pool.threads < pool.width) start_thread();
  int accepted = pool.threads > 0 && (pool.count < pool.capacity || grow());
  if (accepted) {
    pool.ring[(pool.first + pool.count) & (pool.capacity - 1)] = job;
    pool.count++;
    pthread_cond_signal(&pool.work);
  }
  pthread_mutex_unlock(&pool.lock);
  if (!accepted) original(job);
}

void job_pool_install(int width) {
  pool.width = width < 1 ? 1 : width;
  swift_task_enqueueGlobal_hook = enqueue;
}

#else

void job_pool_install(int width) { (void)width; }

#endif
