#include "body/human.h"

#include "math/holds.h"

// A file bends its few joints of a spine as it likes, people some of two dozen vertebrae: no joint takes
// more than so often its share.
#define SHARE_SLACK 2.0

// Where files carry a turn in one joint or the next (pronation in elbow or wrist, the shin's turn in knee or
// ankle), both have all of it.

// clang-format off
#define PLAIN { 0.0, 0.0 }

// Extension: lumbar and thoracic together.
static const snw_HumanJoint spine = { SINEW_ROLE_SPINE, SNW_HUMAN_LOOP,
    SNW_WAY_KEEP, SNW_WAY_OUT, SNW_WAY_FORWARD, 8,
    { { 0, 35 }, { 45, 48 }, { 90, 75 }, { 135, 48 }, { 180, 35 }, { 225, 41 }, { 270, 50 }, { 315, 41 } },
    PLAIN, 0, 0, 0, -45, 45 };

static const snw_HumanJoint neck = { SINEW_ROLE_NECK, SNW_HUMAN_LOOP,
    SNW_WAY_KEEP, SNW_WAY_OUT, SNW_WAY_FORWARD, 8,
    { { 0, 49 }, { 45, 55 }, { 90, 64 }, { 135, 55 }, { 180, 49 }, { 225, 54 }, { 270, 63 }, { 315, 54 } },
    PLAIN, 0, 0, 0, -80, 80 };

// Elevation 48, depression 15 and 10 that a T-pose raises it, backwards rotation 50.
static const snw_HumanJoint clavicle = { SINEW_ROLE_CLAVICLE, SNW_HUMAN_LOOP,
    SNW_WAY_KEEP, SNW_WAY_UP, SNW_WAY_FORWARD, 8,
    { { 0, 48 }, { 45, 38 }, { 90, 30 }, { 135, 27 }, { 180, 25 }, { 225, 27 }, { 270, 30 }, { 315, 38 } },
    PLAIN, 0, 0, 0, -50, 30 };

static const snw_HumanJoint upperarm = { SINEW_ROLE_UPPERARM, SNW_HUMAN_LOOP,
    SNW_WAY_DOWN, SNW_WAY_OUT, SNW_WAY_FORWARD, 12,
    { { 0, 175 }, { 30, 175 }, { 60, 172 }, { 90, 170 }, { 120, 130 }, { 150, 75 }, { 180, 45 },
      { 210, 30 }, { 240, 40 }, { 270, 60 }, { 300, 80 }, { 330, 130 } },
    { 45, 80 }, 0, 0, 0, -95, 70 };

// Two thirds of the arm's elevation and 15 degrees, as clavicles of files do not always take their third.
static const snw_HumanJoint upperarm_with_clavicle = { SINEW_ROLE_UPPERARM, SNW_HUMAN_LOOP,
    SNW_WAY_DOWN, SNW_WAY_OUT, SNW_WAY_FORWARD, 12,
    { { 0, 135 }, { 30, 137 }, { 60, 137 }, { 90, 135 }, { 120, 112 }, { 150, 70 }, { 180, 38 },
      { 210, 28 }, { 240, 43 }, { 270, 58 }, { 300, 75 }, { 330, 110 } },
    { 45, 50 }, 0, 0, 0, -103, 78 };

// 15 to the side is the carrying angle of a straight arm.
static const snw_HumanJoint forearm = { SINEW_ROLE_FOREARM, SNW_HUMAN_BAND,
    SNW_WAY_DOWN, SNW_WAY_FORWARD, SNW_WAY_IN, 0, { PLAIN }, PLAIN, 0, 150, 15, -90, 86 };

// files turn the hand where people turn the forearm, so the hand has all of that
static const snw_HumanJoint hand = { SINEW_ROLE_HAND, SNW_HUMAN_LOOP,
    SNW_WAY_DOWN, SNW_WAY_FORWARD, SNW_WAY_IN, 8,
    { { 0, 29 }, { 45, 45 }, { 90, 88 }, { 135, 58 }, { 180, 43 }, { 225, 57 }, { 270, 87 }, { 315, 45 } },
    PLAIN, 0, 0, 0, -90, 86 };

