#pragma once

#include <cstddef>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// Parameter server (Li et al., OSDI 2014; as TensorFlow 1 places variables).
///
///        worker 0   worker 1   worker 2         step 0, push: every worker sends each server the
///            │╲    ╱   │   ╲    ╱│                            gradients that the server owns
///            │  ╳      │     ╳   │              step 1, pull: every server sends each worker the
///            │╱    ╲   │   ╱    ╲│                            sums of what it owns
///        server 0   server 1   server 2
///
/// A server answers with a shard (or tensor) once every push of it has arrived. Placement decides
/// which elements a server owns:
///
///     balanced     1/m of the elements each: GST = 2 (P/m) T_F, with P workers pushing to a server
///     per tensor   whole tensors, round robin: GST = 2 P T_F (largest server's share); one large
///                  tensor makes one server the bottleneck (98.1 % of LeNet-5 is one tensor)
///
/// Every rank both worker and server (m = N, P = N-1): GST = 2(N-1)/N T_F, BML paper section 2. One
/// server that also works (m = 1, P = N-1) is the single reducer of the Baidu text: (N-1) T_F one
/// way. Dedicated servers do not work: P = N - m. All for one non-blocking NIC per host; a BCube
/// without aggregation on the way carries 2(n-1)/n T_F.
///
/// A server's elements may travel as pieces, so that it answers with one while the next is pushed.
/// Ports of dedicated servers then carry bytes in both directions: with S pieces of balanced shares
/// GST = (1 + 1/S) (P/m) T_F where P >= m. The ports of ranks that do both are busy without pieces,
/// too.
///
/// In a fixed order every element is summed from rank 0 to rank N-1, ((g0 + g1) + g2) + ...,
/// whichever push arrives first and however the gradient is cut into buckets: the bits of the sum
/// are the same. Rank r pushes piece i in step i + r, and a server adds in the order of the steps.
/// A server that works begins with its own gradient, so only ranks 0 and 1 can be one; dedicated
/// servers begin with nothing. One piece: GST = P (1 + 1/m) T_F, because the ranks push one after
/// the other.
///
/// collectives/byteps.h has dedicated servers beside workers that serve, too.
namespace gradwire::ps {

/// The rule for which server owns which elements.
enum class Placement {
  balanced,    ///< every server owns an equal share of the elements
  per_tensor,  ///< tensor i lives whole on server i mod m, see Options::placed
};

struct Options {
  Placement placement = Placement::balanced;
  /// The number of servers: ranks 0..servers-1 own parameters. 0 means every rank does.
  std::size_t servers = 0;
  /// Whether servers do nothing else: no gradient, no result. Requires 0 < servers < N.
  bool dedicated = false;
  /// The tensors in the buffer, for per_tensor: contiguous from element 0, covering all.
  std::vector<Extent> tensors = {};
  /// The number of extents as which each shard or tensor travels. At least 1; a shard of fewer
  /// elements travels as one extent for each.
  std::size_t pieces = 1;
  /// The number of tensors placed before these: tensor i lives on server (placed + i) mod m.
  /// Buckets of one job leave every tensor on the server that the whole gradient would give it.
  std::size_t placed = 0;
  /// Whether sums are added up in the order of the ranks. At most 2 servers may work then, and
  /// `servers` 0 means 2.
  bool fixed_order = false;
};

/// The Plan of rank `rank`: one lane of two steps, push and pull; in a fixed order as many steps as
/// there are ranks and extents of a server. Peers lie along the wiring's routes. Throws InputError
/// when the options do not fit the wiring or each other, pieces is 0, or the tensors do not tile
/// `elements`.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
                        const Options& options = {});

/// Whether all ranks' Plans are certain to be rank 0's, translated. False leaves it open.
///
/// True on a wiring with a translation when every one of the N ranks works and owns a balanced
/// share, no order of sums is fixed, and `elements` = N m. Then every share has m elements and is
/// cut into pieces alike, and every rank pushes all other ranks their shares, and pulls them.
[[nodiscard]] bool ranks_are_alike(const topologies::Topology& topology, std::size_t elements,
                                   const Options& options = {});

/// The number of ranks that own parameters.
[[nodiscard]] std::size_t server_count(std::size_t ranks, const Options& options);

/// The goal of the Plans: an all-reduce to which dedicated servers contribute nothing and of which
/// they need no result. Throws InputError when there are too many servers.
[[nodiscard]] Goal goal(std::size_t ranks, std::size_t elements, const Options& options = {});

/// GST in units of T_F with one non-blocking NIC per host: 2 times the largest number of elements
/// that a server receives or a worker sends in the push, over `elements`. 0 for no elements. For
/// dedicated servers with S balanced pieces it is (1 + 1/S) times that number; for other pieces at
/// most 2 times. A fixed order requires balanced shares of one piece.
[[nodiscard]] double closed_form(std::size_t ranks, std::size_t elements,
                                 const Options& options = {});

}  // namespace gradwire::ps
