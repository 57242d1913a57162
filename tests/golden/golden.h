#ifndef GOLDEN_H
#define GOLDEN_H

// Golden chapters: for each part of the library a hash over the bits of what it gives for many random
// inputs. Whatever changes an answer changes a hash. Chapters of the core stand on scenes and library
// alone, so that other machines and compilers run them too (main.c, wasm.c).

#include "scenes/scenes.h"
#include "sinew/rig.h"
#include "sinew/stance.h"

#include <string.h>

typedef struct golden_Chapter {
    const char *name;
    uint64_t (*run)(void);
} golden_Chapter;

/// Chapters of the core, and of what needs the test library or libsinew-io (golden_files.c).
extern const golden_Chapter golden_core_chapters[], golden_more_chapters[];
extern const int golden_core_count, golden_more_count;

/// One hash over all chapters of the core.
uint64_t golden_run(void);

/// Text "0123456789abcdef" of a hash; out has 17 bytes.
void golden_digits(uint64_t hash, char *out);

// ---------------------------------------------------------------------------------------------
// For chapters

/// FNV-1a over bits, in an order that does not depend on the machine. Every NaN is the same.
#define GOLDEN_START UINT64_C(0xcbf29ce484222325)
void golden_bits(uint64_t *hash, uint64_t bits);
void golden_number(uint64_t *hash, double value);
void golden_numbers(uint64_t *hash, const double *values, int count);
void golden_int(uint64_t *hash, int64_t value);
void golden_text(uint64_t *hash, const char *text);
void golden_vec3(uint64_t *hash, sinew_Vec3 v);
void golden_quat(uint64_t *hash, sinew_Quat q);
void golden_transforms(uint64_t *hash, const sinew_Transform *transforms, int count);
/// The status, and what it says of a failure.
void golden_status(uint64_t *hash, sinew_Status status, const sinew_Message *message);
void golden_report(uint64_t *hash, const sinew_Report *report);
void golden_clip(uint64_t *hash, const sinew_Clip *clip);
void golden_skeleton(uint64_t *hash, const sinew_Skeleton *skeleton);

void golden_roles_add(uint64_t *hash, const sinew_RoleGuess *guess);
void golden_stance_add(uint64_t *hash, const sinew_Stance *stance);
void golden_rig_add(uint64_t *hash, const sinew_Rig *rig);

/// Ends the program where something failed that must not.
void golden_ok(sinew_Status status);
scene_Scene *golden_scene(const char *name);
/// Zeroed numbers; golden_free gives them back.
double *golden_room(size_t count);
void golden_free(void *memory);
sinew_Vec3 golden_point(scene_Random *random, double size);
double golden_range(scene_Random *random, double lower, double upper);

/// A solver, and goals for all effectors of a scene where they are in a pose; returns their number.
sinew_Solver *golden_solver(const sinew_Skeleton *skeleton, int max_goals);
int golden_goals(const scene_Scene *scene, const double *q, sinew_Goal *out_goals);

/// An arm of one of the kinds that have a closed form, 0 <= index < golden_arm_count(), and a pose of it.
int golden_arm_count(void);
sinew_Skeleton *golden_arm(scene_Random *random, int index);
void golden_arm_pose(scene_Random *random, const sinew_Skeleton *skeleton, double *out);

typedef enum golden_PersonKind {
    GOLDEN_PLAIN, ///< MAN18
    GOLDEN_STICK, ///< bones of limbs lie along one axis in the rest pose, as in files whose rest pose is no figure
    GOLDEN_FINE, ///< with toes and fingers
} golden_PersonKind;

/// MAN18 with balls for joints, arms and legs longer by a factor; limits: those of people.
sinew_Skeleton *golden_ball_person(double stretch, bool limits, golden_PersonKind kind);

/// Room for bodies of chapters.
enum { GOLDEN_MAX_JOINTS = 64, GOLDEN_MAX_NUMBERS = 9 * GOLDEN_MAX_JOINTS };

// the chapters, by file
uint64_t golden_math(void);
uint64_t golden_spaces(void);
uint64_t golden_bodies(void);
uint64_t golden_limits(void);
uint64_t golden_jacobians(void);
uint64_t golden_roles(void);
uint64_t golden_rigs(void);
uint64_t golden_methods(void);
uint64_t golden_soak(void);
uint64_t golden_levels(void);
uint64_t golden_auto(void);
uint64_t golden_arms(void);
uint64_t golden_limbs(void);
uint64_t golden_diagnoses(void);
uint64_t golden_starts(void);
uint64_t golden_rings(void);
uint64_t golden_jobs(void);
uint64_t golden_tracking(void);
uint64_t golden_tracking_limits(void);
uint64_t golden_tracking_arms(void);
uint64_t golden_clips(void);
uint64_t golden_switches(void);
uint64_t golden_keys(void);
uint64_t golden_people(void);
uint64_t golden_contacts(void);
uint64_t golden_retargets(void);
uint64_t golden_grounders(void);
uint64_t golden_terrains(void);
uint64_t golden_walks_paper(void);
uint64_t golden_walks_natural(void);
uint64_t golden_walks_tips(void);
uint64_t golden_walks_plain(void);
uint64_t golden_drives(void);
uint64_t golden_games(void);
uint64_t golden_gaits(void);
uint64_t golden_refusals(void);
uint64_t golden_odd(void);
uint64_t golden_units(void);

#endif