static const snw_HumanJoint thigh = { SINEW_ROLE_THIGH, SNW_HUMAN_LOOP,
    SNW_WAY_DOWN, SNW_WAY_OUT, SNW_WAY_FORWARD, 12,
    { { 0, 64 }, { 30, 95 }, { 60, 135 }, { 90, 147 }, { 120, 100 }, { 150, 52 }, { 180, 37 },
      { 210, 28 }, { 240, 28 }, { 270, 35 }, { 300, 42 }, { 330, 54 } },
    { 75, 40 }, 0, 0, 0, -55, 55 };

static const snw_HumanJoint shin = { SINEW_ROLE_SHIN, SNW_HUMAN_BAND,
    SNW_WAY_DOWN, SNW_WAY_BACK, SNW_WAY_OUT, 0, { PLAIN }, PLAIN, 0, 157, 7, -40, 30 };

// Dorsiflexion is that of a foot that carries the body, twice that of one in the air; turns to the sides are
// those of the foot and of the shin; inversion 35 and eversion 25 turn it about its length.
static const snw_HumanJoint foot = { SINEW_ROLE_FOOT, SNW_HUMAN_LOOP,
    SNW_WAY_KEEP, SNW_WAY_OUT, SNW_WAY_DOWN, 8,
    { { 0, 40 }, { 45, 50 }, { 90, 66 }, { 135, 53 }, { 180, 45 }, { 225, 45 }, { 270, 45 }, { 315, 43 } },
    PLAIN, 0, 0, 0, -40, 25 };

static const snw_HumanJoint toe = { SINEW_ROLE_TOE, SNW_HUMAN_BAND,
    SNW_WAY_KEEP, SNW_WAY_UP, SNW_WAY_IN, 0, { PLAIN }, PLAIN, -45, 80, 5, -15, 15 };

static const snw_HumanJoint finger[4] = {
    { SINEW_ROLE_INDEX, SNW_HUMAN_BAND, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD,
      0, { PLAIN }, PLAIN, 0, 10, 0, -5, 5 },
    { SINEW_ROLE_INDEX, SNW_HUMAN_BAND, SNW_WAY_DOWN, SNW_WAY_IN, SNW_WAY_FORWARD,
      0, { PLAIN }, PLAIN, -45, 90, 20, -10, 10 },
    { SINEW_ROLE_INDEX, SNW_HUMAN_BAND, SNW_WAY_DOWN, SNW_WAY_IN, SNW_WAY_FORWARD,
      0, { PLAIN }, PLAIN, 0, 105, 0, -5, 5 },
    { SINEW_ROLE_INDEX, SNW_HUMAN_BAND, SNW_WAY_DOWN, SNW_WAY_IN, SNW_WAY_FORWARD,
      0, { PLAIN }, PLAIN, 0, 85, 0, -5, 5 },
};

// the thumb lies anyhow in rest poses, so it counts from there; its saddle joint goes round, and
// where its twist counts from is anybody's guess
static const snw_HumanJoint thumb[5] = {
    { SINEW_ROLE_THUMB, SNW_HUMAN_LOOP, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD, 4,
      { { 0, 35 }, { 90, 35 }, { 180, 35 }, { 270, 35 } }, PLAIN, 0, 0, 0, -30, 30 },
    { SINEW_ROLE_THUMB, SNW_HUMAN_LOOP, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD, 4,
      { { 0, 60 }, { 90, 60 }, { 180, 60 }, { 270, 60 } }, PLAIN, 0, 0, 0, -180, 180 },
    { SINEW_ROLE_THUMB, SNW_HUMAN_LOOP, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD, 4,
      { { 0, 50 }, { 90, 50 }, { 180, 50 }, { 270, 50 } }, PLAIN, 0, 0, 0, 0, 0 },
    { SINEW_ROLE_THUMB, SNW_HUMAN_LOOP, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD, 4,
      { { 0, 80 }, { 90, 80 }, { 180, 80 }, { 270, 80 } }, PLAIN, 0, 0, 0, 0, 0 },
    // one joint for the whole thumb
    { SINEW_ROLE_THUMB, SNW_HUMAN_LOOP, SNW_WAY_KEEP, SNW_WAY_IN, SNW_WAY_FORWARD, 4,
      { { 0, 80 }, { 90, 80 }, { 180, 80 }, { 270, 80 } }, PLAIN, 0, 0, 0, -180, 180 },
};
// clang-format on

