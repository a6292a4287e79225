// What FreeType's headers begin with; they lie behind the link beside this file.
#include <freetype/config/ftheader.h>
