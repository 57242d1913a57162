#include "serve.h"

#include "arguments.h"
#include "output.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

int cli_serve_listen(int port, int *out_port)
{
    const int listening = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof place;
    if (listening < 0 || setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0
        || bind(listening, (const struct sockaddr *)&place, sizeof place) != 0
        || listen(listening, 16) != 0
        || getsockname(listening, (struct sockaddr *)&place, &size) != 0) {
        cli_error("port %d: %s", port,
            errno == EADDRINUSE ? "in use, say another by --port" : strerror(errno));
        if (listening >= 0) { close(listening); }
        return -1;
    }
    *out_port = ntohs(place.sin_port);
    return listening;
}

static const char *type_of(const char *path)
{
    static const char *const types[][2] = { { ".html", "text/html; charset=utf-8" },
        { ".js", "text/javascript" }, { ".css", "text/css" }, { ".wasm", "application/wasm" },
        { ".svg", "image/svg+xml" } };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        if (cli_has_ending(path, types[i][0])) { return types[i][1]; }
    }
    return "application/octet-stream";
}

static void send_all(int to, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(to, data, size, 0);
        if (sent <= 0) { return; } // the browser went away
        data += sent;
        size -= (size_t)sent;
    }
}

static void send_refusal(int to, const char *status)
{
    char text[200];
    const int length = snprintf(text, sizeof text,
        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n%s\n", status, status);
    send_all(to, text, (size_t)length);
}

// The file of a request; NULL where there is none. Names of the page have letters, digits, - _ . and / alone,
// so nothing is decoded, and a step up is no name.
static FILE *open_asked(const char *folder, char *asked, char *path, size_t room)
{
    asked[strcspn(asked, "?# \r\n")] = '\0';
    const size_t plain = strspn(
        asked, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./");
    if (asked[0] != '/' || asked[plain] != '\0' || strstr(asked, "..") != NULL) { return NULL; }
    const bool is_folder = asked[strlen(asked) - 1] == '/';
    const int length = snprintf(path, room, "%s%s%s", folder, asked, is_folder ? "index.html" : "");
    struct stat known;
    if (length < 0 || (size_t)length >= room || stat(path, &known) != 0
        || !S_ISREG(known.st_mode)) {
        return NULL;
    }
    return fopen(path, "rb");
}

static void answer(int to, const char *folder)
{
    char request[4096], path[4096], head[400], block[65536 / 4];
    size_t used = 0;
    // up to the end of the first line, in which all is that counts here
    while (used < sizeof request - 1 && memchr(request, '\n', used) == NULL) {
        const ssize_t got = recv(to, request + used, sizeof request - 1 - used, 0);
        if (got <= 0) { return; }
        used += (size_t)got;
    }
    request[used] = '\0';
    const bool is_get = strncmp(request, "GET ", 4) == 0;
    if (!is_get && strncmp(request, "HEAD ", 5) != 0) {
        send_refusal(to, "405 Method Not Allowed");
        return;
    }
    FILE *file = open_asked(folder, request + (is_get ? 4 : 5), path, sizeof path);
    struct stat known;
    if (file == NULL || fstat(fileno(file), &known) != 0) {
        if (file != NULL) { fclose(file); }
        send_refusal(to, "404 Not Found");
        return;
    }
    // the last two let a page read a clock of microseconds
    const int length = snprintf(head, sizeof head,
        "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\nCache-Control: no-cache\r\n"
        "Connection: close\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        type_of(path), (long long)known.st_size);
    send_all(to, head, (size_t)length);
    for (size_t got; is_get && (got = fread(block, 1, sizeof block, file)) > 0;) {
        send_all(to, block, got);
    }
    fclose(file);
}

void cli_serve_folder(int listening, const char *folder)
{
    // a browser that goes away is no reason to end
    signal(SIGPIPE, SIG_IGN);
    const struct timeval patience = { 5, 0 };
    for (;;) {
        const int to = accept(listening, NULL, NULL);
        if (to < 0) {
            if (errno == EINTR || errno == ECONNABORTED) { continue; }
            return;
        }
        // one that opens a connection and is silent does not keep the others waiting for long
        (void)setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        (void)setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        answer(to, folder);
        close(to);
    }
}
