#pragma once
#include <zlib.h>

// zlib's way to begin is a macro, which Swift does not import. Without a zlib header (the window bits are negative), as in
// a zip file.
static inline int czlib_begin_deflate(z_stream *_Nonnull stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_begin_inflate(z_stream *_Nonnull stream) { return inflateInit2(stream, -MAX_WBITS); }
