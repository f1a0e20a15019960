#pragma once

#include "results/claims/claim.h"

/// The text on ring all-reduce (Baidu Research, 2017), claims 53 to 58.
namespace gradwire::claims::ring_claims {

[[nodiscard]] Finding claim_53(const Runs& runs);  ///< a single reducer
[[nodiscard]] Finding claim_54(const Runs& runs);  ///< who sends which chunk when
[[nodiscard]] Finding claim_55(const Runs& runs);  ///< 2(N-1)/N K each way
[[nodiscard]] Finding claim_56(const Runs& runs);  ///< a model of 300 million parameters
[[nodiscard]] Finding claim_57(const Runs& runs);  ///< its iterations, and what overlap saves
[[nodiscard]] Finding claim_58(const Runs& runs);  ///< how it scales

}  // namespace gradwire::claims::ring_claims
