#include "pictures/plot.h"
#include "pictures/world.h"

#include "base/message.h"

#include <math.h>
#include <stdlib.h>

struct picture_Screen {
    snw_World world;
    snw_Body body;
    snw_Character character;
    uint32_t *pixels;
    int width, height;
};

picture_ScreenDef picture_screen_def_default(void)
{
    picture_ScreenDef def = { 0 };
    def.width = 640;
    def.height = 480;
    return def;
}

sinew_Status picture_screen_create(
    const picture_ScreenDef *def, picture_Screen **out_screen, sinew_Message *out_message)
{
    *out_screen = NULL;
    if (!def->skeleton) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "a screen needs a skeleton");
    }
    sinew_Status status = snw_size_check(def->width, def->height, 64, 4096, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    picture_Screen *screen = calloc(1, sizeof *screen);
    snw_WorldDef world = { 0 };
    world.terrain = def->terrain;
    world.width = def->width;
    world.height = def->height;
    world.samples = 1;
    world.plain = true;
    if (screen) {
        screen->width = def->width;
        screen->height = def->height;
        screen->pixels = calloc((size_t)def->width * (size_t)def->height, sizeof *screen->pixels);
    }
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    if (!screen || !screen->pixels || !snw_world_create(&world, &screen->world)
        || !snw_body_create(def->skeleton, up, NULL, &screen->body)
        || !snw_character_create(&screen->body, NULL, def->stick ? SNW_FORM_STICK : SNW_FORM_SOLID,
            NULL, &screen->character)) {
        picture_screen_destroy(screen);
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for the screen");
    }
    *out_screen = screen;
    return SINEW_STATUS_OK;
}

void picture_screen_destroy(picture_Screen *screen)
{
    if (!screen) { return; }
    snw_world_destroy(&screen->world);
    snw_character_destroy(&screen->character);
    snw_body_destroy(&screen->body);
    free(screen->pixels);
    free(screen);
}

sinew_Status picture_screen_draw(picture_Screen *screen, const double *q)
{
    snw_World *world = &screen->world;
    // the camera keeps its place beside the root
    snw_character_pose(&screen->character, q);
    const sinew_Vec3 root = screen->character.world_from_joint[0].position;
    snw_Camera camera = snw_camera_look(root, sinew_vec3(-0.80, 0.34, 0.52), 5.0);
    camera.focal = 1.55 * screen->height;
    camera.center_x = 0.5 * screen->width;
    camera.center_y = 0.5 * screen->height;
    snw_world_begin(world, &camera);
    snw_world_draw_land(world, root, 0.0, true);
    snw_world_draw_figure(world, &screen->character);
    const bool done = snw_world_finish(
        world, (unsigned char *)screen->pixels, (int)sizeof(uint32_t) * screen->width);
    return done ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY;
}

const uint32_t *picture_screen_pixels(const picture_Screen *screen)
{
    return screen->pixels;
}

int picture_screen_triangle_count(const picture_Screen *screen)
{
    return screen->character.skin.triangle_count + screen->world.land.patch.triangle_count;
}
