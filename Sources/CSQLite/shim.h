#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
/* Debian's library has the hook; its header names it only where this is defined. */
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#endif
