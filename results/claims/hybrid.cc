#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "results/claims/late_multiply.h"

/// Claims 49 to 51: what hybrid parallelism moves, takes and adds.
namespace gradwire::claims::late_multiply_claims {
namespace {

constexpr double kMiB = 1048576;
constexpr std::size_t kBatch = 256;  // LM-13, of all workers together
constexpr const char* kServer = "ps(servers=1, dedicated)";
constexpr const char* kHybridRuns = "hybrid-parallelism";
constexpr const char* kDataRuns = "late-multiply-volume";
constexpr std::size_t kFirst = 1;  ///< in the paper's lists: 2 GPUs
constexpr std::size_t kLast = 3;   ///< 8 GPUs

std::size_t workers_at(std::size_t i) {
  return std::size_t{1} << i;
}

/// Workers beside a host that serves parameters.
std::string wiring_at(std::size_t i) {
  return fmt::format("single-switch({})", workers_at(i) + 1);
}

/// MiB that all ports send.
double mib_sent(std::size_t i, const std::string& workload) {
  return 4 * sent(plan_all_of(kServer, wiring_at(i), workload)) / kMiB;
}

double mib_of_hybrid(std::size_t i) {
  return mib_sent(i, fmt::format("hybrid(model=alexnet, samples={})", kBatch / workers_at(i)));
}

/// MiB that the busiest port, which is the server's, receives and sends in the time of a row.
double mib_in_time(const Result& row) {
  return row.gst() * row.payload.bytes_per_second() / kMiB;
}

/// Speed-ups recomputed from printed times agree with the printed ones, to their last digit.
bool agree(const std::string& times, const std::string& speed_ups) {
  for (std::size_t i = 0; i < count_of(times); ++i) {
    const double ratio = number_of(times, 0) / number_of(times, i);
    if (std::abs(ratio - number_of(speed_ups, i)) > 0.0051) return false;
  }
  return true;
}

/// The least that hybrid is faster than data parallelism by.
double smallest_gap(const std::vector<std::pair<const char*, const char*>>& times) {
  std::vector<double> all;
  for (const auto& [data, hybrid] : times) {
    for (std::size_t i = 1; i < 4; ++i) all.push_back(number_of(data, i) / number_of(hybrid, i));
  }
  return std::ranges::min(all);
}

}  // namespace

Finding claim_49(const Runs& runs) {
  Evidence e(fmt::format("{}; {}", printed("LM-14"), printed("LM-19")));
  e.fitted(
      "1, where the fully connected layers are: beside the workers, with the parameter server");
  for (std::size_t i = kFirst; i <= kLast; ++i) {
    e.theory().number("{:.0f}", mib_sent(i, "alexnet"), paper("LM-14", i));
    e.theory().number("{:.1f} MiB", mib_of_hybrid(i), paper("LM-19", i), 0.01);
  }
  for (std::size_t i = kFirst; i <= kLast; ++i) {
    const std::string wiring = wiring_at(i);
    const Wanted wanted{.wiring = wiring};
    e.both(runs, kDataRuns, [&](const Rows& rows, Entry in) {
      in.number("{:.0f}", mib_in_time(rows.at(wanted)), paper("LM-14", i));
    });
    e.both(runs, kHybridRuns, [&](const Rows& rows, Entry in) {
      in.number("{:.1f} MiB", mib_in_time(rows.at(wanted)), paper("LM-19", i));
    });
    for (const char* experiment : {kDataRuns, kHybridRuns}) {
      e.measured(runs, experiment, [&](const Rows& rows, Entry in) {
        in.count("{} rows with bytes off the Plan", rows.at(wanted).is_off_plan() ? 1 : 0, ours(0));
      });
    }
  }
  e.partly(
      "what Plans send, and what a server's port carries in the time of runs; every byte counts "
      "once. "
      "A single GPU, which moves nothing, is no wiring here");
  return e.finish();
}

Finding claim_50(const Runs& runs) {
  Evidence e(fmt::format("gaps from {} (M40) and {} (K40); {} at best", number_of("LM-32a"),
                         number_of("LM-32b"), number_of("LM-1")));
  for (const int times : {15, 17, 20, 22, 24, 26, 28, 30}) {
    e.theory().holds(agree(fmt::format("LM-{}", times), fmt::format("LM-{}", times + 1)),
                     "speed-ups are those of the printed times");
  }
  e.theory().number("{:.2f}", smallest_gap({{"LM-15", "LM-20"}, {"LM-17", "LM-22"}}),
                    paper("LM-32a"), 0.01);
  e.theory().number("{:.2f}", smallest_gap({{"LM-24", "LM-28"}, {"LM-26", "LM-30"}}),
                    paper("LM-32b"), 0.01);
  e.theory().number("{:.1f} on 8 M40", number_of("LM-17", 3) / number_of("LM-22", 3), paper("LM-1"),
                    0.07);
  for (std::size_t i = kFirst; i <= kLast; ++i) {
    const std::string wiring = wiring_at(i);
    const auto is_part_of = [&](const char* iteration) {
      return [&, iteration](const Rows& rows, Entry in) {
        const double network = rows.at({.wiring = wiring}).gst();
        in.less(fmt::format("{:.2f} s of {} s", network, number_of(iteration, i)), network,
                number_of(iteration, i), false);
      };
    };
    e.simulated(runs, kDataRuns, is_part_of("LM-15"));
    e.simulated(runs, kHybridRuns, is_part_of("LM-20"));
  }
  e.identity(
      "the tables agree with themselves, and each iteration is longer than its bytes take at 10 "
      "Gbit/s; M40 and K40 GPUs are not here");
  return e.finish();
}

Finding claim_51(const Runs& runs) {
  Evidence e(fmt::format("sum, not average; weight decay {}", printed("LM-35")));
  // y = w x on 2 replicas of 3 samples each; loss: mean of (y - 1)^2 / 2 over all 6, and decay.
  const double inputs[2][3] = {{1, 2, 3}, {4, 5, 6}};
  constexpr double kWeight = 0.5, kDecay = 0.1;
  double whole = kDecay * kWeight, summed = 0, undivided = 0;
  for (const auto& replica : inputs) {
    double gradient = 0;
    for (const double x : replica) gradient += (kWeight * x - 1) * x / 6;
    whole += gradient;
    summed += gradient + kDecay / 2 * kWeight;
    undivided += gradient + kDecay * kWeight;
  }
  e.theory().number("sum with decay/m: {:.4f}", summed, ours(whole), 1e-12);
  e.theory().holds(std::abs(summed / 2 - whole) > 1 && std::abs(undivided - whole) > 0.01,
                   "an average, or all of the decay, is something else");
  e.measured(runs, "quickstart", [](const Rows& rows, Entry in) {
    for (const char* algorithm : {"ring", "ps", "bml"}) {
      in.count("sums: {} elements wrong", rows.at({.algorithm = algorithm}).wrong(), paper(0));
    }
  });
  e.measured(runs, "hybrid-step", [](const Rows& rows, Entry in) {
    for (const std::size_t workers : {2u, 4u, 8u}) {
      const std::string wiring = fmt::format("single-switch({})", workers);
      in.count("a step: {} weights wrong", rows.at({.algorithm = "ring", .wiring = wiring}).wrong(),
               paper(0));
    }
  });
  e.identity(
      "algebra on a gradient of six samples, typed in; hybrid-step takes whole steps with real "
      "numbers");
  return e.finish();
}

}  // namespace gradwire::claims::late_multiply_claims
