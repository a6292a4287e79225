// PCRE2 over 8-bit code units: the tokenizer matches UTF-8 bytes.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
