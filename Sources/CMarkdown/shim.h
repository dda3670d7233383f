#pragma once
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <stdlib.h>
static inline int cmarkdown_attach(cmark_parser *_Nonnull p, const char *_Nonnull name) { cmark_syntax_extension *e = cmark_find_syntax_extension(name); return e && cmark_parser_attach_syntax_extension(p, e); }
