#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan.h"
#include "results/claims/runs.h"
#include "schedule/backward_pass.h"
#include "schedule/collective_cost.h"
#include "schedule/cost.h"
#include "schedule/policy.h"
#include "topologies/topology.h"

/// What claims are computed from: this project's Plans, costs and schedules.
namespace gradwire::claims {

/// 2(N-1)/N.
[[nodiscard]] constexpr double two_t_f(std::size_t ranks) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

/// A wiring and every rank's Plan on it.
struct Planned {
  std::unique_ptr<const topologies::Topology> topology;
  std::vector<Plan> plans;
  std::size_t elements = 0;

  /// Step after step, what the slowest link takes; in units of T_F. 2(N-1)/N of a ring.
  [[nodiscard]] double t_f() const;
};

/// Both by the names that experiments use. Without `elements`, so many that every algorithm divides
/// them evenly.
[[nodiscard]] Planned plan_all(std::string_view algorithm, std::string_view wiring,
                               std::size_t elements = 0);

/// The same of a workload such as "alexnet", or hybrid(...).
[[nodiscard]] Planned plan_all_of(std::string_view algorithm, std::string_view wiring,
                                  const std::string& workload);
/// Elements that all ports send together, and receive together: each is counted once.
[[nodiscard]] double sent(const Planned& planned);

/// plan_all(...).t_f()
[[nodiscard]] double t_f_of(std::string_view algorithm, std::string_view wiring);

/// Whether all sums are right, by the symbolic checker.
[[nodiscard]] bool is_proven(const Planned& planned);

/// The network of MG-WFBP's plotting script: 45.25 us a message, 1.2/9 ns per bit with binary
/// prefixes, 2.5 ns per byte added.
inline constexpr schedule::Network kPlotted{
    .alpha = Seconds(45.25e-6), .beta = 1.2 / (9 * 1073741824.0 / 8), .gamma = 2.5e-9};

/// What MG-WFBP's authors found that all-reduces among Figure 9's 16 V100 cost.
[[nodiscard]] schedule::Affine found_on_10gbe();
[[nodiscard]] schedule::Affine found_on_56gbib();

/// GoogLeNet on a K80, by the authors of MG-WFBP.
[[nodiscard]] const schedule::BackwardPass& googlenet_trace();

/// ResNet-50 on a K80: derived, and as long as makes WFBP as efficient as those authors print.
[[nodiscard]] const schedule::BackwardPass& resnet50_derived();

/// How long an iteration takes.
[[nodiscard]] double iteration(const schedule::BackwardPass& pass,
                               const schedule::Schedule& schedule, const schedule::Affine& cost);

/// The line through the synchronization times of an algorithm's rows, by their bytes.
[[nodiscard]] schedule::Fit line_through(const Rows& rows, std::string_view algorithm);

/// How long the iterations of MG-WFBP and its rivals take.
struct Iterations {
  double wfbp = 0, synceasgd = 0, mg_wfbp = 0, optimum = 0;
  std::size_t messages = 0;  ///< of MG-WFBP
  schedule::Affine cost;     ///< by which it merged

  /// MG-WFBP is faster than both by so much; a share.
  [[nodiscard]] double gain_over_wfbp() const { return wfbp / mg_wfbp - 1; }
  [[nodiscard]] double gain_over_synceasgd() const { return synceasgd / mg_wfbp - 1; }
};

[[nodiscard]] Iterations iterations(const schedule::BackwardPass& pass,
                                    const schedule::Affine& cost);

}  // namespace gradwire::claims
