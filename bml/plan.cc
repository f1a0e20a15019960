#include "bml/plan.h"

#include "topologies/bcube.h"

namespace gradwire::bml {
namespace {

using topologies::Digits;

/// Algorithm 1 for one thread of one rank.
class Thread {
 public:
  Thread(const Digits& digits, Rank self, std::size_t elements, std::size_t number)
      : digits_(digits), self_(self), elements_(elements), number_(number) {}

  /// The step RunAggregation(w).
  [[nodiscard]] Step aggregate(std::size_t w) const {
    const std::size_t level = (number_ + w) % digits_.k();
    return exchange(level, w, /*own_is_received=*/true, Combine::add);
  }

  /// The step RunBroadcast(w).
  [[nodiscard]] Step broadcast(std::size_t w) const {
    const std::size_t depth = digits_.k() - 1 - w;
    const std::size_t level = (number_ + depth) % digits_.k();
    return exchange(level, depth, /*own_is_received=*/false, Combine::replace);
  }

 private:
  /// The step that trades groups with every neighbour of a level: in aggregation a rank collects
  /// its own group, in broadcast it hands it out.
  [[nodiscard]] Step exchange(std::size_t level, std::size_t depth, bool own_is_received,
                              Combine how) const {
    Step step;
    const Extent own = group(self_, depth);
    const std::size_t digit = digits_.digit(self_, level);
    for (std::size_t offset = 1; offset < digits_.n(); ++offset) {
      const Rank to = digits_.with_digit(self_, level, (digit + offset) % digits_.n());
      const Extent theirs = group(to, depth);
      const Peer peer{.rank = to, .via = Port(level), .at = Port(level)};
      const Extent& sent = own_is_received ? theirs : own;
      const Extent& received = own_is_received ? own : theirs;
      if (!sent.empty()) step.sends.push_back({peer, sent});
      if (!received.empty()) step.recvs.push_back({peer, received, how});
    }
    return step;
  }

  /// The group CalcGset(s, depth): this thread's pieces whose owner agrees with `rank` in digits
  /// t..t+depth.
  [[nodiscard]] Extent group(Rank rank, std::size_t depth) const {
    std::size_t first = 0;
    std::size_t size = 1;
    for (std::size_t i = 0; i < digits_.k(); ++i) {
      const bool agrees = i <= depth;
      first = first * digits_.n() + (agrees ? digits_.digit(rank, (number_ + i) % digits_.k()) : 0);
      if (!agrees) size *= digits_.n();
    }
    const std::size_t slot = number_ * digits_.count() + first;
    return part_range({0, elements_}, digits_.k() * digits_.count(), slot, slot + size);
  }

  const Digits& digits_;
  Rank self_;
  std::size_t elements_;
  std::size_t number_;
};

}  // namespace

Extent extent_of(const Digits& digits, std::size_t elements, const Piece& piece) {
  std::size_t slot = piece.thread;
  for (std::size_t i = 0; i < digits.k(); ++i) {
    slot = slot * digits.n() + digits.digit(piece.owner, (piece.thread + i) % digits.k());
  }
  return part({0, elements}, digits.k() * digits.count(), slot);
}

Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements) {
  const Digits digits = topologies::require_bcube(wiring, "bml");
  Plan plan{.stepping = Stepping::in_order};
  for (std::size_t t = 0; t < digits.k(); ++t) {
    const Thread thread(digits, rank, elements, t);
    Lane lane;
    for (std::size_t w = 0; w < digits.k(); ++w) lane.push_back(thread.aggregate(w));
    for (std::size_t w = 0; w < digits.k(); ++w) lane.push_back(thread.broadcast(w));
    plan.lanes.push_back(std::move(lane));
  }
  return plan;
}

bool ranks_are_alike(const topologies::Topology& wiring, std::size_t elements) {
  return topologies::translates_digits(wiring) && elements % wiring.hosts() == 0;
}

Parts parts(const topologies::Topology& wiring, std::size_t elements) {
  const Digits digits = topologies::require_bcube(wiring, "bml");
  Parts parts(digits.count());
  for (std::size_t i = 0; i < digits.count(); ++i) {
    for (std::size_t t = 0; t < digits.k(); ++t) {
      const Extent piece = extent_of(digits, elements, {.thread = t, .owner = Rank(i)});
      if (!piece.empty()) parts[i].push_back(piece);
    }
  }
  return parts;
}

double closed_form(std::size_t n, std::size_t k) {
  double hosts = 1;
  for (std::size_t level = 0; level < k; ++level) hosts *= static_cast<double>(n);
  return 2 * (hosts - 1) / (static_cast<double>(k) * hosts);
}

}  // namespace gradwire::bml
