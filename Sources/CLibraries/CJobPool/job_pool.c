#include "CJobPool.h"

#include <CThreads.h>
#include <pthread.h>
#include <stdint.h>

// As swift/Runtime/Concurrency.h and swift/ABI/Executor.h declare them.
typedef struct Job {
  void *header[2];
  // For the scheduler's use: here, the next job in the queue.
  struct Job *next;
} Job;
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
  // `count` jobs wait, the oldest first; the next one is linked at `end`.
  Job *first, **end;
  int count, width, threads, idle;
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .end = &pool.first};

static void run(void *unused) {
  (void)unused;
  // No actor's: jobs here run on the generic executor.
  const SerialExecutorRef generic = {NULL, 0};
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.count == 0) {
      pool.idle++;
      pthread_cond_wait(&pool.work, &pool.lock);
      pool.idle--;
    }
    Job *job = pool.first;
    pool.first = job->next;
    if (--pool.count == 0) pool.end = &pool.first;
    pthread_mutex_unlock(&pool.lock);
    swift_job_run(job, generic);
    pthread_mutex_lock(&pool.lock);
  }
}

static __attribute__((swiftcall)) void enqueue(Job *job, EnqueueGlobal original) {
  pthread_mutex_lock(&pool.lock);
  // An idle thread that has been woken but has not run yet still counts as idle: only those in
  // excess of the waiting jobs are available.
  if (pool.idle <= pool.count && pool.threads < pool.width && own_thread_start(run, NULL, 0) == 0)
    pool.threads++;
  int accepted = pool.threads > 0;
  if (accepted) {
    job->next = NULL;
    *pool.end = job;
    pool.end = &job->next;
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
