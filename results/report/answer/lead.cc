#include "results/report/answer/lead.h"

#include <algorithm>
#include <cmath>

#include "core/name_table.h"

namespace gradwire::report {
namespace {

constexpr NameTable<Surety, 6> kSureties({{"computed", Surety::computed},
                                          {"interval", Surety::interval},
                                          {"apart", Surety::apart},
                                          {"single", Surety::single},
                                          {"spoiled", Surety::spoiled},
                                          {"unclear", Surety::unclear}});

std::optional<double> gap_between(std::span<const double> less, std::span<const double> more) {
  const auto [less_low, less_high] = std::ranges::minmax(less);
  const auto [more_low, more_high] = std::ranges::minmax(more);
  const double wider = std::max(less_high - less_low, more_high - more_low);
  if (!(wider > 0)) return std::nullopt;
  return (more_low - less_high) / wider;
}

/// Largest share by which simulated times differ only by rounding.
constexpr double kRounding = 1e-6;

Surety surety_of(const Lead& lead, bool simulated) {
  if (!(lead.ratio.ratio > 1)) return Surety::unclear;
  if (simulated) return lead.ratio.ratio > 1 + kRounding ? Surety::computed : Surety::unclear;
  if (std::min(lead.samples_of_less, lead.samples_of_more) < 2) return Surety::single;
  if (lead.ratio.interval) {
    return lead.ratio.interval->low > 1 ? Surety::interval : Surety::unclear;
  }
  const bool far =
      !lead.gap || is_far_apart(*lead.gap, lead.samples_of_less + lead.samples_of_more);
  return far ? Surety::apart : Surety::unclear;
}

}  // namespace

std::string_view to_string(Surety surety) {
  return kSureties.name_of(surety);
}

bool Lead::is_clear() const {
  return surety == Surety::computed || surety == Surety::interval || surety == Surety::apart;
}

bool Lead::is_tie() const {
  return !is_clear() && surety != Surety::spoiled && std::abs(ratio.ratio - 1) < kTie;
}

bool Lead::may_be_equal() const {
  return is_tie() || surety == Surety::unclear;
}

bool is_far_apart(double gap, std::size_t samples) {
  return gap >= (samples > 4 ? 1 : 3);
}

Lead lead_of(std::span<const double> less, std::span<const double> more, bool simulated) {
  Lead lead{.samples_of_less = less.size(),
            .samples_of_more = more.size(),
            .ratio = estimate_ratio(less, more),
            .gap = gap_between(less, more)};
  lead.surety = surety_of(lead, simulated);
  return lead;
}

}  // namespace gradwire::report
