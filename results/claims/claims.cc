#include <array>

#include "results/claims/bml.h"
#include "results/claims/bml_jobs.h"
#include "results/claims/claim.h"
#include "results/claims/late_multiply.h"
#include "results/claims/mg_wfbp.h"
#include "results/claims/ring.h"
#include "results/claims/verdict.h"

namespace gradwire::claims {
namespace {

constexpr const char* kBml = "BML";
constexpr const char* kMerging = "MG-WFBP";
constexpr const char* kLate = "Late-multiply";
constexpr const char* kRing = "Ring all-reduce";

// clang-format off
constexpr std::array kClaims{
    Claim{1, kBml, "section 2",
          "ring and parameter server take 2(N-1)/N T_F on a Fat-Tree", bml_claims::claim_1},
    Claim{2, kBml, "section 3.1",
          "BCube(n,k): n^k servers, k n^(k-1) switches, k NICs each", bml_claims::claim_2},
    Claim{3, kBml, "section 3.1",
          "BCube needs k/5 of a Fat-Tree's switches", bml_claims::claim_3},
    Claim{4, kBml, "section 3.2",
          "kN pieces per synchronization, each T_F/(kN)", bml_claims::claim_4},
    Claim{5, kBml, "section 3.2, Figure 4",
          "BCube(3,2) in 16 T_C, step by step", bml_claims::claim_5},
    Claim{6, kBml, "section 3.2",
          "step w takes N/n^(w+1) (n-1) T_C; all 2(N-1)/(kN) T_F", bml_claims::claim_6},
    Claim{7, kBml, "section 3.2",
          "k threads use k links; every link has the same load", bml_claims::claim_7},
    Claim{8, kBml, "Algorithm 1",
          "every server ends with the sums of all", bml_claims::claim_8},
    Claim{9, kBml, "section 3.2",
          "BML on BCube takes 1/k of PS on a Fat-Tree", bml_claims::claim_9},
    Claim{10, kBml, "section 3.3",
          "PS on BCube takes twice as long as BML", bml_claims::claim_10},
    Claim{11, kBml, "section 3.3",
          "hierarchical on a Fat-Tree is no faster than PS; k NICs there are", bml_claims::claim_11},
    Claim{12, kBml, "Figure 5",
          "two algorithms on two wirings, 16 and 1024 servers", bml_claims::claim_12},
    Claim{13, kBml, "section 4.1",
          "the gradient of each layer is cut into kN pieces", bml_claims::claim_13},
    Claim{14, kBml, "section 4.2",
          "sizes of LeNet-5 and VGG-19", bml_claims::claim_14},
    Claim{15, kBml, "Figure 6",
          "LeNet-5: jobs shorter by 18.7 to 56.4 %", bml_claims::claim_15},
    Claim{16, kBml, "Figure 7",
          "VGG-19: jobs shorter by 29.2 to 52.1 %", bml_claims::claim_16},
    Claim{17, kBml, "section 4.3",
          "the smaller the batch, the larger the gain", bml_claims::claim_17},
    Claim{18, kBml, "section 4.3",
          "0 to 50 % for k = 2; above 50 % comes from placement", bml_claims::claim_18},
    Claim{19, kMerging, "equations 4-5",
          "speed-up N/(1+r), r the communication left over computing", mg_wfbp_claims::claim_19},
    Claim{20, kMerging, "equations 6-8",
          "WFBP's iteration, layer by layer", mg_wfbp_claims::claim_20},
    Claim{21, kMerging, "equation 9",
          "SyncEASGD's iteration: t_f + t_b + a + b M", mg_wfbp_claims::claim_21},
    Claim{22, kMerging, "equations 10-11",
          "an all-reduce takes a + b M; merging two saves a", mg_wfbp_claims::claim_22},
    Claim{23, kMerging, "Table II",
          "a and b of five all-reduce algorithms", mg_wfbp_claims::claim_23},
    Claim{24, kMerging, "INFOCOM, section V.A",
          "start-up times on 2, 4 and 8 nodes", mg_wfbp_claims::claim_24},
    Claim{25, kMerging, "section 1",
          "all-reduces of 200 and 400 KB on 8 nodes", mg_wfbp_claims::claim_25},
    Claim{26, kMerging, "equations 12-21",
          "four cases of merging two layers", mg_wfbp_claims::claim_26},
    Claim{27, kMerging, "Theorem 1",
          "the greedy rule merges optimally", mg_wfbp_claims::claim_27},
    Claim{28, kMerging, "section 4.2",
          "an O(L^2) rule instead of 2^L schedules", mg_wfbp_claims::claim_28},
    Claim{29, kMerging, "section 6.3.2",
          "merging changes no gradient and no convergence", mg_wfbp_claims::claim_29},
    Claim{30, kMerging, "section 4.3",
          "the rule holds for parameter servers, too", mg_wfbp_claims::claim_30},
    Claim{31, kMerging, "Table III, Figure 4",
          "three clusters and their fits", mg_wfbp_claims::claim_31},
    Claim{32, kMerging, "Table IV",
          "six models: tensors, parameters, multiply-adds", mg_wfbp_claims::claim_32},
    Claim{33, kMerging, "section 6.2, Figure 5",
          "how many tensors are small", mg_wfbp_claims::claim_33},
    Claim{34, kMerging, "Figures 6-8",
          "1.2 and 1.36 times as fast on 8 K80 nodes", mg_wfbp_claims::claim_34},
    Claim{35, kMerging, "section 6.3.1",
          "WFBP scales to 4 nodes and drops at 8", mg_wfbp_claims::claim_35},
    Claim{36, kMerging, "Figure 9",
          "gains on 16 V100, four models, two networks", mg_wfbp_claims::claim_36},
    Claim{37, kMerging, "section 6.3.2",
          "neither baseline always wins; MG-WFBP does", mg_wfbp_claims::claim_37},
    Claim{38, kMerging, "section 6.4, Figure 10",
          "how many messages are left, 4 to 2048 workers", mg_wfbp_claims::claim_38},
    Claim{39, kMerging, "section 6.4",
          "gains with 64 workers", mg_wfbp_claims::claim_39},
    Claim{40, kMerging, "Figure 10",
          "WFBP's and SyncEASGD's curves cross", mg_wfbp_claims::claim_40},
    Claim{41, kMerging, "section 6.4",
          "from 256 workers a single message is optimal", mg_wfbp_claims::claim_41},
    Claim{42, kMerging, "Figure 11",
          "with double binary trees both beat SyncEASGD", mg_wfbp_claims::claim_42},
    Claim{43, kMerging, "section 5.3",
          "merging costs one model of memory, and little time", mg_wfbp_claims::claim_43},
    Claim{44, kLate, "section 2.1",
          "one layer of 400 MB takes 400 ms at 10 Gbit/s", late_multiply_claims::claim_44},
    Claim{45, kLate, "section 2.1",
          "all-gather of inputs and errors instead of reducing weights", late_multiply_claims::claim_45},
    Claim{46, kLate, "Table 1",
          "communication of AlexNet, with and without", late_multiply_claims::claim_46},
    Claim{47, kLate, "section 3.1",
          "more gain on Ethernet than on InfiniBand", late_multiply_claims::claim_47},
    Claim{48, kLate, "section 2.2",
          "AlexNet: parameters, share of dense layers, per neuron", late_multiply_claims::claim_48},
    Claim{49, kLate, "Table 2",
          "data moved by data and hybrid parallelism", late_multiply_claims::claim_49},
    Claim{50, kLate, "Tables 2-3",
          "iteration times and speed-ups of both", late_multiply_claims::claim_50},
    Claim{51, kLate, "section 2.2",
          "hybrid: sum gradients, scale weight decay by 1/m", late_multiply_claims::claim_51},
    Claim{52, kLate, "section 4",
          "placing layers by an integer program is NP-hard", nullptr},
    Claim{53, kRing, "The Communication Problem",
          "a single reducer: +1.2 s on 2 GPUs, +10.8 s on 10", ring_claims::claim_53},
    Claim{54, kRing, "The Scatter-Reduce, The Allgather",
          "who sends which chunk in which step", ring_claims::claim_54},
    Claim{55, kRing, "Allreduce Communication Cost",
          "every GPU sends and receives 2(N-1)/N K", ring_claims::claim_55},
    Claim{56, kRing, "Applying the Allreduce",
          "300 million parameters over 6 GB/s: 400 ms", ring_claims::claim_56},
    Claim{57, kRing, "Applying the Allreduce",
          "40 GPUs: 650 to 700 ms; overlap saves 70 to 120 ms", ring_claims::claim_57},
    Claim{58, kRing, "Allreduce Communication Cost",
          "scales with N; the slowest link decides; order matters", ring_claims::claim_58},
};
// clang-format on

}  // namespace

std::span<const Claim> claims() {
  return kClaims;
}

Finding judge(const Claim& claim, const Runs& runs) {
  if (claim.judge != nullptr) return claim.judge(runs);
  Finding finding;
  finding.published = "stated, not proved";
  finding.theory = finding.simulated = finding.measured = "-";
  finding.stated = {Outcome::impossible, "stated, not proved, and nothing that could be run"};
  finding.verdict = verdict_of(finding);
  return finding;
}

}  // namespace gradwire::claims
