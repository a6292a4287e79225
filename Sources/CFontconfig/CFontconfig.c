#include "CFontconfig.h"
