#include "simulator/incast.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

namespace gradwire::simulator {
namespace {

/// The elements of one sender for one port of a rank.
struct Arrival {
  Port port;
  Rank from;
  std::size_t elements = 0;
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

/// The arrivals in one step of all lanes, by port and sender.
std::vector<Arrival> arrivals_of(const Plan& plan, std::size_t step) {
  std::vector<Arrival> arrivals;
  for (const Lane& lane : plan.lanes) {
    if (step >= lane.size()) continue;
    for (const Recv& recv : lane[step].recvs) {
      arrivals.push_back({recv.from.via, recv.from.rank, recv.where.count});
    }
  }
  std::ranges::sort(arrivals);
  return arrivals;
}

/// The onrush of the arrivals at one port, which are sorted by sender.
double onrush_of(std::span<const Arrival> arrivals, double window, double element_bytes) {
  double sum = 0;
  double largest = 0;
  for (std::size_t i = 0; i < arrivals.size();) {
    const Rank from = arrivals[i].from;
    double bytes = 0;
    for (; i < arrivals.size() && arrivals[i].from == from; ++i) {
      bytes += static_cast<double>(arrivals[i].elements) * element_bytes;
    }
    sum += std::min(window, bytes);
    largest = std::max(largest, std::min(window, bytes));
  }
  return sum - largest;
}

}  // namespace

double largest_onrush(const Plan& plan, double window, double element_bytes) {
  std::size_t steps = 0;
  for (const Lane& lane : plan.lanes) steps = std::max(steps, lane.size());
  double largest = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::vector<Arrival> arrivals = arrivals_of(plan, step);
    for (auto begin = arrivals.begin(); begin != arrivals.end();) {
      const auto end = std::find_if(begin, arrivals.end(),
                                    [&](const Arrival& a) { return a.port != begin->port; });
      largest = std::max(largest, onrush_of({begin, end}, window, element_bytes));
      begin = end;
    }
  }
  return largest;
}

}  // namespace gradwire::simulator
