#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/plan.h"

/// In which order Plans add what.
namespace gradwire::collectives::testing {

/// "(0+1)": floating-point addition commutes, so the terms stand sorted.
inline std::string added(std::string a, std::string b) {
  if (a.empty()) return b;
  if (b < a) std::swap(a, b);
  return "(" + a + "+" + b + ")";
}

/// The terms from the first to the last: "((0+1)+2)".
inline std::string added_in_order(std::span<const std::size_t> ranks) {
  std::string sum;
  for (const std::size_t rank : ranks) sum = added(sum, std::to_string(rank));
  return sum;
}

/// By rank and element: what it holds when the Plans of one lane have been run step by step, a rank's
/// gradient being its number. The ranks of `silent` begin with nothing. An element to which two
/// receives of one step add holds "any order".
inline std::vector<std::vector<std::string>> summation_orders(std::span<const Plan> plans,
                                                              std::size_t elements,
                                                              std::span<const Rank> silent = {}) {
  std::vector<std::vector<std::string>> held;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    const bool begins = std::ranges::find(silent, Rank(rank)) == silent.end();
    held.emplace_back(elements, begins ? std::to_string(rank) : "");
  }
  for (std::size_t step = 0; step < plans[0].lanes.at(0).size(); ++step) {
    const auto before = held;
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
      std::vector<int> arrivals(elements, 0);
      for (const Recv& recv : plans[rank].lanes[0][step].recvs) {
        for (std::size_t e = recv.where.first; e < recv.where.end(); ++e) {
          const std::string& arriving = before[recv.from.rank.index()][e];
          std::string& here = held[rank][e];
          here = recv.how == Combine::replace ? arriving : added(here, arriving);
          if (++arrivals[e] > 1) here = "any order";
        }
      }
    }
  }
  return held;
}

}  // namespace gradwire::collectives::testing
