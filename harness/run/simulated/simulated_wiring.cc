#include "harness/run/simulated/simulated_wiring.h"

#include <algorithm>

#include <fmt/core.h>

#include "collectives/algorithms/amount.h"
#include "core/count.h"
#include "core/error.h"
#include "core/text/yaml_reader.h"
#include "harness/run/machine_needs.h"
#include "harness/workers/interrupt.h"
#include "results/record/flags.h"
#include "simulator/symmetry.h"
#include "testbed/machine_room.h"

namespace gradwire::run {
namespace {

/// Bytes of memory per message, measured: both ends' operations, what waits for them, the Plans.
constexpr double kBytesPerMessage = 350;
/// Bytes of memory per message and link that it crosses, beside those.
constexpr double kBytesPerHop = 20;
/// More elements are not added, in proportion.
constexpr double kMostPadding = 0.05;

}  // namespace

SimulatedWiring::SimulatedWiring(const PreparedPoint& point, const Options& options)
    : point_(point),
      amount_(point.training ? algorithms::amount_of(point.training->profile)
                             : point.task.algorithm.amount_of(point.task.workload)),
      topology_(point.task.wiring) {
  text::at(point.places.algorithm, [&] { point.task.algorithm.check_size(amount_, {.plans = 1}); });
  if (topology_->hosts() <= algorithms::kMostProven) {
    static_cast<void>(point_.task.algorithm.proven_plans(amount_));
  } else {
    flags_.emplace_back(record::kFlagNotProven);
  }
  choose(options.every_rank);
}

void SimulatedWiring::choose(bool every_rank) {
  // Buckets divide differently from the whole, and each costs about as many messages.
  const std::uint64_t buckets = point_.training ? point_.training->profile.layers.size() : 1;
  const Plan first = plan(Rank(0), amount_);
  sends_of_first_ = send_count(first);
  const std::uint64_t messages = sends_of_first_ * topology_->hosts() * buckets;
  const bool may_fold = !every_rank && topology_->translation().has_value();
  const bool is_exact = may_fold && !point_.training && is_symmetric(amount_);
  is_padded_ = may_fold && !is_exact && messages > kMostExact && is_little_padded() &&
               is_symmetric(padded(amount_));
  if (is_padded_) flags_.emplace_back(record::kFlagPadded);
  if (is_exact || is_padded_) {
    fabric_ = std::make_unique<simulator::FoldedFabric>(*topology_);
  } else {
    require_room(messages, mean_hops(first));
    fabric_ = std::make_unique<simulator::WholeFabric>(*topology_);
  }
}

std::uint64_t SimulatedWiring::messages_per_bucket() const {
  return sends_of_first_ * fabric_->actors();
}

bool SimulatedWiring::is_symmetric(const algorithms::Amount& amount) const {
  const auto plan_of = [&](Rank rank) { return plan(rank, amount); };
  if (!point_.task.algorithm.ranks_are_alike(amount)) {
    return simulator::is_symmetric(*topology_, plan_of);
  }
  simulator::check_alike(*topology_, plan_of);
  return true;
}

algorithms::Amount SimulatedWiring::padded(algorithms::Amount amount) const {
  const std::size_t unit = topology_->hosts() * topology_->ports_per_host();
  amount.elements = (amount.elements + unit - 1) / unit * unit;
  amount.tensors.clear();
  return amount;
}

void SimulatedWiring::require_room(std::uint64_t messages, double hops) const {
  const double each = kBytesPerMessage + kBytesPerHop * hops;
  const double bytes = static_cast<double>(messages) * each;
  const double room = kRoomShare * testbed::machine_room().memory_bytes;
  if (bytes <= room) return;
  throw InputError(
      point_.places.algorithm,
      fmt::format("{} on {} sends {} messages, which takes about {} to simulate, {} more than this "
                  "machine can give; a smaller wiring, or fewer buckets, will do",
                  point_.configuration.algorithm, topology_->name(), messages, format_bytes(bytes),
                  format_bytes(bytes - room)));
}

bool SimulatedWiring::is_little_padded() const {
  const auto elements = static_cast<double>(amount_.elements);
  return static_cast<double>(padded(amount_).elements) <= (1 + kMostPadding) * elements;
}

double SimulatedWiring::mean_hops(const Plan& first) const {
  std::size_t hops = 0;
  for (const Lane& lane : first.lanes) {
    for (const Step& step : lane) {
      for (const Send& send : step.sends) {
        hops += topology_->route(Rank(0), send.to.rank, send.to.at).size();
      }
    }
  }
  return static_cast<double>(hops) /
         static_cast<double>(std::max<std::uint64_t>(send_count(first), 1));
}

Plan SimulatedWiring::plan(Rank rank, const algorithms::Amount& amount) const {
  workers::heed_signals();
  return text::at(point_.places.algorithm,
                  [&] { return point_.task.algorithm.plan(rank, amount); });
}

std::vector<Plan> SimulatedWiring::plans(algorithms::Amount amount) const {
  if (is_padded_) amount = padded(std::move(amount));
  std::vector<Plan> plans;
  plans.reserve(fabric_->actors());
  for (std::size_t i = 0; i < fabric_->actors(); ++i) plans.push_back(plan(Rank(i), amount));
  return plans;
}

}  // namespace gradwire::run
