#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/peers/collective.h"
#include "collectives/peers/gloo/algorithm.h"
#include "core/text/spec.h"
#include "core/units.h"
#include "harness/names/link_limits.h"
#include "results/record/configuration.h"
#include "results/record/libraries.h"

/// Algorithms that are somebody else's library (collectives/peers/), measured beside ours: the same links, the
/// same gradient, verified alike. gloo(ring) is an algorithm of an all-reduce, gloo(all-gather) what
/// the library does for another collective. They have no Plan, so nothing of theirs is proven, counted, drawn
/// or simulated.
namespace gradwire::names {

[[nodiscard]] bool is_peer(const text::Spec& algorithm);
/// Whether its ranks must be started by mpirun.
[[nodiscard]] bool needs_mpi(const text::Spec& algorithm);

/// Whose it is. Requires is_peer.
[[nodiscard]] record::Library library_of(const text::Spec& algorithm);

/// An algorithm of a library, as users name it.
struct PeerKind {
  std::string name;   ///< "gloo(ring)", "mpi"
  std::string about;  ///< what it does, and over which ports
};

/// All of them; `gradwire list algorithms` prints them behind ours.
[[nodiscard]] std::vector<PeerKind> peer_kinds();
/// Their names.
[[nodiscard]] std::vector<std::string> peer_names();

/// What the library is asked for. Requires is_peer.
[[nodiscard]] peers::What peer_what(const text::Spec& algorithm);

/// Throws InputError, without a place, for an argument that the library does not know, or more than
/// it can count. Requires is_peer.
void check_peer(const text::Spec& algorithm, std::size_t elements);

/// Which of Gloo's it is, if it is an all-reduce. Throws as check_peer.
[[nodiscard]] peers::gloo::Algorithm gloo_algorithm(const text::Spec& algorithm);

/// A collective between hosts that have some ports each.
struct PeerCall {
  std::string_view collective = record::kAllReduce;
  std::size_t ranks = 0;
  std::size_t ports = 1;  ///< of a host that the library uses
  std::size_t elements = 0;
};

/// Bytes that the busiest host sends or receives with the fewest that do: S times record::bus_factor,
/// so 2(N-1)/N S in an all-reduce.
[[nodiscard]] double least_port_bytes(const PeerCall& call);

/// How many ports of a host a library uses when it has `ports_per_host`: MPI all, others the first.
/// Requires is_peer.
[[nodiscard]] std::size_t peer_ports(const text::Spec& algorithm, std::size_t ports_per_host);

/// What efficiency is measured by where there is no Plan: the bandwidth bound of the collective,
/// least_port_bytes divided among the ports, less a burst of each. Whatever the algorithm, the ranks
/// of an all-reduce send 2(N-1) S in all, so some port sends that much; in a broadcast some host
/// receives S. One that does not send the least is below 100 % by design.
[[nodiscard]] Seconds peer_bound(const PeerCall& call, const LinkLimits& limits);

/// What mpirun is told beside its usual arguments, so that its processes run the algorithm.
/// Requires needs_mpi and what check_peer lets pass.
[[nodiscard]] std::vector<std::string> mpirun_arguments(const text::Spec& algorithm);

}  // namespace gradwire::names
