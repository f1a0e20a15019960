#include "topologies/demand.h"

#include <algorithm>
#include <utility>

namespace gradwire::topologies {
namespace {

/// The set of the groups that some hosts are in. A new round number clears the marks.
class Distinct {
 public:
  explicit Distinct(std::size_t groups) : marks_(groups, 0) {}

  std::span<const std::size_t> of(std::span<const std::uint32_t> hosts,
                                  std::span<const std::size_t> group_of) {
    ++round_;
    groups_.clear();
    for (const std::uint32_t host : hosts) {
      const std::size_t group = group_of[host];
      if (std::exchange(marks_[group], round_) != round_) groups_.push_back(group);
    }
    return groups_;
  }
  /// Whether the set holds this group.
  [[nodiscard]] bool has(std::size_t group) const { return marks_[group] == round_; }

 private:
  std::vector<std::size_t> marks_;
  std::vector<std::size_t> groups_;
  std::size_t round_ = 0;
};

/// Whether some group is another than this one.
bool has_other(std::span<const std::size_t> groups, std::size_t group) {
  return groups.size() > 1 || (groups.size() == 1 && groups.front() != group);
}

}  // namespace

Demand::Demand(const Goal& goal) : hosts_(goal.begins.size()) {
  const std::vector<std::size_t> bounds = bounds_of(goal);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    runs_.push_back({.elements = static_cast<double>(bounds[i + 1] - bounds[i])});
  }
  const auto note = [&](const Parts& extents, std::vector<std::uint32_t> Run::*ranks) {
    for (std::size_t rank = 0; rank < extents.size(); ++rank) {
      for (const Extent& extent : extents[rank]) {
        auto i = static_cast<std::size_t>(std::ranges::lower_bound(bounds, extent.first) -
                                          bounds.begin());
        for (; bounds[i] < extent.end(); ++i) {
          (runs_[i].*ranks).push_back(static_cast<std::uint32_t>(rank));
        }
      }
    }
  };
  note(goal.begins, &Run::beginners);
  note(goal.ends, &Run::enders);
}

Demand::Demand(std::size_t hosts) : Demand(all_reduce(hosts, 1)) {}

double Demand::between(std::span<const std::size_t> group_of) const {
  Distinct begin(hosts_);
  Distinct end(hosts_);
  double crossing = 0;
  for (const Run& run : runs_) {
    const auto beginning = begin.of(run.beginners, group_of);
    const auto ending = end.of(run.enders, group_of);
    if (beginning.empty() || ending.empty()) continue;
    const bool is_shared =
        std::ranges::any_of(ending, [&](std::size_t group) { return begin.has(group); });
    const std::size_t times = beginning.size() - 1 + ending.size() - 1 + (is_shared ? 0 : 1);
    crossing += run.elements * static_cast<double>(times);
  }
  return crossing;
}

std::vector<double> Demand::of_each(std::span<const std::size_t> group_of) const {
  Distinct begin(hosts_);
  Distinct end(hosts_);
  std::vector<double> leaving(hosts_, 0);
  std::vector<double> entering(hosts_, 0);
  for (const Run& run : runs_) {
    const auto beginning = begin.of(run.beginners, group_of);
    const auto ending = end.of(run.enders, group_of);
    for (const std::size_t group : beginning) {
      if (has_other(ending, group)) leaving[group] += run.elements;
    }
    for (const std::size_t group : ending) {
      if (has_other(beginning, group)) entering[group] += run.elements;
    }
  }
  for (std::size_t i = 0; i < hosts_; ++i) leaving[i] = std::max(leaving[i], entering[i]);
  return leaving;
}

double Demand::of_set(const std::vector<bool>& inside) const {
  double leaving = 0;
  double entering = 0;
  for (const Run& run : runs_) {
    if (run.beginners.size() == hosts_ && run.enders.size() == hosts_) {  // as in an all-reduce
      leaving += run.elements;
      entering += run.elements;
      continue;
    }
    const auto is_inside = [&](std::uint32_t host) { return inside[host]; };
    if (std::ranges::any_of(run.beginners, is_inside) &&
        !std::ranges::all_of(run.enders, is_inside)) {
      leaving += run.elements;
    }
    if (!std::ranges::all_of(run.beginners, is_inside) &&
        std::ranges::any_of(run.enders, is_inside)) {
      entering += run.elements;
    }
  }
  return std::max(leaving, entering);
}

std::optional<std::vector<std::vector<Demand::Move>>> Demand::moves() const {
  std::vector<std::vector<Move>> all(hosts_);
  for (const Run& run : runs_) {
    if (run.enders.empty()) continue;
    if (run.beginners.size() != 1 || run.enders.size() != 1) return std::nullopt;
    if (run.beginners == run.enders) continue;
    all[run.beginners.front()].push_back({.to = run.enders.front(), .elements = run.elements});
  }
  return all;
}

}  // namespace gradwire::topologies
