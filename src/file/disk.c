// Whole files from the disk and onto it. Everything else in this folder works on bytes in memory;
// without_disk.c takes the place of this file where there is no disk.

// for realpath
#define _XOPEN_SOURCE 700

#include "base/memory.h"
#include "base/message.h"
#include "file/buffer.h"
#include "file/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Reading

static sinew_Status read_all(int descriptor, const char *path, char *data, size_t size,
    size_t *out_size, sinew_Message *out_message)
{
    size_t used = 0;
    while (used < size) {
        ssize_t count = read(descriptor, data + used, size - used);
        if (count < 0 && errno == EINTR) { continue; }
        if (count < 0) {
            return snw_fail(out_message, SINEW_STATUS_CANNOT_READ, "%s: cannot be read: %s", path,
                strerror(errno));
        }
        if (count == 0) { break; }
        used += (size_t)count;
    }
    *out_size = used;
    return SINEW_STATUS_OK;
}

static sinew_Status read_open_file(int descriptor, const char *path,
    const sinew_Allocator *allocator, char **out_data, size_t *out_size, size_t *out_capacity,
    sinew_Message *out_message)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return snw_fail(
            out_message, SINEW_STATUS_CANNOT_READ, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (S_ISDIR(about.st_mode)) {
        return snw_fail(
            out_message, SINEW_STATUS_CANNOT_READ, "%s: found a folder, expected a file", path);
    }
    if (!S_ISREG(about.st_mode)) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_READ,
            "%s: found a pipe or a device, expected a regular file", path);
    }
    if (about.st_size < 0 || (unsigned long long)about.st_size > SNW_MAX_FILE_SIZE) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_READ,
            "%s: found %g MiB, expected at most %z MiB", path, (double)about.st_size / 1048576.0,
            SNW_MAX_FILE_SIZE >> 20);
    }
    size_t capacity = (size_t)about.st_size + 1;
    char *data = snw_alloc(allocator, capacity);
    if (data == NULL) {
        return snw_fail(
            out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory for %z bytes", path, capacity);
    }
    sinew_Status status = read_all(descriptor, path, data, capacity - 1, out_size, out_message);
    if (status != SINEW_STATUS_OK) {
        snw_free(allocator, data, capacity);
        return status;
    }
    *out_data = data;
    *out_capacity = capacity;
    return SINEW_STATUS_OK;
}

sinew_Status snw_text_read_file(const char *path, const sinew_Allocator *allocator, char **out_data,
    size_t *out_size, size_t *out_capacity, sinew_Message *out_message)
{
    // not waiting, because opening a pipe that nobody writes to would hang
    int descriptor = open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_READ, "%s: cannot be opened: %s",
            path[0] != '\0' ? path : "a path without a name", strerror(errno));
    }
    sinew_Status status = read_open_file(
        descriptor, path, allocator, out_data, out_size, out_capacity, out_message);
    close(descriptor);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Writing

static sinew_Status fail_write(const char *path, sinew_Message *out_message)
{
    return snw_fail(
        out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s", path, strerror(errno));
}

static bool write_all(int descriptor, const char *data, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t count = write(descriptor, data + used, size - used);
        if (count < 0 && errno == EINTR) { continue; }
        if (count <= 0) { return false; }
        used += (size_t)count;
    }
    return true;
}

// a new file beside the path; its name goes to out_name
static int open_beside(const char *path, snw_Buffer *out_name)
{
    for (int attempt = 0; attempt < 1000; ++attempt) {
        char ending[48];
        snprintf(ending, sizeof ending, ".%ld.%d.tmp", (long)getpid(), attempt);
        out_name->size = 0;
        snw_buffer_add_text(out_name, path);
        if (!snw_buffer_add(out_name, ending, strlen(ending) + 1)) {
            errno = ENOMEM;
            return -1;
        }
        int descriptor = open(out_name->data, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0 || errno != EEXIST) { return descriptor; }
    }
    return -1;
}

// Before a new file takes the place of an old one, or a crash of the machine would leave neither. Some file
// systems know no such thing.
static bool reach_disk(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// all or nothing: a new file beside the old takes its place once it is complete
static sinew_Status replace_file(const char *path, const mode_t *mode, const snw_Buffer *content,
    snw_Buffer *temporary, sinew_Message *out_message)
{
    int descriptor = open_beside(path, temporary);
    if (descriptor < 0) { return fail_write(path, out_message); }
    bool written = (mode == NULL || fchmod(descriptor, *mode) == 0)
        && write_all(descriptor, content->data, content->size) && reach_disk(descriptor);
    int reason = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written && rename(temporary->data, path) != 0) {
        written = false;
        reason = errno;
    }
    if (written) { return SINEW_STATUS_OK; }
    unlink(temporary->data);
    errno = reason;
    return fail_write(path, out_message);
}

sinew_Status snw_file_save(const char *path, const snw_Buffer *content, sinew_Message *out_message)
{
    if (content->failed) {
        return snw_fail(
            out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory to write the file", path);
    }
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode)) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: found %s, expected a file",
            path, S_ISDIR(about.st_mode) ? "a folder" : "a pipe or a device");
    }
    // behind a link, the file it leads to is replaced
    char *real = exists ? realpath(path, NULL) : NULL;
    snw_Buffer temporary = snw_buffer_create(NULL);
    mode_t mode = exists ? about.st_mode & 07777 : 0;
    sinew_Status status = replace_file(
        real != NULL ? real : path, exists ? &mode : NULL, content, &temporary, out_message);
    snw_buffer_destroy(&temporary);
    free(real);
    return status;
}
