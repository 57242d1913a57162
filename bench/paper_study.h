#ifndef PAPER_STUDY_H
#define PAPER_STUDY_H

// Measurements behind `sinew bench paper`: MAN18 walks in the style of Meredith and Maddock (2004) with
// each kind of Jacobian, on level ground of 2 triangles and on uneven ground: hills and rough ground of 64,082
// each, and a flight of steps.

#include "bench/paper_starts.h"
#include "scenes/scenes.h"
#include "sinew/terrain.h"
#include "sinew/walker.h"

typedef enum bench_PaperGround {
    BENCH_PAPER_FLAT,
    BENCH_PAPER_UNEVEN,
    BENCH_PAPER_GROUNDS,
} bench_PaperGround;

typedef enum bench_PaperFigure {
    BENCH_PAPER_NOTHING, ///< nothing is drawn
    BENCH_PAPER_STICK,
    BENCH_PAPER_SOLID, ///< the character of 11,101 triangles
    BENCH_PAPER_FIGURES,
} bench_PaperFigure;

/// half, full, hybrid, and auto, which the paper does not have.
#define BENCH_PAPER_MODES 4
extern const sinew_WalkRows bench_paper_rows[BENCH_PAPER_MODES];
const char *bench_paper_mode(int mode);

/// One walk with one kind of Jacobian.
typedef struct bench_PaperWalk {
    double frame_time[BENCH_PAPER_FIGURES]; ///< seconds, median of runs
    double solve_time;                      ///< of one leg, seconds, median of runs
    double iterations, halvings;            ///< of one solve, mean
    double met;                             ///< share of solves that met their goals
    double again;                           ///< share that was solved a second time
    double slide;                           ///< of a planted point, metres
    double yaw; ///< largest angle between a planted foot and the heading, radians
} bench_PaperWalk;

/// One walk solved by half and by full rows: how far joints of the legs are apart at equal times, degrees,
/// and how alike their curves are.
typedef struct bench_PaperRealism {
    double rms[3], most[3]; ///< hip, knee, ankle
    double correlation[3];  ///< of the angles from the pose standing
} bench_PaperRealism;

typedef struct bench_PaperStudy {
    bench_PaperWalk walks[BENCH_PAPER_GROUNDS][BENCH_PAPER_MODES];
    bench_PaperStarts starts[BENCH_STARTS][2]; ///< [1]: half, full
    bench_PaperRealism realism[BENCH_PAPER_GROUNDS];
    int triangles[BENCH_PAPER_GROUNDS][BENCH_PAPER_FIGURES];
    int frames, width, height;
} bench_PaperStudy;

/// False when something could not be made; the message says what.
bool bench_paper_measure(bench_PaperStudy *out_study, sinew_Message *out_message);

#endif
