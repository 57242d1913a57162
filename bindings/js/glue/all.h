// Every header whose structs, enums and functions JavaScript sees.

#include "sinew/sinew.h"

#include "sinew/file.h"
#include "sinew/gltf.h"
#include "sinew/keys_file.h"
#include "sinew/rig.h"
#include "sinew/rig_starts.h"
#include "sinew/steering_file.h"
#include "sinew/terrain_file.h"

#include "glue/character.h"
#include "glue/files.h"
#include "glue/glue.h"
#include "glue/scenes.h"
