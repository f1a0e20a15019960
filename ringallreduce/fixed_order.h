#pragma once

#include <cstddef>

#include "core/extent.h"
#include "core/plan.h"
#include "ringallreduce/plan.h"

/// A ring in which every element is summed in the same order, from the ring's first rank to its
/// last: ((g0 + g1) + g2) + ... In the ring of plan.h the order begins with another rank in each
/// chunk, and rounding depends on it; so an element in another chunk, because buckets were cut
/// otherwise, gets a sum with other bits.
///
///     summing, piece p      0 ──p──> 1 ──p+1──> 2 ──p+2──> 3        numbers are steps
///     returning, piece p    3 ──p+3──> 0 ──p+4──> 1 ──p+5──> 2      with N = 4
///
/// Sums flow to the last rank and on round the ring, piece after piece. Position i of N sends piece
/// p of the sum in step p + i, and of the result in step p + N + i; the last one begins to return
/// piece p in step p + N - 1. Every link but two carries the gradient twice.
namespace gradwire::ringallreduce::fixed_order {

/// The lane of the rank at `position` of a ring of N = `ranks` ranks, two at least, with `what` cut
/// into P = `pieces` pieces, at least 1. It has P + 2N - 3 steps. Pieces without elements are left
/// out.
[[nodiscard]] Lane lane(const Position& position, std::size_t ranks, const Extent& what,
                        std::size_t pieces);

/// GST in units of T_F when start-up costs nothing and no two neighbours share a link, step after step:
/// (P + 2N - 3)/P, and (P - 3)/P more where P > N > 2, because links carry a piece of each kind in a
/// step then. 3(N-1)/N for P = N; 2 for many pieces and few ranks.
[[nodiscard]] double closed_form(std::size_t ranks, std::size_t pieces);

}  // namespace gradwire::ringallreduce::fixed_order
