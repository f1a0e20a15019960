#include "simulator/symmetry.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "simulator/fabric.h"

namespace gradwire::simulator {
namespace {

std::size_t entries(const Plan& plan) {
  std::size_t count = 1;
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) count += 1 + step.sends.size() + step.recvs.size();
  }
  return count;
}

class Comparison {
 public:
  Comparison(Rank by, std::span<const std::size_t> radices) : by_(by), radices_(radices) {}

  [[nodiscard]] bool alike(const Plan& first, const Plan& moved) const {
    return first.role == moved.role &&
           std::ranges::equal(first.lanes, moved.lanes, [&](const Lane& a, const Lane& b) {
             return std::ranges::equal(
                 a, b, [&](const Step& s, const Step& t) { return alike_steps(s, t); });
           });
  }

 private:
  /// Transfers may stand in another order: peers are often listed by number, and numbers wrap.
  [[nodiscard]] bool alike_steps(const Step& first, const Step& moved) const {
    return transfers(first, by_) == transfers(moved, Rank(0));
  }

  /// Peer, moved by `by`; whether it is a send, and what a receive does; elements. In order.
  using Transfer = std::tuple<Peer, int, std::size_t>;
  [[nodiscard]] std::vector<Transfer> transfers(const Step& step, Rank by) const {
    std::vector<Transfer> list;
    list.reserve(step.sends.size() + step.recvs.size());
    const auto moved = [&](const Peer& peer) {
      return Peer{.rank = translated(peer.rank, by, radices_), .via = peer.via, .at = peer.at};
    };
    for (const Send& send : step.sends) list.emplace_back(moved(send.to), -1, send.what.count);
    for (const Recv& recv : step.recvs) {
      list.emplace_back(moved(recv.from), static_cast<int>(recv.how), recv.where.count);
    }
    std::ranges::sort(list);
    return list;
  }

  Rank by_;
  std::span<const std::size_t> radices_;
};

}  // namespace

bool is_symmetric(const topologies::Topology& topology, const PlanOf& plan_of, std::size_t most) {
  const auto radices = topology.translation();
  if (!radices) return false;
  const Plan first = plan_of(Rank(0));
  const std::size_t ranks = std::clamp<std::size_t>(most / entries(first), 2, topology.hosts());
  const std::size_t stride = (topology.hosts() + ranks - 1) / ranks;
  for (std::size_t rank = 1; rank < topology.hosts(); rank += stride) {
    if (!Comparison(Rank(rank), *radices).alike(first, plan_of(Rank(rank)))) return false;
  }
  return true;
}

}  // namespace gradwire::simulator
