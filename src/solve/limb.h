#ifndef SNW_LIMB_H
#define SNW_LIMB_H

// What a closed form for a limb says.

typedef enum snw_LimbAnswer {
    SNW_LIMB_NONE,  ///< nothing: a range of the root is in the way; the values are as they were
    SNW_LIMB_MEETS, ///< the tip is at the target
    SNW_LIMB_NEAREST, ///< the target is farther or nearer than the limb can be; no pose is closer to it
} snw_LimbAnswer;

#endif
