// Everything is inline in the header; a C target needs one file that is compiled.
#include "CByteScan.h"
