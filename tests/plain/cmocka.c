#include "cmocka.h"

jmp_buf plain_leave;
const char *plain_filter;
