#include "CEmbeddedFonts.h"
