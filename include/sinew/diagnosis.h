#ifndef SINEW_DIAGNOSIS_H
#define SINEW_DIAGNOSIS_H

/// \file
/// Why goals are not met: what blocks each of them, found by taking it away.
///
/// A suspect is a limit that is pressed, a locked joint, another goal, the reach of the chain, a poor
/// valley, or too few iterations. Each is put to the test: it alone is taken away, the problem is
/// solved again from the same pose, and what becomes of the error is what it is ranked by. So a limit
/// that is merely active is not blamed, and of several the one that matters comes first.
///
/// Where a pose that meets all goals is found, by the whole search of the default method, nothing else is
/// blamed. All that takes some dozens of solves for a pose with unmet goals, on demand, and none for a pose that
/// meets them all. Nothing is allocated. One diagnosis per thread, as its solver.

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_BlockerKind {
    // limits; joint, axis and bound say which
    SINEW_BLOCKER_LOWER,       ///< a hinge or slide at its lower bound
    SINEW_BLOCKER_UPPER,       ///< a hinge or slide at its upper bound
    SINEW_BLOCKER_SWING,       ///< a ball's bone at the edge of its windows
    SINEW_BLOCKER_TWIST_LOWER, ///< a ball at the lower bound of its twist
    SINEW_BLOCKER_TWIST_UPPER,
    SINEW_BLOCKER_LOCKED, ///< an axis of mobility 0
    SINEW_BLOCKER_LIMITS, ///< limits that take turns; no few of them matter alone
    // goals; goal says which
    SINEW_BLOCKER_GOAL,     ///< another goal that pulls elsewhere
    SINEW_BLOCKER_PRIORITY, ///< a goal of a higher level, or held as a constraint
    SINEW_BLOCKER_GOALS,    ///< several other goals; none of them matters alone
    SINEW_BLOCKER_OWN_PART, ///< position and orientation of the goal itself exclude each other
    // the problem
    SINEW_BLOCKER_REACH, ///< too far for the chain, whatever its limits; amount
    SINEW_BLOCKER_NEAR,  ///< too near: the chain cannot fold so far, whatever its limits; amount
    SINEW_BLOCKER_REST,  ///< the pull to the rest pose
    SINEW_BLOCKER_SOFT_REACH, ///< eased by soft reach; amount
    // the way of solving
    SINEW_BLOCKER_VALLEY,     ///< nothing: the goal is met from another start
    SINEW_BLOCKER_ITERATIONS, ///< too few iterations
    SINEW_BLOCKER_TIME,       ///< too little time
    SINEW_BLOCKER_SPEED,      ///< the bound on joint changes (max_joint_change)
    SINEW_BLOCKER_UNFINISHED, ///< it was still on its way for another reason, such as its method's
} sinew_BlockerKind;

/// Short name of a kind: "lower_limit", "upper_limit", "swing", "twist_lower", "twist_upper",
/// "locked", "limits", "goal", "priority", "goals", "own_part", "reach", "near", "rest", "soft_reach", "valley",
/// "iterations", "time", "speed", "unfinished".
SINEW_API const char *sinew_blocker_name(sinew_BlockerKind kind);

/// One cause of an unmet goal.
typedef struct sinew_Blocker {
    sinew_BlockerKind kind;
    int joint, axis; ///< of a limit, axis of the skeleton; else -1
    int goal;        ///< of a goal; else -1
    int priority;    ///< that goal's level
    /// The limit's value, radians or metres; of a swing, how far the bone is from neutral.
    double bound;
    /// How far beyond reach or eased, metres, or radians where amount_is_angle; else 0.
    double amount;
    bool amount_is_angle;
    /// Share of the goal's error, 0..1, that goes when this alone is taken away.
    double gain;
    /// It matters only when it is taken away together with the others that say so; gain is of all.
    bool together;
} sinew_Blocker;

/// Largest number of causes told of one goal, the strongest first.
#define SINEW_MAX_BLOCKERS 6
/// A cause below this share is not told.
#define SINEW_SMALLEST_GAIN 0.05

typedef enum sinew_Conditioning {
    SINEW_CONDITIONING_GOOD,
    SINEW_CONDITIONING_STRAIGHT, ///< near full stretch: the effector hardly moves along the chain
    SINEW_CONDITIONING_SINGULAR, ///< it hardly moves in another direction
} sinew_Conditioning;

/// "good", "straight", "singular".
SINEW_API const char *sinew_conditioning_name(sinew_Conditioning conditioning);

