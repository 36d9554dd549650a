// libcurl without linking it: the program starts without it and its two dozen dependencies, and
// opens it when something is fetched for the first time.
//
// 1. <curl/curl.h> gives types and constants only. Nobody calls the functions it declares: that
//    would link libcurl. They are called through `CurlFunctions`.
// 2. Wrapped here is only what Swift cannot call: functions with variable arguments, which Swift
//    does not import, constants that newer headers deprecate, and an address that is longer than
//    its type.
// 3. Calls stand between `curl_work_begin` and `curl_work_end`, but for `multi_poll` and
//    `multi_wakeup`, so that the process can end while a thread transfers.
#pragma once
#include <curl/curl.h>

// Headers older than 7.78 lack it, and libraries as old ignore it.
#ifndef CURLU_ALLOW_SPACE
#define CURLU_ALLOW_SPACE (1 << 11)
#endif

// Headers older than 7.88 lack it, and libraries as old ignore it.
#ifndef CURLU_PUNYCODE
#define CURLU_PUNYCODE (1 << 12)
#endif

// Headers older than 8.6 lack its name: something was longer than the library takes.
static const CURLcode curl_too_large = (CURLcode)100;

// An enumerator in older headers, a macro since 8.16: Swift takes them for different types.
static const long curl_netrc_ignored = CURL_NETRC_IGNORED;

// The functions used, without `curl_`: with it, some of them are names of macros.
#define CURL_FUNCTIONS(EACH)                                                                     \
  EACH(easy_init) EACH(easy_cleanup) EACH(easy_setopt) EACH(easy_getinfo) EACH(easy_pause)       \
  EACH(easy_strerror) EACH(multi_init) EACH(multi_cleanup) EACH(multi_setopt)                    \
  EACH(multi_add_handle) EACH(multi_remove_handle) EACH(multi_perform) EACH(multi_info_read)     \
  EACH(multi_poll) EACH(multi_wakeup) EACH(slist_append) EACH(slist_free_all) EACH(url)          \
  EACH(url_cleanup) EACH(url_set) EACH(url_get) EACH(free)
#define CURL_FIELD(name) __typeof__(curl_##name) *_Nonnull name;

// Immutable once opened, and the library is never closed.
typedef struct __attribute__((swift_attr("@Sendable"))) CurlFunctions {
  CURL_FUNCTIONS(CURL_FIELD)
} CurlFunctions;

typedef enum CurlOpening {
  curl_opened,
  // No library of that name.
  curl_absent,
  // It lacks a function: older than 7.68.
  curl_too_old,
  // It is there and could not be set up.
  curl_broken,
} CurlOpening;

// Opens the library of that name and sets it up. May be called again, by any thread.
CurlOpening curl_open(const char *_Nonnull name, CurlFunctions *_Nonnull functions);

// What stands between these is done before the process runs its exit handlers, or not begun: those
// of the TLS library take away what transfers use. Other threads are not kept waiting.
void curl_work_begin(void);
void curl_work_end(void);

// Variable arguments, one function for each type of the last.
CURLcode curl_set_long(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                       CURLoption option, long value);
CURLcode curl_set_string(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                         CURLoption option, const char *_Nonnull value);
CURLcode curl_set_pointer(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                          CURLoption option, void *_Nullable value);
CURLcode curl_set_callback(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                           CURLoption option, curl_write_callback _Nonnull callback);
CURLMcode curl_multi_set_long(const CurlFunctions *_Nonnull functions, CURLM *_Nonnull multi,
                              CURLMoption option, long value);
long curl_get_long(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle, CURLINFO info);
// Lives as long as the handle.
const char *_Nullable curl_get_string(const CurlFunctions *_Nonnull functions,
                                      CURL *_Nonnull handle, CURLINFO info);
// Belongs to the caller, who frees it.
struct curl_slist *_Nullable curl_get_list(const CurlFunctions *_Nonnull functions,
                                           CURL *_Nonnull handle, CURLINFO info);
// What `CURLOPT_PRIVATE` set.
void *_Nullable curl_get_private(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle);

// Who opens the sockets of a transfer, and so sees each address before it is connected to.
CURLcode curl_set_socket_opening(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                                 curl_opensocket_callback _Nonnull callback,
                                 void *_Nullable context);
// What libcurl itself would open.
curl_socket_t curl_open_socket(const struct curl_sockaddr *_Nonnull address);
// The address in network order: 4 or 16 bytes, 0 of any other family. Swift sees the first 16 bytes
// of the structure alone.
size_t curl_address_bytes(const struct curl_sockaddr *_Nonnull address,
                          unsigned char bytes[_Nonnull 16]);

// http and https only. By the options that take names, or where the library or the header is older
// than 7.85 by those that take bits.
CURLcode curl_allow_web_only(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle);
