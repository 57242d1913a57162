#ifndef SNW_CONTACT_H
#define SNW_CONTACT_H

// Contacts of one point whose places are known, wherever they come from.

#include "sinew/contact.h"

typedef struct snw_ContactTrack {
    const sinew_Vec3 *places; ///< (end)
    int first, end;           ///< frames that count
    double frame_time, leg;
} snw_ContactTrack;

/// Speeds over half_window before and after, legs per second. (end)
void snw_contact_speeds(const snw_ContactTrack *track, double half_window, double *out_speeds);

/// When the point touches; heights and floor in legs. (end)
void snw_contact_frames(const snw_ContactTrack *track, const sinew_ContactSettings *settings,
    const double *speeds, const double *heights, double floor, bool *out_touching);

/// Whether all poses of a motion are poses of the skeleton; the message tells the frame.
sinew_Status snw_motion_check(
    const sinew_Skeleton *skeleton, const sinew_PoseList *motion, sinew_Message *out_message);

#endif
