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
#include <sys/wait.h>
#include <unistd.h>

static char reply[8192];

// what comes back for a request on a connection of its own
static const char *ask(int port, const char *request)
{
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int to = socket(AF_INET, SOCK_STREAM, 0);
    TEST_TRUE(to >= 0 && connect(to, (const struct sockaddr *)&place, sizeof place) == 0);
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

    int ends[2];
    TEST_INT(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
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
    const int port = atoi(address + strlen("http://127.0.0.1:"));

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
    kill(child, SIGTERM);
    int status;
    TEST_TRUE(waitpid(child, &status, 0) == child);
    close(ends[0]);
}

TEST_MAIN(cmocka_unit_test(the_page_is_served_and_nothing_else))

#else

int main(void)
{
    puts("skipped: no command was built");
    return 0;
}

#endif
