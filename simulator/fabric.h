#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"
#include "simulator/network.h"
#include "topologies/least_time.h"
#include "topologies/topology.h"

/// The fabric that Plans are simulated on: which actors meet, over which directed links.
namespace gradwire::simulator {

using topologies::ChannelEnd;

/// A set of actors that run Plans, and the links between them. An actor is a rank, or one rank that
/// stands for all.
class Fabric {
 public:
  virtual ~Fabric() = default;

  /// The wiring, which outlives the fabric.
  [[nodiscard]] virtual const topologies::Topology& topology() const = 0;
  /// The number of actors.
  [[nodiscard]] virtual std::size_t actors() const = 0;
  /// The other end of the channel from `actor` to `peer`, in both directions. Throws InternalError
  /// when the wiring's route does not leave through the port that the Peer names.
  [[nodiscard]] virtual ChannelEnd opposite(std::size_t actor, const Peer& peer) const = 0;
  /// The links that bytes from `actor` to `peer` cross, each link once.
  [[nodiscard]] virtual std::vector<LinkUse> route(std::size_t actor, const Peer& peer) const = 0;
  /// The speed of every directed link, times the rate of a link of speed 1.
  [[nodiscard]] virtual std::vector<double> speeds() const = 0;
};

/// A fabric in which every rank is an actor, and every direction of every cable a link
/// (topologies::link_number).
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

/// A fabric in which rank 0 stands for all ranks of a wiring with a translation, when the Plans are
/// translations of each other (symmetry.h). It distinguishes ports, but not hosts: port i of rank 0
/// has two links, towards the host and away from it, which carry the same as those links of any
/// host. A flow that relays through other hosts crosses such a link as often as it passes a host's
/// port i.
class FoldedFabric final : public Fabric {
 public:
  /// The folded fabric of a wiring. Requires topology.translation().
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
