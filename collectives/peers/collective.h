#pragma once

#include <cstddef>
#include <cstdint>

#include "core/goal.h"
#include "core/name_table.h"

/// The collectives of other libraries, to be compared with our Plans: the same gradient, the same
/// links, but a schedule of the library's own.
namespace gradwire::peers {

/// The collective that a library runs, in the meaning of core/goal.h, with equal parts, and rank 0
/// as root.
enum class What : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  broadcast,
  reduce,
};
inline constexpr NameTable<What, 6> kWhats({{"all-reduce", What::all_reduce},
                                            {"reduce-scatter", What::reduce_scatter},
                                            {"all-gather", What::all_gather},
                                            {"all-to-all", What::all_to_all},
                                            {"broadcast", What::broadcast},
                                            {"reduce", What::reduce}});

/// The goal of the library's collective. `elements` are those of the whole, counted like
/// core/goal.h: for an all-to-all, those of all ranks together.
[[nodiscard]] Goal goal_of(What what, std::size_t ranks, std::size_t elements);

class Collective {
 public:
  virtual ~Collective() = default;

  /// Runs the collective on extent number `extent`, of those that it was made with: the elements of
  /// the goal, in the gradient that it was made with. Collective: all ranks take the same extents
  /// in the same order. Blocks until this rank is done; no Cancellation ends it. Throws
  /// FabricError, after which it cannot be used again.
  virtual void run(std::size_t extent) = 0;

  /// Moves the result of the last run() of the extent to the goal's place for it. The library may
  /// leave it in its own memory, apart from the input or at its beginning. Needs no other rank.
  virtual void put_in_place(std::size_t extent) = 0;
};

}  // namespace gradwire::peers
