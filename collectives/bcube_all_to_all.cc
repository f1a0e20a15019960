#include "collectives/bcube_all_to_all.h"

#include <utility>
#include <vector>

#include "core/error.h"
#include "topologies/bcube.h"

namespace gradwire::collectives::bcube_all_to_all {
namespace {

using topologies::Digits;

/// Builds one lane of a rank.
class LaneOfRank {
 public:
  /// A lane for `blocks`, which are those of all pairs, by sender, then receiver.
  LaneOfRank(const Digits& digits, Rank self, std::span<const Extent> blocks, std::size_t number)
      : digits_(digits), self_(self), blocks_(blocks), number_(number), lane_(digits.k()) {}

  [[nodiscard]] Lane make() {
    for (std::size_t from = 0; from < digits_.count(); ++from) {
      for (std::size_t to = 0; to < digits_.count(); ++to) follow(Rank(from), Rank(to));
    }
    return std::move(lane_);
  }

 private:
  /// Notes the step in which the piece of a block leaves this rank, and the one in which it
  /// arrives.
  void follow(Rank from, Rank to) {
    const Extent piece = piece_of(from, to);
    if (piece.empty()) return;
    Rank at = from;
    for (std::size_t step = 0; step < digits_.k(); ++step) {
      const std::size_t level = (number_ + step) % digits_.k();
      const Rank next = digits_.with_digit(at, level, digits_.digit(to, level));
      if (next != at && at == self_) lane_[step].sends.push_back({peer(next, level), piece});
      if (next != at && next == self_) {
        lane_[step].recvs.push_back({peer(at, level), piece, Combine::replace});
      }
      at = next;
    }
  }

  [[nodiscard]] Extent piece_of(Rank from, Rank to) const {
    return part(blocks_[from.index() * digits_.count() + to.index()], digits_.k(), number_);
  }

  [[nodiscard]] static Peer peer(Rank rank, std::size_t level) {
    return {.rank = rank, .via = Port(level), .at = Port(level)};
  }

  const Digits& digits_;
  Rank self_;
  std::span<const Extent> blocks_;
  std::size_t number_;
  Lane lane_;
};

Plan plan_of(const Digits& digits, Rank rank, std::span<const Extent> blocks) {
  Plan plan{.stepping = Stepping::in_order};
  for (std::size_t t = 0; t < digits.k(); ++t) {
    plan.lanes.push_back(LaneOfRank(digits, rank, blocks, t).make());
  }
  return plan;
}

}  // namespace

Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements) {
  const Digits digits = topologies::require_bcube(wiring, "all-to-all(bcube)");
  const std::size_t hosts = digits.count();
  std::vector<Extent> blocks;
  for (std::size_t from = 0; from < hosts; ++from) {
    const Extent sent = part({0, hosts * elements}, hosts, from);
    for (std::size_t to = 0; to < hosts; ++to) blocks.push_back(part(sent, hosts, to));
  }
  return plan_of(digits, rank, blocks);
}

Plan plan(const topologies::Topology& wiring, Rank rank, std::span<const std::size_t> counts) {
  const Digits digits = topologies::require_bcube(wiring, "all-to-all(bcube)");
  ensure(counts.size() == digits.count() * digits.count(), "every pair of ranks has a count");
  std::vector<Extent> blocks;
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    blocks.push_back({.first = first, .count = count});
    first += count;
  }
  return plan_of(digits, rank, blocks);
}

double closed_form(std::size_t n) {
  return static_cast<double>(n - 1) / static_cast<double>(n);
}

}  // namespace gradwire::collectives::bcube_all_to_all
