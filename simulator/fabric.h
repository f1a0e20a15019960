#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "simulator/network.h"
#include "topologies/least_time.h"
#include "topologies/topology.h"

/// What Plans are simulated on: who meets whom, over which directed links.
namespace gradwire::simulator {

using topologies::ChannelEnd;

/// What Plans are run on by actors: ranks, or one rank that stands for all.
class Fabric {
 public:
  virtual ~Fabric() = default;

  /// The wiring, which outlives the fabric.
  [[nodiscard]] virtual const topologies::Topology& topology() const = 0;
  /// How many actors there are.
  [[nodiscard]] virtual std::size_t actors() const = 0;
  /// Who receives what `actor` sends to `peer` (and sends what it receives from there). Throws
  /// InternalError when the wiring's route does not leave through the port that the Peer names.
  [[nodiscard]] virtual ChannelEnd opposite(std::size_t actor, const Peer& peer) const = 0;
  /// The links that bytes from `actor` to `peer` cross, each link once.
  [[nodiscard]] virtual std::vector<LinkUse> route(std::size_t actor, const Peer& peer) const = 0;
  /// How fast every directed link is, times the rate of a link of speed 1.
  [[nodiscard]] virtual std::vector<double> speeds() const = 0;
};

/// Every rank is an actor, every direction of every cable a link (topologies::link_number).
class WholeFabric final : public Fabric {
 public:
  explicit WholeFabric(const topologies::Topology& topology)
      : topology_(topology), carriage_(topologies::carriage_of(topology)) {}

  [[nodiscard]] const topologies::Topology& topology() const override { return topology_; }
  [[nodiscard]] std::size_t actors() const override { return topology_.hosts(); }
  [[nodiscard]] ChannelEnd opposite(std::size_t actor, const Peer& peer) const override {
    return carriage_.opposite(actor, peer);
  }
  [[nodiscard]] std::vector<LinkUse> route(std::size_t actor, const Peer& peer) const override {
    return carriage_.links_of(actor, peer);
  }
  [[nodiscard]] std::vector<double> speeds() const override { return carriage_.speeds; }

 private:
  const topologies::Topology& topology_;
  topologies::Carriage carriage_;
};

/// Rank 0 stands for all ranks of a wiring with a translation, when the Plans are translations of
/// each other (symmetry.h). Ports are told apart, hosts are not: port i of rank 0 has two links,
/// towards the host and away from it, which carry what the like links of any host carry. A flow
/// that relays through other hosts crosses such a link as often as it passes a host's port i.
class FoldedFabric final : public Fabric {
 public:
  /// Requires topology.translation().
  explicit FoldedFabric(const topologies::Topology& topology);

  [[nodiscard]] const topologies::Topology& topology() const override { return topology_; }
  [[nodiscard]] std::size_t actors() const override { return 1; }
  [[nodiscard]] ChannelEnd opposite(std::size_t actor, const Peer& peer) const override;
  [[nodiscard]] std::vector<LinkUse> route(std::size_t actor, const Peer& peer) const override;
  [[nodiscard]] std::vector<double> speeds() const override;

 private:
  const topologies::Topology& topology_;
  std::vector<std::size_t> radices_;
};

/// The rank to which `by` moves `rank`: the digits' sums, modulo the radices.
[[nodiscard]] Rank translated(Rank rank, Rank by, std::span<const std::size_t> radices);
/// The translation that moves `rank` to 0.
[[nodiscard]] Rank inverse(Rank rank, std::span<const std::size_t> radices);

}  // namespace gradwire::simulator
