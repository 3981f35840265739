// The door to SQLite: its header, and inline functions for what Swift cannot import (macros and
// functions with variable arguments). No logic here; what the calls mean is in Sources/SQLiteStore.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#pragma once
#include <sqlite3.h>

// Binds bytes that stay where they are until the statement is reset.
static inline int shim_sqlite3_bind_blob_static(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 byteCount) {
    return sqlite3_bind_blob64(statement, index, bytes, byteCount, SQLITE_STATIC);
}

static inline int shim_sqlite3_bind_text_transient(
    sqlite3_stmt *statement, int index, const char *text, int byteCount) {
    return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}
