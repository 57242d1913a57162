// Names of a URDF file looked up, and its links and joints checked to be one tree.

#include "base/memory.h"
#include "file/urdf.h"
#include "math/holds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// So many joints may follow each other's value in a row.
#define MAX_MIMICS 64

typedef struct Entry {
    const char *name;
    int index;
} Entry;

typedef struct Tree {
    const snw_Text *text;
    snw_Urdf *urdf;
    Entry *links, *joints; // sorted by name, then by place in the file
} Tree;

static int compare_entries(const void *a, const void *b)
{
    const Entry *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    if (order != 0) { return order; }
    return first->index < second->index ? -1 : first->index > second->index;
}

static int compare_name(const void *name, const void *entry)
{
    return strcmp(name, ((const Entry *)entry)->name);
}

static int find(const Entry *entries, int count, const char *name)
{
    const Entry *entry = bsearch(name, entries, (size_t)count, sizeof *entries, compare_name);
    return entry != NULL ? entry->index : -1;
}

static sinew_Status fail_name(
    const Tree *tree, size_t at, const char *what, const char *name, const char *expected)
{
    char found[120];
    snprintf(found, sizeof found, "%s \"%.60s\"", what, name);
    return snw_text_fail_at(tree->text, at, found, "%s", expected);
}

// ---------------------------------------------------------------------------------------------
// Names

// the first of equal names in the order of the file
static int find_twin(const Entry *entries, int count)
{
    SNW_ASSERT(count >= 0);
    int twin = -1;
    for (int i = 1; i < count; ++i) {
        if (strcmp(entries[i - 1].name, entries[i].name) != 0) { continue; }
        if (twin < 0 || entries[i].index < twin) { twin = entries[i].index; }
    }
    return twin;
}

static sinew_Status sort_names(Tree *tree)
{
    snw_Urdf *urdf = tree->urdf;
    const snw_UrdfLink *links = snw_urdf_links(urdf);
    const snw_UrdfJoint *joints = snw_urdf_joints(urdf);
    for (int i = 0; i < urdf->link_count; ++i) {
        tree->links[i].name = snw_urdf_name(urdf, links[i].name);
        tree->links[i].index = i;
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        tree->joints[i].name = snw_urdf_name(urdf, joints[i].name);
        tree->joints[i].index = i;
    }
    qsort(tree->links, (size_t)urdf->link_count, sizeof *tree->links, compare_entries);
    qsort(tree->joints, (size_t)urdf->joint_count, sizeof *tree->joints, compare_entries);

    int link = find_twin(tree->links, urdf->link_count);
    if (link >= 0) {
        return fail_name(tree, links[link].at, "a second link",
            snw_urdf_name(urdf, links[link].name), "another name");
    }
    int joint = find_twin(tree->joints, urdf->joint_count);
    if (joint >= 0) {
        return fail_name(tree, joints[joint].at, "a second joint",
            snw_urdf_name(urdf, joints[joint].name), "another name");
    }
    return SINEW_STATUS_OK;
}

