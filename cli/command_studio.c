// `sinew studio`: the web page of the studio, from where it was installed.

#include "commands.h"
#include "json.h"
#include "output.h"
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PORT 8088

enum { PORT = 1, OPEN };

static const cli_Option own_options[] = {
    { PORT, "port", 'p', "N", "Where on 127.0.0.1; 0: any that is free (default 8088)" },
    { OPEN, "open", 0, NULL, "Open it in the browser (xdg-open)" },
    { 0, NULL, 0, NULL, NULL },
};

static bool has_page(const char *folder)
{
    char path[4200];
    struct stat known;
    const int length = snprintf(path, sizeof path, "%s/index.html", folder);
    return length > 0 && (size_t)length < sizeof path && stat(path, &known) == 0;
}

// where the page lies: said, beside the command that was installed, or in the sources
static bool find_page(char *folder, size_t room)
{
    const char *said = getenv("SINEW_STUDIO");
    if (said != NULL) {
        (void)snprintf(folder, room, "%s", said);
        return has_page(folder);
    }
    char self[4000];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        char *slash = strrchr(self, '/');
        if (slash != NULL) { *slash = '\0'; }
        (void)snprintf(folder, room, "%s/../share/sinew/studio", self);
        if (has_page(folder)) { return true; }
    }
    (void)snprintf(folder, room, "%s", SINEW_SOURCE_DIR "/studio/dist");
    return has_page(folder);
}

static void open_browser(const char *address)
{
    const pid_t child = fork();
    if (child != 0) { return; }
    (void)execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(1);
}

static int run(int argc, char **argv)
{
    cli_Parser parser;
    const char *value = NULL;
    long port = USUAL_PORT;
    bool opens = false;
    cli_parser_begin(&parser, &cli_command_studio, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (option->id == OPEN) { opens = true; }
        if (option->id == PORT && !cli_parse_whole("--port", value, 0, 65535, &port)) {
            cli_parser_fail(&parser);
        }
    }
    if (parser.leave) { return parser.exit_code; }

    char folder[4096], address[64];
    if (!find_page(folder, sizeof folder)) {
        return cli_error("the page is not here: ./run studio in the sources builds it, ./run "
                         "install then copies it; SINEW_STUDIO names its folder");
    }
    int taken;
    const int listening = cli_serve_listen((int)port, &taken);
    if (listening < 0) { return CLI_FAILED; }
    (void)snprintf(address, sizeof address, "http://127.0.0.1:%d/", taken);
    if (parser.json) {
        cli_Json out = cli_json_begin();
        cli_json_text(&out, "address", address);
        cli_json_end(&out);
    } else {
        cli_print("the studio: %s  (Ctrl+C ends it)\n", address);
    }
    fflush(stdout);
    if (opens) { open_browser(address); }
    cli_serve_folder(listening, folder);
    return cli_error("%s: no more connections can be taken", address);
}

const cli_Command cli_command_studio = {
    "studio",
    "Open the studio: the web page with everything live",
    "[OPTIONS]",
    "Serves the page that was installed, or built by ./run studio, to browsers of this machine.\n"
    "SINEW_STUDIO names another folder. docs/studio.md tells what is on it.\n",
    "  sinew studio\n"
    "  sinew studio --port 0 --open\n",
    { own_options, cli_common_options },
    0,
    0,
    run,
    false,
    NULL,
};
