#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"

namespace gradwire::plan_check {

/// The contributions that every element of every rank holds while Plans run.
///
/// Grouping elements in two levels keeps this small. All elements of a *region* have the same
/// beginners and must end at the same ranks; all elements of an *atom*, a part of a region, also
/// take part in the same transfers. One set of contributions holds for an atom, so the cost depends
/// on the number of extent bounds instead of that of elements. A set has a bit for each *beginner*
/// of the region, and only ranks that touch the region have one: an all-to-all of N ranks costs 2
/// N^2 sets of one word (64 bits) each, an all-reduce N sets of N bits for each atom.
class Holdings {
 public:
  /// The holdings before any transfer: ranks hold the elements they begin with. Requires that all
  /// extents lie within the goal's elements, and that every receive of the Plans has its send.
  Holdings(std::span<const Plan> plans, const Goal& goal);

  /// A fault of a transfer, at the first element that has one.
  struct Fault {
    enum class Kind : std::uint8_t {
      nothing,  ///< the sender holds nothing there
      twice,    ///< an addition brings a contribution that is there already
    } kind;
    Extent where;
    std::size_t contributor = 0;  ///< contributor whose contribution comes twice
  };
  /// Combines the sender's holdings into those of `receiver`.
  std::optional<Fault> transfer(std::size_t receiver, const Recv& recv);

  /// The contributions that a rank holds, and those that it lacks for the whole sum.
  struct Lack {
    Extent where;
    std::vector<std::size_t> held;    ///< contributors, ascending
    std::vector<std::size_t> lacked;  ///< contributors, ascending, one at least
  };
  /// The lack at the first atom of these extents at which `rank` lacks something. Requires that the
  /// extents are of a goal's ends.
  [[nodiscard]] std::optional<Lack> first_lack(std::size_t rank,
                                               std::span<const Extent> ends) const;

 private:
  /// Lists of varying length, one after the other: list i is items [starts[i], starts[i + 1]).
  struct Lists {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> items;

    [[nodiscard]] std::span<const std::uint32_t> at(std::size_t list) const {
      return std::span(items).subspan(starts[list], starts[list + 1] - starts[list]);
    }
  };
  /// A rank that touches a region.
  struct Touch {
    std::uint32_t region;
    std::uint32_t rank;
    friend constexpr auto operator<=>(const Touch&, const Touch&) = default;
  };

  [[nodiscard]] static Lists by_region(std::vector<Touch> touches, std::size_t regions);
  [[nodiscard]] std::vector<Touch> touches_of(std::span<const Plan> plans, const Goal& goal) const;
  void lay_out();
  void fill();

  [[nodiscard]] std::size_t regions() const { return region_bounds_.size() - 1; }
  [[nodiscard]] std::size_t region_at(std::size_t element) const;
  [[nodiscard]] std::size_t atom_at(std::size_t bound) const;
  [[nodiscard]] Extent extent_of(std::size_t atom) const;
  [[nodiscard]] std::size_t words_of(std::size_t region) const;
  [[nodiscard]] std::size_t first_word(std::size_t region, std::size_t rank) const;
  template <class Visit>
  void for_each_region(const Extent& extent, Visit visit) const;

  std::vector<std::size_t> region_bounds_;  ///< region i lies between bounds i and i + 1
  std::vector<std::size_t> atom_bounds_;    ///< atom i lies between bounds i and i + 1
  Lists beginners_;                         ///< by region: ranks, ascending
  Lists holders_;                           ///< by region: the ranks that touch it, ascending
  std::vector<std::size_t> first_atom_;     ///< by region, and one past the last
  std::vector<std::size_t> first_word_;     ///< by region
  std::vector<std::uint64_t> bits_;         ///< by region, holder, atom and word
};

}  // namespace gradwire::plan_check