static sinew_Status look_up_links(const Tree *tree, snw_UrdfJoint *joint)
{
    const snw_Urdf *urdf = tree->urdf;
    const char *name = snw_urdf_name(urdf, joint->name);
    if ((joint->has & SNW_URDF_HAS_PARENT) == 0) {
        return fail_name(tree, joint->at, "joint", name, "a <parent link=\"...\"/> in it");
    }
    if ((joint->has & SNW_URDF_HAS_CHILD) == 0) {
        return fail_name(tree, joint->at, "joint", name, "a <child link=\"...\"/> in it");
    }
    const char *parent = snw_urdf_name(urdf, joint->parent);
    const char *child = snw_urdf_name(urdf, joint->child);
    joint->parent_link = find(tree->links, urdf->link_count, parent);
    joint->child_link = find(tree->links, urdf->link_count, child);
    if (joint->parent_link < 0) {
        return fail_name(tree, joint->parent_at, "link", parent, "a link of the file");
    }
    if (joint->child_link < 0) {
        return fail_name(tree, joint->child_at, "link", child, "a link of the file");
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// The tree

static sinew_Status join_links(const Tree *tree)
{
    snw_Urdf *urdf = tree->urdf;
    snw_UrdfLink *links = snw_urdf_links(urdf);
    snw_UrdfJoint *joints = snw_urdf_joints(urdf);
    for (int i = 0; i < urdf->link_count; ++i) {
        links[i].parent_joint = links[i].first_joint = links[i].last_joint = links[i].node = -1;
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        snw_UrdfJoint *joint = &joints[i];
        joint->next_joint = joint->mimic_joint = -1;
        sinew_Status status = look_up_links(tree, joint);
        if (status != SINEW_STATUS_OK) { return status; }
        snw_UrdfLink *parent = &links[joint->parent_link], *child = &links[joint->child_link];
        if (child->parent_joint >= 0) {
            return fail_name(tree, joint->child_at, "a second joint to link",
                snw_urdf_name(urdf, child->name), "one parent for each link");
        }
        child->parent_joint = i;
        if (parent->first_joint < 0) {
            parent->first_joint = i;
        } else {
            joints[parent->last_joint].next_joint = i;
        }
        parent->last_joint = i;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status find_root(const Tree *tree, int *out_root)
{
    const snw_Urdf *urdf = tree->urdf;
    const snw_UrdfLink *links = snw_urdf_links(urdf);
    int root = -1;
    for (int i = 0; i < urdf->link_count; ++i) {
        if (links[i].parent_joint >= 0) { continue; }
        if (root >= 0) {
            char expected[120];
            snprintf(expected, sizeof expected, "one root, which is \"%.60s\"",
                snw_urdf_name(urdf, links[root].name));
            return fail_name(tree, links[i].at, "a second root, link",
                snw_urdf_name(urdf, links[i].name), expected);
        }
        root = i;
    }
    *out_root = root;
    return SINEW_STATUS_OK;
}

int snw_urdf_next(const snw_Urdf *urdf, int link)
{
    SNW_ASSERT(link >= 0);
    const snw_UrdfLink *links = snw_urdf_links(urdf);
    const snw_UrdfJoint *joints = snw_urdf_joints(urdf);
    if (links[link].first_joint >= 0) { return joints[links[link].first_joint].child_link; }
    while (links[link].parent_joint >= 0) {
        const snw_UrdfJoint *joint = &joints[links[link].parent_joint];
        if (joint->next_joint >= 0) { return joints[joint->next_joint].child_link; }
        link = joint->parent_link;
    }
    return -1;
}

// from the root down, depth first; what is left hangs in a ring
static sinew_Status number_links(const Tree *tree, int root)
{
    const snw_Urdf *urdf = tree->urdf;
    snw_UrdfLink *links = snw_urdf_links(urdf);
    int count = 0;
    for (int link = root; link >= 0; link = snw_urdf_next(urdf, link)) {
        links[link].node = count++;
    }
    for (int i = 0; i < urdf->link_count; ++i) {
        if (links[i].node >= 0) { continue; }
        return fail_name(tree, snw_urdf_joints(urdf)[links[i].parent_joint].at,
            "a ring of joints with link", snw_urdf_name(urdf, links[i].name), "a tree");
    }
    return SINEW_STATUS_OK;
}

static sinew_Status look_up_mimics(const Tree *tree)
{
    const snw_Urdf *urdf = tree->urdf;
    snw_UrdfJoint *joints = snw_urdf_joints(urdf);
    for (int i = 0; i < urdf->joint_count; ++i) {
        if ((joints[i].has & SNW_URDF_HAS_MIMIC) == 0) { continue; }
        const char *name = snw_urdf_name(urdf, joints[i].mimic);
        joints[i].mimic_joint = find(tree->joints, urdf->joint_count, name);
        if (joints[i].mimic_joint < 0) {
            return fail_name(
                tree, joints[i].mimic_at, "mimic of joint", name, "a joint of the file");
        }
    }
    for (int i = 0; i < urdf->joint_count; ++i) {
        int leader = joints[i].mimic_joint;
        for (int steps = 0; leader >= 0; leader = joints[leader].mimic_joint) {
            if (++steps <= MAX_MIMICS) { continue; }
            return fail_name(tree, joints[i].mimic_at, "mimic of joint",
                snw_urdf_name(urdf, joints[i].mimic),
                "one that ends at a joint without mimic (64 in a row at most)");
        }
    }
    return SINEW_STATUS_OK;
}

static sinew_Status build(Tree *tree, int *out_root)
{
    if (tree->urdf->link_count == 0) {
        return snw_text_fail_at(tree->text, tree->text->size, "no <link>", "at least one");
    }
    sinew_Status status = sort_names(tree);
    if (status == SINEW_STATUS_OK) { status = join_links(tree); }
    if (status == SINEW_STATUS_OK) { status = find_root(tree, out_root); }
    if (status == SINEW_STATUS_OK) { status = number_links(tree, *out_root); }
    if (status == SINEW_STATUS_OK) { status = look_up_mimics(tree); }
    return status;
}

sinew_Status snw_urdf_link(
    const snw_Text *text, const sinew_Allocator *allocator, snw_Urdf *urdf, int *out_root)
{
    Tree tree = { text, urdf, NULL, NULL };
    size_t count = (size_t)urdf->link_count + (size_t)urdf->joint_count;
    tree.links = snw_alloc_array(allocator, count, sizeof(Entry));
    if (tree.links == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    tree.joints = tree.links + urdf->link_count;
    sinew_Status status = build(&tree, out_root);
    snw_free(allocator, tree.links, count * sizeof(Entry));
    return status;
}
