#include "collectives/algorithms/ring.h"

#include "collectives/algorithms/ring_order.h"
#include "core/extent.h"
#include "ringallreduce/plan.h"

namespace gradwire::algorithms {
namespace {

ringallreduce::Options options_of(const text::Arguments& arguments, std::size_t ranks) {
  return {.order = ring_order(arguments.word("order"), ranks),
          .pieces = arguments.number("pieces"),
          .fixed_order = arguments.has("fixed-order")};
}

}  // namespace

Plan plan_ring(const text::Arguments& arguments, const topologies::Topology& topology, Rank rank,
               const Amount& amount) {
  return ringallreduce::plan(topology, rank, amount.elements,
                             options_of(arguments, topology.hosts()));
}

bool ring_ranks_are_alike(const text::Arguments& arguments, const topologies::Topology& topology,
                          const Amount& amount) {
  return ringallreduce::ranks_are_alike(topology, amount.elements,
                                        options_of(arguments, topology.hosts()));
}

PlanSize size_of_ring(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) {
  const std::size_t pieces = arguments.number("pieces");
  return {.pieces = pieces,
          .part = part({0, amount.elements}, ranks, 0).count,
          .transfers = 4 * static_cast<double>(arguments.has("fixed-order") ? ranks : ranks - 1) *
                       static_cast<double>(pieces)};
}

}  // namespace gradwire::algorithms
