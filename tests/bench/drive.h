#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <span>

#include <benchmark/benchmark.h>

#include "core/plan.h"
#include "tests/transport/rank_group.h"

namespace gradwire::bench {

/// Executes the Plans again and again for as long as the benchmark wants: rank 0 is driven by it,
/// the others follow until rank 0 says stop. Counts the range's bytes. A rank that fails leaves,
/// and the others fail for want of it.
template <class Transport>
void drive(benchmark::State& state, std::span<const Plan> plans, std::size_t elements) {
  Transport transport(plans.size());
  std::barrier step(static_cast<std::ptrdiff_t>(plans.size()));
  std::atomic<bool> stop = false;
  const auto work = [&](transport::testing::RankContext& rank) {
    if (rank.self == Rank(0)) {
      for (auto _ : state) {
        step.arrive_and_wait();
        rank.executor.execute();
      }
      stop = true;
      step.arrive_and_wait();
      return;
    }
    for (step.arrive_and_wait(); !stop; step.arrive_and_wait()) rank.executor.execute();
  };
  const auto endings = transport::testing::run_ranks(transport, plans, elements,
                                                     [&](transport::testing::RankContext& rank) {
                                                       try {
                                                         work(rank);
                                                       } catch (...) {
                                                         if (rank.self == Rank(0)) stop = true;
                                                         static_cast<void>(step.arrive_and_drop());
                                                         throw;
                                                       }
                                                     });
  for (const auto& ending : endings) {
    if (ending) state.SkipWithError("a rank failed");
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

}  // namespace gradwire::bench
