#include "collectives/peers/collective.h"

#include "core/error.h"

namespace gradwire::peers {

Goal goal_of(What what, std::size_t ranks, std::size_t elements) {
  switch (what) {
    case What::all_reduce:
      return all_reduce(ranks, elements);
    case What::reduce_scatter:
      return reduce_scatter(equal_parts(ranks, elements));
    case What::all_gather:
      return all_gather(equal_parts(ranks, elements));
    case What::all_to_all:
      return all_to_all(ranks, elements);
    case What::broadcast:
      return broadcast(ranks, elements, Rank(0));
    case What::reduce:
      return reduce(ranks, elements, Rank(0));
  }
  throw_bug("a collective has a goal");
}

}  // namespace gradwire::peers
