// libcurl without linking it: the program starts without it and its two dozen dependencies, and
// opens it for the first fetch.
//
// 1. <curl/curl.h> provides types and constants only. The functions that it declares must not be
//    called, as that would link libcurl; they are called through `CurlFunctions`.
// 2. Only features that Swift cannot use are wrapped: functions with variable arguments, which it
//    does not import, constants that newer headers deprecate, and an address that is longer than
//    its type.
// 3. Calls stand between `curl_work_begin` and `curl_work_end`, except `multi_poll` and
//    `multi_wakeup`, so that the process can end while a thread transfers.
#pragma once
#include <curl/curl.h>

// Missing in headers before 7.78; libraries of that age ignore it.
#ifndef CURLU_ALLOW_SPACE
#define CURLU_ALLOW_SPACE (1 << 11)
#endif

// Missing in headers before 7.88; libraries of that age ignore it.
#ifndef CURLU_PUNYCODE
#define CURLU_PUNYCODE (1 << 12)
#endif

// Headers before 8.6 lack its name: a value was longer than the library accepts.
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
  // There is no library of that name.
  curl_absent,
  // The library lacks a function: it is older than 7.68.
  curl_too_old,
  // The library could not be set up.
  curl_broken,
} CurlOpening;

// Opens the library `name` and sets it up. May be called again, by any thread.
CurlOpening curl_open(const char *_Nonnull name, CurlFunctions *_Nonnull functions);

// Work between these calls is finished before the process runs its exit handlers, or not begun: the
// handlers of the TLS library remove data that transfers use. The calls do not block other threads.
void curl_work_begin(void);
void curl_work_end(void);

// Functions with variable arguments, one for each type of the last argument.
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
// Valid as long as the handle.
const char *_Nullable curl_get_string(const CurlFunctions *_Nonnull functions,
                                      CURL *_Nonnull handle, CURLINFO info);
// Owned by the caller, who frees it.
struct curl_slist *_Nullable curl_get_list(const CurlFunctions *_Nonnull functions,
                                           CURL *_Nonnull handle, CURLINFO info);
// The value of `CURLOPT_PRIVATE`.
void *_Nullable curl_get_private(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle);

// Sets the function that opens the sockets of a transfer, and so sees each address before it is
// connected to.
CURLcode curl_set_socket_opening(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle,
                                 curl_opensocket_callback _Nonnull callback,
                                 void *_Nullable context);
// The socket that libcurl itself would open.
curl_socket_t curl_open_socket(const struct curl_sockaddr *_Nonnull address);
// Copies the address in network order and returns its length: 4 or 16 bytes, 0 for any other
// family. Swift sees only the first 16 bytes of the structure.
size_t curl_address_bytes(const struct curl_sockaddr *_Nonnull address,
                          unsigned char bytes[_Nonnull 16]);

// Allows http and https only: by the options that take names, or, if the library or the header is
// older than 7.85, by those that take bits.
CURLcode curl_allow_web_only(const CurlFunctions *_Nonnull functions, CURL *_Nonnull handle);