typedef struct sinew_GoalDiagnosis {
    bool met;
    double position_error, orientation_error; ///< of the pose given, metres and radians
    /// How much farther the chain could stretch towards the goal's effector, metres; of an unmet goal
    /// beyond reach, how much it lacks, negative. INFINITY where nothing bounds it (the chain slides,
    /// or the goal has no place). Exact for one hinge between root and effector, limits and
    /// offsets included; else the sum of the bones.
    double reach_margin;
    /// Smallest and largest singular value of the goal's scaled Jacobian, metres per radian, and
    /// the direction (world, unit; of places) in which a step of the joints moves the effector least.
    /// 0 and GOOD where goals and what they move are too many for a Jacobian (8 million numbers).
    double smallest_singular, largest_singular;
    sinew_Vec3 stiff_direction;
    sinew_Conditioning conditioning;
    int blocker_count; ///< 0 for a goal that is met, or when no cause was found
    sinew_Blocker blockers[SINEW_MAX_BLOCKERS];
} sinew_GoalDiagnosis;

/// A limit that the goals press a joint against.
typedef struct sinew_HeldLimit {
    sinew_BlockerKind kind; ///< LOWER, UPPER, SWING, TWIST_LOWER or TWIST_UPPER
    int joint, axis;
    double bound;
    /// How hard: generalised force by (error x reach), so 1 is all of the error at a lever as long as
    /// the chain.
    double pressure;
} sinew_HeldLimit;

typedef struct sinew_Diagnosis sinew_Diagnosis;

/// Memory for diagnoses of solves with up to max_goals goals (1..100000) on a skeleton, which must
/// outlive it. allocator may be NULL. *out_diagnosis is NULL on failure.
SINEW_API sinew_Status sinew_diagnosis_create(const sinew_Skeleton *skeleton, int max_goals,
    const sinew_Allocator *allocator, sinew_Diagnosis **out_diagnosis, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_diagnosis_destroy(sinew_Diagnosis *diagnosis);

/// Find out about a pose.
///
/// solver      whose mobilities, limits, rest pose and starts hold; made for the same skeleton. They
///             are changed for the trials and put back; the goal results are those of q afterwards
/// options     that q was solved with. Trials run with its limits, rows, tolerances and rest weight
///             by damped least squares; whether the goals can be met at all is searched for by the
///             default method, whatever method the options name
/// goals, q    as of sinew_solver_solve; q is the answer, and stays as it is
/// report      of that solve, or NULL: why it ended
///
/// Statuses as sinew_solver_solve; CAPACITY for more goals than the diagnosis was made for, and
/// INVALID_ARGUMENT for another skeleton and for no goals at all. Same input, same bits.
SINEW_API sinew_Status sinew_solver_diagnose(sinew_Solver *solver,
    const sinew_SolveOptions *options, const sinew_Goal *goals, int goal_count, const double *q,
    const sinew_Report *report, sinew_Diagnosis *diagnosis, sinew_Message *out_message);

/// What was found out about a goal; valid until the next diagnosis. goal: 0..goal_count - 1.
SINEW_API const sinew_GoalDiagnosis *sinew_diagnosis_goal(
    const sinew_Diagnosis *diagnosis, int goal);

/// Goals of the last diagnosis, and how many of them are not met.
SINEW_API int sinew_diagnosis_goal_count(const sinew_Diagnosis *diagnosis);
SINEW_API int sinew_diagnosis_unmet_count(const sinew_Diagnosis *diagnosis);

/// The limits that are pressed in q, the hardest first.
SINEW_API int sinew_diagnosis_limit_count(const sinew_Diagnosis *diagnosis);
SINEW_API const sinew_HeldLimit *sinew_diagnosis_limits(const sinew_Diagnosis *diagnosis);

/// One line for people about a goal:
///
///     RightHand misses by 31 mm: RightElbow at its upper limit (150°)
///     LeftFoot misses by 12 cm: the goal is 12 cm beyond its reach
///     Head misses by 4°: gives way to LeftHand (priority 0)
///
/// names: what goals are called, by goal, or NULL for the names of their joints. UTF-8, terminated, cut
/// to size. Returns the bytes that the whole line has without its end.
SINEW_API size_t sinew_diagnosis_text(const sinew_Diagnosis *diagnosis, int goal,
    const char *const *names, char *out_text, size_t size);

/// The causes alone, "RightElbow at its upper limit (150°)"; empty for a goal that is met.
SINEW_API size_t sinew_diagnosis_cause_text(const sinew_Diagnosis *diagnosis, int goal,
    const char *const *names, char *out_text, size_t size);

/// How the goal's chain stands: "straight: 3 mm from full stretch", "hardly moves along (0, 1, 0)",
/// or empty when there is nothing to say.
SINEW_API size_t sinew_diagnosis_conditioning_text(
    const sinew_Diagnosis *diagnosis, int goal, char *out_text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
