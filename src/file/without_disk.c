// In place of disk.c where there is no disk, as in a web page: files are read from memory and written to it.

#include "base/message.h"
#include "file/buffer.h"
#include "file/text.h"

sinew_Status snw_text_read_file(const char *path, const sinew_Allocator *allocator, char **out_data,
    size_t *out_size, size_t *out_capacity, sinew_Message *out_message)
{
    (void)allocator;
    *out_data = NULL;
    *out_size = *out_capacity = 0;
    return snw_fail(out_message, SINEW_STATUS_CANNOT_READ,
        "%s: there is no disk here, read its bytes from memory", path);
}

sinew_Status snw_file_save(const char *path, const snw_Buffer *content, sinew_Message *out_message)
{
    (void)content;
    return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE,
        "%s: there is no disk here, write into memory", path);
}
