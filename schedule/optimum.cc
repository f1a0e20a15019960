#include "schedule/optimum.h"

#include <algorithm>
#include <span>

#include "core/error.h"

namespace gradwire::schedule {
namespace {

/// The relative difference below which rounding decides, and not merit, which of two schedules ends
/// first.
constexpr double kTie = 1e-14;

/// A best way to synchronize the first gradients of a pass.
struct Prefix {
  Seconds end{};  ///< f
  double bytes = 0;
  std::size_t buckets = 0;
  std::size_t previous = 0;  ///< gradients in all buckets but the last
};

/// The prefixes of a pass, of which only the empty one is solved.
std::vector<Prefix> prefixes_of(const BackwardPass& pass) {
  std::vector<Prefix> prefixes(pass.gradients.size() + 1);
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    prefixes[i].bytes = prefixes[i - 1].bytes + pass.gradients[i - 1].bytes;
  }
  return prefixes;
}

Schedule trace_back(const std::vector<Prefix>& prefixes) {
  Schedule schedule;
  schedule.buckets.resize(prefixes.back().buckets);
  std::size_t end = prefixes.size() - 1;
  for (auto bucket = schedule.buckets.rbegin(); bucket != schedule.buckets.rend(); ++bucket) {
    const std::size_t first = prefixes[end].previous;
    *bucket = {first, end - first};
    end = first;
  }
  return schedule;
}

/// The index in `prefixes` of the prefix to extend, when that of prefixes[j] ends at ends[j]: one
/// with the fewest buckets among those that end first.
std::size_t best_of(std::span<const Seconds> ends, std::span<const Prefix> prefixes) {
  const Seconds latest = *std::ranges::min_element(ends) * (1 + kTie);
  std::size_t best = ends.size();
  for (std::size_t j = 0; j < ends.size(); ++j) {
    if (ends[j] > latest) continue;
    if (best == ends.size() || prefixes[j].buckets < prefixes[best].buckets) best = j;
  }
  return best;
}

template <class AnyCost>
Schedule plan(const BackwardPass& pass, const AnyCost& cost) {
  std::vector<Prefix> prefixes = prefixes_of(pass);
  std::vector<Seconds> ends(pass.gradients.size());
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    Prefix& prefix = prefixes[i];
    const Seconds ready = pass.gradients[i - 1].ready;
    for (std::size_t j = 0; j < i; ++j) {
      ends[j] = std::max(prefixes[j].end, ready) + cost.at(prefix.bytes - prefixes[j].bytes);
    }
    prefix.previous = best_of(std::span(ends).first(i), prefixes);
    prefix.end = ends[prefix.previous];
    prefix.buckets = prefixes[prefix.previous].buckets + 1;
  }
  return trace_back(prefixes);
}

}  // namespace

Schedule optimum(const BackwardPass& pass, const Cost& cost) {
  return std::visit([&pass](const auto& any) { return plan(pass, any); }, cost);
}

Schedule optimum_affine(const BackwardPass& pass, const Affine& cost) {
  ensure(cost.a >= Seconds(0) && cost.b >= 0, "a cost is not negative and does not fall");
  std::vector<Prefix> prefixes = prefixes_of(pass);
  std::size_t q = 0;
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    Prefix& prefix = prefixes[i];
    const Seconds ready = pass.gradients[i - 1].ready;
    while (q + 1 < i && prefixes[q + 1].end <= ready) ++q;
    // The header's two candidates, not rearranged: differences of nearby times lose digits.
    prefix.previous = q;
    prefix.end = ready + cost.at(prefix.bytes - prefixes[q].bytes);
    if (q + 1 < i) {
      const Seconds end = prefixes[q + 1].end + cost.at(prefix.bytes - prefixes[q + 1].bytes);
      if (end < prefix.end * (1 - kTie)) {
        prefix.previous = q + 1;
        prefix.end = end;
      }
    }
    prefix.buckets = prefixes[prefix.previous].buckets + 1;
  }
  return trace_back(prefixes);
}

}  // namespace gradwire::schedule
