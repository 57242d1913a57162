#include "serve.h"

#include "arguments.h"
#include "output.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
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

// ---------------------------------------------------------------------------------------------
// One connection: a request comes in, an answer goes out, and what else the browser says is heard until it hangs up

enum { MOST_CLIENTS = 64, PATIENCE_MS = 5000 };

typedef enum Phase { FREE, ASKED, ANSWERED, PARTING } Phase;

typedef struct Client {
    Phase phase;
    int socket;
    int64_t
        deadline; ///< ms; the whole request has come by then, or some more of the answer was taken
    char request[4096];
    size_t used;
    FILE *file; ///< what follows the block; NULL: nothing
    char block[16384];
    size_t sent, filled; ///< of the block
} Client;

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void hang_up(Client *client)
{
    if (client->file != NULL) { fclose(client->file); }
    close(client->socket);
    client->file = NULL;
    client->phase = FREE;
}

static void refuse(Client *client, const char *status)
{
    const int length = snprintf(client->block, sizeof client->block,
        "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n%s\n", status, status);
    client->filled = (size_t)length;
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

/// Put the head of the answer into the block, with the file that follows.
static void answer(Client *client, const char *folder)
{
    char path[4096];
    struct stat known;
    client->request[client->used] = '\0';
    client->phase = ANSWERED;
    client->sent = 0;
    const bool is_get = strncmp(client->request, "GET ", 4) == 0;
    if (!is_get && strncmp(client->request, "HEAD ", 5) != 0) {
        refuse(client, "405 Method Not Allowed");
        return;
    }
    client->file = open_asked(folder, client->request + (is_get ? 4 : 5), path, sizeof path);
    if (client->file == NULL || fstat(fileno(client->file), &known) != 0) {
        if (client->file != NULL) { fclose(client->file); }
        client->file = NULL;
        refuse(client, "404 Not Found");
        return;
    }
    // the last two let a page read a clock of microseconds
    const int length = snprintf(client->block, sizeof client->block,
        "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %lld\r\nCache-Control: no-cache\r\n"
        "Connection: close\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        type_of(path), (long long)known.st_size);
    client->filled = (size_t)length;
    if (!is_get) {
        fclose(client->file);
        client->file = NULL;
    }
}

// up to the end of the first line, in which all is that counts here
static void hear(Client *client, const char *folder)
{
    const size_t room = sizeof client->request - 1 - client->used;
    const ssize_t got = recv(client->socket, client->request + client->used, room, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) { return; }
    if (got <= 0) {
        hang_up(client);
        return;
    }
    const bool is_whole = memchr(client->request + client->used, '\n', (size_t)got) != NULL;
    client->used += (size_t)got;
    if (is_whole || client->used == sizeof client->request - 1) { answer(client, folder); }
}

static void send_more(Client *client)
{
    if (client->sent == client->filled) {
        client->sent = 0;
        client->filled = client->file != NULL
            ? fread(client->block, 1, sizeof client->block, client->file)
            : 0;
    }
    if (client->filled == 0) {
        // to close while it still speaks would take from it what it has not read yet
        shutdown(client->socket, SHUT_WR);
        client->phase = PARTING;
        return;
    }
    const ssize_t sent = send(
        client->socket, client->block + client->sent, client->filled - client->sent, MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) { return; }
    if (sent <= 0) {
        hang_up(client); // the browser went away
        return;
    }
    client->sent += (size_t)sent;
    client->deadline = now_ms() + PATIENCE_MS;
}

static void hear_out(Client *client)
{
    char rest[4096];
    const ssize_t got = recv(client->socket, rest, sizeof rest, MSG_DONTWAIT);
    const bool is_there = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (!is_there) { hang_up(client); }
}

// ---------------------------------------------------------------------------------------------
// All of them

/// False when no more connections can be taken at all.
static bool take_client(int listening, Client *clients)
{
    Client *client = clients;
    while (client->phase != FREE) { ++client; }
    const int taken = accept(listening, NULL, NULL);
    if (taken < 0) {
        const bool is_short = errno == EMFILE || errno == ENFILE;
        const bool is_gone = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
        // who asks stays in line until a file is free again
        if (is_short) { poll(NULL, 0, 100); }
        return is_short || is_gone;
    }
    client->phase = ASKED;
    client->socket = taken;
    client->used = 0;
    client->deadline = now_ms() + PATIENCE_MS;
    return true;
}

/// What to wait for: a place that is free is none that is waited for. Returns until when, ms, -1: for ever.
static int list_events(int listening, const Client *clients, struct pollfd *out_events)
{
    const int64_t now = now_ms();
    int64_t wait = -1;
    bool has_room = false;
    for (int i = 0; i < MOST_CLIENTS; ++i) {
        const Client *client = &clients[i];
        const bool is_free = client->phase == FREE;
        has_room = has_room || is_free;
        out_events[i].fd = is_free ? -1 : client->socket;
        out_events[i].events = client->phase == ANSWERED ? POLLOUT : POLLIN;
        if (is_free) { continue; }
        const int64_t left = client->deadline > now ? client->deadline - now : 0;
        if (wait < 0 || left < wait) { wait = left; }
    }
    out_events[MOST_CLIENTS].fd = has_room ? listening : -1;
    out_events[MOST_CLIENTS].events = POLLIN;
    return (int)wait;
}

void cli_serve_folder(int listening, const char *folder)
{
    struct pollfd events[MOST_CLIENTS + 1];
    Client *clients = calloc(MOST_CLIENTS, sizeof *clients);
    bool goes_on = clients != NULL && fcntl(listening, F_SETFL, O_NONBLOCK) == 0;
    while (goes_on) {
        const int wait = list_events(listening, clients, events);
        if (poll(events, MOST_CLIENTS + 1, wait) < 0 && errno != EINTR) { break; }
        const int64_t now = now_ms();
        for (int i = 0; i < MOST_CLIENTS; ++i) {
            Client *client = &clients[i];
            const bool is_ready = events[i].fd >= 0 && events[i].revents != 0;
            if (is_ready && client->phase == ASKED) {
                hear(client, folder);
            } else if (is_ready && client->phase == ANSWERED) {
                send_more(client);
            } else if (is_ready && client->phase == PARTING) {
                hear_out(client);
            }
            if (client->phase != FREE && client->deadline <= now) { hang_up(client); }
        }
        if (events[MOST_CLIENTS].fd >= 0 && events[MOST_CLIENTS].revents != 0) {
            goes_on = take_client(listening, clients);
        }
    }
    for (int i = 0; clients != NULL && i < MOST_CLIENTS; ++i) {
        if (clients[i].phase != FREE) { hang_up(&clients[i]); }
    }
    free(clients);
}
