#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/algorithm.h"
#include "collectives/peers/collective.h"
#include "collectives/peers/gloo/algorithm.h"
#include "collectives/peers/mpi/algorithm.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "topologies/link_limits.h"
#include "topologies/topology.h"

/// Algorithms that are somebody else's library (collectives/peers/), measured beside ours: the same
/// links, the same gradient, verified alike. gloo(ring) is an algorithm of an all-reduce,
/// gloo(all-gather) what the library does for another collective. They have no Plan, so nothing of
/// theirs is proven, counted, drawn or simulated.
namespace gradwire::algorithms {

/// Whether it names a library's algorithm.
[[nodiscard]] bool is_peer(const text::Spec& spec);

/// An algorithm of a library, as users name it.
struct PeerKind {
  std::string name;   ///< "gloo(ring)", "mpi"
  std::string about;  ///< a phrase: what it does, and over which ports
};

/// All of them; `gradwire list algorithms` prints them behind ours.
[[nodiscard]] std::vector<PeerKind> peer_kinds();
/// Their names.
[[nodiscard]] std::vector<std::string> peer_names();

/// A request to a library on a wiring.
class Peer {
 public:
  enum class Library : std::uint8_t { gloo, mpi };

  /// Throws InputError, without a place, for an argument that the library does not know.
  Peer(const text::Spec& spec, const topologies::Topology& topology);

  [[nodiscard]] Library library() const { return library_; }
  /// Whether its ranks must be started by mpirun.
  [[nodiscard]] bool needs_mpi() const { return library_ == Library::mpi; }
  [[nodiscard]] peers::What what() const { return what_; }
  /// Gloo's algorithm of an all-reduce; Algorithm::ring for other collectives.
  [[nodiscard]] peers::gloo::Algorithm gloo() const { return gloo_; }
  /// The arguments of mpirun, beside its usual ones, that make its processes run the algorithm.
  /// Requires needs_mpi.
  [[nodiscard]] std::vector<std::string> mpirun_arguments() const;

  /// Throws InputError, without a place, for more elements than the library can count.
  void check(std::size_t elements) const;
  /// Bytes that the busiest host sends or receives at least: S times collectives::bus_factor, so
  /// 2(N-1)/N S in an all-reduce.
  [[nodiscard]] double least_port_bytes(std::size_t elements) const;
  /// The time by which efficiency is measured where there is no Plan: the bandwidth bound of the
  /// collective. It is least_port_bytes divided among the ports that the library uses (MPI all,
  /// others the first of a host), less a burst of each. Whatever the algorithm, the ranks of an
  /// all-reduce send 2(N-1) S in all, so some port sends that much; in a broadcast some host receives
  /// S. One that does not send the least is below 100 % by design.
  [[nodiscard]] Seconds bound(std::size_t elements, const topologies::LinkLimits& limits) const;

 private:
  Library library_;
  peers::What what_;
  peers::gloo::Algorithm gloo_ = peers::gloo::Algorithm::ring;
  peers::mpi::Algorithm mpi_ = peers::mpi::Algorithm::automatic;
  std::size_t ranks_;
  std::size_t ports_;  ///< ports of a host that the library uses
};

/// Throws as Peer.
[[nodiscard]] std::shared_ptr<const Method> make_peer(const text::Spec& spec,
                                                      const topologies::Topology& topology);

}  // namespace gradwire::algorithms
