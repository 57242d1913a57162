#ifndef SNW_RIG_H
#define SNW_RIG_H

// What the files that make and use rigs share.

#include "sinew/rig.h"

#define SNW_DEGREE (SINEW_PI / 180.0)

/// Longest key that is looked at.
#define SNW_RIG_KEY_SIZE 512

/// Some bytes that live as long as the rig; NULL without memory.
void *snw_rig_take(sinew_Rig *rig, size_t count, size_t size);
const char *snw_rig_take_text(sinew_Rig *rig, const char *text);

/// Whether an axis of the joint before the given one is a ball; the joint's first ball, -1.
int snw_rig_ball_axis(const sinew_Skeleton *skeleton, int joint);

/// Exact only where it has to be: a bound in degrees as radians, infinities kept.
double snw_rig_radians(double degrees);

#endif
