#include "harness/run/measuring/disturbance.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;

testbed::MachineTime moment(Seconds at, Seconds idle, Seconds interrupts, Seconds ran,
                            Seconds waited) {
  const auto nanoseconds = [](Seconds time) {
    return std::chrono::duration_cast<Nanoseconds>(time);
  };
  return {.at = TimePoint(nanoseconds(at)),
          .all = {.processors = 2, .idle = idle, .interrupts = interrupts},
          .ours = {.ran = nanoseconds(ran), .waited = nanoseconds(waited)}};
}

// Two processors for 0.5 s: 0.2 s idle, 0.1 s in interrupts, 0.4 s ours. The other 0.3 s of 1 s are
// others'.
TEST(MachineUse, IsForeignWhereNobodyOfOursRan) {
  const auto before = moment(10s, 100s, 5s, 7s, 1s);
  const auto after = moment(10.5s, 100.2s, 5.1s, 7.4s, 1.6s);
  const record::MachineUse use = machine_use(before, after);
  EXPECT_DOUBLE_EQ(use.capacity.count(), 1);
  EXPECT_NEAR(use.foreign_share, 0.3, 1e-9);
  EXPECT_NEAR(use.waited_share, 0.6, 1e-9);
  // Interrupts on top of our tasks count twice: never below 0.
  EXPECT_EQ(machine_use(before, moment(10.5s, 100.2s, 5.3s, 7.6s, 1s)).foreign_share, 0);
}

// At 2 s of processors' time counts may be off by 1.5 %, at 0.1 s by 30 %.
TEST(Disturbance, NeedsMoreThanCountsMayBeOff) {
  EXPECT_TRUE(is_disturbed({.capacity = 2s, .foreign_share = 0.12}, std::nullopt));
  EXPECT_FALSE(is_disturbed({.capacity = 2s, .foreign_share = 0.11}, std::nullopt));
  EXPECT_FALSE(is_disturbed({.capacity = 100ms, .foreign_share = 0.35}, std::nullopt));
  EXPECT_TRUE(is_disturbed({.capacity = 100ms, .foreign_share = 0.45}, std::nullopt));
}

// A smaller share counts where our tasks waited more than usual.
TEST(Disturbance, WaitingTellsWhereTheShareIsSmall) {
  const auto judged = [](double foreign, double waited) {
    return is_disturbed({.capacity = 200ms, .foreign_share = foreign, .waited_share = waited}, 0.3);
  };
  EXPECT_TRUE(judged(0.2, 0.7));
  EXPECT_FALSE(judged(0.2, 0.5)) << "not twice as long";
  EXPECT_FALSE(judged(0.04, 0.9)) << "nobody else ran";
}

/// Readings of a run on two processors as counters would have them: in hundredths of a second, with
/// softirqs that are partly ours. In some iterations a program takes a core, or its share of it.
struct RecordedRun {
  std::vector<record::MachineUse> uses;
  std::vector<bool> planted;
};

RecordedRun recorded_run(Seconds iteration, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const auto counted = [](double seconds) { return Seconds(std::floor(100 * seconds) / 100); };
  RecordedRun run;
  double now = share(random);
  double idle = share(random);
  double soft = share(random);
  double ran = 0;
  double waited = 0;
  const auto iterations = static_cast<std::size_t>(std::max(60.0, 6 / iteration.count()));
  for (std::size_t i = 0; i < iterations; ++i) {
    const auto read = [&] {
      return moment(Seconds(now), counted(idle), counted(soft), Seconds(ran), Seconds(waited));
    };
    const auto before = read();
    const bool planted = i >= iterations / 3 && i < 2 * iterations / 3;
    const double elapsed = iteration.count() * (1 + 0.1 * share(random));
    const double ours = elapsed * (0.6 + 0.3 * share(random));
    const double softirqs = 0.15 * ours * share(random);
    const double daemons = 0.01 * share(random) * elapsed;
    const double others = daemons + (planted ? elapsed * (0.7 + 0.3 * share(random)) : 0);
    now += elapsed;
    soft += softirqs;
    ran += std::min(ours, 2 * elapsed - others);
    idle += std::max(0.0, 2 * elapsed - ours - others);
    waited += ours * (0.2 + 0.1 * share(random)) * (planted ? 3 : 1);
    run.uses.push_back(machine_use(before, read()));
    run.planted.push_back(planted);
  }
  return run;
}

// A program that takes a core in the middle of a run: at least 95 % of the iterations that it hurt
// are marked, and at most 2 % of the others. Iterations of 15 ms, a few of which are judged together,
// to 2 s.
TEST(Disturbance, FindsWhoTakesACoreInTheMiddle) {
  std::mt19937_64 random(7);
  for (const Seconds iteration :
       {Seconds(0.015), Seconds(0.06), Seconds(0.2), Seconds(0.5), Seconds(2.0)}) {
    std::size_t hurt = 0;
    std::size_t found = 0;
    std::size_t others = 0;
    std::size_t wrong = 0;
    for (std::size_t repeat = 0; repeat < 100; ++repeat) {
      const RecordedRun run = recorded_run(iteration, random);
      DisturbanceJudge judge;
      for (std::size_t i = 0; i < run.uses.size(); ++i) {
        const bool is_marked = judge.judge(run.uses[i]);
        (run.planted[i] ? hurt : others) += 1;
        if (is_marked) (run.planted[i] ? found : wrong) += 1;
      }
    }
    EXPECT_GE(static_cast<double>(found), 0.95 * static_cast<double>(hurt)) << iteration.count();
    EXPECT_LE(static_cast<double>(wrong), 0.02 * static_cast<double>(others)) << iteration.count();
  }
}

}  // namespace
}  // namespace gradwire::run
