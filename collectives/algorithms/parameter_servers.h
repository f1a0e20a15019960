#pragma once

#include <array>
#include <cstddef>

#include "collectives/algorithms/all_reduces.h"
#include "core/goal.h"
#include "core/plan.h"
#include "core/text/arguments.h"
#include "topologies/topology.h"

/// The algorithm `ps` as experiments name it. BytePS's division of the load is an option of it,
/// because it answers the same question as the others: who owns which share of the gradient.
///
///     ps                              every rank owns a share
///     ps(servers=4, dedicated)        four ranks own everything, and do nothing else
///     ps(servers=4, byteps)           four ranks do nothing else, and the others own a share, too
namespace gradwire::algorithms {

inline constexpr std::array kPsOptions{
    text::OptionForm{"per-tensor", text::OptionForm::Value::none, "",
                     "whole tensors on one server each, in turn; needs a workload"},
    text::OptionForm{"servers", text::OptionForm::Value::number, "every rank; with fixed-order 2",
                     "ranks that own parameters"},
    text::OptionForm{"dedicated", text::OptionForm::Value::none, "",
                     "servers do nothing else; needs servers"},
    text::OptionForm{"byteps", text::OptionForm::Value::none, "",
                     "servers do nothing else, and the other ranks own shares, too, each so much "
                     "that all ports carry the same"},
    text::OptionForm{"pieces", text::OptionForm::Value::number,
                     "1; with byteps one for each 64 KiB, at most 32",
                     "extents that a server's share travels as: one is pulled while the next is "
                     "pushed"},
    text::OptionForm{
        "fixed-order", text::OptionForm::Value::none, "",
        "sums go from rank 0 to the last: their bits depend on neither buckets nor who "
        "comes first; at most two servers, or dedicated ones"}};

/// Rank `rank`'s Plan. Throws InputError for options that do not go together or do not fit.
[[nodiscard]] Plan plan_ps(const text::Arguments& arguments, const topologies::Topology& topology,
                           Rank rank, const Amount& amount);
/// Whether all ranks' Plans are certain to be alike (ps::ranks_are_alike).
[[nodiscard]] bool ps_ranks_are_alike(const text::Arguments& arguments,
                                      const topologies::Topology& topology, const Amount& amount);
/// The goal of the Plans: dedicated servers contribute nothing. Throws as plan_ps.
[[nodiscard]] Goal goal_of_ps(const text::Arguments& arguments, std::size_t ranks,
                              const Amount& amount);
/// The size of the busiest rank's Plan. Throws as plan_ps.
[[nodiscard]] PlanSize size_of_ps(const text::Arguments& arguments, std::size_t ranks,
                                  const Amount& amount);

}  // namespace gradwire::algorithms
