#include "bml/plan.h"

namespace gradwire::bml {
namespace {

using topologies::BCube;

/// Algorithm 1 for one thread of one rank.
class Thread {
 public:
  Thread(const BCube& wiring, Rank self, std::size_t elements, std::size_t number)
      : wiring_(wiring), self_(self), elements_(elements), number_(number) {}

  /// RunAggregation(w).
  [[nodiscard]] Step aggregate(std::size_t w) const {
    const std::size_t level = (number_ + w) % wiring_.k();
    return exchange(level, w, /*own_is_received=*/true, Combine::add);
  }

  /// RunBroadcast(w).
  [[nodiscard]] Step broadcast(std::size_t w) const {
    const std::size_t depth = wiring_.k() - 1 - w;
    const std::size_t level = (number_ + depth) % wiring_.k();
    return exchange(level, depth, /*own_is_received=*/false, Combine::replace);
  }

 private:
  /// Trades groups with every neighbour of a level: in aggregation a rank collects its own group,
  /// in broadcast it hands it out.
  [[nodiscard]] Step exchange(std::size_t level, std::size_t depth, bool own_is_received,
                              Combine how) const {
    Step step;
    const Extent own = group(self_, depth);
    const std::size_t digit = wiring_.digit(self_, level);
    for (std::size_t offset = 1; offset < wiring_.n(); ++offset) {
      const Rank to = wiring_.with_digit(self_, level, (digit + offset) % wiring_.n());
      const Extent theirs = group(to, depth);
      const Peer peer{.rank = to, .via = Port(level), .at = Port(level)};
      const Extent& sent = own_is_received ? theirs : own;
      const Extent& received = own_is_received ? own : theirs;
      if (!sent.empty()) step.sends.push_back({peer, sent});
      if (!received.empty()) step.recvs.push_back({peer, received, how});
    }
    return step;
  }

  /// CalcGset(s, depth): this thread's pieces whose owner agrees with `rank` in digits t..t+depth.
  [[nodiscard]] Extent group(Rank rank, std::size_t depth) const {
    std::size_t first = 0;
    std::size_t size = 1;
    for (std::size_t i = 0; i < wiring_.k(); ++i) {
      const bool agrees = i <= depth;
      first = first * wiring_.n() + (agrees ? wiring_.digit(rank, (number_ + i) % wiring_.k()) : 0);
      if (!agrees) size *= wiring_.n();
    }
    const std::size_t slot = number_ * wiring_.hosts() + first;
    return part_range({0, elements_}, wiring_.k() * wiring_.hosts(), slot, slot + size);
  }

  const BCube& wiring_;
  Rank self_;
  std::size_t elements_;
  std::size_t number_;
};

}  // namespace

Extent extent_of(const BCube& wiring, std::size_t elements, const Piece& piece) {
  std::size_t slot = piece.thread;
  for (std::size_t i = 0; i < wiring.k(); ++i) {
    slot = slot * wiring.n() + wiring.digit(piece.owner, (piece.thread + i) % wiring.k());
  }
  return part({0, elements}, wiring.k() * wiring.hosts(), slot);
}

Plan plan(const BCube& wiring, Rank rank, std::size_t elements) {
  Plan plan{.stepping = Stepping::in_order};
  for (std::size_t t = 0; t < wiring.k(); ++t) {
    const Thread thread(wiring, rank, elements, t);
    Lane lane;
    for (std::size_t w = 0; w < wiring.k(); ++w) lane.push_back(thread.aggregate(w));
    for (std::size_t w = 0; w < wiring.k(); ++w) lane.push_back(thread.broadcast(w));
    plan.lanes.push_back(std::move(lane));
  }
  return plan;
}

double closed_form(std::size_t n, std::size_t k) {
  double hosts = 1;
  for (std::size_t level = 0; level < k; ++level) hosts *= static_cast<double>(n);
  return 2 * (hosts - 1) / (static_cast<double>(k) * hosts);
}

}  // namespace gradwire::bml
