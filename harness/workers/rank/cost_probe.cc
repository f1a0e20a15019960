#include "harness/workers/rank/cost_probe.h"

#include <algorithm>
#include <utility>

#include "harness/workers/rank/synchronizer.h"
#include "results/record/statistics.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFewestElements = 256;
constexpr std::size_t kRatio = 4;
constexpr Nanoseconds kLongest = 1s;  ///< no larger size is tried after one that takes this
constexpr Nanoseconds kBudget = 1s;   ///< time for the runs of one size
constexpr std::size_t kFewestRuns = 3;
constexpr std::size_t kMostRuns = 15;

/// One synchronization, from the last rank's start to the last rank's end.
Nanoseconds time_once(Synchronizer& synchronizer, std::size_t stage, const WorkerContext& context) {
  const Nanoseconds start = context.clock.now().time_since_epoch();
  synchronizer.synchronize(stage);
  const Nanoseconds end = context.clock.now().time_since_epoch();
  Nanoseconds last_start = start;
  Nanoseconds last_end = end;
  for (const auto& [their_start, their_end] :
       context.rendezvous.all_gather(std::pair(start, end))) {
    last_start = std::max(last_start, their_start);
    last_end = std::max(last_end, their_end);
  }
  return last_end - last_start;
}

Seconds time_often(Synchronizer& synchronizer, std::size_t stage, Nanoseconds once,
                   const WorkerContext& context) {
  const auto fit = static_cast<std::size_t>(kBudget / std::max(once, Nanoseconds(1)));
  std::vector<double> times;
  for (std::size_t i = 0; i < std::clamp(fit, kFewestRuns, kMostRuns); ++i) {
    times.push_back(Seconds(time_once(synchronizer, stage, context)).count());
  }
  return Seconds(record::summarize(times).median);
}

}  // namespace

std::vector<std::size_t> probe_sizes(std::size_t elements) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = elements; size >= kFewestElements || sizes.empty(); size /= kRatio) {
    sizes.push_back(size);
  }
  std::ranges::reverse(sizes);
  return sizes;
}

std::vector<schedule::TimedSize> probe_costs(const Job& job, std::span<float> gradient,
                                             const WorkerContext& context) {
  std::ranges::fill(gradient, 0.0F);
  const std::vector<std::size_t> sizes = probe_sizes(gradient.size());
  std::vector<algorithms::BucketAmount> amounts;
  for (const std::size_t size : sizes) {
    amounts.push_back({.amount = {.elements = size, .tensors = {{.first = 0, .count = size}}}});
  }
  const auto synchronizer = make_synchronizer(job, amounts, gradient, context);
  context.rendezvous.barrier();
  std::vector<schedule::TimedSize> points;
  for (std::size_t stage = 0; stage < sizes.size(); ++stage) {
    const Nanoseconds once = time_once(*synchronizer, stage, context);  // warms the connections up
    const Seconds time = time_often(*synchronizer, stage, once, context);
    points.push_back({.bytes = static_cast<double>(sizes[stage] * sizeof(float)),
                      .time = time / job.training->dilation});
    if (once > kLongest) break;
  }
  return points;
}

}  // namespace gradwire::workers