const snw_HumanJoint *snw_human_joint(sinew_Role role, int number, bool has_clavicle)
{
    int segment = number < 0 ? 0 : (number > 3 ? 3 : number);
    switch (role) {
    case SINEW_ROLE_SPINE:
    case SINEW_ROLE_CHEST: return &spine;
    case SINEW_ROLE_NECK:
    case SINEW_ROLE_HEAD: return &neck;
    case SINEW_ROLE_CLAVICLE: return &clavicle;
    case SINEW_ROLE_UPPERARM: return has_clavicle ? &upperarm_with_clavicle : &upperarm;
    case SINEW_ROLE_FOREARM: return &forearm;
    case SINEW_ROLE_HAND: return &hand;
    case SINEW_ROLE_THIGH: return &thigh;
    case SINEW_ROLE_SHIN: return &shin;
    case SINEW_ROLE_FOOT: return &foot;
    case SINEW_ROLE_TOE: return &toe;
    case SINEW_ROLE_THUMB: return number == SNW_THUMB_ALONE ? &thumb[4] : &thumb[segment];
    case SINEW_ROLE_INDEX:
    case SINEW_ROLE_MIDDLE:
    case SINEW_ROLE_RING:
    case SINEW_ROLE_PINKY: return &finger[segment];
    default: return NULL;
    }
}

// ---------------------------------------------------------------------------------------------
// Sharing along the spine

// files do not split a bend over their few joints as people do over many; no joint takes more than
// the whole
static snw_SpineShare with_slack(snw_SpineShare share)
{
    share.bend = fmin(1.0, SHARE_SLACK * share.bend);
    share.side = fmin(1.0, SHARE_SLACK * share.side);
    share.twist = fmin(1.0, SHARE_SLACK * share.twist);
    return share;
}

snw_SpineShare snw_human_spine_share(const double *t, int count, int index)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(index >= 0);
    // the lumbar part bends, the thoracic part twists
    double bends = 0.0, twists = 0.0;
    for (int i = 0; i < count; ++i) {
        bends += 1.3 - 0.6 * t[i];
        twists += 0.4 + 1.2 * t[i];
    }
    snw_SpineShare share = { (1.3 - 0.6 * t[index]) / bends, 1.0 / count,
        (0.4 + 1.2 * t[index]) / twists };
    return with_slack(share);
}

snw_SpineShare snw_human_neck_share(int neck_count, int index)
{
    snw_SpineShare whole = { 1.0, 1.0, 1.0 }, head = { 0.3, 0.3, 0.5 };
    // files of one neck or none leave it to the head
    if (neck_count <= 1) { return whole; }
    if (index >= neck_count) { return with_slack(head); }
    snw_SpineShare each = { 0.7 / neck_count, 0.7 / neck_count, 0.5 / neck_count };
    return with_slack(each);
}

// ---------------------------------------------------------------------------------------------
// Masses

// de Leva (1996), men and women; the centre of the head from the other end
static const struct {
    double male_share, male_center, female_share, female_center;
} segments[SNW_SEGMENT_COUNT] = {
    { 0.0694, 1.0 - 0.5002, 0.0668, 1.0 - 0.4841 },
    { 0.1596, 0.5066, 0.1545, 0.5050 },
    { 0.1633, 0.4502, 0.1465, 0.4512 },
    { 0.1117, 0.6115, 0.1247, 0.4920 },
    { 0.0271, 0.5772, 0.0255, 0.5754 },
    { 0.0162, 0.4574, 0.0138, 0.4559 },
    { 0.0061, 0.7900, 0.0056, 0.7474 },
    { 0.1416, 0.4095, 0.1478, 0.3612 },
    { 0.0433, 0.4395, 0.0481, 0.4352 },
    { 0.0137, 0.4415, 0.0129, 0.4014 },
};

snw_HumanMass snw_human_mass(snw_HumanSegment segment)
{
    snw_HumanMass mass = {
        0.5 * (segments[segment].male_share + segments[segment].female_share),
        0.5 * (segments[segment].male_center + segments[segment].female_center),
    };
    return mass;
}
