#pragma once

#include <cstddef>
#include <cstdint>

#include "core/goal.h"
#include "core/name_table.h"

/// Somebody else's collective, to be compared with our Plans: the same gradient, the same links, a
/// schedule of the library's own.
namespace gradwire::peers {

/// What a library is asked for, in the meaning of core/goal.h, with equal parts, and rank 0 as root.
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

/// What the library's collective achieves. `elements` are those of the whole, as core/goal.h counts
/// them: of an all-to-all, those of all ranks together.
[[nodiscard]] Goal goal_of(What what, std::size_t ranks, std::size_t elements);

class Collective {
 public:
  virtual ~Collective() = default;

  /// Does what it was made for with extent number `extent`, of those that it was made with: the
  /// elements of the goal, in the gradient that it was made with. Collective: all ranks take the same
  /// extents in the same order. Blocks until this rank is done; no Cancellation ends it. Throws
  /// FabricError, after which it cannot be used again.
  virtual void run(std::size_t extent) = 0;

  /// Moves what the last run() of the extent has left in memory of the library's kind, which keeps
  /// output apart from input or at its beginning, to where the goal has it. Needs nobody else.
  virtual void put_in_place(std::size_t extent) = 0;
};

}  // namespace gradwire::peers
