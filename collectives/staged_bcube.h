#pragma once

#include <cstddef>

#include "core/goal.h"
#include "core/plan.h"
#include "topologies/topology.h"

/// BML without its threads, on BCube(n,k): one lane that takes one level after the other (compare
/// Wang et al., "BML", NeurIPS 2018, section 3.2, where k threads take different levels at a time).
///
///     BCube(3,2)       step 0     step 1     step 2     step 3
///     port 0           ██████     ░░░░░░     ░░░░░░     ██████      each port idles while the
///     port 1           ░░░░░░     ██         ██         ░░░░░░      others work
///
///     stage           level              to each of the n-1 neighbours at that level      which it
///     reduce-scatter  l = 0 .. k-1       the neighbour's 1/n^(l+1) of the gradient        adds
///     all-gather      l = k-1 .. 0       its own 1/n^(l+1), summed                        puts
///
/// Step l carries (n-1)/n^(l+1) of the gradient through port l, both stages together:
///
///     GST = 2(N-1)/N T_F + 2k alpha
///
/// which is k times BML's: the k threads buy the factor k. Layout: rank q's part lies in the slot
/// that its digits spell with digit 0 the most significant.
namespace gradwire::collectives::staged_bcube {

/// The Plan of rank `rank`: one lane of 2k steps. Throws InputError unless the wiring is a BCube.
[[nodiscard]] Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements);

/// Whether all ranks' Plans are certain to be rank 0's, translated. False leaves it open.
///
/// True on a BCube(n,k) whose translation adds to its k digits to the base n, with `elements` = N
/// m: then the part of step l has m n^(k-1-l) elements on every rank; its peers are those whose
/// digit l is 1 to n-1 more (mod n); and in order nothing waits for where a part lies.
[[nodiscard]] bool ranks_are_alike(const topologies::Topology& wiring, std::size_t elements);

/// The parts whose sums the ranks hold after half of the steps: rank i has parts[i]. Until then the
/// Plan is a reduce-scatter of them, then an all-gather (first_half, second_half in core/plan.h),
/// each of k steps and (N-1)/N T_F. Throws like plan().
[[nodiscard]] Parts parts(const topologies::Topology& wiring, std::size_t elements);

/// GST in units of T_F, 2(N-1)/N, when start-up costs nothing.
[[nodiscard]] double closed_form(std::size_t n, std::size_t k);

}  // namespace gradwire::collectives::staged_bcube
