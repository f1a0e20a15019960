#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "schedule/cost.h"

/// Few hosts that stand for others: a ring of eight, or of four, whose start-up time and rate are
/// such that it costs what an all-reduce of N workers does (experiments/mg-wfbp-scaled-*.yaml,
/// mg-wfbp-figure9-MODEL.yaml). On the wire some of the start-up time is hidden: while a message
/// waits for it, the link's shaper saves up for the next burst. How much was left is shown beside
/// what was wanted.
namespace gradwire::claims {

/// One of these experiments.
struct Scaled {
  std::string experiment;
  std::string stands_for;  ///< as the table shows it: "64 workers by 8 hosts"
  schedule::Affine cost;   ///< what a synchronization of these workers costs
};

/// A ring of 4 to 512 workers, a power of two, on the network of Figure 10.
[[nodiscard]] Scaled scaled_ring(std::size_t workers);
/// Double binary trees of 128, 512 or 2048 workers on the same network.
[[nodiscard]] Scaled scaled_trees(std::size_t workers);
/// The 16 V100 of Figure 9 on 10GbE, with one of its models: resnet152 or densenet161.
[[nodiscard]] Scaled scaled_figure9(const std::string& model);

/// What a claim asks of measured iterations.
using JudgeIterations = std::function<void(const Iterations& all, Entry in)>;

/// Fills the measured column. Says what stands for what, shows the mean start-up time that was found
/// on the wire beside the wanted one, and holds each schedule's iteration against what was predicted
/// of it when its job began: 3 % are allowed. The rest is for `judge`.
void measure_scaled(Evidence& e, const Runs& runs, const Scaled& scaled,
                    const JudgeIterations& judge);

}  // namespace gradwire::claims
