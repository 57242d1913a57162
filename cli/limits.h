#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

// Roles and limits of a rig in words and as JSON.

#include "json.h"

#include "sinew/clip.h"
#include "sinew/rig.h"

#include <stddef.h>

/// Each writes to text and returns it.
const char *cli_role_text(const sinew_RigJoint *joint, char *text, size_t size);
const char *cli_kind_text(
    const sinew_Clip *source, const sinew_RigJoint *joint, char *text, size_t size);
const char *cli_swing_text(const sinew_RigJoint *joint, char *text, size_t size);
/// The same, and the ranges that the file has where the rig says nothing.
const char *cli_reach_text(
    const sinew_Clip *source, const sinew_RigJoint *joint, char *text, size_t size);
const char *cli_twist_text(const sinew_RigJoint *joint, char *text, size_t size);

/// "+Y", "-X", or the numbers of a skew direction. Static memory, good for the next 3 calls.
const char *cli_direction_name(sinew_Vec3 direction);

/// "roles": joint keys by role, lists where several have one. "limits": by joint key; ranges of hinges
/// in degrees, those of slides, lengths of the file, apart from them.
void cli_json_roles(cli_Json *out, const sinew_Rig *rig);
void cli_json_limits(cli_Json *out, const sinew_Clip *source, const sinew_Rig *rig);

#endif
