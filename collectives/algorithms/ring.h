#pragma once

#include <array>
#include <cstddef>

#include "collectives/algorithms/all_reduces.h"
#include "core/plan.h"
#include "core/text/arguments.h"
#include "topologies/topology.h"

/// The algorithm `ring` as experiments name it:
///
///     ring                        in the order that the wiring suggests
///     ring(order=0-3-1-2)         in another one (ring_order.h)
///     ring(fixed-order)           every element is summed from the first rank to the last
namespace gradwire::algorithms {

inline constexpr std::array kRingOptions{
    text::OptionForm{"pieces", text::OptionForm::Value::number, "1",
                     "extents that a chunk travels as: the first is passed on while others arrive"},
    text::OptionForm{"order", text::OptionForm::Value::word, "as the wiring suggests",
                     "the ranks as they stand in the ring: 0-3-1-2, or a file that lists them"},
    text::OptionForm{
        "fixed-order", text::OptionForm::Value::none, "",
        "every element is summed from the ring's first rank to its last, piece by piece: the "
        "bits of a sum do not depend on buckets"}};

/// Rank `rank`'s Plan. Throws InputError for an order that is not one of all ranks.
[[nodiscard]] Plan plan_ring(const text::Arguments& arguments, const topologies::Topology& topology,
                             Rank rank, const Amount& amount);
/// Whether all ranks' Plans are certain to be alike (ringallreduce::ranks_are_alike). Throws as
/// plan_ring.
[[nodiscard]] bool ring_ranks_are_alike(const text::Arguments& arguments,
                                        const topologies::Topology& topology, const Amount& amount);
/// The size of the busiest rank's Plan: it sends and receives a piece in each of 2(N-1) steps;
/// in a fixed order it sends and receives every piece twice.
[[nodiscard]] PlanSize size_of_ring(const text::Arguments& arguments, std::size_t ranks,
                                    const Amount& amount);

}  // namespace gradwire::algorithms
