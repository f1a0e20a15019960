#pragma once

#include "results/claims/claim.h"

/// BML (NeurIPS 2018), claims 15 to 18: how much shorter training jobs become.
namespace gradwire::claims::bml_claims {

[[nodiscard]] Finding claim_15(const Runs& runs);  ///< Figure 6, LeNet-5
[[nodiscard]] Finding claim_16(const Runs& runs);  ///< Figure 7, VGG-19
[[nodiscard]] Finding claim_17(const Runs& runs);  ///< smaller batches gain more
[[nodiscard]] Finding claim_18(const Runs& runs);  ///< 50 % at most, if servers are balanced

}  // namespace gradwire::claims::bml_claims
