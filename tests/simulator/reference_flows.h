#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "simulator/flows.h"

/// Max-min fair flows as the textbook has them, for comparison: everything is computed anew at
/// every start and every completion. Bertsekas and Gallager, "Data Networks", section 6.5.2.
namespace gradwire::simulator::testing {

/// Bytes per second of the flows that are `active`; 0 for the others. Progressive filling: the link
/// that leaves each of its flows the least fixes them at that share.
inline std::vector<double> reference_rates(std::span<const double> capacities,
                                           std::span<const TimedFlow> flows,
                                           std::vector<bool> active) {
  std::vector<double> rates(flows.size());
  std::vector<double> left(capacities.begin(), capacities.end());
  for (;;) {
    std::vector<double> users(left.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!active[f]) continue;
      for (const std::size_t link : flows[f].links) ++users[link];
    }
    double share = std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < left.size(); ++l) {
      if (users[l] > 0) share = std::min(share, left[l] / users[l]);
    }
    if (share == std::numeric_limits<double>::infinity()) return rates;
    const auto full = [&](std::size_t l) { return left[l] / users[l] <= share * (1 + 1e-12); };
    std::vector<double> taken(left.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!active[f] || !std::ranges::any_of(flows[f].links, full)) continue;
      active[f] = false;
      rates[f] = share;
      for (const std::size_t link : flows[f].links) taken[link] += share;
    }
    for (std::size_t l = 0; l < left.size(); ++l) left[l] = std::max(0.0, left[l] - taken[l]);
  }
}

/// What completion_times promises.
inline std::vector<double> reference_times(std::span<const double> capacities,
                                           std::span<const TimedFlow> flows) {
  const double never = std::numeric_limits<double>::infinity();
  std::vector<double> ends(flows.size(), never);
  std::vector<double> left;
  for (const TimedFlow& flow : flows) left.push_back(flow.links.empty() ? 0 : flow.bytes);
  for (double now = 0;;) {
    std::vector<bool> active(flows.size());
    double next = never;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (ends[f] != never) continue;
      if (flows[f].start > now) {
        next = std::min(next, flows[f].start);
      } else if (left[f] <= 0) {
        ends[f] = std::max(now, flows[f].start);
      } else {
        active[f] = true;
      }
    }
    const std::vector<double> rates = reference_rates(capacities, flows, active);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (active[f]) next = std::min(next, now + left[f] / rates[f]);
    }
    if (next == never) return ends;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!active[f]) continue;
      left[f] = now + left[f] / rates[f] <= next ? 0 : left[f] - rates[f] * (next - now);
    }
    now = next;
  }
}

}  // namespace gradwire::simulator::testing
