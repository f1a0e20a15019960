#pragma once

#include "results/claims/claim.h"

/// MG-WFBP (INFOCOM 2019, TPDS 2021), claims 19 to 43. The model is in mg_wfbp_model.cc, its inputs
/// in mg_wfbp_inputs.cc, what is gained in mg_wfbp_nodes.cc, mg_wfbp_figure9.cc and mg_wfbp_gains.cc.
namespace gradwire::claims::mg_wfbp_claims {

[[nodiscard]] Finding claim_19(const Runs& runs);  ///< speed-up N/(1+r)
[[nodiscard]] Finding claim_20(const Runs& runs);  ///< WFBP's recursion
[[nodiscard]] Finding claim_21(const Runs& runs);  ///< SyncEASGD's iteration
[[nodiscard]] Finding claim_22(const Runs& runs);  ///< T = a + b M
[[nodiscard]] Finding claim_23(const Runs& runs);  ///< Table II
[[nodiscard]] Finding claim_24(const Runs& runs);  ///< start-up times
[[nodiscard]] Finding claim_25(const Runs& runs);  ///< 200 KB and 400 KB
[[nodiscard]] Finding claim_26(const Runs& runs);  ///< four cases of merging
[[nodiscard]] Finding claim_27(const Runs& runs);  ///< Theorem 1
[[nodiscard]] Finding claim_28(const Runs& runs);  ///< complexity
[[nodiscard]] Finding claim_29(const Runs& runs);  ///< gradients as without merging
[[nodiscard]] Finding claim_30(const Runs& runs);  ///< parameter servers
[[nodiscard]] Finding claim_31(const Runs& runs);  ///< clusters and fits
[[nodiscard]] Finding claim_32(const Runs& runs);  ///< Table IV
[[nodiscard]] Finding claim_33(const Runs& runs);  ///< small tensors
[[nodiscard]] Finding claim_34(const Runs& runs);  ///< 1.2x and 1.36x on 8 nodes
[[nodiscard]] Finding claim_35(const Runs& runs);  ///< WFBP drops at 8 nodes
[[nodiscard]] Finding claim_36(const Runs& runs);  ///< Figure 9
[[nodiscard]] Finding claim_37(const Runs& runs);  ///< neither baseline always wins
[[nodiscard]] Finding claim_38(const Runs& runs);  ///< messages of Figure 10
[[nodiscard]] Finding claim_39(const Runs& runs);  ///< 64 workers
[[nodiscard]] Finding claim_40(const Runs& runs);  ///< the curves cross
[[nodiscard]] Finding claim_41(const Runs& runs);  ///< one message from 256 workers on
[[nodiscard]] Finding claim_42(const Runs& runs);  ///< Figure 11
[[nodiscard]] Finding claim_43(const Runs& runs);  ///< memory of merging

}  // namespace gradwire::claims::mg_wfbp_claims
