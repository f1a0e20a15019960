#pragma once

#include "results/claims/claim.h"

/// BML (NeurIPS 2018), claims 1 to 14: synchronization time, wirings, the algorithm.
namespace gradwire::claims::bml_claims {

[[nodiscard]] Finding claim_1(const Runs& runs);   ///< ring and PS on a Fat-Tree: 2(N-1)/N T_F
[[nodiscard]] Finding claim_2(const Runs& runs);   ///< what a BCube is made of
[[nodiscard]] Finding claim_3(const Runs& runs);   ///< k/5 of a Fat-Tree's switches
[[nodiscard]] Finding claim_4(const Runs& runs);   ///< kN pieces, T_C = T_F/(kN)
[[nodiscard]] Finding claim_5(const Runs& runs);   ///< BCube(3,2), step by step
[[nodiscard]] Finding claim_6(const Runs& runs);   ///< the same for any n and k
[[nodiscard]] Finding claim_7(const Runs& runs);   ///< every link the same load
[[nodiscard]] Finding claim_8(const Runs& runs);   ///< sums are right
[[nodiscard]] Finding claim_9(const Runs& runs);   ///< 1/k of PS on a Fat-Tree
[[nodiscard]] Finding claim_10(const Runs& runs);  ///< PS on BCube takes twice as long
[[nodiscard]] Finding claim_11(const Runs& runs);  ///< hierarchical on a Fat-Tree; k NICs there
[[nodiscard]] Finding claim_12(const Runs& runs);  ///< Figure 5
[[nodiscard]] Finding claim_13(const Runs& runs);  ///< kN pieces per layer
[[nodiscard]] Finding claim_14(const Runs& runs);  ///< sizes of LeNet-5 and VGG-19

}  // namespace gradwire::claims::bml_claims
