#pragma once

#include "results/claims/claim.h"

/// Late-multiply and hybrid parallelism (2017), claims 44 to 51.
namespace gradwire::claims::late_multiply_claims {

[[nodiscard]] Finding claim_44(const Runs& runs);  ///< a layer of 400 MB
[[nodiscard]] Finding claim_45(const Runs& runs);  ///< what the two algorithms move
[[nodiscard]] Finding claim_46(const Runs& runs);  ///< Table 1
[[nodiscard]] Finding claim_47(const Runs& runs);  ///< more gain on the slower network
[[nodiscard]] Finding claim_48(const Runs& runs);  ///< AlexNet
[[nodiscard]] Finding claim_49(const Runs& runs);  ///< data sizes of Table 2
[[nodiscard]] Finding claim_50(const Runs& runs);  ///< times and speed-ups of Tables 2 and 3
[[nodiscard]] Finding claim_51(const Runs& runs);  ///< sums, and weight decay by 1/m

}  // namespace gradwire::claims::late_multiply_claims
