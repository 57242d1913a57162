#ifndef SNW_URDF_H
#define SNW_URDF_H

// A robot as its URDF file says it: links, and joints between them, in the order of the file.

#include "file/buffer.h"
#include "file/text.h"
#include "sinew/file.h"

/// Deepest nesting of elements.
#define SNW_URDF_MAX_DEPTH 128

typedef enum snw_UrdfType {
    SNW_URDF_FIXED,
    SNW_URDF_REVOLUTE,
    SNW_URDF_CONTINUOUS,
    SNW_URDF_PRISMATIC,
    SNW_URDF_PLANAR,
    SNW_URDF_FLOATING,
} snw_UrdfType;

/// Which elements a joint has.
enum {
    SNW_URDF_HAS_ORIGIN = 1,
    SNW_URDF_HAS_PARENT = 2,
    SNW_URDF_HAS_CHILD = 4,
    SNW_URDF_HAS_AXIS = 8,
    SNW_URDF_HAS_LIMIT = 16,
    SNW_URDF_HAS_MIMIC = 32,
    SNW_URDF_HAS_RANGE = 64, ///< a limit with lower or upper
};

/// A rigid body. Places (at) count bytes from the start of the file.
typedef struct snw_UrdfLink {
    size_t name, at; ///< name: start in snw_Urdf.names
    bool has_inertial;
    double mass, center[3]; ///< kg; the unit of the file, in the frame of the link
    // the tree, once linked
    int parent_joint;            ///< -1: the root
    int first_joint, last_joint; ///< joints that hang on it, -1: none
    int node;                    ///< its joint in the skeleton
} snw_UrdfLink;

typedef struct snw_UrdfJoint {
    size_t name, at;
    snw_UrdfType type;
    unsigned has;
    size_t parent, parent_at, child, child_at; ///< names of links
    double xyz[3], rpy[3];
    double axis[3];
    size_t axis_at;
    double lower, upper; ///< may be infinite
    size_t limit_at;
    size_t mimic, mimic_at; ///< name of a joint
    double multiplier, offset;
    // the tree, once linked
    int parent_link, child_link;
    int next_joint;  ///< the next one on the same parent, -1: none
    int mimic_joint; ///< whose value it follows, -1: nobody's
} snw_UrdfJoint;

typedef struct snw_Urdf {
    snw_Buffer links, joints; ///< of snw_UrdfLink and snw_UrdfJoint
    snw_Buffer names;         ///< terminated texts
    int link_count, joint_count;
    int repeated; ///< elements that a joint or link has more than once; the first counts
} snw_Urdf;

snw_Urdf snw_urdf_create(const sinew_Allocator *allocator);
void snw_urdf_destroy(snw_Urdf *urdf);

snw_UrdfLink *snw_urdf_links(const snw_Urdf *urdf);
snw_UrdfJoint *snw_urdf_joints(const snw_Urdf *urdf);
/// The text that starts there in names.
const char *snw_urdf_name(const snw_Urdf *urdf, size_t start);

/// Whether the first element is <robot>, whatever comments stand before it.
bool snw_urdf_begins(snw_Text *text);

/// Read the elements; names are not looked up yet.
sinew_Status snw_urdf_parse(snw_Text *text, snw_Urdf *urdf);

/// Look up names, and find the root and the children of each link. Refuses what is no tree.
/// out_root is the link that is nobody's child.
sinew_Status snw_urdf_link(
    const snw_Text *text, const sinew_Allocator *allocator, snw_Urdf *urdf, int *out_root);

/// The link after this one from the root down, depth first; -1 behind the last.
int snw_urdf_next(const snw_Urdf *urdf, int link);

#endif
