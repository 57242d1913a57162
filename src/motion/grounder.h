#ifndef SNW_GROUNDER_H
#define SNW_GROUNDER_H

// The grounder from the inside. Poses wait in a ring while four stages pass over them, each some frames
// behind the one before:
//
//     newest  which points touch            (grounder_contact.c)
//     path    where feet stand and swing    (grounder_print.c, grounder_path.c)
//     lift    over what is in the way       (grounder_path.c), where the hips would be
//     shown   the pose                      (grounder_hips.c)
//
// All places are in the body's own axes (left +X, up +Y, ahead +Z), its floor at height 0.

#include "motion/retarget.h"
#include "sinew/grounder.h"

/// The toes' end is this much beyond the ball, lengths from heel to ball.
#define SNW_TOE_LENGTH 0.35

/// One foot of one frame in the ring.
typedef struct snw_GroundFoot {
    snw_CarriedFoot naive; ///< of the animation
    double speed[2];       ///< of heel and ball, legs per second
    bool touching[2];      ///< heel, ball
    snw_FootShift shift;   ///< path: what is added, without lift
    bool stands;           ///< path: the foot is in a print
    double ground;         ///< path: height that it stands on, or is on the way to, metres
    double carries;        ///< path: height that the hips follow, metres
    double room; ///< path: how far a foot that swings is over the ground, below 0: in it, metres
    double lift; ///< lift: what is added for it, metres
} snw_GroundFoot;

/// One frame in the ring.
typedef struct snw_GroundFrame {
    snw_GroundFoot feet[SNW_SIDES];
    sinew_Vec3 hips[SNW_SIDES]; ///< hip joints of the animation
    double ahead; ///< ground where the hips are in g->lead frames, if they go on so, metres
    double raise; ///< lift: how much the hips follow the ground, metres
    double fall;  ///< lift: how much they must sink for the legs, metres
    bool enabled;
} snw_GroundFrame;

/// Where a foot stands or is going to.
typedef struct snw_GroundPrint {
    bool known;          ///< anything below is
    bool settled;        ///< the sole lies on one surface; else the search goes on
    int tried;           ///< shifts that were looked at
    sinew_Vec3 ball;     ///< the animation's, the middle of its stand
    sinew_Vec3 heading;  ///< of its sole
    double shift;        ///< along the sole, metres
    double cost;         ///< of the best shift so far
    snw_Footprint print; ///< on the ground
    double height;       ///< of the ground, metres
} snw_GroundPrint;

/// How a foot stands in its print, shares.
typedef struct snw_GroundStance {
    double rolls; ///< 0 flat .. 1 pitched and turned as the animation's foot
    double toes;  ///< 0 as the foot goes .. 1 on the ground
} snw_GroundStance;

/// One foot now.
typedef struct snw_GroundState {
    bool stands;
    snw_GroundPrint print; ///< that it stands in
    snw_GroundPrint next;  ///< that it goes to
    bool has_stance;
    snw_GroundStance stance; ///< in the frame before, or in that of the landing ahead
    int left;                ///< the last frame of the last stand
    /// What is added to the animation at the path's last frame, its change and its change's change, per
    /// second; and the changes, per second, by which the animation's foot leaves its stand and stops in the next.
    double value[SNW_SHIFT_NUMBERS], speed[SNW_SHIFT_NUMBERS], bend[SNW_SHIFT_NUMBERS];
    double leave_speed[SNW_SHIFT_NUMBERS], stop_speed[SNW_SHIFT_NUMBERS];
    double stopping;    ///< time that stopping takes, seconds; 0: it does not yet
    int samples;        ///< asked in this update
    snw_LegTurns turns; ///< of the pose shown last
} snw_GroundState;

struct sinew_Grounder {
    sinew_GrounderDef def;
    snw_RetargetCarry carry;
    sinew_Quat ground_from_own;
    sinew_Quat own_from_ground;
    snw_GroundState feet[SNW_SIDES];
    snw_GroundFrame *ring; //                    (capacity)
    double *poses;         //                    (capacity x coordinate_count)
    double *scratch;       //                    (capacity)
    double *blended;       //                    (coordinate_count)
    int capacity, coordinates;
    int window;                             ///< frames before and after that speeds are over
    int lead;                               ///< frames that the ground is felt ahead of the hips
    int path_delay, lift_delay, hips_delay; ///< frames between the stages
    int pushed;                             ///< frames taken
    int clock;               ///< updates: frames taken and, at the end, those that went on without
    int path, lifted, shown; ///< next frame of each stage
    bool ended, enabled;
    bool has_wrong; ///< the ground answered in this update what none is; the first such answer
    sinew_GroundSample wrong;
    double wrong_x, wrong_z;
    double phase; ///< of fading, 0..1
    sinew_Allocator allocator;
    size_t size;
};

/// A frame of the ring, cropped to those there are.
static inline snw_GroundFrame *snw_grounder_frame(const sinew_Grounder *g, int frame)
{
    if (frame > g->pushed - 1) { frame = g->pushed - 1; }
    if (frame < 0) { frame = 0; }
    return &g->ring[frame % g->capacity];
}

/// Seconds as whole frames.
static inline int snw_grounder_frames(const sinew_Grounder *g, double seconds)
{
    return (int)floor(seconds / g->def.frame_time + 0.5);
}

/// Height of the ground below a place, asked for a foot. An answer that is no ground is kept in g->wrong, and level
/// ground taken.
double snw_grounder_height(sinew_Grounder *g, int side, sinew_Vec3 place, sinew_Vec3 *out_normal);

/// Newest stage: which points touch in the frames that no path goes through yet.
void snw_grounder_touch(sinew_Grounder *g, int side);

/// Last frame whose speed is known.
int snw_grounder_seen(const sinew_Grounder *g);

/// Look at the stand that begins at a frame; one shift of the sole in each call.
void snw_grounder_print(sinew_Grounder *g, int side, int first, snw_GroundPrint *print);

/// Path stage of the frame g->path.
void snw_grounder_path(sinew_Grounder *g, int side);

/// Feel the ground ahead of the hips in the newest frame.
void snw_grounder_feel(sinew_Grounder *g);

/// Lift stage of the frame g->lifted.
void snw_grounder_lift(sinew_Grounder *g, int side);
void snw_grounder_raise(sinew_Grounder *g);

/// Shown stage of the frame g->shown.
sinew_Status snw_grounder_show(
    sinew_Grounder *g, double *out_q, sinew_GrounderReport *report, sinew_Message *out_message);

#endif
