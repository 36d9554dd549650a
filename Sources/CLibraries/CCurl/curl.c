#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// Held shared by transferring threads, and exclusively at the end of the process.
static pthread_rwlock_t work = PTHREAD_RWLOCK_INITIALIZER;

void curl_work_begin(void) { pthread_rwlock_rdlock(&work); }
void curl_work_end(void) { pthread_rwlock_unlock(&work); }

// Never unlocked: transferring threads wait until the process has exited. Gives up after 200 ms;
// only a host name lookup that blocks its thread holds the lock that long.
static void stop_work(void) {
  for (int tries = 0; tries < 200 && pthread_rwlock_trywrlock(&work) != 0; tries++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

#define CURL_FIND(name) \
  if ((*(void **)&functions->name = dlsym(library, "curl_" #name)) == NULL) return false;

static bool find_functions(void *library, CurlFunctions *functions) {
  CURL_FUNCTIONS(CURL_FIND)
  return true;
}

static CurlOpening open_library(const char *name, CurlFunctions *functions) {
  // Lazy: the functions of its dependencies are bound when they are called. Local: no symbol of it
  // or of its dependencies replaces another.
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return curl_absent;
  __typeof__(curl_global_init) *global_init = dlsym(library, "curl_global_init");
  if (!global_init || !find_functions(library, functions)) {
    dlclose(library);
    return curl_too_old;
  }
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return curl_broken;
  // Exit handlers run in reverse order: this one before those that the TLS library has just
  // registered.
  static int is_registered = 0;
  if (!is_registered) is_registered = atexit(stop_work) == 0;
  return curl_opened;
}

CurlOpening curl_open(const char *name, CurlFunctions *functions) {
  pthread_mutex_lock(&opening);
  CurlOpening result = open_library(name, functions);
  pthread_mutex_unlock(&opening);
  return result;
}

CURLcode curl_set_long(const CurlFunctions *functions, CURL *handle, CURLoption option,
                       long value) {
  return functions->easy_setopt(handle, option, value);
}

CURLcode curl_set_string(const CurlFunctions *functions, CURL *handle, CURLoption option,
                         const char *value) {
  return functions->easy_setopt(handle, option, value);
}

CURLcode curl_set_pointer(const CurlFunctions *functions, CURL *handle, CURLoption option,
                          void *value) {
  return functions->easy_setopt(handle, option, value);
}

CURLcode curl_set_callback(const CurlFunctions *functions, CURL *handle, CURLoption option,
                           curl_write_callback callback) {
  return functions->easy_setopt(handle, option, callback);
}

CURLMcode curl_multi_set_long(const CurlFunctions *functions, CURLM *multi, CURLMoption option,
                              long value) {
  return functions->multi_setopt(multi, option, value);
}

long curl_get_long(const CurlFunctions *functions, CURL *handle, CURLINFO info) {
  long value = 0;
  return functions->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

const char *curl_get_string(const CurlFunctions *functions, CURL *handle, CURLINFO info) {
  char *value = NULL;
  return functions->easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

struct curl_slist *curl_get_list(const CurlFunctions *functions, CURL *handle, CURLINFO info) {
  struct curl_slist *value = NULL;
  return functions->easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

void *curl_get_private(const CurlFunctions *functions, CURL *handle) {
  void *value = NULL;
  return functions->easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

CURLcode curl_set_socket_opening(const CurlFunctions *functions, CURL *handle,
                                 curl_opensocket_callback callback, void *context) {
  CURLcode code = functions->easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  if (code != CURLE_OK) return code;
  return functions->easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

curl_socket_t curl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  return socket(address->family, address->socktype, address->protocol);
#endif
}

size_t curl_address_bytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
  // libcurl stores the whole address here, even if its field is declared shorter.
  const struct sockaddr *place = &address->addr;
  switch (place->sa_family) {
  case AF_INET:
    memcpy(bytes, &((const struct sockaddr_in *)(const void *)place)->sin_addr, 4);
    return 4;
  case AF_INET6:
    memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)place)->sin6_addr, 16);
    return 16;
  default:
    return 0;
  }
}

CURLcode curl_allow_web_only(const CurlFunctions *functions, CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode named = functions->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  if (named == CURLE_OK) {
    named = functions->easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  }
  // Only a library older than the header of this build rejects the options as unknown.
  if (named != CURLE_UNKNOWN_OPTION) return named;
#endif
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  const long web = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = functions->easy_setopt(handle, CURLOPT_PROTOCOLS, web);
  if (code != CURLE_OK) return code;
  return functions->easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, web);
#pragma clang diagnostic pop
}
