#ifndef CLI_INFO_LIMBS_H
#define CLI_INFO_LIMBS_H

// `sinew info`: limbs of a body and whether they have a closed form.

#include "input.h"
#include "json.h"

/// A limb: from below a joint that several limbs share to a tip.
void cli_limbs_print(const cli_Input *input);
void cli_limbs_json(cli_Json *out, const cli_Input *input);

#endif
