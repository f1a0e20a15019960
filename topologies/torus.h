#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// A torus of two or three dimensions: hosts joined to each other, without switches.
///
///     torus(3,2):   ┌─ 3 ── 4 ── 5 ─┐      rank = x0 + 3 x1
///                   ┌─ 0 ── 1 ── 2 ─┐      the ends of a row meet, and those of a column
///
/// Port 2d of a host goes to the host whose coordinate x_d is one more, port 2d+1 to the one whose
/// x_d is one less (mod the side). A side of 2 has two parallel cables between its two hosts.
///
/// Routes: hosts relay, one dimension after the other, the highest first; but the dimension of the
/// port that the destination is addressed at comes last. In each dimension bytes go the shorter way
/// round. Where both ways are equally long they go the + way, except in the last dimension, where
/// they go the way that arrives at the port. Bytes may arrive at another port than the one that
/// they are addressed at, where the shorter way ends, as on a BCube.
class Torus final : public Topology {
 public:
  /// Builds the torus. Throws InputError unless there are two or three sides, each at least 2, and
  /// at most kMaxHosts hosts.
  explicit Torus(std::span<const std::size_t> sides);

  /// The host's coordinates, the last dimension first: "1,2".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override { return {}; }
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  /// A port of the lowest dimension in which the two ranks differ. Requires from != to.
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  [[nodiscard]] std::optional<std::vector<std::size_t>> translation() const override {
    return sides_;
  }

 private:
  [[nodiscard]] std::size_t coordinate(Rank rank, std::size_t dimension) const;
  /// The number of steps in the + direction from one host to the other: 0..side-1.
  [[nodiscard]] std::size_t ahead(Rank from, Rank to, std::size_t dimension) const;
  [[nodiscard]] std::size_t neighbour(std::size_t host, std::size_t dimension) const;

  std::vector<std::size_t> sides_;
  std::vector<std::size_t> strides_;  ///< ranks that a step in each dimension adds
};

}  // namespace gradwire::topologies
