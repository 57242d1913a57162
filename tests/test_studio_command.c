// `sinew studio`: a page on a port of this machine, and nothing but that.

#include "testing.h"

#ifdef SINEW_COMMAND

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char reply[8192];

static int reach(int port)
{
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    TEST_TRUE(to >= 0 && connect(to, (const struct sockaddr *)&place, sizeof place) == 0);
    return to;
}

// what comes back for a request on a connection of its own
static const char *ask(int port, const char *request)
{
    const int to = reach(port);
    TEST_TRUE(send(to, request, strlen(request), 0) == (ssize_t)strlen(request));
    shutdown(to, SHUT_WR);
    size_t used = 0;
    for (ssize_t got; used < sizeof reply - 1; used += (size_t)got) {
        got = recv(to, reply + used, sizeof reply - 1 - used, 0);
        if (got <= 0) { break; }
    }
    reply[used] = '\0';
    close(to);
    return reply;
}

static void write_page(const char *folder, const char *name, const char *text)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    TEST_TRUE(file != NULL && fputs(text, file) >= 0);
    fclose(file);
}

/// A studio that serves a folder, on a port of its own.
typedef struct Studio {
    pid_t process;
    int port, says;
} Studio;

static Studio start_studio(const char *folder)
{
    Studio studio;
    int ends[2];
    TEST_INT(pipe(ends), 0);
    studio.process = fork();
    if (studio.process == 0) {
        setenv("SINEW_STUDIO", folder, 1);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execl(SINEW_COMMAND, SINEW_COMMAND, "studio", "--port", "0", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    char line[256] = "";
    TEST_TRUE(read(ends[0], line, sizeof line - 1) > 0);
    const char *address = strstr(line, "http://127.0.0.1:");
    TEST_TRUE(address != NULL);
    studio.port = atoi(address + strlen("http://127.0.0.1:"));
    studio.says = ends[0];
    return studio;
}

static void end_studio(const Studio *studio)
{
    int status;
    kill(studio->process, SIGTERM);
    TEST_TRUE(waitpid(studio->process, &status, 0) == studio->process);
    close(studio->says);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Browsers open connections that they do not use yet, and a tab may stop reading: others are served meanwhile, and who is
// silent is let go.
static void a_connection_keeps_nobody_waiting(void **state)
{
    (void)state;
    enum { SILENT = 70, LARGE = 32 << 20 };
    char folder[1024], path[1100];
    snprintf(folder, sizeof folder, "%s", test_temp_path("busy"));
    mkdir(folder, 0777);
    write_page(folder, "index.html", "<p>here</p>");
    snprintf(path, sizeof path, "%s/large.wasm", folder);
    FILE *large = fopen(path, "wb");
    TEST_TRUE(large != NULL && ftruncate(fileno(large), LARGE) == 0);
    fclose(large);
    const Studio studio = start_studio(folder);

    // one asks for more than buffers hold and reads nothing, others say half a line or nothing
    int silent[SILENT];
    static const char large_line[] = "GET /large.wasm HTTP/1.1\r\n\r\n";
    for (int i = 0; i < SILENT / 2; ++i) {
        silent[i] = reach(studio.port);
        const char *said = i == 0 ? large_line : i % 2 == 0 ? "GET /in" : "";
        TEST_TRUE(send(silent[i], said, strlen(said), 0) == (ssize_t)strlen(said));
    }
    double start = seconds();
    for (int i = 0; i < 20; ++i) {
        TEST_TRUE(strstr(ask(studio.port, "GET / HTTP/1.1\r\n\r\n"), "<p>here</p>") != NULL);
    }
    TEST_TRUE(seconds() - start < 2.0);

    // more than there are places for: who comes last waits until the silent ones are let go
    for (int i = SILENT / 2; i < SILENT; ++i) { silent[i] = reach(studio.port); }
    start = seconds();
    TEST_TRUE(strstr(ask(studio.port, "GET / HTTP/1.1\r\n\r\n"), "<p>here</p>") != NULL);
    TEST_TRUE(seconds() - start < 8.0);
    const struct timeval patience = { 12, 0 };
    for (int i = 1; i < SILENT; ++i) {
        char byte;
        setsockopt(silent[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        TEST_INT(recv(silent[i], &byte, 1, 0), 0);
    }
    for (int i = 0; i < SILENT; ++i) { close(silent[i]); }

    // a whole large file arrives, also with a request that is longer than its first line
    const int to = reach(studio.port);
    static char more[60000];
    memset(more, 'x', sizeof more);
    TEST_TRUE(
        send(to, large_line, strlen(large_line) - 2, 0) > 0 && send(to, more, sizeof more, 0) > 0);
    size_t got = 0;
    for (ssize_t n; (n = recv(to, more, sizeof more, 0)) > 0;) { got += (size_t)n; }
    TEST_TRUE(got > LARGE && got < LARGE + 1000);
    close(to);
    end_studio(&studio);
}

static void the_page_is_served_and_nothing_else(void **state)
{
    (void)state;
    char folder[1024], secret[1024];
    snprintf(folder, sizeof folder, "%s", test_temp_path("page"));
    snprintf(secret, sizeof secret, "%s", test_temp_path("secret.txt"));
    mkdir(folder, 0777);
    write_page(folder, "index.html", "<p>here</p>");
    write_page(folder, "core.wasm", "bytes");
    FILE *hidden = fopen(secret, "wb");
    TEST_TRUE(hidden != NULL && fputs("secret", hidden) >= 0);
    fclose(hidden);

    const Studio studio = start_studio(folder);
    const int port = studio.port;
    TEST_TRUE(strstr(ask(port, "GET / HTTP/1.1\r\n\r\n"), "<p>here</p>") != NULL);
    TEST_TRUE(strstr(reply, "200 OK") != NULL && strstr(reply, "text/html") != NULL);
    ask(port, "GET /core.wasm?x=1#y HTTP/1.1\r\n\r\n");
    TEST_TRUE(strstr(reply, "application/wasm") != NULL && strstr(reply, "bytes") != NULL);
    ask(port, "HEAD /core.wasm HTTP/1.1\r\n\r\n");
    TEST_TRUE(strstr(reply, "Content-Length: 5") != NULL && strstr(reply, "\r\n\r\nbytes") == NULL);
    static const char *const refused[] = { "GET /../secret.txt HTTP/1.1\r\n\r\n",
        "GET /%2e%2e/secret.txt HTTP/1.1\r\n\r\n", "GET secret.txt HTTP/1.1\r\n\r\n",
        "GET /absent HTTP/1.1\r\n\r\n", "GET /./..//secret.txt HTTP/1.1\r\n\r\n",
        "GET  HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "\n", "GET" };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        ask(port, refused[i]);
        TEST_TRUE(strstr(reply, "200 OK") == NULL && strstr(reply, "secret\n") == NULL);
    }
    char *longest = malloc(20000);
    TEST_TRUE(longest != NULL);
    memset(longest, 'a', 19999);
    longest[19999] = '\0';
    memcpy(longest, "GET /", 5);
    ask(port, longest);
    free(longest);
    // and goes on
    TEST_TRUE(strstr(ask(port, "GET / HTTP/1.1\r\n\r\n"), "<p>here</p>") != NULL);
    end_studio(&studio);
}

TEST_MAIN(cmocka_unit_test(the_page_is_served_and_nothing_else),
    cmocka_unit_test(a_connection_keeps_nobody_waiting))

#else

int main(void)
{
    puts("skipped: no command was built");
    return 0;
}

#endif
