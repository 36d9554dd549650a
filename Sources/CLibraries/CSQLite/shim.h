#pragma once
#include <sqlite3.h>

#include "../library.h"

#define SQLITE_FUNCTIONS(EACH)                                                                  \
  EACH(sqlite3_libversion_number) EACH(sqlite3_open_v2) EACH(sqlite3_close_v2)                  \
  EACH(sqlite3_busy_timeout) EACH(sqlite3_errmsg) EACH(sqlite3_extended_errcode)                \
  EACH(sqlite3_extended_result_codes) EACH(sqlite3_exec) EACH(sqlite3_prepare_v3)               \
  EACH(sqlite3_finalize) EACH(sqlite3_step) EACH(sqlite3_reset) EACH(sqlite3_clear_bindings)    \
  EACH(sqlite3_bind_int64) EACH(sqlite3_bind_null) EACH(sqlite3_bind_text)                      \
  EACH(sqlite3_bind_blob) EACH(sqlite3_column_type) EACH(sqlite3_column_int64)                  \
  EACH(sqlite3_column_text) EACH(sqlite3_column_blob) EACH(sqlite3_column_bytes)                \
  EACH(sqlite3_changes) EACH(sqlite3_last_insert_rowid) EACH(sqlite3_get_autocommit)            \
  EACH(sqlite3_interrupt) EACH(sqlite3_backup_init) EACH(sqlite3_backup_step)                   \
  EACH(sqlite3_backup_finish) EACH(sqlite3_system_errno)

LIBRARY(SQLiteFunctions, sqlite_library, "libsqlite3.so.0", SQLITE_FUNCTIONS)

/// Tells SQLite to copy a value before a binding returns. The macro is a cast that Swift cannot
/// import.
static inline sqlite3_destructor_type _Nonnull sqlite_copied(void) { return SQLITE_TRANSIENT; }
