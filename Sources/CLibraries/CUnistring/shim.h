#pragma once
#include <unicase.h>
#include <unictype.h>
#include <unilbrk.h>
#include <uninorm.h>
#include <uniwidth.h>
#include <wchar.h>

// <wchar.h> declares wcwidth only under _XOPEN_SOURCE, which Swift's import of the C library does
// not set. It is declared here because the width table uses it beside libunistring.
extern int wcwidth(wchar_t);

// The normal forms are macros for addresses of objects of an incomplete type.
static inline uninorm_t uninorm_compatibility_decomposition(void) { return UNINORM_NFKD; }
